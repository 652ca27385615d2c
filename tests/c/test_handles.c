#include <limits.h>

#include "core/handles.h"
#include "support.h"

TEST(a_handle_finds_its_object_until_it_is_removed) {
    HandleTable table = {0};
    int a, b;
    const int first = handles_add(&table, HANDLE_SESSION, &a);
    const int second = handles_add(&table, HANDLE_JOB, &b);
    assert_true(first > 0 && second > 0 && first != second);
    assert_ptr_equal(handles_get(&table, HANDLE_SESSION, first), &a);
    assert_ptr_equal(handles_get(&table, HANDLE_JOB, second), &b);
    assert_ptr_equal(handles_remove(&table, HANDLE_SESSION, first), &a);
    assert_null(handles_get(&table, HANDLE_SESSION, first));
    assert_null(handles_remove(&table, HANDLE_SESSION, first));
    assert_ptr_equal(handles_get(&table, HANDLE_JOB, second), &b);
}

TEST(a_handle_of_another_kind_is_refused) {
    HandleTable table = {0};
    int object;
    const int handle = handles_add(&table, HANDLE_JOB, &object);
    assert_null(handles_get(&table, HANDLE_SESSION, handle));
    assert_null(handles_get(&table, HANDLE_COST, handle));
    assert_null(handles_remove(&table, HANDLE_SESSION, handle));
    assert_ptr_equal(handles_get(&table, HANDLE_JOB, handle), &object);
}

TEST(an_invented_handle_is_refused) {
    HandleTable table = {0};
    int object;
    const int handle = handles_add(&table, HANDLE_SESSION, &object);
    const int invented[] = {
        0,       -1,      1,          HANDLES_MAX - 1,      INT_MIN,
        INT_MAX, -handle, handle + 1, handle + HANDLES_MAX, handle - HANDLES_MAX};
    for (size_t i = 0; i < COUNT_OF(invented); i++) {
        assert_null(handles_get(&table, HANDLE_SESSION, invented[i]));
        assert_null(handles_remove(&table, HANDLE_SESSION, invented[i]));
    }
    assert_int_equal(handles_count(&table, HANDLE_SESSION), 1);
}

TEST(a_stale_handle_is_refused_after_its_slot_is_used_again) {
    HandleTable table = {0};
    int objects[2];
    int stale[1000];
    for (int i = 0; i < 1000; i++) {
        const int handle = handles_add(&table, HANDLE_SESSION, &objects[i % 2]);
        for (int k = 0; k < i; k++) {
            assert_int_not_equal(stale[k], handle);
            assert_null(handles_get(&table, HANDLE_SESSION, stale[k]));
        }
        assert_ptr_equal(handles_remove(&table, HANDLE_SESSION, handle), &objects[i % 2]);
        stale[i] = handle;
    }
}

TEST(a_full_table_gives_no_handle_until_one_is_removed) {
    HandleTable table = {0};
    int object, handles[HANDLES_MAX];
    for (int i = 0; i < HANDLES_MAX; i++) {
        handles[i] = handles_add(&table, i % 2 ? HANDLE_JOB : HANDLE_SESSION, &object);
        assert_true(handles[i] > 0);
    }
    assert_int_equal(handles_add(&table, HANDLE_SESSION, &object), 0);
    assert_int_equal(handles_count(&table, HANDLE_SESSION), HANDLES_MAX / 2);
    assert_int_equal(handles_count(&table, HANDLE_JOB), HANDLES_MAX / 2);
    assert_non_null(handles_remove(&table, HANDLE_JOB, handles[7]));
    assert_true(handles_add(&table, HANDLE_SESSION, &object) > 0);
    assert_int_equal(handles_count(&table, HANDLE_SESSION), HANDLES_MAX / 2 + 1);
}

TEST(generations_begin_again_before_a_handle_would_overflow) {
    HandleTable table = {0};
    int object;
    const int first = handles_add(&table, HANDLE_SESSION, &object);
    (void)handles_remove(&table, HANDLE_SESSION, first);
    /* The slot as it stands after some 33 million sessions. */
    table.slots[0].generation = INT_MAX / HANDLES_MAX - 2;
    for (int i = 0; i < 5; i++) {
        const int handle = handles_add(&table, HANDLE_SESSION, &object);
        assert_true(handle > 0);
        assert_ptr_equal(handles_get(&table, HANDLE_SESSION, handle), &object);
        (void)handles_remove(&table, HANDLE_SESSION, handle);
    }
    assert_true(table.slots[0].generation < 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_handle_finds_its_object_until_it_is_removed),
        cmocka_unit_test(a_handle_of_another_kind_is_refused),
        cmocka_unit_test(an_invented_handle_is_refused),
        cmocka_unit_test(a_stale_handle_is_refused_after_its_slot_is_used_again),
        cmocka_unit_test(a_full_table_gives_no_handle_until_one_is_removed),
        cmocka_unit_test(generations_begin_again_before_a_handle_would_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
