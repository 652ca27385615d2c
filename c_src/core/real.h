/*
 * The few functions of double that the engine needs, without libm: C libraries differ in the last
 * bits, and every target must give the same. Each is right to about 1e-15 relative (sine and
 * cosine: absolute), far below the float that the results are rounded to.
 */
#ifndef ATTN_CORE_REAL_H
#define ATTN_CORE_REAL_H

/* e^x for -700 <= x <= 700. */
double real_exp(double x);

/* The natural logarithm of a normal x > 0. */
double real_log(double x);

/* Sine and cosine of 0 <= x <= REAL_MAX_ANGLE, in radians. */
#define REAL_MAX_ANGLE 1e5
void real_sin_cos(double x, double *sine, double *cosine);

#endif
