/* A language model over the length of its context: the time of a step, and beside it that of a prompt; what
 * is expected with its interval, the bound, what was measured. Both axes of lengths are of doublings. */
#include "reports/charts/chart.h"
#include "reports/charts/palette.h"
#include "reports/words/curve_words.h"

#include <math.h>

enum { NUMBERS_PX = 52, RADIUS_PX = 4 };

/* Lines over tokens. */
enum { BOUND, EXPECTED, FROM, TO };

/* A phase, and where it is drawn. */
typedef struct phase_plane {
    roof_text_phase of;
    curve_phase phase;
    const char *title, *below; /* at the axes */
    chart_plane plane;         /* tokens; times in the unit of scale */
    chart_scale scale;
    plane_row *rows;     /* of points */
    plane_row *measured; /* in line 0 */
    uint32_t n_measured;
    int shown;   /* the line that ends and uprights are at */
    bool is_log; /* times too: of prompts, which reach over decades */
} phase_plane;

typedef struct drawing {
    chart_figure *f;
    const roof_curve *curve;
    phase_plane planes[2];
    uint32_t n;
} drawing;

/* --- axes --------------------------------------------------------------------------------------------- */

/* Times that no axis could hold beside others are drawn as little as those that are unknown. */
static double drawn(double seconds)
{
    return seconds > 1e-12 && seconds <= CODEC_MOST_SECONDS ? seconds : (double)NAN;
}

/* From the shortest length to the longest, with some room at both ends. */
static chart_axis lengths_axis(axis_extent e)
{
    const double room = fmax(pow(e.high / e.low, 0.04), e.high > e.low ? 1 : 2);
    return (chart_axis){.min = e.low / room, .max = e.high * room, .is_log = true, .numbers = AXIS_DOUBLINGS};
}

static chart_axis times_axis(axis_extent e, bool is_log)
{
    if (!is_log)
        return chart_axis_linear(e, 0.1);
    const double room = fmax(1.3, pow(e.high / e.low, 0.08));
    return (chart_axis){.min = e.low / room, .max = e.high * room, .is_log = true};
}

/* False where no time is known. */
static bool take_points(const drawing *d, phase_plane *p)
{
    axis_extent lengths = EXTENT_EMPTY, times = EXTENT_EMPTY;
    p->shown = curve_is_expected(p->phase) ? EXPECTED : BOUND;
    p->rows = NEW_ARRAY(d->f->arena, plane_row, p->phase.n);
    p->measured = NEW_ARRAY(d->f->arena, plane_row, d->curve->n_measured);
    if (!p->rows || !p->measured)
        return false;
    for (uint32_t i = 0; i < p->phase.n; i++) {
        const roof_curve_point *point = &p->phase.points[i];
        const double *ci95_s = point->expected.ci95_s;
        p->rows[i] = (plane_row){point->tokens,
                                 {[BOUND] = drawn(point->ideal_s),
                                  [EXPECTED] = drawn(point->expected.seconds),
                                  [FROM] = drawn(ci95_s[0]),
                                  [TO] = drawn(ci95_s[1])}};
    }
    for (uint32_t i = 0; i < d->curve->n_measured; i++) {
        const roof_curve_measured *m = &d->curve->measured[i];
        if (m->phase == p->of && !isnan(drawn(m->seconds)))
            p->measured[p->n_measured++] = (plane_row){m->tokens, {m->seconds, NAN, NAN, NAN}};
    }
    chart_plane_take_rows(&lengths, &times, p->rows, p->phase.n);
    chart_plane_take_rows(&lengths, &times, p->measured, p->n_measured);
    if (!(times.high > 0) || !(lengths.high > 0))
        return false;
    p->scale = chart_scale_of(times.high);
    for (uint32_t i = 0; i < p->phase.n; i++)
        for (int k = 0; k < PLANE_LINES; k++)
            p->rows[i].y[k] *= p->scale.factor;
    for (uint32_t i = 0; i < p->n_measured; i++)
        p->measured[i].y[0] *= p->scale.factor;
    times.low *= p->scale.factor;
    times.high *= p->scale.factor;
    p->plane.x = lengths_axis(lengths);
    p->plane.y = times_axis(times, p->is_log);
    return true;
}

/* --- data --------------------------------------------------------------------------------------------- */

/* A length from which something else holds, as a line up to the curve. */
typedef struct upright {
    double tokens, time; /* tokens NaN: unknown, or not here */
    const char *words;
} upright;

enum { UPRIGHTS = 2 };

/* As the curve has it, between two points on a straight line; NaN: unknown. */
static double time_at(const phase_plane *p, double tokens)
{
    for (uint32_t i = 1; i < p->phase.n; i++) {
        const plane_row *a = &p->rows[i - 1], *b = &p->rows[i];
        if (tokens >= a->x && tokens <= b->x)
            return a->y[p->shown] + (tokens - a->x) / (b->x - a->x) * (b->y[p->shown] - a->y[p->shown]);
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

static void put_uprights(const phase_plane *p, const upright uprights[UPRIGHTS])
{
    chart_plane_block(&p->plane, "uprights", "tokens\ttime");
    for (int i = 0; i < UPRIGHTS; i++)
        if (!isnan(uprights[i].tokens)) {
            chart_plane_put_line(&p->plane, line_of(p, &uprights[i]), 1);
            figure_gap(p->plane.f);
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

/* Values at the ends: "15.5 ms, 64.5/s". */
static void name_ends(const drawing *d, const phase_plane *p)
{
    uint32_t first = 0, end = p->phase.n;
    while (first < end && isnan(p->rows[first].y[p->shown]))
        first++;
    while (end > first && isnan(p->rows[end - 1].y[p->shown]))
        end--;
    for (uint32_t i = first; i < end; i = i + 1 < end ? end - 1 : end) {
        const roof_curve_point *point = &p->phase.points[i];
        const double seconds = p->shown == EXPECTED ? point->expected.seconds : point->ideal_s;
        const double rate = curve_rate(d->curve, point, seconds);
        chart_plane_name_point(&p->plane,
                               figure_printf(d->f, "%s, %s/s", say_quantity(d->f->arena, seconds, "s"),
                                             say_number(d->f->arena, rate, rate < 100 ? 1 : 0)),
                               point->tokens, p->rows[i].y[p->shown], RADIUS_PX, false);
    }
}

static void put_plane(const drawing *d, phase_plane *p)
{
    upright uprights[UPRIGHTS];
    chart_plane_set(&p->plane, "is_there", 1);
    chart_plane_set(&p->plane, "is_log", p->is_log);
    chart_plane_put_axes(&p->plane, NULL, NUMBERS_PX - 16,
                         figure_printf(d->f, "%s [%s]", p->title, p->scale.unit), p->below);
    chart_plane_block(&p->plane, "lines", "tokens\tbound\texpected\tfrom\tto: 95 %");
    chart_plane_put_rows(&p->plane, p->rows, p->phase.n, PLANE_LINES, BOUND, FROM);
    chart_plane_block(&p->plane, "measured", "tokens\tmeasured");
    for (uint32_t i = 0; i < p->n_measured; i++) {
        FIGURE_ROW(d->f, p->measured[i].x, p->measured[i].y[0]);
        chart_plane_avoid_point(&p->plane, p->measured[i].x, p->measured[i].y[0], RADIUS_PX);
    }
    find_uprights(p, uprights);
    put_uprights(p, uprights);
    name_ends(d, p);
    name_uprights(p, uprights);
}

/* --- the page ----------------------------------------------------------------------------------------- */

static plot_area put_page(const drawing *d)
{
    const roof_curve *c = d->curve;
    bool is_expected = false, is_measured = false, has_interval = false;
    char title[ROOF_SENTENCE_SIZE];
    for (size_t i = 0; i < d->n; i++) {
        const phase_plane *p = &d->planes[i];
        for (uint32_t k = 0; k < p->phase.n; k++) {
            is_expected |= !isnan(p->phase.points[k].expected.seconds);
            has_interval |= !isnan(p->phase.points[k].expected.ci95_s[0]);
        }
        is_measured |= p->n_measured > 0;
    }
    const chart_key keys[] = {
        {KEY_LINE, COLOUR_PREDICTED, .words = is_expected ? "expected" : NULL},
        {KEY_AREA, COLOUR_BAND, has_interval ? "95 % interval" : NULL, COLOUR_BAND},
        {KEY_DASHES, COLOUR_FLOOR, .words = "bound: nothing is faster"},
        {KEY_DISC, COLOUR_MEASURED, .words = is_measured ? "measured" : NULL},
    };
    return chart_page(d->f, text_or_empty(curve_say(c, 0, title)),
                      figure_printf(d->f, "%s, weights %s, cache %s, batch %u, %s",
                                    c->hardware ? c->hardware : "", text_or_empty(c->weights),
                                    text_or_empty(c->cache), c->batch,
                                    say_quantity(d->f->arena, c->bandwidth_bytes_per_s, "B/s")),
                      keys, sizeof keys / sizeof *keys, "roofline " ROOF_VERSION);
}

static void draw(const chart_source *s, chart_figure *f)
{
    const roof_curve *c = s->curve;
    if (!c)
        return;
    drawing d = {.f = f, .curve = c};
    const phase_plane phases[] = {{ROOF_TEXT_DECODE, curve_steps(c), "Time of a step", "Context [tokens]",
                                   .plane = {.f = f, .prefix = "steps"}},
                                  {ROOF_TEXT_PREFILL, curve_prompts(c), "Time to the first token",
                                   "Prompt [tokens]", .plane = {.f = f, .prefix = "prompts"},
                                   .is_log = true}};
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        d.planes[d.n] = phases[i];
        d.n += phases[i].phase.n && take_points(&d, &d.planes[d.n]);
    }
    if (!d.n)
        return;
    const plot_area page = put_page(&d);
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++)
        chart_plane_set(&phases[i].plane, "is_there", 0);
    for (uint32_t i = 0; i < d.n; i++) {
        /* side by side on a wide canvas, else one below the other */
        const plot_area place = chart_page_place(&page, i, d.n, f->is_wide ? d.n : 1);
        chart_plane *plane = &d.planes[i].plane;
        plane->area = chart_plane_area(&place, NUMBERS_PX, 12);
        chart_plane_set_axes(plane, plane->x, plane->y);
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
