#include "train/adam.h"

#include <math.h>

#include "core/vec.h"

void adam_layout(Adam *adam, Arena *arena, size_t n) {
    adam->m = ARENA_FLOATS(arena, n);
    adam->v = ARENA_FLOATS(arena, n);
    adam->n = n;
    adam->beta1_power = 1.0;
    adam->beta2_power = 1.0;
}

VEC_INLINE Vec4 square_root(Vec4 x) {
    return (Vec4){sqrtf(x[0]), sqrtf(x[1]), sqrtf(x[2]), sqrtf(x[3])};
}

/* PyTorch computes these scalars in double and rounds each to float once. */
typedef struct {
    Vec4 keep1, take1, keep2, take2, root2, eps, minus_step;
} AdamScalars;

VEC_INLINE void update(float *m, float *v, float *values, const float *grads, int n,
                       const AdamScalars *s) {
    Vec4 g = vec_load_part(grads, n, 0.0f);
    Vec4 m_new = vec_load_part(m, n, 0.0f) * s->keep1 + g * s->take1;
    Vec4 v_new = vec_load_part(v, n, 0.0f) * s->keep2 + (s->take2 * g) * g;
    Vec4 denominator = square_root(v_new) / s->root2 + s->eps;
    Vec4 p = vec_load_part(values, n, 0.0f) + (s->minus_step * m_new) / denominator;
    vec_store_part(m, m_new, n);
    vec_store_part(v, v_new, n);
    vec_store_part(values, p, n);
}

void adam_step(Adam *adam, float *values, const float *grads, float learning_rate) {
    adam->beta1_power *= ADAM_BETA1;
    adam->beta2_power *= ADAM_BETA2;
    double step_size = (double)learning_rate / (1.0 - adam->beta1_power);
    const AdamScalars scalars = {
        .keep1 = vec_splat((float)ADAM_BETA1),
        .take1 = vec_splat((float)(1.0 - ADAM_BETA1)),
        .keep2 = vec_splat((float)ADAM_BETA2),
        .take2 = vec_splat((float)(1.0 - ADAM_BETA2)),
        .root2 = vec_splat((float)sqrt(1.0 - adam->beta2_power)),
        .eps = vec_splat((float)ADAM_EPS),
        .minus_step = vec_splat((float)-step_size),
    };
    size_t i = 0;
    for (; i + VEC_LANES <= adam->n; i += VEC_LANES) {
        update(adam->m + i, adam->v + i, values + i, grads + i, VEC_LANES, &scalars);
    }
    if (i < adam->n) {
        update(adam->m + i, adam->v + i, values + i, grads + i, (int)(adam->n - i), &scalars);
    }
}
