#include "model/predict/predictor.h"

/* --- constants ------------------------------------------------------------------------------------------ */

static double constant(const predictor *p, const char *stack, const char *name)
{
    return hw_view_value(&p->view, NAN, "expect.%.30s.serial.%.20s", stack, name);
}

serial_constants service_constants(const predictor *p, const char *stack)
{
    serial_constants c = {.stack = stack,
                          .memory = constant(p, stack, "memory"),
                          .per_layer_s = constant(p, stack, "per_layer"),
                          .memory_all = constant(p, stack, "memory_all"),
                          .per_layer_all_s = constant(p, stack, "per_layer_all"),
                          .port_bytes_per_cycle = hw_view_value(&p->view, NAN, "port.bandwidth"),
                          .cores_all = 1};
    const double cores = constant(p, stack, "cores_all");
    if (cores >= 1 && cores < ROOF_MOST_CORES)
        c.cores_all = (uint32_t)cores;
    for (uint32_t e = 0; e < p->fit.n_compute; e++)
        c.engines[e] = constant(p, stack, p->fit.engines[e].name);
    return c;
}

bool service_stack_of(const char *key, const char *end, char *stack, size_t size)
{
    static const char begin[] = "expect.";
    const size_t length = strlen(key), around = strlen(begin) + strlen(end);
    if (length <= around || length - around >= size || strncmp(key, begin, strlen(begin)) != 0 ||
        strcmp(key + length - strlen(end), end) != 0)
        return false;
    snprintf(stack, size, "%.*s", (int)(length - around), key + strlen(begin));
    return true;
}

/* The constants that know what cores take of each other: those of stack, or of another one of the entry.
 * False: there are none. */
static bool find_shared(const predictor *p, const char *stack, serial_constants *out)
{
    char other[40];
    if (stack)
        *out = service_constants(p, stack);
    if (stack && out->memory_all > 0 && out->per_layer_all_s >= 0)
        return true;
    for (size_t i = 0; roof_hw_at(p->view.board, i); i++) {
        if (!service_stack_of(roof_hw_at(p->view.board, i)->key, ".serial.memory_all", other, sizeof other))
            continue;
        *out = service_constants(p, other);
        out->stack = arena_strdup(p->arena, other);
        return out->memory_all > 0 && out->per_layer_all_s >= 0;
    }
    return false;
}

/* --- a row ---------------------------------------------------------------------------------------------- */

/* Instructions have a port of their own. */
serial_row service_row(const predictor *p, const serial_constants *c, const roof_cost *cost)
{
    const roof_traffic *t = &cost->traffic;
    const uint64_t parts[] = {t->weights_bytes, t->input_bytes, t->output_bytes, t->unsplit_bytes};
    double cycles = 0, bytes = 0;
    for (uint32_t e = 0; e < p->fit.n_compute; e++)
        cycles += cost->cycles[e] == ROOF_UNKNOWN ? 0 : (double)cost->cycles[e] / c->engines[e];
    for (size_t i = 0; i < N_OF(parts); i++)
        bytes += parts[i] == ROOF_UNKNOWN ? 0 : (double)parts[i];
    return (serial_row){cycles / p->view.clock_hz, c->port_bytes_per_cycle > 0
                                                       ? bytes / c->port_bytes_per_cycle / p->view.clock_hz
                                                       : NAN};
}

/* Fewer cores than those share the memory alike. */
static void shared_by(const serial_constants *c, double busy, double *memory, double *per_layer_s)
{
    *memory = c->memory;
    *per_layer_s = c->per_layer_s;
    if (busy <= 1 || c->cores_all <= 1)
        return;
    *memory = fmin(c->memory, c->memory_all * c->cores_all / busy);
    *per_layer_s += (c->per_layer_all_s - c->per_layer_s) * (busy - 1) / (c->cores_all - 1);
}

double service_row_seconds(const serial_constants *c, const serial_row *row, double busy)
{
    double memory, per_layer_s;
    shared_by(c, busy, &memory, &per_layer_s);
    return fmax(row->compute_s, row->move_s / memory) + per_layer_s;
}

/* --- all rows ------------------------------------------------------------------------------------------- */

typedef struct weighed_row {
    serial_row row;
    double threshold, times; /* times: how often an inference executes it */
} weighed_row;

static double serial_seconds(const service_law *law, double busy, double *memory_ratio)
{
    double memory, per_layer_s;
    shared_by(&law->constants, busy, &memory, &per_layer_s);
    uint32_t from = 0, to = law->n; /* of the first row that memory does not set */
    while (from < to) {
        const uint32_t middle = from + (to - from) / 2;
        if (law->threshold[middle] > memory)
            from = middle + 1;
        else
            to = middle;
    }
    const double moving_s = law->move_s[from] / memory + per_layer_s * law->rows[from];
    const double computing_s =
        law->compute_s[law->n] - law->compute_s[from] + per_layer_s * (law->rows[law->n] - law->rows[from]);
    *memory_ratio = moving_s / (moving_s + computing_s);
    return moving_s + computing_s;
}

double service_law_seconds(const void *of, double busy, double *memory_ratio)
{
    const service_law *law = of;
    double ignored;
    return law->alone_s * serial_seconds(law, busy, memory_ratio) / serial_seconds(law, 1, &ignored);
}

roof_status service_law_of(predictor *p, const char *stack, service_law **out)
{
    serial_constants constants;
    weighed_row *rows;
    uint32_t n = 0;
    *out = NULL;
    bool is_known = find_shared(p, stack, &constants) && constants.memory > 0 && constants.per_layer_s >= 0 &&
                    constants.port_bytes_per_cycle > 0;
    for (uint32_t e = 0; e < p->fit.n_compute; e++)
        is_known = is_known && constants.engines[e] > 0;
    if (!is_known)
        return arena_status(p->arena, p->err);
    TRY(ARENA_GET(p->rows, rows, p->out->n_layers, p->err));
    FOR_EACH(const roof_layer_prediction, l, p->out->layers, p->out->n_layers) {
        if (l->executor == ROOF_BY_HOST || isnan(l->predicted_s) || !l->deployed.cycles)
            continue;
        const serial_row row = service_row(p, &constants, &l->deployed);
        rows[n++] = (weighed_row){row,
                                  row.compute_s > 0 ? row.move_s / row.compute_s
                                  : row.move_s > 0  ? INFINITY
                                                    : 0,
                                  l->repeat};
    }
    if (!n)
        return ROOF_OK;
    order_sort(rows, n, sizeof *rows, ORDER_BY(FALLING(weighed_row, threshold)));
    service_law *law;
    TRY(ARENA_GET(p->arena, law, 1, p->err));
    *law = (service_law){.constants = constants, .n = n};
    TRY(ARENA_GET(p->arena, law->threshold, n, p->err));
    TRY(ARENA_GET3(p->arena, law->move_s, law->compute_s, law->rows, n + (size_t)1, p->err));
    for (uint32_t i = 0; i < n; i++) {
        law->threshold[i] = rows[i].threshold;
        law->move_s[i + 1] = law->move_s[i] + rows[i].times * rows[i].row.move_s;
        law->compute_s[i + 1] = law->compute_s[i] + rows[i].times * rows[i].row.compute_s;
        law->rows[i + 1] = law->rows[i] + rows[i].times;
    }
    *out = law;
    return ROOF_OK;
}
