/* Files of each tool, and what is read of them: every folder tests/tools/TOOL/CASE/ is a test.
 *
 * Its files are inputs, but for these:
 *   options         a line for each of the options of an import, such as "map name=Layer,time=Mean:ms"
 *   expected.json   the document that every input of the case becomes
 *   expected.txt    of a case whose inputs are refused: a line for each, with its status and message
 * Whoever adds an input writes the expectation with ROOF_UPDATE_GOLDEN=1, and reads it. Beside that, every
 * input reads the same in pieces of any size, its document is read back as it was written, and importers of
 * other tools refuse it.
 */
#include "core/text.h"
#include "measure/import/importer.h"
#include "measure/profile/profile.h"
#include "tests/support/memory_io.h"
#include "tests/support/text_save.h"
#include "tests/unit/fixture.h"

#include <dirent.h>

enum { PATH_BYTES = 512, MOST_CASES = 1024 };

/* Who reads, when named, what is of another tool. */
static const char *const readable_by_others[][2] = {{"onnxruntime", "kineto"},
                                                    {"hailortcli", "npu_profiler"}};

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* The bytes of a file in a block of their size, which the caller frees; NULL without the file. */
static char *read_whole(const char *folder, const char *name, size_t *size)
{
    char path[2 * PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size);
    assert_true((bytes || !*size) && fread(bytes, 1, *size, file) == *size);
    fclose(file);
    return bytes;
}

/* Options point into text, whose lines are ended in place. */
static roof_import_options parse_options(const char *folder, char *text, size_t size)
{
    roof_import_options options = {0};
    const struct {
        const char *key, **value;
    } members[] = {{"from", &options.from},   {"map", &options.map},
                   {"mode", &options.mode},   {"hardware", &options.hardware},
                   {"model", &options.model}, {"power_scope", &options.power_scope}};
    for (char *line = text; line < text + size; line += strlen(line) + 1) {
        char *end = memchr(line, '\n', (size_t)(text + size - line)), *value = strchr(line, ' ');
        bool is_known = false;
        if (!end || !value || value > end)
            fail_msg("%s/options: want lines 'KEY VALUE'", folder);
        *end = *value++ = '\0';
        for (size_t i = 0; i < COUNT(members); i++)
            if (strcmp(line, members[i].key) == 0) {
                *members[i].value = value;
                is_known = true;
            }
        if (strcmp(line, "inferences") == 0)
            options.inferences = strtoull(value, NULL, 10);
        else if (!is_known)
            fail_msg("%s/options: no option '%s'", folder, line);
        line = value;
    }
    return options;
}

static void check_round_trip(const roof_measured *m, const textbuf *written)
{
    roof_measured *again = NULL;
    memory_source input = {written->bytes, written->length, 0};
    textbuf second;
    roof_error err = {0};
    if (!m->n_experiments)
        return; /* remarks alone are in no file */
    text_init(&second, TEXT_MAX_BYTES);
    if (measured_codec_read(memory_read_growing, &input, "again", &again, &err) != ROOF_OK)
        fail_msg("what is written cannot be read: %s", fx_message(&err));
    assert_int_equal(roof_measured_write(again, (roof_sink){memory_write, &second}, NULL), ROOF_OK);
    assert_string_equal(second.bytes, written->bytes);
    roof_measured_free(again);
    text_free(&second);
}

/* The document of an input, or the line that refuses it; which of them, and what tool it is of. */
typedef struct outcome {
    textbuf text;
    roof_status status;
    const char *tool; /* NULL: refused */
} outcome;

static outcome import_input(const char *name, memory_source input, const roof_import_options *options,
                            bool growing)
{
    outcome out = {.status = ROOF_OK};
    roof_measured *m = NULL;
    roof_error err = {0};
    text_init(&out.text, TEXT_MAX_BYTES);
    out.status = import_stream(growing ? memory_read_growing : memory_read, &input, name, options, &m, &err);
    if (out.status != ROOF_OK) {
        assert_null(m);
        text_printf(&out.text, "%s (%s)\n", fx_message(&err), roof_status_text(out.status));
        return out;
    }
    m->sources[0].files[0] = "input"; /* so that all inputs of a case say the same */
    for (size_t i = 0; !out.tool; i++)
        if (strcmp(roof_importer_name(i), m->sources[0].tool) == 0)
            out.tool = roof_importer_name(i);
    assert_int_equal(roof_measured_write(m, (roof_sink){memory_write, &out.text}, NULL), ROOF_OK);
    check_round_trip(m, &out.text);
    roof_measured_free(m);
    return out;
}

static void other_tools_refuse(const char *name, memory_source input, const char *tool)
{
    for (size_t i = 0; roof_importer_name(i); i++) {
        const roof_import_options options = {.from = roof_importer_name(i)};
        bool is_readable = strcmp(options.from, tool) == 0;
        for (size_t k = 0; k < COUNT(readable_by_others); k++)
            is_readable |= strcmp(readable_by_others[k][0], tool) == 0 &&
                           strcmp(readable_by_others[k][1], options.from) == 0;
        outcome other = import_input(name, input, &options, false);
        if (!is_readable && other.status == ROOF_OK)
            fail_msg("%s takes %s, which is of %s", options.from, name, tool);
        text_free(&other.text);
    }
}

/* Compares with an expectation, or writes it. */
static void expect(const char *folder, const char *name, const textbuf *got)
{
    char path[2 * PATH_BYTES];
    size_t size = 0, line = 1, at = 0;
    const char *update = getenv("ROOF_UPDATE_GOLDEN");
    char *want = read_whole(folder, name, &size);
    bool is_same = want && size == got->length && memcmp(want, got->bytes, size) == 0;
    if (!is_same && update && strcmp(update, "1") == 0) {
        snprintf(path, sizeof path, "%s/%s", folder, name);
        assert_int_equal(text_save(got, path, NULL), ROOF_OK);
        printf("rewritten: %s\n", path);
    } else if (!want) {
        fail_msg("%s/%s is missing. ROOF_UPDATE_GOLDEN=1 ctest -L golden writes it; it would be:\n%s", folder,
                 name, got->bytes);
    } else if (!is_same) {
        for (size_t i = 0; i < size && i < got->length && want[i] == got->bytes[i]; i++)
            if (want[i] == '\n') {
                line++;
                at = i + 1;
            }
        fail_msg("%s/%s differs in line %zu. If the change is meant: ROOF_UPDATE_GOLDEN=1 ctest -L golden\n"
                 "want: %.*s\ngot:  %.*s",
                 folder, name, line, (int)(size - at), want + at, (int)(got->length - at), got->bytes + at);
    }
    free(want);
}

static void a_case(void **state)
{
    const char *folder = *state;
    struct dirent **entries = NULL;
    int n = scandir(folder, &entries, is_visible, alphasort);
    size_t options_size = 0;
    char *options_text = read_whole(folder, "options", &options_size);
    const roof_import_options options =
        options_text ? parse_options(folder, options_text, options_size) : (roof_import_options){0};
    textbuf refused, document;
    text_init(&refused, TEXT_MAX_BYTES);
    text_init(&document, TEXT_MAX_BYTES);
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        size_t size = 0;
        if (strcmp(name, "options") == 0 || strncmp(name, "expected.", 9) == 0)
            continue;
        char *bytes = read_whole(folder, name, &size);
        const memory_source whole = {bytes, size, 0}, pieces = {bytes, size, 7};
        outcome first = import_input(name, whole, &options, false);
        outcome second = import_input(name, pieces, &options, false);
        outcome third = import_input(name, whole, &options, true);
        assert_string_equal(first.text.bytes, second.text.bytes);
        assert_string_equal(first.text.bytes, third.text.bytes);
        if (first.tool)
            other_tools_refuse(name, whole, first.tool);
        if (first.tool && document.length)
            assert_string_equal(first.text.bytes, document.bytes);
        else
            text_puts(first.tool ? &document : &refused, first.text.bytes);
        text_free(&first.text);
        text_free(&second.text);
        text_free(&third.text);
        free(bytes);
    }
    if ((document.length > 0) == (refused.length > 0))
        fail_msg("%s: want inputs that are all read, or all refused:\n%s", folder, refused.bytes);
    expect(folder, document.length ? "expected.json" : "expected.txt",
           document.length ? &document : &refused);
    for (int i = 0; i < n; i++)
        free(entries[i]);
    free(entries);
    free(options_text);
    text_free(&refused);
    text_free(&document);
}

int main(void)
{
    static struct CMUnitTest tests[MOST_CASES];
    static char paths[MOST_CASES][PATH_BYTES];
    char root[PATH_BYTES / 2];
    struct dirent **tools = NULL, **cases = NULL;
    size_t n = 0;
    snprintf(root, sizeof root, "%s/tests/tools", getenv("ROOFLINE_SOURCE_DIR"));
    int n_tools = scandir(root, &tools, is_visible, alphasort);
    for (int i = 0; i < n_tools; free(tools[i++])) {
        char tool[PATH_BYTES];
        snprintf(tool, sizeof tool, "%s/%s", root, tools[i]->d_name);
        int n_cases = scandir(tool, &cases, is_visible, alphasort);
        for (int k = 0; k < n_cases; free(cases[k++])) {
            if (n == MOST_CASES ||
                snprintf(paths[n], PATH_BYTES, "%s/%s", tool, cases[k]->d_name) >= PATH_BYTES)
                return 1;
            tests[n] = (struct CMUnitTest){
                .name = paths[n] + strlen(root) + 1, .test_func = a_case, .initial_state = paths[n]};
            n++;
        }
        free(cases);
        cases = NULL;
    }
    free(tools);
    return n ? _cmocka_run_group_tests("tools", tests, n, NULL, NULL) : 1;
}
