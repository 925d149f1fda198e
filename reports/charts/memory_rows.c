/* Live bytes over the rows of a network: pools that are filled together one on the other, in steps, with
 * what is reserved, what there is, and the row of the peak by name. */
#include "reports/charts/chart.h"
#include "reports/words/memory_words.h"

enum { MOST_POOLS = 4, MOST_STEPS = 2000 };

static const struct {
    uint32_t fill, edge;
} shades[MOST_POOLS] = {{COLOUR_WAIT_ARRAY, COLOUR_ARRAY},
                        {COLOUR_WAIT_SIDE, COLOUR_SIDE},
                        {COLOUR_WAIT_LOAD, COLOUR_MEMORY},
                        {COLOUR_STRIP_PALE, COLOUR_OTHER}};

typedef struct drawing {
    const roof_memory *memory;
    const roof_memory_pool *pools[MOST_POOLS]; /* the largest first; of more the last stands for others */
    uint64_t *others;                          /* by row, of those that have no shade of their own */
    uint32_t n_pools, n_left;                  /* n_left: pools in others */
    uint64_t *sums;                            /* by row */
    uint32_t n_rows, at_row;
    uint64_t high_bytes, size_bytes; /* of all of them; ROOF_UNKNOWN */
    double unit_bytes;
} drawing;

/* Sums that leave 64 bits are unknown, as none in a file can be. */
static bool choose_pools(drawing *d, roof_arena *arena)
{
    const roof_memory *m = d->memory;
    const roof_memory_pool *of = memory_shown_pool(m), **all;
    uint32_t n = 0;
    if (!of || !of->bytes_by_row || !of->peak_bytes)
        return false;
    all = NEW_ARRAY(arena, const roof_memory_pool *, m->n_pools);
    d->n_rows = of->n_rows;
    d->sums = NEW_ARRAY(arena, uint64_t, d->n_rows);
    d->others = NEW_ARRAY(arena, uint64_t, d->n_rows);
    if (!all || !d->sums || !d->others)
        return false;
    FOR_EACH(const roof_memory_pool, pool, m->pools, m->n_pools) { /* filled beside the one that decides */
        const bool is_shared = pool->kind == ROOF_MEMORY_RAM || pool->kind == ROOF_MEMORY_WORKSPACE ||
                               pool->kind == ROOF_MEMORY_ARENA;
        if (pool == of ||
            (is_shared && pool->bytes_by_row && pool->peak_bytes && pool->subgraph == of->subgraph &&
             pool->assuming == of->assuming && pool->kind == of->kind))
            all[n++] = pool;
    }
    order_pointers(all, n, ORDER_BY(FALLING(roof_memory_pool, peak_bytes)));
    d->n_pools = n < MOST_POOLS ? n : MOST_POOLS;
    d->n_left = n > MOST_POOLS ? n - MOST_POOLS + 1 : 0;
    for (uint32_t i = 0; i < n; i++) {
        if (i < MOST_POOLS)
            d->pools[i] = all[i];
        (void)checked_add_known(&d->high_bytes, all[i]->high_bytes);
        (void)checked_add_known(&d->size_bytes,
                                all[i]->size_is_of_content ? ROOF_UNKNOWN : all[i]->size_bytes);
        for (uint32_t r = 0; r < d->n_rows; r++) {
            (void)checked_add_known(&d->sums[r], all[i]->bytes_by_row[r]);
            if (d->n_left && i + 1 >= MOST_POOLS)
                (void)checked_add_known(&d->others[r], all[i]->bytes_by_row[r]);
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

/* In steps; where there are more rows than pixels the row of most bytes stands for its neighbours. */
static void put_areas(const drawing *d, const chart_plane *plane)
{
    const uint32_t n_steps = d->n_rows < MOST_STEPS ? d->n_rows : MOST_STEPS;
    for (uint32_t p = 0; p < MOST_POOLS; p++) {
        figure_block(plane->f, figure_printf(plane->f, "pool%u", p), "row\tfrom, scaled\tto");
        for (uint32_t step = 0; p < d->n_pools && step < n_steps; step++) {
            const uint32_t first = (uint32_t)((uint64_t)step * d->n_rows / n_steps),
                           last = (uint32_t)((uint64_t)(step + 1) * d->n_rows / n_steps);
            uint32_t row = first;
            uint64_t low = 0;
            for (uint32_t r = first; r < last; r++)
                row = d->sums[r] > d->sums[row] ? r : row;
            for (uint32_t below = 0; below < p; below++)
                (void)checked_add_known(&low, bytes_at(d, below, row));
            const double from = in_units(d, low), to = from + in_units(d, bytes_at(d, p, row));
            FIGURE_ROW(plane->f, first, from, to);
            FIGURE_ROW(plane->f, last, from, to);
            if (p + 1 == d->n_pools)
                chart_plane_avoid_line(plane, (plane_line){first, to, last, to}, 2);
        }
    }
}

static void draw(const chart_source *s, chart_figure *f)
{
    drawing d = {.memory = s->memory};
    if (!s->memory || !choose_pools(&d, f->arena))
        return;
    const bool is_large = d.sums[d.at_row] >= (uint64_t)10 << 20, is_one = d.n_pools == 1;
    const char *unit = is_large ? "MiB" : "KiB";
    d.unit_bytes = is_large ? 1 << 20 : 1 << 10;
    const double peak = in_units(&d, d.sums[d.at_row]);
    const char *peak_words = figure_printf(f, "%s %s", say_number(f->arena, peak, 1), unit);
    const plane_level levels[] = {
        {is_one ? "size" : "size of all", in_units(&d, d.size_bytes), COLOUR_GAP, .digits = 1},
        {is_one ? "reserved (high-water mark)" : "reserved of all", in_units(&d, d.high_bytes), COLOUR_MUTED,
         .digits = 1}};
    axis_extent sizes = {peak, peak};
    chart_levels_take(&sizes, levels, N_OF(levels), 2.5);
    const chart_axis y = chart_axis_linear(sizes, 0.16);
    chart_key keys[MOST_POOLS] = {{0}};
    for (uint32_t p = 0; p < d.n_pools; p++)
        keys[p] =
            (chart_key){KEY_AREA, shades[p].fill,
                        d.n_left && p + 1 == MOST_POOLS ? figure_printf(f, "%u others", d.n_left)
                                                        : memory_pool_words(f->arena, s->memory, d.pools[p]),
                        shades[p].edge};
    const plot_area page =
        chart_page(f, memory_verdict(f->arena, s->memory),
                   figure_printf(f, "peak %s at row %u of %u%s%s", peak_words, d.at_row, d.n_rows,
                                 s->memory->is_at_least ? "; activations at least, if nothing is tiled" : "",
                                 chart_levels_above(f, &y, levels, N_OF(levels), unit)),
                   keys, MOST_POOLS, "roofline " ROOF_VERSION);
    chart_plane plane = {.f = f};
    chart_plane_open(&plane, &page, 12, (chart_axis){.max = d.n_rows, .numbers = AXIS_COUNTS}, y,
                     figure_printf(f, "Alive [%s]", unit), "Row, in the order of execution");
    put_areas(&d, &plane);
    chart_plane_put_levels(&plane, levels, N_OF(levels), unit, true);
    const char *name =
        figure_shorten(f, memory_row_words(f->arena, s->memory, d.pools[0], d.at_row), LETTER_TEXT, 260);
    figure_block(f, "peak", "row\tbytes");
    FIGURE_ROW(f, d.at_row + 0.5, peak);
    chart_plane_name_point(&plane, figure_printf(f, "%s: %s", name, peak_words), d.at_row + 0.5, peak, 5,
                           false);
    f->caption =
        "The bytes that are live in each row, from the first to the last, of the memory pools that are "
        "filled together, one on the other. Lines across are what is reserved and what there is. The row of "
        "the peak has its name.";
}

const chart_def chart_memory_rows = {.id = "memory_rows", .scope = CHART_MODEL, .draw = draw};
