/* A chart as a file of its own, with what it is drawn from: all three are replaced, or none is. */
#include "roofline/draw.h"
#include "core/error.h"
#include "core/outputs.h"
#include "reports/chart.h"
#include "reports/gnuplot.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct place {
    char *folder, *stem;
    picture_format format;
} place;

static void free_place(place *p)
{
    free(p->folder);
    free(p->stem);
}

/* By its ending; PICTURE_FORMATS for another one. */
static picture_format format_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    int format = 0;
    while (format < PICTURE_FORMATS &&
           (!dot || dot == name || strcasecmp(dot + 1, picture_extension((picture_format)format)) != 0))
        format++;
    return (picture_format)format;
}

bool roof_draw_is_picture(const char *path)
{
    const char *slash = strrchr(path, '/');
    return format_of(slash ? slash + 1 : path) != PICTURE_FORMATS;
}

static roof_status split(const char *path, place *out, roof_error *err)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char shown[200];
    out->format = format_of(name);
    if (utf8_before(name, strlen(name), UTF8_MARK) < strlen(name)) /* the script names the data */
        return error_set(err, ROOF_E_USAGE,
                         "a chart's script cannot hold the name '%s', want plain text in UTF-8",
                         quote_text(shown, sizeof shown, name, strlen(name)));
    if (out->format == PICTURE_FORMATS)
        return error_set(err, ROOF_E_USAGE, "'%.200s' does not end in .svg, .png or .pdf", path);
    out->folder = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    out->stem = strndup(name, (size_t)(strrchr(name, '.') - name));
    return out->folder && out->stem ? ROOF_OK : error_memory(err);
}

/* Without gnuplot script and data are there; what it may have begun is not. */
static roof_status save(const place *p, const chart_figure *f, roof_error *err)
{
    outputs set;
    drawn_picture picture = {.stem = p->stem, .format = p->format, .title = f->title, .stays = true};
    roof_error why = {0};
    TRY(outputs_begin(&set, err));
    roof_status status = outputs_folder_open(&set, p->folder, false, &picture.folder, err), drawn = ROOF_OK;
    if (status == ROOF_OK)
        status = figure_save(f, &picture, err);
    if (status == ROOF_OK)
        drawn = gnuplot_run(&picture, 1, &why);
    if (drawn != ROOF_OK)
        *err = why;
    status = outputs_end(&set, status == ROOF_OK && drawn != ROOF_E_DEVICE ? drawn : status, err);
    if (status == ROOF_OK && drawn != ROOF_OK)
        *err = why;
    return status == ROOF_OK ? drawn : status;
}

static roof_status draw_figure(const roof_prediction *prediction, chart_figure *f, roof_error *err)
{
    const chart_source source = {.prediction = prediction};
    bool is_empty;
    TRY(chart_draw(chart_named("roofline"), &source, canvas_wide(), f, &is_empty, err));
    if (!is_empty)
        return ROOF_OK;
    figure_free(f);
    return error_set(err, ROOF_E_DATA, "no layer has operations, bytes and a time: there is nothing to draw");
}

roof_status roof_draw_prediction(const roof_prediction *prediction, const char *path, roof_error *err)
{
    place p = {0};
    chart_figure f;
    roof_status status = split(path, &p, err);
    if (status == ROOF_OK)
        status = draw_figure(prediction, &f, err);
    if (status == ROOF_OK) {
        status = save(&p, &f, err);
        figure_free(&f);
    }
    free_place(&p);
    return status;
}
