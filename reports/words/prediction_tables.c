#include "reports/words/prediction_tables.h"

/* --- columns of layers -------------------------------------------------------------------------------- */

enum {
#define COLUMN(name, ...) name,
#include "reports/words/layer_columns.def"
#undef COLUMN
    LAYER_COLUMNS
};
enum {
    MOST_COLUMNS = LAYER_COLUMNS - 1 + ROOF_MAX_ENGINES,
    ROOM_FOR_NAMES = 22,
    LONGEST_TYPE = 14,
    BOLD_ROWS = 3
};

#define SMALL          .kind = COLUMN_NUMBER, .format = FORMAT_SMALL, .digits = 1
#define PLOTTED(over_) .kind = COLUMN_NUMBER, .rank = 2, .over = (over_), .digits = 1, .is_of_screens = true
#define SHARE_OF_ALL   .kind = COLUMN_NUMBER, .format = FORMAT_SPACED, .digits = 1

static const grid_column columns_of_layers[LAYER_COLUMNS] = {
#define COLUMN(name, ...) [name] = __VA_ARGS__,
#include "reports/words/layer_columns.def"
#undef COLUMN
};

static const uint8_t order_of_terminals[] = {INDEX, NAME,    TYPE,      SHAPE,  TIMES,     MACS,  OPS,
                                             BYTES, ENGINES, IDEAL,     VENDOR, PREDICTED, SHARE, PATH,
                                             WAITS, USE,     INTENSITY, ALONE,  BOUND,     MARK,  BAR};
static const uint8_t order_of_pages[] = {INDEX,     NAME,    TYPE,  TIMES, BOUND, IDEAL,     VENDOR,
                                         PREDICTED, SHARE,   PATH,  WAITS, USE,   INTENSITY, MACS,
                                         BYTES,     ENGINES, ALONE, SHAPE, RATE};

/* Facts that the rows of a prediction have in common. */
typedef struct layer_rows {
    const roof_prediction *p;
    const layers_view *view;
    bool is_expected;           /* times are those to expect, else ideal ones */
    const double *seconds;      /* of each layer */
    double all_s;               /* the time of all layers, of which shares are */
    double path_s, path_cycles; /* the expected critical path, 0: it is unknown; that of the schedule */
    uint32_t largest[BOLD_ROWS], n_largest;
} layer_rows;

/* The time of each layer, expected or else ideal; NULL without memory. */
static const double *seconds_of_layers(const roof_prediction *p, roof_arena *arena)
{
    double *seconds = NEW_ARRAY(arena, double, p->n_layers);
    for (uint32_t i = 0; seconds && i < p->n_layers; i++)
        seconds[i] = roof_layer_seconds(p, &p->layers[i]);
    return seconds;
}

static uint32_t rank_layers(const double *seconds, uint32_t n_layers, uint32_t *rows, uint32_t n)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < n_layers; i++) {
        uint32_t place = found;
        while (place && seconds[rows[place - 1]] < seconds[i])
            place--;
        if (place == n || !(seconds[i] > 0))
            continue;
        if (found < n)
            found++;
        memmove(&rows[place + 1], &rows[place], (found - 1 - place) * sizeof *rows);
        rows[place] = i;
    }
    return found;
}

uint32_t prediction_largest_layers(const roof_prediction *p, uint32_t *rows, uint32_t n, roof_arena *arena)
{
    const double *seconds = seconds_of_layers(p, arena);
    return seconds ? rank_layers(seconds, p->n_layers, rows, n) : 0;
}

static size_t place_of(const roof_prediction *p, uint8_t column)
{
    return column > ENGINES ? column - 1U + p->n_engines : column;
}

/* Rank by which engine columns go when room is short: engines that never limit, then those that rarely do. */
static uint32_t engine_rank(const roof_prediction *p, uint32_t e)
{
    double bound = 0, all = (double)p->total.deployed.ideal_cycles;
    for (uint32_t i = 0; i < p->n_layers; i++)
        if (p->layers[i].deployed.bound == e)
            bound += roof_layer_ideal_cycles(&p->layers[i]);
    return e == p->total.deployed.bound ? 0 : bound == 0 ? 8 : bound < 0.05 * all ? 5 : 2;
}

/* All columns, of which people see those that say something. */
static void begin_layers(const layer_rows *v, cell_grid *grid, roof_arena *arena)
{
    const roof_prediction *p = v->p;
    const layers_view *view = v->view;
    size_t n = LAYER_COLUMNS - 1U + p->n_engines;
    grid_column *columns = NEW_ARRAY(arena, grid_column, MOST_COLUMNS);
    bool is_plan = p->hardware.has_pools, is_any_repeated = false;
    for (uint8_t c = 0; columns && c < LAYER_COLUMNS; c++)
        if (c != ENGINES)
            columns[place_of(p, c)] = columns_of_layers[c];
    for (uint32_t e = 0; columns && e < p->n_engines; e++)
        columns[ENGINES + e] = (grid_column){text_or_empty(arena_shown(arena, p->engines[e])),
                                             "[kcyc]",
                                             .csv = say_printf(arena, "%s_cycles", p->engines[e]),
                                             SMALL,
                                             .over = 1e3,
                                             .rank = engine_rank(p, e)};
    if (columns && is_plan)
        columns[BYTES].title = "moved";
    if (columns) /* a path is of the same time, or else of the schedule */
        columns[place_of(p, SHARE)].unit = v->is_expected ? "[%pred]" : "[%ideal]";
    if (view->csv) {
        grid_begin_csv(grid, arena, columns, columns ? place_of(p, SHARE_OF) + 1 : 0, view->csv);
        return;
    }
    grid_begin(grid, arena, columns, n);
    grid->is_whole = !view->is_page;
    grid->what = "layer";
    grid->largest = v->is_expected ? "predicted" : "ideal";
    grid->n_shown = 0;
    for (uint32_t i = 0; i < p->n_layers && !is_any_repeated; i++)
        is_any_repeated = p->layers[i].repeat > 1;
    const bool is_hidden[LAYER_COLUMNS] = {[SHAPE] = !view->details,
                                           [INTENSITY] = !view->details,
                                           [MACS] = is_plan,
                                           [OPS] = !is_plan,
                                           [VENDOR] = !is_plan || view->is_page,
                                           [PREDICTED] = !p->calibration,
                                           [USE] = is_plan,
                                           [PATH] = !p->schedule.n_parts,
                                           [WAITS] = !view->details || !p->schedule.n_parts,
                                           [ALONE] = !p->total.has_alone,
                                           [MARK] = !view->mark,
                                           [BAR] = !view->has_bars,
                                           [TIMES] = !is_any_repeated};
    const uint8_t *order = view->is_page ? order_of_pages : order_of_terminals;
    for (size_t i = 0; columns && i < (view->is_page ? N_OF(order_of_pages) : N_OF(order_of_terminals));
         i++) {
        for (uint32_t e = 0; order[i] == ENGINES && e < p->n_engines; e++) {
            uint64_t cycles = p->total.deployed.cycles[e];
            if (cycles != 0 && cycles != ROOF_UNKNOWN) /* else a column of dashes */
                grid->shown[grid->n_shown++] = (uint8_t)(ENGINES + e);
        }
        if (order[i] != ENGINES && !is_hidden[order[i]])
            grid->shown[grid->n_shown++] = (uint8_t)place_of(p, order[i]);
    }
}

/* --- rows --------------------------------------------------------------------------------------------- */

static double ideal_s(const roof_cost *cost)
{
    return cost->ideal_cycles == 0 ? 0 : cost->ideal_s;
}

/* Colour of the bottleneck: compute engines warm, data movement cool. Red-green is avoided. */
static grid_cell bound_cell(const layer_rows *v, const char *engine)
{
    static const struct {
        const char *engine;
        cell_colour colour;
    } rows[] = {{"conv", CELL_YELLOW},     {"compute", CELL_YELLOW}, {"alu", CELL_MAGENTA},
                {"eltwise", CELL_MAGENTA}, {"load", CELL_CYAN},      {"save", CELL_CYAN},
                {"memory", CELL_BLUE}};
    for (size_t i = 0; i < N_OF(rows); i++)
        if (v->view->has_bars && strcmp(rows[i].engine, engine) == 0)
            return cell_coloured(engine, rows[i].colour);
    return cell_text(engine);
}

static const char *basis_word(roof_basis basis, const char *formula)
{
    return basis == ROOF_BASIS_CODE      ? "mc_code"
           : basis == ROOF_BASIS_FILE    ? "file"
           : basis == ROOF_BASIS_FORMULA ? formula
                                         : "";
}

static const char *engine_name(const roof_prediction *p, uint32_t e, const char *none)
{
    return e == ROOF_NONE ? none : p->engines[e];
}

/* A bar makes the layers that matter visible without reading a number: the longest is the largest layer. */
static grid_cell bar(double seconds, double largest_s)
{
    static const char longest[] = "========";
    size_t n = (size_t)((sizeof longest - 1) * seconds / largest_s + 0.5);
    return cell_text(longest + sizeof longest - 1 - n);
}

static void add_layer(const layer_rows *v, uint32_t layer, cell_grid *grid)
{
    const roof_prediction *p = v->p;
    const roof_layer_prediction *l = &p->layers[layer];
    const roof_cost *c = &l->deployed;
    const roof_traffic *t = &c->traffic;
    /* the CPU's layers have no basis, and those of a plan that tells nothing */
    const bool is_empty = c->cycles_basis == ROOF_BASIS_NONE, is_csv = grid->csv, has_alone = l->has_alone;
    const double clock_hz = p->hardware.clock_hz, seconds = v->seconds[layer];
    const double share = is_empty ? NAN : roof_layer_share_ratio(p, l);
    const uint64_t moved_bytes = roof_traffic_total(t);
    const uint64_t alone_bytes = has_alone ? roof_traffic_total(&l->alone.traffic) : ROOF_UNKNOWN;
    const double vendor_s = known_count(l->estimate.cycles) / clock_hz;
    const double waits_s = known_count(l->schedule.waits_cycles) / clock_hz;
    /* of the critical path of all parts, of which instructions that no layer owns take a part as well */
    const bool has_code = l->executor != ROOF_BY_NOBODY || l->schedule.critical_cycles != ROOF_UNKNOWN;
    const double path = is_empty        ? NAN
                        : v->path_s > 0 ? l->schedule.expected_path_s / v->path_s
                        : v->path_cycles > 0
                            ? (has_code ? known_count(l->schedule.critical_cycles) : 0) / v->path_cycles
                            : NAN;
    const char *name = prediction_name_without(v->view->prefix, l->name), *roof = engine_name(p, l->roof, "");
    const double whole_s = is_csv ? c->ideal_s : ideal_s(c),
                 alone_s = is_csv ? l->alone.ideal_s : ideal_s(&l->alone);
    const char *bytes_source = basis_word(c->bytes_basis, "tensors");
    const char *cycles_source = basis_word(c->cycles_basis, "formula"), *bound = engine_name(p, c->bound, "");
    GRID_ADD(grid, cell_number(l->index, 0), cell_text(name), cell_text(l->subgraph), cell_text(l->type),
             cell_text(l->device), cell_text(l->shape), cell_count(l->macs), cell_count(l->ops_count),
             cell_count(l->workload_ops), cell_count(l->stored_workload_ops), cell_count(t->weights_bytes),
             cell_count(t->input_bytes), cell_count(t->output_bytes), cell_count(t->instruction_bytes),
             cell_count(moved_bytes), cell_text(bytes_source));
    for (uint32_t e = 0; e < p->n_engines; e++)
        GRID_ADD(grid, cell_count(c->cycles[e]));
    GRID_ADD(grid, cell_count(c->ideal_cycles), cell_text(cycles_source), cell_text(bound),
             cell_value(whole_s), cell_value(v->all_s > 0 ? seconds / v->all_s : NAN),
             cell_value(!is_csv && !is_empty && c->ideal_cycles == 0 ? 0 : l->utilisation_ratio),
             cell_value(l->intensity_ops_per_byte), cell_value(l->attainable_ops_per_s),
             cell_count(alone_bytes), has_alone ? cell_value(alone_s) : cell_empty, cell_count(l->array_macs),
             cell_text(roof), cell_count(l->roof_ops_count), cell_number(l->repeat, 0),
             cell_value(l->predicted_s), cell_text(v->is_expected ? "predicted" : "ideal"));
    if (is_csv)
        return;
    const char *binds = c->bound == ROOF_NONE ? "-" : bound;
    if (is_empty)
        binds = l->executor == ROOF_BY_HOST ? "host" : "?";
    bool has_bar = v->n_largest && !isnan(seconds);
    GRID_ADD(grid, cell_value(vendor_s), cell_value(share), cell_value(path), cell_value(waits_s),
             bound_cell(v, binds),
             v->view->mark && v->view->marked_layer == layer ? cell_text(v->view->mark) : cell_text(""),
             has_bar ? bar(seconds, v->seconds[v->largest[0]]) : cell_empty,
             cell_value(c->ideal_s > 0 ? known_count(l->roof_ops_count) / c->ideal_s : (double)NAN));
    for (uint32_t i = 0; i < v->n_largest && grid->n_rows; i++)
        for (size_t k = 0; v->largest[i] == layer && k < grid->n_shown; k++) {
            size_t column = grid->shown[k];
            if (!grid->columns[column].rank && column != place_of(p, BOUND))
                grid->rows[grid->n_rows - 1][column].colour = CELL_BOLD;
        }
}

/* cells: as in the enumeration; engines: NULL for none. */
static void add_sum(const grid_cell cells[LAYER_COLUMNS], const uint64_t *engines, uint32_t n_engines,
                    cell_grid *grid)
{
    grid_add(grid, cells, ENGINES);
    for (uint32_t e = 0; e < n_engines; e++)
        GRID_ADD(grid, engines ? cell_count(engines[e]) : cell_empty);
    grid_add(grid, cells + ENGINES + 1, LAYER_COLUMNS - ENGINES - 1);
    grid->n_last++;
}

/* Adds the time expected beside the layers, so that the rows sum up to the whole, and the total. */
static void add_sums(const layer_rows *v, cell_grid *grid)
{
    const roof_prediction *p = v->p;
    const roof_cost *cost = &p->total.deployed;
    const uint64_t moved_bytes = roof_traffic_total(&cost->traffic);
    const double beside_s = roof_beside_layers_s(p), clock_hz = p->hardware.clock_hz;
    const double vendor_s = known_count(p->total.estimate.cycles) / clock_hz;
    const double use = 2.0 * known_count(p->total.array_macs) / (cost->ideal_s * p->hardware.peak_ops_per_s);
    double waits = 0;
    for (uint32_t i = 0; i < p->n_layers; i++)
        if (p->layers[i].schedule.waits_cycles != ROOF_UNKNOWN)
            waits += (double)p->layers[i].schedule.waits_cycles;
    const grid_cell beside[LAYER_COLUMNS] = {[NAME] = cell_label("(beside the layers)"),
                                             [PREDICTED] = cell_value(beside_s),
                                             [SHARE] = cell_value(beside_s / p->total.predicted_s)};
    if (fabs(beside_s) > 0)
        add_sum(beside, NULL, p->n_engines, grid);
    const grid_cell total[LAYER_COLUMNS] = {
        [NAME] = cell_label(arena_printf(grid->arena, "total (%u layers)", p->total.layers)),
        [TYPE] = cell_text(""),
        [SHAPE] = cell_text(""),
        [MACS] = cell_count(p->total.macs),
        [OPS] = cell_count(p->total.ops_count),
        [BYTES] = cell_count(moved_bytes),
        [IDEAL] = cell_value(ideal_s(cost)),
        [VENDOR] = cell_value(vendor_s),
        [PREDICTED] = cell_value(p->total.predicted_s),
        [SHARE] = cell_value(isnan(v->all_s) ? NAN : v->all_s > 0),
        [PATH] = cell_value(v->path_s > 0 || v->path_cycles > 0 ? 1 : NAN),
        [WAITS] = cell_value(waits / clock_hz),
        [USE] = cell_value(cost->ideal_s > 0 ? use : NAN),
        [INTENSITY] = cell_value(p->total.intensity_ops_per_byte),
        [ALONE] = cell_value(ideal_s(&p->total.alone)),
        [BOUND] = bound_cell(v, engine_name(p, cost->bound, "-")),
        [MARK] = cell_text("")};
    add_sum(total, cost->cycles, p->n_engines, grid);
}

void prediction_view_layers(const roof_prediction *p, const layers_view *view, cell_grid *grid,
                            roof_arena *arena)
{
    const double *seconds = seconds_of_layers(p, arena);
    layer_rows v = {.p = p,
                    .view = view,
                    .is_expected = !roof_answer_is_bound(roof_rows_kind(p)),
                    .seconds = seconds,
                    .all_s = roof_layer_seconds(p, NULL)};
    for (uint32_t i = 0; v.is_expected && i < p->n_layers; i++)
        if (p->layers[i].schedule.expected_path_s > 0) /* what is expected beside the replay has no path */
            v.path_s += p->layers[i].schedule.expected_path_s;
    for (uint32_t i = 0; i < p->schedule.n_parts; i++)
        v.path_cycles += known_count(p->schedule.parts[i].scheduled_cycles);
    v.n_largest = view->has_bars && seconds ? rank_layers(seconds, p->n_layers, v.largest, BOLD_ROWS) : 0;
    begin_layers(&v, grid, arena);
    if (view->is_kept)
        grid->write = NULL;
    const bool *shown = grid_choose(grid, seconds, sizeof *seconds, p->n_layers, view->most);
    for (uint32_t i = 0; seconds && i < p->n_layers; i++)
        if (!shown || shown[i])
            add_layer(&v, i, grid);
    if (!view->csv)
        add_sums(&v, grid);
}

/* A value that would print as 0.0 gets more digits, so that small is not taken for nothing. */
static grid_cell small(double value)
{
    return cell_or_none(cell_spaced(value, fabs(value) < 0.05 ? 3 : 1));
}

static grid_cell ratio(double percent)
{
    return cell_or_none(cell_spaced(percent, 1));
}

/* --- the schedule ------------------------------------------------------------------------------------- */

const char *prediction_schedule_heading(const roof_prediction *p, uint32_t part, roof_arena *arena)
{
    const roof_schedule_part *one = &p->schedule.parts[part];
    double seconds = known_count(one->scheduled_cycles) / p->hardware.clock_hz;
    return p->schedule.n_parts < 2
               ? NULL
               : say_printf(arena, "%s: bound %s", one->subgraph, say_quantity(arena, seconds, "s"));
}

void prediction_view_schedule(const roof_prediction *p, uint32_t part, cell_grid *grid, roof_arena *arena)
{
    static const grid_column before[] = {{"engine", .rank = 0}, {"busy", "[%]", .kind = COLUMN_NUMBER}};
    static const grid_column behind[] = {{"done", "[%]", .kind = COLUMN_NUMBER},
                                         {"path", "[%]", .kind = COLUMN_NUMBER}};
    enum { BEFORE = N_OF(before), BEHIND = N_OF(behind) };
    const roof_schedule_part *one = &p->schedule.parts[part];
    uint32_t n = one->n_engines < ROOF_MAX_ENGINES ? one->n_engines : ROOF_MAX_ENGINES;
    grid_column *columns = NEW_ARRAY(arena, grid_column, BEFORE + n + BEHIND);
    if (!columns) {
        grid_begin(grid, arena, NULL, 0);
        return;
    }
    memcpy(columns, before, sizeof before);
    for (uint32_t i = 0; i < n; i++)
        columns[BEFORE + i] = (grid_column){say_printf(arena, "for %s", one->engines[i].name), "[%]",
                                            .kind = COLUMN_NUMBER, .rank = 1};
    memcpy(columns + BEFORE + n, behind, sizeof behind);
    grid_begin(grid, arena, columns, BEFORE + n + BEHIND);
    const double percent = 100 / (double)one->scheduled_cycles;
    FOR_EACH(const roof_schedule_engine, e, one->engines, n) {
        GRID_ADD(grid, cell_text(e->name),
                 ratio(percent * known_count(e->busy_cycles) / (e->ports ? e->ports : 1)));
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t at = NAMED_AT(e->waits, e->n_waits, name, one->engines[i].name);
            GRID_ADD(grid, ratio(at < e->n_waits ? percent * known_count(e->waits[at].cycles) : 0));
        }
        GRID_ADD(grid,
                 e->tail_cycles == ROOF_UNKNOWN ? cell_text("-") : ratio(percent * (double)e->tail_cycles),
                 ratio(percent * known_count(e->critical_cycles)));
    }
}

/* The saved part in percent; the sum of several parts is not exact. */
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

void prediction_view_what_ifs(const roof_prediction *p, cell_grid *grid, roof_arena *arena)
{
    GRID_COLUMNS(columns, GRID_NAME("what if", 0), GRID_NUMBER("at best", "[us]", 0),
                 GRID_NUMBER("gain", "[% of at best]", 0), GRID_NUMBER("expected", "[us]", 0),
                 GRID_NUMBER("gain", "[% of expected]", 0));
    enum { ALL = N_OF(columns), OF_EXPECTED = 2 };
    grid_begin(grid, arena, columns, isnan(p->total.predicted_s) ? ALL - OF_EXPECTED : ALL);
    FOR_EACH(const roof_what_if, w, p->schedule.what_ifs, p->schedule.n_what_ifs) {
        if (w->of_causes)
            continue;
        if (!grid->n_rows)
            add_what_if(p, cell_label("as it is"), roof_best_s(p), p->total.predicted_s, grid);
        add_what_if(p, cell_text(w->label), w->best_s, w->expected_s, grid);
    }
}

/* "3 + 3 + 2" */
static const char *list_cores(const roof_load_point *x, roof_arena *arena)
{
    enum { MOST_SHOWN = 8 };
    const char *list = "";
    for (uint32_t i = 0; i < x->n_cores && i < MOST_SHOWN; i++)
        list = say_joined(arena, list, " + ", "%u", x->threads_on_core[i]);
    return x->n_cores > MOST_SHOWN ? say_printf(arena, "%s ...", list) : list;
}

void prediction_view_load(const roof_prediction *p, cell_grid *grid, roof_arena *arena)
{
    GRID_COLUMNS(columns, GRID_NUMBER("threads", NULL, 0), GRID_TEXT("on cores", 3),
                 GRID_NUMBER("busy", "[cores]", 2), GRID_NUMBER("frames", "[/s]", 0), GRID_TEXT("range", 1),
                 GRID_SCALED("latency", "[ms]", 0, .times = 1e3, .digits = 2), GRID_TEXT("limit", 0));
    enum { ON_CORES = 1 };
    const roof_throughput *t = &p->throughput;
    grid_begin(grid, arena, columns, N_OF(columns));
    FOR_EACH(const roof_load_point, x, t->points, t->n_points) {
        const int digits = x->fps < 10 ? 2 : 1;
        GRID_ADD(grid, cell_count(x->threads), cell_text(x->n_cores > ON_CORES ? list_cores(x, arena) : ""),
                 cell_number(x->busy_cores, 2), cell_spaced(x->fps, digits),
                 isnan(x->fps_low)
                     ? cell_empty
                     : cell_text(say_printf(arena, "%.*f-%.*f", digits, x->fps_low, digits, x->fps_high)),
                 cell_value(x->latency_s), cell_text(roof_load_bound_text(x->bound)));
    }
}

/* --- predictions beside each other -------------------------------------------------------------------- */

#define OF(member, from, ...)      GRID_OF(roof_alternative, member, from, __VA_ARGS__)
#define NUMBER(title_, unit_, ...) .title = (title_), .unit = (unit_), .kind = COLUMN_NUMBER, __VA_ARGS__
static const grid_column alternative_columns[] = {
    OF(label, TEXT, .title = "what if", .kind = COLUMN_NAME),
    OF(ideal_s, VALUE, NUMBER("ideal", "[ms]", .times = 1e3, .digits = 3)),
    OF(best_s, VALUE, NUMBER("at best", "[ms]", .times = 1e3, .digits = 3)),
    OF(expected_s, VALUE, NUMBER("expected", "[ms]", .times = 1e3, .digits = 3)),
    GRID_AS("low_s", roof_alternative, expected_ci95_s[0], VALUE,
            NUMBER("from", "[ms]", .rank = 1, .times = 1e3, .digits = 3)),
    GRID_AS("high_s", roof_alternative, expected_ci95_s[1], VALUE,
            NUMBER("to", "[ms]", .rank = 1, .times = 1e3, .digits = 3)),
    OF(most_per_s, VALUE, NUMBER("at most", "[/s]", .digits = 1)),
    OF(yield_per_s, VALUE, NUMBER("at most", "[/s]", .digits = 1)),
    OF(bytes, COUNT, NUMBER("DDR", "[MB]", .over = 1e6, .digits = 3)),
};

/* Times are those of the first line: the bound, and what is expected with its interval, or else the most that
 * the bound allows. A document that was written without them has the ideal time alone. */
void prediction_view_alternatives(const roof_prediction *p, cell_grid *grid, roof_arena *arena)
{
    static const char *const of_expected[] = {"expected_s", "low_s", "high_s"};
    const char *unit = p->total.yield.unit;
    const roof_pair pair = roof_pair_of(p);
    const bool has_best = p->n_alternatives && !isnan(p->alternatives->best_s),
               is_expected = has_best && pair.expected_s > 0;
    const roof_alternative self = {.label = "as it is",
                                   .ideal_s = p->total.deployed.ideal_s,
                                   .yield_per_s = roof_yield_per_s(p),
                                   .bytes = roof_traffic_total(&p->total.deployed.traffic),
                                   .best_s = pair.best_s,
                                   .most_per_s = pair.per_s,
                                   .expected_s = pair.expected_s,
                                   .expected_ci95_s = {pair.expected_ci95_s[0], pair.expected_ci95_s[1]}};
    grid_begin(grid, arena, alternative_columns, N_OF(alternative_columns));
    if (has_best && p->estimate_of)
        grid_retitle(grid, "best_s", "about", "[ms]");
    if (unit)
        grid_retitle(grid, has_best ? "most_per_s" : "yield_per_s",
                     say_printf(arena, has_best ? "%ss at most" : "%ss", unit), "[/s]");
    grid_hide(grid, has_best ? "ideal_s" : "best_s");
    grid_hide(grid, has_best ? "yield_per_s" : "most_per_s");
    if (is_expected)
        grid_hide(grid, "most_per_s");
    for (size_t i = 0; i < N_OF(of_expected) && !is_expected; i++)
        grid_hide(grid, of_expected[i]);
    for (uint32_t i = 0; i <= p->n_alternatives; i++)
        grid_add_row(grid, i ? &p->alternatives[i - 1] : &self, p);
}

/* --- names -------------------------------------------------------------------------------------------- */

name_prefixes prediction_name_prefix(const roof_prediction *p)
{
    enum { WORTH_IT = 9 };
    name_prefixes prefix = {"", 0};
    size_t names = 0;
    for (uint32_t i = 0; p && i < p->n_layers; i++) {
        const char *name = p->layers[i].name;
        if (!(!p->layers[i].is_remainder && p->layers[i].executor != ROOF_BY_HOST))
            continue;
        if (!names++)
            prefix = (name_prefixes){name, strlen(name)};
        size_t same = 0;
        while (same < prefix.length && prefix.text[same] == name[same])
            same++;
        prefix.length = same;
    }
    while (prefix.length && !strchr("_/:.", prefix.text[prefix.length - 1]))
        prefix.length--;
    if (names < 2 || prefix.length < WORTH_IT)
        prefix.length = 0;
    return prefix;
}

const char *prediction_name_without(name_prefixes prefix, const char *name)
{
    bool has_it = prefix.length && strncmp(name, prefix.text, prefix.length) == 0 && name[prefix.length];
    return has_it ? name + prefix.length : name;
}

void prediction_put_prefix(textbuf *out, name_prefixes prefix)
{
    if (!prefix.length)
        return;
    text_puts(out, "names without '");
    text_escaped(out, prefix.text, prefix.length, NULL);
    text_puts(out, "'\n");
}
