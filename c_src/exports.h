/*
 * The flat interface that crosses into WebAssembly: integers, floats and pointers only.
 *
 * A return value >= 0 is a result (a handle, a count, 0 for done), a negative one a Status
 * (core/status.h); attn_error_json() then says which field and what is allowed. Handles carry
 * an index and a generation and are checked at every call. The caller owns input and output
 * buffers. Strings returned belong to this module and hold until the next call that returns one.
 */
#ifndef ATTN_EXPORTS_H
#define ATTN_EXPORTS_H

#include <stddef.h>
#include <stdint.h>

#include "lesson/sharpness.h"
#include "train/config.h"
#include "train/session.h"

/* n_bytes of heap, 16-byte aligned; 0 when there is none. Freed with attn_free (0 is accepted). */
void *attn_alloc(size_t n_bytes);
void attn_free(void *bytes);

/* {"version", "status", "config", "metrics", "sharpness", "session_max_bytes"}: see
 * web/engine/protocol.js. */
const char *attn_constants_json(void);

/* The last failed call: {"code", "name", "message"} and, where known, "field", "min",
 * "max", "rule", "bytes", "limit". */
const char *attn_error_json(void);

/* Live objects: {"sessions", "jobs"}; jobs of every kind. */
const char *attn_usage_json(void);

/* A handle (> 0). Errors: CONFIG_RANGE, CONFIG_UNSUPPORTED, MEMORY_LIMIT, OUT_OF_MEMORY, TOO_MANY.
 */
int attn_session_create(const Config *config);
int attn_session_destroy(int handle);

/* Trains n_steps whole steps; metrics has room for n_steps. Finishes a step that advance has begun.
 */
int attn_session_step(int handle, int n_steps, SessionMetrics *metrics);

/*
 * Trains at most n_sequences of the running step's batch, rounded up to the session's chunk;
 * returns how many of the batch are left. At 0 the update is made and *metrics written; until then
 * *metrics is untouched. Batches to be skipped come first, a part of them a call.
 */
int attn_session_step_advance(int handle, int n_sequences, SessionMetrics *metrics);

/* Measures the network on n_sequences drawn from a fresh generator of this seed; all their tokens
 * must be countable in an int. */
int attn_session_evaluate(int handle, uint32_t seed, int n_sequences, SessionMetrics *metrics);

/* The same in pieces: begin, then advance until it returns 0 sequences left and writes *metrics. */
int attn_session_evaluate_begin(int handle, uint32_t seed, int n_sequences);
int attn_session_evaluate_advance(int handle, int n_sequences, SessionMetrics *metrics);

/* The first n_sequences of a fresh generator of this seed: tokens and targets (n_sequences,
 * seq_len). */
int attn_session_batch(int handle, uint32_t seed, int n_sequences, int32_t *tokens,
                       int32_t *targets);

/* The task's targets (n) of the given tokens (n); n must be seq_len. */
int attn_session_targets(int handle, const int32_t *tokens, int n, int32_t *targets);

/*
 * Reads one sequence of n = seq_len tokens: logits (n, vocab_size). The activations are kept for
 * attn_session_tensors_json until the next predict. Errors: BAD_LENGTH, BAD_TOKEN.
 */
int attn_session_predict(int handle, const int32_t *tokens, int n, float *logits);

/*
 * How each output hangs on each input of the last predict: norms (seq_len, seq_len), entry (i, j)
 * the Frobenius norm of d logits_i / d (embedding + position)_j. Clears the gradients. Error: BUSY.
 */
int attn_session_sensitivity(int handle, float *norms);
int attn_session_sensitivity_row(int handle, int i, float *norms);

/* Silences (muted 1) a head of a Transformer's layer, or lets it speak again (0). */
int attn_session_mute_head(int handle, int layer, int head, int muted);

/* {"n_parameters", "bytes", "tensors": [{"name", "kind", "shape", "offset"}]}; offset: address of
 * the first float. NULL, with an error to ask for, where the handle or the memory is at fault. */
const char *attn_session_tensors_json(int handle);

/*
 * The first half of attention_check.py: query, key, value (n, d) drawn from seed; scores, weights
 * (n, n) and output (n, d), without and with the causal mask (masked scores are -infinity). n 1-64,
 * d 1-1024; scratch is attn_attention_check_floats(n, d) floats, cut in the order query, key,
 * value, scores, weights, output, causal_scores, causal_weights, causal_output.
 */
int attn_attention_check_floats(int n, int d);
int attn_attention_check(uint32_t seed, int n, int d, float *floats);

/*
 * softmax(scale query key^T) value, one batch element: query (n_query, d), key (n_key, d), value
 * (n_key, d_value), weights and scores (n_query, n_key), output (n_query, d_value). scores, before
 * softmax and -infinity where masked, may be NULL. causal: query i sees keys 0..i. Lengths 1-64,
 * widths 1-1024, scale finite.
 */
int attn_attention(float *output, float *weights, float *scores, const float *query,
                   const float *key, const float *value, int n_query, int n_key, int d, int d_value,
                   float scale, int causal);

/*
 * The output (n, d) of the same attention by plain loops in double that share no code with
 * attn_attention; scores are multiplied by scale. n 1-64, d 1-1024.
 */
int attn_attention_plain(float *output, const float *query, const float *key, const float *value,
                         int n, int d, float scale, int causal);

/* Sinusoidal positions (seq_len, d_model), d_model even, both at most 4096; base 1-1e6, 10000 in
 * the lesson. */
int attn_positional(float *positions, int seq_len, int d_model, double base);

/*
 * The second half of attention_check.py as a job: for each of n_dims dimensions 10 000 dot products
 * and 1000 maps of 8x8. n_skip normals are drawn first and thrown away (240 for the lesson; a
 * multiple of 16). begin returns a handle; advance works n_units and returns how many units are
 * left (attn_job_units at the start); result i is ready once its dimension is finished.
 */
int attn_sharpness_begin(uint32_t seed, int n_skip, const int32_t *dims, int n_dims);
int attn_job_units(int handle);
int attn_job_advance(int handle, int n_units);
int attn_sharpness_result(int handle, int index, SharpnessResult *result);
int attn_job_free(int handle);

/*
 * One layer as a job to be timed: kind 0 LSTM, 1 attention, 2 self-attention with projections
 * (lesson/cost.h); n 1-1024, d 1-256. create returns a handle; multiply_adds counts one run, run
 * makes n_runs of them.
 */
int attn_cost_create(int kind, int n, int d);
double attn_cost_multiply_adds(int kind, int n, int d);
int attn_cost_run(int handle, int n_runs);
int attn_cost_destroy(int handle);

/* R_k (d_model, d_model), which turns PE(p) into PE(p + k); d_model even, |k| <= 4096, base 1-1e6.
 */
int attn_rotation_matrix(float *matrix, int d_model, int k, double base);

/*
 * weights (seq_len, seq_len) of attention over positions alone: query = sharpness R_k PE, key = PE,
 * in one head that owns n_pairs (sin, cos) pairs from first_pair on. seq_len 1-64, d_model 2-256.
 */
int attn_rotation_map(float *weights, int seq_len, int d_model, int first_pair, int n_pairs, int k,
                      float sharpness, double base);

/* PyTorch's generator from a fresh seed, for tests: n values of each kind. */
int attn_rng_u32(uint32_t seed, uint32_t *values, int n);
int attn_rng_rand(uint32_t seed, float *values, int n);
int attn_rng_uniform(uint32_t seed, double low, double high, float *values, int n);
int attn_rng_randn(uint32_t seed, float *values, int n);
int attn_rng_randint(uint32_t seed, int low, int high, int32_t *values, int n);
/* One generator: randn(3) rand(2) randn(20) randn(2) randn(1), 28 values, which shows the kept
 * normal. */
int attn_rng_sequence(uint32_t seed, float *values);

#endif
