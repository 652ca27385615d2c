#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "ops/cross_entropy.h"
#include "sessions.h"
#include "support.h"

/* The whole model without a session, a batch at once. */
typedef struct {
    Arena arena;
    int B;
    TransformerShape shape;
    ParameterTable params;
    Transformer model;
    TransformerActivations acts;
    TransformerWorkspace work;
    float *probs, *scratch;
} Network;

static void layout(void *context, Arena *arena) {
    Network *n = context;
    params_clear(&n->params);
    transformer_define(&n->model, &n->params, &n->shape);
    params_layout(&n->params, arena);
    transformer_layout(&n->model, arena);
    transformer_activations_layout(&n->acts, arena, &n->model, n->B, true);
    transformer_workspace_layout(&n->work, arena, &n->model, n->B);
    n->probs = ARENA_FLOATS(arena, n->B * n->shape.seq_len * n->shape.vocab_size);
    n->scratch = ARENA_FLOATS(arena, transformer_scratch_size(&n->model));
}

TEST(the_first_batch_at_once_gives_pytorchs_logits_loss_and_gradients) {
    Golden *initial = golden_open("transformer_init.json");
    Golden *golden = golden_open("transformer_step.json");
    const Golden *x = golden_at(golden, "x");
    Network *n = calloc(1, sizeof *n);
    assert_non_null(n);
    n->B = x->shape[0];
    n->shape = (TransformerShape){.vocab_size = 10,
                                  .seq_len = 10,
                                  .d_model = 32,
                                  .n_heads = 1,
                                  .d_ff = 64,
                                  .n_layers = 1,
                                  .positions = true,
                                  .activation = ACTIVATION_RELU,
                                  .scale = (float)(1.0 / sqrt(32.0))};
    n->arena = lay_out(layout, n);
    golden_read_params(&n->params, golden_at(initial, "params"));
    Pool pool = {NULL};
    int32_t *targets = pool_ints(&pool, x->size);
    for (size_t i = 0; i < x->size; i++)
        targets[i] = x->ints[i / 10 * 10 + 9 - i % 10];

    transformer_forward(&n->model, &n->acts, n->scratch, x->ints, n->B);
    assert_golden(n->acts.logits, golden_at(golden, "logits_first2"));
    const int N = (int)x->size;
    double loss = cross_entropy_forward(n->probs, n->acts.logits, targets, N, 10) / N;
    const double expected = golden_at(golden, "loss")->values[0];
    assert_near("loss", loss, expected, 2e-6 * expected);
    cross_entropy_backward(n->probs, n->probs, targets, 1.0f / (float)N, N, 10);
    transformer_backward(&n->model, &n->acts, &n->work, n->scratch, n->probs, x->ints, n->B);
    assert_golden_grads(&n->params, golden_at(golden, "grads"), "");

    pool_free(&pool);
    arena_destroy(&n->arena);
    free(n);
    golden_close(golden);
    golden_close(initial);
}

static void assert_names(const Session *session, const char *const *names, int n) {
    assert_int_equal(session->params.n, n);
    for (int i = 0; i < n; i++)
        assert_string_equal(session->params.items[i].name, names[i]);
}

TEST(one_post_norm_layer_bears_the_lessons_names) {
    static const char *const NAMES[] = {
        "emb.weight",        "att.in_proj_weight", "att.in_proj_bias", "att.out_proj.weight",
        "att.out_proj.bias", "ff.0.weight",        "ff.0.bias",        "ff.2.weight",
        "ff.2.bias",         "n1.weight",          "n1.bias",          "n2.weight",
        "n2.bias",           "out.weight",         "out.bias"};
    const Config config = config_default();
    Session *session = make_session(&config);
    assert_names(session, NAMES, COUNT_OF(NAMES));
    assert_int_equal(session->params.n_values, 9194);
    session_destroy(session);
}

TEST(every_other_model_bears_pytorchs_names) {
    Config config = config_default();
    config.norm_first = 1;
    Session *session = make_session(&config);
    static const char *const NAMES[] = {"emb.weight",
                                        "layers.0.self_attn.in_proj_weight",
                                        "layers.0.self_attn.in_proj_bias",
                                        "layers.0.self_attn.out_proj.weight",
                                        "layers.0.self_attn.out_proj.bias",
                                        "layers.0.linear1.weight",
                                        "layers.0.linear1.bias",
                                        "layers.0.linear2.weight",
                                        "layers.0.linear2.bias",
                                        "layers.0.norm1.weight",
                                        "layers.0.norm1.bias",
                                        "layers.0.norm2.weight",
                                        "layers.0.norm2.bias",
                                        "norm.weight",
                                        "norm.bias",
                                        "out.weight",
                                        "out.bias"};
    assert_names(session, NAMES, COUNT_OF(NAMES));
    session_destroy(session);
    config.norm_first = 0;
    config.n_layers = 6;
    session = make_session(&config);
    assert_int_equal(session->params.n, 1 + 6 * 12 + 2);
    assert_non_null(params_find(&session->params, "layers.5.norm2.bias"));
    assert_null(params_find(&session->params, "norm.weight"));
    session_destroy(session);
}

/* A small model of the choices that matter; parameters drawn wide, so that nothing is near 0. */
static Session *make_small(bool norm_first, bool causal, bool positions, int n_layers) {
    Config config = config_default();
    config.seq_len = 7;
    config.d_model = 16;
    config.d_ff = 12;
    config.n_heads = 4;
    config.n_layers = n_layers;
    config.norm_first = norm_first;
    config.causal = causal;
    config.positions = positions;
    Session *session = make_session(&config);
    randomise_params(&session->params, 0.4f, 9);
    return session;
}

TEST(a_causal_model_does_not_see_later_tokens) {
    for (int kind = 0; kind < 4; kind++) {
        Session *session = make_small(kind % 2 == 1, true, true, 1 + kind / 2);
        int32_t tokens[7] = {1, 2, 3, 4, 5, 6, 7};
        float before[70], after[70];
        session_predict(session, tokens, before);
        for (int changed = 0; changed < 7; changed++) {
            tokens[changed] += 2;
            session_predict(session, tokens, after);
            tokens[changed] -= 2;
            assert_floats_same("earlier places", after, before, (size_t)(10 * changed));
            for (int t = changed; t < 7; t++)
                assert_true(floats_differ(after + 10 * t, before + 10 * t, 10));
        }
        session_destroy(session);
    }
}

/* Whether permuted tokens have permuted logits. */
static bool permutes(Session *session) {
    int32_t plain[7] = {1, 2, 3, 4, 5, 6, 7}, turned[7];
    float plain_logits[70], turned_logits[70];
    double largest = 0.0;
    for (int t = 0; t < 7; t++)
        turned[t] = plain[(t * 3 + 2) % 7];
    session_predict(session, plain, plain_logits);
    session_predict(session, turned, turned_logits);
    for (int t = 0; t < 7; t++) {
        for (int v = 0; v < 10; v++) {
            double difference =
                (double)turned_logits[10 * t + v] - (double)plain_logits[(t * 3 + 2) % 7 * 10 + v];
            largest = fmax(largest, fabs(difference));
        }
    }
    assert_true(largest < 1e-5 || largest > 1e-2);
    return largest < 1e-5;
}

TEST(without_positions_permuted_inputs_have_permuted_outputs) {
    for (int kind = 0; kind < 4; kind++) {
        Session *without = make_small(kind % 2 == 1, false, false, 1 + kind / 2);
        assert_true(permutes(without));
        session_destroy(without);
        Session *with = make_small(kind % 2 == 1, false, true, 1 + kind / 2);
        assert_false(permutes(with));
        session_destroy(with);
        Session *causal = make_small(kind % 2 == 1, true, false, 1 + kind / 2);
        assert_false(permutes(causal));
        session_destroy(causal);
    }
}

TEST(rows_of_weights_sum_to_1_in_every_layer_and_head) {
    Session *session = make_small(true, false, true, 2);
    const int32_t tokens[7] = {9, 8, 7, 6, 5, 4, 3};
    float logits[70];
    session_predict(session, tokens, logits);
    static const char *const MAPS[] = {"layers.0.self_attn.weights", "layers.1.self_attn.weights"};
    for (size_t m = 0; m < COUNT_OF(MAPS); m++) {
        const float *weights = shown_tensor(session, MAPS[m]);
        for (int row = 0; row < 4 * 7; row++) {
            double sum = 0.0;
            for (int t = 0; t < 7; t++)
                sum += (double)weights[row * 7 + t];
            assert_near(MAPS[m], sum, 1.0, 1e-6);
        }
    }
    session_destroy(session);
}

TEST(the_scale_of_a_session_divides_by_what_it_is_named_after) {
    static const struct {
        int scale;
        double factor;
    } SCALES[] = {{SCALE_SQRT_D_K, 0.25}, {SCALE_NONE, 1.0}, {SCALE_D_K, 0.0625}};
    for (size_t i = 0; i < COUNT_OF(SCALES); i++) {
        Config config = config_default();
        config.n_heads = 2; /* d_k = 16 */
        config.scale = SCALES[i].scale;
        Session *session = make_session(&config);
        const int32_t tokens[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        float logits[100];
        session_predict(session, tokens, logits);
        const float *qkv = shown_tensor(session, "att.qkv");
        const float *scores = shown_tensor(session, "att.scores");
        /* Head 1, query 3, key 8: columns 16..31 of q and of k. */
        double dot = weighted_sum(qkv + 3 * 96 + 16, qkv + 8 * 96 + 32 + 16, 16);
        assert_near("score", (double)scores[100 + 3 * 10 + 8], dot * SCALES[i].factor, 1e-6);
        session_destroy(session);
    }
}

TEST(the_smallest_models_and_scores_of_ten_thousand_stay_finite) {
    for (int kind = 0; kind < 8; kind++) {
        Config config = config_default();
        config.seq_len = 2;
        config.vocab_size = 2;
        config.d_model = 4;
        config.d_ff = 4;
        config.n_heads = 1;
        config.batch_size = 3;
        config.norm_first = kind % 2;
        config.causal = kind / 2 % 2;
        Session *session = make_session(&config);
        if (kind >= 4) {
            const char *name =
                kind % 2 ? "layers.0.self_attn.in_proj_weight" : "att.in_proj_weight";
            const Parameter *in_proj = params_find(&session->params, name);
            for (size_t i = 0; i < in_proj->size; i++)
                in_proj->value[i] *= 1000.0f;
        }
        SessionMetrics metrics;
        session_step(session, &metrics);
        assert_true(isfinite(metrics.loss) && isfinite(metrics.grad_norm));
        assert_finite("grads", session->params.grads, session->params.n_values);
        assert_finite("values", session->params.values, session->params.n_values);
        session_destroy(session);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_batch_at_once_gives_pytorchs_logits_loss_and_gradients),
        cmocka_unit_test(one_post_norm_layer_bears_the_lessons_names),
        cmocka_unit_test(every_other_model_bears_pytorchs_names),
        cmocka_unit_test(a_causal_model_does_not_see_later_tokens),
        cmocka_unit_test(without_positions_permuted_inputs_have_permuted_outputs),
        cmocka_unit_test(rows_of_weights_sum_to_1_in_every_layer_and_head),
        cmocka_unit_test(the_scale_of_a_session_divides_by_what_it_is_named_after),
        cmocka_unit_test(the_smallest_models_and_scores_of_ten_thousand_stay_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
