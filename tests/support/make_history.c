/* make_history FOLDER: the histories that golden cases name as @GENERATED@/NAME.db.
 * make_history --runs N FILE: a large one, for tests/bench/bench.c. */
#include "tests/support/history_runs.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *folder;

static roof_history *begin(const char *name)
{
    char path[4096];
    roof_history *h = NULL;
    roof_error err;
    snprintf(path, sizeof path, "%s/%s.db", folder, name);
    unlink(path);
    if (roof_history_open(path, ROOF_HISTORY_WRITE, &h, &err) != ROOF_OK) {
        fprintf(stderr, "make_history: %s: %s\n", path, err.what);
        exit(1);
    }
    return h;
}

static void add(roof_history *h, history_document first, uint64_t n, uint64_t *noise)
{
    roof_error err;
    if (history_add_runs(h, first, n, noise, &err) != ROOF_OK) {
        fprintf(stderr, "make_history: %s\n", err.what);
        exit(1);
    }
}

/* "net" gets slower by 3 %, then "other" stays as it is, and "young" has too few runs. */
static void make_changed(void)
{
    uint64_t noise = 7;
    roof_history *h = begin("history");
    add(h, (history_document){1, "net", 0.002, true, true, 0}, 45, &noise);
    add(h, (history_document){46, "net", 0.00206, true, true, 0}, 6, &noise);
    add(h, (history_document){101, "other", 0.010, false, false, 0}, 40, &noise);
    add(h, (history_document){201, "young", 0.004, false, false, 0}, 5, &noise);
    roof_history_close(h);
}

/* A database of its own with a mark that a script sets. */
static void make_with(const char *name, const char *script)
{
    char path[4096];
    sqlite3 *db = NULL;
    snprintf(path, sizeof path, "%s/%s.db", folder, name);
    unlink(path);
    if (sqlite3_open(path, &db) != SQLITE_OK || sqlite3_exec(db, script, NULL, NULL, NULL) != SQLITE_OK) {
        fprintf(stderr, "make_history: %s: %s\n", path, sqlite3_errmsg(db));
        exit(1);
    }
    sqlite3_close(db);
}

/* n runs of each of two series, which get slower by 3 % behind seven tenths of them: copies of the first
 * document, by one script, since a transaction for each would take a minute. */
static int make_large(const char *path, const char *n)
{
    enum { MOST = 4096 };
    static const char script[] =
        "BEGIN; CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE "
        "i < "
        "%lu - 1) SELECT i, (1 + ((i * 7919) %% 1009 - 504) / 29000.0) * iif(i < 0.7 * %lu, 1, 1.03) AS f "
        "FROM n;"
        "INSERT INTO documents SELECT id + i, sha256 || i, name, git_commit || i, added_s + 3600 * i FROM "
        "documents, n WHERE id = 1 ORDER BY i;"
        "INSERT INTO runs SELECT id + 2 * i, document + i, series, n_samples, samples FROM runs, n WHERE "
        "document "
        "= 1 ORDER BY i, id;"
        "INSERT INTO metrics SELECT run + 2 * i, name, value * f FROM metrics, n WHERE run < 3 ORDER BY i, "
        "run;"
        "INSERT INTO layers SELECT run + 2 * i, place, name, count, median_s * f, mean_s * f, std_s FROM "
        "layers, n "
        "WHERE run < 3 ORDER BY i, run; COMMIT";
    char text[MOST];
    const unsigned long runs = strtoul(n, NULL, 10);
    roof_history *h = NULL;
    roof_history_added added;
    roof_error err;
    sqlite3 *db = NULL;
    const history_document first = {1, "net", 0.002, true, true, 0};
    unlink(path);
    snprintf(text, sizeof text, script, runs, runs);
    bool good = runs > 1 && roof_history_open(path, ROOF_HISTORY_WRITE, &h, &err) == ROOF_OK &&
                history_add_document(h, &first, &added, &err) == ROOF_OK;
    roof_history_close(h);
    good =
        good && sqlite3_open(path, &db) == SQLITE_OK && sqlite3_exec(db, text, NULL, NULL, NULL) == SQLITE_OK;
    if (!good)
        fprintf(stderr, "make_history: %s: %s\n", path, db ? sqlite3_errmsg(db) : "cannot be made");
    sqlite3_close(db);
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--runs") == 0)
        return make_large(argv[3], argv[2]);
    if (argc != 2) {
        fputs("usage: make_history FOLDER | --runs N FILE\n", stderr);
        return 64;
    }
    folder = argv[1];
    make_changed();
    make_with("newer", "PRAGMA application_id = 1380929350; PRAGMA user_version = 9; CREATE TABLE runs(id)");
    make_with("foreign", "PRAGMA application_id = 1; CREATE TABLE photos(id)");
    return 0;
}
