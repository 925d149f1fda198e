/* benchmark_model of TensorFlow Lite prints with --enable_op_profiling, alone or in a log of any length:
 *
 *   Graph: [net.tflite]
 *   count=50 first=1051 curr=1049 min=1048 max=1052 avg=1050.3 std=1       in us: warm-up, then the benchmark
 *   Inference timings in us: Init: 9000, First inference: 2500, Warmup (avg): 2500, Inference (avg): 1050.3
 *   Operator-wise Profiling Info for Regular Benchmark Runs:
 *   ============================== Run Order ==============================
 *   [node type]  [start]  [first]  [avg ms]  [%]  [cdf%]  [mem KB]  [times called]  [Name]     parted by tabs
 *       CONV_2D      0.034    9.5      9.4       5%   5%      0.000     1               [conv/Relu6]:0
 *
 * Newer ones have no [start]; of CSV the heading is "node type, start, first, avg_ms, %, cdf%, mem KB, times
 * called, name", and commas of names are tabs. avg is of one call: sums of the tool are avg times "times
 * called". The same table stands there by time, and for the initialization, subgraphs and insides of
 * delegates, whose time the rows have already. Without profiling there is only the total. Delegates may print
 * thousands of counters before the tables.
 */
#include "measure/import/tool_table.h"

static const row_field fields[] = {
    {ROW_TYPE, {"[node type]", "node type"}, 0, NULL, ROW_NEEDED},
    {ROW_TIME, {"[avg ms]", "avg_ms"}, 1e-3, "the average time", ROW_NEEDED},
    {ROW_EXECUTIONS, {"[times called]", "times called"}, 0, NULL, ROW_NEEDED},
    {ROW_NAME, {"[Name]", "name"}, 0, NULL, ROW_NEEDED},
};

typedef struct reading {
    table_reading table;
    char model[400];
    roof_times warmup, runs, profiled; /* of inferences; mean_s is NaN: not stated */
    double init_us, first_us;
    bool initializing, in_order; /* the section and the table that the next heading is in */
    uint32_t wanted;             /* the table; 0: not there yet */
    uint32_t n_inner, n_opaque;
    double sum_us, rounding_us;
} reading;

/* "count=50 first=.. curr=.. min=.. max=.. avg=.. std=..", and newer ones percentiles; of one run only
 * "count=1 curr=..". */
static bool take_statistics(text_span text, roof_times *out)
{
    enum { N, FIRST, CURRENT, MIN, MAX, MEAN, STD };
    double n[7], p[3];
    bool several = span_scan(&text, "count=# first=~ curr=~ min=~ max=~ avg=~ std=~", n);
    if ((!several && !span_scan(&text, "count=# curr=~", n)) || n[N] < 1)
        return false;
    *out = times_unknown();
    out->count = (uint64_t)n[N];
    out->mean_s = n[several ? MEAN : 1] / 1e6;
    out->min_s = n[several ? MIN : 1] / 1e6;
    out->max_s = n[several ? MAX : 1] / 1e6;
    out->std_s = several ? n[STD] / 1e6 : NAN;
    if (several && span_scan(&text, " p5=~ median=~ p95=~", p)) {
        out->median_s = p[1] / 1e6;
        out->p95_s = p[2] / 1e6;
    }
    return true;
}

static void take_line(reading *r, const import_line *line)
{
    text_span text = span_trim((text_span){line->text, line->length}), rest = text;
    double n[2];
    roof_times found;
    if (span_has(text, "Profiling Info") || span_begins(text, "====")) {
        r->initializing = span_has(text, "Profiling Info for Benchmark Initialization") ||
                          (r->initializing && !span_has(text, "Operator-wise Profiling Info"));
        r->in_order = span_has(text, " Run Order ");
    } else if (span_skip(&rest, "Graph: [") && rest.length && rest.length < sizeof r->model)
        memcpy(r->model, rest.text, rest.length - 1); /* and "]" */
    else if (span_skip(&rest, "Timings (microseconds): ") && r->wanted && isnan(r->profiled.mean_s))
        take_statistics(rest, &r->profiled);
    else if (span_scan(&rest, "Inference timings in us: Init: ~, First inference: ~,", n)) {
        r->init_us = n[0];
        r->first_us = n[1];
    } else if (isnan(r->init_us) && take_statistics(text, &found)) {
        r->warmup = r->runs;
        r->runs = found;
    }
}

static roof_status take_row(reading *r, table_row *row, roof_error *err)
{
    double *v = row->values;
    if (!r->wanted && r->in_order && !r->initializing)
        r->wanted = row->table;
    if (row->table != r->wanted) {
        r->n_inner += r->wanted && r->in_order && !r->initializing;
        row->name = NULL;
        return ROOF_OK;
    }
    bool is_delegate = strstr(row->type, "Delegate") && strncmp(row->type, "Delegate/", 9) != 0;
    /* Only delegates know which device it is. */
    row->device = is_delegate && !strstr(row->type, "XNNPack") ? NULL : "CPU";
    r->n_opaque += is_delegate;
    v[ROW_COUNT] = isnan(r->runs.mean_s) ? NAN : (double)r->runs.count;
    r->sum_us += v[ROW_TIME] * 1e6 * v[ROW_EXECUTIONS];
    r->rounding_us += 0.5 * v[ROW_EXECUTIONS];
    /* "[conv/Relu6]:0" is conv/Relu6. */
    const char *end = strstr(row->name, "]:");
    return *row->name == '[' && end && end > row->name + 1 && strspn(end + 2, "0123456789") == strlen(end + 2)
               ? import_keep_name(r->table.in, (text_span){row->name + 1, (size_t)(end - row->name - 1)},
                                  &row->name, err)
               : ROOF_OK;
}

static roof_status finish_run(reading *r, roof_run *run, roof_error *err)
{
    import_state *in = r->table.in;
    char *slash = strrchr(r->model, '/'), *name = slash && slash[1] ? slash + 1 : r->model;
    text_span graph = span_of(name); /* "net" of "models/net.tflite" */
    if (span_drop(&graph, ".tflite"))
        name[graph.length] = '\0';
    if (!isnan(r->init_us) && !isnan(r->runs.mean_s)) {
        run->total = r->runs;
        run->iterations = run->total.count;
        run->warmup = r->warmup.count;
        run->setup_s = r->init_us / 1e6;
        import_note(r->table.in, "the first inference took %s us, the mean of all is %s us",
                    NUMBER(r->first_us), NUMBER(r->runs.mean_s * 1e6));
    }
    if (r->table.is_bypass)
        return import_name_model(in, name, err);
    double profiled_us = r->profiled.mean_s * 1e6, mean_us = r->runs.mean_s * 1e6;
    /* Six digits are printed of the profile, and the mean has the profiler's own time. */
    double may_differ_us = r->rounding_us + 1e-5 * profiled_us;
    import_check_sum(in, r->sum_us, profiled_us, may_differ_us, "us", "the end of the profile");
    may_differ_us = r->rounding_us + 0.01 * mean_us;
    import_check_sum(in, r->sum_us, mean_us, may_differ_us, "us", "the mean inference");
    if (r->n_opaque)
        import_note(in, "%u of the rows %s a delegate, of whose layers there are no times", r->n_opaque,
                    r->n_opaque == 1 ? "is" : "are");
    import_note_count(
        in, r->n_inner,
        "rows of subgraphs and insides of delegates are left out, since their time is in the rows");
    return import_name_model(in, name, err);
}

/* Without profiling there is a total. */
static void check_log(reading *r)
{
    r->table.is_bypass = !r->table.in->n_rows && !isnan(r->init_us) && !isnan(r->runs.mean_s);
}

static const reading empty = {.warmup = TIMES_UNKNOWN,
                              .runs = TIMES_UNKNOWN,
                              .profiled = TIMES_UNKNOWN,
                              .init_us = NAN,
                              .first_us = NAN,
                              .in_order = true}; /* a table that was cut out of its log */

/* Loggers write "INFO: " before lines; and commas of names in CSV are tabs. */
static bool take_logger_off(import_line *line)
{
    if (strncmp(line->text, "INFO: ", 6) == 0) {
        line->text += 6;
        line->length -= 6;
    }
    char *comma = strchr(line->text, ','), *tab = strchr(line->text, '\t');
    if (comma && tab && comma < tab)
        for (; tab; tab = strchr(tab, '\t'))
            *tab = ',';
    return true;
}

const importer_def importer_tflite_benchmark = {
    .id = "tflite_benchmark",
    .tool = "TFLite",
    .again = "STARTING!",
    .next = "compare --num_threads and --use_xnnpack, and time without the delegate what one row of it hides",
    .marks = {SURE("STARTING!", "Graph: ["), SURE("[node type]", "[avg ms]", "[times called]"),
              SURE("node type", "avg_ms", "times called"), LIKELY("Inference timings in us: Init: ")},
    ROWS_ONLY,
    .empty = &empty,
    TABLE_LINES(reading, TABLE_OF(fields), .separator = ANY_SEPARATOR, .is_in_order = true,
                .each_row_is_known = true, .plain = take_logger_off, .see_line = take_line,
                .see_rows = check_log, .row = take_row, .finish = finish_run)};
