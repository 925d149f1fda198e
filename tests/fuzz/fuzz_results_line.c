/* Lines of files of points from anywhere: what counts as whole says which point of how many it is, and is
 * what was signed: signed once more it is the same line. */
#include "reports/results/results_line.h"
#include "tests/fuzz/fuzz_target.h"

#include <string.h>

static void check_line(const char *line, size_t length, bool is_json)
{
    results_line says;
    if (!results_line_read(line, length, is_json, &says))
        return;
    CHECK(says.index < says.n_points && strlen(says.identity) == 16 && line[length - 1] == '\n');
    const char *mark = is_json ? ",\"plan\":\"" : ",";
    size_t row = length; /* where the end begins that was signed: before the last but one mark of CSV */
    for (int marks = is_json ? 1 : 2; marks; marks--) {
        CHECK(row > 0);
        do
            row--;
        while (strncmp(line + row, mark, strlen(mark)) != 0);
    }
    textbuf text;
    text_init(&text, 2 * POINTS_MOST_LINE_BYTES);
    text_add(&text, line, row);
    text_puts(&text, is_json ? "}\n" : "\n");
    results_line_sign(&text, 0, is_json, says.identity, says.n_points);
    CHECK(!text.failed && text.length == length && memcmp(text.bytes, line, length) == 0);
    text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    const bool is_json = data[0] == 'j';
    const char *at = (const char *)data + 1, *end = at + size - 1;
    while (at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        const size_t length = line_end ? (size_t)(line_end - at) + 1 : (size_t)(end - at);
        char *line = malloc(length + 1); /* a copy of its own size, for AddressSanitizer */
        CHECK(line);
        memcpy(line, at, length);
        line[length] = '\0';
        check_line(line, length, is_json);
        free(line);
        at += length;
    }
    return 0;
}
