#include <math.h>
#include <stdlib.h>

#include "golden.h"
#include "nn/positional.h"
#include "support.h"

/* The README's bound for positions. */
#define TOLERANCE 2e-6

static float *positions_of(Pool *pool, int seq_len, int d_model) {
    float *positions = pool_floats(pool, (size_t)(seq_len * d_model));
    positional_encoding(positions, seq_len, d_model, POSITIONAL_BASE);
    return positions;
}

TEST(positions_are_pytorchs) {
    static const char *const TABLES[] = {"pe_48x32", "pe_10x32", "pe_7x6"};
    Pool pool = {NULL};
    Golden *golden = golden_open("posenc.json");
    for (size_t i = 0; i < COUNT_OF(TABLES); i++) {
        const Golden *expected = golden_at(golden, TABLES[i]);
        const float *got = positions_of(&pool, expected->shape[0], expected->shape[1]);
        assert_golden_near(got, expected, TOLERANCE);
    }
    /* At position 1 the angles are the frequencies themselves. */
    const Golden *frequencies = golden_at(golden, "w_32");
    const float *positions = positions_of(&pool, 2, 32);
    for (int i = 0; i < 16; i++) {
        double angle = atan2((double)positions[32 + 2 * i], (double)positions[32 + 2 * i + 1]);
        assert_near(frequencies->name, angle, frequencies->values[i], TOLERANCE);
    }
    golden_close(golden);
    pool_free(&pool);
}

TEST(products_of_positions_depend_on_their_distance_only) {
    static const struct {
        const char *key;
        int p;
    } ROWS[] = {{"dot_p0", 0}, {"dot_p10", 10}, {"dot_p24", 24}};
    Pool pool = {NULL};
    Golden *golden = golden_open("posenc.json");
    const Golden *curve = golden_at(golden, "curve64");
    const float *positions = positions_of(&pool, 48, 32);
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        float products[48];
        for (int j = 0; j < 48; j++) {
            double dot = weighted_sum(positions + ROWS[i].p * 32, positions + j * 32, 32) / 16.0;
            products[j] = (float)dot;
            assert_near("curve", dot, curve->values[abs(j - ROWS[i].p)], TOLERANCE);
        }
        assert_golden_near(products, golden_at(golden, ROWS[i].key), TOLERANCE);
    }
    golden_close(golden);
    pool_free(&pool);
}

TEST(position_0_is_0_1_0_1) {
    Pool pool = {NULL};
    for (int D = 2; D <= 64; D += 2) {
        const float *positions = positions_of(&pool, 1, D);
        for (int d = 0; d < D; d++)
            assert_true(positions[d] == (float)(d % 2));
    }
    pool_free(&pool);
}

TEST(every_pair_lies_on_the_unit_circle) {
    Pool pool = {NULL};
    const float *positions = positions_of(&pool, 64, 256);
    for (int i = 0; i < 64 * 128; i++)
        assert_near("radius", weighted_sum(positions + 2 * i, positions + 2 * i, 2), 1.0, 2e-7);
    pool_free(&pool);
}

TEST(a_longer_sequence_begins_with_the_shorter_ones_positions) {
    Pool pool = {NULL};
    assert_floats_same("positions", positions_of(&pool, 64, 16), positions_of(&pool, 5, 16), 80);
    pool_free(&pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_are_pytorchs),
        cmocka_unit_test(products_of_positions_depend_on_their_distance_only),
        cmocka_unit_test(position_0_is_0_1_0_1),
        cmocka_unit_test(every_pair_lies_on_the_unit_circle),
        cmocka_unit_test(a_longer_sequence_begins_with_the_shorter_ones_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
