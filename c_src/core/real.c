#include "core/real.h"

#include <stdint.h>
#include <string.h>

/* ln 2 and pi / 2 in two parts: the first has few enough bits that its multiples are exact. */
#define LN2_HIGH 6.93147180369123816490e-01
#define LN2_LOW 1.90821492927058770002e-10
#define HALF_PI_HIGH 1.57079632673412561417e+00
#define HALF_PI_LOW 6.07710050650619224932e-11

/* The nearest integer of a number below 2^51: adding 1.5 * 2^52 leaves no room for a fraction. */
static double nearest(double x) {
    const double shift = 6755399441055744.0;
    return (x + shift) - shift;
}

/* The sum of coefficients[i] x^i. */
static double polynomial(const double *coefficients, int n, double x) {
    double sum = coefficients[n - 1];
    for (int i = n - 2; i >= 0; i--)
        sum = sum * x + coefficients[i];
    return sum;
}

/* x = n ln 2 + r with |r| <= ln 2 / 2; the Taylor series of e^r, then 2^n through the exponent
 * bits. */
double real_exp(double x) {
    static const double TAYLOR[] = {1.0,
                                    1.0,
                                    1.0 / 2,
                                    1.0 / 6,
                                    1.0 / 24,
                                    1.0 / 120,
                                    1.0 / 720,
                                    1.0 / 5040,
                                    1.0 / 40320,
                                    1.0 / 362880,
                                    1.0 / 3628800,
                                    1.0 / 39916800,
                                    1.0 / 479001600,
                                    1.0 / 6227020800.0};
    double n = nearest(x * 1.44269504088896340736);
    double r = (x - n * LN2_HIGH) - n * LN2_LOW;
    int64_t bits = ((int64_t)n + 1023) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    return polynomial(TAYLOR, sizeof TAYLOR / sizeof *TAYLOR, r) * scale;
}

/* x = 2^e m with m near 1; with s = (m - 1) / (m + 1): ln m = 2 (s + s^3 / 3 + s^5 / 5 + …). */
double real_log(double x) {
    static const double SERIES[] = {1.0,      1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9, 1.0 / 11,
                                    1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21};
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int e = (int)(bits >> 52) - 1023;
    bits = (bits & 0x000fffffffffffff) | 0x3ff0000000000000;
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m > 1.41421356237309504880) {
        m *= 0.5;
        e++;
    }
    double s = (m - 1.0) / (m + 1.0);
    double log_m = 2.0 * s * polynomial(SERIES, sizeof SERIES / sizeof *SERIES, s * s);
    return (double)e * LN2_HIGH + (log_m + (double)e * LN2_LOW);
}

/* x = n pi / 2 + r with |r| <= pi / 4; the Taylor series of r, exchanged and signed by the
 * quadrant. */
void real_sin_cos(double x, double *sine, double *cosine) {
    static const double SIN[] = {1.0,
                                 -1.0 / 6,
                                 1.0 / 120,
                                 -1.0 / 5040,
                                 1.0 / 362880,
                                 -1.0 / 39916800,
                                 1.0 / 6227020800.0,
                                 -1.0 / 1307674368000.0,
                                 1.0 / 355687428096000.0};
    static const double COS[] = {1.0,
                                 -1.0 / 2,
                                 1.0 / 24,
                                 -1.0 / 720,
                                 1.0 / 40320,
                                 -1.0 / 3628800,
                                 1.0 / 479001600,
                                 -1.0 / 87178291200.0,
                                 1.0 / 20922789888000.0};
    double n = nearest(x * 0.63661977236758134308);
    double r = (x - n * HALF_PI_HIGH) - n * HALF_PI_LOW;
    double square = r * r;
    double s = r * polynomial(SIN, sizeof SIN / sizeof *SIN, square);
    double c = polynomial(COS, sizeof COS / sizeof *COS, square);
    switch ((int)n & 3) {
    case 0:
        *sine = s, *cosine = c;
        break;
    case 1:
        *sine = c, *cosine = -s;
        break;
    case 2:
        *sine = -s, *cosine = -c;
        break;
    default:
        *sine = -c, *cosine = s;
        break;
    }
}
