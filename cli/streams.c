#include "cli/cli.h"
#include "core/files/child.h"
#include "core/platform/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* A closed standard output stays one that cannot be written to: it gets a descriptor for reading. */
void cli_streams_hold(void)
{
    static const int modes[] = {
        [STDIN_FILENO] = O_RDONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_WRONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", modes[fd]) != fd)
            _exit(CLI_IO);
}

static const char argps_hint[] = "Try `", argps_option[] = " --help'";

/* One short line in place of argp's two. */
static ssize_t write_hint(const char *bytes, size_t size)
{
    char line[200];
    const char *begin = bytes + sizeof argps_hint - 2, /* with the quote */
        *end = memmem(bytes, size, argps_option, sizeof argps_option - 1);
    int length = snprintf(line, sizeof line, "%.*s --help` shows options and examples\n",
                          (int)(end - begin < 100 ? end - begin : 100), begin);
    return write(STDERR_FILENO, line, (size_t)length);
}

/* Messages of argp and getopt quote arguments, which may hold anything: every line is shown as our own are.
 * Nothing is allocated, since that memory ended has to be said as well. */
static ssize_t write_shown(void *unused, const char *bytes, size_t size)
{
    static bool is_over; /* argp ends the program behind its hint */
    char shown[512];
    size_t used = 0;
    (void)unused;
    if (is_over || (size > sizeof argps_hint && memcmp(bytes, argps_hint, sizeof argps_hint - 1) == 0 &&
                    memmem(bytes, size, argps_option, sizeof argps_option - 1))) {
        ssize_t got = is_over ? 0 : write_hint(bytes, size);
        is_over = true;
        return got < 0 ? -1 : (ssize_t)size;
    }
    for (size_t at = 0; at < size;) {
        utf8_character next = utf8_next(bytes + at, size - at);
        bool as_it_is = next.kind == UTF8_PLAIN || next.code == '\n';
        if (as_it_is)
            memcpy(shown + used, bytes + at, next.length);
        used += as_it_is ? next.length : utf8_escape(next, shown + used);
        at += next.length;
        if (at < size && used <= sizeof shown - UTF8_ESCAPE_SIZE)
            continue;
        if (write(STDERR_FILENO, shown, used) < 0)
            return -1;
        used = 0;
    }
    return (ssize_t)size;
}

void cli_streams_guard(void)
{
    static char line[16384]; /* no line is longer, so that no character is cut */
    FILE *guarded = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_shown});
    if (!guarded)
        return;
    if (setvbuf(guarded, line, _IOLBF, sizeof line) == 0)
        stderr = guarded;
    else
        fclose(guarded);
}

void cli_streams_finish(void)
{
    bool failed = ferror(stdout) != 0;
    if (fclose(stdout) == 0 && !failed)
        return;
    fprintf(stderr, "roofline: cannot write to standard output: %s\n", strerror(errno));
    _exit(CLI_IO);
}

/* Nothing that was begun stays. */
static void abandon(void)
{
    outputs_abandon();
    child_end_all();
}

void cli_signals_hold(void)
{
    os_end_with(abandon);
}

/* One line, whatever the text holds: names of files and options may contain anything. */
static void put_line(const char *text)
{
    char shown[3072];
    fprintf(stderr, "roofline: %s\n", quote_text(shown, sizeof shown, text, strlen(text)));
}

int cli_fail(const roof_error *err)
{
    char message[ROOF_ERROR_WHERE_SIZE + ROOF_ERROR_WHAT_SIZE + 64];
    roof_error_format(err, message, sizeof message);
    put_line(message);
    return roof_status_exit_code(err->status);
}

int cli_fail_memory(void)
{
    roof_error err;
    error_memory(&err);
    return cli_fail(&err);
}

void cli_note(const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    print_list(text, sizeof text, format, args);
    va_end(args);
    put_line(text);
}

bool cli_is_watched(void)
{
    return isatty(STDERR_FILENO);
}

void cli_progress(const char *format, ...)
{
    char text[200], shown[600];
    va_list args;
    va_start(args, format);
    print_list(text, sizeof text, format, args);
    va_end(args);
    if (cli_is_watched())
        dprintf(STDERR_FILENO, "\r\033[K%s", quote_text(shown, sizeof shown, text, strlen(text)));
}

static void show_drawing(void *unused, const roof_draw_progress *now)
{
    (void)unused;
    cli_progress("drawing: %u of %u pictures; gnuplot is at %.80s for %.0f s, and is ended at %.0f s",
                 now->drawn, now->of, now->picture, now->waited_s, now->most_s);
}

const roof_draw_watch cli_watch = {show_drawing, NULL};

roof_status cli_stream_begin(cli_stream *stream, const char *path, roof_sink *sink, roof_error *err)
{
    TRY(outputs_begin(&stream->set, err));
    roof_status status = outputs_open(&stream->set, path ? path : "-", &stream->file, err);
    *sink = (roof_sink){outputs_write, stream->file};
    return status == ROOF_OK ? status : outputs_end(&stream->set, status, err);
}

roof_status cli_stream_end(cli_stream *stream, roof_status status, roof_error *err)
{
    return outputs_end(&stream->set, outputs_close(stream->file, status, err), err);
}

roof_status cli_save_text(textbuf *text, const char *path, roof_error *err)
{
    roof_status status = text_status(text, err);
    THEN(status, outputs_save(path ? path : "-", text->bytes, text->length, err));
    text_free(text);
    return status;
}

int cli_write_text(textbuf *text, const char *path)
{
    roof_error err;
    return cli_save_text(text, path, &err) == ROOF_OK ? CLI_DONE : cli_fail(&err);
}

const char *cli_script_named(const char *name)
{
    const cli_script *s = cli_scripts;
    while (s->name && strcmp(s->name, name) != 0)
        s++;
    return s->name ? s->text : "";
}

const char *cli_put_script(textbuf *out, const char *script)
{
    static const char break_line[] = "#@\n";
    const char *end = strstr(script, break_line);
    text_add(out, script, end ? (size_t)(end - script) : strlen(script));
    return end ? end + strlen(break_line) : "";
}
