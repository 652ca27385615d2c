/*
 * One time step of a long short-term memory (Hochreiter and Schmidhuber 1997), as torch.nn.LSTM
 * computes it. With the pre-activations a = W_ih x + b_ih + W_hh h_prev + b_hh in four blocks of H:
 *
 *     i = sigmoid(a_i)   f = sigmoid(a_f)   g = tanh(a_g)   o = sigmoid(a_o)
 *     c = f c_prev + i g;   h = o tanh(c)
 *
 * Shapes: gates (B, 4H), blocks in the order i f g o; c, c_prev, tanh_c (B, H); h (B, H). Rows of
 * gates, c, tanh_c and h are *_row floats apart. Axes: B sequences, H hidden units.
 */
#ifndef ATTN_OPS_LSTM_CELL_H
#define ATTN_OPS_LSTM_CELL_H

typedef struct {
    int B, H;
    int gates_row, cell_row, h_row; /* cell_row: of c, c_prev and tanh_c */
} LstmCellShape;

/* Replaces the pre-activations in gates by i f g o; c_prev NULL means 0. */
void lstm_cell_forward(float *h, float *c, float *tanh_c, float *gates, const float *c_prev,
                       const LstmCellShape *shape);

/*
 * grad_h has h_row floats between rows; grad_c (B, H) is dense, holds the gradient that reaches c
 * from the next time step and receives that of c_prev. Overwrites grad_gates, the gradient of the
 * pre-activations, laid out as gates.
 */
void lstm_cell_backward(float *grad_gates, float *grad_c, const float *grad_h, const float *gates,
                        const float *tanh_c, const float *c_prev, const LstmCellShape *shape);

#endif
