#include "measure/import/power_trace.h"
#include "core/error.h"
#include "core/quantity.h"

#include <math.h>

/* More than any accelerator draws, so that no sum of samples is infinite. */
#define MOST_WATTS 1e9

roof_status power_add(roof_measured *m, roof_power_trace *trace, power_sample sample, roof_error *err)
{
    if (!(fabs(sample.watts) <= MOST_WATTS) || sample.at_s > 1e12)
        return error_set(err, ROOF_E_DATA,
                         "%g W at %g s, want a power below 1e9 W: check the column and its unit",
                         sample.watts, sample.at_s);
    if (trace->n == POWER_MAX_SAMPLES)
        return error_set(err, ROOF_E_LIMIT,
                         "more than %d samples of power; cut the file, or take every tenth sample",
                         POWER_MAX_SAMPLES);
    TRY(ARENA_MORE(m->storage->arena, trace->samples, trace->n, err));
    trace->samples[trace->n++] = sample;
    return ROOF_OK;
}

static double watts_at(const power_sample *a, const power_sample *b, double at_s)
{
    return a->watts + (b->watts - a->watts) * ((at_s - a->at_s) / (b->at_s - a->at_s));
}

power_window power_over(const roof_power_trace *trace, double from_s, double to_s)
{
    power_window w = {.mean_w = NAN, .most_w = NAN};
    const power_sample *s = trace->samples;
    double sum_w = 0;
    for (uint32_t i = 0; i < trace->n; i++) {
        if (!(s[i].at_s < from_s) && !(s[i].at_s > to_s)) {
            sum_w += s[i].watts;
            w.most_w = fmax(w.most_w, s[i].watts);
            w.n++;
        }
        if (!i || isnan(s[i].at_s))
            continue;
        double begin_s = fmax(s[i - 1].at_s, from_s), end_s = fmin(s[i].at_s, to_s); /* a NaN is passed by */
        if (!(end_s > begin_s))
            continue;
        double both_w = watts_at(&s[i - 1], &s[i], begin_s) + watts_at(&s[i - 1], &s[i], end_s);
        w.energy_j += both_w / 2 * (end_s - begin_s);
        w.seconds += end_s - begin_s;
        w.longest_s = fmax(w.longest_s, s[i].at_s - s[i - 1].at_s);
    }
    if (w.n)
        w.mean_w = sum_w / w.n;
    if (w.seconds > 0)
        w.mean_w = w.energy_j / w.seconds;
    else
        w.seconds = w.energy_j = w.longest_s = NAN;
    return w;
}

const char *power_shown(char buffer[POWER_SHOWN_SIZE], double value, const char *unit)
{
    quantity_format(buffer, POWER_SHOWN_SIZE, value, unit);
    return buffer;
}
