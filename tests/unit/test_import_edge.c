/* Tables of tools for edge and mobile devices: invented networks in the shapes that the tools write. */
#include "tests/unit/folder.h"
#include "tests/unit/imported.h"

#define TF_HEAD(start)                                                                                       \
    "\t[node type]\t" start "[first]\t[avg ms]\t[%]\t[cdf%]\t[mem KB]\t[times called]\t[Name]\n"
#define TF_ROW(type, start, ms, calls, name)                                                                 \
    "\t   " type "\t" start " " ms "\t " ms "\t 5%\t 5%\t 0.000\t " calls "\t" name "\n"
#define TF_BEGIN                                                                                             \
    "STARTING!\nGraph: [net.tflite]\ncount=2 first=40 curr=30 min=30 max=40 avg=35 std=5\n\n"                \
    "count=4 first=21 curr=20 min=19 max=22 avg=2.05e+01 std=1\n\nInference timings in us: Init: 1000, "     \
    "First inference: 40, Warmup (avg): 35, Inference (avg): 20.5\n"
#define TF_REGULAR "INFO: Operator-wise Profiling Info for Regular Benchmark Runs:\n==== Run Order ====\n"
#define TF_END     "Timings (microseconds): count=4 first=21 curr=20 min=19 max=22 avg=20 std=1\n"
#define TFLITE                                                                                               \
    TF_BEGIN "Profiling Info for Benchmark Initialization:\n==== Run Order ====\n" TF_HEAD("[start]\t")      \
        TF_ROW("AllocateTensors", "0\t", "1.0", "1", "AllocateTensors/0") "\n" TF_REGULAR TF_HEAD(           \
            "[start]\t") TF_ROW("CONV_2D", "0.0\t", "0.012", "1", "[a/Relu]:0")                              \
            TF_ROW("ADD", "0.1\t", "0.004", "2", "[b]:1") "\n==== Top by Computation Time ====\n" TF_HEAD(   \
                "[start]\t") TF_ROW("CONV_2D", "0.0\t", "0.012", "1", "[a/Relu]:0") "\n" TF_END

#define QNN_HEAD                                 "Msg Timestamp,Message,Time,Unit of Measurement,Timing Source,Event Level,Event Identifier\n"
#define QNN_ROW(message, value, unit, level, id) "0," message "," value "," unit ",BACKEND," level "," id "\n"
#define QNN_INFERENCE(a, b, accelerator)                                                                     \
    QNN_ROW("BACKEND", "4", "COUNT", "ROOT", "Number of HVX threads used")                                   \
    QNN_ROW("BACKEND", "70", "US", "ROOT", "RPC (execute) time")                                             \
    QNN_ROW("BACKEND", "50", "US", "ROOT", "QNN accelerator (execute) time")                                 \
    QNN_ROW("NODE", a, "CYCLES", "SUB-EVENT", "Input OpId_2 (cycles)")                                       \
    QNN_ROW("NODE", b, "CYCLES", "SUB-EVENT", "conv, 1:OpId_16 (cycles)")                                    \
    QNN_ROW("NODE", "7", "CYCLES", "SUB-EVENT", "Wait (Scheduler)")                                          \
    QNN_ROW("BACKEND", accelerator, "US", "ROOT", "Accelerator (execute) time")                              \
    QNN_ROW("EXECUTE", "90", "US", "ROOT", "QNN (execute) time")
#define QHAS                                                                                                 \
    "{\"header\":{\"artifact_type\":\"QHAS\"},\"model_id\":\"net\",\"data\":{\"htp_overall_summary\":{"      \
    "\"data\":[{\"time_us\":100,\"graph_execute_us\":90,\"timeline_cycles\":1000,\"total_dram_read\":4096,"  \
    "\"total_dram_write\":64,\"htp_resources\":{\"data\":[{\"type\":\"HMX\",\"utilization\":83.5}]}}]},"     \
    "\"qnn_op_instances_nodes\":{\"data\":[{\"qnn_op\":\"conv\",\"qnn_op_type\":\"Conv2d\",\"cycles\":900,"  \
    "\"num_dominant_path_cycles_htp_0\":250,\"dram_read\":1024,\"dram_write\":0}]}}}"

#define RK_HEAD                                                                                              \
    "ID OpType Target OutputShape Cycles(DDR/NPU/Total)  Time(us)  MacUsage(%)  RW(KB)  FullName\n"
#define RKNN                                                                                                 \
    "NPU Current Frequency List:\n    - 1000000000\nDDR Current Frequency List:\n    - Unknown\n---\n"       \
    " Network Layer Information Table\n---\n" RK_HEAD "---\n1  Conv   NPU    (1,3)       1/2/2"              \
    "                   99        \\            1       Conv:/old\n---\n"                                    \
    "\033[0;31mD RKNN: [10:11:12.345] \033[0mNetwork Layer Information Table\n---\n" RK_HEAD "---\n"         \
    "1  Conv   NPU    (1,3)       10/40/40               30        0.5/0        16      Conv:/a\n"           \
    "2  Pad    CPU    (1,3)       0/0/0                  5                      0              \n"           \
    "D RKNN: [10:11:12.345] 3  Add    NPU    (1,3)       20/3/20                6         \\            "    \
    "2       Add:/b\n---\nTotal Operator Elapsed Per Frame Time(us): 41\n"                                   \
    "Total Memory Read/Write Per Frame Size(KB): 18.5\n"

#define VELA_HEAD                                                                                            \
    "TFLite_operator,NNG Operator,SRAM Usage,Peak%,Op Cycles,Network%,NPU,SRAM AC,DRAM AC,OnFlash "          \
    "AC,OffFlash AC,MAC Count,Network%,Util%,Name\n"
#define VELA                                                                                                 \
    VELA_HEAD "CONV_2D,Conv2DBias,1,5.5,1000.0,60.1,1000.0,9.0,0.0,0.0,0.0,500,60.0,3.9,a;b\n" VELA_HEAD     \
              "ADD,Add,1,5.5,600.0,39.9,6.0,600.0,0.0,0.0,0.0,0,0.0,0.0,c\n"

#define COREML_CSV                                                                                           \
    "DebugName, OpType, SelectedBackend, backend_0, backend_1, est_time_0, est_time_1, invalid_0\n"          \
    "mul:1:2, mul, \"bnns\", , bnns, , 0.5, Unsupported\nconv:2:2, conv, \"ane\", ane, bnns, 0.25, 9, \n"
#define COREML_ENTRY(name, index, backend)                                                                   \
    "12:00 prog[1:2] at analytics.mil:1:2, {\n    DebugName = \"" name                                       \
    "\";\n    EstimatedRunTime =     {\n        ane = \"0.25\";\n        \"mps_graph\" = \"0.5\";\n    };\n" \
    "    OpIndex = " index ";\n    OpPath =     (\n                {\n            Type = Block;\n"           \
    "        }\n    );\n    OpType = \"conv\";\n    SelectedBackend = \"\\\"" backend "\\\"\";\n"            \
    "    ValidationMessages =     {\n    };\n} \n"
#define COREML_TEXT COREML_ENTRY("b:2", "7", "ane") COREML_ENTRY("a:1", "3", "mps_graph")
#define COREML_PLAN                                                                                          \
    "operation conv, device <MLNeuralEngineComputeDevice: 0x1>, cost 25%\n"                                  \
    "operation add, device <MLCPUComputeDevice: 0x2>, cost 0.5%\n"

#define OV_HEAD "layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms);\n"
#define OPENVINO                                                                                             \
    OV_HEAD "conv;EXECUTED;Convolution;jit_I8;1.25;1.2;\nrelu;OPTIMIZED_OUT;Relu;undef;0.0;0.0;\n"           \
            "pool;EXECUTED;Pooling;jit;0.5;0.5;\nTotal;;;;1.75;1.7;\n\n"
#define OPENVINO_JSON                                                                                        \
    "{\"report_type\":\"detailed\",\"detailed_performance\":[{\"nodes\":[{\"name\":\"conv\",\"status\":"     \
    "\"EXECUTED\",\"node_type\":\"Convolution\",\"exec_type\":\"jit\",\"real_time\":1.25,\"cpu_time\":1}],"  \
    "\"total_real_time\":1.25,\"total_cpu_time\":1},{\"nodes\":[{\"name\":\"conv\",\"status\":\"EXECUTED\"," \
    "\"node_type\":\"Convolution\",\"real_time\":1.5,\"cpu_time\":1}],\"total_real_time\":9}]}"

#define AIHUB(first, second)                                                                                 \
    "{\"execution_summary\": {\"estimated_inference_time\": 60, \"all_inference_times\": [60, 62, 70],"      \
    " \"first_load_time\": 9, \"inference_memory_peak_range\": [1, 2]}, \"execution_detail\": [{\"name\":"   \
    " \"conv\", \"type\": \"CONV_2D\", \"compute_unit\": \"NPU\", \"execution_time\": " first                \
    ", \"execution_cycles\": 300}, {\"name\": \"top\", \"type\": \"TOPK\", \"compute_unit\": \"CPU\","       \
    " \"execution_time\": " second ", \"execution_cycles\": 100}]}"

#define SNPE_OLD                                                                                             \
    "Average SNPE Statistics:\n-----\nTotal Inference Time: 90 us\nForward Propagate Time: 80 us\n"          \
    "RPC Execute Time: 0 us\nSnpe Accelerator Time: 0 us\n\nLayer Times: \n-----\n0: 60 us : CPU\n"          \
    "1: 20 us : CPU\n"
#define SNPE_NEW                                                                                             \
    "SNPE Execute Statistics (Averaged):\n-----\n  Total Inference Time: 90 us\n  RPC Execute Time: 70 us\n" \
    "  Snpe Accelerator Time: 60 us\n  Accelerator Time: 40 us\n\n  Per-Subnet Execution Times: \n"          \
    "    Subnet 0 (DSP) : 400 cycles\n\n  Per-Layer Execution Times: \n  ----\n"                             \
    "    0: Input OpId_2 (cycles) : 100 cycles : DSP\n    1: a : b:OpId_18 (cycles) : 300 cycles : DSP\n"

#define TVM                                                                                                  \
    "{\"calls\":[{\"Duration (us)\":{\"microseconds\":12.5},\"Name\":\"dense\",\"Count\":{\"count\":1},"     \
    "\"Percent\":{\"percent\":50}},{\"Duration (us)\":{\"microseconds\":7.5},\"Name\":{\"string\":"          \
    "\"relu\"},\"Count\":{\"count\":3}}],\"device_metrics\":{\"cpu\":{\"Duration (us)\":{"                   \
    "\"microseconds\":25}}}}"
#define TVM_CSV                                                                                              \
    "Duration (us),Name,Argument Shapes,Count,Percent\n12.5,dense,\"float32[1, 2]\",1,60\n7.5,relu,\"float"  \
    "32[1, 2]\",3,40\n"

#define ET_HEAD                                                                                              \
    "event_block_name\tevent_name\traw\tp10 (ms)\tp50 (ms)\tavg (ms)\tmin (ms)\tmax (ms)\top_types\t"        \
    "is_delegated_op\tdelegate_backend_name\n"
#define ET_ROW(name, ms, delegated)                                                                          \
    "Execute\t" name "\t[1, 2]\t" ms "\t" ms "\t" ms "\t" ms "\t" ms "\t['aten.add']\t" delegated "\t\n"
#define ETDUMP                                                                                               \
    ET_HEAD ET_ROW("Method::init", "2", "False") ET_ROW("native_call_add.out", "0.25", "False")              \
        ET_ROW("OPERATOR_CALL", "0.3", "False") ET_ROW("Conv GEMM #1", "0.5", "True")                        \
            ET_ROW("DELEGATE_CALL", "0.75", "False") ET_ROW("Method::execute", "1.25", "False")
#define ET_FRAMED                                                                                                                               \
    "╒════╤══════╕\n│    │ event_block_name   │ event_name          │   avg (ms) │ is_delegated_op   │\n" \
    "╞════╪══════╡\n│  0 │ Execute            │ native_call_add.out │       0.25 │ False             │\n" \
    "├────┼──────┤\n│  1 │ Execute            │ Method::execute     │       0.50 │ False             │\n" \
    "╘════╧══════╛\n"

#define TRT_TIMES                                                                                            \
    "[{\"startEnqMs\":0,\"h2dMs\":0.125,\"computeMs\":0.75,\"d2hMs\":0.125,\"latencyMs\":1},{"               \
    "\"startEnqMs\":1,"                                                                                      \
    "\"h2dMs\":0.125,\"computeMs\":2.75,\"d2hMs\":0.125,\"latencyMs\":3}]"

/* What is wanted of the first run; NULL and NaN: it is not looked at. */
static const struct {
    const char *what, *text, *tool;
    uint32_t n_rows;
    const char *name, *type, *device; /* of its last row */
    double mean_s, sum_s, total_s;
    const char *note;
} good[] = {
    {"a log with all tables", TFLITE, "tflite_benchmark", 2, "b", "ADD", "CPU", 4e-6, 20e-6, 20.5e-6,
     "the first inference took 40 us"},
    {"a log without [start], whose rows do not sum up",
     TF_BEGIN TF_REGULAR TF_HEAD("") TF_ROW("Vx Delegate", "", "0.009", "1", "[a]:0") "\n" TF_END,
     "tflite_benchmark", 1, "a", "Vx Delegate", NULL, 9e-6, 9e-6, 20.5e-6, "add up to 9 us"},
    {"a log of delegates", TF_BEGIN TF_REGULAR TF_HEAD("") TF_ROW("Vx Delegate", "", "0.020", "1", "a"),
     "tflite_benchmark", 1, "a", "Vx Delegate", NULL, 20e-6, NAN, NAN, "is a delegate"},
    {"CSV, in whose names commas are tabs",
     "Operator-wise Profiling Info for Regular Benchmark Runs:\n==== Run Order ====\nnode type, start, "
     "first, avg_ms, %, cdf%, mem KB, times called, name\nCONV_2D, 0, 2, 1.5, 5%, 5%, 0, 1, [a\t b]:0\n",
     "tflite_benchmark", 1, "a, b", "CONV_2D", "CPU", 1.5e-3, 1.5e-3, NAN, NULL},
    {"a log without profiling", TF_BEGIN, "tflite_benchmark", 0, NULL, NULL, NULL, NAN, NAN, 20.5e-6, NULL},
    {"inferences behind the first one",
     QNN_HEAD QNN_INFERENCE("100", "300", "80") QNN_INFERENCE("100", "100", "40")
         QNN_INFERENCE("100", "300", "40"),
     "qnn_csv", 2, "conv, 1", NULL, "NPU", 25e-6, 40e-6, 90e-6, "the first of 3 inferences, 80 us"},
    {"one inference", QNN_HEAD QNN_INFERENCE("100", "300", "80"), "qnn_csv", 2, "conv, 1", NULL, "NPU", 60e-6,
     80e-6, 90e-6, "profile several"},
    {"a summary of operations", QHAS, "qnn_qhas", 1, "conv", "Conv2d", "NPU", 25e-6, 25e-6, 100e-6,
     "HMX was busy 83.5 %"},
    {"the last table of a log, with empty cells", RKNN, "rknn", 3, "/b", "Add", "NPU", 6e-6, 41e-6, NAN,
     "of 2 tables the last one"},
    {"predicted cycles", VELA, "vela_csv", 2, "c", "ADD", "NPU", NAN, NAN, NAN, "--map names the summary"},
    {"a table of estimates", COREML_CSV, "coreml", 2, "conv:2:2", "conv", "NPU", 0.25e-3, 0.75e-3, NAN,
     "nothing is measured"},
    {"dictionaries in any order", COREML_TEXT, "coreml", 2, "b:2", "conv", "NPU", 0.25e-3, 0.75e-3, NAN,
     "estimates"},
    {"shares of a plan", COREML_PLAN, "coreml", 2, "add", "add", "CPU", NAN, NAN, NAN, NULL},
    {"average counters", OPENVINO, "openvino_counters", 2, "pool", "Pooling", NULL, 0.5e-3, 1.75e-3, NAN,
     "1 layers that were fused into others (OPTIMIZED_OUT)"},
    {"counters of two requests", OPENVINO_JSON, "openvino_counters", 1, "conv", "Convolution", NULL, 1.25e-3,
     1.25e-3, NAN, "the report states 9 ms"},
    {"a profile with times", AIHUB("50", "10"), "aihub", 2, "top", "TOPK", "CPU", 10e-6, 60e-6, 64e-6,
     "estimated inference time is 60 us"},
    {"a profile with cycles only", AIHUB("0", "0"), "aihub", 2, "top", "TOPK", "CPU", NAN, NAN, 64e-6,
     "shares are of the cycles"},
    {"layers by time, without names", SNPE_OLD, "snpe_diagview", 2, "layer 1", NULL, "CPU", 20e-6, 80e-6,
     90e-6, "numbers and no names"},
    {"layers by cycles", SNPE_NEW, "snpe_diagview", 2, "a : b", NULL, "DSP", 30e-6, 40e-6, 90e-6,
     "summed over threads"},
    {"calls as JSON", TVM, "tvm", 2, "relu", NULL, NULL, 2.5e-6, 20e-6, NAN, "20 us of the 25 us"},
    {"calls as CSV", TVM_CSV, "tvm", 2, "relu", NULL, NULL, 2.5e-6, 20e-6, NAN, NULL},
    {"events, but for those that hold others", ETDUMP, "etdump", 2, "Conv GEMM #1", "['aten.add']", NULL,
     0.5e-3, 0.75e-3, 1.25e-3, "left out: 2"},
    {"times of inferences", TRT_TIMES, "tensorrt_times", 0, NULL, NULL, NULL, NAN, NAN, 2e-3, NULL},
    {"events in a frame", ET_FRAMED, "etdump", 1, "native_call_add.out", NULL, NULL, 0.25e-3, 0.25e-3, 0.5e-3,
     NULL},
};

static void want_number(const char *of, const char *what, double got, double wanted)
{
    if (!isnan(wanted) && !(fabs(got - wanted) <= 1e-12 + 1e-9 * fabs(wanted)))
        fail_msg("%s: %s is %.12g, want %.12g", of, what, got, wanted);
}

static void want_text(const char *of, const char *got, const char *wanted)
{
    if (wanted && (!got || strcmp(got, wanted) != 0))
        fail_msg("%s: '%s', want '%s'", of, got ? got : "nothing", wanted);
}

static void rows_and_sums_are_those_of_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(good); i++) {
        const char *what = good[i].what;
        roof_measured *m = im_import(good[i].text, NULL);
        const roof_run *run = im_run(m, 0);
        want_text(what, m->sources[0].tool, good[i].tool);
        if (run->n_layers != good[i].n_rows)
            fail_msg("%s: %u rows, want %u", what, run->n_layers, good[i].n_rows);
        if (run->n_layers) {
            const roof_measured_layer *last = &run->layers[run->n_layers - 1];
            want_text(what, last->name, good[i].name);
            want_text(what, last->type, good[i].type);
            want_text(what, last->counters->device, good[i].device);
            want_number(what, "the mean", last->time.mean_s, good[i].mean_s);
        }
        want_number(what, "the sum of rows", run->sum_of_layers_s, good[i].sum_s);
        want_number(what, "the total", run->total.mean_s, good[i].total_s);
        if (good[i].note)
            im_want_note(m, good[i].note);
        roof_measured_free(m);
    }
}

/* --- what stands beside the times ------------------------------------------------------------------------ */

static void a_tflite_log_says_how_often_and_how_long_it_prepared(void **state)
{
    roof_measured *m = im_import(TFLITE, NULL);
    const roof_run *run = im_run(m, 0);
    (void)state;
    assert_string_equal(m->experiments[0].model_name, "net");
    assert_int_equal(run->warmup, 2);
    assert_int_equal(run->iterations, 4);
    assert_close(run->setup_s, 1e-3, 1e-15);
    assert_close(run->total.max_s, 22e-6, 1e-15);
    assert_int_equal(run->layers[1].executions, 2);
    assert_int_equal(run->layers[1].time.count, 4);
    roof_measured_free(m);
}

/* Delegates print thousands of counters before the tables. */
static void a_table_far_behind_the_beginning_is_found(void **state)
{
    textbuf text;
    (void)state;
    text_init(&text, 1 << 20);
    text_puts(&text, "STARTING!\nGraph: [net.tflite]\n");
    for (int i = 0; i < 6000; i++)
        text_puts(&text, "GPUTOTALCYCLES: 123 \"\n");
    text_puts(&text, TF_REGULAR TF_HEAD("") TF_ROW("ADD", "", "0.5", "1", "[a]:0"));
    roof_measured *m = im_import(text.bytes, NULL);
    assert_string_equal(m->sources[0].tool, "tflite_benchmark");
    assert_int_equal(im_run(m, 0)->n_layers, 1);
    roof_measured_free(m);
    text_free(&text);
}

static void cycles_of_an_htp_are_means_of_the_inferences_that_count(void **state)
{
    roof_measured *m = im_import(QNN_HEAD QNN_INFERENCE("9", "9", "80") QNN_INFERENCE("100", "100", "40")
                                     QNN_INFERENCE("100", "300", "40"),
                                 NULL);
    const roof_run *run = im_run(m, 0);
    (void)state;
    assert_int_equal(run->layers[1].counters->cycles->cycles, 200);
    assert_int_equal(run->layers[1].time.count, 2);
    assert_int_equal(run->n_phases, 3);
    assert_close(run->phases[2].seconds, 40e-6, 1e-15);
    roof_measured_free(m);
    m = im_import(QHAS, NULL);
    assert_int_equal(im_run(m, 0)->read_bytes, 4096);
    assert_int_equal(im_run(m, 0)->layers[0].counters->read_bytes, 1024);
    assert_int_equal(im_run(m, 0)->layers[0].counters->bytes_origin, ROOF_BYTES_COUNTER);
    assert_close(im_run(m, 0)->clocks[0].hz, 1e7, 1e-3);
    roof_measured_free(m);
}

static void rknn_predicts_cycles_and_reads_and_states_clocks(void **state)
{
    roof_measured *m = im_import(RKNN, NULL);
    const roof_run *run = im_run(m, 0);
    (void)state;
    assert_int_equal(run->layers[0].counters->cycles->cycles, 40);
    assert_int_equal(run->layers[2].counters->cycles->cycles, 20);
    assert_int_equal(run->layers[0].counters->read_bytes, 16384);
    assert_int_equal(run->layers[0].counters->write_bytes, ROOF_UNKNOWN);
    assert_int_equal(run->layers[0].counters->bytes_origin, ROOF_BYTES_STATIC);
    assert_string_equal(run->layers[1].name, "Pad"); /* without a name of its own */
    assert_int_equal(run->layers[1].counters->read_bytes, ROOF_UNKNOWN);
    assert_int_equal(run->n_clocks, 1);
    assert_close(run->clocks[0].hz, 1e9, 1);
    assert_false(im_notes_have(m, "the log states"));
    roof_measured_free(m);
}

static void times_of_tensorrt_have_their_samples_and_phases(void **state)
{
    roof_measured *m = im_import(TRT_TIMES, NULL);
    const roof_run *run = im_run(m, 0);
    (void)state;
    assert_int_equal(run->mode, ROOF_RUN_BYPASS);
    assert_int_equal(run->total.count, 2);
    assert_close(run->total.samples_s[1], 3e-3, 1e-15);
    assert_int_equal(run->n_phases, 3);
    assert_string_equal(run->phases[1].name, "run");
    assert_close(run->phases[1].seconds, 1.75e-3, 1e-15);
    roof_measured_free(m);
}

static void estimates_are_called_estimates_and_shares_shares(void **state)
{
    static const struct {
        const char *text;
        roof_time_basis basis;
    } cases[] = {{VELA, ROOF_TIME_ESTIMATED},        {COREML_CSV, ROOF_TIME_ESTIMATED},
                 {COREML_TEXT, ROOF_TIME_ESTIMATED}, {COREML_PLAN, ROOF_TIME_SHARE},
                 {AIHUB("0", "0"), ROOF_TIME_SHARE}, {AIHUB("5", "5"), ROOF_TIME_MEASURED}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        roof_measured *m = im_import(cases[i].text, NULL);
        assert_int_equal(im_run(m, 0)->layers[0].basis, cases[i].basis);
        roof_measured_free(m);
    }
    roof_measured *m = im_import(AIHUB("0", "0"), NULL);
    assert_close(im_run(m, 0)->layers[0].counters->share_ratio, 0.75, 1e-12);
    roof_measured_free(m);
}

static void the_summary_of_vela_has_the_clock(void **state)
{
    FILE *file = fopen(in_folder("summary.csv"), "w");
    (void)state;
    assert_non_null(file);
    fputs("experiment,network,core_clock,dram_bandwidth\ndefault,net,500000000.0,4.0\n", file);
    assert_int_equal(fclose(file), 0);
    roof_measured *m = im_import(VELA, &(roof_import_options){.map = in_folder("summary.csv")});
    unlink(in_folder("summary.csv"));
    const roof_run *run = im_run(m, 0);
    assert_close(run->layers[0].time.mean_s, 2e-6, 1e-15);
    assert_close(run->sum_of_layers_s, 3.2e-6, 1e-15);
    assert_int_equal(run->layers[0].counters->workload_ops, 1000);
    assert_close(run->clocks[0].hz, 5e8, 1);
    roof_measured_free(m);
}

/* --- what is refused -------------------------------------------------------------------------------------- */

static void what_cannot_be_told_is_refused(void **state)
{
    static const im_bad bad[] = {
        {"two logs in one", TF_BEGIN TF_BEGIN, {0}, ROOF_E_DATA, 0, "has 2 runs of benchmark_model"},
        {"a row that ends early", TF_REGULAR TF_HEAD("") "\tADD\t1\n", {0}, ROOF_E_DATA, 4, "3 cells"},
        {"nodes without the accelerator's time",
         QNN_HEAD QNN_ROW("NODE", "1", "CYCLES", "SUB-EVENT", "a (cycles)"),
         {0},
         ROOF_E_DATA,
         0,
         "--profiling_level detailed"},
        {"a node that is there twice",
         QNN_HEAD QNN_ROW("NODE", "1", "CYCLES", "SUB-EVENT", "a (cycles)")
             QNN_ROW("NODE", "1", "CYCLES", "SUB-EVENT", "a (cycles)"),
         {0},
         ROOF_E_DATA,
         3,
         "twice in one inference"},
        {"a summary without its inference",
         "{\"data\":{\"qnn_op_instances_nodes\":{\"data\":[]}}}",
         {0},
         ROOF_E_DATA,
         0,
         "no htp_overall_summary"},
        {"columns that are moved",
         "Network Layer Information Table\n" RK_HEAD
         "1  Conv   NPU    (1,3)       10/40/40                       "
         "    30         16      a\n",
         {0},
         ROOF_E_DATA,
         3,
         "are columns moved?"},
        {"a dictionary without its end",
         "EstimatedRunTime SelectedBackend DebugName\n}\n",
         {0},
         ROOF_E_DATA,
         2,
         "without DebugName"},
        {"several logs of diagview", SNPE_OLD SNPE_OLD, {0}, ROOF_E_DATA, 0, "statistics of 2 logs"},
        {"a layer without a unit", SNPE_OLD "2: 5 : CPU\n", {0}, ROOF_E_DATA, 0, "want us or cycles"},
        {"a call without a number",
         "{\"calls\":[{\"Duration (us)\":{\"microseconds\":\"x\"},\"Name\":\"a\"}]}",
         {.from = "tvm"},
         ROOF_E_DATA,
         1,
         "no number"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++)
        im_refuse(&bad[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_sums_are_those_of_the_table),
        cmocka_unit_test(a_tflite_log_says_how_often_and_how_long_it_prepared),
        cmocka_unit_test(a_table_far_behind_the_beginning_is_found),
        cmocka_unit_test(cycles_of_an_htp_are_means_of_the_inferences_that_count),
        cmocka_unit_test(rknn_predicts_cycles_and_reads_and_states_clocks),
        cmocka_unit_test(times_of_tensorrt_have_their_samples_and_phases),
        cmocka_unit_test(estimates_are_called_estimates_and_shares_shares),
        cmocka_unit_test(the_summary_of_vela_has_the_clock),
        cmocka_unit_test(what_cannot_be_told_is_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
