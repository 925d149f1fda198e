/* Measured profiles from untrusted files: what can be read is written, read again, reconciled without and
 * with the predictions that it brings along, and shown in every format. Sums must close, and every row and
 * layer has its place. */
#include "core/error.h"
#include "core/json/jsontree.h"
#include "measure/profile/profile.h"
#include "roofline/calibrate.h"
#include "roofline/compare.h"
#include "roofline/render.h"
#include "roofline/words.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/memory_io.h"
#include "tests/support/trace_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- in and out ---- */

static roof_status read_text(const char *text, size_t length, roof_measured **out, roof_error *err)
{
    memory_source source = {text, length, 0};
    *out = NULL;
    return measured_codec_read(memory_read, &source, "folder/fuzz.json", out, err);
}

static textbuf written(const roof_measured *m)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    CHECK(roof_measured_write(m, (roof_sink){memory_write, &text}, NULL) == ROOF_OK);
    CHECK(text_status(&text, NULL) == ROOF_OK);
    return text;
}

/* What was written reads back as what writes the same. */
static void check_round_trip(const roof_measured *m)
{
    roof_measured *again;
    textbuf first = written(m);
    CHECK(read_text(first.bytes, first.length, &again, NULL) == ROOF_OK);
    textbuf second = written(again);
    CHECK(first.length == second.length && memcmp(first.bytes, second.bytes, first.length) == 0);
    text_free(&first);
    text_free(&second);
    roof_measured_free(again);
}

/* ---- a reconciliation ---- */

static void check_attribution(const roof_attribution *a)
{
    if (!a->of)
        return;
    CHECK(a->attributed_s + a->unattributed_s == a->total_s);
    CHECK(a->n_parts <= ROOF_MAX_PARTS);
    for (uint32_t i = 0; i < a->n_parts; i++)
        CHECK(isfinite(a->parts[i].seconds) && a->parts[i].name && roof_part_meaning(a->parts[i].id)[0]);
}

/* measured = ideal + overhead + host + gap, as far as they are known. */
static void check_times(const roof_match *u)
{
    double overhead = isnan(u->overhead_s) ? 0 : u->overhead_s;
    double host = isnan(u->host_s) ? 0 : u->host_s;
    double rest = u->measured_s - u->ideal_s - overhead - host - u->gap_s;
    double size = fabs(u->measured_s) + fabs(u->ideal_s) + overhead + host + fabs(u->gap_s);
    CHECK(!isinf(u->measured_s) && !isinf(u->ideal_s) && !isinf(u->gap_s) && overhead >= 0);
    CHECK(isnan(rest) || fabs(rest) <= 1e-9 * size);
    CHECK(isnan(u->measured_s - u->ideal_s) == isnan(u->gap_s));
    CHECK(!(u->corrected_s < u->ideal_s) || u->measured_s < u->ideal_s);
}

static void mark(bool *seen, const uint32_t *order, uint32_t from, uint32_t n, uint32_t most)
{
    for (uint32_t i = from; i < from + n; i++) {
        CHECK(order[i] < most && !seen[order[i]]);
        seen[order[i]] = true;
    }
}

/* Every row is in one unit. Layers that nobody times may be in none. */
static void check_units(const roof_reconciled *e)
{
    uint32_t n_rows = e->layer_run ? e->layer_run->n_layers : 0;
    uint32_t n_layers = e->prediction ? e->prediction->n_layers : 0, rows = 0;
    bool *row_seen = calloc(n_rows + 1, sizeof *row_seen),
         *layer_seen = calloc(n_layers + 1, sizeof *layer_seen);
    CHECK(row_seen && layer_seen);
    for (uint32_t i = 0; i < e->n_matches; i++) {
        const roof_match *u = &e->matches[i];
        CHECK(u->name && (u->n_rows || u->n_layers));
        mark(row_seen, e->row_order, u->row, u->n_rows, n_rows);
        mark(layer_seen, e->layer_order, u->layer, u->n_layers, n_layers);
        rows += u->n_rows;
        check_times(u);
    }
    CHECK(rows == n_rows);
    free(row_seen);
    free(layer_seen);
}

/* ---- the documents ---- */

/* Lines of UTF-8 without control characters, the last one ended. */
static void check_lines(const textbuf *text)
{
    CHECK(text->length > 0 && text->bytes[text->length - 1] == '\n' && strlen(text->bytes) == text->length);
    for (size_t at = 0; at < text->length;) {
        size_t line = strcspn(text->bytes + at, "\n");
        CHECK(utf8_first_bad(text->bytes + at, line) == line);
        at += line + 1;
    }
}

static void render(const roof_reconciliation *r)
{
    static const char *const formats[] = {"text", "json", "csv", "markdown", "trace"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        roof_render_options options = {
            .format = formats[i], .width = 100, .details = true, .all_findings = true};
        cJSON *root = NULL;
        textbuf text;
        text_init(&text, TEXT_MAX_BYTES);
        CHECK(roof_render(r, &options, (roof_sink){memory_write, &text}, NULL) == ROOF_OK);
        check_lines(&text);
        if (strcmp(formats[i], "json") == 0 || strcmp(formats[i], "trace") == 0)
            CHECK(jsontree_parse(text.bytes, text.length, NULL, &root, NULL) == ROOF_OK);
        if (strcmp(formats[i], "trace") == 0)
            CHECK(!trace_check(root));
        cJSON_Delete(root);
        text_free(&text);
    }
}

/* In the layout of another tool, which only profiles of epochs have. */
static void render_like(const roof_reconciliation *r)
{
    const roof_render_options options = {.like = "npu_profiler"};
    roof_status want = ROOF_E_DATA;
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    for (uint32_t i = 0; i < r->n_experiments; i++)
        want = r->experiments[i].epochs ? ROOF_OK : want;
    CHECK(roof_render(r, &options, (roof_sink){memory_write, &text}, NULL) == want);
    if (want == ROOF_OK)
        check_lines(&text);
    text_free(&text);
}

/* Beside itself nothing is shown, and estimates lie in their intervals. */
static void check_row_of_same(const roof_compared *row)
{
    CHECK(!row->is_shown && row->pairing != ROOF_PAIRED_NOT);
    CHECK(isnan(row->difference_s) || (row->difference_s >= 0 && row->difference_s <= 0));
    CHECK(isnan(row->p) || row->p > 0.99);
    CHECK(isnan(row->ratio_ci95[0]) ||
          (row->ratio_ci95[0] <= row->ratio && row->ratio <= row->ratio_ci95[1]));
}

static void compare_with_itself(const roof_reconciliation *r)
{
    static const char *const formats[] = {"text", "json", "csv", "markdown"};
    const roof_compare_side side = {.name = "fuzz", .measured = r};
    roof_comparison *c = NULL;
    if (roof_compare(&side, &side, &c, NULL) != ROOF_OK)
        return; /* it has no run */
    for (uint32_t i = 0; i < c->n_runs; i++) {
        check_row_of_same(&c->runs[i].total);
        for (uint32_t k = 0; k < c->runs[i].n_layers; k++)
            check_row_of_same(&c->runs[i].layers[k]);
    }
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const roof_render_options options = {.format = formats[i], .width = 60};
        textbuf text;
        text_init(&text, TEXT_MAX_BYTES);
        CHECK(roof_render(c, &options, (roof_sink){memory_write, &text}, NULL) == ROOF_OK);
        check_lines(&text);
        text_free(&text);
    }
    roof_comparison_free(c);
}

/* Whatever can be fitted has values within their bounds, and can be written. */
static void calibrate(const roof_reconciliation *r)
{
    roof_calibration *c = NULL;
    textbuf text;
    if (roof_calibrate(r, &c, NULL) != ROOF_OK)
        return;
    for (uint32_t i = 0; i < c->n_parameters; i++)
        CHECK(c->parameters[i].value >= 0 && c->parameters[i].value <= c->parameters[i].most);
    text_init(&text, TEXT_MAX_BYTES);
    CHECK(roof_calibration_write(c, (roof_sink){memory_write, &text}, NULL) == ROOF_OK);
    text_free(&text);
    roof_calibration_free(c);
}

static void reconcile(const roof_measured *m, const roof_prediction *const *predictions)
{
    roof_reconciliation *r = NULL;
    CHECK(roof_reconcile(m, predictions, NULL, &r, NULL) == ROOF_OK);
    char text[ROOF_SENTENCE_SIZE];
    CHECK(r->n_experiments + r->n_loads > 0 && roof_sentence(r, ROOF_SENTENCE_VERDICT, 0, text));
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        check_units(&r->experiments[i]);
        check_attribution(&r->experiments[i].layer_by_layer);
        check_attribution(&r->experiments[i].deployed);
        check_attribution(&r->experiments[i].wall);
    }
    for (uint32_t i = 0; i < r->n_findings; i++)
        CHECK(roof_sentence(r, ROOF_SENTENCE_FINDING, i, text)[0] &&
              roof_finding_advice(r->findings[i].kind)[0]);
    render(r);
    render_like(r);
    calibrate(r);
    compare_with_itself(r);
    roof_reconciliation_free(r);
}

/* Without predictions, and with those of the document. */
static void reconcile_both(const roof_measured *m)
{
    const roof_prediction **predictions = calloc(m->n_experiments, sizeof(roof_prediction *));
    bool any = false;
    CHECK(predictions);
    reconcile(m, predictions);
    for (uint32_t i = 0; i < m->n_experiments; i++) {
        predictions[i] = m->experiments[i].prediction;
        any = any || predictions[i];
    }
    if (any)
        reconcile(m, predictions);
    free(predictions);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    roof_measured *m;
    roof_error err = {0};
    roof_status status = read_text((const char *)data, size, &m, &err);
    if (status == ROOF_OK) {
        check_round_trip(m);
        reconcile_both(m);
    } else {
        CHECK(err.status == status && roof_status_exit_code(status) == 65 && err.what[0] && err.where[0]);
    }
    roof_measured_free(m);
    return 0;
}
