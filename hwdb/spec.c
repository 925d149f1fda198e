/* The argument of --hw: a file, the name of an entry, or hardware in one line,
 * "mac=2048/cycle,clock=300MHz,ddr=19.2GB/s", or changes to an entry, "base=b4096,clock=200MHz". */
#include "core/platform/platform.h"
#include "hwdb/hwdb.h"

enum { MAX_ITEMS = 64 };

static const char *const inline_source = "inline description";

/* Short words for what people want to say most. */
static const struct {
    const char *word, *unit_in_text, *key;
    double factor;
} short_words[] = {
    {"mac", "/cycle", "peak", 2}, /* 1 MAC = 2 ops */
    {"macs", "/cycle", "peak", 2},      {"ops", "/cycle", "peak", 1},
    {"ddr", "B/s", "ddr.bandwidth", 1}, {"bandwidth", "B/s", "ddr.bandwidth", 1},
};

bool roof_hw_is_inline(const roof_quantity *quantity)
{
    return strcmp(quantity->source, inline_source) == 0;
}

typedef struct item {
    char *key, *value;
} item;

typedef struct line {
    char *text; /* owns what the items point to */
    item items[MAX_ITEMS];
    size_t n;
} line;

static char *trim(char *text)
{
    text += strspn(text, " ");
    size_t length = strlen(text);
    while (length && text[length - 1] == ' ')
        text[--length] = '\0';
    return text;
}

static roof_status split(const char *spec, line *out, roof_error *err)
{
    out->n = 0;
    out->text = strdup(spec);
    TRY(ALLOCATED(out->text, err));
    for (char *rest = out->text, *piece; (piece = strsep(&rest, ","));) {
        char *equals = strchr(piece, '=');
        if (!equals || out->n == MAX_ITEMS)
            return error_set(err, ROOF_E_USAGE,
                             equals ? "has too many items" : "wants KEY=VALUE between the commas");
        *equals = '\0';
        out->items[out->n++] = (item){.key = trim(piece), .value = trim(equals + 1)};
    }
    return ROOF_OK;
}

static const char *value_of(const line *l, const char *key)
{
    const uint32_t i = NAMED_AT(l->items, l->n, key, key);
    return i < l->n ? l->items[i].value : NULL;
}

/* --- items ---------------------------------------------------------------------------------------------- */

static bool is_text(const char *key)
{
    return strcmp(key, "base") == 0 || strcmp(key, "name") == 0 || strcmp(key, "board") == 0;
}

/* A number under a key of the database. */
typedef struct setting {
    const char *key, *unit;
    double value;
} setting;

static roof_status read_number(const char *key, const char *text, setting *out, roof_error *err)
{
    const hwdb_key *known = hwdb_key_find(key);
    const char *nearest = hwdb_key_nearest(key);
    const uint32_t i = NAMED_AT(short_words, N_OF(short_words), word, key);
    if (i < N_OF(short_words)) {
        *out = (setting){short_words[i].key, hwdb_key_find(short_words[i].key)->unit, 0};
        TRY(quantity_parse(text, short_words[i].unit_in_text, &out->value, err));
        out->value *= short_words[i].factor;
        return ROOF_OK;
    }
    if (!known && nearest)
        return error_set(err, ROOF_E_USAGE, "is no key; did you mean %s%s?", nearest, hwdb_key_hint(nearest));
    if (!known)
        return error_set(
            err, ROOF_E_USAGE,
            "is no key; known are mac, ops, ddr, name, base and those of `roofline hw show b4096`");
    const bool is_bare = strcmp(known->unit, "count") == 0 || strcmp(known->unit, "lanes") == 0;
    *out = (setting){key, known->unit, 0};
    TRY(quantity_parse(text, is_bare ? "" : known->unit, &out->value, err));
    if ((is_bare || strcmp(known->unit, "B") == 0) && out->value > floor(out->value))
        return error_set(err, ROOF_E_USAGE, "wants a whole number of %s", known->unit);
    return ROOF_OK;
}

static roof_status check_text(const char *text, roof_error *err)
{
    return *text && utf8_first_bad(text, strlen(text)) == strlen(text)
               ? ROOF_OK
               : error_set(err, ROOF_E_USAGE, "wants a text of one line");
}

bool hwdb_item_is_known(const char *key)
{
    return NAMED(short_words, N_OF(short_words), word, key) || is_text(key) || hwdb_key_find(key);
}

roof_status hwdb_item_check(const char *key, const char *text, roof_error *err)
{
    setting number;
    if (strchr(text, ','))
        return error_set(err, ROOF_E_USAGE, "holds a comma, which stands between items of --hw");
    return is_text(key) ? check_text(text, err) : read_number(key, text, &number, err);
}

/* Nothing is clocked like this: a slip of a prefix. */
#define ABSURD_HZ 20e9

static double own(const roof_hw *hw, const char *key, double base)
{
    const roof_quantity *now = roof_hw_get(hw, key);
    return base > 0 ? base : now ? now->value : 0;
}

double roof_hw_own_clock_hz(const roof_hw *hw)
{
    return own(hw, "clock", hw->base_clock_hz);
}

double roof_hw_own_bandwidth(const roof_hw *hw)
{
    return own(hw, "ddr.bandwidth", hw->base_memory_bytes_per_s);
}

static roof_status put(roof_hw *hw, const setting *s, roof_error *err)
{
    if (strcmp(s->key, "clock") == 0 && s->value > ABSURD_HZ)
        return error_set(err, ROOF_E_USAGE, "is %g Hz, which nothing runs at; check the prefix of the unit",
                         s->value);
    if (strcmp(s->key, "clock") == 0)
        hw->base_clock_hz = roof_hw_own_clock_hz(hw);
    if (strcmp(s->key, "ddr.bandwidth") == 0)
        hw->base_memory_bytes_per_s = roof_hw_own_bandwidth(hw);
    return roof_hw_set(hw, s->key, s->value, s->unit, inline_source, err);
}

/* "mac" makes only sense where one number is all there is to the array. */
static roof_status apply_item(roof_hw *hw, const item *it, roof_error *err)
{
    setting number;
    if (is_text(it->key)) {
        const bool is_name = strcmp(it->key, "name") == 0;
        if (strcmp(it->key, "base") == 0)
            return ROOF_OK; /* done before all others */
        TRY(check_text(it->value, err));
        const char *kept = arena_strdup(hw->arena, it->value);
        *(is_name ? &hw->name : &hw->board) = kept;
        hw->board_is_assumed = is_name && hw->board_is_assumed;
        return ALLOCATED(kept, err);
    }
    TRY(read_number(it->key, it->value, &number, err));
    if (strcmp(number.key, "peak") == 0 && strcmp(it->key, "peak") != 0 &&
        strcmp(roof_hw_family(hw), "peak") != 0)
        return error_set(err, ROOF_E_USAGE,
                         "does not change the array of '%s'; set conv.pixel_parallel and its like",
                         roof_hw_id(hw));
    return put(hw, &number, err);
}

static roof_status begin(const line *l, roof_hw **out, roof_error *err)
{
    const char *base = value_of(l, "base");
    if (base) {
        TRY(hwdb_load((hwdb_document){.name = base}, out, err));
        (*out)->is_abstract = false; /* what it lacks may follow */
        return ROOF_OK;
    }
    if (!value_of(l, "mac") && !value_of(l, "macs") && !value_of(l, "ops") && !value_of(l, "peak"))
        return error_set(err, ROOF_E_USAGE, "wants mac=NUMBER/cycle, or base=ENTRY to change one");
    roof_hw *hw = hwdb_hw_new();
    TRY(ALLOCATED(hw, err));
    hw->id = "custom";
    hw->family = "peak";
    hw->name = "custom hardware";
    *out = hw;
    return put(hw, &(setting){"cores", "count", 1}, err);
}

roof_status hwdb_load_inline(const char *spec, roof_hw **out, roof_error *err)
{
    line l;
    char shown[100];
    roof_hw *hw = NULL;
    *out = NULL;
    roof_status status = split(spec, &l, err);
    THEN(status, begin(&l, &hw, err));
    for (size_t i = 0; status == ROOF_OK && i < l.n; i++)
        status = error_placed(apply_item(hw, &l.items[i], err), err, "'%s'", SHOWN_TEXT(l.items[i].key));
    if (status != ROOF_E_IO) /* of a folder, for which the line is not to blame */
        error_placed(status, err, "hardware '%s'", quote_text(shown, sizeof shown, spec, strlen(spec)));
    free(l.text);
    return GIVE(status, out, hw, roof_hw_free);
}

bool hwdb_is_file_name(text_span name)
{
    static const char *const endings[] = {".json", ".csv"};
    bool is = false;
    for (size_t i = 0; i < N_OF(endings); i++) {
        const size_t length = strlen(endings[i]);
        is |= name.length > length && strncmp(name.text + name.length - length, endings[i], length) == 0;
    }
    return is;
}

roof_status roof_hw_load(const char *spec, roof_hw **out, roof_error *err)
{
    *out = NULL;
    roof_hw *hw = NULL;
    const bool is_file =
        hwdb_is_file_name((text_span){spec, strlen(spec)}) || (strchr(spec, '/') && !strchr(spec, '='));
    if (!is_file && strchr(spec, '='))
        return hwdb_load_inline(spec, out, err);
    roof_status status = hwdb_load(
        is_file ? (hwdb_document){.path = spec, .place = spec} : (hwdb_document){.name = spec}, &hw, err);
    if (status == ROOF_OK && hw->is_abstract)
        status = error_set(err, ROOF_E_USAGE,
                           "'%s' only serves entries that extend it; `roofline hw list` names them", hw->id);
    return GIVE(status, out, hw, roof_hw_free);
}

/* --- several in one line, "kv260,mac=2048/cycle,clock=300MHz": where one ends and the next one begins -- */

static text_span item_at(const char *text)
{
    return (text_span){text, strcspn(text, ",")};
}

/* KEY of KEY=VALUE without blanks around it; no text: it is no item of a description. */
static text_span key_of(text_span piece)
{
    const bool is_item = span_has(piece, "=") && !hwdb_is_file_name(piece);
    return is_item ? span_trim(span_take_until(&piece, "=")) : (text_span){NULL, 0};
}

size_t roof_hw_first_of(const char *list)
{
    const text_span whole = span_of(list), first = item_at(list);
    if (first.length == whole.length || (hwdb_is_file_name(whole) && os_may(OS_HERE, list, OS_MAY_BE)))
        return whole.length;
    size_t length = first.length;
    bool goes_on = key_of(first).text;
    while (goes_on && list[length]) {
        const text_span next = item_at(list + length + 1), key = key_of(next);
        goes_on = key.text;
        for (size_t at = 0; goes_on && at < length; at += item_at(list + at).length + 1) {
            const text_span before = key_of(item_at(list + at));
            goes_on = !before.text || key.length != before.length ||
                      strncmp(key.text, before.text, key.length) != 0;
        }
        if (goes_on)
            length += 1 + next.length;
    }
    return length;
}
