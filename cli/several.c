/* Several models on several boards, for predict and report. */
#include "cli/cli.h"
#include "core/error.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void cli_boards_free(cli_boards *boards)
{
    for (size_t i = 0; i < boards->n; i++) {
        free(boards->names[i]);
        roof_hw_free(boards->hw[i]);
    }
    free(boards->names);
    free(boards->hw);
    *boards = (cli_boards){0};
}

static roof_status add_board(cli_boards *boards, const char *text, size_t length, roof_error *err)
{
    char **names = realloc(boards->names, (boards->n + 1) * sizeof *names);
    boards->names = names ? names : boards->names;
    roof_hw **hw = realloc(boards->hw, (boards->n + 1) * sizeof *hw);
    boards->hw = hw ? hw : boards->hw;
    char *name = strndup(text, length);
    if (!names || !hw || !name) {
        free(name);
        return error_memory(err);
    }
    names[boards->n] = name;
    hw[boards->n] = NULL;
    const size_t own = boards->n++;
    TRY(roof_hw_load(name, &hw[own], err));
    const bool is_entry = !strchr(name, '=');
    for (size_t i = 0; i < own; i++)
        if (strcmp(names[i], name) == 0 ||
            (is_entry && !strchr(names[i], '=') && strcmp(roof_hw_id(hw[i]), roof_hw_id(hw[own])) == 0))
            return error_set(err, ROOF_E_USAGE, "--hw: '%.80s' and '%.80s' are one board; give it once",
                             names[i], name);
    return ROOF_OK;
}

roof_status cli_boards_add(cli_boards *boards, const char *list, roof_error *err)
{
    for (const char *at = list;; at++) {
        const size_t length = roof_hw_first_of(at);
        if (!length && (at > list || *at))
            return error_set(err, ROOF_E_USAGE, "--hw %.200s: there is nothing beside a comma", list);
        TRY(add_board(boards, at, length, err));
        at += length;
        if (!*at)
            return ROOF_OK;
    }
}

static roof_status check_files(const cli_pairs_request *asked, roof_error *err)
{
    for (size_t i = 0; i < asked->n_files; i++)
        for (size_t k = 0; k < i; k++) {
            const char *first = asked->files[k], *second = asked->files[i];
            struct stat a, b;
            if (strcmp(first, second) == 0 || (stat(first, &a) == 0 && stat(second, &b) == 0 &&
                                               a.st_dev == b.st_dev && a.st_ino == b.st_ino))
                return error_set(err, ROOF_E_USAGE, "'%.200s' is there twice; give each model once", second);
        }
    return ROOF_OK;
}

/* Failures that end all pairs, not one: nothing else would work either. */
static bool is_of_all(roof_status status)
{
    return status == ROOF_E_NO_MEMORY || status == ROOF_E_IO;
}

typedef struct pairs_so_far {
    roof_predictions *all;
    roof_status first_failure;
    uint32_t n_predicted;
} pairs_so_far;

/* One model on one board, with each batch. */
static roof_status add_board_pairs(const cli_pairs_request *asked, const char *path, const roof_graph *graph,
                                   size_t board, const roof_error *unread, pairs_so_far *so_far,
                                   roof_error *err)
{
    const char *name = asked->boards->n ? asked->boards->names[board] : NULL;
    const uint32_t n = asked->batches->n ? asked->batches->n : 1;
    roof_predictions *all = so_far->all;
    for (uint32_t i = 0; i < n; i++) {
        roof_predict_options options = *asked->options;
        roof_prediction *prediction = NULL;
        roof_error why = *unread;
        roof_status failure = graph ? ROOF_OK : unread->status;
        options.batch = asked->batches->n ? asked->batches->tokens[i] : options.batch;
        if (failure == ROOF_OK)
            failure = cli_predict_on(graph, asked->boards->n ? asked->boards->hw[board] : NULL, &options,
                                     &prediction, &why);
        if (is_of_all(failure)) {
            *err = why;
            return failure;
        }
        if (failure != ROOF_OK) {
            so_far->first_failure = so_far->first_failure == ROOF_OK ? failure : so_far->first_failure;
            char text[ROOF_ERROR_WHERE_SIZE + ROOF_ERROR_WHAT_SIZE + 64];
            roof_error_format(&why, text, sizeof text);
            TRY(roof_predictions_add(all, path, name, NULL, text, err));
            all->pairs[all->n - 1].batch = options.batch;
        } else {
            so_far->n_predicted++;
            TRY(roof_predictions_add(all, path, name, prediction, NULL, err));
        }
    }
    return ROOF_OK;
}

/* One model on all boards. */
static roof_status add_model(const cli_pairs_request *asked, const char *path, pairs_so_far *so_far,
                             roof_error *err)
{
    const size_t n = asked->boards->n ? asked->boards->n : 1;
    roof_graph *graph = NULL;
    roof_error why = {0};
    const roof_status unread = cli_read_model(path, asked->workload, &graph, &why);
    roof_status status = is_of_all(unread) || unread == ROOF_E_NO_INPUT ? unread : ROOF_OK;
    if (status != ROOF_OK)
        *err = why;
    for (size_t i = 0; status == ROOF_OK && i < n; i++) {
        if (cli_is_watched())
            cli_progress("predicting %.200s on %.80s", path ? path : "the product",
                         asked->boards->n ? asked->boards->names[i] : "what it was compiled for");
        status = add_board_pairs(asked, path, graph, i, &why, so_far, err);
    }
    roof_graph_free(graph);
    return status;
}

roof_status cli_predict_pairs(const cli_pairs_request *asked, roof_predictions **out,
                              roof_status *first_failure, roof_error *err)
{
    pairs_so_far so_far = {.first_failure = ROOF_OK};
    *out = NULL;
    TRY(check_files(asked, err));
    TRY(roof_predictions_new(&so_far.all, err));
    so_far.all->keeps_figures_alone = asked->figures_alone;
    roof_status status = ROOF_OK;
    for (size_t i = 0; status == ROOF_OK && i < (asked->n_files ? asked->n_files : 1); i++)
        status = add_model(asked, asked->n_files ? asked->files[i] : NULL, &so_far, err);
    cli_progress("%s", "");
    *first_failure = so_far.n_predicted ? ROOF_OK : so_far.first_failure;
    if (status == ROOF_OK)
        *out = so_far.all;
    else
        roof_predictions_free(so_far.all);
    return status;
}
