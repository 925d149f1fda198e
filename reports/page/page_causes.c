#include "reports/page/page_sections.h"
#include "measure/matches/match_facts.h"
#include "reports/words/cause_words.h"

enum { FEW_LAYERS = 5, FEW_CAUSES = 3 };

static const char *const certainty_words[] = {
    [ROOF_SURE_MEASURED] = "measured",
    [ROOF_SURE_PEERS] = "by comparison with other layers",
    [ROOF_SURE_BOUND] = "at most this, by the bound",
    [ROOF_SURE_REPLAY] = "by replaying the code with this change",
    [ROOF_SURE_GUESS] = "a guess: other explanations remain",
};

/* --- where -------------------------------------------------------------------------------------------- */

/* match: of the experiment, else of the layers of the prediction. */
static const char *name_of(const page_model *m, uint32_t unit)
{
    const char *name = m->experiment                            ? m->experiment->matches[unit].name
                       : m->prediction && m->prediction->layers ? m->prediction->layers[unit].name
                                                                : "";
    return prediction_name_without(prediction_name_prefix(m->prediction), name);
}

/* "16 conv+eltwise layers", "alu, 5 layers", "res4b"; "" where it is not of layers. */
static const char *where_is(const page_model *m, const roof_cause *c, roof_arena *arena)
{
    const char *subject = c->subject ? c->subject : "";
    char text[ROOF_SENTENCE_SIZE];
    sentence layers = say_into(text);
    if (cause_is_of_one(c))
        return name_of(m, c->units[0]);
    if (!c->n_units)
        return subject;
    if (cause_is_of_engine(c))
        SAY(&layers, "{<40}, {} layer{|s}", AS_TEXT(subject), AS_COUNT(c->n_units));
    else
        cause_say_layers(&layers, c);
    return text_or_empty(arena_strdup(arena, text));
}

static void put_layers(const report_page *page, uint32_t model, const roof_cause *c, textbuf *out)
{
    const page_model *m = &page->models[model];
    text_printf(out, "Layer%s: ", say_plural(c->n_units));
    for (uint32_t i = 0; i < c->n_units && i < FEW_LAYERS; i++) {
        text_puts(out, i ? ", " : "");
        /* A layer, with a link to its row where the table has one. */
        uint32_t unit = c->units[i];
        const roof_reconciled *e = m->experiment;
        const roof_match *u = e ? &e->matches[unit] : NULL;
        const roof_layer_prediction *l = !u                               ? &m->prediction->layers[unit]
                                         : u->n_layers && !u->is_unlisted ? match_layer(e, u, 0)
                                                                          : NULL;
        if (l)
            text_printf(out, "<a href=\"#layers-%u-%u\">", model + 1, l->index);
        html_name(out, name_of(m, unit), 0, true);
        if (l) {
            text_puts(out, "</a>");
            page_put_node_link(page, model, l->index, out);
        }
    }
    if (c->n_units > FEW_LAYERS)
        text_printf(out, " and %u more", c->n_units - FEW_LAYERS);
    text_puts(out, ". ");
}

/* --- the list ----------------------------------------------------------------------------------------- */

static void put_cause(const report_page *page, uint32_t model, const roof_cause *c, bool is_open,
                      textbuf *out)
{
    const page_model *m = &page->models[model];
    const char *where = where_is(m, c, page->arena);
    char why[ROOF_SENTENCE_SIZE];
    html_printf(out,
                "<li><details%s><summary><span class=\"what\">%s</span> <span class=\"where\">%s</span> ",
                is_open ? " open" : "", roof_cause_meaning(c->kind), where);
    /* The whole, the part of it that can be gained, and the interval of that as a line with ends. */
    double part = 100 * fmin(1, fmax(0, c->share_ratio)), per_s = part / c->gain_s;
    if (!isnan(c->share_ratio) && c->gain_s > 0) {
        text_printf(
            out,
            "<svg class=\"gain\" viewBox=\"0 0 100 12\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
            "<rect y=\"3\" width=\"100\" height=\"6\"/><rect class=\"part\" y=\"3\" width=\"%.2f\" "
            "height=\"6\"/>",
            part);
        if (!isnan(c->gain_ci95_s[0])) {
            double low = fmax(0, c->gain_ci95_s[0] * per_s), high = fmin(100, c->gain_ci95_s[1] * per_s);
            text_printf(out, "<path d=\"M%.2f 6H%.2fM%.2f 0v12M%.2f 0v12\"/>", low, high, low, high);
        }
        text_puts(out, "</svg>");
    }
    /* "at most 2.783 ms, 23 % of 12.19 ms" */
    text_puts(out, "<span class=\"gains\">");
    if (isnan(c->gain_s))
        text_puts(out, "saving unknown");
    else
        html_printf(out, "%s%s", cause_gain_before(c), say_quantity(page->arena, c->gain_s, "s"));
    const bool is_shared = c->share_ratio > 0 && c->gain_s > 0;
    if (is_shared)
        html_printf(out, ", %s", say_percent(page->arena, c->share_ratio));
    if (is_shared && !*cause_gain_before(c)) /* a line has no room for both */
        html_printf(out, " of %s", say_quantity(page->arena, c->gain_s / c->share_ratio, "s"));
    html_printf(out, "</span></summary>\n<p class=\"why\">%s. ", roof_remark_sentence(&c->why, why));
    if (c->n_units) {
        text_puts(out, "</p>\n<p>");
        put_layers(page, model, c, out);
    }
    /* "Gain: measured, 95 %: 2.7 ms to 2.9 ms." */
    if (!isnan(c->gain_s)) {
        html_printf(out, "<span class=\"sure\">Gain: %s", certainty_words[c->sure]);
        if (!isnan(c->gain_ci95_s[0]))
            html_printf(out, ", 95 %%: %s to %s", say_quantity(page->arena, c->gain_ci95_s[0], "s"),
                        say_quantity(page->arena, c->gain_ci95_s[1], "s"));
        text_puts(out, ".</span>");
    }
    text_puts(out, "</p>\n<p>Help: ");
    html_sentence(out, roof_cause_advice(c->kind));
    text_puts(out, ".</p>\n</details></li>\n");
}

static void put_list(const report_page *page, uint32_t model, const roof_cause *causes, uint32_t from,
                     uint32_t to, textbuf *out)
{
    text_puts(out, from ? "<ol class=\"more\">\n" : "<ol>\n");
    for (uint32_t i = from; i < to; i++)
        put_cause(page, model, &causes[i], !i, out);
    text_puts(out, "</ol>\n");
}

/* The first ones; the others are folded away, so that key figures are near. */
void page_put_causes(const report_page *page, uint32_t model, textbuf *out)
{
    const page_model *m = &page->models[model];
    const roof_cause *causes = m->experiment ? m->experiment->causes : m->prediction->causes;
    /* How many stand before what nothing locates and the limits of the model; before these alone, or all,
     * where there are only those. */
    uint32_t n = m->experiment ? m->experiment->n_causes : m->prediction->n_causes, located = 0, costs = 0;
    while (costs < n && !cause_is_limit(&causes[costs]))
        located += !cause_is_unlocated(&causes[costs++]);
    costs = located ? located : costs ? costs : n;
    const uint32_t first = costs > FEW_CAUSES ? FEW_CAUSES : costs;
    if (!n && !m->experiment)
        return;
    text_puts(out, "<div class=\"causes\"><h4>What costs time</h4>\n");
    /* A profile that is compared with nothing has no cause, and may still have one row that takes much. */
    const roof_profile *p = n ? NULL : m->experiment->profile;
    if (n)
        put_list(page, model, causes, 0, first, out);
    else if (!p || !p->largest_name || p->n_rows < 2)
        text_puts(out, "<p class=\"note\">Nothing stands out.</p>\n");
    else {
        text_puts(out, "<p class=\"note\">No known cause; the largest row is ");
        html_text(out, p->largest_name);
        text_printf(out, ", %.0f %% of the time.</p>\n", 100 * p->largest_ratio);
    }
    if (n > first) {
        text_printf(out, "<details><summary>%u %s</summary>\n", n - first,
                    first < costs || cause_is_unlocated(&causes[first]) ? "more"
                    : n - first == 1                                    ? "limit of the model"
                                                                        : "limits of the model");
        put_list(page, model, causes, first, n, out);
        text_puts(out, "</details>\n");
    }
    text_puts(out, "</div>\n");
}
