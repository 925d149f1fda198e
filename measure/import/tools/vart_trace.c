/* vart_trace.csv, which vaitrace writes by default (--va): a trace of VART in XRT's VTF text.
 *
 * Sections HEADER, STRUCTURE, MAPPING ("id,name"; a name may hold commas) and EVENTS:
 *   EventID,StartID,ms,row,VART_RUNNER,id of the name,thread,batch,GOP,GOP/s,ops,input,output,,
 * StartID 0 is a start; else the event ends the one of that number. Only VART_RUNNER rows are runs on a DPU;
 * functions of the CPU are counted and left out. Times have a resolution of a microsecond. GOP has two
 * decimals, so that 0.0 is less than 0.005 and unknown; whether it is of one image or of a batch is not
 * documented, so that it is left out where batches are larger. Names may be of subgraphs or layers.
 */
#include "measure/import/timings.h"

/* Launches that may be open at a time: one per core or thread. The oldest gives way. */
enum { MAX_OPEN = 256 };

typedef enum section { BEFORE, HEADER, STRUCTURE, MAPPING, EVENTS, BEHIND } section;

typedef struct open_launch {
    uint64_t id, thread;
    double start_s;
    uint32_t row;
} open_launch;

typedef struct reading {
    import_state *in;
    trace_reader trace;
    section section;
    row_timings ids; /* a row without a name for every number, whose type is what MAPPING calls it */
    open_launch open[MAX_OPEN]; /* in order of their starts */
    size_t n_open;
    uint64_t n_unended, n_unstarted, n_others, largest_batch;
    double scale_s; /* of a timestamp */
} reading;

static roof_status row_of_id(reading *r, uint64_t id, uint32_t *row, roof_error *err)
{
    return timings_row_of(r->in, &r->ids, (text_span){"", 0}, id, row, err);
}

static roof_status add_name(reading *r, const import_line *line, roof_error *err)
{
    text_span name = {line->text, line->length}, number = span_until(&name, ",");
    uint64_t id;
    uint32_t row;
    if (!span_skip(&name, ","))
        return error_data(err, "no comma in a line of MAPPING, want \"number,name\"");
    TRY(span_id(span_trim(number), "the number of a name", &id, err));
    if (!span_trim(name).length)
        return ROOF_OK; /* the first one always is */
    TRY(row_of_id(r, id, &row, err));
    if (r->ids.rows[row].type)
        return error_data(err, "MAPPING has two names of number %llu", (unsigned long long)id);
    return import_keep_name(r->in, span_trim(name), &r->ids.rows[row].type, err);
}

enum field { EVENT, START, TIME, BUCKET, TYPE, NAME, THREAD, BATCH, GOP, FIELDS };

static roof_status end_launch(reading *r, uint64_t start_id, double end_s, roof_error *err)
{
    size_t i = r->n_open;
    while (i && r->open[i - 1].id != start_id)
        i--;
    if (!i) {
        r->n_unstarted++;
        return ROOF_OK;
    }
    open_launch begun = r->open[--i];
    memmove(r->open + i, r->open + i + 1, (--r->n_open - i) * sizeof *r->open);
    if (end_s < begun.start_s)
        return error_data(err, "ends %.9g s, before its start at %.9g s (event %llu)", end_s, begun.start_s,
                          (unsigned long long)start_id);
    const kernel_launch launch = {begun.row, begun.thread, end_s - begun.start_s, NAN};
    return trace_add(&r->trace, &launch, err);
}

static roof_status add_event(reading *r, const import_line *line, roof_error *err)
{
    text_span fields[FIELDS];
    open_launch launch = {0};
    uint64_t start_id;
    size_t n = span_split((text_span){line->text, line->length}, ',', fields, FIELDS);
    bool is_run = n > TYPE && span_is(fields[TYPE], "VART_RUNNER");
    if (n <= TYPE || (is_run && n < FIELDS))
        return error_data(err, "an event of %zu fields, want at least %d: is the file whole?", n, FIELDS);
    if (!is_run) {
        r->n_others++;
        return ROOF_OK;
    }
    TRY(span_id(fields[EVENT], "the number of the event", &launch.id, err));
    TRY(span_id(fields[START], "the number of the start", &start_id, err));
    TRY(span_number(fields[TIME], "the time", &launch.start_s, err));
    launch.start_s *= r->scale_s;
    if (start_id)
        return end_launch(r, start_id, launch.start_s, err);
    uint64_t name_id, batch;
    uint32_t name;
    double gop;
    TRY(span_id(fields[NAME], "the number of the name", &name_id, err));
    TRY(span_id(fields[THREAD], "the thread", &launch.thread, err));
    TRY(span_count(fields[BATCH], "the batch", &batch, err));
    TRY(span_number(fields[GOP], "the workload", &gop, err));
    TRY(row_of_id(r, name_id, &name, err));
    if (!r->ids.rows[name].type)
        return error_data(err, "name %llu is not in MAPPING", (unsigned long long)name_id);
    r->largest_batch = batch > r->largest_batch ? batch : r->largest_batch;
    TRY(trace_row(r->in, &r->trace, span_of(r->ids.rows[name].type),
                  batch == 1 ? count_from(gop * 1e9) : ROOF_UNKNOWN, &launch.row, err));
    if (r->n_open == MAX_OPEN) {
        memmove(r->open, r->open + 1, (MAX_OPEN - 1) * sizeof *r->open);
        r->n_open--;
        r->n_unended++;
    }
    r->open[r->n_open++] = launch;
    return ROOF_OK;
}

/* XRT's reader knows these; vaitrace writes ms. */
static roof_status check_resolution(reading *r, const import_line *line, roof_error *err)
{
    text_span unit = {line->text, line->length};
    if (!span_skip(&unit, "Resolution,"))
        return ROOF_OK;
    r->scale_s = span_is(unit, "ms") ? 1e-3 : span_is(unit, "us") ? 1e-6 : span_is(unit, "ns") ? 1e-9 : 0;
    return r->scale_s > 0 ? ROOF_OK : error_data(err, "'%.60s', want Resolution,ms", line->text);
}

/* The word that a section begins with, and who reads its lines; NULL: nobody. */
static const struct {
    const char *word;
    roof_status (*read)(reading *r, const import_line *line, roof_error *err);
} sections[] = {[HEADER] = {"HEADER", check_resolution},
                [STRUCTURE] = {"STRUCTURE", NULL},
                [MAPPING] = {"MAPPING", add_name},
                [EVENTS] = {"EVENTS", add_event},
                [BEHIND] = {"DEPENDENCIES", NULL}};

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    if (!line->length)
        return ROOF_OK;
    const uint32_t s = NAMED_AT(sections, N_OF(sections), word, line->text);
    if (s < N_OF(sections)) {
        r->section = (section)s;
        return ROOF_OK;
    }
    if (r->section == BEFORE)
        return error_data(err, "'%.40s', want HEADER as the first line", line->text);
    return sections[r->section].read ? sections[r->section].read(r, line, err) : ROOF_OK;
}

static roof_status finish(reading *r, roof_error *err)
{
    roof_run_mode mode;
    uint64_t unended = r->n_unended + r->n_open;
    uint32_t n_rows = trace_rows(&r->trace);
    if (!n_rows)
        return error_data(err, "no run on a DPU in it%s: want VART_RUNNER events behind EVENTS",
                          r->section < EVENTS ? ", and no section EVENTS" : "");
    TRY(import_mode(r->in, n_rows, &mode, err));
    if (unended || r->n_unstarted)
        import_note(r->in, "starts without an end (%llu) and ends without a start (%llu) are left out",
                    (unsigned long long)unended, (unsigned long long)r->n_unstarted);
    if (r->n_others)
        import_note(r->in, "events of functions on the CPU (%llu) are left out",
                    (unsigned long long)r->n_others);
    if (r->largest_batch > 1)
        import_note(r->in, "a launch works on up to %llu images, so workloads are left out",
                    (unsigned long long)r->largest_batch);
    else
        import_note(r->in,
                    "workloads are rounded to 0.01 GOP by the tool, and what it wrote as 0 is left out");
    return trace_finish(&r->trace, mode, !unended && !r->n_unstarted, err);
}

const importer_def importer_vart_trace = {
    .id = "vart_trace",
    .program = "vaitrace",
    .marks = {SURE("VTF File Version", "VART_RUNNER"), SURE("VTF File Version", "Group_Start,DPU")},
    .device = "DPU",
    READING(reading, .scale_s = 1e-3),
    .line = read_line,
    .finish = finish};
