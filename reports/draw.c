/* A chart as a file of its own: drawn in a folder beside it, then moved, so that nothing is left half done. */
#include "roofline/draw.h"
#include "core/error.h"
#include "reports/chart.h"
#include "reports/gnuplot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const struct {
    const char *extension;
    roof_picture_format format;
} kinds[] = {{".svg", ROOF_PICTURE_SVG}, {".png", ROOF_PICTURE_PNG}, {".pdf", ROOF_PICTURE_PDF}};

typedef struct place {
    char *folder, *stem, *work; /* work: where it is drawn */
    const char *extension;
    roof_picture_format format;
} place;

static void free_place(place *p)
{
    static const char *const extensions[] = {".svg", ".png", ".pdf", ".gp", ".dat"};
    char path[4096];
    for (size_t i = 0; p->work && i < sizeof extensions / sizeof *extensions; i++)
        if (snprintf(path, sizeof path, "%s/%s%s", p->work, p->stem, extensions[i]) < (int)sizeof path)
            unlink(path);
    if (p->work)
        rmdir(p->work);
    free(p->folder);
    free(p->stem);
    free(p->work);
}

/* Index of its kind; past the end for another ending. */
static size_t kind_of(const char *name)
{
    size_t length = strlen(name), i = 0;
    for (; i < sizeof kinds / sizeof *kinds; i++) {
        size_t n = strlen(kinds[i].extension);
        if (length > n && strcasecmp(name + length - n, kinds[i].extension) == 0)
            break;
    }
    return i;
}

bool roof_draw_is_picture(const char *path)
{
    const char *slash = strrchr(path, '/');
    return kind_of(slash ? slash + 1 : path) < sizeof kinds / sizeof *kinds;
}

static roof_status split(const char *path, place *out, roof_error *err)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t kind = kind_of(name);
    if (kind == sizeof kinds / sizeof *kinds)
        return roof_fail(err, ROOF_E_USAGE, "'%.200s' does not end in .svg, .png or .pdf", path);
    out->extension = kinds[kind].extension;
    out->format = kinds[kind].format;
    out->folder = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    out->stem = strndup(name, strlen(name) - strlen(out->extension));
    return out->folder && out->stem ? ROOF_OK : roof_fail_memory(err);
}

static roof_status make_work(place *p, roof_error *err)
{
    size_t room = strlen(p->folder) + sizeof "/.roofline-XXXXXX";
    char *work = malloc(room);
    if (!work)
        return roof_fail_memory(err);
    snprintf(work, room, "%s/.roofline-XXXXXX", p->folder);
    if (!mkdtemp(work)) {
        roof_fail(err, ROOF_E_IO, "cannot write there: %s", strerror(errno));
        roof_error_prefix(err, "%s", p->folder);
        free(work);
        return ROOF_E_IO;
    }
    p->work = work;
    return ROOF_OK;
}

static roof_status move(const place *p, const char *extension, roof_error *err)
{
    char from[4096], to[4096];
    snprintf(from, sizeof from, "%s/%s%s", p->work, p->stem, extension);
    snprintf(to, sizeof to, "%s/%s%s", p->folder, p->stem, extension);
    if (rename(from, to) == 0)
        return ROOF_OK;
    roof_fail(err, ROOF_E_IO, "cannot be written: %s", strerror(errno));
    roof_error_prefix(err, "%s", to);
    return ROOF_E_IO;
}

/* Without gnuplot script and data are left, and the status says what is missing. */
static roof_status draw_and_move(const place *p, const roof_figure *f, roof_error *err)
{
    roof_error move_err;
    const char *stem = p->stem;
    ROOF_TRY(roof_figure_save(f, p->work, stem, p->format, err));
    roof_status drawn = roof_gnuplot_run(p->work, &stem, 1, p->format, p->folder, err);
    if (drawn != ROOF_OK && drawn != ROOF_E_DEVICE)
        return drawn;
    const char *const extensions[] = {".dat", ".gp", p->extension};
    for (size_t i = 0; i < (drawn == ROOF_OK ? 3 : 2); i++) {
        roof_status moved = move(p, extensions[i], &move_err);
        if (moved != ROOF_OK) {
            *err = move_err;
            return moved;
        }
    }
    return drawn;
}

static roof_status draw_figure(const roof_prediction *prediction, roof_figure *f, roof_error *err)
{
    const roof_chart_source source = {.prediction = prediction};
    bool is_empty;
    ROOF_TRY(roof_chart_draw(roof_chart_named("roofline"), &source, roof_canvas_wide(), f, &is_empty, err));
    if (!is_empty)
        return ROOF_OK;
    roof_figure_free(f);
    return roof_fail(err, ROOF_E_DATA, "no layer has operations, bytes and a time: there is nothing to draw");
}

roof_status roof_draw_prediction(const roof_prediction *prediction, const char *path, roof_error *err)
{
    place p = {0};
    roof_figure f;
    roof_status status = split(path, &p, err);
    if (status == ROOF_OK)
        status = draw_figure(prediction, &f, err);
    if (status == ROOF_OK) {
        status = make_work(&p, err);
        if (status == ROOF_OK)
            status = draw_and_move(&p, &f, err);
        roof_figure_free(&f);
    }
    free_place(&p);
    return status;
}
