#include "reports/chart_lines.h"

#include <math.h>

static double length_of(const roof_line_px *l)
{
    return hypot(l->to_x_px - l->from_x_px, l->to_y_px - l->from_y_px);
}

/* The screen's y points down, angles are counted as if it pointed up. */
static double degrees_of(const roof_line_px *l)
{
    return atan2(l->from_y_px - l->to_y_px, l->to_x_px - l->from_x_px) * 180 / M_PI;
}

void roof_figure_avoid_line(roof_figure *f, const roof_line_px *l, double half_width_px)
{
    roof_figure_avoid(f, (roof_box){.x_px = (l->from_x_px + l->to_x_px) / 2,
                                    .y_px = (l->from_y_px + l->to_y_px) / 2,
                                    .half_width_px = length_of(l) / 2,
                                    .half_height_px = half_width_px,
                                    .degrees = degrees_of(l)});
}

/* Off the marks first, all along the line, then anywhere on it. */
void roof_figure_label_along(roof_figure *f, const roof_label *label, const roof_line_px *line,
                             const roof_along *along, const roof_plot_area *area)
{
    double dx = line->to_x_px - line->from_x_px, dy = line->to_y_px - line->from_y_px;
    double off = along->off_px + roof_text_height_px(label->letter) / 2, length = length_of(line);
    int sides = along->above_only ? 1 : 2, places = sides * along->steps;
    roof_label l = *label;
    l.anchor = ROOF_ANCHOR_CENTRE;
    l.degrees = degrees_of(line);
    for (int i = 0; i < 2 * places; i++) {
        double part = along->first + along->span * (i / sides % along->steps) / (along->steps - 1);
        double sign = i % sides ? -1 : 1;
        l.x_px = line->from_x_px + part * dx + sign * off * dy / length;
        l.y_px = line->from_y_px + part * dy - sign * off * dx / length;
        if (roof_figure_try_label(f, &l, area, i < places))
            return;
    }
}
