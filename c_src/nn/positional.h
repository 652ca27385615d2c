/*
 * Sinusoidal positions (Vaswani et al. 2017, section 3.5), as the lesson's pos_encoding:
 *
 *     PE[p, 2i] = sin(p w_i),   PE[p, 2i + 1] = cos(p w_i),   w_i = 10000^(-2i / d_model)
 *
 * Shape: positions (seq_len, d_model), d_model even, seq_len at most POSITIONAL_MAX_LEN.
 */
#ifndef ATTN_NN_POSITIONAL_H
#define ATTN_NN_POSITIONAL_H

#define POSITIONAL_MAX_LEN 4096

void positional_encoding(float *positions, int seq_len, int d_model);

#endif
