/* Histories, each in a file of its own: read in all ways, then written to. A run is added only where the file
 * is a history, and the others keep their bytes. */
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/history_runs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/roofline-fuzz-XXXXXX", journal[sizeof path + 8];

static void remove_file(void)
{
    unlink(path);
    unlink(journal);
}

static void list_and_show(roof_history *h)
{
    enum { MOST = 20 };
    roof_history_runs *runs = NULL, *one = NULL;
    roof_error err = {0};
    if (roof_history_list(h, NULL, MOST, &runs, &err) != ROOF_OK) {
        CHECK(!runs && *err.what);
        return;
    }
    CHECK(runs->n <= MOST && runs->n <= runs->n_all);
    if (runs->n && roof_history_show(h, runs->items[0].id, &one, &err) == ROOF_OK) {
        CHECK(one->n >= 1 && one->items->n_kept <= ROOF_HISTORY_MOST_SAMPLES);
        CHECK(one->items->n_rows <= ROOF_HISTORY_MOST_ROWS);
        for (uint32_t i = 0; i < one->items->n_kept; i++)
            CHECK(one->items->samples_s[i] >= 0);
    }
    roof_history_runs_free(one);
    roof_history_runs_free(runs);
}

static void find_trends(roof_history *h, const roof_history_request *requested)
{
    roof_history_trends *trends = NULL;
    roof_error err = {0};
    if (roof_history_find_trends(h, requested, &trends, &err) != ROOF_OK) {
        CHECK(!trends && *err.what);
        return;
    }
    for (uint32_t i = 0; i < trends->n; i++) {
        const roof_history_series *s = &trends->items[i];
        uint32_t n = 0;
        for (uint32_t k = 0; k < s->n_segments; k++) {
            CHECK(s->segments[k].first == n && s->segments[k].n > 0 && s->segments[k].median > 0);
            n += s->segments[k].n;
        }
        CHECK(n == s->n_points && n > 0);
    }
    roof_history_trends_free(trends);
}

static void add(void)
{
    roof_history *h = NULL;
    roof_history_added added;
    roof_error err = {0};
    const history_document d = {424242, "net", 0.002, true, true, 0};
    if (roof_history_open(path, ROOF_HISTORY_WRITE, &h, &err) == ROOF_OK &&
        history_add_document(h, &d, &added, &err) == ROOF_OK)
        CHECK(added.n_runs == 2 || added.was_there);
    roof_history_close(h);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    roof_history *h = NULL;
    roof_error err = {0};
    if (fd < 0) {
        fd = mkstemp(path);
        snprintf(journal, sizeof journal, "%s-journal", path);
        atexit(remove_file);
    }
    CHECK(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
    unlink(journal);
    if (roof_history_open(path, ROOF_HISTORY_READ, &h, &err) == ROOF_OK) {
        list_and_show(h);
        find_trends(h, &(roof_history_request){.factor = NAN});
        find_trends(h, &(roof_history_request){.row = "conv1", .factor = 1.05});
        roof_history_close(h);
        add();
        return 0;
    }
    CHECK(*err.what && !h);
    add();
    char *after = malloc(size + 1);
    const bool is_new = size == 0; /* an empty file is a new history */
    CHECK(after);
    if (size >= 100 &&
        memcmp(data, "SQLite format 3", 16) == 0) { /* its tables may be damaged, not its mark */
        free(after);
        return 0;
    }
    CHECK(is_new || (pread(fd, after, size + 1, 0) == (ssize_t)size && memcmp(after, data, size) == 0));
    free(after);
    return 0;
}
