/* Measured documents: those that a command makes, those that are read with the predictions beside them, and
 * what compare and check read. */
#include "cli/cli.h"
#include "core/platform/platform.h"
#include "core/files/input.h"
#include "roofline/calibration.h"

#include <errno.h>

/* --- what a command makes ------------------------------------------------------------------------------ */

/* ", per_layer run, 4 rows of 60 samples" */
static void describe_run(const roof_run *run, textbuf *out)
{
    uint64_t count = run->n_layers ? run->layers[0].time.count : ROOF_UNKNOWN; /* the same for all rows */
    for (uint32_t i = 1; i < run->n_layers; i++)
        count = run->layers[i].time.count == count ? count : ROOF_UNKNOWN;
    bool samples = run->n_layers && run->layers[0].time.samples_s;
    text_printf(out, ", %s run", roof_run_mode_text(run->mode));
    if (run->mode == ROOF_RUN_LOAD)
        text_printf(out, " of %" PRIu32 " thread%s", run->threads, run->threads == 1 ? "" : "s");
    if (run->n_layers)
        text_printf(out, ", %" PRIu32 " row%s", run->n_layers, run->n_layers == 1 ? "" : "s");
    if (count != ROOF_UNKNOWN)
        text_printf(out, " of %" PRIu64 " %s%s", count, samples ? "sample" : "repetition",
                    count == 1 ? "" : "s");
}

/* "39 points of language models, 21 of decode and 18 of prefill", where all are such; false: they are not. */
static bool describe_points(const roof_measured *m, textbuf *out)
{
    uint32_t n[] = {[ROOF_TEXT_UNSTATED] = 0, [ROOF_TEXT_PREFILL] = 0, [ROOF_TEXT_DECODE] = 0};
    FOR_EACH(const roof_experiment, e, m->experiments, m->n_experiments) {
        const bool is_point = e->n_runs == 1 && e->runs[0].mode == ROOF_RUN_BYPASS && !e->runs[0].n_layers;
        n[is_point ? e->phase : ROOF_TEXT_UNSTATED]++;
    }
    if (!m->n_experiments || n[ROOF_TEXT_UNSTATED])
        return false;
    text_printf(
        out, "%" PRIu32 " point%s of language models, %" PRIu32 " of decode and %" PRIu32 " of prefill",
        m->n_experiments, m->n_experiments == 1 ? "" : "s", n[ROOF_TEXT_DECODE], n[ROOF_TEXT_PREFILL]);
    return true;
}

roof_status cli_measured_describe(const roof_measured *m, const char *path, roof_error *err)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    const bool is_of_points = describe_points(m, &text);
    if (!m->n_experiments)
        text_puts(&text, "no times");
    else if (!is_of_points)
        text_printf(&text, "%" PRIu32 " model%s", m->n_experiments, m->n_experiments == 1 ? "" : "s");
    for (uint32_t i = 0; i < m->n_experiments && !is_of_points; i++)
        for (uint32_t j = 0; j < m->experiments[i].n_runs; j++)
            describe_run(&m->experiments[i].runs[j], &text);
    roof_status status = text_status(&text, err);
    if (status == ROOF_OK) {
        cli_note("%.300s: %s: %.500s", path, m->sources[0].tool, text.bytes);
        for (text_span notes = span_of(text_or_empty(m->sources[0].notes)); notes.length;) {
            const text_span note = span_take_until(&notes, "; ");
            cli_note("%.300s: %.*s", path, note.length < 600 ? (int)note.length : 600, note.text);
        }
    }
    text_free(&text);
    return status;
}

/* From a folder to something, "../nets/net.xmodel". Both are whole paths without links. */
static void put_relative(textbuf *out, const char *folder, const char *to)
{
    size_t same = 0;
    folder = folder[1] ? folder : ""; /* the root */
    for (size_t i = 0;; i++) {
        if ((folder[i] == '/' || !folder[i]) && (to[i] == '/' || !to[i]))
            same = i;
        if (folder[i] != to[i] || !folder[i])
            break;
    }
    for (const char *up = strchr(folder + same, '/'); up; up = strchr(up + 1, '/'))
        text_puts(out, out->length ? "/.." : "..");
    const char *rest = to + same + (to[same] == '/');
    text_printf(out, "%s%s", out->length && *rest ? "/" : "", out->length || *rest ? rest : ".");
}

char *cli_measured_path_for(const char *model, const char *output)
{
    const char *slash = output ? strrchr(output, '/') : NULL;
    errno = 0;
    char *name = slash ? strndup(output, (size_t)(slash - output) + 1) : strdup(".");
    char *folder = output && name ? os_real_path(name) : NULL, *whole = folder ? os_real_path(model) : NULL;
    textbuf relative;
    text_init(&relative, TEXT_MAX_BYTES);
    if (whole)
        put_relative(&relative, folder, whole);
    else
        text_puts(&relative, model);
    bool failed = !name || (!whole && errno == ENOMEM);
    free(name);
    free(folder);
    free(whole);
    if (!relative.failed && !failed)
        return relative.bytes;
    text_free(&relative);
    return NULL;
}

roof_status cli_check_hardware(const char *spec, roof_error *err)
{
    roof_hw *hw = NULL;
    roof_status status = spec ? roof_hw_load(spec, &hw, err) : ROOF_OK;
    roof_hw_free(hw);
    return spec && status == ROOF_OK ? cli_note_broken_hardware(err) : status;
}

/* --- what is read -------------------------------------------------------------------------------------- */

enum { MOST_MAP_BYTES = 16 << 20 };

void cli_profiles_free(cli_profiles *profiles)
{
    for (uint32_t i = 0; profiles->predictions && i < profiles->measured->n_experiments; i++) {
        if (!profiles->borrowed[i])
            roof_prediction_free(profiles->predictions[i]);
        roof_graph_free(profiles->graphs[i]);
    }
    free(profiles->map);
    arena_free(profiles->arena);
    roof_calibration_free(profiles->calibration);
    roof_measured_free(profiles->measured);
    *profiles = (cli_profiles){0};
}

roof_status cli_merge(roof_measured **all, roof_measured *one, roof_error *err)
{
    roof_status status = *all ? roof_measured_merge(*all, one, err) : ROOF_OK;
    if (status != ROOF_OK)
        roof_measured_free(one);
    else if (!*all)
        *all = one;
    return status;
}

bool cli_is_profile(const char *file)
{
    char schema[80] = "";
    const char *advice;
    roof_error ignored;
    bool is_document = false;
    if (strcmp(file, "-") == 0 || roof_graph_is_model(file))
        return false;
    if (roof_is_document(file, &is_document, &ignored) == ROOF_OK && is_document &&
        roof_document_schema(file, schema, sizeof schema, &ignored) == ROOF_OK && *schema)
        return span_begins(span_of(schema), "roofline.measured/");
    return roof_importer_of(file, &advice) != NULL;
}

roof_status cli_measured_read(const char *file, const cli_profile_options *o, roof_measured **out,
                              roof_error *err)
{
    const char *advice;
    const roof_status status = roof_measured_read(file, out, err);
    const char *importer = status != ROOF_OK && cli_is_profile(file) ? roof_importer_of(file, &advice) : NULL;
    if (!importer)
        return cli_wrong_file(file, false, status, err);
    TRY(roof_import_file(file, &(roof_import_options){.model = o->model, .hardware = o->hw}, out, err));
    cli_note("%.300s: imported as %s; `roofline import` keeps it as a document", file, importer);
    return ROOF_OK;
}

static roof_status read_map(const char *path, cli_profiles *out, roof_error *err)
{
    input_file input;
    textbuf text;
    char block[4096];
    size_t got = 1;
    TRY(input_open(path, MOST_MAP_BYTES, &input, err));
    text_init(&text, (size_t)2 * MOST_MAP_BYTES);
    roof_status status = ROOF_OK;
    while (status == ROOF_OK && got) {
        status = input_read(&input, block, sizeof block, &got, err);
        if (status == ROOF_OK)
            text_add(&text, block, got);
    }
    THEN(status, text_status(&text, err));
    if (status == ROOF_OK && memchr(text.bytes, '\0', text.length))
        status = error_data(err, "holds a NUL byte, want lines of row,layer");
    out->map = text.bytes;
    out->map_name = arena_strdup(out->arena, input.name);
    THEN(status, ALLOCATED(out->map_name, err));
    input_close(&input);
    return error_placed(status, err, "%s", input.name);
}

/* The words behind `roofline predict` that ask for the model of an experiment, of that file, as it was
 * measured. */
static bool repeat_experiment(const cli_profile_options *a, const roof_experiment *e, const char *path,
                              char words[CLI_COMMAND_SIZE])
{
    const char *hw = a->hw ? a->hw : e->hardware_id;
    char context[16], prompt[16];
    words[0] = '\0';
    snprintf(context, sizeof context, "%u", e->context_tokens);
    snprintf(prompt, sizeof prompt, "%u", e->prompt_tokens);
    return cli_repeat_word(words, NULL, path) && cli_repeat_word(words, "hw", hw) &&
           cli_repeat_word(words, "phase",
                           e->phase == ROOF_TEXT_DECODE    ? "decode"
                           : e->phase == ROOF_TEXT_PREFILL ? "prefill"
                                                           : NULL) &&
           cli_repeat_word(words, "context", e->context_tokens ? context : NULL) &&
           cli_repeat_word(words, "seq-len", e->prompt_tokens ? prompt : NULL) &&
           cli_repeat_word(words, "dtype", a->data_type ? a->data_type : e->weight_type) &&
           cli_repeat_word(words, "kv-dtype", e->cache_type);
}

/* A model that is not there leaves the measured side, which is worth showing; a broken one does not. */
static roof_status predict_one(const cli_profile_options *a, cli_profiles *in, uint32_t i, roof_error *err)
{
    const roof_experiment *e = &in->measured->experiments[i];
    inputs_note_path(e->resolved_path); /* also where a prediction stands in for it */
    if (!a->model && e->resolved_path && !e->prediction && !os_may(OS_HERE, e->resolved_path, OS_MAY_BE)) {
        cli_note("%.300s: the model '%.300s' is not there; --model names it",
                 e->place ? e->place : "experiment", e->resolved_path);
        return ROOF_OK;
    }
    roof_predict_options with = {
        .explores = a->explores, .no_steps = a->explores != ROOF_EXPLORE_ALL, .data_type = a->data_type};
    const char *path = a->model ? a->model : e->resolved_path;
    char words[CLI_COMMAND_SIZE];
    bool is_document = !path; /* a prediction in a document is asked for in no command */
    if (path)
        TRY(roof_is_document(path, &is_document, err));
    if (!is_document && repeat_experiment(a, e, path, words)) {
        with.commands.predict = words;
        with.commands.advise = a->data_type || e->phase ? NULL : words;
    }
    return roof_experiment_predict(e, a->model, a->hw, &with, &in->predictions[i], &in->borrowed[i], err);
}

roof_status cli_profiles_read(const char *const *files, size_t n_files, const cli_profile_options *options,
                              cli_profiles *out, roof_error *err)
{
    size_t n_documents = 0;
    const char *note = NULL;
    out->arena = arena_new(0);
    TRY(ALLOCATED(out->arena, err));
    for (size_t i = 0; i < n_files; i++) {
        roof_measured *one = NULL;
        TRY(cli_measured_read(files[i], options, &one, err));
        /* an experiment of a file that a tool wrote has no place in it */
        n_documents +=
            !one->n_experiments || !one->experiments->place || strcmp(one->experiments->place, files[i]) != 0;
        TRY(cli_merge(&out->measured, one, err));
    }
    if (n_files > 1 && !n_documents) /* as roofline import does with them */
        TRY(roof_import_join(out->measured, &note, err));
    if (note)
        cli_note("%s", note);
    if (!out->measured)
        return error_set(err, ROOF_E_USAGE, "no document is named");
    if (!out->measured->n_experiments) { /* of tools alone: a document has one */
        TRY(cli_measured_describe(out->measured, files[0], err));
        return error_in(err, files[0], ROOF_E_DATA, "no time of a network");
    }
    for (uint32_t i = 0; options->hw && i < out->measured->n_unread; i++)
        out->measured->unread[i].is_of_hardware = false; /* what it ran on was said anew */
    if (options->times_alone)
        return ROOF_OK;
    uint32_t n_joined = roof_measured_join_power(out->measured);
    if (n_joined)
        cli_note("the power of %" PRIu32
                 " run%s without a time is given to the only run of that model with a time and no power",
                 n_joined, n_joined == 1 ? "" : "s");
    /* Experiments of several models cannot all be the one of --model. */
    const roof_experiment *all = out->measured->experiments;
    for (uint32_t i = 1; options->model && i < out->measured->n_experiments; i++) {
        const char *first = all[0].model_name, *other = all[i].model_name;
        if (!(all[0].phase && all[i].phase) && first && other && strcmp(first, other) != 0)
            return error_set(err, ROOF_E_USAGE,
                             "--model names one model, but the profiles are of several ('%.80s', '%.80s'); "
                             "name them in the documents",
                             first, other);
    }
    if (options->map)
        TRY(read_map(options->map, out, err));
    out->boundary_cost_s = options->boundary_cost_s;
    if (options->hw && !options->model)
        TRY(cli_check_hardware(options->hw, err));
    if (options->calibration)
        TRY(roof_calibration_read(options->calibration, &out->calibration, err));
    const uint32_t n = out->measured->n_experiments;
    TRY(ARENA_GET3(out->arena, out->borrowed, out->languages, out->graphs, n, err));
    TRY(ARENA_GET(out->arena, out->predictions, n, err));
    for (uint32_t i = 0; i < n; i++) {
        TRY(predict_one(options, out, i, err));
        if (options->hw && !out->predictions[i])
            out->measured->experiments[i].hardware_id = options->hw;
        TRY(roof_experiment_language(&out->measured->experiments[i], options->model, out->predictions[i],
                                     &out->graphs[i], err));
        out->languages[i] = out->graphs[i] ? roof_language_of(out->graphs[i]) : NULL;
    }
    return cli_note_broken_hardware(err);
}

roof_status cli_profiles_reconcile(const cli_profiles *profiles, roof_reconciliation **out, roof_error *err)
{
    return roof_reconcile(profiles->measured, (const roof_prediction *const *)profiles->predictions,
                          &(roof_reconcile_options){.map = profiles->map,
                                                    .map_name = profiles->map_name,
                                                    .calibration = profiles->calibration,
                                                    .boundary_cost_s = profiles->boundary_cost_s,
                                                    .languages = profiles->languages},
                          out, err);
}

static uint32_t count_uncompared(const roof_reconciliation *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; r && i < r->n_experiments; i++)
        n += r->experiments[i].not_compared != NULL;
    return n;
}

static bool compares_nothing(const roof_reconciliation *r)
{
    return r && r->n_experiments && count_uncompared(r) == r->n_experiments && !r->n_loads && !r->n_curves;
}

roof_status cli_want_comparison(const roof_reconciliation *r, roof_error *err)
{
    char why[ROOF_SENTENCE_SIZE];
    if (!compares_nothing(r))
        return ROOF_OK;
    return error_placed(error_data(err, "%.300s; nothing is compared, and no file is written",
                                   roof_remark_sentence(r->experiments->not_compared, why)),
                        err, "%.200s", r->experiments->model);
}

int cli_done_comparing(const roof_reconciliation *r, bool strict, uint32_t n_findings)
{
    const uint32_t n = count_uncompared(r);
    if (!n)
        return cli_done(strict, n_findings);
    cli_note("%" PRIu32 " of %" PRIu32 " model%s not compared with the ideal: the first sentence says why", n,
             r->n_experiments, r->n_experiments == 1 ? " is" : "s are");
    return compares_nothing(r) ? CLI_BAD_DATA : CLI_CHECK_FAILED;
}

/* --- what two commands compare -------------------------------------------------------------------------- */

void cli_subject_free(cli_subject *subject)
{
    roof_reconciliation_free(subject->measured);
    roof_prediction_free(subject->prediction);
    cli_profiles_free(&subject->profiles);
    *subject = (cli_subject){0};
}

roof_compare_side cli_subject_side(const cli_subject *subject)
{
    return (roof_compare_side){
        .name = subject->name, .measured = subject->measured, .prediction = subject->prediction};
}

roof_status cli_subject_read(const char *const *files, size_t n_files, const cli_profile_options *options,
                             cli_subject *out, roof_error *err)
{
    char schema[80] = "";
    bool is_document;
    if (strcmp(files[0], "-") == 0)
        return error_set(err, ROOF_E_USAGE,
                         "standard input does not say what it is before it is read; name a file");
    out->name = files[0];
    TRY(roof_is_document(files[0], &is_document, err));
    if (is_document)
        TRY(roof_document_schema(files[0], schema, sizeof schema, err));
    if (span_begins(span_of(schema), "roofline.measured/") || (!*schema && cli_is_profile(files[0]))) {
        TRY(cli_profiles_read(files, n_files, options, &out->profiles, err));
        return cli_profiles_reconcile(&out->profiles, &out->measured, err);
    }
    if (n_files > 1)
        return error_set(err, ROOF_E_USAGE,
                         "'%.200s' is one too many: give one prediction or model at a time", files[1]);
    const roof_predict_options with = {.explores = ROOF_EXPLORE_NOTHING};
    if (out->graph)
        return cli_predict_read(out->graph, options->hw, &with, &out->prediction, err);
    if (!is_document)
        return cli_predict(files[0], options->hw, NULL, &with, NULL, &out->prediction, err);
    if (span_begins(span_of(schema), "roofline.prediction/"))
        return roof_prediction_read(files[0], &out->prediction, err);
    const roof_status status =
        error_in(err, files[0], ROOF_E_DATA,
                 "%s%s%s, want " ROOF_MEASURED_SCHEMA ", " ROOF_PREDICTION_SCHEMA " or a model",
                 *schema ? "is a document '" : "has no schema", schema, *schema ? "'" : "");
    return cli_wrong_file(files[0], true, status, err);
}
