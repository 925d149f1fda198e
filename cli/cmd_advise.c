#include "cli/cli.h"
#include "roofline/advise.h"

enum { MOST_RULES = 64 };

typedef struct arguments {
    cli_arguments common;
    const char *hw, *metric, *prune, *shapes, *edited; /* a copy of the file; NULL: none */
    cli_list rules;
    uint32_t most_tried;
    roof_predict_options predict;
} arguments;

static const struct argp_option known_options[] = {
    CLI_OPTION("hw", TEXT, hw, "HW",
               "The hardware: an id or alias (`roofline hw list`), a JSON file, or a description"),
    CLI_OPTION("metric", TEXT, metric, "QUANTITY",
               "Quantity to reduce: time, memory (peak activations) or energy [default: time]"),
    CLI_OPTION("rule", LIST, rules, "RULE",
               "Only edits of this rule, which `roofline formats` lists; may be there several times"),
    CLI_OPTION("tries", COUNT, most_tried, "N", "Maximum number of edits to predict [default: 48]"),
    {"prune", CLI_KEY(TEXT, prune), "RATIO", OPTION_HIDDEN, 0, 0},
    CLI_SHAPE_OPTION(shapes),
    {0, 0, 0, 0, "What if:", 0},
    CLI_OPTION("clock", HERTZ, predict.clock_hz, "HZ", "Clock of the accelerator, such as 300MHz"),
    CLI_OPTION("bandwidth", BYTES_PER_S, predict.bandwidth_bytes_per_s, "BYTES_PER_S",
               "Peak of the external memory, such as 19.2GB/s"),
    CLI_OPTION("cores", COUNT, predict.cores, "N",
               "Number of cores that run at the same time [default: all]"),
    {0, 0, 0, 0, "Contents:", 0},
    CLI_OPTION("top", MOST, common.output.render.most_rows, "N", "Show at most N edits of a table; 0: all"),
    CLI_SORT_OPTION,
    {0},
};

static const char doc[] =
    "Says which edits of a network save most on some hardware: other channels, kernels, activations, inputs, "
    "operators left out. Each edit is made in the graph, and the edited graph is lowered and predicted "
    "again; nothing is scaled. Nothing is run.\vMODEL is an uncompiled network, such as an ONNX or "
    "TFLite file. Edits that save less than 10 % of the time did not show in measurements: they are listed "
    "behind, and not ranked. The combination takes the best edit, and each next one where the whole then "
    "gains more. Edits of the whole network (resolution, width) are not in it. Accuracy is not predicted. "
    "docs/edits.md lists the rules, and how far to trust them.\n"
    "\n"
    "-o FILE.onnx writes a copy of an ONNX file in which edits are made that keep its outputs, beside the "
    "table.\n"
    "\n"
    "Examples:\n"
    "  roofline advise net.onnx --hw kv260\n"
    "  roofline advise net.onnx --hw kv260 --rule activation --rule squeeze\n"
    "  roofline advise net.onnx --hw kv260 --metric memory\n"
    "  roofline advise net.onnx --hw kv260 -o edits.json\n"
    "  roofline advise net.onnx --hw kv260 -o edited.onnx";

static roof_status find(const arguments *a, roof_advice **out, roof_error *err)
{
    roof_advice_options options = {
        .most_tried = a->most_tried, .rules = a->rules.n ? a->rules.items : NULL, .predict = &a->predict};
    roof_graph *graph = NULL;
    roof_hw *hw = NULL;
    int metric = ROOF_ADVICE_TIME;
    for (const char *word; a->metric && (word = roof_advice_metric_word((roof_advice_metric)metric)) &&
                           strcmp(a->metric, word) != 0;)
        metric++;
    options.metric = (roof_advice_metric)metric;
    if (!roof_advice_metric_word(options.metric))
        return error_set(err, ROOF_E_USAGE, "--metric %.40s: want time, memory or energy", a->metric);
    TRY(roof_hw_load(a->hw, &hw, err));
    roof_status status = cli_read_shaped(a->common.files[0], a->shapes, &graph, err);
    THEN(status, roof_advice_find(graph, hw, &options, out, err));
    roof_graph_free(graph);
    roof_hw_free(hw);
    return status;
}

/* A copy with the edits that keep the outputs, where there are any and a file can have them; else the layers
 * that edits are of. */
static void next_of_advice(arguments *a, const roof_advice *advice)
{
    char words[CLI_COMMAND_SIZE];
    uint32_t n_same = 0;
    for (uint32_t i = 0; i < advice->n_edits; i++)
        n_same += advice->edits[i].keeps_function;
    const bool can_write =
        n_same && cli_ends_in(a->common.files[0], ".onnx") && !a->edited && !a->common.output.path;
    if (can_write && cli_repeat(&a->common, NULL, words))
        cli_say_next(&a->common.output, "advise", words,
                     " -o edited.onnx` writes the edits that keep the outputs.");
    else
        cli_say_next(&a->common.output, "predict",
                     cli_repeat(&a->common, " hw clock bandwidth cores shape ", words),
                     " --details` shows all layers.");
}

int cmd_advise(int argc, char **argv)
{
    arguments a = {.common = {.what = "model",
                              .missing = "which network? Give an ONNX or TFLite file",
                              .output.shows = ROOF_DOCUMENT_ADVICE}};
    CLI_PARSE(&a, known_options, cli_parse_key, "MODEL", doc, cli_output_child);
    if (a.prune)
        return cli_fail_usage(
            "--prune %.40s: a ratio does not say which channels go, and then no time can be predicted: of "
            "pruned networks with the same operations 0.19 to 1.25 of the saving was realised that these "
            "promise. Give the pruned network to `roofline predict`, or see the rules channels and width, "
            "which name them",
            a.prune);
    if (!a.hw)
        return cli_fail_usage("on which hardware? Add --hw, such as --hw kv260");
    if (cli_ends_in(a.common.output.path, ".onnx")) { /* beside the table */
        a.edited = a.common.output.path;
        a.common.output.path = NULL;
        cli_render_options(&a.common.output);
    }
    roof_advice *advice = NULL;
    roof_error err;
    roof_status status = find(&a, &advice, &err);
    THEN(status, cli_note_broken_hardware(&err));
    roof_edited edited = {0};
    THEN(status, a.edited ? roof_advice_write_edited(advice, a.edited, &edited, &err) : ROOF_OK);
    if (status == ROOF_OK &&
        a.edited) /* the edits stand in the text: which of them the copy has is told here */
        cli_note("%s: %u change%s that keep%s the outputs; %u that the file does not allow%s%s", a.edited,
                 edited.n_made, edited.n_made == 1 ? "" : "s", edited.n_made == 1 ? "s" : "",
                 edited.n_not_made, edited.why_not ? ": " : "", edited.why_not ? edited.why_not : "");
    if (status == ROOF_OK)
        next_of_advice(&a, advice);
    THEN(status, cli_write_document(advice, &a.common.output, &err));
    roof_advice_free(advice);
    return status == ROOF_OK ? CLI_DONE : cli_fail(&err);
}
