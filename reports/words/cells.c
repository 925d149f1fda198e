#include "reports/words/cells.h"
#include "core/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- columns ------------------------------------------------------------------------------------------ */

enum {
    INDEX,
    NAME,
    TYPE,
    SHAPE,
    TIMES,
    WORK,
    BYTES,
    IDEAL,
    VENDOR,
    PREDICTED,
    SHARE,
    USE,
    INTENSITY,
    ALONE,
    PATH,
    WAITS,
    BOUND,
    BAR,
    ENGINES
};
enum { MOST_COLUMNS = ENGINES + ROOF_MAX_ENGINES, ROOM_FOR_NAMES = 22, LONGEST_TYPE = 14, BOLD_ROWS = 3 };

static const grid_column columns_of_layers[ENGINES] = {
    [INDEX] = {"#", .kind = COLUMN_NUMBER},
    [NAME] = {"layer", .kind = COLUMN_NAME, .least = ROOM_FOR_NAMES},
    [TYPE] = {"type", .rank = 5, .most = LONGEST_TYPE},
    [SHAPE] = {"shape", "HxWxC", .rank = 2},
    [TIMES] = {"times", .kind = COLUMN_NUMBER}, /* the others are of one execution */
    [WORK] = {"MACs", "[M]", .kind = COLUMN_NUMBER, .rank = 1},
    [BYTES] = {"DDR", "[kB]", .kind = COLUMN_NUMBER, .rank = 1},
    [IDEAL] = {"ideal", "[us]", .kind = COLUMN_NUMBER},
    [VENDOR] = {"compiler", "[us]", .kind = COLUMN_NUMBER},
    [PREDICTED] = {"predicted", "[us]", .kind = COLUMN_NUMBER},
    [SHARE] = {"share", "[%]", .kind = COLUMN_NUMBER},
    [USE] = {"MAC use", "[%]", .kind = COLUMN_NUMBER, .rank = 6},
    [INTENSITY] = {"intensity", "[op/B]", .kind = COLUMN_NUMBER, .rank = 3},
    [ALONE] = {"alone", "[us]", .kind = COLUMN_NUMBER, .rank = 6},
    [PATH] = {"path", "[%]", .kind = COLUMN_NUMBER, .rank = 2}, /* share of the critical path */
    [WAITS] = {"waits", "[us]", .kind = COLUMN_NUMBER, .rank = 7},
    [BOUND] = {.title = "bound"},
    [BAR] = {"", .rank = 3},
};

static const uint8_t order_of_terminals[] = {INDEX,   NAME,      TYPE,   SHAPE,     TIMES, WORK, BYTES,
                                             ENGINES, IDEAL,     VENDOR, PREDICTED, SHARE, PATH, WAITS,
                                             USE,     INTENSITY, ALONE,  BOUND,     BAR};
static const uint8_t order_of_pages[] = {INDEX,     NAME,      TYPE,  TIMES,   BOUND, IDEAL,
                                         VENDOR,    PREDICTED, SHARE, PATH,    WAITS, USE,
                                         INTENSITY, WORK,      BYTES, ENGINES, ALONE, SHAPE};

/* An engine that no layer uses would be a column of dashes. */
static bool engine_is_used(const roof_prediction *p, uint32_t e)
{
    uint64_t cycles = p->total.deployed.cycles[e];
    return cycles != 0 && cycles != ROOF_UNKNOWN;
}

/* Which engine columns go first when room is short: those that never bind, then those that hardly do. */
static uint32_t engine_rank(const roof_prediction *p, uint32_t e)
{
    double bound = 0, all = (double)p->total.deployed.ideal_cycles;
    for (uint32_t i = 0; i < p->n_layers; i++)
        if (p->layers[i].deployed.bound == e)
            bound += roof_layer_ideal_cycles(&p->layers[i]);
    if (e == p->total.deployed.bound)
        return 0;
    return bound == 0 ? 8 : bound < 0.05 * all ? 5 : 2;
}

typedef struct layers {
    const roof_prediction *p;
    const layers_view *view;
    uint8_t shown[MOST_COLUMNS]; /* which columns, in order */
    size_t n;
    uint32_t largest[BOLD_ROWS], n_largest;
    cell_grid *grid;
} layers;

static bool has_expected_path(const roof_prediction *p)
{
    bool any = false;
    for (uint32_t i = 0; i < p->n_layers && !any; i++)
        any = p->layers[i].schedule.expected_path_s > 0;
    return any && roof_is_expected(p);
}

/* What is expected beside the replay has no path. */
static double expected_path_s(const roof_prediction *p)
{
    double sum = 0;
    for (uint32_t i = 0; i < p->n_layers; i++)
        if (p->layers[i].schedule.expected_path_s > 0)
            sum += p->layers[i].schedule.expected_path_s;
    return sum;
}

static void add_column(layers *l, grid_column *columns, uint8_t c)
{
    const roof_prediction *p = l->p;
    if (c >= ENGINES) {
        uint32_t e = (uint32_t)c - ENGINES;
        const char *title = arena_shown(l->grid->arena, p->engines[e]);
        columns[l->n] =
            (grid_column){text_or_empty(title), "[kcyc]", .kind = COLUMN_NUMBER, .rank = engine_rank(p, e)};
    } else {
        columns[l->n] = columns_of_layers[c];
        if (p->hardware.has_pools && (c == WORK || c == BYTES))
            columns[l->n].title = c == WORK ? "ops" : "moved";
        if (c == SHARE) /* a path is of the same time, or else of the schedule */
            columns[l->n].unit = roof_is_expected(p) ? "[%pred]" : "[%ideal]";
    }
    l->shown[l->n++] = c;
}

static bool is_any_repeated(const roof_prediction *p)
{
    bool any = false;
    for (uint32_t i = 0; i < p->n_layers && !any; i++)
        any = p->layers[i].repeat > 1;
    return any;
}

static void choose_columns(layers *l, grid_column columns[MOST_COLUMNS])
{
    bool is_page = l->view->is_page, is_plan = l->p->hardware.has_pools;
    const bool hidden[ENGINES] = {
        [SHAPE] = !l->view->details,      [INTENSITY] = !l->view->details,
        [WORK] = is_plan && is_page,      [VENDOR] = !is_plan || is_page,
        [PREDICTED] = !l->p->calibration, [USE] = is_plan,
        [PATH] = !l->p->schedule.n_parts, [WAITS] = !l->view->details || !l->p->schedule.n_parts,
        [ALONE] = !l->p->total.has_alone, [BAR] = !l->view->has_bars,
        [TIMES] = !is_any_repeated(l->p)};
    const uint8_t *order = is_page ? order_of_pages : order_of_terminals;
    size_t n = is_page ? sizeof order_of_pages : sizeof order_of_terminals;
    for (size_t i = 0; i < n; i++) {
        for (uint32_t e = 0; order[i] == ENGINES && e < l->p->n_engines; e++)
            if (engine_is_used(l->p, e))
                add_column(l, columns, (uint8_t)(ENGINES + e));
        if (order[i] != ENGINES && !hidden[order[i]])
            add_column(l, columns, order[i]);
    }
}

/* --- rows --------------------------------------------------------------------------------------------- */

/* What would print as 0.0 gets another digit, so that small is not taken for nothing. */
static grid_cell small(double value)
{
    return cell_or_none(cell_spaced(value, fabs(value) < 0.05 ? 3 : 1));
}

static grid_cell ratio(double percent)
{
    return cell_or_none(cell_spaced(percent, 1));
}

static grid_cell ideal(const roof_cost *cost)
{
    return small(cost->ideal_cycles == 0 ? 0 : 1e6 * cost->ideal_s);
}

/* row NULL: of all layers. */
static double utilisation(const roof_prediction *p, const roof_layer_prediction *row)
{
    double seconds = p->total.deployed.ideal_s;
    if (row)
        return row->deployed.cycles_basis != ROOF_BASIS_NONE && row->deployed.ideal_cycles == 0
                   ? 0
                   : row->utilisation_ratio;
    return seconds > 0 ? 2.0 * known_count(p->total.array_macs) / (seconds * p->hardware.peak_ops_per_s)
                       : NAN;
}

/* Of all executions; row NULL: of all layers. */
static double share_of_time(const roof_prediction *p, const roof_layer_prediction *row)
{
    double all = roof_layer_seconds(p, NULL);
    return 100 * (row ? roof_layer_share_ratio(p, row) : isnan(all) ? NAN : all > 0 ? 1 : 0);
}

/* Of the critical path of all parts; row NULL: all of it, of which instructions that no layer owns take a part. */
static double share_of_path(const roof_prediction *p, const roof_layer_prediction *row)
{
    if (has_expected_path(p))
        return 100 * (row ? row->schedule.expected_path_s / expected_path_s(p) : 1);
    bool has_code = row && (row->executor != ROOF_BY_NOBODY || row->schedule.critical_cycles != ROOF_UNKNOWN);
    double all = 0, own = has_code ? known_count(row->schedule.critical_cycles) : 0;
    for (uint32_t i = 0; i < p->schedule.n_parts; i++)
        all += known_count(p->schedule.parts[i].scheduled_cycles);
    return all > 0 ? 100 * (row ? own : all) / all : NAN;
}

static double waits_s(const roof_prediction *p, const roof_layer_prediction *row)
{
    double cycles = row ? known_count(row->schedule.waits_cycles) : 0;
    for (uint32_t i = 0; i < p->n_layers && !row; i++)
        if (p->layers[i].schedule.waits_cycles != ROOF_UNKNOWN)
            cycles += (double)p->layers[i].schedule.waits_cycles;
    return cycles / p->hardware.clock_hz;
}

/* A bar makes the layers that matter visible without reading a number: the longest is the largest layer. */
static grid_cell bar(const layers *l, const roof_layer_prediction *row)
{
    static const char longest[] = "========";
    double full = l->n_largest ? roof_layer_seconds(l->p, &l->p->layers[l->largest[0]]) : 0;
    double own = row ? roof_layer_seconds(l->p, row) : NAN;
    if (isnan(own) || !(full > 0))
        return cell_empty;
    size_t n = (size_t)((sizeof longest - 1) * own / full + 0.5);
    return cell_text(longest + sizeof longest - 1 - n);
}

/* Colour by what binds: compute engines warm, data movement cool. Red-green is avoided. */
static cell_colour colour_of(const char *engine)
{
    static const struct {
        const char *engine;
        cell_colour colour;
    } rows[] = {{"conv", CELL_YELLOW},     {"compute", CELL_YELLOW}, {"alu", CELL_MAGENTA},
                {"eltwise", CELL_MAGENTA}, {"load", CELL_CYAN},      {"save", CELL_CYAN},
                {"memory", CELL_BLUE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].engine, engine) == 0)
            return rows[i].colour;
    return CELL_PLAIN;
}

/* Of the host, or of a plan that tells nothing. */
static bool is_empty(const roof_layer_prediction *row)
{
    return row && row->deployed.cycles_basis == ROOF_BASIS_NONE;
}

static grid_cell bound(const roof_prediction *p, const roof_layer_prediction *row, const roof_cost *cost)
{
    const char *engine = is_empty(row)              ? row->executor == ROOF_BY_HOST ? "host" : "?"
                         : cost->bound == ROOF_NONE ? "-"
                                                    : p->engines[cost->bound];
    return cell_coloured(engine, colour_of(engine));
}

static bool is_largest(const layers *l, const roof_layer_prediction *row)
{
    for (uint32_t i = 0; i < l->n_largest; i++)
        if (&l->p->layers[l->largest[i]] == row)
            return true;
    return false;
}

/* The total where row is NULL. */
static void add_row(layers *l, const roof_layer_prediction *row)
{
    const roof_prediction *p = l->p;
    const roof_cost *cost = row ? &row->deployed : &p->total.deployed;
    uint64_t vendor = row ? row->estimate.cycles : p->total.estimate.cycles;
    const char *total = row ? NULL : arena_printf(l->grid->arena, "total (%u layers)", p->total.layers);
    grid_cell cells[MOST_COLUMNS] = {
        [INDEX] = row ? cell_number(row->index, 0) : cell_empty,
        [NAME] = row ? cell_text(name_without(l->view->prefix, row->name)) : cell_label(total),
        [TYPE] = cell_text(row ? row->type : ""),
        [SHAPE] = cell_text(row ? row->shape : ""),
        [TIMES] = row ? cell_number(row->repeat, 0) : cell_empty,
        [WORK] = small((p->hardware.has_pools ? known_count(row ? row->ops_count : p->total.ops_count)
                                              : known_count(row ? row->macs : p->total.macs)) /
                       1e6),
        [BYTES] = small(known_count(roof_traffic_total(&cost->traffic)) / 1e3),
        [IDEAL] = ideal(cost),
        [VENDOR] = small(1e6 * (known_count(vendor) / p->hardware.clock_hz)),
        [PREDICTED] = small(1e6 * (row ? row->predicted_s : p->total.predicted_s)),
        [SHARE] = ratio(is_empty(row) ? NAN : share_of_time(p, row)),
        [PATH] = ratio(is_empty(row) ? NAN : share_of_path(p, row)),
        [WAITS] = small(1e6 * waits_s(p, row)),
        [USE] = ratio(100 * utilisation(p, row)),
        [INTENSITY] = ratio(row ? row->intensity_ops_per_byte : p->total.intensity_ops_per_byte),
        [ALONE] = row && !row->has_alone ? cell_empty : ideal(row ? &row->alone : &p->total.alone),
        [BOUND] = bound(p, row, cost),
        [BAR] = bar(l, row)};
    for (uint32_t e = 0; e < p->n_engines; e++)
        cells[ENGINES + e] = small(known_count(cost->cycles[e]) / 1e3);
    for (size_t i = 0; i < l->n; i++) {
        grid_cell *cell = &cells[l->shown[i]];
        if (is_largest(l, row) && !l->grid->columns[i].rank && l->shown[i] != BOUND)
            cell->colour = CELL_BOLD;
        cell->colour = l->view->has_bars ? cell->colour : CELL_PLAIN;
        grid_add(l->grid, cell, 1);
    }
}

/* So that what is expected of the rows sums up to what is expected of the whole. */
static void add_beside(layers *l)
{
    double seconds = roof_beside_layers_s(l->p);
    for (size_t i = 0; i < l->n && fabs(seconds) > 0; i++) {
        const grid_cell cell = l->shown[i] == NAME        ? cell_label("(beside the layers)")
                               : l->shown[i] == PREDICTED ? small(1e6 * seconds)
                               : l->shown[i] == SHARE     ? ratio(100 * seconds / l->p->total.predicted_s)
                                                          : cell_empty;
        grid_add(l->grid, &cell, 1);
    }
}

size_t last_rows_of(const roof_prediction *p)
{
    return fabs(roof_beside_layers_s(p)) > 0 ? 2 : 1;
}

typedef struct ranked {
    double value;
    uint32_t row;
} ranked;

static int larger_first(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    bool is_less = isnan(x->value) ? !isnan(y->value) : x->value < y->value;
    bool is_more = isnan(y->value) ? !isnan(x->value) : x->value > y->value;
    return is_less ? 1 : is_more ? -1 : x->row < y->row ? -1 : x->row > y->row;
}

const bool *mark_largest(roof_arena *arena, const double *values, uint32_t n, uint32_t most)
{
    if (!most || n <= most || !values)
        return NULL;
    ranked *rows = NEW_ARRAY(arena, ranked, n);
    bool *shown = NEW_ARRAY(arena, bool, n);
    if (!rows || !shown)
        return NULL;
    for (uint32_t i = 0; i < n; i++)
        rows[i] = (ranked){values[i], i};
    qsort(rows, n, sizeof *rows, larger_first);
    for (uint32_t i = 0; i < most; i++)
        shown[rows[i].row] = true;
    return shown;
}

uint32_t view_layers(const roof_prediction *p, const layers_view *view, cell_grid *grid, roof_arena *arena)
{
    layers l = {.p = p, .view = view, .grid = grid};
    grid_column *columns = NEW_ARRAY(arena, grid_column, MOST_COLUMNS);
    double *seconds = NEW_ARRAY(arena, double, p->n_layers);
    uint32_t left_out = 0;
    grid_begin(grid, arena, columns, 0);
    if (!columns || !seconds)
        return 0;
    for (uint32_t i = 0; i < p->n_layers; i++)
        seconds[i] = roof_layer_seconds(p, &p->layers[i]);
    const bool *shown = mark_largest(arena, seconds, p->n_layers, view->most);
    choose_columns(&l, columns);
    grid_begin(grid, arena, columns, l.n);
    grid->is_whole = !view->is_page;
    l.n_largest = largest_rows(p, l.largest, BOLD_ROWS);
    for (uint32_t i = 0; i < p->n_layers; i++) {
        if (shown && !shown[i])
            left_out++;
        else
            add_row(&l, &p->layers[i]);
    }
    add_beside(&l);
    add_row(&l, NULL);
    return left_out;
}

/* --- the schedule ------------------------------------------------------------------------------------- */

static double wait_for(const roof_schedule_engine *e, const char *other)
{
    for (uint32_t i = 0; i < e->n_waits; i++)
        if (strcmp(e->waits[i].name, other) == 0)
            return known_count(e->waits[i].cycles);
    return 0;
}

static void add_scheduled(cell_grid *grid, const roof_schedule_part *part, const roof_schedule_engine *e)
{
    enum { BESIDE = 4 };
    grid_cell cells[BESIDE + ROOF_MAX_ENGINES];
    double percent = 100 / (double)part->scheduled_cycles;
    size_t n = 0;
    cells[n++] = cell_text(e->name);
    cells[n++] = ratio(percent * known_count(e->busy_cycles) / (e->ports ? e->ports : 1));
    for (uint32_t i = 0; i < part->n_engines && i < ROOF_MAX_ENGINES; i++)
        cells[n++] = ratio(percent * wait_for(e, part->engines[i].name));
    cells[n++] = e->tail_cycles == ROOF_UNKNOWN ? cell_text("-") : ratio(percent * (double)e->tail_cycles);
    cells[n++] = ratio(percent * known_count(e->critical_cycles));
    grid_add(grid, cells, n);
}

const char *schedule_heading(const roof_prediction *p, uint32_t part, roof_arena *arena)
{
    const roof_schedule_part *one = &p->schedule.parts[part];
    double seconds = known_count(one->scheduled_cycles) / p->hardware.clock_hz;
    return p->schedule.n_parts < 2 ? NULL
                                   : text_or_empty(arena_printf(arena, "%s: at best %s", one->subgraph,
                                                                say_quantity(arena, seconds, "s")));
}

void view_schedule(const roof_prediction *p, uint32_t part, cell_grid *grid, roof_arena *arena)
{
    static const grid_column before[] = {{"engine", .rank = 0}, {"busy", "[%]", .kind = COLUMN_NUMBER}};
    static const grid_column behind[] = {{"done", "[%]", .kind = COLUMN_NUMBER},
                                         {"path", "[%]", .kind = COLUMN_NUMBER}};
    enum { BEFORE = sizeof before / sizeof *before, BEHIND = sizeof behind / sizeof *behind };
    const roof_schedule_part *one = &p->schedule.parts[part];
    uint32_t n = one->n_engines < ROOF_MAX_ENGINES ? one->n_engines : ROOF_MAX_ENGINES;
    grid_column *columns = NEW_ARRAY(arena, grid_column, BEFORE + n + BEHIND);
    grid_begin(grid, arena, columns, BEFORE + n + BEHIND);
    if (!columns)
        return;
    memcpy(columns, before, sizeof before);
    for (uint32_t i = 0; i < n; i++)
        columns[BEFORE + i] =
            (grid_column){text_or_empty(arena_printf(arena, "for %s", one->engines[i].name)), "[%]",
                          .kind = COLUMN_NUMBER, .rank = 1};
    memcpy(columns + BEFORE + n, behind, sizeof behind);
    for (uint32_t e = 0; e < n; e++)
        add_scheduled(grid, one, &one->engines[e]);
}

/* What is saved, in percent; the sum of several parts is not exact. */
static grid_cell gain(double seconds, double of_s)
{
    double saved = 1 - seconds / of_s;
    return ratio(100 * (fabs(saved) < 1e-9 ? 0 : saved));
}

static void add_what_if(const roof_prediction *p, grid_cell label, double best_s, double expected_s,
                        cell_grid *grid)
{
    const grid_cell cells[] = {label, small(1e6 * best_s), gain(best_s, roof_best_s(p)),
                               small(1e6 * expected_s), gain(expected_s, p->total.predicted_s)};
    grid_add(grid, cells, grid->n_columns);
}

void view_what_ifs(const roof_prediction *p, cell_grid *grid, roof_arena *arena)
{
    GRID_COLUMNS(columns, GRID_NAME("what if", 0), GRID_NUMBER("at best", "[us]", 0),
                 GRID_NUMBER("gain", "[% of at best]", 0), GRID_NUMBER("expected", "[us]", 0),
                 GRID_NUMBER("gain", "[% of expected]", 0));
    enum { ALL = sizeof columns / sizeof *columns, OF_EXPECTED = 2 };
    grid_begin(grid, arena, columns, isnan(p->total.predicted_s) ? ALL - OF_EXPECTED : ALL);
    for (uint32_t i = 0; i < p->schedule.n_what_ifs; i++) {
        const roof_what_if *w = &p->schedule.what_ifs[i];
        if (w->of_causes)
            continue;
        if (!grid->n_rows)
            add_what_if(p, cell_label("as it is"), roof_best_s(p), p->total.predicted_s, grid);
        add_what_if(p, cell_text(w->label), w->best_s, w->expected_s, grid);
    }
}

/* --- predictions beside each other -------------------------------------------------------------------- */

void view_predictions(const roof_prediction *const *predictions, uint32_t n, cell_grid *grid,
                      roof_arena *arena)
{
    GRID_COLUMNS(columns, GRID_NAME("model", 0), GRID_TEXT("hardware", 0), GRID_NUMBER("at best", "[ms]", 0),
                 GRID_NUMBER("ideal", "[ms]", 1), GRID_NUMBER("predicted", "[ms]", 1),
                 GRID_NUMBER("inferences", "[/s]", 1), GRID_NUMBER("work", "[Gop]", 1),
                 GRID_NUMBER("DDR", "[MB]", 1), GRID_NUMBER("intensity", "[op/B]", 1),
                 GRID_NUMBER("layers", NULL, 1), GRID_TEXT("bound", 0), GRID_NUMBER("findings", NULL, 1));
    grid_begin(grid, arena, columns, sizeof columns / sizeof *columns);
    for (uint32_t i = 0; i < n; i++) {
        const roof_prediction *p = predictions[i];
        const roof_cost *cost = &p->total.deployed;
        GRID_ADD(grid, cell_text(p->model.name), cell_text(p->hardware.id),
                 cell_number(roof_best_s(p) / 1e-3, 3), cell_number(cost->ideal_s / 1e-3, 3),
                 cell_number(p->calibration ? p->total.predicted_s / 1e-3 : NAN, 3),
                 cell_number(p->total.inferences_per_s, 0),
                 cell_number(known_count(p->total.ops_count) / 1e9, 3),
                 cell_number(known_count(roof_traffic_total(&cost->traffic)) / 1e6, 3),
                 cell_number(p->total.intensity_ops_per_byte, 1), cell_number(p->total.layers, 0),
                 cell_text(cost->bound == ROOF_NONE ? "" : p->engines[cost->bound]),
                 cell_number(p->n_findings, 0));
    }
}

static void add_alternative(cell_grid *grid, const roof_alternative *a, double base_s)
{
    GRID_ADD(grid, cell_text(a->label), cell_number(a->ideal_s / 1e-3, 3), cell_number(a->yield_per_s, 1),
             cell_number(known_count(a->bytes) / 1e6, 3), cell_number(a->ideal_s / base_s, 2));
}

void view_alternatives(const roof_prediction *p, cell_grid *grid, roof_arena *arena)
{
    GRID_COLUMNS(known, GRID_NAME("what if", 0), GRID_NUMBER("ideal", "[ms]", 0),
                 GRID_NUMBER("inferences", "[/s]", 0), GRID_NUMBER("DDR", "[MB]", 0),
                 GRID_NUMBER("time", "[x]", 0));
    enum { N = sizeof known / sizeof *known, TIME = 1, RATE = 2 };
    const roof_yield *yield = &p->total.yield;
    const roof_alternative self = {"as it is", p->total.deployed.ideal_s, roof_yield_per_s(p),
                                   roof_traffic_total(&p->total.deployed.traffic), false};
    grid_column *columns = NEW_ARRAY(arena, grid_column, N);
    if (columns) {
        memcpy(columns, known, sizeof known);
        columns[TIME].title = yield->time ? yield->time : columns[TIME].title;
        if (yield->unit)
            columns[RATE].title = text_or_empty(arena_printf(arena, "%ss", yield->unit));
    }
    grid_begin(grid, arena, columns ? columns : known, N);
    add_alternative(grid, &self, self.ideal_s);
    for (uint32_t i = 0; i < p->n_alternatives; i++)
        add_alternative(grid, &p->alternatives[i], self.ideal_s);
}

/* --- names -------------------------------------------------------------------------------------------- */

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
        double seconds = roof_layer_seconds(p, &p->layers[i]);
        if (!(seconds > 0))
            continue;
        uint32_t place = found;
        while (place && roof_layer_seconds(p, &p->layers[rows[place - 1]]) < seconds)
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

text_paper paper_of(const roof_render_options *options, textbuf *out, bool is_markdown)
{
    enum { LEAST_WIDTH = 20 };
    size_t width = options->width ? options->width : PAPER_DEFAULT_WIDTH;
    return (text_paper){.out = out,
                        .width = width < LEAST_WIDTH ? LEAST_WIDTH : width,
                        .is_markdown = is_markdown,
                        .has_colour = options->colour && !is_markdown,
                        .is_ascii = options->ascii};
}
