/* Energy of an inference, out of what a profile says of energy and power. */
#include "measure/profile/run_facts.h"
#include "measure/reconcile/steps.h"

/* Measured energy and power x time may differ by so much, since windows and clocks do. */
static const double most_ratio = 1.5;

WORD_OF(roof_energy_basis_text, roof_energy_basis, basis, NULL, [ROOF_ENERGY_STATED] = "stated",
        [ROOF_ENERGY_POWER_TIME] = "power_x_time", [ROOF_ENERGY_ROWS] = "rows")

/* --- one experiment ----------------------------------------------------------------------------------- */

static void find_energy(const roof_reconciled *e, const roof_run *run, double sum_j, roof_energy *out)
{
    *out = (roof_energy){
        .inference_j = NAN, .above_idle_j = NAN, .power_w = NAN, .idle_power_w = NAN, .time_s = NAN};
    const roof_run *of = run ? run : e->layer_run && !e->is_recording && !isnan(sum_j) ? e->layer_run : NULL;
    if (of) {
        out->mode = of->mode;
        out->scope = of->power_scope;
        /* of a whole-network run the time of an inference, of a per-layer run also the sum of its layers */
        out->time_s = e->is_recording ? NAN : of == e->bypass ? e->total.bypass_s : roof_layered_seconds(e);
    }
    if (run) {
        double above_w = run->power_w - run->idle_power_w, share = run->power_w / above_w;
        bool is_stated = !isnan(run->energy_j), has_idle = !isnan(run->idle_power_w);
        out->power_w = run->power_w;
        out->idle_power_w = run->idle_power_w;
        out->basis = is_stated            ? ROOF_ENERGY_STATED
                     : isnan(out->time_s) ? ROOF_ENERGY_UNKNOWN
                                          : ROOF_ENERGY_POWER_TIME;
        out->inference_j = run->power_w * out->time_s;
        out->above_idle_j = above_w > 0 ? above_w * out->time_s : NAN;
        if (is_stated) { /* without idle power, where that is known */
            out->inference_j = !has_idle ? run->energy_j : share > 0 ? run->energy_j * share : NAN;
            out->above_idle_j = has_idle ? run->energy_j : NAN;
        }
    } else if (of) {
        out->basis = ROOF_ENERGY_ROWS;
        out->inference_j = sum_j;
    }
    out->inferences_per_j = quotient_of(1, out->inference_j);
    out->ops_per_j =
        e->prediction ? quotient_of(known_count(e->prediction->total.ops_count), out->inference_j) : NAN;
}

void energy_of_experiment(reconciler *r, roof_reconciled *e)
{
    roof_energy *energy = &e->energy;
    uint32_t n_rows = 0;
    const roof_run *run = e->bypass && run_has_power(e->bypass) ? e->bypass : e->per_layer;
    run = run && run_has_power(run) ? run : NULL;
    double sum_j = 0; /* over all executions of all rows; NaN when one of them has no energy */
    for (uint32_t k = 0; e->layer_run && k < e->layer_run->n_layers; k++) {
        const roof_measured_layer *row = &e->layer_run->layers[k];
        double joules = row->counters ? row->counters->energy_j : NAN;
        n_rows += isnan(joules) ? 0 : 1;
        sum_j += joules * row_executions(row);
    }
    sum_j = n_rows ? sum_j : NAN;
    find_energy(e, run, sum_j, energy);
    double expected_j = energy->power_w * energy->time_s, ratio = energy->inference_j / expected_j;
    if (run && run_has_power_alone(run))
        TELL(r, e, NULL, POWER_ALONE, NO_OPERANDS);
    if (n_rows && isnan(sum_j))
        TELL(r, e, NULL, ROW_ENERGY, AS_COUNT(n_rows), AS_COUNT(e->layer_run->n_layers));
    if (ratio > most_ratio || ratio < 1 / most_ratio)
        TELL(r, e, NULL, ENERGY_DIFFERS, AS("J", energy->inference_j), AS("J", expected_j));
    if (energy->idle_power_w >= energy->power_w)
        TELL(r, e, NULL, IDLE_ABOVE, AS("W", energy->idle_power_w), AS("W", energy->power_w));
}

/* --- all of them -------------------------------------------------------------------------------------- */

/* "net on kv260" */
static const char *label_of(const reconciler *r, const roof_reconciled *e)
{
    return e->hardware_id ? arena_printf(r->arena, "%s on %s", e->model, e->hardware_id) : e->model;
}

/* Energies of different scopes in one table must not be compared. */
void energy_note_scopes(reconciler *r)
{
    const roof_reconciled *first = NULL, *all = r->out->experiments;
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->out->n_experiments; i++)
        n += isnan(all[i].energy.inference_j) ? 0 : 1;
    for (uint32_t i = 0; i < r->out->n_experiments && n > 1; i++) {
        const roof_energy *energy = &all[i].energy;
        if (isnan(energy->inference_j))
            continue;
        if (!energy->scope)
            TELL(r, NULL, NULL, ENERGY_SCOPE_UNKNOWN, AS_TEXT(label_of(r, &all[i])));
        else if (first && strcmp(first->energy.scope, energy->scope) != 0)
            TELL(r, NULL, NULL, ENERGY_SCOPES, AS_TEXT(label_of(r, first)), AS_TEXT(first->energy.scope),
                 AS_TEXT(label_of(r, &all[i])), AS_TEXT(energy->scope));
        first = first || !energy->scope ? first : &all[i];
    }
}
