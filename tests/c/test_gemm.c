#include <float.h>
#include <math.h>
#include <string.h>

#include "ops/gemm.h"
#include "support.h"

#define LARGEST_SIDE 13

/* What C starts from. */
typedef enum { FROM_ZERO, FROM_BIAS, FROM_MATRIX, FROM_ITSELF, N_STARTS } Start;

typedef struct {
    int M, N, K;
    int gap;        /* foreign floats behind each row of every matrix */
    int transposed; /* A lies as (K, M) */
    Start start;
} Case;

typedef struct {
    int a_row, a_col, b_row, c_row, init_row;
    float *a, *b, *init, *c;
} Operands;

/* Each array ends with its last element, so that reading or writing further is a fault. */
static size_t extent(int rows, int row, int columns) {
    return (size_t)(rows - 1) * (size_t)row + (size_t)columns;
}

static Operands make_operands(Pool *pool, const Case *c) {
    Operands o;
    o.a_row = c->transposed ? 1 : c->K + c->gap;
    o.a_col = c->transposed ? c->M + c->gap : 1;
    o.b_row = c->N + c->gap;
    o.c_row = c->N + 2 * c->gap;
    o.init_row = c->start == FROM_BIAS ? 0 : c->start == FROM_ITSELF ? o.c_row : c->N + 3 * c->gap;
    size_t a_size = c->transposed ? extent(c->K, o.a_col, c->M) : extent(c->M, o.a_row, c->K);
    o.a = pool_randn(pool, a_size, 1);
    o.b = pool_randn(pool, extent(c->K, o.b_row, c->N), 2);
    o.c = pool_randn(pool, extent(c->M, o.c_row, c->N), 3);
    o.init = NULL;
    if (c->start == FROM_ITSELF)
        o.init = o.c;
    if (c->start == FROM_BIAS || c->start == FROM_MATRIX)
        o.init = pool_randn(pool, extent(c->M, o.init_row, c->N), 4);
    return o;
}

static void check_case(const Case *c) {
    Pool pool = {NULL};
    Operands o = make_operands(&pool, c);
    const size_t size = extent(c->M, o.c_row, c->N);
    float *ordered = pool_copy(&pool, o.c, size);
    float *exact = pool_copy(&pool, o.c, size);
    double largest = 0.0; /* sum of |a b| */
    for (int m = 0; m < c->M; m++) {
        for (int n = 0; n < c->N; n++) {
            float start = o.init == NULL ? 0.0f : o.init[m * o.init_row + n];
            float sum = start;
            double exact_sum = (double)start, sum_of_sizes = fabs((double)start);
            for (int k = 0; k < c->K; k++) {
                float a = o.a[m * o.a_row + k * o.a_col], b = o.b[k * o.b_row + n];
                sum = sum + a * b;
                exact_sum += (double)a * (double)b;
                sum_of_sizes += fabs((double)a * (double)b);
            }
            largest = fmax(largest, sum_of_sizes);
            ordered[m * o.c_row + n] = sum;
            exact[m * o.c_row + n] = (float)exact_sum;
        }
    }
    gemm(o.c, o.c_row, o.init, o.init_row, o.a, o.a_row, o.a_col, o.b, o.b_row, c->M, c->N, c->K);
    /* K + 1 roundings of at most half a unit each. The gaps between rows take part in the
     * comparison: they keep what they held. */
    assert_floats_near("product", o.c, exact, size,
                       (c->K + 1) * 0.5 * (double)FLT_EPSILON * largest);
    assert_floats_same("product", o.c, ordered, size);
    pool_free(&pool);
}

TEST(every_small_product_is_summed_in_ascending_order) {
    Case c = {0};
    for (c.M = 1; c.M <= LARGEST_SIDE; c.M++)
        for (c.N = 1; c.N <= LARGEST_SIDE; c.N++)
            for (c.K = 1; c.K <= LARGEST_SIDE; c.K++)
                for (int kind = 0; kind < 2 * 2 * N_STARTS; kind++) {
                    c.gap = kind % 2 * 3;
                    c.transposed = kind / 2 % 2;
                    c.start = (Start)(kind / 4);
                    check_case(&c);
                }
}

TEST(products_of_the_lessons_sizes_are_summed_in_ascending_order) {
    static const int SIZES[][3] = {{160, 96, 32}, {160, 64, 32}, {160, 32, 64}, {96, 32, 160},
                                   {160, 10, 32}, {10, 32, 160}, {10, 10, 32},  {10, 32, 10}};
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        for (int kind = 0; kind < 2 * N_STARTS; kind++) {
            const Case c = {.M = SIZES[i][0],
                            .N = SIZES[i][1],
                            .K = SIZES[i][2],
                            .gap = 0,
                            .transposed = kind % 2,
                            .start = (Start)(kind / 2)};
            check_case(&c);
        }
    }
}

TEST(a_product_by_hand) {
    const float a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8}, bias[] = {100, 200};
    const float plain[] = {19, 22, 43, 50}, turned[] = {26, 30, 38, 44};
    const float shifted[] = {119, 222, 143, 250};
    float c[4];
    gemm(c, 2, NULL, 0, a, 2, 1, b, 2, 2, 2, 2);
    assert_floats_same("A B", c, plain, 4);
    gemm(c, 2, NULL, 0, a, 1, 2, b, 2, 2, 2, 2);
    assert_floats_same("A^T B", c, turned, 4);
    gemm(c, 2, bias, 0, a, 2, 1, b, 2, 2, 2, 2);
    assert_floats_same("bias + A B", c, shifted, 4);
}

TEST(adding_products_of_row_blocks_gives_the_bits_of_the_whole) {
    enum { M = 9, N = 11, K = 40 };
    Pool pool = {NULL};
    const float *a = pool_randn(&pool, (size_t)K * M, 1); /* (K, M), read as A^T */
    const float *b = pool_randn(&pool, (size_t)K * N, 2);
    float *whole = pool_randn(&pool, (size_t)M * N, 3);
    float *parts = pool_copy(&pool, whole, (size_t)M * N);
    gemm(whole, N, whole, N, a, 1, M, b, N, M, N, K);
    for (int start = 0, length = 1; start < K; start += length, length += 3) {
        if (length > K - start)
            length = K - start;
        gemm(parts, N, parts, N, a + start * M, 1, M, b + start * N, N, M, N, length);
    }
    assert_floats_same("parts", parts, whole, (size_t)M * N);
    pool_free(&pool);
}

TEST(no_number_in_an_operand_reaches_only_its_row_and_column) {
    enum { SIDE = 6 };
    Pool pool = {NULL};
    float *a = pool_randn(&pool, SIDE * SIDE, 1);
    const float *b = pool_randn(&pool, SIDE * SIDE, 2);
    float *c = pool_floats(&pool, SIDE * SIDE);
    a[2 * SIDE + 3] = NAN;
    gemm(c, SIDE, NULL, 0, a, SIDE, 1, b, SIDE, SIDE, SIDE, SIDE);
    for (int i = 0; i < SIDE * SIDE; i++)
        assert_int_equal(isnan(c[i]) != 0, i / SIDE == 2);
    pool_free(&pool);
}

TEST(a_transposed_matrix_turned_again_is_the_matrix) {
    for (int rows = 1; rows <= LARGEST_SIDE; rows++) {
        for (int columns = 1; columns <= LARGEST_SIDE; columns++) {
            Pool pool = {NULL};
            const int in_row = columns + 2;
            const size_t size = (size_t)rows * (size_t)columns;
            const float *in = pool_randn(&pool, extent(rows, in_row, columns), 1);
            float *dense = pool_floats(&pool, size), *back = pool_floats(&pool, size);
            float *turned = pool_floats(&pool, size);
            gather_rows(dense, in, rows, columns, in_row);
            transpose(turned, in, in_row, rows, columns);
            for (int c = 0; c < columns; c++)
                assert_floats_same("first row", &turned[c * rows], &dense[c], 1);
            transpose(back, turned, rows, columns, rows);
            assert_floats_same("back", back, dense, size);
            pool_free(&pool);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_small_product_is_summed_in_ascending_order),
        cmocka_unit_test(products_of_the_lessons_sizes_are_summed_in_ascending_order),
        cmocka_unit_test(a_product_by_hand),
        cmocka_unit_test(adding_products_of_row_blocks_gives_the_bits_of_the_whole),
        cmocka_unit_test(no_number_in_an_operand_reaches_only_its_row_and_column),
        cmocka_unit_test(a_transposed_matrix_turned_again_is_the_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
