/* The Model Context Protocol over standard input and output: one message of JSON-RPC a line. */
#include "cli/mcp.h"
#include "core/json/jsonrpc.h"
#include "core/json/jsontree.h"
#include "core/platform/platform.h"
#include "roofline/version.h"

#include <errno.h>
#include <unistd.h>

enum { MOST_MESSAGE = 1 << 20, MOST_LINES = 3 };

typedef struct server {
    cli_survey survey;
    mcp_folders folders;
    roof_arena *arena;
} server;

/* --- results -------------------------------------------------------------------------------------------- */

static void put_text(jsonout *json, const char *text)
{
    jsonout_texts(json, NULL, "type", "text", "text", text, NULL);
}

/* Cuts behind the first paragraph, which has the subject, the verdict and what to do first. */
static const char *first_lines(textbuf *text)
{
    char *at = text->bytes;
    for (int i = 0; at && *at && i < MOST_LINES && *at != '\n'; i++)
        at += strcspn(at, "\n") + (strchr(at, '\n') != NULL);
    if (at && at > text->bytes && at[-1] == '\n')
        at--;
    if (at)
        *at = '\0';
    return text->bytes ? text->bytes : "";
}

/* The tool says why it failed, so that who called it can ask better. */
static void put_failure(jsonout *json, const char *why)
{
    jsonout_array(json, "content", true);
    put_text(json, why);
    jsonout_end(json);
    jsonout_bool(json, "isError", true);
}

static bool is_done(int exit_code)
{
    return exit_code == CLI_DONE || exit_code == CLI_CHECK_FAILED;
}

/* Twice: as people read it, for the first lines, and as a document. */
static void answer_call(const server *s, const mcp_tool *tool, const mcp_line *line, jsonout *json)
{
    textbuf said, document, notes, more;
    text_init(&said, MCP_MOST_ANSWER);
    text_init(&notes, MCP_MOST_ANSWER);
    text_init(&more, MCP_MOST_ANSWER);
    text_init(&document, MCP_MOST_ANSWER);
    if (is_done(mcp_run(line, "text", &s->folders, &said, &notes)) &&
        is_done(mcp_run(line, "json", &s->folders, &document, &more)) && document.length &&
        *document.bytes == '{') {
        jsonout_array(json, "content", true);
        put_text(json, tool->said && !line->has_files ? tool->said : first_lines(&said));
        if (notes.length)
            put_text(json, notes.bytes);
        jsonout_end(json);
        text_puts(json->out, ",\"structuredContent\":");
        /* A document as one line: a line end stands between values only, with the indentation behind it. */
        for (const char *at = document.bytes; *at;) {
            const size_t length = strcspn(at, "\n");
            text_add(json->out, at, length);
            at += length;
            at += strspn(at, "\n ");
        }
        jsonout_bool(json, "isError", false);
    } else {
        put_failure(json, more.length ? more.bytes : notes.length ? notes.bytes : "no answer");
    }
    text_free(&said);
    text_free(&notes);
    text_free(&more);
    text_free(&document);
}

/* --- methods -------------------------------------------------------------------------------------------- */

typedef struct call {
    const server *server;
    const jsonrpc_message *message;
    textbuf *reply;
} call;

static const char *text_parameter(const call *c, const char *name)
{
    const cJSON *value = jsontree_get(c->message->params, name);
    if (cJSON_IsString(value))
        return value->valuestring;
    jsonrpc_refuse(c->reply, c->message->id, JSONRPC_BAD_PARAMETERS, "%s: want a text", name);
    return NULL;
}

static void initialize(const call *c)
{
    static const char *const versions[] = {"2025-11-25", "2025-06-18", "2024-11-05"};
    const char *requested = text_parameter(c, "protocolVersion"), *version = versions[0];
    jsonout json;
    if (!requested)
        return;
    for (size_t i = 0; i < N_OF(versions); i++)
        version = strcmp(requested, versions[i]) == 0 ? versions[i] : version;
    jsonrpc_begin(&json, c->reply, c->message->id);
    jsonout_string(&json, "protocolVersion", version);
    jsonout_object(&json, "capabilities", true);
    jsonout_texts(&json, "tools", NULL);
    jsonout_texts(&json, "resources", NULL);
    jsonout_end(&json);
    jsonout_texts(&json, "serverInfo", "name", "roofline", "title",
                  "roofline: performance of neural networks on accelerators", "version", roof_version(),
                  NULL);
    jsonout_string(
        &json, "instructions",
        "Names of files are relative to the folder of this server. `hardware` lists devices; "
        "`predict` needs no board; `reconcile` reads a profile of any tool. A bound is no expected "
        "time: say which of the two a number is, and that an unknown one is unknown.");
    jsonrpc_end(&json);
}

static void call_tool(const call *c)
{
    const char *name = text_parameter(c, "name");
    const mcp_tool *tool = name ? mcp_tool_named(name) : NULL;
    const cJSON *arguments = jsontree_get(c->message->params, "arguments");
    roof_arena *arena = arena_new(0);
    mcp_line line;
    textbuf why;
    jsonout json;
    text_init(&why, 1 << 16);
    if (name && !tool)
        jsonrpc_refuse(c->reply, c->message->id, JSONRPC_BAD_PARAMETERS,
                       "no tool '%.80s'; tools/list names all", name);
    else if (tool && arguments && !cJSON_IsObject(arguments))
        jsonrpc_refuse(c->reply, c->message->id, JSONRPC_BAD_PARAMETERS, "arguments: want an object");
    else if (tool && !arena)
        jsonrpc_refuse(c->reply, c->message->id, JSONRPC_FAILED, "out of memory");
    else if (tool) {
        jsonrpc_begin(&json, c->reply, c->message->id);
        if (mcp_line_of(tool, &c->server->survey, &c->server->folders, arguments, arena, &line, &why))
            answer_call(c->server, tool, &line, &json);
        else
            put_failure(&json, why.bytes ? why.bytes : "out of memory");
        jsonrpc_end(&json);
    }
    text_free(&why);
    arena_free(arena);
}

/* --- resources ------------------------------------------------------------------------------------------ */

#define SCHEMA "roofline://schema/"
#define DEVICE "roofline://hardware/"

/* Resources whose text is the output of a command. */
static const struct {
    const char *uri, *name, *doc, *type, *command;
} printed[] = {
    {"roofline://formats", "formats", "Models and profiles that can be read, and formats that are written",
     "text/plain", "formats"},
    {"roofline://hardware", "hardware", "All devices that are built in", "application/json", "hw list"},
};

static void put_resource(jsonout *json, const char *uri, const char *name, const char *doc, const char *type)
{
    jsonout_texts(json, NULL, "uri", uri, "name", name, "description", doc, "mimeType", type, NULL);
}

static void put_resources(jsonout *json, const cli_survey *survey)
{
    (void)survey;
    for (size_t i = 0; i < N_OF(printed); i++)
        put_resource(json, printed[i].uri, printed[i].name, printed[i].doc, printed[i].type);
    for (const cli_script *schema = mcp_schemas; schema->name; schema++) {
        char uri[120], doc[160];
        const int length = (int)strcspn(schema->name, ".");
        snprintf(uri, sizeof uri, SCHEMA "%.*s", length, schema->name);
        snprintf(doc, sizeof doc, "The schema of documents of the kind %.*s", length, schema->name);
        put_resource(json, uri, schema->name, doc, "application/schema+json");
    }
}

static void put_templates(jsonout *json, const cli_survey *survey)
{
    (void)survey;
    jsonout_texts(json, NULL, "uriTemplate", DEVICE "{id}", "name", "device", "description",
                  "A device: all values, with their sources", "mimeType", "application/json", NULL);
}

static void put_contents(const call *c, const char *uri, const char *type, const char *text)
{
    jsonout json;
    jsonrpc_begin(&json, c->reply, c->message->id);
    jsonout_array(&json, "contents", true);
    jsonout_texts(&json, NULL, "uri", uri, "mimeType", type, "text", text, NULL);
    jsonrpc_end(&json);
}

/* False: the command does not know it. */
static bool put_printed(const call *c, const char *uri, const mcp_line *line, const char *type)
{
    textbuf out, messages;
    text_init(&out, MCP_MOST_ANSWER);
    text_init(&messages, MCP_MOST_ANSWER);
    const bool is_there = mcp_run(line, "json", &c->server->folders, &out, &messages) == CLI_DONE;
    if (is_there)
        put_contents(c, uri, type, out.bytes ? out.bytes : "");
    text_free(&out);
    text_free(&messages);
    return is_there;
}

static void read_resource(const call *c)
{
    enum { NOT_FOUND = -32002 };
    const char *uri = text_parameter(c, "uri");
    bool is_there = !uri;
    for (size_t i = 0; !is_there && i < N_OF(printed); i++)
        if (strcmp(printed[i].uri, uri) == 0) {
            char command[40];
            mcp_line line = {.words = {"roofline"}, .n = 1};
            snprintf(command, sizeof command, "%s", printed[i].command);
            for (char *rest = command; rest;)
                line.words[line.n++] = strsep(&rest, " ");
            line.format_at = line.n;
            line.n += strcmp(printed[i].type, "application/json") == 0;
            is_there = put_printed(c, uri, &line, printed[i].type);
        }
    for (const cli_script *schema = mcp_schemas; !is_there && schema->name; schema++) {
        const size_t length = strcspn(schema->name, "."), before = sizeof SCHEMA - 1;
        is_there = strncmp(uri, SCHEMA, before) == 0 && strlen(uri) == before + length &&
                   strncmp(uri + before, schema->name, length) == 0;
        if (is_there)
            put_contents(c, uri, "application/schema+json", schema->text);
    }
    /* names alone: a description in a file is no resource */
    if (!is_there && strncmp(uri, DEVICE, sizeof DEVICE - 1) == 0) {
        char id[100] = "";
        snprintf(id, sizeof id, "%s", uri + sizeof DEVICE - 1);
        const mcp_line line = {.words = {"roofline", "hw", "show", "", "--", id}, .n = 6, .format_at = 3};
        is_there = *id && id[strcspn(id, "/.")] == '\0' && put_printed(c, uri, &line, "application/json");
    }
    if (!is_there)
        jsonrpc_refuse(c->reply, c->message->id, (jsonrpc_code)NOT_FOUND,
                       "no resource '%.200s'; resources/list names all", uri);
}

static const struct {
    const char *method;
    void (*answer)(const call *c); /* NULL: the answer is a list, or empty */
    const char *list;
    void (*put)(jsonout *json, const cli_survey *survey);
} methods[] = {
    {"initialize", initialize, NULL, NULL},
    {"ping", NULL, NULL, NULL},
    {"tools/list", NULL, "tools", mcp_put_tools},
    {"tools/call", call_tool, NULL, NULL},
    {"resources/list", NULL, "resources", put_resources},
    {"resources/templates/list", NULL, "resourceTemplates", put_templates},
    {"resources/read", read_resource, NULL, NULL},
};

/* Notifications ask for nothing, whatever they say: a call ends before the next line is read. */
static void answer(const server *s, const char *line, size_t size, textbuf *reply)
{
    jsonrpc_message message;
    jsonrpc_read(line, size, &message, reply);
    const size_t i = NAMED_AT(methods, N_OF(methods), method, message.method);
    const bool is_request = message.method && message.id;
    if (is_request && i == N_OF(methods)) {
        jsonrpc_refuse(reply, message.id, JSONRPC_NO_METHOD, "no method '%.80s'", message.method);
    } else if (is_request && methods[i].answer) {
        methods[i].answer(&(call){s, &message, reply});
    } else if (is_request) {
        jsonout json;
        jsonrpc_begin(&json, reply, message.id);
        if (methods[i].list) {
            jsonout_array(&json, methods[i].list, true);
            methods[i].put(&json, &s->survey);
        }
        jsonrpc_end(&json);
    }
    cJSON_Delete(message.tree);
}

/* --- lines ---------------------------------------------------------------------------------------------- */

static bool serve_line(const server *s, const char *line, size_t size, bool is_too_long)
{
    static const char no_memory[] =
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32603,\"message\":\"out of memory\"}}\n";
    textbuf reply;
    text_init(&reply, TEXT_MAX_BYTES);
    if (is_too_long)
        jsonrpc_refuse(&reply, NULL, JSONRPC_NO_MESSAGE, "a message has at most %d bytes", MOST_MESSAGE);
    else if (strspn(line, " \t\r") < size)
        answer(s, line, size, &reply);
    const char *bytes = reply.failed ? no_memory : reply.bytes;
    const size_t length = reply.failed ? sizeof no_memory - 1 : reply.length;
    const bool is_written = os_write(STDOUT_FILENO, bytes, length) == length;
    text_free(&reply);
    return is_written;
}

/* Until the client closes its end. A line that is too long is read past, not kept. */
static int serve(const server *s)
{
    static char room[MOST_MESSAGE + 2];
    size_t used = 0;
    bool is_too_long = false;
    for (;;) {
        const int64_t n = os_read(STDIN_FILENO, room + used, MOST_MESSAGE + 1 - used);
        if (n < 0)
            return cli_note("standard input cannot be read: %s", strerror(errno)), CLI_IO;
        size_t begin = 0;
        room[used += (size_t)n] = '\0';
        for (char *end; (end = memchr(room + begin, '\n', used - begin)); begin = (size_t)(end - room) + 1) {
            *end = '\0';
            if (!serve_line(s, room + begin, (size_t)(end - room) - begin, is_too_long))
                return cli_note("standard output cannot be written: %s", strerror(errno)), CLI_IO;
            is_too_long = false;
        }
        if (n == 0)
            return !used || serve_line(s, room, used, is_too_long) ? CLI_DONE : CLI_IO;
        memmove(room, room + begin, used - begin + 1);
        used -= begin;
        is_too_long = is_too_long || used > MOST_MESSAGE;
        used = is_too_long ? 0 : used;
    }
}

/* --- the command line ----------------------------------------------------------------------------------- */

static const char doc[] =
    "Answers agents by the Model Context Protocol on standard input and output, one message a line. Its "
    "tools are predict, reconcile, explain, compare, check, inspect and hardware. They take the options of "
    "these commands, and answer with their first lines and their JSON document.\vNo file is written. None is "
    "read outside of FOLDER, also not through links, through .. or because a model names it: each call is a "
    "process of its own, which the kernel holds (Landlock, Linux 5.13). It has 60 s, and 16 MiB for its "
    "answer.\n\nExamples:\n  roofline mcp .";

typedef struct arguments {
    cli_arguments common;
    bool unconfined;
} arguments;

static const struct argp_option options[] = {
    CLI_OPTION("unconfined", FLAG, unconfined, 0,
               "Answer also where the kernel has no Landlock: names of files are held to the folders, files "
               "that a model names are not"),
    {0},
};

static roof_status open_folder(server *s, const char *name, roof_error *err)
{
    const int fd = os_open(OS_HERE, name, OS_LIST);
    char *real = fd >= 0 ? os_real_path(name) : NULL;
    if (!real)
        return error_placed(error_errno(err, ROOF_E_NO_INPUT, "cannot open this folder"), err, "%s", name);
    const mcp_folder folder = {name, arena_strdup(s->arena, real), fd};
    free(real);
    return ARENA_ADD(s->arena, s->folders.of, s->folders.n, err, folder);
}

int cmd_mcp(int argc, char **argv)
{
    arguments a = {.common = {.missing = "which folders may be read? `roofline mcp .` for this one"}};
    server s = {0};
    roof_error err;
    CLI_PARSE(&a, options, cli_parse_key, "FOLDER...", doc, NULL);
    if (!a.unconfined && !mcp_can_confine())
        return cli_fail_usage(
            "this kernel has no Landlock, which holds calls to the folders; --unconfined goes "
            "without, for models that you trust");
    s.folders.unconfined = a.unconfined;
    s.arena = arena_new(0);
    roof_status status = ALLOCATED(s.arena, &err);
    for (size_t i = 0; status == ROOF_OK && i < a.common.n_files; i++)
        status = open_folder(&s, a.common.files[i], &err);
    THEN(status, cli_survey_commands(s.arena, &s.survey, &err));
    if (status == ROOF_OK && isatty(STDIN_FILENO))
        cli_note("waits for messages of a client; Ctrl-D ends it");
    const int exit_code = status == ROOF_OK ? serve(&s) : cli_fail(&err);
    arena_free(s.arena);
    return exit_code;
}
