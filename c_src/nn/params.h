/*
 * The parameters of a model: one table of names and shapes, one flat block of values and one of
 * gradients. Initialisation, Adam, checkpoints and inspection all read this table.
 */
#ifndef ATTN_NN_PARAMS_H
#define ATTN_NN_PARAMS_H

#include <stddef.h>

#include "core/arena.h"

#define PARAMETER_NAME_SIZE 48
#define PARAMETER_MAX 96

typedef struct {
    char name[PARAMETER_NAME_SIZE]; /* PyTorch's name in the state_dict */
    int n_dims;                     /* 1 or 2 */
    int shape[2];                   /* row-major; a vector has shape[0] only */
    size_t size;                    /* floats */
    float *value;                   /* into ParameterTable.values */
    float *grad;                    /* into ParameterTable.grads */
} Parameter;

typedef struct {
    Parameter items[PARAMETER_MAX]; /* in the order of the state_dict */
    int n;
    size_t n_values; /* floats of all parameters */
    float *values;
    float *grads;
} ParameterTable;

void params_clear(ParameterTable *table);

/* Appends a parameter named prefix + name. The address stays good while the table stays in place.
 */
Parameter *params_add_vector(ParameterTable *table, const char *prefix, const char *name, int n);
Parameter *params_add_matrix(ParameterTable *table, const char *prefix, const char *name, int rows,
                             int columns);

/* Takes both blocks from the arena and points every parameter into them. */
void params_layout(ParameterTable *table, Arena *arena);

/* NULL where no parameter bears the name. */
const Parameter *params_find(const ParameterTable *table, const char *name);

void params_zero_grads(ParameterTable *table);

#endif
