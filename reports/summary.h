/* reports/summary.h - the lines below the table: what the totals rest on. Shared by text and Markdown. */
#ifndef ROOF_REPORTS_SUMMARY_H
#define ROOF_REPORTS_SUMMARY_H

#include "core/text.h"
#include "roofline/prediction.h"

enum { SUMMARY_LINES = 13, SUMMARY_SIZE = 400 };

typedef struct prediction_summary {
    struct {
        const char *label;
        char text[SUMMARY_SIZE];
    } lines[SUMMARY_LINES];
    uint32_t n_lines;
} prediction_summary;

void prediction_summarise(const roof_prediction *p, prediction_summary *s);

/* Shortens text in the middle to at most width characters (UTF-8); buffer has size bytes. Returns buffer. */
const char *shorten_middle(const char *text, size_t width, char *buffer, size_t size);

#endif
