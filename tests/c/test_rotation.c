#include <math.h>
#include <string.h>

#include "lesson/rotation.h"
#include "nn/positional.h"
#include "support.h"

TEST(a_turn_moves_every_position_by_the_same_distance) {
    enum { T = 40, D = 16 };
    static const int DISTANCES[] = {0, 1, -1, 7, -20, 39};
    float positions[T * D], matrix[D * D];
    positional_encoding(positions, T, D, POSITIONAL_BASE);
    for (size_t i = 0; i < COUNT_OF(DISTANCES); i++) {
        const int k = DISTANCES[i];
        rotation_matrix(matrix, D, k, POSITIONAL_BASE);
        for (int p = 0; p < T; p++) {
            if (p + k < 0 || p + k >= T)
                continue;
            float turned[D];
            for (int d = 0; d < D; d++)
                turned[d] = (float)weighted_sum(matrix + d * D, positions + p * D, D);
            /* The angles of positions are floats: up to 39 radians, rounded by 2e-6. */
            assert_floats_near("turned", turned, positions + (p + k) * D, D, 4e-6);
        }
    }
}

TEST(turns_keep_lengths_and_turn_back) {
    enum { D = 10 };
    float there[D * D], back[D * D];
    for (int k = -4096; k <= 4096; k += 512) {
        rotation_matrix(there, D, k, 500.0);
        rotation_matrix(back, D, -k, 500.0);
        for (int i = 0; i < D; i++) {
            for (int j = 0; j < D; j++) {
                assert_true(back[i * D + j] == there[j * D + i]);
                const double dot = weighted_sum(there + i * D, there + j * D, D);
                assert_near("orthogonal", dot, i == j ? 1.0 : 0.0, 2e-7);
            }
        }
    }
}

TEST(a_sharp_map_looks_k_places_away) {
    enum { T = 20, D = 32 };
    Pool pool = {NULL};
    float *weights = pool_floats(&pool, (size_t)T * T);
    float *scratch = pool_floats(&pool, rotation_map_scratch_size(T, D));
    for (int k = -3; k <= 3; k++) {
        rotation_map(weights, scratch, T, D, 0, D / 2, k, 50.0f, POSITIONAL_BASE);
        for (int p = 0; p < T; p++) {
            assert_near("sum", sum_of(weights + p * T, T), 1.0, 1e-6);
            if (p + k < 0 || p + k >= T)
                continue;
            for (int j = 0; j < T; j++)
                assert_true(j == p + k || weights[p * T + j] < weights[p * T + p + k]);
        }
    }
    pool_free(&pool);
}

TEST(without_sharpness_every_place_gets_the_same) {
    enum { T = 7, D = 8 };
    Pool pool = {NULL};
    float *weights = pool_floats(&pool, (size_t)T * T);
    float *scratch = pool_floats(&pool, rotation_map_scratch_size(T, D));
    rotation_map(weights, scratch, T, D, 1, 2, 3, 0.0f, POSITIONAL_BASE);
    for (int i = 0; i < T * T; i++)
        assert_true(weights[i] == 1.0f / T);
    pool_free(&pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turn_moves_every_position_by_the_same_distance),
        cmocka_unit_test(turns_keep_lengths_and_turn_back),
        cmocka_unit_test(a_sharp_map_looks_k_places_away),
        cmocka_unit_test(without_sharpness_every_place_gets_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
