#include "nn/params.h"

#include <assert.h>
#include <string.h>

void params_clear(ParameterTable *table) {
    table->n = 0;
    table->n_values = 0;
    table->values = NULL;
    table->grads = NULL;
}

static Parameter *append(ParameterTable *table, const char *prefix, const char *name) {
    assert(table->n < PARAMETER_MAX);
    assert(strlen(prefix) + strlen(name) < PARAMETER_NAME_SIZE);
    Parameter *parameter = &table->items[table->n++];
    memset(parameter, 0, sizeof *parameter);
    strcpy(parameter->name, prefix);
    strcat(parameter->name, name);
    return parameter;
}

Parameter *params_add_vector(ParameterTable *table, const char *prefix, const char *name, int n) {
    Parameter *parameter = append(table, prefix, name);
    parameter->n_dims = 1;
    parameter->shape[0] = n;
    parameter->shape[1] = 1;
    parameter->size = (size_t)n;
    table->n_values += parameter->size;
    return parameter;
}

Parameter *params_add_matrix(ParameterTable *table, const char *prefix, const char *name, int rows,
                             int columns) {
    Parameter *parameter = append(table, prefix, name);
    parameter->n_dims = 2;
    parameter->shape[0] = rows;
    parameter->shape[1] = columns;
    parameter->size = (size_t)rows * (size_t)columns;
    table->n_values += parameter->size;
    return parameter;
}

void params_layout(ParameterTable *table, Arena *arena) {
    table->values = ARENA_FLOATS(arena, table->n_values);
    table->grads = ARENA_FLOATS(arena, table->n_values);
    if (table->values == NULL)
        return;
    size_t offset = 0;
    for (int i = 0; i < table->n; i++) {
        table->items[i].value = table->values + offset;
        table->items[i].grad = table->grads + offset;
        offset += table->items[i].size;
    }
}

const Parameter *params_find(const ParameterTable *table, const char *name) {
    for (int i = 0; i < table->n; i++) {
        if (strcmp(table->items[i].name, name) == 0)
            return &table->items[i];
    }
    return NULL;
}

void params_zero_grads(ParameterTable *table) {
    memset(table->grads, 0, table->n_values * sizeof(float));
}
