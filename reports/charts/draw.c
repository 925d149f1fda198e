/* A chart as a file of its own, with what it is drawn from: all three are replaced, or none is. */
#include "roofline/draw.h"
#include "measure/profile/run_facts.h"
#include "reports/charts/chart.h"
#include "reports/charts/gnuplot.h"

bool roof_draw_is_picture(const char *path)
{
    return gnuplot_format_of(path_base_name(path)) != PICTURE_FORMATS;
}

/* Of a curve a second one, with its words behind the name that was requested. */
enum { MOST_FIGURES = 2 };

/* Without gnuplot scripts and data are there, and nothing half drawn. Texts are of the first arena. */
static roof_status save(const char *path, const chart_figure *figures, size_t n, const roof_draw_watch *watch,
                        roof_error *err)
{
    static const char *const suffixes[MOST_FIGURES] = {"", "-memory"};
    const char *name = path_base_name(path), *dot = strrchr(name, '.');
    size_t before = (size_t)(name - path);
    roof_arena *arena = figures->arena;
    const char *folder = before ? arena_strndup(arena, path, before > 1 ? before - 1 : 1) : ".";
    drawn_picture pictures[MOST_FIGURES];
    outputs_folder *into = NULL;
    outputs set;
    roof_error why = {0};
    for (size_t i = 0; i < n; i++) {
        pictures[i] =
            (drawn_picture){.format = gnuplot_format_of(name),
                            .title = figures[i].title,
                            .caption = figures[i].caption,
                            .stays = true,
                            .stem = arena_printf(arena, "%.*s%s", (int)(dot - name), name, suffixes[i])};
        TRY(ALLOCATED(folder && pictures[i].stem, err));
    }
    TRY(outputs_begin(&set, err));
    roof_status status = outputs_folder_open(&set, folder, false, &into, err);
    for (size_t i = 0; i < n && status == ROOF_OK; i++) {
        pictures[i].folder = into;
        status = gnuplot_save_figure(&figures[i], &pictures[i], err);
    }
    THEN(status, gnuplot_run(pictures, n, GNUPLOT_MOST_MS, watch, &why, err));
    status = outputs_end(&set, status, err);
    return status == ROOF_OK && why.status != ROOF_OK ? error_set(err, why.status, "%s", why.what) : status;
}

/* The first chart has to show something, what the second one has nothing for is left out. */
static roof_status draw_into(const char *id, const chart_source *source, const char *none, const char *path,
                             const roof_draw_watch *watch, roof_error *err)
{
    const char *const ids[] = {id, "memory_use"}, *name = path_base_name(path);
    chart_figure figures[MOST_FIGURES];
    size_t n_drawn = 0;
    char shown[200];
    if (utf8_before(name, strlen(name), UTF8_MARK) < strlen(name)) /* the script names the data */
        return error_set(err, ROOF_E_USAGE,
                         "a chart's script cannot hold the name '%s', want plain text in UTF-8",
                         quote_text(shown, sizeof shown, name, strlen(name)));
    if (!roof_draw_is_picture(path))
        return error_set(err, ROOF_E_USAGE, "'%.200s' does not end in .svg, .png or .pdf", path);
    roof_status status = ROOF_OK;
    for (size_t i = 0; i < (source->curve ? MOST_FIGURES : 1) && status == ROOF_OK; i++) {
        const chart_def *chart = chart_named(ids[i]);
        bool is_empty;
        status = chart_draw(chart, source, chart_wide_canvas(chart), &figures[n_drawn], &is_empty, err);
        if (status == ROOF_OK && is_empty)
            figure_free(&figures[n_drawn]);
        n_drawn += status == ROOF_OK && !is_empty;
        if (status == ROOF_OK && !n_drawn)
            status = error_data(err, "%s: there is nothing to draw", none);
    }
    THEN(status, save(path, figures, n_drawn, watch, err));
    for (size_t i = 0; i < n_drawn; i++)
        figure_free(&figures[i]);
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
    TRY(ALLOCATED(devices, err));
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
                     "no configuration has inferences/s", path, watch, err);
}

roof_status roof_draw_pareto(const roof_pareto *pareto, const char *path, const roof_draw_watch *watch,
                             roof_error *err)
{
    return draw_into("pareto", &(chart_source){.pareto = pareto},
                     "no configuration has a result and a known cost", path, watch, err);
}

roof_status roof_draw_curve(const roof_curve *curve, const char *path, const roof_draw_watch *watch,
                            roof_error *err)
{
    return draw_into("curve", &(chart_source){.curve = curve}, "no time is known", path, watch, err);
}

roof_status roof_draw_memory(const roof_memory *memory, const char *path, const roof_draw_watch *watch,
                             roof_error *err)
{
    return draw_into("memory_rows", &(chart_source){.memory = memory}, "no lifetimes of buffers are known",
                     path, watch, err);
}

roof_status roof_draw_trends(const roof_history_trends *trends, const char *path,
                             const roof_draw_watch *watch, roof_error *err)
{
    if (trends->n != 1)
        return error_set(
            err, ROOF_E_USAGE,
            "a chart is of one series, and there are %u; choose one by --model, --device, --stack and --mode",
            trends->n);
    return draw_into("trend", &(chart_source){.series = trends->items}, "the series has no run", path, watch,
                     err);
}
