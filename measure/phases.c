#include "measure/phases.h"
#include "core/error.h"
#include "measure/profile.h"

#include <math.h>
#include <string.h>

/* Sums of printed times may exceed their whole by this much. */
#define ROUNDING_RATIO 0.001

static const struct {
    const char *name;
    roof_phase_kind kind;
    const char *meaning;
} house[] = {{"run", ROOF_PHASE_ACCELERATOR, "the accelerator, from start to end"},
             {"write", ROOF_PHASE_TRANSFER, "copying inputs to the accelerator"},
             {"read", ROOF_PHASE_TRANSFER, "copying outputs from the accelerator"},
             {"host", ROOF_PHASE_HOST, "pre- and post-processing on the host"},
             {"launch", ROOF_PHASE_HOST, "starting the accelerator"}};

static const struct {
    const char *word, *meaning;
} kinds[ROOF_PHASE_KINDS] = {
    [ROOF_PHASE_UNDECLARED] = {NULL, "a phase of the profile, of a kind that is not known"},
    [ROOF_PHASE_ACCELERATOR] = {"accelerator", "a phase of the profile: the accelerator"},
    [ROOF_PHASE_TRANSFER] = {"transfer", "a phase of the profile: copies"},
    [ROOF_PHASE_HOST] = {"host", "a phase of the profile: the host"}};

const char *roof_phase_kind_text(roof_phase_kind kind)
{
    return (unsigned)kind < ROOF_PHASE_KINDS ? kinds[kind].word : NULL;
}

static roof_phase_kind kind_of_name(const char *name)
{
    for (size_t i = 0; i < sizeof house / sizeof *house; i++)
        if (strcmp(house[i].name, name) == 0)
            return house[i].kind;
    return ROOF_PHASE_UNDECLARED;
}

const char *phase_meaning(const roof_phase *phase)
{
    for (size_t i = 0; i < sizeof house / sizeof *house; i++)
        if (strcmp(house[i].name, phase->name) == 0 && house[i].kind == phase->kind)
            return house[i].meaning;
    return kinds[phase->kind].meaning;
}

/* --- checks ------------------------------------------------------------------------------------------- */

roof_phase *phase_find(const roof_run *run, const char *name)
{
    for (uint32_t i = 0; name && i < run->n_phases; i++)
        if (strcmp(run->phases[i].name, name) == 0)
            return &run->phases[i];
    return NULL;
}

static roof_status check_parent(codec *c, const roof_run *run, const roof_phase *phase)
{
    const roof_phase *above = phase;
    if (isnan(phase->seconds))
        return codec_fail(c, "phase_kinds or phase_parents has '%s_s', want a member of phases", phase->name);
    for (uint32_t steps = 0; above->parent; steps++) {
        const char *wanted = above->parent;
        above = phase_find(run, wanted);
        if (!above)
            return codec_fail(c, "phase_parents: '%s_s' is a part of '%s_s', want a member of phases",
                              phase->name, wanted);
        if (steps >= run->n_phases)
            return codec_fail(c, "phase_parents: '%s_s' is a part of itself", phase->name);
    }
    return ROOF_OK;
}

roof_phase_kind phase_implied_kind(const roof_run *run, const roof_phase *phase)
{
    for (bool is_itself = true; phase; phase = phase_find(run, phase->parent), is_itself = false) {
        if (!is_itself && phase->kind)
            return phase->kind;
        if (kind_of_name(phase->name))
            return kind_of_name(phase->name);
    }
    return ROOF_PHASE_UNDECLARED;
}

roof_status phases_finish(codec *c, roof_run *run)
{
    for (uint32_t i = 0; i < run->n_phases; i++)
        TRY(check_parent(c, run, &run->phases[i]));
    for (uint32_t i = 0; i < run->n_phases; i++) {
        roof_phase *phase = &run->phases[i];
        double own = phase_own_seconds(run, phase);
        if (own < -ROUNDING_RATIO * phase->seconds)
            return codec_fail(c, "the parts of phase '%s_s' are %g s, want at most its own %g s", phase->name,
                              phase->seconds - own, phase->seconds);
        if (!phase->kind)
            phase->kind = phase_implied_kind(run, phase);
    }
    return ROOF_OK;
}

/* --- sums --------------------------------------------------------------------------------------------- */

double phase_own_seconds(const roof_run *run, const roof_phase *phase)
{
    double own = phase->seconds;
    for (uint32_t i = 0; i < run->n_phases; i++)
        if (run->phases[i].parent && strcmp(run->phases[i].parent, phase->name) == 0)
            own -= run->phases[i].seconds;
    return own;
}

phase_sums phases_sum(const roof_run *run)
{
    phase_sums sums = {.all_s = 0};
    for (int kind = 0; kind < ROOF_PHASE_KINDS; kind++)
        sums.of_s[kind] = NAN;
    for (uint32_t i = 0; i < run->n_phases; i++) {
        const roof_phase *phase = &run->phases[i];
        double own = fmax(0, phase_own_seconds(run, phase));
        sums.of_s[phase->kind] = own + (isnan(sums.of_s[phase->kind]) ? 0 : sums.of_s[phase->kind]);
        sums.all_s += own;
    }
    double total = isnan(run->total.mean_s) ? run->total.median_s : run->total.mean_s;
    sums.exceed_total = sums.all_s > (1 + ROUNDING_RATIO) * total;
    return sums;
}

double phases_outside(const roof_run *run)
{
    phase_sums sums = phases_sum(run);
    double host = sums.of_s[ROOF_PHASE_HOST], transfer = sums.of_s[ROOF_PHASE_TRANSFER];
    if (sums.exceed_total)
        return NAN;
    return isnan(host) ? transfer : isnan(transfer) ? host : host + transfer;
}

const roof_run *phased_run(const roof_reconciled *e)
{
    const roof_run *run = e->bypass && e->bypass->n_phases ? e->bypass : e->per_layer;
    return run && run->n_phases ? run : NULL;
}
