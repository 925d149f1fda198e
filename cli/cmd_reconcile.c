#include "cli/cli.h"
#include "roofline/calibrate.h"
#include "roofline/reconcile.h"

typedef struct arguments {
    cli_arguments common;
    cli_profile_options about;
    const char *calibration; /* to write */
    bool strict;
} arguments;

static const struct argp_option options[] = {
    CLI_OPTION("model", TEXT, about.model, "MODEL",
               "The model that was measured, or its prediction as JSON [default: what the document names]"),
    CLI_OPTION("hw", TEXT, about.hw, "HW",
               "The hardware it was measured on: an id or alias (`roofline hw list`), a JSON file, or a "
               "description [default: what the document names]"),
    CLI_OPTION("dtype", TEXT, about.data_type, "TYPE",
               "The data type that it computed in, such as f16, where the hardware states several and "
               "neither model nor profile says"),
    CLI_OPTION("map", TEXT, about.map, "FILE",
               "Lines of `row,layer`: which row of the profile is which layer of the model, if the names do "
               "not match"),
    CLI_OPTION("calibration", TEXT, about.calibration, "FILE",
               "A calibration of this board, by --calibration-out. Its profiling overhead of a boundary is "
               "subtracted where these profiles have no line of their own"),
    CLI_OPTION("boundary-cost", SECONDS, about.boundary_cost_s, "TIME",
               "What timing one layer is known to cost with this profiler, such as 0.17ms; it is subtracted "
               "from each row and shown"),
    CLI_OPTION("calibration-out", TEXT, calibration, "FILE",
               "Fit efficiencies, bandwidth and constant costs to the profiles, and write them for `roofline "
               "predict --calibration`"),
    {0, 0, 0, 0, "Contents:", 0},
    CLI_OPTION("findings", FLAG, common.output.render.all_findings, 0,
               "List every finding with what to do about it"),
    CLI_OPTION(
        "details", FLAG, common.output.render.details, 0,
        "All layers, not only the largest; the times of every run, where the time goes, and statistics"),
    CLI_OPTION("deadline", SECONDS, common.output.render.deadline_s, "TIME",
               "Say how many inferences meet this deadline, such as 33ms"),
    CLI_TABLE_OPTIONS,
    CLI_OPTION("like", TEXT, common.output.render.like, "TOOL",
               "Print the profile in the layout of another tool, with additions: npu_profiler, for epochs of "
               "a Neural-ART"),
    CLI_OPTION("strict", FLAG, strict, 0, "Exit with 1 when there is any finding"),
    {0},
};

static const char doc[] =
    "Compares measured profiles with the prediction, and lists what costs time: which layers, the host,"
    " the profiler, and how much a fix would gain. It fits what timing every layer cost, subtracts it, and "
    "splits the time of an inference into ideal, overhead, host, gap and unexplained time. "
    "Several documents are merged: whole-network and per-layer runs of one model are paired.\v"
    "A document is roofline.measured/1 (docs/formats.md). `roofline import` makes one from the files of"
    " other tools, `roofline measure` by running the model. docs/causes.md explains the causes.\n"
    "\n"
    "Examples:\n"
    "  roofline reconcile measured.json\n"
    "  roofline reconcile measured.json --findings --details\n"
    "  roofline reconcile measured.json --sort gap --top 10 --deadline 33ms\n"
    "  roofline reconcile measured.json --calibration-out board.json\n"
    "  roofline reconcile new.json --calibration board.json\n"
    "  roofline reconcile bypass.json layers.json --model model.xmodel --hw kv260\n"
    "  roofline reconcile trt.json --model model.onnx --dtype f16\n"
    "  roofline reconcile epochs.json --model st_ai_ws/neural_art__network\n"
    "  roofline reconcile epochs.json --like npu_profiler\n"
    "  roofline reconcile measured.json --format markdown -o review.md\n"
    "  roofline reconcile measured.json -o layers.trace   # for ui.perfetto.dev";

/* --- the command -------------------------------------------------------------------------------------- */

/* The calibration comes first: it can still be taken back when the page cannot be written. */
static roof_status write_all(const roof_reconciliation *r, arguments *a, roof_error *err)
{
    outputs set;
    roof_calibration *c = NULL;
    roof_status status = a->calibration ? roof_calibrate(r, &c, err) : ROOF_OK;
    THEN(status, outputs_begin(&set, err));
    if (status == ROOF_OK) {
        outputs_file *file;
        status = c ? outputs_open(&set, a->calibration, &file, err) : ROOF_OK;
        if (c && status == ROOF_OK)
            status =
                outputs_close(file, roof_calibration_write(c, (roof_sink){outputs_write, file}, err), err);
        a->common.output.render.calibration = c;
        THEN(status, cli_write_document(r, &a->common.output, err));
        status = outputs_end(&set, status, err);
    }
    roof_calibration_free(c);
    return status;
}

int cmd_reconcile(int argc, char **argv)
{
    arguments a = {
        .common = {.missing = "which profiles? Give documents that `roofline import` or a benchmark wrote",
                   .output.shows = ROOF_DOCUMENT_RECONCILIATION},
        .about = {.explores = ROOF_EXPLORE_CAUSES}};
    CLI_PARSE(&a, options, cli_parse_key, "MEASURED...", doc, cli_output_child);
    if (a.calibration && strcmp(a.calibration, "-") == 0)
        return cli_fail_usage("--calibration-out wants a file: standard output has the reconciliation");
    cli_profiles in = {0};
    roof_reconciliation *r = NULL;
    roof_error err;
    roof_status status = cli_profiles_read(a.common.files, a.common.n_files, &a.about, &in, &err);
    THEN(status, cli_profiles_reconcile(&in, &r, &err));
    const char *path = a.common.output.path;
    if (status == ROOF_OK && (a.calibration || (path && strcmp(path, "-") != 0)))
        status = cli_want_comparison(r, &err);
    THEN(status, write_all(r, &a, &err));
    int exit_code = status == ROOF_OK ? cli_done_comparing(r, a.strict, r->n_findings) : cli_fail(&err);
    roof_reconciliation_free(r);
    cli_profiles_free(&in);
    return exit_code;
}
