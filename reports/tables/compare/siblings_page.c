/* A network before and after compiling: whether its layers are those of the rules, then what differs and
 * why. Before and after an edit: what B takes of the time of A, and which changes brought it. */
#include "core/json/codec.h"
#include "core/quantity.h"
#include "reports/renderers/renderer.h"
#include "reports/tables/compare/siblings_view.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Rows of a table without --details. */
enum { MOST_ROWS = 20 };

const char *const siblings_pairings[] = {"", "name", "shape", NULL};

/* --- names -------------------------------------------------------------------------------------------- */

static const roof_layer_prediction *layer_of(const roof_siblings *s, const roof_sibling *item)
{
    return item->after.n ? &s->after_prediction->layers[item->after.rows[0]]
                         : &s->before_prediction->layers[item->before.rows[0]];
}

const char *siblings_name(const roof_siblings *s, const roof_sibling *item)
{
    return layer_of(s, item)->name;
}

const char *siblings_type(const roof_siblings *s, const roof_sibling *item)
{
    return layer_of(s, item)->type;
}

/* --- sentences ---------------------------------------------------------------------------------------- */

static uint64_t bytes_of(const roof_sibling_side *side)
{
    return roof_traffic_total(&side->traffic);
}

static const char *say_layers(const roof_siblings *s, roof_arena *arena)
{
    const uint32_t n_same = s->n_same;
    if (!s->n_paired)
        return "No layer matches: these are different networks, or they share neither names nor shapes.";
    if (!s->is_lowered)
        return say_printf(arena,
                          "Of %" PRIu32 " layers on the accelerator %" PRIu32
                          " are single operators of the %" PRIu32
                          " of the graph; no rules say what the compiler for %s joins.",
                          s->n_layers[1], n_same, s->n_layers[0], s->after_prediction->hardware.id);
    if (n_same == s->n_layers[0] && n_same == s->n_layers[1])
        return say_printf(arena,
                          "The compiled layers match the lowering rules: all %" PRIu32
                          " on the accelerator, with the same multiply-accumulates.",
                          n_same);
    return say_printf(
        arena,
        "%" PRIu32 " of %" PRIu32 " compiled layer%s match%s the lowering rules, which make %" PRIu32 ".",
        n_same, s->n_layers[1], say_plural(s->n_layers[1]), n_same == 1 ? "es" : "", s->n_layers[0]);
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

static const char *say_totals(const roof_siblings *s, roof_arena *arena)
{
    const roof_sibling_side *a = &s->total[0], *b = &s->total[1];
    const uint64_t code = b->traffic.instruction_bytes;
    const char *instructions = "";
    if (code && code != ROOF_UNKNOWN)
        instructions = say_printf(arena, ", %s of it instructions", say_quantity(arena, (double)code, "B"));
    return say_printf(arena, "Compiled, it %s%s. %s.",
                      say_change(arena, "moves", known_count(bytes_of(a)), known_count(bytes_of(b)), "B"),
                      instructions, say_change(arena, "Ideal time:", a->ideal_s, b->ideal_s, "s"));
}

/* So many stand in the first answer; all of them below. */
enum { MOST_TOLD = 2, TELL_ALL = ROOF_SIBLING_REASONS };

/* "Why: 23 x instructions, which only code has; ...": by how many rows have each. */
static const char *say_reasons(const roof_siblings *s, uint32_t n_told, roof_arena *arena)
{
    const char *list = "", *unexplained = "";
    uint32_t n = 0;
    bool is_told[ROOF_SIBLING_REASONS] = {[ROOF_SIBLING_UNEXPLAINED] = true};
    for (;;) {
        int most = -1;
        for (int k = 0; k < ROOF_SIBLING_REASONS; k++)
            if (!is_told[k] && s->reasons[k] && (most < 0 || s->reasons[k] > s->reasons[most]))
                most = k;
        if (most < 0)
            break;
        is_told[most] = true;
        if (n++ < n_told)
            list = say_printf(arena, "%s%s%" PRIu32 " x %s", list, *list ? "; " : "", s->reasons[most],
                              roof_sibling_reason_words((roof_sibling_reason)most));
    }
    if (n > n_told)
        list = say_printf(arena, "%s; %" PRIu32 " more below", list, n - n_told);
    if (s->n_unexplained)
        unexplained = say_printf(arena, "%" PRIu32 " row%s no known reason.", s->n_unexplained,
                                 s->n_unexplained == 1 ? " differs for" : "s differ for");
    return *list ? say_printf(arena, "Why: %s.%s%s", list, *unexplained ? " " : "", unexplained)
                 : unexplained;
}

/* --- of an edit ----------------------------------------------------------------------------------------- */

static const char *say_times(const roof_siblings *s, roof_arena *arena)
{
    const double a_s = s->total[0].time_s, b_s = s->total[1].time_s;
    const char *how = !roof_answer_is_bound(s->kind) ? "expected"
                      : s->is_estimate               ? "estimates, since nothing is expected of one of them"
                                                     : "bounds, since nothing is expected of one of them";
    const uint32_t *left_out = s->host_rows;
    if (left_out[0] || left_out[1])
        how = say_printf(arena, "%s, without %" PRIu32 " CPU layer%s of A and %" PRIu32 " of B", how,
                         left_out[0], say_plural(left_out[0]), left_out[1]);
    if (isnan(a_s) || isnan(b_s))
        return "No time for one of the two models.";
    const char *was = say_quantity(arena, a_s, "s"), *is = say_quantity(arena, b_s, "s");
    if (strcmp(was, is) == 0)
        return say_printf(arena, "B takes as long as A: %s, %s.", is, how);
    if (left_out[0] != left_out[1]) /* of unlike parts neither a difference nor a ratio */
        return say_printf(arena, "B takes %s instead of %s, %s.", is, was, how);
    const char *times = say_printf(arena, "B takes %s instead of %s, %s: %s %s", is, was, how,
                                   say_quantity(arena, fabs(b_s - a_s), "s"), b_s < a_s ? "less" : "more");
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
static const char *const change_phrases[ROOF_SIBLING_REASONS] = {
    [ROOF_SIBLING_REMOVED] = "only in A",
    [ROOF_SIBLING_ADDED] = "only in B",
    [ROOF_SIBLING_PLACE] = "on another processor",
    [ROOF_SIBLING_GROUPS] = "of another kind of convolution",
    [ROOF_SIBLING_WINDOW] = "of another kernel, stride or dilation",
    [ROOF_SIBLING_FUSED] = "of other operators in one",
    [ROOF_SIBLING_SIZE] = "of another size",
    [ROOF_SIBLING_CHANNELS] = "of other channels",
    [ROOF_SIBLING_BESIDE] = "that stay, beside others that changed",
    [ROOF_SIBLING_UNEXPLAINED] = "for no known reason",
};

static const char *say_signed(roof_arena *arena, double seconds)
{
    return say_printf(arena, "%s%s", seconds < 0 ? "-" : "+", say_quantity(arena, fabs(seconds), "s"));
}

/* "Contributions: -7.9 ms by 178 layers only in A; ..." the largest first, without what brought nothing. */
static const char *say_changes(const roof_siblings *s, uint32_t n_told, roof_arena *arena)
{
    enum { LEAST_NS = 1 };
    const char *list = "";
    uint32_t n = 0;
    bool is_told[ROOF_SIBLING_REASONS] = {false};
    for (;;) {
        int most = -1;
        for (int k = 0; k < ROOF_SIBLING_REASONS; k++)
            if (!is_told[k] &&
                (s->changes[k].n_unknown || fabs(s->changes[k].difference_s) >= 1e-9 * LEAST_NS) &&
                (most < 0 || fabs(s->changes[k].difference_s) > fabs(s->changes[most].difference_s)))
                most = k;
        if (most < 0)
            break;
        is_told[most] = true;
        if (n++ >= n_told)
            continue;
        const roof_sibling_change *c = &s->changes[most];
        list = say_printf(arena, "%s%s%s by %" PRIu32 " layer%s %s", list, *list ? "; " : "",
                          c->n_unknown < c->n ? say_signed(arena, c->difference_s) : "what is unknown", c->n,
                          c->n == 1 ? "" : "s", change_phrases[most]);
        if (c->n_unknown && c->n_unknown < c->n)
            list = say_printf(arena, "%s (%" PRIu32 " of them of unknown time)", list, c->n_unknown);
    }
    if (!*list)
        return "No layer takes another time.";
    if (n > n_told)
        return say_printf(arena, "Contributions: %s; %" PRIu32 " more.", list, n - n_told);
    if (fabs(s->rest_s) >= 1e-9 * LEAST_NS)
        list = say_printf(arena, "%s; %s that no layer has", list, say_signed(arena, s->rest_s));
    return say_printf(arena, "Contributions: %s.", list);
}

static const char *say_edit(const roof_siblings *s, uint32_t i, roof_arena *arena)
{
    return i == 0   ? say_times(s, arena)
           : i == 1 ? say_changes(s, MOST_TOLD, arena)
           : i == 2 ? say_printf(arena,
                                 "Layers: %" PRIu32 " the same, %" PRIu32 " changed, %" PRIu32
                                 " in one alone. How accurate B is cannot be predicted.",
                                 s->n_same, s->n_paired - s->n_same, s->n - s->n_paired)
                    : NULL;
}

const char *siblings_sentence(const roof_siblings *s, uint32_t i, roof_arena *arena)
{
    if (s->is_edit)
        return say_edit(s, i, arena);
    return i == 0   ? say_layers(s, arena)
           : i == 1 ? say_totals(s, arena)
           : i == 2 ? say_reasons(s, MOST_TOLD, arena)
                    : NULL;
}

/* --- the table ---------------------------------------------------------------------------------------- */

/* Documents have the first ones; the last ones are for people alone. */
enum { OF_PEOPLE = 4 };
#define SCALED(title_, unit_, rank_, csv_, ...)                                                              \
    {                                                                                                        \
        title_, unit_, csv_, .kind = COLUMN_NUMBER, .rank = (rank_), .digits = 1, __VA_ARGS__                \
    }
static const grid_column columns[] = {
    {"layer", .csv = "layer", .kind = COLUMN_NAME, .least = 16},
    {"type", .csv = "type", .rank = 5, .most = 14},
    GRID_CSV("before_layer"),
    GRID_CSV("pairing"),
    GRID_CSV("before_rows"),
    GRID_CSV("after_rows"),
    SCALED("MACs A", "[M]", 4, "before_macs", .format = FORMAT_SMALL, .over = 1e6),
    SCALED("B", "[M]", 3, "after_macs", .format = FORMAT_SMALL, .over = 1e6),
    GRID_CSV("before_weights_bytes"),
    GRID_CSV("after_weights_bytes"),
    GRID_CSV("before_input_bytes"),
    GRID_CSV("after_input_bytes"),
    GRID_CSV("before_output_bytes"),
    GRID_CSV("after_output_bytes"),
    GRID_CSV("after_instruction_bytes"),
    SCALED("DDR A", "[kB]", 2, "before_bytes", .format = FORMAT_SMALL, .over = 1e3),
    SCALED("B", "[kB]", 1, "after_bytes", .format = FORMAT_SMALL, .over = 1e3),
    GRID_CSV("before_ideal_cycles"),
    GRID_CSV("after_ideal_cycles"),
    SCALED("ideal A", "[us]", 2, "before_ideal_s", .format = FORMAT_SMALL, .times = 1e6),
    SCALED("B", "[us]", 1, "after_ideal_s", .format = FORMAT_SMALL, .times = 1e6),
    GRID_CSV("before_time_s"),
    GRID_CSV("after_time_s"),
    GRID_CSV("difference_s"),
    GRID_CSV("rule"),
    GRID_CSV("reasons"),
    {"rows", "[A:B]", .rank = 3},
    {"why", .kind = COLUMN_NOTE},
    GRID_CSV("size"),
};
#undef SCALED
enum { N_COLUMNS = sizeof columns / sizeof *columns };

/* Reasons of a difference; people need no instructions, which every row has. */
static const char *list_reasons(const roof_sibling *item, bool with_instructions, const char *between,
                                roof_arena *arena)
{
    const char *list = "";
    for (int k = 0; k < ROOF_SIBLING_REASONS; k++)
        if (item->reasons >> k & 1 && (with_instructions || k != ROOF_SIBLING_INSTRUCTIONS))
            list = say_printf(arena, "%s%s%s", list, *list ? between : "",
                              roof_sibling_reason_word((roof_sibling_reason)k));
    return list;
}

/* Cells of a side; nothing of one that is not there. */
static void add_pair(cell_grid *grid, const roof_sibling *item, uint64_t before, uint64_t after)
{
    GRID_ADD(grid, item->before.n ? cell_count(before) : cell_empty,
             item->after.n ? cell_count(after) : cell_empty);
}

static void add_row(const roof_siblings *s, const roof_sibling *item, name_prefixes prefix, cell_grid *grid)
{
    const bool is_csv = grid->csv;
    roof_arena *arena = grid->arena;
    const roof_traffic *a = &item->before.traffic, *b = &item->after.traffic;
    const uint64_t bytes[] = {bytes_of(&item->before), bytes_of(&item->after)};
    const char *name = siblings_name(s, item);
    if (!is_csv)
        name = prediction_name_without(prefix, name);
    GRID_ADD(grid, cell_text(name), cell_text(siblings_type(s, item)),
             cell_text(item->before.n ? s->before_prediction->layers[item->before.rows[0]].name : ""),
             cell_text(siblings_pairings[item->pairing]), cell_number(item->before.n, 0),
             cell_number(item->after.n, 0));
    add_pair(grid, item, item->before.macs, item->after.macs);
    add_pair(grid, item, a->weights_bytes, b->weights_bytes);
    add_pair(grid, item, a->input_bytes, b->input_bytes);
    add_pair(grid, item, a->output_bytes, b->output_bytes);
    GRID_ADD(grid, item->after.n ? cell_count(b->instruction_bytes) : cell_empty);
    add_pair(grid, item, bytes[0], bytes[1]);
    add_pair(grid, item, item->before.ideal_cycles, item->after.ideal_cycles);
    GRID_ADD(grid, item->before.n ? cell_value(item->before.ideal_s) : cell_empty,
             item->after.n ? cell_value(item->after.ideal_s) : cell_empty,
             item->before.n ? cell_value(item->before.time_s) : cell_empty,
             item->after.n ? cell_value(item->after.time_s) : cell_empty, cell_value(item->difference_s),
             cell_number(item->rule, 0), cell_text(list_reasons(item, true, " ", arena)));
    if (is_csv)
        return;
    const char *why = list_reasons(item, false, ", ", arena);
    if (item->rule)
        why = say_printf(arena, "%s (R%" PRIu32 ")", why, item->rule);
    const double difference_s = item->after.ideal_s - item->before.ideal_s;
    GRID_ADD(grid, cell_text(say_printf(arena, "%" PRIu32 ":%" PRIu32, item->before.n, item->after.n)),
             cell_text(why),
             cell_number((item->reasons & ROOF_SIBLING(UNEXPLAINED) ? 1e9 : 0) +
                             (item->reasons & ~ROOF_SIBLING(INSTRUCTIONS) ? 1e6 : 0) +
                             (isnan(difference_s) ? 0 : 1e6 * fabs(difference_s)),
                         0));
}

void siblings_table(const roof_siblings *s, cell_grid *grid, roof_arena *arena)
{
    const roof_sibling_side *a = &s->total[0], *b = &s->total[1];
    grid_begin(grid, arena, columns, N_COLUMNS);
    const name_prefixes prefix = prediction_name_prefix(s->after_prediction);
    for (uint32_t i = 0; i < s->n; i++)
        add_row(s, &s->items[i], prefix, grid);
    GRID_ADD(grid, cell_label("total"), cell_text(""), cell_empty, cell_empty, cell_empty, cell_empty,
             cell_count(a->macs), cell_count(b->macs), cell_count(a->traffic.weights_bytes),
             cell_count(b->traffic.weights_bytes), cell_count(a->traffic.input_bytes),
             cell_count(b->traffic.input_bytes), cell_count(a->traffic.output_bytes),
             cell_count(b->traffic.output_bytes), cell_count(b->traffic.instruction_bytes),
             cell_count(bytes_of(a)), cell_count(bytes_of(b)), cell_count(a->ideal_cycles),
             cell_count(b->ideal_cycles), cell_value(a->ideal_s), cell_value(b->ideal_s), cell_empty,
             cell_empty, cell_empty, cell_empty, cell_empty, cell_text(""), cell_text(""),
             cell_number(NAN, 0));
    grid->what = "row";
    grid->largest = "size";
    grid->n_last = 1;
}

static const grid_column edit_columns[] = {
    {"layer", .kind = COLUMN_NAME, .least = 16},
    {"type", .rank = 5, .most = 18},
    {"of A", .kind = COLUMN_NAME, .rank = 6, .least = 8},
    {"A", "[us]", .kind = COLUMN_NUMBER, .digits = 1, .format = FORMAT_SMALL, .times = 1e6},
    {"B", "[us]", .kind = COLUMN_NUMBER, .digits = 1, .format = FORMAT_SMALL, .times = 1e6},
    {"B - A", "[us]", .kind = COLUMN_NUMBER, .digits = 1, .format = FORMAT_SIGNED, .times = 1e6},
    {"MACs A", "[M]", .kind = COLUMN_NUMBER, .rank = 3, .digits = 1, .format = FORMAT_SMALL, .over = 1e6},
    {"B", "[M]", .kind = COLUMN_NUMBER, .rank = 2, .digits = 1, .format = FORMAT_SMALL, .over = 1e6},
    {"bytes A", "[kB]", .kind = COLUMN_NUMBER, .rank = 5, .digits = 1, .format = FORMAT_SMALL, .over = 1e3},
    {"B", "[kB]", .kind = COLUMN_NUMBER, .rank = 4, .digits = 1, .format = FORMAT_SMALL, .over = 1e3},
    {"change", .kind = COLUMN_NOTE},
    GRID_CSV("size"),
};

static void edits_table(const roof_siblings *s, cell_grid *grid, roof_arena *arena)
{
    const name_prefixes prefix = prediction_name_prefix(s->after_prediction);
    const roof_sibling_side *a = &s->total[0], *b = &s->total[1];
    grid_begin(grid, arena, edit_columns, sizeof edit_columns / sizeof *edit_columns);
    for (uint32_t i = 0; i < s->n; i++) {
        const roof_sibling *item = &s->items[i];
        const char *was = item->before.n ? s->before_prediction->layers[*item->before.rows].name : "";
        const char *name = prediction_name_without(prefix, siblings_name(s, item));
        GRID_ADD(grid, cell_text(name), cell_text(siblings_type(s, item)),
                 cell_text(item->after.n ? prediction_name_without(prefix, was) : ""),
                 item->before.n ? cell_value(item->before.time_s) : cell_empty,
                 item->after.n ? cell_value(item->after.time_s) : cell_empty, cell_value(item->difference_s));
        add_pair(grid, item, item->before.macs, item->after.macs);
        add_pair(grid, item, bytes_of(&item->before), bytes_of(&item->after));
        GRID_ADD(grid, cell_text(list_reasons(item, false, ", ", arena)),
                 cell_number(isnan(item->difference_s) ? 0 : 1e6 * fabs(item->difference_s), 0));
    }
    GRID_ADD(grid, cell_label("total"), cell_text(""), cell_text(""), cell_value(a->time_s),
             cell_value(b->time_s), cell_value(b->time_s - a->time_s), cell_count(a->macs),
             cell_count(b->macs), cell_count(bytes_of(a)), cell_count(bytes_of(b)), cell_text(""),
             cell_number(NAN, 0));
    grid->what = "layer";
    grid->largest = "size";
    grid->n_last = 1;
}

void siblings_csv(const rendering *r)
{
    cell_grid grid;
    grid_begin_csv(&grid, r->arena, columns, N_COLUMNS - OF_PEOPLE + 1, r->out);
    table_keep_csv(r, &grid);
    for (uint32_t i = 0; i < r->siblings->n; i++)
        add_row(r->siblings, &r->siblings->items[i], (name_prefixes){"", 0}, &grid);
    table_put_csv(r, &grid, "after_ideal_s");
}

/* --- the page ----------------------------------------------------------------------------------------- */

static const char *say_time(const roof_prediction *p, roof_arena *arena)
{
    const char *best =
        say_printf(arena, p->estimate_of ? "about %s" : "bound %s", say_quantity(arena, roof_best_s(p), "s"));
    return isnan(p->total.predicted_s)
               ? best
               : say_printf(arena, "%s, %s expected", best, say_quantity(arena, p->total.predicted_s, "s"));
}

void siblings_put(const rendering *r)
{
    const roof_siblings *s = r->siblings;
    enum { FIRST_SENTENCES = 2 };
    const char *sentences[FIRST_SENTENCES];
    remarks lines = {.arena = r->arena}, notes = lines;
    cell_grid grid;
    size_t n = 0;
    if (!r->selection->has_most && !r->options->details)
        r->selection->order.most = MOST_ROWS;
    for (uint32_t i = 0; i < FIRST_SENTENCES; i++) {
        const char *text = siblings_sentence(s, i, r->arena);
        if (text && *text)
            sentences[n++] = text;
    }
    writer_verdict(&r->writer, sentences, n);
    const char *rest = siblings_sentence(s, FIRST_SENTENCES, r->arena);
    if (s->is_edit && rest && *rest) /* of a compiled one all reasons stand below */
        remarks_add(&lines, "edit", "%s", rest);
    remarks_add(&lines, "A", "%s%s: %s", s->before, s->is_edit ? "" : ", not compiled",
                say_time(s->before_prediction, r->arena));
    remarks_add(&lines, "B", "%s%s: %s", s->after, s->is_edit ? "" : ", compiled",
                say_time(s->after_prediction, r->arena));
    remarks_add(&lines, "hardware", "%s", s->after_prediction->hardware.id);
    remarks_put(&lines, &r->writer);
    text_puts(r->out, "\n");
    (s->is_edit ? edits_table : siblings_table)(s, &grid, r->arena);
    table_put_arranged(r, &grid);
    prediction_put_prefix(r->out, prediction_name_prefix(s->after_prediction));
    for (int k = 0; k < ROOF_SIBLING_REASONS; k++)
        if (s->reasons[k] && k != ROOF_SIBLING_INSTRUCTIONS)
            remarks_add(&notes, roof_sibling_reason_word((roof_sibling_reason)k), "%s",
                        roof_sibling_reason_words((roof_sibling_reason)k));
    if (s->is_edit)
        remarks_add(&notes, "also", "%s", say_changes(s, TELL_ALL, r->arena));
    else
        remarks_add(&notes, "also", "%s", say_reasons(s, TELL_ALL, r->arena));
    text_puts(r->out, notes.n ? "\n" : "");
    remarks_put(&notes, &r->writer);
}

/* --- JSON --------------------------------------------------------------------------------------------- */

#define SIDE(member, kind, how) CODEC(roof_sibling_side, member, kind, how)
#define BYTES(name)             CODEC_AS(#name, roof_sibling_side, traffic.name, COUNT, ALWAYS)
static const codec_member side_members[] = {
    {SIDE(macs, COUNT, ALWAYS)},
    {BYTES(weights_bytes)},
    {BYTES(input_bytes)},
    {BYTES(output_bytes)},
    {BYTES(instruction_bytes)},
    {SIDE(ideal_cycles, COUNT, ALWAYS)},
    {SIDE(ideal_s, SECONDS, DERIVED)},
    {SIDE(time_s, SECONDS, OMIT_DERIVED)},
};
static const codec_object side_object = {CODEC_ROWS(side_members), .one_line = true};

static const roof_siblings *of(const codec *c)
{
    return c->user;
}

/* A side of a row, with the names of its layers; null where it is not there. */
static void write_side(codec *c, const char *key, const roof_sibling_side *side, const roof_prediction *p)
{
    if (!side->n) {
        jsonout_null(c->out, key);
        return;
    }
    jsonout_object(c->out, key, true);
    jsonout_array(c->out, "layers", true);
    for (uint32_t i = 0; i < side->n; i++)
        jsonout_string(c->out, NULL, p->layers[side->rows[i]].name);
    jsonout_end(c->out);
    jsonout_count(c->out, "macs", side->macs);
    jsonout_count(c->out, "weights_bytes", side->traffic.weights_bytes);
    jsonout_count(c->out, "input_bytes", side->traffic.input_bytes);
    jsonout_count(c->out, "output_bytes", side->traffic.output_bytes);
    jsonout_count(c->out, "instruction_bytes", side->traffic.instruction_bytes);
    jsonout_count(c->out, "ideal_cycles", side->ideal_cycles);
    jsonout_derived(c->out, "ideal_s", side->ideal_s);
    if (of(c)->is_edit)
        jsonout_derived(c->out, "time_s", side->time_s);
    jsonout_end(c->out);
}

static void write_before(codec *c, const char *key, const void *target)
{
    write_side(c, key, &((const roof_sibling *)target)->before, of(c)->before_prediction);
}

static void write_after(codec *c, const char *key, const void *target)
{
    write_side(c, key, &((const roof_sibling *)target)->after, of(c)->after_prediction);
}

static void write_reasons(codec *c, const char *key, const void *target)
{
    jsonout_array(c->out, key, true);
    for (int k = 0; k < ROOF_SIBLING_REASONS; k++)
        if (((const roof_sibling *)target)->reasons >> k & 1)
            jsonout_string(c->out, NULL, roof_sibling_reason_word((roof_sibling_reason)k));
    jsonout_end(c->out);
}

static const codec_member row_members[] = {
    {CODEC_WORDS("pairing", roof_sibling, pairing, siblings_pairings, ALWAYS)},
    {CODEC_BY("before", 0, NULL, write_before)},
    {CODEC_BY("after", 0, NULL, write_after)},
    {CODEC_BY("reasons", 0, NULL, write_reasons)},
    {CODEC(roof_sibling, rule, SMALL, ZERO)},
    {CODEC(roof_sibling, difference_s, SECONDS, OMIT_DERIVED)},
};
static const codec_object row_object = {CODEC_ROWS(row_members)};

static void write_hardware(codec *c, const char *key, const void *target)
{
    (void)target;
    jsonout_string(c->out, key, of(c)->after_prediction->hardware.id);
}

/* JSON of an edit alone: its ratio, and the difference by each reason. */
static void write_changes(codec *c, const char *key, const void *target)
{
    const roof_siblings *s = target;
    if (!s->is_edit)
        return;
    jsonout_bool(c->out, "is_expected", !roof_answer_is_bound(s->kind));
    jsonout_derived(c->out, "ratio", s->ratio);
    jsonout_derived(c->out, "ratio_low", s->ratio_low);
    jsonout_derived(c->out, "ratio_high", s->ratio_high);
    jsonout_string(c->out, "ratio_why", s->ratio_why);
    jsonout_bool(c->out, "is_distinguishable", s->is_distinguishable);
    jsonout_array(c->out, key, false);
    for (int k = 0; k < ROOF_SIBLING_REASONS; k++) {
        if (!s->changes[k].n)
            continue;
        jsonout_object(c->out, NULL, true);
        jsonout_string(c->out, "reason", roof_sibling_reason_word((roof_sibling_reason)k));
        jsonout_count(c->out, "layers", s->changes[k].n);
        jsonout_count(c->out, "unknown", s->changes[k].n_unknown);
        jsonout_derived(c->out, "difference_s",
                        s->changes[k].n_unknown < s->changes[k].n ? s->changes[k].difference_s : NAN);
        jsonout_end(c->out);
    }
    jsonout_end(c->out);
    jsonout_derived(c->out, "rest_s", s->rest_s);
}

static const codec_member document_members[] = {
    {CODEC_IS(ROOF_SIBLINGS_SCHEMA)},
    {CODEC(roof_siblings, before, TEXT, ALWAYS)},
    {CODEC(roof_siblings, after, TEXT, ALWAYS)},
    {CODEC_BY("hardware", 0, NULL, write_hardware)},
    {CODEC(roof_siblings, is_lowered, BOOL, ALWAYS)},
    {CODEC(roof_siblings, is_edit, BOOL, ALWAYS)},
    {CODEC_AS("before_layers", roof_siblings, n_layers[0], SMALL, PLAIN)},
    {CODEC_AS("after_layers", roof_siblings, n_layers[1], SMALL, PLAIN)},
    {CODEC_AS("paired", roof_siblings, n_paired, SMALL, PLAIN)},
    {CODEC_AS("same", roof_siblings, n_same, SMALL, PLAIN)},
    {CODEC_AS("unexplained", roof_siblings, n_unexplained, SMALL, PLAIN)},
    {CODEC_IN("before_total", offsetof(roof_siblings, total[0]), &side_object)},
    {CODEC_IN("after_total", offsetof(roof_siblings, total[1]), &side_object)},
    {CODEC_BY("changes", 0, NULL, write_changes)},
    {CODEC_ITEMS("rows", roof_siblings, items, n, &row_object, UINT32_MAX, ALWAYS)},
};
static const codec_object document_object = {CODEC_ROWS(document_members)};

void siblings_json(const rendering *r)
{
    codec_write_document(&document_object, r->siblings, r->siblings, r->out);
}
