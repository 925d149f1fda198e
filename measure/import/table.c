#include "measure/import/row.h"
#include "core/error.h"
#include "core/text.h"

#include <csv.h>
#include <stdlib.h>
#include <string.h>

struct table_reader {
    struct csv_parser parser;
    textbuf bytes; /* of fields, a separator behind each, so that several read as one are as they were */
    char separator;
    size_t ends[TABLE_MAX_COLUMNS];
    size_t n_columns;
    uint64_t first_line;
    bool open, complete; /* a row has begun; it has ended */
    roof_status problem; /* of a call-back, which cannot stop the parser */
};

/* A field holds one line, or several in quotes. */
static void *bounded_realloc(void *old, size_t size)
{
    return size <= TABLE_MAX_ROW_BYTES ? realloc(old, size) : NULL;
}

static void end_field(void *text, size_t length, void *table)
{
    table_reader *t = table;
    if (t->n_columns == TABLE_MAX_COLUMNS || t->bytes.length + length > TABLE_MAX_ROW_BYTES)
        t->problem = ROOF_E_LIMIT;
    if (t->problem != ROOF_OK)
        return;
    if (length)
        text_add(&t->bytes, text, length);
    text_add(&t->bytes, &t->separator, 1);
    t->problem = text_status(&t->bytes, NULL);
    t->ends[t->n_columns++] = t->bytes.length;
}

static void end_row(int last, void *table)
{
    table_reader *t = table;
    (void)last;
    t->complete = true;
}

table_reader *table_new(char separator)
{
    table_reader *t = calloc(1, sizeof *t);
    if (!t || csv_init(&t->parser, CSV_STRICT | CSV_STRICT_FINI) != 0) {
        free(t);
        return NULL;
    }
    text_init(&t->bytes, (size_t)2 * TABLE_MAX_ROW_BYTES);
    t->separator = separator;
    csv_set_delim(&t->parser, (unsigned char)separator);
    csv_set_realloc_func(&t->parser, bounded_realloc);
    return t;
}

void table_free(table_reader *t)
{
    if (!t)
        return;
    csv_free(&t->parser);
    text_free(&t->bytes);
    free(t);
}

static roof_status check(table_reader *t, bool parsed, uint64_t line, roof_error *err)
{
    int code = csv_error(&t->parser);
    if (parsed && t->problem == ROOF_OK)
        return ROOF_OK;
    bool at_limit = csv_get_buffer_size(&t->parser) + t->parser.blk_size > TABLE_MAX_ROW_BYTES;
    if (t->problem == ROOF_E_NO_MEMORY || (code == CSV_ENOMEM && !at_limit))
        return error_memory(err);
    if (t->problem == ROOF_E_LIMIT || code == CSV_ENOMEM || code == CSV_ETOOBIG)
        return error_line(err, ROOF_E_LIMIT, line,
                          "a row of more than %d fields or %d bytes: is a quote missing?", TABLE_MAX_COLUMNS,
                          TABLE_MAX_ROW_BYTES);
    return error_line(err, ROOF_E_DATA, line,
                      "a quote where none may be: fields with quotes are written \"a \"\"b\"\"\"");
}

static int is_no_space(unsigned char c)
{
    (void)c;
    return 0;
}

roof_status table_feed(table_reader *t, const import_line *line, bool *complete, roof_error *err)
{
    if (t->complete || !t->open) {
        t->bytes.length = t->n_columns = 0;
        t->first_line = line->number;
        t->complete = false;
    }
    t->open = true;
    /* Blanks around fields are trimmed later, where no quotes need it now. */
    bool has_blanks =
        memchr(line->text, t->separator, line->length) && !memchr(line->text, '"', line->length);
    csv_set_space_func(&t->parser, has_blanks ? is_no_space : NULL);
    line->text[line->length] = '\n';
    size_t n = csv_parse(&t->parser, line->text, line->length + 1, end_field, end_row, t);
    line->text[line->length] = '\0';
    *complete = t->complete && t->n_columns;
    return check(t, n == line->length + 1, line->number, err);
}

roof_status table_end(table_reader *t, roof_error *err)
{
    return check(t, csv_fini(&t->parser, end_field, end_row, t) == 0, t->first_line, err);
}

size_t table_columns(const table_reader *t)
{
    return t->n_columns;
}

text_span table_cell(const table_reader *t, size_t column)
{
    if (column >= t->n_columns)
        return (text_span){"", 0};
    size_t begin = column ? t->ends[column - 1] : 0;
    return span_trim((text_span){t->bytes.bytes + begin, t->ends[column] - begin - 1});
}

uint64_t table_read_line(const table_reader *t)
{
    return t->first_line;
}
