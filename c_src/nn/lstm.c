#include "nn/lstm.h"

#include <math.h>
#include <string.h>

#include "core/vec.h"
#include "ops/gemm.h"
#include "ops/linear.h"
#include "ops/lstm_cell.h"

static Parameter *add_tensor(const Lstm *lstm, ParameterTable *table, const char *prefix,
                             const char *name, int rows, int columns) {
    char full_name[PARAMETER_NAME_SIZE];
    strcpy(full_name, name);
    if (lstm->reverse)
        strcat(full_name, "_reverse");
    if (columns == 0)
        return params_add_vector(table, prefix, full_name, rows);
    return params_add_matrix(table, prefix, full_name, rows, columns);
}

void lstm_define(Lstm *lstm, ParameterTable *table, const char *prefix) {
    const int D = lstm->d_input, H = lstm->d_hidden;
    lstm->weight_ih = add_tensor(lstm, table, prefix, "weight_ih_l0", 4 * H, D);
    lstm->weight_hh = add_tensor(lstm, table, prefix, "weight_hh_l0", 4 * H, H);
    lstm->bias_ih = add_tensor(lstm, table, prefix, "bias_ih_l0", 4 * H, 0);
    lstm->bias_hh = add_tensor(lstm, table, prefix, "bias_hh_l0", 4 * H, 0);
}

void lstm_init(const Lstm *lstm, Rng *rng) {
    Parameter *const tensors[] = {lstm->weight_ih, lstm->weight_hh, lstm->bias_ih, lstm->bias_hh};
    double bound = 1.0 / sqrt((double)lstm->d_hidden);
    for (int i = 0; i < 4; i++) {
        rng_uniform(rng, -bound, bound, tensors[i]->value, tensors[i]->size);
    }
}

void lstm_layout(LstmActivations *acts, Arena *arena, const Lstm *lstm, int B) {
    size_t N = (size_t)B * (size_t)lstm->seq_len, H = (size_t)lstm->d_hidden;
    acts->gates = ARENA_FLOATS(arena, N * 4 * H);
    acts->c = ARENA_FLOATS(arena, N * H);
    acts->tanh_c = ARENA_FLOATS(arena, N * H);
    acts->h_prev = ARENA_FLOATS(arena, N * H);
}

void lstm_workspace_layout(LstmWorkspace *work, Arena *arena, const Lstm *lstm, int B) {
    size_t N = (size_t)B * (size_t)lstm->seq_len, H = (size_t)lstm->d_hidden;
    work->gates = ARENA_FLOATS(arena, N * 4 * H);
    work->grad_h = ARENA_FLOATS(arena, (size_t)B * H);
    work->grad_c = ARENA_FLOATS(arena, (size_t)B * H);
}

size_t lstm_scratch_size(const Lstm *lstm) {
    size_t widest = (size_t)(lstm->d_input > lstm->d_hidden ? lstm->d_input : lstm->d_hidden);
    return 4 * (size_t)lstm->d_hidden * widest;
}

static LstmCellShape cell_shape(const Lstm *lstm, int h_row, int B) {
    const int T = lstm->seq_len, H = lstm->d_hidden;
    return (LstmCellShape){
        .B = B, .H = H, .gates_row = T * 4 * H, .cell_row = T * H, .h_row = h_row};
}

/* Position read at step s, and the one read before it. */
static int position(const Lstm *lstm, int s) { return lstm->reverse ? lstm->seq_len - 1 - s : s; }

/* h_prev at position t: the output at the position read before; 0 at the first step. */
static void keep_previous(const Lstm *lstm, LstmActivations *acts, const float *out, int out_row,
                          int s, int B) {
    const int T = lstm->seq_len, H = lstm->d_hidden;
    const int t = position(lstm, s);
    for (int b = 0; b < B; b++) {
        float *h_prev_bt = acts->h_prev + (size_t)(b * T + t) * (size_t)H;
        size_t n_bytes = (size_t)H * sizeof(float);
        if (s == 0) {
            memset(h_prev_bt, 0, n_bytes);
        } else {
            int before = position(lstm, s - 1);
            memcpy(h_prev_bt, out + (size_t)(b * T + before) * (size_t)out_row, n_bytes);
        }
    }
}

void lstm_forward(const Lstm *lstm, LstmActivations *acts, float *out, int out_row, float *scratch,
                  const float *x, int B) {
    const int T = lstm->seq_len, D = lstm->d_input, H = lstm->d_hidden;
    const LstmCellShape shape = cell_shape(lstm, T * out_row, B);

    /* What the inputs contribute, for all time steps at once. */
    linear_forward(acts->gates, scratch, x, lstm->weight_ih->value, lstm->bias_ih->value, B * T, D,
                   4 * H);

    /* The recurrence: each step needs the one before. */
    transpose(scratch, lstm->weight_hh->value, H, 4 * H, H);
    for (int s = 0; s < T; s++) {
        const int t = position(lstm, s);
        float *gates_t = acts->gates + t * 4 * H;
        keep_previous(lstm, acts, out, out_row, s, B);
        for (int b = 0; b < B; b++) {
            float *gates_bt = gates_t + (size_t)b * (size_t)shape.gates_row;
            for (int u = 0; u < 4 * H; u += VEC_LANES) {
                vec_store(gates_bt + u,
                          vec_load(gates_bt + u) + vec_load(lstm->bias_hh->value + u));
            }
        }
        gemm(gates_t, shape.gates_row, gates_t, shape.gates_row, acts->h_prev + t * H, T * H, 1,
             scratch, 4 * H, B, 4 * H, H);
        const float *c_prev = s == 0 ? NULL : acts->c + position(lstm, s - 1) * H;
        lstm_cell_forward(out + t * out_row, acts->c + t * H, acts->tanh_c + t * H, gates_t, c_prev,
                          &shape);
    }
}

/*
 * Back through time: at every step the gradient of h is what the output's reader sends plus what
 * the next step sends through W_hh; the gradient of c comes along in work->grad_c. The gradients
 * of the parameters then follow from those of all pre-activations G at once:
 *     grad_W_ih = G^T x,   grad_W_hh = G^T h_prev,   both biases: the sum of G's rows.
 */
void lstm_backward(const Lstm *lstm, const LstmActivations *acts, float *grad_x, bool add_to_x,
                   LstmWorkspace *work, const float *grad_out, int out_row,
                   const float *grad_c_last, const float *x, int B) {
    const int T = lstm->seq_len, D = lstm->d_input, H = lstm->d_hidden, N = B * T;
    const LstmCellShape shape = cell_shape(lstm, H, B);
    const size_t n_state = (size_t)B * (size_t)H;

    memset(work->grad_h, 0, n_state * sizeof(float));
    memset(work->grad_c, 0, n_state * sizeof(float));
    if (grad_c_last != NULL)
        memcpy(work->grad_c, grad_c_last, n_state * sizeof(float));

    for (int s = T - 1; s >= 0; s--) {
        const int t = position(lstm, s);
        float *grad_gates_t = work->gates + t * 4 * H;
        for (int b = 0; b < B; b++) {
            const float *grad_out_bt = grad_out + (size_t)(b * T + t) * (size_t)out_row;
            for (int u = 0; u < H; u++)
                work->grad_h[b * H + u] += grad_out_bt[u];
        }
        const float *c_prev = s == 0 ? NULL : acts->c + position(lstm, s - 1) * H;
        lstm_cell_backward(grad_gates_t, work->grad_c, work->grad_h, acts->gates + t * 4 * H,
                           acts->tanh_c + t * H, c_prev, &shape);
        gemm(work->grad_h, H, NULL, 0, grad_gates_t, shape.gates_row, 1, lstm->weight_hh->value, H,
             B, H, 4 * H);
    }

    gemm(grad_x, D, add_to_x ? grad_x : NULL, D, work->gates, 4 * H, 1, lstm->weight_ih->value, D,
         N, D, 4 * H);
    linear_backward(NULL, lstm->weight_ih->grad, lstm->bias_ih->grad, work->gates, x,
                    lstm->weight_ih->value, N, D, 4 * H);
    linear_backward(NULL, lstm->weight_hh->grad, lstm->bias_hh->grad, work->gates, acts->h_prev,
                    lstm->weight_hh->value, N, H, 4 * H);
}
