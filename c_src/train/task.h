/*
 * What the network learns: sequences of random tokens and, for each, the sequence it must answer.
 *
 *     reverse   y_t = x_{T-1-t}                      the lesson's task
 *     copy      y_t = x_t
 *     sort      the tokens of x in ascending order
 *     shift     y_t = x_{t-1}, y_0 = x_{T-1}          by one place, around the end
 *     next      y_t = x_{t+1}                          what a language model learns
 *
 * Tokens are torch.randint(0, V, (B, T)), row by row; the next-token task draws T + 1 a row, so
 * that the last position has a successor too. Axes: B sequences, T tokens, V symbols.
 */
#ifndef ATTN_TRAIN_TASK_H
#define ATTN_TRAIN_TASK_H

#include <stdint.h>

#include "core/rng.h"

typedef enum { TASK_REVERSE, TASK_COPY, TASK_SORT, TASK_SHIFT, TASK_NEXT_TOKEN } Task;

/* Largest V of task_targets. */
#define TASK_MAX_VOCAB 64

/* Draws tokens (B, T). Drawing B1 then B2 sequences gives the tokens of drawing B1 + B2. */
void task_draw(int32_t *tokens, Rng *rng, int B, int T, int V);

/* 32-bit draws that task_draw makes. */
uint64_t task_draw_count(int B, int T);

/*
 * Draws tokens and targets (B, T) of the next-token task. Each sequence is random, or with period
 * P >= 1 repeats a fresh random pattern of P tokens.
 */
void task_draw_next(int32_t *tokens, int32_t *targets, Rng *rng, int period, int B, int T, int V);

/* 32-bit draws that task_draw_next makes. */
uint64_t task_draw_next_count(int period, int B, int T);

/* What the next-token task answers where the successor is not in the sequence. */
#define TASK_UNKNOWN (-1)

/* targets (B, T) of tokens (B, T); next-token's last is TASK_UNKNOWN. */
void task_targets(int32_t *targets, const int32_t *tokens, Task task, int B, int T);

#endif
