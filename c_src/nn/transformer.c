#include "nn/transformer.h"

#include <string.h>

#include "nn/init.h"
#include "nn/positional.h"
#include "ops/embedding.h"
#include "ops/layernorm.h"
#include "ops/linear.h"

static void define_layer(EncoderLayer *layer, ParameterTable *table, const TransformerShape *shape,
                         int index) {
    bool lesson = shape->n_layers == 1 && !shape->norm_first;
    layer->attention.seq_len = shape->seq_len;
    layer->attention.d_model = shape->d_model;
    layer->attention.n_heads = shape->n_heads;
    layer->attention.scale = shape->scale;
    layer->attention.causal = shape->causal;
    layer->attention.muted = 0;
    layer->d_ff = shape->d_ff;
    layer->norm_first = shape->norm_first;
    layer->activation = shape->activation;
    layer->names = lesson ? &ENCODER_LAYER_LESSON_NAMES : &ENCODER_LAYER_PYTORCH_NAMES;
    strcpy(layer->prefix, lesson ? "" : "layers.0.");
    if (!lesson)
        layer->prefix[strlen("layers.")] = (char)('0' + index);
    encoder_layer_define(layer, table);
}

void transformer_define(Transformer *model, ParameterTable *table, const TransformerShape *shape) {
    model->shape = *shape;
    model->emb_weight =
        params_add_matrix(table, "emb.", "weight", shape->vocab_size, shape->d_model);
    for (int l = 0; l < shape->n_layers; l++)
        define_layer(&model->layers[l], table, shape, l);
    model->norm_gain = NULL;
    model->norm_bias = NULL;
    if (shape->norm_first) {
        model->norm_gain = params_add_vector(table, "norm.", "weight", shape->d_model);
        model->norm_bias = params_add_vector(table, "norm.", "bias", shape->d_model);
    }
    model->out_weight =
        params_add_matrix(table, "out.", "weight", shape->vocab_size, shape->d_model);
    model->out_bias = params_add_vector(table, "out.", "bias", shape->vocab_size);
}

void transformer_layout(Transformer *model, Arena *arena) {
    const TransformerShape *shape = &model->shape;
    model->pe = ARENA_FLOATS(arena, (size_t)shape->seq_len * (size_t)shape->d_model);
    if (model->pe != NULL && shape->positions) {
        positional_encoding(model->pe, shape->seq_len, shape->d_model, POSITIONAL_BASE);
    }
}

void transformer_init(const Transformer *model, Rng *rng) {
    init_embedding(model->emb_weight, rng);
    for (int l = 0; l < model->shape.n_layers; l++)
        encoder_layer_init(&model->layers[l], rng);
    if (model->norm_gain != NULL)
        init_layernorm(model->norm_gain, model->norm_bias);
    init_linear(model->out_weight, model->out_bias, rng);
}

void transformer_activations_layout(TransformerActivations *acts, Arena *arena,
                                    const Transformer *model, int B, bool keep_scores) {
    const TransformerShape *shape = &model->shape;
    size_t N = (size_t)B * (size_t)shape->seq_len;
    size_t D = (size_t)shape->d_model;
    acts->emb = ARENA_FLOATS(arena, N * D);
    acts->input = ARENA_FLOATS(arena, N * D);
    for (int l = 0; l < shape->n_layers; l++) {
        encoder_layer_layout(&acts->layers[l], arena, &model->layers[l], B, keep_scores);
    }
    if (shape->norm_first) {
        acts->norm = ARENA_FLOATS(arena, N * D);
        acts->norm_mean = ARENA_FLOATS(arena, N);
        acts->norm_rstd = ARENA_FLOATS(arena, N);
    }
    acts->logits = ARENA_FLOATS(arena, N * (size_t)shape->vocab_size);
}

void transformer_workspace_layout(TransformerWorkspace *work, Arena *arena,
                                  const Transformer *model, int B) {
    size_t N = (size_t)B * (size_t)model->shape.seq_len;
    work->grad = ARENA_FLOATS(arena, N * (size_t)model->shape.d_model);
    encoder_layer_workspace_layout(&work->layer, arena, &model->layers[0], B);
}

size_t transformer_scratch_size(const Transformer *model) {
    size_t layer = encoder_layer_scratch_size(&model->layers[0]);
    size_t read_out = (size_t)model->shape.vocab_size * (size_t)model->shape.d_model;
    return layer > read_out ? layer : read_out;
}

/* input = emb + pe, the same pe for every sequence. */
static void add_positions(float *input, const float *emb, const float *pe, int B, int n) {
    for (int b = 0; b < B; b++) {
        const float *emb_b = emb + (size_t)b * (size_t)n;
        float *input_b = input + (size_t)b * (size_t)n;
        for (int i = 0; i < n; i++)
            input_b[i] = emb_b[i] + pe[i];
    }
}

void transformer_forward(const Transformer *model, TransformerActivations *acts, float *scratch,
                         const int32_t *tokens, int B) {
    const TransformerShape *shape = &model->shape;
    const int N = B * shape->seq_len, D = shape->d_model;

    embedding_forward(acts->emb, tokens, model->emb_weight->value, N, D);
    add_positions(acts->input, acts->emb, model->pe, B, shape->seq_len * D);
    const float *h = acts->input;
    for (int l = 0; l < shape->n_layers; l++) {
        encoder_layer_forward(&model->layers[l], &acts->layers[l], scratch, h, B);
        h = acts->layers[l].out;
    }
    if (shape->norm_first) {
        layernorm_forward(acts->norm, acts->norm_mean, acts->norm_rstd, h, model->norm_gain->value,
                          model->norm_bias->value, N, D);
        h = acts->norm;
    }
    linear_forward(acts->logits, scratch, h, model->out_weight->value, model->out_bias->value, N, D,
                   shape->vocab_size);
}

void transformer_backward(const Transformer *model, const TransformerActivations *acts,
                          TransformerWorkspace *work, float *scratch, const float *grad_logits,
                          const int32_t *tokens, int B) {
    const TransformerShape *shape = &model->shape;
    const int N = B * shape->seq_len, D = shape->d_model;
    const float *top = acts->layers[shape->n_layers - 1].out;

    linear_backward(work->grad, model->out_weight->grad, model->out_bias->grad, grad_logits,
                    shape->norm_first ? acts->norm : top, model->out_weight->value, N, D,
                    shape->vocab_size);
    if (shape->norm_first) {
        layernorm_backward(work->grad, model->norm_gain->grad, model->norm_bias->grad, work->grad,
                           top, acts->norm_mean, acts->norm_rstd, model->norm_gain->value, N, D);
    }
    for (int l = shape->n_layers - 1; l >= 0; l--) {
        const float *x = l > 0 ? acts->layers[l - 1].out : acts->input;
        encoder_layer_backward(&model->layers[l], &acts->layers[l], work->grad, &work->layer,
                               scratch, x, B);
    }
    embedding_backward(model->emb_weight->grad, work->grad, tokens, N, D);
}

void transformer_show(const Transformer *model, const TransformerActivations *acts, int B,
                      const TensorSink *sink) {
    const TransformerShape *shape = &model->shape;
    const int T = shape->seq_len, D = shape->d_model;
    tensor_show(sink, "", "pe", model->pe, 2, (int[]){T, D});
    tensor_show(sink, "", "emb", acts->emb, 3, (int[]){B, T, D});
    tensor_show(sink, "", "input", acts->input, 3, (int[]){B, T, D});
    for (int l = 0; l < shape->n_layers; l++) {
        encoder_layer_show(&model->layers[l], &acts->layers[l], B, sink);
    }
    if (shape->norm_first)
        tensor_show(sink, "", "norm", acts->norm, 3, (int[]){B, T, D});
    tensor_show(sink, "", "logits", acts->logits, 3, (int[]){B, T, shape->vocab_size});
}
