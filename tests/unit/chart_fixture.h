/* tests/unit/chart_fixture.h - figures of charts, looked at without drawing them: their blocks of data as
 * rows of fields, and the places of their texts.
 */
#ifndef ROOF_TESTS_CHART_FIXTURE_H
#define ROOF_TESTS_CHART_FIXTURE_H

#include "reports/charts/chart.h"
#include "tests/unit/profile_fixture.h"

/* Draws; false when there is nothing to show. The figure is to be freed either way. */
static inline bool cf_draw(const char *id, const chart_source *source, chart_canvas canvas, chart_figure *f)
{
    bool is_empty = false;
    roof_error err = {0};
    const chart_def *chart = chart_named(id);
    assert_non_null(chart);
    if (chart_draw(chart, source, canvas, f, &is_empty, &err) != ROOF_OK)
        fail_msg("%s: %s", id, fx_message(&err));
    return !is_empty;
}

static inline chart_source cf_source(const pf_result *p, uint32_t experiment)
{
    return (chart_source){.prediction = p->r->experiments[experiment].prediction,
                          .reconciliation = p->r,
                          .experiment = &p->r->experiments[experiment]};
}

enum { CF_MAX_ROWS = 64, CF_MAX_FIELDS = 16 };

/* A block of the data. Texts are as they were written: without quotes, nothing doubled. NaN where a field is
 * a text, or not known. */
typedef struct cf_block {
    size_t n_rows, n_fields;
    double numbers[CF_MAX_ROWS][CF_MAX_FIELDS];
    char texts[CF_MAX_ROWS][CF_MAX_FIELDS][128];
} cf_block;

/* Reads one field; returns what is behind it. */
static inline const char *cf_field(const char *at, char *text, size_t size, double *number)
{
    size_t used = 0;
    bool quoted = *at == '"';
    for (at += quoted; *at && *at != '\n' && (quoted || *at != '\t'); at++) {
        if (quoted && *at == '"' && at[1] != '"')
            break;
        at += quoted && (*at == '"' || *at == '\\');
        if (used + 1 < size)
            text[used++] = *at;
    }
    text[used] = '\0';
    *number = quoted || text[0] == '?' ? NAN : strtod(text, NULL);
    at += quoted;
    assert_true(*at == '\t' || *at == '\n' || *at == '\0');
    return *at == '\t' ? at + 1 : at;
}

/* Fails when the figure has no such block. A block that only stands in for nothing has no rows. */
static inline cf_block *cf_read(const chart_figure *f, const char *name)
{
    static cf_block block;
    char head[80];
    snprintf(head, sizeof head, "# %s\n#", name);
    const char *at = strstr(f->data.bytes, head);
    block.n_rows = 0;
    if (!at) {
        fail_msg("no block '%s'", name);
        return &block;
    }
    at = strchr(strchr(at, '\n') + 1, '\n');
    while (at && at[0] == '\n' && at[1] && at[1] != '\n') {
        assert_true(block.n_rows < CF_MAX_ROWS);
        size_t row = block.n_rows++;
        block.n_fields = 0;
        for (at++; *at && *at != '\n'; block.n_fields++) {
            assert_true(block.n_fields < CF_MAX_FIELDS);
            at = cf_field(at, block.texts[row][block.n_fields], sizeof block.texts[row][0],
                          &block.numbers[row][block.n_fields]);
        }
    }
    if (block.n_rows == 1 && strcmp(block.texts[0][0], "?") == 0)
        block.n_rows = 0;
    return &block;
}

static inline bool cf_says(const chart_figure *f, const char *text)
{
    for (size_t i = 0; i < f->n_labels; i++)
        if (strstr(f->labels[i].text, text))
            return true;
    return false;
}

static inline void cf_expect_said(const chart_figure *f, const char *text)
{
    if (cf_says(f, text))
        return;
    for (size_t i = 0; i < f->n_labels; i++)
        print_message("  '%s'\n", f->labels[i].text);
    fail_msg("nothing says '%s'", text);
}

/* All that was placed or kept free lies on the canvas, and nothing on anything else. */
static inline void cf_expect_apart(const chart_figure *f, const char *what)
{
    chart_figure bare = {.canvas = f->canvas};
    for (size_t i = 0; i < f->n_boxes; i++) {
        if (!figure_fits(&bare, &f->boxes[i], NULL))
            fail_msg("%s: box %zu at %g, %g leaves the canvas", what, i, f->boxes[i].x_px, f->boxes[i].y_px);
        for (size_t k = 0; k < i; k++)
            if (figure_boxes_overlap(&f->boxes[i], &f->boxes[k]))
                fail_msg("%s: boxes %zu and %zu overlap at %g, %g", what, k, i, f->boxes[i].x_px,
                         f->boxes[i].y_px);
    }
}

#endif
