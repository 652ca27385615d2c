#include "ops/embedding.h"

#include <stddef.h>
#include <string.h>

void embedding_forward(float *out, const int32_t *tokens, const float *weight, int N, int D) {
    for (int n = 0; n < N; n++) {
        memcpy(out + (size_t)n * (size_t)D, weight + (size_t)tokens[n] * (size_t)D,
               (size_t)D * sizeof(float));
    }
}

void embedding_backward(float *grad_weight, const float *grad_out, const int32_t *tokens, int N,
                        int D) {
    for (int n = 0; n < N; n++) {
        const float *grad_out_n = grad_out + (size_t)n * (size_t)D;
        float *grad_weight_n = grad_weight + (size_t)tokens[n] * (size_t)D;
        for (int d = 0; d < D; d++)
            grad_weight_n[d] += grad_out_n[d];
    }
}
