#include "reports/tables/curve/curve_view.h"
#include "core/quantity.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- rows --------------------------------------------------------------------------------------------- */

typedef struct curve_row {
    uint32_t tokens;
    const roof_curve_point *point; /* NULL: there is none of this length, but it was measured */
    double measured_s;             /* NaN: it was not */
} curve_row;

typedef struct row_list {
    curve_row *rows;
    uint32_t n;
    bool are_measured, are_expected;    /* some of them */
    bool has_part[ROOF_LANGUAGE_PARTS]; /* more than nothing of the times that people see the parts of */
} row_list;

static int by_tokens(const void *a, const void *b)
{
    const curve_row *x = a, *y = b;
    if (x->tokens != y->tokens)
        return x->tokens < y->tokens ? -1 : 1;
    if (!x->point != !y->point)
        return x->point ? -1 : 1;
    return x->measured_s < y->measured_s ? -1 : x->measured_s > y->measured_s;
}

/* People see the parts of one time: the expected one where any is known. */
static const double *parts_of(const roof_curve_point *point, bool are_expected)
{
    return are_expected ? point->expected.parts_s : point->ideal_parts_s;
}

/* A measured time stands beside the point of its length; what else was measured has a row of its own. */
static row_list rows_of(const curve_view *v, roof_text_phase phase)
{
    const roof_curve *curve = v->curve;
    const curve_phase points = phase == ROOF_TEXT_DECODE ? curve_steps(curve) : curve_prompts(curve);
    row_list all = {.rows = NEW_ARRAY(v->arena, curve_row, points.n + curve->n_measured),
                    .are_expected = curve_is_expected(points)};
    uint32_t n = 0;
    if (!all.rows)
        return all;
    for (uint32_t i = 0; i < points.n; i++) {
        all.rows[n++] = (curve_row){points.points[i].tokens, &points.points[i], NAN};
        for (int part = 0; part < ROOF_LANGUAGE_PARTS; part++)
            all.has_part[part] |= parts_of(&points.points[i], all.are_expected)[part] > 0;
    }
    for (uint32_t i = 0; i < curve->n_measured; i++)
        if (curve->measured[i].phase == phase)
            all.rows[n++] = (curve_row){curve->measured[i].tokens, NULL, curve->measured[i].seconds};
    all.are_measured = n > points.n;
    if (n)
        qsort(all.rows, n, sizeof *all.rows, by_tokens);
    for (uint32_t i = 0; i < n; i++) {
        curve_row *last = all.n ? &all.rows[all.n - 1] : NULL;
        if (last && last->point && last->tokens == all.rows[i].tokens && isnan(last->measured_s))
            last->measured_s = all.rows[i].measured_s;
        else
            all.rows[all.n++] = all.rows[i];
    }
    return all;
}

uint32_t curve_rows(const curve_view *v, roof_text_phase phase)
{
    return rows_of(v, phase).n;
}

/* A table that is longer has rows left out. */
enum { MOST_ROWS = 16, LEAST_ROWS = 8 };

static bool begins_doubling(const row_list *all, uint32_t i)
{
    return !i || ilogb(all->rows[i].tokens) != ilogb(all->rows[i - 1].tokens);
}

/* Marks the rows to show: ends, the first of each doubling, and measured ones while they are few; where that
 * is next to nothing, some at equal distances. Returns how many. */
static uint32_t choose(const row_list *all, bool *is_shown)
{
    uint32_t n = 0, n_measured = 0;
    for (uint32_t i = 0; i < all->n; i++)
        n_measured += isnan(all->rows[i].measured_s) ? 0 : 1;
    for (uint32_t i = 0; i < all->n; i++) {
        const bool is_measured = !isnan(all->rows[i].measured_s) && n_measured <= LEAST_ROWS;
        is_shown[i] = begins_doubling(all, i) || i + 1 == all->n || is_measured;
        n += is_shown[i];
    }
    if (n >= LEAST_ROWS)
        return n;
    for (uint32_t k = 0; k < MOST_ROWS; k++) {
        const uint32_t i = (uint32_t)((uint64_t)k * (all->n - 1) / (MOST_ROWS - 1));
        n += is_shown[i] ? 0 : 1;
        is_shown[i] = true;
    }
    return n;
}

/* --- the table ---------------------------------------------------------------------------------------- */

/* Documents have the first ones, in this order; the others are for people alone. */
enum {
    PHASE,
    TOKENS,
    IDEAL,
    EXPECTED,
    LOW,
    HIGH,
    RATE,
    IDEAL_RATE,
    OVER_BOUND,
    WEIGHTS,
    CACHE,
    LAUNCHES,
    ARRAY,
    IDEAL_WEIGHTS,
    IDEAL_CACHE,
    IDEAL_ARRAY,
    BINDS,
    MEMORY,
    FITS,
    WEIGHT_BYTES,
    STREAMED_BYTES,
    KV_BYTES,
    CACHE_BYTES,
    STATE_BYTES,
    RESIDENT_BYTES,
    CLASS,
    WHY,
    MEASURED,
    RATIO,
    RANGE,
    COLUMNS
};

#define TIME(title_, rank_, csv_)                                                                            \
    {                                                                                                        \
        .title = (title_), .csv = (csv_), .kind = COLUMN_TIME, .rank = (rank_)                               \
    }
#define PER_SECOND(title_, rank_, csv_)                                                                      \
    {                                                                                                        \
        title_, "[/s]", csv_, .kind = COLUMN_NUMBER, .rank = (rank_), .format = FORMAT_SPACED, .digits = 1   \
    }

static const grid_column known_columns[COLUMNS] = {
    [PHASE] = GRID_CSV("phase"),
    [TOKENS] = {"context", "[tokens]", "tokens", .kind = COLUMN_NUMBER},
    [IDEAL] = TIME("bound", 0, "ideal_s"),
    [EXPECTED] = TIME("expected", 1, "expected_s"),
    [LOW] = GRID_CSV("expected_low_s"),
    [HIGH] = GRID_CSV("expected_high_s"),
    [RATE] = PER_SECOND("tokens", 1, "tokens_per_s"),
    [IDEAL_RATE] = PER_SECOND("at most", 1, "ideal_tokens_per_s"),
    [OVER_BOUND] = {"x bound", .csv = "over_bound_ratio", .kind = COLUMN_NUMBER, .rank = 8, .digits = 2},
    [WEIGHTS] = TIME("weights", 5, "weights_s"),
    [CACHE] = TIME("cache", 5, "cache_s"),
    [LAUNCHES] = TIME("launches", 6, "launches_s"),
    [ARRAY] = TIME("array", 6, "array_s"),
    [IDEAL_WEIGHTS] = GRID_CSV("ideal_weights_s"),
    [IDEAL_CACHE] = GRID_CSV("ideal_cache_s"),
    [IDEAL_ARRAY] = GRID_CSV("ideal_array_s"),
    [BINDS] = {"binds", .csv = "binds", .rank = 4},
    [MEMORY] = {"memory", "[GiB]", "memory_bytes", .kind = COLUMN_NUMBER, .rank = 3, .over = 1 << 30,
                .digits = 2},
    [FITS] = {"fits", .csv = "fits", .rank = 3},
    [WEIGHT_BYTES] = GRID_CSV("weight_bytes"),
    [STREAMED_BYTES] = GRID_CSV("streamed_bytes"),
    [KV_BYTES] = GRID_CSV("kv_bytes"),
    [CACHE_BYTES] = GRID_CSV("cache_bytes"),
    [STATE_BYTES] = GRID_CSV("state_bytes"),
    [RESIDENT_BYTES] = GRID_CSV("resident_weight_bytes"),
    [CLASS] = GRID_CSV("attention"),
    [WHY] = GRID_CSV("not_known"),
    [MEASURED] = TIME("measured", 1, "measured_s"),
    [RATIO] = {"meas./exp.", .csv = "measured_ratio", .kind = COLUMN_NUMBER, .rank = 2, .digits = 3},
    [RANGE] = {"95 %", .kind = COLUMN_TEXT, .rank = 7},
};
#undef PER_SECOND
#undef TIME

/* Measured times stand beside what was expected of them. */
static const uint8_t order_for_people[] = {TOKENS, IDEAL,      EXPECTED,   RANGE,   MEASURED, RATIO,
                                           RATE,   IDEAL_RATE, OVER_BOUND, WEIGHTS, CACHE,    LAUNCHES,
                                           ARRAY,  BINDS,      MEMORY,     FITS};

static bool is_seen(uint8_t column, const row_list *rows)
{
    if (column >= WEIGHTS && column <= ARRAY)
        return rows->has_part[column - WEIGHTS];
    switch (column) {
    case MEASURED:
    case RATIO:
        return rows->are_measured;
    case RATE:
        return rows->are_expected;
    case IDEAL_RATE:
        return !rows->are_expected;
    default:
        return true;
    }
}

/* Steps take milliseconds; prompts up to minutes. */
static grid_times times_of(const row_list *all)
{
    double most_s = 0;
    for (uint32_t i = 0; i < all->n; i++) {
        const roof_curve_point *p = all->rows[i].point;
        const double times_s[] = {all->rows[i].measured_s, p ? p->ideal_s : 0, p ? p->expected.seconds : 0};
        for (size_t k = 0; k < sizeof times_s / sizeof *times_s; k++)
            most_s = times_s[k] > most_s ? times_s[k] : most_s;
    }
    return most_s >= 10 ? (grid_times){1, "[s]", 3} : (grid_times){1e3, "[ms]", 2};
}

static grid_cell range_cell(const curve_view *v, const grid_times *times, const roof_curve_point *point)
{
    const double *ends_s = point->expected.ci95_s;
    char texts[2][40];
    if (isnan(ends_s[0]) || isnan(ends_s[1]))
        return isnan(point->expected.seconds) ? cell_count(ROOF_UNKNOWN) : cell_empty;
    for (size_t i = 0; i < 2; i++)
        number_format_fixed(texts[i], sizeof texts[i], times->factor * ends_s[i], times->digits, false);
    return cell_text(arena_printf(v->arena, "%s-%s", texts[0], texts[1]));
}

static grid_cell fits_cell(roof_memory_answer fits, bool is_csv)
{
    return fits == ROOF_MEMORY_FITS       ? cell_text("yes")
           : fits == ROOF_MEMORY_FITS_NOT ? cell_coloured("no", CELL_RED)
           : is_csv                       ? cell_text("")
                                          : cell_count(ROOF_UNKNOWN);
}

static grid_cell part_cell(double seconds, bool is_csv)
{
    return seconds == 0 && !is_csv ? cell_none : cell_value(seconds);
}

static void add_row(const curve_view *v, cell_grid *grid, const curve_row *row, roof_text_phase phase,
                    bool are_expected)
{
    const roof_curve_point *p = row->point;
    const bool is_csv = grid->csv != NULL;
    char tokens[CURVE_TOKENS_SIZE];
    grid_cell cells[COLUMNS] = {{0}}; /* CELL_EMPTY */
    cells[PHASE] = cell_text(phase == ROOF_TEXT_DECODE ? "decode" : "prefill");
    cells[TOKENS] =
        is_csv ? cell_count(row->tokens)
               : cell_worded(say_printf(v->arena, "%s", curve_tokens(row->tokens, tokens)), row->tokens, 0);
    if (!isnan(row->measured_s))
        cells[MEASURED] = cell_value(row->measured_s);
    if (p) {
        const roof_language_expectation *e = &p->expected;
        const double *parts_s = parts_of(p, is_csv || are_expected);
        cells[IDEAL] = cell_value(p->ideal_s);
        cells[EXPECTED] = cell_value(e->seconds);
        cells[LOW] = cell_value(e->ci95_s[0]);
        cells[HIGH] = cell_value(e->ci95_s[1]);
        cells[RATE] = cell_value(curve_rate(v->curve, p, e->seconds));
        cells[IDEAL_RATE] = cell_value(curve_rate(v->curve, p, p->ideal_s));
        cells[OVER_BOUND] = cell_value(quotient_of(e->seconds, p->ideal_s));
        for (int part = 0; part < ROOF_LANGUAGE_PARTS; part++)
            cells[WEIGHTS + part] = part_cell(parts_s[part], is_csv);
        cells[IDEAL_WEIGHTS] = cell_value(p->ideal_parts_s[ROOF_PART_WEIGHTS]);
        cells[IDEAL_CACHE] = cell_value(p->ideal_parts_s[ROOF_PART_CACHE]);
        cells[IDEAL_ARRAY] = cell_value(p->ideal_parts_s[ROOF_PART_ARRAY]);
        cells[BINDS] = cell_text(roof_language_part_text(p->binds));
        cells[MEMORY] = cell_count(p->memory.need_bytes);
        cells[FITS] = fits_cell(p->memory.fits, is_csv);
        cells[WEIGHT_BYTES] = cell_count(p->counts.weight_bytes);
        cells[STREAMED_BYTES] = cell_count(p->counts.streamed_bytes);
        cells[KV_BYTES] = cell_count(p->counts.kv_bytes);
        cells[CACHE_BYTES] = cell_count(p->counts.cache_bytes);
        cells[STATE_BYTES] = cell_count(p->counts.state_bytes);
        cells[RESIDENT_BYTES] = cell_count(p->counts.resident_weight_bytes);
        cells[CLASS] = cell_text(text_or_empty(e->attention));
        cells[WHY] = cell_text(text_or_empty(isnan(e->seconds) ? e->not_known : NULL));
        if (!isnan(row->measured_s) && !isnan(e->seconds))
            cells[RATIO] = cell_value(quotient_of(row->measured_s, e->seconds));
        cells[RANGE] = range_cell(v, &grid->times, p);
    }
    grid_add(grid, cells, is_csv ? RANGE : COLUMNS);
}

uint32_t curve_table(const curve_view *v, roof_text_phase phase, cell_grid *grid)
{
    const row_list all = rows_of(v, phase);
    const bool are_steps = phase == ROOF_TEXT_DECODE;
    bool *is_shown = NEW_ARRAY(v->arena, bool, all.n + 1);
    grid_column *columns = NEW_ARRAY(v->arena, grid_column, COLUMNS);
    if (columns) {
        memcpy(columns, known_columns, sizeof known_columns);
        columns[TOKENS].title = are_steps ? "context" : "prompt";
        columns[EXPECTED].title = are_steps ? "expected" : "TTFT";
        columns[RANGE].unit = times_of(&all).unit;
    }
    grid_begin(grid, v->arena, columns, COLUMNS);
    grid->times = times_of(&all);
    grid->n_shown = 0;
    for (size_t i = 0; i < sizeof order_for_people; i++)
        if (is_seen(order_for_people[i], &all))
            grid->shown[grid->n_shown++] = order_for_people[i];
    grid->what = are_steps ? "step" : "prompt";
    grid->largest = "bound";
    if (!is_shown)
        return 0;
    const bool is_whole = v->all || all.n <= MOST_ROWS;
    const uint32_t n = is_whole ? all.n : choose(&all, is_shown);
    for (uint32_t i = 0; i < all.n; i++)
        if (is_whole || is_shown[i])
            add_row(v, grid, &all.rows[i], phase, all.are_expected);
    return all.n - n;
}

void curve_begin_csv(const curve_view *v, cell_grid *grid, textbuf *out)
{
    grid_begin_csv(grid, v->arena, known_columns, RANGE, out);
}

void curve_add_csv(const curve_view *v, cell_grid *grid)
{
    static const roof_text_phase phases[] = {ROOF_TEXT_DECODE, ROOF_TEXT_PREFILL};
    for (size_t k = 0; k < sizeof phases / sizeof *phases; k++) {
        const row_list all = rows_of(v, phases[k]);
        for (uint32_t i = 0; i < all.n; i++)
            add_row(v, grid, &all.rows[i], phases[k], all.are_expected);
    }
}

/* --- lines below it ----------------------------------------------------------------------------------- */

static const char *say_seconds(const curve_view *v, double seconds)
{
    return say_quantity(v->arena, seconds, "s");
}

/* "789 ms (95 % 700 ms to 880 ms, at least 120 ms)"; where nothing is expected "at least 120 ms". */
static const char *say_both(const curve_view *v, double expected_s, const double ci95_s[2], double ideal_s)
{
    const char *least = isnan(ideal_s) ? "" : say_printf(v->arena, "at least %s", say_seconds(v, ideal_s));
    if (isnan(expected_s))
        return *least ? least : "not known";
    const char *range =
        isnan(ci95_s[0]) || isnan(ci95_s[1])
            ? ""
            : say_printf(v->arena, "95 %% %s to %s", say_seconds(v, ci95_s[0]), say_seconds(v, ci95_s[1]));
    return !*least && !*range ? say_seconds(v, expected_s)
                              : say_printf(v->arena, "%s (%s%s%s)", say_seconds(v, expected_s), range,
                                           *range && *least ? ", " : "", least);
}

static void add_session(const curve_view *v, remarks *lines)
{
    const roof_session *s = &v->curve->session;
    const char *rate = "", *energy = "";
    if (!v->curve->has_session)
        return;
    if (!isnan(s->tokens_per_s))
        rate = isnan(s->tokens_per_s_ci95[0]) ? say_printf(v->arena, ", %s tokens/s between them",
                                                           say_number(v->arena, s->tokens_per_s, 1))
                                              : say_printf(v->arena, ", %s tokens/s between them (%s to %s)",
                                                           say_number(v->arena, s->tokens_per_s, 1),
                                                           say_number(v->arena, s->tokens_per_s_ci95[0], 1),
                                                           say_number(v->arena, s->tokens_per_s_ci95[1], 1));
    if (!isnan(s->energy_j))
        energy = say_printf(v->arena, "; expected %s%s", say_quantity(v->arena, s->energy_j, "J"),
                            isnan(s->energy_ci95_j[0] + s->energy_ci95_j[1])
                                ? ""
                                : say_printf(v->arena, " (95 %% %s to %s)",
                                             say_quantity(v->arena, s->energy_ci95_j[0], "J"),
                                             say_quantity(v->arena, s->energy_ci95_j[1], "J")));
    remarks_add(lines, "session",
                "a prompt of %s and an answer of %s tokens: the first token after %s, the last after %s%s%s",
                curve_say_tokens(v->arena, s->prompt_tokens), say_count(v->arena, s->answer_tokens),
                say_both(v, s->first_s, s->first_ci95_s, s->first_ideal_s),
                say_both(v, s->last_s, s->last_ci95_s, s->last_ideal_s), rate, energy);
    if (!isnan(s->most_tokens_per_s))
        remarks_add(lines, "full load",
                    "at most %s tokens/s in all, with %s such sessions in memory, each at another stage; "
                    "TensorRT-LLM made 0.34 to 0.67 of that on H100 and H200 (30 runs)",
                    say_count(v->arena, (uint64_t)s->most_tokens_per_s),
                    say_count(v->arena, s->most_sequences));
}

static void add_draft(const curve_view *v, remarks *lines)
{
    const roof_draft *d = &v->curve->draft;
    const char *even = "it gains at no acceptance",
               *gain = "how many times as fast is unknown, of two bounds";
    if (!v->curve->has_draft)
        return;
    if (isnan(d->gain_ratio))
        even = "nor from which acceptance on it gains";
    else
        gain = say_printf(v->arena, "%s%s times as fast at %s",
                          roof_answer_is_bound(d->verify_kind) ? "at most " : "",
                          say_number(v->arena, d->gain_ratio, 2), curve_say_tokens(v->arena, d->tokens));
    if (!isnan(d->break_even_accept))
        even = say_printf(v->arena, "it gains from an acceptance of %s on",
                          say_number(v->arena, d->break_even_accept, 2));
    remarks_add(lines, "draft",
                "%s proposes %" PRIu32 " tokens, each accepted with %s: %s tokens a round; %s; %s",
                d->draft ? d->draft : "the draft", d->ahead, say_number(v->arena, d->accept, 2),
                say_number(v->arena, d->tokens_per_round, 2), gain, even);
    remarks_add(lines, " of a round", "%s to verify%s, %" PRIu32 " x %s to propose, %s without it",
                say_seconds(v, d->verify_s),
                roof_answer_is_bound(d->verify_kind) ? " at least, that of one token" : "", d->ahead,
                say_seconds(v, d->draft_s), say_seconds(v, d->step_s));
}

static void add_anchor(const curve_view *v, remarks *lines)
{
    if (v->curve->n_anchors > 1)
        remarks_add(lines, "anchor",
                    "%" PRIu32 " steps that were measured, the first of %s at %s: the line through them",
                    v->curve->n_anchors, say_seconds(v, v->curve->anchor_s),
                    curve_say_tokens(v->arena, v->curve->anchor_tokens));
    else if (v->curve->anchor_tokens)
        remarks_add(lines, "anchor",
                    "a step at %s was measured as %s: it fixes what does not grow with the context",
                    curve_say_tokens(v->arena, v->curve->anchor_tokens), say_seconds(v, v->curve->anchor_s));
}

static const char *say_gib(const curve_view *v, double bytes)
{
    return say_printf(v->arena, "%s GiB", say_number(v->arena, bytes / (1 << 30), 2));
}

/* Parts of the memory, and the sizes known to fit. */
static void add_memory(const curve_view *v, remarks *lines)
{
    const roof_curve *curve = v->curve;
    const curve_phase phase = curve->n_decode ? curve_steps(curve) : curve_prompts(curve);
    if (!phase.n)
        return;
    const roof_curve_point *last = &phase.points[phase.n - 1];
    const roof_language_memory *m = &last->memory;
    const roof_language_counts *c = &last->counts;
    const char *ends = "";
    if (c->kv_bytes_per_token != ROOF_UNKNOWN)
        remarks_add(lines, "memory", "weights %s, states %s B, cache %s B a token",
                    say_gib(v, known_count(c->resident_weight_bytes)), say_count(v->arena, c->state_bytes),
                    say_count(v->arena, c->kv_bytes_per_token));
    if (m->available_bytes)
        ends = say_more(v->arena, ends, "the machine has %s", say_gib(v, known_count(m->available_bytes)));
    if (!isnan(m->limit_bytes))
        ends = say_more(v->arena, ends, "known to fit up to %s", say_gib(v, m->limit_bytes));
    if (!isnan(m->fails_bytes))
        ends = say_more(v->arena, ends, "known not to fit from %s on", say_gib(v, m->fails_bytes));
    remarks_add(lines, " of which", "%s", ends);
    if (curve->positions)
        remarks_add(lines, "made for", "contexts up to %s", curve_say_tokens(v->arena, curve->positions));
}

/* Source and quality of the constants, from the first point that has them. */
static void add_constants(const curve_view *v, remarks *lines)
{
    const roof_language_expectation *e = NULL;
    for (uint32_t i = 0; i < v->curve->n_points && !e; i++)
        if (!isnan(v->curve->points[i].expected.seconds))
            e = &v->curve->points[i].expected;
    if (!e || !e->stack)
        return;
    const char *text = say_printf(v->arena, "%s", e->stack);
    if (e->attention)
        text = say_more(v->arena, text, "attention %s", e->attention);
    if (!isnan(e->points) && !isnan(e->models))
        text = say_more(v->arena, text, "fitted to %.0f points of %.0f model%s", e->points, e->models,
                        say_plural((uint64_t)fmin(e->models, 1e6)));
    if (!isnan(e->error))
        text =
            say_more(v->arena, text, "median error of what was left out %s", say_percent(v->arena, e->error));
    remarks_add(lines, "constants", "%s", text);
}

void curve_remarks(const curve_view *v, remarks *lines)
{
    const bool is_any_expected =
        curve_is_expected(curve_steps(v->curve)) || curve_is_expected(curve_prompts(v->curve));
    const char *why = curve_not_known(v->curve);
    add_session(v, lines);
    add_draft(v, lines);
    add_anchor(v, lines);
    add_memory(v, lines);
    add_constants(v, lines);
    if (why && is_any_expected) /* else the verdict says it */
        remarks_add(lines, "not expected", "%.*s", curve_reason_length(why), why);
    if (!is_any_expected)
        remarks_add(lines, "parts", "of the bound; what a launch takes is in no bound");
}
