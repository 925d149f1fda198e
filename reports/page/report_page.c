#include "reports/page/page_sections.h"
#include "core/files/sha256.h"
#include "reports/embedded.h"

/* --- any page ---------------------------------------------------------------------------------------- */

/* From the beginning of the document to <body>. */
static void put_document_head(const char *title, roof_arena *arena, textbuf *out)
{
    const char *script = say_printf(arena, "%s%s%s", embedded_text("page.js"),
                                    embedded_text("page_charts.js"), embedded_text("page_graph.js"));
    text_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    /* Nothing may be fetched, and no script but ours may run, whatever a name in a file tries. */
    unsigned char digest[SHA256_BYTES];
    sha256_digest(script, strlen(script), digest);
    text_puts(out,
              "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; "
              "form-action 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-");
    size_t n = sizeof digest;
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        unsigned long three = (unsigned long)digest[i] << 16;
        three |= i + 1 < n ? (unsigned long)digest[i + 1] << 8 : 0;
        three |= i + 2 < n ? digest[i + 2] : 0;
        const char four[] = {digits[three >> 18], digits[three >> 12 & 63],
                             i + 1 < n ? digits[three >> 6 & 63] : '=', i + 2 < n ? digits[three & 63] : '='};
        text_add(out, four, sizeof four);
    }
    text_puts(out, "'\">\n");
    text_puts(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                   "<meta name=\"color-scheme\" content=\"light dark\">\n"
                   "<link rel=\"icon\" href=\"data:,\">\n");
    html_printf(out, "<title>%s</title>\n<style>\n", title);
    text_puts(out, embedded_text("page.css"));
    text_puts(out, "</style>\n<script>");
    text_puts(out, script);
    text_puts(out, "</script>\n</head>\n<body>\n");
}

/* A line of the contents, or the beginning of a section. */
static void begin_part(const char *id, const char *title, bool is_line, textbuf *out)
{
    html_printf(out, is_line ? "<li><a href=\"#%s\">%s</a></li>\n" : "<section id=\"%s\">\n<h2>%s</h2>\n", id,
                title);
}

/* Lines of the contents, or the sections themselves. A single model's table stands far down, so it has a line
 * as well. */
static void put_page_parts(const report_page *page, const page_section *sections, size_t n, bool are_lines,
                           textbuf *out)
{
    FOR_EACH(const page_section, s, sections, n) {
        const uint32_t n_models = s->put || page->input->is_summary ? 0 : page->n_models;
        for (uint32_t k = 0; k < n_models; k++) {
            if (page->models[k].is_point)
                continue;
            begin_part(say_printf(page->arena, "model-%u", k + 1), page->models[k].name, are_lines, out);
            if (!are_lines)
                page_put_model(page, k, out);
            text_puts(out, are_lines ? "" : "</section>\n");
        }
        if (are_lines && n_models == 1 && page->models->memory)
            begin_part("memory-1", "Memory", true, out);
        if (are_lines && n_models == 1 && page->models->graph)
            begin_part("graph-1", "Graph", true, out);
        if (are_lines && n_models == 1)
            begin_part("layers-1", "Layers", true, out);
        /* A summary has the key figures alone. */
        if (!s->is_wanted || (page->input->is_summary && s->put != page_put_key_figures))
            continue;
        begin_part(s->id, s->title, are_lines, out);
        if (!are_lines)
            s->put(page, out);
        text_puts(out, are_lines ? "" : "</section>\n");
    }
}

roof_status page_put_all(const report_page *page, const char *title, const char *kind,
                         const page_section *sections, size_t n, textbuf *out, roof_error *err)
{
    enum { LONG_ROWS = 1000 }; /* before its tables are read, a browser has to know that pictures may wait */
    const char *classes = "";
    for (uint32_t i = 0; i < page->n_models; i++)
        if (page->models[i].prediction && page->models[i].prediction->n_layers > LONG_ROWS)
            classes = " class=\"long\"";
    put_document_head(title, page->arena, out);
    /* A small screen has it folded. */
    html_printf(
        out,
        "<nav aria-label=\"Contents\"><p class=\"kind\">%s</p>\n<details><summary>Contents</summary><ul>\n",
        kind);
    put_page_parts(page, sections, n, true, out);
    text_puts(out, "</ul></details></nav>\n");
    page_put_verdict(page, out);
    text_printf(out, "<main%s>\n", page->input->is_summary ? " class=\"summary\"" : classes);
    put_page_parts(page, sections, n, false, out);
    text_puts(out, "</main>\n</body>\n</html>\n");
    TRY(arena_status(page->arena, err));
    return text_status(out, err);
}

/* --- a report ----------------------------------------------------------------------------------------- */

roof_status page_put(const report_page *page, textbuf *out, roof_error *err)
{
    const roof_reconciliation *r = page->input->reconciliation;
    bool has_key_figures = false, has_hardware = false, has_findings = r && r->n_findings,
         is_of_all = r || page_pairs(page).n > 1;
    FOR_EACH(const page_model, m, page->models, page->n_models) {
        has_key_figures = has_key_figures || !m->is_point;
        has_hardware = has_hardware || m->prediction;
        has_findings = has_findings || (m->prediction && m->prediction->n_findings);
    }
    for (uint32_t i = 0; i < page->n_figures; i++)
        is_of_all = is_of_all || page->figures[i].model == ROOF_NONE;
    /* Where there are several boards, the first question is which of them. */
    const bool is_of_boards = page_is_of_boards(page);
    const page_section figures = {"key-figures", "Key figures", has_key_figures, page_put_key_figures},
                       all = {"study", is_of_boards ? "Board against board" : "All models", is_of_all,
                              page_put_all_models};
    const page_section sections[] = {
        is_of_boards ? all : figures,
        is_of_boards ? figures : all,
        {.put = NULL},
        {"history", "History", page->history, page_put_history},
        {"calibration", "Calibration", page->input->calibration, page_put_calibration},
        {"findings", "Findings", has_findings, page_put_findings},
        {"method", "Method", true, page_put_method},
        {"constants", "Constants", has_hardware, page_put_constants},
        {"provenance", "Provenance", true, page_put_provenance},
    };
    enum { MOST_NAMES = 4 };
    const bool is_of_curves = !page->n_models || page->models[0].is_point;
    const char *names = "", *rest = "";
    for (uint32_t i = 0; i < page->n_models && i < MOST_NAMES; i++)
        names = say_more(page->arena, names, "%s", page->models[i].name);
    if (page->n_models > MOST_NAMES)
        rest = say_printf(page->arena, " and %u more", page->n_models - MOST_NAMES);
    for (uint32_t i = 0; is_of_curves && i < page->input->n_curves && i < MOST_NAMES; i++) {
        names = say_more(page->arena, i ? names : "", "%s", page->input->curves[i]->model);
        rest = "";
    }
    const char *title = say_printf(page->arena, "roofline report: %s%s", names, rest);
    return page_put_all(page, title, "roofline report", sections, N_OF(sections), out, err);
}
