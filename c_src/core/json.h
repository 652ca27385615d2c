/*
 * Writes JSON text into a buffer that grows. Commas are put where they belong; the caller keeps
 * brackets balanced. When memory runs out the writer goes on without effect and json_end says so.
 */
#ifndef ATTN_CORE_JSON_H
#define ATTN_CORE_JSON_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    char *text; /* zero-terminated; freed by json_free */
    size_t length, capacity;
    bool failed;
    bool needs_comma;
} JsonWriter;

/* Starts over; the buffer of an earlier text is kept and reused. */
void json_begin(JsonWriter *json);

/* The text, valid until the next json_begin; NULL when memory ran out. */
const char *json_end(JsonWriter *json);

void json_free(JsonWriter *json);

/* '{', '[' as next value; '}', ']' close it. */
void json_open(JsonWriter *json, char bracket);
void json_close(JsonWriter *json, char bracket);

/* The key of the next value. Keys and strings are plain ASCII without quotes or backslashes. */
void json_key(JsonWriter *json, const char *key);

void json_string(JsonWriter *json, const char *value);
void json_int(JsonWriter *json, long long value);

/* Text that is JSON already, such as a number written in the source. */
void json_raw(JsonWriter *json, const char *text);

#endif
