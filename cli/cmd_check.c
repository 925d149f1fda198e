#include "cli/cli.h"
#include "core/error.h"
#include "core/files/input.h"
#include "roofline/advise.h"

#include <math.h>

typedef struct arguments {
    cli_arguments common;
    const char *budget, *model, *hw;
    bool details;
} arguments;

static const struct argp_option options[] = {
    {"budget", CLI_KEY(TEXT, budget), "BUDGET", 0,
     "The limits: a JSON file, roofline.budget/1 (docs/formats.md)", 0},
    {"model", CLI_KEY(TEXT, model), "MODEL", 0,
     "The model that was measured, or its prediction as JSON; without it, what the document names", 0},
    {"hw", CLI_KEY(TEXT, hw), "HW", 0,
     "The hardware; without it, what the document names or a model was compiled for", 0},
    {0, 0, 0, 0, "Contents:", 0},
    {"details", CLI_KEY(FLAG, details), 0, 0, "All checks, also those that are kept", 0},
    {0},
};

static const char doc[] =
    "Checks measured documents, a prediction as JSON, or a model against a budget: times of an "
    "inference (mean, p50, p95, p99, worst, a deadline), of a token and of steps, jitter, energy and power, "
    "efficiency by kind of layer, bytes, what memory pools reserve, what edits would gain that keep the "
    "function, limits of one model of several, and a "
    "baseline that samples have to "
    "show it is no slower than, or faster by a factor below 1. Exits with 0 when all limits are kept, "
    "else with 1 and a table of what is broken or not known.\v"
    "A limit that cannot be checked fails, unless the budget names it as optional; where samples are "
    "too few, the check says how many are needed, 30 of each side at least. -o FILE.xml writes "
    "JUnit XML; --format benchmark is for github-action-benchmark.\n"
    "\n"
    "Examples:\n"
    "  roofline check measured.json --budget budget.json\n"
    "  roofline check measured.json --budget budget.json -o checks.xml\n"
    "  roofline check measured.json --budget budget.json --format benchmark\n"
    "  roofline check resnet50.onnx --hw kv260 --budget budget.json";

/* Of what a check is made, in the order in which it is read. */
typedef struct checking {
    roof_budget *budget;
    cli_subject subject, baseline;
    roof_comparison *comparison;
    roof_checks *checks;
    /* Whose memory and edits are checked; NULL: no limit is of them, or no file is a model. */
    roof_graph *graph;
    roof_memory *memory;
    roof_advice *advice;
} checking;

/* A baseline without any run of what is checked leaves its limits not known. */
static roof_status compare(checking *c, const roof_compare_side *subject, roof_error *err)
{
    roof_compare_side baseline = cli_subject_side(&c->baseline);
    baseline.hardware = subject->hardware;
    roof_status status = roof_compare(&baseline, subject, &c->comparison, err);
    return status == ROOF_E_DATA ? ROOF_OK : status;
}

/* A file that says nothing of memory leaves its limits not known, as a compiled one does of its edits. One
 * that says nothing but memory may do. */
static roof_status read_model(const arguments *a, checking *c, roof_error *err)
{
    const bool has_memory = c->budget->n_memory,
               has_advice = !isnan(c->budget->advice_max_gain_percent) && a->hw;
    const roof_workload workload = {.asks_memory = has_memory};
    const char *path = a->model ? a->model : a->common.files[0];
    roof_hw *hw = NULL;
    if (!has_memory && !has_advice)
        return ROOF_OK;
    roof_status status = roof_graph_read_as(path, &workload, &c->graph, err);
    if (status != ROOF_OK && status != ROOF_E_NO_MEMORY && !roof_graph_is_model(path))
        return ROOF_OK; /* a measured document, say */
    TRY(cli_wrong_file(path, true, status, err));
    if (has_memory)
        status = roof_memory_of(c->graph, NULL, &c->memory, err);
    if (status == ROOF_E_UNSUPPORTED)
        status = ROOF_OK;
    if (status == ROOF_OK && has_advice)
        status = roof_hw_load(a->hw, &hw, err);
    if (status == ROOF_OK && has_advice)
        status = roof_advice_find(c->graph, hw, NULL, &c->advice, err);
    roof_hw_free(hw);
    return status == ROOF_E_UNSUPPORTED ? ROOF_OK : status;
}

/* Limits of memory alone need no prediction, and so no hardware. */
static bool is_of_memory_alone(const arguments *a, const checking *c)
{
    const roof_budget *b = c->budget;
    return b->n_memory && !b->n_totals && !b->n_steps && !b->n_types && !b->n_models && !b->baseline.file &&
           isnan(b->advice_max_gain_percent) && a->common.n_files == 1 && !a->model && c->graph;
}

static roof_status read_all(const arguments *a, checking *c, roof_error *err)
{
    const cli_profile_options about = {.model = a->model, .hw = a->hw},
                              before = {.hw = a->hw, .times_alone = true};
    TRY(roof_budget_read(a->budget, &c->budget, err));
    TRY(read_model(a, c, err));
    if (!is_of_memory_alone(a, c))
        TRY(cli_subject_read(a->common.files, a->common.n_files, &about, &c->subject, err));
    roof_compare_side subject = cli_subject_side(&c->subject);
    subject.name = a->common.files[0];
    subject.hardware = a->hw;
    subject.memory = c->memory;
    subject.advice = c->advice;
    const char *path = c->budget->baseline.path;
    if (path) {
        /* a file against itself keeps every limit */
        for (size_t i = 0; i < a->common.n_files; i++)
            if (input_is_same(a->common.files[i], c->budget->baseline.path))
                return error_set(
                    err, ROOF_E_USAGE,
                    "%s: the baseline '%.200s' is what is checked, '%.200s'; name an earlier one", a->budget,
                    c->budget->baseline.file, a->common.files[i]);
        TRY(cli_subject_read(&path, 1, &before, &c->baseline, err));
        TRY(compare(c, &subject, err));
    }
    return roof_budget_check(c->budget, &subject, c->comparison, &c->checks, err);
}

/* A file instead of standard output leaves nothing to see of what broke. */
static int report(const arguments *a, const roof_checks *checks)
{
    uint32_t failed = roof_checks_failed(checks);
    if (failed && a->common.output.path)
        cli_note("%u of %u checks are broken or not known", failed, checks->n);
    return failed ? CLI_CHECK_FAILED : CLI_DONE;
}

static int check(const arguments *a)
{
    checking c = {0};
    roof_error err;
    roof_status status = read_all(a, &c, &err);
    if (status == ROOF_OK)
        status = cli_subject_write(NULL, c.checks, &a->common.output, a->details, &err);
    int exit_code = status == ROOF_OK ? report(a, c.checks) : cli_fail(&err);
    roof_checks_free(c.checks);
    roof_comparison_free(c.comparison);
    cli_subject_free(&c.baseline);
    cli_subject_free(&c.subject);
    roof_memory_free(c.memory);
    roof_advice_free(c.advice);
    roof_graph_free(c.graph);
    roof_budget_free(c.budget);
    return exit_code;
}

int cmd_check(int argc, char **argv)
{
    static const struct argp argp = {options, cli_parse_key, "FILE...", doc, cli_output_child, 0, 0};
    arguments a = {
        .common = {.missing = "check what? Give measured documents, a prediction as JSON, or a model",
                   .output.shows = ROOF_DOCUMENT_CHECKS}};
    cli_parse(&argp, argc, argv, &a);
    return a.budget ? check(&a) : cli_fail_usage("check: --budget FILE names the limits to check against");
}
