/* model/formats/neural_art/art_report.h - NAME_generate_report.txt: what `stedgeai generate` and `analyze`
 * print of a plan. It lists every epoch that runs and who runs it, and what the memory pools hold; no bytes
 * nor cycles of an epoch.
 *
 * Units: _bytes bytes.
 * Ownership: everything that is read lives in the caller's arena.
 *
 * Two layouts are read: up to ST Edge AI Core 3.x a line for each epoch, where "??" stands for a hybrid one;
 * since 4.0 a table in which one row may be a program of the epoch controller, "epochs 1 -> 53". Numbers
 * within such a program may be missing: the compiler counts only epochs that run.
 */
#pragma once

#include "core/core.h"
#include "roofline/plan.h"

/* Epochs first to last, both included; one epoch when they are equal. */
typedef struct art_row {
    uint32_t first, last;
    roof_epoch_kind kind;
    bool by_controller; /* of a program of the epoch controller */
    const char *op;     /* work of the host, "Softmax"; "": none, or not stated */
} art_row;

typedef struct art_report {
    const char *tool, *network; /* "ST Edge AI Core v2.2.0-20266", "net"; "" when not stated */
    roof_pool *pools;           /* no byte_width, no freq_ratio, no flags */
    uint32_t n_pools;
    art_row *rows; /* numbers rise */
    uint32_t n_rows;
    bool has_program_rows; /* the table since 4.0, in which a program is a row */
    uint32_t n_epochs;     /* as many as the report says there are; never more than the rows have room for */
} art_report;

/* True for the first bytes of such a report, which may still be of a model for a CPU. */
bool art_report_sniff(const unsigned char *bytes, uint64_t size);

/* Errors: E_NO_INPUT, E_IO; E_DATA with the line (no list of epochs, as of a model for a CPU; a list that was
 *   cut or that does not add up), E_LIMIT. */
roof_status art_report_read(const char *path, roof_arena *arena, art_report *out, roof_error *err);
roof_status art_report_read_memory(const void *bytes, uint64_t size, roof_arena *arena, art_report *out,
                                   roof_error *err);

/* A line of "Memory usage information": name is a part of it, the pool has all but that. False: it is none.
 */
bool art_report_take_pool(text_span line, text_span *name, roof_pool *pool);

/* Takes a hexadecimal number, which may stand behind blanks. */
bool art_report_take_address(text_span *at, uint64_t *out);

/* Fills what the plan's epochs and pools do not state: kinds, programs of the epoch controller, what the host
 * does; address, size and contents of pools. Consecutive epochs of the controller are one program, as in all
 * plans that tell both. A report that lacks an epoch of the plan, or knows another kind of it, is of another
 * plan: *differs then says how, nothing is filled, and otherwise it is NULL. Texts of the report stand in the
 * plan from then on.
 * Errors: E_NO_MEMORY. */
roof_status plan_apply_report(roof_plan *plan, const art_report *report, roof_arena *arena,
                              const char **differs, roof_error *err);
