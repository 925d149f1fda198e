/* GitHub-flavoured Markdown. Text from files cannot start a table cell, a link, an emphasis, HTML or code. */
#include "core/error.h"
#include "reports/inspect/inspect.h"
#include "reports/paper.h"
#include "reports/renderer.h"

#include <string.h>

static roof_status add_head(const inspect_view *v, textbuf *out, roof_error *err)
{
    const char *sentences[2];
    TRY(inspect_verdict(v, sentences, err));
    text_puts(out, "# ");
    put_markdown(out, *v->graph->name ? v->graph->name : v->graph->path);
    text_puts(out, "\n\n**");
    put_markdown(out, sentences[0]);
    text_puts(out, "**\n");
    put_markdown(out, sentences[1]);
    text_puts(out, *sentences[1] ? "\n\n" : "\n");
    return ROOF_OK;
}

static roof_status add_facts(const inspect_view *v, textbuf *out, roof_error *err)
{
    inspect_fact facts[INSPECT_MAX_FACTS];
    size_t n;
    TRY(inspect_facts(v, facts, &n, err));
    for (size_t i = 0; i < n; i++) {
        bool inner = facts[i].label[0] == ' ';
        text_printf(out, "%s- %s: ", inner ? "  " : "", facts[i].label + inner);
        put_markdown(out, facts[i].value);
        text_puts(out, "\n");
    }
    return ROOF_OK;
}

/* Depth in the tree becomes non-breaking spaces: Markdown would swallow others. */
static void add_cell(const inspect_table *t, size_t row, size_t column, textbuf *out)
{
    text_puts(out, " ");
    if (t->columns[column].tree)
        for (uint32_t p = t->parents[row]; p != ROOF_NONE; p = t->parents[p])
            text_puts(out, "&nbsp;&nbsp;");
    put_markdown(out, inspect_table_cell(t, row, column));
    text_puts(out, " |");
}

static void add_header(const inspect_table *t, const bool *shown, textbuf *out)
{
    text_puts(out, "|");
    for (size_t c = 0; c < t->n_columns; c++) {
        if (!shown[c])
            continue;
        text_puts(out, " ");
        put_markdown(out, t->columns[c].header);
        text_puts(out, " |");
    }
    text_puts(out, "\n|");
    for (size_t c = 0; c < t->n_columns; c++)
        if (shown[c])
            text_puts(out, t->columns[c].right ? "---:|" : "---|");
    text_puts(out, "\n");
}

static void add_table(const inspect_table *t, textbuf *out)
{
    bool shown[INSPECT_MAX_COLUMNS] = {false};
    for (size_t c = 0; c < t->n_columns; c++)
        shown[c] = !inspect_table_is_empty(t, c);
    add_header(t, shown, out);
    for (size_t r = 0; r < t->n_rows; r++) {
        text_puts(out, "|");
        for (size_t c = 0; c < t->n_columns; c++)
            if (shown[c])
                add_cell(t, r, c, out);
        text_puts(out, "\n");
    }
}

static roof_status add_section(const inspect_view *v, const inspect_section *section,
                               const roof_render_options *o, textbuf *out, roof_error *err)
{
    if (!section->wanted(v, o))
        return ROOF_OK;
    const inspect_table *table = section->table(v, o);
    if (!table || table->failed)
        return error_memory(err);
    text_printf(out, "\n## %s\n\n", section->title);
    add_table(table, out);
    return ROOF_OK;
}

roof_status inspect_markdown(const roof_graph *graph, const roof_render_options *options, textbuf *out,
                             roof_error *err)
{
    inspect_view view;
    roof_status status = inspect_view_init(graph, &view, err);
    if (status == ROOF_OK)
        status = add_head(&view, out, err);
    if (status == ROOF_OK)
        status = add_facts(&view, out, err);
    for (size_t i = 0; status == ROOF_OK && inspect_section_at(i); i++)
        status = add_section(&view, inspect_section_at(i), options, out, err);
    return inspect_view_end(&view, status, err);
}
