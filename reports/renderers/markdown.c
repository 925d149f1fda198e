/* GitHub-flavoured tables, for reviews and issues. Names are shown whole, in code spans. */
#include "reports/cells.h"
#include "reports/renderer.h"
#include "reports/summary.h"

#include <string.h>

/* A pipe would end the cell, a backtick the code span, and < could open HTML. */
static void put_code(roof_text *out, const char *text)
{
    roof_text_puts(out, "<code>");
    for (const char *p = text; *p; p++) {
        const char *escape = *p == '|'   ? "&#124;"
                             : *p == '<' ? "&lt;"
                             : *p == '>' ? "&gt;"
                             : *p == '&' ? "&amp;"
                             : *p == '`' ? "&#96;"
                                         : NULL;
        if (escape)
            roof_text_puts(out, escape);
        else
            roof_text_add(out, p, 1);
    }
    roof_text_puts(out, "</code>");
}

/* Text that we composed ourselves may still quote names from the file. */
static void put_plain(roof_text *out, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (strchr("|<>`*_[]\\#", *p))
            roof_text_add(out, "\\", 1);
        roof_text_add(out, p, 1);
    }
}

static void put_row(const roof_prediction *p, const roof_layer_prediction *row, const roof_column *columns,
                    uint32_t n, roof_text *out)
{
    char cell[ROOF_CELL_SIZE];
    for (uint32_t c = 0; c < n; c++) {
        roof_cell(p, row, &columns[c], cell);
        roof_text_puts(out, "| ");
        if (row && columns[c].kind == ROOF_COLUMN_NAME)
            put_code(out, row->name);
        else
            put_plain(out, cell);
        roof_text_puts(out, " ");
    }
    roof_text_puts(out, "|\n");
}

static void put_header(const roof_column *columns, uint32_t n, roof_text *out)
{
    for (uint32_t c = 0; c < n; c++) {
        roof_text_puts(out, "| ");
        put_plain(out, columns[c].title);
        if (columns[c].unit[0]) {
            roof_text_puts(out, " ");
            put_plain(out, columns[c].unit);
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
    put_plain(out, p->verdict[0]);
    roof_text_puts(out, "**\n\n");
    put_plain(out, p->verdict[1]);
    roof_text_puts(out, "\n\n");
    put_header(columns, n, out);
    for (uint32_t i = 0; i < p->n_layers; i++)
        put_row(p, &p->layers[i], columns, n, out);
    put_row(p, NULL, columns, n, out);
    roof_text_puts(out, "\n");
    roof_summarise(p, &summary);
    for (uint32_t i = 0; i < summary.n_lines; i++) {
        roof_text_printf(out, "- %s: ", summary.lines[i].label);
        put_plain(out, summary.lines[i].text);
        roof_text_puts(out, "\n");
    }
    for (uint32_t i = 0; i < p->n_findings; i++) {
        const roof_finding *f = &p->findings[i];
        roof_text_printf(out, "  - %s: ", roof_finding_kind_text(f->kind));
        if (f->layer) {
            put_code(out, f->layer);
            roof_text_puts(out, ": ");
        }
        put_plain(out, f->text);
        roof_text_puts(out, ". *");
        put_plain(out, roof_finding_advice(f->kind));
        roof_text_puts(out, "*\n");
    }
    return roof_text_status(out, err);
}

const roof_renderer roof_renderer_markdown = {
    .id = "markdown",
    .prediction = render_prediction,
    .graph = roof_inspect_markdown,
};
