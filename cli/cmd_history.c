/* roofline history add FILE... | list | show ID | trend | gate */
#include "cli/cli.h"
#include "core/files/csvin.h"
#include "core/files/sha256.h"
#include "roofline/history.h"
#include "roofline/report.h"

#include <time.h>

static const char default_path[] = "roofline.db";

typedef struct arguments {
    cli_arguments common;
    const char *db;
    roof_history_request request;
    const char *chart, *page;          /* of trends */
    const char *commit, *stack, *date; /* of what is added */
    const char *factor, *not_known;    /* of the gate */
    uint32_t most;                     /* runs of the list */
} arguments;

#define DB_OPTION CLI_OPTION("db", TEXT, db, "FILE", "The history [default: roofline.db in this folder]")
#define FILTER_OPTIONS                                                                                       \
    {0, 0, 0, 0, "Which runs:", 0},                                                                          \
        CLI_OPTION("model", TEXT, request.filter.model, "NAME",                                              \
                   "Only runs of this model (name or graph hash)"),                                          \
        CLI_OPTION("device", TEXT, request.filter.device, "NAME",                                            \
                   "Only runs on this device, as named in the file"),                                        \
        CLI_OPTION("stack", TEXT, request.filter.stack, "NAME", "Only runs of this runtime"),                \
        CLI_OPTION("workload", TEXT, request.filter.workload, "WORDS",                                       \
                   "Only runs with this workload, such as '4 threads'"),                                     \
        CLI_OPTION("mode", TEXT, request.filter.mode, "MODE", "bypass, per_layer or load")
#define TREND_OPTIONS                                                                                        \
    {0, 0, 0, 0, "Of what:", 0},                                                                             \
        CLI_OPTION("metric", TEXT, request.metric, "METRIC",                                                 \
                   "median_s, mean_s, p95_s, p99_s, sum_of_layers_s, frames_per_s, energy_j, power_w or "    \
                   "total_bytes [default: the median of an inference, or where there is none the mean]"),    \
        CLI_OPTION("row", TEXT, request.row, "NAME", "The time of this layer in place of an inference's")

static const char *path_of(const arguments *a)
{
    return a->db ? a->db : default_path;
}

/* A command without arguments of its own. */
static error_t parse_alone(int key, char *arg, struct argp_state *state)
{
    if (key == ARGP_KEY_ARG)
        argp_error(state, "takes no arguments, and there is '%.60s'; --db names a history", arg);
    return cli_parse_key(key, arg, state);
}

/* --- history add ---------------------------------------------------------------------------------------- */

static const struct argp_option add_options[] = {
    DB_OPTION,
    CLI_OPTION("commit", TEXT, commit, "SHA",
               "The commit of what was measured, to name it where a change is"),
    CLI_OPTION("stack", TEXT, stack, "NAME",
               "The software that ran it, such as vart-3.5 [default: the tool that the document names]"),
    CLI_OPTION("date", TEXT, date, "UTC", "When it was measured, 2026-01-31 or 2026-01-31T12:00:00Z; now"),
    {0},
};

static const char add_doc[] =
    "Adds the runs of measured documents to a history, which is made where there is none. A document that is "
    "there already is not added again. Several of these may run at a time; one that is killed leaves what "
    "was added before.\vA run's key is the graph's hash or the model's name, with device, stack and mode. "
    "Kept are its metrics, each layer's median, mean and deviation, and at most 1 000 samples of an "
    "inference.\n"
    "\n"
    "Examples:\n"
    "  roofline history add measured.json\n"
    "  roofline history add measured.json --commit 3f2a91c --db runs.db";

/* NULL: now. */
static roof_status read_date(const char *text, int64_t *out, roof_error *err)
{
    const char *format = text && strchr(text, 'T') ? "%Y-%m-%dT%H:%M:%SZ" : "%Y-%m-%d";
    struct tm t = {0};
    char again[32] = "";
    time_t seconds = time(NULL);
    if (text) { /* what is too much is carried over: 31 February is 3 March, and so not what was given */
        const char *end = strptime(text, format, &t);
        seconds = end && !*end ? timegm(&t) : -1;
        if (seconds < 0 || !gmtime_r(&seconds, &t) || !strftime(again, sizeof again, format, &t) ||
            strcmp(again, text) != 0)
            return error_set(
                err, ROOF_E_USAGE,
                "--date %.40s: want a day or a time from 1970 on, 2026-01-31 or 2026-01-31T12:00:00Z", text);
    }
    *out = (int64_t)seconds;
    return ROOF_OK;
}

static void tell_added(const char *path, const char *file, const roof_history_added *added)
{
    char runs[64];
    if (added->n_runs > 1)
        snprintf(runs, sizeof runs, "runs %" PRIu64 " to %" PRIu64, added->first_run,
                 added->first_run + added->n_runs - 1);
    else
        snprintf(runs, sizeof runs, "run %" PRIu64, added->first_run);
    cli_note("%.300s: %s %.300s as %s", file, added->was_there ? "is in" : "added to", path, runs);
    if (added->n_completed)
        cli_note("%.300s: conditions of %" PRIu32 " run%s, which an earlier version did not keep, are added",
                 file, added->n_completed, added->n_completed == 1 ? "" : "s");
    if (added->n_thinned)
        cli_note("%.300s: of %" PRIu32 " run%s 1 000 samples are kept, evenly over all", file,
                 added->n_thinned, added->n_thinned == 1 ? "" : "s");
    if (added->n_total_only)
        cli_note("%.300s: of %" PRIu32 " run%s with more than 4 096 rows the total alone is kept", file,
                 added->n_total_only, added->n_total_only == 1 ? "" : "s");
}

/* The history is opened, and made, when there is something to add. */
static roof_status add_file(roof_history **history, const arguments *a, const char *file, int64_t added_s,
                            roof_error *err)
{
    char sha256[SHA256_HEX_SIZE];
    uint64_t size_bytes;
    roof_measured *measured = NULL;
    roof_history_added added;
    if (strcmp(file, "-") == 0)
        return error_set(err, ROOF_E_USAGE,
                         "a document is added from a file, whose hash tells it from others");
    TRY(cli_measured_read(file, &(cli_profile_options){0}, &measured, err));
    const roof_history_document about = {sha256, file, a->commit, a->stack, added_s};
    roof_status status = sha256_file(file, sha256, &size_bytes, err);
    THEN(status, !*history ? roof_history_open(path_of(a), ROOF_HISTORY_WRITE, history, err) : ROOF_OK);
    if (status == ROOF_OK) {
        status = roof_history_add(*history, measured, &about, &added, err);
        if (status == ROOF_OK)
            tell_added(path_of(a), file, &added);
        else if (!*err->where)
            error_prefix(err, "%s", file);
    }
    roof_measured_free(measured);
    return status;
}

static int history_add(int argc, char **argv)
{
    arguments a = {.common = {.missing = "add what? Give measured documents, as `roofline import` or "
                                         "`roofline measure` writes them"}};
    roof_history *history = NULL;
    roof_error err;
    int64_t added_s;
    CLI_PARSE(&a, add_options, cli_parse_key, "FILE...", add_doc, NULL);
    roof_status status = read_date(a.date, &added_s, &err);
    for (size_t i = 0; status == ROOF_OK && i < a.common.n_files; i++)
        status = add_file(&history, &a, a.common.files[i], added_s, &err);
    roof_history_close(history);
    return status == ROOF_OK ? CLI_DONE : cli_fail(&err);
}

/* --- list and show -------------------------------------------------------------------------------------- */

/* "2026-01-31 12:00" */
static const char *date_text(roof_arena *arena, int64_t added_s)
{
    const time_t seconds = (time_t)added_s;
    struct tm t;
    char text[40] = "";
    if (!gmtime_r(&seconds, &t) || !strftime(text, sizeof text, "%Y-%m-%d %H:%M", &t))
        return "?";
    return arena_strdup(arena, text);
}

static const char *mode_text(roof_arena *arena, const roof_history_key *key)
{
    const char *mode = key->mode ? key->mode : "";
    return key->workload ? arena_printf(arena, "%s, %s", mode, key->workload) : mode;
}

GRID_CELL(run_date, roof_history_run, is, cell_text(date_text(row->arena, is->added_s)))
GRID_CELL(run_mode, roof_history_run, is, cell_text(mode_text(row->arena, &is->key)))

#define RUN(name, member, from, ...) GRID_AS(name, roof_history_run, member, from, __VA_ARGS__)
#define KEY(member, ...)             RUN(#member, key.member, TEXT, __VA_ARGS__)

/* Of the list, for people and as CSV. */
static const grid_column run_columns[] = {
    RUN("run", id, COUNT, .title = "run", .kind = COLUMN_NUMBER),
    GRID_SAID("added [UTC]", run_date, .rank = 2),
    KEY(model, .title = "model", .kind = COLUMN_NAME),
    KEY(model_hash, .title = NULL),
    KEY(device, .title = "device", .rank = 1),
    KEY(stack, .title = "stack", .rank = 4),
    GRID_SAID("mode", run_mode, .rank = 1),
    RUN("commit", commit, TEXT, .title = "commit", .rank = 3),
    KEY(mode, .title = NULL),
    KEY(workload, .title = NULL),
    RUN("added_s", added_s, COUNT, .title = NULL),
    RUN("document", document, TEXT, .title = NULL),
    RUN("sha256", sha256, TEXT, .title = NULL),
};
static const grid_column layer_columns[] = {
    GRID_OF(roof_history_row, name, TEXT, .title = "layer", .kind = COLUMN_NAME),
    GRID_OF(roof_history_row, count, COUNT, .title = "repetitions", .kind = COLUMN_NUMBER, .rank = 2),
    GRID_OF(roof_history_row, median_s, VALUE, .title = "median", .kind = COLUMN_TIME),
    GRID_OF(roof_history_row, mean_s, VALUE, .title = "mean", .kind = COLUMN_TIME, .rank = 1),
    GRID_OF(roof_history_row, std_s, VALUE, .title = "deviation", .kind = COLUMN_TIME, .rank = 1),
};

static void put_metrics(jsonout *json, const char *key, const grid_row *row)
{
    const roof_history_run *run = row->is;
    jsonout_object(json, key, false);
    for (uint32_t i = 0; i < run->n_values; i++)
        jsonout_number(json, run->values[i].metric->name, run->values[i].value);
    jsonout_end(json);
}

/* Of JSON, which has all digits. */
#define EXACT(member) GRID_OF(roof_history_row, member, NUMBER, .title = NULL)
#define RUN_MEMBERS                                                                                          \
    RUN("run", id, COUNT, .title = NULL), RUN("added_s", added_s, COUNT, .title = NULL),                     \
        KEY(model, .title = NULL), KEY(model_hash, .title = NULL), KEY(device, .title = NULL),               \
        KEY(stack, .title = NULL), KEY(mode, .title = NULL), KEY(workload, .title = NULL),                   \
        RUN("commit", commit, TEXT, .title = NULL), RUN("document", document, TEXT, .title = NULL),          \
        RUN("sha256", sha256, TEXT, .title = NULL), RUN("samples", n_samples, COUNT, .title = NULL)
static const grid_column row_members[] = {
    GRID_OF(roof_history_row, name, TEXT, .kind = COLUMN_NAME),
    GRID_OF(roof_history_row, count, COUNT, .title = NULL),
    EXACT(median_s),
    EXACT(mean_s),
    EXACT(std_s),
};
static const grid_column sample_value[] = {{.from = FROM_NUMBER}};
static const grid_column listed_members[] = {RUN_MEMBERS};
static const grid_column run_members[] = {
    RUN_MEMBERS,
    GRID_NESTED("metrics", put_metrics),
    GRID_ITEMS("layers", roof_history_run, rows, n_rows, row_members, true),
    GRID_ITEMS("samples_s", roof_history_run, samples_s, n_kept, sample_value, true),
};
#define ALL_RUNS GRID_AS("all", roof_history_runs, n_all, COUNT, .title = NULL)
static const grid_column list_members[] = {
    ALL_RUNS, GRID_ITEMS("runs", roof_history_runs, items, n, listed_members, true)};
static const grid_column show_members[] = {
    ALL_RUNS, GRID_ITEMS("runs", roof_history_runs, items, n, run_members, false)};

static bool is_format(const cli_writing *w, const char *format)
{
    return strcmp(w->render.format, format) == 0;
}

static roof_status put_list(cli_writing *w, roof_error *err)
{
    const roof_history_runs *runs = w->of;
    (void)err;
    if (is_format(w, "json"))
        cli_put_members(w, ROOF_HISTORY_RUNS_SCHEMA, list_members, N_OF(list_members), runs);
    else
        CLI_PUT_TABLE(w, run_columns, runs->items, runs->n, true);
    if (is_format(w, "text") && runs->n < runs->n_all)
        text_printf(&w->out, "\n%" PRIu64 " older runs are not shown; --top 0 shows all\n",
                    runs->n_all - runs->n);
    return ROOF_OK;
}

static void put_fact(cli_writing *w, const char *what, const char *text)
{
    if (!text || !*text)
        return;
    text_printf(&w->out, "%-10s ", what);
    text_shown(&w->out, text);
    text_puts(&w->out, "\n");
}

static roof_status put_show(cli_writing *w, roof_error *err)
{
    const roof_history_run *run = ((const roof_history_runs *)w->of)->items;
    (void)err;
    if (is_format(w, "json"))
        cli_put_members(w, ROOF_HISTORY_RUNS_SCHEMA, show_members, N_OF(show_members), w->of);
    if (is_format(w, "csv"))
        CLI_PUT_TABLE(w, layer_columns, run->rows, run->n_rows, false);
    if (!is_format(w, "text"))
        return ROOF_OK;
    text_printf(&w->out, "%-10s %" PRIu64 ", added %s UTC\n", "run", run->id,
                date_text(w->arena, run->added_s));
    put_fact(w, "model", run->key.model);
    put_fact(w, "graph", run->key.model_hash);
    put_fact(w, "device", run->key.device);
    put_fact(w, "stack", run->key.stack);
    put_fact(w, "mode", mode_text(w->arena, &run->key));
    put_fact(w, "commit", run->commit);
    put_fact(w, "document", run->document);
    put_fact(w, "sha256", run->sha256);
    text_printf(&w->out, "%-10s %" PRIu64 ", %" PRIu32 " kept\n", "samples", run->n_samples, run->n_kept);
    text_puts(&w->out, run->n_values ? "\n" : "");
    FOR_EACH(const roof_history_value, v, run->values, run->n_values) {
        char text[64] = "";
        if (!isnan(v->value))
            quantity_format(text, sizeof text, v->value, v->metric->unit);
        text_printf(&w->out, "%-16s %s, %s\n", v->metric->name, text, v->metric->words);
    }
    text_puts(&w->out, run->n_rows ? "\n" : "");
    if (run->n_rows)
        CLI_PUT_TABLE(w, layer_columns, run->rows, run->n_rows, false);
    return ROOF_OK;
}

static const struct argp_option list_options[] = {
    DB_OPTION,
    FILTER_OPTIONS,
    {0, 0, 0, 0, "Contents:", 0},
    CLI_OPTION("top", MOST, most, "N", "The newest N runs; 0: all [default: 40]"),
    {0},
};

static const char list_doc[] = "Lists the runs of a history, the newest first.\v"
                               "Formats: text, json and csv.\n"
                               "\n"
                               "Examples:\n"
                               "  roofline history list --db runs.db\n"
                               "  roofline history list --db runs.db --model net --format csv -o runs.csv";

/* id: of the run to show; ROOF_UNKNOWN: the newest ones. */
static int write_runs(const arguments *a, uint64_t id, roof_status (*put)(cli_writing *w, roof_error *err))
{
    enum { SHOWN = 40 };
    roof_history *history = NULL;
    roof_history_runs *runs = NULL;
    roof_error err;
    roof_status status = roof_history_open(path_of(a), ROOF_HISTORY_READ, &history, &err);
    THEN(status, id == ROOF_UNKNOWN
                     ? roof_history_list(history, &a->request.filter, a->most ? a->most : SHOWN, &runs, &err)
                     : roof_history_show(history, id, &runs, &err));
    const int exit_code =
        status == ROOF_OK ? cli_write_made(&a->common.output, "shows no runs", runs, put) : cli_fail(&err);
    roof_history_runs_free(runs);
    roof_history_close(history);
    return exit_code;
}

static int history_list(int argc, char **argv)
{
    arguments a = {.common = {.output.formats = "text, json or csv"}};
    CLI_PARSE(&a, list_options, parse_alone, NULL, list_doc, cli_output_child);
    return write_runs(&a, ROOF_UNKNOWN, put_list);
}

static const struct argp_option show_options[] = {DB_OPTION, {0}};

static const char show_doc[] = "Shows one run of a history: its key, its metrics, its layers.\v"
                               "Formats: text, json and csv, which has the layers.\n"
                               "\n"
                               "Examples:\n"
                               "  roofline history show 41 --db runs.db\n"
                               "  roofline history show 41 --db runs.db --format json";

static int history_show(int argc, char **argv)
{
    arguments a = {.common = {.what = "ID",
                              .missing = "which run? `roofline history list` numbers them",
                              .output.formats = "text, json or csv"}};
    uint64_t id;
    CLI_PARSE(&a, show_options, cli_parse_key, "ID", show_doc, cli_output_child);
    if (!csvin_count(span_of(*a.common.files), &id))
        return cli_fail_usage("'%.60s' is no number of a run; want one of `roofline history list`",
                              *a.common.files);
    return write_runs(&a, id, put_show);
}

/* --- trend and gate ------------------------------------------------------------------------------------- */

static roof_status find_trends(arguments *a, double factor, roof_history_trends **out, roof_error *err)
{
    roof_history *history = NULL;
    a->request.factor = factor;
    a->request.most_points = isnan(factor) ? 0 : ROOF_HISTORY_WINDOW;
    TRY(roof_history_open(path_of(a), ROOF_HISTORY_READ, &history, err));
    roof_status status = roof_history_find_trends(history, &a->request, out, err);
    roof_history_close(history);
    return status;
}

static roof_status write_trends(const roof_history_trends *trends, const arguments *a, roof_error *err)
{
    outputs set;
    TRY(outputs_begin(&set, err));
    roof_status drawn = a->chart ? roof_draw_trends(trends, a->chart, &cli_watch, err) : ROOF_OK;
    if (a->page && (drawn == ROOF_OK || drawn == ROOF_E_DEVICE))
        drawn = roof_trends_page_write(trends, a->page, &cli_watch, err);
    return cli_write_drawn(&set, drawn, trends, &a->common.output, err);
}

static const struct argp_option trend_options[] = {
    DB_OPTION,
    FILTER_OPTIONS,
    TREND_OPTIONS,
    {0, 0, 0, 0, "Contents:", 0},
    CLI_OPTION("chart", TEXT, chart, "FILE",
               "Also draw one series: FILE.svg, .png or .pdf, with the script and the data beside it"),
    CLI_OPTION("page", TEXT, page, "FILE",
               "Also write a page, FILE.html: each series with its chart, and which layers changed with it"),
    {0},
};

static const char trend_doc[] =
    "Says of each series of runs where its level changed, by how much, and since which run and commit. A "
    "series is the runs of one model, device, stack and mode, in the order in which they were "
    "added.\vChanges are found by Mann-Whitney's test over the whole series, as in compare. 1 of 200 series "
    "without a change shows one. A change of 3 % in noise of 1 % is seen within five runs. The change of a "
    "segment is the typical quotient of a run in it and one in the segment before, with its 95 % interval. A "
    "slow drift becomes steps. --format benchmark is for github-action-benchmark, and bencher for Bencher.\n"
    "\n"
    "Examples:\n"
    "  roofline history trend --db runs.db\n"
    "  roofline history trend --db runs.db --device kv260 --metric p95_s\n"
    "  roofline history trend --db runs.db --row conv1 --format csv -o conv1.csv\n"
    "  roofline history trend --db runs.db --row conv1 --model net --chart a.svg\n"
    "  roofline history trend --db runs.db --metric p95_s --page trend.html";

static int history_trend(int argc, char **argv)
{
    arguments a = {.common = {.output.shows = ROOF_DOCUMENT_TRENDS}};
    roof_history_trends *trends = NULL;
    roof_error err;
    CLI_PARSE(&a, trend_options, parse_alone, NULL, trend_doc, cli_output_child);
    roof_status status = find_trends(&a, NAN, &trends, &err);
    THEN(status, write_trends(trends, &a, &err));
    roof_history_trends_free(trends);
    return status == ROOF_OK ? CLI_DONE : cli_fail(&err);
}

static const struct argp_option gate_options[] = {
    DB_OPTION,
    FILTER_OPTIONS,
    TREND_OPTIONS,
    {0, 0, 0, 0, "Gate:", 0},
    CLI_OPTION("factor", TEXT, factor, "FACTOR",
               "The most that the newest runs may take, as a multiple of the level that they are held "
               "against [default: 1]"),
    CLI_OPTION("baseline", TEXT, request.baseline, "COMMIT",
               "Hold them against the level of this commit, or of the run of this number [default: the best "
               "level of five runs or more among the newest 365]"),
    CLI_OPTION("not-known", TEXT, not_known, "WHAT",
               "fail or pass: what becomes of a series that is too short or too noisy, which more runs can "
               "decide [default: fail]"),
    {0},
};

static const char gate_doc[] =
    "Exits with 1 when the newest runs are worse than the best level, by more than a factor and beyond "
    "noise, or when that is unknown.\vThe interval of the change decides, as in check. Wholly above the "
    "factor it fails, wholly below it is kept, else unknown. A series without a change is kept once it "
    "has enough runs for one to be seen, which takes three to five new runs. Other conditions, such as "
    "another clock, begin a series, which is unknown until --baseline names a run of it.\n"
    "\n"
    "Examples:\n"
    "  roofline history gate --db runs.db --factor 1.05 --not-known pass\n"
    "  roofline history gate --db runs.db --model other --mode bypass\n"
    "  roofline history gate --db runs.db --model other --baseline c0101";

static int history_gate(int argc, char **argv)
{
    arguments a = {.common = {.output.shows = ROOF_DOCUMENT_TRENDS}};
    roof_history_trends *trends = NULL;
    roof_error err;
    char *end = NULL;
    CLI_PARSE(&a, gate_options, parse_alone, NULL, gate_doc, cli_output_child);
    roof_status status = ROOF_OK;
    const double factor = a.factor ? strtod(a.factor, &end) : 1;
    if (a.factor && (end == a.factor || *end || !isfinite(factor) || !(factor > 0)))
        status =
            error_set(&err, ROOF_E_USAGE, "--factor %.40s: want a number above 0, such as 1.05", a.factor);
    const bool fails = !a.not_known || strcmp(a.not_known, "fail") == 0; /* where a result is not known */
    if (status == ROOF_OK && !fails && strcmp(a.not_known, "pass") != 0)
        status = error_set(&err, ROOF_E_USAGE, "--not-known %.40s: want fail or pass", a.not_known);
    THEN(status, find_trends(&a, factor, &trends, &err));
    THEN(status, write_trends(trends, &a, &err));
    uint32_t failed = 0;
    for (uint32_t i = 0; status == ROOF_OK && i < trends->n; i++)
        failed += trends->items[i].state == ROOF_HELD_BROKEN ||
                  (trends->items[i].state == ROOF_HELD_NOT_KNOWN && (fails || !trends->items[i].is_noise));
    if (failed && a.common.output.path)
        cli_note("%" PRIu32 " of %" PRIu32 " series are worse than before, or not known", failed, trends->n);
    roof_history_trends_free(trends);
    return status != ROOF_OK ? cli_fail(&err) : failed ? CLI_CHECK_FAILED : CLI_DONE;
}

/* --- the group ------------------------------------------------------------------------------------------ */

int cmd_history(int argc, char **argv)
{
    static const cli_command commands[] = {
        {"add", "adds the runs of measured documents",
         "history add measured.json --commit 3f2a91c --db runs.db", history_add},
        {"list", "which runs there are", "history list --db runs.db", history_list},
        {"show", "one run: its metrics and layers", "history show 41 --db runs.db", history_show},
        {"trend", "where the level of a series changed, by how much, since when",
         "history trend --db runs.db --model net", history_trend},
        {"gate", "exits with 1 when the newest runs are worse than before",
         "history gate --db runs.db --factor 1.05 --not-known pass", history_gate},
    };
    static const cli_group group = {
        .name = "roofline history",
        .usage = "roofline history COMMAND [ARGUMENT...]",
        .intro = "Keeps the runs of months in one file, a SQLite database, and says when they changed.",
        .outro =
            {"Without --db the history is roofline.db in the current folder. Several programs may add to it "
             "at a time."},
        .commands = commands,
        .n_commands = N_OF(commands),
    };
    return cli_dispatch(&group, argc, argv);
}
