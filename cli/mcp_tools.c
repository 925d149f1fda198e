#include "cli/mcp.h"
#include "core/utf8.h"
#include "core/json/jsontree.h"

static const mcp_tool tools[] = {
    {.name = "predict",
     .title = "Predict a model's time on a device",
     .doc =
         "How long a network takes on an accelerator, what limits it, and what would help, layer by layer. "
         "Takes ONNX, TFLite, .xmodel, a language model's config.json, and more. Several files or several "
         "devices are compared.",
     .files = "Models to predict; none with gemm",
     .most_files = MCP_MOST_FILES,
     .left_out = "annotate metric",
     .documents = "prediction predictions configurations curve"},
    {.name = "reconcile",
     .title = "Find where a profile loses time",
     .doc = "Holds what a profiler measured against the bound, and ranks what costs time. Takes the files of "
            "some sixty profilers as they are.",
     .files = "Profiles",
     .least_files = 1,
     .most_files = MCP_MOST_FILES,
     .left_out = "calibration-out",
     .documents = "reconciliation"},
    {.name = "explain",
     .title = "Explain one measured number",
     .doc = "Whether a measured or a published number is expected; if not, the causes that fit, how likely "
            "each is, and what to measure next.",
     .files = "The model; none with gemm",
     .most_files = MCP_MOST_FILES,
     .documents = "explanation"},
    {.name = "compare",
     .title = "Compare two profiles or models",
     .doc = "What differs between two runs or two models, and whether it is change or noise.",
     .files = "The two: profiles, documents or models",
     .least_files = 2,
     .most_files = 2,
     .documents = "comparison siblings"},
    {.name = "check",
     .title = "Check against a budget",
     .doc = "Whether a profile, a prediction or a model keeps the limits of a budget file.",
     .files = "Profiles, predictions or models",
     .least_files = 1,
     .most_files = MCP_MOST_FILES,
     .documents = "checks"},
    {.name = "inspect",
     .title = "Show what a model file contains",
     .doc = "Operators, sizes, target and compiler of a model; with memory, the live bytes in each pool.",
     .files = "The model",
     .least_files = 1,
     .most_files = 1,
     .left_out = "without-weights",
     .documents = "inspection"},
    {.name = "hardware",
     .title = "List or show devices",
     .doc = "Without files: names of all devices, for hw of the other tools. With one name: its values and "
            "their sources.",
     .command = "hw show",
     .without = "hw list",
     .said = "All devices that are built in. Ask for one by its id to see its values and their sources.",
     .files = "One name of a device, such as kv260",
     .most_files = 1,
     .documents = "hardware hardware_list"},
};

enum { N_TOOLS = N_OF(tools) };

const mcp_tool *mcp_tool_named(const char *name)
{
    return NAMED(tools, N_TOOLS, name, name);
}

static const char *command_of(const mcp_tool *tool)
{
    return tool->command ? tool->command : tool->name;
}

static const cli_surveyed_command *survey_of(const mcp_tool *tool, const cli_survey *survey)
{
    return &survey->commands[NAMED_AT(survey->commands, survey->n_commands - 1, path, command_of(tool))];
}

static bool is_taken(const mcp_tool *tool, const cli_surveyed_option *o)
{
    static const char of_none[] = "format color no-color top sort details strict findings chart";
    return o->name && !text_has_word(of_none, o->name) &&
           !(tool->left_out && text_has_word(tool->left_out, o->name));
}

/* --- schemas -------------------------------------------------------------------------------------------- */

/* By the kind of an option: the type of its value in JSON. */
static const char *type_of(const cli_surveyed_option *o)
{
    if (o->kind == CLI_LIST)
        return "array";
    if (!o->argument)
        return "boolean";
    return o->kind == CLI_COUNT || o->kind == CLI_MOST ? "integer" : "string";
}

static void put_words(jsonout *json, const char *words)
{
    jsonout_array(json, "enum", true);
    for (text_span rest = span_of(words); rest.length;) {
        const text_span word = span_take_until(&rest, " ");
        char text[64];
        snprintf(text, sizeof text, "%.*s", (int)word.length, word.text);
        jsonout_string(json, NULL, text);
    }
    jsonout_end(json);
}

static void put_option(jsonout *json, const cli_surveyed_option *o)
{
    const bool is_closed = *o->values.words && !o->values.files && !o->values.folders;
    jsonout_object(json, o->name, true);
    jsonout_string(json, "type", type_of(o));
    if (is_closed && o->kind != CLI_LIST)
        put_words(json, o->values.words);
    if (o->kind == CLI_LIST) {
        jsonout_object(json, "items", true);
        jsonout_string(json, "type", "string");
        if (is_closed)
            put_words(json, o->values.words);
        jsonout_end(json);
        jsonout_count(json, "maxItems", CLI_MOST_ITEMS);
    }
    textbuf doc;
    text_init(&doc, 1 << 14);
    text_printf(&doc, "%s%s%s", o->doc, o->argument ? "; as " : "", o->argument ? o->argument : "");
    jsonout_string(json, "description", doc.bytes);
    text_free(&doc);
    jsonout_end(json);
}

static void put_input(jsonout *json, const mcp_tool *tool, const cli_surveyed_command *command)
{
    jsonout_object(json, "inputSchema", true);
    jsonout_string(json, "type", "object");
    jsonout_object(json, "properties", true);
    jsonout_object(json, "files", true);
    jsonout_string(json, "type", "array");
    jsonout_texts(json, "items", "type", "string", NULL);
    jsonout_count(json, "minItems", tool->least_files);
    jsonout_count(json, "maxItems", tool->most_files);
    jsonout_string(json, "description", tool->files);
    jsonout_end(json);
    for (size_t i = 0; i < command->n_options; i++)
        if (is_taken(tool, &command->options[i]))
            put_option(json, &command->options[i]);
    jsonout_end(json);
    jsonout_array(json, "required", true);
    if (tool->least_files)
        jsonout_string(json, NULL, "files");
    jsonout_end(json);
    jsonout_bool(json, "additionalProperties", false);
    jsonout_end(json);
}

/* A text or several, as the schema has them. */
static void put_copied(jsonout *json, const cJSON *schema, const char *key)
{
    const cJSON *value = jsontree_get(schema, key);
    if (cJSON_IsString(value)) {
        jsonout_string(json, key, value->valuestring);
    } else if (cJSON_IsArray(value)) {
        jsonout_array(json, key, true);
        for (const cJSON *one = value->child; one; one = one->next)
            jsonout_string(json, NULL, one->valuestring);
        jsonout_end(json);
    }
}

/* NULL where there is none, or no memory. The caller's. */
static cJSON *schema_of(text_span document)
{
    cJSON *root = NULL;
    roof_error err;
    for (const cli_script *s = mcp_schemas; s->name; s++)
        if (strncmp(s->name, document.text, document.length) == 0 && s->name[document.length] == '-')
            jsontree_parse(s->text, s->length, s->name, &root, &err);
    return root;
}

/* One document: its members. Several: which they are, since members of one name may differ. */
static void put_output(jsonout *json, const mcp_tool *tool)
{
    const bool is_one = !strchr(tool->documents, ' ');
    cJSON *schema = is_one ? schema_of(span_of(tool->documents)) : NULL;
    const cJSON *members = jsontree_get(schema, "properties");
    jsonout_object(json, "outputSchema", true);
    jsonout_string(json, "type", "object");
    jsonout_object(json, "properties", true);
    jsonout_object(json, "schema", true);
    jsonout_array(json, "enum", true);
    for (text_span rest = span_of(tool->documents); rest.length;) {
        cJSON *one = schema_of(span_take_until(&rest, " "));
        const cJSON *title = jsontree_get(one, "title");
        jsonout_string(json, NULL, cJSON_IsString(title) ? title->valuestring : NULL);
        cJSON_Delete(one);
    }
    jsonout_end(json);
    jsonout_string(json, "description",
                   "Which document it is; the resource roofline://schema/NAME says all of it");
    jsonout_end(json);
    for (const cJSON *member = members ? members->child : NULL; member; member = member->next)
        if (strcmp(member->string, "schema") != 0) {
            /* its parts are in the whole schema */
            jsonout_object(json, member->string, true);
            put_copied(json, member, "type");
            put_copied(json, member, "description");
            jsonout_end(json);
        }
    jsonout_end(json);
    if (jsontree_get(schema, "required")) {
        put_copied(json, schema, "required");
    } else {
        jsonout_array(json, "required", true);
        jsonout_string(json, NULL, "schema");
        jsonout_end(json);
    }
    jsonout_end(json);
    cJSON_Delete(schema);
}

void mcp_put_tools(jsonout *json, const cli_survey *survey)
{
    for (size_t i = 0; i < N_TOOLS; i++) {
        jsonout_object(json, NULL, true);
        jsonout_string(json, "name", tools[i].name);
        jsonout_string(json, "title", tools[i].title);
        jsonout_string(json, "description", tools[i].doc);
        put_input(json, &tools[i], survey_of(&tools[i], survey));
        put_output(json, &tools[i]);
        jsonout_object(json, "annotations", true);
        jsonout_bool(json, "readOnlyHint", true);
        jsonout_bool(json, "idempotentHint", true);
        jsonout_bool(json, "openWorldHint", false);
        jsonout_end(json);
        jsonout_end(json);
    }
}

/* --- from arguments to a line --------------------------------------------------------------------------- */

typedef struct maker {
    const mcp_tool *tool;
    const cli_surveyed_command *command;
    const mcp_folders *folders;
    roof_arena *arena;
    mcp_line *line;
    textbuf *why;
} maker;

static bool refuse(const maker *m, const char *place, const char *want)
{
    char shown[400];
    text_printf(m->why, "%s: %s", quote_text(shown, sizeof shown, place, strlen(place)), want);
    return false;
}

static bool add_word(const maker *m, char *word)
{
    mcp_line *line = m->line;
    if (!word || line->n + 4 > (int)N_OF(line->words))
        return refuse(m, m->tool->name, "too many arguments, or too little memory");
    line->words[line->n++] = word;
    return true;
}

/* True where the real place of a path is beneath a folder. */
static bool is_inside(const mcp_folders *folders, const char *path)
{
    char *real = os_real_path(path);
    bool is = false;
    for (size_t i = 0; real && i < folders->n; i++) {
        const size_t length = strlen(folders->of[i].real);
        const bool is_root = length == 1; /* "/" */
        is |= strncmp(real, folders->of[i].real, length) == 0 &&
              (is_root || !real[length] || real[length] == '/');
    }
    free(real);
    return is;
}

/* A name within the folders: as it is in the first, where the command runs; whole in the others. Nothing
 * takes it for an option or for standard input. NULL, and why; the reason does not say whether a file
 * outside of them exists. */
static char *inside(const maker *m, const char *name)
{
    for (size_t i = 0; i < m->folders->n; i++) {
        char *path = *name == '/' ? arena_strdup(m->arena, name)
                                  : arena_printf(m->arena, "%s/%s", m->folders->of[i].real, name);
        const bool is = path && is_inside(m->folders, path);
        if (is && *name != '/' && i == 0)
            return arena_printf(m->arena, "%s%s", *name == '-' ? "./" : "", *name ? name : ".");
        if (is)
            return path;
    }
    refuse(m, name, "not in the folders of this server:");
    for (size_t i = 0; i < m->folders->n; i++) {
        text_puts(m->why, i ? ", " : " ");
        text_shown(m->why, m->folders->of[i].name);
    }
    return NULL;
}

/* A name of hardware is a path where it says so. */
static bool is_path(const cli_values *values, const char *text)
{
    const char *dot = strrchr(text, '.');
    return values->files && (!*values->words || strchr(text, '/') || (dot && strcmp(dot, ".json") == 0));
}

static bool add_text(const maker *m, const cli_surveyed_option *o, const char *text)
{
    const char *value = is_path(&o->values, text) ? inside(m, text) : text;
    return value && add_word(m, arena_printf(m->arena, "--%s=%s", o->name, value));
}

static bool add_option(const maker *m, const cli_surveyed_option *o, const cJSON *value)
{
    const bool is_list = o->kind == CLI_LIST;
    if (!o->argument && !cJSON_IsBool(value))
        return refuse(m, o->name, "want true or false");
    if (!o->argument)
        return cJSON_IsFalse(value) || add_word(m, arena_printf(m->arena, "--%s", o->name));
    if (strcmp(type_of(o), "integer") == 0)
        return cJSON_IsNumber(value)
                   ? add_word(m, arena_printf(m->arena, "--%s=%.17g", o->name, value->valuedouble))
                   : refuse(m, o->name, "want a whole number");
    if (!is_list && cJSON_IsNumber(value)) /* of an option that takes lists of them as well */
        return add_word(m, arena_printf(m->arena, "--%s=%.17g", o->name, value->valuedouble));
    if (is_list ? !cJSON_IsArray(value) : !cJSON_IsString(value))
        return refuse(m, o->name, is_list ? "want an array of texts" : "want a text");
    if (!is_list)
        return add_text(m, o, value->valuestring);
    for (const cJSON *item = value->child; item; item = item->next)
        if (!cJSON_IsString(item))
            return refuse(m, o->name, "want an array of texts");
        else if (!add_text(m, o, item->valuestring))
            return false;
    return true;
}

static bool add_named(const maker *m, const cJSON *argument)
{
    FOR_EACH(const cli_surveyed_option, o, m->command->options, m->command->n_options)
        if (is_taken(m->tool, o) && strcmp(o->name, argument->string) == 0)
            return cJSON_IsNull(argument) || add_option(m, o, argument);
    refuse(m, argument->string, "is no argument of this tool; these are: files");
    for (size_t i = 0; i < m->command->n_options; i++)
        if (is_taken(m->tool, &m->command->options[i]))
            text_printf(m->why, ", %s", m->command->options[i].name);
    return false;
}

static bool add_files(const maker *m, const cJSON *files)
{
    const int n = cJSON_IsArray(files) ? cJSON_GetArraySize(files) : 0;
    if ((files && !cJSON_IsNull(files) && !cJSON_IsArray(files)) || n < (int)m->tool->least_files ||
        n > (int)m->tool->most_files) {
        text_printf(m->why, "files: want an array of %u to %u texts", m->tool->least_files,
                    m->tool->most_files);
        return false;
    }
    if (n && !add_word(m, arena_strdup(m->arena, "--")))
        return false;
    for (const cJSON *file = files && n ? files->child : NULL; file; file = file->next) {
        if (!cJSON_IsString(file))
            return refuse(m, "files", "want texts");
        const cli_values *values = &m->command->values;
        const bool is_name = *values->words && !is_path(values, file->valuestring);
        char *word = is_name ? arena_strdup(m->arena, file->valuestring) : inside(m, file->valuestring);
        if (!word || !add_word(m, word))
            return false;
    }
    m->line->has_files = n > 0;
    return true;
}

bool mcp_line_of(const mcp_tool *tool, const cli_survey *survey, const mcp_folders *folders,
                 const cJSON *arguments, roof_arena *arena, mcp_line *out, textbuf *why)
{
    const maker m = {tool, survey_of(tool, survey), folders, arena, out, why};
    const cJSON *files = jsontree_get(arguments, "files");
    const bool has_files = cJSON_IsArray(files) && files->child;
    const char *command = tool->without && !has_files ? tool->without : command_of(tool);
    *out = (mcp_line){0};
    add_word(&m, arena_strdup(arena, "roofline"));
    for (text_span rest = span_of(command); rest.length;) {
        const text_span word = span_take_until(&rest, " ");
        add_word(&m, arena_strndup(arena, word.text, word.length));
    }
    out->format_at = out->n;
    if (!add_word(&m, arena_strdup(arena, "")))
        return false;
    for (const cJSON *a = arguments ? arguments->child : NULL; a; a = a->next)
        if (strcmp(a->string, "files") != 0 && !add_named(&m, a))
            return false;
    return add_files(&m, files);
}
