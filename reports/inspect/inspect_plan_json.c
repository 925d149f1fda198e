/* The member "plan" of a roofline.inspection/1. */
#include "reports/inspect/inspect_json.h"

#include <math.h>

static void put_pools(jsonout *j, const inspect_view *v)
{
    const roof_plan *plan = roof_plan_of(v->graph);
    const inspect_moved *moved = inspect_plan_moved_by_pool(v);
    j->out->failed = j->out->failed || !moved;
    jsonout_array(j, "pools", false);
    for (uint32_t i = 0; moved && i < plan->n_pools; i++) {
        const roof_pool *p = &plan->pools[i];
        jsonout_object(j, NULL, false);
        jsonout_string(j, "name", p->name);
        jsonout_count(j, "address", p->address);
        jsonout_count(j, "size_bytes", p->size_bytes);
        jsonout_count(j, "used_bytes", p->used_bytes);
        inspect_json_index(j, "byte_width", p->byte_width, 0);
        if (isnan(p->freq_ratio))
            jsonout_null(j, "freq_ratio");
        else
            jsonout_number(j, "freq_ratio", p->freq_ratio);
        jsonout_string(j, "holds", inspect_content_word(p->content));
        jsonout_bool(j, "read_only", p->read_only);
        jsonout_bool(j, "cached", p->cached);
        jsonout_bool(j, "virtual", p->is_virtual);
        jsonout_count(j, "read_bytes", moved[i].read_bytes);
        jsonout_count(j, "write_bytes", moved[i].write_bytes);
        jsonout_end(j);
    }
    jsonout_end(j);
}

static void put_plan_ops(jsonout *j, const inspect_view *v, const roof_epoch *e)
{
    jsonout_array(j, "operators", false);
    for (uint32_t i = 0; i < e->n_ops; i++) {
        const roof_plan_op *op = &roof_plan_of(v->graph)->ops[e->first_op + i];
        jsonout_object(j, NULL, true);
        jsonout_string(j, "name", op->name);
        jsonout_string(j, "kind", op->kind);
        inspect_json_text_or_null(j, "unit", op->unit);
        jsonout_end(j);
    }
    jsonout_end(j);
}

static void put_accesses(jsonout *j, const inspect_view *v, const roof_epoch *e)
{
    const roof_plan *plan = roof_plan_of(v->graph);
    if (e->moves_unknown) {
        jsonout_null(j, "accesses");
        return;
    }
    jsonout_array(j, "accesses", false);
    for (uint32_t i = 0; i < e->n_accesses; i++) {
        const roof_pool_access *a = &plan->accesses[e->first_access + i];
        jsonout_object(j, NULL, true);
        jsonout_string(j, "pool", plan->pools[a->pool].name);
        jsonout_count(j, "read_bytes", a->read_bytes);
        jsonout_count(j, "write_bytes", a->write_bytes);
        jsonout_count(j, "read_cycles", a->read_cycles);
        jsonout_count(j, "write_cycles", a->write_cycles);
        jsonout_end(j);
    }
    jsonout_end(j);
}

static void put_ports(jsonout *j, const char *key, const uint64_t bytes[2])
{
    jsonout_array(j, key, true);
    jsonout_count(j, NULL, bytes[0]);
    jsonout_count(j, NULL, bytes[1]);
    jsonout_end(j);
}

static void put_epochs(jsonout *j, const inspect_view *v)
{
    const roof_plan *plan = roof_plan_of(v->graph);
    jsonout_array(j, "epochs", false);
    for (uint32_t i = 0; i < plan->n_epochs; i++) {
        const roof_epoch *e = &plan->epochs[i];
        const char *kind = roof_epoch_kind_text(e->kind);
        jsonout_object(j, NULL, false);
        jsonout_string(j, "name", v->graph->layers[i].name);
        jsonout_string(j, "kind", *kind ? kind : NULL);
        jsonout_count(j, "ops_count", e->ops_count);
        jsonout_count(j, "compute_cycles", e->compute_cycles);
        jsonout_bool(j, "compute_from_streams", e->compute_from_streams);
        jsonout_count(j, "stored_vendor_cycles", e->stored_vendor_cycles);
        jsonout_count(j, "outside_bytes", e->moves_unknown ? ROOF_UNKNOWN : e->outside_bytes);
        inspect_json_text_or_null(j, "program", e->blob == ROOF_NONE ? "" : plan->blobs[e->blob].name);
        inspect_json_index(j, "convolution_units", e->conv_units, 0);
        inspect_json_index(j, "macs_per_unit", e->macs_per_unit, 0);
        put_ports(j, "port_read_bytes", e->port_read_bytes);
        put_ports(j, "port_write_bytes", e->port_write_bytes);
        put_plan_ops(j, v, e);
        put_accesses(j, v, e);
        jsonout_end(j);
    }
    jsonout_end(j);
}

static void put_programs(jsonout *j, const inspect_view *v)
{
    const roof_plan *plan = roof_plan_of(v->graph);
    jsonout_array(j, "programs", false);
    for (uint32_t i = 0; i < plan->n_blobs; i++) {
        jsonout_object(j, NULL, true);
        jsonout_string(j, "name", plan->blobs[i].name);
        jsonout_count(j, "epochs", inspect_blob_epochs(&plan->blobs[i]));
        jsonout_end(j);
    }
    jsonout_end(j);
}

static void put_differences(jsonout *j, const inspect_view *v)
{
    const roof_plan *plan = roof_plan_of(v->graph);
    inspect_json_text_or_null(j, "pools_path", plan->pools_path ? plan->pools_path : "");
    inspect_json_text_or_null(j, "report_path", plan->report_path ? plan->report_path : "");
    inspect_json_text_or_null(j, "report_differs", plan->report_differs ? plan->report_differs : "");
    jsonout_array(j, "differences", false);
    for (uint32_t i = 0; i < plan->n_differences; i++) {
        const roof_pool_difference *d = &plan->differences[i];
        jsonout_object(j, NULL, true);
        jsonout_string(j, "pool", d->pool);
        jsonout_string(j, "what", d->what);
        jsonout_number(j, "plan", d->in_plan);
        jsonout_number(j, "file", d->in_file);
        jsonout_end(j);
    }
    jsonout_end(j);
}

void inspect_json_plan(jsonout *j, const inspect_view *v)
{
    if (!roof_plan_of(v->graph)) {
        jsonout_null(j, "plan");
        return;
    }
    jsonout_object(j, "plan", false);
    put_pools(j, v);
    put_differences(j, v);
    put_programs(j, v);
    put_epochs(j, v);
    jsonout_end(j);
}
