/* `roofline import --explain`: what a file was taken for and why, what was kept and what was left out. */
#include "cli/cli.h"
#include "core/named.h"
#include "core/quantity.h"
#include "core/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMN = 14 };

/* A label and its text, which is freed. */
static void put(textbuf *out, const char *label, textbuf *text)
{
    out->failed = out->failed || text->failed;
    cli_put_item(out, label, text->length ? text->bytes : "", COLUMN);
    text_free(text);
}

static void put_reason(textbuf *out, const roof_import_reason *why, bool is_taken)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    const char *about = cli_importer_doc(why->importer);
    text_printf(&text, "%s%s%s", why->importer, *about ? ": " : "", about);
    cli_put_item(out, is_taken ? "taken for" : "looks like", text.length ? text.bytes : why->importer,
                 COLUMN);
    text.length = 0;
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

/* --- what was kept -------------------------------------------------------------------------------------- */

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
    if (n > MOST_RUNS) {
        char text[60];
        snprintf(text, sizeof text, "%" PRIu32 " more runs", n - MOST_RUNS);
        cli_put_item(out, "kept", text, COLUMN);
    }
    if (!n)
        cli_put_item(out, "kept", "nothing: it has no time of a network", COLUMN);
    for (const char *at = m->sources[0].notes; at && *at;) {
        char text[LONGEST];
        const char *end = strstr(at, "; ");
        size_t length = end ? (size_t)(end - at) : strlen(at);
        snprintf(text, sizeof text, "%.*s", (int)(length < LONGEST ? length : LONGEST - 1), at);
        cli_put_item(out, "remark", text, COLUMN);
        at += length + (end ? 2 : 0);
    }
}

void cli_explain(textbuf *out, const cli_imported *file)
{
    char message[1200], shown[1000];
    text_printf(out, "%s%s\n", out->length ? "\n" : "",
                quote_text(shown, sizeof shown, file->path, strlen(file->path)));
    if (file->reason.importer)
        put_reason(out, &file->reason, file->is);
    if (file->outdone_by) {
        snprintf(message, sizeof message, "%.900s has all of it and more", file->outdone_by);
        cli_put_item(out, "left out", message, COLUMN);
    } else if (file->is) {
        put_document(out, file->is);
    } else {
        if (file->why.line != ROOF_UNKNOWN)
            snprintf(message, sizeof message, "%s (line %" PRIu64 ")", file->why.what, file->why.line);
        cli_put_item(out, "not taken", file->why.line != ROOF_UNKNOWN ? message : file->why.what, COLUMN);
    }
}
