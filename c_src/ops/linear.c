#include "ops/linear.h"

#include <stddef.h>

#include "core/vec.h"
#include "ops/gemm.h"

void linear_forward(float *out, float *scratch, const float *x, const float *weight,
                    const float *bias, int N, int D, int K) {
    transpose(scratch, weight, D, K, D);
    gemm(out, K, bias, 0, x, D, 1, scratch, K, N, K, D);
}

/*
 * With G = grad_out:  grad_x = G weight,  grad_weight = G^T x,  grad_bias = the sum of G's rows.
 */
void linear_backward(float *grad_x, float *grad_weight, float *grad_bias, const float *grad_out,
                     const float *x, const float *weight, int N, int D, int K) {
    if (grad_x != NULL)
        gemm(grad_x, D, NULL, 0, grad_out, K, 1, weight, D, N, D, K);
    gemm(grad_weight, D, grad_weight, D, grad_out, 1, K, x, D, K, D, N);
    for (int n = 0; n < N; n++) {
        const float *grad_out_n = grad_out + (size_t)n * (size_t)K;
        int k = 0;
        for (; k + VEC_LANES <= K; k += VEC_LANES) {
            vec_store(grad_bias + k, vec_load(grad_bias + k) + vec_load(grad_out_n + k));
        }
        for (; k < K; k++)
            grad_bias[k] += grad_out_n[k];
    }
}
