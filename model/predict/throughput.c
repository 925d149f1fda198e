/* Throughput of a deployment: time that an inference keeps a core, CPU time for it, inferences per second by
 * threads. Formulas: include/roofline/throughput.h. */
#include "core/json/codec.h"
#include "model/predict/closed.h"
#include "model/predict/predictor.h"
#include "model/work/cost.h"

/* --- how long an inference keeps a core ----------------------------------------------------------------- */

double roof_service_s(const roof_prediction *p, double busy)
{
    const roof_throughput *t = &p->throughput;
    if (!t->n_service || !(busy > 0))
        return NAN;
    return t->service[(uint32_t)fmin(ceil(fmax(busy, 1)), t->n_service) - 1].seconds;
}

/* Cores that the rates of an entry count together, of which what is expected is of one: each inference has a
 * core, and all share the memory. */
typedef struct counted_cores {
    uint32_t cores;                   /* 0: it is not so, or what they take of each other is unknown */
    double alone_s, contention_ratio; /* S(n) = S(1) (1 + contention (n - 1)) */
} counted_cores;

static double counted_seconds(const void *of, double busy, double *memory_ratio)
{
    const counted_cores *c = of;
    *memory_ratio = NAN;
    return c->alone_s * (1 + c->contention_ratio * (fmax(busy, 1) - 1));
}

static counted_cores counted_cores_of(const predictor *p)
{
    const double cores = hw_view_value(&p->view, 1, "peak.cores"),
                 gain = hw_view_value(&p->view, NAN, "peak.cores.gain");
    counted_cores c = {0, p->alone_s, (cores / gain - 1) / (cores - 1)};
    if (!p->service && !p->out->options.cores && p->expected_cores == 1 && cores > 1 &&
        cores < ROOF_MOST_CORES && gain >= 1 && gain <= cores)
        c.cores = (uint32_t)cores;
    return c;
}

/* Sets by what law an inference keeps a core, and the cores that may be busy for what they take of each other
 * to be known. */
static roof_status find_server(const predictor *p, closed_system *out)
{
    counted_cores *counted;
    if (p->service) {
        *out = (closed_system){
            .cores = p->service->constants.cores_all, .service_s = service_law_seconds, .of = p->service};
        return ROOF_OK;
    }
    TRY(ARENA_GET(p->rows, counted, 1, p->err));
    *counted = counted_cores_of(p);
    if (!counted->cores)
        counted->contention_ratio = 0; /* without constants, one core is what it is alone */
    *out = (closed_system){
        .cores = counted->cores ? counted->cores : 1, .service_s = counted_seconds, .of = counted};
    return ROOF_OK;
}

static roof_status list_service(predictor *p, const closed_system *by, uint32_t n)
{
    roof_throughput *t = &p->out->throughput;
    TRY(ARENA_GET(p->arena, t->service, n, p->err));
    for (t->n_service = 0; t->n_service < n; t->n_service++) {
        roof_service *s = &t->service[t->n_service];
        s->busy = t->n_service + 1;
        s->seconds = by->service_s(by->of, s->busy, &s->memory_ratio);
    }
    return ROOF_OK;
}

/* The time of each row with so many cores busy; they add up to that of the whole. */
static void keep_busy(predictor *p, uint32_t busy, double seconds)
{
    const serial_constants *c = &p->service->constants;
    const double busy_ratio = seconds / p->out->total.predicted_s;
    double sum = 0, before = 0;
    FOR_EACH(roof_layer_prediction, l, p->out->layers, p->out->n_layers) {
        if (isnan(l->predicted_s))
            continue;
        before += l->repeat * l->predicted_s;
        if (l->deployed.cycles && l->executor != ROOF_BY_HOST) {
            const serial_row row = service_row(p, c, &l->deployed);
            l->predicted_s *= service_row_seconds(c, &row, busy) / service_row_seconds(c, &row, 1);
        } else {
            l->predicted_s *= busy_ratio;
        }
        sum += l->repeat * l->predicted_s;
    }
    /* time beside the layers, such as a call, grows like the rest */
    FOR_EACH(roof_layer_prediction, l, p->out->layers, p->out->n_layers) {
        l->predicted_s *= sum > 0 ? before * busy_ratio / sum : 1;
        l->schedule.expected_path_s *= busy_ratio;
    }
    p->out->total.predicted_s = seconds;
    p->busy_ratio = busy_ratio;
}

roof_status predictor_serve(predictor *p, const char *stack, bool may_be_busy)
{
    roof_throughput *t = &p->out->throughput;
    closed_system by;
    p->alone_s = p->out->total.predicted_s;
    p->busy_ratio = 1;
    TRY(service_law_of(p, stack, &p->service));
    if (p->service)
        p->service->alone_s = p->alone_s;
    TRY(find_server(p, &by));
    t->cores = p->view.cores;
    const uint32_t n = t->cores < by.cores ? t->cores : by.cores;
    TRY(list_service(p, &by, n));
    uint32_t busy = p->out->options.busy_cores ? p->out->options.busy_cores : t->cores;
    busy = !may_be_busy || busy > n ? 1 : busy;
    p->out->total.busy_cores = busy;
    if (busy > 1)
        keep_busy(p, busy, t->service[busy - 1].seconds);
    return ROOF_OK;
}

/* --- work of the host ----------------------------------------------------------------------------------- */

/* The maker of an operator's output; an operator that only names or converts the accelerator's output is the
 * accelerator's. */
typedef enum maker { MADE_BEFORE, MADE_BY_HOST, MADE_BY_ACCELERATOR } maker;

static void find_makers(const predictor *p, maker *makers, bool *is_in_row)
{
    FOR_EACH(const roof_row, row, p->program.rows, p->program.n_rows) {
        FOR_EACH(const uint32_t, op, row->operators, row->n_operators) {
            is_in_row[*op] = true;
            makers[*op] = row->executor == ROOF_BY_HOST ? MADE_BY_HOST : MADE_BY_ACCELERATOR;
        }
    }
    for (uint32_t i = 0; i < p->graph->n_ops; i++) {
        const roof_op *op = &p->graph->ops[i];
        FOR_EACH(const roof_edge, edge, op_edges(p->graph, op), is_in_row[i] ? 0 : op->n_inputs)
            makers[i] = makers[edge->op] > makers[i] ? makers[edge->op] : makers[i];
    }
}

/* Pixels of the inputs that the host fills, and bytes that it is given back: what the accelerator makes and
 * the host, or no operator of the network, reads. */
static roof_status find_edges(const predictor *p, uint64_t *pixels, uint64_t *bytes)
{
    const roof_graph *g = p->graph;
    maker *makers;
    bool *is_in_row, *is_read, *leaves;
    TRY(ARENA_GET3(p->rows, makers, is_in_row, is_read, g->n_ops, p->err));
    TRY(ARENA_GET(p->rows, leaves, g->n_ops, p->err));
    find_makers(p, makers, is_in_row);
    *pixels = *bytes = 0;
    for (uint32_t i = 0; i < g->n_ops; i++)
        FOR_EACH(const roof_edge, edge, op_edges(g, &g->ops[i]), g->ops[i].n_inputs) {
            is_read[edge->op] = true;
            leaves[edge->op] |= makers[i] == MADE_BY_HOST && makers[edge->op] == MADE_BY_ACCELERATOR;
        }
    for (uint32_t i = 0; i < g->n_ops; i++) {
        const roof_op *op = &g->ops[i];
        const nhwc map = tensor_nhwc(&op->out);
        uint64_t add = op->rule == ROOF_RULE_INPUT && is_read[i] ? map.h * map.w : 0;
        bool overflows = __builtin_add_overflow(*pixels, add, pixels);
        const bool is_output = makers[i] == MADE_BY_ACCELERATOR && op->rule != ROOF_RULE_INPUT &&
                               op->rule != ROOF_RULE_CONSTANT && (leaves[i] || !is_read[i]);
        /* a float that is not quantised yet comes back as what the accelerator computes in */
        const uint64_t bits = p->program.is_lowered ? 8 : tensor_bits(g, &op->out);
        overflows = overflows || __builtin_mul_overflow(op->out.elements, bits, &add) ||
                    __builtin_add_overflow(*bytes, is_output ? add / 8 : 0, bytes);
        if (overflows)
            return error_set(p->err, ROOF_E_LIMIT, "what the host fills and reads overflows 64 bits");
    }
    return ROOF_OK;
}

static double host_constant(const predictor *p, const char *name)
{
    return hw_view_value(&p->view, NAN, "host.%.80s", name);
}

static roof_status set_host(predictor *p, const char *requested)
{
    roof_throughput *t = &p->out->throughput;
    roof_error ignored;
    TRY(find_edges(p, &t->host.input_pixels, &t->host.output_bytes));
    /* CPU time in each kind of application that the entry has */
    static const char begin[] = "host.output_byte.";
    const double same_s = host_constant(p, "call") + host_constant(p, "pixel") * (double)t->host.input_pixels;
    for (size_t i = 0; roof_hw_at(p->view.board, i); i++) {
        const roof_quantity *q = roof_hw_at(p->view.board, i);
        const double seconds =
            host_constant(p, "factor") * (same_s + q->value * (double)t->host.output_bytes);
        if (strncmp(q->key, begin, sizeof begin - 1) != 0 || isnan(seconds))
            continue;
        TRY(ARENA_ADD(
            p->arena, t->host_kinds, t->n_host_kinds, p->err,
            (roof_host_kind){arena_strdup(p->arena, q->key + sizeof begin - 1), number_as_derived(seconds)}));
    }
    TRY(arena_status(p->arena, p->err));
    t->host.kind = arena_strdup(p->arena, requested);
    bool is_kind = strcmp(requested, "none") == 0;
    for (uint32_t i = 0; i < t->n_host_kinds && !is_kind; i++) {
        is_kind = strcmp(requested, t->host_kinds[i].kind) == 0;
        t->host.seconds = is_kind ? t->host_kinds[i].seconds : 0;
    }
    if (!is_kind) {
        t->host.kind = "time";
        if (quantity_parse(requested, "s", &t->host.seconds, &ignored) != ROOF_OK ||
            !(t->host.seconds >= 0 && t->host.seconds <= CODEC_MOST_SECONDS)) {
            const char *list = "none"; /* , features, classify, yolo, ssd */
            for (uint32_t i = 0; list && i < t->n_host_kinds; i++)
                list = arena_printf(p->arena, "%s, %s", list, t->host_kinds[i].kind);
            return error_set(
                p->err, ROOF_E_USAGE,
                "--host %.60s: '%.80s' has no times of that kind, only of %s; or give a time, such as 0.5ms",
                requested, roof_hw_id(p->hw), text_or_empty(list));
        }
    }
    return arena_status(p->arena, p->err);
}

/* --- inferences per second ------------------------------------------------------------------------------ */

/* Whole images of a load that is unknown have a reason in place of points. */
static const char *why_not(const predictor *p, uint32_t most_cores)
{
    const uint32_t cores = p->view.cores;
    if (isnan(p->out->total.predicted_s))
        return "no time is expected of an inference here; measure it, and give it by --calibration";
    if (p->fit.batch > 1)
        return "a thread that waits for a batch is not in the law; leave --batch out";
    if (cores > most_cores)
        return arena_printf(p->arena,
                            "what %u cores take of each other's memory is unknown of %.60s; --cores %u is",
                            cores, p->out->hardware.id, most_cores);
    return NULL;
}

static void round_point(roof_load_point *x)
{
    double *const derived[] = {&x->busy_cores, &x->fps, &x->fps_low, &x->fps_high, &x->latency_s};
    for (size_t i = 0; i < N_OF(derived); i++)
        *derived[i] = number_as_derived(*derived[i]);
}

roof_status predictor_throughput(predictor *p, const roof_load *load)
{
    roof_throughput *t = &p->out->throughput;
    closed_system closed;
    roof_load_point knee = {0};
    const counted_cores counted = counted_cores_of(p);
    t->cores = counted.cores ? counted.cores : p->view.cores;
    t->cpu_cores = host_constant(p, "processors");
    TRY(set_host(p, load->host ? load->host : "none"));
    TRY(find_server(p, &closed));
    t->not_known = why_not(p, closed.cores);
    if (t->not_known)
        return ROOF_OK;
    if (counted.cores) /* the inference that is expected keeps one of them */
        TRY(list_service(p, &closed, counted.cores));
    closed.cores = t->cores;
    closed.host_s = t->host.seconds;
    closed.cpu_cores = t->cpu_cores;
    closed.least_cpu_cores = host_constant(p, "processors.least");
    closed.most_cpu_cores = host_constant(p, "processors.most");
    closed.one_thread_error_ratio = hw_view_value(&p->view, NAN, "throughput.error_p90.one_thread");
    closed.error_ratio = hw_view_value(&p->view, NAN, "throughput.error_p90");
    TRY(ARENA_GET(p->arena, t->points, load->n_threads, p->err));
    for (; t->n_points < load->n_threads; t->n_points++) {
        roof_load_point *x = &t->points[t->n_points];
        TRY(ARENA_GET(p->arena, x->threads_on_core, t->cores, p->err));
        closed_point(&closed, load->threads[t->n_points], x);
        if (counted.cores && isnan(x->fps_low)) { /* as wide as the time that it rests on */
            x->fps_low = x->fps * p->alone_s / p->out->total.predicted_ci95_s[1];
            x->fps_high = x->fps * p->alone_s / p->out->total.predicted_ci95_s[0];
        }
        round_point(x);
    }
    closed_knee(&closed, &knee);
    round_point(&knee);
    t->knee.threads = knee.threads;
    t->knee.fps = knee.fps;
    t->knee.latency_s = knee.latency_s;
    t->ceilings.cores_fps = t->cores / t->service[t->n_service - 1].seconds;
    t->ceilings.host_fps = t->host.seconds > 0 ? t->cpu_cores / t->host.seconds : NAN;
    return arena_status(p->arena, p->err);
}
