/* measure/import/text_points.h - what importers of benchmarks of language models share: one row, of a phase
 * and a number of tokens, becomes an experiment with one whole-network run.
 *
 * Units: s; tokens; tokens/s.
 * Ownership: texts of a point live as long as the document.
 */
#pragma once

#include "measure/import/importer.h"

typedef struct text_point {
    const char *model, *device; /* NULL, here and below: not stated */
    const char *weight_type, *cache_type;
    const char *stack, *stack_version;
    roof_text_phase phase;
    double tokens;         /* of the prompt, or before the token that a step makes; rounded here */
    double batch;          /* sequences that are worked on together; NaN: not stated */
    uint64_t memory_bytes; /* of the machine; 0: not stated */
    bool is_elsewhere;     /* on other hardware than the user's --hw is of */
    roof_times time;       /* of the prompt, or of one step of all sequences */
} text_point;

/* Nothing known, of a stack. */
text_point text_point_unknown(const char *stack);

/* Makes it the point of a prompt of so many tokens, or of the mean over steps made behind them, which is of
 * the middle of the contexts that were there, as the time of a step grows in proportion to it. */
void text_point_of(text_point *point, roof_text_phase phase, double before, double made);

/* The time of so many tokens at a rate, and the deviation of that time where it is a small share of it; NaN:
 * unknown. A rate of 0 has no time. */
roof_times text_times_of_rate(double tokens, double tokens_per_s, double std_tokens_per_s);

/* The experiment of a point. One without a time that is more than 0, or with less than one token, is left
 * out, with a remark. Errors: E_USAGE when the file has several models and the user named the path of one,
 * E_DATA for more than 2^32 - 2 tokens, E_NO_MEMORY. */
roof_status text_point_add(import_state *in, const text_point *point, roof_error *err);

/* The type of weights that the words of a tool hold last: "q4_k" of "Q4_K - Medium" and of "x-Q4_K_M.gguf",
 * "f16", "bf16", "iq4_xs". NULL where there is none, or without memory. */
const char *text_weight_type(import_state *in, text_span words);

/* A name out of JSON, NULL for an empty one. */
const char *text_or_null(const char *name);

/* "model-Q4_0" of "models/model-Q4_0.gguf", also where '\' parts folders. Errors: E_DATA, E_NO_MEMORY. */
roof_status text_model_of_path(import_state *in, const char *path, const char **out, roof_error *err);
