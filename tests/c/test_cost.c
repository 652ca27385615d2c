#include "lesson/cost.h"
#include "support.h"

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
        cmocka_unit_test(every_kind_runs_at_the_ends_of_its_sizes),
        cmocka_unit_test(destroying_no_job_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
