/* Where runners are, and what they say of themselves: see runner.h. */
#include "core/files/folder_names.h"
#include "measure/run/runner.h"
#include "roofline/measure.h"

/* Folders that runners may be in: those that ROOFLINE_RUNNER_PATH names and no others; else that of this
 * program, where an installed one has its helpers, and those of PATH. */
static const char *const beside[] = {".", "../libexec/roofline"};

/* The i-th of them, "" where there is nothing to look for; false past the end. */
static bool folder_at(size_t i, char folder[RUNNER_PATH_SIZE])
{
    char self[RUNNER_PATH_SIZE / 2];
    const char *list = os_setting("ROOFLINE_RUNNER_PATH");
    size_t n_beside = list ? 0 : N_OF(beside);
    *folder = '\0';
    if (i < n_beside) {
        os_read_link("/proc/self/exe", self, sizeof self);
        char *slash = strrchr(self, '/');
        if (slash)
            snprintf(folder, RUNNER_PATH_SIZE, "%.*s/%s", (int)(slash - self), self, beside[i]);
        return true;
    }
    list = list ? list : os_setting("PATH");
    text_span rest = span_of(text_or_empty(list)), one;
    for (i -= n_beside; rest.length; i--) {
        one = span_take_until(&rest, ":");
        if (i > 0)
            continue;
        if (one.length < RUNNER_PATH_SIZE - 100)
            snprintf(folder, RUNNER_PATH_SIZE, "%.*s", (int)one.length, one.text);
        return true;
    }
    return false;
}

static bool is_runner_name(const char *name)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    return length && length < RUNNER_NAME_SIZE && !name[length];
}

roof_status runner_find(const char *name, char path[RUNNER_PATH_SIZE], roof_error *err)
{
    char folder[RUNNER_PATH_SIZE];
    for (size_t i = 0; is_runner_name(name) && folder_at(i, folder); i++)
        if (*folder &&
            snprintf(path, RUNNER_PATH_SIZE, "%s/" RUNNER_PREFIX "%s", folder, name) < RUNNER_PATH_SIZE &&
            os_may(OS_HERE, path, OS_MAY_RUN))
            return ROOF_OK;
    return error_set(err, ROOF_E_DEVICE,
                     "there is no runner for '%.60s': no program " RUNNER_PREFIX
                     "%.60s beside roofline or in PATH; `roofline formats` lists those that there are",
                     name, is_runner_name(name) ? name : "NAME");
}

static bool is_runner(int folder, const char *name)
{
    const size_t n_prefix = strlen(RUNNER_PREFIX);
    return strncmp(name, RUNNER_PREFIX, n_prefix) == 0 && is_runner_name(name + n_prefix) &&
           os_may(folder, name, OS_MAY_RUN);
}

/* The names of all runners in these places, in order; one name once. */
static roof_status find_names(folder_names *out, roof_arena *arena, roof_error *err)
{
    char folder[RUNNER_PATH_SIZE];
    uint32_t different = 0;
    for (size_t i = 0; folder_at(i, folder); i++) {
        folder_names found = {0};
        if (*folder)
            folder_list(folder, is_runner, UINT32_MAX, arena, &found);
        for (uint32_t k = 0; k < found.n; k++)
            TRY(ARENA_ADD(arena, out->names, out->n, err, found.names[k] + strlen(RUNNER_PREFIX)));
    }
    TRY(arena_status(arena, err));
    ORDER_VALUES(out->names, out->n);
    for (uint32_t i = 0; i < out->n; i++)
        if (i == 0 || strcmp(out->names[i], out->names[different - 1]) != 0)
            out->names[different++] = out->names[i];
    out->n = different;
    return ROOF_OK;
}

/* --- what they are ------------------------------------------------------------------------------------- */

/* Asks what it says of its device, or why it cannot run. */
static roof_status ask(const char *name, roof_runner_about *out, roof_arena *arena, roof_error *err)
{
    enum { ANSWER_MS = 5000 };
    char path[RUNNER_PATH_SIZE];
    runner r;
    roof_error why = {0};
    TRY(runner_find(name, path, err));
    const runner_request request = {.name = name, .path = path, .answer_ms = ANSWER_MS};
    roof_status status = runner_start(&request, &r, &why);
    *out = (roof_runner_about){.name = name, .path = arena_strdup(arena, path), .can_run = status == ROOF_OK};
    out->text = status == ROOF_OK ? arena_printf(arena, "%.200s%s%.100s", r.about.device,
                                                 r.about.version ? ", " : "", text_or_empty(r.about.version))
                                  : arena_printf(arena, "cannot run: %.400s", why.what);
    runner_free(&r);
    return arena_status(arena, err);
}

roof_status roof_runners_ask(roof_status (*each)(void *context, const roof_runner_about *about,
                                                 roof_error *err),
                             void *context, roof_error *err)
{
    folder_names names = {0};
    roof_arena *arena = arena_new(0);
    roof_status status = arena ? find_names(&names, arena, err) : error_memory(err);
    for (size_t i = 0; status == ROOF_OK && i < names.n; i++) {
        roof_runner_about about;
        status = ask(names.names[i], &about, arena, err);
        THEN(status, each(context, &about, err));
    }
    arena_free(arena);
    return status;
}
