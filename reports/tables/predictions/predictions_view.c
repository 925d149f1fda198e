#include "reports/tables/predictions/predictions_view.h"
#include "core/quantity.h"
#include "reports/words/answer_words.h"
#include "reports/words/prediction_words.h"

#include <math.h>
#include <string.h>

/* --- names -------------------------------------------------------------------------------------------- */

const char *predictions_model(const predictions_view *v, uint32_t pair)
{
    const roof_pair *own = &v->pairs[pair];
    for (uint32_t i = 0; i < v->n && !own->prediction;
         i++) /* the network's own name, where some board has it */
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

const char *predictions_board(const predictions_view *v, uint32_t pair)
{
    const char *board = board_of(v, pair);
    return has_batches(v) && v->pairs[pair].batch
               ? say_printf(v->arena, "%s at batch %u", board, v->pairs[pair].batch)
               : board;
}

/* --- the verdict -------------------------------------------------------------------------------------- */

static bool is_first_of_model(const predictions_view *v, uint32_t pair)
{
    for (uint32_t i = 0; i < pair; i++)
        if (strcmp(v->pairs[i].path, v->pairs[pair].path) == 0)
            return false;
    return true;
}

/* How far a prediction is of the file: as it is, by its own array on another board, by its shapes alone. */
enum { AS_IT_IS, OTHER_ARRAY, OTHER_FAMILY, FITS };

static uint32_t fit_of(const roof_pair *pair)
{
    return !pair->is_for_other ? AS_IT_IS : pair->estimate_of ? OTHER_FAMILY : OTHER_ARRAY;
}

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
            if (strcmp(pair->path, path) == 0 && pair->prediction && fit_of(pair) == fit &&
                answer_contestant(pair, predictions_board(v, i), is_of_one, v->arena, &all[n], &err) ==
                    ROOF_OK) {
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

static bool has_fortune(const roof_pair *pair, fortune of)
{
    const roof_prediction *p = pair->prediction;
    bool is_beyond = false;
    for (uint32_t k = 0; p && k < p->n_findings; k++)
        is_beyond = is_beyond || p->findings[k].kind == ROOF_FINDING_BEYOND_HARDWARE;
    return of == FAILED ? !p : p && (of == OF_OTHER ? pair->is_for_other : is_beyond);
}

/* Boards of a model that it has this on: "npu2, stm32n6". */
static const char *list_boards(const predictions_view *v, const char *path, fortune of)
{
    const char *list = "";
    for (uint32_t i = 0; i < v->n; i++)
        if (strcmp(v->pairs[i].path, path) == 0 && has_fortune(&v->pairs[i], of))
            list = say_more(v->arena, list, "%s", predictions_board(v, i));
    return list;
}

const char *predictions_sentence(const predictions_view *v, uint32_t i)
{
    uint32_t at = 0;
    while (at < v->n && (!is_first_of_model(v, at) || i--))
        at++;
    if (at == v->n)
        return NULL;
    const char *path = v->pairs[at].path, *model = predictions_model(v, at);
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

/* Documents have the first ones, in this order; the others are for people alone. */
enum {
    MODEL,
    HARDWARE,
    PATH,
    ASKED,
    EXPECTED,
    LOW,
    HIGH,
    BEST,
    IDEAL,
    EXPECTED_RATE,
    RATE,
    UNIT,
    BOUND,
    USE,
    MACS,
    MEMORY,
    LAYERS,
    HOST,
    HOST_ROWS,
    BASIS,
    ESTIMATE_OF,
    FOR_OTHER,
    FINDINGS,
    WHY,
    TYPE,
    LOAD_THREADS,
    LOAD_RATE,
    LOAD_LOW,
    LOAD_HIGH,
    LOAD_LATENCY,
    KNEE,
    TIME_KIND,
    TIME_LOW,
    TIME_HIGH,
    BUSY,
    BATCH,
    RANGE,
    EXECUTED,
    COLUMNS
};

#define MILLISECONDS(title_, rank_, csv_)                                                                    \
    {                                                                                                        \
        title_, "[ms]", csv_, .kind = COLUMN_NUMBER, .rank = (rank_), .times = 1e3, .digits = 3              \
    }

static const grid_column known_columns[COLUMNS] = {
    [MODEL] = {"model", .csv = "model", .kind = COLUMN_NAME},
    [HARDWARE] = {"hardware", .csv = "hardware", .kind = COLUMN_NAME},
    [PATH] = GRID_CSV("path"),
    [ASKED] = GRID_CSV("asked_hw"),
    [EXPECTED] = MILLISECONDS("expected", 1, "expected_s"),
    [LOW] = GRID_CSV("expected_low_s"),
    [HIGH] = GRID_CSV("expected_high_s"),
    [BEST] = MILLISECONDS("at best", 0, "best_s"),
    [IDEAL] = MILLISECONDS("ideal", 2, "ideal_s"),
    [EXPECTED_RATE] = {"frames", "[/s]", "expected_per_s", .kind = COLUMN_NUMBER, .rank = 1,
                       .format = FORMAT_SPACED, .digits = 1},
    [RATE] = {"at most", "[/s]", "per_s", .kind = COLUMN_NUMBER, .rank = 9, .format = FORMAT_SPACED,
              .digits = 1},
    [UNIT] = GRID_CSV("unit"),
    [BOUND] = {"bound", .csv = "bound"},
    [USE] = {"use", "[%]", "utilisation_ratio", .kind = COLUMN_NUMBER, .rank = 4, .times = 100, .digits = 1},
    [MACS] = {"MACs", "[M]", "macs", .kind = COLUMN_NUMBER, .rank = 8, .format = FORMAT_SPACED, .over = 1e6,
              .digits = 1},
    [MEMORY] = {"memory", "[MB]", "memory_bytes", .kind = COLUMN_NUMBER, .rank = 5, .over = 1e6, .digits = 2},
    [LAYERS] = GRID_CSV("layers"),
    [HOST] = GRID_CSV("host_layers"),
    [HOST_ROWS] = GRID_CSV("host_rows"),
    [BASIS] = GRID_CSV("basis"),
    [ESTIMATE_OF] = GRID_CSV("estimate_of"),
    [FOR_OTHER] = GRID_CSV("is_for_other"),
    [FINDINGS] = GRID_CSV("findings"),
    [WHY] = GRID_CSV("why"),
    [TYPE] = {"type", .csv = "data_type", .rank = 6},
    [LOAD_THREADS] = GRID_CSV("threads"),
    [LOAD_RATE] = {"in use", "[/s]", "fps", .kind = COLUMN_NUMBER, .format = FORMAT_SPACED, .digits = 1},
    [LOAD_LOW] = GRID_CSV("fps_low"),
    [LOAD_HIGH] = GRID_CSV("fps_high"),
    [LOAD_LATENCY] = {"latency", "[ms]", "latency_s", .kind = COLUMN_NUMBER, .times = 1e3, .digits = 2},
    [KNEE] = {"enough", "[threads]", "knee_threads", .kind = COLUMN_NUMBER},
    [RANGE] = {"95 %", "[ms]", .rank = 2},
    [EXECUTED] = {"layers", "[+host]", .kind = COLUMN_NUMBER, .rank = 3},
    [TIME_KIND] = GRID_CSV("time_kind"),
    [TIME_LOW] = GRID_CSV("time_low_s"),
    [TIME_HIGH] = GRID_CSV("time_high_s"),
    [BATCH] = {"batch", .csv = "batch", .kind = COLUMN_NUMBER},
    [BUSY] = {"busy", "[cores]", "busy_cores", .kind = COLUMN_NUMBER, .rank = 1},
};
#undef MILLISECONDS

static const uint8_t order_for_people[] = {
    MODEL,         HARDWARE, BATCH, TYPE,  LOAD_RATE, LOAD_LATENCY, KNEE, EXPECTED, RANGE,   BUSY,
    EXPECTED_RATE, BEST,     RATE,  IDEAL, BOUND,     USE,          MACS, MEMORY,   EXECUTED};

/* Counted things of all pairs: tokens for language models, "results" where both stand. */
static const char *rate_title(const predictions_view *v)
{
    uint32_t n_others = 0, n = 0;
    for (uint32_t i = 0; i < v->n; i++) {
        n += v->pairs[i].unit != NULL;
        n_others += v->pairs[i].unit && strcmp(v->pairs[i].unit, "inference") != 0;
    }
    return !n_others ? "frames" : n_others == n ? "tokens" : "results";
}

/* So many that the shortest time has two, and no more than nanoseconds. */
static uint8_t digits_of_times(const predictions_view *v)
{
    enum { LEAST = 3, MOST = 6 };
    double least_s = INFINITY;
    uint8_t digits = LEAST;
    for (uint32_t i = 0; i < v->n; i++)
        least_s = v->pairs[i].best_s > 0 ? fmin(least_s, v->pairs[i].best_s) : least_s;
    while (digits < MOST && least_s * 1e3 * pow(10, digits) < 10)
        digits++;
    return digits;
}

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

static grid_cell range_cell(const predictions_view *v, const roof_pair *pair)
{
    char ends[2][40];
    int digits = 1; /* three in all of the lower end, and no more than nanoseconds */
    while (digits < 6 && 1e3 * pair->expected_ci95_s[0] * pow(10, digits) < 100)
        digits++;
    if (isnan(pair->expected_ci95_s[0]))
        return cell_empty;
    for (size_t i = 0; i < 2; i++)
        number_format_fixed(ends[i], sizeof ends[i], 1e3 * pair->expected_ci95_s[i], digits, false);
    return cell_text(arena_printf(v->arena, "%s-%s", ends[0], ends[1]));
}

/* "36 + 1": layers of the accelerator, and of the CPU. */
static grid_cell executed_cell(const predictions_view *v, const roof_pair *pair)
{
    if (pair->layers == ROOF_NONE)
        return cell_count(ROOF_UNKNOWN);
    return cell_worded(
        say_printf(v->arena, pair->host_layers ? "%u + %u" : "%u", pair->layers, pair->host_layers),
        pair->layers, 0);
}

/* NaN and ROOF_NONE are unknown, and cells of what has no prediction say so. */
static grid_cell small_count_cell(uint32_t count)
{
    return cell_count(count == ROOF_NONE ? ROOF_UNKNOWN : count);
}

static bool is_of_load(uint8_t column)
{
    return column == LOAD_RATE || column == LOAD_LATENCY || column == KNEE;
}

static bool has_load(const predictions_view *v)
{
    bool any = false;
    for (uint32_t i = 0; i < v->n && !any; i++)
        any = v->pairs[i].load != NULL;
    return any;
}

/* Where it is not the same of all. */
static bool has_types(const predictions_view *v)
{
    uint32_t first = 0;
    while (first < v->n && !v->pairs[first].prediction)
        first++;
    for (uint32_t i = first; i < v->n; i++)
        if (v->pairs[i].prediction && !text_same(v->pairs[first].data_type, v->pairs[i].data_type))
            return true;
    return false;
}

/* Where times or rates are of several cores. */
static bool has_busy(const predictions_view *v)
{
    bool any = false;
    for (uint32_t i = 0; i < v->n && !any; i++) {
        const roof_pair *pair = &v->pairs[i];
        any = pair->busy_cores != ROOF_NONE &&
              (pair->busy_cores > 1 || (pair->prediction && pair->prediction->hardware.cores > 1));
    }
    return any;
}

/* With as many threads as the last point of a load has; none where none was requested. */
static const roof_load_point *load_of(const roof_pair *pair)
{
    static const roof_load_point unknown = {
        .threads = ROOF_NONE, .fps = NAN, .fps_low = NAN, .fps_high = NAN, .latency_s = NAN};
    return pair->load ? pair->load : &unknown;
}

/* A limit of what is an estimate is none of the device. */
static grid_cell limit_cell(const roof_pair *pair, double value)
{
    grid_cell cell = cell_value(value);
    cell.is_about = pair->estimate_of;
    return cell;
}

/* Documents have names as they are, and a column that says what is an estimate. */
static void cells_of(const predictions_view *v, uint32_t i, bool is_document, grid_cell out[COLUMNS])
{
    static const char *const bases[] = {"mc_code", "file", "formula", ""};
    const roof_pair *pair = &v->pairs[i];
    const char *model = is_document ? pair->model : predictions_model(v, i);
    const char *board = is_document ? pair->hardware : board_of(v, i);
    const roof_load_point *load = load_of(pair);
    const roof_answer time = roof_pair_takes(pair);
    double low_s, high_s;
    roof_answer_stated_ends(&time, &low_s, &high_s);
    const grid_cell cells[COLUMNS] = {[MODEL] = cell_text(model),
                                      [HARDWARE] = cell_text(board),
                                      [PATH] = cell_text(pair->path),
                                      [ASKED] = cell_text(text_or_empty(pair->asked_hw)),
                                      [TIME_KIND] = cell_text(roof_answer_kind_text(time.kind)),
                                      [TIME_LOW] = cell_value(low_s),
                                      [TIME_HIGH] = cell_value(high_s),
                                      [EXPECTED] = cell_value(pair->expected_s),
                                      [LOW] = cell_value(pair->expected_ci95_s[0]),
                                      [HIGH] = cell_value(pair->expected_ci95_s[1]),
                                      [BEST] = limit_cell(pair, pair->best_s),
                                      [IDEAL] = cell_value(pair->ideal_s),
                                      [EXPECTED_RATE] = cell_value(pair->expected_per_s),
                                      [RATE] = limit_cell(pair, pair->per_s),
                                      [UNIT] = cell_text(text_or_empty(pair->unit)),
                                      [BOUND] = cell_text(text_or_empty(pair->bound)),
                                      [USE] = cell_value(pair->utilisation_ratio),
                                      [LOAD_THREADS] = small_count_cell(load->threads),
                                      [LOAD_RATE] = cell_value(load->fps),
                                      [LOAD_LOW] = cell_value(load->fps_low),
                                      [LOAD_HIGH] = cell_value(load->fps_high),
                                      [LOAD_LATENCY] = cell_value(load->latency_s),
                                      [KNEE] = small_count_cell(pair->load ? pair->knee_threads : ROOF_NONE),
                                      [MACS] = cell_count(pair->macs),
                                      [MEMORY] = cell_count(pair->memory_bytes),
                                      [LAYERS] = small_count_cell(pair->layers),
                                      [HOST] = small_count_cell(pair->host_layers),
                                      [HOST_ROWS] = cell_text(list_host_rows(pair, "", v->arena)),
                                      [BASIS] = cell_text(bases[pair->basis]),
                                      [ESTIMATE_OF] = cell_text(text_or_empty(pair->estimate_of)),
                                      [FOR_OTHER] =
                                          pair->prediction ? cell_count(pair->is_for_other) : cell_empty,
                                      [FINDINGS] = small_count_cell(pair->findings),
                                      [WHY] = cell_text(text_or_empty(pair->why)),
                                      [TYPE] = cell_text(text_or_empty(pair->data_type)),
                                      [BUSY] = small_count_cell(pair->busy_cores),
                                      [BATCH] = small_count_cell(pair->batch ? pair->batch : ROOF_NONE),
                                      [RANGE] = range_cell(v, pair),
                                      [EXECUTED] = executed_cell(v, pair)};
    memcpy(out, cells, sizeof cells);
}

void predictions_add_rows(const predictions_view *v, cell_grid *grid)
{
    for (uint32_t i = 0; i < v->n; i++) {
        grid_cell cells[COLUMNS];
        cells_of(v, i, grid->csv, cells);
        grid_add(grid, cells, grid->csv ? RANGE : COLUMNS);
    }
}

_Static_assert((int)PREDICTIONS_DOCUMENT_COLUMNS == (int)BATCH && (int)PREDICTIONS_NAMES == (int)EXPECTED,
               "what the header says");

void predictions_document_columns(grid_column out[PREDICTIONS_DOCUMENT_COLUMNS])
{
    memcpy(out, known_columns, BATCH * sizeof *out);
    for (size_t i = 0; i < BATCH; i++)
        out[i].json = out[i].csv;
    out[FOR_OTHER].kind = COLUMN_FLAG;
}

void predictions_document_cells(const predictions_view *v, grid_cell out[PREDICTIONS_DOCUMENT_COLUMNS])
{
    grid_cell cells[COLUMNS];
    cells_of(v, 0, true, cells);
    memcpy(out, cells, BATCH * sizeof *out);
}

void predictions_table(const predictions_view *v, cell_grid *grid)
{
    grid_column *columns = NEW_ARRAY(v->arena, grid_column, COLUMNS);
    if (columns) {
        memcpy(columns, known_columns, sizeof known_columns);
        columns[EXPECTED_RATE].title = rate_title(v);
        columns[EXPECTED].digits = columns[BEST].digits = columns[IDEAL].digits = digits_of_times(v);
    }
    grid_begin(grid, v->arena, columns, COLUMNS);
    grid->n_shown = 0;
    for (size_t i = 0; i < sizeof order_for_people; i++)
        if (is_of_load(order_for_people[i]) ? has_load(v)
            : order_for_people[i] == TYPE   ? has_types(v)
            : order_for_people[i] == BATCH  ? has_batches(v)
                                            : order_for_people[i] != BUSY || has_busy(v))
            grid->shown[grid->n_shown++] = order_for_people[i];
    grid->what = "pair";
    grid->largest = "at best";
    predictions_add_rows(v, grid);
}

void predictions_begin_csv(const predictions_view *v, cell_grid *grid, textbuf *out)
{
    grid_begin_csv(grid, v->arena, known_columns, RANGE, out);
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
                boards = say_more(v->arena, boards, "%s", predictions_board(v, k));
        }
        if (!texts[i] || is_told)
            continue;
        remarks_add(lines, label, "%s%s%s: %s", predictions_model(v, i), are_all ? "" : " on ",
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
