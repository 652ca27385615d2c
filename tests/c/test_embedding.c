#include <string.h>

#include "golden.h"
#include "ops/embedding.h"
#include "support.h"

typedef struct {
    int N, V, D;
    const int32_t *tokens;
    float *weight, *out, *grad_out;
} Table;

static double value(void *context) {
    Table *t = context;
    embedding_forward(t->out, t->tokens, t->weight, t->N, t->D);
    return weighted_sum(t->out, t->grad_out, (size_t)(t->N * t->D));
}

TEST(an_embedding_is_pytorchs) {
    Pool pool = {NULL};
    Golden *golden = golden_open("layers_basic.json");
    const Golden *expected = golden_at(golden, "embedding");
    const Golden *tokens = golden_at(expected, "x");
    const Golden *weight = golden_at(expected, "params", "weight");
    const int N = (int)tokens->size, D = weight->shape[1];
    float *out = pool_floats(&pool, (size_t)(N * D));
    float *grad = pool_floats(&pool, weight->size);
    embedding_forward(out, tokens->ints, weight->floats, N, D);
    assert_golden_same(out, golden_at(expected, "out"));
    embedding_backward(grad, golden_at(expected, "dout")->floats, tokens->ints, N, D);
    assert_golden(grad, golden_at(expected, "d_weight"));
    golden_close(golden);
    pool_free(&pool);
}

TEST(a_token_takes_its_row_and_gives_its_gradient_to_it) {
    const float weight[] = {1, 2, 3, 4, 5, 6}, grad_out[] = {1, 10, 2, 20, 4, 40};
    const int32_t tokens[] = {2, 0, 2};
    const float expected[] = {5, 6, 1, 2, 5, 6};
    const float expected_grad[] = {102, 120, 100, 100, 105, 150}; /* on top of 100 */
    float out[6], grad[] = {100, 100, 100, 100, 100, 100};
    embedding_forward(out, tokens, weight, 3, 2);
    assert_floats_same("out", out, expected, 6);
    embedding_backward(grad, grad_out, tokens, 3, 2);
    assert_floats_same("grad", grad, expected_grad, 6);
}

TEST(gradients_match_differences) {
    static const int SIZES[][3] = {{1, 1, 1}, {5, 2, 3}, {9, 6, 4}, {2, 7, 5}};
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        Pool pool = {NULL};
        Table t = {.N = SIZES[i][0], .V = SIZES[i][1], .D = SIZES[i][2]};
        t.tokens = pool_tokens(&pool, (size_t)t.N, t.V, 1);
        t.weight = pool_randn(&pool, (size_t)(t.V * t.D), 2);
        t.out = pool_floats(&pool, (size_t)(t.N * t.D));
        t.grad_out = pool_randn(&pool, (size_t)(t.N * t.D), 3);
        float *grad = pool_floats(&pool, (size_t)(t.V * t.D));
        embedding_backward(grad, t.grad_out, t.tokens, t.N, t.D);
        assert_gradient("weight", grad, t.weight, (size_t)(t.V * t.D), value, &t);
        pool_free(&pool);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_embedding_is_pytorchs),
        cmocka_unit_test(a_token_takes_its_row_and_gives_its_gradient_to_it),
        cmocka_unit_test(gradients_match_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
