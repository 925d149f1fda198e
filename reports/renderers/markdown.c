/* GitHub-flavoured tables, for reviews and issues. Names are shown whole, in code spans. */
#include "reports/cells.h"
#include "reports/paper.h"
#include "reports/renderer.h"
#include "reports/summary.h"

#include <string.h>

static void put_row(const roof_prediction *p, const roof_layer_prediction *row, const roof_column *columns,
                    uint32_t n, roof_text *out)
{
    char cell[ROOF_CELL_SIZE];
    for (uint32_t c = 0; c < n; c++) {
        roof_cell(p, row, &columns[c], cell);
        roof_text_puts(out, "| ");
        if (row && columns[c].kind == ROOF_COLUMN_NAME)
            roof_put_markdown_code(out, row->name);
        else
            roof_put_markdown(out, cell);
        roof_text_puts(out, " ");
    }
    roof_text_puts(out, "|\n");
}

static void put_header(const roof_column *columns, uint32_t n, roof_text *out)
{
    for (uint32_t c = 0; c < n; c++) {
        roof_text_puts(out, "| ");
        roof_put_markdown(out, columns[c].title);
        if (columns[c].unit[0]) {
            roof_text_puts(out, " ");
            roof_put_markdown(out, columns[c].unit);
        }
        roof_text_puts(out, " ");
    }
    roof_text_puts(out, "|\n");
    for (uint32_t c = 0; c < n; c++)
        roof_text_puts(out, columns[c].right ? "| --: " : "| --- ");
    roof_text_puts(out, "|\n");
}

static roof_status render_prediction(const roof_prediction *p, const roof_render_options *options,
                                     roof_text *out, roof_error *err)
{
    roof_column columns[ROOF_MAX_COLUMNS];
    roof_summary summary;
    uint32_t n = roof_columns_of(p, options->details, columns);
    if (columns[n - 1].kind == ROOF_COLUMN_BAR)
        n--; /* a bar of equal signs is for terminals */
    roof_text_puts(out, "**");
    roof_put_markdown(out, p->verdict[0]);
    roof_text_puts(out, "**\n\n");
    roof_put_markdown(out, p->verdict[1]);
    roof_text_puts(out, "\n\n");
    put_header(columns, n, out);
    for (uint32_t i = 0; i < p->n_layers; i++)
        put_row(p, &p->layers[i], columns, n, out);
    put_row(p, NULL, columns, n, out);
    roof_text_puts(out, "\n");
    roof_summarise(p, &summary);
    for (uint32_t i = 0; i < summary.n_lines; i++) {
        roof_text_printf(out, "- %s: ", summary.lines[i].label);
        roof_put_markdown(out, summary.lines[i].text);
        roof_text_puts(out, "\n");
    }
    for (uint32_t i = 0; i < p->n_findings; i++) {
        const roof_finding *f = &p->findings[i];
        roof_text_printf(out, "  - %s: ", roof_finding_kind_text(f->kind));
        if (f->layer) {
            roof_put_markdown_code(out, f->layer);
            roof_text_puts(out, ": ");
        }
        roof_put_markdown(out, f->text);
        roof_text_puts(out, ". *");
        roof_put_markdown(out, roof_finding_advice(f->kind));
        roof_text_puts(out, "*\n");
    }
    return roof_text_status(out, err);
}

const roof_renderer roof_renderer_markdown = {
    .id = "markdown",
    .prediction = render_prediction,
    .graph = roof_inspect_markdown,
    .reconciliation = roof_reconcile_markdown,
};
