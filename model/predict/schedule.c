/* When each instruction of compiled code starts at the earliest, replayed with what it waits for; what each engine and each layer is
 * of that. */
#include "model/predict/schedule.h"
#include "core/error.h"
#include "core/quantity.h"
#include "model/predict/predictor.h"

#include <inttypes.h>
#include <math.h>

static const char *const engine_names[DPU_QUEUES] = {"load", "save", "conv", "misc"};

/* ---- parts ---- */

/* Cycles of each step of the time, of one kind. */
typedef struct steps {
    double cycles[ROOF_SCHEDULE_STEPS];
} steps;

/* What there is to see of an engine over time. */
typedef struct lane {
    steps busy, path, waits[DPU_QUEUES];
} lane;

static void add_interval(steps *s, double step_cycles, uint64_t from, uint64_t to)
{
    double at = (double)from, end = (double)to;
    if (from == to) /* most are: without a wait, or an INIT */
        return;
    for (size_t i = (size_t)(at / step_cycles); i < ROOF_SCHEDULE_STEPS && at < end; i++) {
        double step_end = step_cycles * (double)(i + 1), until = end < step_end ? end : step_end;
        s->cycles[i] += until > at ? until - at : 0;
        at = until > at ? until : at;
    }
}

static void fill_lanes(const roof_stream *stream, const dpu_replay *replay, lane lanes[DPU_QUEUES])
{
    double step_cycles = (double)replay->cycles / ROOF_SCHEDULE_STEPS;
    uint64_t until = replay->cycles;
    for (uint32_t i = 0; i < stream->n_tasks; i++) {
        const dpu_event *event = &replay->events[i];
        lane *l = &lanes[stream->tasks[i].queue];
        add_interval(&l->busy, step_cycles, event->start, event->end);
        add_interval(&l->waits[event->waited_for], step_cycles, event->start - event->waited, event->start);
    }
    for (uint32_t i = replay->last; i != ROOF_NONE; i = replay->events[i].before) {
        add_interval(&lanes[stream->tasks[i].queue].path, step_cycles, replay->events[i].start, until);
        until = replay->events[i].start;
    }
}

static const char *say_steps(predictor *p, const steps *s, double step_cycles, double ports)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    char text[ROOF_SCHEDULE_STEPS + 1] = "";
    for (size_t i = 0; i < ROOF_SCHEDULE_STEPS; i++)
        text[i] = digits[(size_t)(35 * fmin(1, s->cycles[i] / step_cycles / ports) + 0.5)];
    return arena_strdup(p->arena, text);
}

double roof_step_ratio(char step)
{
    return step >= '0' && step <= '9'   ? (step - '0') / 35.0
           : step >= 'a' && step <= 'z' ? (step - 'a' + 10) / 35.0
                                        : NAN;
}

/* Ports together are busy at most all of the time. */
static roof_status add_steps(predictor *p, const lane *l, unsigned queue, double step_cycles,
                             roof_schedule_engine *out)
{
    out->busy_steps = say_steps(p, &l->busy, step_cycles, out->ports);
    out->path_steps = say_steps(p, &l->path, step_cycles, 1);
    TRY(ARENA_GET(p->arena, out->wait_steps, DPU_QUEUES - 1, p->err));
    for (unsigned other = 0; other < DPU_QUEUES; other++)
        if (other != queue)
            out->wait_steps[out->n_wait_steps++] =
                (roof_named_steps){engine_names[other], say_steps(p, &l->waits[other], step_cycles, 1)};
    return arena_status(p->arena, p->err);
}

static roof_status add_engine(predictor *p, const dpu_replay *replay, unsigned queue,
                              roof_schedule_engine *out)
{
    const dpu_queue_times *times = &replay->queues[queue];
    *out = (roof_schedule_engine){.name = engine_names[queue],
                                  .ports = queue == DPU_QUEUE_SAVE ? 2 : 1,
                                  .busy_cycles = times->busy,
                                  .tail_cycles = queue == DPU_QUEUE_SAVE ? ROOF_UNKNOWN : times->tail,
                                  .critical_cycles = times->critical};
    TRY(ARENA_GET(p->arena, out->waits, DPU_QUEUES - 1, p->err));
    for (unsigned other = 0; other < DPU_QUEUES; other++)
        if (other != queue)
            out->waits[out->n_waits++] = (roof_named_cycles){engine_names[other], times->waits[other]};
    return ROOF_OK;
}

static roof_status add_part(predictor *p, const roof_stream *stream, const dpu_replay *replay)
{
    roof_prediction *out = p->prediction;
    roof_schedule_part *part = &out->schedule.parts[out->schedule.n_parts++];
    *part = (roof_schedule_part){.subgraph = stream->part, .scheduled_cycles = replay->cycles};
    lane *lanes;
    TRY(ARENA_GET(p->arena, part->engines, DPU_QUEUES, p->err));
    TRY(ARENA_GET(p->rows, lanes, DPU_QUEUES, p->err));
    fill_lanes(stream, replay, lanes);
    for (unsigned q = 0; q < DPU_QUEUES; q++) {
        roof_schedule_engine *engine = &part->engines[part->n_engines++];
        TRY(add_engine(p, replay, q, engine));
        if (replay->cycles)
            TRY(add_steps(p, &lanes[q], q, (double)replay->cycles / ROOF_SCHEDULE_STEPS, engine));
    }
    return ROOF_OK;
}

/* ---- layers ---- */

static roof_layer_schedule *layer_of(predictor *p, const roof_stream *stream, const roof_task *task)
{
    return task->row == ROOF_NONE ? NULL : &p->prediction->layers[stream->first_row + task->row].schedule;
}

/* An INIT may be taken long before the work that it is for; it takes no time. */
static void add_spans(predictor *p, const roof_stream *stream, const dpu_replay *replay)
{
    for (uint32_t i = 0; i < stream->n_tasks; i++) {
        const dpu_event *event = &replay->events[i];
        roof_layer_schedule *layer = layer_of(p, stream, &stream->tasks[i]);
        if (!layer)
            continue;
        layer->waits_cycles += event->waited;
        if (stream->tasks[i].kind == ROOF_TASK_SETUP)
            continue;
        if (layer->start_cycles == ROOF_UNKNOWN || event->start < layer->start_cycles)
            layer->start_cycles = event->start;
        if (layer->end_cycles == ROOF_UNKNOWN || event->end > layer->end_cycles)
            layer->end_cycles = event->end;
    }
}

static void add_critical(predictor *p, const roof_stream *stream, const dpu_replay *replay)
{
    uint64_t until = replay->cycles;
    for (uint32_t i = replay->last; i != ROOF_NONE; i = replay->events[i].before) {
        roof_layer_schedule *layer = layer_of(p, stream, &stream->tasks[i]);
        if (layer) {
            layer->critical_cycles += until - replay->events[i].start;
            layer->path_start_cycles = replay->events[i].start;
        }
        until = replay->events[i].start;
    }
}

static void begin_layers(predictor *p, const roof_stream *stream)
{
    for (uint32_t i = 0; i < stream->n_tasks; i++) {
        roof_layer_schedule *layer = layer_of(p, stream, &stream->tasks[i]);
        if (layer)
            layer->critical_cycles = layer->waits_cycles = 0;
    }
}

/* ---- streams ---- */

/* One replay after the other uses the same room: a page that is new takes as long as ten instructions. */
static roof_status make_room(predictor *p, const roof_stream *stream)
{
    if (stream->n_tasks <= p->n_events)
        return ROOF_OK;
    p->n_events = stream->n_tasks;
    return ARENA_GET(p->rows, p->events, p->n_events, p->err);
}

/* is_good: false where the stream has no times; what is wrong with it is a finding. */
static roof_status replay(predictor *p, const roof_stream *stream, const char *layer, dpu_replay *out,
                          bool *is_good)
{
    char text[512];
    roof_error why;
    dpu_timing timing = {.load_bytes_per_cycle = 1, .save_bytes_per_cycle = 1};
    *is_good = p->law->timing && stream->is_timed;
    if (*is_good)
        p->law->timing(&p->fit, &timing);
    TRY(make_room(p, stream));
    roof_status status = dpu_replay_into(p->events, stream, &timing, out, &why);
    if (status == ROOF_OK)
        return ROOF_OK;
    *is_good = false;
    if (status != ROOF_E_DATA)
        return error_memory(p->err);
    roof_error_format(&why, text, sizeof text);
    return add_finding(p, ROOF_FINDING_UNBALANCED_CODE, layer, "%s%s%s: %s", layer ? "" : "subgraph '",
                       layer ? "the layer's own code" : stream->part, layer ? "" : "'", text);
}

static roof_status schedule_part(predictor *p, const roof_stream *stream, bool *is_good)
{
    dpu_replay times;
    TRY(replay(p, stream, NULL, &times, is_good));
    if (!*is_good)
        return ROOF_OK;
    begin_layers(p, stream);
    add_spans(p, stream, &times);
    add_critical(p, stream, &times);
    return add_part(p, stream, &times);
}

static roof_status schedule_alone(predictor *p, uint32_t row)
{
    const roof_work *alone = p->program.rows[row].alone;
    roof_layer_prediction *layer = &p->prediction->layers[row];
    dpu_replay times;
    bool is_good;
    if (!alone || !alone->stream)
        return ROOF_OK;
    TRY(replay(p, alone->stream, layer->name, &times, &is_good));
    if (is_good)
        layer->schedule.alone_cycles = times.cycles;
    return ROOF_OK;
}

/* ---- the same code again ---- */

static double seconds_of(const schedule_code *code, uint64_t cycles)
{
    return (double)cycles * code->passes / code->clock_hz;
}

/* A layer is given what its instructions move the end of all that ran before them, in the order of the program. */
static void share_out(const schedule_code *code, const roof_stream *stream, const dpu_replay *times,
                      double *layer_s)
{
    uint64_t end = 0;
    for (uint32_t i = 0; i < stream->n_tasks; i++) {
        uint32_t row = stream->tasks[i].row;
        if (times->events[i].end <= end)
            continue;
        if (row != ROOF_NONE)
            layer_s[stream->first_row + row] += seconds_of(code, times->events[i].end - end);
        end = times->events[i].end;
    }
}

static void add_to_row(const schedule_code *code, const roof_stream *stream, uint32_t task, double cycles,
                       double *row_s)
{
    uint32_t row = stream->tasks[task].row;
    if (row != ROOF_NONE && cycles > 0)
        row_s[stream->first_row + row] += cycles * code->passes / code->clock_hz;
}

/* Up to a task instructions were fetched one after the other, each for its layer. */
static void share_fetch(const schedule_code *code, const roof_stream *stream, const dpu_timing *timing,
                        uint32_t task, double cycles, double *path_s)
{
    for (uint32_t i = task + 1; i-- > 0 && cycles > 0;) {
        double own = i ? fmin(cycles, timing->fetch_cycles_per_word * stream->tasks[i].words) : cycles;
        add_to_row(code, stream, i, own, path_s);
        cycles -= own;
    }
}

/* What each layer is of the critical path, with the fetching of its instructions. */
static void share_path(const schedule_code *code, const roof_stream *stream, const dpu_timing *timing,
                       const dpu_replay *times, double *path_s)
{
    uint64_t until = times->cycles;
    for (uint32_t i = times->last; i != ROOF_NONE;) {
        const dpu_event *event = &times->events[i];
        uint32_t before = event->before;
        add_to_row(code, stream, i, (double)(until - event->start), path_s);
        until = event->start;
        if (event->unfetched) {
            uint64_t since = before == ROOF_NONE ? 0 : times->events[before].start;
            share_fetch(code, stream, timing, i, (double)(until - since), path_s);
            until = since;
        }
        i = before;
    }
}

static roof_status add_stream(const schedule_code *code, const roof_stream *stream, const dpu_timing *timing,
                              const schedule_rows *rows, double *seconds, roof_error *err)
{
    dpu_replay times;
    roof_arena *scratch = code->room ? NULL : arena_new(0);
    roof_status status = code->room ? dpu_replay_into(code->room, stream, timing, &times, err)
                         : scratch  ? dpu_replay_stream(stream, timing, scratch, &times, err)
                                    : error_memory(err);
    if (status == ROOF_OK)
        *seconds += seconds_of(code, times.cycles);
    if (status == ROOF_OK && rows) {
        share_out(code, stream, &times, rows->seconds);
        if (rows->path_s)
            share_path(code, stream, timing, &times, rows->path_s);
    }
    arena_free(scratch);
    return status;
}

roof_status schedule_replay(const schedule_code *code, const dpu_timing *timing, const schedule_rows *rows,
                            double *seconds, roof_error *err)
{
    *seconds = 0;
    for (uint32_t i = 0; i < code->n_streams; i++)
        TRY(add_stream(code, &code->streams[i], timing, rows, seconds, err));
    return ROOF_OK;
}

roof_status schedule_replay_alone(const schedule_code *code, const dpu_timing *timing, uint32_t layer,
                                  double *seconds, roof_error *err)
{
    *seconds = code->alone[layer] ? 0 : NAN;
    return code->alone[layer] ? add_stream(code, code->alone[layer], timing, NULL, seconds, err) : ROOF_OK;
}

double port_at_clock(double bytes_per_cycle, double times)
{
    return fmin(bytes_per_cycle, bytes_per_cycle / times);
}

/* At best it is known already. */
static roof_status alone_seconds(const predictor *p, const dpu_timing *timing, uint32_t layer,
                                 double *seconds)
{
    uint64_t cycles = p->prediction->layers[layer].schedule.alone_cycles;
    if (timing != &p->code->ideal)
        return schedule_replay_alone(p->code, timing, layer, seconds, p->err);
    *seconds = cycles == ROOF_UNKNOWN ? NAN : seconds_of(p->code, cycles);
    return ROOF_OK;
}

/* The sum of all layers that are timed on their own; NaN where one of them has no code of its own. */
static roof_status sum_alone(const predictor *p, const dpu_timing *timing, double *sum)
{
    double seconds;
    *sum = 0;
    for (uint32_t i = 0; i < p->program.n_rows; i++) {
        if (!p->program.rows[i].is_boundary)
            continue;
        TRY(alone_seconds(p, timing, i, &seconds));
        *sum += seconds;
    }
    *sum = *sum > 0 ? number_as_derived(*sum) : NAN;
    return ROOF_OK;
}

roof_status predictor_replay(predictor *p)
{
    roof_prediction *out = p->prediction;
    schedule_rows rows;
    TRY(ARENA_GET(p->rows, rows.seconds, out->n_layers, p->err));
    TRY(ARENA_GET(p->rows, rows.path_s, out->n_layers, p->err));
    TRY(schedule_replay(p->code, p->code->expected, &rows, &out->total.predicted_s, p->err));
    for (uint32_t i = 0; i < out->n_layers; i++) {
        roof_layer_prediction *layer = &out->layers[i];
        bool has_code = layer->schedule.waits_cycles != ROOF_UNKNOWN;
        layer->predicted_s = has_code ? rows.seconds[i] : NAN;
        layer->schedule.expected_path_s = has_code ? number_as_derived(rows.path_s[i]) : NAN;
    }
    return sum_alone(p, p->code->expected, &out->schedule.alone_expected_s);
}

/* ---- words ---- */

static double critical_of(const roof_prediction *p, unsigned engine)
{
    double cycles = 0, all = 0;
    for (uint32_t i = 0; i < p->schedule.n_parts; i++) {
        const roof_schedule_part *part = &p->schedule.parts[i];
        all += (double)part->scheduled_cycles;
        cycles += engine < part->n_engines ? (double)part->engines[engine].critical_cycles : 0;
    }
    return all > 0 ? cycles / all : 0;
}

const char *schedule_path(const roof_prediction *p, roof_arena *arena)
{
    const char *list = "";
    bool is_told[ROOF_MAX_ENGINES] = {false};
    uint32_t n = p->schedule.n_parts ? p->schedule.parts[0].n_engines : 0;
    for (uint32_t told = 0; told < n && told < ROOF_MAX_ENGINES && list; told++) {
        uint32_t most = ROOF_NONE;
        for (uint32_t e = 0; e < n && e < ROOF_MAX_ENGINES; e++)
            if (!is_told[e] && (most == ROOF_NONE || critical_of(p, e) > critical_of(p, most)))
                most = e;
        is_told[most] = true;
        if (critical_of(p, most) >= 0.005)
            list = arena_printf(arena, "%s%s%.0f %% %s", list, *list ? ", " : "", 100 * critical_of(p, most),
                                p->schedule.parts[0].engines[most].name);
    }
    return list ? list : "";
}

/* ---- all ---- */

/* What replays; rows whose own code does not are findings, and have none. */
static roof_status keep_code(predictor *p)
{
    roof_prediction *out = p->prediction;
    schedule_code *code;
    TRY(ARENA_GET(p->arena, code, 1, p->err));
    *code = (schedule_code){.streams = p->program.streams,
                            .n_streams = p->program.n_streams,
                            .passes = p->fit.passes,
                            .clock_hz = p->view.clock_hz};
    code->room = p->events; /* every stream of it went through there */
    p->law->timing(&p->fit, &code->ideal);
    TRY(ARENA_GET(p->arena, code->alone, out->n_layers, p->err));
    for (uint32_t i = 0; i < out->n_layers; i++)
        if (out->layers[i].schedule.alone_cycles != ROOF_UNKNOWN)
            code->alone[i] = p->program.rows[i].alone->stream;
    out->code = p->code = code;
    return sum_alone(p, &code->ideal, &out->schedule.alone_s);
}

roof_status predictor_schedule(predictor *p)
{
    static const roof_layer_schedule unknown = {ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_UNKNOWN,
                                                ROOF_UNKNOWN, ROOF_UNKNOWN, NAN};
    roof_prediction *out = p->prediction;
    uint64_t cycles = 0;
    bool is_known = p->program.n_streams && p->program.n_streams == p->program.n_parts;
    out->schedule.scheduled_cycles = ROOF_UNKNOWN;
    out->schedule.scheduled_s = out->schedule.alone_s = out->schedule.alone_expected_s = NAN;
    TRY(ARENA_GET(p->arena, out->schedule.parts, p->program.n_streams, p->err));
    for (uint32_t i = 0; i < out->n_layers; i++)
        out->layers[i].schedule = unknown;
    for (uint32_t i = 0; i < p->program.n_streams; i++) {
        bool is_good;
        TRY(schedule_part(p, &p->program.streams[i], &is_good));
        is_known = is_known && is_good;
        cycles += is_good ? out->schedule.parts[out->schedule.n_parts - 1].scheduled_cycles : 0;
    }
    for (uint32_t i = 0; i < out->n_layers; i++)
        TRY(schedule_alone(p, i));
    if (!is_known)
        return ROOF_OK;
    TRY(law_scale(&cycles, p->fit.passes, p->err));
    out->schedule.scheduled_cycles = cycles > out->total.floor_cycles ? cycles : out->total.floor_cycles;
    out->schedule.scheduled_s = (double)out->schedule.scheduled_cycles / p->view.clock_hz;
    return keep_code(p);
}
