#include "reports/words/file_names.h"

enum { LONGEST = STEM_SIZE - 1, ROOM_FOR_NUMBER = 12 };

static char safe(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c && strchr("._-", c)) ? c : '-';
}

/* Appends what is safe of a text; a row of replaced characters is one dash, and there is none at the ends. */
static size_t append(char *stem, size_t used, const char *text)
{
    size_t begin = used;
    for (; *text && used < LONGEST - ROOM_FOR_NUMBER; text++) {
        char c = safe(*text);
        bool at_begin = used == begin;
        if ((c == '-' && (at_begin || stem[used - 1] == '-')) || (c == '.' && at_begin))
            continue;
        stem[used++] = c;
    }
    while (used > begin && strchr("-.", stem[used - 1]))
        used--;
    stem[used] = '\0';
    return used;
}

static bool is_narrow_of(const char *narrow, const char *stem)
{
    size_t length = strlen(stem);
    return strncmp(narrow, stem, length) == 0 && strcmp(narrow + length, STEM_NARROW) == 0;
}

static bool is_taken(const file_names *s, const char *stem)
{
    for (size_t i = 0; i < s->n; i++)
        if (strcmp(s->taken[i], stem) == 0 || is_narrow_of(s->taken[i], stem) ||
            is_narrow_of(stem, s->taken[i]))
            return true;
    return false;
}

const char *file_names_make(file_names *s, const char *what, const char *name)
{
    char stem[STEM_SIZE];
    size_t used = append(stem, 0, what);
    if (name && name[0]) {
        stem[used++] = '-';
        size_t end = append(stem, used, name);
        used = end > used ? end : used - 1;
    }
    stem[used] = '\0';
    for (unsigned number = 2; is_taken(s, stem); number++)
        snprintf(stem + used, sizeof stem - used, "-%u", number);
    const char *copy = arena_strdup(s->arena, stem);
    return ARENA_ADD(s->arena, s->taken, s->n, NULL, copy) == ROOF_OK ? copy : NULL;
}
