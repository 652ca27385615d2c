#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "nn/encoder_layer.h"
#include "ops/layernorm.h"
#include "support.h"

#define MAX_LAYERS 2

/* A stack of equal layers, with a final normalisation where it is asked for. */
typedef struct {
    Arena arena;
    int B, n_layers;
    bool final_norm;
    EncoderLayer layers[MAX_LAYERS]; /* sizes and choices are set in layers[0] */
    ParameterTable params;
    EncoderLayerActivations acts[MAX_LAYERS];
    EncoderLayerWorkspace work;
    Parameter *norm_gain, *norm_bias;
    float *x, *grad_out, *grad, *norm, *mean, *rstd, *scratch;
} Stack;

static size_t size_of(const Stack *s) {
    const MultiheadAttention *attention = &s->layers[0].attention;
    return (size_t)(s->B * attention->seq_len * attention->d_model);
}

static void layout(void *context, Arena *arena) {
    Stack *s = context;
    const size_t ND = size_of(s), N = (size_t)(s->B * s->layers[0].attention.seq_len);
    params_clear(&s->params);
    for (int l = 0; l < s->n_layers; l++) {
        s->layers[l] = s->layers[0];
        s->layers[l].names = &ENCODER_LAYER_PYTORCH_NAMES;
        if (s->n_layers > 1) {
            strcpy(s->layers[l].prefix, "layers.0.");
            s->layers[l].prefix[strlen("layers.")] = (char)('0' + l);
        }
        encoder_layer_define(&s->layers[l], &s->params);
    }
    if (s->final_norm) {
        const int D = s->layers[0].attention.d_model;
        s->norm_gain = params_add_vector(&s->params, "norm.", "weight", D);
        s->norm_bias = params_add_vector(&s->params, "norm.", "bias", D);
    }
    params_layout(&s->params, arena);
    for (int l = 0; l < s->n_layers; l++)
        encoder_layer_layout(&s->acts[l], arena, &s->layers[l], s->B, false);
    encoder_layer_workspace_layout(&s->work, arena, &s->layers[0], s->B);
    s->x = ARENA_FLOATS(arena, ND);
    s->grad_out = ARENA_FLOATS(arena, ND);
    s->grad = ARENA_FLOATS(arena, ND);
    s->norm = ARENA_FLOATS(arena, ND);
    s->mean = ARENA_FLOATS(arena, N);
    s->rstd = ARENA_FLOATS(arena, N);
    s->scratch = ARENA_FLOATS(arena, encoder_layer_scratch_size(&s->layers[0]));
}

typedef struct {
    int B, T, D, F, n_heads, n_layers;
    bool norm_first, causal, final_norm;
    Activation activation;
} StackShape;

static Stack *make_stack(const StackShape *shape) {
    Stack *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->B = shape->B;
    s->n_layers = shape->n_layers;
    s->final_norm = shape->final_norm;
    s->layers[0].d_ff = shape->F;
    s->layers[0].norm_first = shape->norm_first;
    s->layers[0].activation = shape->activation;
    s->layers[0].attention =
        (MultiheadAttention){.seq_len = shape->T,
                             .d_model = shape->D,
                             .n_heads = shape->n_heads,
                             .scale = (float)(1.0 / sqrt((double)shape->D / shape->n_heads)),
                             .causal = shape->causal};
    s->arena = lay_out(layout, s);
    randomise_params(&s->params, 0.5f, 1);
    Rng rng;
    rng_seed(&rng, 2);
    rng_randn(&rng, s->x, size_of(s));
    rng_randn(&rng, s->grad_out, size_of(s));
    return s;
}

static void free_stack(Stack *s) {
    arena_destroy(&s->arena);
    free(s);
}

static const float *input_of(const Stack *s, int l) { return l == 0 ? s->x : s->acts[l - 1].out; }

/* The output of the stack. */
static const float *forward(Stack *s) {
    const MultiheadAttention *attention = &s->layers[0].attention;
    for (int l = 0; l < s->n_layers; l++)
        encoder_layer_forward(&s->layers[l], &s->acts[l], s->scratch, input_of(s, l), s->B);
    const float *top = s->acts[s->n_layers - 1].out;
    if (!s->final_norm)
        return top;
    layernorm_forward(s->norm, s->mean, s->rstd, top, s->norm_gain->value, s->norm_bias->value,
                      s->B * attention->seq_len, attention->d_model);
    return s->norm;
}

/* Leaves the gradient of x in s->grad. */
static void backward(Stack *s) {
    const MultiheadAttention *attention = &s->layers[0].attention;
    params_zero_grads(&s->params);
    memcpy(s->grad, s->grad_out, size_of(s) * sizeof *s->grad);
    if (s->final_norm) {
        layernorm_backward(s->grad, s->norm_gain->grad, s->norm_bias->grad, s->grad,
                           s->acts[s->n_layers - 1].out, s->mean, s->rstd, s->norm_gain->value,
                           s->B * attention->seq_len, attention->d_model);
    }
    for (int l = s->n_layers - 1; l >= 0; l--) {
        encoder_layer_backward(&s->layers[l], &s->acts[l], s->grad, &s->work, s->scratch,
                               input_of(s, l), s->B);
    }
}

static double value(void *context) {
    Stack *s = context;
    return weighted_sum(forward(s), s->grad_out, size_of(s));
}

static void check_golden(const Golden *golden, const Golden *c, const Golden *params,
                         StackShape shape) {
    const Golden *x = golden_at(golden, "x");
    shape.B = x->shape[0];
    shape.T = x->shape[1];
    shape.D = x->shape[2];
    shape.F = 24;
    Stack *s = make_stack(&shape);
    golden_read_params(&s->params, params);
    memcpy(s->x, x->floats, x->size * sizeof *s->x);
    memcpy(s->grad_out, golden_at(golden, "dout")->floats, x->size * sizeof *s->grad_out);
    assert_golden(forward(s), golden_at(c, "out"));
    backward(s);
    assert_golden(s->grad, golden_at(c, "d_x"));
    assert_golden_grads(&s->params, c, "d_");
    free_stack(s);
}

TEST(one_layer_is_pytorchs) {
    static const char *const CASES[] = {"post_norm_h4_relu", "pre_norm_h2_gelu",
                                        "pre_norm_h4_relu_causal"};
    Golden *golden = golden_open("layers_encoder.json");
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        const Golden *c = golden_at(golden, CASES[i]);
        const bool gelu = strcmp(golden_at(c, "activation")->text, "gelu") == 0;
        const StackShape shape = {.n_layers = 1,
                                  .n_heads = (int)golden_number(c, "heads"),
                                  .norm_first = golden_number(c, "norm_first") != 0.0,
                                  .causal = golden_number(c, "causal") != 0.0,
                                  .activation = gelu ? ACTIVATION_GELU : ACTIVATION_RELU};
        check_golden(golden, c, golden_at(golden, "params"), shape);
    }
    golden_close(golden);
}

TEST(two_causal_layers_and_a_final_norm_are_pytorchs) {
    Golden *golden = golden_open("layers_encoder.json");
    const Golden *c = golden_at(golden, "two_layers_causal");
    const StackShape shape = {.n_layers = 2,
                              .n_heads = 2,
                              .norm_first = true,
                              .causal = true,
                              .final_norm = true,
                              .activation = ACTIVATION_GELU};
    check_golden(golden, c, golden_at(c, "params"), shape);
    golden_close(golden);
}

/* Small steps across the kink of relu would not see a slope: it is left to the goldens here. */
TEST(gradients_match_differences) {
    static const Activation SMOOTH[] = {ACTIVATION_GELU, ACTIVATION_GELU_TANH};
    for (int kind = 0; kind < 8; kind++) {
        const StackShape shape = {.B = 2,
                                  .T = 3,
                                  .D = 4,
                                  .F = 5,
                                  .n_heads = 1 + kind % 2,
                                  .n_layers = 1,
                                  .norm_first = kind / 2 % 2 == 1,
                                  .causal = kind % 2 == 1,
                                  .activation = SMOOTH[kind / 4]};
        Stack *s = make_stack(&shape);
        (void)forward(s);
        backward(s);
        assert_gradient("x", s->grad, s->x, size_of(s), value, s);
        for (int p = 0; p < s->params.n; p++) {
            const Parameter *parameter = &s->params.items[p];
            assert_gradient(parameter->name, parameter->grad, parameter->value, parameter->size,
                            value, s);
        }
        free_stack(s);
    }
}

TEST(backward_adds_to_the_gradients_of_the_parameters) {
    const StackShape shape = {.B = 1, .T = 4, .D = 8, .F = 6, .n_heads = 2, .n_layers = 1};
    Stack *s = make_stack(&shape);
    Pool pool = {NULL};
    (void)forward(s);
    backward(s);
    const float *once = pool_copy(&pool, s->params.grads, s->params.n_values);
    memcpy(s->grad, s->grad_out, size_of(s) * sizeof *s->grad);
    encoder_layer_backward(&s->layers[0], &s->acts[0], s->grad, &s->work, s->scratch, s->x, s->B);
    for (size_t i = 0; i < s->params.n_values; i++)
        assert_near("grad", (double)s->params.grads[i], 2.0 * (double)once[i], 1e-4);
    pool_free(&pool);
    free_stack(s);
}

TEST(outputs_of_a_post_norm_layer_are_normalised) {
    const StackShape shape = {.B = 2, .T = 5, .D = 8, .F = 6, .n_heads = 2, .n_layers = 1};
    Stack *s = make_stack(&shape);
    for (int d = 0; d < 8; d++) {
        s->layers[0].norm2_gain->value[d] = 1.0f;
        s->layers[0].norm2_bias->value[d] = 0.0f;
    }
    const float *out = forward(s);
    for (int n = 0; n < 10; n++) {
        double sum = 0.0;
        for (int d = 0; d < 8; d++)
            sum += (double)out[n * 8 + d];
        assert_near("mean", sum / 8, 0.0, 1e-6);
        assert_near("variance", weighted_sum(out + n * 8, out + n * 8, 8) / 8, 1.0, 1e-3);
    }
    free_stack(s);
}

TEST(a_pre_norm_layer_whose_branches_are_silent_passes_its_input_on) {
    const StackShape shape = {
        .B = 2, .T = 5, .D = 8, .F = 6, .n_heads = 2, .n_layers = 1, .norm_first = true};
    Stack *s = make_stack(&shape);
    memset(s->layers[0].attention.out_proj_weight->value, 0, 64 * sizeof(float));
    memset(s->layers[0].attention.out_proj_bias->value, 0, 8 * sizeof(float));
    memset(s->layers[0].linear2_weight->value, 0, 48 * sizeof(float));
    memset(s->layers[0].linear2_bias->value, 0, 8 * sizeof(float));
    assert_floats_near("out", forward(s), s->x, size_of(s), 0.0);
    free_stack(s);
}

TEST(every_tensor_is_shown_under_its_name) {
    static const char *const NAMES[] = {"self_attn.weights", "residual1", "norm1",     "linear1",
                                        "activation",        "linear2",   "residual2", "norm2"};
    const StackShape shape = {.B = 1, .T = 4, .D = 8, .F = 6, .n_heads = 2, .n_layers = 1};
    Stack *s = make_stack(&shape);
    (void)forward(s);
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        TensorSearch search = {.name = NAMES[i]};
        const TensorSink sink = search_sink(&search);
        encoder_layer_show(&s->layers[0], &s->acts[0], 1, &sink);
        assert_int_equal(search.n_found, 1);
        assert_non_null(search.tensor.data);
    }
    free_stack(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_layer_is_pytorchs),
        cmocka_unit_test(two_causal_layers_and_a_final_norm_are_pytorchs),
        cmocka_unit_test(gradients_match_differences),
        cmocka_unit_test(backward_adds_to_the_gradients_of_the_parameters),
        cmocka_unit_test(outputs_of_a_post_norm_layer_are_normalised),
        cmocka_unit_test(a_pre_norm_layer_whose_branches_are_silent_passes_its_input_on),
        cmocka_unit_test(every_tensor_is_shown_under_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
