#include "reports/annotations/node_values.h"
#include "reports/renderers/renderer.h"
#include "reports/renderers/document.h"

static const struct {
    const char *words;
    renderer_put *put[FORMAT_KINDS];
    const document_view *view; /* NULL: put does */
} documents[ROOF_DOCUMENTS] = {
#define DOCUMENT(kind, words, stem)                                                                          \
    [ROOF_DOCUMENT_##                                                                                        \
        kind] = {(words),                                                                                    \
                 {[FORMAT_PEOPLE] = stem##_put, [FORMAT_JSON] = stem##_json, [FORMAT_CSV] = stem##_csv},     \
                 NULL},
#define DOCUMENT_VIEW(kind, words, stem) [ROOF_DOCUMENT_##kind] = {(words), {NULL}, &stem##_view},
#include "roofline/documents.def"
#undef DOCUMENT
#undef DOCUMENT_VIEW
};

/* Tables for people: verdict, table, what the totals rest on. Text drops columns to fit, and never wraps;
 * Markdown shows names whole, in code spans. CSV: base units in the header, empty for what is unknown. */
static const renderer_def renderer_text = {.id = "text",
                                           .kind = FORMAT_PEOPLE,
                                           .has_tables = true,
                                           .has_lines = true},
                          renderer_markdown = {.id = "markdown",
                                               .kind = FORMAT_PEOPLE,
                                               .is_markdown = true,
                                               .has_tables = true,
                                               .has_lines = true},
                          renderer_json = {.id = "json", .kind = FORMAT_JSON},
                          renderer_csv = {.id = "csv", .kind = FORMAT_CSV, .has_tables = true};

#define RENDERER(id, doc) extern const renderer_def renderer_##id;
#define BUILT_IN(id, doc)
#include "reports/renderers.def"
#undef RENDERER
#undef BUILT_IN

static const struct {
    const renderer_def *renderer;
    const char *doc;
} renderers[] = {
#define RENDERER(id, doc) {&renderer_##id, (doc)},
#define BUILT_IN(id, doc) RENDERER(id, doc)
#include "reports/renderers.def"
#undef BUILT_IN
#undef RENDERER
};

enum { N_RENDERERS = N_OF(renderers) };

const char *roof_renderer_name(size_t i)
{
    return i < N_RENDERERS ? renderers[i].renderer->id : NULL;
}

const char *roof_renderer_doc(size_t i)
{
    return i < N_RENDERERS ? renderers[i].doc : NULL;
}

static renderer_put *own_of(const renderer_def *renderer, roof_document document)
{
    for (size_t i = 0; i < N_OF(renderer->own); i++)
        if (renderer->own[i].put && renderer->own[i].document == document)
            return renderer->own[i].put;
    return NULL;
}

static bool shows(const renderer_def *renderer, roof_document document)
{
    return renderer->kind != FORMAT_OWN || own_of(renderer, document);
}

static void put_in_format(const renderer_def *renderer, roof_document document, const rendering *r)
{
    const document_view *view = documents[document].view;
    if (renderer->kind == FORMAT_OWN)
        own_of(renderer, document)(r);
    else if (renderer->kind == FORMAT_PEOPLE && document == ROOF_DOCUMENT_RECONCILIATION && r->options->like)
        like_npu_profiler_put(r);
    else if (!view)
        documents[document].put[renderer->kind](r);
    else if (renderer->kind == FORMAT_JSON)
        document_json(r, view);
    else if (renderer->kind == FORMAT_CSV)
        document_csv(r, view);
    else
        document_put(r, view);
}

bool roof_renderer_shows(size_t i, roof_document document)
{
    return i < N_RENDERERS && document < ROOF_DOCUMENTS && shows(renderers[i].renderer, document);
}

static roof_status fail_format(const char *format, bool exists, roof_document document, roof_error *err)
{
    char known[160] = "";
    for (size_t i = 0; i < N_RENDERERS; i++) {
        if (!roof_renderer_shows(i, document))
            continue;
        strncat(known, *known ? ", " : "", sizeof known - strlen(known) - 1);
        strncat(known, roof_renderer_name(i), sizeof known - strlen(known) - 1);
    }
    return exists ? error_set(err, ROOF_E_USAGE, "format '%.40s' cannot show %s; there are %s", format,
                              documents[document].words, known)
                  : error_set(err, ROOF_E_USAGE, "no format '%.40s'; there are %s", format, known);
}

/* NULL: there is none of that name. */
static const renderer_def *renderer_of(const char *format)
{
    for (size_t i = 0; i < N_RENDERERS; i++)
        if (strcmp(renderers[i].renderer->id, format) == 0)
            return renderers[i].renderer;
    return NULL;
}

bool roof_renderer_shows_operators(const char *format)
{
    const renderer_def *renderer = format ? renderer_of(format) : NULL;
    return renderer && renderer->shows_operators;
}

roof_status roof_renderer_nameless_operators(const roof_prediction *prediction, uint32_t *n, roof_error *err)
{
    graph_values values;
    roof_arena *arena = arena_new(0);
    const bool is_made = arena && node_values_make(prediction, arena, &values);
    *n = 0;
    for (uint32_t i = 0; is_made && i < values.n_nodes; i++)
        *n += !node_values_address(prediction, &values.nodes[i], arena);
    roof_status status = is_made ? arena_status(arena, err) : error_memory(err);
    arena_free(arena);
    return status;
}

/* Numbers on a graph: whose, and which. */
static roof_status check_operators(const renderer_def *renderer, const rendering *r, roof_error *err)
{
    static const char *const metrics[] = {"ideal", "expected", NULL};
    const roof_prediction *p = r->prediction;
    const char *metric = r->options->metric;
    if (metric && !renderer->has_metrics)
        return error_set(err, ROOF_E_USAGE, "format '%s' has no metric to choose; model-explorer has",
                         renderer->id);
    if (metric && strcmp(metric, metrics[0]) != 0 && strcmp(metric, metrics[1]) != 0)
        return error_set(err, ROOF_E_USAGE, "no metric '%.40s'; there are %s and %s", metric, metrics[0],
                         metrics[1]);
    if (metric && strcmp(metric, metrics[1]) == 0 && roof_answer_is_bound(roof_rows_kind(p)))
        return error_set(err, ROOF_E_USAGE, "nothing is expected of this model, only ideal times are known");
    if (renderer->shows_operators && p->model.address == ROOF_ADDRESS_NONE)
        return error_set(err, ROOF_E_USAGE,
                         "format '%s' is for files whose graph other programs show, and none shows a '%.40s'",
                         renderer->id, p->model.format);
    if (renderer->needs_graph && !r->options->graph)
        return error_set(err, ROOF_E_USAGE, "format '%s' wants the graph that was predicted", renderer->id);
    return ROOF_OK;
}

/* Half a document helps nobody: text is not to be used when this fails. */
static roof_status render(roof_document document, const void *of, const roof_render_options *options,
                          textbuf *text, roof_error *err)
{
    enum { LEAST_WIDTH = 20 };
    static const roof_render_options defaults;
    const char *format = options && options->format ? options->format : "text";
    const renderer_def *renderer = renderer_of(format);
    table_selection selection;
    rendering all = {.document = of,
                     .options = options ? options : &defaults,
                     .out = text,
                     .selection = &selection},
              *const r = &all;
    if (!renderer || !shows(renderer, document))
        return fail_format(format, renderer != NULL, document, err);
    TRY(table_selection_make(r->selection, r->options, err));
    if (r->selection->is_asked && !renderer->has_tables)
        return error_set(err, ROOF_E_USAGE, "format '%s' has no tables whose rows could be chosen or sorted",
                         renderer->id);
    if (r->options->brief && renderer != &renderer_text)
        return error_set(err, ROOF_E_USAGE, "format '%s' has no first answer to print alone; text has",
                         renderer->id);
    if (r->options->deadline_s > 0 && !renderer->has_lines)
        return error_set(err, ROOF_E_USAGE, "format '%s' does not show a deadline; text and markdown do",
                         renderer->id);
    TRY(check_operators(renderer, r, err));
    size_t width = r->options->width ? r->options->width : WRITER_DEFAULT_WIDTH;
    r->writer = (text_writer){.out = text,
                              .width = width < LEAST_WIDTH ? LEAST_WIDTH : width,
                              .is_markdown = renderer->is_markdown,
                              .has_colour = r->options->colour && !renderer->is_markdown,
                              .is_ascii = r->options->ascii,
                              .next = r->options->next};
    r->arena = arena_new(0);
    TRY(ALLOCATED(r->arena, err));
    put_in_format(renderer, document, r);
    const char *rest = r->options->brief && renderer == &renderer_text && text->bytes
                           ? strstr(text->bytes, "\n\n")
                           : NULL; /* writer_verdict ends with an empty line */
    if (rest) {
        text->length = (size_t)(rest + 1 - text->bytes);
        text->bytes[text->length] = '\0';
    }
    roof_status status = arena_status(r->arena, err);
    const char *columns = r->selection->columns; /* ", layer, ideal" */
    if (status == ROOF_OK && r->selection->order.column && !r->selection->is_found)
        status = error_set(err, ROOF_E_USAGE, "no table has a column '%s' to sort by; there are %.300s",
                           r->selection->column, *columns ? columns + 2 : "none");
    arena_free(r->arena);
    return status == ROOF_OK ? text_status(text, err) : status;
}

roof_status roof_render_text(roof_document kind, const void *of, const roof_render_options *options,
                             char **out, size_t *length, roof_error *err)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    roof_status status = render(kind, of, options, &text, err);
    if (status != ROOF_OK) {
        text_free(&text);
        return status;
    }
    *out = text.bytes;
    *length = text.length;
    return ROOF_OK;
}

roof_status roof_render_document(roof_document kind, const void *of, const roof_render_options *options,
                                 roof_sink sink, roof_error *err)
{
    textbuf text;
    const bool is_whole =
        options && (options->sort || options->height || options->brief); /* the end decides */
    if (kind == ROOF_DOCUMENT_RECONCILIATION && options)
        TRY(like_check(of, options, err));
    if (is_whole)
        text_init(&text, TEXT_MAX_BYTES);
    else
        text_init_draining(&text, sink.write, sink.context, err);
    roof_status status = render(kind, of, options, &text, err);
    if (!is_whole && (status == ROOF_OK || text.drain_status != ROOF_OK))
        return text_finish(&text);
    THEN(status, sink.write(sink.context, text.bytes, text.length, err));
    text_free(&text);
    return status;
}
