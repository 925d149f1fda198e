#include "reports/tables/advice/advice_view.h"
#include "reports/words/edit_words.h"
#include "reports/words/say.h"

#include <inttypes.h>
#include <math.h>

/* --- the verdict -------------------------------------------------------------------------------------- */

/* ", 1.83 times as fast (1.65 to 2.01)"; nothing where no time is left. Of bounds it says what it is of. */
static const char *say_ratio(const roof_advice *a, const roof_advised *e, roof_arena *arena)
{
    const char *range =
        isnan(e->ratio_low) ? "" : say_printf(arena, " (%.2f to %.2f)", e->ratio_low, e->ratio_high);
    return isnan(e->ratio) ? ""
                           : say_printf(arena, ", %.2f times as fast%s%s", e->ratio, range,
                                        roof_answer_is_bound(a->kind) ? " by the bounds" : "");
}

static const char *say_bytes(int64_t bytes, roof_arena *arena)
{
    return bytes == INT64_MIN ? "unknown" : say_quantity(arena, (double)bytes, "B");
}

/* "saves 2.91 ms, 1.83 times as fast (1.65 to 2.01)"; of memory "saves 1.2 MB of memory's peak, ..." */
static const char *say_gain(const roof_advice *a, const roof_advised *e, roof_arena *arena)
{
    const bool is_bound = roof_answer_is_bound(a->kind);
    const char *time = say_printf(arena, is_bound ? "%s %s of the bound%s" : "%s %s%s",
                                  e->gain_s < 0 ? is_bound ? "adds" : "loses" : "saves",
                                  say_quantity(arena, fabs(e->gain_s), "s"), say_ratio(a, e, arena));
    return a->metric == ROOF_ADVICE_MEMORY ? say_printf(arena, "saves %s of the peak of memory, and %s",
                                                        say_bytes(e->memory_saved_bytes, arena), time)
                                           : time;
}

static const char *say_base(const roof_advice *a, roof_arena *arena)
{
    const char *time = say_printf(arena, roof_answer_is_bound(a->kind) ? "ideal %s" : "expect %s",
                                  say_quantity(arena, a->base.time_s, "s"));
    return a->metric == ROOF_ADVICE_MEMORY
               ? say_printf(arena, "a peak of at least %s, %s",
                            say_quantity(arena, (double)a->base.memory_bytes, "B"), time)
               : time;
}

static const char *say_best(const roof_advice *a, roof_arena *arena)
{
    const char *scope =
                   a->base.host_rows
                       ? say_printf(arena, ", accelerator only, %" PRIu32 " row%s of the host not counted",
                                    a->base.host_rows, say_plural(a->base.host_rows))
                       : "",
               *base = say_printf(arena, "%s on %s%s: %s", a->model, a->hardware, scope, say_base(a, arena));
    if (!a->n_distinguishable)
        return say_printf(arena, "%s; no edit of it gains enough to be told apart%s.", base,
                          a->metric == ROOF_ADVICE_TIME ? ", 10 %" : "");
    const roof_advised *best = &a->edits[0];
    return say_printf(arena, "%s; the edit that gains most %s: %s.", base, say_gain(a, best, arena),
                      edit_words(best->steps, best->n_steps, arena));
}

static const char *say_combination(const roof_advice *a, roof_arena *arena)
{
    const roof_advised *c = &a->combination;
    if (a->n_combined < 2)
        return "";
    if (a->metric == ROOF_ADVICE_TIME && !(c->gain_s > 0) && c->after.host_rows < a->base.host_rows)
        return say_printf(arena,
                          "Together, %" PRIu32 " edits (%s) leave %" PRIu32
                          " rows to the host in place of %" PRIu32 "; its time is in no figure here.",
                          a->n_combined, c->rule, c->after.host_rows, a->base.host_rows);
    return say_printf(arena, "Together, %" PRIu32 " edits (%s) take it to %s: %s.", a->n_combined, c->rule,
                      say_quantity(arena, c->after.time_s, "s"), say_gain(a, c, arena));
}

static const char *say_accuracy(const roof_advice *a, roof_arena *arena)
{
    uint32_t n_same = 0;
    for (uint32_t i = 0; i < a->n_edits; i++)
        n_same += a->edits[i].keeps_function;
    if (!a->n_edits)
        return "";
    if (n_same == a->n_edits)
        return "All of them keep the network's function.";
    return say_printf(arena,
                      "Accuracy is not predicted: %" PRIu32 " of %" PRIu32
                      " edits change%s the function, and want%s training again.",
                      a->n_edits - n_same, a->n_edits, a->n_edits - n_same == 1 ? "s" : "",
                      a->n_edits - n_same == 1 ? "s" : "");
}

const char *advice_sentence(const roof_advice *a, uint32_t i, roof_arena *arena)
{
    enum { SENTENCES = 3 };
    const char *const all[SENTENCES] = {say_best(a, arena), say_combination(a, arena),
                                        say_accuracy(a, arena)};
    for (uint32_t k = 0; k < SENTENCES; k++)
        if (*all[k] && !i--)
            return all[k];
    return NULL;
}

/* --- the table ---------------------------------------------------------------------------------------- */

/* Documents have the first ones, in this order; the others are for people alone. */
enum {
    RULE,
    COMBINATION,
    DISTINGUISHABLE,
    COMBINED,
    KEEPS,
    OF_WHOLE,
    STEPS,
    ROWS,
    TIME,
    GAIN,
    GAIN_LOW,
    GAIN_HIGH,
    SAVING,
    RATIO,
    RATIO_LOW,
    RATIO_HIGH,
    BYTES,
    MEMORY,
    MACS,
    PARAMETERS,
    HOST_ROWS,
    WORDS,
    EVIDENCE,
    INTERVAL_WHY,
    RANGE,
    FUNCTION,
    MARKS,
    COLUMNS
};

#define SCALED(title_, unit_, csv_, rank_, times_, digits_)                                                  \
    {                                                                                                        \
        title_, unit_, csv_, .kind = COLUMN_NUMBER, .rank = (rank_), .times = (times_), .digits = (digits_)  \
    }
#define SPACED(title_, unit_, csv_, rank_, times_, digits_)                                                  \
    {                                                                                                        \
        title_, unit_, csv_, .kind = COLUMN_NUMBER, .rank = (rank_), .times = (times_), .digits = (digits_), \
                             .format = FORMAT_SPACED                                                         \
    }

static const grid_column columns[COLUMNS] = {
    [RULE] = {"rule", .csv = "rule", .rank = 1},
    [COMBINATION] = GRID_CSV("is_combination"),
    [DISTINGUISHABLE] = GRID_CSV("is_distinguishable"),
    [COMBINED] = GRID_CSV("is_combined"),
    [KEEPS] = GRID_CSV("keeps_function"),
    [OF_WHOLE] = GRID_CSV("is_of_whole"),
    [STEPS] = GRID_CSV("steps"),
    [ROWS] = {"rows", NULL, "rows", .kind = COLUMN_NUMBER, .rank = 5},
    [TIME] = GRID_CSV("time_s"),
    [GAIN] = {"gain", .csv = "gain_s", .kind = COLUMN_TIME},
    [GAIN_LOW] = GRID_CSV("gain_low_s"),
    [GAIN_HIGH] = GRID_CSV("gain_high_s"),
    [SAVING] = SCALED("saves", "[%]", "saving_ratio", 3, 100, 1),
    [RATIO] = SCALED("ratio", NULL, "ratio", 0, 1, 2),
    [RATIO_LOW] = GRID_CSV("ratio_low"),
    [RATIO_HIGH] = GRID_CSV("ratio_high"),
    [BYTES] = SPACED("bytes", "[kB]", "bytes_saved", 4, 1e-3, 1),
    [MEMORY] = SPACED("peak", "[kB]", "memory_saved_bytes", 4, 1e-3, 1),
    [MACS] = SCALED("MACs", "[M]", "macs", 7, 1e-6, 1),
    [PARAMETERS] = SCALED("params", "[M]", "parameters", 8, 1e-6, 3),
    [HOST_ROWS] = {"host", NULL, "host_rows", .kind = COLUMN_NUMBER, .rank = 9},
    [WORDS] = {"edit", .csv = "edit", .kind = COLUMN_NOTE, .least = 48},
    [EVIDENCE] = GRID_CSV("evidence"),
    [INTERVAL_WHY] = GRID_CSV("interval_why"),
    [RANGE] = {"range", .rank = 2},
    [FUNCTION] = {"function", .rank = 1},
    [MARKS] = {"", .rank = 2},
};
#undef SCALED
#undef SPACED

static grid_cell saved_cell(int64_t bytes)
{
    return cell_value(bytes == INT64_MIN ? (double)NAN : (double)bytes);
}

static const char *range_of(const roof_advised *e, roof_arena *arena)
{
    return isnan(e->ratio_low) ? "" : say_printf(arena, "%.2f - %.2f", e->ratio_low, e->ratio_high);
}

static void add_row(const roof_advised *e, bool is_combination, cell_grid *grid)
{
    roof_arena *arena = grid->arena;
    const bool is_csv = grid->csv != NULL;
    const grid_cell cells[COLUMNS] = {[RULE] = cell_text(e->rule),
                                      [COMBINATION] = cell_count(is_combination),
                                      [DISTINGUISHABLE] = cell_count(e->is_distinguishable),
                                      [COMBINED] = cell_count(e->is_combined),
                                      [KEEPS] = cell_count(e->keeps_function),
                                      [OF_WHOLE] = cell_count(e->is_of_whole),
                                      [STEPS] = cell_count(e->n_steps),
                                      [ROWS] = cell_count(e->n_rows),
                                      [TIME] = cell_value(e->after.time_s),
                                      [GAIN] = cell_value(e->gain_s),
                                      [GAIN_LOW] = cell_value(e->gain_low_s),
                                      [GAIN_HIGH] = cell_value(e->gain_high_s),
                                      [SAVING] = cell_value(e->saving_ratio),
                                      [RATIO] = cell_value(e->ratio),
                                      [RATIO_LOW] = cell_value(e->ratio_low),
                                      [RATIO_HIGH] = cell_value(e->ratio_high),
                                      [BYTES] = saved_cell(e->bytes_saved),
                                      [MEMORY] = saved_cell(e->memory_saved_bytes),
                                      [MACS] = cell_count(e->after.macs),
                                      [PARAMETERS] = cell_count(e->after.parameters),
                                      [HOST_ROWS] = cell_count(e->after.host_rows),
                                      [WORDS] = cell_text(edit_words(e->steps, e->n_steps, arena)),
                                      [EVIDENCE] = cell_text(e->evidence),
                                      [INTERVAL_WHY] = cell_text(e->interval_why ? e->interval_why : ""),
                                      [RANGE] = cell_text(is_csv ? "" : range_of(e, arena)),
                                      [FUNCTION] = cell_text(e->keeps_function ? "same" : "changes"),
                                      [MARKS] = cell_text(e->is_combined ? "combined" : "")};
    grid_add(grid, cells, is_csv ? RANGE : COLUMNS);
}

void advice_add_rows(const roof_advice *a, cell_grid *grid)
{
    for (uint32_t i = 0; i < a->n_edits; i++)
        add_row(&a->edits[i], false, grid);
    if (a->combination.n_steps)
        add_row(&a->combination, true, grid);
}

void advice_table(const roof_advice *a, bool is_ranked, uint32_t most, cell_grid *grid, roof_arena *arena)
{
    static const uint8_t order[] = {WORDS,  GAIN, SAVING,     RATIO,     RANGE, FUNCTION, BYTES,
                                    MEMORY, MACS, PARAMETERS, HOST_ROWS, ROWS,  RULE,     MARKS};
    const uint32_t first = is_ranked ? 0 : a->n_distinguishable,
                   end = is_ranked ? a->n_distinguishable : a->n_edits;
    bool has_host = a->base.host_rows > 0;
    grid_begin(grid, arena, columns, COLUMNS);
    grid->times = a->base.time_s >= 1e-3 ? (grid_times){1e3, "[ms]", 3} : (grid_times){1e6, "[us]", 1};
    grid->n_shown = 0;
    for (size_t i = 0; i < sizeof order; i++)
        if (order[i] != HOST_ROWS || has_host)
            grid->shown[grid->n_shown++] = order[i];
    grid->what = "edit";
    grid->largest = "gain";
    for (uint32_t i = first; i < end && i - first < most; i++)
        add_row(&a->edits[i], false, grid);
}

void advice_begin_csv(cell_grid *grid, roof_arena *arena, textbuf *out)
{
    grid_begin_csv(grid, arena, columns, RANGE, out);
}

/* --- lines below it ----------------------------------------------------------------------------------- */

static void add_times(const roof_advice *a, remarks *lines)
{
    const char *why = a->n_edits ? a->edits[0].interval_why : NULL;
    const char *busy =
        a->busy_cores > 1 ? say_printf(lines->arena, " while %" PRIu32 " are busy", a->busy_cores) : "";
    const char *host = a->base.host_rows ? say_printf(lines->arena, " (%" PRIu32 " row%s now)",
                                                      a->base.host_rows, say_plural(a->base.host_rows))
                                         : "";
    remarks_add(lines, "times",
                "of the accelerator, one inference on one core%s, %s; what the host runs is in none%s", busy,
                roof_answer_is_bound(a->kind) ? "ideal" : "as expected", host);
    if (a->n_edits && isnan(a->edits[0].ratio_low))
        remarks_add(lines, "range", "not known: %s", why);
    else if (a->n_edits)
        remarks_add(
            lines, "range",
            "ratio -+ 10 %%, which held for 20 of 22 measured pairs of networks; below 0.2 GOP wider, "
            "since ratios were 18 to 22 %% too high there");
}

static void add_not_tried(const roof_advice *a, remarks *lines)
{
    const char *list = say_printf(lines->arena, "%" PRIu32 " of %" PRIu32 " edits that rules found",
                                  a->n_tried, a->n_candidates);
    if (a->n_slight)
        list = say_more(lines->arena, list, "not %" PRIu32 " whose rows hold less than %.0f %% of the time",
                        a->n_slight, 100 * ROOF_ADVICE_LEAST_SHARE);
    if (a->n_over)
        list = say_more(lines->arena, list, "not %" PRIu32 " beyond the %" PRIu32 " most promising ones",
                        a->n_over, a->most_tried);
    if (a->n_without_gain)
        list = say_more(lines->arena, list, "%" PRIu32 " gain%s nothing", a->n_without_gain,
                        a->n_without_gain == 1 ? "s" : "");
    if (a->n_refused)
        list = say_more(lines->arena, list, "%" PRIu32 " %s not possible", a->n_refused,
                        a->n_refused == 1 ? "is" : "are");
    remarks_add(lines, "tried", "%s", list);
}

static void add_refusals(const roof_advice *a, remarks *lines)
{
    enum { MOST = 4 };
    for (uint32_t i = 0; i < a->n_refusals && i < MOST; i++) {
        const roof_advice_refusal *r = &a->refusals[i];
        remarks_add(lines, i ? " and" : "refused", "%s: %s", edit_words(r->steps, r->n_steps, lines->arena),
                    r->why);
    }
}

static void add_evidence(const roof_advice *a, remarks *lines)
{
    for (uint32_t i = 0; i < a->n_distinguishable; i++) {
        const char *rule = a->edits[i].rule;
        bool is_told = false;
        for (uint32_t k = 0; k < i && !is_told; k++)
            is_told = a->edits[k].rule == rule;
        if (!is_told)
            remarks_add(lines, i ? " of" : "evidence", "%s: %s", rule, a->edits[i].evidence);
    }
}

void advice_remarks(const roof_advice *a, remarks *lines)
{
    const char *list = "";
    for (uint32_t i = 0; i < a->n_combined; i++) {
        const roof_advised *e = &a->edits[a->combined[i]];
        list = say_printf(lines->arena, "%s%s%s", list, i ? "; " : "",
                          edit_words(e->steps, e->n_steps, lines->arena));
    }
    if (a->n_combined)
        remarks_add(lines, "combined", "%s; %s", list, edit_accuracy(&a->combination));
    add_times(a, lines);
    add_evidence(a, lines);
    add_not_tried(a, lines);
    add_refusals(a, lines);
    if (a->why_no_memory)
        remarks_add(lines, "memory", "not known: %s", a->why_no_memory);
}
