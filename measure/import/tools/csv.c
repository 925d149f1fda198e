/* Tables of any tool, by a map of their columns (csvmap.c).
 *
 * The separator (',', ';', tab or '|') is the one with which a line has all mapped headings; what stands
 * above that line is skipped, and everything below it is a row. Rows of one name are repetitions of one layer
 * when the time is all that is known of them; when a statistic is mapped, each row is a summary already, and
 * a second one of the same name (and index, where that is mapped) is an error.
 *
 * Numbers have a decimal point, or between semicolons a comma, as spreadsheets write them where it cannot be
 * one of thousands (0,5 and 12,75). Thousands may be apart by commas where that cannot be misread (1,234.5
 * and 1,234,567); 1,234 and elsewhere 0,5 are refused, since they are different numbers in different
 * countries.
 */
#include "measure/import/row.h"
#include "measure/import/timings.h"

/* A heading is looked for in so much. */
enum { SEARCHED_LINES = 1000, SEARCHED_BYTES = 1 << 20 };

enum { MOST_GROUPS = 4096 };

static roof_text_phase phase_of(const char *word)
{
    static const char *const prefills[] = {"prefill", "Prefill", "prompt", "pp"};
    static const char *const decodes[] = {"decode", "Decode", "generation", "tg"};
    const text_span span = span_of(word);
    return SPAN_IS_ONE_OF(prefills, span)  ? ROOF_TEXT_PREFILL
           : SPAN_IS_ONE_OF(decodes, span) ? ROOF_TEXT_DECODE
                                           : ROOF_TEXT_UNSTATED;
}

static const char separators[] = {',', ';', '\t', '|'};
enum { N_SEPARATORS = sizeof separators };

/* Rows of a model and phase. */
typedef struct row_group {
    const char *model, *phase; /* NULL: not mapped */
    uint32_t n_rows;           /* different ones */
} row_group;

typedef struct reading {
    import_state *in;
    csvmap map;
    const char *called[ROW_KEYS]; /* as errors name each column; NULL: none of its cells was read */
    table_reader *table;          /* NULL until the heading is found */
    row_timings timings; /* its rows are those of the import, when more than names and times are mapped */
    uint64_t searched_bytes, first_conflict;
    bool has_headings, has_facts, unique;
    char separator;    /* of the table */
    uint32_t rate;     /* the column of inferences/s; ROOF_NONE: there is none */
    bool is_of_models; /* each row is a model: its rate is the inverse of its time, or its heading says so */
    row_group *groups;
    uint32_t n_groups;
    bool from_zero;       /* the tool counts places from 0 */
    table_reader *widest; /* of the lines without the headings, the one with most columns; NULL: none */
} reading;

static unsigned sniff(const char *text)
{
    size_t first = strcspn(text, "\r\n");
    for (size_t i = 0; i < N_SEPARATORS; i++)
        if (memchr(text, separators[i], first) && strchr(text + first, separators[i]) && text[0] != '{' &&
            text[0] != '[')
            return SNIFF_MAYBE;
    return 0;
}

/* Notes whether rows are models, by the headings, and which column has inferences/s. */
static void see_headings(reading *r)
{
    static const char *const models[] = {"Model", "model", "Models", "Network", "network", "Networks", "DNN"};
    static const char *const rates[] = {"FPS",   "fps",      "frames/s",    "Frames/s",
                                        "img/s", "images/s", "inferences/s"};
    const text_span name = table_cell(r->table, r->map.entries[ROW_NAME].column);
    r->rate = ROOF_NONE;
    r->is_of_models = r->map.entries[ROW_NAME].used && SPAN_IS_ONE_OF(models, name);
    for (uint32_t c = 0; c < table_columns(r->table); c++)
        for (size_t i = 0; i < N_OF(rates); i++)
            r->rate = span_has(table_cell(r->table, c), rates[i]) ? c : r->rate;
    r->is_of_models = r->is_of_models || r->rate != ROOF_NONE;
}

/* False where a heading is not there, or twice. */
static bool find_headings(const table_reader *t, csvmap *map)
{
    for (map_entry *e = map->entries; e < map->entries + MAP_KEYS; e++) {
        uint32_t n_found = 0;
        for (uint32_t c = 0; e->heading[0] && c < table_columns(t); c++)
            if (span_is(table_cell(t, c), e->heading) && !n_found++)
                e->column = c;
        if (e->heading[0] && n_found != 1)
            e->column = ROOF_NONE;
        if (e->used && e->column >= table_columns(t))
            return false;
    }
    return true;
}

/* Begins the table where the line, cut at that separator, is the heading. */
static roof_status try_separator(reading *r, const import_line *line, char separator, roof_error *err)
{
    bool complete = false;
    table_reader *t = table_new(separator), *unused = t;
    TRY(ALLOCATED(t, err));
    roof_status status = table_feed(t, line, &complete, NULL);
    if (status == ROOF_OK && complete && r->in->options->map && find_headings(t, &r->map)) {
        r->table = t;
        r->separator = separator;
        unused = NULL;
        see_headings(r);
    } else if (status == ROOF_OK && complete && (!r->widest || table_columns(t) > table_columns(r->widest))) {
        unused = r->widest;
        r->widest = t;
    }
    table_free(unused);
    return status == ROOF_E_NO_MEMORY ? error_memory(err) : ROOF_OK;
}

/* Takes the commas out of 1,234.5 and 1,234,567. */
static roof_status plain_number(text_span cell, const char *what, bool has_commas,
                                char buffer[PLAIN_NUMBER_SIZE], text_span *out, roof_error *err)
{
    *out = cell;
    if (!cell.length || !memchr(cell.text, ',', cell.length))
        return ROOF_OK;
    const char *comma = memchr(cell.text, ',', cell.length);
    const size_t behind = (size_t)(cell.text + cell.length - comma) - 1;
    const bool is_certain = memchr(cell.text, '.', cell.length) || memchr(comma + 1, ',', behind);
    if (has_commas && cell.length < PLAIN_NUMBER_SIZE && !is_certain &&
        (behind != 3 || cell.text[0] == '0')) {
        memcpy(buffer, cell.text, cell.length);
        buffer[comma - cell.text] = '.';
        *out = (text_span){buffer, cell.length};
        return ROOF_OK;
    }
    if (is_certain && span_plain_number(cell, '.', buffer, out) && buffer[0] != '0')
        return ROOF_OK;
    return error_data(
        err,
        "%.80s is '%s', want a number with a decimal point; a comma means thousands to some and "
        "decimals to others",
        what, SHOWN(cell));
}

/* In base units. Only a name and a time may not be empty. */
static roof_status read_value(reading *r, row_column key, double *out, roof_error *err)
{
    const map_entry *e = &r->map.entries[key];
    uint64_t count;
    text_span cell = table_cell(r->table, e->column);
    char shown[SHOWN_SIZE], buffer[PLAIN_NUMBER_SIZE];
    *out = NAN;
    if (!cell.length && key != ROW_TIME)
        return ROOF_OK;
    if (!r->called[key])
        r->called[key] =
            arena_printf(r->in->scratch, "column %u, %s,", e->column + 1, csvmap_column(e, shown));
    const char *what = r->called[key];
    TRY(ALLOCATED(what, err));
    if (key == ROW_SHARE && cell.text[cell.length - 1] == '%')
        cell = span_trim((text_span){cell.text, cell.length - 1});
    if (key == ROW_LAUNCHES && memchr(cell.text, ' ', cell.length)) /* "6 stitched" */
        cell.length = (size_t)((const char *)memchr(cell.text, ' ', cell.length) - cell.text);
    TRY(plain_number(cell, what, r->separator == ';', buffer, &cell, err));
    if (key == ROW_COUNT || key == ROW_INDEX || key == ROW_EXECUTIONS || key == ROW_LAUNCHES ||
        key == ROW_BOUNDARIES) {
        TRY(span_count(cell, what, &count, err));
        if ((key != ROW_INDEX && !count) || (key >= ROW_EXECUTIONS && count >= ROOF_NONE) ||
            (key == ROW_INDEX && count >= ROOF_NONE - 1))
            return error_data(err, "%s is %llu, want a number from %d%s", what, (unsigned long long)count,
                              key != ROW_INDEX, key == ROW_COUNT ? "" : " to 2^32");
        *out = (double)count;
        return ROOF_OK;
    }
    TRY(span_number(cell, what, out, err));
    if (key == ROW_CYCLES && *out > 9e15)
        return error_data(err, "%s is %g, want at most 2^53", what, *out);
    *out *= e->scale;
    if (key == ROW_SHARE && *out > 1 + 1e-6)
        return error_data(err, "%s is a share of %g, want at most 1: is the unit %%?", what, *out);
    return ROOF_OK;
}

/* The number of a row's model and phase. */
static roof_status group_of(reading *r, const table_row *row, uint32_t *out, roof_error *err)
{
    for (*out = 0; *out < r->n_groups; ++*out)
        if (text_same(r->groups[*out].model, row->group) && text_same(r->groups[*out].phase, row->word))
            return ROOF_OK;
    TRY(HAS_ROOM(r->n_groups, MOST_GROUPS, err, "models and phases"));
    return ARENA_ADD(r->in->scratch, r->groups, r->n_groups, err, (row_group){row->group, row->word, 0});
}

/* Reads its words: model, phase, device and type. A model and a phase that are mapped may not be empty. */
static roof_status read_row_texts(reading *r, table_row *out, roof_error *err)
{
    const struct {
        uint32_t key;
        const char **text;
    } texts[] = {{ROW_TYPE, &out->type},
                 {MAP_MODEL, &out->group},
                 {MAP_PHASE, &out->word},
                 {MAP_DEVICE, &out->device}};
    for (size_t i = 0; i < N_OF(texts); i++) {
        const map_entry *e = &r->map.entries[texts[i].key];
        const text_span word = e->used ? table_cell(r->table, e->column) : (text_span){"", 0};
        if (word.length)
            TRY(import_keep_name(r->in, word, texts[i].text, err));
        else if (e->used && (texts[i].key == MAP_MODEL || texts[i].key == MAP_PHASE))
            return error_data(err, "a row without its model or phase");
    }
    if (out->word && !phase_of(out->word))
        return error_data(err, "the phase is '%s', want prefill or decode", SHOWN_TEXT(out->word));
    return ROOF_OK;
}

static roof_status add_row(reading *r, roof_error *err)
{
    table_row facts;
    uint32_t row, known = r->timings.n_rows;
    const map_entry *e = r->map.entries;
    text_span name = table_cell(r->table, e[e[ROW_NAME].used ? ROW_NAME : MAP_MODEL].column);
    TRY(import_check_name(name, err));
    facts = row_unknown();
    facts.exact = true;
    facts.line = table_read_line(r->table);
    for (row_column key = ROW_INDEX; key < ROW_KEYS; key++)
        if (r->map.entries[key].used)
            TRY(read_value(r, key, &facts.values[key], err));
    TRY(read_row_texts(r, &facts, err));
    TRY(group_of(r, &facts, &facts.table, err));
    const double seconds = facts.values[ROW_TIME];
    double rate;
    r->is_of_models =
        r->is_of_models &&
        (r->rate == ROOF_NONE || (span_number(table_cell(r->table, r->rate), "", &rate, NULL) == ROOF_OK &&
                                  fabs(rate * seconds - 1) < 0.05));
    double index = facts.values[ROW_INDEX];
    r->from_zero = r->from_zero || index == 0;
    TRY(timings_row_of(r->in, &r->timings, name,
                       ((uint64_t)facts.table << 40) + (isnan(index) ? 0 : (uint64_t)index + 1), &row, err));
    r->groups[facts.table].n_rows += row == known;
    if (r->unique && row < known)
        return error_data(
            err,
            "a second row of '%s'%s, the first is in line %llu; an index=COLUMN in --map tells them apart",
            SHOWN(name), isnan(index) ? "" : " with the same index",
            (unsigned long long)r->in->rows[row].line);
    if (!r->unique)
        TRY(timings_add(&r->timings, row, facts.values[ROW_TIME], err));
    if (!r->has_facts)
        return ROOF_OK;
    if (row == r->in->n_rows)
        return row_keep(r->in, &facts, err);
    table_row *first = &r->in->rows[row];
    for (row_column key = ROW_COUNT; key < ROW_KEYS; key++) {
        double a = first->values[key], b = facts.values[key];
        if (a < b || a > b || isnan(a) != isnan(b)) { /* repetitions that differ have no single value */
            first->values[key] = NAN;
            r->first_conflict = r->first_conflict ? r->first_conflict : facts.line;
        }
    }
    return ROOF_OK;
}

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    bool complete;
    if (!r->table) {
        r->searched_bytes += line->length;
        if (line->number > SEARCHED_LINES || r->searched_bytes > SEARCHED_BYTES)
            return ROOF_OK;
        for (size_t i = 0; i < N_SEPARATORS && !r->table; i++)
            TRY(try_separator(r, line, separators[i], err));
        if (!r->table || r->has_headings)
            return ROOF_OK;
        const map_entry *time = &r->map.entries[ROW_TIME]; /* numbers only: there need be no heading */
        double value;
        return time->used && span_number(table_cell(r->table, time->column), "", &value, NULL) == ROOF_OK
                   ? add_row(r, err)
                   : ROOF_OK;
    }
    TRY(table_feed(r->table, line, &complete, err));
    roof_status status = complete ? add_row(r, err) : ROOF_OK;
    if (status != ROOF_OK && err && err->line == ROOF_UNKNOWN)
        err->line = table_read_line(r->table); /* where the row begins, which may have several lines */
    return status;
}

/* --- the document ------------------------------------------------------------------------------------- */

static roof_status fill_layer(reading *r, uint32_t place, roof_run *run, roof_error *err)
{
    char problem[200];
    roof_measured_layer *layer = NULL;
    TRY(timings_layer(&r->timings, place, run, &layer, err));
    if (!r->has_facts)
        return ROOF_OK;
    const table_row *row = &r->in->rows[place];
    if (r->unique)
        row_set_times(row, &layer->time);
    if (r->unique && times_contradiction(&layer->time, problem, sizeof problem))
        return error_line(err, ROOF_E_DATA, row->line, "%s", problem);
    const double *v = row->values;
    bool any = false;
    if (!isnan(v[ROW_INDEX]))
        layer->index = (uint32_t)v[ROW_INDEX] + r->from_zero;
    layer->type = row->type;
    if (isnan(v[ROW_TIME]) && !isnan(v[ROW_SHARE]))
        layer->basis = ROOF_TIME_SHARE;
    for (row_column key = ROW_BYTES; key < ROW_KEYS; key++)
        any = any || !isnan(v[key]);
    if (!any && !row->device)
        return ROOF_OK;
    TRY(row_set_counters(r->in, row, layer, err));
    layer->counters->device = row->device;
    layer->counters->write_s = v[ROW_WRITE_TIME];
    layer->counters->run_s = v[ROW_RUN_TIME];
    layer->counters->read_s = v[ROW_READ_TIME];
    if (v[ROW_LAUNCHES] > 0)
        TRY(counted_set(counted_of_layer(r->in->out, layer), ROOF_COUNTER_PROGRAM, ROOF_COUNTER_PIECES, NULL,
                        floor(v[ROW_LAUNCHES]), err));
    layer->executions = v[ROW_EXECUTIONS] > 0 ? (uint32_t)v[ROW_EXECUTIONS] : layer->executions;
    if (isnan(v[ROW_CYCLES]))
        return ROOF_OK;
    const map_entry *e = &r->map.entries[ROW_CYCLES];
    const roof_domain_cycles cycles = {e->domain, (uint64_t)llround(v[ROW_CYCLES])};
    if (!r->map.entries[ROW_TIME].used && e->clock_hz > 0) /* means have fractions, which a count has not */
        layer->time.mean_s = v[ROW_CYCLES] / e->clock_hz;
    return layer_set_cycles(r->in->out, layer, cycles, err);
}

/* An index is a place in the order of execution, and two layers cannot have one place. */
static roof_status check_indices(const reading *r, roof_error *err)
{
    uint32_t n = 0;
    const table_row **sorted = NEW_ARRAY(r->in->scratch, const table_row *, r->in->n_rows);
    TRY(ALLOCATED(sorted, err));
    for (uint32_t i = 0; i < r->in->n_rows; i++)
        if (!isnan(r->in->rows[i].values[ROW_INDEX]))
            sorted[n++] = &r->in->rows[i];
    order_pointers(sorted, n, ORDER_BY(RISING(table_row, values[ROW_INDEX]), RISING(table_row, line)));
    for (uint32_t i = 1; i < n; i++)
        if (sorted[i]->values[ROW_INDEX] <= sorted[i - 1]->values[ROW_INDEX])
            return error_line(err, ROOF_E_DATA, sorted[i]->line,
                              "index %.0f is in line %llu already, under another name",
                              sorted[i]->values[ROW_INDEX], (unsigned long long)sorted[i - 1]->line);
    return ROOF_OK;
}

/* Listed rows are not the whole where their shares say so: these tell the sum of all rows. */
static void sum_by_shares(const reading *r, roof_run *run)
{
    enum { LEAST_ROWS = 2 };
    static const double all = 0.97, near = 0.1;
    double seconds = 0, share = 0;
    for (uint32_t i = 0; i < run->n_layers; i++) {
        const roof_layer_counters *c = run->layers[i].counters;
        seconds += run->layers[i].time.mean_s;
        share += c ? c->share_ratio : NAN;
    }
    if (run->mode != ROOF_RUN_PER_LAYER || run->n_layers < LEAST_ROWS || !(share > 0 && share < all) ||
        !(seconds > 0))
        return;
    for (uint32_t i = 0; i < run->n_layers; i++) { /* all of one whole, up to the digits that are printed */
        const double by_share_s = run->layers[i].counters->share_ratio * seconds / share;
        if (fabs(by_share_s - run->layers[i].time.mean_s) > near * run->layers[i].time.mean_s)
            return;
    }
    run->sum_of_layers_s = seconds / share;
    import_note(r->in,
                "the %u rows are %s %% of the time by their shares: all rows take about %s ms, and those "
                "that are not listed the rest",
                run->n_layers, NUMBER(nearbyint(1e3 * share) / 10),
                NUMBER(nearbyint(1e6 * run->sum_of_layers_s) / 1e3));
}

static roof_status end_run(reading *r, roof_run *run, roof_error *err)
{
    const map_entry *cycles = &r->map.entries[ROW_CYCLES];
    if (import_counts_agree(run)) {
        run->iterations = run->layers[0].time.count;
        if (run->mode == ROOF_RUN_BYPASS && run->n_layers == 1 && run->layers[0].executions <= 1)
            run->total = run->layers[0].time;
    }
    sum_by_shares(r, run);
    /* Cycles are times where their clock is known. */
    return cycles->used && cycles->clock_hz > 0
               ? run_add_clock(r->in->out, run, cycles->domain, cycles->clock_hz, err)
               : ROOF_OK;
}

/* The rows of a model and phase. */
static roof_status add_group(reading *r, uint32_t group, uint32_t n_rows, roof_run_mode mode, roof_error *err)
{
    const row_group *g = &r->groups[group];
    roof_run *run = NULL;
    TRY(import_one_model(r->in, g->model, err));
    roof_experiment *e = import_add_experiment(r->in, g->model);
    TRY(ALLOCATED(e && (run = experiment_add_run(r->in->out, e, mode)), err));
    e->phase = g->phase ? phase_of(g->phase) : e->phase;
    for (uint32_t row = 0; row < n_rows; row++)
        if (!r->has_facts || r->in->rows[row].table == group) /* without, there is one group */
            TRY(fill_layer(r, row, run, err));
    return end_run(r, run, err);
}

/* A row that is a model: an experiment whose total it is. */
static roof_status add_one_model(reading *r, uint32_t row, roof_run_mode mode, roof_error *err)
{
    roof_run *run = NULL;
    const char *name = r->timings.rows[row].name;
    TRY(import_keep_name(r->in, span_of(name), &name, err));
    TRY(import_one_model(r->in, name, err));
    roof_experiment *e = import_add_experiment(r->in, name);
    TRY(ALLOCATED(e && (run = experiment_add_run(r->in->out, e, mode)), err));
    TRY(fill_layer(r, row, run, err));
    TRY(end_run(r, run, err));
    run->total = run->layers[0].time;
    run->n_layers = 0;
    if (r->map.entries[ROW_BOUNDARIES].used && r->in->rows[row].values[ROW_BOUNDARIES] > 0)
        run->boundaries = (uint32_t)r->in->rows[row].values[ROW_BOUNDARIES];
    return ROOF_OK;
}

static roof_status finish(reading *r, roof_error *err)
{
    roof_run_mode mode;
    uint32_t n_rows = r->timings.n_rows;
    if (!r->table)
        return csvmap_refuse(r->widest, r->in->options->map, err);
    TRY(table_end(r->table, err));
    if (!n_rows)
        return error_data(err, "no row below the headings");
    if (r->map.entries[ROW_INDEX].used)
        TRY(check_indices(r, err));
    const char *said = r->in->options->mode;
    const bool are_models = r->map.entries[MAP_MODEL].used && !r->map.entries[ROW_NAME].used;
    mode = said && strcmp(said, "bypass") != 0 ? ROOF_RUN_PER_LAYER : ROOF_RUN_BYPASS;
    r->is_of_models = are_models || (r->is_of_models && n_rows > 1 && r->n_groups == 1);
    if (r->is_of_models) {
        import_note(r->in, "each row is a model, with the time of its inference");
        for (uint32_t row = 0; row < n_rows; row++)
            TRY(add_one_model(r, row, mode, err));
    }
    uint32_t n_largest = 0;
    for (uint32_t g = 0; g < r->n_groups; g++)
        n_largest = r->groups[g].n_rows > n_largest ? r->groups[g].n_rows : n_largest;
    mode = ROOF_RUN_PER_LAYER; /* what is called several times an inference is a part of it */
    if (!r->is_of_models && (said || !r->map.entries[ROW_EXECUTIONS].used))
        TRY(import_mode(r->in, n_largest, &mode, err));
    for (uint32_t g = 0; g < r->n_groups && !r->is_of_models; g++)
        TRY(add_group(r, g, n_rows, mode, err));
    if (r->from_zero)
        import_note(r->in, "the column of the index counts from 0, the document from 1");
    const map_entry *cycles = &r->map.entries[ROW_CYCLES];
    if (cycles->used && !(cycles->clock_hz > 0) && !r->map.entries[ROW_TIME].used)
        import_note(r->in,
                    "cycles without their clock are no times, a map says it as in cycles=COLUMN:%s:300MHz",
                    cycles->domain);
    if (r->first_conflict)
        import_note(r->in,
                    "rows of one name differ in more than their time (first in line %llu), and what differs "
                    "is left out",
                    (unsigned long long)r->first_conflict);
    return ROOF_OK;
}

static roof_status begin(reading *r, roof_error *err)
{
    if (r->in->options->map)
        TRY(csvmap_parse(r->in->options->map, &r->map, err));
    /* The mapped columns tell what a row is. */
    const map_entry *e = r->map.entries;
    r->unique = !e[ROW_TIME].used;
    for (int key = 0; key < MAP_KEYS; key++) {
        r->unique = r->unique || (e[key].used && key >= ROW_STD && key <= ROW_COUNT);
        r->has_facts = r->has_facts || (e[key].used && key != ROW_NAME && key != ROW_TIME);
        r->has_headings = r->has_headings || e[key].heading[0];
    }
    r->has_facts = r->has_facts || r->unique;
    return ROOF_OK;
}

static void end(reading *r)
{
    table_free(r->table);
    table_free(r->widest);
}

const importer_def importer_csv = {.id = "csv",
                                   .sniff = sniff,
                                   .reading_bytes = sizeof(reading),
                                   .begin = begin,
                                   .line = read_line,
                                   .finish = finish,
                                   .end = end};
