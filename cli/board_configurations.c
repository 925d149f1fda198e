/* `roofline predict MODEL --hw BOARD --configurations`: one model, one board. */
#include "cli/cli.h"
#include "core/error.h"
#include "core/quantity.h"
#include "roofline/configurations.h"

#include <math.h>
#include <string.h>

/* --- what is asked -------------------------------------------------------------------------------------- */

static roof_status read_fps(const char *text, double *out, roof_error *err)
{
    *out = NAN;
    if (!text)
        return ROOF_OK;
    if (quantity_parse(text, "", out, err) == ROOF_OK && *out > 0 && *out <= 1e9)
        return ROOF_OK;
    return error_set(err, ROOF_E_USAGE, "--fps %.60s: want inferences/s, more than 0, such as 60", text);
}

static roof_status read_threads(const char *text, uint32_t *out, roof_error *err)
{
    uint32_t n = 0;
    *out = 0;
    if (!text)
        return ROOF_OK;
    if (cli_thread_counts(text, out, 1, &n, err) == ROOF_OK)
        return ROOF_OK;
    return error_set(err, ROOF_E_USAGE,
                     "--threads %.60s: with --configurations want one number, from 1 to %d, for all of them; "
                     "[default: 4 a core]",
                     text, ROOF_MOST_THREADS);
}

/* --- the answer ----------------------------------------------------------------------------------------- */

static roof_status write_answer(const roof_configurations *of, const cli_configurations_request *a,
                                roof_error *err)
{
    outputs set;
    TRY(outputs_begin(&set, err));
    const roof_status drawn =
        a->chart ? roof_draw_configurations(of, a->chart, &(roof_draw_watch){cli_drawing, NULL}, err)
                 : ROOF_OK;
    return cli_write_drawn(&set, drawn, of, a->output, &(roof_render_options){.details = a->details}, err);
}

static roof_status find(const cli_configurations_request *a, roof_configurations **out, roof_error *err)
{
    roof_configurations_request asked = {.host = a->host, .predict = a->predict};
    roof_graph *graph = NULL;
    roof_hw *board = NULL;
    TRY(read_fps(a->fps, &asked.fps, err));
    TRY(read_threads(a->threads, &asked.threads, err));
    TRY(roof_hw_load(a->hw, &board, err));
    roof_status status = cli_read_model(a->path, a->workload, &graph, err);
    if (status == ROOF_OK)
        status = roof_configurations_find(graph, board, &asked, out, err);
    roof_graph_free(graph);
    roof_hw_free(board);
    return status;
}

static int report(const roof_configurations *of, bool strict)
{
    if (!strict || isnan(of->asked_fps) || of->cheapest != ROOF_NONE)
        return CLI_DONE;
    cli_note("--strict: no configuration is sure to make %g inferences/s", of->asked_fps);
    return CLI_CHECK_FAILED;
}

int cli_configurations(const cli_configurations_request *a)
{
    roof_configurations *of = NULL;
    roof_error err;
    if (!a->hw)
        return cli_fail_usage("--configurations: of which board? Add --hw, such as --hw zcu102");
    roof_status status = find(a, &of, &err);
    if (status == ROOF_OK)
        status = cli_note_broken_hardware(&err);
    if (status == ROOF_OK)
        status = write_answer(of, a, &err);
    const int exit_code = status == ROOF_OK ? report(of, a->strict) : cli_fail(&err);
    roof_configurations_free(of);
    return exit_code;
}
