#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"

#define DIFFERENCE_STEP 1e-3f

struct PoolBlock {
    struct PoolBlock *next;
    void *memory;
};

static void *pool_take(Pool *pool, size_t count, size_t size) {
    struct PoolBlock *block = malloc(sizeof *block);
    assert_non_null(block);
    block->memory = calloc(count, size);
    block->next = pool->first;
    pool->first = block;
    assert_non_null(block->memory);
    return block->memory;
}

void pool_free(Pool *pool) {
    while (pool->first != NULL) {
        struct PoolBlock *block = pool->first;
        pool->first = block->next;
        free(block->memory);
        free(block);
    }
}

float *pool_floats(Pool *pool, size_t n) { return pool_take(pool, n, sizeof(float)); }

int32_t *pool_ints(Pool *pool, size_t n) { return pool_take(pool, n, sizeof(int32_t)); }

float *pool_randn(Pool *pool, size_t n, uint32_t seed) {
    float *values = pool_floats(pool, n);
    Rng rng;
    rng_seed(&rng, seed);
    rng_randn(&rng, values, n);
    return values;
}

int32_t *pool_tokens(Pool *pool, size_t n, int vocab_size, uint32_t seed) {
    int32_t *tokens = pool_ints(pool, n);
    Rng rng;
    rng_seed(&rng, seed);
    rng_randint(&rng, 0, vocab_size, tokens, n);
    return tokens;
}

float *pool_copy(Pool *pool, const float *values, size_t n) {
    float *copy = pool_floats(pool, n);
    memcpy(copy, values, n * sizeof *copy);
    return copy;
}

Arena lay_out(Layout layout, void *context) {
    Arena measure = arena_measure();
    layout(context, &measure);
    Arena arena = arena_create(measure.used);
    assert_non_null(arena.base);
    layout(context, &arena);
    assert_int_equal(arena.used, measure.used);
    return arena;
}

void randomise_params(ParameterTable *table, float scale, uint32_t seed) {
    Rng rng;
    rng_seed(&rng, seed);
    rng_randn(&rng, table->values, table->n_values);
    for (size_t i = 0; i < table->n_values; i++)
        table->values[i] *= scale;
}

static void compare_name(void *context, const Tensor *tensor) {
    TensorSearch *search = context;
    if (strcmp(tensor->name, search->name) != 0)
        return;
    search->tensor = *tensor;
    search->n_found++;
}

TensorSink search_sink(TensorSearch *search) {
    search->n_found = 0;
    return (TensorSink){compare_name, search};
}

double sum_of(const float *values, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)values[i];
    return sum;
}

double weighted_sum(const float *values, const float *weights, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)values[i] * (double)weights[i];
    return sum;
}

bool floats_differ(const float *a, const float *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (a[i] != b[i])
            return true;
    }
    return false;
}

void spread_rows(float *out, const float *values, int rows, int columns, int out_row) {
    for (int r = 0; r < rows; r++) {
        memcpy(out + r * out_row, values + r * columns, (size_t)columns * sizeof *out);
    }
}

void gather_rows(float *out, const float *values, int rows, int columns, int in_row) {
    for (int r = 0; r < rows; r++) {
        memcpy(out + r * columns, values + r * in_row, (size_t)columns * sizeof *out);
    }
}

/* 0 for equal numbers, infinities included; NaN where one of them is. */
static double distance(double got, double expected) {
    return got == expected ? 0.0 : fabs(got - expected);
}

void check_near(const char *file, int line, const char *name, double got, double expected,
                double bound) {
    if (distance(got, expected) <= bound)
        return;
    print_error("%s: expected %.9g, got %.9g, bound %.3g\n", name, expected, got, bound);
    _fail(file, line);
}

void check_floats_near(const char *file, int line, const char *name, const float *got,
                       const float *expected, size_t n, double bound) {
    size_t worst = n;
    double largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        double d = distance((double)got[i], (double)expected[i]);
        if (d <= bound)
            continue;
        if (worst == n || isnan(d) || d > largest) {
            worst = i;
            largest = d;
        }
    }
    if (worst == n)
        return;
    print_error("%s[%zu]: expected %.9g, got %.9g, bound %.3g\n", name, worst,
                (double)expected[worst], (double)got[worst], bound);
    _fail(file, line);
}

void check_floats_same(const char *file, int line, const char *name, const float *got,
                       const float *expected, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint32_t got_bits, expected_bits;
        memcpy(&got_bits, &got[i], sizeof got_bits);
        memcpy(&expected_bits, &expected[i], sizeof expected_bits);
        if (got_bits == expected_bits)
            continue;
        print_error("%s[%zu]: expected %.9g (%08x), got %.9g (%08x), bound 0\n", name, i,
                    (double)expected[i], expected_bits, (double)got[i], got_bits);
        _fail(file, line);
    }
}

void check_finite(const char *file, int line, const char *name, const float *values, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (isfinite(values[i]))
            continue;
        print_error("%s[%zu]: expected a finite number, got %g\n", name, i, (double)values[i]);
        _fail(file, line);
    }
}

double gradient_deviation(const float *grad, float *x, size_t n, Scalar scalar, void *context) {
    double largest_grad = GRADIENT_FLOOR;
    double largest_deviation = 0.0;
    for (size_t i = 0; i < n; i++) {
        const float kept = x[i];
        const float above = kept + DIFFERENCE_STEP;
        const float below = kept - DIFFERENCE_STEP;
        x[i] = above;
        double plus = scalar(context);
        x[i] = below;
        double minus = scalar(context);
        x[i] = kept;
        /* The step as rounding left it. */
        double difference = (plus - minus) / ((double)above - (double)below);
        double deviation = fabs((double)grad[i] - difference);
        if (isnan(deviation))
            return (double)NAN;
        largest_deviation = fmax(largest_deviation, deviation);
        largest_grad = fmax(largest_grad, fabs((double)grad[i]));
    }
    return largest_deviation / largest_grad;
}
