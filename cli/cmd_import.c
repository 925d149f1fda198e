#include "cli/cli.h"
#include "core/error.h"
#include "core/input.h"
#include "roofline/import.h"

#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    cli_arguments common;
    roof_import_options import;
} arguments;

static const struct argp_option options[] = {
    {"from", CLI_KEY(TEXT, import.from), "TOOL", 0,
     "The tool that wrote the files; without it, it is found by their content. `roofline formats` lists what "
     "is known",
     0},
    {"map", CLI_KEY(TEXT, import.map), "MAP", 0,
     "For tables of other tools: which column holds what, such as name=Layer,time=Mean:ms; without it, the "
     "columns of the file are shown. For record_timer_ts.json: the dpu_timestamp_info.json that names its "
     "ids",
     0},
    {"mode", CLI_KEY(TEXT, import.mode), "MODE", 0,
     "bypass (whole subgraphs) or per_layer, where the file does not tell; without it, guessed", 0},
    {0, 0, 0, 0, "What was measured:", 0},
    {"model", CLI_KEY(TEXT, import.model), "MODEL", 0,
     "The model file, whose path is written into the document", 0},
    {"hw", CLI_KEY(TEXT, import.hardware), "HW", 0, "The hardware, as for `roofline predict`", 0},
    CLI_OUTPUT_FILE,
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    bool known = key != CLI_KEY(TEXT, import.mode);
    for (int mode = 0; mode < ROOF_RUN_MODES && !known; mode++)
        known = strcmp(roof_run_mode_text((roof_run_mode)mode), arg) == 0;
    if (!known)
        argp_error(state, "--mode: no mode '%.40s', want bypass or per_layer", arg);
    return cli_parse_key(key, arg, state);
}

static const char doc[] =
    "Reads what other tools measured and writes it as one document, roofline.measured/1: VART's raw traces, "
    "what vaitrace, xdputil, stedgeai validate and npu_profiler.py write, profiles, timestamps and traces of "
    "AI Engine "
    "arrays, and tables of any tool. Several "
    "files become one document. What was found, and what has to be known of it, goes to standard error.\v"
    "Examples:\n"
    "  roofline import vart_trace.csv --mode per_layer -o measured.json\n"
    "  roofline import vaitrace_4711 --model model.xmodel -o measured.json\n"
    "  roofline import npu_profiler.log --model c_info.json -o measured.json\n"
    "  roofline import profile.log --hw npu2 -o measured.json\n"
    "  roofline import layers.csv --map name=Layer,time=Mean:ms,count=Runs";

/* --- reading ------------------------------------------------------------------------------------------ */

static roof_status add_file(const arguments *a, const char *path, roof_measured **all, roof_error *err)
{
    roof_measured *one = NULL;
    TRY(roof_import_file(path, &a->import, &one, err));
    roof_status status = cli_measured_describe(one, err);
    if (status == ROOF_OK)
        return cli_merge(all, one, err);
    roof_measured_free(one);
    return status;
}

static roof_status read_files(const arguments *a, roof_measured **all, roof_error *err)
{
    for (size_t i = 0; i < a->common.n_files; i++)
        TRY(add_file(a, a->common.files[i], all, err));
    if (*all && (*all)->n_experiments)
        return ROOF_OK;
    return error_set(err, ROOF_E_DATA, "no time of a network in %s; nothing is written",
                     a->common.n_files == 1 ? "this file" : "these files");
}

static int import(arguments *a)
{
    roof_error err;
    roof_measured *all = NULL;
    char *model = a->import.model ? cli_measured_path_for(a->import.model, a->common.output.path) : NULL;
    bool good = !a->import.model || model;
    a->import.model = model;
    roof_status status = good ? cli_check_hardware(a->import.hardware, &err) : error_memory(&err);
    if (status == ROOF_OK)
        status = read_files(a, &all, &err);
    if (status == ROOF_OK)
        status = cli_measured_write(all, a->common.output.path, &err);
    roof_measured_free(all);
    free(model);
    return status == ROOF_OK ? CLI_DONE : cli_fail(&err);
}

int cmd_import(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "FILE...", doc, NULL, 0, 0};
    arguments a = {.common = {.missing = "which files? Give what a profiler wrote"}};
    cli_parse(&argp, argc, argv, &a);
    inputs_note_path(a.import.model); /* it is named, and not read */
    return import(&a);
}
