/* make_npu2 - writes the files of examples/npu2 that tools and measurements leave, into a folder that exists:
 * the profile of a language model, timestamps of a network of four layers, the trace of two tiles; and
 * control code with its design. Exit 0, 1 (cannot write) or 2 (usage). */
#include "tests/support/aie_writer.h"
#include "tests/support/air_report_writer.h"
#include "tests/support/example_files.h"

#include <stdlib.h>

enum { INFERENCES = 5, GAP_CYCLES = 872, FIRST_ID = 4057088, END_OFFSET = 1048576 };

/* Cycles are made up; gaps and the ids of a start and its end are those that were seen. */
static const struct {
    const char *name, *op_type;
    unsigned cycles;
} layers[] = {{"subgraph_(input)_upload_0", "upload", 214000},
              {"subgraph_(conv1/Conv_output_0)", "conv2d-fix", 44100},
              {"subgraph_(conv2/Conv_output_0)", "conv2d-fix", 28650},
              {"subgraph_(output)_download_0", "download", 15080}};
enum { LAYERS = sizeof layers / sizeof *layers };

static void put_report(textbuf *out)
{
    ar_write(&ar_llama, out);
}

static void put_stamps(textbuf *out)
{
    unsigned cycle = 1194763907;
    text_puts(
        out,
        "{\n    \"header\": {\n        \"device\": \"Client\",\n        \"clock_freq_MHz\": 1000,\n        "
        "\"id_size\": 4,\n        \"cycle_size\": 8\n    },\n    \"record_timer_ts\": [");
    for (unsigned i = 0; i < INFERENCES * LAYERS; i++) {
        unsigned id = FIRST_ID + i % LAYERS;
        text_printf(out, "%s\n        {\"id\": %u, \"cycle\": %u},", i ? "," : "", id, cycle);
        cycle += layers[i % LAYERS].cycles + 37 * (i * 7 % 11);
        text_printf(out, "\n        {\"id\": %u, \"cycle\": %u}", id - END_OFFSET, cycle);
        cycle += GAP_CYCLES;
    }
    text_puts(out, "\n    ]\n}\n");
}

static void put_names(textbuf *out)
{
    text_puts(out, "{\n  \"events\": [");
    for (unsigned i = 0; i < LAYERS; i++)
        for (int end = 0; end < 2; end++)
            text_printf(out,
                        "%s\n    {\"id\": %u, \"name\": \"%s\", \"op_type\": \"%s\", \"start\": %s, "
                        "\"type\": \"layer\"}",
                        i || end ? "," : "", FIRST_ID + i - (end ? END_OFFSET : 0), layers[i].name,
                        layers[i].op_type, end ? "false" : "true");
    text_puts(out, "\n  ]\n}\n");
}

static void put_edges(textbuf *out, const char *name, unsigned pid, unsigned tid, unsigned from,
                      unsigned cycles)
{
    const char *const phases[] = {"B", "E"};
    for (unsigned i = 0; i < 2; i++)
        text_printf(
            out, ",\n{\"name\": \"%s\", \"ts\": %u, \"ph\": \"%s\", \"pid\": %u, \"tid\": %u, \"args\": {}}",
            name, from + i * cycles, phases[i], pid, tid);
}

static void put_trace(textbuf *out)
{
    enum { BLOCKS = 8, PERIOD = 1000 };
    text_puts(out, "[{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 0, \"args\": {\"name\": "
                   "\"core_trace for tile2,0\"}},\n"
                   "{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 1, \"args\": {\"name\": "
                   "\"memtile_trace for tile1,0\"}}");
    for (unsigned i = 0; i < BLOCKS; i++) {
        put_edges(out, "LOCK_STALL", 0, 0, i * PERIOD, 450);
        put_edges(out, "PORT_RUNNING_0", 0, 1, i * PERIOD, 512);
        put_edges(out, "INSTR_VECTOR", 0, 2, i * PERIOD + 450, 380);
        put_edges(out, "PORT_RUNNING_0", 1, 0, i * PERIOD, 512);
    }
    text_puts(out, "]\n");
}

/* C = A B of 1024 x 512 x 1024 in int8, tiles of 32 x 64 on 4 x 4 cores. */
static const aw_product product = {1024, 512, 1024, 32, 64, 4, 4, 1, 1, 1};

static void put_insts(textbuf *out)
{
    aw_code code = aw_write_product(AW_TXN_01, 4, &product);
    text_add(out, (const char *)code.words, 4 * code.n);
    aw_free(&code);
}

static void put_mlir(textbuf *out)
{
    size_t length;
    char *text = aw_mlir(&product, true, &length);
    text_add(out, text, length);
    free(text);
}

/* As FastFlowLM publishes its tables of Llama 3.2 1B on a Ryzen AI 7 350 (v0.9.30): tokens a second. */
static void put_page(textbuf *out)
{
    text_puts(out,
              "# Llama 3\n"
              "> **Note:**\n"
              "> - Results are based on FastFlowLM v0.9.30.\n\n"
              "### **Test System 1:**\n\n"
              "AMD Ryzen\u2122 AI 7 350 (Krackan Point) with 32 GB DRAM.\n\n"
              "### Decoding Speed (TPS, or Tokens per Second, starting @ different context lengths)\n\n"
              "| **Model** | **HW** | **1k** | **2k** | **4k** | **8k** | **16k** | **32k** | **64k** | "
              "**128k** |\n"
              "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
              "| **Llama 3.2 1B** | NPU (FLM) | 64.5 | 62.2 | 58.9 | 53.9 | 45.5 | 35.0 | 24.1 | 13.6 |\n\n"
              "### Prefill Speed (TPS, or Tokens per Second, with different prompt lengths)\n\n"
              "| **Model** | **HW** | **1k** | **2k** | **4k** | **8k** | **16k** | **32k** |\n"
              "|---|---|---:|---:|---:|---:|---:|---:|\n"
              "| **Llama 3.2 1B** | NPU (FLM) | 1686 | 2136 | 2339 | 2212 | 1706 | 1157 |\n");
}

static const example_file files[] = {{"llama32_1b_profile.log", put_report},
                                     {"llama3_results.md", put_page},
                                     {"record_timer_ts.json", put_stamps},
                                     {"dpu_timestamp_info.json", put_names},
                                     {"trace.json", put_trace},
                                     {"insts.bin", put_insts},
                                     {"aie_1024x512x1024_32x512x64.mlir", put_mlir}};

int main(int argc, char **argv)
{
    return example_main("make_npu2", files, sizeof files / sizeof *files, argc, argv);
}
