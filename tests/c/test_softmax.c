#include <math.h>
#include <string.h>

#include "ops/softmax.h"
#include "support.h"

#define LONGEST 17

typedef struct {
    int n;
    float *x, *out, *grad_out;
} Row;

static double value(void *context) {
    Row *r = context;
    softmax_forward(r->out, r->x, r->n);
    return weighted_sum(r->out, r->grad_out, (size_t)r->n);
}

TEST(a_row_by_hand) {
    const float x[] = {0.0f, logf(2.0f), logf(4.0f), logf(0.5f), logf(0.5f)};
    const float expected[] = {1.0f / 8, 2.0f / 8, 4.0f / 8, 0.5f / 8, 0.5f / 8};
    float out[5];
    softmax_forward(out, x, 5);
    assert_floats_near("out", out, expected, 5, 1e-7);
}

TEST(every_row_sums_to_1) {
    for (int n = 1; n <= LONGEST; n++) {
        Pool pool = {NULL};
        float *x = pool_randn(&pool, (size_t)n, (uint32_t)n), *out = pool_floats(&pool, (size_t)n);
        for (int spread = 0; spread < 6; spread++) {
            softmax_forward(out, x, n);
            assert_finite("out", out, (size_t)n);
            assert_near("sum", sum_of(out, (size_t)n), 1.0, 1e-6);
            for (int i = 0; i < n; i++)
                x[i] *= 10.0f;
        }
        pool_free(&pool);
    }
}

TEST(equal_scores_share_the_weight_equally) {
    static const float SCORES[] = {0.0f, 1e4f, -1e4f, 3.5f};
    for (size_t s = 0; s < COUNT_OF(SCORES); s++) {
        for (int n = 1; n <= LONGEST; n++) {
            float x[LONGEST], out[LONGEST];
            for (int i = 0; i < n; i++)
                x[i] = SCORES[s];
            softmax_forward(out, x, n);
            for (int i = 0; i < n; i++)
                assert_true(out[i] == 1.0f / (float)n);
        }
    }
}

TEST(scores_of_ten_thousand_stay_finite) {
    const float x[] = {1e4f, -1e4f, 0.0f, 1e4f, -1e4f};
    const float expected[] = {0.5f, 0, 0, 0.5f, 0}, grad_out[] = {1, 2, 3, 4, 5};
    float out[5], grad[5];
    softmax_forward(out, x, 5);
    assert_floats_near("out", out, expected, 5, 0.0);
    softmax_backward(grad, grad_out, out, 5);
    const float expected_grad[] = {-0.75f, 0, 0, 0.75f, 0};
    assert_floats_near("grad", grad, expected_grad, 5, 0.0);
}

TEST(a_score_of_minus_infinity_has_no_weight) {
    const float x[] = {1.0f, -INFINITY, 1.0f, -INFINITY, -INFINITY, 1.0f, 1.0f};
    const float expected[] = {0.25f, 0, 0.25f, 0, 0, 0.25f, 0.25f};
    float out[7];
    softmax_forward(out, x, 7);
    assert_floats_same("out", out, expected, 7);
}

TEST(adding_a_number_to_every_score_changes_nothing) {
    Pool pool = {NULL};
    float *x = pool_randn(&pool, 13, 1), plain[13], shifted[13];
    /* Few digits, so that the shift is exact. */
    for (int i = 0; i < 13; i++)
        x[i] = roundf(x[i] * 64.0f) / 64.0f;
    softmax_forward(plain, x, 13);
    for (int i = 0; i < 13; i++)
        x[i] += 1024.0f;
    softmax_forward(shifted, x, 13);
    assert_floats_same("shifted", shifted, plain, 13);
    pool_free(&pool);
}

TEST(permuted_scores_have_permuted_weights) {
    for (int n = 2; n <= LONGEST; n++) {
        Pool pool = {NULL};
        const float *x = pool_randn(&pool, (size_t)n, 5);
        float turned[LONGEST], plain[LONGEST], out[LONGEST], expected[LONGEST];
        for (int i = 0; i < n; i++)
            turned[i] = x[(i + 1) % n];
        softmax_forward(plain, x, n);
        softmax_forward(out, turned, n);
        for (int i = 0; i < n; i++)
            expected[i] = plain[(i + 1) % n];
        assert_floats_near("turned", out, expected, (size_t)n, 1e-7);
        pool_free(&pool);
    }
}

TEST(rows_may_be_overwritten_in_place) {
    for (int n = 1; n <= LONGEST; n++) {
        Pool pool = {NULL};
        float *x = pool_randn(&pool, (size_t)n, 5), *grad = pool_randn(&pool, (size_t)n, 6);
        float out[LONGEST], grad_x[LONGEST];
        softmax_forward(out, x, n);
        softmax_backward(grad_x, grad, out, n);
        softmax_forward(x, x, n);
        softmax_backward(grad, grad, x, n);
        assert_floats_same("out", x, out, (size_t)n);
        assert_floats_same("grad", grad, grad_x, (size_t)n);
        pool_free(&pool);
    }
}

TEST(gradients_match_differences_and_sum_to_0) {
    for (int n = 1; n <= LONGEST; n++) {
        Pool pool = {NULL};
        Row r = {.n = n};
        r.x = pool_randn(&pool, (size_t)n, 7);
        r.out = pool_floats(&pool, (size_t)n);
        r.grad_out = pool_randn(&pool, (size_t)n, 8);
        float *grad = pool_floats(&pool, (size_t)n);
        (void)value(&r);
        softmax_backward(grad, r.grad_out, r.out, n);
        assert_near("sum", sum_of(grad, (size_t)n), 0.0, 1e-6);
        assert_gradient("x", grad, r.x, (size_t)n, value, &r);
        pool_free(&pool);
    }
}

TEST(the_largest_is_found_at_every_place) {
    for (int n = 1; n <= LONGEST; n++) {
        for (int place = 0; place < n; place++) {
            float x[LONGEST];
            for (int i = 0; i < n; i++)
                x[i] = -5.0f - (float)i;
            x[place] = -4.0f;
            assert_true(softmax_largest(x, n) == -4.0f);
        }
    }
}

TEST(no_number_in_a_row_is_not_hidden) {
    for (int n = 1; n <= LONGEST; n++) {
        for (int place = 0; place < n; place++) {
            float x[LONGEST] = {0}, out[LONGEST];
            x[place] = NAN;
            softmax_forward(out, x, n);
            for (int i = 0; i < n; i++)
                assert_true(isnan(out[i]));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_by_hand),
        cmocka_unit_test(every_row_sums_to_1),
        cmocka_unit_test(equal_scores_share_the_weight_equally),
        cmocka_unit_test(scores_of_ten_thousand_stay_finite),
        cmocka_unit_test(a_score_of_minus_infinity_has_no_weight),
        cmocka_unit_test(adding_a_number_to_every_score_changes_nothing),
        cmocka_unit_test(permuted_scores_have_permuted_weights),
        cmocka_unit_test(rows_may_be_overwritten_in_place),
        cmocka_unit_test(gradients_match_differences_and_sum_to_0),
        cmocka_unit_test(the_largest_is_found_at_every_place),
        cmocka_unit_test(no_number_in_a_row_is_not_hidden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
