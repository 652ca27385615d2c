/*
 * A named view of floats inside a model, for inspection. A model shows its activations to a sink,
 * one call a tensor; nothing is copied.
 */
#ifndef ATTN_NN_TENSOR_H
#define ATTN_NN_TENSOR_H

#define TENSOR_NAME_SIZE 64
#define TENSOR_MAX_DIMS 4

typedef struct {
    char name[TENSOR_NAME_SIZE];
    int n_dims;
    int shape[TENSOR_MAX_DIMS]; /* row-major */
    const float *data;
} Tensor;

typedef struct {
    void (*receive)(void *context, const Tensor *tensor);
    void *context;
} TensorSink;

/* Shows the tensor named prefix + name to the sink; shape has n_dims numbers. */
void tensor_show(const TensorSink *sink, const char *prefix, const char *name, const float *data,
                 int n_dims, const int *shape);

#endif
