/* The time to expect on a board, by the law of boards.h: which set of published times answers what is asked,
 * and where none does. */
#include "model/predict/boards.h"
#include "model/predict/predictor.h"
#include "model/work/cost.h"
#include "model/work/traffic.h"

/* "int8", "int8 on 3 cores" where a number of cores was requested. NULL without memory. */
static const char *say_type(const predictor *p, const char *type, uint32_t asked_cores, uint32_t cores)
{
    return asked_cores && cores
               ? arena_printf(p->arena, "%s on %u core%s", type, cores, cores == 1 ? "" : "s")
               : type;
}

/* Sets that there are: "rknn int8, ncnn f16". NULL without memory. */
static const char *list_sets(const predictor *p, uint32_t asked_cores)
{
    const char *list = "";
    for (const board_set *set = board_at(roof_hw_id(p->hw), 0); set && list; set = board_next(set)) {
        const char *one = arena_printf(p->arena, "%s %s", set->stack,
                                       say_type(p, set->data_type, asked_cores, set->threads));
        if (one && !strstr(list, one))
            list = arena_printf(p->arena, "%s%s%s", list, *list ? ", " : "", one);
        else if (!one)
            list = NULL;
    }
    return list;
}

static board_size size_of(const predictor *p)
{
    board_size size = {.weights = p->out->total.sums.weight_elements,
                       .macs = known_count(p->out->total.macs)};
    FOR_EACH(const roof_row, row, p->program.rows, p->program.n_rows) {
        size.mac_rows += row->macs && row->macs != ROOF_UNKNOWN;
        for (uint32_t k = 0; k < row->work.n_demands && !size.has_attention; k++) {
            /* a product of two maps */
            const roof_op *op = &p->program.graph->ops[row->work.demands[k].op];
            size.has_attention = (op->rule == ROOF_RULE_MATMUL || op->rule == ROOF_RULE_ATTENTION) &&
                                 !op_input(p->program.graph, op, ROOF_ROLE_WEIGHTS);
        }
    }
    return size;
}

/* Runtimes that fuse attention do not run its rows one by one. */
#define MOST_PRODUCTS_RATIO 0.3

/* Multiply-accumulates of the smallest network whose times were fitted, MobileNetV3 small, halved, and of the
 * largest, FCN of ResNet-50 at 520 x 520, doubled: beyond, what a call and a launch cost tells more, or less,
 * than in any of them. */
#define LEAST_MACS 28e6
#define MOST_MACS  285e9

/* True if this set gives no expected time; why: the reason. */
static bool is_refused(const predictor *p, const board_question *q, const board_set *set, roof_remark *why)
{
    const double products = p->out->total.sums.product_macs / known_count(p->out->total.macs),
                 macs = known_count(p->out->total.macs) / q->batch;
    const board_question of_one = {q->hw, q->stack, q->data_type, 1, q->threads};
    if (!set && board_find(&of_one, BOARD_CONTEXTS))
        *why = REMARK(NOT_OF_BATCH, AS_TEXT(q->stack ? q->stack : q->hw), AS_COUNT(q->batch));
    else if (!set)
        *why = REMARK(NO_BOARD_TIMES, AS_TEXT(q->hw),
                      AS_TEXT(say_type(p, q->data_type ? q->data_type : "its type", q->threads, q->threads)),
                      AS_TEXT(q->stack ? q->stack : board_at(q->hw, 0)->stack),
                      AS_TEXT(list_sets(p, q->threads)));
    else if (set->verdict == BOARD_NOTHING)
        *why = REMARK(BOARD_TIMES_DIFFER, AS_TEXT(set->software), AS_TEXT(q->hw), AS_COUNT(set->points));
    else if (set->kind == BOARD_FUSING && products > MOST_PRODUCTS_RATIO)
        *why = REMARK(BOARD_FUSES, AS_RATIO(products), AS_TEXT(set->software));
    else if (!(macs >= LEAST_MACS && macs <= MOST_MACS))
        *why = REMARK(BOARD_OUTSIDE, AS("MACs", 2 * LEAST_MACS), AS("MACs", MOST_MACS / 2), AS("MACs", macs));
    else
        return false;
    return true;
}

/* A time that may be expected, and how sure it is. */
typedef struct answer_of_board {
    const board_set *set; /* by which rows have their shares; NULL: none is known */
    double seconds;       /* of an image; NaN: there is no such answer */
    double factor, p90_error;
    uint32_t cores;                   /* busy ones that it is of; 0: there is nothing to choose */
    const char *name, *from, *source; /* "your time on 'rk3576-npu'"; what it rests on */
} answer_of_board;

static double seconds_of(const predictor *p, const board_set *set)
{
    const roof_sums *sums = &p->out->total.sums;
    return board_seconds(set, sums, board_weights_share(set, sums, p->fit.batch), false);
}

static const char *say_left_out(const predictor *p, double median, double p90)
{
    return arena_printf(p->arena, "left out, half are within %.0f %% and nine of ten within %.0f %%",
                        100 * median, 100 * p90);
}

static answer_of_board by_law(const predictor *p, const board_set *set)
{
    const char *from = arena_printf(p->arena, "%u published networks of %u families, %s", set->points,
                                    set->families, set->software);
    return (answer_of_board){set,
                             seconds_of(p, set),
                             board_factor(set),
                             set->p90_error,
                             set->threads,
                             "the law of the published times alone",
                             arena_printf(p->arena, "%sfrom %s",
                                          set->verdict == BOARD_FACTOR_2 ? "within a factor of 2, " : "",
                                          from),
                             arena_printf(p->arena, "%s (%s)", from, set->source)};
}

/* Runtimes that divide one image among cores, and how much that has hastened it: three cores of an RK3588 1.1
 * to 1.3 times in public questions, 1.26 times for a U-Net (jaylfc/taOS issue 59, 2026); two cores not at
 * all, or as much. */
static const struct divided_image {
    const char *stack;
    double least, most;
} divided_images[] = {{"rknn", 1, 1.3}};

/* The set of one core where several are requested; NULL: how much they hasten is unknown. */
static const board_set *one_core_of(const board_question *q, board_kind kind,
                                    const struct divided_image **how)
{
    board_question one = *q;
    const board_set *set;
    one.threads = 1;
    if (q->threads < 2 || !(set = board_find(&one, kind)) || set->threads != 1)
        return NULL;
    *how = NAMED(divided_images, N_OF(divided_images), stack, set->stack);
    return *how ? set : NULL;
}

static answer_of_board by_one_core(const predictor *p, const board_set *set, uint32_t cores,
                                   const struct divided_image *how)
{
    answer_of_board answer = by_law(p, set);
    answer.cores = cores;
    answer.seconds /= sqrt(how->least * how->most);
    answer.factor *= sqrt(how->most / how->least);
    answer.p90_error = 0; /* nobody left such times out */
    answer.from = arena_printf(p->arena, "%s, and %u cores %.2g to %.2g times as fast for one image",
                               answer.from, cores, how->least, how->most);
    answer.source = arena_printf(p->arena, "%s, for one image on %u cores", answer.source, cores);
    return answer;
}

/* The set, or the shape of its stack, brought to the caller's own times. */
static roof_status by_own_times(predictor *p, const roof_predict_options *options, const board_set *set,
                                answer_of_board *out)
{
    board_set *own;
    board_point *points;
    const uint32_t n = options->n_own_times;
    TRY(ARENA_GET(p->arena, own, 1, p->err));
    TRY(ARENA_GET(p->arena, points, n, p->err));
    for (uint32_t i = 0; i < n; i++)
        points[i] = (board_point){options->own_times[i].sums, options->own_times[i].seconds};
    *own = *set;
    board_calibrate(own, points, n);
    const char *from =
        arena_printf(p->arena, "%u time%s of your own and the shape of %s (%s)", n, n == 1 ? "" : "s",
                     own->software, say_left_out(p, own->median_error, own->p90_error));
    *out = (answer_of_board){own,
                             seconds_of(p, own),
                             board_factor(own),
                             own->p90_error,
                             set->threads,
                             "your own times",
                             arena_printf(p->arena, "from %s", from),
                             from};
    return arena_status(p->arena, p->err);
}

/* The caller's time of this network on another device, carried over; of several the surest. */
static roof_status by_other_device(predictor *p, const roof_predict_options *options, const board_set *set,
                                   answer_of_board *out)
{
    FOR_EACH(const roof_own_time, own, options->other_device_times, options->n_other_device_times) {
        roof_hw *hw;
        TRY(roof_hw_load(own->name, &hw, p->err));
        const char *id = arena_strdup(p->arena, roof_hw_id(hw));
        roof_hw_free(hw);
        TRY(ALLOCATED(id, p->err));
        const board_transfer s = board_transfer_of(id, set);
        if (strcmp(id, set->hw) == 0) {
            FIND(&p->found, NULL, OWN_IS_ANSWER, AS_TEXT(id), AS_SECONDS(own->seconds));
            continue;
        }
        if (isnan(s.ratio))
            FIND(&p->found, NULL, NO_SHARED_NETWORKS, AS_TEXT(id), AS_TEXT(set->hw), AS_TEXT(set->stack),
                 AS_TEXT(set->data_type));
        if (isnan(s.ratio) || (!isnan(out->seconds) && s.p90_error >= out->p90_error))
            continue;
        const char *from =
            arena_printf(p->arena, "%.4g times your time on '%s', the median ratio of %u networks (%s)",
                         s.ratio, id, s.networks, say_left_out(p, s.median_error, s.p90_error));
        *out = (answer_of_board){NULL,         s.ratio * own->seconds,
                                 s.factor,     s.p90_error,
                                 set->threads, arena_printf(p->arena, "your time on '%s'", id),
                                 from,         from};
    }
    return arena_status(p->arena, p->err);
}

/* other: by the set of the other number of contexts, where it may be that one; NULL. Then the interval holds
 * both. set: by which rows have their shares. */
static roof_status expect(predictor *p, const answer_of_board *answer, const board_set *set,
                          const board_set *other)
{
    const double law_s = p->fit.batch * answer->seconds, best_s = roof_best_s(p->out);
    double *ci95_s = p->out->total.predicted_ci95_s;
    if (best_s > law_s * answer->factor) {
        FIND(&p->found, NULL, LAW_BELOW_BOUND, AS_TEXT(answer->name), AS_SECONDS(law_s), AS_SECONDS(best_s));
        return ROOF_OK;
    }
    ci95_s[0] = law_s / answer->factor;
    ci95_s[1] = law_s * answer->factor;
    if (other && answer->set == set) {
        const double other_s = p->fit.batch * seconds_of(p, other);
        const bool is_one = set->kind == BOARD_ONE_CONTEXT;
        ci95_s[0] = fmin(ci95_s[0], other_s / board_factor(other));
        ci95_s[1] = fmax(ci95_s[1], other_s * board_factor(other));
        FIND(&p->found, NULL, NEAR_ONE_CONTEXT, AS_SECONDS(is_one ? law_s : other_s),
             AS_SECONDS(is_one ? other_s : law_s));
    }
    p->expected_cores = answer->cores;
    p->out->total.predicted_s = fmax(law_s, best_s); /* a bound that is unknown bounds nothing */
    ci95_s[0] = fmax(ci95_s[0], best_s);
    set = answer->set ? answer->set : set;
    /* rows have their shares of the law's sum; what a call costs is of none */
    const double times = answer->seconds / seconds_of(p, set);
    const double weights_share = board_weights_share(set, &p->out->total.sums, p->fit.batch);
    for (uint32_t i = 0; i < p->out->n_layers; i++) {
        roof_sums sums;
        memset(&sums, 0, sizeof sums);
        const bool is_known = work_add_row_sums(&sums, p->program.graph, &p->program.rows[i], 1);
        p->out->layers[i].predicted_s =
            is_known ? times * p->fit.batch * board_seconds(set, &sums, weights_share, true) : NAN;
    }
    p->out->facts_of_verdict.from = answer->from;
    p->out->calibration = answer->source;
    return predictor_serve(p, set->stack, false);
}

/* The surest of what there is; what else the caller's times give is told. */
static roof_status choose_surest(predictor *p, const roof_predict_options *options, const board_set *set,
                                 bool is_of_device, bool is_refused, answer_of_board *best)
{
    answer_of_board all[3] = {{.seconds = NAN}, {.seconds = NAN}, {.seconds = NAN}};
    if (options->n_own_times && !is_refused)
        TRY(by_own_times(p, options, set, &all[0]));
    TRY(by_other_device(p, options, set, &all[1]));
    /* own times that give a time outside of the law's interval: it says nothing of this device */
    const double moved = all[0].set ? log(all[0].seconds / seconds_of(p, set)) : 0;
    if (is_of_device && !is_refused && fabs(moved) <= log(board_factor(set)))
        all[2] = by_law(p, set);
    *best = all[2];
    for (size_t i = 0; i < 2; i++)
        if (!isnan(all[i].seconds) &&
            (isnan(best->seconds) || !(best->p90_error > 0) || all[i].p90_error < best->p90_error))
            *best = all[i];
    for (size_t i = 0; i < 2; i++)
        if (!isnan(all[i].seconds) && all[i].name != best->name)
            FIND(&p->found, NULL, OWN_TIMES_LESS_SURE, AS_TEXT(all[i].name),
                 AS_SECONDS(p->fit.batch * all[i].seconds), AS_RATIO(all[i].p90_error),
                 AS_RATIO(best->p90_error));
    return arena_status(p->arena, p->err);
}

roof_status predictor_expect_board(predictor *p, const roof_predict_options *options)
{
    const char *type = p->out->hardware.data_type;
    const board_question q = {.hw = roof_hw_id(p->hw),
                              .stack = options->stack,
                              .data_type = type && strcmp(type, "tf32") == 0 ? "f32" : type,
                              .batch = p->fit.batch,
                              .threads = options->cores};
    const bool has_own = options->n_own_times || options->n_other_device_times;
    board_set shape;
    if (!board_at(q.hw, 0) && !(has_own && board_shape(&q, &shape))) {
        if (options->stack || has_own)
            FIND(&p->found, NULL, NO_CONSTANTS_AT_ALL, AS_TEXT(p->out->hardware.id));
        return ROOF_OK;
    }
    const char *stack = q.stack ? q.stack : board_at(q.hw, 0)->stack;
    if (predictor_is_changed(p)) {
        FIND(&p->found, NULL, NOT_CARRIED, AS_TEXT(stack), AS_TEXT(p->out->hardware.id));
        return ROOF_OK;
    }
    if (isnan(p->out->total.sums.rows)) {
        FIND(&p->found, NULL, CONSTANTS_OF_FUSED, AS_TEXT(stack));
        return ROOF_OK;
    }
    const board_size size = size_of(p);
    bool is_near;
    const bool is_one = board_is_one_context(q.hw, &size, &is_near);
    const board_set *set = board_find(&q, is_one ? BOARD_ONE_CONTEXT : BOARD_CONTEXTS),
                    *other = board_find(&q, is_one ? BOARD_CONTEXTS : BOARD_ONE_CONTEXT);
    answer_of_board answer = {.seconds = NAN};
    roof_remark why;
    const struct divided_image *how = NULL;
    if (!set && !has_own)
        set = one_core_of(&q, is_one ? BOARD_ONE_CONTEXT : BOARD_CONTEXTS, &how);
    const bool is_of_device = set != NULL;
    if (!set && has_own && board_shape(&q, &shape))
        set = &shape;
    const bool refused = is_refused(p, &q, set, &why);
    if (set && has_own)
        TRY(choose_surest(p, options, set, is_of_device, refused, &answer));
    else if (set && !refused)
        answer = how ? by_one_core(p, set, q.threads, how) : by_law(p, set);
    if (isnan(answer.seconds) && refused)
        finding_add(&p->found, NULL, &why);
    if (!set || isnan(answer.seconds))
        return arena_status(p->arena, p->err);
    return expect(p, &answer, set, is_near && other != set ? other : NULL);
}

roof_status predictor_published(predictor *p, const roof_predict_options *options)
{
    const char *id = roof_hw_id(p->hw);
    FOR_EACH(const roof_op, op, p->graph->ops, p->graph->n_ops)
        if (op->rule == ROOF_RULE_INPUT && op->out.n_dims == 4 && !p->out->model.height) {
            p->out->model.height = (uint32_t)tensor_nhwc(&op->out).h;
            p->out->model.width = (uint32_t)tensor_nhwc(&op->out).w;
        }
    const board_set *set = board_at(id, 0);
    const board_question q = {.hw = id,
                              .stack = options->stack || !set ? options->stack : set->stack,
                              .data_type = p->out->hardware.data_type,
                              .batch = p->fit.batch,
                              .threads = options->cores || !set ? options->cores : set->threads};
    const board_network network = {p->out->model.name, p->out->model.height, p->out->model.width,
                                   &p->out->total.sums};
    return board_published(&network, &q, p->arena, &p->out->published, &p->out->n_published, p->err);
}
