#include "measure/import/timings.h"
#include "core/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void timings_drop_samples(row_timings *t)
{
    for (uint32_t i = 0; i < t->n_rows; i++) {
        free(t->rows[i].samples);
        t->rows[i].samples = NULL;
    }
    t->dropped = true;
}

static timings_row row_of_name(const char *name, const char *type, size_t length)
{
    return (timings_row){.name = name,
                         .type = type,
                         .name_length = (uint32_t)length,
                         .min = INFINITY,
                         .max = -INFINITY,
                         .workload_ops = ROOF_UNKNOWN};
}

void timings_forget(row_timings *t)
{
    timings_drop_samples(t);
    t->dropped = false;
    t->n_samples = 0;
    for (uint32_t i = 0; i < t->n_rows; i++)
        t->rows[i] = row_of_name(t->rows[i].name, t->rows[i].type, t->rows[i].name_length);
}

void timings_free(import_state *in)
{
    for (; in->timings; in->timings = in->timings->next)
        timings_drop_samples(in->timings);
}

/* --- rows --------------------------------------------------------------------------------------------- */

static size_t key_length(size_t name_length)
{
    return name_length + 1 + sizeof(uint64_t);
}

static roof_status add_row(row_timings *t, const char *key, size_t name_length, uint32_t *row,
                           roof_error *err)
{
    enum { FIRST_ROOM = 64 };
    if (t->n_rows == TIMINGS_MAX_ROWS)
        return error_set(
            err, ROOF_E_LIMIT,
            "'%s' would be one of more than %d different rows: is the column of names the right one?",
            SHOWN(((text_span){key, name_length})), TIMINGS_MAX_ROWS);
    const char *kept = measured_text(t->in->out, key, key_length(name_length));
    TRY(ALLOCATED(kept, err));
    *row = t->n_rows;
    TRY(ARENA_ADD(t->in->scratch, t->rows, t->n_rows, err, row_of_name(kept, NULL, name_length)));
    if (*row < t->n_mapped)
        return ALLOCATED(namemap_add(t->map, kept, key_length(name_length), *row), err);
    t->n_mapped = t->n_mapped ? 2 * t->n_mapped : FIRST_ROOM; /* a map has a fixed room */
    t->map = namemap_new(t->in->scratch, t->n_mapped);
    for (uint32_t i = 0; t->map && i < t->n_rows; i++)
        namemap_add(t->map, t->rows[i].name, key_length(t->rows[i].name_length), i);
    return ALLOCATED(t->map, err);
}

roof_status timings_row_of(import_state *in, row_timings *t, text_span name, uint64_t tag, uint32_t *row,
                           roof_error *err)
{
    char small[512];
    size_t length = key_length(name.length);
    char *key = length <= sizeof small ? small : malloc(length);
    TRY(ALLOCATED(key, err));
    if (!t->in) {
        t->in = in;
        t->next = in->timings;
        in->timings = t;
    }
    if (name.length)
        memcpy(key, name.text, name.length);
    key[name.length] = '\0';
    memcpy(key + name.length + 1, &tag, sizeof tag);
    roof_status status = ROOF_OK;
    *row = t->map ? namemap_find(t->map, key, length) : ROOF_NONE;
    if (*row == ROOF_NONE)
        status = add_row(t, key, name.length, row, err);
    if (key != small)
        free(key);
    return status;
}

/* --- samples ------------------------------------------------------------------------------------------ */

roof_status timings_add(row_timings *t, uint32_t row, double seconds, roof_error *err)
{
    timings_row *r = &t->rows[row];
    if (!(seconds >= 0 && isfinite(seconds)))
        return error_set(err, ROOF_E_DATA, "a duration of %g s, want 0 or more", seconds);
    /* Samples, rows, and what sorting this row takes: a copy of its samples, and as much for the sort. */
    if (!t->dropped &&
        t->n_samples + (uint64_t)TIMINGS_ROW_SAMPLES * t->n_rows + 2 * r->count >= TIMINGS_MAX_SAMPLES)
        timings_drop_samples(t);
    if (!t->dropped) {
        TRY(ALLOCATED(array_grow((void **)&r->samples, (size_t)r->count, sizeof *r->samples), err));
        r->samples[r->count] = seconds;
    }
    t->n_samples++;
    r->count++;
    double distance = seconds - r->mean;
    r->mean += distance / (double)r->count;
    r->squares += distance * (seconds - r->mean);
    r->min = seconds < r->min ? seconds : r->min;
    r->max = seconds > r->max ? seconds : r->max;
    return ROOF_OK;
}

roof_status timings_times(row_timings *t, uint32_t at, roof_times *out, roof_error *err)
{
    timings_row *row = &t->rows[at];
    if (t->dropped && !t->is_told)
        import_note(t->in,
                    "%llu samples of %u rows are more than are kept: mean, deviation, minimum, maximum and "
                    "count are of all of them, but there is no median and no percentile",
                    (unsigned long long)t->n_samples, t->n_rows);
    t->is_told = t->is_told || t->dropped;
    if (!row->samples) {
        *out = times_unknown();
        out->count = row->count;
        if (row->count) {
            out->mean_s = row->mean;
            out->min_s = row->min;
            out->max_s = row->max;
        }
        if (row->count > 1)
            out->std_s = sqrt(row->squares / (double)(row->count - 1));
        return ROOF_OK;
    }
    double *kept;
    TRY(ARENA_GET(t->in->out->storage->arena, kept, row->count, err));
    memcpy(kept, row->samples, (size_t)(row->count * sizeof *kept));
    free(row->samples); /* before they are sorted, which takes two more copies */
    row->samples = NULL;
    return times_from_kept(kept, (size_t)row->count, out, err);
}

roof_status timings_layer(row_timings *t, uint32_t row, roof_run *run, roof_measured_layer **out,
                          roof_error *err)
{
    *out = run_add_layer(t->in->out, run);
    TRY(ALLOCATED(*out, err));
    (*out)->name = t->rows[row].name;
    (*out)->type = t->rows[row].type;
    if (t->in->device) {
        TRY(ALLOCATED(layer_counters_of(t->in->out, *out), err));
        (*out)->counters->device = t->in->device;
    }
    return timings_times(t, row, &(*out)->time, err);
}

roof_status timings_row_of_event(import_state *in, row_timings *t, const trace_event *e, uint64_t tag,
                                 uint32_t *row, roof_error *err)
{
    text_span name;
    TRY(event_text(e, e->name, &name, err));
    TRY(import_check_name(name, err));
    return timings_row_of(in, t, name, tag, row, err);
}

roof_status timings_add_run(import_state *in, row_timings *t, roof_run **run, roof_error *err)
{
    roof_measured_layer *layer = NULL;
    TRY(import_add_run(in, NULL, ROOF_RUN_PER_LAYER, run, err));
    for (uint32_t i = 0; i < t->n_rows; i++)
        if (t->rows[i].count)
            TRY(timings_layer(t, i, *run, &layer, err));
    return ROOF_OK;
}
