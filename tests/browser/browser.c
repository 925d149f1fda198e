#include "tests/browser/browser.h"
#include "core/error.h"
#include "tests/browser/browser_process.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MESSAGE_MAX_BYTES = 128 << 20, PIECE_BYTES = 1 << 16 };

struct browser {
    child process;
    char program[PATH_MAX];
    unsigned call_ms;
    int64_t death_ms; /* when its life ends */
    int last_id;
    char *bytes; /* what came and is no whole message yet; the first `looked_at` bytes have no NUL */
    size_t n_bytes, room, looked_at;
    cJSON *events;
    bool lost; /* for the reason in `why` */
    roof_error why;
};

/* ---- find ---- */

static const char *const names[] = {"chromium", "chromium-browser", "google-chrome"};

/* Ubuntu has a script in the place of the program, which starts the snap or says how to install it. */
static bool is_snap(const char *path)
{
    char start[4096], real[PATH_MAX];
    if (realpath(path, real) && strcmp(strrchr(real, '/'), "/snap") == 0)
        return true;
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(start, 1, sizeof start, f) : 0;
    if (f)
        fclose(f);
    return n > 2 && memcmp(start, "#!", 2) == 0 && memmem(start, n, "/snap/bin/", strlen("/snap/bin/"));
}

static bool find_on_path(const char *name, char path[PATH_MAX])
{
    const char *folders = getenv("PATH");
    while (folders && *folders) {
        int length = (int)strcspn(folders, ":");
        int wanted = snprintf(path, PATH_MAX, "%.*s/%s", length, folders, name);
        if (length && wanted < PATH_MAX && access(path, X_OK) == 0 && !is_snap(path))
            return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

bool browser_find(char path[PATH_MAX])
{
    const char *given = getenv("ROOFLINE_BROWSER");
    if (given && *given)
        return snprintf(path, PATH_MAX, "%s", given) < PATH_MAX && access(path, X_OK) == 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (find_on_path(names[i], path))
            return true;
    return false;
}

int browser_skipped(void)
{
    enum { SKIPPED = 77 };
    const char *given = getenv("ROOFLINE_BROWSER");
    if (given && *given)
        printf("SKIPPED: ROOFLINE_BROWSER is no program: %s\n", given);
    else
        printf("SKIPPED: no browser: none of chromium, chromium-browser and google-chrome is on PATH\n");
    return SKIPPED;
}

/* ---- messages ---- */

static roof_status give_up(browser *b, roof_status status, roof_error *err)
{
    b->lost = true;
    error_prefix(&b->why, "%s", b->program);
    if (err)
        *err = b->why;
    return status;
}

static bool make_room(browser *b)
{
    if (b->room - b->n_bytes >= PIECE_BYTES)
        return true;
    size_t room = b->room ? 2 * b->room : (size_t)2 * PIECE_BYTES;
    char *bytes = room <= MESSAGE_MAX_BYTES ? realloc(b->bytes, room) : NULL;
    if (!bytes)
        return false;
    b->bytes = bytes;
    b->room = room;
    return true;
}

/* The first message out of what came: NULL when it is not whole yet. */
static cJSON *take_message(browser *b, bool *is_bad)
{
    const char *end =
        b->n_bytes > b->looked_at ? memchr(b->bytes + b->looked_at, 0, b->n_bytes - b->looked_at) : NULL;
    if (!end) {
        b->looked_at = b->n_bytes;
        return NULL;
    }
    size_t length = (size_t)(end - b->bytes);
    cJSON *message = cJSON_ParseWithLength(b->bytes, length);
    *is_bad = !cJSON_IsObject(message);
    if (*is_bad) {
        char shown[200];
        error_set(&b->why, ROOF_E_DEVICE, "what it sent is not a message of the DevTools protocol: %s",
                  quote_text(shown, sizeof shown, b->bytes, length));
    }
    b->n_bytes -= length + 1;
    memmove(b->bytes, end + 1, b->n_bytes);
    b->looked_at = 0;
    return message;
}

/* After these a page does not answer any more; better said now than found out by waiting. */
static const struct {
    const char *method, *text;
} fatal_events[] = {
    {"Inspector.targetCrashed", "the page crashed"},
    {"Page.javascriptDialogOpening", "the page opened a dialog, which nobody answers"},
};

static bool is_fatal(browser *b, const cJSON *message)
{
    const char *method = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(message, "method"));
    for (size_t i = 0; method && i < sizeof fatal_events / sizeof *fatal_events; i++)
        if (strcmp(method, fatal_events[i].method) == 0) {
            error_set(&b->why, ROOF_E_DEVICE, "%s", fatal_events[i].text);
            return true;
        }
    return false;
}

/* Waits for a message. On failure b->why says why, and the browser is given up. */
static roof_status next_message(browser *b, int64_t deadline_ms, cJSON **out, roof_error *err)
{
    bool is_bad = false;
    while (!(*out = take_message(b, &is_bad)) && !is_bad) {
        size_t got = 0;
        if (!make_room(b)) {
            error_set(&b->why, ROOF_E_LIMIT, "it sent more than %d bytes without an end",
                      MESSAGE_MAX_BYTES / 2);
            return give_up(b, ROOF_E_LIMIT, err);
        }
        roof_status status =
            child_receive(&b->process, b->bytes + b->n_bytes, PIECE_BYTES, deadline_ms, &got, &b->why);
        if (status != ROOF_OK)
            return give_up(b, status, err);
        b->n_bytes += got;
    }
    if (!is_bad && !is_fatal(b, *out))
        return ROOF_OK;
    cJSON_Delete(*out);
    *out = NULL;
    return give_up(b, ROOF_E_DEVICE, err);
}

static roof_status is_usable(const browser *b, roof_error *err)
{
    if (b->lost && err)
        *err = b->why;
    return b->lost ? b->why.status : ROOF_OK;
}

static int64_t deadline(const browser *b)
{
    int64_t end = child_now_ms() + b->call_ms;
    return end < b->death_ms ? end : b->death_ms;
}

static roof_status send_message(browser *b, const char *session, const char *method, cJSON *params,
                                int64_t end, roof_error *err)
{
    cJSON *message = cJSON_CreateObject();
    cJSON_AddNumberToObject(message, "id", ++b->last_id);
    cJSON_AddStringToObject(message, "method", method);
    if (session)
        cJSON_AddStringToObject(message, "sessionId", session);
    cJSON_AddItemToObject(message, "params", params ? params : cJSON_CreateObject());
    char *text = cJSON_PrintUnformatted(message);
    cJSON_Delete(message);
    if (!text)
        return error_memory(err);
    roof_status status = child_send(&b->process, text, strlen(text) + 1, end, &b->why);
    cJSON_free(text);
    return status == ROOF_OK ? ROOF_OK : give_up(b, status, err);
}

/* The result of an answer, or what the browser objects to. */
static roof_status open_answer(cJSON *answer, const char *method, cJSON **result, roof_error *err)
{
    const cJSON *refusal = cJSON_GetObjectItemCaseSensitive(answer, "error");
    if (refusal) {
        const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(refusal, "message"));
        return error_set(err, ROOF_E_DATA, "%s: %s", method, text ? text : "refused");
    }
    if (result)
        *result = cJSON_DetachItemFromObjectCaseSensitive(answer, "result");
    return ROOF_OK;
}

roof_status browser_call(browser *b, const char *session, const char *method, cJSON *params, cJSON **result,
                         roof_error *err)
{
    if (result)
        *result = NULL;
    if (b->lost)
        cJSON_Delete(params);
    TRY(is_usable(b, err));
    int64_t end = deadline(b);
    TRY(send_message(b, session, method, params, end, err));
    for (;;) {
        cJSON *message = NULL;
        roof_status status = next_message(b, end, &message, err);
        if (status != ROOF_OK) {
            error_prefix(err, "%s", method);
            return status;
        }
        const cJSON *id = cJSON_GetObjectItemCaseSensitive(message, "id");
        if (!id) {
            cJSON_AddItemToArray(b->events, message);
            continue;
        }
        bool is_mine = id->valueint == b->last_id;
        if (is_mine)
            status = open_answer(message, method, result, err);
        cJSON_Delete(message);
        if (is_mine)
            return status;
    }
}

cJSON *browser_take_event(browser *b, const char *session)
{
    cJSON *event = NULL;
    cJSON_ArrayForEach(event, b->events)
    {
        const char *of = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(event, "sessionId"));
        if (of && strcmp(of, session) == 0)
            return cJSON_DetachItemViaPointer(b->events, event);
    }
    return NULL;
}

roof_status browser_wait(browser *b, roof_error *err)
{
    cJSON *message = NULL;
    TRY(is_usable(b, err));
    TRY(next_message(b, deadline(b), &message, err));
    cJSON_AddItemToArray(b->events, message);
    return ROOF_OK;
}

/* ---- start and close ---- */

/* No sandbox: it needs a helper that is root's or name spaces that containers do not have, root cannot have it, and what
 * is opened is what a test wrote. */
static const char *const arguments[] = {
    "--remote-debugging-pipe",
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-extensions",
    "--disable-default-apps",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-breakpad", /* its crash handler would leave the process group */
    "--password-store=basic",
    "--use-mock-keychain",
    "--host-resolver-rules=MAP * ~NOTFOUND", /* no name has an address */
    "--hide-scrollbars",                     /* the viewport is as wide as was asked for */
    "--force-color-profile=srgb",
    "--log-level=3",
};
enum { N_ARGUMENTS = sizeof arguments / sizeof *arguments };

static roof_status launch(browser *b, roof_error *err)
{
    char profile[2 * CHILD_FOLDER_SIZE];
    const char *argv[N_ARGUMENTS + 4] = {b->program};
    TRY(child_prepare(&b->process, err));
    snprintf(profile, sizeof profile, "--user-data-dir=%s/profile", b->process.folder);
    memcpy(argv + 1, arguments, sizeof arguments);
    argv[N_ARGUMENTS + 1] = profile;
    argv[N_ARGUMENTS + 2] = "about:blank";
    return child_start(&b->process, b->program, argv, err);
}

static unsigned or_default(unsigned given, unsigned otherwise)
{
    return given ? given : otherwise;
}

roof_status browser_start(const browser_options *options, browser **out, roof_error *err)
{
    const browser_options o = options ? *options : (browser_options){0};
    browser *b = calloc(1, sizeof *b);
    *out = NULL;
    if (!b)
        return error_memory(err);
    b->process = (child){.fd = -1, .guard_fd = -1};
    b->events = cJSON_CreateArray();
    b->death_ms = child_now_ms() + or_default(o.life_ms, 100000);
    b->call_ms = or_default(o.start_ms, 60000);
    roof_status status = ROOF_OK;
    if (o.program)
        snprintf(b->program, sizeof b->program, "%s", o.program);
    else if (!browser_find(b->program))
        status = error_set(err, ROOF_E_DEVICE, "there is no browser");
    if (status == ROOF_OK)
        status = launch(b, err);
    if (status == ROOF_OK) /* it answers only once it is up */
        status = browser_call(b, NULL, "Browser.getVersion", NULL, NULL, err);
    b->call_ms = or_default(o.call_ms, 30000);
    if (status == ROOF_OK)
        *out = b;
    else
        browser_close(b);
    return status;
}

void browser_close(browser *b)
{
    if (!b)
        return;
    child_stop(&b->process);
    cJSON_Delete(b->events);
    free(b->bytes);
    free(b);
}
