#include "cli/cli.h"
#include "core/files/csvin.h"
#include "core/platform/platform.h"
#include "roofline/pareto.h"
#include "roofline/report.h"

typedef struct arguments {
    cli_arguments common;
    const char *format, *shard, *emit, *plan_path;
    const char *chart, *page, *cost;
    uint32_t jobs, shards;
    bool merge, strict;
} arguments;

static const struct argp_option options[] = {
    CLI_OPTION("jobs", COUNT, jobs, "N", "Worker threads [default: CPU cores]"),
    {0, 0, 0, 0, "In parts:", 0},
    CLI_OPTION("shard", TEXT, shard, "I/N", "Compute part I of N alone, such as 1/8, into a file of its own"),
    CLI_OPTION(
        "merge", FLAG, merge, 0,
        "Merge the given parts: all results of one plan, each once. --chart or --page need no -o here"),
    CLI_OPTION("plan", TEXT, plan_path, "PLAN",
               "With --merge: the plan that the parts have to be of, as it and its files are now"),
    CLI_OPTION("emit", TEXT, emit, "ENGINE",
               "Print a script that computes all parts and puts them together: slurm (a job array) or "
               "parallel (GNU parallel, on this machine or over ssh)"),
    CLI_OPTION("shards", COUNT, shards, "N", "With --emit: how many parts [default: 8]"),
    CLI_OPTION("strict", FLAG, strict, 0, "Exit with 1 when a point has no result, or any finding"),
    {0, 0, 0, 0, "What is worth its cost:", 0},
    CLI_OPTION(
        "chart", TEXT, chart, "FILE",
        "Also plot the Pareto front (rate over cost) into FILE.svg, .png or .pdf, with its script and data"),
    CLI_OPTION("page", TEXT, page, "FILE",
               "Also write a page, FILE.html: which configurations are on the front, the chart, the best of "
               "each model, and what has no result"),
    CLI_OPTION("cost", TEXT, cost, "WHAT",
               "The cost of a configuration: compute, bandwidth, threads, batch or clock [default: the first "
               "of these that differs]"),
    {0, 0, 0, 0, "Output:", 0},
    CLI_OPTION("format", TEXT, format, "FORMAT", "csv or jsonl (JSON lines) [default: by the name of FILE]"),
    {0, 'o', "FILE", 0,
     "Write to FILE instead of standard output; until it is complete it is FILE.part, with which the same "
     "command goes on",
     0},
    {"output", CLI_OUTPUT, "FILE", OPTION_HIDDEN, 0, 0},
    {0},
};

static const char doc[] =
    "Predicts every model of a plan on each of its devices, clocks, bandwidths, batches and numbers of "
    "threads. Or reconciles measured documents with calibrations. One line a point, always in the same "
    "order, with the columns that predict has of several models. Points that cannot be predicted stay, with "
    "the reason.\vA plan is a JSON file, roofline.sweep/1 (docs/sweep.md). With -o a sweep that was stopped, "
    "be it by a kill -9, goes on where it was: the points that are whole are kept. The bytes are the same "
    "whatever the number of threads, of parts and of stops.\n"
    "\n"
    "Examples:\n"
    "  roofline sweep plan.json -o points.csv\n"
    "  roofline sweep plan.json --jobs 1 -o points.jsonl\n"
    "  roofline sweep plan.json -o points.csv --chart front.svg --page sweep.html\n"
    "  roofline sweep plan.json --shard 1/2 -o first.csv\n"
    "  roofline sweep plan.json --shard 2/2 -o second.csv\n"
    "  roofline sweep --merge first.csv second.csv --plan plan.json -o points.csv\n"
    "  roofline sweep --merge points.csv --page sweep.html\n"
    "  roofline sweep plan.json --emit slurm --shards 8 -o points.csv\n"
    "  roofline sweep plan.json --emit parallel --shards 4 -o points.csv";

/* --- what is told --------------------------------------------------------------------------------------- */

typedef struct watching {
    int64_t began_ns, shown_ns;
} watching;

static double seconds_since(int64_t then_ns)
{
    return 1e-9 * (double)(os_now_ns() - then_ns);
}

static void show_progress(void *context, const roof_results_progress *now)
{
    static const double often_s = 0.1;
    watching *w = context;
    const uint64_t computed = now->done - now->kept, left = now->of - now->done;
    if (!cli_is_watched() || (left && seconds_since(w->shown_ns) < often_s))
        return;
    w->shown_ns = os_now_ns();
    if (computed)
        cli_progress("%" PRIu64 " of %" PRIu64 " points, %.0f s to go", now->done, now->of,
                     seconds_since(w->began_ns) / (double)computed * (double)left);
    else
        cli_progress("%" PRIu64 " of %" PRIu64 " points", now->done, now->of);
}

/* Notes at the end: points kept, results failed, and how to go on. */
static void tell_end(const arguments *a, const roof_results_progress *done, roof_status status)
{
    const bool has_part = a->common.output.path && strcmp(a->common.output.path, "-") != 0;
    if (done->kept == done->of && done->of)
        cli_note("%" PRIu64 " points were there already", done->of);
    else if (done->kept)
        cli_note("%" PRIu64 " of %" PRIu64 " points were there already", done->kept, done->of);
    if (done->failed)
        cli_note("%" PRIu64 " of %" PRIu64 " results failed; see column why", done->failed, done->done);
    if (status != ROOF_OK && done->done && has_part)
        cli_note("%" PRIu64 " of %" PRIu64
                 " points are kept in '%.300s.part'; the same command goes on there",
                 done->done, done->of, a->common.output.path);
}

static roof_status read_shard(const char *text, roof_results_options *out, roof_error *err)
{
    uint64_t part, of;
    text_span behind = span_of(text), before = span_take_until(&behind, "/");
    if (!csvin_count(before, &part) || !csvin_count(behind, &of) || part < 1 || part > of ||
        of > ROOF_MOST_SWEPT)
        return error_set(err, ROOF_E_USAGE,
                         "--shard: '%.40s' is no part, want I/N with I from 1 to N, such as 1/8, and N of at "
                         "most %d",
                         text, ROOF_MOST_SWEPT);
    out->shard = (uint32_t)part;
    out->n_shards = (uint32_t)of;
    return ROOF_OK;
}

/* Points that were refused, and assumptions behind others, are failures with --strict. */
static int done_with(const arguments *a, const roof_results_progress *done)
{
    return a->strict && (done->failed || done->found)
               ? cli_fail_strict("of %" PRIu64 " points %" PRIu64 " have no result and %" PRIu64
                                 " have findings",
                                 done->done, done->failed, done->found)
               : CLI_DONE;
}

/* --- chart and page ------------------------------------------------------------------------------------- */

/* Without gnuplot the rest is written, and that is told at the end. */
static roof_status draw_and_write(const arguments *a, const roof_pareto *pareto, roof_error *err)
{
    roof_status drawn = ROOF_OK;
    outputs set;
    roof_error why;
    TRY(outputs_begin(&set, err));
    if (a->chart)
        drawn = roof_draw_pareto(pareto, a->chart, &cli_watch, &why);
    if (a->page && (drawn == ROOF_OK || drawn == ROOF_E_DEVICE))
        drawn = roof_pareto_page_write(pareto, a->page, &cli_watch, &why);
    cli_progress("%s", "");
    if (drawn != ROOF_OK)
        *err = why;
    const roof_status status = outputs_end(&set, drawn == ROOF_E_DEVICE ? ROOF_OK : drawn, err);
    return status == ROOF_OK ? drawn : status;
}

/* Chart and page of finished files. done: the number of points in them. */
static roof_status show(const arguments *a, const char *const *paths, uint32_t n, const char *identity,
                        roof_results_progress *done, roof_error *err)
{
    const roof_cost_kind cost = a->cost ? roof_cost_named(a->cost) : ROOF_COSTS;
    roof_pareto *pareto;
    if (!a->chart && !a->page)
        return ROOF_OK;
    TRY(roof_pareto_read(paths, n, identity, cost, &pareto, err));
    *done = (roof_results_progress){.done = pareto->n_points,
                                    .of = pareto->n_points,
                                    .failed = pareto->n_failed,
                                    .found = pareto->n_found};
    const roof_status status = draw_and_write(a, pareto, err);
    roof_pareto_free(pareto);
    return status;
}

/* --- a sweep -------------------------------------------------------------------------------------------- */

static int sweep(const arguments *a, bool is_json_lines)
{
    watching watch = {0, 0};
    roof_results_options with = {.path = a->common.output.path ? a->common.output.path : "-",
                                 .is_json_lines = is_json_lines,
                                 .jobs = a->jobs,
                                 .tell = show_progress,
                                 .context = &watch};
    roof_results_progress done = {0};
    roof_sweep_plan *plan = NULL;
    roof_error err;
    roof_status status = a->shard ? read_shard(a->shard, &with, &err) : ROOF_OK;
    THEN(status, roof_sweep_plan_read(*a->common.files, &plan, &err));
    watch.began_ns = os_now_ns();
    THEN(status, roof_results_write(plan, &with, &done, &err));
    cli_progress("%s", "");
    roof_results_progress shown = done;
    const roof_status written = status;
    THEN(status, show(a, &a->common.output.path, 1, plan->identity, &shown, &err));
    int exit_code = status == ROOF_OK ? CLI_DONE : cli_fail(&err);
    tell_end(a, &done, written);
    char words[CLI_COMMAND_SIZE] = "";
    if (status == ROOF_OK && a->common.output.path && strcmp(a->common.output.path, "-") != 0 && !a->shard &&
        !a->page && cli_repeat_word(words, NULL, a->common.output.path)) /* the page has the answer */
        cli_note(
            "next: `roofline sweep --merge %s --page sweep.html` shows which points are worth their cost",
            words);
    if (status == ROOF_OK)
        exit_code = done_with(a, &done);
    roof_sweep_plan_free(plan);
    return exit_code;
}

/* --- parts ---------------------------------------------------------------------------------------------- */

static int merge(const arguments *a)
{
    roof_sweep_plan *plan = NULL;
    roof_error err;
    if (a->common.n_files > ROOF_MOST_SWEPT)
        return cli_fail_usage("--merge: more than %d parts", ROOF_MOST_SWEPT);
    roof_status status = a->plan_path ? roof_sweep_plan_read(a->plan_path, &plan, &err) : ROOF_OK;
    const char *identity = plan ? plan->identity : NULL;
    const uint32_t n = (uint32_t)a->common.n_files;
    const bool is_only_shown = (a->chart || a->page) && !a->common.output.path;
    roof_results_progress done = {0};
    outputs set; /* points, chart and page take their places together */
    roof_status drawn = ROOF_OK;
    THEN(status, outputs_begin(&set, &err));
    if (status == ROOF_OK) {
        if (!is_only_shown)
            status = roof_results_merge(a->common.files, n, identity,
                                        a->common.output.path ? a->common.output.path : "-", &done, &err);
        if (status == ROOF_OK)
            drawn = status = show(a, a->common.files, n, identity, &done, &err);
        status = outputs_end(&set, status == ROOF_E_DEVICE ? ROOF_OK : status, &err);
    }
    status = status == ROOF_OK ? drawn : status;
    roof_sweep_plan_free(plan);
    return status == ROOF_OK ? done_with(a, &done) : cli_fail(&err);
}

/* --- scripts -------------------------------------------------------------------------------------------- */

/* The beginning of both scripts. Names stand here alone, as words of the shell: all else of a script is the
 * same whatever they are. */
static const char script_names[] = "set -euo pipefail\n"
                                   "plan=%s\n"
                                   "out=%s\n"
                                   "shards=%u\n"
                                   "format=%s\n";

static int emit(const arguments *a, bool is_json_lines)
{
    static char plan[1 << 14], output[1 << 14]; /* of the longest path, all of it in octal */
    char name[40];
    const char *path = a->common.output.path;
    textbuf text;
    snprintf(name, sizeof name, "sweep_%s.sh", a->emit);
    const char *script = cli_script_named(name);
    if (!*script)
        return cli_fail_usage("--emit: no engine '%.40s', want slurm or parallel", a->emit);
    if (!path || strcmp(path, "-") == 0)
        return cli_fail_usage(
            "--emit: name the file of all points with -o; the script goes to standard output");
    roof_sweep_plan *read = NULL;
    roof_error err;
    if (roof_sweep_plan_read(*a->common.files, &read, &err) != ROOF_OK) /* now, not in the queue */
        return cli_fail(&err);
    roof_sweep_plan_free(read);
    if (!quote_for_shell(plan, sizeof plan, *a->common.files, NULL) ||
        !quote_for_shell(output, sizeof output, path, NULL))
        return cli_fail_usage("--emit: a name is longer than a path may be; want one of at most 4095 bytes");
    text_init(&text, TEXT_MAX_BYTES);
    script = cli_put_script(&text, script);
    text_printf(&text, script_names, plan, output, a->shards ? a->shards : 8,
                is_json_lines ? "jsonl" : "csv");
    cli_put_script(&text, cli_script_named("parts_of_sweep.sh"));
    cli_put_script(&text, script);
    return cli_write_text(&text, NULL);
}

/* --- the command line ----------------------------------------------------------------------------------- */

/* Options that have no meaning together. NULL: there are none. */
static const char *contradiction(const arguments *a)
{
    const bool is_drawn = a->chart || a->page;
    const char *to = a->common.output.path;
    const struct {
        bool is_given;
        const char *text;
    } rules[] = {
        {a->merge && (a->shard || a->emit || a->jobs || a->format),
         "--merge: parts are put together as they are; leave --shard, --emit, --jobs and --format out"},
        {a->plan_path && !a->merge, "--plan: the plan that --merge holds parts against; else give it alone"},
        {a->emit && a->shard, "--emit: the script computes all parts; leave --shard out"},
        {a->shards && !a->emit, "--shards: of which script? Add --emit slurm or --emit parallel"},
        {a->cost && !is_drawn, "--cost: of which picture? Add --chart or --page"},
        {is_drawn && (a->shard || a->emit),
         "--chart and --page show all points of a plan; give them with --merge, when all parts are there"},
        {is_drawn && !a->merge && (!to || strcmp(to, "-") == 0),
         "--chart and --page: name the file of points that they are made from with -o"},
        {a->strict && a->emit, "--strict: the script computes nothing yet; leave it out"},
        {!a->merge && a->common.n_files > 1, "one plan at a time; --merge puts parts together"},
        {!a->format && cli_ends_in(to, ".json"), "-o: points are lines; end the name in .csv or .jsonl"},
    };
    for (size_t i = 0; i < N_OF(rules); i++)
        if (rules[i].is_given)
            return rules[i].text;
    return NULL;
}

int cmd_sweep(int argc, char **argv)
{
    arguments a = {.common = {.missing = "which plan? Give the name of a JSON file (docs/sweep.md)"}};
    CLI_PARSE(&a, options, cli_parse_key, "PLAN\n--merge PART...", doc, 0);
    const char *problem = contradiction(&a);
    if (problem)
        return cli_fail_usage("%s", problem);
    if (a.format && strcmp(a.format, "csv") != 0 && strcmp(a.format, "jsonl") != 0)
        return cli_fail_usage("--format: no format '%.40s', want csv or jsonl", a.format);
    if (a.cost && roof_cost_named(a.cost) == ROOF_COSTS)
        return cli_fail_usage("--cost %.40s: want compute, bandwidth, threads, batch or clock", a.cost);
    if (a.chart && !roof_draw_is_picture(a.chart))
        return cli_fail_usage("--chart: '%.200s' does not end in .svg, .png or .pdf", a.chart);
    if (a.jobs > ROOF_MOST_SWEEP_JOBS)
        return cli_fail_usage("--jobs %u: want at most %d", a.jobs, ROOF_MOST_SWEEP_JOBS);
    if (a.shards > ROOF_MOST_SWEPT)
        return cli_fail_usage("--shards %u: want at most %d", a.shards, ROOF_MOST_SWEPT);
    const bool is_json_lines =
        a.format ? strcmp(a.format, "jsonl") == 0 : cli_ends_in(a.common.output.path, ".jsonl");
    return a.merge ? merge(&a) : a.emit ? emit(&a, is_json_lines) : sweep(&a, is_json_lines);
}
