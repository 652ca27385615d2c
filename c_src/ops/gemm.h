/*
 * Matrix product: C = init + A B, with A (M, K), B (K, N), C (M, N).
 *
 * A is read through two strides, so that A and A^T need no copy: its element (m, k) lies at
 * a[m * a_row + k * a_col]. Rows of B, C and init are contiguous; b_row, c_row and init_row are
 * the distances between rows. init may be NULL (zero), a bias (init_row 0) or C itself (the
 * product is added).
 *
 * Every element is summed over k in ascending order, starting from init. So the result does not
 * depend on how the matrix is cut into blocks, and adding the products of two row blocks of A^T
 * one after the other gives the bits of the product of both at once.
 *
 * Axes: M rows of the result, N its columns, K the summed axis.
 */
#ifndef ATTN_OPS_GEMM_H
#define ATTN_OPS_GEMM_H

void gemm(float *c, int c_row, const float *init, int init_row, const float *a, int a_row,
          int a_col, const float *b, int b_row, int M, int N, int K);

/* out (columns, rows) = in^T, in (rows, columns) with in_row floats between rows. */
void transpose(float *out, const float *in, int in_row, int rows, int columns);

#endif
