#include "cli/cli.h"
#include "core/files/mapfile.h"
#include "core/json/jsonout.h"
#include "roofline/advise.h"

typedef struct arguments {
    cli_arguments common;
    const char *budget, *model, *hw, *write_budget;
    double mean_s, p50_s, p95_s, p99_s, worst_s, deadline_s, expected_s; /* 0: no limit */
} arguments;

static const struct argp_option options[] = {
    CLI_OPTION("budget", TEXT, budget, "BUDGET",
               "The limits: a JSON file, roofline.budget/1 (docs/formats.md)"),
    CLI_OPTION(
        "mean", SECONDS, mean_s, "TIME",
        "A limit without a file: the mean of inferences, such as 30ms; of a prediction the expected time"),
    CLI_OPTION("p50", SECONDS, p50_s, "TIME", "The same of the median"),
    CLI_OPTION("p95", SECONDS, p95_s, "TIME", "The same of the 95th percentile, of 20 inferences or more"),
    CLI_OPTION("p99", SECONDS, p99_s, "TIME", "The same of the 99th percentile, of 100 inferences or more"),
    CLI_OPTION("worst", SECONDS, worst_s, "TIME", "The same of the slowest inference"),
    CLI_OPTION("deadline", SECONDS, deadline_s, "TIME",
               "The same; the check says how many inferences were later"),
    CLI_OPTION("expected", SECONDS, expected_s, "TIME", "The same of the expected time of a prediction"),
    CLI_OPTION("write-budget", TEXT, write_budget, "FILE", "Write these limits as a budget file"),
    CLI_OPTION("model", TEXT, model, "MODEL",
               "The model that was measured, or its prediction as JSON [default: what the document names]"),
    CLI_OPTION("hw", TEXT, hw, "HW",
               "The hardware [default: what the document names or a model was compiled for]"),
    {0, 0, 0, 0, "Contents:", 0},
    CLI_OPTION("details", FLAG, common.output.render.details, 0, "Also list passed checks"),
    {0},
};

static const char doc[] =
    "Checks measured documents, a prediction as JSON, or a model against a budget. Limits are of times "
    "(mean, p50, p95, p99, worst, deadline), tokens, steps, jitter, energy, power, bytes and memory pools. "
    "Others are of efficiency by layer type, of edits that keep the outputs, and of one model of "
    "several. A baseline is one that samples have to show it is no slower than, or faster by a factor below "
    "1. Exits with 0 when all limits are kept, else with 1 and a table of what fails or is unknown.\vA "
    "limit that cannot be checked fails, unless the budget names it as optional. Where samples are too few, "
    "the check says how many are needed, 30 of each side at least. Option -o FILE.xml writes JUnit XML; "
    "--format benchmark is for github-action-benchmark.\n"
    "\n"
    "Examples:\n"
    "  roofline check measured.json --mean 30ms --p99 33ms\n"
    "  roofline check measured.json --mean 30ms --write-budget budget.json\n"
    "  roofline check measured.json --budget budget.json\n"
    "  roofline check measured.json --budget budget.json -o checks.xml\n"
    "  roofline check measured.json --budget budget.json --format benchmark\n"
    "  roofline check resnet50.onnx --hw kv260 --budget budget.json";

/* Parts of a check, in the order in which they are read. */
typedef struct checking {
    roof_budget *budget;
    cli_subject subject, baseline;
    roof_comparison *comparison;
    roof_checks *checks;
    /* The model whose memory and edits are checked; NULL: no limit is of them, or no file is a model. */
    roof_graph *graph;
    roof_memory *memory;
    roof_advice *advice;
} checking;

/* A file that says nothing of memory leaves its limits unknown, as a compiled one does of its edits. One
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
    THEN(status, has_advice ? roof_hw_load(a->hw, &hw, err) : ROOF_OK);
    THEN(status, has_advice ? roof_advice_find(c->graph, hw, NULL, &c->advice, err) : ROOF_OK);
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

enum { MOST_LIMITS = 7 };

/* The limits of the command line. */
static uint32_t list_limits(const arguments *a, roof_limit limits[MOST_LIMITS])
{
    const roof_limit all[MOST_LIMITS] = {{"mean_s", a->mean_s},        {"p50_s", a->p50_s},
                                         {"p95_s", a->p95_s},          {"p99_s", a->p99_s},
                                         {"worst_s", a->worst_s},      {"deadline_s", a->deadline_s},
                                         {"expected_s", a->expected_s}};
    uint32_t n = 0;
    for (uint32_t i = 0; i < MOST_LIMITS; i++)
        if (all[i].value > 0)
            limits[n++] = all[i];
    return n;
}

static roof_status write_budget(const roof_budget *budget, const char *path, roof_error *err)
{
    textbuf text;
    jsonout json;
    text_init(&text, TEXT_MAX_BYTES);
    jsonout_document(&json, &text, ROOF_BUDGET_SCHEMA);
    jsonout_object(&json, "total", false);
    for (uint32_t i = 0; i < budget->n_totals; i++)
        jsonout_number(&json, budget->totals[i].name, budget->totals[i].value);
    jsonout_end(&json);
    jsonout_end(&json);
    return cli_save_text(&text, path, err);
}

/* One file, or files of the same bytes. */
static bool are_same(const char *a, const char *b)
{
    mapfile x = {0}, y = {0};
    const bool are = cli_is_same_file(a, b) ||
                     (mapfile_open(a, &x, NULL) == ROOF_OK && mapfile_open(b, &y, NULL) == ROOF_OK &&
                      x.size_bytes == y.size_bytes && memcmp(x.bytes, y.bytes, (size_t)x.size_bytes) == 0);
    mapfile_close(&x);
    mapfile_close(&y);
    return are;
}

static roof_status read_all(const arguments *a, checking *c, roof_error *err)
{
    const cli_profile_options about = {.model = a->model, .hw = a->hw},
                              before = {.hw = a->hw, .times_alone = true};
    roof_limit limits[MOST_LIMITS];
    TRY(a->budget ? roof_budget_read(a->budget, &c->budget, err)
                  : roof_budget_of_totals(limits, list_limits(a, limits), &c->budget, err));
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
            if (are_same(a->common.files[i], c->budget->baseline.path))
                return error_set(
                    err, ROOF_E_USAGE,
                    "%s: the baseline '%.200s' is what is checked, '%.200s'; name an earlier one", a->budget,
                    c->budget->baseline.file, a->common.files[i]);
        TRY(cli_subject_read(&path, 1, &before, &c->baseline, err));
        /* A baseline without any run of what is checked leaves its limits unknown. */
        roof_compare_side baseline = cli_subject_side(&c->baseline);
        baseline.hardware = subject.hardware;
        roof_status status = roof_compare(&baseline, &subject, &c->comparison, err);
        TRY(status == ROOF_E_DATA ? ROOF_OK : status);
    }
    return roof_budget_check(c->budget, &subject, c->comparison, &c->checks, err);
}

/* What shows where the time or the memory of a failed check is; nothing where all are kept. */
static void next_of_checks(arguments *a, const checking *c)
{
    char words[CLI_COMMAND_SIZE] = "";
    bool has_room = roof_checks_failed(c->checks);
    const bool is_model = roof_graph_is_model(a->common.files[0]);
    for (size_t i = 0; i < a->common.n_files; i++)
        has_room = has_room && cli_repeat_word(words, NULL, a->common.files[i]);
    if (c->subject.measured)
        has_room = has_room && cli_repeat_word(words, "model", a->model);
    if (c->subject.measured || c->subject.prediction)
        has_room = has_room && cli_repeat_word(words, "hw", a->hw);
    cli_output *output = &a->common.output;
    if (!has_room)
        return;
    if (c->subject.measured)
        cli_say_next(output, "reconcile", words, "` shows where the time is.");
    else if (c->subject.prediction && is_model)
        cli_say_next(output, "predict", words, " --details` shows where the time is.");
    else if (c->memory && is_model)
        cli_say_next(output, "inspect", words, " --memory` shows what is live.");
}

int cmd_check(int argc, char **argv)
{
    arguments a = {.common = {.missing = "no input: pass a profile, a prediction or a model",
                              .output.shows = ROOF_DOCUMENT_CHECKS}};
    CLI_PARSE(&a, options, cli_parse_key, "FILE...", doc, cli_output_child);
    roof_limit limits[MOST_LIMITS];
    const uint32_t n = list_limits(&a, limits);
    if (a.budget && (n || a.write_budget))
        return cli_fail_usage("check: give limits as options or as --budget, not both");
    if (!a.budget && !n)
        return cli_fail_usage("check: no limits; give one, such as --mean 30ms, or a file as --budget FILE");
    checking c = {0};
    roof_error err;
    roof_status status = read_all(&a, &c, &err);
    if (status == ROOF_OK)
        next_of_checks(&a, &c);
    THEN(status, cli_write_document(c.checks, &a.common.output, &err));
    THEN(status, a.write_budget ? write_budget(c.budget, a.write_budget, &err) : ROOF_OK);
    const uint32_t failed = status == ROOF_OK ? roof_checks_failed(c.checks) : 0;
    if (failed && a.common.output.path) /* which leaves nothing to see of what broke */
        cli_note("%u of %u checks failed or are unknown", failed, c.checks->n);
    int exit_code = status != ROOF_OK ? cli_fail(&err) : failed ? CLI_CHECK_FAILED : CLI_DONE;
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
