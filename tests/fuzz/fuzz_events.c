/* Traces of events: what is read in small pieces must be what is read at once, what is taken for JSON must be
 * JSON, and every importer of traces makes a document of it or says why not. */
#include "core/error.h"
#include "core/json/jsonpull.h"
#include "measure/import/importer.h"
#include "measure/import/timings.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/memory_io.h"

#include <string.h>

/* All that an event can be asked; what it says where it was asked in vain is part of it. */
static roof_status write_event(struct reading *target, const trace_event *e, roof_error *err)
{
    textbuf *out = (textbuf *)target;
    text_span name = {NULL, 0}, arg = event_arg(e, "name");
    int64_t start_ps = 0, dur_ps = 0;
    uint32_t thread = 0;
    (void)err;
    roof_status text = event_text(e, e->name, &name, NULL);
    text_add(out, name.text ? name.text : "", name.length);
    roof_status times = event_times(e, &start_ps, &dur_ps, NULL);
    roof_status id = event_thread(e, &thread, NULL);
    CHECK(times != ROOF_OK || dur_ps >= 0);
    text_printf(out, " %d %d %lld %lld %d %u %zu %llu\n", (int)text, (int)times, (long long)start_ps,
                (long long)dur_ps, (int)id, thread, arg.length, (unsigned long long)e->byte);
    return ROOF_OK;
}

static roof_status write_member(struct reading *target, text_span name, text_span value, roof_error *err)
{
    (void)err;
    text_add((textbuf *)target, name.text, name.length);
    text_add((textbuf *)target, value.text, value.length);
    return ROOF_OK;
}

static roof_status hear(const uint8_t *data, size_t size, bool pairs, bool cut, textbuf *out)
{
    const event_calls calls = {write_event, write_member, pairs};
    memory_source input = {(const char *)data, size, 0};
    roof_error err = {0};
    uint64_t n_unpaired = 0;
    roof_arena *scratch = arena_new(0);
    text_init(out, TEXT_MAX_BYTES);
    text_add(out, "", 0);
    roof_status status = scratch ? events_each(cut ? memory_read_growing : memory_read, &input, &calls,
                                               (struct reading *)out, scratch, &n_unpaired, &err)
                                 : ROOF_E_NO_MEMORY;
    CHECK(status == ROOF_OK || *err.what);
    arena_free(scratch);
    return status;
}

/* An array may lack its end or have a comma before it, and of a text that nobody unescapes only its form is
 * looked at. */
static bool is_strict(const uint8_t *data, size_t size)
{
    size_t i = 0;
    while (i < size && data[i] != '{' && data[i] != '[')
        i++;
    return i < size && data[i] == '{' && !memchr(data, '\\', size);
}

static void check_json(const uint8_t *data, size_t size)
{
    jsonpull *puller = jsonpull_of_memory((const char *)data, size);
    json_event e = {.kind = JSON_NULL};
    roof_status status = ROOF_OK;
    while (puller && status == ROOF_OK && e.kind != JSON_DONE)
        status = jsonpull_next(puller, &e, NULL);
    CHECK(status == ROOF_OK || status == ROOF_E_LIMIT);
    jsonpull_free(puller);
}

static void check_importers(const uint8_t *data, size_t size)
{
    for (size_t i = 0; importer_at(i); i++) {
        roof_import_options options = {.from = importer_at(i)->id};
        memory_source input = {(const char *)data, size, 0};
        roof_measured *m = NULL;
        roof_error err = {0};
        if (!importer_at(i)->trace.event)
            continue;
        roof_status status = import_stream(memory_read, &input, "fuzz", &options, &m, &err);
        CHECK((status == ROOF_OK) == (m != NULL) && (m || *err.what));
        roof_measured_free(m);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int pairs = 0; pairs < 2; pairs++) {
        textbuf cut, whole;
        roof_status status = hear(data, size, pairs, false, &whole);
        CHECK(hear(data, size, pairs, true, &cut) == status);
        CHECK(cut.length == whole.length && memcmp(cut.bytes, whole.bytes, cut.length) == 0);
        text_free(&cut);
        text_free(&whole);
        if (status == ROOF_OK && !pairs && is_strict(data, size))
            check_json(data, size);
    }
    check_importers(data, size);
    return 0;
}
