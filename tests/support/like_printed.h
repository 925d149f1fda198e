/* tests/support/like_printed.h - a profile of ST's tools, reconciled without a model and printed in the
 * layout of npu_profiler.py.
 *
 * Ownership: what these return is the caller's. A failure ends the test.
 */
#ifndef ROOF_TESTS_LIKE_PRINTED_H
#define ROOF_TESTS_LIKE_PRINTED_H

#include "roofline/import.h"
#include "roofline/reconcile.h"
#include "roofline/render.h"
#include "tests/support/memory_io.h"
#include "tests/unit/fixture.h"

#include <unistd.h>

/* is_own: the file goes, too. */
static inline roof_measured *lp_import(const char *path, bool is_own)
{
    roof_measured *m = NULL;
    roof_error err = {0};
    roof_status status = roof_import_file(path, NULL, &m, &err);
    assert_true(!is_own || unlink(path) == 0);
    if (status != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return m;
}

/* The same of a text. */
static inline roof_measured *lp_import_text(const char *bytes, size_t length)
{
    char path[] = "/tmp/like_printed_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, bytes, length) == (ssize_t)length && close(file) == 0);
    return lp_import(path, true);
}

static inline textbuf lp_print(const roof_measured *m)
{
    static const roof_render_options options = {.like = "npu_profiler"};
    const roof_prediction *none[4] = {NULL};
    roof_reconciliation *r = NULL;
    roof_error err = {0};
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    assert_true(m->n_experiments <= COUNT(none));
    if (roof_reconcile(m, none, NULL, &r, &err) != ROOF_OK ||
        roof_render(r, &options, (roof_sink){memory_write, &text}, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    roof_reconciliation_free(r);
    return text;
}

#endif
