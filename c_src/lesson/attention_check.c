#include "lesson/attention_check.h"

#include <math.h>

#include "core/real.h"
#include "core/rng.h"
#include "ops/attention.h"

size_t attention_check_size(int n, int d) {
    size_t vectors = (size_t)n * (size_t)d, map = (size_t)n * (size_t)n;
    return 3 * vectors + 2 * (2 * map + vectors);
}

size_t attention_check_scratch_size(int n, int d) {
    return (size_t)attention_scratch_size(n, n, d, d);
}

size_t attention_once_scratch_size(const AttentionCase *sizes) {
    return (size_t)attention_scratch_size(sizes->n_query, sizes->n_key, sizes->d, sizes->d_value);
}

void attention_once(float *output, float *weights, float *scores, float *scratch,
                    const float *query, const float *key, const float *value,
                    const AttentionCase *sizes) {
    const AttentionShape shape = {.Q = sizes->n_query,
                                  .T = sizes->n_key,
                                  .D = sizes->d,
                                  .E = sizes->d_value,
                                  .query_row = sizes->d,
                                  .key_row = sizes->d,
                                  .value_row = sizes->d_value,
                                  .out_row = sizes->d_value,
                                  .scale = sizes->scale,
                                  .causal = sizes->causal};
    attention_forward(output, weights, scores, scratch, query, key, value, &shape);
}

void attention_check(uint32_t seed, int n, int d, float *floats, float *scratch) {
    const size_t vectors = (size_t)n * (size_t)d, map = (size_t)n * (size_t)n;
    float *query = floats, *key = query + vectors, *value = key + vectors;
    Rng rng;
    rng_seed(&rng, seed);
    rng_randn(&rng, query, vectors);
    rng_randn(&rng, key, vectors);
    rng_randn(&rng, value, vectors);

    AttentionCase sizes = {
        .n_query = n, .n_key = n, .d = d, .d_value = d, .scale = (float)(1.0 / sqrt((double)d))};
    float *next = value + vectors;
    for (int causal = 0; causal <= 1; causal++) {
        float *scores = next, *weights = scores + map, *output = weights + map;
        sizes.causal = causal == 1;
        attention_once(output, weights, scores, scratch, query, key, value, &sizes);
        next = output + vectors;
    }
}

static double plain_score(const float *q_i, const float *k_j, int d, float scale) {
    double dot = 0.0;
    for (int m = 0; m < d; m++)
        dot += (double)q_i[m] * (double)k_j[m];
    return dot * (double)scale;
}

void attention_check_plain(float *output, const float *query, const float *key, const float *value,
                           int n, int d, float scale, bool causal) {
    for (int i = 0; i < n; i++) {
        const int visible = causal ? i + 1 : n;
        double exponentials[ATTENTION_CHECK_MAX_N];
        double largest = plain_score(query + i * d, key, d, scale);
        for (int j = 1; j < visible; j++) {
            double score = plain_score(query + i * d, key + j * d, d, scale);
            if (score > largest)
                largest = score;
        }
        double sum = 0.0;
        for (int j = 0; j < visible; j++) {
            double below = plain_score(query + i * d, key + j * d, d, scale) - largest;
            exponentials[j] = below < -700.0 ? 0.0 : real_exp(below);
            sum += exponentials[j];
        }
        for (int m = 0; m < d; m++) {
            double weighted = 0.0;
            for (int j = 0; j < visible; j++) {
                weighted += exponentials[j] / sum * (double)value[j * d + m];
            }
            output[i * d + m] = (float)weighted;
        }
    }
}
