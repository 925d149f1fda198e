#include "reports/tables/configurations/configurations_view.h"
#include "reports/words/say.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* --- words -------------------------------------------------------------------------------------------- */

const char *configurations_name(const roof_configuration *c, roof_arena *arena)
{
    return say_printf(arena, "%" PRIu32 " x %s%s", c->cores, c->size, c->is_low_dsp ? " low DSP" : "");
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

/* "71.2 frames/s (63.4 to 79.0)" */
static const char *say_frames(const roof_configuration *c, roof_arena *arena)
{
    const char *range = "";
    if (!isnan(c->fps_low))
        range = say_printf(arena, " (%s to %s)", say_fps(arena, c->fps_low), say_fps(arena, c->fps_high));
    return say_printf(arena, "%s frames/s%s%s", say_fps(arena, c->fps), range,
                      c->is_estimate ? ", an estimate," : "");
}

/* "165 of 912 BRAM36 (18 %)" */
static const char *say_share(const roof_configurations *of, const roof_configuration *c, roof_resource r,
                             roof_arena *arena)
{
    return say_printf(arena, "%s of %s %s (%.0f %%)", say_amount(arena, c->needs[r]),
                      say_amount(arena, of->device[r]), roof_resource_words(r), 100 * c->share_ratio[r]);
}

/* What binds, then the DSP slices and the LUTs: "165 of 912 BRAM36 (18 %), 386 of 2 520 DSP (15 %)" */
static const char *say_needs(const roof_configurations *of, const roof_configuration *c, roof_arena *arena)
{
    static const roof_resource told[] = {ROOF_RESOURCE_DSP, ROOF_RESOURCE_LUT};
    const char *list = say_share(of, c, c->binding, arena);
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (told[i] != c->binding)
            list = say_printf(arena, "%s, %s", list, say_share(of, c, told[i], arena));
    return list;
}

/* --- the verdict -------------------------------------------------------------------------------------- */

static const roof_configuration *at(const roof_configurations *of, uint32_t i)
{
    return i < of->n ? &of->all[i] : NULL;
}

static const char *say_none_known(const roof_configurations *of, roof_arena *arena)
{
    for (uint32_t i = 0; i < of->n_held; i++)
        if (of->all[i].why)
            return say_printf(arena, "No frames per second are known of %s on %s: %s.", of->model, of->board,
                              of->all[i].why);
    return say_printf(arena, "%s holds none of the %" PRIu32 " configurations.", of->board, of->n);
}

static const char *say_asked(const roof_configurations *of, const roof_configuration *most, roof_arena *arena)
{
    const char *asked = say_number(arena, of->asked_fps, of->asked_fps > floor(of->asked_fps) ? 2 : 0);
    if (of->surest < of->n) {
        const roof_configuration *does = &of->all[of->surest];
        return say_printf(arena, "To make %s frames/s of %s on %s, the cheapest is %s: %s with at least %s.",
                          asked, of->model, of->board, configurations_name(does, arena),
                          say_frames(does, arena), say_needs(of, does, arena));
    }
    if (of->cheapest < of->n) {
        const roof_configuration *may = &of->all[of->cheapest];
        return say_printf(
            arena,
            "Whether any configuration of %s makes %s frames/s of %s is not known; the cheapest that may "
            "is %s: %s with at least %s.",
            of->board, asked, of->model, configurations_name(may, arena), say_frames(may, arena),
            say_needs(of, may, arena));
    }
    return say_printf(arena,
                      "No configuration of %s makes %s frames/s of %s: %s makes most, %s, %.3g %% too few.",
                      of->board, asked, of->model, configurations_name(most, arena), say_frames(most, arena),
                      100 * (1 - most->fps / of->asked_fps));
}

static const char *say_ends(const roof_configurations *of, const roof_configuration *most, roof_arena *arena)
{
    const roof_configuration *least = NULL;
    for (uint32_t i = 0; i < of->n && !least; i++)
        least = of->all[i].is_on_front ? &of->all[i] : NULL;
    if (!least || least == most)
        return say_printf(arena, "On %s %s makes most of %s, %s with at least %s, and nothing costs less.",
                          of->board, configurations_name(most, arena), of->model, say_frames(most, arena),
                          say_needs(of, most, arena));
    return say_printf(arena, "On %s, %s makes %s of %s at the least cost, and %s most, %s with at least %s.",
                      of->board, configurations_name(least, arena), say_frames(least, arena), of->model,
                      configurations_name(most, arena), say_frames(most, arena), say_needs(of, most, arena));
}

static const char *say_verdict(const roof_configurations *of, roof_arena *arena)
{
    if (of->most >= of->n)
        return say_none_known(of, arena);
    const roof_configuration *most = &of->all[of->most];
    return isnan(of->asked_fps) ? say_ends(of, most, arena) : say_asked(of, most, arena);
}

/* What costs less, and may be enough; or the gain of asking. */
static const char *say_cheaper(const roof_configurations *of, roof_arena *arena)
{
    const roof_configuration *may = at(of, of->cheapest), *does = at(of, of->surest);
    if (of->most == ROOF_NONE)
        return "";
    if (isnan(of->asked_fps))
        return "With --fps N it is said which is the cheapest that makes so many.";
    if (!may || !does || may == does)
        return "";
    return say_printf(arena, "Whether %s is enough, for less, is not known: %s with at least %s.",
                      configurations_name(may, arena), say_frames(may, arena), say_needs(of, may, arena));
}

static bool has_held(const roof_configurations *of, bool is_estimate)
{
    for (uint32_t i = 0; i < of->n_held; i++)
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
        text =
            say_printf(arena, "%s%sContention of more than %" PRIu32 " core%s was not measured: an estimate.",
                       text, *text ? " " : "", of->measured_cores, say_plural(of->measured_cores));
    return text;
}

const char *configurations_sentence(const roof_configurations *of, uint32_t i, roof_arena *arena)
{
    enum { SENTENCES = 3 };
    const char *const all[SENTENCES] = {say_verdict(of, arena), say_cheaper(of, arena), say_basis(of, arena)};
    for (uint32_t k = 0; k < SENTENCES; k++)
        if (*all[k] && !i--)
            return all[k];
    return NULL;
}

/* --- the table ---------------------------------------------------------------------------------------- */

/* Documents have the first ones, in this order; the others are for people alone. */
enum {
    CORES,
    SIZE,
    DSP_USAGE,
    HELD,
    FPS,
    FPS_LOW,
    FPS_HIGH,
    LATENCY,
    THREADS,
    BOUND,
    ESTIMATE,
    FULLER,
    FRONT,
    MEETS,
    MEETS_LOW,
    COST,
    BINDING,
    LUT,
    LUT_SHARE,
    REGISTERS,
    REGISTERS_SHARE,
    BRAM36,
    BRAM36_SHARE,
    URAM,
    URAM_SHARE,
    DSP,
    DSP_SHARE,
    URAM_BANKS,
    WHY,
    NAME,
    RANGE,
    MARKS,
    COLUMNS
};

#define AMOUNT(title_, csv_, rank_, ...)                                                                     \
    {                                                                                                        \
        title_, NULL, csv_, .kind = COLUMN_NUMBER, .rank = (rank_), .format = FORMAT_SPACED, __VA_ARGS__     \
    }
#define SHARE(csv_, rank_)                                                                                   \
    {                                                                                                        \
        "", "[%]", csv_, .kind = COLUMN_NUMBER, .rank = (rank_), .times = 100, .format = FORMAT_DASH         \
    }

static const grid_column columns[COLUMNS] = {
    [CORES] = GRID_CSV("cores"),
    [SIZE] = GRID_CSV("size"),
    [DSP_USAGE] = GRID_CSV("dsp_usage"),
    [HELD] = GRID_CSV("is_held"),
    [FPS] = {"frames", "[/s]", "fps", .kind = COLUMN_NUMBER, .format = FORMAT_SPACED, .digits = 1},
    [FPS_LOW] = GRID_CSV("fps_low"),
    [FPS_HIGH] = GRID_CSV("fps_high"),
    [LATENCY] = {"latency", "[ms]", "latency_s", .kind = COLUMN_NUMBER, .rank = 4, .times = 1e3, .digits = 1},
    [THREADS] = {"threads", NULL, "threads", .kind = COLUMN_NUMBER, .rank = 9},
    [BOUND] = {"bound", .csv = "bound", .rank = 7},
    [ESTIMATE] = GRID_CSV("is_estimate"),
    [FULLER] = GRID_CSV("is_fuller"),
    [FRONT] = GRID_CSV("is_on_front"),
    [MEETS] = GRID_CSV("meets"),
    [MEETS_LOW] = GRID_CSV("meets_low"),
    [COST] = {"cost", "[%]", "cost_ratio", .kind = COLUMN_NUMBER, .times = 100, .digits = 1},
    [BINDING] = {"of", .csv = "binding", .rank = 1},
    [LUT] = AMOUNT("LUT", "lut", 3, .digits = 0),
    [LUT_SHARE] = SHARE("lut_ratio", 5),
    [REGISTERS] = AMOUNT("registers", "registers", 8, .digits = 0),
    [REGISTERS_SHARE] = SHARE("registers_ratio", 10),
    [BRAM36] = AMOUNT("BRAM36", "bram36", 3, .digits = 1),
    [BRAM36_SHARE] = SHARE("bram36_ratio", 5),
    [URAM] = AMOUNT("URAM", "uram", 3, .digits = 0),
    [URAM_SHARE] = SHARE("uram_ratio", 5),
    [DSP] = AMOUNT("DSP", "dsp", 2, .digits = 0),
    [DSP_SHARE] = SHARE("dsp_ratio", 5),
    [URAM_BANKS] = GRID_CSV("uram_banks"),
    [WHY] = GRID_CSV("why"),
    [NAME] = {"configuration", .kind = COLUMN_NAME},
    [RANGE] = {"range", "[/s]", .rank = 4},
    [MARKS] = {"", .rank = 1},
};
#undef AMOUNT
#undef SHARE

/* "front, enough"; the lower end of the range is not: "front, enough?" */
static const char *marks_of(const roof_configurations *of, const roof_configuration *c, roof_arena *arena)
{
    const char *list = c->is_on_front ? "front" : "";
    if (c->meets)
        list = say_more(arena, list, isnan(c->fps_low) || c->meets_low ? "enough" : "enough?");
    if (c == at(of, of->cheapest))
        list = say_more(arena, list, "cheapest");
    if (c->is_fuller)
        list = say_more(arena, list, "fuller");
    return c->is_estimate ? say_more(arena, list, "estimate") : list;
}

static const char *range_of(const roof_configuration *c, roof_arena *arena)
{
    return isnan(c->fps_low)
               ? ""
               : say_printf(arena, "%s to %s", say_fps(arena, c->fps_low), say_fps(arena, c->fps_high));
}

static void add_row(const roof_configurations *of, const roof_configuration *c, cell_grid *grid)
{
    roof_arena *arena = grid->arena;
    const bool is_csv = grid->csv != NULL, is_known = !isnan(c->fps);
    grid_cell cells[COLUMNS] = {
        [CORES] = cell_count(c->cores),
        [SIZE] = cell_text(c->size),
        [DSP_USAGE] = cell_text(c->is_low_dsp ? "low" : "high"),
        [HELD] = cell_count(c->is_held),
        [FPS] = cell_value(c->fps),
        [FPS_LOW] = cell_value(c->fps_low),
        [FPS_HIGH] = cell_value(c->fps_high),
        [LATENCY] = cell_value(c->latency_s),
        [THREADS] = cell_count(c->threads),
        [BOUND] = cell_text(is_known ? roof_load_bound_text(c->bound) : ""),
        [ESTIMATE] = cell_count(c->is_estimate),
        [FULLER] = cell_count(c->is_fuller),
        [FRONT] = cell_count(c->is_on_front),
        [MEETS] = cell_count(c->meets),
        [MEETS_LOW] = cell_count(c->meets_low),
        [COST] = cell_value(c->cost_ratio),
        [BINDING] = cell_text(is_csv ? roof_resource_word(c->binding) : roof_resource_words(c->binding)),
        [URAM_BANKS] = cell_count(c->uram_banks),
        [WHY] = cell_text(c->why ? c->why : ""),
        [NAME] = cell_text(is_csv ? "" : configurations_name(c, arena)),
        [RANGE] = cell_text(is_csv ? "" : range_of(c, arena)),
        [MARKS] = cell_text(is_csv ? "" : marks_of(of, c, arena))};
    for (roof_resource r = 0; r < ROOF_RESOURCES; r++) {
        cells[LUT + 2 * r] = cell_value(c->needs[r]);
        cells[LUT_SHARE + 2 * r] = cell_value(c->share_ratio[r]);
    }
    grid_add(grid, cells, is_csv ? NAME : COLUMNS);
}

void configurations_add_rows(const roof_configurations *of, cell_grid *grid)
{
    for (uint32_t i = 0; i < (grid->csv ? of->n : of->n_held); i++)
        add_row(of, &of->all[i], grid);
}

/* The columns of people: their name first, and no UltraRAM where there is none. */
static void show_columns(const roof_configurations *of, cell_grid *grid)
{
    static const uint8_t order[] = {
        NAME,         FPS,   RANGE,      LATENCY,   THREADS,   BOUND,           COST,
        BINDING,      MARKS, LUT,        LUT_SHARE, REGISTERS, REGISTERS_SHARE, BRAM36,
        BRAM36_SHARE, URAM,  URAM_SHARE, DSP,       DSP_SHARE};
    grid->n_shown = 0;
    for (size_t i = 0; i < sizeof order; i++)
        if ((order[i] != URAM && order[i] != URAM_SHARE) || of->device[ROOF_RESOURCE_URAM] > 0)
            grid->shown[grid->n_shown++] = order[i];
}

void configurations_table(const roof_configurations *of, cell_grid *grid, roof_arena *arena)
{
    grid_begin(grid, arena, columns, COLUMNS);
    show_columns(of, grid);
    grid->what = "configuration";
    configurations_add_rows(of, grid);
}

void configurations_begin_csv(cell_grid *grid, roof_arena *arena, textbuf *out)
{
    grid_begin_csv(grid, arena, columns, NAME, out);
}

/* --- lines below it ----------------------------------------------------------------------------------- */

static void add_device(const roof_configurations *of, remarks *lines)
{
    const char *list = "";
    for (roof_resource r = 0; r < ROOF_RESOURCES; r++)
        if (of->device[r] > 0)
            list = say_more(lines->arena, list, "%s %s", say_amount(lines->arena, of->device[r]),
                            roof_resource_words(r));
    remarks_add(lines, "device", "%s: %s; the array at %s", of->board, list,
                say_quantity(lines->arena, of->clock_hz, "Hz"));
}

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

void configurations_remarks(const roof_configurations *of, remarks *lines)
{
    add_device(of, lines);
    add_not_held(of, lines);
    if (of->logic_source)
        remarks_add(lines, "logic, DSP", "%s", of->logic_source);
    if (of->memory_source)
        remarks_add(lines, "block RAM", "%s", of->memory_source);
    remarks_add(lines, "memory", "%sbanks in memory of LUTs are left out of the sums",
                of->device[ROOF_RESOURCE_URAM] > 0
                    ? "banks are block RAM or UltraRAM, split so that the larger share is the smallest; "
                    : "banks are block RAM; ");
    if (!isnan(of->built_cost_ratio))
        remarks_add(lines, "built",
                    "the board's own %" PRIu32
                    " x %s takes %.0f %% by these sums; whether more can be placed and "
                    "routed is not known: marked fuller",
                    of->built_cores, of->own_size, 100 * of->built_cost_ratio);
    remarks_add(lines, "cost",
                "the largest share of the device; order: by cost, then DSP; front: makes more "
                "than all that cost less");
    if (of->most != ROOF_NONE)
        remarks_add(lines, "load", "%s, each with a runner that stays on one core; host: %s%s",
                    of->asked_threads ? say_printf(lines->arena, "%" PRIu32 " thread%s", of->asked_threads,
                                                   say_plural(of->asked_threads))
                                      : say_printf(lines->arena, "%d threads a core", ROOF_THREADS_PER_CORE),
                    of->host ? of->host : "none",
                    of->host_s > 0 ? say_printf(lines->arena, ", %s a frame",
                                                say_quantity(lines->arena, of->host_s, "s"))
                                   : "");
    if (of->host_layers)
        remarks_add(lines, "left out", "%" PRIu32 " row%s of the model that the host executes",
                    of->host_layers, say_plural(of->host_layers));
}
