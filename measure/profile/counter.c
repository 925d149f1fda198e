#include "measure/profile/counter.h"

/* In a pattern '#' is the index, '%' the number of beats and '*' the name. The first one that fits a name is
 * its own, so that those that fit many names come last. */
typedef struct counter_row {
    const char *pattern;
    roof_event kind;
} counter_row;

#define KIND(of, way, what, from)                                                                            \
    {                                                                                                        \
        .scope = ROOF_COUNTER_##of, .direction = ROOF_COUNTER_##way, .quantity = ROOF_COUNTER_##what,        \
        .origin = ROOF_COUNTER_##from                                                                        \
    }

static const counter_row rows[] = {
    {"busif#.read_bytes", KIND(BUS, READ, BYTES, COUNTED)},
    {"busif#.write_bytes", KIND(BUS, WRITE, BYTES, COUNTED)},
    {"busif#.read_bursts_%", KIND(BUS, READ, BURSTS, COUNTED)},
    {"busif#.write_bursts_%", KIND(BUS, WRITE, BURSTS, COUNTED)},
    {"bus.*.read_beats", KIND(BUS, READ, BEATS, COUNTED)},
    {"bus.*.write_beats", KIND(BUS, WRITE, BEATS, COUNTED)},
    {"stream#.in.active_cycles", KIND(STREAM, READ, ACTIVE_CYCLES, COUNTED)},
    {"stream#.out.active_cycles", KIND(STREAM, WRITE, ACTIVE_CYCLES, COUNTED)},
    {"stream#.active_cycles", KIND(STREAM, UNDIRECTED, ACTIVE_CYCLES, COUNTED)},
    {"stream#.in.*_bytes", KIND(STREAM, READ, BYTES, PLANNED)},
    {"stream#.out.*_bytes", KIND(STREAM, WRITE, BYTES, PLANNED)},
    {"stream#.*_bytes", KIND(STREAM, UNDIRECTED, BYTES, PLANNED)},
    {"cache.read_hits", KIND(CACHE, READ, HITS, COUNTED)},
    {"cache.read_misses", KIND(CACHE, READ, MISSES, COUNTED)},
    {"cache.read_alloc_misses", KIND(CACHE, READ, ALLOC_MISSES, COUNTED)},
    {"cache.read_evictions", KIND(CACHE, READ, EVICTIONS, COUNTED)},
    {"cache.write_hits", KIND(CACHE, WRITE, HITS, COUNTED)},
    {"cache.write_misses", KIND(CACHE, WRITE, MISSES, COUNTED)},
    {"cache.write_alloc_misses", KIND(CACHE, WRITE, ALLOC_MISSES, COUNTED)},
    {"cache.write_throughs", KIND(CACHE, WRITE, THROUGHS, COUNTED)},
    {"trace.*.active_cycles", KIND(TILE, UNDIRECTED, ACTIVE_CYCLES, COUNTED)},
    {"trace.*.bytes", KIND(TILE, UNDIRECTED, BYTES, COUNTED)},
    {"trace.*.begins", KIND(TILE, UNDIRECTED, PIECES, COUNTED)},
    {"unit.*.active_cycles", KIND(UNIT, UNDIRECTED, ACTIVE_CYCLES, COUNTED)},
    {"unit.*.idle_cycles", KIND(UNIT, UNDIRECTED, IDLE_CYCLES, COUNTED)},
    {"unit.*.total_cycles", KIND(UNIT, UNDIRECTED, TOTAL_CYCLES, COUNTED)},
    {"unit.*.busy_ppm", KIND(UNIT, UNDIRECTED, BUSY_PPM, COUNTED)},
    {"rate.*_ppm", KIND(UNIT, UNDIRECTED, RATE_PPM, COUNTED)},
    {"stall.*_ppm", KIND(UNIT, UNDIRECTED, STALL_PPM, COUNTED)},
    {"buffers.write_bytes", KIND(BUFFER, WRITE, BYTES, COUNTED)},
    {"buffers.read", KIND(BUFFER, READ, PIECES, COUNTED)},
    {"allocated_bytes", KIND(PROGRAM, UNDIRECTED, BYTES, COUNTED)},
    {"launches", KIND(PROGRAM, UNDIRECTED, PIECES, COUNTED)},
    {"extra.epochs", KIND(EXTRA, UNDIRECTED, PIECES, COUNTED)},
    {"extra.*.mcu_cycles", KIND(EXTRA, UNDIRECTED, ACTIVE_CYCLES, COUNTED)},
    {"compiler.ops", KIND(PROGRAM, UNDIRECTED, OPS, PLANNED)},
    {"compiler.compute_cycles", KIND(PROGRAM, UNDIRECTED, COMPUTE_CYCLES, PLANNED)},
    {"compiler.max_cycles", KIND(PROGRAM, UNDIRECTED, MAX_CYCLES, PLANNED)},
    {"compiler.unit.*", KIND(UNIT, UNDIRECTED, PIECES, PLANNED)},
    {"compiler.operation.*", KIND(OPERATION, UNDIRECTED, PIECES, PLANNED)},
    {"compiler.*.read_bytes", KIND(MEMORY, READ, BYTES, PLANNED)},
    {"compiler.*.write_bytes", KIND(MEMORY, WRITE, BYTES, PLANNED)},
    {"*.read_bytes", KIND(MEMORY, READ, BYTES, SUMMED)},
    {"*.write_bytes", KIND(MEMORY, WRITE, BYTES, SUMMED)},
};

/* --- names of counters -------------------------------------------------------------------------------- */

const char *counter_name(const roof_event *e, char buffer[COUNTER_NAME_SIZE])
{
    const char *pattern = e->scope == ROOF_COUNTER_OTHER ? "*" : "";
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < N_OF(rows); i++) {
        const roof_event *kind = &rows[i].kind;
        if (kind->scope == e->scope && kind->direction == e->direction && kind->quantity == e->quantity &&
            kind->origin == e->origin) {
            pattern = rows[i].pattern;
            break;
        }
    }
    for (const char *p = pattern; *p && used < COUNTER_NAME_SIZE; p++) {
        char *to = buffer + used;
        size_t room = COUNTER_NAME_SIZE - used;
        if (*p == '*')
            used += (size_t)snprintf(to, room, "%s", text_or_empty(e->name));
        else if (*p == '#' || *p == '%')
            used += (size_t)snprintf(to, room, "%u", *p == '#' ? e->index : e->beats);
        else if (room > 1)
            memcpy(buffer + used++, (const char[]){*p, '\0'}, 2);
        else
            break;
    }
    return buffer;
}

/* --- counters of names -------------------------------------------------------------------------------- */

/* As it would be printed: without zeros before it. */
static bool take_number(const char **text, uint32_t *out)
{
    enum { MOST_DIGITS = 9 };
    const char *at = *text;
    *out = 0;
    while (*at >= '0' && *at <= '9' && at - *text < MOST_DIGITS)
        *out = 10 * *out + (uint32_t)(*at++ - '0');
    bool good = at > *text && (**text != '0' || at == *text + 1);
    *text = at;
    return good;
}

/* name: where the text that stands for '*' lies, n_name: how long it is. */
static bool fits(const char *pattern, const char *text, roof_event *out, const char **name, size_t *n_name)
{
    *n_name = 0;
    for (; *pattern && *pattern != '*'; pattern++)
        if (*pattern == '#' || *pattern == '%') {
            if (!take_number(&text, *pattern == '#' ? &out->index : &out->beats))
                return false;
        } else if (*text++ != *pattern) {
            return false;
        }
    if (!*pattern)
        return !*text;
    size_t left = strlen(text), behind = strlen(++pattern);
    *name = text;
    *n_name = left > behind ? left - behind : 0;
    return *n_name && strcmp(text + *n_name, pattern) == 0;
}

roof_status counter_parse(const char *text, roof_arena *arena, roof_event *out, roof_error *err)
{
    const char *name = text;
    size_t n_name = 0, i = 0;
    for (; i < N_OF(rows); i++) {
        *out = rows[i].kind;
        if (fits(rows[i].pattern, text, out, &name, &n_name))
            break;
    }
    if (i == N_OF(rows)) {
        *out = (roof_event){.scope = ROOF_COUNTER_OTHER};
        name = text;
        n_name = strlen(text);
    }
    if (!n_name)
        return ROOF_OK;
    out->name = arena_strndup(arena, name, n_name);
    return ALLOCATED(out->name, err);
}

/* --- among others ------------------------------------------------------------------------------------- */

int counter_compare(const void *a_, const void *b_)
{
    const roof_event *a = a_, *b = b_;
    const uint32_t x[] = {a->scope, a->direction, a->quantity, a->origin, a->index, a->beats},
                   y[] = {b->scope, b->direction, b->quantity, b->origin, b->index, b->beats};
    for (size_t i = 0; i < N_OF(x); i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return strcmp(text_or_empty(a->name), text_or_empty(b->name));
}

uint64_t counter_find(const roof_event *events, uint32_t n, const roof_event *wanted)
{
    for (uint32_t i = 0; i < n; i++)
        if (counter_compare(&events[i], wanted) == 0)
            return events[i].count;
    return ROOF_UNKNOWN;
}

/* "cycles:u" is the user's cycles alone, "cpu_core/cycles/" those of a kind of core, another event. */
static double count_of(const roof_run *run, const char *name)
{
    FOR_EACH(const roof_event, event, run->events, run->n_events) {
        size_t length = event->name ? strcspn(event->name, ":") : 0;
        if (event->scope == ROOF_COUNTER_OTHER && length == strlen(name) &&
            memcmp(event->name, name, length) == 0)
            return (double)event->count;
    }
    return NAN;
}

processor_counts processor_counts_of(const roof_run *run)
{
    return (processor_counts){.cycles = count_of(run, "cycles"),
                              .instructions = count_of(run, "instructions"),
                              .references = count_of(run, "cache-references"),
                              .misses = count_of(run, "cache-misses"),
                              .branches = count_of(run, "branches"),
                              .branch_misses = count_of(run, "branch-misses")};
}
