#include "golden.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count > 0 ? count : 1, size);
    assert_non_null(memory);
    return memory;
}

static char *read_text(const char *path) {
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        fail_msg("%s cannot be read", path);
    assert_int_equal(fseek(stream, 0, SEEK_END), 0);
    long size = ftell(stream);
    assert_true(size > 0);
    assert_int_equal(fseek(stream, 0, SEEK_SET), 0);
    char *text = allocate((size_t)size + 1, 1);
    assert_int_equal(fread(text, 1, (size_t)size, stream), size);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static Golden *make_node(const char *parent, const char *key) {
    Golden *node = allocate(1, sizeof *node);
    int length =
        snprintf(node->name, sizeof node->name, "%s%s%s", parent, *parent == '\0' ? "" : "/", key);
    assert_in_range(length, 1, GOLDEN_NAME_SIZE - 1);
    node->key = node->name + (size_t)length - strlen(key);
    return node;
}

static void read_numbers(Golden *node, const cJSON *list, int is_int) {
    node->size = (size_t)cJSON_GetArraySize(list);
    node->values = allocate(node->size, sizeof *node->values);
    node->floats = allocate(node->size, sizeof *node->floats);
    if (is_int)
        node->ints = allocate(node->size, sizeof *node->ints);
    size_t i = 0;
    for (const cJSON *item = list->child; item != NULL; item = item->next, i++) {
        node->values[i] = item->valuedouble;
        node->floats[i] = (float)item->valuedouble;
        if (is_int)
            node->ints[i] = (int32_t)item->valuedouble;
    }
}

static void read_tensor(Golden *node, const cJSON *json) {
    const cJSON *dtype = cJSON_GetObjectItemCaseSensitive(json, "dtype");
    const cJSON *max = cJSON_GetObjectItemCaseSensitive(json, "max");
    read_numbers(node, cJSON_GetObjectItemCaseSensitive(json, "data"),
                 strcmp(dtype->valuestring, "int64") == 0);
    node->max = max == NULL ? 0.0 : max->valuedouble;
    size_t size = 1;
    const cJSON *length = cJSON_GetObjectItemCaseSensitive(json, "shape")->child;
    for (; length != NULL; length = length->next) {
        assert_in_range(node->n_dims, 0, GOLDEN_MAX_DIMS - 1);
        node->shape[node->n_dims++] = length->valueint;
        size *= (size_t)length->valueint;
    }
    assert_int_equal(node->size, size);
}

static Golden *convert(const cJSON *json, const char *parent, const char *key);

static void read_children(Golden *node, const cJSON *json) {
    Golden **end = &node->first;
    int index = 0;
    for (const cJSON *item = json->child; item != NULL; item = item->next, index++) {
        char number[12];
        (void)snprintf(number, sizeof number, "%d", index);
        *end = convert(item, node->name, item->string == NULL ? number : item->string);
        end = &(*end)->next;
    }
}

/* NOLINTNEXTLINE(misc-no-recursion): a tree of known, small depth */
static Golden *convert(const cJSON *json, const char *parent, const char *key) {
    Golden *node = make_node(parent, key);
    if (cJSON_IsObject(json) && cJSON_GetObjectItemCaseSensitive(json, "data") != NULL) {
        read_tensor(node, json);
    } else if (cJSON_IsArray(json) && cJSON_IsNumber(json->child)) {
        read_numbers(node, json, 0);
        node->n_dims = 1;
        node->shape[0] = (int)node->size;
    } else if (cJSON_IsObject(json) || cJSON_IsArray(json)) {
        read_children(node, json);
    } else if (cJSON_IsString(json)) {
        node->text = allocate(strlen(json->valuestring) + 1, 1);
        strcpy(node->text, json->valuestring);
    } else {
        node->size = 1;
        node->values = allocate(1, sizeof *node->values);
        node->floats = allocate(1, sizeof *node->floats);
        node->values[0] = cJSON_IsBool(json) ? cJSON_IsTrue(json) : json->valuedouble;
        node->floats[0] = (float)node->values[0];
    }
    return node;
}

Golden *golden_open(const char *file) {
    const char *folder = getenv("ATTN_GOLDEN");
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", folder == NULL ? "tests/golden" : folder, file);
    char *text = read_text(path);
    cJSON *json = cJSON_Parse(text);
    if (json == NULL) {
        fail_msg("%s is no JSON", path);
        return NULL;
    }
    free(text);
    Golden *root = convert(json, "", file);
    cJSON_Delete(json);
    return root;
}

/* NOLINTNEXTLINE(misc-no-recursion) */
void golden_close(Golden *root) {
    while (root->first != NULL) {
        Golden *child = root->first;
        root->first = child->next;
        golden_close(child);
    }
    free(root->values);
    free(root->floats);
    free(root->ints);
    free(root->text);
    free(root);
}

const Golden *golden_follow(const Golden *node, const char *const *keys) {
    for (; *keys != NULL; keys++) {
        const Golden *child = node->first;
        while (child != NULL && strcmp(child->key, *keys) != 0)
            child = child->next;
        if (child == NULL)
            fail_msg("%s has no %s", node->name, *keys);
        node = child;
    }
    return node;
}

double golden_number(const Golden *node, const char *key) {
    const Golden *number = golden_at(node, key);
    assert_int_equal(number->size, 1);
    return number->values[0];
}

double golden_max(const Golden *node) {
    if (!(node->max > 0.0))
        fail_msg("%s names no largest value", node->name);
    return node->max;
}

void check_golden_near(const char *file, int line, const float *got, const Golden *node,
                       double bound) {
    check_floats_near(file, line, node->name, got, node->floats, node->size, bound);
}

void check_golden_ints(const char *file, int line, const int32_t *got, const Golden *node) {
    assert_non_null(node->ints);
    for (size_t i = 0; i < node->size; i++) {
        if (got[i] == node->ints[i])
            continue;
        print_error("%s[%zu]: expected %d, got %d\n", node->name, i, node->ints[i], got[i]);
        _fail(file, line);
    }
}

void golden_read_params(ParameterTable *table, const Golden *node) {
    for (int i = 0; i < table->n; i++) {
        const Golden *tensor = golden_at(node, table->items[i].name);
        assert_int_equal(tensor->size, table->items[i].size);
        memcpy(table->items[i].value, tensor->floats, tensor->size * sizeof *tensor->floats);
    }
}

void assert_golden_grads(const ParameterTable *table, const Golden *node, const char *prefix) {
    for (int i = 0; i < table->n; i++) {
        char name[PARAMETER_NAME_SIZE + 8];
        (void)snprintf(name, sizeof name, "%s%s", prefix, table->items[i].name);
        const Golden *tensor = golden_at(node, name);
        assert_int_equal(tensor->size, table->items[i].size);
        assert_golden(table->items[i].grad, tensor);
    }
}
