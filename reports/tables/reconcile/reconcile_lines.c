#include "reports/tables/reconcile/reconcile_tables.h"
#include "measure/profile/counter.h"
#include "measure/profile/phases.h"
#include "measure/matches/match_facts.h"
#include "reports/words/cause_words.h"
#include "roofline/words.h"

/* --- a deadline ----------------------------------------------------------------------------------------- */

/* By samples; else "about 95 % or more (P95), about 99 % or fewer (P99) meet it"; where no quantile tells,
 * the mean does. */
static const char *say_deadline(const roof_times *t, double deadline_s, roof_arena *arena)
{
    static const int percents[] = {50, 95, 99};
    const double seconds[] = {t->median_s, t->p95_s, t->p99_s};
    int meets = 0, misses = 0;
    const char *text = "", *more = "";
    uint64_t n = 0;
    for (uint64_t i = 0; t->samples_s && i < t->count; i++)
        n += t->samples_s[i] <= deadline_s;
    if (t->samples_s)
        return say_printf(arena, "%" PRIu64 " of %" PRIu64 " samples meet it; the slowest takes %s", n,
                          t->count, say_seconds(arena, t->max_s));
    if (t->max_s <= deadline_s)
        return say_printf(arena, "all meet it: the slowest takes %s", say_seconds(arena, t->max_s));
    if (t->min_s > deadline_s)
        return say_printf(arena, "none meets it: the fastest takes %s", say_seconds(arena, t->min_s));
    for (int i = 0; i < 3; i++) {
        meets = seconds[i] <= deadline_s ? percents[i] : meets;
        misses = seconds[i] > deadline_s && !misses ? percents[i] : misses;
    }
    if (meets)
        text = say_more(arena, text, "about %d %% or more (P%d)", meets, meets);
    if (misses)
        text = say_more(arena, text, "about %d %% or fewer (P%d)", misses, misses);
    const double typical_s = times_typical(t);
    /* as if times were normally distributed; NaN where mean and deviation are unknown */
    const double percent = t->std_s > 0 ? 50 * erfc((t->mean_s - deadline_s) / t->std_s / sqrt(2)) : NAN;
    if (!isnan(percent))
        more = say_printf(arena, "; about %.0f %% by mean and deviation, an estimate", percent);
    if (*text)
        return say_printf(arena, "%s meet it, a bound by percentiles%s", text, more);
    if (!isnan(percent))
        return say_printf(arena,
                          "about %.1f %% meet it: an estimate by mean and deviation, as if times were "
                          "normally distributed",
                          percent);
    return say_printf(arena, "the mean of %s %s it; how many inferences do is unknown",
                      say_seconds(arena, typical_s), typical_s <= deadline_s ? "meets" : "misses");
}

void reconcile_view_deadline(const roof_reconciliation *r, double deadline_s, remarks *lines)
{
    FOR_EACH(const roof_reconciled, e, r->experiments, r->n_experiments) {
        const roof_run *run = e->bypass ? e->bypass : e->per_layer;
        const roof_times *t = run ? &run->total : NULL;
        if (!t || isnan(times_typical(t)))
            continue;
        remarks_add(lines, "deadline", "%s for %s%s: %s", say_seconds(lines->arena, deadline_s), e->model,
                    run == e->bypass ? "" : " in the per-layer run",
                    say_deadline(t, deadline_s, lines->arena));
    }
}

void reconcile_view_absent(const roof_reconciled *e, name_prefixes prefix, bool all, remarks *lines)
{
    enum { FIRST = 6 };
    const roof_match *u = e->n_matches ? &e->matches[e->n_matches - 1] : NULL;
    uint32_t n = u && u->is_unlisted ? u->n_layers : 0, shown = all || n <= FIRST ? n : FIRST;
    const char *list = "";
    for (uint32_t i = 0; i < shown; i++)
        list =
            say_more(lines->arena, list, "%s", prediction_name_without(prefix, match_layer(e, u, i)->name));
    const char *rest = shown < n ? say_printf(lines->arena, " and %u more", n - shown) : "";
    if (n)
        remarks_add(lines, "absent", "%s%s: only their sum is known", list, rest);
}

/* --- lines that few runs have: a loop of inferences, weights written again, traced tiles --------------- */

static const roof_run *run_of(const roof_reconciled *e)
{
    return e->per_layer ? e->per_layer : e->bypass;
}

/* Says the cost of weights that do not stay where they are. */
static void add_weights(const roof_reconciliation *r, const roof_reconciled *e, remarks *lines)
{
    double rate = r->buffer_bytes_per_s, layers = e->total.layer_weights_bytes,
           rest = e->total.rest_weights_bytes;
    if (!(rate > 0) || (isnan(layers + rest) && e->prediction))
        return;
    if (isnan(layers + rest))
        remarks_add(lines, "weights",
                    "buffers were written at %.2f GB/s; name the model to see what writing the weights "
                    "again would cost",
                    rate / 1e9);
    else
        remarks_add(lines, "weights",
                    "writing them again would take %.1f ms an inference: %.1f MiB of layers that it executes "
                    "several times and %.1f MiB of others, at the %.2f GB/s at which buffers were written",
                    1e3 * (layers + rest) / rate, layers / 1048576, rest / 1048576, rate / 1e9);
}

/* "64.1 mJ an inference, 28.2 mJ above idle; 15.6 inferences/J; 128 Gops/J; 5.81 W; of the board" */
static void add_energy(const roof_reconciled *of, remarks *lines)
{
    const roof_energy *e = &of->energy;
    if (isnan(e->inference_j) && isnan(e->above_idle_j) && isnan(e->power_w))
        return;
    const char *basis = e->basis == ROOF_ENERGY_POWER_TIME ? " (power x time, as if it never waited)"
                        : e->basis == ROOF_ENERGY_ROWS     ? " (the sum of its rows)"
                                                           : "";
    const char *text = SAY_TEXT(
        lines->arena,
        "[?, {} an inference{}{}][?, {} above idle][?, {}][?, {}][?, {} while it ran][?, {} idle]; {}{}",
        AS("J", e->inference_j), AS_TEXT(e->mode == ROOF_RUN_PER_LAYER ? " in the per-layer run" : ""),
        AS_TEXT(basis), AS("J", e->above_idle_j), AS("inferences/J", e->inferences_per_j),
        AS("ops/J", e->ops_per_j), AS("W", e->power_w), AS("W", e->idle_power_w),
        AS_TEXT(e->scope ? "covers: " : "what it covers is not stated"), AS_TEXT(e->scope));
    remarks_add(lines, "energy", "%s", text + strspn(text, ", "));
}

/* --- tiles -------------------------------------------------------------------------------------------- */

static const char traced[] = ".TRACED";

static bool is_tile(const roof_event *event, roof_counter_quantity quantity)
{
    return event->scope == ROOF_COUNTER_TILE && event->quantity == quantity && event->name;
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
        if (!is_tile(event, ROOF_COUNTER_ACTIVE_CYCLES) || !event->count ||
            strncmp(event->name, whole->name, length) != 0 || event->name[length] != '.' ||
            strcmp(event->name + length, traced) == 0)
            continue;
        /* "LOCK_STALL" of "core_trace for tile3,1.LOCK_STALL" */
        list = say_more(arena, list, "%s %s", event->name + length + 1,
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

/* The whole-network run beside its limit, and its expected time; of one model the verdict says that. Then
 * the limit of its layers, which the rows are compared with. */
static void add_schedule(const roof_reconciliation *r, const roof_reconciled *e, bool is_brief,
                         remarks *lines)
{
    const roof_prediction *p = e->prediction;
    double alone_s = e->total.ideal_per_layer_s;
    if (!p || p->estimate_of || isnan(p->schedule.scheduled_s) || !(e->total.bypass_s > 0))
        return;
    if (!is_brief && e->per_layer && fabs(alone_s / e->total.best_s - 1) > 0.001)
        remarks_add(lines, "limits",
                    "%s for the whole-network run (schedule), %s for the per-layer run; rows are compared "
                    "with the latter",
                    say_seconds(lines->arena, e->total.best_s), say_seconds(lines->arena, alone_s));
    if (r->n_experiments == 1)
        return;
    const double of_expected = quotient_of(e->total.bypass_s, e->total.expected_s),
                 of_best = quotient_of(e->total.bypass_s, e->total.best_s);
    const char *expected = isnan(of_expected)
                               ? ""
                               : say_printf(lines->arena, ", %.2fx the expected time (%s)", of_expected,
                                            say_seconds(lines->arena, e->total.expected_s));
    if (!isnan(of_best))
        remarks_add(lines, "latency", "%s: %.2fx the bound (%s)%s",
                    say_seconds(lines->arena, e->total.bypass_s), of_best,
                    say_seconds(lines->arena, e->total.best_s), expected);
}

/* True for counts of the whole run that are shown by name: of processors, matches and buses. */
static bool is_counted(const roof_event *event)
{
    bool is_part = event->scope == ROOF_COUNTER_UNIT || event->scope == ROOF_COUNTER_BUS;
    return event->name && event->quantity != ROOF_COUNTER_RATE_PPM &&
           (event->scope == ROOF_COUNTER_OTHER || (is_part && event->origin == ROOF_COUNTER_COUNTED));
}

static double npu_cycles(const roof_run *run, roof_counter_quantity quantity)
{
    const roof_event wanted = {.scope = ROOF_COUNTER_UNIT, .quantity = quantity, .name = "npu"};
    return known_count(counter_find(run->events, run->n_events, &wanted));
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
        if (is_counted(&run->events[i])) {
            list =
                say_more(arena, list, "%s %llu", counter_name(&run->events[i], (char[COUNTER_NAME_SIZE]){""}),
                         (unsigned long long)run->events[i].count);
            n++;
        }
    if (!n)
        return;
    const processor_counts c = processor_counts_of(run);
    rates =
        SAY_TEXT(arena,
                 "[?, the NPU is active in {.1%} % of its cycles][?, {.2} instructions a cycle]"
                 "[?, {.1%} % of cache references miss][?, {.1%} % of branches are mispredicted]",
                 AS_RATIO(quotient_of(npu_cycles(run, ROOF_COUNTER_ACTIVE_CYCLES),
                                      npu_cycles(run, ROOF_COUNTER_TOTAL_CYCLES))),
                 AS("", quotient_of(c.instructions, c.cycles)), AS_RATIO(quotient_of(c.misses, c.references)),
                 AS_RATIO(quotient_of(c.branch_misses, c.branches)));
    remarks_add(lines, "counted", "%s%s%s", list, *rates ? ": " : "", rates + strspn(rates, ", "));
}

/* The slowest inference is no worst case: it bounds the share of slower ones, with 95 % confidence. */
static void add_worst_case(const roof_reconciled *e, remarks *lines)
{
    static const double unsure = 0.05, rare = 1e-6;
    const roof_run *run = e->bypass ? e->bypass : e->per_layer;
    const roof_times *t = run ? &run->total : NULL;
    if (!t || !(t->max_s > 0) || t->count == ROOF_UNKNOWN || t->count < 2)
        return;
    double slower = 1 - pow(unsure, 1 / (double)t->count);
    remarks_add(lines, "worst case",
                "%s is the slowest of %llu inferences%s, not a WCET: up to %s may be slower (95 %% "
                "confidence, if independent). To see one in a million, measure %.1f million",
                say_seconds(lines->arena, t->max_s), (unsigned long long)t->count,
                run == e->bypass ? "" : " of the per-layer run", say_percent(lines->arena, slower),
                log(unsure) / log1p(-rare) / 1e6);
}

/* "of the timed part: 78.160 ms at 1, ...: noise, as far as this tells" */
static void add_loop(const roof_run *run, remarks *lines)
{
    const roof_trend *t = &run->trend;
    unsigned long long n = t->steps;
    double drift = t->last_s - t->first_s, mean_s = times_typical(&run->total), rate = quotient_of(1, mean_s),
           of_first = 100 * quotient_of(drift, t->first_s);
    if (!isnan(rate))
        remarks_add(lines, "loop", "%.3f inferences (tokens) per second, %.3f ms each, mean of %llu", rate,
                    1e3 * mean_s, n);
    if (isnan(drift + t->middle_s + t->min_s + t->max_s))
        remarks_add(lines, "drift", "not known: the document does not state all times of the loop");
    else
        remarks_add(lines, "drift",
                    "of the timed part: %.3f ms at 1, %.3f ms at %llu, %.3f ms at %llu: %+.3f ms%s, %+.4f ms "
                    "each; %s %.3f to %.3f ms of all: %s",
                    1e3 * t->first_s, 1e3 * t->middle_s, n / 2 + 1, 1e3 * t->last_s, n, 1e3 * drift,
                    isnan(of_first) ? "" : say_printf(lines->arena, " (%+.1f %%)", of_first),
                    n > 1 ? 1e3 * drift / (double)(n - 1) : 0, trend_is_drift(t) ? "against" : "within",
                    1e3 * t->min_s, 1e3 * t->max_s,
                    trend_is_drift(t) ? "a drift" : "noise, as far as this tells");
}

static void add_run_lines(const roof_reconciliation *r, const roof_reconciled *e, bool is_brief,
                          remarks *lines)
{
    add_schedule(r, e, is_brief, lines);
    const roof_run *run = run_of(e);
    if (run && run->trend.steps != ROOF_UNKNOWN)
        add_loop(run, lines);
    if (run && !isnan(run->setup_s))
        remarks_add(lines, "once", "%.3f s before the first inference, in no time here", run->setup_s);
    /* Where they are neither the layers nor the boundaries, of which tables tell the number. */
    bool is_apart = run && (run->mode == ROOF_RUN_BYPASS || run->boundaries == ROOF_NONE);
    if (is_apart && run->launches != ROOF_NONE && run->launches > 0 && run->launches != run->n_layers)
        remarks_add(lines, "launches", "the accelerator is started %u times in one inference", run->launches);
    const roof_run *whole = e->bypass;
    const double whole_s = whole ? times_typical(&whole->total) : NAN;
    if (whole && whole->batch != ROOF_NONE && whole->batch > 1 && !isnan(whole_s))
        remarks_add(lines, "batch", "one inference works on %u images: %.3f ms an image", whole->batch,
                    1e3 * whole_s / whole->batch);
    /* External memory, where no row says more: the mean while the accelerator works. */
    double bytes = whole ? external_bytes(whole->total_bytes, whole->read_bytes, whole->write_bytes) : NAN;
    double works_s = whole && whole->n_phases ? phases_sum(whole).of_s[ROOF_PHASE_ACCELERATOR] : NAN;
    ADD_SAID(lines, "memory", "[?{} in one inference, {} on average while the accelerator works]",
             AS("B", bytes), AS("B/s", quotient_of(bytes, works_s)));
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
        /* The gain if subgraphs were merged: boundaries are the per-layer run's, others have few. */
        const double *gain_s = e->total.merge_gain_s;
        if (!isnan(gain_s[0]) && e->boundary_cost_s > 0) {
            const char *timed =
                arena_printf(lines->arena, "each removed boundary shortens the per-layer run by %s",
                             say_seconds(lines->arena, e->boundary_cost_s));
            if (e->total.starts == 1)
                remarks_add(lines, "what if",
                            "merging subgraphs saves nothing: the network is launched once already; %s",
                            text_or_empty(timed));
            else
                remarks_add(lines, "what if",
                            "the %u subgraphs of the whole-network run were one: saves %s to %s (%s); %s",
                            e->total.starts, say_seconds(lines->arena, gain_s[0]),
                            say_seconds(lines->arena, gain_s[1]),
                            say_percent(lines->arena, gain_s[1] / e->total.bypass_s), text_or_empty(timed));
        }
        add_worst_case(e, lines);
    }
}

/* --- an experiment ------------------------------------------------------------------------------------- */

/* "accelerator 80.6 %, host 13.1 %, not known 2.5 %: what its layers take decides"; the bound is first. */
static void add_bound(const roof_reconciled *e, remarks *lines)
{
    static const struct {
        const char *words, *advice;
    } kinds[ROOF_PHASE_KINDS] = {
        [ROOF_PHASE_UNDECLARED] = {"not known", "whose time the rest is would decide"},
        [ROOF_PHASE_ACCELERATOR] = {"accelerator", "what its layers take decides"},
        [ROOF_PHASE_TRANSFER] = {"transfers",
                                 "share buffers, move less, or move it while the accelerator runs"},
        [ROOF_PHASE_HOST] = {"host", "look at its processing and launches; faster layers help little"}};
    const roof_run *run = phased_run(e);
    const roof_phase_kind bound = run ? phases_bound(run) : ROOF_PHASE_UNDECLARED;
    const roof_phase_kind order[] = {bound ? bound : ROOF_PHASE_ACCELERATOR, ROOF_PHASE_ACCELERATOR,
                                     ROOF_PHASE_TRANSFER, ROOF_PHASE_HOST, ROOF_PHASE_UNDECLARED};
    const char *list = "";
    if (!run || !e->wall.of)
        return;
    phase_sums sums = phases_sum(run);
    double *of_s = sums.of_s, known_s = NAN;
    for (int kind = ROOF_PHASE_ACCELERATOR; kind < ROOF_PHASE_KINDS; kind++)
        known_s = add_if_known(known_s, of_s[kind]);
    if (isnan(known_s))
        return;
    of_s[ROOF_PHASE_UNDECLARED] = fmax(0, e->wall.total_s - known_s);
    for (size_t i = 0; i < N_OF(order); i++) {
        double share = of_s[order[i]] / e->wall.total_s;
        of_s[order[i]] = NAN; /* told */
        if (!isnan(share))
            list = say_more(lines->arena, list, "%s %s", kinds[order[i]].words,
                            say_percent(lines->arena, share));
    }
    remarks_add(lines, "bound by", "%s: %s", list, kinds[bound].advice);
}

/* "conv 41 % (3), conv+dw 30 % (7) and 2 more kinds" */
static void add_kinds(const roof_reconciled *e, const char *label, remarks *lines)
{
    enum { MOST = 8 };
    const char *list = "", *rest = "";
    if (e->n_types == 1 && strcmp(e->types[0].type, "(not known)") == 0)
        return;
    for (uint32_t i = 0; i < e->n_types && i < MOST; i++)
        list = say_more(lines->arena, list, "%s %s (%u)", e->types[i].type,
                        say_percent(lines->arena, e->types[i].time_share_ratio), e->types[i].layers);
    if (e->n_types > MOST)
        rest = say_printf(lines->arena, " and %u more kinds", e->n_types - MOST);
    remarks_add(lines, label, "%s%s", list, rest);
}

/* "write 4.0 %, run 95.5 %, read 0.4 % of 1126.000 ms": of calls that say all three, without the rest. */
static void add_call_parts(const roof_reconciled *e, remarks *lines)
{
    double write_s = 0, run_s = 0, read_s = 0;
    for (uint32_t i = 0; e->layer_run && i < e->layer_run->n_layers; i++) {
        const roof_measured_layer *row = &e->layer_run->layers[i];
        const roof_layer_counters *c = row->counters;
        if (!c || isnan(c->write_s + c->run_s + c->read_s))
            continue;
        write_s += row_executions(row) * c->write_s;
        run_s += row_executions(row) * c->run_s;
        read_s += row_executions(row) * c->read_s;
    }
    const double all_s = write_s + run_s + read_s;
    roof_arena *arena = lines->arena;
    if (all_s > 0)
        remarks_add(lines, "calls", "write %s, run %s, read %s of %.3f ms",
                    say_percent(arena, write_s / all_s), say_percent(arena, run_s / all_s),
                    say_percent(arena, read_s / all_s), 1e3 * all_s);
}

/* "180 in an inference; 168 share a call with others: at 10.0 to 12.0 us each (launch.chained of npu2) they
 * take 1.680 to 2.016 ms, 0.4 %". */
static void add_stitched(const roof_reconciled *e, remarks *lines)
{
    const launch_counts n = experiment_launches(e);
    const double *each_s = e->row_launch_s, most_s = n.shared * each_s[1];
    roof_arena *arena = lines->arena;
    if (isnan(n.all))
        return;
    const char *each = say_printf(arena, "up to %.1f us", 1e6 * each_s[1]),
               *all = say_printf(arena, "up to %.3f ms", 1e3 * most_s);
    if (each_s[0] > 0) {
        each = say_printf(arena, "%.1f to %.1f us", 1e6 * each_s[0], 1e6 * each_s[1]);
        all = say_printf(arena, "%.3f to %.3f ms", 1e3 * n.shared * each_s[0], 1e3 * most_s);
    }
    if (e->row_launch_source)
        remarks_add(lines, "launches",
                    "%.0f in an inference; %.0f share a call with others: at %s each (%s) they take %s, %s",
                    n.all, n.shared, each, e->row_launch_source, all,
                    say_percent(arena, quotient_of(most_s, roof_layered_seconds(e))));
    else
        remarks_add(lines, "launches", "%.0f in an inference; what one takes is unknown", n.all);
}

void reconcile_view_lines(const roof_reconciliation *r, const roof_reconciled *e, line_scope scope,
                          remarks *lines)
{
    const bool is_brief = scope != LINES_ALL;
    add_run_lines(r, e, scope == LINES_BRIEF, lines);
    busy_add_line(e, lines);
    /* "host 13.1 % (2.100 ms), in no phase 6.3 % (1.000 ms) of 16.000 ms" */
    roof_arena *arena = lines->arena;
    const char *list = "";
    double rest_s = fabs(e->wall.unattributed_s) < 0.5e-6 ? 0 : e->wall.unattributed_s; /* no "-0.000" */
    for (uint32_t i = 0; e->wall.of && i < e->wall.n_parts; i++)
        list = say_more(arena, list, "%s %s (%.3f ms)", e->wall.parts[i].name,
                        say_percent(arena, e->wall.parts[i].share_ratio), 1e3 * e->wall.parts[i].seconds);
    if (e->wall.of)
        remarks_add(lines, "phases", "%s%sin no phase %s (%.3f ms) of %.3f ms", list, *list ? ", " : "",
                    say_percent(arena, quotient_of(rest_s, e->wall.total_s)), 1e3 * rest_s,
                    1e3 * e->wall.total_s);
    add_call_parts(e, lines);
    if (!is_brief)
        add_stitched(e, lines);
    const roof_run *run = run_of(e);
    if (!is_brief && run && run->memory_bytes != ROOF_UNKNOWN)
        remarks_add(lines, "allocated", "at most %s at once",
                    say_quantity(lines->arena, (double)run->memory_bytes, "B"));
    add_bound(e, lines);
    /* where most of the time is in layers that it does not list, the kinds of the others say little */
    bool is_mostly_absent = e->n_types && strcmp(e->types[0].type, "(not listed)") == 0;
    if (scope != LINES_BRIEF || !is_mostly_absent)
        add_kinds(e, scope == LINES_OF_MARKDOWN ? "by layer type" : "by kind", lines);
    if (e->total.bytes_compared && !is_brief)
        remarks_add(lines, "DDR", "memory traffic of %u of %u layers equals the prediction (%llu B)",
                    e->total.bytes_agree, e->total.bytes_compared,
                    (unsigned long long)e->total.bytes_resolution);
    if (e->total.static_bytes_compared && !is_brief)
        remarks_add(lines, "static bytes",
                    "memory traffic of %u of %u layers equals the prediction (%llu B), but the tool computed "
                    "it from the model",
                    e->total.static_bytes_agree, e->total.static_bytes_compared,
                    (unsigned long long)e->total.bytes_resolution);
    uint32_t i = (uint32_t)(e - r->experiments);
    char text[ROOF_SENTENCE_SIZE];
    if (scope != LINES_BRIEF &&
        (is_brief || r->n_experiments > 1) && /* of a single model it is in the statistics */
        roof_sentence(r, ROOF_SENTENCE_SPLIT, i, text))
        remarks_add(lines, "split", "%s", text);
    if (!isnan(e->boundary_cost_s) && !is_brief)
        remarks_add(lines, "correction", "%.4f ms subtracted per boundary: %s", 1e3 * e->boundary_cost_s,
                    roof_sentence(r, ROOF_SENTENCE_BOUNDARY, i, text));
}

/* --- causes ------------------------------------------------------------------------------------------- */

static const char *name_of_match(const void *of, uint32_t unit)
{
    const roof_reconciled *e = of;
    return prediction_name_without(prediction_name_prefix(e->prediction), e->matches[unit].name);
}

void reconcile_view_causes(const roof_reconciliation *r, uint32_t most, remarks *lines)
{
    cause_source *sources = NEW_ARRAY(lines->arena, cause_source, r->n_experiments);
    for (uint32_t i = 0; sources && i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
        sources[i] =
            (cause_source){e->causes,
                           e->n_causes,
                           r->n_experiments > 1 ? reconcile_name_on_hardware(r, e, lines->arena) : "",
                           {name_of_match, e, NULL, NULL}};
    }
    if (sources)
        cause_lines_add(sources, r->n_experiments, most, lines);
}
