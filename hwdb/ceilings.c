/* roofline.csv of rocprof-compute: what its microbenchmarks reached on a GPU, read as a description of
 * hardware.
 *
 *   device,HBMBw,HBMBwLow,hbmBwHigh,L2Bw,...,FP32Flops,FP32FlopsLow,...,MFMABF16Flops,...,MFMAI8Ops,...
 * Bandwidths are in GB/s, rates in GFLOP/s and GOP/s (a gfx90a of 1638 GB/s and 22.6 TFLOP/s has 1389 and
 * 20942 there). Low and High are the interval of the mean. The law is that of processors, which has one rate,
 * here that of f32, and one bandwidth a memory.
 */
#include "core/files/mapfile.h"
#include "hwdb/hwdb.h"

enum { MOST_CELLS = 256, MOST_VALUES = 16 };

/* Headings of roofline.csv and their keys; among headings with one key the fastest counts. */
static const struct {
    const char *heading, *key;
} ceilings[] = {{"HBMBw", "ddr.bandwidth"},   {"L2Bw", "l2.bandwidth"},       {"L1Bw", "l1.bandwidth"},
                {"LDSBw", "lds.bandwidth"},   {"FP32Flops", "peak.f32"},      {"MFMAF32Flops", "peak.f32"},
                {"FP64Flops", "peak.f64"},    {"MFMAF64Flops", "peak.f64"},   {"FP16Flops", "peak.f16"},
                {"MFMAF16Flops", "peak.f16"}, {"MFMABF16Flops", "peak.bf16"}, {"MFMAI8Ops", "peak.int8"}};

typedef struct reading {
    roof_arena *arena;
    hwdb_entry *entry;
    text_span headings[MOST_CELLS], cells[MOST_CELLS];
    size_t n;
} reading;

static void put(reading *r, roof_quantity q)
{
    hwdb_entry *e = r->entry;
    const uint32_t same = NAMED_AT(e->values, e->n_values, key, q.key);
    if (same == e->n_values)
        e->values[e->n_values++] = q;
    else if (e->values[same].value < q.value)
        e->values[same] = q;
}

static roof_status put_ceiling(reading *r, size_t cell, const char *key, roof_error *err)
{
    double value = 0;
    text_span text = r->cells[cell];
    if (number_parse(text.text, text.length, &value) != text.length || !(value > 0 && value < 1e12))
        return error_line(err, ROOF_E_DATA, 2, "%s is '%s', want a number above 0", SHOWN(r->headings[cell]),
                          SHOWN(text));
    put(r, (roof_quantity){.key = key,
                           .value = value * 1e9,
                           .unit = strstr(key, "bandwidth") ? "B/s" : "ops/s",
                           .kind = ROOF_KIND_MEASURED,
                           .source = arena_printf(
                               r->arena, "%s of device %s in roofline.csv, measured by rocprof-compute",
                               SHOWN(r->headings[cell]), SHOWN(r->cells[0]))});
    return ROOF_OK;
}

static roof_status put_law_values(reading *r, roof_error *err)
{
    static const char counted[] = "the unit of cycles, which are nanoseconds here: the file has no clock";
    const roof_quantity *rate = NAMED(r->entry->values, r->entry->n_values, key, "peak.f32");
    if (!rate || !NAMED(r->entry->values, r->entry->n_values, key, "ddr.bandwidth"))
        return error_data(err, "no columns HBMBw and FP32Flops: is it roofline.csv of rocprof-compute?");
    put(r, (roof_quantity){"peak.rate", rate->value, "ops/s", rate->kind, rate->source, NULL});
    put(r, (roof_quantity){"clock", 1e9, "Hz", ROOF_KIND_ASSUMED, counted, NULL});
    put(r, (roof_quantity){"cores", 1, "count", ROOF_KIND_ASSUMED, "the whole GPU works on one inference",
                           NULL});
    put(r, (roof_quantity){"element.bytes", 4, "B", ROOF_KIND_DERIVED,
                           "the size of f32, which peak.rate is of", NULL});
    return ROOF_OK;
}

static roof_status read_lines(reading *r, text_span text, roof_error *err)
{
    hwdb_entry *e = r->entry;
    text_span heading = text.length ? span_take_line(&text) : text,
              row = text.length ? span_take_line(&text) : text;
    r->n = span_split(heading, ',', r->headings, MOST_CELLS);
    if (r->n > MOST_CELLS || !r->n || !span_is(r->headings[0], "device"))
        return error_line(err, ROOF_E_DATA, 1,
                          "a table of hardware that begins with '%s', want roofline.csv of "
                          "rocprof-compute, which begins with device,HBMBw",
                          SHOWN(heading));
    size_t n = span_split(row, ',', r->cells, MOST_CELLS);
    if (n != r->n)
        return error_line(err, ROOF_E_DATA, 2, "a row of %zu cells, want %zu", n, r->n);
    *e = (hwdb_entry){.id = "rocprof-compute",
                      .name = arena_printf(r->arena, "GPU %s of roofline.csv", SHOWN(r->cells[0])),
                      .family = "cpu",
                      .summary = "ceilings that rocprof-compute measured; peak.rate is that of f32",
                      .values = NEW_ARRAY(r->arena, roof_quantity, MOST_VALUES)};
    TRY(ALLOCATED(e->values, err));
    for (size_t i = 0; i < r->n; i++)
        for (size_t c = 0; c < N_OF(ceilings); c++)
            if (span_is(r->headings[i], ceilings[c].heading))
                TRY(put_ceiling(r, i, ceilings[c].key, err));
    TRY(put_law_values(r, err));
    order_sort(e->values, e->n_values, sizeof *e->values, ORDER_BY(RISING(roof_quantity, key)));
    if (span_trim(text).length) {
        static const char *const notes[] = {"the file has more devices than this one, the first"};
        e->notes = (hwdb_texts){(const char **)notes, 1};
    }
    return arena_status(r->arena, err);
}

bool hwdb_is_table(const hwdb_document *document)
{
    size_t length = document->path ? strlen(document->path) : 0;
    return document->path ? length > 4 && strcmp(document->path + length - 4, ".csv") == 0
                          : span_begins((text_span){document->text, document->size}, "device,");
}

roof_status hwdb_ceilings_read(const hwdb_document *document, hwdb_problems *problems, hwdb_entry *out,
                               roof_error *err)
{
    mapfile file = {(const unsigned char *)document->text, document->size, false};
    reading *r = NEW(problems->arena, reading);
    TRY(ALLOCATED(r, err));
    *r = (reading){.arena = problems->arena, .entry = out};
    if (document->path)
        TRY(mapfile_open(document->path, &file, err));
    roof_status status = read_lines(r, (text_span){(const char *)file.bytes, (size_t)file.size_bytes}, err);
    if (document->path)
        mapfile_close(&file);
    return error_placed(status, err, "%s", document->place);
}
