#include "reports/words/prediction_words.h"
#include "measure/compare/conditions.h"

const char *answer_words(roof_arena *arena, const roof_answer *a)
{
    static const char *const words[ROOF_ANSWER_KINDS] = {[ROOF_MEASURED] = "measured",
                                                         [ROOF_EXPECTED] = "expected",
                                                         [ROOF_ABOUT] = "about",
                                                         [ROOF_AT_LEAST] = "bound",
                                                         [ROOF_AT_MOST] = "at most"};
    const bool is_seconds = !a->unit || strcmp(a->unit, "s") == 0;
    if (a->kind == ROOF_NOT_KNOWN || isnan(a->value))
        return a->why ? say_printf(arena, "not known, %s", a->why) : "not known";
    const char *value = is_seconds ? say_quantity(arena, a->value, "s") : say_number(arena, a->value, 0);
    if (isnan(a->low) || isnan(a->high) || !is_seconds)
        return say_printf(arena, "%s %s%s", words[a->kind], value,
                          a->kind == ROOF_EXPECTED && is_seconds ? ", without an interval" : "");
    return say_printf(arena, "%s %s (%s to %s)", words[a->kind], value, say_quantity(arena, a->low, "s"),
                      say_quantity(arena, a->high, "s"));
}

/* "1.36", "146", "4 330". */
static const char *say_ratio(roof_arena *arena, double ratio)
{
    return ratio < 100 ? say_printf(arena, "%.3g", ratio) : say_number(arena, ratio, 0);
}

/* "1.5 times as fast as b (1.1 to 1.9)", "at least 4.2 times as fast as b, by a bound", "could be up to 12
 * times as fast as b"; "": nothing can be said. */
static const char *answer_times_words(roof_arena *arena, const roof_answer_ratio *r, const char *other)
{
    if (!isnan(r->value))
        return say_printf(arena, "%s times as fast as %s (%s to %s)", say_ratio(arena, r->value), other,
                          say_ratio(arena, r->low), say_ratio(arena, r->high));
    if (r->low > 1)
        return say_printf(arena, "at least %s times as fast as %s, by a bound", say_ratio(arena, r->low),
                          other);
    return isfinite(r->high)
               ? say_printf(arena, "could be up to %s times as fast as %s", say_ratio(arena, r->high), other)
               : "";
}

/* --- conditions --------------------------------------------------------------------------------------- */

/* Conditions in question where boards stand side by side; rates are of all that work, however many. */
static const char *const requested[] = {"hardware", "clock", "bandwidth", NULL};
static const char busy[] = "busy cores";
static const char *const asked_of_rates[] = {"hardware", "clock", "bandwidth", busy, NULL};

/* With one core busy; of its error no more is known than with all. */
static roof_answer time_alone(const roof_pair *pair)
{
    const roof_prediction *p = pair->prediction;
    roof_answer out = roof_pair_takes(pair);
    const double ratio =
        p && p->throughput.n_service ? p->throughput.service->seconds / out.value : (double)NAN;
    if (out.kind == ROOF_EXPECTED && p && p->total.busy_cores > 1) {
        out.kind = ratio > 0 ? ROOF_EXPECTED : ROOF_NOT_KNOWN;
        out.value *= ratio;
        out.low = fmax(out.low * ratio, fmin(pair->best_s, out.value));
        out.high *= ratio;
    }
    return out;
}

bool answer_is_asked(const char *condition)
{
    return IS_ONE_OF(requested, condition);
}

/* Of one of the images that a run has. */
static void share_out(roof_answer *of, uint32_t batch)
{
    of->value /= batch;
    of->low /= batch;
    of->high /= batch;
}

roof_status answer_contestant(const roof_pair *pair, const char *name, bool is_of_one, roof_arena *arena,
                              contestant *out, roof_error *err)
{
    roof_pair part = *pair;
    part.host_layers = 0;
    *out = (contestant){.name = name,
                        .takes = roof_pair_takes(pair),
                        .alone = time_alone(pair),
                        .makes = roof_pair_makes(&part)};
    const uint32_t cores = pair->prediction->hardware.cores, n = pair->load ? pair->load->threads : cores;
    out->makes_what = say_printf(arena, "%ss/s with %u %s%s", pair->load ? "frame" : pair->unit, n,
                                 pair->load ? "thread" : "core", say_plural(n));
    run_conditions c;
    roof_answer_condition *under;
    uint32_t stated = 0;
    TRY(conditions_of_prediction(pair->prediction, arena, &c, err));
    TRY(ARENA_GET(arena, under, CONDITIONS, err));
    for (condition_id id = 0; id < CONDITIONS; id++)
        if (c.text[id] && !(is_of_one && id == CONDITION_BATCH))
            under[stated++] = (roof_answer_condition){condition_rows[id].word, c.text[id]};
    out->takes.under = out->makes.under = under;
    out->takes.n_under = out->makes.n_under = stated;
    if (is_of_one && pair->batch > 1) {
        share_out(&out->takes, pair->batch);
        share_out(&out->alone, pair->batch);
    }
    return ROOF_OK;
}

void answer_put_conditions(const roof_prediction *prediction, const char *key, jsonout *json)
{
    roof_arena *arena = arena_new(0);
    roof_error ignored;
    run_conditions c;
    jsonout_object(json, key, true);
    if (!arena || conditions_of_prediction(prediction, arena, &c, &ignored) != ROOF_OK)
        json->out->failed = true;
    else
        for (condition_id id = 0; id < CONDITIONS; id++) {
            char *name = c.text[id] ? arena_strdup(arena, condition_rows[id].word) : NULL;
            for (char *p = name; p && *p; p++)
                *p = *p == ' ' ? '_' : *p;
            if (name)
                jsonout_string(json, name, c.text[id]);
            json->out->failed = json->out->failed || (c.text[id] && !name);
        }
    jsonout_end(json);
    arena_free(arena);
}

static const char *text_under(const roof_answer *a, const char *name)
{
    const uint32_t i = NAMED_AT(a->under, a->n_under, name, name);
    return i < a->n_under ? a->under[i].text : NULL;
}

/* --- several ------------------------------------------------------------------------------------------ */

enum { MOST_NAMED = 4 };

/* "a expected 2 ms, b bound 1 ms and 3 others": those that are marked, or all. */
static const char *list_times(roof_arena *arena, const contestant *all, uint32_t n, const bool *marked)
{
    const char *list = "";
    uint32_t named = 0, wanted = 0;
    for (uint32_t i = 0; i < n; i++)
        wanted += !marked || marked[i];
    for (uint32_t i = 0; i < n && named < MOST_NAMED; i++)
        if (!marked || marked[i]) {
            named++;
            list = say_joined(arena, list, named == wanted ? " and " : ", ", "%s %s", all[i].name,
                              answer_words(arena, &all[i].takes));
        }
    return wanted > named ? say_printf(arena, "%s and %u others", list, wanted - named) : list;
}

static const char *stated_or(const char *text)
{
    return text ? text : "not stated";
}

/* "data type int8 and tf32": the first condition that differs; NULL: all are alike. */
static const char *first_unlike(roof_arena *arena, const contestant *all, uint32_t n)
{
    const char *name = NULL, *list = "";
    for (uint32_t i = 1; i < n && !name; i++)
        name = roof_answer_compare(&all[0].takes, &all[i].takes, requested).unlike;
    for (uint32_t i = 0; i < n && name; i++) {
        const char *text = text_under(&all[i].takes, name);
        bool is_told = !text && strcmp(name, busy) == 0; /* a bound holds with any number of them */
        for (uint32_t k = 0; k < i && !is_told; k++)
            is_told = strcmp(stated_or(text_under(&all[k].takes, name)), stated_or(text)) == 0;
        if (!is_told)
            list = say_joined(arena, list, " and ", "%s", stated_or(text));
    }
    return name ? say_printf(arena, "%s %s", name, list) : NULL;
}

/* "; zcu104 makes most, 164 inferences/s with 2 cores": where that is known. */
static const char *say_most(roof_arena *arena, const contestant *all, uint32_t n)
{
    roof_answer *each = NEW_ARRAY(arena, roof_answer, n);
    for (uint32_t i = 0; i < n && each; i++) {
        if (all[i].takes.covers.left_out) /* of unlike parts */
            return "";
        each[i] = roof_answer_rate(&all[i].makes, 1, "s");
        each[i].under = all[i].makes.under;
        each[i].n_under = all[i].makes.n_under;
    }
    const uint32_t most = each ? roof_answer_fastest(each, n, asked_of_rates, NULL) : ROOF_NONE;
    if (most == ROOF_NONE || n < 2)
        return "";
    return say_printf(arena, "; %s has the highest rate, %s %s", all[most].name,
                      say_number(arena, all[most].makes.value, 0), all[most].makes_what);
}

static const char *say_fastest(roof_arena *arena, const contestant *all, uint32_t n, uint32_t fastest)
{
    const contestant *one = &all[fastest];
    const char *text = say_printf(arena, "%s is fastest, %s", one->name, answer_words(arena, &one->takes));
    const uint32_t others[] = {fastest ? 0 : 1, fastest + 1 < n ? n - 1 : n - 2}; /* the next, and the last */
    for (size_t k = 0; k < (others[0] == others[1] ? 1 : 2); k++) {
        const roof_outcome o = roof_answer_compare(&one->takes, &all[others[k]].takes, requested);
        const char *times = answer_times_words(arena, &o.ratio, all[others[k]].name);
        text = *times ? say_printf(arena, "%s, %s", text, times) : text;
    }
    return text;
}

/* A bound so many times below the other's time says little: measured times are a few times theirs. */
#define LOOSE_BOUND 10

/* For two whose times do not show which is faster, one of them a bound alone. */
static const char *say_could(roof_arena *arena, const contestant *all, uint32_t n)
{
    for (uint32_t i = 0; i < n && n == 2; i++) {
        const roof_answer *bound = &all[i].takes, *other = &all[1 - i].takes;
        const roof_answer_ratio r = roof_answer_ratio_of(bound, other);
        const bool is_bound = bound->kind == ROOF_AT_LEAST && roof_answer_has_point(other);
        if (is_bound && r.high > LOOSE_BOUND)
            return say_printf(arena, "; the bound of %s says little, being so far below", all[i].name);
        if (is_bound && r.high > 1)
            return say_printf(arena, "; by its bound %s could be up to %s times as fast", all[i].name,
                              say_ratio(arena, r.high));
    }
    return "";
}

/* "; the ratio of their times is 0.849 to 1.33" of two; of more "; by what is expected a and b, not
 * distinguished, before c": of those that may be fastest, where all have points. */
static const char *say_order(roof_arena *arena, const contestant *all, uint32_t n, const bool *may)
{
    const char *list = "";
    const contestant *first = NULL, *last = NULL;
    static const char group[] = ", not distinguished,";
    uint32_t named = 0;
    bool is_group = false;
    for (uint32_t i = 0; i < n && named < MOST_NAMED; i++) {
        if (!may[i])
            continue;
        if (!roof_answer_has_point(&all[i].takes))
            return "";
        const bool is_same = last && roof_answer_about_same(&last->takes, &all[i].takes, requested);
        const char *between = !last ? "" : is_same ? " and " : " before ";
        list = say_printf(arena, "%s%s%s%s", list, is_group && !is_same ? group : "", between, all[i].name);
        is_group = is_same;
        first = first ? first : &all[i];
        last = &all[i];
        named++;
    }
    if (named == 2) {
        const roof_answer_ratio r = roof_answer_ratio_of(&first->takes, &last->takes);
        return say_printf(arena, "; the ratio of their times is %s to %s", say_ratio(arena, r.low),
                          say_ratio(arena, r.high));
    }
    if (named < 2 || roof_answer_about_same(&first->takes, &last->takes, requested))
        return "";
    return say_printf(arena, "; by what is expected %s%.*s", list, is_group ? (int)sizeof group - 2 : 0,
                      group);
}

/* A copy of its conditions with so many cores busy. */
static void set_busy(roof_arena *arena, roof_answer *a, const char *cores)
{
    roof_answer_condition *under = NEW_ARRAY(arena, roof_answer_condition, a->n_under + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; under && i < a->n_under; i++)
        if (strcmp(a->under[i].name, busy) != 0)
            under[n++] = a->under[i];
    if (under)
        under[n++] = (roof_answer_condition){busy, cores};
    a->under = under;
    a->n_under = n;
}

/* Makes alike what can be: a bound holds with any number of cores busy; times of unlike numbers are those
 * with one; and where all leave out the same of the CPU's operators, what is left is compared. Result: what
 * it is then of, for the sentence. */
static const char *level(roof_arena *arena, contestant *all, uint32_t n)
{
    const char *stated = NULL;
    bool are_busy_alike = true, are_known_alone = true, leave_out_alike = true;
    for (uint32_t i = 0; i < n; i++) {
        const char *own = text_under(&all[i].takes, busy);
        are_busy_alike = are_busy_alike && (!own || !stated || strcmp(own, stated) == 0);
        are_known_alone = are_known_alone && (!own || all[i].alone.kind == ROOF_EXPECTED);
        stated = own ? own : stated;
        leave_out_alike = leave_out_alike && all[i].takes.covers.left_out == all[0].takes.covers.left_out;
    }
    const bool is_alone = n > 1 && !are_busy_alike && are_known_alone,
               is_part = n > 1 && leave_out_alike && all[0].takes.covers.left_out;
    for (uint32_t i = 0; i < n; i++) {
        roof_answer *a = &all[i].takes;
        if (is_alone && text_under(a, busy)) {
            all[i].alone.under = a->under;
            all[i].alone.n_under = a->n_under;
            *a = all[i].alone;
        }
        if (stated && (are_busy_alike || is_alone))
            set_busy(arena, a, is_alone ? "1" : stated);
        if (is_part)
            a->covers.left_out = 0;
    }
    return is_alone  ? is_part ? "of the accelerator's part with one core busy, " : "with one core busy, "
           : is_part ? "of the accelerator's part, "
                     : "";
}

const char *answer_contest(roof_arena *arena, contestant *all, uint32_t n, bool is_brief)
{
    const char *of = level(arena, all, n);
    for (uint32_t i = 0; i < n; i++)
        all[i].rank = all[i].takes.kind == ROOF_NOT_KNOWN ? 2 : !roof_answer_has_point(&all[i].takes);
    order_sort(all, n, sizeof *all,
               ORDER_BY(RISING(contestant, rank), RISING(contestant, takes.value), RISING(contestant, name)));
    if (n == 1)
        return all[0].takes.kind == ROOF_NOT_KNOWN && !all[0].takes.why
                   ? "no time is known"
                   : say_printf(arena, "%s, %s", all[0].name, answer_words(arena, &all[0].takes));
    roof_answer *takes = NEW_ARRAY(arena, roof_answer, n);
    bool *may = NEW_ARRAY(arena, bool, n), are_equal = true;
    if (!n || !takes || !may)
        return "";
    const char *unlike = first_unlike(arena, all, n);
    const char *list = is_brief ? "" : say_printf(arena, ": %s", list_times(arena, all, n, NULL)),
               *most = is_brief ? "" : say_most(arena, all, n);
    if (unlike)
        return say_printf(arena, "%snot comparable, %s%s%s", of, unlike, list, most);
    for (uint32_t i = 0; i < n; i++) {
        takes[i] = all[i].takes;
        are_equal =
            are_equal && roof_answer_compare(&all[0].takes, &takes[i], requested).is == ROOF_OUTCOME_EQUAL;
    }
    const uint32_t fastest = roof_answer_fastest(takes, n, requested, may);
    const char *behind = "";
    for (uint32_t i = 0; i < n; i++)
        if (!may[i])
            behind = say_more(arena, behind, "%s", all[i].name);
    const char *unknown = is_brief ? ""
                                   : say_printf(arena, ": %s%s%s%s%s", list_times(arena, all, n, may),
                                                say_order(arena, all, n, may), say_could(arena, all, n),
                                                *behind ? "; slower: " : "", behind);
    const char *text = fastest != ROOF_NONE && is_brief
                           ? say_printf(arena, "%s is fastest", all[fastest].name)
                       : fastest != ROOF_NONE ? say_fastest(arena, all, n, fastest)
                       : are_equal            ? say_printf(arena, "all take the same, within 5 %%%s", list)
                       : n > 2                ? say_printf(arena, "which is fastest is unknown%s", unknown)
                                              : say_printf(arena, "which is faster is unknown%s", unknown);
    return say_printf(arena, "%s%s%s", of, text, most);
}
