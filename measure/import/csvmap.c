#include "measure/import/row.h"

#include <ctype.h>

typedef struct unit {
    const char *word;
    double scale;
} unit;

static const unit times[] = {{"s", 1},     {"ms", 1e-3}, {"us", 1e-6}, {"\xc2\xb5s", 1e-6},
                             {"ns", 1e-9}, {NULL, 0}};
static const unit sizes[] = {{"B", 1},        {"kB", 1e3},        {"MB", 1e6},           {"GB", 1e9},
                             {"KiB", 1024.0}, {"MiB", 1048576.0}, {"GiB", 1073741824.0}, {NULL, 0}};
static const unit shares[] = {{"ratio", 1}, {"%", 1e-2}, {NULL, 0}};
static const unit rates[] = {{"OP/s", 1}, {"MOP/s", 1e6}, {"GOP/s", 1e9}, {"TOP/s", 1e12}, {NULL, 0}};
static const unit works[] = {{"OP", 1},     {"MOP", 1e6},  {"GOP", 1e9}, {"MAC", 2},
                             {"MMAC", 2e6}, {"GMAC", 2e9}, {NULL, 0}};
static const unit domains[] = {{NULL, 0}}; /* any word */

static const struct {
    const char *word;
    const unit *units; /* NULL: a number or a text without one */
} keys[MAP_KEYS] = {[ROW_NAME] = {"name", NULL},          [ROW_TYPE] = {"type", NULL},
                    [ROW_INDEX] = {"index", NULL},        [ROW_TIME] = {"time", times},
                    [ROW_STD] = {"std", times},           [ROW_MIN] = {"min", times},
                    [ROW_MAX] = {"max", times},           [ROW_MEDIAN] = {"median", times},
                    [ROW_P95] = {"p95", times},           [ROW_P99] = {"p99", times},
                    [ROW_COUNT] = {"count", NULL},        [ROW_BYTES] = {"bytes", sizes},
                    [ROW_READ] = {"read", sizes},         [ROW_WRITE] = {"write", sizes},
                    [ROW_CYCLES] = {"cycles", domains},   [ROW_SHARE] = {"share", shares},
                    [ROW_OPS] = {"ops", rates},           [ROW_WORKLOAD] = {"workload", works},
                    [ROW_EXECUTIONS] = {"calls", NULL},   [ROW_WRITE_TIME] = {"write_time", times},
                    [ROW_RUN_TIME] = {"run_time", times}, [ROW_READ_TIME] = {"read_time", times},
                    [ROW_LAUNCHES] = {"launches", NULL},  [ROW_BOUNDARIES] = {"boundaries", NULL},
                    [MAP_MODEL] = {"model", NULL},        [MAP_PHASE] = {"phase", NULL},
                    [MAP_DEVICE] = {"device", NULL}};

const char *csvmap_column(const map_entry *entry, char buffer[SHOWN_SIZE])
{
    if (entry->heading[0])
        return quote_text(buffer, SHOWN_SIZE, entry->heading, strlen(entry->heading));
    snprintf(buffer, SHOWN_SIZE, "#%u", entry->column + 1);
    return buffer;
}

/* --- parsing ------------------------------------------------------------------------------------------ */

static roof_status fail_unit(uint32_t key, text_span value, const char *found, roof_error *err)
{
    char list[160] = ""; /* "s, ms, us" */
    size_t used = 0;
    const unit *units = keys[key].units;
    const char *shown = SHOWN(value);
    if (units == domains)
        return error_set(err, ROOF_E_USAGE,
                         "--map: cycles=%s names no clock domain and no clock, want for example "
                         "cycles=%s:dpu or cycles=%s:300MHz",
                         shown, shown, shown);
    for (size_t i = 0; units[i].word && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", units[i].word);
    return error_set(err, ROOF_E_USAGE, "--map: %s=%s has %s, want one of %s, as in %s=%s:%s", keys[key].word,
                     shown, found, list, keys[key].word, shown, units == times ? "ms" : units[0].word);
}

/* unit: what stands behind the last ':', or an empty span. */
static roof_status set_unit(uint32_t key, text_span value, text_span word, map_entry *e, roof_error *err)
{
    const unit *units = keys[key].units;
    e->scale = 1;
    if (units == domains) {
        bool is_domain =
            word.length > 0 && word.length < sizeof e->domain && !isdigit((unsigned char)word.text[0]);
        for (size_t i = 0; i < word.length && is_domain; i++)
            is_domain = isalnum((unsigned char)word.text[i]) || word.text[i] == '_' || word.text[i] == '-';
        if (!is_domain)
            return fail_unit(key, value, "no domain", err);
        memcpy(e->domain, word.text, word.length);
        return ROOF_OK;
    }
    for (size_t i = 0; units[i].word; i++)
        if (span_is(word, units[i].word)) {
            e->scale = units[i].scale;
            return ROOF_OK;
        }
    return fail_unit(key, value, word.length ? "another unit" : "no unit", err);
}

/* The heading without its quotes, or the number behind '#'. */
static roof_status set_column(uint32_t key, text_span value, bool quoted, map_entry *e, roof_error *err)
{
    uint64_t number;
    e->column = ROOF_NONE;
    text_span digits = value;
    if (!quoted && span_skip(&digits, "#") && span_id(digits, "", &number, NULL) == ROOF_OK && number >= 1 &&
        number <= TABLE_MAX_COLUMNS) {
        e->column = (uint32_t)number - 1;
        return ROOF_OK;
    }
    if (!value.length || value.length >= sizeof e->heading)
        return error_set(err, ROOF_E_USAGE, "--map: %s=%s, want the heading of a column, or its number as #3",
                         keys[key].word, SHOWN(value));
    memcpy(e->heading, value.text, value.length);
    return ROOF_OK;
}

/* Cuts off what stands behind the last ':' of an entry; a quoted heading ends at close. */
static text_span cut_word(text_span *value, const char *close)
{
    const char *from = close ? close : value->text;
    const char *colon =
        value->length ? memrchr(from, ':', value->length - (size_t)(from - value->text)) : NULL;
    text_span word = {"", 0};
    if (colon) {
        word = (text_span){colon + 1, value->length - (size_t)(colon + 1 - value->text)};
        value->length = (size_t)(colon - value->text);
    }
    return span_trim(word);
}

/* "300MHz": a domain begins with a letter. */
static bool set_clock(text_span word, map_entry *e)
{
    char text[40];
    if (word.length < 3 || word.length >= sizeof text || !isdigit((unsigned char)word.text[0]) ||
        memcmp(word.text + word.length - 2, "Hz", 2) != 0)
        return false;
    memcpy(text, word.text, word.length);
    text[word.length] = '\0';
    return quantity_parse(text, "Hz", &e->clock_hz, NULL) == ROOF_OK && e->clock_hz >= 1;
}

/* value: what stands behind '='. */
static roof_status set_entry(uint32_t key, text_span value, csvmap *out, roof_error *err)
{
    map_entry *e = &out->entries[key];
    text_span word = {"", 0};
    const char *close =
        value.length && *value.text == '"' ? memrchr(value.text + 1, '"', value.length - 1) : NULL;
    if (e->used)
        return error_set(err, ROOF_E_USAGE, "--map: %s is there twice", keys[key].word);
    if (keys[key].units)
        word = cut_word(&value, close);
    if (keys[key].units == domains && set_clock(word, e)) {
        word = cut_word(&value, close);
        word = word.length ? word : span_of("clock");
    }
    text_span heading = close ? (text_span){value.text + 1, (size_t)(close - value.text) - 1} : value;
    e->used = true;
    TRY(set_column(key, span_trim(heading), close != NULL, e, err));
    return keys[key].units ? set_unit(key, heading, word, e, err) : ROOF_OK;
}

roof_status csvmap_parse(const char *text, csvmap *out, roof_error *err)
{
    const map_entry *e = out->entries;
    *out = (csvmap){0};
    while (*text) {
        size_t length = 0; /* up to the next comma that is not in quotes */
        for (bool quoted = false; text[length] && (quoted || text[length] != ','); length++)
            quoted = quoted != (text[length] == '"');
        const text_span entry = span_trim((text_span){text, length});
        text_span value = entry, word;
        const bool has_value = span_cut(&value, "*=", NULL, &word);
        const uint32_t key = has_value ? NAMED_SPAN_AT(keys, MAP_KEYS, word, span_trim(word)) : MAP_KEYS;
        if (key == MAP_KEYS)
            return error_set(
                err, ROOF_E_USAGE,
                "--map: '%s', want KEY=COLUMN with one of name, time, std, min, max, median, p95, p99, "
                "count, type, index, bytes, read, write, cycles, share, ops, workload, calls, write_time, "
                "run_time, read_time, launches, boundaries, model, phase, device",
                SHOWN(entry));
        TRY(set_entry(key, span_trim(value), out, err));
        text += length + (text[length] == ',');
    }
    if (!e[ROW_NAME].used && !e[MAP_MODEL].used)
        return error_set(err, ROOF_E_USAGE, "--map: no name, want for example name=Layer");
    if (!e[ROW_TIME].used && !e[ROW_SHARE].used && !e[ROW_CYCLES].used)
        return error_set(err, ROOF_E_USAGE, "--map: no time, want for example time=Mean:ms");
    return ROOF_OK;
}

/* --- guessing ----------------------------------------------------------------------------------------- */

/* "time (us)", "avg_ms", and "AverageNs", in which a capital letter stands where others have a bracket. */
static const char *guess_unit(text_span heading)
{
    heading = span_strip(heading, ")] ");
    for (size_t i = 0; times[i].word; i++) {
        const char *word = times[i].word, *end = heading.text + heading.length;
        size_t length = strlen(word);
        if (length == 2 && heading.length > 2 && end[-1] == 's' &&
            end[-2] == toupper((unsigned char)word[0]) && islower((unsigned char)end[-3]))
            return word;
        if (heading.length > length && memcmp(end - length, word, length) == 0 &&
            strchr("([_ ", heading.text[heading.length - length - 1]))
            return word;
    }
    return NULL;
}

/* --- when there is no map, or it does not fit ---------------------------------------------------------- */

static bool looks_like(text_span heading, const char *const *words)
{
    while (*words && !span_mentions(heading, *words))
        words++;
    return *words;
}

/* The first heading like one of the words, the first word first, and like no other one; else ROOF_NONE. */
static uint32_t guess(const table_reader *t, const char *const *words, const char *const *others)
{
    for (; *words; words++)
        for (size_t c = 0; c < table_columns(t); c++)
            if (span_mentions(table_cell(t, c), *words) && !looks_like(table_cell(t, c), others))
                return (uint32_t)c;
    return ROOF_NONE;
}

/* Headings that a map would misread are named by their number. */
static void put_column(textbuf *out, const table_reader *t, uint32_t c)
{
    text_span h = table_cell(t, c);
    bool plain = h.length && h.length < 60 && !memchr(h.text, '"', h.length) && h.text[0] != '#';
    if (plain)
        text_printf(out, memchr(h.text, ',', h.length) ? "\"%.*s\"" : "%.*s", (int)h.length, h.text);
    else
        text_printf(out, "#%u", c + 1);
}

/* ",std=Std (ms):ms": what else a column with such a heading says. */
static void put_more(textbuf *out, const table_reader *t, uint32_t c, unsigned *used)
{
    static const struct {
        const char *heading, *key, *unit; /* unit NULL: of a time, as the heading has it; "": none */
    } known[] = {{"std", "std", NULL},      {"min", "min", NULL},           {"max", "max", NULL},
                 {"p95", "p95", NULL},      {"p99", "p99", NULL},           {"(%)", "share", "%"},
                 {"GOP/s", "ops", "GOP/s"}, {"subgraphs", "boundaries", ""}};
    const text_span heading = table_cell(t, c);
    for (size_t i = 0; i < N_OF(known); i++) {
        const char *said = known[i].unit ? known[i].unit : guess_unit(heading);
        const bool is_share = strcmp(known[i].key, "share") == 0;
        if (!said || *used & 1U << i || !span_mentions(heading, known[i].heading) ||
            (is_share && !looks_like(heading, (const char *const[]){"time", "share", NULL})))
            continue;
        text_printf(out, ",%s=", known[i].key);
        put_column(out, t, c);
        text_printf(out, *said ? ":%s" : "%s", said);
        *used |= 1U << i;
        return;
    }
}

static void put_example(textbuf *out, const table_reader *t)
{
    static const char *const names[] = {"layer", "name", "node", "kernel", "operator", "function", NULL};
    static const char *const durations[] = {"mean", "average", "avg", "duration", "latency",
                                            "time", "(ms)",    "_ms", "_us",      NULL};
    static const char *const no_times[] = {"stamp", "name", "start", "end", "total", "percent", NULL};
    static const char *const no_names[] = {"duration", "time", "latency", "cycle",
                                           "(ms)",     "_id",  " id",     NULL};
    uint32_t name = guess(t, names, no_names), time = guess(t, durations, no_times);
    const char *word = time == ROOF_NONE ? NULL : guess_unit(table_cell(t, time));
    text_puts(out, "--map 'name=");
    put_column(out, t, name == ROOF_NONE ? 0 : name);
    text_puts(out, ",time=");
    if (time == ROOF_NONE)
        text_puts(out, "COLUMN");
    else
        put_column(out, t, time);
    text_printf(out, ":%s", word ? word : "UNIT");
    unsigned used = 0; /* a key may be there once */
    for (uint32_t c = 0; word && c < table_columns(t); c++)
        if (c != time && c != name)
            put_more(out, t, c, &used);
    text_printf(out, "'%s", word ? "" : " with s, ms, us or ns as UNIT");
}

roof_status csvmap_refuse(const table_reader *widest, bool has_map, roof_error *err)
{
    enum { MOST_BYTES = 316 }; /* of headings */
    textbuf text;
    if (!widest)
        return error_data(err, "no table in it");
    text_init(&text, TEXT_MAX_BYTES);
    text_puts(&text, has_map ? "no line has all mapped columns; the widest has "
                             : "a table of another tool has to be mapped; it has the columns ");
    const size_t n = table_columns(widest), before = text.length;
    for (size_t c = 0; c < n; c++) {
        const char *shown = SHOWN(table_cell(widest, c));
        if (text.length - before + strlen(shown) > MOST_BYTES) {
            text_printf(&text, ", and %zu more", n - c);
            break;
        }
        text_printf(&text, "%s%s", c ? ", " : "", shown);
    }
    text_puts(&text, "; try ");
    put_example(&text, widest);
    roof_status status = text_status(&text, err);
    if (status == ROOF_OK)
        status = error_set(err, has_map ? ROOF_E_DATA : ROOF_E_USAGE, "%s", text.bytes);
    text_free(&text);
    return status;
}

/* --- units alone ---------------------------------------------------------------------------------------- */

bool csvmap_unit_of(text_span word, csvmap_units *out)
{
    double scale;
    const unit_kind of = span_unit(word, false, &scale);
    if (of == UNIT_TIME)
        out->per_second = round(1 / scale);
    else if (of == UNIT_SIZE)
        out->bytes = scale;
    return of == UNIT_TIME || of == UNIT_SIZE;
}

bool csvmap_is_units(const char *map, csvmap_units *out)
{
    text_span rest = span_of(map ? map : "");
    csvmap_units found = {0, 0};
    do {
        text_span entry = span_trim(span_take_until(&rest, ","));
        csvmap_units means = {0, 0};
        bool is_time = span_skip(&entry, "time="), is_size = !is_time && span_skip(&entry, "bytes=");
        if ((!is_time && !is_size) || !csvmap_unit_of(entry, &means))
            return false;
        if (is_time ? !(means.per_second > 0) || found.per_second > 0 : !(means.bytes > 0) || found.bytes > 0)
            return false;
        found.per_second += means.per_second;
        found.bytes += means.bytes;
    } while (rest.length);
    if (out)
        *out = found;
    return true;
}
