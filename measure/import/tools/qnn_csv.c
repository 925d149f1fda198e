/* qnn-profile-viewer writes this as CSV, of any number of inferences on an HTP:
 *
 *   Msg Timestamp,Message,Time,Unit of Measurement,Timing Source,Event Level,Event Identifier
 *   0,BACKEND,4,COUNT,BACKEND,ROOT,Number of HVX threads used                      an inference begins
 *   0,BACKEND,7000,US,BACKEND,ROOT,RPC (execute) time
 *   0,NODE,1500,CYCLES,BACKEND,SUB-EVENT,Input OpId_2 (cycles)
 *   0,NODE,7500,CYCLES,BACKEND,SUB-EVENT,conv1:OpId_16 (cycles)
 *   0,BACKEND,1300,US,BACKEND,ROOT,Accelerator (execute) time                      behind the nodes
 *   0,EXECUTE,9000,US,BACKEND,ROOT,QNN (execute) time                              end to end
 *
 * Cycles of nodes are summed over threads that work at the same time (docs of linting: there is no conversion
 * to time). The time of a row is its share of them in the accelerator's time. The first inference is slow and
 * is left out.
 */
#include "measure/import/tool_table.h"

static const row_field fields[] = {
    {ROW_GROUP, {"Message"}, 0, NULL, ROW_NEEDED},
    {ROW_OTHER, {"Time"}, 0, "the time", ROW_NEEDED | ROW_SPARSE},
    {ROW_TYPE, {"Unit of Measurement"}, 0, NULL, ROW_NEEDED},
    {ROW_WORD, {"Event Level"}, 0, NULL, ROW_NEEDED},
    {ROW_NAME, {"Event Identifier"}, 0, NULL, ROW_NEEDED},
};

/* The times of an inference, each a part of the one before. */
enum { QNN, RPC, QNN_ACCELERATOR, ACCELERATOR, TIMES };
static const char *const events[TIMES] = {"QNN (execute) time", "RPC (execute) time",
                                          "QNN accelerator (execute) time", "Accelerator (execute) time"};
static const roof_phase phases[] = {
    {"rpc", 0, NULL, ROOF_PHASE_HOST},
    {"accelerator_driver", 0, "rpc", ROOF_PHASE_HOST},
    {"accelerator", 0, "accelerator_driver", ROOF_PHASE_ACCELERATOR},
};

typedef struct inference {
    double cycles, stated_cycles, seconds[TIMES];
} inference;

typedef struct node {
    double now, sum; /* cycles: of this inference, of all that count */
} node;

typedef struct reading {
    table_reading table;
    inference now;
    node *nodes; /* of each row */
    uint32_t n_nodes, n_inferences, n_open;
    double sums_s[TIMES], first_s;
} reading;

static const reading empty = {.now = {.stated_cycles = NAN, .seconds = {NAN, NAN, NAN, NAN}}};

/* An inference is whole when nodes and the accelerator's time are there. */
static roof_status end_inference(reading *r, roof_error *err)
{
    const inference *now = &r->now;
    bool whole = !isnan(now->seconds[ACCELERATOR]) && now->cycles > 0;
    r->n_open += !whole && now->cycles > 0;
    r->n_inferences += whole;
    if (whole && fabs(now->cycles - now->stated_cycles) > 0.5)
        import_note(r->table.in, "inference %u: the nodes have %s cycles, the file states %s",
                    r->n_inferences, NUMBER(now->cycles), NUMBER(now->stated_cycles));
    if (whole && r->n_inferences == 2) {
        /* The first inference, when there is another one. */
        r->first_s = r->sums_s[ACCELERATOR];
        memset(r->sums_s, 0, sizeof r->sums_s);
        timings_forget(r->table.timings);
        timings_forget(&r->table.totals);
        for (uint32_t i = 0; i < r->n_nodes; i++)
            r->nodes[i].sum = 0;
    }
    if (whole) {
        for (uint32_t i = 0; i < r->n_nodes; i++) {
            if (isnan(r->nodes[i].now))
                continue;
            r->nodes[i].sum += r->nodes[i].now;
            TRY(timings_add(r->table.timings, i, r->nodes[i].now / now->cycles * now->seconds[ACCELERATOR],
                            err));
        }
        for (int t = 0; t < TIMES; t++)
            r->sums_s[t] += now->seconds[t];
        if (!isnan(now->seconds[QNN]))
            TRY(table_add_total(&r->table, now->seconds[QNN], err));
    }
    for (uint32_t i = 0; i < r->n_nodes; i++)
        r->nodes[i].now = NAN;
    r->now = empty.now;
    return ROOF_OK;
}

/* "conv1:OpId_16 (cycles)" is conv1. */
static roof_status take_node(reading *r, table_row *row, roof_error *err)
{
    text_span name = span_of(row->name), id = name;
    uint64_t number = 0;
    uint32_t at;
    if (span_skip_past(&id, "OpId_"))
        TRY(span_id(span_until(&id, " "), "the number of OpId", &number, err));
    name = span_take_until(&name, " (cycles)");
    TRY(import_keep_name(r->table.in, span_take_until(&name, ":OpId_"), &row->name, err));
    row->group = row->type = row->word = NULL;
    TRY(table_row_of(&r->table, row, number, &at, err));
    if (at == r->n_nodes)
        TRY(ARENA_ADD(r->table.in->scratch, r->nodes, r->n_nodes, err, (node){.now = NAN}));
    if (!isnan(r->nodes[at].now))
        return error_data(err, "'%s' is there twice in one inference", SHOWN_TEXT(row->name));
    r->nodes[at].now = row->values[ROW_OTHER];
    r->now.cycles += row->values[ROW_OTHER];
    return ROOF_OK;
}

static roof_status take_row(reading *r, table_row *row, roof_error *err)
{
    text_span name = span_of(row->name), unit = span_of(row->type ? row->type : "");
    double value = row->values[ROW_OTHER];
    bool is_node = row->group && strcmp(row->group, "NODE") == 0 && span_is(unit, "CYCLES") &&
                   span_has(name, " (cycles)") && !isnan(value); /* others are of a part of a node */
    roof_status status = ROOF_OK;
    if (is_node)
        status = take_node(r, row, err);
    else if (span_is(name, "Number of HVX threads used"))
        status = end_inference(r, err);
    else if (span_is(name, "Accelerator (execute) time (cycles)"))
        r->now.stated_cycles = value;
    const uint32_t t = SPAN_AT(events, TIMES, name);
    if (t < TIMES && span_is(unit, "US"))
        r->now.seconds[t] = value / 1e6;
    row->name = NULL;
    return status;
}

static roof_status finish_run(reading *r, roof_run *run, roof_error *err)
{
    import_state *in = r->table.in;
    double n = r->n_inferences > 1 ? r->n_inferences - 1 : 1;
    if (r->n_inferences > 1)
        import_note(
            in, "the first of %u inferences, %s us on the accelerator, is left out, the others take %s us",
            r->n_inferences, NUMBER(r->first_s * 1e6), NUMBER(r->sums_s[ACCELERATOR] / n * 1e6));
    else
        import_note(in, "there is one inference only, and the first one is slow: profile several");
    import_note_count(in, r->n_open, "inferences without the accelerator's time are left out");
    for (int t = 0; t < TIMES; t++)
        r->sums_s[t] /= n;
    return run_add_phases(in->out, run, phases, r->sums_s + RPC, TIMES - RPC, err);
}

static roof_status take_rows(reading *r, roof_error *err)
{
    TRY(end_inference(r, err));
    for (uint32_t i = 0; i < r->n_nodes; i++)
        r->table.firsts[i].values[ROW_CYCLES] = r->nodes[i].sum / (double)r->table.timings->rows[i].count;
    return r->n_inferences
               ? ROOF_OK
               : error_data(
                     err,
                     "no inference with cycles of nodes and \"%s\"; profile with --profiling_level detailed",
                     events[ACCELERATOR]);
}

const importer_def importer_qnn_csv = {
    .id = "qnn_csv",
    .fuse = "set \"O\": 3 of the graph in the HTP backend's configuration",
    .tool = "QNN",
    .next = "profile again with the same power mode (burst), which sets the clock, and see which nodes "
            "change a layout or a type",
    .marks = {SURE("Msg Timestamp,Message,Time,Unit of Measurement")},
    .device = "NPU",
    ROWS_ONLY,
    .empty = &empty,
    TABLE_LINES(reading, TABLE_OF(fields), .separator = ',', .is_trace = true, .is_in_order = true,
                .cycles = "htp_threads",
                .note =
                    "the time of a row is its share of the cycles in the accelerator's time, since cycles "
                    "are summed over threads that work at the same time, so they and a clock make no time",
                .row = take_row, .rows = take_rows, .finish = finish_run)};
