#include "reports/words/cause_lines.h"

#include <math.h>
#include <stdlib.h>

typedef struct told {
    roof_cause cause; /* the first member: cause_order compares */
    const cause_source *of;
} told;

/* A fit over all models of a board is one cause: the same time of each. */
static bool is_same(const told *a, const told *b)
{
    const roof_cause *c = &a->cause, *d = &b->cause;
    return c->kind == d->kind && !c->n_units && !d->n_units &&
           fabs(c->gain_s - d->gain_s) <= 1e-9 * c->gain_s && a->of != b->of;
}

enum { MOST_COMPARED = 1000 };

static bool is_told_before(const told *all, uint32_t i)
{
    uint32_t k = 0;
    while (k < i && !is_same(&all[k], &all[i]))
        k++;
    return k < i;
}

static uint32_t count_same(const told *all, uint32_t n, uint32_t i)
{
    uint32_t same = 0;
    for (uint32_t k = i + 1; k < n; k++)
        same += is_same(&all[i], &all[k]);
    return same;
}

static void add_line(const told *t, const char *label, uint32_t n_same, bool with_advice, remarks *lines)
{
    const roof_cause *c = &t->cause;
    char why[ROOF_SENTENCE_SIZE], size[ROOF_SENTENCE_SIZE];
    sentence said = say_into(why), gain = say_into(size);
    cause_say(&said, c, &t->of->names);
    if (isnan(c->gain_s))
        say(&gain, "gain not known");
    else
        SAY(&gain, "{}{}, {.0%} %", AS_TEXT(cause_gain_before(c)), AS_SECONDS(c->gain_s),
            AS_RATIO(c->share_ratio));
    if (!isnan(c->gain_ci95_s[0]))
        SAY(&gain, " ({} to {})", AS_SECONDS(c->gain_ci95_s[0]), AS_SECONDS(c->gain_ci95_s[1]));
    if (!isnan(c->gain_s))
        say(&gain, cause_gain_behind(c));
    const char *same = n_same ? say_printf(lines->arena, " and as much of %u more", n_same) : "";
    remarks_add(lines, label, "%s%s%s%s: %s%s%s", size, *t->of->model ? " of " : "", t->of->model, same, why,
                with_advice ? ". To do: " : "", with_advice ? roof_cause_advice(c->kind) : "");
}

void cause_lines_add(const cause_source *sources, uint32_t n, uint32_t most, remarks *lines)
{
    told *all = NULL;
    uint32_t n_all = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < sources[i].n; k++) {
            told *more = arena_grow(lines->arena, all, n_all, sizeof *all);
            if (!more)
                return; /* the arena remembers */
            all = more;
            all[n_all++] = (told){sources[i].causes[k], &sources[i]};
        }
    if (n_all == 1 && most)
        return; /* the verdict says it */
    if (n_all)
        qsort(all, n_all, sizeof *all, cause_order);
    uint32_t costs = 0; /* limits of the model are counted by themselves behind them */
    while (costs < n_all && !cause_is_limit(&all[costs].cause))
        costs++;
    uint32_t told_lines = 0, n_left_out = 0, number = 0;
    for (uint32_t i = 0; i < n_all; i++) {
        bool is_limit = costs && i >= costs,
             is_repeated = most && i < MOST_COMPARED && is_told_before(all, i);
        if (is_repeated)
            continue;
        if (most && told_lines == most) {
            n_left_out++;
            continue;
        }
        told_lines++;
        number = i == costs ? 1 : number + 1;
        const char *label = cause_is_unlocated(&all[i].cause)
                                ? "not located"
                                : arena_printf(lines->arena, "%s %u", is_limit ? "limit" : "cause", number);
        add_line(&all[i], text_or_empty(label), most ? count_same(all, n_all, i) : 0, !most, lines);
    }
    if (n_left_out)
        remarks_add(lines, "", "and %u more; --details lists them", n_left_out);
}
