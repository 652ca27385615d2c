/*
 * Multi-head self-attention (Vaswani et al. 2017, section 3.2.2), as torch.nn.MultiheadAttention
 * with query = key = value = x and batch_first:
 *
 *     [q k v] = x in_proj^T;   head_h = attention(q_h, k_h, v_h);   out = [head_1 … head_H]
 * out_proj^T
 *
 * Head h owns the columns h * d_k .. (h + 1) * d_k - 1 of q, k and v, d_k = d_model / n_heads.
 * Axes: B sequences, T tokens each, D = d_model, H heads.
 */
#ifndef ATTN_NN_MULTIHEAD_ATTENTION_H
#define ATTN_NN_MULTIHEAD_ATTENTION_H

#include <stdbool.h>

#include "core/arena.h"
#include "core/rng.h"
#include "nn/params.h"
#include "nn/tensor.h"

typedef struct {
    int seq_len, d_model, n_heads;
    float scale; /* multiplies the scores; 1 / sqrt(d_k) in the paper */
    bool causal;
    unsigned muted;             /* bit h: head h puts out 0, to see what it is good for */
    Parameter *in_proj_weight;  /* (3D, D): rows of q, then k, then v */
    Parameter *in_proj_bias;    /* (3D) */
    Parameter *out_proj_weight; /* (D, D) */
    Parameter *out_proj_bias;   /* (D) */
} MultiheadAttention;

typedef struct {
    float *qkv;     /* (B, T, 3D) */
    float *scores;  /* (B, H, T, T) before softmax, -infinity where masked; NULL: not kept */
    float *weights; /* (B, H, T, T) */
    float *heads;   /* (B, T, D), the heads' outputs side by side */
    float *out;     /* (B, T, D) */
} MultiheadAttentionActivations;

/* Enters the four parameters into the table under prefix ("att." or "layers.0.self_attn."). */
void multihead_attention_define(MultiheadAttention *module, ParameterTable *table,
                                const char *prefix);

/* Draws in PyTorch's order: the output projection first, the input projection last. */
void multihead_attention_init(const MultiheadAttention *module, Rng *rng);

void multihead_attention_layout(MultiheadAttentionActivations *acts, Arena *arena,
                                const MultiheadAttention *module, int B, bool keep_scores);

/* Floats of scratch for forward and backward. */
size_t multihead_attention_scratch_size(const MultiheadAttention *module);

void multihead_attention_forward(const MultiheadAttention *module,
                                 MultiheadAttentionActivations *acts, float *scratch,
                                 const float *x, int B);

/*
 * Overwrites grad_x (B, T, D), and grad_heads (B, T, D) and grad_qkv (B, T, 3D) as workspace; adds
 * to the gradients of the parameters. grad_x may be grad_out.
 */
void multihead_attention_backward(const MultiheadAttention *module,
                                  const MultiheadAttentionActivations *acts, float *grad_x,
                                  float *grad_heads, float *grad_qkv, float *scratch,
                                  const float *grad_out, const float *x, int B);

/* Shows the activations: prefix + ".qkv", ".scores", ".weights", ".heads", and the output as
 * prefix. */
void multihead_attention_show(const MultiheadAttention *module,
                              const MultiheadAttentionActivations *acts, const char *prefix, int B,
                              const TensorSink *sink);

#endif
