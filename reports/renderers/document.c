/* A document by one description, as text, Markdown, CSV and JSON. */
#include "reports/renderers/document.h"

void document_table(const document_view *v, const void *document, cell_grid *grid, roof_arena *arena)
{
    grid_begin(grid, arena, v->columns, v->n_columns);
    grid->what = v->what;
    grid->largest = v->largest;
    if (v->begin)
        v->begin(grid, document);
    v->add_rows(grid, document);
}

void document_put(const rendering *r, const document_view *v)
{
    const char **sentences = NULL, *next;
    remarks lines = {.arena = r->arena};
    cell_grid grid;
    uint32_t n = 0;
    while ((next = v->sentence(r->document, n, r->arena)) &&
           (sentences = arena_grow(r->arena, sentences, n, sizeof *sentences)))
        sentences[n++] = next;
    writer_verdict(&r->writer, sentences, sentences ? n : 0);
    if (v->put_tables) {
        v->put_tables(r);
    } else {
        document_table(v, r->document, &grid, r->arena);
        table_put_arranged(r, &grid);
        text_puts(r->out, "\n");
    }
    for (uint32_t i = 0; v->aside && (next = v->aside(r->document, i, r->arena)); i++)
        remarks_add(&lines, i ? " " : "also", "%s", next);
    v->remarks(r->document, &lines);
    remarks_put(&lines, &r->writer);
}

void document_csv(const rendering *r, const document_view *v)
{
    cell_grid grid;
    grid_begin_csv(&grid, r->arena, v->columns, v->n_columns, r->out);
    table_keep_csv(r, &grid);
    v->add_rows(&grid, r->document);
    table_put_csv(r, &grid, v->largest_csv);
}

void document_json(const rendering *r, const document_view *v)
{
    cell_grid grid;
    jsonout json;
    jsonout_document(&json, r->out, v->schema);
    grid_put_members(&json, v->members, v->n_members, r->document, r->arena);
    if (v->list) {
        grid_begin(&grid, r->arena, v->columns, v->n_columns);
        grid_begin_json(&grid, &json, v->list, false);
        v->add_rows(&grid, r->document);
        grid_end_json(&grid);
    }
    grid_put_members(&json, v->more, v->n_more, r->document, r->arena);
    const char *line;
    jsonout_array(&json, "verdict", false);
    for (uint32_t i = 0; (line = v->sentence(r->document, i, r->arena)); i++)
        jsonout_string(&json, NULL, line);
    for (uint32_t i = 0; v->aside && (line = v->aside(r->document, i, r->arena)); i++)
        jsonout_string(&json, NULL, line);
    jsonout_end(&json);
    jsonout_end(&json);
}
