#include "reports/page/page_sections.h"
#include "core/core.h"

static const char *title_of(const report_page *page)
{
    enum { MOST_NAMES = 4 };
    const char *names = "", *rest = "";
    for (uint32_t i = 0; i < page->n_models && i < MOST_NAMES; i++)
        names = say_more(page->arena, names, "%s", page->models[i].name);
    if (page->n_models > MOST_NAMES)
        rest = say_printf(page->arena, " and %u more", page->n_models - MOST_NAMES);
    const bool is_of_curves = page->n_models && page->models[0].is_point;
    for (uint32_t i = 0; (is_of_curves || !page->n_models) && i < page->input->n_curves && i < MOST_NAMES;
         i++) {
        names = i ? names : "";
        rest = "";
        names = say_more(page->arena, names, "%s", page->input->curves[i]->model);
    }
    return say_printf(page->arena, "roofline report: %s%s", names, rest);
}

/* --- sections ----------------------------------------------------------------------------------------- */

static bool has_calibration(const report_page *page)
{
    return page->input->calibration != NULL;
}

static bool has_hardware(const report_page *page)
{
    for (uint32_t i = 0; i < page->n_models; i++)
        if (page->models[i].prediction)
            return true;
    return false;
}

static bool has_key_figures(const report_page *page)
{
    for (uint32_t i = 0; i < page->n_models; i++)
        if (!page->models[i].is_point)
            return true;
    return false;
}

roof_status page_put(const report_page *page, textbuf *out, roof_error *err)
{
    static const page_section key_figures = {"key-figures", "Key figures", has_key_figures,
                                             page_put_key_figures};
    /* Where there are several boards, the first question is which of them. */
    const bool is_of_boards = page_is_of_boards(page);
    const page_section all = {"study", is_of_boards ? "Board against board" : "All models",
                              page_has_all_models, page_put_all_models};
    const page_section sections[] = {
        is_of_boards ? all : key_figures,
        is_of_boards ? key_figures : all,
        {NULL, NULL, NULL, NULL},
        {"history", "History", page_has_history, page_put_history},
        {"calibration", "Calibration", has_calibration, page_put_calibration},
        {"findings", "Findings", page_has_findings, page_put_findings},
        {"method", "Method", NULL, page_put_method},
        {"constants", "Constants", has_hardware, page_put_constants},
        {"provenance", "Provenance", NULL, page_put_provenance},
    };
    return page_put_all(page, title_of(page), "roofline report", sections, N_OF(sections), out, err);
}
