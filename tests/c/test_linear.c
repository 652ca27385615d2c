#include <string.h>

#include "ops/linear.h"
#include "support.h"

/* A layer with random values and a scalar that weighs its outputs unevenly. */
typedef struct {
    Pool pool;
    int N, D, K;
    float *x, *weight, *bias, *out, *scratch, *grad_out;
    float *grad_x, *grad_weight, *grad_bias;
} Layer;

static Layer make_layer(int N, int D, int K) {
    Layer l = {.pool = {NULL}, .N = N, .D = D, .K = K};
    const size_t ND = (size_t)(N * D), NK = (size_t)(N * K), KD = (size_t)(K * D);
    l.x = pool_randn(&l.pool, ND, 1);
    l.weight = pool_randn(&l.pool, KD, 2);
    l.bias = pool_randn(&l.pool, (size_t)K, 3);
    l.grad_out = pool_randn(&l.pool, NK, 4);
    l.out = pool_floats(&l.pool, NK);
    l.scratch = pool_floats(&l.pool, KD);
    l.grad_x = pool_randn(&l.pool, ND, 5);
    l.grad_weight = pool_floats(&l.pool, KD);
    l.grad_bias = pool_floats(&l.pool, (size_t)K);
    return l;
}

static double value(void *context) {
    Layer *l = context;
    linear_forward(l->out, l->scratch, l->x, l->weight, l->bias, l->N, l->D, l->K);
    return weighted_sum(l->out, l->grad_out, (size_t)(l->N * l->K));
}

static void backward(Layer *l) {
    linear_backward(l->grad_x, l->grad_weight, l->grad_bias, l->grad_out, l->x, l->weight, l->N,
                    l->D, l->K);
}

TEST(a_layer_by_hand) {
    const float x[] = {1, 2, 3, -1, 0, 1}, weight[] = {1, 0, -1, 2, 1, 0}, bias[] = {10, 20};
    const float expected[] = {8, 24, 8, 18}, grad_out[] = {1, 0, 0, 2};
    const float expected_x[] = {1, 0, -1, 4, 2, 0};
    const float expected_weight[] = {1, 2, 3, -2, 0, 2}, expected_bias[] = {1, 2};
    float out[4], scratch[6], grad_x[6], grad_weight[6] = {0}, grad_bias[2] = {0};
    linear_forward(out, scratch, x, weight, bias, 2, 3, 2);
    assert_floats_same("out", out, expected, 4);
    linear_backward(grad_x, grad_weight, grad_bias, grad_out, x, weight, 2, 3, 2);
    assert_floats_same("grad_x", grad_x, expected_x, 6);
    assert_floats_same("grad_weight", grad_weight, expected_weight, 6);
    assert_floats_same("grad_bias", grad_bias, expected_bias, 2);
}

TEST(gradients_match_differences) {
    static const int SIZES[][3] = {{1, 1, 1}, {2, 3, 5}, {5, 4, 8}, {3, 7, 6}, {6, 8, 1}};
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        Layer l = make_layer(SIZES[i][0], SIZES[i][1], SIZES[i][2]);
        backward(&l);
        assert_gradient("x", l.grad_x, l.x, (size_t)(l.N * l.D), value, &l);
        assert_gradient("weight", l.grad_weight, l.weight, (size_t)(l.K * l.D), value, &l);
        assert_gradient("bias", l.grad_bias, l.bias, (size_t)l.K, value, &l);
        pool_free(&l.pool);
    }
}

TEST(backward_adds_to_the_gradients_of_the_parameters) {
    Layer l = make_layer(4, 3, 5);
    backward(&l);
    float *once = pool_copy(&l.pool, l.grad_weight, 15), *bias = pool_copy(&l.pool, l.grad_bias, 5);
    backward(&l);
    for (int i = 0; i < 15; i++)
        assert_near("weight", (double)l.grad_weight[i], 2.0 * (double)once[i], 1e-5);
    for (int i = 0; i < 5; i++)
        assert_near("bias", (double)l.grad_bias[i], 2.0 * (double)bias[i], 1e-5);
    pool_free(&l.pool);
}

TEST(rows_in_pieces_give_the_bits_of_the_whole) {
    Layer whole = make_layer(13, 6, 9), pieces = make_layer(13, 6, 9);
    (void)value(&whole);
    backward(&whole);
    for (int start = 0; start < 13; start += 5) {
        int n = 13 - start < 5 ? 13 - start : 5;
        linear_forward(pieces.out + start * 9, pieces.scratch, pieces.x + start * 6, pieces.weight,
                       pieces.bias, n, 6, 9);
        linear_backward(pieces.grad_x + start * 6, pieces.grad_weight, pieces.grad_bias,
                        pieces.grad_out + start * 9, pieces.x + start * 6, pieces.weight, n, 6, 9);
    }
    assert_floats_same("out", pieces.out, whole.out, 13 * 9);
    assert_floats_same("grad_x", pieces.grad_x, whole.grad_x, 13 * 6);
    assert_floats_same("grad_weight", pieces.grad_weight, whole.grad_weight, 9 * 6);
    assert_floats_same("grad_bias", pieces.grad_bias, whole.grad_bias, 9);
    pool_free(&whole.pool);
    pool_free(&pieces.pool);
}

TEST(the_gradient_of_the_input_may_be_left_out) {
    Layer with = make_layer(3, 4, 2), without = make_layer(3, 4, 2);
    backward(&with);
    linear_backward(NULL, without.grad_weight, without.grad_bias, without.grad_out, without.x,
                    without.weight, 3, 4, 2);
    assert_floats_same("weight", without.grad_weight, with.grad_weight, 8);
    assert_floats_same("bias", without.grad_bias, with.grad_bias, 2);
    pool_free(&with.pool);
    pool_free(&without.pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_layer_by_hand),
        cmocka_unit_test(gradients_match_differences),
        cmocka_unit_test(backward_adds_to_the_gradients_of_the_parameters),
        cmocka_unit_test(rows_in_pieces_give_the_bits_of_the_whole),
        cmocka_unit_test(the_gradient_of_the_input_may_be_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
