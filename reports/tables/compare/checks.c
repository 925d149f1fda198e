/* The verdict on a budget: one line where all is kept, else a table of the rest, and what is missing. */
#include "reports/words/prediction_words.h"
#include "reports/renderers/renderer.h"

const char *check_value(roof_arena *arena, const roof_check *c, double value)
{
    char text[40];
    if (c->unit[0] != 'r')
        return say_quantity(arena, value, c->unit);
    number_format_derived(text, sizeof text, round(value * 1e4) / 1e4);
    return text_or_empty(arena_strdup(arena, text));
}

const char *check_found(roof_arena *arena, const roof_check *c)
{
    const bool is_of_claim = c->kind != ROOF_NOT_KNOWN && c->unit[0] == 's';
    const roof_answer found = {c->kind, c->found, c->found_ci95[0], c->found_ci95[1], .unit = "s"};
    return say_printf(arena, "%s%s",
                      is_of_claim ? answer_words(arena, &found) : check_value(arena, c, c->found),
                      is_of_claim && c->left_out ? " of the accelerator's part" : "");
}

/* "mean 12.19 ms, limit at most 12.5 ms": of those in this state the one that is nearest to its limit, or
 * furthest beyond it. One that has no number has its reason: "mean: no run has the time of an inference". */
static const char *say_nearest(roof_arena *arena, const roof_checks *checks, roof_held state)
{
    const roof_check *first = NULL, *any = NULL;
    double most = -INFINITY;
    FOR_EACH(const roof_check, c, checks->items, checks->n) {
        any = !any && c->state == state ? c : any;
        const double beyond = c->is_least ? -c->excess_ratio : c->excess_ratio;
        if (c->state == state && beyond > most && !isnan(c->found)) {
            most = beyond;
            first = c;
        }
    }
    if (first) { /* "expected" is said once */
        const bool is_said = strcmp(first->name, text_or_empty(roof_answer_kind_text(first->kind))) == 0;
        return say_printf(arena, "%s%s%s, limit at %s %s", is_said ? "" : first->name, is_said ? "" : " ",
                          check_found(arena, first), first->is_least ? "least" : "most",
                          check_value(arena, first, first->limit));
    }
    if (any && any->why && *any->why)
        return say_printf(arena, "%s: %s", any->name, any->why);
    return any ? any->name : "";
}

const char *checks_verdict(roof_arena *arena, const roof_checks *checks)
{
    static const struct {
        const char *word;
        roof_held of;
    } verdicts[] = {{"PASS", ROOF_HELD_KEPT}, {"UNKNOWN", ROOF_HELD_NOT_KNOWN}, {"FAIL", ROOF_HELD_BROKEN}};
    static const struct {
        roof_held of;
        const char *words;
    } others[] = {{ROOF_HELD_NOT_KNOWN, "not known"},
                  {ROOF_HELD_SKIPPED, "optional, not known"},
                  {ROOF_HELD_KEPT, "kept"}};
    const uint32_t *n = checks->counts;
    const int v = n[ROOF_HELD_BROKEN] ? 2 : roof_checks_failed(checks) ? 1 : 0;
    const char *text = say_printf(arena, "%s: %u of %u check%s", verdicts[v].word, n[verdicts[v].of],
                                  checks->n, say_plural(checks->n));
    const char *first = say_nearest(arena, checks, verdicts[v].of);
    if (checks->contradiction)
        text = say_printf(arena, "%s; this cannot be: %s", text, checks->contradiction);
    else if (*first)
        text = say_printf(arena, "%s, %s%s", text,
                          n[verdicts[v].of] <= 1 ? ""
                          : v == 2               ? "the worst "
                          : v                    ? "such as "
                                                 : "the closest ",
                          first);
    for (size_t i = 0; i < N_OF(others); i++)
        if (others[i].of != verdicts[v].of && n[others[i].of])
            text = say_printf(arena, "%s; %u %s", text, n[others[i].of], others[i].words);
    return say_printf(arena, "%s.", text);
}

static grid_cell value_cell(roof_arena *arena, const roof_check *c, double value)
{
    return isnan(value) ? cell_number(NAN, 0)
                        : cell_worded(check_value(arena, c, value), value, CELL_ANY_DIGITS);
}

/* Documents have all but the last ones, which are for people alone. */
enum { OF_PEOPLE = 6 };
GRID_COLUMNS(columns, GRID_MEMBER(NAME, "model", NULL, "model", "model", 0),
             GRID_MEMBER(NAME, "check", NULL, "name", "name", 0), GRID_DOCUMENT(TEXT, "state"),
             GRID_DOCUMENT(TEXT, "unit"), GRID_DOCUMENT(NUMBER, "found"), GRID_DOCUMENT(NUMBER, "limit"),
             GRID_DOCUMENT(FLAG, "is_least"), GRID_DOCUMENT(NUMBER, "excess_ratio"),
             GRID_DOCUMENT(NAME, "why"), GRID_DOCUMENT(TEXT, "found_kind"),
             GRID_DOCUMENT(NUMBER, "found_low"), GRID_DOCUMENT(NUMBER, "found_high"),
             GRID_DOCUMENT(NUMBER, "found_left_out"), GRID_TEXT("is", 0), GRID_NUMBER("found", NULL, 0),
             GRID_TEXT("", 0), GRID_NUMBER("limit", NULL, 0), GRID_NUMBER("by", "[%]", 0),
             GRID_NOTE("what", 3));

static void add_check(cell_grid *grid, const roof_check *c)
{
    static const char *const states[] = {"kept", "broken", "not_known", "skipped"};
    static const cell_colour colours[ROOF_HELD_KINDS] = {
        [ROOF_HELD_BROKEN] = CELL_RED, [ROOF_HELD_NOT_KNOWN] = CELL_YELLOW};
    GRID_ADD(grid, c->model ? cell_text(c->model) : cell_empty, cell_text(c->name),
             cell_text(states[c->state]), cell_text(c->unit), cell_value(c->found), cell_value(c->limit),
             cell_count(c->is_least), cell_value(c->excess_ratio), cell_text(c->why),
             cell_text(c->kind == ROOF_NOT_KNOWN ? "" : roof_answer_kind_text(c->kind)),
             cell_value(c->found_ci95[0]), cell_value(c->found_ci95[1]), cell_count(c->left_out));
    if (!grid->csv && !grid->json)
        GRID_ADD(grid, cell_coloured(roof_held_text(c->state), colours[c->state]),
                 value_cell(grid->arena, c, c->found), cell_text(c->is_least ? ">=" : "<="),
                 value_cell(grid->arena, c, c->limit), cell_signed(100 * c->excess_ratio, 1),
                 cell_text(c->why));
}

void checks_csv(const rendering *r)
{
    cell_grid grid;
    grid_begin_csv(&grid, r->arena, columns, N_OF(columns) - OF_PEOPLE, r->out);
    for (uint32_t i = 0; i < r->checks->n; i++)
        add_check(&grid, &r->checks->items[i]);
}

void checks_json(const rendering *r)
{
    const uint32_t *n = r->checks->counts;
    cell_grid grid;
    jsonout json;
    jsonout_document(&json, r->out, ROOF_CHECKS_SCHEMA);
    jsonout_count(&json, "kept", n[ROOF_HELD_KEPT]);
    jsonout_count(&json, "broken", n[ROOF_HELD_BROKEN]);
    jsonout_count(&json, "not_known", n[ROOF_HELD_NOT_KNOWN]);
    jsonout_count(&json, "skipped", n[ROOF_HELD_SKIPPED]);
    jsonout_string(&json, "contradiction", r->checks->contradiction);
    grid_begin(&grid, r->arena, columns, N_OF(columns) - OF_PEOPLE);
    grid_begin_json(&grid, &json, "checks", true);
    for (uint32_t i = 0; i < r->checks->n; i++)
        add_check(&grid, &r->checks->items[i]);
    grid_end_json(&grid);
    jsonout_end(&json);
}

void checks_put(const rendering *r)
{
    const char *const verdict[] = {checks_verdict(r->arena, r->checks)};
    cell_grid grid;
    bool has_all = r->options->details || r->writer.is_markdown;
    if (!has_all && r->checks->counts[ROOF_HELD_KEPT] == r->checks->n) {
        writer_put_wrapped(r->out, verdict[0], r->writer.width, 0);
        return;
    }
    writer_verdict(&r->writer, verdict, 1);
    grid_begin(&grid, r->arena, columns, N_OF(columns));
    for (uint32_t i = 0; i < r->checks->n; i++)
        if (has_all || r->checks->items[i].state != ROOF_HELD_KEPT)
            add_check(&grid, &r->checks->items[i]);
    if (grid.n_rows)
        grid_put(&grid, &r->writer);
    if (r->checks->counts[ROOF_HELD_NOT_KNOWN] && !r->writer.is_markdown) {
        text_puts(r->out, "\nNot known:\n");
        /* The reasons in full: a table may have no room for them. */
        FOR_EACH(const roof_check, c, r->checks->items, r->checks->n)
            if (c->state == ROOF_HELD_NOT_KNOWN)
                writer_put_wrapped(
                    r->out, say_printf(r->arena, "%s, %s: %s.", text_or_empty(c->model), c->name, c->why),
                    r->writer.width, 2);
    }
}
