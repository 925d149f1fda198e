/* cli/cli.h - what the files of the command line share: the shape of a command, its outputs, its errors,
 * its options.
 *
 * A command gets its own arguments; argv[0] is "roofline NAME", as its messages begin. It returns the
 * exit code. The result goes to standard output, or to -o FILE; everything else goes to standard error.
 */
#ifndef ROOF_CLI_CLI_H
#define ROOF_CLI_CLI_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/outputs.h"
#include "core/paper.h"
#include "roofline/render.h"
#include "roofline/status.h"

/* Exit codes of which no roof_status is the cause; others are those of roof_status_exit_code. */
enum { CLI_DONE = 0, CLI_CHECK_FAILED = 1, CLI_USAGE = 64, CLI_BAD_DATA = 65, CLI_IO = 74 };

/* --- commands and groups of commands (dispatch.c) ----------------------------------------------------- */

typedef struct cli_command {
    const char *name, *doc, *example; /* the example without "roofline" */
    int (*run)(int argc, char **argv);
} cli_command;

/* `roofline` itself, or a command that has commands of its own. */
typedef struct cli_group {
    const char *name;             /* "roofline hw" */
    const char *usage;            /* what follows "Usage: " */
    const char *intro, *outro[3]; /* paragraphs */
    const cli_command *commands;
    size_t n_commands;
} cli_group;

#define COMMAND(name, doc, example) int cmd_##name(int argc, char **argv);
#include "cli/commands.def"
#undef COMMAND

/* Runs the command that argv[1] names, or shows help. argv[0] is replaced. */
int cli_dispatch(const cli_group *group, int argc, char **argv);

/* --- standard streams (streams.c) --------------------------------------------------------------------- */

/* Makes sure that descriptors 0 to 2 are taken, so that no file is opened in the place of a closed one. */
void cli_streams_hold(void);

/* From here on all that goes to stderr is shown as core/utf8.h says, also what the C library writes there. */
void cli_streams_guard(void);

/* For atexit: ends with CLI_IO when something that was printed could not be written, such as --help on a
 * full disk. */
void cli_streams_finish(void);

/* "roofline: " and the message in one line on standard error. Returns the exit code that belongs to err. */
int cli_fail(const roof_error *err);

/* The same without memory. */
int cli_fail_memory(void);

/* The same for a mistake on the command line. */
int cli_fail_usage(const char *format, ...) ROOF_PRINTF(1, 2);

/* A line on standard error that is no error. */
void cli_note(const char *format, ...) ROOF_PRINTF(1, 2);

/* SIGINT, SIGTERM and the like leave no temporary file and no process behind; a limit on file sizes is no signal. */
void cli_signals_hold(void);

/* Writes a file as a whole or not at all; NULL or "-" is standard output. Joins the set of outputs that is open. */
roof_status cli_write(const char *bytes, size_t length, const char *path, roof_error *err);

/* The same with a text that a command made; frees it, reports what went wrong, returns the exit code. */
int cli_write_text(textbuf *text, const char *path);

/* --- options that several commands have (options.c) --------------------------------------------------- */

typedef enum cli_colour { CLI_COLOUR_AUTO, CLI_COLOUR_ALWAYS, CLI_COLOUR_NEVER } cli_colour;

typedef struct cli_output {
    const char *format; /* NULL: by the extension of path, else text */
    const char *path;   /* -o; NULL: standard output */
    cli_colour colour;
    roof_document shows; /* what the command writes: --help lists the formats that can show it */
    const char *formats; /* or these words, for what no renderer writes; NULL: none */
} cli_output;

/* Children of a command's argp that parse --format, -o and --color into a cli_output, which is their
 * input. */
extern const struct argp_child cli_output_child[];

/* Format, width and colour, out of the options, the environment and the terminal. */
void cli_render_options(const cli_output *output, roof_render_options *out);

/* Columns of the terminal: what COLUMNS says, else what the terminal says, else 120. */
uint32_t cli_width(void);

/* Parses a command line into input. A wrong one ends the program the way that argp does it, and so does too little
 * memory. */
void cli_parse(const struct argp *argp, int argc, char **argv, void *input);

/* A quantity more than 0, or a whole number from 1, as the argument of an option. A wrong one ends the
 * program the way that argp does it. */
double cli_parse_quantity(struct argp_state *state, const char *option, const char *text, const char *unit);
uint32_t cli_parse_count(struct argp_state *state, const char *option, const char *text);

/* A command that takes one argument and the options of cli_output_child. */
typedef struct cli_only {
    const char *what;    /* the argument is: "model" */
    const char *missing; /* what to say when it is not there */
    const char **slot;   /* where to keep it */
    cli_output *output;
} cli_only;

/* What an argp parser does with the keys that are not options of its own. */
error_t cli_parse_only(int key, char *arg, struct argp_state *state, const cli_only *only);

/* --- models and profiles (models.c, profiles.c) -------------------------------------------------------- */

/* A line on standard error for each of the user's descriptions of hardware that cannot be read. */
roof_status cli_note_broken_hardware(roof_error *err);

/* The hardware that spec names; without one, what the model was compiled for. When nothing says which, the message tells
 * the user how to. path: of the model, for messages. */
roof_status cli_choose_hardware(const char *spec, const char *path, const roof_graph *graph, roof_hw **out,
                                roof_error *err);

/* What replaces what the documents name; NULL for nothing. map: a file of lines "row,layer". */
typedef struct cli_profile_options {
    const char *model, *hw, *map;
} cli_profile_options;

/* Measured documents, merged, with the prediction of each experiment. Begins as {0}. */
typedef struct cli_profiles {
    roof_measured *measured;
    roof_prediction **predictions; /* NULL where the model is not there */
    bool *borrowed;                /* belongs to the document */
    char *map, *map_name;          /* its text and its file */
} cli_profiles;

/* A model that is not there leaves the measured side, with a note. What was read is freed, also after a failure. */
roof_status cli_profiles_read(const char *const *files, size_t n_files, const cli_profile_options *options,
                              cli_profiles *out, roof_error *err);
roof_status cli_profiles_reconcile(const cli_profiles *profiles, roof_reconciliation **out, roof_error *err);
void cli_profiles_free(cli_profiles *profiles);

/* --- listings (listing.c) ----------------------------------------------------------------------------- */

/* Adds "  label  text", as wide as the terminal, text from this column on; without a label a paragraph. */
void cli_put_item(textbuf *out, const char *label, const char *text, size_t column);

#endif
