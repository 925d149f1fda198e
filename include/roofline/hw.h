/* roofline/hw.h - device descriptions: entries of the hardware database and descriptions from files.
 *
 * Units: every value carries its own; the unit words are Hz, B/s, B/cycle, lanes, ops/cycle, MACs/cycle,
 *   count, B, s, ops/s, cycles, W, ratio. "lanes" counts parallel positions of an array (pixels, channels), a
 *   "ratio" is a share, such as an error of 0.12.
 * Shapes: an entry is a flat list of quantities under dotted keys, such as "conv.pixel_parallel" or
 *   "ddr.bandwidth".
 * Ownership: a roof_hw owns its strings and quantities; all die with roof_hw_free. Built-in text is static.
 *
 * An entry may extend another one; values of the nearer entry win. Each value is {value, unit, kind, source},
 * with a caveat where sources disagree or a value does not hold everywhere.
 * The kind says what a number is worth, weakest last: datasheet, vendor_file, measured, derived, assumed.
 */
#ifndef ROOFLINE_HW_H
#define ROOFLINE_HW_H

#include <stdbool.h>
#include <stddef.h>
#include "roofline/status.h"

ROOF_BEGIN_C

typedef enum roof_value_kind {
    ROOF_KIND_DATASHEET,
    ROOF_KIND_VENDOR_FILE,
    ROOF_KIND_MEASURED,
    ROOF_KIND_DERIVED,
    ROOF_KIND_ASSUMED,
    ROOF_KIND_COUNT
} roof_value_kind;

typedef struct roof_quantity {
    const char *key;  /* "ddr.bandwidth" */
    double value;     /* in unit; integers up to 2^53 are exact */
    const char *unit; /* "B/s" */
    roof_value_kind kind;
    const char *source; /* document, table or file; never empty */
    /* note for readers of the value: another source, and why this one was taken; NULL: none */
    const char *caveat;
} roof_quantity;

typedef struct roof_hw roof_hw;

/* Loads one description.
 *
 * spec: an id or alias ("b4096", "kv260"), the path of a JSON file (it ends in ".json", or has a '/' and no
 *   '=') or of roofline.csv that rocprof-compute wrote (it ends in ".csv"), or an inline description (it has
 *   a '='): "mac=2048/cycle,clock=300MHz,ddr=19.2GB/s" (bandwidth= says the same as ddr=), where ops=,
 *   cores=, name= and any key of the database may be added, or changes to an entry:
 *   "base=b4096,clock=200MHz,alu.pixel_parallel=8". Ids and aliases are searched, ignoring case, in the
 *   folders of the environment variable ROOFLINE_HW_PATH (separated by ':'), then in
 *   $XDG_CONFIG_HOME/roofline/hw (or ~/.config/roofline/hw), then among the built-in entries. A file of these
 *   folders that cannot be read is passed by, unless its name or its "id" is what is looked for; pipes,
 *   devices and folders there are not opened.
 * out: the caller frees it with roof_hw_free.
 * Errors: E_NO_INPUT when nothing has that name (the message names the nearest ones), E_IO when one of these
 *   folders cannot be read (it is the place, and the message says which variable named it), E_DATA for a file
 *   that is not a description, with a JSON pointer as its place, E_USAGE for an inline description that is
 *   wrong.
 * Example (tests/unit/test_hwdb.c): roof_hw_load("b4096") gives clock 300e6 Hz and conv.pixel_parallel 8.
 */
ROOF_API roof_status roof_hw_load(const char *spec, roof_hw **out, roof_error *err);

/* The length of the first description in a list, "kv260,zcu104,mac=2048/cycle,clock=300MHz", as roof_hw_load
 * takes each. The next one begins behind the comma that follows.
 *
 * Rule: a list is split at its commas. A part without '=' is an entry or a file. A part with '=' begins a
 * description of one line, and all later parts with '=' belong to it, until a key is there twice, which
 * begins the next description. A part that ends in ".json" or ".csv" is a file; so is the whole list, if it
 * ends so and such a file is there.
 *
 * list: not NULL.
 * Example (tests/unit/test_spec_list.c): 5 of the list above, then 6, then all the rest. "" is 0. */
ROOF_API size_t roof_hw_first_of(const char *list);

/* Loads the entry that describes the DPU a model was compiled for, from the model's fingerprint.
 *
 * The fingerprint states the configuration of the engines: those values override the entry's, as kind
 * vendor_file. It does not state the board: clock, cores and memory are the entry's, and a note says so.
 *
 * fingerprint: bits 63..56 family, 55..48 instruction set, 47..0 feature code; see roofline/fingerprint.h.
 * Errors: E_NO_INPUT when no entry has this fingerprint's family and configuration.
 * Source: Xilinx/Vitis-AI, src/vai_runtime/target_factory/src.
 * Example: 0x101000056010407 and 0x101000016010407 both give "b4096".
 */
ROOF_API roof_status roof_hw_match(uint64_t fingerprint, roof_hw **out, roof_error *err);

ROOF_API void roof_hw_free(roof_hw *hw);

/* A copy that can be changed. out: the caller frees it. Errors: E_NO_MEMORY. */
ROOF_API roof_status roof_hw_copy(const roof_hw *hw, roof_hw **out, roof_error *err);

ROOF_API const char *roof_hw_id(const roof_hw *hw);    /* "b4096" */
ROOF_API const char *roof_hw_name(const roof_hw *hw);  /* "DPUCZDX8G B4096" */
ROOF_API const char *roof_hw_board(const roof_hw *hw); /* "KV260", or "" */
/* The entry describes a configuration, such as b4096, which other boards have as well: clock, cores and
 * memory are those of roof_hw_board. */
ROOF_API bool roof_hw_board_is_assumed(const roof_hw *hw);
/* True where they are of different families, boards or arrays, so that what was measured on one says nothing
 * of the other. A configuration that a board has is no other hardware, and neither is another clock. Example
 * (tests/unit/test_mismatches.c): kv260 and zcu104 are, kv260 and b4096 are not. */
ROOF_API bool roof_hw_is_other(const roof_hw *a, const roof_hw *b);
/* The value was given in a description of one line, by who asks. */
ROOF_API bool roof_hw_is_inline(const roof_quantity *quantity);

/* The clock and the memory's bandwidth that constants of an entry were measured at: its own, also where
 * base=ENTRY,clock=... says another one. 0: unknown. */
ROOF_API double roof_hw_own_clock_hz(const roof_hw *hw);
ROOF_API double roof_hw_own_bandwidth(const roof_hw *hw);
/* Its file, or its id where it is of none; for messages. */
ROOF_API const char *roof_hw_place(const roof_hw *hw);
/* "dpuczdx8g": the cost model that reads this entry. */
ROOF_API const char *roof_hw_family(const roof_hw *hw);
ROOF_API const char *roof_hw_summary(const roof_hw *hw); /* one line, or "" */

/* The quantity under a key, or NULL when the entry does not have it. Belongs to hw. */
ROOF_API const roof_quantity *roof_hw_get(const roof_hw *hw, const char *key);

/* The i-th quantity, sorted by key; NULL past the end. */
ROOF_API const roof_quantity *roof_hw_at(const roof_hw *hw, size_t i);

/* Id of the entry that the quantity under a key was taken from, the entry's own or one that it extends; what
 * overrode it ("fingerprint 0x0101000056010407") otherwise. NULL when the entry does not have the key. */
ROOF_API const char *roof_hw_origin(const roof_hw *hw, const char *key);

/* The i-th remark of the entry (a caveat that belongs in a report); NULL past the end. */
ROOF_API const char *roof_hw_note(const roof_hw *hw, size_t i);

/* Replaces or adds one quantity, for what-ifs such as --clock. Its kind is ROOF_KIND_ASSUMED. */
ROOF_API roof_status roof_hw_set(roof_hw *hw, const char *key, double value, const char *unit,
                                 const char *source, roof_error *err);

/* The word of a kind as it is written in documents, "vendor_file". */
ROOF_API const char *roof_value_kind_text(roof_value_kind kind);
ROOF_API const char *roof_value_kind_words(roof_value_kind kind); /* for people: "vendor's file" */

/* Tells of each file in the folders of roof_hw_load that cannot be read: another description may have stood
 * in for it.
 * Errors: E_NO_MEMORY, E_LIMIT. A folder that cannot be read is told of as well. */
typedef struct roof_hw_broken {
    void (*tell)(void *context, const roof_error *why);
    void *context;
} roof_hw_broken;
ROOF_API roof_status roof_hw_find_broken(const roof_hw_broken *tell, roof_error *err);

/* Built-in entries in order of id, for listings. abstract entries, which only others extend, are left out. */
typedef struct roof_hw_listing {
    const char *id, *name, *family, *aliases, *summary;
} roof_hw_listing;
ROOF_API const roof_hw_listing *roof_hw_builtin(size_t i);

/* True where a word stands in the entry's id, names or summary; case does not count, nor '-' in place of a
 * blank. */
ROOF_API bool roof_hw_listing_has(const roof_hw_listing *entry, const char *word);

/* A problem of a description, with advice. */
typedef struct roof_hw_problem {
    bool is_error;       /* false: it loads, but is probably not what was meant */
    const char *pointer; /* JSON pointer, "" for the whole document */
    const char *text;    /* "unit 'MHz' is unknown" */
    const char *advice;  /* "write Hz" */
} roof_hw_problem;

typedef struct roof_hw_report roof_hw_report;

/* Checks the description in a file, all of it: schema, ids, units, kinds, sources, what it extends, and the
 * values that the cost model of its family needs.
 *
 * path: a JSON file, or "-" for standard input.
 * out: the caller frees it with roof_hw_report_free.
 * Errors: E_NO_INPUT, E_IO, E_LIMIT, E_DATA when it is no JSON; what is wrong with the content is in the
 *   report.
 * Example (tests/unit/test_hwdb.c): a clock in MHz gives "/values/clock/unit", "unit 'MHz' is unknown", and
 *   advice.
 */
ROOF_API roof_status roof_hw_check(const char *path, roof_hw_report **out, roof_error *err);
ROOF_API void roof_hw_report_free(roof_hw_report *report);

/* The i-th problem, in the order of the document; NULL past the end. Belongs to the report. */
ROOF_API const roof_hw_problem *roof_hw_report_problem(const roof_hw_report *report, size_t i);

/* The description with all that it inherits, or NULL when a problem is an error. Belongs to the report. */
ROOF_API const roof_hw *roof_hw_report_hw(const roof_hw_report *report);

/* The board with its array in the i-th of the sizes that its family is built in, in order of id: clock, cores
 * and memory stay the board's, and so does what a line of --hw says of anything but the array.
 *
 * name: of the size, "DPUCZDX8G B1600"; belongs to *out.
 * out: the caller frees it; NULL with ROOF_OK past the end, and where no entry states what a size takes.
 * Example (tests/unit/test_hwdb.c): of zcu102 there are eight, the last one B800 at 281 MHz. */
ROOF_API roof_status roof_hw_in_size(const roof_hw *board, size_t i, const char **name, roof_hw **out,
                                     roof_error *err);

/* Meaning of a key of the database ("peak of the external memory, shared by all cores"); NULL: of no law. */
ROOF_API const char *roof_hw_key_meaning(const char *key);

ROOF_END_C
#endif
