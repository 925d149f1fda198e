/* measure/import/tools/st/st_report.h - what the text reports and logs of ST's tools for STM32 with an NPU
 * have in common: prefixes of log lines, the clocks of a device, counts with commas, and rows of epochs.
 *
 * Units: _hz Hertz, _s seconds; cycles are of the MCU's clock.
 * Ownership: a span points into the line that it was cut from. Words live as long as the document.
 */
#pragma once

#include "measure/import/importer.h"

/* --- lines -------------------------------------------------------------------------------------------- */

/* The text of the tool, trimmed: without the prefix that a logger put before it, and only what a terminal
 * would still show behind a progress bar.
 * Example (tests/unit/test_st_report.c): "2026-01-02 03:04:05,678 [INFO] CmdLine:76 -  total  1" is "total
 * 1". */
text_span st_cut_line(text_span line);

/* "key   :   value" at its first colon, both trimmed. False without one. */
bool st_cut_pair(text_span line, text_span *key, text_span *value);

/* Cuts at blanks. Returns how many words there are; those beyond room are not kept. */
size_t st_words(text_span line, text_span *words, size_t room);

/* "1,074,755" or "1074755". Errors: E_DATA (no whole number, misplaced commas, above 2^53). */
roof_status st_count(text_span span, const char *what, uint64_t *out, roof_error *err);

/* --- clocks ------------------------------------------------------------------------------------------- */

/* Clocks of the processor, its bus and memory, the accelerator, its bus and memory. */
typedef enum st_domain { ST_MCU, ST_NOC, ST_NPU, ST_NIC, ST_DOMAINS } st_domain;

typedef struct st_clocks {
    double hz[ST_DOMAINS]; /* NaN: not stated */
} st_clocks;

/* Nothing known. */
#define ST_NO_CLOCKS                                                                                         \
    {                                                                                                        \
        {                                                                                                    \
            NAN, NAN, NAN, NAN                                                                               \
        }                                                                                                    \
    }

/* How domains are written: "mcu". */
extern const char *const st_domains[ST_DOMAINS];

/* A clock, or NaN: whole MHz say nothing new of one that is known to the Hertz. */
void st_set_clock(st_clocks *clocks, st_domain domain, double hz);

/* The list behind "device.attrs": "fpu,npu_cache=1,mcu_freq=800MHz,...". Other clocks stay as they are.
 * Errors: E_DATA (no frequency, 0, a clock that is there twice). */
roof_status st_read_attrs(text_span attrs, st_clocks *out, roof_error *err);

/* The end of "stm32 family - 0x486 - STM32N6xx @800/400MHz": clocks of the MCU and of its bus (NOC), where
 * they are not yet known. A text without them changes nothing. */
void st_read_device(text_span device, st_clocks *inout);

/* Adds those that are known. Errors: E_NO_MEMORY. */
roof_status st_add_clocks(import_state *in, roof_run *run, const st_clocks *clocks, roof_error *err);

/* --- epochs ------------------------------------------------------------------------------------------- */

/* Phases of the MCU: before, while and after the NPU works; their names, as ST's tools print them. */
enum { ST_PHASES = 3 };
extern const char *const st_phases[ST_PHASES];

/* The word of a type of epochs, "HW", and what runs them: "NPU", "CPU" or "NPU+CPU". NULL for a type that is
 * unknown, and device stays as it is. */
const char *st_find_type(text_span type, const char **device);

typedef struct st_epoch {
    const char *name, *type, *device; /* type, device NULL: not stated */
    uint64_t cycles[ST_PHASES];       /* means, which the tool made whole numbers */
    /* what the tool printed beside them, NaN: nothing; how far that may be rounded */
    double stated_s, rounding_s;
    double share_ratio; /* of the inference; NaN: not stated */
    uint64_t count;     /* of repetitions, or ROOF_UNKNOWN */
} st_epoch;

/* A row of a run, in the order of execution, with its cycles as phases "pre", "core" and "post" of the domain
 * "mcu". Its time is cycles over the clock, which says more than rounded milliseconds; without a clock it is
 * what the tool printed.
 *
 * mcu_hz: NaN when no clock is stated.
 * Errors: E_DATA when cycles and the stated time are of different clocks, or for more than 2^53
 *   cycles; E_LIMIT, E_NO_MEMORY. */
roof_status st_add_epoch(import_state *in, roof_run *run, const st_epoch *epoch, double mcu_hz,
                         roof_error *err);

/* Cycles of a domain by phase, those that are known. Errors: E_DATA for a count above 2^53, E_NO_MEMORY. */
roof_status st_set_phases(roof_measured *m, roof_measured_layer *layer, const uint64_t cycles[ST_PHASES],
                          const char *domain, roof_error *err);

/* Sums of the rows' phases become those of the run, where every row has them. */
roof_status st_sum_phases(roof_measured *m, roof_run *run, roof_error *err);

/* Behind the last row: launches, boundaries and the sum of the rows. */
void st_sum_up(roof_run *run);

/* A fact in the summary of a network, as remarks have it: "input" of "I[1/1] 'name'", "output",
 * "n_nodes", "activations", "weights", "capabilities"; NULL for another key. */
const char *st_model_fact(text_span key);

/* The remark of a fact, once for each value that it has in a file. before: those that there were, NULL at the
 * beginning; beyond some kilobytes the rest is dropped. Errors: E_NO_MEMORY. */
roof_status st_remark(import_state *in, const char **before, const char *fact, text_span value,
                      roof_error *err);
