/* The contents of a file, for people, and as CSV with one header line: one row per layer, with details one
 * row per operator; of a plan one row per epoch, with details one row per epoch and memory pool. */
#include "reports/tables/inspect/inspect.h"

/* On a terminal with colours. */
static const char bold[] = "\033[1m", normal[] = "\033[0m";

static void put_head(const inspect_view *v, const text_writer *p)
{
    const char *sentences[2];
    inspect_verdict(v, sentences);
    if (p->is_markdown) {
        text_puts(p->out, "# ");
        writer_put_markdown(p->out, *v->graph->name ? v->graph->name : v->graph->path);
        text_puts(p->out, "\n\n**");
        writer_put_markdown(p->out, sentences[0]);
        text_puts(p->out, "**\n");
        writer_put_markdown(p->out, sentences[1]);
        text_puts(p->out, *sentences[1] ? "\n\n" : "\n");
        return;
    }
    text_puts(p->out, p->has_colour ? bold : "");
    writer_wrap(p->out, sentences[0], p->width, 0);
    text_printf(p->out, "%s\n", p->has_colour ? normal : "");
    if (*sentences[1])
        writer_put_wrapped(p->out, sentences[1], p->width, 0);
    text_puts(p->out, "\n");
}

void inspect_put(const rendering *r)
{
    inspect_view view;
    if (r->options->memory) {
        inspect_memory_put(r);
        return;
    }
    if (!inspect_view_init(r->graph, r->options->details, false, r->arena, &view))
        return;
    put_head(&view, &r->writer);
    /* A line each; a label that begins with a blank belongs to the one before. */
    enum { LABEL_WIDTH = 15, SHORTENED_SIZE = 4096 };
    char buffer[SHORTENED_SIZE];
    remarks facts = {.arena = view.arena};
    inspect_facts(&view, &facts);
    for (size_t i = 0; i < facts.n; i++) {
        const char *label = facts.items[i].label, *text = facts.items[i].text;
        if (r->writer.is_markdown) {
            text_puts(r->writer.out, *label == ' ' ? "  " : "");
            writer_item(&r->writer, label + (*label == ' '), text);
        } else {
            text = text_shorten(text, r->writer.width - LABEL_WIDTH - 1, true, buffer, sizeof buffer);
            text_printf(r->writer.out, "%-*s %s\n", LABEL_WIDTH, label, text);
        }
    }
    for (size_t i = 0; i < INSPECT_SECTIONS; i++) {
        const text_writer *p = &r->writer;
        const inspect_section *section = inspect_section_at(i);
        cell_grid grid;
        grid_begin(&grid, view.arena, section->columns, section->n_columns);
        grid.is_sparse = true;
        inspect_rows(&view, i, &grid);
        if (grid.n_rows || grid_failed(&grid)) { /* whose failure grid_put tells */
            if (p->is_markdown)
                text_printf(p->out, "\n## %s\n\n", section->title);
            else
                text_printf(p->out, "\n%s%s%s\n", p->has_colour ? bold : "", section->title,
                            p->has_colour ? normal : "");
            grid_put(&grid, p);
        }
    }
}

void inspect_csv(const rendering *r)
{
    inspect_view view;
    cell_grid grid;
    if (r->options->memory) {
        inspect_memory_csv(r);
        return;
    }
    if (!inspect_view_init(r->graph, r->options->details, true, r->arena, &view))
        return;
    bool details = r->options->details, is_plan = roof_plan_of(r->graph);
    size_t i = is_plan ? details ? INSPECT_ACCESSES : INSPECT_EPOCHS : details ? INSPECT_OPS : INSPECT_LAYERS;
    const inspect_section *section = inspect_section_at(i);
    grid_begin_csv(&grid, r->arena, section->columns, section->n_columns, r->out);
    inspect_rows(&view, i, &grid);
}
