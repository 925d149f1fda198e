/* Rows of a prediction for a model whose compiler planned epochs: what it counts is taken as it is, and two laws are laid over
 * it, the compiler's own and that of the memories. */
#include "core/checked.h"
#include "core/error.h"
#include "core/quantity.h"
#include "model/predictor.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- texts of a row ---- */

/* A kind takes a byte and a '+' of the text, but for a first one without a name: no more have room. */
enum { TYPE_SIZE = 96, MOST_KINDS = TYPE_SIZE / 2 + 1 };

/* Kinds of an epoch's operators, in the order of their first one. */
typedef struct kind_list {
    const char *names[MOST_KINDS];
    uint32_t counts[MOST_KINDS], n;
} kind_list;

static void count_kind(kind_list *kinds, const char *name)
{
    uint32_t i = 0;
    while (i < kinds->n && strcmp(kinds->names[i], name) != 0)
        i++;
    if (i == MOST_KINDS)
        return;
    if (i == kinds->n)
        kinds->names[kinds->n++] = name;
    kinds->counts[i]++;
}

/* "4 conv + mul + 2 add" */
static const char *type_of(predictor *p, const roof_epoch *e)
{
    const roof_plan *plan = p->graph->plan; /* whose ops may be NULL, when no epoch has one */
    kind_list kinds = {.n = 0};
    char text[TYPE_SIZE] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < e->n_ops; i++)
        count_kind(&kinds, plan->ops[e->first_op + i].kind);
    for (uint32_t i = 0; i < kinds.n && used < sizeof text - 1; i++) {
        char count[16] = "";
        if (kinds.counts[i] > 1)
            snprintf(count, sizeof count, "%u", kinds.counts[i]);
        int wrote =
            snprintf(text + used, sizeof text - used, "%s%s%.40s", used ? "+" : "", count, kinds.names[i]);
        used = wrote < 0 || (size_t)wrote >= sizeof text - used ? sizeof text - 1 : used + (size_t)wrote;
    }
    for (char *c = text; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return row_share(p, used ? text : "epoch");
}

static const char *device_of(roof_epoch_kind kind)
{
    return kind == ROOF_EPOCH_SW ? "CPU" : kind == ROOF_EPOCH_HYBRID ? "NPU+CPU" : "NPU";
}

static roof_status set_texts(predictor *p, const roof_layer *layer, const roof_epoch *e,
                             roof_layer_prediction *row)
{
    const roof_plan *plan = p->graph->plan;
    row->name = arena_strdup(p->arena, layer->name);
    row->subgraph = row_share(p, e->blob == ROOF_NONE ? p->graph->name : plan->blobs[e->blob].name);
    row->type = type_of(p, e);
    row->shape = "";
    row->device = device_of(e->kind);
    row->ops = NEW_ARRAY(p->arena, const char *, e->n_ops);
    if (!row->name || !row->subgraph || !row->type || !row->ops)
        return error_memory(p->err);
    for (uint32_t i = 0; i < e->n_ops; i++)
        if (!(row->ops[row->n_ops++] = row_share(p, plan->ops[e->first_op + i].kind)))
            return error_memory(p->err);
    return ROOF_OK;
}

/* ---- cost ---- */

/* Reads are weights where the pool holds nothing else, and input where it holds none. */
static roof_status set_traffic(predictor *p, const roof_epoch *e, roof_traffic *t)
{
    const roof_plan *plan = p->graph->plan;
    uint64_t weights = 0, maps = 0, unsplit = 0, written = 0;
    bool fits = true;
    if (e->moves_unknown)
        return ROOF_OK; /* the cost is one of which nothing is known yet */
    for (uint32_t i = 0; i < e->n_accesses; i++) {
        const roof_pool_access *a = &plan->accesses[e->first_access + i];
        const roof_pool *pool = &plan->pools[a->pool];
        bool parameters = pool->content == ROOF_POOL_PARAMETERS || pool->read_only;
        uint64_t *sum = parameters ? &weights : pool->content == ROOF_POOL_FEATURE_MAPS ? &maps : &unsplit;
        fits = fits && !__builtin_add_overflow(*sum, a->read_bytes, sum) &&
               !__builtin_add_overflow(written, a->write_bytes, &written);
    }
    uint64_t all = 0;
    fits = fits && !__builtin_add_overflow(weights, maps, &all) &&
           !__builtin_add_overflow(all, unsplit, &all) && all < INT64_MAX && written < INT64_MAX;
    if (!fits)
        return error_set(p->err, ROOF_E_LIMIT, "the bytes of an epoch overflow 64 bits");
    *t = (roof_traffic){.weights_bytes = unsplit ? ROOF_UNKNOWN : weights,
                        .input_bytes = unsplit ? ROOF_UNKNOWN : maps,
                        .output_bytes = written,
                        .unsplit_bytes = unsplit ? all : 0,
                        .instruction_bytes = e->blob == ROOF_NONE ? 0 : ROOF_UNKNOWN};
    TRY(row_scale(p, &t->weights_bytes, p->batch));
    TRY(row_scale(p, &t->input_bytes, p->batch));
    TRY(row_scale(p, &t->unsplit_bytes, p->batch));
    return row_scale(p, &t->output_bytes, p->batch);
}

/* The law knows of pools only what is moved in them. */
static void forget_moves(const predictor *p, epoch_cost *c)
{
    c->vendor_cycles = ROOF_UNKNOWN;
    c->vendor_bound = ROOF_NONE;
    for (uint32_t i = p->law->n_compute; i < p->law->n_engines; i++)
        c->moved[i] = (roof_moved){ROOF_UNKNOWN, ROOF_UNKNOWN};
}

/* A batch runs the plan as often. */
static roof_status scale_cost(predictor *p, epoch_cost *c)
{
    TRY(row_scale(p, &c->vendor_cycles, p->batch));
    for (uint32_t i = 0; i < p->law->n_engines; i++) {
        TRY(row_scale(p, &c->cycles[i], p->batch));
        TRY(row_scale(p, &c->moved[i].read_bytes, p->batch));
        TRY(row_scale(p, &c->moved[i].write_bytes, p->batch));
    }
    return ROOF_OK;
}

static roof_status check_vendor(predictor *p, const roof_layer *layer, const roof_epoch *e,
                                const epoch_cost *c)
{
    char text[256];
    if (p->law->epoch_beyond_units(p->law_config, p->graph->plan, e, text, sizeof text))
        TRY(add_finding(p, ROOF_FINDING_BEYOND_UNITS, layer->name, "%s", text));
    if (e->stored_vendor_cycles == ROOF_UNKNOWN || c->vendor_cycles == ROOF_UNKNOWN ||
        e->stored_vendor_cycles == c->vendor_cycles)
        return ROOF_OK;
    return add_finding(p, ROOF_FINDING_VENDOR_DIFFERS, layer->name,
                       "the file estimates %" PRIu64 " cycles, the compiler's law gives %" PRIu64,
                       e->stored_vendor_cycles, c->vendor_cycles);
}

static bool has_no_bound(const roof_epoch *e)
{
    return e->moves_unknown && e->compute_cycles == ROOF_UNKNOWN;
}

/* What the host runs takes what the host takes: nothing in the file says how long. */
static roof_status set_cost(predictor *p, const roof_layer *layer, const roof_epoch *e,
                            roof_layer_prediction *row)
{
    epoch_cost c;
    roof_moved *moved = NEW_ARRAY(p->arena, roof_moved, p->law->n_engines);
    TRY(row_clear_cost(p, &row->deployed));
    if (!moved)
        return error_memory(p->err);
    p->law->epoch(p->law_config, p->graph->plan, e, &c);
    if (e->moves_unknown)
        forget_moves(p, &c);
    TRY(check_vendor(p, layer, e, &c));
    TRY(scale_cost(p, &c));
    row->stored_vendor_cycles = e->stored_vendor_cycles;
    TRY(row_scale(p, &row->stored_vendor_cycles, p->batch));
    row->vendor_cycles = c.vendor_cycles;
    row->vendor_bound = c.vendor_bound;
    memcpy(moved, c.moved, p->law->n_engines * sizeof *moved);
    row->moved = moved;
    TRY(set_traffic(p, e, &row->deployed.traffic));
    row->deployed.bytes_basis = e->moves_unknown ? ROOF_BASIS_NONE : ROOF_BASIS_FILE;
    if (e->kind == ROOF_EPOCH_SW || has_no_bound(e))
        return ROOF_OK;
    memcpy(row->deployed.cycles, c.cycles, p->law->n_engines * sizeof *c.cycles);
    row->deployed.cycles_basis = e->compute_from_streams ? ROOF_BASIS_FORMULA : ROOF_BASIS_FILE;
    row_set_ideal(p, &row->deployed);
    return ROOF_OK;
}

static roof_status add_epoch(predictor *p, const roof_layer *layer, const roof_epoch *e)
{
    roof_layer_prediction *row = row_next(p);
    TRY(set_texts(p, layer, e, row));
    row->macs = row->array_macs = row->workload_ops = ROOF_UNKNOWN; /* operations are counted, not these */
    row->ops_count = e->ops_count;
    TRY(row_scale(p, &row->ops_count, p->batch));
    p->engine_ops[ENGINE_ARRAY] = row->ops_count;
    TRY(set_cost(p, layer, e, row));
    row_set_ratios(p, row);
    return ROOF_OK;
}

roof_status predictor_add_epochs(predictor *p)
{
    const roof_graph *g = p->graph;
    p->prediction->layers = NEW_ARRAY(p->arena, roof_layer_prediction, g->n_layers);
    if (!p->prediction->layers)
        return error_memory(p->err);
    for (uint32_t i = 0; i < g->n_layers; i++)
        TRY(add_epoch(p, &g->layers[i], &g->plan->epochs[i]));
    return p->law->add_pools(p->law_config, g->plan, p->arena, p->prediction, p->err);
}

/* ---- totals ---- */

/* A sum of what every row knows; ROOF_UNKNOWN when one does not. */
static roof_status add_known(predictor *p, uint64_t *sum, uint64_t term)
{
    return checked_add_known(sum, term) ? ROOF_OK
                                        : error_set(p->err, ROOF_E_LIMIT, "a total overflows 64 bits");
}

static roof_status sum_traffic(predictor *p)
{
    roof_traffic *t = &p->prediction->total.deployed.traffic;
    const roof_plan *plan = p->graph->plan;
    *t = (roof_traffic){0};
    for (uint32_t i = 0; i < p->prediction->n_layers; i++) {
        const roof_traffic *row = &p->prediction->layers[i].deployed.traffic;
        uint64_t reads = row->unsplit_bytes                  ? row->unsplit_bytes
                         : row->output_bytes == ROOF_UNKNOWN ? ROOF_UNKNOWN /* moves that are not known */
                                                             : row->weights_bytes + row->input_bytes;
        TRY(add_known(p, &t->weights_bytes, row->weights_bytes));
        TRY(add_known(p, &t->input_bytes, row->input_bytes));
        TRY(add_known(p, &t->output_bytes, row->output_bytes));
        TRY(add_known(p, &t->unsplit_bytes, reads));
    }
    if (t->weights_bytes != ROOF_UNKNOWN)
        t->unsplit_bytes = 0;
    t->instruction_bytes = plan->n_blobs ? ROOF_UNKNOWN : 0;
    return ROOF_OK;
}

static roof_status sum_pools(predictor *p)
{
    roof_prediction *out = p->prediction;
    roof_pool_rates *pools = (roof_pool_rates *)out->hardware.pools; /* of this call */
    for (uint32_t i = 0; i < out->n_layers; i++)
        for (uint32_t e = 0; e < out->hardware.n_pools; e++) {
            const roof_moved *m = &out->layers[i].moved[p->law->n_compute + e];
            TRY(add_known(p, &pools[e].moved.read_bytes, m->read_bytes));
            TRY(add_known(p, &pools[e].moved.write_bytes, m->write_bytes));
        }
    return ROOF_OK;
}

static roof_status sum_vendor(predictor *p)
{
    roof_prediction *out = p->prediction;
    out->total.vendor_cycles = out->total.stored_vendor_cycles = 0;
    out->total.macs = out->total.array_macs = ROOF_UNKNOWN;
    out->total.ops_count = 0;
    for (uint32_t i = 0; i < out->n_layers; i++) {
        TRY(add_known(p, &out->total.vendor_cycles, out->layers[i].vendor_cycles));
        TRY(add_known(p, &out->total.stored_vendor_cycles, out->layers[i].stored_vendor_cycles));
        TRY(add_known(p, &out->total.ops_count, out->layers[i].ops_count));
        out->total.host_layers += strcmp(out->layers[i].device, "CPU") == 0;
    }
    return ROOF_OK;
}

/* Every blob is started by the host, every other epoch is; software epochs lie between. */
static void count_boundaries(predictor *p)
{
    const roof_plan *plan = p->graph->plan;
    uint32_t n = 0;
    for (uint32_t i = 0; i < plan->n_epochs; i++)
        if (plan->epochs[i].blob == ROOF_NONE || i == 0 || plan->epochs[i].blob != plan->epochs[i - 1].blob)
            n++;
    p->prediction->total.boundaries = n;
}

/* ---- findings that need all rows ---- */

static roof_status find_host_work(predictor *p)
{
    const roof_plan *plan = p->graph->plan;
    uint32_t kinds[ROOF_EPOCH_KINDS] = {0};
    for (uint32_t i = 0; i < plan->n_epochs; i++)
        kinds[plan->epochs[i].kind]++;
    if (kinds[ROOF_EPOCH_SW] + kinds[ROOF_EPOCH_HYBRID])
        TRY(add_finding(
            p, ROOF_FINDING_SOFTWARE_EPOCHS, NULL,
            "of %u epochs the host runs %u, and %u with the NPU: the ideal time leaves the host's work out, "
            "and the compiler's estimate counts its data only",
            plan->n_epochs, kinds[ROOF_EPOCH_SW], kinds[ROOF_EPOCH_HYBRID]));
    if (kinds[ROOF_EPOCH_UNKNOWN])
        TRY(add_finding(
            p, ROOF_FINDING_EPOCH_KINDS, NULL,
            "the file does not tell of %u of %u epochs whether the NPU or the host runs them: they count "
            "as the NPU's",
            kinds[ROOF_EPOCH_UNKNOWN], plan->n_epochs));
    if (plan->n_blobs)
        TRY(add_finding(
            p, ROOF_FINDING_BLOB_CODE, NULL,
            "the epoch controller fetches %u program%s besides, whose bytes the file does not tell",
            plan->n_blobs, plan->n_blobs == 1 ? "" : "s"));
    return ROOF_OK;
}

static roof_status find_other_report(predictor *p)
{
    const roof_plan *plan = p->graph->plan;
    return plan->report_differs ? add_finding(p, ROOF_FINDING_OTHER_REPORT, NULL, "'%.200s' is not used: %s",
                                              plan->report_path, plan->report_differs)
                                : ROOF_OK;
}

static roof_status find_unknown_moves(predictor *p)
{
    const roof_plan *plan = p->graph->plan;
    char bound[120] = "";
    uint32_t moves = 0, computing = 0, bounds = 0;
    for (uint32_t i = 0; i < plan->n_epochs; i++) {
        const roof_epoch *e = &plan->epochs[i];
        bool timed = e->moves_unknown && e->kind != ROOF_EPOCH_SW;
        moves += e->moves_unknown;
        bounds += timed && has_no_bound(e);
        computing += timed && !has_no_bound(e);
    }
    if (!moves)
        return ROOF_OK;
    if (computing)
        snprintf(bound, sizeof bound, "; the ideal time of %u of them is that of computing alone", computing);
    if (bounds)
        snprintf(bound + strlen(bound), sizeof bound - strlen(bound), "; %u of them have no ideal time",
                 bounds);
    return add_finding(
        p, ROOF_FINDING_MOVES_UNKNOWN, NULL,
        "the file does not tell what %u of %u epochs move, so that sums of bytes are not known%s", moves,
        plan->n_epochs, bound);
}

static roof_status find_outside(predictor *p)
{
    const roof_plan *plan = p->graph->plan;
    uint64_t bytes = 0, epochs = 0;
    for (uint32_t i = 0; i < plan->n_epochs; i++) {
        TRY(add_known(p, &bytes, plan->epochs[i].outside_bytes));
        epochs += plan->epochs[i].outside_bytes > 0;
    }
    if (!bytes)
        return ROOF_OK;
    return add_finding(p, ROOF_FINDING_OUTSIDE_BYTES, NULL,
                       "%" PRIu64 " bytes of %" PRIu64
                       " epoch%s are moved in memories that are no pool of the plan",
                       bytes, epochs, epochs == 1 ? "" : "s");
}

static double entry_value(const predictor *p, const char *pool, const char *what)
{
    const roof_quantity *q = hw_view_pool(&p->view, pool, what);
    return q ? q->value : NAN;
}

static roof_status find_pool(predictor *p, const roof_pool_rates *r)
{
    char vendor[40], rate[40];
    double width = entry_value(p, r->name, "byte_width"), ratio = entry_value(p, r->name, "freq_ratio");
    if (isnan(r->bytes_per_s) || isnan(r->vendor_bytes_per_s))
        return add_finding(p, ROOF_FINDING_POOL_UNKNOWN, NULL,
                           "nothing is known of how fast pool '%s' is%s; its time is left out of %s", r->name,
                           isnan(r->bytes_per_s) ? "" : " to the compiler",
                           isnan(r->bytes_per_s) ? "the ideal time" : "the compiler's estimate");
    if (r->from_file &&
        ((!isnan(width) && width != r->byte_width) || (!isnan(ratio) && ratio != r->freq_ratio)))
        TRY(add_finding(p, ROOF_FINDING_POOL_DIFFERS, NULL,
                        "pool '%s' has byteWidth %u and freqRatio %g in the file, %g and %g in '%s'", r->name,
                        r->byte_width, r->freq_ratio, width, ratio, roof_hw_id(p->hw)));
    if (r->vendor_bytes_per_s * 1.5 > r->bytes_per_s)
        return ROOF_OK;
    quantity_format(vendor, sizeof vendor, r->vendor_bytes_per_s, "B/s");
    quantity_format(rate, sizeof rate, r->bytes_per_s, "B/s");
    return add_finding(
        p, ROOF_FINDING_POOL_PESSIMISTIC, NULL,
        "the compiler takes pool '%s' for %s, its memory delivers up to %s: epochs that it binds are "
        "estimated %.1f times too slow",
        r->name, vendor, rate, r->bytes_per_s / r->vendor_bytes_per_s);
}

/* Of what the law reads; sizes and flags change nothing here. */
static roof_status find_difference(predictor *p, const roof_pool_difference *d)
{
    if (strcmp(d->what, "byte_width") != 0 && strcmp(d->what, "freq_ratio") != 0)
        return ROOF_OK;
    return add_finding(p, ROOF_FINDING_POOL_DIFFERS, NULL,
                       "pool '%s' has a %s of %g in the plan, %g in '%.200s'", d->pool, d->what, d->plan,
                       d->file, p->graph->plan->pools_path);
}

/* A sum over no row that has a time is not 0. */
static void forget_times(roof_prediction *out)
{
    for (uint32_t i = 0; i < out->n_layers; i++)
        if (out->layers[i].deployed.ideal_cycles != ROOF_UNKNOWN)
            return;
    out->total.deployed.ideal_cycles = out->total.floor_cycles = ROOF_UNKNOWN;
    out->total.deployed.ideal_s = out->total.floor_s = NAN;
}

roof_status predictor_total_epochs(predictor *p)
{
    TRY(sum_vendor(p));
    TRY(sum_traffic(p));
    TRY(sum_pools(p));
    count_boundaries(p);
    forget_times(p->prediction);
    double bytes = known_count(roof_traffic_total(&p->prediction->total.deployed.traffic));
    p->prediction->total.intensity_ops_per_byte =
        bytes > 0 ? known_count(p->prediction->total.ops_count) / bytes : NAN;
    for (uint32_t i = 0; i < p->graph->plan->n_differences; i++)
        TRY(find_difference(p, &p->graph->plan->differences[i]));
    for (uint32_t i = 0; i < p->prediction->hardware.n_pools; i++)
        TRY(find_pool(p, &p->prediction->hardware.pools[i]));
    TRY(find_host_work(p));
    TRY(find_other_report(p));
    TRY(find_unknown_moves(p));
    return find_outside(p);
}
