#include "measure/import/timings.h"

/* Beyond these, as beyond TRACE_MAX_THREADS, whether launches cycle is not looked into. */
enum { MAX_LAUNCHES = 1 << 20 };

typedef struct trace_launch {
    uint32_t row, thread; /* row: once there is a cycle, the place in it */
    double seconds;
} trace_launch;

uint32_t trace_rows(const trace_reader *t)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->by_name.n_rows; i++)
        n += t->by_name.rows[i].count > 0;
    return n;
}

/* --- collecting --------------------------------------------------------------------------------------- */

roof_status trace_row(import_state *in, trace_reader *t, text_span name, uint64_t workload_ops, uint32_t *row,
                      roof_error *err)
{
    t->in = in;
    t->timings = &t->by_name;
    TRY(timings_row_of(in, t->timings, name, workload_ops, row, err));
    t->timings->rows[*row].workload_ops = workload_ops;
    return ROOF_OK;
}

roof_status trace_add(trace_reader *t, const kernel_launch *launch, roof_error *err)
{
    double seconds = launch->seconds;
    uint32_t thread = 0;
    if (seconds <
        1e6) /* stamps have nanoseconds at best: what is beyond them comes from subtracting doubles */
        seconds = (double)llround(seconds * 1e9) / 1e9;
    TRY(timings_add(t->timings, launch->row, seconds, err));
    if (!isnan(launch->cycles)) {
        timings_row *row = &t->timings->rows[launch->row];
        row->mean_cycles += (launch->cycles - row->mean_cycles) / (double)++row->n_cycles;
    }
    while (thread < t->n_threads && t->threads[thread] != launch->thread)
        thread++;
    t->forgot = t->forgot || thread == TRACE_MAX_THREADS || t->n_launches == MAX_LAUNCHES;
    if (t->forgot)
        return ROOF_OK;
    if (thread == t->n_threads)
        t->threads[t->n_threads++] = launch->thread;
    return ARENA_ADD(t->in->scratch, t->launches, t->n_launches, err,
                     (trace_launch){launch->row, thread, seconds});
}

/* --- cycles ------------------------------------------------------------------------------------------- */

/* The sequence that every thread repeats. */
typedef struct cycle {
    uint32_t length; /* 0: there is none */
    uint32_t *rows;  /* in their order */
    bool anchored;   /* the first of rows begins an inference */
} cycle;

/* The smallest period, by the failure function of Knuth, Morris and Pratt; fail has room for n. */
static uint32_t smallest_period(const uint32_t *sequence, uint32_t n, uint32_t *fail)
{
    fail[0] = 0;
    for (uint32_t i = 1, k = 0; i < n; i++) {
        while (k && sequence[i] != sequence[k])
            k = fail[k - 1];
        k += sequence[i] == sequence[k];
        fail[i] = k;
    }
    return n - fail[n - 1];
}

/* True if all threads go through these rows from the first one on: then rows of events become places. */
static bool find_places(trace_reader *t, const uint32_t *rows, uint32_t length)
{
    uint32_t at[TRACE_MAX_THREADS] = {0};
    for (uint32_t i = 0; i < t->n_launches; i++) {
        uint32_t *next = &at[t->launches[i].thread], place = *next;
        if (t->launches[i].row != rows[place])
            return false;
        t->launches[i].row = place;
        *next = place + 1 == length ? 0 : place + 1;
    }
    return true;
}

/* The cycle of the thread that came first; one sequence alone is believed when no name is in it twice. */
static roof_status find_cycle(trace_reader *t, cycle *out, roof_error *err)
{
    uint32_t n = 0;
    *out = (cycle){0};
    if (t->forgot || !t->n_launches)
        return ROOF_OK;
    uint32_t *rows, *fail;
    TRY(ARENA_GET2(t->in->scratch, rows, fail, t->n_launches, err));
    for (uint32_t i = 0; i < t->n_launches; i++)
        if (t->launches[i].thread == t->launches[0].thread)
            rows[n++] = t->launches[i].row;
    uint32_t length = smallest_period(rows, n, fail);
    bool believed = n / length >= 2 || length == t->timings->n_rows;
    if (believed && find_places(t, rows, length))
        *out = (cycle){length, rows, true};
    return ROOF_OK;
}

/* Rows by place in the cycle, where a name comes twice. Cycles of the hardware are of no place, and go. */
static roof_status split_by_place(trace_reader *t, const cycle *c, roof_error *err)
{
    uint32_t row;
    for (uint32_t i = 0; i < c->length; i++) {
        const timings_row *whole = &t->timings->rows[c->rows[i]];
        TRY(timings_row_of(t->in, &t->split, span_of(whole->name), i, &row, err));
        t->split.rows[row].workload_ops = whole->workload_ops;
        c->rows[i] = i;
    }
    timings_drop_samples(t->timings);
    for (uint32_t i = 0; i < t->n_launches; i++)
        TRY(timings_add(&t->split, t->launches[i].row, t->launches[i].seconds, err));
    t->timings = &t->split;
    return ROOF_OK;
}

/* --- filling the run ---------------------------------------------------------------------------------- */

/* The sum over each complete cycle, in the order in which they ended. */
static roof_status fill_total(const trace_reader *t, const cycle *c, roof_times *out, roof_error *err)
{
    uint32_t n = 0;
    double sums[TRACE_MAX_THREADS] = {0};
    double *totals;
    TRY(ARENA_GET(t->in->scratch, totals, t->n_launches / c->length + (size_t)1, err));
    for (uint32_t i = 0; i < t->n_launches; i++) {
        double *sum = &sums[t->launches[i].thread];
        *sum += t->launches[i].seconds;
        if (t->launches[i].row + 1 == c->length) {
            totals[n++] = *sum;
            *sum = 0;
        }
    }
    return n ? times_from_samples(t->in->out, totals, n, out, err) : ROOF_OK;
}

static roof_status add_layers(trace_reader *t, const cycle *c, roof_run *run, roof_error *err)
{
    uint32_t n = c->anchored ? c->length : t->timings->n_rows;
    for (uint32_t i = 0; i < n; i++) {
        roof_measured_layer *layer = NULL;
        const uint32_t row = c->anchored ? c->rows[i] : i;
        const timings_row facts = t->timings->rows[row];
        if (!facts.count)
            continue;
        TRY(timings_layer(t->timings, row, run, &layer, err));
        TRY(ALLOCATED(layer_counters_of(t->in->out, layer), err));
        layer->index = c->anchored ? i + 1 : ROOF_NONE;
        layer->counters->workload_ops = facts.workload_ops;
        uint64_t cycles = facts.n_cycles ? count_from(facts.mean_cycles) : ROOF_UNKNOWN;
        if (cycles != ROOF_UNKNOWN)
            TRY(layer_set_cycles(t->in->out, layer, (roof_domain_cycles){"axilite", cycles}, err));
    }
    return run->n_layers ? ROOF_OK : error_data(err, "no launch has both its start and its end");
}

roof_status trace_finish(trace_reader *t, roof_run_mode mode, bool whole, roof_error *err)
{
    cycle c = {0};
    roof_run *run = NULL;
    TRY(import_add_run(t->in, NULL, mode, &run, err));
    if (!t->timings->dropped)
        TRY(find_cycle(t, &c, err));
    c.anchored = c.length == 1 || (c.length && whole);
    if (!c.anchored && c.length > t->timings->n_rows) /* names that come twice cannot be distinguished then */
        c = (cycle){0};
    if (c.length > t->timings->n_rows)
        TRY(split_by_place(t, &c, err));
    TRY(add_layers(t, &c, run, err));
    if (!c.length) {
        import_sum_up(t->in, run);
        return ROOF_OK;
    }
    run->launches = c.length;
    run->iterations = 0;
    for (uint32_t i = 0; i < run->n_layers; i++)
        if (run->layers[i].time.count > run->iterations)
            run->iterations = run->layers[i].time.count;
    run->sum_of_layers_s = import_sum_of_rows(run);
    if (mode == ROOF_RUN_PER_LAYER) {
        run->boundaries = c.length;
        return ROOF_OK;
    }
    import_note(t->in,
                "whole-network run: the total is of the DPU subgraphs only, without what the CPU does");
    if (c.anchored)
        return fill_total(t, &c, &run->total, err);
    run->total.mean_s = run->sum_of_layers_s;
    return ROOF_OK;
}
