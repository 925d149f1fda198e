/* What was counted of the epochs of a Neural-ART, as tables: of the longest epochs, and of all together. */
#include "core/quantity.h"
#include "measure/profile/counter.h"
#include "reports/tables/reconcile/reconcile_view.h"

#include <math.h>

#define N(table) (sizeof(table) / sizeof *(table))

/* ---- counters ---- */

uint64_t epoch_count(const roof_measured_epoch *e, roof_event counter)
{
    return counter_find(e->events, e->n_events, &counter);
}

/* "npuRAM5:12544, octoFlash:8"; NULL without memory. */
static const char *buffers_of(const roof_measured_epoch *e, const stream_use *s, roof_arena *arena)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    for (uint32_t i = 0; i < e->n_events; i++) {
        const roof_event *b = &e->events[i];
        if (b->scope != ROOF_COUNTER_STREAM || b->quantity != ROOF_COUNTER_BYTES || b->index != s->engine ||
            b->direction != s->way)
            continue;
        text_puts(&text, text.length ? ", " : "");
        text_shown(&text, b->name ? b->name : "?");
        text_printf(&text, ":%llu", (unsigned long long)b->count);
    }
    return say_text(arena, &text);
}

bool next_stream(const roof_measured_epoch *e, stream_use *s, roof_arena *arena)
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
        s->buffers = buffers_of(e, s, arena);
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
    /* of a software epoch the compiler plans what moving its data takes, not the host's work */
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
             GRID_NUMBER("of core", "[%]", 1), GRID_NOTE("buffers [B]", 1));

static void add_streams(cell_grid *grid, const roof_epochs *all, const roof_measured_epoch *e)
{
    static const char *const ways[] = {
        [ROOF_COUNTER_UNDIRECTED] = "both", [ROOF_COUNTER_READ] = "in", [ROOF_COUNTER_WRITE] = "out"};
    for (stream_use s = {0}; next_stream(e, &s, grid->arena);)
        GRID_ADD(grid, cell_text(e->name), cell_count(s.engine), cell_text(ways[s.way]),
                 cell_count(s.interface), cell_count(s.cycles),
                 cell_number(100 * quotient_of(known_count(s.cycles), e->core_s * all->npu_hz), 1),
                 cell_text(s.buffers));
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

static void add_flow(cell_grid *grid, const roof_measured_epoch *e, const roof_flow *f)
{
    if (f->read_bytes == ROOF_UNKNOWN && f->write_bytes == ROOF_UNKNOWN)
        return;
    GRID_ADD(grid, cell_text(e->name), cell_text(f->name), cell_count(f->read_bytes),
             cell_count(f->write_bytes), cell_number(f->peak_bytes_per_s * 1e-6, 2),
             cell_number(f->average_bytes_per_s * 1e-6, 2), cell_number(f->use_ratio * 100, 1));
}

static void add_flows(cell_grid *grid, const roof_epochs *all, const roof_measured_epoch *e)
{
    (void)all;
    for (uint32_t i = 0; i < e->n_pools; i++)
        add_flow(grid, e, &e->pools[i]);
    for (int i = 0; i < ROOF_BUS_INTERFACES; i++)
        add_flow(grid, e, &e->buses[i]);
}

/* ---- operations and units ---- */

GRID_COLUMNS(work_columns, GRID_NAME("epoch", 0), GRID_TEXT("planned", 0), GRID_NAME("name", 0),
             GRID_NUMBER("number", NULL, 0));

static void add_work(cell_grid *grid, const roof_epochs *all, const roof_measured_epoch *e)
{
    (void)all;
    for (uint32_t i = 0; i < e->n_events; i++) {
        const roof_event *w = &e->events[i];
        if (w->scope == ROOF_COUNTER_OPERATION ||
            (w->scope == ROOF_COUNTER_UNIT && w->origin == ROOF_COUNTER_PLANNED))
            GRID_ADD(grid, cell_text(e->name),
                     cell_text(w->scope == ROOF_COUNTER_UNIT ? "unit" : "operation"), cell_text(w->name),
                     cell_count(w->count));
    }
}

/* ---- a table ---- */

static const struct {
    const grid_column *columns;
    size_t n;
    void (*add)(cell_grid *grid, const roof_epochs *all, const roof_measured_epoch *e); /* rows of one */
} tables[EPOCH_TABLES] = {
    [EPOCH_CYCLES] = {cycle_columns, N(cycle_columns), add_cycles},
    [EPOCH_STREAMS] = {stream_columns, N(stream_columns), add_streams},
    [EPOCH_BURSTS] = {burst_columns, N(burst_columns), add_bursts},
    [EPOCH_CACHES] = {cache_columns, N(cache_columns), add_caches},
    [EPOCH_POOLS] = {pool_columns, N(pool_columns), add_flows},
    [EPOCH_WORK] = {work_columns, N(work_columns), add_work},
};

size_t view_epoch_table(const roof_epochs *e, epoch_table which, uint32_t most, cell_grid *grid,
                        roof_arena *arena)
{
    double *times = NEW_ARRAY(arena, double, e->n_rows);
    grid_begin(grid, arena, tables[which].columns, tables[which].n);
    for (uint32_t i = 0; times && i < e->n_rows; i++)
        times[i] = e->rows[i].total_s;
    const bool *shown = most && times ? mark_largest(arena, times, e->n_rows, most) : NULL;
    for (uint32_t i = 0; most && i < e->n_rows; i++)
        if (!shown || shown[i])
            tables[which].add(grid, e, &e->rows[i]);
    size_t rows = grid->n_rows;
    tables[which].add(grid, e, &e->total);
    return grid->n_rows - rows;
}
