#include "reports/chart_lines.h"

#include <math.h>

static double length_of(const line_in_px *l)
{
    return hypot(l->to_x_px - l->from_x_px, l->to_y_px - l->from_y_px);
}

/* The screen's y points down, angles are counted as if it pointed up. */
static double degrees_of(const line_in_px *l)
{
    return atan2(l->from_y_px - l->to_y_px, l->to_x_px - l->from_x_px) * 180 / M_PI;
}

void figure_avoid_line(chart_figure *f, const line_in_px *l, double half_width_px)
{
    figure_avoid(f, (px_box){.x_px = (l->from_x_px + l->to_x_px) / 2,
                             .y_px = (l->from_y_px + l->to_y_px) / 2,
                             .half_width_px = length_of(l) / 2,
                             .half_height_px = half_width_px,
                             .degrees = degrees_of(l)});
}

/* Off the marks first, all along the line, then anywhere on it. */
void figure_label_along(chart_figure *f, const figure_text_label *label, const line_in_px *line,
                        const along_line *along, const plot_area *area)
{
    double dx = line->to_x_px - line->from_x_px, dy = line->to_y_px - line->from_y_px;
    double off = along->off_px + text_height_px(label->letter) / 2, length = length_of(line);
    int sides = along->above_only ? 1 : 2, places = sides * along->steps;
    figure_text_label l = *label;
    l.anchor = ANCHOR_CENTRE;
    l.degrees = degrees_of(line);
    for (int i = 0; i < 2 * places; i++) {
        double part = along->first + along->span * (i / sides % along->steps) / (along->steps - 1);
        double sign = i % sides ? -1 : 1;
        l.x_px = line->from_x_px + part * dx + sign * off * dy / length;
        l.y_px = line->from_y_px + part * dy - sign * off * dx / length;
        if (figure_try_label(f, &l, area, i < places))
            return;
    }
}
