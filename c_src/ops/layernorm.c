#include "ops/layernorm.h"

#include <math.h>
#include <stddef.h>

#include "core/vec.h"

static float row_mean(const float *x, int D) {
    Vec4 sum = vec_splat(0.0f);
    int d = 0;
    for (; d + VEC_LANES <= D; d += VEC_LANES)
        sum = sum + vec_load(x + d);
    if (d < D)
        sum = sum + vec_load_part(x + d, D - d, 0.0f);
    return vec_sum(sum) / (float)D;
}

/* The mean is subtracted before squaring: E[x^2] - mean^2 would cancel for rows far from 0. */
static float row_variance(const float *x, float mean, int D) {
    Vec4 sum = vec_splat(0.0f);
    Vec4 center = vec_splat(mean);
    int d = 0;
    for (; d + VEC_LANES <= D; d += VEC_LANES) {
        Vec4 distance = vec_load(x + d) - center;
        sum = sum + distance * distance;
    }
    if (d < D) {
        Vec4 distance = vec_load_part(x + d, D - d, mean) - center;
        sum = sum + distance * distance;
    }
    return vec_sum(sum) / (float)D;
}

void layernorm_forward(float *out, float *mean, float *rstd, const float *x, const float *gain,
                       const float *bias, int N, int D) {
    for (int n = 0; n < N; n++) {
        const float *x_n = x + (size_t)n * (size_t)D;
        float *out_n = out + (size_t)n * (size_t)D;
        float mean_n = row_mean(x_n, D);
        float rstd_n = 1.0f / sqrtf(row_variance(x_n, mean_n, D) + LAYERNORM_EPS);
        for (int d = 0; d < D; d++)
            out_n[d] = (x_n[d] - mean_n) * rstd_n * gain[d] + bias[d];
        mean[n] = mean_n;
        rstd[n] = rstd_n;
    }
}

/*
 * With h = (x - mean) * rstd and g = grad_out * gain, the gradient of a row is
 *     grad_x = rstd * (g - mean(g) - h * mean(g * h))
 * where the two means carry the dependence of mean and rstd on x.
 */
void layernorm_backward(float *grad_x, float *grad_gain, float *grad_bias, const float *grad_out,
                        const float *x, const float *mean, const float *rstd, const float *gain,
                        int N, int D) {
    for (int n = 0; n < N; n++) {
        const float *x_n = x + (size_t)n * (size_t)D;
        const float *grad_out_n = grad_out + (size_t)n * (size_t)D;
        float *grad_x_n = grad_x + (size_t)n * (size_t)D;
        Vec4 mean_n = vec_splat(mean[n]);
        Vec4 rstd_n = vec_splat(rstd[n]);

        Vec4 sum_g = vec_splat(0.0f);
        Vec4 sum_gh = vec_splat(0.0f);
        int d = 0;
        for (; d + VEC_LANES <= D; d += VEC_LANES) {
            Vec4 h = (vec_load(x_n + d) - mean_n) * rstd_n;
            Vec4 grad = vec_load(grad_out_n + d);
            Vec4 g = grad * vec_load(gain + d);
            sum_g = sum_g + g;
            sum_gh = sum_gh + g * h;
            vec_store(grad_gain + d, vec_load(grad_gain + d) + grad * h);
            vec_store(grad_bias + d, vec_load(grad_bias + d) + grad);
        }
        float rest_g = 0.0f;
        float rest_gh = 0.0f;
        for (; d < D; d++) {
            float h = (x_n[d] - mean[n]) * rstd[n];
            float g = grad_out_n[d] * gain[d];
            rest_g += g;
            rest_gh += g * h;
            grad_gain[d] += grad_out_n[d] * h;
            grad_bias[d] += grad_out_n[d];
        }
        float mean_g = (vec_sum(sum_g) + rest_g) / (float)D;
        float mean_gh = (vec_sum(sum_gh) + rest_gh) / (float)D;

        for (d = 0; d < D; d++) {
            float h = (x_n[d] - mean[n]) * rstd[n];
            grad_x_n[d] = rstd[n] * (grad_out_n[d] * gain[d] - mean_g - h * mean_gh);
        }
    }
}
