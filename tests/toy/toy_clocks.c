/* One more way to ask a network: at several clocks of its board. Each is a pair of roof_predictions, whose
 * description shows it in every format: toy_clocks MODEL HW MHZ... */
#include "core/arena.h"
#include "core/error.h"
#include "core/text.h"
#include "reports/tables/views.h"
#include "reports/words/html.h"
#include "roofline/render.h"

#include <stdio.h>
#include <stdlib.h>

/* A clock that cannot be had stays, with the reason. */
static roof_status ask(const roof_graph *graph, const char *name, const char *mhz, roof_predictions *all,
                       roof_error *err)
{
    const roof_predict_options at_clock = {.clock_hz = 1e6 * atof(mhz)};
    char requested[80], why[ROOF_ERROR_WHERE_SIZE + ROOF_ERROR_WHAT_SIZE + 64];
    roof_prediction *prediction = NULL;
    roof_hw *hw;
    snprintf(requested, sizeof requested, "%s,clock=%sMHz", name, mhz);
    TRY(roof_hw_load(name, &hw, err));
    if (roof_predict(graph, hw, &at_clock, &prediction, err) != ROOF_OK)
        roof_error_format(err, why, sizeof why);
    roof_hw_free(hw);
    return roof_predictions_add(all, graph->path, requested, prediction, prediction ? NULL : why, err);
}

/* The formats of a document, and the table of a page. */
static roof_status show(const roof_predictions *all, roof_error *err)
{
    static const char *const formats[] = {"text", "markdown", "csv", "json"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char *text;
        size_t length;
        TRY(roof_render_whole(all, &(roof_render_options){.format = formats[i]}, &text, &length, err));
        printf("== %s\n%s", formats[i], text);
        free(text);
    }
    const predictions_view v = {all->pairs, all->n, arena_new(0)};
    textbuf html;
    cell_grid grid;
    text_init(&html, TEXT_MAX_BYTES);
    predictions_table(&v, &grid);
    grid_put_html(&grid, &(html_table){.id = "clocks", .caption = "Clocks"}, &html);
    printf("== html\n%s", html.bytes);
    text_free(&html);
    arena_free(v.arena);
    return ROOF_OK;
}

int main(int argc, char **argv)
{
    roof_predictions *all = NULL;
    roof_graph *graph = NULL;
    roof_error err;
    roof_status status = roof_graph_read(argv[1], &graph, &err);
    if (status == ROOF_OK)
        status = roof_predictions_new(&all, &err);
    for (int i = 3; i < argc && status == ROOF_OK; i++)
        status = ask(graph, argv[2], argv[i], all, &err);
    if (status == ROOF_OK)
        status = show(all, &err);
    roof_predictions_free(all);
    roof_graph_free(graph);
    if (status != ROOF_OK)
        fprintf(stderr, "%s\n", err.what);
    return status == ROOF_OK ? 0 : 1;
}
