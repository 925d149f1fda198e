/* What qnn-profile-viewer writes as CSV, of any number of inferences on an HTP:
 *
 *   Msg Timestamp,Message,Time,Unit of Measurement,Timing Source,Event Level,Event Identifier
 *   0,BACKEND,4,COUNT,BACKEND,ROOT,Number of HVX threads used                      an inference begins
 *   0,BACKEND,7000,US,BACKEND,ROOT,RPC (execute) time
 *   0,NODE,1500,CYCLES,BACKEND,SUB-EVENT,Input OpId_2 (cycles)
 *   0,NODE,7500,CYCLES,BACKEND,SUB-EVENT,conv1:OpId_16 (cycles)
 *   0,BACKEND,1300,US,BACKEND,ROOT,Accelerator (execute) time                      behind the nodes
 *   0,EXECUTE,9000,US,BACKEND,ROOT,QNN (execute) time                              end to end
 *
 * Cycles of nodes are summed over threads that work at the same time (docs of linting: there is no conversion to time). The
 * time of a row is its share of them in the accelerator's time. The first inference is slow and is left out.
 */
#include "core/error.h"
#include "measure/tool_table.h"

#include <math.h>
#include <string.h>

static const row_field fields[] = {
    {ROW_GROUP, {"Message"}, 0, NULL, ROW_NEEDED},
    {ROW_OTHER, {"Time"}, 0, "the time", ROW_NEEDED | ROW_SPARSE},
    {ROW_TYPE, {"Unit of Measurement"}, 0, NULL, ROW_NEEDED},
    {ROW_WORD, {"Event Level"}, 0, NULL, ROW_NEEDED},
    {ROW_NAME, {"Event Identifier"}, 0, NULL, ROW_NEEDED},
};

/* The times of an inference, each a part of the one before. */
enum { QNN, RPC, QNN_ACCELERATOR, ACCELERATOR, TIMES };
static const struct {
    const char *event;
    roof_phase phase; /* without a name: the whole inference */
} times[TIMES] = {
    {"QNN (execute) time", {NULL, 0, NULL, ROOF_PHASE_HOST}},
    {"RPC (execute) time", {"rpc", 0, NULL, ROOF_PHASE_HOST}},
    {"QNN accelerator (execute) time", {"accelerator_driver", 0, "rpc", ROOF_PHASE_HOST}},
    {"Accelerator (execute) time", {"accelerator", 0, "accelerator_driver", ROOF_PHASE_ACCELERATOR}},
};

typedef struct inference {
    double cycles, stated_cycles, seconds[TIMES];
} inference;

typedef struct node {
    double now, first, sum; /* cycles: of this inference, of the first one, of all that count */
} node;

typedef struct reading {
    table_reading table;
    inference now, first;
    node *nodes; /* of each row */
    uint32_t n_nodes;
    double sums_s[TIMES], *totals_s;
    uint32_t n_inferences, n_totals, n_open;
} reading;

static const inference nothing = {.stated_cycles = NAN, .seconds = {NAN, NAN, NAN, NAN}};

static roof_status add_node(reading *r, uint32_t at, double cycles, const inference *of, roof_error *err)
{
    double share = of->cycles > 0 ? cycles / of->cycles : 0;
    r->nodes[at].sum += cycles;
    return tally_add(r->table.tally, at, share * of->seconds[ACCELERATOR], err);
}

static roof_status add_inference(reading *r, roof_error *err)
{
    for (uint32_t i = 0; i < r->n_nodes; i++)
        if (!isnan(r->nodes[i].now))
            TRY(add_node(r, i, r->nodes[i].now, &r->now, err));
    for (int t = 0; t < TIMES; t++)
        r->sums_s[t] += r->now.seconds[t];
    double *total = array_add(r->table.in->scratch, &r->totals_s, &r->n_totals, sizeof *total);
    if (!total)
        return error_memory(err);
    *total = r->now.seconds[QNN];
    return ROOF_OK;
}

/* An inference is whole when nodes and the accelerator's time are there. The first one is set aside. */
static roof_status end_inference(reading *r, roof_error *err)
{
    inference *now = &r->now;
    bool whole = !isnan(now->seconds[ACCELERATOR]) && now->cycles > 0;
    r->n_open += !whole && now->cycles > 0;
    r->n_inferences += whole;
    if (whole && !isnan(now->stated_cycles) && fabs(now->cycles - now->stated_cycles) > 0.5)
        import_note(r->table.in, "inference %u: the nodes have %s cycles, the file states %s",
                    r->n_inferences, NUMBER(now->cycles), NUMBER(now->stated_cycles));
    if (whole && r->n_inferences > 1)
        TRY(add_inference(r, err));
    else if (whole)
        r->first = *now;
    for (uint32_t i = 0; i < r->n_nodes; i++) {
        if (whole && r->n_inferences == 1)
            r->nodes[i].first = r->nodes[i].now;
        r->nodes[i].now = NAN;
    }
    *now = nothing;
    return ROOF_OK;
}

/* "conv1:OpId_16 (cycles)" is conv1. */
static roof_status take_node(reading *r, table_row *row, roof_error *err)
{
    text_span name = span_of(row->name), id = name;
    double cycles = row->values[ROW_OTHER];
    uint64_t number = 0;
    uint32_t at;
    if (span_skip_past(&id, "OpId_"))
        TRY(span_id(span_until(&id, " "), "the number of OpId", &number, err));
    name = span_take_until(&name, " (cycles)");
    TRY(import_keep_name(r->table.in, span_take_until(&name, ":OpId_"), &row->name, err));
    row->group = row->type = row->word = NULL;
    TRY(table_row_of(&r->table, row, number, &at, err));
    if (at == r->n_nodes) {
        node *new = array_add(r->table.in->scratch, &r->nodes, &r->n_nodes, sizeof *new);
        if (!new)
            return error_memory(err);
        new->now = new->first = NAN;
    }
    if (!isnan(r->nodes[at].now))
        return error_set(err, ROOF_E_DATA, "'%s' is there twice in one inference", SHOWN(span_of(row->name)));
    r->nodes[at].now = cycles;
    r->now.cycles += cycles;
    return ROOF_OK;
}

static roof_status take_row(void *reading_, table_row *row, roof_error *err)
{
    reading *r = reading_;
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
    for (int t = 0; t < TIMES && span_is(unit, "US"); t++)
        if (span_is(name, times[t].event))
            r->now.seconds[t] = value / 1e6;
    row->name = NULL;
    return status;
}

static roof_status fill_times(const reading *r, roof_run *run, roof_error *err)
{
    import_state *in = r->table.in;
    double n = r->n_totals ? r->n_totals : 1;
    if (r->n_totals && !isnan(r->sums_s[QNN]))
        TRY(times_from_samples(in->out, r->totals_s, r->n_totals, &run->total, err));
    else
        run->total.mean_s = r->sums_s[QNN];
    for (int t = RPC; t < TIMES && !isnan(r->sums_s[RPC] + r->sums_s[QNN_ACCELERATOR]); t++) {
        roof_phase phase = times[t].phase;
        phase.seconds = r->sums_s[t] / n;
        TRY(run_add_phase(in->out, run, phase, err));
    }
    return ROOF_OK;
}

static roof_status finish_run(void *reading_, roof_run *run, roof_error *err)
{
    reading *r = reading_;
    import_state *in = r->table.in;
    import_note(in, "the time of a row is its share of the cycles in the accelerator's time, since cycles "
                    "are summed over "
                    "threads that work at the same time, so they and a clock make no time");
    if (r->n_totals)
        import_note(
            in, "the first of %u inferences, %s us on the accelerator, is left out, the others take %s us",
            r->n_inferences, NUMBER(r->first.seconds[ACCELERATOR] * 1e6),
            NUMBER(r->sums_s[ACCELERATOR] / r->n_totals * 1e6));
    else
        import_note(in, "there is one inference only, and the first one is slow: profile several");
    if (r->n_open)
        import_note(in, "%u inferences without the accelerator's time are left out", r->n_open);
    return fill_times(r, run, err);
}

/* What only the first inference has is in none else. */
static roof_status add_first(reading *r, roof_error *err)
{
    for (uint32_t i = 0; i < r->n_nodes; i++) {
        uint64_t *count = &r->table.tally->rows[i].count;
        if (!*count)
            TRY(add_node(r, i, isnan(r->nodes[i].first) ? 0 : r->nodes[i].first, &r->first, err));
        r->table.firsts[i].values[ROW_CYCLES] = r->nodes[i].sum / (double)*count;
    }
    return ROOF_OK;
}

static roof_status finish(void *reading_, roof_error *err)
{
    reading *r = reading_;
    TRY(end_inference(r, err));
    if (!r->n_inferences)
        return error_set(
            err, ROOF_E_DATA,
            "no inference with cycles of nodes and \"%s\"; profile with --profiling_level detailed",
            times[ACCELERATOR].event);
    if (r->n_inferences == 1)
        memcpy(r->sums_s, r->first.seconds, sizeof r->sums_s);
    TRY(add_first(r, err));
    return table_finish(reading_, err);
}

static roof_status begin(void *reading_, roof_error *err)
{
    reading *r = reading_;
    r->now = r->first = nothing;
    return table_begin(reading_, err);
}

static const tool_table table = {TABLE_OF(fields),    .separator = ',',        .is_trace = true,
                                 .is_in_order = true, .cycles = "htp_threads", .row = take_row,
                                 .finish = finish_run};

const importer_def importer_qnn_csv = {
    .id = "qnn_csv",
    .marks = {{SNIFF_SURE, {"Msg Timestamp,Message,Time,Unit of Measurement"}}},
    .device = "NPU",
    .mode_why = "a profile of nodes has cycles for each",
    .mode = ROOF_RUN_PER_LAYER,
    .table = &table,
    .reading_bytes = sizeof(reading),
    .begin = begin,
    .line = table_line,
    .finish = finish,
    .end = table_stop};
