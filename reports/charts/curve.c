/* A language model over the length of its context: the time of a step, and beside it that of a prompt; what
 * is expected with its interval, the bound, what was measured. Both axes of lengths are of doublings. */
#include "reports/charts/chart.h"
#include "reports/words/curve_words.h"

enum { RADIUS_PX = 4, PHASES = 2, UPRIGHTS = 2 };

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

/* --- what is drawn ------------------------------------------------------------------------------------ */

/* Times that no axis could hold beside others are drawn as little as those that are unknown. */
static double drawn(double seconds)
{
    return seconds > 1e-12 && seconds <= CODEC_MOST_SECONDS ? seconds : (double)NAN;
}

/* From the lowest to the highest, with some room at both ends: a part of the range, at least so much. */
static chart_axis log_axis(axis_extent e, double part, double least)
{
    const double room = fmax(pow(e.high / e.low, part), least);
    return (chart_axis){.min = e.low / room, .max = e.high * room, .is_log = true};
}

/* False where no time is known. */
static bool take_points(phase_plane *p, const roof_curve *curve)
{
    axis_extent lengths = EXTENT_EMPTY, times = EXTENT_EMPTY;
    p->shown = curve_is_expected(p->phase) ? EXPECTED : BOUND;
    p->rows = NEW_ARRAY(p->plane.f->arena, plane_row, p->phase.n);
    p->measured = NEW_ARRAY(p->plane.f->arena, plane_row, curve->n_measured);
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
    for (uint32_t i = 0; i < curve->n_measured; i++) {
        const roof_curve_measured *m = &curve->measured[i];
        if (m->phase == p->of && !isnan(drawn(m->seconds)))
            p->measured[p->n_measured++] = (plane_row){m->tokens, {m->seconds, NAN, NAN, NAN}};
    }
    chart_plane_take_rows(&lengths, &times, p->rows, p->phase.n);
    chart_plane_take_rows(&lengths, &times, p->measured, p->n_measured);
    if (!(times.high > 0) || !(lengths.high > 0))
        return false;
    p->scale = chart_scale_of(times.high);
    chart_plane_scale_rows(p->rows, p->phase.n, p->scale.factor);
    chart_plane_scale_rows(p->measured, p->n_measured, p->scale.factor);
    times = (axis_extent){times.low * p->scale.factor, times.high * p->scale.factor};
    p->plane.x = log_axis(lengths, 0.04, lengths.high > lengths.low ? 1 : 2);
    p->plane.x.numbers = AXIS_DOUBLINGS;
    p->plane.y = p->is_log ? log_axis(times, 0.08, 1.3) : chart_axis_linear(times, 0.1);
    return true;
}

/* A length of context from which something else holds, as a line up to the curve, which is straight between
 * two points. False: it is not here. */
static bool find_upright(const phase_plane *p, double tokens, plane_line *line)
{
    const chart_axis *x = &p->plane.x, *y = &p->plane.y;
    if (p->of != ROOF_TEXT_DECODE || !(tokens > x->min && tokens < x->max))
        return false;
    *line = (plane_line){tokens, y->min, tokens, NAN};
    for (uint32_t i = 1; i < p->phase.n && isnan(line->to_y); i++) {
        const plane_row *a = &p->rows[i - 1], *b = &p->rows[i];
        if (tokens >= a->x && tokens <= b->x)
            line->to_y = a->y[p->shown] + (tokens - a->x) / (b->x - a->x) * (b->y[p->shown] - a->y[p->shown]);
    }
    return line->to_y > y->min && line->to_y < y->max;
}

static void put_plane(phase_plane *p, const roof_curve *curve, const plot_area *place)
{
    static const char *const words[UPRIGHTS] = {"cache leads", "known to fit"};
    const along_line along = {.first = 0.02, .span = 0.96, .steps = 60};
    const roof_curve_point *last = &p->phase.points[p->phase.n - 1];
    /* that the model was made for no more does not end anything here */
    const double largest =
                     last->memory.largest_tokens < last->tokens ? last->memory.largest_tokens : (double)NAN,
                 tokens[UPRIGHTS] = {curve_crossing(p->phase), largest};
    plane_line lines[UPRIGHTS] = {{0}};
    bool are_there[UPRIGHTS];
    chart_figure *f = p->plane.f;
    chart_plane_set(&p->plane, "is_there", 1);
    chart_plane_set(&p->plane, "is_log", p->is_log);
    chart_plane_open(&p->plane, place, 12, p->plane.x, p->plane.y,
                     figure_printf(f, "%s [%s]", p->title, p->scale.unit), p->below);
    chart_plane_block(&p->plane, "lines", "tokens\tbound\texpected\tfrom\tto: 95 %");
    chart_plane_put_rows(&p->plane, p->rows, p->phase.n, PLANE_LINES, BOUND, FROM);
    chart_plane_block(&p->plane, "measured", "tokens\tmeasured");
    for (uint32_t i = 0; i < p->n_measured; i++) {
        FIGURE_ROW(f, p->measured[i].x, p->measured[i].y[0]);
        chart_plane_avoid_point(&p->plane, p->measured[i].x, p->measured[i].y[0], RADIUS_PX);
    }
    chart_plane_block(&p->plane, "uprights", "tokens\ttime");
    for (int i = 0; i < UPRIGHTS; i++) {
        are_there[i] = find_upright(p, tokens[i], &lines[i]);
        if (!are_there[i])
            continue;
        chart_plane_put_line(&p->plane, lines[i], 1);
        figure_gap(f);
    }
    /* Values at the ends: "15.5 ms, 64.5/s". */
    uint32_t first = 0, end = p->phase.n;
    while (first < end && isnan(p->rows[first].y[p->shown]))
        first++;
    while (end > first && isnan(p->rows[end - 1].y[p->shown]))
        end--;
    for (uint32_t i = first; i < end; i = i + 1 < end ? end - 1 : end) {
        const roof_curve_point *point = &p->phase.points[i];
        const double seconds = p->shown == EXPECTED ? point->expected.seconds : point->ideal_s;
        const double rate = curve_rate(curve, point, seconds);
        chart_plane_name_point(&p->plane,
                               figure_printf(f, "%s, %s/s", say_quantity(f->arena, seconds, "s"),
                                             say_number(f->arena, rate, rate < 100 ? 1 : 0)),
                               point->tokens, p->rows[i].y[p->shown], RADIUS_PX, false);
    }
    for (int i = 0; i < UPRIGHTS; i++) /* from the axis upwards; where the line is short words are left out */
        if (are_there[i])
            chart_plane_label_line(&p->plane, words[i], LETTER_SMALL, lines[i], &along);
}

/* --- the page ----------------------------------------------------------------------------------------- */

static void draw(const chart_source *s, chart_figure *f)
{
    const roof_curve *c = s->curve;
    bool is_expected = false, is_measured = false, has_interval = false;
    char title[ROOF_SENTENCE_SIZE];
    uint32_t n = 0;
    if (!c)
        return;
    phase_plane planes[PHASES];
    const phase_plane phases[PHASES] = {{ROOF_TEXT_DECODE, curve_steps(c), "Time of a step",
                                         "Context [tokens]", .plane = {.f = f, .prefix = "steps"}},
                                        {ROOF_TEXT_PREFILL, curve_prompts(c), "Time to the first token",
                                         "Prompt [tokens]", .plane = {.f = f, .prefix = "prompts"},
                                         .is_log = true}};
    for (size_t i = 0; i < PHASES; i++) {
        phase_plane *p = &planes[n];
        *p = phases[i];
        if (!p->phase.n || !take_points(p, c))
            continue;
        n++;
        is_measured |= p->n_measured > 0;
        for (uint32_t k = 0; k < p->phase.n; k++) {
            is_expected |= !isnan(p->phase.points[k].expected.seconds);
            has_interval |= !isnan(p->phase.points[k].expected.ci95_s[0]);
        }
    }
    if (!n)
        return;
    const chart_key keys[] = {{KEY_LINE, COLOUR_PREDICTED, .words = is_expected ? "expected" : NULL},
                              {KEY_AREA, COLOUR_BAND, has_interval ? "95 % interval" : NULL, COLOUR_BAND},
                              {KEY_DASHES, COLOUR_FLOOR, .words = "bound: nothing is faster"},
                              {KEY_DISC, COLOUR_MEASURED, .words = is_measured ? "measured" : NULL}};
    const plot_area page =
        chart_page(f, text_or_empty(curve_say(c, 0, title)),
                   figure_printf(f, "%s, weights %s, cache %s, batch %u, %s", text_or_empty(c->hardware),
                                 text_or_empty(c->weights), text_or_empty(c->cache), c->batch,
                                 say_quantity(f->arena, c->bandwidth_bytes_per_s, "B/s")),
                   keys, N_OF(keys), "roofline " ROOF_VERSION);
    for (size_t i = 0; i < PHASES; i++)
        chart_plane_set(&phases[i].plane, "is_there", 0);
    for (uint32_t i = 0; i < n; i++) { /* side by side on a wide canvas, else one below the other */
        const plot_area place = chart_page_place(&page, i, n, f->is_wide ? n : 1);
        put_plane(&planes[i], c, &place);
    }
    f->caption = "The time of a step over the length of its context, and of a prompt over its own; lengths "
                 "double from one number to the next. Lines are what is expected, pale bands their 95 % "
                 "interval; no run is faster than the dashed lines. Discs are measured. Where the cache "
                 "leads, attention over it takes longer than the weights.";
}

const chart_def chart_curve = {.id = "curve", .scope = CHART_CURVE, .draw = draw};
