/* reports/page/page_memory.h - the block on memory in the section of a model: whether it fits, the picture,
 * pools, what is alive where most is; and its rows in the table of layers.
 */
#ifndef ROOF_REPORTS_PAGE_MEMORY_H
#define ROOF_REPORTS_PAGE_MEMORY_H

#include "reports/page/page_parts.h"

/* The first model with the same memory as this one: boards on which one file was predicted share it. */
uint32_t page_memory_model(const report_page *page, uint32_t model);

/* Nothing for a model of which no memory is told. */
void page_put_memory(const report_page *page, uint32_t model, textbuf *out);

/* Marks the rows of a model's table of layers that set a peak, with links to the block. */
void page_mark_peaks(const report_page *page, uint32_t model, html_table *layers);

#endif
