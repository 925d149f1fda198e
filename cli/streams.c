#include "cli/cli.h"
#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

void cli_streams_finish(void)
{
    bool failed = ferror(stdout) != 0;
    if (fclose(stdout) == 0 && !failed)
        return;
    fprintf(stderr, "roofline: cannot write to standard output: %s\n", strerror(errno));
    _exit(CLI_IO);
}

/* One line, whatever the text holds: names of files and options may contain anything. */
static void put_line(const char *text)
{
    char shown[8192];
    fprintf(stderr, "roofline: %s\n", roof_quote(shown, sizeof shown, text, strlen(text)));
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
    roof_fail_memory(&err);
    return cli_fail(&err);
}

static void put_formatted(const char *format, va_list args)
{
    char text[1024];
    vsnprintf(text, sizeof text, format, args);
    put_line(text);
}

int cli_fail_usage(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_formatted(format, args);
    va_end(args);
    return CLI_USAGE;
}

void cli_note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_formatted(format, args);
    va_end(args);
}

static roof_status write_standard(const char *bytes, size_t length, roof_error *err)
{
    while (length) {
        ssize_t n = write(STDOUT_FILENO, bytes, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return roof_fail(err, ROOF_E_IO, "cannot write to standard output: %s", strerror(errno));
        bytes += n;
        length -= (size_t)n;
    }
    return ROOF_OK;
}

static roof_status write_file(const char *bytes, size_t length, const char *path, roof_error *err)
{
    roof_text text;
    roof_text_init(&text, ROOF_TEXT_MAX_BYTES);
    roof_text_add(&text, bytes, length);
    roof_status status = roof_text_save(&text, path, err);
    roof_text_free(&text);
    return status;
}

roof_status cli_write(const char *bytes, size_t length, const char *path, roof_error *err)
{
    if (!path || strcmp(path, "-") == 0)
        return write_standard(bytes, length, err);
    return write_file(bytes, length, path, err);
}

roof_status cli_sink_open(cli_sink *sink, const char *path, roof_error *err)
{
    sink->is_file = path && strcmp(path, "-") != 0;
    return sink->is_file ? roof_savefile_begin(&sink->file, path, err) : ROOF_OK;
}

static roof_status write_piece(void *unused, const char *bytes, size_t length, roof_error *err)
{
    (void)unused;
    return write_standard(bytes, length, err);
}

roof_sink cli_sink_of(cli_sink *sink)
{
    return sink->is_file ? (roof_sink){roof_savefile_write, &sink->file} : (roof_sink){write_piece, NULL};
}

roof_status cli_sink_close(cli_sink *sink, roof_status status, roof_error *err)
{
    return sink->is_file ? roof_savefile_end(&sink->file, status, err) : status;
}

int cli_write_text(roof_text *text, const char *path)
{
    roof_error err;
    roof_status status = roof_text_status(text, &err);
    if (status == ROOF_OK && text->bytes)
        status = cli_write(text->bytes, text->length, path, &err);
    roof_text_free(text);
    return status == ROOF_OK ? CLI_DONE : cli_fail(&err);
}

bool cli_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return a && b && stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}
