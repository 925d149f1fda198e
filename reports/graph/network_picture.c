/* The graph of a network as a picture of its own: the same places as in a page, with all blocks open, which
 * Graphviz draws. Its script stays beside it. */
#include "core/files/child.h"
#include "core/files/outputs.h"
#include "measure/profile/run_facts.h"
#include "reports/charts/palette.h"
#include "reports/graph/network_drawing.h"
#include "roofline/draw.h"

#include <errno.h>

enum { MOST_BOXES = 300, ARROW_PX = 6, BETWEEN_PX = 60 }; /* of more boxes nobody reads one on paper */

/* A picture in the making. */
typedef struct picture {
    const roof_graph *graph;
    const roof_prediction *prediction;
    const roof_model_diff *diff; /* beside the graph is the one before it; NULL: there is none */
    const roof_graph *before;
    uint32_t most_boxes;
    const char *path, *name, *script, *form; /* name: of the file; "graph.dot", "-Tsvg" */
    network_drawing drawing;
    network_plane plane;
    network_side side;       /* that is drawn */
    const network_row *rows; /* of it */
    double left_px;          /* of it */
    roof_arena *arena;
    textbuf text;
} picture;

/* --- texts ---------------------------------------------------------------------------------------------- */

/* Within double quotes, where \N is the node's name and &lt; a character. */
static void put_text(textbuf *out, const char *text)
{
    static const char *const escapes[128] = {
        ['"'] = "\\\"", ['\\'] = "\\\\", ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;"};
    text_escaped(out, text, strlen(text), escapes);
}

static const char *name_of(const picture *p, const network_child *box)
{
    return box->block == ROOF_NONE ? p->rows[box->first_row].name : p->drawing.fold.blocks[box->block].title;
}

/* --- boxes and edges ------------------------------------------------------------------------------------ */

/* Points upwards from the lower left corner, as Graphviz counts. */
static void put_point(picture *p, double x_px, double y_px)
{
    text_printf(&p->text, "%.1f,%.1f", p->left_px + x_px, p->plane.height_px - y_px);
}

static void put_place(picture *p, const network_box *of, double height_px)
{
    text_printf(&p->text, "width=%.3f,height=%.3f,pos=\"", of->width_px / 72, height_px / 72);
    put_point(p, of->left_px + of->width_px / 2, of->top_px + height_px / 2);
    text_puts(&p->text, "\"");
}

static const char *const side_letters[NETWORK_SIDES] = {[NETWORK_HERE] = "", [NETWORK_BEFORE] = "b"};

/* A box, or the head of a frame, which is a box as well. */
static void put_box(picture *p, uint32_t number)
{
    enum { MOST_LETTERS = 24 };
    const network_box *of = &p->plane.boxes[number];
    const network_child *box = &of->child;
    const network_sum sum = network_sum_of(p->rows, box);
    const char *side = side_letters[p->side];
    textbuf *out = &p->text;
    if (of->is_open || !sum.n_rows) {
        text_printf(out, "f%s%u [label=\"\",style=%s,", side, number, of->is_open ? "solid" : "dashed");
        put_place(p, of, of->height_px);
        text_puts(out, "];\n");
    }
    if (!sum.n_rows)
        return;
    text_printf(out, "n%s%u [label=\"", side, number);
    put_text(out, of->is_open ? name_of(p, box) : network_shorten(name_of(p, box), MOST_LETTERS, p->arena));
    text_puts(out, of->is_open ? ", " : "\\l");
    /* "conv, 3.1 %" */
    const double ratio = sum.time_ratio;
    const char *what = box->block == ROOF_NONE
                           ? p->rows[box->first_row].type
                           : say_printf(p->arena, "%u row%s", sum.n_rows, say_plural(sum.n_rows));
    put_text(out, isnan(ratio) ? what : say_printf(p->arena, "%s, %s", what, say_percent(p->arena, ratio)));
    text_puts(out, "\\l\",tooltip=\"");
    put_text(out, name_of(p, box));
    text_puts(out, "\",");
    put_place(p, of, of->is_open ? NETWORK_HEAD_PX : of->height_px);
    /* As dark as its part of the time that is lost, above the ideal, and pale enough for letters; of all of
     * it where none is known to be lost. */
    const bool by_gap = p->drawing.view.gap_words;
    const uint32_t full = by_gap ? COLOUR_GAP : COLOUR_ARRAY;
    const double lost = by_gap ? sum.gap_ratio : ratio,
                 part = lost > 0 ? 0.06 + 0.44 * sqrt(fmin(1, lost)) : 0;
    uint32_t colour = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        const double paper = COLOUR_PAPER >> shift & 255, tone = full >> shift & 255;
        colour |= (uint32_t)lround(paper + (tone - paper) * part) << shift;
    }
    text_printf(out, ",fillcolor=\"#%06" PRIx32 "\"%s%s];\n", colour,
                !of->is_open && box->block != ROOF_NONE ? ",peripheries=2" : "",
                box->block == ROOF_NONE && network_differs(&p->drawing.view, box) ? ",penwidth=3" : "");
}

/* A spline that is given needs ends, which are two points of their own. */
static void put_curve(picture *p, uint32_t number)
{
    static const struct {
        network_way way;
        const char *style;
        uint32_t colour;
    } ways[] = {{NETWORK_WAY_EXTERNAL, "penwidth=2,", COLOUR_MEMORY},
                {NETWORK_WAY_UNKNOWN, "", COLOUR_OTHER},
                {NETWORK_WAY_ON_CHIP, "style=dashed,", COLOUR_ARRAY}};
    const px_curve *c = &p->plane.curves[number];
    const px_point *last = &c->points[c->n_points - 1];
    textbuf *out = &p->text;
    size_t w = 0;
    double bytes = 0;
    const uint64_t *of_way = c->edge->bytes[p->side];
    const char *side = side_letters[p->side];
    if (!c->edge->is_on[p->side])
        return;
    while (w + 1 < N_OF(ways) && !of_way[ways[w].way])
        w++;
    for (int k = 0; k < NETWORK_WAYS; k++)
        bytes += of_way[k] == ROOF_UNKNOWN ? NAN : (double)of_way[k];
    for (int end = 0; end < 2; end++) {
        text_printf(out, "%c%s%u [shape=point,style=invis,width=0.01,pos=\"", end ? 'z' : 'a', side, number);
        put_point(p, end ? last->x : c->points->x, end ? last->y : c->points->y);
        text_puts(out, "\"];\n");
    }
    text_printf(out, "a%s%u -> z%s%u [%scolor=\"#%06" PRIx32 "\",pos=\"", side, number, side, number,
                ways[w].style, ways[w].colour);
    if (c->edge->to != NETWORK_OUTSIDE) {
        text_puts(out, "e,");
        put_point(p, last->x, last->y);
        text_puts(out, " ");
    }
    for (uint32_t i = 0; i < c->n_points; i++) {
        const bool is_tip = i + 1 == c->n_points && c->edge->to != NETWORK_OUTSIDE; /* the arrow goes on */
        text_puts(out, i ? " " : "");
        put_point(p, c->points[i].x, c->points[i].y - (is_tip ? ARROW_PX : 0));
    }
    text_puts(out, "\"");
    if (!isnan(bytes) && c->edge->to != NETWORK_OUTSIDE && c->edge->from != NETWORK_OUTSIDE) {
        const px_point *a = c->points, *middle = &a[(size_t)c->n_points / 6 * 3];
        const bool is_one = c->n_points == 4;
        text_printf(out, ",label=\"%s\",lp=\"", say_quantity(p->arena, bytes, "B"));
        put_point(p, 24 + (is_one ? (a[0].x + 3 * a[1].x + 3 * a[2].x + a[3].x) / 8 : middle->x),
                  is_one ? (a[0].y + 3 * a[1].y + 3 * a[2].y + a[3].y) / 8 : middle->y);
        text_puts(out, "\"");
    }
    text_puts(out, "];\n");
}

static void put_side(picture *p, network_side side, double left_px)
{
    enum { TITLE_PX = 24, LETTER_PX = 6 };
    p->side = side;
    p->rows = network_rows_of(&p->drawing.view, side);
    p->left_px = left_px;
    if (p->drawing.view.before) {
        text_printf(&p->text, "t%s [shape=plaintext,style=bold,width=%.3f,height=%.3f,pos=\"",
                    side_letters[side], p->plane.width_px / 72, TITLE_PX / 72.);
        put_point(p, p->plane.width_px / 2, -TITLE_PX / 2.);
        text_puts(&p->text, "\",label=\"");
        put_text(&p->text, network_shorten(p->drawing.view.titles[side],
                                           (size_t)(p->plane.width_px + BETWEEN_PX) / LETTER_PX, p->arena));
        text_puts(&p->text, "\"];\n");
    }
    for (uint32_t i = 0; i < p->plane.n_boxes; i++)
        put_box(p, i);
    for (uint32_t i = 0; i < p->plane.n_curves; i++)
        if (p->plane.curves[i].n_points)
            put_curve(p, i);
}

/* --- the script ----------------------------------------------------------------------------------------- */

static void put_script(picture *p)
{
    enum { HEAD_PX = 56, LEAST_WIDTH_PX = 330, TITLES_PX = 40, MOST_LETTERS = 40 };
    const roof_prediction *of = p->prediction;
    textbuf *out = &p->text;
    text_puts(
        out,
        "// Drawn by roofline. To draw it again, after changing what you like: dot -Kneato -n2 -Tsvg -O on "
        "this file.\ndigraph \"");
    put_text(out, of->model.name);
    text_printf(out,
                "\" {\nbgcolor=\"#%06x\"; outputorder=edgesfirst; pad=0.2;\n"
                "node [shape=box,style=filled,fixedsize=true,fontname=\"Arial\",fontsize=10,color=\"#%06x\","
                "fontcolor=\"#%06x\"];\n"
                "edge [fontname=\"Arial\",fontsize=8,fontcolor=\"#%06x\",arrowsize=0.6];\n"
                "head [shape=plaintext,style=solid,width=%.3f,height=%.3f,pos=\"",
                COLOUR_PAPER, COLOUR_MUTED, COLOUR_INK, COLOUR_MUTED, LEAST_WIDTH_PX / 72., HEAD_PX / 72.);
    put_point(p, LEAST_WIDTH_PX / 2., -HEAD_PX / 2. - 4 - (p->drawing.view.before ? TITLES_PX : 0));
    text_puts(out, "\",label=\"");
    put_text(out, network_shorten(of->model.name, MOST_LETTERS, p->arena));
    text_puts(out, " on ");
    put_text(out, network_shorten(of->hardware.name, MOST_LETTERS, p->arena));
    text_puts(out, "\\n");
    const network_view *view = &p->drawing.view;
    put_text(out, view->gap_words ? say_printf(p->arena, "%%: of the %s; darker: more of it lost, %s",
                                               view->time_words, view->gap_words)
                                  : say_printf(p->arena, "darker: more of the %s", view->time_words));
    text_puts(out, "\\nthick: through external memory; dashed: on chip; thin: not known");
    text_puts(out, p->drawing.view.before ? "\\nleft: before, right: after; thick box: it differs\"];\n"
                                          : "\"];\n");
    if (p->drawing.view.before)
        put_side(p, NETWORK_BEFORE, 0);
    put_side(p, NETWORK_HERE, p->drawing.view.before ? p->plane.width_px + BETWEEN_PX : 0);
    text_puts(out, "}\n");
}

/* --- drawing -------------------------------------------------------------------------------------------- */

/* Without dot the script is there; what dot may have begun is not. */
static roof_status run(const picture *p, const outputs_folder *f, roof_error *why)
{
    static char program[] = "dot", as_placed[] = "-Kneato", all[] = "-n2", output[] = "-o";
    char *const arguments[] = {program,
                               as_placed,
                               all,
                               arena_strdup(p->arena, p->form),
                               output,
                               arena_printf(p->arena, "./%s", p->name),
                               arena_printf(p->arena, "./%s", p->script),
                               NULL};
    char folder[220], name[120], script[120];
    const char *word_of_folder = quote_for_shell(folder, sizeof folder, f->path, "FOLDER"),
               *word_of_script = quote_for_shell(script, sizeof script, p->script, "FILE.dot");
    child c;
    TRY(arena_status(p->arena, why));
    const int code =
        child_start(&(child_options){.folder = f->temporary, .most_ms = NETWORK_MOST_MS}, arguments, &c);
    if (code == ENOMEM)
        return error_memory(why);
    if (code)
        return error_set(why, ROOF_E_DEVICE,
                         "dot cannot be started (%s), so the graph is not drawn; install graphviz, then: cd "
                         "%s && dot -Kneato -n2 %s -o %s %s",
                         strerror(code), word_of_folder, p->form,
                         quote_for_shell(name, sizeof name, p->name, "FILE"), word_of_script);
    child_end(&c);
    if (!c.failed && outputs_made_bytes(f, p->name) > 0)
        return ROOF_OK;
    outputs_remove(f, p->name);
    return error_set(why, ROOF_E_DEVICE,
                     "dot did not draw %.80s: %.240s; to try by hand: cd %s && dot -Kneato -n2 %s %s",
                     p->name, c.timed_out ? "it took longer than 20 s, and was ended" : c.said,
                     word_of_folder, p->form, word_of_script);
}

static roof_status save(picture *p, roof_error *err)
{
    p->name = path_base_name(p->path);
    const size_t before = (size_t)(p->name - p->path);
    const char *dot = strrchr(p->name, '.'),
               *folder = before ? arena_strndup(p->arena, p->path, before > 1 ? before - 1 : 1) : ".";
    p->script = arena_printf(p->arena, "%.*s.dot", (int)(dot - p->name), p->name);
    p->form = arena_printf(p->arena, "-T%s", dot + 1);
    roof_error why = {0};
    outputs set;
    outputs_folder *into = NULL;
    outputs_file *file;
    TRY(arena_status(p->arena, err));
    TRY(outputs_begin(&set, err));
    roof_status status = outputs_folder_open(&set, folder, false, &into, err);
    THEN(status, outputs_open_in(into, p->script, &file, err));
    THEN(status, outputs_close(file, outputs_write(file, p->text.bytes, p->text.length, err), err));
    THEN(status, outputs_announce(into, p->name, err));
    if (status == ROOF_OK && run(p, into, &why) == ROOF_E_NO_MEMORY)
        status = error_memory(err);
    status = outputs_end(&set, status, err);
    return status == ROOF_OK && why.status != ROOF_OK ? error_set(err, why.status, "%s", why.what) : status;
}

bool roof_draw_is_graph(const char *path)
{
    static const char end[] = "-graph", alone[] = "graph";
    const char *name = path_base_name(path), *dot = strrchr(name, '.');
    const size_t length = dot ? (size_t)(dot - name) : 0, n = sizeof end - 1;
    return (length == sizeof alone - 1 && memcmp(name, alone, length) == 0) ||
           (length > n && memcmp(dot - n, end, n) == 0);
}

static roof_status draw(picture *p, roof_error *err)
{
    const chart_source of = {.prediction = p->prediction};
    const chart_rows rows = chart_rows_of(&of, p->arena);
    const network_source source = {.graph = p->graph, .prediction = of.prediction, .rows = &rows};
    network_drawing *drawing = &p->drawing;
    network_view view;
    if (p->diff) {
        network_view_make(&source, p->arena, &view);
        TRY(network_draw_pair(p->before, &view, p->diff, p->arena, drawing, err));
    } else {
        TRY(network_draw(&source, p->arena, drawing, err));
    }
    if (drawing->view.why_not)
        return error_data(err, "%s", drawing->view.why_not);
    /* The outer ones first, as long as there is room: blocks are numbered behind those that they are in. */
    uint32_t n = drawing->fold.blocks[0].n_children;
    bool *is_open;
    TRY(ARENA_GET(p->arena, is_open, drawing->fold.n_blocks, err));
    for (uint32_t b = 0; b < drawing->fold.n_blocks; b++) {
        const network_block *block = &drawing->fold.blocks[b];
        const uint32_t more = b ? block->n_children - 1 : 0;
        is_open[b] =
            !b || (is_open[block->parent] && n + more <= (p->most_boxes ? p->most_boxes : MOST_BOXES));
        n += is_open[b] ? more : 0;
    }
    network_open(drawing, is_open, p->arena, &p->plane);
    text_init(&p->text, TEXT_MAX_BYTES);
    put_script(p);
    roof_status status = text_status(&p->text, err);
    THEN(status, arena_status(p->arena, err));
    THEN(status, save(p, err));
    text_free(&p->text);
    return status;
}

static roof_status draw_file(picture *p, roof_error *err)
{
    if (!roof_draw_is_picture(p->path))
        return error_set(err, ROOF_E_USAGE, "'%.200s' does not end in .svg, .png or .pdf", p->path);
    p->arena = arena_new(0);
    TRY(ALLOCATED(p->arena, err));
    const roof_status status = draw(p, err);
    arena_free(p->arena);
    return status;
}

roof_status roof_draw_graph(const roof_graph *graph, const roof_prediction *prediction, uint32_t most_boxes,
                            const char *path, roof_error *err)
{
    picture p = {.graph = graph, .prediction = prediction, .most_boxes = most_boxes, .path = path};
    return draw_file(&p, err);
}

roof_status roof_draw_model_diff(const roof_model_diff *diff, const roof_graph *before,
                                 const roof_graph *after, uint32_t most_boxes, const char *path,
                                 roof_error *err)
{
    picture p = {.graph = after,
                 .prediction = diff->after_prediction,
                 .diff = diff,
                 .before = before,
                 .most_boxes = most_boxes,
                 .path = path};
    return draw_file(&p, err);
}
