#include "core/handles.h"

#include <stddef.h>

/* A handle is generation * HANDLES_MAX + index; generations start at 1 and begin again here. */
#define LAST_GENERATION (0x7fffffff / HANDLES_MAX)

int handles_add(HandleTable *table, HandleKind kind, void *object) {
    for (int i = 0; i < HANDLES_MAX; i++) {
        if (table->slots[i].kind != HANDLE_FREE)
            continue;
        int generation = table->slots[i].generation % (LAST_GENERATION - 1) + 1;
        table->slots[i].object = object;
        table->slots[i].kind = kind;
        table->slots[i].generation = generation;
        return generation * HANDLES_MAX + i;
    }
    return 0;
}

void *handles_get(const HandleTable *table, HandleKind kind, int handle) {
    if (handle <= 0)
        return NULL;
    int index = handle % HANDLES_MAX;
    if (table->slots[index].kind != kind)
        return NULL;
    if (table->slots[index].generation != handle / HANDLES_MAX)
        return NULL;
    return table->slots[index].object;
}

void *handles_remove(HandleTable *table, HandleKind kind, int handle) {
    void *object = handles_get(table, kind, handle);
    if (object == NULL)
        return NULL;
    table->slots[handle % HANDLES_MAX].kind = HANDLE_FREE;
    table->slots[handle % HANDLES_MAX].object = NULL;
    return object;
}

int handles_count(const HandleTable *table, HandleKind kind) {
    int count = 0;
    for (int i = 0; i < HANDLES_MAX; i++)
        count += table->slots[i].kind == kind;
    return count;
}
