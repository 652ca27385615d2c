#include "train/config.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define ENUM_ROW(name, initial, values, available)                                                 \
    {#name,  CONFIG_ENUM, offsetof(Config, name), initial, 0, 0, #initial, "0", "0",               \
     values, available},
#define INT_ROW(name, initial, min, max)                                                           \
    {#name, CONFIG_INT, offsetof(Config, name), initial, min, max, #initial, #min, #max, NULL, 0},
#define UINT_ROW(name, initial)                                                                    \
    {#name,    CONFIG_UINT, offsetof(Config, name), initial, 0, 4294967295.0,                      \
     #initial, "0",         "4294967295",           NULL,    0},
#define FLOAT_ROW(name, initial, min, max)                                                         \
    {#name, CONFIG_FLOAT, offsetof(Config, name), initial, min, max, #initial, #min, #max, NULL, 0},
#define BOOL_ROW(name, initial)                                                                    \
    {#name, CONFIG_BOOL, offsetof(Config, name), initial, 0, 1, #initial, "0", "1", NULL, 0},

const ConfigField CONFIG_TABLE[] = {
    CONFIG_FIELDS(ENUM_ROW, INT_ROW, UINT_ROW, FLOAT_ROW, BOOL_ROW)};

const int CONFIG_FIELD_COUNT = sizeof CONFIG_TABLE / sizeof *CONFIG_TABLE;

static int count_values(const ConfigField *field) {
    int n = 0;
    for (const char *value = field->values; *value != '\0'; value += strlen(value) + 1)
        n++;
    return n;
}

static int32_t int_at(const Config *config, const ConfigField *field) {
    int32_t value;
    memcpy(&value, (const char *)config + field->offset, sizeof value);
    return value;
}

static float float_at(const Config *config, const ConfigField *field) {
    float value;
    memcpy(&value, (const char *)config + field->offset, sizeof value);
    return value;
}

Config config_default(void) {
    Config config;
    for (int i = 0; i < CONFIG_FIELD_COUNT; i++) {
        const ConfigField *field = &CONFIG_TABLE[i];
        char *member = (char *)&config + field->offset;
        float as_float = (float)field->initial;
        uint32_t as_int = (uint32_t)field->initial;
        if (field->type == CONFIG_FLOAT)
            memcpy(member, &as_float, sizeof as_float);
        if (field->type != CONFIG_FLOAT)
            memcpy(member, &as_int, sizeof as_int);
    }
    return config;
}

static Status check_field(const Config *config, const ConfigField *field) {
    if (field->type == CONFIG_UINT)
        return STATUS_OK;
    if (field->type == CONFIG_FLOAT) {
        float value = float_at(config, field);
        /* Written so that NaN is refused. */
        bool inside = value >= (float)field->min && value <= (float)field->max;
        return inside ? STATUS_OK : STATUS_CONFIG_RANGE;
    }
    int32_t value = int_at(config, field);
    if (field->type == CONFIG_ENUM) {
        if (value < 0 || value >= count_values(field))
            return STATUS_CONFIG_RANGE;
        return (field->available >> value) & 1u ? STATUS_OK : STATUS_CONFIG_UNSUPPORTED;
    }
    return value >= (int32_t)field->min && value <= (int32_t)field->max ? STATUS_OK
                                                                        : STATUS_CONFIG_RANGE;
}

static const ConfigField *field_at(size_t offset) {
    const ConfigField *field = CONFIG_TABLE;
    while ((size_t)field->offset != offset)
        field++;
    return field;
}

ConfigError config_check(const Config *config) {
    for (int i = 0; i < CONFIG_FIELD_COUNT; i++) {
        Status status = check_field(config, &CONFIG_TABLE[i]);
        if (status != STATUS_OK)
            return (ConfigError){status, &CONFIG_TABLE[i], NULL};
    }
    if (config->d_model % 2 != 0) {
        return (ConfigError){STATUS_CONFIG_RANGE, field_at(offsetof(Config, d_model)), "even"};
    }
    if (config->d_model % config->n_heads != 0) {
        return (ConfigError){STATUS_CONFIG_RANGE, field_at(offsetof(Config, n_heads)),
                             "divides d_model"};
    }
    return (ConfigError){STATUS_OK, NULL, NULL};
}
