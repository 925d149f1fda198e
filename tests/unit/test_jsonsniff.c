/* What a file says that it is: the schema of a document, found without reading the rest, in files that may be
 * anything. */
#include "core/json/jsonsniff.h"
#include "roofline/graph.h"
#include "tests/unit/fixture.h"
#include "tests/unit/folder.h"

#include <sys/stat.h>

static const char *written(const char *text, size_t length)
{
    const char *path = in_folder("file");
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, length, f), length);
    assert_int_equal(fclose(f), 0);
    return path;
}

typedef struct sniffing {
    const char *text;
    bool is_json;
    roof_status status;
    const char *schema;
} sniffing;

static const sniffing files[] = {
    {"", false, ROOF_E_DATA, ""},
    {"\x0a\x0b xmodel", false, ROOF_E_DATA, ""},
    {"[1]", false, ROOF_OK, ""},
    {" \t\r\n{}", true, ROOF_OK, ""},
    {"\xef\xbb\xbf{\"schema\":\"a/1\"}", true, ROOF_OK, "a/1"},
    {"{\"schema\":\"roofline.measured/1\",", true, ROOF_OK, "roofline.measured/1"}, /* the rest is not read */
    {"{\"a\":{\"schema\":\"inner\"},\"b\":[[1,{}]],\"schema\":\"outer\"}", true, ROOF_OK, "outer"},
    {"{\"a\":{\"schema\":\"inner\"}}", true, ROOF_OK, ""},
    {"{\"schema\":5,\"schema\":\"later\"}", true, ROOF_OK, ""},
    {"{\"schema\":{\"schema\":\"x\"}}", true, ROOF_OK, ""},
    {"{\"schema\"", true, ROOF_E_DATA, ""},
    {"{\"a\":[1,", true, ROOF_E_DATA, ""},
    {"{\"schema\":\"a very long name that is cut\"}", true, ROOF_OK, "a very long name th"},
};

static void schemas_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(files); i++) {
        char schema[20] = "unset";
        roof_error err;
        const char *path = written(files[i].text, strlen(files[i].text));
        roof_status status = roof_document_schema(path, schema, sizeof schema, &err);
        if (status != files[i].status || strcmp(schema, files[i].schema) != 0)
            fail_msg("%s: status %d, '%s', want %d, '%s'", files[i].text, (int)status, schema,
                     (int)files[i].status, files[i].schema);
        assert_int_equal(json_begins(path), files[i].is_json);
    }
    unlink(in_folder("file"));
}

/* Blanks for ever, brackets without an end, a folder, a FIFO, nothing at all. */
static void odd_files_are_no_trouble(void **state)
{
    char schema[16];
    roof_error err;
    char *many = malloc(1 << 20);
    (void)state;
    assert_non_null(many);
    memset(many, ' ', 1 << 20);
    assert_false(json_begins(written(many, 1 << 20)));
    memset(many, '[', 1 << 20);
    memcpy(many, "{\"a\":", 5);
    assert_int_equal(roof_document_schema(written(many, 1 << 20), schema, sizeof schema, &err), ROOF_E_LIMIT);
    free(many);
    assert_false(json_begins(folder));
    assert_int_equal(roof_document_schema(folder, schema, sizeof schema, &err), ROOF_E_NO_INPUT);
    assert_int_equal(unlink(in_folder("file")), 0);
    assert_false(json_begins(in_folder("file")));
    assert_int_equal(mkfifo(in_folder("file"), 0600), 0);
    assert_false(json_begins(in_folder("file")));
    unlink(in_folder("file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemas_are_found),
        cmocka_unit_test(odd_files_are_no_trouble),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
