/* An explanation as sentences, a table of causes and lines below it. */
#include "reports/renderers/document.h"
#include "reports/words/prediction_words.h"

/* --- the numbers ---------------------------------------------------------------------------------------- */

/* "34.48 ms (29/s)", "555.6 us (1 800/s)" */
static const char *say_pace(double seconds, roof_arena *arena)
{
    const char *rate = 1 / seconds < 999.5 ? say_printf(arena, "%.3g", 1 / seconds)
                                           : say_count(arena, (uint64_t)fmin(round(1 / seconds), 1e15));
    return say_printf(arena, "%s (%s/s)", say_seconds(arena, seconds), rate);
}

/* "yolov8n on RK3588 NPU: 34.48 ms (29/s), 2.55 times the published 13.51 ms (74/s), 2.31 to 2.81: slower
 * than it should be; expected 13.64 ms ..." */
static const char *say_number_beside(const roof_explanation *e, const roof_explained_number *n,
                                     roof_arena *arena)
{
    static const char *const verdicts[ROOF_EXPLAIN_VERDICTS] = {"no time to hold it against is known",
                                                                "as expected",
                                                                "as published",
                                                                "slower than it should be",
                                                                "faster than it should be",
                                                                "faster than possible"};
    const bool has_published = !isnan(n->published_s);
    const char *hardware = e->hardware ? e->hardware : e->not_in_database;
    const char *subject = n->model || hardware
                              ? say_printf(arena, "%s%s%s", n->model ? n->model : "",
                                           n->model && hardware ? " on " : "", hardware ? hardware : "")
                              : "The number";
    const char *reference =
        has_published ? say_pace(n->published_s, arena) : say_seconds(arena, n->expected.value);
    const bool is_part = !has_published && n->expected.covers.left_out; /* what is left out takes time, too */
    /* Times that the ratio is not of: "; expected 13.64 ms (95 %: 6.38 ms to 29.17 ms), bound 1.423 ms". */
    const char *list = isnan(n->expected.value) || !has_published ? "" : answer_words(arena, &n->expected);
    if (!isnan(n->bound_s))
        list = say_more(arena, list, "bound %s", say_seconds(arena, n->bound_s));
    if (*list && n->cpu_rows)
        list =
            say_more(arena, list, "without %u operator%s of the CPU", n->cpu_rows, say_plural(n->cpu_rows));
    return SAY_TEXT(
        arena, "{}: {}[?, {.2} times the {} {}{}, {.2} to {.2}]: {}[?; {}].", AS_TEXT(subject),
        AS_TEXT(say_pace(n->measured_s, arena)), AS("", n->ratio.value),
        AS_TEXT(has_published ? "published" : "expected"), AS_TEXT(reference),
        AS_TEXT(is_part ? " of the accelerator's part" : ""), AS("", n->ratio.low), AS("", n->ratio.high),
        AS_TEXT(is_part && n->verdict == ROOF_EXPLAINED_SLOWER ? "longer than that part should take"
                                                               : verdicts[n->verdict]),
        AS_TEXT(*list ? list : NULL));
}

/* --- causes --------------------------------------------------------------------------------------------- */

static const char *list_traits(const char *list, uint64_t traits, roof_arena *arena)
{
    for (uint32_t bit = 0; bit < ROOF_TRAITS; bit++)
        if (traits & (1ULL << bit))
            list = say_more(arena, list, "%s", roof_explain_trait_words(bit));
    return list;
}

/* "600 MHz of 1 GHz: 1.67 times", "usually 1.3 to 2.7 times" */
static const char *say_amount(const roof_explained_cause *c, bool is_for, roof_arena *arena)
{
    const double low = fmin(c->usual_low_ratio, c->usual_high_ratio),
                 high = fmax(c->usual_low_ratio, c->usual_high_ratio);
    if (c->amount_name)
        return is_for ? say_printf(arena, "%s: %.3g times", c->amount_name, c->stated_ratio) : "";
    return (c->size_ratio >= low && c->size_ratio <= high) == is_for
               ? say_printf(arena, "usually %.3g to %.3g times", low, high)
               : "";
}

GRID_CELL(cause_for, roof_explained_cause, c,
          cell_text(list_traits(say_amount(c, true, row->arena), c->pro, row->arena)))
GRID_CELL(cause_against, roof_explained_cause, c,
          cell_text(list_traits(say_amount(c, false, row->arena), c->contra, row->arena)))

static bool is_as_it_should_be(const roof_explanation *e)
{
    return e->numbers->verdict == ROOF_EXPLAINED_AS_EXPECTED ||
           e->numbers->verdict == ROOF_EXPLAINED_AS_PUBLISHED;
}

static const char *say_first_cause(const roof_explanation *e, roof_arena *arena)
{
    const roof_explained_cause *c = e->causes;
    const char *cause = e->n_causes ? say_printf(arena, "%s (%.0f %%)", c->title, 100 * c->probability) : "";
    if (e->numbers->verdict == ROOF_EXPLAINED_IMPOSSIBLE)
        return "Check the unit, the batch, and that network, data type, clock and board are those that ran.";
    if (is_as_it_should_be(e))
        return e->n_causes && c->probability >= ROOF_EXPLAIN_POSSIBLE
                   ? say_printf(arena, "Nothing has to be explained; look first at %s.", cause)
                   : "Nothing has to be explained.";
    if (!e->n_causes || c->probability < ROOF_EXPLAIN_POSSIBLE)
        return "No cause that is known fits well.";
    const char *why = list_traits(say_amount(c, true, arena), c->pro, arena);
    return say_printf(arena, "%s: %s%s%s.",
                      c->probability > ROOF_EXPLAIN_LIKELY ? "Likely cause"
                                                           : "Possible cause, the first of several",
                      cause, *why ? "; " : "", why);
}

static const char *explanation_sentence_of(const void *document, uint32_t i, roof_arena *arena)
{
    const roof_explanation *e = document;
    if (i <= e->n_numbers)
        return i < e->n_numbers ? say_number_beside(e, &e->numbers[i], arena) : say_first_cause(e, arena);
    if (i > e->n_numbers + 1 || !e->next || is_as_it_should_be(e) ||
        e->numbers->verdict == ROOF_EXPLAINED_IMPOSSIBLE)
        return NULL;
    return e->n_causes < 2
               ? say_printf(arena, "Next: %s.", e->next)
               : say_printf(arena, "Next: %s. That tells '%s' from '%s' (%.0f %%).", e->next,
                            e->causes[0].title, e->causes[1].title, 100 * e->causes[1].probability);
}

/* --- the table ------------------------------------------------------------------------------------------ */

#define OF(member, from, ...) GRID_OF(roof_explained_cause, member, from, __VA_ARGS__)
static const grid_column columns[] = {
    OF(kind, TEXT, .title = NULL),
    OF(title, TEXT, .title = "cause", .kind = COLUMN_NOTE, .least = 20, .most = 52),
    OF(probability, VALUE, .title = "chance", .unit = "[%]", .kind = COLUMN_NUMBER, .times = 100),
    OF(likely, TEXT, .title = NULL),
    OF(size_s, VALUE, .title = "adds", .kind = COLUMN_TIME, .rank = 1),
    OF(size_ratio, VALUE, .title = "times", .kind = COLUMN_NUMBER, .digits = 2),
    GRID_AS("stated", roof_explained_cause, amount_name, TEXT, .title = NULL),
    OF(stated_ratio, VALUE, .title = NULL),
    OF(usual_low_ratio, VALUE, .title = NULL),
    OF(usual_high_ratio, VALUE, .title = NULL),
    GRID_BY("for", cause_for, .title = "for", .kind = COLUMN_NOTE, .least = 16, .most = 48, .rank = 2),
    GRID_BY("against", cause_against, .title = "against", .kind = COLUMN_NOTE, .least = 12, .most = 40,
            .rank = 3),
    OF(measure, TEXT, .title = "measure next", .kind = COLUMN_NOTE, .least = 60, .rank = 9),
};
#undef OF

/* To people those of 2 % and more, and three at least; documents have all. */
static uint32_t causes_shown(const roof_explanation *e)
{
    uint32_t n = 0;
    while (n < e->n_causes && (n < 3 || e->causes[n].probability >= 0.02))
        n++;
    return n;
}

static void explanation_add_rows(cell_grid *grid, const void *document)
{
    const roof_explanation *e = document;
    for (uint32_t i = 0; i < (grid->csv || grid->json ? e->n_causes : causes_shown(e)); i++)
        grid_add_row(grid, &e->causes[i], e);
}

static void explanation_begin(cell_grid *grid, const void *document)
{
    const double most_s = ((const roof_explanation *)document)->numbers->measured_s;
    grid->times = most_s >= 1e-3 ? (grid_times){1e3, "[ms]", 2} : (grid_times){1e6, "[us]", 1};
}

static void explanation_add_remarks(const void *document, remarks *lines)
{
    const roof_explanation *e = document;
    remarks_add(lines, "none of them", "%.0f %%: %sa cause that is not in the table",
                100 * e->other_probability, is_as_it_should_be(e) ? "nothing at all, or " : "");
    ADD_SAID(lines, "left out", "[?{} causes below 2 %, which CSV and JSON have]",
             AS_COUNT(e->n_causes - causes_shown(e)));
    for (uint32_t i = 0; i < 3 && i < e->n_causes; i++)
        remarks_add(lines, i ? "or" : "to measure", "%s: %s", e->causes[i].title, e->causes[i].measure);
    remarks_add(lines, "expected", "%s", text_or_empty(e->numbers->from));
    ADD_SAID(lines, "others", "[?{} an image: {}]", AS_SECONDS(e->numbers->others_s),
             AS_TEXT(e->numbers->others));
    if (e->numbers->in_flight > 0)
        remarks_add(lines, "in flight", "%.3g at a time, so that a call takes %s on average",
                    e->numbers->in_flight, say_seconds(lines->arena, e->numbers->latency_s));
    ADD_SAID(lines, "hardware",
             "[?'{}' is in no entry: its clocks, cores and links are unknown; `roofline hw list` has those "
             "that are]",
             AS_TEXT(e->not_in_database));
    if (e->n_numbers == 1)
        remarks_add(lines, "sharper",
                    "a second number tells a factor from a constant: --measured TIME@OTHER.onnx, or "
                    "another setting, such as --measured TIME@threads=2");
}

/* --- the document --------------------------------------------------------------------------------------- */

#define OF(member, from)     GRID_OF(roof_explained_number, member, from, .title = NULL)
#define CALLED(name, member) GRID_AS(name, roof_explained_number, member, VALUE, .title = NULL)
static const grid_column number_members[] = {
    OF(model, TEXT),
    OF(is, TEXT),
    OF(measured_s, VALUE),
    OF(published_s, VALUE),
    OF(others_s, VALUE),
    OF(others, TEXT),
    GRID_ANSWER("expected", "s", roof_explained_number, expected),
    OF(from, TEXT),
    OF(data_type, TEXT),
    OF(bound_s, VALUE),
    CALLED("ratio", ratio.value),
    CALLED("ratio_low", ratio.low),
    CALLED("ratio_high", ratio.high),
    OF(cpu_rows, SMALL),
    OF(rows, SMALL),
    OF(input_output_bytes, VALUE),
    OF(loaded_bytes, VALUE),
    OF(latency_s, VALUE),
    OF(in_flight, VALUE),
};

static void explanation_put_traits(jsonout *json, const char *key, const grid_row *row)
{
    jsonout_array(json, key, false);
    for (uint32_t bit = 0; bit < ROOF_TRAITS; bit++)
        if (((const roof_explanation *)row->is)->traits & (1ULL << bit))
            jsonout_string(json, NULL, roof_explain_trait_words(bit));
    jsonout_end(json);
}

/* A member of the first number. */
#define FIRST(name, member, from)                                                                            \
    GRID_VIA(name, roof_explanation, numbers, roof_explained_number, member, from, .title = NULL)
static const grid_column members[] = {
    GRID_OF(roof_explanation, hardware, TEXT, .title = NULL),
    GRID_OF(roof_explanation, hardware_id, TEXT, .title = NULL),
    GRID_OF(roof_explanation, not_in_database, TEXT, .title = NULL),
    FIRST("is", is, TEXT),
    FIRST("measured_s", measured_s, VALUE),
    FIRST("published_s", published_s, VALUE),
    FIRST("expected_s", expected.value, VALUE),
    FIRST("bound_s", bound_s, VALUE),
    FIRST("ratio", ratio.value, VALUE),
    FIRST("ratio_low", ratio.low, VALUE),
    FIRST("ratio_high", ratio.high, VALUE),
    GRID_NESTED("known", explanation_put_traits),
    GRID_ITEMS("numbers", roof_explanation, numbers, n_numbers, number_members, false),
};
#undef OF

static const grid_column more[] = {GRID_OF(roof_explanation, other_probability, VALUE, .title = NULL),
                                   GRID_OF(roof_explanation, next, TEXT, .title = NULL)};

const document_view explanation_view = {.schema = ROOF_EXPLANATION_SCHEMA,
                                        DOCUMENT_MEMBERS(members),
                                        DOCUMENT_ROWS("causes", columns),
                                        DOCUMENT_MORE(more),
                                        .add_rows = explanation_add_rows,
                                        .begin = explanation_begin,
                                        .what = "cause",
                                        .largest = "chance",
                                        .largest_csv = "probability",
                                        .sentence = explanation_sentence_of,
                                        .remarks = explanation_add_remarks};
