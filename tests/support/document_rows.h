/* document_rows.h - rows of tables in documents, held against what a test has just counted: so no figure
 * there is older than the code. */
#ifndef ROOF_TESTS_SUPPORT_DOCUMENT_ROWS_H
#define ROOF_TESTS_SUPPORT_DOCUMENT_ROWS_H

#include "tests/unit/fixture.h"

typedef struct document_rows {
    const char *path; /* from the project's root */
    char *text;
    uint32_t n_found;
} document_rows;

static inline document_rows document_open(const char *path)
{
    char full[1024];
    document_rows d = {path, NULL, 0};
    const char *source = getenv("ROOFLINE_SOURCE_DIR");
    snprintf(full, sizeof full, "%s/%s", source ? source : ".", path);
    FILE *file = fopen(full, "rb");
    if (!file)
        fail_msg("%s cannot be opened", full);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long size = ftell(file);
    assert_true(size > 0);
    d.text = calloc((size_t)size + 1, 1);
    assert_non_null(d.text);
    rewind(file);
    assert_int_equal(fread(d.text, 1, (size_t)size, file), size);
    fclose(file);
    return d;
}

/* The row stands in it, once, as a line of its own. */
static inline void document_has_row(document_rows *d, const char *row)
{
    const char *at = strstr(d->text, row);
    print_message("%s\n", row);
    if (!at || (at > d->text && at[-1] != '\n') || at[strlen(row)] != '\n' || strstr(at + 1, row))
        fail_msg("%s lacks this row, or has it twice:\n%s", d->path, row);
    d->n_found++;
}

/* The table below a heading has the rows that were found and no others. */
static inline void document_close(document_rows *d, const char *heading)
{
    const char *at = strstr(d->text, heading);
    uint32_t n = 0;
    if (!at)
        fail_msg("%s lacks the heading:\n%s", d->path, heading);
    for (at = at ? strchr(at, '\n') : NULL; at && at[1] == '|'; at = strchr(at + 1, '\n'))
        n++;
    assert_int_equal(n, d->n_found + 1); /* the line below the heading as well */
    free(d->text);
}

#endif
