/* roofline.reconciliation/1; docs/schema/reconciliation-1.schema.json. One match a line. Times that close to
 * a sum are written so that they read back as the same doubles. */
#include "core/json/codec.h"
#include "core/json/remark_codec.h"
#include "measure/profile/phases.h"
#include "measure/matches/match_facts.h"
#include "model/documents/documents.h"
#include "model/predict/cause_facts.h"
#include "reports/renderers/renderer.h"
#include "reports/tables/reconcile/reconcile_tables.h"
#include "roofline/epochs.h"
#include "roofline/words.h"

/* --- epochs ------------------------------------------------------------------------------------------- */

#define FLOW(member, kind, how) CODEC(roof_flow, member, kind, how)

/* Rows that come so near to an inference are all of it. */
#define ALL_OF_TIME 0.05

static const codec_member flow_members[] = {{FLOW(read_bytes, COUNT, ALWAYS)},
                                            {FLOW(write_bytes, COUNT, ALWAYS)},
                                            {FLOW(peak_bytes_per_s, NUMBER, DERIVED)},
                                            {FLOW(average_bytes_per_s, NUMBER, DERIVED)},
                                            {FLOW(use_ratio, NUMBER, DERIVED)}};

/* Flows with known bytes: of the pools, or of the buses. */
static void write_flows(codec *c, const char *key, const void *target)
{
    const roof_measured_epoch *e = target;
    const bool are_pools = *key == 'p';
    jsonout_object(c->out, key, false);
    FOR_EACH(const roof_flow, f, are_pools ? e->pools : e->buses,
             are_pools ? e->n_pools : ROOF_BUS_INTERFACES)
        if (f->read_bytes != ROOF_UNKNOWN || f->write_bytes != ROOF_UNKNOWN)
            codec_write_object(c, f->name, CODEC_LINE_OF(flow_members), f);
    jsonout_end(c->out);
}

/* Before, while and after the NPU works. */
static const codec_member cycles_members[ROOF_EPOCH_PHASES] = {
    {.key = "pre", .kind = CODEC_COUNT, .offset = 0},
    {.key = "core", .kind = CODEC_COUNT, .offset = sizeof(uint64_t)},
    {.key = "post", .kind = CODEC_COUNT, .offset = 2 * sizeof(uint64_t)}};
static const codec_object cycles_object = {CODEC_ROWS(cycles_members), .one_line = true};

#define EPOCH(member, kind, how) CODEC(roof_measured_epoch, member, kind, how)
#define FIGURES                                                                                              \
    {EPOCH(total_s, NUMBER, DERIVED)}, {EPOCH(core_s, NUMBER, DERIVED)}, {EPOCH(ideal_s, NUMBER, DERIVED)},  \
        {EPOCH(time_share_ratio, NUMBER, DERIVED)},                                                          \
        {CODEC_IN("mcu_cycles", offsetof(roof_measured_epoch, mcu_cycles), &cycles_object)},                 \
        {CODEC_IN("npu_cycles", offsetof(roof_measured_epoch, npu_cycles), &cycles_object)},                 \
        {EPOCH(npu_total_cycles, COUNT, ALWAYS)}, {EPOCH(npu_total_is_converted, BOOL, ALWAYS)},             \
        {EPOCH(ops_count, COUNT, ALWAYS)}, {EPOCH(compute_cycles, COUNT, ALWAYS)},                           \
        {EPOCH(vendor_cycles, COUNT, ALWAYS)}, {EPOCH(vendor_error_ratio, NUMBER, DERIVED)},                 \
        {EPOCH(compute_ratio, NUMBER, DERIVED)}, {EPOCH(core_compute_ratio, NUMBER, DERIVED)},               \
        {EPOCH(ideal_ops_per_s, NUMBER, DERIVED)}, {EPOCH(vendor_ops_per_s, NUMBER, DERIVED)},               \
        {EPOCH(core_ops_per_s, NUMBER, DERIVED)}, {EPOCH(measured_ops_per_s, NUMBER, DERIVED)},              \
        {EPOCH(busiest_stream_ratio, NUMBER, DERIVED)}, {EPOCH(busiest_stream, SMALL, ALWAYS)},              \
        {EPOCH(nearest, TEXT, ALWAYS)}, {EPOCH(nearest_ratio, NUMBER, DERIVED)},                             \
        {CODEC_BY("pools", 0, NULL, write_flows)},                                                           \
        {CODEC_AS("pools_peak_bytes_per_s", roof_measured_epoch, all_pools.peak_bytes_per_s, NUMBER,         \
                  DERIVED)},                                                                                 \
        {CODEC_AS("pools_average_bytes_per_s", roof_measured_epoch, all_pools.average_bytes_per_s, NUMBER,   \
                  DERIVED)},                                                                                 \
        {CODEC_BY("buses", 0, NULL, write_flows)},                                                           \
    {                                                                                                        \
        CODEC_AS("buses_peak_bytes_per_s", roof_measured_epoch, all_buses.peak_bytes_per_s, NUMBER, DERIVED) \
    }

static const codec_member total_members[] = {FIGURES};
static const codec_member row_members[] = {{EPOCH(name, TEXT, ALWAYS)}, {EPOCH(type, TEXT, ALWAYS)}, FIGURES};

#define TYPE(member, kind, how) CODEC(roof_epoch_type, member, kind, how)

static const codec_member type_members[] = {{TYPE(type, TEXT, ALWAYS)},
                                            {CODEC_AS("number", roof_epoch_type, n, SMALL, ALWAYS)},
                                            {TYPE(total_s, NUMBER, DERIVED)},
                                            {TYPE(outside_core_s, NUMBER, DERIVED)},
                                            {TYPE(time_share_ratio, NUMBER, DERIVED)}};

#define EPOCHS(member, how) CODEC(roof_epochs, member, NUMBER, how)

static const codec_member epochs_members[] = {
    {EPOCHS(mcu_hz, ALWAYS)},
    {EPOCHS(npu_hz, ALWAYS)},
    {EPOCHS(ideal_inferences_per_s, DERIVED)},
    {EPOCHS(vendor_inferences_per_s, DERIVED)},
    {EPOCHS(measured_inferences_per_s, DERIVED)},
    {CODEC_IN("total", offsetof(roof_epochs, total), CODEC_TABLE(total_members))},
    {CODEC_ITEMS("types", roof_epochs, types, n_types, CODEC_LINE_OF(type_members), ROOF_MAX_EPOCH_TYPES,
                 INLINE)},
    {CODEC_ITEMS("rows", roof_epochs, rows, n_rows, CODEC_TABLE(row_members), UINT32_MAX, ALWAYS)},
};

/* --- an experiment ------------------------------------------------------------------------------------- */

static void put_attribution(jsonout *j, const char *key, const roof_attribution *a, bool are_phases)
{
    if (!a->of) {
        jsonout_null(j, key);
        return;
    }
    jsonout_object(j, key, false);
    jsonout_string(j, "of", a->of);
    jsonout_number(j, "total_s", a->total_s);
    jsonout_number(j, "attributed_s", a->attributed_s);
    jsonout_number(j, "unattributed_s", a->unattributed_s);
    jsonout_array(j, "parts", false);
    for (uint32_t i = 0; i < a->n_parts; i++) {
        jsonout_object(j, NULL, true);
        jsonout_string(j, "name", a->parts[i].name);
        if (are_phases)
            jsonout_string(j, "kind", a->parts[i].kind);
        jsonout_derived(j, "seconds", a->parts[i].seconds);
        jsonout_derived(j, "share_ratio", a->parts[i].share_ratio);
        jsonout_string(j, "meaning", roof_part_meaning(a->parts[i].id));
        jsonout_end(j);
    }
    jsonout_end(j);
    jsonout_end(j);
}

/* The attribution is of the per-layer run; without one, of the whole-network run. */
static void put_total(jsonout *j, const roof_reconciliation *r, const roof_reconciled *e)
{
    const roof_attribution *a = e->layer_by_layer.of ? &e->layer_by_layer : &e->deployed;
    jsonout_object(j, "total", false);
    jsonout_derived(j, "bypass_s", e->total.bypass_s);
    jsonout_derived(j, "per_layer_s", e->total.per_layer_s);
    jsonout_derived(j, "sum_of_layers_s", e->total.sum_of_layers_s);
    jsonout_derived(j, "listed_s", e->total.listed_s);
    jsonout_derived(j, "ideal_s", e->total.ideal_s);
    jsonout_derived(j, "floor_s", e->total.floor_s);
    jsonout_derived(j, "best_s", e->total.best_s);
    jsonout_derived(j, "expected_s", e->total.expected_s);
    jsonout_derived(j, "ideal_per_layer_s", e->total.ideal_per_layer_s);
    jsonout_derived(j, "corrected_s", e->total.corrected_s);
    jsonout_derived_pair(j, "corrected_ci95_s", e->total.corrected_ci95_s);
    jsonout_derived(j, "corrected_error_ratio", e->total.corrected_error_ratio);
    jsonout_derived(j, "left_out_error_ratio", e->total.left_out_error_ratio);
    jsonout_derived(j, "rule_error_ratio", e->total.rule_error_ratio);
    jsonout_derived(j, "rule_total_error_ratio", e->total.rule_total_error_ratio);
    jsonout_number(j, "measured_s", a->of ? a->total_s : NAN);
    jsonout_number(j, "attributed_s", a->of ? a->attributed_s : NAN);
    jsonout_number(j, "unattributed_s", a->of ? a->unattributed_s : NAN);
    jsonout_derived(j, "inflation_ratio", e->total.inflation_ratio);
    jsonout_derived(j, "host_s", e->total.host_s);
    const roof_answer efficiency = experiment_efficiency(e);
    jsonout_derived(j, "efficiency_ratio", e->total.efficiency_ratio);
    jsonout_answer(j, "efficiency", &efficiency);
    jsonout_object(j, "limits", true);
    jsonout_count(j, "rows", e->total.limits.rows);
    jsonout_count(j, "rows_all", e->total.limits.rows_all);
    jsonout_derived(j, "time_ratio", e->total.limits.time_ratio);
    jsonout_derived(j, "times_limit", e->total.limits.of_rows);
    jsonout_end(j);
    jsonout_derived(j, "extra_bytes", e->total.extra_bytes);
    const char *source = e->total.extra_is_measured ? "measured" : "predicted";
    jsonout_string(j, "extra_bytes_source", isnan(e->total.extra_bytes) ? NULL : source);
    jsonout_derived_pair(j, "launch_s", e->total.launch_s);
    jsonout_derived_pair(j, "traffic_s", e->total.traffic_s);
    if (!isnan(e->total.merge_gain_s[0]))
        jsonout_derived_pair(j, "merge_gain_s", e->total.merge_gain_s);
    jsonout_count(j, "bytes_compared", e->total.bytes_compared);
    jsonout_count(j, "bytes_agree", e->total.bytes_agree);
    if (e->total.static_bytes_compared) {
        jsonout_count(j, "static_bytes_compared", e->total.static_bytes_compared);
        jsonout_count(j, "static_bytes_agree", e->total.static_bytes_agree);
    }
    if (phased_run(e))
        jsonout_string(j, "bound_by", roof_phase_kind_text(phases_bound(phased_run(e))));
    if (!isnan(r->buffer_bytes_per_s)) {
        double bytes = e->total.layer_weights_bytes + e->total.rest_weights_bytes;
        jsonout_derived(j, "buffer_bytes_per_s", r->buffer_bytes_per_s);
        jsonout_derived(j, "layer_weights_bytes", e->total.layer_weights_bytes);
        jsonout_derived(j, "rest_weights_bytes", e->total.rest_weights_bytes);
        jsonout_derived(j, "rewrite_s", bytes / r->buffer_bytes_per_s);
    }
    jsonout_end(j);
}

static void put_energy(jsonout *j, const roof_reconciled *e)
{
    const roof_energy *energy = &e->energy;
    if (isnan(energy->inference_j) && isnan(energy->above_idle_j) && isnan(energy->power_w))
        return;
    jsonout_object(j, "energy", true);
    jsonout_string(j, "basis", roof_energy_basis_text(energy->basis));
    jsonout_string(j, "mode", roof_run_mode_text(energy->mode));
    jsonout_string(j, "scope", energy->scope);
    jsonout_derived(j, "time_s", energy->time_s);
    jsonout_derived(j, "inference_j", energy->inference_j);
    jsonout_derived(j, "above_idle_j", energy->above_idle_j);
    jsonout_derived(j, "power_w", energy->power_w);
    jsonout_derived(j, "idle_power_w", energy->idle_power_w);
    jsonout_derived(j, "inferences_per_j", energy->inferences_per_j);
    jsonout_derived(j, "ops_per_j", energy->ops_per_j);
    jsonout_end(j);
}

static void put_sentence(jsonout *j, const char *key, const roof_reconciliation *r, roof_sentence_kind kind,
                         uint32_t i)
{
    char text[ROOF_SENTENCE_SIZE];
    jsonout_string(j, key, roof_sentence(r, kind, i, text));
}

/* Facts that a profile tells by itself. */
static void put_profile(jsonout *j, const roof_reconciled *e)
{
    enum { MOST = 16 };
    static const char *const bases[] = {NULL, "times", "shares", "cycles"};
    const roof_profile *p = e->profile;
    if (!p)
        return;
    jsonout_object(j, "profile", false);
    jsonout_string(j, "tool", p->tool);
    jsonout_string(j, "devices", p->devices);
    jsonout_string(j, "basis", bases[p->basis]);
    jsonout_bool(j, "is_estimated", p->is_estimated);
    jsonout_derived(j, "total", p->basis ? p->total : (double)NAN);
    jsonout_derived(j, "cov_ratio", p->cov_ratio);
    jsonout_derived(j, "tail_ratio", p->tail_ratio);
    jsonout_array(j, p->is_by_kind ? "kinds" : "names", false);
    for (uint32_t i = 0; i < p->n_parts && i < MOST; i++) {
        jsonout_object(j, NULL, true);
        jsonout_string(j, "name", p->parts[i].name);
        jsonout_count(j, "rows", p->parts[i].rows);
        jsonout_count(j, "launches", p->parts[i].launches);
        jsonout_derived(j, "share_ratio", p->parts[i].share_ratio);
        jsonout_end(j);
    }
    jsonout_end(j);
    if (e->layer_run && e->layer_run->span_s > 0) {
        jsonout_derived(j, "span_s", e->layer_run->span_s);
        jsonout_derived(j, "busy_s", e->layer_run->busy_s);
    }
    jsonout_string(j, "next", p->next);
    jsonout_end(j);
}

static void put_experiment(jsonout *j, const roof_reconciliation *r, uint32_t index)
{
    const roof_reconciled *e = &r->experiments[index];
    jsonout_object(j, NULL, false);
    jsonout_string(j, "model", e->model);
    jsonout_string(j, "graph_hash", e->prediction ? e->prediction->model.graph_hash : NULL);
    jsonout_string(j, "hardware", e->hardware_id);
    put_sentence(j, "not_compared", r, ROOF_SENTENCE_NOT_COMPARED, index);
    if (e->is_recording)
        jsonout_bool(j, "whole_recording", true);
    jsonout_count(j, "boundaries", e->boundaries == ROOF_NONE ? ROOF_UNKNOWN : e->boundaries);
    jsonout_derived(j, "boundary_cost_s", e->boundary_cost_s);
    put_sentence(j, "boundary_cost_source", r, ROOF_SENTENCE_BOUNDARY, index);
    put_total(j, r, e);
    const roof_run *run = e->per_layer ? e->per_layer : e->bypass;
    if (run && run->memory_bytes != ROOF_UNKNOWN)
        jsonout_count(j, "memory_bytes", run->memory_bytes);
    if (run && run->trend.steps != ROOF_UNKNOWN) {
        const roof_trend *t = &run->trend;
        jsonout_object(j, "trend", true);
        jsonout_count(j, "steps", t->steps);
        jsonout_derived(j, "first_s", t->first_s);
        jsonout_derived(j, "middle_s", t->middle_s);
        jsonout_derived(j, "last_s", t->last_s);
        jsonout_derived(j, "min_s", t->min_s);
        jsonout_derived(j, "max_s", t->max_s);
        jsonout_derived(j, "mean_s", t->mean_s);
        jsonout_derived(j, "drift_s", t->last_s - t->first_s);
        jsonout_bool(j, "is_drift", trend_is_drift(t));
        jsonout_end(j);
    }
    put_energy(j, e);
    reconcile_put_statistics(j, "bypass_statistics", e->bypass ? &e->bypass->total : NULL);
    reconcile_put_statistics(j, "per_layer_statistics", e->per_layer ? &e->per_layer->total : NULL);
    put_attribution(j, "layer_by_layer", &e->layer_by_layer, false);
    put_attribution(j, "deployed", &e->deployed, false);
    put_attribution(j, "wall", &e->wall, true);
    const double whole_s = e->total.bypass_s > 0 ? e->total.bypass_s : roof_layered_seconds(e);
    const bool is_all = fabs(e->total.sum_of_layers_s - whole_s) <= ALL_OF_TIME * whole_s;
    const char *share_of = !isnan(experiment_overlapped_busy_s(e)) ? "busy" : is_all ? "all" : "listed";
    jsonout_array(j, "types", false);
    for (uint32_t i = 0; i < e->n_types; i++) {
        jsonout_object(j, NULL, true);
        jsonout_string(j, "type", e->types[i].type);
        jsonout_count(j, "layers", e->types[i].layers);
        jsonout_derived(j, "ideal_s", e->types[i].ideal_s);
        jsonout_derived(j, "measured_s", e->types[i].measured_s);
        jsonout_derived(j, "time_share_ratio", e->types[i].time_share_ratio);
        jsonout_string(j, "share_of", e->types[i].time_share_ratio >= 0 ? share_of : NULL);
        jsonout_end(j);
    }
    jsonout_end(j);
    put_profile(j, e);
    causes_put(j, e->causes, e->n_causes, &(cause_names){match_full_name, e, NULL, NULL},
               roof_remark_sentence);
    if (e->busy)
        busy_put_json(j, e);
    if (e->epochs)
        codec_write_object(&(codec){.out = j}, "epochs", CODEC_TABLE(epochs_members), e->epochs);
    matches_put_json(j, e);
    jsonout_end(j);
}

#define LINE(name, member, kind, how)                                                                        \
    {                                                                                                        \
        CODEC_AS(name, roof_line, member, kind, how)                                                         \
    }
/* NOLINTBEGIN(bugprone-macro-parentheses): names of members */
#define ESTIMATE(name)                                                                                       \
    LINE(#name "_s", name.value, NUMBER, DERIVED), LINE(#name "_se_s", name.se, NUMBER, DERIVED),            \
        LINE(#name "_ci95_s", name.ci95_low, PAIR, PLAIN_DERIVED)
/* NOLINTEND(bugprone-macro-parentheses) */
static const codec_member line_members[] = {
    ESTIMATE(slope), ESTIMATE(intercept), LINE("r2", r2, NUMBER, DERIVED),
    LINE("residual_std_s", residual_std, NUMBER, DERIVED), LINE("dof", dof, SMALL, ALWAYS)};
static const codec_object line_object = {CODEC_ROWS(line_members), .one_line = true};

static void put_other_line(jsonout *j, const char *key, const roof_line *line)
{
    if (line->known)
        codec_write_object(&(codec){.out = j}, key, &line_object, line);
    else
        jsonout_null(j, key);
}

/* The free line stands in the object itself, so that scripts find a slope and an intercept in one place;
 * `chosen` says which line is preferred. */
static void put_fit(jsonout *j, const char *key, const roof_reconciliation *r, uint32_t which)
{
    const roof_overhead_fit *f = &r->fits[which];
    static const char *const kinds[] = {
        [ROOF_LINE_FREE] = "free", [ROOF_LINE_ORIGIN] = "through_origin", [ROOF_LINE_ROBUST] = "robust"};
    const roof_line *line = &f->fit.lines[ROOF_LINE_FREE];
    jsonout_object(j, key, false);
    jsonout_string(j, "x", f->x);
    jsonout_string(j, "y", f->y);
    put_sentence(j, "meaning", r, ROOF_SENTENCE_FIT_MEANING, which);
    jsonout_array(j, "points", false);
    for (size_t i = 0; i < f->fit.n; i++) {
        jsonout_object(j, NULL, true);
        jsonout_string(j, "model", r->experiments[f->experiments[i]].model);
        jsonout_derived(j, "x", f->points_x[i]);
        jsonout_derived(j, "y", f->points_y[i]);
        jsonout_derived(j, "residual_s", roof_overhead_residual(f, ROOF_LINE_FREE, i));
        jsonout_derived(j, "residual_through_origin_s", roof_overhead_residual(f, ROOF_LINE_ORIGIN, i));
        jsonout_end(j);
    }
    jsonout_end(j);
    if (line->known) {
        codec_write_members(&(codec){.out = j}, &line_object, line);
        put_other_line(j, "through_origin", &f->fit.lines[ROOF_LINE_ORIGIN]);
        put_other_line(j, "robust", &f->fit.lines[ROOF_LINE_ROBUST]);
    }
    jsonout_string(j, "chosen", line->known ? kinds[f->fit.chosen] : NULL);
    put_sentence(j, "why", r, ROOF_SENTENCE_FIT_REASON, which);
    put_sentence(j, "sentence", r, ROOF_SENTENCE_FIT, which);
    put_sentence(j, "advice", r, ROOF_SENTENCE_FIT_NEXT, which);
    jsonout_end(j);
}

static void put_ceiling(jsonout *j, const roof_reconciliation *r)
{
    if (isnan(r->ceiling.seconds)) {
        jsonout_null(j, "ceiling");
        return;
    }
    const roof_reconciled *e = &r->experiments[r->ceiling.experiment];
    jsonout_object(j, "ceiling", true);
    jsonout_derived(j, "seconds", r->ceiling.seconds);
    jsonout_string(j, "model", e->model);
    jsonout_string(j, "layer", e->matches[r->ceiling.unit].name);
    jsonout_string(j, "from", r->ceiling.is_mean ? "mean" : "fastest_sample");
    put_sentence(j, "sentence", r, ROOF_SENTENCE_CEILING, 0);
    jsonout_end(j);
}

/* Left out where there are none. */
static void put_loads(jsonout *j, const roof_reconciliation *r)
{
    if (!r->n_loads)
        return;
    jsonout_array(j, "loads", false);
    FOR_EACH(const roof_load_run, l, r->loads, r->n_loads) {
        const roof_run *run = l->run;
        jsonout_object(j, NULL, true);
        jsonout_string(j, "model", l->model);
        jsonout_string(j, "hardware", l->hardware);
        jsonout_count(j, "threads", run->threads);
        jsonout_count(j, "batch", run->batch == ROOF_NONE ? ROOF_UNKNOWN : run->batch);
        jsonout_derived(j, "frames_per_s", run->frames_per_s);
        jsonout_derived(j, "fitted_per_s", l->fitted_fps);
        jsonout_derived(j, "left_out_ratio", l->left_out_ratio);
        jsonout_derived(j, "law_per_s", l->law_fps);
        jsonout_string(j, "bound", isnan(l->fitted_fps) ? NULL : roof_load_bound_text(l->bound));
        jsonout_derived(j, "mean_s", l->latency_s);
        jsonout_bool(j, "mean_is_derived", l->latency_is_derived);
        jsonout_derived(j, "most_per_s", l->most_fps);
        jsonout_derived(j, "p50_s", run->total.median_s);
        jsonout_derived(j, "p95_s", run->total.p95_s);
        jsonout_derived(j, "p99_s", run->total.p99_s);
        jsonout_end(j);
    }
    jsonout_end(j);
}

/* Left out where there are no load runs. */
static void put_sweeps(jsonout *j, const roof_reconciliation *r)
{
    if (!r->n_sweeps)
        return;
    jsonout_array(j, "sweeps", false);
    FOR_EACH(const roof_sweep, sweep, r->sweeps, r->n_sweeps) {
        const roof_load_run *first = &r->loads[sweep->first_load];
        jsonout_object(j, NULL, true);
        jsonout_string(j, "model", first->model);
        jsonout_string(j, "hardware", first->hardware);
        jsonout_count(j, "cores", sweep->cores ? sweep->cores : ROOF_UNKNOWN);
        jsonout_derived(j, "service_s", sweep->service_s);
        jsonout_array(j, "service_range_s", true);
        jsonout_derived(j, NULL, sweep->service_range_s[0]);
        jsonout_derived(j, NULL, sweep->service_range_s[1]);
        jsonout_end(j);
        jsonout_derived(j, "contention_ratio", sweep->has_contention ? sweep->contention_ratio : (double)NAN);
        jsonout_derived(j, "host_s", sweep->has_host ? sweep->host_s : (double)NAN);
        jsonout_derived(j, "error_ratio", sweep->error_ratio);
        jsonout_derived(j, "left_out_ratio", sweep->left_out_ratio);
        jsonout_derived(j, "law_error_ratio", sweep->law_error_ratio);
        jsonout_count(j, "knee_threads", sweep->knee_threads ? sweep->knee_threads : ROOF_UNKNOWN);
        jsonout_derived(j, "unequal_ratio", sweep->unequal_ratio);
        jsonout_end(j);
    }
    jsonout_end(j);
}

void reconcile_json(const rendering *to)
{
    const roof_reconciliation *r = to->reconciliation;
    const roof_calibration *calibration = to->options->calibration;
    char text[ROOF_SENTENCE_SIZE];
    jsonout j;
    jsonout_document(&j, to->out, ROOF_RECONCILIATION_SCHEMA);
    jsonout_array(&j, "verdict", false);
    for (uint32_t i = 0; roof_sentence(r, ROOF_SENTENCE_VERDICT, i, text); i++)
        jsonout_string(&j, NULL, text);
    for (uint32_t i = 0; roof_sentence(r, ROOF_SENTENCE_BELOW, i, text); i++)
        jsonout_string(&j, NULL, text);
    jsonout_end(&j);
    jsonout_array(&j, "statistics", false);
    for (uint32_t i = 0; roof_sentence(r, ROOF_SENTENCE_STATISTIC, i, text); i++)
        jsonout_string(&j, NULL, text);
    jsonout_end(&j);
    jsonout_array(&j, "experiments", false);
    for (uint32_t i = 0; i < r->n_experiments; i++)
        put_experiment(&j, r, i);
    jsonout_end(&j);
    put_loads(&j, r);
    put_sweeps(&j, r);
    timed_put_json(&j, r, to->arena);
    put_fit(&j, "overhead_fit", r, ROOF_FIT_OVERHEAD);
    jsonout_object(&j, "fits", false);
    put_fit(&j, "host", r, ROOF_FIT_HOST);
    put_fit(&j, "boundary", r, ROOF_FIT_BOUNDARY);
    jsonout_end(&j);
    put_ceiling(&j, r);
    if (calibration)
        codec_write_object(&(codec){.out = &j}, "calibration", &calibration_object, calibration);
    else
        jsonout_null(&j, "calibration");
    jsonout_array(&j, "findings", false);
    for (uint32_t i = 0; i < r->n_findings; i++) {
        const roof_finding *f = &r->findings[i];
        jsonout_object(&j, NULL, true);
        jsonout_string(&j, "kind", roof_finding_kind_text(f->kind));
        jsonout_string(&j, "model", f->experiment == ROOF_NONE ? NULL : r->experiments[f->experiment].model);
        jsonout_string(&j, "layer", f->place);
        put_sentence(&j, "text", r, ROOF_SENTENCE_FINDING, i);
        remark_put(&j, &f->remark);
        jsonout_string(&j, "severity", roof_severity_text(roof_finding_severity(f->kind)));
        jsonout_string(&j, "advice", roof_finding_advice(f->kind));
        jsonout_end(&j);
    }
    jsonout_end(&j);
    jsonout_end(&j);
}
