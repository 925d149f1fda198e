#include "core/error.h"
#include "reports/cells.h"
#include "reports/renderer.h"

#include <stdlib.h>
#include <string.h>

#define RENDERER(id, doc) extern const renderer_def renderer_##id;
#include "reports/renderers.def"
#undef RENDERER

static const struct {
    const renderer_def *renderer;
    const char *doc;
} renderers[] = {
#define RENDERER(id, doc) {&renderer_##id, (doc)},
#include "reports/renderers.def"
#undef RENDERER
};

enum { N_RENDERERS = sizeof renderers / sizeof *renderers };

const char *roof_renderer_name(size_t i)
{
    return i < N_RENDERERS ? renderers[i].renderer->id : NULL;
}

const char *roof_renderer_doc(size_t i)
{
    return i < N_RENDERERS ? renderers[i].doc : NULL;
}

static bool shows(const renderer_def *renderer, roof_document document)
{
    if (renderer->paper)
        return true;
    const bool can[ROOF_DOCUMENTS] = {[ROOF_DOCUMENT_PREDICTION] = renderer->prediction != NULL,
                                      [ROOF_DOCUMENT_GRAPH] = renderer->graph != NULL,
                                      [ROOF_DOCUMENT_RECONCILIATION] = renderer->reconciliation != NULL};
    return can[document];
}

bool roof_renderer_shows(size_t i, roof_document document)
{
    return i < N_RENDERERS && document < ROOF_DOCUMENTS && shows(renderers[i].renderer, document);
}

static roof_status fail_format(const char *format, bool exists, roof_document document, roof_error *err)
{
    static const char *const words[ROOF_DOCUMENTS] = {[ROOF_DOCUMENT_PREDICTION] = "a prediction",
                                                      [ROOF_DOCUMENT_GRAPH] = "what a file holds",
                                                      [ROOF_DOCUMENT_RECONCILIATION] = "a reconciliation"};
    char known[160] = "";
    for (size_t i = 0; i < N_RENDERERS; i++) {
        if (!roof_renderer_shows(i, document))
            continue;
        strncat(known, *known ? ", " : "", sizeof known - strlen(known) - 1);
        strncat(known, roof_renderer_name(i), sizeof known - strlen(known) - 1);
    }
    return exists ? error_set(err, ROOF_E_USAGE, "format '%.40s' cannot show %s; there are %s", format,
                              words[document], known)
                  : error_set(err, ROOF_E_USAGE, "no format '%.40s'; there are %s", format, known);
}

static roof_status find_renderer(const char *format, roof_document document, const renderer_def **out,
                                 roof_error *err)
{
    const char *wanted = format ? format : "text";
    for (size_t i = 0; i < N_RENDERERS; i++) {
        *out = renderers[i].renderer;
        if (strcmp(wanted, (*out)->id) == 0)
            return shows(*out, document) ? ROOF_OK : fail_format(wanted, true, document, err);
    }
    return fail_format(wanted, false, document, err);
}

static roof_status hand_over(roof_status status, textbuf *text, char **out, size_t *length, roof_error *err)
{
    if (status == ROOF_OK)
        status = text_status(text, err);
    if (status == ROOF_OK && !text->bytes)
        text_puts(text, "");
    if (status != ROOF_OK || !text->bytes) {
        text_free(text);
        return status != ROOF_OK ? status : error_memory(err);
    }
    *out = text->bytes;
    *length = text->length;
    return ROOF_OK;
}

typedef struct rendering {
    const renderer_def *renderer;
    const roof_render_options *options;
    textbuf text;
    text_paper paper; /* with that text, for renderers on paper */
} rendering;

static roof_status begin(rendering *r, const roof_render_options *options, roof_document document,
                         roof_error *err)
{
    static const roof_render_options defaults;
    r->options = options ? options : &defaults;
    TRY(find_renderer(r->options->format, document, &r->renderer, err));
    r->paper = paper_of(r->options, &r->text, r->renderer->paper == PAPER_MARKDOWN);
    text_init(&r->text, TEXT_MAX_BYTES);
    return ROOF_OK;
}

roof_status roof_render_prediction(const roof_prediction *prediction, const roof_render_options *options,
                                   char **out, size_t *length, roof_error *err)
{
    rendering r;
    TRY(begin(&r, options, ROOF_DOCUMENT_PREDICTION, err));
    roof_status status = r.renderer->paper ? prediction_put(prediction, r.options, &r.paper, err)
                                           : r.renderer->prediction(prediction, r.options, &r.text, err);
    return hand_over(status, &r.text, out, length, err);
}

roof_status roof_render_graph(const roof_graph *graph, const roof_render_options *options, char **out,
                              size_t *length, roof_error *err)
{
    rendering r;
    TRY(begin(&r, options, ROOF_DOCUMENT_GRAPH, err));
    roof_status status = r.renderer->paper ? inspect_put(graph, r.options, &r.paper, err)
                                           : r.renderer->graph(graph, r.options, &r.text, err);
    return hand_over(status, &r.text, out, length, err);
}

roof_status roof_render_reconciliation(const roof_reconciliation *reconciliation,
                                       const roof_render_options *options, roof_sink sink, roof_error *err)
{
    rendering r;
    TRY(begin(&r, options, ROOF_DOCUMENT_RECONCILIATION, err));
    text_init_draining(&r.text, sink.write, sink.context, err);
    roof_status status = r.renderer->paper
                             ? reconcile_put(reconciliation, r.options, &r.paper, err)
                             : r.renderer->reconciliation(reconciliation, r.options, &r.text, err);
    if (status == ROOF_OK || r.text.drain_status != ROOF_OK)
        return text_finish(&r.text);
    text_free(&r.text); /* half a document helps nobody */
    return status;
}
