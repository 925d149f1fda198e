/* vela_tables.h - tables of ../shared/data about compiled files: cells by the words of their headings.
 *
 * Ownership: cells point into the table, until its next line. Shapes: no cell but the last holds a separator.
 */
#ifndef ROOF_TESTS_SUPPORT_VELA_TABLES_H
#define ROOF_TESTS_SUPPORT_VELA_TABLES_H

#include "tests/support/skips.h"
#include "tests/unit/fixture.h"

enum { VELA_COLUMNS = 40, VELA_LINE = 4096 };

typedef struct vela_table {
    FILE *file;
    char separator;
    char headings[VELA_LINE], line[VELA_LINE];
    char *names[VELA_COLUMNS], *cells[VELA_COLUMNS];
    int n_names, n_cells;
} vela_table;

static inline int vela_split(char *line, char separator, char *cells[VELA_COLUMNS])
{
    int n = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *at = line; at && n < VELA_COLUMNS;) {
        char *end = strchr(at, separator);
        cells[n++] = at;
        if (end)
            *end++ = '\0';
        at = end;
    }
    return n;
}

/* A file of data/; false: it is not there. */
static inline bool vela_open(vela_table *t, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/data/%s", shared_folder(), name);
    t->separator = strcmp(name + strlen(name) - 4, ".tsv") == 0 ? '\t' : ',';
    t->file = fopen(path, "r");
    if (!t->file)
        return false;
    assert_non_null(fgets(t->headings, sizeof t->headings, t->file));
    t->n_names = vela_split(t->headings, t->separator, t->names);
    return true;
}

/* A test cannot do without it. */
static inline void vela_need(vela_table *t, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/data/%s", shared_folder(), name);
    if (!vela_open(t, name))
        skip_without(path);
}

static inline bool vela_next(vela_table *t)
{
    if (!fgets(t->line, sizeof t->line, t->file)) {
        fclose(t->file);
        return false;
    }
    t->n_cells = vela_split(t->line, t->separator, t->cells);
    return true;
}

/* NULL: there is no such column, or the line has fewer cells. */
static inline const char *vela_find(const vela_table *t, const char *name)
{
    for (int i = 0; i < t->n_names && i < t->n_cells; i++)
        if (strcmp(t->names[i], name) == 0)
            return t->cells[i];
    return NULL;
}

static inline const char *vela_cell(const vela_table *t, const char *name)
{
    const char *cell = vela_find(t, name);
    if (!cell)
        fail_msg("no column '%s'", name);
    return cell ? cell : "";
}

static inline double vela_number(const vela_table *t, const char *name)
{
    return strtod(vela_cell(t, name), NULL);
}

/* NULL: the folder does not have the file, which only a table names. */
static inline roof_graph *vela_read(const char *name)
{
    char path[1024];
    roof_graph *graph = NULL;
    roof_error err = {0};
    snprintf(path, sizeof path, "%s/data/ethosu/%s", shared_folder(), name);
    const roof_status status = roof_graph_read(path, &graph, &err);
    if (status != ROOF_OK && status != ROOF_E_NO_INPUT)
        fail_msg("%s", fx_message(&err));
    return graph;
}

/* Vela's list of layers, NAME_per-layer.csv. Its next line whose layer has launches: of Regor all with
 * memory in use, since an activation that is fused has none; of the Python core all but a copy that takes no
 * time. */
static inline bool vela_open_layers(vela_table *t, const char *sample)
{
    char name[1024];
    snprintf(name, sizeof name, "ethosu/%.*s_per-layer.csv", (int)(strlen(sample) - strlen(".tflite")),
             sample);
    return vela_open(t, name);
}

static inline bool vela_next_layer(vela_table *t)
{
    while (vela_next(t)) {
        const char *staged = vela_find(t, "Staging Usage"), *type = vela_find(t, "NNG Operator");
        if (!type || strcmp(type, "NNG Operator") == 0) /* headings again, of the next NPU operator */
            continue;
        if (staged ? strtod(staged, NULL) > 0
                   : strcmp(type, "Memcpy") != 0 || vela_number(t, "Op Cycles") > 0)
            return true;
    }
    return false;
}

#endif
