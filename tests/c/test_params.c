#include <string.h>

#include "nn/params.h"
#include "support.h"

static void layout(void *context, Arena *arena) {
    ParameterTable *table = context;
    params_clear(table);
    (void)params_add_matrix(table, "a.", "weight", 3, 4);
    (void)params_add_vector(table, "a.", "bias", 3);
    (void)params_add_vector(table, "", "gain", 1);
    params_layout(table, arena);
}

TEST(parameters_lie_one_after_the_other_in_the_order_they_came) {
    ParameterTable table;
    Arena arena = lay_out(layout, &table);
    static const struct {
        const char *name;
        int n_dims, rows, columns;
        size_t start;
    } EXPECTED[] = {{"a.weight", 2, 3, 4, 0}, {"a.bias", 1, 3, 1, 12}, {"gain", 1, 1, 1, 15}};
    assert_int_equal(table.n, 3);
    assert_int_equal(table.n_values, 16);
    for (int i = 0; i < table.n; i++) {
        const Parameter *p = &table.items[i];
        assert_string_equal(p->name, EXPECTED[i].name);
        assert_int_equal(p->n_dims, EXPECTED[i].n_dims);
        assert_int_equal(p->shape[0], EXPECTED[i].rows);
        assert_int_equal(p->shape[1], EXPECTED[i].columns);
        assert_int_equal(p->size, EXPECTED[i].rows * EXPECTED[i].columns);
        assert_ptr_equal(p->value, table.values + EXPECTED[i].start);
        assert_ptr_equal(p->grad, table.grads + EXPECTED[i].start);
    }
    arena_destroy(&arena);
}

TEST(a_parameter_is_found_by_its_whole_name) {
    ParameterTable table;
    Arena arena = lay_out(layout, &table);
    assert_ptr_equal(params_find(&table, "a.bias"), &table.items[1]);
    assert_null(params_find(&table, "bias"));
    assert_null(params_find(&table, "a.bias.grad"));
    assert_null(params_find(&table, ""));
    arena_destroy(&arena);
}

TEST(clearing_gradients_leaves_the_values) {
    ParameterTable table;
    Arena arena = lay_out(layout, &table);
    for (size_t i = 0; i < table.n_values; i++) {
        table.values[i] = 1.0f;
        table.grads[i] = 2.0f;
    }
    params_zero_grads(&table);
    for (size_t i = 0; i < table.n_values; i++)
        assert_true(table.values[i] == 1.0f && table.grads[i] == 0.0f);
    arena_destroy(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_lie_one_after_the_other_in_the_order_they_came),
        cmocka_unit_test(a_parameter_is_found_by_its_whole_name),
        cmocka_unit_test(clearing_gradients_leaves_the_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
