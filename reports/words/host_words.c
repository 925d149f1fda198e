#include "reports/words/prediction_words.h"

/* A sentence names so many kinds, a line so many without a time. */
enum { MOST_NAMED = 3, MOST_UNKNOWN = 6 };

/* From which part of a network's time on a kind of operators is worth an advice. */
#define WORTH_RATIO 0.1

/* An expected time by a calibration has a constant for each epoch that the CPU runs. */
static bool is_in_expected(const roof_prediction *p)
{
    for (uint32_t i = 0; i < p->n_layers && p->is_started_by_rows; i++)
        if (p->layers[i].executor == ROOF_BY_HOST && p->layers[i].predicted_s > 0)
            return true;
    return false;
}

bool host_is_left_out(const roof_prediction *p)
{
    uint32_t i = 0;
    while (i < p->n_layers && !roof_layer_is_left_out(p, &p->layers[i]))
        i++;
    return i < p->n_layers;
}

void host_say_scope(sentence *s, const roof_prediction *p)
{
    uint32_t n = 0, counted = 0, in_part = 0, transfers = 0;
    uint64_t without = 0; /* a time */
    roof_executor before = ROOF_BY_NOBODY;
    for (uint32_t i = 0; i < p->n_layers; i++) {
        const roof_executor by = p->layers[i].executor;
        n += roof_layer_is_left_out(p, &p->layers[i]);
        counted += by == ROOF_BY_HOST && !roof_layer_is_left_out(p, &p->layers[i]);
        in_part += by == ROOF_BY_BOTH;
        transfers += before != ROOF_BY_NOBODY && by != ROOF_BY_NOBODY &&
                     (by == ROOF_BY_HOST) != (before == ROOF_BY_HOST);
        before = by == ROOF_BY_NOBODY ? before : by;
    }
    if (counted && !isnan(p->total.predicted_s))
        SAY(s, ", with {} CPU layer{|s}", AS_COUNT(counted));
    if (!n)
        return;
    const bool is_named = p->host.n_shares && p->host.n_shares <= MOST_NAMED;
    SAY(s, ", without {} CPU layer{|s}[?, the CPU part of {} more]", AS_COUNT(n), AS_COUNT(in_part));
    for (uint32_t i = 0; i < p->host.n_shares; i++) {
        without += p->host.shares[i].unknown + p->host.shares[i].small;
        if (is_named)
            SAY(s, "{}{<40}", AS_TEXT(i ? ", " : " ("), AS_TEXT(p->host.shares[i].kind));
    }
    SAY(s,
        "[?)][? and {} transfer{|s}][?, but for a constant of the calibration][?, about {}][? for those that "
        "have a time]",
        AS_COUNT(is_named), AS_COUNT(transfers), AS_COUNT(is_in_expected(p)),
        AS_SECONDS(p->host.about_s > 0 ? p->host.about_s : NAN), AS_COUNT(p->host.about_s > 0 && without));
}

static const char *list_unknown(const roof_prediction *p, roof_arena *arena)
{
    const char *list = "";
    uint32_t kinds = 0;
    FOR_EACH(const roof_host_share, share, p->host.shares, p->host.n_shares) {
        if (!share->unknown || kinds++ >= MOST_UNKNOWN)
            continue;
        list = share->unknown > 1 ? say_more(arena, list, "%s (%" PRIu64 ")", share->kind, share->unknown)
                                  : say_more(arena, list, "%s", share->kind);
    }
    if (kinds > MOST_UNKNOWN)
        list = say_more(arena, list, "%u more kinds", kinds - MOST_UNKNOWN);
    return list;
}

/* Saving by a change of the network, if it is a good part of its time; else NULL. */
static const char *advice(const roof_prediction *p, roof_arena *arena)
{
    const roof_host_share *share = p->host.shares;
    const double whole_s = p->host.about_s + p->total.deployed.ideal_s;
    if (!(share->about_s >= WORTH_RATIO * whole_s))
        return NULL;
    return say_printf(arena,
                      "; a network without %s, or with less of it, saves some %.0f %% of ideal and host",
                      share->kind, 100 * share->about_s / whole_s);
}

const char *host_line(const roof_prediction *p, roof_arena *arena)
{
    uint64_t small = 0;
    const char *line = "", *timed = "", *saves = p->host.n_shares ? advice(p, arena) : NULL;
    const char *unknown = list_unknown(p, arena);
    if (!p->host.n_shares)
        return NULL;
    FOR_EACH(const roof_host_share, share, p->host.shares, p->host.n_shares) {
        small += share->small;
        if (share->timed) /* "softmax 5.38 ms for 65 856 elements" */
            timed = say_more(arena, timed, "%s %s for %s %s", share->kind,
                             say_quantity(arena, share->about_s, "s"), say_count(arena, share->count),
                             share->unit);
    }
    if (p->host.about_s > 0)
        line = say_printf(
            arena, "about %s (%s to %s: within a factor of %.0f), in no other time: %s%s",
            say_quantity(arena, p->host.about_s, "s"), say_quantity(arena, p->host.about_ci_s[0], "s"),
            say_quantity(arena, p->host.about_ci_s[1], "s"), ROOF_HOST_FACTOR, timed, saves ? saves : "");
    if (*unknown)
        line = say_joined(arena, line, "; ", "not known: %s", unknown);
    if (small)
        line =
            say_joined(arena, line, "; ", "%" PRIu64 " smaller one%s: a fixed part of some 10 us dominates",
                       small, say_plural(small));
    if (is_in_expected(p))
        line =
            say_printf(arena, "%s; the expected time has a constant for each of them in place of this", line);
    return line;
}
