/* roof_predict: graph and hardware in, prediction out. fill has the steps in the order of the data. */
#include "model/graph/format.h"
#include "model/lower/lower.h"
#include "model/predict/causes/predicted_cause.h"
#include "model/predict/predictor.h"
#include "model/predict/schedule.h"

static roof_status describe_model(predictor *p, const roof_predict_options *options)
{
    const roof_graph *g = p->graph;
    p->out->model.path = arena_strdup(p->arena, g->path);
    p->out->model.format = g->format;
    /* the graph's own name is often "deploy" or a class name; the file's name is what its owner knows */
    p->out->model.name = p->program.name[0] ? p->program.name : graph_stem(g, p->arena);
    p->out->model.graph_hash = arena_strdup(p->arena, g->graph_hash);
    p->out->model.compiler = g->compiler[0] ? arena_strdup(p->arena, g->compiler) : NULL;
    p->out->model.target = p->program.target.name;
    p->out->model.fingerprint = p->program.target.fingerprint;
    p->out->model.compiled = g->compiled;
    p->out->model.address = g->storage->format->address;
    p->out->model.beside = p->program.beside;
    p->out->model.n_beside = p->program.n_beside;
    if (options->hash) {
        char hex[65];
        TRY(roof_graph_file_sha256(g, hex, p->err));
        p->out->model.sha256 = arena_strdup(p->arena, hex);
    }
    return arena_status(p->arena, p->err);
}

static roof_status describe_hardware(predictor *p)
{
    p->out->hardware.id = arena_strdup(p->arena, roof_hw_id(p->hw));
    p->out->hardware.name = p->view.array == p->hw
                                ? arena_strdup(p->arena, roof_hw_name(p->hw))
                                : arena_printf(p->arena, "%s in %s%s", roof_hw_name(p->view.array),
                                               p->is_around_array ? "" : "place of ", roof_hw_name(p->hw));
    p->out->hardware.board = arena_strdup(p->arena, roof_hw_board(p->hw));
    p->out->hardware.family = arena_strdup(p->arena, roof_hw_family(p->hw));
    p->out->hardware.law = p->law->id;
    p->out->hardware.clock_hz = p->view.clock_hz;
    p->out->hardware.bandwidth_bytes_per_s = p->view.memory_bytes_per_s;
    p->out->hardware.cores = p->view.cores;
    p->out->hardware.batch_lanes = p->view.batch_lanes;
    p->out->hardware.launch_floor_s = hw_view_value(&p->view, NAN, "launch.floor");
    p->out->hardware.peak_ops_per_s =
        p->view.lacks_rate ? NAN : p->fit.engines[ROOF_ENGINE_ARRAY].most_per_cycle * p->view.clock_hz;
    p->out->facts_of_verdict.hardware = arena_strdup(p->arena, roof_hw_name(p->hw));
    p->out->facts_of_verdict.made_for =
        p->target_hw ? arena_strdup(p->arena, roof_hw_name(p->target_hw)) : p->program.target.name;
    p->out->facts_of_verdict.board_is_assumed = roof_hw_board_is_assumed(p->hw);
    p->out->facts_of_verdict.least_call_s = p->least_call_s;
    p->out->facts_of_verdict.n_binding = p->fit.n_binding;
    TRY(ARENA_GET(p->arena, p->out->engines, p->fit.n_engines, p->err));
    for (; p->out->n_engines < p->fit.n_engines; p->out->n_engines++)
        p->out->engines[p->out->n_engines] = arena_strdup(p->arena, p->fit.engines[p->out->n_engines].name);
    return arena_status(p->arena, p->err);
}

/* ---- values with their sources ------------------------------------------------------------------------- */

typedef struct what_if {
    const char *key, *unit;
    double value; /* 0: not requested */
} what_if;

/* The value that counts: that of the hardware, or the caller's in its place. */
static roof_status add_constant(predictor *p, const roof_quantity *q, const what_if *requested,
                                size_t n_requested)
{
    roof_quantity *constants =
        arena_grow(p->arena, p->out->hardware.constants, p->out->hardware.n_constants, sizeof *q);
    TRY(ALLOCATED(constants, p->err));
    roof_quantity *c = &constants[p->out->hardware.n_constants++];
    p->out->hardware.constants = constants;
    *c = *q;
    for (size_t i = 0; i < n_requested; i++)
        if (requested[i].value > 0 && strcmp(requested[i].key, q->key) == 0) {
            c->value = requested[i].value;
            c->kind = ROOF_KIND_ASSUMED;
            c->source = "requested, in place of the device's own";
            c->caveat = NULL; /* it was said of the value of the hardware */
        }
    c->key = arena_strdup(p->arena, c->key);
    c->unit = arena_strdup(p->arena, c->unit);
    c->source = arena_strdup(p->arena, c->source);
    c->caveat = c->caveat ? arena_strdup(p->arena, c->caveat) : NULL;
    return arena_status(p->arena, p->err);
}

/* True for keys that make no time here: resources of a device and of a core, by which boards are built;
 * constants that only make times of uncompiled graphs in epochs; and those of stacks that run language
 * models, of which a device has several, and which say nothing of other networks. */
static bool is_of_others(const predictor *p, const char *key)
{
    text_span rest = span_of(key);
    if (!span_skip(&rest, "expect."))
        return span_begins(rest, "device.") || span_begins(rest, "resource.");
    (void)span_take_until(&rest, ".");
    const text_span method = span_take_until(&rest, ".");
    return (!p->program.epochs && span_is(method, "epochs")) ||
           (!p->graph->storage->language && (span_is(method, "decode") || span_begins(method, "prefill")));
}

/* Array and board may be two entries: each key counts where the law would look for it. */
static roof_status add_constants(predictor *p)
{
    const roof_predict_options *o = &p->out->options;
    const what_if requested[] = {{"clock", "Hz", o->clock_hz},
                                 {"cores", "count", o->cores},
                                 {"ddr.bandwidth", "B/s", o->bandwidth_bytes_per_s}};
    const size_t n_requested = N_OF(requested);
    const roof_hw *const entries[] = {p->view.board, p->view.array};
    for (size_t e = 0; e < (entries[0] == entries[1] ? 1 : 2); e++)
        for (size_t i = 0; roof_hw_at(entries[e], i); i++) {
            const roof_quantity *q = roof_hw_at(entries[e], i);
            if (hw_view_get(&p->view, q->key) == q && !is_of_others(p, q->key))
                TRY(add_constant(p, q, requested, n_requested));
        }
    for (size_t i = 0; i < n_requested; i++)
        if (requested[i].value > 0 &&
            !NAMED(p->out->hardware.constants, p->out->hardware.n_constants, key, requested[i].key)) {
            const roof_quantity absent = {.key = requested[i].key, .unit = requested[i].unit, .source = ""};
            TRY(add_constant(p, &absent, requested, n_requested));
        }
    return ROOF_OK;
}

/* The most that engines and memories of the hardware do, and the sources of its values. */
static roof_status describe_constants(predictor *p)
{
    const law_fit *fit = &p->fit;
    roof_ceiling *ceilings;
    TRY(ARENA_GET(p->arena, ceilings, fit->n_engines, p->err));
    /* engines that the hardware does not have, or of which no rate is known, have no ceiling */
    for (uint32_t e = 0; e < fit->n_engines; e++) {
        double per_s = fit->engines[e].most_per_cycle * p->view.clock_hz;
        double reached = fit->reached_per_cycle[e] * p->view.clock_hz;
        bool computes = e < fit->n_compute;
        if (!(per_s > 0))
            continue;
        ceilings[p->out->hardware.n_ceilings++] =
            (roof_ceiling){.engine = p->out->engines[e],
                           .meaning = fit->engines[e].meaning,
                           .ops_per_s = computes ? per_s : NAN,
                           .bytes_per_s = computes ? NAN : per_s,
                           .reached_per_s = reached > 0 ? reached : NAN};
    }
    p->out->hardware.ceilings = ceilings;
    p->out->hardware.has_pools = p->program.memories;
    p->out->hardware.pools = p->program.memories ? p->fit.memories : NULL;
    p->out->hardware.n_pools = p->program.memories ? fit->n_memories : 0;
    for (uint32_t i = 0; i < p->out->hardware.n_pools; i++)
        p->out->hardware.pools[i].name = arena_strdup(p->arena, p->out->hardware.pools[i].name);
    TRY(arena_status(p->arena, p->err));
    return add_constants(p);
}

/* ---- steps --------------------------------------------------------------------------------------------- */

/* Operators of the file that each row stands for, by their names and places in it. */
static roof_status name_operators(predictor *p)
{
    bool *is_shared = NULL;
    const char **copies; /* an operator may be in two rows */
    /* operators that lie in the file, by name; one whose name others have, too, names nothing */
    namemap *names = namemap_new(p->rows, p->graph->n_ops);
    TRY(ALLOCATED(names, p->err));
    TRY(ARENA_GET(p->rows, is_shared, p->graph->n_ops, p->err));
    for (uint32_t i = 0; i < p->graph->n_ops; i++) {
        const roof_op *one = &p->graph->ops[i];
        const size_t length = strlen(one->name);
        if (one->node == ROOF_NONE || namemap_add(names, one->name, length, i))
            continue;
        is_shared[i] = is_shared[namemap_find(names, one->name, length)] = true;
    }
    TRY(ARENA_GET(p->rows, copies, p->graph->n_ops, p->err));
    for (uint32_t r = 0; r < p->program.n_rows; r++) {
        const roof_row *row = &p->program.rows[r];
        roof_layer_prediction *l = &p->out->layers[r];
        TRY(ARENA_GET2(p->arena, l->operators, l->nodes, row->n_operators, p->err));
        for (uint32_t i = 0; i < row->n_operators; i++) {
            const uint32_t k = row->operators[i];
            const roof_op *op = &p->graph->ops[k];
            if (op->node == ROOF_NONE)
                continue;
            if (!copies[k])
                copies[k] = is_shared[k] || op->is_unnamed ? "" : arena_strdup(p->arena, op->name);
            TRY(ALLOCATED(copies[k], p->err));
            l->operators[l->n_operators++] = copies[k];
            l->nodes[l->n_nodes++] = op->node;
        }
    }
    return ROOF_OK;
}

roof_status predictor_begin(predictor *p, const roof_predict_options *options)
{
    if (p->shared)
        p->program = p->shared->program;
    else
        TRY(lower_build(p->graph, p->hw, options->without_rules, p->arena, p->rows, &p->program, p->err));
    for (uint32_t i = 0; p->types && i < p->program.n_rows; i++) {
        roof_work *work = &p->program.rows[i].work;
        roof_demand *demands;
        TRY(ARENA_GET(p->rows, demands, work->n_demands, p->err));
        for (uint32_t k = 0; k < work->n_demands; k++) {
            demands[k] = work->demands[k];
            demands[k].types = p->types;
        }
        work->demands = demands;
    }
    findings_append(&p->found, &p->program.findings[ROOF_ABOUT_TARGET]);
    return predictor_choose_hardware(p);
}

/* What is known before its rows are: the program, the hardware, and how it runs code. */
static roof_status begin_one(predictor *p, const roof_predict_options *options)
{
    TRY(ALLOCATED(p->out = NEW(p->arena, roof_prediction), p->err));
    p->requested_type = options->data_type;
    p->found.arena = p->out->arena = p->arena;
    roof_predict_options *kept = &p->out->options;
    *kept = *options;
    kept->calibration = NULL; /* the caller's */
    kept->stack = kept->data_type = NULL;
    kept->what_if = NULL;
    kept->changes = NULL;
    kept->load = NULL;
    kept->anchors = NULL;
    kept->own_times = kept->other_device_times = NULL;
    kept->n_anchors = kept->n_own_times = kept->n_other_device_times = 0;
    if (!kept->batch)
        kept->batch = 1;
    TRY(predictor_begin(p, options));
    return predictor_choose_timing(p, options->stack ? options->stack : p->program.stack);
}

static roof_status fill(predictor *p, const roof_predict_options *options)
{
    TRY(describe_model(p, options));
    TRY(describe_hardware(p));
    const roof_commands *commands = &options->commands;
    if (commands->predict)
        p->out->facts_of_verdict.commands.predict = arena_strdup(p->arena, commands->predict);
    if (commands->advise)
        p->out->facts_of_verdict.commands.advise = arena_strdup(p->arena, commands->advise);
    predictor_doubt_options(p);
    if (!p->shared) /* of a point of many nobody asks for them, nor for what follows from its figures */
        TRY(describe_constants(p));
    findings_append(&p->found, &p->program.findings[ROOF_ABOUT_ROWS]);
    TRY(predictor_add_rows(p));
    if (options->names_operators)
        TRY(name_operators(p));
    TRY(predictor_total(p));
    TRY(predictor_host_rows(p));
    TRY(predictor_schedule(p));
    predictor_rates(p);
    TRY(predictor_placement(p));
    p->out->is_language = p->graph->storage->language;
    p->out->language.expected.seconds = NAN;
    TRY(predictor_expect(p, options));
    if (!p->shared)
        TRY(predictor_published(p, options));
    if (options->load)
        TRY(predictor_throughput(p, options->load));
    TRY(predictor_what_if(p, options));
    if (!p->shared)
        TRY(predicted_causes_find(p->out, p->err));
    p->out->findings = p->found.items;
    p->out->n_findings = p->found.n;
    return ROOF_OK;
}

/* Frees what is not the prediction's, and the prediction where it failed. */
static roof_status end_one(predictor *p, roof_status status)
{
    THEN(status, arena_status(p->arena, p->err));
    if (p->code)
        p->code->room = NULL; /* it is of these */
    if (!p->shared)
        roof_hw_free(p->target_hw);
    roof_hw_free(p->typed_hw);
    p->typed_hw = NULL;
    /* for an error of a folder of descriptions the model is not to blame */
    if (status != ROOF_OK && status != ROOF_E_IO)
        error_prefix(p->err, "%s", p->graph->path);
    return status;
}

/* types: of the operands of all that multiplies, in place of what the tensors tell; NULL. */
static roof_status predict_one(const roof_graph *graph, const roof_hw *hw, const char *types,
                               const roof_predict_options *options, roof_prediction **out, roof_error *err)
{
    static const roof_predict_options defaults;
    predictor p = {
        .graph = graph, .hw = hw, .types = types, .arena = arena_new(0), .rows = arena_new(0), .err = err};
    options = options ? options : &defaults;
    roof_status status = ALLOCATED(p.arena && p.rows, err);
    THEN(status, begin_one(&p, options));
    THEN(status, fill(&p, options));
    status = end_one(&p, status);
    arena_free(p.rows);
    if (status != ROOF_OK)
        arena_free(p.arena);
    else
        *out = p.out;
    return status;
}

/* ---- many points of a graph ---------------------------------------------------------------------------- */

roof_status predict_program_make(const roof_graph *graph, const roof_hw *hw, predict_program *out,
                                 roof_error *err)
{
    *out = (predict_program){.arena = arena_new(0)};
    roof_program *program = &out->program;
    roof_status status = ALLOCATED(out->arena, err);
    THEN(status, lower_build(graph, hw, 0, out->arena, out->arena, program, err));
    THEN(status, predictor_find_target(graph, &program->target, &out->target_hw, err));
    THEN(status, ARENA_GET(out->arena, out->has_code, program->n_rows, err));
    for (uint32_t i = 0; status == ROOF_OK && i < program->n_streams; i++) {
        const roof_stream *stream = &program->streams[i];
        for (uint32_t k = 0; k < stream->n_tasks; k++)
            if (stream->tasks[k].row != ROOF_NONE)
                out->has_code[stream->first_row + stream->tasks[k].row] = true;
    }
    out->hw = status == ROOF_OK ? hw : NULL;
    return status == ROOF_E_IO ? status : error_placed(status, err, "%s", graph->path);
}

/* No rule of a compiler asks for the clock or the memory's rate. */
bool predict_program_serves(const predict_program *program, const roof_graph *graph, const roof_hw *hw)
{
    static const char *const of_board[] = {"clock", "ddr.bandwidth"};
    size_t i = 0, k = 0;
    if (!program->hw || strcmp(roof_hw_family(program->hw), roof_hw_family(hw)) != 0)
        return false;
    if (program->hw == hw || !lower_applies(graph, hw))
        return true;
    for (;; i++, k++) {
        const roof_quantity *a, *b;
        while ((a = roof_hw_at(program->hw, i)) && IS_ONE_OF(of_board, a->key))
            i++;
        while ((b = roof_hw_at(hw, k)) && IS_ONE_OF(of_board, b->key))
            k++;
        if (!a || !b)
            return a == b;
        if (strcmp(a->key, b->key) != 0 || strcmp(a->unit, b->unit) != 0 || a->value != b->value)
            return false;
    }
}

void predict_program_free(predict_program *program)
{
    arena_free(program->arena);
    roof_hw_free(program->target_hw);
    *program = (predict_program){.arena = NULL};
}

roof_status predict_points_begin(predict_points *points, const predict_program *program,
                                 const roof_graph *graph, const roof_hw *hw,
                                 const roof_predict_options *options, uint32_t n, roof_error *err)
{
    points->of = points->of ? points->of : calloc(PREDICT_MOST_POINTS, sizeof *points->of);
    points->rows = points->rows ? points->rows : arena_new(0);
    points->prediction = points->prediction ? points->prediction : arena_new(0);
    TRY(ALLOCATED(points->of && points->rows && points->prediction, err));
    for (uint32_t i = 0; i < n; i++) {
        predict_point *point = &points->of[i];
        roof_arena *arena = point->is.arena ? point->is.arena : arena_new(0);
        TRY(ALLOCATED(arena, err));
        roof_hw_free(point->is.typed_hw);
        arena_reset(arena);
        point->is =
            (predictor){.graph = graph, .hw = hw, .shared = program, .arena = arena, .err = &point->why};
        point->options = options[i];
        point->status = begin_one(&point->is, &point->options);
        THEN(point->status, arena_status(arena, &point->why));
        if (point->status != ROOF_OK)
            point->status = end_one(&point->is, point->status);
    }
    const roof_status status = predictor_replay_points(points->of, n, points->rows, err);
    arena_reset(points->rows);
    return status;
}

roof_status predict_points_take(predict_points *points, uint32_t i, roof_prediction **out, roof_error *err)
{
    predict_point *point = &points->of[i];
    arena_reset(points->prediction);
    if (point->status == ROOF_OK) {
        roof_arena *const begun = point->is.arena;
        point->is.arena = point->is.found.arena = points->prediction;
        point->is.rows = points->rows;
        point->status = end_one(&point->is, fill(&point->is, &point->options));
        point->is.arena = begun;
    }
    arena_reset(points->rows);
    if (point->status == ROOF_OK)
        *out = point->is.out;
    else
        *err = point->why;
    return point->status;
}

void predict_points_free(predict_points *points)
{
    for (uint32_t i = 0; points->of && i < PREDICT_MOST_POINTS; i++) {
        roof_hw_free(points->of[i].is.typed_hw);
        arena_free(points->of[i].is.arena);
    }
    arena_free(points->prediction);
    arena_free(points->rows);
    free(points->of);
    *points = (predict_points){.of = NULL};
}

/* ---- alternatives -------------------------------------------------------------------------------------- */

static uint32_t rows_left_out(const roof_prediction *p)
{
    uint32_t n = 0;
    FOR_EACH(const roof_layer_prediction, l, p->layers, p->n_layers)
        n += roof_layer_is_left_out(p, l);
    return n;
}

static roof_status add_alternative(roof_prediction *p, const char *label, const roof_prediction *other,
                                   bool is_asked, roof_error *err)
{
    /* an expected part stands beside no whole */
    const bool is_expected = rows_left_out(other) <= rows_left_out(p);
    const double *ends = other->total.predicted_ci95_s, ideal_s = other->total.deployed.ideal_s,
                 best_s = roof_best_s(other), most_per_s = other->total.most_inferences_per_s;
    return ARENA_ADD(
        p->arena, p->alternatives, p->n_alternatives, err,
        (roof_alternative){
            .label = label,
            .ideal_s = ideal_s,
            .yield_per_s = roof_yield_per_s(other),
            .bytes = roof_traffic_total(&other->total.deployed.traffic),
            .is_asked = is_asked,
            .best_s = best_s,
            .most_per_s = fmin(roof_yield_per_s(other) * ideal_s / best_s,
                               most_per_s * (other->total.yield.unit ? other->total.yield.count : 1)),
            .expected_s = is_expected ? other->total.predicted_s : (double)NAN,
            .expected_ci95_s = {is_expected ? ends[0] : (double)NAN, is_expected ? ends[1] : (double)NAN}});
}

static roof_status add_alternatives(const roof_graph *graph, const roof_hw *hw, roof_prediction *p,
                                    roof_error *err)
{
    const graph_format *format = graph->storage->format;
    const mapfile *file = &graph->storage->file;
    roof_predict_options options = p->options;
    format_alternative what;
    options.hash = options.names_operators = false;
    for (uint32_t i = 0; format->alternative && format->alternative(graph, i, p->arena, &what); i++) {
        const char *requested = p->n_alternatives ? p->alternatives->label : NULL;
        if (requested && what.label && strcmp(requested, what.label) == 0)
            continue;
        roof_graph *read;
        roof_prediction *other = NULL;
        TRY(graph_read_memory_as(file->bytes, file->size_bytes, graph->path, &what.workload, &read, err));
        roof_status status = predict_one(read, hw, NULL, &options, &other, err);
        if (status == ROOF_E_DATA) /* a network that this hardware cannot hold is no alternative on it */
            status = ROOF_OK;
        else
            THEN(status, add_alternative(p, what.label, other, false, err));
        roof_prediction_free(other);
        roof_graph_free(read);
        TRY(status);
    }
    return arena_status(p->arena, err);
}

/* Adds the requested changes, before other alternatives. */
static roof_status add_requested(const roof_graph *graph, const roof_hw *hw, roof_prediction *p,
                                 const roof_changes *changes, roof_error *err)
{
    alternative_case one = {0};
    roof_prediction *other = NULL;
    roof_predict_options options = p->options;
    options.hash = options.names_operators = false;
    options.explores = ROOF_EXPLORE_NOTHING;
    roof_status status = alternative_begin(graph, hw, p, changes, p->arena, &one, err);
    THEN(status, predict_one(one.graph, one.hw, one.is_of_tensors ? changes->precision : NULL, &options,
                             &other, err));
    THEN(status, alternative_check(&one, other, changes, err));
    THEN(status, add_alternative(p, one.label, other, true, err));
    roof_prediction_free(other);
    alternative_end(&one);
    return status;
}

roof_status roof_predict(const roof_graph *graph, const roof_hw *hw, const roof_predict_options *options,
                         roof_prediction **out, roof_error *err)
{
    roof_prediction *p = NULL;
    TRY(predict_one(graph, hw, NULL, options, &p, err));
    roof_status status =
        options && options->changes ? add_requested(graph, hw, p, options->changes, err) : ROOF_OK;
    THEN(status, add_alternatives(graph, hw, p, err));
    return GIVE(status, out, p, roof_prediction_free);
}

roof_transfer roof_layer_transfer(const roof_layer_prediction *layer, uint32_t engine)
{
    for (uint32_t i = 0; i < layer->n_transfers; i++)
        if (layer->transfers[i].memory == engine)
            return layer->transfers[i];
    return (roof_transfer){0};
}

ARENA_FREES(roof_prediction_free, roof_prediction, prediction)
