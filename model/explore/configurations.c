/* Sizes and numbers of arrays for a board: each that its device holds is predicted, on the board with that
 * array. Their resources and order: model/explore/resources.h. */
#include "roofline/configurations.h"
#include "hwdb/hwdb.h"
#include "model/explore/resources.h"
#include "model/predict/predictor.h"
#include "roofline/predictions.h"

enum { MOST_CORES_OF_A_SIZE = 64 };

typedef struct finder {
    const roof_graph *graph;
    const roof_hw *board;
    const roof_configurations_request *requested;
    roof_configurations *out;
    roof_error *err;
} finder;

/* --- values that the hardware states -------------------------------------------------------------------- */

/* More than any device has: a slip, and sums of it would lose digits. */
#define MOST_OF_A_RESOURCE 1e9

static roof_status get(const roof_hw *hw, const char *key, double *out, roof_error *err)
{
    const roof_quantity *q = roof_hw_get(hw, key);
    if (!q)
        return error_data(err,
                          "hardware '%.80s' states no '%s', by which a device holds a configuration; boards "
                          "such as zcu102, zcu104, kv260 do, `roofline hw show` says",
                          roof_hw_place(hw), key);
    if (!(q->value >= 0 && q->value <= MOST_OF_A_RESOURCE))
        return error_data(err, "hardware '%.80s': '%s' is %g, want at most %g", roof_hw_place(hw), key,
                          q->value, MOST_OF_A_RESOURCE);
    *out = q->value;
    return ROOF_OK;
}

static roof_status get_whole(const roof_hw *hw, const char *key, double most, uint32_t *out, roof_error *err)
{
    double value;
    TRY(get(hw, key, &value, err));
    if (!(value >= 1 && value <= most && value == floor(value)))
        return error_data(err, "hardware '%.80s': '%s' is %g, want a whole number from 1 to %g",
                          roof_hw_place(hw), key, value, most);
    *out = (uint32_t)value;
    return ROOF_OK;
}

static roof_status read_needs(const roof_hw *hw, core_needs *out, roof_error *err)
{
    TRY(get(hw, "resource.lut", &out->high.lut, err));
    TRY(get(hw, "resource.registers", &out->high.registers, err));
    TRY(get(hw, "resource.dsp", &out->high.dsp, err));
    TRY(get(hw, "resource.low_dsp.lut", &out->low.lut, err));
    TRY(get(hw, "resource.low_dsp.registers", &out->low.registers, err));
    TRY(get(hw, "resource.low_dsp.dsp", &out->low.dsp, err));
    TRY(get(hw, "resource.bank_bram18", &out->bank_bram18, err));
    TRY(get(hw, "resource.bank_uram", &out->bank_uram, err));
    return get_whole(hw, "resource.banks", RESOURCES_MOST_BANKS, &out->banks, err);
}

/* --- cores that share the memory ------------------------------------------------------------------------ */

enum { STACK_SIZE = 56 };
static const char all_end[] = ".serial.cores_all";

/* The cores that contention was measured with; 0: it was not. */
static uint32_t measured_cores(const roof_hw *hw)
{
    char stack[STACK_SIZE];
    const roof_quantity *q;
    for (size_t i = 0; (q = roof_hw_at(hw, i)); i++)
        if (service_stack_of(q->key, all_end, stack, sizeof stack) && q->value >= 1 &&
            q->value < ROOF_MOST_CORES)
            return (uint32_t)q->value;
    return 0;
}

/* The memory's rate for all cores is that for more cores, too; the time beside it goes on along its line.
 * So the law of service times, b(n) = min(memory, memory_all cores_all / n), stays as it is. */
static roof_status extend(roof_hw *hw, const char *stack, double measured, uint32_t cores, roof_error *err)
{
    static const char source[] = "more cores than were measured: along the law of those that were";
    char one[96], all[96];
    snprintf(all, sizeof all, "expect.%s.serial.memory_all", stack);
    const roof_quantity *memory = roof_hw_get(hw, all);
    if (memory)
        TRY(roof_hw_set(hw, all, memory->value * measured / cores, "ratio", source, err));
    snprintf(one, sizeof one, "expect.%s.serial.per_layer", stack);
    snprintf(all, sizeof all, "expect.%s.serial.per_layer_all", stack);
    const roof_quantity *alone = roof_hw_get(hw, one), *busy = roof_hw_get(hw, all);
    if (alone && busy && measured > 1) {
        const double slope_s = (busy->value - alone->value) / (measured - 1);
        TRY(roof_hw_set(hw, all, fmax(0, alone->value + slope_s * (cores - 1)), "s", source, err));
    }
    snprintf(all, sizeof all, "expect.%s.serial.cores_all", stack);
    return roof_hw_set(hw, all, cores, "count", source, err);
}

static roof_status extend_all(roof_hw *hw, uint32_t cores, roof_error *err)
{
    char stack[STACK_SIZE];
    const roof_quantity *q;
    for (size_t i = 0; (q = roof_hw_at(hw, i)); i++)
        if (service_stack_of(q->key, all_end, stack, sizeof stack) && q->value >= 1 && q->value < cores)
            TRY(extend(hw, stack, q->value, cores, err));
    return ROOF_OK;
}

/* --- a configuration ------------------------------------------------------------------------------------ */

static roof_status set_frames(finder *f, const roof_prediction *p, roof_configuration *c)
{
    const roof_throughput *t = &p->throughput;
    f->out->host_s = t->host.seconds;
    if (!f->out->host)
        f->out->host = arena_strdup(f->out->arena, t->host.kind ? t->host.kind : "none");
    if (!f->out->model)
        f->out->model = arena_strdup(f->out->arena, p->model.name);
    f->out->clock_hz = p->hardware.clock_hz;
    f->out->host_layers = p->total.host_layers;
    if (!t->n_points) {
        c->why = isnan(p->total.predicted_s)
                     ? "its entry has no constants that expected times of this model are made by"
                     : arena_strdup(f->out->arena, t->not_known);
        return arena_status(f->out->arena, f->err);
    }
    const roof_load_point *x = &t->points[0];
    c->fps = x->fps;
    c->fps_low = x->fps_low;
    c->fps_high = x->fps_high;
    c->latency_s = x->latency_s;
    c->bound = x->bound;
    return arena_status(f->out->arena, f->err);
}

static roof_status predict(finder *f, const roof_hw *hw, roof_configuration *c, bool *is_other)
{
    static const roof_predict_options defaults;
    roof_predict_options options = f->requested->predict ? *f->requested->predict : defaults;
    const roof_load load = {.threads = &c->threads, .n_threads = 1, .host = f->requested->host};
    roof_hw *changed = NULL;
    roof_prediction *p = NULL;
    options.cores = c->cores;
    options.busy_cores = 0;
    options.load = &load;
    options.explores = ROOF_EXPLORE_NOTHING;
    options.no_steps = true;
    roof_status status = c->is_estimate ? roof_hw_copy(hw, &changed, f->err) : ROOF_OK;
    THEN(status, changed ? extend_all(changed, c->cores, f->err) : ROOF_OK);
    THEN(status, roof_predict(f->graph, changed ? changed : hw, &options, &p, f->err));
    *is_other = status == ROOF_OK && roof_pair_of(p).is_for_other;
    if (status == ROOF_OK && !*is_other)
        status = set_frames(f, p, c);
    roof_prediction_free(p);
    roof_hw_free(changed);
    return status;
}

/* "PG338 v1.2, table 9: ...; at least: ..." */
static const char *source_of(finder *f, const roof_hw *hw, const char *key)
{
    const roof_quantity *q = roof_hw_get(hw, key);
    if (!q)
        return NULL;
    return q->caveat ? arena_printf(f->out->arena, "%s; %s", q->source, q->caveat)
                     : arena_strdup(f->out->arena, q->source);
}

/* A compiled model leaves out sizes that it does not run on. */
static roof_status add_size(finder *f, const roof_hw *hw, const char *name)
{
    roof_configurations *out = f->out;
    const bool is_own = hwdb_value_or_0(hw, "peak") == hwdb_value_or_0(f->board, "peak");
    core_needs needs = {0};
    uint32_t most;
    TRY(read_needs(hw, &needs, f->err));
    TRY(get_whole(hw, "resource.cores_most", MOST_CORES_OF_A_SIZE, &most, f->err));
    if (is_own)
        out->own_size = name;
    const roof_quantity *built = roof_hw_get(f->board, "cores");
    if (is_own && built && built->value >= 1 && built->value <= most) {
        roof_configuration c = {.cores = (uint32_t)built->value};
        resources_take(out->device, &needs, &c);
        out->built_cores = c.cores;
        out->built_cost_ratio = c.cost_ratio;
    }
    if (!out->logic_source || is_own) {
        out->logic_source = source_of(f, hw, "resource.lut");
        out->memory_source = source_of(f, hw, "resource.bram36");
    }
    for (uint32_t cores = 1; cores <= most; cores++) {
        roof_configuration c = {.size = name,
                                .cores = cores,
                                .fps = NAN,
                                .fps_low = NAN,
                                .fps_high = NAN,
                                .latency_s = NAN,
                                .is_own_size = is_own};
        bool is_other = false;
        resources_take(out->device, &needs, &c);
        const uint64_t threads = out->asked_threads ? out->asked_threads : ROOF_THREADS_PER_CORE * cores;
        c.threads = threads < ROOF_MOST_THREADS ? (uint32_t)threads : ROOF_MOST_THREADS;
        c.is_estimate = out->measured_cores && cores > out->measured_cores;
        if (c.is_held || f->graph->compiled)
            TRY(predict(f, hw, &c, &is_other));
        if (is_other)
            return ROOF_OK;
        if (f->graph->compiled)
            out->only_size = name;
        if (!c.is_held) /* it was only asked whether the model is of this size */
            c.fps = c.fps_low = c.fps_high = c.latency_s = NAN;
        TRY(ARENA_ADD(out->arena, out->all, out->n, f->err, c));
    }
    return ROOF_OK;
}

static roof_status add_sizes(finder *f, bool *has_sizes)
{
    const char *name;
    roof_hw *hw;
    *has_sizes = false;
    for (size_t i = 0;; i++) {
        TRY(roof_hw_in_size(f->board, i, &name, &hw, f->err));
        if (!hw)
            return arena_status(f->out->arena, f->err);
        *has_sizes = true;
        const char *space = strrchr(name, ' '); /* "B1600" of "DPUCZDX8G B1600" */
        const roof_status status = add_size(f, hw, arena_strdup(f->out->arena, space ? space + 1 : name));
        roof_hw_free(hw);
        TRY(status);
    }
}

/* --- all of them ---------------------------------------------------------------------------------------- */

static roof_status find(finder *f)
{
    roof_configurations *out = f->out;
    bool has_sizes;
    if (!isnan(f->requested->fps) && !(f->requested->fps > 0 && f->requested->fps <= 1e9))
        return error_set(f->err, ROOF_E_USAGE, "%g inferences/s: want more than 0, at most 1e9",
                         f->requested->fps);
    if (f->requested->threads > ROOF_MOST_THREADS)
        return error_set(f->err, ROOF_E_USAGE, "%u threads; want at most %d", f->requested->threads,
                         ROOF_MOST_THREADS);
    for (roof_resource r = 0; r < ROOF_RESOURCES; r++) {
        char key[40];
        snprintf(key, sizeof key, "device.%s", roof_resource_word(r));
        TRY(get(f->board, key, &f->out->device[r], f->err));
        if (r != ROOF_RESOURCE_URAM && !(f->out->device[r] > 0))
            return error_data(f->err, "hardware '%.80s': '%s' is 0", roof_hw_place(f->board), key);
    }
    out->hardware = arena_strdup(out->arena, roof_hw_id(f->board));
    out->board =
        arena_strdup(out->arena, *roof_hw_board(f->board) ? roof_hw_board(f->board) : roof_hw_id(f->board));
    out->own_size = "";
    out->asked_fps = f->requested->fps;
    out->asked_threads = f->requested->threads;
    out->host_s = out->built_cost_ratio = NAN;
    out->measured_cores = measured_cores(f->board);
    TRY(add_sizes(f, &has_sizes));
    if (!has_sizes)
        return error_data(f->err,
                          "hardware '%.80s': no size of its family '%.40s' states what it takes of a device",
                          roof_hw_place(f->board), roof_hw_family(f->board));
    if (!out->n)
        return error_set(f->err, ROOF_E_UNSUPPORTED,
                         "%.200s is compiled for hardware that '%.80s' cannot be built with; give the graph "
                         "that it was compiled from, such as its ONNX file",
                         f->graph->path, out->hardware);
    resources_compare(out);
    return arena_status(out->arena, f->err);
}

roof_status roof_configurations_find(const roof_graph *graph, const roof_hw *board,
                                     const roof_configurations_request *requested, roof_configurations **out,
                                     roof_error *err)
{
    roof_arena *arena;
    finder f = {graph, board, requested, NEW_ROOT(&arena, roof_configurations, err), err};
    *out = NULL;
    if (!f.out)
        return ROOF_E_NO_MEMORY;
    f.out->arena = arena;
    const roof_status status = arena_settle(arena, find(&f), err);
    *out = status == ROOF_OK ? f.out : NULL;
    return status;
}

ARENA_FREES(roof_configurations_free, roof_configurations, configurations)
