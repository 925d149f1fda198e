#include "cli/cli.h"

#include <stdlib.h>

typedef struct arguments {
    cli_arguments common;
    bool details;
} arguments;

static const struct argp_option options[] = {
    {"details", 'd', 0, 0,
     "All subgraphs, operators and tensors too; in CSV one row per operator, of a plan one per epoch and "
     "pool",
     0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    return cli_parse_key(key == 'd' ? CLI_KEY(FLAG, details) : key, arg, state);
}

static const char doc[] =
    "Shows what a model file holds: target, fingerprint and what it stands for, compiler, tree of "
    "subgraphs, layers in order of execution, sizes of weights and instructions; of a Neural-ART's plan"
    " its memory pools and epochs. JSON has all of it, operators and tensors included.\v"
    "Examples:\n"
    "  roofline inspect model.xmodel\n"
    "  roofline inspect model.xmodel --details | head -n 30\n"
    "  roofline inspect st_ai_ws/neural_art__network\n"
    "  roofline inspect model.xmodel -o model.json";

int cmd_inspect(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "MODEL", doc, cli_output_child, 0, 0};
    arguments a = {.common = {.what = "model",
                              .missing = "which model? Give the name of a file",
                              .output.shows = ROOF_DOCUMENT_GRAPH}};
    roof_render_options render = {0};
    roof_graph *graph = NULL;
    char *text = NULL;
    size_t length = 0;
    roof_error err;
    roof_status status;

    cli_parse(&argp, argc, argv, &a);
    cli_render_options(&a.common.output, &render);
    render.details = a.details;
    status = cli_wrong_file(*a.common.files, true, roof_graph_read(*a.common.files, &graph, &err), &err);
    if (status == ROOF_OK)
        status = roof_render_graph(graph, &render, &text, &length, &err);
    if (status == ROOF_OK)
        status = cli_write(text, length, a.common.output.path, &err);
    free(text);
    roof_graph_free(graph);
    return status == ROOF_OK ? CLI_DONE : cli_fail(&err);
}
