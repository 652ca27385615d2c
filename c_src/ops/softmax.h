/*
 * Softmax of a row, as torch.softmax computes it: out_i = exp(x_i - max x) / sum_j exp(x_j - max
 * x).
 *
 * The maximum is subtracted so that no exponential overflows; the result does not change.
 * n >= 1 floats a row; the caller owns every array.
 */
#ifndef ATTN_OPS_SOFTMAX_H
#define ATTN_OPS_SOFTMAX_H

/* Largest of a row of n >= 1; NaN where the row holds one that matters is not promised. */
float softmax_largest(const float *x, int n);

/* exp(x_i - largest) into out (which may be x); returns their sum. */
float softmax_exponentials(float *out, const float *x, float largest, int n);

/* out may be x. */
void softmax_forward(float *out, const float *x, int n);

/*
 * With p = softmax(x) and g = grad_out:  grad_x_i = p_i (g_i - sum_j g_j p_j).
 * Overwrites grad_x, which may be grad_out.
 */
void softmax_backward(float *grad_x, const float *grad_out, const float *probs, int n);

#endif
