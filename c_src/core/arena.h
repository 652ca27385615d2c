/*
 * One block of memory, handed out from front to back and freed whole.
 *
 * The layout function of an owner runs twice over the same code: first on a measuring arena
 * (arena_measure), which has no memory and only counts, then on one with that many bytes. So
 * what is measured cannot differ from what is laid out.
 */
#ifndef ATTN_CORE_ARENA_H
#define ATTN_CORE_ARENA_H

#include <stddef.h>

typedef struct {
    char *base; /* NULL while measuring */
    size_t used;
    size_t capacity;
} Arena;

/* An arena that counts and returns NULL for everything. */
Arena arena_measure(void);

/* Zeroed memory of `capacity` bytes; base is NULL when the heap has none. */
Arena arena_create(size_t capacity);
void arena_destroy(Arena *arena);

/* `count` items of `size` bytes, 16-byte aligned; NULL while measuring. */
void *arena_take(Arena *arena, size_t count, size_t size);

#define ARENA_FLOATS(arena, count) ((float *)arena_take((arena), (size_t)(count), sizeof(float)))

#endif
