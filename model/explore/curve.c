/* A language model over its context: at each point the rows are built and put through the law of the hardware
 * as roof_predict does it, so that bounds are the same ones; constants of the stack are looked up once.
 */
#include "model/graph/format.h"
#include "model/graph/program_build.h"
#include "model/predict/language_times.h"
#include "model/predict/predictor.h"

/* State that all points of one model share. */
typedef struct walker {
    predictor p;
    const roof_language_model *model;
    roof_language_point point;                          /* the forms, and the batch */
    language_constants constants[ROOF_TEXT_DECODE + 1]; /* by phase */
    law_fit fits[ROOF_TEXT_DECODE + 1];
    roof_language_memory memory;
    roof_prediction prediction; /* in which the predictor keeps its options */
    roof_arena *scratch;        /* of a point */
    double array_s, moved_s;    /* of the last point: what each would take alone */
    uint64_t memory_bytes;
    roof_error *err;
} walker;

/* ---- beginning ----------------------------------------------------------------------------------------- */

static roof_status check_graph(const roof_graph *graph, const char *what, roof_error *err)
{
    if (graph->storage->language && graph->storage->format->at_point)
        return ROOF_OK;
    return error_set(
        err, ROOF_E_USAGE,
        "%.200s: want the config.json of a language model %s; this is %s, whose time does not follow a "
        "context",
        graph->path, what, graph->storage->format->doc);
}

static roof_status begin(walker *w, const roof_graph *graph, const roof_hw *hw, const roof_curve_options *o,
                         roof_arena *arena, roof_error *err)
{
    const uint32_t batch = o->batch ? o->batch : 1;
    *w = (walker){.model = graph->storage->language,
                  .point = *graph->storage->language_point,
                  .memory_bytes = o->memory_bytes,
                  .err = err};
    w->prediction.arena = arena;
    w->prediction.options = (roof_predict_options){.batch = batch,
                                                   .memory_bytes = o->memory_bytes,
                                                   .clock_hz = o->clock_hz,
                                                   .bandwidth_bytes_per_s = o->bandwidth_bytes_per_s};
    w->point.batch = batch;
    w->scratch = arena_new(0);
    TRY(ALLOCATED(w->scratch, err));
    w->p = (predictor){.graph = graph,
                       .hw = hw,
                       .out = &w->prediction,
                       .arena = arena,
                       .found = {.arena = arena},
                       .rows = w->scratch,
                       .err = err};
    TRY(predictor_begin(&w->p, &w->prediction.options));
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): it has begun, so there is a law */
    const char *stack = o->stack ? arena_strdup(arena, o->stack) : w->p.law->load ? w->p.program.stack : NULL;
    for (roof_text_phase phase = ROOF_TEXT_PREFILL; phase <= ROOF_TEXT_DECODE; phase++) {
        language_request requested = {.view = &w->p.view,
                                      .hardware = arena_strdup(arena, roof_hw_id(hw)),
                                      .model = w->model,
                                      .point = w->point,
                                      .stack = stack,
                                      .is_changed = predictor_is_changed(&w->p)};
        requested.point.phase = phase;
        TRY(arena_status(arena, err));
        TRY(language_constants_of(&requested, arena, &w->constants[phase], err));
        if (o->n_anchors && phase == ROOF_TEXT_DECODE)
            TRY(language_anchor(&w->constants[phase], &requested, o->anchors, o->n_anchors, arena, err));
    }
    w->point.tokens = 1;
    return language_memory_of(&w->p.view, w->model, &w->point, w->memory_bytes, &w->memory, err);
}

static void end(walker *w)
{
    roof_hw_free(w->p.target_hw);
    roof_hw_free(w->p.typed_hw);
    arena_free(w->scratch);
}

/* ---- a point ------------------------------------------------------------------------------------------- */

/* The rows of a point on this hardware: a layer's ideal time is that of its longest engine. */
static roof_status add_bound(walker *w, const roof_graph *g, const roof_program *program,
                             roof_curve_point *out)
{
    law_fit *fit = &w->fits[out->phase];
    uint64_t parts[ROOF_LANGUAGE_PARTS] = {0}, total = 0;
    double array = 0, moved = 0; /* cycles */
    law_cost *costs;
    law_pass_row *pass;
    TRY(ARENA_GET2(w->scratch, costs, pass, program->n_rows, w->err));
    if (!fit->law) /* types of operands are those of the phase */
        TRY(law_fit_to(w->p.law, &w->p.view, program, w->point.batch, w->p.arena, fit, w->err));
    for (uint32_t i = 0; i < program->n_rows; i++) {
        TRY(law_apply(fit, g, &program->rows[i].work, &costs[i], w->err));
        pass[i] = (law_pass_row){costs[i].cycles, costs[i].given_bytes, program->rows[i].repeat};
    }
    law_share_caches(fit, pass, program->n_rows, NULL);
    for (uint32_t i = 0; i < program->n_rows; i++) {
        const roof_row *row = &program->rows[i];
        uint32_t engine = ROOF_NONE, other;
        uint64_t cycles = law_most_cycles(costs[i].cycles, fit->n_binding, &engine);
        array += (double)law_most_cycles(costs[i].cycles, fit->n_compute, &other) * row->repeat;
        moved += (double)law_most_cycles(costs[i].cycles + fit->n_compute, fit->n_binding - fit->n_compute,
                                         &other) *
                 row->repeat;
        TRY(law_scale(&cycles, row->repeat, w->err));
        const bool is_mixer = i % LANGUAGE_BLOCK_ROWS == 1;
        parts[is_mixer                  ? ROOF_PART_CACHE
              : engine < fit->n_compute ? ROOF_PART_ARRAY
                                        : ROOF_PART_WEIGHTS] += cycles;
        if (__builtin_add_overflow(total, cycles, &total))
            return error_set(w->err, ROOF_E_LIMIT, "a total overflows 64 bits");
    }
    out->ideal_s = (double)total / w->p.view.clock_hz;
    w->array_s = array / w->p.view.clock_hz;
    w->moved_s = moved / w->p.view.clock_hz;
    for (int i = 0; i < ROOF_LANGUAGE_PARTS; i++)
        out->ideal_parts_s[i] = (double)parts[i] / w->p.view.clock_hz;
    return ROOF_OK;
}

static roof_status compute(walker *w, roof_text_phase phase, uint32_t tokens, roof_curve_point *out)
{
    struct roof_graph_storage storage = *w->p.graph->storage;
    roof_graph graph = *w->p.graph;
    roof_program program;
    w->point.phase = phase;
    w->point.tokens = tokens;
    arena_free(w->scratch); /* memory of the point before */
    w->scratch = arena_new(0);
    TRY(ALLOCATED(w->scratch, w->err));
    storage.arena = w->scratch;
    graph.storage = &storage;
    *out = (roof_curve_point){.phase = phase, .tokens = tokens};
    TRY(roof_language_count(w->model, &w->point, &out->counts, w->err));
    TRY(storage.format->at_point(&graph, &w->point, w->err));
    TRY(program_build_bare(&graph, w->p.hw, w->scratch, &program, w->err));
    TRY(add_bound(w, &graph, &program, out));
    out->memory = w->memory;
    language_memory_at(&out->counts, &w->point.weights, &out->memory);
    language_expect(&w->constants[phase], w->model, &w->point, &out->counts, &out->memory, &out->expected);
    language_keep_bound(out->ideal_s, &out->expected);
    const double *parts_s = isnan(out->expected.seconds) ? out->ideal_parts_s : out->expected.parts_s;
    out->binds = ROOF_PART_WEIGHTS;
    for (int i = 0; i < ROOF_LANGUAGE_PARTS; i++)
        if (parts_s[i] > parts_s[out->binds])
            out->binds = (roof_language_part)i;
    return ROOF_OK;
}

/* ---- a session ----------------------------------------------------------------------------------------- */

/* Sums over steps. */
enum { SUM_IDEAL, SUM_EXPECTED, SUM_LOW, SUM_HIGH, SUM_ARRAY, SUM_MOVED, SUMS };

/* of_one: what the array and the memory would take alone, as the walker found it of that point. */
static void add_steps(const roof_curve_point *p, const double of_one[2], double n, double sums_s[SUMS])
{
    const double one_s[SUMS] = {
        p->ideal_s, p->expected.seconds, p->expected.ci95_s[0], p->expected.ci95_s[1], of_one[0], of_one[1]};
    for (int k = 0; k < SUMS; k++)
        sums_s[k] += n * one_s[k];
}

/* Steps from one context to another, both included: by the trapezoids of a few of them. Between them a step's
 * time grows along a line, or less than that where a window fills up, so that a bound stays one. */
static roof_status sum_steps(walker *w, uint32_t first, uint32_t last, double sums_s[SUMS])
{
    enum { PIECES = 64 };
    const uint32_t pieces = last - first < PIECES ? last - first : PIECES;
    roof_curve_point x, y;
    TRY(compute(w, ROOF_TEXT_DECODE, first, &x));
    double before[2] = {w->array_s, w->moved_s};
    add_steps(&x, before, 1, sums_s);
    for (uint32_t i = 1; i <= pieces; i++) {
        const uint32_t at = first + (uint32_t)((uint64_t)(last - first) * i / pieces);
        const double half = (at - x.tokens - 1.0) / 2;
        TRY(compute(w, ROOF_TEXT_DECODE, at, &y));
        add_steps(&x, before, half, sums_s);
        before[0] = w->array_s;
        before[1] = w->moved_s;
        add_steps(&y, before, 1 + half, sums_s);
        x = y;
    }
    return ROOF_OK;
}

/* How many sequences of so many tokens the machine's memory holds; 0: none, or it is unknown. */
static roof_status sequences_that_fit(walker *w, uint32_t tokens, uint32_t *out)
{
    roof_language_point at = w->point;
    uint32_t fit = 0, above = MOST_SEQUENCES + 1;
    at.phase = ROOF_TEXT_DECODE;
    at.tokens = tokens;
    while (w->memory.available_bytes && above - fit > 1) {
        roof_language_memory memory = w->memory;
        roof_language_counts counts;
        at.batch = fit + (above - fit) / 2;
        TRY(roof_language_count(w->model, &at, &counts, w->err));
        language_memory_at(&counts, &at.weights, &memory);
        *(memory.need_bytes <= memory.available_bytes ? &fit : &above) = at.batch;
    }
    *out = fit;
    return ROOF_OK;
}

/* Many such sessions at once, at all stages, as a server batches them: neither the array nor the memory can
 * be busy for longer than the time. Weights are read once for all; a prompt may be read in pieces beside
 * them, so that it takes the array alone. */
static roof_status load_fully(walker *w, const roof_curve_options *o, roof_session *out)
{
    const uint32_t batch = w->point.batch, last = o->session_prompt + o->session_answer - 1;
    double steps_s[SUMS] = {0};
    roof_curve_point prompt;
    uint32_t fit;
    out->most_tokens_per_s = NAN;
    TRY(sequences_that_fit(w, o->session_prompt + o->session_answer / 2, &fit));
    if (!fit)
        return ROOF_OK;
    w->point.batch = 1;
    memset(w->fits, 0, sizeof w->fits); /* each is of a batch */
    TRY(compute(w, ROOF_TEXT_PREFILL, o->session_prompt, &prompt));
    double array_s = w->array_s, moved_s = 0;
    if (o->session_answer > 1) {
        w->point.batch = fit;
        memset(w->fits, 0, sizeof w->fits);
        TRY(sum_steps(w, o->session_prompt + 1, last, steps_s));
        array_s += steps_s[SUM_ARRAY] / fit;
        moved_s += steps_s[SUM_MOVED] / fit;
    }
    w->point.batch = batch;
    memset(w->fits, 0, sizeof w->fits);
    out->most_sequences = fit;
    out->most_tokens_per_s = o->session_answer / fmax(array_s, moved_s);
    return ROOF_OK;
}

/* The prompt makes the first token, and each step one more, after all that are there. */
static roof_status run_session(walker *w, const roof_curve_options *o, roof_session *out)
{
    roof_curve_point prompt;
    double steps_s[SUMS] = {0};
    TRY(compute(w, ROOF_TEXT_PREFILL, o->session_prompt, &prompt));
    if (o->session_answer > 1)
        TRY(sum_steps(w, o->session_prompt + 1, o->session_prompt + o->session_answer - 1, steps_s));
    const double n = o->session_answer > 1 ? o->session_answer - 1.0 : (double)NAN,
                 *ci95_s = prompt.expected.ci95_s;
    *out = (roof_session){.prompt_tokens = o->session_prompt,
                          .answer_tokens = o->session_answer,
                          .first_s = prompt.expected.seconds,
                          .first_ideal_s = prompt.ideal_s,
                          .first_ci95_s = {ci95_s[0], ci95_s[1]},
                          .last_s = prompt.expected.seconds + steps_s[SUM_EXPECTED],
                          .last_ideal_s = prompt.ideal_s + steps_s[SUM_IDEAL],
                          .last_ci95_s = {ci95_s[0] + steps_s[SUM_LOW], ci95_s[1] + steps_s[SUM_HIGH]},
                          .tokens_per_s = n / steps_s[SUM_EXPECTED],
                          .tokens_per_s_ci95 = {n / steps_s[SUM_HIGH], n / steps_s[SUM_LOW]},
                          .energy_j = NAN,
                          .energy_ci95_j = {NAN, NAN}};
    if (o->power_w > 0) {
        out->energy_j = o->power_w * out->last_s;
        for (size_t i = 0; i < 2; i++)
            out->energy_ci95_j[i] = o->power_w * out->last_ci95_s[i];
    }
    return load_fully(w, o, out);
}

/* ---- a draft ------------------------------------------------------------------------------------------- */

static double tokens_of_round(double accept, uint32_t ahead)
{
    return accept < 1 ? (1 - pow(accept, ahead + 1.0)) / (1 - accept) : ahead + 1.0;
}

static roof_status judge_draft(walker *w, const roof_hw *hw, const roof_curve_options *o, uint32_t tokens,
                               roof_arena *arena, roof_draft *out)
{
    walker *small;
    roof_curve_point own, proposed;
    roof_curve_options of_draft = {
        .stack = o->stack, .clock_hz = o->clock_hz, .bandwidth_bytes_per_s = o->bandwidth_bytes_per_s};
    TRY(check_graph(o->draft, "as a draft", w->err));
    TRY(compute(w, ROOF_TEXT_DECODE, tokens, &own));
    TRY(ARENA_GET(arena, small, 1, w->err));
    roof_status status = begin(small, o->draft, hw, &of_draft, arena, w->err);
    THEN(status, compute(small, ROOF_TEXT_DECODE, tokens, &proposed));
    const bool are_both =
        status == ROOF_OK && !isnan(own.expected.seconds) && !isnan(proposed.expected.seconds);
    end(small);
    TRY(status);
    /* an expectation and a bound make no ratio */
    const double step_s = are_both ? own.expected.seconds : own.ideal_s,
                 draft_s = are_both ? proposed.expected.seconds : proposed.ideal_s;
    const double verify_s = o->verify_s > 0 ? o->verify_s : step_s, round_s = verify_s + o->ahead * draft_s;
    *out = (roof_draft){.accept = o->accept,
                        .ahead = o->ahead,
                        .tokens = tokens,
                        .step_s = step_s,
                        .draft_s = draft_s,
                        .verify_s = verify_s,
                        .verify_kind = o->verify_s > 0 ? ROOF_MEASURED : ROOF_AT_LEAST,
                        .tokens_per_round = tokens_of_round(o->accept, o->ahead),
                        .break_even_accept = NAN,
                        .draft = arena_strdup(arena, small->model->name)};
    out->gain_ratio =
        are_both ? out->tokens_per_round * step_s / round_s : (double)NAN; /* of two bounds none */
    if (!are_both || tokens_of_round(1, o->ahead) * step_s < round_s)
        return arena_status(arena, w->err);
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        *(tokens_of_round(middle, o->ahead) * step_s < round_s ? &low : &high) = middle;
    }
    out->break_even_accept = high;
    return arena_status(arena, w->err);
}

/* ---- all ----------------------------------------------------------------------------------------------- */

static roof_status fill(walker *w, const roof_hw *hw, const roof_curve_options *o, roof_curve *out)
{
    roof_arena *arena = out->arena;
    out->model = arena_strdup(arena, w->model->name);
    out->path = arena_strdup(arena, w->p.graph->path);
    out->hardware = arena_strdup(arena, roof_hw_id(hw));
    out->hardware_name = arena_strdup(arena, roof_hw_name(hw));
    out->weights = w->point.weights.name;
    if (w->point.weights.group && strncmp(out->weights, "int", 3) == 0)
        out->weights = arena_printf(arena, "%s:%u", w->point.weights.name, w->point.weights.group);
    out->cache = w->point.cache.name;
    out->batch = w->point.batch;
    out->positions = w->model->positions;
    out->bandwidth_bytes_per_s = w->p.view.memory_bytes_per_s;
    out->n_anchors = o->n_anchors;
    if (o->n_anchors) {
        out->anchor_tokens = o->anchors->tokens;
        out->anchor_s = o->anchors->seconds;
    }
    TRY(ARENA_GET(arena, out->points, o->n_contexts + o->n_prompts, w->err));
    TRY(ARENA_GET(arena, out->measured, o->n_measured, w->err));
    for (; out->n_measured < o->n_measured; out->n_measured++)
        out->measured[out->n_measured] = o->measured[out->n_measured];
    for (uint32_t i = 0; i < o->n_contexts; i++)
        TRY(compute(w, ROOF_TEXT_DECODE, o->contexts[i], &out->points[out->n_points++]));
    out->n_decode = out->n_points;
    for (uint32_t i = 0; i < o->n_prompts; i++)
        TRY(compute(w, ROOF_TEXT_PREFILL, o->prompts[i], &out->points[out->n_points++]));
    for (uint32_t i = 0; i < out->n_points; i++)
        if (!isnan(out->points[i].expected.seconds))
            out->stack = out->points[i].expected.stack;
    out->has_session = o->session_answer;
    if (out->has_session)
        TRY(run_session(w, o, &out->session));
    out->has_draft = o->draft;
    const uint32_t at = o->n_contexts ? o->contexts[0] : o->prompts[0];
    return out->has_draft ? judge_draft(w, hw, o, at, arena, &out->draft) : ROOF_OK;
}

roof_status roof_curve_predict(const roof_graph *graph, const roof_hw *hw, const roof_curve_options *options,
                               roof_curve **out, roof_error *err)
{
    roof_arena *arena;
    walker *w;
    TRY(check_graph(graph, "for a curve", err));
    if (!options->n_contexts && !options->n_prompts)
        return error_set(err, ROOF_E_USAGE, "a curve wants contexts or prompts");
    if (options->draft && !(options->accept > 0 && options->accept <= 1))
        return error_set(err, ROOF_E_USAGE,
                         "a draft wants the part of its tokens that is accepted, above 0 up to 1");
    if (options->draft && (!options->ahead || options->ahead > 64))
        return error_set(err, ROOF_E_USAGE, "a draft proposes %u tokens ahead, want 1 to 64", options->ahead);
    if (options->session_answer && !options->session_prompt)
        return error_set(err, ROOF_E_USAGE, "an answer wants the length of its prompt");
    if ((uint64_t)options->session_prompt + options->session_answer > MOST_CONTEXT_TOKENS)
        return error_set(err, ROOF_E_USAGE, "prompt and answer have more than %d tokens",
                         MOST_CONTEXT_TOKENS);
    roof_curve *curve = NEW_ROOT(&arena, roof_curve, err);
    if (!curve)
        return ROOF_E_NO_MEMORY;
    curve->arena = arena;
    roof_status status = ARENA_GET(arena, w, 1, err);
    THEN(status, begin(w, graph, hw, options, arena, err));
    THEN(status, fill(w, hw, options, curve));
    if (w)
        end(w);
    status = arena_settle(arena, status, err);
    if (status == ROOF_OK)
        *out = curve;
    return status;
}

ARENA_FREES(roof_curve_free, roof_curve, curve)
