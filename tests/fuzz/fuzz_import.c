/* Files of profilers, whose importer is found by content. A first byte from 0x80 on, with which no file of a
 * tool begins, names one by its number; where that is the importer of any table, the first line is the map of
 * the columns. What is imported must be what is read back after writing it. */
#include "core/text.h"
#include "measure/import/importer.h"
#include "measure/profile/profile.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/memory_io.h"

#include <stdlib.h>
#include <string.h>

static void write_document(const roof_measured *m, textbuf *out)
{
    text_init(out, TEXT_MAX_BYTES);
    CHECK(roof_measured_write(m, (roof_sink){memory_write, out}, NULL) == ROOF_OK);
}

static void check_round_trip(const roof_measured *m)
{
    roof_measured *again = NULL;
    textbuf first, second;
    roof_error err = {0};
    if (!m->n_experiments)
        return; /* remarks only: nothing that is written */
    write_document(m, &first);
    memory_source input = {first.bytes, first.length, 1000};
    CHECK(measured_codec_read(memory_read_growing, &input, "fuzz", &again, &err) == ROOF_OK);
    write_document(again, &second);
    CHECK(strcmp(first.bytes, second.bytes) == 0);
    text_free(&first);
    text_free(&second);
    roof_measured_free(again);
}

static size_t count_importers(void)
{
    size_t n = 0;
    while (roof_importer_name(n))
        n++;
    return n;
}

/* The first line, without its end; the caller frees it. */
static char *take_line(memory_source *input)
{
    const char *end = input->left ? memchr(input->at, '\n', input->left) : NULL;
    size_t length = end ? (size_t)(end - input->at) : input->left;
    char *line = strndup(length ? input->at : "", length);
    input->at += length + (end != NULL);
    input->left -= length + (end != NULL);
    return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    roof_import_options options = {.model = "net.xmodel"};
    roof_measured *m = NULL;
    roof_error err = {0};
    char *map = NULL;
    if (!size)
        return 0;
    bool is_named = data[0] >= 0x80 && data[0] < 0x80 + count_importers();
    memory_source input = {(const char *)data + is_named, size - is_named, 0};
    options.from = is_named ? roof_importer_name(data[0] - 0x80) : NULL;
    if (options.from && strcmp(options.from, "csv") == 0)
        options.map = map = take_line(&input);
    if (import_stream(memory_read_growing, &input, "fuzz", &options, &m, &err) == ROOF_OK)
        check_round_trip(m);
    else
        CHECK(*err.what && !m);
    roof_measured_free(m);
    free(map);
    return 0;
}
