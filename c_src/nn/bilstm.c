#include "nn/bilstm.h"

#include "nn/init.h"
#include "ops/embedding.h"
#include "ops/linear.h"

static Lstm direction(const BilstmShape *shape, bool reverse) {
    return (Lstm){.seq_len = shape->seq_len,
                  .d_input = shape->d_model,
                  .d_hidden = shape->d_hidden,
                  .reverse = reverse};
}

void bilstm_define(Bilstm *model, ParameterTable *table, const BilstmShape *shape) {
    model->shape = *shape;
    model->emb_weight =
        params_add_matrix(table, "emb.", "weight", shape->vocab_size, shape->d_model);
    model->forward = direction(shape, false);
    lstm_define(&model->forward, table, "rnn.");
    model->backward = direction(shape, true);
    lstm_define(&model->backward, table, "rnn.");
    model->out_weight =
        params_add_matrix(table, "out.", "weight", shape->vocab_size, 2 * shape->d_hidden);
    model->out_bias = params_add_vector(table, "out.", "bias", shape->vocab_size);
}

void bilstm_init(const Bilstm *model, Rng *rng) {
    init_embedding(model->emb_weight, rng);
    lstm_init(&model->forward, rng);
    lstm_init(&model->backward, rng);
    init_linear(model->out_weight, model->out_bias, rng);
}

void bilstm_activations_layout(BilstmActivations *acts, Arena *arena, const Bilstm *model, int B) {
    const BilstmShape *shape = &model->shape;
    size_t N = (size_t)B * (size_t)shape->seq_len;
    acts->emb = ARENA_FLOATS(arena, N * (size_t)shape->d_model);
    lstm_layout(&acts->forward, arena, &model->forward, B);
    lstm_layout(&acts->backward, arena, &model->backward, B);
    acts->h = ARENA_FLOATS(arena, N * 2 * (size_t)shape->d_hidden);
    acts->logits = ARENA_FLOATS(arena, N * (size_t)shape->vocab_size);
}

void bilstm_workspace_layout(BilstmWorkspace *work, Arena *arena, const Bilstm *model, int B) {
    size_t N = (size_t)B * (size_t)model->shape.seq_len;
    work->grad_h = ARENA_FLOATS(arena, N * 2 * (size_t)model->shape.d_hidden);
    work->grad_emb = ARENA_FLOATS(arena, N * (size_t)model->shape.d_model);
    lstm_workspace_layout(&work->lstm, arena, &model->forward, B);
}

size_t bilstm_scratch_size(const Bilstm *model) {
    size_t layer = lstm_scratch_size(&model->forward);
    size_t read_out = (size_t)model->shape.vocab_size * 2 * (size_t)model->shape.d_hidden;
    return layer > read_out ? layer : read_out;
}

void bilstm_forward(const Bilstm *model, BilstmActivations *acts, float *scratch,
                    const int32_t *tokens, int B) {
    const BilstmShape *shape = &model->shape;
    const int N = B * shape->seq_len, H = shape->d_hidden;
    embedding_forward(acts->emb, tokens, model->emb_weight->value, N, shape->d_model);
    lstm_forward(&model->forward, &acts->forward, acts->h, 2 * H, scratch, acts->emb, B);
    lstm_forward(&model->backward, &acts->backward, acts->h + H, 2 * H, scratch, acts->emb, B);
    linear_forward(acts->logits, scratch, acts->h, model->out_weight->value, model->out_bias->value,
                   N, 2 * H, shape->vocab_size);
}

void bilstm_backward(const Bilstm *model, const BilstmActivations *acts, BilstmWorkspace *work,
                     const float *grad_logits, const int32_t *tokens, int B) {
    const BilstmShape *shape = &model->shape;
    const int N = B * shape->seq_len, H = shape->d_hidden;
    linear_backward(work->grad_h, model->out_weight->grad, model->out_bias->grad, grad_logits,
                    acts->h, model->out_weight->value, N, 2 * H, shape->vocab_size);
    lstm_backward(&model->forward, &acts->forward, work->grad_emb, false, &work->lstm, work->grad_h,
                  2 * H, NULL, acts->emb, B);
    lstm_backward(&model->backward, &acts->backward, work->grad_emb, true, &work->lstm,
                  work->grad_h + H, 2 * H, NULL, acts->emb, B);
    embedding_backward(model->emb_weight->grad, work->grad_emb, tokens, N, shape->d_model);
}

static void show_direction(const LstmActivations *acts, const Lstm *lstm, const char *prefix, int B,
                           const TensorSink *sink) {
    const int T = lstm->seq_len, H = lstm->d_hidden;
    tensor_show(sink, prefix, ".gates", acts->gates, 3, (int[]){B, T, 4 * H});
    tensor_show(sink, prefix, ".c", acts->c, 3, (int[]){B, T, H});
}

void bilstm_show(const Bilstm *model, const BilstmActivations *acts, int B,
                 const TensorSink *sink) {
    const BilstmShape *shape = &model->shape;
    const int T = shape->seq_len;
    tensor_show(sink, "", "emb", acts->emb, 3, (int[]){B, T, shape->d_model});
    show_direction(&acts->forward, &model->forward, "rnn.forward", B, sink);
    show_direction(&acts->backward, &model->backward, "rnn.backward", B, sink);
    tensor_show(sink, "", "rnn", acts->h, 3, (int[]){B, T, 2 * shape->d_hidden});
    tensor_show(sink, "", "logits", acts->logits, 3, (int[]){B, T, shape->vocab_size});
}
