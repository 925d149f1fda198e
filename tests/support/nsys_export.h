/* tests/support/nsys_export.h - databases as `nsys export --type sqlite` writes them, with invented rows. */
#ifndef ROOF_TESTS_NSYS_EXPORT_H
#define ROOF_TESTS_NSYS_EXPORT_H

#include <sqlite3.h>
#include <stddef.h>

#define NX_STRINGS                                                                                           \
    "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"                         \
    "INSERT INTO StringIds VALUES (1, 'void gemm<float, 4>(float *)'), (2, 'relu()');"
#define NX_KERNELS                                                                                           \
    NX_STRINGS                                                                                               \
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId "       \
    "INTEGER, demangledName INTEGER NOT NULL);"                                                              \
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000, 3000, 0, 1), (4000, 4500, 0, 2), (5000, 9000, 0, " \
    "1);"
#define NX_COPIES                                                                                            \
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, copyKind INTEGER);"                \
    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (100, 350, 1);"                                           \
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, end INTEGER);"                                  \
    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (400, 500);"
#define NX_LABELS                                                                                            \
    "CREATE TABLE ENUM_CUDA_MEMCPY_OPER (id INTEGER PRIMARY KEY, label TEXT);"                               \
    "INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES (1, 'Host-to-Device');"

/* The bytes of a database that a script made, in small pages unless it says otherwise; sqlite3_free frees
 * them. NULL where that failed. */
static inline unsigned char *nx_export(const char *script, size_t *length)
{
    sqlite3 *db = NULL;
    sqlite3_int64 size = 0;
    unsigned char *bytes = NULL;
    if (sqlite3_open(":memory:", &db) == SQLITE_OK &&
        sqlite3_exec(db, "PRAGMA page_size = 1024", NULL, NULL, NULL) == SQLITE_OK &&
        sqlite3_exec(db, script, NULL, NULL, NULL) == SQLITE_OK)
        bytes = sqlite3_serialize(db, "main", &size, 0);
    sqlite3_close(db);
    *length = (size_t)size;
    return bytes;
}

#endif
