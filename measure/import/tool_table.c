#include "measure/import/tool_table.h"
#include "core/error.h"
#include "core/text.h"

#include <math.h>
#include <string.h>

roof_status table_begin(struct reading *reading, roof_error *err)
{
    table_reading *r = (table_reading *)reading;
    r->table = r->in->importer->table;
    r->cells = NEW_ARRAY(r->in->scratch, text_span, TABLE_MAX_COLUMNS);
    r->offsets = NEW_ARRAY(r->in->scratch, size_t, TABLE_MAX_COLUMNS);
    r->timings = timings_new(r->in);
    if (!r->cells || !r->offsets || !r->timings)
        return error_memory(err);
    return r->table->begin ? r->table->begin(reading, err) : ROOF_OK;
}

void table_stop(struct reading *reading)
{
    table_free(((table_reading *)reading)->reader);
}

/* --- rows ---------------------------------------------------------------------------------------------- */

/* Executions of one name are repetitions of a row; what the first says beside its time stands for all. */
roof_status table_row_of(table_reading *r, const table_row *row, uint64_t tag, uint32_t *at, roof_error *err)
{
    TRY(timings_row_of(r->timings, span_of(row->name), tag, at, err));
    if (*at < r->n_firsts)
        return ROOF_OK;
    TRY(ARENA_MORE(r->in->scratch, r->firsts, r->n_firsts, err));
    r->firsts[r->n_firsts++] = *row;
    return ROOF_OK;
}

roof_status table_take_row(table_reading *r, table_row *row, roof_error *err)
{
    double *v = row->values;
    uint32_t at;
    row->exact = true;
    if (r->table->row)
        TRY(r->table->row((struct reading *)r, row, err));
    if (!row->name)
        return ROOF_OK;
    if (isnan(v[ROW_TIME]) && v[ROW_COUNT] > 0)
        v[ROW_TIME] = v[ROW_SUM] / v[ROW_COUNT];
    if (v[ROW_TIME] < 0) {
        r->n_backwards++;
        return ROOF_OK;
    }
    if (isnan(v[ROW_TIME]) && isnan(v[ROW_SHARE]) && isnan(v[ROW_CYCLES])) {
        if (r->table->each_row_is_known)
            return error_set(err, ROOF_E_DATA, "'%s' has no time", SHOWN(span_of(row->name)));
        r->n_timeless++;
        return ROOF_OK;
    }
    if (!r->table->is_trace || !isnan(v[ROW_COUNT]))
        return row_keep(r->in, row, err);
    TRY(table_row_of(r, row, 0, &at, err));
    return timings_add(r->timings, at, v[ROW_TIME], err);
}

/* --- lines --------------------------------------------------------------------------------------------- */

/* The cells of a line; 0 in the middle of a row. */
static roof_status cut(table_reading *r, const import_line *line, size_t *n, roof_error *err)
{
    static const char blanks[] = " \t";
    bool complete;
    *n = 0;
    if (r->reader) {
        TRY(table_feed(r->reader, line, &complete, err));
        for (size_t i = 0; complete && i < table_columns(r->reader); i++)
            r->cells[(*n)++] = table_cell(r->reader, i);
        return ROOF_OK;
    }
    for (const char *at = line->text + strspn(line->text, blanks); *at && *n < TABLE_MAX_COLUMNS;) {
        size_t length = strcspn(at, blanks);
        r->cells[(*n)++] = (text_span){at, length};
        at += length + strspn(at + length, blanks);
    }
    return ROOF_OK;
}

/* Most lines outside of tables have not even the first word of a heading that is needed. */
static bool may_be_heading(const tool_table *t, const import_line *line)
{
    for (size_t f = 0; f < t->n_fields; f++) {
        const row_field *field = &t->fields[f];
        bool found = !(field->is & ROW_NEEDED);
        for (size_t i = 0;
             i < sizeof field->headings / sizeof *field->headings && field->headings[i] && !found; i++)
            found = memmem(line->text, line->length, field->headings[i], strcspn(field->headings[i], " (~"));
        if (!found)
            return false;
    }
    return t->n_fields > 0;
}

static char separator_of(const tool_table *t, const import_line *line)
{
    static const char separators[] = ",\t;";
    size_t n[sizeof separators] = {0}, best = 0;
    if (t->separator != ANY_SEPARATOR)
        return t->separator;
    for (size_t i = 0; i < line->length; i++)
        for (size_t s = 0; separators[s]; s++)
            n[s] += line->text[i] == separators[s];
    for (size_t s = 1; separators[s]; s++)
        best = n[s] > n[best] ? s : best;
    return separators[best];
}

/* Whether the line is a heading; then a table begins. */
static roof_status find_heading(table_reading *r, const import_line *line, bool *found, roof_error *err)
{
    const tool_table *t = r->table;
    table_reader *old = r->reader;
    size_t n = 0;
    *found = false;
    if (!may_be_heading(t, line))
        return ROOF_OK;
    if (t->separator != ' ' && !(r->reader = table_new(separator_of(t, line)))) {
        r->reader = old;
        return error_memory(err);
    }
    if (r->reader != old)
        table_free(old);
    roof_status status = cut(r, line, &n, NULL); /* chatter may have any quotes */
    *found = status == ROOF_OK && row_find_headings(t->fields, t->n_fields, r->cells, n, &r->layout);
    r->layout.room = TABLE_MAX_COLUMNS;
    for (size_t i = 0; *found && !r->reader && i < n; i++)
        r->offsets[i] = (size_t)(r->cells[i].text - line->text);
    r->n_tables += *found;
    r->inside = r->inside || *found;
    r->is_empty = *found || r->is_empty;
    return status == ROOF_E_NO_MEMORY ? error_memory(err) : ROOF_OK;
}

/* Where cells between blanks are empty, each belongs to the last heading that begins at or before it. */
static size_t find_places(table_reading *r, const import_line *line, size_t n)
{
    size_t wanted = r->layout.n, place = wanted;
    if (r->reader || n >= wanted || !n)
        return n;
    for (size_t i = n; i--;) {
        size_t at = (size_t)(r->cells[i].text - line->text), before = place;
        while (place && (place == before || r->offsets[place] > at))
            place--;
        if (place == before || place < i || r->offsets[place] > at)
            return n; /* too few, which is an error */
        text_span cell = r->cells[i];
        for (size_t empty = place; empty < before; empty++)
            r->cells[empty] = (text_span){line->text, 0};
        r->cells[place] = cell;
    }
    for (size_t empty = 0; empty < place; empty++)
        r->cells[empty] = (text_span){line->text, 0};
    return wanted;
}

roof_status table_line(struct reading *reading, const import_line *line, roof_error *err)
{
    table_reading *r = (table_reading *)reading;
    import_line plain = *line;
    table_row row = row_unknown();
    size_t n;
    if (r->table->plain && !r->table->plain(&plain))
        return ROOF_OK;
    line = &plain;
    bool found, is_rule = strspn(line->text, "-=+ \t") == line->length; /* or empty */
    if (r->inside && is_rule && (!line->length || !r->is_empty)) {
        r->inside = false;
        return ROOF_OK;
    }
    if (is_rule)
        return ROOF_OK;
    TRY(find_heading(r, line, &found, err));
    if (found)
        return ROOF_OK;
    if (!r->inside)
        return r->table->line ? r->table->line((struct reading *)r, line, err) : ROOF_OK;
    TRY(cut(r, line, &n, err));
    if (!n)
        return ROOF_OK;
    n = find_places(r, line, n);
    row.line = line->number;
    row.table = r->n_tables;
    r->is_empty = false;
    TRY(row_read(r->in, &r->layout, r->cells, n, &row, err));
    return table_take_row(r, &row, err);
}

/* --- JSON ---------------------------------------------------------------------------------------------- */

static roof_status take_object(void *reading, const jsonpull *at, const table_row *found, roof_error *err)
{
    table_row row = *found;
    roof_status status = table_take_row(reading, &row, err);
    if (status == ROOF_E_DATA && err && err->line == ROOF_UNKNOWN)
        err->line = jsonpull_line(at);
    return status;
}

roof_status table_json(struct reading *reading, jsonpull *puller, roof_error *err)
{
    table_reading *r = (table_reading *)reading;
    return row_read_json(r->in, puller, r->table->fields, r->table->n_fields, take_object, r, err);
}

roof_status table_add_total(table_reading *r, double seconds, roof_error *err)
{
    uint32_t row;
    if (!r->totals && !(r->totals = timings_new(r->in)))
        return error_memory(err);
    TRY(timings_row_of(r->totals, span_of("total"), 0, &row, err));
    return timings_add(r->totals, row, seconds, err);
}

/* --- the document -------------------------------------------------------------------------------------- */

/* "Kernel Name, Duration (~)" of what was looked for in vain. */
static roof_status fail_without_rows(const table_reading *r, roof_error *err)
{
    const tool_table *t = r->table;
    textbuf names;
    text_init(&names, TEXT_MAX_BYTES);
    for (size_t f = 0; f < t->n_fields; f++)
        if (t->fields[f].is & ROW_NEEDED)
            text_printf(&names, "%s%s", names.length ? ", " : "", t->fields[f].headings[0]);
    roof_status status = error_set(
        err, ROOF_E_DATA,
        r->n_tables || r->n_timeless ? "no row with a time below the headings %.400s" : "no rows with %.400s",
        names.length && !names.failed ? names.bytes : "its columns");
    text_free(&names);
    return status;
}

static roof_status add_trace(table_reading *r, roof_run_mode mode, roof_run **out, roof_error *err)
{
    TRY(import_add_run(r->in, NULL, mode, out, err));
    for (uint32_t i = 0; i < r->n_firsts; i++) {
        roof_measured_layer *layer;
        if (!r->timings->rows[i].count)
            continue;
        TRY(timings_layer(r->timings, i, *out, &layer, err));
        TRY(row_describe(r->in, &r->firsts[i], layer, err));
        layer->index = r->table->is_in_order ? i + 1 : layer->index;
    }
    if (!r->iterations)
        import_sum_up(r->in, *out);
    else if (r->iterations != ROOF_UNKNOWN)
        import_sum_iterations(r->in, *out, r->iterations);
    else
        import_sum_recording(r->in, *out);
    return ROOF_OK;
}

/* Adds what the whole file says, behind its rows. */
static roof_status finish_run(table_reading *r, roof_run *run, roof_error *err)
{
    if (r->n_timeless)
        import_note(r->in, "%llu row%s without a time %s left out", (unsigned long long)r->n_timeless,
                    r->n_timeless == 1 ? "" : "s", r->n_timeless == 1 ? "is" : "are");
    if (r->n_backwards)
        import_note(r->in, "%llu execution%s before %s begin%s: left out, ask the tool's makers",
                    (unsigned long long)r->n_backwards, r->n_backwards == 1 ? " ends" : "s end",
                    r->n_backwards == 1 ? "its" : "their", r->n_backwards == 1 ? "ning" : "nings");
    if (r->table->note)
        import_note(r->in, "%s", r->table->note);
    if (r->totals)
        TRY(timings_times(r->totals, 0, &run->total, err));
    return r->table->finish ? r->table->finish((struct reading *)r, run, err) : ROOF_OK;
}

roof_status table_finish(struct reading *reading, roof_error *err)
{
    table_reading *r = (table_reading *)reading;
    const importer_def *importer = r->in->importer;
    roof_run_mode mode = importer->mode;
    roof_run *run = NULL;
    row_groups groups;
    if (r->reader && r->inside)
        TRY(table_end(r->reader, err));
    if (r->table->rows)
        TRY(r->table->rows((struct reading *)r, err));
    if (!r->in->n_rows && !r->n_firsts && !r->is_bypass)
        return fail_without_rows(r, err);
    if (!importer->mode_why)
        TRY(import_mode(r->in, r->n_firsts ? r->n_firsts : r->in->n_rows, &mode, err));
    if (r->n_firsts)
        TRY(add_trace(r, mode, &run, err));
    else if (!r->in->n_rows)
        TRY(import_add_run(r->in, NULL, ROOF_RUN_BYPASS, &run, err));
    TRY(row_find_groups(r->in, "groups of rows", &groups, err));
    for (uint32_t g = 0; g < groups.n; g++)
        TRY(row_add_run(r->in, groups.firsts[g], mode, err));
    return finish_run(r, &r->in->out->experiments[0].runs[0], err);
}
