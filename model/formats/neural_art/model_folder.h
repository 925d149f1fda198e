/* model/formats/neural_art/model_folder.h - which files of a folder belong together, where a Neural-ART
 * network was compiled: what the compiler writes beside its C code. Found by name; nothing is read but what
 * has to decide between several.
 *
 * Ownership: everything lives in the caller's arena.
 */
#pragma once

#include "core/core.h"
#include "roofline/status.h"

enum { FOLDER_MAX_ENTRIES = 4096, FOLDER_C_INFOS = 3 };

/* Paths begin with the folder's; NULL: there is no such file, or there are several without a sign which
 * one. */
typedef struct model_folder {
    /* Name of the network, with which the names of its files begin: "network"; NULL: none does. */
    const char *name;
    /* NAME_c_info.json, NAME.json, c_info.json: in the order of ST's tools; NULL behind the last. */
    const char *c_infos[FOLDER_C_INFOS];
    const char *network_csv;           /* NAME.csv, network.csv, or the only table of epochs */
    const char *network_c, *ecblobs_h; /* NAME.c, NAME_ecblobs.h */
    const char *blob_trace_c;          /* NAME_blob_trace.c */
    const char *report;                /* NAME_generate_report.txt */
    const char *profiles;              /* neural_art.json, under that or a similar name */
    const char *mpool;                 /* the only .mpool, or the one that the only profile names */
    const char **mpools;               /* all of the folder, sorted */
    uint32_t n_mpools;
    const char *others; /* "a.xmodel, measured.json": what else a command could be given; NULL: nothing */
} model_folder;

/* The result does not depend on the order in which the system lists a folder. Subfolders are not entered, but
 * for the path that a profile states; hidden files, and what is no regular file, are passed over.
 * Errors: E_NO_INPUT (no folder), E_IO, E_LIMIT (more than 4096 entries); those of
 *   model/formats/neural_art/mpool.h when the profiles have to decide. */
roof_status model_folder_find(const char *folder, roof_arena *arena, model_folder *out, roof_error *err);
