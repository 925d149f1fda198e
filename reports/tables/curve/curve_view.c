/* The curve of a language model as text, Markdown, CSV and JSON. */
#include "reports/tables/views.h"
#include "reports/renderers/renderer.h"

/* --- rows --------------------------------------------------------------------------------------------- */

typedef struct curve_row {
    uint32_t tokens;
    const roof_curve_point *point; /* NULL: there is none of this length, but it was measured */
    double measured_s;             /* NaN: it was not */
    bool lacks_point;
} curve_row;

typedef struct row_list {
    curve_row *rows;
    uint32_t n;
    bool are_measured, are_expected;    /* some of them */
    bool has_part[ROOF_LANGUAGE_PARTS]; /* more than nothing of the times that people see the parts of */
} row_list;

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
        all.rows[n++] = (curve_row){points.points[i].tokens, &points.points[i], NAN, false};
        for (int part = 0; part < ROOF_LANGUAGE_PARTS; part++)
            all.has_part[part] |= parts_of(&points.points[i], all.are_expected)[part] > 0;
    }
    for (uint32_t i = 0; i < curve->n_measured; i++)
        if (curve->measured[i].phase == phase)
            all.rows[n++] = (curve_row){curve->measured[i].tokens, NULL, curve->measured[i].seconds, true};
    all.are_measured = n > points.n;
    order_sort(
        all.rows, n, sizeof *all.rows,
        ORDER_BY(RISING(curve_row, tokens), RISING(curve_row, lacks_point), RISING(curve_row, measured_s)));
    for (uint32_t i = 0; i < n; i++) {
        curve_row *last = all.n ? &all.rows[all.n - 1] : NULL;
        if (last && last->point && last->tokens == all.rows[i].tokens && isnan(last->measured_s))
            last->measured_s = all.rows[i].measured_s;
        else
            all.rows[all.n++] = all.rows[i];
    }
    return all;
}

/* A table that is longer has rows left out. */
enum { MOST_ROWS = 16, LEAST_ROWS = 8 };

/* Marks the rows to show: ends, the first of each doubling, and measured ones while they are few; where that
 * is next to nothing, some at equal distances. Returns how many. */
static uint32_t choose(const row_list *all, bool *is_shown)
{
    uint32_t n = 0, n_measured = 0;
    for (uint32_t i = 0; i < all->n; i++)
        n_measured += isnan(all->rows[i].measured_s) ? 0 : 1;
    for (uint32_t i = 0; i < all->n; i++) {
        is_shown[i] = !i || ilogb(all->rows[i].tokens) != ilogb(all->rows[i - 1].tokens) || i + 1 == all->n ||
                      (!isnan(all->rows[i].measured_s) && n_measured <= LEAST_ROWS);
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

typedef struct shown_row {
    const roof_curve_point *point; /* NULL: as in curve_row */
    grid_cell phase, tokens, rate, ideal_rate, over_bound, parts[ROOF_LANGUAGE_PARTS];
    grid_cell binds, fits, why, measured, ratio, range;
} shown_row;

#define MADE(name, member, ...) GRID_AS(name, shown_row, member, MADE, __VA_ARGS__)
#define POINT(name, member, from, ...)                                                                       \
    GRID_VIA(name, shown_row, point, roof_curve_point, member, from, __VA_ARGS__)
#define TIME(title_, rank_, place_) .title = (title_), .kind = COLUMN_TIME, .rank = (rank_), .place = (place_)
#define NUMBER(title_, unit_, rank_, place_, ...)                                                            \
    .title = (title_), .unit = (unit_), .kind = COLUMN_NUMBER, .rank = (rank_), .place = (place_), __VA_ARGS__
#define PART(name, part, title, rank, place) MADE(name, parts[ROOF_PART_##part], TIME(title, rank, place))
#define BYTES(name, member)                  POINT(name, counts.member, COUNT, .title = NULL)

/* Documents have all but the last one, in this order. For people measured times are beside expected ones. */
static const grid_column known_columns[] = {
    MADE("phase", phase, .title = NULL),
    MADE("tokens", tokens, NUMBER("context", "[tokens]", 0, 1, .digits = 0)),
    POINT("ideal_s", ideal_s, VALUE, TIME("bound", 0, 2)),
    POINT("expected_s", expected.seconds, VALUE, TIME("expected", 1, 3)),
    POINT("expected_low_s", expected.ci95_s[0], VALUE, .title = NULL),
    POINT("expected_high_s", expected.ci95_s[1], VALUE, .title = NULL),
    MADE("tokens_per_s", rate, NUMBER("tokens", "[/s]", 1, 7, .format = FORMAT_SPACED, .digits = 1)),
    MADE("ideal_tokens_per_s", ideal_rate,
         NUMBER("at most", "[/s]", 1, 8, .format = FORMAT_SPACED, .digits = 1)),
    MADE("over_bound_ratio", over_bound, NUMBER("x bound", NULL, 8, 9, .digits = 2)),
    PART("weights_s", WEIGHTS, "weights", 5, 10),
    PART("cache_s", CACHE, "cache", 5, 11),
    PART("launches_s", LAUNCHES, "launches", 6, 12),
    PART("array_s", ARRAY, "array", 6, 13),
    POINT("ideal_weights_s", ideal_parts_s[ROOF_PART_WEIGHTS], VALUE, .title = NULL),
    POINT("ideal_cache_s", ideal_parts_s[ROOF_PART_CACHE], VALUE, .title = NULL),
    POINT("ideal_array_s", ideal_parts_s[ROOF_PART_ARRAY], VALUE, .title = NULL),
    MADE("binds", binds, .title = "binds", .rank = 4, .place = 14),
    POINT("memory_bytes", memory.need_bytes, COUNT,
          NUMBER("memory", "[GiB]", 3, 15, .over = 1 << 30, .digits = 2)),
    MADE("fits", fits, .title = "fits", .rank = 3, .place = 16),
    BYTES("weight_bytes", weight_bytes),
    BYTES("streamed_bytes", streamed_bytes),
    BYTES("kv_bytes", kv_bytes),
    BYTES("cache_bytes", cache_bytes),
    BYTES("state_bytes", state_bytes),
    BYTES("resident_weight_bytes", resident_weight_bytes),
    POINT("attention", expected.attention, TEXT, .title = NULL),
    MADE("not_known", why, .title = NULL),
    MADE("measured_s", measured, TIME("measured", 1, 5)),
    MADE("measured_ratio", ratio, NUMBER("meas./exp.", NULL, 2, 6, .digits = 3)),
    MADE("range", range, .title = "95 %", .rank = 7, .place = 4),
};
enum { COLUMNS = N_OF(known_columns) };

static void add_row(const curve_view *v, cell_grid *grid, const curve_row *row, roof_text_phase phase,
                    bool are_expected)
{
    const roof_curve_point *p = row->point;
    const bool is_csv = grid->csv != NULL;
    char tokens[CURVE_TOKENS_SIZE];
    shown_row cells = {.point = p,
                       .phase = cell_text(phase == ROOF_TEXT_DECODE ? "decode" : "prefill"),
                       .tokens =
                           is_csv ? cell_count(row->tokens)
                                  : cell_worded(say_printf(v->arena, "%s", curve_tokens(row->tokens, tokens)),
                                                row->tokens, 0)};
    if (!isnan(row->measured_s))
        cells.measured = cell_value(row->measured_s);
    if (p) {
        const roof_language_expectation *e = &p->expected;
        const double *parts_s = parts_of(p, is_csv || are_expected);
        cells.rate = cell_value(curve_rate(v->curve, p, e->seconds));
        cells.ideal_rate = cell_value(curve_rate(v->curve, p, p->ideal_s));
        cells.over_bound = cell_value(quotient_of(e->seconds, p->ideal_s));
        for (int part = 0; part < ROOF_LANGUAGE_PARTS; part++)
            cells.parts[part] = parts_s[part] == 0 && !is_csv ? cell_none : cell_value(parts_s[part]);
        cells.binds = cell_text(roof_language_part_text(p->binds));
        cells.fits = p->memory.fits == ROOF_MEMORY_FITS       ? cell_text("yes")
                     : p->memory.fits == ROOF_MEMORY_FITS_NOT ? cell_coloured("no", CELL_RED)
                     : is_csv                                 ? cell_text("")
                                                              : cell_count(ROOF_UNKNOWN);
        cells.why = cell_text(text_or_empty(isnan(e->seconds) ? e->not_known : NULL));
        if (!isnan(row->measured_s) && !isnan(e->seconds))
            cells.ratio = cell_value(quotient_of(row->measured_s, e->seconds));
        const grid_times *times = &grid->times;
        if (!is_csv && !isnan(e->ci95_s[0]) && !isnan(e->ci95_s[1]))
            cells.range =
                cell_text(say_printf(v->arena, "%.*f-%.*f", times->digits, times->factor * e->ci95_s[0],
                                     times->digits, times->factor * e->ci95_s[1]));
        else if (!is_csv && isnan(e->seconds))
            cells.range = cell_count(ROOF_UNKNOWN);
    }
    grid_add_row(grid, &cells, v->curve);
}

uint32_t curve_table(const curve_view *v, roof_text_phase phase, cell_grid *grid)
{
    static const char *const parts[ROOF_LANGUAGE_PARTS] = {[ROOF_PART_WEIGHTS] = "weights_s",
                                                           [ROOF_PART_CACHE] = "cache_s",
                                                           [ROOF_PART_LAUNCHES] = "launches_s",
                                                           [ROOF_PART_ARRAY] = "array_s"};
    const row_list all = rows_of(v, phase);
    const bool are_steps = phase == ROOF_TEXT_DECODE;
    bool *is_shown = NEW_ARRAY(v->arena, bool, all.n + 1);
    grid_begin(grid, v->arena, known_columns, COLUMNS);
    double most_s = 0; /* steps take milliseconds; prompts up to minutes */
    for (uint32_t i = 0; i < all.n; i++) {
        const roof_curve_point *p = all.rows[i].point;
        const double times_s[] = {all.rows[i].measured_s, p ? p->ideal_s : 0, p ? p->expected.seconds : 0};
        for (size_t k = 0; k < N_OF(times_s); k++)
            most_s = times_s[k] > most_s ? times_s[k] : most_s;
    }
    grid->times = most_s >= 10 ? (grid_times){1, "[s]", 3} : (grid_times){1e3, "[ms]", 2};
    if (!are_steps) {
        grid_retitle(grid, "tokens", "prompt", "[tokens]");
        grid_retitle(grid, "expected_s", "TTFT", NULL);
    }
    grid_retitle(grid, "range", "95 %", grid->times.unit);
    for (int part = 0; part < ROOF_LANGUAGE_PARTS; part++)
        if (!all.has_part[part])
            grid_hide(grid, parts[part]);
    for (int i = 0; i < 2 && !all.are_measured; i++)
        grid_hide(grid, i ? "measured_ratio" : "measured_s");
    grid_hide(grid, all.are_expected ? "ideal_tokens_per_s" : "tokens_per_s");
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

/* --- lines below it ----------------------------------------------------------------------------------- */

/* "789 ms (95 % 700 ms to 880 ms, at least 120 ms)"; where nothing is expected "at least 120 ms". */
static const char *say_both(const curve_view *v, double expected_s, const double ci95_s[2], double ideal_s)
{
    const char *least = SAY_TEXT(v->arena, "[?at least {}]", AS_SECONDS(ideal_s));
    if (isnan(expected_s))
        return *least ? least : "not known";
    const char *range = SAY_TEXT(v->arena, "[?95 % {} to {}]", AS_SECONDS(ci95_s[0]), AS_SECONDS(ci95_s[1]));
    const char *both = *range && *least ? say_more(v->arena, range, "%s", least) : *range ? range : least;
    return SAY_TEXT(v->arena, "{}[? ({})]", AS_SECONDS(expected_s), AS_TEXT(*both ? both : NULL));
}

static void add_session(const curve_view *v, remarks *lines)
{
    const roof_session *s = &v->curve->session;
    if (!v->curve->has_session)
        return;
    ADD_SAID(
        lines, "session",
        "a prompt of {} and an answer of {#} tokens: the first token after {}, the last after {}[?, {.1} "
        "tokens/s between them][? ({.1} to {.1})][?; expected {}][? (95 % {} to {})]",
        AS_TEXT(curve_say_tokens(v->arena, s->prompt_tokens)), AS_COUNT(s->answer_tokens),
        AS_TEXT(say_both(v, s->first_s, s->first_ci95_s, s->first_ideal_s)),
        AS_TEXT(say_both(v, s->last_s, s->last_ci95_s, s->last_ideal_s)), AS("", s->tokens_per_s),
        AS("", s->tokens_per_s_ci95[0]), AS("", s->tokens_per_s_ci95[1]), AS("J", s->energy_j),
        AS("J", s->energy_ci95_j[0]), AS("J", s->energy_ci95_j[1]));
    ADD_SAID(lines, "full load",
             "[?at most {#} tokens/s in all, with {#} such sessions in memory, each at another stage; "
             "TensorRT-LLM made 0.34 to 0.67 of that on H100 and H200 (30 runs)]",
             AS("", s->most_tokens_per_s), AS("", s->most_sequences));
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
    remarks_add(lines, "draft", "%s proposes %u tokens, each accepted with %s: %s tokens a round; %s; %s",
                d->draft ? d->draft : "the draft", d->ahead, say_number(v->arena, d->accept, 2),
                say_number(v->arena, d->tokens_per_round, 2), gain, even);
    remarks_add(lines, " of a round", "%s to verify%s, %u x %s to propose, %s without it",
                say_seconds(v->arena, d->verify_s),
                roof_answer_is_bound(d->verify_kind) ? " at least, that of one token" : "", d->ahead,
                say_seconds(v->arena, d->draft_s), say_seconds(v->arena, d->step_s));
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
    const char *ends;
    ADD_SAID(lines, "memory", "[?weights {}, states {#} B, cache {#} B a token]",
             AS_TEXT(say_gib(v, known_count(c->resident_weight_bytes))), AS("", c->state_bytes),
             AS("", known_count(c->kv_bytes_per_token)));
    ends = SAY_TEXT(v->arena,
                    "[?, the machine has {}][?, known to fit up to {}][?, known not to fit from {} on]",
                    AS_TEXT(m->available_bytes ? say_gib(v, known_count(m->available_bytes)) : NULL),
                    AS_TEXT(isnan(m->limit_bytes) ? NULL : say_gib(v, m->limit_bytes)),
                    AS_TEXT(isnan(m->fails_bytes) ? NULL : say_gib(v, m->fails_bytes)));
    remarks_add(lines, " of which", "%s", ends + strspn(ends, ", "));
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
    ADD_SAID(lines, "constants",
             "{}[?, attention {}][?, fitted to {.0} points of {.0} model{|s}][?, median error of what "
             "was left out {.1%} %]",
             AS_TEXT(e->stack), AS_TEXT(e->attention), AS("", e->points), AS("", e->models),
             AS_RATIO(e->error));
}

void curve_remarks(const curve_view *v, remarks *lines)
{
    const bool is_any_expected =
        curve_is_expected(curve_steps(v->curve)) || curve_is_expected(curve_prompts(v->curve));
    const char *why = curve_not_known(v->curve);
    add_session(v, lines);
    add_draft(v, lines);
    if (v->curve->n_anchors > 1)
        remarks_add(lines, "anchor",
                    "%u steps that were measured, the first of %s at %s: the line through them",
                    v->curve->n_anchors, say_seconds(v->arena, v->curve->anchor_s),
                    curve_say_tokens(v->arena, v->curve->anchor_tokens));
    else if (v->curve->anchor_tokens)
        remarks_add(
            lines, "anchor", "a step at %s was measured as %s: it fixes what does not grow with the context",
            curve_say_tokens(v->arena, v->curve->anchor_tokens), say_seconds(v->arena, v->curve->anchor_s));
    add_memory(v, lines);
    add_constants(v, lines);
    if (why && is_any_expected) /* else the verdict says it */
        remarks_add(lines, "not expected", "%.*s", curve_reason_length(why), why);
    if (!is_any_expected)
        remarks_add(lines, "parts", "of the bound; what a launch takes is in no bound");
}

/* --- the document ------------------------------------------------------------------------------------- */

/* All rows where a reader chooses or sorts them. */
static curve_view view_of(const rendering *r)
{
    return (curve_view){r->curve, r->options->details || r->selection->is_asked, r->arena};
}

static void put_phase(const rendering *r, roof_text_phase phase, const char *title)
{
    const curve_view v = view_of(r);
    cell_grid grid;
    const uint32_t left_out = curve_table(&v, phase, &grid), n = (uint32_t)grid.n_rows;
    if (!n)
        return;
    writer_title(&r->writer, title);
    table_put_arranged(r, &grid);
    if (left_out) {
        text_puts(r->out, r->writer.is_markdown ? "\n" : "");
        text_printf(r->out, "%u of %u rows; --details shows all\n", n, n + left_out);
    }
    text_puts(r->out, "\n");
}

void curve_put(const rendering *r)
{
    enum { MOST_SENTENCES = 3 };
    char buffers[MOST_SENTENCES][ROOF_SENTENCE_SIZE];
    const char *sentences[MOST_SENTENCES];
    const curve_view v = view_of(r);
    remarks lines = {.arena = r->arena};
    size_t n = 0;
    while (n < MOST_SENTENCES && (sentences[n] = curve_say(r->curve, (uint32_t)n, buffers[n])))
        n++;
    writer_verdict(&r->writer, sentences, n);
    put_phase(r, ROOF_TEXT_DECODE, "Steps: the next token of each sequence");
    put_phase(r, ROOF_TEXT_PREFILL, "Prompts: until the first token");
    curve_remarks(&v, &lines);
    remarks_put(&lines, &r->writer);
}

void curve_csv(const rendering *r)
{
    static const roof_text_phase phases[] = {ROOF_TEXT_DECODE, ROOF_TEXT_PREFILL};
    const curve_view v = view_of(r);
    cell_grid grid;
    grid_begin_csv(&grid, r->arena, known_columns, COLUMNS - 1, r->out);
    table_keep_csv(r, &grid);
    for (size_t k = 0; k < N_OF(phases); k++) {
        const row_list all = rows_of(&v, phases[k]);
        for (uint32_t i = 0; i < all.n; i++)
            add_row(&v, &grid, &all.rows[i], phases[k], all.are_expected);
    }
    table_put_csv(r, &grid, "ideal_s");
}

void curve_json(const rendering *r)
{
    curve_codec_write(r->curve, &words_of_curves, r->out);
}
