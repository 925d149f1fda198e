/* roof_embed FILE.json... -o OUT.c
 *
 * A program of the build: checks the descriptions of the hardware database and writes them as sorted C tables
 * (see hwdb/builtin.h). What is wrong is printed as "FILE: POINTER: what", and nothing is written.
 *
 * Compiled alone, beside the files of core/ that it needs; that is why entry.c is taken in as text.
 */
#include "hwdb/builtin.h"
#include "hwdb/entry.c" /* NOLINT(bugprone-suspicious-include) */
#include "core/text.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct item {
    const char *path;
    hwdb_entry entry;
    char *json;
    size_t json_bytes;
    uint32_t index; /* in the table that is written */
} item;

typedef struct database {
    roof_arena *arena;
    item *items;
    size_t n;
    unsigned n_wrong;
} database;

typedef struct named {
    const char *name;
    const item *owner;
} named;

static void complain(database *db, const char *path, const char *pointer, const char *text)
{
    fprintf(stderr, "%s: %s%s%s\n", path, pointer, *pointer ? ": " : "", text);
    db->n_wrong++;
}

/* --- reading --------------------------------------------------------------------------------------------- */

static bool read_bytes(const char *path, textbuf *text)
{
    char block[4096];
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;)
        text_add(text, block, n);
    const bool good = !ferror(file) && !text->failed && text->bytes;
    fclose(file);
    return good;
}

static void read_entry(database *db, item *it, const json_node *json)
{
    hwdb_problems *problems = NEW(db->arena, hwdb_problems);
    if (!problems) {
        complain(db, it->path, "", "out of memory");
        return;
    }
    problems->arena = db->arena;
    hwdb_entry_read(json, db->arena, problems, &it->entry);
    for (size_t i = 0; i < problems->n; i++) { /* our own data has to be without a mere doubt, too */
        char text[600];
        snprintf(text, sizeof text, "%s: %s", problems->items[i].text, problems->items[i].advice);
        complain(db, it->path, problems->items[i].pointer, text);
    }
}

static void load_item(database *db, item *it)
{
    textbuf text;
    roof_error err = {0};
    json_node *json = NULL;
    text_init(&text, TEXT_MAX_BYTES);
    if (!read_bytes(it->path, &text)) {
        complain(db, it->path, "", "cannot be read");
    } else if (json_parse(text.bytes, text.length, &json, &err) != ROOF_OK) {
        char message[1400];
        roof_error_format(&err, message, sizeof message);
        complain(db, it->path, "", message);
    } else {
        read_entry(db, it, json);
        it->json = arena_strndup(db->arena, text.bytes, text.length);
        it->json_bytes = text.length;
    }
    json_free(json);
    text_free(&text);
}

/* --- relations between entries --------------------------------------------------------------------------- */

static const item *find_item(const database *db, const char *name)
{
    for (size_t i = 0; i < db->n; i++)
        if (db->items[i].entry.id && hwdb_entry_is_called(&db->items[i].entry, name))
            return &db->items[i];
    return NULL;
}

static void check_parents(database *db, const item *it, const item *first, unsigned depth)
{
    for (size_t i = 0; i < it->entry.n_parents; i++) {
        const item *parent = find_item(db, it->entry.parents[i]);
        if (!parent)
            complain(db, it->path, "/extends", "names an entry that is not there");
        else if (depth == HWDB_MAX_DEPTH)
            complain(db, first->path, "/extends", "goes round in a circle, or too deep");
        else
            check_parents(db, parent, first, depth + 1);
    }
}

/* The nearest name, or family, of the entry or what it extends. */
static const char *inherited(const database *db, const item *it, bool want_family, unsigned depth)
{
    const char *own = want_family ? it->entry.family : it->entry.name;
    for (size_t i = 0; !own && i < it->entry.n_parents && depth < HWDB_MAX_DEPTH; i++) {
        const item *parent = find_item(db, it->entry.parents[i]);
        own = parent ? inherited(db, parent, want_family, depth + 1) : NULL;
    }
    return own;
}

static int compare_items(const void *a, const void *b)
{
    const item *x = a, *y = b;
    if (x->entry.is_abstract != y->entry.is_abstract)
        return x->entry.is_abstract ? 1 : -1;
    return strcmp(x->entry.id, y->entry.id);
}

static int compare_named(const void *a, const void *b)
{
    return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

static named *collect_names(database *db, size_t *n)
{
    size_t room = 0;
    for (size_t i = 0; i < db->n; i++)
        room += 1 + db->items[i].entry.n_aliases;
    named *names = NEW_ARRAY(db->arena, named, room);
    *n = 0;
    for (size_t i = 0; names && i < db->n; i++) {
        const hwdb_entry *entry = &db->items[i].entry;
        names[(*n)++] = (named){entry->id, &db->items[i]};
        for (size_t j = 0; j < entry->n_aliases; j++)
            names[(*n)++] = (named){entry->aliases[j], &db->items[i]};
    }
    if (names)
        qsort(names, *n, sizeof *names, compare_named);
    for (size_t i = 1; names && i < *n; i++)
        if (strcmp(names[i - 1].name, names[i].name) == 0)
            complain(db, names[i].owner->path, "/aliases", "an id or alias is there twice");
    return names;
}

/* --- writing --------------------------------------------------------------------------------------------- */

static void write_string(textbuf *out, const char *text, size_t length)
{
    text_puts(out, "\"");
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c == '\n')
            text_puts(out, i + 1 < length ? "\\n\"\n     \"" : "\\n");
        else if (c < 0x20 || c >= 0x7f || c == '"' || c == '\\' || c == '?')
            text_printf(out, "\\%03o", c);
        else
            text_add(out, &text[i], 1);
    }
    text_puts(out, "\"");
}

static void write_text(textbuf *out, const char *text)
{
    write_string(out, text ? text : "", text ? strlen(text) : 0);
    text_puts(out, ", ");
}

static void write_entry(textbuf *out, const database *db, const item *it)
{
    text_puts(out, "    {{");
    write_text(out, it->entry.id);
    const char *name = inherited(db, it, false, 0);
    write_text(out, name ? name : it->entry.id);
    write_text(out, inherited(db, it, true, 0));
    char aliases[1024] = "";
    for (size_t i = 0, used = 0; i < it->entry.n_aliases && used < sizeof aliases; i++)
        used += (size_t)snprintf(aliases + used, sizeof aliases - used, "%s%s", i ? ", " : "",
                                 it->entry.aliases[i]);
    write_text(out, aliases);
    write_text(out, it->entry.summary);
    text_printf(out, "},\n     %s,\n     ", it->entry.is_abstract ? "true" : "false");
    write_string(out, it->json, it->json_bytes);
    text_printf(out, ",\n     %zu},\n", it->json_bytes);
}

static void write_entries(textbuf *out, const database *db)
{
    size_t n_listed = 0;
    text_puts(out,
              "/* Written by hwdb/embed.c out of hwdb/data; do not edit. */\n#include \"hwdb/builtin.h\"\n\n"
              "const hwdb_builtin hwdb_builtins[] = {\n");
    for (size_t i = 0; i < db->n; i++) {
        write_entry(out, db, &db->items[i]);
        n_listed += !db->items[i].entry.is_abstract;
    }
    text_printf(out, "};\nconst size_t hwdb_n_builtins = %zu, hwdb_n_listed = %zu;\n\n", db->n, n_listed);
}

static void write_names(textbuf *out, const named *names, size_t n)
{
    text_puts(out, "const hwdb_builtin_name hwdb_builtin_names[] = {\n");
    for (size_t i = 0; i < n; i++)
        text_printf(out, "    {\"%s\", %" PRIu32 "},\n", names[i].name, names[i].owner->index);
    text_printf(out, "};\nconst size_t hwdb_n_builtin_names = %zu;\n\n", n);
}

static int compare_fingerprints(const void *a, const void *b)
{
    const hwdb_builtin_fingerprint *x = a, *y = b;
    return x->fingerprint < y->fingerprint ? -1 : x->fingerprint > y->fingerprint;
}

/* An array in C has at least one element, hence the last row, which is not counted. */
static void write_fingerprints(textbuf *out, database *db)
{
    size_t n = 0, room = 0;
    for (size_t i = 0; i < db->n; i++)
        room += db->items[i].entry.n_fingerprints;
    hwdb_builtin_fingerprint *rows = NEW_ARRAY(db->arena, hwdb_builtin_fingerprint, room);
    for (size_t i = 0; rows && i < db->n; i++)
        for (size_t j = 0; j < db->items[i].entry.n_fingerprints; j++)
            rows[n++] = (hwdb_builtin_fingerprint){db->items[i].entry.fingerprints[j], db->items[i].index};
    if (rows)
        qsort(rows, n, sizeof *rows, compare_fingerprints);
    text_puts(out, "const hwdb_builtin_fingerprint hwdb_builtin_fingerprints[] = {\n");
    for (size_t i = 0; i < n; i++) {
        text_printf(out, "    {UINT64_C(0x%016" PRIx64 "), %" PRIu32 "},\n", rows[i].fingerprint,
                    rows[i].index);
        if (i && rows[i].fingerprint == rows[i - 1].fingerprint)
            complain(db, db->items[rows[i].index].path, "/fingerprints", "another entry has the same one");
    }
    text_printf(out, "    {0, 0},\n};\nconst size_t hwdb_n_builtin_fingerprints = %zu;\n", n);
}

static bool save(const char *path, const textbuf *out)
{
    FILE *file = out->failed || !out->bytes ? NULL : fopen(path, "wb");
    if (!file)
        return false;
    const bool written = fwrite(out->bytes, 1, out->length, file) == out->length;
    return fclose(file) == 0 && written;
}

/* --- in order -------------------------------------------------------------------------------------------- */

static void build(database *db, textbuf *out)
{
    size_t n_names = 0;
    for (size_t i = 0; i < db->n; i++)
        load_item(db, &db->items[i]);
    if (db->n_wrong)
        return; /* without ids there are no relations to check */
    qsort(db->items, db->n, sizeof *db->items, compare_items);
    for (size_t i = 0; i < db->n; i++) {
        db->items[i].index = (uint32_t)i;
        check_parents(db, &db->items[i], &db->items[i], 0);
    }
    named *names = collect_names(db, &n_names);
    write_entries(out, db);
    write_names(out, names, n_names);
    write_fingerprints(out, db);
}

/* Files and -o OUT in any order. */
static const char *parse_arguments(database *db, int argc, char **argv)
{
    const char *path = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-o") == 0 && i + 1 < argc)
            path = argv[++i];
        else
            db->items[db->n++].path = argv[i];
    }
    return path;
}

int main(int argc, char **argv)
{
    database db = {.arena = arena_new(0)};
    textbuf out;
    text_init(&out, TEXT_MAX_BYTES);
    db.items = db.arena ? NEW_ARRAY(db.arena, item, (size_t)argc) : NULL;
    const char *path = db.items ? parse_arguments(&db, argc, argv) : NULL;
    if (!path || db.n == 0) {
        fprintf(stderr, "usage: roof_embed FILE.json... -o OUT.c\n");
        db.n_wrong++;
    } else {
        build(&db, &out);
        if (db.n_wrong == 0 && !save(path, &out))
            complain(&db, path, "", "cannot be written");
    }
    text_free(&out);
    arena_free(db.arena);
    return db.n_wrong ? 1 : 0;
}
