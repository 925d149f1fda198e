/* tests/support/language_models.h - published language models by their hyper-parameters. */
#ifndef ROOF_TESTS_SUPPORT_LANGUAGE_MODELS_H
#define ROOF_TESTS_SUPPORT_LANGUAGE_MODELS_H

#include "roofline/graph.h"

typedef struct language_text {
    const char *name, *text;     /* text: members of config.json */
    double parameters_g;         /* published, in 1e9; NaN: not known */
    uint64_t kv_bytes_per_token; /* by hand, with 2 bytes an element */
} language_text;

/* The last one has no name. */
extern const language_text language_texts[];

/* Parameters, those that a step reads, bytes that a token adds to the cache (2 an element), and of states. */
typedef struct language_counted {
    const char *name, *text;
    uint64_t parameters, read, kv_bytes_per_token, state_bytes;
    double tolerance; /* of the first two; 0: exact */
} language_counted;
extern const language_counted language_counted_models[];

/* Its config.json as a graph, which the caller frees; at most 8 are open at a time. Ends the program where it
 * cannot be read. */
roof_graph *language_open(const char *text, roof_workload workload);

#endif
