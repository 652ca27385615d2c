#include <math.h>
#include <string.h>

#include "golden.h"
#include "nn/init.h"
#include "sessions.h"
#include "support.h"

/*
 * Draws the parameters once more with a generator that is kept, so that the numbers after them
 * prove how many were drawn.
 */
static void check_draws(Session *session, const Golden *next_numbers) {
    Rng rng;
    rng_seed(&rng, session->config.init_seed);
    model_init(&session->model, &rng);
    int32_t next[4];
    rng_randint(&rng, 0, 1000000, next, 4);
    assert_golden_ints(next, next_numbers);
}

/* `node` holds n_params, params and next_randint_0_1000000. */
static void check_model(const Config *config, const Golden *node) {
    Session *session = make_session(config);
    assert_int_equal(session->params.n_values, (size_t)golden_number(node, "n_params"));
    int n = 0;
    const Golden *expected = golden_at(node, "params")->first;
    for (; expected != NULL; expected = expected->next, n++) {
        const Parameter *parameter = params_find(&session->params, expected->key);
        if (parameter == NULL)
            fail_msg("the model has no %s", expected->name);
        assert_int_equal(parameter->size, expected->size);
        assert_int_equal(parameter->n_dims, expected->n_dims);
        for (int d = 0; d < expected->n_dims; d++)
            assert_int_equal(parameter->shape[d], expected->shape[d]);
        assert_golden_same(parameter->value, expected);
    }
    assert_int_equal(session->params.n, n);
    check_draws(session, golden_at(node, "next_randint_0_1000000"));
    session_destroy(session);
}

TEST(the_lessons_transformer_starts_with_pytorchs_bits) {
    Golden *golden = golden_open("transformer_init.json");
    const Config config = config_default();
    check_model(&config, golden);
    golden_close(golden);
}

TEST(the_lessons_lstm_starts_with_pytorchs_bits) {
    Golden *golden = golden_open("lstm_init.json");
    Config config = config_default();
    config.model = MODEL_BILSTM;
    check_model(&config, golden);
    golden_close(golden);
}

TEST(models_of_two_layers_start_with_pytorchs_bits) {
    static const char *const MODELS[] = {"pre_norm_causal_gelu", "post_norm_relu"};
    Golden *golden = golden_open("sessions.json");
    for (size_t i = 0; i < COUNT_OF(MODELS); i++) {
        const Golden *node = golden_at(golden, MODELS[i]);
        const Config config = golden_config(golden_at(node, "config"));
        check_model(&config, node);
    }
    golden_close(golden);
}

static void layout(void *context, Arena *arena) {
    ParameterTable *table = context;
    params_clear(table);
    (void)params_add_matrix(table, "", "weight", 50, 16);
    (void)params_add_vector(table, "", "bias", 50);
    params_layout(table, arena);
}

static double largest_value(const Parameter *parameter) {
    double largest = 0.0;
    for (size_t i = 0; i < parameter->size; i++)
        largest = fmax(largest, fabs((double)parameter->value[i]));
    return largest;
}

TEST(uniform_values_fill_their_bounds_and_no_more) {
    ParameterTable table;
    Arena arena = lay_out(layout, &table);
    Parameter *weight = &table.items[0], *bias = &table.items[1];
    Rng rng;
    rng_seed(&rng, 5);
    init_linear(weight, bias, &rng);
    const double linear_bound = 1.0 / sqrt(16.0);
    assert_in_range((int)(1e3 * largest_value(weight) / linear_bound), 980, 1000);
    assert_in_range((int)(1e3 * largest_value(bias) / linear_bound), 900, 1000);
    init_xavier_uniform(weight, &rng);
    const double xavier_bound = sqrt(6.0 / (50.0 + 16.0));
    assert_in_range((int)(1e3 * largest_value(weight) / xavier_bound), 980, 1000);
    arena_destroy(&arena);
}

TEST(constants_draw_nothing) {
    ParameterTable table;
    Arena arena = lay_out(layout, &table);
    randomise_params(&table, 1.0f, 1);
    init_layernorm(&table.items[0], &table.items[1]);
    for (size_t i = 0; i < table.items[0].size; i++)
        assert_true(table.items[0].value[i] == 1.0f);
    assert_true(largest_value(&table.items[1]) == 0.0);
    init_zero(&table.items[0]);
    assert_true(largest_value(&table.items[0]) == 0.0);
    arena_destroy(&arena);
}

TEST(another_seed_draws_other_parameters) {
    Config config = config_default();
    Session *a = make_session(&config), *again = make_session(&config);
    config.init_seed = 1;
    Session *b = make_session(&config);
    assert_floats_same("again", again->params.values, a->params.values, a->params.n_values);
    assert_true(floats_differ(b->params.values, a->params.values, 100));
    session_destroy(a);
    session_destroy(again);
    session_destroy(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lessons_transformer_starts_with_pytorchs_bits),
        cmocka_unit_test(the_lessons_lstm_starts_with_pytorchs_bits),
        cmocka_unit_test(models_of_two_layers_start_with_pytorchs_bits),
        cmocka_unit_test(uniform_values_fill_their_bounds_and_no_more),
        cmocka_unit_test(constants_draw_nothing),
        cmocka_unit_test(another_seed_draws_other_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
