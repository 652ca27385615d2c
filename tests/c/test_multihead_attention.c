#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "nn/multihead_attention.h"
#include "support.h"

/* The table holds addresses of its parameters: an Attention stays where it was made. */
typedef struct {
    Arena arena;
    int B;
    ParameterTable params;
    MultiheadAttention module;
    MultiheadAttentionActivations acts;
    float *x, *grad_out, *grad_x, *grad_heads, *grad_qkv, *scratch;
} Attention;

static void layout(void *context, Arena *arena) {
    Attention *a = context;
    const size_t ND = (size_t)(a->B * a->module.seq_len * a->module.d_model);
    params_clear(&a->params);
    multihead_attention_define(&a->module, &a->params, "");
    params_layout(&a->params, arena);
    multihead_attention_layout(&a->acts, arena, &a->module, a->B, true);
    a->x = ARENA_FLOATS(arena, ND);
    a->grad_out = ARENA_FLOATS(arena, ND);
    a->grad_x = ARENA_FLOATS(arena, ND);
    a->grad_heads = ARENA_FLOATS(arena, ND);
    a->grad_qkv = ARENA_FLOATS(arena, 3 * ND);
    a->scratch = ARENA_FLOATS(arena, multihead_attention_scratch_size(&a->module));
}

static size_t size_of(const Attention *a) {
    return (size_t)(a->B * a->module.seq_len * a->module.d_model);
}

static Attention *make_attention(int B, int T, int D, int H, bool causal) {
    Attention *a = calloc(1, sizeof *a);
    assert_non_null(a);
    a->B = B;
    a->module.seq_len = T;
    a->module.d_model = D;
    a->module.n_heads = H;
    a->module.scale = (float)(1.0 / sqrt((double)D / H));
    a->module.causal = causal;
    a->arena = lay_out(layout, a);
    randomise_params(&a->params, 0.5f, 1);
    Rng rng;
    rng_seed(&rng, 2);
    rng_randn(&rng, a->x, size_of(a));
    rng_randn(&rng, a->grad_out, size_of(a));
    return a;
}

static void free_attention(Attention *a) {
    arena_destroy(&a->arena);
    free(a);
}

static void forward(Attention *a) {
    multihead_attention_forward(&a->module, &a->acts, a->scratch, a->x, a->B);
}

static void backward(Attention *a) {
    params_zero_grads(&a->params);
    multihead_attention_backward(&a->module, &a->acts, a->grad_x, a->grad_heads, a->grad_qkv,
                                 a->scratch, a->grad_out, a->x, a->B);
}

static double value(void *context) {
    Attention *a = context;
    forward(a);
    return weighted_sum(a->acts.out, a->grad_out, size_of(a));
}

static void check_golden(const Golden *golden, const char *name) {
    const Golden *c = golden_at(golden, name);
    const Golden *x = golden_at(golden, "x");
    Attention *a = make_attention(x->shape[0], x->shape[1], x->shape[2],
                                  (int)golden_number(c, "heads"), golden_number(c, "causal") != 0);
    golden_read_params(&a->params, golden_at(golden, "params"));
    memcpy(a->x, x->floats, x->size * sizeof *a->x);
    memcpy(a->grad_out, golden_at(golden, "dout")->floats, x->size * sizeof *a->grad_out);
    forward(a);
    backward(a);
    assert_golden(a->acts.out, golden_at(c, "out"));
    assert_golden(a->acts.weights, golden_at(c, "A"));
    assert_golden(a->grad_x, golden_at(c, "d_x"));
    assert_golden_grads(&a->params, c, "d_");
    free_attention(a);
}

TEST(self_attention_with_any_number_of_heads_is_pytorchs) {
    static const char *const CASES[] = {"h1", "h2", "h4", "h8", "h4_causal"};
    Golden *golden = golden_open("layers_mha.json");
    for (size_t i = 0; i < COUNT_OF(CASES); i++)
        check_golden(golden, CASES[i]);
    golden_close(golden);
}

static const int SHAPES[][4] = {
    {1, 1, 2, 1}, {1, 2, 2, 2}, {2, 3, 4, 2}, {2, 4, 6, 3}, {1, 5, 8, 1}};

TEST(gradients_match_differences) {
    for (size_t i = 0; i < COUNT_OF(SHAPES); i++) {
        for (int causal = 0; causal <= 1; causal++) {
            const int *n = SHAPES[i];
            Attention *a = make_attention(n[0], n[1], n[2], n[3], causal == 1);
            forward(a);
            backward(a);
            assert_gradient("x", a->grad_x, a->x, size_of(a), value, a);
            for (int p = 0; p < a->params.n; p++) {
                const Parameter *parameter = &a->params.items[p];
                assert_gradient(parameter->name, parameter->grad, parameter->value, parameter->size,
                                value, a);
            }
            free_attention(a);
        }
    }
}

TEST(the_key_bias_has_no_gradient) {
    enum { D = 8 };
    Attention *a = make_attention(3, 6, D, 2, false);
    forward(a);
    backward(a);
    /* What is left there is rounding, far below the gradients beside it. */
    const float zeros[D] = {0}, *grad = a->module.in_proj_bias->grad;
    double largest = 0.0;
    for (int d = 0; d < 3 * D; d++)
        largest = fmax(largest, fabs((double)grad[d]));
    assert_true(largest > 1.0);
    assert_floats_near("key bias", grad + D, zeros, D, 1e-5 * largest);
    free_attention(a);
}

TEST(rows_of_weights_sum_to_1_in_every_head) {
    for (size_t i = 0; i < COUNT_OF(SHAPES); i++) {
        for (int causal = 0; causal <= 1; causal++) {
            const int *n = SHAPES[i];
            Attention *a = make_attention(n[0], n[1], n[2], n[3], causal == 1);
            forward(a);
            for (int row = 0; row < n[0] * n[3] * n[1]; row++) {
                double sum = 0.0;
                for (int t = 0; t < n[1]; t++)
                    sum += (double)a->acts.weights[row * n[1] + t];
                assert_near("sum of weights", sum, 1.0, 1e-6);
            }
            free_attention(a);
        }
    }
}

TEST(permuted_inputs_permute_the_outputs) {
    enum { T = 7, D = 8 };
    Attention *plain = make_attention(1, T, D, 4, false);
    Attention *turned = make_attention(1, T, D, 4, false);
    for (int t = 0; t < T; t++)
        memcpy(turned->x + t * D, plain->x + (t * 3 + 2) % T * D, D * sizeof(float));
    forward(plain);
    forward(turned);
    for (int t = 0; t < T; t++) {
        assert_floats_near("out", turned->acts.out + t * D, plain->acts.out + (t * 3 + 2) % T * D,
                           D, 2e-6);
    }
    free_attention(plain);
    free_attention(turned);
}

TEST(a_causal_mask_hides_later_tokens_in_every_head) {
    enum { T = 6, D = 8 };
    for (int changed = 0; changed < T; changed++) {
        Attention *a = make_attention(2, T, D, 4, true), *b = make_attention(2, T, D, 4, true);
        for (int d = 0; d < D; d++)
            b->x[changed * D + d] = -3.0f;
        forward(a);
        forward(b);
        assert_floats_same("earlier tokens", b->acts.out, a->acts.out, (size_t)(changed * D));
        for (int t = changed; t < T; t++)
            assert_true(floats_differ(b->acts.out + t * D, a->acts.out + t * D, D));
        /* The second sequence of the batch is another matter altogether. */
        assert_floats_same("other sequence", b->acts.out + T * D, a->acts.out + T * D, T * D);
        free_attention(a);
        free_attention(b);
    }
}

TEST(a_muted_head_puts_out_0_and_learns_nothing) {
    enum { T = 4, D = 8, D_K = 4 };
    Attention *a = make_attention(1, T, D, 2, false);
    a->module.muted = 1u << 1;
    forward(a);
    backward(a);
    for (int t = 0; t < T; t++) {
        for (int d = 0; d < D; d++)
            assert_int_equal(a->acts.heads[t * D + d] == 0.0f, d >= D_K);
    }
    /* Rows of q, k and v that belong to head 1. */
    for (int block = 0; block < 3; block++) {
        const float *grad = a->module.in_proj_weight->grad + (block * D + D_K) * D;
        for (int i = 0; i < D_K * D; i++)
            assert_true(grad[i] == 0.0f);
    }
    assert_gradient("x", a->grad_x, a->x, size_of(a), value, a);
    free_attention(a);
}

/* A muted head is one whose columns of the output projection are 0, forwards and backwards. */
TEST(muting_is_zeroing_the_columns_of_the_output_projection) {
    enum { B = 2, T = 5, D = 12, H = 3, D_K = 4 };
    for (unsigned muted = 1; muted < 1u << H; muted++) {
        Attention *silent = make_attention(B, T, D, H, muted % 2 == 0);
        Attention *zeroed = make_attention(B, T, D, H, muted % 2 == 0);
        silent->module.muted = muted;
        for (int d = 0; d < D * D; d++) {
            if ((muted >> (d % D / D_K)) & 1u)
                zeroed->module.out_proj_weight->value[d] = 0.0f;
        }
        forward(silent);
        forward(zeroed);
        assert_floats_near("out", silent->acts.out, zeroed->acts.out, B * T * D, 1e-7);
        backward(silent);
        backward(zeroed);
        assert_floats_near("grad_x", silent->grad_x, zeroed->grad_x, B * T * D, 1e-7);
        assert_floats_near("in_proj", silent->module.in_proj_weight->grad,
                           zeroed->module.in_proj_weight->grad, 3 * D * D, 1e-7);
        for (int d = 0; d < D * D; d++) {
            bool is_muted = (muted >> (d % D / D_K)) & 1u;
            const float *grad = zeroed->module.out_proj_weight->grad;
            assert_near("out_proj", (double)silent->module.out_proj_weight->grad[d],
                        is_muted ? 0.0 : (double)grad[d], 1e-7);
        }
        free_attention(silent);
        free_attention(zeroed);
    }
}

TEST(gradients_beside_muted_heads_match_differences) {
    for (unsigned muted = 1; muted < 8; muted++) {
        Attention *a = make_attention(2, 3, 6, 3, false);
        a->module.muted = muted;
        forward(a);
        backward(a);
        assert_gradient("x", a->grad_x, a->x, size_of(a), value, a);
        for (int p = 0; p < a->params.n; p++) {
            const Parameter *parameter = &a->params.items[p];
            assert_gradient(parameter->name, parameter->grad, parameter->value, parameter->size,
                            value, a);
        }
        free_attention(a);
    }
}

TEST(every_tensor_is_shown_under_its_name) {
    Attention *a = make_attention(2, 3, 8, 4, true);
    forward(a);
    const struct {
        const char *name;
        int n_dims, shape[4];
        const float *data;
    } expected[] = {{"att.qkv", 3, {2, 3, 24, 0}, a->acts.qkv},
                    {"att.scores", 4, {2, 4, 3, 3}, a->acts.scores},
                    {"att.weights", 4, {2, 4, 3, 3}, a->acts.weights},
                    {"att.heads", 3, {2, 3, 8, 0}, a->acts.heads},
                    {"att", 3, {2, 3, 8, 0}, a->acts.out}};
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        TensorSearch search = {.name = expected[i].name};
        const TensorSink sink = search_sink(&search);
        multihead_attention_show(&a->module, &a->acts, "att", 2, &sink);
        assert_int_equal(search.n_found, 1);
        assert_int_equal(search.tensor.n_dims, expected[i].n_dims);
        for (int d = 0; d < expected[i].n_dims; d++)
            assert_int_equal(search.tensor.shape[d], expected[i].shape[d]);
        assert_ptr_equal(search.tensor.data, expected[i].data);
    }
    free_attention(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(self_attention_with_any_number_of_heads_is_pytorchs),
        cmocka_unit_test(gradients_match_differences),
        cmocka_unit_test(the_key_bias_has_no_gradient),
        cmocka_unit_test(rows_of_weights_sum_to_1_in_every_head),
        cmocka_unit_test(permuted_inputs_permute_the_outputs),
        cmocka_unit_test(a_causal_mask_hides_later_tokens_in_every_head),
        cmocka_unit_test(a_muted_head_puts_out_0_and_learns_nothing),
        cmocka_unit_test(muting_is_zeroing_the_columns_of_the_output_projection),
        cmocka_unit_test(gradients_beside_muted_heads_match_differences),
        cmocka_unit_test(every_tensor_is_shown_under_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
