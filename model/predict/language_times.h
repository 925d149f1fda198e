/* model/predict/language_times.h - the expected time of a step or a prompt of a language model, by the
 * built-in calibration of a stack in the entry of the hardware, and whether it fits into memory.
 *
 * Units and formulas: roofline/language.h. Texts are static or in the arena that constants were made with.
 */
#pragma once

#include "model/laws/law.h"
#include "roofline/language.h"

typedef struct language_request {
    const hw_view *view;
    const char *hardware; /* its id, for messages */
    const roof_language_model *model;
    roof_language_point point; /* its tokens do not matter */
    const char *stack;         /* NULL: none */
    bool is_changed;           /* another clock or memory than the entry's own */
} language_request;

/* The part of a step that does not grow with the context, and what each further token costs. */
typedef struct language_line {
    double constant_s, per_token_s;
} language_line;

/* Parts of the device's rates that a stack reaches: of the bandwidth, and of peak.f16. */
typedef struct language_shares {
    double weights, cache, product, experts_product, attention;
    double layer_work; /* plain layers that one of this model takes as long as */
} language_shares;

/* Constants of a phase; of what is unknown NaN. */
typedef struct language_constants {
    const char *stack, *attention, *method;
    const char *not_known; /* why nothing is expected of any point; NULL */
    double bandwidth_bytes_per_s, layer_s[ROOF_MIXERS], experts_s, per_token_s;
    double chunk_tokens, product_macs_per_s, attention_macs_per_s;
    double most_tokens, points, models, error, scatter;
    double cache_bytes_per_s; /* of attention that takes as long as it reads; else classes say how long */
    double factor;            /* of constants that are shares: 95 of 100 times are within it */
    double device_ratio;      /* this device's times over those of its stack's others */
    language_shares shares;
    double reach_ratio; /* of the interval: to its ends from its middle; NaN: unknown */
    bool reads_windows_whole, needs_device;
    language_line anchor; /* of the caller's own points; constant_s 0: there are none */
} language_constants;

/* True if the device has a stack of its own for language models, which widens weights as it has to. */
bool language_has_stack(const hw_view *view, roof_arena *arena);

/* Missing constants are no error. Errors: E_NO_MEMORY. */
roof_status language_constants_of(const language_request *requested, roof_arena *arena,
                                  language_constants *out, roof_error *err);

/* The caller's own points of steps: one fixes the constant part, two or more also what a token costs.
 * Constants are those of steps. Errors: E_USAGE for points that no line goes through, E_LIMIT. */
roof_status language_anchor(language_constants *k, const language_request *a,
                            const roof_curve_measured *anchors, uint32_t n, roof_arena *arena,
                            roof_error *err);

void language_expect(const language_constants *k, const roof_language_model *m, const roof_language_point *p,
                     const roof_language_counts *c, const roof_language_memory *memory,
                     roof_language_expectation *out);

/* No interval begins below the bound. */
void language_keep_bound(double ideal_s, roof_language_expectation *x);

/* available: of the machine; 0: not said, and then it is the device's own, where it has all of a model, else
 * it is unknown whether it fits. Errors: E_LIMIT. */
roof_status language_memory_of(const hw_view *view, const roof_language_model *model,
                               const roof_language_point *point, uint64_t available_bytes,
                               roof_language_memory *out, roof_error *err);

/* The memory that a point needs, and whether it fits; all else of memory stays as it is. */
void language_memory_at(const roof_language_counts *counts, const roof_weight_format *form,
                        roof_language_memory *memory);

enum { MOST_CONTEXT_TOKENS = 1 << 24, MOST_SEQUENCES = 1 << 16 };
