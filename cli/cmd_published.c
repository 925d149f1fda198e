#include "cli/cli.h"
#include "core/platform/platform.h"
#include "roofline/published.h"

typedef struct arguments {
    cli_arguments common;
    const char *hw;
} arguments;

static const struct argp_option known_options[] = {
    CLI_OPTION("hw", TEXT, hw, "HW", "Only times on this device: an id or alias (`roofline hw list`)"),
    CLI_TABLE_OPTIONS,
    {0},
};

static const char doc[] =
    "Lists times of networks on devices that others published, from a table in the program: no network is "
    "asked. NETWORK is a model's file, or a name as people write it.\vOf a file times are listed of networks "
    "with the same input, and the same multiply-accumulates and weights within 3 %; exporters differ, so "
    "that names tell less. Where nobody rebuilt the published network, the name is all that agrees, and the "
    "table says so. `roofline predict` shows those of its board beside its answer.\n"
    "\n"
    "Examples:\n"
    "  roofline published resnet50\n"
    "  roofline published model.onnx --hw rk3588-npu\n"
    "  roofline published --hw hailo-8 --format csv";

/* Any device lowers a network alike where only sums are requested; this one refuses no type. */
static const char lowers_all[] = "raspberry-pi-5";

static roof_status find_published(const arguments *a, roof_published **out, roof_error *err)
{
    roof_published_question q = {.hw = a->hw};
    roof_prediction *prediction = NULL;
    const cli_workload workload = {0};
    const roof_predict_options options = {.explores = ROOF_EXPLORE_NOTHING, .no_steps = true};
    const char *network = a->common.n_files ? a->common.files[0] : NULL;
    if (network && os_may(OS_HERE, network, OS_MAY_BE))
        TRY(cli_predict(network, lowers_all, &workload, &options, NULL, &prediction, err));
    q.prediction = prediction;
    q.name = prediction ? NULL : network;
    roof_status status = roof_published_find(&q, out, err);
    roof_prediction_free(prediction);
    return status;
}

int cmd_published(int argc, char **argv)
{
    arguments a = {.common = {.what = "network", .output.shows = ROOF_DOCUMENT_PUBLISHED}};
    roof_published *published = NULL;
    roof_error err;
    CLI_PARSE(&a, known_options, cli_parse_key, "[NETWORK]", doc, cli_output_child);
    roof_status status = find_published(&a, &published, &err);
    THEN(status, cli_write_document(published, &a.common.output, &err));
    roof_published_free(published);
    return status == ROOF_OK ? CLI_DONE : cli_fail(&err);
}
