#include "reports/chart_legend.h"
#include "reports/chart_lines.h"
#include "reports/palette.h"

#include <math.h>
#include <stdio.h>

void roof_figure_put(roof_figure *f, double x_px, double y_px, roof_anchor anchor, roof_letter letter,
                     uint32_t colour, const char *text)
{
    roof_figure_label(
        f,
        &(roof_label){
            .x_px = x_px, .y_px = y_px, .anchor = anchor, .letter = letter, .colour = colour, .text = text});
}

/* --- numbers at points -------------------------------------------------------------------------------- */

/* From the edge of the text to the point. */
static void lead(roof_figure *f, const roof_label *l, double x_px, double y_px, double radius_px)
{
    const double near_px = 20;
    double dx = x_px - l->x_px, dy = y_px - l->y_px, far = hypot(dx, dy);
    roof_box box = roof_label_box(l);
    double edge = fmin((box.half_width_px + 1) / fabs(dx), (box.half_height_px + 1) / fabs(dy));
    if (!(far * (1 - edge) > radius_px + near_px))
        return;
    const roof_line_px line = {l->x_px + edge * dx, l->y_px + edge * dy, x_px, y_px};
    roof_figure_rule(f, line.from_x_px, line.from_y_px, x_px, y_px, ROOF_COLOUR_MUTED);
    roof_figure_avoid_line(f, &line, 0.5);
}

bool roof_figure_name_point(roof_figure *f, const char *text, double x_px, double y_px, double radius_px,
                            const roof_plot_area *area)
{
    roof_label placed;
    const roof_label l = {
        .x_px = x_px, .y_px = y_px, .letter = ROOF_LETTER_BOLD, .colour = ROOF_COLOUR_INK, .text = text};
    if (!roof_figure_label_point(f, &l, radius_px, area, &placed))
        return false;
    lead(f, &placed, x_px, y_px, radius_px);
    return true;
}

const char *roof_chart_number(uint32_t number, char text[ROOF_NUMBER_SIZE])
{
    snprintf(text, ROOF_NUMBER_SIZE, number ? "%u" : "--", number);
    return text;
}

bool roof_figure_number_point(roof_figure *f, uint32_t number, double x_px, double y_px, double radius_px,
                              const roof_plot_area *area)
{
    char text[ROOF_NUMBER_SIZE];
    return roof_figure_name_point(f, roof_chart_number(number, text), x_px, y_px, radius_px, area);
}

/* --- the legend --------------------------------------------------------------------------------------- */

roof_legend roof_legend_in(roof_figure *f, const roof_plot_area *area)
{
    return (roof_legend){
        .figure = f, .area = *area, .y_px = area->top_px + ROOF_LEGEND_LINE_PX / 2.0, .column_px = 56};
}

uint32_t roof_legend_room(const roof_plot_area *area, double other_lines)
{
    double lines = (area->bottom_px - area->top_px) / ROOF_LEGEND_LINE_PX - other_lines;
    return lines < 1 ? 1 : lines > ROOF_LEGEND_MOST_NUMBERS ? ROOF_LEGEND_MOST_NUMBERS : (uint32_t)lines;
}

static void next_line(roof_legend *l)
{
    l->y_px += ROOF_LEGEND_LINE_PX;
}

static void put_columns(roof_legend *l, roof_letter letter, const char *const *texts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        roof_figure_put(l->figure, l->area.right_px - (double)(n - 1 - i) * l->column_px, l->y_px,
                        ROOF_ANCHOR_RIGHT, letter, ROOF_COLOUR_INK,
                        roof_figure_shorten(l->figure, texts[i], letter, l->column_px - 4));
}

void roof_legend_head(roof_legend *l, const char *left, const char *const *titles, size_t n)
{
    roof_figure_put(l->figure, l->area.left_px, l->y_px, ROOF_ANCHOR_LEFT, ROOF_LETTER_BOLD, ROOF_COLOUR_INK,
                    left);
    put_columns(l, ROOF_LETTER_BOLD, titles, n);
    next_line(l);
}

/* Room for the disc and the largest number. */
static double numbers_px(const roof_chart_rows *rows)
{
    const double disc_px = 14, least_px = 36;
    char text[ROOF_NUMBER_SIZE];
    uint32_t largest = 0;
    for (uint32_t i = 0; i < rows->n; i++)
        largest = rows->rows[i].number > largest ? rows->rows[i].number : largest;
    return fmax(least_px, disc_px + roof_text_width_px(roof_chart_number(largest, text), ROOF_LETTER_BOLD));
}

void roof_legend_row(roof_legend *l, const roof_chart_rows *rows, const roof_chart_row *row,
                     const char *const *values, size_t n)
{
    const double number_px = numbers_px(rows), name_px = number_px + 8;
    char number[ROOF_NUMBER_SIZE];
    double left = l->area.left_px, right = l->area.right_px - (double)n * l->column_px;
    roof_figure_disc(l->figure, left + 5, l->y_px, 5, roof_bound_colour(row->bound_class));
    roof_figure_put(l->figure, left + number_px, l->y_px, ROOF_ANCHOR_RIGHT, ROOF_LETTER_BOLD,
                    ROOF_COLOUR_INK, roof_chart_number(row->number, number));
    roof_figure_put(l->figure, left + name_px, l->y_px, ROOF_ANCHOR_LEFT, ROOF_LETTER_SMALL, ROOF_COLOUR_INK,
                    roof_figure_shorten(l->figure, roof_chart_row_name(rows, row), ROOF_LETTER_SMALL,
                                        right - left - name_px));
    put_columns(l, ROOF_LETTER_SMALL, values, n);
    next_line(l);
}

void roof_legend_remark(roof_legend *l, const char *text)
{
    const char *shown =
        roof_figure_shorten(l->figure, text, ROOF_LETTER_SMALL, l->area.right_px - l->area.left_px);
    roof_figure_put(l->figure, l->area.left_px, l->y_px, ROOF_ANCHOR_LEFT, ROOF_LETTER_SMALL,
                    ROOF_COLOUR_MUTED, shown);
    next_line(l);
}

void roof_legend_bounds(roof_legend *l, const bool used[ROOF_BOUND_CLASSES])
{
    double x = l->area.left_px;
    roof_figure_put(l->figure, x, l->y_px, ROOF_ANCHOR_LEFT, ROOF_LETTER_SMALL, ROOF_COLOUR_MUTED,
                    "bound by");
    x += roof_text_width_px("bound by", ROOF_LETTER_SMALL) + 14;
    for (int c = 0; c < ROOF_BOUND_CLASSES; c++) {
        const char *words = roof_bound_words((roof_bound_class)c);
        double width = roof_text_width_px(words, ROOF_LETTER_SMALL) + 24;
        if (!used[c])
            continue;
        if (x + width - 10 > l->area.right_px) {
            x = l->area.left_px + 6;
            next_line(l);
        }
        roof_figure_disc(l->figure, x, l->y_px, 5, roof_bound_colour((roof_bound_class)c));
        roof_figure_put(l->figure, x + 9, l->y_px, ROOF_ANCHOR_LEFT, ROOF_LETTER_SMALL, ROOF_COLOUR_INK,
                        words);
        x += width;
    }
    next_line(l);
}

/* Behind the mark. */
static void put_words(roof_legend *l, const char *words)
{
    const double off = 16;
    roof_figure_put(
        l->figure, l->area.left_px + off, l->y_px, ROOF_ANCHOR_LEFT, ROOF_LETTER_SMALL, ROOF_COLOUR_INK,
        roof_figure_shorten(l->figure, words, ROOF_LETTER_SMALL, l->area.right_px - l->area.left_px - off));
    next_line(l);
}

void roof_legend_ring(roof_legend *l, uint32_t colour, const char *words)
{
    roof_figure_ring(l->figure, l->area.left_px + 6, l->y_px, 3.5, colour);
    put_words(l, words);
}

void roof_legend_cross(roof_legend *l, uint32_t colour, const char *words)
{
    double x = l->area.left_px + 6, arm = 4.5;
    for (int sign = -1; sign <= 1; sign += 2)
        for (int twice = 0; twice < 2; twice++) /* one pixel beside the other: as bold as in the plot */
            roof_figure_rule(l->figure, x - arm + twice, l->y_px - sign * arm, x + arm + twice,
                             l->y_px + sign * arm, colour);
    put_words(l, words);
}
