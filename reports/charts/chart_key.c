#include "reports/charts/chart_key.h"
#include "reports/charts/palette.h"

enum { LEFT_PX = 16, MARK_PX = 22, LINE_PX = 18, BETWEEN_PX = 22, BESIDE_PX = 6, RADIUS_PX = 4 };

static void put_swatch(chart_figure *f, double left, double right, double y, double half_px, uint32_t colour)
{
    figure_add(f, (figure_ornament){SWATCHES,
                                    {(left + right) / 2, y, left, right, y - half_px, y + half_px, colour}});
}

static void put_mark(chart_figure *f, const mark_key *key, double x, double y)
{
    const double line_px = 1.1, area_px = 5, dash_px = 5;
    switch (key->kind) {
    case MARK_LINE:
        put_swatch(f, x, x + MARK_PX, y, line_px, key->colour);
        break;
    case MARK_DASHES:
        for (double at = x; at < x + MARK_PX; at += dash_px + 3.5)
            put_swatch(f, at, at + dash_px, y, line_px, key->colour);
        break;
    case MARK_AREA:
        put_swatch(f, x, x + MARK_PX, y, area_px, key->colour);
        put_swatch(f, x, x + MARK_PX, y - area_px, line_px, key->edge);
        break;
    case MARK_DISC:
        figure_add(f, (figure_ornament){DISCS, {x + MARK_PX / 2.0, y, RADIUS_PX, key->colour}});
        break;
    }
}

double chart_key_put(chart_figure *f, double top_px, const mark_key *keys, size_t n)
{
    const double left_px = LEFT_PX, right_px = f->canvas.width_px - left_px;
    double x = left_px, y = top_px + LINE_PX / 2.0;
    for (size_t i = 0; i < n; i++) {
        if (!keys[i].words)
            continue;
        const double width = MARK_PX + BESIDE_PX + figure_text_width_px(keys[i].words, LETTER_SMALL);
        if (x > left_px && x + width > right_px) {
            x = left_px;
            y += LINE_PX;
        }
        put_mark(f, &keys[i], x, y);
        figure_put(f, x + MARK_PX + BESIDE_PX, y, ANCHOR_LEFT, LETTER_SMALL, COLOUR_INK,
                   figure_shorten(f, keys[i].words, LETTER_SMALL, right_px - x - MARK_PX - BESIDE_PX));
        x += width + BETWEEN_PX;
    }
    return y + LINE_PX / 2.0;
}
