#include "lesson/attention_check.h"

#include <math.h>

#include "core/rng.h"
#include "ops/attention.h"

size_t attention_check_size(int n, int d) {
    size_t vectors = (size_t)n * (size_t)d, map = (size_t)n * (size_t)n;
    return 3 * vectors + 2 * (2 * map + vectors);
}

size_t attention_check_scratch_size(int n, int d) {
    return (size_t)attention_scratch_size(n, n, d, d);
}

void attention_check(uint32_t seed, int n, int d, float *floats, float *scratch) {
    const size_t vectors = (size_t)n * (size_t)d, map = (size_t)n * (size_t)n;
    float *query = floats, *key = query + vectors, *value = key + vectors;
    Rng rng;
    rng_seed(&rng, seed);
    rng_randn(&rng, query, vectors);
    rng_randn(&rng, key, vectors);
    rng_randn(&rng, value, vectors);

    float *next = value + vectors;
    for (int causal = 0; causal <= 1; causal++) {
        const AttentionShape shape = {.Q = n,
                                      .T = n,
                                      .D = d,
                                      .E = d,
                                      .query_row = d,
                                      .key_row = d,
                                      .value_row = d,
                                      .out_row = d,
                                      .scale = (float)(1.0 / sqrt((double)d)),
                                      .causal = causal == 1};
        float *scores = next, *weights = scores + map, *output = weights + map;
        attention_forward(output, weights, scores, scratch, query, key, value, &shape);
        next = output + vectors;
    }
}
