#include "lesson/cost.h"

#include <math.h>

#include "core/rng.h"
#include "ops/attention.h"

double cost_multiply_adds(CostKind kind, int n, int d) {
    double N = n, D = d;
    double attention = 2.0 * N * N * D;
    if (kind == COST_LSTM)
        return 8.0 * N * D * D;
    return kind == COST_ATTENTION ? attention : attention + 4.0 * N * D * D;
}

static void layout(CostJob *job, Arena *arena) {
    const int n = job->n, d = job->d;
    size_t vectors = (size_t)n * (size_t)d;
    params_clear(&job->params);
    job->x = ARENA_FLOATS(arena, vectors);
    job->out = ARENA_FLOATS(arena, vectors);
    if (job->kind == COST_LSTM) {
        job->lstm = (Lstm){.seq_len = n, .d_input = d, .d_hidden = d};
        lstm_define(&job->lstm, &job->params, "");
        lstm_layout(&job->lstm_acts, arena, &job->lstm, 1);
        job->scratch = ARENA_FLOATS(arena, lstm_scratch_size(&job->lstm));
    } else {
        job->attention = (MultiheadAttention){
            .seq_len = n, .d_model = d, .n_heads = 1, .scale = (float)(1.0 / sqrt((double)d))};
        multihead_attention_define(&job->attention, &job->params, "");
        multihead_attention_layout(&job->attention_acts, arena, &job->attention, 1, false);
        job->scratch = ARENA_FLOATS(arena, multihead_attention_scratch_size(&job->attention));
    }
    params_layout(&job->params, arena);
}

CostJob *cost_create(CostKind kind, int n, int d) {
    CostJob draft = {.kind = kind, .n = n, .d = d};
    Arena measure = arena_measure();
    arena_take(&measure, 1, sizeof(CostJob));
    layout(&draft, &measure);
    Arena arena = arena_create(measure.used);
    if (arena.base == NULL)
        return NULL;

    CostJob *job = arena_take(&arena, 1, sizeof *job);
    job->kind = kind;
    job->n = n;
    job->d = d;
    layout(job, &arena);
    job->arena = arena;
    Rng rng;
    rng_seed(&rng, 0);
    if (kind == COST_LSTM) {
        lstm_init(&job->lstm, &rng);
    } else {
        multihead_attention_init(&job->attention, &rng);
    }
    rng_randn(&rng, job->x, (size_t)n * (size_t)d);
    return job;
}

void cost_destroy(CostJob *job) {
    if (job == NULL)
        return;
    Arena arena = job->arena; /* the job lies in its own arena */
    arena_destroy(&arena);
}

/* Scores and weighted sum with x as query, key and value at once. */
static void run_attention(CostJob *job) {
    const int n = job->n, d = job->d;
    const AttentionShape shape = {.Q = n,
                                  .T = n,
                                  .D = d,
                                  .E = d,
                                  .query_row = d,
                                  .key_row = d,
                                  .value_row = d,
                                  .out_row = d,
                                  .scale = job->attention.scale};
    attention_forward(job->out, job->attention_acts.weights, NULL, job->scratch, job->x, job->x,
                      job->x, &shape);
}

void cost_run(CostJob *job, int n_runs) {
    for (int i = 0; i < n_runs; i++) {
        if (job->kind == COST_LSTM) {
            lstm_forward(&job->lstm, &job->lstm_acts, job->out, job->d, job->scratch, job->x, 1);
        } else if (job->kind == COST_ATTENTION) {
            run_attention(job);
        } else {
            multihead_attention_forward(&job->attention, &job->attention_acts, job->scratch, job->x,
                                        1);
        }
    }
}
