/* Measured documents that a command makes: described, summarised and written. */
#include "cli/cli.h"
#include "core/error.h"
#include "core/quantity.h"
#include "core/text.h"
#include "roofline/hw.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what was found ----------------------------------------------------------------------------------- */

/* ", per_layer run, 4 rows of 60 samples" */
static void describe_run(const roof_run *run, textbuf *out)
{
    uint64_t count = run->n_layers ? run->layers[0].time.count : ROOF_UNKNOWN; /* the same for all rows */
    for (uint32_t i = 1; i < run->n_layers; i++)
        count = run->layers[i].time.count == count ? count : ROOF_UNKNOWN;
    bool samples = run->n_layers && run->layers[0].time.samples_s;
    text_printf(out, ", %s run", roof_run_mode_text(run->mode));
    if (run->mode == ROOF_RUN_LOAD)
        text_printf(out, " of %" PRIu32 " thread%s", run->threads, run->threads == 1 ? "" : "s");
    if (run->n_layers)
        text_printf(out, ", %" PRIu32 " row%s", run->n_layers, run->n_layers == 1 ? "" : "s");
    if (count != ROOF_UNKNOWN)
        text_printf(out, " of %" PRIu64 " %s%s", count, samples ? "sample" : "repetition",
                    count == 1 ? "" : "s");
}

/* "39 points of language models, 21 of decode and 18 of prefill", where all are such; false: they are not. */
static bool describe_points(const roof_measured *m, textbuf *out)
{
    uint32_t n[] = {[ROOF_TEXT_UNSTATED] = 0, [ROOF_TEXT_PREFILL] = 0, [ROOF_TEXT_DECODE] = 0};
    FOR_EACH(const roof_experiment, e, m->experiments, m->n_experiments) {
        const bool is_point = e->n_runs == 1 && e->runs[0].mode == ROOF_RUN_BYPASS && !e->runs[0].n_layers;
        n[is_point ? e->phase : ROOF_TEXT_UNSTATED]++;
    }
    if (!m->n_experiments || n[ROOF_TEXT_UNSTATED])
        return false;
    text_printf(
        out, "%" PRIu32 " point%s of language models, %" PRIu32 " of decode and %" PRIu32 " of prefill",
        m->n_experiments, m->n_experiments == 1 ? "" : "s", n[ROOF_TEXT_DECODE], n[ROOF_TEXT_PREFILL]);
    return true;
}

roof_status cli_measured_describe(const roof_measured *m, const char *path, roof_error *err)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    const bool is_of_points = describe_points(m, &text);
    if (!m->n_experiments)
        text_puts(&text, "no times");
    else if (!is_of_points)
        text_printf(&text, "%" PRIu32 " model%s", m->n_experiments, m->n_experiments == 1 ? "" : "s");
    for (uint32_t i = 0; i < m->n_experiments && !is_of_points; i++)
        for (uint32_t j = 0; j < m->experiments[i].n_runs; j++)
            describe_run(&m->experiments[i].runs[j], &text);
    roof_status status = text_status(&text, err);
    if (status == ROOF_OK) {
        cli_note("%.300s: %s: %.500s", path, m->sources[0].tool, text.bytes);
        const char *notes = m->sources[0].notes;
        static const char between[] = "; ";
        while (notes && *notes) {
            const char *end = strstr(notes, between);
            size_t length = end ? (size_t)(end - notes) : strlen(notes);
            cli_note("%.300s: %.*s", path, length < 600 ? (int)length : 600, notes);
            notes += length + (end ? strlen(between) : 0);
        }
    }
    text_free(&text);
    return status;
}

void cli_measured_summarise(const roof_measured *m, const char *file)
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

/* --- writing ------------------------------------------------------------------------------------------ */

roof_status cli_measured_write(const roof_measured *m, const char *path, roof_error *err)
{
    cli_stream stream;
    roof_sink sink;
    TRY(cli_stream_begin(&stream, path, &sink, err));
    return cli_stream_end(&stream, roof_measured_write(m, sink, err), err);
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

char *cli_measured_path_for(const char *model, const char *output)
{
    const char *slash = output ? strrchr(output, '/') : NULL;
    errno = 0;
    char *name = slash ? strndup(output, (size_t)(slash - output) + 1) : strdup(".");
    char *folder = output && name ? os_real_path(name) : NULL, *whole = folder ? os_real_path(model) : NULL;
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

roof_status cli_check_hardware(const char *spec, roof_error *err)
{
    roof_hw *hw = NULL;
    roof_status status = spec ? roof_hw_load(spec, &hw, err) : ROOF_OK;
    roof_hw_free(hw);
    return spec && status == ROOF_OK ? cli_note_broken_hardware(err) : status;
}
