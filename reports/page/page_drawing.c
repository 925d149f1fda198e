#include "reports/page/page_sections.h"

/* title: NULL for the narrow picture that follows a wide one. */
static roof_status add_picture(page_drawing *d, const chart_figure *f, const char *stem, const char *title,
                               const char *caption)
{
    TRY(ARENA_ADD(d->page->arena, d->pictures, d->n_pictures, d->err,
                  (drawn_picture){.folder = d->folder,
                                  .stem = stem,
                                  .title = title,
                                  .caption = caption,
                                  .stays = title && !d->is_alone}));
    return gnuplot_save_figure(f, &d->pictures[d->n_pictures - 1], d->err);
}

/* The figure goes, and its marks stay. */
static page_spots keep_spots(roof_arena *arena, const chart_figure *f)
{
    figure_spot *spots = NEW_ARRAY(arena, figure_spot, f->n_spots);
    for (size_t i = 0; i < f->n_spots && spots; i++) {
        spots[i] = f->spots[i];
        spots[i].bound = text_or_empty(arena_strdup(arena, spots[i].bound));
        spots[i].kind = text_or_empty(arena_strdup(arena, spots[i].kind));
        spots[i].text = text_or_empty(arena_strdup(arena, spots[i].text));
    }
    return (page_spots){f->canvas, spots, spots ? f->n_spots : 0};
}

/* The narrow one may have nothing to show where the wide one has. */
roof_status page_draw(page_drawing *d, const chart_def *chart, const chart_source *source, const char *name,
                      uint32_t model)
{
    report_page *page = d->page;
    roof_arena *arena = page->arena;
    page_figure figure = {.model = model,
                          .place = strcmp(chart->id, "roofline") == 0      ? PLACE_KEY_FIGURES
                                   : strcmp(chart->id, "memory_rows") == 0 ? PLACE_MEMORY
                                   : chart->scope == CHART_SERIES          ? PLACE_HISTORY
                                                                           : PLACE_MODEL,
                          .is_alone = d->is_alone};
    for (int narrow = 0; narrow < 2; narrow++) {
        chart_figure f;
        bool is_empty;
        TRY(chart_draw(chart, source, narrow ? canvas_narrow : chart_wide_canvas(chart), &f, &is_empty,
                       d->err));
        roof_status status = ROOF_OK;
        if (!is_empty && narrow) {
            page->figures[page->n_figures - 1].narrow_spots = keep_spots(arena, &f);
            status = add_picture(d, &f, arena_printf(arena, "%s" STEM_NARROW, figure.stem), NULL, NULL);
        } else if (!is_empty) {
            figure.wide_spots = keep_spots(arena, &f);
            figure.stem = file_names_make(&d->names, chart->id, name);
            figure.title = arena_strdup(arena, f.title);
            figure.caption = arena_strdup(arena, f.caption);
            status = ARENA_ADD(arena, page->figures, page->n_figures, d->err, figure);
            THEN(status, add_picture(d, &f, figure.stem, figure.title, figure.caption));
        }
        figure_free(&f);
        if (status != ROOF_OK || !figure.stem)
            return status;
    }
    return ROOF_OK;
}

roof_status page_draw_end(page_drawing *d, const roof_draw_watch *watch, roof_error *why)
{
    TRY(gnuplot_run(d->pictures, d->n_pictures, GNUPLOT_MOST_MS, watch, why, d->err));
    /* A narrow picture, which has no title, is of the figure whose wide one it follows. */
    page_figure *next = d->page->figures, *f = next;
    FOR_EACH(const drawn_picture, p, d->pictures, d->n_pictures) {
        if (p->title)
            f = next++;
        *(p->title ? &f->wide_svg : &f->narrow_svg) = p->svg;
    }
    return ROOF_OK;
}
