/*
 * The gradients of whole models against finite differences of the loss along directions.
 *
 * The loss is a float calculation and carries noise of about 1e-7, which a short step magnifies; a
 * relu has kinks, which a long step crosses. Both are beaten by the choice of directions. Along one
 * whose components have the signs of the gradient the loss changes by step * |grad|_1, thousands of
 * times the noise; so every tensor is measured along such a direction of its own (with uneven
 * lengths, so that errors cannot cancel), and all of them together along normal ones. With kinks
 * the step is shorter still: errors of units on both sides of theirs nearly cancel over a batch.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "golden.h"
#include "sessions.h"
#include "support.h"

#define SMOOTH_STEP 5e-4f
#define KINKED_STEP 1e-4f

/* A third of what a gradient wrong by one part in a hundred shows. */
#define TOLERANCE 3e-3

/* Below this the noise of the loss is all that differences show. */
#define LEAST_DERIVATIVE 1e-2

#define N_NORMAL_DIRECTIONS 3

/* A session, the parameters it is examined at and the gradients of the first batch there. */
typedef struct {
    Pool pool;
    Session *session;
    size_t n;
    float *start, *grads, *direction;
    Rng rng;
} Probe;

static Probe make_probe(const Config *config) {
    Probe p = {.pool = {NULL}, .session = make_session(config)};
    ParameterTable *params = &p.session->params;
    p.n = params->n_values;
    /* Biases that are not 0 and gains that are not 1. */
    const float *noise = pool_randn(&p.pool, p.n, 11);
    for (size_t i = 0; i < p.n; i++)
        params->values[i] += 0.1f * noise[i];
    p.start = pool_copy(&p.pool, params->values, p.n);
    SessionMetrics metrics;
    session_step(p.session, &metrics);
    p.grads = pool_copy(&p.pool, params->grads, p.n);
    p.direction = pool_floats(&p.pool, p.n);
    rng_seed(&p.rng, 12);
    return p;
}

static void free_probe(Probe *p) {
    session_destroy(p->session);
    pool_free(&p->pool);
}

/* The loss of the first batch at start + step * direction, and the way there along the gradient. */
static double loss_at(Probe *p, float step, double *along_gradient) {
    float *values = p->session->params.values;
    SessionMetrics metrics;
    *along_gradient = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        values[i] = p->start[i] + step * p->direction[i];
        *along_gradient += (double)p->grads[i] * ((double)values[i] - (double)p->start[i]);
    }
    const Config *config = &p->session->config;
    return evaluate(p->session, config->data_seed, config->batch_size, &metrics);
}

typedef struct {
    double difference, from_gradient;
} Derivative;

static Derivative derivative(Probe *p) {
    const Config *config = &p->session->config;
    const bool kinked = config->model == MODEL_TRANSFORMER && config->activation == ACTIVATION_RELU;
    const float step = kinked ? KINKED_STEP : SMOOTH_STEP;
    double forth, back;
    double above = loss_at(p, step, &forth), below = loss_at(p, -step, &back);
    return (Derivative){(above - below) / (2.0 * (double)step),
                        (forth - back) / (2.0 * (double)step)};
}

/* A direction within one tensor that climbs in every component, by uneven lengths. */
static void climb(Probe *p, const Parameter *parameter) {
    memset(p->direction, 0, p->n * sizeof *p->direction);
    float *direction = p->direction + (parameter->grad - p->session->params.grads);
    const float *grad = p->grads + (parameter->grad - p->session->params.grads);
    rng_uniform(&p->rng, 0.5, 1.5, direction, parameter->size);
    for (size_t i = 0; i < parameter->size; i++) {
        if (grad[i] < 0.0f)
            direction[i] = -direction[i];
    }
}

static double share_of(const Derivative *d) {
    return fabs(d->difference - d->from_gradient) / fmax(fabs(d->from_gradient), LEAST_DERIVATIVE);
}

/* Along normal directions the derivative has the standard deviation |grad|_2. */
static void check_normal_directions(Probe *p, const char *name) {
    const double norm = sqrt(weighted_sum(p->grads, p->grads, p->n));
    for (int i = 0; i < N_NORMAL_DIRECTIONS; i++) {
        rng_randn(&p->rng, p->direction, p->n);
        const Derivative d = derivative(p);
        assert_near(name, d.difference, d.from_gradient, TOLERANCE * norm);
    }
}

static void check_config(const Config *config, const char *name) {
    Probe p = make_probe(config);
    const ParameterTable *params = &p.session->params;
    for (int i = 0; i < params->n; i++) {
        char full_name[128];
        (void)snprintf(full_name, sizeof full_name, "%s: %s", name, params->items[i].name);
        climb(&p, &params->items[i]);
        const Derivative d = derivative(&p);
        assert_near(full_name, share_of(&d), 0.0, TOLERANCE);
    }
    check_normal_directions(&p, name);
    free_probe(&p);
}

static Config small_config(void) {
    Config config = config_default();
    config.seq_len = 6;
    config.vocab_size = 7;
    config.d_model = 16;
    config.d_ff = 24;
    config.batch_size = 100; /* several chunks */
    return config;
}

/* No golden covers these. */
static const struct {
    const char *name;
    int n_heads, norm_first, activation, causal, n_layers, scale, positions, task;
} CASES[] = {
    {"1 head, post, relu", 1, 0, 0, 0, 1, 0, 1, 0},
    {"2 heads, post, gelu, causal", 2, 0, 1, 1, 1, 0, 1, 1},
    {"4 heads, post, gelu_tanh", 4, 0, 2, 0, 1, 0, 1, 2},
    {"8 heads, pre, relu, causal", 8, 1, 0, 1, 1, 0, 1, 3},
    {"16 heads, pre, gelu", 16, 1, 1, 0, 1, 0, 1, 0},
    {"1 head, pre, gelu_tanh, causal", 1, 1, 2, 1, 1, 0, 1, 1},
    {"1 head, post, relu, no scale", 1, 0, 0, 0, 1, 1, 1, 2},
    {"2 heads, pre, gelu, scale d_k", 2, 1, 1, 0, 1, 2, 1, 3},
    {"4 heads, post, relu, 2 layers", 4, 0, 0, 0, 2, 0, 1, 0},
    {"2 heads, pre, relu, causal, 2 layers", 2, 1, 0, 1, 2, 0, 1, 1},
    {"1 head, post, gelu_tanh, 3 layers, no scale", 1, 0, 2, 0, 3, 1, 1, 2},
    {"4 heads, pre, gelu_tanh, causal, 3 layers, scale d_k", 4, 1, 2, 1, 3, 2, 1, 3},
    {"2 heads, post, gelu, causal, 6 layers", 2, 0, 1, 1, 6, 0, 1, 0},
    {"1 head, pre, gelu, 6 layers, no positions", 1, 1, 1, 0, 6, 0, 0, 2},
};

static Config config_of(size_t i) {
    Config config = small_config();
    config.n_heads = CASES[i].n_heads;
    config.norm_first = CASES[i].norm_first;
    config.activation = CASES[i].activation;
    config.causal = CASES[i].causal;
    config.n_layers = CASES[i].n_layers;
    config.scale = CASES[i].scale;
    config.positions = CASES[i].positions;
    config.task = CASES[i].task;
    config.data_seed = (uint32_t)i;
    return config;
}

TEST(gradients_of_transformers_match_differences) {
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        const Config config = config_of(i);
        check_config(&config, CASES[i].name);
    }
}

TEST(gradients_of_lstms_match_differences) {
    for (int d_hidden = 4; d_hidden <= 20; d_hidden += 8) {
        Config config = small_config();
        config.model = MODEL_BILSTM;
        config.d_hidden = d_hidden;
        check_config(&config, "lstm");
    }
}

/* What this file would say of a gradient that is 1% too large, tensor by tensor. */
TEST(a_gradient_wrong_by_a_hundredth_would_be_seen_in_every_tensor) {
    const Config config = config_of(9);
    Probe p = make_probe(&config);
    const ParameterTable *params = &p.session->params;
    for (size_t i = 0; i < p.n; i++)
        p.grads[i] *= 1.01f;
    for (int i = 0; i < params->n; i++) {
        climb(&p, &params->items[i]);
        const Derivative d = derivative(&p);
        assert_true(share_of(&d) > 2.0 * TOLERANCE);
    }
    free_probe(&p);
}

/* And of one component with the wrong sign. */
TEST(a_single_wrong_component_would_be_seen) {
    const Config config = config_of(8);
    Probe p = make_probe(&config);
    const Parameter *weight = params_find(&p.session->params, "layers.1.linear1.weight");
    float *grad = p.grads + (weight->grad - p.session->params.grads);
    size_t largest = 0;
    for (size_t i = 0; i < weight->size; i++) {
        if (fabsf(grad[i]) > fabsf(grad[largest]))
            largest = i;
    }
    grad[largest] = -grad[largest];
    climb(&p, weight);
    const Derivative d = derivative(&p);
    assert_true(share_of(&d) > TOLERANCE);
    free_probe(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_of_transformers_match_differences),
        cmocka_unit_test(gradients_of_lstms_match_differences),
        cmocka_unit_test(a_gradient_wrong_by_a_hundredth_would_be_seen_in_every_tensor),
        cmocka_unit_test(a_single_wrong_component_would_be_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
