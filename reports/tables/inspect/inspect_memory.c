#include "reports/tables/inspect/inspect_memory.h"
#include "reports/words/memory_words.h"

#include <inttypes.h>
#include <math.h>

/* ---- JSON ---- */

static void put_why(jsonout *j, const char *key, const char *why)
{
    if (why)
        jsonout_string(j, key, why);
}

static void put_index(jsonout *j, const char *key, uint32_t index)
{
    jsonout_count(j, key, index == ROOF_NONE ? ROOF_UNKNOWN : index);
}

static void put_live(jsonout *j, const roof_memory_pool *pool)
{
    jsonout_array(j, "live", false);
    for (uint32_t i = 0; i < pool->n_live; i++) {
        const roof_memory_buffer *b = &pool->live[i];
        jsonout_object(j, NULL, true);
        jsonout_string(j, "name", b->name);
        jsonout_count(j, "offset_bytes", b->offset_bytes);
        jsonout_count(j, "bytes", b->bytes);
        jsonout_count(j, "first_row", b->first_row);
        jsonout_count(j, "last_row", b->last_row);
        jsonout_count(j, "peak_without_bytes", b->peak_without_bytes);
        jsonout_end(j);
    }
    jsonout_end(j);
}

static void put_remedies(jsonout *j, const roof_memory_pool *pool)
{
    jsonout_array(j, "must_shrink", false);
    for (uint32_t i = 0; i < pool->n_remedies; i++) {
        const roof_memory_remedy *r = &pool->remedies[i];
        jsonout_object(j, NULL, false);
        jsonout_string(j, "by", r->halves ? "half" : "all");
        jsonout_bool(j, "is_smallest", r->is_smallest);
        jsonout_count(j, "peak_bytes", r->peak_bytes);
        jsonout_array(j, "buffers", false);
        for (uint32_t k = 0; k < r->n_changes; k++) {
            const roof_memory_change *c = &r->changes[k];
            jsonout_object(j, NULL, true);
            jsonout_string(j, "name", c->name);
            jsonout_count(j, "bytes", c->bytes);
            jsonout_count(j, "buffers", c->n_buffers);
            jsonout_count(j, "first_row", c->first_row);
            jsonout_count(j, "last_row", c->last_row);
            jsonout_end(j);
        }
        jsonout_end(j);
        jsonout_end(j);
    }
    jsonout_end(j);
    put_why(j, "why_no_remedy", pool->why_no_remedy);
}

static void put_bytes_by_row(jsonout *j, const roof_memory_pool *pool)
{
    if (!pool->bytes_by_row) {
        jsonout_null(j, "bytes_by_row");
        return;
    }
    jsonout_array(j, "bytes_by_row", true);
    for (uint32_t r = 0; r < pool->n_rows; r++)
        jsonout_count(j, NULL, pool->bytes_by_row[r]);
    jsonout_end(j);
}

/* Sizes of a pool, which the sum of pools has as well. */
static void put_sizes(jsonout *j, const roof_memory *m, const roof_memory_pool *pool)
{
    jsonout_count(j, "stated_bytes", pool->stated_bytes);
    jsonout_count(j, "high_bytes", pool->high_bytes);
    jsonout_count(j, "peak_bytes", pool->peak_bytes);
    put_index(j, "at_row", pool->at_row);
    jsonout_string(j, "at_name", roof_memory_row_name(m, pool, pool->at_row));
    jsonout_count(j, "rows_near_peak",
                  pool->peak_bytes == ROOF_UNKNOWN ? ROOF_UNKNOWN : pool->n_rows_near_peak);
    jsonout_count(j, "fragmentation_bytes", pool->fragmentation_bytes);
}

static void put_pool(jsonout *j, const roof_memory *m, const roof_memory_pool *pool)
{
    jsonout_object(j, NULL, false);
    jsonout_string(j, "name", pool->name);
    put_index(j, "subgraph", pool->subgraph);
    jsonout_string(j, "assuming", pool->assuming);
    jsonout_string(j, "kind", roof_memory_kind_text(pool->kind));
    jsonout_count(j, "size_bytes", pool->size_bytes);
    jsonout_bool(j, "size_is_asked", pool->size_is_asked);
    jsonout_bool(j, "size_is_of_content", pool->size_is_of_content);
    jsonout_string(j, "stated_by", pool->stated_by);
    put_sizes(j, m, pool);
    jsonout_number(j, "headroom_bytes",
                   pool->headroom_bytes == INT64_MIN ? (double)NAN : (double)pool->headroom_bytes);
    jsonout_string(j, "fit", pool->fit == ROOF_MEMORY_FIT_UNKNOWN ? NULL : roof_memory_fit_text(pool->fit));
    put_why(j, "why_no_peak", pool->why_no_peak);
    put_why(j, "why_no_high", pool->why_no_high);
    put_why(j, "why_not_without", pool->why_not_without);
    put_why(j, "remark", pool->remark);
    put_index(j, "first_row", pool->first_row);
    put_bytes_by_row(j, pool);
    put_live(j, pool);
    if (pool->n_remedies || pool->why_no_remedy)
        put_remedies(j, pool);
    jsonout_end(j);
}

void inspect_memory_json(jsonout *j, const roof_memory *m)
{
    jsonout_object(j, "memory", false);
    jsonout_count(j, "rows", m->n_rows);
    jsonout_bool(j, "is_at_least", m->is_at_least);
    jsonout_array(j, "row_names", false);
    for (uint32_t i = 0; i < m->n_rows; i++)
        jsonout_string(j, NULL, m->row_names[i]);
    jsonout_end(j);
    if (m->total_ram) {
        jsonout_object(j, "total_ram", false);
        put_sizes(j, m, m->total_ram);
        put_bytes_by_row(j, m->total_ram);
        jsonout_end(j);
    } else
        jsonout_null(j, "total_ram");
    jsonout_array(j, "pools", false);
    for (uint32_t i = 0; i < m->n_pools; i++)
        put_pool(j, m, &m->pools[i]);
    jsonout_end(j);
    jsonout_end(j);
}

/* ---- tables ---- */

static grid_cell headroom_cell(const roof_memory_pool *pool)
{
    if (pool->headroom_bytes == INT64_MIN)
        return cell_count(ROOF_UNKNOWN);
    grid_cell cell = cell_spaced((double)pool->headroom_bytes, 0);
    cell.colour = pool->headroom_bytes < 0 ? CELL_RED : CELL_PLAIN;
    return cell;
}

GRID_COLUMNS(pool_columns, GRID_NAME("pool", 0), GRID_TEXT("kind", 3), GRID_NUMBER("size", "[B]", 2),
             GRID_NUMBER("reserved", "[B]", 0), GRID_NUMBER("peak", "[B]", 0), GRID_NAME("at", 0),
             GRID_NUMBER("rows near it", NULL, 4), GRID_NUMBER("headroom", "[B]", 1), GRID_TEXT("fits", 2));

void inspect_memory_pools(cell_grid *t, roof_arena *arena, const roof_memory *m)
{
    grid_begin(t, arena, pool_columns, sizeof pool_columns / sizeof *pool_columns);
    t->is_sparse = true;
    for (uint32_t i = 0; i <= m->n_pools; i++) {
        const roof_memory_pool *p = i < m->n_pools ? &m->pools[i] : m->total_ram;
        if (!p || (p->high_bytes == 0 && (p->peak_bytes == 0 || p->peak_bytes == ROOF_UNKNOWN)))
            continue; /* nothing uses it */
        grid_cell name = cell_text(memory_pool_words(arena, m, p));
        name.is_label = i == m->n_pools;
        GRID_ADD(
            t, name, cell_text(i < m->n_pools ? roof_memory_kind_text(p->kind) : ""),
            cell_count(p->size_is_of_content ? ROOF_UNKNOWN : p->size_bytes), cell_count(p->high_bytes),
            cell_count(p->peak_bytes),
            cell_text(p->at_row == ROOF_NONE ? "" : text_or_empty(roof_memory_row_name(m, p, p->at_row))),
            cell_count(p->at_row == ROOF_NONE ? ROOF_UNKNOWN : p->n_rows_near_peak), headroom_cell(p),
            cell_text(p->fit == ROOF_MEMORY_FIT_UNKNOWN ? "" : roof_memory_fit_text(p->fit)));
    }
}

GRID_COLUMNS(live_columns, GRID_NAME("pool", 0), GRID_NAME("buffer", 0), GRID_NUMBER("size", "[B]", 0),
             GRID_PERCENT("of the peak", 1), GRID_NAME("from", 3), GRID_NAME("to", 3),
             GRID_NUMBER("peak without it", "[B]", 0));

void inspect_memory_live(cell_grid *t, roof_arena *arena, const roof_memory *m)
{
    enum { MOST_SHOWN = 3 };
    grid_begin(t, arena, live_columns, sizeof live_columns / sizeof *live_columns);
    t->is_sparse = true;
    for (uint32_t i = 0; i < m->n_pools; i++) {
        const roof_memory_pool *p = &m->pools[i];
        for (uint32_t k = 0; k < p->n_live && k < MOST_SHOWN && memory_is_watched(p); k++) {
            const roof_memory_buffer *b = &p->live[k];
            GRID_ADD(t, cell_text(k ? "" : memory_pool_words(arena, m, p)), cell_text(b->name),
                     cell_count(b->bytes), cell_value((double)b->bytes / (double)p->peak_bytes),
                     cell_text(text_or_empty(roof_memory_row_name(m, p, b->first_row))),
                     cell_text(text_or_empty(roof_memory_row_name(m, p, b->last_row))),
                     cell_count(b->peak_without_bytes));
        }
    }
}

void inspect_memory_put(const rendering *r)
{
    const roof_memory *m = r->options->memory;
    const char *verdict = memory_verdict(r->arena, m);
    remarks lines = {.arena = r->arena};
    cell_grid grid;
    writer_verdict(&r->writer, &verdict, 1);
    memory_remarks(m, &lines);
    remarks_put(&lines, &r->writer);
    if (lines.n)
        text_puts(r->out, "\n");
    inspect_memory_pools(&grid, r->arena, m);
    if (grid.n_rows) {
        writer_title(&r->writer, "Memory pools");
        grid_put(&grid, &r->writer);
    }
    inspect_memory_live(&grid, r->arena, m);
    if (grid.n_rows) {
        text_puts(r->out, "\n");
        writer_title(&r->writer, "The largest buffers of each peak");
        grid_put(&grid, &r->writer);
    }
}

GRID_COLUMNS(row_columns, GRID_CSV("row"), GRID_CSV("name"), GRID_CSV("subgraph"), GRID_CSV("pool"),
             GRID_CSV("assuming"), GRID_CSV("kind"), GRID_CSV("bytes"));

void inspect_memory_csv(const rendering *r)
{
    const roof_memory *m = r->options->memory;
    cell_grid t;
    grid_begin_csv(&t, r->arena, row_columns, sizeof row_columns / sizeof *row_columns, r->out);
    for (uint32_t i = 0; i < m->n_pools; i++) {
        const roof_memory_pool *p = &m->pools[i];
        for (uint32_t row = 0; p->bytes_by_row && row < p->n_rows; row++)
            GRID_ADD(&t, cell_count(row), cell_text(roof_memory_row_name(m, p, row)),
                     cell_count(p->subgraph == ROOF_NONE ? ROOF_UNKNOWN : p->subgraph), cell_text(p->name),
                     cell_text(p->assuming ? p->assuming : ""), cell_text(roof_memory_kind_text(p->kind)),
                     cell_count(p->bytes_by_row[row]));
    }
}
