/* Predictions of several networks on several boards, and the figures by which they are laid side by side. */
#include "roofline/predictions.h"
#include "core/core.h"
#include "model/explore/pairs.h"

struct roof_owned_prediction {
    roof_prediction *is;
    struct roof_owned_prediction *next;
};

roof_status roof_predictions_new(roof_predictions **out, roof_error *err)
{
    roof_arena *arena;
    *out = NEW_ROOT(&arena, roof_predictions, err);
    if (!*out)
        return ROOF_E_NO_MEMORY;
    (*out)->arena = arena;
    return ROOF_OK;
}

void roof_predictions_free(roof_predictions *all)
{
    if (!all)
        return;
    for (struct roof_owned_prediction *o = all->owned; o; o = o->next)
        roof_prediction_free(o->is);
    arena_free(all->arena);
}

roof_status pairs_own(roof_predictions *all, roof_prediction *prediction, roof_error *err)
{
    struct roof_owned_prediction *o = NEW(all->arena, struct roof_owned_prediction);
    if (!o) {
        roof_prediction_free(prediction);
        return error_memory(err);
    }
    *o = (struct roof_owned_prediction){prediction, all->owned};
    all->owned = o;
    return ROOF_OK;
}

/* Figures have the digits that documents have, so that what follows is the same of one that was read. */
roof_pair roof_pair_of(const roof_prediction *p)
{
    const roof_cost *cost = &p->total.deployed;
    const uint32_t batch = p->options.batch ? p->options.batch : 1;
    const double n_made = p->total.yield.unit ? p->total.yield.count : 1,
                 best_s = number_as_derived(roof_best_s(p));
    double most_per_s = p->total.most_inferences_per_s;
    if (isnan(most_per_s) && best_s > 0) /* a document that does not state it: cores that share nothing */
        most_per_s = (double)batch * p->hardware.cores / best_s;
    /* multiply-accumulates of the array in the ideal time, as in the total of a prediction's table */
    const double use = 2.0 * known_count(p->total.array_macs) / (cost->ideal_s * p->hardware.peak_ops_per_s);
    roof_pair out = {.path = p->model.path,
                     .asked_hw = p->hardware.id,
                     .prediction = p,
                     .model = p->model.name,
                     .hardware = p->hardware.id,
                     .ideal_s = cost->ideal_s,
                     .best_s = best_s,
                     .expected_s = number_as_derived(p->total.predicted_s),
                     .expected_ci95_s = {number_as_derived(p->total.predicted_ci95_s[0]),
                                         number_as_derived(p->total.predicted_ci95_s[1])},
                     .per_s = number_as_derived(most_per_s) * n_made,
                     .expected_per_s = number_as_derived(p->total.predicted_inferences_per_s) * n_made *
                                       (p->total.busy_cores ? p->total.busy_cores : 1),
                     .load =
                         p->throughput.n_points ? &p->throughput.points[p->throughput.n_points - 1] : NULL,
                     .knee_threads = p->throughput.knee.threads,
                     .batch = batch,
                     .busy_cores = isnan(p->total.predicted_s) ? ROOF_NONE : p->total.busy_cores,
                     .data_type = p->hardware.data_type,
                     .unit = p->total.yield.unit ? p->total.yield.unit : "inference",
                     .bound = cost->bound == ROOF_NONE ? NULL : p->engines[cost->bound],
                     .macs = p->total.macs,
                     .memory_bytes = roof_traffic_total(&cost->traffic),
                     .utilisation_ratio = cost->ideal_s > 0 ? use : (double)NAN,
                     .layers = p->total.layers,
                     .basis = cost->cycles_basis,
                     .estimate_of = p->estimate_of,
                     .findings = p->n_findings};
    FOR_EACH(const roof_layer_prediction, l, p->layers, p->n_layers) {
        if (!roof_layer_is_left_out(p, l))
            continue;
        if (out.host_layers < ROOF_PAIR_HOST_ROWS)
            out.host_rows[out.host_layers] = l;
        out.host_layers++;
    }
    FOR_EACH(const roof_finding, found, p->findings, p->n_findings)
        out.is_for_other = out.is_for_other || found->kind == ROOF_FINDING_OTHER_TARGET;
    return out;
}

void pairs_describe(roof_pair *pair)
{
    static const roof_pair none = {.ideal_s = NAN,
                                   .best_s = NAN,
                                   .expected_s = NAN,
                                   .expected_ci95_s = {NAN, NAN},
                                   .per_s = NAN,
                                   .expected_per_s = NAN,
                                   .macs = ROOF_UNKNOWN,
                                   .memory_bytes = ROOF_UNKNOWN,
                                   .utilisation_ratio = NAN,
                                   .busy_cores = ROOF_NONE,
                                   .layers = ROOF_NONE,
                                   .host_layers = ROOF_NONE,
                                   .basis = ROOF_BASIS_NONE,
                                   .findings = ROOF_NONE};
    roof_pair out = pair->prediction ? roof_pair_of(pair->prediction) : none;
    out.path = pair->path;
    out.asked_hw = pair->asked_hw;
    out.why = pair->why;
    if (!pair->prediction) {
        const char *slash = strrchr(pair->path, '/');
        out.batch = pair->batch;
        out.model = slash && slash[1] ? slash + 1 : pair->path;
        out.hardware = pair->asked_hw ? pair->asked_hw : "";
    }
    *pair = out;
}

const char *pairs_behind_path(const char *why, const char *path)
{
    const size_t length = strlen(path);
    if (!length || strncmp(why, path, length) != 0)
        return why;
    return why + length + (strncmp(why + length, ": ", 2) == 0 ? 2 : why[length] == '/');
}

/* Figures without what they were taken from. */
static roof_status keep_figures(roof_predictions *all, roof_pair *pair, roof_error *err)
{
    const char **const texts[] = {&pair->model,     &pair->hardware, &pair->unit,
                                  &pair->data_type, &pair->bound,    &pair->estimate_of};
    roof_load_point *load;
    roof_layer_prediction *rows;
    roof_prediction *empty;
    for (size_t i = 0; i < N_OF(texts); i++)
        *texts[i] = *texts[i] ? arena_strdup(all->arena, *texts[i]) : NULL;
    TRY(ARENA_GET(all->arena, empty, 1, err));
    TRY(ARENA_GET(all->arena, rows, ROOF_PAIR_HOST_ROWS, err));
    TRY(ARENA_GET(all->arena, load, 1, err));
    for (size_t i = 0; i < ROOF_PAIR_HOST_ROWS && pair->host_rows[i]; i++) {
        rows[i].name = arena_strdup(all->arena, pair->host_rows[i]->name);
        rows[i].type = arena_strdup(all->arena, pair->host_rows[i]->type);
        pair->host_rows[i] = &rows[i];
    }
    if (pair->load)
        *load = *pair->load;
    load->threads_on_core = NULL;
    load->n_cores = 0;
    pair->load = pair->load ? load : NULL;
    pair->prediction = empty;
    return arena_status(all->arena, err);
}

roof_status roof_predictions_add(roof_predictions *all, const char *path, const char *hw,
                                 roof_prediction *prediction, const char *why, roof_error *err)
{
    const bool keeps_figures = prediction && all->keeps_figures_alone;
    const char *reason = prediction ? NULL : pairs_behind_path(why ? why : "", path ? path : "");
    if (prediction && !keeps_figures)
        TRY(pairs_own(all, prediction, err));
    roof_status status = ARENA_MORE(all->arena, all->pairs, all->n, err);
    if (status == ROOF_OK) {
        roof_pair *pair = &all->pairs[all->n++];
        *pair = (roof_pair){.path = arena_strdup(all->arena, path ? path : ""),
                            .asked_hw = hw ? arena_strdup(all->arena, hw) : NULL,
                            .why = reason ? arena_strdup(all->arena, reason) : NULL,
                            .prediction = prediction};
        status = arena_status(all->arena, err);
        if (status == ROOF_OK)
            pairs_describe(pair);
        THEN(status, keeps_figures ? keep_figures(all, pair, err) : ROOF_OK);
    }
    if (keeps_figures)
        roof_prediction_free(prediction);
    return status;
}

roof_answer_kind roof_pairs_kind(const roof_pair *a, const roof_pair *b)
{
    return isnan(a->expected_s) || isnan(b->expected_s) ? ROOF_AT_LEAST : ROOF_EXPECTED;
}

/* A reason for which nothing is known of a combination; NULL: none is told. */
static const char *why_not_known(const roof_pair *pair)
{
    const roof_prediction *p = pair->prediction;
    for (uint32_t i = 0; p && i < p->n_findings; i++) {
        if (p->findings[i].kind == ROOF_FINDING_MISFIT)
            return "since a shape does not fit";
        if (p->findings[i].remark.form == ROOF_FORM_OPEN_DIMENSION && !(pair->best_s > 0))
            return "since a shape is open (--shape)";
    }
    return pair->estimate_of && pair->best_s > 0 ? "since an estimate is no bound" : NULL;
}

roof_answer roof_pair_takes(const roof_pair *pair)
{
    roof_answer out = {.value = NAN, .low = NAN, .high = NAN, .unit = "s"};
    out.covers.parts = ROOF_COVERS_ACCELERATOR;
    out.covers.left_out = pair->host_layers == ROOF_NONE ? 0 : pair->host_layers;
    if (pair->expected_s > 0) {
        out.kind = ROOF_EXPECTED;
        out.value = pair->expected_s;
        out.low = pair->expected_ci95_s[0];
        out.high = pair->expected_ci95_s[1];
    } else if (!pair->estimate_of && pair->best_s > 0) {
        out.kind = ROOF_AT_LEAST;
        out.value = pair->best_s;
    } else {
        out.why = why_not_known(pair);
    }
    return out;
}

roof_answer roof_pair_makes(const roof_pair *pair)
{
    roof_answer out = {.value = NAN, .low = NAN, .high = NAN, .unit = "1/s"};
    const roof_answer takes = roof_pair_takes(pair);
    if (pair->load && takes.covers.left_out &&
        !(pair->prediction && pair->prediction->throughput.host.seconds > 0)) {
        out.kind = pair->load->fps_high > 0 ? ROOF_AT_MOST : ROOF_NOT_KNOWN; /* it takes longer with that */
        out.value = pair->load->fps_high;
    } else if (pair->load) {
        out.kind = ROOF_EXPECTED;
        out.value = pair->load->fps;
        out.low = pair->load->fps_low;
        out.high = pair->load->fps_high;
    } else if (takes.kind == ROOF_EXPECTED) {
        out = roof_answer_rate(&takes, pair->expected_per_s * pair->expected_s, "1/s");
        if (out.kind == ROOF_NOT_KNOWN)
            out.why = takes.covers.left_out ? "since its time leaves out what the CPU runs"
                                            : "since what a call costs is not known";
    } else if (takes.kind == ROOF_AT_LEAST && pair->per_s > 0) {
        out.kind = ROOF_AT_MOST;
        out.value = pair->per_s;
    }
    return out;
}
