#include <math.h>
#include <string.h>

#include "golden.h"
#include "lesson/attention_check.h"
#include "support.h"

/* The README's bound for out and A. */
#define TOLERANCE 2e-6

enum { N = 5, D = 16, VECTORS = N * D, MAP = N * N };

/* The floats that attention_check writes, cut into their tensors. */
typedef struct {
    Pool pool;
    float *query, *key, *value;
    struct {
        float *scores, *weights, *output;
    } plain, causal;
} Check;

static Check run(uint32_t seed) {
    Check c = {.pool = {NULL}};
    float *floats = pool_floats(&c.pool, attention_check_size(N, D));
    attention_check(seed, N, D, floats, pool_floats(&c.pool, attention_check_scratch_size(N, D)));
    c.query = floats;
    c.key = c.query + VECTORS;
    c.value = c.key + VECTORS;
    c.plain.scores = c.value + VECTORS;
    c.plain.weights = c.plain.scores + MAP;
    c.plain.output = c.plain.weights + MAP;
    c.causal.scores = c.plain.output + VECTORS;
    c.causal.weights = c.causal.scores + MAP;
    c.causal.output = c.causal.weights + MAP;
    assert_int_equal(c.causal.output + VECTORS - floats, attention_check_size(N, D));
    return c;
}

static void check_results(const Check *c, const Golden *golden) {
    assert_golden_near(c->plain.output, golden_at(golden, "out"), TOLERANCE);
    assert_golden_near(c->plain.weights, golden_at(golden, "A"), TOLERANCE);
    assert_golden_near(c->causal.output, golden_at(golden, "out_c"), TOLERANCE);
    assert_golden_near(c->causal.weights, golden_at(golden, "A_c"), TOLERANCE);
}

/* torch.allclose(got, expected, atol=1e-6) with its rtol of 1e-5. */
static void check_allclose(const float *got, const Golden *expected) {
    for (size_t i = 0; i < expected->size; i++) {
        assert_near(expected->name, (double)got[i], expected->values[i],
                    1e-6 + 1e-5 * fabs(expected->values[i]));
    }
}

TEST(the_scripts_attention_is_pytorchs) {
    Golden *golden = golden_open("attention_check.json");
    Check c = run(0);
    assert_golden_same(c.query, golden_at(golden, "Q"));
    assert_golden_same(c.key, golden_at(golden, "K"));
    assert_golden_same(c.value, golden_at(golden, "V"));
    check_results(&c, golden);
    check_allclose(c.plain.output, golden_at(golden, "builtin_out"));
    check_allclose(c.causal.output, golden_at(golden, "builtin_out_c"));
    pool_free(&c.pool);
    golden_close(golden);
}

TEST(the_causal_weights_print_as_in_the_lesson) {
    Golden *golden = golden_open("attention_check.json");
    Check c = run(0);
    float printed[MAP];
    for (int i = 0; i < MAP; i++)
        printed[i] = rintf(c.causal.weights[i] * 100.0f) / 100.0f;
    assert_golden_near(printed, golden_at(golden, "A_c_printed_2_decimals"), 1e-7);
    pool_free(&c.pool);
    golden_close(golden);
}

TEST(another_seed_gives_pytorchs_numbers_too) {
    Golden *golden = golden_open("seed_7.json");
    Check c = run(7);
    const Golden *expected = golden_at(golden, "attention_check");
    check_results(&c, expected);
    check_allclose(c.plain.output, golden_at(expected, "builtin_out"));
    check_allclose(c.causal.output, golden_at(expected, "builtin_out_c"));
    pool_free(&c.pool);
    golden_close(golden);
}

TEST(masked_scores_are_minus_infinity_and_their_weights_exactly_0) {
    Check c = run(3);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            const float score = c.causal.scores[i * N + j], weight = c.causal.weights[i * N + j];
            if (j > i)
                assert_true(score == -INFINITY && weight == 0.0f);
            else
                assert_true(score == c.plain.scores[i * N + j] && weight > 0.0f);
        }
    }
    pool_free(&c.pool);
}

TEST(plain_loops_in_double_agree_with_the_engine) {
    static const int SIZES[][2] = {{1, 1}, {5, 16}, {7, 3}, {64, 64}};
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        const int n = SIZES[i][0], d = SIZES[i][1];
        const size_t vectors = (size_t)(n * d), map = (size_t)(n * n);
        Pool pool = {NULL};
        float *floats = pool_floats(&pool, attention_check_size(n, d));
        float *plain = pool_floats(&pool, vectors);
        attention_check(11, n, d, floats, pool_floats(&pool, attention_check_scratch_size(n, d)));
        const float *query = floats, *key = query + vectors, *value = key + vectors;
        const float *output = value + vectors + 2 * map;
        const float scale = (float)(1.0 / sqrt((double)d));
        attention_check_plain(plain, query, key, value, n, d, scale, 0);
        assert_floats_near("output", output, plain, vectors, TOLERANCE);
        attention_check_plain(plain, query, key, value, n, d, scale, 1);
        assert_floats_near("causal", output + vectors + 2 * map, plain, vectors, TOLERANCE);
        pool_free(&pool);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scripts_attention_is_pytorchs),
        cmocka_unit_test(the_causal_weights_print_as_in_the_lesson),
        cmocka_unit_test(another_seed_gives_pytorchs_numbers_too),
        cmocka_unit_test(masked_scores_are_minus_infinity_and_their_weights_exactly_0),
        cmocka_unit_test(plain_loops_in_double_agree_with_the_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
