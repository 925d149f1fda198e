#include "cli/cli.h"
#include "core/platform/platform.h"
#include "core/utf8.h"

#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY_COLOUR = 0x100, KEY_NO_COLOUR, KEY_FORMAT };
enum { OUTPUT_GROUP = 9 }; /* behind the groups of the commands' own options */
enum { DEFAULT_WIDTH = 120, WIDEST = 1000 };

/* --- parsing ------------------------------------------------------------------------------------------ */

/* -o stands alone: with a long form argp would add a remark on mandatory arguments to every help. */
static const struct argp_option options[] = {
    {0, 0, 0, 0, "Output:", OUTPUT_GROUP},
    {"format", KEY_FORMAT, "FORMAT", 0, "One of", OUTPUT_GROUP}, /* filter_help completes it */
    {0, 'o', "FILE", 0,
     "Write to FILE instead of standard output, whole or not at all; an extension .txt, .json, .csv, .md or "
     ".trace chooses the format",
     OUTPUT_GROUP},
    {"output", CLI_OUTPUT, "FILE", OPTION_HIDDEN, 0, OUTPUT_GROUP},
    {"brief", 'q', 0, 0, "Print the first answer alone: how fast, what limits it, the next step",
     OUTPUT_GROUP},
    {"color", KEY_COLOUR, "WHEN", OPTION_ARG_OPTIONAL,
     "auto (on a terminal, unless NO_COLOR is set), always or never", OUTPUT_GROUP},
    {"colour", 0, 0, OPTION_ALIAS, 0, OUTPUT_GROUP},
    {"no-color", KEY_NO_COLOUR, 0, 0, "The same as --color=never", OUTPUT_GROUP},
    {"no-colour", 0, 0, OPTION_ALIAS, 0, OUTPUT_GROUP},
    {0},
};

static bool is_format(const char *name)
{
    for (size_t i = 0; roof_renderer_name(i); i++)
        if (strcmp(roof_renderer_name(i), name) == 0)
            return true;
    return false;
}

/* The next format from i on that can show the document; past the end there is no name. */
static size_t next_format(size_t i, roof_document document)
{
    while (roof_renderer_name(i) && !roof_renderer_shows(i, document))
        i++;
    return i;
}

/* "text, json or csv" */
void cli_format_names(const cli_output *output, char *out, size_t size)
{
    const char *between = "";
    snprintf(out, size, "%s", output->formats ? output->formats : "");
    for (size_t i = next_format(0, output->shows); !output->formats && roof_renderer_name(i);) {
        size_t next = next_format(i + 1, output->shows), used = strlen(out);
        snprintf(out + used, size - used, "%s%s", between, roof_renderer_name(i));
        between = roof_renderer_name(next_format(next + 1, output->shows)) ? ", " : " or ";
        i = next;
    }
}

static cli_colour parse_colour(struct argp_state *state, const char *when)
{
    static const char *const words[] = {
        [CLI_COLOUR_AUTO] = "auto", [CLI_COLOUR_ALWAYS] = "always", [CLI_COLOUR_NEVER] = "never"};
    if (!when)
        return CLI_COLOUR_ALWAYS;
    if (IS_ONE_OF(words, when))
        return (cli_colour)WORD_AT(words, N_OF(words), when);
    argp_error(state, "--color: '%.40s' is none of auto, always, never", when);
    return CLI_COLOUR_AUTO;
}

/* For argp.help_filter: adds the names of the formats. */
static char *filter_help(int key, const char *text, void *input)
{
    static const cli_arguments any = {0};
    const cli_arguments *a = input ? input : &any;
    if (key == KEY_FORMAT) {
        char doc[200] = "One of ";
        size_t used = strlen(doc);
        cli_format_names(&a->output, doc + used, sizeof doc - used);
        return strdup(doc);
    }
    return (char *)(uintptr_t)text; /* argp asks for this cast: the text itself means no change */
}

/* Keys that argp sends to every parser (0, and above CLI_OUTPUT) are left to the command's own. */
static error_t parse_output(int key, char *arg, struct argp_state *state)
{
    return key && key <= CLI_OUTPUT ? cli_parse_key(key, arg, state) : ARGP_ERR_UNKNOWN;
}

static const struct argp output_argp = {
    .options = options, .parser = parse_output, .help_filter = filter_help};

const struct argp_child cli_output_child[] = {{&output_argp, 0, 0, 0}, {0}};

/* Moves the examples of "Summary.\vMore.\n\nExamples:\n..." to the front: most readers need no more. */
static const char *examples_first(const char *doc, char *room, size_t size)
{
    const char *rest = strchr(doc, '\v'), *examples = rest ? strstr(rest, "Examples:\n") : NULL;
    if (!examples)
        return doc;
    int more = (int)(examples - rest);
    while (more > 1 && rest[more - 1] == '\n')
        more--;
    snprintf(room, size, "%s\n\n%.*s%.*s", examples, (int)(rest - doc), doc, more > 1 ? more : 0, rest);
    return room;
}

const cli_asking *cli_request;

/* Whether there is an option that begins with a name; else the nearest of those less far than distance. */
static void nearest_option(const struct argp *argp, const char *name, size_t length, bool *is_known,
                           unsigned *distance, const char **nearest)
{
    char typed[40];
    snprintf(typed, sizeof typed, "%.*s", (int)length, name);
    for (const struct argp_option *o = argp->options; o && (o->name || o->key || o->doc); o++) {
        *is_known = *is_known || (o->name && strncmp(o->name, name, length) == 0);
        if (!o->name || *is_known || !*distance)
            continue;
        const unsigned d = text_edit_distance(typed, o->name, *distance);
        if (d < *distance && d < strlen(o->name) && !(o->flags & OPTION_HIDDEN)) {
            *distance = d;
            *nearest = o->name;
        }
    }
    for (const struct argp_child *child = argp->children; child && child->argp; child++)
        nearest_option(child->argp, name, length, is_known, distance, nearest);
}

/* A mistyped option ends the program as argp would, and is told what was meant. */
static void check_spelling(const struct argp *argp, int argc, char **argv)
{
    static const char *const of_argp[] = {"help", "usage", "version"};
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *name = argv[i] + 2, *nearest = NULL;
        const size_t length = strcspn(name, "=");
        unsigned distance = length < 5 ? 2 : 3;
        bool is_known = false;
        if (strncmp(argv[i], "--", 2) != 0 || !length)
            continue;
        for (size_t k = 0; k < N_OF(of_argp); k++)
            is_known = is_known || strncmp(of_argp[k], name, length) == 0;
        nearest_option(argp, name, length, &is_known, &(unsigned){0}, &nearest);
        if (!is_known)
            nearest_option(argp, name, length, &is_known, &distance, &nearest);
        if (!is_known && nearest) {
            char shown[80];
            quote_text(shown, sizeof shown, name, length);
            exit(cli_fail_usage("no option '--%s'; did you mean --%s?", shown, nearest));
        }
    }
}

bool cli_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    static char doc[8192];
    struct argp own = *argp;
    if (cli_request) {
        cli_request->options(argp, input);
        return false;
    }
    if (input)
        ((cli_arguments *)input)->options = argp->options;
    check_spelling(argp, argc, argv);
    own.doc = examples_first(argp->doc, doc, sizeof doc);
    if (argp_parse(&own, argc, argv, 0, NULL, input) != 0)
        exit(cli_fail_memory());
    return true;
}

static double parse_quantity(struct argp_state *state, const char *option, const char *text, const char *unit)
{
    double value = 0;
    roof_error err;
    if (quantity_parse(text, unit, &value, &err) != ROOF_OK)
        argp_error(state, "--%s: %s", option, err.what);
    else if (!(value > 0))
        argp_error(state, "--%s: '%.40s' is 0, want more", option, text);
    return value;
}

static uint32_t parse_count(struct argp_state *state, const char *option, const char *text)
{
    /* a list where one number is meant: what takes lists of batches is another command */
    if (strcmp(option, "batch") == 0 && strchr(text, ',') && strspn(text, "0123456789,") == strlen(text))
        argp_error(state, "--batch: '%.40s' is a list, want one number; `roofline predict` takes lists",
                   text);
    double value = parse_quantity(state, option, text, "");
    if (!(value >= 1 && value <= 1e9) || value > (double)(uint32_t)value) {
        argp_error(state, "--%s: '%.40s' is no whole number from 1 to 1 000 000 000", option, text);
        return 1;
    }
    return (uint32_t)value;
}

static const char *name_of(const struct argp_state *state, int key)
{
    const struct argp_option *option = ((const cli_arguments *)state->input)->options;
    while (option->key != key)
        option++;
    return option->name;
}

/* --- what the name of an output says -------------------------------------------------------------------- */

enum { MOST_OF_NAME = 6, MOST_EXTENSIONS = 21 };

/* The formats that a name may be of, the one that it chooses first; none: of what no command writes. */
static const struct {
    const char *extensions[MOST_EXTENSIONS + 1], *formats[MOST_OF_NAME + 1];
} formats_of_names[] = {
    {{".txt", ".text", ".log"}, {"text"}},
    {{".json"}, {"json", "trace", "benchmark", "netron", "model-explorer", "model-explorer-graph"}},
    {{".csv"}, {"csv"}},
    {{".md", ".markdown"}, {"markdown"}},
    {{".trace"}, {"trace", "json"}},
    {{".xml"}, {"junit"}},
    {{".pdf",  ".html", ".htm", ".png",  ".svg", ".jpg", ".jpeg", ".ps",  ".eps", ".tex", ".doc",
      ".docx", ".odt",  ".xls", ".xlsx", ".ods", ".tsv", ".yaml", ".yml", ".gz",  ".zip"},
     {NULL}},
};

/* The formats of the extension of a name, as it is written here; NULL: it says nothing. */
static const char *const *formats_of(const char *path, const char **extension)
{
    const char *name = path_base_name(path), *dot = name ? strrchr(name, '.') : NULL;
    for (size_t i = 0; dot && dot > name && i < N_OF(formats_of_names); i++)
        for (const char *const *e = formats_of_names[i].extensions; *e; e++)
            if (strcasecmp(*e, dot) == 0) {
                *extension = *e;
                return formats_of_names[i].formats;
            }
    return NULL;
}

bool cli_ends_in(const char *path, const char *end)
{
    const size_t length = path ? strlen(path) : 0, n = strlen(end);
    return length > n && strcmp(path + length - n, end) == 0;
}

/* "-" is standard input. */
bool cli_is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(b, &y) == 0 && (strcmp(a, "-") == 0 ? fstat(STDIN_FILENO, &x) : stat(a, &x)) == 0 &&
           x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* True if the output is one of the inputs; the function that opens it reports that. */
static bool is_input(const cli_arguments *a, const char *path)
{
    for (size_t i = 0; i < a->n_files; i++)
        if (cli_is_same_file(a->files[i], path))
            return true;
    return false;
}

/* A file whose name says another format than it holds is opened by the wrong program. */
static void check_output_name(struct argp_state *state, const cli_arguments *a)
{
    const cli_output *output = &a->output;
    const char *format = output->only ? output->only : output->render.format, *page = "", *extension;
    const char *const *formats = formats_of(output->path, &extension);
    if (!formats || (format ? WORD_AT(formats, MOST_OF_NAME, format) < MOST_OF_NAME : *formats != NULL) ||
        is_input(a, output->path))
        return;
    if (!*formats)
        page = "; `roofline report` writes a page with charts";
    if (output->only && strcmp(output->only, "folder") == 0)
        argp_error(state, "-o %.200s: a folder is written, with index.html in it; give a name without %s",
                   output->path, extension);
    else if (output->only)
        argp_error(state, "-o %.200s: the output is %s; use a name that ends in .%s", output->path,
                   output->only, output->only);
    else if (format)
        argp_error(state, "-o %.200s: --format %s is not written to a name in %s%s", output->path, format,
                   extension, page);
    else
        argp_error(state,
                   "-o %.200s: nothing is written as %s here; end the name in .txt, .json, .csv or .md%s",
                   output->path, extension, page);
}

static void refuse_second(int key, const char *text, struct argp_state *state)
{
    cli_arguments *a = state->input;
    int is = key == CLI_OUTPUT ? 'o' : key;
    /* Shells add --color by an alias, and switches say the same twice; all else is there once. */
    if (!text ||
        (key == KEY_COLOUR || key == KEY_NO_COLOUR || (key >= CLI_FLAG && (key & ~CLI_PLACE) == CLI_LIST)))
        return;
    for (uint32_t i = 0; i < a->n_given; i++) {
        if (a->given[i].key != is)
            continue;
        const char *name = is == 'o' ? "o" : is == KEY_FORMAT ? "format" : name_of(state, key);
        argp_error(state, "%s%s is there twice, '%.60s' and '%.60s'; give one%s", is == 'o' ? "-" : "--",
                   name, a->given[i].text, text,
                   strcmp(name, "hw") == 0 ? ", or predict on both by --hw A,B" : "");
    }
    if (a->n_given < CLI_MOST_GIVEN)
        a->given[a->n_given++] = (cli_given){is, text};
}

/* An option with a CLI_KEY. */
static error_t keep(int key, char *arg, struct argp_state *state)
{
    static const char *const units[CLI_MOST_KEY >> 12] = {
        /* of quantities, by their kind */
        [CLI_HERTZ >> 12] = "Hz", [CLI_BYTES_PER_S >> 12] = "B/s", [CLI_SECONDS >> 12] = "s",
        [CLI_WATTS >> 12] = "W",  [CLI_BYTES >> 12] = "B",         [CLI_RATIO >> 12] = ""};
    char *at = (char *)state->input + (key & CLI_PLACE);
    const char *unit = key >= CLI_FLAG && key < CLI_MOST_KEY ? units[key >> 12] : NULL;
    if (unit)
        return *(double *)at = parse_quantity(state, name_of(state, key), arg, unit), 0;
    switch (key & ~CLI_PLACE) {
    case CLI_FLAG:
        return *(bool *)at = true, 0;
    case CLI_TEXT:
        return *(const char **)at = arg, 0;
    case CLI_COUNT:
        return *(uint32_t *)at = parse_count(state, name_of(state, key), arg), 0;
    case CLI_MOST:
        return *(uint32_t *)at =
                   strcmp(arg, "0") == 0 ? ROOF_NONE : parse_count(state, name_of(state, key), arg),
                          0;
    case CLI_LIST:
        if (((cli_list *)at)->n == CLI_MOST_ITEMS)
            argp_error(state, "--%s: more than %d times", name_of(state, key), CLI_MOST_ITEMS);
        else
            ((cli_list *)at)->items[((cli_list *)at)->n++] = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

error_t cli_parse_key(int key, char *arg, struct argp_state *state)
{
    cli_arguments *a = state->input;
    char known[160];
    if (key == KEY_FORMAT || key == 'o' || key == CLI_OUTPUT || (key >= CLI_FLAG && key < CLI_MOST_KEY))
        refuse_second(key, arg, state);
    switch (key) {
    case ARGP_KEY_INIT:
        if (state->child_inputs)
            state->child_inputs[0] = a;
        return 0;
    case ARGP_KEY_ARGS:
        a->files = (const char *const *)state->argv + state->next;
        a->n_files = (size_t)(state->argc - state->next);
        state->next = state->argc;
        if (a->what && a->n_files > 1)
            argp_error(state, "one %s at a time: unexpected argument '%.60s'", a->what, a->files[1]);
        return 0;
    case ARGP_KEY_NO_ARGS:
        if (a->missing && !(a->instead && *a->instead))
            argp_error(state, "%s", a->missing);
        return 0;
    case ARGP_KEY_END:
        check_output_name(state, a);
        return cli_render_options(&a->output), 0;
    case KEY_FORMAT:
        cli_format_names(&a->output, known, sizeof known);
        if (!is_format(arg))
            argp_error(state, "--format: no format '%.40s', want %s", arg, known);
        return a->output.render.format = arg, 0;
    case KEY_COLOUR:
        return a->output.colour = parse_colour(state, arg), 0;
    case 'q':
        if (a->output.formats || a->output.only)
            argp_error(state, "--brief: this command has no first answer to print alone");
        return a->output.render.brief = true, 0;
    case KEY_NO_COLOUR:
        return a->output.colour = CLI_COLOUR_NEVER, 0;
    case 'o':
    case CLI_OUTPUT:
        if (!*arg)
            argp_error(state, "-o: want the name of a file");
        return a->output.path = arg, 0;
    default:
        return keep(key, arg, state);
    }
}

int cli_done(bool strict, uint32_t n_findings)
{
    return strict && n_findings ? cli_fail_strict("%u finding%s", n_findings, n_findings == 1 ? "" : "s")
                                : CLI_DONE;
}

/* --- the same in another command ------------------------------------------------------------------------ */

bool cli_repeat_word(char out[CLI_COMMAND_SIZE], const char *name, const char *text)
{
    const size_t used = strlen(out), left = CLI_COMMAND_SIZE - used;
    if (!text)
        return true;
    const int n = snprintf(out + used, left, "%s%s%s%s", used ? " " : "", name ? "--" : "", name ? name : "",
                           name ? " " : "");
    return (size_t)n < left && quote_for_shell(out + used + n, left - (size_t)n, text, NULL);
}

const char *cli_repeat(const cli_arguments *a, const char *takes, char out[CLI_COMMAND_SIZE])
{
    static const char shown[] = " top sort chart annotate metric color ",
                      of_one[] = " threads host fps rule tries ";
    out[0] = '\0';
    for (size_t i = 0; i < a->n_files; i++)
        if (!cli_repeat_word(out, NULL, a->files[i]))
            return NULL;
    for (uint32_t i = 0; i < a->n_given; i++) {
        const struct argp_option *option = a->options;
        while (option->key != a->given[i].key && (option->name || option->key || option->doc))
            option++;
        const char *name = option->key == a->given[i].key ? option->name : NULL; /* NULL: of the output */
        if (!name || text_has_word(shown, name) || (takes && text_has_word(of_one, name)))
            continue;
        if ((takes && !text_has_word(takes, name)) || !cli_repeat_word(out, name, a->given[i].text))
            return NULL;
    }
    return out;
}

void cli_say_next(cli_output *output, const char *command, const char *words, const char *rest)
{
    static char next[CLI_NEXT_SIZE];
    if (!words)
        return;
    snprintf(next, sizeof next, "Next: `roofline %s %s%s", command, words, rest);
    output->render.next = next;
}

/* --- out of the options, the environment and the terminal --------------------------------------------- */

/* As setlocale would be told. It is not asked: without memory it fails as if there were no such locale. */
static bool speaks_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < N_OF(names); i++) {
        const char *locale = getenv(names[i]);
        if (locale && *locale)
            return strcasestr(locale, "utf-8") || strcasestr(locale, "utf8");
    }
    return false;
}

/* By COLUMNS, else by the terminal. */
static uint32_t terminal_width(void)
{
    const char *text = getenv("COLUMNS");
    double columns = 0;
    uint32_t of_terminal, rows;
    if (text && number_parse(text, strlen(text), &columns) == strlen(text) && columns >= 1 &&
        columns <= WIDEST)
        return (uint32_t)columns;
    return os_terminal_size(&of_terminal, &rows) && of_terminal ? of_terminal : DEFAULT_WIDTH;
}

void cli_render_options(cli_output *output)
{
    roof_render_options *out = &output->render;
    const char *extension;
    const char *const *formats = formats_of(output->path, &extension);
    const char *format = formats ? *formats : NULL;
    out->format = out->format ? out->format : format && is_format(format) ? format : "text";
    out->ascii = !speaks_utf8();
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    uint32_t columns, rows;
    bool is_shown = (!output->path || strcmp(output->path, "-") == 0) && isatty(STDOUT_FILENO);
    out->height = is_shown && os_terminal_size(&columns, &rows) ? rows : 0;
    out->colour = output->colour != CLI_COLOUR_AUTO
                      ? output->colour == CLI_COLOUR_ALWAYS
                      : is_shown && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
    out->width = output->path && strcmp(output->path, "-") != 0
                     ? DEFAULT_WIDTH
                     : terminal_width(); /* files do not depend on terminals */
}

roof_status cli_write_of(roof_document kind, const void *of, const cli_output *output, roof_error *err)
{
    cli_stream stream;
    roof_sink sink;
    TRY(cli_stream_begin(&stream, output->path, &sink, err));
    return cli_stream_end(&stream, roof_render_document(kind, of, &output->render, sink, err), err);
}

roof_status cli_write_drawn_of(outputs *set, roof_status drawn, roof_document kind, const void *of,
                               const cli_output *output, roof_error *err)
{
    roof_error why = {0};
    if (drawn != ROOF_OK)
        why = *err;
    cli_progress("%s", "");
    roof_status status = drawn == ROOF_E_DEVICE ? ROOF_OK : drawn;
    THEN(status, cli_write_of(kind, of, output, err));
    status = outputs_end(set, status, err);
    if (status == ROOF_OK && drawn != ROOF_OK)
        *err = why;
    return status == ROOF_OK ? drawn : status;
}

int cli_write_made(const cli_output *output, const char *shows_none, const void *of,
                   roof_status (*make)(cli_writing *w, roof_error *err))
{
    cli_writing w = {.of = of, .render = output->render};
    roof_error err;
    if (output->formats && !strstr(output->formats, w.render.format))
        return cli_fail_usage("--format %s %s; want %s here", w.render.format, shows_none, output->formats);
    w.arena = arena_new(0);
    text_init(&w.out, TEXT_MAX_BYTES);
    roof_status status = w.arena ? make(&w, &err) : error_memory(&err);
    THEN(status, arena_status(w.arena, &err));
    arena_free(w.arena);
    if (status == ROOF_OK)
        return cli_write_text(&w.out, output->path);
    text_free(&w.out);
    return cli_fail(&err);
}

void cli_put_table(cli_writing *w, const grid_column *columns, size_t n_columns, const void *items,
                   uint32_t n_items, size_t size, bool is_sparse)
{
    const bool is_csv = strcmp(w->render.format, "csv") == 0;
    cell_grid grid;
    if (is_csv)
        grid_begin_csv(&grid, w->arena, columns, n_columns, &w->out);
    else
        grid_begin(&grid, w->arena, columns, n_columns);
    grid.is_sparse = is_sparse;
    for (uint32_t i = 0; i < n_items; i++)
        grid_add_row(&grid, (const char *)items + i * size, items);
    if (!is_csv)
        grid_put(&grid, &(text_writer){.out = &w->out, .width = w->render.width});
}

void cli_put_members(cli_writing *w, const char *schema, const grid_column *members, size_t n,
                     const void *document)
{
    jsonout json;
    jsonout_document(&json, &w->out, schema);
    grid_put_members(&json, members, n, document, w->arena);
    jsonout_end(&json);
}

void cli_put_item(textbuf *out, const char *label, const char *text, size_t column)
{
    size_t width = terminal_width();
    if (*label)
        text_printf(out, "  %-*s", (int)column - 2, label);
    writer_put_wrapped(out, text, width > column ? width - column : 1, column);
}
