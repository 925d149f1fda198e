/* The inputs of the page, the program that made it, and the files beside it. */
#include "reports/page/page_appendix.h"
#include "roofline/version.h"

#include <inttypes.h>

#define N(table) (sizeof(table) / sizeof *(table))

static void put_models(const report_page *page, textbuf *out)
{
    GRID_COLUMNS(columns, GRID_NAME("model", 0), GRID_TEXT("format", 1), GRID_NAME("graph hash", 1),
                 GRID_TEXT("compiler", 1), GRID_NAME("target", 1), GRID_NAME("fingerprint", 1),
                 GRID_NAME("hardware", 0));
    cell_grid grid;
    grid_begin(&grid, page->arena, columns, N(columns));
    for (uint32_t i = 0; i < page->n_models; i++) {
        const roof_prediction *p = page->models[i].prediction;
        if (!p)
            continue;
        bool is_numbered = p->model.fingerprint != ROOF_UNKNOWN;
        GRID_ADD(&grid, cell_text(text_or_empty(p->model.name)), cell_text(text_or_empty(p->model.format)),
                 cell_text(text_or_empty(p->model.graph_hash)), cell_text(text_or_empty(p->model.compiler)),
                 cell_text(text_or_empty(p->model.target)),
                 is_numbered ? cell_text(arena_printf(page->arena, "0x%016" PRIx64, p->model.fingerprint))
                             : cell_empty,
                 cell_text(p->hardware.id));
    }
    page_put_grid(&grid, "identities", "Models and hardware entries", out);
}

void page_put_provenance(const report_page *page, textbuf *out)
{
    text_printf(out, "<p>Written by roofline %s. The same files give the same page: it holds no date.</p>\n",
                roof_version());
    GRID_COLUMNS(columns, GRID_NAME("file", 0), GRID_NUMBER("size", "B", 0), GRID_NAME("SHA-256", 0));
    cell_grid grid;
    if (page->n_inputs) {
        grid_begin(&grid, page->arena, columns, N(columns));
        for (uint32_t i = 0; i < page->n_inputs; i++)
            GRID_ADD(&grid, cell_text(page->inputs[i].name), cell_count(page->inputs[i].size_bytes),
                     cell_text(page->inputs[i].sha256));
        text_puts(out, "<h3>Made from</h3>\n");
        grid_put_html(&grid, &(html_table){.id = "inputs", .caption = "Files that were read"}, out);
    }
    put_models(page, out);
    text_puts(out, "<h3>Beside this page</h3>\n<ul class=\"beside\">\n");
    for (uint32_t i = 0; i < page->n_files; i++) {
        const page_file *f = &page->files[i];
        html_printf(out, "<li><a href=\"%s\">%s</a> %s</li>\n", f->name, f->name, f->what);
    }
    for (uint32_t i = 0; i < page->n_figures; i++)
        text_printf(out, "<li><code>%s</code> .svg, .gp and .dat: the chart, its script, its data</li>\n",
                    page->figures[i].stem);
    text_puts(out, "</ul>\n");
}
