/*
 * The second half of the lesson's attention_check.py: why scores are divided by sqrt(d).
 *
 * For each dimension d, with all components standard normal:
 *     the variance of q.k over 10 000 pairs (it is d) and of q.k / sqrt(d) (it is 1);
 *     1000 maps of 8 queries x 8 keys, and over their 8000 rows of softmax weights a, of the scores
 *     as they are (raw), divided by sqrt(d) (scaled) and by d (over_d): the mean largest weight,
 *     its histogram, and the mean Frobenius norm of the gradient of softmax, diag(a) - a a^T.
 *
 * The draws come in the script's order from one generator, yet nothing is stored: two copies of the
 * generator stand at the start of the two tensors that are multiplied and run side by side. (All
 * sizes are multiples of 16, where PyTorch makes one draw a value: see pytorch-rng.md.)
 *
 * The job is worked off in units of equal work for a given d, so that it can pause anywhere.
 */
#ifndef ATTN_LESSON_SHARPNESS_H
#define ATTN_LESSON_SHARPNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/rng.h"

#define SHARPNESS_MAX_DIMS 32
#define SHARPNESS_MAX_D 1024

/* Members of a result, for whoever reads the struct from outside C; each is 4 bytes wide. */
#define SHARPNESS_BINS 20
#define SHARPNESS_ROW 8

#define SHARPNESS_FIELDS(INT, FLOAT, INTS, FLOATS)                                                 \
    INT(d)                                                                                         \
    FLOAT(variance)        /* of q.k, divisor 9999 */                                              \
    FLOAT(variance_scaled) /* of q.k / sqrt(d) */                                                  \
    FLOAT(max_raw)         /* mean largest weight of softmax(scores) */                            \
    FLOAT(max_scaled)                                                                              \
    FLOAT(max_over_d)                                                                              \
    FLOAT(gradient_raw) /* mean Frobenius norm of diag(a) - a a^T */                               \
    FLOAT(gradient_scaled)                                                                         \
    FLOAT(gradient_over_d)                                                                         \
    INTS(histogram_raw, SHARPNESS_BINS) /* rows by largest weight, bins of equal width in 0..1 */  \
    INTS(histogram_scaled, SHARPNESS_BINS)                                                         \
    INTS(histogram_over_d, SHARPNESS_BINS)                                                         \
    FLOATS(sample_raw, SHARPNESS_ROW) /* the weights of the very first row */                      \
    FLOATS(sample_scaled, SHARPNESS_ROW)                                                           \
    FLOATS(sample_over_d, SHARPNESS_ROW)

#define SHARPNESS_INT_MEMBER(name) int32_t name;
#define SHARPNESS_FLOAT_MEMBER(name) float name;
#define SHARPNESS_INTS_MEMBER(name, count) int32_t name[count];
#define SHARPNESS_FLOATS_MEMBER(name, count) float name[count];

typedef struct {
    SHARPNESS_FIELDS(SHARPNESS_INT_MEMBER, SHARPNESS_FLOAT_MEMBER, SHARPNESS_INTS_MEMBER,
                     SHARPNESS_FLOATS_MEMBER)
} SharpnessResult;

/* Sums over the rows of one way of scaling. */
typedef struct {
    double largest, gradient;
    int histogram[SHARPNESS_BINS];
    float sample[SHARPNESS_ROW];
} SharpnessTally;

typedef struct {
    Arena arena;
    int n_dims;
    int32_t dims[SHARPNESS_MAX_DIMS];
    SharpnessResult results[SHARPNESS_MAX_DIMS];

    int index;    /* the dimension at work */
    int unit;     /* units of it done */
    Rng stream;   /* at the first draw not yet given to left or right */
    Rng left;     /* draws q, then the queries of the maps */
    Rng right;    /* draws k, then the keys */
    float *a, *b; /* one block of left and right: 16 rows of the widest d */
    double sum, sum_of_squares;
    SharpnessTally raw, scaled, over_d;
} SharpnessJob;

/*
 * n_skip normals (a multiple of 16) are drawn and thrown away first: the script draws Q, K and V
 * before. 1 <= n_dims <= SHARPNESS_MAX_DIMS, each d in 1 .. SHARPNESS_MAX_D. NULL without memory.
 */
SharpnessJob *sharpness_create(uint32_t seed, int n_skip, const int32_t *dims, int n_dims);
void sharpness_destroy(SharpnessJob *job);

/* Units still to do. */
int sharpness_units_left(const SharpnessJob *job);

/* Does n_units, or all that are left. */
void sharpness_advance(SharpnessJob *job, int n_units);

/* Whether results[index] is complete. */
bool sharpness_ready(const SharpnessJob *job, int index);

#endif
