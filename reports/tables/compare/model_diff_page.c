/* A network before and after compiling: whether its layers are those of the rules, then what differs and
 * why. Before and after an edit: what B takes of the time of A, and which changes brought it. */
#include "core/json/codec.h"
#include "reports/renderers/renderer.h"
#include "reports/words/prediction_tables.h"
#include "roofline/model_diff.h"

/* Rows of a table without --details. */
enum { MOST_ROWS = 20 };

/* "" is not paired. */
static const char *const pairings[] = {"", "name", "shape", NULL};

/* --- sentences ---------------------------------------------------------------------------------------- */

static uint64_t bytes_of(const roof_diff_side *side)
{
    return roof_traffic_total(&side->traffic);
}

static const char *say_layers(const roof_model_diff *s, roof_arena *arena)
{
    const uint32_t n_same = s->n_same;
    if (!s->n_paired)
        return "No layer matches: these are different networks, or they share neither names nor shapes.";
    if (!s->is_lowered)
        return say_printf(arena,
                          "Of %u layers on the accelerator %u are single operators of the %u of the graph; "
                          "no rules say what the compiler for %s joins.",
                          s->n_layers[1], n_same, s->n_layers[0], s->after_prediction->hardware.id);
    if (n_same == s->n_layers[0] && n_same == s->n_layers[1])
        return say_printf(arena,
                          "The compiled layers match the lowering rules: all %u on the accelerator, with the "
                          "same multiply-accumulates.",
                          n_same);
    return say_printf(arena, "%u of %u compiled layer%s match%s the lowering rules, which make %u.", n_same,
                      s->n_layers[1], say_plural(s->n_layers[1]), n_same == 1 ? "es" : "", s->n_layers[0]);
}

/* "moves 2.1 MB instead of 2 MB (+5.0 %)" */
static const char *say_change(roof_arena *arena, const char *verb, double before, double after,
                              const char *unit)
{
    if (isnan(before) || isnan(after))
        return say_printf(arena, "%s what is unknown on one side", verb);
    const char *was = say_quantity(arena, before, unit), *is = say_quantity(arena, after, unit);
    if (was && is && strcmp(was, is) == 0)
        return say_printf(arena, "%s the same, %s", verb, is);
    const double change = 100 * (quotient_of(after, before) - 1); /* of nothing it is none */
    return say_printf(arena, "%s %s instead of %s%s", verb, is, was,
                      isnan(change) ? "" : say_printf(arena, " (%+.1f %%)", change));
}

static const char *say_totals(const roof_model_diff *s, roof_arena *arena)
{
    const roof_diff_side *a = &s->total[0], *b = &s->total[1];
    const uint64_t code = b->traffic.instruction_bytes;
    return SAY_TEXT(
        arena, "Compiled, it {}[?, {} of it instructions]. {}.",
        AS_TEXT(say_change(arena, "moves", known_count(bytes_of(a)), known_count(bytes_of(b)), "B")),
        AS("B", code ? known_count(code) : NAN),
        AS_TEXT(say_change(arena, "Ideal time:", a->ideal_s, b->ideal_s, "s")));
}

/* A reason, and how much it matters. */
typedef struct weighed {
    double weight;
    roof_diff_reason reason;
} weighed;

/* "Why: 23 x instructions, which only code has; ...": by how many rows have each. */
static const char *say_reasons(const roof_model_diff *s, roof_arena *arena)
{
    const char *list = "";
    uint32_t n = 0;
    weighed all[ROOF_DIFF_REASONS];
    for (int k = 0; k < ROOF_DIFF_REASONS; k++)
        if (k != ROOF_DIFF_UNEXPLAINED && s->reasons[k])
            all[n++] = (weighed){s->reasons[k], (roof_diff_reason)k};
    order_sort(all, n, sizeof *all, ORDER_BY(FALLING(weighed, weight)));
    for (uint32_t i = 0; i < n; i++)
        list = say_printf(arena, "%s%s%.0f x %s", list, *list ? "; " : "", all[i].weight,
                          roof_diff_reason_words(all[i].reason));
    const char *unexplained =
        SAY_TEXT(arena, "[?{} row{ differs|s differ} for no known reason.]", AS_COUNT(s->n_unexplained));
    return *list ? say_printf(arena, "Why: %s.%s%s", list, *unexplained ? " " : "", unexplained)
                 : unexplained;
}

/* --- of an edit ----------------------------------------------------------------------------------------- */

static const char *say_times(const roof_model_diff *s, roof_arena *arena)
{
    const double a_s = s->total[0].time_s, b_s = s->total[1].time_s;
    const char *how = !roof_answer_is_bound(s->kind) ? "expected"
                      : s->is_estimate               ? "estimates, since nothing is expected of one of them"
                                                     : "bounds, since nothing is expected of one of them";
    const uint32_t *left_out = s->host_rows;
    if (left_out[0] || left_out[1])
        how = say_printf(arena, "%s, without %u CPU layer%s of A and %u of B", how, left_out[0],
                         say_plural(left_out[0]), left_out[1]);
    if (isnan(a_s) || isnan(b_s))
        return "No time for one of the two models.";
    const char *was = say_seconds(arena, a_s), *is = say_seconds(arena, b_s);
    if (strcmp(was, is) == 0)
        return say_printf(arena, "B takes as long as A: %s, %s.", is, how);
    if (left_out[0] != left_out[1]) /* of unlike parts neither a difference nor a ratio */
        return say_printf(arena, "B takes %s instead of %s, %s.", is, was, how);
    const char *times = say_printf(arena, "B takes %s instead of %s, %s: %s %s", is, was, how,
                                   say_seconds(arena, fabs(b_s - a_s)), b_s < a_s ? "less" : "more");
    if (!(s->ratio > 0)) /* beside a time of 0 */
        return say_printf(arena, "%s.", times);
    const bool is_faster = s->ratio >= 1; /* the longer one is told by how many times it is */
    const double low = is_faster ? s->ratio_low : 1 / s->ratio_high,
                 high = is_faster ? s->ratio_high : 1 / s->ratio_low;
    const char *range = isnan(low) ? "" : say_printf(arena, "%.3g to %.3g", low, high);
    return say_printf(arena, "%s; %s takes %.3g times as long (%s%s%s).%s", times, is_faster ? "A" : "B",
                      is_faster ? s->ratio : 1 / s->ratio, range, *range && s->ratio_why ? "; " : "",
                      s->ratio_why ? s->ratio_why : "",
                      s->is_distinguishable ? ""
                                            : " The difference is smaller than predictions can resolve.");
}

/* "178 layers only in A" */
static const char *const change_phrases[ROOF_DIFF_REASONS] = {
    [ROOF_DIFF_REMOVED] = "only in A",
    [ROOF_DIFF_ADDED] = "only in B",
    [ROOF_DIFF_PLACE] = "on another processor",
    [ROOF_DIFF_GROUPS] = "of another kind of convolution",
    [ROOF_DIFF_WINDOW] = "of another kernel, stride or dilation",
    [ROOF_DIFF_FUSED] = "of other operators in one",
    [ROOF_DIFF_SIZE] = "of another size",
    [ROOF_DIFF_CHANNELS] = "of other channels",
    [ROOF_DIFF_BESIDE] = "that stay, beside others that changed",
    [ROOF_DIFF_UNEXPLAINED] = "for no known reason",
};

static const char *say_signed(roof_arena *arena, double seconds)
{
    return say_printf(arena, "%s%s", seconds < 0 ? "-" : "+", say_seconds(arena, fabs(seconds)));
}

/* "Contributions: -7.9 ms by 178 layers only in A; ..." the largest first, without what brought nothing. */
static const char *say_changes(const roof_model_diff *s, uint32_t n_told, roof_arena *arena)
{
    enum { LEAST_NS = 1 };
    const char *list = "";
    uint32_t n = 0;
    weighed all[ROOF_DIFF_REASONS];
    for (int k = 0; k < ROOF_DIFF_REASONS; k++)
        if (s->changes[k].n_unknown || fabs(s->changes[k].difference_s) >= 1e-9 * LEAST_NS)
            all[n++] = (weighed){fabs(s->changes[k].difference_s), (roof_diff_reason)k};
    order_sort(all, n, sizeof *all, ORDER_BY(FALLING(weighed, weight)));
    for (uint32_t i = 0; i < n && i < n_told; i++) {
        const roof_diff_change *c = &s->changes[all[i].reason];
        list = say_printf(arena, "%s%s%s by %u layer%s %s", list, *list ? "; " : "",
                          c->n_unknown < c->n ? say_signed(arena, c->difference_s) : "what is unknown", c->n,
                          c->n == 1 ? "" : "s", change_phrases[all[i].reason]);
        if (c->n_unknown && c->n_unknown < c->n)
            list = say_printf(arena, "%s (%u of them of unknown time)", list, c->n_unknown);
    }
    if (!*list)
        return "No layer takes another time.";
    if (n > n_told)
        return say_printf(arena, "Contributions: %s; %u more.", list, n - n_told);
    if (fabs(s->rest_s) >= 1e-9 * LEAST_NS)
        list = say_printf(arena, "%s; %s that no layer has", list, say_signed(arena, s->rest_s));
    return say_printf(arena, "Contributions: %s.", list);
}

/* --- the table ---------------------------------------------------------------------------------------- */

/* A side of an item, with the sum of its traffic. */
typedef struct side_cells {
    roof_diff_side is;
    uint64_t bytes;
} side_cells;

typedef struct diff_cells {
    const char *name, *type, *was, *pairing, *rows, *reasons, *why;
    const side_cells *before, *after; /* NULL: not there */
    uint32_t n[2], rule;
    double difference_s, size; /* size: by which people see the largest */
    bool is_total;
} diff_cells;

GRID_CELL(name_cell, diff_cells, r, r->is_total ? cell_label(r->name) : cell_text(r->name))

#define ROW(name, member, from, ...) GRID_AS(name, diff_cells, member, from, __VA_ARGS__)
#define SIDE(name, side, member, from, ...)                                                                  \
    GRID_VIA(name, diff_cells, side, side_cells, member, from, __VA_ARGS__)
#define BOTH(name, member, from)                                                                             \
    SIDE("before_" name, before, member, from, .title = NULL),                                               \
        SIDE("after_" name, after, member, from, .title = NULL)
#define SCALED(title_, unit_, rank_, ...)                                                                    \
    .title = (title_), .unit = (unit_), .kind = COLUMN_NUMBER, .rank = (rank_), .digits = 1,                 \
    .format = FORMAT_SMALL, __VA_ARGS__

/* The last ones are for people alone. */
enum { OF_PEOPLE = 3 };
static const grid_column columns[] = {
    GRID_BY("layer", name_cell, .title = "layer", .kind = COLUMN_NAME, .least = 16),
    ROW("type", type, TEXT, .title = "type", .rank = 5, .most = 14),
    ROW("before_layer", was, TEXT, .title = NULL),
    ROW("pairing", pairing, TEXT, .title = NULL),
    ROW("before_rows", n[0], SMALL, .title = NULL),
    ROW("after_rows", n[1], SMALL, .title = NULL),
    SIDE("before_macs", before, is.macs, COUNT, SCALED("MACs A", "[M]", 4, .over = 1e6)),
    SIDE("after_macs", after, is.macs, COUNT, SCALED("B", "[M]", 3, .over = 1e6)),
    BOTH("weights_bytes", is.traffic.weights_bytes, COUNT),
    BOTH("input_bytes", is.traffic.input_bytes, COUNT),
    BOTH("output_bytes", is.traffic.output_bytes, COUNT),
    SIDE("after_instruction_bytes", after, is.traffic.instruction_bytes, COUNT, .title = NULL),
    SIDE("before_bytes", before, bytes, COUNT, SCALED("DDR A", "[kB]", 2, .over = 1e3)),
    SIDE("after_bytes", after, bytes, COUNT, SCALED("B", "[kB]", 1, .over = 1e3)),
    BOTH("ideal_cycles", is.ideal_cycles, COUNT),
    SIDE("before_ideal_s", before, is.ideal_s, VALUE, SCALED("ideal A", "[us]", 2, .times = 1e6)),
    SIDE("after_ideal_s", after, is.ideal_s, VALUE, SCALED("B", "[us]", 1, .times = 1e6)),
    BOTH("time_s", is.time_s, VALUE),
    ROW("difference_s", difference_s, VALUE, .title = NULL),
    ROW("rule", rule, SMALL, .title = NULL),
    ROW("reasons", reasons, TEXT, .title = NULL),
    ROW("rows", rows, TEXT, .title = "rows", .unit = "[A:B]", .rank = 3),
    ROW("why", why, TEXT, .title = "why", .kind = COLUMN_NOTE),
    ROW("size", size, NUMBER, .title = "size"),
};
static const grid_column edit_columns[] = {
    GRID_SAID("layer", name_cell, .kind = COLUMN_NAME, .least = 16),
    ROW("type", type, TEXT, .title = "type", .rank = 5, .most = 18),
    ROW("was", was, TEXT, .title = "of A", .kind = COLUMN_NAME, .rank = 6, .least = 8),
    SIDE("before_time_s", before, is.time_s, VALUE, SCALED("A", "[us]", 0, .times = 1e6)),
    SIDE("after_time_s", after, is.time_s, VALUE, SCALED("B", "[us]", 0, .times = 1e6)),
    ROW("difference_s", difference_s, VALUE, .title = "B - A", .unit = "[us]", .kind = COLUMN_NUMBER,
        .digits = 1, .format = FORMAT_SIGNED, .times = 1e6),
    SIDE("before_macs", before, is.macs, COUNT, SCALED("MACs A", "[M]", 3, .over = 1e6)),
    SIDE("after_macs", after, is.macs, COUNT, SCALED("B", "[M]", 2, .over = 1e6)),
    SIDE("before_bytes", before, bytes, COUNT, SCALED("bytes A", "[kB]", 5, .over = 1e3)),
    SIDE("after_bytes", after, bytes, COUNT, SCALED("B", "[kB]", 4, .over = 1e3)),
    ROW("change", why, TEXT, .title = "change", .kind = COLUMN_NOTE),
    ROW("size", size, NUMBER, .title = "size"),
};

/* Reasons of a difference; people need no instructions, which every row has. */
static const char *list_reasons(const roof_diff_row *item, bool with_instructions, const char *between,
                                roof_arena *arena)
{
    const char *list = "";
    for (int k = 0; k < ROOF_DIFF_REASONS; k++)
        if (item->reasons >> k & 1 && (with_instructions || k != ROOF_DIFF_INSTRUCTIONS))
            list = say_printf(arena, "%s%s%s", list, *list ? between : "",
                              roof_diff_reason_word((roof_diff_reason)k));
    return list;
}

static void add_row(const roof_model_diff *s, const roof_diff_row *item, name_prefixes prefix,
                    cell_grid *grid)
{
    roof_arena *arena = grid->arena;
    const bool is_csv = grid->csv;
    const side_cells before = {item->before, bytes_of(&item->before)},
                     after = {item->after, bytes_of(&item->after)};
    /* of several layers the first: the compiled one, else the graph's */
    const roof_layer_prediction *layer = after.is.n ? &s->after_prediction->layers[*after.is.rows]
                                                    : &s->before_prediction->layers[*before.is.rows];
    /* what has no known reason first, then what differs, each by its time; edits by their time alone */
    const double seconds = s->is_edit ? item->difference_s : after.is.ideal_s - before.is.ideal_s;
    const bool is_unexplained = item->reasons & ROOF_DIFF(UNEXPLAINED),
               differs = item->reasons & ~ROOF_DIFF(INSTRUCTIONS);
    const char *was = before.is.n ? s->before_prediction->layers[*before.is.rows].name : "";
    diff_cells row = {.name = layer->name,
                      .type = layer->type,
                      .was = was,
                      .pairing = pairings[item->pairing],
                      .before = before.is.n ? &before : NULL,
                      .after = after.is.n ? &after : NULL,
                      .n = {before.is.n, after.is.n},
                      .rule = item->rule,
                      .difference_s = item->difference_s,
                      .size = (is_unexplained && !s->is_edit ? 1e9 : 0) + (differs && !s->is_edit ? 1e6 : 0) +
                              (isnan(seconds) ? 0 : 1e6 * fabs(seconds))};
    if (is_csv) {
        row.reasons = list_reasons(item, true, " ", arena);
    } else {
        row.name = prediction_name_without(prefix, row.name);
        row.was = row.after ? prediction_name_without(prefix, was) : "";
        row.rows = say_printf(arena, "%u:%u", row.n[0], row.n[1]);
        row.why = list_reasons(item, false, ", ", arena);
        if (item->rule && !s->is_edit)
            row.why = say_printf(arena, "%s (R%u)", row.why, item->rule);
    }
    grid_add_row(grid, &row, s);
}

/* One row an item, and the total. */
static void model_diff_table(const roof_model_diff *s, cell_grid *grid, roof_arena *arena)
{
    const side_cells before = {s->total[0], bytes_of(&s->total[0])},
                     after = {s->total[1], bytes_of(&s->total[1])};
    const diff_cells total = {.name = "total",
                              .before = &before,
                              .after = &after,
                              .difference_s = after.is.time_s - before.is.time_s,
                              .size = NAN,
                              .is_total = true};
    const name_prefixes prefix = prediction_name_prefix(s->after_prediction);
    grid_begin(grid, arena, s->is_edit ? edit_columns : columns,
               s->is_edit ? N_OF(edit_columns) : N_OF(columns));
    grid_hide(grid, "size");
    for (uint32_t i = 0; i < s->n; i++)
        add_row(s, &s->items[i], prefix, grid);
    grid_add_row(grid, &total, s);
    grid->what = s->is_edit ? "layer" : "row";
    grid->largest = "size";
    grid->n_last = 1;
}

void model_diff_csv(const rendering *r)
{
    cell_grid grid;
    grid_begin_csv(&grid, r->arena, columns, N_OF(columns) - OF_PEOPLE, r->out);
    table_keep_csv(r, &grid);
    for (uint32_t i = 0; i < r->diff->n; i++)
        add_row(r->diff, &r->diff->items[i], (name_prefixes){"", 0}, &grid);
    table_put_csv(r, &grid, "after_ideal_s");
}

/* --- the page ----------------------------------------------------------------------------------------- */

static const char *say_time(const roof_prediction *p, roof_arena *arena)
{
    const char *best =
        say_printf(arena, p->estimate_of ? "about %s" : "bound %s", say_seconds(arena, roof_best_s(p)));
    return isnan(p->total.predicted_s)
               ? best
               : say_printf(arena, "%s, %s expected", best, say_seconds(arena, p->total.predicted_s));
}

void model_diff_put(const rendering *r)
{
    const roof_model_diff *s = r->diff;
    enum { MOST_TOLD = 2, TELL_ALL = ROOF_DIFF_REASONS };
    const char *const sentences[] = {s->is_edit ? say_times(s, r->arena) : say_layers(s, r->arena),
                                     s->is_edit ? say_changes(s, MOST_TOLD, r->arena)
                                                : say_totals(s, r->arena)};
    remarks lines = {.arena = r->arena}, notes = lines;
    cell_grid grid;
    if (!r->selection->has_most && !r->options->details)
        r->selection->order.most = MOST_ROWS;
    writer_verdict(&r->writer, sentences, N_OF(sentences));
    if (s->is_edit)
        remarks_add(
            &lines, "edit",
            "Layers: %u the same, %u changed, %u in one alone. How accurate B is cannot be predicted.",
            s->n_same, s->n_paired - s->n_same, s->n - s->n_paired);
    remarks_add(&lines, "A", "%s%s: %s", s->before, s->is_edit ? "" : ", not compiled",
                say_time(s->before_prediction, r->arena));
    remarks_add(&lines, "B", "%s%s: %s", s->after, s->is_edit ? "" : ", compiled",
                say_time(s->after_prediction, r->arena));
    remarks_add(&lines, "hardware", "%s", s->after_prediction->hardware.id);
    remarks_put(&lines, &r->writer);
    text_puts(r->out, "\n");
    model_diff_table(s, &grid, r->arena);
    table_put_arranged(r, &grid);
    prediction_put_prefix(r->out, prediction_name_prefix(s->after_prediction));
    for (int k = 0; k < ROOF_DIFF_REASONS; k++)
        if (s->reasons[k] && k != ROOF_DIFF_INSTRUCTIONS)
            remarks_add(&notes, roof_diff_reason_word((roof_diff_reason)k), "%s",
                        roof_diff_reason_words((roof_diff_reason)k));
    remarks_add(&notes, "also", "%s",
                s->is_edit ? say_changes(s, TELL_ALL, r->arena) : say_reasons(s, r->arena));
    text_puts(r->out, notes.n ? "\n" : "");
    remarks_put(&notes, &r->writer);
}

/* --- JSON --------------------------------------------------------------------------------------------- */

static const roof_model_diff *of(const codec *c)
{
    return c->user;
}

static bool is_of_edit(const codec *c, const void *target)
{
    (void)target;
    return of(c)->is_edit;
}

static void put_layers(codec *c, const char *key, const roof_diff_side *side, const roof_prediction *p)
{
    jsonout_array(c->out, key, true);
    for (uint32_t i = 0; i < side->n; i++)
        jsonout_string(c->out, NULL, p->layers[side->rows[i]].name);
    jsonout_end(c->out);
}

static void write_layers_before(codec *c, const char *key, const void *target)
{
    put_layers(c, key, target, of(c)->before_prediction);
}

static void write_layers_after(codec *c, const char *key, const void *target)
{
    put_layers(c, key, target, of(c)->after_prediction);
}

#define FIGURE(member, kind, how)                                                                            \
    {                                                                                                        \
        CODEC(roof_diff_side, member, kind, how)                                                             \
    }
#define BYTES(name)                                                                                          \
    {                                                                                                        \
        CODEC_AS(#name, roof_diff_side, traffic.name, COUNT, ALWAYS)                                         \
    }
#define FIGURES                                                                                              \
    FIGURE(macs, COUNT, ALWAYS), BYTES(weights_bytes), BYTES(input_bytes), BYTES(output_bytes),              \
        BYTES(instruction_bytes), FIGURE(ideal_cycles, COUNT, ALWAYS), FIGURE(ideal_s, SECONDS, DERIVED)
#define TIME                                                                                                 \
    {                                                                                                        \
        CODEC(roof_diff_side, time_s, SECONDS, DERIVED), .when = is_of_edit                                  \
    }
static const codec_member total_members[] = {FIGURES, FIGURE(time_s, SECONDS, OMIT_DERIVED)};
static const codec_member before_members[] = {
    {CODEC_BY("layers", 0, NULL, write_layers_before)}, FIGURES, TIME};
static const codec_member after_members[] = {
    {CODEC_BY("layers", 0, NULL, write_layers_after)}, FIGURES, TIME};
static const codec_object total_object = {CODEC_ROWS(total_members), .one_line = true},
                          before_object = {CODEC_ROWS(before_members), .one_line = true},
                          after_object = {CODEC_ROWS(after_members), .one_line = true};

static void write_reasons(codec *c, const char *key, const void *target)
{
    jsonout_array(c->out, key, true);
    for (int k = 0; k < ROOF_DIFF_REASONS; k++)
        if (((const roof_diff_row *)target)->reasons >> k & 1)
            jsonout_string(c->out, NULL, roof_diff_reason_word((roof_diff_reason)k));
    jsonout_end(c->out);
}

static const codec_member row_members[] = {
    {CODEC_WORDS("pairing", roof_diff_row, pairing, pairings, ALWAYS)},
    {CODEC_IN("before", offsetof(roof_diff_row, before), &before_object), CODEC_IF(roof_diff_row, before.n)},
    {CODEC_IN("after", offsetof(roof_diff_row, after), &after_object), CODEC_IF(roof_diff_row, after.n)},
    {CODEC_BY("reasons", 0, NULL, write_reasons)},
    {CODEC(roof_diff_row, rule, SMALL, ZERO)},
    {CODEC(roof_diff_row, difference_s, SECONDS, OMIT_DERIVED)},
};

static void write_hardware(codec *c, const char *key, const void *target)
{
    (void)target;
    jsonout_string(c->out, key, of(c)->after_prediction->hardware.id);
}

static void write_is_expected(codec *c, const char *key, const void *target)
{
    jsonout_bool(c->out, key, !roof_answer_is_bound(((const roof_model_diff *)target)->kind));
}

/* The difference by each reason. */
static void write_changes(codec *c, const char *key, const void *target)
{
    const roof_diff_change *changes = ((const roof_model_diff *)target)->changes;
    jsonout_array(c->out, key, false);
    for (int k = 0; k < ROOF_DIFF_REASONS; k++) {
        if (!changes[k].n)
            continue;
        jsonout_object(c->out, NULL, true);
        jsonout_string(c->out, "reason", roof_diff_reason_word((roof_diff_reason)k));
        jsonout_count(c->out, "layers", changes[k].n);
        jsonout_count(c->out, "unknown", changes[k].n_unknown);
        jsonout_derived(c->out, "difference_s",
                        changes[k].n_unknown < changes[k].n ? changes[k].difference_s : NAN);
        jsonout_end(c->out);
    }
    jsonout_end(c->out);
}

#define OF_EDIT(member, kind, how)                                                                           \
    {                                                                                                        \
        CODEC(roof_model_diff, member, kind, how), .when = is_of_edit                                        \
    }
static const codec_member document_members[] = {
    {CODEC_IS(ROOF_MODEL_DIFF_SCHEMA)},
    {CODEC(roof_model_diff, before, TEXT, ALWAYS)},
    {CODEC(roof_model_diff, after, TEXT, ALWAYS)},
    {CODEC_BY("hardware", 0, NULL, write_hardware)},
    {CODEC(roof_model_diff, is_lowered, BOOL, ALWAYS)},
    {CODEC(roof_model_diff, is_edit, BOOL, ALWAYS)},
    {CODEC_AS("before_layers", roof_model_diff, n_layers[0], SMALL, PLAIN)},
    {CODEC_AS("after_layers", roof_model_diff, n_layers[1], SMALL, PLAIN)},
    {CODEC_AS("paired", roof_model_diff, n_paired, SMALL, PLAIN)},
    {CODEC_AS("same", roof_model_diff, n_same, SMALL, PLAIN)},
    {CODEC_AS("unexplained", roof_model_diff, n_unexplained, SMALL, PLAIN)},
    {CODEC_IN("before_total", offsetof(roof_model_diff, total[0]), &total_object)},
    {CODEC_IN("after_total", offsetof(roof_model_diff, total[1]), &total_object)},
    {CODEC_BY("is_expected", 0, NULL, write_is_expected), .when = is_of_edit},
    OF_EDIT(ratio, NUMBER, DERIVED),
    OF_EDIT(ratio_low, NUMBER, DERIVED),
    OF_EDIT(ratio_high, NUMBER, DERIVED),
    OF_EDIT(ratio_why, TEXT, ALWAYS),
    OF_EDIT(is_distinguishable, BOOL, ALWAYS),
    {CODEC_BY("changes", 0, NULL, write_changes), .when = is_of_edit},
    OF_EDIT(rest_s, NUMBER, DERIVED),
    {CODEC_ITEMS("rows", roof_model_diff, items, n, CODEC_TABLE(row_members), UINT32_MAX, ALWAYS)},
};

void model_diff_json(const rendering *r)
{
    codec_write_document(CODEC_TABLE(document_members), r->diff, r->diff, NULL, r->out);
}
