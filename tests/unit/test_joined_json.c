/* Documents one after the other become an array, whatever the pieces are. */
#include "measure/import/unpack.h"
#include "tests/unit/imported.h"

static const struct {
    const char *text, *want;
} rows[] = {
    {"", ""},
    {" \n", " \n"},
    {"{}", "[{}]"},
    {"[1]", "[[1]]"},
    {"{\"a\":1}\n{\"b\":[2,{}]}\n", "[{\"a\":1}\n,{\"b\":[2,{}]}\n]"},
    {"{}{}[]", "[{},{},[]]"},
    {"\xef\xbb\xbf {}", "\xef\xbb\xbf [{}]"},
    {"{\"a\":\"}{\"}\n{\"b\":\"\\\"}{\"}", "[{\"a\":\"}{\"}\n,{\"b\":\"\\\"}{\"}]"},
    {"{\"a\":\"\\\\\"}{}", "[{\"a\":\"\\\\\"},{}]"},
    {"{} x {}", "[{} x ,{}]"}, /* which no reader takes */
    {"}{\"a\":1}", "[},{\"a\":1}]"},
    {"{\"a\":", "[{\"a\":]"},
    {"{\"a\":\"", "[{\"a\":\"]"},
};

static void documents_become_an_array_whatever_the_pieces_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t piece = 1; piece < 9; piece++)
            for (size_t room = 1; room < 9; room++) {
                im_text t = {.bytes = rows[i].text, .length = strlen(rows[i].text), .piece = piece};
                joined_json joined = {.read = im_read, .context = &t};
                char got[200] = "";
                size_t length = 0, n = 1;
                while (n) {
                    assert_true(length + room < sizeof got);
                    assert_int_equal(joined_json_read(&joined, got + length, room, &n, NULL), ROOF_OK);
                    assert_true(n <= room);
                    length += n;
                }
                got[length] = '\0';
                assert_string_equal(got, rows[i].want);
            }
}

static roof_status read_nothing(void *context, char *buffer, size_t size, size_t *got, roof_error *err)
{
    (void)context;
    (void)buffer;
    (void)size;
    *got = 0;
    return error_set(err, ROOF_E_IO, "gone");
}

static void an_input_that_fails_is_an_error(void **state)
{
    joined_json joined = {.read = read_nothing};
    char got[8];
    size_t n;
    (void)state;
    assert_int_equal(joined_json_read(&joined, got, sizeof got, &n, NULL), ROOF_E_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_become_an_array_whatever_the_pieces_are),
        cmocka_unit_test(an_input_that_fails_is_an_error),
    };
    return cmocka_run_group_tests_name("joined_json", tests, NULL, NULL);
}
