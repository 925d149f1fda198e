#include "reports/page/page_sections.h"

#include "core/files/sha256.h"
#include "reports/embedded.h"
#include "reports/words/prediction_words.h"

#include <string.h>

void page_put_head(const char *title, roof_arena *arena, textbuf *out)
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

void page_begin_contents(const char *kind, textbuf *out)
{
    html_printf(
        out,
        "<nav aria-label=\"Contents\"><p class=\"kind\">%s</p>\n<details><summary>Contents</summary><ul>\n",
        kind);
}

void page_put_content(const char *id, const char *title, textbuf *out)
{
    html_printf(out, "<li><a href=\"#%s\">%s</a></li>\n", id, title);
}

void page_begin_section(const char *id, const char *title, textbuf *out)
{
    html_printf(out, "<section id=\"%s\">\n<h2>%s</h2>\n", id, title);
}

void page_put_remarks(const char *classes, const remarks *lines, textbuf *out)
{
    text_printf(out, "<dl class=\"%s\">\n", classes);
    for (size_t i = 0; i < lines->n; i++) {
        html_printf(out, "<div><dt>%s</dt><dd>", lines->items[i].label);
        html_sentence(out, lines->items[i].text);
        text_puts(out, "</dd></div>\n");
    }
    text_puts(out, "</dl>\n");
}

void page_put_grid(const cell_grid *grid, const char *id, const char *title, textbuf *out)
{
    if (grid->n_rows > 1 || grid->n_last) /* one row stands as a list, which has its title */
        html_printf(out, "<h3>%s</h3>\n", title);
    grid_put_html(grid, &(html_table){.id = id, .caption = title}, out);
}

static bool has_same_constants(const roof_prediction *a, const roof_prediction *b)
{
    bool same = a->hardware.n_constants == b->hardware.n_constants;
    for (uint32_t i = 0; same && i < a->hardware.n_constants; i++) {
        const roof_quantity *x = &a->hardware.constants[i], *y = &b->hardware.constants[i];
        same = strcmp(x->key, y->key) == 0 && memcmp(&x->value, &y->value, sizeof x->value) == 0 &&
               strcmp(x->source, y->source) == 0;
    }
    return same;
}

const roof_prediction *page_new_hardware(const report_page *page, uint32_t i)
{
    const roof_prediction *p = page->models[i].prediction;
    for (uint32_t k = 0; p && k < i; k++) {
        const roof_prediction *other = page->models[k].prediction;
        if (other && strcmp(other->hardware.id, p->hardware.id) == 0 && has_same_constants(other, p))
            return NULL;
    }
    return p;
}

bool page_is_of_boards(const report_page *page)
{
    const char *first = NULL;
    for (uint32_t i = 0; i < page->n_models; i++) {
        const roof_prediction *p = page->models[i].prediction;
        if (p && first && strcmp(first, p->hardware.id) != 0)
            return true;
        first = p && !first ? p->hardware.id : first;
    }
    return false;
}

predictions_view page_pairs(const report_page *page)
{
    const roof_report_input *in = page->input;
    roof_pair *pairs = NEW_ARRAY(page->arena, roof_pair, (size_t)in->n_predictions + in->n_unpredicted);
    predictions_view v = {.pairs = pairs, .arena = page->arena};
    for (uint32_t i = 0; pairs && i < in->n_predictions; i++) {
        uint32_t first = 0;
        while (!prediction_is_of_same(in->predictions[first], in->predictions[i]))
            first++;
        pairs[v.n] = roof_pair_of(in->predictions[i]);
        pairs[v.n++].path = in->predictions[first]->model.path;
    }
    for (uint32_t i = 0; pairs && i < in->n_unpredicted; i++) {
        roof_pair *pair = &pairs[v.n++];
        *pair = *in->unpredicted[i];
        const size_t length = strlen(pair->path);
        for (uint32_t k = 0; k < in->n_predictions; k++) { /* of a folder one file was read */
            const char *path = in->predictions[k]->model.path;
            if (length && strncmp(path, in->unpredicted[i]->path, length) == 0 &&
                (!path[length] || path[length] == '/')) {
                pair->path = pairs[k].path;
                break;
            }
        }
    }
    return v;
}
