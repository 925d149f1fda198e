#include "measure/run/runner.h"
#include "core/json/jsonout.h"
#include "measure/run/machine.h"
#include "measure/profile/profile.h"

#include <errno.h>
#include <limits.h>

enum { MOST_KEY_BYTES = 100, MOST_ITERATIONS = 1 << 24, LIFE_MS = INT_MAX / 2, GOOD_BYE_MS = 2000 };

/* The next line that it writes, read. Where it is silent or dead, its own last words tell why, with what they
 * mean where that is known. */
static roof_status hear(runner *r, runner_answer *out)
{
    child *c = &r->child;
    char *text = NULL, how[120];
    size_t length = 0;
    child_answer heard = child_hear(c, r->request->answer_ms, &text, &length);
    if (heard == CHILD_NO_MEMORY)
        return error_memory(r->err);
    if (heard == CHILD_FLOOD)
        return runner_fault(r, "it writes a line of more than %d bytes", CHILD_LONGEST_LINE);
    if (heard != CHILD_LATE && heard != CHILD_CLOSED)
        return runner_read_line(r, text, length, out);
    child_end_within(c, heard == CHILD_LATE ? 0 : GOOD_BYE_MS);
    r->is_started = false;
    if (heard == CHILD_LATE)
        print_into(how, sizeof how, "it was silent for %g s and was ended (--timeout makes that longer)",
                   r->request->answer_ms / 1e3);
    else if (c->signal)
        snprintf(how, sizeof how, "it died (%s)", strsignal(c->signal));
    else
        snprintf(how, sizeof how,
                 c->timed_out ? "it closed its output, and was ended" : "it ended before it was done");
    return runner_tell_death(c, how, false, r->err);
}

/* --- talking -------------------------------------------------------------------------------------------- */

static roof_status say(runner *r, textbuf *text)
{
    roof_status status = text_status(text, r->err);
    /* A dead runner takes nothing any more, which its silence tells. */
    if (status == ROOF_OK)
        child_say(&r->child, text->bytes, text->length);
    text_free(text);
    return status;
}

static roof_status send_request(runner *r)
{
    const runner_request *q = r->request;
    textbuf text;
    jsonout j;
    text_init(&text, TEXT_MAX_BYTES);
    jsonout_begin(&j, &text);
    jsonout_object(&j, NULL, true);
    jsonout_string(&j, "protocol", "roofline.runner/1");
    jsonout_string(&j, "model", q->model);
    if (q->model)
        jsonout_string(&j, "mode", roof_run_mode_text(q->mode));
    if (q->counters)
        jsonout_bool(&j, "counters", true);
    if (q->probe)
        jsonout_bool(&j, "probe", true);
    if (q->batch)
        jsonout_count(&j, "batch", q->batch);
    if (q->threads)
        jsonout_count(&j, "threads", q->threads);
    jsonout_object(&j, "options", true);
    for (uint32_t i = 0; i < q->n_options; i++) {
        char key[MOST_KEY_BYTES + 1];
        size_t length = strcspn(q->options[i], "=");
        snprintf(key, sizeof key, "%.*s", (int)(length < sizeof key ? length : sizeof key - 1),
                 q->options[i]);
        jsonout_string(&j, key, q->options[i][length] ? q->options[i] + length + 1 : "");
    }
    jsonout_end(&j);
    jsonout_end(&j);
    return say(r, &text);
}

/* --- its life ------------------------------------------------------------------------------------------- */

static roof_status meet(runner *r)
{
    runner_answer a = {0};
    TRY(send_request(r));
    TRY(hear(r, &a));
    if (a.is != ANSWER_HELLO)
        return runner_fault(r, "its first line is no hello");
    r->about = a.hello;
    if (r->about.batch == ROOF_NONE)
        r->about.batch = 1;
    bool names_rows = r->request->probe || (r->request->model && r->request->mode == ROOF_RUN_PER_LAYER);
    if (!names_rows)
        return ROOF_OK;
    TRY(hear(r, &a));
    return a.is == ANSWER_LAYERS && r->n_layers
               ? ROOF_OK
               : runner_fault(r, "it does not name the layers that it times");
}

/* An error of a runner begins with its name. */
static roof_status say_which(const runner *r, roof_status status)
{
    return error_placed(status, r->err, "runner '%s'", r->request->name);
}

roof_status runner_start(const runner_request *request, runner *out, roof_error *err)
{
    char *const arguments[] = {(char *)(uintptr_t)request->path, NULL};
    const child_options options = {.settings = request->settings, .most_ms = LIFE_MS, .talks = true};
    *out = (runner){.request = request, .arena = arena_new(0), .err = err};
    TRY(ALLOCATED(out->arena, err));
    int code = child_start(&options, arguments, &out->child);
    if (code == ENOMEM)
        return error_memory(err);
    if (code)
        return say_which(out, error_set(err, ROOF_E_DEVICE, "'%.300s' cannot be started: %s", request->path,
                                        strerror(code)));
    out->is_started = true;
    return say_which(out, meet(out));
}

static bool is_load(const runner *r)
{
    return r->request->mode == ROOF_RUN_LOAD;
}

static roof_status keep_sample(runner *r, const runner_answer *a)
{
    runner_samples *s = &r->samples;
    double sum = 0;
    const double *row = r->n_layers ? s->layers_s + (size_t)s->n * r->n_layers : NULL;
    for (uint32_t i = 0; i < r->n_layers; i++)
        sum += isnan(row[i]) ? 0 : row[i];
    if (!r->request->counters && sum > a->total_s * (1 + 1e-6))
        return runner_fault(r, "the layers of a sample take %g s together, all of it %g s", sum, a->total_s);
    if (!array_grow((void **)&s->totals_s, s->n, sizeof *s->totals_s) ||
        (is_load(r) && !array_grow((void **)&s->threads, s->n, sizeof *s->threads)))
        return error_memory(r->err);
    if (is_load(r))
        s->threads[s->n] = a->thread;
    s->totals_s[s->n++] = a->total_s;
    return ROOF_OK;
}

/* Inferences of a thread follow one another: together they take no longer than the time that passed here. */
static roof_status check_claim(runner *r, uint32_t from, double passed_s)
{
    static const double of_two_clocks = 1.01, coarsest_tick_s = 0.01; /* that of a kernel with HZ=100 */
    uint32_t threads = r->request->threads > 1 ? r->request->threads : 1;
    double most_s = passed_s * threads * of_two_clocks + coarsest_tick_s, claimed_s = 0;
    for (uint32_t i = from; i < r->samples.n; i++)
        claimed_s += r->samples.totals_s[i];
    if (r->request->counters || claimed_s <= most_s) /* times of a pass of counters are not kept */
        return ROOF_OK;
    return runner_fault(r,
                        "its %" PRIu32
                        " samples of a turn are %g s together, want at most the %g s that passed "
                        "here, in %" PRIu32 " thread%s: its clock or its unit is wrong",
                        r->samples.n - from, claimed_s, passed_s, threads, threads == 1 ? "" : "s");
}

static roof_status run(runner *r, uint32_t iterations)
{
    runner_answer a = {0};
    double begin_s = machine_now_s();
    textbuf text;
    uint32_t before = r->samples.n;
    if (iterations > MOST_ITERATIONS - before)
        return error_set(r->err, ROOF_E_LIMIT, "more than %d iterations", MOST_ITERATIONS);
    text_init(&text, TEXT_MAX_BYTES);
    text_printf(&text, "{\"iterations\": %" PRIu32 "}\n", iterations);
    TRY(say(r, &text));
    for (;;) {
        TRY(hear(r, &a));
        if (a.is == ANSWER_ROUND && a.iterations == iterations && r->samples.n - before == iterations)
            return check_claim(r, before, machine_now_s() - begin_s);
        if (a.is == ANSWER_ROUND)
            return runner_fault(
                r, "it ends a round of %" PRIu32 " iterations after %" PRIu32 " samples and says %" PRIu32,
                iterations, r->samples.n - before, a.iterations);
        if (a.is != ANSWER_SAMPLE || r->samples.n - before == iterations)
            return runner_fault(r, a.is == ANSWER_SAMPLE
                                       ? "it gives more samples than were requested"
                                       : "it writes something else than samples in a round");
        if (r->n_layers && !a.has_times)
            return runner_fault(r, "its sample has no %s",
                                r->request->counters ? "layers_cycles" : "layers_s");
        /* of a load run each thread's rate counts */
        const uint32_t threads = r->request->threads, last = threads - 1;
        if (is_load(r) && a.thread >= threads)
            return a.thread == ROOF_NONE
                       ? runner_fault(r, "its sample has no thread, want from 0 to %" PRIu32 " in mode load",
                                      last)
                       : runner_fault(r, "its sample is of thread %" PRIu32 ", want from 0 to %" PRIu32,
                                      a.thread, last);
        TRY(keep_sample(r, &a));
    }
}

roof_status runner_run(runner *r, uint32_t iterations, roof_error *err)
{
    r->err = err;
    return say_which(r, run(r, iterations));
}

void runner_forget(runner *r)
{
    free(r->samples.totals_s);
    free(r->samples.threads);
    free(r->samples.layers_s);
    r->samples = (runner_samples){0};
}

roof_status runner_finish(runner *r, roof_error *err)
{
    runner_answer a = {0};
    r->err = err;
    child_say_no_more(&r->child);
    roof_status status = hear(r, &a);
    if (status == ROOF_OK && a.is != ANSWER_DONE)
        status = runner_fault(r, "it has more to say when there is nothing more to do");
    if (r->is_started)
        child_end_within(&r->child, GOOD_BYE_MS);
    r->is_started = false;
    return say_which(r, status);
}

void runner_free(runner *r)
{
    if (r->is_started)
        child_end_within(&r->child, 0);
    r->is_started = false;
    runner_forget(r);
    arena_free(r->arena);
    r->arena = NULL;
}
