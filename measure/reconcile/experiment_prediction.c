/* The prediction that belongs to an experiment: embedded, written down before, or made now from the model. */
#include "model/laws/law.h"
#include "roofline/measured.h"

/* Sequences that a step is of; 0: not stated, or runs differ. */
static uint32_t batch_of(const roof_experiment *e)
{
    const uint32_t first = e->n_runs ? e->runs->batch : ROOF_NONE;
    for (uint32_t i = 1; i < e->n_runs; i++)
        if (e->runs[i].batch != first)
            return 0;
    return first == ROOF_NONE ? 0 : first;
}

static roof_status predict_model(const roof_experiment *e, const char *path, const char *hw,
                                 const roof_predict_options *options, roof_prediction **out, roof_error *err)
{
    roof_graph *graph = NULL;
    roof_hw *hardware = NULL;
    const roof_workload workload = {.phase = e->phase,
                                    .prompt_tokens = e->prompt_tokens,
                                    .context_tokens = e->context_tokens,
                                    .weight_type = e->weight_type,
                                    .cache_type = e->cache_type,
                                    .asks_text = e->phase || e->prompt_tokens || e->context_tokens};
    roof_status status = roof_graph_read_as(path, &workload, &graph, err);
    const char *id = hw ? hw : e->hardware_id, *place = e->place ? e->place : "experiment";
    if (status == ROOF_OK) {
        status = id ? roof_hw_load(id, &hardware, err) : roof_hw_of_model(graph, &hardware, err);
        if (status == ROOF_OK && !hardware)
            status =
                error_set(err, ROOF_E_USAGE,
                          "neither the profile nor the model says which hardware it was; name it with --hw");
        if (status != ROOF_OK && !hw && status != ROOF_E_IO) /* of a folder of descriptions, which says all */
            error_prefix(err, "%s", id ? place : graph->path);
    }
    roof_predict_options with = options ? *options : (roof_predict_options){0};
    with.names_operators = true; /* by which rows of a profile are found */
    if (!with.busy_cores)
        with.busy_cores = 1; /* a profile is of one inference at a time */
    bool is_open = status == ROOF_OK && !with.data_type;
    if (is_open && e->device_data_type && law_rate_of(hardware, e->device_data_type))
        with.data_type = e->device_data_type; /* what the device says that it computed in */
    if (!with.stack)
        with.stack = e->stack;
    if (e->phase && !with.batch)
        with.batch = batch_of(e);
    if (e->phase && !with.memory_bytes)
        with.memory_bytes = e->memory_bytes;
    THEN(status, roof_predict(graph, hardware, &with, out, err));
    roof_hw_free(hardware);
    roof_graph_free(graph);
    return status;
}

/* The model that was measured, and no other, may stand beside its times. */
static roof_status check_hash(const roof_experiment *e, const roof_prediction *p, const char *path,
                              roof_error *err)
{
    const char *found = p->model.graph_hash;
    if (!e->graph_hash || !found || strcmp(e->graph_hash, found) == 0)
        return ROOF_OK;
    return error_placed(
        error_data(err,
                   "%.200s has graph_hash %.40s, but what was measured had %.40s: another model or another "
                   "compilation",
                   path, found, e->graph_hash),
        err, "%s/model/graph_hash", e->place ? e->place : "experiment");
}

roof_status roof_experiment_predict(const roof_experiment *e, const char *model, const char *hw,
                                    const roof_predict_options *options, roof_prediction **out,
                                    bool *borrowed, roof_error *err)
{
    const char *path = model ? model : e->resolved_path;
    roof_prediction *p = NULL;
    *borrowed = !model && !hw && e->prediction;
    *out = *borrowed ? e->prediction : NULL;
    if (*borrowed)
        return check_hash(e, *out, "the embedded prediction", err);
    if (!path || (!hw && !e->hardware_id && e->device && !e->device_runs_code))
        return ROOF_OK; /* what the model was compiled for is not what it ran on */
    bool is_document;
    TRY(roof_is_document(path, &is_document, err));
    roof_status status =
        is_document ? roof_prediction_read(path, &p, err) : predict_model(e, path, hw, options, &p, err);
    THEN(status, check_hash(e, p, path, err));
    return GIVE(status, out, p, roof_prediction_free);
}

roof_status roof_experiment_language(const roof_experiment *e, const char *model, const roof_prediction *p,
                                     roof_graph **out, roof_error *err)
{
    const char *path = model ? model : e->resolved_path;
    const roof_workload workload = {.phase = e->phase, .asks_text = true};
    bool is_document;
    *out = NULL;
    if (!e->phase || !path || !p || !p->is_language)
        return ROOF_OK;
    TRY(roof_is_document(path, &is_document, err));
    return is_document ? ROOF_OK : roof_graph_read_as(path, &workload, out, err);
}
