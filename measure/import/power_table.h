/* measure/import/power_table.h - tables of samples of power: a column of times and one of watts, or of
 * amperes and volts, found by their headings and the units in these. An importer says which tool's they are;
 * this reads.
 */
#pragma once

#include "measure/import/power.h"

/* The columns of a tool's tables; NULL: they are found by the units of the headings. */
typedef struct power_table_kind {
    const char *power, *current, *voltage; /* what headings of these columns begin with */
    const char *groups[4];                 /* columns that tell devices apart, of which each has a trace */
    const char *scope;                     /* of roof_run.power_scope; NULL: the heading of the column */
} power_table_kind;

enum { POWER_MAX_GROUPS = 16, POWER_MAX_CELLS = 256, POWER_NAME_SIZE = 80 };

/* A column that is read; unit_scale: to s, W, A or V; 0 of a time: its heading does not say. */
typedef struct power_column {
    uint32_t place; /* ROOF_NONE: there is none */
    double unit_scale;
} power_column;

typedef struct power_group {
    char name[POWER_NAME_SIZE];
    roof_power_trace trace;
    timestamp_clock clock;
} power_group;

/* The reading of an importer of such a table. */
typedef struct reading {
    import_state *in;
    const power_table_kind *kind;
    char separator; /* 0: the headings are not found yet */
    size_t n_columns;
    power_column columns[UNIT_VOLTAGE + 1], group; /* of times, powers, currents and voltages */
    char heading[POWER_NAME_SIZE];                 /* of the power */
    power_group groups[POWER_MAX_GROUPS];
    uint32_t n_groups;
    bool is_ambiguous; /* several columns of power, and nothing says which */
} power_table;

/* How sure it is that a text is such a table: SNIFF_LIKELY where one of its first lines has the headings. */
unsigned power_table_sniff(const char *text);

/* For an importer_def; its empty reading has the kind. */
roof_status power_table_line(power_table *t, const import_line *line, roof_error *err);
roof_status power_table_finish(power_table *t, roof_error *err);
