/* Possible savings: the same code replayed with faster engines, or with a layer that takes no time. Nothing
 * is scaled by proportion, since another engine may become the one that is waited for. */
#include "model/predict/causes/predicted_cause.h"
#include "model/predict/predictor.h"
#include "model/predict/schedule.h"

enum { MOST_LAYERS = 5, MOST_WHAT_IFS = 20 };

/* The change: of all streams, or of one row of one. */
typedef struct change {
    roof_speedups speed;
    uint32_t row; /* of the prediction, that takes no time; ROOF_NONE */
} change;

static double factor(double speed)
{
    return speed > 0 ? speed : 1;
}

/* A faster clock leaves the memory as it is: its bytes in a cycle are fewer. The measured rate of a port is
 * that of the memory; a slower clock leaves that of the port. */
static double port_at(const predictor *p, const replay_timing *timing, double bytes_per_cycle, double clock)
{
    double memory = p->view.memory_bytes_per_s / p->view.clock_hz / clock;
    if (timing == p->code->expected)
        return schedule_port_at_clock(bytes_per_cycle, clock);
    return memory > 0 ? fmin(bytes_per_cycle, memory) : bytes_per_cycle;
}

static replay_timing changed(const predictor *p, const replay_timing *timing, const change *what)
{
    const roof_speedups *s = &what->speed;
    replay_timing out = *timing;
    double clock = factor(s->clock);
    out.load_bytes_per_cycle = port_at(p, timing, timing->load_bytes_per_cycle, clock);
    out.save_bytes_per_cycle = port_at(p, timing, timing->save_bytes_per_cycle, clock);
    out.fetch_cycles_per_word /= factor(s->fetch);
    out.speed[ROOF_TASK_LOAD] = s->load;
    out.speed[ROOF_TASK_SAVE] = s->save;
    out.speed[ROOF_TASK_CONV] = s->conv;
    out.speed[ROOF_TASK_ALU] = s->alu;
    out.speed[ROOF_TASK_ELTWISE] = s->eltwise;
    out.free_row = what->row == ROOF_NONE ? 0 : what->row + 1;
    return out;
}

/* The replays of one pass over the code, and where their seconds go. */
typedef struct cases {
    predictor *p;
    schedule_variant variants[2 * MOST_WHAT_IFS];
    double times[2 * MOST_WHAT_IFS]; /* as long with as many cores busy as alone */
    double *seconds[2 * MOST_WHAT_IFS];
    uint32_t n;
} cases;

static void add_case(cases *c, const replay_timing *timing, const change *what, double *seconds)
{
    c->seconds[c->n] = seconds;
    c->times[c->n] = timing == c->p->code->expected ? c->p->busy_ratio : 1;
    c->variants[c->n++] =
        (schedule_variant){.timing = changed(c->p, timing, what), .clock = factor(what->speed.clock)};
}

/* Cases of causes are of the expected time alone, where there is one: a replay costs as much as all else. */
static void add(cases *c, const char *label, const change *what, bool of_causes)
{
    const schedule_code *code = c->p->code;
    roof_prediction *out = c->p->out;
    roof_what_if *result = &out->schedule.what_ifs[out->schedule.n_what_ifs++];
    *result = (roof_what_if){.label = label,
                             .best_s = NAN,
                             .expected_s = NAN,
                             .expected_ci95_s = {NAN, NAN},
                             .of_causes = of_causes};
    if (!of_causes || !code->expected)
        add_case(c, &code->ideal, what, &result->best_s);
    if (code->expected)
        add_case(c, code->expected, what, &result->expected_s);
}

/* ---- questions of the caller ---- */

static const struct {
    const char *name;
    size_t offset;
} parts[] = {{"load", offsetof(roof_speedups, load)},       {"save", offsetof(roof_speedups, save)},
             {"conv", offsetof(roof_speedups, conv)},       {"alu", offsetof(roof_speedups, alu)},
             {"eltwise", offsetof(roof_speedups, eltwise)}, {"fetch", offsetof(roof_speedups, fetch)},
             {"clock", offsetof(roof_speedups, clock)}};
enum { PARTS = N_OF(parts) };

static double *speed_of(roof_speedups *s, size_t part)
{
    return (double *)((char *)s + parts[part].offset);
}

static size_t part_of(const char *name, size_t length)
{
    return NAMED_SPAN_AT(parts, PARTS, name, ((text_span){name, length}));
}

bool what_if_is_engine(const char *name, size_t length)
{
    return part_of(name, length) < PARTS;
}

roof_status what_if_add_speedup(const char *item, roof_speedups *out, roof_error *err)
{
    size_t length = strcspn(item, ",="), part = part_of(item, length),
           digits = item[length] == '=' ? strcspn(item + length + 1, ",") : 0;
    double value = NAN;
    if (part == PARTS)
        return error_set(err, ROOF_E_USAGE, "'%.*s' is no engine; want " WHAT_IF_ENGINES,
                         (int)(length < 100 ? length : 100), item);
    if (!digits || number_parse(item + length + 1, digits, &value) != digits ||
        !(value >= 1e-3 && value <= 1e3))
        return error_set(err, ROOF_E_USAGE, "%s: want how many times as fast, from 0.001 to 1000, as in %s=2",
                         parts[part].name, parts[part].name);
    *speed_of(out, part) = value;
    return ROOF_OK;
}

roof_status roof_speedups_parse(const char *text, roof_speedups *out, roof_error *err)
{
    *out = (roof_speedups){0};
    for (const char *at = text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        TRY(what_if_add_speedup(at, out, err));
    return ROOF_OK;
}

static const char *label_of(predictor *p, roof_speedups *s)
{
    const char *label = "";
    for (size_t i = 0; i < PARTS && label; i++)
        if (*speed_of(s, i) > 0)
            label = arena_printf(p->arena, "%s%s%s x%g", label, *label ? ", " : "", parts[i].name,
                                 *speed_of(s, i));
    return label;
}

/* ---- questions worth asking ---- */

/* The engines that bind most, which causes ask for. */
static void double_binding(cases *c)
{
    bound_share shares[ROOF_MAX_ENGINES];
    const char *names[CAUSE_ENGINES + 1] = {"fetch"};
    uint32_t n = c->p->code->expected ? 1 : 0, n_shares = cause_bound_shares(c->p->out, shares);
    for (uint32_t i = 0; i < n_shares && i < CAUSE_ENGINES; i++)
        names[n++] = c->p->out->engines[shares[i].engine];
    for (uint32_t i = 0; i < n; i++) {
        change one = {.row = ROOF_NONE};
        size_t part = part_of(names[i], strlen(names[i]));
        if (part == PARTS)
            continue;
        *speed_of(&one.speed, part) = 2;
        add(c, label_of(c->p, &one.speed), &one, true);
    }
}

static roof_status leave_out_each(cases *c)
{
    predictor *p = c->p;
    const roof_layer_prediction **rows;
    uint32_t n = 0;
    TRY(ARENA_GET(p->rows, rows, p->out->n_layers, p->err));
    FOR_EACH(const roof_layer_prediction, l, p->out->layers, p->out->n_layers)
        if (l->schedule.critical_cycles != ROOF_UNKNOWN)
            rows[n++] = l;
    order_pointers(rows, n, ORDER_BY(FALLING(roof_layer_prediction, schedule.critical_cycles)));
    for (uint32_t i = 0; i < n && i < MOST_LAYERS; i++) {
        change without = {.row = (uint32_t)(rows[i] - p->out->layers)};
        add(c, arena_printf(p->arena, "without #%u %s", rows[i]->index, rows[i]->name), &without, false);
    }
    return ROOF_OK;
}

roof_status predictor_what_if(predictor *p, const roof_predict_options *options)
{
    cases *c;
    if (!p->code)
        return !options->what_if
                   ? ROOF_OK
                   : error_set(p->err, ROOF_E_UNSUPPORTED,
                               "what if: the file has no code whose instructions can be replayed; give one "
                               "that was compiled for the accelerator, or leave this out");
    if (!options->what_if && options->explores == ROOF_EXPLORE_NOTHING)
        return ROOF_OK;
    TRY(ARENA_GET(p->arena, p->out->schedule.what_ifs, MOST_WHAT_IFS, p->err));
    TRY(ARENA_GET(p->rows, c, 1, p->err));
    c->p = p;
    if (options->what_if) {
        change requested = {.speed = *options->what_if, .row = ROOF_NONE};
        add(c, label_of(p, &requested.speed), &requested, false);
        p->out->schedule.what_ifs[0].is_asked = true;
    }
    if (options->explores == ROOF_EXPLORE_CAUSES)
        double_binding(c);
    if (options->explores == ROOF_EXPLORE_ALL) {
        for (size_t i = 0; i < PARTS; i++) {
            change one = {.row = ROOF_NONE};
            *speed_of(&one.speed, i) = 2;
            if (!(one.speed.fetch > 0) || p->code->expected)
                add(c, label_of(p, &one.speed), &one, false);
        }
        add(c, "load x2, save x2", &(change){.speed = {.load = 2, .save = 2}, .row = ROOF_NONE}, false);
        TRY(leave_out_each(c));
    }
    TRY(schedule_replay_variants(p->code, c->variants, c->n, p->err));
    for (uint32_t i = 0; i < c->n; i++)
        *c->seconds[i] = c->variants[i].seconds * c->times[i];
    /* A replay has the error of the constants that it rests on, which is a factor. */
    FOR_EACH(roof_what_if, w, p->out->schedule.what_ifs, p->out->schedule.n_what_ifs)
        for (size_t end = 0; end < 2; end++)
            w->expected_ci95_s[end] =
                w->expected_s * (p->out->total.predicted_ci95_s[end] / p->out->total.predicted_s);
    return arena_status(p->arena, p->err);
}
