/* What a reader sees first: the verdict in sentences, the hardware, and the few numbers that a meeting is about. */
#include "core/quantity.h"
#include "reports/cells.h"
#include "reports/page/html.h"
#include "reports/page/report_page.h"
#include "roofline/words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { QUANTITY_SIZE = 48, NOTE_SIZE = 160 };

/* --- verdict ------------------------------------------------------------------------------------------ */

static void put_paragraph(textbuf *out, const char *text)
{
    if (text && text[0])
        html_between_tags(out, "<p>", text, "</p>\n");
}

static void put_best(const report_page *page, uint32_t i, textbuf *out)
{
    char time[QUANTITY_SIZE];
    quantity_format(time, sizeof time, page->models[i].prediction->total.deployed.ideal_s, "s");
    html_text(out, time);
    html_between_tags(out, " (", page->models[i].name, ")");
}

static uint32_t extreme(const report_page *page, double sign)
{
    uint32_t found = 0;
    for (uint32_t i = 1; i < page->n_models; i++)
        if (sign * page->models[i].prediction->total.deployed.ideal_s >
            sign * page->models[found].prediction->total.deployed.ideal_s)
            found = i;
    return found;
}

/* "3 predictions: ideal 1.547 ms (a on kv260), 1.614 ms (b on kv260) and 7.576 ms (c on kv260)": no sentence of one model
 * stands for all of them. Of many, the shortest and the longest. */
static void put_prediction_headline(const report_page *page, textbuf *out)
{
    enum { MOST = 3 };
    uint32_t n = page->n_models;
    text_printf(out, "%u predictions: ideal ", n);
    if (n > MOST) {
        put_best(page, extreme(page, -1), out);
        text_puts(out, " to ");
        put_best(page, extreme(page, 1), out);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        text_puts(out, !i ? "" : i + 1 == n ? " and " : ", ");
        put_best(page, i, out);
    }
}

static void put_measured_verdict(const report_page *page, textbuf *out)
{
    const roof_reconciliation *r = page->input->reconciliation;
    char text[ROOF_SENTENCE_SIZE];
    html_between_tags(out, "<h1>", roof_sentence(r, ROOF_SENTENCE_VERDICT, 0, text), "</h1>\n");
    text_puts(out, "<div class=\"verdict\">\n");
    for (uint32_t i = 1; roof_sentence(r, ROOF_SENTENCE_VERDICT, i, text); i++)
        put_paragraph(out, text);
    for (uint32_t i = 0; i < page->input->n_predictions; i++) {
        put_paragraph(out, page->input->predictions[i]->verdict[0]);
        put_paragraph(out, page->input->predictions[i]->verdict[1]);
    }
    text_puts(out, "</div>\n");
}

static void put_predicted_verdict(const report_page *page, textbuf *out)
{
    bool is_one = page->n_models == 1;
    text_puts(out, "<h1>");
    if (is_one)
        html_text(out, page->models[0].prediction->verdict[0]);
    else
        put_prediction_headline(page, out);
    text_puts(out, "</h1>\n<div class=\"verdict\">\n");
    for (uint32_t i = 0; i < page->n_models; i++) {
        const roof_prediction *p = page->models[i].prediction;
        if (is_one) {
            put_paragraph(out, p->verdict[1]);
            continue;
        }
        html_between_tags(out, "<p>", p->verdict[0], ". ");
        html_between_tags(out, "", p->verdict[1], "</p>\n");
    }
    text_puts(out, "</div>\n");
}

/* --- hardware ----------------------------------------------------------------------------------------- */

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

static void put_chip(textbuf *out, const char *label, double value, const char *unit)
{
    char text[QUANTITY_SIZE];
    if (!(value > 0))
        return;
    quantity_format(text, sizeof text, value, unit);
    text_printf(out, "<li><span class=\"label\">%s</span> ", label);
    html_quantity(out, text);
    text_puts(out, "</li>\n");
}

static void put_chips(const roof_prediction *p, textbuf *out)
{
    html_between_tags(out, "<ul class=\"chips\">\n<li><strong>", p->hardware.name, "</strong></li>\n");
    put_chip(out, "clock", p->hardware.clock_hz, "Hz");
    put_chip(out, "memory", p->hardware.bandwidth_bytes_per_s, "B/s");
    put_chip(out, "peak", p->hardware.peak_ops_per_s, "OP/s");
    if (p->hardware.cores)
        text_printf(out, "<li><span class=\"label\">cores</span> %u</li>\n", p->hardware.cores);
    html_between_tags(out, "<li><span class=\"label\">weakest value</span> ",
                      roof_value_kind_text(p->hardware.weakest_kind), "");
    if (p->hardware.weakest_key && p->hardware.weakest_key[0])
        html_between_tags(out, " (", p->hardware.weakest_key, ")");
    text_puts(out, "</li>\n</ul>\n");
}

void page_put_verdict(const report_page *page, textbuf *out)
{
    text_puts(out, "<header>\n<p class=\"kind\">roofline report</p>\n");
    if (page->input->reconciliation)
        put_measured_verdict(page, out);
    else
        put_predicted_verdict(page, out);
    for (uint32_t i = 0; i < page->n_models; i++) {
        const roof_prediction *p = page_new_hardware(page, i);
        if (p)
            put_chips(p, out);
    }
    text_puts(out, "</header>\n");
}

/* --- key figures -------------------------------------------------------------------------------------- */

static void put_key(textbuf *out, const char *label, const char *quantity, const char *format, ...)
    ROOF_PRINTF(4, 5);

/* format: a note below; "" is none. */
static void put_key(textbuf *out, const char *label, const char *quantity, const char *format, ...)
{
    char note[NOTE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(note, sizeof note, format, args);
    va_end(args);
    text_printf(out, "<div><dt>%s</dt><dd>", label);
    html_quantity(out, quantity);
    if (note[0])
        html_between_tags(out, "<small>", note, "</small>");
    text_puts(out, "</dd></div>\n");
}

/* NULL for what is not known, which is not shown. */
static const char *seconds(double value, char text[QUANTITY_SIZE])
{
    if (isnan(value))
        return NULL;
    quantity_format(text, QUANTITY_SIZE, value, "s");
    return text;
}

static const char *percent(double ratio, char text[QUANTITY_SIZE])
{
    if (isnan(ratio))
        return NULL;
    snprintf(text, QUANTITY_SIZE, "%.1f %%", 100 * ratio);
    return text;
}

static const roof_part *part_of(const roof_attribution *a, const char *name)
{
    for (uint32_t i = 0; a->of && i < a->n_parts; i++)
        if (strcmp(a->parts[i].name, name) == 0)
            return &a->parts[i];
    return NULL;
}

static void put_measured(const roof_reconciled *e, textbuf *out)
{
    char time[QUANTITY_SIZE];
    const roof_run *run = e->bypass;
    if (!seconds(e->total.bypass_s, time))
        return;
    if (run && run->total.count && run->total.count != ROOF_UNKNOWN)
        put_key(out, "measured", time, "deployed, mean of %llu", (unsigned long long)run->total.count);
    else
        put_key(out, "measured", time, "deployed");
}

static void put_layered(const roof_reconciled *e, textbuf *out)
{
    char time[QUANTITY_SIZE];
    double layered = roof_layered_seconds(e);
    if (!seconds(layered, time))
        return;
    put_key(out, "layer by layer", time, "%s",
            isnan(e->total.per_layer_s) ? "sum of layers" : "timed at every boundary");
    if (isnan(e->total.inflation_ratio))
        return;
    quantity_format(time, sizeof time, layered - e->total.bypass_s, "s");
    if (e->boundaries == ROOF_NONE)
        put_key(out, "overhead", time, "%+.0f %% of measured", 100 * e->total.inflation_ratio);
    else
        put_key(out, "overhead", time, "%+.0f %%, %u boundaries", 100 * e->total.inflation_ratio,
                e->boundaries);
}

static void put_ideal(const roof_reconciled *e, textbuf *out)
{
    char time[QUANTITY_SIZE], floor[QUANTITY_SIZE];
    const roof_prediction *p = e->prediction;
    bool deployed = e->bypass != NULL;
    if (!p || !seconds(deployed ? e->total.ideal_s : e->total.ideal_per_layer_s, time))
        return;
    uint32_t bound = p->total.deployed.bound;
    const char *engine = bound == ROOF_NONE ? "nothing" : p->engines[bound];
    if (seconds(e->total.floor_s, floor))
        put_key(out, "ideal", time, "bound by %s; floor %s", engine, floor);
    else
        put_key(out, "ideal", time, "bound by %s", engine);
}

/* A time, and its share of another one where that is known. */
static void put_share(textbuf *out, const char *label, const char *time, double share, const char *whole)
{
    char ratio[QUANTITY_SIZE];
    bool known = percent(share, ratio);
    put_key(out, label, time, "%s%s%s", known ? ratio : "", known ? " of " : "", known ? whole : "");
}

static void put_gap(const roof_reconciled *e, textbuf *out)
{
    char time[QUANTITY_SIZE];
    const roof_part *gap = part_of(&e->deployed, "gap");
    bool deployed = gap != NULL;
    if (!gap)
        gap = part_of(&e->layer_by_layer, "gap");
    if (e->prediction && gap && seconds(gap->seconds, time))
        put_share(out, "gap", time, gap->share_ratio, deployed ? "measured" : "the layers");
    const roof_part *phases = part_of(&e->layer_by_layer, "pre and post phases");
    if (phases && seconds(phases->seconds, time))
        put_share(out, "host", time, phases->share_ratio, "the layers");
    else if (seconds(e->total.host_s, time) && !isnan(e->total.bypass_s))
        put_share(out, "host", time, quotient_of(e->total.host_s, e->total.bypass_s), "measured");
}

static void put_experiment_keys(const roof_reconciled *e, textbuf *out)
{
    char ratio[QUANTITY_SIZE];
    put_measured(e, out);
    put_ideal(e, out);
    if (e->prediction && percent(e->total.efficiency_ratio, ratio))
        put_key(out, "efficiency", ratio, "ideal / %s", e->bypass ? "measured" : "sum of layers");
    put_gap(e, out);
    put_layered(e, out);
}

static void put_count(textbuf *out, const char *label, uint64_t count, const char *unit, const char *note)
{
    char text[QUANTITY_SIZE];
    if (count == ROOF_UNKNOWN)
        return;
    quantity_format(text, sizeof text, (double)count, unit);
    put_key(out, label, text, "%s", note);
}

static void put_prediction_keys(const roof_prediction *p, textbuf *out)
{
    char time[QUANTITY_SIZE], rate[QUANTITY_SIZE];
    uint32_t bound = p->total.deployed.bound;
    if (seconds(p->total.deployed.ideal_s, time))
        put_key(out, "ideal", time, "bound by %s", bound == ROOF_NONE ? "nothing" : p->engines[bound]);
    if (seconds(p->total.floor_s, time))
        put_key(out, "floor", time, "all layers overlap perfectly");
    if (p->calibration && seconds(p->total.predicted_s, time))
        put_key(out, "predicted", time, "with the calibration");
    if (!isnan(p->total.inferences_per_s)) {
        snprintf(rate, sizeof rate, "%.0f /s", p->total.inferences_per_s);
        put_key(out, "inferences", rate, "ideal, %u core%s", p->hardware.cores,
                p->hardware.cores == 1 ? "" : "s");
    }
    put_count(out, "work", p->total.ops_count, "ops", "1 MAC = 2 ops");
    put_count(out, "memory traffic", roof_traffic_total(&p->total.deployed.traffic), "B", "of one run");
}

void page_put_key_figures(const report_page *page, textbuf *out)
{
    page_begin_section("key-figures", "Key figures", out);
    for (uint32_t i = 0; i < page->n_models; i++) {
        const page_model *m = &page->models[i];
        html_between_tags(out, "<div class=\"keys\"><h3>", m->name, "</h3>\n<dl>\n");
        if (m->experiment)
            put_experiment_keys(m->experiment, out);
        else if (m->prediction)
            put_prediction_keys(m->prediction, out);
        text_puts(out, "</dl></div>\n");
    }
    page_end_section(out);
}
