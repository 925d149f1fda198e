/* A reader has to know findings before the numbers are used: they stand by kind, the advice once for each
 * kind. */
#include "reports/page/page_appendix.h"
#include "reports/words/prediction_words.h"

#include <stdio.h>

/* Kinds with more than these are closed on a screen; writer shows all. */
enum { FEW = 4 };

typedef struct item {
    roof_finding_kind kind;
    const char *model, *layer, *text; /* model and layer may be NULL */
} item;

typedef struct items {
    roof_arena *arena;
    item *all;
    size_t n;
    uint32_t counts[ROOF_FINDING_COUNT];
} items;

static void add(items *list, item one)
{
    item *all = arena_grow(list->arena, list->all, list->n, sizeof *all);
    if (!all)
        return;
    list->all = all;
    list->all[list->n++] = one;
    list->counts[one.kind]++;
}

static void put_group(const items *list, roof_finding_kind kind, bool name_models, textbuf *out)
{
    uint32_t count = list->counts[kind];
    char words[64]; /* "one_outlier" is the word in documents; people read "one outlier" */
    snprintf(words, sizeof words, "%s", roof_finding_kind_text(kind));
    for (char *p = words; *p; p++)
        *p = *p == '_' ? ' ' : *p;
    html_printf(out,
                "<div class=\"finding\" id=\"finding-%s\">\n<h3>%s</h3>\n<p class=\"advice\">%s</p>\n"
                "<details%s><summary>%u finding%s</summary>\n<ul>\n",
                roof_finding_kind_text(kind), words, roof_finding_advice(kind), count <= FEW ? " open" : "",
                count, say_plural(count));
    for (size_t i = 0; i < list->n; i++)
        if (list->all[i].kind == kind) {
            const item *f = &list->all[i];
            text_puts(out, "<li>");
            if (f->model && name_models)
                html_printf(out, "<strong>%s</strong>: ", f->model);
            if (f->layer) {
                html_name(out, f->layer, 0, true);
                text_puts(out, ": ");
            }
            html_printf(out, "%s</li>\n", f->text);
        }
    text_puts(out, "</ul></details>\n</div>\n");
}

bool page_has_findings(const report_page *page)
{
    bool any = page->input->reconciliation && page->input->reconciliation->n_findings;
    for (uint32_t i = 0; i < page->n_models && !any; i++)
        any = page->models[i].prediction && page->models[i].prediction->n_findings;
    return any;
}

void page_put_findings(const report_page *page, textbuf *out)
{
    items list = {.arena = page->arena};
    /* Findings of each prediction, each once, and those of the comparison. */
    const roof_reconciliation *r = page->input->reconciliation;
    for (uint32_t i = 0; i < page->n_models; i++) {
        const page_model *m = &page->models[i];
        for (uint32_t k = 0; m->prediction && k < m->prediction->n_findings; k++) {
            const roof_finding *f = &m->prediction->findings[k];
            add(&list, (item){f->kind, m->name, f->place, sentences_finding(f, list.arena)});
        }
    }
    for (uint32_t i = 0; r && i < r->n_findings; i++) {
        const roof_finding *f = &r->findings[i];
        const char *model = f->experiment == ROOF_NONE ? NULL : page->models[f->experiment].name;
        add(&list, (item){f->kind, model, f->place, sentences_finding(f, list.arena)});
    }
    text_printf(out, "<p>%zu finding%s. They say what the numbers rest on; none is an error.</p>\n", list.n,
                list.n == 1 ? "" : "s");
    for (int kind = 0; kind < ROOF_FINDING_COUNT; kind++)
        if (list.counts[kind])
            put_group(&list, (roof_finding_kind)kind, page->n_models > 1, out);
}
