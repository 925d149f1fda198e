/* The system of SQLite where there is no POSIX: the small file system of SQLite's own source tree. It has no
 * locks, so a history is for one writer. scripts/wasm.sh compiles it beside SQLite. */
#include "sqlite3.h"

sqlite3_vfs *sqlite3_demovfs(void);

int sqlite3_os_init(void)
{
    return sqlite3_vfs_register(sqlite3_demovfs(), 1);
}

int sqlite3_os_end(void)
{
    return SQLITE_OK;
}
