#include "reports/charts/chart_discs.h"

enum { MOST_OBSTACLES = 300, MEANING_PX = 16 /* of words behind a mark */ };

#define LEAST_RADIUS_PX 2.0

/* --- discs -------------------------------------------------------------------------------------------- */

void discs_begin(chart_discs *d, const chart_source *source, chart_figure *f, double full_radius_px,
                 double column_px)
{
    *d = (chart_discs){.plane.f = f, .full_radius_px = full_radius_px, .column_px = column_px};
    d->rows = chart_rows_of(source, f->arena);
    uint32_t most = d->rows.n < MOST_DISCS ? d->rows.n : MOST_DISCS;
    d->drawn = NEW_ARRAY(f->arena, chart_disc, most);
    d->ranked = NEW_ARRAY(f->arena, const chart_disc *, most);
    d->rows.n = d->drawn && d->ranked ? d->rows.n : 0;
}

void discs_take(chart_discs *d, const chart_row *row, disc_kind kind, double x, double y, double to_y)
{
    d->sum = kind == DISC_SUM ? row : d->sum;
    d->n_left_out += kind == DISC_LEFT_OUT;
    d->left_out_share += kind == DISC_LEFT_OUT ? row->share_ratio : 0;
    d->n_small += kind == DISC_SMALL || (kind == DISC_DRAWN && d->n_drawn == MOST_DISCS);
    if (kind != DISC_DRAWN || d->n_drawn == MOST_DISCS)
        return;
    double radius_px = fmax(LEAST_RADIUS_PX, d->full_radius_px * sqrt(fmax(0, row->share_ratio)));
    d->drawn[d->n_drawn] = (chart_disc){row, x, y, to_y, radius_px};
    d->ranked[d->n_drawn] = &d->drawn[d->n_drawn];
    d->n_drawn++;
    d->has_estimated = d->has_estimated || row->is_estimated;
}

void discs_put_points(chart_discs *d, const char *columns, bool by_verdict)
{
    chart_figure *f = d->plane.f;
    figure_block(f, "points", columns);
    for (uint32_t i = 0; i < d->n_drawn; i++) {
        const chart_disc *disc = &d->drawn[i];
        const chart_row *row = disc->row;
        const bound_style *style = &bound_styles[row->bound_class];
        const px_point at = chart_plane_at(&d->plane, disc->x, disc->y);
        FIGURE_NUMBERS(f, row->number, disc->to_y, disc->x, disc->y, 100 * row->share_ratio,
                       round(100 * disc->radius_px) / 100, style->colour);
        figure_text(f, by_verdict ? roof_verdict_text(row->verdict) : row->bound[0] ? row->bound : "-");
        figure_text(f, row->name);
        FIGURE_ROW(f, row->is_estimated, style->symbol);
        figure_add_spot(
            f, (figure_spot){.box = {at.x, at.y, disc->radius_px, disc->radius_px, 0},
                             .is_round = true,
                             .is_estimated = row->is_estimated,
                             .row = row->number,
                             .roof_y_px = isnan(disc->to_y) ? NAN : chart_axis_px(&d->plane.y, disc->to_y),
                             .bound = style->html_class,
                             .kind = row->type ? row->type : "",
                             .text = chart_row_words(&d->rows, row, f)});
        if (i < MOST_OBSTACLES)
            chart_plane_avoid_point(&d->plane, disc->x, disc->y, 0.8 * disc->radius_px);
    }
}

uint32_t discs_put_arrows(chart_discs *d, const char *block, const char *columns, uint32_t n, uint32_t most,
                          double pad_px)
{
    uint32_t drawn = 0;
    figure_block(d->plane.f, block, columns);
    for (uint32_t i = 0; i < n && drawn < most; i++) {
        const chart_disc *disc = &d->drawn[i];
        if (isnan(disc->to_y))
            continue;
        drawn++;
        FIGURE_ROW(d->plane.f, disc->x, disc->y, disc->to_y);
        chart_plane_avoid_upright(&d->plane, disc->x, disc->y, disc->to_y, pad_px);
    }
    return drawn;
}

/* --- numbers at points -------------------------------------------------------------------------------- */

/* "--" for what is no single layer. */
static const char *number_text(chart_figure *f, const chart_row *row)
{
    return figure_printf(f, row->number ? "%u" : "--", row->number);
}

void discs_number(chart_discs *d, double near_px, const char *between, uint32_t most)
{
    bool is_labelled[LEGEND_MOST_NUMBERS] = {false};
    for (uint32_t i = 0; i < d->n_numbers; i++) {
        const chart_disc *disc = d->ranked[i];
        px_point at = chart_plane_at(&d->plane, disc->x, disc->y);
        const char *text = "";
        uint32_t n = 0;
        for (uint32_t k = i; k < d->n_numbers && !is_labelled[i]; k++) {
            px_point other = chart_plane_at(&d->plane, d->ranked[k]->x, d->ranked[k]->y);
            if (is_labelled[k] || hypot(other.x - at.x, other.y - at.y) > near_px)
                continue;
            is_labelled[k] = k > i;
            if (n++ < most)
                text = figure_printf(d->plane.f, "%s%s%s", text, n > 1 ? between : "",
                                     number_text(d->plane.f, d->ranked[k]->row));
        }
        if (n > most)
            text = figure_printf(d->plane.f, "%s +%u", text, n - most);
        if (n)
            chart_plane_name_point(&d->plane, text, disc->x, disc->y, disc->radius_px, false);
    }
}

/* --- the legend --------------------------------------------------------------------------------------- */

void chart_legend_begin(chart_discs *d, double other_lines, uint32_t most)
{
    double lines = (d->legend.bottom_px - d->legend.top_px) / LEGEND_LINE_PX - other_lines;
    most = d->n_drawn < most ? d->n_drawn : most;
    d->n_numbers = (uint32_t)fmin(fmax(1, lines), most);
    d->y_px = d->legend.top_px + LEGEND_LINE_PX / 2.0;
}

/* A whole line, off_px from the left. */
static void put_line(chart_discs *d, double off_px, uint32_t colour, const char *words)
{
    double width_px = d->legend.right_px - d->legend.left_px - off_px;
    figure_put(d->plane.f, d->legend.left_px + off_px, d->y_px, ANCHOR_LEFT, LETTER_SMALL, colour,
               figure_shorten(d->plane.f, words, LETTER_SMALL, width_px));
    d->y_px += LEGEND_LINE_PX;
}

static void put_columns(chart_discs *d, letter_kind letter, const char *const *texts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        figure_put(d->plane.f, d->legend.right_px - (double)(n - 1 - i) * d->column_px, d->y_px, ANCHOR_RIGHT,
                   letter, COLOUR_INK, figure_shorten(d->plane.f, texts[i], letter, d->column_px - 4));
    d->y_px += LEGEND_LINE_PX;
}

void chart_legend_head(chart_discs *d, const char *left, const char *const *titles, size_t n)
{
    figure_put(d->plane.f, d->legend.left_px, d->y_px, ANCHOR_LEFT, LETTER_BOLD, COLOUR_INK, left);
    put_columns(d, LETTER_BOLD, titles, n);
}

void chart_legend_row(chart_discs *d, const chart_row *row, const char *const *values, size_t n)
{
    const chart_row *largest = d->rows.rows; /* there is room for the disc and its number */
    for (uint32_t i = 1; i < d->rows.n; i++)
        largest = d->rows.rows[i].number > largest->number ? &d->rows.rows[i] : largest;
    const double largest_px = figure_text_width_px(number_text(d->plane.f, largest), LETTER_BOLD),
                 number_px = fmax(36, 14 + largest_px), name_px = number_px + 8;
    double left = d->legend.left_px, right = d->legend.right_px - (double)n * d->column_px;
    const char *name = prediction_name_without(d->rows.prefix, row->name);
    figure_add(d->plane.f, (figure_ornament){DISCS,
                                             {left + 5, d->y_px, 5, bound_styles[row->bound_class].colour,
                                              bound_styles[row->bound_class].symbol}});
    figure_put(d->plane.f, left + number_px, d->y_px, ANCHOR_RIGHT, LETTER_BOLD, COLOUR_INK,
               number_text(d->plane.f, row));
    figure_put(d->plane.f, left + name_px, d->y_px, ANCHOR_LEFT, LETTER_SMALL, COLOUR_INK,
               figure_shorten(d->plane.f, name, LETTER_SMALL, right - left - name_px));
    put_columns(d, LETTER_SMALL, values, n);
}

void chart_legend_remark(chart_discs *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_line(d, 0, COLOUR_MUTED, text_or_empty(arena_vprintf(d->plane.f->arena, format, args)));
    va_end(args);
}

void chart_legend_begin_key(chart_discs *d, double lines)
{
    const char *const head = "bound by";
    bool used[ENGINE_KINDS] = {false};
    double x = d->legend.left_px;
    d->y_px = d->legend.bottom_px - (lines - 0.5) * LEGEND_LINE_PX;
    for (uint32_t i = 0; i < d->n_drawn; i++)
        used[d->drawn[i].row->bound_class] = true;
    figure_put(d->plane.f, x, d->y_px, ANCHOR_LEFT, LETTER_SMALL, COLOUR_MUTED, head);
    x += figure_text_width_px(head, LETTER_SMALL) + 14;
    for (engine_kind c = 0; c < ENGINE_KINDS; c++) {
        double width = figure_text_width_px(bound_styles[c].words, LETTER_SMALL) + 24;
        if (!used[c])
            continue;
        if (x + width - 10 > d->legend.right_px) {
            x = d->legend.left_px + 6;
            d->y_px += LEGEND_LINE_PX;
        }
        figure_add(d->plane.f,
                   (figure_ornament){DISCS, {x, d->y_px, 5, bound_styles[c].colour, bound_styles[c].symbol}});
        figure_put(d->plane.f, x + 9, d->y_px, ANCHOR_LEFT, LETTER_SMALL, COLOUR_INK, bound_styles[c].words);
        x += width;
    }
    d->y_px += LEGEND_LINE_PX;
}

void chart_legend_mark(chart_discs *d, ornament_kind mark, uint32_t colour, const char *words)
{
    double x = d->legend.left_px + 6, y = d->y_px, arm = 4.5;
    if (mark == RINGS)
        figure_add(d->plane.f, (figure_ornament){RINGS, {x, y, 3.5, colour}});
    for (int i = 0; i < 4 && mark == RULES; i++) { /* one pixel beside the other: as bold as in the plot */
        double left = x - arm + i % 2, high = i < 2 ? -arm : arm;
        figure_add(d->plane.f, (figure_ornament){RULES, {left, y - high, 2 * arm, 2 * high, colour}});
    }
    put_line(d, MEANING_PX, COLOUR_INK, words);
}
