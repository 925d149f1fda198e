/* A chart as a file of its own, with what it is drawn from: all three are replaced, or none is. */
#include "roofline/draw.h"
#include "core/error.h"
#include "core/savefolder.h"
#include "reports/chart.h"
#include "reports/gnuplot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *extension;
    roof_picture_format format;
} kinds[] = {{".svg", ROOF_PICTURE_SVG}, {".png", ROOF_PICTURE_PNG}, {".pdf", ROOF_PICTURE_PDF}};

typedef struct place {
    char *folder, *stem;
    const char *extension;
    roof_picture_format format;
} place;

static void free_place(place *p)
{
    free(p->folder);
    free(p->stem);
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

static roof_status announce(roof_savefolder *folder, const char *stem, const char *extension, roof_error *err)
{
    const char *name = roof_arena_printf(folder->arena, "%s%s", stem, extension);
    return name && roof_savefolder_add(folder, name) ? ROOF_OK : roof_fail_memory(err);
}

/* Without gnuplot script and data are there; what it may have begun is not. */
static roof_status draw_files(const place *p, const roof_figure *f, roof_savefolder *folder, bool *undrawn,
                              roof_error *err)
{
    const char *stem = p->stem;
    ROOF_TRY(announce(folder, stem, ".dat", err));
    ROOF_TRY(announce(folder, stem, ".gp", err));
    ROOF_TRY(roof_figure_save(f, folder->temporary, stem, p->format, err));
    roof_status status = roof_gnuplot_run(folder->temporary, &stem, 1, p->format, p->folder, err);
    *undrawn = status == ROOF_E_DEVICE;
    if (*undrawn)
        return ROOF_OK;
    return status == ROOF_OK ? announce(folder, stem, p->extension, err) : status;
}

static roof_status save(const place *p, const roof_figure *f, roof_error *err)
{
    roof_savefolder folder;
    roof_error placing;
    bool undrawn = false;
    ROOF_TRY(roof_savefolder_begin(&folder, p->folder, err));
    roof_status status = ROOF_OK;
    if (folder.is_new) { /* a report makes its folder, a picture is put where there is one */
        status = roof_fail(err, ROOF_E_IO, "cannot write there: %s", strerror(ENOENT));
        roof_error_prefix(err, "%s", p->folder);
    }
    if (status == ROOF_OK)
        status = draw_files(p, f, &folder, &undrawn, err);
    roof_status placed = roof_savefolder_end(&folder, status, &placing);
    if (status == ROOF_OK && placed != ROOF_OK)
        *err = placing;
    return placed == ROOF_OK && undrawn ? ROOF_E_DEVICE : placed;
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
        status = save(&p, &f, err);
        roof_figure_free(&f);
    }
    free_place(&p);
    return status;
}
