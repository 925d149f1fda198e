/* tests/support/air_report_writer.h - the report that `make profile` of mlir-air's language models prints,
 * with figures of one's choice: the statements of _print_dataflow_summary and Profiler.report, one after the
 * other.
 *
 * Units: _ms milliseconds, _mib 2^20 bytes.
 */
#ifndef ROOF_TESTS_AIR_REPORT_WRITER_H
#define ROOF_TESTS_AIR_REPORT_WRITER_H

#include "core/text.h"

/* An ELF, or an operation of the host, whose segments are all 0. */
typedef struct ar_step {
    const char *name;
    bool is_npu, is_in_block;
    double mean_ms, write_ms, run_ms, read_ms, written_mib;
    unsigned n_read;
    /* beside those that layers and tokens make: the head of a prefill is one of decode's; -1u: none at all */
    unsigned calls;
} ar_step;

typedef struct ar_phase {
    const ar_step *steps; /* in the order of execution */
    unsigned n;
    double scheduling_ms; /* of a layer */
} ar_phase;

typedef struct ar_report {
    /* "meta-llama/Llama-3.2-1B-Instruct"; NULL: the report alone, without what is printed before it */
    const char *model;
    unsigned layers, tokens, prompt;
    double setup_s, drift_ms; /* drift_ms: of the last token against the first */
    ar_phase prefill, decode;
} ar_report;

/* One prefill of 2,048 tokens and 30 tokens of Llama 3.2 1B on an NPU of Strix, as mlir-air publishes it. */
extern const ar_report ar_llama;

void ar_write(const ar_report *report, textbuf *out);

#endif
