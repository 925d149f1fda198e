/* speak.h - the runner's side of docs/runner-protocol.md, for runners in C and C++.
 *
 * A runner is its own source, speak.c, cJSON and its vendor's library, and needs nothing else of roofline:
 *   cc -o roofline-run-NAME roofline-run-NAME.c speak.c -lcjson
 * Example: examples/runner/roofline-run-nap.c
 * Units: seconds.
 * Ownership: what was begun is ended by speak_end. Texts of a request live until then; what is said is
 * borrowed during the call.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct speaker speaker;

enum { SPEAK_MOST_OPTIONS = 64 };

#define SPEAK_UNKNOWN UINT64_MAX /* an unknown count */

/* The request of roofline. */
typedef struct speak_request {
    const char *model; /* NULL: only what the runner is */
    bool per_layer;
    bool counters;    /* cycles of layers as the device counts them, in place of their times */
    bool probe;       /* what the machine can do, in place of a model */
    uint32_t batch;   /* 0: as the runner likes */
    uint32_t threads; /* of mode load: that call the device at the same time; else 0 */
    const char *keys[SPEAK_MOST_OPTIONS], *values[SPEAK_MOST_OPTIONS];
    uint32_t n_options;
    bool load; /* by threads that do not wait for one another (speak_load.h does that) */
} speak_request;

typedef struct speak_hello {
    const char *device, *version, *data_type, *note; /* NULL: nothing to say, but for the device */
    const char *counts; /* what the device counts the cycles of, in a pass of its own; NULL: it does not */
    uint32_t launches, batch; /* 0: unknown */
    uint32_t cores;           /* of the device, that threads under load are dealt out to; 0: unknown */
    bool runs_code; /* it executes the model's compiled code, on the hardware that this was compiled for */
} speak_hello;

/* A row of what is executed; skipped: why not, or NULL. */
typedef struct speak_layer {
    const char *name, *type, *skipped;
    uint64_t macs, bytes; /* SPEAK_UNKNOWN: not known */
} speak_layer;

/* One inference. */
typedef struct speak_sample {
    double total_s;
    const char *const *phases; /* names that end with _s */
    const double *phases_s;
    uint32_t n_phases;
    const double *layers_s; /* NaN for what is skipped; in a pass of counters cycles */
    uint32_t n_layers;
} speak_sample;

/* Reads the request. NULL: there is none that can be understood, which standard error was told.
 * Standard output is the runner's own from here on: what a library prints there goes to standard error. */
speaker *speak_begin(void);
const speak_request *speak_request_of(const speaker *s);

/* Starts this program anew with a variable of the environment that its libraries have read already, unless it
 * has that value. To be called before anything is answered. */
void speak_again(speaker *s, const char *name, const char *value);

/* True where all given options are among names, which end with NULL; else answers with the error `usage`,
 * which lists them. A slip in a name would be an unread option. To be called before hello. */
bool speak_knows(speaker *s, const char *const *names);

/* The value of an option, or otherwise. */
const char *speak_option(const speaker *s, const char *key, const char *otherwise);

/* Random data that is the same in every run: the option "seed", else SPEAK_SEED. False where it is no whole
 * number. Say the seed in the note of hello, so that it is in the document. */
enum { SPEAK_SEED = 42 };
bool speak_seed(const speaker *s, uint64_t *seed);

/* Fills bytes, and moves the state on, which begins as a seed (SplitMix64). */
void speak_random(uint64_t *state, void *bytes, size_t n);

void speak_hello_to(speaker *s, const speak_hello *hello);
void speak_layers(speaker *s, const speak_layer *layers, uint32_t n);

/* Waits for the next turn. False: there is none, so say done. */
bool speak_next_turn(speaker *s, uint32_t *iterations);
void speak_sample_of(speaker *s, const speak_sample *sample);

/* The same in mode load, of the thread that had it, from 0. Only one thread may speak at a time; none should
 * while others are timed. */
void speak_sample_of_thread(speaker *s, uint32_t thread, const speak_sample *sample);
void speak_round(speaker *s, uint32_t iterations);
void speak_done(speaker *s, uint64_t macs); /* of one inference, as they were executed */

/* Nothing may be said behind it. code: one of those of the protocol. Returns false, so that a failure is one
 * statement. */
bool speak_error(speaker *s, const char *code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* 0, or 1 after an error or when a line could not be written: what main returns. NULL is an error. */
int speak_end(speaker *s);

/* Seconds of a clock that only goes forward. */
double speak_now_s(void);

#ifdef __cplusplus
}
#endif
