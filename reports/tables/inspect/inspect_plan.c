/* `roofline inspect` of a file that holds a plan: memory pools, epochs, the controller's programs. */
#include "reports/tables/inspect/inspect.h"

static inspect_moved moved_by(const roof_plan *plan, const roof_epoch *e)
{
    inspect_moved moved = {0, 0};
    if (e->moves_unknown)
        return (inspect_moved){ROOF_UNKNOWN, ROOF_UNKNOWN};
    for (uint32_t i = 0; i < e->n_accesses; i++) {
        (void)checked_add_known(&moved.read_bytes, plan->accesses[e->first_access + i].read_bytes);
        (void)checked_add_known(&moved.write_bytes, plan->accesses[e->first_access + i].write_bytes);
    }
    return moved;
}

/* --- texts -------------------------------------------------------------------------------------------- */

/* "5 HW, 1 SW, 1 HYBRID": as the compiler calls them. */
static const char *kinds_of_epochs(const inspect_view *v)
{
    uint32_t n[ROOF_EPOCH_KINDS] = {0};
    const char *text = "";
    for (uint32_t i = 0; i < roof_plan_of(v->graph)->n_epochs; i++)
        n[roof_plan_of(v->graph)->epochs[i].kind]++;
    for (roof_epoch_kind kind = ROOF_EPOCH_HW; kind < ROOF_EPOCH_KINDS; kind++)
        if (n[kind])
            text = say_more(v->arena, text, "%u %s", n[kind], roof_epoch_kind_text(kind));
    if (n[ROOF_EPOCH_UNKNOWN])
        text = say_more(v->arena, text, "%u of a kind that the file does not state", n[ROOF_EPOCH_UNKNOWN]);
    return text;
}

const char *inspect_plan_verdict(const inspect_view *v)
{
    const roof_plan *plan = roof_plan_of(v->graph);
    uint32_t host = 0, untold = 0;
    for (uint32_t i = 0; i < plan->n_epochs; i++) {
        host += plan->epochs[i].kind == ROOF_EPOCH_SW || plan->epochs[i].kind == ROOF_EPOCH_HYBRID;
        untold += plan->epochs[i].kind == ROOF_EPOCH_UNKNOWN;
    }
    const char *target = v->n_targets ? inspect_shown(v, v->targets[0].name) : "an unknown target";
    const char *of_host = host ? inspect_count(v->arena, host) : "none";
    const char *runs = untold == plan->n_epochs
                           ? "of kinds that the file does not state"
                           : say_printf(v->arena, "%s by the host alone or with it", of_host);
    return arena_printf(v->arena, "Planned for %s: %u epoch%s, %s, %u memory pool%s.", target, plan->n_epochs,
                        say_plural(plan->n_epochs), runs, plan->n_pools, say_plural(plan->n_pools));
}

/* --- facts -------------------------------------------------------------------------------------------- */

static const char *with_unit(roof_arena *arena, uint64_t value, const char *unit)
{
    return value == ROOF_UNKNOWN ? "not stated for every epoch"
                                 : say_printf(arena, "%s %s", inspect_count(arena, value), unit);
}

void inspect_plan_facts(const inspect_view *v, remarks *r)
{
    const roof_plan *plan = roof_plan_of(v->graph);
    /* Sums over epochs; a figure that one of them does not state is unknown. */
    uint64_t ops = 0, vendor_cycles = 0, outside_bytes = 0;
    inspect_moved all = {0, 0};
    FOR_EACH(const roof_epoch, e, plan->epochs, plan->n_epochs) {
        inspect_moved moved = moved_by(plan, e);
        (void)checked_add_known(&ops, e->ops_count);
        (void)checked_add_known(&vendor_cycles, e->stored_vendor_cycles);
        (void)checked_add_known(&outside_bytes, e->outside_bytes);
        (void)checked_add_known(&all.read_bytes, moved.read_bytes);
        (void)checked_add_known(&all.write_bytes, moved.write_bytes);
    }
    bool is_known = all.read_bytes != ROOF_UNKNOWN;
    remarks_add(r, "epochs", "%u: %s", plan->n_epochs, kinds_of_epochs(v));
    remarks_add(r, "work", "%s", with_unit(v->arena, ops, "ops, as the compiler counts them"));
    remarks_add(r, "estimate", "%s", with_unit(v->arena, vendor_cycles, "NPU cycles, of the compiler"));
    remarks_add(r, "moved", "%s%s%s", with_unit(v->arena, all.read_bytes, "B read"), is_known ? ", " : "",
                is_known ? with_unit(v->arena, all.write_bytes, "B written") : "");
    if (outside_bytes)
        remarks_add(r, "outside pools", "%s", with_unit(v->arena, outside_bytes, "B"));
    /* The file that completed the pools, and where it says something else. */
    if (plan->pools_path && *plan->pools_path)
        remarks_add(r, "pools", "%u, completed by %s (%u difference%s)", plan->n_pools,
                    inspect_shown(v, plan->pools_path), plan->n_differences, say_plural(plan->n_differences));
    else
        remarks_add(r, "pools", "%s", inspect_count(v->arena, plan->n_pools));
    ADD_SAID(r, "programs", "[?{#}]", AS_COUNT(plan->n_blobs));
    /* The report that was held against the plan, and whether it is of it. */
    const char *path = plan->report_path && *plan->report_path ? inspect_shown(v, plan->report_path) : NULL;
    if (path && plan->report_differs)
        remarks_add(r, "report", "%s is not used: %s", path, plan->report_differs);
    else if (path)
        remarks_add(r, "report", "%s agrees", path);
}

/* --- sections ----------------------------------------------------------------------------------------- */

/* Nothing where the file says nothing. */
static grid_cell value(roof_arena *arena, double number)
{
    return isnan(number) ? cell_number(NAN, 0)
                         : cell_worded(arena_printf(arena, "%.15g", number), number, CELL_ANY_DIGITS);
}

GRID_COLUMNS(pool_columns, INSPECT_NAME("pool", NULL, "name", 0), INSPECT_JSON("address"),
             INSPECT_TEXT("address", NULL, NULL, 4), INSPECT_NUMBER("size [B]", NULL, "size_bytes", 3),
             INSPECT_NUMBER("used [B]", NULL, "used_bytes", 2),
             INSPECT_NUMBER("B/cycle", NULL, "byte_width", 1),
             INSPECT_NUMBER("freqRatio", NULL, "freq_ratio", 1), INSPECT_TEXT("holds", NULL, "holds", 1),
             INSPECT_FLAG(NULL, "read_only"), INSPECT_FLAG(NULL, "cached"), INSPECT_FLAG(NULL, "virtual"),
             INSPECT_TEXT("marks", NULL, NULL, 5), INSPECT_NUMBER("read [B]", NULL, "read_bytes", 0),
             INSPECT_NUMBER("written [B]", NULL, "write_bytes", 0));

static void add_pool(const inspect_view *v, uint32_t i, cell_grid *t)
{
    static const char *const contents[] = {[ROOF_POOL_UNLISTED] = "",
                                           [ROOF_POOL_PARAMETERS] = "parameters",
                                           [ROOF_POOL_FEATURE_MAPS] = "feature maps",
                                           [ROOF_POOL_MIXED] = "both"};
    const roof_pool *p = &roof_plan_of(v->graph)->pools[i];
    const char *marks = p->read_only ? "read-only" : "";
    marks = p->cached ? say_more(v->arena, marks, "cached") : marks;
    marks = p->is_virtual ? say_more(v->arena, marks, "virtual") : marks;
    bool addressed = p->address != ROOF_UNKNOWN;
    GRID_ADD(t, cell_text(p->name), cell_count(p->address),
             cell_text(addressed ? arena_printf(v->arena, "0x%08" PRIx64, p->address) : ""),
             cell_count(p->size_bytes), cell_count(p->used_bytes), inspect_index(p->byte_width, 0),
             value(v->arena, p->freq_ratio), cell_text(contents[p->content]), cell_count(p->read_only),
             cell_count(p->cached), cell_count(p->is_virtual), cell_text(marks),
             cell_count(v->moved[i].read_bytes), cell_count(v->moved[i].write_bytes));
}

GRID_COLUMNS(difference_columns, INSPECT_NAME("pool", NULL, "pool", 0), INSPECT_TEXT("what", NULL, "what", 0),
             INSPECT_NUMBER("plan", NULL, "plan", 0), INSPECT_NUMBER("pool file", NULL, "file", 0));

static void add_difference(const inspect_view *v, uint32_t i, cell_grid *t)
{
    const roof_pool_difference *d = &roof_plan_of(v->graph)->differences[i];
    GRID_ADD(t, cell_text(d->pool), cell_text(d->what), value(v->arena, d->in_plan),
             value(v->arena, d->in_file));
}

GRID_COLUMNS(program_columns, INSPECT_NAME("program", NULL, "name", 0),
             INSPECT_NUMBER("epochs", NULL, "epochs", 0), INSPECT_NUMBER("size [B]", NULL, "bytes", 0));

static void add_program(const inspect_view *v, uint32_t i, cell_grid *t)
{
    const roof_blob *blob = &roof_plan_of(v->graph)->blobs[i];
    GRID_ADD(t, cell_text(blob->name), inspect_index(blob->n_epochs, 0), cell_count(blob->bytes));
}

/* The cycles are the compiler's, of the pool's own clock scaled to the NPU's. */
GRID_COLUMNS(access_columns, INSPECT_TEXT(NULL, "index", NULL, 0), INSPECT_NAME("epoch", "epoch", NULL, 0),
             INSPECT_NAME("pool", "pool", "pool", 0),
             INSPECT_NUMBER("read [B]", "read_bytes", "read_bytes", 0),
             INSPECT_NUMBER("written [B]", "write_bytes", "write_bytes", 0),
             INSPECT_NUMBER("read [cycles]", "read_cycles", "read_cycles", 1),
             INSPECT_NUMBER("write [cycles]", "write_cycles", "write_cycles", 1));

static void add_accesses(const inspect_view *v, uint32_t i, cell_grid *t)
{
    const roof_plan *plan = roof_plan_of(v->graph);
    for (uint32_t k = 0; k < plan->epochs[i].n_accesses; k++) {
        const roof_pool_access *a = &plan->accesses[plan->epochs[i].first_access + k];
        GRID_ADD(t, cell_count(i + 1), cell_text(v->graph->layers[i].name),
                 cell_text(plan->pools[a->pool].name), cell_count(a->read_bytes), cell_count(a->write_bytes),
                 cell_count(a->read_cycles), cell_count(a->write_cycles));
    }
}

GRID_COLUMNS(op_columns, INSPECT_NAME("epoch", NULL, NULL, 0), INSPECT_NAME("operator", NULL, "name", 0),
             INSPECT_NAME("kind", NULL, "kind", 0), INSPECT_TEXT("unit", NULL, "unit", 1));

static void add_ops(const inspect_view *v, uint32_t i, cell_grid *t)
{
    const roof_plan *plan = roof_plan_of(v->graph);
    for (uint32_t k = 0; k < plan->epochs[i].n_ops; k++) {
        const roof_plan_op *op = &plan->ops[plan->epochs[i].first_op + k];
        GRID_ADD(t, cell_text(v->graph->layers[i].name), cell_text(op->name), cell_text(op->kind),
                 cell_text(op->unit));
    }
}

GRID_COLUMNS(epoch_columns, INSPECT_TEXT(NULL, "index", NULL, 0), INSPECT_NAME("epoch", "name", "name", 0),
             INSPECT_TEXT("kind", "kind", "kind", 1), INSPECT_NAME("operators", "operators", NULL, 2),
             INSPECT_NUMBER("work [ops]", "ops", "ops_count", 3),
             INSPECT_NUMBER("compute [cycles]", "compute_cycles", "compute_cycles", 4),
             INSPECT_FLAG(NULL, "compute_from_streams"),
             INSPECT_NUMBER("estimate [cycles]", "stored_vendor_cycles", "stored_vendor_cycles", 1),
             INSPECT_NUMBER("read [B]", "read_bytes", NULL, 0),
             INSPECT_NUMBER("written [B]", "write_bytes", NULL, 0), INSPECT_JSON("outside_bytes"),
             INSPECT_NUMBER("outside [B]", "outside_bytes", NULL, 5), INSPECT_JSON("program"),
             INSPECT_NAME("program", "program", NULL, 6),
             INSPECT_TEXT("stream engines", "stream_engines", NULL, 7), INSPECT_JSON("convolution_units"),
             INSPECT_JSON("macs_per_unit"));

static const char *kind_of_op(const inspect_view *v, uint32_t i)
{
    return roof_plan_of(v->graph)->ops[i].kind;
}

/* "in 7, 9; out 0" */
static const char *streams_of(const inspect_view *v, const roof_epoch *e)
{
    const char *text = "";
    const uint32_t masks[] = {e->in_streams, e->out_streams};
    for (int way = 0; way < 2; way++) {
        const char *between = way ? "out " : "in ";
        for (unsigned k = 0; k < 32; k++)
            if (masks[way] & (1U << k)) {
                text = text_or_empty(arena_printf(v->arena, "%s%s%s%u", text,
                                                  *text && *between != ',' ? "; " : "", between, k));
                between = ", ";
            }
    }
    return text;
}

static void put_stream_engines(jsonout *json, const char *key, uint32_t mask)
{
    jsonout_array(json, key, true);
    for (unsigned k = 0; k < 32; k++)
        if (mask & (1U << k))
            jsonout_count(json, NULL, k);
    jsonout_end(json);
}

static void add_epoch(const inspect_view *v, uint32_t i, cell_grid *t)
{
    const roof_plan *plan = roof_plan_of(v->graph);
    const roof_epoch *e = &plan->epochs[i];
    inspect_moved moved = moved_by(plan, e);
    grid_cell program = cell_text(e->blob == ROOF_NONE ? "" : plan->blobs[e->blob].name);
    GRID_ADD(t, cell_count(i + 1), cell_text(v->graph->layers[i].name),
             cell_text(roof_epoch_kind_text(e->kind)),
             cell_text(inspect_chain(v, kind_of_op, e->first_op, e->n_ops)), cell_count(e->ops_count),
             cell_count(e->compute_cycles), cell_count(e->compute_from_streams),
             cell_count(e->stored_vendor_cycles), cell_count(moved.read_bytes), cell_count(moved.write_bytes),
             cell_count(e->moves_unknown ? ROOF_UNKNOWN : e->outside_bytes),
             cell_or_none(cell_count(e->outside_bytes)), program, program, cell_text(streams_of(v, e)),
             inspect_index(e->conv_units, 0), inspect_index(e->macs_per_unit, 0));
    if (!t->json)
        return;
    if (e->in_streams || e->out_streams) {
        put_stream_engines(t->json, "in_stream_engines", e->in_streams);
        put_stream_engines(t->json, "out_stream_engines", e->out_streams);
    }
    inspect_pair(t->json, "port_read_bytes", e->port_read_bytes[0], e->port_read_bytes[1]);
    inspect_pair(t->json, "port_write_bytes", e->port_write_bytes[0], e->port_write_bytes[1]);
    inspect_list(v, &inspect_plan_sections[INSPECT_PLAN_OPS - INSPECT_POOLS], i, 1, t->json);
    if (e->moves_unknown)
        jsonout_null(t->json, "accesses");
    else
        inspect_list(v, &inspect_plan_sections[INSPECT_ACCESSES - INSPECT_POOLS], i, 1, t->json);
}

const inspect_section inspect_plan_sections[] = {
    INSPECT_SECTION("Memory pools", "pools", false, pool_columns, add_pool),
    INSPECT_SECTION("Where the file of pools says something else", "differences", true, difference_columns,
                    add_difference),
    INSPECT_SECTION("Programs of the epoch controller", "programs", true, program_columns, add_program),
    INSPECT_SECTION("Epochs in order of execution", "epochs", false, epoch_columns, add_epoch),
    INSPECT_SECTION("What epochs move in every pool", "accesses", true, access_columns, add_accesses),
    INSPECT_SECTION("Operators of the epochs", "operators", true, op_columns, add_ops)};
