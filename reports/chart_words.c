/* The sentences on charts: a picture that leaves its page still says what was found, how, and from what. */
#include "reports/chart.h"

#include <math.h>
#include <string.h>

#define MADE_BY "roofline " ROOF_VERSION " | "

const char *chart_subject(const roof_reconciled *e, chart_figure *f)
{
    return figure_printf(f, "%s%s%s", e->model, e->hardware ? " on " : "", e->hardware ? e->hardware : "");
}

/* "mobilenetv1 on KV260: layers take 5.65 ms, ideal 1.23 ms, so it runs at 22 % of that" */
static const char *measured_verdict(const roof_reconciled *e, chart_figure *f)
{
    bool by_layers = !isnan(e->total.sum_of_layers_s);
    double measured = by_layers ? e->total.sum_of_layers_s : e->total.bypass_s;
    double ideal = by_layers ? e->total.ideal_per_layer_s : e->total.ideal_s;
    if (isnan(measured))
        return figure_printf(f, "%s: nothing was measured", e->model);
    const char *took =
        figure_printf(f, "%s: %s take%s %s", chart_subject(e, f), by_layers ? "layers" : "an inference",
                      by_layers ? "" : "s", say_quantity(f->arena, measured, "s"));
    if (isnan(ideal) || !e->prediction)
        return took;
    return figure_printf(f, "%s, ideal %s, so it runs at %.0f %% of that", took,
                         say_quantity(f->arena, ideal, "s"), 100 * ideal / measured);
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

/* "36 layers, timed one by one, mean of 100 runs; of which timing costs 156 us at each of 36 boundaries" */
static const char *measured_conditions(const roof_reconciled *e, chart_figure *f)
{
    const char *listed, *runs = "", *cost = "";
    const roof_run *run = e->layer_run ? e->layer_run : e->bypass;
    if (!run)
        return "";
    if (run->iterations != ROOF_UNKNOWN && run->iterations)
        runs = figure_printf(f, ", mean of %llu runs", (unsigned long long)run->iterations);
    if (e->layer_run && !isnan(e->boundary_cost_s) && e->boundaries != ROOF_NONE)
        cost = figure_printf(f, "; of which timing costs %s at each of %u boundar%s",
                             say_quantity(f->arena, e->boundary_cost_s, "s"), e->boundaries,
                             e->boundaries == 1 ? "y" : "ies");
    const char *how = how_timed(e, run->n_layers, f);
    if (!run->n_layers)
        listed = "inferences timed as a whole";
    else if (e->boundaries != ROOF_NONE && run->n_layers < e->boundaries)
        listed = figure_printf(f, "%u of %u layers listed, %s", run->n_layers, e->boundaries, how);
    else
        listed = figure_printf(f, run->n_layers == 1 ? "%u layer %s" : "%u layers, %s", run->n_layers, how);
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
    const char *sha256 = p->model.sha256, *graph = p->model.graph_hash ? p->model.graph_hash : "not hashed";
    const char *hash = sha256 ? sha256 : graph;
    if (f->canvas.width_px < f->canvas.height_px) /* as much as tells models apart */
        return figure_printf(f, MADE_BY "hardware %s | model %.12s", p->hardware.id, hash);
    return figure_printf(f, MADE_BY "hardware %s, weakest value: %s | model %s %.32s", p->hardware.id,
                         roof_value_kind_text(p->hardware.weakest_kind), sha256 ? "sha256" : "graph", hash);
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
    return figure_printf(f, MADE_BY "hardware %s | %s%.32s", list,
                         one_model ? "model graph " : "compiled for each of them", one_model ? hash : "");
}

const char *chart_study_provenance(const roof_reconciliation *r, chart_figure *f)
{
    const char *hardware = NULL;
    for (uint32_t i = 0; i < r->n_experiments && r->one_hardware && !hardware; i++)
        hardware = r->experiments[i].hardware;
    return figure_printf(f, MADE_BY "%u measured model%s%s%s", r->n_models, say_plural(r->n_models),
                         hardware ? " on " : "", hardware ? hardware : "");
}
