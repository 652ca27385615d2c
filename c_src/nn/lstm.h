/*
 * One direction of one LSTM layer over whole sequences, as torch.nn.LSTM with batch_first and a
 * zero initial state. The backward direction reads its sequence from the end; its output at t has
 * seen t .. T - 1. A bidirectional layer is two of these, side by side in the output.
 *
 * Axes: B sequences, T tokens, D inputs, H hidden units of this direction.
 */
#ifndef ATTN_NN_LSTM_H
#define ATTN_NN_LSTM_H

#include <stdbool.h>

#include "core/arena.h"
#include "core/rng.h"
#include "nn/params.h"
#include "nn/tensor.h"

typedef struct {
    int seq_len, d_input, d_hidden;
    bool reverse;
    Parameter *weight_ih; /* (4H, D), blocks in the order of the gates i f g o */
    Parameter *weight_hh; /* (4H, H) */
    Parameter *bias_ih;   /* (4H) */
    Parameter *bias_hh;   /* (4H) */
} Lstm;

typedef struct {
    float *gates;  /* (B, T, 4H): i f g o after their squashing functions */
    float *c;      /* (B, T, H) */
    float *tanh_c; /* (B, T, H) */
    float *h_prev; /* (B, T, H): the hidden state each step started from */
} LstmActivations;

typedef struct {
    float *gates;  /* (B, T, 4H) */
    float *grad_h; /* (B, H) */
    float *grad_c; /* (B, H) */
} LstmWorkspace;

/* Enters weight_ih_l0, weight_hh_l0, bias_ih_l0, bias_hh_l0 under prefix; "_reverse" is appended.
 */
void lstm_define(Lstm *lstm, ParameterTable *table, const char *prefix);

/* Every tensor uniform within 1 / sqrt(H), in the order of the state_dict. */
void lstm_init(const Lstm *lstm, Rng *rng);

void lstm_layout(LstmActivations *acts, Arena *arena, const Lstm *lstm, int B);
void lstm_workspace_layout(LstmWorkspace *work, Arena *arena, const Lstm *lstm, int B);

/* Floats of scratch for forward and backward. */
size_t lstm_scratch_size(const Lstm *lstm);

/* Reads x (B, T, D); writes h (B, T, H), rows out_row floats apart. */
void lstm_forward(const Lstm *lstm, LstmActivations *acts, float *out, int out_row, float *scratch,
                  const float *x, int B);

/*
 * From grad_out, laid out as out, adds to the gradients of the parameters; grad_x (B, T, D) is
 * overwritten, or added to with add_to_x. grad_c_last (B, H) is the gradient of the final cell
 * state; NULL for 0.
 */
void lstm_backward(const Lstm *lstm, const LstmActivations *acts, float *grad_x, bool add_to_x,
                   LstmWorkspace *work, const float *grad_out, int out_row,
                   const float *grad_c_last, const float *x, int B);

#endif
