/* Live bytes over the rows of a network: pools that are filled together one on the other, in steps, with
 * what is reserved, what there is, and the row of the peak by name. */
#include "core/checked.h"
#include "reports/charts/chart.h"
#include "reports/charts/palette.h"
#include "reports/words/memory_words.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { NUMBERS_PX = 52, MOST_POOLS = 4, MOST_STEPS = 2000 };

/* A line far above what is alive would press that to the ground. */
static const double most_above = 2.5;

static const struct {
    uint32_t fill, edge;
} shades[MOST_POOLS] = {{COLOUR_WAIT_ARRAY, COLOUR_ARRAY},
                        {COLOUR_WAIT_SIDE, COLOUR_SIDE},
                        {COLOUR_WAIT_LOAD, COLOUR_MEMORY},
                        {COLOUR_STRIP_PALE, COLOUR_OTHER}};

enum { SIZE, RESERVED, LEVELS };

typedef struct drawing {
    chart_figure *f;
    const roof_memory *memory;
    const roof_memory_pool
        *pools[MOST_POOLS];   /* the largest first; of more than there is room for the last stands
                                                * for all others */
    uint64_t *others;         /* by row, of those that have no shade of their own; NULL: none */
    uint32_t n_pools, n_left; /* n_left: pools in others */
    uint64_t *sums;           /* by row */
    uint32_t n_rows, at_row;
    uint64_t high_bytes, size_bytes; /* of all of them; ROOF_UNKNOWN */
    double unit_bytes;
    const char *unit;
    plane_level levels[LEVELS];
    chart_plane plane; /* rows, units of bytes */
} drawing;

/* True for a pool that is filled beside the one that decides. */
static bool goes_with(const roof_memory_pool *pool, const roof_memory_pool *of)
{
    const bool is_shared = pool->kind == ROOF_MEMORY_RAM || pool->kind == ROOF_MEMORY_WORKSPACE ||
                           pool->kind == ROOF_MEMORY_ARENA;
    return pool == of ||
           (is_shared && pool->bytes_by_row && pool->peak_bytes && pool->subgraph == of->subgraph &&
            pool->assuming == of->assuming && pool->kind == of->kind);
}

static int largest_first(const void *a_, const void *b_)
{
    const roof_memory_pool *const *a = a_, *const *b = b_;
    if ((*a)->peak_bytes != (*b)->peak_bytes)
        return (*a)->peak_bytes < (*b)->peak_bytes ? 1 : -1;
    return (*a > *b) - (*a < *b);
}

/* A sum that leaves 64 bits is unknown, as none in a file can be. */
static void add_known(uint64_t *sum, uint64_t term)
{
    (void)checked_add_known(sum, term);
}

static bool choose_pools(drawing *d)
{
    const roof_memory *m = d->memory;
    const roof_memory_pool *of = memory_shown_pool(m), **all;
    uint32_t n = 0;
    if (!of || !of->bytes_by_row || !of->peak_bytes)
        return false;
    all = NEW_ARRAY(d->f->arena, const roof_memory_pool *, m->n_pools);
    d->n_rows = of->n_rows;
    d->sums = NEW_ARRAY(d->f->arena, uint64_t, d->n_rows);
    d->others = NEW_ARRAY(d->f->arena, uint64_t, d->n_rows);
    if (!all || !d->sums || !d->others)
        return false;
    for (uint32_t i = 0; i < m->n_pools; i++)
        if (goes_with(&m->pools[i], of))
            all[n++] = &m->pools[i];
    qsort(all, n, sizeof *all, largest_first);
    d->n_pools = n < MOST_POOLS ? n : MOST_POOLS;
    d->n_left = n > MOST_POOLS ? n - MOST_POOLS + 1 : 0;
    for (uint32_t i = 0; i < n; i++) {
        if (i < MOST_POOLS)
            d->pools[i] = all[i];
        add_known(&d->high_bytes, all[i]->high_bytes);
        add_known(&d->size_bytes, all[i]->size_is_of_content ? ROOF_UNKNOWN : all[i]->size_bytes);
        for (uint32_t r = 0; r < d->n_rows; r++) {
            add_known(&d->sums[r], all[i]->bytes_by_row[r]);
            if (d->n_left && i + 1 >= MOST_POOLS)
                add_known(&d->others[r], all[i]->bytes_by_row[r]);
        }
    }
    for (uint32_t r = 0; r < d->n_rows; r++)
        if (d->sums[r] > d->sums[d->at_row])
            d->at_row = r;
    return true;
}

static uint64_t bytes_at(const drawing *d, uint32_t pool, uint32_t row)
{
    return d->n_left && pool + 1 == MOST_POOLS ? d->others[row] : d->pools[pool]->bytes_by_row[row];
}

static double in_units(const drawing *d, uint64_t bytes)
{
    return bytes == ROOF_UNKNOWN ? (double)NAN : (double)bytes / d->unit_bytes;
}

static void choose_axes(drawing *d)
{
    axis_extent sizes = EXTENT_EMPTY;
    const bool is_one = d->n_pools == 1;
    const double peak = in_units(d, d->sums[d->at_row]);
    d->levels[SIZE] =
        (plane_level){is_one ? "size" : "size of all", in_units(d, d->size_bytes), COLOUR_GAP, .digits = 1};
    d->levels[RESERVED] = (plane_level){is_one ? "reserved (high-water mark)" : "reserved of all",
                                        in_units(d, d->high_bytes), COLOUR_MUTED, .digits = 1};
    chart_extent_take(&sizes, peak);
    for (int i = 0; i < LEVELS; i++)
        if (d->levels[i].value <= most_above * peak)
            chart_extent_take(&sizes, d->levels[i].value);
    chart_plane_set_axes(&d->plane, (chart_axis){0, d->n_rows, .numbers = AXIS_COUNTS},
                         chart_axis_linear(sizes, 0.16));
}

/* The row of most bytes stands for its neighbours where there are more rows than pixels. */
static uint32_t row_of_step(const drawing *d, uint32_t step, uint32_t n_steps, uint32_t *first,
                            uint32_t *last)
{
    *first = (uint32_t)((uint64_t)step * d->n_rows / n_steps);
    *last = (uint32_t)((uint64_t)(step + 1) * d->n_rows / n_steps);
    uint32_t best = *first;
    for (uint32_t r = *first; r < *last; r++)
        best = d->sums[r] > d->sums[best] ? r : best;
    return best;
}

static void put_areas(const drawing *d)
{
    const uint32_t n_steps = d->n_rows < MOST_STEPS ? d->n_rows : MOST_STEPS;
    for (uint32_t p = 0; p < MOST_POOLS; p++) {
        figure_block(d->f, figure_printf(d->f, "pool%" PRIu32, p),
                     figure_printf(d->f, "row\tfrom [%s]\tto [%s]", d->unit, d->unit));
        for (uint32_t step = 0; p < d->n_pools && step < n_steps; step++) {
            uint32_t first, last;
            const uint32_t r = row_of_step(d, step, n_steps, &first, &last);
            uint64_t low = 0;
            for (uint32_t below = 0; below < p; below++)
                add_known(&low, bytes_at(d, below, r));
            const double from = in_units(d, low), to = from + in_units(d, bytes_at(d, p, r));
            FIGURE_ROW(d->f, first, from, to);
            FIGURE_ROW(d->f, last, from, to);
            if (p + 1 == d->n_pools)
                chart_plane_avoid_line(&d->plane, (plane_line){first, to, last, to}, 2);
        }
    }
}

static void put_peak(const drawing *d)
{
    const double x = d->at_row + 0.5, y = in_units(d, d->sums[d->at_row]);
    const char *name = figure_shorten(d->f, memory_row_words(d->f->arena, d->memory, d->pools[0], d->at_row),
                                      LETTER_TEXT, 260);
    figure_block(d->f, "peak", "row\tbytes");
    FIGURE_ROW(d->f, x, y);
    chart_plane_name_point(&d->plane,
                           figure_printf(d->f, "%s: %s %s", name, say_number(d->f->arena, y, 1), d->unit), x,
                           y, 5, false);
}

/* Lines that are not in the picture are told in words. */
static const char *conditions(const drawing *d)
{
    return figure_printf(d->f, "peak %s %s at row %" PRIu32 " of %" PRIu32 "%s%s",
                         say_number(d->f->arena, in_units(d, d->sums[d->at_row]), 1), d->unit, d->at_row,
                         d->n_rows,
                         d->memory->is_at_least ? "; activations at least, if nothing is tiled" : "",
                         chart_plane_levels_above(&d->plane, d->levels, LEVELS, d->unit));
}

static void draw(const chart_source *s, chart_figure *f)
{
    drawing d = {.f = f, .memory = s->memory, .plane.f = f};
    if (!s->memory || !choose_pools(&d))
        return;
    const bool is_large = d.sums[d.at_row] >= (uint64_t)10 << 20;
    d.unit_bytes = is_large ? 1 << 20 : 1 << 10;
    d.unit = is_large ? "MiB" : "KiB";
    choose_axes(&d);
    chart_key keys[MOST_POOLS];
    for (uint32_t p = 0; p < MOST_POOLS; p++) {
        keys[p] = (chart_key){KEY_AREA, shades[p].fill, NULL, shades[p].edge};
        if (p < d.n_pools)
            keys[p].words = d.n_left && p + 1 == MOST_POOLS
                                ? figure_printf(f, "%" PRIu32 " others", d.n_left)
                                : memory_pool_words(f->arena, s->memory, d.pools[p]);
    }
    const plot_area page = chart_page(f, memory_verdict(f->arena, s->memory), conditions(&d), keys,
                                      MOST_POOLS, "roofline " ROOF_VERSION);
    d.plane.area = chart_plane_area(&page, NUMBERS_PX, 12);
    choose_axes(&d);
    chart_plane_put_axes(&d.plane, NULL, NUMBERS_PX - 16, figure_printf(f, "Alive [%s]", d.unit),
                         "Row, in the order of execution");
    put_areas(&d);
    chart_plane_put_levels(&d.plane, d.levels, LEVELS, d.unit, true);
    put_peak(&d);
    f->caption =
        "The bytes that are live in each row, from the first to the last, of the memory pools that are "
        "filled together, one on the other. Lines across are what is reserved and what there is. The row of "
        "the peak has its name.";
}

const chart_def chart_memory_rows = {.id = "memory_rows", .scope = CHART_MODEL, .draw = draw};
