#include "cli/cli.h"

typedef struct arguments {
    cli_arguments common;
    const char *hw, *chart, *shapes;
    bool strict;
} arguments;

static const struct argp_option options[] = {
    CLI_OPTION("hw", TEXT, hw, "HW", "Device for both models [default: what they were compiled for]"),
    CLI_SHAPE_OPTION(shapes),
    {0, 0, 0, 0, "Contents:", 0},
    CLI_OPTION("details", FLAG, common.output.render.details, 0,
               "All layers, not only those that differ most"),
    CLI_TABLE_OPTIONS,
    CLI_OPTION("chart", TEXT, chart, "FILE",
               "For models: also draw both networks side by side into FILE (.svg, .png or .pdf), with "
               "Graphviz's dot. Layers that belong together are in line, and differences are marked. --top N "
               "closes blocks until there are at most N boxes"),
    CLI_OPTION(
        "strict", FLAG, strict, 0,
        "Exit with 1 when any difference is shown; before and after compiling, when one has no known reason"),
    {0},
};

static const char doc[] =
    "Compares two profiles or two predictions of one network: the time of an inference and of every layer. "
    "Differences have a 95 % interval, and are told from noise. A and B are measured documents, predictions "
    "as JSON, or models. An uncompiled model is compared with its compiled file layer by layer: "
    "multiply-accumulates, bytes, ideal times, and why they differ. Two uncompiled ones are compared by what "
    "each change of the network brought.\vWith samples typical inference (Mann-Whitney's test), mean and "
    "tail are looked at, else the mean by Welch's test on mean, deviation and count. ~ means that no "
    "difference is shown, and ? that samples are too few to exclude one of 5 %; the text says how many are "
    "needed. All layers are tested together (Holm's method), so two runs of the same thing are seldom called "
    "different. B / A is above 1 where B takes longer. Differing conditions, such as batch or hardware, are "
    "said first.\n"
    "\n"
    "Examples:\n"
    "  roofline compare old.json new.json\n"
    "  roofline compare old.json new.json --details -o comparison.md\n"
    "  roofline compare prediction.json model.xmodel\n"
    "  roofline compare resnet50.xmodel pruned.xmodel --hw kv260\n"
    "  roofline compare mobilenetv2_int.xmodel mobilenetv2.xmodel\n"
    "  roofline compare resnet50.onnx mobilenetv2.onnx --hw kv260\n"
    "  roofline compare mobilenetv2_int.xmodel mobilenetv2.xmodel --chart graph.svg";

/* --- before and after compiling, or an edit ------------------------------------------------------------- */

static roof_status read_if_model(const char *path, const char *shapes, roof_graph **out, roof_error *err)
{
    bool is_document = false;
    *out = NULL;
    if (strcmp(path, "-") == 0)
        return ROOF_OK; /* who reads documents refuses it */
    TRY(roof_is_document(path, &is_document, err));
    return is_document || cli_is_profile(path) ? ROOF_OK : cli_read_shaped(path, shapes, out, err);
}

/* Two models, of which only the second may be compiled while the other is not. */
typedef struct models {
    const roof_graph *graphs[2];
    const char *names[2];
} models;

static roof_status pair(const arguments *of, const models *m, roof_model_diff **out, roof_error *err)
{
    roof_hw *hw = NULL;
    TRY(of->hw ? roof_hw_load(of->hw, &hw, err) : cli_hw_of_model(m->graphs[1], &hw, err));
    const roof_status status = roof_model_diff_find(
        &(roof_model_diff_request){m->graphs[0], m->graphs[1], m->names[0], m->names[1], hw}, out, err);
    roof_hw_free(hw);
    return status;
}

/* The picture of both, and what differs: c between two of one kind, else their layers. Both take their places
 * or none does; without dot its script and the text do, and that is told at the end. */
static roof_status write_both(const arguments *of, const models *m, const roof_model_diff *diff,
                              const roof_comparison *c, roof_error *err)
{
    const uint32_t top = of->common.output.render.most_rows;
    char words[CLI_COMMAND_SIZE];
    cli_output output = of->common.output;
    outputs set;
    if (!output.render.details) /* all layers, which the first answer has not */
        cli_say_next(&output, "compare", cli_repeat(&of->common, NULL, words),
                     " --details` lists all layers.");
    TRY(outputs_begin(&set, err));
    roof_status drawn = of->chart ? roof_draw_model_diff(diff, m->graphs[0], m->graphs[1],
                                                         top == ROOF_NONE ? 0 : top, of->chart, err)
                                  : ROOF_OK;
    return cli_write_drawn_of(&set, drawn, c ? ROOF_DOCUMENT_COMPARISON : ROOF_DOCUMENT_MODEL_DIFF,
                              c ? (const void *)c : diff, &output, err);
}

static int compare_models(const arguments *of, const models *m)
{
    roof_model_diff *diff = NULL;
    roof_error err;
    roof_status status = pair(of, m, &diff, &err);
    THEN(status, cli_note_broken_hardware(&err));
    THEN(status, write_both(of, m, diff, NULL, &err));
    int exit_code = status != ROOF_OK                   ? cli_fail(&err)
                    : of->strict && diff->n_unexplained ? CLI_CHECK_FAILED
                                                        : CLI_DONE;
    roof_model_diff_free(diff);
    return exit_code;
}

/* --- two of one kind ------------------------------------------------------------------------------------ */

/* m: graphs of the files that are models; NULL for the others. */
static int compare(const arguments *of, const models *m)
{
    const roof_graph *const *graphs = m->graphs;
    const cli_profile_options about = {.hw = of->hw, .times_alone = true};
    cli_subject a = {.graph = graphs[0]}, b = {.graph = graphs[1]};
    roof_comparison *c = NULL;
    roof_error err;
    roof_status status = cli_subject_read(&of->common.files[0], 1, &about, &a, &err);
    THEN(status, cli_subject_read(&of->common.files[1], 1, &about, &b, &err));
    roof_compare_side sides[] = {cli_subject_side(&a), cli_subject_side(&b)};
    sides[0].hardware = sides[1].hardware = of->hw;
    THEN(status, roof_compare(&sides[0], &sides[1], &c, &err));
    roof_model_diff *diff = NULL;
    THEN(status, of->chart ? pair(of, m, &diff, &err) : ROOF_OK);
    THEN(status, write_both(of, m, diff, c, &err));
    roof_model_diff_free(diff);
    uint32_t shown = 0;
    for (uint32_t i = 0; c && i < c->n_runs; i++)
        shown += c->runs[i].n_shown + c->runs[i].total.is_shown + roof_compared_rates_differ(&c->runs[i]);
    int exit_code = status != ROOF_OK ? cli_fail(&err) : of->strict && shown ? CLI_CHECK_FAILED : CLI_DONE;
    roof_comparison_free(c);
    cli_subject_free(&a);
    cli_subject_free(&b);
    return exit_code;
}

/* A graph and its compiled file are compared by their layers, in whichever order they come; so are two
 * uncompiled networks, the first as it was and the second as it is. */
int cmd_compare(int argc, char **argv)
{
    static const char missing[] = "pass two profiles, or two predictions, of one network; `roofline predict "
                                  "MODEL --hw A,B` compares boards";
    arguments of = {.common = {.missing = missing, .output.shows = ROOF_DOCUMENT_COMPARISON}};
    CLI_PARSE(&of, options, cli_parse_key, "A B", doc, cli_output_child);
    if (of.chart && !roof_draw_is_picture(of.chart))
        return cli_fail_usage("--chart %.200s: want a name that ends in .svg, .png or .pdf", of.chart);
    if (of.common.n_files != 2)
        return cli_fail_usage("compare: %s", missing);
    const char *const *files = of.common.files;
    roof_graph *a = NULL, *b = NULL;
    roof_error err;
    roof_status status = read_if_model(files[0], of.shapes, &a, &err);
    THEN(status, a ? read_if_model(files[1], of.shapes, &b, &err) : ROOF_OK);
    int exit_code = status == ROOF_OK ? CLI_DONE : cli_fail(&err);
    const bool is_turned = a && b && a->compiled && !b->compiled;
    const models m = {{is_turned ? b : a, is_turned ? a : b}, {files[is_turned], files[!is_turned]}};
    if (status == ROOF_OK && of.chart && !(a && b))
        exit_code = cli_fail_usage("--chart %.200s: two models are drawn, and '%.200s' is a document, which "
                                   "holds no edges; give the model's file",
                                   of.chart, files[a != NULL]);
    else if (status == ROOF_OK && a && b && (!a->compiled || !b->compiled))
        exit_code = compare_models(&of, &m);
    else if (status == ROOF_OK)
        exit_code = compare(&of, &m);
    roof_graph_free(a);
    roof_graph_free(b);
    return exit_code;
}
