#include "core/json.h"

#include <stdlib.h>
#include <string.h>

void json_begin(JsonWriter *json) {
    json->length = 0;
    json->failed = false;
    json->needs_comma = false;
}

const char *json_end(JsonWriter *json) { return json->failed ? NULL : json->text; }

void json_free(JsonWriter *json) {
    free(json->text);
    *json = (JsonWriter){0};
}

static void append(JsonWriter *json, const char *text, size_t n) {
    if (json->failed)
        return;
    if (json->length + n + 1 > json->capacity) {
        size_t capacity = 2 * (json->length + n + 1);
        char *grown = realloc(json->text, capacity);
        if (grown == NULL) {
            json->failed = true;
            return;
        }
        json->text = grown;
        json->capacity = capacity;
    }
    memcpy(json->text + json->length, text, n);
    json->length += n;
    json->text[json->length] = '\0';
}

static void append_value(JsonWriter *json, const char *text, size_t n) {
    if (json->needs_comma)
        append(json, ",", 1);
    append(json, text, n);
    json->needs_comma = true;
}

void json_open(JsonWriter *json, char bracket) {
    append_value(json, &bracket, 1);
    json->needs_comma = false;
}

void json_close(JsonWriter *json, char bracket) {
    append(json, &bracket, 1);
    json->needs_comma = true;
}

void json_key(JsonWriter *json, const char *key) {
    json_string(json, key);
    append(json, ":", 1);
    json->needs_comma = false;
}

void json_string(JsonWriter *json, const char *value) {
    append_value(json, "\"", 1);
    append(json, value, strlen(value));
    append(json, "\"", 1);
}

void json_int(JsonWriter *json, long long value) {
    char digits[24];
    size_t n = sizeof digits;
    unsigned long long rest =
        value < 0 ? 0ull - (unsigned long long)value : (unsigned long long)value;
    do {
        digits[--n] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0)
        digits[--n] = '-';
    append_value(json, digits + n, sizeof digits - n);
}

void json_raw(JsonWriter *json, const char *text) { append_value(json, text, strlen(text)); }
