/* The configurations of a board as sentences, one table and lines below it. */
#include "reports/tables/views.h"
#include "reports/renderers/document.h"
#include "reports/words/say.h"

/* --- words -------------------------------------------------------------------------------------------- */

const char *configurations_name(const roof_configuration *c, roof_arena *arena)
{
    return say_printf(arena, "%u x %s%s", c->cores, c->size, c->is_low_dsp ? " low DSP" : "");
}

/* "71.2", "183" */
static const char *say_fps(roof_arena *arena, double fps)
{
    return say_number(arena, fps, fps < 100 ? 1 : 0);
}

/* "386", "249.5" */
static const char *say_amount(roof_arena *arena, double count)
{
    return count > floor(count) ? say_number(arena, count, 1) : say_count(arena, (uint64_t)count);
}

/* "71.2 inferences/s (63.4 to 79.0)" */
static const char *say_frames(const roof_configuration *c, roof_arena *arena)
{
    return SAY_TEXT(arena, "{} inferences/s[? ({} to {})]{}", AS_TEXT(say_fps(arena, c->fps)),
                    AS_TEXT(isnan(c->fps_low) ? NULL : say_fps(arena, c->fps_low)),
                    AS_TEXT(say_fps(arena, c->fps_high)), AS_TEXT(c->is_estimate ? ", an estimate," : ""));
}

/* "165 of 912 BRAM36 (18 %)" */
static const char *say_share(const roof_configurations *of, const roof_configuration *c, roof_resource r,
                             roof_arena *arena)
{
    return say_printf(arena, "%s of %s %s (%.0f %%)", say_amount(arena, c->needs[r]),
                      say_amount(arena, of->device[r]), roof_resource_words(r), 100 * c->share_ratio[r]);
}

/* --- the verdict -------------------------------------------------------------------------------------- */

static const roof_configuration *at(const roof_configurations *of, uint32_t i)
{
    return i < of->n ? &of->all[i] : NULL;
}

static const char *say_asked(const roof_configurations *of, const roof_configuration *most, roof_arena *arena)
{
    const char *requested = say_number(arena, of->asked_fps, of->asked_fps > floor(of->asked_fps) ? 2 : 0);
    if (of->cheapest < of->n) {
        const roof_configuration *does = &of->all[of->cheapest];
        return say_printf(
            arena,
            "%s inferences/s of %s on %s: the cheapest sure configuration is %s: %s, using at least %s.",
            requested, of->model, of->board, configurations_name(does, arena), say_frames(does, arena),
            say_share(of, does, does->binding, arena));
    }
    if (of->possible < of->n) {
        const roof_configuration *may = &of->all[of->possible];
        return SAY_TEXT(
            arena,
            "Whether any configuration of {} makes {} inferences/s of {} is unknown[?, since {} CPU layer{ "
            "is|s are} in no time (--host)]; the cheapest that may is {}: {} with at least {}.",
            AS_TEXT(of->board), AS_TEXT(requested), AS_TEXT(of->model),
            AS_COUNT(of->host_s > 0 ? 0 : of->host_layers), AS_TEXT(configurations_name(may, arena)),
            AS_TEXT(say_frames(may, arena)), AS_TEXT(say_share(of, may, may->binding, arena)));
    }
    return say_printf(
        arena, "No configuration of %s makes %s inferences/s of %s: %s is nearest, %s, %.3g %% too few.",
        of->board, requested, of->model, configurations_name(most, arena), say_frames(most, arena),
        100 * (1 - most->fps / of->asked_fps));
}

static const char *say_ends(const roof_configurations *of, const roof_configuration *most, roof_arena *arena)
{
    const roof_configuration *least = NULL;
    for (uint32_t i = 0; i < of->n && !least; i++)
        least = of->all[i].is_on_front ? &of->all[i] : NULL;
    if (!least || least == most)
        return say_printf(arena, "On %s %s is fastest for %s, %s with at least %s, and nothing costs less.",
                          of->board, configurations_name(most, arena), of->model, say_frames(most, arena),
                          say_share(of, most, most->binding, arena));
    return say_printf(arena, "On %s, %s makes %s of %s at the least cost, and %s most, %s with at least %s.",
                      of->board, configurations_name(least, arena), say_frames(least, arena), of->model,
                      configurations_name(most, arena), say_frames(most, arena),
                      say_share(of, most, most->binding, arena));
}

static bool has_held(const roof_configurations *of, bool is_estimate)
{
    for (uint32_t i = 0; of->all && i < of->n_held; i++)
        if (is_estimate ? of->all[i].is_estimate : !of->all[i].is_own_size)
            return true;
    return false;
}

static const char *say_basis(const roof_configurations *of, roof_arena *arena)
{
    const char *text = "";
    if (of->most == ROOF_NONE)
        return "";
    if (of->only_size)
        text = say_printf(arena,
                          "The file is compiled for %s, and runs on that size alone: for others compile "
                          "it again, or give its ONNX or TFLite file.",
                          of->only_size);
    else if (has_held(of, false))
        text = say_printf(arena,
                          "Times and their ranges are by constants that were fitted to %s, carried over to "
                          "the other sizes.",
                          *of->own_size ? of->own_size : "another size");
    if (has_held(of, true))
        text = say_printf(arena, "%s%sContention of more than %u core%s was not measured: an estimate.", text,
                          *text ? " " : "", of->measured_cores, say_plural(of->measured_cores));
    return text;
}

/* The verdict; then a cheaper configuration that may be enough, and without a requested rate a hint. */
const char *configurations_sentence(const void *document, uint32_t i, roof_arena *arena)
{
    const roof_configurations *of = document;
    const roof_configuration *most = at(of, of->most), *may = at(of, of->possible),
                             *does = at(of, of->cheapest);
    if (i > 1 || (i && !most))
        return NULL;
    if (most && isnan(of->asked_fps))
        return i ? "Add --fps N for the cheapest configuration that reaches N." : say_ends(of, most, arena);
    if (i)
        return !may || !does || may > does
                   ? NULL
                   : say_printf(arena, "%s costs less and may be enough: %s.",
                                configurations_name(may, arena), say_frames(may, arena));
    if (most)
        return say_asked(of, most, arena);
    FOR_EACH(const roof_configuration, c, of->all, of->n_held)
        if (c->why)
            return say_printf(arena, "No inferences/s are known of %s on %s: %s.", of->model, of->board,
                              c->why);
    return say_printf(arena, "%s holds none of the %u configurations.", of->board, of->n);
}

static const char *aside_of(const void *document, uint32_t i, roof_arena *arena)
{
    static const roof_resource beside[] = {ROOF_RESOURCE_DSP, ROOF_RESOURCE_LUT};
    const roof_configurations *of = document;
    const roof_configuration *does = at(of, of->cheapest);
    const char *list = "";
    for (size_t k = 0; does && k < N_OF(beside); k++)
        if (beside[k] != does->binding)
            list = say_more(arena, list, "%s", say_share(of, does, beside[k], arena));
    const char *needs = does ? say_printf(arena, "%s also uses at least %s.",
                                          configurations_name(does, arena), list)
                             : "",
               *all[] = {needs, say_basis(of, arena)};
    for (uint32_t k = 0; k < N_OF(all); k++)
        if (*all[k] && !i--)
            return all[k];
    return NULL;
}

/* --- the table ---------------------------------------------------------------------------------------- */

/* What columns find their cells in; the configuration comes first, so that its members are theirs. */
typedef struct configuration_row {
    roof_configuration is;
    const char *name, *dsp_usage, *bound, *binding, *range, *marks;
    grid_cell meets; /* neither true nor false where it is unknown */
} configuration_row;

#define RESOURCE(name, resource)                                                                             \
    {                                                                                                        \
        .json = (name), .from = FROM_VALUE, .at = ROOF_RESOURCE_##resource * sizeof(double)                  \
    }
static const grid_column resource_columns[] = {RESOURCE("lut", LUT), RESOURCE("registers", REGISTERS),
                                               RESOURCE("bram36", BRAM36), RESOURCE("uram", URAM),
                                               RESOURCE("dsp", DSP)};

#define OF(member, from, ...)        GRID_OF(roof_configuration, member, from, __VA_ARGS__)
#define ROW(name, member, from, ...) GRID_AS(name, configuration_row, member, from, __VA_ARGS__)
#define SAID(title_, member, ...)                                                                            \
    {                                                                                                        \
        .title = (title_), .from = FROM_TEXT, .at = offsetof(configuration_row, member), __VA_ARGS__         \
    }
#define NEEDS(name, title_, resource, rank_, share_rank, place_, digits_)                                    \
    GRID_FLAT(name, roof_configuration, needs[ROOF_RESOURCE_##resource], VALUE, .title = (title_),           \
              .kind = COLUMN_NUMBER, .rank = (rank_), .format = FORMAT_SPACED, .digits = (digits_),          \
              .place = (place_)),                                                                            \
        GRID_FLAT(name "_ratio", roof_configuration, share_ratio[ROOF_RESOURCE_##resource], VALUE,           \
                  .title = "", .unit = "[%]", .kind = COLUMN_NUMBER, .rank = (share_rank), .times = 100,     \
                  .format = FORMAT_DASH, .place = (place_) + 1)

static const grid_column columns[] = {
    OF(cores, SMALL, .title = NULL),
    OF(size, TEXT, .title = NULL),
    ROW("dsp_usage", dsp_usage, TEXT, .title = NULL),
    OF(is_held, FLAG, .title = NULL),
    OF(fps, VALUE, .title = "frames", .unit = "[/s]", .kind = COLUMN_NUMBER, .format = FORMAT_SPACED,
       .digits = 1, .place = 2),
    OF(fps_low, VALUE, .title = NULL),
    OF(fps_high, VALUE, .title = NULL),
    OF(latency_s, VALUE, .title = "latency", .unit = "[ms]", .kind = COLUMN_NUMBER, .rank = 4, .times = 1e3,
       .digits = 1, .place = 4),
    OF(threads, SMALL, .title = "threads", .kind = COLUMN_NUMBER, .rank = 9, .place = 5),
    ROW("bound", bound, TEXT, .title = "bound", .rank = 7, .place = 6),
    OF(is_own_size, FLAG, .title = NULL),
    OF(is_estimate, FLAG, .title = NULL),
    OF(is_fuller, FLAG, .title = NULL),
    OF(is_on_front, FLAG, .title = NULL),
    ROW("meets", meets, MADE, .title = NULL, .kind = COLUMN_FLAG),
    ROW("meets_low", meets, MADE, .title = NULL, .kind = COLUMN_FLAG), /* a name of before */
    OF(cost_ratio, VALUE, .title = "cost", .unit = "[%]", .kind = COLUMN_NUMBER, .times = 100, .digits = 1,
       .place = 7),
    ROW("binding", binding, TEXT, .title = "of", .rank = 1, .place = 8),
    GRID_OBJECT("needs", roof_configuration, needs, resource_columns, true),
    GRID_OBJECT("share_ratio", roof_configuration, share_ratio, resource_columns, true),
    NEEDS("lut", "LUT", LUT, 3, 5, 10, 0),
    NEEDS("registers", "registers", REGISTERS, 8, 10, 12, 0),
    NEEDS("bram36", "BRAM36", BRAM36, 3, 5, 14, 1),
    NEEDS("uram", "URAM", URAM, 3, 5, 16, 0),
    NEEDS("dsp", "DSP", DSP, 2, 5, 18, 0),
    OF(banks, SMALL, .title = NULL),
    OF(uram_banks, SMALL, .title = NULL),
    OF(why, TEXT, .title = NULL),
    SAID("configuration", name, .kind = COLUMN_NAME, .place = 1),
    SAID("range", range, .unit = "[/s]", .rank = 4, .place = 3),
    SAID("", marks, .rank = 1, .place = 9),
};
#undef OF

static void configuration_add_rows(cell_grid *grid, const void *document)
{
    const roof_configurations *of = document;
    const bool is_document = grid->csv || grid->json;
    roof_arena *arena = grid->arena;
    for (uint32_t i = 0; i < (is_document ? of->n : of->n_held); i++) {
        const roof_configuration *c = &of->all[i];
        /* "front, enough"; of what is expected and unknown: "front, enough?" */
        const char *marks = c->is_on_front ? "front" : "";
        if (c->meets == ROOF_HELD_KEPT || (c->meets == ROOF_HELD_NOT_KNOWN && c->fps >= of->asked_fps))
            marks = say_more(arena, marks, c->meets == ROOF_HELD_KEPT ? "enough" : "enough?");
        if (c == at(of, of->cheapest))
            marks = say_more(arena, marks, "cheapest");
        if (c->is_fuller)
            marks = say_more(arena, marks, "fuller");
        const configuration_row row = {
            .is = *c,
            .name = configurations_name(c, arena),
            .dsp_usage = c->is_low_dsp ? "low" : "high",
            .bound = isnan(c->fps) ? "" : roof_load_bound_text(c->bound),
            .binding = is_document ? roof_resource_word(c->binding) : roof_resource_words(c->binding),
            .range = isnan(c->fps_low) ? ""
                                       : say_printf(arena, "%s to %s", say_fps(arena, c->fps_low),
                                                    say_fps(arena, c->fps_high)),
            .marks = c->is_estimate ? say_more(arena, marks, "estimate") : marks,
            .meets = c->meets == ROOF_HELD_NOT_KNOWN ? cell_empty : cell_count(c->meets == ROOF_HELD_KEPT)};
        grid_add_row(grid, &row, of);
    }
}

/* No UltraRAM where there is none. */
static void configuration_hide_uram(cell_grid *grid, const void *document)
{
    if (((const roof_configurations *)document)->device[ROOF_RESOURCE_URAM] > 0)
        return;
    grid_hide(grid, "uram");
    grid_hide(grid, "uram_ratio");
}

/* --- lines below it ----------------------------------------------------------------------------------- */

/* The smallest of each size that is not held: more cores are not either. */
static void add_not_held(const roof_configurations *of, remarks *lines)
{
    const char *list = "";
    for (uint32_t i = of->n_held; i < of->n; i++) {
        const roof_configuration *c = &of->all[i];
        bool is_least = true;
        for (uint32_t k = of->n_held; k < of->n; k++)
            is_least = is_least && (strcmp(of->all[k].size, c->size) != 0 || of->all[k].cores >= c->cores);
        if (is_least)
            list = say_more(lines->arena, list, "%s: %s", configurations_name(c, lines->arena),
                            say_share(of, c, c->binding, lines->arena));
    }
    if (*list)
        remarks_add(lines, "too large", "%s; and more cores of these", list);
}

static void configuration_add_remarks(const void *document, remarks *lines)
{
    const roof_configurations *of = document;
    const char *list = "";
    for (roof_resource r = 0; r < ROOF_RESOURCES; r++)
        if (of->device[r] > 0)
            list = say_more(lines->arena, list, "%s %s", say_amount(lines->arena, of->device[r]),
                            roof_resource_words(r));
    remarks_add(lines, "device", "%s: %s; the array at %s", of->board, list,
                say_quantity(lines->arena, of->clock_hz, "Hz"));
    add_not_held(of, lines);
    remarks_add(lines, "logic, DSP", "%s", text_or_empty(of->logic_source));
    remarks_add(lines, "block RAM", "%s", text_or_empty(of->memory_source));
    remarks_add(lines, "memory", "%sbanks in memory of LUTs are left out of the sums",
                of->device[ROOF_RESOURCE_URAM] > 0
                    ? "banks are block RAM or UltraRAM, split so that the larger share is the smallest; "
                    : "banks are block RAM; ");
    ADD_SAID(lines, "built",
             "[?the board's own {.0} x {} takes {.0%} % by these sums; whether more can be placed and "
             "routed is unknown: marked fuller]",
             AS("", of->built_cores), AS_TEXT(of->own_size), AS_RATIO(of->built_cost_ratio));
    remarks_add(
        lines, "cost",
        "the largest share of the device; order: by cost, then DSP; front: no cheaper one is as fast");
    if (of->most != ROOF_NONE)
        ADD_SAID(
            lines, "load",
            "[?{} thread{|s}][?{} threads a core], each with a runner that stays on one core; host: {}[?, "
            "{} an inference]",
            AS_COUNT(of->asked_threads), AS_COUNT(of->asked_threads ? 0 : ROOF_THREADS_PER_CORE),
            AS_TEXT(of->host ? of->host : "none"), AS_SECONDS(of->host_s > 0 ? of->host_s : NAN));
    ADD_SAID(lines, "left out", "[?{} row{|s} of the model that the host executes]",
             AS_COUNT(of->host_layers));
}

/* --- the document ------------------------------------------------------------------------------------- */

GRID_CELL(configuration_built_cores, roof_configurations, of,
          cell_count(isnan(of->built_cost_ratio) ? ROOF_UNKNOWN : of->built_cores))

#define OF(member, from) GRID_OF(roof_configurations, member, from, .title = NULL)
static const grid_column members[] = {
    OF(model, TEXT),
    OF(hardware, TEXT),
    OF(board, TEXT),
    GRID_OBJECT("device", roof_configurations, device, resource_columns, true),
    OF(clock_hz, VALUE),
    OF(logic_source, TEXT),
    OF(memory_source, TEXT),
    OF(own_size, TEXT),
    OF(only_size, TEXT),
    GRID_BY("built_cores", configuration_built_cores, .title = NULL),
    OF(built_cost_ratio, VALUE),
    OF(measured_cores, SIZE),
    OF(host, TEXT),
    OF(host_s, VALUE),
    OF(host_layers, SMALL),
    OF(asked_fps, VALUE),
    OF(cheapest, SMALL),
    GRID_AS("surest", roof_configurations, cheapest, SMALL),
    OF(possible, SMALL),
    OF(most, SMALL),
};
#undef OF

const document_view configurations_view = {.schema = ROOF_CONFIGURATIONS_SCHEMA,
                                           DOCUMENT_MEMBERS(members),
                                           DOCUMENT_ROWS("configurations", columns),
                                           .add_rows = configuration_add_rows,
                                           .what = "configuration",
                                           .largest_csv = "fps",
                                           .begin = configuration_hide_uram,
                                           .sentence = configurations_sentence,
                                           .aside = aside_of,
                                           .remarks = configuration_add_remarks};
