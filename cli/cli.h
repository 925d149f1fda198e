/* cli/cli.h - what the files of the command line share: the shape of a command, its outputs, its errors,
 * its options.
 *
 * A command gets its own arguments; argv[0] is "roofline NAME", as its messages begin. It returns the
 * exit code. The result goes to standard output, or to -o FILE; everything else goes to standard error.
 */
#pragma once

#include <argp.h>

#include "core/files/outputs.h"
#include "core/table/grid.h"
#include "core/table/writer.h"
#include "roofline/draw.h"
#include "roofline/import.h"
#include "roofline/render.h"
#include "roofline/status.h"

/* Exit codes of which no roof_status is the cause; others are those of roof_status_exit_code. */
enum { CLI_DONE = 0, CLI_CHECK_FAILED = 1, CLI_USAGE = 64, CLI_BAD_DATA = 65, CLI_IO = 74 };

/* --- commands and groups of commands (dispatch.c) ----------------------------------------------------- */

typedef struct cli_command {
    const char *name, *doc, *example; /* the example without "roofline"; doc NULL: help does not list it */
    int (*run)(int argc, char **argv);
} cli_command;

/* `roofline` itself, or a command that has commands of its own. */
typedef struct cli_group {
    const char *name;             /* "roofline hw" */
    const char *usage;            /* what follows "Usage: " */
    const char *intro, *outro[3]; /* paragraphs */
    const char *(
        *starts)[2]; /* a wish and its command, for who gives none; NULL behind the last; NULL: help */
    const cli_command *commands;
    size_t n_commands;
} cli_group;

#define COMMAND(name, doc, example) int cmd_##name(int argc, char **argv);
#include "cli/commands.def"
#undef COMMAND

/* Runs the command that argv[1] names, or shows help. argv[0] is replaced. */
int cli_dispatch(const cli_group *group, int argc, char **argv);

/* The group that was dispatched first: that of roofline itself. */
const cli_group *cli_first_group(void);

/* --- what commands there are, and their options (survey.c) --------------------------------------------- */

/* Words that can stand at a place of a command line: listed ones, files, folders, or any of them. */
typedef struct cli_values {
    const char *words; /* with spaces between; "": none are known */
    bool files, folders;
} cli_values;

typedef struct cli_surveyed_option {
    const char *name; /* NULL: it has a letter alone */
    char letter;      /* '\0': none */
    const char *argument, *doc;
    int kind; /* CLI_FLAG and the like; 0: the command reads it by itself */
    bool may_lack_argument, may_be_repeated;
    cli_values values; /* of the argument */
} cli_surveyed_option;

typedef struct cli_surveyed_command {
    const char *path, *group, *doc; /* "hw show", "hw"; "" of those of roofline itself */
    bool is_group, is_hidden;
    const char *argument; /* the first, "MODEL"; NULL: none */
    cli_values values;
    cli_surveyed_option *options; /* without hidden ones, other spellings and --help */
    size_t n_options;
} cli_surveyed_command;

typedef struct cli_survey {
    cli_surveyed_command *commands; /* a group before its commands */
    size_t n_commands;
} cli_survey;

/* Asks every command for its table of options. All of it is the arena's. Not for threads. Errors:
 * E_NO_MEMORY. */
roof_status cli_survey_commands(roof_arena *arena, cli_survey *out, roof_error *err);

/* Set while that goes on (options.c): what a command does in place of parsing its line, and what a group does
 * in place of running a command. */
typedef struct cli_asking {
    void (*options)(const struct argp *argp, const void *input);
    void (*group)(const cli_group *group);
} cli_asking;
extern const cli_asking *cli_request;

/* --- standard streams (streams.c) --------------------------------------------------------------------- */

/* Makes sure that descriptors 0 to 2 are taken, so that no file is opened in the place of a closed one. */
void cli_streams_hold(void);

/* From here on all that goes to stderr is shown as core/utf8.h says, also what the C library writes there. */
void cli_streams_guard(void);

/* For atexit: ends with CLI_IO when printing failed, such as --help on a full disk. */
void cli_streams_finish(void);

/* "roofline: " and the message in one line on standard error. Returns the exit code that belongs to err. */
int cli_fail(const roof_error *err);

/* The same without memory. */
int cli_fail_memory(void);

/* A line on standard error that is no error. */
void cli_note(const char *format, ...) ROOF_PRINTF(1, 2);

/* The same for a mistake on the command line: its value is the exit code. */
#define cli_fail_usage(...)  (cli_note(__VA_ARGS__), CLI_USAGE)
#define cli_fail_strict(...) (cli_note("--strict: " __VA_ARGS__), CLI_CHECK_FAILED)

/* Where a terminal watches: one line that the next one takes the place of; "" leaves none. */
bool cli_is_watched(void);
void cli_progress(const char *format, ...) ROOF_PRINTF(1, 2);

/* The same of pictures that gnuplot draws. */
extern const roof_draw_watch cli_watch;

/* SIGINT and the like leave no temporary file and no process behind; a limit on file sizes is no signal. */
void cli_signals_hold(void);

/* Writes a text that a command made as a whole or not at all, and frees it; NULL or "-" is standard output.
 * Joins the open set of outputs. */
roof_status cli_save_text(textbuf *text, const char *path, roof_error *err);

/* The same for what is written piece by piece. Begin, write to *sink unless that failed, and end in any case
 * that began; the status of what was written decides, and is returned unless ending fails. */
typedef struct cli_stream {
    outputs set;
    outputs_file *file;
} cli_stream;
roof_status cli_stream_begin(cli_stream *stream, const char *path, roof_sink *sink, roof_error *err);
roof_status cli_stream_end(cli_stream *stream, roof_status status, roof_error *err);

/* cli_save_text that reports what went wrong, and returns the exit code. */
int cli_write_text(textbuf *text, const char *path);

/* Scripts for other programs, which the build embeds from this folder; NULL ends the table. A line "#@"
 * stands where a command puts in what it makes. */
typedef struct cli_script {
    const char *name, *text;
    size_t length;
} cli_script;
extern const cli_script cli_scripts[];
const char *cli_script_named(const char *name);

/* Adds a script up to its next line "#@", or its end, and returns what stands behind that. */
const char *cli_put_script(textbuf *out, const char *script);

/* What a command writes that is no document of the library. */
typedef struct cli_writing {
    const void *of;
    roof_render_options render;
    roof_arena *arena; /* of tables */
    textbuf out;
} cli_writing;

/* --- options that several commands have (options.c) --------------------------------------------------- */

typedef enum cli_colour { CLI_COLOUR_AUTO, CLI_COLOUR_ALWAYS, CLI_COLOUR_NEVER } cli_colour;

typedef struct cli_output {
    const char *path; /* -o; NULL: standard output */
    cli_colour colour;
    roof_document shows; /* what the command writes: --help lists the formats that can show it */
    const char *formats; /* or these words, for what no renderer writes; NULL: none */
    const char *only;    /* the one format of a command that has no --format, or "folder"; NULL: it has one */
    roof_render_options render; /* format, width and colour are known when the line is parsed */
} cli_output;

/* The formats that it can be written in: "text, json or csv". */
void cli_format_names(const cli_output *output, char *out, size_t size);

/* Children of a command's argp: --format, -o and --color. */
extern const struct argp_child cli_output_child[];

/* Format, width and colour, out of the options, the path, the environment and the terminal. */
void cli_render_options(cli_output *output);

roof_status cli_write_of(roof_document kind, const void *of, const cli_output *output, roof_error *err);
#define cli_write_document(of, output, err) cli_write_of(ROOF_DOCUMENT_OF(of), (of), (output), (err))

/* The same where a picture was drawn into a set of outputs before, which is ended. Without gnuplot (E_DEVICE)
 * the document is written, and err tells that in the end. */
roof_status cli_write_drawn_of(outputs *set, roof_status drawn, roof_document kind, const void *of,
                               const cli_output *output, roof_error *err);
#define cli_write_drawn(set, drawn, of, output, err)                                                         \
    cli_write_drawn_of((set), (drawn), ROOF_DOCUMENT_OF(of), (of), (output), (err))

/* Writes what make makes of something; returns the exit code. A format that is not among those of the output,
 * where it has any, "shows no runs". */
int cli_write_made(const cli_output *output, const char *shows_none, const void *of,
                   roof_status (*make)(cli_writing *w, roof_error *err));

/* A table of items, size bytes each, for people or as CSV; and a document of JSON. */
void cli_put_table(cli_writing *w, const grid_column *columns, size_t n_columns, const void *items,
                   uint32_t n_items, size_t size, bool is_sparse);
#define CLI_PUT_TABLE(w, columns, items, n, is_sparse)                                                       \
    cli_put_table((w), (columns), sizeof(columns) / sizeof *(columns), (items), (n), sizeof *(items),        \
                  (is_sparse))
void cli_put_members(cli_writing *w, const char *schema, const grid_column *members, size_t n,
                     const void *document);

/* Parses a command line into input. A wrong one, or too little memory, ends the program as argp does. False:
 * the command was only asked for its options, and is done. */
bool cli_parse(const struct argp *argp, int argc, char **argv, void *input);

/* The same in a command's own function; ...: its options, parser, names of arguments, text, children. */
#define CLI_PARSE(input, ...)                                                                                \
    do {                                                                                                     \
        static const struct argp parsed_by_ = {__VA_ARGS__, 0, 0};                                           \
        if (!cli_parse(&parsed_by_, argc, argv, input))                                                      \
            return CLI_DONE;                                                                                 \
    } while (0)

/* An option that was there, and what it said: a second one would silently take its place. */
enum { CLI_MOST_GIVEN = 48 };
typedef struct cli_given {
    int key;
    const char *text;
} cli_given;

/* Arguments of a command. It sets the members before files itself; parsing sets the others. */
typedef struct cli_arguments {
    const char *what;           /* it takes one: "model"; NULL: as many as there are */
    const char *missing;        /* what to say when there is none; NULL: none are needed */
    const char *const *instead; /* the text of an option that can be there in place of all; NULL: none can */
    const struct argp_option *options; /* those with numbers are named in messages; set by cli_parse */
    const char *const *files;
    size_t n_files;
    cli_given given[CLI_MOST_GIVEN];
    uint32_t n_given;
    cli_output output;
} cli_arguments;

/* The files and options of a command line as another one takes them, for a sentence that names the next
 * command: "net.onnx --hw kv260 --clock 200MHz", quoted for a shell. What chooses how an answer is shown is
 * left out.
 * takes: " hw clock ", the options that the other command has; NULL: it is the same command. NULL where a
 * given one is none of these, or out has no room. */
enum { CLI_COMMAND_SIZE = 1024, CLI_NEXT_SIZE = CLI_COMMAND_SIZE + 100 }; /* of the words, of the sentence */
const char *cli_repeat(const cli_arguments *a, const char *takes, char out[CLI_COMMAND_SIZE]);

/* Has the answer say what to do next: "Next: `roofline COMMAND WORDS", and the rest of it, "` shows ...".
 * words NULL: nothing. */
void cli_say_next(cli_output *output, const char *command, const char *words, const char *rest);

/* Adds " --NAME TEXT" to such words, or TEXT where name is NULL; text NULL: nothing. False: out has no room.
 * */
bool cli_repeat_word(char out[CLI_COMMAND_SIZE], const char *name, const char *text);

/* Values of an option that can be repeated; NULL behind the last. */
enum { CLI_MOST_ITEMS = 64 };
typedef struct cli_list {
    const char *items[CLI_MOST_ITEMS + 1];
    uint32_t n;
} cli_list;

/* The key of an option says what it is, and in which member of the command's `arguments` it is kept. */
enum {
    CLI_OUTPUT = 0x200, /* --output, beside 'o' */
    CLI_FLAG = 0x1000,
    CLI_TEXT = 0x2000,
    CLI_COUNT = 0x3000, /* uint32_t, from 1 */
    CLI_HERTZ = 0x4000, /* double, more than 0, as the next one */
    CLI_BYTES_PER_S = 0x5000,
    CLI_SECONDS = 0x6000,
    CLI_LIST = 0x7000,  /* cli_list: each time one more */
    CLI_WATTS = 0x8000, /* double, more than 0 */
    CLI_MOST = 0x9000,  /* uint32_t, ROOF_NONE for 0, which is all */
    CLI_BYTES = 0xa000, /* double, more than 0, as the next one */
    CLI_RATIO = 0xb000,
    CLI_PLACE = 0xfff,
    CLI_MOST_KEY = 0x10000 /* argp has its own behind it */
};
#define CLI_KEY(kind, member) (CLI_##kind + (int)offsetof(arguments, member))

/* A row of a table of options; argument: what its value is called, 0 for a flag. */
#define CLI_OPTION(name_, kind, member, argument, doc_)                                                      \
    {                                                                                                        \
        (name_), CLI_KEY(kind, member), (argument), 0, (doc_), 0                                             \
    }

/* -o of a command that writes one document in one format. */
#define CLI_OUTPUT_FILE                                                                                      \
    {0, 0, 0, 0, "Output:", 0},                                                                              \
        {0, 'o', "FILE", 0, "Write to FILE instead of standard output, whole or not at all", 0},             \
    {                                                                                                        \
        "output", CLI_OUTPUT, "FILE", OPTION_HIDDEN, 0, 0                                                    \
    }

/* For commands that read models. */
#define CLI_SHAPE_OPTION(member)                                                                             \
    CLI_OPTION(                                                                                              \
        "shape", TEXT, member, "INPUT=SHAPE,...",                                                            \
        "Shapes of inputs that an ONNX file leaves open, such as images=1x3x640x640; of a dimension by "     \
        "its name, height=640; without a name of the input that is open")

/* For commands that print tables of layers; CLI_KEY of their `arguments`, which begin with `common`. */
#define CLI_SORT_OPTION                                                                                      \
    CLI_OPTION("sort", TEXT, common.output.render.sort, "COLUMN",                                            \
               "Sort tables by the column of this title: the largest number first, or by the alphabet; "     \
               "COLUMN:asc and COLUMN:desc say which way")
#define CLI_TABLE_OPTIONS                                                                                    \
    CLI_OPTION(                                                                                              \
        "top", MOST, common.output.render.most_rows, "N",                                                    \
        "Show at most N layers of a table, those of the largest time or the first by --sort; 0: all"),       \
        CLI_SORT_OPTION

/* Parses what belongs to cli_arguments, which is the input, and options with a CLI_KEY. A wrong one ends the
 * program the way that argp does it. */
error_t cli_parse_key(int key, char *arg, struct argp_state *state);

/* True if the name ends so, behind something; path may be NULL. And if both names lead to one file. */
bool cli_ends_in(const char *path, const char *end);
bool cli_is_same_file(const char *a, const char *b);

/* The exit code of what was done: with --strict, findings are told of, and are a failure. */
int cli_done(bool strict, uint32_t n_findings);

/* --- models and profiles (models.c, profiles.c) -------------------------------------------------------- */

/* A line on standard error for each of the user's descriptions of hardware that cannot be read. */
roof_status cli_note_broken_hardware(roof_error *err);

/* Workload options of the command line, for a model whose file leaves them open; NULL and 0: not
 * requested. */
typedef struct cli_workload {
    const char *phase, *data_type, *cache_type, *product, *shapes;
    uint32_t prompt_tokens, context_tokens;
    bool asks_text; /* also where none of these is there */
} cli_workload;

/* A model on the hardware that hw names; without one, on what it was compiled for. When nothing says which,
 * the message tells the user how to. path: NULL with a product is the product alone. workload: NULL for
 * none. graph: the one that was predicted, which the caller frees; NULL: nobody wants it. */
roof_status cli_predict(const char *path, const char *hw, const cli_workload *workload,
                        const roof_predict_options *options, roof_graph **graph, roof_prediction **out,
                        roof_error *err);

/* The two halves of it: what a path and a workload name, and a graph on hardware. hw: NULL as above. */
roof_status cli_read_model(const char *path, const cli_workload *workload, roof_graph **out, roof_error *err);
/* The same for who has nothing to say where an input's shape is open. Errors: also E_DATA. */
roof_status cli_read_shaped(const char *path, const char *shapes, roof_graph **out, roof_error *err);
roof_status cli_predict_on(const roof_graph *graph, const roof_hw *hw, const roof_predict_options *options,
                           roof_prediction **out, roof_error *err);

/* The same by the name of the hardware. */
roof_status cli_predict_read(const roof_graph *graph, const char *hw, const roof_predict_options *options,
                             roof_prediction **out, roof_error *err);

/* The hardware that the model was compiled for. When nothing says which, the message tells the user how
 * to. */
roof_status cli_hw_of_model(const roof_graph *graph, roof_hw **out, roof_error *err);

/* Says of a file that is of another kind than the command reads what it is, and which command is meant:
 * status and err are those of the reader that failed, and stay where nothing better is known. */
roof_status cli_wrong_file(const char *path, bool wants_model, roof_status status, roof_error *err);

/* A line on an importer; "": there is none of that name. */
const char *cli_importer_doc(const char *id);

/* Options that override entries of the documents; NULL: not given. map: a file of lines "row,layer". */
typedef struct cli_profile_options {
    const char *model, *hw, *map;
    const char *calibration; /* a file: what a boundary of this board costs */
    double boundary_cost_s;  /* over all that is known of it; 0: not given */
    const char *data_type;   /* that it computed in; NULL: what the profile says, else the model's */
    roof_exploring explores;
    bool times_alone; /* models are not looked for, also those that the documents name */
} cli_profile_options;

/* Before anything is written to a file. Errors: E_DATA where each profile is of another model, or in another
 * unit, so that nothing is compared: what fails replaces nothing. r: NULL where there are no profiles. */
roof_status cli_want_comparison(const roof_reconciliation *r, roof_error *err);

/* cli_done of profiles beside predictions: CLI_CHECK_FAILED where some are not compared, CLI_BAD_DATA where
 * none is, which standard output says as well. */
int cli_done_comparing(const roof_reconciliation *r, bool strict, uint32_t n_findings);

/* Measured documents, merged, with the prediction of each experiment. Begins as {0}. */
typedef struct cli_profiles {
    roof_arena *arena;
    roof_measured *measured;
    roof_prediction **predictions; /* NULL where the model is not there */
    bool *borrowed;                /* belongs to the document */
    /* For experiments of language models: the models and the files that describe them; NULL where an earlier
     * experiment has the same. */
    const roof_language_model **languages;
    roof_graph **graphs;
    char *map; /* its text */
    const char *map_name;
    struct roof_calibration *calibration;
    double boundary_cost_s; /* 0: not given */
} cli_profiles;

/* A measured document, or the file of a tool that import knows. */
bool cli_is_profile(const char *file);

/* A document as it is; the file of a tool is imported on the way, which a note says. */
roof_status cli_measured_read(const char *file, const cli_profile_options *options, roof_measured **out,
                              roof_error *err);

/* Adds one to all, or begins all with it. Frees it when that fails. */
roof_status cli_merge(roof_measured **all, roof_measured *one, roof_error *err);

/* A model that is not there leaves the measured side, with a note. All that was read is freed. */
roof_status cli_profiles_read(const char *const *files, size_t n_files, const cli_profile_options *options,
                              cli_profiles *out, roof_error *err);
roof_status cli_profiles_reconcile(const cli_profiles *profiles, roof_reconciliation **out, roof_error *err);
void cli_profiles_free(cli_profiles *profiles);

/* --- lists (lists.c); errors of all: E_USAGE, which says the option, what was found, what was wanted ---- */

/* The numbers of threads of --threads: numbers and ranges with commas between them, "1,2,4..8", each from 1
 * to ROOF_MOST_THREADS. They come out ascending, each once; most: what out has room for. */
roof_status cli_thread_counts(const char *text, uint32_t *out, uint32_t most, uint32_t *n, roof_error *err);

enum { CLI_MOST_OWN = 32, CLI_OWN_NAME = 256 };

typedef struct cli_own_times {
    roof_own_time times[CLI_MOST_OWN];
    roof_sums sums[CLI_MOST_OWN];
    char names[CLI_MOST_OWN][CLI_OWN_NAME];
    uint32_t n;
} cli_own_times;

/* True if "a.onnx=15ms,..." begins with a file that is there. */
bool cli_own_are_of_networks(const char *text);

/* "rk3576-npu=15ms,...". text NULL: none. */
roof_status cli_own_times_parse(const char *option, const char *text, cli_own_times *out, roof_error *err);

/* The devices of a list of hardware names, loaded. Begins as {0}; cli_boards_free also after a failure. */
typedef struct cli_boards {
    roof_arena *arena;
    const char **names; /* as they were given */
    roof_hw **hw;
    size_t n;
} cli_boards;

/* Adds those of a list, "kv260,zcu104" (roof_hw_first_of). Errors: also those of roof_hw_load. */
roof_status cli_boards_add(cli_boards *boards, const char *list, roof_error *err);
void cli_boards_free(cli_boards *boards);

enum { CLI_MOST_TOKENS = 256 };

/* Lengths in tokens, or sizes of a batch, ascending. */
typedef struct cli_tokens {
    uint32_t tokens[CLI_MOST_TOKENS], n;
} cli_tokens;

enum { CLI_MOST_ANCHORS = 16 };

/* Steps that were measured. */
typedef struct cli_anchors {
    roof_curve_measured points[CLI_MOST_ANCHORS];
    uint32_t n;
} cli_anchors;

/* "4k", "1k,8k", "1k..128k", "1k..128k:12"; "1k=15.5ms,8k=18ms". text NULL: none. */
roof_status cli_tokens_parse(const char *option, const char *text, cli_tokens *out, roof_error *err);
roof_status cli_anchors_parse(const char *text, cli_anchors *out, roof_error *err);

/* False: there is no room. */
bool cli_tokens_add(cli_tokens *out, uint32_t tokens);

/* --- what two commands compare (profiles.c) ------------------------------------------------------------- */

/* Measured documents, a prediction or a model, as the first file's content says. Begins as {0}. */
typedef struct cli_subject {
    const char *name;        /* the first file */
    const roof_graph *graph; /* the caller's, of a model that was read before; NULL: the file is read */
    cli_profiles profiles;
    roof_reconciliation *measured;
    roof_prediction *prediction;
} cli_subject;

/* options.hw is for a model, too. Everything read is freed by cli_subject_free, also after a failure. */
roof_status cli_subject_read(const char *const *files, size_t n_files, const cli_profile_options *options,
                             cli_subject *out, roof_error *err);
roof_compare_side cli_subject_side(const cli_subject *subject);
void cli_subject_free(cli_subject *subject);

/* --- measured documents that a command makes (profiles.c) ----------------------------------------------- */

/* Lines on standard error: a document's first source and its notes. path: theirs, as given. */
roof_status cli_measured_describe(const roof_measured *m, const char *path, roof_error *err);

/* Paths in a document are relative to its folder, so that both can be moved together. Paths of missing files,
 * and those in a document on standard output, stay as given. NULL without memory; the caller frees it. */
char *cli_measured_path_for(const char *model, const char *output);

/* A mistyped name is better found now than when the document is used. spec: NULL for none. */
roof_status cli_check_hardware(const char *spec, roof_error *err);

/* `roofline hw probe` (cmd_measure.c): it runs a runner, too. */
int cli_hw_probe(int argc, char **argv);

/* --- listings (options.c) ----------------------------------------------------------------------------- */

/* Adds "  label  text", as wide as the terminal, text from this column on; without a label a paragraph. */
void cli_put_item(textbuf *out, const char *label, const char *text, size_t column);
