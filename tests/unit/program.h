/* tests/unit/program.h - running the program as a user does: its arguments, its surroundings, how it ended,
 * what it said. */
#ifndef ROOF_TESTS_PROGRAM_H
#define ROOF_TESTS_PROGRAM_H

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROGRAM_ARGUMENTS = 24, PROGRAM_TEXT = 1 << 16 };

typedef struct program {
    const char *folder;      /* where it runs */
    const char *path;        /* PATH; NULL: as it is */
    const char *preload;     /* LD_PRELOAD, or NULL */
    const char *variable[4]; /* "NAME=value" */
    const char *input;       /* a file for standard input, seen from here; NULL: nothing */
    const char *output;      /* a file for standard output, seen from there; NULL: it is kept in text */
    rlim_t most_file_bytes;  /* RLIMIT_FSIZE; 0: none */
    rlim_t stack_bytes;      /* RLIMIT_STACK; 0: as it is */
    int state;               /* how it ended, as waitpid tells */
    char text[PROGRAM_TEXT]; /* the beginning of what it wrote to standard output and standard error */
} program;

/* In the child: never returns. */
static inline void program_exec(const program *p, char *const *arguments, int text)
{
    int input = open(p->input ? p->input : "/dev/null", O_RDONLY);
    if (chdir(p->folder) != 0 || input < 0)
        _exit(98);
    int output = p->output ? open(p->output, O_WRONLY | O_CREAT | O_TRUNC, 0600) : text;
    if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(text, 2) < 0)
        _exit(98);
    if (p->path)
        setenv("PATH", p->path, 1);
    if (p->preload) {
        setenv("LD_PRELOAD", p->preload, 1);
        setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);
    }
    for (size_t i = 0; i < sizeof p->variable / sizeof *p->variable && p->variable[i]; i++)
        putenv((char *)(unsigned long)p->variable[i]);
    if (p->most_file_bytes &&
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){p->most_file_bytes, p->most_file_bytes}))
        _exit(98);
    if (p->stack_bytes && setrlimit(RLIMIT_STACK, &(struct rlimit){p->stack_bytes, p->stack_bytes}))
        _exit(98);
    signal(SIGXFSZ, SIG_DFL);
    const char *exe = getenv("ROOFLINE_EXE");
    if (exe)
        execv(exe, arguments);
    _exit(99);
}

/* Runs it with the words of the command line, which are separated by one blank each. */
static inline void program_run(program *p, const char *command_line)
{
    char words[2000], *arguments[PROGRAM_ARGUMENTS] = {(char *)(unsigned long)"roofline"}, *save = NULL;
    size_t n = 1, used = 0;
    int ends[2];
    snprintf(words, sizeof words, "%s", command_line);
    for (char *word = strtok_r(words, " ", &save); word && n < PROGRAM_ARGUMENTS - 1;
         word = strtok_r(NULL, " ", &save))
        arguments[n++] = word;
    if (pipe2(ends, O_CLOEXEC) != 0)
        abort();
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        program_exec(p, arguments, ends[1]);
    close(ends[1]);
    for (ssize_t got; (got = read(ends[0], p->text + used, sizeof p->text - 1 - used)) > 0;)
        used += (size_t)got;
    p->text[used] = '\0';
    close(ends[0]);
    if (waitpid(child, &p->state, 0) != child)
        abort();
}

/* The same with every @ replaced by a text without blanks. */
static inline void program_run_with(program *p, const char *command_line, const char *text)
{
    char filled[2000];
    size_t used = 0;
    for (const char *at = command_line; *at; at++) {
        size_t length = *at == '@' ? strlen(text) : 1;
        if (used + length >= sizeof filled)
            abort();
        memcpy(filled + used, *at == '@' ? text : at, length);
        used += length;
    }
    filled[used] = '\0';
    program_run(p, filled);
}

/* The exit code, or -1 when a signal ended it. */
static inline int program_exit(const program *p)
{
    return WIFEXITED(p->state) ? WEXITSTATUS(p->state) : -1;
}

#endif
