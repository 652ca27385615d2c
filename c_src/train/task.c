#include "train/task.h"

#include <stddef.h>

void task_draw(int32_t *tokens, Rng *rng, int B, int T, int V) {
    rng_randint(rng, 0, V, tokens, (size_t)B * (size_t)T);
}

uint64_t task_draw_count(int B, int T) { return (uint64_t)B * (uint64_t)T; }

void task_draw_next(int32_t *tokens, int32_t *targets, Rng *rng, int period, int B, int T, int V) {
    for (int b = 0; b < B; b++) {
        int32_t *x_b = tokens + (size_t)b * (size_t)T;
        int32_t *y_b = targets + (size_t)b * (size_t)T;
        /* Token t, 0 <= t <= T: the first of a period are drawn, the others stand there already. */
        for (int t = 0; t <= T; t++) {
            int32_t token;
            if (period > 0 && t >= period) {
                token = x_b[t - period];
            } else {
                rng_randint(rng, 0, V, &token, 1);
            }
            if (t < T)
                x_b[t] = token;
            if (t > 0)
                y_b[t - 1] = token;
        }
    }
}

uint64_t task_draw_next_count(int period, int B, int T) {
    int drawn = period > 0 && period <= T ? period : T + 1;
    return (uint64_t)B * (uint64_t)drawn;
}

/* Counting sort: tokens are few and small. */
static void sort_tokens(int32_t *targets, const int32_t *tokens, int T) {
    int count[TASK_MAX_VOCAB] = {0};
    for (int t = 0; t < T; t++)
        count[tokens[t]]++;
    int t = 0;
    for (int v = 0; v < TASK_MAX_VOCAB; v++) {
        for (int i = 0; i < count[v]; i++)
            targets[t++] = v;
    }
}

void task_targets(int32_t *targets, const int32_t *tokens, Task task, int B, int T) {
    for (int b = 0; b < B; b++) {
        const int32_t *x_b = tokens + (size_t)b * (size_t)T;
        int32_t *y_b = targets + (size_t)b * (size_t)T;
        if (task == TASK_SORT) {
            sort_tokens(y_b, x_b, T);
            continue;
        }
        for (int t = 0; t < T; t++) {
            if (task == TASK_REVERSE)
                y_b[t] = x_b[T - 1 - t];
            if (task == TASK_COPY)
                y_b[t] = x_b[t];
            if (task == TASK_SHIFT)
                y_b[t] = x_b[(t + T - 1) % T];
            if (task == TASK_NEXT_TOKEN)
                y_b[t] = t + 1 < T ? x_b[t + 1] : TASK_UNKNOWN;
        }
    }
}
