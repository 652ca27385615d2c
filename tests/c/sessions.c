#include "sessions.h"

#include <string.h>

Session *make_session(const Config *config) {
    Session *session;
    SessionError error;
    assert_int_equal(session_create(&session, config, &error), STATUS_OK);
    assert_non_null(session);
    return session;
}

const ConfigField *config_field(const char *name) {
    for (int i = 0; i < CONFIG_FIELD_COUNT; i++) {
        if (strcmp(CONFIG_TABLE[i].name, name) == 0)
            return &CONFIG_TABLE[i];
    }
    fail_msg("the configuration has no field %s", name);
    return NULL;
}

void config_set(Config *config, const ConfigField *field, double value) {
    char *place = (char *)config + field->offset;
    const float as_float = (float)value;
    const uint32_t as_uint = field->type == CONFIG_UINT ? (uint32_t)value : 0;
    const int32_t as_int = field->type == CONFIG_UINT ? 0 : (int32_t)value;
    if (field->type == CONFIG_FLOAT)
        memcpy(place, &as_float, sizeof as_float);
    else if (field->type == CONFIG_UINT)
        memcpy(place, &as_uint, sizeof as_uint);
    else
        memcpy(place, &as_int, sizeof as_int);
}

static int number_of_value(const ConfigField *field, const char *name) {
    int number = 0;
    for (const char *value = field->values; *value != '\0'; value += strlen(value) + 1, number++) {
        if (strcmp(value, name) == 0)
            return number;
    }
    fail_msg("%s has no value %s", field->name, name);
    return -1;
}

Config golden_config(const Golden *node) {
    Config config = config_default();
    for (const Golden *child = node->first; child != NULL; child = child->next) {
        const ConfigField *field = config_field(child->key);
        config_set(&config, field,
                   child->text != NULL ? number_of_value(field, child->text) : child->values[0]);
    }
    return config;
}

double evaluate(Session *session, uint32_t seed, int n_sequences, SessionMetrics *metrics) {
    session_evaluate_begin(session, seed, n_sequences);
    assert_int_equal(session_evaluate_advance(session, n_sequences, metrics), 0);
    return session->test_tally.loss / ((double)n_sequences * session->config.seq_len);
}

const float *shown_tensor(const Session *session, const char *name) {
    TensorSearch search = {.name = name};
    const TensorSink sink = search_sink(&search);
    session_show(session, &sink);
    if (search.n_found != 1)
        fail_msg("%d tensors are named %s", search.n_found, name);
    return search.tensor.data;
}
