/*
 * The Adam optimiser (Kingma and Ba 2015, algorithm 1), as torch.optim.Adam computes it with its
 * default betas and eps, without weight decay:
 *
 *     m = beta1 m + (1 - beta1) g;    v = beta2 v + (1 - beta2) g g
 *     p = p - lr / (1 - beta1^t) * m / (sqrt(v) / sqrt(1 - beta2^t) + eps)
 */
#ifndef ATTN_TRAIN_ADAM_H
#define ATTN_TRAIN_ADAM_H

#include <stddef.h>

#include "core/arena.h"

#define ADAM_BETA1 0.9
#define ADAM_BETA2 0.999
#define ADAM_EPS 1e-8

typedef struct {
    float *m;           /* PyTorch's exp_avg */
    float *v;           /* PyTorch's exp_avg_sq */
    size_t n;           /* floats of each */
    double beta1_power; /* beta1^t, a running product: pow differs between C libraries */
    double beta2_power;
} Adam;

/* Takes m and v from the arena; they start at 0, before the first step. */
void adam_layout(Adam *adam, Arena *arena, size_t n);

/* One update of values (n) from grads (n). */
void adam_step(Adam *adam, float *values, const float *grads, float learning_rate);

#endif
