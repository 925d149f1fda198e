#include "reports/page/page_sections.h"
#include "reports/tables/inspect/inspect.h"

uint32_t page_memory_model(const report_page *page, uint32_t model)
{
    const roof_report_memory *of = page->models[model].memory;
    uint32_t first = 0;
    while (first < model &&
           !(of->memory && page->models[first].memory && page->models[first].memory->memory == of->memory))
        first++;
    return first;
}

/* ---- from rows of memory to rows of the table of layers ---- */

/* The number of the table's row, 0 for none, of a row of memory. */
static uint32_t table_row_of(const page_model *m, const char *row)
{
    const uint32_t layer = memory_layer_of(m->memory_rows, row);
    const uint32_t number = layer == ROOF_NONE ? 0 : m->prediction->layers[layer].index;
    return number < m->table_rows.n ? m->table_rows.rows[number] : 0;
}

/* A model of a page, and where its links begin: "#layers-1-". */
typedef struct row_links {
    const page_model *model;
    const char *begin;
    roof_arena *arena;
} row_links;

static const char *href_of(const void *links_, const char *row)
{
    const row_links *links = links_;
    const uint32_t number = table_row_of(links->model, row);
    return number ? say_printf(links->arena, "%s%u", links->begin, number) : NULL;
}

/* ---- the block ---- */

static void put_table(const cell_grid *grid, const char *id, const char *caption, uint32_t model,
                      const row_links *links, textbuf *out)
{
    static const char *const columns[] = {"at", "from", "to", NULL};
    grid_put_html(grid,
                  &(html_table){.id = id,
                                .number = model + 1,
                                .caption = caption,
                                .heading = 4,
                                .links = {.columns = columns, .href = href_of, .of = links}},
                  out);
}

void page_put_memory(const report_page *page, uint32_t model, textbuf *out)
{
    const roof_report_memory *of = page->models[model].memory;
    if (!of)
        return;
    const uint32_t first = page_memory_model(page, model);
    html_printf(out, "<h3 id=\"memory-%u\">Memory</h3>\n", model + 1);
    if (!of->memory)
        html_printf(out, "<p class=\"lead\">What it needs of memory is unknown: %s.</p>\n", of->why);
    else if (first < model)
        html_printf(out,
                    "<p class=\"lead\">%s <a href=\"#memory-%u\">Picture and tables</a> are with %s.</p>\n",
                    memory_verdict(page->arena, of->memory), first + 1, page->models[first].name);
    if (!of->memory || first < model)
        return;
    const roof_memory *m = of->memory;
    const row_links links = {.model = &page->models[model],
                             .begin = say_printf(page->arena, "#layers-%u-", model + 1),
                             .arena = page->arena};
    const roof_memory_pool *said = memory_said_pool(m);
    const char *href = href_of(&links, said ? roof_memory_row_name(m, said, said->at_row) : NULL);
    cell_grid grid;
    remarks lines = {.arena = page->arena};
    if (!page_has_figure(page, model, PLACE_MEMORY)) /* which says it on top */
        html_printf(out, "<p class=\"lead\">%s</p>\n", memory_verdict(page->arena, m));
    page_put_figures(page, model, PLACE_MEMORY, out);
    if (href)
        html_printf(out, "<p><a href=\"%s\">The peak's row in the table of layers</a>.</p>\n", href);
    memory_remarks(m, &lines);
    if (lines.n)
        page_put_remarks("facts", &lines, out);
    inspect_memory_pools(&grid, page->arena, m);
    put_table(&grid, "memory-pools", "Memory pools", model, &links, out);
    inspect_memory_live(&grid, page->arena, m);
    put_table(&grid, "memory-live", "The largest buffers of each peak", model, &links, out);
}

/* ---- its rows among the layers ---- */

/* A pool that a reader watches, or all RAM where that is several of them; NULL past the end. */
static const roof_memory_pool *nth_peak(const roof_memory *m, uint32_t i)
{
    uint32_t n = 0;
    if (i < m->n_pools)
        return &m->pools[i];
    for (uint32_t k = 0; k < m->n_pools; k++)
        n += m->pools[k].kind == ROOF_MEMORY_RAM && memory_is_watched(&m->pools[k]);
    return i == m->n_pools && n > 1 ? m->total_ram : NULL;
}

const char *const *page_peaks_of(const page_model *m, roof_arena *arena)
{
    enum { MOST_NAMED = 3 };
    const roof_memory *memory = m->memory ? m->memory->memory : NULL;
    const roof_memory_pool *pool;
    if (!memory)
        return NULL;
    uint32_t *n_named = NEW_ARRAY(arena, uint32_t, m->table_rows.n);
    const char **marks = NEW_ARRAY(arena, const char *, m->table_rows.n);
    for (uint32_t i = 0; n_named && marks && (pool = nth_peak(memory, i)); i++) {
        const uint32_t row =
            memory_is_watched(pool) ? table_row_of(m, roof_memory_row_name(memory, pool, pool->at_row)) : 0;
        if (!row || n_named[row] > MOST_NAMED)
            continue;
        const char *name = n_named[row] == MOST_NAMED ? "others" : memory_pool_words(arena, memory, pool);
        marks[row] = n_named[row]++ ? say_printf(arena, "%s, %s", marks[row], name)
                                    : say_printf(arena, "peak of %s", name);
    }
    return marks;
}
