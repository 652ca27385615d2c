/*
 * What the lesson says of sinusoidal positions: turning every (sin, cos) pair by k w_i moves PE(p)
 * to PE(p + k), and the turn does not depend on p. So a W_Q that is such a turn makes every
 * position look at the one k places away.
 *
 * Axes: T positions, D = d_model; pair i is the dimensions 2i and 2i + 1.
 */
#ifndef ATTN_LESSON_ROTATION_H
#define ATTN_LESSON_ROTATION_H

#include <stddef.h>

#define ROTATION_MAX_T 64
#define ROTATION_MAX_D 256

/*
 * R_k, matrix (D, D): R_k PE(p) = PE(p + k) for every p. Pair i holds
 *     [  cos k w_i   sin k w_i ]
 *     [ -sin k w_i   cos k w_i ]   on the diagonal; everything else is 0.
 */
void rotation_matrix(float *matrix, int d_model, int k, double base);

/* Floats of scratch for rotation_map. */
size_t rotation_map_scratch_size(int seq_len, int d_model);

/*
 * weights (T, T) of attention over positions alone, in one head that owns n_pairs pairs from
 * first_pair on: query = sharpness R_k PE, key = PE, scores divided by sqrt(2 n_pairs).
 */
void rotation_map(float *weights, float *scratch, int seq_len, int d_model, int first_pair,
                  int n_pairs, int k, float sharpness, double base);

#endif
