#include "tests/browser/checks.h"
#include "core/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PROBLEMS_MAX_BYTES = 1 << 20,
    SCRIPT_MAX_BYTES = 1 << 20,
    WIDE_PX = 1280,
    NARROW_PX = 400,
    HEIGHT_PX = 800
};

typedef roof_status (*runner)(page *p, check_id id, const char *note, check_result *result, roof_error *err);

static roof_status run_function(page *p, check_id id, const char *note, check_result *result,
                                roof_error *err);
static roof_status run_in_both_schemes(page *p, check_id id, const char *note, check_result *result,
                                       roof_error *err);
static roof_status run_without_script(page *p, check_id id, const char *note, check_result *result,
                                      roof_error *err);
static roof_status run_collected(page *p, check_id id, const char *note, check_result *result,
                                 roof_error *err);

static const struct check {
    const char *name, *function; /* in checks.js */
    runner run;
    bool depends_on_width;
} checks[CHECK_COUNT] = {
    [CHECK_CHARTS] = {"charts", "charts", run_function, true},
    [CHECK_OVERFLOW] = {"overflow", "overflow", run_function, true},
    [CHECK_OVERLAPS] = {"overlaps", "overlaps", run_function, true},
    [CHECK_LEAVING] = {"leaving", "leaving", run_function, true},
    [CHECK_SORTING] = {"sorting", "sorting", run_function, false},
    [CHECK_FILTERING] = {"filtering", "filtering", run_function, false},
    [CHECK_CONTRAST] = {"contrast", "contrast", run_in_both_schemes, false},
    [CHECK_SCRIPTLESS] = {"scriptless", "scriptless", run_without_script, false},
    [CHECK_CONSOLE] = {"console", NULL, run_collected, false},
    [CHECK_FETCHING] = {"fetching", NULL, run_collected, false},
};

void check_result_init(check_result *result)
{
    *result = (check_result){0};
    text_init(&result->problems, PROBLEMS_MAX_BYTES);
}

void check_result_free(check_result *result)
{
    text_free(&result->problems);
}

const char *check_name(check_id id)
{
    return checks[id].name;
}

static void add_problem(check_result *result, check_id id, const char *note, const char *text, size_t length)
{
    text_printf(&result->problems, "%s: ", checks[id].name);
    text_add(&result->problems, text, length);
    text_printf(&result->problems, "%s\n", note);
}

/* ---- what checks.js answers ---- */

static roof_status read_script(char **out, roof_error *err)
{
    const char *root = getenv("ROOFLINE_SOURCE_DIR");
    char *path = NULL;
    *out = NULL;
    if (asprintf(&path, "%s/tests/browser/checks.js", root ? root : ".") < 0)
        return error_memory(err);
    FILE *f = fopen(path, "rb");
    roof_status status = f ? ROOF_OK : error_set(err, ROOF_E_NO_INPUT, "%s: %s", path, strerror(errno));
    free(path);
    if (!f)
        return status;
    *out = calloc(1, SCRIPT_MAX_BYTES);
    if (!*out || fread(*out, 1, SCRIPT_MAX_BYTES - 1, f) == 0)
        status = error_set(err, ROOF_E_IO, "checks.js cannot be read");
    fclose(f);
    return status;
}

/* Within a function, so that the page does not see any of it. */
static roof_status evaluate(page *p, const char *function, cJSON **answer, roof_error *err)
{
    char *script = NULL, *expression = NULL;
    roof_status status = read_script(&script, err);
    if (status == ROOF_OK && asprintf(&expression, "(() => { %s\nreturn %s(); })()", script, function) < 0)
        status = error_memory(err);
    free(script);
    if (status == ROOF_OK)
        status = page_eval(p, expression, answer, err);
    free(expression);
    return status;
}

static roof_status run_function(page *p, check_id id, const char *note, check_result *result, roof_error *err)
{
    cJSON *answer = NULL;
    const cJSON *line = NULL;
    roof_status status = evaluate(p, checks[id].function, &answer, err);
    if (status != ROOF_OK) {
        error_prefix(err, "%s", checks[id].name);
        return status;
    }
    double looked = cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(answer, "looked"));
    if (looked >= 0)
        result->looked[id] += (unsigned)looked;
    else
        status = error_set(err, ROOF_E_INTERNAL, "%s() of checks.js gave no verdict", checks[id].function);
    cJSON_ArrayForEach(line, cJSON_GetObjectItemCaseSensitive(answer, "problems"))
    {
        const char *text = cJSON_GetStringValue(line);
        if (text)
            add_problem(result, id, note, text, strlen(text));
    }
    cJSON_Delete(answer);
    return status;
}

/* ---- other ways to look ---- */

static roof_status run_in_both_schemes(page *p, check_id id, const char *note, check_result *result,
                                       roof_error *err)
{
    const page_view before = *page_get_view(p);
    roof_status status = ROOF_OK;
    (void)note;
    for (int dark = 0; dark < 2 && status == ROOF_OK; dark++) {
        page_view view = before;
        view.dark = dark;
        status = page_set_view(p, &view, err);
        if (status == ROOF_OK)
            status = run_function(p, id, dark ? " (dark)" : " (light)", result, err);
    }
    return status == ROOF_OK ? page_set_view(p, &before, err) : status;
}

static roof_status run_without_script(page *p, check_id id, const char *note, check_result *result,
                                      roof_error *err)
{
    const page_view before = *page_get_view(p);
    page_view view = before;
    view.no_script = true;
    TRY(page_reopen(p, &view, err));
    TRY(run_function(p, id, note, result, err));
    return page_reopen(p, &before, err);
}

static roof_status run_collected(page *p, check_id id, const char *note, check_result *result,
                                 roof_error *err)
{
    const char *line = NULL;
    TRY(id == CHECK_CONSOLE ? page_console(p, &line, err) : page_fetched(p, &line, err));
    result->looked[id]++;
    for (; *line; line += strcspn(line, "\n") + 1)
        add_problem(result, id, note, line, strcspn(line, "\n"));
    return ROOF_OK;
}

/* ---- run ---- */

roof_status check_run(page *p, check_id id, check_result *result, roof_error *err)
{
    char note[32];
    snprintf(note, sizeof note, " (at %d px)", page_get_view(p)->width_px);
    TRY(checks[id].run(p, id, checks[id].depends_on_width ? note : "", result, err));
    return text_status(&result->problems, err);
}

static roof_status check_narrow(page *p, check_result *result, roof_error *err)
{
    TRY(page_reopen(p, &(page_view){.width_px = NARROW_PX, .height_px = HEIGHT_PX}, err));
    for (check_id id = 0; id < CHECK_COUNT; id++)
        if (checks[id].depends_on_width)
            TRY(check_run(p, id, result, err));
    return page_reopen(p, &(page_view){.width_px = WIDE_PX, .height_px = HEIGHT_PX}, err);
}

/* What is collected comes last, and so hears of what the others provoked. */
roof_status check_file(browser *b, const char *path, check_result *result, roof_error *err)
{
    page *p = NULL;
    TRY(page_new(b, &p, err));
    roof_status status = page_open(p, path, &(page_view){.width_px = WIDE_PX, .height_px = HEIGHT_PX}, err);
    if (status == ROOF_OK)
        status = check_narrow(p, result, err);
    for (check_id id = 0; id < CHECK_COUNT && status == ROOF_OK; id++)
        status = check_run(p, id, result, err);
    page_free(p);
    return status;
}
