/* An advice as sentences, tables and lines below them. */
#include "reports/renderers/document.h"
#include "reports/words/prediction_words.h"
#include "reports/words/say.h"

/* --- the verdict -------------------------------------------------------------------------------------- */

/* "saves 2.91 ms, 1.83 times as fast (1.65 to 2.01)"; of memory "saves 1.2 MB of memory's peak, ..." A ratio
 * of bounds says so; one of expected times without an interval says that the interval is unknown. Without a
 * ratio no time is left. */
static const char *say_gain(const roof_advice *a, const roof_advised *e, roof_arena *arena)
{
    const bool is_bound = roof_answer_is_bound(a->kind);
    const char *by = !isnan(e->ratio_low) ? ""
                     : !is_bound          ? " (its interval is unknown)"
                     : a->is_estimate     ? " by the estimates"
                                          : " by the bounds";
    const char *time =
        SAY_TEXT(arena, "{} {}{}[?, {.2} times as fast][? ({.2} to {.2})]{}",
                 AS_TEXT(e->gain_s < 0 ? is_bound ? "adds" : "loses" : "saves"), AS_SECONDS(fabs(e->gain_s)),
                 AS_TEXT(a->is_estimate ? " of the estimate"
                         : is_bound     ? " of the bound"
                                        : ""),
                 AS("", e->ratio), AS("", isnan(e->ratio) ? NAN : e->ratio_low), AS("", e->ratio_high),
                 AS_TEXT(isnan(e->ratio) ? "" : by));
    const char *bytes = e->memory_saved_bytes == INT64_MIN
                            ? "unknown"
                            : say_quantity(arena, (double)e->memory_saved_bytes, "B");
    return a->metric == ROOF_ADVICE_MEMORY
               ? say_printf(arena, "saves %s of the peak of memory, and %s", bytes, time)
               : time;
}

static const char *say_best(const roof_advice *a, roof_arena *arena)
{
    const bool is_bound = roof_answer_is_bound(a->kind), is_memory = a->metric == ROOF_ADVICE_MEMORY;
    const char *kind = !is_bound ? "expected" : a->is_estimate ? "about" : "ideal";
    const char *base = SAY_TEXT(
        arena,
        "{} on {}[?, accelerator part without {} CPU row{|s}]: [?a peak of at least {}, ]{} {}[?, an "
        "estimate]",
        AS_TEXT(a->model), AS_TEXT(say_printf(arena, "%.*s", (int)strcspn(a->hardware, ","), a->hardware)),
        AS_COUNT(a->base.host_rows), AS("B", is_memory ? (double)a->base.memory_bytes : NAN), AS_TEXT(kind),
        AS_SECONDS(a->base.time_s), AS_COUNT(is_bound && a->is_estimate));
    if (!a->n_distinguishable)
        return say_printf(arena, "%s. No edit saves more than the error of a prediction%s.", base,
                          a->metric == ROOF_ADVICE_TIME ? ", 10 %" : "");
    const roof_advised *best = &a->edits[0];
    return say_printf(arena, "%s. The best edit %s: %s.", base, say_gain(a, best, arena),
                      edit_words(best->steps, best->n_steps, arena));
}

static const char *advice_aside_of(const void *document, uint32_t i, roof_arena *arena)
{
    const roof_advice *a = document;
    const roof_advised *c = &a->combination;
    if (i || a->n_combined < 2)
        return NULL;
    if (a->metric == ROOF_ADVICE_TIME && !(c->gain_s > 0) && c->after.host_rows < a->base.host_rows)
        return say_printf(arena,
                          "Together, %u edits (%s) leave %u rows to the host in place of %u; its time is in "
                          "no figure here.",
                          a->n_combined, c->rule, c->after.host_rows, a->base.host_rows);
    return say_printf(arena, "Together, %u edits (%s) take it to %s: %s.", a->n_combined, c->rule,
                      say_seconds(arena, c->after.time_s), say_gain(a, c, arena));
}

static const char *advice_sentence_of(const void *document, uint32_t i, roof_arena *arena)
{
    const roof_advice *a = document;
    uint32_t n_other = 0;
    if (i == 0)
        return say_best(a, arena);
    for (uint32_t k = 0; k < a->n_edits; k++)
        n_other += !a->edits[k].keeps_function;
    if (i > 1 || !n_other)
        return i == 1 && a->n_edits ? "All edits give the same outputs." : NULL;
    return say_printf(arena,
                      "Accuracy is not predicted: %u of %u edits change%s the network and need%s retraining.",
                      n_other, a->n_edits, n_other == 1 ? "s" : "", n_other == 1 ? "s" : "");
}

/* --- the table ---------------------------------------------------------------------------------------- */

static grid_cell saved_cell(int64_t bytes)
{
    return cell_value(bytes == INT64_MIN ? (double)NAN : (double)bytes);
}

GRID_CELL(bytes_saved, roof_advised, is, saved_cell(is->bytes_saved))
GRID_CELL(memory_saved, roof_advised, is, saved_cell(is->memory_saved_bytes))
GRID_CELL(is_combination, roof_advised, e, cell_count(e == &((const roof_advice *)row->of)->combination))
GRID_CELL(edit_says, roof_advised, e, cell_text(edit_words(e->steps, e->n_steps, row->arena)))
GRID_CELL(advice_accuracy_of, roof_advised, e, cell_text(text_or_empty(edit_accuracy(e))))
GRID_CELL(advice_range_of, roof_advised, e,
          cell_text(isnan(e->ratio_low) ? ""
                                        : say_printf(row->arena, "%.2f - %.2f", e->ratio_low, e->ratio_high)))
GRID_CELL(advice_function_of, roof_advised, is, cell_text(is->keeps_function ? "same" : "changes"))
GRID_CELL(advice_marks_of, roof_advised, is, cell_text(is->is_combined ? "combined" : ""))

#define COST(member, from) GRID_OF(roof_advice_cost, member, from, .title = NULL)
static const grid_column cost_members[] = {
    COST(time_s, VALUE), COST(bytes, COUNT),     COST(memory_bytes, COUNT),
    COST(macs, COUNT),   COST(ops_count, COUNT), COST(parameters, COUNT),
    COST(rows, SMALL),   COST(host_rows, SMALL), COST(host_about_s, VALUE),
};

GRID_CELL(kind_of_step, roof_edit_step, is, cell_text(roof_edit_kind_word(is->kind)))

#define STEP(member, from)   GRID_OF(roof_edit_step, member, from, .title = NULL)
#define CALLED(name, member) GRID_AS(name, roof_edit_step, member, SIZE, .title = NULL)
static const grid_column step_members[] = {
    GRID_BY("kind", kind_of_step, .title = NULL),
    STEP(op, TEXT),
    STEP(type, TEXT),
    STEP(node, SMALL),
    CALLED("from", from),
    CALLED("to", to),
    CALLED("from_width", from_w),
    CALLED("to_width", to_w),
    STEP(factor, VALUE),
};
#undef CALLED

#define OF(member, from, ...) GRID_OF(roof_advised, member, from, __VA_ARGS__)
#define SCALED(title_, unit_, rank_, ...)                                                                    \
    .title = (title_), .unit = (unit_), .kind = COLUMN_NUMBER, .rank = (rank_), __VA_ARGS__
#define AFTER(member, ...) GRID_FLAT(#member, roof_advised, after.member, __VA_ARGS__)

static const grid_column columns[] = {
    OF(rule, TEXT, .title = "rule", .rank = 1, .place = 14),
    {.csv = "is_combination", .from = FROM_CALL, .cell = is_combination},
    OF(is_distinguishable, FLAG, .title = NULL),
    OF(is_combined, FLAG, .title = NULL),
    OF(keeps_function, FLAG, .title = NULL),
    GRID_BY("accuracy", advice_accuracy_of, .title = NULL),
    OF(is_of_whole, FLAG, .title = NULL),
    {.csv = "n_steps", .from = FROM_SMALL, .at = offsetof(roof_advised, n_steps)},
    GRID_AS("rows", roof_advised, n_rows, SMALL, SCALED("rows", NULL, 5, .place = 13)),
    AFTER(time_s, VALUE, .title = NULL),
    GRID_OBJECT("after", roof_advised, after, cost_members, true),
    OF(gain_s, VALUE, .title = "gain", .kind = COLUMN_TIME, .place = 2),
    OF(gain_low_s, VALUE, .title = NULL),
    OF(gain_high_s, VALUE, .title = NULL),
    OF(saving_ratio, VALUE, SCALED("saves", "[%]", 3, .times = 100, .digits = 1, .place = 3)),
    OF(ratio, VALUE, SCALED("ratio", NULL, 0, .times = 1, .digits = 2, .place = 4)),
    OF(ratio_low, VALUE, .title = NULL),
    OF(ratio_high, VALUE, .title = NULL),
    GRID_BY("bytes_saved", bytes_saved,
            SCALED("bytes", "[kB]", 4, .times = 1e-3, .digits = 1, .format = FORMAT_SPACED, .place = 7)),
    GRID_BY("memory_saved_bytes", memory_saved,
            SCALED("peak", "[kB]", 4, .times = 1e-3, .digits = 1, .format = FORMAT_SPACED, .place = 8)),
    AFTER(macs, COUNT, SCALED("MACs", "[M]", 7, .times = 1e-6, .digits = 1, .place = 9)),
    AFTER(parameters, COUNT, SCALED("params", "[M]", 8, .times = 1e-6, .digits = 3, .place = 10)),
    AFTER(host_rows, SMALL, SCALED("host", NULL, 9, .place = 11)),
    GRID_BY("says", edit_says, .title = "edit", .kind = COLUMN_NOTE, .least = 48, .place = 1),
    OF(evidence, TEXT, .title = NULL),
    OF(interval_why, TEXT, .title = NULL),
    GRID_ITEMS("steps", roof_advised, steps, n_steps, step_members, true),
    GRID_SAID("range", advice_range_of, .rank = 2, .place = 5),
    GRID_SAID("function", advice_function_of, .rank = 1, .place = 6),
    GRID_SAID("", advice_marks_of, .rank = 2, .place = 15),
};
#undef OF

/* JSON has the combination beside the list, CSV as its last row. */
static void advice_add_rows(cell_grid *grid, const void *document)
{
    const roof_advice *a = document;
    for (uint32_t i = 0; i < a->n_edits; i++)
        grid_add_row(grid, &a->edits[i], a);
    if (grid->csv && a->combination.n_steps)
        grid_add_row(grid, &a->combination, a);
}

/* The edits from first on, most of them at most. */
static void advice_put_table(const rendering *r, uint32_t first, uint32_t end)
{
    const roof_advice *a = r->advice;
    cell_grid grid;
    grid_begin(&grid, r->arena, columns, N_OF(columns));
    grid.times = a->base.time_s >= 1e-3 ? (grid_times){1e3, "[ms]", 3} : (grid_times){1e6, "[us]", 1};
    if (!a->base.host_rows)
        grid_hide(&grid, "host_rows");
    grid.what = "edit";
    grid.largest = "gain";
    for (uint32_t i = first; i < end; i++)
        grid_add_row(&grid, &a->edits[i], a);
    table_put_arranged(r, &grid);
    text_puts(r->out, "\n");
}

enum { MOST_INDISTINCT = 8 }; /* for people, without a requested number */

static void advice_put_tables(const rendering *r)
{
    const roof_advice *a = r->advice;
    const uint32_t n = a->n_distinguishable, most = r->selection->is_asked || a->n_edits - n < MOST_INDISTINCT
                                                        ? a->n_edits
                                                        : n + MOST_INDISTINCT;
    if (n)
        advice_put_table(r, 0, n);
    if (n == a->n_edits)
        return;
    writer_title(&r->writer, a->metric == ROOF_ADVICE_TIME ? "Saving under 10 %: not ranked"
                                                           : "Without a gain of memory");
    advice_put_table(r, n, most);
    if (most < a->n_edits) {
        remarks left = {.arena = r->arena};
        remarks_add(&left, "left out", "%u more that save less than 10 %%; --top 0, JSON and CSV have all",
                    a->n_edits - most);
        remarks_put(&left, &r->writer);
    }
}

/* --- lines below it ----------------------------------------------------------------------------------- */

static void add_times(const roof_advice *a, remarks *lines)
{
    const char *why = a->n_edits ? a->edits[0].interval_why : NULL;
    remarks_add(lines, "hardware", "%s", a->hardware);
    ADD_SAID(lines, "times",
             "of the accelerator, one inference on one core[? while {} are busy], {}; what the host "
             "runs is in none[? ({} row{|s} now)]",
             AS_COUNT(a->busy_cores > 1 ? a->busy_cores : 0),
             AS_TEXT(roof_answer_is_bound(a->kind) ? "ideal" : "as expected"), AS_COUNT(a->base.host_rows));
    if (a->n_edits && isnan(a->edits[0].ratio_low))
        remarks_add(lines, "range", "not known: %s", why);
    else if (a->n_edits)
        remarks_add(
            lines, "range",
            "ratio -+ 10 %%, which held for 20 of 22 measured pairs of networks; below 0.2 GOP wider, "
            "since ratios were 18 to 22 %% too high there");
}

static void advice_add_remarks(const void *document, remarks *lines)
{
    enum { MOST_REFUSALS = 4 };
    const roof_advice *a = document;
    const char *list = "";
    for (uint32_t i = 0; i < a->n_combined; i++) {
        const roof_advised *e = &a->edits[a->combined[i]];
        list = say_printf(lines->arena, "%s%s%s", list, i ? "; " : "",
                          edit_words(e->steps, e->n_steps, lines->arena));
    }
    if (a->n_combined)
        remarks_add(lines, "combined", "%s; %s", list, edit_accuracy(&a->combination));
    add_times(a, lines);
    for (uint32_t i = 0; i < a->n_distinguishable; i++) {
        uint32_t first = 0; /* of this rule */
        while (a->edits[first].rule != a->edits[i].rule)
            first++;
        if (first == i)
            remarks_add(lines, i ? " of" : "evidence", "%s: %s", a->edits[i].rule, a->edits[i].evidence);
    }
    ADD_SAID(lines, "tried",
             "{} of {} edits that rules found[?, not {} whose rows hold less than {.0%} % of the time][?, "
             "not {} beyond the {} most promising ones][?, {} gain{s|} nothing][?, {} {is|are} not possible]",
             AS_COUNT(a->n_tried), AS_COUNT(a->n_candidates), AS_COUNT(a->n_slight),
             AS_RATIO(ROOF_ADVICE_LEAST_SHARE), AS_COUNT(a->n_over), AS_COUNT(a->most_tried),
             AS_COUNT(a->n_without_gain), AS_COUNT(a->n_refused));
    for (uint32_t i = 0; i < a->n_refusals && i < MOST_REFUSALS; i++) {
        const roof_advice_refusal *r = &a->refusals[i];
        remarks_add(lines, i ? " and" : "refused", "%s: %s", edit_words(r->steps, r->n_steps, lines->arena),
                    r->why);
    }
    ADD_SAID(lines, "memory", "[?not known: {}]", AS_TEXT(a->why_no_memory));
}

/* --- the document ------------------------------------------------------------------------------------- */

GRID_CELL(advice_metric_of, roof_advice, is, cell_text(roof_advice_metric_word(is->metric)))
GRID_CELL(advice_is_expected, roof_advice, is, cell_count(!roof_answer_is_bound(is->kind)))

#define OF(member, from)     GRID_OF(roof_advice, member, from, .title = NULL)
#define CALLED(name, member) GRID_AS(name, roof_advice, member, SMALL, .title = NULL)
static const grid_column members[] = {
    OF(model, TEXT),
    OF(format, TEXT),
    OF(path, TEXT),
    OF(hardware, TEXT),
    GRID_BY("metric", advice_metric_of, .title = NULL),
    GRID_BY("is_expected", advice_is_expected, .kind = COLUMN_FLAG),
    GRID_AS("busy_cores", roof_advice, busy_cores, SIZE, .title = NULL),
    OF(why_no_memory, TEXT),
    GRID_OBJECT("base", roof_advice, base, cost_members, true),
    CALLED("candidates", n_candidates),
    CALLED("tried", n_tried),
    CALLED("slight", n_slight),
    CALLED("over", n_over),
    OF(most_tried, SMALL),
    CALLED("without_gain", n_without_gain),
    CALLED("refused", n_refused),
    CALLED("distinguishable", n_distinguishable),
};
#undef OF
#undef CALLED

static void advice_put_combination(jsonout *json, const char *key, const grid_row *row)
{
    const roof_advice *a = row->is;
    if (!a->n_combined) {
        jsonout_null(json, key);
        return;
    }
    jsonout_object(json, key, false);
    GRID_MEMBERS(json, columns, &a->combination, row->arena);
    jsonout_array(json, "edits", true);
    for (uint32_t i = 0; i < a->n_combined; i++)
        jsonout_count(json, NULL, a->combined[i]);
    jsonout_end(json);
    jsonout_end(json);
}

GRID_CELL(refusal_says, roof_advice_refusal, f, cell_text(edit_words(f->steps, f->n_steps, row->arena)))

static const grid_column refusal_members[] = {
    GRID_OF(roof_advice_refusal, rule, TEXT, .title = NULL),
    GRID_BY("says", refusal_says, .title = NULL),
    GRID_OF(roof_advice_refusal, why, TEXT, .title = NULL),
    GRID_ITEMS("steps", roof_advice_refusal, steps, n_steps, step_members, true),
};

static const grid_column more[] = {
    GRID_NESTED("combination", advice_put_combination),

    GRID_ITEMS("refusals", roof_advice, refusals, n_refusals, refusal_members, false)};

const document_view advice_view = {.schema = ROOF_ADVICE_SCHEMA,
                                   DOCUMENT_MEMBERS(members),
                                   DOCUMENT_ROWS("edits", columns),
                                   DOCUMENT_MORE(more),
                                   .add_rows = advice_add_rows,
                                   .largest_csv = "gain_s",
                                   .put_tables = advice_put_tables,
                                   .sentence = advice_sentence_of,
                                   .aside = advice_aside_of,
                                   .remarks = advice_add_remarks};
