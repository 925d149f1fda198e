/* tests/support/program.h - runs of the program, for tests of all that only a whole run shows.
 *
 * Ownership: what a run said is the caller's until program_forget.
 */
#ifndef ROOF_TESTS_SUPPORT_PROGRAM_H
#define ROOF_TESTS_SUPPORT_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* A word of a command line, such as "@model" or "--hw=@text", in which the name stands for the value. */
typedef struct program_word {
    const char *name, *value;
} program_word;

typedef struct program_run {
    const char *command;       /* arguments between blanks, words not replaced */
    const program_word *words; /* up to one without a name */
    size_t stack_bytes;        /* 0: no limit */
    bool without_gnuplot;

    int exit_code, signal; /* signal: 0 when it ended by itself */
    char *out, *err;       /* what it wrote, NUL-terminated */
    size_t out_length, err_length;
} program_run;

/* False where the program was not built: such tests are skipped. */
bool program_is_there(void);

/* Where it runs: setup and teardown of a group make it and remove it with all that is in it. */
extern char program_folder[64];
int program_begin(void **state);
int program_end(void **state);

/* A failure of the test itself aborts. Standard input is empty. */
void program_start(program_run *run);
void program_forget(program_run *run);

/* The whole file, NUL-terminated, the caller's; NULL when it is not there. */
char *program_file(const char *folder, const char *name, size_t *length);

#endif
