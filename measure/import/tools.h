/* measure/import/tools.h - what is said of the tools that profiles come from, for who does not import. */
#pragma once

#include <stdbool.h>

typedef struct tool_words {
    const char *tool;   /* as people call it; NULL: by what it does */
    const char *next;   /* what to do next with a profile of it alone, as an order; NULL: nothing */
    const char *fuse;   /* the option of its compiler that fuses; NULL: none is known */
    bool names_kernels; /* its rows are called by no operator of a network */
    bool has_two_modes; /* layers and whole inferences, so that a line can be fitted through both */
} tool_words;

/* The words of the importer of this id; NULL is none. False: there is no such importer. */
bool tool_words_of(const char *id, tool_words *out);

/* By the first word of what a document calls its tool, such as "vaitrace 1.4": how to have it tell every
 * inference; and the program whose files several importers read. NULL: unknown. */
const char *tool_keep(const char *tool);
const char *tool_program(const char *tool);
