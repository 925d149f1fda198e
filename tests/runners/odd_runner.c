/* What a runner may have to say: text in other encodings, counts of 16 digits, times that are not known, an
 * error that is too long. Under load: how often its threads ran, and what they fail at. */
#include "speak_load.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* --- load ---------------------------------------------------------------------------------------------- */

typedef struct loaded {
    const char *fails;           /* at "begin" or "run", in thread 1 */
    uint32_t n_begun;            /* without a lock: they begin one after the other */
    atomic_uint n_runs, n_ended; /* with those that do not count */
} loaded;

static bool begin(void *loaded_, uint32_t thread, char why[SPEAK_LOAD_WHY_SIZE])
{
    loaded *l = loaded_;
    if (thread != l->n_begun++)
        snprintf(why, SPEAK_LOAD_WHY_SIZE, "thread %u is not number %u", thread, l->n_begun);
    return !*why && !(thread == 1 && strcmp(l->fails, "begin") == 0);
}

static bool run(void *loaded_, uint32_t thread, double phases_s[SPEAK_LOAD_PHASES],
                char why[SPEAK_LOAD_WHY_SIZE])
{
    loaded *l = loaded_;
    phases_s[0] = 0;
    atomic_fetch_add(&l->n_runs, 1);
    if (thread != 1 || strcmp(l->fails, "run") != 0)
        return true;
    snprintf(why, SPEAK_LOAD_WHY_SIZE, "the second one broke");
    return false;
}

static void end(void *loaded_, uint32_t thread)
{
    loaded *l = loaded_;
    (void)thread;
    atomic_fetch_add(&l->n_ended, 1);
}

static int take_load(speaker *s)
{
    static const char *const phases[] = {"run_s"};
    loaded l = {.fails = speak_option(s, "fails", "")};
    const speak_work work = {.context = &l,
                             .begin = begin,
                             .run = run,
                             .end = end,
                             .phases = phases,
                             .n_phases = 1,
                             .n_threads = speak_request_of(s)->threads};
    char why[SPEAK_LOAD_WHY_SIZE];
    uint32_t iterations;
    speak_load *load = speak_load_begin(&work, why);
    while (!*why && speak_next_turn(s, &iterations))
        if (speak_load_turn(load, s, iterations, why))
            speak_round(s, iterations);
    speak_load_end(load);
    fprintf(stderr, "%u begun, %u ended, %u runs\n", l.n_begun, l.n_ended, l.n_runs);
    if (*why)
        speak_error(s, "no_device", "%s", why);
    return speak_end(s);
}

/* --- one thread ---------------------------------------------------------------------------------------- */

int main(void)
{
    speaker *s = speak_begin();
    uint32_t iterations;
    char lengthy[1000];
    if (!s)
        return 2;
    if (speak_request_of(s)->load)
        return take_load(s);
    const speak_request *q = speak_request_of(s);
    speak_hello_to(s,
                   &(speak_hello){.device = "caf\xc3\xa9 \xe9\x1b[31m\n\xc2\x9b\xf0\x9f\x98\x80\xed\xa0\x80",
                                  .version = q->model,
                                  .note = speak_option(s, "note", "none"),
                                  .batch = q->batch});
    speak_layers(s,
                 (speak_layer[]){{"a\"/\\", "conv", NULL, 9007199254740991, SPEAK_UNKNOWN},
                                 {"b", NULL, "no code", SPEAK_UNKNOWN, 0}},
                 2);
    while (speak_next_turn(s, &iterations)) {
        speak_sample_of(s, &(speak_sample){.total_s = 0.1,
                                           .phases = (const char *const[]){"run_s"},
                                           .phases_s = (double[]){1e-9},
                                           .n_phases = 1,
                                           .layers_s = (double[]){1234567890123456, NAN},
                                           .n_layers = 2});
        speak_round(s, iterations);
    }
    speak_done(s, 0);
    memset(lengthy, 'x', sizeof lengthy);
    memcpy(lengthy + 698, "\xc3\xa9", 3); /* cut in the middle */
    speak_error(s, "usage", "%s", lengthy);
    return speak_end(s);
}
