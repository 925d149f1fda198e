/* A language model over the length of its context: the time of a step, and beside it that of a prompt; what
 * is expected with its interval, the bound, what was measured. Both axes of lengths are of doublings. */
#include "reports/charts/chart.h"
#include "reports/charts/chart_key.h"
#include "reports/charts/palette.h"
#include "reports/words/curve_words.h"

#include <math.h>
#include <string.h>

enum { NUMBERS_PX = 52, LEFT_PX = 24, RADIUS_PX = 4, BELOW_PX = 44, PIECES = 8 };

/* A phase, and where it is drawn. */
typedef struct phase_plane {
    roof_text_phase of;
    curve_phase phase;
    const char *prefix, *title, *below; /* of blocks; at the axes */
    chart_plane plane;                  /* tokens; times in the unit of scale */
    chart_scale scale;
    bool is_log; /* times too: of prompts, which reach over decades */
} phase_plane;

typedef struct drawing {
    chart_figure *f;
    const roof_curve *curve;
    phase_plane planes[2];
    size_t n;
} drawing;

/* --- axes --------------------------------------------------------------------------------------------- */

/* Times that no axis could hold beside others are drawn as little as those that are not known. */
static bool is_drawn(double seconds)
{
    return seconds > 1e-12 && seconds <= CODEC_MOST_SECONDS;
}

static bool is_shown(const roof_curve_measured *m, const phase_plane *p)
{
    return m->phase == p->of && is_drawn(m->seconds);
}

/* From the shortest length to the longest, with some room at both ends. */
static chart_axis lengths_axis(axis_extent e)
{
    const double room = fmax(pow(e.high / e.low, 0.04), e.high > e.low ? 1 : 2);
    return (chart_axis){.min = e.low / room, .max = e.high * room, .is_log = true};
}

static chart_axis times_axis(axis_extent e, bool is_log)
{
    if (!is_log)
        return chart_axis_linear(e, 0.1);
    const double room = fmax(1.3, pow(e.high / e.low, 0.08));
    return (chart_axis){.min = e.low / room, .max = e.high * room, .is_log = true};
}

static void take_time(axis_extent *e, double seconds)
{
    if (is_drawn(seconds))
        chart_extent_take(e, seconds);
}

/* False where no time is known. */
static bool choose_axes(const drawing *d, phase_plane *p)
{
    axis_extent lengths = EXTENT_EMPTY, times = EXTENT_EMPTY;
    for (uint32_t i = 0; i < p->phase.n; i++) {
        const roof_curve_point *point = &p->phase.points[i];
        chart_extent_take(&lengths, point->tokens);
        take_time(&times, point->ideal_s);
        take_time(&times, point->expected.seconds);
        take_time(&times, point->expected.ci95_s[0]);
        take_time(&times, point->expected.ci95_s[1]);
    }
    for (uint32_t i = 0; i < d->curve->n_measured; i++)
        if (is_shown(&d->curve->measured[i], p)) {
            chart_extent_take(&lengths, d->curve->measured[i].tokens);
            take_time(&times, d->curve->measured[i].seconds);
        }
    if (!(times.high > 0) || !(lengths.high > 0))
        return false;
    p->scale = chart_scale_of(times.high);
    times.low *= p->scale.factor;
    times.high *= p->scale.factor;
    chart_plane_set_axes(&p->plane, lengths_axis(lengths), times_axis(times, p->is_log));
    return true;
}

/* --- data --------------------------------------------------------------------------------------------- */

static double between(double a, double b, double part)
{
    return a + part * (b - a);
}

static void put_point(const drawing *d, const phase_plane *p, double tokens, const double times_s[4])
{
    FIGURE_NUMBERS(d->f, tokens);
    for (int k = 0; k < 4; k++)
        FIGURE_NUMBERS(d->f, is_drawn(times_s[k]) ? times_s[k] * p->scale.factor : NAN);
    figure_end_row(d->f);
}

/* Times of a step grow straight with the context, which on an axis of doublings is bent: the pieces between
 * two points follow that. */
static void put_lines(const drawing *d, const phase_plane *p)
{
    double last_s[4] = {NAN, NAN, NAN, NAN}, last_tokens = NAN;
    figure_block(d->f, figure_printf(d->f, "%s-lines", p->prefix), "tokens\tbound\texpected\tfrom\tto: 95 %");
    for (uint32_t i = 0; i < p->phase.n; i++) {
        const roof_curve_point *point = &p->phase.points[i];
        const double now_s[4] = {point->ideal_s, point->expected.seconds, point->expected.ci95_s[0],
                                 point->expected.ci95_s[1]};
        for (int piece = 1; i && !p->is_log && piece < PIECES; piece++) {
            const double part = (double)piece / PIECES;
            double times_s[4];
            for (int k = 0; k < 4; k++)
                times_s[k] = between(last_s[k], now_s[k], part);
            put_point(d, p, between(last_tokens, point->tokens, part), times_s);
        }
        put_point(d, p, point->tokens, now_s);
        for (int k = 0; k < 2; k++)
            if (is_drawn(last_s[k]) && is_drawn(now_s[k]))
                chart_plane_avoid_line(&p->plane,
                                       (plane_line){last_tokens, last_s[k] * p->scale.factor, point->tokens,
                                                    now_s[k] * p->scale.factor},
                                       3);
        memcpy(last_s, now_s, sizeof last_s);
        last_tokens = point->tokens;
    }
}

static void put_measured(const drawing *d, const phase_plane *p)
{
    figure_block(d->f, figure_printf(d->f, "%s-measured", p->prefix), "tokens\tmeasured");
    for (uint32_t i = 0; i < d->curve->n_measured; i++) {
        const roof_curve_measured *m = &d->curve->measured[i];
        if (!is_shown(m, p))
            continue;
        FIGURE_ROW(d->f, m->tokens, m->seconds * p->scale.factor);
        chart_plane_avoid_point(&p->plane, m->tokens, m->seconds * p->scale.factor, RADIUS_PX);
    }
}

/* A length from which something else holds, as a line up to the curve. */
typedef struct upright {
    double tokens, time; /* tokens NaN: not known, or not here */
    const char *words;
} upright;

enum { UPRIGHTS = 2 };

/* As the curve has it, between two points on a straight line; NaN: not known. */
static double time_at(const phase_plane *p, double tokens)
{
    const bool is_expected = curve_is_expected(p->phase);
    for (uint32_t i = 1; i < p->phase.n; i++) {
        const roof_curve_point *a = &p->phase.points[i - 1], *b = &p->phase.points[i];
        if (tokens < a->tokens || tokens > b->tokens)
            continue;
        const double part = (tokens - a->tokens) / ((double)b->tokens - a->tokens);
        const double from_s = is_expected ? a->expected.seconds : a->ideal_s,
                     to_s = is_expected ? b->expected.seconds : b->ideal_s;
        return between(from_s, to_s, part) * p->scale.factor;
    }
    return NAN;
}

static void find_uprights(const phase_plane *p, upright uprights[UPRIGHTS])
{
    const roof_curve_point *last = &p->phase.points[p->phase.n - 1];
    uprights[0] = (upright){curve_crossing(p->phase), NAN, "cache leads"};
    uprights[1] = (upright){last->memory.largest_tokens, NAN, "known to fit"};
    if (uprights[1].tokens >=
        last->tokens) /* that the model was made for no more does not end anything here */
        uprights[1].tokens = NAN;
    for (int i = 0; i < UPRIGHTS; i++) {
        upright *u = &uprights[i];
        if (p->of == ROOF_TEXT_DECODE && u->tokens > p->plane.x.min && u->tokens < p->plane.x.max)
            u->time = time_at(p, u->tokens);
        if (!(u->time > p->plane.y.min && u->time < p->plane.y.max))
            u->tokens = NAN;
    }
}

static plane_line line_of(const phase_plane *p, const upright *u)
{
    return (plane_line){u->tokens, p->plane.y.min, u->tokens, u->time};
}

static void put_uprights(const drawing *d, const phase_plane *p, const upright uprights[UPRIGHTS])
{
    figure_block(d->f, figure_printf(d->f, "%s-uprights", p->prefix), "tokens\ttime");
    for (int i = 0; i < UPRIGHTS; i++)
        if (!isnan(uprights[i].tokens)) {
            chart_plane_put_line(&p->plane, line_of(p, &uprights[i]), 1);
            figure_gap(d->f);
        }
}

/* From the axis upwards; where the line is short the words are left out. */
static void name_uprights(const phase_plane *p, const upright uprights[UPRIGHTS])
{
    const along_line along = {.first = 0.02, .span = 0.96, .steps = 60};
    for (int i = 0; i < UPRIGHTS; i++)
        if (!isnan(uprights[i].tokens))
            chart_plane_label_line(&p->plane, uprights[i].words, LETTER_SMALL, line_of(p, &uprights[i]),
                                   &along);
}

/* What the ends take: "15.5 ms, 64.5/s". */
static void name_ends(const drawing *d, const phase_plane *p)
{
    const bool is_expected = curve_is_expected(p->phase);
    const roof_curve_point *first = NULL, *last = NULL;
    for (uint32_t i = 0; i < p->phase.n; i++) {
        const roof_curve_point *point = &p->phase.points[i];
        if (!is_drawn(is_expected ? point->expected.seconds : point->ideal_s))
            continue;
        first = first ? first : point;
        last = point;
    }
    for (const roof_curve_point *point = first; point; point = point == last ? NULL : last) {
        const double seconds = is_expected ? point->expected.seconds : point->ideal_s;
        const double rate = curve_rate(d->curve, point, seconds);
        chart_plane_name_point(&p->plane,
                               figure_printf(d->f, "%s, %s/s", say_quantity(d->f->arena, seconds, "s"),
                                             say_number(d->f->arena, rate, rate < 100 ? 1 : 0)),
                               point->tokens, seconds * p->scale.factor, RADIUS_PX);
    }
}

static void put_plane(const drawing *d, phase_plane *p)
{
    chart_figure *f = d->f;
    const plot_area *area = &p->plane.area;
    upright uprights[UPRIGHTS];
    figure_set(f, figure_printf(f, "%s_is_there", p->prefix), 1);
    figure_set(f, figure_printf(f, "%s_is_log", p->prefix), p->is_log);
    figure_set_area(f, p->prefix, area);
    chart_axis_number_doublings(f, figure_printf(f, "%s-x-grid", p->prefix), &p->plane.x, area);
    chart_axis_number(f, figure_printf(f, "%s-y-grid", p->prefix), &p->plane.y, AXIS_LEFT, area);
    chart_axis_set(f, figure_printf(f, "%s_x", p->prefix), &p->plane.x);
    chart_axis_set(f, figure_printf(f, "%s_y", p->prefix), &p->plane.y);
    chart_axis_title_left(f, area, NUMBERS_PX - 16, figure_printf(f, "%s [%s]", p->title, p->scale.unit));
    chart_axis_title_below(f, area, p->below);
    put_lines(d, p);
    put_measured(d, p);
    find_uprights(p, uprights);
    put_uprights(d, p, uprights);
    name_ends(d, p);
    name_uprights(p, uprights);
}

/* --- the page ----------------------------------------------------------------------------------------- */

/* Side by side on a wide canvas, else one below the other. */
static void place(drawing *d, double top_px, double bottom_px)
{
    const bool is_beside = d->f->is_wide;
    const double width = d->f->canvas.width_px / (is_beside ? (double)d->n : 1),
                 height = (bottom_px - top_px) / (is_beside ? 1 : (double)d->n);
    for (size_t i = 0; i < d->n; i++) {
        const double x = is_beside ? width * (double)i : 0, y = top_px + (is_beside ? 0 : height * (double)i);
        d->planes[i].plane.area =
            (plot_area){x + LEFT_PX + NUMBERS_PX, x + width - AXIS_END_PX, y + 12, y + height - BELOW_PX};
    }
}

static double put_key(const drawing *d, double top_px)
{
    bool is_expected = false, is_measured = false, has_interval = false;
    for (size_t i = 0; i < d->n; i++) {
        const phase_plane *p = &d->planes[i];
        for (uint32_t k = 0; k < p->phase.n; k++) {
            is_expected |= !isnan(p->phase.points[k].expected.seconds);
            has_interval |= !isnan(p->phase.points[k].expected.ci95_s[0]);
        }
        for (uint32_t k = 0; k < d->curve->n_measured; k++)
            is_measured |= is_shown(&d->curve->measured[k], p);
    }
    const mark_key keys[] = {
        {MARK_LINE, COLOUR_PREDICTED, 0, is_expected ? "expected" : NULL},
        {MARK_AREA, COLOUR_BAND, COLOUR_BAND, has_interval ? "95 % interval" : NULL},
        {MARK_DASHES, COLOUR_FLOOR, 0, "bound: nothing is faster"},
        {MARK_DISC, COLOUR_MEASURED, 0, is_measured ? "measured" : NULL},
    };
    return chart_key_put(d->f, top_px, keys, sizeof keys / sizeof *keys);
}

static void draw(const chart_source *s, chart_figure *f)
{
    const roof_curve *c = s->curve;
    char title[ROOF_SENTENCE_SIZE];
    if (!c)
        return;
    drawing d = {.f = f, .curve = c};
    const phase_plane phases[] = {
        {ROOF_TEXT_DECODE, curve_steps(c), "steps", "Time of a step", "Context [tokens]", .plane.f = f},
        {ROOF_TEXT_PREFILL, curve_prompts(c), "prompts", "Time to the first token", "Prompt [tokens]",
         .plane.f = f, .is_log = true}};
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        d.planes[d.n] = phases[i];
        d.n += phases[i].phase.n && choose_axes(&d, &d.planes[d.n]);
    }
    if (!d.n)
        return;
    const char *verdict = curve_say(c, 0, title);
    double top =
        figure_head(f, verdict ? verdict : "",
                    figure_printf(f, "%s, weights %s, cache %s, batch %u, %s", c->hardware ? c->hardware : "",
                                  text_or_empty(c->weights), text_or_empty(c->cache), c->batch,
                                  say_quantity(f->arena, c->bandwidth_bytes_per_s, "B/s")));
    top = put_key(&d, top + 4);
    place(&d, top, figure_foot(f, "roofline " ROOF_VERSION));
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++)
        figure_set(f, figure_printf(f, "%s_is_there", phases[i].prefix), 0);
    for (size_t i = 0; i < d.n; i++) {
        choose_axes(&d, &d.planes[i]);
        put_plane(&d, &d.planes[i]);
    }
    f->caption = "The time of a step over the length of its context, and of a prompt over its own; lengths "
                 "double from "
                 "one number to the next. Lines are what is expected, pale bands their 95 % interval; no run "
                 "is faster "
                 "than the dashed lines. Discs are measured. Where the cache leads, attention over it takes "
                 "longer than "
                 "the weights.";
}

const chart_def chart_curve = {.id = "curve", .scope = CHART_CURVE, .draw = draw};
