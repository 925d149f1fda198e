/* device_trace_N.csv of XRT (VTF 1.1): every execution of the compute units in programmable logic.
 *
 *   STRUCTURE
 *   Group_Start,Compute Unit load_1,Activity in accelerator load:load_1
 *   Dynamic_Row_Summary,1,Executions,Execution in accelerator load_1
 *   EVENTS
 *   EventID,StartID,ms,row,KERNEL,id,id
 * StartID 0 is a begin; else the event ends the one of that number, which may stand behind it. The row of an
 * event tells its unit: the ids behind it were seen to name another unit. Transfers and stalls are in no row.
 */
#include "measure/import/timings.h"

enum { MOST_EVENTS_KEPT = 1 << 20, MOST_UNITS = 256 };

typedef struct unit_event {
    uint64_t id, start; /* start: 0 of a begin */
    double at_ms;
    uint32_t unit; /* its place among the units */
} unit_event;

typedef struct reading {
    import_state *in;
    row_timings timings;
    bool inside_events;
    const char *unit; /* of the group of STRUCTURE that is read; NULL: none */
    struct {
        uint64_t row;
        const char *name;
    } units[MOST_UNITS];
    uint32_t n_units;
    unit_event *events; /* sorted by id at the end */
    uint32_t n_events;
    uint64_t n_others, n_unpaired;
} reading;

static roof_status read_event(reading *r, text_span line, roof_error *err)
{
    enum { ID, START, TIME, ROW, KIND, CELLS };
    text_span cells[CELLS];
    uint64_t row;
    unit_event e = {0};
    if (span_split(line, ',', cells, CELLS) < CELLS)
        return error_data(err, "an event of too few cells, want at least %d: is the file whole?", CELLS);
    if (!span_is(cells[KIND], "KERNEL")) {
        r->n_others++;
        return ROOF_OK;
    }
    TRY(span_id(cells[ID], "the number of the event", &e.id, err));
    TRY(span_id(cells[START], "the number of its begin", &e.start, err));
    TRY(span_number(cells[TIME], "the time", &e.at_ms, err));
    TRY(span_id(cells[ROW], "the row", &row, err));
    while (e.unit < r->n_units && r->units[e.unit].row != row)
        e.unit++;
    if (e.unit == r->n_units)
        return error_data(err, "row %llu is of no compute unit of STRUCTURE", (unsigned long long)row);
    TRY(HAS_ROOM(r->n_events, MOST_EVENTS_KEPT, err, "begins and ends of compute units"));
    return ARENA_ADD(r->in->scratch, r->events, r->n_events, err, e);
}

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    text_span text = span_trim((text_span){line->text, line->length});
    bool begins_events = span_is(text, "EVENTS");
    if (begins_events || span_is(text, "DEPENDENCIES")) {
        r->inside_events = begins_events;
        return ROOF_OK;
    }
    if (r->inside_events)
        return text.length ? read_event(r, text, err) : ROOF_OK;
    text_span cells[3];
    size_t n = span_split(text, ',', cells, 3);
    if (n > 1 && span_is(cells[0], "Group_Start") && span_skip(&cells[1], "Compute Unit "))
        return import_keep_name(r->in, cells[1], &r->unit, err);
    if (n > 2 && r->unit && span_is(cells[0], "Dynamic_Row_Summary")) {
        TRY(HAS_ROOM(r->n_units, MOST_UNITS, err, "compute units"));
        TRY(span_id(cells[1], "the number of a row", &r->units[r->n_units].row, err));
        r->units[r->n_units++].name = r->unit;
        r->unit = NULL;
        return ROOF_OK;
    }
    return span_begins(text, "Target,") && span_has(text, "Emulation")
               ? import_doubt(r->in, ROOF_DOUBT_EMULATION, err, "the file says '%s'", SHOWN(text))
               : ROOF_OK;
}

static uint64_t id_of(const void *event)
{
    return ((const unit_event *)event)->id;
}

static roof_status finish(reading *r, roof_error *err)
{
    roof_run *run = NULL;
    order_sort(r->events, r->n_events, sizeof *r->events, ORDER_BY(RISING(unit_event, id)));
    FOR_EACH(const unit_event, end, r->events, r->n_events) {
        if (!end->start)
            continue;
        const uint32_t at = lower_bound_search(r->events, r->n_events, sizeof *end, end->start, id_of);
        const unit_event *begin = at < r->n_events && r->events[at].id == end->start ? &r->events[at] : NULL;
        const char *name = r->units[end->unit].name;
        uint32_t row;
        if (!begin || begin->start || begin->unit != end->unit) {
            r->n_unpaired++;
        } else if (end->at_ms < begin->at_ms) {
            import_note(r->in,
                        "%s: event %llu ends %s ms before its begin and is left out, ask the tool's makers",
                        SHOWN_TEXT(name), (unsigned long long)end->id, NUMBER(begin->at_ms - end->at_ms));
        } else { /* whole ns */
            TRY(timings_row_of(r->in, &r->timings, span_of(name), 0, &row, err));
            TRY(timings_add(&r->timings, row, round((end->at_ms - begin->at_ms) * 1e6) / 1e9, err));
        }
    }
    if (!r->timings.n_rows)
        return error_data(err,
                          "no execution of a compute unit: want KERNEL events of rows that STRUCTURE names");
    TRY(timings_add_run(r->in, &r->timings, &run, err));
    import_sum_up(r->in, run);
    import_note(r->in, "compute units run at the same time: the sum of the rows is no latency");
    import_note_count(r->in, r->n_unpaired, "ends without a begin are left out");
    import_note_count(r->in, r->n_others, "events of transfers and stalls are in no row");
    return ROOF_OK;
}

const importer_def importer_xrt_device_trace = {
    .id = "xrt_device_trace",
    .tool = "XRT",
    .next = "see which compute units run at the same time, and which wait for one another",
    .marks = {SURE("VTF File Version", "Group_Start,Compute Unit ", "Dynamic_Row_Summary")},
    .device = "PL",
    ROWS_ONLY,
    .reading_bytes = sizeof(reading),
    .line = read_line,
    .finish = finish};
