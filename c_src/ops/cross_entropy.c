#include "ops/cross_entropy.h"

#include <stddef.h>

#include "core/vec.h"
#include "ops/softmax.h"

double cross_entropy_forward(float *probs, const float *logits, const int32_t *targets, int N,
                             int V) {
    double sum_of_losses = 0.0;
    for (int n = 0; n < N; n++) {
        const float *logits_n = logits + (size_t)n * (size_t)V;
        float *probs_n = probs + (size_t)n * (size_t)V;
        float largest = softmax_largest(logits_n, V);
        float target_logit = logits_n[targets[n]];
        float sum = softmax_exponentials(probs_n, logits_n, largest, V);
        /* log(sum) + largest first would lose the small losses of a trained network. */
        sum_of_losses += (double)(vec_log_one(sum) - (target_logit - largest));
        for (int v = 0; v < V; v++)
            probs_n[v] /= sum;
    }
    return sum_of_losses;
}

/*
 * d loss_n / d logits_n = p_n - one_hot(target_n): the exponentials of softmax and the logarithm
 * cancel, which is why the two are one operation.
 */
void cross_entropy_backward(float *grad_logits, const float *probs, const int32_t *targets,
                            float scale, int N, int V) {
    for (int n = 0; n < N; n++) {
        const float *probs_n = probs + (size_t)n * (size_t)V;
        float *grad_n = grad_logits + (size_t)n * (size_t)V;
        for (int v = 0; v < V; v++) {
            grad_n[v] = (probs_n[v] - (v == targets[n] ? 1.0f : 0.0f)) * scale;
        }
    }
}
