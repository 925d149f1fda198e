#include "cli/cli.h"
#include "roofline/xir.h"

roof_status cli_hw_of_model(const roof_graph *graph, roof_hw **out, roof_error *err)
{
    static const char advice[] = "add --hw, for example --hw kv260; `roofline hw list` shows all devices";
    const roof_subgraph *target = roof_graph_accelerator(graph);
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): it was read */
    if (!graph->compiled || !target)
        return error_set(err, ROOF_E_USAGE, "%s; %s",
                         target ? "the file names operators and their executor, but no device"
                                : "uncompiled model",
                         advice);
    uint64_t fingerprint = roof_xir_subgraph_of(graph, target)->fingerprint;
    roof_status status = roof_hw_of_model(graph, out, err);
    if (status != ROOF_E_NO_INPUT || fingerprint == ROOF_UNKNOWN)
        return status; /* else no entry fits */
    return error_set(
        err, ROOF_E_USAGE,
        "the model was compiled for '%.80s', fingerprint 0x%016llx, which no entry describes; %s",
        target->target, (unsigned long long)fingerprint, advice);
}

static roof_status read_graph(const char *path, const cli_workload *w, roof_graph **out, roof_error *err)
{
    roof_product product;
    roof_workload workload = {.prompt_tokens = w->prompt_tokens,
                              .context_tokens = w->context_tokens,
                              .weight_type = w->data_type,
                              .cache_type = w->cache_type,
                              .shapes = w->shapes,
                              .asks_text = w->phase || w->prompt_tokens || w->context_tokens ||
                                           w->cache_type || w->asks_text};
    workload.phase = !w->phase                         ? ROOF_TEXT_UNSTATED
                     : strcmp(w->phase, "decode") == 0 ? ROOF_TEXT_DECODE
                                                       : ROOF_TEXT_PREFILL;
    if (workload.phase == ROOF_TEXT_PREFILL && strcmp(w->phase, "prefill") != 0)
        return error_set(err, ROOF_E_USAGE, "--phase %.40s: want prefill, decode or both", w->phase);
    if (w->product) {
        TRY(roof_product_parse(w->product, &product, err));
        workload.product = &product;
    }
    return roof_graph_read_as(path, &workload, out, err);
}

/* --- a file of another kind than is wanted -------------------------------------------------------------- */

static const struct {
    const char *schema; /* up to its version */
    const char *advice;
} other_documents[] = {
    {"roofline.measured/",
     "is a measured document: `roofline reconcile FILE` holds it against the prediction of its model, "
     "`roofline report FILE -o DIR` makes a page of it"},
    {"roofline.prediction/", "is a prediction already: `roofline report FILE -o DIR` shows it, and it stands "
                             "for its model as --model"},
    {"roofline.predictions/",
     "is several predictions: `roofline report FILE -o DIR` lays them side by side on a page"},
    {"roofline.configurations/", "is the output of predict --configurations: pass the model instead"},
    {"roofline.reconciliation/", "is the output of reconcile: pass the profile it was made from"},
    {"roofline.calibration/", "is a calibration: give it as --calibration, beside a model"},
    {"roofline.hardware/", "is a description of hardware: give it as --hw, beside a model"},
    {"roofline.sweep/", "is a plan: `roofline sweep FILE -o points.csv` computes its points"},
    {"roofline.inspection/", "is the output of inspect: pass the model instead"},
};

/* NULL: it is none. is_wanted: the measured one, where that is wanted. */
static const char *advice_of_document(const char *path, bool wants_model, bool *is_wanted)
{
    char schema[80] = "";
    roof_error ignored;
    bool is_document = false;
    *is_wanted = false;
    if (roof_is_document(path, &is_document, &ignored) != ROOF_OK || !is_document ||
        roof_document_schema(path, schema, sizeof schema, &ignored) != ROOF_OK)
        return NULL;
    for (size_t i = 0; i < N_OF(other_documents); i++) {
        if (!span_begins(span_of(schema), other_documents[i].schema))
            continue;
        *is_wanted = !wants_model && i == 0;
        return other_documents[i].advice;
    }
    return NULL;
}

const char *cli_importer_doc(const char *id)
{
    for (size_t i = 0; roof_importer_name(i); i++)
        if (strcmp(roof_importer_name(i), id) == 0)
            return roof_importer_doc(i);
    return "";
}

roof_status cli_wrong_file(const char *path, bool wants_model, roof_status status, roof_error *err)
{
    bool is_model = path && roof_graph_is_model(path), is_wanted = false;
    if (!path || strcmp(path, "-") == 0 || (status != ROOF_E_DATA && status != ROOF_E_UNSUPPORTED) ||
        (is_model && wants_model))
        return status;
    const char *of_import = NULL, *of_document = advice_of_document(path, wants_model, &is_wanted);
    const char *importer = of_document ? NULL : roof_importer_of(path, &of_import);
    const char *advice =
        of_document ? of_document
        : of_import ? of_import
        : is_model  ? "is a model: `roofline predict FILE` says what it ought to take, `roofline reconcile "
                      "PROFILE --model FILE` holds a profile of it against that"
                    : NULL;
    if (is_wanted || (!advice && !importer))
        return status;
    if (advice)
        return error_in(err, path, status, "%s", advice);
    return error_in(err, path, status,
                    "is a profile: %s; run `roofline import FILE -o measured.json`, then `roofline reconcile "
                    "measured.json --model MODEL`",
                    cli_importer_doc(importer));
}

/* --- predicting ----------------------------------------------------------------------------------------- */

roof_status cli_read_model(const char *path, const cli_workload *workload, roof_graph **out, roof_error *err)
{
    static const cli_workload none;
    roof_error of_name;
    roof_hw *hw = NULL;
    *out = NULL;
    const roof_status status = read_graph(path, workload ? workload : &none, out, err);
    if (status != ROOF_E_NO_INPUT || roof_hw_load(path, &hw, &of_name) != ROOF_OK)
        return cli_wrong_file(path, true, status, err);
    roof_hw_free(hw);
    return error_set(err, status, "no file '%.200s'; it is a device: write --hw %.200s", path, path);
}

roof_status cli_read_shaped(const char *path, const char *shapes, roof_graph **out, roof_error *err)
{
    TRY(cli_read_model(path, &(cli_workload){.shapes = shapes}, out, err));
    const roof_finding *open = roof_graph_open_shape(*out);
    if (!open)
        return ROOF_OK;
    const roof_status status =
        error_in(err, path, ROOF_E_DATA, "%s", roof_finding_sentence(open, (char[ROOF_SENTENCE_SIZE]){""}));
    roof_graph_free(*out);
    *out = NULL;
    return status;
}

roof_status cli_predict_on(const roof_graph *graph, const roof_hw *hw, const roof_predict_options *options,
                           roof_prediction **out, roof_error *err)
{
    roof_hw *matched = NULL;
    roof_status status = hw ? ROOF_OK : cli_hw_of_model(graph, &matched, err);
    /* for an error of a folder of descriptions the model is not to blame */
    if (status != ROOF_OK && status != ROOF_E_IO)
        error_prefix(err, "%s", graph->path);
    THEN(status, roof_predict(graph, hw ? hw : matched, options, out, err));
    roof_hw_free(matched);
    return status;
}

roof_status cli_predict_read(const roof_graph *graph, const char *hw, const roof_predict_options *options,
                             roof_prediction **out, roof_error *err)
{
    roof_hw *hardware = NULL;
    roof_status status = hw ? roof_hw_load(hw, &hardware, err) : ROOF_OK;
    THEN(status, cli_predict_on(graph, hardware, options, out, err));
    roof_hw_free(hardware);
    return status;
}

roof_status cli_predict(const char *path, const char *hw, const cli_workload *workload,
                        const roof_predict_options *options, roof_graph **graph, roof_prediction **out,
                        roof_error *err)
{
    roof_predict_options with = *options;
    roof_graph *own = NULL;
    with.data_type = workload ? workload->data_type : NULL;
    roof_status status = cli_read_model(path, workload, graph ? graph : &own, err);
    THEN(status, cli_predict_read(graph ? *graph : own, hw, &with, out, err));
    roof_graph_free(own);
    return status;
}

static void note_broken(void *unused, const roof_error *why)
{
    char text[ROOF_ERROR_WHERE_SIZE + ROOF_ERROR_WHAT_SIZE + 64];
    (void)unused;
    roof_error_format(why, text, sizeof text);
    cli_note("left out: %.900s", text);
}

roof_status cli_note_broken_hardware(roof_error *err)
{
    return roof_hw_find_broken(&(roof_hw_broken){.tell = note_broken}, err);
}
