/* Epochs in the layout of npu_profiler.py (ST, "How to profile a deployed model"): its two blocks, one for
 * each epoch and one for the whole model, with its words, units and digits. A part [roofline] beside each has
 * what that tool does not print. Unknown values stand in angle brackets, as that tool prints them.
 *
 * The importer reads the blocks again: an empty line ends one before [roofline]. */
#include "model/graph/format.h"
#include "measure/profile/counter.h"
#include "measure/matches/match_facts.h"
#include "reports/tables/reconcile/epoch_tables.h"
#include "reports/renderers/renderer.h"

typedef struct profile {
    const roof_reconciled *of;
    const roof_epochs *epochs;
    const roof_run *run;
    roof_arena *arena;
    textbuf *out;
} profile;

static const char *const phases[ROOF_EPOCH_PHASES] = {"pre", "core", "post"};

/* ---- numbers and lines ---- */

/* "34.65", "?" */
static const char *number(const profile *p, double value, int digits)
{
    return say_number(p->arena, value, digits);
}

static const char *count(const profile *p, uint64_t value)
{
    return number(p, known_count(value), 0);
}

/* "1.06 GB/s", as the profiler says it. */
static const char *rate(const profile *p, double bytes_per_s)
{
    static const char *const units[] = {"B/s", "KB/s", "MB/s", "GB/s"};
    int i = 0;
    for (; i < 3 && bytes_per_s >= 1000; i++)
        bytes_per_s /= 1000;
    return say_printf(p->arena, "%s %s", number(p, bytes_per_s, i ? 2 : 0), units[i]);
}

static void put_key(const profile *p, const char *key)
{
    size_t length = strlen(key);
    text_puts(p->out, "  ");
    text_shown(p->out, key);
    text_printf(p->out, "%*s: ", length < 23 ? 23 - (int)length : 0, "");
}

/* Text that comes from a file is shown as plain text. */
static void ROOF_PRINTF(3, 4) put_line(const profile *p, const char *key, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = text_or_empty(arena_vprintf(p->arena, format, args));
    va_end(args);
    put_key(p, key);
    text_shown(p->out, text);
    text_puts(p->out, "\n");
}

static double percent(double part, double whole)
{
    return 100 * quotient_of(part, whole);
}

static double core_cycles(const profile *p, const roof_measured_epoch *e)
{
    return e->core_s * p->epochs->npu_hz;
}

/* ---- [compiler] ---- */

/* "{'hw.conv': 4, 'hw.mul': 1}" */
static bool put_dictionary(const profile *p, const char *key, const roof_measured_epoch *e,
                           roof_counter_scope scope)
{
    bool any = false;
    FOR_EACH(const roof_event, w, e->events, e->n_events) {
        if (w->scope != scope || w->origin != ROOF_COUNTER_PLANNED)
            continue;
        if (!any)
            put_key(p, key);
        text_puts(p->out, any ? ", '" : "{'");
        text_shown(p->out, w->name ? w->name : "?");
        text_printf(p->out, "': %llu", (unsigned long long)w->count);
        any = true;
    }
    text_puts(p->out, any ? "}\n" : "");
    return any;
}

static bool has_estimates(const roof_measured_epoch *e)
{
    return e->ops_count != ROOF_UNKNOWN && e->compute_cycles != ROOF_UNKNOWN &&
           e->vendor_cycles != ROOF_UNKNOWN;
}

/* The operators of the plan, where the profile has no operations: "{'Conv': 4, 'Mul': 1}". */
static bool put_operators(const profile *p, const char *key, const roof_measured_epoch *e)
{
    enum { MOST = 64 };
    const roof_match *u = NULL; /* of the epoch's row, which may have none of its own */
    const char *names[MOST];
    uint32_t counts[MOST], n = 0;
    for (uint32_t i = 0; p->of->prediction && e->row && i < p->of->n_matches && !u; i++) {
        const roof_match *match = &p->of->matches[i];
        u = match->n_rows == 1 && match->n_layers && match_row(p->of, match, 0) == e->row ? match : NULL;
    }
    for (uint32_t i = 0; u && i < u->n_layers; i++) {
        const roof_layer_prediction *l = match_layer(p->of, u, i);
        for (uint32_t k = 0; k < l->n_ops; k++) {
            const uint32_t at = WORD_AT(names, n, l->ops[k]);
            if (at == MOST)
                continue;
            names[at] = l->ops[k];
            counts[at] = at == n ? 1 : counts[at] + 1;
            n += at == n;
        }
    }
    if (n)
        put_key(p, key);
    for (uint32_t i = 0; i < n; i++) {
        text_puts(p->out, i ? ", '" : "{'");
        text_shown(p->out, names[i]);
        text_printf(p->out, "': %u", counts[i]);
    }
    text_puts(p->out, n ? "}, operators of the model's plan\n" : "");
    return n > 0;
}

static void put_compiler(const profile *p, const roof_measured_epoch *e)
{
    text_puts(p->out, "  [compiler]\n");
    if (e->type)
        put_line(p, "epoch type", "EpochType.%s", e->type);
    if (!put_dictionary(p, "operations", e, ROOF_COUNTER_OPERATION) && !put_operators(p, "operations", e))
        put_line(p, "operations", "<no-info available from the compiler>");
    (void)put_dictionary(p, "processor units", e, ROOF_COUNTER_UNIT);
    if (has_estimates(e)) {
        put_line(p, "ops", "%s", count(p, e->ops_count));
        put_line(p, "compute cycles", "%s (max_cycles=%s)", count(p, e->compute_cycles),
                 count(p, e->vendor_cycles));
        if (!epoch_is_hosts(e))
            put_line(p, "ops/cycle", "%s GOPS (ideal=%s)", number(p, e->vendor_ops_per_s / 1e9, 1),
                     number(p, e->ideal_ops_per_s / 1e9, 1));
        for (uint32_t i = 0; i < e->n_pools; i++) {
            const roof_flow *f = &e->pools[i];
            if (!i)
                put_key(p, "mem accesses");
            text_puts(p->out, i ? " [" : "[");
            text_shown(p->out, f->name);
            text_printf(p->out, ": r=%s, w=%s]", count(p, f->read_bytes), count(p, f->write_bytes));
        }
        text_puts(p->out, e->n_pools ? "\n" : "");
    }
}

/* ---- [target] ---- */

/* clock: " (mcu_freq=800MHz)", or "". */
static void put_phase_line(const profile *p, const char *key, const uint64_t c[ROOF_EPOCH_PHASES],
                           const char *clock)
{
    double ms[ROOF_EPOCH_PHASES], all = 0;
    for (int i = 0; i < ROOF_EPOCH_PHASES; i++) {
        ms[i] = 1e3 * (known_count(c[i]) / p->epochs->mcu_hz);
        all += known_count(c[i]);
    }
    put_line(p, key, "[%s, %s, %s] -> %s,%s,%s ms%s, %sms", count(p, c[0]), count(p, c[1]), count(p, c[2]),
             number(p, ms[0], 3), number(p, ms[1], 3), number(p, ms[2], 3), clock,
             number(p, 1e3 * (all / p->epochs->mcu_hz), 3));
}

/* The difference as that tool has it: relative to the core's own cycles. */
static void put_core(const profile *p, const roof_measured_epoch *e)
{
    double cycles = known_count(e->npu_cycles[ROOF_PHASE_CORE]),
           more = cycles - known_count(e->vendor_cycles);
    const char *difference = "";
    if (epoch_is_hosts(e)) {
        put_line(p, "npu cycles", "n.a.");
        return;
    }
    if (isnan(cycles))
        return;
    if (!isnan(more))
        difference = say_printf(p->arena, " diff. vs max_cycles from compiler: %s (%s%%)", number(p, more, 0),
                                number(p, percent(more, cycles), 2));
    put_line(p, "core npu cycles", "%s -> %s ms (npu_freq=%sMHz)%s", number(p, cycles, 0),
             number(p, 1e3 * e->core_s, 3), number(p, floor(p->epochs->npu_hz / 1e6), 0), difference);
}

/* "10.59% (core only: 34.65%)"; without what the compiler planned, what that tool says. */
static void put_ratio(const profile *p, const char *key, const roof_measured_epoch *e)
{
    if (isnan(e->compute_ratio) && isnan(e->core_compute_ratio))
        put_line(p, key, "<no compute cycles available>");
    else
        put_line(p, key, "%s%% (core only: %s%%)", number(p, 100 * e->compute_ratio, 2),
                 number(p, 100 * e->core_compute_ratio, 2));
}

/* between: what stands before the rate of the core. */
static void put_ops(const profile *p, const char *key, const roof_measured_epoch *e, const char *between)
{
    if (isnan(e->measured_ops_per_s) && isnan(e->core_ops_per_s))
        put_line(p, key, "<no ops available>");
    else
        put_line(p, key, "%s GOPS%s%s)", number(p, e->measured_ops_per_s / 1e9, 1), between,
                 number(p, e->core_ops_per_s / 1e9, 1));
}

static bool flows(const roof_flow *f)
{
    return f->read_bytes != ROOF_UNKNOWN && f->write_bytes != ROOF_UNKNOWN;
}

static const char *bytes(const profile *p, const roof_flow *f)
{
    return say_printf(p->arena, "r=%-10llu w=%-10llu", (unsigned long long)f->read_bytes,
                      (unsigned long long)f->write_bytes);
}

/* An epoch has the peak alone. */
static void put_pool(const profile *p, const char *key, const roof_flow *f, bool is_final)
{
    const char *average = "";
    if (is_final)
        average = say_printf(p->arena, " (peak), %s (average)", rate(p, f->average_bytes_per_s));
    if (flows(f))
        put_line(p, key, "%s -> %s%s", bytes(p, f), rate(p, f->peak_bytes_per_s), average);
}

static void put_pools(const profile *p, const roof_measured_epoch *e, const char *sum, bool is_final)
{
    for (uint32_t i = 0; i < e->n_pools; i++)
        put_pool(p, e->pools[i].name, &e->pools[i], is_final);
    if (e->n_pools)
        put_pool(p, sum, &e->all_pools, is_final);
}

static void put_buses(const profile *p, const roof_measured_epoch *e)
{
    for (uint32_t i = 0; i < ROOF_BUS_INTERFACES; i++) {
        if (!flows(&e->buses[i]))
            continue;
        put_key(p, e->buses[i].name);
        text_puts(p->out, bytes(p, &e->buses[i]));
        for (int way = ROOF_COUNTER_READ; way <= ROOF_COUNTER_WRITE; way++) {
            uint64_t n[4];
            epoch_bursts(e, i, (roof_counter_direction)way, n);
            text_printf(p->out, " %cburst[1,2,4,8]x8=(%s,%s,%s,%s)", way == ROOF_COUNTER_WRITE ? 'w' : 'r',
                        count(p, n[0]), count(p, n[1]), count(p, n[2]), count(p, n[3]));
        }
        text_printf(p->out, " -> %s\n", rate(p, e->buses[i].peak_bytes_per_s));
    }
    put_pool(p, e->all_buses.name, &e->all_buses, false);
}

/* "STRENG.1.i: busif=0, 5845 cycles, [npuRAM5:12544], 44%"; that tool prints the mean of both directions as
 * "i" where it does not separate them, and here it is "io". */
static void put_streams(const profile *p, const roof_measured_epoch *e)
{
    static const char *const ways[] = {
        [ROOF_COUNTER_UNDIRECTED] = "io", [ROOF_COUNTER_READ] = "i", [ROOF_COUNTER_WRITE] = "o"};
    if (e->busiest_stream == ROOF_NONE)
        return;
    put_line(p, "strg engines", "%s%% (id=%u)", number(p, 100 * e->busiest_stream_ratio, 2),
             e->busiest_stream);
    for (stream_use s = {0}; epoch_next_stream(e, &s, p->arena);) {
        const char *buffers = text_or_empty(s.buffers);
        p->out->failed = p->out->failed || !s.buffers; /* without memory the text is not to be used */
        if (s.cycles != ROOF_UNKNOWN)
            put_line(p, " active", "STRENG.%u.%s: busif=%u, %s cycles, %s%s%s, %s%%", s.engine, ways[s.way],
                     s.interface, count(p, s.cycles), *buffers ? "[" : "",
                     *buffers ? buffers : "<no-data-size info>", *buffers ? "]" : "",
                     number(p, percent((double)s.cycles, core_cycles(p, e)), 0));
    }
}

static void put_cache(const profile *p, const roof_measured_epoch *e)
{
    uint64_t r[4], w[4];
    bool reads = epoch_cache(e, ROOF_COUNTER_READ, r), writes = epoch_cache(e, ROOF_COUNTER_WRITE, w);
    if (reads || writes)
        put_line(p, "NPU cache cnts",
                 "R[hit=%s, miss=%s, alloc-miss=%s, evict=%s], W[hit=%s, miss=%s, alloc-miss=%s, through=%s]",
                 count(p, r[0]), count(p, r[1]), count(p, r[2]), count(p, r[3]), count(p, w[0]),
                 count(p, w[1]), count(p, w[2]), count(p, w[3]));
}

static void put_target(const profile *p, const roof_measured_epoch *e)
{
    double whole_s = p->epochs->is_part ? p->run->total.mean_s : p->epochs->total.total_s;
    text_puts(p->out, "  [target]\n");
    put_line(p, "duration", "%sms (%s%%) total=%sms", number(p, 1e3 * e->total_s, 3),
             number(p, 100 * e->time_share_ratio, 1), number(p, 1e3 * whole_s, 3));
    /* Cycles of the epochs that the runtime put behind this one stand apart, if the profile states them. */
    uint64_t own[ROOF_EPOCH_PHASES], extra[ROOF_EPOCH_PHASES];
    bool has_extra = true;
    for (int i = 0; i < ROOF_EPOCH_PHASES; i++) {
        extra[i] = epoch_count(e, (roof_event){.scope = ROOF_COUNTER_EXTRA,
                                               .quantity = ROOF_COUNTER_ACTIVE_CYCLES,
                                               .name = phases[i]});
        has_extra = has_extra && extra[i] != ROOF_UNKNOWN && e->mcu_cycles[i] != ROOF_UNKNOWN &&
                    extra[i] <= e->mcu_cycles[i];
        own[i] = e->mcu_cycles[i] - extra[i];
    }
    put_phase_line(p, "mcu cycles", has_extra ? own : e->mcu_cycles,
                   say_printf(p->arena, " (mcu_freq=%sMHz)", number(p, floor(p->epochs->mcu_hz / 1e6), 0)));
    if (has_extra) {
        put_phase_line(p, "extra mcu", extra, "");
        put_phase_line(p, "total mcu", e->mcu_cycles, "");
    }
    put_core(p, e);
    if (!epoch_is_hosts(e))
        put_ratio(p, "compute cycles ratio", e);
    put_buses(p, e);
    if (!epoch_is_hosts(e))
        put_ops(p, "ops/cycle", e, " (core only: ");
    put_streams(p, e);
    put_cache(p, e);
    put_pools(p, e, "total", false);
}

/* ---- [roofline] ---- */

/* "pre 18859 (54.33%), core 10599 (30.53%), post 5253 (15.13%), all 34711 cycles" */
static void put_shares(const profile *p, const char *key, const uint64_t cycles[ROOF_EPOCH_PHASES],
                       double all_cycles, const char *note)
{
    put_key(p, key);
    for (int i = 0; i < ROOF_EPOCH_PHASES; i++) {
        double share = percent(known_count(cycles[i]), all_cycles);
        text_printf(p->out, "%s %s", phases[i], count(p, cycles[i]));
        text_printf(p->out, isnan(share) ? ", " : " (%.2f%%), ", share);
    }
    text_printf(p->out, "all %s cycles%s\n", number(p, all_cycles, 0), note);
}

/* "core 13300, ideal 11520: +1780 cycles, +13.38% of the core, +15.45% of the ideal" */
static void put_difference(const profile *p, const char *key, double cycles, double than, const char *word)
{
    if (isnan(cycles) || isnan(than))
        return;
    put_key(p, key);
    text_printf(p->out, "core %.0f, %s %.0f: %+.0f cycles", cycles, word, than, cycles - than);
    if (cycles > 0)
        text_printf(p->out, ", %+.2f%% of the core", percent(cycles - than, cycles));
    if (than > 0)
        text_printf(p->out, ", %+.2f%% of the %s", percent(cycles - than, than), word);
    text_puts(p->out, "\n");
}

static void put_use(const profile *p, const roof_flow *f)
{
    const char *use = "";
    if (isnan(f->average_bytes_per_s))
        return;
    if (!isnan(f->use_ratio))
        use = say_printf(p->arena, " (%s%% of its rate)", number(p, 100 * f->use_ratio, 2));
    put_line(p, f->name, "%s in the core phase%s, %s over all phases", rate(p, f->peak_bytes_per_s), use,
             rate(p, f->average_bytes_per_s));
}

static void put_ours(const profile *p, const roof_measured_epoch *e)
{
    double core = core_cycles(p, e),
           vendor = isnan(e->vendor_error_ratio) ? NAN : known_count(e->vendor_cycles);
    text_puts(p->out, "\n  [roofline]\n");
    put_shares(p, "mcu phases", e->mcu_cycles, round(e->total_s * p->epochs->mcu_hz), "");
    put_shares(p, "npu phases", e->npu_cycles, known_count(e->npu_total_cycles),
               e->npu_total_is_converted ? " (partly converted from the MCU's)" : "");
    put_difference(p, "core vs compiler", core, vendor, "estimate");
    put_difference(p, "core vs ideal", core, e->ideal_s * p->epochs->npu_hz, "ideal");
    for (uint32_t i = 0; i < e->n_pools; i++)
        put_use(p, &e->pools[i]);
    for (int i = 0; i < ROOF_BUS_INTERFACES; i++)
        put_use(p, &e->buses[i]);
    put_use(p, &e->all_buses);
    if (e->nearest)
        put_line(p, "nearest its peak", "%s, %s%%", e->nearest, number(p, 100 * e->nearest_ratio, 1));
    if (p->of->prediction &&
        epoch_count(e, (roof_event){.scope = ROOF_COUNTER_PROGRAM,
                                    .quantity = ROOF_COUNTER_OPS,
                                    .origin = ROOF_COUNTER_PLANNED}) == ROOF_UNKNOWN &&
        has_estimates(e))
        put_line(p, "compiler's figures", "from the model, not from the profile");
}

static const char rule[] = "  ------------------------------------------------------------\n";

/* ---- the second block: the whole model ---- */

static void put_final(const profile *p)
{
    const roof_measured_epoch *t = &p->epochs->total;
    text_printf(p->out, "%s  Final part (entire model)\n%s\n", rule, rule);
    if (p->epochs->is_part) {
        text_printf(p->out, "  The profile lists %u epochs, not all of the model: nothing is added up.\n\n",
                    p->epochs->n_rows);
        return;
    }
    if (has_estimates(t)) {
        const roof_epochs *e = p->epochs;
        text_puts(p->out, "  Compiler\n");
        put_line(p, " cycles", "%s (total max_cycles)", count(p, t->vendor_cycles));
        put_line(p, " ideal cycles", "%s (total compute_cycles)", count(p, t->compute_cycles));
        put_line(p, " ops", "%s", count(p, t->ops_count));
        put_line(p, " ops/cycle", "%s", number(p, floor(t->vendor_ops_per_s / p->epochs->npu_hz), 0));
        put_line(p, " inf/s", "%s (based on estimated total max_cycles)",
                 number(p, e->vendor_inferences_per_s, 1));
        put_line(p, " ideal ops/cycle", "%s", number(p, floor(t->ideal_ops_per_s / p->epochs->npu_hz), 0));
        put_line(p, " ideal inf/s", "%s", number(p, e->ideal_inferences_per_s, 1));
    }
    static const char *const printed[ROOF_EPOCH_PHASES] = {"mcu_pre", "mcu_core", "mcu_post"};
    double all = t->total_s * p->epochs->mcu_hz, shares[ROOF_EPOCH_PHASES];
    for (int i = 0; i < ROOF_EPOCH_PHASES; i++) { /* as counted, else as the tool printed it */
        const roof_event share = {
            .scope = ROOF_COUNTER_UNIT, .quantity = ROOF_COUNTER_RATE_PPM, .name = printed[i]};
        shares[i] = percent(known_count(t->mcu_cycles[i]), all);
        if (isnan(shares[i]))
            shares[i] = known_count(counter_find(p->run->events, p->run->n_events, &share)) / 1e4;
    }
    text_puts(p->out, "  Measured\n");
    put_line(p, " total duration", "%sms, npu_core:%sms (%s%%), mcu_cycles=[%s, %s, %s]%%",
             number(p, 1e3 * t->total_s, 3), number(p, 1e3 * t->core_s, 3),
             number(p, percent(t->core_s, t->total_s), 2), number(p, shares[0], 2), number(p, shares[1], 2),
             number(p, shares[2], 2));
    put_line(p, " mcu cycles", "%s (core only = %s)", number(p, round(all), 0),
             count(p, t->mcu_cycles[ROOF_PHASE_CORE]));
    put_line(p, " npu cycles", "%s (core only = %s)", count(p, t->npu_total_cycles),
             number(p, round(core_cycles(p, t)), 0));
    put_ops(p, " ops/cycle", t, " / including SW epochs (core only = ");
    put_line(p, " inf/s", "%s (%sms)", number(p, p->epochs->measured_inferences_per_s, 1),
             number(p, 1e3 * t->total_s, 3));
    put_ratio(p, " compute cycles ratio", t);
    text_puts(p->out, "\n  Memory bandwidth / inference\n");
    put_pools(p, t, "total r/w", true);
    if (!t->n_pools)
        put_line(p, " <mempool name>", "<no mempool info available>");
    put_ours(p, t);
    (void)put_dictionary(p, "operations", t, ROOF_COUNTER_OPERATION);
    (void)put_dictionary(p, "processor units", t, ROOF_COUNTER_UNIT);
    put_buses(p, t);
    put_streams(p, t);
    put_cache(p, t);
    text_puts(p->out, "\n");
}

/* ---- a model ---- */

static void put_model(const roof_reconciled *of, roof_arena *arena, textbuf *out)
{
    profile p = {.of = of, .epochs = of->epochs, .run = of->per_layer, .arena = arena, .out = out};
    text_puts(out, "Summary '");
    text_shown(out, of->model);
    text_puts(out, "'\n");
    if (!of->epochs) {
        text_puts(out, "  no epochs were profiled\n\n");
        return;
    }
    put_key(&p, "device.attrs");
    for (uint32_t i = 0; i < p.run->n_clocks; i++) {
        text_puts(p.out, i ? "," : "");
        text_shown(p.out, p.run->clocks[i].domain);
        text_printf(p.out, "_freq=%sMHz", number(&p, floor(p.run->clocks[i].hz / 1e6), 0));
    }
    text_puts(p.out, "\n");
    text_puts(out, p.epochs->n_rows ? "\nPer epoch\n" : "\n");
    FOR_EACH(const roof_measured_epoch, e, p.epochs->rows, p.epochs->n_rows) {
        numbered_rows range;
        uint64_t extra = epoch_count(e, (roof_event){.scope = ROOF_COUNTER_EXTRA});
        const char *title = e->name ? e->name : "?", *index = "";
        if (e->row->index && e->row->index != ROOF_NONE)
            index = say_printf(p.arena, "c_idx=%u, ", e->row->index - 1);
        if (e->name && graph_rows_named(e->name, &range) && !range.is_part)
            title = say_printf(p.arena, "EpochBlock_%u (%snum=%u:%u, c_type=%s, extra=%s)", range.first,
                               index, range.first, range.last, e->type ? e->type : "?",
                               extra == ROOF_UNKNOWN ? "0" : count(&p, extra));
        text_printf(p.out, "%s  ", rule);
        text_shown(p.out, title);
        text_printf(p.out, "\n%s", rule);
        put_compiler(&p, e);
        put_target(&p, e);
        put_ours(&p, e);
        text_puts(p.out, "\n");
    }
    put_final(&p);
}

void like_npu_profiler_put(const rendering *r)
{
    const roof_reconciliation *all = r->reconciliation;
    text_puts(r->out, "Epochs in the layout of npu_profiler.py (ST Edge AI Core); [roofline] has what that "
                      "tool does not print\n\n");
    for (uint32_t i = 0; i < all->n_experiments; i++)
        put_model(&all->experiments[i], r->arena, r->out);
}

roof_status like_check(const roof_reconciliation *r, const roof_render_options *options, roof_error *err)
{
    bool any = false;
    if (!options->like)
        return ROOF_OK;
    if (strcmp(options->like, "npu_profiler") != 0)
        return error_set(err, ROOF_E_USAGE, "--like: no layout '%.40s'; there is npu_profiler",
                         options->like);
    if (options->format && strcmp(options->format, "text") != 0)
        return error_set(err, ROOF_E_USAGE, "--like prints text, and not %.40s; leave one of the two out",
                         options->format);
    for (uint32_t i = 0; i < r->n_experiments; i++)
        any = any || r->experiments[i].epochs;
    return any ? ROOF_OK
               : error_data(err,
                            "no profile has the phases of a Neural-ART's epochs, want one of npu_profiler.py "
                            "or stedgeai validate");
}
