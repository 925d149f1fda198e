/* What the page was made from, by what, and what lies beside it. */
#include "core/quantity.h"
#include "reports/page/grid_html.h"
#include "reports/page/html.h"
#include "reports/page/report_page.h"
#include "roofline/version.h"

#include <inttypes.h>
#include <string.h>

#define N(table) (sizeof(table) / sizeof *(table))

static void put_inputs(const report_page *page, textbuf *out)
{
    static const grid_column columns[] = {{"file", "", false, true, false, 0},
                                          {"size", "B", true, false, false, 0},
                                          {"SHA-256", "", false, true, false, 0}};
    text_grid grid;
    if (!page->n_inputs)
        return;
    grid_begin(&grid, page->arena, columns, N(columns));
    for (uint32_t i = 0; i < page->n_inputs; i++) {
        char size[40];
        count_format(size, sizeof size, page->inputs[i].size_bytes);
        grid_add(&grid, page->inputs[i].name, NULL);
        grid_add(&grid, size, NULL);
        grid_add(&grid, page->inputs[i].sha256, NULL);
    }
    text_puts(out, "<h3>Made from</h3>\n");
    grid_put_html(&grid, &(html_table){.id = "inputs", .caption = "Files that were read"}, out);
}

static void put_models(const report_page *page, textbuf *out)
{
    static const grid_column columns[] = {
        {"model", "", false, true, false, 0},      {"format", "", false, false, false, 1},
        {"graph hash", "", false, true, false, 1}, {"compiler", "", false, false, false, 1},
        {"target", "", false, true, false, 1},     {"fingerprint", "", false, true, false, 1},
        {"hardware", "", false, true, false, 0}};
    text_grid grid;
    grid_begin(&grid, page->arena, columns, N(columns));
    for (uint32_t i = 0; i < page->n_models; i++) {
        const roof_prediction *p = page->models[i].prediction;
        if (!p)
            continue;
        grid_add(&grid, p->model.name, NULL);
        grid_add(&grid, p->model.format, NULL);
        grid_add(&grid, p->model.graph_hash, NULL);
        grid_add(&grid, p->model.compiler, NULL);
        grid_add(&grid, p->model.target, NULL);
        if (p->model.fingerprint == ROOF_UNKNOWN)
            grid_add(&grid, "", NULL);
        else
            grid_printf(&grid, "0x%016" PRIx64, p->model.fingerprint);
        grid_add(&grid, p->hardware.id, NULL);
    }
    if (!grid.n_cells)
        return;
    text_puts(out, "<h3>Models and hardware entries</h3>\n");
    grid_put_html(&grid, &(html_table){.id = "identities", .caption = "Models and hardware entries"}, out);
}

static void put_files(const report_page *page, textbuf *out)
{
    text_puts(out, "<h3>Beside this page</h3>\n<ul class=\"beside\">\n");
    for (uint32_t i = 0; i < page->n_files; i++) {
        const page_file *f = &page->files[i];
        text_printf(out, "<li><a href=\"%s\">%s</a> ", f->name, f->name);
        html_between_tags(out, "", f->what, "</li>\n");
    }
    for (uint32_t i = 0; i < page->n_figures; i++)
        text_printf(out, "<li><code>%s</code> .svg, .gp and .dat: the chart, its script, its data</li>\n",
                    page->figures[i].stem);
    text_puts(out, "</ul>\n");
}

void page_put_provenance(const report_page *page, textbuf *out)
{
    page_begin_section("provenance", "Provenance", out);
    text_printf(out, "<p>Written by roofline %s. The same files give the same page: it holds no date.</p>\n",
                roof_version());
    put_inputs(page, out);
    put_models(page, out);
    put_files(page, out);
    page_end_section(out);
}
