#include "tests/browser/page.h"
#include "core/error.h"
#include "core/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MAX_BYTES = 1 << 20, DEFAULT_WIDTH_PX = 1280, DEFAULT_HEIGHT_PX = 800 };

struct page {
    browser *browser;
    char *target, *session; /* the page's names in the protocol */
    char *url;              /* of the opened file */
    char *loader;           /* names one loading of it; events of an earlier one are then told apart */
    bool is_loaded;
    page_view view;
    textbuf console, fetched;
};

static const cJSON *get(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* "" when it is not there. */
static const char *get_text(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(get(object, key));
    return text ? text : "";
}

roof_status page_call(page *p, const char *method, cJSON *params, cJSON **result, roof_error *err)
{
    return browser_call(p->browser, p->session, method, params, result, err);
}

/* ---- events ---- */

static void add_line(textbuf *lines, const char *kind, const char *text)
{
    char shown[600];
    text_printf(lines, "%s%s\n", kind, quote_text(shown, sizeof shown, text, strlen(text)));
}

static void on_console(page *p, const cJSON *params)
{
    const char *type = get_text(params, "type");
    if (strcmp(type, "error") != 0 && strcmp(type, "assert") != 0)
        return;
    textbuf said;
    text_init(&said, LINES_MAX_BYTES);
    const cJSON *argument = NULL;
    cJSON_ArrayForEach(argument, get(params, "args"))
    {
        char *json =
            cJSON_IsString(get(argument, "value")) ? NULL : cJSON_PrintUnformatted(get(argument, "value"));
        const char *text =
            get_text(argument, cJSON_IsString(get(argument, "value")) ? "value" : "description");
        text_printf(&said, "%s%s", said.length ? " " : "", *text || !json ? text : json);
        cJSON_free(json);
    }
    add_line(&p->console,
             strcmp(type, "error") == 0 ? "console: " : "assertion: ", said.bytes ? said.bytes : "");
    text_free(&said);
}

static void on_exception(page *p, const cJSON *params)
{
    const cJSON *details = get(params, "exceptionDetails");
    const char *text = get_text(get(details, "exception"), "description");
    add_line(&p->console, "exception: ", *text ? text : get_text(details, "text"));
}

static void on_log(page *p, const cJSON *params)
{
    char text[600];
    const cJSON *entry = get(params, "entry");
    if (strcmp(get_text(entry, "level"), "error") != 0)
        return;
    snprintf(text, sizeof text, "%s %s", get_text(entry, "text"), get_text(entry, "url"));
    add_line(&p->console, "browser: ", text);
}

static void add_fetched(page *p, const char *url)
{
    size_t length = strcspn(url, "#");
    bool is_own = p->url && length == strlen(p->url) && memcmp(url, p->url, length) == 0;
    if (!is_own && strncmp(url, "data:", strlen("data:")) != 0)
        add_line(&p->fetched, "", url);
}

static void on_request(page *p, const cJSON *params)
{
    add_fetched(p, get_text(get(params, "request"), "url"));
}

static void on_socket(page *p, const cJSON *params)
{
    add_fetched(p, get_text(params, "url"));
}

static void on_lifecycle(page *p, const cJSON *params)
{
    if (p->loader && strcmp(get_text(params, "loaderId"), p->loader) == 0 &&
        strcmp(get_text(params, "name"), "load") == 0)
        p->is_loaded = true;
}

static const struct {
    const char *method;
    void (*note)(page *p, const cJSON *params);
} handlers[] = {
    {"Runtime.consoleAPICalled", on_console},
    {"Runtime.exceptionThrown", on_exception},
    {"Log.entryAdded", on_log},
    {"Network.requestWillBeSent", on_request},
    {"Network.webSocketCreated", on_socket},
    {"Network.webTransportCreated", on_socket},
    {"Page.lifecycleEvent", on_lifecycle},
};

static void note_events(page *p)
{
    cJSON *event = NULL;
    while ((event = browser_take_event(p->browser, p->session))) {
        for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++)
            if (strcmp(get_text(event, "method"), handlers[i].method) == 0)
                handlers[i].note(p, get(event, "params"));
        cJSON_Delete(event);
    }
}

/* ---- new ---- */

static char *copy_text(const cJSON *object, const char *key)
{
    return strdup(get_text(object, key));
}

static roof_status attach(page *p, roof_error *err)
{
    cJSON *result = NULL;
    cJSON *params = cJSON_CreateObject();
    cJSON_AddStringToObject(params, "url", "about:blank");
    TRY(browser_call(p->browser, NULL, "Target.createTarget", params, &result, err));
    p->target = copy_text(result, "targetId");
    cJSON_Delete(result);
    params = cJSON_CreateObject();
    cJSON_AddStringToObject(params, "targetId", p->target ? p->target : "");
    cJSON_AddTrueToObject(params, "flatten");
    TRY(browser_call(p->browser, NULL, "Target.attachToTarget", params, &result, err));
    p->session = copy_text(result, "sessionId");
    cJSON_Delete(result);
    return p->target && p->session ? ROOF_OK : error_memory(err);
}

/* What has to be on before a file is opened, so that nothing of it is missed. */
static roof_status enable(page *p, roof_error *err)
{
    static const char *const domains[] = {"Page.enable", "Runtime.enable", "Log.enable", "Network.enable",
                                          "Inspector.enable"};
    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++)
        TRY(page_call(p, domains[i], NULL, NULL, err));
    cJSON *params = cJSON_CreateObject();
    cJSON_AddTrueToObject(params, "enabled");
    return page_call(p, "Page.setLifecycleEventsEnabled", params, NULL, err);
}

roof_status page_new(browser *b, page **out, roof_error *err)
{
    *out = NULL;
    page *p = calloc(1, sizeof *p);
    if (!p)
        return error_memory(err);
    p->browser = b;
    text_init(&p->console, LINES_MAX_BYTES);
    text_init(&p->fetched, LINES_MAX_BYTES);
    roof_status status = attach(p, err);
    if (status == ROOF_OK)
        status = enable(p, err);
    if (status == ROOF_OK)
        *out = p;
    else
        page_free(p);
    return status;
}

void page_free(page *p)
{
    if (!p)
        return;
    if (p->target) {
        cJSON *params = cJSON_CreateObject();
        cJSON_AddStringToObject(params, "targetId", p->target);
        (void)browser_call(p->browser, NULL, "Target.closeTarget", params, NULL, NULL);
    }
    text_free(&p->console);
    text_free(&p->fetched);
    free(p->target);
    free(p->session);
    free(p->url);
    free(p->loader);
    free(p);
}

/* ---- open ---- */

static roof_status set_size(page *p, roof_error *err)
{
    cJSON *params = cJSON_CreateObject();
    cJSON_AddNumberToObject(params, "width", p->view.width_px);
    cJSON_AddNumberToObject(params, "height", p->view.height_px);
    cJSON_AddNumberToObject(params, "deviceScaleFactor", 1);
    cJSON_AddFalseToObject(params, "mobile");
    return page_call(p, "Emulation.setDeviceMetricsOverride", params, NULL, err);
}

static roof_status set_scheme(page *p, roof_error *err)
{
    cJSON *params = cJSON_CreateObject();
    cJSON *feature = cJSON_CreateObject();
    cJSON_AddItemToArray(cJSON_AddArrayToObject(params, "features"), feature);
    cJSON_AddStringToObject(feature, "name", "prefers-color-scheme");
    cJSON_AddStringToObject(feature, "value", p->view.dark ? "dark" : "light");
    return page_call(p, "Emulation.setEmulatedMedia", params, NULL, err);
}

static roof_status set_script(page *p, roof_error *err)
{
    cJSON *params = cJSON_CreateObject();
    cJSON_AddBoolToObject(params, "value", p->view.no_script);
    return page_call(p, "Emulation.setScriptExecutionDisabled", params, NULL, err);
}

/* After two frames what observers of sizes and of the scheme do is done as well. A page that nobody sees may get no
 * frames, so there is a limit. */
static roof_status settle(page *p, roof_error *err)
{
    static const char frames[] = "new Promise(done => { setTimeout(done, 300);"
                                 " requestAnimationFrame(() => requestAnimationFrame(done)); })";
    cJSON *value = NULL;
    roof_status status = p->view.no_script ? ROOF_OK : page_eval(p, frames, &value, err);
    cJSON_Delete(value);
    return status;
}

static roof_status apply_size_and_scheme(page *p, const page_view *view, roof_error *err)
{
    bool no_script = p->view.no_script;
    p->view = view ? *view : (page_view){0};
    p->view.no_script = no_script;
    p->view.width_px = p->view.width_px ? p->view.width_px : DEFAULT_WIDTH_PX;
    p->view.height_px = p->view.height_px ? p->view.height_px : DEFAULT_HEIGHT_PX;
    TRY(set_size(p, err));
    return set_scheme(p, err);
}

const page_view *page_get_view(const page *p)
{
    return &p->view;
}

roof_status page_set_view(page *p, const page_view *view, roof_error *err)
{
    TRY(apply_size_and_scheme(p, view, err));
    return settle(p, err);
}

/* A file: URL; all but what needs no escape anywhere is escaped. NULL: out of memory. */
static char *file_url(const char *path)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    textbuf url;
    text_init(&url, LINES_MAX_BYTES);
    text_puts(&url, "file://");
    for (const char *c = path; *c; c++)
        if (strchr(plain, *c))
            text_add(&url, c, 1);
        else
            text_printf(&url, "%%%02X", (unsigned)(unsigned char)*c);
    return url.bytes;
}

static roof_status navigate(page *p, roof_error *err)
{
    cJSON *result = NULL;
    cJSON *params = cJSON_CreateObject();
    cJSON_AddStringToObject(params, "url", p->url);
    p->is_loaded = false;
    free(p->loader);
    p->loader = NULL;
    TRY(page_call(p, "Page.navigate", params, &result, err));
    const char *failure = get_text(result, "errorText");
    roof_status status = *failure ? error_set(err, ROOF_E_DATA, "%s: %s", p->url, failure) : ROOF_OK;
    p->loader = copy_text(result, "loaderId");
    cJSON_Delete(result);
    if (status == ROOF_OK && !p->loader)
        status = error_memory(err);
    for (note_events(p); status == ROOF_OK && !p->is_loaded; note_events(p))
        status = browser_wait(p->browser, err);
    return status;
}

roof_status page_reopen(page *p, const page_view *view, roof_error *err)
{
    if (!p->url)
        return error_set(err, ROOF_E_USAGE, "no file was opened before");
    p->view.no_script = view && view->no_script;
    TRY(set_script(p, err));
    TRY(apply_size_and_scheme(p, view, err));
    TRY(navigate(p, err));
    return settle(p, err);
}

roof_status page_open(page *p, const char *path, const page_view *view, roof_error *err)
{
    char *absolute = realpath(path, NULL);
    if (!absolute)
        return error_set(err, ROOF_E_NO_INPUT, "%s: %s", path, strerror(errno));
    note_events(p); /* of what was open before */
    free(p->url);
    p->url = file_url(absolute);
    free(absolute);
    text_free(&p->console);
    text_free(&p->fetched);
    return p->url ? page_reopen(p, view, err) : error_memory(err);
}

/* ---- use ---- */

roof_status page_eval(page *p, const char *expression, cJSON **value, roof_error *err)
{
    cJSON *result = NULL;
    cJSON *params = cJSON_CreateObject();
    *value = NULL;
    cJSON_AddStringToObject(params, "expression", expression);
    cJSON_AddTrueToObject(params, "returnByValue");
    cJSON_AddTrueToObject(params, "awaitPromise");
    TRY(page_call(p, "Runtime.evaluate", params, &result, err));
    const cJSON *thrown = get(result, "exceptionDetails");
    roof_status status = ROOF_OK;
    if (thrown) {
        const char *text = get_text(get(thrown, "exception"), "description");
        status = error_set(err, ROOF_E_DATA, "%s", *text ? text : get_text(thrown, "text"));
    } else {
        cJSON *object = cJSON_GetObjectItemCaseSensitive(result, "result");
        *value = cJSON_DetachItemFromObjectCaseSensitive(object, "value");
    }
    cJSON_Delete(result);
    return status;
}

/* Where the middle of an element is, in the viewport. */
static roof_status find_middle(page *p, const char *selector, double *x, double *y, roof_error *err)
{
    static const char script[] =
        "((selector) => {"
        " const e = document.querySelector(selector);"
        " if (!e) throw Error('there is no such element');"
        " e.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});"
        " const r = e.getBoundingClientRect();"
        " const at = {x: r.x + r.width / 2, y: r.y + r.height / 2};"
        " const hit = document.elementFromPoint(at.x, at.y);"
        " if (!e.contains(hit))"
        "  throw Error('there is ' + (hit ? hit.tagName : 'nothing') + ' in its place');"
        " return at; })(%s)";
    cJSON *quoted = cJSON_CreateString(selector), *middle = NULL;
    char *text = cJSON_PrintUnformatted(quoted), *expression = NULL;
    cJSON_Delete(quoted);
    int length = text ? asprintf(&expression, script, text) : -1;
    cJSON_free(text);
    if (length < 0)
        return error_memory(err);
    roof_status status = page_eval(p, expression, &middle, err);
    free(expression);
    if (status != ROOF_OK) {
        error_prefix(err, "%s", selector);
        return status;
    }
    *x = cJSON_GetNumberValue(get(middle, "x"));
    *y = cJSON_GetNumberValue(get(middle, "y"));
    cJSON_Delete(middle);
    return ROOF_OK;
}

roof_status page_click(page *p, const char *selector, roof_error *err)
{
    static const struct {
        const char *type, *button;
        int clicks;
    } steps[] = {{"mouseMoved", "none", 0}, {"mousePressed", "left", 1}, {"mouseReleased", "left", 1}};
    double x = 0, y = 0;
    TRY(find_middle(p, selector, &x, &y, err));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        cJSON *params = cJSON_CreateObject();
        cJSON_AddStringToObject(params, "type", steps[i].type);
        cJSON_AddNumberToObject(params, "x", x);
        cJSON_AddNumberToObject(params, "y", y);
        cJSON_AddStringToObject(params, "button", steps[i].button);
        cJSON_AddNumberToObject(params, "clickCount", steps[i].clicks);
        TRY(page_call(p, "Input.dispatchMouseEvent", params, NULL, err));
    }
    return ROOF_OK;
}

/* ---- pictures ---- */

static int base64_value(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static roof_status save_base64(const char *text, const char *path, roof_error *err)
{
    textbuf bytes;
    uint32_t bits = 0;
    int n_bits = 0;
    text_init(&bytes, TEXT_MAX_BYTES);
    for (int value = 0; (value = base64_value(*text)) >= 0; text++) {
        bits = bits << 6 | (uint32_t)value;
        n_bits += 6;
        if (n_bits >= 8) {
            n_bits -= 8;
            char byte = (char)(bits >> n_bits & 0xff);
            text_add(&bytes, &byte, 1);
        }
    }
    roof_status status = text_save(&bytes, path, err);
    text_free(&bytes);
    return status;
}

/* A method whose answer has a file in its member data. */
static roof_status save_data(page *p, const char *method, cJSON *params, const char *path, roof_error *err)
{
    cJSON *result = NULL;
    TRY(page_call(p, method, params, &result, err));
    const char *data = get_text(result, "data");
    roof_status status = *data ? save_base64(data, path, err)
                               : error_set(err, ROOF_E_DATA, "%s: the answer has no data", method);
    cJSON_Delete(result);
    return status;
}

roof_status page_screenshot(page *p, const char *path, roof_error *err)
{
    cJSON *metrics = NULL;
    TRY(page_call(p, "Page.getLayoutMetrics", NULL, &metrics, err));
    const cJSON *size = get(metrics, "cssContentSize");
    cJSON *params = cJSON_CreateObject();
    cJSON_AddStringToObject(params, "format", "png");
    cJSON_AddTrueToObject(params, "captureBeyondViewport");
    cJSON *clip = cJSON_AddObjectToObject(params, "clip");
    cJSON_AddNumberToObject(clip, "x", 0);
    cJSON_AddNumberToObject(clip, "y", 0);
    cJSON_AddNumberToObject(clip, "width", cJSON_GetNumberValue(get(size, "width")));
    cJSON_AddNumberToObject(clip, "height", cJSON_GetNumberValue(get(size, "height")));
    cJSON_AddNumberToObject(clip, "scale", 1);
    cJSON_Delete(metrics);
    return save_data(p, "Page.captureScreenshot", params, path, err);
}

roof_status page_pdf(page *p, const char *path, roof_error *err)
{
    cJSON *params = cJSON_CreateObject();
    cJSON_AddTrueToObject(params, "printBackground");
    cJSON_AddTrueToObject(params, "preferCSSPageSize");
    return save_data(p, "Page.printToPDF", params, path, err);
}

/* ---- what was collected ---- */

/* Events come in order with answers, so after one more call all is there that happened before it. */
static roof_status collect(page *p, const textbuf *from, const char **lines, roof_error *err)
{
    cJSON *value = NULL;
    TRY(page_eval(p, "0", &value, err));
    cJSON_Delete(value);
    note_events(p);
    *lines = from->bytes ? from->bytes : "";
    return text_status(from, err);
}

roof_status page_console(page *p, const char **lines, roof_error *err)
{
    return collect(p, &p->console, lines, err);
}

roof_status page_fetched(page *p, const char **lines, roof_error *err)
{
    return collect(p, &p->fetched, lines, err);
}
