#include "ops/lstm_cell.h"

#include <stddef.h>

#include "core/vec.h"

/* Called, not inlined: the cell uses five of them in four places, and a call costs next to nothing.
 */
#define CALLED __attribute__((noinline)) static

CALLED Vec4 sigmoid(Vec4 x) {
    return vec_splat(1.0f) / (vec_splat(1.0f) + vec_exp(vec_splat(0.0f) - x));
}

CALLED Vec4 hyperbolic_tangent(Vec4 x) { return vec_tanh(x); }

/* A hidden unit group of n (1..4) lanes at unit u of row b. */
VEC_INLINE void forward_lanes(float *h, float *c, float *tanh_c, float *gates, const float *c_prev,
                              int H, int n) {
    Vec4 i = sigmoid(vec_load_part(gates, n, 0.0f));
    Vec4 f = sigmoid(vec_load_part(gates + H, n, 0.0f));
    Vec4 g = hyperbolic_tangent(vec_load_part(gates + 2 * H, n, 0.0f));
    Vec4 o = sigmoid(vec_load_part(gates + 3 * H, n, 0.0f));
    Vec4 cell = i * g;
    if (c_prev != NULL)
        cell = f * vec_load_part(c_prev, n, 0.0f) + cell;
    Vec4 squashed = hyperbolic_tangent(cell);
    vec_store_part(gates, i, n);
    vec_store_part(gates + H, f, n);
    vec_store_part(gates + 2 * H, g, n);
    vec_store_part(gates + 3 * H, o, n);
    vec_store_part(c, cell, n);
    vec_store_part(tanh_c, squashed, n);
    vec_store_part(h, o * squashed, n);
}

void lstm_cell_forward(float *h, float *c, float *tanh_c, float *gates, const float *c_prev,
                       const LstmCellShape *shape) {
    const int H = shape->H;
    for (int b = 0; b < shape->B; b++) {
        float *h_b = h + (size_t)b * (size_t)shape->h_row;
        float *c_b = c + (size_t)b * (size_t)shape->cell_row;
        float *tanh_c_b = tanh_c + (size_t)b * (size_t)shape->cell_row;
        float *gates_b = gates + (size_t)b * (size_t)shape->gates_row;
        const float *prev_b = c_prev == NULL ? NULL : c_prev + (size_t)b * (size_t)shape->cell_row;
        int u = 0;
        for (; u + VEC_LANES <= H; u += VEC_LANES) {
            forward_lanes(h_b + u, c_b + u, tanh_c_b + u, gates_b + u,
                          prev_b == NULL ? NULL : prev_b + u, H, VEC_LANES);
        }
        if (u < H) {
            forward_lanes(h_b + u, c_b + u, tanh_c_b + u, gates_b + u,
                          prev_b == NULL ? NULL : prev_b + u, H, H - u);
        }
    }
}

/*
 * With dh the gradient of h and dc that of c through the next step:
 *     d_o = dh tanh(c),   dc += dh o (1 - tanh(c)^2),
 *     d_i = dc g,   d_f = dc c_prev,   d_g = dc i,   d_c_prev = dc f,
 * and through the squashing functions: sigmoid' = s (1 - s), tanh' = 1 - g^2.
 */
VEC_INLINE void backward_lanes(float *grad_gates, float *grad_c, const float *grad_h,
                               const float *gates, const float *tanh_c, const float *c_prev, int H,
                               int n) {
    const Vec4 one = vec_splat(1.0f);
    Vec4 i = vec_load_part(gates, n, 0.0f), f = vec_load_part(gates + H, n, 0.0f);
    Vec4 g = vec_load_part(gates + 2 * H, n, 0.0f), o = vec_load_part(gates + 3 * H, n, 0.0f);
    Vec4 squashed = vec_load_part(tanh_c, n, 0.0f);
    Vec4 dh = vec_load_part(grad_h, n, 0.0f);
    Vec4 dc = vec_load_part(grad_c, n, 0.0f) + dh * o * (one - squashed * squashed);
    Vec4 prev = c_prev == NULL ? vec_splat(0.0f) : vec_load_part(c_prev, n, 0.0f);
    vec_store_part(grad_gates, dc * g * i * (one - i), n);
    vec_store_part(grad_gates + H, dc * prev * f * (one - f), n);
    vec_store_part(grad_gates + 2 * H, dc * i * (one - g * g), n);
    vec_store_part(grad_gates + 3 * H, dh * squashed * o * (one - o), n);
    vec_store_part(grad_c, dc * f, n);
}

void lstm_cell_backward(float *grad_gates, float *grad_c, const float *grad_h, const float *gates,
                        const float *tanh_c, const float *c_prev, const LstmCellShape *shape) {
    const int H = shape->H;
    for (int b = 0; b < shape->B; b++) {
        float *grad_gates_b = grad_gates + (size_t)b * (size_t)shape->gates_row;
        float *grad_c_b = grad_c + (size_t)b * (size_t)H;
        const float *grad_h_b = grad_h + (size_t)b * (size_t)shape->h_row;
        const float *gates_b = gates + (size_t)b * (size_t)shape->gates_row;
        const float *tanh_c_b = tanh_c + (size_t)b * (size_t)shape->cell_row;
        const float *prev_b = c_prev == NULL ? NULL : c_prev + (size_t)b * (size_t)shape->cell_row;
        int u = 0;
        for (; u + VEC_LANES <= H; u += VEC_LANES) {
            backward_lanes(grad_gates_b + u, grad_c_b + u, grad_h_b + u, gates_b + u, tanh_c_b + u,
                           prev_b == NULL ? NULL : prev_b + u, H, VEC_LANES);
        }
        if (u < H) {
            backward_lanes(grad_gates_b + u, grad_c_b + u, grad_h_b + u, gates_b + u, tanh_c_b + u,
                           prev_b == NULL ? NULL : prev_b + u, H, H - u);
        }
    }
}
