/* Several boards, for predict and report. */
#include "cli/cli.h"
#include "core/error.h"

#include <stdlib.h>
#include <string.h>

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
