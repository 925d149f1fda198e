#include "measure/matches/reconciler.h"

/* One field without its quotes; moves *at behind it. NULL without memory. */
static const char *next_field(const char **at, const char *end, roof_arena *arena)
{
    char *out = arena_alloc(arena, (size_t)(end - *at) + 1, 1);
    size_t n = 0;
    bool quoted = *at < end && **at == '"';
    const char *p = *at + quoted;
    if (!out)
        return NULL;
    for (; p < end && (quoted || *p != ','); p++) {
        if (quoted && *p == '"' && !(p + 1 < end && p[1] == '"'))
            break;
        p += quoted && *p == '"';
        out[n++] = *p;
    }
    *at = p < end && quoted ? p + 1 : p;
    return out;
}

roof_status map_read(const char *text, roof_arena *arena, layer_map *out, roof_error *err)
{
    *out = (layer_map){.lines = NULL};
    for (uint64_t number = 1; *text; number++) {
        const char *line = text;
        size_t length = strcspn(line, "\r\n");
        text += length;
        text += *text == '\r';
        text += *text == '\n';
        if (!length || *line == '#')
            continue;
        if (out->n == UINT32_MAX)
            return error_set(err, ROOF_E_LIMIT, "2^32 lines of a map or more");
        TRY(ARENA_MORE(arena, out->lines, out->n, err));
        map_line *new = &out->lines[out->n++];
        const char *at = line, *end = line + length;
        *new = (map_line){.row = next_field(&at, end, arena), .number = number};
        bool comma = at < end && *at == ',';
        at += comma;
        new->layer = next_field(&at, end, arena);
        if (!new->row || !new->layer)
            return error_memory(err);
        if (!comma || at != end || !new->row[0] || !new->layer[0])
            return error_line(err, ROOF_E_DATA, number, "want two names, as in row,layer");
    }
    return ROOF_OK;
}

roof_status map_check(const layer_map *map, roof_error *err)
{
    char row[100], layer[100];
    FOR_EACH(const map_line, l, map->lines, map->n) {
        if (l->found & CSVMAP_PAIR)
            continue;
        quote_text(row, sizeof row, l->row, strlen(l->row));
        quote_text(layer, sizeof layer, l->layer, strlen(l->layer));
        if (!map->was_used)
            error_line(err, ROOF_E_DATA, l->number, "there is no model with layers to map to");
        else if (!(l->found & CSVMAP_ROW))
            error_line(err, ROOF_E_DATA, l->number, "no row of a profile has the name '%s'", row);
        else if (!(l->found & CSVMAP_LAYER))
            error_line(err, ROOF_E_DATA, l->number, "no layer of a model has the name '%s'", layer);
        else
            error_line(err, ROOF_E_DATA, l->number,
                       "'%s' and '%s' are of different models, or one of them is in another line", row,
                       layer);
        return ROOF_E_DATA;
    }
    return ROOF_OK;
}
