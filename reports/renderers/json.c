/* roofline.prediction/1; docs/schema/prediction-1.schema.json. One layer a line: it diffs well and stays
 * small. */
#include "core/jsonout.h"
#include "reports/cells.h"
#include "reports/renderer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const char *bytes_source(roof_basis basis)
{
    static const char *const words[] = {[ROOF_BASIS_CODE] = "mc_code",
                                        [ROOF_BASIS_FILE] = "file",
                                        [ROOF_BASIS_FORMULA] = "tensors",
                                        [ROOF_BASIS_NONE] = NULL};
    return words[basis];
}

static const char *cycles_source(roof_basis basis)
{
    static const char *const words[] = {[ROOF_BASIS_CODE] = "mc_code",
                                        [ROOF_BASIS_FILE] = "file",
                                        [ROOF_BASIS_FORMULA] = "formula",
                                        [ROOF_BASIS_NONE] = NULL};
    return words[basis];
}

/* Only of a folder. */
static void put_beside(jsonout *j, const roof_prediction *p)
{
    if (!p->model.n_beside)
        return;
    jsonout_array(j, "beside", false);
    for (uint32_t i = 0; i < p->model.n_beside; i++)
        jsonout_string(j, NULL, p->model.beside[i]);
    jsonout_end(j);
}

static void put_model(jsonout *j, const roof_prediction *p)
{
    char fingerprint[24] = "";
    jsonout_object(j, "model", false);
    jsonout_string(j, "path", p->model.path);
    jsonout_string(j, "format", p->model.format);
    jsonout_string(j, "name", p->model.name);
    jsonout_string(j, "graph_hash", p->model.graph_hash);
    jsonout_string(j, "sha256", p->model.sha256);
    jsonout_string(j, "compiler", p->model.compiler);
    jsonout_string(j, "target", p->model.target);
    snprintf(fingerprint, sizeof fingerprint, "0x%016" PRIx64, p->model.fingerprint);
    jsonout_string(j, "fingerprint", p->model.fingerprint == ROOF_UNKNOWN ? NULL : fingerprint);
    jsonout_bool(j, "compiled", p->model.compiled);
    put_beside(j, p);
    jsonout_end(j);
}

static void put_ceilings(jsonout *j, const roof_prediction *p)
{
    jsonout_array(j, "ceilings", false);
    for (uint32_t i = 0; i < p->hardware.n_ceilings; i++) {
        const roof_ceiling *c = &p->hardware.ceilings[i];
        jsonout_object(j, NULL, true);
        jsonout_string(j, "engine", c->engine);
        jsonout_derived(j, "ops_per_s", c->ops_per_s);
        jsonout_derived(j, "bytes_per_s", c->bytes_per_s);
        jsonout_string(j, "meaning", c->meaning);
        jsonout_end(j);
    }
    jsonout_end(j);
}

static void put_constants(jsonout *j, const roof_prediction *p)
{
    jsonout_array(j, "constants", false);
    for (uint32_t i = 0; i < p->hardware.n_constants; i++) {
        const roof_quantity *q = &p->hardware.constants[i];
        jsonout_object(j, NULL, true);
        jsonout_string(j, "key", q->key);
        jsonout_number(j, "value", q->value);
        jsonout_string(j, "unit", q->unit);
        jsonout_string(j, "kind", roof_value_kind_text(q->kind));
        jsonout_string(j, "source", q->source);
        jsonout_end(j);
    }
    jsonout_end(j);
}

static void put_pools(jsonout *j, const roof_prediction *p)
{
    jsonout_array(j, "pools", false);
    for (uint32_t i = 0; i < p->hardware.n_pools; i++) {
        const roof_pool_rates *r = &p->hardware.pools[i];
        jsonout_object(j, NULL, true);
        jsonout_string(j, "name", r->name);
        jsonout_count(j, "byte_width", r->byte_width == ROOF_NONE ? ROOF_UNKNOWN : r->byte_width);
        jsonout_number(j, "freq_ratio", r->freq_ratio);
        jsonout_derived(j, "vendor_bytes_per_s", r->vendor_bytes_per_s);
        jsonout_number(j, "bytes_per_s", r->bytes_per_s);
        jsonout_bool(j, "from_file", r->from_file);
        jsonout_bool(j, "cached", r->cached);
        jsonout_count(j, "size_bytes", r->size_bytes);
        jsonout_count(j, "used_bytes", r->used_bytes);
        jsonout_count(j, "read_bytes", r->read_bytes);
        jsonout_count(j, "write_bytes", r->write_bytes);
        jsonout_end(j);
    }
    jsonout_end(j);
}

static void put_hardware(jsonout *j, const roof_prediction *p)
{
    jsonout_object(j, "hardware", false);
    jsonout_string(j, "id", p->hardware.id);
    jsonout_string(j, "name", p->hardware.name);
    jsonout_string(j, "board", p->hardware.board[0] ? p->hardware.board : NULL);
    jsonout_string(j, "family", p->hardware.family);
    jsonout_number(j, "clock_hz", p->hardware.clock_hz);
    jsonout_number(j, "bandwidth_bytes_per_s", p->hardware.bandwidth_bytes_per_s);
    jsonout_count(j, "cores", p->hardware.cores);
    jsonout_count(j, "batch_lanes", p->hardware.batch_lanes);
    jsonout_number(j, "launch_floor_s", p->hardware.launch_floor_s);
    jsonout_derived(j, "peak_ops_per_s", p->hardware.peak_ops_per_s);
    jsonout_string(j, "law", p->hardware.law);
    jsonout_string(j, "weakest_kind", roof_value_kind_text(p->hardware.weakest_kind));
    jsonout_string(j, "weakest_key", p->hardware.weakest_key[0] ? p->hardware.weakest_key : NULL);
    put_ceilings(j, p);
    put_constants(j, p);
    if (p->hardware.pools)
        put_pools(j, p);
    jsonout_end(j);
}

static void put_override(jsonout *j, const char *key, double value)
{
    jsonout_number(j, key, value > 0 ? value : NAN);
}

static void put_options(jsonout *j, const roof_prediction *p)
{
    jsonout_object(j, "options", true);
    jsonout_count(j, "batch", p->options.batch);
    put_override(j, "clock_hz", p->options.clock_hz);
    put_override(j, "bandwidth_bytes_per_s", p->options.bandwidth_bytes_per_s);
    jsonout_count(j, "cores", p->options.cores ? p->options.cores : ROOF_UNKNOWN);
    jsonout_end(j);
}

static void put_bytes(jsonout *j, const roof_traffic *t)
{
    jsonout_object(j, "bytes", true);
    jsonout_count(j, "weights", t->weights_bytes);
    jsonout_count(j, "input", t->input_bytes);
    jsonout_count(j, "output", t->output_bytes);
    jsonout_count(j, "instructions", t->instruction_bytes);
    if (t->unsplit_bytes)
        jsonout_count(j, "unsplit_reads", t->unsplit_bytes);
    jsonout_count(j, "total", roof_traffic_total(t));
    jsonout_end(j);
}

/* vendor: NULL, or what the compiler's own law says beside. */
static void put_cycles(jsonout *j, const roof_prediction *p, const roof_cost *cost, const uint64_t *vendor)
{
    jsonout_object(j, "cycles", true);
    for (uint32_t e = 0; e < p->n_engines; e++)
        jsonout_count(j, p->engines[e], cost->cycles[e]);
    jsonout_count(j, "ideal", cost->ideal_cycles);
    if (vendor)
        jsonout_count(j, "vendor", *vendor);
    jsonout_end(j);
}

static void put_cost(jsonout *j, const roof_prediction *p, const roof_cost *cost, const uint64_t *vendor)
{
    put_bytes(j, &cost->traffic);
    jsonout_string(j, "bytes_source", bytes_source(cost->bytes_basis));
    put_cycles(j, p, cost, vendor);
    jsonout_string(j, "cycles_source", cycles_source(cost->cycles_basis));
    jsonout_string(j, "bound", cost->bound == ROOF_NONE ? NULL : p->engines[cost->bound]);
    jsonout_derived(j, "ideal_s", cost->ideal_s);
}

/* What only layers of a plan have: the compiler's estimate, and what is moved in every pool. */
static void put_plan(jsonout *j, const roof_prediction *p, const roof_layer_prediction *l)
{
    jsonout_count(j, "stored_vendor_cycles", l->estimate.stored_cycles);
    jsonout_string(j, "vendor_bound", l->estimate.bound == ROOF_NONE ? NULL : p->engines[l->estimate.bound]);
    jsonout_object(j, "pools", true);
    for (uint32_t e = 0; e < p->n_engines; e++) {
        roof_transfer t = roof_layer_transfer(p, l, e);
        if (!t.read_bytes && !t.write_bytes)
            continue;
        jsonout_object(j, p->engines[e], true);
        jsonout_count(j, "read_bytes", t.read_bytes);
        jsonout_count(j, "write_bytes", t.write_bytes);
        jsonout_end(j);
    }
    jsonout_end(j);
}

static void put_layer(jsonout *j, const roof_prediction *p, const roof_layer_prediction *l)
{
    jsonout_object(j, NULL, true);
    jsonout_count(j, "index", l->index);
    jsonout_string(j, "name", l->name);
    jsonout_string(j, "subgraph", l->subgraph);
    jsonout_string(j, "type", l->type);
    jsonout_array(j, "ops", true);
    for (uint32_t i = 0; i < l->n_ops; i++)
        jsonout_string(j, NULL, l->ops[i]);
    jsonout_end(j);
    jsonout_string(j, "device", l->device);
    jsonout_string(j, "shape", l->shape);
    jsonout_bool(j, "skip_code_gen", l->executor == ROOF_BY_NOBODY);
    jsonout_count(j, "macs", l->macs);
    jsonout_count(j, "array_macs", l->array_macs);
    jsonout_count(j, "ops_count", l->ops_count);
    jsonout_count(j, "workload_ops", l->workload_ops);
    jsonout_count(j, "stored_workload_ops", l->stored_workload_ops);
    put_cost(j, p, &l->deployed, p->hardware.pools ? &l->estimate.cycles : NULL);
    if (p->hardware.pools)
        put_plan(j, p, l);
    jsonout_derived(j, "predicted_s", l->predicted_s);
    jsonout_string(j, "roof", l->roof == ROOF_NONE ? NULL : p->engines[l->roof]);
    jsonout_count(j, "roof_ops_count", l->roof_ops_count);
    jsonout_derived(j, "intensity_ops_per_byte", l->intensity_ops_per_byte);
    jsonout_derived(j, "attainable_ops_per_s", l->attainable_ops_per_s);
    jsonout_derived(j, "utilisation_ratio", l->utilisation_ratio);
    if (l->has_alone) {
        jsonout_object(j, "per_layer", true);
        put_cost(j, p, &l->alone, NULL);
        jsonout_end(j);
    } else {
        jsonout_null(j, "per_layer");
    }
    jsonout_end(j);
}

/* Only there when a calibration was given. */
static void put_expected(jsonout *j, const roof_prediction *p)
{
    jsonout_array(j, "predicted_ci95_s", true);
    jsonout_derived(j, NULL, p->total.predicted_ci95_s[0]);
    jsonout_derived(j, NULL, p->total.predicted_ci95_s[1]);
    jsonout_end(j);
    jsonout_string(j, "predicted_from", p->calibration);
}

static void put_total(jsonout *j, const roof_prediction *p)
{
    const roof_cost *cost = &p->total.deployed;
    jsonout_object(j, "total", false);
    jsonout_count(j, "layers", p->total.layers);
    jsonout_count(j, "boundaries", p->total.boundaries);
    jsonout_count(j, "macs", p->total.macs);
    jsonout_count(j, "array_macs", p->total.array_macs);
    jsonout_count(j, "ops_count", p->total.ops_count);
    jsonout_count(j, "workload_ops", p->total.workload_ops);
    jsonout_count(j, "stored_workload_ops", p->total.stored_workload_ops);
    put_bytes(j, &cost->traffic);
    put_cycles(j, p, cost, p->hardware.pools ? &p->total.estimate.cycles : NULL);
    if (p->hardware.pools) {
        jsonout_count(j, "stored_vendor_cycles", p->total.estimate.stored_cycles);
        jsonout_count(j, "host_layers", p->total.host_layers);
    }
    jsonout_count(j, "ideal_cycles", cost->ideal_cycles);
    jsonout_derived(j, "ideal_s", cost->ideal_s);
    jsonout_string(j, "bound", cost->bound == ROOF_NONE ? NULL : p->engines[cost->bound]);
    jsonout_count(j, "floor_cycles", p->total.floor_cycles);
    jsonout_derived(j, "floor_s", p->total.floor_s);
    jsonout_string(j, "floor_bound",
                   p->total.floor_bound == ROOF_NONE ? NULL : p->engines[p->total.floor_bound]);
    jsonout_string(j, "estimate_of", p->estimate_of);
    jsonout_derived(j, "predicted_s", p->total.predicted_s);
    if (p->calibration)
        put_expected(j, p);
    jsonout_derived(j, "intensity_ops_per_byte", p->total.intensity_ops_per_byte);
    jsonout_derived(j, "inferences_per_s", p->total.inferences_per_s);
    jsonout_derived(j, "unattributed_bytes_ratio", p->total.unattributed_bytes_ratio);
    jsonout_derived(j, "unattributed_cycles_ratio", p->total.unattributed_cycles_ratio);
    if (p->total.has_alone) {
        jsonout_object(j, "per_layer", false);
        put_bytes(j, &p->total.alone.traffic);
        put_cycles(j, p, &p->total.alone, NULL);
        jsonout_derived(j, "ideal_s", p->total.alone.ideal_s);
        jsonout_end(j);
    } else {
        jsonout_null(j, "per_layer");
    }
    jsonout_end(j);
}

static void put_findings(jsonout *j, const roof_prediction *p)
{
    jsonout_array(j, "findings", false);
    for (uint32_t i = 0; i < p->n_findings; i++) {
        const roof_finding *f = &p->findings[i];
        jsonout_object(j, NULL, true);
        jsonout_string(j, "kind", roof_finding_kind_text(f->kind));
        jsonout_string(j, "layer", f->layer);
        jsonout_string(j, "text", f->text);
        jsonout_string(j, "advice", roof_finding_advice(f->kind));
        jsonout_end(j);
    }
    jsonout_end(j);
}

static roof_status render_prediction(const roof_prediction *p, const roof_render_options *options,
                                     textbuf *out, roof_error *err)
{
    jsonout j;
    (void)options;
    jsonout_begin(&j, out);
    jsonout_object(&j, NULL, false);
    jsonout_string(&j, "schema", ROOF_PREDICTION_SCHEMA);
    jsonout_array(&j, "verdict", false);
    jsonout_string(&j, NULL, p->verdict[0]);
    jsonout_string(&j, NULL, p->verdict[1]);
    jsonout_end(&j);
    put_model(&j, p);
    put_hardware(&j, p);
    put_options(&j, p);
    jsonout_array(&j, "layers", false);
    for (uint32_t i = 0; i < p->n_layers; i++)
        put_layer(&j, p, &p->layers[i]);
    jsonout_end(&j);
    put_total(&j, p);
    put_findings(&j, p);
    jsonout_end(&j);
    return text_status(out, err);
}

const renderer_def renderer_json = {
    .id = "json",
    .prediction = render_prediction,
    .graph = inspect_json,
    .reconciliation = reconcile_json,
};
