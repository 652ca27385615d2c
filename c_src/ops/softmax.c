#include "ops/softmax.h"

#include <math.h>

#include "core/vec.h"

float softmax_largest(const float *x, int n) {
    Vec4 largest = vec_splat(-INFINITY);
    int i = 0;
    for (; i + VEC_LANES <= n; i += VEC_LANES)
        largest = vec_max(vec_load(x + i), largest);
    if (i < n)
        largest = vec_max(vec_load_part(x + i, n - i, -INFINITY), largest);
    return vec_largest(largest);
}

float softmax_exponentials(float *out, const float *x, float largest, int n) {
    Vec4 shift = vec_splat(largest);
    Vec4 sum = vec_splat(0.0f);
    int i = 0;
    for (; i + VEC_LANES <= n; i += VEC_LANES) {
        Vec4 e = vec_exp(vec_load(x + i) - shift);
        vec_store(out + i, e);
        sum = sum + e;
    }
    if (i < n) {
        Vec4 e = vec_exp(vec_load_part(x + i, n - i, -INFINITY) - shift);
        vec_store_part(out + i, e, n - i);
        sum = sum + e;
    }
    return vec_sum(sum);
}

void softmax_forward(float *out, const float *x, int n) {
    float sum = softmax_exponentials(out, x, softmax_largest(x, n), n);
    for (int i = 0; i < n; i++)
        out[i] /= sum;
}

void softmax_backward(float *grad_x, const float *grad_out, const float *probs, int n) {
    Vec4 products = vec_splat(0.0f);
    int i = 0;
    for (; i + VEC_LANES <= n; i += VEC_LANES) {
        products = products + vec_load(grad_out + i) * vec_load(probs + i);
    }
    if (i < n) {
        products = products +
                   vec_load_part(grad_out + i, n - i, 0.0f) * vec_load_part(probs + i, n - i, 0.0f);
    }
    float mean = vec_sum(products);
    for (i = 0; i < n; i++)
        grad_x[i] = probs[i] * (grad_out[i] - mean);
}
