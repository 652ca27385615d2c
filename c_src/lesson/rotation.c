#include "lesson/rotation.h"

#include <math.h>
#include <string.h>

#include "core/real.h"
#include "nn/positional.h"
#include "ops/attention.h"
#include "ops/gemm.h"

void rotation_matrix(float *matrix, int d_model, int k, double base) {
    const int D = d_model;
    memset(matrix, 0, (size_t)D * (size_t)D * sizeof *matrix);
    for (int i = 0; i < D / 2; i++) {
        double angle = (double)k * (double)positional_frequency(i, D, base);
        double sine, cosine;
        real_sin_cos(fabs(angle), &sine, &cosine);
        if (angle < 0)
            sine = -sine;
        float *top = matrix + (2 * i) * D + 2 * i;
        float *bottom = top + D;
        top[0] = (float)cosine;
        top[1] = (float)sine;
        bottom[0] = (float)-sine;
        bottom[1] = (float)cosine;
    }
}

size_t rotation_map_scratch_size(int seq_len, int d_model) {
    size_t T = (size_t)seq_len, D = (size_t)d_model;
    return 3 * T * D + 2 * D * D +
           (size_t)attention_scratch_size(seq_len, seq_len, d_model, d_model);
}

void rotation_map(float *weights, float *scratch, int seq_len, int d_model, int first_pair,
                  int n_pairs, int k, float sharpness, double base) {
    const int T = seq_len, D = d_model;
    float *positions = scratch;
    float *query = positions + T * D;
    float *output = query + T * D;
    float *matrix = output + T * D;
    float *columns = matrix + D * D;
    float *attention_scratch = columns + D * D;

    positional_encoding(positions, T, D, base);
    rotation_matrix(matrix, D, k, base);
    for (int i = 0; i < D * D; i++)
        matrix[i] *= sharpness;
    transpose(columns, matrix, D, D, D);
    gemm(query, D, NULL, 0, positions, D, 1, columns, D, T, D, D);

    const int first = 2 * first_pair, width = 2 * n_pairs;
    const AttentionShape shape = {.Q = T,
                                  .T = T,
                                  .D = width,
                                  .E = width,
                                  .query_row = D,
                                  .key_row = D,
                                  .value_row = D,
                                  .out_row = D,
                                  .scale = (float)(1.0 / sqrt((double)width)),
                                  .causal = false};
    attention_forward(output, weights, NULL, attention_scratch, query + first, positions + first,
                      positions + first, &shape);
}
