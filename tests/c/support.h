/*
 * What every test program shares: cmocka, memory that is given back at once, comparisons that say
 * what they found, and gradients against differences.
 */
#ifndef ATTN_TESTS_SUPPORT_H
#define ATTN_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/arena.h"
#include "nn/params.h"
#include "nn/tensor.h"

/* A test; its name is a sentence about behaviour. */
#define TEST(sentence) static void sentence(void **state __attribute__((unused)))

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/*
 * Blocks of a test, each one on the heap of its own, so that the address sanitizer sees a step
 * beyond any of them. Starts as {NULL}.
 */
typedef struct {
    struct PoolBlock *first;
} Pool;

void pool_free(Pool *pool);

/* n zeros. */
float *pool_floats(Pool *pool, size_t n);
int32_t *pool_ints(Pool *pool, size_t n);

/* n standard normal values of this seed. */
float *pool_randn(Pool *pool, size_t n, uint32_t seed);

/* n tokens in 0 .. vocab_size - 1 of this seed. */
int32_t *pool_tokens(Pool *pool, size_t n, int vocab_size, uint32_t seed);

float *pool_copy(Pool *pool, const float *values, size_t n);

/* Runs a layout function on a measuring arena, then on one of that size, which is returned. */
typedef void (*Layout)(void *context, Arena *arena);
Arena lay_out(Layout layout, void *context);

/* Gives every parameter scale times a standard normal value. */
void randomise_params(ParameterTable *table, float scale, uint32_t seed);

/* Finds one tensor among those a module shows: set name, show to the sink, read tensor. */
typedef struct {
    const char *name;
    Tensor tensor;
    int n_found;
} TensorSearch;

TensorSink search_sink(TensorSearch *search);

/* Sums in double: of values_i, and of values_i weights_i. */
double sum_of(const float *values, size_t n);
double weighted_sum(const float *values, const float *weights, size_t n);

/* Whether any of the n values differ. */
bool floats_differ(const float *a, const float *b, size_t n);

/* Dense rows of values to rows out_row floats apart, and back. */
void spread_rows(float *out, const float *values, int rows, int columns, int out_row);
void gather_rows(float *out, const float *values, int rows, int columns, int in_row);

/*
 * The assertions below print the name, the index, both numbers and the bound of the worst element
 * before they fail. NaN is near nothing; equal infinities are near each other.
 */
#define assert_near(name, got, expected, bound)                                                    \
    check_near(__FILE__, __LINE__, (name), (got), (expected), (bound))
#define assert_floats_near(name, got, expected, n, bound)                                          \
    check_floats_near(__FILE__, __LINE__, (name), (got), (expected), (n), (bound))
/* Bit for bit. */
#define assert_floats_same(name, got, expected, n)                                                 \
    check_floats_same(__FILE__, __LINE__, (name), (got), (expected), (n))
#define assert_finite(name, values, n) check_finite(__FILE__, __LINE__, (name), (values), (n))

void check_near(const char *file, int line, const char *name, double got, double expected,
                double bound);
void check_floats_near(const char *file, int line, const char *name, const float *got,
                       const float *expected, size_t n, double bound);
void check_floats_same(const char *file, int line, const char *name, const float *got,
                       const float *expected, size_t n);
void check_finite(const char *file, int line, const char *name, const float *values, size_t n);

/* A number that depends on floats a test can reach. */
typedef double (*Scalar)(void *context);

/*
 * The largest |grad_i - central difference of the scalar in x_i| as a share of the largest |grad|
 * (of at least GRADIENT_FLOOR, so that rounding alone never decides). x is left as it was.
 */
double gradient_deviation(const float *grad, float *x, size_t n, Scalar scalar, void *context);

#define GRADIENT_FLOOR 0.25

/* A fifth of what a gradient wrong by one part in a hundred would show. */
#define GRADIENT_TOLERANCE 2e-3

#define assert_gradient(name, grad, x, n, scalar, context)                                         \
    assert_near(name, gradient_deviation((grad), (x), (n), (scalar), (context)), 0.0,              \
                GRADIENT_TOLERANCE)

#endif
