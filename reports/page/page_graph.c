#include "reports/page/page_sections.h"

/* --- computing ------------------------------------------------------------------------------------------ */

static roof_status draw(report_page *page, page_model *m, const roof_report_graph *of, roof_error *err)
{
    const chart_source source = {.prediction = m->prediction,
                                 .experiment =
                                     m->experiment && m->experiment->layer_run ? m->experiment : NULL};
    const chart_rows rows = chart_rows_of(&source, page->arena);
    network_drawing *drawing, *pair;
    TRY(ARENA_GET(page->arena, drawing, 1, err));
    TRY(network_draw(&(network_source){.graph = of->graph,
                                       .prediction = m->prediction,
                                       .rows = &rows,
                                       .memory = m->memory ? m->memory->memory : NULL,
                                       .table_rows = m->table_rows.rows,
                                       .n_table_rows = m->table_rows.n,
                                       .changes = m->layer_changes},
                     page->arena, drawing, err));
    m->graph = drawing;
    m->why_alone = of->why_alone;
    if (!of->diff)
        return ROOF_OK;
    TRY(ARENA_GET(page->arena, pair, 1, err));
    TRY(network_draw_pair(of->before, &drawing->view, of->diff, page->arena, pair, err));
    m->pair = pair;
    return ROOF_OK;
}

roof_status page_graph_draw(report_page *page, roof_error *err)
{
    FOR_EACH(page_model, m, page->models, page->n_models) {
        uint32_t i = 0;
        while (i < page->input->n_graphs && page->input->graphs[i].prediction != m->prediction)
            i++;
        if (i < page->input->n_graphs && m->prediction && !m->is_point)
            TRY(draw(page, m, &page->input->graphs[i], err));
    }
    return ROOF_OK;
}

/* --- showing -------------------------------------------------------------------------------------------- */

static bool is_drawn(const network_drawing *d)
{
    return d && !d->view.why_not;
}

static const char help[] =
    "<div class=\"graph-help\"><p class=\"note\">A click, or Enter, opens a box; Escape folds the one "
    "around. Arrow keys go from box to box, and with Shift they scroll. <code>+</code>, <code>-</code>, "
    "<code>0</code>, the wheel with Ctrl, or two fingers zoom. <code>t</code> leads from a box to its row of "
    "the table, and <code>g</code> from a row, or from a mark of the roofline, to its box.</p></div>\n";

/* id: of the parts that the script looks for, as "1" and "1-beside". */
static void put_view(const report_page *page, const network_drawing *d, const char *table, const char *id,
                     const char *title, textbuf *out)
{
    /* Caption: the parts of the picture, and the meaning of its bytes. */
    const uint32_t n_blocks = d->fold.n_blocks - 1;
    if (d->view.before)
        html_printf(out, "<p class=\"note caption\">Left %s, right %s: ", d->view.titles[NETWORK_BEFORE],
                    d->view.titles[NETWORK_HERE]);
    text_printf(out, "%s%u rows as the device executes them, of %u operators",
                d->view.before ? "" : "<p class=\"note caption\">", d->view.n_rows, d->view.n_ops);
    if (n_blocks)
        text_printf(out, ", in %u blocks that open", n_blocks);
    text_puts(out, d->view.before
                       ? ". What belongs together is in line; a dashed box is where one of them has nothing."
                       : ". An edge is a tensor, with its bytes for one image as the file has them.");
    if (d->view.only_before)
        html_printf(out, " Only in the baseline: %s.", d->view.only_before);
    if (d->layout.why_plain)
        html_printf(out, " %s, so boxes are in plain layers.", d->layout.why_plain);
    text_puts(out, "</p>\n");
    text_printf(out, "<div class=\"graph-view\" id=\"view-%s\">\n<div class=\"graph-paper\">\n", id);
    network_put_svg(d, table, title, page->arena, out);
    text_printf(out, "</div>\n%s</div>\n<script type=\"application/json\" id=\"graph-data-%s\">", help, id);
    network_put_data(d, table, out);
    text_printf(out, "</script>\n<script type=\"application/json\" id=\"graph-places-%s\">\n", id);
    network_put_places(d, out);
    text_puts(out, "</script>\n");
}

void page_put_graph(const report_page *page, uint32_t model, textbuf *out)
{
    const page_model *m = &page->models[model];
    const roof_prediction *p = m->prediction;
    const char *table = say_printf(page->arena, "layers-%u", model + 1);
    if (!p || p->is_language)
        return;
    text_printf(out, "<h3 id=\"graph-%u\">Graph</h3>\n", model + 1);
    if (is_drawn(m->graph))
        put_view(page, m->graph, table, say_printf(page->arena, "%u", model + 1),
                 say_printf(page->arena, "The graph of %s", m->name), out);
    else if (!is_drawn(m->pair))
        html_printf(
            out, "<p class=\"note\">%s</p>\n",
            m->graph ? m->graph->view.why_not
                     : "The graph is not drawn: a document holds rows, but no edges; give the model's file.");
    if (is_drawn(m->pair))
        put_view(page, m->pair, table, say_printf(page->arena, "%u-beside", model + 1),
                 say_printf(page->arena, "Two networks in line: %s, and before", m->name), out);
    else if (m->pair || m->why_alone)
        html_printf(out, "<p class=\"note\">%s</p>\n", m->pair ? m->pair->view.why_not : m->why_alone);
}

void page_put_node_link(const report_page *page, uint32_t model, uint32_t layer, textbuf *out)
{
    if (is_drawn(page->models[model].graph) || is_drawn(page->models[model].pair))
        text_printf(out,
                    "<a class=\"to-node\" href=\"#node-%u-%u\" title=\"in the graph\" aria-label=\"in the "
                    "graph\"></a>",
                    model + 1, layer);
}
