#include <cjson/cJSON.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/json.h"
#include "support.h"

TEST(commas_stand_between_values_and_nowhere_else) {
    JsonWriter json = {0};
    json_begin(&json);
    json_open(&json, '{');
    json_key(&json, "a");
    json_open(&json, '[');
    json_int(&json, 1);
    json_raw(&json, "2.5e-3");
    json_string(&json, "x");
    json_open(&json, '[');
    json_close(&json, ']');
    json_open(&json, '{');
    json_close(&json, '}');
    json_close(&json, ']');
    json_key(&json, "b");
    json_raw(&json, "true");
    json_key(&json, "c");
    json_open(&json, '{');
    json_key(&json, "d");
    json_int(&json, 0);
    json_close(&json, '}');
    json_close(&json, '}');
    assert_string_equal(json_end(&json),
                        "{\"a\":[1,2.5e-3,\"x\",[],{}],\"b\":true,\"c\":{\"d\":0}}");
    json_free(&json);
}

TEST(integers_are_written_to_their_ends) {
    static const long long NUMBERS[] = {0, 7, -7, 10, 4294967295, LLONG_MAX, LLONG_MIN};
    for (size_t i = 0; i < COUNT_OF(NUMBERS); i++) {
        JsonWriter json = {0};
        json_begin(&json);
        json_int(&json, NUMBERS[i]);
        char *end;
        assert_true(strtoll(json_end(&json), &end, 10) == NUMBERS[i]);
        assert_int_equal(*end, '\0');
        json_free(&json);
    }
}

TEST(a_long_text_grows_and_stays_json) {
    JsonWriter json = {0};
    json_begin(&json);
    json_open(&json, '[');
    for (int i = 0; i < 5000; i++)
        json_int(&json, i);
    json_close(&json, ']');
    cJSON *parsed = cJSON_Parse(json_end(&json));
    assert_non_null(parsed);
    assert_int_equal(cJSON_GetArraySize(parsed), 5000);
    assert_int_equal(cJSON_GetArrayItem(parsed, 4999)->valueint, 4999);
    cJSON_Delete(parsed);
    json_free(&json);
}

TEST(a_new_text_takes_the_place_of_the_old) {
    JsonWriter json = {0};
    json_begin(&json);
    json_string(&json, "a long text that the next one does not fill");
    json_begin(&json);
    json_int(&json, 3);
    assert_string_equal(json_end(&json), "3");
    json_free(&json);
    assert_null(json.text);
    json_begin(&json);
    json_int(&json, 4);
    assert_string_equal(json_end(&json), "4");
    json_free(&json);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commas_stand_between_values_and_nowhere_else),
        cmocka_unit_test(integers_are_written_to_their_ends),
        cmocka_unit_test(a_long_text_grows_and_stays_json),
        cmocka_unit_test(a_new_text_takes_the_place_of_the_old),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
