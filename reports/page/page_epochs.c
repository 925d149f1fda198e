/* What the epochs of a Neural-ART did while they were profiled: the lines and tables of `roofline reconcile`. */
#include "reports/page/page_sections.h"
#include "reports/reconcile/epoch_view.h"

static void put_table(const report_page *page, const cell_grid *grid, html_table table, uint32_t model,
                      textbuf *out)
{
    table.id = text_or_empty(arena_printf(page->arena, "%s-%u", table.id, model + 1));
    grid_put_html(grid, &table, out);
}

void page_put_epochs(const report_page *page, uint32_t model, textbuf *out)
{
    const roof_reconciled *of = page->models[model].experiment;
    const roof_epochs *e = of ? of->epochs : NULL;
    const html_table types = {.id = "epoch-types", .caption = "Time by type of epoch", .bar = "share"},
                     flows = {.id = "flows",
                              .caption = "Bytes of memories and buses, and how fast they went"},
                     epochs = {.id = "epochs",
                               .caption = "Epochs by their phases",
                               .filter = "filter epochs",
                               .bar = "share"};
    remarks lines = {.arena = page->arena};
    cell_grid grid;
    if (!e)
        return;
    text_puts(out, "<h3>Epochs</h3>\n");
    view_epoch_lines(e, &lines);
    page_put_remarks("facts short", &lines, out);
    view_epoch_types(e, &grid, page->arena);
    put_table(page, &grid, types, model, out);
    view_epoch_flows(e, &grid, page->arena);
    put_table(page, &grid, flows, model, out);
    if (view_epochs(e, PAGE_MOST_ROWS, &grid, page->arena))
        text_printf(out, "<p class=\"note\">The %u longest of %u epochs.</p>\n", (unsigned)PAGE_MOST_ROWS,
                    e->n_rows);
    put_table(page, &grid, epochs, model, out);
}
