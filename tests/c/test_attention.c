#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "ops/attention.h"
#include "support.h"

/* One head of one sequence with everything it needs; rows may be slices of wider ones. */
typedef struct {
    Pool pool;
    AttentionShape shape;
    float *query, *key, *value, *out, *weights, *scores, *scratch;
    float *grad_out, *grad_query, *grad_key, *grad_value;
} Head;

static size_t extent(int rows, int row, int columns) {
    return (size_t)(rows - 1) * (size_t)row + (size_t)columns;
}

static Head make_head(int Q, int T, int D, int E, bool causal, int gap) {
    Head h = {.pool = {NULL}};
    h.shape = (AttentionShape){.Q = Q,
                               .T = T,
                               .D = D,
                               .E = E,
                               .query_row = D + gap,
                               .key_row = D + 2 * gap,
                               .value_row = E + 3 * gap,
                               .out_row = E + gap,
                               .scale = (float)(1.0 / sqrt((double)D)),
                               .causal = causal};
    const AttentionShape *s = &h.shape;
    h.query = pool_randn(&h.pool, extent(Q, s->query_row, D), 1);
    h.key = pool_randn(&h.pool, extent(T, s->key_row, D), 2);
    h.value = pool_randn(&h.pool, extent(T, s->value_row, E), 3);
    h.grad_out = pool_randn(&h.pool, extent(Q, s->out_row, E), 4);
    h.out = pool_floats(&h.pool, extent(Q, s->out_row, E));
    h.grad_query = pool_floats(&h.pool, extent(Q, s->query_row, D));
    h.grad_key = pool_floats(&h.pool, extent(T, s->key_row, D));
    h.grad_value = pool_floats(&h.pool, extent(T, s->value_row, E));
    h.weights = pool_floats(&h.pool, (size_t)(Q * T));
    h.scores = pool_floats(&h.pool, (size_t)(Q * T));
    h.scratch = pool_floats(&h.pool, (size_t)attention_scratch_size(Q, T, D, E));
    return h;
}

static void forward(Head *h) {
    attention_forward(h->out, h->weights, h->scores, h->scratch, h->query, h->key, h->value,
                      &h->shape);
}

static void backward(Head *h) {
    attention_backward(h->grad_query, h->grad_key, h->grad_value, h->scratch, h->grad_out,
                       h->weights, h->query, h->key, h->value, &h->shape);
}

/* Weighs out and nothing between its rows; the rows of these heads are dense. */
static double value(void *context) {
    Head *h = context;
    forward(h);
    return weighted_sum(h->out, h->grad_out, (size_t)(h->shape.Q * h->shape.E));
}

typedef struct {
    const Golden *golden;
    int Q, T, D, E;
} GoldenCase;

static void load(float *to, const Golden *tensor, int b, int rows, int columns, int row) {
    spread_rows(to, tensor->floats + (size_t)b * (size_t)(rows * columns), rows, columns, row);
}

static void gather(float *all, const float *from, int b, int rows, int columns, int row) {
    gather_rows(all + (size_t)b * (size_t)(rows * columns), from, rows, columns, row);
}

static void check_golden(const Golden *golden, const char *name, int gap) {
    const Golden *c = golden_at(golden, name);
    const Golden *query = golden_at(c, "Q"), *key = golden_at(c, "K"), *val = golden_at(c, "V");
    const int Q = query->shape[1], T = key->shape[1], D = query->shape[2], E = val->shape[2];
    const bool causal = golden_number(c, "causal") != 0.0;
    Head h = make_head(Q, T, D, E, causal, gap);
    const AttentionShape *s = &h.shape;
    float *out = pool_floats(&h.pool, golden_at(c, "out")->size);
    float *weights = pool_floats(&h.pool, golden_at(c, "A")->size);
    float *grad_query = pool_floats(&h.pool, query->size);
    float *grad_key = pool_floats(&h.pool, key->size);
    float *grad_value = pool_floats(&h.pool, val->size);
    for (int b = 0; b < query->shape[0]; b++) {
        load(h.query, query, b, Q, D, s->query_row);
        load(h.key, key, b, T, D, s->key_row);
        load(h.value, val, b, T, E, s->value_row);
        load(h.grad_out, golden_at(c, "dout"), b, Q, E, s->out_row);
        forward(&h);
        backward(&h);
        gather(out, h.out, b, Q, E, s->out_row);
        gather(weights, h.weights, b, Q, T, T);
        gather(grad_query, h.grad_query, b, Q, D, s->query_row);
        gather(grad_key, h.grad_key, b, T, D, s->key_row);
        gather(grad_value, h.grad_value, b, T, E, s->value_row);
    }
    assert_golden(out, golden_at(c, "out"));
    assert_golden(weights, golden_at(c, "A"));
    assert_golden(grad_query, golden_at(c, "d_Q"));
    assert_golden(grad_key, golden_at(c, "d_K"));
    assert_golden(grad_value, golden_at(c, "d_V"));
    pool_free(&h.pool);
}

TEST(attention_is_pytorchs) {
    Golden *golden = golden_open("layers_attention.json");
    for (int gap = 0; gap < 4; gap++) {
        check_golden(golden, "plain", gap);
        check_golden(golden, "causal", gap);
        check_golden(golden, "one_query", gap);
    }
    golden_close(golden);
}

TEST(one_query_and_two_keys_by_hand) {
    /* Scores ln 3 and 0, so weights 3/4 and 1/4. */
    const float query[] = {1, 0}, key[] = {2.0f * logf(3.0f), 7, 0, 9}, val[] = {4, 8, 0, -4};
    const float expected_weights[] = {0.75f, 0.25f}, expected[] = {3, 5};
    const AttentionShape shape = {1, 2, 2, 2, 2, 2, 2, 2, 0.5f, false};
    float out[2], weights[2], scores[2], scratch[16];
    assert_true(attention_scratch_size(1, 2, 2, 2) <= 16);
    attention_forward(out, weights, scores, scratch, query, key, val, &shape);
    assert_near("score", (double)scores[0], log(3.0), 1e-6);
    assert_near("score", (double)scores[1], 0.0, 0.0);
    assert_floats_near("weights", weights, expected_weights, 2, 1e-6);
    assert_floats_near("out", out, expected, 2, 1e-5);
}

static const int SHAPES[][4] = {{1, 1, 1, 1}, {1, 2, 4, 3}, {2, 2, 1, 1}, {2, 1, 3, 5},
                                {5, 5, 4, 4}, {4, 7, 3, 6}, {7, 4, 5, 2}, {8, 8, 8, 8}};

TEST(gradients_match_differences) {
    for (size_t i = 0; i < COUNT_OF(SHAPES); i++) {
        for (int causal = 0; causal <= 1; causal++) {
            const int *n = SHAPES[i];
            Head h = make_head(n[0], n[1], n[2], n[3], causal == 1, 0);
            forward(&h);
            backward(&h);
            assert_gradient("query", h.grad_query, h.query, (size_t)(n[0] * n[2]), value, &h);
            assert_gradient("key", h.grad_key, h.key, (size_t)(n[1] * n[2]), value, &h);
            assert_gradient("value", h.grad_value, h.value, (size_t)(n[1] * n[3]), value, &h);
            pool_free(&h.pool);
        }
    }
}

static void check_rows_sum_to_1(const Head *h) {
    for (int q = 0; q < h->shape.Q; q++) {
        double sum = 0.0;
        for (int t = 0; t < h->shape.T; t++) {
            assert_true(h->weights[q * h->shape.T + t] >= 0.0f);
            sum += (double)h->weights[q * h->shape.T + t];
        }
        assert_near("sum of weights", sum, 1.0, 1e-6);
    }
}

TEST(rows_of_weights_sum_to_1) {
    for (size_t i = 0; i < COUNT_OF(SHAPES); i++) {
        for (int causal = 0; causal <= 1; causal++) {
            const int *n = SHAPES[i];
            Head h = make_head(n[0], n[1], n[2], n[3], causal == 1, 2);
            forward(&h);
            check_rows_sum_to_1(&h);
            pool_free(&h.pool);
        }
    }
}

TEST(permuted_keys_permute_the_weights_and_leave_the_output) {
    enum { Q = 4, T = 7, D = 5, E = 3 };
    Head plain = make_head(Q, T, D, E, false, 0), turned = make_head(Q, T, D, E, false, 0);
    for (int t = 0; t < T; t++) {
        const int from = (t * 3 + 2) % T; /* a permutation: 3 and 7 have no common divisor */
        memcpy(turned.key + t * D, plain.key + from * D, D * sizeof(float));
        memcpy(turned.value + t * E, plain.value + from * E, E * sizeof(float));
    }
    forward(&plain);
    forward(&turned);
    for (int q = 0; q < Q; q++) {
        for (int t = 0; t < T; t++) {
            assert_near("weight", (double)turned.weights[q * T + t],
                        (double)plain.weights[q * T + (t * 3 + 2) % T], 1e-6);
        }
    }
    assert_floats_near("out", turned.out, plain.out, (size_t)Q * E, 1e-6);
    pool_free(&plain.pool);
    pool_free(&turned.pool);
}

TEST(a_causal_mask_hides_later_keys) {
    enum { T = 6, D = 4 };
    Head h = make_head(T, T, D, D, true, 0);
    forward(&h);
    const float *before = pool_copy(&h.pool, h.out, (size_t)T * D);
    for (int i = 0; i < T; i++) {
        for (int j = 0; j < T; j++) {
            const float weight = h.weights[i * T + j], score = h.scores[i * T + j];
            assert_true(j > i ? weight == 0.0f && score == -INFINITY
                              : weight > 0.0f && isfinite(score));
        }
    }
    /* Whatever stands at the last place, the others do not see it, not even a NaN's shadow. */
    for (int d = 0; d < D; d++) {
        h.key[(T - 1) * D + d] = 1e4f;
        h.value[(T - 1) * D + d] = -1e4f;
    }
    forward(&h);
    assert_floats_same("earlier outputs", h.out, before, (size_t)(T - 1) * D);
    assert_true(floats_differ(h.out + (T - 1) * D, before + (T - 1) * D, D));
    pool_free(&h.pool);
}

TEST(without_a_mask_every_output_depends_on_every_key) {
    enum { T = 6, D = 4 };
    Head h = make_head(T, T, D, D, false, 0);
    forward(&h);
    const float *before = pool_copy(&h.pool, h.out, (size_t)T * D);
    for (int j = 0; j < T; j++) {
        h.value[j * D] += 1.0f;
        forward(&h);
        h.value[j * D] -= 1.0f;
        for (int i = 0; i < T; i++)
            assert_true(h.out[i * D] != before[i * D]);
    }
    pool_free(&h.pool);
}

TEST(the_scale_multiplies_the_scores_before_softmax) {
    static const float SCALES[] = {1.0f, 0.25f, 0.0f};
    enum { Q = 3, T = 5, D = 4 };
    for (size_t i = 0; i < COUNT_OF(SCALES); i++) {
        Head h = make_head(Q, T, D, D, false, 0);
        h.shape.scale = SCALES[i];
        forward(&h);
        for (int q = 0; q < Q; q++) {
            for (int t = 0; t < T; t++) {
                double dot = weighted_sum(h.query + q * D, h.key + t * D, D);
                assert_near("score", (double)h.scores[q * T + t], dot * (double)SCALES[i], 1e-6);
            }
        }
        check_rows_sum_to_1(&h);
        pool_free(&h.pool);
    }
}

TEST(equal_scores_average_the_values) {
    enum { Q = 3, T = 5, D = 4, E = 2 };
    Head h = make_head(Q, T, D, E, false, 0);
    memset(h.query, 0, (size_t)Q * D * sizeof(float));
    forward(&h);
    for (int e = 0; e < E; e++) {
        double mean = 0.0;
        for (int t = 0; t < T; t++)
            mean += (double)h.value[t * E + e] / T;
        for (int q = 0; q < Q; q++)
            assert_near("mean", (double)h.out[q * E + e], mean, 1e-6);
    }
    for (int i = 0; i < Q * T; i++)
        assert_true(h.weights[i] == 1.0f / T);
    pool_free(&h.pool);
}

TEST(scores_of_ten_thousand_stay_finite_forward_and_backward) {
    for (int causal = 0; causal <= 1; causal++) {
        enum { T = 6, D = 4 };
        Head h = make_head(T, T, D, D, causal == 1, 0);
        h.shape.scale = 1.0f;
        for (int t = 0; t < T; t++) {
            for (int d = 0; d < D; d++) {
                h.query[t * D + d] = t % 2 == 0 ? 50.0f : -50.0f;
                h.key[t * D + d] = t % 3 == 0 ? 50.0f : -50.0f;
            }
        }
        forward(&h);
        backward(&h);
        assert_true(fabsf(h.scores[0]) == 1e4f);
        check_rows_sum_to_1(&h);
        assert_finite("out", h.out, (size_t)T * D);
        assert_finite("grad_query", h.grad_query, (size_t)T * D);
        assert_finite("grad_key", h.grad_key, (size_t)T * D);
        assert_finite("grad_value", h.grad_value, (size_t)T * D);
        pool_free(&h.pool);
    }
}

TEST(scores_need_not_be_kept) {
    Head with = make_head(4, 6, 3, 5, true, 1), without = make_head(4, 6, 3, 5, true, 1);
    without.scores = NULL;
    forward(&with);
    forward(&without);
    assert_floats_same("weights", without.weights, with.weights, 24);
    assert_floats_same("out", without.out, with.out, extent(4, with.shape.out_row, 5));
    pool_free(&with.pool);
    pool_free(&without.pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attention_is_pytorchs),
        cmocka_unit_test(one_query_and_two_keys_by_hand),
        cmocka_unit_test(gradients_match_differences),
        cmocka_unit_test(rows_of_weights_sum_to_1),
        cmocka_unit_test(permuted_keys_permute_the_weights_and_leave_the_output),
        cmocka_unit_test(a_causal_mask_hides_later_keys),
        cmocka_unit_test(without_a_mask_every_output_depends_on_every_key),
        cmocka_unit_test(the_scale_multiplies_the_scores_before_softmax),
        cmocka_unit_test(equal_scores_average_the_values),
        cmocka_unit_test(scores_of_ten_thousand_stay_finite_forward_and_backward),
        cmocka_unit_test(scores_need_not_be_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
