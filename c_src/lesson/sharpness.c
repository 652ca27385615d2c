#include "lesson/sharpness.h"

#include <math.h>
#include <string.h>

#include "ops/gemm.h"
#include "ops/softmax.h"

#define PAIRS 10000
#define PAIRS_PER_UNIT 16
#define PAIR_UNITS (PAIRS / PAIRS_PER_UNIT)
#define MAPS 1000
#define MAPS_PER_UNIT 2
#define MAP_SIDE SHARPNESS_ROW
#define MAP_UNITS (MAPS / MAPS_PER_UNIT)
#define UNITS (PAIR_UNITS + MAP_UNITS)

SharpnessJob *sharpness_create(uint32_t seed, int n_skip, const int32_t *dims, int n_dims) {
    int widest = 0;
    for (int i = 0; i < n_dims; i++)
        widest = dims[i] > widest ? dims[i] : widest;
    size_t n_floats = (size_t)PAIRS_PER_UNIT * (size_t)widest;
    Arena arena = arena_create(sizeof(SharpnessJob) + 16 + 2 * (n_floats + 4) * sizeof(float));
    if (arena.base == NULL)
        return NULL;
    SharpnessJob *job = arena_take(&arena, 1, sizeof *job);
    job->a = ARENA_FLOATS(&arena, n_floats);
    job->b = ARENA_FLOATS(&arena, n_floats);
    job->arena = arena;
    job->n_dims = n_dims;
    memcpy(job->dims, dims, (size_t)n_dims * sizeof *dims);
    rng_seed(&job->stream, seed);
    rng_skip(&job->stream, (uint64_t)n_skip);
    return job;
}

void sharpness_destroy(SharpnessJob *job) {
    if (job == NULL)
        return;
    Arena arena = job->arena; /* the job lies in its own arena */
    arena_destroy(&arena);
}

int sharpness_units_left(const SharpnessJob *job) {
    return (job->n_dims - job->index) * UNITS - job->unit;
}

bool sharpness_ready(const SharpnessJob *job, int index) { return index < job->index; }

/* Gives the next n draws of the stream to left and the n after them to right. */
static void split_stream(SharpnessJob *job, uint64_t n) {
    job->left = job->stream;
    rng_skip(&job->stream, n);
    job->right = job->stream;
    rng_skip(&job->stream, n);
}

static void measure_pairs(SharpnessJob *job, int d) {
    const size_t n = (size_t)PAIRS_PER_UNIT * (size_t)d;
    rng_randn(&job->left, job->a, n);
    rng_randn(&job->right, job->b, n);
    for (int pair = 0; pair < PAIRS_PER_UNIT; pair++) {
        const float *q = job->a + pair * d, *k = job->b + pair * d;
        double dot = 0.0;
        for (int i = 0; i < d; i++)
            dot += (double)q[i] * (double)k[i];
        job->sum += dot;
        job->sum_of_squares += dot * dot;
    }
}

/*
 * One row of weights into the tally. The squared norm of diag(a) - a a^T is
 *     sum a_i^2 - 2 sum a_i^3 + (sum a_i^2)^2.
 */
static void tally_row(SharpnessTally *tally, const float *scores, bool is_first) {
    float weights[MAP_SIDE];
    double squares = 0.0, cubes = 0.0, largest = 0.0;
    softmax_forward(weights, scores, MAP_SIDE);
    for (int j = 0; j < MAP_SIDE; j++) {
        double a = (double)weights[j];
        squares += a * a;
        cubes += a * a * a;
        if (a > largest)
            largest = a;
    }
    /* Of a row that is nearly one-hot the difference can round to just below 0. */
    double norm = squares - 2.0 * cubes + squares * squares;
    int bin = (int)(largest * SHARPNESS_BINS);
    tally->largest += largest;
    tally->gradient += norm > 0.0 ? sqrt(norm) : 0.0;
    tally->histogram[bin < SHARPNESS_BINS ? bin : SHARPNESS_BINS - 1]++;
    if (is_first)
        memcpy(tally->sample, weights, sizeof weights);
}

static void divide(float *scores, float divisor) {
    for (int j = 0; j < MAP_SIDE; j++)
        scores[j] /= divisor;
}

static void measure_maps(SharpnessJob *job, int d) {
    const size_t n = (size_t)PAIRS_PER_UNIT * (size_t)d;
    const float root = sqrtf((float)d);
    rng_randn(&job->left, job->a, n);
    rng_randn(&job->right, job->b, n);
    for (int map = 0; map < MAPS_PER_UNIT; map++) {
        float scores[MAP_SIDE * MAP_SIDE];
        const float *queries = job->a + map * MAP_SIDE * d; /* (8, d) */
        const float *keys = job->b + map * MAP_SIDE * d;    /* (d, 8) */
        gemm(scores, MAP_SIDE, NULL, 0, queries, d, 1, keys, MAP_SIDE, MAP_SIDE, MAP_SIDE, d);
        for (int row = 0; row < MAP_SIDE; row++) {
            float *scores_row = scores + row * MAP_SIDE;
            bool is_first = job->unit == PAIR_UNITS && map == 0 && row == 0;
            tally_row(&job->raw, scores_row, is_first);
            divide(scores_row, root);
            tally_row(&job->scaled, scores_row, is_first);
            divide(scores_row, root);
            tally_row(&job->over_d, scores_row, is_first);
        }
    }
}

#define WRITE_TALLY(result, name)                                                                  \
    (result)->max_##name = (float)(job->name.largest / rows);                                      \
    (result)->gradient_##name = (float)(job->name.gradient / rows);                                \
    memcpy((result)->histogram_##name, job->name.histogram, sizeof job->name.histogram);           \
    memcpy((result)->sample_##name, job->name.sample, sizeof job->name.sample);                    \
    job->name = (SharpnessTally) { 0 }

static void finish_dimension(SharpnessJob *job, int d) {
    const double rows = (double)MAPS * MAP_SIDE;
    const double variance = (job->sum_of_squares - job->sum * job->sum / PAIRS) / (PAIRS - 1.0);
    SharpnessResult *result = &job->results[job->index];
    result->d = d;
    result->variance = (float)variance;
    result->variance_scaled = (float)(variance / (double)d);
    WRITE_TALLY(result, raw);
    WRITE_TALLY(result, scaled);
    WRITE_TALLY(result, over_d);
    job->sum = job->sum_of_squares = 0.0;
    job->index++;
    job->unit = 0;
}

static void work_unit(SharpnessJob *job) {
    const int d = job->dims[job->index];
    if (job->unit == 0)
        split_stream(job, (uint64_t)PAIRS * (uint64_t)d);
    if (job->unit == PAIR_UNITS)
        split_stream(job, (uint64_t)MAPS * MAP_SIDE * (uint64_t)d);
    if (job->unit < PAIR_UNITS) {
        measure_pairs(job, d);
    } else {
        measure_maps(job, d);
    }
    job->unit++;
    if (job->unit == UNITS)
        finish_dimension(job, d);
}

void sharpness_advance(SharpnessJob *job, int n_units) {
    for (int i = 0; i < n_units && job->index < job->n_dims; i++)
        work_unit(job);
}
