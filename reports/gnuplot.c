#include "reports/gnuplot.h"
#include "core/error.h"
#include "reports/embedded.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_PROCESSES = 4, LONGEST_PATH = 4096, DEADLINE_MS = 120000 };

/* How each kind of picture is made: its terminal, for a canvas of width times height pixels. */
static const struct {
    const char *extension, *terminal;
    double key_size;     /* gnuplot's size of a point whose radius, with its outline, is one pixel */
    double letter_scale; /* its size of a letter that is one pixel high */
} formats[ROOF_PICTURE_FORMATS] = {
    [ROOF_PICTURE_SVG] = {"svg", "svg size %.0f,%.0f fixed noenhanced font 'Arial,12' background '#ffffff'",
                          1 / 5.0, 1},
    [ROOF_PICTURE_PNG] = {"png",
                          "pngcairo size 2*%.0f,2*%.0f noenhanced font 'Arial,9' fontscale 2 linewidth 2 "
                          "pointscale 2 background '#ffffff'",
                          1 / 3.1, 0.75},
    [ROOF_PICTURE_PDF] = {"pdf",
                          "pdfcairo size %.0f/96.,%.0f/96. noenhanced font 'Arial,9' background '#ffffff'",
                          1 / 3.1, 1.5},
};

const char *roof_picture_extension(roof_picture_format format)
{
    return formats[format].extension;
}

/* --- files -------------------------------------------------------------------------------------------- */

static bool is_plain(const char *stem)
{
    bool good = stem[0] != '\0';
    for (const char *p = stem; *p && good; p++)
        good = (unsigned char)*p >= ' ' && *p != 127 && *p != '/';
    return good;
}

/* 'it''s': gnuplot evaluates nothing between single quotes. The ./ in front keeps it from taking a leading < or | for a
 * command to run. */
static void put_file_name(roof_text *out, const char *stem, const char *extension)
{
    roof_text_puts(out, "'./");
    for (const char *p = stem; *p; p++)
        roof_text_add(out, *p == '\'' ? "''" : p, *p == '\'' ? 2 : 1);
    roof_text_printf(out, ".%s'", extension);
}

static void put_script(const roof_figure *f, const char *stem, roof_picture_format format, roof_text *out)
{
    char name[80];
    roof_text_puts(
        out,
        "# Drawn by roofline. To draw it again, after changing what you like: gnuplot on this file, in this "
        "folder.\n"
        "if (GPVAL_VERSION < 5.2) exit error 'gnuplot 5.2 or later is needed'\n"
        "reset\nset terminal ");
    roof_text_printf(out, formats[format].terminal, f->canvas.width_px, f->canvas.height_px);
    roof_text_puts(out, "\nset output ");
    put_file_name(out, stem, formats[format].extension);
    roof_text_puts(out, "\ndata = ");
    put_file_name(out, stem, "dat");
    roof_text_printf(out, "\nkey_size = %.6f\nletter_scale = %g\n\n", formats[format].key_size,
                     formats[format].letter_scale);
    roof_text_add(out, f->variables.bytes, f->variables.length);
    snprintf(name, sizeof name, "%s.gp", f->chart);
    const char *const parts[] = {"begin.gp", name, "texts.gp"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        roof_text_puts(out, "\n");
        roof_text_puts(out, roof_embedded_text(parts[i]));
    }
}

static roof_status save(const roof_text *text, const char *folder, const char *stem, const char *extension,
                        roof_error *err)
{
    char path[LONGEST_PATH];
    if (snprintf(path, sizeof path, "%s/%s.%s", folder, stem, extension) >= (int)sizeof path)
        return roof_fail(err, ROOF_E_IO, "the path of '%.80s' is too long", stem);
    return roof_text_save(text, path, err);
}

roof_status roof_figure_save(const roof_figure *f, const char *folder, const char *stem,
                             roof_picture_format format, roof_error *err)
{
    roof_text script;
    char shown[120];
    if (!is_plain(stem))
        return roof_fail(err, ROOF_E_USAGE, "'%s' cannot name a chart's files",
                         roof_quote(shown, sizeof shown, stem, strlen(stem)));
    roof_text_init(&script, ROOF_TEXT_MAX_BYTES);
    put_script(f, stem, format, &script);
    roof_status status = roof_text_status(&script, err);
    if (status == ROOF_OK)
        status = save(&script, folder, stem, "gp", err);
    if (status == ROOF_OK)
        status = save(&f->data, folder, stem, "dat", err);
    roof_text_free(&script);
    return status;
}

/* --- running ------------------------------------------------------------------------------------------ */

typedef struct process {
    pid_t pid;
    int messages; /* its standard error, to be read */
    char said[600];
    bool failed; /* it did not end by itself with 0: what it was drawing last is cut off */
} process;

/* gnuplot's own start-up files are left alone (-d): the picture depends on the script only. */
static int spawn(const char *folder, char *const *arguments, process *p)
{
    posix_spawn_file_actions_t actions;
    int pipe_ends[2], code = 0;
    if (pipe2(pipe_ends, O_CLOEXEC) != 0)
        return errno;
    if (posix_spawn_file_actions_init(&actions) != 0) {
        close(pipe_ends[0]);
        close(pipe_ends[1]);
        return ENOMEM;
    }
    code = posix_spawn_file_actions_addchdir_np(&actions, folder);
    code = code ? code : posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    code = code ? code : posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
    code = code ? code : posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDERR_FILENO);
    code = code ? code : posix_spawnp(&p->pid, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(pipe_ends[1]);
    p->messages = pipe_ends[0];
    if (code)
        close(pipe_ends[0]);
    return code;
}

/* Reads what it says until it ends, or kills it. Keeps the beginning. */
static void listen_to(process *p)
{
    char block[512];
    size_t used = 0;
    for (;;) {
        struct pollfd wait = {.fd = p->messages, .events = POLLIN};
        int ready = poll(&wait, 1, DEADLINE_MS);
        if (ready < 0 && errno == EINTR)
            continue;
        ssize_t n = ready > 0 ? read(p->messages, block, sizeof block) : -1;
        if (n < 0 && errno == EINTR && ready > 0)
            continue;
        if (ready == 0)
            kill(p->pid, SIGKILL);
        if (n <= 0)
            break;
        size_t keep = used + (size_t)n < sizeof p->said ? (size_t)n : sizeof p->said - 1 - used;
        memcpy(p->said + used, block, keep);
        used += keep;
    }
    p->said[used] = '\0';
    close(p->messages);
}

static void end(process *p)
{
    int state = 0;
    listen_to(p);
    while (waitpid(p->pid, &state, 0) < 0 && errno == EINTR)
        ;
    p->failed = !WIFEXITED(state) || WEXITSTATUS(state) != 0;
}

/* The last line that tells something: gnuplot puts the line of the script and a mark below it in front. */
static const char *last_message(char *said)
{
    static const char *const nothing = "it said nothing";
    char *save = NULL, *last = NULL;
    for (char *line = strtok_r(said, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        while (*line == ' ' || *line == '^')
            line++;
        if (*line)
            last = line;
    }
    return last ? last : nothing;
}

typedef struct job {
    const char *folder, *shown_folder;
    const char *const *stems;
    size_t n;
    const char *extension;
} job;

static bool is_drawn(const job *j, const char *stem)
{
    char path[LONGEST_PATH];
    struct stat st;
    return snprintf(path, sizeof path, "%s/%s.%s", j->folder, stem, j->extension) < (int)sizeof path &&
           stat(path, &st) == 0 && st.st_size > 0;
}

/* A process draws its scripts in order, so that the one that it failed at is the last of which there is something. */
static bool is_last_drawn(const job *j, size_t i, size_t step)
{
    return i + step >= j->n || !is_drawn(j, j->stems[i + step]);
}

/* Scripts first, first + step, ... go to one process. */
static char **arguments_of(const job *j, size_t first, size_t step)
{
    size_t n = 2, length = 0;
    for (size_t i = first; i < j->n; i += step)
        length += strlen(j->stems[i]) + sizeof "./.gp";
    char **list = malloc((j->n + 3) * sizeof *list + length + sizeof "gnuplot" + sizeof "-d");
    if (!list)
        return NULL;
    char *at = (char *)(list + j->n + 3);
    list[0] = at;
    at += sprintf(at, "gnuplot") + 1;
    list[1] = at;
    at += sprintf(at, "-d") + 1;
    for (size_t i = first; i < j->n; i += step) {
        list[n++] = at;
        at += sprintf(at, "./%s.gp", j->stems[i]) + 1;
    }
    list[n] = NULL;
    return list;
}

static roof_status start(const job *j, process *processes, size_t n, size_t *started, roof_error *err)
{
    for (*started = 0; *started < n; ++*started) {
        char **arguments = arguments_of(j, *started, n);
        if (!arguments)
            return roof_fail_memory(err);
        int code = spawn(j->folder, arguments, &processes[*started]);
        free(arguments);
        if (code == ENOMEM)
            return roof_fail_memory(err);
        if (code)
            return roof_fail(
                err, ROOF_E_DEVICE,
                "gnuplot cannot be started (%s), so nothing is drawn; install gnuplot 5.2 or later, then: cd "
                "%.300s && gnuplot *.gp",
                strerror(code), j->shown_folder);
    }
    return ROOF_OK;
}

static roof_status check_drawn(const job *j, process *processes, size_t n, roof_error *err)
{
    for (size_t i = 0; i < j->n; i++)
        if (!is_drawn(j, j->stems[i]) || (processes[i % n].failed && is_last_drawn(j, i, n)))
            return roof_fail(err, ROOF_E_DEVICE,
                             "gnuplot did not draw %.80s.%s: %.300s; to try by hand: cd %.200s && gnuplot "
                             "'%.80s.gp'",
                             j->stems[i], j->extension, last_message(processes[i % n].said), j->shown_folder,
                             j->stems[i]);
    return ROOF_OK;
}

roof_status roof_gnuplot_run(const char *folder, const char *const *stems, size_t n,
                             roof_picture_format format, const char *shown_folder, roof_error *err)
{
    const job j = {.folder = folder,
                   .shown_folder = shown_folder,
                   .stems = stems,
                   .n = n,
                   .extension = formats[format].extension};
    process processes[MOST_PROCESSES];
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    size_t wanted = cpus > 0 && cpus < MOST_PROCESSES ? (size_t)cpus : MOST_PROCESSES, started;
    wanted = wanted < n ? wanted : n;
    roof_status status = start(&j, processes, wanted, &started, err);
    for (size_t i = 0; i < started; i++)
        end(&processes[i]);
    return status == ROOF_OK ? check_drawn(&j, processes, wanted, err) : status;
}
