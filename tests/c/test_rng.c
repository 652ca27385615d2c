#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "golden.h"
#include "support.h"

static Rng seeded(uint32_t seed) {
    Rng rng;
    rng_seed(&rng, seed);
    return rng;
}

static void check_normals(const Golden *of_seed, uint32_t seed) {
    static const int SIZES[] = {1, 5, 15, 16, 17, 24, 31, 32, 80, 100};
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        char key[16];
        (void)snprintf(key, sizeof key, "randn_%d", SIZES[i]);
        const Golden *expected = golden_at(of_seed, key);
        assert_int_equal(expected->size, SIZES[i]);
        float values[100];
        Rng rng = seeded(seed);
        rng_randn(&rng, values, expected->size);
        assert_golden_same(values, expected);
    }
}

static void check_uniforms(const Golden *of_seed, uint32_t seed) {
    float values[20];
    Rng rng = seeded(seed);
    rng_rand(&rng, values, 20);
    assert_golden_same(values, golden_at(of_seed, "rand_20"));

    rng = seeded(seed);
    rng_uniform(&rng, -0.3, 0.7, values, 20);
    assert_golden_same(values, golden_at(of_seed, "uniform_-0.3_0.7_20"));

    const double bound = 1.0 / sqrt(48.0);
    rng = seeded(seed);
    rng_uniform(&rng, -bound, bound, values, 20);
    assert_golden_same(values, golden_at(of_seed, "uniform_-1/sqrt48_1/sqrt48_20"));
}

static void check_integers(const Golden *of_seed, uint32_t seed) {
    const Golden *raw = golden_at(of_seed, "u32");
    Rng rng = seeded(seed);
    for (size_t i = 0; i < raw->size; i++)
        assert_true((double)rng_u32(&rng) == raw->values[i]);

    int32_t values[40];
    rng = seeded(seed);
    rng_randint(&rng, 0, 10, values, 40);
    assert_golden_ints(values, golden_at(of_seed, "randint_0_10_4x10"));

    rng = seeded(seed);
    rng_randint(&rng, 0, 7, values, 20);
    assert_golden_ints(values, golden_at(of_seed, "randint_0_7_20"));
}

static void check_mixed_sequence(const Golden *of_seed, uint32_t seed) {
    float values[28];
    Rng rng = seeded(seed);
    rng_randn(&rng, values, 3);
    rng_rand(&rng, values + 3, 2);
    rng_randn(&rng, values + 5, 20);
    rng_randn(&rng, values + 25, 2);
    rng_randn(&rng, values + 27, 1);
    assert_golden_same(values, golden_at(of_seed, "sequence", "values"));
}

TEST(every_kind_of_number_has_pytorchs_bits) {
    Golden *golden = golden_open("rng.json");
    int n_seeds = 0;
    for (const Golden *of_seed = golden->first; of_seed != NULL; of_seed = of_seed->next) {
        if (strncmp(of_seed->key, "seed_", 5) != 0)
            continue;
        uint32_t seed = (uint32_t)strtoul(of_seed->key + 5, NULL, 10);
        check_integers(of_seed, seed);
        check_uniforms(of_seed, seed);
        check_normals(of_seed, seed);
        check_mixed_sequence(of_seed, seed);
        n_seeds++;
    }
    assert_int_equal(n_seeds, 4);
    golden_close(golden);
}

TEST(the_ten_thousandth_number_is_that_of_the_published_generator) {
    /* The C++ standard, [rand.predef], names it for mt19937 with its default seed. */
    Rng rng = seeded(5489u);
    rng_skip(&rng, 9999);
    assert_int_equal(rng_u32(&rng), 4123659995u);
}

TEST(skipping_leaves_the_generator_where_drawing_does) {
    static const uint64_t COUNTS[] = {0, 1, 623, 624, 625, 1248, 5000};
    for (size_t i = 0; i < COUNT_OF(COUNTS); i++) {
        Rng skipped = seeded(3), drawn = seeded(3);
        rng_skip(&skipped, COUNTS[i]);
        for (uint64_t n = 0; n < COUNTS[i]; n++)
            (void)rng_u32(&drawn);
        for (int n = 0; n < 700; n++)
            assert_int_equal(rng_u32(&skipped), rng_u32(&drawn));
    }
}

TEST(a_seed_makes_the_generator_forget_a_kept_normal) {
    float fresh[3], again[3];
    Rng rng = seeded(12);
    rng_randn(&rng, fresh, 3);
    rng_seed(&rng, 12);
    rng_randn(&rng, again, 3);
    assert_floats_same("again", again, fresh, 3);
}

TEST(a_kept_normal_waits_through_every_other_draw) {
    float whole[2], parts[2], others[20];
    int32_t integers[4];
    Rng rng = seeded(8);
    rng_randn(&rng, whole, 2);
    rng = seeded(8);
    rng_randn(&rng, parts, 1);
    rng_rand(&rng, others, 5);
    rng_uniform(&rng, 0.0, 1.0, others, 5);
    rng_randint(&rng, 0, 9, integers, 4);
    rng_randn(&rng, others, 20);
    rng_randn(&rng, parts + 1, 1);
    assert_floats_same("kept", parts, whole, 2);
}

TEST(sixteens_drawn_in_pieces_are_those_drawn_at_once) {
    float whole[96], pieces[96];
    Rng rng = seeded(4);
    rng_randn(&rng, whole, 96);
    rng = seeded(4);
    rng_randn(&rng, pieces, 16);
    rng_randn(&rng, pieces + 16, 48);
    rng_randn(&rng, pieces + 64, 32);
    assert_floats_same("pieces", pieces, whole, 96);
}

TEST(no_value_is_written_beyond_the_last) {
    Pool pool = {NULL};
    for (size_t n = 0; n < 40; n++) {
        Rng rng = seeded(1);
        rng_randn(&rng, pool_floats(&pool, n), n);
        rng_rand(&rng, pool_floats(&pool, n), n);
        rng_randint(&rng, 0, 3, pool_ints(&pool, n), n);
    }
    pool_free(&pool);
}

TEST(integers_keep_within_their_bounds) {
    int32_t values[2000];
    Rng rng = seeded(77);
    rng_randint(&rng, -3, 4, values, COUNT_OF(values));
    int count[7] = {0};
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        assert_true(values[i] >= -3 && values[i] < 4);
        count[values[i] + 3]++;
    }
    /* About 286 each; 200 is more than five standard deviations away. */
    for (int i = 0; i < 7; i++)
        assert_true(count[i] > 200);
}

TEST(normals_have_mean_0_and_variance_1) {
    Pool pool = {NULL};
    const size_t n = 100000;
    const float *values = pool_randn(&pool, n, 6);
    double sum = 0.0, sum_of_squares = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += (double)values[i];
        sum_of_squares += (double)values[i] * (double)values[i];
    }
    /* Five standard errors: 1 / sqrt(n) of the mean, sqrt(2 / n) of the variance. */
    assert_near("mean", sum / (double)n, 0.0, 5.0 * 0.00317);
    assert_near("variance", sum_of_squares / (double)n, 1.0, 5.0 * 0.00448);
    pool_free(&pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_number_has_pytorchs_bits),
        cmocka_unit_test(the_ten_thousandth_number_is_that_of_the_published_generator),
        cmocka_unit_test(skipping_leaves_the_generator_where_drawing_does),
        cmocka_unit_test(a_seed_makes_the_generator_forget_a_kept_normal),
        cmocka_unit_test(a_kept_normal_waits_through_every_other_draw),
        cmocka_unit_test(sixteens_drawn_in_pieces_are_those_drawn_at_once),
        cmocka_unit_test(no_value_is_written_beyond_the_last),
        cmocka_unit_test(integers_keep_within_their_bounds),
        cmocka_unit_test(normals_have_mean_0_and_variance_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
