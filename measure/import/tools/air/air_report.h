/* measure/import/tools/air/air_report.h - what `make profile` of mlir-air's models prints, line by line.
 *
 * Units: _ms milliseconds as printed, to two decimals; _mib 2^20 bytes; unknown is NaN.
 * Ownership: names live as long as the document, steps as long as the import.
 * Source: Xilinx/mlir-air, programming_examples/llms: _print_dataflow_summary of
 *   llama32_1b/llama32_1b_inference.py, and Profiler.report of shared/infra/cache.py.
 */
#ifndef ROOF_IMPORTERS_AIR_REPORT_H
#define ROOF_IMPORTERS_AIR_REPORT_H

#include "measure/import/row.h"

enum { AIR_PREFILL, AIR_DECODE, AIR_PHASES };
enum { AIR_WRITE, AIR_RUN, AIR_READ, AIR_SEGMENTS };

/* Half of the last digit of a printed time, in ms. */
#define AIR_ROUNDING_MS 0.005

/* An ELF or an operation of the CPU. */
typedef struct air_step {
    const char *name;
    bool is_npu, is_in_block;
    bool is_listed; /* in a table of what was timed, not only in that of the order */
    double flow_ms, mean_ms, min_ms, max_ms, count, segments_ms[AIR_SEGMENTS], written_mib, n_read;
} air_step;

/* A sum of the report, and of how many executions. */
typedef struct air_sum {
    double ms, n;
} air_sum;

enum { AIR_MOST_LAYERS = 512 };

typedef struct air_phase {
    air_step *steps; /* in the order of execution, as far as it is printed */
    uint32_t n;
    double inferences, layers, end_ms; /* 0: not printed */
    air_sum calls, host;
    double segments_ms[AIR_SEGMENTS]; /* of all calls, to one decimal; NaN: not printed */
    double least_layer_ms, most_layer_ms;
    double layers_ms[AIR_MOST_LAYERS]; /* of each layer that is printed, in their order */
    uint32_t n_layers, slowest;        /* slowest: the number of the layer of most_layer_ms */
} air_phase;

typedef enum air_table {
    AIR_NO_TABLE,
    AIR_FLOW,
    AIR_WALL,
    AIR_LAYERS,
    AIR_CALLS,
    AIR_HOST,
    AIR_PARTS
} air_table;

typedef struct reading {
    import_state *in;
    air_phase phases[AIR_PHASES], *now;
    air_table table;
    bool is_block;     /* within the decoder block */
    const char *model; /* NULL: not printed */
    double setup_s, ttft_s, tokens_per_s, prompt_tokens;
    roof_trend trend; /* of the layers' loop of a token */
} air_report;

/* Errors: E_NO_MEMORY; E_DATA for a row that is cut or contradicts itself, a step that is there twice,
 * another number of tokens; E_LIMIT for more than 64 steps. */
roof_status air_begin(air_report *r, roof_error *err);
roof_status air_read_line(air_report *r, const import_line *line, roof_error *err);

#endif
