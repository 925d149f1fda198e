/* measure/profile/profile.h - building a measured document, row by row; used by its reader and by every
 * importer.
 *
 * Ownership: what is added belongs to the document. A pointer to an experiment, a run or a layer is good
 *   until the next one is added to the same array. NULL means that memory ended.
 */
#pragma once

#include "core/json/codec.h"
#include "measure/profile/counter.h"

/* Rows of all runs together. */
enum { MEASURED_MAX_LAYERS = 1 << 24 };

/* The most of one layer or run: phases, domains of a phase, events. */
enum { MOST_PHASES = 8, MOST_DOMAINS = 8, MOST_EVENTS = 4096 };

/* The most of one run. */
enum { MOST_DOUBTS = 64, MOST_TOOL_RULES = 256 };

struct roof_measured_storage {
    roof_arena *arena;
    uint64_t n_layers;
    roof_measured **merged; /* documents that this one took over: their strings live there */
    uint32_t n_merged;
};

roof_measured *measured_new(void);
roof_measured_source *measured_add_source(roof_measured *m);
roof_experiment *measured_add_experiment(roof_measured *m);
roof_run *experiment_add_run(roof_measured *m, roof_experiment *experiment, roof_run_mode mode);
roof_measured_layer *run_add_layer(roof_measured *m, roof_run *run);

/* Takes an experiment out; what its runs hold lives on with the document. */
void measured_remove_experiment(roof_measured *m, uint32_t experiment);

/* A remark behind those that a source has. Errors: E_NO_MEMORY. */
roof_status source_add_note(roof_measured *m, roof_measured_source *source, const char *note,
                            roof_error *err);

/* False if two names cannot be of one thing; NULL: unknown. */
bool names_agree(const char *a, const char *b);

/* The clock of a domain, whose name is copied. Errors: E_NO_MEMORY. */
roof_status run_add_clock(roof_measured *m, roof_run *run, const char *domain, double hz, roof_error *err);

/* A phase of one inference, whose texts live as long as the document. Errors: E_NO_MEMORY. */
roof_status run_add_phase(roof_measured *m, roof_run *run, roof_phase phase, roof_error *err);

/* The same of n phases that only together tell something: all, or where a time is unknown, none. */
roof_status run_add_phases(roof_measured *m, roof_run *run, const roof_phase *phases, const double *seconds,
                           size_t n, roof_error *err);

/* A doubt of a run: the figures, in words without a full stop, such as "the trace has 450 MHz, --clock said
 * 900 MHz". The finding names the doubtful thing before them; names are as SHOWN makes them. A doubt that the
 * run has already, and any beyond MOST_DOUBTS, is left out. Errors: E_NO_MEMORY. */
roof_status run_add_doubt(roof_measured *m, roof_run *run, roof_doubt_kind kind, roof_error *err,
                          const char *format, ...) ROOF_PRINTF(5, 6);

/* A copy of text that lives as long as the document; NULL without memory. */
const char *measured_text(roof_measured *m, const char *text, size_t length);

/* The layer's counters, all unknown when they are made now. */
roof_layer_counters *layer_counters_of(roof_measured *m, roof_measured_layer *layer);

/* The counts of a run or of a layer, whose counters are made now where it has none. */
typedef struct counted_list {
    roof_arena *arena; /* NULL without memory, which the functions below report */
    roof_phase_cycles **phases;
    uint32_t *n_phases;
    roof_event **events;
    uint32_t *n_events;
} counted_list;
counted_list counted_of_run(roof_measured *m, roof_run *run);
counted_list counted_of_layer(roof_measured *m, roof_measured_layer *layer);

/* Cycles of a domain in a phase, and a counter with its count. Names are copied; what was set before under
 * the same name is replaced. Errors: E_DATA for a name that codec_key_problem knows one of, or a count above
 * 2^53; E_LIMIT; E_NO_MEMORY. */
roof_status counted_set_phase(counted_list of, const char *name, roof_domain_cycles cycles, roof_error *err);
roof_status counted_set_event(counted_list of, roof_event event, roof_error *err);

/* The same of a count that may have fractions; one that is none, or above 2^53, is left out. */
roof_status counted_set(counted_list of, roof_counter_scope scope, roof_counter_quantity quantity,
                        const char *name, double count, roof_error *err);

/* Cycles of a domain in a phase, ROOF_UNKNOWN where they are not there. */
uint64_t phase_cycles_of(const roof_phase_cycles *phases, uint32_t n, const char *phase, const char *domain);

/* Makes these the only cycles that a layer has. Errors: E_NO_MEMORY. */
roof_status layer_set_cycles(roof_measured *m, roof_measured_layer *layer, roof_domain_cycles cycles,
                             roof_error *err);

/* The clock of a domain, "npu"; NaN where the run does not say. */
double run_clock_hz(const roof_run *run, const char *domain);

/* Nothing known. */
roof_layer_counters layer_counters_unknown(void);
roof_times times_unknown(void);
#define TIMES_UNKNOWN                                                                                        \
    {                                                                                                        \
        NULL, ROOF_UNKNOWN, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN                                        \
    }

/* Copies samples into the document and computes the rest of out from them. Errors: E_DATA for a sample that
 * is negative or not finite, E_NO_MEMORY. */
roof_status times_from_samples(roof_measured *m, const double *samples_s, size_t n, roof_times *out,
                               roof_error *err);

/* The same for samples that live as long as the document, which are not copied. */
roof_status times_from_kept(const double *kept_s, size_t n, roof_times *out, roof_error *err);

/* Says in buffer what contradicts itself in a statistic; false when nothing does. */
bool times_contradiction(const roof_times *t, char *buffer, size_t size);

/* A new last element, all 0, of an array that lies in the arena. items: where the pointer to the array is.
 * NULL without memory, and the array stays as it was. */
void *array_add(roof_arena *arena, void *items, uint32_t *n, size_t item_size);

/* Room for one more in an array outside of arenas, *items of n, whose room doubles at powers of two. */
bool array_grow(void **items, size_t n, size_t item_size);

/* --- measured_codec.c: documents from anywhere, for roof_measured_read --------------------------------- */

extern const codec_object measured_object;

/* name: of the file, for messages and for paths that are relative to it. */
roof_status measured_codec_read(json_source source, void *context, const char *name, roof_measured **out,
                                roof_error *err);

/* --- when executions of rows began and ended, in ticks of a file's own clock ------------------ */

/* Spans that are kept at most; those that overlap or meet are one. Beyond it, idle time is unknown. */
enum { SPANS_MOST = 1 << 20 };

typedef struct span_of_time {
    int64_t from, to;
} span_of_time;

typedef struct span_list {
    span_of_time *spans;
    uint32_t n;
    uint64_t n_seen;
    span_of_time whole;
    double tick_s;
    bool is_cut; /* there were more */
} span_list;

/* One that ends before it begins is left out. Errors: E_NO_MEMORY. */
roof_status spans_add(span_list *list, roof_arena *arena, span_of_time span, roof_error *err);

/* Seconds in which anything ran, of one span that one, of none 0; NaN: there were too many to know. */
double spans_busy(span_list *list);

/* Seconds from first beginning to last end, and those in which anything ran; NaN: unknown, as of one span. */
void spans_sum(span_list *list, double *span_s, double *busy_s);
