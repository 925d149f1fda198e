/* What `roofline inspect` shows of a file that holds a plan: memory pools, epochs, programs of the epoch controller. */
#include "core/quantity.h"
#include "reports/inspect/inspect.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *count(const inspect_view *v, uint64_t value)
{
    return inspect_count(v->arena, value);
}

/* --- sums --------------------------------------------------------------------------------------------- */

inspect_moved inspect_plan_moved(const roof_plan *plan, const roof_epoch *e)
{
    inspect_moved moved = {0, 0};
    if (e->moves_unknown)
        return (inspect_moved){ROOF_UNKNOWN, ROOF_UNKNOWN};
    for (uint32_t i = 0; i < e->n_accesses; i++) {
        inspect_add(&moved.read_bytes, plan->accesses[e->first_access + i].read_bytes);
        inspect_add(&moved.write_bytes, plan->accesses[e->first_access + i].write_bytes);
    }
    return moved;
}

inspect_moved *inspect_plan_moved_by_pool(const inspect_view *v)
{
    const roof_plan *plan = v->graph->plan;
    inspect_moved *moved = NEW_ARRAY(v->arena, inspect_moved, plan->n_pools);
    for (uint32_t i = 0; moved && i < plan->n_accesses; i++) {
        const roof_pool_access *a = &plan->accesses[i];
        inspect_add(&moved[a->pool].read_bytes, a->read_bytes);
        inspect_add(&moved[a->pool].write_bytes, a->write_bytes);
    }
    for (uint32_t i = 0; moved && i < plan->n_epochs; i++)
        if (plan->epochs[i].moves_unknown) {
            for (uint32_t k = 0; k < plan->n_pools; k++)
                moved[k] = (inspect_moved){ROOF_UNKNOWN, ROOF_UNKNOWN};
            break;
        }
    return moved;
}

/* --- texts -------------------------------------------------------------------------------------------- */

const char *inspect_content_word(roof_pool_content content)
{
    static const char *const words[] = {[ROOF_POOL_UNLISTED] = NULL,
                                        [ROOF_POOL_PARAMETERS] = "parameters",
                                        [ROOF_POOL_FEATURE_MAPS] = "feature maps",
                                        [ROOF_POOL_MIXED] = "both"};
    return words[content];
}

const char *inspect_plan_kinds(const inspect_view *v, const roof_epoch *e)
{
    const roof_plan *plan = v->graph->plan; /* whose ops may be NULL, when no epoch has one */
    const roof_plan_op *ops = e->n_ops ? &plan->ops[e->first_op] : NULL;
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    for (uint32_t i = 0, times; i < e->n_ops; i += times) {
        for (times = 1; i + times < e->n_ops && strcmp(ops[i + times].kind, ops[i].kind) == 0;)
            times++;
        text_printf(&text, "%s%s", i ? " + " : "", ops[i].kind);
        if (times > 1)
            text_printf(&text, " x%" PRIu32, times);
    }
    const char *kinds = text.failed ? NULL : arena_strdup(v->arena, text.bytes ? text.bytes : "-");
    text_free(&text);
    return kinds ? arena_shown(v->arena, kinds) : NULL;
}

/* "5 HW, 1 SW, 1 HYBRID": as the compiler calls them. */
static const char *kinds_of_epochs(const inspect_view *v)
{
    const roof_plan *plan = v->graph->plan;
    uint32_t n[ROOF_EPOCH_KINDS] = {0};
    const char *text = "";
    for (uint32_t i = 0; i < plan->n_epochs; i++)
        n[plan->epochs[i].kind]++;
    for (roof_epoch_kind kind = ROOF_EPOCH_HW; text && kind < ROOF_EPOCH_KINDS; kind++)
        if (n[kind])
            text = arena_printf(v->arena, "%s%s%" PRIu32 " %s", text, *text ? ", " : "", n[kind],
                                roof_epoch_kind_text(kind));
    if (text && n[ROOF_EPOCH_UNKNOWN])
        text = arena_printf(v->arena, "%s%s%" PRIu32 " of a kind that the file does not tell", text,
                            *text ? ", " : "", n[ROOF_EPOCH_UNKNOWN]);
    return text;
}

const char *inspect_plan_verdict(const inspect_view *v)
{
    const roof_plan *plan = v->graph->plan;
    uint32_t host = 0, untold = 0;
    for (uint32_t i = 0; i < plan->n_epochs; i++) {
        host += plan->epochs[i].kind == ROOF_EPOCH_SW || plan->epochs[i].kind == ROOF_EPOCH_HYBRID;
        untold += plan->epochs[i].kind == ROOF_EPOCH_UNKNOWN;
    }
    const char *target = v->n_targets ? inspect_cell(v, v->targets[0].name) : "an unknown target",
               *runs = untold == plan->n_epochs ? "of kinds that the file does not tell"
                       : host ? arena_printf(v->arena, "%s by the host alone or with it", count(v, host))
                              : "none by the host alone or with it";
    return target && runs
               ? arena_printf(v->arena, "Planned for %s: %" PRIu32 " epoch%s, %s, %" PRIu32 " memory pool%s.",
                              target, plan->n_epochs, inspect_plural(plan->n_epochs), runs, plan->n_pools,
                              inspect_plural(plan->n_pools))
               : NULL;
}

/* --- facts -------------------------------------------------------------------------------------------- */

/* Sums over epochs; what one of them does not tell, the sum does not either. */
typedef struct plan_sums {
    uint64_t ops, vendor_cycles, outside_bytes;
    inspect_moved moved;
} plan_sums;

static plan_sums sum_epochs(const roof_plan *plan)
{
    plan_sums sums = {0};
    for (uint32_t i = 0; i < plan->n_epochs; i++) {
        const roof_epoch *e = &plan->epochs[i];
        inspect_moved moved = inspect_plan_moved(plan, e);
        inspect_add(&sums.ops, e->ops_count);
        inspect_add(&sums.vendor_cycles, e->stored_vendor_cycles);
        inspect_add(&sums.outside_bytes, e->outside_bytes);
        inspect_add(&sums.moved.read_bytes, moved.read_bytes);
        inspect_add(&sums.moved.write_bytes, moved.write_bytes);
    }
    return sums;
}

static const char *with_unit(const inspect_view *v, uint64_t value, const char *unit)
{
    const char *text = count(v, value);
    return value == ROOF_UNKNOWN ? "not stated for every epoch"
           : text                ? arena_printf(v->arena, "%s %s", text, unit)
                                 : NULL;
}

/* The file that completed the pools, and where it says something else. */
static const char *pools_fact(const inspect_view *v)
{
    const roof_plan *plan = v->graph->plan;
    const char *path = plan->pools_path ? arena_shown(v->arena, plan->pools_path) : "";
    if (!path || !*path)
        return path ? count(v, plan->n_pools) : NULL;
    return arena_printf(v->arena, "%" PRIu32 ", completed by %s (%" PRIu32 " difference%s)", plan->n_pools,
                        path, plan->n_differences, inspect_plural(plan->n_differences));
}

/* The report that was held against the plan, and whether it is of it. */
static const char *report_fact(const inspect_view *v)
{
    const roof_plan *plan = v->graph->plan;
    const char *path = plan->report_path ? arena_shown(v->arena, plan->report_path) : "";
    if (!path || !*path)
        return path;
    return plan->report_differs ? arena_printf(v->arena, "%s is not used: %s", path, plan->report_differs)
                                : arena_printf(v->arena, "%s agrees", path);
}

bool inspect_plan_facts(const inspect_view *v, inspect_fact facts[INSPECT_PLAN_FACTS], size_t *n)
{
    const roof_plan *plan = v->graph->plan;
    plan_sums sums = sum_epochs(plan);
    const char *kinds = kinds_of_epochs(v), *read = with_unit(v, sums.moved.read_bytes, "B read"),
               *written = with_unit(v, sums.moved.write_bytes, "B written");
    const inspect_fact all[] = {
        {"epochs", kinds ? arena_printf(v->arena, "%" PRIu32 ": %s", plan->n_epochs, kinds) : NULL},
        {"work", with_unit(v, sums.ops, "ops, as the compiler counts them")},
        {"estimate", with_unit(v, sums.vendor_cycles, "NPU cycles, of the compiler")},
        {"moved", sums.moved.read_bytes == ROOF_UNKNOWN ? read
                  : read && written                     ? arena_printf(v->arena, "%s, %s", read, written)
                                                        : NULL},
        {"outside pools", sums.outside_bytes ? with_unit(v, sums.outside_bytes, "B") : ""},
        {"pools", pools_fact(v)},
        {"programs", plan->n_blobs ? count(v, plan->n_blobs) : ""},
        {"report", report_fact(v)},
    };
    _Static_assert(COUNT(all) <= INSPECT_PLAN_FACTS, "the callers have room for these");
    memcpy(facts, all, sizeof all);
    *n = COUNT(all);
    for (size_t i = 0; i < COUNT(all); i++)
        if (!all[i].value)
            return false;
    return true;
}

/* --- sections ----------------------------------------------------------------------------------------- */

bool inspect_has_plan(const inspect_view *v, const roof_render_options *options)
{
    (void)options;
    return v->graph->plan != NULL;
}

bool inspect_has_blobs(const inspect_view *v, const roof_render_options *options)
{
    (void)options;
    return v->graph->plan && v->graph->plan->n_blobs;
}

bool inspect_has_differences(const inspect_view *v, const roof_render_options *options)
{
    (void)options;
    return v->graph->plan && v->graph->plan->n_differences;
}

bool inspect_has_plan_details(const inspect_view *v, const roof_render_options *options)
{
    return v->graph->plan && options->details;
}

/* NaN where one of them says nothing. */
static const char *value_cell(const inspect_view *v, double value)
{
    return isnan(value) ? "-" : arena_printf(v->arena, "%.15g", value);
}

static const inspect_column pool_columns[] = {
    {"pool", .shorten = true},
    {"address", .drop = 4},
    {"size [B]", .right = true, .drop = 3},
    {"used [B]", .right = true, .drop = 2},
    {"B/cycle", .right = true, .drop = 1},
    {"freqRatio", .right = true, .drop = 1},
    {"holds", .drop = 1},
    {"marks", .drop = 5},
    {"read [B]", .right = true},
    {"written [B]", .right = true},
};

static const char *marks(const inspect_view *v, const roof_pool *p)
{
    if (!p->read_only && !p->cached && !p->is_virtual)
        return "-";
    return arena_printf(v->arena, "%s%s%s%s%s", p->read_only ? "read-only" : "",
                        p->read_only && p->cached ? ", " : "", p->cached ? "cached" : "",
                        (p->read_only || p->cached) && p->is_virtual ? ", " : "",
                        p->is_virtual ? "virtual" : "");
}

inspect_table *inspect_pool_table(const inspect_view *v, const roof_render_options *options)
{
    const roof_plan *plan = v->graph->plan;
    inspect_table *t = inspect_table_new(v->arena, pool_columns, COUNT(pool_columns), plan->n_pools);
    const inspect_moved *moved = inspect_plan_moved_by_pool(v);
    (void)options;
    for (uint32_t i = 0; t && moved && i < plan->n_pools; i++) {
        const roof_pool *p = &plan->pools[i];
        const char *content = inspect_content_word(p->content);
        bool addressed = p->address != ROOF_UNKNOWN;
        inspect_table_set(t, i, 0, inspect_cell(v, p->name));
        inspect_table_set(t, i, 1, addressed ? arena_printf(v->arena, "0x%08" PRIx64, p->address) : "-");
        inspect_table_set(t, i, 2, count(v, p->size_bytes));
        inspect_table_set(t, i, 3, count(v, p->used_bytes));
        inspect_table_set(t, i, 4, count(v, p->byte_width == ROOF_NONE ? ROOF_UNKNOWN : p->byte_width));
        inspect_table_set(t, i, 5, value_cell(v, p->freq_ratio));
        inspect_table_set(t, i, 6, content ? content : "-");
        inspect_table_set(t, i, 7, marks(v, p));
        inspect_table_set(t, i, 8, count(v, moved[i].read_bytes));
        inspect_table_set(t, i, 9, count(v, moved[i].write_bytes));
    }
    return moved ? t : NULL;
}

static const inspect_column difference_columns[] = {
    {"pool", .shorten = true},
    {"what", .drop = 0},
    {"plan", .right = true},
    {"pool file", .right = true},
};

inspect_table *inspect_difference_table(const inspect_view *v, const roof_render_options *options)
{
    const roof_plan *plan = v->graph->plan;
    inspect_table *t =
        inspect_table_new(v->arena, difference_columns, COUNT(difference_columns), plan->n_differences);
    (void)options;
    for (uint32_t i = 0; t && i < plan->n_differences; i++) {
        const roof_pool_difference *d = &plan->differences[i];
        inspect_table_set(t, i, 0, inspect_cell(v, d->pool));
        inspect_table_set(t, i, 1, inspect_cell(v, d->what));
        inspect_table_set(t, i, 2, value_cell(v, d->plan));
        inspect_table_set(t, i, 3, value_cell(v, d->file));
    }
    return t;
}

static const inspect_column blob_columns[] = {
    {"program", .shorten = true},
    {"epochs", .right = true},
};

uint64_t inspect_blob_epochs(const roof_blob *blob)
{
    return blob->n_epochs == ROOF_NONE ? ROOF_UNKNOWN : blob->n_epochs;
}

inspect_table *inspect_blob_table(const inspect_view *v, const roof_render_options *options)
{
    const roof_plan *plan = v->graph->plan;
    inspect_table *t = inspect_table_new(v->arena, blob_columns, COUNT(blob_columns), plan->n_blobs);
    (void)options;
    for (uint32_t i = 0; t && i < plan->n_blobs; i++) {
        inspect_table_set(t, i, 0, inspect_cell(v, plan->blobs[i].name));
        inspect_table_set(t, i, 1, count(v, inspect_blob_epochs(&plan->blobs[i])));
    }
    return t;
}

static const inspect_column epoch_columns[] = {
    {"epoch", .shorten = true},
    {"kind", .drop = 1},
    {"operators", .shorten = true, .drop = 2},
    {"work [ops]", .right = true, .drop = 3},
    {"compute [cycles]", .right = true, .drop = 4},
    {"estimate [cycles]", .right = true, .drop = 1},
    {"read [B]", .right = true},
    {"written [B]", .right = true},
    {"outside [B]", .right = true, .drop = 5},
    {"program", .shorten = true, .drop = 6},
};

inspect_table *inspect_epoch_table(const inspect_view *v, const roof_render_options *options)
{
    const roof_plan *plan = v->graph->plan;
    inspect_table *t = inspect_table_new(v->arena, epoch_columns, COUNT(epoch_columns), plan->n_epochs);
    (void)options;
    for (uint32_t i = 0; t && i < plan->n_epochs; i++) {
        const roof_epoch *e = &plan->epochs[i];
        inspect_moved moved = inspect_plan_moved(plan, e);
        inspect_table_set(t, i, 0, inspect_cell(v, v->graph->layers[i].name));
        inspect_table_set(t, i, 1, inspect_cell(v, roof_epoch_kind_text(e->kind)));
        inspect_table_set(t, i, 2, inspect_plan_kinds(v, e));
        inspect_table_set(t, i, 3, count(v, e->ops_count));
        inspect_table_set(t, i, 4, count(v, e->compute_cycles));
        inspect_table_set(t, i, 5, count(v, e->stored_vendor_cycles));
        inspect_table_set(t, i, 6, count(v, moved.read_bytes));
        inspect_table_set(t, i, 7, count(v, moved.write_bytes));
        inspect_table_set(t, i, 8, e->outside_bytes ? count(v, e->outside_bytes) : "-");
        inspect_table_set(t, i, 9, e->blob == ROOF_NONE ? "-" : inspect_cell(v, plan->blobs[e->blob].name));
    }
    return t;
}

/* The cycles are the compiler's, of the pool's own clock scaled to the NPU's. */
static const inspect_column access_columns[] = {
    {"epoch", .shorten = true},
    {"pool", .shorten = true},
    {"read [B]", .right = true},
    {"written [B]", .right = true},
    {"read [cycles]", .right = true, .drop = 1},
    {"write [cycles]", .right = true, .drop = 1},
};

inspect_table *inspect_access_table(const inspect_view *v, const roof_render_options *options)
{
    const roof_plan *plan = v->graph->plan;
    inspect_table *t = inspect_table_new(v->arena, access_columns, COUNT(access_columns), plan->n_accesses);
    size_t row = 0;
    (void)options;
    for (uint32_t i = 0; t && i < plan->n_epochs; i++)
        for (uint32_t k = 0; k < plan->epochs[i].n_accesses; k++, row++) {
            const roof_pool_access *a = &plan->accesses[plan->epochs[i].first_access + k];
            inspect_table_set(t, row, 0, inspect_cell(v, v->graph->layers[i].name));
            inspect_table_set(t, row, 1, inspect_cell(v, plan->pools[a->pool].name));
            inspect_table_set(t, row, 2, count(v, a->read_bytes));
            inspect_table_set(t, row, 3, count(v, a->write_bytes));
            inspect_table_set(t, row, 4, count(v, a->read_cycles));
            inspect_table_set(t, row, 5, count(v, a->write_cycles));
        }
    return t;
}

static const inspect_column op_columns[] = {
    {"epoch", .shorten = true},
    {"operator", .shorten = true},
    {"kind", .shorten = true},
    {"unit", .drop = 1},
};

inspect_table *inspect_plan_op_table(const inspect_view *v, const roof_render_options *options)
{
    const roof_plan *plan = v->graph->plan;
    inspect_table *t = inspect_table_new(v->arena, op_columns, COUNT(op_columns), plan->n_ops);
    size_t row = 0;
    (void)options;
    for (uint32_t i = 0; t && i < plan->n_epochs; i++)
        for (uint32_t k = 0; k < plan->epochs[i].n_ops; k++, row++) {
            const roof_plan_op *op = &plan->ops[plan->epochs[i].first_op + k];
            inspect_table_set(t, row, 0, inspect_cell(v, v->graph->layers[i].name));
            inspect_table_set(t, row, 1, inspect_cell(v, op->name));
            inspect_table_set(t, row, 2, inspect_cell(v, op->kind));
            inspect_table_set(t, row, 3, inspect_cell(v, op->unit));
        }
    return t;
}
