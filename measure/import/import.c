#include "roofline/import.h"
#include "core/files/input.h"
#include "measure/import/importer.h"
#include "measure/import/tools.h"
#include "measure/import/row.h"
#include "measure/import/timings.h"
#include "measure/import/unpack.h"
#include "measure/profile/phases.h"

#include <strings.h>

#define IMPORTER(id, doc) extern const importer_def importer_##id;
#include "measure/import/importers.def"
#undef IMPORTER

static const struct {
    const importer_def *def;
    const char *doc;
} importers[] = {
#define IMPORTER(id, doc) {&importer_##id, doc},
#include "measure/import/importers.def"
#undef IMPORTER
};

enum { N_IMPORTERS = N_OF(importers), NOTES_MAX_BYTES = 1 << 14 };

const importer_def *importer_at(size_t i)
{
    return i < N_IMPORTERS ? importers[i].def : NULL;
}

static const importer_def *importer_of(const char *id)
{
    for (size_t i = 0; id && i < N_IMPORTERS; i++)
        if (strcmp(importers[i].def->id, id) == 0)
            return importers[i].def;
    return NULL;
}

bool tool_words_of(const char *id, tool_words *out)
{
    const importer_def *importer = importer_of(id);
    if (importer)
        *out = (tool_words){.tool = importer->tool,
                            .next = importer->next,
                            .fuse = importer->fuse,
                            .names_kernels = importer->names_kernels,
                            .has_two_modes = !importer->mode_why};
    return importer != NULL;
}

const char *tool_keep(const char *tool)
{
    size_t n = tool ? strcspn(tool, " ,;") : 0;
    for (size_t i = 0; n && i < N_IMPORTERS; i++) {
        const char *id = importers[i].def->id;
        if (importers[i].def->keep && strncmp(id, tool, n) == 0 && (!id[n] || id[n] == '_'))
            return importers[i].def->keep;
    }
    return NULL;
}

const char *tool_program(const char *tool)
{
    size_t n = strcspn(tool, " ,;");
    for (size_t i = 0; i < N_IMPORTERS; i++) {
        const char *const names[] = {importers[i].def->id, importers[i].def->program};
        for (size_t k = 0; k < N_OF(names); k++)
            if (names[k] && strlen(names[k]) == n && strncasecmp(names[k], tool, n) == 0)
                return importers[i].def->program;
    }
    return NULL;
}

const char *roof_importer_name(size_t i)
{
    return i < N_IMPORTERS ? importers[i].def->id : NULL;
}

const char *roof_importer_doc(size_t i)
{
    return i < N_IMPORTERS ? importers[i].doc : NULL;
}

bool roof_importer_is_verified(size_t i)
{
    return i < N_IMPORTERS && !importers[i].def->unverified;
}

const char *roof_importer_outdone_by(const char *id)
{
    const importer_def *importer = importer_of(id);
    return importer ? importer->outdone_by : NULL;
}

/* --- the beginning of the file, which is read before its importer is known ---------------------------- */

typedef struct replay {
    pasted *text;
    char head[SNIFF_BYTES + 1]; /* NUL-terminated */
    size_t n_head, given;
} replay;

static roof_status read_head(replay *r, roof_error *err)
{
    size_t got = 1;
    while (got && r->n_head < SNIFF_BYTES) {
        TRY(pasted_read(r->text, r->head + r->n_head, SNIFF_BYTES - r->n_head, &got, err));
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
        return pasted_read(r->text, buffer, size, got, err);
    *got = left < size ? left : size;
    memcpy(buffer, r->head + r->given, *got);
    r->given += *got;
    return ROOF_OK;
}

/* --- choosing ----------------------------------------------------------------------------------------- */

/* *mark: the one that says so; NULL: the form does. */
static unsigned score_of(const importer_def *importer, const replay *r, const importer_mark **mark)
{
    unsigned best = importer->sniff ? importer->sniff(r->head) : 0;
    *mark = NULL;
    for (size_t i = 0; i < MOST_MARKS && importer->marks[i].score; i++)
        if (importer->marks[i].score > best && import_has_words(&importer->marks[i], r->head, r->n_head)) {
            *mark = &importer->marks[i];
            best = (*mark)->score;
        }
    return best;
}

/* Words that must not be there are no reason that anybody wants to read. */
static void give_reason(roof_import_reason *reason, const importer_def *importer, const importer_mark *mark,
                        const importer_def *second)
{
    size_t n = 0;
    if (!reason)
        return;
    *reason = (roof_import_reason){.importer = importer ? importer->id : NULL,
                                   .second = second ? second->id : NULL};
    for (size_t i = 0; mark && i < N_OF(mark->words) && mark->words[i]; i++)
        if (mark->words[i][0] != '!')
            reason->words[n++] = mark->words[i];
}

static roof_status find_by_content(const replay *r, roof_import_reason *reason, const importer_def **out,
                                   roof_error *err)
{
    unsigned best = 0, next = 0;
    const char *advice = import_advice(r->head, r->n_head);
    const importer_mark *mark, *of_best = NULL;
    const importer_def *second = NULL;
    *out = NULL;
    for (size_t i = 0; i < N_IMPORTERS; i++) {
        unsigned score = score_of(importers[i].def, r, &mark);
        if (score > best) {
            next = best;
            second = *out;
            best = score;
            of_best = mark;
            *out = importers[i].def;
        } else if (score > next) {
            next = score;
            second = importers[i].def;
        }
    }
    give_reason(reason, *out, of_best, second);
    if (best >= SNIFF_LIKELY || (best && !advice))
        return ROOF_OK;
    if (!r->n_head)
        return error_data(err, "the file is empty");
    if (advice)
        return error_data(err, "%s", advice);
    return error_data(
        err,
        "unknown profile format; try --from TOOL (`roofline formats` lists them), or --map for any table");
}

/* A feature map is for tables, whatever else their content looks like, but for a file that is sure to take
 * one itself; units alone are for whatever the files are. */
static roof_status choose(const replay *r, const roof_import_options *o, const importer_def **out,
                          roof_error *err)
{
    const importer_mark *mark;
    if (!o->from && (!o->map || csvmap_is_units(o->map, NULL)))
        return find_by_content(r, o->reason, out, err);
    const char *id = o->from ? o->from : "csv";
    *out = importer_of(id);
    for (size_t i = 0; i < N_IMPORTERS && !o->from; i++)
        if (importers[i].def->takes_map && score_of(importers[i].def, r, &mark) == SNIFF_SURE) {
            *out = importers[i].def;
            break;
        }
    if (!*out)
        return error_set(err, ROOF_E_USAGE, "no importer '%s'; `roofline formats` lists them",
                         SHOWN_TEXT(id));
    if (o->reason)
        *o->reason = (roof_import_reason){.importer = (*out)->id, .was_named = true};
    return ROOF_OK;
}

const char *roof_importer_of(const char *path, const char **advice)
{
    input_file input;
    roof_error ignored;
    const char *found = NULL;
    *advice = NULL;
    if (input_open(path, 0, &input, &ignored) != ROOF_OK)
        return NULL;
    replay *r = calloc(1, sizeof *r);
    pasted *text = pasted_new(input_read, &input);
    if (r && text) {
        const importer_def *importer = NULL;
        r->text = text;
        bool is_read = read_head(r, &ignored) == ROOF_OK;
        if (is_read && find_by_content(r, NULL, &importer, &ignored) == ROOF_OK)
            found = importer->id;
        else if (is_read)
            *advice = import_advice(r->head, r->n_head);
    }
    pasted_free(text);
    free(r);
    input_close(&input);
    return found;
}

/* --- importing ---------------------------------------------------------------------------------------- */

/* Forty digits are a column that is not a time, or of another unit; sums of them would be infinite. */
static roof_status check_times(const roof_times *t, const char *of, roof_error *err)
{
    const double times_s[] = {t->mean_s, t->std_s, t->min_s, t->max_s, t->median_s, t->p95_s, t->p99_s};
    for (size_t i = 0; i < N_OF(times_s); i++)
        if (times_s[i] > CODEC_MOST_SECONDS)
            return error_data(err, "'%s' takes %g s, want at most %g; check the column and its unit",
                              SHOWN_TEXT(of), times_s[i], CODEC_MOST_SECONDS);
    return ROOF_OK;
}

/* A document with a mean below the minimum, or of no repetition, would not be read. */
static roof_status check_statistics(const roof_times *t, const char *of, roof_error *err)
{
    char problem[200];
    TRY(check_times(t, of, err));
    if (t->count == 0)
        return error_data(err, "'%s' ran 0 times, want one at least: check the column of its number",
                          SHOWN_TEXT(of));
    return times_contradiction(t, problem, sizeof problem)
               ? error_data(err, "'%s': %s", SHOWN_TEXT(of), problem)
               : ROOF_OK;
}

static roof_status check_run(const roof_run *run, roof_error *err)
{
    const roof_trend *t = &run->trend;
    const roof_times others[] = {{.mean_s = run->sum_of_layers_s, .max_s = run->setup_s},
                                 {.min_s = t->min_s, .max_s = t->max_s, .mean_s = t->mean_s},
                                 {.min_s = t->first_s, .median_s = t->middle_s, .max_s = t->last_s}};
    TRY(check_statistics(&run->total, "the whole run", err));
    for (size_t i = 0; i < N_OF(others); i++)
        TRY(check_times(&others[i], "what the file says of the whole run", err));
    FOR_EACH(const roof_phase, phase, run->phases, run->n_phases) {
        const double parts_s = phase_excess_s(run, phase);
        TRY(check_times(&(roof_times){.mean_s = phase->seconds}, phase->name, err));
        if (!isnan(parts_s))
            return error_data(err, "the parts of '%s' take %g s, want at most its own %g s", phase->name,
                              parts_s, phase->seconds);
    }
    FOR_EACH(const roof_measured_layer, row, run->layers, run->n_layers) {
        const roof_layer_counters *c = row->counters;
        const char *name = row->name ? row->name : "?";
        TRY(check_statistics(&row->time, name, err));
        if (c)
            TRY(check_times(&(roof_times){.min_s = c->write_s, .mean_s = c->run_s, .max_s = c->read_s}, name,
                            err));
    }
    return ROOF_OK;
}

/* An importer that reads a file, and what it knows of it so far. */
typedef struct open_reading {
    const importer_def *importer;
    struct reading *reading;
    import_state *in;
    uint32_t n_runs; /* of the tool, whose beginnings were seen */
    roof_error cut;  /* of a last line without an end */
    bool is_cut;
} open_reading;

/* A new reading, of one more run of the tool where there was one. */
static roof_status begin_reading(open_reading *to, roof_error *err)
{
    import_state *in = to->in, **state = arena_alloc(in->scratch, 1, to->importer->reading_bytes);
    TRY(ALLOCATED(state, err));
    if (to->importer->empty)
        memcpy(state, to->importer->empty, to->importer->reading_bytes);
    *state = in;
    to->reading = (struct reading *)state;
    in->first = in->out->n_experiments;
    in->rows = NULL;
    in->n_rows = 0;
    return to->importer->begin ? to->importer->begin(to->reading, err) : ROOF_OK;
}

/* Runs of one model are of one experiment. */
static roof_status end_reading(open_reading *to, roof_error *err)
{
    import_state *in = to->in;
    roof_measured *out = in->out;
    TRY(to->importer->finish(to->reading, err));
    if (!to->importer->again || !in->first || out->n_experiments != in->first + 1)
        return ROOF_OK;
    const roof_experiment *e = &out->experiments[in->first];
    FOR_EACH(roof_experiment, before, out->experiments, in->first) {
        if (!text_same(e->model_name, before->model_name))
            continue;
        for (uint32_t k = 0; k < e->n_runs; k++) {
            roof_run *run = experiment_add_run(out, before, e->runs[k].mode);
            TRY(ALLOCATED(run, err));
            *run = e->runs[k];
        }
        out->n_experiments--;
        return ROOF_OK;
    }
    return ROOF_OK;
}

static roof_status give_line(void *to_, const import_line *line, roof_error *err)
{
    open_reading *to = to_;
    const importer_def *importer = to->importer;
    if (importer->again && span_has((text_span){line->text, line->length}, importer->again) && to->n_runs++) {
        struct reading *before = to->reading;
        roof_status status = end_reading(to, err);
        THEN(status, begin_reading(to, err));
        if (importer->end && to->reading != before)
            importer->end(before);
        TRY(status);
    }
    const bool may_be_cut = line->is_open && line->number > 1;
    roof_error *const place = may_be_cut ? &to->cut : err;
    const roof_status status =
        importer->line ? importer->line(to->reading, line, place)
                       : line_take(importer->lines, importer->n_lines,
                                   span_trim((text_span){line->text, line->length}), to->reading, place);
    if (!may_be_cut)
        return status;
    if (to->cut.line == ROOF_UNKNOWN)
        to->cut.line = line->number;
    to->is_cut = status == ROOF_E_DATA;
    if (status != ROOF_OK && err)
        *err = to->cut;
    return to->is_cut ? ROOF_OK : status;
}

/* A part is never the whole: rows that a cut file lacks are in no sum. */
static void tell_of_cut(import_state *in)
{
    roof_experiment *e = in->out->n_experiments ? &in->out->experiments[in->out->n_experiments - 1] : NULL;
    roof_run *run = e && e->n_runs ? &e->runs[e->n_runs - 1] : NULL;
    import_note(in, "the last line has no end and cannot be read: it is cut, and left out%s",
                run && run->n_layers ? ", so that the sum of all rows is unknown" : "");
    if (run && run->n_layers)
        run->sum_of_layers_s = NAN;
}

/* Of documents one after the other an array is read. */
static roof_status read_items(open_reading *to, import_state *in, replay *r, roof_error *err)
{
    codec c = {.arena = in->out->storage->arena, .user = to->reading, .err = err};
    json_event event;
    joined_json *joined = NEW(in->scratch, joined_json);
    TRY(ALLOCATED(joined, err));
    *joined = (joined_json){.read = read_replayed, .context = r};
    c.puller = jsonpull_new(joined_json_read, joined);
    roof_status status = c.puller ? jsonpull_next(c.puller, &event, err) : error_memory(err);
    THEN(status, codec_read_array(&c, &event, to->importer->item, to->reading));
    THEN(status, jsonpull_next(c.puller, &event, err));
    jsonpull_free(c.puller);
    return status;
}

static roof_status read_whole(import_state *in, replay *r, roof_error *err)
{
    enum { MOST_FILE_BYTES = 1 << 30, FIRST_ROOM = 1 << 16 };
    size_t room = 0;
    for (size_t got = 1; got; in->n_whole += got) {
        if (in->n_whole == room) {
            room = room ? 2 * room : FIRST_ROOM;
            unsigned char *more = realloc(in->whole, room);
            TRY(ALLOCATED(more, err));
            in->whole = more;
        }
        TRY(read_replayed(r, (char *)in->whole + in->n_whole, room - in->n_whole, &got, err));
        if (got > MOST_FILE_BYTES - in->n_whole)
            return error_set(err, ROOF_E_LIMIT, "more than %d bytes: %s", MOST_FILE_BYTES,
                             in->importer->whole_instead);
    }
    return ROOF_OK;
}

static roof_status read_all(open_reading *to, import_state *in, replay *r, roof_error *err)
{
    const importer_def *importer = to->importer;
    bool is_json = pasted_is_json(r->head, r->n_head);
    if (importer->file)
        return importer->file(to->reading, err);
    if (importer->trace.event) {
        uint64_t n_unpaired = 0;
        TRY(events_each(read_replayed, r, &importer->trace, to->reading, in->scratch, &n_unpaired, err));
        import_note_count(in, n_unpaired,
                          "events are a begin or an end without the other, and are in no row");
        return ROOF_OK;
    }
    if ((importer->line || importer->lines) &&
        !((importer->json || importer->item || importer->document) && is_json))
        return lines_each(read_replayed, r, give_line, to, err);
    if (importer->whole_instead)
        return read_whole(in, r, err);
    if (importer->item)
        return read_items(to, in, r, err);
    codec c = {.puller = jsonpull_new(read_replayed, r), .arena = in->out->storage->arena, .err = err};
    if (importer->document)
        codec_forget(importer->document, to->reading);
    roof_status status = !c.puller            ? error_memory(err)
                         : importer->document ? codec_read_document(&c, importer->document, to->reading)
                                              : importer->json(to->reading, c.puller, err);
    jsonpull_free(c.puller);
    return status;
}

static roof_status run_importer(const importer_def *importer, import_state *in, replay *r, roof_error *err)
{
    const char *mode = in->options->mode;
    if (mode && importer->mode_why && strcmp(mode, roof_run_mode_text(importer->mode)) != 0)
        return error_set(err, ROOF_E_USAGE, "%s, which is no %.20s run", importer->mode_why, mode);
    open_reading to = {.importer = importer, .in = in};
    in->importer = importer;
    in->device = importer->device;
    roof_status status = begin_reading(&to, err);
    if (!to.reading)
        return status;
    THEN(status, read_all(&to, in, r, err));
    THEN(status, end_reading(&to, err));
    if (status == ROOF_E_DATA && to.is_cut && err)
        *err = to.cut;
    if (status == ROOF_OK && to.is_cut)
        tell_of_cut(in);
    if (importer->end)
        importer->end(to.reading);
    return status;
}

static roof_status import(import_state *in, replay *r, roof_error *err)
{
    const importer_def *importer = NULL;
    static const char *const ipu_logs[] = {"_core0.bin", "_core1.bin", "_corectrl0.bin"};
    TRY(read_head(r, err));
    in->head = r->head;
    const roof_status chosen = choose(r, in->options, &importer, err);
    /* Their layout is in no public document; what reads them is. */
    for (size_t i = 0; chosen == ROOF_E_DATA && i < N_OF(ipu_logs); i++)
        if (strstr(in->path, ipu_logs[i]))
            return error_data(err, "the binary log of a SigmaStar IPU: performance_timeline.py -c0 FILE -f "
                                   "MHZ -v CHIP of its toolchain makes the JSON to import");
    TRY(chosen);
    TRY(ALLOCATED(measured_add_source(in->out), err));
    TRY(run_importer(importer, in, r, err));
    for (uint32_t e = 0; e < in->out->n_experiments; e++)
        FOR_EACH(roof_run, run, in->out->experiments[e].runs, in->out->experiments[e].n_runs) {
            import_take_totals(in, run);
            if (importer->names_kernels)
                import_tell_messages(run);
            for (uint32_t k = 0; k < in->n_doubts; k++)
                TRY(run_add_doubt(in->out, run, in->doubts[k].kind, err, "%s", in->doubts[k].text));
            if (in->out->n_experiments == 1 && in->out->experiments[0].n_runs == 1)
                spans_sum(&in->spans, &run->span_s, &run->busy_s);
            TRY(check_run(run, err));
        }
    import_tell_hidden(in, 0, false);
    roof_measured_source *source = &in->out->sources[0];
    const char **file = array_add(in->out->storage->arena, &source->files, &source->n_files, sizeof *file);
    TRY(text_status(&in->notes, err));
    source->tool = importer->id;
    if (in->options->tool && strcmp(importer->id, "csv") != 0)
        return error_set(err, ROOF_E_USAGE,
                         "--tool says who timed a table of any tool, and this file is of %s", importer->id);
    if (in->options->tool)
        source->tool = measured_text(in->out, in->options->tool, strlen(in->options->tool));
    TRY(ALLOCATED(source->tool, err));
    source->notes = in->notes.length ? measured_text(in->out, in->notes.bytes, in->notes.length) : NULL;
    return ALLOCATED(file && (*file = measured_text(in->out, in->path, strlen(in->path))), err);
}

roof_status import_stream(import_read read, void *context, const char *path,
                          const roof_import_options *options, roof_measured **out, roof_error *err)
{
    static const roof_import_options none;
    import_state in = {
        .path = path, .options = options ? options : &none, .out = measured_new(), .scratch = arena_new(0)};
    *out = NULL;
    text_init(&in.notes, NOTES_MAX_BYTES);
    replay *r = in.scratch ? NEW(in.scratch, replay) : NULL;
    pasted *text = pasted_new(read, context);
    if (r)
        r->text = text;
    roof_status status = in.out && r && text ? import(&in, r, err) : error_memory(err);
    THEN(status, text_status(&in.notes, err));
    THEN(status, arena_status(in.out->storage->arena, err));
    text_free(&in.notes);
    timings_free(&in);
    pasted_free(text);
    free(in.whole);
    arena_free(in.scratch);
    if (status != ROOF_OK)
        error_prefix(err, "%s", path);
    return GIVE(status, out, in.out, roof_measured_free);
}

roof_status roof_import_file(const char *path, const roof_import_options *options, roof_measured **out,
                             roof_error *err)
{
    input_file input;
    *out = NULL;
    TRY(input_open(path, 0, &input, err));
    roof_status status = import_stream(input_read, &input, input.name, options, out, err);
    input_close(&input);
    return status;
}
