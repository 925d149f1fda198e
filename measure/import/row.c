#include "measure/import/row.h"

#include <csv.h>

table_row row_unknown(void)
{
    table_row row = {.name = NULL};
    for (int c = 0; c < ROW_VALUES; c++)
        row.values[c] = NAN;
    return row;
}

roof_status row_keep(import_state *in, const table_row *row, roof_error *err)
{
    enum { MAX_ROWS = 1 << 18 };
    TRY(HAS_ROOM(in->n_rows, MAX_ROWS, err, "rows"));
    return ARENA_ADD(in->scratch, in->rows, in->n_rows, err, *row);
}

static const char **text_of(table_row *row, row_column c)
{
    return c == ROW_NAME     ? &row->name
           : c == ROW_TYPE   ? &row->type
           : c == ROW_GROUP  ? &row->group
           : c == ROW_DEVICE ? &row->device
           : c == ROW_WORD   ? &row->word
                             : NULL;
}

bool row_is_text(row_column column)
{
    return text_of(&(table_row){.name = NULL}, column);
}

/* --- tables ------------------------------------------------------------------------------------------- */

/* Units that a heading may have; megabytes are those of their tool only if they are decimal ones. */
static double unit_scale(text_span word)
{
    double scale = 0;
    return span_unit(word, false, &scale) <= UNIT_TIME ? scale : 0;
}

/* True if a cell is a heading, whatever blanks it has; *scale is that of a unit at '~'. */
static bool is_heading(text_span cell, const char *heading, double *scale)
{
    size_t i = 0;
    for (; *heading; heading++) {
        if (*heading == ' ')
            continue;
        while (i < cell.length && cell.text[i] == ' ')
            i++;
        if (*heading == '~') {
            size_t from = i;
            while (i < cell.length && cell.text[i] != heading[1])
                i++;
            *scale = unit_scale(span_trim((text_span){cell.text + from, i - from}));
            if (!(*scale > 0))
                return false;
        } else if (i == cell.length || cell.text[i++] != *heading) {
            return false;
        }
    }
    return i == cell.length;
}

/* "Avg (MB)" is no time: units of a second are at most 1, those of other things at least. */
bool row_is_heading(const row_field *field, text_span cell, double *scale)
{
    const row_column c = field->column;
    bool is_time = (c >= ROW_TIME && c <= ROW_P99) || (c >= ROW_SUM && c <= ROW_END);
    *scale = field->scale;
    for (size_t i = 0; i < N_OF(field->headings) && field->headings[i]; i++)
        if (is_heading(cell, field->headings[i], scale))
            return !is_time || *scale <= 1;
    return false;
}

bool row_find_headings(const row_field *fields, size_t n_fields, const text_span *cells, size_t n,
                       row_layout *out)
{
    *out = (row_layout){
        .fields = fields, .n_fields = n_fields, .n = n, .fewest = n, .room = ROW_MAX_CELLS, .name = n - 1};
    for (size_t f = 0; f < n_fields; f++) {
        size_t *at = &out->cells[f];
        while (*at < n && !row_is_heading(&fields[f], cells[*at], &out->scales[f]))
            ++*at;
        if (*at == n && (fields[f].is & ROW_NEEDED))
            return false;
        if (*at < n && (fields[f].is & ROW_LAST))
            out->fewest = *at + 1;
        out->name = *at < n && fields[f].column == ROW_NAME ? *at : out->name;
    }
    return true;
}

/* A cell with its unit: "25 %" of a share, "0.120s" and "85.395ms" of a time. The unit is removed. */
static double take_unit(text_span *cell, double scale)
{
    size_t n = cell->length;
    while (n && !strchr("0123456789.", cell->text[n - 1]))
        n--;
    const text_span number = {cell->text, n}, unit = span_trim(span_from(*cell, n));
    const double of_unit = scale > 0.99 && scale < 1.01 && unit.length ? unit_scale(unit) : 0;
    if (!n || !(span_is(unit, "%") ? scale > 0.0099 && scale < 0.0101 : of_unit > 0 && of_unit <= 1))
        return scale;
    *cell = number;
    return span_is(unit, "%") ? scale : of_unit;
}

static roof_status read_cell(import_state *in, const row_layout *layout, size_t field, text_span cell,
                             table_row *out, roof_error *err)
{
    const row_field *f = &layout->fields[field];
    char digits[64];
    static const char *const not_known[] = {"",  "N/A", "[N/A]",           "n/a",    "nan",
                                            "-", "\\",  "[Not Supported]", "UNKNOWN"};
    const char **text = text_of(out, f->column);
    if (text)
        return cell.length || (f->column == ROW_NAME && !(f->is & ROW_SPARSE))
                   ? import_keep_name(in, cell, text, err)
                   : ROOF_OK;
    if (f->column == ROW_MARK)
        return ROOF_OK;
    if ((f->is & ROW_SPARSE) && SPAN_IS_ONE_OF(not_known, cell))
        return ROOF_OK;
    double *value = &out->values[f->column];
    const double scale = take_unit(&cell, layout->scales[field]);
    char *comma = layout->has_commas ? memchr(cell.text, ',', cell.length) : NULL;
    if (comma && cell.length < sizeof digits && !memchr(cell.text, '.', cell.length)) {
        memcpy(digits, cell.text, cell.length);
        digits[comma - cell.text] = '.';
        cell.text = digits;
    }
    if (span_is(cell, "~0"))
        in->small = true;
    else
        TRY(span_number(cell, f->what ? f->what : f->headings[0], value, err));
    *value = span_to_base(*value, scale);
    return ROOF_OK;
}

/* The time between two stamps: doubles do not hold nanoseconds since 1970. */
static roof_status subtract_stamps(import_state *in, const row_layout *layout, const text_span *cells,
                                   table_row *out, roof_error *err)
{
    uint64_t stamps[2] = {0};
    double scale = 0, *v = out->values;
    unsigned whole = 0;
    for (size_t f = 0; f < layout->n_fields; f++) {
        row_column c = layout->fields[f].column;
        if ((c != ROW_START && c != ROW_END) || layout->cells[f] == layout->n)
            continue;
        scale = layout->scales[f];
        whole += span_id(cells[layout->cells[f]], "", &stamps[c == ROW_END], NULL) == ROOF_OK;
    }
    if (whole == 2)
        v[ROW_TIME] = span_to_base(stamps[1] >= stamps[0] ? (double)(stamps[1] - stamps[0])
                                                          : -(double)(stamps[0] - stamps[1]),
                                   scale);
    else if (!isnan(v[ROW_END]))
        v[ROW_TIME] = v[ROW_END] - v[ROW_START];
    return whole == 2 && stamps[0] <= INT64_MAX && stamps[1] <= INT64_MAX
               ? import_saw_named(in, (span_of_time){(int64_t)stamps[0], (int64_t)stamps[1]}, scale,
                                  span_of(out->name ? out->name : ""), err)
               : ROOF_OK;
}

roof_status row_read(import_state *in, const row_layout *layout, text_span *cells, size_t n, table_row *out,
                     roof_error *err)
{
    const size_t name = layout->name;
    while (n > layout->n && n <= layout->room && !cells[n - 1].length)
        n--;
    if (n < layout->fewest || n > layout->room)
        return error_data(err, "a row of %zu cells, want %zu: is the table whole?", n, layout->n);
    while (n < layout->n)
        cells[n++] = span_of("");
    if (n > layout->n) { /* cells that are too many are of the name */
        const text_span *last = &cells[name + n - layout->n];
        cells[name] = span_to(cells[name], *last);
        memmove(cells + name + 1, last + 1, (size_t)(cells + n - last - 1) * sizeof *cells);
    }
    for (size_t f = 0; f < layout->n_fields; f++)
        if (layout->cells[f] < layout->n)
            TRY(read_cell(in, layout, f, cells[layout->cells[f]], out, err));
    return subtract_stamps(in, layout, cells, out, err);
}

/* --- JSON --------------------------------------------------------------------------------------------- */

roof_status row_fail_json(const jsonpull *at, const char *what, roof_error *err)
{
    char pointer[300];
    jsonpull_pointer(at, pointer, sizeof pointer);
    return error_line(err, ROOF_E_DATA, jsonpull_line(at), "%s: %s", pointer[0] ? pointer : "/", what);
}

static roof_status read_member(import_state *in, jsonpull *at, const json_event *e, const row_field *f,
                               table_row *row, roof_error *err)
{
    if (row_is_text(f->column)) {
        const char **text = text_of(row, f->column);
        if (e->kind != JSON_STRING)
            return (f->is & ROW_NEEDED) ? row_fail_json(at, "want a string", err) : ROOF_OK;
        if (*text)
            return row_fail_json(at, "is there twice", err);
        roof_status status = import_keep_name(in, (text_span){e->text, e->text_length}, text, err);
        if (status == ROOF_E_DATA && err)
            err->line = jsonpull_line(at);
        return status;
    }
    if (e->kind == JSON_NUMBER && !(e->number >= 0))
        return row_fail_json(at, "is negative, want 0 or more", err);
    if (!isnan(row->values[f->column]))
        return row_fail_json(at, "is there twice", err);
    if (e->kind == JSON_ARRAY && (f->is & ROW_EACH))
        return ROOF_OK;
    if (e->kind != JSON_NULL) /* another kind is told when the object turns out to be a row */
        row->values[f->column] = e->kind == JSON_NUMBER ? span_to_base(e->number, f->scale) : INFINITY;
    return ROOF_OK;
}

/* The object ends: one with a name is a row, whose numbers have to be some. */
static roof_status end_object(const jsonpull *at, const row_field *fields, size_t n_fields,
                              const table_row *row, row_call each, void *reading, roof_error *err)
{
    char text[120];
    bool any = row->name || row->type || row->group || row->device || row->word;
    for (int c = 0; c < ROW_VALUES && !any; c++)
        any = isfinite(row->values[c]);
    for (size_t f = 0; f < n_fields && row->name; f++)
        if (!row_is_text(fields[f].column) && isinf(row->values[fields[f].column])) {
            snprintf(text, sizeof text, "%s is no number", fields[f].headings[0]);
            return row_fail_json(at, text, err);
        }
    return any ? each(reading, at, row, err) : ROOF_OK;
}

roof_status row_read_json(import_state *in, jsonpull *puller, const row_field *fields, size_t n_fields,
                          row_call each, void *reading, roof_error *err)
{
    json_event e = {.kind = JSON_NULL};
    double scale;
    const row_field *around = NULL; /* whose array or wrapping object is open */
    /* objects around the current value, any of which may turn out to be a row */
    table_row *open = NEW_ARRAY(in->scratch, table_row, JSON_DEEPEST + 1), *row = open;
    TRY(ALLOCATED(open, err));
    for (*row = row_unknown(); e.kind != JSON_DONE;) {
        TRY(jsonpull_next(puller, &e, err));
        const row_field *f = NULL;
        for (size_t i = 0; e.key && !f && i < n_fields; i++)
            f = row_is_heading(&fields[i], span_of(e.key), &scale) ? &fields[i] : NULL;
        bool opens = e.kind == JSON_OBJECT || e.kind == JSON_ARRAY;
        if (around && !opens && e.kind != JSON_CLOSE) {
            /* a number of an array is a row of its own, a wrapped value a member of the object around it */
            table_row item = row_unknown();
            TRY(read_member(in, puller, &e, around, e.key ? row - 1 : &item, err));
            if (!e.key)
                TRY(isfinite(item.values[around->column]) ? each(reading, puller, &item, err)
                                                          : row_fail_json(puller, "want a number", err));
        } else if (f && !(e.kind == JSON_OBJECT && (f->is & ROW_WRAPPED))) {
            TRY(read_member(in, puller, &e, f, row, err));
        }
        if (opens || e.kind == JSON_CLOSE)
            around = opens && f && (f->is & (e.kind == JSON_OBJECT ? ROW_WRAPPED : ROW_EACH)) ? f : NULL;
        if (opens)
            *++row = row_unknown();
        if (e.kind == JSON_CLOSE) {
            TRY(end_object(puller, fields, n_fields, row, each, reading, err));
            row--;
        }
    }
    return ROOF_OK;
}

/* --- layers ------------------------------------------------------------------------------------------- */

static double seconds(const table_row *row, row_column c)
{
    return row->exact || row->values[c] > 0 ? row->values[c] : NAN;
}

static uint64_t count(const table_row *row, row_column c)
{
    double value = row->values[c];
    if (!row->exact)
        return count_from(value);
    return isnan(value) || value > 9e15 ? ROOF_UNKNOWN : (uint64_t)llround(value);
}

void row_set_times(const table_row *row, roof_times *times)
{
    *times = times_unknown();
    times->mean_s = seconds(row, ROW_TIME);
    times->std_s = seconds(row, ROW_STD);
    times->min_s = seconds(row, ROW_MIN);
    times->max_s = seconds(row, ROW_MAX);
    times->median_s = seconds(row, ROW_MEDIAN);
    times->p95_s = seconds(row, ROW_P95);
    times->p99_s = seconds(row, ROW_P99);
    times->count = count(row, ROW_COUNT);
}

roof_status row_set_counters(import_state *in, const table_row *row, roof_measured_layer *layer,
                             roof_error *err)
{
    roof_layer_counters *c = layer_counters_of(in->out, layer);
    TRY(ALLOCATED(c, err));
    c->total_bytes = count(row, ROW_BYTES);
    c->read_bytes = count(row, ROW_READ);
    c->write_bytes = count(row, ROW_WRITE);
    c->workload_ops = count(row, ROW_WORKLOAD);
    c->share_ratio = row->values[ROW_SHARE] > 1 ? 1 : row->values[ROW_SHARE];
    c->ops_per_s = seconds(row, ROW_OPS);
    return ROOF_OK;
}

/* Tables of tools hold sizes that they computed from the model, unless they say otherwise. */
roof_status row_describe(import_state *in, const table_row *row, roof_measured_layer *layer, roof_error *err)
{
    const tool_table *t = in->importer->table;
    layer->type = row->type;
    if (row->values[ROW_EXECUTIONS] > 0 && row->values[ROW_EXECUTIONS] < UINT32_MAX)
        layer->executions = (uint32_t)row->values[ROW_EXECUTIONS];
    layer->basis = isnan(row->values[ROW_TIME]) && !isnan(row->values[ROW_SHARE]) ? ROOF_TIME_SHARE
                   : t                                                            ? t->basis
                                                                                  : ROOF_TIME_MEASURED;
    TRY(row_set_counters(in, row, layer, err));
    roof_layer_counters *c = layer->counters;
    c->device = row->device ? row->device : in->device;
    if (c->read_bytes != ROOF_UNKNOWN || c->write_bytes != ROOF_UNKNOWN || c->total_bytes != ROOF_UNKNOWN)
        c->bytes_origin = t && t->bytes ? t->bytes : ROOF_BYTES_STATIC;
    if (count(row, ROW_MEMORY) != ROOF_UNKNOWN)
        TRY(counted_set(counted_of_layer(in->out, layer), ROOF_COUNTER_PROGRAM, ROOF_COUNTER_BYTES, NULL,
                        (double)count(row, ROW_MEMORY), err));
    uint64_t cycles = count(row, ROW_CYCLES);
    if (!t || !t->cycles || cycles == ROOF_UNKNOWN)
        return ROOF_OK;
    return layer_set_cycles(in->out, layer, (roof_domain_cycles){t->cycles, cycles}, err);
}

static bool is_of_group(const table_row *a, const table_row *b)
{
    return a->table == b->table && text_same(a->group, b->group);
}

bool row_is_like(const table_row *a, const table_row *b)
{
    double x = a->values[ROW_DEPTH], y = b->values[ROW_DEPTH];
    return is_of_group(a, b) && !isnan(x) == !isnan(y) && !(x < y || x > y);
}

roof_status row_find_groups(const import_state *in, const char *what, row_groups *out, roof_error *err)
{
    uint32_t n_rows[ROW_MAX_GROUPS] = {0};
    *out = (row_groups){.n = 0};
    for (uint32_t i = 0; i < in->n_rows; i++) {
        uint32_t g = 0;
        while (g < out->n && !is_of_group(out->firsts[g], &in->rows[i]))
            g++;
        TRY(HAS_ROOM(g, ROW_MAX_GROUPS, err, what));
        if (g == out->n)
            out->firsts[out->n++] = &in->rows[i];
        out->most = ++n_rows[g] > out->most ? n_rows[g] : out->most;
    }
    return ROOF_OK;
}

roof_status row_add_run(import_state *in, const table_row *like, roof_run_mode mode, roof_error *err)
{
    const tool_table *t = in->importer->table;
    roof_run *run = NULL;
    TRY(import_add_run(in, NULL, mode, &run, err));
    FOR_EACH(const table_row, row, in->rows, in->n_rows) {
        if (!row_is_like(row, like))
            continue;
        roof_measured_layer *layer = run_add_layer(in->out, run);
        TRY(ALLOCATED(layer, err));
        layer->name = row->name;
        if (t && t->is_in_order)
            layer->index = run->n_layers;
        else if (!t && row->values[ROW_INDEX] >= 1)
            layer->index = (uint32_t)row->values[ROW_INDEX];
        row_set_times(row, &layer->time);
        TRY(row_describe(in, row, layer, err));
    }
    import_sum_up(in, run);
    return ROOF_OK;
}

void row_see_clock(row_clocks *c, double hz)
{
    if (!(hz >= 1))
        return;
    c->least_hz = c->most_hz > 0 ? fmin(c->least_hz, hz) : hz;
    c->most_hz = fmax(c->most_hz, hz);
}

roof_status row_add_clock(import_state *in, const row_clocks *c, roof_run *run, const char *domain,
                          roof_error *err)
{
    double range_hz = c->most_hz - c->least_hz;
    if (range_hz > 0.01 * c->most_hz)
        import_note(in, "clocks are from %s to %s MHz, and are left out", NUMBER(c->least_hz * 1e-6),
                    NUMBER(c->most_hz * 1e-6));
    else if (c->most_hz > 0)
        return run_add_clock(in->out, run, domain, c->least_hz + range_hz / 2, err);
    return ROOF_OK;
}

void row_remark_hardware_times(import_state *in, const char *how)
{
    enum { MOST = 8 };
    for (uint32_t i = 0, n = 0; i < in->n_rows && n < MOST; i++)
        if (in->rows[i].values[ROW_HARDWARE_TIME] > 0) {
            import_note(in, "%s: %s ms by the hardware counter%s", SHOWN_TEXT(in->rows[i].name),
                        NUMBER(in->rows[i].values[ROW_HARDWARE_TIME]), how);
            n++;
        }
}

roof_status row_remark_function(import_state *in, text_span name, text_span calls, text_span mean_ms,
                                roof_error *err)
{
    uint64_t n_calls;
    double mean;
    TRY(span_count(calls, "the number of runs", &n_calls, err));
    TRY(span_number(mean_ms, "the average run time", &mean, err));
    if (in->n_functions++ < MOST_FUNCTIONS)
        import_note(in, "CPU function %s: %llu calls of %s ms on average", SHOWN(name),
                    (unsigned long long)n_calls, NUMBER(mean));
    return ROOF_OK;
}

/* --- cells between separators -------------------------------------------------------------------------- */

struct table_reader {
    struct csv_parser parser;
    textbuf bytes; /* of fields, a separator behind each, so that several read as one are as they were */
    char separator;
    size_t ends[TABLE_MAX_COLUMNS];
    size_t n_columns;
    uint64_t first_line;
    bool open, complete; /* a row has begun; it has ended */
    roof_status problem; /* of a call-back, which cannot stop the parser */
};

/* A field holds one line, or several in quotes. */
static void *bounded_realloc(void *old, size_t size)
{
    return size <= TABLE_MAX_ROW_BYTES ? realloc(old, size) : NULL;
}

static void end_field(void *text, size_t length, void *table)
{
    table_reader *t = table;
    if (t->n_columns == TABLE_MAX_COLUMNS || t->bytes.length + length > TABLE_MAX_ROW_BYTES)
        t->problem = ROOF_E_LIMIT;
    if (t->problem != ROOF_OK)
        return;
    if (length)
        text_add(&t->bytes, text, length);
    text_add(&t->bytes, &t->separator, 1);
    t->problem = text_status(&t->bytes, NULL);
    t->ends[t->n_columns++] = t->bytes.length;
}

static void end_row(int last, void *table)
{
    table_reader *t = table;
    (void)last;
    t->complete = true;
}

table_reader *table_new(char separator)
{
    table_reader *t = calloc(1, sizeof *t);
    if (!t || csv_init(&t->parser, CSV_STRICT | CSV_STRICT_FINI) != 0) {
        free(t);
        return NULL;
    }
    text_init(&t->bytes, (size_t)2 * TABLE_MAX_ROW_BYTES);
    t->separator = separator;
    csv_set_delim(&t->parser, (unsigned char)separator);
    csv_set_realloc_func(&t->parser, bounded_realloc);
    return t;
}

void table_free(table_reader *t)
{
    if (!t)
        return;
    csv_free(&t->parser);
    text_free(&t->bytes);
    free(t);
}

static roof_status check(table_reader *t, bool parsed, uint64_t line, roof_error *err)
{
    int code = csv_error(&t->parser);
    if (parsed && t->problem == ROOF_OK)
        return ROOF_OK;
    bool at_limit = csv_get_buffer_size(&t->parser) + t->parser.blk_size > TABLE_MAX_ROW_BYTES;
    if (t->problem == ROOF_E_NO_MEMORY || (code == CSV_ENOMEM && !at_limit))
        return error_memory(err);
    if (t->problem == ROOF_E_LIMIT || code == CSV_ENOMEM || code == CSV_ETOOBIG)
        return error_line(err, ROOF_E_LIMIT, line,
                          "a row of more than %d fields or %d bytes: is a quote missing?", TABLE_MAX_COLUMNS,
                          TABLE_MAX_ROW_BYTES);
    return error_line(err, ROOF_E_DATA, line,
                      "a quote where none may be: fields with quotes are written \"a \"\"b\"\"\"");
}

static int is_no_space(unsigned char c)
{
    (void)c;
    return 0;
}

roof_status table_feed(table_reader *t, const import_line *line, bool *complete, roof_error *err)
{
    if (t->complete || !t->open) {
        t->bytes.length = t->n_columns = 0;
        t->first_line = line->number;
        t->complete = false;
    }
    t->open = true;
    /* Blanks around fields are trimmed later, where no quotes need it now. */
    bool has_blanks =
        memchr(line->text, t->separator, line->length) && !memchr(line->text, '"', line->length);
    csv_set_space_func(&t->parser, has_blanks ? is_no_space : NULL);
    line->text[line->length] = '\n';
    size_t n = csv_parse(&t->parser, line->text, line->length + 1, end_field, end_row, t);
    line->text[line->length] = '\0';
    *complete = t->complete && t->n_columns;
    return check(t, n == line->length + 1, line->number, err);
}

roof_status table_end(table_reader *t, roof_error *err)
{
    return check(t, csv_fini(&t->parser, end_field, end_row, t) == 0, t->first_line, err);
}

size_t table_columns(const table_reader *t)
{
    return t->n_columns;
}

text_span table_cell(const table_reader *t, size_t column)
{
    if (column >= t->n_columns)
        return (text_span){"", 0};
    size_t begin = column ? t->ends[column - 1] : 0;
    return span_trim((text_span){t->bytes.bytes + begin, t->ends[column] - begin - 1});
}

uint64_t table_read_line(const table_reader *t)
{
    return t->first_line;
}
