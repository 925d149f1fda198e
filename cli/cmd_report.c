#include "cli/cli.h"
#include "core/platform/platform.h"
#include "core/files/input.h"
#include "roofline/calibrate.h"
#include "roofline/budget.h"
#include "roofline/report.h"

#include <sys/stat.h>

typedef struct arguments {
    cli_arguments common; /* its output is the folder */
    cli_list hw;
    const char *shapes, *model, *source, *map, *calibration, *baseline, *history;
    const char *budget, *date, *command;
    textbuf line; /* of the command */
    bool strict, summary;
} arguments;

static const struct argp_option options[] = {
    CLI_OPTION("hw", LIST, hw, "HW",
               "The hardware: an id or alias (`roofline hw list`), a JSON file, or a description. Several, "
               "with commas between or as several options: each model is predicted on each [default: what a "
               "document names or a model was compiled for]"),
    CLI_OPTION("model", TEXT, model, "MODEL",
               "The model that was measured, or its prediction as JSON [default: what the document names]"),
    CLI_OPTION("source", TEXT, source, "NET",
               "The network that a compiled model was made from, or was edited from. Both graphs are drawn "
               "in line, and rows of code open into their operators [default: the baseline's, where that is "
               "another network]"),
    CLI_SHAPE_OPTION(shapes),
    CLI_OPTION("map", TEXT, map, "FILE",
               "Lines of `row,layer`: which row of the profile is which layer of the model, if the names do "
               "not match"),
    CLI_OPTION("calibration", TEXT, calibration, "FILE",
               "Also give expected times of models, by what `roofline reconcile --calibration-out` learned "
               "from profiles"),
    CLI_OPTION("baseline", TEXT, baseline, "FILE",
               "An earlier FILE to compare with. Arrows on the roofline show the change, and a table lists "
               "it. Models and layers are paired as by `roofline compare`"),
    CLI_OPTION("history", TEXT, history, "FILE",
               "Runs of months, by `roofline history add`. Each model on this hardware has a chart: where "
               "its level changed, since which commit, and which layers changed with it"),
    CLI_OPTION("budget", TEXT, budget, "BUDGET",
               "Say PASS or FAIL against these limits below the verdict (`roofline check` shows each)"),
    CLI_OPTION("date", TEXT, date, "DATE", "Show this date below the verdict, such as \"$(date -I)\""),
    CLI_OPTION(
        "summary", FLAG, summary, 0,
        "Write the first screen alone, one page of paper: verdict, causes, key figures and their chart"),
    CLI_OPTION("strict", FLAG, strict, 0, "Exit with 1 when there is any finding"),
    {0, 0, 0, 0, "Output:", 9},
    {0, 'o', "DIR", 0,
     "The folder to write, which is made if it is not there; all files of it are replaced, or none", 9},
    {"output", CLI_OUTPUT, "DIR", OPTION_HIDDEN, 0, 9},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    char word[400];
    if ((key == 'o' || key == CLI_OUTPUT) && (!*arg || strcmp(arg, "-") == 0))
        argp_error(state, "-o: want the name of a folder");
    if (key == ARGP_KEY_END && !a->common.output.path)
        argp_error(state, "where to? Name a folder: roofline report %s -o review",
                   quote_for_shell(word, sizeof word, a->common.files[0], "FILE"));
    return cli_parse_key(key, arg, state);
}

static const char doc[] =
    "Writes a folder for a design review: index.html with verdict, charts, tables, findings, method and "
    "sources. It is one file that needs no network. JSON, CSV and gnuplot scripts lie beside it. A FILE is a "
    "model, one or several predictions as JSON, or a measured document; its content decides which.\vThe name "
    "of the page goes to standard output. Without gnuplot the report is written without pictures, and the "
    "exit code is 69. A gnuplot that is at one picture for 20 s is ended.\n"
    "\n"
    "Examples:\n"
    "  roofline report measured.json -o review\n"
    "  roofline report model.xmodel -o review --hw kv260\n"
    "  roofline report model.xmodel -o review --hw kv260,zcu102,zcu104\n"
    "  roofline report predictions.json -o review\n"
    "  roofline report new.json --baseline old.json -o review\n"
    "  roofline report mobilenetv2.xmodel --source mobilenetv2_int.xmodel -o review\n"
    "  roofline report measured.json --history runs.db -o review\n"
    "  roofline report measured.json other.xmodel prediction.json -o review";

/* --- inputs ------------------------------------------------------------------------------------------- */

/* A file, and what it tells of memory. */
typedef struct file_facts {
    const char *path; /* borrowed */
    roof_graph *graph;
    roof_memory *memory; /* NULL: see why */
    const char *why;     /* NULL with no memory: the format says nothing of it */
} file_facts;

typedef struct inputs {
    const char **measured; /* files that are measured documents */
    size_t n_measured;
    const roof_prediction **predictions; /* in the order to show them */
    bool *are_own;                       /* else one of a document's */
    uint32_t n_predictions;
    roof_predictions **several; /* documents of them */
    uint32_t n_several;
    const roof_pair **unpredicted; /* of these, with the reason */
    uint32_t n_unpredicted;
    cli_boards boards; /* of all --hw */
    cli_profiles profiles;
    roof_reconciliation *reconciliation;
    const roof_curve **curves; /* beside measured ones, and as they were given */
    uint32_t n_curves;
    roof_report_memory *memories;  /* of predictions and experiments */
    struct file_facts *file_facts; /* what files tell, which several of these share */
    roof_report_graph *graphs;     /* likewise */
    roof_graph *source;            /* beside which these are drawn; NULL */
    roof_model_diff **diff;        /* of these */
    uint32_t n_memories, n_graphs, n_file_facts, n_diffs;
    const char *shapes;                     /* of inputs that models leave open */
    roof_calibration *calibration, *fitted; /* the one that was given, the one that was found */
    const char **files;                     /* all that was read; borrowed */
    uint32_t n_files;
    roof_arena *arena; /* of all lists */
} inputs;

static void free_inputs(inputs *in)
{
    roof_reconciliation_free(in->reconciliation);
    cli_profiles_free(&in->profiles);
    for (uint32_t i = 0; i < in->n_predictions; i++)
        if (in->are_own[i])
            roof_prediction_free((roof_prediction *)(uintptr_t)in->predictions[i]);
    for (uint32_t i = 0; i < in->n_several; i++)
        roof_predictions_free(in->several[i]);
    cli_boards_free(&in->boards);
    roof_calibration_free(in->calibration);
    roof_calibration_free(in->fitted);
    for (uint32_t i = 0; i < in->n_curves; i++)
        roof_curve_free((roof_curve *)(uintptr_t)in->curves[i]);
    for (uint32_t i = 0; i < in->n_file_facts; i++) {
        roof_memory_free(in->file_facts[i].memory);
        roof_graph_free(in->file_facts[i].graph);
    }
    for (uint32_t i = 0; i < in->n_diffs; i++)
        roof_model_diff_free(in->diff[i]);
    roof_graph_free(in->source);
    arena_free(in->arena);
}

/* is_own: it is freed, also when it cannot be added. */
static roof_status add(inputs *in, const roof_prediction *p, bool is_own, roof_error *err)
{
    roof_status status = ARENA_MORE(in->arena, in->predictions, in->n_predictions, err);
    THEN(status, ARENA_MORE(in->arena, in->are_own, in->n_predictions, err));
    if (status != ROOF_OK && is_own)
        roof_prediction_free((roof_prediction *)(uintptr_t)p);
    TRY(status);
    in->predictions[in->n_predictions] = p;
    in->are_own[in->n_predictions++] = is_own;
    return ROOF_OK;
}

/* --- files of models ------------------------------------------------------------------------------------ */

/* graph: it is kept, and freed with the rest, also after an error. */
static roof_status tell_file(inputs *in, const char *path, roof_graph *graph, roof_error *err)
{
    roof_error why;
    roof_status status = ARENA_MORE(in->arena, in->file_facts, in->n_file_facts, err);
    if (status != ROOF_OK)
        roof_graph_free(graph);
    TRY(status);
    file_facts *one = &in->file_facts[in->n_file_facts++];
    *one = (file_facts){.path = path, .graph = graph};
    status = roof_memory_of(graph, NULL, &one->memory, &why);
    if (status == ROOF_OK || status == ROOF_E_UNSUPPORTED)
        return ROOF_OK;
    one->why = status == ROOF_E_NO_MEMORY ? NULL : arena_strdup(in->arena, why.what);
    return one->why ? ROOF_OK : error_memory(err);
}

/* Memory and graph of the predicted file, recognised by path and graph hash. */
static roof_status show_file(inputs *in, const roof_prediction *p, const char *path, roof_error *err)
{
    const file_facts *one = NAMED(in->file_facts, in->n_file_facts, path, path);
    if (!one || !p->model.graph_hash || strcmp(p->model.graph_hash, one->graph->graph_hash) != 0)
        return ROOF_OK;
    if (one->memory || one->why)
        TRY(ARENA_ADD(in->arena, in->memories, in->n_memories, err,
                      (roof_report_memory){p, one->memory, one->why}));
    return ARENA_ADD(in->arena, in->graphs, in->n_graphs, err,
                     (roof_report_graph){.prediction = p, .graph = one->graph});
}

/* path: of the model of a document; where it is not at hand, nothing more is known of it. */
static roof_status read_file(inputs *in, const roof_prediction *p, const char *path, roof_error *err)
{
    roof_error ignored;
    roof_graph *graph = NULL;
    if (!path || !*path || NAMED(in->file_facts, in->n_file_facts, path, path))
        return path && *path ? show_file(in, p, path, err) : ROOF_OK;
    roof_status status = roof_graph_read(path, &graph, &ignored);
    if (status != ROOF_OK)
        return status == ROOF_E_NO_MEMORY ? error_memory(err) : ROOF_OK;
    TRY(tell_file(in, path, graph, err));
    return show_file(in, p, path, err);
}

/* --- models and documents ------------------------------------------------------------------------------ */

/* On all boards, or on what it was compiled for. */
static roof_status predict(inputs *in, const char *path, roof_error *err)
{
    roof_predict_options with = {.calibration = in->calibration,
                                 .explores = ROOF_EXPLORE_ALL,
                                 .names_operators = true}; /* its graph is drawn */
    const uint32_t first = in->n_predictions;
    roof_graph *graph = NULL;
    roof_status status = cli_read_model(path, &(cli_workload){.shapes = in->shapes}, &graph, err);
    for (size_t i = 0; status == ROOF_OK && i < (in->boards.n ? in->boards.n : 1); i++) {
        const char *hw = in->boards.n ? in->boards.names[i] : NULL;
        roof_prediction *p = NULL;
        if (cli_is_watched())
            cli_note("predicting %.200s%s%.200s", path, hw ? " on " : "", hw ? hw : "");
        char words[CLI_COMMAND_SIZE] = "";
        const bool has_room = cli_repeat_word(words, NULL, path) && cli_repeat_word(words, "hw", hw) &&
                              cli_repeat_word(words, "shape", in->shapes) && !in->calibration;
        with.commands.predict = has_room ? words : NULL;
        with.commands.advise = has_room && hw ? words : NULL;
        status = cli_predict_on(graph, hw ? in->boards.hw[i] : NULL, &with, &p, err);
        THEN(status, add(in, p, true, err));
    }
    if (status != ROOF_OK) {
        roof_graph_free(graph);
        return status;
    }
    TRY(tell_file(in, path, graph, err));
    for (uint32_t i = first; status == ROOF_OK && i < in->n_predictions; i++)
        status = show_file(in, in->predictions[i], path, err);
    return status;
}

static roof_status add_prediction(inputs *in, const char *path, roof_error *err)
{
    roof_prediction *p;
    TRY(roof_prediction_read(path, &p, err));
    inputs_note_path(p->model.path);
    TRY(add(in, p, true, err));
    return read_file(in, p, p->model.path, err);
}

/* Pairs without a prediction are kept for the page, with the reason. */
static roof_status add_predictions(inputs *in, const char *path, roof_error *err)
{
    roof_predictions *all;
    TRY(ARENA_MORE(in->arena, in->several, in->n_several, err));
    TRY(roof_predictions_read(path, &all, err));
    in->several[in->n_several++] = all;
    for (uint32_t i = 0; i < all->n; i++) {
        if (!all->pairs[i].prediction) {
            TRY(ARENA_ADD(in->arena, in->unpredicted, in->n_unpredicted, err, &all->pairs[i]));
            continue;
        }
        inputs_note_path(all->pairs[i].prediction->model.path);
        TRY(add(in, all->pairs[i].prediction, false, err));
        TRY(read_file(in, all->pairs[i].prediction, all->pairs[i].prediction->model.path, err));
    }
    return ROOF_OK;
}

static roof_status keep_curve(inputs *in, roof_curve *curve, roof_error *err)
{
    const roof_status status = ARENA_MORE(in->arena, in->curves, in->n_curves, err);
    if (status != ROOF_OK)
        roof_curve_free(curve);
    TRY(status);
    in->curves[in->n_curves++] = curve;
    return ROOF_OK;
}

static roof_status add_curve(inputs *in, const char *path, roof_error *err)
{
    roof_curve *curve;
    TRY(roof_curve_read(path, &curve, err));
    inputs_note_path(curve->path);
    return keep_curve(in, curve, err);
}

static roof_status add_measured(inputs *in, const char *path, roof_error *err)
{
    (void)err;
    in->measured[in->n_measured++] = path;
    return ROOF_OK;
}

/* Distinguished by the name in front of the version: a reader says best what is wrong with a version. */
static const struct {
    const char *schema; /* up to its version */
    roof_status (*add)(inputs *in, const char *path, roof_error *err);
    const char *instead; /* what to give; where add is NULL */
} documents[] = {
    {"roofline.measured/", add_measured, NULL},
    {"roofline.prediction/", add_prediction, NULL},
    {"roofline.predictions/", add_predictions, NULL},
    {"roofline.curve/", add_curve, NULL},
    {"roofline.reconciliation/", NULL, "give the measured documents that it was made from"},
    {"roofline.calibration/", NULL, "give it as --calibration"},
    {"roofline.hardware/", NULL, "give it as --hw"},
    {"roofline.inspection/", NULL, "give the model that it is of"},
};

static roof_status add_document(inputs *in, const char *path, roof_error *err)
{
    char schema[80];
    TRY(roof_document_schema(path, schema, sizeof schema, err));
    for (size_t i = 0; i < N_OF(documents); i++) {
        if (!span_begins(span_of(schema), documents[i].schema))
            continue;
        if (documents[i].add)
            return documents[i].add(in, path, err);
        return error_in(err, path, ROOF_E_USAGE, "is a document %s; %s", schema, documents[i].instead);
    }
    const roof_status status =
        error_in(err, path, ROOF_E_DATA,
                 schema[0] ? "schema is '%s', want " ROOF_MEASURED_SCHEMA " or " ROOF_PREDICTION_SCHEMA
                           : "has no schema, want " ROOF_MEASURED_SCHEMA " or " ROOF_PREDICTION_SCHEMA "%s",
                 schema);
    return cli_wrong_file(path, true, status, err);
}

static roof_status add_file(inputs *in, const char *path, roof_error *err)
{
    if (strcmp(path, "-") == 0)
        return error_set(err, ROOF_E_USAGE,
                         "a report is made from files, which it names with their hashes, not from "
                         "standard input");
    bool is_document;
    TRY(roof_is_document(path, &is_document, err));
    if (cli_is_profile(path))
        return add_measured(in, path, err);
    return is_document ? add_document(in, path, err) : predict(in, path, err);
}

/* --- measured documents -------------------------------------------------------------------------------- */

/* Lengths of a phase, and between the first and the last each that is twice the one before. */
static void list_lengths(const roof_curve_measured *points, uint32_t n, roof_text_phase phase,
                         cli_tokens *out)
{
    uint32_t last = 0;
    out->n = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (points[i].phase != phase || (out->n && points[i].tokens == last))
            continue;
        for (uint64_t x = 2ull * last; last && x < points[i].tokens; x *= 2)
            cli_tokens_add(out, (uint32_t)x);
        last = points[i].tokens;
        cli_tokens_add(out, last);
    }
}

/* The curve that a measured one lies beside, with its points, at its lengths and at those between them.
 * model, hw: what replaces what the document names; NULL. None where the model is unknown, or is no
 * config.json, which the reconciliation has told of already. */
static roof_status add_measured_curve(inputs *in, const roof_timed_curve *c, const char *model,
                                      const char *hw, roof_error *err)
{
    const roof_timed_point *points = &in->reconciliation->curve_points[c->first_point];
    const roof_experiment *e = &in->profiles.measured->experiments[points->experiment];
    const char *path = model ? model : e->resolved_path, *id = hw ? hw : e->hardware_id;
    const cli_workload workload = {
        .data_type = e->weight_type, .cache_type = e->cache_type, .asks_text = true};
    roof_graph *graph = NULL;
    roof_hw *machine = NULL;
    roof_curve *curve = NULL;
    roof_curve_measured *measured;
    cli_tokens contexts, prompts;
    bool is_document = true;
    TRY(ARENA_GET(in->arena, measured, c->n_points, err));
    if (!path || !id || roof_is_document(path, &is_document, err) != ROOF_OK || is_document ||
        cli_read_model(path, &workload, &graph, err) != ROOF_OK)
        return ROOF_OK;
    for (uint32_t i = 0; i < c->n_points; i++)
        measured[i] = (roof_curve_measured){points[i].phase, points[i].tokens, points[i].seconds};
    list_lengths(measured, c->n_points, ROOF_TEXT_DECODE, &contexts);
    list_lengths(measured, c->n_points, ROOF_TEXT_PREFILL, &prompts);
    const bool is_language = roof_language_of(graph);
    roof_status status = is_language ? roof_hw_load(id, &machine, err) : ROOF_OK;
    if (status == ROOF_OK && is_language)
        status = roof_curve_predict(graph, machine,
                                    &(roof_curve_options){.contexts = contexts.tokens,
                                                          .n_contexts = contexts.n,
                                                          .prompts = prompts.tokens,
                                                          .n_prompts = prompts.n,
                                                          .batch = c->batch,
                                                          .stack = c->stack,
                                                          .memory_bytes = e->memory_bytes,
                                                          .measured = measured,
                                                          .n_measured = c->n_points},
                                    &curve, err);
    roof_hw_free(machine);
    roof_graph_free(graph);
    return status == ROOF_OK && curve ? keep_curve(in, curve, err) : status;
}

static roof_status reconcile(const arguments *a, inputs *in, roof_error *err)
{
    const cli_profile_options about = {a->model, a->hw.items[0], a->map, .explores = ROOF_EXPLORE_ALL};
    if (!in->n_measured)
        return cli_note_broken_hardware(err);
    if (in->boards.n > 1)
        return error_set(err, ROOF_E_USAGE,
                         "--hw is given %zu times, but a profile was measured on one device; make a separate "
                         "report of the models",
                         in->boards.n);
    if (cli_is_watched())
        cli_note("reconciling %zu document%s", in->n_measured, in->n_measured == 1 ? "" : "s");
    TRY(cli_profiles_read(in->measured, in->n_measured, &about, &in->profiles, err));
    TRY(cli_profiles_reconcile(&in->profiles, &in->reconciliation, err));
    for (uint32_t i = 0; i < in->profiles.measured->n_experiments; i++) {
        const roof_prediction *p = in->profiles.predictions[i];
        const char *path = a->model ? a->model : in->profiles.measured->experiments[i].resolved_path;
        if (p)
            TRY(read_file(in, p, path, err));
    }
    FOR_EACH(const roof_timed_curve, c, in->reconciliation->curves, in->reconciliation->n_curves)
        TRY(add_measured_curve(in, c, a->model, about.hw, err));
    roof_status status = roof_calibrate(in->reconciliation, &in->fitted, err);
    return status == ROOF_E_DATA ? ROOF_OK : status; /* nothing to fit is no failure */
}

/* --- provenance --------------------------------------------------------------------------------------- */

static void add_source(inputs *in, const char *path)
{
    if (!path || !os_may(OS_HERE, path, OS_MAY_READ))
        return; /* a description in one line, or a model that is not there */
    for (uint32_t i = 0; i < in->n_files; i++)
        if (cli_is_same_file(in->files[i], path))
            return;
    struct stat st;
    if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
        (void)ARENA_ADD(in->arena, in->files, in->n_files, NULL, path);
}

static void add_prediction_sources(inputs *in, const char *folder, const roof_prediction *p)
{
    if (!p || strncmp(p->model.path, folder, strlen(folder)) != 0)
        return;
    add_source(in, p->model.path);
    for (size_t i = 0; i < p->model.n_beside; i++)
        add_source(in, p->model.beside[i]);
}

/* A file, or of a folder the files that predictions were made from. */
static void add_place(inputs *in, const char *folder)
{
    struct stat st;
    add_source(in, folder);
    if (!folder || stat(folder, &st) != 0 || !S_ISDIR(st.st_mode))
        return;
    for (uint32_t i = 0; i < in->n_predictions; i++)
        add_prediction_sources(in, folder, in->predictions[i]);
    for (uint32_t i = 0; in->reconciliation && i < in->reconciliation->n_experiments; i++)
        add_prediction_sources(in, folder, in->reconciliation->experiments[i].prediction);
}

static roof_status list_sources(const arguments *a, inputs *in, roof_error *err)
{
    uint32_t n_experiments = in->profiles.measured ? in->profiles.measured->n_experiments : 0;
    for (size_t i = 0; i < a->common.n_files; i++)
        add_place(in, a->common.files[i]);
    add_place(in, a->model);
    for (uint32_t i = 0; i < n_experiments && !a->model; i++)
        add_place(in, in->profiles.measured->experiments[i].resolved_path);
    for (uint32_t i = 0; i < in->n_file_facts; i++)
        add_source(in, in->file_facts[i].path);
    for (size_t i = 0; i < in->boards.n; i++)
        add_source(in, in->boards.names[i]);
    add_source(in, a->source);
    add_source(in, a->map);
    add_source(in, a->calibration);
    add_source(in, a->history);
    return arena_status(in->arena, err);
}

static roof_status read_inputs(const arguments *a, inputs *in, roof_error *err)
{
    in->arena = arena_new(0);
    TRY(ALLOCATED(in->arena, err));
    TRY(ARENA_GET(in->arena, in->measured, a->common.n_files, err));
    for (uint32_t i = 0; i < a->hw.n; i++)
        TRY(cli_boards_add(&in->boards, a->hw.items[i], err));
    in->shapes = a->shapes;
    if (a->calibration)
        TRY(roof_calibration_read(a->calibration, &in->calibration, err));
    for (size_t i = 0; i < a->common.n_files; i++)
        TRY(add_file(in, a->common.files[i], err));
    TRY(reconcile(a, in, err));
    return list_sources(a, in, err);
}

/* --- the baseline ------------------------------------------------------------------------------------- */

/* Read as if it were reported alone; its files are sources of the report. */
static roof_status read_baseline(const arguments *a, inputs *baseline, inputs *in, roof_error *err)
{
    arguments alone = *a;
    const char *file = a->baseline;
    if (!file)
        return ROOF_OK;
    alone.common.files = &file;
    alone.common.n_files = 1;
    TRY(read_inputs(&alone, baseline, err));
    for (uint32_t i = 0; i < baseline->n_files; i++)
        add_source(in, baseline->files[i]);
    return arena_status(in->arena, err);
}

/* --- another network beside one ------------------------------------------------------------------------- */

/* Device of a prediction: one requested, else the one that the model was compiled for, else an entry by its
 * id. */
static roof_status hw_of(const inputs *in, const roof_report_graph *g, roof_hw **own, const roof_hw **out,
                         roof_error *err)
{
    const char *id = g->prediction->hardware.id;
    for (size_t i = 0; i < in->boards.n; i++)
        if (strcmp(roof_hw_id(in->boards.hw[i]), id) == 0) {
            *out = in->boards.hw[i];
            return ROOF_OK;
        }
    roof_error ignored;
    *own = NULL;
    if (roof_hw_of_model(g->graph, own, &ignored) == ROOF_OK && *own && strcmp(roof_hw_id(*own), id) != 0) {
        roof_hw_free(*own);
        *own = NULL;
    }
    if (!*own)
        TRY(roof_hw_load(id, own, err));
    *out = *own;
    return ROOF_OK;
}

/* The baseline's network of the same name, or its only one; NULL where it is the same. */
static const roof_report_graph *older_of(const inputs *baseline, const roof_report_graph *g)
{
    const roof_report_graph *found = baseline->n_graphs == 1 ? baseline->graphs : NULL;
    for (uint32_t i = 0; baseline->graphs && i < baseline->n_graphs && !found; i++)
        if (strcmp(baseline->graphs[i].prediction->model.name, g->prediction->model.name) == 0)
            found = &baseline->graphs[i];
    return found && strcmp(found->graph->graph_hash, g->graph->graph_hash) != 0 ? found : NULL;
}

/* Why one is not drawn is a sentence of the page, and no failure. */
static roof_status leave_alone(inputs *in, roof_report_graph *g, const char *name, const char *because,
                               roof_error *err)
{
    char why[sizeof err->what + 80];
    snprintf(why, sizeof why, "The other network is not drawn beside it: %s.", because);
    cli_note("%.200s is not drawn beside %.200s: %s", name, g->prediction->model.path, because);
    g->why_alone = arena_strdup(in->arena, why);
    return g->why_alone ? ROOF_OK : error_memory(err);
}

static roof_status pair(inputs *in, roof_report_graph *g, const roof_graph *before, const char *name,
                        roof_error *err)
{
    const roof_hw *hw = NULL;
    roof_hw *own = NULL;
    TRY(ARENA_MORE(in->arena, in->diff, in->n_diffs, err));
    roof_status status = hw_of(in, g, &own, &hw, err);
    THEN(status, roof_model_diff_find(
                     &(roof_model_diff_request){before, g->graph, name, g->prediction->model.path, hw},
                     &in->diff[in->n_diffs], err));
    roof_hw_free(own);
    if (status == ROOF_OK) {
        g->diff = in->diff[in->n_diffs++];
        g->before = before;
    }
    return status == ROOF_OK || status == ROOF_E_NO_MEMORY ? status
                                                           : leave_alone(in, g, name, err->what, err);
}

/* A source that is given is an input: one that cannot be read ends the command. */
static roof_status draw_beside(const arguments *a, inputs *in, const inputs *baseline, roof_error *err)
{
    if (a->source)
        TRY(cli_read_model(a->source, NULL, &in->source, err));
    FOR_EACH(roof_report_graph, g, in->graphs, in->n_graphs) {
        const roof_report_graph *older = a->source ? NULL : older_of(baseline, g);
        if (in->source && strcmp(in->source->graph_hash, g->graph->graph_hash) == 0)
            TRY(leave_alone(in, g, a->source, "both are the same network", err));
        else if (in->source)
            TRY(pair(in, g, in->source, a->source, err));
        else if (older)
            TRY(pair(in, g, older->graph, older->prediction->model.path, err));
    }
    return ROOF_OK;
}

/* --- the command -------------------------------------------------------------------------------------- */

/* Without gnuplot the rest is there. The page's name is the result. */
static roof_status write_report(const roof_report_input *input, const char *folder, roof_error *err)
{
    outputs set;
    textbuf name;
    TRY(outputs_begin(&set, err));
    roof_status written = roof_report_write(input, folder, err);
    roof_status status = written == ROOF_E_DEVICE ? ROOF_OK : written;
    text_init(&name, TEXT_MAX_BYTES);
    text_shown(&name, folder);
    text_puts(&name, *folder && folder[strlen(folder) - 1] == '/' ? "index.html\n" : "/index.html\n");
    if (status == ROOF_OK)
        status = cli_save_text(&name, NULL, err);
    else
        text_free(&name);
    status = outputs_end(&set, status, err);
    return status == ROOF_OK ? written : status;
}

/* A limit of a baseline stays unknown here: `roofline check` reads that. */
static roof_status check_budget(const roof_budget *budget, const inputs *in, roof_checks **out,
                                roof_error *err)
{
    if (!in->reconciliation && in->n_predictions != 1)
        return error_set(err, ROOF_E_USAGE, "--budget is of measured documents, or of one prediction");
    const roof_compare_side subject = {.name = *in->files,
                                       .measured = in->reconciliation,
                                       .prediction = in->reconciliation ? NULL : in->predictions[0]};
    return roof_budget_check(budget, &subject, NULL, out, err);
}

static int report(const arguments *a)
{
    inputs in = {0}, baseline = {0};
    roof_error err;
    roof_status status = read_inputs(a, &in, &err);
    THEN(status, read_baseline(a, &baseline, &in, &err));
    THEN(status, draw_beside(a, &in, &baseline, &err));
    THEN(status, !in.n_predictions && !in.n_curves ? cli_want_comparison(in.reconciliation, &err) : ROOF_OK);
    roof_history *history = NULL;
    roof_budget *budget = NULL;
    roof_checks *checks = NULL;
    THEN(status, a->budget ? roof_budget_read(a->budget, &budget, &err) : ROOF_OK);
    THEN(status, budget ? check_budget(budget, &in, &checks, &err) : ROOF_OK);
    THEN(status, a->history ? roof_history_open(a->history, ROOF_HISTORY_READ, &history, &err) : ROOF_OK);
    if (status == ROOF_OK) {
        const roof_report_input input = {.reconciliation = in.reconciliation,
                                         .predictions = in.predictions,
                                         .n_predictions = in.n_predictions,
                                         .unpredicted = in.unpredicted,
                                         .n_unpredicted = in.n_unpredicted,
                                         .curves = in.curves,
                                         .n_curves = in.n_curves,
                                         .memories = in.memories,
                                         .n_memories = in.n_memories,
                                         .graphs = in.graphs,
                                         .n_graphs = in.n_graphs,
                                         .calibration = in.fitted,
                                         .baseline = baseline.reconciliation,
                                         .baseline_predictions = baseline.predictions,
                                         .n_baseline_predictions = baseline.n_predictions,
                                         .history = history,
                                         .checks = checks,
                                         .command = a->command,
                                         .date = a->date,
                                         .is_summary = a->summary,
                                         .files = in.files,
                                         .n_files = in.n_files,
                                         .watch = cli_watch};
        if (cli_is_watched())
            cli_note("drawing and writing %.200s", a->common.output.path);
        status = write_report(&input, a->common.output.path, &err);
        cli_progress("%s", "");
    }
    roof_history_close(history);
    roof_checks_free(checks);
    roof_budget_free(budget);
    uint32_t n_findings = in.reconciliation ? in.reconciliation->n_findings : 0;
    for (uint32_t i = 0; i < in.n_predictions; i++)
        n_findings += in.predictions[i]->n_findings;
    int exit_code =
        status == ROOF_OK ? cli_done_comparing(in.reconciliation, a->strict, n_findings) : cli_fail(&err);
    free_inputs(&in);
    free_inputs(&baseline);
    return exit_code;
}

int cmd_report(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "FILE...", doc, NULL, 0, 0};
    static arguments a; /* what it holds is not lost where cli_parse does not return */
    a = (arguments){.common = {.missing = "of what? Give models, predictions as JSON, or measured documents",
                               .output.only = "folder"}};
    struct stat st;
    int exit_code;
    text_init(&a.line, TEXT_MAX_BYTES);
    text_puts(&a.line, "roofline report");
    for (int i = 1; i < argc; i++) {
        char word[400];
        const size_t dashes = strspn(argv[i], "-"), /* of an option, whose name is --hw= */
            name = strspn(argv[i] + dashes, "abcdefghijklmnopqrstuvwxyz-");
        const char *text = argv[i] + dashes;
        if (dashes == 2 && text[name] == '=' && !strchr("-+", text[name + 1]))
            text += name + 1;
        text_printf(&a.line, " %.*s%s", (int)(text - argv[i]), argv[i],
                    *text ? quote_for_shell(word, sizeof word, text, "...") : "");
    }
    const bool goes_on = cli_parse(&argp, argc, argv, &a);
    a.command = a.line.bytes;
    if (!goes_on)
        exit_code = CLI_DONE;
    else if (a.line.failed)
        exit_code = cli_fail_memory();
    else if (stat(a.common.output.path, &st) == 0 && !S_ISDIR(st.st_mode))
        exit_code = cli_fail_usage("-o %.200s is a file, want a folder", a.common.output.path);
    else
        exit_code = report(&a);
    text_free(&a.line);
    return exit_code;
}
