/* Lines of a runner that is not to be trusted: what is read of them is whole, and what is kept agrees. */
#include "core/error.h"
#include "measure/run/runner.h"
#include "tests/fuzz/fuzz_target.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SAMPLES = 64 };

static void check_answer(const runner *r, const runner_answer *a)
{
    if (a->is == ANSWER_HELLO)
        CHECK(a->hello.device && *a->hello.device);
    if (a->is == ANSWER_SAMPLE)
        CHECK(a->total_s >= 0 && isfinite(a->total_s));
    if (a->has_times)
        for (uint32_t i = 0; i < r->n_layers; i++)
            CHECK(isnan(r->samples.layers_s[(size_t)r->samples.n * r->n_layers + i]) ==
                  (r->layers[i].skipped != NULL));
    CHECK(r->samples.n_phases <= RUNNER_MOST_PHASES);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    roof_error err = {0};
    const runner_request request = {.name = "fuzz"};
    runner r = {.request = &request, .arena = arena_new(0), .err = &err};
    const char *text = (const char *)data, *end = text + size;
    while (r.arena && text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text)), *stop = newline ? newline : end;
        runner_answer a;
        if (runner_read_line(&r, text, (size_t)(stop - text), &a) != ROOF_OK)
            break;
        check_answer(&r, &a);
        if (a.is == ANSWER_SAMPLE && r.n_layers && !a.has_times)
            break; /* which is refused behind it */
        if (a.is == ANSWER_SAMPLE && r.samples.n < MOST_SAMPLES)
            r.samples.n++;
        text = stop + (newline != NULL);
    }
    free(r.samples.totals_s);
    free(r.samples.layers_s);
    arena_free(r.arena);
    return 0;
}
