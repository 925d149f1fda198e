/* The page of trends: where the level of each series changed, with its chart, and with which layers. */
#include "reports/page/page_sections.h"
#include "reports/tables/views.h"

static const char *verdict(const page_alone *page, uint32_t i)
{
    return history_sentence(page->of, i, page->page->arena);
}

static roof_status draw(const page_alone *page, page_drawing *drawing)
{
    return page_history_draw(page->of, drawing);
}

static void put_series(const page_alone *page, textbuf *out)
{
    page_put_series(page->page, page->of, out);
}

roof_status roof_trends_page_write(const roof_history_trends *trends, const char *path,
                                   const roof_draw_watch *watch, roof_error *err)
{
    static const alone_section sections[] = {{"series", "Series", NULL, put_series}};
    page_alone page = {.kind = "roofline history",
                       .of = trends,
                       .sentence = verdict,
                       .draw = draw,
                       .sections = sections,
                       .n_sections = sizeof sections / sizeof *sections};
    return page_alone_write(&page, path, watch, err);
}
