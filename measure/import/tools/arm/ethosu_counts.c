#include "measure/import/tools/arm/ethosu_counts.h"
#include "core/files/input.h"

#include <ctype.h>

enum { MOST_COUNTERS = 64, NAME_BYTES = 64 };

/* --- names -------------------------------------------------------------------------------------------- */

#define OF(where, way, what)                                                                                 \
    {                                                                                                        \
        .scope = ROOF_COUNTER_##where, .direction = ROOF_COUNTER_##way, .quantity = ROOF_COUNTER_##what      \
    }

/* By their ending; what stands before it is the bus or the unit, and where nothing does, the NPU. */
static const struct {
    const char *ending;
    roof_event kind;
} kinds[] = {
    {"_rd_data_beat_received", OF(BUS, READ, BEATS)},        {"_wr_data_beat_written", OF(BUS, WRITE, BEATS)},
    {"_total_cycles", OF(UNIT, UNDIRECTED, TOTAL_CYCLES)},   {"_total", OF(UNIT, UNDIRECTED, TOTAL_CYCLES)},
    {"_active_cycles", OF(UNIT, UNDIRECTED, ACTIVE_CYCLES)}, {"_active", OF(UNIT, UNDIRECTED, ACTIVE_CYCLES)},
    {"_idle_cycles", OF(UNIT, UNDIRECTED, IDLE_CYCLES)},     {"_idle", OF(UNIT, UNDIRECTED, IDLE_CYCLES)}};

/* text: room for the name of the event. */
static roof_status name_event(text_span name, char text[NAME_BYTES], roof_event *out, roof_error *err)
{
    static const char own[] = "npu.";
    char *at = text + sizeof own - 1;
    text_span rest = {at, name.length};
    TRY(import_check_name(name, err));
    if (name.length > NAME_BYTES - sizeof own)
        return error_data(err, "the counter '%s', want a name of at most %zu letters", SHOWN(name),
                          NAME_BYTES - sizeof own);
    memcpy(text, own, sizeof own - 1);
    for (size_t i = 0; i < name.length; i++)
        at[i] = name.text[i] == ' ' ? '_' : (char)tolower((unsigned char)name.text[i]);
    at[name.length] = '\0';
    while (span_skip(&rest, "npu_") || span_skip(&rest, "ethosu_pmu_"))
        continue;
    for (size_t i = 0; i < N_OF(kinds); i++) {
        bool is_npu = span_is(rest, kinds[i].ending + 1);
        if (!is_npu && !span_drop(&rest, kinds[i].ending))
            continue;
        *out = kinds[i].kind;
        memmove(text, is_npu ? "npu" : rest.text, is_npu ? 3 : rest.length);
        text[is_npu ? 3 : rest.length] = '\0';
        out->name = text;
        return ROOF_OK;
    }
    memmove(at, rest.text, rest.length);
    at[rest.length] = '\0';
    *out = (roof_event){.scope = ROOF_COUNTER_OTHER, .name = text};
    return ROOF_OK;
}

/* --- sums --------------------------------------------------------------------------------------------- */

static roof_status add_to(ethosu_count *count, const ethosu_count *sample, roof_error *err)
{
    if (__builtin_add_overflow(count->sum, sample->sum, &count->sum) ||
        __builtin_add_overflow(count->inferences, sample->inferences, &count->inferences))
        return error_set(err, ROOF_E_LIMIT, "a counter is more than 64 bits over all inferences");
    if (sample->least == ROOF_UNKNOWN || count->least == ROOF_UNKNOWN) {
        count->least = count->most = ROOF_UNKNOWN;
        return ROOF_OK;
    }
    count->least = sample->least < count->least ? sample->least : count->least;
    count->most = sample->most > count->most ? sample->most : count->most;
    return ROOF_OK;
}

roof_status ethosu_count_add(import_state *in, ethosu_counts *counts, text_span name,
                             const ethosu_count *sample, roof_error *err)
{
    char text[NAME_BYTES];
    roof_event event;
    TRY(name_event(name, text, &event, err));
    for (uint32_t i = 0; i < counts->n; i++)
        if (counter_compare(&counts->list[i].event, &event) == 0)
            return add_to(&counts->list[i], sample, err);
    TRY(HAS_ROOM(counts->n, MOST_COUNTERS, err, "different counters"));
    TRY(ARENA_MORE(in->scratch, counts->list, counts->n, err));
    TRY(ALLOCATED(event.name = arena_strdup(in->scratch, text), err));
    counts->list[counts->n] = *sample;
    counts->list[counts->n++].event = event;
    return ROOF_OK;
}

const ethosu_count *ethosu_npu_count(const ethosu_counts *counts, roof_counter_quantity quantity)
{
    const roof_event wanted = {.scope = ROOF_COUNTER_UNIT, .quantity = quantity, .name = "npu"};
    for (uint32_t i = 0; i < counts->n; i++)
        if (counter_compare(&counts->list[i].event, &wanted) == 0)
            return &counts->list[i];
    return NULL;
}

double ethosu_mean(const ethosu_count *count)
{
    return count && count->inferences ? (double)count->sum / (double)count->inferences : NAN;
}

/* --- the run ------------------------------------------------------------------------------------------ */

/* The time of an inference is that of all cycles, or of those in which the NPU was active. */
static roof_status set_times(import_state *in, const ethosu_counts *counts, roof_run *run, roof_error *err)
{
    const ethosu_count *total = ethosu_npu_count(counts, ROOF_COUNTER_TOTAL_CYCLES),
                       *active = ethosu_npu_count(counts, ROOF_COUNTER_ACTIVE_CYCLES),
                       *whole = total ? total : active;
    const double hz = in->told_hz;
    if (!whole || !(hz > 0))
        return ROOF_OK;
    run->total.mean_s = ethosu_mean(whole) / hz;
    run->total.count = whole->inferences;
    run->total.min_s = known_count(whole->least) / hz;
    run->total.max_s = known_count(whole->most) / hz;
    if (!total)
        import_note(in, "the total is of the NPU only, from its start to its end, without what the CPU does");
    TRY(run_add_clock(in->out, run, "npu", hz, err));
    return total && active ? run_add_phase(in->out, run,
                                           (roof_phase){.name = "run",
                                                        .seconds = ethosu_mean(active) / hz,
                                                        .kind = ROOF_PHASE_ACCELERATOR},
                                           err)
                           : ROOF_OK;
}

roof_status ethosu_counts_set(import_state *in, const ethosu_counts *counts, roof_run *run, roof_error *err)
{
    for (uint32_t i = 0; i < counts->n; i++) {
        roof_event event = counts->list[i].event;
        event.count = (uint64_t)llround(fmin(ethosu_mean(&counts->list[i]), 0x1p63));
        TRY(counted_set_event(counted_of_run(in->out, run), event, err));
    }
    const double total = ethosu_mean(ethosu_npu_count(counts, ROOF_COUNTER_TOTAL_CYCLES)),
                 active = ethosu_mean(ethosu_npu_count(counts, ROOF_COUNTER_ACTIVE_CYCLES)),
                 idle = ethosu_mean(ethosu_npu_count(counts, ROOF_COUNTER_IDLE_CYCLES));
    /* they are read one after the other, so that a few cycles lie between them */
    if (fabs(active + idle - total) > 16 + 1e-3 * total)
        import_note(in, "%s active and %s idle cycles are not the %s in total", NUMBER(active), NUMBER(idle),
                    NUMBER(total));
    return set_times(in, counts, run, err);
}

void ethosu_remark_clock(import_state *in)
{
    if (!(in->told_hz > 0))
        import_note(in, "cycles are of the NPU's clock, which nothing here tells, so that there are no "
                        "times: --map clock=400MHz does, with your board's");
}

/* --- the clock ---------------------------------------------------------------------------------------- */

typedef struct summary {
    size_t column; /* of the clock, from 1; 0: not seen yet */
    double hz;
} summary;

enum { MOST_CELLS = 128 };

static roof_status take_summary(void *summary_, const import_line *line, roof_error *err)
{
    summary *s = summary_;
    text_span cells[MOST_CELLS];
    size_t n = span_split((text_span){line->text, line->length}, ',', cells, MOST_CELLS);
    n = n < MOST_CELLS ? n : MOST_CELLS;
    for (size_t i = 0; !s->column && i < n; i++)
        if (span_is(cells[i], "core_clock")) {
            s->column = i + 1;
            return ROOF_OK;
        }
    return s->column && s->column <= n && isnan(s->hz)
               ? span_number(cells[s->column - 1], "core_clock", &s->hz, err)
               : ROOF_OK;
}

roof_status ethosu_begin(struct reading *reading, roof_error *err)
{
    static const char word[] = "clock=";
    import_state *in = *(import_state **)reading;
    const char *map = in->options->map;
    summary found = {.hz = NAN};
    input_file input;
    in->told_hz = NAN;
    if (!map)
        return ROOF_OK;
    if (strncmp(map, word, sizeof word - 1) == 0)
        TRY(quantity_parse(map + sizeof word - 1, "Hz", &found.hz, err));
    else {
        TRY(input_open(map, 0, &input, err));
        roof_status status = lines_each(input_read, &input, take_summary, &found, err);
        input_close(&input);
        TRY(error_placed(status, err, "%s", map));
        if (!found.column)
            return error_data(err, "no core_clock in '%s', want the summary that Vela wrote, or clock=400MHz",
                              SHOWN_TEXT(map));
    }
    in->told_hz = found.hz;
    return found.hz >= 1 && found.hz <= 1e12
               ? ROOF_OK
               : error_data(err, "the clock of '%s' is %g Hz, want 1 Hz to 1 THz", SHOWN_TEXT(map), found.hz);
}
