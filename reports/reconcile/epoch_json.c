#include "reports/reconcile/epoch_json.h"

static void put_flow(jsonout *j, const roof_flow *f)
{
    if (f->read_bytes == ROOF_UNKNOWN && f->write_bytes == ROOF_UNKNOWN)
        return;
    jsonout_object(j, f->name, true);
    jsonout_count(j, "read_bytes", f->read_bytes);
    jsonout_count(j, "write_bytes", f->write_bytes);
    jsonout_derived(j, "peak_bytes_per_s", f->peak_bytes_per_s);
    jsonout_derived(j, "average_bytes_per_s", f->average_bytes_per_s);
    jsonout_derived(j, "use_ratio", f->use_ratio);
    jsonout_end(j);
}

static void put_flows(jsonout *j, const roof_measured_epoch *e)
{
    jsonout_object(j, "pools", false);
    for (uint32_t i = 0; i < e->n_pools; i++)
        put_flow(j, &e->pools[i]);
    jsonout_end(j);
    jsonout_derived(j, "pools_peak_bytes_per_s", e->all_pools.peak_bytes_per_s);
    jsonout_derived(j, "pools_average_bytes_per_s", e->all_pools.average_bytes_per_s);
    jsonout_object(j, "buses", false);
    for (int i = 0; i < ROOF_BUS_INTERFACES; i++)
        put_flow(j, &e->buses[i]);
    jsonout_end(j);
    jsonout_derived(j, "buses_peak_bytes_per_s", e->all_buses.peak_bytes_per_s);
}

static void put_cycles(jsonout *j, const char *key, const uint64_t cycles[ROOF_EPOCH_PHASES])
{
    static const char *const phases[ROOF_EPOCH_PHASES] = {"pre", "core", "post"};
    jsonout_object(j, key, true);
    for (int i = 0; i < ROOF_EPOCH_PHASES; i++)
        jsonout_count(j, phases[i], cycles[i]);
    jsonout_end(j);
}

static void put_figures(jsonout *j, const roof_measured_epoch *e)
{
    jsonout_derived(j, "total_s", e->total_s);
    jsonout_derived(j, "core_s", e->core_s);
    jsonout_derived(j, "time_share_ratio", e->time_share_ratio);
    put_cycles(j, "mcu_cycles", e->mcu_cycles);
    put_cycles(j, "npu_cycles", e->npu_cycles);
    jsonout_count(j, "npu_total_cycles", e->npu_total_cycles);
    jsonout_bool(j, "npu_total_is_converted", e->npu_total_is_converted);
    jsonout_count(j, "ops_count", e->ops_count);
    jsonout_count(j, "compute_cycles", e->compute_cycles);
    jsonout_count(j, "vendor_cycles", e->vendor_cycles);
    jsonout_derived(j, "vendor_error_ratio", e->vendor_error_ratio);
    jsonout_derived(j, "compute_ratio", e->compute_ratio);
    jsonout_derived(j, "core_compute_ratio", e->core_compute_ratio);
    jsonout_derived(j, "ideal_ops_per_s", e->ideal_ops_per_s);
    jsonout_derived(j, "vendor_ops_per_s", e->vendor_ops_per_s);
    jsonout_derived(j, "core_ops_per_s", e->core_ops_per_s);
    jsonout_derived(j, "measured_ops_per_s", e->measured_ops_per_s);
    jsonout_derived(j, "busiest_stream_ratio", e->busiest_stream_ratio);
    jsonout_count(j, "busiest_stream", e->busiest_stream == ROOF_NONE ? ROOF_UNKNOWN : e->busiest_stream);
    jsonout_string(j, "nearest", e->nearest);
    jsonout_derived(j, "nearest_ratio", e->nearest_ratio);
    put_flows(j, e);
}

static void put_types(jsonout *j, const roof_epochs *e)
{
    jsonout_array(j, "types", false);
    for (uint32_t i = 0; i < e->n_types; i++) {
        jsonout_object(j, NULL, true);
        jsonout_string(j, "type", e->types[i].type);
        jsonout_count(j, "number", e->types[i].n);
        jsonout_derived(j, "total_s", e->types[i].total_s);
        jsonout_derived(j, "outside_core_s", e->types[i].outside_core_s);
        jsonout_derived(j, "time_share_ratio", e->types[i].time_share_ratio);
        jsonout_end(j);
    }
    jsonout_end(j);
}

void markdown_epochs(jsonout *j, const roof_epochs *e)
{
    if (!e)
        return;
    jsonout_object(j, "epochs", false);
    jsonout_number(j, "mcu_hz", e->mcu_hz);
    jsonout_number(j, "npu_hz", e->npu_hz);
    jsonout_derived(j, "ideal_inferences_per_s", e->ideal_inferences_per_s);
    jsonout_derived(j, "vendor_inferences_per_s", e->vendor_inferences_per_s);
    jsonout_derived(j, "measured_inferences_per_s", e->measured_inferences_per_s);
    jsonout_object(j, "total", false);
    put_figures(j, &e->total);
    jsonout_end(j);
    put_types(j, e);
    jsonout_array(j, "rows", false);
    for (uint32_t i = 0; i < e->n_rows; i++) {
        jsonout_object(j, NULL, false);
        jsonout_string(j, "name", e->rows[i].name);
        jsonout_string(j, "type", e->rows[i].type);
        put_figures(j, &e->rows[i]);
        jsonout_end(j);
    }
    jsonout_end(j);
    jsonout_end(j);
}
