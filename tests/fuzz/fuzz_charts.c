/* Charts of untrusted documents: whatever a profile or a prediction in it says, each chart is data that
 * gnuplot can read, with no text on another and none outside the picture. */
#include "core/error.h"
#include "measure/profile/profile.h"
#include "reports/charts/chart.h"
#include "roofline/reconcile.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/chart_check.h"
#include "tests/support/memory_io.h"

#include <stdlib.h>
#include <string.h>

/* A field is a number, "?", or a text between quotes in which quotes and backslashes are doubled. Returns
 * what follows it. */
static const char *check_field(const char *p)
{
    size_t digits = strspn(p, "+-.0123456789e");
    CHECK(*p == '"' || *p == '?' || digits);
    if (*p != '"')
        return *p == '?' ? p + 1 : p + digits;
    for (p++; *p && (*p != '"' || p[1] == '"'); p++) {
        CHECK((unsigned char)*p >= ' ' && *p != 127);
        if (*p == '"' || *p == '\\') {
            CHECK(p[1] == *p);
            p++;
        }
    }
    CHECK(*p == '"');
    return p + 1;
}

static void check_data(const char *text)
{
    for (const char *p = text; *p; p++) {
        if (*p == '#')
            p += strcspn(p, "\n");
        while (*p && *p != '\n') {
            p = check_field(p);
            CHECK(*p == '\t' || *p == '\n');
            p += *p == '\t';
        }
        CHECK(*p == '\n');
    }
}

static void check_variables(const char *p)
{
    for (; *p; p++) {
        p += strspn(p, "abcdefghijklmnopqrstuvwxyz_0123456789");
        CHECK(strncmp(p, " = ", 3) == 0);
        p += 3;
        CHECK(*p != '\n');
        p += strspn(p, "+-.0123456789eNa");
        CHECK(*p == '\n');
    }
}

static void draw(const chart_def *chart, const chart_source *source)
{
    const chart_canvas canvases[] = {canvas_wide, canvas_narrow};
    for (size_t i = 0; i < sizeof canvases / sizeof *canvases; i++) {
        chart_figure f;
        bool is_empty;
        char fault[1500];
        CHECK(chart_draw(chart, source, canvases[i], &f, &is_empty, NULL) == ROOF_OK);
        if (!is_empty) {
            CHECK(!chart_fault(&f, fault, sizeof fault));
            check_data(f.data.bytes);
            check_variables(f.variables.bytes);
        }
        figure_free(&f);
    }
}

static void draw_all(const roof_reconciliation *r, const roof_prediction *const *predictions,
                     uint32_t n_predictions)
{
    for (size_t c = 0; chart_at(c); c++) {
        const chart_def *chart = chart_at(c);
        const chart_source all = {.reconciliation = r, .devices = predictions, .n_devices = n_predictions};
        if (chart->scope != CHART_MODEL)
            draw(chart, &all);
        for (uint32_t i = 0; chart->scope == CHART_MODEL && i < r->n_experiments; i++) {
            const roof_reconciled *e = &r->experiments[i];
            const chart_source measured = {.prediction = e->prediction, .reconciliation = r, .experiment = e},
                               predicted = {.prediction = e->prediction};
            draw(chart, &measured);
            if (e->prediction)
                draw(chart, &predicted);
        }
    }
}

static void draw_document(const roof_measured *m)
{
    const roof_prediction **predictions = calloc(m->n_experiments + 1, sizeof(roof_prediction *));
    const roof_prediction **known = calloc(m->n_experiments + 1, sizeof(roof_prediction *));
    roof_reconciliation *r = NULL;
    uint32_t n = 0;
    CHECK(predictions && known);
    for (uint32_t i = 0; i < m->n_experiments; i++) {
        predictions[i] = m->experiments[i].prediction;
        if (predictions[i])
            known[n++] = predictions[i];
    }
    CHECK(roof_reconcile(m, predictions, NULL, &r, NULL) == ROOF_OK);
    draw_all(r, known, n);
    roof_reconciliation_free(r);
    free(predictions);
    free(known);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    memory_source source = {(const char *)data, size, 0};
    roof_measured *m = NULL;
    if (measured_codec_read(memory_read, &source, "fuzz.json", &m, NULL) == ROOF_OK && m->n_experiments)
        draw_document(m);
    roof_measured_free(m);
    return 0;
}
