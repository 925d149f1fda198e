/* trace.json that mlir-aie makes of the hardware's trace units: Chrome's format, in cycles of the array.
 *
 *   [{"name":"process_name","ph":"M","pid":0,"args":{"name":"core_trace for tile3,1"}},
 *    {"name":"LOCK_STALL","ts":1,"ph":"B","pid":0,"tid":6,"args":{}},{"name":"LOCK_STALL","ts":6085,"ph":"E",...},...]
 *
 * A process is a tile, a thread one of the events that its unit was set to. Tiles work at the same time, so they are no rows: a
 * run has counters of them. A port that runs moves 4 bytes a cycle (AM020, stream switch: 32 bits). Begins nest, and the trace's
 * buffer may end between a begin and its end: such a last one is left out. No clock is known, so there are no seconds.
 */
#include "core/codec.h"
#include "core/error.h"
#include "core/namemap.h"
#include "measure/importer.h"

#include <stdio.h>
#include <string.h>

enum { MOST_LANES = 1000, MOST_TILES = 400, STREAM_BYTES = 4, MOST_NOTED = 12 };

typedef struct event {
    const char *name, *ph, *label; /* label: args.name, of a process */
    uint64_t ts, pid;
} event;

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
    tile *tiles;
    lane *lanes;
    uint32_t n_tiles, n_lanes;
    namemap *map;
    uint64_t n_unpaired;
} reading;

/* --- reading ------------------------------------------------------------------------------------------------ */

static const codec_member args_members[] = {{CODEC_AS("name", event, label, SHARED, ALWAYS)}};
static const codec_object args_object = {CODEC_ROWS(args_members)};
static const codec_member event_members[] = {{CODEC(event, name, SHARED, ALWAYS), .missing = "has no name"},
                                             {CODEC(event, ph, SHARED, ALWAYS), .missing = "has no ph"},
                                             {CODEC(event, ts, COUNT, ALWAYS)},
                                             {CODEC(event, pid, COUNT, ALWAYS), .missing = "has no pid"},
                                             {CODEC_IN("args", 0, &args_object)}};
static const codec_object event_object = {CODEC_ROWS(event_members)};

static roof_status tile_of(reading *r, uint64_t pid, uint32_t *out, roof_error *err)
{
    for (*out = 0; *out < r->n_tiles && r->tiles[*out].pid != pid;)
        ++*out;
    if (*out < r->n_tiles)
        return ROOF_OK;
    if (r->n_tiles == MOST_TILES)
        return error_set(err, ROOF_E_LIMIT, "more than %d tiles", MOST_TILES);
    r->tiles[r->n_tiles++] = (tile){.pid = pid};
    return ROOF_OK;
}

static roof_status lane_of(reading *r, const event *e, lane **out, roof_error *err)
{
    char key[160];
    int length = snprintf(key, sizeof key, "%llu/%s", (unsigned long long)e->pid, e->name);
    if (length < 0 || (size_t)length >= sizeof key || codec_key_problem(e->name))
        return error_set(err, ROOF_E_DATA, "an event '%s', want a name of at most 100 ASCII characters",
                         SHOWN(span_of(e->name)));
    uint32_t at = namemap_find(r->map, key, (size_t)length);
    if (at == ROOF_NONE && r->n_lanes == MOST_LANES)
        return error_set(err, ROOF_E_LIMIT, "more than %d different events", MOST_LANES);
    if (at == ROOF_NONE) {
        const char *kept = arena_strndup(r->in->scratch, key, (size_t)length);
        lane made = {.name = measured_text(r->in->out, e->name, strlen(e->name))};
        TRY(tile_of(r, e->pid, &made.tile, err));
        at = r->n_lanes;
        if (!kept || !made.name || !namemap_add(r->map, kept, (size_t)length, at))
            return error_memory(err);
        r->lanes[r->n_lanes++] = made;
    }
    *out = &r->lanes[at];
    return ROOF_OK;
}

static roof_status take_edge(reading *r, const event *e, bool begins, roof_error *err)
{
    lane *l = NULL;
    if (e->ts == ROOF_UNKNOWN)
        return error_set(err, ROOF_E_DATA, "an event '%s' without ts", SHOWN(span_of(e->name)));
    TRY(lane_of(r, e, &l, err));
    tile *t = &r->tiles[l->tile];
    t->first = !t->any || e->ts < t->first ? e->ts : t->first;
    t->last = !t->any || e->ts > t->last ? e->ts : t->last;
    t->any = true;
    if (begins && !l->depth) {
        l->begun = e->ts;
        l->begins++;
    }
    if (begins) {
        l->depth++; /* at most as many as there are bytes */
    } else if (!l->depth || e->ts < l->begun) {
        r->n_unpaired++;
    } else if (!--l->depth) {
        l->cycles += e->ts - l->begun; /* both are below 2^53, and begins do not overlap */
    }
    return ROOF_OK;
}

static roof_status read_event(codec *c, const json_event *at, void *target)
{
    reading *r = target;
    event e = {.name = NULL};
    uint32_t of = 0;
    codec_forget(&event_object, &e);
    TRY(codec_read_object(c, at, &event_object, &e, NULL));
    roof_status status = ROOF_OK;
    if (strcmp(e.ph, "B") == 0 || strcmp(e.ph, "E") == 0) {
        status = take_edge(r, &e, *e.ph == 'B', c->err);
    } else if (strcmp(e.ph, "M") == 0 && strcmp(e.name, "process_name") == 0 && e.label) {
        status = tile_of(r, e.pid, &of, c->err);
        if (status == ROOF_OK)
            r->tiles[of].name = e.label;
    }
    if (status == ROOF_E_DATA && c->err)
        c->err->line = jsonpull_line(c->puller);
    return status;
}

static roof_status read_events(codec *c, const json_event *at, void *target)
{
    return codec_read_array(c, at, read_event, target);
}

static roof_status read(void *reading_, jsonpull *puller, roof_error *err)
{
    static const codec_member members[] = {{CODEC_BY("traceEvents", 0, read_events, NULL)}};
    static const codec_object object = {CODEC_ROWS(members)};
    reading *r = reading_;
    codec c = {.puller = puller, .arena = r->in->out->storage->arena, .err = err};
    json_event e;
    TRY(jsonpull_next(puller, &e, err));
    TRY(e.kind == JSON_ARRAY ? read_events(&c, &e, r) : codec_read_object(&c, &e, &object, r, NULL));
    return jsonpull_next(puller, &e, err);
}

static roof_status begin(void *reading_, roof_error *err)
{
    reading *r = reading_;
    r->tiles = NEW_ARRAY(r->in->scratch, tile, MOST_TILES);
    r->lanes = NEW_ARRAY(r->in->scratch, lane, MOST_LANES);
    r->map = namemap_new(r->in->scratch, MOST_LANES);
    return r->tiles && r->lanes && r->map ? ROOF_OK : error_memory(err);
}

/* --- the document ------------------------------------------------------------------------------------------- */

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

static roof_status add_lane(reading *r, roof_run *run, const lane *l, roof_error *err)
{
    const tile *t = &r->tiles[l->tile];
    bool is_port = strncmp(l->name, "PORT_RUNNING", 12) == 0;
    TRY(add_count(r, run, t, l->name,
                  (roof_event){.quantity = ROOF_COUNTER_ACTIVE_CYCLES, .count = l->cycles}, err));
    TRY(add_count(r, run, t, l->name, (roof_event){.quantity = ROOF_COUNTER_PIECES, .count = l->begins},
                  err));
    if (!is_port)
        return ROOF_OK;
    if (l->cycles > (UINT64_C(1) << 53) / STREAM_BYTES)
        return error_set(err, ROOF_E_DATA, "'%s' ran for %llu cycles, want less than 2^51", l->name,
                         (unsigned long long)l->cycles);
    return add_count(r, run, t, l->name,
                     (roof_event){.quantity = ROOF_COUNTER_BYTES, .count = STREAM_BYTES * l->cycles}, err);
}

static void note_lane(reading *r, const lane *l)
{
    const tile *t = &r->tiles[l->tile];
    double span = (double)(t->last - t->first);
    if (span > 0)
        import_note(r->in, "%s: %s %s %% of %s cycles", t->name ? SHOWN(span_of(t->name)) : "a tile", l->name,
                    NUMBER(100 * (double)l->cycles / span), NUMBER(span));
}

static void find_twins(reading *r)
{
    for (uint32_t i = 0; i < r->n_tiles; i++)
        for (uint32_t k = 0; k < i; k++)
            if (r->tiles[i].name && r->tiles[k].name && strcmp(r->tiles[i].name, r->tiles[k].name) == 0)
                r->tiles[i].is_twice = r->tiles[k].is_twice = true;
}

static roof_status finish(void *reading_, roof_error *err)
{
    reading *r = reading_;
    roof_run *run = NULL;
    if (!r->n_lanes)
        return error_set(err, ROOF_E_DATA, "no event, want some with ph \"B\" and \"E\"");
    find_twins(r);
    TRY(import_add_run(r->in, NULL, ROOF_RUN_BYPASS, &run, err));
    for (uint32_t i = 0; i < r->n_tiles; i++)
        if (r->tiles[i].any)
            TRY(add_count(r, run, &r->tiles[i], "TRACED",
                          (roof_event){.quantity = ROOF_COUNTER_ACTIVE_CYCLES,
                                       .count = r->tiles[i].last - r->tiles[i].first},
                          err));
    for (uint32_t i = 0; i < r->n_lanes; i++) {
        TRY(add_lane(r, run, &r->lanes[i], err));
        r->n_unpaired += r->lanes[i].depth;
        if (i < MOST_NOTED)
            note_lane(r, &r->lanes[i]);
    }
    if (r->n_unpaired)
        import_note(r->in, "%llu events are a begin or an end without the other, and are in no count",
                    (unsigned long long)r->n_unpaired);
    import_note(r->in, "a trace has cycles and no clock, so no time is known");
    return ROOF_OK;
}

const importer_def importer_aie_trace = {
    .id = "aie_trace",
    .marks = {{SNIFF_SURE, {"_trace for tile", "process_name", "\"ph\""}}},
    .device = "NPU",
    .mode_why = "a hardware trace is of a design as it is deployed",
    .mode = ROOF_RUN_BYPASS,
    .reading_bytes = sizeof(reading),
    .begin = begin,
    .json = read,
    .finish = finish};
