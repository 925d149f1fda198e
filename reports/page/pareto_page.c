/* The page of a sweep: which configurations are on the front, the chart, the best of each model, and what has
 * no result. */
#include "reports/page/page_sections.h"
#include "reports/tables/views.h"

static const char *verdict(const report_page *page, uint32_t i)
{
    return pareto_sentence(page->of, i, page->arena);
}

static roof_status draw(const report_page *page, page_drawing *drawing)
{
    return page_draw(drawing, chart_named("pareto"), &(chart_source){.pareto = page->of}, NULL, ROOF_NONE);
}

static void put_pareto(const report_page *page, textbuf *out)
{
    const roof_pareto *of = page->of;
    roof_arena *arena = page->arena;
    remarks lines = {.arena = arena};
    page_put_figures(page, ROOF_NONE, PLACE_MODEL, out);
    for (uint32_t i = 0; i < of->n_fronts; i++) {
        const roof_pareto_front *front = &of->fronts[i];
        cell_grid grid;
        pareto_table(of, front, &grid, arena);
        grid_arrange(&grid, &(grid_order){.most = PAGE_MOST_ROWS});
        page_put_grid(&grid, say_printf(arena, "front-%u", i + 1),
                      say_printf(arena, "%s: %s", pareto_subject(of, front, arena),
                                 pareto_rate_title(of, front, arena)),
                      out);
        if (grid.left_out)
            text_printf(out, "<p class=\"note\">%u of %u are shown.</p>\n", (unsigned)PAGE_MOST_ROWS,
                        front->n);
    }
    pareto_remarks(of, &lines);
    page_put_remarks("facts", &lines, out);
}

static void put_models(const report_page *page, textbuf *out)
{
    cell_grid grid;
    pareto_models_table(page->of, &grid, page->arena);
    grid_put_html(&grid, &(html_table){.id = "models", .caption = "The best of each model"}, out);
}

static bool has_refused(const report_page *page)
{
    return ((const roof_pareto *)page->of)->n_failed;
}

static void put_refused(const report_page *page, textbuf *out)
{
    remarks lines = {.arena = page->arena};
    pareto_reasons(page->of, &lines);
    page_put_remarks("facts", &lines, out);
}

static void put_provenance(const report_page *page, textbuf *out)
{
    const roof_pareto *of = page->of;
    remarks lines = {.arena = page->arena};
    remarks_add(&lines, "plan", "%s, %s points", of->identity, say_count(lines.arena, of->n_points));
    remarks_add(&lines, "computed", "roofline " ROOF_VERSION);
    page_put_remarks("facts", &lines, out);
}

roof_status roof_pareto_page_write(const roof_pareto *pareto, const char *path, const roof_draw_watch *watch,
                                   roof_error *err)
{
    static const page_alone kind = {.kind = "roofline sweep",
                                    .sentence = verdict,
                                    .draw = draw,
                                    .sections = {{"front", "The front", NULL, put_pareto},
                                                 {"best", "The best of each model", NULL, put_models},
                                                 {"refused", "Without figures", has_refused, put_refused},
                                                 {"provenance", "Provenance", NULL, put_provenance}}};
    return page_alone_write(&kind, pareto, path, watch, err);
}
