/*
 * The lesson's TinyTransformer and its larger relatives: embedding plus positions, a stack of
 * encoder layers, a linear read-out at every position.
 *
 *     h_0 = emb(tokens) + pe;   h_l = layer_l(h_{l-1});   logits = out(h_L)    (post-norm)
 *                                                         logits = out(norm(h_L))   (pre-norm)
 *
 * One post-norm layer bears the lesson's parameter names (emb att ff n1 n2 out); every other
 * model PyTorch's (emb, layers.0.self_attn …, norm, out).
 *
 * Axes: B sequences of T tokens, N = B * T, D = d_model, V = vocab_size.
 */
#ifndef ATTN_NN_TRANSFORMER_H
#define ATTN_NN_TRANSFORMER_H

#include <stdbool.h>
#include <stdint.h>

#include "nn/encoder_layer.h"

#define TRANSFORMER_MAX_LAYERS 6

typedef struct {
    int vocab_size, seq_len, d_model, n_heads, d_ff, n_layers;
    bool norm_first, causal, positions;
    Activation activation;
    float scale; /* multiplies the scores */
} TransformerShape;

typedef struct {
    TransformerShape shape;
    EncoderLayer layers[TRANSFORMER_MAX_LAYERS];
    Parameter *emb_weight;            /* (V, D) */
    Parameter *norm_gain, *norm_bias; /* (D); NULL for post-norm */
    Parameter *out_weight, *out_bias; /* (V, D), (V) */
    float *pe;                        /* (T, D); zero without positions */
} Transformer;

typedef struct {
    float *emb;   /* (N, D) */
    float *input; /* (N, D) emb + pe */
    EncoderLayerActivations layers[TRANSFORMER_MAX_LAYERS];
    float *norm, *norm_mean, *norm_rstd; /* pre-norm only */
    float *logits;                       /* (N, V) */
} TransformerActivations;

typedef struct {
    float *grad; /* (N, D) */
    EncoderLayerWorkspace layer;
} TransformerWorkspace;

/* Enters the parameters into the table, in the order of the state_dict. */
void transformer_define(Transformer *model, ParameterTable *table, const TransformerShape *shape);

/* Takes pe from the arena and computes it. */
void transformer_layout(Transformer *model, Arena *arena);

/* Draws as TinyTransformer's constructor: emb, each layer in turn, out. */
void transformer_init(const Transformer *model, Rng *rng);

void transformer_activations_layout(TransformerActivations *acts, Arena *arena,
                                    const Transformer *model, int B, bool keep_scores);
void transformer_workspace_layout(TransformerWorkspace *work, Arena *arena,
                                  const Transformer *model, int B);
size_t transformer_scratch_size(const Transformer *model);

/* Reads tokens (B, T), writes acts->logits. */
void transformer_forward(const Transformer *model, TransformerActivations *acts, float *scratch,
                         const int32_t *tokens, int B);

/* Adds to the gradients of all parameters, from grad_logits (B, T, V). */
void transformer_backward(const Transformer *model, const TransformerActivations *acts,
                          TransformerWorkspace *work, float *scratch, const float *grad_logits,
                          const int32_t *tokens, int B);

/* Shows pe and every activation. */
void transformer_show(const Transformer *model, const TransformerActivations *acts, int B,
                      const TensorSink *sink);

#endif
