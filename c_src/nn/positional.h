/*
 * Sinusoidal positions (Vaswani et al. 2017, section 3.5), as the lesson's pos_encoding:
 *
 *     PE[p, 2i] = sin(p w_i),   PE[p, 2i + 1] = cos(p w_i),   w_i = base^(-2i / d_model)
 *
 * Shape: positions (seq_len, d_model), d_model even, seq_len at most POSITIONAL_MAX_LEN, base >= 1.
 */
#ifndef ATTN_NN_POSITIONAL_H
#define ATTN_NN_POSITIONAL_H

#define POSITIONAL_MAX_LEN 4096

/* The base of the paper and the lesson. */
#define POSITIONAL_BASE 10000.0

/* w_i of pair i, rounded to float where PyTorch rounds it. */
float positional_frequency(int i, int d_model, double base);

void positional_encoding(float *positions, int seq_len, int d_model, double base);

#endif
