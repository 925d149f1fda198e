/* record_timer_ts.json, which XRT writes with ml_timeline in xrt.ini: timestamps of the control code by id.
 *
 *   {"header":{"clock_freq_MHz":1000,...},"record_timer_ts":[{"id":4057160,"cycle":1194763907},...]}
 *
 * The names of ids stand in dpu_timestamp_info.json of the compiler's cache, beside it or named with --map:
 *
 *   {"events":[{"id":4057160,"name":"subgraph_(/model.4/cv1)","op_type":"conv2d-fix","start":true,...
 *
 * One file may also have the members of both. The buffer is a ring: where it is full, its oldest record is
 * not the first. The clock is what the header says; about 1.75 times of it was seen on hardware, so that
 * ratios are better than seconds.
 */
#include "core/files/input.h"
#include "measure/import/timings.h"

enum { MOST_RECORDS = 1 << 22, MOST_NAMES = 1 << 18, MOST_NAMED = 8 };

static const char names_file[] = "dpu_timestamp_info.json";

typedef struct record {
    uint64_t id, cycle;
} record;

/* An id stands for this. */
typedef struct named {
    const char *name, *op_type, *type;
    uint64_t id;
    bool start;
    bool is_twice; /* another one has this id */
    uint32_t row;  /* of the timings; ROOF_NONE: no layer */
} named;

typedef struct names {
    named *items;
    uint32_t n;
} names;

typedef struct reading {
    import_state *in;
    double clock_mhz;
    record *records;
    uint32_t n_records;
    names names;
    namemap *by_id;          /* indices of names */
    row_timings rows, kinds; /* kinds: of operations, without a time */
    double *open;            /* the cycle at which each row was begun; NaN: it is not */
    struct {
        uint64_t id;
        uint32_t n;
    } strangers[MOST_NAMED];
    uint32_t n_strangers, n_stranger_records, n_unpaired, n_back;
} reading;

static const codec_object header_object = {
    MEMBERS({CODEC_AS("clock_freq_MHz", reading, clock_mhz, POSITIVE, ALWAYS)})};

static const codec_object record_object = {
    MEMBERS({CODEC(record, id, COUNT, ALWAYS), .missing = "has no id"},
            {CODEC(record, cycle, COUNT, ALWAYS), .missing = "has no cycle"})};

static const codec_object named_object = {MEMBERS(
    {CODEC(named, id, COUNT, ALWAYS), .missing = "has no id"},
    {CODEC(named, name, NAME, ALWAYS), .missing = "has no name"}, {CODEC(named, op_type, NAME, ALWAYS)},
    {CODEC(named, type, NAME, ALWAYS)}, {CODEC(named, start, BOOL, ALWAYS), .missing = "has no start"})};

static const codec_object names_object = {MEMBERS(
    {CODEC_ITEMS("events", names, items, n, &named_object, MOST_NAMES, ALWAYS), .missing = "has no events"})};

static const codec_object document_object = {MEMBERS(
    {CODEC_IN("header", 0, &header_object)},
    {CODEC_ITEMS("record_timer_ts", reading, records, n_records, &record_object, MOST_RECORDS, ALWAYS)},
    {CODEC_ITEMS("events", reading, names.items, names.n, &named_object, MOST_NAMES, ALWAYS)})};

/* The file of names: as the user says, or beside the records. */
static roof_status read_names(reading *r, roof_error *err)
{
    const import_state *in = r->in;
    const char *path = in->options->map;
    input_file input;
    codec c = {.arena = in->out->storage->arena, .err = err};
    if (!path)
        path = arena_path_beside(in->scratch, in->path, names_file);
    TRY(ALLOCATED(path, err));
    roof_status status = input_open(path, 0, &input, err);
    if (status == ROOF_E_NO_INPUT)
        return error_data(err,
                          "ids of layers, and no '%s' that names them; lay the %s of the same cache beside "
                          "it, or name it with --map",
                          path, names_file);
    TRY(status);
    status = codec_read_from(&c, input_read, &input, path, &names_object, &r->names);
    input_close(&input);
    return status;
}

/* Graphs hold layers and are no rows. A layer may be there with several kinds of operations. */
static roof_status index_names(reading *r, roof_error *err)
{
    uint32_t kind;
    TRY(ALLOCATED(r->by_id = namemap_new(r->in->scratch, r->names.n), err));
    for (uint32_t i = 0; i < r->names.n; i++) {
        named *n = &r->names.items[i];
        if (!namemap_add(r->by_id, &n->id, sizeof n->id, i))
            r->names.items[namemap_find(r->by_id, &n->id, sizeof n->id)].is_twice = true;
        n->row = ROOF_NONE;
        if (n->type && strcmp(n->type, "layer") != 0)
            continue;
        TRY(timings_row_of(r->in, &r->kinds, span_of(text_or_empty(n->op_type)), 0, &kind, err));
        TRY(timings_row_of(r->in, &r->rows, span_of(n->name), kind, &n->row, err));
    }
    r->open = NEW_ARRAY(r->in->scratch, double, r->rows.n_rows);
    for (uint32_t i = 0; r->open && i < r->rows.n_rows; i++)
        r->open[i] = NAN;
    return ALLOCATED(r->open, err);
}

static roof_status take(reading *r, const record *at, roof_error *err)
{
    /* NULL for an id that is of nothing, or of several things. */
    const uint32_t found = namemap_find(r->by_id, &at->id, sizeof at->id);
    const named *n = found != ROOF_NONE && !r->names.items[found].is_twice ? &r->names.items[found] : NULL;
    if (!n) {
        uint32_t i = 0;
        while (i < r->n_strangers && r->strangers[i].id != at->id)
            i++;
        r->n_stranger_records++;
        if (i == MOST_NAMED)
            return ROOF_OK;
        r->strangers[i].id = at->id;
        r->strangers[i].n++;
        r->n_strangers += i == r->n_strangers;
        return ROOF_OK;
    }
    if (n->row == ROOF_NONE)
        return ROOF_OK;
    double *open = &r->open[n->row], begun = *open, cycle = (double)at->cycle;
    *open = n->start ? cycle : NAN;
    if (!n->start && cycle >= begun)
        return timings_add(&r->rows, n->row, (cycle - begun) / (r->clock_mhz * 1e6), err);
    r->n_unpaired += !n->start || !isnan(begun);
    return ROOF_OK;
}

/* The place that a ring was filled up to: behind its last record; 0 where the first one is the oldest. */
static uint32_t oldest(reading *r)
{
    uint32_t from = 0;
    for (uint32_t i = 1; i < r->n_records; i++)
        if (r->records[i].cycle < r->records[i - 1].cycle) {
            from = i;
            r->n_back++;
        }
    bool is_ring = r->n_back == 1 && r->records[r->n_records - 1].cycle <= r->records[0].cycle;
    r->n_back -= is_ring;
    return is_ring ? from : 0;
}

static roof_status add_rows(reading *r, roof_run *run, roof_error *err)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < r->names.n; i++) { /* in the order of the compiler */
        const named *n = &r->names.items[i];
        roof_measured_layer *layer = NULL;
        if (n->row == ROOF_NONE || !r->rows.rows[n->row].count || isinf(r->open[n->row]))
            continue;
        TRY(timings_layer(&r->rows, n->row, run, &layer, err));
        r->open[n->row] = INFINITY; /* it has its row */
        layer->type = n->op_type;
        least = layer->time.count < least ? layer->time.count : least;
    }
    run->sum_of_layers_s = import_sum_of_rows(run);
    run->iterations = least;
    run->launches = run->boundaries = run->n_layers;
    return ROOF_OK;
}

static roof_status finish(reading *r, roof_error *err)
{
    roof_run *run = NULL;
    if (!r->n_records)
        return error_data(err, "%s, want record_timer_ts.json with the records of a run",
                          r->names.n ? "names of timestamps without a record" : "no record");
    if (isnan(r->clock_mhz))
        return error_data(err, "there is no /header/clock_freq_MHz, want the clock of the timer");
    if (!(r->clock_mhz >= 1e-6 && r->clock_mhz <= 1e6))
        return error_data(err, "/header/clock_freq_MHz is %g, want the clock of the timer", r->clock_mhz);
    if (!r->names.n)
        TRY(read_names(r, err));
    TRY(index_names(r, err));
    uint32_t from = oldest(r);
    for (uint32_t i = 0; i < r->n_records; i++)
        TRY(take(r, &r->records[(from + (uint64_t)i) % r->n_records], err));
    for (uint32_t i = 0; i < r->rows.n_rows; i++)
        r->n_unpaired += isnan(r->open[i]) ? 0 : 1;
    TRY(import_add_run(r->in, NULL, ROOF_RUN_PER_LAYER, &run, err));
    TRY(add_rows(r, run, err));
    if (!run->n_layers)
        return error_data(err,
                          "%u records and no layer: newer software stamps only begin and end of the whole, "
                          "with ids 0 and 1; else give the %s of the same cache",
                          r->n_records, names_file);
    import_state *in = r->in;
    import_note(in,
                "seconds rest on the %s MHz of the header, which is not the clock that was seen on hardware "
                "(about 1750 MHz): ratios of times hold, seconds may be too large by that factor",
                NUMBER(r->clock_mhz));
    for (uint32_t i = 0; i < r->n_strangers; i++)
        import_note(in, "id %llu, %u times: of no layer, or of several, and left out",
                    (unsigned long long)r->strangers[i].id, r->strangers[i].n);
    if (r->n_strangers == MOST_NAMED)
        import_note(in, "%u records in all are of such ids", r->n_stranger_records);
    import_note_count(in, r->n_unpaired, "records are a start or an end without the other");
    if (r->n_back)
        import_note(in, "the timer goes back %u times between records", r->n_back);
    return ROOF_OK;
}

const importer_def importer_aie_record_timer = {.id = "aie_record_timer",
                                                .marks = {SURE("\"record_timer_ts\""),
                                                          LIKELY("\"clock_freq_MHz\"", "\"cycle_size\""),
                                                          LIKELY("\"op_type\"", "\"start\"", "\"events\"")},
                                                .takes_map = true,
                                                .device = "NPU",
                                                LAYERS_ONLY("the control code stamps every layer"),
                                                .reading_bytes = sizeof(reading),
                                                .document = &document_object,
                                                .finish = finish};
