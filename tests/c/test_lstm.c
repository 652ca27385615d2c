#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "nn/lstm.h"
#include "ops/lstm_cell.h"
#include "support.h"

#define MAX_DIRECTIONS 2

/* One layer of one or two directions, their outputs side by side. */
typedef struct {
    Arena arena;
    int B, n_directions;
    Lstm lstm[MAX_DIRECTIONS]; /* sizes are set in lstm[0] */
    ParameterTable params;
    LstmActivations acts[MAX_DIRECTIONS];
    LstmWorkspace work;
    float *x, *out, *grad_out, *grad_x, *grad_c, *scratch;
} Layer;

static size_t out_size(const Layer *l) {
    return (size_t)(l->B * l->lstm[0].seq_len * l->n_directions * l->lstm[0].d_hidden);
}

static size_t x_size(const Layer *l) {
    return (size_t)(l->B * l->lstm[0].seq_len * l->lstm[0].d_input);
}

static void layout(void *context, Arena *arena) {
    Layer *l = context;
    params_clear(&l->params);
    for (int d = 0; d < l->n_directions; d++) {
        l->lstm[d] = l->lstm[0];
        l->lstm[d].reverse = d == 1;
        lstm_define(&l->lstm[d], &l->params, "");
    }
    params_layout(&l->params, arena);
    for (int d = 0; d < l->n_directions; d++)
        lstm_layout(&l->acts[d], arena, &l->lstm[d], l->B);
    lstm_workspace_layout(&l->work, arena, &l->lstm[0], l->B);
    l->x = ARENA_FLOATS(arena, x_size(l));
    l->grad_x = ARENA_FLOATS(arena, x_size(l));
    l->out = ARENA_FLOATS(arena, out_size(l));
    l->grad_out = ARENA_FLOATS(arena, out_size(l));
    l->grad_c = ARENA_FLOATS(arena, l->n_directions * l->B * l->lstm[0].d_hidden);
    l->scratch = ARENA_FLOATS(arena, lstm_scratch_size(&l->lstm[0]));
}

static Layer *make_layer(int B, int T, int D, int H, int n_directions) {
    Layer *l = calloc(1, sizeof *l);
    assert_non_null(l);
    l->B = B;
    l->n_directions = n_directions;
    l->lstm[0] = (Lstm){.seq_len = T, .d_input = D, .d_hidden = H};
    l->arena = lay_out(layout, l);
    randomise_params(&l->params, 0.5f, 1);
    Rng rng;
    rng_seed(&rng, 2);
    rng_randn(&rng, l->x, x_size(l));
    rng_randn(&rng, l->grad_out, out_size(l));
    return l;
}

static void free_layer(Layer *l) {
    arena_destroy(&l->arena);
    free(l);
}

static void forward(Layer *l) {
    const int H = l->lstm[0].d_hidden, row = l->n_directions * H;
    for (int d = 0; d < l->n_directions; d++)
        lstm_forward(&l->lstm[d], &l->acts[d], l->out + d * H, row, l->scratch, l->x, l->B);
}

static void backward(Layer *l) {
    const int H = l->lstm[0].d_hidden, row = l->n_directions * H;
    params_zero_grads(&l->params);
    for (int d = 0; d < l->n_directions; d++) {
        lstm_backward(&l->lstm[d], &l->acts[d], l->grad_x, d == 1, &l->work, l->grad_out + d * H,
                      row, l->grad_c + d * l->B * H, l->x, l->B);
    }
}

/* The place where a direction ends. */
static int last_place(const Layer *l, int direction) {
    return direction == 0 ? l->lstm[0].seq_len - 1 : 0;
}

/* outputs weighed unevenly, and the final cell states by grad_c */
static double value(void *context) {
    Layer *l = context;
    const int T = l->lstm[0].seq_len, H = l->lstm[0].d_hidden;
    forward(l);
    double sum = weighted_sum(l->out, l->grad_out, out_size(l));
    for (int d = 0; d < l->n_directions; d++) {
        for (int b = 0; b < l->B; b++) {
            sum += weighted_sum(l->acts[d].c + (b * T + last_place(l, d)) * H,
                                l->grad_c + (d * l->B + b) * H, (size_t)H);
        }
    }
    return sum;
}

/*
 * PyTorch's scalar also weighs the final states h_n and c_n: the gradient of h_n joins that of the
 * output at the last place, the one of c_n is handed over.
 */
static void check_golden(const char *name, int n_directions) {
    Golden *golden = golden_open("layers_lstm.json");
    const Golden *c = golden_at(golden, name), *x = golden_at(golden, "x");
    const int B = x->shape[0], T = x->shape[1], D = x->shape[2];
    const int H = golden_at(c, "h_n")->shape[2], row = n_directions * H;
    const Golden *h_n = golden_at(c, "h_n"), *c_n = golden_at(c, "c_n");
    Layer *l = make_layer(B, T, D, H, n_directions);
    golden_read_params(&l->params, golden_at(c, "params"));
    memcpy(l->x, x->floats, x->size * sizeof(float));
    memcpy(l->grad_out, golden_at(c, "dout")->floats, out_size(l) * sizeof(float));
    memcpy(l->grad_c, golden_at(c, "dc")->floats, c_n->size * sizeof(float));
    for (int d = 0; d < n_directions; d++) {
        for (int b = 0; b < B; b++) {
            float *at_end = l->grad_out + (b * T + last_place(l, d)) * row + d * H;
            for (int h = 0; h < H; h++)
                at_end[h] += golden_at(c, "dh")->floats[(d * B + b) * H + h];
        }
    }
    forward(l);
    assert_golden(l->out, golden_at(c, "out"));
    Pool pool = {NULL};
    float *h_last = pool_floats(&pool, h_n->size), *c_last = pool_floats(&pool, c_n->size);
    for (int d = 0; d < n_directions; d++) {
        for (int b = 0; b < B; b++) {
            const int place = b * T + last_place(l, d);
            memcpy(h_last + (d * B + b) * H, l->out + place * row + d * H,
                   (size_t)H * sizeof(float));
            memcpy(c_last + (d * B + b) * H, l->acts[d].c + place * H, (size_t)H * sizeof(float));
        }
    }
    assert_golden(h_last, h_n);
    assert_golden(c_last, c_n);
    backward(l);
    assert_golden(l->grad_x, golden_at(c, "d_x"));
    assert_golden_grads(&l->params, c, "d_");
    pool_free(&pool);
    free_layer(l);
    golden_close(golden);
}

TEST(one_direction_is_pytorchs) { check_golden("one_direction", 1); }

TEST(both_directions_are_pytorchs) { check_golden("bidirectional", 2); }

TEST(gradients_match_differences) {
    static const int SHAPES[][4] = {{1, 1, 1, 1}, {2, 2, 3, 4}, {3, 4, 2, 5}};
    for (size_t i = 0; i < COUNT_OF(SHAPES); i++) {
        for (int n_directions = 1; n_directions <= 2; n_directions++) {
            const int *n = SHAPES[i];
            Layer *l = make_layer(n[0], n[1], n[2], n[3], n_directions);
            Rng rng;
            rng_seed(&rng, 3);
            rng_randn(&rng, l->grad_c, (size_t)(n_directions * n[0] * n[3]));
            forward(l);
            backward(l);
            assert_gradient("x", l->grad_x, l->x, x_size(l), value, l);
            for (int p = 0; p < l->params.n; p++) {
                const Parameter *parameter = &l->params.items[p];
                assert_gradient(parameter->name, parameter->grad, parameter->value, parameter->size,
                                value, l);
            }
            free_layer(l);
        }
    }
}

TEST(a_direction_sees_only_what_it_has_read) {
    enum { T = 6, D = 3, H = 4 };
    for (int changed = 0; changed < T; changed++) {
        Layer *plain = make_layer(1, T, D, H, 2), *other = make_layer(1, T, D, H, 2);
        other->x[changed * D] += 1.0f;
        forward(plain);
        forward(other);
        for (int t = 0; t < T; t++) {
            const float *a = plain->out + t * 2 * H, *b = other->out + t * 2 * H;
            assert_int_equal(floats_differ(a, b, H), t >= changed);
            assert_int_equal(floats_differ(a + H, b + H, H), t <= changed);
        }
        free_layer(plain);
        free_layer(other);
    }
}

TEST(one_step_by_hand) {
    /* Gates i, f and o stand open half way, g is tanh(1): c = 0.5 c_prev + 0.5 tanh(1). */
    const LstmCellShape shape = {.B = 1, .H = 1, .gates_row = 4, .cell_row = 1, .h_row = 1};
    float gates[] = {0.0f, 0.0f, 1.0f, 0.0f}, h, c, tanh_c;
    const float c_prev = 2.0f;
    lstm_cell_forward(&h, &c, &tanh_c, gates, &c_prev, &shape);
    const double expected_c = 1.0 + 0.5 * tanh(1.0);
    assert_near("c", (double)c, expected_c, 1e-6);
    assert_near("h", (double)h, 0.5 * tanh(expected_c), 1e-6);
    const float expected_gates[] = {0.5f, 0.5f, (float)tanh(1.0), 0.5f};
    assert_floats_near("gates", gates, expected_gates, 4, 1e-6);
    float start[] = {0.0f, 0.0f, 1.0f, 0.0f};
    lstm_cell_forward(&h, &c, &tanh_c, start, NULL, &shape);
    assert_near("c from nothing", (double)c, 0.5 * tanh(1.0), 1e-6);
}

TEST(gates_driven_to_their_ends_stay_finite) {
    enum { H = 5 };
    const LstmCellShape shape = {.B = 1, .H = H, .gates_row = 4 * H, .cell_row = H, .h_row = H};
    static const float DRIVES[] = {1e4f, -1e4f, 100.0f, -100.0f};
    for (size_t i = 0; i < COUNT_OF(DRIVES); i++) {
        float gates[4 * H], h[H], c[H], tanh_c[H], c_prev[H], grad_gates[4 * H];
        float grad_c[H] = {0}, grad_h[H];
        for (int k = 0; k < 4 * H; k++)
            gates[k] = DRIVES[i];
        for (int k = 0; k < H; k++) {
            c_prev[k] = 1e4f;
            grad_h[k] = 1.0f;
        }
        lstm_cell_forward(h, c, tanh_c, gates, c_prev, &shape);
        lstm_cell_backward(grad_gates, grad_c, grad_h, gates, tanh_c, c_prev, &shape);
        assert_finite("gates", gates, (size_t)4 * H);
        assert_finite("h", h, H);
        assert_finite("grad_gates", grad_gates, (size_t)4 * H);
        assert_finite("grad_c", grad_c, H);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_direction_is_pytorchs),
        cmocka_unit_test(both_directions_are_pytorchs),
        cmocka_unit_test(gradients_match_differences),
        cmocka_unit_test(a_direction_sees_only_what_it_has_read),
        cmocka_unit_test(one_step_by_hand),
        cmocka_unit_test(gates_driven_to_their_ends_stay_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
