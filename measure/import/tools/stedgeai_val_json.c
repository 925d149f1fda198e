/* The file of `stedgeai validate --mode target --val-json F` of ST Edge AI Core writes (ST's
 * api_output_c_info.html): a file with
 *   {"json_schema_version":"2.0","environment":{"device":"stm32 family - 0x486 - STM32N6xx @800/400MHz",...},
 *   "aton_execution_time":[{"counters":[10745,114021,4984],"cycles":129752,"duration_ms":0.16219,...
 *    "validation":{...}}
 * or, when F was the compiler's c_info.json, that file with these members added. counters are cycles of the
 * MCU before, while and after the NPU works, means of an unstated number of samples, each made a whole
 * number; cycles is that of their sums, so that it may be a few off the sum of the counters. The device says
 * the clocks of the MCU and of its bus. Entries are in the order of execution and name no epoch; c_info.json
 * is no help, since an entry may be a blob of many epochs or a part of one.
 */
#include "measure/import/tools/st/st_report.h"

enum { MAX_ENTRIES = 1 << 18 };
#define ROUNDING_PERCENT 0.1

typedef struct entry {
    uint64_t counters[ST_PHASES], cycles;
    double duration_ms, percentage; /* NaN: not stated */
    uint32_t n_counters;
    uint64_t line;
} entry;

typedef struct reading {
    import_state *in;
    const char *version, *device, *network;
    const char **tools; /* the model of each; NULL: none */
    entry *entries;
    uint32_t n_tools, n_entries;
} reading;

static roof_status read_counter(codec *c, const json_event *event, void *target)
{
    static const double most = 0x1p53; /* a larger double may stand for another whole number */
    entry *e = target;
    if (e->n_counters == ST_PHASES)
        return codec_fail(c, "more than %d counters, want [pre, core, post]", ST_PHASES);
    if (event->kind != JSON_NUMBER || !(event->number >= 0 && event->number <= most) ||
        event->number != floor(event->number))
        return codec_fail(c, "want a whole number of cycles from 0");
    e->counters[e->n_counters++] = (uint64_t)event->number;
    return ROOF_OK;
}

static roof_status begin_entry(codec *c, void *target)
{
    ((entry *)target)->line = jsonpull_line(c->puller);
    return ROOF_OK;
}

static roof_status end_entry(codec *c, void *target)
{
    const entry *e = target;
    uint64_t sum = 0;
    if (e->n_counters != ST_PHASES)
        return codec_fail(c, "an entry of %u counters, want [pre, core, post]", e->n_counters);
    if (e->percentage > 100 + ROUNDING_PERCENT)
        return codec_fail(c, "percentage is %g, want at most 100", e->percentage);
    for (int p = 0; p < ST_PHASES; p++)
        sum += e->counters[p]; /* each is at most 2^53 */
    /* Three means against one, each cut or rounded, as versions differ. */
    if (e->cycles != ROOF_UNKNOWN && (e->cycles + ST_PHASES < sum || e->cycles > sum + ST_PHASES))
        return codec_fail(c, "cycles is %llu, but its counters sum up to %llu", (unsigned long long)e->cycles,
                          (unsigned long long)sum);
    return ROOF_OK;
}

static const codec_object entry_object = {
    MEMBERS({CODEC_BY("counters", 0, read_counter, NULL), .how = CODEC_EACH},
            {CODEC(entry, cycles, COUNT, ALWAYS)}, {CODEC(entry, duration_ms, POSITIVE, ALWAYS)},
            {CODEC(entry, percentage, POSITIVE, ALWAYS)}),
    .begin = begin_entry, .end = end_entry};

static const codec_object named_object = {MEMBERS({.key = "name", .kind = CODEC_NAME})};
static const codec_object tool_object = {MEMBERS({CODEC_IN("input_model", 0, &named_object)})};

static const codec_object environment_object = {
    MEMBERS({CODEC(reading, device, NAME, ALWAYS)},
            {CODEC_IN("generated_model", offsetof(reading, network), &named_object)},
            {CODEC_ITEMS("tools", reading, tools, n_tools, &tool_object, UINT32_MAX, ALWAYS)})};

enum { SEEN_TIMES, SEEN_ENVIRONMENT, SEEN_VERSION, SEEN_GRAPHS };

static roof_status end_document(codec *c, void *target)
{
    static const char wanted[] = "want aton_execution_time, which `stedgeai validate --mode target "
                                 "--val-json` writes, or network_validate_report.txt";
    const reading *r = target;
    if (r->version && strcmp(r->version, "2.0") != 0)
        return error_data(c->err, "json_schema_version is '%s', want 2.0", SHOWN_TEXT(r->version));
    if (c->seen & (1U << SEEN_TIMES) && r->n_entries)
        return ROOF_OK;
    if (c->seen & (1U << SEEN_GRAPHS))
        return error_data(c->err, "a compiled model without times, which `roofline predict` reads; %s",
                          wanted);
    return error_data(c->err, "a validation without times of epochs; %s", wanted);
}

static const codec_member document_members[] = {
    [SEEN_TIMES] = {CODEC_ITEMS("aton_execution_time", reading, entries, n_entries, &entry_object,
                                MAX_ENTRIES, ALWAYS)},
    [SEEN_ENVIRONMENT] = {CODEC_IN("environment", 0, &environment_object)},
    [SEEN_VERSION] = {CODEC_AS("json_schema_version", reading, version, NAME, ALWAYS)},
    [SEEN_GRAPHS] = {CODEC_BY("graphs", 0, NULL, NULL)}};
static const codec_object document_object = {CODEC_ROWS(document_members), .end = end_document};

static roof_status finish(reading *r, roof_error *err)
{
    import_state *in = r->in;
    roof_run *run = NULL;
    double percent = 0;
    st_clocks clocks = ST_NO_CLOCKS;
    const char *model = NULL; /* of the front end, the user's; that of the compiler is a translation of it */
    for (uint32_t i = 0; i < r->n_tools && !model; i++)
        model = r->tools[i];
    model = model && *model ? model : r->network && *r->network ? r->network : NULL;
    TRY(import_add_run(in, model, ROOF_RUN_PER_LAYER, &run, err));
    if (r->device)
        st_read_device(span_of(r->device), &clocks);
    for (uint32_t i = 0; i < r->n_entries; i++) {
        const entry *e = &r->entries[i];
        st_epoch epoch = {.name = arena_printf(in->out->storage->arena, "row %u", i + 1),
                          .stated_s = e->duration_ms / 1e3,
                          .share_ratio = e->percentage > 100 ? 1 : e->percentage / 100,
                          .count = ROOF_UNKNOWN};
        TRY(ALLOCATED(epoch.name, err));
        memcpy(epoch.cycles, e->counters, sizeof epoch.cycles);
        roof_status status = st_add_epoch(in, run, &epoch, clocks.hz[ST_MCU], err);
        if (status != ROOF_OK && status != ROOF_E_NO_MEMORY && err)
            err->line = e->line;
        TRY(status);
        percent += e->percentage;
    }
    TRY(st_add_clocks(in, run, &clocks, err));
    st_sum_up(run);
    if (fabs(percent - 100) > ROUNDING_PERCENT)
        import_note(in, "the rows are %s %% of the inference", NUMBER(percent));
    if (!run->n_clocks)
        import_note(in, "the file states no clock, so times are its own");
    import_note(in, "the file names no epochs and states no number of samples: rows are in the order of "
                    "execution, and network_validate_report.txt of the same run has names and samples");
    import_note(in, "cycles are the MCU's, before, while and after the NPU works");
    return ROOF_OK;
}

/* The last two are the beginning of a c_info.json, which may have the times at its end. */
const importer_def importer_stedgeai_val_json = {
    .id = "stedgeai_val_json",
    .program = "ST Edge AI Core",
    .marks = {SURE("\"aton_execution_time\""), LIKELY("\"json_schema_version\"", "\"ST.EdgeAI.Core\""),
              LIKELY("\"buffers\"", "\"channel_first\"", "\"STAI_FORMAT_")},
    LAYERS_ONLY("stedgeai validate times every epoch"),
    .reading_bytes = sizeof(reading),
    .document = &document_object,
    .finish = finish};
