#include "nn/encoder_layer.h"

#include <string.h>

#include "core/vec.h"
#include "nn/init.h"
#include "ops/layernorm.h"
#include "ops/linear.h"

const EncoderLayerNames ENCODER_LAYER_LESSON_NAMES = {"att", "ff.0", "ff.1", "ff.2", "n1", "n2"};
const EncoderLayerNames ENCODER_LAYER_PYTORCH_NAMES = {"self_attn", "linear1", "activation",
                                                       "linear2",   "norm1",   "norm2"};

/* prefix + word + suffix; the pieces come from the tables above and always fit. */
static void join(char *out, const char *prefix, const char *word, const char *suffix) {
    strcpy(out, prefix);
    strcat(out, word);
    strcat(out, suffix);
}

void encoder_layer_define(EncoderLayer *layer, ParameterTable *table) {
    const int D = layer->attention.d_model, F = layer->d_ff;
    const EncoderLayerNames *names = layer->names;
    char prefix[PARAMETER_NAME_SIZE];

    join(prefix, layer->prefix, names->attention, ".");
    multihead_attention_define(&layer->attention, table, prefix);
    join(prefix, layer->prefix, names->linear1, ".");
    layer->linear1_weight = params_add_matrix(table, prefix, "weight", F, D);
    layer->linear1_bias = params_add_vector(table, prefix, "bias", F);
    join(prefix, layer->prefix, names->linear2, ".");
    layer->linear2_weight = params_add_matrix(table, prefix, "weight", D, F);
    layer->linear2_bias = params_add_vector(table, prefix, "bias", D);
    join(prefix, layer->prefix, names->norm1, ".");
    layer->norm1_gain = params_add_vector(table, prefix, "weight", D);
    layer->norm1_bias = params_add_vector(table, prefix, "bias", D);
    join(prefix, layer->prefix, names->norm2, ".");
    layer->norm2_gain = params_add_vector(table, prefix, "weight", D);
    layer->norm2_bias = params_add_vector(table, prefix, "bias", D);
}

void encoder_layer_init(const EncoderLayer *layer, Rng *rng) {
    multihead_attention_init(&layer->attention, rng);
    init_linear(layer->linear1_weight, layer->linear1_bias, rng);
    init_linear(layer->linear2_weight, layer->linear2_bias, rng);
    init_layernorm(layer->norm1_gain, layer->norm1_bias);
    init_layernorm(layer->norm2_gain, layer->norm2_bias);
}

void encoder_layer_layout(EncoderLayerActivations *acts, Arena *arena, const EncoderLayer *layer,
                          int B, bool keep_scores) {
    size_t N = (size_t)B * (size_t)layer->attention.seq_len;
    size_t D = (size_t)layer->attention.d_model;
    size_t F = (size_t)layer->d_ff;
    multihead_attention_layout(&acts->attention, arena, &layer->attention, B, keep_scores);
    acts->residual1 = ARENA_FLOATS(arena, N * D);
    acts->norm1 = ARENA_FLOATS(arena, N * D);
    acts->norm1_mean = ARENA_FLOATS(arena, N);
    acts->norm1_rstd = ARENA_FLOATS(arena, N);
    acts->linear1 = ARENA_FLOATS(arena, N * F);
    acts->active = ARENA_FLOATS(arena, N * F);
    acts->linear2 = ARENA_FLOATS(arena, N * D);
    acts->residual2 = ARENA_FLOATS(arena, N * D);
    acts->norm2 = ARENA_FLOATS(arena, N * D);
    acts->norm2_mean = ARENA_FLOATS(arena, N);
    acts->norm2_rstd = ARENA_FLOATS(arena, N);
    acts->out = layer->norm_first ? acts->residual2 : acts->norm2;
}

void encoder_layer_workspace_layout(EncoderLayerWorkspace *work, Arena *arena,
                                    const EncoderLayer *layer, int B) {
    size_t N = (size_t)B * (size_t)layer->attention.seq_len;
    size_t D = (size_t)layer->attention.d_model;
    work->branch = ARENA_FLOATS(arena, N * D);
    work->heads = ARENA_FLOATS(arena, N * D);
    work->qkv = ARENA_FLOATS(arena, N * 3 * D);
    work->hidden = ARENA_FLOATS(arena, N * (size_t)layer->d_ff);
}

size_t encoder_layer_scratch_size(const EncoderLayer *layer) {
    size_t attention = multihead_attention_scratch_size(&layer->attention);
    size_t feed_forward = (size_t)layer->attention.d_model * (size_t)layer->d_ff;
    return attention > feed_forward ? attention : feed_forward;
}

static void add(float *out, const float *x, const float *y, int n) {
    int i = 0;
    for (; i + VEC_LANES <= n; i += VEC_LANES)
        vec_store(out + i, vec_load(x + i) + vec_load(y + i));
    for (; i < n; i++)
        out[i] = x[i] + y[i];
}

static void feed_forward(const EncoderLayer *layer, EncoderLayerActivations *acts, float *scratch,
                         const float *x, int N) {
    const int D = layer->attention.d_model, F = layer->d_ff;
    linear_forward(acts->linear1, scratch, x, layer->linear1_weight->value,
                   layer->linear1_bias->value, N, D, F);
    activation_forward(acts->active, acts->linear1, layer->activation, N * F);
    linear_forward(acts->linear2, scratch, acts->active, layer->linear2_weight->value,
                   layer->linear2_bias->value, N, F, D);
}

static void norm1(const EncoderLayer *layer, EncoderLayerActivations *acts, const float *x, int N) {
    layernorm_forward(acts->norm1, acts->norm1_mean, acts->norm1_rstd, x, layer->norm1_gain->value,
                      layer->norm1_bias->value, N, layer->attention.d_model);
}

static void norm2(const EncoderLayer *layer, EncoderLayerActivations *acts, const float *x, int N) {
    layernorm_forward(acts->norm2, acts->norm2_mean, acts->norm2_rstd, x, layer->norm2_gain->value,
                      layer->norm2_bias->value, N, layer->attention.d_model);
}

void encoder_layer_forward(const EncoderLayer *layer, EncoderLayerActivations *acts, float *scratch,
                           const float *x, int B) {
    const int N = B * layer->attention.seq_len, D = layer->attention.d_model;
    MultiheadAttentionActivations *attention = &acts->attention;

    if (layer->norm_first) {
        norm1(layer, acts, x, N);
        multihead_attention_forward(&layer->attention, attention, scratch, acts->norm1, B);
        add(acts->residual1, x, attention->out, N * D);
        norm2(layer, acts, acts->residual1, N);
        feed_forward(layer, acts, scratch, acts->norm2, N);
        add(acts->residual2, acts->residual1, acts->linear2, N * D);
    } else {
        multihead_attention_forward(&layer->attention, attention, scratch, x, B);
        add(acts->residual1, x, attention->out, N * D);
        norm1(layer, acts, acts->residual1, N);
        feed_forward(layer, acts, scratch, acts->norm1, N);
        add(acts->residual2, acts->norm1, acts->linear2, N * D);
        norm2(layer, acts, acts->residual2, N);
    }
}

/* From grad, the gradient of ff(x), to work->branch, that of x. */
static void feed_forward_backward(const EncoderLayer *layer, const EncoderLayerActivations *acts,
                                  EncoderLayerWorkspace *work, const float *grad, const float *x,
                                  int N) {
    const int D = layer->attention.d_model, F = layer->d_ff;
    linear_backward(work->hidden, layer->linear2_weight->grad, layer->linear2_bias->grad, grad,
                    acts->active, layer->linear2_weight->value, N, F, D);
    activation_backward(work->hidden, work->hidden, acts->linear1, layer->activation, N * F);
    linear_backward(work->branch, layer->linear1_weight->grad, layer->linear1_bias->grad,
                    work->hidden, x, layer->linear1_weight->value, N, D, F);
}

static void norm1_backward(const EncoderLayer *layer, const EncoderLayerActivations *acts,
                           float *grad_x, const float *grad_out, const float *x, int N) {
    layernorm_backward(grad_x, layer->norm1_gain->grad, layer->norm1_bias->grad, grad_out, x,
                       acts->norm1_mean, acts->norm1_rstd, layer->norm1_gain->value, N,
                       layer->attention.d_model);
}

static void norm2_backward(const EncoderLayer *layer, const EncoderLayerActivations *acts,
                           float *grad_x, const float *grad_out, const float *x, int N) {
    layernorm_backward(grad_x, layer->norm2_gain->grad, layer->norm2_bias->grad, grad_out, x,
                       acts->norm2_mean, acts->norm2_rstd, layer->norm2_gain->value, N,
                       layer->attention.d_model);
}

/*
 * A residual sum passes its gradient on twice: along the straight path, which stays in grad, and
 * into the branch, whose gradient is added when it comes back.
 */
void encoder_layer_backward(const EncoderLayer *layer, const EncoderLayerActivations *acts,
                            float *grad, EncoderLayerWorkspace *work, float *scratch,
                            const float *x, int B) {
    const int N = B * layer->attention.seq_len, D = layer->attention.d_model;

    if (layer->norm_first) {
        feed_forward_backward(layer, acts, work, grad, acts->norm2, N);
        norm2_backward(layer, acts, work->branch, work->branch, acts->residual1, N);
        add(grad, grad, work->branch, N * D);
        multihead_attention_backward(&layer->attention, &acts->attention, work->branch, work->heads,
                                     work->qkv, scratch, grad, acts->norm1, B);
        norm1_backward(layer, acts, work->branch, work->branch, x, N);
        add(grad, grad, work->branch, N * D);
    } else {
        norm2_backward(layer, acts, grad, grad, acts->residual2, N);
        feed_forward_backward(layer, acts, work, grad, acts->norm1, N);
        add(grad, grad, work->branch, N * D);
        norm1_backward(layer, acts, grad, grad, acts->residual1, N);
        multihead_attention_backward(&layer->attention, &acts->attention, work->branch, work->heads,
                                     work->qkv, scratch, grad, x, B);
        add(grad, grad, work->branch, N * D);
    }
}

void encoder_layer_show(const EncoderLayer *layer, const EncoderLayerActivations *acts, int B,
                        const TensorSink *sink) {
    const int T = layer->attention.seq_len, D = layer->attention.d_model, F = layer->d_ff;
    const EncoderLayerNames *names = layer->names;
    char prefix[PARAMETER_NAME_SIZE];

    join(prefix, layer->prefix, names->attention, "");
    multihead_attention_show(&layer->attention, &acts->attention, prefix, B, sink);
    tensor_show(sink, layer->prefix, "residual1", acts->residual1, 3, (int[]){B, T, D});
    tensor_show(sink, layer->prefix, names->norm1, acts->norm1, 3, (int[]){B, T, D});
    tensor_show(sink, layer->prefix, names->linear1, acts->linear1, 3, (int[]){B, T, F});
    tensor_show(sink, layer->prefix, names->activation, acts->active, 3, (int[]){B, T, F});
    tensor_show(sink, layer->prefix, names->linear2, acts->linear2, 3, (int[]){B, T, D});
    tensor_show(sink, layer->prefix, "residual2", acts->residual2, 3, (int[]){B, T, D});
    tensor_show(sink, layer->prefix, names->norm2, acts->norm2, 3, (int[]){B, T, D});
}
