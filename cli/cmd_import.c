#include "cli/cli.h"
#include "core/error.h"
#include "core/input.h"
#include "core/text.h"
#include "roofline/hw.h"
#include "roofline/import.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    cli_arguments common;
    roof_import_options import;
} arguments;

static const struct argp_option options[] = {
    {"from", CLI_KEY(TEXT, import.from), "TOOL", 0,
     "The tool that wrote the files; without it, it is found by their content. `roofline formats` lists what "
     "is known",
     0},
    {"map", CLI_KEY(TEXT, import.map), "MAP", 0,
     "For tables of other tools: which column holds what, such as name=Layer,time=Mean:ms; without it, the "
     "columns of the file are shown",
     0},
    {"mode", CLI_KEY(TEXT, import.mode), "MODE", 0,
     "bypass (whole subgraphs) or per_layer, where the file does not tell; without it, guessed", 0},
    {0, 0, 0, 0, "What was measured:", 0},
    {"model", CLI_KEY(TEXT, import.model), "MODEL", 0,
     "The model file, whose path is written into the document", 0},
    {"hw", CLI_KEY(TEXT, import.hardware), "HW", 0, "The hardware, as for `roofline predict`", 0},
    {0, 0, 0, 0, "Output:", 0},
    {0, 'o', "FILE", 0, "Write to FILE instead of standard output, whole or not at all", 0},
    {"output", CLI_OUTPUT, "FILE", OPTION_HIDDEN, 0, 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    bool known = key != CLI_KEY(TEXT, import.mode);
    for (int mode = 0; mode < ROOF_RUN_MODES && !known; mode++)
        known = strcmp(roof_run_mode_text((roof_run_mode)mode), arg) == 0;
    if (!known)
        argp_error(state, "--mode: no mode '%.40s', want bypass or per_layer", arg);
    return cli_parse_key(key, arg, state);
}

static const char doc[] =
    "Reads what other tools measured and writes it as one document, roofline.measured/1: VART's raw traces, "
    "what vaitrace, xdputil, stedgeai validate and npu_profiler.py write, and tables of any tool. Several "
    "files become one document. What was found, and what has to be known of it, goes to standard error.\v"
    "Examples:\n"
    "  roofline import vart_trace.csv --mode per_layer -o measured.json\n"
    "  roofline import vaitrace_4711 --model model.xmodel -o measured.json\n"
    "  roofline import npu_profiler.log --model c_info.json -o measured.json\n"
    "  roofline import layers.csv --map name=Layer,time=Mean:ms,count=Runs";

/* --- what was found ----------------------------------------------------------------------------------- */

/* The same number for all rows, or ROOF_UNKNOWN. */
static uint64_t common_count(const roof_run *run)
{
    uint64_t count = run->n_layers ? run->layers[0].time.count : ROOF_UNKNOWN;
    for (uint32_t i = 1; i < run->n_layers; i++)
        if (run->layers[i].time.count != count)
            count = ROOF_UNKNOWN;
    return count;
}

/* ", per_layer run, 4 rows of 60 samples" */
static void describe_run(const roof_run *run, textbuf *out)
{
    uint64_t count = common_count(run);
    bool samples = run->n_layers && run->layers[0].time.samples_s;
    text_printf(out, ", %s run", roof_run_mode_text(run->mode));
    if (run->n_layers)
        text_printf(out, ", %" PRIu32 " row%s", run->n_layers, run->n_layers == 1 ? "" : "s");
    if (count != ROOF_UNKNOWN)
        text_printf(out, " of %" PRIu64 " %s%s", count, samples ? "sample" : "repetition",
                    count == 1 ? "" : "s");
}

static void list_notes(const char *path, const char *notes)
{
    static const char between[] = "; ";
    while (notes && *notes) {
        const char *end = strstr(notes, between);
        size_t length = end ? (size_t)(end - notes) : strlen(notes);
        cli_note("%.300s: %.*s", path, length < 600 ? (int)length : 600, notes);
        notes += length + (end ? strlen(between) : 0);
    }
}

static roof_status describe(const roof_measured *m, roof_error *err)
{
    const char *path = m->sources[0].files[0];
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    if (m->n_experiments)
        text_printf(&text, "%" PRIu32 " model%s", m->n_experiments, m->n_experiments == 1 ? "" : "s");
    else
        text_puts(&text, "no times");
    for (uint32_t i = 0; i < m->n_experiments; i++)
        for (uint32_t j = 0; j < m->experiments[i].n_runs; j++)
            describe_run(&m->experiments[i].runs[j], &text);
    roof_status status = text_status(&text, err);
    if (status == ROOF_OK) {
        cli_note("%.300s: %s: %.500s", path, m->sources[0].tool, text.bytes);
        list_notes(path, m->sources[0].notes);
    }
    text_free(&text);
    return status;
}

/* --- reading ------------------------------------------------------------------------------------------ */

/* A mistyped name is better found now than when the document is used. */
static roof_status check_hardware(const char *spec, roof_error *err)
{
    roof_hw *hw = NULL;
    roof_status status = spec ? roof_hw_load(spec, &hw, err) : ROOF_OK;
    roof_hw_free(hw);
    return spec && status == ROOF_OK ? cli_note_broken_hardware(err) : status;
}

static roof_status add_file(const arguments *a, const char *path, roof_measured **all, roof_error *err)
{
    roof_measured *one = NULL;
    TRY(roof_import_file(path, &a->import, &one, err));
    roof_status status = describe(one, err);
    if (status == ROOF_OK)
        return cli_merge(all, one, err);
    roof_measured_free(one);
    return status;
}

static roof_status read_files(const arguments *a, roof_measured **all, roof_error *err)
{
    for (size_t i = 0; i < a->common.n_files; i++)
        TRY(add_file(a, a->common.files[i], all, err));
    if (*all && (*all)->n_experiments)
        return ROOF_OK;
    return error_set(err, ROOF_E_DATA, "no time of a network in %s; nothing is written",
                     a->common.n_files == 1 ? "this file" : "these files");
}

/* --- writing ------------------------------------------------------------------------------------------ */

static roof_status write_document(const roof_measured *m, const char *path, roof_error *err)
{
    outputs set;
    outputs_file *file;
    TRY(outputs_begin(&set, err));
    roof_status status = outputs_open(&set, path ? path : "-", &file, err);
    if (status == ROOF_OK)
        status = outputs_close(file, roof_measured_write(m, (roof_sink){outputs_write, file}, err), err);
    return outputs_end(&set, status, err);
}

/* From a folder to something, "../nets/net.xmodel". Both are whole paths without links. */
static void put_relative(textbuf *out, const char *folder, const char *to)
{
    size_t same = 0;
    folder = folder[1] ? folder : ""; /* the root */
    for (size_t i = 0;; i++) {
        if ((folder[i] == '/' || !folder[i]) && (to[i] == '/' || !to[i]))
            same = i;
        if (folder[i] != to[i] || !folder[i])
            break;
    }
    for (const char *up = strchr(folder + same, '/'); up; up = strchr(up + 1, '/'))
        text_puts(out, out->length ? "/.." : "..");
    const char *rest = to + same + (to[same] == '/');
    text_printf(out, "%s%s", out->length && *rest ? "/" : "", out->length || *rest ? rest : ".");
}

/* Paths in a document are relative to its folder, so that both can be moved together. What is not there, and a document on
 * standard output, keep the path as it was given. NULL without memory; the caller frees it. */
static char *path_for(const char *model, const char *output)
{
    const char *slash = output ? strrchr(output, '/') : NULL;
    errno = 0;
    char *name = slash ? strndup(output, (size_t)(slash - output) + 1) : strdup(".");
    char *folder = output && name ? realpath(name, NULL) : NULL,
         *whole = folder ? realpath(model, NULL) : NULL;
    textbuf relative;
    text_init(&relative, TEXT_MAX_BYTES);
    if (whole)
        put_relative(&relative, folder, whole);
    else
        text_puts(&relative, model);
    bool failed = !name || (!whole && errno == ENOMEM);
    free(name);
    free(folder);
    free(whole);
    if (!relative.failed && !failed)
        return relative.bytes;
    text_free(&relative);
    return NULL;
}

static int import(arguments *a)
{
    roof_error err;
    roof_measured *all = NULL;
    char *model = a->import.model ? path_for(a->import.model, a->common.output.path) : NULL;
    bool good = !a->import.model || model;
    a->import.model = model;
    roof_status status = good ? check_hardware(a->import.hardware, &err) : error_memory(&err);
    if (status == ROOF_OK)
        status = read_files(a, &all, &err);
    if (status == ROOF_OK)
        status = write_document(all, a->common.output.path, &err);
    roof_measured_free(all);
    free(model);
    return status == ROOF_OK ? CLI_DONE : cli_fail(&err);
}

int cmd_import(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "FILE...", doc, NULL, 0, 0};
    arguments a = {.common = {.missing = "which files? Give what a profiler wrote"}};
    cli_parse(&argp, argc, argv, &a);
    inputs_note_path(a.import.model); /* it is named, and not read */
    return import(&a);
}
