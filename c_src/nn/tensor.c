#include "nn/tensor.h"

#include <assert.h>
#include <string.h>

void tensor_show(const TensorSink *sink, const char *prefix, const char *name, const float *data,
                 int n_dims, const int *shape) {
    Tensor tensor = {.n_dims = n_dims, .data = data};
    assert(n_dims <= TENSOR_MAX_DIMS);
    assert(strlen(prefix) + strlen(name) < TENSOR_NAME_SIZE);
    strcpy(tensor.name, prefix);
    strcat(tensor.name, name);
    memcpy(tensor.shape, shape, (size_t)n_dims * sizeof *shape);
    sink->receive(sink->context, &tensor);
}
