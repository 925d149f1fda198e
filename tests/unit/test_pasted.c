/* Texts as people paste them: what is taken off, and what has to stay. */
#include "measure/import/unpack.h"
#include "core/text.h"
#include "tests/unit/imported.h"

static void given(const char *text, size_t piece, textbuf *out)
{
    im_text t = {.bytes = text, .length = strlen(text), .piece = piece};
    pasted *p = pasted_new(im_read, &t);
    roof_error err = {0};
    size_t got = 1;
    char buffer[64];
    text_init(out, TEXT_MAX_BYTES);
    text_add(out, "", 0);
    assert_non_null(p);
    while (got) {
        if (pasted_read(p, buffer, piece ? piece : sizeof buffer, &got, &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        text_add(out, buffer, got);
    }
    pasted_free(p);
}

static void prefixes_and_frames_are_taken_off_and_tables_stay(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"05-30 13:04:39.021 25935 25935 I tflite  :   a\n05-30 13:04:39.021 1 1 W x: b\n", "  a\nb\n"},
        {"I/tflite  (25935): a\n", "a\n"},
        {"May 30 13:04:39 host prog[12]: a\n", "a\n"},
        {"2024-05-30T13:04:39.021Z host prog[12]: a\n", "a\n"},
        {"[05/08/2024-14:05:14] [I]   a\n[05/08/2024-14:05:14] [I] \n", "  a\n\n"},
        {"I1123 04:08:22.474001  1127 file.cpp:473] a\n", "a\n"},
        {"[   12.345678] a\n[0.5] stays\n", "a\n[0.5] stays\n"},
        {"D RKNN: [05:07:06.566] a\n", "a\n"},
        {"May 30 13:04:39 host kernel: [   12.345678] a\n", "a\n"},
        {"\033[0;31ma\033[0m b\n", "a b\n"},
        {"> a\n>\n> > b", "a\n\nb"},
        {"> a\nb\n", "> a\nb\n"},
        {"web-1  | a\nweb-1  |\nweb-1  |  b\n", "a\n\n b\n"},
        {"| a\n| b\n", "a\nb\n"},
        {"| a | b |\n|---|---|\n| 1 | 2 |\n", "| a | b |\n|---|---|\n| 1 | 2 |\n"},
        {"| | a | b |\n| | 1 | 2 |\n", "| a | b |\n| 1 | 2 |\n"},
        {"\xe2\x94\x82 a \xe2\x94\x82 b "
         "\xe2\x94\x82\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\xbc\xe2\x94\x80\xe2\x94\xa4\n",
         "| a | b |\n-----\n"},
        {"2024-05-30T13:04:39.0Z a\n2024-05-30T13:04:40.0Z b\n", "a\nb\n"},
        {"time a\n2024-05-30T13:04:40.0Z b\n", "time a\n2024-05-30T13:04:40.0Z b\n"},
        {"01-05-2026 10:00:00 RAM\n01-05-2026 10:00:01 RAM\n",
         "01-05-2026 10:00:00 RAM\n01-05-2026 10:00:01 RAM\n"},
        {"2024/05/30 13:04:39.021, 45.3 W\n", "2024/05/30 13:04:39.021, 45.3 W\n"},
        {"[\n{\"a\": \"> b\"}]", "[\n{\"a\": \"> b\"}]"},
        {"a\r\nb\r\n", "a\r\nb\r\n"},
        {"", ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t piece = 0; piece < 9; piece++) {
            textbuf out;
            given(rows[i].text, piece, &out);
            if (out.length != strlen(rows[i].want) || memcmp(out.bytes, rows[i].want, out.length) != 0)
                fail_msg("row %zu in pieces of %zu: '%.*s', want '%s'", i, piece, (int)out.length, out.bytes,
                         rows[i].want);
            text_free(&out);
        }
}

static void a_bracket_alone_is_no_json(void **state)
{
    static const struct {
        const char *text;
        bool want;
    } rows[] = {{"{}", true},          {" [ {", true},    {"[\"a\"", true}, {"[[", true}, {"[]", true},
                {"[ INFO ] a", false}, {"[05/08", false}, {"a", false},     {"", false}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (pasted_is_json(rows[i].text, strlen(rows[i].text)) != rows[i].want)
            fail_msg("'%s'", rows[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(prefixes_and_frames_are_taken_off_and_tables_stay),
                                       cmocka_unit_test(a_bracket_alone_is_no_json)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
