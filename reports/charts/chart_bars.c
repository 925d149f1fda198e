#include "reports/charts/chart_bars.h"

enum {
    MOST_WIDE = 30,
    MOST_NARROW = 24,
    MARGIN_PX = 16,
    BETWEEN_PX = 6, /* a name and its bar, a bar and its value */
    PAD_PX = 3,     /* above the first row and below the last one */
    BELOW_PX = 72   /* from the axis down to the end of the canvas */
};

/* --- key ---------------------------------------------------------------------------------------------- */

void bars_key(bar_page *page, key_mark mark, uint32_t colour, const char *words)
{
    if (page->n_keys < PAGE_KEYS)
        page->keys[page->n_keys++] = (chart_key){mark, colour, .words = words};
}

void bars_key_count(bar_page *page, uint32_t n, const char *noun, const char *words)
{
    if (n)
        bars_key(page, KEY_WORDS, 0, figure_printf(page->f, "%u %s%s %s", n, noun, say_plural(n), words));
}

/* --- rows --------------------------------------------------------------------------------------------- */

void bars_block(const bar_page *page, const char *name, const char *columns)
{
    figure_block(page->f, name,
                 say_printf(page->f->arena, "place\tplace in order of execution\t%s", columns));
}

void bars_put_places(const bar_page *page, uint32_t row)
{
    uint32_t place = 1, order = page->bars[row].order;
    for (uint32_t i = 0; i < page->n_bars; i++)
        place += page->bars[i].order < order || (page->bars[i].order == order && i < row);
    FIGURE_NUMBERS(page->f, row + 1, place);
}

static double value_width(const chart_bar *bar)
{
    double width = figure_text_width_px(bar->value, LETTER_SMALL);
    return width > 0 ? BETWEEN_PX + width : 0;
}

/* --- the page ----------------------------------------------------------------------------------------- */

void bars_begin(bar_page *page, const chart_source *s, chart_figure *f)
{
    chart_source source = *s;
    if (s->experiment && !s->experiment->layer_run)
        source.experiment = NULL;
    *page = (bar_page){.source = s, .f = f, .layers = chart_rows_of(&source, f->arena)};
    if (source.experiment)
        chart_rows_by_share(source.experiment, &page->layers);
    page->most = f->is_wide ? MOST_WIDE : MOST_NARROW;
    page->bars = NEW_ARRAY(f->arena, chart_bar, page->layers.n);
    page->layers.n = page->bars ? page->layers.n : 0;
}

static void put_rows(bar_page *page, double top)
{
    /* Columns of numbers and names, as wide as needed, but never so wide that little is left for bars. */
    chart_figure *f = page->f;
    double number = 0, name = 0;
    FOR_EACH(const chart_bar, bar, page->bars, page->n_bars) {
        number = fmax(number, figure_text_width_px(bar->number, LETTER_BOLD));
        name = fmax(name, figure_text_width_px(bar->name, LETTER_SMALL));
    }
    const double name_width_px = fmin(name, f->canvas.width_px * (f->is_wide ? 0.26 : 0.3)),
                 number_px = MARGIN_PX + number, name_px = number_px + (number > 0 ? BETWEEN_PX + 1 : 0),
                 left = name_px + name_width_px + 2 * BETWEEN_PX, right = f->canvas.width_px - MARGIN_PX - 6;
    page->plot.left_px = left;
    page->plot.right_px = right;
    /* As large as it can be while every value still has room behind its bar, and behind the line. */
    double room = right - left, scale = room / (page->high - page->low);
    FOR_EACH(const chart_bar, bar, page->bars, page->n_bars) {
        double length = fmax(bar->end, page->line) - page->low;
        if (length > 0)
            scale = fmin(scale, fmax(room - value_width(bar), 0.1 * room) / length);
    }
    page->x = (chart_axis){page->low, page->low + room / scale, .from_px = left, .to_px = right};
    figure_set(f, "number_x", number_px);
    figure_set(f, "name_x", name_px);
    bars_block(page, "names", "where its value begins\tnumber\tname\tvalue");
    const double line_px = chart_axis_px(&page->x, page->line);
    for (uint32_t i = 0; i < page->n_bars; i++) {
        const chart_bar *bar = &page->bars[i];
        const chart_row *row = bar->row;
        const double y = top + page->pitch_px * (i + 0.5), end_px = chart_axis_px(&page->x, bar->end);
        /* The value begins behind the line if it would lie on it. */
        const bool is_on_line = end_px < line_px && end_px + value_width(bar) > line_px - 2 * BETWEEN_PX;
        const double at = is_on_line ? page->line : bar->end,
                     value_px = chart_axis_px(&page->x, at) + BETWEEN_PX;
        /* Places of number, name and value stay free. */
        const figure_text_label labels[] = {{number_px, y, 0, ANCHOR_RIGHT, LETTER_BOLD, 0, bar->number},
                                            {name_px, y, 0, ANCHOR_LEFT, LETTER_SMALL, 0,
                                             figure_shorten(f, bar->name, LETTER_SMALL, name_width_px)},
                                            {value_px, y, 0, ANCHOR_LEFT, LETTER_SMALL, 0, bar->value}};
        bars_put_places(page, i);
        FIGURE_NUMBERS(f, at);
        for (size_t k = 0; k < N_OF(labels); k++) {
            figure_text(f, labels[k].text);
            if (labels[k].text[0])
                figure_keep_free(f, figure_label_box(&labels[k]));
        }
        figure_end_row(f);
        if (row) /* all of its strip, so that a short bar is as easy to meet as a long one */
            figure_add_spot(
                f, (figure_spot){.box = {(left + right) / 2, y, (right - left) / 2, page->pitch_px / 2, 0},
                                 .row = row->number,
                                 .roof_y_px = NAN,
                                 .bound = bound_styles[row->bound_class].html_class,
                                 .kind = text_or_empty(row->type),
                                 .text = chart_row_words(&page->layers, row, f)});
    }
}

void bars_lay_out(bar_page *page)
{
    chart_figure *f = page->f;
    const chart_source *s = page->source;
    const char *provenance = chart_provenance(s, f); /* of a canvas that is not high yet */
    /* The more rows there are, the nearer they stand; the text of a row always fits its strip. */
    page->pitch_px = page->n_bars <= 4 ? 30 : page->n_bars <= 12 ? 25 : page->n_bars <= 20 ? 20 : 17;
    double y = figure_head(f, page->title, s->experiment ? chart_conditions(s, f) : chart_verdict(s, f));
    name_prefixes prefix = page->layers.prefix;
    if (prefix.length) /* the beginning that all names share and that is left out */
        bars_key(
            page, KEY_WORDS, 0,
            figure_printf(f, "names without '%.*s'", (int)fmin(300, (double)prefix.length), prefix.text));
    page->plot.top_px = chart_key_put(f, y + 6, page->keys, page->n_keys) + 8;
    page->plot.bottom_px = page->plot.top_px + page->n_bars * page->pitch_px + 2 * PAD_PX;
    figure_set_height(f, ceil(page->plot.bottom_px + BELOW_PX));
    figure_foot(f, provenance);
    put_rows(page, page->plot.top_px + PAD_PX);
    figure_set_area(f, "plot", &page->plot);
    figure_set(f, "rows", page->n_bars);
    figure_set(f, "rows_top", page->plot.top_px + PAD_PX);
    figure_set(f, "rows_pitch", page->pitch_px);
    figure_set(f, "rows_pad", PAD_PX / page->pitch_px);
    chart_axis_set(f, "x", &page->x);
    chart_axis_number(f, "x-grid", &page->x, AXIS_BELOW, &page->plot);
    chart_axis_title_below(f, &page->plot, page->axis_title);
}

/* --- words ---------------------------------------------------------------------------------------------- */

const char *bars_part_words(const bar_page *page)
{
    const chart_rows *rows = &page->layers;
    return rows->is_part ? figure_printf(page->f, " (%.2g %% of %s)", 100 * rows->total_s / rows->whole_s,
                                         say_quantity(page->f->arena, rows->whole_s, "s"))
                         : "";
}

const char *bars_shorten(chart_figure *f, const char *name)
{
    return figure_shorten(f, name, LETTER_TITLE, f->canvas.width_px * 0.4);
}

const char *bars_subject(const bar_page *page)
{
    const roof_reconciled *e = page->source->experiment;
    const roof_prediction *p = page->source->prediction;
    const char *model = e ? e->model : p ? p->model.name : NULL;
    const char *hardware = e ? e->hardware : p ? p->hardware.name : NULL;
    model = bars_shorten(page->f, model ? model : "the model");
    hardware = hardware && page->f->is_wide ? bars_shorten(page->f, hardware) : "";
    return figure_printf(page->f, "%s%s%s", model, hardware[0] ? " on " : "", hardware);
}
