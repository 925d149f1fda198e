/* core/outputs_place.h - how the files of a set take their places (core/outputs.h). */
#ifndef ROOF_CORE_OUTPUTS_PLACE_H
#define ROOF_CORE_OUTPUTS_PLACE_H

#include <signal.h>
#include "core/error.h"
#include "core/outputs.h"

/* "PATH: WHAT: why", by errno. Returns ROOF_E_IO, or ROOF_E_NO_MEMORY. */
static inline roof_status outputs_fail(roof_error *err, const char *path, const char *what)
{
    roof_status status = error_errno(err, ROOF_E_IO, what);
    if (status != ROOF_E_NO_MEMORY)
        error_prefix(err, "%s", path);
    return status;
}

/* While names change, and between a folder's making and its entry in the list, no handler may look. */
void outputs_hold_signals(sigset_t *before);
void outputs_release_signals(const sigset_t *before);

/* E_USAGE when a file would overwrite what was read, or one that was added before it. */
roof_status outputs_check(const outputs *set, const outputs_file *f, roof_error *err);

/* Puts all files of a set in their places, or none. */
roof_status outputs_place(outputs *set, roof_error *err);

/* Where an old file could not be put back it stays in its temporary folder, and so does that. */
bool outputs_hold_old(const outputs *set, const outputs_folder *f);

#endif
