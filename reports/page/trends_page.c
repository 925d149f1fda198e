/* The page of trends: where the level of each series changed, with its chart, and with which layers. */
#include "reports/page/page_sections.h"
#include "reports/tables/views.h"

static const char *verdict(const report_page *page, uint32_t i)
{
    return history_sentence(page->of, i, page->arena);
}

static roof_status draw(const report_page *page, page_drawing *drawing)
{
    return page_history_draw(page->of, drawing);
}

static void put_series(const report_page *page, textbuf *out)
{
    page_put_series(page, page->of, out);
}

roof_status roof_trends_page_write(const roof_history_trends *trends, const char *path,
                                   const roof_draw_watch *watch, roof_error *err)
{
    static const page_alone kind = {.kind = "roofline history",
                                    .sentence = verdict,
                                    .draw = draw,
                                    .sections = {{"series", "Series", NULL, put_series}}};
    return page_alone_write(&kind, trends, path, watch, err);
}
