#include "core/error.h"
#include "reports/inspect/inspect.h"
#include "reports/paper.h"
#include "reports/renderer.h"

/* Columns of a table when nobody says how wide the terminal is, and the least that a table can do with. */
enum { DEFAULT_WIDTH = 120, LEAST_WIDTH = 40 };

static const char *bold(const roof_render_options *o)
{
    return o->colour ? "\033[1m" : "";
}

static const char *plain(const roof_render_options *o)
{
    return o->colour ? "\033[0m" : "";
}

static roof_status add_head(const inspect_view *v, const roof_render_options *o, size_t width, textbuf *out,
                            roof_error *err)
{
    const char *sentences[2];
    TRY(inspect_verdict(v, sentences, err));
    text_puts(out, bold(o));
    wrap_text(out, sentences[0], width, 0);
    text_printf(out, "%s\n", plain(o));
    if (*sentences[1]) {
        put_wrapped(out, sentences[1], width, 0);
    }
    text_puts(out, "\n");
    return ROOF_OK;
}

static roof_status add_facts(const inspect_view *v, size_t width, textbuf *out, roof_error *err)
{
    inspect_fact facts[INSPECT_MAX_FACTS];
    size_t n;
    TRY(inspect_facts(v, facts, &n, err));
    for (size_t i = 0; i < n; i++) {
        const char *value = inspect_shorten(v->arena, facts[i].value, width - 16);
        if (!value)
            return error_memory(err);
        text_printf(out, "%-15s %s\n", facts[i].label, value);
    }
    return ROOF_OK;
}

static roof_status add_section(const inspect_view *v, const inspect_section *section,
                               const roof_render_options *o, size_t width, textbuf *out, roof_error *err)
{
    if (!section->wanted(v, o))
        return ROOF_OK;
    const inspect_table *table = section->table(v, o);
    if (!table)
        return error_memory(err);
    text_printf(out, "\n%s%s%s\n", bold(o), section->title, plain(o));
    return inspect_table_print(table, width, o, out, err);
}

roof_status inspect_text(const roof_graph *graph, const roof_render_options *options, textbuf *out,
                         roof_error *err)
{
    inspect_view view;
    size_t width = options->width ? options->width : DEFAULT_WIDTH;
    roof_status status = inspect_view_init(graph, &view, err);
    width = width < LEAST_WIDTH ? LEAST_WIDTH : width;
    if (status == ROOF_OK)
        status = add_head(&view, options, width, out, err);
    if (status == ROOF_OK)
        status = add_facts(&view, width, out, err);
    for (size_t i = 0; status == ROOF_OK && inspect_section_at(i); i++)
        status = add_section(&view, inspect_section_at(i), options, width, out, err);
    return inspect_view_end(&view, status, err);
}
