/* About how long the CPU takes for what it runs: by kind and size of its operators, where the entry of the
 * hardware has a time of the kind (host_op.KIND.*). A hint within a factor of two, and so in no sum of the
 * prediction: docs/hardware/neural_art.md, "What runs on the CPU". */
#include "model/predict/predictor.h"
#include "model/work/host_ops.h"

#include <ctype.h>

/* Shares are looked for by name: the last one is of all further kinds. */
enum { MOST_SHARES = 64 };

/* No tensor is larger, nor can a document say so. */
#define MOST_COUNT (1ULL << 53)

typedef enum host_state { HOST_UNKNOWN, HOST_SMALL, HOST_TIMED } host_state;

/* --- the time of one operator --------------------------------------------------------------------------- */

/* NaN: the entry does not say. */
static double entry_value(const predictor *p, const host_kind *kind, const char *name)
{
    return hw_view_value(&p->view, NAN, "host_op.%.40s.%.20s", kind->key, name);
}

/* Seconds of one element, byte or tap. NaN: unknown. */
static double seconds_each(const predictor *p, const host_kind *kind)
{
    const double seconds = entry_value(p, kind, "seconds"), cycles = entry_value(p, kind, "cycles");
    const double clock_hz = hw_view_value(&p->view, NAN, "mcu.clock");
    if (!isnan(seconds))
        return seconds;
    return clock_hz > 0 ? cycles / clock_hz : NAN;
}

/* True if the time is stated for rows of this length. A time that states no length is for all. */
static bool fits_rows(const predictor *p, const host_kind *kind, uint64_t cells)
{
    const double least = entry_value(p, kind, "row_least"), most = entry_value(p, kind, "row_most");
    if (isnan(least) && isnan(most))
        return true;
    return cells != ROOF_UNKNOWN && !((double)cells < least) && !((double)cells > most);
}

/* Rows of odd length are copied cell by cell: a kind of their own, where it has a time. */
static host_kind_id kind_for(const predictor *p, const host_facts *facts)
{
    const host_kind_id id = host_kind_of_type(facts->op.type);
    const bool is_odd = facts->op.row_cells != ROOF_UNKNOWN && facts->op.row_cells % 2;
    const host_kind *odd = host_kind_of(HOST_KIND_CONCAT_ODD_ROWS);
    if (id == HOST_KIND_CONCAT && is_odd && !isnan(seconds_each(p, odd)) &&
        fits_rows(p, odd, facts->op.row_cells))
        return HOST_KIND_CONCAT_ODD_ROWS;
    return id;
}

static host_state time_of(const predictor *p, const host_kind *kind, const host_facts *facts, uint64_t count,
                          double *seconds)
{
    const double each_s = seconds_each(p, kind);
    if (isnan(each_s) || count > MOST_COUNT || !fits_rows(p, kind, facts->op.row_cells))
        return HOST_UNKNOWN;
    if ((double)count < entry_value(p, kind, "least"))
        return HOST_SMALL;
    *seconds = each_s * (double)count;
    return HOST_TIMED;
}

/* --- sums ----------------------------------------------------------------------------------------------- */

static roof_status share_named(predictor *p, const char *kind, const char *unit, roof_host_share **out)
{
    roof_prediction *all = p->out;
    uint32_t i = NAMED_AT(all->host.shares, all->host.n_shares, kind, kind);
    if (i == MOST_SHARES)
        i--;
    if (i == all->host.n_shares) {
        TRY(ARENA_MORE(p->arena, all->host.shares, all->host.n_shares, p->err));
        const bool is_last = i + 1 == MOST_SHARES;
        all->host.shares[all->host.n_shares++] = (roof_host_share){
            .kind = is_last ? "other kinds" : arena_strdup(p->arena, kind), .unit = unit, .about_s = NAN};
        TRY(arena_status(p->arena, p->err));
    }
    *out = &all->host.shares[i];
    return ROOF_OK;
}

/* Adds an operator that one inference executes so many times; size and time are of a whole batch. */
static roof_status add_op(predictor *p, const host_facts *facts, uint32_t times, host_state *state,
                          double *seconds)
{
    const host_kind_id id = kind_for(p, facts);
    const host_kind *kind = id < HOST_KINDS ? host_kind_of(id) : NULL;
    const uint64_t count = kind ? host_count(facts, kind->measure) : ROOF_UNKNOWN;
    char name[48];
    roof_host_share *share;
    *state = kind ? time_of(p, kind, facts, count, seconds) : HOST_UNKNOWN;
    /* "matmul" of "MatMul", as a kind is shown that has no time */
    snprintf(name, sizeof name, "%.40s", facts->op.type);
    name[utf8_first_bad(name, strlen(name))] = '\0'; /* a character that was cut */
    for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    TRY(share_named(p, kind ? kind->words : name, kind ? kind->unit : "", &share));
    uint64_t *n = *state == HOST_TIMED   ? &share->timed
                  : *state == HOST_SMALL ? &share->small
                                         : &share->unknown;
    checked all = {count, __builtin_add_overflow(*n, times, n)};
    if (*state == HOST_TIMED) {
        all = checked_plus(checked_times(checked_times(all, times), p->fit.batch), share->count);
        share->count = all.value;
        share->about_s = (isnan(share->about_s) ? 0 : share->about_s) + *seconds * times * p->fit.batch;
    }
    return all.overflow ? error_set(p->err, ROOF_E_LIMIT, "what the host works on overflows 64 bits")
                        : ROOF_OK;
}

/* The time of a row is known where that of each of its operators is. */
static roof_status add_row(predictor *p, const roof_row *row, roof_layer_prediction *layer)
{
    const roof_graph *g = p->program.graph;
    const uint32_t n = row->host ? 1 : row->work.n_demands;
    double sum = 0;
    bool is_known = n > 0;
    for (uint32_t i = 0; i < n; i++) {
        double seconds = NAN;
        host_state state;
        host_facts facts;
        if (row->host) {
            facts = (host_facts){*row->host, .taps = ROOF_UNKNOWN, .macs = ROOF_UNKNOWN};
            facts.op.type = facts.op.type ? facts.op.type : row->n_ops ? row->type : "unnamed";
        } else {
            /* names of memory, and what is there before an inference, take no time; of what cannot run none
             * is known */
            const roof_op *op = &g->ops[row->work.demands[i].op];
            if (op->rule == ROOF_RULE_CONSTANT || op->rule == ROOF_RULE_INPUT ||
                op->rule == ROOF_RULE_MISFIT ||
                (op->rule == ROOF_RULE_ALIAS && host_kind_of_type(op->type) == HOST_KINDS))
                continue;
            facts = host_facts_of_demand(g, &row->work.demands[i]);
        }
        TRY(add_op(p, &facts, row->repeat, &state, &seconds));
        is_known = is_known && state == HOST_TIMED;
        sum += seconds;
    }
    if (is_known && sum > 0)
        layer->about_s = number_as_derived(sum * p->fit.batch);
    return ROOF_OK;
}

roof_status predictor_host_rows(predictor *p)
{
    double sum = 0;
    p->out->host.about_s = p->out->host.about_ci_s[0] = p->out->host.about_ci_s[1] = NAN;
    p->out->host.n_shares = 0;
    for (uint32_t i = 0; i < p->out->n_layers; i++) {
        const roof_row *row = &p->program.rows[i];
        roof_layer_prediction *layer = &p->out->layers[i];
        layer->about_s = NAN;
        if (row->executor == ROOF_BY_HOST ? roof_layer_is_left_out(p->out, layer)
                                          : row->executor == ROOF_BY_BOTH && row->host)
            TRY(add_row(p, row, layer));
    }
    if (!p->out->host.n_shares)
        return ROOF_OK;
    /* The longest first; those without a time by name. */
    order_sort(p->out->host.shares, p->out->host.n_shares, sizeof *p->out->host.shares,
               ORDER_BY(FALLING(roof_host_share, about_s), RISING(roof_host_share, kind)));
    FOR_EACH(roof_host_share, share, p->out->host.shares, p->out->host.n_shares) {
        share->about_s = number_as_derived(share->about_s);
        sum += isnan(share->about_s) ? 0 : share->about_s;
    }
    if (sum > 0) {
        p->out->host.about_s = number_as_derived(sum);
        p->out->host.about_ci_s[0] = number_as_derived(sum / ROOF_HOST_FACTOR);
        p->out->host.about_ci_s[1] = number_as_derived(sum * ROOF_HOST_FACTOR);
    }
    return ROOF_OK;
}
