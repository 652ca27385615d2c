#include <math.h>
#include <stdio.h>
#include <string.h>

#include "golden.h"
#include "lesson/sharpness.h"
#include "support.h"

/* The README's bound, relative. */
#define TOLERANCE 1e-6

/* The script draws Q, K and V of 5 x 16 first. */
#define LESSON_SKIP 240

static const int32_t LESSON_DIMS[] = {4, 64, 512};

static SharpnessJob *make_job(uint32_t seed, int n_skip, const int32_t *dims, int n_dims) {
    SharpnessJob *job = sharpness_create(seed, n_skip, dims, n_dims);
    assert_non_null(job);
    return job;
}

static void check_number(float got, const Golden *node, const char *key) {
    const double expected = golden_number(node, key);
    assert_near(golden_at(node, key)->name, (double)got, expected, TOLERANCE * fabs(expected));
}

/* `lines` holds what the script prints, the dimensions last, or the numbers alone in `stats`. */
static void check_line(const SharpnessResult *r, const Golden *stats, const Golden *lines, int i) {
    char printed[160], key[8];
    if (lines == NULL) {
        (void)snprintf(key, sizeof key, "d_%d", r->d);
        (void)snprintf(printed, sizeof printed, "%6.1f %.2f %.2f", (double)r->variance,
                       (double)r->max_raw, (double)r->max_scaled);
        assert_string_equal(printed, golden_at(stats, key, "printed")->text);
        return;
    }
    (void)snprintf(key, sizeof key, "%d", 8 + i);
    (void)snprintf(printed, sizeof printed,
                   "d = %3d：q·k 變異數 %6.1f，最大權重平均 不縮放 %.2f／除以 √d %.2f", r->d,
                   (double)r->variance, (double)r->max_raw, (double)r->max_scaled);
    assert_string_equal(printed, golden_at(lines, key)->text);
}

static void check_script(uint32_t seed, const Golden *stats, const Golden *lines) {
    static const char *const KEYS[] = {"d_4", "d_64", "d_512"};
    SharpnessJob *job = make_job(seed, LESSON_SKIP, LESSON_DIMS, 3);
    sharpness_advance(job, sharpness_units_left(job));
    for (int i = 0; i < 3; i++) {
        const SharpnessResult *result = &job->results[i];
        const Golden *expected = golden_at(stats, KEYS[i]);
        assert_true(sharpness_ready(job, i));
        assert_int_equal(result->d, LESSON_DIMS[i]);
        check_number(result->variance, expected, "var");
        check_number(result->max_raw, expected, "max_raw");
        check_number(result->max_scaled, expected, "max_scaled");
        check_line(result, stats, lines, i);
    }
    sharpness_destroy(job);
}

TEST(the_scripts_statistics_are_pytorchs) {
    Golden *golden = golden_open("attention_check.json");
    check_script(0, golden_at(golden, "stats"), NULL);
    golden_close(golden);
}

TEST(another_seed_gives_pytorchs_statistics_too) {
    Golden *golden = golden_open("seed_7.json");
    const Golden *script = golden_at(golden, "attention_check");
    check_script(7, golden_at(script, "stats"), golden_at(script, "printed"));
    golden_close(golden);
}

TEST(a_job_in_pieces_gives_the_bits_of_a_whole_one) {
    static const int32_t DIMS[] = {3, 16};
    SharpnessJob *whole = make_job(5, 0, DIMS, 2), *pieces = make_job(5, 0, DIMS, 2);
    const int n_units = sharpness_units_left(whole);
    sharpness_advance(whole, n_units);
    assert_int_equal(sharpness_units_left(whole), 0);
    int done = 0;
    for (int piece = 1; sharpness_units_left(pieces) > 0; piece = piece % 97 + 13) {
        assert_false(sharpness_ready(pieces, 1));
        assert_int_equal(sharpness_units_left(pieces), n_units - done);
        sharpness_advance(pieces, piece);
        done += piece < n_units - done ? piece : n_units - done;
    }
    assert_memory_equal(pieces->results, whole->results, 2 * sizeof(SharpnessResult));
    sharpness_destroy(whole);
    sharpness_destroy(pieces);
}

static int count_rows(const int32_t *histogram) {
    int n = 0;
    for (int bin = 0; bin < SHARPNESS_BINS; bin++)
        n += histogram[bin];
    return n;
}

/* The mean largest weight lies where the histogram has its rows. */
static void check_histogram(const int32_t *histogram, float mean) {
    double low = 0.0, high = 0.0;
    for (int bin = 0; bin < SHARPNESS_BINS; bin++) {
        low += (double)bin / SHARPNESS_BINS * histogram[bin];
        high += (bin + 1.0) / SHARPNESS_BINS * histogram[bin];
        /* Eight weights that sum to 1: none of the largest is below 1/8. */
        assert_true(histogram[bin] == 0 || (bin + 1.0) / SHARPNESS_BINS > 0.125);
    }
    assert_int_equal(count_rows(histogram), 8000);
    assert_true((double)mean >= low / 8000 && (double)mean <= high / 8000);
}

TEST(the_measures_of_a_dimension_fit_together) {
    static const int32_t DIMS[] = {16};
    SharpnessJob *job = make_job(2, 0, DIMS, 1);
    sharpness_advance(job, sharpness_units_left(job));
    const SharpnessResult *r = &job->results[0];
    assert_near("variance", (double)r->variance_scaled, (double)r->variance / 16.0, 1e-5);
    /* Five standard errors of a variance over 10 000 pairs. */
    assert_near("variance", (double)r->variance, 16.0, 16.0 * 5.0 * sqrt(2.5 / 10000));
    assert_true(r->max_raw > r->max_scaled && r->max_scaled > r->max_over_d);
    check_histogram(r->histogram_raw, r->max_raw);
    check_histogram(r->histogram_scaled, r->max_scaled);
    check_histogram(r->histogram_over_d, r->max_over_d);
    const float *samples[] = {r->sample_raw, r->sample_scaled, r->sample_over_d};
    for (size_t i = 0; i < COUNT_OF(samples); i++)
        assert_near("sample", sum_of(samples[i], SHARPNESS_ROW), 1.0, 1e-6);
    /* At most sqrt(1/4 + 1/4), for two equal weights of 1/2; 0 for one weight of 1. */
    const float gradients[] = {r->gradient_raw, r->gradient_scaled, r->gradient_over_d};
    for (size_t i = 0; i < COUNT_OF(gradients); i++)
        assert_true(gradients[i] > 0.0f && gradients[i] < 0.7072f);
    sharpness_destroy(job);
}

TEST(large_dimensions_saturate_softmax_unless_scaled) {
    static const int32_t DIMS[] = {4, 256};
    SharpnessJob *job = make_job(1, 0, DIMS, 2);
    sharpness_advance(job, sharpness_units_left(job));
    const SharpnessResult *small = &job->results[0], *large = &job->results[1];
    assert_true(large->gradient_raw < 0.5f * small->gradient_raw);
    assert_near("scaled", (double)large->gradient_scaled, (double)small->gradient_scaled, 0.05);
    sharpness_destroy(job);
}

TEST(destroying_no_job_is_allowed) { sharpness_destroy(NULL); }

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scripts_statistics_are_pytorchs),
        cmocka_unit_test(another_seed_gives_pytorchs_statistics_too),
        cmocka_unit_test(a_job_in_pieces_gives_the_bits_of_a_whole_one),
        cmocka_unit_test(the_measures_of_a_dimension_fit_together),
        cmocka_unit_test(large_dimensions_saturate_softmax_unless_scaled),
        cmocka_unit_test(destroying_no_job_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
