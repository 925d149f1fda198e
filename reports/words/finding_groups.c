#include "reports/words/cause_words.h"
#include "core/table/grid.h"
#include "reports/words/prediction_words.h"
#include "reports/words/say.h"
#include "roofline/words.h"

enum { NAMED = 3, LONGEST_NAME = 28 }; /* layers of a group, and columns that one takes */

void finding_groups_add(finding_groups *g, const roof_finding *finding, const char *model, uint64_t count)
{
    const found more = {finding->kind, model, finding->place, sentences_finding(finding, g->arena), count};
    if (ARENA_ADD(g->arena, g->items, g->n, NULL, more) != ROOF_OK)
        return;
    g->counts[finding->kind] += count;
    g->total += count;
}

static const char *name_of(const found *f)
{
    return f->layer ? f->layer : f->model;
}

/* ": conv1, conv2, pool5 and 8 more"; a name that several findings have in a row stands there once. */
static const char *names_of(const finding_groups *g, roof_finding_kind kind)
{
    const char *list = "", *last = "";
    uint64_t shown = 0, n_listed = 0;
    FOR_EACH(const found, f, g->items, g->n) {
        char buffer[4 * LONGEST_NAME + 8];
        if (f->kind != kind || !name_of(f) || (shown == NAMED && strcmp(name_of(f), last) != 0))
            continue;
        n_listed += f->count;
        if (strcmp(name_of(f), last) == 0)
            continue;
        last = name_of(f);
        list = say_more(g->arena, list, "%s", text_shorten(last, LONGEST_NAME, true, buffer, sizeof buffer));
        shown++;
    }
    if (!shown)
        return "";
    return text_or_empty(n_listed < g->counts[kind]
                             ? arena_printf(g->arena, ": %s and %llu more", list,
                                            (unsigned long long)(g->counts[kind] - n_listed))
                             : arena_printf(g->arena, ": %s", list));
}

static void put_one(const finding_groups *g, const text_writer *p, const found *f)
{
    if (p->is_markdown) {
        text_puts(p->out, "  - ");
        writer_put_markdown(p->out, f->model ? f->model : "");
        text_puts(p->out, f->model ? ": " : "");
        if (f->layer)
            writer_put_markdown_code(p->out, f->layer);
        text_puts(p->out, f->layer ? ": " : "");
        writer_put_markdown(p->out, f->text);
        text_puts(p->out, "\n");
        return;
    }
    text_puts(p->out, "  ");
    writer_put_wrapped(p->out,
                       say_printf(g->arena, "%s%s%s%s%s", f->model ? f->model : "", f->model ? ": " : "",
                                  f->layer ? f->layer : "", f->layer ? ": " : "", f->text),
                       p->width - 4, 4);
}

static void put_whole_group(const finding_groups *g, roof_finding_kind kind, const char *words,
                            const text_writer *p)
{
    const char *severity = roof_severity_text(roof_finding_severity(kind));
    if (p->is_markdown) {
        text_printf(p->out, "- %s: **%s**: ", severity, words);
        writer_put_markdown(p->out, roof_finding_advice(kind));
        text_puts(p->out, "\n");
    } else {
        text_puts(p->out, "\n");
        writer_put_wrapped(p->out, say_printf(g->arena, "%s: %s", severity, words), p->width, 2);
        text_puts(p->out, "  -> ");
        writer_put_wrapped(p->out, roof_finding_advice(kind), p->width - 5, 5);
    }
    for (size_t i = 0; i < g->n; i++)
        if (g->items[i].kind == kind)
            put_one(g, p, &g->items[i]);
}

/* The first kind of notes, which change nothing. */
enum { FEW_NOTES = 1 };

void finding_groups_put(const finding_groups *g, const text_writer *p, const roof_render_options *options)
{
    static const char *const labels[ROOF_SEVERITIES] = {"  wrong", "  hidden", "  note"};
    bool is_whole = options->all_findings || p->is_markdown;
    unsigned long long n = g->total;
    const char *order = n > 1 ? ", the worst first" : "",
               *hint = n && !is_whole ? "; --findings lists them with advice" : "";
    writer_item(p, "findings",
                text_or_empty(n ? arena_printf(g->arena, "%llu%s%s", n, order, hint) : "none"));
    if (n && p->is_markdown)
        text_puts(p->out, "\n");
    for (int severity = 0; severity < ROOF_SEVERITIES; severity++) {
        const char *label = labels[severity];
        int shown = 0, left_out = 0;
        for (int i = 0; i < ROOF_FINDING_COUNT; i++) {
            const roof_finding_kind kind = (roof_finding_kind)i;
            char words[ROOF_SENTENCE_SIZE];
            if (!g->counts[kind] || (int)roof_finding_severity(kind) != severity)
                continue;
            roof_findings_words(kind, g->counts[kind], words);
            if (is_whole)
                put_whole_group(g, kind, words, p);
            else if (severity == ROOF_SEVERITY_NOTE && g->has_few_notes && shown++ >= FEW_NOTES)
                left_out += (int)g->counts[kind];
            else
                writer_item(p, label, say_printf(g->arena, "%s%s", words, names_of(g, kind)));
            label = "";
        }
        if (left_out)
            writer_item(p, "", say_printf(g->arena, "and %d more", left_out));
    }
}
