/* tests/reference/zoo.h - networks of the Vitis AI Model Zoo on three boards, where ../shared has them: their
 * files (data/zoo) and their frames per second with many threads (data/measured/dpu_throughput_oracle.tsv).
 * The zoo's loop is closed and never waits, so that a rate is what the cores can serve: cores / service time.
 */
#ifndef ROOF_TESTS_ZOO_H
#define ROOF_TESTS_ZOO_H

#include "tests/support/skips.h"
#include "tests/unit/fixture.h"

enum { ZOO_MOST_ROWS = 128, ZOO_MOST_CORES = 3 };

/* A network, its file, a board, and its frames per second with many threads. */
typedef struct zoo_row {
    char file[80], board[16];
    double fps;
} zoo_row;

static inline uint32_t zoo_read(zoo_row *rows)
{
    char path[4096], line[1024];
    uint32_t n = 0;
    snprintf(path, sizeof path, "%s/data/measured/dpu_throughput_oracle.tsv", shared_folder());
    FILE *file = fopen(path, "rb");
    if (!file)
        skip_without(path);
    assert_non_null(fgets(line, sizeof line, file)); /* the titles */
    while (n < ZOO_MOST_ROWS && fgets(line, sizeof line, file)) {
        assert_int_equal(sscanf(line, "%*[^\t]\t%79[^\t]\t%15[^\t]\t%*[^\t]\t%*[^\t]\t%*[^\t]\t%*[^\t]\t%lf",
                                rows[n].file, rows[n].board, &rows[n].fps),
                         3);
        n++;
    }
    fclose(file);
    return n;
}

static inline roof_prediction *zoo_predict(const zoo_row *row, const roof_hw *hw)
{
    char path[4096];
    roof_graph *graph = NULL;
    roof_prediction *p = NULL;
    roof_error err = {0};
    snprintf(path, sizeof path, "%s/data/zoo/%s", shared_folder(), row->file);
    if (roof_graph_read(path, &graph, &err) != ROOF_OK || roof_predict(graph, hw, NULL, &p, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    roof_graph_free(graph);
    return p;
}

#endif
