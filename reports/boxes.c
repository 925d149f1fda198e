#include "reports/boxes.h"

#include <math.h>

enum { BETWEEN_PX = 1 };

px_point px_along(double degrees)
{
    double radians = degrees * M_PI / 180;
    return (px_point){cos(radians), -sin(radians)};
}

static void corners(const px_box *b, px_point out[4])
{
    px_point u = px_along(b->degrees), v = {-u.y, u.x};
    static const int signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int i = 0; i < 4; i++) {
        double a = signs[i][0] * b->half_width_px, c = signs[i][1] * b->half_height_px;
        out[i] = (px_point){b->x_px + a * u.x + c * v.x, b->y_px + a * u.y + c * v.y};
    }
}

/* Apart along an axis: the shadows that both throw on it do not touch. */
static bool apart(const px_point *a, const px_point *b, px_point axis)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
        double p = a[i].x * axis.x + a[i].y * axis.y, q = b[i].x * axis.x + b[i].y * axis.y;
        low[0] = fmin(low[0], p);
        high[0] = fmax(high[0], p);
        low[1] = fmin(low[1], q);
        high[1] = fmax(high[1], q);
    }
    return low[0] > high[1] + BETWEEN_PX || low[1] > high[0] + BETWEEN_PX;
}

bool boxes_overlap(const px_box *a, const px_box *b)
{
    px_point p[4], q[4];
    const px_box *const both[] = {a, b};
    corners(a, p);
    corners(b, q);
    for (int i = 0; i < 2; i++) {
        px_point u = px_along(both[i]->degrees);
        if (apart(p, q, u) || apart(p, q, (px_point){-u.y, u.x}))
            return false;
    }
    return true;
}

bool box_lies_within(const px_box *box, const plot_area *area)
{
    px_point c[4];
    corners(box, c);
    for (int i = 0; i < 4; i++)
        if (c[i].x < area->left_px || c[i].x > area->right_px || c[i].y < area->top_px ||
            c[i].y > area->bottom_px)
            return false;
    return true;
}
