/* The first level of a drawing as a picture in a page. Its classes are those that page_graph.js draws
 * with. */
#include "reports/graph/network_drawing.h"
#include "reports/words/html.h"

enum {
    MARGIN_PX = 10,
    LEAST_WIDTH_PX = 300,
    BETWEEN_PX = 40,
    TITLE_PX = 26,
    LETTER_PX = 7,
    NOTE_LETTERS = 25,
    TYPE_LETTERS = 18
};

const char *network_shorten(const char *name, size_t most, roof_arena *arena)
{
    size_t n = 0;
    for (const char *c = name; *c; c++)
        n += ((unsigned char)*c & 0xc0) != 0x80;
    if (n <= most)
        return name;
    const size_t head = most / 3, tail = most - 1 - head;
    const char *end = name, *rest = name;
    for (size_t i = 0; i < head; i++)
        for (end++; ((unsigned char)*end & 0xc0) == 0x80;)
            end++;
    for (size_t i = 0; i + tail < n; i++)
        for (rest++; ((unsigned char)*rest & 0xc0) == 0x80;)
            rest++;
    return say_printf(arena, "%.*s\xe2\x80\xa6%s", (int)(end - name), name, rest);
}

/* --- edges ---------------------------------------------------------------------------------------------- */

static void put_edge(const network_curve *curve, const network_level_edge *e, network_side side, textbuf *out)
{
    const char *way = e->bytes[side][NETWORK_WAY_EXTERNAL]  ? "external"
                      : e->bytes[side][NETWORK_WAY_UNKNOWN] ? "unsure"
                                                            : "on-chip";
    if (curve->n_points < 4 || !e->is_on[side])
        return;
    const network_point *p = curve->points, *end = &p[curve->n_points - 1];
    const double x_px = end[0].x_px - end[-1].x_px, y_px = end[0].y_px - end[-1].y_px;
    text_printf(out, "<path class=\"%s\" d=\"M%" PRId32 " %" PRId32 "C", way, p->x_px, p->y_px);
    for (uint32_t i = 1; i < curve->n_points; i++)
        text_printf(out, "%s%" PRId32 " %" PRId32, i > 1 ? " " : "", p[i].x_px, p[i].y_px);
    text_printf(out,
                "\"/><path class=\"head %s\" d=\"M0 0l-4 -7h8z\" transform=\"translate(%" PRId32 " %" PRId32
                ") rotate(%d)\"/>\n",
                way, end->x_px, end->y_px, /* against straight down, by where the curve comes from */
                (int)lround(atan2(-x_px, y_px) * 180 / 3.14159265358979));
}

/* --- boxes ---------------------------------------------------------------------------------------------- */

/* "conv, 3.1 %"; "conv, in row 2" of what was measured with others. The type is cut to what a box has room
 * for. */
static const char *note_of(const network_row *rows, const network_child *child, bool is_before,
                           roof_arena *arena)
{
    const network_sum sum = network_sum_of(rows, child);
    const network_row *row = &rows[child->first_row];
    const bool is_row = child->block == ROOF_NONE;
    const char *share =
        isnan(sum.time_ratio) ? is_before ? "" : "time not known" : say_percent(arena, sum.time_ratio);
    if (is_row && row->is_with_others)
        share = say_printf(arena, "in row %u", row->number);
    const size_t rest = NOTE_LETTERS - 2 - strlen(share);
    const char *what = is_row ? network_shorten(row->type, rest < TYPE_LETTERS ? rest : TYPE_LETTERS, arena)
                              : say_printf(arena, "%u row%s", sum.n_rows, say_plural(sum.n_rows));
    return say_printf(arena, "%s%s%s", what, *what && *share ? ", " : "", share);
}

/* Subject of a picture. */
typedef struct svg_of {
    const network_drawing *drawing;
    network_side side;
    const char *table;
    roof_arena *arena;
} svg_of;

static void put_rect(const char *classes, int32_t left_px, int32_t top_px, textbuf *out)
{
    text_printf(out, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"", classes, left_px,
                top_px, NETWORK_BOX_WIDTH_PX, NETWORK_BOX_HEIGHT_PX);
}

static void put_box(const svg_of *s, const network_child *child, network_point at, textbuf *out)
{
    const network_drawing *d = s->drawing;
    const network_row *rows = network_rows_of(&d->view, s->side), *row = &rows[child->first_row];
    const bool is_row = child->block == ROOF_NONE;
    const char *name = is_row ? row->name : d->fold.blocks[child->block].title, *table = s->table;
    const network_sum sum = network_sum_of(rows, child);
    const int32_t left_px = at.x_px - NETWORK_BOX_WIDTH_PX / 2, top_px = at.y_px - NETWORK_BOX_HEIGHT_PX / 2;
    roof_arena *arena = s->arena;
    if (!sum.n_rows) {
        put_rect("ghost", left_px, top_px, out);
        text_puts(out, "/>\n");
        return;
    }
    if (is_row && row->number)
        html_printf(out, "<a href=\"#%s-%u\">", table, row->number);
    html_printf(out, "<g class=\"box %s\"><title>%s</title>\n", is_row ? "row" : "block", name);
    if (!is_row) {
        put_rect("under", left_px + 4, top_px + 4, out);
        text_puts(out, "/>");
    }
    put_rect("paper", left_px, top_px, out);
    if (sum.time_ratio > 0) {
        text_puts(out, "/>");
        put_rect("fill heat", left_px, top_px, out);
        text_printf(out, " fill-opacity=\"%.2f\"", 0.06 + 0.44 * sqrt(fmin(1, sum.time_ratio)));
    }
    text_printf(out, "/>\n<text class=\"name\" x=\"%d\" y=\"%d\">", left_px + 8, top_px + 18);
    html_text(out, network_shorten(name, 19, arena));
    text_printf(out, "</text>\n<text class=\"value\" x=\"%d\" y=\"%d\">", left_px + 8, top_px + 35);
    html_text(out, note_of(rows, child, s->side == NETWORK_BEFORE, arena));
    text_puts(out, "</text></g>");
    text_puts(out, is_row && row->number ? "</a>\n" : "\n");
}

static void put_side(const svg_of *s, int left_px, textbuf *out)
{
    const network_drawing *d = s->drawing;
    const network_level *level = &d->levels.items[0];
    const network_places *p = &d->layout.places[d->layout.of_level[0]];
    const network_block *whole = &d->fold.blocks[0];
    if (d->view.before) {
        text_printf(out, "<g transform=\"translate(%d %d)\"><text class=\"side\" y=\"%d\">", left_px,
                    TITLE_PX, -TITLE_PX / 2);
        html_text(out, network_shorten(d->view.titles[s->side], (size_t)p->width_px / LETTER_PX, s->arena));
        text_puts(out, "</text>\n");
    }
    for (uint32_t i = 0; i < level->n_edges; i++)
        put_edge(&p->curves[i], &level->edges[i], s->side, out);
    for (uint32_t i = 0; i < whole->n_children; i++) {
        put_box(s, &whole->children[i], p->boxes[i], out);
        if (network_differs(&d->view, &whole->children[i]))
            text_printf(out, "<path class=\"changed\" d=\"M%d %dh11l-11 11z\"/>\n",
                        p->boxes[i].x_px - NETWORK_BOX_WIDTH_PX / 2,
                        p->boxes[i].y_px - NETWORK_BOX_HEIGHT_PX / 2);
    }
    text_puts(out, d->view.before ? "</g>\n" : "");
}

void network_put_svg(const network_drawing *d, const char *table, const char *title, roof_arena *arena,
                     textbuf *out)
{
    const network_places *p = &d->layout.places[d->layout.of_level[0]];
    const bool is_pair = d->view.before;
    const int width_px = (is_pair ? 2 * p->width_px + BETWEEN_PX : p->width_px) + 2 * MARGIN_PX;
    const int height_px = p->height_px + 2 * MARGIN_PX + (is_pair ? TITLE_PX : 0);
    const int shown_px = width_px < LEAST_WIDTH_PX ? LEAST_WIDTH_PX : width_px;
    html_printf(out, "<svg class=\"graph\" role=\"img\" aria-label=\"%s\"", title);
    text_printf(out, " viewBox=\"%d %d %d %d\" style=\"max-width:%dpx\">\n",
                -MARGIN_PX - (shown_px - width_px) / 2, -MARGIN_PX, shown_px, height_px, shown_px);
    if (is_pair)
        put_side(&(svg_of){d, NETWORK_BEFORE, table, arena}, 0, out);
    put_side(&(svg_of){d, NETWORK_HERE, table, arena}, is_pair ? p->width_px + BETWEEN_PX : 0, out);
    text_puts(out, "</svg>\n");
}
