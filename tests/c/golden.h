/*
 * The files of tests/golden as a tree. A node is an object (its children are found by key), a
 * tensor, a list of numbers, a number, a truth value (1 or 0) or a text. A key that is missing
 * fails the running test with its name.
 *
 * Files are looked for in the folder named by ATTN_GOLDEN, or in tests/golden.
 */
#ifndef ATTN_TESTS_GOLDEN_H
#define ATTN_TESTS_GOLDEN_H

#include <stdint.h>

#include "nn/params.h"
#include "support.h"

#define GOLDEN_NAME_SIZE 160
#define GOLDEN_MAX_DIMS 4

typedef struct Golden {
    char name[GOLDEN_NAME_SIZE]; /* "adam.json/lr_0.003/p", for messages */
    const char *key;             /* the last word of name */
    struct Golden *first, *next; /* the children of an object, in the order of the file */

    /* Tensors, lists and numbers. */
    int n_dims;
    int shape[GOLDEN_MAX_DIMS];
    size_t size;
    double *values;
    float *floats; /* the values rounded to float */
    int32_t *ints; /* dtype int64 only, else NULL */
    double max;    /* largest absolute value; 0 where the file names none */

    char *text;
} Golden;

Golden *golden_open(const char *file);
void golden_close(Golden *root);

/* golden_at(root, "params", "att.in_proj_weight") */
#define golden_at(node, ...) golden_follow((node), (const char *const[]){__VA_ARGS__, NULL})
const Golden *golden_follow(const Golden *node, const char *const *keys);

double golden_number(const Golden *node, const char *key);

/* The share of the largest value of a tensor that a computed one may be off. */
#define GOLDEN_SHARE 1e-5

/* Tolerances of the README: GOLDEN_SHARE of max, a given bound, none at all. */
#define assert_golden(got, node)                                                                   \
    check_golden_near(__FILE__, __LINE__, (got), (node), GOLDEN_SHARE *golden_max(node))
#define assert_golden_near(got, node, bound)                                                       \
    check_golden_near(__FILE__, __LINE__, (got), (node), (bound))
#define assert_golden_same(got, node)                                                              \
    check_floats_same(__FILE__, __LINE__, (node)->name, (got), (node)->floats, (node)->size)
#define assert_golden_ints(got, node) check_golden_ints(__FILE__, __LINE__, (got), (node))

void check_golden_near(const char *file, int line, const float *got, const Golden *node,
                       double bound);
void check_golden_ints(const char *file, int line, const int32_t *got, const Golden *node);

/* The largest value of a computed tensor; fails where the file names none. */
double golden_max(const Golden *node);

/* Gives every parameter of the table the values of the child of its name. */
void golden_read_params(ParameterTable *table, const Golden *node);

/* Compares every gradient of the table with the child named prefix + its name. */
void assert_golden_grads(const ParameterTable *table, const Golden *node, const char *prefix);

#endif
