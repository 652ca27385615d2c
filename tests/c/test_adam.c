#include <math.h>
#include <string.h>

#include "golden.h"
#include "support.h"
#include "train/adam.h"

/* The README's bound for this file. */
#define TOLERANCE 2e-7

typedef struct {
    Adam adam;
    size_t n;
} Optimiser;

static void layout(void *context, Arena *arena) {
    Optimiser *optimiser = context;
    adam_layout(&optimiser->adam, arena, optimiser->n);
}

static void check_rate(const Golden *golden, const char *key, float learning_rate) {
    const Golden *start = golden_at(golden, "p0"), *grads = golden_at(golden, "grads");
    const Golden *expected = golden_at(golden, key);
    const size_t n = start->size, n_steps = (size_t)grads->shape[0];
    Pool pool = {NULL};
    Optimiser optimiser = {.n = n};
    Arena arena = lay_out(layout, &optimiser);
    float *values = pool_copy(&pool, start->floats, n);
    float *p = pool_floats(&pool, grads->size), *m = pool_floats(&pool, grads->size);
    float *v = pool_floats(&pool, grads->size);
    for (size_t step = 0; step < n_steps; step++) {
        adam_step(&optimiser.adam, values, grads->floats + step * n, learning_rate);
        memcpy(p + step * n, values, n * sizeof *p);
        memcpy(m + step * n, optimiser.adam.m, n * sizeof *m);
        memcpy(v + step * n, optimiser.adam.v, n * sizeof *v);
    }
    assert_golden_near(p, golden_at(expected, "p"), TOLERANCE);
    assert_golden(m, golden_at(expected, "m"));
    assert_golden(v, golden_at(expected, "v"));
    arena_destroy(&arena);
    pool_free(&pool);
}

TEST(three_steps_are_pytorchs) {
    Golden *golden = golden_open("adam.json");
    check_rate(golden, "lr_0.003", 0.003f);
    check_rate(golden, "lr_0.001", 0.001f);
    golden_close(golden);
}

TEST(the_first_step_moves_by_the_learning_rate_against_the_gradient) {
    for (size_t n = 1; n <= 9; n++) {
        Pool pool = {NULL};
        Optimiser optimiser = {.n = n};
        Arena arena = lay_out(layout, &optimiser);
        float *values = pool_floats(&pool, n);
        const float *grads = pool_randn(&pool, n, 3);
        adam_step(&optimiser.adam, values, grads, 0.5f);
        for (size_t i = 0; i < n; i++)
            assert_near("value", (double)values[i], grads[i] > 0.0f ? -0.5 : 0.5, 1e-6);
        arena_destroy(&arena);
        pool_free(&pool);
    }
}

TEST(without_a_gradient_nothing_moves) {
    Pool pool = {NULL};
    Optimiser optimiser = {.n = 7};
    Arena arena = lay_out(layout, &optimiser);
    const float *start = pool_randn(&pool, 7, 1), *zeros = pool_floats(&pool, 7);
    float *values = pool_copy(&pool, start, 7);
    for (int step = 0; step < 5; step++)
        adam_step(&optimiser.adam, values, zeros, 10.0f);
    assert_floats_same("values", values, start, 7);
    arena_destroy(&arena);
    pool_free(&pool);
}

TEST(many_steps_follow_the_formula_in_double) {
    enum { N = 5, STEPS = 500 };
    Pool pool = {NULL};
    Optimiser optimiser = {.n = N};
    Arena arena = lay_out(layout, &optimiser);
    float *values = pool_randn(&pool, N, 1);
    const float *grads = pool_randn(&pool, (size_t)N * STEPS, 2);
    double p[N], m[N] = {0}, v[N] = {0};
    for (int i = 0; i < N; i++)
        p[i] = (double)values[i];
    for (int step = 0; step < STEPS; step++) {
        adam_step(&optimiser.adam, values, grads + step * N, 0.01f);
        for (int i = 0; i < N; i++) {
            double g = (double)grads[step * N + i];
            m[i] = 0.9 * m[i] + 0.1 * g;
            v[i] = 0.999 * v[i] + 0.001 * g * g;
            double m_hat = m[i] / (1.0 - pow(0.9, step + 1));
            double v_hat = v[i] / (1.0 - pow(0.999, step + 1));
            p[i] -= (double)0.01f * m_hat / (sqrt(v_hat) + 1e-8);
        }
    }
    /* 500 roundings of values of about 1. */
    for (int i = 0; i < N; i++)
        assert_near("value", (double)values[i], p[i], 500 * 6e-8 * 2.0);
    arena_destroy(&arena);
    pool_free(&pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_steps_are_pytorchs),
        cmocka_unit_test(the_first_step_moves_by_the_learning_rate_against_the_gradient),
        cmocka_unit_test(without_a_gradient_nothing_moves),
        cmocka_unit_test(many_steps_follow_the_formula_in_double),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
