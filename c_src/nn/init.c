#include "nn/init.h"

#include <math.h>

void init_embedding(Parameter *weight, Rng *rng) { rng_randn(rng, weight->value, weight->size); }

void init_linear(Parameter *weight, Parameter *bias, Rng *rng) {
    double bound = 1.0 / sqrt((double)weight->shape[1]);
    rng_uniform(rng, -bound, bound, weight->value, weight->size);
    rng_uniform(rng, -bound, bound, bias->value, bias->size);
}

void init_xavier_uniform(Parameter *weight, Rng *rng) {
    double bound = sqrt(6.0 / ((double)weight->shape[0] + (double)weight->shape[1]));
    rng_uniform(rng, -bound, bound, weight->value, weight->size);
}

static void fill(Parameter *parameter, float value) {
    for (size_t i = 0; i < parameter->size; i++)
        parameter->value[i] = value;
}

void init_layernorm(Parameter *gain, Parameter *bias) {
    fill(gain, 1.0f);
    fill(bias, 0.0f);
}

void init_zero(Parameter *parameter) { fill(parameter, 0.0f); }
