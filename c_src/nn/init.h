/*
 * How PyTorch starts parameters. Every function draws in the order PyTorch's module does, and
 * draws also what the module draws and throws away, so that all later numbers agree.
 */
#ifndef ATTN_NN_INIT_H
#define ATTN_NN_INIT_H

#include "core/rng.h"
#include "nn/params.h"

/* torch.nn.Embedding: standard normal. */
void init_embedding(Parameter *weight, Rng *rng);

/* torch.nn.Linear: uniform within 1 / sqrt(fan_in), weight then bias (He et al. 2015, a = sqrt 5).
 */
void init_linear(Parameter *weight, Parameter *bias, Rng *rng);

/* Uniform within sqrt(6 / (fan_in + fan_out)) (Glorot and Bengio 2010). */
void init_xavier_uniform(Parameter *weight, Rng *rng);

/* torch.nn.LayerNorm: gain 1, bias 0, no draws. */
void init_layernorm(Parameter *gain, Parameter *bias);

void init_zero(Parameter *parameter);

#endif
