#include <math.h>
#include <string.h>

#include "golden.h"
#include "sessions.h"
#include "support.h"
#include "train/task.h"

/* LSTM tensors above 2000 values: the goldens hold their first 256. */
#define GOLDEN_PART 256

static bool has_key_bias(const Parameter *parameter) {
    const char *end = strstr(parameter->name, "in_proj_bias");
    return end != NULL && strcmp(end, "in_proj_bias") == 0;
}

static const Golden *expected_of(const Golden *node, const Parameter *parameter) {
    const Golden *expected = golden_at(node, parameter->name);
    assert_true(expected->size == parameter->size ||
                (parameter->size > 2000 && expected->size == GOLDEN_PART));
    return expected;
}

/*
 * The key bias has no influence on the output: what stands in its gradient is rounding noise,
 * which must be small and is compared with nothing.
 */
static void check_gradient(const Parameter *parameter, const Golden *expected) {
    const double bound = GOLDEN_SHARE * golden_max(expected);
    if (!has_key_bias(parameter)) {
        assert_golden(parameter->grad, expected);
        return;
    }
    const size_t D = parameter->size / 3;
    for (size_t i = 0; i < D; i++)
        assert_near("key bias", (double)parameter->grad[D + i], 0.0, 1e-7);
    for (size_t block = 0; block < 3; block += 2) {
        assert_floats_near(expected->name, parameter->grad + block * D,
                           expected->floats + block * D, D, bound);
    }
}

/* After the first Adam step, which turns the key bias's noise into steps of up to 0.003. */
static void check_value(const Parameter *parameter, const Golden *expected) {
    const double bound = 1e-6;
    if (!has_key_bias(parameter)) {
        assert_golden_near(parameter->value, expected, bound);
        return;
    }
    const size_t D = parameter->size / 3;
    for (size_t i = 0; i < D; i++)
        assert_near("key bias", (double)parameter->value[D + i], 0.0, (double)0.003f);
    for (size_t block = 0; block < 3; block += 2) {
        assert_floats_near(expected->name, parameter->value + block * D,
                           expected->floats + block * D, D, bound);
    }
}

static double relative_to(const Golden *node, size_t i, double share) {
    return share * fabs(node->values[i]);
}

/* The logits of the first two samples, then one step on the batch they belong to. */
static void check_first_step(Session *session, const Golden *node) {
    const size_t T = (size_t)session->config.seq_len, V = (size_t)session->config.vocab_size;
    const Golden *x = golden_at(node, "x"), *loss = golden_at(node, "loss");
    Pool pool = {NULL};
    float *logits = pool_floats(&pool, 2 * T * V);
    for (size_t b = 0; b < 2; b++)
        session_predict(session, x->ints + b * T, logits + b * T * V);
    assert_golden(logits, golden_at(node, "logits_first2"));

    SessionMetrics metrics;
    session_step(session, &metrics);
    assert_near(loss->name, (double)metrics.loss, loss->values[0], relative_to(loss, 0, 2e-6));
    const Golden *grads = golden_at(node, "grads");
    const Golden *values = golden_at(node, "params_after_1_step");
    for (int i = 0; i < session->params.n; i++) {
        const Parameter *parameter = &session->params.items[i];
        check_gradient(parameter, expected_of(grads, parameter));
        check_value(parameter, expected_of(values, parameter));
    }
    pool_free(&pool);
}

TEST(the_lessons_first_step_is_pytorchs) {
    Golden *golden = golden_open("transformer_step.json");
    const Config config = config_default();
    Session *session = make_session(&config);
    check_first_step(session, golden);
    session_destroy(session);
    golden_close(golden);
}

TEST(the_lstms_first_step_is_pytorchs) {
    Golden *golden = golden_open("lstm_step.json");
    Config config = config_default();
    config.model = MODEL_BILSTM;
    config.skip_batches = 1500;
    Session *session = make_session(&config);
    check_first_step(session, golden);
    session_destroy(session);
    golden_close(golden);
}

TEST(the_first_step_of_models_with_two_layers_is_pytorchs) {
    static const char *const MODELS[] = {"pre_norm_causal_gelu", "post_norm_relu"};
    Golden *golden = golden_open("sessions.json");
    for (size_t i = 0; i < COUNT_OF(MODELS); i++) {
        const Golden *node = golden_at(golden, MODELS[i]);
        const Config config = golden_config(golden_at(node, "config"));
        Session *session = make_session(&config);
        check_first_step(session, node);
        session_destroy(session);
    }
    golden_close(golden);
}

TEST(thirty_losses_of_models_with_two_layers_are_pytorchs) {
    static const char *const MODELS[] = {"pre_norm_causal_gelu", "post_norm_relu"};
    Golden *golden = golden_open("sessions.json");
    for (size_t i = 0; i < COUNT_OF(MODELS); i++) {
        const Golden *node = golden_at(golden, MODELS[i]), *losses = golden_at(node, "losses");
        const Config config = golden_config(golden_at(node, "config"));
        Session *session = make_session(&config);
        assert_int_equal(losses->size, 30);
        for (size_t step = 0; step < losses->size; step++) {
            SessionMetrics metrics;
            session_step(session, &metrics);
            assert_near(losses->name, (double)metrics.loss, losses->values[step],
                        relative_to(losses, step, 1e-5));
        }
        session_destroy(session);
    }
    golden_close(golden);
}

/* Two sessions of one configuration, small enough to train quickly. */
static Config small_config(void) {
    Config config = config_default();
    config.seq_len = 9; /* 17 sequences a chunk */
    config.d_model = 16;
    config.d_ff = 20;
    config.n_heads = 2;
    config.batch_size = 40;
    return config;
}

TEST(a_step_in_pieces_gives_the_bits_of_a_whole_step) {
    static const int PIECES[] = {1, 17, 18, 39, 40, 1000};
    for (int model = MODEL_TRANSFORMER; model <= MODEL_BILSTM; model++) {
        for (size_t p = 0; p < COUNT_OF(PIECES); p++) {
            Config config = small_config();
            config.model = model;
            Session *whole = make_session(&config), *pieces = make_session(&config);
            for (int step = 0; step < 3; step++) {
                SessionMetrics expected, got;
                memset(&got, 0x55, sizeof got);
                const SessionMetrics untouched = got;
                session_step(whole, &expected);
                int left = config.batch_size;
                while (left > 0) {
                    assert_memory_equal(&got, &untouched, sizeof got);
                    const int now = session_step_advance(pieces, PIECES[p], &got);
                    assert_true(now <= left - PIECES[p] || now == 0);
                    left = now;
                }
                assert_memory_equal(&got, &expected, sizeof got);
                assert_floats_same("values", pieces->params.values, whole->params.values,
                                   whole->params.n_values);
            }
            session_destroy(whole);
            session_destroy(pieces);
        }
    }
}

TEST(a_whole_step_finishes_a_step_that_was_begun) {
    const Config config = small_config();
    Session *whole = make_session(&config), *begun = make_session(&config);
    SessionMetrics expected, got;
    session_step(whole, &expected);
    assert_true(session_step_advance(begun, 1, &got) > 0);
    assert_int_equal(begun->step, 0);
    session_step(begun, &got);
    assert_int_equal(begun->step, 1);
    assert_memory_equal(&got, &expected, sizeof got);
    session_destroy(whole);
    session_destroy(begun);
}

TEST(an_evaluation_in_pieces_measures_what_a_whole_one_does) {
    static const int PIECES[] = {1, 17, 50, 1000};
    const Config config = small_config();
    Session *session = make_session(&config);
    SessionMetrics whole;
    (void)evaluate(session, 5, 101, &whole);
    for (size_t p = 0; p < COUNT_OF(PIECES); p++) {
        SessionMetrics metrics;
        session_evaluate_begin(session, 5, 101);
        while (session_evaluate_advance(session, PIECES[p], &metrics) > 0)
            continue;
        assert_memory_equal(&metrics, &whole, sizeof whole);
    }
    assert_int_equal(whole.n_sequences, 101);
    assert_true(whole.grad_norm == 0.0f);
    session_destroy(session);
}

TEST(looking_at_a_session_does_not_change_its_training) {
    const Config config = small_config();
    Session *alone = make_session(&config), *watched = make_session(&config);
    const int32_t tokens[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    float logits[90];
    for (int step = 0; step < 3; step++) {
        SessionMetrics expected, got, measured;
        session_step(alone, &expected);
        while (session_step_advance(watched, 17, &got) > 0) {
            session_predict(watched, tokens, logits);
            (void)evaluate(watched, 99, 30, &measured);
        }
        assert_memory_equal(&got, &expected, sizeof got);
    }
    assert_floats_same("values", watched->params.values, alone->params.values,
                       alone->params.n_values);
    session_destroy(alone);
    session_destroy(watched);
}

TEST(an_evaluation_at_the_data_seed_measures_the_first_batch) {
    Config config = small_config();
    config.data_seed = 4294967295u;
    Session *session = make_session(&config);
    SessionMetrics measured, trained;
    (void)evaluate(session, config.data_seed, config.batch_size, &measured);
    session_step(session, &trained);
    assert_true(measured.loss == trained.loss);
    assert_int_equal(measured.digits, trained.digits);
    assert_int_equal(measured.sequences, trained.sequences);
    int sum = 0;
    for (int t = 0; t < config.seq_len; t++) {
        assert_int_equal(measured.position_digits[t], trained.position_digits[t]);
        sum += measured.position_digits[t];
    }
    assert_int_equal(sum, measured.digits);
    assert_int_equal(measured.step, 0);
    assert_int_equal(trained.step, 1);
    session_destroy(session);
}

TEST(skipped_batches_are_those_another_session_trains_on) {
    Config config = small_config();
    config.learning_rate = 1e-6f;
    Session *first = make_session(&config);
    config.skip_batches = 2;
    Session *later = make_session(&config);
    SessionMetrics metrics;
    for (int step = 0; step < 2; step++)
        session_step(first, &metrics);
    memcpy(later->params.values, first->params.values, first->params.n_values * sizeof(float));
    SessionMetrics expected, got;
    session_step(first, &expected);
    session_step(later, &got);
    assert_true(got.loss == expected.loss && got.digits == expected.digits);
    session_destroy(first);
    session_destroy(later);
}

TEST(many_batches_are_skipped_a_part_a_call) {
    Config config = small_config();
    config.skip_batches = 10000; /* 3.6 million draws */
    Session *pieces = make_session(&config), *whole = make_session(&config);
    SessionMetrics got, expected;
    int n_calls = 0, left = 0;
    do {
        left = session_step_advance(pieces, 1000, &got);
        assert_true(left == 0 || left == config.batch_size);
        assert_int_equal(pieces->step, left == 0);
        n_calls++;
    } while (left > 0);
    assert_int_equal(n_calls, 4);
    session_step(whole, &expected);
    assert_memory_equal(&got, &expected, sizeof got);

    Rng rng;
    rng_seed(&rng, config.data_seed);
    rng_skip(&rng, 10001 * task_draw_count(config.batch_size, config.seq_len));
    assert_int_equal(rng_u32(&pieces->data_rng), rng_u32(&rng));
    session_destroy(pieces);
    session_destroy(whole);
}

TEST(the_gradient_norm_is_that_of_all_gradients) {
    const Config config = small_config();
    Session *session = make_session(&config);
    SessionMetrics metrics;
    session_step(session, &metrics);
    const float *grads = session->params.grads;
    double norm = sqrt(weighted_sum(grads, grads, session->params.n_values));
    assert_near("norm", (double)metrics.grad_norm, norm, 1e-7 * norm);
    session_destroy(session);
}

TEST(every_task_is_learned_a_little_in_fifty_steps) {
    for (int task = TASK_REVERSE; task <= TASK_SHIFT; task++) {
        Config config = small_config();
        config.seq_len = 4;
        config.task = task;
        Session *session = make_session(&config);
        SessionMetrics first, last;
        session_step(session, &first);
        for (int step = 0; step < 50; step++)
            session_step(session, &last);
        assert_true(last.loss < 0.9f * first.loss);
        session_destroy(session);
    }
}

TEST(a_repeated_pattern_is_learned_and_noise_is_not) {
    Config config = small_config();
    config.task = TASK_NEXT_TOKEN;
    config.causal = 1;
    SessionMetrics first, last;
    for (int period = 0; period <= 1; period++) {
        config.period = period;
        Session *session = make_session(&config);
        session_step(session, &first);
        for (int step = 0; step < 100; step++)
            session_step(session, &last);
        /* The next of independent tokens cannot be known: ln 10 is the best there is. */
        assert_true(period == 1 ? last.loss < 0.5f * first.loss : last.loss > 2.2f);
        session_destroy(session);
    }
}

TEST(the_loss_is_the_mean_of_the_losses_at_each_position) {
    const Config config = small_config();
    Session *session = make_session(&config);
    SessionMetrics metrics;
    session_step(session, &metrics);
    const double mean = sum_of(metrics.position_loss, 9) / 9.0;
    assert_near("mean", mean, (double)metrics.loss, 1e-6);
    for (int t = 9; t < SESSION_MAX_SEQ_LEN; t++)
        assert_true(metrics.position_loss[t] == 0.0f && metrics.position_digits[t] == 0);
    session_destroy(session);
}

TEST(a_session_above_the_memory_limit_is_refused_with_its_size) {
    Config config = config_default();
    config.n_layers = 6;
    config.d_model = 256;
    config.d_ff = 1024;
    Session *session;
    SessionError error;
    assert_int_equal(session_create(&session, &config, &error), STATUS_MEMORY_LIMIT);
    assert_null(session);
    assert_true(error.n_bytes > SESSION_MAX_BYTES);
    assert_null(error.config.field);
    /* Values, gradients and Adam's two moments of 4.7 million parameters are 76 MB. */
    assert_true(error.n_bytes > 76000000 && error.n_bytes < 100000000);
}

TEST(a_refused_configuration_names_its_field) {
    Config config = config_default();
    config.n_heads = 3;
    Session *session;
    SessionError error;
    assert_int_equal(session_create(&session, &config, &error), STATUS_CONFIG_RANGE);
    assert_null(session);
    assert_string_equal(error.config.field->name, "n_heads");
    assert_int_equal(error.n_bytes, 0);
}

TEST(destroying_no_session_is_allowed) { session_destroy(NULL); }

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lessons_first_step_is_pytorchs),
        cmocka_unit_test(the_lstms_first_step_is_pytorchs),
        cmocka_unit_test(the_first_step_of_models_with_two_layers_is_pytorchs),
        cmocka_unit_test(thirty_losses_of_models_with_two_layers_are_pytorchs),
        cmocka_unit_test(a_step_in_pieces_gives_the_bits_of_a_whole_step),
        cmocka_unit_test(a_whole_step_finishes_a_step_that_was_begun),
        cmocka_unit_test(an_evaluation_in_pieces_measures_what_a_whole_one_does),
        cmocka_unit_test(looking_at_a_session_does_not_change_its_training),
        cmocka_unit_test(an_evaluation_at_the_data_seed_measures_the_first_batch),
        cmocka_unit_test(skipped_batches_are_those_another_session_trains_on),
        cmocka_unit_test(many_batches_are_skipped_a_part_a_call),
        cmocka_unit_test(the_gradient_norm_is_that_of_all_gradients),
        cmocka_unit_test(every_task_is_learned_a_little_in_fifty_steps),
        cmocka_unit_test(a_repeated_pattern_is_learned_and_noise_is_not),
        cmocka_unit_test(the_loss_is_the_mean_of_the_losses_at_each_position),
        cmocka_unit_test(a_session_above_the_memory_limit_is_refused_with_its_size),
        cmocka_unit_test(a_refused_configuration_names_its_field),
        cmocka_unit_test(destroying_no_session_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
