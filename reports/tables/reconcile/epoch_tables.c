#include "reports/tables/reconcile/epoch_tables.h"
#include "measure/profile/counter.h"

static bool flows(const roof_flow *f)
{
    return f->read_bytes != ROOF_UNKNOWN || f->write_bytes != ROOF_UNKNOWN;
}

/* ---- lines ---- */

/* "+0.3": by how many per cent there are more than planned; "?" where one is unknown, or 0. */
static const char *more_than(const remarks *r, uint64_t counted, uint64_t planned)
{
    const double ratio = quotient_of(known_count(counted), known_count(planned)) - 1;
    return isnan(ratio) ? "?" : say_printf(r->arena, "%+.1f", 100 * ratio);
}

/* ", 64.8 inferences/s"; nothing where it is unknown. */
static const char *rate(const remarks *r, double per_s)
{
    return isnan(per_s) ? "" : say_printf(r->arena, ", %.1f inferences/s", per_s);
}

void epoch_view_lines(const roof_epochs *e, remarks *r)
{
    const roof_measured_epoch *t = &e->total;
    const char *whose = e->is_part ? "the epochs that are listed: " : "", *ops = "", *error = "";
    if (t->vendor_cycles != ROOF_UNKNOWN)
        remarks_add(r, "compiler", "%s%s cycles%s, %s GOPS; by computing alone %s cycles%s, %s GOPS", whose,
                    say_count(r->arena, t->vendor_cycles), rate(r, e->vendor_inferences_per_s),
                    say_number(r->arena, t->vendor_ops_per_s / 1e9, 1),
                    say_count(r->arena, t->compute_cycles), rate(r, e->ideal_inferences_per_s),
                    say_number(r->arena, t->ideal_ops_per_s / 1e9, 1));
    if (!isnan(t->measured_ops_per_s))
        ops = say_printf(r->arena, "; %s GOPS, %s in core phases",
                         say_number(r->arena, t->measured_ops_per_s / 1e9, 1),
                         say_number(r->arena, t->core_ops_per_s / 1e9, 1));
    remarks_add(r, "measured", "%s%s%s; %s NPU cycles%s, %s %% of the time in core phases%s", whose,
                say_seconds(r->arena, t->total_s), rate(r, e->measured_inferences_per_s),
                t->npu_total_cycles == ROOF_UNKNOWN ? "?" : say_count(r->arena, t->npu_total_cycles),
                t->npu_total_is_converted ? " (outside core phases converted)" : "",
                say_number(r->arena, 100 * quotient_of(t->core_s, t->total_s), 1), ops);
    if (!isnan(t->vendor_error_ratio))
        error = say_printf(r->arena, "; the compiler %sestimates the core's cycles by %s %%",
                           t->vendor_error_ratio < 0 ? "under" : "over",
                           say_number(r->arena, 100 * fabs(t->vendor_error_ratio), 2));
    if (!isnan(t->compute_ratio))
        remarks_add(r, "computing", "takes %s %% of all cycles, %s %% of those in core phases%s",
                    say_number(r->arena, 100 * t->compute_ratio, 2),
                    say_number(r->arena, 100 * t->core_compute_ratio, 2), error);
    const roof_flow *planned = &t->all_pools, *counted = &t->all_buses;
    if (flows(planned) && flows(counted))
        remarks_add(r, "bytes",
                    "%splanned %s B read and %s B written, counted %s B and %s B: %s %% and %s %%", whose,
                    say_count(r->arena, planned->read_bytes), say_count(r->arena, planned->write_bytes),
                    say_count(r->arena, counted->read_bytes), say_count(r->arena, counted->write_bytes),
                    more_than(r, counted->read_bytes, planned->read_bytes),
                    more_than(r, counted->write_bytes, planned->write_bytes));
    if (t->busiest_stream_ratio > 1)
        remarks_add(
            r, "streams",
            "engine %u is active for %s %% of the core phase: it is never stalled. Its cycles are counted "
            "between callbacks around that phase, maybe in another inference, so that they may exceed it",
            t->busiest_stream, say_number(r->arena, 100 * t->busiest_stream_ratio, 1));
    if (e->converted)
        remarks_add(r, "clocks",
                    "NPU cycles outside the core phases of %u epoch%s are converted from the host's, %s to "
                    "%s MHz; the NPU's own counters say a little more",
                    e->converted, say_plural(e->converted), say_number(r->arena, e->mcu_hz / 1e6, 0),
                    say_number(r->arena, e->npu_hz / 1e6, 0));
}

/* ---- tables ---- */

void epoch_view_types(const reconcile_scope *s, cell_grid *grid)
{
    GRID_COLUMNS(columns, GRID_NAME("epochs", 0), GRID_NUMBER("number", NULL, 0), GRID_TIME("time", 0),
                 GRID_PERCENT("share", 0), GRID_TIME("outside core", 0),
                 GRID_SCALED("each", "[us]", 0, .times = 1e6, .digits = 1));
    const roof_epochs *e = s->e->epochs;
    grid_begin(grid, s->arena, columns, N_OF(columns));
    FOR_EACH(const roof_epoch_type, t, e->types, e->n_types)
        GRID_ADD(grid, cell_text(t->type), cell_number(t->n, 0), cell_value(t->total_s),
                 cell_value(t->time_share_ratio), cell_value(t->outside_core_s),
                 cell_value(t->outside_core_s / t->n));
}

static grid_cell megabytes_per_s(double bytes_per_s)
{
    return cell_number(bytes_per_s * 1e-6, 2);
}

static void add_flow(cell_grid *grid, const roof_flow *f)
{
    GRID_ADD(grid, cell_text(f->name), cell_number(known_count(f->read_bytes) * 1e-3, 1),
             cell_number(known_count(f->write_bytes) * 1e-3, 1), megabytes_per_s(f->peak_bytes_per_s),
             megabytes_per_s(f->average_bytes_per_s), cell_value(f->use_ratio));
}

void epoch_view_flows(const reconcile_scope *s, cell_grid *grid)
{
    GRID_COLUMNS(columns, GRID_NAME("memory or bus", 0), GRID_NUMBER("read", "[kB]", 0),
                 GRID_NUMBER("written", "[kB]", 0), GRID_NUMBER("peak", "[MB/s]", 0),
                 GRID_NUMBER("average", "[MB/s]", 0), GRID_PERCENT("of its rate", 1));
    const roof_measured_epoch *t = &s->e->epochs->total;
    grid_begin(grid, s->arena, columns, N_OF(columns));
    for (uint32_t i = 0; i < t->n_pools; i++)
        add_flow(grid, &t->pools[i]);
    if (t->n_pools > 1)
        add_flow(grid, &t->all_pools);
    for (int i = 0; i < ROOF_BUS_INTERFACES; i++)
        if (flows(&t->buses[i]))
            add_flow(grid, &t->buses[i]);
    if (flows(&t->all_buses))
        add_flow(grid, &t->all_buses);
}

void epoch_view_rows(const reconcile_scope *s, cell_grid *grid)
{
    GRID_COLUMNS(
        columns, GRID_NAME("epoch", 0), GRID_TEXT("type", 2), GRID_NUMBER("time", "[us]", 0),
        GRID_NUMBER("share", "[%]", 4), GRID_NUMBER("pre", "[us]", 3), GRID_NUMBER("core", "[us]", 1),
        GRID_NUMBER("post", "[us]", 3), GRID_NUMBER("core", "[kcyc]", 0),
        GRID_NUMBER("compiler", "[kcyc]", 1), GRID_NUMBER("error", "[%]", 1),
        GRID_NUMBER("compute", "[%]", 2), GRID_NUMBER("of core", "[%]", 1), GRID_NUMBER("ideal", "[GOPS]", 5),
        GRID_NUMBER("core", "[GOPS]", 6), GRID_NUMBER("measured", "[GOPS]", 5),
        GRID_NUMBER("bus", "[GB/s]", 4), GRID_NUMBER("stream", "[%]", 0), GRID_NOTE("nearest its peak", 1));
    const roof_epochs *e = s->e->epochs;
    grid_begin(grid, s->arena, columns, N_OF(columns));
    grid->what = "epoch";
    grid->largest = "time";
    const bool *shown = GRID_CHOOSE(grid, e->rows, total_s, e->n_rows, s->most);
    for (uint32_t i = 0; i < e->n_rows; i++) {
        const roof_measured_epoch *t = &e->rows[i];
        if (shown && !shown[i])
            continue;
        GRID_ADD(grid, cell_text(t->name), cell_text(text_or_empty(t->type)),
                 cell_number(t->total_s * 1e6, 1), cell_number(t->time_share_ratio * 100, 1));
        for (int phase = 0; phase < ROOF_EPOCH_PHASES; phase++)
            GRID_ADD(grid, cell_number(known_count(t->mcu_cycles[phase]) / e->mcu_hz * 1e6, 1));
        GRID_ADD(grid, cell_number(t->core_s * e->npu_hz * 1e-3, 1),
                 cell_number(known_count(t->vendor_cycles) * 1e-3, 1),
                 cell_signed(100 * t->vendor_error_ratio, 2), cell_number(t->compute_ratio * 100, 2),
                 cell_number(t->core_compute_ratio * 100, 2), cell_number(t->ideal_ops_per_s * 1e-9, 1),
                 cell_number(t->core_ops_per_s * 1e-9, 1), cell_number(t->measured_ops_per_s * 1e-9, 1),
                 cell_number(t->all_buses.peak_bytes_per_s * 1e-9, 2),
                 cell_number(t->busiest_stream_ratio * 100, 1),
                 t->nearest
                     ? cell_text(arena_printf(grid->arena, "%s %.0f %%", t->nearest, 100 * t->nearest_ratio))
                     : cell_empty);
    }
}

/* ---- counters ---- */

uint64_t epoch_count(const roof_measured_epoch *e, roof_event counter)
{
    return counter_find(e->events, e->n_events, &counter);
}

bool epoch_next_stream(const roof_measured_epoch *e, stream_use *s, roof_arena *arena)
{
    enum { ENGINES = 16, WAYS = ROOF_COUNTER_WRITE + 1 };
    while (s->next < ENGINES * WAYS) {
        s->engine = s->next / WAYS;
        s->way = (roof_counter_direction)(s->next++ % WAYS);
        s->interface = s->engine < 5 ? 0 : 1;
        s->cycles = epoch_count(e, (roof_event){.scope = ROOF_COUNTER_STREAM,
                                                .direction = s->way,
                                                .quantity = ROOF_COUNTER_ACTIVE_CYCLES,
                                                .index = s->engine});
        /* "npuRAM5:12544, octoFlash:8"; NULL without memory. */
        textbuf text;
        text_init(&text, TEXT_MAX_BYTES);
        FOR_EACH(const roof_event, b, e->events, e->n_events) {
            if (b->scope != ROOF_COUNTER_STREAM || b->quantity != ROOF_COUNTER_BYTES ||
                b->index != s->engine || b->direction != s->way)
                continue;
            text_puts(&text, text.length ? ", " : "");
            text_shown(&text, b->name ? b->name : "?");
            text_printf(&text, ":%llu", (unsigned long long)b->count);
        }
        s->buffers = say_text(arena, &text);
        if (s->cycles != ROOF_UNKNOWN || !s->buffers || *s->buffers)
            return true;
    }
    return false;
}

void epoch_bursts(const roof_measured_epoch *e, uint32_t bus, roof_counter_direction way, uint64_t counts[4])
{
    for (int i = 0; i < 4; i++)
        counts[i] = epoch_count(e, (roof_event){.scope = ROOF_COUNTER_BUS,
                                                .direction = way,
                                                .quantity = ROOF_COUNTER_BURSTS,
                                                .index = bus,
                                                .beats = 1U << i});
}

bool epoch_cache(const roof_measured_epoch *e, roof_counter_direction way, uint64_t counts[4])
{
    const roof_counter_quantity quantities[] = {
        ROOF_COUNTER_HITS, ROOF_COUNTER_MISSES, ROOF_COUNTER_ALLOC_MISSES,
        way == ROOF_COUNTER_WRITE ? ROOF_COUNTER_THROUGHS : ROOF_COUNTER_EVICTIONS};
    bool any = false;
    for (int i = 0; i < 4; i++) {
        counts[i] = epoch_count(
            e, (roof_event){.scope = ROOF_COUNTER_CACHE, .direction = way, .quantity = quantities[i]});
        any = any || counts[i] != ROOF_UNKNOWN;
    }
    return any;
}

/* ---- cycles ---- */

GRID_COLUMNS(cycle_columns, GRID_NAME("epoch", 0), GRID_NUMBER("pre", "[MCU cyc]", 0),
             GRID_NUMBER("pre", "[%]", 5), GRID_NUMBER("core", "[MCU cyc]", 0), GRID_NUMBER("core", "[%]", 5),
             GRID_NUMBER("post", "[MCU cyc]", 0), GRID_NUMBER("post", "[%]", 5),
             GRID_NUMBER("pre", "[NPU cyc]", 3), GRID_NUMBER("pre", "[%]", 6),
             GRID_NUMBER("core", "[NPU cyc]", 1), GRID_NUMBER("core", "[%]", 6),
             GRID_NUMBER("post", "[NPU cyc]", 3), GRID_NUMBER("post", "[%]", 6),
             GRID_NUMBER("core - compiler", "[NPU cyc]", 2), GRID_NUMBER("of core", "[%]", 4),
             GRID_NUMBER("core - ideal", "[NPU cyc]", 2), GRID_NUMBER("of core", "[%]", 4));

static void add_clock(cell_grid *grid, const uint64_t cycles[ROOF_EPOCH_PHASES])
{
    double all = 0;
    for (int phase = 0; phase < ROOF_EPOCH_PHASES; phase++)
        all += known_count(cycles[phase]);
    for (int phase = 0; phase < ROOF_EPOCH_PHASES; phase++)
        GRID_ADD(grid, cell_count(cycles[phase]),
                 cell_number(100 * quotient_of(known_count(cycles[phase]), all), 1));
}

static void add_cycles(cell_grid *grid, const roof_epochs *all, const roof_measured_epoch *e)
{
    double core = e->core_s * all->npu_hz, ideal = e->ideal_s * all->npu_hz;
    /* of a software epoch the compiler plans what moving its data takes, not the CPU's work */
    double vendor = isnan(e->vendor_error_ratio) ? NAN : known_count(e->vendor_cycles);
    GRID_ADD(grid, cell_text(e->name));
    add_clock(grid, e->mcu_cycles);
    add_clock(grid, e->npu_cycles);
    GRID_ADD(grid, cell_signed(core - vendor, 0), cell_signed(100 * quotient_of(core - vendor, core), 2),
             cell_signed(core - ideal, 0), cell_signed(100 * quotient_of(core - ideal, core), 2));
}

/* ---- stream engines ---- */

GRID_COLUMNS(stream_columns, GRID_NAME("epoch", 0), GRID_NUMBER("stream engine", NULL, 0),
             GRID_TEXT("direction", 0), GRID_NUMBER("busif", NULL, 2), GRID_NUMBER("active", "[NPU cyc]", 0),
             GRID_NUMBER("of core", "[%]", 1), GRID_NUMBER("stalled", "[NPU cyc]", 2),
             GRID_NOTE("buffers [B]", 1));

static void add_streams(cell_grid *grid, const roof_epochs *all, const roof_measured_epoch *e)
{
    static const char *const ways[] = {
        [ROOF_COUNTER_UNDIRECTED] = "both", [ROOF_COUNTER_READ] = "in", [ROOF_COUNTER_WRITE] = "out"};
    for (stream_use s = {0}; epoch_next_stream(e, &s, grid->arena);) {
        const double core = e->core_s * all->npu_hz, active = known_count(s.cycles);
        GRID_ADD(grid, cell_text(e->name), cell_count(s.engine), cell_text(ways[s.way]),
                 cell_count(s.interface), cell_count(s.cycles),
                 cell_number(100 * quotient_of(active, core), 1),
                 /* counted beyond the core phase it was never stalled in it */
                 active > core ? cell_none : cell_number(core - active, 0), cell_text(s.buffers));
    }
}

/* ---- bursts ---- */

GRID_COLUMNS(burst_columns, GRID_NAME("epoch", 0), GRID_TEXT("bus", 0), GRID_TEXT("direction", 0),
             GRID_NUMBER("1 beat", "[bursts]", 0), GRID_NUMBER("2 beats", "[bursts]", 0),
             GRID_NUMBER("4 beats", "[bursts]", 0), GRID_NUMBER("8 beats", "[bursts]", 0),
             GRID_NUMBER("average", "[beats]", 1), GRID_NUMBER("moved", "[B]", 2));

static void add_bursts(cell_grid *grid, const roof_epochs *all, const roof_measured_epoch *e)
{
    (void)all;
    for (uint32_t i = 0; i < 2 * ROOF_BUS_INTERFACES; i++) {
        bool write = i % 2;
        const roof_flow *bus = &e->buses[i / 2];
        uint64_t counts[4];
        double n = 0, beats = 0;
        epoch_bursts(e, i / 2, write ? ROOF_COUNTER_WRITE : ROOF_COUNTER_READ, counts);
        for (int k = 0; k < 4; k++) {
            n += known_count(counts[k]);
            beats += (1 << k) * known_count(counts[k]);
        }
        if (isnan(n))
            continue;
        GRID_ADD(grid, cell_text(e->name), cell_text(bus->name), cell_text(write ? "write" : "read"),
                 cell_count(counts[0]), cell_count(counts[1]), cell_count(counts[2]), cell_count(counts[3]),
                 n > 0 ? cell_number(beats / n, 2) : cell_none,
                 cell_count(write ? bus->write_bytes : bus->read_bytes));
    }
}

/* ---- the cache ---- */

GRID_COLUMNS(cache_columns, GRID_NAME("epoch", 0), GRID_TEXT("NPU cache", 0), GRID_NUMBER("hits", NULL, 0),
             GRID_NUMBER("misses", NULL, 0), GRID_NUMBER("alloc misses", NULL, 0),
             GRID_NUMBER("evictions", NULL, 0), GRID_NUMBER("write-throughs", NULL, 0),
             GRID_NUMBER("hit rate", "[%]", 1));

static void add_caches(cell_grid *grid, const roof_epochs *all, const roof_measured_epoch *e)
{
    (void)all;
    for (int way = ROOF_COUNTER_READ; way <= ROOF_COUNTER_WRITE; way++) {
        bool write = way == ROOF_COUNTER_WRITE;
        uint64_t counts[4];
        if (!epoch_cache(e, (roof_counter_direction)way, counts))
            continue;
        double hits = known_count(counts[0]), looks = hits + known_count(counts[1]);
        GRID_ADD(grid, cell_text(e->name), cell_text(write ? "write" : "read"), cell_count(counts[0]),
                 cell_count(counts[1]), cell_count(counts[2]), write ? cell_none : cell_count(counts[3]),
                 write ? cell_count(counts[3]) : cell_none,
                 looks > 0 ? cell_number(100 * hits / looks, 1) : cell_none);
    }
}

/* ---- memories and buses ---- */

GRID_COLUMNS(pool_columns, GRID_NAME("epoch", 0), GRID_NAME("memory or bus", 0),
             GRID_NUMBER("read", "[B]", 0), GRID_NUMBER("written", "[B]", 0),
             GRID_NUMBER("peak", "[MB/s]", 0), GRID_NUMBER("average", "[MB/s]", 1),
             GRID_NUMBER("of its rate", "[%]", 2));

static void add_counted_flow(cell_grid *grid, const roof_measured_epoch *e, const roof_flow *f)
{
    if (!flows(f))
        return;
    GRID_ADD(grid, cell_text(e->name), cell_text(f->name), cell_count(f->read_bytes),
             cell_count(f->write_bytes), megabytes_per_s(f->peak_bytes_per_s),
             megabytes_per_s(f->average_bytes_per_s), cell_number(f->use_ratio * 100, 1));
}

static void add_flows(cell_grid *grid, const roof_epochs *all, const roof_measured_epoch *e)
{
    (void)all;
    for (uint32_t i = 0; i < e->n_pools; i++)
        add_counted_flow(grid, e, &e->pools[i]);
    for (int i = 0; i < ROOF_BUS_INTERFACES; i++)
        add_counted_flow(grid, e, &e->buses[i]);
    const roof_flow *planned = &e->all_pools, *counted = &e->all_buses;
    if (flows(planned) && flows(counted))
        GRID_ADD(grid, cell_text(e->name), cell_text("counted - planned"),
                 cell_signed(known_count(counted->read_bytes) - known_count(planned->read_bytes), 0),
                 cell_signed(known_count(counted->write_bytes) - known_count(planned->write_bytes), 0),
                 cell_empty, cell_empty, cell_empty);
}

/* ---- operations and matches ---- */

GRID_COLUMNS(work_columns, GRID_NAME("epoch", 0), GRID_TEXT("planned", 0), GRID_NAME("name", 0),
             GRID_NUMBER("number", NULL, 0));

static void add_work(cell_grid *grid, const roof_epochs *all, const roof_measured_epoch *e)
{
    (void)all;
    FOR_EACH(const roof_event, w, e->events, e->n_events)
        if (w->scope == ROOF_COUNTER_OPERATION ||
            (w->scope == ROOF_COUNTER_UNIT && w->origin == ROOF_COUNTER_PLANNED))
            GRID_ADD(grid, cell_text(e->name),
                     cell_text(w->scope == ROOF_COUNTER_UNIT ? "unit" : "operation"), cell_text(w->name),
                     cell_count(w->count));
}

/* ---- a table ---- */

const epoch_table_def epoch_tables[EPOCH_TABLES] = {
    [EPOCH_CYCLES] =
        {"epoch-cycles",
         "Cycles of the host's and the NPU's clock by phase, and of the core beside estimate and ideal",
         cycle_columns, N_OF(cycle_columns), add_cycles},
    [EPOCH_STREAMS] = {"streams", "Stream engines: cycles in which they were active, and their buffers",
                       stream_columns, N_OF(stream_columns), add_streams},
    [EPOCH_BURSTS] = {"bursts", "Bursts by length at each bus interface", burst_columns, N_OF(burst_columns),
                      add_bursts},
    [EPOCH_CACHES] = {"cache", "The NPU's cache", cache_columns, N_OF(cache_columns), add_caches},
    [EPOCH_POOLS] = {"pools", "Bytes and rates of each memory and bus interface", pool_columns,
                     N_OF(pool_columns), add_flows},
    [EPOCH_WORK] = {"work", "Operations and units, as the compiler planned them", work_columns,
                    N_OF(work_columns), add_work},
};

void epoch_view_table(const roof_epochs *e, epoch_table which, uint32_t most, cell_grid *grid,
                      roof_arena *arena)
{
    const epoch_table_def *table = &epoch_tables[which];
    grid_begin(grid, arena, table->columns, table->n);
    const bool *shown = GRID_CHOOSE(grid, e->rows, total_s, e->n_rows, most);
    for (uint32_t i = 0; most && i < e->n_rows; i++)
        if (!shown || shown[i])
            table->add(grid, e, &e->rows[i]);
    size_t rows = grid->n_rows;
    table->add(grid, e, &e->total);
    grid->n_last = grid->n_rows - rows;
}
