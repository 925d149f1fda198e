#include "reports/charts/chart.h"

#define CHART(id) extern const chart_def chart_##id;
#include "reports/charts.def"
#undef CHART

static const chart_def *const charts[] = {
#define CHART(id) &chart_##id,
#include "reports/charts.def"
#undef CHART
};

const chart_def *chart_at(size_t i)
{
    return i < N_OF(charts) ? charts[i] : NULL;
}

const chart_def *chart_named(const char *id)
{
    size_t i = 0;
    while (chart_at(i) && strcmp(charts[i]->id, id) != 0)
        i++;
    return chart_at(i);
}

const chart_canvas canvas_wide = {1040, 620}, canvas_narrow = {420, 740};

chart_canvas chart_wide_canvas(const chart_def *chart)
{
    return chart->wide.width_px > 0 ? chart->wide : canvas_wide;
}

roof_status chart_draw(const chart_def *chart, const chart_source *source, chart_canvas canvas,
                       chart_figure *f, bool *is_empty, roof_error *err)
{
    roof_status status = figure_begin(f, chart->script ? chart->script : chart->id, canvas, err);
    if (status == ROOF_OK) {
        chart->draw(source, f);
        status = figure_finish(f, err);
    }
    *is_empty = status == ROOF_OK && !f->title;
    if (status != ROOF_OK)
        figure_free(f);
    return status;
}
