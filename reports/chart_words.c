/* The sentences on charts: a picture that leaves its page still says what was found, how, and from what. */
#include "core/quantity.h"
#include "reports/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "mobilenetv1 on KV260: layers take 5.65 ms, ideal 1.23 ms, so it runs at 22 % of that" */
static const char *measured_verdict(const roof_reconciled *e, roof_figure *f)
{
    double measured = e->total.sum_of_layers_s, ideal = e->total.ideal_per_layer_s;
    const char *what = "layers take";
    char took[40], bound[40];
    if (isnan(measured)) {
        measured = e->total.bypass_s;
        ideal = e->total.ideal_s;
        what = "an inference takes";
    }
    roof_quantity_format(took, sizeof took, measured, "s");
    roof_quantity_format(bound, sizeof bound, ideal, "s");
    if (isnan(measured))
        return roof_figure_printf(f, "%s: nothing was measured", e->model);
    if (isnan(ideal) || !e->prediction)
        return roof_figure_printf(f, "%s%s%s: %s %s", e->model, e->hardware ? " on " : "",
                                  e->hardware ? e->hardware : "", what, took);
    return roof_figure_printf(f, "%s%s%s: %s %s, ideal %s, so it runs at %.0f %% of that", e->model,
                              e->hardware ? " on " : "", e->hardware ? e->hardware : "", what, took, bound,
                              100 * ideal / measured);
}

const char *roof_chart_verdict(const roof_chart_source *s, roof_figure *f)
{
    if (s->experiment)
        return measured_verdict(s->experiment, f);
    return s->prediction ? s->prediction->verdict[0] : "";
}

/* "36 layers timed one by one, mean of 100 runs; timing costs 156 us at each of 36 boundaries" */
static const char *measured_conditions(const roof_reconciled *e, roof_figure *f)
{
    char runs[80] = "", cost[120] = "", each[40];
    const roof_run *run = e->layer_run ? e->layer_run : e->bypass;
    if (!run)
        return "";
    if (run->iterations != ROOF_UNKNOWN && run->iterations)
        snprintf(runs, sizeof runs, ", mean of %llu runs", (unsigned long long)run->iterations);
    if (e->layer_run && !isnan(e->boundary_cost_s) && e->boundaries != ROOF_NONE) {
        roof_quantity_format(each, sizeof each, e->boundary_cost_s, "s");
        snprintf(cost, sizeof cost, "; of which timing costs %s at each of %u boundar%s", each, e->boundaries,
                 e->boundaries == 1 ? "y" : "ies");
    }
    char listed[80];
    if (!run->n_layers)
        snprintf(listed, sizeof listed, "inferences timed as a whole");
    else if (e->boundaries != ROOF_NONE && run->n_layers < e->boundaries)
        snprintf(listed, sizeof listed, "%u of %u layers listed, timed one by one", run->n_layers,
                 e->boundaries);
    else
        snprintf(listed, sizeof listed, run->n_layers == 1 ? "%u layer timed" : "%u layers, timed one by one",
                 run->n_layers);
    return roof_figure_printf(f, "%s%s%s", listed, runs, cost);
}

const char *roof_chart_conditions(const roof_chart_source *s, roof_figure *f)
{
    if (s->experiment)
        return measured_conditions(s->experiment, f);
    return s->prediction ? s->prediction->verdict[1] : "";
}

const char *roof_chart_provenance(const roof_chart_source *s, roof_figure *f)
{
    const roof_prediction *p = s->prediction;
    if (!p)
        return "roofline " ROOF_VERSION;
    const char *sha256 = p->model.sha256, *hash = p->model.graph_hash;
    return roof_figure_printf(
        f, "roofline " ROOF_VERSION " | hardware %s, weakest value: %s | model %s %.32s", p->hardware.id,
        roof_value_kind_text(p->hardware.weakest_kind), sha256 ? "sha256" : "graph",
        sha256 ? sha256
        : hash ? hash
               : "not hashed");
}

const char *roof_chart_devices_provenance(const roof_chart_source *s, roof_figure *f)
{
    const char *list = "", *hash = s->n_devices ? s->devices[0]->model.graph_hash : NULL;
    bool one_model = hash != NULL;
    for (uint32_t i = 0; i < s->n_devices; i++) {
        const char *other = s->devices[i]->model.graph_hash;
        list = roof_figure_printf(f, "%s%s%s", list, i ? ", " : "", s->devices[i]->hardware.id);
        one_model = one_model && other && strcmp(other, hash) == 0;
    }
    return roof_figure_printf(f, "roofline " ROOF_VERSION " | hardware %s | %s%.32s", list,
                              one_model ? "model graph " : "compiled for each of them",
                              one_model ? hash : "");
}

const char *roof_chart_study_provenance(const roof_reconciliation *r, roof_figure *f)
{
    const char *hardware = NULL;
    for (uint32_t i = 0; i < r->n_experiments && r->one_hardware && !hardware; i++)
        hardware = r->experiments[i].hardware;
    return roof_figure_printf(f, "roofline " ROOF_VERSION " | %u measured model%s%s%s", r->n_experiments,
                              r->n_experiments == 1 ? "" : "s", hardware ? " on " : "",
                              hardware ? hardware : "");
}
