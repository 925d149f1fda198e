#include "reports/reconcile/epoch_view.h"
#include "core/quantity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N(table) (sizeof(table) / sizeof *(table))

static void add_number(text_grid *g, double value, double factor, int digits)
{
    if (isnan(value))
        grid_add(g, "?", NULL);
    else
        grid_printf(g, "%.*f", digits, value * factor);
}

/* estimate / measured - 1 in percent, with its sign. */
static void add_error(text_grid *g, double ratio)
{
    if (isnan(ratio))
        grid_add(g, "?", NULL);
    else
        grid_printf(g, "%+.2f", fabs(ratio) < 5e-5 ? 0 : 100 * ratio);
}

/* ---- lines ---- */

static epoch_line *next(epoch_line *lines, uint32_t *n, const char *label)
{
    lines[*n].label = label;
    return &lines[(*n)++];
}

/* "%.1f" of something that may not be known. */
static const char *figure(char buffer[40], double value, int digits)
{
    if (isnan(value))
        snprintf(buffer, 40, "?");
    else
        snprintf(buffer, 40, "%.*f", digits, value);
    return buffer;
}

/* ", 64.8 inferences/s"; nothing where it is not known. */
static const char *rate(char buffer[60], double per_s)
{
    buffer[0] = '\0';
    if (!isnan(per_s))
        snprintf(buffer, 60, ", %.1f inferences/s", per_s);
    return buffer;
}

static const char *whose(const roof_epochs *e)
{
    return e->is_part ? "the epochs that are listed: " : "";
}

static void put_compiler(const roof_epochs *e, epoch_line *line)
{
    char cycles[40], compute[40], rates[2][60], gops[2][40];
    const roof_measured_epoch *t = &e->total;
    count_format(cycles, sizeof cycles, t->vendor_cycles);
    count_format(compute, sizeof compute, t->compute_cycles);
    snprintf(line->text, sizeof line->text, "%s%s cycles%s, %s GOPS; by computing alone %s cycles%s, %s GOPS",
             whose(e), cycles, rate(rates[0], e->vendor_inferences_per_s),
             figure(gops[0], t->vendor_ops_per_s / 1e9, 1), compute,
             rate(rates[1], e->ideal_inferences_per_s), figure(gops[1], t->ideal_ops_per_s / 1e9, 1));
}

static void put_measured(const roof_epochs *e, epoch_line *line)
{
    char time[40], npu[40] = "?", per_s[60], gops[2][40], share[40];
    const roof_measured_epoch *t = &e->total;
    quantity_format(time, sizeof time, t->total_s, "s");
    if (t->npu_total_cycles != ROOF_UNKNOWN)
        count_format(npu, sizeof npu, t->npu_total_cycles);
    int used =
        snprintf(line->text, sizeof line->text, "%s%s%s; %s NPU cycles%s, %s %% of the time in core phases",
                 whose(e), time, rate(per_s, e->measured_inferences_per_s), npu,
                 t->npu_total_is_converted ? " (outside core phases converted)" : "",
                 figure(share, 100 * quotient_of(t->core_s, t->total_s), 1));
    if (!isnan(t->measured_ops_per_s) && used > 0 && (size_t)used < sizeof line->text)
        snprintf(line->text + used, sizeof line->text - (size_t)used, "; %s GOPS, %s in core phases",
                 figure(gops[0], t->measured_ops_per_s / 1e9, 1),
                 figure(gops[1], t->core_ops_per_s / 1e9, 1));
}

uint32_t view_epoch_lines(const roof_epochs *e, epoch_line lines[EPOCH_LINES])
{
    uint32_t n = 0;
    char a[40], b[40], c[40];
    const roof_measured_epoch *t = &e->total;
    if (t->vendor_cycles != ROOF_UNKNOWN)
        put_compiler(e, next(lines, &n, "compiler"));
    put_measured(e, next(lines, &n, "measured"));
    if (!isnan(t->compute_ratio)) {
        char *text = next(lines, &n, "computing")->text;
        int used = snprintf(text, EPOCH_LINE_SIZE, "takes %s %% of all cycles, %s %% of those in core phases",
                            figure(a, 100 * t->compute_ratio, 2), figure(b, 100 * t->core_compute_ratio, 2));
        if (!isnan(t->vendor_error_ratio) && used > 0)
            snprintf(text + used, EPOCH_LINE_SIZE - (size_t)used,
                     "; the compiler %sestimates the core's cycles by %s %%",
                     t->vendor_error_ratio < 0 ? "under" : "over",
                     figure(c, 100 * fabs(t->vendor_error_ratio), 2));
    }
    if (e->converted)
        snprintf(next(lines, &n, "clocks")->text, EPOCH_LINE_SIZE,
                 "NPU cycles outside the core phases of %u epoch%s are converted from the host's, %s to %s "
                 "MHz; the "
                 "NPU's own counters say a little more",
                 e->converted, e->converted == 1 ? "" : "s", figure(a, e->mcu_hz / 1e6, 0),
                 figure(b, e->npu_hz / 1e6, 0));
    return n;
}

/* ---- tables ---- */

void view_epoch_types(const roof_epochs *e, text_grid *grid, roof_arena *arena)
{
    static const grid_column columns[] = {
        {"epochs", "", false, true, false, 0},           {"number", "", true, false, false, 0},
        {"time", "[ms]", true, false, false, 0},         {"share", "[%]", true, false, false, 0},
        {"outside core", "[ms]", true, false, false, 0}, {"each", "[us]", true, false, false, 0}};
    grid_begin(grid, arena, columns, N(columns));
    for (uint32_t i = 0; i < e->n_types; i++) {
        const roof_epoch_type *t = &e->types[i];
        grid_add(grid, t->type, NULL);
        grid_printf(grid, "%u", t->n);
        add_number(grid, t->total_s, 1e3, 3);
        add_number(grid, t->time_share_ratio, 100, 1);
        add_number(grid, t->outside_core_s, 1e3, 3);
        add_number(grid, t->outside_core_s / t->n, 1e6, 1);
    }
}

static void add_flow(text_grid *grid, const roof_flow *f)
{
    grid_add(grid, f->name, NULL);
    add_number(grid, known_count(f->read_bytes), 1e-3, 1);
    add_number(grid, known_count(f->write_bytes), 1e-3, 1);
    add_number(grid, f->peak_bytes_per_s, 1e-6, 2);
    add_number(grid, f->average_bytes_per_s, 1e-6, 2);
    add_number(grid, f->use_ratio, 100, 1);
}

static bool flows(const roof_flow *f)
{
    return f->read_bytes != ROOF_UNKNOWN || f->write_bytes != ROOF_UNKNOWN;
}

void view_epoch_flows(const roof_epochs *e, text_grid *grid, roof_arena *arena)
{
    static const grid_column columns[] = {
        {"memory or bus", "", false, true, false, 0}, {"read", "[kB]", true, false, false, 0},
        {"written", "[kB]", true, false, false, 0},   {"peak", "[MB/s]", true, false, false, 0},
        {"average", "[MB/s]", true, false, false, 0}, {"of its rate", "[%]", true, false, false, 1}};
    const roof_measured_epoch *t = &e->total;
    grid_begin(grid, arena, columns, N(columns));
    for (uint32_t i = 0; i < t->n_pools; i++)
        add_flow(grid, &t->pools[i]);
    if (t->n_pools > 1)
        add_flow(grid, &t->all_pools);
    for (int i = 0; i < ROOF_BUS_INTERFACES; i++)
        if (flows(&t->buses[i]))
            add_flow(grid, &t->buses[i]);
    if (flows(&t->all_buses))
        add_flow(grid, &t->all_buses);
}

static void add_epoch(text_grid *grid, const roof_epochs *all, const roof_measured_epoch *e)
{
    grid_add(grid, e->name, NULL);
    grid_add(grid, e->type ? e->type : "", NULL);
    add_number(grid, e->total_s, 1e6, 1);
    add_number(grid, e->time_share_ratio, 100, 1);
    for (int phase = 0; phase < ROOF_EPOCH_PHASES; phase++)
        add_number(grid, known_count(e->mcu_cycles[phase]) / all->mcu_hz, 1e6, 1);
    add_number(grid, e->core_s * all->npu_hz, 1e-3, 1);
    add_number(grid, known_count(e->vendor_cycles), 1e-3, 1);
    add_error(grid, e->vendor_error_ratio);
    add_number(grid, e->compute_ratio, 100, 2);
    add_number(grid, e->core_compute_ratio, 100, 2);
    add_number(grid, e->ideal_ops_per_s, 1e-9, 1);
    add_number(grid, e->core_ops_per_s, 1e-9, 1);
    add_number(grid, e->measured_ops_per_s, 1e-9, 1);
    add_number(grid, e->all_buses.peak_bytes_per_s, 1e-9, 2);
    add_number(grid, e->busiest_stream_ratio, 100, 1);
    if (e->nearest)
        grid_printf(grid, "%s %.0f %%", e->nearest, 100 * e->nearest_ratio);
    else
        grid_add(grid, "", NULL);
}

static int longer_first(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Epochs from this time on are shown. */
static double shortest_of(const roof_epochs *e, uint32_t most, roof_arena *arena)
{
    double *times = most && e->n_rows > most ? NEW_ARRAY(arena, double, e->n_rows) : NULL;
    if (!times)
        return -1;
    for (uint32_t i = 0; i < e->n_rows; i++)
        times[i] = isnan(e->rows[i].total_s) ? 0 : e->rows[i].total_s;
    qsort(times, e->n_rows, sizeof *times, longer_first);
    return times[most - 1];
}

uint32_t view_epochs(const roof_epochs *e, uint32_t most, text_grid *grid, roof_arena *arena)
{
    static const grid_column columns[] = {
        {"epoch", "", false, true, false, 0},          {"type", "", false, false, false, 2},
        {"time", "[us]", true, false, false, 0},       {"share", "[%]", true, false, false, 4},
        {"pre", "[us]", true, false, false, 3},        {"core", "[us]", true, false, false, 1},
        {"post", "[us]", true, false, false, 3},       {"core", "[kcyc]", true, false, false, 0},
        {"compiler", "[kcyc]", true, false, false, 1}, {"error", "[%]", true, false, false, 1},
        {"compute", "[%]", true, false, false, 2},     {"of core", "[%]", true, false, false, 1},
        {"ideal", "[GOPS]", true, false, false, 5},    {"core", "[GOPS]", true, false, false, 6},
        {"measured", "[GOPS]", true, false, false, 5}, {"bus", "[GB/s]", true, false, false, 4},
        {"stream", "[%]", true, false, false, 7},      {"nearest its peak", "", false, false, true, 1}};
    double from = shortest_of(e, most, arena);
    uint32_t shown = 0, limit = most ? most : e->n_rows;
    grid_begin(grid, arena, columns, N(columns));
    for (uint32_t i = 0; i < e->n_rows && shown < limit; i++)
        if (!(e->rows[i].total_s < from)) {
            add_epoch(grid, e, &e->rows[i]);
            shown++;
        }
    return e->n_rows - shown;
}
