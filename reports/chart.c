#include "reports/chart.h"
#include "core/error.h"

#include <string.h>

#define CHART(id) extern const roof_chart roof_chart_##id;
#include "reports/charts.def"
#undef CHART

static const roof_chart *const charts[] = {
#define CHART(id) &roof_chart_##id,
#include "reports/charts.def"
#undef CHART
};

const roof_chart *roof_chart_at(size_t i)
{
    return i < sizeof charts / sizeof *charts ? charts[i] : NULL;
}

const roof_chart *roof_chart_named(const char *id)
{
    for (size_t i = 0; i < sizeof charts / sizeof *charts; i++)
        if (strcmp(charts[i]->id, id) == 0)
            return charts[i];
    return NULL;
}

roof_canvas roof_canvas_wide(void)
{
    return (roof_canvas){1040, 620};
}

roof_canvas roof_canvas_narrow(void)
{
    return (roof_canvas){480, 760};
}

roof_status roof_chart_draw(const roof_chart *chart, const roof_chart_source *source, roof_canvas canvas,
                            roof_figure *f, bool *is_empty, roof_error *err)
{
    *is_empty = false;
    roof_status status = roof_figure_begin(f, chart->id, canvas, err);
    if (status == ROOF_OK)
        status = chart->draw(source, f, is_empty, err);
    if (status == ROOF_OK && !*is_empty)
        status = roof_figure_finish(f, err);
    if (status != ROOF_OK)
        roof_figure_free(f);
    return status;
}
