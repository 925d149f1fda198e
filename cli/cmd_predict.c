#include "cli/cli.h"
#include "roofline/annotate.h"
#include "roofline/calibration.h"
#include "roofline/configurations.h"
#include "roofline/words.h"

typedef struct arguments {
    cli_arguments common;
    const char *hw, *calibration, *chart, *annotate;
    bool strict;
    roof_predict_options predict;
    cli_workload workload;
    const char *what_if, *without_rule, *metric;
    const char *threads;
    uint32_t counts[ROOF_MOST_THREAD_COUNTS];
    roof_load load;
    bool configurations;
    const char *fps;
    const char *batches;
    const char *contexts, *prompts, *at, *draft; /* of a language model; at: of other networks as well */
    const char *measured_on;
    double memory_bytes, power_w, accept, verify_s;
    uint32_t ahead, answer_tokens;
    cli_tokens context_list, prompt_list, batch_list;
    cli_anchors anchors;
    cli_own_times own, other_devices; /* behind what options set: keys of these hold no larger offsets */
} arguments;

static const struct argp_option known_options[] = {
    CLI_OPTION("hw", TEXT, hw, "HW",
               "The hardware: an id or alias (`roofline hw list`), a JSON file, or a description such as "
               "mac=2048/cycle,clock=300MHz,ddr=19.2GB/s [default: what the model was compiled for]. Several "
               "with commas between: each model is predicted on each; what has a '=' belongs to the "
               "description before it, until a key is there twice"),
    {0, 0, 0, 0, "Open in a file:", 0},
    CLI_SHAPE_OPTION(workload.shapes),
    CLI_OPTION("phase", TEXT, workload.phase, "PHASE",
               "Phase of a language model's config.json: prefill (the default) works on the prompt, decode "
               "makes the next token; both: a context sweep of each"),
    CLI_OPTION("seq-len", TEXT, prompts, "N,...",
               "Tokens of the prompt, such as 2048 or 2k (k is 1024) [default: 2048, or the most that the "
               "model was made for]. For an ONNX file: the open length of its sequences. Several, 1k,8k or "
               "1k..32k, are a context sweep"),
    {"seq", 0, 0, OPTION_ALIAS, 0, 0},
    CLI_OPTION("context", TEXT, contexts, "N,...",
               "Context length in tokens [default: the prompt length]; 1k,8k or 1k..128k (doubling) or "
               "1k..128k:12 (12 lengths) give a context sweep"),
    {"dtype", CLI_KEY(TEXT, workload.data_type), "TYPE", 0,
     "Data type to compute in, such as f16 [default: the model's own]. For a language model: its weight type"
#define FORM(name, bits, group, group_bits, stored) ", " name
#define FORM_OF_GGML(name, type, stored)            ", " name
#define FILE_TYPE(name, base, others, more, rule)
#include "roofline/weight_forms.def"
#undef FORM
#undef FORM_OF_GGML
#undef FILE_TYPE
     ", or int4:128 (a scale for so many)",
     0},
    CLI_OPTION("kv-dtype", TEXT, workload.cache_type, "TYPE", "KV cache type [default: bf16]"),
    CLI_OPTION(
        "memory", BYTES, memory_bytes, "BYTES",
        "Memory of the machine, such as 32GiB: whether a language model fits, and how long a context may be"),
    CLI_OPTION("answer", COUNT, answer_tokens, "N",
               "Output tokens of a request: also report TTFT and total time"),
    CLI_OPTION("power", WATTS, power_w, "W", "Power draw, to report the energy of a request"),
    CLI_OPTION("at", TEXT, at, "N=TIME,...",
               "A step of a language model that you measured, such as 1k=15.5ms: what is expected of other "
               "contexts goes through it. Two or more also tell what a token of context costs. On a board "
               "with published times FILE=TIME,...: other networks that you measured there. They move the "
               "law's level, and ten of them all its constants"),
    CLI_OPTION("draft", TEXT, draft, "FILE",
               "The config.json of a small model that proposes tokens: what that gains, and from which "
               "acceptance on"),
    CLI_OPTION("accept", RATIO, accept, "RATIO", "Acceptance rate of draft tokens [default: 0.7]"),
    CLI_OPTION("ahead", COUNT, ahead, "N", "Draft tokens per round [default: 4]"),
    CLI_OPTION(
        "verify", SECONDS, verify_s, "TIME",
        "Measured time of a step that verifies all draft tokens [default: one decode step, a lower bound]"),
    CLI_OPTION("gemm", TEXT, workload.product, "MxKxN:TYPES[:TILE]",
               "The matrix product that control code of an AI Engine array computes; without MODEL this "
               "product alone"),
    CLI_OPTION("measured-on", TEXT, measured_on, "DEVICE=TIME,...",
               "This network's time on another device of the maker, as you measured it. The median ratio of "
               "published times carries it over, where that is surer than the law"),
    {0, 0, 0, 0, "What if:", 0},
    CLI_OPTION(
        "batch", TEXT, batches, "N,...",
        "Batch size; 1,4,8 or 1..8 (doubling) give a row for each, and say which makes most of an inference"),
    CLI_OPTION("clock", HERTZ, predict.clock_hz, "HZ", "Clock of the accelerator, such as 300MHz"),
    CLI_OPTION("bandwidth", BYTES_PER_S, predict.bandwidth_bytes_per_s, "BYTES_PER_S",
               "Peak of the external memory, such as 19.2GB/s"),
    CLI_OPTION("what-if", TEXT, what_if, "NAME=FACTOR,...",
               "Replay the code with faster engines: load, save, conv, alu, eltwise, fetch (of instructions) "
               "or clock, as in load=2,alu=1.5. A plan has faster memories (octoFlash=2). precision=int8 "
               "takes another data type"),
    CLI_OPTION("cores", COUNT, predict.cores, "N",
               "Cores that are used and share the memory; with --cores 1 an inference has it alone. For "
               "published times of a processor: threads"),
    CLI_OPTION(
        "stack", TEXT, predict.stack, "NAME",
        "Expect the times of kernels by this compiler, mlir-air or iron, by constants in the device "
        "description [default: the model's own compiler where that is known]. For an uncompiled network on "
        "an STM32N6: st-edge-ai-2 (2.0) or st-edge-ai-3 (2.1 and later). For a language model: one of the "
        "entry's, such as fastflowlm, llama.cpp or mlx. For a board with published times: the runtime, such "
        "as hailort, rknn, qnn, edgetpu, ncnn, tflite or tensorrt [default: the board's usual one]"),
    CLI_OPTION(
        "without-rule", TEXT, without_rule, "R8",
        "For an uncompiled model: leave out this rule of lowering, which rests on published times alone"),
    CLI_OPTION(
        "calibration", TEXT, calibration, "FILE",
        "Also give expected times, by what `roofline reconcile --calibration-out` learned from profiles"),
    {0, 0, 0, 0, "In use:", 0},
    CLI_OPTION("threads", TEXT, threads, "N,...",
               "Inferences/s and latency with so many threads, such as 1,2,4 or 1..8, and how many are "
               "enough. Each thread has a runner of its own on one core"),
    CLI_OPTION("host", TEXT, load.host, "KIND",
               "CPU work of each frame: none, a kind of application (features, classify, yolo, ssd) or a "
               "measured time, such as 0.5ms [default: none]. Only with --threads or --configurations"),
    CLI_OPTION("configurations", FLAG, configurations, 0,
               "List every array size and core count that fits the device, with its rate and resources (one "
               "model, one board)"),
    CLI_OPTION("fps", TEXT, fps, "N",
               "With --configurations: find the cheapest one that reaches N inferences/s; --strict exits "
               "with 1 if none does"),
    {0, 0, 0, 0, "Contents:", 0},
    CLI_OPTION("findings", FLAG, common.output.render.all_findings, 0,
               "List every finding with what to do about it"),
    CLI_OPTION("details", FLAG, common.output.render.details, 0,
               "More columns and all layers, what each engine waits for, what faster engines would gain, and "
               "which layer sets the peak of memory"),
    CLI_TABLE_OPTIONS,
    CLI_OPTION("hash", FLAG, predict.hash, 0, "Add the SHA-256 of the whole file, which reads all weights"),
    CLI_OPTION("chart", TEXT, chart, "FILE",
               "Also draw the roofline into FILE, whose name ends in .svg, .png or .pdf, with gnuplot; its "
               "script and data stay beside it. Several models or boards stand side by side. --threads draws "
               "inferences/s and latency, --configurations inferences/s over resources. A FILE called "
               "graph.svg or NAME-graph.svg is the network's graph, drawn by Graphviz's dot. --top N closes "
               "blocks until it has at most N boxes"),
    CLI_OPTION(
        "metric", TEXT, metric, "NAME",
        "For --format model-explorer: the time it shows, ideal or expected [default: expected where known]"),
    CLI_OPTION("operators", FLAG, predict.names_operators, 0,
               "Have JSON name the operators of the file that each row stands for"),
    CLI_OPTION("annotate", TEXT, annotate, "FILE.onnx",
               "Also write a copy of an ONNX model whose nodes have the numbers in their metadata, which "
               "Netron shows"),
    CLI_OPTION("strict", FLAG, strict, 0, "Exit with 1 when there is any finding"),
    {0},
};

static const char doc[] =
    "Predicts how long a network takes on a device, and what limits it. Each layer has its "
    "multiply-accumulates, bytes of external memory, ideal cycles and bottleneck. Nothing is run: no board "
    "and no vendor software is needed.\vThe bound (column at best): no whole-network run is faster. It is "
    "the time of the instructions, replayed as early as what each one waits for allows. Where the code is "
    "unknown it is the floor: the sum over all layers of the engine that has most to do. Ideal is the sum "
    "over layers, each as long as its slowest engine; it is a bound of per-layer runs only. Expected times "
    "are estimates, by the built-in calibration of the board or your own; where there are such, rows are "
    "ranked by them. Without --details or --top the 20 largest rows are shown.\n"
    "\n"
    "Several models, or several boards, give one row a pair, and say first which board is fastest for which "
    "model. A pair that cannot be predicted stays, with the reason; the exit code tells only when none can "
    "be, or with --strict. JSON holds all predictions, for `roofline report`.\n"
    "\n"
    "Numbers need a unit, with an SI or IEC prefix. A finding is something to know before you use the "
    "result; the result stands.\n"
    "\n"
    "Examples:\n"
    "  roofline predict model.xmodel\n"
    "  roofline predict model.xmodel --hw kv260 --findings\n"
    "  roofline predict st_ai_ws/neural_art__network --hw stm32n6-normal\n"
    "  roofline predict model.xmodel --hw b4096 --clock 200MHz --bandwidth 9.6GB/s\n"
    "  roofline predict model.xmodel --what-if load=2,alu=2\n"
    "  roofline predict st_ai_ws/neural_art__network --what-if octoFlash=2\n"
    "  roofline predict config.json --hw npu2 --what-if precision=int8\n"
    "  roofline predict model.xmodel --hw kv260 --calibration board.json\n"
    "  roofline predict config.json --hw npu2 --phase decode --context 4096\n"
    "  roofline predict model.gguf --hw rtx-4090 --phase decode --context 4096\n"
    "  roofline predict config.json --hw npu2 --dtype q4_1 --context 1k..128k\n"
    "  roofline predict config.json --hw npu2 --seq-len 2k --answer 256\n"
    "  roofline predict --gemm '2048x1024x512:int8->int32:64x128x64' --hw npu2\n"
    "  roofline predict model.xmodel --hw b4096 --chart roofline.svg\n"
    "  roofline predict model.xmodel --hw b4096 --chart graph.pdf\n"
    "  roofline predict model.xmodel --hw b4096 --sort ideal --top 10\n"
    "  roofline predict model.xmodel --hw b4096 -o prediction.json\n"
    "  roofline predict a.xmodel b.xmodel --hw kv260,zcu104,npu2 --sort expected\n"
    "  roofline predict model.xmodel --hw zcu102 --threads 1,2,4,8 --host classify\n"
    "  roofline predict model.onnx --hw zcu102 --configurations --fps 60\n"
    "  roofline predict model.xmodel -o model.trace   # for ui.perfetto.dev\n"
    "  roofline predict model.xmodel --format netron -o netron.json\n"
    "  roofline predict model.xmodel --format model-explorer -o ideal.json\n"
    "  roofline predict model.onnx --hw kv260 --annotate annotated.onnx";

/* --- findings ----------------------------------------------------------------------------------------- */

/* "2 findings (1 model is compiled for another target; 1 value is assumed)" */
static void summarise(const roof_prediction *p, char *out, size_t size)
{
    uint32_t counts[ROOF_FINDING_COUNT] = {0};
    const char *between = "";
    char words[ROOF_SENTENCE_SIZE];
    for (uint32_t i = 0; i < p->n_findings; i++)
        counts[p->findings[i].kind]++;
    size_t used = (size_t)snprintf(out, size, "%u finding%s (", p->n_findings, p->n_findings == 1 ? "" : "s");
    for (int kind = 0; kind < ROOF_FINDING_COUNT && used < size; kind++) {
        if (!counts[kind])
            continue;
        used += (size_t)snprintf(out + used, size - used, "%s%s", between,
                                 roof_findings_words((roof_finding_kind)kind, counts[kind], words));
        between = "; ";
    }
    if (used < size)
        snprintf(out + used, size - used, ")");
}

static bool shows_findings(const char *format)
{
    return strcmp(format, "text") == 0 || strcmp(format, "markdown") == 0;
}

/* Text and Markdown show their number, and with --findings all of them; JSON holds them; CSV has none. */
static int report_findings(const roof_prediction *p, const arguments *a)
{
    const roof_render_options *render = &a->common.output.render;
    const bool lists = render->all_findings, shows = shows_findings(render->format);
    static char summary[1024], text[ROOF_SENTENCE_SIZE];
    if (!p->n_findings)
        return CLI_DONE;
    summarise(p, summary, sizeof summary);
    FOR_EACH(const roof_finding, f, p->findings, lists && !shows ? p->n_findings : 0)
        cli_note("%s: %s%s%s; %s", roof_severity_text(roof_finding_severity(f->kind)),
                 f->place ? f->place : "", f->place ? ": " : "", roof_finding_sentence(f, text),
                 roof_finding_advice(f->kind));
    if (a->strict)
        cli_note("--strict: %s%s", summary, lists ? "" : "; --findings lists them");
    else if (!shows && !lists && !render->brief)
        cli_note("%s; --findings lists them", summary);
    return a->strict ? CLI_CHECK_FAILED : CLI_DONE;
}

/* --- the command -------------------------------------------------------------------------------------- */

/* Without gnuplot the chart's script and data are there, and so is the rest. */
static roof_status write_all(const roof_prediction *p, const arguments *a, roof_error *err)
{
    const roof_render_options *render = &a->common.output.render;
    const uint32_t top = render->most_rows == ROOF_NONE ? 0 : render->most_rows;
    outputs set;
    roof_annotated annotated = {0};
    roof_status noted = ROOF_OK;
    TRY(outputs_begin(&set, err));
    const roof_status drawn = !a->chart ? ROOF_OK
                              : roof_draw_is_graph(a->chart)
                                  ? roof_draw_graph(render->graph, p, top, a->chart, err)
                                  : roof_draw_prediction(p, a->chart, &cli_watch, err);
    if (a->annotate && (drawn == ROOF_OK || drawn == ROOF_E_DEVICE))
        noted = roof_annotate(p, a->annotate, &annotated, err);
    const roof_status status =
        cli_write_drawn(&set, noted == ROOF_OK ? drawn : noted, p, &a->common.output, err);
    if ((status == ROOF_OK || status == ROOF_E_DEVICE) && annotated.has_external_data)
        cli_note("%s: weights lie in files beside the model, and are found from its folder alone: keep the "
                 "copy there",
                 a->annotate);
    return status;
}

/* Memory of the model, for people, with details. A file that states none adds nothing; any other reason is a
 * note. */
static roof_status read_memory(const roof_render_options *render, roof_memory **out, roof_error *err)
{
    if (!render->details || !shows_findings(render->format))
        return ROOF_OK;
    const roof_status status = roof_memory_of(render->graph, NULL, out, err);
    if (status == ROOF_OK || status == ROOF_E_UNSUPPORTED)
        return ROOF_OK;
    if (status != ROOF_E_NO_MEMORY)
        cli_note("what it needs of memory is unknown: %.300s", err->what);
    return status == ROOF_E_NO_MEMORY ? status : ROOF_OK;
}

static int predict(arguments *a)
{
    roof_render_options *render = &a->common.output.render;
    roof_prediction *prediction = NULL;
    roof_graph *graph = NULL;
    roof_memory *memory = NULL;
    static char repeated[2][CLI_COMMAND_SIZE];
    uint32_t nameless = 0;
    roof_calibration *calibration = NULL;
    roof_predict_options options = a->predict;
    roof_error err;
    int exit_code;

    render->metric = a->metric;
    roof_what_if_request requested;
    roof_status status = a->calibration ? roof_calibration_read(a->calibration, &calibration, &err) : ROOF_OK;
    options.calibration = calibration;
    options.commands.predict = cli_repeat(&a->common, NULL, repeated[0]);
    options.commands.advise =
        a->hw ? cli_repeat(&a->common, " hw clock bandwidth cores shape ", repeated[1]) : NULL;
    options.explores = render->details ? ROOF_EXPLORE_ALL : ROOF_EXPLORE_CAUSES;
    options.names_operators = a->predict.names_operators || a->annotate ||
                              roof_renderer_shows_operators(render->format) ||
                              (a->chart && roof_draw_is_graph(a->chart));
    options.no_steps = !a->chart && strcmp(render->format, "json") != 0;
    if (status == ROOF_OK && a->what_if) {
        status = error_placed(roof_what_if_parse(a->what_if, &requested, &err), &err, "--what-if %.200s",
                              a->what_if);
        options.what_if = requested.has_speedups ? &requested.speedups : NULL;
        options.changes = requested.has_changes ? &requested.changes : NULL;
    }
    THEN(status, cli_predict(a->common.n_files ? *a->common.files : NULL, a->hw, &a->workload, &options,
                             &graph, &prediction, &err));
    render->graph = graph;
    THEN(status, cli_note_broken_hardware(&err));
    /* what may fail comes before anything is written */
    THEN(status, read_memory(render, &memory, &err));
    render->memory = memory;
    if (status == ROOF_OK && roof_renderer_shows_operators(render->format))
        status = roof_renderer_nameless_operators(prediction, &nameless, &err);
    THEN(status, write_all(prediction, a, &err));
    if (status == ROOF_OK && nameless)
        cli_note("%u operator%s got no numbers: programs that show such a file know operators by name, and "
                 "these have none, or one that others have too",
                 nameless, nameless == 1 ? "" : "s");
    exit_code = status == ROOF_OK ? report_findings(prediction, a) : cli_fail(&err);
    roof_prediction_free(prediction);
    roof_memory_free(memory);
    roof_graph_free(graph);
    roof_calibration_free(calibration);
    return exit_code;
}

/* --- the network asked many times ----------------------------------------------------------------------- */

/* An answer of many rows, with the chart of such answers. */
static roof_status write_many(roof_document kind, const void *of, const arguments *a, roof_error *err)
{
    outputs set;
    TRY(outputs_begin(&set, err));
    const roof_status drawn =
        !a->chart                              ? ROOF_OK
        : kind == ROOF_DOCUMENT_PREDICTIONS    ? roof_draw_predictions(of, a->chart, &cli_watch, err)
        : kind == ROOF_DOCUMENT_CONFIGURATIONS ? roof_draw_configurations(of, a->chart, &cli_watch, err)
                                               : roof_draw_curve(of, a->chart, &cli_watch, err);
    return cli_write_drawn_of(&set, drawn, kind, of, &a->common.output, err);
}

/* First option given that only a single prediction can answer; NULL: none. */
static const char *senseless(const arguments *a, bool is_curve)
{
    const struct {
        const char *option;
        bool is_there;
    } options[] = {{"--batch", !is_curve && a->batches},
                   {"--batch 1,...", is_curve && a->batch_list.n},
                   {"--cores", a->predict.cores},
                   {"--clock", !is_curve && a->predict.clock_hz > 0},
                   {"--bandwidth", !is_curve && a->predict.bandwidth_bytes_per_s > 0},
                   {"--what-if", a->what_if},
                   {"--calibration", a->calibration},
                   {"--annotate", a->annotate},
                   {"--metric", a->metric},
                   {"--operators", a->predict.names_operators},
                   {"--hash", a->predict.hash},
                   {"--findings", a->common.output.render.all_findings},
                   {"--gemm", a->workload.product},
                   {"--threads", is_curve && a->threads},
                   {"--strict", is_curve && a->strict},
                   {"--without-rule", is_curve && a->without_rule}};
    for (size_t i = 0; i < N_OF(options); i++)
        if (options[i].is_there)
            return options[i].option;
    return NULL;
}

static bool is_one_on_one(const arguments *a)
{
    return a->common.n_files == 1 && !(a->hw && roof_hw_first_of(a->hw) < strlen(a->hw));
}

/* --- several models, several boards -------------------------------------------------------------------- */

/* Failures that end all pairs, not one: nothing else would work either. */
static bool is_of_all(roof_status status)
{
    return status == ROOF_E_NO_MEMORY || status == ROOF_E_IO;
}

/* Pairs so far, and how the first failed that could not be predicted. */
typedef struct asked_pairs {
    const arguments *a;
    const cli_boards *boards;
    roof_predict_options options;
    roof_predictions *all;
    roof_status first_failure;
    uint32_t n_predicted;
} asked_pairs;

/* One model on one board, with each batch: without batches that of the options. A pair that cannot be
 * predicted stays with the reason. */
static roof_status add_batches(asked_pairs *requested, const char *path, const roof_graph *graph,
                               size_t board, const roof_error *unread, roof_error *err)
{
    const cli_tokens *batches = &requested->a->batch_list;
    const char *name = requested->boards->n ? requested->boards->names[board] : NULL;
    for (uint32_t i = 0; i < (batches->n ? batches->n : 1); i++) {
        roof_predict_options options = requested->options;
        roof_prediction *prediction = NULL;
        roof_error why = *unread;
        roof_status failure = graph ? ROOF_OK : unread->status;
        static char text[ROOF_ERROR_WHERE_SIZE + ROOF_ERROR_WHAT_SIZE + 64];
        options.batch = batches->n ? batches->tokens[i] : options.batch;
        THEN(failure, cli_predict_on(graph, requested->boards->n ? requested->boards->hw[board] : NULL,
                                     &options, &prediction, &why));
        if (is_of_all(failure)) {
            *err = why;
            return failure;
        }
        requested->n_predicted += failure == ROOF_OK;
        if (failure != ROOF_OK) {
            requested->first_failure =
                requested->first_failure == ROOF_OK ? failure : requested->first_failure;
            roof_error_format(&why, text, sizeof text);
        }
        TRY(roof_predictions_add(requested->all, path, name, prediction, failure == ROOF_OK ? NULL : text,
                                 err));
        if (failure != ROOF_OK)
            requested->all->pairs[requested->all->n - 1].batch = options.batch;
    }
    return ROOF_OK;
}

/* One model, which is read once, on all boards; without these on what it was compiled for. */
static roof_status add_model(asked_pairs *requested, const char *path, roof_error *err)
{
    const size_t n = requested->boards->n ? requested->boards->n : 1;
    roof_graph *graph = NULL;
    roof_error why = {0};
    const roof_status unread = cli_read_model(path, &requested->a->workload, &graph, &why);
    roof_status status = is_of_all(unread) || unread == ROOF_E_NO_INPUT ? unread : ROOF_OK;
    if (status != ROOF_OK)
        *err = why;
    for (size_t i = 0; status == ROOF_OK && i < n; i++) {
        if (cli_is_watched())
            cli_progress("predicting %.200s on %.80s", path ? path : "the product",
                         requested->boards->n ? requested->boards->names[i] : "what it was compiled for");
        status = add_batches(requested, path, graph, i, &why, err);
    }
    roof_graph_free(graph);
    return status;
}

/* Every model on every board. first_failure: of the first reason, where no pair could be predicted. */
static roof_status ask_pairs(asked_pairs *requested, bool keeps_figures_alone, roof_error *err)
{
    const arguments *a = requested->a;
    for (size_t i = 0; i < a->common.n_files; i++)
        for (size_t k = 0; k < i; k++) {
            const char *first = a->common.files[k], *second = a->common.files[i];
            if (strcmp(first, second) == 0 || cli_is_same_file(first, second))
                return error_set(err, ROOF_E_USAGE, "'%.200s' is there twice; give each model once", second);
        }
    TRY(roof_predictions_new(&requested->all, err));
    requested->all->keeps_figures_alone = keeps_figures_alone;
    roof_status status = ROOF_OK;
    for (size_t i = 0; status == ROOF_OK && i < (a->common.n_files ? a->common.n_files : 1); i++)
        status = add_model(requested, a->common.n_files ? a->common.files[i] : NULL, err);
    cli_progress("%s", "");
    requested->first_failure = requested->n_predicted ? ROOF_OK : requested->first_failure;
    return status;
}

static int report_pairs(const roof_predictions *all, roof_status first_failure, bool strict)
{
    uint32_t n_failed = 0, n_findings = 0;
    for (uint32_t i = 0; i < all->n; i++) {
        n_failed += !all->pairs[i].prediction;
        n_findings += all->pairs[i].prediction ? all->pairs[i].findings : 0;
    }
    if (first_failure != ROOF_OK) {
        cli_note("none of %u pair%s could be predicted", all->n, all->n == 1 ? "" : "s");
        return roof_status_exit_code(first_failure);
    }
    return strict && n_failed ? cli_fail_strict("%u of %u pairs could not be predicted", n_failed, all->n)
                              : cli_done(strict, n_findings);
}

/* One model alone on the board that is expected to run it fastest, else on the first that could. */
static void next_of_pairs(arguments *a, const roof_predictions *all)
{
    char words[CLI_COMMAND_SIZE];
    const roof_pair *best = NULL;
    FOR_EACH(const roof_pair, p, all->pairs, a->common.n_files == 1 ? all->n : 0)
        if (p->prediction && p->asked_hw && p->path[0] &&
            (!best || (isnan(best->expected_s) && !isnan(p->expected_s)) || p->expected_s < best->expected_s))
            best = p;
    if (!best || !cli_repeat(&a->common, " hw ", words))
        return;
    words[0] = '\0';
    if (cli_repeat_word(words, NULL, best->path) && cli_repeat_word(words, "hw", best->asked_hw))
        cli_say_next(&a->common.output, "predict", words, "` shows its layers and what limits them.");
}

static int predict_pairs(arguments *a, const cli_boards *boards)
{
    asked_pairs requested = {.a = a, .boards = boards, .options = a->predict, .first_failure = ROOF_OK};
    roof_calibration *calibration = NULL;
    roof_error err;
    roof_status status = a->calibration ? roof_calibration_read(a->calibration, &calibration, &err) : ROOF_OK;
    requested.options.calibration = calibration;
    requested.options.data_type = a->workload.data_type;
    requested.options.explores = ROOF_EXPLORE_CAUSES;
    const char *format = a->common.output.render.format;
    requested.options.no_steps = strcmp(format, "json") != 0;
    THEN(status, ask_pairs(&requested, !a->chart && strcmp(format, "csv") == 0, &err));
    THEN(status, cli_note_broken_hardware(&err));
    const roof_predictions *all = requested.all;
    const bool writes_files = a->chart || (a->common.output.path && strcmp(a->common.output.path, "-") != 0);
    if (status == ROOF_OK && requested.first_failure != ROOF_OK &&
        writes_files) /* what fails replaces nothing */
        cli_note("no file is written; the first pair is %.200s on %.100s: %.600s", all->pairs->model,
                 all->pairs->hardware, all->pairs->why);
    else if (status == ROOF_OK) {
        next_of_pairs(a, all);
        status = write_many(ROOF_DOCUMENT_PREDICTIONS, all, a, &err);
    }
    int exit_code =
        status == ROOF_OK ? report_pairs(all, requested.first_failure, a->strict) : cli_fail(&err);
    roof_predictions_free(requested.all);
    roof_calibration_free(calibration);
    return exit_code;
}

/* What each network of --at is on that board. */
static roof_status sum_own_times(arguments *a, roof_error *err)
{
    const roof_predict_options options = {.explores = ROOF_EXPLORE_NOTHING, .no_steps = true};
    for (uint32_t i = 0; i < a->own.n; i++) {
        roof_prediction *p = NULL;
        TRY(cli_predict(a->own.names[i], a->hw, &a->workload, &options, NULL, &p, err));
        a->own.sums[i] = p->total.sums;
        a->own.times[i].sums = &a->own.sums[i];
        roof_prediction_free(p);
        if (!(a->own.sums[i].rows > 0))
            return error_set(
                err, ROOF_E_USAGE,
                "--at %.200s: its sums are unknown on this hardware, so that its time tells nothing of "
                "others",
                a->own.names[i]);
    }
    return ROOF_OK;
}

/* One model on one board is shown layer by layer. */
static int predict_asked(arguments *a)
{
    cli_boards boards = {0};
    roof_error err;
    const bool is_list = a->hw && roof_hw_first_of(a->hw) < strlen(a->hw);
    if (a->own.n && (is_list || !a->hw))
        return cli_fail_usage("--at FILE=TIME is of networks on one board: give that as --hw");
    if (sum_own_times(a, &err) != ROOF_OK)
        return cli_fail(&err);
    if (a->common.n_files < 2 && !is_list && !a->batch_list.n)
        return predict(a);
    if (a->what_if)
        return cli_fail_usage("--what-if needs exactly one model, one device and one batch");
    if (a->chart && roof_draw_is_graph(a->chart))
        return cli_fail_usage("--chart %.200s: a graph is of one model on one board; give another name for "
                              "times side by side",
                              a->chart);
    if (a->chart && a->batch_list.n)
        return cli_fail_usage("--chart %.200s: times of unlike batches are not drawn side by side; give one "
                              "batch",
                              a->chart);
    roof_status status = a->hw ? cli_boards_add(&boards, a->hw, &err) : ROOF_OK;
    int exit_code = status == ROOF_OK ? predict_pairs(a, &boards) : cli_fail(&err);
    cli_boards_free(&boards);
    return exit_code;
}

/* --- configurations of a board ------------------------------------------------------------------------ */

static roof_status find_configurations(const arguments *a, roof_configurations **out, roof_error *err)
{
    roof_configurations_request requested = {.host = a->load.host, .predict = &a->predict, .fps = NAN};
    roof_graph *graph = NULL;
    roof_hw *board = NULL;
    uint32_t n;
    if (a->fps && (quantity_parse(a->fps, "", &requested.fps, err) != ROOF_OK ||
                   !(requested.fps > 0 && requested.fps <= 1e9)))
        return error_set(err, ROOF_E_USAGE, "--fps %.60s: want inferences/s, more than 0, such as 60",
                         a->fps);
    if (a->threads && cli_thread_counts(a->threads, &requested.threads, 1, &n, err) != ROOF_OK)
        return error_set(err, ROOF_E_USAGE,
                         "--threads %.60s: with --configurations want one number, from 1 to %d, for all of "
                         "them; [default: 4 a core]",
                         a->threads, ROOF_MOST_THREADS);
    TRY(roof_hw_load(a->hw, &board, err));
    roof_status status = cli_read_model(*a->common.files, &a->workload, &graph, err);
    THEN(status, roof_configurations_find(graph, board, &requested, out, err));
    roof_graph_free(graph);
    roof_hw_free(board);
    return status;
}

static int predict_configurations(const arguments *a)
{
    roof_configurations *of = NULL;
    roof_error err;
    if (senseless(a, false))
        return cli_fail_usage("--configurations: %s needs a single prediction; leave it out, or give the "
                              "configuration as --hw",
                              senseless(a, false));
    if (!is_one_on_one(a))
        return cli_fail_usage("--configurations: want one model and one board");
    if (!a->hw)
        return cli_fail_usage("--configurations: of which board? Add --hw, such as --hw zcu102");
    roof_status status = find_configurations(a, &of, &err);
    THEN(status, cli_note_broken_hardware(&err));
    THEN(status, write_many(ROOF_DOCUMENT_CONFIGURATIONS, of, a, &err));
    const int exit_code =
        status != ROOF_OK ? cli_fail(&err)
        : a->strict && !isnan(of->asked_fps) && of->cheapest == ROOF_NONE
            ? cli_fail_strict("no configuration is sure to make %g inferences/s", of->asked_fps)
            : CLI_DONE;
    roof_configurations_free(of);
    return exit_code;
}

/* --- a language model --------------------------------------------------------------------------------- */

/* One length is that of the prediction. */
static roof_status read_language(arguments *a, roof_error *err)
{
    TRY(cli_tokens_parse("context", a->contexts, &a->context_list, err));
    TRY(cli_tokens_parse("seq-len", a->prompts, &a->prompt_list, err));
    TRY(cli_tokens_parse("batch", a->batches, &a->batch_list, err));
    if (cli_own_are_of_networks(a->at))
        TRY(cli_own_times_parse("at", a->at, &a->own, err));
    else
        TRY(cli_anchors_parse(a->at, &a->anchors, err));
    TRY(cli_own_times_parse("measured-on", a->measured_on, &a->other_devices, err));
    for (uint32_t i = 0; i < a->other_devices.n; i++)
        TRY(cli_check_hardware(a->other_devices.names[i], err));
    a->predict.own_times = a->own.times;
    a->predict.n_own_times = a->own.n;
    a->predict.other_device_times = a->other_devices.times;
    a->predict.n_other_device_times = a->other_devices.n;
    a->workload.context_tokens = a->context_list.n == 1 ? *a->context_list.tokens : 0;
    a->workload.prompt_tokens = a->prompt_list.n == 1 ? *a->prompt_list.tokens : 0;
    a->predict.batch = a->batch_list.n == 1 ? *a->batch_list.tokens : 0;
    if (a->batch_list.n < 2)
        a->batch_list.n = 0; /* that one is of the options */
    a->workload.asks_text = a->memory_bytes > 0 || a->anchors.n;
    a->predict.memory_bytes = (uint64_t)a->memory_bytes;
    a->predict.anchors = a->anchors.points;
    a->predict.n_anchors = a->anchors.n;
    if (!a->draft && (a->accept > 0 || a->ahead || a->verify_s > 0))
        return error_set(err, ROOF_E_USAGE, "--accept, --ahead and --verify need --draft FILE");
    if (!a->answer_tokens && a->power_w > 0)
        return error_set(err, ROOF_E_USAGE, "--power needs --seq-len and --answer");
    return ROOF_OK;
}

static bool asks_both_phases(const arguments *a)
{
    return a->workload.phase && strcmp(a->workload.phase, "both") == 0;
}

/* A phase that was requested without lengths has those of the other one; a session without contexts goes from
 * its prompt to its last token. own: room for these. */
static roof_status choose_lengths(const arguments *a, cli_tokens *own, roof_curve_options *o, roof_error *err)
{
    const bool is_both = asks_both_phases(a);
    const cli_tokens *contexts = &a->context_list, *prompts = &a->prompt_list;
    *own = (cli_tokens){.n = 0};
    if (a->answer_tokens && !contexts->n) {
        own->tokens[own->n++] = prompts->tokens[prompts->n - 1];
        if (a->answer_tokens > 1)
            own->tokens[own->n++] = own->tokens[0] + a->answer_tokens - 1;
        contexts = own;
    }
    if (is_both && !contexts->n)
        contexts = prompts;
    else if (is_both && !prompts->n)
        prompts = contexts;
    if (!contexts->n && !prompts->n)
        return error_set(err, ROOF_E_USAGE, "at which lengths? Add --context, such as --context 1k..128k");
    o->contexts = contexts->tokens;
    o->n_contexts = contexts->n;
    o->prompts = prompts->tokens;
    o->n_prompts = prompts->n;
    return ROOF_OK;
}

static roof_status find_curve(const arguments *a, roof_curve **out, roof_error *err)
{
    roof_curve_options options = {.batch = a->predict.batch,
                                  .stack = a->predict.stack,
                                  .clock_hz = a->predict.clock_hz,
                                  .bandwidth_bytes_per_s = a->predict.bandwidth_bytes_per_s,
                                  .memory_bytes = a->predict.memory_bytes,
                                  .anchors = a->anchors.points,
                                  .n_anchors = a->anchors.n,
                                  .session_prompt =
                                      a->answer_tokens ? a->prompt_list.tokens[a->prompt_list.n - 1] : 0,
                                  .session_answer = a->answer_tokens,
                                  .power_w = a->power_w,
                                  .accept = a->accept > 0 ? a->accept : 0.7,
                                  .ahead = a->ahead ? a->ahead : 4,
                                  .verify_s = a->verify_s};
    cli_workload workload = a->workload;
    roof_graph *graph = NULL, *draft = NULL;
    roof_hw *hw = NULL;
    static cli_tokens own;
    TRY(choose_lengths(a, &own, &options, err));
    workload.phase = NULL;
    workload.asks_text = true;
    TRY(roof_hw_load(a->hw, &hw, err));
    roof_status status = cli_read_model(*a->common.files, &workload, &graph, err);
    THEN(status, a->draft ? cli_read_model(a->draft, &workload, &draft, err) : ROOF_OK);
    options.draft = draft;
    THEN(status, roof_curve_predict(graph, hw, &options, out, err));
    roof_graph_free(graph);
    roof_graph_free(draft);
    roof_hw_free(hw);
    return status;
}

/* A curve over context lengths. */
static int predict_curve(const arguments *a)
{
    roof_curve *curve = NULL;
    roof_error err;
    if (senseless(a, true))
        return cli_fail_usage(
            "%s needs a single prediction, and this is a context sweep; leave it out, or give one length "
            "as --context or --seq-len",
            senseless(a, true));
    if (!is_one_on_one(a))
        return cli_fail_usage("a curve is of one model on one machine");
    if (!a->hw)
        return cli_fail_usage("a curve: on which machine? Add --hw, such as --hw npu2");
    if (a->answer_tokens && !a->prompt_list.n)
        return cli_fail_usage(
            "--answer: to a prompt of how many tokens? Add --seq-len, such as --seq-len 2k");
    roof_status status = find_curve(a, &curve, &err);
    THEN(status, cli_note_broken_hardware(&err));
    THEN(status, write_many(ROOF_DOCUMENT_CURVE, curve, a, &err));
    roof_curve_free(curve);
    return status == ROOF_OK ? CLI_DONE : cli_fail(&err);
}

/* --- the command line --------------------------------------------------------------------------------- */

int cmd_predict(int argc, char **argv)
{
    static arguments a; /* lists of lengths have room in it */
    a.common = (cli_arguments){.missing = "no model given: name a file",
                               .instead = &a.workload.product,
                               .output.shows = ROOF_DOCUMENT_PREDICTION};
    CLI_PARSE(&a, known_options, cli_parse_key, "MODEL...\n--gemm MxKxN:TYPES", doc, cli_output_child);
    if (a.chart && !roof_draw_is_picture(a.chart))
        return cli_fail_usage("--chart %.200s: want a name that ends in .svg, .png or .pdf", a.chart);
    if (a.annotate && !cli_ends_in(a.annotate, ".onnx"))
        return cli_fail_usage("--annotate %.200s: want a name that ends in .onnx", a.annotate);
    if (a.without_rule && strcmp(a.without_rule, "R8") != 0)
        return cli_fail_usage("--without-rule %.200s: want R8, the only rule that rests on times alone",
                              a.without_rule);
    roof_error err;
    a.predict.without_rules = a.without_rule ? 1U << 8 : 0;
    if (a.fps && !a.configurations)
        return cli_fail_usage("--fps %.60s needs --configurations and a board (--hw)", a.fps);
    if (a.configurations)
        return predict_configurations(&a);
    if (a.load.host && !a.threads)
        return cli_fail_usage("--host %.60s needs --threads, for example --threads 1,2,4,8", a.load.host);
    if (read_language(&a, &err) != ROOF_OK)
        return cli_fail(&err);
    if (a.context_list.n > 1 || a.prompt_list.n > 1 || a.answer_tokens || a.draft || asks_both_phases(&a))
        return predict_curve(&a);
    if (a.threads) {
        if (cli_thread_counts(a.threads, a.counts, ROOF_MOST_THREAD_COUNTS, &a.load.n_threads, &err) !=
            ROOF_OK)
            return cli_fail(&err);
        a.load.threads = a.counts;
        a.predict.load = &a.load;
    }
    return predict_asked(&a);
}
