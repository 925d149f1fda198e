/* The memory that a language model takes over the length of its context: weights, states, cache, one on the
 * other; up to which memory it is known to fit, from which not, and how much the machine has. */
#include "reports/charts/chart.h"
#include "reports/charts/chart_key.h"
#include "reports/charts/palette.h"
#include "reports/words/curve_words.h"

#include <math.h>

enum { NUMBERS_PX = 52, LEFT_PX = 24, BELOW_PX = 44, PIECES = 8 };

/* A line far above what is needed would press that to the ground. */
static const double most_above = 2.5;

typedef struct drawing {
    chart_figure *f;
    curve_phase phase;
    chart_plane plane; /* tokens, GiB */
} drawing;

/* Where weights, states and the cache end, GiB. NaN: not known. */
typedef struct stack {
    double weights, states, cache;
} stack;

static double gib_of(uint64_t bytes)
{
    return bytes == ROOF_UNKNOWN ? (double)NAN : (double)bytes / (1 << 30);
}

static stack stack_of(const roof_curve_point *p)
{
    const double need = gib_of(p->memory.need_bytes);
    const double weights = need - gib_of(p->counts.state_bytes) - gib_of(p->counts.cache_bytes);
    return (stack){fmax(0, weights), fmax(0, weights) + gib_of(p->counts.state_bytes), need};
}

static bool is_known(const stack *s)
{
    return isfinite(s->weights) && isfinite(s->states) && isfinite(s->cache) && s->cache > 0;
}

/* --- lines across it ---------------------------------------------------------------------------------- */

enum { FITS, FAILS, MACHINE, LEVELS };

typedef struct level {
    const char *words, *far; /* at the line, and where it is above the picture */
    double gib;              /* NaN: not known */
    uint32_t colour;
} level;

static void find_levels(const drawing *d, level levels[LEVELS])
{
    const roof_language_memory *m = &d->phase.points[d->phase.n - 1].memory;
    const double available = m->available_bytes ? gib_of(m->available_bytes) : (double)NAN;
    levels[FITS] =
        (level){"known to fit up to here", "known to fit up to", m->limit_bytes / (1 << 30), COLOUR_SIDE};
    levels[FAILS] = (level){"known not to fit from here on", "known not to fit from",
                            m->fails_bytes / (1 << 30), COLOUR_GAP};
    levels[MACHINE] = (level){"the machine's memory", "the machine's memory", available, COLOUR_INK};
}

static const char *level_words(const drawing *d, const level *l)
{
    return figure_printf(d->f, "%s: %s GiB", l->words, say_number(d->f->arena, l->gib, l->gib < 10 ? 2 : 1));
}

/* Above its line, as far to the left as there is room; off the marks first. */
static void name_level(const drawing *d, const level *l)
{
    enum { STEPS = 40, OFF_PX = 10 };
    const plot_area *area = &d->plane.area;
    const double step_px = (area->right_px - area->left_px) / STEPS;
    for (int i = 0; i < 2 * STEPS; i++) {
        const figure_text_label label = {area->left_px + OFF_PX + step_px * (i % STEPS),
                                         chart_axis_px(&d->plane.y, l->gib) - OFF_PX,
                                         0,
                                         ANCHOR_LEFT,
                                         LETTER_BOLD,
                                         l->colour,
                                         level_words(d, l)};
        if (figure_try_label(d->f, &label, area, i < STEPS))
            return;
    }
}

static void put_levels(const drawing *d, const level levels[LEVELS])
{
    figure_block(d->f, "levels", "tokens\tGiB\tcolour");
    for (int i = 0; i < LEVELS; i++) {
        const double gib = levels[i].gib;
        const plane_line line = {d->plane.x.min, gib, d->plane.x.max, gib};
        if (!(gib > 0 && gib <= d->plane.y.max))
            continue;
        FIGURE_ROW(d->f, line.from_x, gib, levels[i].colour);
        FIGURE_ROW(d->f, line.to_x, gib, levels[i].colour);
        figure_gap(d->f);
        chart_plane_avoid_line(&d->plane, line, 1);
    }
    for (int i = 0; i < LEVELS; i++)
        if (levels[i].gib > 0 && levels[i].gib <= d->plane.y.max)
            name_level(d, &levels[i]);
}

/* --- the areas ---------------------------------------------------------------------------------------- */

static bool choose_axes(drawing *d, const level levels[LEVELS])
{
    axis_extent lengths = EXTENT_EMPTY, sizes = EXTENT_EMPTY;
    for (uint32_t i = 0; i < d->phase.n; i++) {
        const stack s = stack_of(&d->phase.points[i]);
        if (!is_known(&s))
            continue;
        chart_extent_take(&lengths, d->phase.points[i].tokens);
        chart_extent_take(&sizes, s.cache);
    }
    if (!(sizes.high > 0))
        return false;
    const double highest = sizes.high;
    for (int i = 0; i < LEVELS; i++)
        if (levels[i].gib <= most_above * highest)
            chart_extent_take(&sizes, levels[i].gib);
    const double room = lengths.high > lengths.low ? 1 : 2;
    chart_plane_set_axes(&d->plane, (chart_axis){lengths.low / room, lengths.high * room, .is_log = true},
                         chart_axis_linear(sizes, 0.1));
    return true;
}

/* The cache grows straight with the context: the pieces follow that on an axis of doublings. */
static void put_areas(const drawing *d)
{
    stack last = {NAN, NAN, NAN};
    double last_tokens = NAN;
    figure_block(d->f, "areas", "tokens\tweights [GiB]\twith states\twith cache");
    for (uint32_t i = 0; i < d->phase.n; i++) {
        const roof_curve_point *p = &d->phase.points[i];
        const stack now = stack_of(p);
        if (!is_known(&now))
            continue;
        for (int piece = is_known(&last) ? 1 : PIECES; piece <= PIECES; piece++) {
            const double part = (double)piece / PIECES, left = piece == PIECES ? 0 : 1 - part;
            const double tokens = left > 0 ? last_tokens * left + p->tokens * part : p->tokens;
            FIGURE_ROW(d->f, tokens, left > 0 ? last.weights * left + now.weights * part : now.weights,
                       left > 0 ? last.states * left + now.states * part : now.states,
                       left > 0 ? last.cache * left + now.cache * part : now.cache);
        }
        if (is_known(&last))
            chart_plane_avoid_line(&d->plane, (plane_line){last_tokens, last.cache, p->tokens, now.cache}, 3);
        last = now;
        last_tokens = p->tokens;
    }
}

/* The longest context that is known to fit, with its words from the top downwards. */
static void put_longest(const drawing *d)
{
    const uint32_t largest = d->phase.points[d->phase.n - 1].memory.largest_tokens;
    const plane_line line = {largest, 0, largest, d->plane.y.max};
    const along_line along = {.first = 0.98, .span = -0.96, .steps = 40};
    figure_block(d->f, "longest", "tokens\tGiB");
    if (!(largest > d->plane.x.min && largest < d->plane.x.max))
        return;
    chart_plane_put_line(&d->plane, line, 1);
    chart_plane_label_line(&d->plane,
                           figure_printf(d->f, "fits up to %s", curve_say_tokens(d->f->arena, largest)),
                           LETTER_BOLD, line, &along);
}

/* --- the page ----------------------------------------------------------------------------------------- */

static double put_key(const drawing *d, double top_px)
{
    bool has_states = false;
    for (uint32_t i = 0; i < d->phase.n; i++)
        has_states |= d->phase.points[i].counts.state_bytes > 0;
    const mark_key keys[] = {{MARK_AREA, COLOUR_WAIT_LOAD, COLOUR_MEMORY, "cache"},
                             {MARK_AREA, COLOUR_WAIT_SIDE, COLOUR_SIDE, has_states ? "states" : NULL},
                             {MARK_AREA, COLOUR_WAIT_ARRAY, COLOUR_ARRAY, "weights"}};
    return chart_key_put(d->f, top_px, keys, sizeof keys / sizeof *keys);
}

/* "; above: the machine's memory: 32.0 GiB" */
static const char *far_above(const drawing *d, const level levels[LEVELS])
{
    const char *list = "";
    for (int i = 0; i < LEVELS; i++)
        if (levels[i].gib > d->plane.y.max)
            list = say_more(d->f->arena, list, "%s %s GiB", levels[i].far,
                            say_number(d->f->arena, levels[i].gib, levels[i].gib < 10 ? 2 : 1));
    return *list ? figure_printf(d->f, "; above: %s", list) : "";
}

static void draw(const chart_source *s, chart_figure *f)
{
    const roof_curve *c = s->curve;
    char title[ROOF_SENTENCE_SIZE];
    level levels[LEVELS];
    if (!c)
        return;
    drawing d = {.f = f, .phase = c->n_decode ? curve_steps(c) : curve_prompts(c), .plane.f = f};
    if (!d.phase.n)
        return;
    find_levels(&d, levels);
    if (!choose_axes(&d, levels))
        return;
    const char *verdict = curve_say(c, 1, title);
    double top = figure_head(f, verdict ? verdict : "",
                             figure_printf(f, "%s on %s, weights %s, cache %s, batch %u%s", c->model,
                                           c->hardware ? c->hardware : "hardware that is not named",
                                           text_or_empty(c->weights), text_or_empty(c->cache), c->batch,
                                           far_above(&d, levels)));
    top = put_key(&d, top + 4);
    d.plane.area = (plot_area){LEFT_PX + NUMBERS_PX, f->canvas.width_px - AXIS_END_PX, top + 12,
                               figure_foot(f, "roofline " ROOF_VERSION) - BELOW_PX};
    choose_axes(&d, levels);
    chart_plane_put_axes(&d.plane, NUMBERS_PX - 16, "Memory [GiB]",
                         c->n_decode ? "Context [tokens]" : "Prompt [tokens]");
    put_areas(&d);
    put_levels(&d, levels);
    put_longest(&d);
    f->caption =
        "The memory that weights, states and the cache of keys and values take, one on the other, over "
        "the length of the context, which doubles from one number to the next. Lines across it are "
        "the memory that is known to be enough, that is known not to be, and that of the machine.";
}

const chart_def chart_memory_use = {.id = "memory_use", .scope = CHART_CURVE, .draw = draw};
