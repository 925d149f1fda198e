/* The algebra of answers. Each function asks for ranges, never for more of a kind than roof_answer_ends
 * says. */
#include "roofline/answer.h"
#include "core/core.h"

/* A difference that is none: what `compare` can resolve. */
#define EQUAL_RATIO 1.05

/* Points that differ by less, and whose ranges overlap, rank nothing. */
#define SAME_RATIO 1.3

/* Rows with a limit hold so much of the time, and their ratio is that of the whole. */
#define WHOLE_RATIO 0.95

WORD_OF(roof_answer_kind_text, roof_answer_kind, kind, NULL, "not_known", "measured", "expected", "about",
        "at_least", "at_most")

WORD_OF(roof_held_text, roof_held, held, NULL, "kept", "broken", "not known", "skipped")

WORD_OF(roof_outcome_text, roof_outcome_kind, kind, NULL, "cannot_tell", "faster", "slower", "equal",
        "not_comparable")

void roof_answer_ends(const roof_answer *a, double *low, double *high)
{
    const bool has_ends = !isnan(a->low) && !isnan(a->high);
    *low = 0;
    *high = INFINITY;
    if (a->kind == ROOF_AT_LEAST && !isnan(a->value)) {
        *low = a->value;
    } else if (a->kind == ROOF_AT_MOST && !isnan(a->value)) {
        *high = a->value;
    } else if (a->kind == ROOF_MEASURED || a->kind == ROOF_EXPECTED || a->kind == ROOF_ABOUT) {
        const bool is_value_alone = a->kind == ROOF_MEASURED && !isnan(a->value);
        *low = has_ends ? a->low : is_value_alone ? a->value : 0;
        *high = has_ends ? a->high : is_value_alone ? a->value : INFINITY;
    }
    if (a->covers.left_out)
        *high = INFINITY;
}

void roof_answer_stated_ends(const roof_answer *a, double *low, double *high)
{
    roof_answer_ends(a, low, high);
    *low = *low > 0 ? *low : NAN;
    *high = isfinite(*high) ? *high : NAN;
}

bool roof_answer_is_bound(roof_answer_kind kind)
{
    return kind == ROOF_AT_LEAST || kind == ROOF_AT_MOST;
}

bool roof_answer_has_point(const roof_answer *a)
{
    double low, high;
    roof_answer_ends(a, &low, &high);
    return (a->kind == ROOF_MEASURED || a->kind == ROOF_EXPECTED || a->kind == ROOF_ABOUT) && a->value > 0 &&
           low > 0 && isfinite(high);
}

roof_held roof_answer_within(const roof_answer *a, double limit, bool is_least)
{
    double low, high;
    roof_answer_ends(a, &low, &high);
    if (isnan(limit))
        return ROOF_HELD_NOT_KNOWN;
    if (is_least)
        return low >= limit ? ROOF_HELD_KEPT : high < limit ? ROOF_HELD_BROKEN : ROOF_HELD_NOT_KNOWN;
    return high <= limit ? ROOF_HELD_KEPT : low > limit ? ROOF_HELD_BROKEN : ROOF_HELD_NOT_KNOWN;
}

roof_answer_ratio roof_answer_ratio_of(const roof_answer *a, const roof_answer *b)
{
    double low_a, high_a, low_b, high_b;
    roof_answer_ends(a, &low_a, &high_a);
    roof_answer_ends(b, &low_b, &high_b);
    if (roof_answer_has_point(a) && roof_answer_has_point(b)) {
        const double r = b->value / a->value;
        return (roof_answer_ratio){r, r * exp(-hypot(log(high_a / a->value), log(b->value / low_b))),
                                   r * exp(hypot(log(a->value / low_a), log(high_b / b->value)))};
    }
    return (roof_answer_ratio){NAN, isinf(high_a) || !(high_a > 0) ? 0 : low_b / high_a,
                               isinf(high_b) || !(low_a > 0) ? INFINITY : high_b / low_a};
}

/* The first condition of a that b has another text for, or none. */
static const char *first_unlike(const roof_answer *a, const roof_answer *b, const char *const *allowed)
{
    for (uint32_t i = 0; i < a->n_under; i++) {
        const char *name = a->under[i].name;
        const uint32_t k = NAMED_AT(b->under, b->n_under, name, name);
        const char *const *requested = allowed;
        while (requested && *requested && strcmp(*requested, name) != 0)
            requested++;
        if ((!requested || !*requested) &&
            (k == b->n_under || strcmp(b->under[k].text, a->under[i].text) != 0))
            return name;
    }
    return NULL;
}

roof_outcome roof_answer_compare(const roof_answer *a, const roof_answer *b, const char *const *allowed)
{
    const char *of_a = first_unlike(a, b, allowed), *of_b = first_unlike(b, a, allowed);
    if (of_a || of_b)
        return (roof_outcome){ROOF_OUTCOME_NOT_COMPARABLE, {NAN, NAN, NAN}, of_a ? of_a : of_b};
    roof_answer x = *a, y = *b;
    const uint32_t both = x.covers.parts & y.covers.parts;
    if (x.covers.parts && y.covers.parts) { /* a part that only the other covers runs here as well */
        x.covers.left_out += both != y.covers.parts;
        y.covers.left_out += both != x.covers.parts;
    }
    const roof_answer_ratio r = roof_answer_ratio_of(&x, &y);
    const roof_outcome_kind is = r.low > 1    ? ROOF_OUTCOME_FASTER
                                 : r.high < 1 ? ROOF_OUTCOME_SLOWER
                                 : r.low >= 1 / EQUAL_RATIO && r.high <= EQUAL_RATIO
                                     ? ROOF_OUTCOME_EQUAL
                                     : ROOF_OUTCOME_CANNOT_TELL;
    return (roof_outcome){is, r, NULL};
}

bool roof_answer_about_same(const roof_answer *a, const roof_answer *b, const char *const *allowed)
{
    const roof_outcome o = roof_answer_compare(a, b, allowed);
    return (o.is == ROOF_OUTCOME_CANNOT_TELL || o.is == ROOF_OUTCOME_EQUAL) && o.ratio.value < SAME_RATIO &&
           o.ratio.value > 1 / SAME_RATIO;
}

uint32_t roof_answer_fastest(const roof_answer *answers, uint32_t n, const char *const *allowed, bool *may_be)
{
    uint32_t fastest = ROOF_NONE, n_may = 0;
    bool are_comparable = true;
    for (uint32_t i = 0; i < n; i++) {
        bool is_beaten = false;
        for (uint32_t k = 0; k < n; k++) {
            if (k == i)
                continue;
            const roof_outcome o = roof_answer_compare(&answers[k], &answers[i], allowed);
            is_beaten |= o.is == ROOF_OUTCOME_FASTER;
            are_comparable &= o.is != ROOF_OUTCOME_NOT_COMPARABLE;
        }
        if (may_be)
            may_be[i] = !is_beaten;
        n_may += !is_beaten;
        fastest = is_beaten ? fastest : i;
    }
    for (uint32_t i = 0; may_be && !are_comparable && i < n; i++)
        may_be[i] = false;
    return are_comparable && n_may == 1 ? fastest : ROOF_NONE;
}

roof_answer roof_answer_total(const roof_answer *parts, uint32_t n)
{
    roof_answer out = {
        .kind = ROOF_MEASURED, .value = 0, .low = 0, .high = 0, .unit = n ? parts[0].unit : NULL};
    for (uint32_t i = 0; i < n; i++) {
        const roof_answer *p = &parts[i];
        double low, high;
        roof_answer_ends(p, &low, &high);
        out.low += low;
        out.high += high;
        out.value += roof_answer_has_point(p) ? p->value : (double)NAN;
        out.covers.left_out += (p->kind == ROOF_NOT_KNOWN) + p->covers.left_out;
        out.covers.parts |= p->covers.parts;
        out.covers.rows += p->covers.rows;
        out.covers.rows_all += p->covers.rows_all;
        if (p->kind == ROOF_AT_MOST || out.kind == ROOF_AT_MOST)
            out.kind = ROOF_AT_MOST;
        else if (p->kind > out.kind) /* measured, expected, about: the least sure one */
            out.kind = p->kind;
    }
    if (!n || isinf(out.high)) {
        out.kind = n && out.low > 0 ? ROOF_AT_LEAST : ROOF_NOT_KNOWN;
        out.value = out.kind == ROOF_AT_LEAST ? out.low : (double)NAN;
        out.low = out.high = NAN;
    } else if (out.kind == ROOF_AT_MOST) {
        out.value = out.high;
        out.low = out.high = NAN;
    }
    return out;
}

roof_answer roof_answer_rate(const roof_answer *time, double n, const char *unit)
{
    roof_answer out = {.value = NAN, .low = NAN, .high = NAN, .unit = unit, .why = time->why};
    double low, high;
    roof_answer_ends(time, &low, &high);
    out.under = time->under;
    out.n_under = time->n_under;
    out.covers = time->covers;
    /* what is left out of the time has opened its end, and so the other one of the rate */
    out.covers.left_out = 0;
    if (roof_answer_has_point(time)) {
        out.kind = time->kind;
        out.value = n / time->value;
        out.low = n / high;
        out.high = n / low;
    } else if (time->kind == ROOF_EXPECTED && time->value > 0 && n > 0 && !time->covers.left_out) {
        out.kind = ROOF_EXPECTED; /* of unknown ends, as its time */
        out.value = n / time->value;
    } else if (low > 0) {
        out.kind = ROOF_AT_MOST;
        out.value = n / low;
    } else if (isfinite(high) && high > 0) {
        out.kind = ROOF_AT_LEAST;
        out.value = n / high;
    }
    return out;
}

roof_limit_ratio roof_answer_limit_ratio(const roof_limited *rows, uint32_t n, double total_s)
{
    roof_limit_ratio out = {0, n, NAN, NAN, NAN};
    double measured_s = 0, limit_s = 0;
    for (uint32_t i = 0; i < n; i++)
        if (rows[i].limit_s > 0 && !isnan(rows[i].measured_s)) {
            out.rows++;
            measured_s += rows[i].measured_s;
            limit_s += rows[i].limit_s;
        }
    out.time_ratio = total_s > 0 ? measured_s / total_s : (double)NAN;
    if (limit_s > 0) {
        out.of_rows = measured_s / limit_s;
        out.of_whole = out.time_ratio >= WHOLE_RATIO ? total_s / limit_s : (double)NAN;
    }
    return out;
}

roof_overlap roof_answer_overlap(roof_time_span *spans, uint32_t n, double span_s)
{
    roof_overlap out = {0, 0, 0, 0};
    double at_s = -INFINITY;
    order_sort(spans, n, sizeof *spans, ORDER_BY(RISING(roof_time_span, begin_s)));
    for (uint32_t i = 0; i < n; i++) {
        const double begin_s = fmax(spans[i].begin_s, at_s);
        out.work_s += spans[i].end_s - spans[i].begin_s;
        out.busy_s += fmax(0, spans[i].end_s - begin_s);
        at_s = fmax(at_s, spans[i].end_s);
    }
    out.overlap_s = out.work_s - out.busy_s;
    out.idle_s = span_s - out.busy_s;
    return out;
}
