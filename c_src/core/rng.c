#include "core/rng.h"

#include <math.h>
#include <string.h>

#include "core/real.h"

#define RNG_SHIFT 397
#define NORMAL_BLOCK 16
#define PI 3.14159265358979323846

void rng_seed(Rng *rng, uint32_t seed) {
    rng->state[0] = seed;
    for (uint32_t j = 1; j < RNG_STATE_SIZE; j++) {
        uint32_t before = rng->state[j - 1];
        rng->state[j] = 1812433253u * (before ^ (before >> 30)) + j;
    }
    rng->index = RNG_STATE_SIZE;
    rng->kept = false;
    rng->kept_normal = 0.0;
}

static uint32_t twist(uint32_t far, uint32_t here, uint32_t next) {
    uint32_t y = (here & 0x80000000u) | (next & 0x7fffffffu);
    return far ^ (y >> 1) ^ ((y & 1u) ? 0x9908b0dfu : 0u);
}

static void renew_state(Rng *rng) {
    uint32_t *s = rng->state;
    int k = 0;
    for (; k < RNG_STATE_SIZE - RNG_SHIFT; k++)
        s[k] = twist(s[k + RNG_SHIFT], s[k], s[k + 1]);
    for (; k < RNG_STATE_SIZE - 1; k++) {
        s[k] = twist(s[k + RNG_SHIFT - RNG_STATE_SIZE], s[k], s[k + 1]);
    }
    s[k] = twist(s[RNG_SHIFT - 1], s[k], s[0]);
    rng->index = 0;
}

uint32_t rng_u32(Rng *rng) {
    if (rng->index == RNG_STATE_SIZE)
        renew_state(rng);
    uint32_t y = rng->state[rng->index++];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
}

void rng_skip(Rng *rng, uint64_t n) {
    while (n > 0) {
        if (rng->index == RNG_STATE_SIZE)
            renew_state(rng);
        uint64_t left = (uint64_t)(RNG_STATE_SIZE - rng->index);
        uint64_t step = n < left ? n : left;
        rng->index += (int)step;
        n -= step;
    }
}

/* PyTorch draws the high half of 64 bits first. */
static uint64_t draw_u64(Rng *rng) {
    uint64_t high = rng_u32(rng);
    return high << 32 | rng_u32(rng);
}

static float draw_unit_float(Rng *rng) { return (float)(rng_u32(rng) & 0xffffffu) * 0x1p-24f; }

static double draw_unit_double(Rng *rng) {
    return (double)(draw_u64(rng) & ((UINT64_C(1) << 53) - 1)) * 0x1p-53;
}

/*
 * A fused multiply-add in float: the product is exact in double, so only the sum is rounded
 * twice. WebAssembly has no fused operation, and every target must give the same bits.
 */
static float fused(float a, float b, float c) { return (float)((double)a * (double)b + (double)c); }

void rng_rand(Rng *rng, float *values, size_t n) {
    for (size_t i = 0; i < n; i++)
        values[i] = draw_unit_float(rng);
}

void rng_uniform(Rng *rng, double low, double high, float *values, size_t n) {
    float from = (float)low;
    float range = (float)high - from;
    for (size_t i = 0; i < n; i++)
        values[i] = fused(draw_unit_float(rng), range, from);
}

void rng_randint(Rng *rng, int32_t low, int32_t high, int32_t *values, size_t n) {
    uint32_t range = (uint32_t)high - (uint32_t)low;
    for (size_t i = 0; i < n; i++)
        values[i] = (int32_t)((uint32_t)low + rng_u32(rng) % range);
}

/* Box-Muller in double; the sine of a pair waits for the next call. */
static double draw_normal(Rng *rng) {
    if (rng->kept) {
        rng->kept = false;
        return rng->kept_normal;
    }
    double u1 = draw_unit_double(rng);
    double u2 = draw_unit_double(rng);
    double radius = sqrt(-2.0 * real_log(1.0 - u2)); /* 1 - u2 is exact */
    double sine, cosine;
    real_sin_cos(2.0 * PI * u1, &sine, &cosine);
    rng->kept_normal = radius * sine;
    rng->kept = true;
    return radius * cosine;
}

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The float logarithm of PyTorch's vector code (Cephes), for 0 < x <= 1. */
static float log_unit(float x) {
    static const float COEFFICIENTS[] = {-1.1514610310e-1f, 1.1676998740e-1f,  -1.2420140846e-1f,
                                         1.4249322787e-1f,  -1.6668057665e-1f, 2.0000714765e-1f,
                                         -2.4999993993e-1f, 3.3333331174e-1f};
    uint32_t bits = bits_of(x);
    float e = (float)((int)(bits >> 23) - 126);
    x = float_of((bits & 0x807fffffu) | 0x3f000000u);
    if (x < 0.70710678f) {
        float mantissa = x;
        e = e - 1.0f;
        x = mantissa - 1.0f;
        x = x + mantissa;
    } else {
        x = x - 1.0f;
    }
    float z = x * x;
    float y = 7.0376836292e-2f;
    for (size_t i = 0; i < sizeof COEFFICIENTS / sizeof *COEFFICIENTS; i++) {
        y = fused(y, x, COEFFICIENTS[i]);
    }
    y = y * x;
    y = fused(y, z, e * -2.12194440e-4f);
    y = fused(-z, 0.5f, y);
    x = x + y;
    return fused(e, 0.693359375f, x);
}

/* Sine and cosine of PyTorch's vector code (Cephes) together, for theta >= 0. */
static void sin_cos(float theta, float *sine, float *cosine) {
    int j = (int)(theta * 1.27323954473516f);
    j = (j + 1) & ~1;
    float y = (float)j;
    uint32_t sin_sign = (j & 4) ? 0x80000000u : 0u;
    uint32_t cos_sign = ((j - 2) & 4) ? 0u : 0x80000000u;
    bool swap = (j & 2) != 0;

    float x = theta;
    x = fused(y, -0.78515625f, x);
    x = fused(y, -2.4187564849853515625e-4f, x);
    x = fused(y, -3.77489497744594108e-8f, x);
    float z = x * x;

    float c = 2.443315711809948e-5f;
    c = fused(c, z, -1.388731625493765e-3f);
    c = fused(c, z, 4.166664568298827e-2f);
    c = c * z;
    c = fused(c, z, -(z * 0.5f));
    c = c + 1.0f;

    float s = -1.9515295891e-4f;
    s = fused(s, z, 8.3321608736e-3f);
    s = fused(s, z, -1.6666654611e-1f);
    s = s * z;
    s = fused(s, x, x);

    *sine = float_of(bits_of(swap ? c : s) ^ sin_sign);
    *cosine = float_of(bits_of(swap ? s : c) ^ cos_sign);
}

/* Turns 16 uniforms into 16 normals: value j and j + 8 are one Box-Muller pair. */
static void box_muller_block(float *values) {
    for (int j = 0; j < NORMAL_BLOCK / 2; j++) {
        float u1 = 1.0f - values[j];
        float u2 = values[j + 8];
        float radius = sqrtf(-2.0f * log_unit(u1));
        float theta = 6.2831855f * u2;
        float sine, cosine;
        sin_cos(theta, &sine, &cosine);
        values[j] = radius * cosine;
        values[j + 8] = radius * sine;
    }
}

void rng_randn(Rng *rng, float *values, size_t n) {
    if (n < NORMAL_BLOCK) {
        for (size_t i = 0; i < n; i++)
            values[i] = (float)draw_normal(rng);
        return;
    }
    rng_rand(rng, values, n);
    for (size_t i = 0; i + NORMAL_BLOCK <= n; i += NORMAL_BLOCK)
        box_muller_block(values + i);
    if (n % NORMAL_BLOCK != 0) {
        /* PyTorch draws the last 16 places again, those already done included. */
        float *last = values + n - NORMAL_BLOCK;
        rng_rand(rng, last, NORMAL_BLOCK);
        box_muller_block(last);
    }
}
