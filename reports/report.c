/* A report: charts, documents and the page, made in a temporary folder and put in place together. */
#include "roofline/report.h"
#include "core/error.h"
#include "core/input.h"
#include "core/outputs.h"
#include "core/sha256.h"
#include "reports/page/page_parts.h"
#include "reports/report_figures.h"
#include "reports/stems.h"
#include "roofline/render.h"

#include <stdlib.h>
#include <string.h>

typedef struct report {
    const roof_report_input *input;
    roof_arena *arena;
    file_stems stems;
    outputs set;
    outputs_folder *folder;
    report_page page;
    page_model *models;
    page_file *files;
    roof_error *err;
} report;

/* --- models ------------------------------------------------------------------------------------------- */

static const char *plain_name(const page_model *m)
{
    const char *name = m->experiment ? m->experiment->model : m->prediction->model.name;
    return name && name[0] ? name : "(no name)";
}

static const char *hardware_of(const page_model *m)
{
    const char *id = m->experiment ? m->experiment->hardware_id : m->prediction->hardware.id;
    return id && id[0] ? id : "unknown hardware";
}

/* A name that several models have tells them apart by their hardware. */
static const char *name_model(const report *r, uint32_t i)
{
    const char *name = plain_name(&r->models[i]);
    for (uint32_t k = 0; k < r->page.n_models; k++)
        if (k != i && strcmp(plain_name(&r->models[k]), name) == 0)
            return arena_printf(r->arena, "%s on %s", name, hardware_of(&r->models[i]));
    return arena_strdup(r->arena, name);
}

/* Experiments first, so that a finding's number of an experiment is that of its model. */
static roof_status list_models(report *r)
{
    const roof_reconciliation *reconciliation = r->input->reconciliation;
    uint32_t n = 0, n_experiments = reconciliation ? reconciliation->n_experiments : 0;
    r->models = NEW_ARRAY(r->arena, page_model, (size_t)n_experiments + r->input->n_predictions);
    if (!r->models)
        return error_memory(r->err);
    for (uint32_t i = 0; i < n_experiments; i++) {
        const roof_reconciled *e = &reconciliation->experiments[i];
        r->models[n++] =
            (page_model){.experiment = e, .prediction = e->prediction, .rows_file = "report.csv"};
    }
    for (uint32_t i = 0; i < r->input->n_predictions; i++)
        r->models[n++] = (page_model){.prediction = r->input->predictions[i]};
    r->page.models = r->models;
    r->page.n_models = n;
    for (uint32_t i = 0; i < n; i++)
        if (!(r->models[i].name = name_model(r, i)))
            return error_memory(r->err);
    return ROOF_OK;
}

/* --- documents ---------------------------------------------------------------------------------------- */

/* Lists a file for the page. */
static roof_status list_file(report *r, const char *name, const char *what)
{
    r->files = arena_grow(r->arena, r->files, r->page.n_files, sizeof *r->files);
    if (!r->files || !name)
        return error_memory(r->err);
    r->files[r->page.n_files++] = (page_file){.name = name, .what = what};
    r->page.files = r->files;
    return ROOF_OK;
}

static roof_status begin_file(report *r, const char *name, const char *what, outputs_file **file)
{
    TRY(list_file(r, name, what));
    return outputs_open_in(r->folder, name, file, r->err);
}

static roof_status write_reconciliation(report *r, const char *name, const char *format, const char *what)
{
    const roof_render_options options = {.format = format, .calibration = r->input->calibration};
    outputs_file *file;
    TRY(begin_file(r, name, what, &file));
    return outputs_close(file,
                         roof_render_reconciliation(r->input->reconciliation, &options,
                                                    (roof_sink){outputs_write, file}, r->err),
                         r->err);
}

static roof_status write_prediction(report *r, const roof_prediction *p, const char *name, const char *format,
                                    const char *what)
{
    const roof_render_options options = {.format = format};
    outputs_file *file;
    char *bytes = NULL;
    size_t length = 0;
    TRY(roof_render_prediction(p, &options, &bytes, &length, r->err));
    roof_status status = begin_file(r, name, what, &file);
    if (status == ROOF_OK)
        status = outputs_close(file, outputs_write(file, bytes, length, r->err), r->err);
    free(bytes);
    return status;
}

static roof_status write_predictions(report *r)
{
    for (uint32_t i = 0; i < r->page.n_models; i++) {
        page_model *m = &r->models[i];
        if (m->experiment)
            continue;
        const char *stem = file_stem_of(&r->stems, "prediction", m->name);
        const char *json = stem ? arena_printf(r->arena, "%s.json", stem) : NULL;
        m->rows_file = stem ? arena_printf(r->arena, "%s.csv", stem) : NULL;
        const char *about_json =
            arena_printf(r->arena, "the prediction of %s, roofline.prediction/1", m->name);
        const char *about_csv = arena_printf(r->arena, "its layers, one row each");
        if (!json || !m->rows_file || !about_json || !about_csv)
            return error_memory(r->err);
        TRY(write_prediction(r, m->prediction, json, "json", about_json));
        TRY(write_prediction(r, m->prediction, m->rows_file, "csv", about_csv));
    }
    return ROOF_OK;
}

static roof_status write_calibration(report *r)
{
    outputs_file *file;
    if (!r->input->calibration)
        return ROOF_OK;
    TRY(begin_file(r, "calibration.json", "the calibration, for roofline predict --calibration", &file));
    return outputs_close(
        file, roof_calibration_write(r->input->calibration, (roof_sink){outputs_write, file}, r->err),
        r->err);
}

static roof_status write_documents(report *r)
{
    if (r->input->reconciliation) {
        TRY(write_reconciliation(r, "report.json", "json",
                                 "measured beside ideal, roofline.reconciliation/1"));
        TRY(write_reconciliation(r, "report.csv", "csv", "all rows that were measured, one each"));
    }
    TRY(write_predictions(r));
    return write_calibration(r);
}

/* --- inputs ------------------------------------------------------------------------------------------- */

static roof_status hash_inputs(report *r)
{
    page_file *inputs = NEW_ARRAY(r->arena, page_file, r->input->n_files);
    if (!inputs)
        return error_memory(r->err);
    for (uint32_t i = 0; i < r->input->n_files; i++) {
        char hex[SHA256_HEX_SIZE];
        inputs[i].name = r->input->files[i];
        TRY(sha256_file(inputs[i].name, hex, &inputs[i].size_bytes, r->err));
        inputs[i].sha256 = arena_strdup(r->arena, hex);
        if (!inputs[i].sha256)
            return error_memory(r->err);
    }
    r->page.inputs = inputs;
    r->page.n_inputs = r->input->n_files;
    return ROOF_OK;
}

/* --- the report --------------------------------------------------------------------------------------- */

static roof_status write_page(report *r)
{
    textbuf text;
    outputs_file *file;
    text_init(&text, TEXT_MAX_BYTES);
    roof_status status = page_put(&r->page, &text, r->err);
    if (status == ROOF_OK)
        status = outputs_open_in(r->folder, "index.html", &file, r->err);
    if (status == ROOF_OK)
        status = outputs_close(file, outputs_write(file, text.bytes, text.length, r->err), r->err);
    text_free(&text);
    return status;
}

static roof_status write_all(report *r, bool *undrawn, roof_error *why)
{
    TRY(list_models(r));
    TRY(hash_inputs(r));
    TRY(report_draw(&r->page, &r->stems, r->folder, undrawn, r->err));
    if (*undrawn)
        *why = *r->err;
    TRY(write_documents(r));
    TRY(write_page(r));
    return arena_status(r->arena, r->err);
}

static roof_status fail_undrawn(const char *folder, const roof_error *why, roof_error *err)
{
    return error_set(err, ROOF_E_DEVICE, "%.200s is written, but without pictures: %.500s", folder,
                     why->what);
}

roof_status roof_report_write(const roof_report_input *input, const char *folder, roof_error *err)
{
    report r = {.input = input, .arena = arena_new(0), .err = err};
    inputs_seen seen = {0};
    roof_error why = {0};
    bool undrawn = false;
    if (!r.arena)
        return error_memory(err);
    r.stems.arena = r.page.arena = r.arena;
    r.page.input = input;
    bool is_watching = inputs_watch(&seen);
    for (uint32_t i = 0; i < input->n_files; i++)
        inputs_note_path(input->files[i]);
    roof_status status =
        (input->reconciliation && input->reconciliation->n_experiments) || input->n_predictions
            ? outputs_begin(&r.set, err)
            : error_set(err, ROOF_E_USAGE, "there is nothing to report");
    if (status == ROOF_OK) {
        status = outputs_folder_open(&r.set, folder, true, &r.folder, err);
        if (status == ROOF_OK)
            status = write_all(&r, &undrawn, &why);
        status = outputs_end(&r.set, status, err);
    }
    if (is_watching)
        inputs_unwatch();
    if (status == ROOF_OK && undrawn)
        status = fail_undrawn(folder, &why, err);
    arena_free(r.arena);
    return status;
}
