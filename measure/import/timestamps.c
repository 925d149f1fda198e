#include "measure/import/power.h"
#include "core/error.h"
#include "core/quantity.h"

#include <math.h>

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
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
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
    for (size_t i = 0; i < sizeof units_s / sizeof *units_s && !(clock->unit_s > 0); i++)
        if (value * units_s[i] >= 1e9 &&
            value * units_s[i] < 1e10) /* since 1970, in a year from 2001 to 2286 */
            out->unit_s = units_s[i];
    if (!(out->unit_s > 0))
        return error_set(err, ROOF_E_DATA,
                         "the time '%s' has no unit; say it in the heading, such as time_s or time_ms",
                         SHOWN(text));
    bool is_plain = !span_has(text, "e") && !span_has(text, "E") &&
                    span_id(digits, "the time", &whole, NULL) == ROOF_OK && whole < INT64_MAX;
    if (!is_plain && value >= 1e18)
        return error_set(err, ROOF_E_DATA, "the time '%s' is beyond what can be distinguished", SHOWN(text));
    out->whole = is_plain ? (int64_t)whole : (int64_t)value;
    out->rest = is_plain ? 0 : value - floor(value);
    if (is_plain && rest.length > 1 && number_parse(rest.text, rest.length, &out->rest) != rest.length)
        return error_set(err, ROOF_E_DATA, "the time is '%s', want a number", SHOWN(text));
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
        return error_set(err, ROOF_E_DATA,
                         "the time '%s' is before the one above it: samples have to be in order of time",
                         SHOWN(text));
    *at_s = clock->last_s = seconds;
    return ROOF_OK;
}
