#include "reports/tables/views.h"
#include "reports/words/say.h"

/* A configuration that makes so much of the fastest is nearly as fast. */
#define NEARLY_RATIO 0.95

/* How a kind of cost is called, by axes and by sentences, and its unit; "": a number. */
static const struct {
    const char *title, *words, *unit;
} costs[ROOF_COSTS] = {
    [ROOF_COST_COMPUTE] = {"Compute, peak of all cores", "compute", "ops/s"},
    [ROOF_COST_BANDWIDTH] = {"Memory bandwidth", "bandwidth", "B/s"},
    [ROOF_COST_THREADS] = {"Threads", "threads", ""},
    [ROOF_COST_BATCH] = {"Batch", "batch", ""},
    [ROOF_COST_CLOCK] = {"Clock", "clock", "Hz"},
};

/* --- names ---------------------------------------------------------------------------------------------- */

const char *pareto_name(const roof_pareto *f, uint32_t i, roof_arena *arena)
{
    const roof_swept_configuration *c = &f->configurations[i];
    const char *name = f->devices_vary ? say_printf(arena, "%s", c->device) : "";
    if (f->is_named[ROOF_COST_CLOCK] && c->clock_hz > 0)
        name = say_more(arena, name, "%s", say_quantity(arena, c->clock_hz, "Hz"));
    if (f->is_named[ROOF_COST_BANDWIDTH] && c->bandwidth_bytes_per_s > 0)
        name = say_more(arena, name, "%s", say_quantity(arena, c->bandwidth_bytes_per_s, "B/s"));
    if (f->is_named[ROOF_COST_BATCH])
        name = say_more(arena, name, "batch %u", c->batch);
    if (f->is_named[ROOF_COST_THREADS])
        name = say_more(arena, name, "%u thread%s", c->threads, say_plural(c->threads));
    name = *name ? name : c->device;
    return f->types_vary && c->data_type ? say_printf(arena, "%s in %s", name, c->data_type) : name;
}

const char *pareto_subject(const roof_pareto *f, const roof_pareto_front *front, roof_arena *arena)
{
    if (front->model == ROOF_NONE)
        return say_printf(arena, "%u models together", f->n_together);
    const char *name = f->models[front->model].name;
    for (uint32_t i = 0; i < f->n_models; i++) /* one file may be there for several workloads */
        if (i != front->model && strcmp(f->models[i].name, name) == 0)
            return say_printf(arena, "%s, entry %u", name, front->model);
    return name;
}

const char *pareto_cost_title(const roof_pareto *f, double most, double *factor, roof_arena *arena)
{
    static const struct {
        double least;
        const char *prefix;
    } prefixes[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {0, ""}};
    *factor = 1;
    if (f->cost == ROOF_COSTS)
        return "All configurations cost the same";
    if (!*costs[f->cost].unit)
        return costs[f->cost].title;
    size_t i = 0;
    while (prefixes[i].least > most)
        i++;
    *factor = prefixes[i].least > 0 ? 1 / prefixes[i].least : 1;
    return say_printf(arena, "%s [%s%s]", costs[f->cost].title, prefixes[i].prefix, costs[f->cost].unit);
}

/* "inferences"; of models of several kinds "results". */
static const char *unit_of(const roof_pareto *f, const roof_pareto_front *front, roof_arena *arena)
{
    const char *unit = NULL;
    for (uint32_t i = 0; i < f->n_models; i++)
        if (front->model == ROOF_NONE ? f->are_together[i] : i == front->model) {
            const char *own = f->models[i].unit;
            unit = !unit || strcmp(unit, own) == 0 ? own : "result";
        }
    return say_printf(arena, "%ss", unit && *unit ? unit : "result");
}

static const char *const rate_words[] = {[ROOF_RATE_IN_USE] = "in use",
                                         [ROOF_RATE_EXPECTED] = "expected",
                                         [ROOF_RATE_AT_BEST] = "at best",
                                         [ROOF_RATE_NONE] = ""};

const char *pareto_rate_title(const roof_pareto *f, const roof_pareto_front *front, roof_arena *arena)
{
    const roof_swept_model *model = front->model == ROOF_NONE ? NULL : &f->models[front->model];
    const char *unit = unit_of(f, front, arena);
    if (!model)
        return say_printf(arena, "Geometric mean of %s per second", unit);
    return say_printf(arena, "%c%s per second, %s", unit[0] - 'a' + 'A', unit + 1, rate_words[model->rate]);
}

/* --- sentences ------------------------------------------------------------------------------------------ */

/* True if its rates are bounds, none of which shows that one is faster than another. */
static bool is_of_limits(const roof_pareto *f, const roof_pareto_front *front)
{
    bool are_limits = false;
    for (uint32_t i = 0; i < f->n_models; i++)
        if (front->model == ROOF_NONE ? f->are_together[i] : i == front->model)
            are_limits = are_limits || f->models[i].rate == ROOF_RATE_AT_BEST;
    return are_limits;
}

static const char *say_point(const roof_pareto *f, const roof_pareto_front *front, uint32_t i,
                             roof_arena *arena)
{
    const double per_s = roof_pareto_front_rate(f, front, i);
    const int digits = per_s < 10 ? 2 : per_s < 100 ? 1 : 0;
    const bool is_about = roof_pareto_front_is_estimate(f, front, i), is_most = is_of_limits(f, front);
    const char *name = pareto_name(f, i, arena), *about = is_about ? "about " : is_most ? "at most " : "";
    const char *rate =
        say_printf(arena, "%s%s %s/s", about, say_number(arena, per_s, digits), unit_of(f, front, arena));
    if (f->cost == ROOF_COSTS)
        return say_printf(arena, "%s, with %s", name, rate);
    const double cost = roof_swept_cost(&f->configurations[i], f->cost);
    return say_printf(arena, "%s (%s), with %s", name,
                      *costs[f->cost].unit ? say_quantity(arena, cost, costs[f->cost].unit)
                                           : say_printf(arena, "%.0f %s", cost, costs[f->cost].words),
                      rate);
}

/* "mobilenetv1: 3 of 8 configurations make more than all others of no more compute: from kv260, 200 MHz (0.82
 * Tops/s), with 313 inferences/s, to zcu102, ..." */
static const char *say_front(const roof_pareto *f, const roof_pareto_front *front, roof_arena *arena)
{
    const char *subject = pareto_subject(f, front, arena);
    if (!front->n)
        return say_printf(arena, "%s: no configuration has %s.", subject,
                          front->n_costless ? "a rate and a known cost" : "a result");
    const uint32_t first = front->configurations[0], last = front->configurations[front->n - 1];
    const char *fastest = say_point(f, front, last, arena);
    if (front->n == 1)
        return front->n_compared == 1
                   ? say_printf(arena, "%s: one configuration has a result, %s.", subject, fastest)
                   : say_printf(arena, "%s: of %s configurations none %s as %s.", subject,
                                say_count(arena, front->n_compared),
                                is_of_limits(f, front) ? "has as high a limit or costs as little"
                                                       : "is as fast or as cheap",
                                fastest);
    const bool are_limits = is_of_limits(f, front);
    return say_printf(
        arena, "%s: %s of %s configurations %s than all others of no more %s: from %s, to %s%s.", subject,
        say_count(arena, front->n), say_count(arena, front->n_compared),
        are_limits ? "have a higher limit" : "make more", costs[f->cost].words,
        say_point(f, front, first, arena), fastest, are_limits ? "; which is faster is unknown" : "");
}

static const char *say_all(const roof_pareto *f, roof_arena *arena)
{
    const char *list = "";
    bool are_limits = false;
    if (f->n_fronts == 1)
        return say_front(f, f->fronts, arena);
    for (uint32_t i = 0; i < f->n_fronts; i++) {
        are_limits = are_limits || is_of_limits(f, &f->fronts[i]);
        const char *between = !i ? "" : i + 1 == f->n_fronts ? " and " : ", ";
        list = say_printf(arena, "%s%s%u for %s", list, between, f->fronts[i].n,
                          pareto_subject(f, &f->fronts[i], arena));
    }
    return say_printf(arena, "Of %s configurations these make more%s than all that cost no more%s%s: %s.",
                      say_count(arena, f->n_configurations), are_limits ? ", or have a higher limit," : "",
                      f->cost == ROOF_COSTS ? "" : " ", f->cost == ROOF_COSTS ? "" : costs[f->cost].words,
                      list);
}

const char *pareto_sentence(const roof_pareto *f, uint32_t i, roof_arena *arena)
{
    const uint32_t n_fronts = f->n_fronts > 1 ? f->n_fronts : 0;
    if (!i)
        return say_all(f, arena);
    if (i <= n_fronts)
        return say_front(f, &f->fronts[i - 1], arena);
    if (i > n_fronts + 1 || !f->n_failed)
        return NULL;
    return say_printf(arena, "%s of %s results failed%s%s.", say_count(arena, f->n_failed),
                      say_count(arena, f->n_points), f->n_reasons == 1 ? ": " : "",
                      f->n_reasons == 1 ? f->reasons->why : "");
}

/* --- tables --------------------------------------------------------------------------------------------- */

static grid_cell or_unknown(double value)
{
    return cell_value(value > 0 ? value : (double)NAN);
}

void pareto_table(const roof_pareto *f, const roof_pareto_front *front, cell_grid *grid, roof_arena *arena)
{
    GRID_COLUMNS(columns, {"device", .kind = COLUMN_NAME}, GRID_TEXT("type", 1),
                 GRID_SCALED("clock", "[MHz]", 1, .over = 1e6, .digits = 0),
                 GRID_SCALED("bandwidth", "[GB/s]", 2, .over = 1e9, .digits = 2),
                 {"batch", .kind = COLUMN_NUMBER, .rank = 2}, {"threads", .kind = COLUMN_NUMBER, .rank = 2},
                 {"cores", .kind = COLUMN_NUMBER, .rank = 3},
                 GRID_SCALED("compute", "[Gops/s]", 2, .over = 1e9, .digits = 1, .format = FORMAT_SPACED),
                 GRID_SCALED("rate", "[/s]", 0, .digits = 1, .format = FORMAT_SPACED),
                 GRID_SCALED("of the most", "[%]", 1, .times = 100, .digits = 1), GRID_TEXT("note", 3));
    grid_begin(grid, arena, columns, N_OF(columns));
    for (uint32_t i = 0; i < front->n; i++) {
        const uint32_t at = front->configurations[i];
        const roof_swept_configuration *c = &f->configurations[at];
        const double rate = roof_pareto_front_rate(f, front, at);
        GRID_ADD(
            grid, cell_text(c->device), cell_text(text_or_empty(c->data_type)), or_unknown(c->clock_hz),
            or_unknown(c->bandwidth_bytes_per_s), cell_count(c->batch ? c->batch : ROOF_UNKNOWN),
            c->threads ? cell_count(c->threads) : cell_none, cell_count(c->cores ? c->cores : ROOF_UNKNOWN),
            or_unknown(c->cores * c->peak_ops_per_s), cell_value(rate),
            is_of_limits(f, front)
                ? cell_none
                : cell_value(rate / roof_pareto_front_rate(f, front, front->configurations[front->n - 1])),
            cell_text(roof_pareto_front_is_estimate(f, front, at) ? "estimate" : ""));
    }
}

/* The fastest of a model, of equals the cheapest; or the cheapest that makes least_per_s. ROOF_NONE: none. */
static uint32_t best_of(const roof_pareto *f, uint32_t model, double least_per_s)
{
    const double *rates = &f->rates[(size_t)model * f->n_configurations];
    uint32_t best = ROOF_NONE;
    for (uint32_t i = 0; i < f->n_configurations; i++) {
        if (isnan(rates[i]) || rates[i] < least_per_s)
            continue;
        const double cost = roof_swept_cost(&f->configurations[i], f->cost),
                     best_cost =
                         best == ROOF_NONE ? INFINITY : roof_swept_cost(&f->configurations[best], f->cost);
        const bool is_better =
            best == ROOF_NONE ||
            (least_per_s > 0 ? cost < best_cost
                             : rates[i] > rates[best] || (rates[i] >= rates[best] && cost < best_cost));
        best = is_better ? i : best;
    }
    return best;
}

void pareto_models_table(const roof_pareto *f, cell_grid *grid, roof_arena *arena)
{
    GRID_COLUMNS(columns, {"model", .kind = COLUMN_NAME},
                 GRID_SCALED("most", "[/s]", 0, .digits = 1, .format = FORMAT_SPACED), GRID_TEXT("of", 1),
                 GRID_TEXT("fastest configuration", 0), GRID_TEXT("the cheapest within 5 %", 1),
                 GRID_SCALED("with", "[/s]", 2, .digits = 1, .format = FORMAT_SPACED),
                 {"results", .kind = COLUMN_NUMBER, .rank = 2});
    grid_begin(grid, arena, columns, N_OF(columns));
    for (uint32_t m = 0; m < f->n_models; m++) {
        const roof_swept_model *model = &f->models[m];
        const roof_pareto_front own = {.model = m};
        const double *rates = &f->rates[(size_t)m * f->n_configurations];
        const uint32_t fastest = best_of(f, m, 0),
                       near = fastest == ROOF_NONE ? ROOF_NONE : best_of(f, m, NEARLY_RATIO * rates[fastest]);
        const bool has = fastest != ROOF_NONE,
                   is_known = near != ROOF_NONE && model->rate != ROOF_RATE_AT_BEST;
        GRID_ADD(grid, cell_text(pareto_subject(f, &own, arena)),
                 cell_value(has ? rates[fastest] : (double)NAN),
                 cell_text(has ? say_printf(arena, "%ss, %s", model->unit, rate_words[model->rate]) : ""),
                 cell_text(!has                               ? "none has a result"
                           : model->rate == ROOF_RATE_AT_BEST ? "not known, of limits"
                                                              : pareto_name(f, fastest, arena)),
                 cell_text(is_known ? pareto_name(f, near, arena) : ""),
                 cell_value(is_known ? rates[near] : (double)NAN), cell_count(model->n_results));
    }
}

/* --- remarks -------------------------------------------------------------------------------------------- */

void pareto_remarks(const roof_pareto *f, remarks *lines)
{
    enum { MOST = 5 };
    roof_arena *arena = lines->arena;
    uint32_t n_incomplete = 0, n_costless = 0, n_estimates = 0, n_foreign = 0;
    for (uint32_t i = 0; i < f->n_fronts; i++) {
        n_incomplete += f->fronts[i].n_incomplete;
        n_costless += f->fronts[i].n_costless;
        for (uint32_t k = 0; k < f->fronts[i].n; k++)
            n_estimates += roof_pareto_front_is_estimate(f, &f->fronts[i], f->fronts[i].configurations[k]);
    }
    for (uint32_t i = 0; i < f->n_models; i++)
        n_foreign += f->models[i].n_foreign;
    const char *others = NULL; /* that differ too */
    for (roof_cost_kind cost = 0; cost < ROOF_COSTS; cost++)
        if (f->varies[cost] && cost != f->cost &&
            !(cost == ROOF_COST_CLOCK && f->cost == ROOF_COST_COMPUTE)) /* which has it as a factor */
            others = say_more(arena, text_or_empty(others), "%s", costs[cost].words);
    if (f->cost != ROOF_COSTS)
        ADD_SAID(lines, "cost", "{}[?; not counted, though configurations differ in it: {}]",
                 AS_TEXT(costs[f->cost].title), AS_TEXT(others));
    else
        remarks_add(lines, "cost", "configurations differ in none, so that the fastest is the front");
    remarks_add(lines, "front", "no other one at the same cost or less makes more");
    if (f->together_per_s) {
        remarks_add(lines, "rate", "geometric mean over %u of %u models", f->n_together, f->n_models);
        const char *list = "";
        uint32_t n = 0;
        for (uint32_t i = 0; i < f->n_models; i++)
            if (!f->are_together[i] && n++ < MOST)
                list = say_more(arena, list, "%s", f->models[i].name);
        if (n)
            ADD_SAID(lines, "left out",
                     "{}[? and {} more]: the configuration with most results has none of these",
                     AS_TEXT(list), AS_COUNT(n > MOST ? n - MOST : 0));
    }
    ADD_SAID(lines, "no result", "[?{} configuration{|s}{}]", AS_COUNT(n_incomplete),
             AS_TEXT(f->together_per_s ? " lack one of these models, and are not compared"
                     : f->n_fronts > 1 ? ", over all models"
                                       : ""));
    ADD_SAID(lines, "other arrays",
             "[?{} points are of models that are compiled for other hardware, and do not run as they are: "
             "not compared]",
             AS_COUNT(n_foreign));
    ADD_SAID(lines, "no cost", "[?{} configuration{|s} with a result: {} is unknown]", AS_COUNT(n_costless),
             AS_TEXT(f->cost == ROOF_COSTS ? "" : costs[f->cost].words));
    ADD_SAID(lines, "estimates",
             "[?{} on the front: of a model that is compiled for other hardware, or by its shapes alone]",
             AS_COUNT(n_estimates));
    ADD_SAID(lines, "findings", "[?{#} of {#} points; `roofline predict --findings` says which of one]",
             AS_COUNT(f->n_found), AS_COUNT(f->n_points));
}

void pareto_reasons(const roof_pareto *f, remarks *lines)
{
    FOR_EACH(const roof_swept_reason, r, f->reasons, f->n_reasons) {
        const char *points =
            say_printf(lines->arena, "%s point%s", say_count(lines->arena, r->n), say_plural(r->n));
        remarks_add(lines, points, "%s on %s: %s", r->model, r->device, r->why);
    }
    if (f->n_other_reasons)
        remarks_add(lines, say_printf(lines->arena, "%s points", say_count(lines->arena, f->n_other_reasons)),
                    "other reasons; the column why says them");
}
