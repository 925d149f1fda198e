#include "cli/cli.h"
#include "core/files/input.h"
#include "roofline/measure.h"

typedef struct arguments {
    cli_arguments common;
    roof_measure_options with;
    const char *mode, *seed, *threads;
    cli_list options, settings, files;
    const char *from, *map;
    const char *id, *data_type; /* of a probe */
    double most_s;
} arguments;

static const struct argp_option options[] = {
    CLI_OPTION("on", TEXT, with.device, "DEVICE",
               "The runner's device (`roofline formats` lists them) [default: cpu]"),
    CLI_OPTION(
        "mode", TEXT, mode, "MODE",
        "bypass (the whole network) or per_layer (a clock read at every boundary) [default: both in turns]"),
    CLI_OPTION("iterations", COUNT, with.iterations, "N",
               "Timed inferences of each mode, and of each thread [default: 100]"),
    CLI_OPTION("warmup", COUNT, with.most_warmup, "N",
               "Most warm-up inferences [default: 200]. It ends earlier when the median is steady"),
    CLI_OPTION("rounds", COUNT, with.rounds, "N", "Number of turns, at most 1000 [default: 10]"),
    CLI_OPTION("batch", COUNT, with.batch, "N", "Images of one inference"),
    CLI_OPTION("threads", TEXT, threads, "LIST",
               "Measure under load, in place of both modes. For each number in LIST, such as 1,2,4 or 1..8, "
               "so many threads call the device at the same time"),
    CLI_OPTION("timeout", SECONDS, with.timeout_s, "TIME",
               "Timeout: silence of a runner [default: 60 s] or run time of a command [default: 1 h]"),
    {0, 0, 0, 0, "For the runner:", 0},
    CLI_OPTION("seed", TEXT, seed, "N", "Seed of the random input data [default: 42]; stored in the file"),
    CLI_OPTION("option", LIST, options, "KEY=VALUE", "An option of the runner; may be given several times"),
    CLI_OPTION("set", LIST, settings, "NAME=VALUE",
               "A variable of its environment, set before it loads any library"),
    {0, 0, 0, 0, "For --on command:", 0},
    CLI_OPTION("collect", LIST, files, "FILE", "A file that the command writes; may be given several times"),
    CLI_OPTION("from", TEXT, from, "TOOL", "The tool that it is of, as for `roofline import`"),
    CLI_OPTION("map", TEXT, map, "MAP", "Which column of a table holds what, as for `roofline import`"),
    {0, 0, 0, 0, "What is measured:", 0},
    CLI_OPTION("hw", TEXT, with.hardware, "HW",
               "The hardware, as for `roofline predict`; it is kept in the document"),
    CLI_OUTPUT_FILE,
    {0},
};

static const char doc[] =
    "Runs a model on a device and writes the times as one document, roofline.measured/1. A runner does the "
    "work, a program of its own (docs/runner-protocol.md). After a warm-up until the median is steady, two "
    "modes take turns: the whole model, and the model timed at every layer boundary. Drift is then the same "
    "in both, and `roofline reconcile` can tell the profiling overhead from the cost of layers.\n"
    "\n"
    "--threads measures how the device takes load: inferences/s, and the latency of every inference, "
    "for each number of threads, in turns.\n"
    "\n"
    "--on command runs any benchmark program, and imports what it prints and the files that it "
    "writes.\vExamples:\n"
    "  roofline hw probe -o this-machine.json\n"
    "  roofline measure model.xmodel --hw this-machine.json -o measured.json\n"
    "  roofline measure model.xmodel --on vart --hw kv260 -o measured.json\n"
    "  roofline measure model.xmodel --option processors=1 -o measured.json\n"
    "  roofline measure model.xmodel --threads 1..4 -o load.json\n"
    "  roofline measure model.xmodel --on command -- ssh board ./benchmark\n"
    "  roofline measure st_ai_ws --on command -- stedgeai validate -m net.tflite\n"
    "  roofline reconcile measured.json";

/* --- checks before anything runs ----------------------------------------------------------------------- */

static bool has_equals(const char *option, const cli_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (strcspn(list->items[i], "=") == 0 || !strchr(list->items[i], '=')) {
            cli_note("--%s: '%.60s' is no NAME=VALUE", option, list->items[i]);
            return false;
        }
    return true;
}

/* --- progress ------------------------------------------------------------------------------------------- */

static void show_progress(void *unused, const roof_measure_progress *now)
{
    enum { WIDTH = 24 };
    char bar[WIDTH + 1];
    (void)unused;
    if (isnan(now->share_ratio)) {
        cli_progress("measuring: %s", now->doing);
        return;
    }
    int done = (int)(now->share_ratio * WIDTH);
    for (int i = 0; i < WIDTH; i++)
        bar[i] = i < done ? '#' : '.';
    bar[WIDTH] = '\0';
    cli_progress("measuring: %s %3.0f %%, %.0f s left, %s", bar, now->share_ratio * 100, now->left_s,
                 now->doing);
}

/* --- the command ---------------------------------------------------------------------------------------- */

static const char command_device[] = "command";

static roof_status measure(arguments *a, roof_measured **out, roof_error *err)
{
    char *path = cli_measured_path_for(a->common.files[0], a->common.output.path);
    roof_status status;
    TRY(ALLOCATED(path, err));
    a->with.model_path = path;
    if (strcmp(a->with.device, command_device) == 0) {
        const roof_command_options command = {.command = a->common.files + 1, /* argv ends with NULL */
                                              .settings = a->settings.items,
                                              .files = a->files.items,
                                              .n_files = a->files.n,
                                              .import = {.from = a->from,
                                                         .map = a->map,
                                                         .mode = a->mode,
                                                         .model = path,
                                                         .hardware = a->with.hardware},
                                              .timeout_s = a->with.timeout_s > 0 ? a->with.timeout_s : 3600};
        cli_progress("measuring: %s runs", command.command[0]);
        status = roof_measure_command(&command, out, err);
    } else {
        status = roof_measure(a->common.files[0], &a->with, out, err);
    }
    cli_progress("%s", "");
    free(path);
    return status;
}

/* The output is opened before a board is started, so that nobody measures for an hour what cannot be written;
 * it is open while runners run, so that a signal ends both. */
static roof_status run(arguments *a, roof_error *err)
{
    cli_stream stream;
    roof_sink sink;
    roof_measured *measured = NULL;
    TRY(inputs_require(a->common.files[0], err));
    TRY(cli_stream_begin(&stream, a->common.output.path, &sink, err));
    roof_status status = measure(a, &measured, err);
    THEN(status, cli_measured_describe(measured, a->common.files[0], err));
    THEN(status, roof_measured_write(measured, sink, err));
    roof_measured_free(measured);
    return cli_stream_end(&stream, status, err);
}

int cmd_measure(int argc, char **argv)
{
    arguments a = {.common = {.missing = "which model?", .output.only = "json"},
                   .with = {.device = "cpu", .progress = show_progress}};
    roof_error err;
    CLI_PARSE(&a, options, cli_parse_key, "MODEL [-- COMMAND...]", doc, NULL);
    char seed[40]; /* says what --option seed=N says as well */
    if (a.seed && (strspn(a.seed, "0123456789") != strlen(a.seed) || !*a.seed || strlen(a.seed) > 19))
        return cli_fail_usage("--seed: '%.40s' is no whole number", a.seed);
    if (a.seed && a.options.n == CLI_MOST_ITEMS)
        return cli_fail_usage("--seed: there are %d options already", CLI_MOST_ITEMS);
    snprintf(seed, sizeof seed, "seed=%s", a.seed ? a.seed : "");
    if (a.seed)
        a.options.items[a.options.n++] = seed;
    a.with.options = a.options.items;
    a.with.n_options = a.options.n;
    a.with.settings = a.settings.items;
    a.with.n_settings = a.settings.n;
    bool is_command = strcmp(a.with.device, command_device) == 0;
    if (is_command && a.common.n_files < 2)
        return cli_fail_usage("--on command: which one? Give it behind --, as in: -- ssh board ./benchmark");
    if (is_command && a.seed)
        return cli_fail_usage("--seed: a command makes its own inputs; give it its own option behind --");
    if (!is_command && a.common.n_files > 1)
        return cli_fail_usage("one model at a time; '%.60s' is one too many", a.common.files[1]);
    a.with.only_bypass = a.mode && strcmp(a.mode, roof_run_mode_text(ROOF_RUN_BYPASS)) == 0;
    a.with.only_per_layer = a.mode && strcmp(a.mode, roof_run_mode_text(ROOF_RUN_PER_LAYER)) == 0;
    if (a.mode && !a.with.only_bypass && !a.with.only_per_layer)
        return cli_fail_usage("--mode: no mode '%.40s', want bypass or per_layer", a.mode);
    if (a.threads && is_command)
        return cli_fail_usage("--threads: a command has its own threads; give it its own option behind --");
    if (a.threads && a.mode)
        return cli_fail_usage(
            "--threads and --mode: a load sweep is measured in place of both modes; leave one "
            "of the options out");
    uint32_t counts[ROOF_MOST_THREAD_COUNTS], *n_counts = &a.with.n_thread_counts;
    a.with.thread_counts = a.threads ? counts : NULL;
    if (a.threads && cli_thread_counts(a.threads, counts, ROOF_MOST_THREAD_COUNTS, n_counts, &err) != ROOF_OK)
        return cli_fail(&err);
    if (!has_equals("option", &a.options) || !has_equals("set", &a.settings))
        return CLI_USAGE;
    roof_status status = cli_check_hardware(a.with.hardware, &err);
    THEN(status, run(&a, &err));
    return status == ROOF_OK ? CLI_DONE : cli_fail(&err);
}

/* --- hw probe ------------------------------------------------------------------------------------------- */

static const struct argp_option probe_options[] = {
    CLI_OPTION("on", TEXT, with.device, "DEVICE", "The device of a runner [default: cpu]"),
    CLI_OPTION("id", TEXT, id, "ID", "Id of the description [default: this-machine]"),
    CLI_OPTION(
        "data-type", TEXT, data_type, "TYPE",
        "Data type whose peak limits layers: f32 (the default), bf16 or int8; the description has all three"),
    CLI_OPTION("most", SECONDS, most_s, "TIME",
               "Longest time for each kernel, with one thread and with all [default: 30 s]"),
    CLI_OUTPUT_FILE,
    {0},
};

static const char probe_doc[] =
    "Measures this machine and writes a description of hardware. Peak rates of data types come from products "
    "of matrices by oneDNN, one thread and all. It adds the bandwidth of each level of memory, the clock, "
    "and the cost of a launch. Each value says how it was measured, and how precisely.\vExamples:\n"
    "  roofline hw probe -o this-machine.json\n"
    "  roofline predict model.xmodel --hw this-machine.json";

static roof_status probe(const arguments *a, roof_error *err)
{
    const roof_probe_options with = {a->with.device, a->id, a->data_type, a->most_s, show_progress, NULL};
    cli_stream stream;
    roof_sink sink;
    TRY(cli_stream_begin(&stream, a->common.output.path, &sink, err));
    const roof_status status = roof_probe(&with, sink, err);
    cli_progress("%s", "");
    return cli_stream_end(&stream, status, err);
}

int cli_hw_probe(int argc, char **argv)
{
    arguments a = {.common = {.output.only = "json"}};
    roof_error err;
    CLI_PARSE(&a, probe_options, cli_parse_key, "", probe_doc, NULL);
    if (a.common.n_files)
        return cli_fail_usage("hw probe takes no arguments, but got '%.60s'", a.common.files[0]);
    if (a.data_type && strcmp(a.data_type, "f32") != 0 && strcmp(a.data_type, "bf16") != 0 &&
        strcmp(a.data_type, "int8") != 0)
        return cli_fail_usage("--data-type: no type '%.40s', want f32, bf16 or int8", a.data_type);
    return probe(&a, &err) == ROOF_OK ? CLI_DONE : cli_fail(&err);
}
