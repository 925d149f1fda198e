#include "reports/report_figures.h"
#include "core/error.h"
#include "core/mapfile.h"
#include "reports/chart.h"
#include "reports/gnuplot.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct drawing {
    report_page *page;
    page_figure *figures; /* of the page, while they become more */
    file_stems *stems;
    outputs_folder *folder;
    drawn_picture *pictures; /* of all figures, wide and narrow */
    size_t n_pictures;
    roof_error *err;
} drawing;

/* --- drawing ------------------------------------------------------------------------------------------ */

static roof_status add_picture(drawing *d, const chart_figure *f, const char *stem, bool stays)
{
    const char *title = arena_strdup(d->page->arena, f->title);
    d->pictures = arena_grow(d->page->arena, d->pictures, d->n_pictures, sizeof *d->pictures);
    if (!d->pictures || !stem || !title)
        return error_memory(d->err);
    drawn_picture *picture = &d->pictures[d->n_pictures++];
    *picture = (drawn_picture){d->folder, stem, PICTURE_SVG, title, stays};
    return figure_save(f, picture, d->err);
}

static roof_status add_figure(drawing *d, const chart_figure *f, const char *stem, uint32_t model)
{
    roof_arena *arena = d->page->arena;
    TRY(add_picture(d, f, stem, true));
    d->figures = arena_grow(arena, d->figures, d->page->n_figures, sizeof *d->figures);
    const char *title = d->pictures[d->n_pictures - 1].title, *caption = arena_strdup(arena, f->caption);
    if (!d->figures || !caption)
        return error_memory(d->err);
    d->figures[d->page->n_figures++] =
        (page_figure){.stem = stem, .title = title, .caption = caption, .model = model};
    d->page->figures = d->figures;
    return ROOF_OK;
}

/* Wide, and narrow for small screens, which may have nothing to show where the wide one has. */
static roof_status draw(drawing *d, const chart_def *chart, const chart_source *source, const char *name,
                        uint32_t model)
{
    const char *stem = NULL;
    for (int narrow = 0; narrow < 2; narrow++) {
        chart_figure f;
        bool is_empty;
        TRY(chart_draw(chart, source, narrow ? canvas_narrow() : canvas_wide(), &f, &is_empty, d->err));
        roof_status status = ROOF_OK;
        if (!is_empty && !narrow) {
            stem = file_stem_of(d->stems, chart->id, name);
            status = add_figure(d, &f, stem, model);
        } else if (!is_empty) {
            status = add_picture(d, &f, arena_printf(d->page->arena, "%s" STEM_NARROW, stem), false);
        }
        figure_free(&f);
        if (status != ROOF_OK || !stem)
            return status;
    }
    return ROOF_OK;
}

/* --- what there is to draw ---------------------------------------------------------------------------- */

static roof_status draw_models(drawing *d, const chart_def *chart)
{
    for (uint32_t i = 0; i < d->page->n_models; i++) {
        const page_model *m = &d->page->models[i];
        const chart_source source = {.prediction = m->prediction,
                                     .experiment = m->experiment,
                                     .reconciliation = m->experiment ? d->page->input->reconciliation : NULL};
        TRY(draw(d, chart, &source, m->name, i));
    }
    return ROOF_OK;
}

static roof_status draw_study(drawing *d, const chart_def *chart)
{
    const chart_source source = {.reconciliation = d->page->input->reconciliation};
    return source.reconciliation ? draw(d, chart, &source, NULL, ROOF_NONE) : ROOF_OK;
}

static bool is_same_text(const char *a, const char *b)
{
    return a && b && a[0] && strcmp(a, b) == 0;
}

/* One prediction for each device that the i-th model is there for; none when an earlier model was of the same group. */
static uint32_t devices_of(const report_page *page, uint32_t i, const roof_prediction **devices)
{
    const roof_prediction *first = page->models[i].prediction;
    uint32_t n = 0;
    for (uint32_t k = 0; first && k < page->n_models; k++) {
        const roof_prediction *p = page->models[k].prediction;
        bool known = false;
        if (!p || (!is_same_text(first->model.graph_hash, p->model.graph_hash) &&
                   !is_same_text(first->model.name, p->model.name)))
            continue;
        if (k < i)
            return 0;
        for (uint32_t j = 0; j < n; j++)
            known = known || strcmp(devices[j]->hardware.id, p->hardware.id) == 0;
        if (!known)
            devices[n++] = p;
    }
    return n;
}

static roof_status draw_devices(drawing *d, const chart_def *chart)
{
    const roof_prediction **devices = NEW_ARRAY(d->page->arena, const roof_prediction *, d->page->n_models);
    if (!devices)
        return error_memory(d->err);
    for (uint32_t i = 0; i < d->page->n_models; i++) {
        uint32_t n = devices_of(d->page, i, devices);
        const chart_source source = {.prediction = n ? devices[0] : NULL, .devices = devices, .n_devices = n};
        if (n > 1)
            TRY(draw(d, chart, &source, devices[0]->model.name, ROOF_NONE));
    }
    return ROOF_OK;
}

static roof_status draw_all(drawing *d)
{
    static roof_status (*const draw_scope[])(drawing *, const chart_def *) = {
        [CHART_MODEL] = draw_models, [CHART_STUDY] = draw_study, [CHART_DEVICES] = draw_devices};
    const chart_def *chart;
    for (size_t i = 0; (chart = chart_at(i)); i++)
        TRY(draw_scope[chart->scope](d, chart));
    return ROOF_OK;
}

/* --- pictures ----------------------------------------------------------------------------------------- */

/* NULL when it was not drawn: gnuplot opens its output before it finds out that it cannot draw. */
static roof_status read_picture(drawing *d, const drawn_picture *p, const char **svg, size_t *size)
{
    mapfile file;
    struct stat st;
    const char *path = arena_printf(d->page->arena, "%s/%s.svg", d->folder->temporary, p->stem);
    if (!path)
        return error_memory(d->err);
    if (stat(path, &st) != 0 || st.st_size == 0)
        return ROOF_OK;
    TRY(mapfile_open(path, &file, d->err));
    *svg = arena_strndup(d->page->arena, (const char *)file.bytes, (size_t)file.size_bytes);
    *size = (size_t)file.size_bytes;
    mapfile_close(&file);
    return *svg ? ROOF_OK : error_memory(d->err);
}

/* A narrow picture is of the figure whose wide one it follows. */
static roof_status read_pictures(drawing *d)
{
    page_figure *next = d->figures, *f = next;
    for (const drawn_picture *p = d->pictures; p < d->pictures + d->n_pictures; p++) {
        if (p->stays)
            f = next++;
        TRY(p->stays ? read_picture(d, p, &f->wide_svg, &f->wide_bytes)
                     : read_picture(d, p, &f->narrow_svg, &f->narrow_bytes));
    }
    return ROOF_OK;
}

roof_status report_draw(report_page *page, file_stems *stems, outputs_folder *folder, bool *undrawn,
                        roof_error *err)
{
    drawing d = {.page = page, .stems = stems, .folder = folder, .err = err};
    roof_error why;
    *undrawn = false;
    TRY(draw_all(&d));
    if (!d.n_pictures)
        return ROOF_OK;
    roof_status status = gnuplot_run(d.pictures, d.n_pictures, &why);
    *undrawn = status == ROOF_E_DEVICE;
    if (status == ROOF_OK || *undrawn) /* some may be drawn */
        status = read_pictures(&d);
    else
        *err = why;
    if (status == ROOF_OK && *undrawn)
        *err = why;
    return status;
}
