#include <math.h>
#include <string.h>

#include "golden.h"
#include "ops/cross_entropy.h"
#include "support.h"

typedef struct {
    int N, V;
    float *logits, *probs;
    const int32_t *targets;
} Batch;

static double mean_loss(void *context) {
    Batch *b = context;
    return cross_entropy_forward(b->probs, b->logits, b->targets, b->N, b->V) / b->N;
}

static void check_golden(const char *name) {
    Pool pool = {NULL};
    Golden *golden = golden_open("layers_basic.json");
    const Golden *expected = golden_at(golden, name);
    const Golden *logits = golden_at(expected, "logits"), *target = golden_at(expected, "target");
    const int N = (int)target->size, V = (int)(logits->size / target->size);
    float *probs = pool_floats(&pool, logits->size), *grad = pool_floats(&pool, logits->size);

    float loss =
        (float)(cross_entropy_forward(probs, logits->floats, target->ints, N, V) / (double)N);
    assert_golden(&loss, golden_at(expected, "loss"));
    cross_entropy_backward(grad, probs, target->ints, 1.0f / (float)N, N, V);
    assert_golden(grad, golden_at(expected, "d_logits"));

    /* The loss of each symbol as target is its -log softmax. */
    float *log_softmax = pool_floats(&pool, logits->size);
    for (int n = 0; n < N; n++) {
        for (int32_t v = 0; v < V; v++) {
            const float *logits_n = logits->floats + n * V;
            log_softmax[n * V + v] = (float)-cross_entropy_forward(probs, logits_n, &v, 1, V);
        }
    }
    assert_golden(log_softmax, golden_at(expected, "log_softmax"));
    golden_close(golden);
    pool_free(&pool);
}

TEST(cross_entropy_is_pytorchs) { check_golden("cross_entropy"); }

TEST(logits_of_a_thousand_give_pytorchs_numbers) { check_golden("cross_entropy_large"); }

TEST(two_tokens_by_hand) {
    /* Softmax 1/4, 3/4 and 1/2, 1/2. */
    const float logits[] = {0.0f, logf(3.0f), 5.0f, 5.0f};
    const int32_t targets[] = {1, 0};
    const float expected_probs[] = {0.25f, 0.75f, 0.5f, 0.5f};
    const float expected_grad[] = {0.125f, -0.125f, -0.25f, 0.25f};
    float probs[4], grad[4];
    double loss = cross_entropy_forward(probs, logits, targets, 2, 2);
    assert_near("loss", loss, log(4.0 / 3.0) + log(2.0), 2e-7);
    assert_floats_near("probs", probs, expected_probs, 4, 1e-7);
    cross_entropy_backward(grad, probs, targets, 0.5f, 2, 2);
    assert_floats_near("grad", grad, expected_grad, 4, 1e-7);
}

TEST(equal_logits_cost_the_logarithm_of_the_number_of_symbols) {
    for (int V = 1; V <= 64; V++) {
        float logits[64], probs[64];
        for (int v = 0; v < V; v++)
            logits[v] = -1e4f;
        const int32_t target = V / 2;
        double loss = cross_entropy_forward(probs, logits, &target, 1, V);
        assert_near("loss", loss, log((double)V), 1e-6);
    }
}

TEST(a_small_loss_keeps_its_digits_far_from_0) {
    const float near[] = {9.0f, 0.0f}, far[] = {1009.0f, 1000.0f};
    const int32_t target = 0;
    float probs[2];
    double loss = cross_entropy_forward(probs, near, &target, 1, 2);
    /* The sum 1 + e^-9 is rounded to float. */
    assert_near("loss", loss, log1p(exp(-9.0)), 6e-8);
    assert_true(cross_entropy_forward(probs, far, &target, 1, 2) == loss);
}

TEST(gradients_match_differences_and_sum_to_0) {
    static const int SIZES[][2] = {{1, 2}, {3, 4}, {2, 5}, {4, 10}, {5, 13}};
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        Pool pool = {NULL};
        Batch b = {.N = SIZES[i][0], .V = SIZES[i][1]};
        const size_t size = (size_t)(b.N * b.V);
        b.logits = pool_randn(&pool, size, 1);
        b.probs = pool_floats(&pool, size);
        b.targets = pool_tokens(&pool, (size_t)b.N, b.V, 2);
        (void)mean_loss(&b);
        float *grad = pool_floats(&pool, size);
        cross_entropy_backward(grad, b.probs, b.targets, 1.0f / (float)b.N, b.N, b.V);
        assert_gradient("logits", grad, b.logits, size, mean_loss, &b);
        for (int n = 0; n < b.N; n++) {
            double sum = 0.0;
            for (int v = 0; v < b.V; v++)
                sum += (double)grad[n * b.V + v];
            assert_near("sum", sum, 0.0, 1e-6);
        }
        pool_free(&pool);
    }
}

TEST(every_buffer_may_be_overwritten_in_place) {
    Pool pool = {NULL};
    const int32_t *targets = pool_tokens(&pool, 4, 7, 3);
    float *logits = pool_randn(&pool, 28, 1), *probs = pool_floats(&pool, 28);
    float *grad = pool_floats(&pool, 28);
    double apart = cross_entropy_forward(probs, logits, targets, 4, 7);
    cross_entropy_backward(grad, probs, targets, 0.25f, 4, 7);
    double in_place = cross_entropy_forward(logits, logits, targets, 4, 7);
    cross_entropy_backward(logits, logits, targets, 0.25f, 4, 7);
    assert_true(in_place == apart);
    assert_floats_same("grad", logits, grad, 28);
    pool_free(&pool);
}

TEST(logits_of_ten_thousand_stay_finite) {
    const float logits[] = {1e4f, -1e4f, 0.0f};
    for (int32_t target = 0; target < 3; target++) {
        float probs[3], grad[3];
        double loss = cross_entropy_forward(probs, logits, &target, 1, 3);
        cross_entropy_backward(grad, probs, &target, 1.0f, 1, 3);
        assert_near("loss", loss, 1e4 - (double)logits[target], 0.0);
        assert_finite("grad", grad, 3);
    }
}

TEST(no_number_among_the_logits_makes_the_loss_no_number) {
    for (int place = 0; place < 5; place++) {
        float logits[5] = {0, 1, 2, 3, 4}, probs[5];
        logits[place] = NAN;
        const int32_t target = 1;
        assert_true(isnan(cross_entropy_forward(probs, logits, &target, 1, 5)));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cross_entropy_is_pytorchs),
        cmocka_unit_test(logits_of_a_thousand_give_pytorchs_numbers),
        cmocka_unit_test(two_tokens_by_hand),
        cmocka_unit_test(equal_logits_cost_the_logarithm_of_the_number_of_symbols),
        cmocka_unit_test(a_small_loss_keeps_its_digits_far_from_0),
        cmocka_unit_test(gradients_match_differences_and_sum_to_0),
        cmocka_unit_test(every_buffer_may_be_overwritten_in_place),
        cmocka_unit_test(logits_of_ten_thousand_stay_finite),
        cmocka_unit_test(no_number_among_the_logits_makes_the_loss_no_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
