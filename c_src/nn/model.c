#include "nn/model.h"

void model_define(Model *model, ParameterTable *table, Arena *arena, const ModelShape *shape) {
    model->kind = shape->kind;
    if (shape->kind == MODEL_BILSTM) {
        bilstm_define(&model->bilstm, table, &shape->bilstm);
    } else {
        transformer_define(&model->transformer, table, &shape->transformer);
        transformer_layout(&model->transformer, arena);
    }
}

void model_init(const Model *model, Rng *rng) {
    if (model->kind == MODEL_BILSTM) {
        bilstm_init(&model->bilstm, rng);
    } else {
        transformer_init(&model->transformer, rng);
    }
}

void model_activations_layout(ModelActivations *acts, Arena *arena, const Model *model, int B,
                              bool keep_scores) {
    if (model->kind == MODEL_BILSTM) {
        bilstm_activations_layout(&acts->bilstm, arena, &model->bilstm, B);
        acts->logits = acts->bilstm.logits;
    } else {
        transformer_activations_layout(&acts->transformer, arena, &model->transformer, B,
                                       keep_scores);
        acts->logits = acts->transformer.logits;
    }
}

void model_workspace_layout(ModelWorkspace *work, Arena *arena, const Model *model, int B) {
    if (model->kind == MODEL_BILSTM) {
        bilstm_workspace_layout(&work->bilstm, arena, &model->bilstm, B);
    } else {
        transformer_workspace_layout(&work->transformer, arena, &model->transformer, B);
    }
}

size_t model_scratch_size(const Model *model) {
    return model->kind == MODEL_BILSTM ? bilstm_scratch_size(&model->bilstm)
                                       : transformer_scratch_size(&model->transformer);
}

void model_forward(const Model *model, ModelActivations *acts, float *scratch,
                   const int32_t *tokens, int B) {
    if (model->kind == MODEL_BILSTM) {
        bilstm_forward(&model->bilstm, &acts->bilstm, scratch, tokens, B);
    } else {
        transformer_forward(&model->transformer, &acts->transformer, scratch, tokens, B);
    }
}

void model_backward(const Model *model, const ModelActivations *acts, ModelWorkspace *work,
                    float *scratch, const float *grad_logits, const int32_t *tokens, int B) {
    if (model->kind == MODEL_BILSTM) {
        bilstm_backward(&model->bilstm, &acts->bilstm, &work->bilstm, grad_logits, tokens, B);
    } else {
        transformer_backward(&model->transformer, &acts->transformer, &work->transformer, scratch,
                             grad_logits, tokens, B);
    }
}

const float *model_input_grad(const Model *model, const ModelWorkspace *work) {
    return model->kind == MODEL_BILSTM ? work->bilstm.grad_emb : work->transformer.grad;
}

void model_show(const Model *model, const ModelActivations *acts, int B, const TensorSink *sink) {
    if (model->kind == MODEL_BILSTM) {
        bilstm_show(&model->bilstm, &acts->bilstm, B, sink);
    } else {
        transformer_show(&model->transformer, &acts->transformer, B, sink);
    }
}
