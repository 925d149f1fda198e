/* reports/page/page_alone.h - a page of one answer, in one file: its pictures are in it, and no file lies
 * beside it. */
#ifndef ROOF_REPORTS_PAGE_ALONE_H
#define ROOF_REPORTS_PAGE_ALONE_H

#include "reports/page/page_drawing.h"

typedef struct page_alone page_alone;

/* A section of it; put writes nothing for one that is left out. */
typedef struct alone_section {
    const char *id, *title;
    bool (*wanted)(const page_alone *page); /* NULL: always */
    void (*put)(const page_alone *page, textbuf *out);
} alone_section;

struct page_alone {
    const char *kind, *title;                                    /* "roofline sweep"; of the browser's tab */
    const void *of;                                              /* the answer */
    const char *(*sentence)(const page_alone *page, uint32_t i); /* the first is the heading; NULL: no more */
    roof_status (*draw)(const page_alone *page, page_drawing *drawing);
    const alone_section *sections;
    size_t n_sections;
    report_page *page; /* with the figures; its arena is for all texts */
};

/* Draws and writes the page. page->page is set here. path: ends in .html or .htm.
 * Errors: E_USAGE for another ending; E_DEVICE without gnuplot: the page is written without pictures; E_IO,
 * E_NO_MEMORY. */
roof_status page_alone_write(page_alone *page, const char *path, const roof_draw_watch *watch,
                             roof_error *err);

#endif
