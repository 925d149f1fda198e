/* core/files/leftovers.h - temporary folders whose process has died, and what they hold. */
#ifndef ROOF_CORE_FILES_LEFTOVERS_H
#define ROOF_CORE_FILES_LEFTOVERS_H

/* .roofline-XXXXXX holds new files, and in .was the old ones that they replace (an empty folder of a file's
 * name: there was none). While its process lives it is locked. */
#define LEFTOVERS_PREFIX ".roofline-"
#define LEFTOVERS_KEPT   ".was"
#define LEFTOVERS_DONE   ".done" /* what .was is called once all new files are in their places */

/* Puts back the old files of what a dead process left in folder, and removes the rest. An old file does not
 * take the place of one that somebody has written since. Returns the folder, open and locked, so that no
 * other process clears what the caller is about to make; -1 when it cannot be opened. */
int leftovers_clear(const char *folder);

/* Calls each for every name in an open folder, without memory. */
typedef void leftovers_visitor(int folder, const char *name, void *with);
void leftovers_visit(int folder, leftovers_visitor *each, void *with);

/* Removes a temporary folder and the files in it. Safe in a handler of signals. */
void leftovers_remove(const char *temporary);

#endif
