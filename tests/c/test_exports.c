#include <cjson/cJSON.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/handles.h"
#include "exports.h"
#include "sessions.h"
#include "support.h"
#include "train/task.h"

/* The texts belong to exports.c, so every one is parsed at once; the caller deletes the tree. */
static cJSON *parse(const char *text) {
    assert_non_null(text);
    cJSON *json = cJSON_Parse(text);
    assert_non_null(json);
    return json;
}

static const cJSON *member(const cJSON *json, const char *key) {
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(json, key);
    if (value == NULL)
        fail_msg("the text has no %s", key);
    return value;
}

static void assert_usage(int n_sessions, int n_jobs) {
    cJSON *usage = parse(attn_usage_json());
    assert_int_equal(member(usage, "sessions")->valueint, n_sessions);
    assert_int_equal(member(usage, "jobs")->valueint, n_jobs);
    cJSON_Delete(usage);
}

/* The last call returned `got`, which is this status, and attn_error_json says so too. */
static void assert_status(int got, Status expected) {
    assert_int_equal(got, expected);
    cJSON *error = parse(attn_error_json());
    assert_int_equal(member(error, "code")->valueint, expected);
    assert_string_equal(member(error, "name")->valuestring, status_name(expected));
    assert_true(strlen(member(error, "message")->valuestring) > 0);
    cJSON_Delete(error);
}

static Config small_config(void) {
    Config config = config_default();
    config.seq_len = 5;
    config.vocab_size = 6;
    config.d_model = 8;
    config.d_ff = 8;
    config.n_heads = 2;
    config.batch_size = 50; /* more than one chunk */
    return config;
}

static int create(const Config *config) {
    const int handle = attn_session_create(config);
    assert_true(handle > 0);
    return handle;
}

static int create_small(void) {
    const Config config = small_config();
    return create(&config);
}

/* ---- what goes well -------------------------------------------------------------------------- */

TEST(a_session_trains_evaluates_and_answers) {
    const int handle = create_small();
    assert_usage(1, 0);
    SessionMetrics steps[3], test;
    assert_int_equal(attn_session_step(handle, 3, steps), 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(steps[i].step, i + 1);
    assert_int_equal(attn_session_evaluate(handle, 99, 120, &test), 0);
    assert_int_equal(test.n_sequences, 120);
    const int32_t tokens[5] = {0, 5, 1, 4, 2};
    int32_t targets[5];
    const int32_t expected[5] = {2, 4, 1, 5, 0};
    float logits[30];
    assert_int_equal(attn_session_predict(handle, tokens, 5, logits), 0);
    assert_finite("logits", logits, 30);
    assert_int_equal(attn_session_targets(handle, tokens, 5, targets), 0);
    assert_memory_equal(targets, expected, sizeof targets);
    assert_int_equal(attn_session_destroy(handle), 0);
    assert_usage(0, 0);
}

TEST(a_step_in_pieces_gives_the_bits_of_a_whole_step) {
    const int whole = create_small(), pieces = create_small();
    for (int step = 0; step < 4; step++) {
        SessionMetrics expected, got;
        assert_int_equal(attn_session_step(whole, 1, &expected), 0);
        int left;
        while ((left = attn_session_step_advance(pieces, 1, &got)) > 0)
            assert_true(left < 50);
        assert_int_equal(left, 0);
        assert_memory_equal(&got, &expected, sizeof got);
    }
    assert_int_equal(attn_session_destroy(whole), 0);
    assert_int_equal(attn_session_destroy(pieces), 0);
}

TEST(an_evaluation_in_pieces_measures_what_a_whole_one_does) {
    const int handle = create_small();
    SessionMetrics whole, pieces;
    assert_int_equal(attn_session_evaluate(handle, 7, 333, &whole), 0);
    assert_int_equal(attn_session_evaluate_begin(handle, 7, 333), 0);
    while (attn_session_evaluate_advance(handle, 1, &pieces) > 0)
        continue;
    assert_memory_equal(&pieces, &whole, sizeof whole);
    assert_status(attn_session_evaluate_advance(handle, 1, &pieces), STATUS_BAD_ARGUMENT);
    assert_int_equal(attn_session_destroy(handle), 0);
}

TEST(a_batch_is_what_the_session_is_measured_on) {
    for (int task = TASK_REVERSE; task <= TASK_NEXT_TOKEN; task++) {
        Config config = small_config();
        config.task = task;
        const int handle = create(&config);
        int32_t tokens[15], targets[15], again[5];
        assert_int_equal(attn_session_batch(handle, 3, 3, tokens, targets), 0);
        for (int b = 0; b < 3; b++) {
            assert_int_equal(attn_session_targets(handle, tokens + 5 * b, 5, again), 0);
            /* The successor of the last token stands in no sequence. */
            const size_t known = task == TASK_NEXT_TOKEN ? 4 : 5;
            assert_memory_equal(again, targets + 5 * b, known * sizeof *again);
        }
        assert_int_equal(attn_session_destroy(handle), 0);
    }
}

/* Differences of the logits in the embedding of a token that stands at one place only. */
TEST(the_sensitivity_is_the_size_of_the_jacobian) {
    for (int model = MODEL_TRANSFORMER; model <= MODEL_BILSTM; model++) {
        enum { T = 5, V = 6, D = 8 };
        Config config = small_config();
        config.model = model;
        config.d_hidden = 6;
        config.activation = ACTIVATION_GELU;
        Session *session = make_session(&config);
        randomise_params(&session->params, 0.5f, 4);
        const int32_t tokens[T] = {3, 0, 5, 1, 4};
        float above[T * V], below[T * V], norms[T * T];
        double squares[T * T] = {0};
        float *emb = params_find(&session->params, "emb.weight")->value;
        for (int j = 0; j < T; j++) {
            for (int d = 0; d < D; d++) {
                float *place = &emb[tokens[j] * D + d];
                const float kept = *place;
                *place = kept + 1e-3f;
                session_predict(session, tokens, above);
                *place = kept - 1e-3f;
                session_predict(session, tokens, below);
                *place = kept;
                for (int n = 0; n < T * V; n++) {
                    const double slope = ((double)above[n] - (double)below[n]) / 2e-3;
                    squares[n / V * T + j] += slope * slope;
                }
            }
        }
        session_predict(session, tokens, above);
        for (int i = 0; i < T; i++)
            session_sensitivity_row(session, i, norms + i * T);
        double largest = 0.0;
        for (int i = 0; i < T * T; i++)
            largest = fmax(largest, (double)norms[i]);
        for (int i = 0; i < T * T; i++)
            assert_near("norm", (double)norms[i], sqrt(squares[i]), GRADIENT_TOLERANCE * largest);
        session_destroy(session);
    }
}

TEST(a_causal_network_hangs_on_no_later_input) {
    Config config = small_config();
    config.causal = 1;
    config.n_layers = 2;
    const int handle = create(&config);
    const int32_t tokens[5] = {0, 5, 1, 4, 2};
    float logits[30], norms[25];
    assert_int_equal(attn_session_predict(handle, tokens, 5, logits), 0);
    assert_int_equal(attn_session_sensitivity(handle, norms), 0);
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 5; j++)
            assert_true(j > i ? norms[i * 5 + j] == 0.0f : norms[i * 5 + j] > 0.0f);
    }
    SessionMetrics metrics;
    assert_true(attn_session_step_advance(handle, 1, &metrics) > 0);
    assert_status(attn_session_sensitivity(handle, norms), STATUS_BUSY);
    assert_int_equal(attn_session_destroy(handle), 0);
}

TEST(a_muted_head_changes_the_answer_until_it_may_speak_again) {
    const int handle = create_small();
    const int32_t tokens[5] = {0, 5, 1, 4, 2};
    float before[30], muted[30], after[30];
    assert_int_equal(attn_session_predict(handle, tokens, 5, before), 0);
    assert_int_equal(attn_session_mute_head(handle, 0, 1, 1), 0);
    assert_int_equal(attn_session_predict(handle, tokens, 5, muted), 0);
    assert_true(floats_differ(muted, before, 30));
    assert_int_equal(attn_session_mute_head(handle, 0, 1, 0), 0);
    assert_int_equal(attn_session_predict(handle, tokens, 5, after), 0);
    assert_floats_same("after", after, before, 30);
    static const int WRONG[][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 2}};
    for (size_t i = 0; i < COUNT_OF(WRONG); i++) {
        assert_status(attn_session_mute_head(handle, WRONG[i][0], WRONG[i][1], 1),
                      STATUS_BAD_ARGUMENT);
    }
    assert_int_equal(attn_session_destroy(handle), 0);
    Config config = small_config();
    config.model = MODEL_BILSTM;
    const int lstm = create(&config);
    assert_status(attn_session_mute_head(lstm, 0, 0, 1), STATUS_BAD_ARGUMENT);
    assert_int_equal(attn_session_destroy(lstm), 0);
}

/* ---- what is refused ------------------------------------------------------------------------- */

/* Every call that takes a session's handle, with arguments that are right otherwise. */
static void assert_refused_everywhere(int handle) {
    SessionMetrics metrics;
    int32_t tokens[5] = {0}, targets[5];
    float logits[30], norms[25];
    assert_status(attn_session_step(handle, 1, &metrics), STATUS_BAD_HANDLE);
    assert_status(attn_session_step_advance(handle, 1, &metrics), STATUS_BAD_HANDLE);
    assert_status(attn_session_evaluate(handle, 0, 1, &metrics), STATUS_BAD_HANDLE);
    assert_status(attn_session_evaluate_begin(handle, 0, 1), STATUS_BAD_HANDLE);
    assert_status(attn_session_evaluate_advance(handle, 1, &metrics), STATUS_BAD_HANDLE);
    assert_status(attn_session_batch(handle, 0, 1, tokens, targets), STATUS_BAD_HANDLE);
    assert_status(attn_session_targets(handle, tokens, 5, targets), STATUS_BAD_HANDLE);
    assert_status(attn_session_predict(handle, tokens, 5, logits), STATUS_BAD_HANDLE);
    assert_status(attn_session_sensitivity(handle, norms), STATUS_BAD_HANDLE);
    assert_status(attn_session_mute_head(handle, 0, 0, 1), STATUS_BAD_HANDLE);
    assert_null(attn_session_tensors_json(handle));
    assert_status(attn_session_destroy(handle), STATUS_BAD_HANDLE);
}

TEST(a_destroyed_session_is_refused_even_after_its_slot_is_used_again) {
    const int gone = create_small();
    assert_int_equal(attn_session_destroy(gone), 0);
    assert_refused_everywhere(gone);
    const int next = create_small();
    assert_int_equal(next % HANDLES_MAX, gone % HANDLES_MAX);
    assert_refused_everywhere(gone);
    assert_int_equal(attn_session_destroy(next), 0);
}

TEST(an_invented_handle_is_refused) {
    const int handle = create_small();
    const int invented[] = {0, -1, 1, 63, 64, INT_MIN, INT_MAX, -handle, handle + 1, handle + 64};
    for (size_t i = 0; i < COUNT_OF(invented); i++)
        assert_refused_everywhere(invented[i]);
    assert_int_equal(attn_session_destroy(handle), 0);
}

static void assert_no_job(int handle) {
    SharpnessResult result;
    assert_status(attn_job_units(handle), STATUS_BAD_HANDLE);
    assert_status(attn_job_advance(handle, 1), STATUS_BAD_HANDLE);
    assert_status(attn_sharpness_result(handle, 0, &result), STATUS_BAD_HANDLE);
    assert_status(attn_job_free(handle), STATUS_BAD_HANDLE);
}

static void assert_no_cost(int handle) {
    assert_status(attn_cost_run(handle, 1), STATUS_BAD_HANDLE);
    assert_status(attn_cost_destroy(handle), STATUS_BAD_HANDLE);
}

TEST(a_handle_of_another_kind_is_refused) {
    const int32_t dims[] = {4};
    const int session = create_small(), job = attn_sharpness_begin(0, 0, dims, 1);
    const int cost = attn_cost_create(1, 4, 4);
    assert_true(job > 0 && cost > 0);
    assert_usage(1, 2);
    assert_refused_everywhere(job);
    assert_refused_everywhere(cost);
    assert_no_job(session);
    assert_no_job(cost);
    assert_no_cost(session);
    assert_no_cost(job);
    assert_int_equal(attn_session_destroy(session), 0);
    assert_int_equal(attn_job_free(job), 0);
    assert_int_equal(attn_cost_destroy(cost), 0);
    assert_no_job(job);
    assert_no_cost(cost);
    assert_usage(0, 0);
}

TEST(the_error_names_the_field_and_what_is_allowed) {
    Config config = config_default();
    config.seq_len = 65;
    assert_status(attn_session_create(&config), STATUS_CONFIG_RANGE);
    cJSON *error = parse(attn_error_json());
    assert_string_equal(member(error, "field")->valuestring, "seq_len");
    assert_int_equal(member(error, "min")->valueint, 2);
    assert_int_equal(member(error, "max")->valueint, 64);
    cJSON_Delete(error);

    config = config_default();
    config.n_heads = 5;
    assert_status(attn_session_create(&config), STATUS_CONFIG_RANGE);
    error = parse(attn_error_json());
    assert_string_equal(member(error, "field")->valuestring, "n_heads");
    assert_string_equal(member(error, "rule")->valuestring, "divides d_model");
    cJSON_Delete(error);

    config = config_default();
    config.learning_rate = NAN;
    assert_status(attn_session_create(&config), STATUS_CONFIG_RANGE);
    error = parse(attn_error_json());
    assert_string_equal(member(error, "field")->valuestring, "learning_rate");
    assert_true((float)member(error, "min")->valuedouble == 1e-6f);
    cJSON_Delete(error);

    config = config_default();
    config.task = 77;
    assert_status(attn_session_create(&config), STATUS_CONFIG_RANGE);
    error = parse(attn_error_json());
    assert_string_equal(member(error, "field")->valuestring, "task");
    cJSON_Delete(error);
    assert_usage(0, 0);
}

TEST(a_session_above_the_memory_limit_is_refused_with_its_size) {
    Config config = config_default();
    config.n_layers = 6;
    config.d_model = 256;
    config.d_ff = 1024;
    assert_status(attn_session_create(&config), STATUS_MEMORY_LIMIT);
    cJSON *error = parse(attn_error_json());
    assert_true(member(error, "limit")->valuedouble == (double)SESSION_MAX_BYTES);
    assert_true(member(error, "bytes")->valuedouble > (double)SESSION_MAX_BYTES);
    cJSON_Delete(error);
    assert_usage(0, 0);
    /* An error that has nothing to do with size does not repeat it. */
    assert_status(attn_session_destroy(1), STATUS_BAD_HANDLE);
    error = parse(attn_error_json());
    assert_null(cJSON_GetObjectItemCaseSensitive(error, "bytes"));
    assert_null(cJSON_GetObjectItemCaseSensitive(error, "field"));
    cJSON_Delete(error);
}

TEST(bad_arguments_are_refused) {
    const int handle = create_small();
    SessionMetrics metrics;
    const int32_t tokens[6] = {0};
    int32_t targets[6];
    float floats[64];
    assert_status(attn_session_create(NULL), STATUS_BAD_ARGUMENT);
    for (int n = -1; n <= 0; n++) {
        assert_status(attn_session_step(handle, n, &metrics), STATUS_BAD_ARGUMENT);
        assert_status(attn_session_step_advance(handle, n, &metrics), STATUS_BAD_ARGUMENT);
        assert_status(attn_session_evaluate(handle, 0, n, &metrics), STATUS_BAD_ARGUMENT);
        assert_status(attn_session_evaluate_begin(handle, 0, n), STATUS_BAD_ARGUMENT);
        assert_status(attn_session_evaluate_advance(handle, n, &metrics), STATUS_BAD_ARGUMENT);
        assert_status(attn_session_batch(handle, 0, n, targets, targets), STATUS_BAD_ARGUMENT);
    }
    assert_status(attn_session_evaluate_begin(handle, 0, INT_MAX), STATUS_BAD_ARGUMENT);
    assert_status(attn_session_step(handle, 1, NULL), STATUS_BAD_ARGUMENT);
    assert_status(attn_session_step_advance(handle, 1, NULL), STATUS_BAD_ARGUMENT);
    assert_status(attn_session_evaluate(handle, 0, 1, NULL), STATUS_BAD_ARGUMENT);
    assert_status(attn_session_batch(handle, 0, 1, NULL, targets), STATUS_BAD_ARGUMENT);
    assert_status(attn_session_batch(handle, 0, 1, targets, NULL), STATUS_BAD_ARGUMENT);
    assert_status(attn_session_predict(handle, NULL, 5, floats), STATUS_BAD_ARGUMENT);
    assert_status(attn_session_predict(handle, tokens, 5, NULL), STATUS_BAD_ARGUMENT);
    assert_status(attn_session_targets(handle, tokens, 5, NULL), STATUS_BAD_ARGUMENT);
    assert_status(attn_session_sensitivity(handle, NULL), STATUS_BAD_ARGUMENT);
    assert_int_equal(attn_session_destroy(handle), 0);
}

TEST(tokens_too_few_too_many_or_unknown_are_refused) {
    const int handle = create_small();
    int32_t tokens[6] = {0, 1, 2, 3, 4, 5}, targets[6];
    float logits[30];
    static const int LENGTHS[] = {-1, 0, 4, 6};
    for (size_t i = 0; i < COUNT_OF(LENGTHS); i++) {
        assert_status(attn_session_predict(handle, tokens, LENGTHS[i], logits), STATUS_BAD_LENGTH);
        assert_status(attn_session_targets(handle, tokens, LENGTHS[i], targets), STATUS_BAD_LENGTH);
    }
    static const int32_t UNKNOWN[] = {-1, 6, INT_MAX, INT_MIN};
    for (size_t i = 0; i < COUNT_OF(UNKNOWN); i++) {
        tokens[4] = UNKNOWN[i];
        assert_status(attn_session_predict(handle, tokens, 5, logits), STATUS_BAD_TOKEN);
        assert_status(attn_session_targets(handle, tokens, 5, targets), STATUS_BAD_TOKEN);
    }
    assert_int_equal(attn_session_destroy(handle), 0);
}

TEST(a_full_table_refuses_sessions_and_jobs_and_leaks_nothing) {
    int handles[HANDLES_MAX];
    const Config config = small_config();
    const int32_t dims[] = {4};
    for (int i = 0; i < HANDLES_MAX; i++)
        handles[i] = create_small();
    assert_status(attn_session_create(&config), STATUS_TOO_MANY);
    assert_status(attn_sharpness_begin(0, 0, dims, 1), STATUS_TOO_MANY);
    assert_status(attn_cost_create(0, 4, 4), STATUS_TOO_MANY);
    assert_usage(HANDLES_MAX, 0);
    assert_int_equal(attn_session_destroy(handles[20]), 0);
    handles[20] = create_small();
    for (int i = 0; i < HANDLES_MAX; i++)
        assert_int_equal(attn_session_destroy(handles[i]), 0);
    assert_usage(0, 0);
}

/* ---- texts ----------------------------------------------------------------------------------- */

TEST(the_constants_describe_every_status_and_field) {
    cJSON *constants = parse(attn_constants_json());
    const cJSON *status = member(constants, "status");
    assert_int_equal(cJSON_GetArraySize(status), STATUS_COUNT);
    for (int i = 0; i < STATUS_COUNT; i++)
        assert_int_equal(member(status, status_name(-i))->valueint, -i);
    const cJSON *config = member(constants, "config");
    assert_int_equal(member(config, "size")->valueint, sizeof(Config));
    const cJSON *fields = member(config, "fields");
    assert_int_equal(cJSON_GetArraySize(fields), CONFIG_FIELD_COUNT);
    for (int i = 0; i < CONFIG_FIELD_COUNT; i++) {
        const ConfigField *field = &CONFIG_TABLE[i];
        const cJSON *json = cJSON_GetArrayItem(fields, i);
        assert_string_equal(member(json, "name")->valuestring, field->name);
        assert_int_equal(member(json, "offset")->valueint, field->offset);
        assert_true(member(json, "default")->valuedouble == field->initial);
        assert_true(member(json, "min")->valuedouble == field->min);
        if (field->type == CONFIG_ENUM)
            assert_int_equal(member(json, "max")->valueint,
                             cJSON_GetArraySize(member(json, "values")) - 1);
        else
            assert_true(member(json, "max")->valuedouble == field->max);
    }
    assert_true(member(constants, "session_max_bytes")->valuedouble == (double)SESSION_MAX_BYTES);
    assert_int_equal(member(member(constants, "metrics"), "size")->valueint,
                     sizeof(SessionMetrics));
    assert_int_equal(member(member(constants, "sharpness"), "size")->valueint,
                     sizeof(SharpnessResult));
    cJSON_Delete(constants);
}

/* Fields follow one another without gaps: 4 bytes each, `count` times. */
static void check_struct(const cJSON *json, size_t size) {
    const cJSON *field;
    int end = 0;
    cJSON_ArrayForEach(field, member(json, "fields")) {
        assert_int_equal(member(field, "offset")->valueint, end);
        end += 4 * member(field, "count")->valueint;
    }
    assert_int_equal(end, size);
}

TEST(results_are_described_without_gaps) {
    cJSON *constants = parse(attn_constants_json());
    check_struct(member(constants, "metrics"), sizeof(SessionMetrics));
    check_struct(member(constants, "sharpness"), sizeof(SharpnessResult));
    cJSON_Delete(constants);
}

TEST(the_list_of_tensors_names_parameters_gradients_and_activations) {
    const int handle = create_small();
    cJSON *json = parse(attn_session_tensors_json(handle));
    int n_parameters = 0, n_gradients = 0, n_activations = 0, n_values = 0;
    const cJSON *tensor;
    cJSON_ArrayForEach(tensor, member(json, "tensors")) {
        const char *kind = member(tensor, "kind")->valuestring;
        const char *name = member(tensor, "name")->valuestring;
        int size = 1;
        const cJSON *length;
        cJSON_ArrayForEach(length, member(tensor, "shape")) size *= length->valueint;
        assert_true(size > 0);
        assert_true(member(tensor, "offset")->valuedouble > 0.0);
        n_values += strcmp(kind, "parameter") == 0 ? size : 0;
        n_parameters += strcmp(kind, "parameter") == 0;
        n_activations += strcmp(kind, "activation") == 0;
        if (strcmp(kind, "gradient") == 0) {
            assert_string_equal(name + strlen(name) - 5, ".grad");
            n_gradients++;
        }
    }
    assert_int_equal(n_parameters, 15);
    assert_int_equal(n_gradients, 15);
    assert_true(n_activations > 10);
    assert_int_equal(member(json, "n_parameters")->valueint, n_values);
    cJSON_Delete(json);
    assert_int_equal(attn_session_destroy(handle), 0);
}

/* ---- the lesson's computations ----------------------------------------------------------------
 */

TEST(a_sharpness_job_runs_to_its_end_and_is_freed) {
    const int32_t dims[] = {2, 3};
    SharpnessResult result;
    const int job = attn_sharpness_begin(1, 16, dims, 2);
    assert_true(job > 0);
    int left = attn_job_units(job);
    assert_status(attn_sharpness_result(job, 0, &result), STATUS_BAD_ARGUMENT);
    assert_status(attn_job_advance(job, 0), STATUS_BAD_ARGUMENT);
    while (left > 0) {
        const int now = attn_job_advance(job, 100);
        assert_true(now < left);
        left = now;
    }
    assert_int_equal(left, 0);
    assert_int_equal(attn_job_advance(job, 1), 0);
    assert_int_equal(attn_sharpness_result(job, 1, &result), 0);
    assert_int_equal(result.d, 3);
    assert_status(attn_sharpness_result(job, 2, &result), STATUS_BAD_ARGUMENT);
    assert_status(attn_sharpness_result(job, -1, &result), STATUS_BAD_ARGUMENT);
    assert_status(attn_sharpness_result(job, 0, NULL), STATUS_BAD_ARGUMENT);
    assert_int_equal(attn_job_free(job), 0);
}

TEST(bad_arguments_of_the_lessons_computations_are_refused) {
    const int32_t dims[] = {4, 0, SHARPNESS_MAX_D + 1};
    float floats[2048];
    assert_status(attn_sharpness_begin(0, 0, NULL, 1), STATUS_BAD_ARGUMENT);
    assert_status(attn_sharpness_begin(0, 0, dims, 0), STATUS_BAD_ARGUMENT);
    assert_status(attn_sharpness_begin(0, 0, dims, SHARPNESS_MAX_DIMS + 1), STATUS_BAD_ARGUMENT);
    assert_status(attn_sharpness_begin(0, 8, dims, 1), STATUS_BAD_ARGUMENT);
    assert_status(attn_sharpness_begin(0, -16, dims, 1), STATUS_BAD_ARGUMENT);
    assert_status(attn_sharpness_begin(0, 0, dims + 1, 1), STATUS_BAD_ARGUMENT);
    assert_status(attn_sharpness_begin(0, 0, dims + 2, 1), STATUS_BAD_ARGUMENT);
    assert_status(attn_attention_check_floats(0, 4), STATUS_BAD_ARGUMENT);
    assert_status(attn_attention_check_floats(65, 4), STATUS_BAD_ARGUMENT);
    assert_status(attn_attention_check(0, 4, 1025, floats), STATUS_BAD_ARGUMENT);
    assert_status(attn_attention_check(0, 4, 4, NULL), STATUS_BAD_ARGUMENT);
    assert_status(attn_attention(NULL, floats, NULL, floats, floats, floats, 1, 1, 1, 1, 1.0f, 0),
                  STATUS_BAD_ARGUMENT);
    assert_status(
        attn_attention(floats, floats, NULL, floats, floats, floats, 65, 1, 1, 1, 1.0f, 0),
        STATUS_BAD_ARGUMENT);
    assert_status(attn_attention(floats, floats, NULL, floats, floats, floats, 1, 1, 1, 1, NAN, 0),
                  STATUS_BAD_ARGUMENT);
    assert_status(attn_positional(NULL, 4, 4, 1e4), STATUS_BAD_ARGUMENT);
    assert_status(attn_positional(floats, 4, 3, 1e4), STATUS_BAD_ARGUMENT);
    assert_status(attn_positional(floats, 0, 4, 1e4), STATUS_BAD_ARGUMENT);
    assert_status(attn_positional(floats, 4, 4, 0.5), STATUS_BAD_ARGUMENT);
    assert_status(attn_cost_create(3, 4, 4), STATUS_BAD_ARGUMENT);
    assert_status(attn_cost_create(-1, 4, 4), STATUS_BAD_ARGUMENT);
    assert_status(attn_cost_create(0, 0, 4), STATUS_BAD_ARGUMENT);
    assert_status(attn_cost_create(0, 4, 257), STATUS_BAD_ARGUMENT);
    assert_status(attn_rotation_matrix(floats, 3, 1, 1e4), STATUS_BAD_ARGUMENT);
    assert_status(attn_rotation_matrix(floats, 4, 1, 0.5), STATUS_BAD_ARGUMENT);
    assert_status(attn_rotation_matrix(floats, 4, 1, (double)NAN), STATUS_BAD_ARGUMENT);
    assert_status(attn_rotation_map(floats, 4, 4, 1, 2, 1, 1.0f, 1e4), STATUS_BAD_ARGUMENT);
    assert_status(attn_rotation_map(floats, 4, 4, 0, 2, 1, NAN, 1e4), STATUS_BAD_ARGUMENT);
    assert_status(attn_rng_u32(0, NULL, 1), STATUS_BAD_ARGUMENT);
    assert_status(attn_rng_randn(0, floats, -1), STATUS_BAD_ARGUMENT);
    assert_status(attn_rng_randint(0, 5, 5, (int32_t[]){0}, 1), STATUS_BAD_ARGUMENT);
}

TEST(attention_by_two_roads_is_the_same) {
    enum { N = 6, D = 4 };
    Pool pool = {NULL};
    const float *query = pool_randn(&pool, (size_t)N * D, 1),
                *key = pool_randn(&pool, (size_t)N * D, 2);
    const float *value = pool_randn(&pool, (size_t)N * D, 3);
    float output[N * D], weights[N * N], plain[N * D];
    for (int causal = 0; causal <= 1; causal++) {
        assert_int_equal(
            attn_attention(output, weights, NULL, query, key, value, N, N, D, D, 0.5f, causal), 0);
        assert_int_equal(attn_attention_plain(plain, query, key, value, N, D, 0.5f, causal), 0);
        assert_floats_near("output", output, plain, (size_t)N * D, 2e-6);
    }
    pool_free(&pool);
}

TEST(memory_is_aligned_and_given_back) {
    for (size_t n = 1; n < 2000; n += 37) {
        void *bytes = attn_alloc(n);
        assert_non_null(bytes);
        assert_int_equal((uintptr_t)bytes % 16, 0);
        attn_free(bytes);
    }
    attn_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_trains_evaluates_and_answers),
        cmocka_unit_test(a_step_in_pieces_gives_the_bits_of_a_whole_step),
        cmocka_unit_test(an_evaluation_in_pieces_measures_what_a_whole_one_does),
        cmocka_unit_test(a_batch_is_what_the_session_is_measured_on),
        cmocka_unit_test(the_sensitivity_is_the_size_of_the_jacobian),
        cmocka_unit_test(a_causal_network_hangs_on_no_later_input),
        cmocka_unit_test(a_muted_head_changes_the_answer_until_it_may_speak_again),
        cmocka_unit_test(a_destroyed_session_is_refused_even_after_its_slot_is_used_again),
        cmocka_unit_test(an_invented_handle_is_refused),
        cmocka_unit_test(a_handle_of_another_kind_is_refused),
        cmocka_unit_test(the_error_names_the_field_and_what_is_allowed),
        cmocka_unit_test(a_session_above_the_memory_limit_is_refused_with_its_size),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(tokens_too_few_too_many_or_unknown_are_refused),
        cmocka_unit_test(a_full_table_refuses_sessions_and_jobs_and_leaks_nothing),
        cmocka_unit_test(the_constants_describe_every_status_and_field),
        cmocka_unit_test(results_are_described_without_gaps),
        cmocka_unit_test(the_list_of_tensors_names_parameters_gradients_and_activations),
        cmocka_unit_test(a_sharpness_job_runs_to_its_end_and_is_freed),
        cmocka_unit_test(bad_arguments_of_the_lessons_computations_are_refused),
        cmocka_unit_test(attention_by_two_roads_is_the_same),
        cmocka_unit_test(memory_is_aligned_and_given_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
