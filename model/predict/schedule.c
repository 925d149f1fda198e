/* When each instruction of compiled code starts at the earliest, replayed with what it waits for; what each
 * engine and each layer is of that. */
#include "model/predict/schedule.h"
#include "model/predict/predictor.h"

/* ---- parts ---- */

/* Cycles of each step of the time, of one kind. */
typedef struct steps {
    double cycles[ROOF_SCHEDULE_STEPS];
} steps;

/* Activity of an engine over time. */
typedef struct lane {
    steps busy, path, waits[REPLAY_QUEUES];
} lane;

static inline void add_interval(steps *s, double step_cycles, uint64_t from, uint64_t to)
{
    double at = (double)(int64_t)from, end = (double)(int64_t)to; /* below 2^53 */
    for (int i = (int)(at / step_cycles); i < ROOF_SCHEDULE_STEPS && at < end; i++) {
        double step_end = step_cycles * (i + 1), until = end < step_end ? end : step_end;
        s->cycles[i] += until > at ? until - at : 0;
        at = until > at ? until : at;
    }
}

/* An INIT may be taken long before the work that it is for; it takes no time. */
static void add_span(roof_layer_schedule *layer, const roof_task *task, const replay_event *first,
                     const replay_event *last)
{
    if (layer->waits_cycles == ROOF_UNKNOWN)
        layer->waits_cycles = layer->critical_cycles = 0;
    layer->waits_cycles += first->waited;
    if (task->kind == ROOF_TASK_SETUP)
        return;
    if (layer->start_cycles == ROOF_UNKNOWN || first->start < layer->start_cycles)
        layer->start_cycles = first->start;
    if (layer->end_cycles == ROOF_UNKNOWN || last->end > layer->end_cycles)
        layer->end_cycles = last->end;
}

/* A part while its events are taken. lanes: NULL where they are not requested; layers: of the part. */
typedef struct part_times {
    const roof_stream *stream;
    lane *lanes;
    roof_layer_prediction *layers;
} part_times;

static void take_part(void *context, const replay_run *run, const replay_block *block)
{
    const part_times *const part = context;
    const double step_cycles = (double)run->cycles / ROOF_SCHEDULE_STEPS;
    lane *const lanes = part->lanes;
    const replay_event *event = block->events;
    for (uint32_t i = block->task; i < block->behind_task; i++) {
        const roof_task *task = &part->stream->tasks[i];
        const replay_event *const first = event, *const last = event + task->alike;
        for (; lanes && event <= last; event++) {
            if (event->start < event->end)
                add_interval(&lanes[task->queue].busy, step_cycles, event->start, event->end);
            if (event->waited)
                add_interval(&lanes[task->queue].waits[event->waited_for], step_cycles,
                             event->start - event->waited, event->start);
        }
        event = last + 1;
        if (task->row != ROOF_NONE) /* the first starts first and alone waits, the last ends last */
            add_span(&part->layers[task->row].schedule, task, first, last);
    }
}

static void step_part(void *context, const replay_run *run, const replay_step *step)
{
    const part_times *const part = context;
    const roof_task *task = &part->stream->tasks[step->task];
    if (part->lanes && step->cycles)
        add_interval(&part->lanes[task->queue].path, (double)run->cycles / ROOF_SCHEDULE_STEPS, step->start,
                     step->start + step->cycles);
    if (task->row != ROOF_NONE) {
        part->layers[task->row].schedule.critical_cycles += step->cycles;
        part->layers[task->row].schedule.path_start_cycles = step->start;
    }
}

static const char *say_steps(predictor *p, const steps *s, double step_cycles, double ports)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    char text[ROOF_SCHEDULE_STEPS + 1] = "";
    for (size_t i = 0; i < ROOF_SCHEDULE_STEPS; i++) {
        double ratio = s->cycles[i] / step_cycles / ports;
        text[i] = digits[(size_t)(35 * (ratio < 1 ? ratio : 1) + 0.5)];
    }
    return arena_strdup(p->arena, text);
}

double roof_step_ratio(char step)
{
    return step >= '0' && step <= '9'   ? (step - '0') / 35.0
           : step >= 'a' && step <= 'z' ? (step - 'a' + 10) / 35.0
                                        : NAN;
}

/* Ports together are busy at most all of the time. l: NULL for no steps. */
static roof_status add_engine(predictor *p, const code_replayer *replayer, const replay_run *run,
                              const lane *l, unsigned queue, roof_schedule_engine *out)
{
    const replay_queue_times *times = &run->queues[queue];
    const double step_cycles = (double)run->cycles / ROOF_SCHEDULE_STEPS;
    *out = (roof_schedule_engine){.name = replayer->queues[queue],
                                  .ports = replayer->ports[queue],
                                  .busy_cycles = times->busy,
                                  .tail_cycles = replayer->ports[queue] > 1 ? ROOF_UNKNOWN : times->tail,
                                  .critical_cycles = times->critical};
    if (l) {
        out->busy_steps = say_steps(p, &l->busy, step_cycles, out->ports);
        out->path_steps = say_steps(p, &l->path, step_cycles, 1);
    }
    TRY(ARENA_GET2(p->arena, out->waits, out->wait_steps, REPLAY_QUEUES - 1, p->err));
    for (unsigned other = 0; other < REPLAY_QUEUES; other++) {
        if (other == queue)
            continue;
        out->waits[out->n_waits++] = (roof_named_cycles){replayer->queues[other], times->waits[other]};
        if (l)
            out->wait_steps[out->n_wait_steps++] =
                (roof_named_steps){replayer->queues[other], say_steps(p, &l->waits[other], step_cycles, 1)};
    }
    return arena_status(p->arena, p->err);
}

/* ---- streams ---- */

/* is_good: false where the stream has no times; what is wrong with it is a finding. */
static roof_status run_ideally(predictor *p, const roof_stream *stream, const char *layer, replay_run *run,
                               bool *is_good)
{
    char text[512];
    roof_error why;
    *is_good = p->law->timing && stream->is_timed;
    run->timing = (replay_timing){.load_bytes_per_cycle = 1, .save_bytes_per_cycle = 1};
    if (*is_good)
        p->law->timing(&p->fit, &run->timing);
    else
        run->events = NULL; /* whether it runs to its end is all that can be said */
    roof_status status = stream->replayer->run(stream, run, 1, &why);
    if (status == ROOF_OK)
        return ROOF_OK;
    *is_good = false;
    if (status != ROOF_E_DATA)
        return error_memory(p->err);
    roof_error_format(&why, text, sizeof text);
    if (layer)
        FIND(&p->found, layer, UNBALANCED_LAYER, AS_TEXT(text));
    else
        FIND(&p->found, NULL, UNBALANCED_CODE, AS_TEXT(stream->part), AS_TEXT(text));
    return ROOF_OK;
}

static roof_status schedule_part(predictor *p, uint32_t i, replay_event *room, bool *is_good)
{
    const roof_stream *stream = &p->program.streams[i];
    part_times times = {.stream = stream, .layers = p->out->layers + stream->first_row};
    replay_run run = {.events = room, .take = take_part, .step = step_part, .context = &times};
    if (room && !p->out->options.no_steps)
        TRY(ARENA_GET(p->rows, times.lanes, REPLAY_QUEUES, p->err));
    *is_good = p->times && p->times->ideal[i] != ROOF_UNKNOWN;
    if (*is_good)
        run.cycles = p->times->ideal[i];
    else
        TRY(run_ideally(p, stream, NULL, &run, is_good));
    if (!*is_good)
        return ROOF_OK;
    roof_schedule_part *part = &p->out->schedule.parts[p->out->schedule.n_parts++];
    *part = (roof_schedule_part){.subgraph = stream->part, .scheduled_cycles = run.cycles};
    if (!room) /* a point of many has its time alone */
        return ROOF_OK;
    part->n_engines = REPLAY_QUEUES;
    TRY(ARENA_GET(p->arena, part->engines, REPLAY_QUEUES, p->err));
    for (unsigned q = 0; q < REPLAY_QUEUES; q++)
        TRY(add_engine(p, stream->replayer, &run, run.cycles && times.lanes ? &times.lanes[q] : NULL, q,
                       &part->engines[q]));
    return ROOF_OK;
}

/* ---- the same code again ---- */

static double seconds_of(const schedule_code *code, uint64_t cycles)
{
    return (double)cycles * code->passes / code->clock_hz;
}

static void in_seconds(const schedule_code *code, const schedule_rows *cycles)
{
    for (uint32_t i = 0; i < cycles->n; i++) {
        cycles->seconds[i] *= code->passes / code->clock_hz;
        if (cycles->path_s)
            cycles->path_s[i] *= code->passes / code->clock_hz;
    }
}

/* Cycles of each layer on the critical path. path: of the part's rows. */
typedef struct path_shares {
    const roof_stream *stream;
    double *path;
} path_shares;

static inline void share_cycles(const path_shares *s, uint32_t task, double cycles)
{
    const uint32_t row = s->stream->tasks[task].row;
    if (row != ROOF_NONE && cycles > 0)
        s->path[row] += cycles;
}

/* With the fetching of its instructions: up to one they were fetched one after the other, each for its
 * layer. */
static void share_path(void *context, const replay_run *run, const replay_step *step)
{
    const path_shares *const s = context;
    double left = (double)step->fetch_cycles;
    if (step->cycles)
        share_cycles(s, step->task, (double)step->cycles);
    for (uint32_t task = step->behind_task, n = step->behind_place + 1; left > 0;) {
        const double one = run->timing.fetch_cycles_per_word * s->stream->tasks[task].words;
        const bool is_all = (!task && n == 1) || !(one < left);
        share_cycles(s, task, is_all ? left : one);
        left = is_all ? 0 : left - one;
        if (!is_all && --n == 0)
            n = 1 + s->stream->tasks[--task].alike;
    }
}

roof_status schedule_replay(const schedule_code *code, const replay_timing *timing, const schedule_rows *rows,
                            double *seconds, roof_error *err)
{
    *seconds = 0;
    FOR_EACH(const roof_stream, stream, code->streams, code->n_streams) {
        const bool has_path = rows && rows->path_s;
        path_shares shares = {stream, has_path ? rows->path_s + stream->first_row : NULL};
        replay_event *own = has_path && !code->room ? malloc((replay_room(stream) + 1) * sizeof *own) : NULL;
        replay_run run = {.timing = *timing,
                          .step = share_path,
                          .context = &shares,
                          .events = own        ? own
                                    : has_path ? code->room
                                               : NULL,
                          .row_cycles = rows ? rows->seconds + stream->first_row : NULL};
        roof_status status =
            has_path && !run.events ? error_memory(err) : stream->replayer->run(stream, &run, 1, err);
        if (status == ROOF_OK)
            *seconds += seconds_of(code, run.cycles);
        free(own);
        TRY(status);
    }
    if (rows)
        in_seconds(code, rows);
    return ROOF_OK;
}

roof_status schedule_replay_variants(const schedule_code *code, schedule_variant *variants, uint32_t n,
                                     roof_error *err)
{
    replay_run *runs = calloc(n + 1, sizeof *runs);
    roof_status status = ALLOCATED(runs, err);
    for (uint32_t k = 0; k < n; k++)
        variants[k].seconds = 0;
    for (uint32_t i = 0; status == ROOF_OK && i < code->n_streams; i++) {
        for (uint32_t k = 0; k < n; k++)
            runs[k] = (replay_run){.timing = variants[k].timing};
        status = code->streams[i].replayer->run(&code->streams[i], runs, n, err);
        for (uint32_t k = 0; status == ROOF_OK && k < n; k++)
            variants[k].seconds += seconds_of(code, runs[k].cycles) / variants[k].clock;
    }
    free(runs);
    return status;
}

roof_status predictor_replay_points(predict_point *points, uint32_t n, roof_arena *scratch, roof_error *err)
{
    const roof_program *program = &points->is.shared->program;
    replay_run *runs;
    uint64_t **cycles;
    TRY(ARENA_GET2(scratch, runs, cycles, 2 * (size_t)n, err));
    for (uint32_t k = 0; k < n; k++) {
        predictor *p = &points[k].is;
        schedule_times *times;
        if (points[k].status != ROOF_OK || !p->law->timing)
            continue;
        TRY(ARENA_GET(p->arena, times, 1, err));
        TRY(ARENA_GET2(p->arena, times->ideal, times->board, program->n_streams, err));
        TRY(ARENA_GET(p->arena, times->row_cycles, program->n_rows, err));
        p->times = times;
    }
    for (uint32_t i = 0; i < program->n_streams; i++) {
        const roof_stream *stream = &program->streams[i];
        roof_error why;
        uint32_t n_runs = 0;
        for (uint32_t k = 0; k < n; k++) {
            const predictor *p = &points[k].is;
            const schedule_times *times = p->times;
            if (!times || !p->law->timing)
                continue;
            times->ideal[i] = times->board[i] = ROOF_UNKNOWN;
            runs[n_runs] = (replay_run){.timing = {.load_bytes_per_cycle = 1, .save_bytes_per_cycle = 1}};
            p->law->timing(&p->fit, &runs[n_runs].timing);
            cycles[n_runs++] = &times->ideal[i];
            if (!p->board)
                continue;
            runs[n_runs] =
                (replay_run){.timing = *p->board, .row_cycles = times->row_cycles + stream->first_row};
            cycles[n_runs++] = &times->board[i];
        }
        /* where one of them fails, each runs alone and says why */
        const roof_status status =
            n_runs && stream->is_timed ? stream->replayer->run(stream, runs, n_runs, &why) : ROOF_E_DATA;
        if (status == ROOF_E_NO_MEMORY)
            return error_memory(err);
        for (uint32_t r = 0; r < n_runs && status == ROOF_OK; r++)
            *cycles[r] = runs[r].cycles;
    }
    return ROOF_OK;
}

roof_status schedule_replay_alone(const schedule_code *code, const replay_timing *timing, uint32_t layer,
                                  double *seconds, roof_error *err)
{
    const roof_stream *stream = code->alone[layer];
    replay_run run = {.timing = *timing};
    *seconds = NAN;
    if (!stream)
        return ROOF_OK;
    TRY(stream->replayer->run(stream, &run, 1, err));
    *seconds = seconds_of(code, run.cycles);
    return ROOF_OK;
}

double schedule_port_at_clock(double bytes_per_cycle, double times)
{
    return fmin(bytes_per_cycle, bytes_per_cycle / times);
}

/* The sum of all layers that are timed on their own, ideal and as a board runs them; NaN where one of them
 * has no code of its own. */
static roof_status sum_alone(const predictor *p, const replay_timing *expected, double *sum)
{
    double seconds;
    *sum = 0;
    for (uint32_t i = 0; i < p->program.n_rows; i++) {
        uint64_t cycles = p->out->layers[i].schedule.alone_cycles;
        if (!p->program.rows[i].is_boundary)
            continue;
        if (expected)
            TRY(schedule_replay_alone(p->code, expected, i, &seconds, p->err));
        else
            seconds = cycles == ROOF_UNKNOWN ? NAN : seconds_of(p->code, cycles);
        *sum += seconds;
    }
    *sum = *sum > 0 ? number_as_derived(*sum) : NAN;
    return ROOF_OK;
}

roof_status predictor_replay(predictor *p)
{
    schedule_rows rows = {.n = p->out->n_layers};
    const schedule_times *times = p->code->expected == p->board ? p->times : NULL;
    for (uint32_t i = 0; times && i < p->code->n_streams; i++)
        times = times->board[i] != ROOF_UNKNOWN ? times : NULL;
    if (times) {
        p->out->total.predicted_s = 0;
        for (uint32_t i = 0; i < p->code->n_streams; i++)
            p->out->total.predicted_s += seconds_of(p->code, times->board[i]);
        rows.seconds = times->row_cycles;
        in_seconds(p->code, &rows);
    } else {
        TRY(ARENA_GET(p->rows, rows.seconds, p->out->n_layers, p->err));
        if (!p->shared)
            TRY(ARENA_GET(p->rows, rows.path_s, p->out->n_layers, p->err));
        TRY(schedule_replay(p->code, p->code->expected, &rows, &p->out->total.predicted_s, p->err));
    }
    for (uint32_t i = 0; i < p->out->n_layers; i++) {
        roof_layer_prediction *layer = &p->out->layers[i];
        bool has_code = layer->schedule.waits_cycles != ROOF_UNKNOWN;
        layer->predicted_s = has_code ? rows.seconds[i] : NAN;
        if (rows.path_s)
            layer->schedule.expected_path_s = has_code ? number_as_derived(rows.path_s[i]) : NAN;
    }
    return sum_alone(p, p->code->expected, &p->out->schedule.alone_expected_s);
}

/* ---- words ---- */

static double critical_of(const roof_prediction *p, unsigned engine)
{
    double cycles = 0, all = 0;
    FOR_EACH(const roof_schedule_part, part, p->schedule.parts, p->schedule.n_parts) {
        all += (double)part->scheduled_cycles;
        cycles += engine < part->n_engines ? (double)part->engines[engine].critical_cycles : 0;
    }
    return all > 0 ? cycles / all : 0;
}

const char *schedule_path(const roof_prediction *p, roof_arena *arena)
{
    const char *list = "";
    bool is_named[ROOF_MAX_ENGINES] = {false};
    uint32_t n = p->schedule.n_parts ? p->schedule.parts[0].n_engines : 0;
    for (uint32_t i = 0; i < n && i < ROOF_MAX_ENGINES && list; i++) {
        uint32_t most = ROOF_NONE;
        for (uint32_t e = 0; e < n && e < ROOF_MAX_ENGINES; e++)
            if (!is_named[e] && (most == ROOF_NONE || critical_of(p, e) > critical_of(p, most)))
                most = e;
        is_named[most] = true;
        if (critical_of(p, most) >= 0.005)
            list = arena_printf(arena, "%s%s%.0f %% %s", list, *list ? ", " : "", 100 * critical_of(p, most),
                                p->schedule.parts[0].engines[most].name);
    }
    return list ? list : "";
}

/* ---- all ---- */

/* Keeps the code that replays; rows whose own code does not are findings, and have none. room: for events. */
static roof_status keep_code(predictor *p, replay_event *room)
{
    schedule_code *code;
    TRY(ARENA_GET(p->arena, code, 1, p->err));
    *code = (schedule_code){.streams = p->program.streams,
                            .n_streams = p->program.n_streams,
                            .passes = p->fit.passes,
                            .clock_hz = p->view.clock_hz,
                            .room = room};
    p->law->timing(&p->fit, &code->ideal);
    TRY(ARENA_GET(p->arena, code->alone, p->out->n_layers, p->err));
    for (uint32_t i = 0; i < p->out->n_layers; i++)
        if (p->out->layers[i].schedule.alone_cycles != ROOF_UNKNOWN)
            code->alone[i] = p->program.rows[i].alone->stream;
    p->out->code = p->code = code;
    return sum_alone(p, NULL, &p->out->schedule.alone_s);
}

roof_status predictor_schedule(predictor *p)
{
    static const roof_layer_schedule unknown = {ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_UNKNOWN,
                                                ROOF_UNKNOWN, ROOF_UNKNOWN, NAN};
    replay_event *room = NULL;
    uint64_t cycles = 0;
    uint32_t most_events = 0;
    bool is_known = p->program.n_streams && p->program.n_streams == p->program.n_parts;
    p->out->schedule.scheduled_cycles = ROOF_UNKNOWN;
    p->out->schedule.scheduled_s = p->out->schedule.alone_s = p->out->schedule.alone_expected_s = NAN;
    for (uint32_t i = 0; i < p->program.n_streams; i++)
        if (replay_room(&p->program.streams[i]) > most_events)
            most_events = replay_room(&p->program.streams[i]);
    /* One replay after the other uses the same room: a page that is new takes as long as ten instructions. */
    if (!p->shared)
        TRY(ARENA_GET(p->rows, room, most_events, p->err));
    TRY(ARENA_GET(p->arena, p->out->schedule.parts, p->program.n_streams, p->err));
    for (uint32_t i = 0; i < p->out->n_layers; i++) {
        p->out->layers[i].schedule = unknown;
        if (p->shared && p->shared->has_code[i]) /* of others their events say it */
            p->out->layers[i].schedule.waits_cycles = 0;
    }
    for (uint32_t i = 0; i < p->program.n_streams; i++) {
        bool is_good;
        TRY(schedule_part(p, i, room, &is_good));
        is_known = is_known && is_good;
        cycles += is_good ? p->out->schedule.parts[p->out->schedule.n_parts - 1].scheduled_cycles : 0;
    }
    for (uint32_t i = 0; i < p->out->n_layers; i++) {
        const roof_work *alone = p->program.rows[i].alone;
        replay_run run = {.events = NULL};
        bool is_good = false;
        if (alone && alone->stream)
            TRY(run_ideally(p, alone->stream, p->out->layers[i].name, &run, &is_good));
        if (is_good)
            p->out->layers[i].schedule.alone_cycles = run.cycles;
    }
    if (!is_known)
        return ROOF_OK;
    TRY(law_scale(&cycles, p->fit.passes, p->err));
    p->out->schedule.scheduled_cycles =
        cycles > p->out->total.floor_cycles ? cycles : p->out->total.floor_cycles;
    p->out->schedule.scheduled_s = (double)p->out->schedule.scheduled_cycles / p->view.clock_hz;
    return keep_code(p, room);
}
