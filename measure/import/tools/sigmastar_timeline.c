/* The timeline that performance_timeline.py of SigmaStar makes of an IPU's log, log_ctrl0.json: Chrome's
 * format, an event for every layer of every core.
 *
 *   {"traceEvents":[{"name":"0_CONV_2D","ph":"X","ts":1000,"dur":100,"pid":0,"tid":"core0",...
 *   "conv_cycle_percent":71.2,"vector_cycle_percent":3,"dma_load_cycle_percent":45.5,...
 *
 * Cycles are measured; a duration is cycles over the clock that was named by -f, 800 MHz where none
 * was. So the clock is told from both. Engines work at the same time: their shares are of the layer's cycles,
 * and are more than the whole together. Document: "6. IPU Performance Analysis" of doc.comake.online. It does
 * not state whether events are of phase X or of B and E.
 */
#include "measure/import/row.h"
#include "measure/import/timings.h"

enum { N_ENGINES = 4, MOST_CORES = 64 };

static const struct {
    const char *argument, *name;
} engines[N_ENGINES] = {{"conv_cycle_percent", "conv"},
                        {"vector_cycle_percent", "vector"},
                        {"dma_load_cycle_percent", "load"},
                        {"dma_store_cycle_percent", "store"}};

/* Sums over the events of a row. */
typedef struct row_cycles {
    uint32_t core;
    double cycles, busy[N_ENGINES]; /* NaN where an event does not say it */
} row_cycles;

typedef struct core {
    const char *name;
    double cycles, seconds;
    row_clocks clocks; /* of each event: durations that are rounded make them differ */
} core;

/* Rows, and what events say of them. */
typedef struct layout {
    row_timings timings;
    row_cycles *rows;
    uint32_t n;
} layout;

/* How many events are distinguished, where names are there more than once in one inference. */
enum { MOST_APART = 1 << 16 };

typedef struct reading {
    import_state *in;
    layout by_name, apart; /* apart: an event each, the second one of a name another row than the first */
    core cores[MOST_CORES];
    uint32_t n_cores;
    uint64_t n_others, n_events;
} reading;

/* Adds an event to its row. tag: tells rows of one name apart. */
static roof_status take_in(reading *r, layout *to, const trace_event *e, uint64_t tag, const row_cycles *of,
                           double seconds, uint32_t *row, roof_error *err)
{
    TRY(timings_row_of_event(r->in, &to->timings, e, tag, row, err));
    if (*row == to->n)
        TRY(ARENA_ADD(r->in->scratch, to->rows, to->n, err, (row_cycles){.core = of->core}));
    to->rows[*row].cycles += of->cycles;
    for (int i = 0; i < N_ENGINES; i++)
        to->rows[*row].busy[i] += of->busy[i];
    return timings_add(&to->timings, *row, seconds, err);
}

static roof_status read(reading *r, const trace_event *e, roof_error *err)
{
    text_span total = event_arg(e, "total_cycle");
    uint32_t row = 0;
    uint64_t cycles = 0;
    int64_t start_ps, dur_ps;
    row_cycles x = {0};
    if (!event_is_span(e) || !total.length) {
        r->n_others += event_is_span(e);
        return ROOF_OK;
    }
    TRY(span_count(total, "total_cycle", &cycles, err));
    TRY(event_times(e, &start_ps, &dur_ps, err));
    TRY(event_thread(e, &x.core, err));
    TRY(HAS_ROOM(x.core, MOST_CORES, err, "cores"));
    while (r->n_cores <= x.core)
        r->cores[r->n_cores++] = (core){.name = NULL};
    core *of = &r->cores[x.core];
    if (!of->name && !(of->name = arena_strndup(r->in->scratch, e->tid.text, e->tid.length)))
        return error_memory(err);
    x.cycles = (double)cycles;
    for (int i = 0; i < N_ENGINES; i++) {
        const char *name = engines[i].argument;
        text_span text = event_arg(e, name); /* 71.2, "71.2" and "71.2%" */
        double percent = NAN;
        bool is_told = text.length;
        text.length -= is_told && text.text[text.length - 1] == '%';
        if (is_told)
            TRY(span_number(text, name, &percent, err));
        if (percent / 100 >= 1.005)
            return error_data(err, "%s is '%s', want at most 100", name, SHOWN(text));
        x.busy[i] = percent / 100 * x.cycles;
    }
    const double seconds = event_seconds(dur_ps);
    TRY(take_in(r, &r->by_name, e, x.core, &x, seconds, &row, err));
    if (r->n_events++ < MOST_APART) {
        uint64_t before = r->by_name.timings.rows[row].count - 1;
        TRY(take_in(r, &r->apart, e, before * MOST_CORES + x.core, &x, seconds, &row, err));
    }
    of->cycles += x.cycles;
    of->seconds += seconds;
    row_see_clock(&of->clocks, seconds > 0 ? x.cycles / seconds : NAN);
    return ROOF_OK;
}

/* Mean cycles of one execution. */
static roof_status add_cycles(reading *r, const layout *rows, uint32_t row, roof_measured_layer *layer,
                              roof_error *err)
{
    const row_cycles *of = &rows->rows[row];
    double n = (double)rows->timings.rows[row].count;
    TRY(layer_set_cycles(r->in->out, layer, (roof_domain_cycles){"ipu", (uint64_t)llround(of->cycles / n)},
                         err));
    for (int i = 0; i < N_ENGINES; i++)
        TRY(counted_set(counted_of_layer(r->in->out, layer), ROOF_COUNTER_UNIT, ROOF_COUNTER_ACTIVE_CYCLES,
                        engines[i].name, of->busy[i] / n, err));
    return ROOF_OK;
}

/* The clock that performance_timeline.py takes where -f names no clock. */
#define ASSUMED_HZ 800e6

static double clock_hz(const core *c)
{
    return c->cycles > 0 && c->seconds > 0 ? c->cycles / c->seconds : NAN;
}

/* By name, where every name of a core is there as often as the others: then these are inferences. Else an
 * index began anew within one, or was left out: then each event is a row. */
static layout *layout_of(reading *r, uint32_t of)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < r->by_name.n; i++) {
        if (r->by_name.rows[i].core != of)
            continue;
        if (count && count != r->by_name.timings.rows[i].count)
            return r->n_events <= MOST_APART ? &r->apart : &r->by_name;
        count = r->by_name.timings.rows[i].count;
    }
    return &r->by_name;
}

static roof_status add_run(reading *r, uint32_t of, uint32_t n_runs, roof_error *err)
{
    layout *rows = layout_of(r, of);
    roof_run *run = NULL;
    const core *c = &r->cores[of];
    TRY(import_add_run(r->in, NULL, ROOF_RUN_PER_LAYER, &run, err));
    for (uint32_t i = 0; i < rows->n; i++) {
        roof_measured_layer *layer = NULL;
        if (rows->rows[i].core != of)
            continue;
        TRY(timings_layer(&rows->timings, i, run, &layer, err));
        /* "0_CONV_2D": the index of the operator, and its type. */
        size_t digits = strspn(layer->name, "0123456789"), n = digits + strspn(layer->name + digits, "_ :");
        layer->type = digits && n > digits && layer->name[n] ? layer->name + n : NULL;
        TRY(add_cycles(r, rows, i, layer, err));
    }
    if (rows == &r->apart)
        import_note(r->in,
                    "some names are there more often than others, so each event is a row of one inference: "
                    "an index that begins anew is of another layer. get_op_time_cost.py writes the file "
                    "anew, with new_ before its name, where each layer has an index of its own");
    if (*c->name && r->n_cores > 1) {
        run->core = measured_text(r->in->out, c->name, strlen(c->name));
        TRY(ALLOCATED(run->core, err));
        import_note(r->in, "run %u is of %s", n_runs, SHOWN_TEXT(c->name));
    }
    if (n_runs == 1 || fabs(clock_hz(c) / clock_hz(&r->cores[0]) - 1) > 1e-3) {
        double hz = clock_hz(c);
        bool assumed = fabs(hz - ASSUMED_HZ) < 1e-3 * ASSUMED_HZ;
        if (isnan(hz))
            import_note(r->in, "cycles or durations are 0, so the clock is unknown");
        else if (c->clocks.most_hz > 1.01 * c->clocks.least_hz)
            import_note(r->in, "cycles over durations are %s to %s MHz, so the clock is not certain",
                        NUMBER(c->clocks.least_hz / 1e6), NUMBER(c->clocks.most_hz / 1e6));
        else
            import_note(r->in,
                        "durations are cycles at %s MHz, %s: if the IPU ran at another clock, cycles are "
                        "right and times are not",
                        NUMBER(hz / 1e6),
                        assumed ? "which is assumed where -f names none" : "as -f named it");
    }
    import_sum_up(r->in, run);
    return isnan(clock_hz(c)) ? ROOF_OK : run_add_clock(r->in->out, run, "ipu", clock_hz(c), err);
}

static roof_status finish(reading *r, roof_error *err)
{
    uint32_t n_runs = 0;
    if (!r->by_name.n)
        return error_data(err, "no layer, want events with total_cycle in args");
    for (uint32_t i = 0; i < r->n_cores; i++)
        if (r->cores[i].name)
            TRY(add_run(r, i, ++n_runs, err));
    import_note_count(r->in, r->n_others, "events without total_cycle are left out");
    return ROOF_OK;
}

const importer_def importer_sigmastar_timeline = {
    .id = "sigmastar_timeline",
    .tool = "SigmaStar",
    .marks = {SURE("\"total_cycle\"", "\"conv_cycle_percent\"")},
    .device = "IPU",
    ROWS_ONLY,
    .unverified = true,
    .reading_bytes = sizeof(reading),
    .trace = {.event = read, .pairs = true},
    .finish = finish};
