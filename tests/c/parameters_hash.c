/*
 * Trains a session and prints one number for the bits of all its parameters:
 *
 *     parameters_hash [n_steps=200] [field=value ...]
 *
 * Fields are those of train/config.h; what is not given stays the lesson's. tests/wasm and
 * tests/browser compare the number with that of the WebAssembly builds.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "train/config.h"
#include "train/session.h"

#define FNV_OFFSET UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

/* FNV-1a over the bytes of n floats, least significant byte first whatever the machine's order. */
static uint64_t hash_floats(uint64_t hash, const float *values, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        for (int shift = 0; shift < 32; shift += 8) {
            hash = (hash ^ (bits >> shift & 0xff)) * FNV_PRIME;
        }
    }
    return hash;
}

static int enum_number(const ConfigField *field, const char *value) {
    int number = 0;
    for (const char *name = field->values; *name != '\0'; name += strlen(name) + 1, number++) {
        if (strcmp(name, value) == 0) {
            return number;
        }
    }
    return -1;
}

/* 0 where no field bears the name. Values are checked by session_create. */
static int set_field(Config *config, const char *name, size_t name_length, const char *value) {
    for (int i = 0; i < CONFIG_FIELD_COUNT; i++) {
        const ConfigField *field = &CONFIG_TABLE[i];
        if (strlen(field->name) != name_length || memcmp(field->name, name, name_length) != 0) {
            continue;
        }
        char *place = (char *)config + field->offset;
        if (field->type == CONFIG_FLOAT) {
            float number = strtof(value, NULL);
            memcpy(place, &number, sizeof number);
        } else if (field->type == CONFIG_UINT) {
            uint32_t number = (uint32_t)strtoul(value, NULL, 10);
            memcpy(place, &number, sizeof number);
        } else {
            int32_t number = field->type == CONFIG_ENUM ? enum_number(field, value)
                                                        : (int32_t)strtol(value, NULL, 10);
            memcpy(place, &number, sizeof number);
        }
        return 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    Config config = config_default();
    long n_steps = 200;
    for (int i = 1; i < argc; i++) {
        const char *equals = strchr(argv[i], '=');
        size_t name_length = equals == NULL ? strlen(argv[i]) : (size_t)(equals - argv[i]);
        if (equals != NULL && strncmp(argv[i], "n_steps=", name_length + 1) == 0) {
            n_steps = strtol(equals + 1, NULL, 10);
        } else if (equals == NULL || !set_field(&config, argv[i], name_length, equals + 1)) {
            fprintf(stderr, "parameters_hash: %s is no field=value\n", argv[i]);
            return 2;
        }
    }

    Session *session;
    SessionError error;
    Status status = session_create(&session, &config, &error);
    if (status != STATUS_OK) {
        const ConfigField *field = error.config.field;
        fprintf(stderr, "parameters_hash: %s (%s)\n", status_message(status),
                field == NULL ? "no single field" : field->name);
        return 1;
    }
    SessionMetrics metrics;
    for (long step = 0; step < n_steps; step++) {
        session_step(session, &metrics);
    }
    uint64_t hash = FNV_OFFSET;
    for (int i = 0; i < session->params.n; i++) {
        const Parameter *parameter = &session->params.items[i];
        hash = hash_floats(hash, parameter->value, parameter->size);
    }
    session_destroy(session);
    printf("%016" PRIx64 "\n", hash);
    return 0;
}
