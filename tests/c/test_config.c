#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sessions.h"
#include "support.h"
#include "train/task.h"

static void assert_accepted(const Config *config) {
    const ConfigError error = config_check(config);
    if (error.status != STATUS_OK)
        print_error("%s was refused\n", error.field->name);
    assert_int_equal(error.status, STATUS_OK);
    assert_null(error.field);
    assert_null(error.rule);
}

static void assert_refused(const Config *config, Status status, const char *name,
                           const char *rule) {
    const ConfigError error = config_check(config);
    assert_int_equal(error.status, status);
    assert_non_null(error.field);
    assert_string_equal(error.field->name, name);
    if (rule == NULL)
        assert_null(error.rule);
    else
        assert_string_equal(error.rule, rule);
}

/* The largest value of a field; an enumeration has none in its row. */
static int count_values(const ConfigField *field) {
    int n = 0;
    for (const char *value = field->values; *value != '\0'; value += strlen(value) + 1)
        n++;
    return n;
}

TEST(the_defaults_are_the_lessons) {
    const Config config = config_default();
    assert_accepted(&config);
    assert_int_equal(config.model, MODEL_TRANSFORMER);
    assert_int_equal(config.task, TASK_REVERSE);
    assert_int_equal(config.seq_len, 10);
    assert_int_equal(config.vocab_size, 10);
    assert_int_equal(config.d_model, 32);
    assert_int_equal(config.n_heads, 1);
    assert_int_equal(config.d_ff, 64);
    assert_int_equal(config.n_layers, 1);
    assert_int_equal(config.d_hidden, 48);
    assert_int_equal(config.norm_first, 0);
    assert_int_equal(config.activation, ACTIVATION_RELU);
    assert_int_equal(config.causal, 0);
    assert_int_equal(config.positions, 1);
    assert_int_equal(config.scale, SCALE_SQRT_D_K);
    assert_int_equal(config.batch_size, 64);
    assert_true(config.learning_rate == 3e-3f);
    assert_int_equal(config.init_seed, 0);
    assert_int_equal(config.data_seed, 0);
    assert_int_equal(config.test_seed, 99);
    assert_int_equal(config.skip_batches, 0);
}

TEST(both_ends_of_every_range_are_accepted) {
    for (int i = 0; i < CONFIG_FIELD_COUNT; i++) {
        const ConfigField *field = &CONFIG_TABLE[i];
        if (field->type == CONFIG_ENUM)
            continue;
        /* The widest model of one head, so that no other field objects. */
        Config config = config_default();
        config_set(&config, field, field->min);
        assert_accepted(&config);
        config = config_default();
        config.d_model = 256;
        config_set(&config, field, field->max);
        assert_accepted(&config);
    }
}

TEST(a_value_outside_its_range_is_refused_by_name) {
    int n_refused = 0;
    for (int i = 0; i < CONFIG_FIELD_COUNT; i++) {
        const ConfigField *field = &CONFIG_TABLE[i];
        if (field->type == CONFIG_UINT)
            continue; /* any 32 bits are a seed */
        const double max = field->type == CONFIG_ENUM ? count_values(field) - 1 : field->max;
        const double step = field->type == CONFIG_FLOAT ? 1e-3 : 1.0;
        const double outside[] = {field->min - step, max + step, -2147483648.0, 2147483647.0};
        for (size_t k = 0; k < COUNT_OF(outside); k++) {
            Config config = config_default();
            config_set(&config, field, outside[k]);
            assert_refused(&config, STATUS_CONFIG_RANGE, field->name, NULL);
        }
        n_refused++;
    }
    assert_int_equal(n_refused, CONFIG_FIELD_COUNT - 3);
}

TEST(a_learning_rate_that_is_no_number_is_refused) {
    static const float BAD[] = {NAN, INFINITY, -INFINITY, 0.0f, -3e-3f, 10.000001f, 9.99999e-7f};
    for (size_t i = 0; i < COUNT_OF(BAD); i++) {
        Config config = config_default();
        config.learning_rate = BAD[i];
        assert_refused(&config, STATUS_CONFIG_RANGE, "learning_rate", NULL);
    }
}

TEST(values_are_accepted_where_this_build_computes_them_and_else_unsupported) {
    for (int i = 0; i < CONFIG_FIELD_COUNT; i++) {
        const ConfigField *field = &CONFIG_TABLE[i];
        if (field->type != CONFIG_ENUM)
            continue;
        for (int value = 0; value < count_values(field); value++) {
            Config config = config_default();
            config_set(&config, field, value);
            if ((field->available >> value) & 1u)
                assert_accepted(&config);
            else
                assert_refused(&config, STATUS_CONFIG_UNSUPPORTED, field->name, NULL);
        }
    }
}

TEST(an_odd_d_model_is_refused_by_rule) {
    for (int d_model = 5; d_model < 256; d_model += 2) {
        Config config = config_default();
        config.d_model = d_model;
        assert_refused(&config, STATUS_CONFIG_RANGE, "d_model", "even");
    }
}

TEST(heads_that_do_not_divide_d_model_are_refused_by_rule) {
    for (int n_heads = 1; n_heads <= 16; n_heads++) {
        for (int d_model = 4; d_model <= 256; d_model += 2) {
            Config config = config_default();
            config.d_model = d_model;
            config.n_heads = n_heads;
            if (d_model % n_heads == 0)
                assert_accepted(&config);
            else
                assert_refused(&config, STATUS_CONFIG_RANGE, "n_heads", "divides d_model");
        }
    }
}

TEST(the_first_fault_in_the_order_of_the_list_is_named) {
    Config config = config_default();
    config.skip_batches = -1;
    config.vocab_size = 1;
    config.learning_rate = 0.0f;
    assert_refused(&config, STATUS_CONFIG_RANGE, "vocab_size", NULL);
}

TEST(every_field_has_a_place_of_its_own_and_texts_that_are_its_numbers) {
    for (int i = 0; i < CONFIG_FIELD_COUNT; i++) {
        const ConfigField *field = &CONFIG_TABLE[i];
        assert_int_equal(field->offset, 4 * i);
        assert_true(strtod(field->initial_text, NULL) == field->initial);
        if (field->type == CONFIG_ENUM) {
            assert_true(field->initial < count_values(field));
            continue;
        }
        assert_true(strtod(field->min_text, NULL) == field->min);
        assert_true(strtod(field->max_text, NULL) == field->max);
        assert_true(field->min <= field->initial && field->initial <= field->max);
    }
    assert_int_equal(sizeof(Config), 4 * CONFIG_FIELD_COUNT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_defaults_are_the_lessons),
        cmocka_unit_test(both_ends_of_every_range_are_accepted),
        cmocka_unit_test(a_value_outside_its_range_is_refused_by_name),
        cmocka_unit_test(a_learning_rate_that_is_no_number_is_refused),
        cmocka_unit_test(values_are_accepted_where_this_build_computes_them_and_else_unsupported),
        cmocka_unit_test(an_odd_d_model_is_refused_by_rule),
        cmocka_unit_test(heads_that_do_not_divide_d_model_are_refused_by_rule),
        cmocka_unit_test(the_first_fault_in_the_order_of_the_list_is_named),
        cmocka_unit_test(every_field_has_a_place_of_its_own_and_texts_that_are_its_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
