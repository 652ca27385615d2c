/*
 * Layer normalisation over the last axis, as torch.nn.LayerNorm computes it (Ba et al. 2016):
 *
 *     out = (x - mean(x)) / sqrt(var(x) + eps) * gain + bias,   var with divisor D
 *
 * Shapes: x, out (N, D); gain, bias (D), PyTorch's weight and bias; mean, rstd (N), kept for
 * backward. The caller owns every array; out may be x only if no backward follows.
 */
#ifndef ATTN_OPS_LAYERNORM_H
#define ATTN_OPS_LAYERNORM_H

#define LAYERNORM_EPS 1e-5f

void layernorm_forward(float *out, float *mean, float *rstd, const float *x, const float *gain,
                       const float *bias, int N, int D);

/* Overwrites grad_x (N, D), which may be grad_out; adds to grad_gain (D) and grad_bias (D). */
void layernorm_backward(float *grad_x, float *grad_gain, float *grad_bias, const float *grad_out,
                        const float *x, const float *mean, const float *rstd, const float *gain,
                        int N, int D);

#endif
