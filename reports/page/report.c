/* A report: charts, documents and the page, made in a temporary folder and put in place together. */
#include "roofline/report.h"
#include "core/files/input.h"
#include "core/files/sha256.h"
#include "measure/matches/match_facts.h"
#include "reports/page/page_sections.h"
#include "reports/words/file_names.h"

#define REPORT_PAGE "index.html"
#define REPORT_MARK "<title>roofline report" /* as reports/page/report_page.c begins each */

typedef struct report {
    const roof_report_input *input;
    roof_arena *arena;
    outputs set;
    outputs_folder *folder;
    report_page page;
    page_baseline baseline;
    page_history history;
    page_drawing drawing;
    roof_error *err;
    roof_error why; /* gnuplot did not draw; its status tells */
} report;

/* --- models ------------------------------------------------------------------------------------------- */

static const char *plain_name(const page_model *m)
{
    const char *name = m->experiment ? m->experiment->model : m->prediction->model.name;
    return name && name[0] ? name : "(no name)";
}

static const char *hardware_of_model(const page_model *m)
{
    const char *id = m->experiment ? m->experiment->hardware_id : m->prediction->hardware.id;
    return id && id[0] ? id : "unknown hardware";
}

/* A name that several models have tells them apart by their hardware. */
static const char *name_model(const report *r, uint32_t i)
{
    const char *name = plain_name(&r->page.models[i]);
    for (uint32_t k = 0; k < r->page.n_models; k++)
        if (k != i && strcmp(plain_name(&r->page.models[k]), name) == 0)
            return arena_printf(r->arena, "%s on %s", name, hardware_of_model(&r->page.models[i]));
    return arena_strdup(r->arena, name);
}

static page_rows rows_of_layers(const page_model *m, roof_arena *arena)
{
    const roof_prediction *p = m->prediction;
    const roof_reconciled *e = m->experiment && m->experiment->layer_run ? m->experiment : NULL;
    page_rows map = {.n = p ? p->n_layers + 1 : 0};
    map.rows = NEW_ARRAY(arena, uint32_t, map.n);
    map.n = map.rows ? map.n : 0;
    for (uint32_t i = 0; i < map.n && !e && i < p->n_layers; i++)
        if (p->layers[i].index < map.n)
            map.rows[p->layers[i].index] = p->layers[i].index;
    for (uint32_t i = 0; e && map.n && i < e->n_matches; i++) {
        const roof_match *u = &e->matches[i];
        for (uint32_t k = 0; k < u->n_layers && !u->is_unlisted; k++) {
            uint32_t number = match_layer(e, u, k)->index;
            if (number < map.n && !map.rows[number])
                map.rows[number] = match_layer(e, u, 0)->index;
        }
    }
    return map;
}

/* Experiments first, so that a finding's number of an experiment is that of its model. */
static roof_status list_models(report *r)
{
    const roof_reconciliation *reconciliation = r->input->reconciliation;
    uint32_t n = 0, n_experiments = reconciliation ? reconciliation->n_experiments : 0;
    page_model *models;
    TRY(ARENA_GET(r->arena, models, (size_t)n_experiments + r->input->n_predictions, r->err));
    for (uint32_t i = 0; i < n_experiments; i++) {
        const roof_reconciled *e = &reconciliation->experiments[i];
        models[n++] = (page_model){.experiment = e,
                                   .prediction = e->prediction,
                                   .is_point = e->curve != ROOF_NONE && !e->layer_run,
                                   .rows_file = "report.csv"};
    }
    for (uint32_t i = 0; i < r->input->n_predictions; i++)
        models[n++] = (page_model){.prediction = r->input->predictions[i]};
    r->page.models = models;
    r->page.n_models = n;
    FOR_EACH(page_model, m, models, n) {
        m->name = name_model(r, (uint32_t)(m - models));
        m->table_rows = rows_of_layers(m, r->arena);
        for (uint32_t k = 0; k < r->input->n_memories && m->prediction; k++)
            if (r->input->memories[k].prediction == m->prediction)
                m->memory = &r->input->memories[k];
        if (m->memory) {
            m->memory_rows = memory_layers_of(r->arena, m->prediction);
            m->peaks = page_peaks_of(m, r->arena);
        }
    }
    TRY(arena_status(r->arena, r->err));
    return page_baseline_find(&r->page, &r->baseline, r->err);
}

/* --- what there is to draw ---------------------------------------------------------------------------- */

/* False where either is unknown. */
static bool is_same_text(const char *a, const char *b)
{
    return *text_or_empty(a) && text_same(a, b);
}

/* One prediction for each device that the i-th model is there for; none where an earlier one had them. */
static uint32_t devices_of(const report_page *page, uint32_t i, const roof_prediction **devices)
{
    const roof_prediction *first = page->models[i].prediction;
    uint32_t n = 0;
    for (uint32_t k = 0; first && k < page->n_models; k++) {
        const roof_prediction *p = page->models[k].prediction;
        uint32_t known = 0;
        if (!p || (!is_same_text(first->model.graph_hash, p->model.graph_hash) &&
                   !is_same_text(first->model.name, p->model.name)))
            continue;
        if (k < i)
            return 0;
        while (known < n && strcmp(devices[known]->hardware.id, p->hardware.id) != 0)
            known++;
        if (known == n)
            devices[n++] = p;
    }
    return n;
}

/* One memory of several boards is drawn with the first. */
static chart_source source_of(const report *r, const page_model *m)
{
    const uint32_t model = (uint32_t)(m - r->page.models);
    const bool has_memory = m->memory && page_memory_model(&r->page, model) == model;
    return (chart_source){.prediction = m->prediction,
                          .experiment = m->experiment,
                          .before = m->before,
                          .changes = m->layer_changes,
                          .memory = has_memory ? m->memory->memory : NULL,
                          .reconciliation = m->experiment ? r->input->reconciliation : NULL};
}

/* One for each model, the same on the same hardware. NULL: axes are the chart's own, or no memory. */
static const chart_frame **frames_of(report *r, const chart_def *chart)
{
    uint32_t n = r->page.n_models;
    chart_frame *all = chart->extend ? NEW_ARRAY(r->arena, chart_frame, n) : NULL;
    const chart_frame **frames = all ? NEW_ARRAY(r->arena, const chart_frame *, n) : NULL;
    for (uint32_t i = 0; i < n && frames; i++) {
        const page_model *m = &r->page.models[i];
        const chart_source source = source_of(r, m);
        uint32_t first = 0;
        while (first < i && strcmp(hardware_of_model(&r->page.models[first]), hardware_of_model(m)) != 0)
            first++;
        if (first == i)
            all[i] = (chart_frame){EXTENT_EMPTY, EXTENT_EMPTY};
        frames[i] = &all[first];
        chart->extend(&source, &all[first], r->arena);
        if (m->before)
            chart->extend(m->before, &all[first], r->arena);
    }
    return frames;
}

static roof_status draw_chart(report *r, const chart_def *chart)
{
    const roof_reconciliation *all = r->input->reconciliation;
    const roof_prediction **devices = NEW_ARRAY(r->arena, const roof_prediction *, r->page.n_models);
    const chart_frame **frames = frames_of(r, chart);
    TRY(ALLOCATED(devices, r->err));
    for (uint32_t i = 0; chart->scope == CHART_LOAD && all && i < all->n_sweeps; i++)
        TRY(page_draw(&r->drawing, chart, &(chart_source){.reconciliation = all, .sweep = &all->sweeps[i]},
                      all->loads[all->sweeps[i].first_load].model, ROOF_NONE));
    for (uint32_t i = 0; chart->scope == CHART_CURVE && i < r->input->n_curves; i++)
        TRY(page_draw(&r->drawing, chart, &(chart_source){.curve = r->input->curves[i]},
                      r->input->curves[i]->model, ROOF_NONE));
    if (chart->scope == CHART_STUDY)
        return all ? page_draw(&r->drawing, chart, &(chart_source){.reconciliation = all}, NULL, ROOF_NONE)
                   : ROOF_OK;
    for (uint32_t i = 0; i < r->page.n_models; i++) {
        const page_model *m = &r->page.models[i];
        if (m->is_point)
            continue;
        chart_source source = source_of(r, m);
        source.frame = frames ? frames[i] : NULL;
        if (chart->scope == CHART_MODEL || chart->scope == CHART_LOAD)
            TRY(page_draw(&r->drawing, chart, &source, m->name, i));
        uint32_t n = chart->scope == CHART_DEVICES ? devices_of(&r->page, i, devices) : 0;
        source = (chart_source){
            .prediction = m->prediction, .reconciliation = all, .devices = devices, .n_devices = n};
        if (n > 1)
            TRY(page_draw(&r->drawing, chart, &source, m->prediction->model.name, ROOF_NONE));
    }
    return ROOF_OK;
}

/* Beside key figures stands a chart of where the time is, also of what has no roofline. */
static void promote_figures(report_page *page)
{
    static const char *const charts[] = {"waterfall-", "types-", "units-"};
    for (uint32_t i = 0; i < page->n_models; i++)
        for (size_t k = 0; k < N_OF(charts) && !page_has_figure(page, i, PLACE_KEY_FIGURES); k++)
            for (uint32_t j = 0; j < page->n_figures; j++)
                if (page->figures[j].model == i && page->figures[j].place == PLACE_MODEL &&
                    strncmp(page->figures[j].stem, charts[k], strlen(charts[k])) == 0)
                    page->figures[j].place = PLACE_KEY_FIGURES;
}

/* --- documents ---------------------------------------------------------------------------------------- */

/* A file that the page lists. */
static roof_status begin_file(report *r, const char *name, const char *what, outputs_file **file)
{
    TRY(ARENA_ADD(r->arena, r->page.files, r->page.n_files, r->err, (page_file){.name = name, .what = what}));
    return outputs_open_in(r->folder, name, file, r->err);
}

/* p: NULL for the reconciliation. */
static roof_status write_document(report *r, const roof_prediction *p, const char *name, const char *format,
                                  const char *what)
{
    const roof_render_options options = {.format = format, .calibration = r->input->calibration};
    const roof_document kind = p ? ROOF_DOCUMENT_PREDICTION : ROOF_DOCUMENT_RECONCILIATION;
    const void *of = p ? (const void *)p : r->input->reconciliation;
    outputs_file *file;
    TRY(begin_file(r, name, what, &file));
    roof_status status = roof_render_document(kind, of, &options, (roof_sink){outputs_write, file}, r->err);
    return outputs_close(file, status, r->err);
}

static roof_status write_documents(report *r)
{
    const roof_calibration *calibration = r->input->calibration;
    outputs_file *file;
    if (r->input->reconciliation) {
        TRY(write_document(r, NULL, "report.json", "json",
                           "measured beside ideal, roofline.reconciliation/1"));
        TRY(write_document(r, NULL, "report.csv", "csv", "all rows that were measured, one each"));
    }
    FOR_EACH(page_model, m, r->page.models, r->page.n_models) {
        if (m->experiment)
            continue;
        const char *stem = file_names_make(&r->drawing.names, "prediction", m->name);
        TRY(arena_status(r->arena, r->err));
        const char *json = arena_printf(r->arena, "%s.json", stem);
        const char *about = arena_printf(r->arena, "the prediction of %s, roofline.prediction/1", m->name);
        m->rows_file = arena_printf(r->arena, "%s.csv", stem);
        TRY(arena_status(r->arena, r->err));
        TRY(write_document(r, m->prediction, json, "json", about));
        TRY(write_document(r, m->prediction, m->rows_file, "csv", "its layers, one row each"));
    }
    if (!calibration)
        return ROOF_OK;
    TRY(begin_file(r, "calibration.json", "the calibration, for roofline predict --calibration", &file));
    return outputs_close(file, roof_calibration_write(calibration, (roof_sink){outputs_write, file}, r->err),
                         r->err);
}

/* --- the report --------------------------------------------------------------------------------------- */

/* A folder is a report's when its page is ours, and then all files of it may be replaced. In any other folder
 * none is, by whatever links it is reached, nor is a link in the place of the page followed: its target says
 * nothing of the folder. */
static roof_status ask_folder(report *r)
{
    enum { ENOUGH_BYTES = 4096 };
    char begin[ENOUGH_BYTES];
    os_entry about;
    outputs_folder *folder = r->folder;
    const char *path = arena_printf(r->arena, "%s/" REPORT_PAGE, folder->real);
    TRY(ALLOCATED(path, r->err));
    if (folder->is_new)
        return ROOF_OK;
    int page = os_open(OS_HERE, path, OS_READ_OWN);
    const int64_t n = page < 0 ? 0 : os_read(page, begin, sizeof begin);
    os_close(&page);
    if (n > 0 && memmem(begin, (size_t)n, REPORT_MARK, sizeof REPORT_MARK - 1))
        return ROOF_OK;
    folder->keeps = "is not of a report that roofline wrote; name another folder, or remove it";
    return os_look(OS_HERE, path, OS_STAY, &about)
               ? error_set(r->err, ROOF_E_USAGE, "%.300s/" REPORT_PAGE " %s", folder->path, folder->keeps)
               : ROOF_OK;
}

static roof_status write_all(report *r)
{
    textbuf text;
    outputs_file *file;
    TRY(list_models(r));
    TRY(ARENA_GET(r->arena, r->page.inputs, r->input->n_files, r->err));
    for (; r->page.n_inputs < r->input->n_files; r->page.n_inputs++) {
        char hex[SHA256_HEX_SIZE];
        page_file *input = &r->page.inputs[r->page.n_inputs];
        input->name = r->input->files[r->page.n_inputs];
        TRY(sha256_file(input->name, hex, &input->size_bytes, r->err));
        input->sha256 = arena_strdup(r->arena, hex);
    }
    TRY(arena_status(r->arena, r->err));
    if (r->input->history)
        TRY(page_history_find(&r->page, &r->history, r->err));
    TRY(page_graph_draw(&r->page, r->err));
    /* Without gnuplot figures are without pictures, or some of them. */
    const chart_def *chart;
    for (size_t i = 0; (chart = chart_at(i)); i++)
        TRY(draw_chart(r, chart));
    if (r->page.history)
        TRY(page_history_draw(&r->page, &r->drawing));
    promote_figures(&r->page);
    TRY(page_draw_end(&r->drawing, &r->input->watch, &r->why));
    TRY(write_documents(r));
    text_init(&text, TEXT_MAX_BYTES);
    roof_status status = page_put(&r->page, &text, r->err);
    THEN(status, outputs_open_in(r->folder, REPORT_PAGE, &file, r->err));
    THEN(status, outputs_close(file, outputs_write(file, text.bytes, text.length, r->err), r->err));
    text_free(&text);
    THEN(status, arena_status(r->arena, r->err));
    return status;
}

roof_status roof_report_write(const roof_report_input *input, const char *folder, roof_error *err)
{
    report r = {.input = input, .arena = arena_new(0), .err = err};
    TRY(ALLOCATED(r.arena, err));
    r.page.arena = r.arena;
    r.page.input = input;
    bool is_watching = inputs_watch();
    for (uint32_t i = 0; i < input->n_files; i++)
        inputs_note_path(input->files[i]);
    roof_status status =
        (input->reconciliation && (input->reconciliation->n_experiments || input->reconciliation->n_loads)) ||
                input->n_predictions || input->n_curves
            ? outputs_begin(&r.set, err)
            : error_set(err, ROOF_E_USAGE, "there is nothing to report");
    if (status == ROOF_OK) {
        status = outputs_folder_open(&r.set, folder, true, &r.folder, err);
        r.drawing = (page_drawing){.page = &r.page, .folder = r.folder, .names.arena = r.arena, .err = err};
        THEN(status, ask_folder(&r));
        THEN(status, write_all(&r));
        status = outputs_end(&r.set, status, err);
    }
    if (is_watching)
        inputs_unwatch();
    for (uint32_t i = 0; i < r.baseline.n; i++)
        roof_comparison_free(r.baseline.comparisons[i]);
    for (uint32_t i = 0; i < r.history.n; i++)
        roof_history_trends_free(r.history.trends[i]);
    arena_free(r.arena);
    if (status == ROOF_OK && r.why.status != ROOF_OK)
        return error_set(err, r.why.status, "%.200s is written, but without pictures: %.500s", folder,
                         r.why.what);
    return status;
}
