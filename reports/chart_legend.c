#include "reports/chart_legend.h"
#include "reports/chart_lines.h"
#include "reports/palette.h"

#include <math.h>
#include <stdio.h>

void figure_put(chart_figure *f, double x_px, double y_px, label_anchor anchor, letter_kind letter,
                uint32_t colour, const char *text)
{
    figure_label(
        f,
        &(figure_text_label){
            .x_px = x_px, .y_px = y_px, .anchor = anchor, .letter = letter, .colour = colour, .text = text});
}

/* --- numbers at points -------------------------------------------------------------------------------- */

/* From the edge of the text to the point. */
static void lead(chart_figure *f, const figure_text_label *l, double x_px, double y_px, double radius_px)
{
    const double near_px = 20;
    double dx = x_px - l->x_px, dy = y_px - l->y_px, far = hypot(dx, dy);
    px_box box = label_box(l);
    double edge = fmin((box.half_width_px + 1) / fabs(dx), (box.half_height_px + 1) / fabs(dy));
    if (!(far * (1 - edge) > radius_px + near_px))
        return;
    const line_in_px line = {l->x_px + edge * dx, l->y_px + edge * dy, x_px, y_px};
    figure_rule(f, line.from_x_px, line.from_y_px, x_px, y_px, COLOUR_MUTED);
    figure_avoid_line(f, &line, 0.5);
}

bool figure_name_point(chart_figure *f, const char *text, double x_px, double y_px, double radius_px,
                       const plot_area *area)
{
    figure_text_label placed;
    const figure_text_label l = {
        .x_px = x_px, .y_px = y_px, .letter = LETTER_BOLD, .colour = COLOUR_INK, .text = text};
    if (!figure_label_point(f, &l, radius_px, area, &placed))
        return false;
    lead(f, &placed, x_px, y_px, radius_px);
    return true;
}

const char *chart_number(uint32_t number, char text[NUMBER_TEXT_SIZE])
{
    snprintf(text, NUMBER_TEXT_SIZE, number ? "%u" : "--", number);
    return text;
}

bool figure_number_point(chart_figure *f, uint32_t number, double x_px, double y_px, double radius_px,
                         const plot_area *area)
{
    char text[NUMBER_TEXT_SIZE];
    return figure_name_point(f, chart_number(number, text), x_px, y_px, radius_px, area);
}

/* --- the legend --------------------------------------------------------------------------------------- */

chart_legend legend_in(chart_figure *f, const plot_area *area)
{
    return (chart_legend){
        .figure = f, .area = *area, .y_px = area->top_px + LEGEND_LINE_PX / 2.0, .column_px = 56};
}

uint32_t legend_room(const plot_area *area, double other_lines)
{
    double lines = (area->bottom_px - area->top_px) / LEGEND_LINE_PX - other_lines;
    return lines < 1 ? 1 : lines > LEGEND_MOST_NUMBERS ? LEGEND_MOST_NUMBERS : (uint32_t)lines;
}

static void next_line(chart_legend *l)
{
    l->y_px += LEGEND_LINE_PX;
}

static void put_columns(chart_legend *l, letter_kind letter, const char *const *texts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        figure_put(l->figure, l->area.right_px - (double)(n - 1 - i) * l->column_px, l->y_px, ANCHOR_RIGHT,
                   letter, COLOUR_INK, figure_shorten(l->figure, texts[i], letter, l->column_px - 4));
}

void legend_head(chart_legend *l, const char *left, const char *const *titles, size_t n)
{
    figure_put(l->figure, l->area.left_px, l->y_px, ANCHOR_LEFT, LETTER_BOLD, COLOUR_INK, left);
    put_columns(l, LETTER_BOLD, titles, n);
    next_line(l);
}

/* Room for the disc and the largest number. */
static double numbers_px(const chart_rows *rows)
{
    const double disc_px = 14, least_px = 36;
    char text[NUMBER_TEXT_SIZE];
    uint32_t largest = 0;
    for (uint32_t i = 0; i < rows->n; i++)
        largest = rows->rows[i].number > largest ? rows->rows[i].number : largest;
    return fmax(least_px, disc_px + text_width_px(chart_number(largest, text), LETTER_BOLD));
}

void legend_row(chart_legend *l, const chart_rows *rows, const chart_row *row, const char *const *values,
                size_t n)
{
    const double number_px = numbers_px(rows), name_px = number_px + 8;
    char number[NUMBER_TEXT_SIZE];
    double left = l->area.left_px, right = l->area.right_px - (double)n * l->column_px;
    figure_disc(l->figure, left + 5, l->y_px, 5, bound_colour(row->bound_class));
    figure_put(l->figure, left + number_px, l->y_px, ANCHOR_RIGHT, LETTER_BOLD, COLOUR_INK,
               chart_number(row->number, number));
    figure_put(l->figure, left + name_px, l->y_px, ANCHOR_LEFT, LETTER_SMALL, COLOUR_INK,
               figure_shorten(l->figure, chart_row_name(rows, row), LETTER_SMALL, right - left - name_px));
    put_columns(l, LETTER_SMALL, values, n);
    next_line(l);
}

void legend_remark(chart_legend *l, const char *text)
{
    const char *shown = figure_shorten(l->figure, text, LETTER_SMALL, l->area.right_px - l->area.left_px);
    figure_put(l->figure, l->area.left_px, l->y_px, ANCHOR_LEFT, LETTER_SMALL, COLOUR_MUTED, shown);
    next_line(l);
}

void legend_bounds(chart_legend *l, const bool used[BOUND_CLASSES])
{
    double x = l->area.left_px;
    figure_put(l->figure, x, l->y_px, ANCHOR_LEFT, LETTER_SMALL, COLOUR_MUTED, "bound by");
    x += text_width_px("bound by", LETTER_SMALL) + 14;
    for (int c = 0; c < BOUND_CLASSES; c++) {
        const char *words = bound_words((bound_kind)c);
        double width = text_width_px(words, LETTER_SMALL) + 24;
        if (!used[c])
            continue;
        if (x + width - 10 > l->area.right_px) {
            x = l->area.left_px + 6;
            next_line(l);
        }
        figure_disc(l->figure, x, l->y_px, 5, bound_colour((bound_kind)c));
        figure_put(l->figure, x + 9, l->y_px, ANCHOR_LEFT, LETTER_SMALL, COLOUR_INK, words);
        x += width;
    }
    next_line(l);
}

/* Behind the mark. */
static void put_words(chart_legend *l, const char *words)
{
    const double off = 16;
    figure_put(l->figure, l->area.left_px + off, l->y_px, ANCHOR_LEFT, LETTER_SMALL, COLOUR_INK,
               figure_shorten(l->figure, words, LETTER_SMALL, l->area.right_px - l->area.left_px - off));
    next_line(l);
}

void legend_ring(chart_legend *l, uint32_t colour, const char *words)
{
    figure_ring(l->figure, l->area.left_px + 6, l->y_px, 3.5, colour);
    put_words(l, words);
}

void legend_cross(chart_legend *l, uint32_t colour, const char *words)
{
    double x = l->area.left_px + 6, arm = 4.5;
    for (int sign = -1; sign <= 1; sign += 2)
        for (int twice = 0; twice < 2; twice++) /* one pixel beside the other: as bold as in the plot */
            figure_rule(l->figure, x - arm + twice, l->y_px - sign * arm, x + arm + twice,
                        l->y_px + sign * arm, colour);
    put_words(l, words);
}
