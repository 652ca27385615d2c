/*
 * Scaled dot-product attention of one head of one sequence (Vaswani et al. 2017, eq. 1;
 * torch.nn.functional.scaled_dot_product_attention):
 *
 *     scores = scale * query key^T;   weights = softmax(scores), row by row;   out = weights value
 *
 * With `causal`, query i sees the keys 0..i; the weights it may not see are exactly 0.
 *
 * Shapes: query (Q, D), key (T, D), value (T, E), out (Q, E), weights and scores (Q, T), dense.
 * Axes: Q queries, T keys, D the width of query and key (d_k), E that of value. query, key, value
 * and out are slices of wider rows: *_row floats lie between two of their rows.
 */
#ifndef ATTN_OPS_ATTENTION_H
#define ATTN_OPS_ATTENTION_H

#include <stdbool.h>

typedef struct {
    int Q, T, D, E;
    int query_row, key_row, value_row, out_row;
    float scale;
    bool causal;
} AttentionShape;

/* Floats of scratch that forward and backward need. */
int attention_scratch_size(int Q, int T, int D, int E);

/*
 * Overwrites out and weights (kept for backward). scores may be NULL; otherwise it receives the
 * scores before softmax, -infinity where the mask hides.
 */
void attention_forward(float *out, float *weights, float *scores, float *scratch,
                       const float *query, const float *key, const float *value,
                       const AttentionShape *shape);

/*
 * Overwrites grad_query, grad_key and grad_value, laid out with the strides of query, key and
 * value; grad_out has out_row floats between rows.
 */
void attention_backward(float *grad_query, float *grad_key, float *grad_value, float *scratch,
                        const float *grad_out, const float *weights, const float *query,
                        const float *key, const float *value, const AttentionShape *shape);

#endif
