#include "measure/profile/run_facts.h"
#include "measure/profile/profile.h"

const char *experiment_model_name(const roof_experiment *e)
{
    return e->model_name ? e->model_name : path_base_name(e->model_path);
}

double times_typical(const roof_times *t)
{
    return isnan(t->mean_s) ? t->median_s : t->mean_s;
}

roof_status times_of_rows(const roof_run *run, roof_arena *arena, roof_times *out, roof_error *err)
{
    const uint64_t count = run->n_layers ? run->layers[0].time.count : 0;
    double *sums;
    *out = times_unknown();
    FOR_EACH(const roof_measured_layer, row, run->layers, run->n_layers)
        if (!row->time.samples_s || row->time.count != count || row_executions(row) > 1)
            return ROOF_OK;
    if (!run->n_layers)
        return ROOF_OK;
    TRY(ARENA_GET(arena, sums, count, err));
    FOR_EACH(const roof_measured_layer, row, run->layers, run->n_layers)
        for (uint64_t k = 0; k < count; k++)
            sums[k] += row->time.samples_s[k];
    return times_from_kept(sums, (size_t)count, out, err);
}

uint32_t run_batch(const roof_run *run)
{
    return run && run->batch != ROOF_NONE && run->batch ? run->batch : 1;
}

uint64_t run_warm_up(const roof_run *run)
{
    return run->total.warm_up || !run->n_layers ? run->total.warm_up : run->layers[0].time.warm_up;
}

bool times_covs_differ(double stated, double computed)
{
    double by = fabs(stated - computed);
    return by > 0.0025 && by > 0.02 * computed;
}

const char *mode_words(const char *mode)
{
    static const struct {
        const char *mode, *words;
    } all[] = {{"bypass", "deployed"}, {"per_layer", "per-layer run"}, {"at_best", "at best"}};
    const uint32_t i = NAMED_AT(all, N_OF(all), mode, mode);
    return i < N_OF(all) ? all[i].words : mode;
}

double add_if_known(double sum, double term)
{
    return isnan(term) ? sum : (isnan(sum) ? 0 : sum) + term;
}

void range_widen(double range[2], double value)
{
    range[0] = fmin(range[0], value); /* of NaN the other one */
    range[1] = fmax(range[1], value);
}

double row_executions(const roof_measured_layer *row)
{
    return row->executions ? row->executions : 1;
}

double row_rate(const roof_layer_counters *c, const char *name)
{
    for (uint32_t i = 0; i < c->n_events; i++)
        if (c->events[i].quantity == ROOF_COUNTER_RATE_PPM && strcmp(c->events[i].name, name) == 0)
            return (double)c->events[i].count / 1e6;
    return NAN;
}

const char *row_most_waited(const roof_layer_counters *c, double *share_ratio)
{
    const char *most = NULL;
    *share_ratio = NAN;
    for (uint32_t i = 0; i < c->n_events; i++) {
        const double share = (double)c->events[i].count / 1e6;
        if (c->events[i].quantity == ROOF_COUNTER_STALL_PPM && !(share <= *share_ratio)) {
            *share_ratio = share;
            most = c->events[i].name;
        }
    }
    return most;
}

uint32_t run_executions(const roof_run *run)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < run->n_layers; i++)
        sum += (uint64_t)row_executions(&run->layers[i]);
    return sum < ROOF_NONE ? (uint32_t)sum : ROOF_NONE - 1;
}

double row_time_s(const roof_run *run, const roof_measured_layer *row)
{
    const roof_layer_counters *c = row->counters;
    double seconds = times_typical(&row->time);
    if (!isnan(seconds) || !c)
        return seconds;
    for (uint32_t i = 0; i < c->n_cycles && c->cycles_kind == ROOF_CYCLES_ELAPSED; i++) {
        double hz = run_clock_hz(run, c->cycles[i].domain);
        if (hz > 0)
            return (double)c->cycles[i].cycles / hz;
    }
    double whole = !isnan(run->sum_of_layers_s) ? run->sum_of_layers_s : times_typical(&run->total);
    return c->share_ratio * whole / row_executions(row);
}

double row_inference_s(const roof_run *run, const roof_measured_layer *row)
{
    return row_time_s(run, row) * row_executions(row);
}

double run_rows_s(const roof_run *run)
{
    double sum = run->n_layers ? 0 : NAN;
    for (uint32_t i = 0; i < run->n_layers; i++)
        sum += row_inference_s(run, &run->layers[i]);
    return sum;
}

bool run_has_power(const roof_run *run)
{
    return !isnan(run->power_w) || !isnan(run->energy_j);
}

bool run_has_time(const roof_run *run)
{
    return !isnan(times_typical(&run->total)) || !isnan(run->sum_of_layers_s) || run->n_layers;
}

bool run_has_power_alone(const roof_run *run)
{
    return run_has_power(run) && !run_has_time(run);
}

double external_bytes(uint64_t total, uint64_t read, uint64_t write)
{
    return total != ROOF_UNKNOWN ? (double)total : known_count(read) + known_count(write);
}

double row_bytes(const roof_measured_layer *row)
{
    const roof_layer_counters *c = row->counters;
    return c ? external_bytes(c->total_bytes, c->read_bytes, c->write_bytes) : NAN;
}

bool row_bytes_are_static(const roof_measured_layer *row)
{
    return row->counters && row->counters->bytes_origin == ROOF_BYTES_STATIC;
}

double row_traffic(const roof_measured_layer *row)
{
    return row_bytes_are_static(row) ? NAN : row_bytes(row);
}

double run_traffic(const roof_run *run)
{
    double stated = run ? external_bytes(run->total_bytes, run->read_bytes, run->write_bytes) : NAN;
    /* rows of a recording are not those of an inference */
    double sum = run && run->n_layers && !run->is_recording ? 0 : NAN;
    for (uint32_t i = 0; isnan(stated) && run && i < run->n_layers; i++)
        sum += row_traffic(&run->layers[i]) * row_executions(&run->layers[i]);
    return isnan(stated) ? sum : stated;
}

uint64_t cycles_outside_core(const roof_phase_cycles *phases, uint32_t n, const char *domain)
{
    uint64_t pre = phase_cycles_of(phases, n, "pre", domain),
             post = phase_cycles_of(phases, n, "post", domain);
    bool both = pre != ROOF_UNKNOWN && post != ROOF_UNKNOWN;
    return both ? pre + post : phase_cycles_of(phases, n, "pre+post", domain); /* each is below 2^53 */
}

bool epoch_is_hosts(const roof_measured_epoch *e)
{
    return e->type && strcmp(e->type, "SW") == 0;
}

bool trend_is_drift(const roof_trend *t)
{
    enum { LEAST_DIGITS = 4 };
    double drift = fabs(t->last_s - t->first_s), digit = isnan(t->resolution_s) ? 0 : t->resolution_s;
    bool between = fabs(t->middle_s - (t->first_s + t->last_s) / 2) <= drift / 2 + digit;
    return between && drift > LEAST_DIGITS * digit && drift >= 0.5 * (t->max_s - t->min_s);
}

roof_run *run_copy(const roof_run *run, uint32_t more, roof_arena *arena)
{
    roof_run *out = NEW(arena, roof_run);
    roof_measured_layer *rows = NEW_ARRAY(arena, roof_measured_layer, (size_t)run->n_layers + more);
    if (!out || !rows)
        return NULL;
    *out = *run;
    out->layers = rows;
    if (run->n_layers)
        memcpy(rows, run->layers, run->n_layers * sizeof *rows);
    return out;
}

/* --- runs of several cores ---------------------------------------------------------------------------- */

bool cores_run_alike(const roof_run *a, const roof_run *b)
{
    bool alike = a->n_layers > 0 && a->n_layers == b->n_layers;
    for (uint32_t i = 0; alike && i < a->n_layers; i++)
        alike = strcmp(a->layers[i].name, b->layers[i].name) == 0;
    return alike;
}

/* Into is the slower of two rows, with its counters; of the cycles in which a unit was busy the share of both
 * cores counts, of the cycles of the slower one. */
static bool mix_rows(roof_arena *arena, roof_measured_layer *into, const roof_measured_layer *from)
{
    const roof_measured_layer other = from->time.mean_s > into->time.mean_s ? *into : *from;
    if (from->time.mean_s > into->time.mean_s)
        *into = *from;
    const roof_layer_counters *slow = into->counters, *fast = other.counters;
    if (!slow || !fast)
        return true;
    roof_layer_counters *c = NEW(arena, roof_layer_counters);
    roof_event *events = NEW_ARRAY(arena, roof_event, slow->n_events);
    if (!c || !events)
        return false;
    bool has_cycles = slow->n_cycles == 1 && fast->n_cycles == 1;
    double of = has_cycles ? known_count(slow->cycles->cycles) : NAN,
           all = has_cycles ? of + known_count(fast->cycles->cycles) : NAN;
    for (uint32_t i = 0; i < slow->n_events; i++) {
        roof_event *event = &events[i];
        *event = slow->events[i];
        const bool is_busy = event->quantity == ROOF_COUNTER_ACTIVE_CYCLES && event->name && all > 0;
        const uint64_t other_count =
            is_busy ? counter_find(fast->events, fast->n_events, event) : ROOF_UNKNOWN;
        if (other_count != ROOF_UNKNOWN)
            event->count = (uint64_t)llround(((double)event->count + (double)other_count) * of / all);
    }
    *c = *slow;
    c->events = events;
    into->counters = c;
    return true;
}

roof_run *cores_together(roof_arena *arena, const roof_run *a, const roof_run *b)
{
    roof_run *run = run_copy(a, b->n_layers, arena);
    namemap *names = namemap_new(arena, a->n_layers);
    if (!run || !names)
        return NULL;
    for (uint32_t i = 0; i < a->n_layers; i++)
        namemap_add(names, a->layers[i].name, strlen(a->layers[i].name), i);
    FOR_EACH(const roof_measured_layer, from, b->layers, b->n_layers) {
        uint32_t at = namemap_find(names, from->name, strlen(from->name));
        if (at == ROOF_NONE)
            run->layers[run->n_layers++] = *from;
        else if (!mix_rows(arena, &run->layers[at], from))
            return NULL;
    }
    run->sum_of_layers_s = a->sum_of_layers_s + b->sum_of_layers_s; /* NaN where one is unknown */
    if (!isnan(run->sum_of_layers_s))
        run->sum_of_layers_s = run_rows_s(run);
    if (run->boundaries != ROOF_NONE)
        run->boundaries = run->launches = run->n_layers;
    return run;
}
