/* Pareto front: rates over costs, and the line of the Pareto front. The
 * configurations of a board, or those of a sweep with a panel for each of its models. */
#include "reports/charts/chart.h"
#include "reports/tables/views.h"

enum { RADIUS_PX = 5, TITLE_PX = 22 };

typedef struct pareto_mark {
    double cost, rate, low, high; /* as at the axes; NaN: there is no range */
    uint32_t colour;
    bool is_hollow;
    const char *name; /* NULL: it is not named */
} pareto_mark;

typedef struct panel {
    chart_figure *f;
    const char *title;         /* NULL: that of the figure is enough */
    pareto_mark *front, *rest; /* front: by cost */
    uint32_t n_front, n_rest;
    double requested; /* NaN: nothing */
    bool has_estimates;
    uint32_t most_names; /* on the front, those that have room; 0: all are named */
    axis_extent costs, rates;
    const char *cost_title, *rate_title;
    chart_plane plane;
} panel;

/* --- places --------------------------------------------------------------------------------------------- */

/* Among a million points those that lie on others are drawn once: a place is one of so many. */
enum { MANY = 300, OBSTACLES = 40, ACROSS = 240, UPRIGHT = 140, PLACES = ACROSS * UPRIGHT };

/* Devices of very different size press one another to the ground on a linear axis. */
static bool is_wide_range(axis_extent e)
{
    const double most_linear = 20;
    return e.low > 0 && e.high > most_linear * e.low;
}

static uint32_t step_of(double value, axis_extent e, uint32_t n)
{
    const double part =
        is_wide_range(e) ? log(value / e.low) / log(e.high / e.low) : (value - e.low) / (e.high - e.low);
    return part > 0 ? (uint32_t)fmin(n - 1, part * n) : 0;
}

/* --- data ----------------------------------------------------------------------------------------------- */

static void put_marks(panel *p, const pareto_mark *marks, uint32_t n, const char *block)
{
    bool taken[OBSTACLES][OBSTACLES] = {{false}};
    chart_plane_block(&p->plane, block, "cost\tper second\tfrom\tto: nine of ten\tcolour\tsymbol");
    FOR_EACH(const pareto_mark, m, marks, n) {
        FIGURE_ROW(p->f, m->cost, m->rate, m->low, m->high, m->colour,
                   m->is_hollow ? SYMBOL_DISC - 1 : SYMBOL_DISC);
        /* of many marks that lie side by side names keep off one */
        bool *place = &taken[step_of(m->cost, p->costs, OBSTACLES)][step_of(m->rate, p->rates, OBSTACLES)];
        if (n <= MANY || !*place)
            chart_plane_avoid_point(&p->plane, m->cost, m->rate, RADIUS_PX);
        *place = true;
    }
}

/* How far a mark is from the named ones. */
static double distance_px(const panel *p, uint32_t mark, const uint32_t *named, uint32_t n)
{
    const px_point at = chart_plane_at(&p->plane, p->front[mark].cost, p->front[mark].rate);
    double least = INFINITY;
    for (uint32_t i = 0; i < n; i++) {
        const px_point other = chart_plane_at(&p->plane, p->front[named[i]].cost, p->front[named[i]].rate);
        least = fmin(least, hypot(at.x - other.x, at.y - other.y));
    }
    return least;
}

/* The fastest and the cheapest, then always the one that is farthest from those that have a name. Names that
 * would lie on what is drawn are left out: a table has all of them. */
static void name_some(panel *p)
{
    enum { MOST = 16 };
    const double near_px = 16;
    uint32_t named[MOST], n = 0;
    for (uint32_t next = p->n_front - 1; n < p->most_names && n < MOST;) {
        const pareto_mark *m = &p->front[next];
        chart_plane_name_point(&p->plane, m->name, m->cost, m->rate, RADIUS_PX, true);
        named[n++] = next;
        next = 0;
        for (uint32_t i = 0; i < p->n_front && n > 1; i++)
            next = distance_px(p, i, named, n) > distance_px(p, next, named, n) ? i : next;
        if (distance_px(p, next, named, n) < near_px)
            return;
    }
}

static chart_axis axis_of(axis_extent e, double room_ratio)
{
    const double room = e.low > 0 ? 1 + 0.1 * log10(10 * e.high / e.low) : 1;
    if (is_wide_range(e))
        return (chart_axis){.min = e.low / room, .max = e.high * room * room, .is_log = true};
    return chart_axis_linear(e, room_ratio);
}

static void put_panel(panel *p, const plot_area *place)
{
    const along_line along = {.first = 0.02, .span = 0.9, .steps = 20};
    const chart_axis x = axis_of(p->costs, 0.06), y = axis_of(p->rates, 0.1);
    chart_plane_set(&p->plane, "x_is_log", x.is_log);
    chart_plane_set(&p->plane, "y_is_log", y.is_log);
    chart_plane_open(&p->plane, place, p->title ? TITLE_PX : 10, x, y, p->rate_title, p->cost_title);
    if (p->title)
        figure_put(
            p->f, p->plane.area.left_px, p->plane.area.top_px - TITLE_PX / 2.0, ANCHOR_LEFT, LETTER_BOLD,
            COLOUR_INK,
            figure_shorten(p->f, p->title, LETTER_BOLD, p->plane.area.right_px - p->plane.area.left_px));
    put_marks(p, p->front, p->n_front, "on-front");
    put_marks(p, p->rest, p->n_rest, "behind");
    /* In steps: up to the next cost nothing makes more. */
    chart_plane_block(&p->plane, "front", "cost\tper second");
    for (uint32_t i = 0; i < p->n_front; i++) {
        const pareto_mark *m = &p->front[i];
        const double to = i + 1 < p->n_front ? m[1].cost : p->plane.x.max;
        chart_plane_put_line(&p->plane, (plane_line){m->cost, m->rate, to, m->rate}, 1);
        if (i + 1 < p->n_front)
            chart_plane_put_line(&p->plane, (plane_line){to, m->rate, to, m[1].rate}, 1);
    }
    const plane_line requested = {p->plane.x.min, p->requested, p->plane.x.max, p->requested};
    chart_plane_block(&p->plane, "asked", "cost\tper second");
    if (p->requested <= p->plane.y.max) {
        chart_plane_put_line(&p->plane, requested, 1);
        chart_plane_label_line(&p->plane, figure_printf(p->f, "asked: %.4g inferences/s", p->requested),
                               LETTER_SMALL, requested, &along);
    }
    if (p->most_names)
        name_some(p);
    for (uint32_t i = 0; i < p->n_front + p->n_rest && !p->most_names; i++) {
        const pareto_mark *m = i < p->n_front ? &p->front[i] : &p->rest[i - p->n_front];
        if (m->name)
            chart_plane_name_point(&p->plane, m->name, m->cost, m->rate, RADIUS_PX, false);
    }
}

/* Room for so many marks of each kind; false without memory. */
static bool make_room(panel *p, chart_figure *f, uint32_t n_front, uint32_t n_rest)
{
    *p = (panel){.f = f,
                 .plane.f = f,
                 .requested = NAN,
                 .costs = EXTENT_EMPTY,
                 .rates = EXTENT_EMPTY,
                 .front = NEW_ARRAY(f->arena, pareto_mark, n_front),
                 .rest = NEW_ARRAY(f->arena, pareto_mark, n_rest)};
    return p->front && p->rest;
}

/* --- configurations of a board -------------------------------------------------------------------------- */

static void draw_configurations(const roof_configurations *of, chart_figure *f)
{
    panel p;
    if (of->most == ROOF_NONE || !make_room(&p, f, of->n, of->n))
        return;
    for (uint32_t i = 0; i < of->n; i++) {
        const roof_configuration *c = &of->all[i];
        if (!c->is_held || isnan(c->fps))
            continue;
        const pareto_mark mark = {.cost = 100 * c->cost_ratio,
                                  .rate = c->fps,
                                  .low = c->fps_low,
                                  .high = c->fps_high,
                                  .colour = i == of->cheapest ? COLOUR_GAP
                                            : c->is_on_front  ? COLOUR_PREDICTED
                                                              : COLOUR_MUTED,
                                  .is_hollow = c->is_estimate,
                                  .name = configurations_name(c, f->arena)};
        chart_extent_take(&p.costs, mark.cost);
        chart_extent_take(&p.rates, mark.rate);
        if (c->is_on_front)
            p.front[p.n_front++] = mark;
        else
            p.rest[p.n_rest++] = mark;
    }
    p.costs.low = p.rates.low = 0; /* a device and its rates are seen as a whole */
    /* what is asked far above the points would press them to the ground */
    p.requested = of->asked_fps;
    if (of->asked_fps <= 2 * p.rates.high)
        chart_extent_take(&p.rates, of->asked_fps);
    p.cost_title = "Largest share of the device that is taken at least [%]";
    p.rate_title = "Inferences/s";
    const char *basis = configurations_sentence(of, 0, f->arena);
    const plot_area page = chart_page(
        f, text_or_empty(basis),
        figure_printf(f, "%s on %s; host: %s; bars: ranges; hollow: estimates%s", of->model, of->board,
                      of->host ? of->host : "none", of->only_size ? "" : "; constants of one size for all"),
        NULL, 0, "roofline " ROOF_VERSION);
    figure_set(f, "panels", 1);
    figure_set(f, "many", 0);
    put_panel(&p, &page);
    f->caption = "Each point is a size of the array and a number of cores: inferences/s over the largest "
                 "share of the device that it takes at least. The line is the Pareto front: no cheaper one "
                 "is as fast; hollow points are estimates, and the dashed line is what was requested.";
}

/* --- configurations of a sweep -------------------------------------------------------------------------- */

static size_t place_of(const panel *p, const pareto_mark *mark)
{
    return (size_t)step_of(mark->rate, p->rates, UPRIGHT) * ACROSS + step_of(mark->cost, p->costs, ACROSS);
}

static double cost_of(const roof_pareto *of, uint32_t configuration)
{
    return of->cost == ROOF_COSTS ? 1 : roof_swept_cost(&of->configurations[configuration], of->cost);
}

static pareto_mark mark_of(const roof_pareto *of, const roof_pareto_front *front, uint32_t i, double factor)
{
    return (pareto_mark){.cost = factor * cost_of(of, i),
                         .rate = roof_pareto_front_rate(of, front, i),
                         .low = NAN,
                         .high = NAN,
                         .colour = COLOUR_FLOOR,
                         .is_hollow = roof_pareto_front_is_estimate(of, front, i)};
}

/* False: nothing to draw. */
static bool take_front(panel *p, const roof_pareto *of, const roof_pareto_front *front, chart_figure *f)
{
    double factor, most = 0;
    if (!make_room(p, f, front->n, of->n_configurations < PLACES ? of->n_configurations : PLACES))
        return false;
    for (uint32_t i = 0; i < of->n_configurations; i++)
        if (!isnan(roof_pareto_front_rate(of, front, i)))
            most = fmax(most, cost_of(of, i)); /* of NaN and a number the number */
    p->cost_title = pareto_cost_title(of, most, &factor, f->arena);
    p->rate_title = pareto_rate_title(of, front, f->arena);
    p->title = of->n_fronts > 1 ? pareto_subject(of, front, f->arena) : NULL;
    for (uint32_t i = 0; i < of->n_configurations; i++) {
        const pareto_mark mark = mark_of(of, front, i, factor);
        if (isnan(mark.rate) || isnan(mark.cost))
            continue;
        chart_extent_take(&p->costs, mark.cost);
        chart_extent_take(&p->rates, mark.rate);
        p->has_estimates = p->has_estimates || mark.is_hollow;
    }
    size_t last = PLACES;
    for (uint32_t i = 0; i < front->n; i++) {
        const uint32_t at = front->configurations[i];
        pareto_mark mark = mark_of(of, front, at, factor);
        const size_t place = place_of(p, &mark);
        mark.colour = COLOUR_PREDICTED;
        mark.name = pareto_name(of, at, f->arena);
        if (place != last || i + 1 == front->n)
            p->front[p->n_front++] = mark;
        last = place;
    }
    /* All that are not on the front, each place once. */
    bool *taken = NEW_ARRAY(f->arena, bool, PLACES),
         *are_on = NEW_ARRAY(f->arena, bool, of->n_configurations);
    for (uint32_t i = 0; i < front->n && are_on; i++)
        are_on[front->configurations[i]] = true;
    for (uint32_t i = 0; i < of->n_configurations && taken && are_on; i++) {
        const pareto_mark mark = mark_of(of, front, i, factor);
        if (isnan(mark.cost) || isnan(mark.rate) || are_on[i])
            continue;
        const size_t place = place_of(p, &mark);
        if (!taken[place])
            p->rest[p->n_rest++] = mark;
        taken[place] = true;
    }
    return p->n_front;
}

static void draw_pareto(const roof_pareto *of, chart_figure *f)
{
    enum { MOST_NAMES = 12, MOST_NAMES_OF_SEVERAL = 6 };
    static const char *const suffixes[ROOF_FRONTS_MOST] = {NULL, "2", "3", "4"};
    panel panels[ROOF_FRONTS_MOST];
    uint32_t n = 0;
    bool has_estimates = false;
    for (uint32_t i = 0; i < of->n_fronts; i++)
        if (take_front(&panels[n], of, &of->fronts[i], f)) {
            panels[n].most_names = of->n_fronts > 1 || !f->is_wide ? MOST_NAMES_OF_SEVERAL : MOST_NAMES;
            has_estimates = has_estimates || panels[n].has_estimates;
            panels[n].plane.suffix = suffixes[n];
            n++;
        }
    if (!n)
        return;
    const uint32_t across = f->is_wide && n > 1 ? 2 : 1, rows = (n + across - 1) / across;
    const double row_px = f->is_wide ? 330 : 360;
    if (rows > 1)
        figure_set_height(f, 130 + rows * row_px);
    const plot_area page = chart_page(
        f, pareto_sentence(of, 0, f->arena),
        figure_printf(f, "line: the front; pale: those behind it;%s %s of %s points have figures",
                      has_estimates ? " hollow: estimates;" : "",
                      say_count(f->arena, of->n_points - of->n_failed), say_count(f->arena, of->n_points)),
        NULL, 0, "roofline " ROOF_VERSION);
    figure_set(f, "panels", n);
    figure_set(f, "many", of->n_configurations > MANY);
    for (uint32_t i = 0; i < n; i++) {
        const plot_area place = chart_page_place(&page, i, n, across);
        put_panel(&panels[i], &place);
    }
    f->caption = "Each point is a configuration of the sweep: what it makes a second over what it costs. The "
                 "line is the Pareto front: none at the same cost or less makes more; pale points are behind "
                 "it, and hollow ones are estimates.";
}

static void draw(const chart_source *s, chart_figure *f)
{
    if (s->configurations)
        draw_configurations(s->configurations, f);
    else if (s->pareto)
        draw_pareto(s->pareto, f);
}

const chart_def chart_pareto = {.id = "pareto", .scope = CHART_ANSWER, .draw = draw};
