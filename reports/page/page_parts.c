#include "reports/page/page_sections.h"
#include "core/files/sha256.h"
#include "reports/embedded.h"
#include "reports/words/prediction_words.h"

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

/* A summary has the key figures alone. */
static bool is_section_wanted(const report_page *page, const page_section *s)
{
    return s->put && (!s->wanted || s->wanted(page)) &&
           (!page->input->is_summary || s->put == page_put_key_figures);
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
        if (!is_section_wanted(page, s))
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
