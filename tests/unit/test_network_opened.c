/* Drawings with open blocks: a frame holds what is in it, nothing lies on another, edges end at boxes. */
#include "reports/graph/network_drawing.h"
#include "tests/support/drawn_network.h"

static network_plane open_all(const network_drawing *drawing, bool is_open, roof_arena *arena)
{
    network_plane plane;
    bool *open = calloc(drawing->fold.n_blocks, 1);
    assert_non_null(open);
    for (uint32_t b = 0; b < drawing->fold.n_blocks; b++)
        open[b] = is_open || !b;
    network_open(drawing, open, arena, &plane);
    free(open);
    return plane;
}

static bool holds(const network_box *a, const network_box *b)
{
    const double near_px = 0.5;
    return a->is_open && b->left_px >= a->left_px - near_px &&
           b->left_px + b->width_px <= a->left_px + a->width_px + near_px &&
           b->top_px >= a->top_px + NETWORK_HEAD_PX - near_px &&
           b->top_px + b->height_px <= a->top_px + a->height_px + near_px;
}

static bool is_apart(const network_box *a, const network_box *b)
{
    return a->left_px + a->width_px <= b->left_px || b->left_px + b->width_px <= a->left_px ||
           a->top_px + a->height_px <= b->top_px || b->top_px + b->height_px <= a->top_px;
}

static bool is_within(const network_child *a, const network_child *b)
{
    return b->first_row >= a->first_row && b->first_row + b->n_rows <= a->first_row + a->n_rows;
}

static network_drawing resnet(drawn_network *d)
{
    char path[4096];
    network_drawing drawing = {0};
    roof_error err;
    snprintf(path, sizeof path, "%s/examples/models/resnet50-b4096.xmodel", getenv("ROOFLINE_SOURCE_DIR"));
    *d = drawn_from(path, "b4096");
    assert_int_equal(
        network_draw(&(network_source){.graph = d->net.graph, .prediction = d->prediction, .rows = &d->rows},
                     d->arena, &drawing, &err),
        ROOF_OK);
    return drawing;
}

static void frames_hold_their_boxes_and_nothing_overlaps(void **state)
{
    drawn_network d;
    const network_drawing drawing = resnet(&d);
    const network_plane plane = open_all(&drawing, true, d.arena);
    uint32_t n_rows = 0;
    (void)state;
    for (uint32_t i = 0; i < plane.n_boxes; i++) {
        n_rows += plane.boxes[i].child.block == ROOF_NONE;
        for (uint32_t k = i + 1; k < plane.n_boxes; k++) {
            const network_box *a = &plane.boxes[i], *b = &plane.boxes[k];
            assert_true(is_within(&a->child, &b->child) ? holds(a, b) : is_apart(a, b));
        }
    }
    assert_int_equal(n_rows, d.view.n_rows);
    drawn_close(&d);
}

static void edges_end_at_their_boxes(void **state)
{
    drawn_network d;
    const network_drawing drawing = resnet(&d);
    const network_plane plane = open_all(&drawing, true, d.arena);
    uint32_t n = 0;
    (void)state;
    for (uint32_t i = 0; i < plane.n_curves; i++) {
        const px_curve *c = &plane.curves[i];
        const px_point end = c->points[c->n_points - 1];
        bool meets = c->edge->to == NETWORK_OUTSIDE;
        for (uint32_t k = 0; k < plane.n_boxes && !meets; k++) {
            const network_box *b = &plane.boxes[k];
            meets =
                fabs(end.y - b->top_px) < 2 && end.x > b->left_px - 2 && end.x < b->left_px + b->width_px + 2;
        }
        assert_true(meets);
        n++;
    }
    assert_true(n > d.view.n_rows);
    drawn_close(&d);
}

static void closed_it_is_the_first_level(void **state)
{
    drawn_network d;
    const network_drawing drawing = resnet(&d);
    const network_plane plane = open_all(&drawing, false, d.arena);
    const network_places *p = &drawing.layout.places[drawing.layout.of_level[0]];
    (void)state;
    assert_int_equal(plane.n_boxes, p->n_boxes);
    assert_true(fabs(plane.width_px - p->width_px) < 1e-9 && fabs(plane.height_px - p->height_px) < 1e-9);
    for (uint32_t i = 0; i < plane.n_boxes; i++)
        assert_true(fabs(plane.boxes[i].left_px + NETWORK_BOX_WIDTH_PX / 2. - p->boxes[i].x_px) < 1e-9);
    drawn_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_hold_their_boxes_and_nothing_overlaps),
        cmocka_unit_test(edges_end_at_their_boxes),
        cmocka_unit_test(closed_it_is_the_first_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
