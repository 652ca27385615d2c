#include "core/arena.h"

#include <assert.h>
#include <stdlib.h>

#define ARENA_ALIGNMENT 16u

Arena arena_measure(void) { return (Arena){NULL, 0, 0}; }

Arena arena_create(size_t capacity) {
    Arena arena = {calloc(capacity, 1), 0, capacity};
    return arena;
}

void arena_destroy(Arena *arena) {
    free(arena->base);
    *arena = arena_measure();
}

void *arena_take(Arena *arena, size_t count, size_t size) {
    size_t start = arena->used;
    size_t n_bytes = (count * size + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
    arena->used = start + n_bytes;
    if (arena->base == NULL)
        return NULL;
    assert(arena->used <= arena->capacity);
    return arena->base + start;
}
