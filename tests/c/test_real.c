#include <math.h>

#include "core/real.h"
#include "support.h"

/* What the header promises. */
#define PROMISE 2e-15

TEST(exp_is_right_in_double) {
    for (int i = -70000; i <= 70000; i++) {
        double x = i * 0.01;
        assert_near("exp", real_exp(x) / exp(x), 1.0, PROMISE);
    }
    assert_true(real_exp(0.0) == 1.0);
}

TEST(log_is_right_in_double) {
    for (int i = 1; i <= 100000; i++) {
        double x = i * 0.001;
        double exact = log(x);
        /* Near 1 the error is that of x itself. */
        assert_near("log", real_log(x), exact, PROMISE * fmax(fabs(exact), 0.1));
    }
    for (int e = -1000; e <= 1000; e += 50) {
        double x = ldexp(1.3, e);
        assert_near("log", real_log(x) / log(x), 1.0, PROMISE);
    }
    assert_true(real_log(1.0) == 0.0);
}

TEST(sine_and_cosine_are_right_in_double) {
    for (int i = 0; i <= 200000; i++) {
        /* Fine at first, then up to the largest angle. */
        double x = i <= 100000 ? i * 1e-3 : (i - 100000) * (REAL_MAX_ANGLE / 100000);
        double sine, cosine;
        real_sin_cos(x, &sine, &cosine);
        assert_near("sine", sine, sin(x), PROMISE);
        assert_near("cosine", cosine, cos(x), PROMISE);
    }
    double sine, cosine;
    real_sin_cos(0.0, &sine, &cosine);
    assert_true(sine == 0.0 && cosine == 1.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_is_right_in_double),
        cmocka_unit_test(log_is_right_in_double),
        cmocka_unit_test(sine_and_cosine_are_right_in_double),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
