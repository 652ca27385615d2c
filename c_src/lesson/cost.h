/*
 * What one layer costs for a sequence of n vectors of width d: multiply-adds, counted, and a job
 * that runs the layer so that whoever has a clock can time it. Forward only, one sequence.
 *
 *     COST_LSTM             one direction, d inputs, d hidden units        8 n d^2
 *     COST_ATTENTION        scores and weighted sum, one head              2 n^2 d
 *     COST_SELF_ATTENTION   the same with the projections Q, K, V and O    2 n^2 d + 4 n d^2
 */
#ifndef ATTN_LESSON_COST_H
#define ATTN_LESSON_COST_H

#include "core/arena.h"
#include "nn/lstm.h"
#include "nn/multihead_attention.h"

#define COST_MAX_N 1024
#define COST_MAX_D 256

typedef enum { COST_LSTM, COST_ATTENTION, COST_SELF_ATTENTION, COST_KINDS } CostKind;

typedef struct {
    Arena arena;
    CostKind kind;
    int n, d;
    ParameterTable params;
    float *x;   /* (n, d), standard normal */
    float *out; /* (n, d) */
    float *scratch;
    Lstm lstm;
    LstmActivations lstm_acts;
    MultiheadAttention attention;
    MultiheadAttentionActivations attention_acts;
} CostJob;

/* Multiply-adds of one run: every product that is summed, and nothing else. */
double cost_multiply_adds(CostKind kind, int n, int d);

/* Parameters and input drawn from seed 0. 1 <= n <= COST_MAX_N, 1 <= d <= COST_MAX_D. NULL without
 * memory. */
CostJob *cost_create(CostKind kind, int n, int d);
void cost_destroy(CostJob *job);

/* Runs the layer n_runs times. */
void cost_run(CostJob *job, int n_runs);

#endif
