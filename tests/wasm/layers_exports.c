/*
 * The operations and layers of c_src as a WebAssembly module of their own, for layers.test.js: thin
 * exports over the headers, so that the goldens of single layers are checked in WebAssembly too.
 *
 * Every function overwrites all its outputs, gradients included. Sizes and order of arguments are
 * those of the headers; parameters of a layer cross as one block in the order of its state_dict.
 */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "nn/encoder_layer.h"
#include "nn/lstm.h"
#include "nn/multihead_attention.h"
#include "nn/params.h"
#include "ops/activation.h"
#include "ops/attention.h"
#include "ops/cross_entropy.h"
#include "ops/embedding.h"
#include "ops/layernorm.h"
#include "ops/linear.h"
#include "train/adam.h"

#if defined(__wasm__)
#define EXPORT(name) __attribute__((used, export_name(#name))) name

_Noreturn void __assert_fail(const char *condition, const char *file, int line,
                             const char *function) {
    (void)condition, (void)file, (void)line, (void)function;
    __builtin_trap();
}

void emscripten_notify_memory_growth(size_t index);
void emscripten_notify_memory_growth(size_t index) { (void)index; }
#else
#define EXPORT(name) name
#endif

#define MAX_LAYERS 2
#define MAX_DIRECTIONS 2

/* Room for the largest case; arena_take refuses to go beyond it. */
#define ARENA_BYTES ((size_t)1 << 20)

void *EXPORT(test_alloc)(size_t n_bytes);
void *EXPORT(test_alloc)(size_t n_bytes) { return malloc(n_bytes); }

static float *zeroed(float *values, int n) { return memset(values, 0, (size_t)n * sizeof *values); }

/* One head of one sequence, without and with its gradients. */
void EXPORT(test_attention)(float *out, float *weights, float *grad_query, float *grad_key,
                            float *grad_value, const float *grad_out, const float *query,
                            const float *key, const float *value, int Q, int T, int D, int E,
                            int causal);
void EXPORT(test_attention)(float *out, float *weights, float *grad_query, float *grad_key,
                            float *grad_value, const float *grad_out, const float *query,
                            const float *key, const float *value, int Q, int T, int D, int E,
                            int causal) {
    const AttentionShape shape = {.Q = Q,
                                  .T = T,
                                  .D = D,
                                  .E = E,
                                  .query_row = D,
                                  .key_row = D,
                                  .value_row = E,
                                  .out_row = E,
                                  .scale = (float)(1.0 / sqrt((double)D)),
                                  .causal = causal != 0};
    Arena arena = arena_create(ARENA_BYTES);
    float *scratch = ARENA_FLOATS(&arena, attention_scratch_size(Q, T, D, E));
    attention_forward(out, weights, NULL, scratch, query, key, value, &shape);
    attention_backward(grad_query, grad_key, grad_value, scratch, grad_out, weights, query, key,
                       value, &shape);
    arena_destroy(&arena);
}

void EXPORT(test_layernorm)(float *out, float *grad_x, float *grad_gain, float *grad_bias,
                            const float *grad_out, const float *x, const float *gain,
                            const float *bias, int N, int D);
void EXPORT(test_layernorm)(float *out, float *grad_x, float *grad_gain, float *grad_bias,
                            const float *grad_out, const float *x, const float *gain,
                            const float *bias, int N, int D) {
    Arena arena = arena_create(ARENA_BYTES);
    float *mean = ARENA_FLOATS(&arena, N), *rstd = ARENA_FLOATS(&arena, N);
    layernorm_forward(out, mean, rstd, x, gain, bias, N, D);
    layernorm_backward(grad_x, zeroed(grad_gain, D), zeroed(grad_bias, D), grad_out, x, mean, rstd,
                       gain, N, D);
    arena_destroy(&arena);
}

/* linear, activation, linear; the gradients of the parameters in the order w1 b1 w2 b2. */
void EXPORT(test_feed_forward)(float *out, float *grad_x, float *grad_params, const float *grad_out,
                               const float *x, const float *params, int N, int D, int F,
                               int activation);
void EXPORT(test_feed_forward)(float *out, float *grad_x, float *grad_params, const float *grad_out,
                               const float *x, const float *params, int N, int D, int F,
                               int activation) {
    Arena arena = arena_create(ARENA_BYTES);
    float *hidden = ARENA_FLOATS(&arena, N * F), *active = ARENA_FLOATS(&arena, N * F);
    float *grad_hidden = ARENA_FLOATS(&arena, N * F), *scratch = ARENA_FLOATS(&arena, D * F);
    const float *w1 = params, *b1 = w1 + F * D, *w2 = b1 + F, *b2 = w2 + D * F;
    float *grad_w1 = zeroed(grad_params, 2 * D * F + F + D);
    float *grad_b1 = grad_w1 + F * D, *grad_w2 = grad_b1 + F, *grad_b2 = grad_w2 + D * F;
    linear_forward(hidden, scratch, x, w1, b1, N, D, F);
    activation_forward(active, hidden, (Activation)activation, N * F);
    linear_forward(out, scratch, active, w2, b2, N, F, D);
    linear_backward(grad_hidden, grad_w2, grad_b2, grad_out, active, w2, N, F, D);
    activation_backward(grad_hidden, grad_hidden, hidden, (Activation)activation, N * F);
    linear_backward(grad_x, grad_w1, grad_b1, grad_hidden, x, w1, N, D, F);
    arena_destroy(&arena);
}

/* grad_x is the derivative of the curve: the gradient of the sum of all outputs. */
void EXPORT(test_activation)(float *out, float *grad_x, const float *x, int activation, int n);
void EXPORT(test_activation)(float *out, float *grad_x, const float *x, int activation, int n) {
    for (int i = 0; i < n; i++)
        grad_x[i] = 1;
    activation_forward(out, x, (Activation)activation, n);
    activation_backward(grad_x, grad_x, x, (Activation)activation, n);
}

/* Returns the mean loss. */
double EXPORT(test_cross_entropy)(float *probs, float *grad_logits, const float *logits,
                                  const int32_t *targets, int N, int V);
double EXPORT(test_cross_entropy)(float *probs, float *grad_logits, const float *logits,
                                  const int32_t *targets, int N, int V) {
    double sum = cross_entropy_forward(probs, logits, targets, N, V);
    cross_entropy_backward(grad_logits, probs, targets, 1.0f / (float)N, N, V);
    return sum / N;
}

void EXPORT(test_embedding)(float *out, float *grad_weight, const float *grad_out,
                            const int32_t *tokens, const float *weight, int N, int V, int D);
void EXPORT(test_embedding)(float *out, float *grad_weight, const float *grad_out,
                            const int32_t *tokens, const float *weight, int N, int V, int D) {
    embedding_forward(out, tokens, weight, N, D);
    embedding_backward(zeroed(grad_weight, V * D), grad_out, tokens, N, D);
}

/* n_steps updates of values (n) from grads (n_steps, n); values, m, v are left as after the last.
 */
void EXPORT(test_adam)(float *values, float *m, float *v, const float *grads, int n, int n_steps,
                       float learning_rate);
void EXPORT(test_adam)(float *values, float *m, float *v, const float *grads, int n, int n_steps,
                       float learning_rate) {
    Arena arena = arena_create(ARENA_BYTES);
    Adam adam;
    adam_layout(&adam, &arena, (size_t)n);
    for (int step = 0; step < n_steps; step++) {
        adam_step(&adam, values, grads + step * n, learning_rate);
    }
    memcpy(m, adam.m, (size_t)n * sizeof *m);
    memcpy(v, adam.v, (size_t)n * sizeof *v);
    arena_destroy(&arena);
}

void EXPORT(test_multihead_attention)(float *out, float *weights, float *grad_x, float *grad_params,
                                      const float *grad_out, const float *x, const float *params,
                                      int B, int T, int D, int H, int causal);
void EXPORT(test_multihead_attention)(float *out, float *weights, float *grad_x, float *grad_params,
                                      const float *grad_out, const float *x, const float *params,
                                      int B, int T, int D, int H, int causal) {
    Arena arena = arena_create(ARENA_BYTES);
    ParameterTable *table = arena_take(&arena, 1, sizeof *table);
    MultiheadAttention module = {.seq_len = T,
                                 .d_model = D,
                                 .n_heads = H,
                                 .scale = (float)(1.0 / sqrt((double)D / H)),
                                 .causal = causal != 0};
    MultiheadAttentionActivations acts;
    multihead_attention_define(&module, table, "");
    params_layout(table, &arena);
    memcpy(table->values, params, table->n_values * sizeof *params);
    multihead_attention_layout(&acts, &arena, &module, B, true);
    float *scratch = ARENA_FLOATS(&arena, multihead_attention_scratch_size(&module));
    float *grad_heads = ARENA_FLOATS(&arena, B * T * D);
    float *grad_qkv = ARENA_FLOATS(&arena, B * T * 3 * D);

    multihead_attention_forward(&module, &acts, scratch, x, B);
    multihead_attention_backward(&module, &acts, grad_x, grad_heads, grad_qkv, scratch, grad_out, x,
                                 B);
    memcpy(out, acts.out, (size_t)(B * T * D) * sizeof *out);
    memcpy(weights, acts.weights, (size_t)(B * H * T * T) * sizeof *weights);
    memcpy(grad_params, table->grads, table->n_values * sizeof *grad_params);
    arena_destroy(&arena);
}

/* A stack of 1 or 2 encoder layers, then a layer norm where final_norm says so. */
void EXPORT(test_encoder)(float *out, float *grad_x, float *grad_params, const float *grad_out,
                          const float *x, const float *params, int B, int T, int D, int F, int H,
                          int norm_first, int activation, int causal, int n_layers, int final_norm);
void EXPORT(test_encoder)(float *out, float *grad_x, float *grad_params, const float *grad_out,
                          const float *x, const float *params, int B, int T, int D, int F, int H,
                          int norm_first, int activation, int causal, int n_layers,
                          int final_norm) {
    static const char *const PREFIXES[MAX_LAYERS] = {"layers.0.", "layers.1."};
    const int N = B * T;
    assert(n_layers >= 1 && n_layers <= MAX_LAYERS);
    Arena arena = arena_create(ARENA_BYTES);
    ParameterTable *table = arena_take(&arena, 1, sizeof *table);
    EncoderLayer layers[MAX_LAYERS];
    EncoderLayerActivations acts[MAX_LAYERS];
    const float *inputs[MAX_LAYERS] = {x};
    EncoderLayerWorkspace work;
    for (int l = 0; l < n_layers; l++) {
        layers[l] = (EncoderLayer){.attention = {.seq_len = T,
                                                 .d_model = D,
                                                 .n_heads = H,
                                                 .scale = (float)(1.0 / sqrt((double)D / H)),
                                                 .causal = causal != 0},
                                   .d_ff = F,
                                   .norm_first = norm_first != 0,
                                   .activation = (Activation)activation,
                                   .names = &ENCODER_LAYER_PYTORCH_NAMES};
        strcpy(layers[l].prefix, PREFIXES[l]);
        encoder_layer_define(&layers[l], table);
    }
    Parameter *gain = NULL, *bias = NULL;
    if (final_norm) {
        gain = params_add_vector(table, "norm.", "weight", D);
        bias = params_add_vector(table, "norm.", "bias", D);
    }
    params_layout(table, &arena);
    memcpy(table->values, params, table->n_values * sizeof *params);
    for (int l = 0; l < n_layers; l++)
        encoder_layer_layout(&acts[l], &arena, &layers[l], B, true);
    encoder_layer_workspace_layout(&work, &arena, &layers[0], B);
    float *scratch = ARENA_FLOATS(&arena, encoder_layer_scratch_size(&layers[0]));
    float *mean = ARENA_FLOATS(&arena, N), *rstd = ARENA_FLOATS(&arena, N);

    const float *h = x;
    for (int l = 0; l < n_layers; l++) {
        inputs[l] = h;
        encoder_layer_forward(&layers[l], &acts[l], scratch, h, B);
        h = acts[l].out;
    }
    memcpy(out, h, (size_t)(N * D) * sizeof *out);
    memcpy(grad_x, grad_out, (size_t)(N * D) * sizeof *grad_x);
    if (final_norm) {
        layernorm_forward(out, mean, rstd, h, gain->value, bias->value, N, D);
        layernorm_backward(grad_x, gain->grad, bias->grad, grad_out, h, mean, rstd, gain->value, N,
                           D);
    }
    for (int l = n_layers - 1; l >= 0; l--) {
        encoder_layer_backward(&layers[l], &acts[l], grad_x, &work, scratch, inputs[l], B);
    }
    memcpy(grad_params, table->grads, table->n_values * sizeof *grad_params);
    arena_destroy(&arena);
}

/*
 * One layer of one or two directions side by side, which end in the states h_n and c_n
 * (n_directions, B, H). grad_out holds the gradient of h_n at each direction's last place already.
 */
void EXPORT(test_lstm)(float *out, float *h_n, float *c_n, float *grad_x, float *grad_params,
                       const float *grad_out, const float *grad_c, const float *x,
                       const float *params, int B, int T, int D, int H, int n_directions);
void EXPORT(test_lstm)(float *out, float *h_n, float *c_n, float *grad_x, float *grad_params,
                       const float *grad_out, const float *grad_c, const float *x,
                       const float *params, int B, int T, int D, int H, int n_directions) {
    const int row = n_directions * H;
    assert(n_directions >= 1 && n_directions <= MAX_DIRECTIONS);
    Arena arena = arena_create(ARENA_BYTES);
    ParameterTable *table = arena_take(&arena, 1, sizeof *table);
    Lstm lstm[MAX_DIRECTIONS];
    LstmActivations acts[MAX_DIRECTIONS];
    LstmWorkspace work;
    for (int d = 0; d < n_directions; d++) {
        lstm[d] = (Lstm){.seq_len = T, .d_input = D, .d_hidden = H, .reverse = d == 1};
        lstm_define(&lstm[d], table, "");
    }
    params_layout(table, &arena);
    memcpy(table->values, params, table->n_values * sizeof *params);
    for (int d = 0; d < n_directions; d++)
        lstm_layout(&acts[d], &arena, &lstm[d], B);
    lstm_workspace_layout(&work, &arena, &lstm[0], B);
    float *scratch = ARENA_FLOATS(&arena, lstm_scratch_size(&lstm[0]));

    for (int d = 0; d < n_directions; d++)
        lstm_forward(&lstm[d], &acts[d], out + d * H, row, scratch, x, B);
    for (int d = 0; d < n_directions; d++) {
        const int last = lstm[d].reverse ? 0 : T - 1;
        for (int b = 0; b < B; b++) {
            const float *h_last = out + (b * T + last) * row + d * H;
            const float *c_last = acts[d].c + (b * T + last) * H;
            memcpy(h_n + (d * B + b) * H, h_last, (size_t)H * sizeof *h_n);
            memcpy(c_n + (d * B + b) * H, c_last, (size_t)H * sizeof *c_n);
        }
        lstm_backward(&lstm[d], &acts[d], grad_x, d == 1, &work, grad_out + d * H, row,
                      grad_c + d * B * H, x, B);
    }
    memcpy(grad_params, table->grads, table->n_values * sizeof *grad_params);
    arena_destroy(&arena);
}
