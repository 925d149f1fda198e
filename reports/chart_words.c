/* The sentences on charts: a picture that leaves its page still says what was found, how, and from what. */
#include "core/quantity.h"
#include "reports/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "mobilenetv1 on KV260: layers take 5.65 ms, ideal 1.23 ms, so it runs at 22 % of that" */
static const char *measured_verdict(const roof_reconciled *e, chart_figure *f)
{
    double measured = e->total.sum_of_layers_s, ideal = e->total.ideal_per_layer_s;
    const char *what = "layers take";
    char took[40], bound[40];
    if (isnan(measured)) {
        measured = e->total.bypass_s;
        ideal = e->total.ideal_s;
        what = "an inference takes";
    }
    quantity_format(took, sizeof took, measured, "s");
    quantity_format(bound, sizeof bound, ideal, "s");
    if (isnan(measured))
        return figure_printf(f, "%s: nothing was measured", e->model);
    if (isnan(ideal) || !e->prediction)
        return figure_printf(f, "%s%s%s: %s %s", e->model, e->hardware ? " on " : "",
                             e->hardware ? e->hardware : "", what, took);
    return figure_printf(f, "%s%s%s: %s %s, ideal %s, so it runs at %.0f %% of that", e->model,
                         e->hardware ? " on " : "", e->hardware ? e->hardware : "", what, took, bound,
                         100 * ideal / measured);
}

const char *chart_verdict(const chart_source *s, chart_figure *f)
{
    if (s->experiment)
        return measured_verdict(s->experiment, f);
    return s->prediction ? s->prediction->verdict[0] : "";
}

/* "timed one by one", as far as it was. */
static const char *how_timed(const roof_reconciled *e, uint32_t n_rows, chart_figure *f)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->n_units; i++)
        n += (e->units[i].notes & 1u << (ROOF_FINDING_ESTIMATED - ROOF_FINDING_FIRST_NOTE)) != 0;
    if (n)
        return n == n_rows ? "estimated, not measured"
                           : figure_printf(f, "timed one by one, %u of them estimated", n);
    return n_rows == 1 ? "timed" : "timed one by one";
}

/* "36 layers timed one by one, mean of 100 runs; timing costs 156 us at each of 36 boundaries" */
static const char *measured_conditions(const roof_reconciled *e, chart_figure *f)
{
    char runs[80] = "", cost[120] = "", each[40];
    const roof_run *run = e->layer_run ? e->layer_run : e->bypass;
    if (!run)
        return "";
    if (run->iterations != ROOF_UNKNOWN && run->iterations)
        snprintf(runs, sizeof runs, ", mean of %llu runs", (unsigned long long)run->iterations);
    if (e->layer_run && !isnan(e->boundary_cost_s) && e->boundaries != ROOF_NONE) {
        quantity_format(each, sizeof each, e->boundary_cost_s, "s");
        snprintf(cost, sizeof cost, "; of which timing costs %s at each of %u boundar%s", each, e->boundaries,
                 e->boundaries == 1 ? "y" : "ies");
    }
    char listed[140];
    uint32_t n = run->n_layers;
    const char *how = how_timed(e, n, f);
    if (!n)
        snprintf(listed, sizeof listed, "inferences timed as a whole");
    else if (e->boundaries != ROOF_NONE && n < e->boundaries)
        snprintf(listed, sizeof listed, "%u of %u layers listed, %s", n, e->boundaries, how);
    else
        snprintf(listed, sizeof listed, n == 1 ? "%u layer %s" : "%u layers, %s", n, how);
    return figure_printf(f, "%s%s%s", listed, runs, cost);
}

const char *chart_conditions(const chart_source *s, chart_figure *f)
{
    if (s->experiment)
        return measured_conditions(s->experiment, f);
    return s->prediction ? s->prediction->verdict[1] : "";
}

const char *chart_provenance(const chart_source *s, chart_figure *f)
{
    const roof_prediction *p = s->prediction;
    if (!p)
        return "roofline " ROOF_VERSION;
    const char *sha256 = p->model.sha256, *hash = p->model.graph_hash;
    if (f->canvas.width_px < f->canvas.height_px) /* as much as tells models apart */
        return figure_printf(f, "roofline " ROOF_VERSION " | hardware %s | model %.12s", p->hardware.id,
                             sha256 ? sha256
                             : hash ? hash
                                    : "not hashed");
    return figure_printf(f, "roofline " ROOF_VERSION " | hardware %s, weakest value: %s | model %s %.32s",
                         p->hardware.id, roof_value_kind_text(p->hardware.weakest_kind),
                         sha256 ? "sha256" : "graph",
                         sha256 ? sha256
                         : hash ? hash
                                : "not hashed");
}

const char *chart_devices_provenance(const chart_source *s, chart_figure *f)
{
    const char *list = "", *hash = s->n_devices ? s->devices[0]->model.graph_hash : NULL;
    bool one_model = hash != NULL;
    for (uint32_t i = 0; i < s->n_devices; i++) {
        const char *other = s->devices[i]->model.graph_hash;
        list = figure_printf(f, "%s%s%s", list, i ? ", " : "", s->devices[i]->hardware.id);
        one_model = one_model && other && strcmp(other, hash) == 0;
    }
    return figure_printf(f, "roofline " ROOF_VERSION " | hardware %s | %s%.32s", list,
                         one_model ? "model graph " : "compiled for each of them", one_model ? hash : "");
}

const char *chart_study_provenance(const roof_reconciliation *r, chart_figure *f)
{
    const char *hardware = NULL;
    for (uint32_t i = 0; i < r->n_experiments && r->one_hardware && !hardware; i++)
        hardware = r->experiments[i].hardware;
    return figure_printf(f, "roofline " ROOF_VERSION " | %u measured model%s%s%s", r->n_models,
                         r->n_models == 1 ? "" : "s", hardware ? " on " : "", hardware ? hardware : "");
}
