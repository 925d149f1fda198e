/* `ncu --csv` writes metrics of each launch of a kernel, each a row or, of the raw page, a column.
 *
 *   "ID",...,"Kernel Name",...,"Section Name","Metric Name","Metric Unit","Metric Value"[,"Rule Name",...
 *   "ID",...,"Kernel Name",...,"dram__bytes.sum","gpu__time_duration.sum",...                        raw page
 *   "","",...,"byte","nsecond",...                                                                  its units
 * The details page has two metrics of one name, "Memory Throughput" in % and in byte/s, so a metric is its
 * name and what its unit measures. Numbers are written as the locale has them, "1,024.5" or "1.024,5", which
 * the whole file together tells. (https://docs.nvidia.com/nsight-compute/NsightComputeCli, "Command Line
 * Options", --csv, --page, --print-units)
 */
#include "measure/import/tool_table.h"

enum { ENGLISH, CONTINENTAL, LOCALES };
enum { MOST_LAUNCHES = 1 << 16 };

/* The kind of a unit; bytes and counts are whole numbers. */
typedef enum dimension { NO_DIMENSION, COUNT, BYTES, SECONDS, HERTZ, BYTES_PER_S, SHARE } dimension;

enum { DURATION, CYCLES, CLOCK, ALL_BYTES, READ_BYTES, WRITTEN_BYTES, BANDWIDTH };
enum {
    SM_SHARE = BANDWIDTH + 1,
    MEMORY_SHARE,
    L2_SHARE,
    DRAM_SHARE,
    RATES,              /* shares that are no share of the time */
    STALLS = RATES + 5, /* warps that wait, by reason; shares of one another, whatever their unit */
    TENSOR_INSTRUCTIONS = STALLS + 12,
    FLOPS,
    METRICS = FLOPS + 9,
    /* columns of the details page that say what a rule found */
    RULE_NAME = METRICS,
    RULE_TYPE,
    RULE_TEXT,
    RULE_GAIN,
    RULE_SCOPE
};

#define OF(...) ROW_MARK, {__VA_ARGS__}, 0, NULL, 0
#define STALL(name, title)                                                                                   \
    OF("smsp__average_warps_issue_stalled_" name "_per_issue_active.ratio",                                  \
       "smsp__average_warp_latency_issue_stalled_" name ".ratio", "Stall " title)
#define OP(name)                                                                                             \
    OF("smsp__sass_thread_inst_executed_op_" name "_pred_on.sum",                                            \
       "sm__sass_thread_inst_executed_op_" name "_pred_on.sum")

/* The columns of the details page, then metrics in the order above: headings of the raw page, and names of
 * both. Operations are additions, multiplications and both in one, in double, single and half precision. */
enum { METRIC = 2, FIRST_METRIC = 5 };
static const row_field fields[] = {
    {ROW_GROUP, {"ID"}, 0, NULL, ROW_NEEDED},
    {ROW_NAME, {"Kernel Name"}, 0, NULL, ROW_NEEDED | ROW_SPARSE},
    {ROW_WORD, {"Metric Name"}, 0, NULL, 0},
    {ROW_TYPE, {"Metric Unit"}, 0, NULL, 0},
    {ROW_DEVICE, {"Metric Value"}, 0, NULL, ROW_LAST},
    {OF("gpu__time_duration.sum", "gpu__time_duration.avg", "Duration")},
    {OF("gpc__cycles_elapsed.max", "sm__cycles_elapsed.max", "Elapsed Cycles")},
    {OF("gpc__cycles_elapsed.avg.per_second", "sm__cycles_elapsed.avg.per_second",
        "smsp__cycles_elapsed.avg.per_second", "SM Frequency")},
    {OF("dram__bytes.sum")},
    {OF("dram__bytes_read.sum")},
    {OF("dram__bytes_write.sum")},
    {OF("dram__bytes.sum.per_second", "Memory Throughput")},
    {OF("sm__throughput.avg.pct_of_peak_sustained_elapsed", "Compute (SM) Throughput")},
    {OF("gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
        "gpu__compute_memory_access_throughput.avg.pct_of_peak_sustained_elapsed", "Memory Throughput")},
    {OF("lts__throughput.avg.pct_of_peak_sustained_elapsed", "L2 Cache Throughput")},
    {OF("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
        "dram__throughput.avg.pct_of_peak_sustained_elapsed", "DRAM Throughput")},
    {OF("l1tex__t_sector_hit_rate.pct", "L1/TEX Hit Rate")},
    {OF("lts__t_sector_hit_rate.pct", "L2 Hit Rate")},
    {OF("sm__warps_active.avg.pct_of_peak_sustained_active", "Achieved Occupancy")},
    {OF("sm__maximum_warps_per_active_cycle_pct", "Theoretical Occupancy")},
    {OF("smsp__issue_inst0.avg.pct_of_peak_sustained_active", "No Eligible")},
    {STALL("long_scoreboard", "Long Scoreboard")},
    {STALL("short_scoreboard", "Short Scoreboard")},
    {STALL("lg_throttle", "LG Throttle")},
    {STALL("mio_throttle", "MIO Throttle")},
    {STALL("math_pipe_throttle", "Math Pipe Throttle")},
    {STALL("tex_throttle", "Tex Throttle")},
    {STALL("barrier", "Barrier")},
    {STALL("wait", "Wait")},
    {STALL("no_instruction", "No Instruction")},
    {STALL("not_selected", "Not Selected")},
    {STALL("branch_resolving", "Branch Resolving")},
    {STALL("membar", "Membar")},
    {OF("sm__inst_executed_pipe_tensor.sum")},
    {OP("dadd")},
    {OP("dmul")},
    {OP("dfma")},
    {OP("fadd")},
    {OP("fmul")},
    {OP("ffma")},
    {OP("hadd")},
    {OP("hmul")},
    {OP("hfma")},
    {OF("Rule Name")},
    {OF("Rule Type")},
    {OF("Rule Description")},
    {OF("Estimated Speedup")},
    {OF("Estimated Speedup Type")}};
static const dimension dimensions[] = {SECONDS, COUNT, HERTZ, BYTES, BYTES, BYTES, BYTES_PER_S, SHARE,
                                       SHARE,   SHARE, SHARE, SHARE, SHARE, SHARE, SHARE,       SHARE};

/* Names of events, in the order of the metrics. */
static const char *const rates[] = {"l1_hits", "l2_hits", "occupancy", "possible_occupancy", "no_warp_ready"};
static const char *const stalls[] = {"long_scoreboard", "short_scoreboard", "lg_throttle", "mio_throttle",
                                     "math_pipe",       "tex_throttle",     "barrier",     "wait",
                                     "no_instruction",  "not_selected",     "branch",      "membar"};
_Static_assert(N_OF(dimensions) == STALLS && N_OF(rates) == STALLS - RATES &&
                   N_OF(stalls) == TENSOR_INSTRUCTIONS - STALLS,
               "each metric has its kind and its name");

typedef struct unit {
    dimension of;
    double up, down; /* of its base */
} unit;

typedef struct launch {
    const char *id, *name;
    uint32_t table;
    double values[METRICS][LOCALES]; /* NaN: unknown */
} launch;

typedef struct column {
    int metric; /* METRICS: none that is kept */
    unit unit;
} column;

typedef struct reading {
    table_reading table;
    column columns[TABLE_MAX_COLUMNS]; /* of the raw page */
    uint32_t units_of;                 /* the table that they are of */
    launch *launches;
    uint32_t n_launches, n_timeless;
    int locale;
    bool has_rates;             /* of which bytes were made */
    roof_tool_rule *tool_rules; /* of rules, in the order of the file */
    uint32_t n_tool_rules;
    uint64_t certain[LOCALES], likely[LOCALES]; /* numbers that only make sense in this locale */
} reading;

/* --- units and numbers ---------------------------------------------------------------------------------- */

/* "Gbyte/second", "cycle/nsecond", "Mhz", "usecond", "%": prefixes are decimal, and seconds are cut short. */
static unit unit_of(text_span text)
{
    static const struct {
        const char *word;
        unit is;
    } units[] = {{"ns", {SECONDS, 1, 1e9}},     {"us", {SECONDS, 1, 1e6}},  {"ms", {SECONDS, 1, 1e3}},
                 {"s", {SECONDS, 1, 1}},        {"byte", {BYTES, 1, 1}},    {"byte/s", {BYTES_PER_S, 1, 1}},
                 {"hz", {HERTZ, 1, 1}},         {"cycle/s", {HERTZ, 1, 1}}, {"cycle/us", {HERTZ, 1e6, 1}},
                 {"cycle/ns", {HERTZ, 1e9, 1}}, {"cycle", {COUNT, 1, 1}},   {"inst", {COUNT, 1, 1}},
                 {"%", {SHARE, 1, 100}}};
    static const char prefixes[] = "KMGT";
    const char *prefix = text.length > 1 ? strchr(prefixes, text.text[0]) : NULL;
    unit out = {NO_DIMENSION, 1, 1};
    text = prefix ? span_from(text, 1) : text;
    span_drop(&text, "econd");
    for (size_t i = 0; i < N_OF(units); i++)
        if (span_is(text, units[i].word))
            out = units[i].is;
    out.up *= prefix ? pow(1e3, (double)(prefix - prefixes + 1)) : 1;
    return out;
}

/* A number as a locale writes it: "1,024.5", or "1.024,5" where points stand between thousands. */
static bool parse_number(text_span text, int locale, double *out)
{
    char buffer[PLAIN_NUMBER_SIZE];
    text_span plain;
    return span_plain_number(text, locale == ENGLISH ? '.' : ',', buffer, &plain) &&
           number_parse(plain.text, plain.length, out) == plain.length;
}

static bool is_stall(int metric)
{
    return metric >= STALLS && metric < TENSOR_INSTRUCTIONS;
}

/* Stalls are "inst", "cycle/instruction" or nothing, by version. */
static bool is_in_unit(int metric, unit of)
{
    return is_stall(metric) || of.of == (metric < STALLS ? dimensions[metric] : COUNT);
}

/* Keeps a number as both locales read it, and what it tells of which one the file has. */
static roof_status take_value(reading *r, launch *to, column c, text_span text, roof_error *err)
{
    double values[LOCALES] = {NAN, NAN};
    bool fits[LOCALES] = {parse_number(text, ENGLISH, &values[ENGLISH]),
                          parse_number(text, CONTINENTAL, &values[CONTINENTAL])};
    bool is_text = !text.length || text.text[0] < '0' || text.text[0] > '9'; /* "n/a", "CachePreferNone" */
    bool is_count = c.metric < METRICS && !is_stall(c.metric) && (c.unit.of == COUNT || c.unit.of == BYTES) &&
                    c.unit.up <= 1;
    if (!fits[ENGLISH] && !fits[CONTINENTAL])
        return c.metric == METRICS || is_text
                   ? ROOF_OK
                   : error_data(err, "%s is '%s', want a number", fields[FIRST_METRIC + c.metric].headings[0],
                                SHOWN(text));
    for (int l = 0; l < LOCALES; l++) {
        r->certain[l] += fits[l] && !fits[!l];
        r->likely[l] +=
            is_count && fits[0] && fits[1] && !(fmod(values[l], 1) > 0) && fmod(values[!l], 1) > 0;
    }
    for (int l = 0; l < LOCALES && c.metric < METRICS; l++)
        if (fits[l])
            to->values[c.metric][l] = values[l] * c.unit.up / c.unit.down;
    return ROOF_OK;
}

static roof_status add_launch(reading *r, const table_row *row, roof_error *err)
{
    TRY(HAS_ROOM(r->n_launches, MOST_LAUNCHES, err,
                 "launches; let ncu profile some of them, --launch-count"));
    launch new = {.id = row->group, .name = row->name, .table = row->table};
    for (int m = 0; m < METRICS; m++)
        new.values[m][ENGLISH] = new.values[m][CONTINENTAL] = NAN;
    return ARENA_ADD(r->table.in->scratch, r->launches, r->n_launches, err, new);
}

/* A rule that says what to change: its first sentence, and what of the kernel's time that is worth. A gain
 * of type local is of a part of the kernel, and of no time. */
static roof_status take_rule(reading *r, const launch *of, roof_error *err)
{
    const row_layout *at = &r->table.layout;
    text_span cells[RULE_SCOPE - RULE_NAME + 1];
    roof_tool_rule new = {.row = of->name, .gain_ratio = NAN};
    for (size_t k = 0; k < N_OF(cells); k++) {
        const size_t i = at->cells[FIRST_METRIC + RULE_NAME + k];
        cells[k] = i < at->n ? r->table.cells[i] : span_of("");
        cells[k].length = utf8_first_bad(cells[k].text, cells[k].length); /* up to a control character */
    }
    if (!span_is(cells[1], "OPT") || !cells[0].length || !cells[2].length ||
        r->n_tool_rules == MOST_TOOL_RULES)
        return ROOF_OK;
    const char *end = memmem(cells[2].text, cells[2].length, ". ", 2);
    const size_t length = end ? (size_t)(end - cells[2].text) : cells[2].length;
    new.rule = measured_text(r->table.in->out, cells[0].text, cells[0].length);
    new.text = measured_text(r->table.in->out, cells[2].text, length);
    TRY(ALLOCATED(new.rule &&new.text, err));
    double percent;
    if (span_is(cells[4], "global") &&
        (parse_number(cells[3], ENGLISH, &percent) || parse_number(cells[3], CONTINENTAL, &percent)) &&
        percent >= 0 && percent <= 100)
        new.gain_ratio = percent / 100;
    return ARENA_ADD(r->table.in->scratch, r->tool_rules, r->n_tool_rules, err, new);
}

static roof_status take_row(reading *r, table_row *row, roof_error *err)
{
    const table_row given = *row;
    bool is_raw = r->table.layout.cells[METRIC] == r->table.layout.n;
    row->name = NULL;
    if (is_raw && !given.group) {
        const row_layout *at = &r->table.layout;
        for (size_t i = 0; i < at->n; i++)
            r->columns[i] = (column){METRICS, unit_of(r->table.cells[i])};
        for (int m = 0; m < METRICS; m++) {
            size_t i = at->cells[FIRST_METRIC + m];
            if (i < at->n && is_in_unit(m, r->columns[i].unit))
                r->columns[i].metric = m;
        }
        r->units_of = given.table;
        return ROOF_OK;
    }
    if (!given.group || !given.name)
        return error_data(err, "a row without the ID of a launch and the name of its kernel");
    if (is_raw) {
        /* A launch of the raw page. */
        if (r->units_of != given.table)
            return error_data(
                err,
                "a launch below the headings, want a row of units: is it what `ncu --page raw --csv` wrote?");
        TRY(add_launch(r, &given, err));
        for (size_t i = 0; i < r->table.layout.n; i++)
            if (r->columns[i].unit.of || r->columns[i].metric < METRICS)
                TRY(take_value(r, &r->launches[r->n_launches - 1], r->columns[i], r->table.cells[i], err));
        return ROOF_OK;
    }
    /* A metric of the details page, where rows of a launch stand together. A rule has none. */
    const launch *last = r->n_launches ? &r->launches[r->n_launches - 1] : NULL;
    column c = {METRICS, unit_of(span_of(given.type ? given.type : ""))};
    if (!last || last->table != given.table || strcmp(last->id, given.group) != 0)
        TRY(add_launch(r, &given, err));
    if (!given.word)
        return take_rule(r, &r->launches[r->n_launches - 1], err);
    for (int m = METRICS; m-- > 0;) /* the first one counts */
        for (size_t i = 0; i < 4 && fields[FIRST_METRIC + m].headings[i]; i++)
            if (is_in_unit(m, c.unit) && strcmp(given.word, fields[FIRST_METRIC + m].headings[i]) == 0)
                c.metric = m;
    return take_value(r, &r->launches[r->n_launches - 1], c, span_of(given.device ? given.device : ""), err);
}

/* Chatter of ncu and of the program may stand between the lines of a table. */
static bool is_of_table(import_line *line)
{
    return line->length && (strchr("\"0123456789", line->text[0]) || strncmp(line->text, "ID,", 3) == 0);
}

/* --- the document --------------------------------------------------------------------------------------- */

/* Multiply-accumulates are two operations. Only precisions of which all three are counted; NaN: unknown, as
 * where tensor cores work, whose instructions are not always the same number of operations. */
static double flops_of(const launch *l, int locale)
{
    double sum = NAN;
    for (int p = FLOPS; p < METRICS; p += 3) {
        double add = l->values[p][locale], mul = l->values[p + 1][locale], fma = l->values[p + 2][locale];
        if (!isnan(add + mul + fma))
            sum = (isnan(sum) ? 0 : sum) + add + mul + 2 * fma;
        else if (!isnan(add) || !isnan(mul) || !isnan(fma))
            return NAN;
    }
    return l->values[TENSOR_INSTRUCTIONS][locale] > 0 ? NAN : sum;
}

static roof_status keep_launch(reading *r, const launch *l, roof_error *err)
{
    table_row row = row_unknown();
    double *v = row.values;
    row.name = l->name;
    row.exact = true;
    v[ROW_TIME] = l->values[DURATION][r->locale];
    v[ROW_CYCLES] = l->values[CYCLES][r->locale];
    v[ROW_READ] = l->values[READ_BYTES][r->locale];
    v[ROW_WRITE] = l->values[WRITTEN_BYTES][r->locale];
    v[ROW_BYTES] = l->values[ALL_BYTES][r->locale];
    v[ROW_WORKLOAD] = flops_of(l, r->locale);
    if (isnan(v[ROW_BYTES]) && isnan(v[ROW_READ] + v[ROW_WRITE])) {
        v[ROW_BYTES] = l->values[BANDWIDTH][r->locale] * v[ROW_TIME];
        r->has_rates = r->has_rates || !isnan(v[ROW_BYTES]);
    }
    return row_keep(r->table.in, &row, err);
}

/* Launches become rows when it is known how the file writes numbers. */
static roof_status take_launches(reading *r, roof_error *err)
{
    uint32_t n = 0;
    if (r->certain[ENGLISH] && r->certain[CONTINENTAL])
        return error_data(err, "numbers are written in two ways, such as 1,024.5 and 1.024,5: are these "
                               "files of two machines? Import each alone");
    r->locale =
        r->certain[CONTINENTAL] || (!r->certain[ENGLISH] && r->likely[CONTINENTAL] > r->likely[ENGLISH]);
    if (r->locale == CONTINENTAL)
        import_note(r->table.in, "numbers are read as 1.024,5, a point between thousands");
    bool is_timed = false, is_counted = false;
    for (uint32_t i = 0; i < r->n_launches; i++) {
        is_timed = is_timed || !isnan(r->launches[i].values[DURATION][r->locale]);
        for (int k = ALL_BYTES; k < TENSOR_INSTRUCTIONS; k++)
            is_counted = is_counted || !isnan(r->launches[i].values[k][r->locale]);
    }
    if (!is_timed && is_counted)
        import_note(r->table.in, "no launch has a duration: import what nsys recorded of the same program "
                                 "beside it, or add gpu__time_duration.sum to --metrics");
    for (uint32_t i = 0; i < r->n_launches; i++)
        if ((!is_timed && is_counted) || !isnan(r->launches[i].values[DURATION][r->locale])) {
            r->launches[n++] = r->launches[i];
            TRY(keep_launch(r, &r->launches[i], err));
        }
    r->n_timeless = r->n_launches - n;
    r->n_launches = n;
    return n || !r->n_timeless ? ROOF_OK
                               : error_data(err, "no launch has a duration: let ncu take the section "
                                                 "SpeedOfLight or the metric gpu__time_duration.sum");
}

/* The share of its peak that a unit reached, as cycles in which it would have worked at that peak; without
 * cycles as a share. Then what is no share of the time: hits, warps, and the reasons for which they wait. */
static roof_status add_events(reading *r, const launch *l, roof_measured_layer *row, roof_error *err)
{
    static const char *const names[] = {"sm", "memory", "l2", "dram"};
    const double cycles = l->values[CYCLES][r->locale], all = cycles > 0 ? cycles : 1e6;
    const roof_counter_quantity busy = cycles > 0 ? ROOF_COUNTER_ACTIVE_CYCLES : ROOF_COUNTER_BUSY_PPM;
    const counted_list of = counted_of_layer(r->table.in->out, row);
    double waiting = 0;
    for (int k = 0; k < RATES - SM_SHARE; k++)
        TRY(counted_set(of, ROOF_COUNTER_UNIT, busy, names[k], l->values[SM_SHARE + k][r->locale] * all,
                        err));
    for (int k = 0; k < STALLS - RATES; k++)
        TRY(counted_set(of, ROOF_COUNTER_UNIT, ROOF_COUNTER_RATE_PPM, rates[k],
                        l->values[RATES + k][r->locale] * 1e6, err));
    for (int k = STALLS; k < TENSOR_INSTRUCTIONS; k++)
        waiting += isnan(l->values[k][r->locale]) ? 0 : l->values[k][r->locale];
    for (int k = STALLS; k < TENSOR_INSTRUCTIONS && waiting > 0; k++)
        TRY(counted_set(of, ROOF_COUNTER_UNIT, ROOF_COUNTER_STALL_PPM, stalls[k - STALLS],
                        l->values[k][r->locale] / waiting * 1e6, err));
    return ROOF_OK;
}

static roof_status finish(reading *r, roof_run *run, roof_error *err)
{
    bool has_flops = false;
    row_clocks clocks = {0};
    for (uint32_t i = 0; i < r->n_launches; i++) {
        has_flops = has_flops || !isnan(r->table.in->rows[i].values[ROW_WORKLOAD]);
        row_see_clock(&clocks, r->launches[i].values[CLOCK][r->locale]);
        TRY(add_events(r, &r->launches[i], &run->layers[i], err));
    }
    import_note_count(r->table.in, r->n_timeless, "launches without a duration are left out");
    if (has_flops)
        import_note(r->table.in, "operations of tensor cores are not counted");
    if (r->has_rates)
        import_note(r->table.in,
                    "bytes are the throughput of the memory times the duration, where they are not counted");
    for (uint32_t i = 0; i < r->n_tool_rules; i++) {
        TRY(ARENA_ADD(r->table.in->out->storage->arena, run->tool_rules, run->n_tool_rules, err,
                      r->tool_rules[i]));
    }
    return row_add_clock(r->table.in, &clocks, run, "sm", err);
}

const importer_def importer_ncu_csv = {
    .id = "ncu_csv",
    .names_kernels = true,
    .tool = "Nsight Compute",
    .next = "read in ncu, for the largest kernel, Memory Workload Analysis where memory limits, Compute "
            "Workload Analysis where computing does, else Warp State Statistics",
    .marks = {SURE("ID", "Kernel Name", "Metric Name"), SURE("ID", "Kernel Name", "gpu__time_duration"),
              LIKELY("ID", "Kernel Name", "__throughput"), LIKELY("ID", "Kernel Name", "__bytes")},
    .device = "GPU",
    ROWS_ONLY,
    TABLE_LINES(
        reading, TABLE_OF(fields), .separator = ',', .is_in_order = true, .bytes = ROOF_BYTES_COUNTER,
        .cycles = "sm",
        .note = "ncu holds the clocks at their base, empties caches and runs each launch several times, "
                "unless --clock-control and --cache-control say otherwise: times are not those of production",
        .plain = is_of_table, .row = take_row, .rows = take_launches, .finish = finish)};
