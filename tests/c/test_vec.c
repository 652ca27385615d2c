#include <float.h>
#include <math.h>
#include <string.h>

#include "core/vec.h"
#include "support.h"

typedef Vec4 (*Function)(Vec4);
typedef double (*Reference)(double);

static float one(Function function, float x) { return function(vec_splat(x))[0]; }

static double relative_error(double got, double exact) {
    return fabs(got - exact) / fmax(fabs(exact), (double)FLT_MIN);
}

/* The largest relative error on n points spread evenly over low .. high. */
static double worst_error(Function function, Reference reference, double low, double high, int n) {
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        float x = (float)(low + (high - low) * i / (n - 1));
        worst = fmax(worst, relative_error((double)one(function, x), reference((double)x)));
    }
    return worst;
}

/* Two units in the last place, as a share of the value. */
#define TWO_UNITS (2.0 * (double)FLT_EPSILON)

TEST(exp_is_good_to_two_units_in_the_last_place) {
    assert_true(worst_error(vec_exp, exp, -87.33, 88.37, 400001) < TWO_UNITS);
    assert_true(worst_error(vec_exp, exp, -1.0, 1.0, 100001) < TWO_UNITS);
}

TEST(tanh_is_good_to_two_units_in_the_last_place) {
    assert_true(worst_error(vec_tanh, tanh, -20.0, 20.0, 400001) < TWO_UNITS);
    assert_true(worst_error(vec_tanh, tanh, -1e-3, 1e-3, 10001) < TWO_UNITS);
}

TEST(erf_is_good_to_two_units_in_the_last_place) {
    assert_true(worst_error(vec_erf, erf, -6.0, 6.0, 400001) < TWO_UNITS);
    assert_true(worst_error(vec_erf, erf, -1e-3, 1e-3, 10001) < TWO_UNITS);
}

TEST(log_is_good_to_two_units_in_the_last_place) {
    double worst = 0.0;
    for (int i = 1; i <= 400000; i++) {
        float x = (float)i * 2.5e-4f;
        double exact = log((double)x);
        /* Near 1 the logarithm loses digits of x itself; the error is then that of x. */
        double error = fabs((double)vec_log_one(x) - exact) / fmax(fabs(exact), 0.5);
        worst = fmax(worst, error);
    }
    assert_true(worst < TWO_UNITS);
    assert_true(relative_error((double)vec_log_one(FLT_MIN), log((double)FLT_MIN)) < TWO_UNITS);
    assert_true(relative_error((double)vec_log_one(FLT_MAX), log((double)FLT_MAX)) < TWO_UNITS);
}

TEST(exp_and_log_are_exact_where_the_result_is) {
    assert_true(one(vec_exp, 0.0f) == 1.0f);
    assert_true(one(vec_exp, -0.0f) == 1.0f);
    assert_true(vec_log_one(1.0f) == 0.0f);
}

TEST(exp_vanishes_below_the_normal_numbers) {
    assert_true(one(vec_exp, -INFINITY) == 0.0f);
    assert_true(one(vec_exp, -1e30f) == 0.0f);
    assert_true(one(vec_exp, -87.34f) == 0.0f);
    assert_true(one(vec_exp, -87.32f) >= FLT_MIN);
}

TEST(exp_of_a_large_number_stays_finite) {
    static const float LARGE[] = {88.0f, 88.37626f, 88.3763f, 89.0f, 1e4f, FLT_MAX, INFINITY};
    for (size_t i = 0; i < COUNT_OF(LARGE); i++) {
        float y = one(vec_exp, LARGE[i]);
        assert_true(isfinite(y) && y > 1e38f);
    }
}

TEST(tanh_and_erf_saturate_at_exactly_one) {
    static const float LARGE[] = {10.0f, 88.0f, 1e4f, FLT_MAX, INFINITY};
    for (size_t i = 0; i < COUNT_OF(LARGE); i++) {
        assert_true(one(vec_tanh, LARGE[i]) == 1.0f);
        assert_true(one(vec_erf, LARGE[i]) == 1.0f);
        assert_true(one(vec_tanh, -LARGE[i]) == -1.0f);
        assert_true(one(vec_erf, -LARGE[i]) == -1.0f);
    }
}

TEST(tanh_and_erf_are_odd) {
    for (int i = 0; i <= 1000; i++) {
        float x = (float)i * 0.01f;
        assert_true(one(vec_tanh, -x) == -one(vec_tanh, x));
        assert_true(one(vec_erf, -x) == -one(vec_erf, x));
    }
}

TEST(no_number_stays_no_number) {
    assert_true(isnan(one(vec_exp, NAN)));
    assert_true(isnan(one(vec_tanh, NAN)));
    assert_true(isnan(one(vec_erf, NAN)));
    assert_true(isnan(vec_log_one(NAN)));
    assert_true(vec_log_one(INFINITY) == INFINITY);
}

TEST(lanes_do_not_touch_each_other) {
    const Vec4 mixed = {NAN, -INFINITY, 0.0f, 1.0f};
    Vec4 y = vec_exp(mixed);
    assert_true(isnan(y[0]) && y[1] == 0.0f && y[2] == 1.0f);
    assert_true(y[3] == one(vec_exp, 1.0f));
}

TEST(a_part_of_a_vector_reads_and_writes_only_its_own_floats) {
    Pool pool = {NULL};
    for (int n = 1; n <= VEC_LANES; n++) {
        /* Blocks of exactly n floats: one more is a fault the sanitizer reports. */
        float *in = pool_randn(&pool, (size_t)n, 1);
        float *out = pool_floats(&pool, (size_t)n);
        Vec4 v = vec_load_part(in, n, 7.0f);
        for (int i = n; i < VEC_LANES; i++)
            assert_true(v[i] == 7.0f);
        vec_store_part(out, v, n);
        assert_floats_same("out", out, in, (size_t)n);
    }
    pool_free(&pool);
}

TEST(lanes_are_summed_in_their_fixed_order) {
    const Vec4 v = {1e8f, 1.0f, -1e8f, 3.0f};
    assert_true(vec_sum(v) == 4.0f);
    const Vec4 turned = {1e8f, -1e8f, 1.0f, 3.0f};
    assert_true(vec_sum(turned) == (1e8f + 1.0f) + (-1e8f + 3.0f));
}

TEST(the_largest_lane_is_found_wherever_it_is) {
    for (int i = 0; i < VEC_LANES; i++) {
        Vec4 v = vec_splat(-2.0f);
        v[i] = -1.0f;
        assert_true(vec_largest(v) == -1.0f);
    }
    const Vec4 a = {1.0f, -2.0f, 0.0f, -INFINITY}, b = {-1.0f, 2.0f, 0.0f, -5.0f};
    const float expected[VEC_LANES] = {1.0f, 2.0f, 0.0f, -5.0f};
    float larger[VEC_LANES];
    vec_store(larger, vec_max(a, b));
    assert_floats_same("max", larger, expected, VEC_LANES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_is_good_to_two_units_in_the_last_place),
        cmocka_unit_test(tanh_is_good_to_two_units_in_the_last_place),
        cmocka_unit_test(erf_is_good_to_two_units_in_the_last_place),
        cmocka_unit_test(log_is_good_to_two_units_in_the_last_place),
        cmocka_unit_test(exp_and_log_are_exact_where_the_result_is),
        cmocka_unit_test(exp_vanishes_below_the_normal_numbers),
        cmocka_unit_test(exp_of_a_large_number_stays_finite),
        cmocka_unit_test(tanh_and_erf_saturate_at_exactly_one),
        cmocka_unit_test(tanh_and_erf_are_odd),
        cmocka_unit_test(no_number_stays_no_number),
        cmocka_unit_test(lanes_do_not_touch_each_other),
        cmocka_unit_test(a_part_of_a_vector_reads_and_writes_only_its_own_floats),
        cmocka_unit_test(lanes_are_summed_in_their_fixed_order),
        cmocka_unit_test(the_largest_lane_is_found_wherever_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
