#include "measure/import/unpack.h"

#include <ctype.h>

/* So much of a text tells how it was pasted. Lines that are longer than a line may be stay as they are. */
enum { HEAD_BYTES = 64 << 10, ROOM_BYTES = LINE_MAX_BYTES + HEAD_BYTES, MOST_MARK = 64 };

struct pasted {
    unpacker *unpacked;
    char *bytes;        /* of ROOM_BYTES */
    size_t at, end;     /* of what was read and not looked at */
    size_t ready, upto; /* of what may be given */
    bool has_begun, is_plain, has_ended;
    char mark[MOST_MARK]; /* what all lines begin with; empty: nothing */
    bool is_quoted, is_stamped;
};

/* Prefixes of loggers, in patterns of span_cut. Lines of tools with stamps of their own have other forms. */
static const struct {
    const char *pattern;
    bool all_lines; /* only where every line has it: tables have such stamps in their first column */
    enum { ANY, LEVEL, MONTH } first; /* what the first word is: a letter, a month */
    unsigned after;                   /* letters before the pattern begins */
} prefixes[] = {
    {"#-# #:#:~ # # * *:", false, LEVEL, 0},   /* logcat -v threadtime */
    {"#-#-# #:#:~ # # * *:", false, LEVEL, 0}, /* and -v year */
    {"#-# #:#:~ */*(#):", false, LEVEL, 0},    /* logcat -v time */
    {"*/*(#):", false, LEVEL, 0},              /* logcat -v brief */
    {"* # #:#:# * *:", false, MONTH, 0},       /* syslog, journalctl */
    {"#-#-#T#:#:~Z * *[#]:", false, ANY, 0},   /* journalctl -o short-iso, rsyslog */
    {"#-#-#T#:#:~+#:# * *[#]:", false, ANY, 0},
    {"#-#-#T#:#:~+# * *[#]:", false, ANY, 0},
    {"#-#-#T#:#:~-# * *[#]:", false, ANY, 0},
    {"[#/#/#-#:#:~] [*]", false, LEVEL, 0}, /* trtexec */
    {"[*]", false, LEVEL, 0},
    {"#-#-# #:#:~ #-# * * I", false, ANY, 0}, /* Android Studio */
    {"#-#-# #:#:~ #-# * * D", false, ANY, 0},
    {"#-#-# #:#:~ #-# * * W", false, ANY, 0},
    {"#-#-# #:#:~ #-# * * E", false, ANY, 0},
    {"# #:#:~ # *:#]", false, ANY, 1}, /* glog: I1123 04:08:22.474001 1127 file.cpp:473] */
    {"* RKNN: [*]", false, LEVEL, 0},
    {"[#:#:~,#] <*> *:", false, ANY, 0}, /* Zephyr */
    {"[#:#:~]", false, ANY, 0},          /* terminals on a serial line */
    {"[#-#-# #:#:~]", false, ANY, 0},
    {"[#-#-#T#:#:~]", false, ANY, 0},
    {"[ #.#]", false, ANY, 0},      /* dmesg */
    {"#-#-#T#:#:~Z", true, ANY, 0}, /* docker, kubectl and GitHub with times */
    {"* # #:#:#", true, MONTH, 0},  /* ts */
    {"#-#-# #:#:~", true, ANY, 0},
};

/* False for most lines, which do not even begin like this: by digits, a letter, a month, or a bracket. */
static bool may_begin(text_span text, size_t i)
{
    const char *pattern = prefixes[i].pattern;
    size_t at = prefixes[i].after + (*pattern != '*' ? 0 : prefixes[i].first == MONTH ? 3 : 1);
    const size_t first = at;
    while (*pattern == '#' && at < text.length && isdigit((unsigned char)text.text[at]))
        at++;
    return at < text.length && text.text[at] == pattern[*pattern == '*' || at > first];
}

static bool cut_prefix(text_span *text, size_t i)
{
    if (!may_begin(*text, i))
        return false;
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    static const char levels[] = "VDIWEFS";
    const char *pattern = prefixes[i].pattern;
    const size_t after = prefixes[i].after;
    text_span rest = *text, words[4] = {{"", 0}, {"", 0}, {"", 0}, {"", 0}};
    double numbers[10] = {0};
    if (after && !strchr(levels, *rest.text))
        return false;
    rest = span_from(rest, after);
    if (!span_cut(&rest, pattern, numbers, words))
        return false;
    if (prefixes[i].first == LEVEL && !(words[0].length == 1 && strchr(levels, *words[0].text)))
        return false;
    if (prefixes[i].first == MONTH && !SPAN_IS_ONE_OF(months, words[0]))
        return false;
    /* the word before a prefix's next blank may have none itself */
    for (size_t w = 0; w < N_OF(words) && words[w].length; w++) {
        const text_span word = span_trim(words[w]);
        if (!word.length || memchr(word.text, ' ', word.length) || memchr(word.text, '\t', word.length))
            return false;
    }
    enum { SHORTEST = 10, A_YEAR = 1970 }; /* "[0.123456]" */
    if (rest.text - text->text < SHORTEST && prefixes[i].first == ANY)
        return false;
    if (strncmp(pattern, "#-#-#", 5) == 0 && !(numbers[0] >= A_YEAR))
        return false;
    if (rest.length && *rest.text != ' ' && *rest.text != '\t')
        return false;
    *text = span_from(rest, rest.length && *rest.text == ' ' ? 1 : 0);
    return true;
}

/* Takes sequences that colour out, in place. */
static size_t drop_colours(char *text, size_t length)
{
    size_t n = 0;
    if (!memchr(text, '\033', length))
        return length;
    for (size_t i = 0; i < length; i++) {
        size_t end = i + 2;
        const bool begins = text[i] == '\033' && i + 1 < length && text[i + 1] == '[';
        while (begins && end < length && strchr("0123456789;?", text[end]))
            end++;
        if (begins && end < length && isalpha((unsigned char)text[end]))
            i = end;
        else
            text[n++] = text[i];
    }
    return n;
}

/* "╒", "│", "─": U+2500 to U+257F. */
static bool is_of_frame(const char *text, size_t length)
{
    return length >= 3 && text[0] == '\xe2' && (text[1] == '\x94' || text[1] == '\x95');
}

/* The bars of a table in their plain form, and its rules of dashes: a rule has a joint between two columns,
 * which a box around other text has not. */
static size_t draw_plainly(char *text, size_t length)
{
    static const char *const bars[] = {"\xe2\x94\x82", "\xe2\x94\x83", "\xe2\x95\x91"};
    size_t n = 0, blank = strspn(text, " \t"), at = blank;
    bool is_row = false, has_joint = false;
    for (; is_of_frame(text + at, length - at); at += 3)
        has_joint =
            has_joint || (at > blank + 3 && at + 6 < length && memcmp(text + at, text + blank + 3, 3) != 0);
    for (size_t b = 0; b < N_OF(bars); b++)
        is_row = is_row || strncmp(text + blank, bars[b], 3) == 0;
    if (!is_row && !(has_joint && strspn(text + at, " ") == length - at))
        return length;
    for (size_t i = 0; i < length;) {
        const bool is_drawn = is_of_frame(text + i, length - i);
        text[n++] = is_drawn ? (is_row ? '|' : '-') : text[i];
        i += is_drawn ? 3 : 1;
    }
    return n;
}

/* Takes the prefixes of loggers off. */
static bool cut_prefixes(const pasted *p, text_span *text)
{
    const bool may = text->length && (isupper((unsigned char)*text->text) || *text->text == '[' ||
                                      isdigit((unsigned char)*text->text));
    bool found = false;
    for (size_t i = 0; may && !found && i < N_OF(prefixes); i++)
        found = (!prefixes[i].all_lines || p->is_stamped) && cut_prefix(text, i);
    return found;
}

/* A line that nobody pasted, in place; a byte behind it may be written. */
static size_t clean(const pasted *p, char *line, size_t length)
{
    enum { DEEPEST = 4 };
    line[length] = '\0';
    length = drop_colours(line, length);
    text_span text = {line, length};
    const bool has_return = length && line[length - 1] == '\r';
    bool has_mark = *p->mark;
    text.length -= has_return;
    for (int deep = 0; deep < DEEPEST; deep++) {
        const char *from = text.text;
        cut_prefixes(p, &text);
        if (has_mark && span_skip(&text, p->mark)) {
            span_skip(&text, " ");
            has_mark = false;
        }
        while (p->is_quoted && span_skip(&text, ">"))
            span_skip(&text, " ");
        if (text.text == from)
            break;
    }
    memmove(line, text.text, text.length);
    line[text.length] = '\0';
    length = draw_plainly(line, text.length);
    if (has_return)
        line[length++] = '\r';
    return length;
}

/* Keeps what stands before the first bar of a line, blanks or a container's name ("web-1"), and the bar. */
static void keep_mark(pasted *p, text_span line)
{
    size_t at = 0;
    while (at < line.length && at < MOST_MARK - 4 && line.text[at] != '|' &&
           !is_of_frame(line.text + at, line.length - at))
        at++;
    const text_span before = span_trim((text_span){line.text, at});
    const bool is_bar = at < line.length && at < MOST_MARK - 4 &&
                        (!before.length || isdigit((unsigned char)before.text[before.length - 1]));
    const size_t n = !is_bar ? 0 : line.text[at] == '|' ? at + 1 : at + 3;
    memcpy(p->mark, line.text, n);
    p->mark[n] = '\0';
}

/* True if a text has a bar or the part of a frame at its end, or at its beginning. */
static bool has_bar(text_span text, bool at_end)
{
    const char *bar = at_end ? text.text + text.length - 1 : text.text, *frame = at_end ? bar - 2 : bar;
    return text.length && (*bar == '|' || (text.length > 3 && is_of_frame(frame, 3)));
}

/* Finds what all lines of the beginning have behind the prefixes of loggers: quotes, a bar, stamps. Bars of a
 * table stand at the end of its lines, too. */
static void find_marks(pasted *p)
{
    p->end = drop_colours(p->bytes, p->end);
    text_span rest = {p->bytes, p->end};
    const bool is_whole = p->has_ended || (p->end && p->bytes[p->end - 1] == '\n');
    bool quoted = true, barred = true, stamped = true, is_table = true, is_inside = true;
    uint32_t n_lines = 0;
    while (rest.length) {
        text_span line = span_take_line(&rest);
        bool is_stamp = false;
        for (int deep = 0; deep < 2; deep++) {
            cut_prefixes(p, &line);
            for (size_t i = 0; i < N_OF(prefixes) && !is_stamp && !deep; i++)
                is_stamp = prefixes[i].all_lines && cut_prefix(&line, i);
        }
        const text_span trimmed = span_trim(line);
        if (!trimmed.length || (!rest.length && !is_whole))
            continue;
        if (!n_lines++)
            keep_mark(p, line);
        text_span inner = trimmed;
        quoted = quoted && span_begins(line, ">");
        barred = barred && *p->mark && (span_skip(&inner, p->mark) || span_begins(trimmed, p->mark));
        inner = span_trim(inner);
        is_table = is_table && has_bar(trimmed, true);
        is_inside = is_inside && (!inner.length || has_bar(inner, false));
        stamped = stamped && is_stamp;
    }
    p->is_quoted = quoted && n_lines;
    p->is_stamped = stamped && n_lines > 1;
    if (!barred || (is_table && !is_inside) || n_lines < 2)
        *p->mark = '\0';
}

bool pasted_is_json(const char *text, size_t size)
{
    size_t at = 0;
    static const char blanks[] = "\xef\xbb\xbf \t\r\n";
    while (at < size && memchr(blanks, text[at], sizeof blanks - 1))
        at++;
    if (at < size && text[at] == '{')
        return true;
    if (at >= size || text[at] != '[')
        return false;
    for (at++; at < size && memchr(blanks, text[at], sizeof blanks - 1);)
        at++;
    return at >= size || memchr("{[\"]", text[at], 4);
}

void pasted_free(pasted *p)
{
    if (!p)
        return;
    unpack_free(p->unpacked);
    free(p->bytes);
    free(p);
}

pasted *pasted_new(import_read read, void *context)
{
    pasted *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    *p = (pasted){.unpacked = unpack_new(read, context, UNPACK_MOST_BYTES), .bytes = malloc(ROOM_BYTES + 1)};
    if (p->unpacked && p->bytes)
        return p;
    pasted_free(p);
    return NULL;
}

/* More of the text, until there is so much of it. */
static roof_status fill(pasted *p, size_t wanted, roof_error *err)
{
    memmove(p->bytes, p->bytes + p->at, p->end - p->at);
    p->end -= p->at;
    p->at = p->ready = p->upto = 0;
    while (!p->has_ended && p->end < wanted) {
        size_t got = 0;
        TRY(unpack_read(p->unpacked, p->bytes + p->end, wanted - p->end, &got, err));
        p->end += got;
        p->has_ended = got == 0;
    }
    return ROOF_OK;
}

/* The next line becomes ready. */
static roof_status next_line(pasted *p, roof_error *err)
{
    char *newline = memchr(p->bytes + p->at, '\n', p->end - p->at);
    while (!newline && !p->has_ended && p->end - p->at < LINE_MAX_BYTES) {
        const size_t searched = p->end - p->at;
        TRY(fill(p, searched + (HEAD_BYTES < ROOM_BYTES - searched ? HEAD_BYTES : ROOM_BYTES - searched),
                 err));
        newline = memchr(p->bytes + searched, '\n', p->end - searched);
    }
    char *line = p->bytes + p->at;
    const size_t length = newline ? (size_t)(newline - line) : p->end - p->at;
    size_t n = length;
    if (newline || p->has_ended)
        n = clean(p, line, length);
    if (newline)
        line[n++] = '\n';
    p->ready = p->at;
    p->upto = p->at + n;
    p->at += length + (newline != NULL);
    return ROOF_OK;
}

roof_status pasted_read(void *context, char *buffer, size_t size, size_t *got, roof_error *err)
{
    pasted *p = context;
    *got = 0;
    if (!p->has_begun) {
        TRY(fill(p, HEAD_BYTES, err));
        p->has_begun = true;
        p->is_plain = memchr(p->bytes, '\0', p->end) || pasted_is_json(p->bytes, p->end);
        if (!p->is_plain)
            find_marks(p);
    }
    if (p->is_plain && p->at < p->end) {
        p->ready = p->at;
        p->at = p->upto = p->end;
    }
    if (p->is_plain && p->ready == p->upto)
        return p->has_ended ? ROOF_OK : unpack_read(p->unpacked, buffer, size, got, err);
    while (*got < size) {
        const size_t left = p->upto - p->ready, n = left < size - *got ? left : size - *got;
        memcpy(buffer + *got, p->bytes + p->ready, n);
        p->ready += n;
        *got += n;
        if (p->ready < p->upto || p->is_plain || (p->at == p->end && p->has_ended))
            break;
        TRY(next_line(p, err));
    }
    return ROOF_OK;
}
