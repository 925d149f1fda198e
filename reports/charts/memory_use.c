/* The memory that a language model takes over the length of its context: weights, states, cache, one on the
 * other; up to which memory it is known to fit, from which not, and how much the machine has. */
#include "reports/charts/chart.h"
#include "reports/charts/palette.h"
#include "reports/words/curve_words.h"

#include <math.h>

enum { NUMBERS_PX = 52 };

/* A line far above what is needed would press that to the ground. */
static const double most_above = 2.5;

/* Where weights, states and the cache end. */
enum { WEIGHTS, STATES, CACHE, AREAS };

enum { FITS, FAILS, MACHINE, LEVELS };

typedef struct drawing {
    chart_figure *f;
    curve_phase phase;
    plane_row *rows; /* of points of which all is known: GiB of areas */
    uint32_t n_rows;
    plane_level levels[LEVELS]; /* GiB */
    chart_plane plane;          /* tokens, GiB */
} drawing;

static double gib_of(uint64_t bytes)
{
    return bytes == ROOF_UNKNOWN ? (double)NAN : (double)bytes / (1 << 30);
}

static void take_points(drawing *d)
{
    d->rows = NEW_ARRAY(d->f->arena, plane_row, d->phase.n);
    for (uint32_t i = 0; i < d->phase.n && d->rows; i++) {
        const roof_curve_point *p = &d->phase.points[i];
        const double need = gib_of(p->memory.need_bytes), states = gib_of(p->counts.state_bytes);
        const double weights = fmax(0, need - states - gib_of(p->counts.cache_bytes));
        if (isfinite(need) && isfinite(states) && isfinite(weights) && need > 0)
            d->rows[d->n_rows++] = (plane_row){p->tokens, {weights, weights + states, need, NAN}};
    }
}

static void find_levels(drawing *d)
{
    static const struct {
        const char *words, *far;
        uint32_t colour;
    } looks[LEVELS] = {[FITS] = {"known to fit up to here", "known to fit up to", COLOUR_MUTED},
                       [FAILS] = {"known not to fit from here on", "known not to fit from", COLOUR_GAP},
                       [MACHINE] = {"the machine's memory", NULL, COLOUR_INK}};
    const roof_language_memory *m = &d->phase.points[d->phase.n - 1].memory;
    const double gib[LEVELS] = {[FITS] = m->limit_bytes / (1 << 30),
                                [FAILS] = m->fails_bytes / (1 << 30),
                                [MACHINE] = m->available_bytes ? gib_of(m->available_bytes) : (double)NAN};
    for (int i = 0; i < LEVELS; i++)
        d->levels[i] =
            (plane_level){looks[i].words, gib[i], looks[i].colour, gib[i] < 10 ? 2 : 1, looks[i].far};
}

/* --- the areas ---------------------------------------------------------------------------------------- */

static bool choose_axes(drawing *d)
{
    axis_extent lengths = EXTENT_EMPTY, sizes = EXTENT_EMPTY;
    chart_plane_take_rows(&lengths, &sizes, d->rows, d->n_rows);
    if (!(sizes.high > 0))
        return false;
    const double highest = sizes.high, room = lengths.high > lengths.low ? 1 : 2;
    for (int i = 0; i < LEVELS; i++)
        if (d->levels[i].value <= most_above * highest)
            chart_extent_take(&sizes, d->levels[i].value);
    chart_plane_set_axes(
        &d->plane,
        (chart_axis){lengths.low / room, lengths.high * room, .is_log = true, .numbers = AXIS_DOUBLINGS},
        chart_axis_linear(sizes, 0.1));
    return true;
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

static void draw(const chart_source *s, chart_figure *f)
{
    const roof_curve *c = s->curve;
    char title[ROOF_SENTENCE_SIZE];
    if (!c)
        return;
    drawing d = {.f = f, .phase = c->n_decode ? curve_steps(c) : curve_prompts(c), .plane.f = f};
    if (!d.phase.n)
        return;
    take_points(&d);
    find_levels(&d);
    if (!choose_axes(&d))
        return;
    bool has_states = false;
    for (uint32_t i = 0; i < d.phase.n; i++)
        has_states |= d.phase.points[i].counts.state_bytes > 0;
    const chart_key keys[] = {{KEY_AREA, COLOUR_WAIT_LOAD, "cache", COLOUR_MEMORY},
                              {KEY_AREA, COLOUR_WAIT_SIDE, has_states ? "states" : NULL, COLOUR_SIDE},
                              {KEY_AREA, COLOUR_WAIT_ARRAY, "weights", COLOUR_ARRAY}};
    const plot_area page =
        chart_page(f, text_or_empty(curve_say(c, 1, title)),
                   figure_printf(f, "%s on %s, weights %s, cache %s, batch %u%s", c->model,
                                 c->hardware ? c->hardware : "hardware that is not named",
                                 text_or_empty(c->weights), text_or_empty(c->cache), c->batch,
                                 chart_plane_levels_above(&d.plane, d.levels, LEVELS, "GiB")),
                   keys, sizeof keys / sizeof *keys, "roofline " ROOF_VERSION);
    d.plane.area = chart_plane_area(&page, NUMBERS_PX, 12);
    choose_axes(&d);
    chart_plane_put_axes(&d.plane, NULL, NUMBERS_PX - 16, "Memory [GiB]",
                         c->n_decode ? "Context [tokens]" : "Prompt [tokens]");
    figure_block(f, "areas", "tokens\tweights [GiB]\twith states\twith cache");
    chart_plane_put_rows(&d.plane, d.rows, d.n_rows, AREAS, CACHE, AREAS);
    chart_plane_put_levels(&d.plane, d.levels, LEVELS, "GiB", false);
    put_longest(&d);
    f->caption = "The memory that weights, states and the KV cache take, one on the other, over "
                 "the length of the context, which doubles from one number to the next. Lines across it are "
                 "the memory that is known to be enough, that is known not to be, and that of the machine.";
}

const chart_def chart_memory_use = {.id = "memory_use", .scope = CHART_CURVE, .draw = draw};
