#include "cli/cli.h"
#include "core/platform/platform.h"
#include "roofline/explanation.h"

typedef struct arguments {
    cli_arguments common;
    const char *hw, *around, *host, *input, *contexts, *prompts;
    cli_list measured, published;
    cli_workload workload;
    roof_predict_options predict;
    uint32_t threads;
    bool first, steady, profiler;
} arguments;

static const struct argp_option known_options[] = {
    CLI_OPTION("measured", LIST, measured, "NUMBER",
               "The number that you measured: 29fps, 33.9ms, 10.4tokens/s, '29.5 FPS (33.9 ms)'. Several "
               "tell a factor from a constant: each belongs to the next model, or says what it is of behind "
               "an '@': 40ms@b.onnx, 66fps@cores=1, 80fps@threads=2,clock=600MHz"),
    CLI_OPTION("published", LIST, published, "NUMBER",
               "The number that was published for the same; of several in the order of --measured"),
    CLI_OPTION("hw", TEXT, hw, "HW",
               "The hardware: an id or alias (`roofline hw list`), a JSON file, or a description. Without a "
               "model it may be missing, and then ratios alone tell"),
    {0, 0, 0, 0, "How it was measured [default: not known]:", 0},
    CLI_OPTION("around", TEXT, around, "WHAT",
               "The timed part: call (the runtime's call alone) or frame (reading and drawing, too)"),
    CLI_OPTION("host", TEXT, host, "LANGUAGE",
               "Language of the program: python or c (C++ and others likewise)"),
    CLI_OPTION("threads", COUNT, threads, "N", "Calls at a time"),
    CLI_OPTION("batch", COUNT, predict.batch, "N", "Images per call"),
    CLI_OPTION("cores", COUNT, predict.cores, "N", "Cores that were used"),
    CLI_OPTION("clock", HERTZ, predict.clock_hz, "HZ", "Clock of the accelerator, as it was read"),
    CLI_OPTION("dtype", TEXT, workload.data_type, "TYPE",
               "Data type that was computed in, such as f16; of a language model its weight type"),
    CLI_OPTION("input", TEXT, input, "WxH", "Width and height of the input, where they are not the file's"),
    CLI_OPTION("stack", TEXT, predict.stack, "NAME", "Runtime, as of `roofline predict --stack`"),
    CLI_OPTION("first", FLAG, first, 0, "It was the first run"),
    CLI_OPTION("steady", FLAG, steady, 0, "A mean of many runs, without the first ones"),
    CLI_OPTION("profiler", FLAG, profiler, 0, "A profiler was running"),
    {0, 0, 0, 0, "Language models:", 0},
    CLI_OPTION("phase", TEXT, workload.phase, "PHASE", "prefill or decode [default: decode for tokens/s]"),
    CLI_OPTION("seq-len", TEXT, prompts, "N", "Tokens of the prompt, such as 2k"),
    CLI_OPTION("context", TEXT, contexts, "N", "Tokens before the next one"),
    CLI_OPTION("kv-dtype", TEXT, workload.cache_type, "TYPE", "Form of its cache [default: bf16]"),
    CLI_OPTION("gemm", TEXT, workload.product, "MxKxN:TYPES[:TILE]", "A matrix product in place of a model"),
    {0},
};

static const char doc[] =
    "Explains one measured number: whether it is expected, how many times as long as expected or published "
    "it takes, which causes fit that ratio on this board and network, how likely each is, and what to "
    "measure next. MODEL may be missing where a published number is given; a profile or log in its place has "
    "the number itself.\vCauses and their signatures: docs/explain.md. A cause is called likely above 70 %; "
    "what one number cannot tell is left open.\n"
    "\n"
    "Examples:\n"
    "  roofline explain net.onnx --hw rk3588 --measured 29fps --published 74fps\n"
    "  roofline explain --hw hailo-8 --measured 28ms --published 426fps\n"
    "  roofline explain net.onnx --hw kv260 --measured 25fps --host python\n"
    "  roofline explain net.onnx --hw zcu102 --measured 40fps@threads=3\n"
    "  roofline explain config.json --hw npu2 --measured 10.4tokens/s\n"
    "  roofline explain measured.json";

/* --- what is asked -------------------------------------------------------------------------------------- */

/* The numbers, and what they are of. Begins as zeroes. */
typedef struct requested {
    roof_explain_number numbers[ROOF_EXPLAIN_MOST];
    roof_predict_options predict[ROOF_EXPLAIN_MOST];
    roof_graph *graphs[ROOF_EXPLAIN_MOST];
    cli_workload workload;
    roof_measured *profile; /* that the number is of; NULL: it was given */
    roof_hw *hw;
    roof_explain_request question;
} requested;

/* "cores=1", "threads=2", "batch=8", "clock=600MHz": whether it is one. */
static roof_status take_setting(const char *setting, requested *q, uint32_t i, bool *is_one, roof_error *err)
{
    roof_predict_options *o = &q->predict[i];
    const struct {
        const char *name;
        uint32_t *count; /* NULL: a clock */
        uint64_t trait;
    } settings[] = {{"threads=", &q->numbers[i].threads, ROOF_TRAIT(CORES_GIVEN)},
                    {"cores=", &o->cores, ROOF_TRAIT(CORES_GIVEN)},
                    {"batch=", &o->batch, ROOF_TRAIT(BATCH_GIVEN)},
                    {"clock=", NULL, ROOF_TRAIT(CLOCK_GIVEN)}};
    *is_one = false;
    for (size_t k = 0; k < N_OF(settings) && !*is_one; k++) {
        const size_t length = strlen(settings[k].name);
        double number;
        if (strncmp(settings[k].name, setting, length) != 0)
            continue;
        TRY(quantity_parse(setting + length, settings[k].count ? "" : "Hz", &number, err));
        if (!(number >= 1) ||
            (settings[k].count && !(number <= ROOF_MOST_THREADS && number == floor(number))))
            return error_set(err, ROOF_E_USAGE, "'%.60s': want a clock, or a count from 1 to %d", setting,
                             ROOF_MOST_THREADS);
        *(settings[k].count ? settings[k].count : &(uint32_t){0}) = (uint32_t)number;
        o->clock_hz = settings[k].count ? o->clock_hz : number;
        q->question.traits |= settings[k].trait == ROOF_TRAIT(CORES_GIVEN) && number == 1
                                  ? ROOF_TRAIT(ONE_THREAD)
                                  : settings[k].trait;
        *is_one = true;
    }
    return ROOF_OK;
}

/* A graph is read once. path: NULL with a product. */
static roof_status read_graph_once(const arguments *a, requested *q, uint32_t i, const char *path,
                                   roof_error *err)
{
    const roof_graph *graph = NULL;
    for (uint32_t k = 0; k < i && path; k++)
        graph = q->graphs[k] && strcmp(q->graphs[k]->path, path) == 0 ? q->graphs[k] : graph;
    if (!graph && (path || a->workload.product)) {
        TRY(cli_read_model(path, &q->workload, &q->graphs[i], err));
        graph = q->graphs[i];
    }
    q->numbers[i].graph = graph;
    if (!graph || !roof_language_of(graph))
        q->predict[i].data_type = a->workload.data_type;
    return ROOF_OK;
}

/* The next number, under the options that hold for all. */
static roof_status begin_number(const arguments *a, requested *q, roof_pace measured, roof_error *err)
{
    const uint32_t i = q->question.n_numbers++;
    q->predict[i] = a->predict;
    q->numbers[i] =
        (roof_explain_number){.measured = measured, .predict = &q->predict[i], .threads = a->threads};
    char none[] = "", *end = none;
    const unsigned long w = a->input ? strtoul(a->input, &end, 10) : 1,
                        h = *end == 'x' ? strtoul(end + 1, &end, 10) : 1;
    if (a->input && (!w || !h || w > UINT16_MAX || h > UINT16_MAX || *end || !strchr(a->input, 'x')))
        return error_set(err, ROOF_E_USAGE, "--input %.40s: want width and height, such as 640x480",
                         a->input);
    q->numbers[i].input_w = a->input ? (uint32_t)w : 0;
    q->numbers[i].input_h = (uint32_t)h;
    if (measured.is_of_tokens && !q->workload.phase)
        q->workload.phase = "decode";
    return roof_pace_parse(i < a->published.n ? a->published.items[i] : NULL, &q->numbers[i].published, err);
}

/* "29fps", "40ms@b.onnx", "66fps@cores=1,clock=600MHz". text is cut. */
static roof_status take_stated(const arguments *a, requested *q, char *text, roof_error *err)
{
    const uint32_t i = q->question.n_numbers;
    const char *path =
        a->common.n_files ? a->common.files[i < a->common.n_files ? i : a->common.n_files - 1] : NULL;
    char *next = strchr(text, '@');
    roof_pace measured;
    if (next)
        *next++ = '\0';
    TRY(roof_pace_parse(text, &measured, err));
    TRY(begin_number(a, q, measured, err));
    for (char *at = next; at; at = next) {
        bool is_setting;
        next = strchr(at, ',');
        if (next)
            *next++ = '\0';
        TRY(take_setting(at, q, i, &is_setting, err));
        path = is_setting ? path : at;
    }
    return read_graph_once(a, q, i, path, err);
}

/* --- a profile in the place of a number ----------------------------------------------------------------- */

/* A run says of an image: its median, which a warm-up does not move, else its mean; of a load its rate; of
 * layers their sum. */
static roof_pace pace_of(const roof_run *run)
{
    const double images = run->batch == ROOF_NONE || !run->batch ? 1 : run->batch;
    const roof_times *total = &run->total;
    double seconds = isnan(total->median_s) ? total->mean_s : total->median_s,
           sum_s = run->n_layers ? 0 : NAN;
    for (uint32_t i = 0; i < run->n_layers; i++)
        sum_s += run->layers[i].time.mean_s * (run->layers[i].executions ? run->layers[i].executions : 1);
    if (isnan(seconds) && !run->is_recording)
        seconds = isnan(run->sum_of_layers_s) ? sum_s : run->sum_of_layers_s;
    const bool is_load = run->mode == ROOF_RUN_LOAD;
    return (roof_pace){is_load ? 1 / run->frames_per_s : seconds / images, NAN, is_load, false};
}

/* The first run of an experiment that has a number, those of whole networks first. */
static roof_status take_experiment(const arguments *a, requested *q, const roof_experiment *e,
                                   roof_error *err)
{
    static const roof_run_mode order[] = {ROOF_RUN_BYPASS, ROOF_RUN_LOAD, ROOF_RUN_PER_LAYER};
    const char *model = a->common.n_files > 1 ? a->common.files[1] : e->resolved_path;
    const roof_run *run = NULL;
    const uint32_t i = q->question.n_numbers;
    for (size_t k = 0; k < N_OF(order); k++)
        for (uint32_t r = 0; r < e->n_runs && !run; r++)
            run = e->runs[r].mode == order[k] && pace_of(&e->runs[r]).seconds > 0 ? &e->runs[r] : NULL;
    if (!run || i == ROOF_EXPLAIN_MOST)
        return ROOF_OK;
    TRY(begin_number(a, q, pace_of(run), err));
    const bool is_load = run->mode == ROOF_RUN_LOAD;
    q->numbers[i].run = run;
    q->numbers[i].threads = is_load ? run->threads : a->threads;
    q->question.traits |=
        (is_load && run->threads > 1 ? ROOF_TRAIT(CORES_GIVEN) : 0) |
        (run->mode == ROOF_RUN_PER_LAYER ? ROOF_TRAIT(PROFILED) : 0) |
        (run->total.count >= 10 && run->total.count != ROOF_UNKNOWN ? ROOF_TRAIT(STEADY) : 0);
    if (e->phase)
        q->workload = (cli_workload){.phase = e->phase == ROOF_TEXT_DECODE ? "decode" : "prefill",
                                     .data_type = e->weight_type,
                                     .cache_type = e->cache_type,
                                     .prompt_tokens = e->prompt_tokens,
                                     .context_tokens = e->context_tokens};
    if (!q->hw && e->hardware_id)
        TRY(roof_hw_load(e->hardware_id, &q->hw, err));
    q->question.hw = q->hw;
    return model && os_may(OS_HERE, model, OS_MAY_BE) ? read_graph_once(a, q, i, model, err) : ROOF_OK;
}

/* A measured document, or what another tool wrote. */
static roof_status read_stated_profile(const arguments *a, requested *q, roof_error *err)
{
    const char *file = a->common.n_files ? *a->common.files : NULL;
    const roof_import_options options = {.model = NULL};
    bool is_document = false;
    if (!file || roof_graph_is_model(file))
        return error_set(err, ROOF_E_USAGE,
                         "which number? Give it with --measured, such as --measured 29fps");
    TRY(roof_is_document(file, &is_document, err));
    if (!is_document || roof_measured_read(file, &q->profile, err) != ROOF_OK)
        TRY(cli_wrong_file(file, false, roof_import_file(file, &options, &q->profile, err), err));
    for (uint32_t i = 0; i < q->profile->n_experiments; i++)
        TRY(take_experiment(a, q, &q->profile->experiments[i], err));
    return q->question.n_numbers ? ROOF_OK : error_data(err, "%.300s: it has no time of an inference", file);
}

/* Options say how it was measured. */
static roof_status read_traits(const arguments *a, requested *q, roof_error *err)
{
    const char *around = a->around ? a->around : "", *host = a->host ? a->host : "";
    const struct {
        bool is_there;
        uint64_t trait;
    } said[] = {{strcmp(around, "call") == 0, ROOF_TRAIT(CALL_ALONE)},
                {strcmp(around, "frame") == 0, ROOF_TRAIT(WHOLE_FRAME)},
                {strcmp(host, "python") == 0, ROOF_TRAIT(PYTHON)},
                {strcmp(host, "c") == 0, ROOF_TRAIT(CPLUSPLUS)},
                {a->first, ROOF_TRAIT(FIRST_RUN)},
                {a->steady, ROOF_TRAIT(STEADY)},
                {a->profiler, ROOF_TRAIT(PROFILED)},
                {a->predict.clock_hz > 0, ROOF_TRAIT(CLOCK_GIVEN)},
                {a->predict.cores > 1 || a->threads > 1, ROOF_TRAIT(CORES_GIVEN)},
                {a->predict.cores == 1 || a->threads == 1, ROOF_TRAIT(ONE_THREAD)},
                {a->predict.batch, ROOF_TRAIT(BATCH_GIVEN)},
                {a->workload.data_type, ROOF_TRAIT(TYPE_GIVEN)}};
    for (size_t i = 0; i < N_OF(said); i++)
        q->question.traits |= said[i].is_there ? said[i].trait : 0;
    if (*around && !said[0].is_there && !said[1].is_there)
        return error_set(err, ROOF_E_USAGE, "--around %.40s: want call or frame", around);
    return !*host || said[2].is_there || said[3].is_there
               ? ROOF_OK
               : error_set(err, ROOF_E_USAGE, "--host %.40s: want python or c", host);
}

static roof_status read_question(const arguments *a, requested *q, roof_error *err)
{
    cli_tokens contexts, prompts;
    q->workload = a->workload;
    TRY(cli_tokens_parse("context", a->contexts, &contexts, err));
    TRY(cli_tokens_parse("seq-len", a->prompts, &prompts, err));
    q->workload.context_tokens = contexts.n ? *contexts.tokens : 0;
    q->workload.prompt_tokens = prompts.n ? *prompts.tokens : 0;
    q->question.numbers = q->numbers;
    if (a->measured.n > ROOF_EXPLAIN_MOST)
        return error_set(err, ROOF_E_USAGE, "%u numbers; want at most %d", a->measured.n, ROOF_EXPLAIN_MOST);
    TRY(read_traits(a, q, err));
    const roof_status status = a->hw ? roof_hw_load(a->hw, &q->hw, err) : ROOF_OK;
    q->question.hw = q->hw;
    q->question.hardware = q->hw ? NULL : a->hw;
    if (status != ROOF_OK && (status != ROOF_E_NO_INPUT || !a->published.n))
        return status;
    if (status != ROOF_OK) /* a board that no entry has leaves ratios, where there is a published number */
        cli_note("%s; ratios alone are explained", err->what);
    if (!a->measured.n)
        TRY(read_stated_profile(a, q, err));
    for (uint32_t i = 0; i < a->measured.n; i++) {
        char *text = strdup(a->measured.items[i]);
        const roof_status taken = text ? take_stated(a, q, text, err) : error_memory(err);
        free(text);
        TRY(taken);
    }
    return a->published.n <= q->question.n_numbers
               ? ROOF_OK
               : error_set(err, ROOF_E_USAGE, "%u published numbers, and %u of your own", a->published.n,
                           q->question.n_numbers);
}

/* --- the command ---------------------------------------------------------------------------------------- */

int cmd_explain(int argc, char **argv)
{
    static arguments a; /* lists have room in it */
    static requested q; /* numbers do */
    roof_explanation *e = NULL;
    roof_error err;
    a = (arguments){.common = {.output.shows = ROOF_DOCUMENT_EXPLANATION}};
    CLI_PARSE(&a, known_options, cli_parse_key, "[MODEL...]", doc, cli_output_child);
    roof_status status = read_question(&a, &q, &err);
    THEN(status, cli_note_broken_hardware(&err));
    THEN(status, roof_explain(&q.question, &e, &err));
    THEN(status, cli_write_document(e, &a.common.output, &err));
    roof_explanation_free(e);
    for (uint32_t i = 0; i < ROOF_EXPLAIN_MOST; i++)
        roof_graph_free(q.graphs[i]);
    roof_measured_free(q.profile);
    roof_hw_free(q.hw);
    return status == ROOF_OK ? CLI_DONE : cli_fail(&err);
}
