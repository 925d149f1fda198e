#include "core/error.h"
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

roof_status roof_render_prediction(const roof_prediction *prediction, const roof_render_options *options,
                                   char **out, size_t *length, roof_error *err)
{
    static const roof_render_options defaults;
    const roof_render_options *o = options ? options : &defaults;
    const renderer_def *renderer;
    textbuf text;
    TRY(find_renderer(o->format, ROOF_DOCUMENT_PREDICTION, &renderer, err));
    text_init(&text, TEXT_MAX_BYTES);
    return hand_over(renderer->prediction(prediction, o, &text, err), &text, out, length, err);
}

roof_status roof_render_graph(const roof_graph *graph, const roof_render_options *options, char **out,
                              size_t *length, roof_error *err)
{
    static const roof_render_options defaults;
    const roof_render_options *o = options ? options : &defaults;
    const renderer_def *renderer;
    textbuf text;
    TRY(find_renderer(o->format, ROOF_DOCUMENT_GRAPH, &renderer, err));
    text_init(&text, TEXT_MAX_BYTES);
    return hand_over(renderer->graph(graph, o, &text, err), &text, out, length, err);
}

roof_status roof_render_reconciliation(const roof_reconciliation *reconciliation,
                                       const roof_render_options *options, roof_sink sink, roof_error *err)
{
    static const roof_render_options defaults;
    const roof_render_options *o = options ? options : &defaults;
    const renderer_def *renderer;
    textbuf text;
    TRY(find_renderer(o->format, ROOF_DOCUMENT_RECONCILIATION, &renderer, err));
    text_init_draining(&text, sink.write, sink.context, err);
    roof_status status = renderer->reconciliation(reconciliation, o, &text, err);
    if (status == ROOF_OK || text.drain_status != ROOF_OK)
        return text_finish(&text);
    text_free(&text); /* half a document helps nobody */
    return status;
}
