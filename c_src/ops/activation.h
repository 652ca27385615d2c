/*
 * The non-linearity of the feed-forward network, element by element.
 *
 *     relu       max(0, x)                                                    torch.nn.ReLU
 *     gelu       x Phi(x), Phi(x) = (1 + erf(x / sqrt 2)) / 2                  torch.nn.GELU()
 *     gelu_tanh  x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2 torch.nn.GELU('tanh')
 *
 * Hendrycks and Gimpel 2016 for GELU. Arrays have n floats; out may be x only for relu.
 */
#ifndef ATTN_OPS_ACTIVATION_H
#define ATTN_OPS_ACTIVATION_H

typedef enum { ACTIVATION_RELU, ACTIVATION_GELU, ACTIVATION_GELU_TANH } Activation;

void activation_forward(float *out, const float *x, Activation activation, int n);

/* Overwrites grad_x, which may be grad_out. */
void activation_backward(float *grad_x, const float *grad_out, const float *x,
                         Activation activation, int n);

#endif
