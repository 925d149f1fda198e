/* ## Costs around the layers
 * ### host
 * Condition: the CPU takes at least 10 % of an inference: by phases where the profile has them, copies
 *   apart; else the constant of the host fit, if its 95 % interval is above 0.
 * Gain: that time. Sure: measured; guess with an interval where it is of the fit.
 * Advice: overlap the host with the accelerator by threads. Quantise and copy inputs once.
 * ### launches
 * Condition: for profiles with phases of each layer (Neural-ART): what is before and after the accelerator's
 *   work takes at least 10 % of an inference.
 * Gain: that time. It is an upper limit, since a start that remains takes some of it. Sure: measured.
 * Advice: start the accelerator less often: fuse layers, let the compiler run several in one start (for a
 *   Neural-ART `--enable-epoch-controller`), keep in hardware what runs in software. Threads do not help:
 *   such a device has none, and the time is before and after each start.
 * ### transfers
 * Condition: phases of copies to and from the accelerator take at least 10 % of an inference.
 * Gain: that time. Sure: measured.
 * Advice: write constants such as weights once, and share buffers instead of copying. Send fewer bytes.
 *   Overlap copies with work. */
#include "measure/causes/cause_rule.h"
#include "measure/profile/phases.h"

/* A cause of time around the layers that is at least a tenth of what it is a part of. */
static void add_around(cause_search *in, roof_cause cause, double of_s, roof_form form)
{
    cause.share_ratio = cause.gain_s / of_s;
    if (cause.gain_s > 0 && cause.gain_s >= 0.1 * of_s)
        cause_add(in, cause, (roof_remark){form, {AS_SECONDS(cause.gain_s), AS_SECONDS(of_s)}});
}

/* By phases where there are any; else by the fit and by epochs. */
void cause_around(cause_search *in)
{
    const roof_run *run = phased_run(in->e);
    if (run) {
        const phase_sums phases = phases_sum(run);
        const double host_s = phases.of_s[ROOF_PHASE_HOST], copies_s = phases.of_s[ROOF_PHASE_TRANSFER];
        if (phases.exceed_total)
            return;
        add_around(in, cause_of(in, ROOF_CAUSE_HOST, host_s, ROOF_SURE_MEASURED), phases_of_s(run),
                   copies_s > 0 ? ROOF_FORM_CAUSE_HOST_ALONE : ROOF_FORM_CAUSE_HOST);
        add_around(in, cause_of(in, ROOF_CAUSE_TRANSFERS, copies_s, ROOF_SURE_MEASURED), phases_of_s(run),
                   ROOF_FORM_CAUSE_HOST);
        return;
    }
    double around_s = NAN; /* of epochs before and after the accelerator's work; NaN: no row says */
    FOR_EACH(const roof_match, u, in->e->matches, in->e->n_matches)
        if (!cause_match_is_on_host(in, u) && !roof_match_is_repeated(u))
            around_s = add_if_known(around_s, u->host_s);
    const roof_fit *fit = &in->r->out->fits[ROOF_FIT_HOST].fit;
    const roof_estimate line = fit->lines[fit->chosen].intercept;
    if (isnan(around_s) && line.ci95_low > 0) {
        roof_cause cause = cause_of(in, ROOF_CAUSE_HOST, in->e->total.host_s, ROOF_SURE_GUESS);
        cause.gain_ci95_s[0] = line.ci95_low;
        cause.gain_ci95_s[1] = line.ci95_high;
        add_around(in, cause, in->e->total.bypass_s, ROOF_FORM_CAUSE_HOST);
    }
    add_around(in, cause_of(in, ROOF_CAUSE_LAUNCHES, around_s, ROOF_SURE_MEASURED), in->of_s,
               ROOF_FORM_CAUSE_HOST);
}
