/*
 * One network in training: configuration, parameters, optimiser, data stream, test and inspection.
 *
 * A session is one arena, laid out by the function that measures it; nothing is allocated after
 * session_create. A batch is worked off in chunks of a few sequences, so that a step can pause
 * between them; the sums run in the same order either way, and the result is the same bits.
 */
#ifndef ATTN_TRAIN_SESSION_H
#define ATTN_TRAIN_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/rng.h"
#include "core/status.h"
#include "nn/model.h"
#include "nn/params.h"
#include "nn/tensor.h"
#include "train/adam.h"
#include "train/config.h"

/* What one session may take, so that a page with several figures stays below its 256 MB. */
#define SESSION_MAX_BYTES ((size_t)64 << 20)

#define SESSION_MAX_SEQ_LEN 64

/*
 * The measurements of a training step (on its batch, before the update) or of an evaluation. Every
 * member is 4 bytes wide: JavaScript reads the struct by METRICS_FIELDS.
 */
#define METRICS_FIELDS(INT, FLOAT, INTS, FLOATS)                                                   \
    INT(step)        /* updates made so far, this one included */                                  \
    INT(n_sequences) /* sequences measured */                                                      \
    INT(n_digits)    /* tokens measured */                                                         \
    INT(digits)      /* tokens predicted right */                                                  \
    INT(sequences)   /* sequences predicted right from end to end */                               \
    FLOAT(loss)      /* mean cross entropy, nats */                                                \
    FLOAT(grad_norm) /* Euclidean norm of all gradients; 0 in an evaluation */                     \
    INTS(position_digits, SESSION_MAX_SEQ_LEN) /* right tokens at each position */                 \
    FLOATS(position_loss, SESSION_MAX_SEQ_LEN) /* mean cross entropy at each position */

#define METRICS_INT_MEMBER(name) int32_t name;
#define METRICS_FLOAT_MEMBER(name) float name;
#define METRICS_INTS_MEMBER(name, count) int32_t name[count];
#define METRICS_FLOATS_MEMBER(name, count) float name[count];

typedef struct {
    METRICS_FIELDS(METRICS_INT_MEMBER, METRICS_FLOAT_MEMBER, METRICS_INTS_MEMBER,
                   METRICS_FLOATS_MEMBER)
} SessionMetrics;

/* Sums over the sequences measured so far. */
typedef struct {
    double loss;
    int n_sequences, digits, sequences;
    int position_digits[SESSION_MAX_SEQ_LEN];
    double position_loss[SESSION_MAX_SEQ_LEN];
} Tally;

typedef struct {
    Config config;
    Arena arena;
    size_t n_bytes;
    ParameterTable params;
    Model model;
    Adam adam;
    int step;           /* updates made */
    Rng data_rng;       /* the training batches, one stream */
    uint64_t skip_left; /* draws of it to be thrown away before the first batch */

    /* Buffers of one chunk, shared by training and evaluation. */
    int chunk; /* sequences */
    int32_t *tokens, *targets;
    ModelActivations acts;
    ModelWorkspace work;
    float *probs; /* (chunk, T, V); becomes their gradient in training */
    float *scratch;

    int batch_left; /* sequences of the running step still to train; 0 between steps */
    Tally batch_tally;

    Rng test_rng;
    int test_left; /* sequences of the running evaluation still to measure */
    Tally test_tally;

    /* The last sequence read by session_predict. */
    int32_t *seen_tokens;
    ModelActivations seen;
    float *seen_probs; /* (T, V) */
} Session;

/* Why session_create refused. */
typedef struct {
    ConfigError config;
    size_t n_bytes; /* what the session would take; 0 when the configuration is at fault */
} SessionError;

/*
 * Parameters drawn from init_seed, the data stream at data_seed; the first steps skip skip_batches
 * batches of it.
 * Errors: CONFIG_RANGE, CONFIG_UNSUPPORTED, MEMORY_LIMIT, OUT_OF_MEMORY; *session is then NULL
 * and *error says more.
 */
Status session_create(Session **session, const Config *config, SessionError *error);

/* NULL is accepted. */
void session_destroy(Session *session);

/*
 * Trains at least n_sequences (>= 1) of the running step's batch, or all that is left; begins a
 * step when none is running. Returns how many are left: at 0 the update is made and *metrics
 * written. The batches that are skipped are drawn first, a part in each call, and none is trained
 * until that is done.
 */
int session_step_advance(Session *session, int n_sequences, SessionMetrics *metrics);

/* Finishes one step. */
void session_step(Session *session, SessionMetrics *metrics);

/* Measures n_sequences (>= 1) from a fresh generator; drops an evaluation that is running. */
void session_evaluate_begin(Session *session, uint32_t seed, int n_sequences);

/* As session_step_advance; needs an evaluation that is running. */
int session_evaluate_advance(Session *session, int n_sequences, SessionMetrics *metrics);

/* Draws B sequences of the session's task from rng: tokens and targets (B, T). */
void session_draw(const Session *session, Rng *rng, int32_t *tokens, int32_t *targets, int B);

/* Reads one sequence (T); logits (T, V) is overwritten, the activations are kept. */
void session_predict(Session *session, const int32_t *tokens, float *logits);

/*
 * How strongly output i hangs on each input of the last session_predict: norms (T), entry j the
 * Frobenius norm of the Jacobian of logits i with respect to the network's input vector at position
 * j (embedding plus position). Uses the gradients of the parameters as workspace, so no step may be
 * running.
 */
void session_sensitivity_row(Session *session, int i, float *norms);

/* Silences a head of a Transformer's layer, or lets it speak again; layer and head must exist. */
void session_mute_head(Session *session, int layer, int head, bool muted);

/* Shows buffers and activations of the last session_predict. */
void session_show(const Session *session, const TensorSink *sink);

#endif
