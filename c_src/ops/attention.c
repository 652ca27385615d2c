#include "ops/attention.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "ops/gemm.h"
#include "ops/softmax.h"

int attention_scratch_size(int Q, int T, int D, int E) {
    int widest = D > E ? D : E;
    return Q * T + widest * T;
}

/* How many keys query i may see. */
static int visible_keys(const AttentionShape *shape, int i) {
    return shape->causal && i + 1 < shape->T ? i + 1 : shape->T;
}

void attention_forward(float *out, float *weights, float *scores, float *scratch,
                       const float *query, const float *key, const float *value,
                       const AttentionShape *shape) {
    const int Q = shape->Q, T = shape->T, D = shape->D, E = shape->E;

    /* Similarity of every query with every key. */
    float *key_columns = scratch;
    transpose(key_columns, key, shape->key_row, T, D);
    gemm(weights, T, NULL, 0, query, shape->query_row, 1, key_columns, T, Q, T, D);
    for (int i = 0; i < Q * T; i++)
        weights[i] *= shape->scale;

    /* Softmax over what the query may see; the rest is 0. */
    for (int i = 0; i < Q; i++) {
        float *weights_i = weights + i * T;
        int visible = visible_keys(shape, i);
        if (scores != NULL) {
            memcpy(scores + i * T, weights_i, (size_t)T * sizeof(float));
            for (int j = visible; j < T; j++)
                scores[i * T + j] = -INFINITY;
        }
        softmax_forward(weights_i, weights_i, visible);
        for (int j = visible; j < T; j++)
            weights_i[j] = 0.0f;
    }

    /* The weighted sum of the values. */
    gemm(out, shape->out_row, NULL, 0, weights, T, 1, value, shape->value_row, Q, E, T);
}

/*
 * With G = grad_out, A = weights and S = scores:
 *     grad_value = A^T G,   grad_A = G value^T,   grad_S = softmax_backward(grad_A, A),
 *     grad_query = scale * grad_S key,   grad_key = scale * grad_S^T query.
 * A masked weight is 0 and so is its grad_S.
 */
void attention_backward(float *grad_query, float *grad_key, float *grad_value, float *scratch,
                        const float *grad_out, const float *weights, const float *query,
                        const float *key, const float *value, const AttentionShape *shape) {
    const int Q = shape->Q, T = shape->T, D = shape->D, E = shape->E;
    float *grad_scores = scratch;
    float *value_columns = scratch + Q * T;

    gemm(grad_value, shape->value_row, NULL, 0, weights, 1, T, grad_out, shape->out_row, T, E, Q);

    transpose(value_columns, value, shape->value_row, T, E);
    gemm(grad_scores, T, NULL, 0, grad_out, shape->out_row, 1, value_columns, T, Q, T, E);
    for (int i = 0; i < Q; i++) {
        float *grad_scores_i = grad_scores + i * T;
        softmax_backward(grad_scores_i, grad_scores_i, weights + i * T, T);
        for (int j = 0; j < T; j++)
            grad_scores_i[j] *= shape->scale;
    }

    gemm(grad_query, shape->query_row, NULL, 0, grad_scores, T, 1, key, shape->key_row, Q, D, T);
    gemm(grad_key, shape->key_row, NULL, 0, grad_scores, 1, T, query, shape->query_row, T, D, Q);
}
