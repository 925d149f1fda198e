/* The memory that a language model takes over the length of its context: weights, states, cache, one on the
 * other; up to which memory it is known to fit, from which not, and how much the machine has. */
#include "reports/charts/chart.h"
#include "reports/words/curve_words.h"

/* Where weights, states and the cache end. */
enum { WEIGHTS, STATES, CACHE, AREAS };

static double gib_of(uint64_t bytes)
{
    return bytes == ROOF_UNKNOWN ? (double)NAN : (double)bytes / (1 << 30);
}

static void draw(const chart_source *s, chart_figure *f)
{
    const roof_curve *c = s->curve;
    char title[ROOF_SENTENCE_SIZE];
    const curve_phase phase = !c ? (curve_phase){0} : c->n_decode ? curve_steps(c) : curve_prompts(c);
    plane_row *rows = NEW_ARRAY(f->arena, plane_row, phase.n);
    axis_extent lengths = EXTENT_EMPTY, sizes = EXTENT_EMPTY;
    uint32_t n = 0;
    bool has_states = false;
    for (uint32_t i = 0; i < phase.n && rows; i++) { /* the points of which all is known */
        const roof_curve_point *p = &phase.points[i];
        const double need = gib_of(p->memory.need_bytes), states = gib_of(p->counts.state_bytes);
        const double weights = fmax(0, need - states - gib_of(p->counts.cache_bytes));
        if (isfinite(need) && isfinite(states) && isfinite(weights) && need > 0)
            rows[n++] = (plane_row){p->tokens, {weights, weights + states, need, NAN}};
        has_states |= p->counts.state_bytes > 0;
    }
    chart_plane_take_rows(&lengths, &sizes, rows, n);
    if (!n)
        return;
    const roof_language_memory *last = &phase.points[phase.n - 1].memory;
    plane_level levels[] = {
        {"known to fit up to here", last->limit_bytes / (1 << 30), COLOUR_MUTED, 1, "known to fit up to"},
        {"known not to fit from here on", last->fails_bytes / (1 << 30), COLOUR_GAP, 1,
         "known not to fit from"},
        {"the machine's memory", last->available_bytes ? gib_of(last->available_bytes) : (double)NAN,
         COLOUR_INK, 1, NULL}};
    for (size_t i = 0; i < N_OF(levels); i++)
        levels[i].digits += levels[i].value < 10;
    chart_levels_take(&sizes, levels, N_OF(levels), 2.5);
    const double room = lengths.high > lengths.low ? 1 : 2;
    const chart_axis x = {lengths.low / room, lengths.high * room, .is_log = true, .numbers = AXIS_DOUBLINGS},
                     y = chart_axis_linear(sizes, 0.1);
    const chart_key keys[] = {{KEY_AREA, COLOUR_WAIT_LOAD, "cache", COLOUR_MEMORY},
                              {KEY_AREA, COLOUR_WAIT_SIDE, has_states ? "states" : NULL, COLOUR_SIDE},
                              {KEY_AREA, COLOUR_WAIT_ARRAY, "weights", COLOUR_ARRAY}};
    const plot_area page =
        chart_page(f, text_or_empty(curve_say(c, 1, title)),
                   figure_printf(f, "%s on %s, weights %s, cache %s, batch %u%s", c->model,
                                 c->hardware ? c->hardware : "hardware that is not named",
                                 text_or_empty(c->weights), text_or_empty(c->cache), c->batch,
                                 chart_levels_above(f, &y, levels, N_OF(levels), "GiB")),
                   keys, N_OF(keys), "roofline " ROOF_VERSION);
    chart_plane plane = {.f = f};
    chart_plane_open(&plane, &page, 12, x, y, "Memory [GiB]",
                     c->n_decode ? "Context [tokens]" : "Prompt [tokens]");
    figure_block(f, "areas", "tokens\tweights [GiB]\twith states\twith cache");
    chart_plane_put_rows(&plane, rows, n, AREAS, CACHE, AREAS);
    chart_plane_put_levels(&plane, levels, N_OF(levels), "GiB", false);
    /* The longest context that is known to fit, with its words from the top downwards. */
    const plane_line longest = {last->largest_tokens, 0, last->largest_tokens, y.max};
    figure_block(f, "longest", "tokens\tGiB");
    if (last->largest_tokens > x.min && last->largest_tokens < x.max) {
        chart_plane_put_line(&plane, longest, 1);
        chart_plane_label_line(
            &plane, figure_printf(f, "fits up to %s", curve_say_tokens(f->arena, last->largest_tokens)),
            LETTER_BOLD, longest, &(along_line){.first = 0.98, .span = -0.96, .steps = 40});
    }
    f->caption = "The memory that weights, states and the KV cache take, one on the other, over "
                 "the length of the context, which doubles from one number to the next. Lines across it are "
                 "the memory that is known to be enough, that is known not to be, and that of the machine.";
}

const chart_def chart_memory_use = {.id = "memory_use", .scope = CHART_CURVE, .draw = draw};
