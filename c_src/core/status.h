/*
 * Status codes: what the world may do wrong (values, handles, memory). Made in exports.c and
 * train/ only; everything below works on arguments its caller has promised to be right.
 */
#ifndef ATTN_CORE_STATUS_H
#define ATTN_CORE_STATUS_H

typedef enum {
    STATUS_OK = 0,
    STATUS_BAD_HANDLE = -1,         /* destroyed, invented or of another kind */
    STATUS_BAD_ARGUMENT = -2,       /* a null pointer, a count below its least */
    STATUS_BAD_LENGTH = -3,         /* not as many tokens as seq_len */
    STATUS_BAD_TOKEN = -4,          /* a token outside 0 .. vocab_size - 1 */
    STATUS_CONFIG_RANGE = -5,       /* a configuration value outside its range */
    STATUS_CONFIG_UNSUPPORTED = -6, /* a value of the table that this build does not compute */
    STATUS_MEMORY_LIMIT = -7,       /* a session larger than SESSION_MAX_BYTES */
    STATUS_OUT_OF_MEMORY = -8,      /* the heap gave nothing */
    STATUS_TOO_MANY = -9,           /* no free handle */
    STATUS_BUSY = -10               /* a step is half done */
} Status;

#define STATUS_COUNT 11

/* "BAD_HANDLE", …; NULL for a number that is no status. */
const char *status_name(int status);

/* One English sentence saying what went wrong. */
const char *status_message(int status);

#endif
