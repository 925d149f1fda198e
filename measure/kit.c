#include "measure/kit.h"
#include "core/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_ROWS = 1 << 18 };

table_row row_unknown(void)
{
    table_row row = {.name = NULL};
    for (int c = 0; c < ROW_VALUES; c++)
        row.values[c] = NAN;
    return row;
}

roof_status row_keep(import_state *in, const table_row *row, roof_error *err)
{
    if (in->n_rows == MAX_ROWS)
        return error_set(err, ROOF_E_LIMIT, "more than %d rows", MAX_ROWS);
    table_row *kept = array_add(in->scratch, &in->rows, &in->n_rows, sizeof *kept);
    if (!kept)
        return error_memory(err);
    *kept = *row;
    return ROOF_OK;
}

static bool is_text(row_column c)
{
    return c == ROW_NAME || c == ROW_TYPE || c == ROW_GROUP;
}

static const char **text_of(table_row *row, row_column c)
{
    return c == ROW_NAME ? &row->name : c == ROW_TYPE ? &row->type : &row->group;
}

/* Thousandths are divided by thousands, which doubles hold exactly. */
static double to_base(double value, double scale)
{
    if (scale > 0 && scale < 1)
        return value / round(1 / scale);
    return scale > 0 ? value * scale : value;
}

/* --- tables ------------------------------------------------------------------------------------------- */

bool row_is_heading(text_span cell, const char *heading)
{
    size_t i = 0;
    for (; *heading; heading++) {
        if (*heading == ' ')
            continue;
        while (i < cell.length && cell.text[i] == ' ')
            i++;
        if (i == cell.length || cell.text[i++] != *heading)
            return false;
    }
    return i == cell.length;
}

static const row_field *field_of(const row_field *fields, size_t n_fields, text_span cell)
{
    for (size_t f = 0; f < n_fields; f++)
        for (size_t i = 0; i < sizeof fields->headings / sizeof *fields->headings && fields[f].headings[i];
             i++)
            if (row_is_heading(cell, fields[f].headings[i]))
                return &fields[f];
    return NULL;
}

bool row_find_headings(const row_field *fields, size_t n_fields, const text_span *cells, size_t n,
                       row_layout *out)
{
    if (n > ROW_MAX_CELLS)
        return false;
    out->n = n;
    for (size_t i = 0; i < n; i++)
        out->fields[i] = field_of(fields, n_fields, cells[i]);
    for (size_t f = 0; f < n_fields; f++) {
        bool found = !fields[f].needed;
        for (size_t i = 0; i < n && !found; i++)
            found = out->fields[i] == &fields[f];
        if (!found)
            return false;
    }
    return true;
}

/* Cells that are too many are of the name. */
static void join_name(const row_layout *layout, text_span *cells, size_t n)
{
    size_t name = 0, extra = n - layout->n;
    while (name + 1 < layout->n && !(layout->fields[name] && layout->fields[name]->column == ROW_NAME))
        name++;
    const text_span *last = &cells[name + extra];
    cells[name].length = (size_t)(last->text + last->length - cells[name].text);
    memmove(cells + name + 1, cells + name + 1 + extra, (n - name - 1 - extra) * sizeof *cells);
}

roof_status row_read(import_state *in, const row_layout *layout, text_span *cells, size_t n, table_row *out,
                     roof_error *err)
{
    while (n > layout->n && n <= ROW_MAX_CELLS && !cells[n - 1].length)
        n--;
    if (n < layout->n || n > ROW_MAX_CELLS)
        return error_set(err, ROOF_E_DATA, "a row of %zu cells, want %zu: is the table whole?", n, layout->n);
    if (n > layout->n)
        join_name(layout, cells, n);
    for (size_t i = 0; i < layout->n; i++) {
        const row_field *f = layout->fields[i];
        if (!f)
            continue;
        if (is_text(f->column) && (cells[i].length || f->column == ROW_NAME))
            TRY(import_keep_name(in, cells[i], text_of(out, f->column), err));
        if (is_text(f->column))
            continue;
        if (span_is(cells[i], "~0"))
            in->small = true;
        else
            TRY(span_number(cells[i], f->what, &out->values[f->column], err));
        out->values[f->column] = to_base(out->values[f->column], f->scale);
    }
    return ROOF_OK;
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
    if (is_text(f->column)) {
        const char **text = text_of(row, f->column);
        if (e->kind != JSON_STRING)
            return f->needed ? row_fail_json(at, "want a string", err) : ROOF_OK;
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
    if (e->kind != JSON_NULL) /* another kind is told when the object turns out to be a row */
        row->values[f->column] = e->kind == JSON_NUMBER ? to_base(e->number, f->scale) : INFINITY;
    return ROOF_OK;
}

static roof_status check_numbers(const jsonpull *at, const row_field *fields, size_t n, const table_row *row,
                                 roof_error *err)
{
    char text[120];
    for (size_t f = 0; f < n; f++) {
        if (is_text(fields[f].column) || !isinf(row->values[fields[f].column]))
            continue;
        snprintf(text, sizeof text, "%s is no number", fields[f].headings[0]);
        return row_fail_json(at, text, err);
    }
    return ROOF_OK;
}

roof_status row_read_json(import_state *in, jsonpull *puller, const row_field *fields, size_t n_fields,
                          row_call each, void *reading, roof_error *err)
{
    json_event e = {.kind = JSON_NULL};
    /* objects around the current value, any of which may turn out to be a row */
    table_row *open = NEW_ARRAY(in->scratch, table_row, JSON_DEEPEST + 1), *row = open;
    if (!open)
        return error_memory(err);
    for (*row = row_unknown(); e.kind != JSON_DONE;) {
        TRY(jsonpull_next(puller, &e, err));
        const row_field *f = e.key ? field_of(fields, n_fields, span_of(e.key)) : NULL;
        if (f)
            TRY(read_member(in, puller, &e, f, row, err));
        if (e.kind == JSON_OBJECT || e.kind == JSON_ARRAY)
            *++row = row_unknown();
        if (e.kind != JSON_CLOSE)
            continue;
        if (row->name) {
            TRY(check_numbers(puller, fields, n_fields, row, err));
            TRY(each(reading, puller, row, err));
        }
        row--;
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
    times->count = count(row, ROW_COUNT);
}

roof_status row_set_counters(import_state *in, const table_row *row, roof_measured_layer *layer,
                             roof_error *err)
{
    roof_layer_counters *c = layer_counters_of(in->out, layer);
    if (!c)
        return error_memory(err);
    c->total_bytes = count(row, ROW_BYTES);
    c->read_bytes = count(row, ROW_READ);
    c->write_bytes = count(row, ROW_WRITE);
    c->workload_ops = count(row, ROW_WORKLOAD);
    c->share_ratio = row->values[ROW_SHARE] > 1 ? 1 : row->values[ROW_SHARE];
    c->ops_per_s = seconds(row, ROW_OPS);
    return ROOF_OK;
}

/* Tables of tools hold sizes that they computed from the model. */
static roof_status add_layer(import_state *in, const table_row *row, roof_run *run, roof_error *err)
{
    roof_measured_layer *layer = run_add_layer(in->out, run);
    if (!layer)
        return error_memory(err);
    layer->name = row->name;
    layer->type = row->type;
    row_set_times(row, &layer->time);
    TRY(row_set_counters(in, row, layer, err));
    roof_layer_counters *c = layer->counters;
    c->device = in->device;
    if (c->read_bytes != ROOF_UNKNOWN || c->write_bytes != ROOF_UNKNOWN || c->total_bytes != ROOF_UNKNOWN)
        c->bytes_origin = ROOF_BYTES_STATIC;
    return ROOF_OK;
}

static bool is_of_group(const table_row *a, const table_row *b)
{
    return a->table == b->table &&
           (a->group && b->group ? strcmp(a->group, b->group) == 0 : a->group == b->group);
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
        if (g == ROW_MAX_GROUPS)
            return error_set(err, ROOF_E_LIMIT, "more than %d %s", ROW_MAX_GROUPS, what);
        if (g == out->n)
            out->firsts[out->n++] = &in->rows[i];
        out->most = ++n_rows[g] > out->most ? n_rows[g] : out->most;
    }
    return ROOF_OK;
}

roof_status row_add_run(import_state *in, const table_row *like, roof_run_mode mode, roof_error *err)
{
    roof_run *run = NULL;
    TRY(import_add_run(in, NULL, mode, &run, err));
    for (uint32_t i = 0; i < in->n_rows; i++)
        if (row_is_like(&in->rows[i], like))
            TRY(add_layer(in, &in->rows[i], run, err));
    import_sum_up(in, run);
    return ROOF_OK;
}

roof_status row_add_runs(import_state *in, const char *what, uint32_t *n_runs, roof_error *err)
{
    row_groups groups;
    roof_run_mode mode;
    TRY(row_find_groups(in, what, &groups, err));
    TRY(import_mode(in, groups.most, &mode, err));
    for (uint32_t i = 0; i < groups.n; i++)
        TRY(row_add_run(in, groups.firsts[i], mode, err));
    *n_runs = groups.n;
    return ROOF_OK;
}

void row_remark_hardware_times(import_state *in)
{
    enum { MOST = 8 };
    for (uint32_t i = 0, n = 0; i < in->n_rows && n < MOST; i++)
        if (in->rows[i].values[ROW_HARDWARE_TIME] > 0) {
            import_note(in, "%s: %s ms by the hardware's counter", SHOWN(span_of(in->rows[i].name)),
                        NUMBER(in->rows[i].values[ROW_HARDWARE_TIME]));
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
