/* Tables of any tool, by a map of their columns (csvmap.h).
 *
 * The separator (',', ';', tab or '|') is the one with which a line has all mapped headings; what stands
 * above that line is skipped, and everything below it is a row. Rows of one name are repetitions of one layer
 * when the time is all that is known of them; when a statistic is mapped, each row is a summary already, and
 * a second one of the same name (and index, where that is mapped) is an error.
 *
 * Numbers have a decimal point. Thousands may be apart by commas where that cannot be misread (1,234.5 and
 * 1,234,567); 1,234 and 0,5 are refused, since they are different numbers in different countries.
 */
#include "core/order.h"
#include "measure/import/csvmap.h"
#include "measure/import/timings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A heading is looked for in so much. */
enum { SEARCHED_LINES = 1000, SEARCHED_BYTES = 1 << 20 };

static const char separators[] = {',', ';', '\t', '|'};
enum { N_SEPARATORS = sizeof separators };

typedef struct reading {
    import_state *in;
    csvmap map;
    table_reader *table;  /* NULL until the heading is found */
    row_timings *timings; /* its rows are those of the import, when more than names and times are mapped */
    uint64_t searched_bytes, first_conflict;
    bool has_headings, has_facts, unique;
    bool from_zero;       /* the tool counts places from 0 */
    table_reader *widest; /* of the lines without the headings, the one with most columns; NULL: none */
} reading;

static unsigned sniff(const char *text)
{
    size_t first = strcspn(text, "\r\n");
    for (size_t i = 0; i < N_SEPARATORS; i++) {
        size_t columns = 1;
        for (size_t at = 0; at < first; at++)
            columns += text[at] == separators[i];
        if (columns > 1 && text[first] && strchr(text + first, separators[i]) && text[0] != '{' &&
            text[0] != '[')
            return SNIFF_MAYBE;
    }
    return 0;
}

/* False where a heading is not there, or twice. */
static bool find_headings(const table_reader *t, csvmap *map)
{
    for (map_entry *e = map->entries; e < map->entries + ROW_KEYS; e++) {
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

/* Whether the line, cut at that separator, is the heading: then it begins the table. */
static roof_status try_separator(reading *r, const import_line *line, char separator, roof_error *err)
{
    bool complete = false;
    table_reader *t = table_new(separator), *unused = t;
    if (!t)
        return error_memory(err);
    roof_status status = table_feed(t, line, &complete, NULL);
    if (status == ROOF_OK && complete && r->in->options->map && find_headings(t, &r->map)) {
        r->table = t;
        unused = NULL;
    } else if (status == ROOF_OK && complete && (!r->widest || table_columns(t) > table_columns(r->widest))) {
        unused = r->widest;
        r->widest = t;
    }
    table_free(unused);
    return status == ROOF_E_NO_MEMORY ? error_memory(err) : ROOF_OK;
}

/* Takes the commas out of 1,234.5 and 1,234,567. */
static roof_status plain_number(text_span cell, const char *what, char buffer[64], text_span *out,
                                roof_error *err)
{
    text_span rest = cell;
    *out = cell;
    if (!cell.length || !memchr(cell.text, ',', cell.length))
        return ROOF_OK;
    text_span whole = span_until(&rest, ".");
    size_t n = cell.length < 64 ? span_thousands(whole, buffer, 64) : 0;
    if (!n || buffer[0] == '0' || (!rest.length && whole.length - n < 2) ||
        (rest.length && memchr(rest.text, ',', rest.length)))
        return error_set(err, ROOF_E_DATA,
                         "%.80s is '%s', want a number with a decimal point; a comma means thousands to some "
                         "and decimals to others",
                         what, SHOWN(cell));
    if (rest.length)
        memcpy(buffer + n, rest.text, rest.length);
    *out = (text_span){buffer, n + rest.length};
    return ROOF_OK;
}

/* In base units. Only a name and a time may not be empty. */
static roof_status read_value(const reading *r, row_column key, double *out, roof_error *err)
{
    const map_entry *e = &r->map.entries[key];
    uint64_t count;
    text_span cell = table_cell(r->table, e->column);
    char shown[SHOWN_SIZE], what[SHOWN_SIZE + 24], buffer[64];
    *out = NAN;
    if (!cell.length && key != ROW_TIME)
        return ROOF_OK;
    snprintf(what, sizeof what, "column %u, %s,", e->column + 1, csvmap_column(e, shown));
    if (key == ROW_SHARE && cell.text[cell.length - 1] == '%')
        cell = span_trim((text_span){cell.text, cell.length - 1});
    TRY(plain_number(cell, what, buffer, &cell, err));
    if (key == ROW_COUNT || key == ROW_INDEX || key == ROW_CYCLES) {
        TRY(span_count(cell, what, &count, err));
        if ((key == ROW_COUNT && !count) || (key == ROW_INDEX && count >= ROOF_NONE - 1))
            return error_set(err, ROOF_E_DATA, "%s is %llu, want a number from %d%s", what,
                             (unsigned long long)count, key == ROW_COUNT, key == ROW_COUNT ? "" : " to 2^32");
        *out = (double)count;
        return ROOF_OK;
    }
    TRY(span_number(cell, what, out, err));
    *out *= e->scale;
    if (key == ROW_SHARE && *out > 1 + 1e-6)
        return error_set(err, ROOF_E_DATA, "%s is a share of %g, want at most 1: is the unit %%?", what,
                         *out);
    return ROOF_OK;
}

static roof_status add_row(reading *r, roof_error *err)
{
    table_row facts;
    uint32_t row, known = r->timings->n_rows;
    text_span name = table_cell(r->table, r->map.entries[ROW_NAME].column);
    TRY(import_check_name(name, err));
    facts = row_unknown();
    facts.exact = true;
    facts.line = table_read_line(r->table);
    for (row_column key = ROW_INDEX; key < ROW_KEYS; key++)
        if (r->map.entries[key].used)
            TRY(read_value(r, key, &facts.values[key], err));
    const map_entry *type = &r->map.entries[ROW_TYPE];
    text_span word = type->used ? table_cell(r->table, type->column) : (text_span){"", 0};
    if (word.length)
        TRY(import_keep_name(r->in, word, &facts.type, err));
    double index = facts.values[ROW_INDEX];
    r->from_zero = r->from_zero || index == 0;
    TRY(timings_row_of(r->timings, name, isnan(index) ? 0 : (uint64_t)index + 1, &row, err));
    if (r->unique && row < known)
        return error_set(
            err, ROOF_E_DATA,
            "a second row of '%s'%s, the first is in line %llu; an index=COLUMN in --map tells them apart",
            SHOWN(name), isnan(index) ? "" : " with the same index",
            (unsigned long long)r->in->rows[row].line);
    if (!r->unique)
        TRY(timings_add(r->timings, row, facts.values[ROW_TIME], err));
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
    TRY(timings_layer(r->timings, place, run, &layer, err));
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
    if (!any)
        return ROOF_OK;
    TRY(row_set_counters(r->in, row, layer, err));
    if (isnan(v[ROW_CYCLES]))
        return ROOF_OK;
    const roof_domain_cycles cycles = {r->map.entries[ROW_CYCLES].domain, (uint64_t)v[ROW_CYCLES]};
    return layer_set_cycles(r->in->out, layer, cycles, err);
}

/* An index is a place in the order of execution, and two layers cannot have one place. */
static roof_status check_indices(const reading *r, roof_error *err)
{
    uint32_t n = 0;
    const table_row **sorted = malloc((r->in->n_rows + 1) * sizeof *sorted);
    roof_status status = sorted ? ROOF_OK : error_memory(err);
    for (uint32_t i = 0; sorted && i < r->in->n_rows; i++)
        if (!isnan(r->in->rows[i].values[ROW_INDEX]))
            sorted[n++] = &r->in->rows[i];
    order_pointers(sorted, n, ORDER_BY(RISING(table_row, values[ROW_INDEX]), RISING(table_row, line)));
    for (uint32_t i = 1; i < n && status == ROOF_OK; i++)
        if (sorted[i]->values[ROW_INDEX] <= sorted[i - 1]->values[ROW_INDEX])
            status = error_line(err, ROOF_E_DATA, sorted[i]->line,
                                "index %.0f is in line %llu already, under another name",
                                sorted[i]->values[ROW_INDEX], (unsigned long long)sorted[i - 1]->line);
    free(sorted);
    return status;
}

static roof_status finish(reading *r, roof_error *err)
{
    roof_run_mode mode;
    uint32_t n_rows = r->timings->n_rows;
    if (!r->table)
        return csvmap_refuse(r->widest, r->in->options->map, err);
    TRY(table_end(r->table, err));
    if (!n_rows)
        return error_set(err, ROOF_E_DATA, "no row below the headings");
    if (r->map.entries[ROW_INDEX].used)
        TRY(check_indices(r, err));
    TRY(import_mode(r->in, n_rows, &mode, err));
    roof_run *run = NULL;
    TRY(import_add_run(r->in, NULL, mode, &run, err));
    for (uint32_t row = 0; row < n_rows; row++)
        TRY(fill_layer(r, row, run, err));
    if (import_counts_agree(run)) {
        run->iterations = run->layers[0].time.count;
        if (run->mode == ROOF_RUN_BYPASS && run->n_layers == 1)
            run->total = run->layers[0].time;
    }
    if (r->from_zero)
        import_note(r->in, "the column of the index counts from 0, the document from 1");
    /* Cycles are times where their clock is known. */
    const map_entry *cycles = &r->map.entries[ROW_CYCLES];
    if (cycles->used && cycles->clock_hz > 0)
        TRY(run_add_clock(r->in->out, run, cycles->domain, cycles->clock_hz, err));
    else if (cycles->used && !r->map.entries[ROW_TIME].used)
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
    r->timings = timings_new(r->in);
    if (!r->timings)
        return error_memory(err);
    if (r->in->options->map)
        TRY(csvmap_parse(r->in->options->map, &r->map, err));
    /* The mapped columns tell what a row is. */
    const map_entry *e = r->map.entries;
    r->unique = !e[ROW_TIME].used;
    for (int key = 0; key < ROW_KEYS; key++) {
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
