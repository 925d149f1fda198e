/* GitHub-flavoured tables, for reviews and issues. Names are shown whole, in code spans. */
#include "reports/cells.h"
#include "reports/paper.h"
#include "reports/renderer.h"
#include "reports/summary.h"

#include <string.h>

static void put_row(const roof_prediction *p, const roof_layer_prediction *row, const table_column *columns,
                    uint32_t n, textbuf *out)
{
    char cell[TABLE_CELL_SIZE];
    for (uint32_t c = 0; c < n; c++) {
        layer_cell(p, row, &columns[c], cell);
        text_puts(out, "| ");
        if (row && columns[c].kind == COLUMN_NAME)
            put_markdown_code(out, row->name);
        else
            put_markdown(out, cell);
        text_puts(out, " ");
    }
    text_puts(out, "|\n");
}

static void put_header(const table_column *columns, uint32_t n, textbuf *out)
{
    for (uint32_t c = 0; c < n; c++) {
        text_puts(out, "| ");
        put_markdown(out, columns[c].title);
        if (columns[c].unit[0]) {
            text_puts(out, " ");
            put_markdown(out, columns[c].unit);
        }
        text_puts(out, " ");
    }
    text_puts(out, "|\n");
    for (uint32_t c = 0; c < n; c++)
        text_puts(out, columns[c].right ? "| --: " : "| --- ");
    text_puts(out, "|\n");
}

static roof_status render_prediction(const roof_prediction *p, const roof_render_options *options,
                                     textbuf *out, roof_error *err)
{
    table_column columns[LAYER_COLUMNS];
    prediction_summary summary;
    uint32_t n = layer_columns_of(p, options->details, columns);
    if (columns[n - 1].kind == COLUMN_BAR)
        n--; /* a bar of equal signs is for terminals */
    text_puts(out, "**");
    put_markdown(out, p->verdict[0]);
    text_puts(out, "**\n\n");
    put_markdown(out, p->verdict[1]);
    text_puts(out, "\n\n");
    put_header(columns, n, out);
    for (uint32_t i = 0; i < p->n_layers; i++)
        put_row(p, &p->layers[i], columns, n, out);
    put_row(p, NULL, columns, n, out);
    text_puts(out, "\n");
    prediction_summarise(p, &summary);
    for (uint32_t i = 0; i < summary.n_lines; i++) {
        text_printf(out, "- %s: ", summary.lines[i].label);
        put_markdown(out, summary.lines[i].text);
        text_puts(out, "\n");
    }
    for (uint32_t i = 0; i < p->n_findings; i++) {
        const roof_finding *f = &p->findings[i];
        text_printf(out, "  - %s: ", roof_finding_kind_text(f->kind));
        if (f->layer) {
            put_markdown_code(out, f->layer);
            text_puts(out, ": ");
        }
        put_markdown(out, f->text);
        text_puts(out, ". *");
        put_markdown(out, roof_finding_advice(f->kind));
        text_puts(out, "*\n");
    }
    return text_status(out, err);
}

const renderer_def renderer_markdown = {
    .id = "markdown",
    .prediction = render_prediction,
    .graph = inspect_markdown,
    .reconciliation = reconcile_markdown,
};
