#include "core/files/child.h"
#include "core/files/outputs.h"

#include <errno.h>
#include <limits.h>

static int64_t now_ms(void)
{
    return os_now_ns() / 1000000;
}

int child_ms(double seconds)
{
    return seconds * 1e3 < INT_MAX / 2 ? (int)(seconds * 1e3) : INT_MAX / 2;
}

int child_start(const child_options *options, char *const *arguments, child *out)
{
    const os_program program = {.arguments = arguments,
                                .settings = options->settings,
                                .folder = options->folder,
                                .output = options->output,
                                .talks = options->talks,
                                .is_marked = options->talks || options->output};
    os_signals before;
    *out = (child){.deadline_ms = now_ms() + options->most_ms};
    os_hold_signals(&before); /* else one ends us before anybody knows of the child */
    int code = os_start(&program, &out->process);
    if (!code)
        outputs_adopt(out->process.id);
    os_release_signals(&before);
    if (!code && (code = os_started(&out->process)))
        outputs_disown(out->process.id);
    return code;
}

/* --- what it says --------------------------------------------------------------------------------------- */

/* A piece of its messages; false: there are no more. */
static bool read_messages(child *c)
{
    char block[4096];
    int64_t n = os_read(c->process.messages, block, sizeof block);
    if (n > 0) {
        /* The beginning of its messages is kept, and the end, which says why it died. */
        const char *from = block;
        size_t size = (size_t)n, room = sizeof c->said - 1 - c->n_said, begin = size < room ? size : room;
        memcpy(c->said + c->n_said, from, begin);
        c->n_said += begin;
        c->said[c->n_said] = '\0';
        if (size > sizeof c->last - 1) {
            from += size - (sizeof c->last - 1);
            size = sizeof c->last - 1;
        }
        size_t stay = c->n_last + size < sizeof c->last ? c->n_last : sizeof c->last - 1 - size;
        memmove(c->last, c->last + c->n_last - stay, stay);
        memcpy(c->last + stay, from, size);
        c->n_last = stay + size;
        c->last[c->n_last] = '\0';
    } else
        os_close(&c->process.messages);
    return c->process.messages >= 0;
}

/* A piece of its answers, behind those that wait to be requested. */
static child_answer read_answers(child *c)
{
    enum { PIECE = 1 << 16 };
    if (c->lines) /* nothing may be moved from NULL, not even no bytes */
        memmove(c->lines, c->lines + c->n_taken, c->n_lines - c->n_taken);
    c->n_lines -= c->n_taken;
    c->n_searched -= c->n_taken;
    c->n_taken = 0;
    if (c->n_lines > CHILD_LONGEST_LINE)
        return CHILD_FLOOD;
    if (c->lines_room < c->n_lines + PIECE + 1) {
        size_t room = 2 * c->lines_room + PIECE + 1;
        char *grown = realloc(c->lines, room);
        if (!grown)
            return CHILD_NO_MEMORY;
        c->lines = grown;
        c->lines_room = room;
    }
    int64_t n = os_read(c->process.answers, c->lines + c->n_lines, PIECE);
    if (n <= 0)
        return CHILD_CLOSED;
    c->n_lines += (size_t)n;
    return CHILD_LINE;
}

static bool take_line(child *c, char **line, size_t *length)
{
    char *end = c->n_lines > c->n_searched
                    ? memchr(c->lines + c->n_searched, '\n', c->n_lines - c->n_searched)
                    : NULL;
    c->n_searched = end ? (size_t)(end - c->lines) + 1 : c->n_lines;
    if (!end)
        return false;
    *line = c->lines + c->n_taken;
    *length = (size_t)(end - *line);
    *end = '\0';
    c->n_taken = c->n_searched;
    return true;
}

child_answer child_hear(child *c, int most_ms, char **line, size_t *length)
{
    int64_t until_ms = now_ms() + most_ms;
    if (until_ms > c->deadline_ms)
        until_ms = c->deadline_ms;
    while (!take_line(c, line, length)) {
        int64_t left_ms = until_ms - now_ms();
        const int files[] = {c->process.answers, c->process.messages};
        bool is_ready[2];
        int ready = os_await(files, is_ready, 2, left_ms > 0 ? (int)left_ms : 0);
        if (ready == 0)
            return CHILD_LATE;
        if (ready < 0 && errno != EINTR)
            return CHILD_CLOSED;
        if (is_ready[1])
            read_messages(c);
        if (is_ready[0]) {
            child_answer answer = read_answers(c);
            if (answer != CHILD_LINE)
                return answer;
        }
    }
    return CHILD_LINE;
}

bool child_say(child *c, const char *text, size_t length)
{
    return os_send(c->process.requests, text, length);
}

void child_say_no_more(child *c)
{
    os_close(&c->process.requests);
}

/* --- its end -------------------------------------------------------------------------------------------- */

void child_give(child *c, int most_ms)
{
    c->deadline_ms = now_ms() + most_ms;
}

int child_left_ms(const child *c)
{
    int64_t left_ms = c->deadline_ms - now_ms();
    return left_ms > 0 ? (int)left_ms : 0;
}

/* It may have closed its messages and still run. */
bool child_goes_on(child *c, int step_ms)
{
    char block[4096];
    const int files[] = {c->process.messages, c->process.answers};
    bool is_ready[2];
    if (c->timed_out || os_has_ended(c->process.id))
        return false;
    os_await(files, is_ready, 2, step_ms);
    if (is_ready[0])
        read_messages(c);
    if (is_ready[1] && os_read(c->process.answers, block, sizeof block) == 0)
        os_close(&c->process.answers);
    c->timed_out = now_ms() >= c->deadline_ms;
    return !c->timed_out;
}

void child_end_all(void)
{
    os_end_marked(NULL);
}

void child_end(child *c)
{
    enum { STEP_MS = 5 };
    bool is_ready;
    child_say_no_more(c);
    while (child_goes_on(c, STEP_MS))
        ;
    const os_end_state state = os_end(c->process.id);
    os_end_marked(&c->process);
    outputs_disown(c->process.id);
    while (c->process.messages >= 0 && os_await(&c->process.messages, &is_ready, 1, 0) > 0 &&
           read_messages(c))
        ;
    os_close(&c->process.messages);
    os_close(&c->process.requests);
    os_close(&c->process.answers);
    free(c->lines);
    c->lines = NULL;
    c->signal = c->timed_out ? 0 : state.signal;
    c->failed = c->timed_out || !state.is_success;
}

void child_end_within(child *c, int most_ms)
{
    child_give(c, most_ms);
    child_end(c);
}
