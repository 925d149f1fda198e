/* measure/import/importer.h - what an importer is: one tool's file becomes runs of a measured document.
 * Importers know no other importer.
 *
 * An importer is found by the content of a file, never by its name. It reads line by line or value by value,
 * so that memory follows the number of different rows and not the length of the file. It includes what all
 * importers stand on: core/core.h, core/json/codec.h, fields.h and events.h.
 */
#pragma once

#include "core/json/codec.h"
#include "measure/import/events.h"
#include "measure/import/fields.h"
#include "measure/profile/profile.h"
#include "roofline/import.h"

/* Bytes of a file that a sniffer sees at most. */
enum { SNIFF_BYTES = 64 << 10 };

typedef struct import_state {
    const struct importer_def *importer;
    const char *path; /* for remarks, and for what opens it; it never decides which importer is chosen */
    const char *head; /* the beginning, with zeros behind it: SNIFF_BYTES */
    const roof_import_options *options; /* never NULL */
    roof_measured *out;     /* has one source; tool, files and notes are filled behind the importer */
    textbuf notes;          /* by import_note */
    const char *device;     /* what runs the rows, as its importer says */
    const char *model;      /* which import_add_run was given first; NULL: none yet */
    roof_arena *scratch;    /* of what is needed until the import ends */
    struct table_row *rows; /* of measure/import/row.h */
    uint32_t n_rows;
    struct row_timings *timings; /* of measure/import/timings.h, linked */
    const char **recent;         /* names that were kept, by their hash */
    uint32_t first;              /* experiment of the run of the tool that is read; of others before it */
    bool small;                  /* somewhere a row has ~0 */
    uint32_t n_functions;        /* of the CPU, which are remarks */
    double told_hz;              /* by --map, of an importer that takes a clock there; NaN: it is not */
    roof_doubt *doubts;          /* of all runs */
    uint32_t n_doubts;
    span_list spans;            /* of executions on the device, where the file says when they began */
    span_list work, moves, all; /* those that compute; communication and copies; both */
    double moves_s, messages_s; /* sums: of communication and copies, and of communication alone */
    unsigned char *whole;       /* the file, of an importer that says whole_instead */
    size_t n_whole;
} import_state;

/* How sure a mark makes that a file is an importer's own: a table that any CSV could be, words that others
 * may use too, a heading of its own. */
enum { SNIFF_MAYBE = 1, SNIFF_LIKELY = 50, SNIFF_SURE = 100 };

/* All words stand in the beginning of the file, but for one behind a '!', which does not. */
typedef struct importer_mark {
    unsigned score;
    const char *words[3]; /* NULL behind the last one */
} importer_mark;

enum { MOST_MARKS = 10 };
/* clang-format off */
#define SURE(...)   {SNIFF_SURE, {__VA_ARGS__}}
#define LIKELY(...) {SNIFF_LIKELY, {__VA_ARGS__}}
/* clang-format on */

/* An importer keeps here what it knows while it reads: each file of an importer completes this type itself.
 * It begins with the import_state *; what it needs until the end lies in scratch. */
struct reading;

/* An importer reads a text line by line, a JSON document value by value, a trace event by event, or a binary
 * file piece by piece, and writes what it kept behind the end. */
typedef struct importer_def {
    const char *id;
    const char *tool; /* as people call it: "Nsight Systems"; NULL: its id */
    const char *next; /* what to do next with a profile of it alone, as an order; NULL: what all are told */
    const char *fuse; /* the option of its compiler or runtime that fuses operators; NULL: none is known */
    const char *keep; /* how to have it tell every inference, as an order; NULL: as all are told */
    const char *program; /* whose files others read as well: what its timing costs is one; NULL: none does */
    importer_mark marks[MOST_MARKS];     /* the highest score of those that fit counts */
    unsigned (*sniff)(const char *text); /* instead of marks; text is NUL-terminated */
    const char *device;                  /* what runs its rows; NULL: not always the same */
    const char *mode_why;                /* why mode is the only one that there is; NULL: there are others */
    roof_run_mode mode;
    const char *again;  /* a line with it begins one more run of the tool in one log; NULL: there is one */
    bool names_kernels; /* its rows are kernels, whose names are those of no operator */
    bool takes_map;     /* --map names another file for it */
    const char *outdone_by; /* the importer whose file tells all this and more, of the same run; NULL: none */
    bool unverified;        /* made from documents: no file that the tool itself wrote was ever read */
    const struct tool_table *table; /* of measure/import/tool_table.h; NULL: it reads by itself */
    size_t reading_bytes;
    const void *empty; /* a reading that knows nothing yet; NULL: all of it is 0 */
    roof_status (*begin)(struct reading *r, roof_error *err); /* NULL: there is nothing to prepare */
    roof_status (*line)(struct reading *r, const import_line *line, roof_error *err);
    const line_field *lines; /* instead: of lines without the blanks around them */
    size_t n_lines;
    /* Instead of line; of both, the first byte decides. */
    roof_status (*json)(struct reading *r, jsonpull *puller, roof_error *err);
    const codec_object *document; /* the same by a table of its members, whose target is the reading */
    /* An item of documents of JSON that stand one after the other, or of an array. c->user: the reading. */
    roof_status (*item)(codec *c, const json_event *event, void *r);
    event_calls trace;                                       /* instead of both */
    roof_status (*file)(struct reading *r, roof_error *err); /* likewise: it opens the path itself */
    /* In place of line: the file is binary, its parts name one another, and finish finds all of its bytes in
     * in->whole; what to do where they are more than 1 GiB, "profile fewer steps". */
    const char *whole_instead;
    roof_status (*finish)(struct reading *r, roof_error *err);
    void (*end)(struct reading *r); /* also after a failure; NULL: all lies in scratch */
} importer_def;

/* For the importer_def of files that have times of whole models alone, or rows for parts of one alone. */
#define WHOLE_ONLY(why)  .mode_why = (why), .mode = ROOF_RUN_BYPASS
#define LAYERS_ONLY(why) .mode_why = (why), .mode = ROOF_RUN_PER_LAYER
#define ROWS_ONLY        LAYERS_ONLY("the file has a row for each part of a model")

/* The reading of an importer_def, and what in an empty one is not 0. */
#define READING(type, ...)                                                                                   \
    .reading_bytes = sizeof(type), .empty = &(const type)                                                    \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }

/* The members of a codec_object, in its place. */
#define MEMBERS(...) CODEC_ROWS(((const codec_member[]){__VA_ARGS__}))

/* The i-th importer compiled in, NULL past the end. */
const importer_def *importer_at(size_t i);

/* True if the words of a mark are there, or not there, as it says. */
bool import_has_words(const importer_mark *mark, const char *text, size_t size);

/* Names the file to import in place of one that is known but that no importer takes; else NULL. */
const char *import_advice(const char *text, size_t size);

/* Imports what read gives, as roof_import_file and the fuzz target do. path: for messages and the source. */
roof_status import_stream(import_read read, void *context, const char *path,
                          const roof_import_options *options, roof_measured **out, roof_error *err);

/* --- for importers ------------------------------------------------------------------------------------ */

/* A remark: what a reader has to know to trust the document. A sentence without its full stop and without
 * ';', which stands between remarks; names in it are made safe. Beyond some kilobytes the rest is dropped.
 * With a count: one that begins with it, "3 ends without a begin are left out", where it is not 0. */
void import_note(import_state *in, const char *format, ...) ROOF_PRINTF(2, 3);
void import_note_count(import_state *in, uint64_t n, const char *what);

/* A remark where what the rows add up to is more than a tolerance away from what the file states, which may
 * be NaN. unit: of all three. of: whose sum is stated, "the log". */
void import_check_sum(import_state *in, double sum, double stated, double tolerance, const char *unit,
                      const char *of);

/* Makes all runs of the file doubtful, also those that are made later: a finding of what is made of
 * them, and a remark in the same words. Only the first few of each kind count. format: as of run_add_doubt.
 * Errors: E_NO_MEMORY. */
roof_status import_doubt(import_state *in, roof_doubt_kind kind, roof_error *err, const char *format, ...)
    ROOF_PRINTF(4, 5);

/* Behind the last row: takes rows such as "Total" out of the layers of a run. One that is the sum of the
 * others is their stated sum; of another one a remark says so. */
void import_take_totals(import_state *in, roof_run *run);

/* When an execution of a row began and ended, in ticks of so many seconds: it tells how long the device
 * waited. Only of what the device ran. Errors: E_NO_MEMORY. */
roof_status import_saw(import_state *in, span_of_time span, double tick_s, roof_error *err);

/* The same with its name, which tells communication from kernels, or without one (NULL) of a copy, which is
 * no execution: how much of both ran while kernels computed is a remark on the file, once, by the step where
 * steps are known (else 0), and where there is communication, or copies of which it is wanted. Errors: as
 * above. */
roof_status import_saw_named(import_state *in, span_of_time span, double tick_s, text_span name,
                             roof_error *err);
void import_tell_hidden(import_state *in, uint64_t steps, bool of_copies);

/* Where a profile of kernels has messages between devices, types of rows tell. */
void import_tell_messages(roof_run *run);

/* A number for a remark, with at most three decimals and a point whatever the locale is. Returns buffer, or
 * one that lives as long as the block. */
enum { REMARK_NUMBER_SIZE = 40 };
const char *import_number(char buffer[REMARK_NUMBER_SIZE], double value);
#define NUMBER(value) import_number((char[REMARK_NUMBER_SIZE]){""}, (value))

/* A new run of a model, in its experiment, which is made with its first run. A path that the user named is
 * the model of all runs. model: as the file names it, which lives as long as the document; NULL when it does
 * not.
 * Errors: E_USAGE when the file has several models and the user named the path of one, E_NO_MEMORY. */
roof_status import_add_run(import_state *in, const char *model, roof_run_mode mode, roof_run **out,
                           roof_error *err);

/* Refuses a second model where the user named the path of one. Errors: E_USAGE. */
roof_status import_one_model(import_state *in, const char *model, roof_error *err);

/* For files that may have several models whatever the user named: the experiment of a model by its name in
 * the file, which is made when it is not there, and a new one. model: as above. NULL without memory. */
roof_experiment *import_experiment_of(import_state *in, const char *model);
roof_experiment *import_add_experiment(import_state *in, const char *model);

/* Names the model of a file that has one, once its runs are there; NULL, empty: none. E_DATA, E_NO_MEMORY. */
roof_status import_name_model(import_state *in, const char *name, roof_error *err);

/* The mode of a file that does not state it: what the user says, else by the number of different rows, with a
 * remark. One or two are whole DPU subgraphs, more are layers. Errors: E_USAGE for an unknown mode. */
roof_status import_mode(import_state *in, size_t n_rows, roof_run_mode *out, roof_error *err);

/* Sums up what rows of a run say of one inference, when each was run as often as the others: iterations,
 * launches, their sum, and the total of a whole-network run. Else a remark. Rows without counts only have a
 * sum. */
void import_sum_up(import_state *in, roof_run *run);

/* The same where it is known how many inferences the rows are of: how often each runs a row, where that is a
 * whole number for all of them, and the sum, else a remark. 0, unknown: rows with counts are of the whole
 * recording, unless the user says of how many inferences that is. */
void import_sum_iterations(import_state *in, roof_run *run, uint64_t iterations);

/* True if all rows, one at least, ran equally often, or no count is known; and the sum of their means. */
bool import_counts_agree(const roof_run *run);
double import_sum_of_rows(const roof_run *run);

/* A name as it is kept: not empty, without control characters; and a copy of it that lives as long as the
 * document. Names that come again and again, as in traces, are mostly copied once. Errors: E_DATA,
 * E_NO_MEMORY. */
roof_status import_check_name(text_span name, roof_error *err);
roof_status import_keep_name(import_state *in, text_span name, const char **out, roof_error *err);
