/* A comparison for people: the answer in the first line, then the rows of each run. */
#include "reports/tables/views.h"
#include "measure/compare/sample_tests.h"
#include "measure/matches/match_facts.h"
#include "reports/renderers/renderer.h"
#include "reports/words/prediction_words.h"

#include <ctype.h>

/* Rows of a table without --details, and names in a sentence. */
enum { MOST_ROWS = 20, MOST_NAMES = 3 };

/* --- sentences ---------------------------------------------------------------------------------------- */

static const char *say_ratio(roof_arena *arena, double ratio)
{
    return say_number(arena, ratio, fabs(ratio - 1) < 0.1 ? 3 : 2);
}

/* ", 95 % 1.10 to 1.14"; nothing with too few samples, or where one end is beside a time of 0. */
static const char *say_interval(roof_arena *arena, double low, double high)
{
    return isfinite(low) && isfinite(high)
               ? say_printf(arena, ", 95 %% %s to %s", say_ratio(arena, low), say_ratio(arena, high))
               : "";
}

/* "means of 100 and 98 inferences, 95 % 1.10 to 1.14" */
static const char *say_basis(roof_arena *arena, const roof_compared *t, bool is_inverse)
{
    double low = is_inverse ? 1 / t->ratio_ci95[1] : t->ratio_ci95[0];
    double high = is_inverse ? 1 / t->ratio_ci95[0] : t->ratio_ci95[1];
    return say_printf(arena, "%s%" PRIu64 " and %" PRIu64 " inferences%s",
                      t->test == ROOF_TEST_WELCH ? "means of " : "", t->a_count, t->b_count,
                      say_interval(arena, low, high));
}

/* "takes 1.06 times as long" */
static const char *say_times(roof_arena *arena, double ratio)
{
    return ratio < 1 ? say_printf(arena, "is %s times as fast", say_ratio(arena, 1 / ratio))
                     : say_printf(arena, "takes %s times as long", say_ratio(arena, ratio));
}

/* True if mean or tail differ, and otherwise than the typical inference does. */
static bool is_apart(const roof_compared *t, const roof_compared_statistic *look)
{
    return look->is_shown && isfinite(look->ratio_ci95[0] + look->ratio_ci95[1]) &&
           (!t->is_typical_shown || (look->ratio < 1) != (t->ratio < 1) ||
            !(look->ratio_ci95[0] <= t->ratio && t->ratio <= look->ratio_ci95[1]));
}

static const char *say_shown(roof_arena *arena, const roof_compared_run *run, const char *times)
{
    const roof_compared *t = &run->total;
    /* "B's mean takes 1.20 times as long (95 % 1.10 to 1.30), B's P95 ..." */
    const roof_compared_statistic *looks[] = {
        [ROOF_COMPARED_MEAN] = &t->mean, [ROOF_COMPARED_TAIL] = &t->tail};
    const char *apart = "";
    for (int k = ROOF_COMPARED_MEAN; k < ROOF_COMPARED_STATISTICS; k++)
        if (is_apart(t, looks[k]))
            apart = say_more(arena, apart, "B's %s %s (95 %% %s to %s)",
                             text_or_empty(sample_tests_name(arena, t, (roof_statistic_kind)k)),
                             say_times(arena, looks[k]->ratio), say_ratio(arena, looks[k]->ratio_ci95[0]),
                             say_ratio(arena, looks[k]->ratio_ci95[1]));
    if (!*apart)
        return say_printf(arena, "B %s as A (%s): %s.", say_times(arena, t->ratio),
                          say_basis(arena, t, t->ratio < 1), times);
    if (!t->is_typical_shown)
        return say_printf(
            arena, "Typical inferences of A and B do not differ significantly, but %s: %s (B / A %s; %s).",
            apart, times, say_ratio(arena, t->ratio), say_basis(arena, t, false));
    return say_printf(arena, "A typical inference of B %s as that of A (%s), but %s: %s.",
                      say_times(arena, t->ratio), say_basis(arena, t, t->ratio < 1), apart, times);
}

/* "every one of 500 inferences of B is slower than every one of 500 of A" */
static const char *say_ranges(roof_arena *arena, const roof_compared_run *run, const char *times)
{
    const roof_compared *t = &run->total;
    if (!t->is_shown)
        return say_printf(
            arena,
            "Whether A and B differ is unknown: %s, B / A is %s, and only minimum and maximum tell "
            "of their noise, which overlap.",
            times, say_ratio(arena, t->ratio));
    return say_printf(arena,
                      "B %s as A: %s; the slowest of %" PRIu64
                      " inferences of %s is faster than the fastest of %" PRIu64 " of %s.",
                      say_times(arena, t->ratio), times, t->ratio > 1 ? t->a_count : t->b_count,
                      t->ratio > 1 ? "A" : "B", t->ratio > 1 ? t->b_count : t->a_count,
                      t->ratio > 1 ? "B" : "A");
}

/* How many of what makes two runs incomparable is what one asks about who lays predictions side by side. */
static uint32_t count_asked(const roof_compared_run *run)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < run->n_unlike && run->total.test == ROOF_TEST_EXACT; i++)
        n += run->unlike[i].is_apart && answer_is_asked(run->unlike[i].what);
    return n;
}

roof_outcome compare_outcome(const roof_compared_run *run)
{
    roof_answer a = run->takes[0], b = run->takes[1];
    if (run->n_apart > count_asked(run))
        return (roof_outcome){.is = ROOF_OUTCOME_NOT_COMPARABLE, .ratio = {NAN, NAN, NAN}};
    if (a.covers.left_out == b.covers.left_out) /* the same is in neither: what both are of is compared */
        a.covers.left_out = b.covers.left_out = 0;
    return roof_answer_compare(&a, &b, NULL);
}

static bool is_ideal(const roof_compared_run *run)
{
    return strcmp(run->mode, "at_best") == 0;
}

/* True if a condition that a side states makes them incomparable: then only their times are printed. */
static bool are_incomparable(const roof_compared_run *run)
{
    bool apart = false;
    if (run->total.test == ROOF_TEST_EXACT)
        return compare_outcome(run).is == ROOF_OUTCOME_NOT_COMPARABLE;
    for (uint32_t i = 0; i < run->n_unlike; i++)
        apart = apart || (run->unlike[i].is_apart && strcmp(run->unlike[i].a, run->unlike[i].b) != 0);
    return apart;
}

/* ", of the accelerator's part": of what neither side leaves out. */
static const char *say_part(const roof_compared_run *run)
{
    return run->takes[0].covers.left_out ? ", of the accelerator's part" : "";
}

/* Two predictions of one board by one cost model, whose error is that of both: the ratio, with its scope. Two
 * boards: the result of their intervals. Unlike work: the times alone. */
static const char *say_predicted(roof_arena *arena, const roof_compared_run *run)
{
    const roof_compared *t = &run->total;
    contestant both[] = {{.name = "A", .takes = run->takes[0]}, {.name = "B", .takes = run->takes[1]}};
    const char *kind = is_ideal(run) ? "bound" : "expected",
               *times = say_printf(arena, "%s and %s %s", say_seconds(arena, t->a_s),
                                   say_seconds(arena, t->b_s), kind);
    bool are_boards = false;
    for (uint32_t i = 0; i < run->n_unlike; i++)
        are_boards = are_boards || strcmp(run->unlike[i].what, "hardware") == 0;
    const roof_outcome o = compare_outcome(run);
    if (are_boards) {
        const char *contest = answer_contest(arena, both, 2, false);
        return say_printf(arena, "%c%s.", toupper((unsigned char)contest[0]), contest + (*contest != '\0'));
    }
    if (!t->is_shown)
        return say_printf(arena, "A and B are predicted equal: %s.", times);
    if (is_ideal(run))
        return say_printf(arena, "By their bounds, B %s as A: %s.", say_times(arena, t->ratio), times);
    times = say_printf(arena, "A %s, B %s", answer_words(arena, &run->takes[0]),
                       answer_words(arena, &run->takes[1]));
    const bool is_slower = o.is == ROOF_OUTCOME_SLOWER; /* of A, whose time B takes so many times */
    if (is_slower || o.is == ROOF_OUTCOME_FASTER)
        return say_printf(arena, "B %s %s times as %s as A (%s to %s)%s: %s.", is_slower ? "is" : "takes",
                          say_ratio(arena, is_slower ? 1 / t->ratio : t->ratio), is_slower ? "fast" : "long",
                          say_ratio(arena, is_slower ? 1 / o.ratio.high : o.ratio.low),
                          say_ratio(arena, is_slower ? 1 / o.ratio.low : o.ratio.high), say_part(run), times);
    return say_printf(arena, "Whether a device shows it is unknown, but by one law B %s as A%s: %s.",
                      say_times(arena, t->ratio), say_part(run), times);
}

/* "... B makes 2 times as many inferences a second as A, at most: 126 and 252." */
static const char *say_exact(roof_arena *arena, const roof_compared_run *run)
{
    const bool is_bound = is_ideal(run);
    const char *predicted = say_predicted(arena, run);
    return !roof_compared_rates_differ(run)
               ? predicted
               : say_printf(arena, "%s %s %s %ss a second%s, A %s.", predicted,
                            is_bound ? "At most B could make" : "B makes", say_number(arena, run->b_per_s, 0),
                            run->rate_unit, is_bound ? "" : " as expected",
                            say_number(arena, run->a_per_s, 0));
}

/* One number a side: from ten times on neither noise nor a first run explains it, since first runs took up to
 * 6.4 times as long (tensorflow/tensorflow#62738, google-coral/edgetpu#451). */
static const char *say_single(roof_arena *arena, const roof_compared *t, const char *times)
{
    static const double beyond_doubt = 10, equal = 1.05;
    const double factor = fmax(t->ratio, 1 / t->ratio);
    if (!(factor > equal))
        return say_printf(arena, "B / A is %s: %s; single numbers do not show whether the two differ.",
                          say_ratio(arena, t->ratio), times);
    return factor >= beyond_doubt
               ? say_printf(arena,
                            "B %s as A: %s. Each side is one number, but neither noise nor a first run makes "
                            "such a factor.",
                            say_times(arena, t->ratio), times)
               : say_printf(arena,
                            "B / A is %s: %s, one number each. Noise, a first run or a clock may explain it, "
                            "or a part of it.",
                            say_ratio(arena, t->ratio), times);
}

/* apart: what makes the two incomparable. */
static const char *say_total(roof_arena *arena, const roof_compared_run *run, const char *apart)
{
    const roof_compared *t = &run->total;
    const char *kind = run->is_sum ? "sums of layers " : t->test == ROOF_TEST_RANKS ? "medians " : "";
    const char *times =
        say_printf(arena, "%s%s and %s", kind, say_seconds(arena, t->a_s), say_seconds(arena, t->b_s));
    roof_decided why_not;
    if (isnan(t->difference_s))
        return "The time of an inference is unknown on both sides.";
    if (are_incomparable(run)) {
        const char *of = run->is_sum                          ? "sums of layers"
                         : strcmp(run->mode, "expected") == 0 ? "expected"
                         : is_ideal(run)                      ? "bound"
                         : t->test == ROOF_TEST_RANKS         ? "medians"
                                                              : "means";
        if (t->test != ROOF_TEST_EXACT && t->ratio > 0)
            return say_printf(arena, "Not comparable (%s): B %s as A, %s and %s (%s).", apart,
                              say_times(arena, t->ratio), say_seconds(arena, t->a_s),
                              say_seconds(arena, t->b_s), of);
        return say_printf(arena, "A takes %s, B %s: %s.", say_seconds(arena, t->a_s),
                          say_seconds(arena, t->b_s), of);
    }
    if (t->is_shown && !(t->ratio > 0)) /* 0 times as long, or by no number */
        return say_printf(arena, "A and B differ: %s; no ratio tells by how much, since a time is 0.", times);
    if (t->test == ROOF_TEST_EXACT)
        return say_exact(arena, run);
    if (t->test == ROOF_TEST_NONE)
        return t->ratio > 0 ? say_single(arena, t, times)
                            : say_printf(arena, "Whether A and B differ is unknown: %s.", times);
    if (t->test == ROOF_TEST_RANGES)
        return say_ranges(arena, run, times);
    bool is_told = sample_tests_is_decided(t, &why_not);
    if (t->is_shown && is_told)
        return say_shown(arena, run, times);
    if (!is_told)
        return say_printf(arena, "Inconclusive: %s; %s (new / base %s; %s).",
                          text_or_empty(sample_tests_say_undecided(arena, t, &why_not, 1)), times,
                          say_ratio(arena, t->ratio), say_basis(arena, t, false));
    return say_printf(arena, "No change, and one of 5 %% is ruled out: %s (new / base %s; %s).", times,
                      say_ratio(arena, t->ratio), say_basis(arena, t, false));
}

/* What makes two sides incomparable comes before a ratio of measured runs; predictions that are unlike have
 * none. "Stated by neither, so perhaps not comparable: hardware.", "Also different: batch 1 and 4." */
const char *compare_say_total(roof_arena *arena, const roof_compared_run *run)
{
    const uint32_t n_requested = count_asked(run);
    const char *requested = NULL, *apart = NULL, *neither = NULL, *said = NULL; /* of what differs */
    FOR_EACH(const roof_unlike, u, run->unlike, run->n_unlike) {
        const bool is_asked = n_requested == run->n_apart && u->is_apart && answer_is_asked(u->what);
        const char **list = is_asked ? &requested : u->is_apart ? &apart : &said;
        if (!is_asked && strcmp(u->a, u->b) == 0)
            neither = say_more(arena, text_or_empty(neither), "%s", u->what);
        else
            *list = say_more(arena, text_or_empty(*list), "%s %s and %s", u->what, u->a, u->b);
    }
    const char *total = say_total(arena, run, text_or_empty(apart));
    if (run->total.test != ROOF_TEST_EXACT)
        return SAY_TEXT(arena,
                        "{}[? Stated by neither, so perhaps not comparable: {}.][? Also different: {}.]",
                        AS_TEXT(total), AS_TEXT(neither), AS_TEXT(said));
    return SAY_TEXT(
        arena,
        "[?Unlike {}. ][?Not comparable: {}. ][?Stated by neither, so perhaps not comparable: {}. ]"
        "[?Also different: {}. ]{}",
        AS_TEXT(requested), AS_TEXT(apart), AS_TEXT(neither), AS_TEXT(said), AS_TEXT(total));
}

static const char *name_of(const roof_compared *row)
{
    return row->name ? row->name : "(no name)";
}

/* "conv1 +0.3 ms, conv2 -0.1 ms and 4 more" */
static const char *list_shown(roof_arena *arena, const roof_compared_run *run)
{
    typedef struct shown {
        double by_s;
        const roof_compared *row;
    } shown;
    shown *rows = NEW_ARRAY(arena, shown, run->n_layers);
    const char *list = "";
    uint32_t n = 0;
    for (uint32_t i = 0; rows && i < run->n_layers; i++)
        if (run->layers[i].is_shown)
            rows[n++] = (shown){fabs(run->layers[i].difference_s), &run->layers[i]};
    order_sort(rows, n, sizeof *rows, ORDER_BY(FALLING(shown, by_s)));
    for (uint32_t i = 0; i < n && i < MOST_NAMES; i++)
        list = say_more(arena, list, "%s %s%s", name_of(rows[i].row),
                        rows[i].row->difference_s < 0 ? "-" : "+", say_seconds(arena, rows[i].by_s));
    return n > MOST_NAMES ? say_printf(arena, "%s and %u more", list, n - MOST_NAMES) : list;
}

/* " 60 of 60 are undecided, such as conv1: ..." */
static const char *say_untold(roof_arena *arena, const roof_compared_run *run)
{
    const roof_compared *first = NULL;
    roof_decided why_not;
    for (uint32_t i = run->n_layers; run->n_untold && i-- > 0;)
        if (run->layers[i].test != ROOF_TEST_NONE && !run->layers[i].is_told)
            first = &run->layers[i];
    if (!first)
        return "";
    sample_tests_is_decided(first, &why_not);
    return say_printf(arena, " %u of %u are undecided, such as %s: %s.", run->n_untold, run->n_paired,
                      name_of(first), text_or_empty(sample_tests_say_undecided(arena, first, &why_not, 1)));
}

const char *compare_say_layers(roof_arena *arena, const roof_compared_run *run)
{
    if (!run->n_paired)
        return run->n_layers ? "No layer is in both." : "";
    if (run->total.test == ROOF_TEST_EXACT && are_incomparable(run))
        return "";
    if (run->n_paired < run->n_only_a + run->n_only_b && !run->n_shown)
        return say_printf(arena, "Layers can hardly be compared: %u in both, %u only in A, %u only in B.",
                          run->n_paired, run->n_only_a, run->n_only_b);
    if (!run->n_tested)
        return "No layer comparison: both sides need samples, or mean, deviation and count.";
    const char *ideal = is_ideal(run) ? " in ideal time" : "", *untold = say_untold(arena, run);
    if (run->n_shown)
        return say_printf(arena, "%u of %u layer%s differ%s%s%s: %s.%s", run->n_shown, run->n_paired,
                          say_plural(run->n_paired), run->n_shown == 1 ? "s" : "", ideal,
                          run->n_shown == 1 ? "" : ", the largest first", list_shown(arena, run), untold);
    return say_printf(arena, "None of %u layer%s %s%s.%s", run->n_paired, say_plural(run->n_paired),
                      run->total.test == ROOF_TEST_EXACT ? "differs" : "differs significantly", ideal,
                      untold);
}

static const char *model_of(const roof_compared_run *run)
{
    return run->model ? run->model : "?";
}

/* "net, per-layer run" */
static const char *title_of(roof_arena *arena, const roof_compared_run *run)
{
    return say_printf(arena, "%s, %s", model_of(run), mode_words(run->mode));
}

/* --- a run -------------------------------------------------------------------------------------------- */

static grid_cell verdict_cell(const roof_compared_run *run, const roof_compared *row)
{
    if (!row->pairing)
        return cell_text(isnan(row->a_s) ? "only in B" : "only in A");
    if (are_incomparable(run))
        return cell_text("");
    if (row == &run->total && row->test == ROOF_TEST_EXACT && is_ideal(run)) /* two bounds rank nothing */
        return cell_text("?");
    if (row->test == ROOF_TEST_NONE || !row->is_told)
        return cell_text("?");
    const struct {
        bool is_shown, is_slower;
        const char *slower, *faster;
    } looks[] = {{row->is_typical_shown, row->difference_s > 0, "slower", "faster"},
                 {row->mean.is_shown, row->mean.ratio > 1, "mean slower", "mean faster"},
                 {row->tail.is_shown, row->tail.ratio > 1, "tail slower", "tail faster"}};
    if (is_ideal(run) && row->is_typical_shown) /* ideals are exact, and say nothing of which is faster */
        return cell_text(row->difference_s > 0 ? "higher" : "lower");
    for (size_t i = 0; i < N_OF(looks); i++) /* what is slower in one way is not faster */
        if (looks[i].is_shown && looks[i].is_slower)
            return cell_coloured(looks[i].slower, CELL_RED);
    for (size_t i = 0; i < N_OF(looks); i++)
        if (looks[i].is_shown)
            return cell_coloured(looks[i].faster, CELL_CYAN);
    return cell_text("~");
}

/* "-0.31 to -0.29" */
static grid_cell interval_cell(roof_arena *arena, const double ci95_s[2])
{
    double low = 1e3 * ci95_s[0], high = 1e3 * ci95_s[1];
    char from[40], to[40];
    if (isnan(low) || isnan(high))
        return cell_text("");
    number_format_fixed(from, sizeof from, low, 4, true);
    number_format_fixed(to, sizeof to, high, 4, true);
    return cell_text(arena_printf(arena, "%s to %s", from, to));
}

const char *const compare_pairings[] = {"", "name", "plain_name", NULL};
const char *const compare_tests[] = {"", "ranks", "welch", "exact", "ranges", NULL};

/* Documents have the first ones, with the ends of intervals; the last two are for people alone. */
enum { OF_PEOPLE = 2 };
#define MILLISECONDS(title, csv_, ...)                                                                       \
    GRID_SCALED(title, "[ms]", 0, .csv = (csv_), .times = 1e3, .digits = 4, __VA_ARGS__)
GRID_COLUMNS(columns, GRID_CSV("model"), GRID_CSV("mode"), GRID_COLUMN(NAME, "name", NULL, "name", 0),
             GRID_COLUMN(TEXT, "type", NULL, "type", 5), GRID_CSV("pairing"), MILLISECONDS("A", "a_s"),
             MILLISECONDS("B", "b_s"), GRID_CSV("a_count"), GRID_CSV("b_count"),
             MILLISECONDS("B - A", "difference_s", .format = FORMAT_SIGNED), GRID_TEXT("95 % [ms]", 3),
             GRID_CSV("difference_low_s"), GRID_CSV("difference_high_s"),
             GRID_SCALED("B / A", NULL, 2, .csv = "ratio", .digits = 3), GRID_CSV("ratio_low"),
             GRID_CSV("ratio_high"), GRID_CSV("test"), GRID_COLUMN(NUMBER, "p", NULL, "p", 4),
             GRID_CSV("shown"), GRID_CSV("mean_ratio"), GRID_CSV("mean_ratio_low"),
             GRID_CSV("mean_ratio_high"), GRID_CSV("tail_ratio"), GRID_CSV("tail_ratio_low"),
             GRID_CSV("tail_ratio_high"), GRID_CSV("told"), GRID_CSV("wanted_count"), GRID_CSV("unlike"),
             GRID_CSV("a_kind"), GRID_CSV("a_low_s"), GRID_CSV("a_high_s"), GRID_CSV("a_left_out"),
             GRID_CSV("b_kind"), GRID_CSV("b_low_s"), GRID_CSV("b_high_s"), GRID_CSV("b_left_out"),
             GRID_CSV("outcome"), GRID_TEXT("B is", 0), GRID_CSV("size"));

/* "batch 1 and 4; clock 300 MHz and 600 MHz": in every record, since one may be read alone. */
static const char *list_unlike(roof_arena *arena, const roof_compared_run *run)
{
    const char *list = "";
    FOR_EACH(const roof_unlike, u, run->unlike, run->n_unlike)
        if (u->is_apart)
            list = say_printf(arena, "%s%s%s %s", list, *list ? "; " : "", u->what,
                              strcmp(u->a, u->b) == 0 ? "stated by neither"
                                                      : say_printf(arena, "%s and %s", u->a, u->b));
    return list;
}

static void add_row(cell_grid *grid, const roof_compared_run *run, const roof_compared *row, grid_cell name)
{
    enum { P_DIGITS = 4 };
    const double *difference = row->difference_ci95_s, *ratio = row->ratio_ci95;
    const double *mean = row->mean.ratio_ci95, *tail = row->tail.ratio_ci95;
    bool is_csv = grid->csv;
    /* of predictions of unlike work nothing is said of the two */
    const double if_known = row->test == ROOF_TEST_EXACT && are_incomparable(run) ? (double)NAN : 0;
    GRID_ADD(grid, cell_text(text_or_empty(run->model)), cell_text(run->mode), name,
             cell_text(text_or_empty(row->type)), cell_text(compare_pairings[row->pairing]),
             cell_value(row->a_s), cell_value(row->b_s), cell_count(row->a_count), cell_count(row->b_count),
             cell_value(row->difference_s + if_known),
             is_csv ? cell_empty : interval_cell(grid->arena, difference), cell_value(difference[0]),
             cell_value(difference[1]), cell_value(row->ratio + if_known), cell_value(ratio[0]),
             cell_value(ratio[1]), cell_text(compare_tests[row->test]),
             is_csv          ? cell_value(row->p)
             : row->p < 1e-4 ? cell_worded("<0.0001", row->p, P_DIGITS)
                             : cell_number(row->p, P_DIGITS),
             cell_count(row->is_shown), cell_value(row->mean.ratio), cell_value(mean[0]), cell_value(mean[1]),
             cell_value(row->tail.ratio), cell_value(tail[0]), cell_value(tail[1]), cell_count(row->is_told),
             cell_count(row->wanted_count), is_csv ? cell_text(list_unlike(grid->arena, run)) : cell_empty);
    /* Claims of predictions, in the row of the total alone, and their outcome. */
    const bool has_claims = row == &run->total && row->test == ROOF_TEST_EXACT;
    for (size_t side = 0; side < 2; side++) {
        double low_s, high_s;
        roof_answer_stated_ends(&run->takes[side], &low_s, &high_s);
        GRID_ADD(grid, cell_text(has_claims ? roof_answer_kind_text(run->takes[side].kind) : ""),
                 cell_value(has_claims ? low_s : NAN), cell_value(has_claims ? high_s : NAN),
                 has_claims ? cell_count(run->takes[side].covers.left_out) : cell_empty);
    }
    GRID_ADD(grid, cell_text(has_claims ? roof_outcome_text(compare_outcome(run).is) : ""));
    if (!is_csv)
        GRID_ADD(grid, verdict_cell(run, row),
                 cell_number(fabs(row->difference_s) + (row->is_shown ? 1e15 : 0), 0));
}

void compare_view_rows(const roof_compared_run *run, cell_grid *grid, roof_arena *arena)
{
    grid_begin(grid, arena, columns, N_OF(columns));
    for (uint32_t i = 0; i < run->n_layers; i++)
        add_row(grid, run, &run->layers[i], cell_text(name_of(&run->layers[i])));
    add_row(grid, run, &run->total, cell_label(run->total.name));
    grid->what = "layer";
    grid->largest = "size";
    grid->n_last = 1;
}

void compare_csv(const rendering *r)
{
    const roof_comparison *c = r->comparison;
    cell_grid grid;
    grid_begin_csv(&grid, r->arena, columns, N_OF(columns) - OF_PEOPLE, r->out);
    table_keep_csv(r, &grid);
    FOR_EACH(const roof_compared_run, run, c->runs, c->n_runs) {
        for (uint32_t k = 0; k < run->n_layers; k++)
            add_row(&grid, run, &run->layers[k], cell_text(text_or_empty(run->layers[k].name)));
        add_row(&grid, run, &run->total, cell_text("total"));
    }
    table_put_csv(r, &grid, "b_s");
}

static void put_run(const rendering *r, const roof_compared_run *run)
{
    cell_grid grid;
    writer_title(&r->writer, title_of(r->arena, run));
    remarks lines = {.arena = r->arena};
    const double *ci95 = run->geometric_mean_ci95;
    if (is_ideal(run))
        remarks_add(&lines, "times", "of a layer its ideal; the total is the bound, when layers overlap");
    if (!isnan(run->geometric_mean) && !are_incomparable(run))
        remarks_add(&lines, "geo. mean", "%s (B / A of %s%u layer%s%s)",
                    say_ratio(r->arena, run->geometric_mean), is_ideal(run) ? "the ideals of " : "",
                    run->n_paired, say_plural(run->n_paired), say_interval(r->arena, ci95[0], ci95[1]));
    if (run->n_only_a || run->n_only_b)
        remarks_add(&lines, "on one side", "%u row%s only in A, %u only in B", run->n_only_a,
                    say_plural(run->n_only_a), run->n_only_b);
    const char *phases = "";
    for (uint32_t i = 0; i < run->n_phases; i++)
        phases =
            say_more(r->arena, phases, "%s %sx (%s and %s)", run->phases[i].name,
                     say_ratio(r->arena, run->phases[i].ratio), say_seconds(r->arena, run->phases[i].a_s),
                     say_seconds(r->arena, run->phases[i].b_s));
    if (*phases)
        remarks_add(&lines, "phases", "%s; B / A of single numbers", phases);
    remarks_put(&lines, &r->writer);
    text_puts(r->out, r->writer.is_markdown ? "\n" : "");
    compare_view_rows(run, &grid, r->arena);
    table_put_arranged(r, &grid);
    text_puts(r->out, "\n");
}

/* --- the page ----------------------------------------------------------------------------------------- */

/* The answer of the first run; then what the others say, with their names. */
static void put_verdict(const rendering *r)
{
    enum { MOST_RUNS = 8 };
    const roof_comparison *c = r->comparison;
    const char *sentences[3 + 2 * MOST_RUNS], *const unused[] = {c->unused_hardware_a, c->unused_hardware_b};
    size_t n = 0;
    for (size_t side = 0; side < 2; side++)
        if (unused[side])
            sentences[n++] = say_printf(
                r->arena, "%s: %s: it is not used, and whether A and B ran on the same hardware is unknown.",
                side ? "B" : "A", unused[side]);
    bool has_models = strcmp(model_of(&c->runs[0]), model_of(&c->runs[c->n_runs - 1])) != 0;
    for (uint32_t i = 0; i < c->n_runs && i < MOST_RUNS; i++) {
        const roof_compared_run *run = &c->runs[i];
        const char *total = compare_say_total(r->arena, run), *layers = compare_say_layers(r->arena, run);
        sentences[n++] =
            i || has_models ? say_printf(r->arena, "%s: %s", title_of(r->arena, run), total) : total;
        if (*layers)
            sentences[n++] = layers;
    }
    const roof_compared *first = &c->runs[0].total;
    if (c->keep && ((first->test == ROOF_TEST_NONE && !isnan(first->difference_s)) ||
                    (first->test == ROOF_TEST_RANGES && !first->is_shown))) /* samples would tell more */
        sentences[n++] = say_printf(r->arena, "Next time: %s.", c->keep);
    writer_verdict(&r->writer, sentences, n);
}

void compare_put(const rendering *r)
{
    const roof_comparison *c = r->comparison;
    remarks lines = {.arena = r->arena};
    if (!r->selection->has_most && !r->options->details)
        r->selection->order.most = MOST_ROWS;
    put_verdict(r);
    remarks_add(&lines, "A", "%s", c->a);
    remarks_add(&lines, "B", "%s", c->b);
    ADD_SAID(&lines, "left out", "[?{} run{|s} of a model or a mode that only one side has]",
             AS_COUNT(c->n_left_out));
    if (c->runs[0].total.test != ROOF_TEST_EXACT) {
        remarks_add(
            &lines, "B - A",
            "of samples the median of the differences of all pairs; intervals and p are of a row alone");
        remarks_add(
            &lines, "B is ~",
            "no difference is shown, among all rows: of two runs of the same thing chance alone shows "
            "one in less than 5 of 100 comparisons; and one of 5 %% is excluded");
        remarks_add(&lines, "B is ?", "too few samples to tell: a difference of 5 %% may be there");
    }
    remarks_put(&lines, &r->writer);
    text_puts(r->out, "\n");
    for (uint32_t i = 0; i < c->n_runs; i++)
        put_run(r, &c->runs[i]);
}
