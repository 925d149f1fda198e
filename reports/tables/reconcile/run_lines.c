/* Lines about what few runs tell: a loop of inferences, weights that are written again, tiles of an array
 * that were traced. */
#include "core/quantity.h"
#include "measure/profile/counter.h"
#include "measure/profile/phases.h"
#include "measure/profile/processor_counts.h"
#include "measure/units/unit_facts.h"
#include "reports/tables/reconcile/reconcile_lines.h"

#include <math.h>
#include <string.h>

static const roof_run *run_of(const roof_reconciled *e)
{
    return e->per_layer ? e->per_layer : e->bypass;
}

/* Says the time of one image, where an inference has several. */
static void add_batch(const roof_reconciled *e, remarks *lines)
{
    const roof_run *run = e->bypass;
    double whole_s = run ? times_typical(&run->total) : NAN;
    if (run && run->batch != ROOF_NONE && run->batch > 1 && !isnan(whole_s))
        remarks_add(lines, "batch", "one inference works on %u images: %.3f ms an image", run->batch,
                    1e3 * whole_s / run->batch);
}

/* External memory, where no row says more: the mean while the accelerator works. */
static void add_traffic(const roof_reconciled *e, remarks *lines)
{
    const roof_run *run = e->bypass;
    double bytes = run ? external_bytes(run->total_bytes, run->read_bytes, run->write_bytes) : NAN;
    double works_s = run && run->n_phases ? phases_sum(run).of_s[ROOF_PHASE_ACCELERATOR] : NAN;
    if (!isnan(bytes) && works_s > 0)
        remarks_add(lines, "memory", "%s in one inference, %s on average while the accelerator works",
                    say_quantity(lines->arena, bytes, "B"),
                    say_quantity(lines->arena, bytes / works_s, "B/s"));
}

/* Says the cost of weights that do not stay where they are. */
static void add_weights(const roof_reconciliation *r, const roof_reconciled *e, remarks *lines)
{
    double rate = r->buffer_bytes_per_s, layers = e->total.layer_weights_bytes,
           rest = e->total.rest_weights_bytes;
    if (isnan(rate))
        return;
    if (isnan(layers + rest) && e->prediction)
        return;
    if (isnan(layers + rest))
        remarks_add(lines, "weights",
                    "buffers were written at %.2f GB/s; name the model to see what writing the weights "
                    "again would cost",
                    rate / 1e9);
    else
        remarks_add(lines, "weights",
                    "writing them again would take %.1f ms an inference: %.1f MiB of layers that it executes "
                    "several times "
                    "and %.1f MiB of others, at the %.2f GB/s at which buffers were written",
                    1e3 * (layers + rest) / rate, layers / 1048576, rest / 1048576, rate / 1e9);
}

/* "64.1 mJ an inference, 28.2 mJ above idle; 15.6 inferences and 128 Gops per joule; 5.81 W, idle 3.05 W; of
 * the board" */
static void add_energy(const roof_reconciled *of, remarks *lines)
{
    const roof_energy *e = &of->energy;
    roof_arena *arena = lines->arena;
    const char *text = "";
    if (isnan(e->inference_j) && isnan(e->above_idle_j) && isnan(e->power_w))
        return;
    if (!isnan(e->inference_j))
        text = say_more(arena, text, "%s an inference%s%s", say_quantity(arena, e->inference_j, "J"),
                        e->mode == ROOF_RUN_PER_LAYER ? " in the per-layer run" : "",
                        e->basis == ROOF_ENERGY_POWER_TIME ? " (power x time, as if it never waited)"
                        : e->basis == ROOF_ENERGY_ROWS     ? " (the sum of its rows)"
                                                           : "");
    if (!isnan(e->above_idle_j))
        text = say_more(arena, text, "%s above idle", say_quantity(arena, e->above_idle_j, "J"));
    if (!isnan(e->inferences_per_j))
        text = say_more(arena, text, "%s", say_quantity(arena, e->inferences_per_j, "inferences/J"));
    if (!isnan(e->ops_per_j))
        text = say_more(arena, text, "%s", say_quantity(arena, e->ops_per_j, "ops/J"));
    if (!isnan(e->power_w))
        text = say_more(arena, text, "%s while it ran", say_quantity(arena, e->power_w, "W"));
    if (!isnan(e->idle_power_w))
        text = say_more(arena, text, "%s idle", say_quantity(arena, e->idle_power_w, "W"));
    remarks_add(lines, "energy", "%s; %s%s", text, e->scope ? "covers: " : "what it covers is not stated",
                e->scope ? e->scope : "");
}

/* --- tiles
 * ------------------------------------------------------------------------------------------------ */

static const char traced[] = ".TRACED";

static bool is_tile(const roof_event *event, roof_counter_quantity quantity)
{
    return event->scope == ROOF_COUNTER_TILE && event->quantity == quantity && event->name;
}

/* "LOCK_STALL" of "core_trace for tile3,1.LOCK_STALL", if it is an event of that tile; NULL else. */
static const char *event_of(const roof_event *event, const char *tile, size_t length)
{
    bool is_own = strncmp(event->name, tile, length) == 0 && event->name[length] == '.';
    return is_own && strcmp(event->name + length, traced) != 0 ? event->name + length + 1 : NULL;
}

/* "LOCK_STALL 45.7 %, PORT_RUNNING_0 36.7 % (128584 B) of 87478 cycles" */
static void add_tile(const roof_run *run, const roof_event *whole, remarks *lines)
{
    enum { MOST = 16 };
    size_t length = strlen(whole->name) - (sizeof traced - 1);
    roof_arena *arena = lines->arena;
    const char *list = "";
    for (uint32_t i = 0, n = 0; i < run->n_events && n < MOST; i++) {
        const roof_event *event = &run->events[i];
        bool is_shown = is_tile(event, ROOF_COUNTER_ACTIVE_CYCLES) && event->count;
        const char *name = is_shown ? event_of(event, whole->name, length) : NULL;
        if (!name)
            continue;
        list = say_more(arena, list, "%s %s", name,
                        say_percent(arena, (double)event->count / (double)whole->count));
        roof_event moved = *event;
        moved.quantity = ROOF_COUNTER_BYTES;
        uint64_t bytes = counter_find(run->events, run->n_events, &moved);
        if (bytes != ROOF_UNKNOWN)
            list = say_printf(arena, "%s (%llu B)", list, (unsigned long long)bytes);
        n++;
    }
    remarks_add(lines, "tile", "%.*s: %s of %llu cycles", (int)length, whole->name, list,
                (unsigned long long)whole->count);
}

static const char *say_s(const remarks *lines, double seconds)
{
    return say_quantity(lines->arena, seconds, "s");
}

/* The deployed run beside its limit, and what to expect of it; of one model the verdict says that. Then the
 * limit of its layers, which the rows are compared with. */
static void add_schedule(const roof_reconciliation *r, const roof_reconciled *e, bool is_brief,
                         remarks *lines)
{
    const roof_prediction *p = e->prediction;
    double alone_s = e->total.ideal_per_layer_s;
    if (!p || p->estimate_of || isnan(p->schedule.scheduled_s) || !(e->total.bypass_s > 0))
        return;
    if (!is_brief && e->per_layer && fabs(alone_s / e->total.best_s - 1) > 0.001)
        remarks_add(lines, "limits",
                    "%s deployed, by the schedule of its code; %s is the sum of the ideals of layers that "
                    "run one by one, "
                    "which the rows and their sum are compared with",
                    say_s(lines, e->total.best_s), say_s(lines, alone_s));
    if (r->n_experiments == 1)
        return;
    const char *expected =
        isnan(e->total.expected_s)
            ? ""
            : say_printf(lines->arena, ", %.2fx what to expect (%s)", e->total.bypass_s / e->total.expected_s,
                         say_s(lines, e->total.expected_s));
    remarks_add(lines, "deployed", "%s: %.2fx the hardware limit (%s)%s", say_s(lines, e->total.bypass_s),
                e->total.bypass_s / e->total.best_s, say_s(lines, e->total.best_s), expected);
}

/* "cycles 1.2 G, instructions 2.4 G, ...: 2.00 instructions a cycle, 4.1 % of cache references miss" */
static void add_counts(const roof_reconciled *e, remarks *lines)
{
    enum { MOST = 24 };
    const roof_run *run = run_of(e);
    const char *list = "", *rates = "";
    roof_arena *arena = lines->arena;
    uint32_t n = 0;
    for (uint32_t i = 0; run && i < run->n_events && n < MOST; i++)
        if (run->events[i].scope == ROOF_COUNTER_OTHER && run->events[i].name) {
            list = say_more(arena, list, "%s %llu", run->events[i].name,
                            (unsigned long long)run->events[i].count);
            n++;
        }
    if (!n)
        return;
    const processor_counts c = processor_counts_of(run);
    const double ipc = quotient_of(c.instructions, c.cycles), misses = quotient_of(c.misses, c.references),
                 branches = quotient_of(c.branch_misses, c.branches);
    if (!isnan(ipc))
        rates = say_more(arena, rates, "%.2f instructions a cycle", ipc);
    if (!isnan(misses))
        rates = say_more(arena, rates, "%s of cache references miss", say_percent(arena, misses));
    if (!isnan(branches))
        rates = say_more(arena, rates, "%s of branches are mispredicted", say_percent(arena, branches));
    remarks_add(lines, "counted", "%s%s%s", list, *rates ? ": " : "", rates);
}

/* The slowest of a number of inferences is no worst case: what it bounds, with 95 % confidence, is the share
 * of slower ones. */
static void add_worst_case(const roof_reconciled *e, remarks *lines)
{
    static const double unsure = 0.05, rare = 1e-6;
    const roof_run *run = e->bypass ? e->bypass : e->per_layer;
    const roof_times *t = run ? &run->total : NULL;
    if (!t || !(t->max_s > 0) || !t->count || t->count == ROOF_UNKNOWN || t->count < 2)
        return;
    double slower = 1 - pow(unsure, 1 / (double)t->count);
    remarks_add(
        lines, "worst case",
        "%s is the slowest of %llu inferences%s, no WCET: up to %s of inferences may be slower (95 %% "
        "confidence, if they are independent). One in a million takes %.1f million of them; a WCET takes an "
        "analysis of all that shares processor and memory",
        say_s(lines, t->max_s), (unsigned long long)t->count, run == e->bypass ? "" : " of the per-layer run",
        say_percent(lines->arena, slower), log(unsure) / log1p(-rare) / 1e6);
}

void reconcile_view_run_lines(const roof_reconciliation *r, const roof_reconciled *e, bool is_brief,
                              remarks *lines)
{
    add_schedule(r, e, is_brief, lines);
    /* "of the timed part: 78.160 ms at 1, ...: noise, as far as this tells" */
    const roof_run *run = run_of(e);
    if (run && run->trend.steps != ROOF_UNKNOWN) {
        const roof_trend *t = &run->trend;
        unsigned long long n = t->steps;
        double drift = t->last_s - t->first_s, mean_s = times_typical(&run->total);
        remarks_add(lines, "loop", "%.3f inferences (tokens) per second, %.3f ms each, mean of %llu",
                    1 / mean_s, 1e3 * mean_s, n);
        remarks_add(lines, "drift",
                    "of the timed part: %.3f ms at 1, %.3f ms at %llu, %.3f ms at %llu: %+.3f ms (%+.1f %%), "
                    "%+.4f ms each; "
                    "%s %.3f to %.3f ms of all: %s",
                    1e3 * t->first_s, 1e3 * t->middle_s, n / 2 + 1, 1e3 * t->last_s, n, 1e3 * drift,
                    100 * drift / t->first_s, n > 1 ? 1e3 * drift / (double)(n - 1) : 0,
                    trend_is_drift(t) ? "against" : "within", 1e3 * t->min_s, 1e3 * t->max_s,
                    trend_is_drift(t) ? "a drift" : "noise, as far as this tells");
    }
    if (run && !isnan(run->setup_s))
        remarks_add(lines, "once", "%.3f s before the first inference, in no time here", run->setup_s);
    /* Where they are neither the layers nor the boundaries, of which tables tell the number. */
    bool is_apart = run && (run->mode == ROOF_RUN_BYPASS || run->boundaries == ROOF_NONE);
    if (is_apart && run->launches != ROOF_NONE && run->launches > 0 && run->launches != run->n_layers)
        remarks_add(lines, "launches", "the accelerator is started %u times in one inference", run->launches);
    add_batch(e, lines);
    add_traffic(e, lines);
    add_energy(e, lines);
    add_weights(r, e, lines);
    enum { MOST = 40 };
    for (uint32_t i = 0, n = 0; run && i < run->n_events && n < MOST; i++) {
        const roof_event *event = &run->events[i];
        if (!is_tile(event, ROOF_COUNTER_ACTIVE_CYCLES) || !event->count)
            continue;
        size_t length = strlen(event->name);
        if (length < sizeof traced || strcmp(event->name + length - (sizeof traced - 1), traced) != 0)
            continue;
        add_tile(run, event, lines);
        n++;
    }
    add_counts(e, lines);
    if (!is_brief) {
        /* Says the gain if subgraphs were merged: boundaries are of the per-layer run, and a deployed
         * inference has few of them. */
        const double *gain_s = e->total.merge_gain_s;
        if (!isnan(gain_s[0]) && e->boundary_cost_s > 0) {
            const char *timed = arena_printf(lines->arena, "a boundary less takes %s off the per-layer run",
                                             say_s(lines, e->boundary_cost_s));
            if (e->total.starts == 1)
                remarks_add(
                    lines, "what if",
                    "subgraphs were merged: nothing to gain deployed, where the accelerator is started "
                    "once; %s",
                    text_or_empty(timed));
            else
                remarks_add(lines, "what if",
                            "the %u subgraphs of the deployed run were one: %s to %s (%s) to gain; %s",
                            e->total.starts, say_s(lines, gain_s[0]), say_s(lines, gain_s[1]),
                            say_percent(lines->arena, gain_s[1] / e->total.bypass_s), text_or_empty(timed));
        }
        add_worst_case(e, lines);
    }
}
