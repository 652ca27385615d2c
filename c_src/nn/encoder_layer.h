/*
 * One Transformer block: self-attention and a feed-forward network for every position, both inside
 * residual connections with layer normalisation (torch.nn.TransformerEncoderLayer, no dropout).
 *
 *     post-norm (Vaswani et al. 2017)           pre-norm (Xiong et al. 2020)
 *     h   = norm1(x + attention(x))             h   = x + attention(norm1(x))
 *     out = norm2(h + ff(h))                    out = h + ff(norm2(h))
 *
 *     ff(h) = activation(h W1^T + b1) W2^T + b2
 *
 * Axes: B sequences of T tokens, N = B * T rows, D = d_model, F = d_ff.
 */
#ifndef ATTN_NN_ENCODER_LAYER_H
#define ATTN_NN_ENCODER_LAYER_H

#include <stdbool.h>

#include "nn/multihead_attention.h"
#include "ops/activation.h"

/* The words of a block's state_dict: the lesson's module or PyTorch's encoder layer. */
typedef struct {
    const char *attention, *linear1, *activation, *linear2, *norm1, *norm2;
} EncoderLayerNames;

extern const EncoderLayerNames ENCODER_LAYER_LESSON_NAMES;  /* att ff.0 ff.1 ff.2 n1 n2 */
extern const EncoderLayerNames ENCODER_LAYER_PYTORCH_NAMES; /* self_attn linear1 … norm2 */

typedef struct {
    MultiheadAttention attention;
    int d_ff;
    bool norm_first;
    Activation activation;
    char prefix[16]; /* "" or "layers.0." */
    const EncoderLayerNames *names;
    Parameter *linear1_weight, *linear1_bias; /* (F, D), (F) */
    Parameter *linear2_weight, *linear2_bias; /* (D, F), (D) */
    Parameter *norm1_gain, *norm1_bias;       /* (D) */
    Parameter *norm2_gain, *norm2_bias;       /* (D) */
} EncoderLayer;

typedef struct {
    MultiheadAttentionActivations attention;
    float *residual1;                       /* (N, D) x + attention */
    float *norm1, *norm1_mean, *norm1_rstd; /* (N, D), (N), (N) */
    float *linear1;                         /* (N, F) before the activation */
    float *active;                          /* (N, F) after it */
    float *linear2;                         /* (N, D) */
    float *residual2;                       /* (N, D) */
    float *norm2, *norm2_mean, *norm2_rstd; /* (N, D), (N), (N) */
    float *out;                             /* (N, D): norm2 (post-norm) or residual2 (pre-norm) */
} EncoderLayerActivations;

/* Gradients on their way through a block; one set serves all blocks of a model. */
typedef struct {
    float *branch; /* (N, D) */
    float *heads;  /* (N, D) */
    float *qkv;    /* (N, 3D) */
    float *hidden; /* (N, F) */
} EncoderLayerWorkspace;

/* Enters the parameters into the table; attention's sizes and the fields above are set before. */
void encoder_layer_define(EncoderLayer *layer, ParameterTable *table);

/* Draws attention, then both linear layers. */
void encoder_layer_init(const EncoderLayer *layer, Rng *rng);

void encoder_layer_layout(EncoderLayerActivations *acts, Arena *arena, const EncoderLayer *layer,
                          int B, bool keep_scores);
void encoder_layer_workspace_layout(EncoderLayerWorkspace *work, Arena *arena,
                                    const EncoderLayer *layer, int B);
size_t encoder_layer_scratch_size(const EncoderLayer *layer);

/* Reads x (B, T, D), writes acts->out. */
void encoder_layer_forward(const EncoderLayer *layer, EncoderLayerActivations *acts, float *scratch,
                           const float *x, int B);

/*
 * grad (N, D) holds the gradient of acts->out and receives that of x; adds to the gradients of
 * the parameters.
 */
void encoder_layer_backward(const EncoderLayer *layer, const EncoderLayerActivations *acts,
                            float *grad, EncoderLayerWorkspace *work, float *scratch,
                            const float *x, int B);

void encoder_layer_show(const EncoderLayer *layer, const EncoderLayerActivations *acts, int B,
                        const TensorSink *sink);

#endif
