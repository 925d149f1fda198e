/* tests/support/chart_check.h - what holds for every chart: no text lies on another, none leaves the
 * canvas. */
#ifndef ROOF_TESTS_CHART_CHECK_H
#define ROOF_TESTS_CHART_CHECK_H

#include "reports/charts/chart.h"

#include <stdio.h>

/* The first fault of a finished figure as text, or NULL. */
static inline const char *chart_fault(const chart_figure *f, char *text, size_t size)
{
    for (size_t i = 0; i < f->n_labels; i++) {
        px_box a = figure_label_box(&f->labels[i]);
        const plot_area canvas = {0, f->canvas.width_px, 0, f->canvas.height_px};
        chart_figure alone = {.canvas = f->canvas};
        if (!figure_fits(&alone, &a, &canvas)) {
            snprintf(text, size, "'%s' leaves the canvas", f->labels[i].text);
            return text;
        }
        for (size_t k = i + 1; k < f->n_labels; k++) {
            px_box b = figure_label_box(&f->labels[k]);
            if (figure_boxes_overlap(&a, &b)) {
                snprintf(text, size, "'%s' lies on '%s'", f->labels[i].text, f->labels[k].text);
                return text;
            }
        }
    }
    return NULL;
}

#endif
