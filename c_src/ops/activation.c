#include "ops/activation.h"

#include "core/vec.h"

#define SQRT_HALF 0.70710678118654752f
#define SQRT_2_OVER_PI 0.79788456080286536f
#define INVERSE_SQRT_2_PI 0.39894228040143268f
#define GELU_CUBIC 0.044715f

static Vec4 relu(Vec4 x) {
    /* Written so that NaN passes through, as in PyTorch: a diverged run must look diverged. */
    return vec_select((Vec4Int)(x < vec_splat(0.0f)), vec_splat(0.0f), x);
}

static Vec4 relu_slope(Vec4 x) {
    return vec_select((Vec4Int)(x > vec_splat(0.0f)), vec_splat(1.0f), vec_splat(0.0f));
}

static Vec4 normal_cdf(Vec4 x) {
    return vec_splat(0.5f) * (vec_splat(1.0f) + vec_erf(x * vec_splat(SQRT_HALF)));
}

static Vec4 gelu(Vec4 x) { return x * normal_cdf(x); }

/* d/dx x Phi(x) = Phi(x) + x phi(x), phi the normal density. */
static Vec4 gelu_slope(Vec4 x) {
    Vec4 density = vec_splat(INVERSE_SQRT_2_PI) * vec_exp(vec_splat(-0.5f) * x * x);
    return normal_cdf(x) + x * density;
}

static Vec4 gelu_tanh_inner(Vec4 x) {
    return vec_tanh(vec_splat(SQRT_2_OVER_PI) * (x + vec_splat(GELU_CUBIC) * x * x * x));
}

static Vec4 gelu_tanh(Vec4 x) {
    return vec_splat(0.5f) * x * (vec_splat(1.0f) + gelu_tanh_inner(x));
}

/*
 * With t = tanh(u): (1 + t) / 2 + x (1 - t^2) / 2 du/dx. Far from 0, where t is 1 or -1, x is held
 * back so that x^2 does not overflow and 0 times infinity come out as NaN.
 */
static Vec4 gelu_tanh_slope(Vec4 x) {
    const Vec4 far = vec_splat(100.0f);
    Vec4 t = gelu_tanh_inner(x);
    Vec4 near = vec_select((Vec4Int)(vec_abs(x) > far), far, x);
    Vec4 inner_slope =
        vec_splat(SQRT_2_OVER_PI) * (vec_splat(1.0f) + vec_splat(3.0f * GELU_CUBIC) * near * near);
    return vec_splat(0.5f) * (vec_splat(1.0f) + t) +
           vec_splat(0.5f) * near * (vec_splat(1.0f) - t * t) * inner_slope;
}

static Vec4 value_at(Vec4 x, Activation activation) {
    if (activation == ACTIVATION_GELU)
        return gelu(x);
    return activation == ACTIVATION_GELU_TANH ? gelu_tanh(x) : relu(x);
}

static Vec4 slope_at(Vec4 x, Activation activation) {
    if (activation == ACTIVATION_GELU)
        return gelu_slope(x);
    return activation == ACTIVATION_GELU_TANH ? gelu_tanh_slope(x) : relu_slope(x);
}

void activation_forward(float *out, const float *x, Activation activation, int n) {
    int i = 0;
    for (; i + VEC_LANES <= n; i += VEC_LANES) {
        vec_store(out + i, value_at(vec_load(x + i), activation));
    }
    if (i < n) {
        vec_store_part(out + i, value_at(vec_load_part(x + i, n - i, 0.0f), activation), n - i);
    }
}

void activation_backward(float *grad_x, const float *grad_out, const float *x,
                         Activation activation, int n) {
    int i = 0;
    for (; i + VEC_LANES <= n; i += VEC_LANES) {
        vec_store(grad_x + i, vec_load(grad_out + i) * slope_at(vec_load(x + i), activation));
    }
    if (i < n) {
        int left = n - i;
        Vec4 grad = vec_load_part(grad_out + i, left, 0.0f) *
                    slope_at(vec_load_part(x + i, left, 0.0f), activation);
        vec_store_part(grad_x + i, grad, left);
    }
}
