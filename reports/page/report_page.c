/* The page: head, navigation, the sections in their order. */
#include "reports/page/report_page.h"
#include "core/error.h"
#include "core/sha256.h"
#include "reports/embedded.h"
#include "reports/page/html.h"

#include <string.h>

/* --- head --------------------------------------------------------------------------------------------- */

static void put_base64(roof_text *out, const unsigned char *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        unsigned long three = (unsigned long)bytes[i] << 16;
        three |= i + 1 < n ? (unsigned long)bytes[i + 1] << 8 : 0;
        three |= i + 2 < n ? bytes[i + 2] : 0;
        const char four[] = {digits[three >> 18], digits[three >> 12 & 63],
                             i + 1 < n ? digits[three >> 6 & 63] : '=', i + 2 < n ? digits[three & 63] : '='};
        roof_text_add(out, four, sizeof four);
    }
}

/* Nothing may be fetched, and no script but ours may run, whatever a name in a file tries. */
static void put_policy(const char *script, roof_text *out)
{
    unsigned char digest[ROOF_SHA256_BYTES];
    roof_sha256(script, strlen(script), digest);
    roof_text_puts(
        out, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; "
             "form-action 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-");
    put_base64(out, digest, sizeof digest);
    roof_text_puts(out, "'\">\n");
}

static void put_head(const roof_page *page, roof_text *out)
{
    const char *script = roof_embedded_text("page.js");
    roof_text_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    put_policy(script, out);
    roof_text_puts(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                        "<meta name=\"color-scheme\" content=\"light dark\">\n"
                        "<link rel=\"icon\" href=\"data:,\">\n");
    roof_html_between(out, "<title>", roof_page_title(page, out), "</title>\n");
    roof_text_puts(out, "<style>\n");
    roof_text_puts(out, roof_embedded_text("page.css"));
    roof_text_puts(out, "</style>\n<script>");
    roof_text_puts(out, script);
    roof_text_puts(out, "</script>\n</head>\n<body>\n");
}

const char *roof_page_title(const roof_page *page, roof_text *out)
{
    enum { MOST_NAMES = 4 };
    roof_text title;
    roof_text_init(&title, ROOF_TEXT_MAX_BYTES);
    roof_text_puts(&title, "roofline report: ");
    for (uint32_t i = 0; i < page->n_models && i < MOST_NAMES; i++) {
        roof_text_puts(&title, i ? ", " : "");
        roof_text_puts(&title, page->models[i].name);
    }
    if (page->n_models > MOST_NAMES)
        roof_text_printf(&title, " and %u more", page->n_models - MOST_NAMES);
    const char *copy = title.failed ? NULL : roof_arena_strdup(page->arena, title.bytes);
    roof_text_free(&title);
    out->failed = out->failed || !copy;
    return copy ? copy : "";
}

/* --- sections ----------------------------------------------------------------------------------------- */

void roof_page_begin_section(const char *id, const char *title, roof_text *out)
{
    roof_text_printf(out, "<section id=\"%s\">\n<h2>", id);
    roof_html_text(out, title);
    roof_text_puts(out, "</h2>\n");
}

void roof_page_end_section(roof_text *out)
{
    roof_text_puts(out, "</section>\n");
}

static bool always(const roof_page *page)
{
    return page != NULL;
}

static bool has_calibration(const roof_page *page)
{
    return page->input->calibration != NULL;
}

static bool has_hardware(const roof_page *page)
{
    for (uint32_t i = 0; i < page->n_models; i++)
        if (page->models[i].prediction)
            return true;
    return false;
}

static void put_models(const roof_page *page, roof_text *out)
{
    for (uint32_t i = 0; i < page->n_models; i++)
        roof_page_put_model(page, i, out);
}

typedef struct section {
    const char *id, *title; /* in the table of contents; NULL: the models, one by one */
    bool (*wanted)(const roof_page *page);
    void (*put)(const roof_page *page, roof_text *out);
} section;

static const section sections[] = {
    {"key-figures", "Key figures", always, roof_page_put_key_figures},
    {"study", "All models", roof_page_has_study, roof_page_put_study},
    {NULL, NULL, always, put_models},
    {"calibration", "Calibration", has_calibration, roof_page_put_calibration},
    {"findings", "Findings", roof_page_has_findings, roof_page_put_findings},
    {"method", "Method", always, roof_page_put_method},
    {"constants", "Constants", has_hardware, roof_page_put_constants},
    {"provenance", "Provenance", always, roof_page_put_provenance},
};

enum { N_SECTIONS = sizeof sections / sizeof *sections };

static void put_model_links(const roof_page *page, roof_text *out)
{
    for (uint32_t i = 0; i < page->n_models; i++) {
        roof_text_printf(out, "<li><a href=\"#model-%u\">", i + 1);
        roof_html_between(out, "", page->models[i].name, "</a></li>\n");
    }
}

/* One model is one scroll: it needs no table of contents. */
static void put_contents(const roof_page *page, roof_text *out)
{
    if (page->n_models < 2)
        return;
    roof_text_puts(out, "<nav aria-label=\"Contents\"><ul>\n");
    for (size_t i = 0; i < N_SECTIONS; i++) {
        if (!sections[i].id)
            put_model_links(page, out);
        else if (sections[i].wanted(page))
            roof_text_printf(out, "<li><a href=\"#%s\">%s</a></li>\n", sections[i].id, sections[i].title);
    }
    roof_text_puts(out, "</ul></nav>\n");
}

roof_status roof_page_put(const roof_page *page, roof_text *out, roof_error *err)
{
    put_head(page, out);
    roof_page_put_verdict(page, out);
    put_contents(page, out);
    roof_text_puts(out, "<main>\n");
    for (size_t i = 0; i < N_SECTIONS; i++)
        if (sections[i].wanted(page))
            sections[i].put(page, out);
    roof_text_puts(out, "</main>\n</body>\n</html>\n");
    return roof_text_status(out, err);
}
