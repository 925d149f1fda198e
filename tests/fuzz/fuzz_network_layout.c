/* What dot wrote, from anywhere: what is read has a place for every box and a curve for every edge, as far
 * as a picture goes. */
#include "reports/graph/network_drawing.h"
#include "tests/fuzz/fuzz_target.h"

static const network_level_edge edges[] = {{.from = 0, .to = 1},
                                           {.from = 0, .to = 2},
                                           {.from = 1, .to = 2},
                                           {.from = 2, .to = NETWORK_OUTSIDE},
                                           {.from = NETWORK_OUTSIDE, .to = 0}};
static const network_level level = {.n_children = 3, .edges = edges, .n_edges = sizeof edges / sizeof *edges};

static void check_point(network_point p)
{
    const int32_t most_px = 2 * 100000 * 72;
    CHECK(p.x_px >= -most_px && p.x_px <= most_px && p.y_px >= -most_px && p.y_px <= most_px);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    roof_arena *arena = arena_new(1 << 26);
    network_places p;
    size_t used = 0;
    CHECK(arena);
    if (network_read_plain((const char *)data, size, &level, arena, &p, &used)) {
        CHECK(used <= size && p.n_boxes == level.n_children && p.n_curves == level.n_edges);
        for (uint32_t i = 0; i < p.n_boxes; i++)
            check_point(p.boxes[i]);
        for (uint32_t i = 0; i < p.n_curves; i++) {
            CHECK(p.curves[i].n_points >= 4 && p.curves[i].n_points % 3 == 1);
            for (uint32_t k = 0; k < p.curves[i].n_points; k++)
                check_point(p.curves[i].points[k]);
        }
    }
    arena_free(arena);
    return 0;
}
