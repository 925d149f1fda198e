/* The validator itself: a schema, a document, and what it should say. */
#include "tests/schema/json_schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

typedef struct row {
    const char *schema, *document, *message; /* message NULL: valid; document NULL: the schema is wrong */
} row;

static const row rows[] = {
    {"{}", "[1]", NULL},
    {"true", "1", NULL},
    {"false", "1", "/: nothing is allowed here"},
    {"{\"type\":\"string\"}", "1", "/: want type: string"},
    {"{\"type\":[\"integer\",\"null\"]}", "null", NULL},
    {"{\"type\":[\"integer\",\"null\"]}", "1e3", NULL},
    {"{\"type\":[\"integer\",\"null\"]}", "1.5", "/: want type: integer or null"},
    {"{\"required\":[\"a\"]}", "{\"A\":1}", "/: lacks: a"},
    {"{\"exclusiveMinimum\":0}", "0", "/: is not more than the minimum"},
    {"{\"exclusiveMinimum\":0}", "0.1", NULL},
    {"{\"properties\":{\"a/b\":{\"minimum\":0}}}", "{\"a/b\":-1}", "/a~1b: is less than the minimum"},
    {"{\"maximum\":1e12}", "1e12", NULL},
    {"{\"items\":{\"maximum\":1}}", "[1,\"2\",1.5]", "/2: is more than the maximum"},
    {"{\"properties\":{\"a\":{}}}", "{\"a\":1,\"b\":1}", "/: is not described by the schema: b"},
    {"{\"properties\":{\"a\":{}},\"additionalProperties\":{}}", "{\"a\":1,\"b\":1}", NULL},
    {"{\"properties\":{\"a\":{}},\"additionalProperties\":false}", "{\"a\":1,\"b\":1}",
     "/b: nothing is allowed here"},
    {"{\"additionalProperties\":{\"type\":\"number\"}}", "{\"a\":1,\"b\":\"1\"}", "/b: want type: number"},
    {"{\"propertyNames\":{\"pattern\":\"^[a-z]$\"}}", "{\"a\":1,\"B\":1}",
     "/: has a name that does not match the pattern: B"},
    {"{\"items\":{\"type\":\"string\"}}", "[\"a\",1]", "/1: want type: string"},
    {"{\"minItems\":1,\"maxItems\":2}", "[1,2,3]", "/: has too many items"},
    {"{\"minItems\":1}", "[]", "/: has too few items"},
    {"{\"enum\":[\"a\",null,1,true]}", "true", NULL},
    {"{\"enum\":[\"a\"]}", "\"b\"", "/: is none of the values that are allowed: b"},
    {"{\"const\":\"x/1\"}", "\"x/2\"", "/: is not the constant"},
    {"{\"minLength\":1}", "\"\"", "/: is too short"},
    {"{\"pattern\":\"^0x[0-9a-f]{4}$\"}", "\"0x12ag\"", "/: does not match: ^0x[0-9a-f]{4}$"},
    {"{\"pattern\":\"^[^\\\\u0000-\\\\u001f\\\\u007f-\\\\u009f]*$\"}", "\"plain\"", NULL},
    {"{\"pattern\":\"^[^\\\\u0000-\\\\u001f\\\\u007f-\\\\u009f]*$\"}", "\"a\\tb\"",
     "/: does not match: ^[^\\u0000-\\u001f\\u007f-\\u009f]*$"},
    {"{\"oneOf\":[{\"type\":\"string\"},{\"type\":\"array\"}]}", "[]", NULL},
    {"{\"oneOf\":[{\"type\":\"number\"},{\"minimum\":0}]}", "1",
     "/: fits another number of alternatives than it should, by: oneOf"},
    {"{\"anyOf\":[{\"type\":\"number\"},{\"minimum\":0}]}", "1", NULL},
    {"{\"$defs\":{\"n\":{\"type\":\"null\"}},\"items\":{\"$ref\":\"#/$defs/n\"}}", "[null,0]",
     "/1: want type: null"},
    {"{\"$defs\":{\"n\":{\"$ref\":\"#/$defs/n\"}},\"$ref\":\"#/$defs/n\"}", "0",
     "/: schema and document are nested too deep"},
    {"{\"$defs\":{\"unused\":{\"multipleOf\":2}}}", NULL,
     "/$defs/unused/multipleOf: this keyword is not supported: multipleOf"},
    {"{\"items\":{\"$ref\":\"#/$defs/n\"}}", NULL, "/items/$ref: $ref leads nowhere: #/$defs/n"},
    {"{\"oneOf\":[1]}", NULL, "/oneOf/0: a schema is an object or a boolean"},
};

static void rows_hold(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const row *r = &rows[i];
        cJSON *schema = NULL, *document = NULL;
        roof_error err = {0};
        char message[1500] = "";
        assert_int_equal(jsontree_parse(r->schema, strlen(r->schema), NULL, &schema, &err), ROOF_OK);
        roof_status status = json_schema_check(schema, &err);
        assert_int_equal(status, r->document ? ROOF_OK : ROOF_E_DATA);
        if (r->document) {
            assert_int_equal(jsontree_parse(r->document, strlen(r->document), NULL, &document, &err),
                             ROOF_OK);
            status = json_schema_validate(schema, document, true, &err);
        }
        if (status != ROOF_OK)
            roof_error_format(&err, message, sizeof message);
        assert_string_equal(message, r->message ? r->message : "");
        cJSON_Delete(schema);
        cJSON_Delete(document);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
