/* The last step of a prediction: the expected time, by your own or the built-in calibration of a compiler. */
#include "core/json/codec.h"
#include "model/graph/format.h"
#include "model/predict/calibrated.h"
#include "model/predict/predictor.h"
#include "model/predict/schedule.h"
#include "model/work/epoch_work.h"

#include <ctype.h>
#include <gsl/gsl_cdf.h>

static bool uses(const roof_prediction *p, const char *parameter)
{
    static const char *const of_code[] = {"fetch_cycles_per_word", "efficiency.load", "efficiency.save"};
    if (IS_ONE_OF(of_code, parameter))
        return p->code;
    if (strcmp(parameter, "per_start_s") == 0)
        return p->is_started_by_rows;
    if (strcmp(parameter, "per_software_epoch_s") == 0)
        return p->is_started_by_rows && p->total.host_layers;
    for (uint32_t i = 0; i < p->n_layers; i++) {
        char name[EFFICIENCY_NAME_SIZE];
        uint32_t bound = p->layers[i].deployed.bound;
        engine_efficiency_name(bound == ROOF_NONE ? "" : p->engines[bound], name);
        if (strcmp(parameter, name) == 0)
            return true;
    }
    return strcmp(parameter, "per_inference_s") == 0;
}

/* Its constants are of engines, memory and host, of which the clock that is requested scales some. */
static bool is_of_other_clock(const predictor *p, const roof_calibration *c)
{
    static const double alike = 1e-3;
    return c->clock_hz > 0 && fabs(p->view.clock_hz / c->clock_hz - 1) > alike;
}

static roof_status expect_by_calibration(predictor *p, const roof_calibration *c)
{
    replay_timing *timing;
    double *layer_s;
    TRY(ARENA_GET(p->arena, timing, 1, p->err));
    TRY(ARENA_GET(p->arena, layer_s, p->out->n_layers, p->err));
    bool replays = calibration_replays(c, p->out, timing);
    if (replays && !p->code) { /* constants of replayed code say nothing about a graph without code */
        FIND(&p->found, NULL, NEEDS_CODE, AS_TEXT(p->out->model.name));
        return ROOF_OK;
    }
    roof_expected expected = roof_calibration_expect(c, p->out, layer_s);
    if (replays) {
        /* code that ran once runs again, if there is memory */
        if (isnan(expected.total_s))
            return error_memory(p->err);
        p->code->expected = timing;
        TRY(predictor_replay(p));
    }
    for (uint32_t i = 0; i < p->out->n_layers; i++)
        p->out->layers[i].predicted_s = layer_s[i];
    p->out->total.predicted_s = expected.total_s;
    /* nothing is faster than the bound, however wide the interval is */
    p->out->total.predicted_ci95_s[0] = fmax(expected.ci95_s[0], fmin(expected.total_s, roof_best_s(p->out)));
    p->out->total.predicted_ci95_s[1] = expected.ci95_s[1];
    const char *fitted = calibration_describe(c, p->arena);
    p->out->calibration =
        fitted ? arena_printf(p->arena, "a calibration %s%s", fitted,
                              c->clock_hz > 0 ? "" : "; the clock that it was made at is unknown")
               : NULL;
    TRY(arena_status(p->arena, p->err));
    if (expected.outside != ROOF_NONE) {
        /* an interval is of networks whose time is made up as that of those that were fitted */
        const roof_parameter *q = &c->parameters[expected.outside];
        const double *share = q->share_ratio;
        roof_remark remark = REMARK(OUTSIDE_FITS, AS_TEXT(q->name), AS_RATIO(expected.share_ratio),
                                    AS_TEXT(p->out->model.name), AS_RATIO(share[0]), AS_RATIO(share[1]));
        if (100 * share[1] - 100 * share[0] < 1)
            remark.form = ROOF_FORM_OUTSIDE_FIT;
        finding_add(&p->found, NULL, &remark);
    }
    if (c->hardware_id && strcmp(c->hardware_id, p->out->hardware.id) != 0)
        FIND(&p->found, NULL, OTHER_CALIBRATION, AS_TEXT(c->hardware_id), AS_TEXT(p->out->hardware.id));
    if (is_of_other_clock(p, c))
        FIND(&p->found, NULL, CALIBRATION_CLOCK, AS("Hz", c->clock_hz), AS("Hz", p->out->hardware.clock_hz));
    FOR_EACH(const roof_parameter, q, c->parameters, c->n_parameters) {
        if (q->determined || !uses(p->out, q->name))
            continue;
        if (isfinite(q->ci95_low + q->ci95_high + q->prior))
            FIND(&p->found, NULL, PRIOR_ONLY, AS_TEXT(q->name), AS("", q->value), AS("", q->ci95_low),
                 AS("", q->ci95_high), AS("", q->prior));
        else
            FIND(&p->found, NULL, PRIOR_UNSTATED, AS_TEXT(q->name), AS("", q->value));
    }
    return ROOF_OK;
}

/* Expected time by a calibration, the other hardware that it rests on, or why there is none: in another
 * family its constants mean something else. An id that is in no database is of other hardware. */
static roof_status apply_calibration(predictor *p, const roof_calibration *c, const char *stack)
{
    const char *id = c->hardware_id, *of = arena_strdup(p->arena, id ? id : "unstated hardware");
    bool is_other = id && strcmp(id, p->out->hardware.id) != 0, is_family = true;
    if (is_other && !strchr(id, '/')) {
        roof_hw *hw = NULL;
        roof_error why;
        if (roof_hw_load(id, &hw, &why) == ROOF_E_NO_MEMORY)
            return error_memory(p->err);
        is_other = !hw || roof_hw_is_other(hw, p->hw);
        is_family = !hw || strcmp(roof_hw_family(hw), roof_hw_family(p->hw)) == 0;
        roof_hw_free(hw);
    }
    p->out->is_started_by_rows = p->out->is_started_by_rows || p->program.epochs; /* rows of a graph, too */
    if (is_family)
        TRY(expect_by_calibration(p, c));
    const bool is_applied = !isnan(p->out->total.predicted_s);
    if (is_applied && p->program.epochs)
        p->out->estimate_of = NULL; /* engines are a bound, and constants of epochs hold for a graph, too */
    if (is_applied)                 /* profiles are of one inference at a time */
        TRY(predictor_serve(p, stack, false));
    roof_form why = is_applied   ? ROOF_FORM_CALIBRATION_CARRIED_OVER
                    : !is_family ? ROOF_FORM_CALIBRATION_OF_FAMILY
                    : is_other   ? ROOF_FORM_CALIBRATION_OF_OTHER
                                 : ROOF_FORM_CALIBRATION_WITHOUT_CONSTANTS;
    if (is_applied && !is_other && is_of_other_clock(p, c))
        p->out->facts_of_verdict.calibration =
            REMARK(CALIBRATION_AT_CLOCK, AS("Hz", c->clock_hz), AS("Hz", p->out->hardware.clock_hz));
    if (!is_applied || is_other)
        p->out->facts_of_verdict.calibration =
            (roof_remark){why, {AS_TEXT(of), AS_TEXT(p->out->hardware.id)}};
    return arena_status(p->arena, p->err);
}

/* --- constants of a compiler ---------------------------------------------------------------------------- */

enum { MOST_METHODS = 16 };

/* Constants of a stack; methods: those that were used, in the order in which they were. */
typedef struct built_in {
    predictor *p;
    const char *stack;
    const char *methods[MOST_METHODS];
    uint32_t n_methods;
} built_in;

/* NaN when the entry has none. Constants that all versions of a stack share are under its name without the
 * version. */
static double constant(const built_in *x, const char *method, const char *name)
{
    const char *version = strrchr(x->stack, '-');
    const int length = version ? (int)(version - x->stack) : 0;
    const double own = hw_view_value(&x->p->view, NAN, "expect.%.30s.%.30s.%.20s", x->stack, method, name);
    return isnan(own) && length && length < 30
               ? hw_view_value(&x->p->view, NAN, "expect.%.*s.%.30s.%.20s", length, x->stack, method, name)
               : own;
}

static double or_nothing(double value)
{
    return isnan(value) ? 0 : value;
}

static void note_method(built_in *x, const char *method)
{
    if (WORD_AT(x->methods, x->n_methods, method) == x->n_methods && x->n_methods < MOST_METHODS)
        x->methods[x->n_methods++] = method;
}

/* t = launches t0 + max(MACs of a core / rate, bytes / bandwidth) + bytes of a cast / bandwidth + elements of
 * the result per_element; a constant that a method lacks has no term. bandwidth is at most columns
 * column_bandwidth. NaN without constants of this method. */
static roof_status demand_seconds(built_in *x, const roof_demand *d, double *out)
{
    demand_load load;
    *out = NAN;
    if (!d->method || isnan(constant(x, d->method, "points")))
        return ROOF_OK;
    double start_s = or_nothing(constant(x, d->method, "t0"));
    double rate = constant(x, d->method, "macs"), bandwidth = constant(x, d->method, "bandwidth");
    TRY(x->p->law->load(&x->p->fit, x->p->program.graph, d, &load, x->p->err));
    bandwidth =
        fmin(bandwidth, load.columns * constant(x, d->method, "column_bandwidth")); /* NaN is no limit */
    double compute_s = or_nothing(load.core_macs / (rate * x->p->view.clock_hz));
    double move_s = isnan(bandwidth) ? 0 : load.bytes / bandwidth;
    double elements = (double)x->p->program.graph->ops[d->op].out.elements;
    note_method(x, d->method);
    *out = d->launches * start_s + (move_s < compute_s ? compute_s : move_s) +
           or_nothing((double)d->cast_bytes / bandwidth) +
           or_nothing(elements * constant(x, d->method, "per_element"));
    return ROOF_OK;
}

/* A constant of the stack that was measured with busy cores; NaN: one core works alone. */
static double busy_constant(const built_in *x, const char *name)
{
    const built_in of_busy = {.p = x->p, .stack = x->p->service ? x->p->service->constants.stack : NULL};
    return x->p->out->total.busy_cores > 1 && of_busy.stack ? constant(&of_busy, "serial", name) : NAN;
}

static roof_status describe_methods(built_in *x)
{
    textbuf text;
    text_init(&text, 4096);
    text_printf(&text, "constants of %.30s on %.60s", x->stack, x->p->out->hardware.id);
    for (uint32_t i = 0; i < x->n_methods; i++) {
        double fitted = constant(x, x->methods[i], "fitted_families");
        double families = isnan(fitted) ? constant(x, x->methods[i], "families") : fitted;
        text_printf(&text, "%s%s from %.0f points", i ? "; " : ": ", x->methods[i],
                    constant(x, x->methods[i], "points")); /* no method is noted without */
        if (families >= 1)
            text_printf(&text, " of %.0f families of networks", families);
        else if (!isnan(families))
            text_puts(&text, " of no whole network");
        const double percent = 100 * constant(x, x->methods[i], "error");
        if (isfinite(percent))
            text_printf(&text, ", median error %.0f %%", percent);
    }
    const uint32_t busy = x->p->out->total.busy_cores;
    const double error = busy_constant(x, "error_all");
    if (busy > 1)
        text_printf(&text, "; %u cores busy, which share the memory", busy);
    if (isfinite(100 * error))
        text_printf(&text, ": median error %.1f %%", 100 * error);
    if (predictor_is_changed(x->p)) {
        char own[40];
        quantity_format(own, sizeof own, predictor_own_clock_hz(x->p), "Hz");
        text_printf(&text, ", carried over from the board's own %s and memory", own);
    }
    x->p->out->calibration = text.bytes && !text.failed ? arena_strdup(x->p->arena, text.bytes) : NULL;
    text_free(&text);
    return x->p->out->calibration ? ROOF_OK : error_memory(x->p->err);
}

/* As of a calibration that was fitted to as many families of networks, and never narrower than their own
 * scatter. An entry that counts no families has as many as points. */
static void set_interval(built_in *x, const char *method)
{
    double points = constant(x, method, "points");
    double ratio = fmax(constant(x, method, "scatter"), busy_constant(x, "scatter_all"));
    double families = constant(x, method, "families");
    roof_prediction *out = x->p->out;
    if (isnan(points) || isnan(ratio))
        return;
    uint32_t n = (uint32_t)fmax(0, fmin(isnan(families) ? points : families, 1e6));
    family_scatter scatter = calibrated_family_scatter(n * ratio * ratio, n);
    double reach = exp(gsl_cdf_tdist_Pinv(0.975, scatter.dof) *
                       fmax(scatter.total_ratio, hypot(ratio, NETWORK_SCATTER)));
    out->total.predicted_ci95_s[0] = fmax(out->total.predicted_s / reach, roof_best_s(out));
    out->total.predicted_ci95_s[1] = out->total.predicted_s * reach;
}

static const char replay_method[] = "replay";

/* A front end fetches instructions one after the other, queues are short, and ports reach less than their
 * width. */
roof_status predictor_choose_timing(predictor *p, const char *stack)
{
    const built_in x = {.p = p, .stack = stack};
    if (!stack || !p->law->timing || !p->program.n_streams)
        return ROOF_OK;
    replay_timing timing = {.load_bytes_per_cycle = constant(&x, replay_method, "load"),
                            .save_bytes_per_cycle = constant(&x, replay_method, "save"),
                            .pieces_are_accesses = true,
                            .fetch_cycles_per_word = constant(&x, replay_method, "fetch"),
                            .queue_depth = (uint32_t)or_nothing(constant(&x, replay_method, "queue"))};
    /* Cycles stay cycles at another clock; a port reaches no more than the memory that was requested. */
    const double times = p->view.clock_hz / predictor_own_clock_hz(p);
    const double memory = predictor_is_changed(p) && p->view.memory_bytes_per_s > 0
                              ? p->view.memory_bytes_per_s / p->view.clock_hz
                              : INFINITY;
    timing.load_bytes_per_cycle = fmin(schedule_port_at_clock(timing.load_bytes_per_cycle, times), memory);
    timing.save_bytes_per_cycle = fmin(schedule_port_at_clock(timing.save_bytes_per_cycle, times), memory);
    if (!(timing.load_bytes_per_cycle > 0) || !(timing.save_bytes_per_cycle > 0) ||
        isnan(timing.fetch_cycles_per_word))
        return ROOF_OK;
    TRY(ARENA_GET(p->arena, p->board, 1, p->err));
    *p->board = timing;
    return ROOF_OK;
}

/* Code whose instructions are known is replayed as a board runs it. */
static roof_status expect_by_replay(built_in *x)
{
    predictor *p = x->p;
    if (!p->code || !p->board)
        return ROOF_OK;
    p->code->expected = p->board;
    TRY(predictor_replay(p));
    if (predictor_is_changed(p) && p->out->total.predicted_s < roof_best_s(p->out)) {
        /* load and save do not share the memory there, as they would one that is so slow */
        p->code->expected = NULL;
        p->out->total.predicted_s = p->out->schedule.alone_expected_s = NAN;
        for (uint32_t i = 0; i < p->out->n_layers; i++)
            p->out->layers[i].predicted_s = p->out->layers[i].schedule.expected_path_s = NAN;
        return ROOF_OK;
    }
    note_method(x, replay_method);
    TRY(predictor_serve(p, x->stack, true));
    set_interval(x, replay_method);
    return describe_methods(x);
}

/* Where code is unknown instruction by instruction: t = max((conv / c + alu / a + eltwise / e), bytes /
 * (width b)) + per layer. The engines of a layer follow one another, tile after tile, and transfers are
 * hidden behind them. */
static roof_status expect_serially(built_in *x)
{
    roof_prediction *out = x->p->out;
    const serial_constants constants = service_constants(x->p, x->stack);
    double sum = NAN; /* of no row that runs, unknown */
    if (isnan(constant(x, "serial", "points")))
        return ROOF_OK;
    if (!out->model.compiled && !x->p->program.is_lowered) {
        FIND(&x->p->found, NULL, CONSTANTS_OF_FUSED, AS_TEXT(x->stack));
        return ROOF_OK;
    }
    FOR_EACH(roof_layer_prediction, row, out->layers, out->n_layers) {
        bool is_run = row->executor == ROOF_BY_ACCELERATOR && row->deployed.ideal_cycles != ROOF_UNKNOWN;
        if (is_run && !row->is_remainder) {
            const serial_row serial = service_row(x->p, &constants, &row->deployed);
            row->predicted_s = service_row_seconds(&constants, &serial, 1);
            sum = row->repeat * row->predicted_s + (isnan(sum) ? 0 : sum);
        }
    }
    if (isnan(sum))
        return ROOF_OK;
    out->total.predicted_s = sum;
    note_method(x, "serial");
    TRY(predictor_serve(x->p, x->stack, true));
    set_interval(x, "serial");
    return describe_methods(x);
}

static roof_status expect_of_code(predictor *p, const char *stack)
{
    built_in x = {.p = p, .stack = stack};
    TRY(expect_by_replay(&x));
    bool has_constants = !isnan(constant(&x, "serial", "points")) || !isnan(constant(&x, "replay", "points"));
    if (x.n_methods || !has_constants)
        return ROOF_OK;
    if (!predictor_is_changed(p))
        return expect_serially(&x);
    /* nobody knows which part of a law that was fitted to times goes with the clock */
    FIND(&p->found, NULL, NOT_CARRIED, AS_TEXT(stack), AS_TEXT(p->out->hardware.id));
    return ROOF_OK;
}

static roof_status expect_by_constants(predictor *p, const char *stack)
{
    built_in x = {.p = p, .stack = stack};
    double sum = 0;
    if (predictor_is_changed(p)) {
        FIND(&p->found, NULL, NOT_CARRIED, AS_TEXT(stack), AS_TEXT(p->out->hardware.id));
        return ROOF_OK;
    }
    if (p->fit.batch > 1) {
        FIND(&p->found, NULL, NOT_OF_BATCH, AS_TEXT(stack), AS_COUNT(p->fit.batch));
        return ROOF_OK;
    }
    for (uint32_t i = 0; i < p->out->n_layers; i++) {
        const roof_work *work = &p->program.rows[i].work;
        roof_layer_prediction *row = &p->out->layers[i];
        if (row->executor != ROOF_BY_ACCELERATOR)
            continue;
        row->predicted_s = work->n_demands ? 0 : NAN;
        for (uint32_t k = 0; k < work->n_demands && !isnan(row->predicted_s); k++) {
            double seconds;
            TRY(demand_seconds(&x, &work->demands[k], &seconds));
            row->predicted_s += seconds;
        }
        sum += row->repeat * row->predicted_s;
    }
    if (!x.n_methods && p->program.stack != stack)
        FIND(&p->found, NULL, NO_CONSTANTS, AS_TEXT(p->out->hardware.id), AS_TEXT(stack));
    if (!x.n_methods)
        return ROOF_OK;
    p->out->total.predicted_s = sum;
    if (isnan(sum)) /* a kernel of a row is unknown */
        return ROOF_OK;
    TRY(predictor_serve(p, stack, false));
    return describe_methods(&x);
}

/* --- epochs of an uncompiled graph ----------------------------------------------------------------------
 * Formulas, and what they were fitted to: docs/hardware/neural_art.md. */

static const char epochs_method[] = "epochs";

/* The stack of constants for a version of ST Edge AI: from 2.1 on, or before that. Other names are looked up
 * as they are. */
static const char *epochs_stack(const char *requested)
{
    static const char vendor[] = "st-edge-ai-";
    char *end;
    if (strncmp(requested, vendor, strlen(vendor)) != 0 || !isdigit((unsigned char)requested[strlen(vendor)]))
        return requested;
    const unsigned long major = strtoul(requested + strlen(vendor), &end, 10);
    const unsigned long minor = *end == '.' ? strtoul(end + 1, &end, 10) : 0;
    if (*end != '\0' && *end != '.')
        return requested;
    return major > 2 || (major == 2 && minor >= 1) ? "st-edge-ai-3" : "st-edge-ai-2";
}

/* Constants in seconds at the clocks of this board; NaN: unknown. */
typedef struct epoch_seconds {
    double stream[EPOCH_UNITS], weight, start, channel, silu, extra[EPOCH_EXTRAS], once;
} epoch_seconds;

static epoch_seconds epoch_constants(const built_in *x)
{
    static const char *const streams[EPOCH_UNITS] = {NULL, "conv_stream", "depthwise_stream", "other_stream"};
    static const char *const extras[EPOCH_EXTRAS] = {"copy",    "nearest",  "bilinear",
                                                     "softmax", "big_pool", "odd_channels"};
    const double npu_hz = x->p->view.clock_hz, host_hz = hw_view_value(&x->p->view, NAN, "mcu.clock");
    epoch_seconds c = {.weight = constant(x, epochs_method, "flash") /
                                 hw_view_value(&x->p->view, NAN, "mempool.octoflash.bandwidth"),
                       .start = constant(x, epochs_method, "start") / host_hz,
                       .channel = constant(x, epochs_method, "channel") / host_hz,
                       .silu = constant(x, epochs_method, "silu") / npu_hz,
                       .once = constant(x, epochs_method, "once") / host_hz};
    for (int i = EPOCH_CONV; i < EPOCH_UNITS; i++)
        c.stream[i] = constant(x, epochs_method, streams[i]) / npu_hz;
    for (int i = 0; i < EPOCH_EXTRAS; i++)
        c.extra[i] = constant(x, epochs_method, extras[i]) / (i == EPOCH_COPY ? npu_hz : host_hz);
    return c;
}

static double extra_seconds(const epoch_seconds *c, const epoch_work *w)
{
    double sum = 0;
    for (int i = 0; i < EPOCH_EXTRAS; i++)
        sum += c->extra[i] * (double)w->extras[i];
    return sum;
}

/* sqrt(stream^2 + weights^2) + start + channels + swish, and what the host does for it. */
static double layer_seconds(const built_in *x, const epoch_seconds *c, const epoch_work *w)
{
    const char *copies = w->is_strided ? "strided_weights" : "depthwise_weights";
    const double stored = w->unit == EPOCH_DEPTHWISE ? constant(x, epochs_method, copies) : 1;
    if (w->unit == EPOCH_NO_LAYER)
        return extra_seconds(c, w);
    return hypot(c->stream[w->unit] * w->stream, c->weight * stored * (double)w->weights_bytes) + c->start +
           c->channel * (double)w->out_channels + c->silu * (double)w->silu_elements + extra_seconds(c, w);
}

/* Maps that do not stay on the chip: their elements, each written and read as often as passes says. */
typedef struct outside {
    double elements, passes;
    bool may_be;
    const char *layer; /* the first with such a map */
} outside;

/* A layer holds its input and its output; one with a swish the latter so many times more. The part of whole
 * outputs that does not fit beside the input goes out; without a swish the larger map, which two layers may
 * share. */
static outside maps_outside(const built_in *x)
{
    const roof_prediction *out = x->p->out;
    const double room = constant(x, epochs_method, "room"), may = constant(x, epochs_method, "may_leave"),
                 leaves = constant(x, epochs_method, "leaves"),
                 held = constant(x, epochs_method, "silu_maps");
    outside found = {.passes = 2};
    double most_of_swish = 0;
    uint32_t last = ROOF_NONE;
    for (uint32_t i = 0; i < out->n_layers; i++) {
        const epoch_work *w = x->p->program.rows[i].work.epoch;
        if (!w || w->unit == EPOCH_NO_LAYER)
            continue;
        const double in = (double)w->in_elements, made = (double)w->out_elements;
        double elements = 0;
        if (w->silu_elements && held > 1 && made > 0 && in + held * made > room)
            elements = made * (held - fmax(0, floor((room - in) / made)));
        most_of_swish = fmax(most_of_swish, elements);
        if (in + made >= leaves && elements == 0) {
            const uint32_t map = in > made ? w->in : w->out;
            elements = map == last ? 0 : fmax(in, made);
            last = map;
            found.elements += elements;
        }
        if (elements > 0 && !found.layer)
            found.layer = out->layers[i].name;
        found.may_be = found.may_be || in + made > may;
    }
    if (most_of_swish > found.elements) {
        found.elements = most_of_swish;
        found.passes = constant(x, epochs_method, "silu_passes");
    }
    return found;
}

/* A stack that was not requested may have no constants in an entry of the user's. */
static bool tell_why_not(const built_in *x, const epoch_seconds *c, const roof_predict_options *options)
{
    static const epoch_work least = {.unit = EPOCH_DEPTHWISE};
    predictor *p = x->p;
    const bool is_known =
        !isnan(constant(x, epochs_method, "points") + c->once + layer_seconds(x, c, &least));
    if (is_known)
        p->out->estimate_of = NULL; /* engines are a bound, of which more or nothing is expected */
    if (!is_known && options->stack)
        FIND(&p->found, NULL, NO_CONSTANTS, AS_TEXT(p->out->hardware.id), AS_TEXT(x->stack));
    else if (is_known && p->fit.batch > 1)
        FIND(&p->found, NULL, NOT_OF_BATCH, AS_TEXT(x->stack), AS_COUNT(p->fit.batch));
    bool is_told = !is_known || p->fit.batch > 1;
    for (uint32_t i = 0; i < p->out->n_layers && !is_told; i++) {
        const epoch_work *w = p->program.rows[i].work.epoch;
        const roof_layer_prediction *l = &p->out->layers[i];
        is_told = w && (w->pools_in_floats || w->is_unmeasured);
        if (is_told)
            finding_add(
                &p->found, l->name,
                &(roof_remark){w->pools_in_floats ? ROOF_FORM_POOL_IN_FLOATS : ROOF_FORM_LAYER_NOT_MEASURED,
                               {AS_TEXT(l->name), AS_TEXT(l->type)}});
    }
    return is_told;
}

static roof_status expect_of_epochs(predictor *p, const roof_predict_options *options)
{
    built_in x = {.p = p, .stack = epochs_stack(options->stack ? options->stack : p->program.stack)};
    const epoch_seconds c = epoch_constants(&x);
    double sum = c.once + extra_seconds(&c, p->program.epochs);
    uint32_t on_host = 0;
    if (tell_why_not(&x, &c, options))
        return ROOF_OK;
    for (uint32_t i = 0; i < p->out->n_layers; i++) {
        const epoch_work *w = p->program.rows[i].work.epoch;
        if (!w)
            continue;
        p->out->layers[i].predicted_s = layer_seconds(&x, &c, w);
        on_host += p->out->layers[i].executor == ROOF_BY_HOST;
        sum += p->out->layers[i].repeat * p->out->layers[i].predicted_s;
    }
    p->out->total.predicted_s = sum;
    p->out->total.host_layers -= on_host;
    note_method(&x, epochs_method);
    set_interval(&x, epochs_method);
    /* an interval of the rest and one of maps that leave the chip are added: both may be wrong alike */
    const outside found = maps_outside(&x);
    const double factor = constant(&x, epochs_method, "outside_factor");
    const double seconds = found.elements * found.passes * constant(&x, epochs_method, "outside");
    if (seconds > 0) {
        FIND(&p->found, found.layer, MAPS_LEAVE, AS_TEXT(found.layer), AS("B", found.elements),
             AS_SECONDS(seconds), AS("", factor));
        p->out->total.predicted_s += seconds;
        p->out->total.predicted_ci95_s[0] += seconds / factor;
        p->out->total.predicted_ci95_s[1] += seconds * factor;
    } else if (found.may_be) {
        FIND(&p->found, NULL, MAPS_MAY_LEAVE, AS("B", constant(&x, epochs_method, "may_leave")));
    }
    TRY(predictor_serve(p, x.stack, false));
    TRY(predictor_host_rows(p)); /* of what is left */
    FIND(&p->found, NULL, FLASH_ASSUMED,
         AS("B/s", hw_view_value(&p->view, NAN, "mempool.octoflash.bandwidth")));
    if (!options->stack)
        FIND(&p->found, NULL, COMPILER_ASSUMED, AS_TEXT(x.stack));
    return describe_methods(&x);
}

/* -------------------------------------------------------------------------------------------------------- */

/* No document holds a longer time; constants of 0 or next to nothing make one. */
static roof_status check_time(const predictor *p, double seconds, const char *by, const char *layer)
{
    const char *quote = layer ? "'" : "";
    if (!(seconds > CODEC_MOST_SECONDS))
        return ROOF_OK;
    return error_data(p->err,
                      "hardware '%.100s': %s%.100s%s would take longer than %g s; look for a 0, or what is "
                      "next to nothing, in %.200s",
                      roof_hw_place(p->hw), quote, layer ? layer : "an inference", quote, CODEC_MOST_SECONDS,
                      by ? by : "its clock, its bandwidth and the rates of its engines");
}

roof_status predictor_expect(predictor *p, const roof_predict_options *options)
{
    const bool can_run = graph_fits(p->graph) && p->out->total.layers > 0; /* else it takes no time */
    const char *stack = !can_run ? NULL : options->stack ? options->stack : p->program.stack;
    p->out->total.predicted_s = p->out->total.predicted_ci95_s[0] = p->out->total.predicted_ci95_s[1] = NAN;
    if (options->calibration && can_run)
        TRY(apply_calibration(p, options->calibration, stack));
    else if (stack && p->program.epochs)
        TRY(expect_of_epochs(p, options));
    else if (stack && p->law->load)
        TRY(expect_by_constants(p, stack));
    else if (stack && p->law->timing)
        TRY(expect_of_code(p, stack));
    else if (can_run && p->law->rate_of && !p->out->is_language)
        TRY(predictor_expect_board(p, options));
    else if (stack && options->stack && !p->out->is_language)
        FIND(&p->found, NULL, NO_CONSTANTS_AT_ALL, AS_TEXT(p->out->hardware.id));
    if (p->out->is_language && !options->calibration)
        TRY(predictor_expect_language(p, options, p->law->load ? stack : options->stack));
    TRY(check_time(p, p->out->total.deployed.ideal_s, NULL, NULL));
    TRY(check_time(p, p->out->total.predicted_s, p->out->calibration, NULL));
    for (uint32_t i = 0; i < p->out->n_layers; i++)
        TRY(check_time(p, p->out->layers[i].predicted_s, p->out->calibration, p->out->layers[i].name));
    /* a scatter may be so large that it bounds nothing; how far an estimate errs nobody counted */
    for (size_t i = 0; i < 2; i++) {
        double *end_s = &p->out->total.predicted_ci95_s[i];
        *end_s = p->out->estimate_of || !(*end_s <= CODEC_MOST_SECONDS) ? NAN : number_as_derived(*end_s);
    }
    /* no count is behind an expected time: it has the digits that documents have */
    p->out->total.predicted_s = number_as_derived(p->out->total.predicted_s);
    for (uint32_t i = 0; i < p->out->n_layers && !p->shared; i++)
        p->out->layers[i].predicted_s = number_as_derived(p->out->layers[i].predicted_s);
    p->out->total.predicted_inferences_per_s = NAN;
    if (!(p->out->total.predicted_s > 0)) /* nothing takes no time at all */
        p->out->total.predicted_s = NAN;
    else if (predictor_has_rate(p, p->out->total.predicted_s))
        p->out->total.predicted_inferences_per_s =
            number_as_derived(p->fit.batch / fmax(p->out->total.predicted_s, p->least_call_s));
    /* a time this long means a wrong unit, or a calibration of something else */
    double ideal = p->out->total.deployed.ideal_s;
    const struct {
        roof_form form;
        double seconds, most_s;
    } times[] = {{ROOF_FORM_ABSURD_IDEAL, ideal, 86400},
                 {ROOF_FORM_ABSURD_LAUNCH, p->out->hardware.launch_floor_s, 10},
                 {ROOF_FORM_ABSURD_EXPECTED, p->out->total.predicted_s,
                  isnan(ideal) ? 86400 : fmin(86400, 1 + 1e4 * ideal)}};
    for (size_t i = 0; i < N_OF(times); i++)
        if (times[i].seconds > times[i].most_s)
            finding_add(&p->found, NULL, &(roof_remark){times[i].form, {AS_SECONDS(times[i].seconds)}});
    return ROOF_OK;
}
