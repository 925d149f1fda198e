/* tests/unit/verdict_fixture.h - what tools wrote, as texts: imported together, reconciled, and said. */
#ifndef ROOF_TESTS_VERDICT_FIXTURE_H
#define ROOF_TESTS_VERDICT_FIXTURE_H

#include "roofline/import.h"
#include "roofline/render.h"
#include "tests/unit/folder.h"
#include "tests/unit/profile_fixture.h"

typedef struct vf_file {
    const char *name, *text; /* text: NULL: no file */
} vf_file;

typedef struct vf_result {
    roof_measured *measured;
    roof_reconciliation *r;
    char *text;                     /* what the terminal shows */
    char first[ROOF_SENTENCE_SIZE]; /* the first sentence of the verdict */
} vf_result;

static inline roof_measured *vf_import_one(const vf_file *file, const roof_import_options *options)
{
    const char *path = in_folder(file->name);
    roof_measured *m = NULL;
    roof_error err = {0};
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_true(fputs(file->text, f) >= 0);
    assert_int_equal(fclose(f), 0);
    roof_status status = roof_import_file(path, options, &m, &err);
    assert_int_equal(unlink(path), 0);
    if (status != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return m;
}

static inline roof_measured *vf_import(const vf_file *files, size_t n)
{
    roof_measured *all = NULL;
    const char *note = NULL;
    roof_error err = {0};
    for (size_t i = 0; i < n && files[i].text; i++) {
        roof_measured *one = vf_import_one(&files[i], NULL);
        if (all)
            assert_int_equal(roof_measured_merge(all, one, &err), ROOF_OK);
        all = all ? all : one;
    }
    assert_non_null(all);
    assert_int_equal(roof_import_join(all, &note, &err), ROOF_OK);
    return all;
}

static inline char *vf_render(const roof_reconciliation *r, const roof_render_options *options)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    assert_int_equal(roof_render(r, options, (roof_sink){memory_write, &text}, NULL), ROOF_OK);
    char *copy = strndup(text.bytes, text.length);
    assert_non_null(copy);
    text_free(&text);
    return copy;
}

/* files: at most n, up to the first without a text. */
static inline vf_result vf_reconcile(const vf_file *files, size_t n)
{
    vf_result v = {.measured = vf_import(files, n)};
    roof_error err = {0};
    if (roof_reconcile(v.measured, NULL, NULL, &v.r, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    if (!roof_sentence(v.r, ROOF_SENTENCE_VERDICT, 0, v.first))
        *v.first = '\0';
    v.text = vf_render(v.r, &(roof_render_options){.format = "text", .width = 200, .all_findings = true});
    return v;
}

static inline void vf_free(vf_result *v)
{
    free(v->text);
    roof_reconciliation_free(v->r);
    roof_measured_free(v->measured);
}

#endif
