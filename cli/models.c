#include "cli/cli.h"
#include "core/error.h"
#include "roofline/xir.h"

#include <string.h>

/* The hardware that the model was compiled for. When nothing says which, the user has to. */
static roof_status match_hardware(const roof_graph *graph, roof_hw **out, roof_error *err)
{
    static const char advice[] =
        "name the hardware, for example with --hw b4096; `roofline hw list` shows what is known";
    const roof_subgraph *target = roof_graph_accelerator(graph);
    if (!graph->compiled || !target)
        return error_set(err, ROOF_E_USAGE, "%s; %s",
                         target ? "the file has operators and who runs them, but not the hardware"
                                : "the model is not compiled for any hardware",
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

static roof_status choose_hardware(const char *spec, const char *path, const roof_graph *graph, roof_hw **out,
                                   roof_error *err)
{
    if (spec)
        return roof_hw_load(spec, out, err);
    roof_status status = match_hardware(graph, out, err);
    if (status != ROOF_OK && status != ROOF_E_IO) /* of a folder, for which the model is not to blame */
        error_prefix(err, "%s", path);
    return status;
}

static roof_status set_phase(const char *name, roof_text_phase *out, roof_error *err)
{
    *out = !name ? ROOF_TEXT_UNSTATED : strcmp(name, "decode") == 0 ? ROOF_TEXT_DECODE : ROOF_TEXT_PREFILL;
    return *out != ROOF_TEXT_PREFILL || strcmp(name, "prefill") == 0
               ? ROOF_OK
               : error_set(err, ROOF_E_USAGE, "--phase %.40s: want prefill or decode", name);
}

static roof_status read_graph(const char *path, const cli_workload *w, roof_graph **out, roof_error *err)
{
    roof_product product;
    roof_workload workload = {.prompt_tokens = w->prompt_tokens,
                              .context_tokens = w->context_tokens,
                              .weight_type = w->weight_type,
                              .asks_text =
                                  w->phase || w->prompt_tokens || w->context_tokens || w->weight_type};
    TRY(set_phase(w->phase, &workload.phase, err));
    if (w->product) {
        TRY(roof_product_parse(w->product, &product, err));
        workload.product = &product;
    }
    return roof_graph_read_as(path, &workload, out, err);
}

roof_status cli_predict(const char *path, const char *hw, const cli_workload *workload,
                        const roof_predict_options *options, roof_prediction **out, roof_error *err)
{
    static const cli_workload none;
    roof_graph *graph = NULL;
    roof_hw *hardware = NULL;
    roof_status status = read_graph(path, workload ? workload : &none, &graph, err);
    if (status == ROOF_OK)
        status = choose_hardware(hw, graph->path, graph, &hardware, err);
    if (status == ROOF_OK)
        status = roof_predict(graph, hardware, options, out, err);
    roof_hw_free(hardware);
    roof_graph_free(graph);
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
