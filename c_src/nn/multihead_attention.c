#include "nn/multihead_attention.h"

#include <string.h>

#include "nn/init.h"
#include "ops/attention.h"
#include "ops/linear.h"

void multihead_attention_define(MultiheadAttention *module, ParameterTable *table,
                                const char *prefix) {
    const int D = module->d_model;
    module->in_proj_weight = params_add_matrix(table, prefix, "in_proj_weight", 3 * D, D);
    module->in_proj_bias = params_add_vector(table, prefix, "in_proj_bias", 3 * D);
    module->out_proj_weight = params_add_matrix(table, prefix, "out_proj.weight", D, D);
    module->out_proj_bias = params_add_vector(table, prefix, "out_proj.bias", D);
}

void multihead_attention_init(const MultiheadAttention *module, Rng *rng) {
    init_linear(module->out_proj_weight, module->out_proj_bias, rng);
    init_xavier_uniform(module->in_proj_weight, rng);
    init_zero(module->in_proj_bias);
    init_zero(module->out_proj_bias);
}

void multihead_attention_layout(MultiheadAttentionActivations *acts, Arena *arena,
                                const MultiheadAttention *module, int B, bool keep_scores) {
    size_t n_tokens = (size_t)B * (size_t)module->seq_len;
    size_t d_model = (size_t)module->d_model;
    size_t n_weights = n_tokens * (size_t)module->n_heads * (size_t)module->seq_len;
    acts->qkv = ARENA_FLOATS(arena, n_tokens * 3 * d_model);
    acts->scores = keep_scores ? ARENA_FLOATS(arena, n_weights) : NULL;
    acts->weights = ARENA_FLOATS(arena, n_weights);
    acts->heads = ARENA_FLOATS(arena, n_tokens * d_model);
    acts->out = ARENA_FLOATS(arena, n_tokens * d_model);
}

static AttentionShape head_shape(const MultiheadAttention *module) {
    const int D = module->d_model;
    const int d_k = D / module->n_heads;
    return (AttentionShape){.Q = module->seq_len,
                            .T = module->seq_len,
                            .D = d_k,
                            .E = d_k,
                            .query_row = 3 * D,
                            .key_row = 3 * D,
                            .value_row = 3 * D,
                            .out_row = D,
                            .scale = module->scale,
                            .causal = module->causal};
}

size_t multihead_attention_scratch_size(const MultiheadAttention *module) {
    const int d_k = module->d_model / module->n_heads;
    size_t attention = (size_t)attention_scratch_size(module->seq_len, module->seq_len, d_k, d_k);
    size_t projection = (size_t)module->d_model * 3 * (size_t)module->d_model;
    return attention > projection ? attention : projection;
}

/* Zeroes the columns of the muted heads in rows (N, D). */
static void mute(const MultiheadAttention *module, float *rows, int N) {
    const int D = module->d_model, d_k = D / module->n_heads;
    for (int h = 0; h < module->n_heads && module->muted != 0; h++) {
        if (((module->muted >> h) & 1u) == 0)
            continue;
        for (int n = 0; n < N; n++) {
            memset(rows + (size_t)n * (size_t)D + h * d_k, 0, (size_t)d_k * sizeof *rows);
        }
    }
}

void multihead_attention_forward(const MultiheadAttention *module,
                                 MultiheadAttentionActivations *acts, float *scratch,
                                 const float *x, int B) {
    const int T = module->seq_len, D = module->d_model, H = module->n_heads;
    const int d_k = D / H;
    const AttentionShape shape = head_shape(module);

    linear_forward(acts->qkv, scratch, x, module->in_proj_weight->value,
                   module->in_proj_bias->value, B * T, D, 3 * D);
    for (int b = 0; b < B; b++) {
        const float *qkv_b = acts->qkv + (size_t)b * (size_t)(T * 3 * D);
        float *heads_b = acts->heads + (size_t)b * (size_t)(T * D);
        for (int h = 0; h < H; h++) {
            size_t map = (size_t)(b * H + h) * (size_t)(T * T);
            attention_forward(heads_b + h * d_k, acts->weights + map,
                              acts->scores == NULL ? NULL : acts->scores + map, scratch,
                              qkv_b + h * d_k, qkv_b + D + h * d_k, qkv_b + 2 * D + h * d_k,
                              &shape);
        }
    }
    mute(module, acts->heads, B * T);
    linear_forward(acts->out, scratch, acts->heads, module->out_proj_weight->value,
                   module->out_proj_bias->value, B * T, D, D);
}

void multihead_attention_backward(const MultiheadAttention *module,
                                  const MultiheadAttentionActivations *acts, float *grad_x,
                                  float *grad_heads, float *grad_qkv, float *scratch,
                                  const float *grad_out, const float *x, int B) {
    const int T = module->seq_len, D = module->d_model, H = module->n_heads;
    const int d_k = D / H;
    const AttentionShape shape = head_shape(module);

    linear_backward(grad_heads, module->out_proj_weight->grad, module->out_proj_bias->grad,
                    grad_out, acts->heads, module->out_proj_weight->value, B * T, D, D);
    mute(module, grad_heads, B * T);
    for (int b = 0; b < B; b++) {
        const float *qkv_b = acts->qkv + (size_t)b * (size_t)(T * 3 * D);
        float *grad_qkv_b = grad_qkv + (size_t)b * (size_t)(T * 3 * D);
        const float *grad_heads_b = grad_heads + (size_t)b * (size_t)(T * D);
        for (int h = 0; h < H; h++) {
            const float *weights_bh = acts->weights + (size_t)(b * H + h) * (size_t)(T * T);
            const int q = h * d_k, k = D + h * d_k, v = 2 * D + h * d_k;
            attention_backward(grad_qkv_b + q, grad_qkv_b + k, grad_qkv_b + v, scratch,
                               grad_heads_b + h * d_k, weights_bh, qkv_b + q, qkv_b + k, qkv_b + v,
                               &shape);
        }
    }
    linear_backward(grad_x, module->in_proj_weight->grad, module->in_proj_bias->grad, grad_qkv, x,
                    module->in_proj_weight->value, B * T, D, 3 * D);
}

void multihead_attention_show(const MultiheadAttention *module,
                              const MultiheadAttentionActivations *acts, const char *prefix, int B,
                              const TensorSink *sink) {
    const int T = module->seq_len, D = module->d_model, H = module->n_heads;
    tensor_show(sink, prefix, ".qkv", acts->qkv, 3, (int[]){B, T, 3 * D});
    if (acts->scores != NULL) {
        tensor_show(sink, prefix, ".scores", acts->scores, 4, (int[]){B, H, T, T});
    }
    tensor_show(sink, prefix, ".weights", acts->weights, 4, (int[]){B, H, T, T});
    tensor_show(sink, prefix, ".heads", acts->heads, 3, (int[]){B, T, D});
    tensor_show(sink, prefix, "", acts->out, 3, (int[]){B, T, D});
}
