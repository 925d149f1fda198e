#include "reports/report_figures.h"
#include "core/error.h"
#include "core/mapfile.h"
#include "reports/chart.h"
#include "reports/gnuplot.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct drawing {
    roof_page *page;
    roof_page_figure *figures; /* of the page, while they become more */
    roof_stems *stems;
    outputs_folder *folder;
    const char **scripts; /* stems of all, wide and narrow */
    size_t n_scripts;
    roof_error *err;
} drawing;

/* --- drawing ------------------------------------------------------------------------------------------ */

static roof_status add_script(drawing *d, const char *stem)
{
    d->scripts = roof_arena_grow(d->page->arena, d->scripts, d->n_scripts, sizeof *d->scripts);
    if (!d->scripts || !stem)
        return roof_fail_memory(d->err);
    d->scripts[d->n_scripts++] = stem;
    return ROOF_OK;
}

static roof_status add_figure(drawing *d, const roof_figure *f, const char *stem, uint32_t model)
{
    roof_arena *arena = d->page->arena;
    d->figures = roof_arena_grow(arena, d->figures, d->page->n_figures, sizeof *d->figures);
    const char *title = roof_arena_strdup(arena, f->title ? f->title : "");
    const char *caption = roof_arena_strdup(arena, f->caption ? f->caption : "");
    if (!d->figures || !title || !caption)
        return roof_fail_memory(d->err);
    d->figures[d->page->n_figures++] =
        (roof_page_figure){.stem = stem, .title = title, .caption = caption, .model = model};
    d->page->figures = d->figures;
    return ROOF_OK;
}

static roof_status save(drawing *d, const roof_figure *f, const char *stem, bool stays)
{
    const roof_picture picture = {d->folder, stem, ROOF_PICTURE_SVG, stays};
    ROOF_TRY(roof_figure_save(f, &picture, d->err));
    return add_script(d, stem);
}

/* The same chart for small screens; it may have nothing to show where the wide one has. */
static roof_status draw_narrow(drawing *d, const roof_chart *chart, const roof_chart_source *source,
                               const char *stem)
{
    roof_figure f;
    bool is_empty = false;
    const char *narrow = roof_arena_printf(d->page->arena, "%s%s", stem, ROOF_STEM_NARROW);
    ROOF_TRY(roof_chart_draw(chart, source, roof_canvas_narrow(), &f, &is_empty, d->err));
    roof_status status = is_empty ? ROOF_OK : narrow ? save(d, &f, narrow, false) : roof_fail_memory(d->err);
    roof_figure_free(&f);
    return status;
}

static roof_status draw(drawing *d, const roof_chart *chart, const roof_chart_source *source,
                        const char *name, uint32_t model)
{
    roof_figure f;
    bool is_empty = false;
    ROOF_TRY(roof_chart_draw(chart, source, roof_canvas_wide(), &f, &is_empty, d->err));
    roof_status status = ROOF_OK;
    if (!is_empty) {
        const char *stem = roof_stem(d->stems, chart->id, name);
        status = stem ? save(d, &f, stem, true) : roof_fail_memory(d->err);
        if (status == ROOF_OK)
            status = add_figure(d, &f, stem, model);
        if (status == ROOF_OK)
            status = draw_narrow(d, chart, source, stem);
    }
    roof_figure_free(&f);
    return status;
}

/* --- what there is to draw ---------------------------------------------------------------------------- */

static roof_status draw_models(drawing *d, const roof_chart *chart)
{
    for (uint32_t i = 0; i < d->page->n_models; i++) {
        const roof_page_model *m = &d->page->models[i];
        const roof_chart_source source = {.prediction = m->prediction,
                                          .experiment = m->experiment,
                                          .reconciliation =
                                              m->experiment ? d->page->input->reconciliation : NULL};
        ROOF_TRY(draw(d, chart, &source, m->name, i));
    }
    return ROOF_OK;
}

static roof_status draw_study(drawing *d, const roof_chart *chart)
{
    const roof_chart_source source = {.reconciliation = d->page->input->reconciliation};
    return source.reconciliation ? draw(d, chart, &source, NULL, ROOF_NONE) : ROOF_OK;
}

static bool is_same_text(const char *a, const char *b)
{
    return a && b && a[0] && strcmp(a, b) == 0;
}

static bool is_same_model(const roof_prediction *a, const roof_prediction *b)
{
    return is_same_text(a->model.graph_hash, b->model.graph_hash) ||
           is_same_text(a->model.name, b->model.name);
}

/* One prediction for each device that the i-th model is there for; none when an earlier model was of the same group. */
static uint32_t devices_of(const roof_page *page, uint32_t i, const roof_prediction **devices)
{
    const roof_prediction *first = page->models[i].prediction;
    uint32_t n = 0;
    for (uint32_t k = 0; first && k < page->n_models; k++) {
        const roof_prediction *p = page->models[k].prediction;
        bool known = false;
        if (!p || !is_same_model(first, p))
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

static roof_status draw_devices(drawing *d, const roof_chart *chart)
{
    const roof_prediction **devices =
        ROOF_NEW_ARRAY(d->page->arena, const roof_prediction *, d->page->n_models);
    if (!devices)
        return roof_fail_memory(d->err);
    for (uint32_t i = 0; i < d->page->n_models; i++) {
        uint32_t n = devices_of(d->page, i, devices);
        const roof_chart_source source = {
            .prediction = n ? devices[0] : NULL, .devices = devices, .n_devices = n};
        if (n > 1)
            ROOF_TRY(draw(d, chart, &source, devices[0]->model.name, ROOF_NONE));
    }
    return ROOF_OK;
}

static roof_status draw_all(drawing *d)
{
    static roof_status (*const draw_scope[])(drawing * d,
                                             const roof_chart *chart) = {[ROOF_CHART_MODEL] = draw_models,
                                                                         [ROOF_CHART_STUDY] = draw_study,
                                                                         [ROOF_CHART_DEVICES] = draw_devices};
    const roof_chart *chart;
    for (size_t i = 0; (chart = roof_chart_at(i)); i++)
        ROOF_TRY(draw_scope[chart->scope](d, chart));
    return ROOF_OK;
}

/* --- pictures ----------------------------------------------------------------------------------------- */

/* NULL when it was not drawn: gnuplot opens its output before it finds out that it cannot draw. */
static roof_status read_picture(drawing *d, const roof_page_figure *f, const char *suffix, const char **svg,
                                size_t *size)
{
    roof_mapfile file;
    const char *stem = roof_arena_printf(d->page->arena, "%s%s", f->stem, suffix);
    const char *path = roof_arena_printf(d->page->arena, "%s/%s.svg", d->folder->temporary, stem);
    *svg = NULL;
    if (!stem || !path)
        return roof_fail_memory(d->err);
    struct stat st;
    if (stat(path, &st) != 0 || st.st_size == 0)
        return ROOF_OK;
    ROOF_TRY(
        roof_picture_entitle(&(roof_picture){d->folder, stem, ROOF_PICTURE_SVG, true}, f->title, d->err));
    ROOF_TRY(roof_mapfile_open(path, &file, d->err));
    *svg = roof_arena_strndup(d->page->arena, (const char *)file.bytes, (size_t)file.size_bytes);
    *size = (size_t)file.size_bytes;
    roof_mapfile_close(&file);
    return *svg ? ROOF_OK : roof_fail_memory(d->err);
}

static roof_status read_pictures(drawing *d)
{
    for (uint32_t i = 0; i < d->page->n_figures; i++) {
        roof_page_figure *f = &d->figures[i];
        ROOF_TRY(read_picture(d, f, "", &f->wide_svg, &f->wide_bytes));
        ROOF_TRY(read_picture(d, f, ROOF_STEM_NARROW, &f->narrow_svg, &f->narrow_bytes));
    }
    return ROOF_OK;
}

roof_status roof_report_draw(roof_page *page, roof_stems *stems, outputs_folder *folder, bool *undrawn,
                             roof_error *err)
{
    drawing d = {.page = page, .stems = stems, .folder = folder, .err = err};
    roof_error why;
    *undrawn = false;
    ROOF_TRY(draw_all(&d));
    if (!d.n_scripts)
        return ROOF_OK;
    roof_status status = roof_gnuplot_run(folder, d.scripts, d.n_scripts, ROOF_PICTURE_SVG, &why);
    *undrawn = status == ROOF_E_DEVICE;
    if (status == ROOF_OK || *undrawn) /* some may be drawn */
        status = read_pictures(&d);
    else
        *err = why;
    if (status == ROOF_OK && *undrawn)
        *err = why;
    return status;
}
