#include "reports/tables/reconcile/reconcile_tables.h"
#include "measure/profile/counter.h"
#include "measure/profile/profile.h"
#include "measure/matches/match_facts.h"
#include "reports/renderers/renderer.h"
#include "roofline/fit.h"
#include "roofline/statistics.h"

/* --- columns ------------------------------------------------------------------------------------------ */

enum {
#define COLUMN(name, ...) name,
#include "reports/tables/reconcile/match_columns.def"
#undef COLUMN
    MATCH_COLUMNS
};
enum { DOCUMENT_COLUMNS = NUMBER };

/* A time, which documents call by its name with its unit. */
#define UNIT_TIME(title, name, rank) GRID_MEMBER(TIME, title, NULL, name, name, rank)

/* In JSON only where it is known. */
#define RATE_MEMBER(name)                                                                                    \
    {                                                                                                        \
        .csv = (name), .json = (name), .is_optional = true                                                   \
    }

/* On a page: what the roofline plots. */
#define PLOTTED(over_) .kind = COLUMN_NUMBER, .rank = 2, .over = (over_), .is_of_screens = true

static const grid_column columns[MATCH_COLUMNS] = {
#define COLUMN(name, ...) [name] = __VA_ARGS__,
#include "reports/tables/reconcile/match_columns.def"
#undef COLUMN
};

/* The order in which people see them. */
static const uint8_t order_of_people[] = {
    NUMBER,    NAME,          TYPE,        DEVICE,      CALLS,         PER_CALL,  CYCLES,      MEASURED,
    CORRECTED, IDEAL,         AT_BEST,     GAP,         HOST,          SHARE,     SHOWN_COV,   EFFICIENCY,
    BOUND,     SHOWN_VERDICT, SHOWN_NOTES, PLOTTED_OPS, PLOTTED_BYTES, INTENSITY, PLOTTED_RATE};

/* --- rows --------------------------------------------------------------------------------------------- */

/* Facts that the rows of an experiment have in common. */
typedef struct matched_rows {
    const roof_reconciled *e;
    name_prefixes prefix;
    bool has_calls;          /* some match is executed more than once */
    bool has_devices;        /* and they run on different ones */
    bool are_shares;         /* nothing else is known of them */
    bool is_plotted;         /* columns of what the roofline plots are shown */
    double cycles;           /* of all matches, where that is all that is known of them; 0: it is not */
    const char *const *busy; /* names of units that are columns of CSV */
    uint32_t n_busy;
    match_rates rates;
    textbuf *names; /* of the rows of a match, for CSV; NULL: it is none */
} matched_rows;

const char *match_bound(const roof_reconciled *e, const roof_match *u)
{
    return u->bound == ROOF_NONE || !e->prediction ? "" : e->prediction->engines[u->bound];
}

void match_notes(const roof_reconciled *e, const roof_match *u, char *text, size_t size)
{
    static const struct {
        roof_finding_kind kind;
        const char *words;
    } notes[] = {{ROOF_FINDING_IMPOSSIBLE, "faster than its limit"},
                 {ROOF_FINDING_ONE_OUTLIER, "one outlier"},
                 {ROOF_FINDING_OUTLIERS, "outliers"},
                 {ROOF_FINDING_HIGH_COV, "high CoV"},
                 {ROOF_FINDING_WARM_UP, "warm-up"},
                 {ROOF_FINDING_DRIFT, "drift"},
                 {ROOF_FINDING_CHANGED, "a step in time"},
                 {ROOF_FINDING_TWO_SPEEDS, "two speeds"},
                 {ROOF_FINDING_SIDE_ENGINE, "fused part is the bottleneck"},
                 {ROOF_FINDING_REPEATED_ROW, "repeated row"},
                 {ROOF_FINDING_NO_LAYER, "fits no layer"},
                 {ROOF_FINDING_NOT_MEASURED, "absent from the profile"},
                 {ROOF_FINDING_JOINED, "several layers"},
                 {ROOF_FINDING_CUT, "several rows"},
                 {ROOF_FINDING_WEAK_MATCH, "by order alone"},
                 {ROOF_FINDING_ESTIMATED, "from its share"},
                 {ROOF_FINDING_ZERO_TIME, "time is 0"},
                 {ROOF_FINDING_FEW_SAMPLES, "few samples"},
                 {ROOF_FINDING_COV_DIFFERS, "other CoV printed"},
                 {ROOF_FINDING_BYTES_DIFFER, "other bytes"},
                 {ROOF_FINDING_ROUNDED_RATE, "rate is rounded"}};
    /* by the tool, which measured nothing of it */
    bool is_estimated = u->n_rows && match_row(e, u, 0)->basis == ROOF_TIME_ESTIMATED;
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < N_OF(notes) && used < size; i++)
        if (u->notes & ROOF_NOTE(notes[i].kind))
            used += (size_t)snprintf(
                text + used, size - used, "%s%s", used ? "; " : "",
                notes[i].kind == ROOF_FINDING_ESTIMATED && is_estimated ? "estimated" : notes[i].words);
}

/* As the profile says it, else the model; "" where neither does. */
static const char *device_of(const roof_reconciled *e, const roof_match *u)
{
    const roof_layer_counters *c = u->n_rows ? match_row(e, u, 0)->counters : NULL;
    if (c && c->device)
        return c->device;
    return u->n_layers && !u->is_unlisted ? text_or_empty(match_layer(e, u, 0)->device) : "";
}

/* Where the profile tells what ran a row, and it is not always the same. */
static bool has_devices(const roof_reconciled *e)
{
    const char *first = NULL;
    FOR_EACH(const roof_match, u, e->matches, e->n_matches) {
        const roof_layer_counters *c = u->n_rows ? match_row(e, u, 0)->counters : NULL;
        if (c && c->device && first && strcmp(c->device, first) != 0)
            return true;
        first = c && c->device ? c->device : first;
    }
    return false;
}

void reconcile_put_row_names(jsonout *j, const char *key, const roof_reconciled *e, const roof_match *u)
{
    jsonout_array(j, key, true);
    for (uint32_t i = 0; i < u->n_rows; i++) {
        const roof_measured_layer *row = match_row(e, u, i);
        if (row->name)
            jsonout_string(j, NULL, row->name);
        else
            jsonout_count(j, NULL, row->index == ROOF_NONE ? ROOF_UNKNOWN : row->index);
    }
    jsonout_end(j);
}

/* The median's interval needs the samples. */
void reconcile_put_statistics(jsonout *j, const char *key, const roof_times *t)
{
    roof_statistics s = {
        .median_low = NAN, .median_high = NAN, .median_confidence_ratio = NAN, .outliers = ROOF_UNKNOWN};
    if (!t ||
        (!t->samples_s && isnan(t->median_s) && isnan(t->p95_s) && isnan(t->p99_s) && isnan(t->cov_ratio)))
        return;
    if (t->samples_s && roof_statistics_of(t->samples_s, (size_t)t->count, &s, NULL) == ROOF_E_NO_MEMORY)
        j->out->failed = true;
    jsonout_object(j, key, true);
    jsonout_count(j, "count", t->count);
    if (t->warm_up)
        jsonout_count(j, "warm_up", t->warm_up);
    jsonout_derived(j, "mean_s", t->mean_s);
    jsonout_derived(j, "std_s", t->std_s);
    jsonout_derived(j, "cov_ratio", t->std_s / t->mean_s);
    if (!isnan(t->cov_ratio))
        jsonout_derived(j, "printed_cov_ratio", t->cov_ratio);
    jsonout_derived(j, "min_s", t->min_s);
    jsonout_derived(j, "median_s", t->median_s);
    jsonout_derived(j, "p95_s", t->p95_s);
    jsonout_derived(j, "p99_s", t->p99_s);
    jsonout_derived(j, "max_s", t->max_s);
    jsonout_derived_pair(j, "median_interval_s", (double[]){s.median_low, s.median_high});
    jsonout_derived(j, "median_confidence_ratio", s.median_confidence_ratio);
    jsonout_count(j, "outliers", s.outliers);
    jsonout_end(j);
}

/* The names of its rows, and what there is to note of it. */
static void add_csv_texts(const matched_rows *all, const roof_match *u, cell_grid *grid)
{
    const roof_reconciled *e = all->e;
    char notes[200];
    match_notes(e, u, notes, sizeof notes);
    all->names->length = 0;
    text_puts(all->names, "");
    for (uint32_t i = 0; i < u->n_rows; i++)
        text_printf(all->names, "%s%s", i ? " + " : "", text_or_empty(match_row(e, u, i)->name));
    GRID_ADD(grid, cell_text(all->names->failed ? NULL : all->names->bytes), cell_text(notes),
             cell_count(u->executions ? u->executions : ROOF_UNKNOWN));
}

/* The units of the accelerator. */
static void add_csv_busy(const matched_rows *all, const roof_match *u, cell_grid *grid)
{
    const roof_reconciled *e = all->e;
    roof_busy_ratios own = roof_match_busy(e, u);
    for (uint32_t c = 0; c < all->n_busy; c++) {
        const uint32_t n = e->busy ? e->busy->n : 0, at = n ? WORD_AT(e->busy->names, n, all->busy[c]) : 0;
        GRID_ADD(grid, cell_value(at < n ? own.ratios[at] : (double)NAN));
    }
    if (all->n_busy)
        GRID_ADD(grid, cell_text(text_or_empty(roof_busy_bound_text(own.bound))),
                 cell_value(busy_unit_bytes_per_s(e, u)));
}

static void add_match(const matched_rows *all, const roof_match *u, cell_grid *grid)
{
    static const cell_colour colours[ROOF_VERDICT_COUNT] = {[ROOF_VERDICT_IMPOSSIBLE] = CELL_RED,
                                                            [ROOF_VERDICT_GAP] = CELL_YELLOW,
                                                            [ROOF_VERDICT_OVERHEAD] = CELL_CYAN};
    const roof_reconciled *e = all->e;
    const roof_verdict verdict = (roof_verdict)u->verdict;
    const roof_match_method match = (roof_match_method)u->method;
    GRID_ADD(grid, cell_text(e->model), cell_count(u->n_layers ? match_layer(e, u, 0)->index : ROOF_UNKNOWN));
    if (grid->json && u->n_layers > 1) {
        jsonout_array(grid->json, "layers", true);
        for (uint32_t i = 0; i < u->n_layers; i++)
            jsonout_count(grid->json, NULL, match_layer(e, u, i)->index);
        jsonout_end(grid->json);
    }
    GRID_ADD(grid, cell_text(prediction_name_without(all->prefix, u->name)),
             cell_text(text_or_empty(u->type)));
    if (grid->json)
        jsonout_string(grid->json, "type", u->type);
    GRID_ADD(grid, cell_count(u->executions > 1 ? u->executions : ROOF_UNKNOWN), cell_value(u->ideal_s),
             cell_value(u->scheduled_s), cell_value(u->measured_s), cell_value(u->overhead_s),
             cell_value(u->corrected_s), cell_value(u->gap_s), cell_value(u->host_s),
             cell_value(roof_match_efficiency(u)), cell_value(roof_match_share(e, u)),
             cell_value(u->cov_ratio), cell_value(roof_match_printed_cov(e, u)), cell_text(match_bound(e, u)),
             cell_text(roof_verdict_text(verdict)), cell_text(roof_match_method_text(match)),
             cell_value(roof_match_method_confidence(match)));
    if (grid->json) {
        /* Puts what no column of JSON can say: lists, and objects in the object of a match. */
        busy_put_match_json(grid->json, e, u);
        reconcile_put_row_names(grid->json, "matched_rows", e, u);
        if (u->n_rows == 1)
            reconcile_put_statistics(grid->json, "statistics", &match_row(e, u, 0)->time);
        jsonout_array(grid->json, "findings", true);
        for (int kind = ROOF_FINDING_FIRST_NOTE; kind < ROOF_FINDING_COUNT; kind++)
            if (u->notes & ROOF_NOTE(kind))
                jsonout_string(grid->json, NULL, roof_finding_kind_text((roof_finding_kind)kind));
        jsonout_end(grid->json);
    }
    if (all->names)
        add_csv_texts(all, u, grid);
    else
        GRID_ADD(grid, cell_empty, cell_empty, cell_empty);
    const double rate = u->is_unlisted || !u->n_rows ? NAN : match_ops_per_s(e, u);
    GRID_ADD(grid, cell_value(u->n_rows == 1 ? match_row(e, u, 0)->time.std_s : (double)NAN),
             cell_value(rate), cell_value(quotient_of(rate, all->rates.peak)),
             cell_value(quotient_of(rate, all->rates.first)), cell_value(quotient_of(rate, all->rates.best)));
    const launch_counts launches = match_launches(e, u);
    GRID_ADD(grid, cell_value(match_allocated_bytes(e, u)), cell_value(launches.all),
             cell_value(launches.shared * e->row_launch_s[0]),
             cell_value(launches.shared * e->row_launch_s[1]));
    if (all->names)
        add_csv_busy(all, u, grid);
    if (grid_ends_document_row(grid))
        return;
    char notes[200] = "absent from the profile";
    if (!u->is_unlisted)
        match_notes(e, u, notes, sizeof notes);
    bool is_listed = u->n_layers && !u->is_unlisted;
    double calls = all->has_calls && u->executions ? (double)u->executions : (double)NAN;
    double cycles = all->cycles > 0 ? match_cycles(e, u) : (double)NAN;
    double share = roof_match_is_repeated(u) ? (double)NAN /* in no sum */
                   : all->cycles > 0         ? quotient_of(cycles, all->cycles)
                                             : roof_match_share(e, u);
    GRID_ADD(grid, is_listed ? cell_number(match_layer(e, u, 0)->index, 0) : cell_text("--"),
             cell_text(all->has_devices ? device_of(e, u) : ""), cell_number(calls, 0),
             cell_value(u->measured_s / calls), cell_number(cycles, 0),
             all->are_shares ? cell_number(100 * share, 3)
                             : cell_value(share), /* as their tool prints them */
             cell_value(match_shown_cov(e, u)), cell_coloured(roof_verdict_words(verdict), colours[verdict]),
             cell_text(notes[0] ? arena_strdup(grid->arena, notes) : ""));
    if (!is_listed || !all->is_plotted) {
        GRID_ADD(grid, cell_empty, cell_empty, cell_empty, cell_empty);
        return;
    }
    const double ops = match_plotted_ops(e, u), bytes = match_plotted_bytes(e, u);
    GRID_ADD(grid, cell_value(ops), cell_value(bytes), cell_value(ops / bytes),
             cell_value(u->measured_s > 0 ? ops / u->measured_s : (double)NAN));
}

/* The sums of the columns over all matches that count, so that a reader can check them. */
static void add_sums(const roof_reconciled *e, cell_grid *grid)
{
    double measured = NAN, corrected = NAN, ideal = NAN, scheduled = NAN, gap = NAN, host = NAN;
    for (uint32_t i = 0, n = 0; i < e->n_matches; i++) {
        const roof_match *u = &e->matches[i];
        if (isnan(u->measured_s) || roof_match_is_repeated(u))
            continue;
        measured = add_if_known(measured, u->measured_s);
        corrected = n++ ? corrected + u->corrected_s : u->corrected_s; /* not known when one of them is not */
        ideal = add_if_known(ideal, u->ideal_s);
        scheduled = add_if_known(scheduled, u->scheduled_s);
        gap = add_if_known(gap, u->gap_s);
        host = add_if_known(host, u->host_s);
    }
    const roof_profile *p = e->profile;
    const grid_cell cells[MATCH_COLUMNS] = {
        [NAME] = cell_text(p && p->is_estimated ? "total estimated" : "total measured"),
        [CYCLES] = cell_number(p && p->basis == ROOF_PROFILE_CYCLES ? p->total : (double)NAN, 0),
        [MEASURED] = cell_value(measured),
        [CORRECTED] = cell_value(corrected),
        [IDEAL] = cell_value(ideal),
        [AT_BEST] = cell_value(scheduled),
        [GAP] = cell_value(isnan(gap) && !isnan(ideal) ? 0 : gap),
        [HOST] = cell_value(host),
        [SHARE] = cell_value(quotient_of(measured, experiment_shared_s(e))),
        [EFFICIENCY] = cell_value(quotient_of(ideal, measured))};
    grid_add(grid, cells, MATCH_COLUMNS);
    grid->n_last = 1;
}

typedef struct placed_match {
    double place;
    uint32_t unit;
} placed_match;

/* Matches as people read them: a row that no layer has stands behind the layer whose row it follows in the
 * profile, so that work of the CPU is where it is done. NULL without memory. */
static const placed_match *order_of_work(const roof_reconciled *e, roof_arena *arena)
{
    const uint32_t n_rows = e->layer_run ? e->layer_run->n_layers : 0;
    placed_match *order = NEW_ARRAY(arena, placed_match, (size_t)e->n_matches + 1);
    uint32_t *unit_of = NEW_ARRAY(arena, uint32_t, (size_t)n_rows + 1);
    double last = -1; /* in front of all layers */
    if (!order || !unit_of)
        return NULL;
    for (uint32_t i = 0; i < n_rows; i++)
        unit_of[i] = ROOF_NONE;
    for (uint32_t i = 0; i < e->n_matches; i++) {
        order[i] = (placed_match){i, i};
        for (uint32_t k = 0; e->layer_run && k < e->matches[i].n_rows; k++)
            unit_of[match_row(e, &e->matches[i], k) - e->layer_run->layers] = i;
    }
    for (uint32_t i = 0; i < n_rows; i++) {
        if (unit_of[i] == ROOF_NONE)
            continue;
        if (e->matches[unit_of[i]].n_layers)
            last = unit_of[i];
        else
            order[unit_of[i]].place = last + (i + 1) / (n_rows + 2.0);
    }
    order_sort(order, e->n_matches, sizeof *order, ORDER_BY(RISING(placed_match, place)));
    return order;
}

/* --- for people --------------------------------------------------------------------------------------- */

void reconcile_view_matches(const reconcile_scope *s, cell_grid *grid)
{
    const roof_reconciled *e = s->e;
    const roof_profile *p = e->profile;
    matched_rows all = {.e = e, .prefix = s->prefix, .has_calls = experiment_has_executions(e)};
    all.has_devices = all.has_calls && has_devices(e);
    all.cycles = p && p->basis == ROOF_PROFILE_CYCLES ? p->total : 0;
    all.are_shares = p && p->basis == ROOF_PROFILE_SHARES;
    all.is_plotted = s->is_page && e->prediction && e->layer_run;
    const bool is_hidden[MATCH_COLUMNS] = {[DEVICE] = !all.has_devices,
                                           [CALLS] = !all.has_calls,
                                           [PER_CALL] = !all.has_calls,
                                           [CYCLES] = !(all.cycles > 0),
                                           [SHOWN_VERDICT] = p, /* all are "no ideal" */
                                           [PLOTTED_OPS] = !all.is_plotted,
                                           [PLOTTED_BYTES] = !all.is_plotted,
                                           [INTENSITY] = !all.is_plotted,
                                           [PLOTTED_RATE] = !all.is_plotted};
    reconcile_begin(s, grid, columns, N_OF(columns));
    grid->what = "row";
    grid->largest = p && p->basis == ROOF_PROFILE_SHARES   ? "share"
                    : p && p->basis == ROOF_PROFILE_CYCLES ? "cycles"
                                                           : "measured";
    grid->is_ranked = true;
    grid->n_shown = 0;
    for (size_t i = 0; i < N_OF(order_of_people); i++)
        if (!is_hidden[order_of_people[i]])
            grid->shown[grid->n_shown++] = order_of_people[i];
    /* without times all rows are kept until they are ranked */
    const bool has_times = !p || p->basis == ROOF_PROFILE_TIMES;
    const bool *shown = GRID_CHOOSE(grid, e->matches, measured_s, has_times ? e->n_matches : 0, s->most);
    const placed_match *order = order_of_work(e, s->arena);
    for (uint32_t i = 0; i < e->n_matches && order; i++)
        if (!shown || shown[order[i].unit])
            add_match(&all, &e->matches[order[i].unit], grid);
    add_sums(e, grid);
}

/* --- documents ---------------------------------------------------------------------------------------- */

void matches_put_json(jsonout *json, const roof_reconciled *e)
{
    const matched_rows all = {.e = e, .rates = experiment_rates(e)};
    cell_grid grid;
    grid_begin(&grid, NULL, columns, N_OF(columns));
    grid_begin_json(&grid, json, "layers", true);
    for (uint32_t i = 0; i < e->n_matches; i++)
        add_match(&all, &e->matches[i], &grid);
    grid_end_json(&grid);
}

/* One row per unit, base units in the header, empty for what is unknown. A row is written before the next
 * one is made, so that a million of them need the memory of one. */
void reconcile_csv(const rendering *to)
{
    const roof_reconciliation *r = to->reconciliation;
    const char *busy[ROOF_MAX_BUSY];
    if (timed_put_csv(r, to->arena, to->out))
        return;
    /* behind the others a column of each unit of the accelerator that any experiment has */
    uint32_t n_busy = 0;
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        const roof_busy *b = r->experiments[i].busy;
        for (uint32_t k = 0; b && k < b->n; k++) {
            if (WORD_AT(busy, n_busy, b->names[k]) == n_busy && n_busy < ROOF_MAX_BUSY)
                busy[n_busy++] = b->names[k];
        }
    }
    grid_column all[DOCUMENT_COLUMNS + ROOF_MAX_BUSY + 2];
    size_t n = DOCUMENT_COLUMNS;
    bool is_any_repeated = false, is_any_launched = false;
    textbuf names;
    cell_grid grid;
    memcpy(all, columns, DOCUMENT_COLUMNS * sizeof *all);
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        is_any_repeated = is_any_repeated || experiment_has_executions(&r->experiments[i]);
        is_any_launched = is_any_launched || !isnan(experiment_launches(&r->experiments[i]).all);
    }
    if (!is_any_repeated)
        all[CSV_EXECUTIONS].csv = NULL;
    if (!is_any_launched)
        all[LAUNCHES].csv = all[LEAST_LAUNCHING].csv = all[MOST_LAUNCHING].csv = NULL;
    for (uint32_t k = 0; k < n_busy; k++)
        all[n++] = (grid_column)GRID_CSV(say_printf(to->arena, "busy_%s_ratio", busy[k]));
    if (n_busy) {
        all[n++] = (grid_column)GRID_CSV("busy_bound");
        all[n++] = (grid_column)GRID_CSV("bytes_per_s");
    }
    text_init(&names, TEXT_MAX_BYTES);
    grid_begin_csv(&grid, to->arena, all, n, to->out);
    table_keep_csv(to, &grid);
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
        const matched_rows rows = {
            .e = e, .busy = busy, .n_busy = n_busy, .rates = experiment_rates(e), .names = &names};
        for (uint32_t k = 0; k < e->n_matches; k++)
            add_match(&rows, &e->matches[k], &grid);
    }
    grid.is_ranked = true;
    table_put_csv(to, &grid, "measured_s");
    text_free(&names);
}

/* --- rows as they were timed ---------------------------------------------------------------------------- */

static double buffer_events(const roof_measured_layer *row, roof_counter_direction direction,
                            roof_counter_quantity quantity)
{
    const roof_event wanted = {.scope = ROOF_COUNTER_BUFFER, .direction = direction, .quantity = quantity};
    const roof_layer_counters *c = row->counters;
    return c ? known_count(counter_find(c->events, c->n_events, &wanted)) : NAN;
}

bool reconcile_has_buffer_times(const roof_reconciled *e)
{
    bool has = false;
    for (uint32_t i = 0; e->layer_run && i < e->layer_run->n_layers && !has; i++) {
        const roof_layer_counters *c = e->layer_run->layers[i].counters;
        has = c && (c->write_s >= 0 || c->run_s >= 0 || c->read_s >= 0);
    }
    return has;
}

void reconcile_view_row_times(const reconcile_scope *s, cell_grid *grid)
{
    GRID_COLUMNS(times, GRID_NAME("one call of", 0), GRID_NUMBER("calls", NULL, 5),
                 GRID_NUMBER("repeated", NULL, 6), GRID_TIME("mean", 0), GRID_TIME("deviation", 1),
                 GRID_SCALED("mean +-", "[us]", 3, .times = 1e6, .digits = 2), GRID_PERCENT("CoV", 1),
                 GRID_PERCENT("share", 1), GRID_TIME("min", 2), GRID_TIME("max", 2), GRID_TIME("write", 1),
                 GRID_TIME("run", 1), GRID_TIME("read", 1),
                 GRID_SCALED("written", "[MiB]", 3, .over = 1048576.0, .digits = 1),
                 GRID_NUMBER("read back", "[buffers]", 7),
                 GRID_SCALED("allocated", "[MiB]", 2, .over = 1048576.0, .digits = 2),
                 GRID_NUMBER("launches", NULL, 2), GRID_SCALED("up to", "[us]", 2, .times = 1e6, .digits = 1),
                 GRID_SCALED("rate", "[GOP/s]", 1, .over = 1e9, .digits = 1), GRID_PERCENT("of peak", 3),
                 GRID_SCALED("of first", "[x]", 4, .digits = 3),
                 GRID_SCALED("of best", "[x]", 4, .digits = 3),
                 GRID_SCALED("moved", "[GB/s]", 2, .over = 1e9, .digits = 2), GRID_PERCENT("of memory", 3));
    const roof_reconciled *e = s->e;
    const match_rates rates = experiment_rates(e);
    const roof_layer_counters unknown = layer_counters_unknown();
    reconcile_begin(s, grid, times, N_OF(times));
    grid->what = "row";
    grid->largest = "mean";
    FOR_EACH(const roof_match, u, e->matches, e->n_matches) {
        if (u->n_rows != 1 || u->is_unlisted)
            continue;
        const roof_measured_layer *row = match_row(e, u, 0);
        const roof_layer_counters *c = row->counters ? row->counters : &unknown;
        const roof_times *t = &row->time;
        const double rate = match_ops_per_s(e, u);
        const launch_counts launches = match_launches(e, u);
        double counted = NAN, predicted;
        if (!e->prediction) /* whose tables have them beside what it moves */
            roof_match_bytes(e, u, &counted, &predicted);
        const double moved = quotient_of(counted, u->measured_s);
        if (!(t->std_s >= 0 || t->min_s >= 0 || t->max_s >= 0 || c->write_s >= 0 || c->run_s >= 0 ||
              launches.all >= 0 || match_allocated_bytes(e, u) >= 0 ||
              (!e->prediction && (rate / rates.peak >= 0 || moved / e->peak_bytes_per_s >= 0))))
            continue; /* what has a mean and nothing else is in the other table */
        if (s->most && grid->n_rows == s->most) {
            grid->left_out++;
            continue;
        }
        /* of the 95 % interval of the mean, by Student's t: what more repetitions would shrink */
        const double half_s = t->count != ROOF_UNKNOWN && t->count >= 2 && t->count <= UINT32_MAX
                                  ? roof_fit_t95((uint32_t)(t->count - 1)) * t->std_s / sqrt((double)t->count)
                                  : (double)NAN;
        GRID_ADD(grid, cell_text(prediction_name_without(s->prefix, u->name)),
                 cell_number(row_executions(row), 0), cell_number(known_count(t->count), 0),
                 cell_value(row_time_s(e->layer_run, row)), cell_value(t->std_s), cell_value(half_s),
                 cell_value(match_shown_cov(e, u)), cell_value(roof_match_share(e, u)), cell_value(t->min_s),
                 cell_value(t->max_s), cell_value(c->write_s), cell_value(c->run_s), cell_value(c->read_s),
                 cell_value(buffer_events(row, ROOF_COUNTER_WRITE, ROOF_COUNTER_BYTES)),
                 cell_number(buffer_events(row, ROOF_COUNTER_READ, ROOF_COUNTER_PIECES), 0),
                 cell_value(match_allocated_bytes(e, u)), cell_number(launches.all / row_executions(row), 0),
                 cell_value(launches.shared / row_executions(row) * e->row_launch_s[1]), cell_value(rate),
                 cell_value(quotient_of(rate, rates.peak)), cell_value(quotient_of(rate, rates.first)),
                 cell_value(quotient_of(rate, rates.best)), cell_value(moved),
                 cell_value(quotient_of(moved, e->peak_bytes_per_s)));
    }
}

void reconcile_view_stages(const reconcile_scope *s, cell_grid *grid)
{
    enum { MOST = 64 };
    GRID_COLUMNS(stages, GRID_NAME("stage, by output", 0), GRID_NUMBER("layers", NULL, 0),
                 GRID_TIME("measured", 0), GRID_PERCENT("share", 1),
                 GRID_SCALED("rate", "[GOP/s]", 0, .over = 1e9, .digits = 1), GRID_PERCENT("of peak", 1));
    const roof_reconciled *e = s->e;
    const char *names[MOST];
    double seconds[MOST], ops[MOST];
    uint32_t layers[MOST], n = 0;
    reconcile_begin(s, grid, stages, N_OF(stages));
    for (uint32_t i = 0; e->prediction && i < e->n_matches; i++) {
        const roof_match *u = &e->matches[i];
        const double rate = u->n_rows && u->n_layers && !u->is_unlisted && !roof_match_is_repeated(u)
                                ? match_ops_per_s(e, u)
                                : (double)NAN;
        const char *name = isnan(rate) ? NULL : match_output_size(e, u, s->arena);
        if (!name || !*name)
            continue;
        const uint32_t at = WORD_AT(names, n, name);
        if (at == n && n == MOST)
            return;
        if (at == n) {
            names[n] = name;
            seconds[n] = ops[n] = 0;
            layers[n++] = 0;
        }
        seconds[at] += u->measured_s;
        ops[at] += rate * u->measured_s;
        layers[at]++;
    }
    const double peak = experiment_rates(e).peak;
    for (uint32_t i = 0; i < n && n > 1; i++) {
        const double rate = quotient_of(ops[i], seconds[i]);
        GRID_ADD(grid, cell_text(names[i]), cell_number(layers[i], 0), cell_value(seconds[i]),
                 cell_value(quotient_of(seconds[i], experiment_shared_s(e))), cell_value(rate),
                 cell_value(quotient_of(rate, peak)));
    }
}

void reconcile_view_blocks(const reconcile_scope *s, cell_grid *grid)
{
    GRID_COLUMNS(blocks, GRID_NUMBER("block", NULL, 0), GRID_TIME("measured", 0), GRID_PERCENT("share", 1),
                 GRID_SCALED("of mean", "[x]", 2, .digits = 3), GRID_TIME("expected", 1));
    const roof_run *run = s->e->layer_run;
    const roof_prediction *p = s->e->prediction;
    double sum_s = 0, expected_s = NAN; /* of rows that are executed as often as there are parts */
    for (uint32_t i = 0; run && p && i < p->n_layers; i++)
        if (p->layers[i].repeat == run->n_blocks)
            expected_s = isnan(expected_s) ? p->layers[i].predicted_s : expected_s + p->layers[i].predicted_s;
    reconcile_begin(s, grid, blocks, N_OF(blocks));
    grid->what = "block";
    for (uint32_t i = 0; run && i < run->n_blocks; i++)
        sum_s += run->blocks_s[i];
    for (uint32_t i = 0; run && i < run->n_blocks; i++)
        GRID_ADD(grid, cell_number(i, 0), cell_value(run->blocks_s[i]),
                 cell_value(quotient_of(run->blocks_s[i], times_typical(&run->total))),
                 cell_value(quotient_of(run->blocks_s[i], sum_s / run->n_blocks)), cell_value(expected_s));
}
