#include "cli/cli.h"
#include "core/files/folder_names.h"
#include "core/files/input.h"

#include <unistd.h>

typedef struct arguments {
    cli_arguments common;
    roof_import_options import;
    bool explain;
    roof_power_options power;
    const char *power_file;
    uint32_t inferences;
} arguments;

enum { KEY_DURING = CLI_OUTPUT + 1 };

static const struct argp_option options[] = {
    CLI_OPTION(
        "from", TEXT, import.from, "TOOL",
        "The tool that wrote the files [default: found by their content]; `roofline formats` lists them"),
    CLI_OPTION("map", TEXT, import.map, "MAP",
               "For tables of other tools: which column holds what, such as name=Layer,time=Mean:ms "
               "[default: show the columns of the file]. For record_timer_ts.json: the "
               "dpu_timestamp_info.json that names its ids. For a profile of TensorRT: the file of "
               "--exportLayerInfo. For per-layer.csv of Vela and counters of an Ethos-U: the clock, such as "
               "clock=400MHz, or Vela's summary. For figures without units: these, such as time=us,bytes=MB"),
    CLI_OPTION("tool", TEXT, import.tool, "NAME",
               "Who timed a table of --map, such as vaitrace: what is known of that profiler, as the "
               "profiling overhead of a boundary, is then used"),
    CLI_OPTION("mode", TEXT, import.mode, "MODE",
               "bypass (whole subgraphs) or per_layer, where the file does not say [default: guessed]"),
    CLI_OPTION("explain", FLAG, explain, 0,
               "Say how each file was recognised, what was kept and what was left out; write no document"),
    {0, 0, 0, 0, "Energy:", 0},
    CLI_OPTION("power", TEXT, power_file, "FILE",
               "Log of a power meter, written during the run of the other files; it gives that run its power "
               "and energy"),
    {"during", KEY_DURING, "FROM:TO", 0,
     "Part of the power file, in seconds from its first sample [default: all of it]. A quiet part before "
     "it gives the idle power",
     0},
    CLI_OPTION("inferences", COUNT, inferences, "N",
               "Number of inferences in the recording, by which rows and energy are divided [default: as the "
               "profile states; else energy is power x time]"),
    CLI_OPTION("idle-power", WATTS, power.idle_power_w, "W",
               "Power when nothing runs, such as 3.05W; it is subtracted"),
    CLI_OPTION(
        "power-scope", TEXT, import.power_scope, "WHAT",
        "The scope of energy and power, such as board, module, package or GPU [default: what the file says]"),
    {0, 0, 0, 0, "What was measured:", 0},
    CLI_OPTION("model", TEXT, import.model, "MODEL",
               "The model file, whose path is written into the document"),
    CLI_OPTION("hw", TEXT, import.hardware, "HW", "The hardware, as for `roofline predict`"),
    CLI_OUTPUT_FILE,
    {0},
};

static bool take_seconds(text_span text, double *out)
{
    text = span_trim(text);
    return !text.length || (number_parse(text.text, text.length, out) == text.length && *out >= 0);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    if (key == KEY_DURING) { /* "12.5:40"; what is missing on one side is the beginning or the end */
        text_span to = span_of(arg), from = span_take_until(&to, ":");
        if (!strchr(arg, ':') || !take_seconds(from, &a->power.from_s) || !take_seconds(to, &a->power.to_s) ||
            a->power.from_s >= a->power.to_s)
            argp_error(state, "--during: '%.40s', want FROM:TO in seconds, such as 12.5:40", arg);
        return 0;
    }
    if (key == ARGP_KEY_END && !a->power_file &&
        (!isnan(a->power.from_s) || !isnan(a->power.to_s) || !isnan(a->power.idle_power_w)))
        argp_error(state, "--during and --idle-power are of a power file: name it with --power");
    if (key == ARGP_KEY_END && a->power_file && a->explain)
        argp_error(state, "--explain does not combine files: give the power file as one of the FILEs");
    bool known = key != CLI_KEY(TEXT, import.mode);
    for (int mode = 0; mode < ROOF_RUN_LOAD && !known; mode++)
        known = strcmp(roof_run_mode_text((roof_run_mode)mode), arg) == 0;
    if (!known)
        argp_error(state, "--mode: no mode '%.40s', want bypass or per_layer", arg);
    return cli_parse_key(key, arg, state);
}

static const char doc[] =
    "Reads the files of other tools into one document, roofline.measured/1: traces, tables of profilers, "
    "timestamps, logs of power meters, any table. docs/profilers.md lists the tools. Several files become "
    "one document. From a folder, each profile is read. A file that is left out, since another says more, is "
    "named. Remarks go to standard error.\vExamples:\n"
    "  roofline import vart_trace.csv --mode per_layer -o measured.json\n"
    "  roofline import vaitrace_4711 --model model.xmodel -o measured.json\n"
    "  roofline import npu_profiler.log --model c_info.json -o measured.json\n"
    "  roofline import profile.log --hw npu2 -o measured.json\n"
    "  roofline import layers.csv --map name=Layer,time=Mean:ms,count=Runs\n"
    "  roofline import vart_trace.csv --power ina226.csv -o measured.json\n"
    "  roofline import --explain traces/";

/* --- files --------------------------------------------------------------------------------------------- */

/* A file of the command line, or of a folder there. */
typedef struct imported {
    const char *path;
    bool in_folder;    /* then it need not be a profile */
    roof_measured *is; /* NULL: none, or merged already */
    roof_import_reason reason;
    roof_error why; /* it is none */
    roof_status status;
    const char *outdone_by; /* the file beside it that tells more; NULL: none does */
} imported;

typedef struct import_files {
    roof_arena *arena;
    imported *of;
    size_t n;
} import_files;

enum { MOST_FILES = 1 << 16, DEEPEST_FOLDER = 8 };

static roof_status add_path(import_files *all, const char *path, bool in_folder, roof_error *err)
{
    TRY(HAS_ROOM(all->n, MOST_FILES, err, "files"));
    const char *own = arena_strdup(all->arena, path);
    TRY(ALLOCATED(own, err));
    return ARENA_ADD(all->arena, all->of, all->n, err, (imported){.path = own, .in_folder = in_folder});
}

static bool is_shown(int folder, const char *name)
{
    (void)folder;
    return name[0] != '.';
}

/* Links are not followed inside of folders, so that there is an end. */
static roof_status add_folder(import_files *all, const char *folder, int depth, roof_error *err)
{
    folder_names names;
    os_entry about = {0};
    if (depth > DEEPEST_FOLDER)
        return error_set(err, ROOF_E_LIMIT, "%.300s: folders more than %d deep", folder, DEEPEST_FOLDER);
    if (!folder_list(folder, is_shown, UINT32_MAX, all->arena, &names))
        return error_placed(error_errno(err, ROOF_E_NO_INPUT, "cannot read the folder"), err, "%s", folder);
    for (uint32_t i = 0; i < names.n; i++) {
        const char *path = arena_printf(all->arena, "%s%s%s", folder,
                                        folder[strlen(folder) - 1] == '/' ? "" : "/", names.names[i]);
        TRY(ALLOCATED(path, err));
        if (!os_look(OS_HERE, path, OS_STAY, &about))
            continue;
        if (about.kind == OS_FOLDER)
            TRY(add_folder(all, path, depth + 1, err));
        else if (about.kind == OS_FILE)
            TRY(add_path(all, path, true, err));
    }
    return ROOF_OK;
}

static roof_status find_files(const arguments *a, import_files *all, roof_error *err)
{
    for (size_t i = 0; i < a->common.n_files; i++) {
        os_entry about;
        const char *path = a->common.files[i];
        size_t n = all->n;
        bool is_folder = os_look(OS_HERE, path, OS_FOLLOW, &about) && about.kind == OS_FOLDER;
        TRY(is_folder ? add_folder(all, path, 0, err) : add_path(all, path, false, err));
        if (all->n == n)
            return error_in(err, path, ROOF_E_NO_INPUT, "the folder holds no file");
    }
    return ROOF_OK;
}

/* --- reading ------------------------------------------------------------------------------------------- */

/* In a folder, the same run is often there in several files; the fullest counts. */
static void find_outdone(import_files *all)
{
    FOR_EACH(imported, f, all->of, all->n) {
        const char *by = f->is && f->in_folder ? roof_importer_outdone_by(f->is->sources[0].tool) : NULL;
        const char *slash = strrchr(f->path, '/');
        size_t n_folder = slash ? (size_t)(slash - f->path) : 0;
        for (uint32_t i = 0; by && i < all->n; i++) {
            const imported *other = &all->of[i];
            slash = strrchr(other->path, '/');
            bool is_beside = n_folder == (slash ? (size_t)(slash - other->path) : 0) &&
                             strncmp(f->path, other->path, n_folder) == 0;
            if (other->is && other->is->n_experiments && is_beside &&
                strcmp(other->is->sources[0].tool, by) == 0)
                f->outdone_by = other->path;
        }
    }
}

static roof_status read_files(const arguments *a, import_files *all, roof_error *err)
{
    FOR_EACH(imported, f, all->of, all->n) {
        roof_import_options how = a->import;
        how.reason = &f->reason;
        f->status = roof_import_file(f->path, &how, &f->is, &f->why);
        if (!f->in_folder && f->reason.importer == NULL)
            f->status = cli_wrong_file(f->path, false, f->status, &f->why);
        bool is_content = roof_status_exit_code(f->status) == CLI_BAD_DATA || f->status == ROOF_E_USAGE;
        if (f->status == ROOF_OK || (is_content && (f->in_folder || a->explain)))
            continue;
        *err = f->why;
        return f->status;
    }
    find_outdone(all);
    return ROOF_OK;
}

static roof_status merge_files(const arguments *a, import_files *all, roof_measured **out, roof_error *err)
{
    char message[1200];
    FOR_EACH(imported, f, all->of, all->n) {
        if (f->outdone_by) {
            cli_note("%.300s: left out, since %.300s has all of it and more", f->path, f->outdone_by);
            continue;
        }
        if (!f->is) {
            roof_error_format(&f->why, message, sizeof message);
            cli_note("left out: %.1000s", message);
            continue;
        }
        TRY(cli_measured_describe(f->is, f->is->sources[0].files[0], err));
        roof_measured *one = f->is;
        f->is = NULL;
        TRY(cli_merge(out, one, err));
    }
    return *out && (*out)->n_experiments
               ? ROOF_OK
               : error_in(err, a->common.files[0], ROOF_E_DATA, "no time of a network; nothing is written");
}

/* Its notes first: what they say of the meter is what the figures rest on. */
static roof_status lay_power(const arguments *a, roof_measured *all, roof_error *err)
{
    const roof_import_options how_read = {.power_scope = a->import.power_scope, .inferences = a->inferences};
    const char *how = NULL;
    roof_measured *power = NULL;
    TRY(roof_import_file(a->power_file, &how_read, &power, err));
    roof_status status = cli_measured_describe(power, power->sources[0].files[0], err);
    THEN(status,
         error_placed(roof_measured_lay_power(all, power, &a->power, &how, err), err, "%s", a->power_file));
    if (status == ROOF_OK)
        cli_note("%.300s: %s", a->power_file, how);
    else
        roof_measured_free(power);
    return status;
}

/* Options of energy have to be of something. An unused number of inferences changes nothing. */
static roof_status check_energy_options(const arguments *a, const roof_measured *m, roof_error *err)
{
    bool has_scope = !a->import.power_scope, has_count = !a->inferences || a->power_file;
    for (uint32_t e = 0; e < m->n_experiments; e++)
        FOR_EACH(const roof_run, run, m->experiments[e].runs, m->experiments[e].n_runs) {
            has_scope |= run->power_scope != NULL;
            has_count |= run->iterations == a->inferences;
        }
    if (!has_count)
        cli_note("--inferences is not used: nothing here counts over several inferences; with --power it "
                 "says how many ran meanwhile");
    return has_scope
               ? ROOF_OK
               : error_set(
                     err, ROOF_E_USAGE,
                     "--power-scope: nothing here has energy or power; name the meter's file with --power");
}

/* For a reader at a terminal: the content of a document and the next step. file: its source. */
static void tell_content(const roof_measured *m, const char *file)
{
    enum { FEW = 10 };
    char word[400], shown[160], time[64];
    for (uint32_t i = 0; i < m->n_experiments && i < FEW; i++)
        FOR_EACH(const roof_run, run, m->experiments[i].runs, m->experiments[i].n_runs) {
            const double seconds = run->total.mean_s > 0 ? run->total.mean_s : run->sum_of_layers_s;
            const char *name = m->experiments[i].model_name ? m->experiments[i].model_name : "?";
            quantity_format(time, sizeof time, seconds, "s");
            printf("%s: %s, %s, %" PRIu32 " row%s\n", quote_text(shown, sizeof shown, name, strlen(name)),
                   roof_run_mode_text(run->mode), seconds > 0 ? time : "no total time", run->n_layers,
                   run->n_layers == 1 ? "" : "s");
        }
    if (m->n_experiments > FEW)
        printf("and %" PRIu32 " more models\n", m->n_experiments - FEW);
    printf("Next: `roofline reconcile %s`; -o measured.json keeps it as a document.\n",
           quote_for_shell(word, sizeof word, file, "FILE"));
}

static roof_status write_files(const arguments *a, import_files *all, roof_error *err)
{
    roof_measured *m = NULL;
    const char *note = NULL;
    cli_stream stream;
    roof_sink sink;
    roof_status status = merge_files(a, all, &m, err);
    THEN(status, roof_import_join(m, &note, err));
    if (status == ROOF_OK && note)
        cli_note("%s", note);
    THEN(status, a->power_file ? lay_power(a, m, err) : ROOF_OK);
    THEN(status, check_energy_options(a, m, err));
    if (status == ROOF_OK && !a->common.output.path && isatty(STDOUT_FILENO))
        tell_content(m, *a->common.files);
    else if (status == ROOF_OK &&
             (status = cli_stream_begin(&stream, a->common.output.path, &sink, err)) == ROOF_OK)
        status = cli_stream_end(&stream, roof_measured_write(m, sink, err), err);
    roof_measured_free(m);
    return status;
}

/* --- what a file was taken for and why, what was kept and what was left out of it ---------------------- */

enum { COLUMN = 14 };

/* A label and its text, which is freed. */
static void put(textbuf *out, const char *label, textbuf *text)
{
    out->failed = out->failed || text->failed;
    cli_put_item(out, label, text->length ? text->bytes : "", COLUMN);
    text_free(text);
}

static void put_said(textbuf *out, const char *label, const char *format, ...) ROOF_PRINTF(3, 4);
static void put_said(textbuf *out, const char *label, const char *format, ...)
{
    char text[1200];
    va_list args;
    va_start(args, format);
    print_list(text, sizeof text, format, args);
    va_end(args);
    cli_put_item(out, label, text, COLUMN);
}

static void put_reason(textbuf *out, const roof_import_reason *why, bool is_taken)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    const char *about = cli_importer_doc(why->importer);
    put_said(out, is_taken ? "taken for" : "looks like", "%s%s%s", why->importer, *about ? ": " : "", about);
    for (size_t w = 0; w < 3 && why->words[w]; w++) {
        text_puts(&text, !w ? "" : w == 2 || !why->words[w + 1] ? " and " : ", ");
        /* a mark without its quotes and line ends */
        const char *word = why->words[w];
        size_t length = strlen(word), from = strspn(word, "\" ,;:{");
        while (length > from && strchr("\" ,;:\r\n\t", word[length - 1]))
            length--;
        text_printf(&text, "'%.*s'", (int)(length - from), word + from);
    }
    if (why->words[0])
        text_printf(&text, " stand%s in its beginning", why->words[1] ? "" : "s");
    else
        text_puts(&text, why->was_named ? "the command line says so" : "its beginning has this form");
    if (why->second)
        text_printf(&text, "; less surely it could be of %s", why->second);
    put(out, "because", &text);
}

/* Members of a row that a file may give, in the order of the words. */
static const char *const kinds[] = {"every repetition",
                                    "means",
                                    "estimates, not measurements",
                                    "shares of a time that the file does not have",
                                    "types",
                                    "places in the order",
                                    "devices",
                                    "bytes that hardware counted",
                                    "bytes that the tool computed",
                                    "cycles",
                                    "counters",
                                    "operations"};

static void count_kinds(const roof_measured_layer *l, uint32_t counts[N_OF(kinds)])
{
    const roof_layer_counters *c = l->counters;
    const bool has_bytes = c && (c->read_bytes != ROOF_UNKNOWN || c->write_bytes != ROOF_UNKNOWN ||
                                 c->total_bytes != ROOF_UNKNOWN);
    const bool has[N_OF(kinds)] = {l->time.samples_s,
                                   !isnan(l->time.mean_s) && !l->time.samples_s,
                                   l->basis == ROOF_TIME_ESTIMATED,
                                   l->basis == ROOF_TIME_SHARE,
                                   l->type,
                                   l->index != ROOF_NONE,
                                   c && c->device,
                                   has_bytes && c->bytes_origin == ROOF_BYTES_COUNTER,
                                   has_bytes && c->bytes_origin == ROOF_BYTES_STATIC,
                                   c && c->n_cycles,
                                   c && c->n_events,
                                   c && c->workload_ops != ROOF_UNKNOWN};
    for (size_t k = 0; k < N_OF(kinds); k++)
        counts[k] += has[k];
}

static void put_rows(textbuf *text, const roof_run *run)
{
    const char *between = ": ";
    double sum_s = 0;
    uint32_t counts[N_OF(kinds)] = {0};
    FOR_EACH(const roof_measured_layer, l, run->layers, run->n_layers) {
        sum_s += isnan(l->time.mean_s) ? 0 : l->time.mean_s * (l->executions ? l->executions : 1);
        count_kinds(l, counts);
    }
    text_printf(text, ", %" PRIu32 " row%s", run->n_layers, run->n_layers == 1 ? "" : "s");
    if (sum_s > 0) {
        char shown[40];
        quantity_format(shown, sizeof shown, sum_s, "s");
        text_printf(text, " of %s together", shown);
    }
    for (size_t k = 0; k < N_OF(kinds); k++) {
        if (!counts[k])
            continue;
        text_printf(text, "%s%s", between, kinds[k]);
        if (counts[k] < run->n_layers)
            text_printf(text, " of %" PRIu32 " row%s", counts[k], counts[k] == 1 ? "" : "s");
        between = ", ";
    }
}

static void put_run(textbuf *out, const roof_run *run)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    text_printf(&text, "%s run", roof_run_mode_text(run->mode));
    if (run->mode == ROOF_RUN_LOAD)
        text_printf(&text, " of %u thread%s", run->threads, run->threads == 1 ? "" : "s");
    if (!isnan(run->total.mean_s))
        text_puts(&text, ", time of one inference");
    if (run->n_phases)
        text_printf(&text, ", %" PRIu32 " phases", run->n_phases);
    if (run->n_clocks)
        text_puts(&text, ", clocks");
    if (!isnan(run->energy_j) || !isnan(run->power_w))
        text_puts(&text, ", energy or power");
    if (run->n_events)
        text_printf(&text, ", %" PRIu32 " counters", run->n_events);
    if (run->n_layers)
        put_rows(&text, run);
    put(out, "kept", &text);
}

static void put_document(textbuf *out, const roof_measured *m)
{
    enum { MOST_RUNS = 8, LONGEST = 600 };
    uint32_t n = 0;
    for (uint32_t e = 0; e < m->n_experiments; e++)
        for (uint32_t r = 0; r < m->experiments[e].n_runs; r++)
            if (n++ < MOST_RUNS)
                put_run(out, &m->experiments[e].runs[r]);
    if (n > MOST_RUNS)
        put_said(out, "kept", "%" PRIu32 " more runs", n - MOST_RUNS);
    if (!n)
        put_said(out, "kept", "nothing: it has no time of a network");
    for (text_span notes = span_of(text_or_empty(m->sources[0].notes)); notes.length;) {
        const text_span note = span_take_until(&notes, "; ");
        put_said(out, "remark", "%.*s", (int)(note.length < LONGEST ? note.length : LONGEST - 1), note.text);
    }
}

static void put_file(textbuf *out, const imported *file)
{
    char shown[1000];
    text_printf(out, "%s%s\n", out->length ? "\n" : "",
                quote_text(shown, sizeof shown, file->path, strlen(file->path)));
    if (file->reason.importer)
        put_reason(out, &file->reason, file->is);
    if (file->outdone_by)
        put_said(out, "left out", "%.900s has all of it and more", file->outdone_by);
    else if (file->is)
        put_document(out, file->is);
    else if (file->why.line != ROOF_UNKNOWN)
        put_said(out, "not taken", "%s (line %" PRIu64 ")", file->why.what, file->why.line);
    else
        put_said(out, "not taken", "%s", file->why.what);
}

static roof_status explain(const arguments *a, const import_files *all, roof_error *err)
{
    size_t n = 0;
    textbuf out;
    text_init(&out, TEXT_MAX_BYTES);
    for (size_t i = 0; i < all->n; i++)
        n += all->of[i].is && !all->of[i].outdone_by;
    if (all->n > 1)
        text_printf(&out, "%zu of %zu files become the document.\n", n, all->n);
    for (size_t i = 0; i < all->n; i++)
        put_file(&out, &all->of[i]);
    const roof_status status = cli_save_text(&out, a->common.output.path, err);
    return status == ROOF_OK && !n
               ? error_in(err, a->common.files[0], ROOF_E_DATA, "no profile that is known")
               : status;
}

int cmd_import(int argc, char **argv)
{
    arguments a = {.common = {.missing = "which files? Give what a profiler wrote", .output.only = "json"},
                   .power = {.from_s = NAN, .to_s = NAN, .idle_power_w = NAN}};
    CLI_PARSE(&a, options, parse, "FILE...", doc, NULL);
    a.power.inferences = a.inferences;
    a.import.inferences = a.power_file ? 0 : a.inferences; /* else they are those of the power file */
    inputs_note_path(a.import.model);                      /* it is named, and not read */
    roof_error err;
    import_files all = {.arena = arena_new(0)};
    char *model = a.import.model ? cli_measured_path_for(a.import.model, a.common.output.path) : NULL;
    bool good = all.arena && (!a.import.model || model);
    a.import.model = model;
    roof_status status = good ? cli_check_hardware(a.import.hardware, &err) : error_memory(&err);
    THEN(status, find_files(&a, &all, &err));
    THEN(status, read_files(&a, &all, &err));
    THEN(status, a.explain ? explain(&a, &all, &err) : write_files(&a, &all, &err));
    for (size_t i = 0; i < all.n; i++)
        roof_measured_free(all.of[i].is);
    arena_free(all.arena);
    free(model);
    return status == ROOF_OK ? CLI_DONE : cli_fail(&err);
}
