#include <math.h>
#include <string.h>

#include "golden.h"
#include "ops/layernorm.h"
#include "support.h"

typedef struct {
    Pool pool;
    int N, D;
    float *x, *gain, *bias, *out, *mean, *rstd, *grad_out;
    float *grad_x, *grad_gain, *grad_bias;
} Norm;

static Norm make_norm(int N, int D) {
    Norm l = {.pool = {NULL}, .N = N, .D = D};
    const size_t ND = (size_t)N * (size_t)D;
    l.x = pool_randn(&l.pool, ND, 1);
    l.gain = pool_randn(&l.pool, (size_t)D, 2);
    l.bias = pool_randn(&l.pool, (size_t)D, 3);
    l.grad_out = pool_randn(&l.pool, ND, 4);
    l.out = pool_floats(&l.pool, ND);
    l.mean = pool_floats(&l.pool, (size_t)N);
    l.rstd = pool_floats(&l.pool, (size_t)N);
    l.grad_x = pool_randn(&l.pool, ND, 5);
    l.grad_gain = pool_floats(&l.pool, (size_t)D);
    l.grad_bias = pool_floats(&l.pool, (size_t)D);
    return l;
}

static void forward(Norm *l) {
    layernorm_forward(l->out, l->mean, l->rstd, l->x, l->gain, l->bias, l->N, l->D);
}

static void backward(Norm *l) {
    layernorm_backward(l->grad_x, l->grad_gain, l->grad_bias, l->grad_out, l->x, l->mean, l->rstd,
                       l->gain, l->N, l->D);
}

static double value(void *context) {
    Norm *l = context;
    forward(l);
    return weighted_sum(l->out, l->grad_out, (size_t)(l->N * l->D));
}

static void check_golden(const char *name) {
    Golden *golden = golden_open("layers_basic.json");
    const Golden *expected = golden_at(golden, name);
    const Golden *x = golden_at(expected, "x"), *gain = golden_at(expected, "params", "weight");
    assert_true((float)golden_number(expected, "eps") == LAYERNORM_EPS);
    Norm l = make_norm((int)(x->size / gain->size), (int)gain->size);
    memcpy(l.x, x->floats, x->size * sizeof(float));
    memcpy(l.gain, gain->floats, gain->size * sizeof(float));
    memcpy(l.bias, golden_at(expected, "params", "bias")->floats, gain->size * sizeof(float));
    memcpy(l.grad_out, golden_at(expected, "dout")->floats, x->size * sizeof(float));
    forward(&l);
    backward(&l);
    assert_golden(l.out, golden_at(expected, "out"));
    assert_golden(l.grad_x, golden_at(expected, "d_x"));
    assert_golden(l.grad_gain, golden_at(expected, "d_weight"));
    assert_golden(l.grad_bias, golden_at(expected, "d_bias"));
    pool_free(&l.pool);
    golden_close(golden);
}

TEST(layer_norm_is_pytorchs) { check_golden("layer_norm"); }

TEST(rows_that_are_small_or_far_from_0_are_pytorchs) { check_golden("layer_norm_hard"); }

TEST(a_row_by_hand) {
    const float x[] = {1, 3, 1, 3}, gain[] = {1, 2, 1, 1}, bias[] = {0, 0, 5, 0};
    const float h = (float)(1.0 / sqrt(1.0 + 1e-5));
    const float expected[] = {-h, 2 * h, 5 - h, h};
    float out[4], mean, rstd;
    layernorm_forward(out, &mean, &rstd, x, gain, bias, 1, 4);
    assert_floats_near("out", out, expected, 4, 1e-6);
    assert_true(mean == 2.0f);
    assert_near("rstd", (double)rstd, (double)h, 1e-7);
}

TEST(every_row_has_mean_0_and_variance_1) {
    for (int D = 2; D <= 19; D++) {
        Norm l = make_norm(5, D);
        for (int d = 0; d < D; d++) {
            l.gain[d] = 1.0f;
            l.bias[d] = 0.0f;
        }
        forward(&l);
        for (int n = 0; n < l.N; n++) {
            double sum = 0.0, sum_of_squares = 0.0;
            for (int d = 0; d < D; d++) {
                double out = (double)l.out[n * D + d];
                sum += out;
                sum_of_squares += out * out;
            }
            assert_near("mean", sum / D, 0.0, 1e-6);
            /* eps takes the share eps rstd^2. */
            double lost = (double)LAYERNORM_EPS * (double)l.rstd[n] * (double)l.rstd[n];
            assert_near("variance", sum_of_squares / D, 1.0 - lost, 2e-6);
        }
        pool_free(&l.pool);
    }
}

TEST(gradients_match_differences_at_every_width) {
    for (int D = 2; D <= 13; D++) {
        Norm l = make_norm(3, D);
        /* Two numbers close together bend the curve too much for differences. */
        for (int i = 0; i < 3 * D; i++)
            l.x[i] += (float)(i % D);
        forward(&l);
        backward(&l);
        assert_gradient("x", l.grad_x, l.x, (size_t)(l.N * D), value, &l);
        assert_gradient("gain", l.grad_gain, l.gain, (size_t)D, value, &l);
        assert_gradient("bias", l.grad_bias, l.bias, (size_t)D, value, &l);
        pool_free(&l.pool);
    }
}

TEST(a_row_of_equal_numbers_becomes_the_bias) {
    for (int D = 1; D <= 9; D++) {
        Norm l = make_norm(2, D);
        for (int i = 0; i < 2 * D; i++)
            l.x[i] = i < D ? 0.0f : -3.0f;
        forward(&l);
        backward(&l);
        assert_floats_near("out", l.out, l.bias, (size_t)D, 0.0);
        assert_floats_near("out", l.out + D, l.bias, (size_t)D, 0.0);
        assert_finite("grad_x", l.grad_x, (size_t)(2 * D));
        pool_free(&l.pool);
    }
}

TEST(backward_adds_to_the_gradients_of_gain_and_bias) {
    Norm l = make_norm(3, 7);
    forward(&l);
    backward(&l);
    const float *gain = pool_copy(&l.pool, l.grad_gain, 7);
    const float *bias = pool_copy(&l.pool, l.grad_bias, 7);
    backward(&l);
    for (int d = 0; d < 7; d++) {
        assert_near("gain", (double)l.grad_gain[d], 2.0 * (double)gain[d], 1e-5);
        assert_near("bias", (double)l.grad_bias[d], 2.0 * (double)bias[d], 1e-5);
    }
    pool_free(&l.pool);
}

TEST(a_gradient_may_be_overwritten_in_place) {
    for (int D = 1; D <= 13; D++) {
        Norm apart = make_norm(3, D), in_place = make_norm(3, D);
        forward(&apart);
        forward(&in_place);
        backward(&apart);
        in_place.grad_x = in_place.grad_out;
        backward(&in_place);
        assert_floats_same("grad_x", in_place.grad_x, apart.grad_x, (size_t)(3 * D));
        assert_floats_same("gain", in_place.grad_gain, apart.grad_gain, (size_t)D);
        pool_free(&apart.pool);
        pool_free(&in_place.pool);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layer_norm_is_pytorchs),
        cmocka_unit_test(rows_that_are_small_or_far_from_0_are_pytorchs),
        cmocka_unit_test(a_row_by_hand),
        cmocka_unit_test(every_row_has_mean_0_and_variance_1),
        cmocka_unit_test(gradients_match_differences_at_every_width),
        cmocka_unit_test(a_row_of_equal_numbers_becomes_the_bias),
        cmocka_unit_test(backward_adds_to_the_gradients_of_gain_and_bias),
        cmocka_unit_test(a_gradient_may_be_overwritten_in_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
