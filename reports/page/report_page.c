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

static const page_section sections[] = {
    {"key-figures", "Key figures", has_key_figures, page_put_key_figures},
    {"study", "All models", page_has_all_models, page_put_all_models},
    {NULL, NULL, NULL, NULL},
    {"history", "History", page_has_history, page_put_history},
    {"calibration", "Calibration", has_calibration, page_put_calibration},
    {"findings", "Findings", page_has_findings, page_put_findings},
    {"method", "Method", NULL, page_put_method},
    {"constants", "Constants", has_hardware, page_put_constants},
    {"provenance", "Provenance", NULL, page_put_provenance},
};

enum { N_SECTIONS = sizeof sections / sizeof *sections };

/* Where there are several boards, the first question is which of them. */
static const page_section *nth_section(const report_page *page, size_t i)
{
    static const page_section boards = {"study", "Board against board", page_has_all_models,
                                        page_put_all_models};
    if (!page_is_of_boards(page) || i > 1)
        return &sections[i];
    return i ? &sections[0] : &boards;
}

static bool is_wanted(const report_page *page, const page_section *s)
{
    return s->put && (!s->wanted || s->wanted(page)) && (!page->input->is_summary || s == &sections[0]);
}

/* Before its tables are read, a browser has to know that it may leave pictures for later. */
static bool is_long(const report_page *page)
{
    enum { LONG_ROWS = 1000 };
    bool found = false;
    for (uint32_t i = 0; i < page->n_models; i++)
        found = found || (page->models[i].prediction && page->models[i].prediction->n_layers > LONG_ROWS);
    return found;
}

roof_status page_put(const report_page *page, textbuf *out, roof_error *err)
{
    page_put_head(title_of(page), page->arena, out);
    /* A small screen has it folded. A single model's table stands far down, so it has a link as well. */
    page_begin_contents("roofline report", out);
    for (size_t i = 0; i < N_SECTIONS; i++) {
        const page_section *s = nth_section(page, i);
        for (uint32_t k = 0; !s->put && k < page->n_models && !page->input->is_summary; k++)
            if (!page->models[k].is_point)
                page_put_content(say_printf(page->arena, "model-%u", k + 1), page->models[k].name, out);
        const bool is_of_one = !s->put && page->n_models == 1 && !page->input->is_summary;
        if (is_of_one && page->models->memory)
            page_put_content("memory-1", "Memory", out);
        if (is_of_one && page->models->graph)
            page_put_content("graph-1", "Graph", out);
        if (is_of_one)
            page_put_content("layers-1", "Layers", out);
        if (is_wanted(page, s))
            page_put_content(s->id, s->title, out);
    }
    text_puts(out, PAGE_CONTENTS_END);
    page_put_verdict(page, out);
    text_puts(out, page->input->is_summary ? "<main class=\"summary\">\n"
                   : is_long(page)         ? "<main class=\"long\">\n"
                                           : "<main>\n");
    for (size_t i = 0; i < N_SECTIONS; i++) {
        const page_section *s = nth_section(page, i);
        for (uint32_t k = 0; !s->put && k < page->n_models; k++) {
            if (page->models[k].is_point || page->input->is_summary)
                continue;
            page_begin_section(say_printf(page->arena, "model-%u", k + 1), page->models[k].name, out);
            page_put_model(page, k, out);
            text_puts(out, PAGE_SECTION_END);
        }
        if (!is_wanted(page, s))
            continue;
        page_begin_section(s->id, s->title, out);
        s->put(page, out);
        text_puts(out, PAGE_SECTION_END);
    }
    text_puts(out, PAGE_END);
    TRY(arena_status(page->arena, err));
    return text_status(out, err);
}
