/* A chart of nobody: a point for every layer. */
#include "reports/charts/chart.h"

static void draw(const chart_source *source, chart_figure *f)
{
    const roof_prediction *p = source->prediction;
    if (!p)
        return;
    figure_head(f, "A toy", chart_verdict(source, f));
    figure_set(f, "rows", p->n_layers);
    figure_block(f, "points", "layer\tideal [s]");
    for (uint32_t i = 0; i < p->n_layers; i++)
        FIGURE_ROW(f, p->layers[i].index, p->layers[i].deployed.ideal_s);
    f->caption = "The ideal time of every layer.";
}

const chart_def chart_toy = {.id = "toy", .scope = CHART_MODEL, .draw = draw};
