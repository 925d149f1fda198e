/* Places of boxes: what dot writes is read or refused, and without dot there is a plain list. */
#include "tests/support/drawn_network.h"
#include "tests/support/skips.h"

#include <unistd.h>

/* A box above another one, which goes outside as well. */
static const network_level_edge two_edges[] = {{.from = 0, .to = 1, .bytes = {{0, 8, 0}}},
                                               {.from = 1, .to = NETWORK_OUTSIDE, .bytes = {{0, 8, 0}}}};
static const network_level two = {
    .block = 0, .row = ROOF_NONE, .n_children = 2, .edges = two_edges, .n_edges = 2};

#define HEAD "graph 1 2.5 2\n"
#define ONE  "node n0 1.25 1.5 2.4 0.6 \"\" solid box black lightgrey\n"
#define NEXT "node n1 1.25 0.5 2.4 0.6 \"\" solid box black lightgrey\n"
#define OUT  "node o 1.25 0 0.02 0.02 \"\" solid box black lightgrey\n"
#define EDGE "edge n0 n1 4 1.25 1.2 1.25 1.1 1.25 0.9 1.25 0.8 solid black\n"
#define LAST "edge n1 o 4 1.25 0.2 1.25 0.1 1.25 0.05 1.25 0.01 solid black\n"

static void only_a_layout_of_the_level_is_read(void **state)
{
    static const struct {
        const char *what, *text;
        bool is_good;
    } rows[] = {
        {"all of it", HEAD ONE NEXT OUT EDGE LAST "stop\n", true},
        {"the end is missing, but all is there", HEAD ONE NEXT OUT EDGE LAST, false},
        {"an edge is missing", HEAD ONE NEXT OUT EDGE "stop\n", false},
        {"a box is missing", HEAD ONE OUT EDGE LAST "stop\n", false},
        {"a box is there twice", HEAD ONE ONE NEXT OUT EDGE LAST "stop\n", false},
        {"an edge is there twice", HEAD ONE NEXT OUT EDGE EDGE LAST "stop\n", false},
        {"a box that is none of the level", HEAD ONE NEXT "node n2 1 1 1 1\n" EDGE LAST "stop\n", false},
        {"a name that is no number", HEAD ONE NEXT "node nx 1 1 1 1\n" EDGE LAST "stop\n", false},
        {"a number below 0", HEAD ONE NEXT "node n-1 1 1 1 1\n" EDGE LAST "stop\n", false},
        {"not a number", HEAD "node n0 nan 1.5\n" NEXT EDGE LAST "stop\n", false},
        {"farther than a picture goes", HEAD "node n0 1e9 1.5\n" NEXT EDGE LAST "stop\n", false},
        {"too few points", HEAD ONE NEXT "edge n0 n1 1 1 1\n" LAST "stop\n", false},
        {"points that make no curve", HEAD ONE NEXT "edge n0 n1 5 1 1 1 1 1 1 1 1 1 1\n" LAST "stop\n",
         false},
        {"more points than there are", HEAD ONE NEXT "edge n0 n1 3001 1 1\n" LAST "stop\n", false},
        {"another edge is passed over", HEAD ONE NEXT OUT EDGE "edge n1 n0 4 1 1 1 1 1 1 1 1\n" LAST "stop\n",
         true},
        {"another word", HEAD ONE NEXT OUT "box n0\n" EDGE LAST "stop\n", false},
        {"nothing", "", false},
        {"a message in its place", "Error: syntax error in line 1\n", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_arena *arena = arena_new(0);
        network_places p;
        size_t used = 0;
        const bool is_good = network_read_plain(rows[i].text, strlen(rows[i].text), &two, arena, &p, &used);
        if (is_good != rows[i].is_good)
            fail_msg("%s: %s", rows[i].what, is_good ? "read" : "refused");
        arena_free(arena);
    }
}

static void inches_from_below_become_px_from_above(void **state)
{
    static const char text[] = HEAD ONE NEXT OUT EDGE LAST "stop\ngraph 1 1 1\n";
    roof_arena *arena = arena_new(0);
    network_places p;
    size_t used = 0;
    (void)state;
    assert_true(network_read_plain(text, strlen(text), &two, arena, &p, &used));
    assert_int_equal(p.width_px, 180);
    assert_int_equal(p.height_px, 144);
    assert_int_equal(p.boxes[0].x_px, 90);
    assert_int_equal(p.boxes[0].y_px, 36);
    assert_int_equal(p.boxes[1].y_px, 108);
    assert_int_equal(p.curves[0].n_points, 4);
    assert_int_equal(p.curves[0].points[3].y_px, 86);
    assert_memory_equal(text + used, "\ngraph", 6); /* the next one goes on there */
    arena_free(arena);
}

/* A curve that bends below its end would lie in a box that is opened there. */
static void a_curve_stays_between_its_ends(void **state)
{
    static const char text[] =
        HEAD ONE NEXT OUT "edge n0 n1 4 1.25 1.2 1.25 1.3 1.25 0.1 1.25 0.8 solid black\n" LAST "stop\n";
    roof_arena *arena = arena_new(0);
    network_places p;
    size_t used;
    (void)state;
    assert_true(network_read_plain(text, strlen(text), &two, arena, &p, &used));
    assert_int_equal(p.curves[0].points[1].y_px, p.curves[0].points[0].y_px);
    assert_int_equal(p.curves[0].points[2].y_px, p.curves[0].points[3].y_px);
    arena_free(arena);
}

static void boxes_that_nothing_joins_are_below_each_other(void **state)
{
    const network_level level = {.n_children = 40};
    roof_arena *arena = arena_new(0);
    network_places p;
    (void)state;
    network_place_plainly(&level, arena, &p);
    drawn_check_places(&level, &p);
    assert_true(p.width_px < 2 * NETWORK_BOX_WIDTH_PX);
    arena_free(arena);
}

static void without_dot_boxes_are_in_layers(void **state)
{
    static const network_level_edge edges[] = {{.from = 0, .to = 1},
                                               {.from = 0, .to = 2},
                                               {.from = 1, .to = 3},
                                               {.from = 2, .to = 3},
                                               {.from = NETWORK_OUTSIDE, .to = 0}};
    const network_level level = {.n_children = 4, .edges = edges, .n_edges = COUNT(edges)};
    roof_arena *arena = arena_new(0);
    network_places p;
    (void)state;
    network_place_plainly(&level, arena, &p);
    drawn_check_places(&level, &p);
    assert_int_equal(p.boxes[1].y_px, p.boxes[2].y_px);
    assert_true(p.boxes[0].y_px < p.boxes[1].y_px && p.boxes[1].y_px < p.boxes[3].y_px);
    assert_int_equal(p.boxes[0].x_px, p.boxes[3].x_px); /* in the middle */
    arena_free(arena);
}

static char *path_now(void)
{
    const char *path = getenv("PATH");
    assert_non_null(path);
    return strdup(path ? path : "");
}

/* Where dot is not in PATH the page has places all the same, and says why they are plain. */
static void a_program_that_is_not_there_is_said(void **state)
{
    char *path = path_now();
    drawn_network d = drawn_of("input x float 1,8\nErf x -> a\nSin a -> b\nAdd a,b -> c\noutput c\n");
    network_layout layout;
    (void)state;
    assert_non_null(path);
    assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
    assert_int_equal(network_layout_make(&d.levels, d.arena, &layout, NULL), ROOF_OK);
    assert_int_equal(setenv("PATH", path, 1), 0);
    assert_string_equal(layout.why_plain, "Graphviz's dot is not installed here");
    for (uint32_t i = 0; i < d.levels.n; i++)
        drawn_check_places(&d.levels.items[i], &layout.places[layout.of_level[i]]);
    drawn_close(&d);
    free(path);
}

static bool has_dot(void)
{
    char *all = path_now(), *save = NULL, path[4096];
    bool found = false;
    for (char *folder = strtok_r(all, ":", &save); folder && !found; folder = strtok_r(NULL, ":", &save)) {
        snprintf(path, sizeof path, "%s/dot", folder);
        found = access(path, X_OK) == 0;
    }
    free(all);
    return found;
}

static void levels_that_are_joined_alike_are_laid_out_once(void **state)
{
    char path[4096];
    (void)state;
    if (!has_dot())
        skip_without("graphviz");
    snprintf(path, sizeof path, "%s/examples/models/resnet50-b4096.xmodel", getenv("ROOFLINE_SOURCE_DIR"));
    drawn_network d = drawn_from(path, "b4096");
    network_layout layout;
    assert_int_equal(network_layout_make(&d.levels, d.arena, &layout, NULL), ROOF_OK);
    assert_null(layout.why_plain);
    assert_true(layout.n_places * 4 < d.levels.n);
    for (uint32_t i = 0; i < d.levels.n; i++)
        drawn_check_places(&d.levels.items[i], &layout.places[layout.of_level[i]]);
    drawn_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_a_layout_of_the_level_is_read),
        cmocka_unit_test(inches_from_below_become_px_from_above),
        cmocka_unit_test(a_curve_stays_between_its_ends),
        cmocka_unit_test(boxes_that_nothing_joins_are_below_each_other),
        cmocka_unit_test(without_dot_boxes_are_in_layers),
        cmocka_unit_test(a_program_that_is_not_there_is_said),
        cmocka_unit_test(levels_that_are_joined_alike_are_laid_out_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
