/* hwdb/hwdb.h - between the files of hwdb: the object behind roof_hw, finding entries, putting them together.
 *
 * Ownership: a roof_hw owns one arena; quantities keep their address for its life.
 */
#pragma once

#include "hwdb/entry.h"

typedef struct hwdb_value {
    roof_quantity quantity;
    const char *origin; /* id of the entry, or what overrode it */
} hwdb_value;

struct roof_hw {
    roof_arena *arena;
    const char *id, *name, *board, *family, *summary; /* NULL: not known yet */
    const char *path;                                 /* of the file that it was read from; NULL: none */
    hwdb_value **values;                              /* sorted by key */
    size_t n_values;
    const char **notes;
    size_t n_notes;
    double base_clock_hz,
        base_memory_bytes_per_s; /* of the base of a line of --hw that has its own; 0: none */
    bool is_abstract;
    bool board_is_assumed; /* the entry is one of a fingerprint, which other boards have as well */
};

/* The bits of a fingerprint that name family, instruction set where it matters, and size, and so choose an
 * entry. All bits for families that no rule decodes. */
uint64_t hwdb_fingerprint_mask(uint64_t fingerprint);

roof_hw *hwdb_hw_new(void);

/* Adds a value, or replaces it if replace is set. Strings are copied. */
roof_status hwdb_hw_put(roof_hw *hw, const roof_quantity *quantity, const char *origin, bool replace,
                        roof_error *err);
double hwdb_value_or_0(const roof_hw *hw, const char *key); /* 0: it has none */
void hwdb_hw_remove(roof_hw *hw, const char *key);
roof_status hwdb_hw_add_note(roof_hw *hw, const char *note, roof_error *err);

/* --- finding (find.c) --- */

enum { HWDB_MAX_FOLDERS = 32 };

/* Where entries are looked up: level 0 .. n_folders - 1 are folders, level n_folders is what is built in. */
typedef struct hwdb_search {
    const char *folders[HWDB_MAX_FOLDERS];
    const char *variables[HWDB_MAX_FOLDERS]; /* which one of the environment named it */
    size_t n_folders;
} hwdb_search;

/* A description that is there, or one that is to be found. */
typedef struct hwdb_document {
    const char *name; /* of the entry that is to be found, and then all others are; NULL: it is there */
    const char *path; /* of a file; NULL: text, or built in */
    const struct hwdb_builtin *builtin;
    const char *text;
    size_t size;
    const char *place; /* for messages: path, or "built-in entry 'b4096'" */
    size_t next_level; /* where a parent of the same name is looked up */
} hwdb_document;

/* Folders from the environment. */
roof_status hwdb_search_init(hwdb_search *search, roof_arena *arena, roof_error *err);

/* The first document called name from level on, which is the arena's. Errors: E_NO_INPUT with the nearest
 * names; E_IO for a folder that cannot be read, which may hold it; a file that is broken. */
roof_status hwdb_find(const hwdb_search *search, roof_arena *arena, const char *name, size_t from_level,
                      hwdb_document *out, roof_error *err);

/* Reads a document (read.c). Everything wrong with it goes to problems; out is complete only when
 * hwdb_problems_status is OK. Errors: it cannot be read, or is no JSON; the document is the place. */
roof_status hwdb_entry_read(const hwdb_document *document, hwdb_problems *problems, hwdb_entry *out,
                            roof_error *err);

/* The same of a table of measured ceilings (ceilings.c), and whether it is one: by name or beginning. */
bool hwdb_is_table(const hwdb_document *document);
roof_status hwdb_ceilings_read(const hwdb_document *document, hwdb_problems *problems, hwdb_entry *out,
                               roof_error *err);

/* --- putting together (hwdb.c) --- */

/* Puts an entry and all that it extends into hw; the entry's texts live as long as hw. next_level: where its
 * own name may be looked up again, so that a file can extend the entry that it hides. */
roof_status hwdb_resolve(roof_hw *hw, const hwdb_search *search, const hwdb_entry *entry, size_t next_level,
                         roof_error *err);

/* What a document describes, abstract or not. A base that a text extends is looked up among the built-in
 * entries only. */
roof_status hwdb_load(hwdb_document document, roof_hw **out, roof_error *err);

/* A name that ends as those of descriptions and tables do (spec.c). */
bool hwdb_is_file_name(text_span name);

/* Hardware in one line, "mac=2048/cycle,clock=300MHz" (spec.c). */
roof_status hwdb_load_inline(const char *spec, roof_hw **out, roof_error *err);

/* An item of such a line by itself, for who reads it as a member of a document: whether there is such a key,
 * and whether its value is one. Errors: E_USAGE, without a place. */
bool hwdb_item_is_known(const char *key);
roof_status hwdb_item_check(const char *key, const char *text, roof_error *err);
