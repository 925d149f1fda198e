/* Networks on boards as text, Markdown, CSV and JSON. */
#include "reports/tables/views.h"
#include "model/documents/documents.h"
#include "reports/renderers/renderer.h"
#include "reports/words/cause_words.h"
#include "reports/words/prediction_words.h"

/* --- names -------------------------------------------------------------------------------------------- */

/* The name of its model, or the path as it was given where two have one name. */
static const char *model_of_pair(const predictions_view *v, uint32_t pair)
{
    const roof_pair *own = &v->pairs[pair]; /* or with the network's own name, where some board has it */
    for (uint32_t i = 0; i < v->n && !own->prediction; i++)
        if (v->pairs[i].prediction && strcmp(v->pairs[i].path, own->path) == 0)
            own = &v->pairs[i];
    for (uint32_t i = 0; i < v->n; i++)
        if (strcmp(v->pairs[i].model, own->model) == 0 && strcmp(v->pairs[i].path, own->path) != 0)
            return own->path;
    return own->model;
}

/* Rows of one model on one board are then told apart by it. */
static bool has_batches(const predictions_view *v)
{
    uint32_t first = 0; /* 0 is unknown */
    for (uint32_t i = 0; i < v->n; i++) {
        const uint32_t batch = v->pairs[i].batch;
        if (first && batch && batch != first)
            return true;
        first = first ? first : batch;
    }
    return false;
}

static const char *board_of(const predictions_view *v, uint32_t pair)
{
    const roof_pair *own = &v->pairs[pair];
    if (own->asked_hw && strchr(own->asked_hw, '='))
        return own->asked_hw;
    for (uint32_t i = 0; i < v->n && own->asked_hw; i++)
        if (v->pairs[i].asked_hw && strcmp(v->pairs[i].hardware, own->hardware) == 0 &&
            strcmp(v->pairs[i].asked_hw, own->asked_hw) != 0)
            return own->asked_hw;
    return *own->hardware ? own->hardware : "(compiled for)";
}

/* "kv260"; "kv260 at batch 4" where batches differ. */
static const char *board_of_pair(const predictions_view *v, uint32_t pair)
{
    const char *board = board_of(v, pair);
    return has_batches(v) && v->pairs[pair].batch
               ? say_printf(v->arena, "%s at batch %u", board, v->pairs[pair].batch)
               : board;
}

/* --- the verdict -------------------------------------------------------------------------------------- */

/* How far a prediction is of the file: as it is, by its own array on another board, by its shapes alone. */
enum { AS_IT_IS, OTHER_ARRAY, OTHER_FAMILY, FITS };

/* Comparison of a model's boards: those that run it as it is, else those that come nearest. */
static const char *say_contest(const predictions_view *v, const char *path, bool *are_for_other)
{
    contestant *all = NEW_ARRAY(v->arena, contestant, v->n);
    uint32_t n = 0;
    const bool is_of_one = has_batches(v);
    const char *unit = "inference";
    roof_error err;
    for (uint32_t fit = AS_IT_IS; fit < FITS && !n && all; fit++) {
        *are_for_other = fit != AS_IT_IS;
        for (uint32_t i = 0; i < v->n; i++) {
            const roof_pair *pair = &v->pairs[i];
            const uint32_t own = !pair->is_for_other ? AS_IT_IS
                                 : pair->estimate_of ? OTHER_FAMILY
                                                     : OTHER_ARRAY;
            if (strcmp(pair->path, path) == 0 && pair->prediction && own == fit &&
                answer_contestant(pair, board_of_pair(v, i), is_of_one, v->arena, &all[n], &err) == ROOF_OK) {
                unit = pair->unit;
                n++;
            }
        }
    }
    const char *text = n ? answer_contest(v->arena, all, n, false) : "";
    return n && is_of_one ? say_printf(v->arena, "by the time of one %s, %s", unit, text) : text;
}

/* Outcomes of a model on a board: not predicted, compiled for another one, beyond the hardware. */
typedef enum fortune { FAILED, OF_OTHER, BEYOND } fortune;

/* Boards of a model that it has this on: "npu2, stm32n6". */
static const char *list_boards(const predictions_view *v, const char *path, fortune of)
{
    const char *list = "";
    for (uint32_t i = 0; i < v->n; i++) {
        const roof_pair *pair = &v->pairs[i];
        const roof_prediction *p = pair->prediction;
        bool is_beyond = false;
        for (uint32_t k = 0; p && k < p->n_findings; k++)
            is_beyond = is_beyond || p->findings[k].kind == ROOF_FINDING_BEYOND_HARDWARE;
        if (strcmp(pair->path, path) == 0 &&
            (of == FAILED ? !p : p && (of == OF_OTHER ? pair->is_for_other : is_beyond)))
            list = say_more(v->arena, list, "%s", board_of_pair(v, i));
    }
    return list;
}

const char *predictions_sentence(const predictions_view *v, uint32_t i)
{
    uint32_t at = 0;
    while (at < v->n && (NAMED_AT(v->pairs, at, path, v->pairs[at].path) < at || i--))
        at++;
    if (at == v->n)
        return NULL;
    const char *path = v->pairs[at].path, *model = model_of_pair(v, at);
    bool are_for_other = false;
    const char *text = say_contest(v, path, &are_for_other);
    const char *failed = list_boards(v, path, FAILED), *others = list_boards(v, path, OF_OTHER),
               *beyond = list_boards(v, path, BEYOND);
    if (*others && are_for_other)
        text = say_printf(v->arena, "%s; compiled for another device, runs on none of these", text);
    else if (*others)
        text = say_printf(v->arena, "%s; this compiled file does not run on %s", text, others);
    if (*failed)
        text = say_printf(v->arena, "%s%scannot be predicted on %s", text, *text ? "; " : "", failed);
    if (*beyond)
        text =
            say_printf(v->arena, "%s; requested is more than there is of %s (what if, below)", text, beyond);
    const char *macs = "";
    for (uint32_t k = 0; k < v->n && !*macs; k++)
        if (strcmp(v->pairs[k].path, path) == 0 && v->pairs[k].macs != ROOF_UNKNOWN)
            macs = say_printf(v->arena, " (%s)", say_quantity(v->arena, (double)v->pairs[k].macs, "MACs"));
    return say_printf(v->arena, "%s%s: %s.", *model ? model : "product", macs, text);
}

/* --- the table ---------------------------------------------------------------------------------------- */

#define PAIR(name, member, from, ...)                                                                        \
    GRID_VIA(name, predictions_row, pair, roof_pair, member, from, __VA_ARGS__)
#define ROW(name, member, from, ...) GRID_AS(name, predictions_row, member, from, __VA_ARGS__)
#define NUMBER(title_, unit_, rank_, place_, ...)                                                            \
    .title = (title_), .unit = (unit_), .kind = COLUMN_NUMBER, .rank = (rank_), .place = (place_), __VA_ARGS__
#define TIME(title_, rank_, place_) .title = (title_), .kind = COLUMN_TIME, .rank = (rank_), .place = (place_)

/* Documents have those with a name, in this order. */
const grid_column predictions_columns[] = {
    ROW("model", model, TEXT, .title = "model", .kind = COLUMN_NAME, .place = 1),
    ROW("hardware", board, TEXT, .title = "hardware", .kind = COLUMN_NAME, .place = 2),
    PAIR("path", path, TEXT, .title = NULL),
    PAIR("asked_hw", asked_hw, TEXT, .title = NULL),
    PAIR("expected_s", expected_s, VALUE, TIME("expected", 1, 8)),
    PAIR("expected_low_s", expected_ci95_s[0], VALUE, .title = NULL),
    PAIR("expected_high_s", expected_ci95_s[1], VALUE, .title = NULL),
    ROW("best_s", best_s, MADE, TIME("at best", 0, 12)),
    PAIR("ideal_s", ideal_s, VALUE, TIME("ideal", 2, 14)),
    PAIR("expected_per_s", expected_per_s, VALUE,
         NUMBER("frames", "[/s]", 1, 11, .format = FORMAT_SPACED, .digits = 1)),
    ROW("per_s", per_s, MADE, NUMBER("at most", "[/s]", 9, 13, .format = FORMAT_SPACED, .digits = 1)),
    PAIR("unit", unit, TEXT, .title = NULL),
    PAIR("bound", bound, TEXT, .title = "bound", .place = 15),
    PAIR("utilisation_ratio", utilisation_ratio, VALUE,
         NUMBER("use", "[%]", 4, 16, .times = 100, .digits = 1)),
    PAIR("macs", macs, COUNT,
         NUMBER("MACs", "[M]", 8, 17, .format = FORMAT_SPACED, .over = 1e6, .digits = 1)),
    PAIR("memory_bytes", memory_bytes, COUNT, NUMBER("memory", "[MB]", 5, 18, .over = 1e6, .digits = 2)),
    PAIR("layers", layers, SMALL, .title = NULL),
    PAIR("host_layers", host_layers, SMALL, .title = NULL),
    ROW("host_rows", host_rows, TEXT, .title = NULL),
    ROW("basis", basis, TEXT, .title = NULL),
    PAIR("estimate_of", estimate_of, TEXT, .title = NULL),
    ROW("is_for_other", is_for_other, MADE, .title = NULL, .kind = COLUMN_FLAG),
    PAIR("findings", findings, SMALL, .title = NULL),
    PAIR("why", why, TEXT, .title = NULL),
    PAIR("data_type", data_type, TEXT, .title = "type", .rank = 6, .place = 4),
    ROW("threads", load.threads, SMALL, .title = NULL),
    ROW("fps", load.fps, VALUE, NUMBER("in use", "[/s]", 0, 5, .format = FORMAT_SPACED, .digits = 1)),
    ROW("fps_low", load.fps_low, VALUE, .title = NULL),
    ROW("fps_high", load.fps_high, VALUE, .title = NULL),
    ROW("latency_s", load.latency_s, VALUE, NUMBER("latency", "[ms]", 0, 6, .times = 1e3, .digits = 2)),
    ROW("knee_threads", knee_threads, SMALL, NUMBER("enough", "[threads]", 0, 7, .digits = 0)),
    ROW("time_kind", time, ANSWER_KIND, .title = NULL),
    ROW("time_low_s", time, ANSWER_LOW, .title = NULL),
    ROW("time_high_s", time, ANSWER_HIGH, .title = NULL),
    PAIR("busy_cores", busy_cores, SMALL, NUMBER("busy", "[cores]", 1, 10, .digits = 0)),
    PAIR("batch", batch, SIZE, NUMBER("batch", NULL, 0, 3, .digits = 0)),
    {"95 %", "[ms]", .from = FROM_MADE, .at = offsetof(predictions_row, range), .rank = 2, .place = 9},
    {"layers", "[+host]", .kind = COLUMN_NUMBER, .from = FROM_MADE, .at = offsetof(predictions_row, executed),
     .rank = 3, .place = 19},
};
enum { COLUMNS = N_OF(predictions_columns) };
_Static_assert((int)COLUMNS > (int)PREDICTIONS_DOCUMENT_COLUMNS, "what the header says");

/* "prob (softmax), 3 more": what the CPU runs. */
static const char *list_host_rows(const roof_pair *pair, const char *rest, roof_arena *arena)
{
    const char *list = "";
    uint32_t n = 0;
    for (; n < ROOF_PAIR_HOST_ROWS && pair->host_rows[n]; n++)
        list = say_more(arena, list, "%s (%s)", pair->host_rows[n]->name, pair->host_rows[n]->type);
    return *rest && pair->host_layers > n ? say_more(arena, list, "%u %s", pair->host_layers - n, rest)
                                          : list;
}

/* A limit of what is an estimate is none of the device. */
static grid_cell limit_cell(const roof_pair *pair, double value)
{
    grid_cell cell = cell_value(value);
    cell.is_about = pair->estimate_of;
    return cell;
}

predictions_row predictions_row_of(const roof_pair *pair, roof_arena *arena)
{
    static const char *const bases[] = {"mc_code", "file", "formula", ""};
    /* with as many threads as the last point of a load has; none where none was requested */
    static const roof_load_point no_load = {
        .threads = ROOF_NONE, .fps = NAN, .fps_low = NAN, .fps_high = NAN, .latency_s = NAN};
    return (predictions_row){.pair = pair,
                             .model = pair->model,
                             .board = pair->hardware,
                             .best_s = limit_cell(pair, pair->best_s),
                             .per_s = limit_cell(pair, pair->per_s),
                             .host_rows = list_host_rows(pair, "", arena),
                             .basis = bases[pair->basis],
                             .is_for_other = pair->prediction ? cell_count(pair->is_for_other) : cell_empty,
                             .load = pair->load ? *pair->load : no_load,
                             .knee_threads = pair->load ? pair->knee_threads : ROOF_NONE,
                             .time = roof_pair_takes(pair)};
}

/* Documents have names as they are, and a column that says what is an estimate. */
static void add_pair_rows(const predictions_view *v, cell_grid *grid)
{
    for (uint32_t i = 0; i < v->n; i++) {
        const roof_pair *pair = &v->pairs[i];
        predictions_row row = predictions_row_of(pair, v->arena);
        if (!grid->csv) {
            const double *ends_s = pair->expected_ci95_s;
            int digits = 1; /* three in all of the lower end, and no more than nanoseconds */
            while (digits < 6 && 1e3 * ends_s[0] * pow(10, digits) < 100)
                digits++;
            row.model = model_of_pair(v, i);
            row.board = board_of(v, i);
            row.range = cell_empty;
            if (!isnan(ends_s[0]))
                row.range = cell_text(
                    say_printf(v->arena, "%.*f-%.*f", digits, 1e3 * ends_s[0], digits, 1e3 * ends_s[1]));
            row.executed = cell_count(ROOF_UNKNOWN);
            if (pair->layers != ROOF_NONE) /* "36 + 1": layers of the accelerator, and of the CPU */
                row.executed = cell_worded(say_printf(v->arena, pair->host_layers ? "%u + %u" : "%u",
                                                      pair->layers, pair->host_layers),
                                           pair->layers, 0);
        }
        grid_add_row(grid, &row, v);
    }
}

/* Columns that are shown where any pair has something to say in them; types and batches where they differ. */
static void hide_columns(const predictions_view *v, cell_grid *grid)
{
    static const char *const of_load[] = {"fps", "latency_s", "knee_threads"};
    const roof_pair *first = NULL;
    bool has_load = false, has_busy = false, has_types = false;
    FOR_EACH(const roof_pair, pair, v->pairs, v->n) {
        has_load = has_load || pair->load;
        has_busy = has_busy ||
                   (pair->busy_cores != ROOF_NONE &&
                    (pair->busy_cores > 1 || (pair->prediction && pair->prediction->hardware.cores > 1)));
        first = first || !pair->prediction ? first : pair;
        has_types = has_types || (pair->prediction && !text_same(first->data_type, pair->data_type));
    }
    for (size_t i = 0; i < N_OF(of_load) && !has_load; i++)
        grid_hide(grid, of_load[i]);
    if (!has_busy)
        grid_hide(grid, "busy_cores");
    if (!has_types)
        grid_hide(grid, "data_type");
    if (!has_batches(v))
        grid_hide(grid, "batch");
}

void predictions_table(const predictions_view *v, cell_grid *grid)
{
    enum { LEAST_DIGITS = 3, MOST_DIGITS = 6 };
    double least_s = INFINITY;
    uint32_t n_others = 0, n = 0;
    grid_begin(grid, v->arena, predictions_columns, COLUMNS);
    FOR_EACH(const roof_pair, pair, v->pairs, v->n) {
        least_s = pair->best_s > 0 ? fmin(least_s, pair->best_s) : least_s;
        n += pair->unit != NULL;
        n_others += pair->unit && strcmp(pair->unit, "inference") != 0;
    }
    /* Counted things of all pairs: tokens for language models, "results" where both stand. */
    grid_retitle(grid, "expected_per_s", !n_others ? "frames" : n_others == n ? "tokens" : "results", "[/s]");
    /* So many digits that the shortest time has two, and no more than nanoseconds. */
    grid->times.digits = LEAST_DIGITS;
    while (grid->times.digits < MOST_DIGITS && least_s * 1e3 * pow(10, grid->times.digits) < 10)
        grid->times.digits++;
    hide_columns(v, grid);
    grid->what = "pair";
    grid->largest = "at best";
    add_pair_rows(v, grid);
}

/* --- lines below it ----------------------------------------------------------------------------------- */

/* "net on kv260, zcu104: text" for all boards of a model of which one text is true; without boards where that
 * are all of them. NULL: there is nothing to say. */
static void add_lines(const predictions_view *v, const char *label, const char *const *texts, remarks *lines)
{
    for (uint32_t i = 0; i < v->n; i++) {
        const char *boards = "";
        bool are_all = true, is_told = false;
        for (uint32_t k = 0; texts[i] && k < v->n; k++) {
            if (strcmp(v->pairs[k].path, v->pairs[i].path) != 0)
                continue;
            const bool is_same = texts[k] && strcmp(texts[k], texts[i]) == 0;
            is_told = is_told || (is_same && k < i);
            are_all = are_all && is_same;
            if (is_same)
                boards = say_more(v->arena, boards, "%s", board_of_pair(v, k));
        }
        if (!texts[i] || is_told)
            continue;
        remarks_add(lines, label, "%s%s%s: %s", model_of_pair(v, i), are_all ? "" : " on ",
                    are_all ? "" : boards, texts[i]);
    }
}

void predictions_remarks(const predictions_view *v, remarks *lines)
{
    const char **failed = NEW_ARRAY(v->arena, const char *, v->n),
               **host = NEW_ARRAY(v->arena, const char *, v->n),
               **estimates = NEW_ARRAY(v->arena, const char *, v->n),
               **published = NEW_ARRAY(v->arena, const char *, v->n);
    if (!failed || !host || !estimates || !published)
        return;
    for (uint32_t i = 0; i < v->n; i++) {
        const roof_pair *pair = &v->pairs[i];
        failed[i] = pair->prediction ? NULL : text_or_empty(pair->why);
        estimates[i] = pair->best_s > 0 && pair->estimate_of
                           ? say_printf(v->arena, "of %s, no bound", pair->estimate_of)
                           : NULL;
        host[i] = published[i] = NULL;
        if (pair->prediction && pair->prediction->n_published)
            published[i] = prediction_published(pair->prediction, 0, v->arena);
        if (pair->prediction && pair->host_layers)
            host[i] = say_printf(v->arena, "%u layer%s, in none of the times: %s", pair->host_layers,
                                 say_plural(pair->host_layers), list_host_rows(pair, "more", v->arena));
    }
    for (uint32_t i = 0; i < v->n; i++) {
        const roof_prediction *p = v->pairs[i].prediction;
        char said[ROOF_SENTENCE_SIZE];
        for (uint32_t k = 0; p && k < p->n_findings; k++)
            if (p->findings[k].kind == ROOF_FINDING_BEYOND_HARDWARE)
                remarks_add(lines, "what if", "%s", roof_finding_sentence(&p->findings[k], said));
    }
    add_lines(v, "why not", failed, lines);
    add_lines(v, "published", published, lines);
    add_lines(v, "on the CPU", host, lines);
    add_lines(v, "~ estimate", estimates, lines);
}

/* --- the document ------------------------------------------------------------------------------------- */

static predictions_view view_of(const rendering *r)
{
    return (predictions_view){r->predictions->pairs, r->predictions->n, r->arena};
}

void predictions_put(const rendering *r)
{
    enum { MOST_SENTENCES = 16 };
    const predictions_view v = view_of(r);
    const char *sentences[MOST_SENTENCES];
    cell_grid grid;
    remarks lines = {.arena = r->arena};
    size_t n = 0;
    while (n < MOST_SENTENCES && (sentences[n] = predictions_sentence(&v, (uint32_t)n)))
        n++;
    writer_verdict(&r->writer, sentences, n);
    predictions_table(&v, &grid);
    table_put_arranged(r, &grid);
    text_puts(r->out, "\n");
    predictions_remarks(&v, &lines);
    finding_groups groups = {.arena = r->arena};
    for (uint32_t i = 0; i < v.n; i++) {
        const roof_prediction *p = v.pairs[i].prediction;
        const char *name = say_printf(r->arena, "%s on %s", model_of_pair(&v, i), board_of_pair(&v, i));
        for (uint32_t k = 0; p && k < p->n_findings; k++)
            finding_groups_add(&groups, &p->findings[k], name, 1);
    }
    remarks_put(&lines, &r->writer);
    finding_groups_put(&groups, &r->writer, r->options);
}

void predictions_csv(const rendering *r)
{
    const predictions_view v = view_of(r);
    cell_grid grid;
    grid_begin_csv(&grid, r->arena, predictions_columns, COLUMNS, r->out);
    table_keep_csv(r, &grid);
    add_pair_rows(&v, &grid);
    table_put_csv(r, &grid, "best_s");
}

void predictions_json(const rendering *r)
{
    predictions_codec_write(r->predictions, &words_of_predictions, r->out);
}
