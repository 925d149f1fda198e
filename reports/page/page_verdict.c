#include "reports/page/page_sections.h"
#include "measure/matches/match_facts.h"
#include "reports/renderers/renderer.h"
#include "reports/words/curve_words.h"
#include "reports/words/prediction_words.h"
#include "roofline/words.h"

/* --- verdict ------------------------------------------------------------------------------------------ */

/* Paragraphs follow, and the end of the division. */
static const char head[] = "<h1>%s</h1>\n<div class=\"verdict\">\n";

static void put_paragraph(textbuf *out, const char *text)
{
    if (!text || !text[0])
        return;
    text_puts(out, "<p>");
    html_sentence(out, text);
    text_puts(out, "</p>\n");
}

static const char *ideal_with_name(const report_page *page, const page_model *m)
{
    return say_printf(page->arena, "%s (%s)",
                      say_quantity(page->arena, m->prediction->total.deployed.ideal_s, "s"), m->name);
}

/* "3 predictions: ideal 1.547 ms (a on kv260), 1.614 ms (b on kv260) and 7.576 ms (c on kv260)": no sentence
 * of one model stands for all of them. More than MOST: the shortest and the longest. */
static const char *prediction_headline(const report_page *page)
{
    enum { MOST = 3 };
    const uint32_t n = page->n_models;
    const page_model *models = page->models, *least = models, *most = models;
    const predictions_view v = page_pairs(page);
    const char *list = "";
    if (page_is_of_boards(page) || page->input->n_unpredicted)
        return text_or_empty(predictions_sentence(&v, 0));
    for (uint32_t i = 0; i < n; i++) {
        const double ideal_s = models[i].prediction->total.deployed.ideal_s;
        least = ideal_s < least->prediction->total.deployed.ideal_s ? &models[i] : least;
        most = ideal_s > most->prediction->total.deployed.ideal_s ? &models[i] : most;
        if (n <= MOST)
            list = say_printf(page->arena, "%s%s%s", list,
                              !i           ? ""
                              : i + 1 == n ? " and "
                                           : ", ",
                              ideal_with_name(page, &models[i]));
    }
    if (n > MOST)
        list = say_printf(page->arena, "%s to %s", ideal_with_name(page, least), ideal_with_name(page, most));
    return say_printf(page->arena, "%u predictions: ideal %s", n, list);
}

static void put_measured_verdict(const report_page *page, textbuf *out)
{
    const roof_reconciliation *r = page->input->reconciliation;
    enum { MOST_OF_HEADLINE = 160 };
    char text[ROOF_SENTENCE_SIZE];
    const char *headline = text_or_empty(roof_sentence(r, ROOF_SENTENCE_VERDICT, 0, text)), *rest = NULL;
    if (strlen(headline) > MOST_OF_HEADLINE)
        rest = strstr(headline, "; ");
    html_printf(out, head,
                rest ? say_printf(page->arena, "%.*s.", (int)(rest - headline), headline) : headline);
    put_paragraph(out, rest ? rest + 2 : NULL);
    for (uint32_t i = 1; roof_sentence(r, ROOF_SENTENCE_VERDICT, i, text); i++)
        put_paragraph(out, text);
}

/* The sentences of each of several models stand with it. */
static void put_predicted_verdict(const report_page *page, textbuf *out)
{
    const roof_prediction *p = page->models[0].prediction;
    html_printf(out, head,
                page->n_models == 1 ? prediction_verdict(p, 0, page->arena) : prediction_headline(page));
    if (page->n_models == 1) {
        put_paragraph(out, prediction_published_first(p, page->arena));
        put_paragraph(out, prediction_verdict(p, 1, page->arena));
        put_paragraph(out, prediction_verdict(p, 2, page->arena));
    }
    const predictions_view v = page_pairs(page);
    const char *text;
    const bool has_sentences = v.n > 1 && (page_is_of_boards(page) || page->input->n_unpredicted);
    for (uint32_t i = page->n_models > 1; has_sentences && (text = predictions_sentence(&v, i)); i++)
        put_paragraph(out, text);
}

/* --- hardware ----------------------------------------------------------------------------------------- */

static void put_hardware(const report_page *page, const roof_prediction *p, textbuf *out)
{
    const struct {
        const char *label, *unit;
        double value;
    } chips[] = {{"clock", "Hz", p->hardware.clock_hz},
                 {"memory", "B/s", p->hardware.bandwidth_bytes_per_s},
                 {"peak", "OP/s", p->hardware.peak_ops_per_s}};
    html_printf(out, "<ul class=\"chips\">\n<li><strong>%s</strong></li>\n", p->hardware.name);
    for (size_t i = 0; i < N_OF(chips); i++) {
        if (!(chips[i].value > 0))
            continue;
        text_printf(out, "<li><span class=\"label\">%s</span> ", chips[i].label);
        html_quantity(out, say_quantity(page->arena, chips[i].value, chips[i].unit));
        text_puts(out, "</li>\n");
    }
    if (p->hardware.cores)
        text_printf(out, "<li><span class=\"label\">cores</span> %u</li>\n", p->hardware.cores);
    html_printf(out, "<li><span class=\"label\">least certain value</span> %s",
                roof_value_kind_words(p->hardware.weakest_kind));
    if (p->hardware.weakest_key && p->hardware.weakest_key[0])
        html_printf(out, " (%s)", p->hardware.weakest_key);
    text_puts(out, "</li>\n</ul>\n");
}

void page_put_verdict(const report_page *page, textbuf *out)
{
    const char *text;
    text_puts(out, "<header>\n");
    if (page->sentence) {
        html_printf(out, head, page->sentence(page, 0));
        for (uint32_t i = 1; (text = page->sentence(page, i)); i++)
            html_printf(out, "<p>%s</p>\n", text);
    } else if (page->input->reconciliation)
        put_measured_verdict(page, out);
    else if (!page->n_models) {
        /* Curves alone: the first sentence of each, and all of one. */
        const uint32_t n = page->input->n_curves, most = n == 1 ? 3 : 1;
        char said[ROOF_SENTENCE_SIZE];
        html_printf(out, head, curve_say(page->input->curves[0], 0, said));
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = i == 0; k < most; k++)
                put_paragraph(out, curve_say(page->input->curves[i], k, said));
    } else
        put_predicted_verdict(page, out);
    text_puts(out, "</div>\n");
    const page_history *h = page->history;
    if (h) /* the worst of its series */
        html_printf(out, "<div class=\"verdict\">\n<p>%s</p>\n</div>\n",
                    h->shown.n     ? history_sentence(&h->shown, 0, page->arena)
                    : h->n_missing ? h->missing[0]
                                   : "The history was not asked: no model is on this page.");
    const roof_report_input *input = page->input;
    if (input->checks)
        html_printf(out, "<p class=\"budget %s\">%s</p>\n",
                    input->checks->counts[ROOF_HELD_BROKEN] ? "fail"
                    : roof_checks_failed(input->checks) > 0 ? "unknown"
                                                            : "pass",
                    checks_verdict(page->arena, input->checks));
    if (input->date || input->command) {
        text_puts(out, "<p class=\"made\">");
        html_text(out, text_or_empty(input->date));
        text_puts(out, input->date && input->command ? ", " : "");
        if (input->command)
            html_printf(out, "<code>%s</code>", input->command);
        text_puts(out, "</p>\n");
    }
    text_puts(out, "</header>\n");
}

/* --- key figures -------------------------------------------------------------------------------------- */

typedef struct keys {
    roof_arena *arena;
    textbuf *out;
} keys;

static void put_key(const keys *k, const char *label, const char *quantity, const char *format, ...)
    ROOF_PRINTF(4, 5);

/* Nothing for a quantity that is unknown. format: a note below; "" is none. */
static void put_key(const keys *k, const char *label, const char *quantity, const char *format, ...)
{
    va_list args;
    if (!quantity)
        return;
    va_start(args, format);
    const char *note = text_or_empty(arena_vprintf(k->arena, format, args));
    va_end(args);
    text_printf(k->out, "<div><dt>%s</dt><dd>", label);
    html_quantity(k->out, quantity);
    if (note[0])
        html_printf(k->out, "<small>%s</small>", note);
    text_puts(k->out, "</dd></div>\n");
}

static const char *quantity(const keys *k, double value, const char *unit)
{
    return isnan(value) ? NULL : say_quantity(k->arena, value, unit);
}

static const char *seconds(const keys *k, double value)
{
    return quantity(k, value, "s");
}

static const roof_part *part_of(const roof_attribution *a, const char *name)
{
    return a->of ? NAMED(a->parts, a->n_parts, name, name) : NULL;
}

/* A time, and its share of another one where that is known. */
static void put_share(const keys *k, const char *label, double time_s, double share, const char *whole)
{
    put_key(k, label, seconds(k, time_s), isnan(share) ? "%.0s%.0s" : "%s of %s",
            say_percent(k->arena, share), whole);
}

static void put_bound_keys(const keys *k, const roof_reconciled *e)
{
    const roof_prediction *p = e->prediction;
    uint32_t bound = p->total.deployed.bound;
    const double limit_s = experiment_hardware_limit_s(e),
                 whole_s = e->bypass ? e->total.bypass_s : roof_layered_seconds(e);
    /* Limit over time; for a per-layer run over the rows with a limit, as documents state it. */
    const bool is_of_rows = !e->bypass && !isnan(e->total.limits.of_rows);
    const double part = is_of_rows ? 1 / e->total.limits.of_rows : quotient_of(limit_s, whole_s);
    put_key(k, p->estimate_of ? "ideal" : "bound", seconds(k, limit_s),
            isnan(part) ? "%.0s%s; bottleneck %s" : "%s of measured; %s; bottleneck %s",
            say_percent(k->arena, part),
            !e->bypass                        ? "layers one by one"
            : p->estimate_of                  ? "an estimate"
            : !isnan(p->schedule.scheduled_s) ? "the replayed schedule"
                                              : "if all layers overlapped",
            bound == ROOF_NONE ? "nothing" : p->engines[bound]);
    if (e->bypass && !p->estimate_of)
        put_key(k, "expected", seconds(k, e->total.expected_s), "%s",
                experiment_is_as_expected(e) ? "measured as expected" : "on this board");
}

static void put_experiment_keys(const keys *k, const roof_reconciled *e)
{
    const roof_run *run = e->bypass;
    bool is_counted = run && run->total.count && run->total.count != ROOF_UNKNOWN;
    const char *of =
        is_counted ? say_printf(k->arena, ", mean of %llu", (unsigned long long)run->total.count) : "";
    put_key(k, "measured", seconds(k, e->total.bypass_s), "whole-network run%s", of);
    if (e->prediction)
        put_bound_keys(k, e);
    const roof_part *deployed = part_of(&e->deployed, "gap"),
                    *gap = deployed ? deployed : part_of(&e->layer_by_layer, "gap");
    const roof_part *phases = part_of(&e->layer_by_layer, "pre and post phases");
    /* beside the bound of the same inference: both and the host are all that was measured */
    const double gap_s = !gap ? NAN : gap->seconds + (deployed ? e->deployed.unattributed_s : 0);
    if (e->prediction && gap)
        put_share(k, "gap", gap_s, deployed ? quotient_of(gap_s, e->deployed.total_s) : gap->share_ratio,
                  deployed ? "measured" : "the layers");
    if (phases && !isnan(phases->seconds))
        put_share(k, "host", phases->seconds, phases->share_ratio, "the layers");
    else if (!isnan(e->total.bypass_s))
        put_share(k, "host", e->total.host_s, quotient_of(e->total.host_s, e->total.bypass_s), "measured");
    double layered = roof_layered_seconds(e);
    const char *at =
        e->boundaries == ROOF_NONE ? " of measured" : say_printf(k->arena, ", %u boundaries", e->boundaries);
    put_key(k, "per-layer run", seconds(k, layered), "%s",
            isnan(e->total.per_layer_s) ? "sum of layers" : "timed at each boundary");
    if (!isnan(layered) && e->total.inflation_ratio >= 0) /* what is less than the whole is none */
        put_key(k, "overhead", say_quantity(k->arena, layered - e->total.bypass_s, "s"), "%+.0f %%%s",
                100 * e->total.inflation_ratio, at);
    const roof_energy *energy = &e->energy;
    put_key(k, "energy", quantity(k, energy->inference_j, "J"), "%s%s",
            energy->scope ? say_printf(k->arena, "of %s; ", energy->scope) : "",
            say_quantity(k->arena, energy->inferences_per_j, "inferences/J"));
    put_key(k, "power", quantity(k, energy->power_w, "W"), "while it ran; idle %s",
            say_quantity(k->arena, energy->idle_power_w, "W"));
}

static void put_predicted(const keys *k, const roof_prediction *p)
{
    const double *ci95_s = p->total.predicted_ci95_s;
    const roof_yield *yield = &p->total.yield;
    const char *unit = yield->unit;
    double per_s = p->total.predicted_inferences_per_s * (unit ? yield->count : 1);
    const char *rate = say_quantity(k->arena, per_s, unit ? "" : "inferences/s");
    if (!p->calibration)
        return;
    if (isnan(ci95_s[0]))
        put_key(k, "expected", seconds(k, p->total.predicted_s), "%s%s%s; by %s", rate, text_or_empty(unit),
                unit ? "s/s" : "", p->calibration);
    else
        put_key(k, "expected", seconds(k, p->total.predicted_s), "95 %%: %s to %s; %s", seconds(k, ci95_s[0]),
                seconds(k, ci95_s[1]), rate);
}

void page_put_key_figures(const report_page *page, textbuf *out)
{
    const keys k = {page->arena, out};
    for (uint32_t i = 0; i < page->n_models; i++) {
        const page_model *m = &page->models[i];
        const roof_prediction *hardware = page_new_hardware(page, i);
        if (m->is_point)
            continue;
        html_printf(out, "<div class=\"first\"><h3>%s</h3>\n", m->name);
        page_put_causes(page, i, out);
        text_puts(out, "<div class=\"keys\"><dl>\n");
        if (m->experiment)
            put_experiment_keys(&k, m->experiment);
        else if (m->prediction) {
            const roof_prediction *p = m->prediction;
            uint32_t bound = p->total.deployed.bound;
            const char *unit = p->total.yield.unit;
            const roof_pair pair = roof_pair_of(p);
            bool is_scheduled = !isnan(p->schedule.scheduled_s);
            put_key(&k, "bound", seconds(&k, roof_best_s(p)), "%s",
                    is_scheduled ? "the replayed schedule" : "if all layers overlapped");
            put_key(&k, "ideal", seconds(&k, p->total.deployed.ideal_s), "sum of layers; bound by %s",
                    bound == ROOF_NONE ? "nothing" : p->engines[bound]);
            put_predicted(&k, p);
            put_key(&k, unit ? say_printf(k.arena, "%ss at most", unit) : "inferences at most",
                    isnan(pair.per_s) ? NULL : say_printf(k.arena, "%.0f /s", pair.per_s),
                    "by the bound, %u core%s%s", p->hardware.cores, say_plural(p->hardware.cores),
                    pair.host_layers ? "; of the accelerator's part" : "");
            double bytes = known_count(roof_traffic_total(&p->total.deployed.traffic));
            put_key(&k, "work", quantity(&k, known_count(p->total.ops_count), "ops"), "1 MAC = 2 ops");
            put_key(&k, "memory traffic", quantity(&k, bytes, "B"), "of one run");
        }
        if (m->n_changes)
            put_key(&k, "baseline", seconds(&k, m->changes->total.a_s), "%s", page_say_change(page, m));
        text_puts(out, "</dl>\n");
        if (hardware)
            put_hardware(page, hardware, out);
        text_puts(out, "</div>\n");
        page_put_figures(page, i, PLACE_KEY_FIGURES, out);
        text_puts(out, "</div>\n");
    }
}
