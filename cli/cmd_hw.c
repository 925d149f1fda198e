/* roofline hw list | show HW | check FILE... */
#include "cli/cli.h"
#include "core/json/jsonout.h"

static const char *or_dash(const char *text)
{
    return text && *text ? text : "-";
}

/* --- hw list ------------------------------------------------------------------------------------------ */

/* The names are long and say what the summaries say, so on a terminal they are left to the other formats. */
static grid_cell describe(const grid_row *row)
{
    const roof_hw_listing *entry = row->is;
    const char *text = *entry->summary ? entry->summary : entry->name;
    return cell_text(*entry->aliases ? arena_printf(row->arena, "%s (also called %s)", text, entry->aliases)
                                     : text);
}

#define ENTRY(member, ...) GRID_OF(roof_hw_listing, member, TEXT, __VA_ARGS__)
static const grid_column list_columns[] = {
    ENTRY(id, .title = "id"),
    ENTRY(name, .kind = COLUMN_NAME),
    ENTRY(family, .title = "family"),
    ENTRY(aliases, .kind = COLUMN_NAME),
    ENTRY(summary, .kind = COLUMN_NAME),
    GRID_SAID("what it is", describe, .kind = COLUMN_WRAPPED),
};

typedef struct entries {
    roof_hw_listing *items;
    uint32_t n;
} entries;
static const grid_column list_members[] = {GRID_ITEMS("entries", entries, items, n, list_columns, true)};

static const char list_doc[] =
    "Lists the built-in hardware: ids and aliases for --hw, and what they are. WORD: those alone that have "
    "it in a name or a summary.\vFormats: text, json and csv.\n"
    "\n"
    "Examples:\n"
    "  roofline hw list\n"
    "  roofline hw list orin\n"
    "  roofline hw list --format csv -o hardware.csv";

static roof_status make_list(cli_writing *w, roof_error *err)
{
    const char *word = w->of;
    const roof_hw_listing *entry;
    entries all = {NULL, 0};
    TRY(cli_note_broken_hardware(err));
    for (size_t i = 0; (entry = roof_hw_builtin(i)); i++) {
        if (word && !roof_hw_listing_has(entry, word))
            continue;
        TRY(ARENA_ADD(w->arena, all.items, all.n, err, *entry));
    }
    if (!all.n)
        return error_set(err, ROOF_E_USAGE, "no hardware with '%.80s'; `roofline hw list` names all", word);
    if (strcmp(w->render.format, "json") == 0)
        cli_put_members(w, "roofline.hardware_list/1", list_members, N_OF(list_members), &all);
    else
        CLI_PUT_TABLE(w, list_columns, all.items, all.n, true);
    return ROOF_OK;
}

/* --format accepts every format that there is. */
static int hw_list(int argc, char **argv)
{
    cli_arguments a = {.what = "word", .output.formats = "text, json or csv"};
    CLI_PARSE(&a, NULL, cli_parse_key, "[WORD]", list_doc, cli_output_child);
    return cli_write_made(&a.output, "is for models", a.n_files ? *a.files : NULL, make_list);
}

/* --- hw show ------------------------------------------------------------------------------------------ */

/* On-chip memories are known to the byte; counts need no unit. */
static const char *value_text(roof_arena *arena, const roof_quantity *q)
{
    char text[64];
    if (strcmp(q->unit, "count") == 0 || (strcmp(q->unit, "B") == 0 && q->value <= 9007199254740992.0)) {
        count_format(text, sizeof text, (uint64_t)q->value);
        return arena_printf(arena, "%s%s", text, q->unit[0] == 'B' ? " B" : "");
    }
    quantity_format(text, sizeof text, q->value, strcmp(q->unit, "ratio") == 0 ? "" : q->unit);
    return arena_strdup(arena, text);
}

/* One row per quantity: the number, its kind, the entry it comes from, its source and its meaning. Many
 * values share a source: the table has its number, the list below its text. */
static void show_values(const roof_hw *hw, cli_writing *w)
{
    GRID_COLUMNS(columns, GRID_TEXT("quantity", 0), GRID_TEXT("value", 0), GRID_TEXT("kind", 0),
                 GRID_TEXT("from", 3), GRID_TEXT("source", 1),
                 {"meaning", .kind = COLUMN_WRAPPED, .rank = 2});
    const text_writer paper = {.out = &w->out, .width = w->render.width};
    size_t n = 0, n_sources = 0;
    while (roof_hw_at(hw, n))
        n++;
    const char **sources = NEW_ARRAY(w->arena, const char *, n);
    cell_grid grid;
    grid_begin(&grid, w->arena, columns, N_OF(columns));
    grid.is_sparse = true;
    for (size_t i = 0; sources && i < n; i++) {
        const roof_quantity *q = roof_hw_at(hw, i);
        size_t source = n_sources > 64 ? n_sources - 64 : 0; /* a file may bring as many as it likes */
        while (source < n_sources && strcmp(sources[source], q->source) != 0)
            source++;
        if (source == n_sources)
            sources[n_sources++] = q->source;
        GRID_ADD(&grid, cell_text(q->key), cell_text(value_text(w->arena, q)),
                 cell_text(roof_value_kind_words(q->kind)), cell_text(or_dash(roof_hw_origin(hw, q->key))),
                 cell_text(arena_printf(w->arena, "[%zu]", source + 1)),
                 cell_text(or_dash(roof_hw_key_meaning(q->key))));
    }
    grid_put(&grid, &paper);
    size_t width = w->render.width;
    text_puts(&w->out, n_sources ? "\nSources\n" : "");
    for (size_t i = 0; i < n_sources; i++) {
        text_printf(&w->out, "[%zu] ", i + 1);
        writer_put_wrapped(&w->out, sources[i], width > 6 ? width - 6 : 1, 4);
    }
}

static void show_text(const roof_hw *hw, cli_writing *w)
{
    const size_t width = w->render.width;
    const char *board = roof_hw_board(hw), *summary = roof_hw_summary(hw);
    const char *const head[] = {roof_hw_id(hw), ": ", roof_hw_name(hw), *board ? " on " : "", board};
    for (size_t i = 0; i < N_OF(head); i++)
        text_shown(&w->out, head[i]);
    text_puts(&w->out, *summary ? "\n" : "");
    text_shown(&w->out, summary);
    text_printf(&w->out, "\ncycle law of the family %s\n\n", roof_hw_family(hw));
    show_values(hw, w);
    /* where sources disagree: which value was taken, and what the others say */
    bool is_first = true;
    for (size_t i = 0; roof_hw_at(hw, i); i++) {
        const roof_quantity *q = roof_hw_at(hw, i);
        const char *line = q->caveat ? arena_printf(w->arena, "%s: %s", q->key, q->caveat) : NULL;
        if (!line)
            continue;
        text_puts(&w->out, is_first ? "\nCaveats\n" : "");
        writer_put_wrapped(&w->out, line, width > 2 ? width - 2 : 1, 2);
        is_first = false;
    }
    for (size_t i = 0; roof_hw_note(hw, i); i++) {
        text_puts(&w->out, i ? "" : "\nNotes\n");
        writer_put_wrapped(&w->out, roof_hw_note(hw, i), width > 2 ? width - 2 : 1, 2);
    }
}

static void put_quantity(jsonout *json, const roof_hw *hw, const roof_quantity *q)
{
    const char *origin = roof_hw_origin(hw, q->key);
    char note[200];
    jsonout_object(json, q->key, true);
    jsonout_number(json, "value", q->value);
    jsonout_string(json, "unit", q->unit);
    jsonout_string(json, "kind", roof_value_kind_text(q->kind));
    jsonout_string(json, "source", q->source);
    if (q->caveat)
        jsonout_string(json, "caveat", q->caveat);
    if (origin && strcmp(origin, roof_hw_id(hw)) != 0) {
        snprintf(note, sizeof note, "from %s", origin);
        jsonout_string(json, "note", note);
    }
    jsonout_end(json);
}

/* A whole description, nothing inherited: the input of --hw FILE, and a start for one's own. */
static void show_json(const roof_hw *hw, textbuf *out)
{
    const struct {
        const char *key, *value;
    } texts[] = {{"name", roof_hw_name(hw)},
                 {"board", roof_hw_board(hw)},
                 {"family", roof_hw_family(hw)},
                 {"summary", roof_hw_summary(hw)}};
    jsonout json;
    jsonout_document(&json, out, "roofline.hardware/1");
    jsonout_string(&json, "id", roof_hw_id(hw));
    for (size_t i = 0; i < N_OF(texts); i++)
        if (*texts[i].value)
            jsonout_string(&json, texts[i].key, texts[i].value);
    jsonout_object(&json, "values", false);
    for (size_t i = 0; roof_hw_at(hw, i); i++)
        put_quantity(&json, hw, roof_hw_at(hw, i));
    jsonout_end(&json);
    jsonout_array(&json, "notes", false);
    for (size_t i = 0; roof_hw_note(hw, i); i++)
        jsonout_string(&json, NULL, roof_hw_note(hw, i));
    jsonout_end(&json);
    jsonout_end(&json);
}

static const char show_doc[] =
    "Shows a piece of hardware with all values that it inherits: unit, kind of source (datasheet, vendor's "
    "file, measured, derived, assumed) and source. HW is an id or alias, a JSON file, or a description such "
    "as mac=2048/cycle,clock=300MHz,ddr=19.2GB/s. The output of --format json is a file for --hw.\vFormats: "
    "text and json.\n"
    "\n"
    "Examples:\n"
    "  roofline hw show b4096\n"
    "  roofline hw show kv260 -o my-board.json\n"
    "  roofline hw show base=b4096,clock=200MHz";

static roof_status make_show(cli_writing *w, roof_error *err)
{
    roof_hw *hw = NULL;
    TRY(roof_hw_load(w->of, &hw, err));
    roof_status status = cli_note_broken_hardware(err);
    if (status == ROOF_OK && strcmp(w->render.format, "json") == 0)
        show_json(hw, &w->out);
    else if (status == ROOF_OK)
        show_text(hw, w);
    roof_hw_free(hw);
    return status;
}

static int hw_show(int argc, char **argv)
{
    cli_arguments a = {.what = "HW",
                       .missing = "which hardware? `roofline hw list` names all",
                       .output.formats = "text or json"};
    CLI_PARSE(&a, NULL, cli_parse_key, "HW", show_doc, cli_output_child);
    return cli_write_made(&a.output, "is for models", *a.files, make_show);
}

/* --- hw check ----------------------------------------------------------------------------------------- */

/* The exit code of one file: problems are the result, and go where results go. */
static int check_file(const char *file, textbuf *out)
{
    roof_hw_report *report = NULL;
    roof_error err;
    if (roof_hw_check(file, &report, &err) != ROOF_OK)
        return cli_fail(&err);
    const roof_hw_problem *problem;
    for (size_t i = 0; (problem = roof_hw_report_problem(report, i)); i++) {
        const char *const line[] = {file,
                                    problem->is_error ? ": error: " : ": warning: ",
                                    problem->pointer,
                                    *problem->pointer ? ": " : "",
                                    problem->text,
                                    *problem->advice ? "; " : "",
                                    problem->advice};
        for (size_t k = 0; k < N_OF(line); k++)
            text_shown(out, line[k]);
        text_puts(out, "\n");
    }
    const roof_hw *hw = roof_hw_report_hw(report);
    if (hw) {
        text_shown(out, file);
        text_printf(out, ": good: %s, ", roof_hw_id(hw));
        text_shown(out, or_dash(roof_hw_name(hw)));
        text_printf(out, ", family %s\n", or_dash(roof_hw_family(hw)));
    }
    roof_hw_report_free(report);
    return hw ? CLI_DONE : CLI_BAD_DATA;
}

static const char check_doc[] = "Checks descriptions of hardware: schema, units, kinds, sources, what they "
                                "extend, and whether all values are there that the cost model of the family "
                                "needs. Each problem comes with its place (a JSON pointer) and advice. Exits "
                                "with 65 when a description cannot be used.\vExamples:\n"
                                "  roofline hw show b4096 -o my-board.json\n"
                                "  roofline hw check my-board.json";

static int hw_check(int argc, char **argv)
{
    cli_arguments a = {.missing = "which file? Give one or more descriptions in JSON"};
    textbuf out;
    int worst = CLI_DONE;
    CLI_PARSE(&a, NULL, cli_parse_key, "FILE...", check_doc, NULL);
    text_init(&out, TEXT_MAX_BYTES);
    for (size_t i = 0; i < a.n_files; i++) {
        int exit_code = check_file(a.files[i], &out);
        if (exit_code ==
            roof_status_exit_code(ROOF_E_NO_MEMORY)) { /* a part of the result would look whole */
            text_free(&out);
            return exit_code;
        }
        worst = exit_code > worst ? exit_code : worst;
    }
    int written = cli_write_text(&out, NULL);
    return written ? written : worst;
}

/* --- the group ---------------------------------------------------------------------------------------- */

int cmd_hw(int argc, char **argv)
{
    static const cli_command commands[] = {
        {"list", "ids and aliases of all built-in hardware", "hw list", hw_list},
        {"show", "all values of one piece of hardware, with their sources", "hw show kv260", hw_show},
        {"check", "whether your own description is right", "hw check my-board.json", hw_check},
        {"probe", "measures the peak rates of this machine", "hw probe -o this-machine.json", cli_hw_probe},
    };
    static const cli_group group = {
        .name = "roofline hw",
        .usage = "roofline hw COMMAND [ARGUMENT...]",
        .intro = "The hardware database: what accelerators can do, every value with unit, kind and source.",
        .outro = {"Your own entries come before built-in ones: JSON files in ~/.config/roofline/hw and in "
                  "the folders of ROOFLINE_HW_PATH (separated by ':'). `roofline hw show b4096 -o FILE` "
                  "writes one to start from."},
        .commands = commands,
        .n_commands = N_OF(commands),
    };
    return cli_dispatch(&group, argc, argv);
}
