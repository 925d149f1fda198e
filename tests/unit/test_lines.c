/* Lines out of pieces of any size, and what is no text. */
#include "core/error.h"
#include "measure/import/fields.h"
#include "tests/unit/imported.h"

/* The lines that came of a text. */
typedef struct heard {
    const char *const *want; /* NULL: any lines */
    size_t n, last_length;
} heard;

static roof_status hear(void *target, const import_line *line, roof_error *err)
{
    heard *h = target;
    (void)err;
    if (h->want) {
        assert_string_equal(line->text, h->want[h->n]);
        assert_int_equal(line->length, strlen(h->want[h->n]));
    }
    assert_int_equal(line->number, ++h->n);
    h->last_length = line->length;
    return ROOF_OK;
}

static void lines_are_the_same_whatever_the_pieces_are(void **state)
{
    static const char text[] = "\xef\xbb\xbf"
                               "one\r\n\ntwo \xc3\xa4\t\x1b[1mx\nlast";
    static const char *const want[] = {"one", "", "two \xc3\xa4\t\x1b[1mx", "last"};
    (void)state;
    for (size_t piece = 1; piece < sizeof text; piece++) {
        im_text t = {.bytes = text, .length = sizeof text - 1, .piece = piece};
        heard h = {.want = want};
        assert_int_equal(lines_each(im_read, &t, hear, &h, NULL), ROOF_OK);
        assert_int_equal(h.n, COUNT(want));
    }
}

static roof_status refuse_second(void *target, const import_line *line, roof_error *err)
{
    (void)target;
    return line->number < 2 ? ROOF_OK : error_set(err, ROOF_E_DATA, "no");
}

static void an_error_gets_the_number_of_its_line(void **state)
{
    im_text t = {.bytes = "a\nb\nc\n", .length = 6};
    roof_error err = {0};
    (void)state;
    assert_int_equal(lines_each(im_read, &t, refuse_second, NULL, &err), ROOF_E_DATA);
    assert_int_equal(err.line, 2);
}

static void what_is_no_text_is_refused_with_its_line(void **state)
{
    static const struct {
        const char *bytes;
        size_t length;
        uint64_t line;
        const char *words;
    } rows[] = {
        {"a\nb\0c\n", 6, 2, "a NUL byte in column 2"},
        {"a\nb\nx\xff\n", 7, 3, "byte 0xff in column 2 is not UTF-8"},
        {"\xc3", 1, 1, "byte 0xc3"},
        {"\xed\xa0\x80", 3, 1, "byte 0xed"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        im_text t = {.bytes = rows[i].bytes, .length = rows[i].length};
        heard h = {0};
        roof_error err = {0};
        assert_int_equal(lines_each(im_read, &t, hear, &h, &err), ROOF_E_DATA);
        assert_int_equal(err.line, rows[i].line);
        assert_non_null(strstr(err.what, rows[i].words));
    }
}

static void a_line_may_have_a_mebibyte_and_no_more(void **state)
{
    (void)state;
    for (int longer = 0; longer < 2; longer++) {
        size_t length = LINE_MAX_BYTES + (size_t)longer;
        char *text = malloc(length + 3);
        assert_non_null(text);
        memcpy(text, "x\n", 2);
        memset(text + 2, 'a', length);
        text[length + 2] = '\n';
        im_text t = {.bytes = text, .length = length + 3};
        heard h = {0};
        roof_error err = {0};
        assert_int_equal(lines_each(im_read, &t, hear, &h, &err), longer ? ROOF_E_LIMIT : ROOF_OK);
        assert_int_equal(longer ? err.line : h.last_length, longer ? 2 : length);
        free(text);
    }
}

/* Else a file without a line end would be taken into memory whole. */
static roof_status read_forever(void *context, char *buffer, size_t size, size_t *got, roof_error *err)
{
    size_t *given = context;
    (void)err;
    memset(buffer, 'a', size);
    *got = size;
    *given += size;
    return ROOF_OK;
}

static void a_line_without_an_end_is_given_up_in_time(void **state)
{
    size_t given = 0;
    heard h = {0};
    (void)state;
    assert_int_equal(lines_each(read_forever, &given, hear, &h, NULL), ROOF_E_LIMIT);
    assert_true(given < 2 * (size_t)LINE_MAX_BYTES && !h.n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_the_same_whatever_the_pieces_are),
        cmocka_unit_test(an_error_gets_the_number_of_its_line),
        cmocka_unit_test(what_is_no_text_is_refused_with_its_line),
        cmocka_unit_test(a_line_may_have_a_mebibyte_and_no_more),
        cmocka_unit_test(a_line_without_an_end_is_given_up_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
