#include "measure/import/tool_table.h"

roof_status table_begin(struct reading *reading, roof_error *err)
{
    table_reading *r = (table_reading *)reading;
    r->table = r->in->importer->table;
    r->cells = NEW_ARRAY(r->in->scratch, text_span, TABLE_MAX_COLUMNS);
    r->placed = NEW_ARRAY(r->in->scratch, text_span, TABLE_MAX_COLUMNS);
    r->offsets = NEW_ARRAY(r->in->scratch, size_t, TABLE_MAX_COLUMNS);
    r->timings = NEW(r->in->scratch, row_timings);
    TRY(ALLOCATED(r->cells && r->placed && r->offsets && r->timings, err));
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
    TRY(timings_row_of(r->in, r->timings, span_of(row->name), tag, at, err));
    return *at < r->n_firsts ? ROOF_OK : ARENA_ADD(r->in->scratch, r->firsts, r->n_firsts, err, *row);
}

roof_status table_take_row(table_reading *r, table_row *row, roof_error *err)
{
    double *v = row->values;
    uint32_t at;
    row->exact = true;
    if (r->table->is_named_by_type && !row->name)
        row->name = row->type;
    if (r->table->row)
        TRY(r->table->row((struct reading *)r, row, err));
    else if (r->table->see_row)
        r->table->see_row((struct reading *)r, row);
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
            return error_data(err, "'%s' has no time", SHOWN_TEXT(row->name));
        r->n_timeless++;
        return ROOF_OK;
    }
    if (!r->table->is_trace || !isnan(v[ROW_COUNT]))
        return row_keep(r->in, row, err);
    TRY(table_row_of(r, row, 0, &at, err));
    return timings_add(r->timings, at, v[ROW_TIME], err);
}

/* --- lines --------------------------------------------------------------------------------------------- */

/* How cells stand between blanks: with one at least, with two. */
enum { BLANKS = 1, GAPS = 2 };

/* Cells between so many blanks, or a tab. Brackets hold one word of a heading: "[mem KB]". */
static size_t cut_blanks(const import_line *line, int fewest, bool is_heading, text_span *cells)
{
    static const char blanks[] = " \t";
    size_t n = 0;
    for (const char *at = line->text + strspn(line->text, blanks); *at && n < TABLE_MAX_COLUMNS;) {
        const char *end = at, *next = at;
        for (bool ends = false; !ends;) {
            const char *closed = is_heading && *next == '[' ? strchr(next, ']') : NULL;
            end = (closed ? closed : next) + strcspn(closed ? closed : next, blanks);
            next = end + strspn(end, blanks);
            ends = !*next || next - end >= fewest || memchr(end, '\t', (size_t)(next - end));
        }
        cells[n++] = (text_span){at, (size_t)(end - at)};
        at = next;
    }
    return n;
}

/* Words that are one heading of the table become one: "Total Cycles". */
static size_t join_headings(const tool_table *t, text_span *cells, size_t n)
{
    size_t kept = 0;
    double scale;
    for (size_t i = 0; i < n; kept++) {
        size_t most = 1;
        for (size_t f = 0; f < t->n_fields; f++)
            for (size_t h = 0; h < N_OF(t->fields->headings) && t->fields[f].headings[h]; h++) {
                size_t words = 1;
                for (const char *c = t->fields[f].headings[h]; *c; c++)
                    words += *c == ' ';
                if (words > most && i + words <= n &&
                    row_is_heading(&t->fields[f], span_to(cells[i], cells[i + words - 1]), &scale))
                    most = words;
            }
        cells[kept] = span_to(cells[i], cells[i + most - 1]);
        i += most;
    }
    return kept;
}

/* The cells of a line; 0 in the middle of a row. */
static roof_status cut(table_reading *r, table_reader *reader, bool has_bars, const import_line *line,
                       size_t *n, roof_error *err)
{
    bool complete;
    import_line inner = *line;
    *n = 0;
    if (has_bars) { /* also before and behind the row */
        text_span row = span_trim((text_span){line->text, line->length});
        span_skip(&row, "|");
        span_drop(&row, "|");
        inner.text += row.text - line->text;
        inner.length = row.length;
    }
    inner.text[inner.length] = '\0';
    TRY(table_feed(reader, &inner, &complete, err));
    for (size_t i = 0; complete && i < table_columns(reader); i++)
        r->cells[(*n)++] = table_cell(reader, i);
    return ROOF_OK;
}

/* Cells of columns that stand where their headings begin: they may hold blanks, and be empty. One that is
 * wider than its column moves those behind it. False where a cell begins elsewhere. */
static bool find_places(table_reading *r, const import_line *line)
{
    const size_t n = r->layout.n, found = cut_blanks(line, BLANKS, false, r->cells);
    size_t place = 0, moved = 0, used = 0;
    if (!found || found == TABLE_MAX_COLUMNS)
        return false;
    for (size_t i = 0; i < n; i++)
        r->placed[i] = (text_span){line->text, 0};
    for (size_t i = 0; i < found; i++) {
        const size_t at = (size_t)(r->cells[i].text - line->text), from = place;
        while (place + 1 < n && at >= r->offsets[place + 1] + moved)
            place++;
        text_span *cell = &r->placed[place];
        if (!cell->length && at != r->offsets[place] + moved)
            return false;
        used += place != from || !i;
        *cell = cell->length ? span_to(*cell, r->cells[i]) : r->cells[i];
        const size_t end = at + r->cells[i].length;
        if (place + 1 < n && end >= r->offsets[place + 1] + moved)
            moved = end + 1 - r->offsets[place + 1];
    }
    return used > 0;
}

/* Words that are too many are of a text: of the one with which the other columns hold numbers most often. */
static size_t join_words(table_reading *r, size_t n)
{
    const row_layout *l = &r->layout;
    size_t best = l->n, most = 0;
    for (size_t f = 0; f < l->n_fields; f++) {
        size_t n_numbers = 1 + (l->fields[f].column == ROW_NAME); /* of equal ones the name */
        if (l->cells[f] == l->n || !row_is_text(l->fields[f].column))
            continue;
        for (size_t c = 0; c < l->n; c++) {
            const text_span cell = r->cells[c < l->cells[f] ? c : c + n - l->n];
            n_numbers += c != l->cells[f] && cell.length && strchr("0123456789.-~", *cell.text) ? 2 : 0;
        }
        if (n_numbers > most) {
            most = n_numbers;
            best = l->cells[f];
        }
    }
    if (best == l->n)
        return n;
    const text_span *last = &r->cells[best + n - l->n];
    r->cells[best] = span_to(r->cells[best], *last);
    memmove(&r->cells[best + 1], last + 1, (l->n - best - 1) * sizeof *r->cells);
    return l->n;
}

/* A row between blanks: by places, else by gaps, else by words. */
static size_t cut_row(table_reading *r, const import_line *line, bool *is_placed)
{
    *is_placed = find_places(r, line);
    if (*is_placed) {
        memcpy(r->cells, r->placed, r->layout.n * sizeof *r->cells);
        return r->layout.n;
    }
    size_t n = cut_blanks(line, GAPS, false, r->cells);
    if (n != r->layout.n)
        n = cut_blanks(line, BLANKS, false, r->cells);
    return n > r->layout.n && n < TABLE_MAX_COLUMNS ? join_words(r, n) : n;
}

/* Most lines outside of tables have not even the first word of a heading that is needed. */
static bool may_be_heading(const tool_table *t, const import_line *line)
{
    FOR_EACH(const row_field, field, t->fields, t->n_fields) {
        bool found = !(field->is & ROW_NEEDED);
        for (size_t i = 0; i < N_OF(field->headings) && field->headings[i] && !found; i++)
            found = memmem(line->text, line->length, field->headings[i], strcspn(field->headings[i], " (~"));
        if (!found)
            return false;
    }
    return t->n_fields > 0;
}

/* Begins a table where the line is a heading with that separator, or between blanks. */
static roof_status try_heading(table_reading *r, const import_line *line, char separator, bool *found,
                               roof_error *err)
{
    const tool_table *t = r->table;
    table_reader *reader = separator == ' ' ? NULL : table_new(separator);
    size_t n = 0, best = 0;
    roof_status status = ROOF_OK;
    row_layout layout = {.fields = NULL};
    TRY(ALLOCATED(separator == ' ' || reader, err));
    if (reader)
        status = cut(r, reader, separator == '|', line, &n, NULL); /* chatter may have any quotes */
    for (int fewest = GAPS; status == ROOF_OK && fewest >= BLANKS; fewest--) {
        row_layout cut_so;
        if (separator == ' ')
            n = join_headings(t, r->placed, cut_blanks(line, fewest, true, r->placed));
        const text_span *cells = separator == ' ' ? r->placed : r->cells;
        size_t n_found = 0;
        if (!row_find_headings(t->fields, t->n_fields, cells, n, &cut_so))
            continue;
        for (size_t f = 0; f < t->n_fields; f++)
            n_found += cut_so.cells[f] < n;
        if (n_found <= best)
            continue;
        best = n_found;
        layout = cut_so;
        for (size_t i = 0; separator == ' ' && i < n; i++)
            r->offsets[i] = (size_t)(cells[i].text - line->text);
    }
    *found = best > 0;
    table_free(*found ? r->reader : reader);
    if (!*found)
        return status == ROOF_E_NO_MEMORY ? error_memory(err) : ROOF_OK;
    r->reader = reader;
    r->has_bars = separator == '|';
    r->layout = layout;
    r->layout.room = TABLE_MAX_COLUMNS;
    r->layout.has_commas = separator == ';';
    r->n_tables++;
    r->inside = r->is_empty = true;
    r->is_framed = r->has_bars && line->text[strspn(line->text, " \t")] == '|';
    return ROOF_OK;
}

/* Spreadsheets write another separator than the tool, terminals bars, and who pastes has blanks for tabs. */
static roof_status find_heading(table_reading *r, const import_line *line, bool *found, roof_error *err)
{
    static const char separators[] = ",\t;|";
    size_t n[sizeof separators] = {0};
    *found = false;
    if (!may_be_heading(r->table, line))
        return ROOF_OK;
    for (size_t i = 0; i < line->length; i++)
        for (size_t s = 0; separators[s]; s++)
            n[s] += line->text[i] == separators[s];
    const char declared = r->table->separator;
    if (declared != ANY_SEPARATOR && declared != ' ')
        TRY(try_heading(r, line, declared, found, err));
    for (size_t tries = 0; separators[tries] && !*found; tries++) {
        size_t best = 0;
        for (size_t s = 1; separators[s]; s++)
            best = n[s] > n[best] ? s : best;
        if (!n[best])
            break;
        n[best] = 0;
        TRY(try_heading(r, line, separators[best], found, err));
    }
    return *found ? ROOF_OK : try_heading(r, line, ' ', found, err);
}

/* A row of words alone goes on with the texts of the one before it, which were too wide for their columns. */
static roof_status take_wrapped(table_reading *r, bool *is_taken, roof_error *err)
{
    import_state *in = r->in;
    table_row *before = in->n_rows ? &in->rows[in->n_rows - 1] : NULL;
    const row_layout *l = &r->layout;
    *is_taken = false;
    if (!before || before->table != r->n_tables)
        return ROOF_OK;
    for (size_t f = 0; f < l->n_fields; f++) {
        const row_column c = l->fields[f].column;
        if (l->cells[f] < l->n && r->cells[l->cells[f]].length && c != ROW_NAME && c != ROW_TYPE)
            return ROOF_OK;
    }
    for (size_t f = 0; f < l->n_fields; f++) {
        const row_column c = l->fields[f].column;
        const char **text = c == ROW_NAME ? &before->name : &before->type;
        if (l->cells[f] == l->n || (c != ROW_NAME && c != ROW_TYPE) || !r->cells[l->cells[f]].length)
            continue;
        const text_span more = r->cells[l->cells[f]];
        char *joined = arena_printf(in->scratch, "%s%.*s", *text ? *text : "", (int)more.length, more.text);
        TRY(ALLOCATED(joined, err));
        TRY(import_keep_name(in, span_of(joined), text, err));
        *is_taken = true;
    }
    return ROOF_OK;
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
    bool found, is_placed = false, is_wrapped = false;
    bool is_rule = strspn(line->text, "-=+|: \t") == line->length; /* or empty */
    if (r->inside && is_rule && (!line->length || (!r->is_empty && !r->is_framed))) {
        r->inside = false;
        return ROOF_OK;
    }
    if (r->inside && r->is_framed && line->text[strspn(line->text, " \t")] != '|')
        r->inside = is_rule;
    if (r->inside && r->table->end &&
        span_begins(span_trim((text_span){line->text, line->length}), r->table->end))
        r->inside = false;
    if (is_rule)
        return ROOF_OK;
    TRY(find_heading(r, line, &found, err));
    if (found)
        return ROOF_OK;
    if (!r->inside && r->table->see_line)
        r->table->see_line(reading, line);
    if (!r->inside)
        return r->table->line ? r->table->line(reading, line, err)
                              : line_take(r->table->lines, r->table->n_lines,
                                          span_trim((text_span){line->text, line->length}), reading, err);
    if (r->reader)
        TRY(cut(r, r->reader, r->has_bars, line, &n, err));
    else
        n = cut_row(r, line, &is_placed);
    if (!n)
        return ROOF_OK;
    if (is_placed)
        TRY(take_wrapped(r, &is_wrapped, err));
    if (is_wrapped)
        return ROOF_OK;
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
    TRY(timings_row_of(r->in, &r->totals, span_of("total"), 0, &row, err));
    return timings_add(&r->totals, row, seconds, err);
}

/* --- the document -------------------------------------------------------------------------------------- */

/* "Kernel Name, Duration (~)" of what was looked for in vain. */
static roof_status fail_without_rows(const table_reading *r, roof_error *err)
{
    const tool_table *t = r->table;
    const char *names = "";
    for (size_t f = 0; f < t->n_fields; f++)
        if (t->fields[f].is & ROW_NEEDED)
            names = text_or_empty(
                arena_printf(r->in->scratch, "%s%s%s", names, *names ? ", " : "", t->fields[f].headings[0]));
    return error_data(err,
                      r->n_tables || r->n_timeless ? "no row with a time below the headings %.400s"
                                                   : "no rows with %.400s",
                      *names ? names : "its columns");
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
    else
        import_sum_iterations(r->in, *out, r->iterations != ROOF_UNKNOWN ? r->iterations : 0);
    return ROOF_OK;
}

roof_status table_finish(struct reading *reading, roof_error *err)
{
    table_reading *r = (table_reading *)reading;
    const importer_def *importer = r->in->importer;
    const roof_run_mode mode = importer->mode;
    roof_run *run = NULL;
    row_groups groups;
    if (r->reader && r->inside)
        TRY(table_end(r->reader, err));
    if (r->table->rows)
        TRY(r->table->rows(reading, err));
    else if (r->table->see_rows)
        r->table->see_rows(reading);
    if (!r->in->n_rows && !r->n_firsts && !r->is_bypass)
        return fail_without_rows(r, err);
    if (r->n_firsts)
        TRY(add_trace(r, mode, &run, err));
    else if (!r->in->n_rows)
        TRY(import_add_run(r->in, NULL, ROOF_RUN_BYPASS, &run, err));
    TRY(row_find_groups(r->in, "groups of rows", &groups, err));
    for (uint32_t g = 0; g < groups.n; g++)
        TRY(row_add_run(r->in, groups.firsts[g], mode, err));
    /* what the whole file says */
    run = &r->in->out->experiments[r->in->first].runs[0];
    if (r->n_timeless)
        import_note(r->in, "%llu row%s without a time %s left out", (unsigned long long)r->n_timeless,
                    r->n_timeless == 1 ? "" : "s", r->n_timeless == 1 ? "is" : "are");
    if (r->n_backwards)
        import_note(r->in, "%llu execution%s before %s begin%s: left out, ask the tool's makers",
                    (unsigned long long)r->n_backwards, r->n_backwards == 1 ? " ends" : "s end",
                    r->n_backwards == 1 ? "its" : "their", r->n_backwards == 1 ? "ning" : "nings");
    if (r->table->note)
        import_note(r->in, "%s", r->table->note);
    if (r->totals.n_rows)
        TRY(timings_times(&r->totals, 0, &run->total, err));
    if (r->table->tell)
        r->table->tell(reading, run);
    return r->table->finish ? r->table->finish(reading, run, err) : ROOF_OK;
}
