/*
 * The lesson's TinyLSTM: embedding, one bidirectional LSTM layer, a linear read-out at every
 * position from both directions' hidden states.
 *
 *     h = rnn(emb(tokens));   logits = out(h)
 *
 * Parameter names: emb, rnn.weight_ih_l0 …, rnn.weight_ih_l0_reverse …, out.
 * Axes: B sequences, T tokens, D = d_model, H = d_hidden of each direction, V = vocab_size.
 */
#ifndef ATTN_NN_BILSTM_H
#define ATTN_NN_BILSTM_H

#include <stdint.h>

#include "nn/lstm.h"

typedef struct {
    int vocab_size, seq_len, d_model, d_hidden;
} BilstmShape;

typedef struct {
    BilstmShape shape;
    Parameter *emb_weight; /* (V, D) */
    Lstm forward, backward;
    Parameter *out_weight, *out_bias; /* (V, 2H), (V) */
} Bilstm;

typedef struct {
    float *emb; /* (B, T, D) */
    LstmActivations forward, backward;
    float *h;      /* (B, T, 2H): the forward direction's H, then the backward's */
    float *logits; /* (B, T, V) */
} BilstmActivations;

typedef struct {
    float *grad_h;   /* (B, T, 2H) */
    float *grad_emb; /* (B, T, D) */
    LstmWorkspace lstm;
} BilstmWorkspace;

/* Enters the parameters into the table, in the order of the state_dict. */
void bilstm_define(Bilstm *model, ParameterTable *table, const BilstmShape *shape);

/* Draws as TinyLSTM's constructor. */
void bilstm_init(const Bilstm *model, Rng *rng);

void bilstm_activations_layout(BilstmActivations *acts, Arena *arena, const Bilstm *model, int B);
void bilstm_workspace_layout(BilstmWorkspace *work, Arena *arena, const Bilstm *model, int B);
size_t bilstm_scratch_size(const Bilstm *model);

/* Reads tokens (B, T), writes acts->logits. */
void bilstm_forward(const Bilstm *model, BilstmActivations *acts, float *scratch,
                    const int32_t *tokens, int B);

/* Adds to the gradients of all parameters, from grad_logits (B, T, V). */
void bilstm_backward(const Bilstm *model, const BilstmActivations *acts, BilstmWorkspace *work,
                     const float *grad_logits, const int32_t *tokens, int B);

void bilstm_show(const Bilstm *model, const BilstmActivations *acts, int B, const TensorSink *sink);

#endif
