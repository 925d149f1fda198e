#include "roofline/import.h"
#include "core/error.h"
#include "core/input.h"
#include "core/jsonbind.h"
#include "measure/fields.h"
#include "measure/importer.h"

#include <stdio.h>
#include <string.h>

#define IMPORTER(id, doc) extern const roof_importer roof_importer_##id;
#include "measure/importers.def"
#undef IMPORTER

static const roof_importer *const importers[] = {
#define IMPORTER(id, doc) &roof_importer_##id,
#include "measure/importers.def"
#undef IMPORTER
};

static const char *const docs[] = {
#define IMPORTER(id, doc) doc,
#include "measure/importers.def"
#undef IMPORTER
};

enum { N_IMPORTERS = sizeof importers / sizeof *importers, NOTES_MAX_BYTES = 1 << 14 };

const roof_importer *roof_importer_at(size_t i)
{
    return i < N_IMPORTERS ? importers[i] : NULL;
}

const char *roof_importer_name(size_t i)
{
    return i < N_IMPORTERS ? importers[i]->id : NULL;
}

const char *roof_importer_doc(size_t i)
{
    return i < N_IMPORTERS ? docs[i] : NULL;
}

/* --- the beginning of the file, which is read before its importer is known ---------------------------- */

typedef struct replay {
    roof_import_read read;
    void *context;
    char head[ROOF_SNIFF_BYTES + 1]; /* NUL-terminated */
    size_t n_head, given;
} replay;

static roof_status read_head(replay *r, roof_error *err)
{
    size_t got = 1;
    while (got && r->n_head < ROOF_SNIFF_BYTES) {
        ROOF_TRY(r->read(r->context, r->head + r->n_head, ROOF_SNIFF_BYTES - r->n_head, &got, err));
        r->n_head += got;
    }
    r->head[r->n_head] = '\0';
    return ROOF_OK;
}

static roof_status read_replayed(void *context, char *buffer, size_t size, size_t *got, roof_error *err)
{
    replay *r = context;
    size_t left = r->n_head - r->given;
    if (!left)
        return r->read(r->context, buffer, size, got, err);
    *got = left < size ? left : size;
    memcpy(buffer, r->head + r->given, *got);
    r->given += *got;
    return ROOF_OK;
}

/* --- choosing ----------------------------------------------------------------------------------------- */

/* "vart_raw, vart_trace, ..." */
static const char *list_ids(char *buffer, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < N_IMPORTERS && used < size; i++)
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", i ? ", " : "", importers[i]->id);
    return buffer;
}

static roof_status find_by_id(const char *id, const roof_importer **out, roof_error *err)
{
    char shown[80], ids[300];
    for (size_t i = 0; i < N_IMPORTERS; i++)
        if (strcmp(importers[i]->id, id) == 0) {
            *out = importers[i];
            return ROOF_OK;
        }
    return roof_fail(err, ROOF_E_USAGE, "no importer '%s', want one of %s",
                     roof_quote(shown, sizeof shown, id, strlen(id)), list_ids(ids, sizeof ids));
}

static roof_status find_by_content(const replay *r, const roof_importer **out, roof_error *err)
{
    unsigned best = 0;
    char ids[300];
    const char *advice = roof_import_advice(r->head, r->n_head);
    *out = NULL;
    for (size_t i = 0; i < N_IMPORTERS; i++) {
        unsigned score = importers[i]->sniff(r->head, r->n_head);
        if (score > best) {
            best = score;
            *out = importers[i];
        }
    }
    if (best >= ROOF_SNIFF_LIKELY || (best && !advice))
        return ROOF_OK;
    if (!r->n_head)
        return roof_fail(err, ROOF_E_DATA, "the file is empty");
    if (advice)
        return roof_fail(err, ROOF_E_DATA, "%s", advice);
    return roof_fail(
        err, ROOF_E_DATA,
        "not a profile that is known; looked for %s; --from names the tool, and any table can be imported "
        "with --map",
        list_ids(ids, sizeof ids));
}

/* A map is for tables, whatever else their content looks like. */
static roof_status choose(const replay *r, const roof_import_options *o, const roof_importer **out,
                          roof_error *err)
{
    if (o->from)
        return find_by_id(o->from, out, err);
    return o->map ? find_by_id("csv", out, err) : find_by_content(r, out, err);
}

/* --- importing ---------------------------------------------------------------------------------------- */

static roof_status finish_source(roof_import *in, const roof_importer *importer, roof_error *err)
{
    roof_measured_source *source = &in->out->sources[0];
    const char *path = roof_measured_text(in->out, in->path, strlen(in->path));
    const char **files = ROOF_NEW(in->out->storage->arena, const char *);
    ROOF_TRY(roof_text_status(&in->notes, err));
    source->tool = importer->id;
    source->notes = in->notes.length ? roof_measured_text(in->out, in->notes.bytes, in->notes.length) : NULL;
    if (!path || !files || (in->notes.length && !source->notes))
        return roof_fail_memory(err);
    files[0] = path;
    source->files = files;
    source->n_files = 1;
    return ROOF_OK;
}

/* A number with forty digits is a column that is not a time, or of another unit; sums of it would be infinite. */
static roof_status check_times(const roof_times *t, const char *of, roof_error *err)
{
    const double times_s[] = {t->mean_s, t->std_s, t->min_s, t->max_s, t->median_s, t->p95_s, t->p99_s};
    char shown[ROOF_SHOWN_SIZE];
    for (size_t i = 0; i < sizeof times_s / sizeof *times_s; i++)
        if (times_s[i] > ROOF_BIND_MOST_SECONDS)
            return roof_fail(err, ROOF_E_DATA,
                             "'%s' takes %g s, want at most %g; check the column and its unit",
                             roof_span_show(roof_span_of(of), shown), times_s[i], ROOF_BIND_MOST_SECONDS);
    return ROOF_OK;
}

static roof_status check_durations(const roof_measured *m, roof_error *err)
{
    for (uint32_t e = 0; e < m->n_experiments; e++)
        for (uint32_t r = 0; r < m->experiments[e].n_runs; r++) {
            const roof_run *run = &m->experiments[e].runs[r];
            const roof_times sum = {.mean_s = run->sum_of_layers_s};
            ROOF_TRY(check_times(&run->total, "the whole run", err));
            ROOF_TRY(check_times(&sum, "the sum of the rows", err));
            for (uint32_t i = 0; i < run->n_layers; i++)
                ROOF_TRY(
                    check_times(&run->layers[i].time, run->layers[i].name ? run->layers[i].name : "?", err));
        }
    return ROOF_OK;
}

static roof_status import(roof_import *in, replay *r, roof_error *err)
{
    const roof_importer *importer = NULL;
    ROOF_TRY(read_head(r, err));
    ROOF_TRY(choose(r, in->options, &importer, err));
    if (!roof_measured_add_source(in->out))
        return roof_fail_memory(err);
    ROOF_TRY(importer->import(in, err));
    ROOF_TRY(check_durations(in->out, err));
    return finish_source(in, importer, err);
}

roof_status roof_import_stream(roof_import_read read, void *context, const char *path,
                               const roof_import_options *options, roof_measured **out, roof_error *err)
{
    static const roof_import_options none;
    replay r = {.read = read, .context = context};
    roof_import in = {.read = read_replayed,
                      .context = &r,
                      .path = path,
                      .options = options ? options : &none,
                      .out = roof_measured_new()};
    *out = NULL;
    roof_text_init(&in.notes, NOTES_MAX_BYTES);
    roof_status status = in.out ? import(&in, &r, err) : roof_fail_memory(err);
    if (status == ROOF_OK)
        status = roof_text_status(&in.notes, err);
    if (status == ROOF_OK)
        status = roof_arena_status(in.out->storage->arena, err);
    roof_text_free(&in.notes);
    if (status == ROOF_OK) {
        *out = in.out;
    } else {
        roof_measured_free(in.out);
        roof_error_prefix(err, "%s", path);
    }
    return status;
}

roof_status roof_import_file(const char *path, const roof_import_options *options, roof_measured **out,
                             roof_error *err)
{
    roof_input input;
    *out = NULL;
    ROOF_TRY(roof_input_open(path, 0, &input, err));
    roof_status status = roof_import_stream(roof_input_read, &input, input.name, options, out, err);
    roof_input_close(&input);
    return status;
}
