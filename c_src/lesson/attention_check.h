/*
 * The first half of the lesson's attention_check.py: attention of random Q, K, V, without and with
 * the causal mask.
 */
#ifndef ATTN_LESSON_ATTENTION_CHECK_H
#define ATTN_LESSON_ATTENTION_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ATTENTION_CHECK_MAX_N 64
#define ATTENTION_CHECK_MAX_D 1024

/* Floats that attention_check writes: query key value scores weights output and the causal three.
 */
size_t attention_check_size(int n, int d);

/* Floats of workspace beyond them. */
size_t attention_check_scratch_size(int n, int d);

/*
 * Draws query, key and value (n, d) by three randn from the seed and computes
 * softmax(query key^T / sqrt(d)) value twice. `floats` receives, one after the other:
 * query, key, value (n, d); scores, weights (n, n), output (n, d); causal scores (-infinity where
 * masked), causal weights (n, n), causal output (n, d).
 */
void attention_check(uint32_t seed, int n, int d, float *floats, float *scratch);

/* Sizes and switches of attention_once. */
typedef struct {
    int n_query, n_key, d, d_value;
    float scale; /* multiplies the scores; 1 / sqrt(d) in the lesson */
    bool causal;
} AttentionCase;

/*
 * softmax(scale query key^T) value of dense matrices: query (n_query, d), key (n_key, d), value
 * (n_key, d_value), output (n_query, d_value), weights and scores (n_query, n_key); scores may be
 * NULL. scratch holds attention_once_scratch_size floats.
 */
void attention_once(float *output, float *weights, float *scores, float *scratch,
                    const float *query, const float *key, const float *value,
                    const AttentionCase *sizes);
size_t attention_once_scratch_size(const AttentionCase *sizes);

/*
 * The same attention by plain loops in double, written from the formula and sharing no code with
 * ops/attention: what the figures compare the engine with where no PyTorch result is recorded.
 * output (n, d); scores are multiplied by scale.
 */
void attention_check_plain(float *output, const float *query, const float *key, const float *value,
                           int n, int d, float scale, bool causal);

#endif
