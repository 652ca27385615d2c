/*
 * What a layer is said to cost, and what it does. The linker sends every matrix product of this
 * program to the function below (build.mk: --wrap), which counts its multiply-adds.
 */
#include "lesson/cost.h"
#include "ops/gemm.h"
#include "support.h"

/* Reset by every test that uses it. */
static double products;

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the linker's names */
void __real_gemm(float *c, int c_row, const float *init, int init_row, const float *a, int a_row,
                 int a_col, const float *b, int b_row, int M, int N, int K);
void __wrap_gemm(float *c, int c_row, const float *init, int init_row, const float *a, int a_row,
                 int a_col, const float *b, int b_row, int M, int N, int K);

void __wrap_gemm(float *c, int c_row, const float *init, int init_row, const float *a, int a_row,
                 int a_col, const float *b, int b_row, int M, int N, int K) {
    products += (double)M * (double)N * (double)K;
    __real_gemm(c, c_row, init, init_row, a, a_row, a_col, b, b_row, M, N, K);
}
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */

TEST(multiply_adds_by_hand) {
    /* Three places, width 2. Attention: 9 scores and 3 x 2 sums of 3, each of 2 or 3 products. */
    assert_true(cost_multiply_adds(COST_ATTENTION, 3, 2) == 9 * 2 + 6 * 3);
    assert_true(cost_multiply_adds(COST_SELF_ATTENTION, 3, 2) == 36 + 4 * 3 * 2 * 2);
    /* Eight products of width x width a place. */
    assert_true(cost_multiply_adds(COST_LSTM, 3, 2) == 8 * 3 * 4);
}

TEST(costs_grow_as_the_lesson_says) {
    /* Twice the length: four times the attention, twice the recurrence. */
    assert_true(cost_multiply_adds(COST_ATTENTION, 200, 32) ==
                4 * cost_multiply_adds(COST_ATTENTION, 100, 32));
    assert_true(cost_multiply_adds(COST_LSTM, 200, 32) ==
                2 * cost_multiply_adds(COST_LSTM, 100, 32));
}

TEST(the_formula_is_the_number_of_products_computed) {
    static const int LENGTHS[] = {1, 2, 7, 10, 64, 129}, WIDTHS[] = {1, 3, 16, 32, 96};
    for (int kind = 0; kind < COST_KINDS; kind++) {
        for (size_t i = 0; i < COUNT_OF(LENGTHS) * COUNT_OF(WIDTHS); i++) {
            const int n = LENGTHS[i / COUNT_OF(WIDTHS)], d = WIDTHS[i % COUNT_OF(WIDTHS)];
            CostJob *job = cost_create((CostKind)kind, n, d);
            assert_non_null(job);
            products = 0.0;
            cost_run(job, 1);
            assert_true(products == cost_multiply_adds((CostKind)kind, n, d));
            cost_run(job, 3);
            assert_true(products == 4 * cost_multiply_adds((CostKind)kind, n, d));
            cost_destroy(job);
        }
    }
}

TEST(attention_and_lstm_cost_the_same_where_the_formulas_cross) {
    for (int d = 1; d <= COST_MAX_D; d *= 2) {
        assert_true(cost_multiply_adds(COST_ATTENTION, 4 * d, d) ==
                    cost_multiply_adds(COST_LSTM, 4 * d, d));
        assert_true(cost_multiply_adds(COST_SELF_ATTENTION, 2 * d, d) ==
                    cost_multiply_adds(COST_LSTM, 2 * d, d));
        /* Before the crossing attention is cheaper, behind it dearer. */
        assert_true(cost_multiply_adds(COST_ATTENTION, 4 * d - 1, d) <
                    cost_multiply_adds(COST_LSTM, 4 * d - 1, d));
        assert_true(cost_multiply_adds(COST_SELF_ATTENTION, 2 * d + 1, d) >
                    cost_multiply_adds(COST_LSTM, 2 * d + 1, d));
    }
}

TEST(every_kind_runs_at_the_ends_of_its_sizes) {
    static const int SIZES[][2] = {{1, 1}, {1, 5}, {7, 1}, {6, 8}, {33, COST_MAX_D}};
    for (int kind = 0; kind < COST_KINDS; kind++) {
        for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
            const int n = SIZES[i][0], d = SIZES[i][1];
            CostJob *job = cost_create((CostKind)kind, n, d);
            assert_non_null(job);
            cost_run(job, 2);
            const float *out = kind == COST_SELF_ATTENTION ? job->attention_acts.out : job->out;
            assert_finite("out", out, (size_t)(n * d));
            assert_true(weighted_sum(out, out, (size_t)(n * d)) > 0.0);
            cost_destroy(job);
        }
    }
}

TEST(destroying_no_job_is_allowed) { cost_destroy(NULL); }

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multiply_adds_by_hand),
        cmocka_unit_test(costs_grow_as_the_lesson_says),
        cmocka_unit_test(the_formula_is_the_number_of_products_computed),
        cmocka_unit_test(attention_and_lstm_cost_the_same_where_the_formulas_cross),
        cmocka_unit_test(every_kind_runs_at_the_ends_of_its_sizes),
        cmocka_unit_test(destroying_no_job_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
