/* Tables of any tool, by a map of their columns (csvmap.h).
 *
 * The separator (',', ';', tab or '|') is the one with which a line has all mapped headings; what stands above that line is
 * skipped, and everything below it is a row. Rows of one name are repetitions of one layer when the time is all that is
 * known of them; when a statistic is mapped, each row is a summary already, and a second one of the same name (and index,
 * where that is mapped) is an error.
 *
 * Numbers have a decimal point. Thousands may be apart by commas where that cannot be misread (1,234.5 and 1,234,567);
 * 1,234 and 0,5 are refused, since they are different numbers in different countries.
 */
#include "core/error.h"
#include "measure/importer.h"
#include "measure/csvmap.h"
#include "measure/table.h"
#include "measure/tally.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A heading is looked for in so much. */
enum { SEARCHED_LINES = 1000, SEARCHED_BYTES = 1 << 20 };

static const char separators[] = {',', ';', '\t', '|'};
enum { N_SEPARATORS = sizeof separators };

/* What a row says beside its times, in base units. Unmapped and empty: NaN. */
typedef struct row_facts {
    double values[CSVMAP_KEYS];
    const char *type;
    uint64_t line;
} row_facts;

typedef struct reading {
    import_state *in;
    csvmap map;
    table_reader *table; /* NULL until the heading is found */
    row_tally *tally;
    row_facts *facts; /* of each row of the tally, when more than names and times are mapped */
    uint32_t n_facts;
    uint64_t n_rows, searched_lines, searched_bytes, first_conflict;
    bool has_facts, unique, from_zero; /* from_zero: the tool counts places from 0 */
    char *widest;                      /* of the lines without the headings: the one with most columns */
    char widest_separator;
    size_t n_widest;
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

/* --- the heading -------------------------------------------------------------------------------------- */

/* The place of a heading in a row, ROOF_NONE if it is not there, or twice. */
static uint32_t place_of(const table_reader *t, const char *heading)
{
    uint32_t found = ROOF_NONE;
    for (size_t c = 0; c < table_columns(t); c++)
        if (span_is(table_cell(t, c), heading)) {
            if (found != ROOF_NONE)
                return ROOF_NONE;
            found = (uint32_t)c;
        }
    return found;
}

static bool find_headings(const table_reader *t, csvmap *map)
{
    uint32_t places[CSVMAP_KEYS];
    for (int key = 0; key < CSVMAP_KEYS; key++) {
        const map_entry *e = &map->entries[key];
        places[key] = e->used && e->heading[0] ? place_of(t, e->heading) : e->column;
        if (e->used && (places[key] == ROOF_NONE || places[key] >= table_columns(t)))
            return false;
    }
    for (int key = 0; key < CSVMAP_KEYS; key++)
        map->entries[key].column = places[key];
    return true;
}

static bool has_headings(const csvmap *map)
{
    for (int key = 0; key < CSVMAP_KEYS; key++)
        if (map->entries[key].used && map->entries[key].heading[0])
            return true;
    return false;
}

static roof_status keep_widest(reading *r, const roof_line *line, char separator, size_t n, roof_error *err)
{
    if (n <= r->n_widest)
        return ROOF_OK;
    char *copy = strndup(line->text, line->length);
    if (!copy)
        return error_memory(err);
    free(r->widest);
    r->widest = copy;
    r->widest_separator = separator;
    r->n_widest = n;
    return ROOF_OK;
}

/* Whether the line, cut at that separator, is the heading; then *out is the table. */
static roof_status try_separator(reading *r, const roof_line *line, char separator, table_reader **out,
                                 roof_error *err)
{
    bool complete = false;
    table_reader *t = table_new(separator);
    *out = NULL;
    if (!t)
        return error_memory(err);
    roof_status status = table_feed(t, line, &complete, NULL);
    bool parsed = status == ROOF_OK && complete;
    if (status == ROOF_E_NO_MEMORY)
        error_memory(err);
    else
        status = parsed ? keep_widest(r, line, separator, table_columns(t), err) : ROOF_OK;
    if (status == ROOF_OK && parsed && r->in->options->map && find_headings(t, &r->map)) {
        *out = t;
        return ROOF_OK;
    }
    table_free(t);
    return status;
}

static bool is_number(text_span cell)
{
    double value;
    return span_number(cell, "", 0, &value, NULL) == ROOF_OK;
}

static roof_status add_row(reading *r, roof_error *err);

static roof_status search_heading(reading *r, const roof_line *line, roof_error *err)
{
    r->searched_lines++;
    r->searched_bytes += line->length;
    if (r->searched_lines > SEARCHED_LINES || r->searched_bytes > SEARCHED_BYTES)
        return ROOF_OK;
    for (size_t i = 0; i < N_SEPARATORS && !r->table; i++)
        TRY(try_separator(r, line, separators[i], &r->table, err));
    if (!r->table || has_headings(&r->map))
        return ROOF_OK;
    const map_entry *time = &r->map.entries[CSVMAP_TIME]; /* numbers only: there need be no heading */
    return time->used && is_number(table_cell(r->table, time->column)) ? add_row(r, err) : ROOF_OK;
}

/* --- cells -------------------------------------------------------------------------------------------- */

/* Digits in groups of three, the first of one to three; 0 when it is not. Returns how many characters that were. */
static size_t grouped_length(text_span s, unsigned *n_groups)
{
    size_t at = 0, group = 0;
    *n_groups = 0;
    while (at < s.length && isdigit((unsigned char)s.text[at]))
        at++;
    if (at == 0 || at > 3 || s.text[0] == '0')
        return 0;
    while (at < s.length && s.text[at] == ',') {
        group = 0;
        while (at + 1 + group < s.length && isdigit((unsigned char)s.text[at + 1 + group]))
            group++;
        if (group != 3)
            return 0;
        at += 4;
        (*n_groups)++;
    }
    return at;
}

/* Takes the commas out of 1,234.5 and 1,234,567. */
static roof_status plain_number(text_span cell, const char *what, uint64_t line, char buffer[64],
                                text_span *out, roof_error *err)
{
    char shown[SHOWN_SIZE];
    unsigned n_groups;
    *out = cell;
    if (!cell.length || !memchr(cell.text, ',', cell.length))
        return ROOF_OK;
    size_t grouped = grouped_length(cell, &n_groups), n = 0;
    bool has_point = grouped < cell.length && cell.text[grouped] == '.';
    bool clear = grouped && cell.length < 64 && (has_point || (n_groups > 1 && grouped == cell.length));
    if (!clear || memchr(cell.text + grouped, ',', cell.length - grouped))
        return error_line(
            err, ROOF_E_DATA, line,
            "%.80s is '%s', want a number with a decimal point; a comma means thousands to some and "
            "decimals to others",
            what, span_show(cell, shown));
    for (size_t i = 0; i < cell.length; i++)
        if (cell.text[i] != ',')
            buffer[n++] = cell.text[i];
    *out = (text_span){buffer, n};
    return ROOF_OK;
}

/* In base units. Only a name and a time may not be empty. */
static roof_status read_value(const reading *r, map_key key, double *out, roof_error *err)
{
    const map_entry *e = &r->map.entries[key];
    uint64_t line = table_read_line(r->table), count;
    text_span cell = table_cell(r->table, e->column);
    char shown[SHOWN_SIZE], what[SHOWN_SIZE + 24], buffer[64];
    *out = NAN;
    if (!cell.length && key != CSVMAP_TIME)
        return ROOF_OK;
    snprintf(what, sizeof what, "column %u, %s,", e->column + 1, csvmap_column(e, shown));
    if (key == CSVMAP_SHARE && cell.text[cell.length - 1] == '%')
        cell = span_trim((text_span){cell.text, cell.length - 1});
    TRY(plain_number(cell, what, line, buffer, &cell, err));
    if (key == CSVMAP_COUNT || key == CSVMAP_INDEX || key == CSVMAP_CYCLES) {
        TRY(span_count(cell, what, line, &count, err));
        if ((key == CSVMAP_COUNT && !count) || (key == CSVMAP_INDEX && count >= ROOF_NONE - 1))
            return error_line(err, ROOF_E_DATA, line, "%s is %llu, want a number from %d%s", what,
                              (unsigned long long)count, key == CSVMAP_COUNT,
                              key == CSVMAP_COUNT ? "" : " to 2^32");
        *out = (double)count;
        return ROOF_OK;
    }
    TRY(span_number(cell, what, line, out, err));
    *out *= e->scale;
    if (key == CSVMAP_SHARE && *out > 1 + 1e-6)
        return error_line(err, ROOF_E_DATA, line, "%s is a share of %g, want at most 1: is the unit %%?",
                          what, *out);
    return ROOF_OK;
}

/* --- rows --------------------------------------------------------------------------------------------- */

static roof_status read_row(reading *r, row_facts *facts, roof_error *err)
{
    facts->line = table_read_line(r->table);
    for (int key = CSVMAP_INDEX; key < CSVMAP_KEYS; key++) {
        facts->values[key] = NAN;
        if (r->map.entries[key].used)
            TRY(read_value(r, (map_key)key, &facts->values[key], err));
    }
    const map_entry *type = &r->map.entries[CSVMAP_TYPE];
    text_span word = type->used ? table_cell(r->table, type->column) : (text_span){"", 0};
    if (!word.length)
        return ROOF_OK;
    TRY(import_check_name(word.text, word.length, facts->line, err));
    facts->type = measured_text(r->in->out, word.text, word.length);
    return facts->type ? ROOF_OK : error_memory(err);
}

static roof_status add_facts(reading *r, uint32_t row, const row_facts *facts, roof_error *err)
{
    if (row == r->n_facts) {
        if (!array_grow((void **)&r->facts, r->n_facts, sizeof *r->facts))
            return error_memory(err);
        r->facts[r->n_facts++] = *facts;
        return ROOF_OK;
    }
    row_facts *first = &r->facts[row];
    for (int key = CSVMAP_COUNT; key < CSVMAP_KEYS; key++) {
        double a = first->values[key], b = facts->values[key];
        if (a < b || a > b || isnan(a) != isnan(b)) { /* repetitions that differ have no single value */
            first->values[key] = NAN;
            r->first_conflict = r->first_conflict ? r->first_conflict : facts->line;
        }
    }
    return ROOF_OK;
}

static roof_status add_row(reading *r, roof_error *err)
{
    row_facts facts = {.type = NULL};
    uint32_t row, known = tally_rows(r->tally);
    char shown[SHOWN_SIZE];
    text_span name = table_cell(r->table, r->map.entries[CSVMAP_NAME].column);
    TRY(import_check_name(name.text, name.length, table_read_line(r->table), err));
    TRY(read_row(r, &facts, err));
    double index = facts.values[CSVMAP_INDEX];
    r->from_zero = r->from_zero || index == 0;
    TRY(tally_row_of(r->tally, name, isnan(index) ? 0 : (uint64_t)index + 1, &row, err));
    if (r->unique && row < known)
        return error_line(
            err, ROOF_E_DATA, facts.line,
            "a second row of '%s'%s, the first is in line %llu; an index=COLUMN in --map tells them apart",
            span_show(name, shown), isnan(index) ? "" : " with the same index",
            (unsigned long long)r->facts[row].line);
    if (!r->unique)
        TRY(tally_add(r->tally, row, facts.values[CSVMAP_TIME], err));
    r->n_rows++;
    return r->has_facts ? add_facts(r, row, &facts, err) : ROOF_OK;
}

static roof_status read_line(void *reading_, const roof_line *line, roof_error *err)
{
    reading *r = reading_;
    bool complete;
    if (!r->table)
        return search_heading(r, line, err);
    TRY(table_feed(r->table, line, &complete, err));
    return complete ? add_row(r, err) : ROOF_OK;
}

/* --- when there is no map, or it does not fit ---------------------------------------------------------- */

static bool looks_like(text_span heading, const char *const *words)
{
    for (; *words; words++)
        for (size_t i = 0; i + strlen(*words) <= heading.length; i++)
            if (strncasecmp(heading.text + i, *words, strlen(*words)) == 0)
                return true;
    return false;
}

/* The first heading that looks like one of the words, the first word first, and like none of the others; ROOF_NONE if
 * none does. */
static uint32_t guess(const table_reader *t, const char *const *words, const char *const *others)
{
    for (; *words; words++) {
        const char *const one[] = {*words, NULL};
        for (size_t c = 0; c < table_columns(t); c++)
            if (looks_like(table_cell(t, c), one) && !looks_like(table_cell(t, c), others))
                return (uint32_t)c;
    }
    return ROOF_NONE;
}

/* Headings that a map would misread are named by their number. */
static void put_column(char *out, size_t size, const table_reader *t, uint32_t c)
{
    text_span h = table_cell(t, c);
    size_t used = strlen(out);
    bool plain = h.length && h.length < 60 && !memchr(h.text, '"', h.length) && h.text[0] != '#';
    bool comma = plain && memchr(h.text, ',', h.length);
    if (!plain)
        snprintf(out + used, size - used, "#%u", c + 1);
    else
        snprintf(out + used, size - used, comma ? "\"%.*s\"" : "%.*s", (int)h.length, h.text);
}

static void put_example(char *out, size_t size, const table_reader *t)
{
    static const char *const names[] = {"layer", "name", "node", "kernel", "operator", "function", NULL};
    static const char *const times[] = {"mean", "average", "avg", "duration", "latency",
                                        "time", "(ms)",    "_ms", "_us",      NULL};
    static const char *const no_times[] = {"stamp", "name", "start", "end", "total", "percent", NULL};
    static const char *const no_names[] = {"duration", "time", "latency", "cycle",
                                           "(ms)",     "_id",  " id",     NULL};
    uint32_t name = guess(t, names, no_names), time = guess(t, times, no_times);
    const char *unit = time == ROOF_NONE ? NULL : csvmap_guess_unit(table_cell(t, time));
    snprintf(out, size, "--map 'name=");
    put_column(out, size, t, name == ROOF_NONE ? 0 : name);
    snprintf(out + strlen(out), size - strlen(out), ",time=");
    if (time != ROOF_NONE)
        put_column(out, size, t, time);
    snprintf(out + strlen(out), size - strlen(out), "%s:%s'%s", time == ROOF_NONE ? "COLUMN" : "",
             unit ? unit : "UNIT", unit ? "" : " with s, ms, us or ns as UNIT");
}

static void put_headings(char *out, size_t size, const table_reader *t)
{
    out[0] = '\0';
    for (size_t c = 0; c < table_columns(t); c++) {
        char shown[SHOWN_SIZE];
        size_t used = strlen(out);
        span_show(table_cell(t, c), shown);
        if (used + strlen(shown) + 24 > size) {
            snprintf(out + used, size - used, ", and %zu more", table_columns(t) - c);
            return;
        }
        snprintf(out + used, size - used, "%s%s", c ? ", " : "", shown);
    }
}

static roof_status fail_with_columns(const reading *r, roof_error *err)
{
    char columns[340], example[240];
    bool complete = false;
    table_reader *t = r->widest ? table_new(r->widest_separator) : NULL;
    roof_line line = {.text = r->widest, .length = r->widest ? strlen(r->widest) : 0};
    roof_status status = r->widest ? t ? table_feed(t, &line, &complete, NULL) : ROOF_E_NO_MEMORY : ROOF_OK;
    bool good = t && status == ROOF_OK && complete;
    if (good) {
        put_headings(columns, sizeof columns, t);
        put_example(example, sizeof example, t);
    }
    table_free(t);
    if (status == ROOF_E_NO_MEMORY)
        return error_memory(err);
    if (!good)
        return error_set(err, ROOF_E_DATA, "no table in it");
    return r->in->options->map
               ? error_set(err, ROOF_E_DATA, "no line has all mapped columns; the widest has %s; try %s",
                           columns, example)
               : error_set(err, ROOF_E_USAGE,
                           "a table of another tool has to be mapped; it has the columns %s; try %s", columns,
                           example);
}

/* --- the document ------------------------------------------------------------------------------------- */

static roof_status fill_summary(const row_facts *f, roof_times *t, roof_error *err)
{
    char problem[200];
    *t = times_unknown();
    t->mean_s = f->values[CSVMAP_TIME];
    t->std_s = f->values[CSVMAP_STD];
    t->min_s = f->values[CSVMAP_MIN];
    t->max_s = f->values[CSVMAP_MAX];
    t->median_s = f->values[CSVMAP_MEDIAN];
    if (!isnan(f->values[CSVMAP_COUNT]))
        t->count = (uint64_t)f->values[CSVMAP_COUNT];
    if (times_contradiction(t, problem, sizeof problem))
        return error_line(err, ROOF_E_DATA, f->line, "%s", problem);
    return ROOF_OK;
}

static roof_status fill_cycles(reading *r, double cycles, roof_layer_counters *c, roof_error *err)
{
    const char *domain = r->map.entries[CSVMAP_CYCLES].domain;
    if (isnan(cycles))
        return ROOF_OK;
    c->cycles = NEW(r->in->out->storage->arena, roof_domain_cycles);
    domain = measured_text(r->in->out, domain, strlen(domain));
    if (!c->cycles || !domain)
        return error_memory(err);
    *c->cycles = (roof_domain_cycles){domain, (uint64_t)cycles};
    c->n_cycles = 1;
    return ROOF_OK;
}

/* 0 stands as 0 here: the user says that the column holds this. */
static uint64_t whole(double value)
{
    return isnan(value) || value > 9e15 ? ROOF_UNKNOWN : (uint64_t)llround(value);
}

static roof_status fill_facts(reading *r, const row_facts *f, roof_measured_layer *layer, roof_error *err)
{
    const double *v = f->values;
    bool any = false;
    if (!isnan(v[CSVMAP_INDEX]))
        layer->index = (uint32_t)v[CSVMAP_INDEX] + r->from_zero;
    layer->type = f->type;
    if (isnan(v[CSVMAP_TIME]) && !isnan(v[CSVMAP_SHARE]))
        layer->basis = ROOF_TIME_SHARE;
    for (int key = CSVMAP_BYTES; key < CSVMAP_KEYS; key++)
        any = any || !isnan(v[key]);
    roof_layer_counters *c = any ? layer_counters_of(r->in->out, layer) : NULL;
    if (!any)
        return ROOF_OK;
    if (!c)
        return error_memory(err);
    c->total_bytes = whole(v[CSVMAP_BYTES]);
    c->read_bytes = whole(v[CSVMAP_READ]);
    c->write_bytes = whole(v[CSVMAP_WRITE]);
    c->share_ratio = v[CSVMAP_SHARE] > 1 ? 1 : v[CSVMAP_SHARE];
    c->ops_per_s = v[CSVMAP_OPS];
    c->workload_ops = whole(v[CSVMAP_WORKLOAD]);
    return fill_cycles(r, v[CSVMAP_CYCLES], c, err);
}

static roof_status fill_layer(reading *r, uint32_t row, roof_run *run, roof_error *err)
{
    roof_measured_layer *layer = NULL;
    TRY(tally_layer(r->tally, row, run, &layer, err));
    if (r->unique)
        TRY(fill_summary(&r->facts[row], &layer->time, err));
    return r->has_facts ? fill_facts(r, &r->facts[row], layer, err) : ROOF_OK;
}

static void fill_iterations(roof_run *run)
{
    for (uint32_t i = 1; i < run->n_layers; i++)
        if (run->layers[i].time.count != run->layers[0].time.count)
            return;
    run->iterations = run->layers[0].time.count;
    if (run->mode == ROOF_RUN_BYPASS && run->n_layers == 1)
        run->total = run->layers[0].time;
}

static int by_index(const void *a_, const void *b_)
{
    const row_facts *a = *(const row_facts *const *)a_, *b = *(const row_facts *const *)b_;
    double x = a->values[CSVMAP_INDEX], y = b->values[CSVMAP_INDEX];
    return x < y ? -1 : x > y ? 1 : (a->line > b->line) - (a->line < b->line);
}

/* An index is a place in the order of execution, and two layers cannot have one place. */
static roof_status check_indices(const reading *r, roof_error *err)
{
    uint32_t n = 0;
    const row_facts **sorted = malloc((r->n_facts + 1) * sizeof *sorted);
    roof_status status = sorted ? ROOF_OK : error_memory(err);
    for (uint32_t i = 0; sorted && i < r->n_facts; i++)
        if (!isnan(r->facts[i].values[CSVMAP_INDEX]))
            sorted[n++] = &r->facts[i];
    if (n)
        qsort(sorted, n, sizeof *sorted, by_index);
    for (uint32_t i = 1; i < n && status == ROOF_OK; i++)
        if (sorted[i]->values[CSVMAP_INDEX] <= sorted[i - 1]->values[CSVMAP_INDEX])
            status = error_line(err, ROOF_E_DATA, sorted[i]->line,
                                "index %.0f is in line %llu already, under another name",
                                sorted[i]->values[CSVMAP_INDEX], (unsigned long long)sorted[i - 1]->line);
    free(sorted);
    return status;
}

/* Cycles are times where their clock is known. */
static roof_status add_clock(const reading *r, roof_run *run, roof_error *err)
{
    const map_entry *e = &r->map.entries[CSVMAP_CYCLES];
    if (e->used && !(e->clock_hz > 0) && !r->map.entries[CSVMAP_TIME].used)
        import_note(r->in,
                    "cycles without their clock are no times, a map says it as in cycles=COLUMN:%s:300MHz",
                    e->domain);
    if (!e->used || !(e->clock_hz > 0))
        return ROOF_OK;
    const char *domain = measured_text(r->in->out, e->domain, strlen(e->domain));
    roof_clock *clock = domain ? run_add_clock(run) : NULL;
    if (!clock)
        return error_memory(err);
    *clock = (roof_clock){domain, e->clock_hz};
    return ROOF_OK;
}

static roof_status finish(void *reading_, roof_error *err)
{
    reading *r = reading_;
    roof_run_mode mode;
    uint32_t n_rows = tally_rows(r->tally);
    if (!r->table)
        return fail_with_columns(r, err);
    TRY(table_end(r->table, err));
    if (!n_rows)
        return error_set(err, ROOF_E_DATA, "no row below the headings");
    if (r->map.entries[CSVMAP_INDEX].used)
        TRY(check_indices(r, err));
    TRY(import_mode(r->in, n_rows, &mode, err));
    roof_run *run = NULL;
    TRY(import_add_run(r->in, NULL, mode, &run, err));
    for (uint32_t row = 0; row < n_rows; row++)
        TRY(fill_layer(r, row, run, err));
    fill_iterations(run);
    tally_remark(r->tally, r->in);
    if (r->from_zero)
        import_note(r->in, "the column of the index counts from 0, the document from 1");
    TRY(add_clock(r, run, err));
    if (r->first_conflict)
        import_note(
            r->in,
            "rows of one name differ in more than their time (first in line %llu), and what differs is "
            "left out",
            (unsigned long long)r->first_conflict);
    return ROOF_OK;
}

/* Which of the mapped columns make a row what it is. */
static void prepare(reading *r)
{
    const map_entry *e = r->map.entries;
    r->unique = !e[CSVMAP_TIME].used;
    for (int key = CSVMAP_STD; key <= CSVMAP_COUNT; key++)
        r->unique = r->unique || e[key].used;
    for (int key = 0; key < CSVMAP_KEYS; key++)
        r->has_facts = r->has_facts || (e[key].used && key != CSVMAP_NAME && key != CSVMAP_TIME);
    r->has_facts = r->has_facts || r->unique;
}

static roof_status begin(void *reading_, roof_error *err)
{
    reading *r = reading_;
    r->tally = tally_new(r->in->out);
    if (!r->tally)
        return error_memory(err);
    if (r->in->options->map)
        TRY(csvmap_parse(r->in->options->map, &r->map, err));
    prepare(r);
    return ROOF_OK;
}

static void end(void *reading_)
{
    reading *r = reading_;
    table_free(r->table);
    tally_free(r->tally);
    free(r->facts);
    free(r->widest);
}

const importer_def importer_csv = {.id = "csv",
                                   .sniff = sniff,
                                   .reading_bytes = sizeof(reading),
                                   .begin = begin,
                                   .line = read_line,
                                   .finish = finish,
                                   .end = end};
