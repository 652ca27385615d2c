/*
 * What happens when the heap gives nothing. The linker sends every allocation of this program to
 * the functions below (build.mk: --wrap), which count the blocks alive and fail the one asked for.
 */
#include <stdlib.h>
#include <string.h>

#include "core/handles.h"
#include "core/json.h"
#include "exports.h"
#include "sessions.h"
#include "support.h"

#define NEVER (-1)

/* Reset by every test that uses them. */
static int allocations_until_failure = NEVER;
static int live_blocks;

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the linker's names */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

static int fails_now(void) {
    if (allocations_until_failure == NEVER)
        return 0;
    return allocations_until_failure-- == 0;
}

void *__wrap_malloc(size_t size) {
    if (fails_now())
        return NULL;
    live_blocks++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    if (fails_now())
        return NULL;
    live_blocks++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size) {
    if (fails_now())
        return NULL;
    live_blocks += block == NULL;
    return __real_realloc(block, size);
}

void __wrap_free(void *block) {
    live_blocks -= block != NULL;
    __real_free(block);
}
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */

/* One call that allocates: its result, a handle or 0 or a status, and how to undo it. */
typedef struct {
    const char *name;
    int (*call)(void);
    int (*undo)(int result);
} Call;

static Config small_config(void) {
    Config config = config_default();
    config.seq_len = 5;
    config.d_model = 8;
    config.d_ff = 8;
    config.batch_size = 8;
    return config;
}

static int create_session(void) {
    const Config config = small_config();
    return attn_session_create(&config);
}

static int create_lstm(void) {
    Config config = small_config();
    config.model = MODEL_BILSTM;
    return attn_session_create(&config);
}

static int begin_sharpness(void) {
    const int32_t dims[] = {4, 16};
    return attn_sharpness_begin(0, 0, dims, 2);
}

static int create_cost(void) { return attn_cost_create(2, 8, 8); }

static float floats[1024];

static int compute_attention(void) {
    return attn_attention(floats, floats + 100, NULL, floats + 200, floats + 300, floats + 400, 4,
                          4, 4, 4, 0.5f, 0);
}

static int check_attention(void) { return attn_attention_check(0, 5, 16, floats); }

static int map_rotation(void) { return attn_rotation_map(floats, 6, 8, 0, 4, 1, 2.0f, 1e4); }

static int nothing(int result) {
    (void)result;
    return 0;
}

static const Call CALLS[] = {
    {"attn_session_create", create_session, attn_session_destroy},
    {"attn_session_create (LSTM)", create_lstm, attn_session_destroy},
    {"attn_sharpness_begin", begin_sharpness, attn_job_free},
    {"attn_cost_create", create_cost, attn_cost_destroy},
    {"attn_attention", compute_attention, nothing},
    {"attn_attention_check", check_attention, nothing},
    {"attn_rotation_map", map_rotation, nothing},
};

static void assert_nothing_alive(void) {
    const char *usage = attn_usage_json();
    assert_non_null(usage);
    assert_non_null(strstr(usage, "\"sessions\":0"));
    assert_non_null(strstr(usage, "\"jobs\":0"));
}

/* Fails the n-th allocation of the call, for every n until the call needs no more. */
static void check_call(const Call *call) {
    int n = 0;
    int result;
    do {
        const int before = live_blocks;
        allocations_until_failure = n++;
        result = call->call();
        const bool failed = allocations_until_failure == NEVER;
        allocations_until_failure = NEVER;
        if (failed) {
            if (result != STATUS_OUT_OF_MEMORY)
                print_error("%s, allocation %d\n", call->name, n);
            assert_int_equal(result, STATUS_OUT_OF_MEMORY);
            assert_int_equal(live_blocks, before);
            assert_non_null(strstr(attn_error_json(), "\"OUT_OF_MEMORY\""));
        }
        assert_true(n < 1000);
    } while (result == STATUS_OUT_OF_MEMORY);
    assert_true(result >= 0);
    /* At least one allocation was there to fail. */
    assert_true(n >= 2);
    assert_int_equal(call->undo(result), 0);
    assert_nothing_alive();
}

TEST(every_allocation_that_fails_gives_a_status_and_leaks_nothing) {
    (void)attn_constants_json(); /* the buffer of texts has its size */
    for (size_t i = 0; i < COUNT_OF(CALLS); i++) {
        const int before = live_blocks;
        check_call(&CALLS[i]);
        assert_int_equal(live_blocks, before);
    }
}

TEST(handles_work_after_a_failure) {
    const int first = create_session();
    allocations_until_failure = 0;
    assert_int_equal(create_session(), STATUS_OUT_OF_MEMORY);
    allocations_until_failure = NEVER;
    SessionMetrics metrics;
    assert_int_equal(attn_session_step(first, 1, &metrics), 0);
    int handles[HANDLES_MAX];
    for (int i = 1; i < HANDLES_MAX; i++) {
        handles[i] = create_session();
        assert_true(handles[i] > 0);
    }
    assert_int_equal(create_session(), STATUS_TOO_MANY);
    for (int i = 1; i < HANDLES_MAX; i++)
        assert_int_equal(attn_session_destroy(handles[i]), 0);
    assert_int_equal(attn_session_destroy(first), 0);
    assert_nothing_alive();
}

TEST(a_text_without_memory_is_no_text_and_the_next_one_is_whole) {
    JsonWriter json = {0};
    for (int n = 0; n < 4; n++) {
        allocations_until_failure = n;
        json_begin(&json);
        json_open(&json, '[');
        for (int i = 0; i < 100; i++)
            json_string(&json, "0123456789");
        json_close(&json, ']');
        const bool failed = allocations_until_failure == NEVER;
        allocations_until_failure = NEVER;
        assert_true(failed);
        assert_null(json_end(&json));
        json_free(&json);
    }
    json_begin(&json);
    json_string(&json, "whole");
    assert_string_equal(json_end(&json), "\"whole\"");
    json_free(&json);
}

TEST(a_list_of_tensors_without_memory_is_none_and_says_why) {
    Config config = small_config();
    config.n_layers = 6; /* a longer text than any before it */
    const int handle = attn_session_create(&config);
    assert_true(handle > 0);
    (void)attn_constants_json();
    allocations_until_failure = 0;
    assert_null(attn_session_tensors_json(handle));
    assert_int_equal(allocations_until_failure, NEVER);
    assert_non_null(strstr(attn_error_json(), "\"OUT_OF_MEMORY\""));
    assert_non_null(attn_session_tensors_json(handle));
    assert_int_equal(attn_session_destroy(handle), 0);
    assert_nothing_alive();
}

TEST(a_step_an_evaluation_and_an_answer_allocate_nothing) {
    for (int model = MODEL_TRANSFORMER; model <= MODEL_BILSTM; model++) {
        const int handle = model == MODEL_TRANSFORMER ? create_session() : create_lstm();
        const int32_t tokens[5] = {0};
        SessionMetrics metrics;
        float logits[50], norms[25];
        allocations_until_failure = 0;
        assert_int_equal(attn_session_step(handle, 1, &metrics), 0);
        assert_int_equal(attn_session_step_advance(handle, 8, &metrics), 0);
        assert_int_equal(attn_session_evaluate(handle, 1, 20, &metrics), 0);
        assert_int_equal(attn_session_predict(handle, tokens, 5, logits), 0);
        assert_int_equal(attn_session_sensitivity(handle, norms), 0);
        assert_int_equal(allocations_until_failure, 0);
        allocations_until_failure = NEVER;
        assert_int_equal(attn_session_destroy(handle), 0);
    }
}

TEST(five_hundred_sessions_leave_nothing_behind) {
    const int before = live_blocks;
    for (int i = 0; i < 500; i++) {
        const int handle = i % 2 == 0 ? create_session() : create_lstm();
        SessionMetrics metrics[5];
        assert_int_equal(attn_session_step(handle, 5, metrics), 0);
        assert_int_equal(live_blocks, before + 1); /* one session is one block */
        assert_int_equal(attn_session_destroy(handle), 0);
        assert_int_equal(live_blocks, before);
    }
    assert_nothing_alive();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_that_fails_gives_a_status_and_leaks_nothing),
        cmocka_unit_test(handles_work_after_a_failure),
        cmocka_unit_test(a_text_without_memory_is_no_text_and_the_next_one_is_whole),
        cmocka_unit_test(a_list_of_tensors_without_memory_is_none_and_says_why),
        cmocka_unit_test(a_step_an_evaluation_and_an_answer_allocate_nothing),
        cmocka_unit_test(five_hundred_sessions_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
