#include "model/explore/sweep/sweep_point.h"
#include "model/explore/pairs.h"
#include "roofline/calibration.h"
#include "roofline/throughput.h"

enum { REASON_SIZE = ROOF_ERROR_WHERE_SIZE + ROOF_ERROR_WHAT_SIZE + 64 };

/* --- which point ---------------------------------------------------------------------------------------- */

/* The place in a list of n entries of what *index has left, and takes it off; 0 where there is no list. */
static uint32_t take(uint64_t *index, uint32_t n)
{
    const uint64_t size = n ? n : 1, at = *index % size;
    *index /= size;
    return (uint32_t)at;
}

roof_sweep_point roof_sweep_point_at(const roof_sweep_plan *p, uint64_t index)
{
    roof_sweep_point at = {.index = index};
    if (p->n_measured) {
        const uint32_t calibration = take(&index, p->n_calibrations);
        at.calibration = p->n_calibrations ? &p->calibrations[calibration] : NULL;
        at.measured = &p->measured[index];
        return at;
    }
    at.configuration = index % sweep_points_a_subject(p);
    const uint32_t thread = take(&index, p->n_threads), batch = take(&index, p->n_batches),
                   bandwidth = take(&index, p->n_bandwidths), clock = take(&index, p->n_clocks);
    at.host = p->host;
    at.threads = p->n_threads ? p->threads[thread] : 0;
    at.batch = p->n_batches ? p->batches[batch] : 0;
    at.bandwidth_bytes_per_s = p->n_bandwidths ? p->bandwidths_bytes_per_s[bandwidth] : 0;
    at.clock_hz = p->n_clocks ? p->clocks_hz[clock] : 0;
    at.device = p->devices[take(&index, p->n_devices)];
    at.model = &p->models[index];
    return at;
}

uint64_t sweep_points_a_subject(const roof_sweep_plan *p)
{
    return p->n_points / (p->n_measured ? p->n_measured : p->n_models);
}

roof_status roof_sweep_shard(uint64_t n_points, uint32_t i, uint32_t n, uint64_t *first, uint64_t *end,
                             roof_error *err)
{
    if (n_points > ROOF_MOST_SWEEP_POINTS || n < 1 || n > ROOF_MOST_SWEPT || i < 1 || i > n)
        return error_set(err, ROOF_E_USAGE, "there is no part %u of %u, want 1 to %u of at most %d parts", i,
                         n, n, ROOF_MOST_SWEPT);
    *first = n_points * (i - 1) / n; /* below 10^9 times 10^5 */
    *end = n_points * i / n;
    return ROOF_OK;
}

/* --- what points share ---------------------------------------------------------------------------------- */

/* Failures that end the whole sweep, not one point: nothing else would work either. */
static bool is_of_all(roof_status status)
{
    return status == ROOF_E_NO_MEMORY || status == ROOF_E_IO;
}

static roof_status read_measured(const roof_sweep_file *file, sweep_subject *out, roof_error *err)
{
    const roof_predict_options with = {.explores = ROOF_EXPLORE_CAUSES, .no_steps = true};
    TRY(roof_measured_read(file->found, &out->measured, err));
    if (out->measured->n_experiments != 1)
        return error_data(err, "has %u experiments; a point is of one: give each a document",
                          out->measured->n_experiments);
    return roof_experiment_predict(&out->measured->experiments[0], NULL, NULL, &with, &out->prediction,
                                   &out->is_borrowed, err);
}

roof_status sweep_subject_read(const roof_sweep_plan *plan, uint64_t number, sweep_subject *out,
                               roof_error *err)
{
    roof_error why;
    *out = (sweep_subject){.status = ROOF_OK};
    if (plan->n_measured) {
        out->status = read_measured(&plan->measured[number], out, &out->why);
    } else {
        const roof_sweep_model *model = &plan->models[number];
        out->status = roof_graph_read_as(model->file.found, &model->workload, &out->graph, &out->why);
        /* where that fails, points say why */
        if (out->status == ROOF_OK &&
            predict_program_make(out->graph, *plan->hw, &out->program, &why) == ROOF_E_NO_MEMORY)
            return error_memory(err);
    }
    if (!is_of_all(out->status))
        return ROOF_OK;
    *err = out->why;
    return out->status;
}

void sweep_subject_free(sweep_subject *subject)
{
    if (!subject->is_borrowed)
        roof_prediction_free(subject->prediction);
    predict_program_free(&subject->program);
    roof_measured_free(subject->measured);
    roof_graph_free(subject->graph);
    *subject = (sweep_subject){.status = ROOF_OK};
}

/* --- a point -------------------------------------------------------------------------------------------- */

/* Begins the points from index on that are of its device. */
static roof_status begin_points(const roof_sweep_plan *plan, const sweep_subject *subject, uint64_t index,
                                uint64_t end, sweep_device *device, roof_error *err)
{
    const uint64_t a_subject = sweep_points_a_subject(plan), a_device = a_subject / plan->n_devices,
                   left = a_device - index % a_device;
    const roof_hw *hw = plan->hw[index % a_subject / a_device];
    const predict_program *program = &subject->program;
    roof_predict_options options[PREDICT_MOST_POINTS];
    uint32_t n = 0;
    device->status = ROOF_OK;
    if (!predict_program_serves(program, subject->graph, hw)) {
        program = &device->program;
        predict_program_free(&device->program);
        device->status = predict_program_make(subject->graph, hw, &device->program, &device->why);
    }
    device->first = index;
    for (; n < PREDICT_MOST_POINTS && n < left && index < end; n++, index++) {
        const roof_sweep_point at = roof_sweep_point_at(plan, index);
        device->threads[n] = at.threads;
        device->loads[n] = (roof_load){&device->threads[n], 1, plan->host};
        options[n] = (roof_predict_options){.batch = at.batch,
                                            .clock_hz = at.clock_hz,
                                            .bandwidth_bytes_per_s = at.bandwidth_bytes_per_s,
                                            .load = at.threads ? &device->loads[n] : NULL,
                                            .data_type = at.model->workload.weight_type,
                                            .explores = ROOF_EXPLORE_NOTHING,
                                            .no_steps = true};
    }
    device->end = index;
    return device->status == ROOF_OK
               ? predict_points_begin(&device->points, program, subject->graph, hw, options, n, err)
               : ROOF_OK;
}

static roof_status predict(const roof_sweep_plan *plan, const sweep_subject *subject, uint64_t index,
                           uint64_t end, sweep_device *device, roof_prediction **out, roof_error *err)
{
    if (index < device->first || index >= device->end)
        TRY(begin_points(plan, subject, index, end, device, err));
    if (device->status == ROOF_OK)
        return predict_points_take(&device->points, (uint32_t)(index - device->first), out, err);
    *err = device->why;
    return device->status;
}

void sweep_device_free(sweep_device *device)
{
    predict_points_free(&device->points);
    predict_program_free(&device->program);
}

static roof_status reconcile(const sweep_subject *subject, const roof_sweep_point *at,
                             roof_calibration **calibration, roof_reconciliation **out, roof_error *err)
{
    const roof_prediction *const predictions[] = {subject->prediction};
    if (at->calibration)
        TRY(roof_calibration_read(at->calibration->found, calibration, err));
    TRY(roof_reconcile(subject->measured, predictions, &(roof_reconcile_options){.calibration = *calibration},
                       out, err));
    return (*out)->n_experiments == 1 ? ROOF_OK
                                      : error_data(err, "has no run that a prediction can stand beside");
}

roof_status sweep_point_put(const roof_sweep_plan *plan, const sweep_subject *subject, uint64_t index,
                            uint64_t end, sweep_device *device, const roof_sweep_use *use, roof_sink out,
                            roof_error *err)
{
    char text[REASON_SIZE];
    roof_error why = subject->why;
    roof_prediction *prediction = NULL;
    roof_calibration *calibration = NULL;
    roof_reconciliation *reconciliation = NULL;
    roof_sweep_point at = roof_sweep_point_at(plan, index);
    const bool is_measured = plan->n_measured > 0;
    roof_status status = subject->status;
    THEN(status, is_measured ? reconcile(subject, &at, &calibration, &reconciliation, &why)
                             : predict(plan, subject, index, end, device, &prediction, &why));
    if (status != ROOF_OK && !is_of_all(status)) {
        const roof_sweep_file *file = is_measured ? at.measured : &at.model->file;
        roof_error_format(&why, text, sizeof text);
        at.why = pairs_behind_path(text, file->found);
        status = ROOF_OK;
    } else if (status != ROOF_OK) {
        *err = why;
    } else if (is_measured) {
        at.profile = &reconciliation->experiments[0];
    }
    roof_pair pair = {.asked_hw = at.device, .prediction = prediction, .why = at.why};
    if (!is_measured) {
        pair.path = at.model->file.path;
        pairs_describe(&pair);
        at.pair = &pair;
    }
    THEN(status, use->row(use->context, &at, out, err));
    roof_reconciliation_free(reconciliation);
    roof_calibration_free(calibration);
    return status;
}
