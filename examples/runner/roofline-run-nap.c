/* A runner for roofline in C: "executes" four layers by sleeping. docs/runner-protocol.md has the rules;
 * option scale=2 is twice as slow. To build it: cc -I FOLDER -o roofline-run-nap roofline-run-nap.c
 * FOLDER/speak.c FOLDER/speak_load.c -lcjson, with the folder of speak.h. */
#include "speak_load.h"

#include <stdlib.h>
#include <time.h>

enum { N_LAYERS = 4 };

static const speak_layer layers[N_LAYERS] = {{"conv1", "conv", NULL, 4000000, SPEAK_UNKNOWN},
                                             {"conv2", "conv", NULL, 2000000, SPEAK_UNKNOWN},
                                             {"pool", "pool", NULL, 0, SPEAK_UNKNOWN},
                                             {"dense", "dense", NULL, 3000000, SPEAK_UNKNOWN}};
static const double layers_s[N_LAYERS] = {0.002, 0.001, 0.0005, 0.0015};

static void execute(double seconds)
{
    nanosleep(&(struct timespec){(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)}, NULL);
}

/* One inference: in mode per_layer with a clock read behind each layer, else none inside. */
static void run(speaker *s, double scale)
{
    double times_s[N_LAYERS], begin_s = speak_now_s(), last_s = begin_s;
    const bool per_layer = speak_request_of(s)->per_layer;
    for (int i = 0; i < N_LAYERS; i++) {
        execute(layers_s[i] * scale);
        if (!per_layer)
            continue;
        times_s[i] = speak_now_s() - last_s;
        last_s += times_s[i];
    }
    speak_sample_of(s, &(speak_sample){.total_s = speak_now_s() - begin_s,
                                       .layers_s = times_s,
                                       .n_layers = per_layer ? N_LAYERS : 0});
}

/* --- turns: one inference after the other, or in mode load by threads --------------------------------- */

static bool take(void *scale, uint32_t thread, double *phases_s, char *why)
{
    (void)thread;
    (void)phases_s;
    (void)why;
    for (int i = 0; i < N_LAYERS; i++)
        execute(layers_s[i] * *(const double *)scale);
    return true;
}

static void run_turns(speaker *s, double scale)
{
    const speak_request *q = speak_request_of(s);
    const speak_work work = {.context = &scale, .run = take, .n_threads = q->threads};
    char why[SPEAK_LOAD_WHY_SIZE] = "";
    uint32_t iterations;
    speak_load *load = q->load ? speak_load_begin(&work, why) : NULL;
    while (!*why && speak_next_turn(s, &iterations)) {
        for (uint32_t i = 0; i < iterations && !load; i++)
            run(s, scale);
        if (!load || speak_load_turn(load, s, iterations, why))
            speak_round(s, iterations);
    }
    speak_load_end(load);
    if (*why)
        speak_error(s, "no_device", "%s", why);
    else
        speak_done(s, 9000000);
}

int main(void)
{
    static const char *const options[] = {"scale", NULL};
    speaker *s = speak_begin();
    if (!s)
        return EXIT_FAILURE;
    if (!speak_knows(s, options))
        return speak_end(s);
    const double scale = strtod(speak_option(s, "scale", "1"), NULL);
    speak_hello_to(s, &(speak_hello){.device = "a clock that naps", .version = "1.0", .launches = 1});
    if (!(scale > 0 && scale < 1000))
        speak_error(s, "usage", "scale is '%s', want a number above 0 and below 1000",
                    speak_option(s, "scale", "1"));
    else if (speak_request_of(s)->model) {
        if (speak_request_of(s)->per_layer)
            speak_layers(s, layers, N_LAYERS);
        run_turns(s, scale);
    }
    return speak_end(s);
}
