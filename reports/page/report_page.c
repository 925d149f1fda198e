#include "reports/page/report_page.h"
#include "reports/page/page_appendix.h"
#include "reports/page/page_models.h"
#include "reports/page/page_verdict.h"
#include "core/error.h"
#include "core/files/sha256.h"
#include "reports/embedded.h"

#include <string.h>

/* --- head --------------------------------------------------------------------------------------------- */

static const char *title_of(const report_page *page)
{
    enum { MOST_NAMES = 4 };
    const char *names = "", *rest = "";
    for (uint32_t i = 0; i < page->n_models && i < MOST_NAMES; i++)
        names = say_more(page->arena, names, "%s", page->models[i].name);
    if (page->n_models > MOST_NAMES)
        rest = say_printf(page->arena, " and %u more", page->n_models - MOST_NAMES);
    return say_printf(page->arena, "roofline report: %s%s", names, rest);
}

static void put_head(const report_page *page, textbuf *out)
{
    const char *script =
        say_printf(page->arena, "%s%s", embedded_text("page.js"), embedded_text("page_charts.js"));
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
    html_printf(out, "<title>%s</title>\n<style>\n", title_of(page));
    text_puts(out, embedded_text("page.css"));
    text_puts(out, "</style>\n<script>");
    text_puts(out, script);
    text_puts(out, "</script>\n</head>\n<body>\n");
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

typedef struct section {
    const char *id, *title;
    bool (*wanted)(const report_page *page);            /* NULL: always */
    void (*put)(const report_page *page, textbuf *out); /* NULL: the models, one by one */
} section;

static const section sections[] = {
    {"key-figures", "Key figures", NULL, page_put_key_figures},
    {"study", "All models", page_has_all_models, page_put_all_models},
    {NULL, NULL, NULL, NULL},
    {"calibration", "Calibration", has_calibration, page_put_calibration},
    {"findings", "Findings", page_has_findings, page_put_findings},
    {"method", "Method", NULL, page_put_method},
    {"constants", "Constants", has_hardware, page_put_constants},
    {"provenance", "Provenance", NULL, page_put_provenance},
};

enum { N_SECTIONS = sizeof sections / sizeof *sections };

/* Where there are several boards, the first question is which of them. */
static const section *nth_section(const report_page *page, size_t i)
{
    static const section boards = {"study", "Board against board", page_has_all_models, page_put_all_models};
    if (!page_is_of_boards(page) || i > 1)
        return &sections[i];
    return i ? &sections[0] : &boards;
}

static bool is_wanted(const report_page *page, const section *s)
{
    return s->put && (!s->wanted || s->wanted(page));
}

roof_status page_put(const report_page *page, textbuf *out, roof_error *err)
{
    put_head(page, out);
    /* A small screen has it folded. A single model's table stands far down, so it has a link as well. */
    text_puts(out, "<nav aria-label=\"Contents\"><p class=\"kind\">roofline "
                   "report</p>\n<details><summary>Contents</summary><ul>\n");
    for (size_t i = 0; i < N_SECTIONS; i++) {
        const section *s = nth_section(page, i);
        for (uint32_t k = 0; !s->put && k < page->n_models; k++)
            html_printf(out, "<li><a href=\"#model-%u\">%s</a></li>\n", k + 1, page->models[k].name);
        if (!s->put && page->n_models == 1)
            text_puts(out, "<li><a href=\"#layers-1\">Layers</a></li>\n");
        if (is_wanted(page, s))
            html_printf(out, "<li><a href=\"#%s\">%s</a></li>\n", s->id, s->title);
    }
    text_puts(out, "</ul></details></nav>\n");
    page_put_verdict(page, out);
    text_puts(out, "<main>\n");
    for (size_t i = 0; i < N_SECTIONS; i++) {
        const section *s = nth_section(page, i);
        for (uint32_t k = 0; !s->put && k < page->n_models; k++) {
            html_printf(out, "<section id=\"model-%u\">\n<h2>%s</h2>\n", k + 1, page->models[k].name);
            page_put_model(page, k, out);
            text_puts(out, "</section>\n");
        }
        if (!is_wanted(page, s))
            continue;
        html_printf(out, "<section id=\"%s\">\n<h2>%s</h2>\n", s->id, s->title);
        s->put(page, out);
        text_puts(out, "</section>\n");
    }
    text_puts(out, "</main>\n</body>\n</html>\n");
    TRY(arena_status(page->arena, err));
    return text_status(out, err);
}
