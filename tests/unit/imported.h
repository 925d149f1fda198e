/* tests/unit/imported.h - importing from a text in memory, in pieces of any size. */
#ifndef ROOF_TESTS_IMPORTED_H
#define ROOF_TESTS_IMPORTED_H

#include "core/error.h"
#include "measure/import/importer.h"
#include "tests/unit/fixture.h"

#define assert_close(a, b, tolerance)                                                                        \
    do {                                                                                                     \
        double near_a = (a), near_b = (b);                                                                   \
        if (!(fabs(near_a - near_b) <= (tolerance)))                                                         \
            fail_msg("%s is %.12g, want %.12g", #a, near_a, near_b);                                         \
    } while (0)

typedef struct im_text {
    const char *bytes;
    size_t length, at, piece; /* piece: the most that a read gives; 0 for no limit */
} im_text;

static inline roof_status im_read(void *context, char *buffer, size_t size, size_t *got, roof_error *err)
{
    im_text *t = context;
    size_t n = t->length - t->at;
    (void)err;
    n = n < size ? n : size;
    n = t->piece && n > t->piece ? t->piece : n;
    if (n)
        memcpy(buffer, t->bytes + t->at, n);
    t->at += n;
    *got = n;
    return ROOF_OK;
}

static inline roof_status im_try(const char *text, const roof_import_options *options, roof_measured **out,
                                 roof_error *err)
{
    im_text t = {.bytes = text, .length = strlen(text), .piece = 7};
    return import_stream(im_read, &t, "file", options, out, err);
}

/* What must succeed. */
static inline roof_measured *im_import(const char *text, const roof_import_options *options)
{
    roof_measured *m = NULL;
    roof_error err = {0};
    if (im_try(text, options, &m, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return m;
}

static inline const roof_run *im_run(const roof_measured *m, uint32_t run)
{
    assert_int_equal(m->n_experiments, 1);
    assert_true(run < m->experiments[0].n_runs);
    return &m->experiments[0].runs[run];
}

static inline bool im_notes_have(const roof_measured *m, const char *words)
{
    return m->sources[0].notes && strstr(m->sources[0].notes, words);
}

static inline void im_want_note(const roof_measured *m, const char *words)
{
    if (!im_notes_have(m, words))
        fail_msg("no '%s' in: %s", words, m->sources[0].notes ? m->sources[0].notes : "nothing");
}

#endif
