#include "reports/graph/network_drawing.h"

enum { W = NETWORK_BOX_WIDTH_PX, H = NETWORK_BOX_HEIGHT_PX };

/* --- space for open blocks ------------------------------------------------------------------------------ */

/* A piece of an axis, and how much longer it becomes. */
typedef struct piece {
    double from, to, more;
} piece;

typedef struct stretch {
    piece *pieces;
    uint32_t n;
} stretch;

static double moved(const stretch *s, double at)
{
    double sum = at;
    for (uint32_t i = 0; i < s->n; i++)
        sum += s->pieces[i].more *
               fmin(1, fmax(0, (at - s->pieces[i].from) / (s->pieces[i].to - s->pieces[i].from)));
    return sum;
}

/* more of each piece is what it needs; afterwards what it lacks with those before it. */
static void stretch_for(stretch *s)
{
    const uint32_t n = s->n;
    order_sort(s->pieces, n, sizeof *s->pieces, ORDER_BY(FALLING(piece, more), RISING(piece, from)));
    s->n = 0;
    for (uint32_t i = 0; i < n; i++) {
        const piece p = s->pieces[i];
        const double lacking = p.more - (moved(s, p.to) - moved(s, p.from));
        if (lacking > 0)
            s->pieces[s->n++] = (piece){p.from, p.to, lacking};
    }
}

/* --- measuring, from the inside out --------------------------------------------------------------------- */

typedef struct measured {
    const network_level *level;
    const network_places *places;
    const network_block *block;
    struct measured **inner; /* by child; NULL: it is closed */
    stretch x, y;
    double width_px, height_px;
} measured;

typedef struct opening {
    const network_drawing *drawing;
    const bool *is_open;
    roof_arena *arena;
    network_plane *out;
} opening;

static double width_of(const measured *inner)
{
    return inner ? fmax(W, inner->width_px + 2 * NETWORK_PAD_PX) : W;
}

static double height_of(const measured *inner)
{
    return inner ? inner->height_px + NETWORK_HEAD_PX + NETWORK_PAD_PX : H;
}

/* Blocks are no deeper in one another than there are kinds of them and passes of folding. */
static measured *measure(const opening *o, uint32_t block)
{
    measured *m = NEW(o->arena, measured);
    if (!m)
        return NULL;
    m->level = &o->drawing->levels.items[block];
    m->places = &o->drawing->layout.places[o->drawing->layout.of_level[block]];
    m->block = &o->drawing->fold.blocks[block];
    m->inner = NEW_ARRAY(o->arena, measured *, m->block->n_children);
    m->x.pieces = NEW_ARRAY(o->arena, piece, m->block->n_children);
    m->y.pieces = NEW_ARRAY(o->arena, piece, m->block->n_children);
    if (!m->inner || !m->x.pieces || !m->y.pieces)
        return NULL;
    for (uint32_t i = 0; i < m->block->n_children; i++) {
        const uint32_t child = m->block->children[i].block;
        const network_point at = m->places->boxes[i];
        if (child == ROOF_NONE || !o->is_open[child])
            continue;
        m->inner[i] = measure(o, child);
        if (!m->inner[i])
            return NULL;
        m->x.pieces[m->x.n++] = (piece){at.x_px - W / 2., at.x_px + W / 2., width_of(m->inner[i])};
        m->y.pieces[m->y.n++] = (piece){at.y_px - H / 2., at.y_px + H / 2., height_of(m->inner[i])};
    }
    stretch_for(&m->x);
    stretch_for(&m->y);
    m->width_px = moved(&m->x, m->places->width_px);
    m->height_px = moved(&m->y, m->places->height_px);
    return m;
}

/* --- placing, from the outside in ----------------------------------------------------------------------- */

static network_box box_of(const measured *m, uint32_t i, px_point origin)
{
    const network_point at = m->places->boxes[i];
    const double width_px = width_of(m->inner[i]), height_px = height_of(m->inner[i]);
    const double x_px = (moved(&m->x, at.x_px - W / 2.) + moved(&m->x, at.x_px + W / 2.)) / 2;
    const double y_px = (moved(&m->y, at.y_px - H / 2.) + moved(&m->y, at.y_px + H / 2.)) / 2;
    return (network_box){.child = m->block->children[i],
                         .is_open = m->inner[i] != NULL,
                         .left_px = origin.x + x_px - width_px / 2,
                         .top_px = origin.y + y_px - height_px / 2,
                         .width_px = width_px,
                         .height_px = height_px};
}

/* Boxes in one layer may differ in height: an edge ends at them, not where the tallest does. */
static void add_curve(const opening *o, const measured *m, uint32_t i, px_point origin)
{
    const network_curve *c = &m->places->curves[i];
    const network_level_edge *e = &m->level->edges[i];
    px_curve *line = &o->out->curves[o->out->n_curves];
    *line = (px_curve){e, NEW_ARRAY(o->arena, px_point, c->n_points), c->n_points};
    if (!line->points || !c->n_points)
        return;
    for (uint32_t k = 0; k < c->n_points; k++)
        line->points[k] = (px_point){origin.x + moved(&m->x, c->points[k].x_px),
                                     origin.y + moved(&m->y, c->points[k].y_px)};
    px_point *last = &line->points[c->n_points - 1];
    if (e->from != NETWORK_OUTSIDE) {
        const network_box from = box_of(m, e->from, origin);
        line->points->y = fmin(line->points->y, from.top_px + from.height_px);
    }
    last->y = e->to == NETWORK_OUTSIDE ? last->y + NETWORK_PAD_PX + 2
                                       : fmax(last->y, box_of(m, e->to, origin).top_px);
    o->out->n_curves++;
}

static void place(const opening *o, const measured *m, px_point origin)
{
    for (uint32_t i = 0; i < m->level->n_edges; i++)
        add_curve(o, m, i, origin);
    for (uint32_t i = 0; i < m->block->n_children; i++) {
        const network_box box = o->out->boxes[o->out->n_boxes++] = box_of(m, i, origin);
        if (m->inner[i])
            place(o, m->inner[i],
                  (px_point){box.left_px + (box.width_px - m->inner[i]->width_px) / 2,
                             box.top_px + NETWORK_HEAD_PX});
    }
}

void network_open(const network_drawing *drawing, const bool *is_open, roof_arena *arena, network_plane *out)
{
    const opening o = {drawing, is_open, arena, out};
    uint32_t n_boxes = 0, n_curves = 0;
    *out = (network_plane){0};
    for (uint32_t b = 0; b < drawing->fold.n_blocks; b++)
        if (!b || is_open[b]) {
            n_boxes += drawing->fold.blocks[b].n_children;
            n_curves += drawing->levels.items[b].n_edges;
        }
    out->boxes = NEW_ARRAY(arena, network_box, n_boxes);
    out->curves = NEW_ARRAY(arena, px_curve, n_curves);
    const measured *whole = measure(&o, 0);
    if (!whole || !out->boxes || !out->curves)
        return;
    out->width_px = whole->width_px;
    out->height_px = whole->height_px;
    place(&o, whole, (px_point){0, 0});
}
