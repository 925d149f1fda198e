/* What the epochs of a Neural-ART did while they were profiled: the lines and tables of `roofline reconcile`. */
#include "reports/page/grid_html.h"
#include "reports/page/report_page.h"
#include "reports/reconcile/epoch_view.h"

#include <stdio.h>

static void put_lines(const roof_epochs *e, roof_text *out)
{
    roof_epoch_line lines[ROOF_EPOCH_LINES];
    uint32_t n = roof_view_epoch_lines(e, lines);
    roof_text_puts(out, "<dl class=\"facts short\">\n");
    for (uint32_t i = 0; i < n; i++)
        roof_page_put_remark(out, lines[i].label, lines[i].text);
    roof_text_puts(out, "</dl>\n");
}

static void put_table(const roof_grid *grid, roof_html_table *table, const char *what, uint32_t model,
                      roof_text *out)
{
    char id[40];
    out->failed = out->failed || grid->failed;
    if (!grid->n_cells)
        return;
    snprintf(id, sizeof id, "%s-%u", what, model + 1);
    table->id = id;
    roof_grid_put_html(grid, table, out);
}

void roof_page_put_epochs(const roof_page *page, uint32_t model, roof_text *out)
{
    const roof_reconciled *of = page->models[model].experiment;
    const roof_epochs *e = of ? of->epochs : NULL;
    roof_html_table types = {.caption = "Time by type of epoch", .bar = "share"},
                    flows = {.caption = "Bytes of memories and buses, and how fast they went"},
                    epochs = {.caption = "Epochs by their phases", .filter = "filter epochs", .bar = "share"};
    roof_grid grid;
    if (!e)
        return;
    roof_text_puts(out, "<h3>Epochs</h3>\n");
    put_lines(e, out);
    roof_view_epoch_types(e, &grid, page->arena);
    put_table(&grid, &types, "epoch-types", model, out);
    roof_view_epoch_flows(e, &grid, page->arena);
    put_table(&grid, &flows, "flows", model, out);
    if (roof_view_epochs(e, ROOF_PAGE_MOST_ROWS, &grid, page->arena))
        roof_text_printf(out, "<p class=\"note\">The %u longest of %u epochs.</p>\n",
                         (unsigned)ROOF_PAGE_MOST_ROWS, e->n_rows);
    put_table(&grid, &epochs, "epochs", model, out);
}
