#include <math.h>
#include <string.h>

#include "golden.h"
#include "ops/activation.h"
#include "ops/linear.h"
#include "support.h"

static const Activation ALL[] = {ACTIVATION_RELU, ACTIVATION_GELU, ACTIVATION_GELU_TANH};

typedef struct {
    Activation activation;
    int n;
    float *x, *out, *grad_out;
} Curve;

static double value(void *context) {
    Curve *c = context;
    activation_forward(c->out, c->x, c->activation, c->n);
    return weighted_sum(c->out, c->grad_out, (size_t)c->n);
}

static void check_curve(const Golden *curve, Activation activation) {
    Pool pool = {NULL};
    const Golden *x = golden_at(curve, "x");
    float *out = pool_floats(&pool, x->size), *grad = pool_floats(&pool, x->size);
    activation_forward(out, x->floats, activation, (int)x->size);
    assert_golden(out, golden_at(curve, "out"));
    for (size_t i = 0; i < x->size; i++)
        grad[i] = 1.0f;
    activation_backward(grad, grad, x->floats, activation, (int)x->size);
    assert_golden(grad, golden_at(curve, "d_x"));
    pool_free(&pool);
}

TEST(both_gelu_curves_are_pytorchs) {
    Golden *golden = golden_open("layers_basic.json");
    check_curve(golden_at(golden, "gelu"), ACTIVATION_GELU);
    check_curve(golden_at(golden, "gelu_tanh"), ACTIVATION_GELU_TANH);
    golden_close(golden);
}

/* Linear(16, 24), activation, Linear(24, 16), as the golden's feed_forward. */
static void check_feed_forward(const Golden *golden, const char *name, Activation activation) {
    enum { N = 14, D = 16, F = 24 };
    const Golden *expected = golden_at(golden, name);
    const float *x = golden_at(golden, "x")->floats;
    const float *weight1 = golden_at(golden, "params", "0.weight")->floats;
    const float *bias1 = golden_at(golden, "params", "0.bias")->floats;
    const float *weight2 = golden_at(golden, "params", "2.weight")->floats;
    const float *bias2 = golden_at(golden, "params", "2.bias")->floats;
    float scratch[F * D], hidden[N * F], active[N * F], out[N * D];
    linear_forward(hidden, scratch, x, weight1, bias1, N, D, F);
    activation_forward(active, hidden, activation, N * F);
    linear_forward(out, scratch, active, weight2, bias2, N, F, D);
    assert_golden(out, golden_at(expected, "out"));

    float grad_hidden[N * F], grad_x[N * D];
    float grad_weight1[F * D] = {0}, grad_bias1[F] = {0}, grad_weight2[D * F] = {0};
    float grad_bias2[D] = {0};
    linear_backward(grad_hidden, grad_weight2, grad_bias2, golden_at(golden, "dout")->floats,
                    active, weight2, N, F, D);
    activation_backward(grad_hidden, grad_hidden, hidden, activation, N * F);
    linear_backward(grad_x, grad_weight1, grad_bias1, grad_hidden, x, weight1, N, D, F);
    assert_golden(grad_x, golden_at(expected, "d_x"));
    assert_golden(grad_weight1, golden_at(expected, "d_0.weight"));
    assert_golden(grad_bias1, golden_at(expected, "d_0.bias"));
    assert_golden(grad_weight2, golden_at(expected, "d_2.weight"));
    assert_golden(grad_bias2, golden_at(expected, "d_2.bias"));
}

TEST(a_feed_forward_network_is_pytorchs) {
    Golden *golden = golden_open("layers_basic.json");
    const Golden *feed_forward = golden_at(golden, "feed_forward");
    check_feed_forward(feed_forward, "relu", ACTIVATION_RELU);
    check_feed_forward(feed_forward, "gelu", ACTIVATION_GELU);
    golden_close(golden);
}

TEST(relu_cuts_off_below_zero_and_its_slope_at_zero_is_zero) {
    const float x[] = {-2.0f, -0.0f, 0.0f, 0.5f, 3.0f}, grad_out[] = {1, 1, 1, 1, 2};
    const float expected[] = {0, 0, 0, 0.5f, 3}, expected_grad[] = {0, 0, 0, 1, 2};
    float out[5], grad[5];
    activation_forward(out, x, ACTIVATION_RELU, 5);
    assert_floats_near("out", out, expected, 5, 0.0);
    activation_backward(grad, grad_out, x, ACTIVATION_RELU, 5);
    assert_floats_near("grad", grad, expected_grad, 5, 0.0);
}

TEST(gelu_at_one_is_the_normal_distribution_there) {
    const float x = 1.0f;
    float out;
    activation_forward(&out, &x, ACTIVATION_GELU, 1);
    assert_near("gelu(1)", (double)out, 0.841344746, 1e-6); /* Phi(1) */
    activation_forward(&out, &x, ACTIVATION_GELU_TANH, 1);
    assert_near("gelu_tanh(1)", (double)out, 0.841191990, 1e-6);
}

TEST(slopes_match_differences_at_every_length) {
    for (size_t a = 0; a < COUNT_OF(ALL); a++) {
        for (int n = 1; n <= 13; n++) {
            Pool pool = {NULL};
            Curve c = {.activation = ALL[a], .n = n};
            c.x = pool_randn(&pool, (size_t)n, 20);
            c.out = pool_floats(&pool, (size_t)n);
            c.grad_out = pool_randn(&pool, (size_t)n, 21);
            /* Differences would see both sides of relu's kink. */
            for (int i = 0; i < n; i++)
                assert_true(fabsf(c.x[i]) > 2e-3f);
            float *grad = pool_floats(&pool, (size_t)n);
            activation_backward(grad, c.grad_out, c.x, c.activation, n);
            assert_gradient("slope", grad, c.x, (size_t)n, value, &c);
            pool_free(&pool);
        }
    }
}

TEST(a_gradient_may_be_overwritten_in_place) {
    for (size_t a = 0; a < COUNT_OF(ALL); a++) {
        Pool pool = {NULL};
        const float *x = pool_randn(&pool, 11, 3);
        float *grad = pool_randn(&pool, 11, 4), *apart = pool_floats(&pool, 11);
        activation_backward(apart, grad, x, ALL[a], 11);
        activation_backward(grad, grad, x, ALL[a], 11);
        assert_floats_same("grad", grad, apart, 11);
        pool_free(&pool);
    }
}

TEST(large_inputs_stay_finite_and_no_number_stays_no_number) {
    const float x[] = {1e4f, -1e4f, 1e30f, -1e30f, NAN, 1.0f};
    const float ones[] = {1, 1, 1, 1, 1, 1};
    for (size_t a = 0; a < COUNT_OF(ALL); a++) {
        float out[6], grad[6];
        activation_forward(out, x, ALL[a], 6);
        assert_true(out[0] == 1e4f && out[2] == 1e30f);
        assert_true(out[1] == 0.0f && out[3] == 0.0f);
        assert_true(isnan(out[4]) && !isnan(out[5]));
        activation_backward(grad, ones, x, ALL[a], 6);
        assert_true(grad[0] == 1.0f && grad[2] == 1.0f);
        assert_true(grad[1] == 0.0f && grad[3] == 0.0f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_gelu_curves_are_pytorchs),
        cmocka_unit_test(a_feed_forward_network_is_pytorchs),
        cmocka_unit_test(relu_cuts_off_below_zero_and_its_slope_at_zero_is_zero),
        cmocka_unit_test(gelu_at_one_is_the_normal_distribution_there),
        cmocka_unit_test(slopes_match_differences_at_every_length),
        cmocka_unit_test(a_gradient_may_be_overwritten_in_place),
        cmocka_unit_test(large_inputs_stay_finite_and_no_number_stays_no_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
