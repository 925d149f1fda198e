/* roofline/import.h - files of other tools as a measured document.
 *
 * Units: as in roofline/measured.h; importers convert, and name what the tool's file does not say.
 * Ownership: *out is freed with roof_measured_free.
 */
#ifndef ROOFLINE_IMPORT_H
#define ROOFLINE_IMPORT_H

#include "roofline/measured.h"

ROOF_BEGIN_C

/* Why a file was taken for what it is. */
typedef struct roof_import_reason {
    const char *importer; /* NULL: nothing takes it */
    const char *words[3]; /* stand in its beginning; NULL behind the last, and all: its form says so */
    const char *second;   /* a less likely importer; NULL: none */
    bool was_named;       /* by the options; nothing was looked for */
} roof_import_reason;

typedef struct roof_import_options {
    const char *from; /* id of an importer; NULL: found by content */
    /* Columns of a CSV of any tool, "name=Layer,time=Mean:ms"; of tools with two files, the other one, which
     * names ids, has the types of layers or the clock; of figures without units, these, "time=us,bytes=MB"
     * (docs/formats/import.md). NULL: none. */
    const char *map;
    const char *tool;  /* that timed a table of any tool, "vaitrace"; NULL: not stated. An error elsewhere */
    const char *mode;  /* "bypass" or "per_layer", where the file has none; NULL: the importer's guess */
    const char *model; /* path of the model, which is written into the document; NULL: none */
    const char *hardware;       /* id of the hardware, likewise */
    roof_import_reason *reason; /* where to say why, also when the import fails then; NULL: nowhere */
    /* Part that energy and power of the file cover, such as "board"; NULL: as its format says. */
    const char *power_scope;
    uint64_t inferences; /* that ran while the file counted, where it counts for all of them; 0: not stated */
} roof_import_options;

/* Reads one file of another tool.
 *
 * path: a file, or "-" for standard input.
 * A file that holds no times of a network gives a document without experiments, whose notes say what it has.
 * Errors: E_DATA with the line (nothing that any importer knows; the message lists what was looked for),
 *   E_USAGE for a map or a mode that is wrong, or a map that is missing, E_LIMIT (more than 2^18 different
 *   rows), E_NO_INPUT, E_IO.
 * Memory is that of the different rows and of at most 2^22 samples, a third of it for one row; beyond these,
 * mean,
 *   deviation, minimum, maximum and count of all of them are kept, and the notes say so.
 */
ROOF_API roof_status roof_import_file(const char *path, const roof_import_options *options,
                                      roof_measured **out, roof_error *err);

/* Makes one experiment of the files of one toolkit that were imported together and name no model, or the
 * same: a timeline, a listing and what the console printed. Each of its tools may have one file; where one
 * has two, they may be of two models, and all stay apart. A run whose rows are only shares gets the
 * accelerator's time of the whole-network run as the sum of its layers, so that its rows have seconds, and
 * the notes of its source say so. Rows of Nsight Systems get the bytes and operations that Nsight Compute
 * counted of the same kernels, where there is a document of each and nothing else.
 *
 * measured: what roof_measured_merge made of the documents of roof_import_file.
 * note: what was added to those notes, which lives as long as the document; NULL: nothing.
 * Errors: E_NO_MEMORY.
 * Example (tests/unit/test_import_sigmastar.c): a row of 60 % and 5 ms of "IPU Time" take 3 ms.
 */
ROOF_API roof_status roof_import_join(roof_measured *measured, const char **note, roof_error *err);

/* How the power of one file is laid beside the times of another. */
typedef struct roof_power_options {
    uint64_t inferences; /* that ran in the window; 0: not stated */
    /* The window, in seconds from the first sample on; NaN: from its beginning, to its end. */
    double from_s, to_s;
    /* Power of the machine when nothing runs; NaN: that of a quiet part before the window, if there
     * is one. */
    double idle_power_w;
} roof_power_options;

/* Lays the power of a document beside the only run of another one that has a time and no power; of several
 * the only whole-network run.
 *
 * power: one that roof_import_file made, with a single run, whose samples are not in documents. On success
 * its source belongs to
 *   into, and it is freed with it; on failure the caller frees it.
 * how: a sentence on what was done, which lives as long as into.
 * Formula: power is the energy of the window (trapezoid) over its length; energy of one inference is
 *   (energy - idle power x length) / inferences, or / iterations of the run where these fill the window to 80
 *   to 102 %. Where neither is known it stays unknown: roof_reconcile takes power x time then, and says so.
 * Errors: E_DATA (no such run, or several; a window beyond the log, or of a log without times; idle power
 *   above that of the window), E_NO_MEMORY.
 * Example (tests/unit/test_join_power.c): 2 W for 10 s, 1 W idle, 100 inferences: 0.1 J each, above idle.
 */
ROOF_API roof_status roof_measured_lay_power(roof_measured *into, roof_measured *power,
                                             const roof_power_options *options, const char **how,
                                             roof_error *err);

/* The same within a document, as far as it is sure: a run that has power and nothing else gives it to the
 * only run of its model and its hardware, where these are stated, that has a time and no power, of several
 * the only one of its mode. Others stay, and roof_reconcile has a finding on them; so do all where more than
 * 64 have power alone. Returns how many gave theirs. */
ROOF_API uint32_t roof_measured_join_power(roof_measured *measured);

/* The i-th importer's id and what it reads, for listings and --help; NULL past the end. */
ROOF_API const char *roof_importer_name(size_t i);
ROOF_API const char *roof_importer_doc(size_t i);

/* The id of an importer whose file, when it lies in the same folder, states all that this one's file does and
 * more; NULL: there is none. */
ROOF_API const char *roof_importer_outdone_by(const char *id);

/* The importer whose file this one is, by its beginning; NULL: none, or it cannot be read.
 *
 * advice: what else is known of a file beside a profile, "the settings of XRT have no times; ..."; NULL:
 * nothing. */
ROOF_API const char *roof_importer_of(const char *path, const char **advice);

/* True where the importer has read files that the tool itself wrote; others rest on descriptions of their
 * formats. */
ROOF_API bool roof_importer_is_verified(size_t i);

ROOF_END_C
#endif
