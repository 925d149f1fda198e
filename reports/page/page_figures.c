#include "reports/page/page_sections.h"
#include "measure/matches/match_facts.h"

/* A small disc is met where a finger or a pointer is near it. */
#define LEAST_SPOT_PX 4.0

/* Links to rows of the table, laid over their marks in the picture. In px of its canvas. */
static void put_spots(const report_page *page, const page_figure *f, const page_spots *of, textbuf *out)
{
    const page_rows map = page->models[f->model].table_rows;
    text_printf(
        out,
        "<svg class=\"spots\" viewBox=\"0 0 %g %g\" role=\"group\" aria-label=\"layers of this picture\">\n",
        of->canvas.width_px, of->canvas.height_px);
    FOR_EACH(const figure_spot, s, of->spots, of->n) {
        const px_box *b = &s->box;
        uint32_t row = s->row < map.n ? map.rows[s->row] : 0;
        text_printf(out, row ? "<a href=\"#layers-%u-%u\"" : "<a role=\"img\" tabindex=\"-1\"", f->model + 1,
                    row);
        html_printf(out, " class=\"%s%s\" data-kind=\"%s\"><title>%s</title>", s->bound,
                    s->is_estimated ? " estimated" : "", s->kind, s->text);
        if (isfinite(s->roof_y_px)) /* it is known */
            text_printf(out, "<path d=\"M%.1f %.1fV%.1fm-9 0h18\"/>", b->x_px, b->y_px, s->roof_y_px);
        if (s->is_round)
            text_printf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>", b->x_px, b->y_px,
                        fmax(LEAST_SPOT_PX, b->half_width_px));
        else
            text_printf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
                        b->x_px - b->half_width_px, b->y_px - b->half_height_px, 2 * b->half_width_px,
                        2 * b->half_height_px);
        text_puts(out, "</a>\n");
    }
    text_puts(out, "</svg>\n");
}

/* NULL for svg: nothing. The picture's names are made unique by its place on the page. */
static roof_status put_picture(const report_page *page, const page_figure *f, bool wide, textbuf *out,
                               roof_error *err)
{
    const char *svg = wide ? f->wide_svg : f->narrow_svg;
    const page_spots *spots = wide ? &f->wide_spots : &f->narrow_spots;
    if (!svg)
        return ROOF_OK;
    const char *prefix =
        say_printf(page->arena, "f%u%c-", (uint32_t)(f - page->figures) + 1, wide ? 'w' : 'n');
    const svg_words words = {prefix, f->title, f->caption};
    size_t before = out->length;
    text_printf(out, "<div class=\"%s\">", !f->narrow_svg ? "any" : wide ? "wide" : "narrow");
    roof_status status = svg_inline(svg, strlen(svg), &words, out, err);
    if (status == ROOF_OK && spots->n)
        put_spots(page, f, spots, out);
    if (status == ROOF_OK)
        text_puts(out, "</div>\n");
    else if (!out->failed)
        out->length = before;
    return status;
}

/* Tells the reader how to see it without the picture. */
static void put_no_picture(const page_figure *f, const char *why, textbuf *out)
{
    html_printf(out, "<p class=\"note\"><strong>%s</strong></p>\n<p class=\"note\">%s ", f->title, why);
    if (f->is_alone)
        text_puts(out, "Make the page once more where gnuplot 5.2 or later is.</p>\n");
    else
        html_printf(out,
                    "The data and the script lie beside this page: <code>gnuplot %s.gp</code> makes "
                    "<code>%s.svg</code>.</p>\n",
                    f->stem, f->stem);
}

bool page_has_figure(const report_page *page, uint32_t model, figure_place place)
{
    FOR_EACH(const page_figure, f, page->figures, page->n_figures)
        if (f->model == model && f->place == place)
            return true;
    return false;
}

void page_put_figures(const report_page *page, uint32_t model, figure_place place, textbuf *out)
{
    FOR_EACH(const page_figure, f, page->figures, page->n_figures) {
        roof_error err;
        if (f->model != model || f->place != place)
            continue;
        text_printf(out, "<figure id=\"figure-%s\">\n", f->stem);
        if (!f->wide_svg)
            put_no_picture(f, "gnuplot did not draw this chart.", out);
        else if (put_picture(page, f, true, out, &err) != ROOF_OK ||
                 put_picture(page, f, false, out, &err) != ROOF_OK)
            put_no_picture(f, say_printf(page->arena, "The picture cannot be shown here: %.200s.", err.what),
                           out);
        html_printf(out, "<figcaption>%s", f->caption);
        if (!f->is_alone) {
            text_puts(out, " <span class=\"files\">");
            if (f->wide_svg)
                text_printf(out, "<a href=\"%s.svg\">svg</a> ", f->stem);
            text_printf(out, "<a href=\"%s.gp\">gp</a> <a href=\"%s.dat\">dat</a></span>", f->stem, f->stem);
        }
        text_puts(out, "</figcaption>\n</figure>\n");
    }
}
