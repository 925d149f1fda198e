#include "measure/profile/profile.h"
#include "roofline/statistics.h"

WORD_OF(roof_run_mode_text, roof_run_mode, mode, "unknown", "bypass", "per_layer", "load")

/* --- making and freeing ------------------------------------------------------------------------------- */

bool array_grow(void **items, size_t n, size_t item_size)
{
    enum { FIRST_CAPACITY = 4 };
    if (n >= FIRST_CAPACITY ? (n & (n - 1)) != 0 : n != 0)
        return true;
    size_t capacity = n ? 2 * n : FIRST_CAPACITY;
    void *bigger = capacity > SIZE_MAX / item_size ? NULL : realloc(*items, capacity * item_size);
    if (bigger)
        *items = bigger;
    return bigger != NULL;
}

void *array_add(roof_arena *arena, void *items, uint32_t *n, size_t item_size)
{
    void *old;
    memcpy(&old, items, sizeof old);
    char *more = arena_grow(arena, old, *n, item_size);
    if (!more)
        return NULL;
    memcpy(items, &more, sizeof more);
    return memset(more + (*n)++ * item_size, 0, item_size);
}

/* A new last element of an array of the document. */
#define ADD(m, array, n) array_add((m)->storage->arena, &(array), &(n), sizeof *(array))

roof_measured *measured_new(void)
{
    roof_arena *arena;
    roof_measured *m = NEW_ROOT(&arena, roof_measured, NULL);
    if (m && (m->storage = NEW(arena, struct roof_measured_storage))) {
        m->storage->arena = arena;
        return m;
    }
    arena_free(arena);
    return NULL;
}

void roof_measured_free(roof_measured *m)
{
    if (!m)
        return;
    for (uint32_t i = 0; i < m->n_experiments; i++)
        roof_prediction_free(m->experiments[i].prediction);
    for (uint32_t i = 0; i < m->storage->n_merged; i++)
        roof_measured_free(m->storage->merged[i]);
    arena_free(m->storage->arena);
}

/* --- adding ------------------------------------------------------------------------------------------- */

roof_times times_unknown(void)
{
    return (roof_times)TIMES_UNKNOWN;
}

roof_measured_source *measured_add_source(roof_measured *m)
{
    return ADD(m, m->sources, m->n_sources);
}

roof_experiment *measured_add_experiment(roof_measured *m)
{
    return ADD(m, m->experiments, m->n_experiments);
}

roof_measured_layer *run_add_layer(roof_measured *m, roof_run *run)
{
    roof_measured_layer *layer = ADD(m, run->layers, run->n_layers);
    if (layer)
        *layer = (roof_measured_layer){.time = times_unknown(), .index = ROOF_NONE, .executions = 1};
    return layer;
}

roof_status run_add_clock(roof_measured *m, roof_run *run, const char *domain, double hz, roof_error *err)
{
    roof_clock *clock = ADD(m, run->clocks, run->n_clocks);
    TRY(ALLOCATED(clock && (clock->domain = measured_text(m, domain, strlen(domain))), err));
    clock->hz = hz;
    return ROOF_OK;
}

void measured_remove_experiment(roof_measured *m, uint32_t experiment)
{
    roof_experiment *e = &m->experiments[experiment];
    roof_prediction_free(e->prediction);
    m->n_experiments--;
    memmove(e, e + 1, (m->n_experiments - experiment) * sizeof *e);
}

roof_status source_add_note(roof_measured *m, roof_measured_source *source, const char *note, roof_error *err)
{
    source->notes = source->notes ? arena_printf(m->storage->arena, "%s; %s", source->notes, note) : note;
    return ALLOCATED(source->notes, err);
}

bool names_agree(const char *a, const char *b)
{
    return !a || !b || strcmp(a, b) == 0;
}

roof_status run_add_phase(roof_measured *m, roof_run *run, roof_phase phase, roof_error *err)
{
    return ARENA_ADD(m->storage->arena, run->phases, run->n_phases, err, phase);
}

roof_status run_add_phases(roof_measured *m, roof_run *run, const roof_phase *phases, const double *seconds,
                           size_t n, roof_error *err)
{
    bool known = true;
    for (size_t i = 0; i < n; i++)
        known = known && isfinite(seconds[i]);
    for (size_t i = 0; known && i < n; i++) {
        roof_phase phase = phases[i];
        phase.seconds = seconds[i];
        TRY(run_add_phase(m, run, phase, err));
    }
    return ROOF_OK;
}

roof_status run_add_doubt(roof_measured *m, roof_run *run, roof_doubt_kind kind, roof_error *err,
                          const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(m->storage->arena, format, args);
    va_end(args);
    TRY(ALLOCATED(text, err));
    for (uint32_t i = 0; i < run->n_doubts; i++)
        if (run->doubts[i].kind == kind && strcmp(run->doubts[i].text, text) == 0)
            return ROOF_OK;
    if (run->n_doubts == MOST_DOUBTS)
        return ROOF_OK;
    return ARENA_ADD(m->storage->arena, run->doubts, run->n_doubts, err, (roof_doubt){kind, text});
}

const char *measured_text(roof_measured *m, const char *text, size_t length)
{
    return arena_strndup(m->storage->arena, text, length);
}

roof_layer_counters layer_counters_unknown(void)
{
    return (roof_layer_counters){.read_bytes = ROOF_UNKNOWN,
                                 .write_bytes = ROOF_UNKNOWN,
                                 .total_bytes = ROOF_UNKNOWN,
                                 .workload_ops = ROOF_UNKNOWN,
                                 .share_ratio = NAN,
                                 .ops_per_s = NAN,
                                 .energy_j = NAN,
                                 .write_s = NAN,
                                 .run_s = NAN,
                                 .read_s = NAN};
}

roof_layer_counters *layer_counters_of(roof_measured *m, roof_measured_layer *layer)
{
    if (!layer->counters && (layer->counters = NEW(m->storage->arena, roof_layer_counters)))
        *layer->counters = layer_counters_unknown();
    return layer->counters;
}

/* --- phases and events -------------------------------------------------------------------------------- */

static roof_status check_key(const char *name, uint64_t count, roof_error *err)
{
    const char *problem = codec_key_problem(name), *shown = SHOWN_TEXT(name);
    if (problem)
        return error_data(err, "'%s' %s", shown, problem);
    if (count > UINT64_C(1) << 53) /* what a double, and so a number of JSON, holds */
        return error_data(err, "'%s' is %llu, want at most 2^53", shown, (unsigned long long)count);
    return ROOF_OK;
}

counted_list counted_of_run(roof_measured *m, roof_run *run)
{
    return (counted_list){m->storage->arena, &run->phase_cycles, &run->n_phase_cycles, &run->events,
                          &run->n_events};
}

counted_list counted_of_layer(roof_measured *m, roof_measured_layer *layer)
{
    roof_layer_counters *c = layer_counters_of(m, layer);
    return c ? (counted_list){m->storage->arena, &c->phases, &c->n_phases, &c->events, &c->n_events}
             : (counted_list){.arena = NULL};
}

roof_status counted_set_phase(counted_list of, const char *name, roof_domain_cycles cycles, roof_error *err)
{
    TRY(ALLOCATED(of.arena, err));
    TRY(check_key(name, 0, err));
    TRY(check_key(cycles.domain, cycles.cycles, err));
    const uint32_t p = NAMED_AT(*of.phases, *of.n_phases, name, name);
    TRY(HAS_ROOM(p, MOST_PHASES, err, "phases"));
    if (p == *of.n_phases) {
        roof_phase_cycles *added = array_add(of.arena, of.phases, of.n_phases, sizeof *added);
        TRY(ALLOCATED(added && (added->name = arena_strdup(of.arena, name)), err));
    }
    roof_phase_cycles *phase = &(*of.phases)[p];
    const uint32_t d = NAMED_AT(phase->cycles, phase->n_cycles, domain, cycles.domain);
    TRY(HAS_ROOM(d, MOST_DOMAINS, err, "domains in a phase"));
    if (d == phase->n_cycles) {
        cycles.domain = arena_strdup(of.arena, cycles.domain);
        if (!cycles.domain || !array_add(of.arena, &phase->cycles, &phase->n_cycles, sizeof cycles))
            return error_memory(err);
        phase->cycles[d].domain = cycles.domain;
    }
    phase->cycles[d].cycles = cycles.cycles;
    return ROOF_OK;
}

roof_status counted_set_event(counted_list of, roof_event event, roof_error *err)
{
    char name[COUNTER_NAME_SIZE];
    TRY(ALLOCATED(of.arena, err));
    TRY(check_key(counter_name(&event, name), event.count, err));
    for (uint32_t i = 0; i < *of.n_events; i++)
        if (counter_compare(&(*of.events)[i], &event) == 0) {
            (*of.events)[i].count = event.count;
            return ROOF_OK;
        }
    TRY(HAS_ROOM(*of.n_events, MOST_EVENTS, err, "events"));
    event.name = event.name ? arena_strdup(of.arena, event.name) : NULL;
    return ARENA_ADD(of.arena, *of.events, *of.n_events, err, event);
}

roof_status counted_set(counted_list of, roof_counter_scope scope, roof_counter_quantity quantity,
                        const char *name, double count, roof_error *err)
{
    const bool is_count = count >= 0 && count <= 0x1p53;
    const roof_event event = {
        .scope = scope, .quantity = quantity, .name = name, .count = is_count ? (uint64_t)llround(count) : 0};
    return is_count ? counted_set_event(of, event, err) : ROOF_OK;
}

uint64_t phase_cycles_of(const roof_phase_cycles *phases, uint32_t n, const char *phase, const char *domain)
{
    for (uint32_t p = 0; p < n; p++)
        for (uint32_t d = 0; strcmp(phases[p].name, phase) == 0 && d < phases[p].n_cycles; d++)
            if (strcmp(phases[p].cycles[d].domain, domain) == 0)
                return phases[p].cycles[d].cycles;
    return ROOF_UNKNOWN;
}

roof_status layer_set_cycles(roof_measured *m, roof_measured_layer *layer, roof_domain_cycles cycles,
                             roof_error *err)
{
    roof_domain_cycles *kept;
    TRY(ALLOCATED(layer_counters_of(m, layer), err));
    TRY(ARENA_GET(m->storage->arena, kept, 1, err));
    *kept = (roof_domain_cycles){measured_text(m, cycles.domain, strlen(cycles.domain)), cycles.cycles};
    layer->counters->cycles = kept;
    layer->counters->n_cycles = 1;
    return arena_status(m->storage->arena, err);
}

double run_clock_hz(const roof_run *run, const char *domain)
{
    const uint32_t i = NAMED_AT(run->clocks, run->n_clocks, domain, domain);
    return i < run->n_clocks ? run->clocks[i].hz : NAN;
}

/* --- times -------------------------------------------------------------------------------------------- */

roof_status times_from_kept(const double *kept_s, size_t n, roof_times *out, roof_error *err)
{
    roof_statistics s;
    for (size_t i = 0; i < n; i++)
        if (!(kept_s[i] >= 0 && isfinite(kept_s[i])))
            return error_data(err, "sample %zu is %g s, want 0 or more", i, kept_s[i]);
    TRY(roof_statistics_of(kept_s, n, &s, err));
    *out = (roof_times){.samples_s = kept_s,
                        .count = n,
                        .mean_s = s.mean,
                        .std_s = s.std,
                        .min_s = s.min,
                        .max_s = s.max,
                        .median_s = s.median,
                        .p95_s = s.p95,
                        .p99_s = s.p99,
                        .cov_ratio = NAN};
    return ROOF_OK;
}

roof_status times_from_samples(roof_measured *m, const double *samples_s, size_t n, roof_times *out,
                               roof_error *err)
{
    double *kept;
    TRY(ARENA_GET(m->storage->arena, kept, n, err));
    if (n)
        memcpy(kept, samples_s, n * sizeof *kept);
    return times_from_kept(kept, n, out, err);
}

/* Values that were rounded to a digit may pass each other by that digit. */
static bool above(double a, double b)
{
    return a > b * (1 + 1e-3) + 1e-12;
}

bool times_contradiction(const roof_times *t, char *buffer, size_t size)
{
    const struct {
        const char *name;
        double value;
    } ordered[] = {{"min_s", t->min_s},
                   {"median_s", t->median_s},
                   {"p95_s", t->p95_s},
                   {"p99_s", t->p99_s},
                   {"max_s", t->max_s}};
    for (size_t i = 0; i < N_OF(ordered); i++)
        for (size_t j = i + 1; j < N_OF(ordered); j++)
            if (above(ordered[i].value, ordered[j].value)) {
                print_into(buffer, size, "%s is %g, above %s, which is %g", ordered[i].name, ordered[i].value,
                           ordered[j].name, ordered[j].value);
                return true;
            }
    if (above(t->min_s, t->mean_s) || above(t->mean_s, t->max_s)) {
        bool low = above(t->min_s, t->mean_s);
        print_into(buffer, size, "mean_s is %g, %s %s, which is %g", t->mean_s, low ? "below" : "above",
                   low ? "min_s" : "max_s", low ? t->min_s : t->max_s);
        return true;
    }
    return false;
}

/* --- when executions of rows began and ended ------------------------------------------------------------ */

roof_status spans_add(span_list *list, roof_arena *arena, span_of_time span, roof_error *err)
{
    span_of_time *last = list->n ? &list->spans[list->n - 1] : NULL;
    if (span.to < span.from)
        return ROOF_OK;
    list->whole.from = list->n_seen && list->whole.from < span.from ? list->whole.from : span.from;
    list->whole.to = list->n_seen && list->whole.to > span.to ? list->whole.to : span.to;
    list->n_seen++;
    if (last && span.from >= last->from && span.from <= last->to) {
        last->to = span.to > last->to ? span.to : last->to;
        return ROOF_OK;
    }
    if (list->n == SPANS_MOST) {
        list->is_cut = true;
        return ROOF_OK;
    }
    return ARENA_ADD(arena, list->spans, list->n, err, span);
}

/* As doubles, which differences of ticks always fit. */
static double ticks(int64_t from, int64_t to)
{
    return (double)((uint64_t)to - (uint64_t)from);
}

void spans_sum(span_list *list, double *span_s, double *busy_s)
{
    double busy = 0;
    *span_s = *busy_s = NAN;
    if (list->n_seen < 2)
        return;
    *span_s = ticks(list->whole.from, list->whole.to) * list->tick_s;
    if (list->is_cut)
        return;
    order_sort(list->spans, list->n, sizeof *list->spans,
               ORDER_BY(RISING(span_of_time, from), RISING(span_of_time, to)));
    int64_t end = list->spans[0].from;
    FOR_EACH(const span_of_time, s, list->spans, list->n) {
        int64_t from = s->from > end ? s->from : end;
        busy += s->to > from ? ticks(from, s->to) : 0;
        end = s->to > end ? s->to : end;
    }
    *busy_s = busy * list->tick_s;
}

double spans_busy(span_list *list)
{
    double span_s, busy_s;
    spans_sum(list, &span_s, &busy_s);
    return list->n_seen == 1 ? ticks(list->whole.from, list->whole.to) * list->tick_s
           : list->n_seen    ? busy_s
                             : 0;
}

/* --- merging ------------------------------------------------------------------------------------------ */

static bool add_all(roof_arena *arena, void *items, uint32_t *n, const void *more, uint32_t n_more,
                    size_t item_size)
{
    for (uint32_t i = 0; i < n_more; i++) {
        void *new = array_add(arena, items, n, item_size);
        if (!new)
            return false;
        memcpy(new, (const char *)more + i * item_size, item_size);
    }
    return true;
}

roof_status roof_measured_merge(roof_measured *into, roof_measured *from, roof_error *err)
{
    struct roof_measured_storage *storage = into->storage;
    const roof_measured before = *into; /* whose arrays stay where they are while others take their place */
    if (!add_all(storage->arena, &into->experiments, &into->n_experiments, from->experiments,
                 from->n_experiments, sizeof *into->experiments) ||
        !add_all(storage->arena, &into->sources, &into->n_sources, from->sources, from->n_sources,
                 sizeof *into->sources) ||
        !add_all(storage->arena, &into->unread, &into->n_unread, from->unread, from->n_unread,
                 sizeof *into->unread) ||
        !add_all(storage->arena, &storage->merged, &storage->n_merged, &from, 1, sizeof from)) {
        *into = before;
        return error_memory(err);
    }
    from->n_experiments = from->n_sources = from->n_unread = 0; /* they are into's; their strings stay */
    return ROOF_OK;
}
