/* The member "plan" of a roofline.inspection/1. */
#include "reports/inspect/inspect_json.h"

#include <math.h>

static void put_pools(roof_jsonout *j, const inspect_view *v)
{
    const roof_plan *plan = v->graph->plan;
    const inspect_moved *moved = inspect_plan_moved_by_pool(v);
    j->out->failed = j->out->failed || !moved;
    roof_jsonout_array(j, "pools", false);
    for (uint32_t i = 0; moved && i < plan->n_pools; i++) {
        const roof_pool *p = &plan->pools[i];
        roof_jsonout_object(j, NULL, false);
        roof_jsonout_string(j, "name", p->name);
        roof_jsonout_count(j, "address", p->address);
        roof_jsonout_count(j, "size_bytes", p->size_bytes);
        roof_jsonout_count(j, "used_bytes", p->used_bytes);
        inspect_json_index(j, "byte_width", p->byte_width, 0);
        if (isnan(p->freq_ratio))
            roof_jsonout_null(j, "freq_ratio");
        else
            roof_jsonout_number(j, "freq_ratio", p->freq_ratio);
        roof_jsonout_string(j, "holds", inspect_content_word(p->content));
        roof_jsonout_bool(j, "read_only", p->read_only);
        roof_jsonout_bool(j, "cached", p->cached);
        roof_jsonout_bool(j, "virtual", p->is_virtual);
        roof_jsonout_count(j, "read_bytes", moved[i].read_bytes);
        roof_jsonout_count(j, "write_bytes", moved[i].write_bytes);
        roof_jsonout_end(j);
    }
    roof_jsonout_end(j);
}

static void put_plan_ops(roof_jsonout *j, const inspect_view *v, const roof_epoch *e)
{
    roof_jsonout_array(j, "operators", false);
    for (uint32_t i = 0; i < e->n_ops; i++) {
        const roof_plan_op *op = &v->graph->plan->ops[e->first_op + i];
        roof_jsonout_object(j, NULL, true);
        roof_jsonout_string(j, "name", op->name);
        roof_jsonout_string(j, "kind", op->kind);
        inspect_json_text_or_null(j, "unit", op->unit);
        roof_jsonout_end(j);
    }
    roof_jsonout_end(j);
}

static void put_accesses(roof_jsonout *j, const inspect_view *v, const roof_epoch *e)
{
    const roof_plan *plan = v->graph->plan;
    if (e->moves_unknown) {
        roof_jsonout_null(j, "accesses");
        return;
    }
    roof_jsonout_array(j, "accesses", false);
    for (uint32_t i = 0; i < e->n_accesses; i++) {
        const roof_pool_access *a = &plan->accesses[e->first_access + i];
        roof_jsonout_object(j, NULL, true);
        roof_jsonout_string(j, "pool", plan->pools[a->pool].name);
        roof_jsonout_count(j, "read_bytes", a->read_bytes);
        roof_jsonout_count(j, "write_bytes", a->write_bytes);
        roof_jsonout_count(j, "read_cycles", a->read_cycles);
        roof_jsonout_count(j, "write_cycles", a->write_cycles);
        roof_jsonout_end(j);
    }
    roof_jsonout_end(j);
}

static void put_ports(roof_jsonout *j, const char *key, const uint64_t bytes[2])
{
    roof_jsonout_array(j, key, true);
    roof_jsonout_count(j, NULL, bytes[0]);
    roof_jsonout_count(j, NULL, bytes[1]);
    roof_jsonout_end(j);
}

static void put_epochs(roof_jsonout *j, const inspect_view *v)
{
    const roof_plan *plan = v->graph->plan;
    roof_jsonout_array(j, "epochs", false);
    for (uint32_t i = 0; i < plan->n_epochs; i++) {
        const roof_epoch *e = &plan->epochs[i];
        const char *kind = roof_epoch_kind_text(e->kind);
        roof_jsonout_object(j, NULL, false);
        roof_jsonout_string(j, "name", v->graph->layers[i].name);
        roof_jsonout_string(j, "kind", *kind ? kind : NULL);
        roof_jsonout_count(j, "ops_count", e->ops_count);
        roof_jsonout_count(j, "compute_cycles", e->compute_cycles);
        roof_jsonout_bool(j, "compute_from_streams", e->compute_from_streams);
        roof_jsonout_count(j, "stored_vendor_cycles", e->stored_vendor_cycles);
        roof_jsonout_count(j, "outside_bytes", e->moves_unknown ? ROOF_UNKNOWN : e->outside_bytes);
        inspect_json_text_or_null(j, "program", e->blob == ROOF_NONE ? "" : plan->blobs[e->blob].name);
        inspect_json_index(j, "convolution_units", e->conv_units, 0);
        inspect_json_index(j, "macs_per_unit", e->macs_per_unit, 0);
        put_ports(j, "port_read_bytes", e->port_read_bytes);
        put_ports(j, "port_write_bytes", e->port_write_bytes);
        put_plan_ops(j, v, e);
        put_accesses(j, v, e);
        roof_jsonout_end(j);
    }
    roof_jsonout_end(j);
}

static void put_programs(roof_jsonout *j, const inspect_view *v)
{
    const roof_plan *plan = v->graph->plan;
    roof_jsonout_array(j, "programs", false);
    for (uint32_t i = 0; i < plan->n_blobs; i++) {
        roof_jsonout_object(j, NULL, true);
        roof_jsonout_string(j, "name", plan->blobs[i].name);
        roof_jsonout_count(j, "epochs", inspect_blob_epochs(&plan->blobs[i]));
        roof_jsonout_end(j);
    }
    roof_jsonout_end(j);
}

static void put_differences(roof_jsonout *j, const inspect_view *v)
{
    const roof_plan *plan = v->graph->plan;
    inspect_json_text_or_null(j, "pools_path", plan->pools_path ? plan->pools_path : "");
    inspect_json_text_or_null(j, "report_path", plan->report_path ? plan->report_path : "");
    inspect_json_text_or_null(j, "report_differs", plan->report_differs ? plan->report_differs : "");
    roof_jsonout_array(j, "differences", false);
    for (uint32_t i = 0; i < plan->n_differences; i++) {
        const roof_pool_difference *d = &plan->differences[i];
        roof_jsonout_object(j, NULL, true);
        roof_jsonout_string(j, "pool", d->pool);
        roof_jsonout_string(j, "what", d->what);
        roof_jsonout_number(j, "plan", d->plan);
        roof_jsonout_number(j, "file", d->file);
        roof_jsonout_end(j);
    }
    roof_jsonout_end(j);
}

void inspect_json_plan(roof_jsonout *j, const inspect_view *v)
{
    if (!v->graph->plan) {
        roof_jsonout_null(j, "plan");
        return;
    }
    roof_jsonout_object(j, "plan", false);
    put_pools(j, v);
    put_differences(j, v);
    put_programs(j, v);
    put_epochs(j, v);
    roof_jsonout_end(j);
}
