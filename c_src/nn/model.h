/*
 * A network that turns tokens into logits: the Transformer or the bidirectional LSTM. Training
 * knows no more of it than this.
 *
 * Axes: B sequences of T tokens, V = vocab_size.
 */
#ifndef ATTN_NN_MODEL_H
#define ATTN_NN_MODEL_H

#include "nn/bilstm.h"
#include "nn/transformer.h"

typedef enum { MODEL_TRANSFORMER, MODEL_BILSTM } ModelKind;

typedef struct {
    ModelKind kind;
    TransformerShape transformer; /* read where kind is MODEL_TRANSFORMER */
    BilstmShape bilstm;           /* read where kind is MODEL_BILSTM */
} ModelShape;

typedef struct {
    ModelKind kind;
    union {
        Transformer transformer;
        Bilstm bilstm;
    };
} Model;

typedef struct {
    union {
        TransformerActivations transformer;
        BilstmActivations bilstm;
    };
    float *logits; /* (B, T, V) */
} ModelActivations;

typedef union {
    TransformerWorkspace transformer;
    BilstmWorkspace bilstm;
} ModelWorkspace;

/* Enters the parameters into the table and takes constant buffers from the arena. */
void model_define(Model *model, ParameterTable *table, Arena *arena, const ModelShape *shape);

/* Draws as the constructor of PyTorch's module does. */
void model_init(const Model *model, Rng *rng);

/* keep_scores: attention keeps its scores before softmax too, for inspection. */
void model_activations_layout(ModelActivations *acts, Arena *arena, const Model *model, int B,
                              bool keep_scores);
void model_workspace_layout(ModelWorkspace *work, Arena *arena, const Model *model, int B);
size_t model_scratch_size(const Model *model);

/* Reads tokens (B, T), writes acts->logits. */
void model_forward(const Model *model, ModelActivations *acts, float *scratch,
                   const int32_t *tokens, int B);

/* Adds to the gradients of all parameters, from grad_logits (B, T, V). */
void model_backward(const Model *model, const ModelActivations *acts, ModelWorkspace *work,
                    float *scratch, const float *grad_logits, const int32_t *tokens, int B);

/* After model_backward: the gradient of the input vectors (B, T, D), embedding plus position. */
const float *model_input_grad(const Model *model, const ModelWorkspace *work);

/* Shows constant buffers and activations. */
void model_show(const Model *model, const ModelActivations *acts, int B, const TensorSink *sink);

#endif
