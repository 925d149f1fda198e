/* A chart as a file of its own, with what it is drawn from: all three are replaced, or none is. */
#include "roofline/draw.h"
#include "core/error.h"
#include "core/files/outputs.h"
#include "reports/charts/chart.h"
#include "reports/charts/gnuplot.h"

#include <stdlib.h>
#include <string.h>

static const char *name_in(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool roof_draw_is_picture(const char *path)
{
    return gnuplot_format_of(name_in(path)) != PICTURE_FORMATS;
}

static roof_status check_path(const char *path, roof_error *err)
{
    const char *name = name_in(path);
    char shown[200];
    if (utf8_before(name, strlen(name), UTF8_MARK) < strlen(name)) /* the script names the data */
        return error_set(err, ROOF_E_USAGE,
                         "a chart's script cannot hold the name '%s', want plain text in UTF-8",
                         quote_text(shown, sizeof shown, name, strlen(name)));
    if (!roof_draw_is_picture(path))
        return error_set(err, ROOF_E_USAGE, "'%.200s' does not end in .svg, .png or .pdf", path);
    return ROOF_OK;
}

/* Without gnuplot script and data are there; what it may have begun is not. */
static roof_status save(const char *path, const chart_figure *f, const roof_draw_watch *watch,
                        roof_error *err)
{
    const char *name = name_in(path);
    size_t before = (size_t)(name - path);
    const char *folder = before ? arena_strndup(f->arena, path, before > 1 ? before - 1 : 1) : ".";
    drawn_picture picture = {
        .format = gnuplot_format_of(name), .title = f->title, .caption = f->caption, .stays = true};
    picture.stem = arena_strndup(f->arena, name, (size_t)(strrchr(name, '.') - name));
    outputs set;
    roof_error why = {0};
    if (!folder || !picture.stem)
        return error_memory(err);
    TRY(outputs_begin(&set, err));
    roof_status status = outputs_folder_open(&set, folder, false, &picture.folder, err);
    if (status == ROOF_OK)
        status = gnuplot_save_figure(f, &picture, err);
    if (status == ROOF_OK)
        status = gnuplot_run(&picture, 1, GNUPLOT_MOST_MS, watch, &why, err);
    status = outputs_end(&set, status, err);
    return status == ROOF_OK && why.status != ROOF_OK ? error_set(err, why.status, "%s", why.what) : status;
}

static roof_status draw_into(const char *id, const chart_source *source, const char *none, const char *path,
                             const roof_draw_watch *watch, roof_error *err)
{
    const chart_def *chart = chart_named(id);
    chart_figure f;
    bool is_empty;
    TRY(check_path(path, err));
    TRY(chart_draw(chart, source, chart_wide_canvas(chart), &f, &is_empty, err));
    roof_status status = is_empty ? error_set(err, ROOF_E_DATA, "%s: there is nothing to draw", none)
                                  : save(path, &f, watch, err);
    figure_free(&f);
    return status;
}

roof_status roof_draw_prediction(const roof_prediction *prediction, const char *path,
                                 const roof_draw_watch *watch, roof_error *err)
{
    const bool is_load = prediction->throughput.n_points > 0;
    return draw_into(is_load ? "load" : "roofline", &(chart_source){.prediction = prediction},
                     "no layer has operations, bytes and a time", path, watch, err);
}

roof_status roof_draw_predictions(const roof_predictions *predictions, const char *path,
                                  const roof_draw_watch *watch, roof_error *err)
{
    const roof_prediction **devices = calloc(predictions->n ? predictions->n : 1, sizeof(roof_prediction *));
    chart_source source = {.devices = devices};
    if (!devices)
        return error_memory(err);
    for (uint32_t i = 0; i < predictions->n; i++)
        if (predictions->pairs[i].prediction)
            devices[source.n_devices++] = predictions->pairs[i].prediction;
    roof_status status = draw_into("devices", &source, "no pair has a time", path, watch, err);
    free(devices);
    return status;
}

roof_status roof_draw_configurations(const roof_configurations *configurations, const char *path,
                                     const roof_draw_watch *watch, roof_error *err)
{
    return draw_into("pareto", &(chart_source){.configurations = configurations},
                     "no configuration has frames per second", path, watch, err);
}
