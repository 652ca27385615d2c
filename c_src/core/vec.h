/*
 * Four floats at a time, one source for SSE, NEON, WebAssembly SIMD and plain scalars.
 *
 * Everything inside training uses these functions and sqrtf and no libm function, whose last
 * bits differ between C libraries: so every target computes the same bits. The polynomials are
 * those of the Cephes library (Moshier), good to about 2 units in the last place.
 */
#ifndef ATTN_CORE_VEC_H
#define ATTN_CORE_VEC_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define VEC_LANES 4

typedef float Vec4 __attribute__((vector_size(16)));
typedef int32_t Vec4Int __attribute__((vector_size(16)));
typedef float Vec4Unaligned __attribute__((vector_size(16), aligned(4), may_alias));

/*
 * For functions that handle both whole vectors and a rest of n lanes: inlined at each call, so that
 * where n is the constant VEC_LANES a partial load is one instruction.
 */
#define VEC_INLINE __attribute__((always_inline)) static inline

static inline Vec4 vec_load(const float *p) { return *(const Vec4Unaligned *)p; }
static inline void vec_store(float *p, Vec4 v) { *(Vec4Unaligned *)p = v; }
static inline Vec4 vec_splat(float x) { return (Vec4){x, x, x, x}; }

/* The first n (1..4) of p; the other lanes hold `fill`. */
static inline Vec4 vec_load_part(const float *p, int n, float fill) {
    Vec4 v = vec_splat(fill);
    memcpy(&v, p, (size_t)n * sizeof(float));
    return v;
}

static inline void vec_store_part(float *p, Vec4 v, int n) {
    memcpy(p, &v, (size_t)n * sizeof(float));
}

/* Where mask is all ones a, elsewhere b. */
static inline Vec4 vec_select(Vec4Int mask, Vec4 a, Vec4 b) {
    return (Vec4)((mask & (Vec4Int)a) | (~mask & (Vec4Int)b));
}

static inline Vec4 vec_max(Vec4 a, Vec4 b) { return vec_select((Vec4Int)(a > b), a, b); }
static inline Vec4 vec_abs(Vec4 v) { return (Vec4)((Vec4Int)v & 0x7fffffff); }

/* The order of summation is part of the result, the same on every target. */
static inline float vec_sum(Vec4 v) { return (v[0] + v[2]) + (v[1] + v[3]); }

static inline float vec_largest(Vec4 v) {
    float a = v[0] > v[2] ? v[0] : v[2];
    float b = v[1] > v[3] ? v[1] : v[3];
    return a > b ? a : b;
}

/* e^x; 0 below -87.33, where the result would no longer be a normal number. NaN stays NaN. */
static inline Vec4 vec_exp(Vec4 x) {
    /* Adding 1.5 * 2^23 rounds to the nearest integer and leaves it in the low bits. */
    const Vec4 rounding = vec_splat(12582912.0f);
    const Vec4Int vanishes = (Vec4Int)(x < vec_splat(-87.33f));
    x = vec_select(vanishes, vec_splat(0.0f), x);
    x = vec_select((Vec4Int)(x > vec_splat(88.37626f)), vec_splat(88.37626f), x);
    Vec4 shifted = x * vec_splat(1.44269504088896341f) + rounding;
    Vec4 n = shifted - rounding;
    Vec4 r = x - n * vec_splat(0.693359375f);
    r = r - n * vec_splat(-2.12194440e-4f);
    Vec4 p = vec_splat(1.9875691500e-4f);
    p = p * r + vec_splat(1.3981999507e-3f);
    p = p * r + vec_splat(8.3334519073e-3f);
    p = p * r + vec_splat(4.1665795894e-2f);
    p = p * r + vec_splat(1.6666665459e-1f);
    p = p * r + vec_splat(5.0000001201e-1f);
    p = p * (r * r) + r + vec_splat(1.0f);
    Vec4Int exponent = (Vec4Int)shifted - (Vec4Int)rounding;
    Vec4 scale = (Vec4)((exponent + 127) << 23);
    return vec_select(vanishes, vec_splat(0.0f), p * scale);
}

/* tanh(x): a polynomial near 0, where 1 - 2 / (e^2x + 1) would cancel. */
static inline Vec4 vec_tanh(Vec4 x) {
    Vec4 size = vec_abs(x);
    Vec4 z = x * x;
    Vec4 p = vec_splat(-5.70498872745e-3f);
    p = p * z + vec_splat(2.06390887954e-2f);
    p = p * z + vec_splat(-5.37397155531e-2f);
    p = p * z + vec_splat(1.33314422036e-1f);
    p = p * z + vec_splat(-3.33332819422e-1f);
    Vec4 near_zero = x + x * (z * p);
    Vec4 far = vec_splat(1.0f) - vec_splat(2.0f) / (vec_exp(size + size) + vec_splat(1.0f));
    far = (Vec4)((Vec4Int)far | ((Vec4Int)x & (int32_t)0x80000000));
    return vec_select((Vec4Int)(size < vec_splat(0.625f)), near_zero, far);
}

/* The error function: a polynomial below 1, 1 - erfc(|x|) above. */
static inline Vec4 vec_erf(Vec4 x) {
    Vec4 size = vec_abs(x);
    Vec4 z = x * x;
    Vec4 p = vec_splat(7.853861353153693e-5f);
    p = p * z + vec_splat(-8.010193625184903e-4f);
    p = p * z + vec_splat(5.188327685732524e-3f);
    p = p * z + vec_splat(-2.685381193529856e-2f);
    p = p * z + vec_splat(1.128358514861418e-1f);
    p = p * z + vec_splat(-3.761262582423300e-1f);
    p = p * z + vec_splat(1.128379165726710e+0f);
    Vec4 near_zero = x * p;

    /* erfc(x) = exp(-x^2) / x * P(1 / x^2), one P for 1..2 and one above. */
    Vec4 q = vec_splat(1.0f) / vec_max(size, vec_splat(1.0f));
    Vec4 y = q * q;
    Vec4 middle = vec_splat(2.326819970068386e-2f);
    middle = middle * y + vec_splat(-1.387039388740657e-1f);
    middle = middle * y + vec_splat(3.687424674597105e-1f);
    middle = middle * y + vec_splat(-5.824733027278666e-1f);
    middle = middle * y + vec_splat(6.210004621745983e-1f);
    middle = middle * y + vec_splat(-4.944515323274145e-1f);
    middle = middle * y + vec_splat(3.404879937665872e-1f);
    middle = middle * y + vec_splat(-2.741127028184656e-1f);
    middle = middle * y + vec_splat(5.638259427386472e-1f);
    Vec4 outer = vec_splat(-1.047766399936249e+1f);
    outer = outer * y + vec_splat(1.297719955372516e+1f);
    outer = outer * y + vec_splat(-7.495518717768503e+0f);
    outer = outer * y + vec_splat(2.921019019210786e+0f);
    outer = outer * y + vec_splat(-1.015265279202700e+0f);
    outer = outer * y + vec_splat(4.218463358204948e-1f);
    outer = outer * y + vec_splat(-2.820767439740514e-1f);
    outer = outer * y + vec_splat(5.641895067754075e-1f);
    Vec4 tail = vec_select((Vec4Int)(size < vec_splat(2.0f)), middle, outer);
    Vec4 far = vec_splat(1.0f) - vec_exp(vec_splat(0.0f) - z) * q * tail;
    far = (Vec4)((Vec4Int)far | ((Vec4Int)x & (int32_t)0x80000000));
    return vec_select((Vec4Int)(size < vec_splat(1.0f)), near_zero, far);
}

/* The natural logarithm of one normal x > 0. Infinity and NaN stay what they are. */
static inline float vec_log_one(float x) {
    if (!(x < INFINITY))
        return x;
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    float e = (float)((bits >> 23) - 126);
    bits = (bits & 0x007fffff) | 0x3f000000;
    memcpy(&x, &bits, sizeof bits);
    if (x < 0.70710678f) {
        e = e - 1.0f;
        x = (x - 1.0f) + x;
    } else {
        x = x - 1.0f;
    }
    float z = x * x;
    float y = 7.0376836292e-2f;
    y = y * x + -1.1514610310e-1f;
    y = y * x + 1.1676998740e-1f;
    y = y * x + -1.2420140846e-1f;
    y = y * x + 1.4249322787e-1f;
    y = y * x + -1.6668057665e-1f;
    y = y * x + 2.0000714765e-1f;
    y = y * x + -2.4999993993e-1f;
    y = y * x + 3.3333331174e-1f;
    y = y * x * z;
    y = y + e * -2.12194440e-4f;
    y = y - z * 0.5f;
    return x + y + e * 0.693359375f;
}

#endif
