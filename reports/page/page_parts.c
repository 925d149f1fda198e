#include "reports/page/page_sections.h"
#include "reports/words/prediction_words.h"

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
    grid_put_html(grid, &(html_table){.id = id, .caption = title, .heading = 3}, out);
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
    const roof_prediction *before = NULL;
    for (uint32_t i = 0; i < page->n_models; i++) {
        const roof_prediction *p = page->models[i].prediction;
        if (p && before && strcmp(before->hardware.id, p->hardware.id) != 0)
            return true;
        before = p ? p : before;
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
