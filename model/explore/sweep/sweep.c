/* Several threads compute points in chunks that follow one another; who called hands them over in order. */
#include "roofline/sweep.h"
#include "core/platform/platform.h"
#include "model/explore/sweep/sweep_point.h"

/* CHUNK points are handed over at a time. A thread is at most AHEAD chunks before what is handed over, which
 * bounds the memory. */
enum { CHUNK = 32, AHEAD = 4 };

/* Points of one subject, from first up to before end, and what row wrote of them. Its room stays for the
 * chunks that follow in its slot. */
typedef struct chunk {
    uint64_t first, end;
    textbuf text;
    sweep_device device;
} chunk;

typedef struct sweep {
    const roof_sweep_plan *swept;
    const roof_sweep_use *use;
    chunk *chunks;           /* by slot */
    sweep_subject *subjects; /* by place */
    uint64_t next, end;      /* the first point that nobody computes yet */
} sweep;

static bool next_chunk(void *sweep_, os_job *job)
{
    sweep *s = sweep_;
    const uint64_t a_subject = sweep_points_a_subject(s->swept);
    if (s->next >= s->end)
        return false;
    job->group = s->next / a_subject;
    chunk *c = &s->chunks[job->slot];
    const uint64_t a_device = s->swept->n_measured ? 1 : a_subject / s->swept->n_devices,
                   end_of_subject = (job->group + 1) * a_subject;
    c->first = s->next;
    /* of whole devices, where it holds them: what their points share is made once */
    c->end = s->next - s->next % a_device + a_device;
    while (c->end + a_device <= c->first + CHUNK)
        c->end += a_device;
    c->end = c->end < c->first + CHUNK ? c->end : c->first + CHUNK;
    c->end = c->end < end_of_subject ? c->end : end_of_subject;
    c->end = c->end < s->end ? c->end : s->end;
    s->next = c->end;
    job->next_group = s->next < s->end ? s->next / a_subject : ROOF_UNKNOWN;
    return true;
}

static roof_status open_subject(void *sweep_, uint64_t number, uint32_t place, roof_error *err)
{
    sweep *s = sweep_;
    return sweep_subject_read(s->swept, number, &s->subjects[place], err);
}

static void close_subject(void *sweep_, uint32_t place)
{
    sweep_subject_free(&((sweep *)sweep_)->subjects[place]);
}

static roof_status add_text(void *text, const char *bytes, size_t length, roof_error *err)
{
    text_add(text, bytes, length);
    return text_status(text, err);
}

static roof_status compute(void *sweep_, uint32_t slot, uint32_t place, roof_error *err)
{
    sweep *s = sweep_;
    chunk *c = &s->chunks[slot];
    roof_status status = ROOF_OK;
    c->device.end = 0; /* the points before may have been of another subject */
    c->device.program.hw = NULL;
    for (uint64_t i = c->first; i < c->end && status == ROOF_OK; i++)
        status = sweep_point_put(s->swept, &s->subjects[place], i, c->end, &c->device, s->use,
                                 (roof_sink){add_text, &c->text}, err);
    return status;
}

static roof_status hand_over(void *sweep_, uint32_t slot, roof_error *err)
{
    sweep *s = sweep_;
    chunk *c = &s->chunks[slot];
    const roof_status status =
        s->use->rows(s->use->context, c->end, c->text.bytes ? c->text.bytes : "", c->text.length, err);
    c->text.length = 0; /* its room stays */
    return status;
}

roof_status roof_sweep_run(const roof_sweep_plan *plan, uint64_t first, uint64_t end, uint32_t jobs,
                           const roof_sweep_use *use, roof_error *err)
{
    const uint32_t there = os_processors(true),
                   used = there < ROOF_MOST_SWEEP_JOBS ? there : ROOF_MOST_SWEEP_JOBS;
    const uint32_t most = jobs ? jobs : used ? used : 1;
    sweep s = {.swept = plan, .use = use, .next = first, .end = end};
    const os_jobs work = {.n_threads = most,
                          .n_slots = most * AHEAD,
                          .context = &s,
                          .next = next_chunk,
                          .open = open_subject,
                          .work = compute,
                          .take = hand_over,
                          .close = close_subject};
    if (most > ROOF_MOST_SWEEP_JOBS || first > end || end > plan->n_points)
        return error_set(err, ROOF_E_USAGE, "want at most %d threads, and points of the plan, which has %llu",
                         ROOF_MOST_SWEEP_JOBS, (unsigned long long)plan->n_points);
    s.chunks = calloc(work.n_slots, sizeof *s.chunks);
    s.subjects = calloc((size_t)most + 1, sizeof *s.subjects);
    for (uint32_t i = 0; s.chunks && i < work.n_slots; i++)
        text_init(&s.chunks[i].text, TEXT_MAX_BYTES);
    roof_status status = s.chunks && s.subjects ? ROOF_OK : error_memory(err);
    if (status == ROOF_OK && !os_do_jobs(&work, &status, err))
        status = error_memory(err);
    for (uint32_t i = 0; s.chunks && i < work.n_slots; i++) {
        text_free(&s.chunks[i].text);
        sweep_device_free(&s.chunks[i].device);
    }
    free(s.subjects);
    free(s.chunks);
    return status;
}
