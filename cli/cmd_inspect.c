#include "cli/cli.h"
#include "roofline/annotate.h"

typedef struct arguments {
    cli_arguments common;
    bool memory;
    const char *chart, *shapes, *bare;
    cli_list pools;
} arguments;

static const struct argp_option options[] = {
    {"details", 'd', 0, 0,
     "All subgraphs, operators and tensors too; in CSV one row per operator, of a plan one per epoch and "
     "pool",
     0},
    CLI_SHAPE_OPTION(shapes),
    CLI_OPTION("without-weights", TEXT, bare, "FILE",
               "Also write a copy of an ONNX file without its weights, which is predicted as the file is: to "
               "send, to keep in a repository"),
    {0, 0, 0, 0, "Memory:", 1},
    {"memory", CLI_KEY(FLAG, memory), 0, 0,
     "Whether it fits, which row sets the peak of each memory pool, what is alive there, and what must "
     "shrink. CSV has one line per row and pool",
     1},
    {"chart", CLI_KEY(TEXT, chart), "FILE", 0,
     "With --memory: live bytes over rows as a picture as well; FILE ends in .svg, .png or .pdf", 1},
    {"pool", CLI_KEY(LIST, pools), "NAME=SIZE", 0,
     "With --memory: a pool's size in place of the file's, such as npuRAM5=448KiB or activations=2MiB; may "
     "be repeated",
     1},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    return cli_parse_key(key == 'd' ? CLI_KEY(FLAG, common.output.render.details) : key, arg, state);
}

static const char doc[] =
    "Shows the content of a model file: target, fingerprint, compiler, tree of subgraphs, layers in order of "
    "execution, sizes of weights and instructions. A Neural-ART's plan also has memory pools and epochs. "
    "JSON has all of it, operators and tensors included.\vExamples:\n"
    "  roofline inspect model.xmodel\n"
    "  roofline inspect model.xmodel --details | head -n 30\n"
    "  roofline inspect st_ai_ws/neural_art__network\n"
    "  roofline inspect st_ai_ws/neural_art__network --memory --pool npuRAM5=256KiB\n"
    "  roofline inspect model.xmodel -o model.json";

/* The memory of the graph, with sizes as they were requested. */
static roof_status read_memory(const arguments *a, const roof_graph *graph, roof_memory **out,
                               roof_error *err)
{
    roof_memory_size sizes[CLI_MOST_ITEMS];
    roof_memory_options requested = {.sizes = sizes, .n_sizes = a->pools.n};
    roof_arena *names = arena_new(0);
    roof_status status = names ? ROOF_OK : error_memory(err);
    for (uint32_t i = 0; i < a->pools.n && status == ROOF_OK; i++) {
        char *name = arena_strdup(names, a->pools.items[i]);
        status = name ? roof_memory_size_parse(a->pools.items[i], name, &sizes[i], err) : error_memory(err);
    }
    THEN(status, roof_memory_of(graph, &requested, out, err));
    arena_free(names);
    return status;
}

/* Without gnuplot the chart's script and data are there, and so is the rest. */
static roof_status write_all(const roof_graph *graph, const arguments *a, roof_error *err)
{
    outputs set;
    TRY(outputs_begin(&set, err));
    const roof_status drawn =
        a->chart ? roof_draw_memory(a->common.output.render.memory, a->chart, &cli_watch, err) : ROOF_OK;
    roof_status stripped =
        a->bare && (drawn == ROOF_OK || drawn == ROOF_E_DEVICE) ? roof_strip(graph, a->bare, err) : ROOF_OK;
    return cli_write_drawn(&set, stripped == ROOF_OK ? drawn : stripped, graph, &a->common.output, err);
}

int cmd_inspect(int argc, char **argv)
{
    arguments a = {.common = {.what = "model",
                              .missing = "no model given: name a file",
                              .output.shows = ROOF_DOCUMENT_GRAPH}};
    roof_graph *graph = NULL;
    roof_memory *memory = NULL;
    roof_error err;
    roof_status status;

    CLI_PARSE(&a, options, parse, "MODEL", doc, cli_output_child);
    if ((a.pools.n || a.chart) && !a.memory)
        return cli_fail_usage("%s belongs to --memory, which is not there", a.chart ? "--chart" : "--pool");
    if (a.chart && !roof_draw_is_picture(a.chart))
        return cli_fail_usage("--chart %.200s: want a name that ends in .svg, .png or .pdf", a.chart);
    const roof_workload workload = {.asks_memory = a.memory, .shapes = a.shapes};
    status = cli_wrong_file(*a.common.files, true,
                            roof_graph_read_as(*a.common.files, &workload, &graph, &err), &err);
    THEN(status, a.memory ? read_memory(&a, graph, &memory, &err) : ROOF_OK);
    a.common.output.render.memory = memory;
    THEN(status, write_all(graph, &a, &err));
    roof_memory_free(memory);
    roof_graph_free(graph);
    return status == ROOF_OK ? CLI_DONE : cli_fail(&err);
}
