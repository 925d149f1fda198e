#include "reports/results/results_line.h"
#include "core/platform/platform.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* --- a line --------------------------------------------------------------------------------------------- */

/* Texts before the index, before the plan, before the check, and behind it. */
static const struct shape {
    const char *begin, *before_plan, *before_check, *end;
} shapes[] = {{"", ",", ",", "\n"}, {"{\"index\":", ",\"plan\":\"", "\",\"check\":\"", "\"}\n"}};

enum { CHECK_DIGITS = 8, TAIL_SIZE = 100, MOST_PLAN_LENGTH = 16 + 1 + 10 };

/* line: up to where its end is to begin. Returns how long the end is. */
static size_t make_end(char end[TAIL_SIZE], const char *line, size_t length, bool is_json,
                       const char *identity, uint64_t n_points)
{
    const struct shape *s = &shapes[is_json];
    return (size_t)snprintf(
        end, TAIL_SIZE, "%s%.16s/%" PRIu64 "%s%08" PRIx32 "%s", s->before_plan, identity, n_points,
        s->before_check,
        (uint32_t)XXH3_64bits_withSeed(line, length, strtoull(identity, NULL, 16) + n_points), s->end);
}

void results_line_sign(textbuf *out, size_t at, bool is_json, const char *identity, uint64_t n_points)
{
    char end[TAIL_SIZE];
    const size_t taken = is_json ? 2 : 1; /* "}\n", or "\n" */
    if (out->failed || out->length < at + taken)
        return;
    out->length -= taken;
    text_add(out, end, make_end(end, out->bytes + at, out->length - at, is_json, identity, n_points));
}

/* A whole number without a zero in front of it, below 10^18. */
static const char *take_number(const char *at, const char *end, uint64_t *out)
{
    const char *from = at;
    *out = 0;
    while (at < end && at - from < 18 && *at >= '0' && *at <= '9')
        *out = *out * 10 + (uint64_t)(*at++ - '0');
    return at == from || (*from == '0' && at > from + 1) ? NULL : at;
}

/* The place behind what, if that is what ends there, counted back from end; NULL: it is not. */
static const char *before(const char *begin, const char *end, const char *what)
{
    const size_t length = strlen(what);
    return (size_t)(end - begin) >= length && memcmp(end - length, what, length) == 0 ? end - length : NULL;
}

bool results_line_read(const char *line, size_t length, bool is_json, results_line *out)
{
    const struct shape *s = &shapes[is_json];
    const char *end = line + length, *check = before(line, end, s->end);
    const char *plan_end =
        check && check - line > CHECK_DIGITS ? before(line, check - CHECK_DIGITS, s->before_check) : NULL;
    const char *plan = plan_end;
    while (plan && plan > line && plan_end - plan < MOST_PLAN_LENGTH && !strchr(",\"", plan[-1]))
        plan--;
    const char *row_end = plan ? before(line, plan, s->before_plan) : NULL;
    if (!row_end || plan_end - plan < 18 || plan[16] != '/' || strspn(plan, "0123456789abcdef") != 16)
        return false;
    memcpy(out->identity, plan, 16);
    out->identity[16] = '\0';
    char own[TAIL_SIZE];
    const size_t begins = strlen(s->begin);
    if (take_number(plan + 17, plan_end, &out->n_points) != plan_end || (size_t)(row_end - line) <= begins ||
        memcmp(line, s->begin, begins) != 0)
        return false;
    const char *behind = take_number(line + begins, row_end, &out->index);
    const size_t n = make_end(own, line, (size_t)(row_end - line), is_json, out->identity, out->n_points);
    return behind && (behind == row_end || *behind == ',') && out->index < out->n_points &&
           n == (size_t)(end - row_end) && memcmp(own, row_end, n) == 0;
}

/* --- lines of a file ------------------------------------------------------------------------------------ */

enum { BLOCK_BYTES = 1 << 16 };

void results_reader_end(results_reader *reader)
{
    free(reader->buffer);
    reader->buffer = NULL;
}

/* More bytes behind those that are not used yet; *got 0 is the end of the file. */
static roof_status fill(results_reader *r, size_t *got, roof_error *err)
{
    if (r->used && r->buffer)
        memmove(r->buffer, r->buffer + r->used, r->filled - r->used);
    r->filled -= r->used;
    r->used = 0;
    if (!r->buffer || r->room - r->filled < BLOCK_BYTES) {
        const size_t room = 2 * (r->room + BLOCK_BYTES);
        char *larger = realloc(r->buffer, room);
        TRY(ALLOCATED(larger, err));
        r->buffer = larger;
        r->room = room;
    }
    const int64_t n = os_read(r->fd, r->buffer + r->filled, BLOCK_BYTES);
    if (n < 0)
        return error_errno(err, ROOF_E_IO, "cannot read");
    *got = (size_t)n;
    r->filled += *got;
    return ROOF_OK;
}

roof_status results_reader_next(results_reader *r, roof_error *err)
{
    size_t searched = 0, got = 1;
    const char *end = NULL;
    if (!r->buffer)
        TRY(fill(r, &got, err));
    while (!(end = memchr(r->buffer + r->used + searched, '\n', r->filled - r->used - searched)) && got &&
           r->filled - r->used <= POINTS_MOST_LINE_BYTES) {
        searched = r->filled - r->used;
        TRY(fill(r, &got, err));
    }
    r->line = r->buffer + r->used;
    r->length = end ? (size_t)(end - r->line) + 1 : r->filled - r->used;
    r->is_whole = end && r->length <= POINTS_MOST_LINE_BYTES;
    r->used += r->length;
    r->at_bytes += r->length;
    r->number++;
    return ROOF_OK;
}
