#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "golden.h"
#include "sessions.h"
#include "support.h"

/* The README's bound for the loss at a step, relative. */
typedef struct {
    int last_step;
    double share;
} LossBound;

static double share_at(const LossBound *bounds, int step) {
    while (bounds->last_step < step)
        bounds++;
    return bounds->share;
}

/* Trains and compares every step that `losses` holds, up to last_step. */
static void check_losses(Session *session, const Golden *losses, int last_step,
                         const LossBound *bounds) {
    int n_compared = 0;
    for (const Golden *loss = losses->first; loss != NULL; loss = loss->next, n_compared++) {
        const int step = (int)strtol(loss->key, NULL, 10);
        if (step > last_step)
            break;
        SessionMetrics metrics = {0};
        while (session->step < step)
            session_step(session, &metrics);
        assert_int_equal(metrics.step, step);
        assert_near(loss->name, (double)metrics.loss, loss->values[0],
                    share_at(bounds, step) * fabs(loss->values[0]));
    }
    /* Steps 1 to 50, and beyond them 100, 250, 500, 1000 and 1500. */
    assert_true(n_compared > 50);
    assert_int_equal(session->step, last_step);
}

static const LossBound TRANSFORMER_BOUNDS[] = {
    {100, 1e-5}, {250, 1e-4}, {500, 5e-4}, {1000, 1e-3}, {1500, 2e-3}};

/* The map of the first test sample and the mean of its anti-diagonal. */
static void check_map(Session *session, const Golden *final, char *printed, size_t size) {
    float logits[100];
    session_predict(session, golden_at(final, "x")->ints, logits);
    const float *weights = shown_tensor(session, "att.weights");
    assert_golden_near(weights, golden_at(final, "att"), 1e-4);
    double sum = 0.0;
    for (int i = 0; i < 10; i++)
        sum += (double)weights[i * 10 + 9 - i];
    assert_near("anti-diagonal", sum / 10.0,
                golden_number(final, "anti_diagonal_mean_first_test_sample"), 1e-4);
    (void)snprintf(printed, size, "%.2f", sum / 10.0);
}

static void check_final(Session *session, const Golden *final) {
    SessionMetrics metrics;
    const double loss = evaluate(session, session->config.test_seed, 2000, &metrics);
    assert_int_equal(metrics.n_sequences, 2000);
    assert_int_equal(metrics.n_digits, 20000);
    assert_int_equal(metrics.digits, (int)golden_number(final, "tokens_correct_of_20000"));
    assert_int_equal(metrics.sequences, (int)golden_number(final, "sequences_correct_of_2000"));
    const double expected = golden_number(final, "test_loss");
    assert_near("test loss", loss, expected, 2e-3 * expected);
}

TEST(the_lessons_run_is_pytorchs_to_the_end) {
    Golden *golden = golden_open("transformer_step.json"), *final = golden_open("final.json");
    const Config config = config_default();
    Session *session = make_session(&config);
    check_losses(session, golden_at(golden, "losses"), 1500, TRANSFORMER_BOUNDS);
    const Golden *transformer = golden_at(final, "transformer");
    check_final(session, transformer);
    char printed[16];
    check_map(session, transformer, printed, sizeof printed);
    assert_string_equal(printed, "0.62");
    assert_near("anti-diagonal", golden_number(transformer, "anti_diagonal_mean_first_test_sample"),
                0.62096, 5e-6);
    session_destroy(session);
    golden_close(golden);
    golden_close(final);
}

static const LossBound LSTM_BOUNDS[] = {{250, 1e-5}, {500, 2e-5}, {1000, 5e-3}, {1500, 2e-2}};

/* The last digits of its accuracies are rounding noise: see the README of the goldens. */
static void check_near_lesson(Session *session) {
    SessionMetrics metrics;
    (void)evaluate(session, session->config.test_seed, 2000, &metrics);
    assert_near("percent of digits", 100.0 * metrics.digits / metrics.n_digits, 95.0, 0.2);
    assert_near("percent of sequences", 100.0 * metrics.sequences / metrics.n_sequences, 61.1, 1.0);
}

TEST(the_lstms_run_is_pytorchs_to_the_end) {
    Golden *golden = golden_open("lstm_step.json");
    Config config = config_default();
    config.model = MODEL_BILSTM;
    config.skip_batches = 1500;
    Session *session = make_session(&config);
    check_losses(session, golden_at(golden, "losses"), 1500, LSTM_BOUNDS);
    check_near_lesson(session);
    session_destroy(session);
    golden_close(golden);
}

TEST(another_seed_starts_pytorchs_run_too) {
    Golden *golden = golden_open("seed_7.json");
    Config config = config_default();
    config.init_seed = 7;
    config.data_seed = 7;
    Session *session = make_session(&config);
    check_losses(session, golden_at(golden, "reverse_seq", "transformer", "losses"), 100,
                 TRANSFORMER_BOUNDS);
    session_destroy(session);
    golden_close(golden);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lessons_run_is_pytorchs_to_the_end),
        cmocka_unit_test(the_lstms_run_is_pytorchs_to_the_end),
        cmocka_unit_test(another_seed_starts_pytorchs_run_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
