#include "train/session.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "ops/cross_entropy.h"
#include "ops/softmax.h"
#include "train/task.h"

/* Bounds of a chunk: tokens, and multiply-adds of a forward pass, about one for each parameter and
 * token. */
#define CHUNK_TOKENS 160
#define CHUNK_MULTIPLY_ADDS 8e6

/* Draws thrown away in one call: a few milliseconds. The largest skip takes minutes. */
#define SKIP_DRAWS 1000000

static float score_scale(const Config *config) {
    int d_k = config->d_model / config->n_heads;
    if (config->scale == SCALE_NONE)
        return 1.0f;
    if (config->scale == SCALE_D_K)
        return 1.0f / (float)d_k;
    return (float)(1.0 / sqrt((double)d_k));
}

static ModelShape model_shape(const Config *config) {
    return (ModelShape){.kind = (ModelKind)config->model,
                        .transformer = {.vocab_size = config->vocab_size,
                                        .seq_len = config->seq_len,
                                        .d_model = config->d_model,
                                        .n_heads = config->n_heads,
                                        .d_ff = config->d_ff,
                                        .n_layers = config->n_layers,
                                        .norm_first = config->norm_first != 0,
                                        .causal = config->causal != 0,
                                        .positions = config->positions != 0,
                                        .activation = (Activation)config->activation,
                                        .scale = score_scale(config)},
                        .bilstm = {.vocab_size = config->vocab_size,
                                   .seq_len = config->seq_len,
                                   .d_model = config->d_model,
                                   .d_hidden = config->d_hidden}};
}

/*
 * Sequences worked off together: enough for the kernels, few enough to stay in the cache and, with
 * large models, to be done in a fraction of the time a page can wait.
 */
static int chunk_sequences(const Config *config, size_t n_parameters) {
    const double per_sequence = (double)config->seq_len * (double)n_parameters;
    const double by_work = CHUNK_MULTIPLY_ADDS / per_sequence;
    int chunk = CHUNK_TOKENS / config->seq_len;
    if (by_work < (double)chunk)
        chunk = (int)by_work;
    if (chunk < 1)
        chunk = 1;
    return chunk < config->batch_size ? chunk : config->batch_size;
}

/* Points everything in *session into the arena. */
static void layout(Session *session, Arena *arena, const Config *config) {
    const ModelShape shape = model_shape(config);
    size_t T = (size_t)config->seq_len;
    size_t V = (size_t)config->vocab_size;

    params_clear(&session->params);
    model_define(&session->model, &session->params, arena, &shape);
    session->chunk = chunk_sequences(config, session->params.n_values);
    size_t N = (size_t)session->chunk * T;
    params_layout(&session->params, arena);
    adam_layout(&session->adam, arena, session->params.n_values);

    session->tokens = arena_take(arena, N, sizeof(int32_t));
    session->targets = arena_take(arena, N, sizeof(int32_t));
    model_activations_layout(&session->acts, arena, &session->model, session->chunk, false);
    model_workspace_layout(&session->work, arena, &session->model, session->chunk);
    session->probs = ARENA_FLOATS(arena, N * V);
    session->scratch = ARENA_FLOATS(arena, model_scratch_size(&session->model));

    session->seen_tokens = arena_take(arena, T, sizeof(int32_t));
    model_activations_layout(&session->seen, arena, &session->model, 1, true);
    session->seen_probs = ARENA_FLOATS(arena, T * V);
}

static uint64_t batch_draw_count(const Config *config) {
    return config->task == TASK_NEXT_TOKEN
               ? task_draw_next_count(config->period, config->batch_size, config->seq_len)
               : task_draw_count(config->batch_size, config->seq_len);
}

Status session_create(Session **session, const Config *config, SessionError *error) {
    *session = NULL;
    *error = (SessionError){config_check(config), 0};
    if (error->config.status != STATUS_OK)
        return error->config.status;

    Session draft;
    Arena measure = arena_measure();
    arena_take(&measure, 1, sizeof(Session));
    layout(&draft, &measure, config);
    error->n_bytes = measure.used;
    if (measure.used > SESSION_MAX_BYTES)
        return STATUS_MEMORY_LIMIT;
    Arena arena = arena_create(measure.used);
    if (arena.base == NULL)
        return STATUS_OUT_OF_MEMORY;

    Session *made = arena_take(&arena, 1, sizeof(Session));
    layout(made, &arena, config);
    made->arena = arena;
    made->n_bytes = measure.used;
    made->config = *config;
    Rng init_rng;
    rng_seed(&init_rng, config->init_seed);
    model_init(&made->model, &init_rng);
    rng_seed(&made->data_rng, config->data_seed);
    made->skip_left = (uint64_t)config->skip_batches * batch_draw_count(config);
    *session = made;
    return STATUS_OK;
}

void session_destroy(Session *session) {
    if (session == NULL)
        return;
    Arena arena = session->arena; /* the session lies in its own arena */
    arena_destroy(&arena);
}

void session_draw(const Session *session, Rng *rng, int32_t *tokens, int32_t *targets, int B) {
    const Config *config = &session->config;
    const int T = config->seq_len, V = config->vocab_size;
    if (config->task == TASK_NEXT_TOKEN) {
        task_draw_next(tokens, targets, rng, config->period, B, T, V);
    } else {
        task_draw(tokens, rng, B, T, V);
        task_targets(targets, tokens, (Task)config->task, B, T);
    }
}

/* The symbol with the largest logit; the first of equals. */
static int predicted_symbol(const float *logits, int V) {
    int best = 0;
    for (int v = 1; v < V; v++) {
        if (logits[v] > logits[best])
            best = v;
    }
    return best;
}

/* Reads the drawn chunk, adds its measurements to the tally; probs is ready for backward. */
static void measure_chunk(Session *session, Tally *tally, int B) {
    const int T = session->config.seq_len, V = session->config.vocab_size;
    model_forward(&session->model, &session->acts, session->scratch, session->tokens, B);
    for (int b = 0; b < B; b++) {
        int right = 0;
        for (int t = 0; t < T; t++) {
            const int n = b * T + t;
            const float *logits_n = session->acts.logits + n * V;
            double loss =
                cross_entropy_forward(session->probs + n * V, logits_n, session->targets + n, 1, V);
            bool is_right = predicted_symbol(logits_n, V) == session->targets[n];
            tally->loss += loss;
            tally->position_loss[t] += loss;
            tally->position_digits[t] += is_right;
            right += is_right;
        }
        tally->digits += right;
        tally->sequences += right == T;
    }
    tally->n_sequences += B;
}

static void write_metrics(SessionMetrics *metrics, const Tally *tally, const Session *session,
                          float grad_norm) {
    const int T = session->config.seq_len;
    memset(metrics, 0, sizeof *metrics);
    metrics->step = session->step;
    metrics->n_sequences = tally->n_sequences;
    metrics->n_digits = tally->n_sequences * T;
    metrics->digits = tally->digits;
    metrics->sequences = tally->sequences;
    metrics->loss = (float)(tally->loss / ((double)tally->n_sequences * (double)T));
    metrics->grad_norm = grad_norm;
    for (int t = 0; t < T; t++) {
        metrics->position_digits[t] = tally->position_digits[t];
        metrics->position_loss[t] = (float)(tally->position_loss[t] / tally->n_sequences);
    }
}

static float gradient_norm(const ParameterTable *params) {
    double sum = 0.0;
    for (size_t i = 0; i < params->n_values; i++) {
        sum += (double)params->grads[i] * (double)params->grads[i];
    }
    return (float)sqrt(sum);
}

/* Forward and backward of the next chunk of the batch; gradients add up over the batch. */
static void train_chunk(Session *session) {
    const Config *config = &session->config;
    const int B = session->batch_left < session->chunk ? session->batch_left : session->chunk;
    const int N = B * config->seq_len;
    const float share = (float)(1.0 / ((double)config->batch_size * (double)config->seq_len));
    session_draw(session, &session->data_rng, session->tokens, session->targets, B);
    measure_chunk(session, &session->batch_tally, B);
    cross_entropy_backward(session->probs, session->probs, session->targets, share, N,
                           config->vocab_size);
    model_backward(&session->model, &session->acts, &session->work, session->scratch,
                   session->probs, session->tokens, B);
    session->batch_left -= B;
}

/* Throws away a part of the batches to be skipped; false while some are left. */
static bool skip_batches(Session *session) {
    const uint64_t n = session->skip_left < SKIP_DRAWS ? session->skip_left : SKIP_DRAWS;
    rng_skip(&session->data_rng, n);
    session->skip_left -= n;
    return session->skip_left == 0;
}

int session_step_advance(Session *session, int n_sequences, SessionMetrics *metrics) {
    if (session->batch_left == 0) {
        session->batch_left = session->config.batch_size;
        session->batch_tally = (Tally){0};
        params_zero_grads(&session->params);
    }
    if (!skip_batches(session))
        return session->batch_left;
    for (int done = 0; done < n_sequences && session->batch_left > 0; done += session->chunk) {
        train_chunk(session);
    }
    if (session->batch_left > 0)
        return session->batch_left;
    adam_step(&session->adam, session->params.values, session->params.grads,
              session->config.learning_rate);
    session->step++;
    write_metrics(metrics, &session->batch_tally, session, gradient_norm(&session->params));
    return 0;
}

void session_step(Session *session, SessionMetrics *metrics) {
    while (session_step_advance(session, session->config.batch_size, metrics) > 0)
        continue;
}

void session_evaluate_begin(Session *session, uint32_t seed, int n_sequences) {
    rng_seed(&session->test_rng, seed);
    session->test_left = n_sequences;
    session->test_tally = (Tally){0};
}

int session_evaluate_advance(Session *session, int n_sequences, SessionMetrics *metrics) {
    assert(session->test_left > 0);
    int done = 0;
    while (done < n_sequences && session->test_left > 0) {
        int B = session->test_left < session->chunk ? session->test_left : session->chunk;
        session_draw(session, &session->test_rng, session->tokens, session->targets, B);
        measure_chunk(session, &session->test_tally, B);
        session->test_left -= B;
        done += B;
    }
    if (session->test_left == 0)
        write_metrics(metrics, &session->test_tally, session, 0.0f);
    return session->test_left;
}

void session_predict(Session *session, const int32_t *tokens, float *logits) {
    const int T = session->config.seq_len, V = session->config.vocab_size;
    memcpy(session->seen_tokens, tokens, (size_t)T * sizeof *tokens);
    model_forward(&session->model, &session->seen, session->scratch, session->seen_tokens, 1);
    for (int t = 0; t < T; t++) {
        softmax_forward(session->seen_probs + t * V, session->seen.logits + t * V, V);
    }
    memcpy(logits, session->seen.logits, (size_t)(T * V) * sizeof *logits);
}

/*
 * One backward pass for every logit: with a 1 at logit (i, v) the gradient that arrives at the
 * input is one row of the Jacobian.
 */
void session_sensitivity_row(Session *session, int i, float *norms) {
    const int T = session->config.seq_len, V = session->config.vocab_size;
    const int D = session->config.d_model;
    double squares[SESSION_MAX_SEQ_LEN] = {0.0};
    assert(session->batch_left == 0);
    for (int v = 0; v < V; v++) {
        memset(session->probs, 0, (size_t)(T * V) * sizeof(float));
        session->probs[i * V + v] = 1.0f;
        model_backward(&session->model, &session->seen, &session->work, session->scratch,
                       session->probs, session->seen_tokens, 1);
        const float *grad = model_input_grad(&session->model, &session->work);
        for (int n = 0; n < T * D; n++)
            squares[n / D] += (double)grad[n] * (double)grad[n];
    }
    for (int j = 0; j < T; j++)
        norms[j] = (float)sqrt(squares[j]);
    params_zero_grads(&session->params);
}

void session_mute_head(Session *session, int layer, int head, bool muted) {
    assert(session->model.kind == MODEL_TRANSFORMER);
    assert(layer >= 0 && layer < session->config.n_layers);
    assert(head >= 0 && head < session->config.n_heads);
    unsigned *mask = &session->model.transformer.layers[layer].attention.muted;
    *mask = muted ? *mask | 1u << head : *mask & ~(1u << head);
}

void session_show(const Session *session, const TensorSink *sink) {
    const int T = session->config.seq_len;
    model_show(&session->model, &session->seen, 1, sink);
    tensor_show(sink, "", "probs", session->seen_probs, 3,
                (int[]){1, T, session->config.vocab_size});
}
