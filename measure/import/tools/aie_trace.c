/* trace.json that mlir-aie makes of the trace units of the array: Chrome's format, in cycles of the array.
 *
 *   [{"name":"process_name","ph":"M","pid":0,"args":{"name":"core_trace for tile3,1"}},
 *   {"name":"LOCK_STALL","ts":1,"ph":"B","pid":0,"tid":6,"args":{}},{"name":"LOCK_STALL","ts":6085,...
 *
 * A process is a tile, a thread one of the events that its unit was set to. Tiles work at the same time, so
 * they are no rows: a run has counters of them. A port that runs moves 4 bytes a cycle (AM020, stream switch:
 * 32 bits). Begins nest, and the trace's buffer may end between a begin and its end: such a last one is left
 * out. No clock is known, so there are no seconds.
 */
#include "measure/import/timings.h"

enum { MOST_LANES = 1000, MOST_TILES = 400, STREAM_BYTES = 4, MOST_NOTED = 12 };

typedef struct tile {
    const char *name; /* "core_trace for tile3,1"; NULL: not named */
    uint64_t pid, first, last;
    bool any;
    bool is_twice; /* another tile has this name */
} tile;

/* One event of one tile, whichever threads it is in. */
typedef struct lane {
    const char *name;
    uint32_t tile, depth;
    uint64_t begun, cycles, begins;
} lane;

typedef struct reading {
    import_state *in;
    tile tiles[MOST_TILES];
    lane lanes[MOST_LANES];
    uint32_t n_tiles, n_lanes;
    row_timings events; /* a row without a time for each lane */
    uint64_t n_unpaired;
} reading;

static roof_status tile_of(reading *r, uint64_t pid, uint32_t *out, roof_error *err)
{
    for (*out = 0; *out < r->n_tiles && r->tiles[*out].pid != pid;)
        ++*out;
    if (*out < r->n_tiles)
        return ROOF_OK;
    TRY(HAS_ROOM(r->n_tiles, MOST_TILES, err, "tiles"));
    r->tiles[r->n_tiles++] = (tile){.pid = pid};
    return ROOF_OK;
}

static roof_status lane_of(reading *r, text_span name, uint64_t pid, lane **out, roof_error *err)
{
    uint32_t at;
    TRY(timings_row_of(r->in, &r->events, name, pid, &at, err));
    if (at == r->n_lanes) {
        lane new = {.name = r->events.rows[at].name};
        if (codec_key_problem(new.name))
            return error_data(err, "an event '%s', want a name of at most 100 ASCII characters", SHOWN(name));
        TRY(HAS_ROOM(r->n_lanes, MOST_LANES, err, "different events"));
        TRY(tile_of(r, pid, &new.tile, err));
        r->lanes[r->n_lanes++] = new;
    }
    *out = &r->lanes[at];
    return ROOF_OK;
}

static roof_status read(reading *r, const trace_event *e, roof_error *err)
{
    bool begins = span_is(e->phase, "B");
    uint64_t pid, ts;
    text_span name;
    lane *l = NULL;
    bool is_name = span_is(e->phase, "M") && span_is(e->name, "process_name");
    if (!begins && !span_is(e->phase, "E") && !is_name)
        return ROOF_OK;
    TRY(span_count(e->pid, "pid", &pid, err));
    if (is_name) {
        uint32_t of = 0;
        TRY(event_text(e, event_arg(e, "name"), &name, err));
        if (!name.length)
            return ROOF_OK;
        TRY(tile_of(r, pid, &of, err));
        r->tiles[of].name = measured_text(r->in->out, name.text, name.length);
        return ALLOCATED(r->tiles[of].name, err);
    }
    TRY(span_count(e->ts, "ts", &ts, err));
    TRY(event_text(e, e->name, &name, err));
    TRY(lane_of(r, name, pid, &l, err));
    tile *t = &r->tiles[l->tile];
    t->first = !t->any || ts < t->first ? ts : t->first;
    t->last = !t->any || ts > t->last ? ts : t->last;
    t->any = true;
    if (begins && !l->depth) {
        l->begun = ts;
        l->begins++;
    }
    if (begins) {
        l->depth++; /* at most as many as there are bytes */
    } else if (!l->depth || ts < l->begun) {
        r->n_unpaired++;
    } else if (!--l->depth) {
        l->cycles += ts - l->begun; /* both are below 2^53, and begins do not overlap */
    }
    return ROOF_OK;
}

static roof_status add_count(reading *r, roof_run *run, const tile *t, const char *name, roof_event kind,
                             roof_error *err)
{
    kind.scope = ROOF_COUNTER_TILE;
    if (t->name && !t->is_twice)
        kind.name = arena_printf(r->in->scratch, "%s.%s", t->name, name);
    else
        kind.name = arena_printf(r->in->scratch, "%s (%llu).%s", t->name ? t->name : "tile",
                                 (unsigned long long)t->pid, name);
    return kind.name ? counted_set_event(counted_of_run(r->in->out, run), kind, err) : error_memory(err);
}

static roof_status finish(reading *r, roof_error *err)
{
    roof_run *run = NULL;
    if (!r->n_lanes)
        return error_data(err, "no event, want some with ph \"B\" and \"E\"");
    for (uint32_t i = 0; i < r->n_tiles; i++)
        for (uint32_t k = 0; k < i; k++)
            if (r->tiles[i].name && r->tiles[k].name && strcmp(r->tiles[i].name, r->tiles[k].name) == 0)
                r->tiles[i].is_twice = r->tiles[k].is_twice = true;
    TRY(import_add_run(r->in, NULL, ROOF_RUN_BYPASS, &run, err));
    for (uint32_t i = 0; i < r->n_tiles; i++)
        if (r->tiles[i].any)
            TRY(add_count(r, run, &r->tiles[i], "TRACED",
                          (roof_event){.quantity = ROOF_COUNTER_ACTIVE_CYCLES,
                                       .count = r->tiles[i].last - r->tiles[i].first},
                          err));
    for (uint32_t i = 0; i < r->n_lanes; i++) {
        const lane *l = &r->lanes[i];
        const tile *t = &r->tiles[l->tile];
        const roof_event counts[] = {{.quantity = ROOF_COUNTER_ACTIVE_CYCLES, .count = l->cycles},
                                     {.quantity = ROOF_COUNTER_PIECES, .count = l->begins},
                                     {.quantity = ROOF_COUNTER_BYTES, .count = STREAM_BYTES * l->cycles}};
        bool is_port = strncmp(l->name, "PORT_RUNNING", 12) == 0;
        for (int k = 0; k < (is_port ? 3 : 2); k++) {
            if (k == 2 && l->cycles > (UINT64_C(1) << 53) / STREAM_BYTES)
                return error_data(err, "'%s' ran for %llu cycles, want less than 2^51", l->name,
                                  (unsigned long long)l->cycles);
            TRY(add_count(r, run, t, l->name, counts[k], err));
        }
        r->n_unpaired += l->depth;
        double span = (double)(t->last - t->first);
        if (i < MOST_NOTED && span > 0)
            import_note(r->in, "%s: %s %s %% of %s cycles", t->name ? SHOWN_TEXT(t->name) : "a tile", l->name,
                        NUMBER(100 * (double)l->cycles / span), NUMBER(span));
    }
    import_note_count(r->in, r->n_unpaired,
                      "events are a begin or an end without the other, and are in no count");
    import_note(r->in, "a trace has cycles and no clock, so no time is known");
    return ROOF_OK;
}

const importer_def importer_aie_trace = {.id = "aie_trace",
                                         .marks = {SURE("_trace for tile", "process_name", "\"ph\"")},
                                         .device = "NPU",
                                         WHOLE_ONLY("a hardware trace is of the whole design"),
                                         .reading_bytes = sizeof(reading),
                                         .trace = {.event = read},
                                         .finish = finish};
