/* The prediction that belongs to an experiment: embedded, written down before, or made now from the model. */
#include "core/error.h"
#include "model/laws/law.h"
#include "roofline/measured.h"

#include <stdbool.h>
#include <string.h>

static roof_status predict_model(const roof_experiment *e, const char *path, const char *hw,
                                 const roof_predict_options *options, roof_prediction **out, roof_error *err)
{
    roof_graph *graph = NULL;
    roof_hw *hardware = NULL;
    const roof_workload workload = {.phase = e->phase,
                                    .prompt_tokens = e->prompt_tokens,
                                    .context_tokens = e->context_tokens,
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
    if (status == ROOF_OK && e->device_data_type && law_rate_of(hardware, e->device_data_type))
        with.data_type = e->device_data_type; /* what the device says that it computed in */
    if (status == ROOF_OK)
        status = roof_predict(graph, hardware, &with, out, err);
