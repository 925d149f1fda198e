/* Importers share these: remarks, experiments and their runs, the guess of a mode. */
#include "measure/import/importer.h"
#include "roofline/graph.h"

#include <ctype.h>
#include <stdarg.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

bool import_has_words(const importer_mark *mark, const char *text, size_t size)
{
    for (size_t i = 0; i < N_OF(mark->words) && mark->words[i]; i++) {
        bool want = mark->words[i][0] != '!';
        const char *word = mark->words[i] + !want;
        if ((memmem(text, size, word, strlen(word)) != NULL) != want)
            return false;
    }
    return true;
}

void import_note(import_state *in, const char *format, ...)
{
    char text[900], shown[1000];
    va_list args;
    va_start(args, format);
    int length = print_list(text, sizeof text, format, args);
    va_end(args);
    if (length < 0 || in->notes.length + sizeof shown > in->notes.max_bytes)
        return;
    if (in->notes.length)
        text_puts(&in->notes, "; ");
    text_puts(&in->notes, quote_text(shown, sizeof shown, text, strlen(text)));
}

void import_note_count(import_state *in, uint64_t n, const char *what)
{
    if (n)
        import_note(in, "%llu %s", (unsigned long long)n, what);
}

void import_check_sum(import_state *in, double sum, double stated, double tolerance, const char *unit,
                      const char *of)
{
    if (fabs(stated - sum) > tolerance)
        import_note(in, "the rows add up to %s %s, and %s states %s %s", NUMBER(sum), unit, of,
                    NUMBER(stated), unit);
}

roof_status import_doubt(import_state *in, roof_doubt_kind kind, roof_error *err, const char *format, ...)
{
    enum { MOST_OF_A_KIND = 4 };
    static const char *const says[ROOF_DOUBT_KINDS] = {"a host's emulation",
                                                       "the clock is half of what was expected",
                                                       "the bus is half as wide as expected",
                                                       "an unsigned underflow printed as bytes",
                                                       "a number without its unit",
                                                       "a log was written meanwhile"};
    va_list args;
    uint32_t n = 0;
    for (uint32_t i = 0; i < in->n_doubts; i++)
        n += in->doubts[i].kind == kind;
    if (n == MOST_OF_A_KIND)
        return ROOF_OK;
    TRY(ARENA_MORE(in->scratch, in->doubts, in->n_doubts, err));
    va_start(args, format);
    const char *text = arena_vprintf(in->scratch, format, args);
    va_end(args);
    TRY(ALLOCATED(text, err));
    in->doubts[in->n_doubts++] = (roof_doubt){kind, text};
    import_note(in, "%s: %s", says[kind], text);
    return ROOF_OK;
}

roof_status import_saw(import_state *in, span_of_time span, double tick_s, roof_error *err)
{
    in->spans.tick_s = tick_s;
    return spans_add(&in->spans, in->scratch, span, err);
}

/* A kernel that is a message between devices, by its name: "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(...)".
 * RCCL has the names of NCCL, too. */
static bool is_message(text_span name)
{
    return span_has(name, "nccl") || span_has(name, "rccl") || span_has(name, "NCCL");
}

roof_status import_saw_named(import_state *in, span_of_time span, double tick_s, text_span name,
                             roof_error *err)
{
    const bool is_copy = !name.text, is_move = is_copy || is_message(name);
    const double moved_s = is_move && span.to > span.from ? (double)(span.to - span.from) * tick_s : 0;
    in->moves_s += moved_s;
    in->messages_s += is_copy ? 0 : moved_s;
    if (!is_copy)
        TRY(import_saw(in, span, tick_s, err));
    in->work.tick_s = in->moves.tick_s = in->all.tick_s = tick_s;
    TRY(spans_add(is_move ? &in->moves : &in->work, in->scratch, span, err));
    return spans_add(&in->all, in->scratch, span, err);
}

void import_tell_hidden(import_state *in, uint64_t steps, bool of_copies)
{
    const double per_step_ms = 1e3 / (steps ? (double)steps : 1), work_s = spans_busy(&in->work),
                 all_s = spans_busy(&in->all), hidden_s = spans_busy(&in->moves) - (all_s - work_s);
    if ((in->messages_s > 0 || (of_copies && in->moves_s > 0)) && !isnan(hidden_s))
        import_note(
            in, "communication (NCCL, RCCL, copies) takes %s ms%s, and %s ms of it are hidden under kernels",
            NUMBER(in->moves_s * per_step_ms), steps ? " a step" : "",
            NUMBER(fmax(0, hidden_s) * per_step_ms));
    in->messages_s = 0;
}

void import_tell_messages(roof_run *run)
{
    bool any = false;
    for (uint32_t i = 0; i < run->n_layers; i++)
        any = any || (run->layers[i].name && is_message(span_of(run->layers[i].name)));
    for (uint32_t i = 0; i < run->n_layers && any; i++) {
        roof_measured_layer *row = &run->layers[i];
        if (row->name && is_message(span_of(row->name)))
            row->type = "communication";
        else if (!row->type)
            row->type = "kernel";
    }
}

const char *import_number(char buffer[REMARK_NUMBER_SIZE], double value)
{
    number_format_derived(buffer, REMARK_NUMBER_SIZE, round(value * 1e3) / 1e3);
    return buffer;
}

/* "net" of "models/net.xmodel" and "models/net/". Plans have the same few names everywhere, and some are
 * folders: the network's name is in them. Other faults of a model are reported where it is read. NULL without
 * memory. */
static const char *name_of_model(roof_measured *m, const char *path)
{
    size_t length = strlen(path), from;
    while (length > 1 && path[length - 1] == '/')
        length--;
    for (from = length; from && path[from - 1] != '/';)
        from--;
    const char *dot = memrchr(path + from, '.', length - from);
    if (!dot || (size_t)(path + length - dot) != 7 || memcmp(dot, ".xmodel", 7) != 0) {
        roof_graph *graph = NULL;
        roof_error ignored;
        roof_status status = roof_graph_read(path, &graph, &ignored);
        bool is_named = status == ROOF_OK && graph->is_named && *graph->name;
        const char *name = is_named ? arena_strdup(m->storage->arena, graph->name) : NULL;
        roof_graph_free(graph);
        if (is_named || status == ROOF_E_NO_MEMORY)
            return name;
    }
    return arena_utf8(m->storage->arena, path + from,
                      dot && dot > path + from ? (size_t)(dot - path) - from : length - from);
}

roof_experiment *import_add_experiment(import_state *in, const char *model)
{
    const roof_import_options *o = in->options;
    roof_experiment *e = measured_add_experiment(in->out);
    if (!e)
        return NULL;
    e->model_name = model;
    if (o->model) {
        e->model_path = e->resolved_path = arena_strdup(in->out->storage->arena, o->model);
        e->model_name = model ? model : name_of_model(in->out, o->model);
    }
    if (o->hardware)
        e->hardware_id = arena_strdup(in->out->storage->arena, o->hardware);
    e->place = arena_strdup(in->out->storage->arena, in->path);
    return o->model && !e->model_name ? NULL : e;
}

roof_experiment *import_experiment_of(import_state *in, const char *model)
{
    for (uint32_t i = model ? 0 : in->first; i < in->out->n_experiments; i++) {
        roof_experiment *e = &in->out->experiments[i];
        const char *name = e->model_name;
        if (model ? name && strcmp(name, model) == 0 : !name || in->options->model)
            return e;
    }
    return import_add_experiment(in, model);
}

roof_status import_one_model(import_state *in, const char *model, roof_error *err)
{
    if (in->options->model && in->model && model && strcmp(in->model, model) != 0)
        return error_set(err, ROOF_E_USAGE,
                         "the file has runs of '%s' and of '%s', and --model names one file; import it "
                         "without --model, or cut it in two",
                         SHOWN_TEXT(in->model), SHOWN_TEXT(model));
    in->model = in->model ? in->model : model;
    return ROOF_OK;
}

roof_status import_add_run(import_state *in, const char *model, roof_run_mode mode, roof_run **out,
                           roof_error *err)
{
    TRY(import_one_model(in, model, err));
    roof_experiment *e = import_experiment_of(in, in->options->model ? NULL : model);
    *out = e ? experiment_add_run(in->out, e, mode) : NULL;
    return ALLOCATED(*out, err);
}

roof_status import_name_model(import_state *in, const char *name, roof_error *err)
{
    if (!name || !*name || in->out->n_experiments <= in->first)
        return ROOF_OK;
    return import_keep_name(in, span_of(name), &in->out->experiments[in->first].model_name, err);
}

roof_status import_mode(import_state *in, size_t n_rows, roof_run_mode *out, roof_error *err)
{
    enum { MOST_SUBGRAPHS = 2 };
    const char *word = in->options->mode;
    for (int mode = 0; word && mode < ROOF_RUN_LOAD; mode++)
        if (strcmp(roof_run_mode_text((roof_run_mode)mode), word) == 0) {
            *out = (roof_run_mode)mode;
            return ROOF_OK;
        }
    if (word)
        return error_set(err, ROOF_E_USAGE, "no mode '%s', want bypass or per_layer", SHOWN_TEXT(word));
    *out = n_rows > MOST_SUBGRAPHS ? ROOF_RUN_PER_LAYER : ROOF_RUN_BYPASS;
    import_note(in,
                "the file does not state whether its %zu row%s or layers: taken for a %s run, --mode %s says "
                "otherwise",
                n_rows, n_rows == 1 ? " is of a whole subgraph" : "s are of whole subgraphs",
                roof_run_mode_text(*out), *out == ROOF_RUN_BYPASS ? "per_layer" : "bypass");
    return ROOF_OK;
}

bool import_counts_agree(const roof_run *run)
{
    for (uint32_t i = 1; i < run->n_layers; i++)
        if (run->layers[i].time.count != run->layers[0].time.count)
            return false;
    return run->n_layers > 0;
}

double import_sum_of_rows(const roof_run *run)
{
    double sum_s = 0;
    for (uint32_t i = 0; i < run->n_layers; i++)
        sum_s += run->layers[i].time.mean_s * run->layers[i].executions;
    return sum_s;
}

/* True if the executions of every row are known, and fit together. */
static bool has_counts(const roof_run *run)
{
    uint64_t sum = 0;
    bool all = run->n_layers > 0;
    for (uint32_t i = 0; i < run->n_layers && all; i++) {
        const roof_measured_layer *row = &run->layers[i];
        all = row->time.count > 0 && row->time.count < ROOF_NONE - sum && row->executions <= 1 &&
              !(row->counters && row->counters->n_phases);
        sum += all ? row->time.count : 0;
    }
    return all;
}

/* True if the user states the number of inferences that the layers of a run are of. */
static bool user_says_inferences(const import_state *in, const roof_run *run)
{
    return in->options->inferences && run->mode == ROOF_RUN_PER_LAYER && has_counts(run);
}

void import_sum_up(import_state *in, roof_run *run)
{
    bool agree = import_counts_agree(run), is_told = user_says_inferences(in, run);
    if (!agree && !is_told)
        import_note(in,
                    "%s run: rows were run different numbers of times, so it is unknown how often one "
                    "inference runs each",
                    roof_run_mode_text(run->mode));
    if (!agree || is_told) {
        import_sum_iterations(in, run, 0);
        return;
    }
    run->sum_of_layers_s = import_sum_of_rows(run);
    run->iterations = run->layers[0].time.count;
    if (run->n_layers > 1 && run->iterations != ROOF_UNKNOWN)
        import_note(in, "%s run: the %u rows ran equally often (%llu), which is taken for as many inferences",
                    roof_run_mode_text(run->mode), run->n_layers, (unsigned long long)run->iterations);
    if (run->iterations != ROOF_UNKNOWN)
        run->launches = run->n_layers;
    if (run->mode == ROOF_RUN_PER_LAYER) {
        run->boundaries = run->launches;
        return;
    }
    if (run->n_layers == 1) { /* of one row all is known; sums of several have a mean only */
        run->total = run->layers[0].time;
    } else {
        run->total.mean_s = run->sum_of_layers_s;
        run->total.count = run->iterations;
    }
    if (!isnan(run->total.mean_s))
        import_note(in,
                    "whole-network run: the total is of the DPU subgraphs only, without what the CPU does");
}

void import_sum_iterations(import_state *in, roof_run *run, uint64_t iterations)
{
    uint64_t launches = 0;
    double all_s = 0;
    bool whole = run->n_layers > 0;
    const roof_measured_layer *uneven =
        NULL; /* the first that does not run equally often in every iteration */
    if (!iterations && user_says_inferences(in, run))
        iterations = in->options->inferences;
    if (!iterations) {
        run->is_recording = has_counts(run);
        if (run->is_recording)
            import_note(in,
                        "%s run: of the whole recording, in which a row takes its mean times its count, as "
                        "long as --inferences does not say of how many inferences that is",
                        roof_run_mode_text(run->mode));
        return;
    }
    FOR_EACH(const roof_measured_layer, row, run->layers, run->n_layers) {
        uint64_t count = row->time.count;
        all_s += row->time.mean_s * (double)count;
        launches += count;
        whole = whole && count % iterations == 0 && count / iterations <= UINT32_MAX;
        if (!uneven && count != ROOF_UNKNOWN && count % iterations)
            uneven = row;
    }
    run->iterations = iterations;
    run->sum_of_layers_s = all_s / (double)iterations;
    if (!whole || launches / iterations > UINT32_MAX) {
        run->is_recording = has_counts(run);
        import_note(in, "not all rows ran equally often in each of %llu iterations, so the sum is their mean",
                    (unsigned long long)iterations);
        if (uneven && uneven->name)
            import_note(in, "'%.60s' ran %llu times, %s times an inference on average", uneven->name,
                        (unsigned long long)uneven->time.count,
                        NUMBER((double)uneven->time.count / (double)iterations));
        return;
    }
    for (uint32_t i = 0; i < run->n_layers; i++)
        run->layers[i].executions = (uint32_t)(run->layers[i].time.count / iterations);
    run->launches = run->boundaries = (uint32_t)(launches / iterations);
}

roof_status import_check_name(text_span name, roof_error *err)
{
    if (!name.length)
        return error_data(err, "an empty name");
    if (utf8_first_bad(name.text, name.length) < name.length)
        return error_data(err, "the name '%s' holds control characters", SHOWN(name));
    return ROOF_OK;
}

roof_status import_keep_name(import_state *in, text_span name, const char **out, roof_error *err)
{
    enum { MOST_RECENT = 1 << 12 };
    TRY(import_check_name(name, err));
    if (!in->recent && !(in->recent = NEW_ARRAY(in->scratch, const char *, MOST_RECENT)))
        return error_memory(err);
    const char **kept = &in->recent[XXH3_64bits(name.text, name.length) % MOST_RECENT];
    if (!*kept || !span_is(name, *kept))
        *kept = measured_text(in->out, name.text, name.length);
    *out = *kept;
    return ALLOCATED(*out, err);
}

/* --- rows that are no layers ------------------------------------------------------------------------------
 *
 * A row that is the sum of the others is none of the layers: tables end with "Total" as often as not. */

/* Names of such rows, letters alone. A layer may be called sum as well: then the numbers decide. */
static const struct {
    const char *letters;
    bool may_be_layer;
} words[] = {{"total", false},       {"totals", false},      {"grandtotal", false}, {"totaltime", false},
             {"overall", false},     {"sumoflayers", false}, {"alllayers", false},  {"layertotal", false},
             {"totallayers", false}, {"sum", true}};

enum { N_WORDS = N_OF(words) };

static size_t word_of(const char *name)
{
    char letters[24];
    size_t n = 0;
    for (const char *c = name ? name : ""; *c; c++) {
        if (n + 1 == sizeof letters || isdigit((unsigned char)*c))
            return N_WORDS;
        if (isalpha((unsigned char)*c))
            letters[n++] = (char)tolower((unsigned char)*c);
    }
    letters[n] = '\0';
    return NAMED_AT(words, N_WORDS, letters, letters);
}

static bool is_near(double a, double b)
{
    static const double same_sum_ratio = 0.01; /* sums of printed numbers are off by their last digits */
    return fabs(a - b) <= same_sum_ratio * fmax(a, b);
}

/* The time of all executions in one inference; NaN: unknown. */
static double row_seconds(const roof_measured_layer *row)
{
    const double mean_s = isnan(row->time.mean_s) ? row->time.median_s : row->time.mean_s;
    return mean_s * (row->executions ? row->executions : 1);
}

static void take_row(import_state *in, roof_run *run, uint32_t row)
{
    const char *name = run->layers[row].name;
    double stated_s = row_seconds(&run->layers[row]), sum_s = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < run->n_layers; i++) {
        double seconds = i == row ? NAN : row_seconds(&run->layers[i]);
        if (isnan(seconds) || word_of(run->layers[i].name) < N_WORDS)
            continue;
        sum_s += seconds;
        n++;
    }
    double others_s = n ? sum_s : (double)NAN, with_s = stated_s + others_s;
    bool is_sum = is_near(stated_s, others_s);
    if (words[word_of(name)].may_be_layer && (!is_sum || run->n_layers < 3))
        return;
    memmove(&run->layers[row], &run->layers[row + 1], (run->n_layers - row - 1) * sizeof *run->layers);
    run->n_layers--;
    /* The import counted and added up with the row in it. */
    run->boundaries -= run->boundaries == run->n_layers + 1;
    run->launches -= run->launches == run->n_layers + 1;
    if (is_near(run->sum_of_layers_s, with_s))
        run->sum_of_layers_s = others_s;
    if (run->mode == ROOF_RUN_BYPASS && is_near(run->total.mean_s, with_s)) {
        run->total = times_unknown();
        run->total.mean_s = others_s;
    }
    if (is_sum) {
        run->sum_of_layers_s = isnan(run->sum_of_layers_s) ? stated_s : run->sum_of_layers_s;
        import_note(in, "row '%s' is the sum of the other %u, and no layer", SHOWN_TEXT(name), run->n_layers);
    } else if (isnan(stated_s) || isnan(others_s)) {
        import_note(in, "row '%s' is left out: it is no layer", SHOWN_TEXT(name));
    } else {
        import_note(in,
                    "row '%s' of %s ms is left out: it is no layer, and the other %u add up to %s ms; look "
                    "for rows that are missing or doubled",
                    SHOWN_TEXT(name), NUMBER(1e3 * stated_s), run->n_layers, NUMBER(1e3 * others_s));
    }
}

void import_take_totals(import_state *in, roof_run *run)
{
    for (uint32_t i = run->n_layers; i-- > 0 && run->n_layers > 1;)
        if (word_of(run->layers[i].name) < N_WORDS)
            take_row(in, run, i);
}

/* --- files that lie beside a profile and hold no times of a network: which file to take instead --------- */

#define OF_XRT                                                                                               \
    "a trace of XRT's own functions, without runs on a DPU; import vart_trace.csv, which vaitrace writes, "  \
    "or device_trace_0.csv, which XRT writes with device_trace=fine"
#define OF_STEDGEAI(command)                                                                                 \
    "this is what `stedgeai " command                                                                        \
    "` reports, which has no times: `roofline inspect` shows its epochs and pools, `roofline predict` "      \
    "takes it beside c_info.json or network.csv, and network_validate_report.txt, which `stedgeai "          \
    "validate --mode target` writes, is what to import"

static const struct {
    importer_mark mark;
    const char *advice;
} known[] = {
    {{.words = {"Profile Summary", "Profiled application:"}},
     "XRT's summary.csv counts calls of its own functions and has no times of a network; import "
     "profile_summary.csv or vart_trace.csv, which lie beside it, or one with times of compute units, which "
     "device_counters=true asks for"},
    {{.words = {"\"schema_version\"", "\"files\""}},
     "xrt.run_summary only lists other files; import vart_trace.csv, profile_summary.csv, summary.csv or "
     "device_trace_0.csv, which lie beside it"},
    {{.words = {"\"subgraph_name\":", "\"op_list\":"}},
     "this describes subgraphs and has no times; import the raw trace beside it, vaitrace_PID without "
     "subgraph_info in its name"},
    {{.words = {"\"Layers\"", "\"LayerType\""}},
     "layers of a TensorRT engine without times; import what trtexec --exportProfile writes, and name this "
     "file with --map"},
    {{.words = {"\"Unique Tag\"", "Total ticks across all events"}},
     "sums over kinds of operators, which LogTicksPerTagCsv() of TensorFlow Lite Micro prints; call LogCsv() "
     "of its profiler, which has a row for each operator"},
    {{.words = {"PK\x03\x04", "ETRECORD_V0"}},
     "an .etrecord of ExecuTorch has graphs and no times; import the .etdp beside it, or what "
     "Inspector(etdump_path=..., etrecord=...).save_data_to_tsv() writes, whose rows have the names"},
    {{.words = {"VTF File Version", "MAPPING"}}, OF_XRT},
    {{.words = {"VTF File Version", "STRUCTURE"}}, OF_XRT},
    {{.words = {"[Debug]", "_trace"}},
     "the settings of XRT have no times; import what was written with them, such as vart_trace.csv"},
    {{.words = {"\"Domain\"", "\"Function\"", "\"Start_Timestamp\""}},
     "calls of the host's API and nothing that ran on the device; import kernel_trace.csv, which `rocprofv3 "
     "--kernel-trace` writes"},
    {{.words = {"\"Counter_Name\"", "\"Counter_Value\"", "\"Kernel_Name\""}},
     "counters of kernels without their times; import kernel_trace.csv, which `rocprofv3 --kernel-trace` "
     "writes"},
    {{.words = {"workload_name,", "gpu_arch,"}},
     "this describes a machine and has no times; import pmc_perf.csv or timestamps.csv beside it"},
    {{.words = {"HBMBw,", "FP32Flops"}},
     "these are ceilings of a GPU that rocprof-compute measured, which are hardware and no profile: name the "
     "file with --hw; import pmc_perf.csv beside it"},
    {{.words = {"Dispatch_ID", "Kernel_Name", "!Start_Timestamp"}},
     "names of kernels without their times; import pmc_perf.csv or timestamps.csv beside it"},
    {{.words = {"stats report", "Total Time (ns)"}},
     "tables of nsys for people, whose names may be cut; `nsys stats -r cuda_gpu_kern_sum -f csv` writes "
     "what to import"},
    {{.words = {"PERFILE2"}},
     "samples of `perf record`, which have no times of layers: import what `perf stat -j` counts"},
    {{.words = {"Total Execution Time:", "times inference"}},
     "tables of MediaTek's Neuron profiler, one inside the other: keep the deepest with its headings, and "
     "import it with --map 'name=Description,time=Time/Inf.:ms'"},
    {{.words = {"Weight (in view)"}},
     "a table of Windows Performance Analyzer, samples of the host: import it with --map "
     "'name=Function,time=Weight (in view) (ms):ms', where Function is the column that names rows"},
    {{.words = {"$enddefinitions", "$timescale"}},
     "a waveform (VCD) of a simulator such as Vivado's or Questa, without rows: have the test bench print "
     "name,cycles of each layer, and import that table with --map 'name=name,cycles=cycles:100MHz'"},
    {{.words = {"HLS Report for", "Latency (cycles)"}},
     "estimates of Vitis HLS for one function, which are no measurement: `roofline predict --hw` takes a "
     "described array; times of a run are in the summary.csv or device_trace_0.csv that XRT writes"},
    {{.words = {"Timing Analyzer", "Fmax"}},
     "the clock that Quartus reached, and no times: give it with --hw ID,clock=..., and import what the "
     "board or the test bench timed as a table with --map"},
    {{.words = {"ST Edge AI Core v", "Parameters            : generate"}}, OF_STEDGEAI("generate")},
    {{.words = {"ST Edge AI Core v", "Parameters            : analyze"}}, OF_STEDGEAI("analyze")},
    {{.words = {"roofline.measured/1", "\"schema\""}},
     "this is a measured document already, and needs no import"},
    {{.words = {"roofline.prediction/1", "\"schema\""}}, "this is a prediction, which has no measured times"},
};

const char *import_advice(const char *text, size_t size)
{
    for (size_t i = 0; i < N_OF(known); i++)
        if (import_has_words(&known[i].mark, text, size))
            return known[i].advice;
    return NULL;
}
