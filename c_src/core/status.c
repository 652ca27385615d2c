#include "core/status.h"

#include <stddef.h>

static const struct {
    const char *name;
    const char *message;
} STATUSES[STATUS_COUNT] = {
    {"OK", "no error"},
    {"BAD_HANDLE", "the handle names no live object of this kind"},
    {"BAD_ARGUMENT", "an argument is missing or out of range"},
    {"BAD_LENGTH", "the number of tokens is not seq_len"},
    {"BAD_TOKEN", "a token is not between 0 and vocab_size - 1"},
    {"CONFIG_RANGE", "a configuration value is out of range"},
    {"CONFIG_UNSUPPORTED", "this build does not compute the configuration value"},
    {"MEMORY_LIMIT", "the session needs more memory than one session may take"},
    {"OUT_OF_MEMORY", "there is no memory left"},
    {"TOO_MANY", "too many sessions and jobs are alive"},
    {"BUSY", "the session is in the middle of a training step"},
};

const char *status_name(int status) {
    return status <= 0 && status > -STATUS_COUNT ? STATUSES[-status].name : NULL;
}

const char *status_message(int status) {
    return status <= 0 && status > -STATUS_COUNT ? STATUSES[-status].message : "unknown status";
}
