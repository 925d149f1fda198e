#include "reports/cause_lines.h"

#include <math.h>
#include <stdlib.h>

typedef struct told {
    roof_cause cause; /* the first member: cause_order compares */
    const cause_source *of;
} told;

static void add_line(const told *t, const char *label, bool with_advice, remarks *lines)
{
    const roof_cause *c = &t->cause;
    char why[ROOF_SENTENCE_SIZE], size[ROOF_SENTENCE_SIZE];
    sentence said = sentence_in(why), gain = sentence_in(size);
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
    remarks_add(lines, label, "%s%s%s: %s%s%s", size, *t->of->model ? " of " : "", t->of->model, why,
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
    for (uint32_t i = 0; i < n_all && (!most || i < most); i++) {
        bool is_limit = costs && i >= costs;
        const char *label = cause_is_unlocated(&all[i].cause)
                                ? "not located"
                                : arena_printf(lines->arena, "%s %u", is_limit ? "limit" : "cause",
                                               1 + i - (is_limit ? costs : 0));
        add_line(&all[i], text_or_empty(label), !most, lines);
    }
    if (most && n_all > most)
        remarks_add(lines, "", "and %u more; --details lists them", n_all - most);
}
