#include "ops/gemm.h"

#include <stddef.h>

#include "core/vec.h"

/*
 * A block of `rows` x 4 `vectors` results stays in registers while k runs; 4 x 8 uses 8 of the
 * 16 vector registers for sums. rows and vectors are constants at every call, so that each call
 * compiles to straight code. Only the last `stored` lanes of the last vector are written.
 */
__attribute__((always_inline)) static inline void gemm_block(float *c, int c_row, const float *init,
                                                             int init_row, const float *a,
                                                             int a_row, int a_col, const float *b,
                                                             int b_row, int K, const int rows,
                                                             const int vectors, int stored) {
    Vec4 sum[4][2];
#pragma GCC unroll 4
    for (int m = 0; m < rows; m++) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) {
            sum[m][v] =
                init == NULL ? vec_splat(0.0f) : vec_load(init + m * init_row + v * VEC_LANES);
        }
    }
    for (int k = 0; k < K; k++) {
        const float *a_k = a + k * a_col;
        Vec4 b_kv[2];
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++)
            b_kv[v] = vec_load(b + k * b_row + v * VEC_LANES);
#pragma GCC unroll 4
        for (int m = 0; m < rows; m++) {
            Vec4 a_mk = vec_splat(a_k[m * a_row]);
#pragma GCC unroll 2
            for (int v = 0; v < vectors; v++)
                sum[m][v] = sum[m][v] + a_mk * b_kv[v];
        }
    }
#pragma GCC unroll 4
    for (int m = 0; m < rows; m++) {
        float *c_m = c + m * c_row;
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) {
            if (stored == VEC_LANES) {
                vec_store(c_m + v * VEC_LANES, sum[m][v]);
            } else {
                if (stored > 2)
                    c_m[1] = sum[m][v][1];
                if (stored > 1)
                    c_m[2] = sum[m][v][2];
                c_m[3] = sum[m][v][3];
            }
        }
    }
}

/* One column of `rows` rows, for matrices narrower than a vector. */
static void gemm_column(float *c, int c_row, const float *init, int init_row, const float *a,
                        int a_row, int a_col, const float *b, int b_row, int K, int rows) {
    for (int m = 0; m < rows; m++) {
        float sum = init == NULL ? 0.0f : init[m * init_row];
        for (int k = 0; k < K; k++)
            sum = sum + a[m * a_row + k * a_col] * b[k * b_row];
        c[m * c_row] = sum;
    }
}

#define AT_COLUMN(n)                                                                               \
    c + (n), c_row, init == NULL ? NULL : init + (n), init_row, a, a_row, a_col, b + (n), b_row, K

/*
 * One strip of `rows` rows, all columns. The last 1..3 columns are computed in the last whole
 * vector of the row: its other lanes are columns already done and are thrown away.
 */
VEC_INLINE void gemm_strip(float *c, int c_row, const float *init, int init_row, const float *a,
                           int a_row, int a_col, const float *b, int b_row, int N, int K,
                           const int rows) {
    if (N < VEC_LANES) {
        for (int n = 0; n < N; n++)
            gemm_column(AT_COLUMN(n), rows);
        return;
    }
    int n = 0;
    for (; n + 2 * VEC_LANES <= N; n += 2 * VEC_LANES)
        gemm_block(AT_COLUMN(n), rows, 2, VEC_LANES);
    if (n + VEC_LANES <= N) {
        gemm_block(AT_COLUMN(n), rows, 1, VEC_LANES);
        n += VEC_LANES;
    }
    if (n < N)
        gemm_block(AT_COLUMN(N - VEC_LANES), rows, 1, N - n);
}

void gemm(float *c, int c_row, const float *init, int init_row, const float *a, int a_row,
          int a_col, const float *b, int b_row, int M, int N, int K) {
    int m = 0;
    for (; m + 4 <= M; m += 4) {
        gemm_strip(c + m * c_row, c_row, init == NULL ? NULL : init + m * init_row, init_row,
                   a + m * a_row, a_row, a_col, b, b_row, N, K, 4);
    }
    for (; m < M; m++) {
        gemm_strip(c + m * c_row, c_row, init == NULL ? NULL : init + m * init_row, init_row,
                   a + m * a_row, a_row, a_col, b, b_row, N, K, 1);
    }
}

void transpose(float *out, const float *in, int in_row, int rows, int columns) {
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++)
            out[c * rows + r] = in[r * in_row + c];
    }
}
