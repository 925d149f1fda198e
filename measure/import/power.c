#include "measure/import/power.h"

roof_status power_add(roof_measured *m, roof_power_trace *trace, power_sample sample, roof_error *err)
{
    /* More than any accelerator draws, so that no sum of samples is infinite. */
    static const double most_watts = 1e9;
    if (!(fabs(sample.watts) <= most_watts) || sample.at_s > 1e12)
        return error_data(err, "%g W at %g s, want a power below 1e9 W: check the column and its unit",
                          sample.watts, sample.at_s);
    TRY(HAS_ROOM(trace->n, POWER_MAX_SAMPLES, err,
                 "samples of power; cut the file, or take every tenth sample"));
    return ARENA_ADD(m->storage->arena, trace->samples, trace->n, err, sample);
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

/* --- for importers -------------------------------------------------------------------------------------- */

void power_set_scope(import_state *in, roof_run *run, const char *scope)
{
    scope = in->options->power_scope ? in->options->power_scope : scope;
    run->power_scope =
        measured_text(in->out, scope, strlen(scope)); /* whose arena remembers that memory ran out */
}

void power_remark_local_times(import_state *in)
{
    import_note(in, "its times are those of a clock without a zone, so that only their differences count");
}

roof_status power_add_run(import_state *in, const roof_power_trace *trace, const char *scope, roof_error *err)
{
    const power_window w = power_over(trace, NAN, NAN);
    roof_run *run = NULL;
    roof_run_mode mode = ROOF_RUN_BYPASS;
    const double many = 4;
    if (!w.n)
        return error_data(err, "no sample of power%s", trace->n_left_out ? ": all are without a value" : "");
    if (w.mean_w < 0)
        return error_data(err, "the mean power is %g W, want 0 or more: is the sensor the right way round?",
                          w.mean_w);
    if (in->options->mode)
        TRY(import_mode(in, 1, &mode, err));
    TRY(import_add_run(in, NULL, mode, &run, err));
    run->power_w = w.mean_w;
    roof_power_trace *kept;
    TRY(ARENA_GET(in->out->storage->arena, kept, 1, err));
    *kept = *trace;
    run->power_trace = kept;
    power_set_scope(in, run, scope);
    if (trace->n == 1)
        import_note(in, "a single sample, so that no energy follows from it");
    else if (isnan(w.energy_j))
        import_note(in, "mean of %u samples without times, so that no energy follows from them alone", w.n);
    else
        import_note(
            in,
            "%u samples in %s: %s for the whole log, of no inference (--power combines it with a profile)",
            w.n, SHOWN_QUANTITY(w.seconds, "s"), SHOWN_QUANTITY(w.energy_j, "J"));
    if (w.longest_s > many * w.seconds / trace->n)
        import_note(in, "no sample for %s: between two samples the power is taken to change evenly",
                    SHOWN_QUANTITY(w.longest_s, "s"));
    if (trace->n_left_out)
        import_note(in, "%u sample%s without a value left out", trace->n_left_out,
                    trace->n_left_out == 1 ? "" : "s");
    return ROOF_OK;
}

/* --- the moments of a log ------------------------------------------------------------------------------- */

enum { DAY_S = 86400 };

/* A moment: whole units, and what stands behind the point. */
typedef struct moment {
    int64_t whole;
    double rest, unit_s;
    bool is_time_of_day;
} moment;

/* Days since 1970-01-01 (Gregorian): months count from March, so that the leap day is a year's last. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
    year -= month <= 2;
    int64_t era = year / 400, of_era = year % 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* A date with a time, or a time of day. n: year, month, day, hour, minute, second. */
static bool read_moment(text_span text, moment *out, bool *has_zone)
{
    static const char *const patterns[] = {"#/#/# #:#:~", "#-#-# #:#:~", "#-#-#T#:#:~"};
    double n[6], ignored[2];
    for (size_t i = 0; i < N_OF(patterns); i++) {
        text_span rest = text, zone;
        if (!span_scan(&rest, patterns[i], n))
            continue;
        zone = rest;
        bool is_offset = (span_skip(&zone, "+") || span_skip(&zone, "-")) &&
                         span_scan(&zone, "#:#", ignored) && !zone.length;
        if (rest.length && !span_is(rest, "Z") && !span_is(rest, "UTC") && !is_offset)
            continue;
        bool month_first = i && n[0] <= 12; /* 08-17-2026, as tegrastats writes it */
        double year = month_first ? n[2] : n[0], month = month_first ? n[0] : n[1],
               day = month_first ? n[1] : n[2];
        if (year < 1970 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31 || n[3] > 23 ||
            n[4] > 59 || n[5] >= 61)
            return false;
        *has_zone = rest.length > 0;
        out->whole = days_of((int64_t)year, (int64_t)month, (int64_t)day) * DAY_S + (int64_t)n[3] * 3600 +
                     (int64_t)n[4] * 60;
        out->rest = n[5];
        out->unit_s = 1;
        return true;
    }
    if (!span_scan(&text, "#:#:~", n) || text.length || n[0] > 23 || n[1] > 59 || n[2] >= 61)
        return false;
    *out = (moment){(int64_t)n[0] * 3600 + (int64_t)n[1] * 60, n[2], 1, true};
    return true;
}

static roof_status read_number(const timestamp_clock *clock, text_span text, moment *out, roof_error *err)
{
    static const double units_s[] = {1, 1e-3, 1e-6, 1e-9};
    double value = 0;
    uint64_t whole = 0;
    text_span rest = text, digits = span_until(&rest, ".");
    TRY(span_number(text, "the time", &value, err));
    out->unit_s = clock->unit_s;
    for (size_t i = 0; i < N_OF(units_s) && !(clock->unit_s > 0); i++)
        if (value * units_s[i] >= 1e9 &&
            value * units_s[i] < 1e10) /* since 1970, in a year from 2001 to 2286 */
            out->unit_s = units_s[i];
    if (!(out->unit_s > 0))
        return error_data(err, "the time '%s' has no unit; say it in the heading, such as time_s or time_ms",
                          SHOWN(text));
    bool is_plain = !span_has(text, "e") && !span_has(text, "E") &&
                    span_id(digits, "the time", &whole, NULL) == ROOF_OK && whole < INT64_MAX;
    if (!is_plain && value >= 1e18)
        return error_data(err, "the time '%s' is beyond what can be distinguished", SHOWN(text));
    out->whole = is_plain ? (int64_t)whole : (int64_t)value;
    out->rest = is_plain ? 0 : value - floor(value);
    if (is_plain && rest.length > 1 && number_parse(rest.text, rest.length, &out->rest) != rest.length)
        return error_data(err, "the time is '%s', want a number", SHOWN(text));
    return ROOF_OK;
}

roof_status timestamp_read(timestamp_clock *clock, text_span text, double *at_s, roof_error *err)
{
    moment now = {0};
    bool has_zone = false;
    if (read_moment(text, &now, &has_zone))
        clock->is_local |= !has_zone;
    else
        TRY(read_number(clock, text, &now, err));
    if (!clock->is_begun) {
        clock->first = now.whole;
        clock->first_rest = now.rest;
        clock->is_begun = true;
    }
    /* both are not negative, so that the difference fits */
    double seconds = ((double)(now.whole - clock->first) + (now.rest - clock->first_rest)) * now.unit_s;
    seconds += (double)clock->days * DAY_S;
    if (now.is_time_of_day && clock->last_s - seconds > DAY_S / 2.0) {
        clock->days++;
        seconds += DAY_S;
    }
    if (seconds < clock->last_s)
        return error_data(err,
                          "the time '%s' is before the one above it: samples have to be in order of time",
                          SHOWN(text));
    *at_s = clock->last_s = seconds;
    return ROOF_OK;
}
