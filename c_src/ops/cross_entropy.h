/*
 * Softmax and mean cross entropy together, as torch.nn.functional.cross_entropy computes them:
 *
 *     loss_n = -log p_n[target_n],   p_n = softmax(logits_n)
 *
 * Shapes: logits (N, V), targets (N), each in 0 .. V - 1; N tokens, V symbols.
 */
#ifndef ATTN_OPS_CROSS_ENTROPY_H
#define ATTN_OPS_CROSS_ENTROPY_H

#include <stdint.h>

/* Overwrites probs (N, V), which may be logits; returns the SUM of the N losses, in nats. */
double cross_entropy_forward(float *probs, const float *logits, const int32_t *targets, int N,
                             int V);

/*
 * Overwrites grad_logits (N, V), which may be probs, with scale * (p - one_hot(target));
 * scale is 1 / (number of tokens in the mean).
 */
void cross_entropy_backward(float *grad_logits, const float *probs, const int32_t *targets,
                            float scale, int N, int V);

#endif
