/* make_phone_tflite - writes the files of examples/phone-tflite, into a folder that exists: the log of
 * TensorFlow Lite's benchmark_model on the processor of a phone, and what qnn-profile-viewer writes of the
 * same detector on its HTP. The network and its figures are invented. Exit 0, 1 (cannot write) or 2
 * (usage). */
#include "tests/support/example_files.h"
#include "tests/support/tflite_writer.h"

#include <stdlib.h>
#include <string.h>

enum {
    RUNS = 50,
    WARMUPS = 18,
    HTP_RUNS = 6,
    THREADS = 4,
    INIT_US = 41350,
    FIRST_US = 63120,
    IN_CYCLES = 21300,
    OUT_CYCLES = 3900
};

/* In the order of execution. The last one never runs on the HTP. Maps are square, of int8; a kernel of 0 has
 * no weights. */
static const struct {
    const char *type, *name;
    unsigned cpu_us, htp_cycles; /* summed over threads */
    int side, channels, kernel, stride;
    const char *inputs[2]; /* beside the operator before it: NULL is that one */
} operators[] = {
    {"CONV_2D", "stem/conv", 2410, 181000, 160, 16, 3, 2, {"image"}},
    {"DEPTHWISE_CONV_2D", "block1/depthwise", 720, 64100, 160, 16, 3, 1, {NULL}},
    {"CONV_2D", "block1/project", 655, 39800, 160, 16, 1, 1, {NULL}},
    {"CONV_2D", "block2/expand", 1980, 88300, 160, 48, 1, 1, {NULL}},
    {"DEPTHWISE_CONV_2D", "block2/depthwise", 905, 79400, 80, 48, 3, 2, {NULL}},
    {"CONV_2D", "block2/project", 740, 37100, 80, 24, 1, 1, {NULL}},
    {"CONV_2D", "block3/expand", 1120, 47500, 80, 96, 1, 1, {NULL}},
    {"DEPTHWISE_CONV_2D", "block3/depthwise", 690, 61200, 80, 96, 3, 1, {NULL}},
    {"CONV_2D", "block3/project", 905, 39900, 80, 24, 1, 1, {NULL}},
    {"ADD", "block3/add", 85, 15200, 80, 24, 0, 0, {"block3/project", "block2/project"}},
    {"CONV_2D", "block4/expand", 1105, 48800, 80, 96, 1, 1, {NULL}},
    {"DEPTHWISE_CONV_2D", "block4/depthwise", 340, 31500, 40, 96, 3, 2, {NULL}},
    {"CONV_2D", "block4/project", 620, 26900, 40, 40, 1, 1, {NULL}},
    {"CONV_2D", "block5/expand", 1240, 47200, 40, 160, 1, 1, {NULL}},
    {"DEPTHWISE_CONV_2D", "block5/depthwise", 365, 33800, 40, 160, 3, 1, {NULL}},
    {"CONV_2D", "block5/project", 1235, 44100, 40, 40, 1, 1, {NULL}},
    {"ADD", "block5/add", 38, 8100, 40, 40, 0, 0, {"block5/project", "block4/project"}},
    {"CONV_2D", "block6/expand", 1450, 52700, 40, 160, 1, 1, {NULL}},
    {"DEPTHWISE_CONV_2D", "block6/depthwise", 260, 22600, 20, 160, 3, 2, {NULL}},
    {"CONV_2D", "block6/project", 1395, 47800, 20, 80, 1, 1, {NULL}},
    {"CONV_2D", "neck/lateral", 480, 18900, 20, 40, 1, 1, {NULL}},
    {"RESIZE_NEAREST_NEIGHBOR", "neck/upsample", 190, 702000, 40, 40, 0, 0, {NULL}},
    {"CONCATENATION", "neck/concat", 120, 41700, 40, 80, 0, 0, {"neck/upsample", "block5/add"}},
    {"CONV_2D", "neck/fuse", 2130, 78400, 40, 64, 3, 1, {NULL}},
    {"CONV_2D", "head/boxes", 890, 31200, 40, 12, 1, 1, {"neck/fuse"}},
    {"CONV_2D", "head/classes", 1310, 44600, 40, 24, 1, 1, {"neck/fuse"}},
    {"RESHAPE", "head/boxes_flat", 12, 9700, 0, 4, 0, 0, {"head/boxes"}},
    {"RESHAPE", "head/classes_flat", 31, 24100, 0, 8, 0, 0, {"head/classes"}},
    {"LOGISTIC", "head/scores", 465, 52300, 0, 8, 0, 0, {"head/classes_flat"}},
    {"TFLite_Detection_PostProcess", "detections", 7940, 0, 0, 0, 0, 0, {"head/boxes_flat", "head/scores"}},
};
enum { OPERATORS = sizeof operators / sizeof *operators };

/* Whole square root. */
static uint64_t root_of(uint64_t square)
{
    uint64_t root = 0;
    while ((root + 1) * (root + 1) <= square)
        root++;
    return root;
}

typedef struct all_runs {
    unsigned first_us[OPERATORS], sums_us[OPERATORS];
    unsigned totals_us[RUNS];
} all_runs;

/* Every operator varies by 2 %, and every tenth run waits for another process in the last one. */
static void run_all(all_runs *out)
{
    uint64_t seed = 25;
    *out = (all_runs){0};
    for (unsigned run = 0; run < RUNS; run++)
        for (unsigned i = 0; i < OPERATORS; i++) {
            unsigned us = operators[i].cpu_us + example_noise(&seed, operators[i].cpu_us / 50 + 1);
            us += i == OPERATORS - 1 && run % 10 == 6 ? 2600 : 0;
            out->first_us[i] = run ? out->first_us[i] : us;
            out->sums_us[i] += us;
            out->totals_us[run] += us;
        }
}

/* Of n totals, each so much longer. Returns their mean. */
static unsigned put_statistics(textbuf *out, const unsigned *totals_us, unsigned n, unsigned more_us)
{
    uint64_t sum = 0, squares = 0; /* of totals; of what they are off their mean */
    unsigned least = totals_us[0], most = totals_us[0];
    for (unsigned i = 0; i < n; i++) {
        sum += totals_us[i];
        least = totals_us[i] < least ? totals_us[i] : least;
        most = totals_us[i] > most ? totals_us[i] : most;
    }
    uint64_t mean_us = n ? sum / n : 0;
    for (unsigned i = 0; i < n; i++) {
        uint64_t off_us = totals_us[i] > mean_us ? totals_us[i] - mean_us : mean_us - totals_us[i];
        squares += off_us * off_us;
    }
    text_printf(out, "count=%u first=%u curr=%u min=%u max=%u avg=%u std=%u\n", n, totals_us[0] + more_us,
                totals_us[n - 1] + more_us, least + more_us, most + more_us, (unsigned)mean_us + more_us,
                (unsigned)root_of(n ? squares / n : 0));
    return (unsigned)mean_us + more_us;
}

static void put_millis(textbuf *out, unsigned us)
{
    text_printf(out, "\t%5u.%03u", us / 1000, us % 1000);
}

/* Shares of millionths, in percent with three decimals. */
static void put_percent(textbuf *out, uint64_t part, uint64_t whole)
{
    unsigned share = (unsigned)((part * 200000 + whole) / (2 * whole));
    text_printf(out, "\t%3u.%03u%%", share / 1000, share % 1000);
}

static void put_operators(textbuf *out, const all_runs *runs)
{
    uint64_t all_us = 0, done_us = 0;
    unsigned start_us = 0;
    for (unsigned i = 0; i < OPERATORS; i++)
        all_us += runs->sums_us[i];
    text_puts(out,
              "Operator-wise Profiling Info for Regular Benchmark Runs:\n"
              "============================== Run Order ==============================\n"
              "\t[node type]\t[start]\t[first]\t[avg ms]\t[%]\t[cdf%]\t[mem KB]\t[times called]\t[Name]\n");
    for (unsigned i = 0; i < OPERATORS; i++) {
        unsigned mean_us = (runs->sums_us[i] + RUNS / 2) / RUNS;
        text_printf(out, "\t%28s", operators[i].type);
        put_millis(out, start_us);
        put_millis(out, runs->first_us[i]);
        put_millis(out, mean_us);
        put_percent(out, runs->sums_us[i], all_us);
        put_percent(out, done_us += runs->sums_us[i], all_us);
        text_printf(out, "\t0.000\t1\t[%s]:%u\n", operators[i].name, i);
        start_us += mean_us + 1;
    }
}

static void put_log(textbuf *out)
{
    all_runs runs;
    unsigned warmups_us[WARMUPS] = {FIRST_US};
    run_all(&runs);
    for (unsigned i = 1; i < WARMUPS; i++)
        warmups_us[i] = runs.totals_us[i];
    text_puts(out, "STARTING!\nGraph: [pocket_detector.tflite]\nNum threads: [4]\nEnable op profiling: [1]\n"
                   "Loaded model pocket_detector.tflite\nThe input model file size (MB): 3.21\n");
    text_printf(out, "Initialized session in %u.%03ums.\n", INIT_US / 1000, INIT_US % 1000);
    unsigned warmup_us = put_statistics(out, warmups_us, WARMUPS, 0);
    text_puts(out, "\n");
    unsigned mean_us = put_statistics(out, runs.totals_us, RUNS, 37);
    text_printf(
        out,
        "\nInference timings in us: Init: %u, First inference: %u, Warmup (avg): %u, Inference (avg): "
        "%u\n\n",
        INIT_US, FIRST_US, warmup_us, mean_us);
    put_operators(out, &runs);
    text_printf(out, "\nNumber of nodes executed: %u\n\nTimings (microseconds): ", OPERATORS);
    put_statistics(out, runs.totals_us, RUNS, 0);
    text_printf(out, "Memory (bytes): count=0\n%u nodes observed\n", OPERATORS);
}

static void put_event(textbuf *out, const char *message, unsigned value, const char *unit, const char *event)
{
    text_printf(out, "0,%s,%u,%s,BACKEND,%s,%s\n", message, value, unit,
                message[0] == 'N' ? "SUB-EVENT" : "ROOT", event);
}

static void put_node(textbuf *out, const char *name, unsigned id, unsigned cycles)
{
    char event[96];
    snprintf(event, sizeof event, id ? "%s:OpId_%u (cycles)" : "%s (cycles)", name, id);
    put_event(out, "NODE", cycles, "CYCLES", event);
}

/* An inference; the first one powers the units on. */
static void put_inference(textbuf *out, uint64_t *seed, bool first)
{
    unsigned us = 2260 + example_noise(seed, 40) + (first ? 2400 : 0), cycles = 0;
    put_event(out, "BACKEND", THREADS, "COUNT", "Number of HVX threads used");
    put_event(out, "BACKEND", us + 1130, "US", "RPC (execute) time");
    put_event(out, "BACKEND", us + 180, "US", "QNN accelerator (execute) time");
    put_node(out, "Input OpId_2", 0, IN_CYCLES);
    for (unsigned i = 0; i < OPERATORS - 1; i++) {
        unsigned n = operators[i].htp_cycles + example_noise(seed, operators[i].htp_cycles / 40);
        put_node(out, operators[i].name, 16 + 7 * i, n);
        cycles += n;
    }
    put_node(out, "Output OpId_3", 0, OUT_CYCLES);
    put_event(out, "BACKEND", cycles + IN_CYCLES + OUT_CYCLES, "CYCLES",
              "Accelerator (execute) time (cycles)");
    put_event(out, "BACKEND", us, "US", "Accelerator (execute) time");
    put_event(out, "EXECUTE", us + 1420, "US", "QNN (execute) time");
}

static void put_htp(textbuf *out)
{
    uint64_t seed = 68;
    text_puts(out,
              "Msg Timestamp,Message,Time,Unit of Measurement,Timing Source,Event Level,Event Identifier\n");
    put_event(out, "FINALIZE", 412300, "US", "QNN (finalize) time");
    for (unsigned run = 0; run < HTP_RUNS; run++)
        put_inference(out, &seed, run == 0);
}

/* ---- the network ---- */

static const struct {
    const char *type;
    int builtin;
    tfw_options options; /* of a stride of 1; convolutions have their own */
} builtins[] = {{"CONV_2D", 3, TFW_CONV(TFW_SAME, 1, 1)},
                {"DEPTHWISE_CONV_2D", 4, TFW_DEPTHWISE(TFW_SAME, 1, 1, 1)},
                {"ADD", 0, {0}},
                {"RESIZE_NEAREST_NEIGHBOR", 97, {0}},
                {"CONCATENATION", 2, {0}},
                {"RESHAPE", 22, {0}},
                {"LOGISTIC", 14, {0}},
                {"TFLite_Detection_PostProcess", 32, {0}}};

static int place_of(const char *type)
{
    int k = 0;
    while (strcmp(builtins[k].type, type) != 0)
        k++;
    return k;
}

/* The detector of both files, its weights zeros. */
static void put_model(textbuf *out)
{
    static tfw_tensor tensors[3 * OPERATORS + 2];
    static tfw_operator nodes[OPERATORS];
    static char names[2 * OPERATORS][48];
    size_t n = 0, n_names = 0;
    tensors[n++] = (tfw_tensor)TFW_TENSOR("image", TFW_INT8, {1, 320, 320, 3});
    tensors[n++] = (tfw_tensor)TFW_TENSOR("size", TFW_INT32, {2}, .data = TFW_ZEROS);
    for (int i = 0; i < (int)OPERATORS; i++) {
        const int k = place_of(operators[i].type), c = operators[i].channels;
        const char *from = operators[i].inputs[0] ? operators[i].inputs[0] : operators[i - 1].name;
        int in = 3;
        for (int b = 0; b < i; b++)
            in = strcmp(operators[b].name, from) == 0 ? operators[b].channels : in;
        tfw_operator *o = &nodes[i];
        *o = (tfw_operator){.builtin = builtins[k].builtin,
                            .custom = builtins[k].builtin == 32 ? operators[i].type : NULL,
                            .inputs = {from, operators[i].inputs[1]},
                            .outputs = {operators[i].name},
                            .options = builtins[k].options};
        tensors[n++] = operators[i].side
                           ? (tfw_tensor)TFW_TENSOR(operators[i].name, TFW_INT8,
                                                    {1, operators[i].side, operators[i].side, c})
                       : c ? (tfw_tensor)TFW_TENSOR(operators[i].name, TFW_INT8, {1, 4800, c})
                           : (tfw_tensor)TFW_TENSOR(operators[i].name, TFW_FLOAT32, {1, 10, 4});
        if (strcmp(operators[i].type, "RESIZE_NEAREST_NEIGHBOR") == 0)
            o->inputs[1] = "size";
        if (!operators[i].kernel)
            continue;
        o->options.fields[1].value = o->options.fields[2].value = operators[i].stride;
        char *weights = names[n_names++], *bias = names[n_names++];
        snprintf(weights, sizeof *names, "%s_weights", operators[i].name);
        snprintf(bias, sizeof *names, "%s_bias", operators[i].name);
        const bool is_depthwise = builtins[k].builtin == 4;
        tensors[n++] = (tfw_tensor)TFW_TENSOR(
            weights, TFW_INT8,
            {is_depthwise ? 1 : c, operators[i].kernel, operators[i].kernel, is_depthwise ? c : in},
            .data = TFW_ZEROS);
        tensors[n++] = (tfw_tensor)TFW_TENSOR(bias, TFW_INT32, {c}, .data = TFW_ZEROS);
        o->inputs[1] = weights;
        o->inputs[2] = bias;
    }
    const tfw_network network = {.tensors = tensors,
                                 .n_tensors = n,
                                 .operators = nodes,
                                 .n_operators = OPERATORS,
                                 .inputs = {"image"},
                                 .outputs = {"detections"}};
    size_t size;
    unsigned char *bytes = tfw_write(&network, &size);
    text_add(out, (const char *)bytes, size);
    free(bytes);
}

static const example_file files[] = {
    {"benchmark_model.log", put_log}, {"htp.csv", put_htp}, {"detector.tflite", put_model}};

int main(int argc, char **argv)
{
    return example_main("make_phone_tflite", files, sizeof files / sizeof *files, argc, argv);
}
