/*
 * The configuration of a session: one list from which the struct, its defaults, its validation,
 * and outside C the sliders, attributes and URL parameters all come.
 *
 * ENUM(name, default, names of the values, mask of the values this build computes)
 * INT(name, default, min, max)   UINT(name, default)   FLOAT(name, default, min, max)
 * BOOL(name, default)
 *
 * period belongs to next_token: sequences repeat a random pattern of that length; 0: no repetition.
 *
 * The defaults are the lesson's Transformer. A value that this build does not compute is refused
 * with CONFIG_UNSUPPORTED, one outside its range with CONFIG_RANGE.
 */
#ifndef ATTN_TRAIN_CONFIG_H
#define ATTN_TRAIN_CONFIG_H

#include <stdint.h>

#include "core/status.h"

#define CONFIG_FIELDS(ENUM, INT, UINT, FLOAT, BOOL)                                                \
    ENUM(model, 0, "transformer\0bilstm\0", 0x3)                                                   \
    ENUM(task, 0, "reverse\0copy\0sort\0shift\0next_token\0", 0x1f)                                \
    INT(seq_len, 10, 2, 64)                                                                        \
    INT(vocab_size, 10, 2, 64)                                                                     \
    INT(d_model, 32, 4, 256)                                                                       \
    INT(n_heads, 1, 1, 16)                                                                         \
    INT(d_ff, 64, 4, 1024)                                                                         \
    INT(n_layers, 1, 1, 6)                                                                         \
    INT(d_hidden, 48, 4, 256)                                                                      \
    BOOL(norm_first, 0)                                                                            \
    ENUM(activation, 0, "relu\0gelu\0gelu_tanh\0", 0x7)                                            \
    BOOL(causal, 0)                                                                                \
    BOOL(positions, 1)                                                                             \
    ENUM(scale, 0, "sqrt_d_k\0none\0d_k\0", 0x7)                                                   \
    INT(batch_size, 64, 1, 512)                                                                    \
    FLOAT(learning_rate, 3e-3, 1e-6, 10)                                                           \
    UINT(init_seed, 0)                                                                             \
    UINT(data_seed, 0)                                                                             \
    UINT(test_seed, 99)                                                                            \
    INT(skip_batches, 0, 0, 1000000)                                                               \
    INT(period, 0, 0, 64)

#define CONFIG_INT32_MEMBER(name, ...) int32_t name;
#define CONFIG_UINT32_MEMBER(name, ...) uint32_t name;
#define CONFIG_FLOAT_MEMBER(name, ...) float name;

typedef struct {
    CONFIG_FIELDS(CONFIG_INT32_MEMBER, CONFIG_INT32_MEMBER, CONFIG_UINT32_MEMBER,
                  CONFIG_FLOAT_MEMBER, CONFIG_INT32_MEMBER)
} Config;

/* model is a ModelKind (nn/model.h), task a Task, activation an Activation. */
enum { SCALE_SQRT_D_K, SCALE_NONE, SCALE_D_K };

typedef enum { CONFIG_ENUM, CONFIG_INT, CONFIG_UINT, CONFIG_FLOAT, CONFIG_BOOL } ConfigType;

typedef struct {
    const char *name;
    ConfigType type;
    int offset; /* bytes from the start of Config */
    double initial, min, max;
    /* The same numbers as source text, which is also JSON. */
    const char *initial_text, *min_text, *max_text;
    const char *values; /* names of an enumeration, each ended by a zero, then one more zero */
    uint32_t available; /* bit i: value i is computed */
} ConfigField;

extern const ConfigField CONFIG_TABLE[];
extern const int CONFIG_FIELD_COUNT;

/* Why a configuration was refused. */
typedef struct {
    Status status;
    const ConfigField *field; /* NULL when it is not one field's fault */
    const char *rule;         /* "even", "divides d_model"; NULL when min and max say it */
} ConfigError;

/* The lesson's Transformer. */
Config config_default(void);

/* STATUS_OK, or the first fault in the order of the list. */
ConfigError config_check(const Config *config);

#endif
