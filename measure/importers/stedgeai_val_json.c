/* What `stedgeai validate --mode target --val-json F` of ST Edge AI Core writes (ST's api_output_c_info.html): a file with
 *   {"json_schema_version":"2.0","environment":{"device":"stm32 family - 0x486 - STM32N6xx @800/400MHz",...},
 *    "aton_execution_time":[{"counters":[10745,114021,4984],"cycles":129752,"duration_ms":0.16219,"percentage":35.1},...],
 *    "validation":{...}}
 * or, when F was the compiler's c_info.json, that file with these members added. counters are cycles of the MCU before,
 * while and after the NPU works, means of an unstated number of samples, each made a whole number; cycles is that of their
 * sums, so that it may be a few off the sum of the counters. The device says the clocks of the MCU and of its bus.
 * Entries are in the order of execution and name no epoch; c_info.json is no help, since an entry may be a blob of many
 * epochs or a part of one.
 */
#include "core/error.h"
#include "measure/importer.h"
#include "core/jsonbind.h"
#include "measure/importers/st/st_report.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    const char *version, *device, *network, *model;
    entry *entries;
    uint32_t n_entries;
} reading;

/* --- entries ------------------------------------------------------------------------------------------ */

#define N(table) (sizeof(table) / sizeof *(table))

static roof_status read_counter(json_binder *b, const json_event *event, void *target)
{
    static const double most =
        9007199254740992.0; /* 2^53: a larger double may stand for another whole number */
    entry *e = target;
    if (e->n_counters == ST_PHASES)
        return bind_fail(b, "more than %d counters, want [pre, core, post]", ST_PHASES);
    if (event->kind != JSON_NUMBER || !(event->number >= 0 && event->number <= most) ||
        event->number != floor(event->number))
        return bind_fail(b, "want a whole number of cycles from 0");
    e->counters[e->n_counters++] = (uint64_t)event->number;
    return ROOF_OK;
}

static roof_status read_counters(json_binder *b, const json_event *event, void *target)
{
    return bind_array(b, event, read_counter, target);
}

static roof_status check_entry(json_binder *b, const entry *e)
{
    uint64_t sum = 0;
    if (e->n_counters != ST_PHASES)
        return bind_fail(b, "an entry of %u counters, want [pre, core, post]", e->n_counters);
    if (e->percentage > 100 + ROUNDING_PERCENT)
        return bind_fail(b, "percentage is %g, want at most 100", e->percentage);
    for (int p = 0; p < ST_PHASES; p++)
        sum += e->counters[p]; /* each is at most 2^53 */
    /* Three means against one, each cut or rounded, as versions differ. */
    if (e->cycles != ROOF_UNKNOWN && (e->cycles + ST_PHASES < sum || e->cycles > sum + ST_PHASES))
        return bind_fail(b, "cycles is %llu, but its counters sum up to %llu", (unsigned long long)e->cycles,
                         (unsigned long long)sum);
    return ROOF_OK;
}

static roof_status read_entry(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {
        {"counters", BIND_CALL, 0, read_counters, NULL},
        {"cycles", BIND_COUNT, offsetof(entry, cycles), NULL, NULL},
        {"duration_ms", BIND_POSITIVE, offsetof(entry, duration_ms), NULL, NULL},
        {"percentage", BIND_POSITIVE, offsetof(entry, percentage), NULL, NULL}};
    reading *r = target;
    entry new = {.cycles = ROOF_UNKNOWN, .duration_ms = NAN, .percentage = NAN};
    new.line = jsonpull_line(b->puller);
    TRY(bind_object(b, event, members, N(members), &new, NULL));
    TRY(check_entry(b, &new));
    if (r->n_entries == MAX_ENTRIES)
        return error_set(b->err, ROOF_E_LIMIT, "more than %d entries", MAX_ENTRIES);
    if (!array_grow((void **)&r->entries, r->n_entries, sizeof *r->entries))
        return error_memory(b->err);
    r->entries[r->n_entries++] = new;
    return ROOF_OK;
}

static roof_status read_entries(json_binder *b, const json_event *event, void *target)
{
    return bind_array(b, event, read_entry, target);
}

/* --- around them -------------------------------------------------------------------------------------- */

static roof_status read_named(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {{"name", BIND_NAME, 0, NULL, NULL}};
    return bind_object(b, event, members, N(members), target, NULL);
}

/* The first tool with a model is the front end, whose model is the user's; the compiler's is a translation of it. */
static roof_status read_tool(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {{"input_model", BIND_CALL, 0, read_named, NULL}};
    const char **model = target, *name = NULL;
    TRY(bind_object(b, event, members, N(members), &name, NULL));
    if (!*model)
        *model = name;
    return ROOF_OK;
}

static roof_status read_tools(json_binder *b, const json_event *event, void *target)
{
    return bind_array(b, event, read_tool, target);
}

static roof_status read_environment(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {
        {"device", BIND_NAME, offsetof(reading, device), NULL, NULL},
        {"generated_model", BIND_CALL, offsetof(reading, network), read_named, NULL},
        {"tools", BIND_CALL, offsetof(reading, model), read_tools, NULL}};
    return bind_object(b, event, members, N(members), target, NULL);
}

static roof_status skip_value(json_binder *b, const json_event *event, void *target)
{
    (void)event, (void)target;
    return jsonpull_skip(b->puller, b->err);
}

enum { SEEN_TIMES, SEEN_ENVIRONMENT, SEEN_VERSION, SEEN_GRAPHS };

static const bind_member document[] = {
    [SEEN_TIMES] = {"aton_execution_time", BIND_CALL, 0, read_entries, NULL},
    [SEEN_ENVIRONMENT] = {"environment", BIND_CALL, 0, read_environment, NULL},
    [SEEN_VERSION] = {"json_schema_version", BIND_NAME, offsetof(reading, version), NULL, NULL},
    [SEEN_GRAPHS] = {"graphs", BIND_CALL, 0, skip_value, NULL}};

static roof_status check_document(const reading *r, uint64_t seen, roof_error *err)
{
    static const char wanted[] =
        "want aton_execution_time, which `stedgeai validate --mode target --val-json` writes, or "
        "network_validate_report.txt";
    char shown[SHOWN_SIZE];
    if (r->version && strcmp(r->version, "2.0") != 0)
        return error_set(err, ROOF_E_DATA, "json_schema_version is '%s', want 2.0",
                         span_show(span_of(r->version), shown));
    if (seen & (1U << SEEN_TIMES) && r->n_entries)
        return ROOF_OK;
    if (seen & (1U << SEEN_GRAPHS))
        return error_set(err, ROOF_E_DATA,
                         "a compiled model without times, which `roofline predict` reads; %s", wanted);
    return error_set(err, ROOF_E_DATA, "a validation without times of epochs; %s", wanted);
}

static roof_status read_document(reading *r, json_binder *b)
{
    json_event event;
    uint64_t seen = 0;
    TRY(jsonpull_next(b->puller, &event, b->err));
    TRY(bind_object(b, &event, document, N(document), r, &seen));
    TRY(jsonpull_next(b->puller, &event, b->err)); /* nothing may follow */
    return check_document(r, seen, b->err);
}

/* --- the document ------------------------------------------------------------------------------------- */

static roof_status add_entry(import_state *in, roof_run *run, const entry *e, double mcu_hz, roof_error *err)
{
    char name[32];
    int length = snprintf(name, sizeof name, "row %u", run->n_layers + 1);
    st_epoch epoch = {.name = measured_text(in->out, name, (size_t)length),
                      .stated_s = e->duration_ms / 1e3,
                      .share_ratio = e->percentage > 100 ? 1 : e->percentage / 100,
                      .count = ROOF_UNKNOWN};
    if (!epoch.name)
        return error_memory(err);
    memcpy(epoch.cycles, e->counters, sizeof epoch.cycles);
    return st_add_epoch(in, run, &epoch, mcu_hz, e->line, err);
}

static void remark(import_state *in, const reading *r, const roof_run *run)
{
    char number[REMARK_NUMBER_SIZE];
    double percent = 0;
    for (uint32_t i = 0; i < r->n_entries; i++)
        percent += r->entries[i].percentage;
    if (fabs(percent - 100) > ROUNDING_PERCENT)
        import_note(in, "the rows are %s %% of the inference", import_number(number, percent));
    if (!run->n_clocks)
        import_note(in, "the file states no clock, so times are its own");
    import_note(
        in,
        "the file names no epochs and states no number of samples: rows are in the order of execution, and "
        "network_validate_report.txt of the same run has names and samples");
    import_note(in, "cycles are the MCU's, before, while and after the NPU works");
}

static roof_status finish(void *reading_, roof_error *err)
{
    const reading *r = reading_;
    import_state *in = r->in;
    roof_run *run = NULL;
    st_clocks clocks = st_clocks_unknown();
    const char *model = r->model && *r->model ? r->model : r->network && *r->network ? r->network : NULL;
    TRY(import_add_run(in, model, ROOF_RUN_PER_LAYER, &run, err));
    if (r->device)
        st_read_device(span_of(r->device), &clocks);
    for (uint32_t i = 0; i < r->n_entries; i++)
        TRY(add_entry(in, run, &r->entries[i], clocks.hz[ST_MCU], err));
    TRY(st_add_clocks(run, &clocks, err));
    st_sum_up(run);
    remark(in, r, run);
    return ROOF_OK;
}

static roof_status read(void *reading_, jsonpull *puller, roof_error *err)
{
    reading *r = reading_;
    json_binder bind = {.puller = puller, .arena = r->in->out->storage->arena, .err = err};
    return read_document(r, &bind);
}

static void end(void *reading_)
{
    free(((reading *)reading_)->entries);
}

/* The last two are the beginning of a c_info.json, which may have the times at its end. */
const importer_def importer_stedgeai_val_json = {
    .id = "stedgeai_val_json",
    .marks = {{SNIFF_SURE, {"\"aton_execution_time\""}},
              {SNIFF_LIKELY, {"\"json_schema_version\"", "\"ST.EdgeAI.Core\""}},
              {SNIFF_LIKELY, {"\"buffers\"", "\"channel_first\"", "\"STAI_FORMAT_"}}},
    .mode_why = "stedgeai validate times every epoch",
    .mode = ROOF_RUN_PER_LAYER,
    .reading_bytes = sizeof(reading),
    .json = read,
    .finish = finish,
    .end = end};
