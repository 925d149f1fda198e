/* What `ncu --csv` writes: metrics of each launch of a kernel, a row for each of them or, of the raw page, a column.
 *
 *   "ID",...,"Kernel Name",...,"Section Name","Metric Name","Metric Unit","Metric Value"[,"Rule Name",...]   details page
 *   "ID",...,"Kernel Name",...,"dram__bytes.sum","gpu__time_duration.sum",...                              raw page
 *   "","",...,"byte","nsecond",...                                                                         its units
 * The details page has two metrics of one name, "Memory Throughput" in % and in byte/s, so a metric is its name and what its unit
 * measures. Numbers are written as the locale has them, "1,024.5" or "1.024,5", which the whole file together tells.
 * (https://docs.nvidia.com/nsight-compute/NsightComputeCli, "Command Line Options", --csv, --page, --print-units)
 */
#include "core/error.h"
#include "core/quantity.h"
#include "measure/kit.h"
#include "measure/table.h"

#include <math.h>
#include <string.h>

enum { ENGLISH, CONTINENTAL, LOCALES };
enum { MOST_LAUNCHES = 1 << 16, ID_SIZE = 24, ID_AT = 0 };

typedef enum dimension { NO_DIMENSION, COUNT, BYTES, SECONDS, HERTZ, BYTES_PER_S, SHARE } dimension;

enum {
    DURATION,
    CYCLES,
    CLOCK,
    ALL_BYTES,
    READ_BYTES,
    WRITTEN_BYTES,
    BANDWIDTH,
    SM_SHARE,
    L2_SHARE,
    DRAM_SHARE,
    TENSOR_INSTRUCTIONS,
    FLOPS, /* add, mul, fma of double, single and half precision */
    METRICS = FLOPS + 9
};

#define OP(name)                                                                                             \
    {                                                                                                        \
        COUNT,                                                                                               \
        {                                                                                                    \
            "smsp__sass_thread_inst_executed_op_" name "_pred_on.sum",                                       \
                "sm__sass_thread_inst_executed_op_" name "_pred_on.sum"                                      \
        }                                                                                                    \
    }

/* Names of the raw page and of the details page, in the order above. */
static const struct {
    dimension of;
    const char *names[4];
} metrics[METRICS] = {
    {SECONDS, {"gpu__time_duration.sum", "gpu__time_duration.avg", "Duration"}},
    {COUNT, {"gpc__cycles_elapsed.max", "sm__cycles_elapsed.max", "Elapsed Cycles"}},
    {HERTZ,
     {"gpc__cycles_elapsed.avg.per_second", "sm__cycles_elapsed.avg.per_second",
      "smsp__cycles_elapsed.avg.per_second", "SM Frequency"}},
    {BYTES, {"dram__bytes.sum"}},
    {BYTES, {"dram__bytes_read.sum"}},
    {BYTES, {"dram__bytes_write.sum"}},
    {BYTES_PER_S, {"dram__bytes.sum.per_second", "Memory Throughput"}},
    {SHARE, {"sm__throughput.avg.pct_of_peak_sustained_elapsed", "Compute (SM) Throughput"}},
    {SHARE, {"lts__throughput.avg.pct_of_peak_sustained_elapsed", "L2 Cache Throughput"}},
    {SHARE,
     {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
      "dram__throughput.avg.pct_of_peak_sustained_elapsed", "DRAM Throughput"}},
    {COUNT, {"sm__inst_executed_pipe_tensor.sum"}},
    OP("dadd"),
    OP("dmul"),
    OP("dfma"),
    OP("fadd"),
    OP("fmul"),
    OP("ffma"),
    OP("hadd"),
    OP("hmul"),
    OP("hfma"),
};

typedef struct unit {
    dimension of;
    double up, down; /* of its base */
} unit;

typedef struct launch {
    const char *name;
    double values[METRICS][LOCALES]; /* NaN: not known */
} launch;

typedef struct column {
    int is; /* METRICS: none that is kept */
    bool is_metric, is_sum;
    unit unit;
} column;

typedef struct reading {
    import_state *in;
    table_reader *table;
    bool inside, is_open, is_wide, has_units; /* is_open: the last line ended within quotes */
    bool has_rates;                           /* of which bytes were made */
    size_t name_at, metric_at, unit_at, value_at, n_columns;
    column *columns; /* of the raw page */
    char id[ID_SIZE];
    launch *launches;
    uint32_t n_launches;
    uint64_t certain[LOCALES], likely[LOCALES]; /* numbers that only make sense in this locale */
} reading;

/* --- units and numbers ----------------------------------------------------------------------------------- */

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
                 {"", {COUNT, 1, 1}},           {"%", {SHARE, 1, 100}}};
    static const char prefixes[] = "KMGT", second[] = "econd";
    const char *prefix = text.length > 1 ? strchr(prefixes, text.text[0]) : NULL;
    unit out = {NO_DIMENSION, 1, 1};
    text = prefix ? span_from(text, 1) : text;
    if (text.length > strlen(second) && span_is(span_from(text, text.length - strlen(second)), second))
        text.length -= strlen(second);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (span_is(text, units[i].word))
            out = units[i].is;
    out.up *= prefix ? pow(1e3, (double)(prefix - prefixes + 1)) : 1;
    return out;
}

/* A number with that separator between its thousands and that mark before its decimals. */
static bool parse_number(text_span s, char thousands, char mark, double *out)
{
    char plain[64];
    size_t n = 0, group = 0; /* digits since the last separator */
    bool is_grouped = false, has_mark = false, good = s.length > 0 && s.length < sizeof plain;
    for (size_t i = 0; i < s.length && good; i++) {
        char c = s.text[i];
        bool ends_group = !has_mark && (c == thousands || c == mark);
        good = (c >= '0' && c <= '9') ||
               (ends_group && group && (is_grouped ? group == 3 : c == mark || group <= 3));
        if (!ends_group)
            group++;
        else
            group = 0;
        is_grouped = is_grouped || (ends_group && c == thousands);
        has_mark = has_mark || c == mark;
        if (c != thousands)
            plain[n++] = c == mark ? '.' : c;
    }
    good = good && (has_mark || !is_grouped || group == 3);
    return good && number_parse(plain, n, out) == n;
}

/* of: NO_DIMENSION for a name whose unit is not read yet. */
static int metric_of(text_span name, dimension of)
{
    for (int m = 0; m < METRICS; m++)
        for (size_t i = 0; i < 4 && metrics[m].names[i] && (!of || metrics[m].of == of); i++)
            if (span_is(name, metrics[m].names[i]))
                return m;
    return METRICS;
}

/* A count, and no rate or mean of one. */
static bool is_sum(text_span name)
{
    return span_has(name, ".sum") && !span_has(name, ".per_") && !span_has(name, ".pct");
}

/* Keeps a number as both locales read it, and what it tells of which one the file has: counts are whole. */
static roof_status take_value(reading *r, launch *to, const column *c, text_span text, roof_error *err)
{
    double values[LOCALES];
    bool fits[LOCALES] = {parse_number(text, ',', '.', &values[ENGLISH]),
                          parse_number(text, '.', ',', &values[CONTINENTAL])};
    bool is_whole[LOCALES];
    if (!fits[ENGLISH] && !fits[CONTINENTAL]) {
        bool is_text =
            !text.length || text.text[0] < '0' || text.text[0] > '9'; /* "n/a", "CachePreferNone" */
        return c->is == METRICS || is_text ? ROOF_OK
                                           : error_set(err, ROOF_E_DATA, "%s is '%s', want a number",
                                                       metrics[c->is].names[0], SHOWN(text));
    }
    for (int l = 0; l < LOCALES; l++) {
        is_whole[l] = fits[l] && !(fmod(values[l], 1) > 0);
        r->certain[l] += fits[l] && !fits[!l];
    }
    for (int l = 0; l < LOCALES && c->is_sum && c->unit.up * c->unit.down == 1; l++)
        r->likely[l] += is_whole[l] && fits[!l] && !is_whole[!l];
    if (c->is == METRICS || !isnan(to->values[c->is][ENGLISH]) || !isnan(to->values[c->is][CONTINENTAL]))
        return ROOF_OK;
    for (int l = 0; l < LOCALES; l++)
        to->values[c->is][l] = fits[l] ? values[l] * c->unit.up / c->unit.down : NAN;
    return ROOF_OK;
}

/* --- tables ---------------------------------------------------------------------------------------------- */

static size_t find_column(const reading *r, const char *name)
{
    size_t i = 0;
    while (i < r->n_columns && !span_is(table_cell(r->table, i), name))
        i++;
    return i;
}

static void read_heading(reading *r)
{
    bool has_metric = false;
    r->n_columns = table_columns(r->table);
    r->name_at = find_column(r, "Kernel Name");
    r->metric_at = find_column(r, "Metric Name");
    r->unit_at = find_column(r, "Metric Unit");
    r->value_at = find_column(r, "Metric Value");
    r->is_wide = r->metric_at == r->n_columns;
    for (size_t i = 0; r->is_wide && i < r->n_columns; i++) {
        text_span name = table_cell(r->table, i);
        r->columns[i] = (column){metric_of(name, NO_DIMENSION), span_has(name, "__"), is_sum(name), {0}};
        has_metric = has_metric || r->columns[i].is_metric;
    }
    r->has_units = false;
    *r->id = '\0';
    r->inside = r->name_at < r->n_columns &&
                (r->is_wide ? has_metric : r->unit_at < r->n_columns && r->value_at < r->n_columns);
}

static roof_status add_launch(reading *r, launch **out, roof_error *err)
{
    if (r->n_launches == MOST_LAUNCHES)
        return error_set(err, ROOF_E_LIMIT,
                         "more than %d launches; let ncu profile some of them, --launch-count",
                         MOST_LAUNCHES);
    *out = array_add(r->in->scratch, &r->launches, &r->n_launches, sizeof **out);
    if (!*out)
        return error_memory(err);
    for (int m = 0; m < METRICS; m++)
        (*out)->values[m][ENGLISH] = (*out)->values[m][CONTINENTAL] = NAN;
    return import_keep_name(r->in, table_cell(r->table, r->name_at), &(*out)->name, err);
}

/* Rows of a launch stand together. */
static roof_status read_metric(reading *r, roof_error *err)
{
    text_span id = table_cell(r->table, ID_AT), name = table_cell(r->table, r->metric_at);
    launch *to = r->n_launches ? &r->launches[r->n_launches - 1] : NULL;
    if (!id.length || id.length >= ID_SIZE)
        return error_set(err, ROOF_E_DATA, "the ID is '%s', want the number of a launch", SHOWN(id));
    if (!to || !span_is(id, r->id))
        TRY(add_launch(r, &to, err));
    memcpy(r->id, id.text, id.length);
    r->id[id.length] = '\0';
    if (!name.length)
        return ROOF_OK; /* a rule, which has advice and no number */
    column c = {.is_metric = true, .is_sum = is_sum(name), .unit = unit_of(table_cell(r->table, r->unit_at))};
    c.is = metric_of(name, c.unit.of);
    return take_value(r, to, &c, table_cell(r->table, r->value_at), err);
}

static roof_status read_units(reading *r, roof_error *err)
{
    if (table_cell(r->table, ID_AT).length)
        return error_set(err, ROOF_E_DATA,
                         "a launch below the headings, want a row of units: is it what `ncu --page "
                         "raw --csv` wrote?");
    for (size_t i = 0; i < r->n_columns; i++) {
        column *c = &r->columns[i];
        c->unit = unit_of(table_cell(r->table, i));
        if (c->is != METRICS && metrics[c->is].of != c->unit.of)
            c->is = METRICS;
    }
    r->has_units = true;
    return ROOF_OK;
}

static roof_status read_launch(reading *r, roof_error *err)
{
    launch *to;
    if (!r->has_units)
        return read_units(r, err);
    TRY(add_launch(r, &to, err));
    for (size_t i = 0; i < r->n_columns; i++)
        if (r->columns[i].is_metric)
            TRY(take_value(r, to, &r->columns[i], table_cell(r->table, i), err));
    return ROOF_OK;
}

static roof_status read_line(void *reading_, const roof_line *line, roof_error *err)
{
    reading *r = reading_;
    text_span text = {line->text, line->length};
    bool complete, is_heading = span_begins(text, "\"ID\",") || span_begins(text, "ID,");
    /* chatter of ncu and of the program stands before the table and behind it */
    if (!r->is_open && !is_heading && !(r->inside && text.length && strchr("\"0123456789", text.text[0])))
        return ROOF_OK;
    TRY(table_feed(r->table, line, &complete, err));
    r->is_open = !complete;
    if (!complete)
        return ROOF_OK;
    if (span_is(table_cell(r->table, ID_AT), "ID")) {
        read_heading(r);
        return ROOF_OK;
    }
    if (!r->inside)
        return ROOF_OK;
    /* the cells behind the last value of a row may be left out */
    if (table_columns(r->table) <= (r->is_wide ? r->n_columns - 1 : r->value_at))
        return error_set(err, ROOF_E_DATA, "a row of %zu cells, want %zu: is the table whole?",
                         table_columns(r->table), r->n_columns);
    return r->is_wide ? read_launch(r, err) : read_metric(r, err);
}

/* --- the document ---------------------------------------------------------------------------------------- */

/* Multiply-accumulates are two operations. Only precisions of which all three are counted; NaN: unknown, as where tensor cores
 * work, whose instructions are not always the same number of operations. */
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

static roof_status keep_launch(reading *r, const launch *l, int locale, roof_error *err)
{
    table_row row = row_unknown();
    double *v = row.values;
    row.name = l->name;
    row.exact = true;
    v[ROW_TIME] = l->values[DURATION][locale];
    v[ROW_CYCLES] = l->values[CYCLES][locale];
    v[ROW_READ] = l->values[READ_BYTES][locale];
    v[ROW_WRITE] = l->values[WRITTEN_BYTES][locale];
    v[ROW_BYTES] = l->values[ALL_BYTES][locale];
    v[ROW_WORKLOAD] = flops_of(l, locale);
    if (isnan(v[ROW_BYTES]) && isnan(v[ROW_READ] + v[ROW_WRITE])) {
        v[ROW_BYTES] = l->values[BANDWIDTH][locale] * v[ROW_TIME];
        r->has_rates = r->has_rates || !isnan(v[ROW_BYTES]);
    }
    return row_keep(r->in, &row, err);
}

/* The share of its peak that a unit reached, as cycles in which it would have worked at that peak. */
static roof_status add_events(const reading *r, const launch *l, int locale, roof_measured_layer *layer,
                              roof_error *err)
{
    static const char *const names[] = {"sm", "l2", "dram"};
    for (int i = 0; i < 3; i++) {
        double cycles = l->values[SM_SHARE + i][locale] * l->values[CYCLES][locale];
        roof_event event = {
            .name = names[i], .scope = ROOF_COUNTER_UNIT, .quantity = ROOF_COUNTER_ACTIVE_CYCLES};
        if (!(cycles <= 0x1p53))
            continue;
        event.count = (uint64_t)llround(cycles);
        TRY(counted_set_event(counted_of_layer(r->in->out, layer), event, err));
    }
    return ROOF_OK;
}

/* The clock, where launches have the same one: what ncu prints differs by the duration that it divides by. */
static roof_status add_clock(const reading *r, int locale, roof_run *run, roof_error *err)
{
    double least = INFINITY, most = 0;
    for (uint32_t i = 0; i < r->n_launches; i++) {
        least = fmin(least, r->launches[i].values[CLOCK][locale]); /* NaN is left aside */
        most = fmax(most, r->launches[i].values[CLOCK][locale]);
    }
    if (most >= 1 && most - least <= 0.01 * most)
        return run_add_clock(r->in->out, run, "sm", least + (most - least) / 2, err);
    if (most >= 1)
        import_note(r->in, "the clock moved between %s and %s MHz and is left out", NUMBER(least * 1e-6),
                    NUMBER(most * 1e-6));
    return ROOF_OK;
}

/* How the file writes numbers. */
static roof_status find_locale(const reading *r, int *out, roof_error *err)
{
    if (r->certain[ENGLISH] && r->certain[CONTINENTAL])
        return error_set(
            err, ROOF_E_DATA,
            "numbers are written in two ways, such as 1,024.5 and 1.024,5: are these files of two "
            "machines? Import each alone");
    *out = r->certain[CONTINENTAL] || (!r->certain[ENGLISH] && r->likely[CONTINENTAL] > r->likely[ENGLISH]);
    if (*out == CONTINENTAL)
        import_note(r->in, "numbers are read as 1.024,5, a point between thousands");
    return ROOF_OK;
}

static roof_status add_run(reading *r, int locale, roof_error *err)
{
    uint32_t n = 0;
    bool has_flops = false;
    TRY(row_add_run(r->in, &r->in->rows[0], ROOF_RUN_PER_LAYER, err));
    roof_run *run = &r->in->out->experiments[0].runs[0];
    for (uint32_t i = 0; i < r->n_launches; i++) {
        const launch *l = &r->launches[i];
        if (isnan(l->values[DURATION][locale]))
            continue;
        has_flops = has_flops || !isnan(flops_of(l, locale));
        TRY(add_events(r, l, locale, &run->layers[n++], err));
    }
    if (n < r->n_launches)
        import_note(r->in, "%u launches without a duration are left out", r->n_launches - n);
    if (has_flops)
        import_note(r->in, "operations of tensor cores are not counted");
    if (r->has_rates)
        import_note(r->in,
                    "bytes are the throughput of the memory times the duration, where they are not counted");
    import_note(
        r->in,
        "ncu holds the clocks at their base, empties caches and runs each launch several times, unless "
        "--clock-control and --cache-control say otherwise: times are not those of production");
    return add_clock(r, locale, run, err);
}

static roof_status finish(void *reading_, roof_error *err)
{
    reading *r = reading_;
    int locale = ENGLISH;
    if (r->is_open)
        TRY(table_end(r->table, err));
    TRY(find_locale(r, &locale, err));
    for (uint32_t i = 0; i < r->n_launches; i++)
        if (!isnan(r->launches[i].values[DURATION][locale]))
            TRY(keep_launch(r, &r->launches[i], locale, err));
    if (!r->in->n_rows)
        return error_set(err, ROOF_E_DATA,
                         r->n_launches ? "no launch has a duration: let ncu take the section "
                                         "SpeedOfLight or the metric gpu__time_duration.sum"
                                       : "no rows with ID, Kernel Name and metrics");
    return add_run(r, locale, err);
}

static roof_status begin(void *reading_, roof_error *err)
{
    reading *r = reading_;
    r->table = table_new(',');
    r->columns = NEW_ARRAY(r->in->scratch, column, TABLE_MAX_COLUMNS);
    return r->table && r->columns ? ROOF_OK : error_memory(err);
}

static void end(void *reading_)
{
    table_free(((reading *)reading_)->table);
}

/* What the kit has to know of rows: launches stand in the order in which they were made. */
static const tool_table rows = {.is_in_order = true, .bytes = ROOF_BYTES_COUNTER, .cycles = "sm"};

const importer_def importer_ncu_csv = {.id = "ncu_csv",
                                       .marks = {{SNIFF_SURE, {"ID", "Kernel Name", "Metric Name"}},
                                                 {SNIFF_SURE, {"ID", "Kernel Name", "gpu__time_duration"}},
                                                 {SNIFF_LIKELY, {"ID", "Kernel Name", "__throughput"}}},
                                       .device = "GPU",
                                       ROWS_ONLY,
                                       .table = &rows,
                                       .reading_bytes = sizeof(reading),
                                       .begin = begin,
                                       .line = read_line,
                                       .finish = finish,
                                       .end = end};
