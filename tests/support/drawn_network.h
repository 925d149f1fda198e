/* tests/support/drawn_network.h - networks as graphs, drawn from lines of text (onnx_text.h) or from a
 * file, and what holds of every one.
 *
 * Ownership: drawn_close frees all that drawn_of, or drawn_from, made.
 */
#ifndef ROOF_TESTS_SUPPORT_DRAWN_NETWORK_H
#define ROOF_TESTS_SUPPORT_DRAWN_NETWORK_H

#include "reports/graph/network_drawing.h"
#include "tests/support/onnx_text_net.h"

typedef struct drawn_network {
    fx_net net;
    roof_prediction *prediction;
    roof_arena *arena;
    chart_rows rows;
    network_view view;
    network_fold fold;
    network_levels levels;
} drawn_network;

static inline void drawn_predict(drawn_network *d, const char *hw_name)
{
    roof_hw *hw = fx_hw(hw_name);
    roof_error err = {0};
    const roof_predict_options options = {.names_operators = true, .explores = ROOF_EXPLORE_NOTHING};
    if (roof_predict(d->net.graph, hw, &options, &d->prediction, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    roof_hw_free(hw);
    d->arena = arena_new(0);
    assert_non_null(d->arena);
    const chart_source source = {.prediction = d->prediction};
    d->rows = chart_rows_of(&source, d->arena);
    network_view_make(&(network_source){.graph = d->net.graph, .prediction = d->prediction, .rows = &d->rows},
                      d->arena, &d->view);
    network_fold_make(&d->view, d->arena, &d->fold);
    network_levels_make(&d->view, &d->fold, d->arena, &d->levels);
    assert_int_equal(arena_status(d->arena, NULL), ROOF_OK);
}

static inline drawn_network drawn_of(const char *text)
{
    drawn_network d = {.net = onnx_text_net(text)};
    drawn_predict(&d, "kv260");
    return d;
}

static inline drawn_network drawn_from(const char *path, const char *hw)
{
    drawn_network d = {0};
    roof_error err = {0};
    if (roof_graph_read(path, &d.net.graph, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    drawn_predict(&d, hw);
    return d;
}

static inline void drawn_close(drawn_network *d)
{
    arena_free(d->arena);
    roof_prediction_free(d->prediction);
    fx_close(&d->net);
}

/* ---- what holds ---- */

/* Rows part the operators of the view, and each operator of the file is one of them, once. */
static inline void drawn_check_operators(const drawn_network *d)
{
    const roof_graph *g = d->net.graph;
    uint8_t *seen = calloc(g->n_ops, 1);
    uint32_t n = 0, wanted = 0;
    assert_non_null(seen);
    for (uint32_t r = 0; r < d->view.n_rows; r++) {
        assert_int_equal(d->view.rows[r].first_op, n);
        for (uint32_t i = 0; i < d->view.rows[r].n_ops; i++, n++) {
            assert_int_equal(d->view.ops[n].row, r);
            assert_int_equal(seen[d->view.ops[n].op - g->ops]++, 0);
        }
    }
    assert_int_equal(n, d->view.n_ops);
    for (uint32_t i = 0; i < g->n_ops; i++)
        wanted += g->ops[i].node != ROOF_NONE && (g->ops[i].rule != ROOF_RULE_CONSTANT || g->ops[i].n_inputs);
    assert_int_equal(n, wanted);
    free(seen);
}

static inline void drawn_check_blocks(const drawn_network *d)
{
    uint32_t rows = 0;
    for (uint32_t b = 0; b < d->fold.n_blocks; b++) {
        const network_block *block = &d->fold.blocks[b];
        uint32_t at = block->first_row;
        assert_in_range(block->n_children, 1, NETWORK_MOST_CHILDREN);
        for (uint32_t i = 0; i < block->n_children; i++) {
            const network_child *child = &block->children[i];
            assert_int_equal(child->first_row, at);
            at += child->n_rows;
            rows += child->block == ROOF_NONE;
            if (child->block == ROOF_NONE)
                assert_int_equal(d->fold.block_of[child->first_row], b);
            else
                assert_int_equal(d->fold.blocks[child->block].parent, b);
            if (block->kind == NETWORK_REPEAT)
                assert_int_equal(child->alike, block->children[0].alike);
        }
        assert_int_equal(at, block->first_row + block->n_rows);
    }
    assert_int_equal(rows, d->view.n_rows); /* each in one */
}

/* The bytes of an edge of rows, or of operators of one row, are in one level. */
static inline void drawn_check_edges(const drawn_network *d)
{
    uint64_t drawn = 0, wanted = 0;
    for (uint32_t l = 0; l < d->levels.n; l++)
        for (uint32_t i = 0; i < d->levels.items[l].n_edges; i++) {
            const network_level_edge *e = &d->levels.items[l].edges[i];
            const uint32_t n = d->levels.items[l].n_children;
            assert_int_equal(e->level, l);
            assert_true(e->from != e->to);
            assert_true((e->from < n || e->from == NETWORK_OUTSIDE) &&
                        (e->to < n || e->to == NETWORK_OUTSIDE));
            for (int k = 0; k < NETWORK_SIDES * NETWORK_WAYS && e->from < n && e->to < n; k++)
                drawn += e->bytes[k / NETWORK_WAYS][k % NETWORK_WAYS];
        }
    for (uint32_t i = 0; i < d->view.n_edges; i++)
        wanted += d->view.edges[i].bytes;
    for (uint32_t i = 0; i < d->view.n_op_edges; i++)
        if (d->view.ops[d->view.op_edges[i].from].row == d->view.ops[d->view.op_edges[i].to].row)
            wanted += d->view.op_edges[i].bytes;
    assert_true(drawn == wanted);
}

static inline void drawn_check_times(const drawn_network *d)
{
    double sum_s = 0, wanted_s = 0;
    for (uint32_t r = 0; r < d->view.n_rows; r++)
        sum_s += isnan(d->view.rows[r].time_s) ? 0 : d->view.rows[r].time_s;
    for (uint32_t i = 0; i < d->rows.n; i++)
        wanted_s += d->rows.rows[i].time_s;
    assert_true(fabs(sum_s - wanted_s) <= 1e-12 * wanted_s);
}

static inline void drawn_check(const drawn_network *d)
{
    drawn_check_operators(d);
    drawn_check_blocks(d);
    drawn_check_edges(d);
    drawn_check_times(d);
}

/* Boxes lie in the level and not on one another; curves lead from box to box. */
static inline void drawn_check_places(const network_level *level, const network_places *p)
{
    enum { W = NETWORK_BOX_WIDTH_PX, H = NETWORK_BOX_HEIGHT_PX, NEAR_PX = 2 };
    assert_int_equal(p->n_boxes, level->n_children);
    assert_int_equal(p->n_curves, level->n_edges);
    for (uint32_t i = 0; i < p->n_boxes; i++) {
        assert_true(p->boxes[i].x_px >= W / 2 - NEAR_PX && p->boxes[i].x_px <= p->width_px - W / 2 + NEAR_PX);
        assert_true(p->boxes[i].y_px >= H / 2 - NEAR_PX &&
                    p->boxes[i].y_px <= p->height_px - H / 2 + NEAR_PX);
        for (uint32_t k = 0; k < i; k++)
            assert_true(abs(p->boxes[i].x_px - p->boxes[k].x_px) >= W ||
                        abs(p->boxes[i].y_px - p->boxes[k].y_px) >= H);
    }
    for (uint32_t i = 0; i < p->n_curves; i++) {
        const network_curve *c = &p->curves[i];
        assert_true(c->n_points >= 4 && c->n_points % 3 == 1);
        for (int end = 0; end < 2; end++) {
            const uint32_t box = end ? level->edges[i].to : level->edges[i].from;
            const network_point at = c->points[end ? c->n_points - 1 : 0];
            if (box == NETWORK_OUTSIDE)
                continue;
            assert_in_range(abs(at.x_px - p->boxes[box].x_px), 0, W / 2 + NEAR_PX);
            assert_in_range(abs(at.y_px - p->boxes[box].y_px), 0, H / 2 + NEAR_PX);
        }
    }
}

#endif
