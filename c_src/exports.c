#include "exports.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/handles.h"
#include "core/json.h"
#include "core/rng.h"
#include "core/status.h"
#include "lesson/attention_check.h"
#include "lesson/cost.h"
#include "lesson/rotation.h"
#include "nn/positional.h"
#include "train/task.h"

#define VERSION "0.1.0"

#if defined(__wasm__)
#define EXPORT(name) __attribute__((used, export_name(#name))) name
#else
#define EXPORT(name) name
#endif

/* The one place with state: the live objects, the last text and the last error. */
static HandleTable handles;
static JsonWriter json;
static struct {
    Status status;
    SessionError session;
} last_error;

static int fail(Status status) {
    last_error.status = status;
    last_error.session = (SessionError){0};
    return status;
}

static int fail_session(Status status, const SessionError *error) {
    last_error.status = status;
    last_error.session = *error;
    return status;
}

#if defined(__wasm__)
/* Without stdio: the failed condition is left for JavaScript to read, then a trap. */
static const char *panic_message = "";

const char *EXPORT(attn_panic_message)(void);
const char *EXPORT(attn_panic_message)(void) { return panic_message; }

_Noreturn void __assert_fail(const char *condition, const char *file, int line,
                             const char *function) {
    (void)file, (void)line, (void)function;
    panic_message = condition;
    __builtin_trap();
}

/* Defined here so that the module imports nothing; JavaScript makes its views at each use. */
void emscripten_notify_memory_growth(size_t index);
void emscripten_notify_memory_growth(size_t index) { (void)index; }
#endif

/* ---- memory and texts -------------------------------------------------------------------- */

void *EXPORT(attn_alloc)(size_t n_bytes) { return malloc(n_bytes); }

void EXPORT(attn_free)(void *bytes) { free(bytes); }

static void write_key_int(const char *key, long long value) {
    json_key(&json, key);
    json_int(&json, value);
}

static void write_key_string(const char *key, const char *value) {
    json_key(&json, key);
    json_string(&json, value);
}

static void write_key_raw(const char *key, const char *text) {
    json_key(&json, key);
    json_raw(&json, text);
}

static void write_config_field(const ConfigField *field) {
    static const char *const TYPES[] = {"enum", "int", "uint", "float", "bool"};
    json_open(&json, '{');
    write_key_string("name", field->name);
    write_key_string("type", TYPES[field->type]);
    write_key_int("offset", field->offset);
    write_key_raw("default", field->initial_text);
    write_key_raw("min", field->min_text);
    if (field->type == CONFIG_ENUM) {
        int n = 0;
        json_key(&json, "values");
        json_open(&json, '[');
        for (const char *value = field->values; *value != '\0'; value += strlen(value) + 1, n++) {
            json_string(&json, value);
        }
        json_close(&json, ']');
        json_key(&json, "available");
        json_open(&json, '[');
        for (int i = 0; i < n; i++) {
            json_raw(&json, (field->available >> i) & 1u ? "true" : "false");
        }
        json_close(&json, ']');
        write_key_int("max", n - 1);
    } else {
        write_key_raw("max", field->max_text);
    }
    json_close(&json, '}');
}

static void write_struct_field(const char *name, const char *type, size_t offset, size_t count) {
    json_open(&json, '{');
    write_key_string("name", name);
    write_key_string("type", type);
    write_key_int("offset", (long long)offset);
    write_key_int("count", (long long)count);
    json_close(&json, '}');
}

static void open_struct(const char *key, size_t size) {
    json_key(&json, key);
    json_open(&json, '{');
    write_key_int("size", (long long)size);
    json_key(&json, "fields");
    json_open(&json, '[');
}

static void close_struct(void) {
    json_close(&json, ']');
    json_close(&json, '}');
}

#define WRITE_METRICS_INT(name) write_struct_field(#name, "int", offsetof(SessionMetrics, name), 1);
#define WRITE_METRICS_FLOAT(name)                                                                  \
    write_struct_field(#name, "float", offsetof(SessionMetrics, name), 1);
#define WRITE_METRICS_INTS(name, count)                                                            \
    write_struct_field(#name, "int", offsetof(SessionMetrics, name), count);
#define WRITE_METRICS_FLOATS(name, count)                                                          \
    write_struct_field(#name, "float", offsetof(SessionMetrics, name), count);
#define WRITE_SHARPNESS_INT(name)                                                                  \
    write_struct_field(#name, "int", offsetof(SharpnessResult, name), 1);
#define WRITE_SHARPNESS_FLOAT(name)                                                                \
    write_struct_field(#name, "float", offsetof(SharpnessResult, name), 1);

#define WRITE_SHARPNESS_INTS(name, count)                                                          \
    write_struct_field(#name, "int", offsetof(SharpnessResult, name), count);
#define WRITE_SHARPNESS_FLOATS(name, count)                                                        \
    write_struct_field(#name, "float", offsetof(SharpnessResult, name), count);

const char *EXPORT(attn_constants_json)(void) {
    json_begin(&json);
    json_open(&json, '{');
    write_key_string("version", VERSION);
    json_key(&json, "status");
    json_open(&json, '{');
    for (int i = 0; i < STATUS_COUNT; i++)
        write_key_int(status_name(-i), -i);
    json_close(&json, '}');
    open_struct("config", sizeof(Config));
    for (int i = 0; i < CONFIG_FIELD_COUNT; i++)
        write_config_field(&CONFIG_TABLE[i]);
    close_struct();
    open_struct("metrics", sizeof(SessionMetrics));
    METRICS_FIELDS(WRITE_METRICS_INT, WRITE_METRICS_FLOAT, WRITE_METRICS_INTS, WRITE_METRICS_FLOATS)
    close_struct();
    open_struct("sharpness", sizeof(SharpnessResult));
    SHARPNESS_FIELDS(WRITE_SHARPNESS_INT, WRITE_SHARPNESS_FLOAT, WRITE_SHARPNESS_INTS,
                     WRITE_SHARPNESS_FLOATS)
    close_struct();
    write_key_int("session_max_bytes", (long long)SESSION_MAX_BYTES);
    json_close(&json, '}');
    return json_end(&json);
}

const char *EXPORT(attn_error_json)(void) {
    const ConfigError *config = &last_error.session.config;
    json_begin(&json);
    json_open(&json, '{');
    write_key_int("code", last_error.status);
    write_key_string("name", status_name(last_error.status));
    write_key_string("message", status_message(last_error.status));
    if (config->field != NULL) {
        write_key_string("field", config->field->name);
        if (config->rule != NULL) {
            write_key_string("rule", config->rule);
        } else if (config->field->type != CONFIG_ENUM) {
            write_key_raw("min", config->field->min_text);
            write_key_raw("max", config->field->max_text);
        }
    }
    if (last_error.session.n_bytes > 0) {
        write_key_int("bytes", (long long)last_error.session.n_bytes);
        write_key_int("limit", (long long)SESSION_MAX_BYTES);
    }
    json_close(&json, '}');
    return json_end(&json);
}

const char *EXPORT(attn_usage_json)(void) {
    json_begin(&json);
    json_open(&json, '{');
    write_key_int("sessions", handles_count(&handles, HANDLE_SESSION));
    write_key_int("jobs",
                  handles_count(&handles, HANDLE_JOB) + handles_count(&handles, HANDLE_COST));
    json_close(&json, '}');
    return json_end(&json);
}

/* ---- sessions ---------------------------------------------------------------------------- */

static Session *session_of(int handle) { return handles_get(&handles, HANDLE_SESSION, handle); }

int EXPORT(attn_session_create)(const Config *config) {
    if (config == NULL)
        return fail(STATUS_BAD_ARGUMENT);
    Session *session;
    SessionError error;
    Status status = session_create(&session, config, &error);
    if (status != STATUS_OK)
        return fail_session(status, &error);
    int handle = handles_add(&handles, HANDLE_SESSION, session);
    if (handle > 0)
        return handle;
    session_destroy(session);
    return fail(STATUS_TOO_MANY);
}

int EXPORT(attn_session_destroy)(int handle) {
    Session *session = handles_remove(&handles, HANDLE_SESSION, handle);
    if (session == NULL)
        return fail(STATUS_BAD_HANDLE);
    session_destroy(session);
    return STATUS_OK;
}

int EXPORT(attn_session_step)(int handle, int n_steps, SessionMetrics *metrics) {
    Session *session = session_of(handle);
    if (session == NULL)
        return fail(STATUS_BAD_HANDLE);
    if (n_steps < 1 || metrics == NULL)
        return fail(STATUS_BAD_ARGUMENT);
    for (int i = 0; i < n_steps; i++)
        session_step(session, &metrics[i]);
    return STATUS_OK;
}

int EXPORT(attn_session_step_advance)(int handle, int n_sequences, SessionMetrics *metrics) {
    Session *session = session_of(handle);
    if (session == NULL)
        return fail(STATUS_BAD_HANDLE);
    if (n_sequences < 1 || metrics == NULL)
        return fail(STATUS_BAD_ARGUMENT);
    return session_step_advance(session, n_sequences, metrics);
}

int EXPORT(attn_session_evaluate_begin)(int handle, uint32_t seed, int n_sequences) {
    Session *session = session_of(handle);
    if (session == NULL)
        return fail(STATUS_BAD_HANDLE);
    if (n_sequences < 1 || n_sequences > INT_MAX / session->config.seq_len)
        return fail(STATUS_BAD_ARGUMENT);
    session_evaluate_begin(session, seed, n_sequences);
    return STATUS_OK;
}

int EXPORT(attn_session_evaluate_advance)(int handle, int n_sequences, SessionMetrics *metrics) {
    Session *session = session_of(handle);
    if (session == NULL)
        return fail(STATUS_BAD_HANDLE);
    if (n_sequences < 1 || metrics == NULL)
        return fail(STATUS_BAD_ARGUMENT);
    if (session->test_left == 0)
        return fail(STATUS_BAD_ARGUMENT);
    return session_evaluate_advance(session, n_sequences, metrics);
}

int EXPORT(attn_session_evaluate)(int handle, uint32_t seed, int n_sequences,
                                  SessionMetrics *metrics) {
    int status = attn_session_evaluate_begin(handle, seed, n_sequences);
    return status < 0 ? status : attn_session_evaluate_advance(handle, n_sequences, metrics);
}

int EXPORT(attn_session_batch)(int handle, uint32_t seed, int n_sequences, int32_t *tokens,
                               int32_t *targets) {
    Session *session = session_of(handle);
    if (session == NULL)
        return fail(STATUS_BAD_HANDLE);
    if (n_sequences < 1 || tokens == NULL || targets == NULL)
        return fail(STATUS_BAD_ARGUMENT);
    Rng rng;
    rng_seed(&rng, seed);
    session_draw(session, &rng, tokens, targets, n_sequences);
    return STATUS_OK;
}

/* STATUS_OK where tokens (n) is a sequence the session can read. */
static Status check_tokens(const Session *session, const int32_t *tokens, int n) {
    if (tokens == NULL)
        return STATUS_BAD_ARGUMENT;
    if (n != session->config.seq_len)
        return STATUS_BAD_LENGTH;
    for (int i = 0; i < n; i++) {
        if (tokens[i] < 0 || tokens[i] >= session->config.vocab_size)
            return STATUS_BAD_TOKEN;
    }
    return STATUS_OK;
}

int EXPORT(attn_session_targets)(int handle, const int32_t *tokens, int n, int32_t *targets) {
    Session *session = session_of(handle);
    if (session == NULL)
        return fail(STATUS_BAD_HANDLE);
    Status status = targets == NULL ? STATUS_BAD_ARGUMENT : check_tokens(session, tokens, n);
    if (status != STATUS_OK)
        return fail(status);
    task_targets(targets, tokens, (Task)session->config.task, 1, n);
    return STATUS_OK;
}

int EXPORT(attn_session_predict)(int handle, const int32_t *tokens, int n, float *logits) {
    Session *session = session_of(handle);
    if (session == NULL)
        return fail(STATUS_BAD_HANDLE);
    Status status = logits == NULL ? STATUS_BAD_ARGUMENT : check_tokens(session, tokens, n);
    if (status != STATUS_OK)
        return fail(status);
    session_predict(session, tokens, logits);
    return STATUS_OK;
}

int EXPORT(attn_session_sensitivity_row)(int handle, int i, float *norms) {
    Session *session = session_of(handle);
    if (session == NULL)
        return fail(STATUS_BAD_HANDLE);
    if (norms == NULL || i < 0 || i >= session->config.seq_len)
        return fail(STATUS_BAD_ARGUMENT);
    if (session->batch_left > 0)
        return fail(STATUS_BUSY);
    session_sensitivity_row(session, i, norms);
    return STATUS_OK;
}

int EXPORT(attn_session_sensitivity)(int handle, float *norms) {
    const Session *session = session_of(handle);
    int status = attn_session_sensitivity_row(handle, 0, norms);
    for (int i = 1; status == STATUS_OK && i < session->config.seq_len; i++)
        status = attn_session_sensitivity_row(handle, i, norms + i * session->config.seq_len);
    return status;
}

int EXPORT(attn_session_mute_head)(int handle, int layer, int head, int muted) {
    Session *session = session_of(handle);
    if (session == NULL)
        return fail(STATUS_BAD_HANDLE);
    const Config *config = &session->config;
    if (config->model != MODEL_TRANSFORMER || layer < 0 || layer >= config->n_layers || head < 0 ||
        head >= config->n_heads) {
        return fail(STATUS_BAD_ARGUMENT);
    }
    session_mute_head(session, layer, head, muted != 0);
    return STATUS_OK;
}

static void write_tensor(const char *name, const char *suffix, const char *kind, int n_dims,
                         const int *shape, const float *data) {
    char full_name[TENSOR_NAME_SIZE + 8];
    strcpy(full_name, name);
    strcat(full_name, suffix);
    json_open(&json, '{');
    write_key_string("name", full_name);
    write_key_string("kind", kind);
    json_key(&json, "shape");
    json_open(&json, '[');
    for (int i = 0; i < n_dims; i++)
        json_int(&json, shape[i]);
    json_close(&json, ']');
    write_key_int("offset", (long long)(uintptr_t)data);
    json_close(&json, '}');
}

static void receive_tensor(void *context, const Tensor *tensor) {
    (void)context;
    const char *kind = strcmp(tensor->name, "pe") == 0 ? "buffer" : "activation";
    write_tensor(tensor->name, "", kind, tensor->n_dims, tensor->shape, tensor->data);
}

const char *EXPORT(attn_session_tensors_json)(int handle) {
    const Session *session = session_of(handle);
    if (session == NULL) {
        fail(STATUS_BAD_HANDLE);
        return NULL;
    }
    const ParameterTable *params = &session->params;
    json_begin(&json);
    json_open(&json, '{');
    write_key_int("n_parameters", (long long)params->n_values);
    write_key_int("bytes", (long long)session->n_bytes);
    json_key(&json, "tensors");
    json_open(&json, '[');
    for (int i = 0; i < params->n; i++) {
        const Parameter *p = &params->items[i];
        write_tensor(p->name, "", "parameter", p->n_dims, p->shape, p->value);
    }
    for (int i = 0; i < params->n; i++) {
        const Parameter *p = &params->items[i];
        write_tensor(p->name, ".grad", "gradient", p->n_dims, p->shape, p->grad);
    }
    const TensorSink sink = {receive_tensor, NULL};
    session_show(session, &sink);
    json_close(&json, ']');
    json_close(&json, '}');
    const char *text = json_end(&json);
    if (text == NULL)
        fail(STATUS_OUT_OF_MEMORY);
    return text;
}

/* ---- the lesson's own computations ------------------------------------------------------- */

static int is_between(int value, int low, int high) { return value >= low && value <= high; }

int EXPORT(attn_attention_check_floats)(int n, int d) {
    if (!is_between(n, 1, ATTENTION_CHECK_MAX_N) || !is_between(d, 1, ATTENTION_CHECK_MAX_D)) {
        return fail(STATUS_BAD_ARGUMENT);
    }
    return (int)attention_check_size(n, d);
}

int EXPORT(attn_attention_check)(uint32_t seed, int n, int d, float *floats) {
    int size = attn_attention_check_floats(n, d);
    if (size < 0)
        return size;
    if (floats == NULL)
        return fail(STATUS_BAD_ARGUMENT);
    float *scratch = malloc(attention_check_scratch_size(n, d) * sizeof *scratch);
    if (scratch == NULL)
        return fail(STATUS_OUT_OF_MEMORY);
    attention_check(seed, n, d, floats, scratch);
    free(scratch);
    return STATUS_OK;
}

int EXPORT(attn_attention)(float *output, float *weights, float *scores, const float *query,
                           const float *key, const float *value, int n_query, int n_key, int d,
                           int d_value, float scale, int causal) {
    const int longest = ATTENTION_CHECK_MAX_N, widest = ATTENTION_CHECK_MAX_D;
    if (output == NULL || weights == NULL || query == NULL || key == NULL || value == NULL ||
        !is_between(n_query, 1, longest) || !is_between(n_key, 1, longest) ||
        !is_between(d, 1, widest) || !is_between(d_value, 1, widest) || !isfinite(scale)) {
        return fail(STATUS_BAD_ARGUMENT);
    }
    const AttentionCase sizes = {.n_query = n_query,
                                 .n_key = n_key,
                                 .d = d,
                                 .d_value = d_value,
                                 .scale = scale,
                                 .causal = causal != 0};
    float *scratch = malloc(attention_once_scratch_size(&sizes) * sizeof *scratch);
    if (scratch == NULL)
        return fail(STATUS_OUT_OF_MEMORY);
    attention_once(output, weights, scores, scratch, query, key, value, &sizes);
    free(scratch);
    return STATUS_OK;
}

int EXPORT(attn_attention_plain)(float *output, const float *query, const float *key,
                                 const float *value, int n, int d, float scale, int causal) {
    if (output == NULL || query == NULL || key == NULL || value == NULL ||
        !is_between(n, 1, ATTENTION_CHECK_MAX_N) || !is_between(d, 1, ATTENTION_CHECK_MAX_D) ||
        !isfinite(scale)) {
        return fail(STATUS_BAD_ARGUMENT);
    }
    attention_check_plain(output, query, key, value, n, d, scale, causal != 0);
    return STATUS_OK;
}

/* Written so that NaN is refused. */
static int is_base(double base) { return base >= 1.0 && base <= 1e6; }

int EXPORT(attn_positional)(float *positions, int seq_len, int d_model, double base) {
    if (positions == NULL || !is_between(seq_len, 1, POSITIONAL_MAX_LEN) ||
        !is_between(d_model, 2, POSITIONAL_MAX_LEN) || d_model % 2 != 0 || !is_base(base)) {
        return fail(STATUS_BAD_ARGUMENT);
    }
    positional_encoding(positions, seq_len, d_model, base);
    return STATUS_OK;
}

static SharpnessJob *job_of(int handle) { return handles_get(&handles, HANDLE_JOB, handle); }

int EXPORT(attn_sharpness_begin)(uint32_t seed, int n_skip, const int32_t *dims, int n_dims) {
    if (dims == NULL || !is_between(n_dims, 1, SHARPNESS_MAX_DIMS) || n_skip < 0 ||
        n_skip % 16 != 0) {
        return fail(STATUS_BAD_ARGUMENT);
    }
    for (int i = 0; i < n_dims; i++) {
        if (!is_between(dims[i], 1, SHARPNESS_MAX_D))
            return fail(STATUS_BAD_ARGUMENT);
    }
    SharpnessJob *job = sharpness_create(seed, n_skip, dims, n_dims);
    if (job == NULL)
        return fail(STATUS_OUT_OF_MEMORY);
    int handle = handles_add(&handles, HANDLE_JOB, job);
    if (handle > 0)
        return handle;
    sharpness_destroy(job);
    return fail(STATUS_TOO_MANY);
}

int EXPORT(attn_job_units)(int handle) {
    const SharpnessJob *job = job_of(handle);
    return job == NULL ? fail(STATUS_BAD_HANDLE) : sharpness_units_left(job);
}

int EXPORT(attn_job_advance)(int handle, int n_units) {
    SharpnessJob *job = job_of(handle);
    if (job == NULL)
        return fail(STATUS_BAD_HANDLE);
    if (n_units < 1)
        return fail(STATUS_BAD_ARGUMENT);
    sharpness_advance(job, n_units);
    return sharpness_units_left(job);
}

int EXPORT(attn_sharpness_result)(int handle, int index, SharpnessResult *result) {
    const SharpnessJob *job = job_of(handle);
    if (job == NULL)
        return fail(STATUS_BAD_HANDLE);
    if (result == NULL || index < 0 || !sharpness_ready(job, index)) {
        return fail(STATUS_BAD_ARGUMENT);
    }
    *result = job->results[index];
    return STATUS_OK;
}

int EXPORT(attn_job_free)(int handle) {
    SharpnessJob *job = handles_remove(&handles, HANDLE_JOB, handle);
    if (job == NULL)
        return fail(STATUS_BAD_HANDLE);
    sharpness_destroy(job);
    return STATUS_OK;
}

int EXPORT(attn_cost_create)(int kind, int n, int d) {
    if (!is_between(kind, 0, COST_KINDS - 1) || !is_between(n, 1, COST_MAX_N) ||
        !is_between(d, 1, COST_MAX_D)) {
        return fail(STATUS_BAD_ARGUMENT);
    }
    CostJob *job = cost_create((CostKind)kind, n, d);
    if (job == NULL)
        return fail(STATUS_OUT_OF_MEMORY);
    int handle = handles_add(&handles, HANDLE_COST, job);
    if (handle > 0)
        return handle;
    cost_destroy(job);
    return fail(STATUS_TOO_MANY);
}

double EXPORT(attn_cost_multiply_adds)(int kind, int n, int d) {
    if (!is_between(kind, 0, COST_KINDS - 1) || n < 1 || d < 1)
        return fail(STATUS_BAD_ARGUMENT);
    return cost_multiply_adds((CostKind)kind, n, d);
}

int EXPORT(attn_cost_run)(int handle, int n_runs) {
    CostJob *job = handles_get(&handles, HANDLE_COST, handle);
    if (job == NULL)
        return fail(STATUS_BAD_HANDLE);
    if (n_runs < 1)
        return fail(STATUS_BAD_ARGUMENT);
    cost_run(job, n_runs);
    return STATUS_OK;
}

int EXPORT(attn_cost_destroy)(int handle) {
    CostJob *job = handles_remove(&handles, HANDLE_COST, handle);
    if (job == NULL)
        return fail(STATUS_BAD_HANDLE);
    cost_destroy(job);
    return STATUS_OK;
}

int EXPORT(attn_rotation_matrix)(float *matrix, int d_model, int k, double base) {
    if (matrix == NULL || !is_between(d_model, 2, ROTATION_MAX_D) || d_model % 2 != 0 ||
        !is_between(k, -POSITIONAL_MAX_LEN, POSITIONAL_MAX_LEN) || !is_base(base)) {
        return fail(STATUS_BAD_ARGUMENT);
    }
    rotation_matrix(matrix, d_model, k, base);
    return STATUS_OK;
}

int EXPORT(attn_rotation_map)(float *weights, int seq_len, int d_model, int first_pair, int n_pairs,
                              int k, float sharpness, double base) {
    if (weights == NULL || !is_between(seq_len, 1, ROTATION_MAX_T) ||
        !is_between(d_model, 2, ROTATION_MAX_D) || d_model % 2 != 0 ||
        !is_between(n_pairs, 1, d_model / 2) || !is_between(first_pair, 0, d_model / 2 - n_pairs) ||
        !is_between(k, -POSITIONAL_MAX_LEN, POSITIONAL_MAX_LEN) || !is_base(base) ||
        !isfinite(sharpness)) {
        return fail(STATUS_BAD_ARGUMENT);
    }
    float *scratch = malloc(rotation_map_scratch_size(seq_len, d_model) * sizeof *scratch);
    if (scratch == NULL)
        return fail(STATUS_OUT_OF_MEMORY);
    rotation_map(weights, scratch, seq_len, d_model, first_pair, n_pairs, k, sharpness, base);
    free(scratch);
    return STATUS_OK;
}

/* ---- the generator, for tests ------------------------------------------------------------ */

int EXPORT(attn_rng_u32)(uint32_t seed, uint32_t *values, int n) {
    if (values == NULL || n < 0)
        return fail(STATUS_BAD_ARGUMENT);
    Rng rng;
    rng_seed(&rng, seed);
    for (int i = 0; i < n; i++)
        values[i] = rng_u32(&rng);
    return STATUS_OK;
}

int EXPORT(attn_rng_rand)(uint32_t seed, float *values, int n) {
    if (values == NULL || n < 0)
        return fail(STATUS_BAD_ARGUMENT);
    Rng rng;
    rng_seed(&rng, seed);
    rng_rand(&rng, values, (size_t)n);
    return STATUS_OK;
}

int EXPORT(attn_rng_uniform)(uint32_t seed, double low, double high, float *values, int n) {
    if (values == NULL || n < 0)
        return fail(STATUS_BAD_ARGUMENT);
    Rng rng;
    rng_seed(&rng, seed);
    rng_uniform(&rng, low, high, values, (size_t)n);
    return STATUS_OK;
}

int EXPORT(attn_rng_randn)(uint32_t seed, float *values, int n) {
    if (values == NULL || n < 0)
        return fail(STATUS_BAD_ARGUMENT);
    Rng rng;
    rng_seed(&rng, seed);
    rng_randn(&rng, values, (size_t)n);
    return STATUS_OK;
}

int EXPORT(attn_rng_randint)(uint32_t seed, int low, int high, int32_t *values, int n) {
    if (values == NULL || n < 0 || low >= high)
        return fail(STATUS_BAD_ARGUMENT);
    Rng rng;
    rng_seed(&rng, seed);
    rng_randint(&rng, low, high, values, (size_t)n);
    return STATUS_OK;
}

int EXPORT(attn_rng_sequence)(uint32_t seed, float *values) {
    if (values == NULL)
        return fail(STATUS_BAD_ARGUMENT);
    Rng rng;
    rng_seed(&rng, seed);
    rng_randn(&rng, values, 3);
    rng_rand(&rng, values + 3, 2);
    rng_randn(&rng, values + 5, 20);
    rng_randn(&rng, values + 25, 2);
    rng_randn(&rng, values + 27, 1);
    return STATUS_OK;
}
