#include <stdint.h>
#include <string.h>

#include "core/arena.h"
#include "support.h"

TEST(a_measuring_arena_counts_and_gives_nothing) {
    Arena arena = arena_measure();
    assert_null(arena_take(&arena, 3, 1));
    assert_int_equal(arena.used, 16);
    assert_null(ARENA_FLOATS(&arena, 5));
    assert_int_equal(arena.used, 48);
    assert_null(arena_take(&arena, 0, 8));
    assert_int_equal(arena.used, 48);
}

TEST(what_is_taken_is_zeroed_aligned_and_apart) {
    static const size_t SIZES[] = {1, 4, 16, 17, 63, 0, 64, 5};
    Arena measure = arena_measure();
    for (size_t i = 0; i < COUNT_OF(SIZES); i++)
        (void)arena_take(&measure, SIZES[i], 1);
    Arena arena = arena_create(measure.used);
    assert_non_null(arena.base);
    unsigned char *taken[COUNT_OF(SIZES)];
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        taken[i] = arena_take(&arena, SIZES[i], 1);
        assert_int_equal((uintptr_t)taken[i] % 16, 0);
        for (size_t k = 0; k < SIZES[i]; k++)
            assert_int_equal(taken[i][k], 0);
        memset(taken[i], (int)i + 1, SIZES[i]);
    }
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        for (size_t k = 0; k < SIZES[i]; k++)
            assert_int_equal(taken[i][k], i + 1);
    }
    assert_int_equal(arena.used, arena.capacity);
    arena_destroy(&arena);
    assert_null(arena.base);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_measuring_arena_counts_and_gives_nothing),
        cmocka_unit_test(what_is_taken_is_zeroed_aligned_and_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
