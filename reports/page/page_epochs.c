/* What the epochs of a Neural-ART did while they were profiled: the lines and tables of `roofline reconcile`. */
#include "reports/page/grid_html.h"
#include "reports/page/report_page.h"
#include "reports/reconcile/epoch_view.h"

#include <stdio.h>

static void put_lines(const roof_epochs *e, textbuf *out)
{
    epoch_line lines[EPOCH_LINES];
    uint32_t n = view_epoch_lines(e, lines);
    text_puts(out, "<dl class=\"facts short\">\n");
    for (uint32_t i = 0; i < n; i++)
        page_put_remark(out, lines[i].label, lines[i].text);
    text_puts(out, "</dl>\n");
}

static void put_table(const text_grid *grid, html_table *table, const char *what, uint32_t model,
                      textbuf *out)
{
    char id[40];
    out->failed = out->failed || grid->failed;
    if (!grid->n_cells)
        return;
    snprintf(id, sizeof id, "%s-%u", what, model + 1);
    table->id = id;
    grid_put_html(grid, table, out);
}

void page_put_epochs(const report_page *page, uint32_t model, textbuf *out)
{
    const roof_reconciled *of = page->models[model].experiment;
    const roof_epochs *e = of ? of->epochs : NULL;
    html_table types = {.caption = "Time by type of epoch", .bar = "share"},
               flows = {.caption = "Bytes of memories and buses, and how fast they went"},
               epochs = {.caption = "Epochs by their phases", .filter = "filter epochs", .bar = "share"};
    text_grid grid;
    if (!e)
        return;
    text_puts(out, "<h3>Epochs</h3>\n");
    put_lines(e, out);
    view_epoch_types(e, &grid, page->arena);
    put_table(&grid, &types, "epoch-types", model, out);
    view_epoch_flows(e, &grid, page->arena);
    put_table(&grid, &flows, "flows", model, out);
    if (view_epochs(e, PAGE_MOST_ROWS, &grid, page->arena))
        text_printf(out, "<p class=\"note\">The %u longest of %u epochs.</p>\n", (unsigned)PAGE_MOST_ROWS,
                    e->n_rows);
    put_table(&grid, &epochs, "epochs", model, out);
}
