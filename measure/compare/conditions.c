#include "measure/compare/conditions.h"
#include "measure/profile/run_facts.h"
#include "model/documents/documents.h"

const condition_row condition_rows[CONDITIONS] = {
#define CONDITION(id, kind, word, nearness_ratio, members, why)                                              \
    [CONDITION_##id] = {CONDITION_##kind, word, nearness_ratio, members, why},
#include "measure/compare/conditions.def"
#undef CONDITION
};

/* Numbers above 0, so that a ratio tells how near they are: load counts from 1, for a machine that does
 * nothing, and temperature from absolute zero. */
static const struct {
    const char *unit;
    double zero;
} numbers[CONDITIONS] = {[CONDITION_TRAFFIC] = {"B", 0},          [CONDITION_MEMORY] = {"B", 0},
                         [CONDITION_WORK] = {"ops", 0},           [CONDITION_MACHINE] = {"B", 0},
                         [CONDITION_CLOCK] = {"Hz", 0},           [CONDITION_BANDWIDTH] = {"B/s", 0},
                         [CONDITION_PROCESSOR_CLOCK] = {"Hz", 0}, [CONDITION_LOAD] = {"of its processors", 1},
                         [CONDITION_TEMPERATURE] = {"C", 273.15}};

static void set_number(run_conditions *c, condition_id id, double value, roof_arena *arena)
{
    char text[64];
    if (!(value >= 0))
        return;
    quantity_format(text, sizeof text, value, numbers[id].unit);
    c->number[id] = value + numbers[id].zero;
    c->text[id] = arena_strdup(arena, text);
}

static const char *count_text(roof_arena *arena, uint64_t count, uint64_t unstated)
{
    return count == unstated ? NULL : arena_printf(arena, "%" PRIu64, count);
}

/* "300 MHz" of one clock, "dpu 300 MHz, host 1.2 GHz" of several. */
static void set_clocks(run_conditions *c, const roof_run *run, roof_arena *arena)
{
    const char *list = NULL;
    if (run->n_clocks == 1) {
        set_number(c, CONDITION_CLOCK, run->clocks[0].hz, arena);
        return;
    }
    for (uint32_t i = 0; i < run->n_clocks; i++) {
        char text[64];
        quantity_format(text, sizeof text, run->clocks[i].hz, "Hz");
        list = arena_printf(arena, "%s%s%s %s", text_or_empty(list), list ? ", " : "", run->clocks[i].domain,
                            text);
    }
    c->text[CONDITION_CLOCK] = list;
}

/* Clocks and temperatures are means of all moments; the load is that of the first one, before the run added
 * its own. */
static void set_moments(run_conditions *c, const roof_run *run, roof_arena *arena)
{
    double sums[2] = {0, 0}, n[2] = {0, 0}, load = NAN;
    const char *governors = NULL;
    FOR_EACH(const roof_condition, moment, run->conditions, run->n_conditions) {
        const double values[2] = {moment->clock_hz, moment->temperature_c};
        for (size_t k = 0; k < 2; k++)
            if (!isnan(values[k])) {
                sums[k] += values[k];
                n[k]++;
            }
        load = isnan(load) ? moment->load_ratio : load;
        if (moment->governor && (!governors || !strstr(governors, moment->governor)))
            governors =
                governors ? arena_printf(arena, "%s, %s", governors, moment->governor) : moment->governor;
    }
    set_number(c, CONDITION_PROCESSOR_CLOCK, n[0] > 0 ? sums[0] / n[0] : (double)NAN, arena);
    set_number(c, CONDITION_TEMPERATURE, n[1] > 0 ? sums[1] / n[1] : (double)NAN, arena);
    set_number(c, CONDITION_LOAD, load, arena);
    c->text[CONDITION_GOVERNOR] = governors;
}

static const char *doubts_of(const roof_run *run, roof_arena *arena)
{
    static const char *const words[ROOF_DOUBT_KINDS] = {[ROOF_DOUBT_EMULATION] = "emulation",
                                                        [ROOF_DOUBT_HALF_CLOCK] = "half clock",
                                                        [ROOF_DOUBT_HALF_WIDTH] = "half width"};
    const char *list = "none";
    for (uint32_t i = 0, n = 0; i < run->n_doubts; i++) {
        const char *word = words[run->doubts[i].kind];
        if (word && (!n || !strstr(list, word)))
            list = n++ ? arena_printf(arena, "%s, %s", list, word) : word;
        if (!list)
            return NULL;
    }
    return list;
}

/* Operations of an inference where each row states its own; and what times of rows are. */
static void set_rows(run_conditions *c, const roof_run *run, roof_arena *arena)
{
    static const char *const bases[] = {
        [ROOF_TIME_MEASURED] = "measured", [ROOF_TIME_ESTIMATED] = "estimated", [ROOF_TIME_SHARE] = "shares"};
    double ops = run->n_layers ? 0 : (double)NAN;
    roof_time_basis basis = ROOF_TIME_MEASURED;
    FOR_EACH(const roof_measured_layer, row, run->layers, run->n_layers) {
        ops += row->counters ? row_executions(row) * known_count(row->counters->workload_ops) : (double)NAN;
        basis = row->basis > basis ? row->basis : basis;
    }
    set_number(c, CONDITION_WORK, ops, arena);
    c->text[CONDITION_BASIS] = bases[basis];
}

roof_status conditions_of_run(const roof_experiment *e, const roof_run *run, const char *tool,
                              const char *hardware, roof_arena *arena, run_conditions *out, roof_error *err)
{
    const bool is_per_layer = run->mode == ROOF_RUN_PER_LAYER;
    *out = (run_conditions){
        .text = {[CONDITION_MODEL] = experiment_model_name(e),
                 [CONDITION_GRAPH] = e->graph_hash,
                 [CONDITION_FILE] = path_base_name(e->model_path),
                 [CONDITION_PHASE] = e->phase == ROOF_TEXT_UNSTATED ? NULL : language_phases[e->phase],
                 [CONDITION_PROMPT] = count_text(arena, e->prompt_tokens, 0),
                 [CONDITION_CONTEXT] = count_text(arena, e->context_tokens, 0),
                 [CONDITION_WEIGHTS] = e->weight_type,
                 [CONDITION_CACHE] = e->cache_type,
                 [CONDITION_BATCH] = count_text(arena, run->batch == ROOF_NONE ? 1 : run->batch, ROOF_NONE),
                 [CONDITION_HARDWARE] = e->hardware_id ? e->hardware_id
                                        : hardware     ? hardware
                                                       : e->device,
                 [CONDITION_DEVICE] = e->device,
                 [CONDITION_DATA_TYPE] = e->device_data_type,
                 [CONDITION_CODE] = !e->device            ? NULL
                                    : e->device_runs_code ? "yes"
                                                          : "no",
                 [CONDITION_STACK] = e->stack,
                 [CONDITION_VERSION] = e->stack_version,
                 [CONDITION_TOOL] = tool,
                 [CONDITION_CORE] = run->core,
                 [CONDITION_CORES] = count_text(arena, run->cores, ROOF_NONE),
                 [CONDITION_THREADS] = count_text(arena, run->threads, ROOF_NONE),
                 [CONDITION_DOUBTS] = doubts_of(run, arena),
                 [CONDITION_LAUNCHES] = count_text(arena, run->launches, ROOF_NONE),
                 [CONDITION_BOUNDARIES] = is_per_layer ? count_text(arena, run->boundaries, ROOF_NONE) : NULL,
                 [CONDITION_WARM_UP] =
                     run_warm_up(run) ? "left out" : count_text(arena, run->warmup, ROOF_UNKNOWN),
                 [CONDITION_RECORDING] = run->is_recording ? "yes" : "no",
                 [CONDITION_COVERAGE] = run->power_scope}};
    memset(out->number, -1, sizeof out->number); /* all bits set are a NaN */
    set_number(out, CONDITION_TRAFFIC, run_traffic(run), arena);
    set_number(out, CONDITION_MEMORY, known_count(run->memory_bytes), arena);
    set_number(out, CONDITION_MACHINE, e->memory_bytes ? (double)e->memory_bytes : (double)NAN, arena);
    set_clocks(out, run, arena);
    set_moments(out, run, arena);
    set_rows(out, run, arena);
    return arena_status(arena, err);
}

roof_status conditions_of_prediction(const roof_prediction *p, roof_arena *arena, run_conditions *out,
                                     roof_error *err)
{
    const bool is_language = p->is_language;
    const roof_language_point *point = &p->language.point;
    const bool is_prompt = is_language && point->phase == ROOF_TEXT_PREFILL;
    const uint32_t batch = is_language ? point->batch : p->options.batch;
    *out = (run_conditions){
        .text = {[CONDITION_MODEL] = p->model.name,
                 [CONDITION_PHASE] = is_language ? language_phases[point->phase] : NULL,
                 [CONDITION_PROMPT] = is_prompt ? count_text(arena, point->tokens, 0) : NULL,
                 [CONDITION_CONTEXT] = is_language && !is_prompt ? count_text(arena, point->tokens, 0) : NULL,
                 [CONDITION_WEIGHTS] = is_language ? point->weights.name : NULL,
                 [CONDITION_CACHE] = is_language ? point->cache.name : NULL,
                 [CONDITION_BATCH] = count_text(arena, batch ? batch : 1, ROOF_NONE),
                 [CONDITION_HARDWARE] = p->hardware.id,
                 [CONDITION_DATA_TYPE] = p->hardware.data_type,
                 [CONDITION_BUSY_CORES] = count_text(arena, p->total.busy_cores, 0)}};
    memset(out->number, -1, sizeof out->number); /* all bits set are a NaN */
    set_number(out, CONDITION_CLOCK, p->hardware.clock_hz, arena);
    set_number(out, CONDITION_BANDWIDTH, p->hardware.bandwidth_bytes_per_s, arena);
    return arena_status(arena, err);
}

static bool differ(const run_conditions *a, const run_conditions *b, condition_id id)
{
    const double x = a->number[id], y = b->number[id];
    if (isnan(x) || isnan(y))
        return strcmp(a->text[id], b->text[id]) != 0;
    return fmax(x, y) > condition_rows[id].nearness_ratio * fmin(x, y);
}

/* True if another condition implies it: the same graph is the same network, whatever it and its file are
 * called, and other hardware has a clock and a bandwidth of its own. */
static bool is_implied(const run_conditions *a, const run_conditions *b, condition_id id)
{
    const bool is_of_name = id == CONDITION_MODEL || id == CONDITION_FILE,
               is_of_hardware = id == CONDITION_CLOCK || id == CONDITION_BANDWIDTH;
    const condition_id by = is_of_name ? CONDITION_GRAPH : CONDITION_HARDWARE;
    const char *x = a->text[by], *y = b->text[by];
    if ((!is_of_name && !is_of_hardware) || !x || !y)
        return false;
    return is_of_name == (strcmp(x, y) == 0);
}

roof_status conditions_compare(const run_conditions *a, const run_conditions *b, roof_arena *arena,
                               roof_unlike **list, uint32_t *n, uint32_t *n_apart, roof_error *err)
{
    static const char unstated[] = "not stated";
    for (condition_id id = 0; id < CONDITIONS; id++) {
        const condition_kind kind = condition_rows[id].kind;
        const char *x = a->text[id], *y = b->text[id];
        const bool is_unlike = kind == CONDITION_RESULT || is_implied(a, b, id) ? false
                               : x && y                                         ? differ(a, b, id)
                               : x || y ? kind == CONDITION_APART || kind == CONDITION_NEEDED
                                        : kind == CONDITION_NEEDED;
        if (!is_unlike)
            continue;
        TRY(ARENA_ADD(arena, *list, *n, err,
                      (roof_unlike){condition_rows[id].word, x ? x : unstated, y ? y : unstated,
                                    kind != CONDITION_SAID}));
        *n_apart += kind != CONDITION_SAID;
    }
    return ROOF_OK;
}

/* --- in a file ------------------------------------------------------------------------------------------ */

roof_status conditions_write(const run_conditions *c, roof_arena *arena, const char **out, roof_error *err)
{
    const char *lines = "";
    char number[32];
    for (condition_id id = 0; lines && id < CONDITIONS; id++) {
        const char *value = c->text[id];
        if (!value || condition_rows[id].kind == CONDITION_SAID)
            continue;
        if (!isnan(c->number[id])) {
            /* as many digits as its nearness distinguishes: else each night has lines of its own */
            const double step = condition_rows[id].nearness_ratio > 1.02 ? 100 : 10000,
                         plain = c->number[id] - numbers[id].zero,
                         scale = plain > 0 ? step / pow(10, ceil(log10(plain))) : 1;
            number_format_derived(number, sizeof number, round(plain * scale) / scale);
            value = number;
        }
        char *line = arena_printf(arena, "%s=%s", condition_rows[id].word, value);
        for (char *at = line; at && *at; at++)
            *at = *at == '\n' ? ' ' : *at; /* a name from a file may have one, and ends no line here */
        lines = line ? arena_printf(arena, "%s%s\n", lines, line) : NULL;
    }
    *out = lines;
    return ALLOCATED(lines, err);
}

roof_status conditions_read(const char *text, roof_arena *arena, run_conditions *out, roof_error *err)
{
    text_span rest = span_of(text);
    *out = (run_conditions){{NULL}, {0}};
    memset(out->number, -1, sizeof out->number); /* all bits set are a NaN */
    while (rest.length) {
        text_span value = span_take_line(&rest), word = span_take_until(&value, "=");
        double number;
        const uint32_t id = NAMED_SPAN_AT(condition_rows, CONDITIONS, word, word);
        if (id == CONDITIONS)
            continue;
        out->text[id] = arena_strndup(arena, value.text, value.length);
        if (numbers[id].unit && value.length &&
            number_parse(value.text, value.length, &number) == value.length)
            set_number(out, (condition_id)id, number, arena);
    }
    return arena_status(arena, err);
}
