/* Options that are lists, with commas between: numbers of threads and of tokens, measured times, boards. */
#include "cli/cli.h"
#include "core/platform/platform.h"

/* --- numbers -------------------------------------------------------------------------------------------- */

/* 0: there is none of at most so much. */
static uint64_t take_number(const char **at, uint64_t most)
{
    enum { MOST_DIGITS = 8 };
    const size_t n = strspn(*at, "0123456789");
    uint64_t number = 0;
    for (size_t i = 0; i < n && n <= MOST_DIGITS; i++)
        number = number * 10 + (uint64_t)((*at)[i] - '0');
    *at += n;
    return number <= most ? number : 0;
}

roof_status cli_thread_counts(const char *text, uint32_t *out, uint32_t most, uint32_t *n, roof_error *err)
{
    bool is_wanted[ROOF_MOST_THREADS + 1] = {false};
    *n = 0;
    for (const char *at = text;; at++) {
        const uint64_t first = take_number(&at, ROOF_MOST_THREADS); /* "4" or "4..8" */
        const bool is_range = first && strncmp(at, "..", 2) == 0;
        at += is_range ? 2 : 0;
        const uint64_t last = is_range ? take_number(&at, ROOF_MOST_THREADS) : first;
        if (!first || last < first || (*at && *at != ','))
            return error_set(
                err, ROOF_E_USAGE,
                "--threads: '%.60s' is no list of numbers of threads, want numbers from 1 to %d and "
                "ranges of them that ascend, such as 1,2,4..8",
                text, ROOF_MOST_THREADS);
        for (uint64_t i = first; i <= last; i++)
            is_wanted[i] = true;
        if (!*at)
            break;
    }
    for (uint32_t i = 1; i <= ROOF_MOST_THREADS; i++) {
        if (is_wanted[i] && *n == most)
            return error_set(err, ROOF_E_USAGE, "--threads: '%.60s' is more than %u numbers of threads", text,
                             most);
        if (is_wanted[i])
            out[(*n)++] = i;
    }
    return ROOF_OK;
}

/* "4096", "4k": k and M are 1024 and 1024 * 1024, as lengths of contexts are called. 0: no such number. */
static uint32_t take_tokens(const char **at)
{
    enum { MOST_TOKENS = 1 << 24 };
    const uint64_t number = take_number(at, MOST_TOKENS);
    const uint64_t times = **at == 'k' || **at == 'K' ? 1024 : **at == 'M' ? 1024 * 1024 : 1;
    *at += times > 1;
    return number * times <= MOST_TOKENS ? (uint32_t)(number * times) : 0;
}

bool cli_tokens_add(cli_tokens *out, uint32_t tokens)
{
    if (out->n == CLI_MOST_TOKENS)
        return false;
    out->tokens[out->n++] = tokens;
    return true;
}

/* "4k", "1k..128k" (each twice the one before, and the last), "1k..128k:12" (so many, evenly). */
static bool take_range(const char **at, cli_tokens *out)
{
    const uint32_t first = take_tokens(at);
    if (strncmp(*at, "..", 2) != 0)
        return first && cli_tokens_add(out, first);
    *at += 2;
    const uint32_t last = take_tokens(at);
    if (!first || last <= first)
        return false;
    if (**at == ':') {
        ++*at;
        const uint32_t n = take_tokens(at);
        if (n < 2 || n > last - first + 1)
            return false;
        for (uint32_t i = 0; i < n; i++)
            if (!cli_tokens_add(out, first + (uint32_t)((uint64_t)(last - first) * i / (n - 1))))
                return false;
        return true;
    }
    for (uint64_t x = first; x < last; x *= 2)
        if (!cli_tokens_add(out, (uint32_t)x))
            return false;
    return cli_tokens_add(out, last);
}

roof_status cli_tokens_parse(const char *option, const char *text, cli_tokens *out, roof_error *err)
{
    out->n = 0;
    for (const char *at = text; text; at++) {
        if (!take_range(&at, out) || (*at && *at != ','))
            return error_set(
                err, ROOF_E_USAGE,
                "--%s: '%.60s' is no list of at most %d numbers; want one such as 4096 or 4k (k is "
                "1024), a list 1k,8k,32k, 1k..128k (each twice the one before) or 1k..128k:12 (so many)",
                option, text, CLI_MOST_TOKENS);
        if (!*at)
            break;
    }
    ORDER_VALUES(out->tokens, out->n);
    uint32_t n = 0;
    for (uint32_t i = 0; i < out->n; i++)
        if (!i || out->tokens[i] != out->tokens[i - 1])
            out->tokens[n++] = out->tokens[i];
    out->n = n;
    return ROOF_OK;
}

/* --- measured times ------------------------------------------------------------------------------------- */

enum { TIME_SIZE = 40 };

/* Past "=15.5ms," of which out has the time; false: it does not stand there. */
static bool take_time(const char **at, char out[TIME_SIZE])
{
    const size_t length = **at == '=' ? strcspn(*at + 1, ",") : 0;
    if (!length || length >= TIME_SIZE)
        return false;
    snprintf(out, TIME_SIZE, "%.*s", (int)length, *at + 1);
    *at += 1 + length;
    *at += **at == ',';
    return true;
}

static roof_status read_time(const char *option, const char *text, const char *of, double *out,
                             roof_error *err)
{
    TRY(quantity_parse(text, "s", out, err));
    return *out > 0 && *out < 1e4
               ? ROOF_OK
               : error_set(err, ROOF_E_USAGE, "--%s: '%s' is no time of %s", option, text, of);
}

roof_status cli_anchors_parse(const char *text, cli_anchors *out, roof_error *err)
{
    out->n = 0;
    for (const char *at = text; text && *at; out->n++) {
        char time[TIME_SIZE];
        const uint32_t tokens = out->n < CLI_MOST_ANCHORS ? take_tokens(&at) : 0;
        if (!tokens || !take_time(&at, time))
            return error_set(
                err, ROOF_E_USAGE,
                "--at: '%.60s' is no list of at most %d measured steps; want contexts and times, such as "
                "1k=15.5ms or 1k=15.5ms,32k=28ms",
                text, CLI_MOST_ANCHORS);
        roof_curve_measured *x = &out->points[out->n];
        *x = (roof_curve_measured){.phase = ROOF_TEXT_DECODE, .tokens = tokens};
        TRY(read_time("at", time, "a step", &x->seconds, err));
    }
    return ROOF_OK;
}

/* The name before the next '=', which out has, and how long it is; 0: there is none. */
static size_t take_own_name(const char *at, char out[CLI_OWN_NAME])
{
    const size_t length = strcspn(at, "=");
    if (!at[length] || !length || length >= CLI_OWN_NAME)
        return 0;
    snprintf(out, CLI_OWN_NAME, "%.*s", (int)length, at);
    return length;
}

bool cli_own_are_of_networks(const char *text)
{
    char name[CLI_OWN_NAME];
    return text && take_own_name(text, name) && os_may(OS_HERE, name, OS_MAY_BE);
}

roof_status cli_own_times_parse(const char *option, const char *text, cli_own_times *out, roof_error *err)
{
    out->n = 0;
    for (const char *at = text; at && *at; out->n++) {
        char time[TIME_SIZE];
        const size_t name = out->n < CLI_MOST_OWN ? take_own_name(at, out->names[out->n]) : 0;
        at += name;
        if (!name || !take_time(&at, time))
            return error_set(
                err, ROOF_E_USAGE,
                "--%s: '%.60s' is no list of at most %d measured times; want names and times, such as %s",
                option, text, CLI_MOST_OWN,
                strcmp(option, "at") == 0 ? "a.onnx=15ms,b.onnx=8ms" : "rk3576-npu=15ms");
        roof_own_time *own = &out->times[out->n];
        *own = (roof_own_time){.name = out->names[out->n]};
        TRY(read_time(option, time, "an image", &own->seconds, err));
    }
    return ROOF_OK;
}

/* --- boards --------------------------------------------------------------------------------------------- */

void cli_boards_free(cli_boards *boards)
{
    for (size_t i = 0; i < boards->n; i++)
        roof_hw_free(boards->hw[i]);
    arena_free(boards->arena);
    *boards = (cli_boards){0};
}

static roof_status add_board(cli_boards *boards, const char *text, size_t length, roof_error *err)
{
    boards->arena = boards->arena ? boards->arena : arena_new(0);
    TRY(ALLOCATED(boards->arena, err));
    TRY(ARENA_MORE(boards->arena, boards->names, boards->n, err));
    TRY(ARENA_MORE(boards->arena, boards->hw, boards->n, err));
    const size_t own = boards->n;
    const char *name = boards->names[own] = arena_strndup(boards->arena, text, length);
    TRY(ALLOCATED(name, err));
    TRY(roof_hw_load(name, &boards->hw[own], err));
    boards->n++;
    const bool is_entry = !strchr(name, '=');
    for (size_t i = 0; i < own; i++)
        if (strcmp(boards->names[i], name) == 0 ||
            (is_entry && !strchr(boards->names[i], '=') &&
             strcmp(roof_hw_id(boards->hw[i]), roof_hw_id(boards->hw[own])) == 0))
            return error_set(err, ROOF_E_USAGE, "--hw: '%.80s' and '%.80s' are one board; give it once",
                             boards->names[i], name);
    return ROOF_OK;
}

roof_status cli_boards_add(cli_boards *boards, const char *list, roof_error *err)
{
    for (const char *at = list;; at++) {
        const size_t length = roof_hw_first_of(at);
        if (!length && (at > list || *at))
            return error_set(err, ROOF_E_USAGE, "--hw %.200s: there is nothing beside a comma", list);
        TRY(add_board(boards, at, length, err));
        at += length;
        if (!*at)
            return ROOF_OK;
    }
}
