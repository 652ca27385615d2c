/*
 * Table look-up, as torch.nn.Embedding: out_n = weight[token_n].
 *
 * Shapes: tokens (N), each in 0 .. V - 1; weight (V, D); out (N, D).
 */
#ifndef ATTN_OPS_EMBEDDING_H
#define ATTN_OPS_EMBEDDING_H

#include <stdint.h>

void embedding_forward(float *out, const int32_t *tokens, const float *weight, int N, int D);

/* Adds to grad_weight (V, D): every token adds its row of grad_out (N, D) to its symbol's. */
void embedding_backward(float *grad_weight, const float *grad_out, const int32_t *tokens, int N,
                        int D);

#endif
