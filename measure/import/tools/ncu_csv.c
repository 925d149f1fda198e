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
#include "core/quantity.h"
#include "measure/import/tool_table.h"

#include <math.h>
#include <string.h>

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
    TENSOR_INSTRUCTIONS,
    FLOPS,
    METRICS = FLOPS + 9
};

#define OF(...) ROW_MARK, {__VA_ARGS__}, 0, NULL, 0
#define OP(name)                                                                                             \
    OF("smsp__sass_thread_inst_executed_op_" name "_pred_on.sum",                                            \
       "sm__sass_thread_inst_executed_op_" name "_pred_on.sum")

/* The columns of the details page, then metrics in the order above: headings of the raw page, and names of
 * both. Of operations that are added, multiplied or both: of double, single and half precision. */
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
    {OF("sm__inst_executed_pipe_tensor.sum")},
    {OP("dadd")},
    {OP("dmul")},
    {OP("dfma")},
    {OP("fadd")},
    {OP("fmul")},
    {OP("ffma")},
    {OP("hadd")},
    {OP("hmul")},
    {OP("hfma")}};
static const dimension dimensions[FLOPS] = {SECONDS,     COUNT, HERTZ, BYTES, BYTES, BYTES,
                                            BYTES_PER_S, SHARE, SHARE, SHARE, SHARE, COUNT};

typedef struct unit {
    dimension of;
    double up, down; /* of its base */
} unit;

typedef struct launch {
    const char *id, *name;
    uint32_t table;
    double values[METRICS][LOCALES]; /* NaN: not known */
} launch;

typedef struct column {
    int metric; /* METRICS: none that is kept */
    unit unit;
} column;

typedef struct reading {
    table_reading table;
    column *columns;   /* of the raw page */
    uint32_t units_of; /* the table that they are of */
    launch *launches;
    uint32_t n_launches, n_timeless;
    int locale;
    bool has_rates;                             /* of which bytes were made */
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
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (span_is(text, units[i].word))
            out = units[i].is;
    out.up *= prefix ? pow(1e3, (double)(prefix - prefixes + 1)) : 1;
    return out;
}

/* A number as a locale writes it: "1,024.5", or "1.024,5" where points stand between thousands. */
static bool parse_number(text_span text, int locale, double *out)
{
    char swapped[64], plain[sizeof swapped];
    text_span rest = {swapped, text.length}, whole;
    if (text.length >= sizeof swapped)
        return false;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.text[i];
        swapped[i] = locale == ENGLISH ? c : c == ',' ? '.' : c == '.' ? ',' : c;
    }
    whole = span_until(&rest, ".");
    size_t n = span_thousands(whole, plain, sizeof plain), decimals = text.length - whole.length;
    if (!n || n + decimals > sizeof plain || memchr(rest.text, ',', rest.length))
        return false;
    memcpy(plain + n, rest.text, decimals);
    return number_parse(plain, n + decimals, out) == n + decimals;
}

static dimension dimension_of(int metric)
{
    return metric < FLOPS ? dimensions[metric] : COUNT;
}

/* Keeps a number as both locales read it, and what it tells of which one the file has. */
static roof_status take_value(reading *r, launch *to, column c, text_span text, roof_error *err)
{
    double values[LOCALES] = {NAN, NAN};
    bool fits[LOCALES] = {parse_number(text, ENGLISH, &values[ENGLISH]),
                          parse_number(text, CONTINENTAL, &values[CONTINENTAL])};
    bool is_text = !text.length || text.text[0] < '0' || text.text[0] > '9'; /* "n/a", "CachePreferNone" */
    bool is_count = c.metric < METRICS && (c.unit.of == COUNT || c.unit.of == BYTES) && c.unit.up <= 1;
    if (!fits[ENGLISH] && !fits[CONTINENTAL])
        return c.metric == METRICS || is_text
                   ? ROOF_OK
                   : error_set(err, ROOF_E_DATA, "%s is '%s', want a number",
                               fields[FIRST_METRIC + c.metric].headings[0], SHOWN(text));
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
    if (r->n_launches == MOST_LAUNCHES)
        return error_set(err, ROOF_E_LIMIT,
                         "more than %d launches; let ncu profile some of them, --launch-count",
                         MOST_LAUNCHES);
    TRY(ARENA_MORE(r->table.in->scratch, r->launches, r->n_launches, err));
    launch *new = &r->launches[r->n_launches++];
    *new = (launch){.id = row->group, .name = row->name, .table = row->table};
    for (int m = 0; m < METRICS; m++)
        new->values[m][ENGLISH] = new->values[m][CONTINENTAL] = NAN;
    return ROOF_OK;
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
            if (i < at->n && r->columns[i].unit.of == dimension_of(m))
                r->columns[i].metric = m;
        }
        r->units_of = given.table;
        return ROOF_OK;
    }
    if (!given.group || !given.name)
        return error_set(err, ROOF_E_DATA, "a row without the ID of a launch and the name of its kernel");
    if (is_raw) {
        /* A launch of the raw page. */
        if (r->units_of != given.table)
            return error_set(
                err, ROOF_E_DATA,
                "a launch below the headings, want a row of units: is it what `ncu --page raw --csv` wrote?");
        TRY(add_launch(r, &given, err));
        for (size_t i = 0; i < r->table.layout.n; i++)
            if (r->columns[i].unit.of)
                TRY(take_value(r, &r->launches[r->n_launches - 1], r->columns[i], r->table.cells[i], err));
        return ROOF_OK;
    }
    /* A metric of the details page, where rows of a launch stand together. A rule has none. */
    const launch *last = r->n_launches ? &r->launches[r->n_launches - 1] : NULL;
    column c = {METRICS, unit_of(span_of(given.type ? given.type : ""))};
    if (!last || last->table != given.table || strcmp(last->id, given.group) != 0)
        TRY(add_launch(r, &given, err));
    if (!given.word)
        return ROOF_OK;
    for (int m = METRICS; m-- > 0;) /* the first one counts */
        for (size_t i = 0; i < 4 && fields[FIRST_METRIC + m].headings[i]; i++)
            if (dimension_of(m) == c.unit.of && strcmp(given.word, fields[FIRST_METRIC + m].headings[i]) == 0)
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
        return error_set(err, ROOF_E_DATA,
                         "numbers are written in two ways, such as 1,024.5 and 1.024,5: are these files of "
                         "two machines? Import each alone");
    r->locale =
        r->certain[CONTINENTAL] || (!r->certain[ENGLISH] && r->likely[CONTINENTAL] > r->likely[ENGLISH]);
    if (r->locale == CONTINENTAL)
        import_note(r->table.in, "numbers are read as 1.024,5, a point between thousands");
    for (uint32_t i = 0; i < r->n_launches; i++)
        if (!isnan(r->launches[i].values[DURATION][r->locale])) {
            r->launches[n++] = r->launches[i];
            TRY(keep_launch(r, &r->launches[i], err));
        }
    r->n_timeless = r->n_launches - n;
    r->n_launches = n;
    return n || !r->n_timeless ? ROOF_OK
                               : error_set(err, ROOF_E_DATA,
                                           "no launch has a duration: let ncu take the section SpeedOfLight "
                                           "or the metric gpu__time_duration.sum");
}

static roof_status finish(reading *r, roof_run *run, roof_error *err)
{
    bool has_flops = false;
    row_clocks clocks = {0};
    for (uint32_t i = 0; i < r->n_launches; i++) {
        has_flops = has_flops || !isnan(r->table.in->rows[i].values[ROW_WORKLOAD]);
        row_see_clock(&clocks, r->launches[i].values[CLOCK][r->locale]);
        /* The share of its peak that a unit reached, as cycles in which it would have worked at that peak;
         * without cycles as a share. */
        static const char *const names[] = {"sm", "memory", "l2", "dram"};
        const launch *l = &r->launches[i];
        double cycles = l->values[CYCLES][r->locale], all = cycles > 0 ? cycles : 1e6;
        roof_event event = {.scope = ROOF_COUNTER_UNIT,
                            .quantity = cycles > 0 ? ROOF_COUNTER_ACTIVE_CYCLES : ROOF_COUNTER_BUSY_PPM};
        for (int k = 0; k < TENSOR_INSTRUCTIONS - SM_SHARE; k++) {
            double count = l->values[SM_SHARE + k][r->locale] * all;
            event.name = names[k];
            event.count = count <= 0x1p53 ? (uint64_t)llround(count) : ROOF_UNKNOWN;
            if (event.count != ROOF_UNKNOWN)
                TRY(counted_set_event(counted_of_layer(r->table.in->out, &run->layers[i]), event, err));
        }
    }
    import_note_count(r->table.in, r->n_timeless, "launches without a duration are left out");
    if (has_flops)
        import_note(r->table.in, "operations of tensor cores are not counted");
    if (r->has_rates)
        import_note(r->table.in,
                    "bytes are the throughput of the memory times the duration, where they are not counted");
    return row_add_clock(r->table.in, &clocks, run, "sm", err);
}

static roof_status begin(reading *r, roof_error *err)
{
    return ARENA_GET(r->table.in->scratch, r->columns, TABLE_MAX_COLUMNS, err);
}

const importer_def importer_ncu_csv = {
    .id = "ncu_csv",
    .names_kernels = true,
    .tool = "Nsight Compute",
    .next = "read in ncu, for the largest kernel, Memory Workload Analysis where memory binds, Compute "
            "Workload Analysis where computing does, else Warp State Statistics",
    .marks = {{SNIFF_SURE, {"ID", "Kernel Name", "Metric Name"}},
              {SNIFF_SURE, {"ID", "Kernel Name", "gpu__time_duration"}},
              {SNIFF_LIKELY, {"ID", "Kernel Name", "__throughput"}}},
    .device = "GPU",
    ROWS_ONLY,
    TABLE_LINES(
        reading, TABLE_OF(fields), .separator = ',', .is_in_order = true, .bytes = ROOF_BYTES_COUNTER,
        .cycles = "sm",
        .note = "ncu holds the clocks at their base, empties caches and runs each launch several times, "
                "unless --clock-control and --cache-control say otherwise: times are not those of production",
        .begin = begin, .plain = is_of_table, .row = take_row, .rows = take_launches, .finish = finish)};
