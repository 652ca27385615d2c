/*
 * A fully connected layer, as torch.nn.Linear computes it: out = x weight^T + bias.
 *
 * Shapes: x (N, D), out (N, K), weight (K, D), bias (K). Axes: N rows (all tokens of all
 * sequences), D inputs, K outputs. The caller owns every array.
 */
#ifndef ATTN_OPS_LINEAR_H
#define ATTN_OPS_LINEAR_H

/* Overwrites out; scratch holds K * D floats. */
void linear_forward(float *out, float *scratch, const float *x, const float *weight,
                    const float *bias, int N, int D, int K);

/*
 * Overwrites grad_x (N, D); adds to grad_weight (K, D) and grad_bias (K).
 * grad_x may be NULL where nothing below learns.
 */
void linear_backward(float *grad_x, float *grad_weight, float *grad_bias, const float *grad_out,
                     const float *x, const float *weight, int N, int D, int K);

#endif
