#include <string.h>

#include "golden.h"
#include "support.h"
#include "train/task.h"

static void assert_targets(Task task, const int32_t *expected) {
    const int32_t tokens[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3};
    int32_t targets[10];
    task_targets(targets, tokens, task, 2, 5);
    assert_memory_equal(targets, expected, sizeof targets);
}

TEST(each_task_answers_each_sequence_of_its_own) {
    const int32_t reversed[] = {5, 1, 4, 1, 3, 3, 5, 6, 2, 9};
    const int32_t copied[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3};
    const int32_t sorted[] = {1, 1, 3, 4, 5, 2, 3, 5, 6, 9};
    const int32_t shifted[] = {5, 3, 1, 4, 1, 3, 9, 2, 6, 5};
    const int32_t next[] = {1, 4, 1, 5, TASK_UNKNOWN, 2, 6, 5, 3, TASK_UNKNOWN};
    assert_targets(TASK_REVERSE, reversed);
    assert_targets(TASK_COPY, copied);
    assert_targets(TASK_SORT, sorted);
    assert_targets(TASK_SHIFT, shifted);
    assert_targets(TASK_NEXT_TOKEN, next);
}

TEST(reversing_twice_is_copying) {
    for (int T = 2; T <= 64; T++) {
        Pool pool = {NULL};
        const size_t n = 3 * (size_t)T;
        const int32_t *tokens = pool_tokens(&pool, n, 64, (uint32_t)T);
        int32_t *once = pool_ints(&pool, n), *twice = pool_ints(&pool, n);
        task_targets(once, tokens, TASK_REVERSE, 3, T);
        task_targets(twice, once, TASK_REVERSE, 3, T);
        assert_memory_equal(twice, tokens, n * sizeof *tokens);
        pool_free(&pool);
    }
}

TEST(shifting_as_often_as_there_are_places_is_copying) {
    enum { T = 7 };
    Pool pool = {NULL};
    const int32_t *tokens = pool_tokens(&pool, T, 10, 1);
    int32_t *now = pool_ints(&pool, T), *next = pool_ints(&pool, T);
    memcpy(now, tokens, T * sizeof *now);
    for (int i = 0; i < T; i++) {
        task_targets(next, now, TASK_SHIFT, 1, T);
        memcpy(now, next, T * sizeof *now);
        assert_int_equal(memcmp(now, tokens, T * sizeof *now) == 0, i == T - 1);
    }
    pool_free(&pool);
}

TEST(sorting_keeps_every_token_and_orders_them) {
    enum { T = 64, V = 64 };
    Pool pool = {NULL};
    const int32_t *tokens = pool_tokens(&pool, T, V, 2);
    int32_t *sorted = pool_ints(&pool, T);
    int count[V] = {0};
    task_targets(sorted, tokens, TASK_SORT, 1, T);
    for (int t = 0; t < T; t++) {
        assert_true(t == 0 || sorted[t - 1] <= sorted[t]);
        count[tokens[t]]++;
        count[sorted[t]]--;
    }
    for (int v = 0; v < V; v++)
        assert_int_equal(count[v], 0);
    pool_free(&pool);
}

TEST(training_batches_are_pytorchs) {
    Golden *golden = golden_open("transformer_step.json");
    const Golden *x = golden_at(golden, "x");
    const Golden *next = golden_at(golden, "next_batch_x_first2");
    Pool pool = {NULL};
    int32_t *tokens = pool_ints(&pool, x->size);
    Rng rng;
    rng_seed(&rng, 0);
    task_draw(tokens, &rng, 64, 10, 10);
    assert_golden_ints(tokens, x);
    task_draw(tokens, &rng, 64, 10, 10);
    assert_golden_ints(tokens, next);
    /* Batch 1500, the last of the lesson's run. */
    rng_seed(&rng, 0);
    rng_skip(&rng, 1499 * task_draw_count(64, 10));
    task_draw(tokens, &rng, 64, 10, 10);
    assert_golden_ints(tokens, golden_at(golden, "last_batch_x_first2"));
    golden_close(golden);
    pool_free(&pool);
}

TEST(the_test_sequences_are_pytorchs) {
    Golden *golden = golden_open("final.json");
    int32_t tokens[50];
    Rng rng;
    rng_seed(&rng, 99);
    task_draw(tokens, &rng, 5, 10, 10);
    assert_golden_ints(tokens, golden_at(golden, "test_x_first5"));
    golden_close(golden);
}

TEST(sequences_drawn_in_pieces_are_those_drawn_at_once) {
    int32_t whole[70], pieces[70];
    Rng rng;
    rng_seed(&rng, 3);
    task_draw(whole, &rng, 10, 7, 13);
    rng_seed(&rng, 3);
    task_draw(pieces, &rng, 1, 7, 13);
    task_draw(pieces + 7, &rng, 4, 7, 13);
    task_draw(pieces + 35, &rng, 5, 7, 13);
    assert_memory_equal(pieces, whole, sizeof whole);
}

/* Draws rows of the next-token task and proves that the generator stands where it should. */
static void draw_next(int32_t *tokens, int32_t *targets, int period, int B, int T, int V) {
    Rng rng, skipped;
    rng_seed(&rng, 21);
    rng_seed(&skipped, 21);
    task_draw_next(tokens, targets, &rng, period, B, T, V);
    rng_skip(&skipped, task_draw_next_count(period, B, T));
    assert_int_equal(rng_u32(&rng), rng_u32(&skipped));
}

TEST(the_next_token_is_the_target_and_the_last_one_is_drawn_too) {
    enum { B = 3, T = 6 };
    int32_t tokens[B * T], targets[B * T], drawn[B * (T + 1)];
    Rng rng;
    rng_seed(&rng, 21);
    rng_randint(&rng, 0, 50, drawn, B * (T + 1));
    draw_next(tokens, targets, 0, B, T, 50);
    for (int b = 0; b < B; b++) {
        assert_memory_equal(tokens + b * T, drawn + b * (T + 1), T * sizeof *tokens);
        assert_memory_equal(targets + b * T, drawn + b * (T + 1) + 1, T * sizeof *targets);
    }
}

TEST(a_period_repeats_a_pattern_of_its_own_in_each_sequence) {
    enum { B = 4, T = 9 };
    for (int period = 1; period <= T + 2; period++) {
        int32_t tokens[B * T], targets[B * T];
        draw_next(tokens, targets, period, B, T, 64);
        for (int b = 0; b < B; b++) {
            for (int t = 0; t + period < T; t++) {
                assert_int_equal(tokens[b * T + t + period], tokens[b * T + t]);
                assert_int_equal(targets[b * T + t + period], targets[b * T + t]);
            }
            assert_memory_equal(targets + b * T, tokens + b * T + 1, (T - 1) * sizeof *tokens);
        }
        assert_true(memcmp(tokens, tokens + T, T * sizeof *tokens) != 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_task_answers_each_sequence_of_its_own),
        cmocka_unit_test(reversing_twice_is_copying),
        cmocka_unit_test(shifting_as_often_as_there_are_places_is_copying),
        cmocka_unit_test(sorting_keeps_every_token_and_orders_them),
        cmocka_unit_test(training_batches_are_pytorchs),
        cmocka_unit_test(the_test_sequences_are_pytorchs),
        cmocka_unit_test(the_next_token_is_the_target_and_the_last_one_is_drawn_too),
        cmocka_unit_test(a_period_repeats_a_pattern_of_its_own_in_each_sequence),
        cmocka_unit_test(sequences_drawn_in_pieces_are_those_drawn_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
