#include "reports/charts/chart_panels.h"

enum { MARGIN_PX = 16, HEAD_PX = 22, LEAST_PX = 24, KEY_PX = 18, FOOT_PX = 33 };

/* Columns from this width on are parted by a line. */
#define PARTED_PX 5.0

void panels_begin(time_panels *p, const char *title, const char *subtitle, const char *least)
{
    chart_figure *f = p->f;
    double name_px = figure_text_width_px(least, LETTER_SMALL);
    for (uint32_t i = 0; i < p->n; i++)
        name_px = fmax(name_px, figure_text_width_px(p->rows[i].name, LETTER_SMALL));
    if (!f->is_wide)
        p->look.value_px = p->look.narrow_value_px;
    p->plot.left_px = MARGIN_PX + 14 + p->look.mark_px + fmin(name_px, f->is_wide ? 160 : 76);
    p->plot.right_px = f->canvas.width_px - 18 - p->look.n_values * p->look.value_px;
    p->plot.top_px = figure_head(f, title, subtitle) + 4 + HEAD_PX;
    p->scale = chart_scale_of(p->total_s);
    p->x = (chart_axis){
        .max = p->total_s * p->scale.factor, .from_px = p->plot.left_px, .to_px = p->plot.right_px};
}

void panels_collect(time_panels *p, const double *seconds, uint32_t n)
{
    const double pixel_s = p->total_s / (p->plot.right_px - p->plot.left_px);
    double at_s = 0;
    panel_column *last = p->columns = NEW_ARRAY(p->f->arena, panel_column, n);
    for (uint32_t i = 0; i < n && last; i++) {
        if (!(seconds[i] > 0))
            continue;
        if (!p->n_columns || last->to_s - last->from_s >= pixel_s || seconds[i] >= pixel_s) {
            last = &p->columns[p->n_columns++];
            *last = (panel_column){.first = i, .from_s = at_s};
        }
        at_s += seconds[i];
        last->n = i - last->first + 1;
        last->to_s = at_s;
    }
}

void panels_place(time_panels *p, double names_px, const char *title, const chart_key *keys, size_t n_keys)
{
    chart_figure *f = p->f;
    const double below_px = names_px + p->look.below_px, panels = p->n - p->look.low;
    double height_px = f->canvas.height_px - p->plot.top_px - below_px - 28;
    height_px = fmin(fmax(height_px, LEAST_PX * panels), p->look.most_px * panels);
    p->plot.bottom_px = p->plot.top_px + height_px;
    /* as high as panels and key need */
    const double key_px = chart_key_put(f, p->plot.bottom_px + below_px - 5 - KEY_PX, keys, n_keys);
    figure_set_height(f, key_px + FOOT_PX);
    figure_foot(f, chart_provenance(p->source, f));
    figure_set_area(f, "plot", &p->plot);
    chart_axis_set(f, "x", &p->x);
    figure_set(f, "n_panels", p->n);
    figure_set(f, "y_min", p->look.low);
    figure_set(f, "overlap", 0.4 * p->x.max / (p->plot.right_px - p->plot.left_px));
    const double time_px = p->plot.bottom_px + names_px + 8;
    plot_area time = {p->plot.left_px, p->plot.right_px, time_px, time_px + 4};
    figure_set_area(f, "time", &time);
    time.bottom_px -= 2;
    chart_axis_number(f, "x-grid", &p->x, AXIS_BELOW, &time);
    chart_axis_title_below(f, &time, figure_printf(f, "%s [%s]", title, p->scale.unit));
}

double panels_x_px(const time_panels *p, double seconds)
{
    return chart_axis_px(&p->x, seconds * p->scale.factor);
}

double panels_y_px(const time_panels *p, double height)
{
    return p->plot.bottom_px -
           (p->plot.bottom_px - p->plot.top_px) * (height - p->look.low) / (p->n - p->look.low);
}

double panels_sum(const panel_column *column, const double *values)
{
    double sum = 0;
    for (uint32_t i = column->first; i < column->first + column->n; i++)
        sum += values[i];
    return sum;
}

double panels_width_px(const time_panels *p, const panel_column *column)
{
    return panels_x_px(p, column->to_s) - panels_x_px(p, column->from_s);
}

double panels_at(const time_panels *p, uint32_t panel)
{
    return p->n - panel - 1;
}

void panels_put_strip_name(const time_panels *p, double y_px, const char *name)
{
    figure_put(p->f, MARGIN_PX, y_px, ANCHOR_LEFT, LETTER_SMALL, COLOUR_MUTED,
               figure_shorten(p->f, name, LETTER_SMALL, p->plot.left_px - MARGIN_PX - 8));
}

void panels_put_rows(const time_panels *p, const char *const *heads, double full, unsigned n_levels)
{
    const double left = MARGIN_PX + p->look.mark_px;
    figure_block(p->f, "panels", "base");
    for (uint32_t i = 0; i < p->n; i++)
        FIGURE_ROW(p->f, panels_at(p, i));
    figure_block(p->f, "levels", "height");
    for (uint32_t i = 0; i < p->n; i++)
        for (unsigned k = 1; k <= n_levels; k++)
            FIGURE_ROW(p->f, panels_at(p, i) + full * k / n_levels);
    for (uint32_t i = 0; i <= p->n; i++) { /* the first line has the heads */
        const double y =
            i ? panels_y_px(p, panels_at(p, i - 1) + full / 2) : p->plot.top_px - HEAD_PX / 2.0 + 1;
        const char *const *values = i ? p->rows[i - 1].values : heads;
        if (i)
            figure_put(p->f, left, y, ANCHOR_LEFT, LETTER_SMALL, COLOUR_INK,
                       figure_shorten(p->f, p->rows[i - 1].name, LETTER_SMALL, p->plot.left_px - left - 8));
        for (uint32_t k = 0; k < p->look.n_values; k++)
            figure_put(p->f, p->plot.right_px + (k + 1) * p->look.value_px, y, ANCHOR_RIGHT,
                       i ? LETTER_SMALL : LETTER_BOLD, COLOUR_INK, values[k]);
    }
}

void panels_name_columns(const time_panels *p, const char *const *names, double turned_px)
{
    for (uint32_t i = 0; i < p->n_columns; i++) {
        const double x = panels_x_px(p, (p->columns[i].from_s + p->columns[i].to_s) / 2),
                     y = p->plot.bottom_px;
        if (names[i] && turned_px > 0)
            figure_label(p->f, &(figure_text_label){x, y + 4, 90, ANCHOR_RIGHT, LETTER_SMALL, COLOUR_INK,
                                                    figure_shorten(p->f, names[i], LETTER_SMALL, turned_px)});
        else if (names[i])
            figure_put(p->f, x, y + 11, ANCHOR_CENTRE, LETTER_SMALL, COLOUR_INK, names[i]);
    }
}

void panels_put_parting(const time_panels *p)
{
    figure_block(p->f, "parting", "at");
    for (uint32_t i = 1; i < p->n_columns; i++) {
        const panel_column *c = &p->columns[i];
        if (!(fmin(panels_width_px(p, c - 1), panels_width_px(p, c)) < PARTED_PX))
            FIGURE_ROW(p->f, c->from_s * p->scale.factor);
    }
}

const char *panels_left_out(chart_figure *f, uint32_t n, const char *what)
{
    return n ? figure_printf(f, "%u layer%s without %s %s left out", n, say_plural(n), what,
                             n == 1 ? "is" : "are")
             : NULL;
}
