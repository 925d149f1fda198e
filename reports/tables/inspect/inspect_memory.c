#include "reports/tables/inspect/inspect.h"
#include "reports/words/memory_words.h"

/* ---- JSON ---- */

#define OF(type, member, from, ...) GRID_OF(roof_memory_##type, member, from, __VA_ARGS__)
#define BYTES(type, member)         OF(type, member, COUNT, .title = NULL)
#define ROW(type, member)           OF(type, member, SMALL, .title = NULL)
#define WHY(member)                 OF(pool, member, TEXT, .is_optional = true)

static const grid_column buffer_members[] = {OF(buffer, name, TEXT, .kind = COLUMN_NAME),
                                             BYTES(buffer, offset_bytes),
                                             BYTES(buffer, bytes),
                                             ROW(buffer, first_row),
                                             ROW(buffer, last_row),
                                             BYTES(buffer, peak_without_bytes)};
static const grid_column change_members[] = {
    OF(change, name, TEXT, .kind = COLUMN_NAME), BYTES(change, bytes),
    GRID_AS("buffers", roof_memory_change, n_buffers, SMALL, .title = NULL), ROW(change, first_row),
    ROW(change, last_row)};

GRID_CELL(by_which_part, roof_memory_remedy, is, cell_text(is->halves ? "half" : "all"))

static const grid_column remedy_members[] = {
    GRID_BY("by", by_which_part, .title = NULL), OF(remedy, is_smallest, FLAG, .title = NULL),
    BYTES(remedy, peak_bytes),
    GRID_ITEMS("buffers", roof_memory_remedy, changes, n_changes, change_members, true)};
static const grid_column remedies_members[] = {
    GRID_ITEMS("must_shrink", roof_memory_pool, remedies, n_remedies, remedy_members, false),
    WHY(why_no_remedy)};

/* Of a pool that overflows. */
static void put_remedies(jsonout *json, const char *key, const grid_row *row)
{
    const roof_memory_pool *pool = row->is;
    (void)key;
    if (pool->n_remedies || pool->why_no_remedy)
        GRID_MEMBERS(json, remedies_members, pool, row->arena);
}

static void put_bytes_by_row(jsonout *json, const char *key, const grid_row *row)
{
    const roof_memory_pool *pool = row->is;
    if (!pool->bytes_by_row) {
        jsonout_null(json, key);
        return;
    }
    jsonout_array(json, key, true);
    for (uint32_t r = 0; r < pool->n_rows; r++)
        jsonout_count(json, NULL, pool->bytes_by_row[r]);
    jsonout_end(json);
}

GRID_CELL(name_of_peak, roof_memory_pool, pool,
          cell_text(text_or_empty(roof_memory_row_name(row->of, pool, pool->at_row))))
GRID_CELL(rows_near_peak, roof_memory_pool, pool,
          cell_count(pool->peak_bytes == ROOF_UNKNOWN ? ROOF_UNKNOWN : pool->n_rows_near_peak))
GRID_CELL(kind_of_pool, roof_memory_pool, is, cell_text(roof_memory_kind_text(is->kind)))

static const char *fit_of(const roof_memory_pool *pool)
{
    return pool->fit == ROOF_MEMORY_FIT_UNKNOWN ? "" : roof_memory_fit_text(pool->fit);
}

GRID_CELL(fit_of_pool, roof_memory_pool, pool, cell_text(fit_of(pool)))
GRID_CELL(headroom_of_pool, roof_memory_pool, pool,
          cell_number(pool->headroom_bytes == INT64_MIN ? (double)NAN : (double)pool->headroom_bytes, 0))

/* What the sum of pools has as well. */
#define SIZES                                                                                                \
    BYTES(pool, stated_bytes), BYTES(pool, high_bytes), BYTES(pool, peak_bytes), ROW(pool, at_row),          \
        GRID_BY("at_name", name_of_peak, .title = NULL),                                                     \
        GRID_BY("rows_near_peak", rows_near_peak, .title = NULL), BYTES(pool, fragmentation_bytes)
static const grid_column total_members[] = {SIZES, GRID_NESTED("bytes_by_row", put_bytes_by_row)};
static const grid_column pool_members[] = {
    OF(pool, name, TEXT, .kind = COLUMN_NAME),
    ROW(pool, subgraph),
    OF(pool, assuming, TEXT, .title = NULL),
    GRID_BY("kind", kind_of_pool, .title = NULL),
    BYTES(pool, size_bytes),
    OF(pool, size_is_asked, FLAG, .title = NULL),
    OF(pool, size_is_of_content, FLAG, .title = NULL),
    OF(pool, stated_by, TEXT, .title = NULL),
    SIZES,
    GRID_BY("headroom_bytes", headroom_of_pool, .title = NULL),
    GRID_BY("fit", fit_of_pool, .title = NULL),
    WHY(why_no_peak),
    WHY(why_no_high),
    WHY(why_not_without),
    WHY(remark),
    ROW(pool, first_row),
    GRID_NESTED("bytes_by_row", put_bytes_by_row),
    GRID_ITEMS("live", roof_memory_pool, live, n_live, buffer_members, true),
    GRID_NESTED("must_shrink", put_remedies),
};

static const grid_column row_name[] = {{.from = FROM_TEXT, .kind = COLUMN_NAME}};
static const grid_column memory_members[] = {
    GRID_AS("rows", roof_memory, n_rows, SMALL, .title = NULL),
    GRID_OF(roof_memory, is_at_least, FLAG, .title = NULL),
    GRID_ITEMS("row_names", roof_memory, row_names, n_rows, row_name, false),
    {.json = "total_ram",
     .from = FROM_OBJECT,
     .via = offsetof(roof_memory, total_ram) + 1,
     .items = total_members,
     .n_items = N_OF(total_members)},
    GRID_ITEMS("pools", roof_memory, pools, n_pools, pool_members, false),
};

void inspect_memory_json(jsonout *json, const roof_memory *m, roof_arena *arena)
{
    jsonout_object(json, "memory", false);
    GRID_MEMBERS(json, memory_members, m, arena);
    jsonout_end(json);
}

/* ---- tables ---- */

GRID_COLUMNS(pool_columns, GRID_NAME("pool", 0), GRID_TEXT("kind", 3), GRID_NUMBER("size", "[B]", 2),
             GRID_NUMBER("reserved", "[B]", 0), GRID_NUMBER("peak", "[B]", 0), GRID_NAME("at", 0),
             GRID_NUMBER("rows near it", NULL, 4), GRID_NUMBER("headroom", "[B]", 1), GRID_TEXT("fits", 2));

void inspect_memory_pools(cell_grid *t, roof_arena *arena, const roof_memory *m)
{
    grid_begin(t, arena, pool_columns, N_OF(pool_columns));
    t->is_sparse = true;
    for (uint32_t i = 0; i <= m->n_pools; i++) {
        const roof_memory_pool *p = i < m->n_pools ? &m->pools[i] : m->total_ram;
        if (!p || (p->high_bytes == 0 && (p->peak_bytes == 0 || p->peak_bytes == ROOF_UNKNOWN)))
            continue; /* nothing uses it */
        const bool has_headroom = p->headroom_bytes != INT64_MIN;
        grid_cell name = cell_text(memory_pool_words(arena, m, p)),
                  headroom =
                      has_headroom ? cell_spaced((double)p->headroom_bytes, 0) : cell_count(ROOF_UNKNOWN);
        name.is_label = i == m->n_pools;
        headroom.colour = has_headroom && p->headroom_bytes < 0 ? CELL_RED : CELL_PLAIN;
        GRID_ADD(
            t, name, cell_text(i < m->n_pools ? roof_memory_kind_text(p->kind) : ""),
            cell_count(p->size_is_of_content ? ROOF_UNKNOWN : p->size_bytes), cell_count(p->high_bytes),
            cell_count(p->peak_bytes),
            cell_text(p->at_row == ROOF_NONE ? "" : text_or_empty(roof_memory_row_name(m, p, p->at_row))),
            cell_count(p->at_row == ROOF_NONE ? ROOF_UNKNOWN : p->n_rows_near_peak), headroom,
            cell_text(fit_of(p)));
    }
}

GRID_COLUMNS(live_columns, GRID_NAME("pool", 0), GRID_NAME("buffer", 0), GRID_NUMBER("size", "[B]", 0),
             GRID_PERCENT("of the peak", 1), GRID_NAME("from", 3), GRID_NAME("to", 3),
             GRID_NUMBER("peak without it", "[B]", 0));

void inspect_memory_live(cell_grid *t, roof_arena *arena, const roof_memory *m)
{
    enum { MOST_SHOWN = 3 };
    grid_begin(t, arena, live_columns, N_OF(live_columns));
    t->is_sparse = true;
    FOR_EACH(const roof_memory_pool, p, m->pools, m->n_pools) {
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
    grid_begin_csv(&t, r->arena, row_columns, N_OF(row_columns), r->out);
    FOR_EACH(const roof_memory_pool, p, m->pools, m->n_pools)
        for (uint32_t row = 0; p->bytes_by_row && row < p->n_rows; row++)
            GRID_ADD(&t, cell_count(row), cell_text(roof_memory_row_name(m, p, row)),
                     cell_count(p->subgraph == ROOF_NONE ? ROOF_UNKNOWN : p->subgraph), cell_text(p->name),
                     cell_text(p->assuming ? p->assuming : ""), cell_text(roof_memory_kind_text(p->kind)),
                     cell_count(p->bytes_by_row[row]));
}
