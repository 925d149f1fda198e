#include "tests/support/program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_ARGUMENTS = 32, LONGEST_ARGUMENT = 8192 };

static const char out_name[] = "program.out", err_name[] = "program.err";

char program_folder[64];

int program_begin(void **state)
{
    (void)state;
    strcpy(program_folder, "/tmp/roofline-test-XXXXXX");
    return mkdtemp(program_folder) ? 0 : -1;
}

int program_end(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", program_folder);
    return system(command);
}

bool program_is_there(void)
{
    const char *path = getenv("ROOFLINE_EXE");
    return path && access(path, X_OK) == 0;
}

static void must(bool good, const char *what)
{
    if (good)
        return;
    perror(what);
    abort();
}

static char *replaced(const char *word, size_t length, const program_word *words)
{
    char argument[LONGEST_ARGUMENT];
    size_t used = 0;
    for (size_t at = 0; at < length;) {
        const program_word *w = words;
        while (w && w->name && strncmp(word + at, w->name, strlen(w->name)) != 0)
            w++;
        const char *piece = w && w->name ? w->value : word + at;
        size_t n = w && w->name ? strlen(piece) : 1;
        must(used + n < sizeof argument, "an argument is too long");
        memcpy(argument + used, piece, n);
        used += n;
        at += w && w->name ? strlen(w->name) : 1;
    }
    return strndup(argument, used);
}

static void split(const program_run *run, char **arguments)
{
    size_t n = 1;
    arguments[0] = strdup("roofline");
    for (const char *at = run->command; *at;) {
        size_t length = strcspn(at, " ");
        must(n + 1 < MOST_ARGUMENTS, "too many arguments");
        arguments[n++] = replaced(at, length, run->words);
        at += length + (at[length] == ' ');
    }
    arguments[n] = NULL;
}

static void redirect(int fd, const char *path, int flags)
{
    int opened = open(path, flags, 0600);
    if (opened < 0 || dup2(opened, fd) < 0)
        _exit(126);
}

static void become(const program_run *run, char **arguments)
{
    const char *program = getenv("ROOFLINE_EXE");
    struct rlimit stack = {run->stack_bytes, run->stack_bytes};
    if (chdir(program_folder) != 0 || (run->stack_bytes && setrlimit(RLIMIT_STACK, &stack) != 0) ||
        (run->without_gnuplot && setenv("PATH", "/nowhere", 1) != 0))
        _exit(126);
    redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
    redirect(STDOUT_FILENO, out_name, O_WRONLY | O_CREAT | O_TRUNC);
    redirect(STDERR_FILENO, err_name, O_WRONLY | O_CREAT | O_TRUNC);
    execv(program ? program : "", arguments);
    _exit(127);
}

void program_start(program_run *run)
{
    char *arguments[MOST_ARGUMENTS];
    int status = 0;
    split(run, arguments);
    fflush(NULL);
    pid_t child = fork();
    must(child >= 0, "fork");
    if (child == 0)
        become(run, arguments);
    while (waitpid(child, &status, 0) < 0)
        must(errno == EINTR, "waitpid");
    for (size_t i = 0; arguments[i]; i++)
        free(arguments[i]);
    run->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    run->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + run->signal;
    must(run->exit_code != 126, "the program cannot be started");
    run->out = program_file(program_folder, out_name, &run->out_length);
    run->err = program_file(program_folder, err_name, &run->err_length);
    must(run->out && run->err, "what the program said");
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", program_folder, out_name);
    unlink(path);
    snprintf(path, sizeof path, "%s/%s", program_folder, err_name);
    unlink(path);
}

void program_forget(program_run *run)
{
    free(run->out);
    free(run->err);
    run->out = run->err = NULL;
}

char *program_file(const char *folder, const char *name, size_t *length)
{
    char path[4096];
    char *text = NULL;
    size_t room = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "rb"), *out = in ? open_memstream(&text, &room) : NULL;
    char block[4096];
    size_t got;
    if (!in)
        return NULL;
    must(out != NULL, "memory");
    while ((got = fread(block, 1, sizeof block, in)) > 0)
        fwrite(block, 1, got, out);
    must(fclose(out) == 0 && !ferror(in), path);
    fclose(in);
    *length = room;
    return text;
}
