/* Pages of one answer, in one file, with its pictures in it. */
#include "reports/page/page_sections.h"

typedef struct page_alone {
    const char *kind; /* "roofline sweep", also on the browser's tab */
    const char *(*sentence)(const report_page *page, uint32_t i); /* the first is the heading */
    roof_status (*draw)(const report_page *page, page_drawing *drawing);
    page_section sections[4];
    size_t n;
} page_alone;

static roof_status write_into(const page_alone *kind, report_page *page, const char *path, outputs *set,
                              const roof_draw_watch *watch, roof_error *why, roof_error *err)
{
    roof_arena *arena = page->arena;
    const char *slash = strrchr(path, '/');
    const char *folder = slash ? arena_strndup(arena, path, slash > path ? (size_t)(slash - path) : 1) : ".";
    outputs_folder *into;
    textbuf text;
    TRY(arena_status(arena, err));
    TRY(outputs_folder_open(set, folder, false, &into, err));
    page_drawing drawing = {.page = page, .folder = into, .names.arena = arena, .is_alone = true, .err = err};
    TRY(kind->draw(page, &drawing));
    TRY(page_draw_end(&drawing, watch, why));
    text_init(&text, TEXT_MAX_BYTES);
    roof_status status = page_put_all(page, kind->kind, kind->kind, kind->sections, kind->n, &text, err);
    THEN(status, outputs_save(path, text.bytes, text.length, err));
    text_free(&text);
    return status;
}

/* path: ends in .html or .htm. Errors: E_USAGE for another ending; E_DEVICE without gnuplot: the page is
 * written without pictures; E_IO, E_NO_MEMORY. */
static roof_status write_alone(const page_alone *kind, const void *answer, const char *path,
                               const roof_draw_watch *watch, roof_error *err)
{
    static const roof_report_input nothing;
    report_page page = {.input = &nothing, .arena = arena_new(0), .of = answer, .sentence = kind->sentence};
    roof_error why = {0};
    outputs set;
    TRY(ALLOCATED(page.arena, err));
    static const char *const ends[] = {".html", ".htm"};
    const char *end = strrchr(path, '.');
    roof_status status = end && end != path && IS_ONE_OF(ends, end)
                             ? outputs_begin(&set, err)
                             : error_set(err, ROOF_E_USAGE, "'%.200s' does not end in .html", path);
    THEN(status, outputs_end(&set, write_into(kind, &page, path, &set, watch, &why, err), err));
    arena_free(page.arena);
    if (status == ROOF_OK && why.status != ROOF_OK)
        return error_set(err, why.status, "%.200s is written, but without pictures: %.500s", path, why.what);
    return status;
}

/* --- trends: where the level of each series changed, with its chart, and with which layers -------------- */

static const char *trends_verdict(const report_page *page, uint32_t i)
{
    return history_sentence(page->of, i, page->arena);
}

roof_status roof_trends_page_write(const roof_history_trends *trends, const char *path,
                                   const roof_draw_watch *watch, roof_error *err)
{
    const page_alone kind = {.kind = "roofline history",
                             .sentence = trends_verdict,
                             .draw = page_history_draw,
                             .sections = {{"series", "Series", true, page_put_series}},
                             .n = 1};
    return write_alone(&kind, trends, path, watch, err);
}

/* --- a sweep: which configurations are on the front, the best of each model, what has no result -------- */

static const char *pareto_verdict(const report_page *page, uint32_t i)
{
    return pareto_sentence(page->of, i, page->arena);
}

static roof_status draw_front(const report_page *page, page_drawing *drawing)
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

static void put_best_of_models(const report_page *page, textbuf *out)
{
    cell_grid grid;
    pareto_models_table(page->of, &grid, page->arena);
    grid_put_html(&grid, &(html_table){.id = "models", .caption = "The best of each model"}, out);
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
    const page_alone kind = {.kind = "roofline sweep",
                             .sentence = pareto_verdict,
                             .draw = draw_front,
                             .sections = {{"front", "The front", true, put_pareto},
                                          {"best", "The best of each model", true, put_best_of_models},
                                          {"refused", "Without figures", pareto->n_failed, put_refused},
                                          {"provenance", "Provenance", true, put_provenance}},
                             .n = 4};
    return write_alone(&kind, pareto, path, watch, err);
}
