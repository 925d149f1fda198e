#include "reports/cells.h"
#include "core/quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* An engine that no layer uses would be a column of dashes. */
static bool engine_is_used(const roof_prediction *p, uint32_t e)
{
    uint64_t cycles = p->total.deployed.cycles[e];
    return cycles != 0 && cycles != ROOF_UNKNOWN;
}

static void put(table_column *columns, uint32_t *n, table_column column)
{
    if (*n < LAYER_COLUMNS)
        columns[(*n)++] = column;
}

/* Which engine columns go first when room is short: those that never bind, then those that hardly do. */
static uint32_t engine_rank(const roof_prediction *p, uint32_t e)
{
    double bound = 0, all = (double)p->total.deployed.ideal_cycles;
    for (uint32_t i = 0; i < p->n_layers; i++)
        if (p->layers[i].deployed.bound == e)
            bound += (double)p->layers[i].deployed.ideal_cycles;
    if (e == p->total.deployed.bound)
        return 0;
    return bound == 0 ? 8 : bound < 0.05 * all ? 5 : 2;
}

uint32_t layer_columns_of(const roof_prediction *p, bool details, table_column *columns)
{
    uint32_t n = 0;
    put(columns, &n, (table_column){COLUMN_INDEX, "#", "", 0, true, 0, 0});
    put(columns, &n, (table_column){COLUMN_NAME, "layer", "", 0, false, 0, 0});
    put(columns, &n, (table_column){COLUMN_TYPE, "type", "", 0, false, 5, 0});
    if (details)
        put(columns, &n, (table_column){COLUMN_SHAPE, "shape", "HxWxC", 0, false, 2, 0});
    if (p->hardware.has_pools)
        put(columns, &n, (table_column){COLUMN_OPS, "ops", "[M]", 0, true, 1, 0});
    else
        put(columns, &n, (table_column){COLUMN_MACS, "MACs", "[M]", 0, true, 1, 0});
    put(columns, &n,
        (table_column){COLUMN_BYTES, p->hardware.has_pools ? "moved" : "DDR", "[kB]", 0, true, 1, 0});
    for (uint32_t e = 0; e < p->n_engines; e++)
        if (engine_is_used(p, e))
            put(columns, &n,
                (table_column){COLUMN_ENGINE, p->engines[e], "[kcyc]", e, true, engine_rank(p, e), 0});
    put(columns, &n, (table_column){COLUMN_IDEAL, "ideal", "[us]", 0, true, 0, 0});
    if (p->hardware.has_pools)
        put(columns, &n, (table_column){COLUMN_VENDOR, "compiler", "[us]", 0, true, 0, 0});
    if (p->calibration)
        put(columns, &n, (table_column){COLUMN_PREDICTED, "predicted", "[us]", 0, true, 0, 0});
    put(columns, &n, (table_column){COLUMN_SHARE, "share", "[%]", 0, true, 0, 0});
    if (!p->hardware.has_pools)
        put(columns, &n, (table_column){COLUMN_USE, "MAC use", "[%]", 0, true, 4, 0});
    if (details)
        put(columns, &n, (table_column){COLUMN_INTENSITY, "intensity", "[op/B]", 0, true, 3, 0});
    if (p->total.has_alone)
        put(columns, &n, (table_column){COLUMN_ALONE, "alone", "[us]", 0, true, 6, 0});
    put(columns, &n, (table_column){COLUMN_BOUND, "bound", "", 0, false, 0, 0});
    uint32_t largest;
    uint64_t full = largest_rows(p, &largest, 1) ? p->layers[largest].deployed.ideal_cycles : 0;
    put(columns, &n, (table_column){COLUMN_BAR, "", "", 0, false, 3, full});
    return n;
}

/* Thousands apart, `decimals` (at most 3) behind the point: "1 283.4". By integers: a table has thousands of cells. */
static void put_number(char *cell, double value, int decimals)
{
    static const double scales[] = {1, 10, 100, 1000};
    char digits[40];
    int n = 0, used = 0;
    if (!(fabs(value) < 1e15)) {
        snprintf(cell, TABLE_CELL_SIZE, "%.3g", value);
        return;
    }
    uint64_t whole = (uint64_t)(fabs(value) * scales[decimals] + 0.5);
    for (int place = 0; whole || place <= decimals; place++, whole /= 10) {
        if (place > decimals && (place - decimals) % 3 == 0)
            digits[n++] = ' ';
        if (place == decimals && decimals)
            digits[n++] = '.';
        digits[n++] = (char)('0' + whole % 10);
    }
    if (value < 0)
        cell[used++] = '-';
    while (n)
        cell[used++] = digits[--n];
    cell[used] = '\0';
}

/* A count in thousands or millions; what would print as 0.0 gets another digit, so that small is not taken
 * for nothing. */
static void put_scaled(char *cell, uint64_t count, double unit)
{
    double value = (double)count / unit;
    if (count == ROOF_UNKNOWN)
        strcpy(cell, "?");
    else if (count == 0)
        strcpy(cell, "-");
    else
        put_number(cell, value, value < 0.05 ? 3 : 1);
}

static void put_ratio(char *cell, double percent)
{
    if (isnan(percent))
        strcpy(cell, "?");
    else if (percent == 0)
        strcpy(cell, "-");
    else
        put_number(cell, percent, 1);
}

static const roof_cost *cost_of(const roof_prediction *p, const roof_layer_prediction *row)
{
    return row ? &row->deployed : &p->total.deployed;
}

static void put_text(char *cell, const char *text)
{
    snprintf(cell, TABLE_CELL_SIZE, "%s", text);
}

static void put_seconds(char *cell, double seconds)
{
    if (isnan(seconds))
        strcpy(cell, "?");
    else if (seconds == 0)
        strcpy(cell, "-");
    else
        put_number(cell, 1e6 * seconds, seconds < 5e-8 ? 3 : 1);
}

static void put_ideal(char *cell, const roof_cost *cost)
{
    put_seconds(cell, cost->ideal_cycles == 0 ? 0 : cost->ideal_s);
}

static double utilisation(const roof_prediction *p, const roof_layer_prediction *row)
{
    double seconds = cost_of(p, row)->ideal_s;
    if (row)
        return row->utilisation_ratio;
    return seconds > 0 ? 2.0 * known_count(p->total.array_macs) / (seconds * p->hardware.peak_ops_per_s)
                       : NAN;
}

/* A bar makes the layers that matter visible without reading a number: the longest is the largest layer. */
static void put_bar(const roof_layer_prediction *row, uint64_t full_cycles, char *cell)
{
    enum { LONGEST = 8 };
    if (!row || row->deployed.ideal_cycles == ROOF_UNKNOWN || !full_cycles)
        return;
    size_t length = (size_t)(LONGEST * (double)row->deployed.ideal_cycles / (double)full_cycles + 0.5);
    memset(cell, '=', length);
    cell[length] = '\0';
}

static void put_vendor(char *cell, const roof_prediction *p, uint64_t cycles)
{
    put_seconds(cell, cycles == ROOF_UNKNOWN ? NAN : (double)cycles / p->hardware.clock_hz);
}

static void put_name(const roof_prediction *p, const roof_layer_prediction *row, char *cell)
{
    if (row)
        put_text(cell, row->name);
    else
        snprintf(cell, TABLE_CELL_SIZE, "total (%u layers)", p->total.layers);
}

static double share_of_ideal(const roof_prediction *p, const roof_cost *cost)
{
    double all = known_count(p->total.deployed.ideal_cycles);
    return isnan(all) ? NAN : all > 0 ? 100 * (double)cost->ideal_cycles / all : 0;
}

static const char *empty_bound(const roof_layer_prediction *row)
{
    return row->executor == ROOF_BY_HOST ? "host" : "?";
}

void layer_cell(const roof_prediction *p, const roof_layer_prediction *row, const table_column *column,
                char cell[TABLE_CELL_SIZE])
{
    const roof_cost *cost = cost_of(p, row);
    bool empty =
        row && cost->cycles_basis == ROOF_BASIS_NONE; /* of the host, or of a plan that tells nothing */
    cell[0] = '\0';
    switch (column->kind) {
    case COLUMN_INDEX:
        if (row)
            snprintf(cell, TABLE_CELL_SIZE, "%u", row->index);
        break;
    case COLUMN_NAME:
        put_name(p, row, cell);
        break;
    case COLUMN_TYPE:
        put_text(cell, row ? row->type : "");
        break;
    case COLUMN_SHAPE:
        put_text(cell, row ? row->shape : "");
        break;
    case COLUMN_MACS:
        put_scaled(cell, row ? row->macs : p->total.macs, 1e6);
        break;
    case COLUMN_OPS:
        put_scaled(cell, row ? row->ops_count : p->total.ops_count, 1e6);
        break;
    case COLUMN_VENDOR:
        put_vendor(cell, p, row ? row->estimate.cycles : p->total.estimate.cycles);
        break;
    case COLUMN_BYTES:
        put_scaled(cell, roof_traffic_total(&cost->traffic), 1e3);
        break;
    case COLUMN_ENGINE:
        put_scaled(cell, cost->cycles[column->engine], 1e3);
        break;
    case COLUMN_IDEAL:
        put_ideal(cell, cost);
        break;
    case COLUMN_SHARE:
        put_ratio(cell, empty ? NAN : share_of_ideal(p, cost));
        break;
    case COLUMN_USE:
        put_ratio(cell, row && !empty && cost->ideal_cycles == 0 ? 0 : 100 * utilisation(p, row));
        break;
    case COLUMN_INTENSITY:
        put_ratio(cell, row ? row->intensity_ops_per_byte : p->total.intensity_ops_per_byte);
        break;
    case COLUMN_PREDICTED:
        put_seconds(cell, row ? row->predicted_s : p->total.predicted_s);
        break;
    case COLUMN_ALONE:
        if (row && !row->has_alone)
            put_text(cell, "");
        else
            put_ideal(cell, row ? &row->alone : &p->total.alone);
        break;
    case COLUMN_BAR:
        put_bar(row, column->full_cycles, cell);
        break;
    case COLUMN_BOUND:
        put_text(cell, empty ? empty_bound(row) : cost->bound == ROOF_NONE ? "-" : p->engines[cost->bound]);
        break;
    }
}

static bool is_layer(const roof_layer_prediction *row)
{
    return !row->is_remainder && row->executor != ROOF_BY_HOST;
}

static size_t common_length(const char *a, const char *b, size_t most)
{
    size_t same = 0;
    while (same < most && a[same] == b[same])
        same++;
    return same;
}

name_prefixes name_prefix_of(const roof_prediction *p)
{
    enum { WORTH_IT = 9 };
    name_prefixes prefix = {"", 0};
    size_t names = 0;
    for (uint32_t i = 0; p && i < p->n_layers; i++) {
        const char *name = p->layers[i].name;
        if (!is_layer(&p->layers[i]))
            continue;
        if (!names++)
            prefix = (name_prefixes){name, strlen(name)};
        prefix.length = common_length(prefix.text, name, prefix.length);
    }
    while (prefix.length && !strchr("_/:.", prefix.text[prefix.length - 1]))
        prefix.length--;
    if (names < 2 || prefix.length < WORTH_IT)
        prefix.length = 0;
    return prefix;
}

const char *name_without(name_prefixes prefix, const char *name)
{
    bool has_it = prefix.length && strncmp(name, prefix.text, prefix.length) == 0 && name[prefix.length];
    return has_it ? name + prefix.length : name;
}

void put_prefix(textbuf *out, name_prefixes prefix)
{
    if (!prefix.length)
        return;
    text_puts(out, "names without '");
    text_escaped(out, prefix.text, prefix.length, NULL);
    text_puts(out, "'\n");
}

uint32_t largest_rows(const roof_prediction *p, uint32_t *rows, uint32_t n)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < p->n_layers; i++) {
        uint64_t cycles = p->layers[i].deployed.ideal_cycles;
        if (cycles == 0 || cycles == ROOF_UNKNOWN)
            continue;
        uint32_t place = found;
        while (place && p->layers[rows[place - 1]].deployed.ideal_cycles < cycles)
            place--;
        if (place == n)
            continue;
        if (found < n)
            found++;
        memmove(&rows[place + 1], &rows[place], (found - 1 - place) * sizeof *rows);
        rows[place] = i;
    }
    return found;
}

void findings_summary(const roof_prediction *p, char *text, size_t size)
{
    uint32_t counts[ROOF_FINDING_COUNT] = {0};
    size_t used;
    for (uint32_t i = 0; i < p->n_findings; i++)
        counts[p->findings[i].kind]++;
    if (!p->n_findings) {
        snprintf(text, size, "no findings");
        return;
    }
    used = (size_t)snprintf(text, size, "%u finding%s:", p->n_findings, p->n_findings == 1 ? "" : "s");
    for (int kind = 0, listed = 0; kind < ROOF_FINDING_COUNT && used < size; kind++)
        if (counts[kind])
            used += (size_t)snprintf(text + used, size - used, "%s %u %s", listed++ ? "," : "", counts[kind],
                                     roof_finding_kind_text((roof_finding_kind)kind));
}

const char *basis_phrase(roof_basis basis)
{
    static const char *const phrases[] = {[ROOF_BASIS_CODE] = "the instruction stream",
                                          [ROOF_BASIS_FILE] = "the file",
                                          [ROOF_BASIS_FORMULA] = "tensor shapes",
                                          [ROOF_BASIS_NONE] = "nowhere"};
    return phrases[basis];
}
