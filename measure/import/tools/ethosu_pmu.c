/* Counters of an Ethos-U's performance monitor (PMU), as firmware prints them to a terminal, in a log of any
 * length of a board or of an FVP:
 *
 *   INFO - Profile for Inference:                           of Arm's ML embedded evaluation kit, for each
 *   INFO - NPU AXI0_RD_DATA_BEAT_RECEIVED beats: 1200       inference; newer ones print "NPU TOTAL: 9000
 *   INFO - NPU ACTIVE cycles: 8000                          cycles", and of several inferences "Number of
 *   INFO - NPU IDLE cycles: 1000                            samples: 4" and "NPU TOTAL cycles: 36000/ 9000 /
 *   INFO - NPU TOTAL cycles: 9000                           8900 / 9100": total, mean, minimum, maximum
 *   <metrics>W3sicHJvZmlsaW5n...</metrics>                  the same as JSON in base64, for Arm's ML
 *                                                           inference advisor
 *   NPU Inferences : 2                                      of ExecuTorch's runner, whose counters are sums
 *   NPU delegations: 6 (3.00 per inference)
 *   Inference runtime: 90000 CPU cycles total (45000.00 per inference)
 *   ethosu_pmu_cycle_cntr : 16000 (8000.00 per inference)
 *   ethosu_pmu_cntr0 : 400 (200.00 per inference)
 *   Ethos-U PMU Events:[ETHOSU_PMU_AXI0_RD_DATA_BEAT_RECEIVED, ...]
 *
 * The kit counts all cycles between two readings. The other firmware has the cycle counter run from when the
 * NPU is active until it is idle: it counts active cycles, of each start of the NPU, which is a launch of one
 * operator that Vela compiled. Zephyr's sample and older ethos-u-core-software print a report for each start.
 *
 * Sources: the profiler of alifsemi/alif_ml-embedded-evaluation-kit at 0f33a760, and its documents; what
 * monitors ExecuTorch's Arm runner, pytorch/executorch at 14f76720; the sample tflm_ethosu of
 * zephyrproject-rtos; renesas/ethos-u-core-software; the Corstone back end of arm/mlia-ethos-u at 0cf0e5dc.
 */
#include "measure/import/timings.h"
#include "measure/import/tools/arm/ethosu_counts.h"

#include <ctype.h>

enum { MOST_GROUPS = 64, MOST_INDICES = 8 };

/* Counts under one name: "Inference". */
typedef struct group {
    const char *name;
    bool is_encoded; /* told in base64, which a log may have beside the same as text */
    ethosu_counts counts;
    uint32_t row; /* of the timings */
    uint64_t samples;
    double ms;
    uint64_t n_ms;
} group;

typedef struct reading {
    import_state *in;
    group *groups;
    uint32_t n_groups;
    uint32_t current;        /* of the lines that follow */
    uint64_t stated_samples; /* of the block that is read; 0: one inference */
    row_timings timings;
    /* Reports with counters by number. */
    uint64_t inferences, starts; /* as the report says before them; 0: it does not */
    uint64_t all_inferences, all_starts;
    bool has_delegations, has_reports;
    ethosu_count indexed[MOST_INDICES];
    const char *events; /* the list of their names; NULL: not stated */
    bool is_fvp;
} reading;

/* --- counters ----------------------------------------------------------------------------------------- */

static roof_status group_of(reading *r, text_span name, bool is_encoded, roof_error *err)
{
    TRY(import_check_name(name, err));
    TRY(timings_row_of(r->in, &r->timings, name, is_encoded, &r->current, err));
    if (r->current < r->n_groups)
        return ROOF_OK;
    if (r->n_groups == MOST_GROUPS)
        return error_set(err, ROOF_E_LIMIT, "profiles of more than %d names", MOST_GROUPS);
    const group new = {.name = r->timings.rows[r->current].name, .is_encoded = is_encoded, .row = r->current};
    return ARENA_ADD(r->in->scratch, r->groups, r->n_groups, err, new);
}

/* A sum over inferences. */
static ethosu_count sum_over(double sum, uint64_t inferences)
{
    const uint64_t whole = (uint64_t)sum;
    const uint64_t one = inferences == 1 ? whole : ROOF_UNKNOWN;
    return (ethosu_count){.sum = whole, .inferences = inferences, .least = one, .most = one};
}

/* One inference's count of a counter, or several together. */
static roof_status take_count(reading *r, text_span name, const ethosu_count *sample, roof_error *err)
{
    if (!r->n_groups)
        TRY(group_of(r, span_of("Inference"), false, err));
    group *g = &r->groups[r->current];
    TRY(ethosu_count_add(r->in, &g->counts, name, sample, err));
    bool is_whole = span_is(name, "NPU TOTAL") || span_is(name, "NPU total");
    if (!is_whole || sample->inferences != 1 || !(r->in->told_hz > 0))
        return ROOF_OK;
    g->samples++;
    return timings_add(&r->timings, g->row, (double)sample->sum / r->in->told_hz, err);
}

/* "AXI0_RD_DATA_BEAT_RECEIVED beats: 1200", "TOTAL: 9000 cycles", "TOTAL cycles: 36000/ 9000 / 8900 / 9100":
 * what stands behind "NPU " or "CPU ". Text without a counter is passed over. */
static roof_status read_counter(reading *r, const char *device, text_span rest, roof_error *err)
{
    char text[80];
    double n[4];
    text_span name = span_until(&rest, " :"), unit = span_trim(span_until(&rest, ":"));
    bool is_name = name.length && name.length < 60 && span_skip(&rest, ":");
    for (size_t i = 0; is_name && i < name.length; i++)
        is_name = isupper((unsigned char)name.text[i]) || isdigit((unsigned char)name.text[i]) ||
                  name.text[i] == '_' || span_is(name, "total");
    if (!is_name || !(span_is(unit, "") || span_is(unit, "beats") || span_is(unit, "cycles") ||
                      span_is(unit, "cycles (approx)")))
        return ROOF_OK;
    rest = span_trim(rest);
    text_span value = rest;
    if (!span_scan(&rest, "#", n))
        return error_data(err, "%s%s is '%s', want a whole number", device, SHOWN(name), SHOWN(value));
    ethosu_count sample = sum_over(n[0], 1);
    if (span_scan(&rest, " / ~ / # / #", n + 1)) {
        if (!r->stated_samples)
            return error_data(err,
                              "%s%s of several inferences, and no line \"Number of samples: ...\" before it",
                              device, SHOWN(name));
        sample.inferences = r->stated_samples;
        sample.least = (uint64_t)n[2];
        sample.most = (uint64_t)n[3];
    }
    snprintf(text, sizeof text, "%s%.*s", device, (int)name.length, name.text);
    return take_count(r, span_of(text), &sample, err);
}

/* --- counters as JSON in base64 ----------------------------------------------------------------------- */

/* out: room for three quarters of the text. False: it is no base64. */
static bool decode_base64(text_span text, char *out, size_t *n_out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = 0;
    size_t n = 0;
    while (text.length && text.text[text.length - 1] == '=')
        text.length--;
    for (size_t i = 0; i < text.length; i++) {
        const char *digit = text.text[i] ? strchr(digits, text.text[i]) : NULL;
        if (!digit)
            return false;
        bits = (bits << 6 | (uint32_t)(digit - digits)) & 0xffffff;
        if (i % 4)
            out[n++] = (char)(bits >> (6 - i % 4 * 2) & 0xff);
    }
    *n_out = n;
    return text.length % 4 != 1;
}

/* [{"profiling_group": "Inference", "count": 1, "samples": [{"name": "NPU IDLE", "value": [612]}, ...]}] */
static roof_status read_metrics(reading *r, jsonpull *puller, roof_error *err)
{
    char name[60] = "";
    json_event e;
    TRY(group_of(r, span_of("Inference"), true, err));
    for (;;) {
        TRY(jsonpull_next(puller, &e, err));
        if (e.kind == JSON_DONE)
            return ROOF_OK;
        if (e.kind == JSON_STRING && e.key && strcmp(e.key, "profiling_group") == 0)
            TRY(group_of(r, (text_span){e.text, e.text_length}, true, err));
        if (e.kind == JSON_STRING && e.key && strcmp(e.key, "name") == 0)
            snprintf(name, sizeof name, "%s", e.text);
        if (e.kind != JSON_NUMBER || e.key || !*name)
            continue;
        if (!(e.number >= 0 && e.number <= 0x1p53 && e.number == floor(e.number)))
            return error_data(err, "%s is %g, want a whole number", SHOWN_TEXT(name), e.number);
        const ethosu_count sample = sum_over(e.number, 1);
        TRY(take_count(r, span_of(name), &sample, err));
    }
}

/* --- reports with counters by number ------------------------------------------------------------------ */

/* How many inferences the report that is read is over. Without delegations, what it calls inferences are
 * starts. */
static uint64_t inferences_of_report(const reading *r)
{
    return r->has_delegations && r->inferences ? r->inferences : 1;
}

/* *is_read: whether it is a line of a report. */
static roof_status read_report(reading *r, text_span text, bool *is_read, roof_error *err)
{
    double n[2];
    *is_read = true;
    if (span_scan_behind(text, "NPU Inferences :", " #", n)) {
        r->inferences = (uint64_t)n[0];
        r->starts = 0;
        return ROOF_OK;
    }
    if (span_scan_behind(text, "NPU delegations:", " #", n)) {
        r->starts = (uint64_t)n[0];
        r->has_delegations = true;
        return ROOF_OK;
    }
    if (span_scan_behind(text, "Inference runtime:", " # CPU cycles", n)) {
        const ethosu_count count = sum_over(n[0], inferences_of_report(r));
        return take_count(r, span_of("CPU TOTAL"), &count, err);
    }
    if (span_scan_behind(text, "ethosu_pmu_cycle_cntr :", " #", n)) {
        const ethosu_count count = sum_over(n[0], inferences_of_report(r));
        uint64_t starts = r->has_delegations ? r->starts : r->inferences ? r->inferences : 1;
        r->has_reports = true;
        if (__builtin_add_overflow(r->all_starts, starts, &r->all_starts) ||
            __builtin_add_overflow(r->all_inferences, count.inferences, &r->all_inferences))
            return error_set(err, ROOF_E_LIMIT, "more than 2^64 starts of the NPU");
        return take_count(r, span_of("NPU ACTIVE"), &count, err);
    }
    /* Profilers of operators print the same of each, with its kind before it. */
    if (!span_has(text, "ethos-u : ") && span_scan_behind(text, "ethosu_pmu_cntr", "# : #", n) &&
        n[0] < MOST_INDICES) {
        ethosu_count *count = &r->indexed[(size_t)n[0]];
        count->inferences++; /* it is there */
        return __builtin_add_overflow(count->sum, (uint64_t)n[1], &count->sum)
                   ? error_set(err, ROOF_E_LIMIT, "a counter is more than 64 bits over all inferences")
                   : ROOF_OK;
    }
    if (span_skip_past(&text, "Ethos-U PMU Events:[")) {
        text = span_until(&text, "]");
        return !r->events || span_is(text, r->events)
                   ? import_keep_name(r->in, text, &r->events, err)
                   : error_data(err, "other events than in the reports before: cut the log in two");
    }
    *is_read = false;
    return ROOF_OK;
}

/* Counters by number get the names that the log lists. */
static roof_status name_indexed(reading *r, roof_error *err)
{
    text_span names[MOST_INDICES];
    size_t n = r->events ? span_split(span_of(r->events), ',', names, MOST_INDICES) : 0;
    uint32_t n_unnamed = 0;
    for (size_t i = 0; i < MOST_INDICES; i++) {
        char number[32];
        ethosu_count *count = &r->indexed[i];
        if (!count->inferences)
            continue;
        snprintf(number, sizeof number, "counter%zu", i);
        n_unnamed += i >= n;
        count->inferences = r->all_inferences ? r->all_inferences : 1;
        count->least = count->most = ROOF_UNKNOWN;
        TRY(take_count(r, i < n ? names[i] : span_of(number), count, err));
    }
    import_note_count(r->in, n_unnamed,
                      "counters have a number only: which events they are is not in the log");
    return ROOF_OK;
}

/* --- the document ------------------------------------------------------------------------------------- */

/* A line of the evaluation kit. */
static roof_status read_profile(reading *r, text_span text, roof_error *err)
{
    static const char *const devices[] = {"NPU ", "CPU "};
    text_span at = text;
    double n;
    if (span_skip_past(&at, "Profile for ")) {
        text_span name = span_trim(span_until(&at, ":"));
        r->stated_samples = 0;
        return name.length && at.length ? group_of(r, name, false, err) : ROOF_OK;
    }
    if (span_scan_behind(text, "Number of samples", " : #", &n)) {
        r->stated_samples = (uint64_t)n;
        return ROOF_OK;
    }
    /* of a timer of the processor */
    if (r->n_groups && (span_scan_behind(text, "Time ms", " : ~", &n) ||
                        span_scan_behind(text, "DURATION milliseconds", " : ~", &n) ||
                        span_scan_behind(text, "DURATION", " : ~ milliseconds", &n))) {
        r->groups[r->current].ms += n;
        r->groups[r->current].n_ms++;
        return ROOF_OK;
    }
    for (size_t i = 0; i < 2; i++) {
        at = text;
        if (span_skip_past(&at, devices[i]))
            return read_counter(r, devices[i], at, err);
    }
    return ROOF_OK;
}

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    text_span text = span_trim((text_span){line->text, line->length}), at = text;
    bool is_read = false;
    r->is_fvp |= span_has(text, "FVP_") || span_has(text, "telnetterminal") || span_has(text, "Fast Models");
    if (span_has(text, "Overflow detected for"))
        return error_data(
            err, "a counter overflowed, and the firmware prints 0 for it: cut this inference out of the log");
    if (span_skip_past(&at, "<metrics>")) {
        size_t n = 0;
        char *bytes = NULL;
        at = span_until(&at, "<");
        TRY(ARENA_GET(r->in->scratch, bytes, at.length + 1, err));
        if (!decode_base64(at, bytes, &n))
            return error_data(err, "'%s' between <metrics> and </metrics>, want base64", SHOWN(at));
        jsonpull *puller = jsonpull_of_memory(bytes, n);
        roof_status status = puller ? read_metrics(r, puller, err) : error_memory(err);
        jsonpull_free(puller);
        return error_placed(status, err, "<metrics>");
    }
    TRY(read_report(r, text, &is_read, err));
    return is_read ? ROOF_OK : read_profile(r, text, err);
}

/* Counts of starts are of as many inferences as the user says. */
static void tell_inferences(reading *r, roof_run *run, group *g)
{
    uint64_t stated = r->in->options->inferences;
    if (!r->has_reports)
        return;
    if (stated && !r->has_delegations) {
        for (uint32_t i = 0; i < g->counts.n; i++) {
            g->counts.list[i].inferences = stated;
            g->counts.list[i].least = g->counts.list[i].most = ROOF_UNKNOWN;
        }
        r->all_inferences = stated;
    }
    run->iterations = r->all_inferences;
    if (r->all_inferences && r->all_starts % r->all_inferences == 0 &&
        r->all_starts / r->all_inferences < ROOF_NONE)
        run->boundaries = run->launches = (uint32_t)(r->all_starts / r->all_inferences);
    if (!stated && !r->has_delegations)
        import_note(r->in, "%s: --inferences says of how many inferences they are",
                    r->all_inferences == 1
                        ? "the starts of the NPU are taken for those of one inference"
                        : "each report is taken for an inference, as of a network that starts the NPU once");
}

static roof_status add_run(reading *r, group *g, const char *model, roof_error *err)
{
    roof_run *run = NULL;
    TRY(import_add_run(r->in, model, ROOF_RUN_BYPASS, &run, err));
    tell_inferences(r, run, g);
    TRY(ethosu_counts_set(r->in, &g->counts, run, err));
    const ethosu_count *total = ethosu_npu_count(&g->counts, ROOF_COUNTER_TOTAL_CYCLES);
    if (total)
        run->iterations = total->inferences;
    if (total && g->samples == total->inferences)
        TRY(timings_times(&r->timings, g->row, &run->total, err));
    double stated_s = g->ms / 1e3 / (double)g->n_ms;
    if (g->n_ms && isnan(run->total.mean_s))
        run->total.mean_s = stated_s;
    else if (g->n_ms && fabs(stated_s / run->total.mean_s - 1) > 0.02 &&
             fabs(stated_s - run->total.mean_s) > 2e-3)
        import_note(r->in,
                    "a timer of the processor says %s ms, and the cycles over the clock are %s ms: is the "
                    "clock right?",
                    NUMBER(1e3 * stated_s), NUMBER(1e3 * run->total.mean_s));
    return ROOF_OK;
}

static roof_status finish(reading *r, roof_error *err)
{
    uint32_t n_plain = 0, n_counted = 0;
    TRY(name_indexed(r, err));
    for (uint32_t i = 0; i < r->n_groups; i++)
        n_plain += !r->groups[i].is_encoded && r->groups[i].counts.n;
    for (uint32_t i = 0; i < r->n_groups; i++)
        if (r->groups[i].counts.n && (!n_plain || !r->groups[i].is_encoded))
            r->groups[n_counted++] = r->groups[i];
    for (uint32_t i = 0; i < n_counted; i++)
        TRY(add_run(r, &r->groups[i], n_counted > 1 ? r->groups[i].name : NULL, err));
    if (!n_counted)
        return error_data(err, "no counter of an NPU, want lines such as \"NPU TOTAL cycles: 9000\" or "
                               "\"ethosu_pmu_cycle_cntr : 9000\"");
    ethosu_remark_clock(r->in);
    if (r->is_fvp)
        import_note(r->in, "printed on an FVP: cycles of the NPU are those of its model, and cycles of the "
                           "CPU mean nothing there");
    return ROOF_OK;
}

const importer_def importer_ethosu_pmu = {
    .id = "ethosu_pmu",
    .tool = "Ethos-U PMU",
    .next = "name the network that Vela compiled with --model, and where there is no time the clock with "
            "--map clock=400MHz",
    .marks = {SURE("ethosu_pmu_cycle_cntr :"), SURE("NPU TOTAL"), SURE("NPU ACTIVE", "NPU IDLE"),
              SURE("<metrics>", "</metrics>")},
    .device = "NPU",
    WHOLE_ONLY("the counters are of whole inferences"),
    .takes_map = true,
    .unverified = true,
    .reading_bytes = sizeof(reading),
    .begin = ethosu_begin,
    .line = read_line,
    .finish = finish};
