/* Points of a sweep as rates of configurations: a line at a time, of which little is kept. */
#include "reports/results/results_line.h"

/* --- columns -------------------------------------------------------------------------------------------- */

/* Rates come last, in the order of roof_rate_kind. */
#define COLUMNS_READ(COLUMN)                                                                                 \
    COLUMN(CONFIGURATION, "configuration")                                                                   \
    COLUMN(MODEL, "model")                                                                                   \
    COLUMN(PATH, "path")                                                                                     \
    COLUMN(DEVICE, "asked_hw")                                                                               \
    COLUMN(CLOCK, "clock_hz")                                                                                \
    COLUMN(BANDWIDTH, "bandwidth_bytes_per_s")                                                               \
    COLUMN(BATCH, "batch")                                                                                   \
    COLUMN(THREADS, "asked_threads")                                                                         \
    COLUMN(PEAK, "peak_ops_per_s")                                                                           \
    COLUMN(CORES, "cores")                                                                                   \
    COLUMN(UNIT, "unit")                                                                                     \
    COLUMN(ESTIMATE_OF, "estimate_of")                                                                       \
    COLUMN(FOR_OTHER, "is_for_other")                                                                        \
    COLUMN(FINDINGS, "findings")                                                                             \
    COLUMN(WHY, "why")                                                                                       \
    COLUMN(DATA_TYPE, "data_type")                                                                           \
    COLUMN(IN_USE, "fps")                                                                                    \
    COLUMN(EXPECTED, "expected_per_s")                                                                       \
    COLUMN(AT_BEST, "per_s")
#define PLACE(id, name) id,
#define NAME(id, name)  name,
enum { COLUMNS_READ(PLACE) COLUMNS };
static const char *const columns[COLUMNS] = {COLUMNS_READ(NAME)};

enum { KINDS = ROOF_RATE_NONE };

typedef struct reading {
    roof_pareto *out;
    results_fields fields;
    double *rates[KINDS]; /* of each point */
    bool *are_estimates, *are_foreign;
    size_t room, configuration_room; /* points, configurations */
    uint64_t next;                   /* point */
} reading;

static const char *text_of(const reading *r, int column)
{
    return r->fields.values[column].text;
}

static double number_of(const reading *r, int column)
{
    return r->fields.values[column].number;
}

static uint32_t count_of(const reading *r, int column)
{
    const double n = number_of(r, column);
    return n >= 0 && n < 4294967295.0 ? (uint32_t)n : 0;
}

/* --- a line --------------------------------------------------------------------------------------------- */

static roof_status begin(void *context, const char *titles, const results_line *first, roof_error *err)
{
    reading *r = context;
    TRY(results_fields_begin(&r->fields, columns, COLUMNS, titles, err));
    memcpy(r->out->identity, first->identity, sizeof r->out->identity);
    return ROOF_OK;
}

#define GROW(items, room, err)                                                                               \
    do {                                                                                                     \
        void *more_ = realloc((items), (room) * sizeof *(items));                                            \
        if (!more_)                                                                                          \
            return error_memory(err);                                                                        \
        (items) = more_;                                                                                     \
    } while (0)

/* Room for one more point and, of the first model, for its configuration. The number of lines bounds it. */
static roof_status make_room(reading *r, roof_error *err)
{
    enum { LEAST = 1024 };
    roof_pareto *out = r->out;
    if (r->next == r->room) {
        const size_t room = r->room ? r->room + r->room / 2 : LEAST;
        for (int k = 0; k < KINDS; k++)
            GROW(r->rates[k], room, err);
        GROW(r->are_estimates, room, err);
        GROW(r->are_foreign, room, err);
        r->room = room;
    }
    if (out->n_models == 1 && out->n_configurations == r->configuration_room) {
        const size_t room = r->configuration_room ? r->configuration_room + r->configuration_room / 2 : LEAST;
        GROW(out->configurations, room, err);
        r->configuration_room = room;
    }
    return ROOF_OK;
}

/* Configurations follow one another, the same of each model. */
static roof_status find_place(reading *r, uint32_t *configuration, roof_error *err)
{
    roof_pareto *out = r->out;
    const double n = number_of(r, CONFIGURATION);
    const uint64_t wanted = out->n_models > 1 || n < 1
                                ? r->next % (out->n_configurations ? out->n_configurations : 1)
                                : out->n_configurations;
    if (isnan(n))
        return error_data(err,
                          "has no configuration: points of measured documents ask for nothing, and have no "
                          "front");
    if (!(n >= 0 && n < (double)wanted + 1 && n > (double)wanted - 1))
        return error_data(err, "is of configuration %.0f, want %llu", n, (unsigned long long)wanted);
    *configuration = (uint32_t)wanted;
    if (!wanted)
        TRY(ARENA_ADD(out->arena, out->models, out->n_models, err,
                      (roof_swept_model){.unit = "",
                                         .name = arena_strdup(out->arena, text_of(r, MODEL)),
                                         .path = arena_strdup(out->arena, text_of(r, PATH))}));
    TRY(arena_status(out->arena, err));
    TRY(make_room(r, err));
    if (out->n_models > 1)
        return ROOF_OK;
    /* As it is requested; what only a result knows is added when there is one. */
    const char *device = text_of(r, DEVICE);
    const roof_swept_configuration *last = wanted ? &out->configurations[wanted - 1] : NULL;
    device = last && strcmp(last->device, device) == 0 ? last->device : arena_strdup(out->arena, device);
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there is room */
    out->configurations[out->n_configurations++] =
        (roof_swept_configuration){.device = device,
                                   .clock_hz = number_of(r, CLOCK),
                                   .bandwidth_bytes_per_s = number_of(r, BANDWIDTH),
                                   .peak_ops_per_s = (double)NAN,
                                   .batch = count_of(r, BATCH),
                                   .threads = count_of(r, THREADS)};
    return arena_status(out->arena, err);
}

static void take_result(reading *r, roof_swept_configuration *c)
{
    roof_swept_model *model = &r->out->models[r->out->n_models - 1];
    const bool runs = !r->are_foreign[r->next];
    c->clock_hz = number_of(r, CLOCK);
    c->bandwidth_bytes_per_s = number_of(r, BANDWIDTH);
    if (runs && !c->runs_any)
        c->peak_ops_per_s = (double)NAN; /* it was that of the array which others are compiled for */
    if (runs || !c->runs_any)
        c->peak_ops_per_s = fmax(c->peak_ops_per_s, number_of(r, PEAK)); /* of NaN and a number the number */
    c->runs_any = c->runs_any || runs;
    c->cores = c->cores ? c->cores : count_of(r, CORES);
    if (!c->data_type && *text_of(r, DATA_TYPE))
        c->data_type = arena_strdup(r->out->arena, text_of(r, DATA_TYPE));
    if (!*model->unit && *text_of(r, UNIT)) {
        model->unit = arena_strdup(r->out->arena, text_of(r, UNIT));
        model->unit = model->unit ? model->unit : "";
    }
}

static roof_status take_line(void *context, const char *line, size_t length, uint64_t index, roof_error *err)
{
    reading *r = context;
    uint32_t configuration;
    TRY(results_fields_read(&r->fields, line, length, err));
    r->next = index;
    TRY(find_place(r, &configuration, err));
    for (int k = 0; k < KINDS; k++) {
        const double rate = number_of(r, IN_USE + k);
        r->rates[k][index] = rate > 0 && isfinite(rate) ? rate : (double)NAN;
    }
    r->are_foreign[index] = number_of(r, FOR_OTHER) > 0;
    r->are_estimates[index] = *text_of(r, ESTIMATE_OF) || r->are_foreign[index];
    r->out->n_points++;
    r->out->n_found += number_of(r, FINDINGS) > 0;
    if (!*text_of(r, WHY)) {
        take_result(r, &r->out->configurations[configuration]);
        return arena_status(r->out->arena, err);
    }
    roof_pareto *out = r->out;
    const char *why = text_of(r, WHY);
    roof_swept_reason *known = NAMED(out->reasons, out->n_reasons, why, why);
    out->n_failed++;
    if (known)
        known->n++;
    else if (out->n_reasons == ROOF_FRONTS_MOST_REASONS)
        out->n_other_reasons++;
    else
        TRY(ARENA_ADD(out->arena, out->reasons, out->n_reasons, err,
                      (roof_swept_reason){.why = arena_strdup(out->arena, why),
                                          .model = out->models[out->n_models - 1].name,
                                          .device = arena_strdup(out->arena, text_of(r, DEVICE)),
                                          .n = 1}));
    return arena_status(out->arena, err);
}

/* --- what is kept --------------------------------------------------------------------------------------- */

/* The first kind that every point of the model with a rate of any kind has. */
static roof_rate_kind kind_of(const reading *r, size_t first, size_t n)
{
    for (int k = 0; k < KINDS; k++) {
        size_t n_has = 0, n_any = 0;
        for (size_t i = first; i < first + n; i++) {
            bool any = false;
            for (int other = 0; other < KINDS; other++)
                any = any || !isnan(r->rates[other][i]);
            n_any += any;
            n_has += isnan(r->rates[k][i]) ? 0 : 1;
        }
        if (n_any && n_has == n_any)
            return (roof_rate_kind)k;
    }
    return ROOF_RATE_NONE;
}

/* The rates of one kind a model take the place of the first kind's. */
static void choose_rates(reading *r)
{
    roof_pareto *out = r->out;
    const size_t n = out->n_configurations;
    for (uint32_t m = 0; m < out->n_models; m++) {
        roof_swept_model *model = &out->models[m];
        /* Where it runs as it is on any, it is not compared on those that it is compiled for others than. */
        bool runs_any = false;
        for (size_t i = m * n; i < (m + 1) * n; i++)
            for (int k = 0; k < KINDS; k++)
                runs_any = runs_any || (!r->are_foreign[i] && !isnan(r->rates[k][i]));
        for (size_t i = m * n; i < (m + 1) * n && runs_any; i++) {
            model->n_foreign += r->are_foreign[i];
            for (int k = 0; k < KINDS && r->are_foreign[i]; k++)
                r->rates[k][i] = (double)NAN;
        }
        model->rate = kind_of(r, m * n, n);
        for (size_t i = m * n; i < (m + 1) * n; i++) {
            r->rates[0][i] = model->rate == ROOF_RATE_NONE ? (double)NAN : r->rates[model->rate][i];
            model->n_results += isnan(r->rates[0][i]) ? 0 : 1;
        }
    }
    for (int k = 1; k < KINDS; k++) {
        free(r->rates[k]);
        r->rates[k] = NULL;
    }
    out->rates = r->rates[0];
    r->rates[0] = NULL;
    out->are_estimates = r->are_estimates;
    r->are_estimates = NULL;
}

void roof_pareto_free(roof_pareto *f)
{
    if (!f)
        return;
    for (uint32_t i = 0; i < f->n_fronts; i++)
        free(f->fronts[i].configurations);
    free(f->configurations);
    free((void *)(uintptr_t)f->rates);
    free((void *)(uintptr_t)f->are_estimates);
    arena_free(f->arena);
}

roof_status roof_pareto_read(const char *const *paths, uint32_t n, const char *identity, roof_cost_kind cost,
                             roof_pareto **out, roof_error *err)
{
    roof_arena *arena = arena_new(0);
    reading r = {.out = arena ? NEW(arena, roof_pareto) : NULL};
    *out = NULL;
    roof_status status = r.out ? ROOF_OK : error_memory(err);
    if (status == ROOF_OK) {
        r.out->arena = arena;
        status = results_parts_read(paths, n, identity, &(results_taker){begin, take_line, &r}, err);
        results_fields_end(&r.fields);
    }
    if (status == ROOF_OK && r.out->n_points != (uint64_t)r.out->n_models * r.out->n_configurations)
        status = error_data(err, "the points are not as many for each model");
    if (status == ROOF_OK) {
        choose_rates(&r);
        order_sort(r.out->reasons, r.out->n_reasons, sizeof *r.out->reasons,
                   ORDER_BY(FALLING(roof_swept_reason, n), RISING(roof_swept_reason, why)));
        status = pareto_find(r.out, cost, err);
    }
    for (int k = 0; k < KINDS; k++)
        free(r.rates[k]);
    free(r.are_estimates);
    free(r.are_foreign);
    if (status == ROOF_OK)
        *out = r.out;
    else if (r.out)
        roof_pareto_free(r.out);
    else
        arena_free(arena);
    return status;
}
