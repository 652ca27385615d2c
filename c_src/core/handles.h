/*
 * Numbers that stand for live objects outside C. A handle carries the index of its slot and the
 * slot's generation, so that a number whose object is gone is refused even after the slot is used
 * again. A handle is never a pointer: a freed address can come back.
 */
#ifndef ATTN_CORE_HANDLES_H
#define ATTN_CORE_HANDLES_H

#define HANDLES_MAX 64

typedef enum { HANDLE_FREE, HANDLE_SESSION, HANDLE_JOB, HANDLE_COST } HandleKind;

typedef struct {
    struct {
        void *object;
        HandleKind kind;
        int generation;
    } slots[HANDLES_MAX];
} HandleTable;

/* A handle > 0; 0 when every slot is taken. */
int handles_add(HandleTable *table, HandleKind kind, void *object);

/* The object; NULL for a handle that is not alive or of another kind. */
void *handles_get(const HandleTable *table, HandleKind kind, int handle);

/* Frees the slot and returns the object; NULL as handles_get. */
void *handles_remove(HandleTable *table, HandleKind kind, int handle);

/* Live objects of a kind. */
int handles_count(const HandleTable *table, HandleKind kind);

#endif
