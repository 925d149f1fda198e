/* The data type that a model is computed in, where the hardware states a rate for each.
 *
 * An array that multiplies one type alone computes in that: a network in floats is taken as its compiler
 * quantises it, a language model has no answer. Else the requested type; else the model's own, in which most
 * of its multiply-accumulates are done, where the hardware states a rate of it; else that of the hardware. In
 * f32, the model's or requested, the bound is that of TF32 where the hardware states it and is faster so:
 * libraries of such GPUs take it for f32 tensors without being asked.
 * Source: NVIDIA, "TensorFloat-32 in the A100 GPU"; cuDNN and TensorRT take TF32 by default.
 */
#include "hwdb/hwdb.h"
#include "model/graph/format.h"
#include "model/predict/language_times.h"
#include "model/predict/boards.h"
#include "model/predict/predictor.h"
#include "model/work/cost.h"
#include "model/work/opmap.h"
#include "model/work/product.h"

/* --- the model's ---------------------------------------------------------------------------------------- */

static bool is_of_floats(const char *type)
{
    return type && strchr(type, 'f');
}

static const char *demand_type(const roof_graph *graph, const roof_demand *d)
{
    const roof_op *op = &graph->ops[d->op];
    uint32_t bits = 0;
    if (d->types) { /* the wider one of "bf16xint4", in which the other is multiplied, too */
        const char *widest = NULL;
        for (const char *at = d->types; at; at = strchr(at, 'x') ? strchr(at, 'x') + 1 : NULL) {
            const char *name = data_type_name(at, strcspn(at, "x"));
            if (data_type_bits(name) > data_type_bits(widest))
                widest = name;
        }
        return widest;
    }
    FOR_EACH(const roof_edge, edge, op_edges(graph, op), op->n_inputs) {
        uint32_t own = tensor_bits(graph, &graph->ops[edge->op].out);
        if ((edge->role == ROOF_ROLE_INPUT || edge->role == ROOF_ROLE_WEIGHTS) && own > bits)
            bits = own;
    }
    /* tensors only tell their width: 8 bits are integers, 16 and more are floats */
    return bits == 4    ? "int4"
           : bits == 8  ? "int8"
           : bits == 16 ? "fp16"
           : bits == 32 ? "fp32"
           : bits == 64 ? "fp64"
                        : NULL;
}

/* Where data_type_at has it. */
static size_t place_of(const char *type)
{
    size_t at = 0;
    while (type && data_type_at(at) && strcmp(data_type_at(at), type) != 0)
        at++;
    return at;
}

/* The type that most multiply-accumulates are done in; NULL: unknown. */
static const char *model_type(const predictor *p)
{
    double macs[MOST_DATA_TYPES] = {0}, most = 0;
    const char *type = NULL;
    FOR_EACH(const roof_row, row, p->program.rows, p->program.n_rows) {
        FOR_EACH(const roof_demand, d, row->work.demands,
                 row->executor != ROOF_BY_HOST ? row->work.n_demands : 0) {
            const char *own = d->macs != ROOF_UNKNOWN ? demand_type(p->program.graph, d) : NULL;
            if (own)
                macs[place_of(own)] += (double)d->macs * row->repeat;
        }
    }
    for (size_t i = 0; data_type_at(i); i++)
        if (macs[i] > most) {
            most = macs[i];
            type = data_type_at(i);
        }
    return type;
}

/* The type of the file before lowering: that of most of its operators that multiply; NULL: unknown. */
static const char *file_type(const roof_graph *g)
{
    uint32_t n[MOST_DATA_TYPES] = {0};
    const char *type = NULL;
    for (uint32_t i = 0; i < g->n_ops; i++) {
        const char *own = rule_has_macs(g->ops[i].rule) ? demand_type(g, &(roof_demand){.op = i}) : NULL;
        if (!own)
            continue;
        n[place_of(own)]++;
        if (!type || n[place_of(own)] > n[place_of(type)])
            type = own;
    }
    return type;
}

/* --- the hardware's ------------------------------------------------------------------------------------- */

/* "f16" of "peak.f16": as entries and --dtype spell it. */
static const char *spelled(const roof_quantity *rate)
{
    return strchr(rate->key, '.') + 1;
}

/* The same of "fp16". NULL without memory. */
static const char *respelled(const predictor *p, const char *type)
{
    return strncmp(type, "fp", 2) == 0 ? arena_printf(p->arena, "f%s", type + 2) : type;
}

/* The data types that the hardware states; "" for none. NULL without memory. */
static const char *list_types(const predictor *p)
{
    const char *list = "";
    for (size_t i = 0; p->law->rate_of && data_type_at(i) && list; i++) {
        const roof_quantity *rate = p->law->rate_of(p->hw, data_type_at(i));
        if (rate)
            list = arena_printf(p->arena, "%s%s%s", list, *list ? ", " : "", spelled(rate));
    }
    return list;
}

/* The rate that peak.rate and element.bytes are of; NULL: no stated one. */
static const roof_quantity *own_rate(const predictor *p)
{
    const roof_quantity *of_size = NULL;
    for (size_t i = 0; data_type_at(i); i++) {
        const roof_quantity *rate = p->law->rate_of(p->hw, data_type_at(i));
        if (!rate || data_type_bits(data_type_at(i)) != hwdb_value_or_0(p->hw, "element.bytes") * 8)
            continue;
        if (rate->value == hwdb_value_or_0(p->hw, "peak.rate"))
            return rate;
        of_size = of_size ? of_size : rate;
    }
    return of_size;
}

/* True if a line of --hw gives one of these, which is a choice. */
static bool is_given(const roof_hw *hw)
{
    const roof_quantity *peak = roof_hw_get(hw, "peak.rate"), *size = roof_hw_get(hw, "element.bytes");
    return (peak && roof_hw_is_inline(peak)) || (size && roof_hw_is_inline(size));
}

/* Of the first times that were published of a board; NULL: none were. */
static const char *board_type(const roof_hw *hw)
{
    const board_set *first = board_at(roof_hw_id(hw), 0);
    return first ? first->data_type : NULL;
}

/* --- both ----------------------------------------------------------------------------------------------- */

static roof_status check_requested(const predictor *p, const char *requested, const char *type,
                                   const char *stated)
{
    const char *id = roof_hw_id(p->hw);
    if (!type)
        return error_set(p->err, ROOF_E_USAGE,
                         "'%.40s' is no data type; want one such as bf16, f16, f32, tf32, int8 or int4",
                         requested);
    if (p->law->only_type)
        return error_set(p->err, ROOF_E_USAGE,
                         "'%.60s' multiplies %s alone, so that %.40s is none of its types", id,
                         p->law->only_type, requested);
    if (!*stated)
        return error_set(p->err, ROOF_E_USAGE,
                         "'%.60s' states no rates by data type, so that %.40s is none of its types", id,
                         requested);
    return error_set(p->err, ROOF_E_USAGE, "'%.60s' states no rate of %.40s; it states %.200s", id, requested,
                     stated);
}

static roof_status compute_in(predictor *p, const char *type)
{
    bool is_known;
    TRY(roof_hw_copy(p->hw, &p->typed_hw, p->err));
    TRY(p->law->at_type(p->typed_hw, type, &is_known, p->err));
    if (p->law->rate_of) {
        /* stacks widen packed weights to whatever their kernels multiply, activations too, and take f16 for
         * bf16: what bounds them all is the fastest rate that the device has of types as wide */
        const struct roof_graph_storage *s = p->graph->storage;
        const roof_weight_format *form = s->language ? &s->language_point->weights : NULL;
        const uint32_t least_bits = form && form->bits < 16 ? 8 : form ? form->bits : 0;
        const roof_quantity *fastest = NULL;
        for (size_t i = 0; form && least_bits <= 16 && data_type_at(i); i++) {
            const roof_quantity *rate = p->law->rate_of(p->hw, data_type_at(i));
            if (rate && data_type_bits(data_type_at(i)) >= least_bits &&
                (!fastest || rate->value > fastest->value))
                fastest = rate;
        }
        if (fastest) {
            roof_quantity rate = *fastest;
            rate.key = "peak.rate";
            TRY(hwdb_hw_put(p->typed_hw, &rate, fastest->key, true, p->err));
        }
    }
    if (p->view.array == p->hw)
        p->view.array = p->typed_hw;
    p->view.board = p->hw = p->typed_hw;
    return ROOF_OK;
}

/* Published times are known in this type, and no rate of it. */
static roof_status compute_without_rate(predictor *p, const char *type)
{
    const roof_quantity element = {.key = "element.bytes",
                                   .value = data_type_bits(type) / 8.0,
                                   .unit = "B",
                                   .kind = ROOF_KIND_DATASHEET,
                                   .source = "the size of the data type"};
    TRY(roof_hw_copy(p->hw, &p->typed_hw, p->err));
    TRY(hwdb_hw_put(p->typed_hw, &element, "element.bytes", true, p->err));
    if (p->view.array == p->hw)
        p->view.array = p->typed_hw;
    p->view.board = p->hw = p->typed_hw;
    p->view.lacks_rate = true;
    return ROOF_OK;
}

/* Where it is not the model's own: the model would have to be converted. */
static void find_other(predictor *p, const char *own, const char *taken)
{
    FIND(&p->found, NULL, OTHER_TYPE, AS_TEXT(roof_hw_id(p->hw)), AS_TEXT(respelled(p, own)), AS_TEXT(taken));
}

/* The rate that bounds a model in this type, whose other name becomes tf32 where f32 is multiplied so. */
static const roof_quantity *rate_of_model(predictor *p, const char **type)
{
    const roof_quantity *rate = p->law->rate_of(p->hw, *type), *tf32 = p->law->rate_of(p->hw, "tf32");
    if (strcmp(*type, "fp32") != 0 || !tf32 || (rate && rate->value >= tf32->value))
        return rate;
    if (rate)
        FIND(&p->found, NULL, FASTER_TYPE, AS_TEXT("f32"), AS_TEXT("tf32"), AS("op/s", tf32->value),
             AS("op/s", rate->value), AS_TEXT(roof_hw_id(p->hw)));
    else
        find_other(p, *type, "tf32");
    *type = "tf32";
    return tf32;
}

/* Sets the type that is computed in. Floats of a file in integers: its compiler or the user quantises
 * them. */
static void take(predictor *p, const char *own, const char *taken)
{
    p->out->hardware.data_type = taken ? arena_strdup(p->arena, taken) : NULL;
    if (is_of_floats(own) && taken && !is_of_floats(taken))
        p->out->facts_of_verdict.taken_from = respelled(p, own);
}

/* Counts of a language model and its memory. Its products are of floats, of its attention even where its
 * weights are stored as integers; and weights have to lie somewhere. */
static roof_status check_language(const predictor *p, const char *stated)
{
    const struct roof_graph_storage *s = p->graph->storage;
    roof_prediction *out = p->out;
    if (!s->language)
        return ROOF_OK;
    const char *form = s->language_point->weights.name;
    const roof_language_memory *memory = &out->language.memory;
    out->language.point = *s->language_point;
    out->language.point.batch = out->options.batch;
    TRY(roof_language_count(s->language, &out->language.point, &out->language.counts, p->err));
    TRY(language_memory_of(&p->view, s->language, &out->language.point, out->options.memory_bytes,
                           &out->language.memory, p->err));
    bool has_floats = (!p->law->only_type && !*stated) || language_has_stack(&p->view, p->arena);
    for (size_t i = 0; data_type_at(i) && !has_floats && p->law->rate_of; i++)
        has_floats = is_of_floats(data_type_at(i)) && p->law->rate_of(p->hw, data_type_at(i));
    if (has_floats && (memory->fits != ROOF_MEMORY_FITS_NOT || !hw_view_get(&p->view, "ddr.bytes")))
        return ROOF_OK;
    if (has_floats)
        return error_data(
            p->err,
            "'%.60s' has %.2f GB of memory; the model needs %.2f GB with weights of %.40s: it does "
            "not fit, and no time of what is partly on the CPU is known",
            roof_hw_id(p->hw), (double)memory->available_bytes / 1e9, (double)memory->need_bytes / 1e9, form);
    return error_data(p->err, "'%.60s' multiplies %.80s alone; the model's weights are %.40s, %.2f GB",
                      roof_hw_id(p->hw), *stated ? stated : p->law->only_type, form,
                      (double)out->language.counts.weight_bytes / 1e9);
}

/* Among the rates that the hardware states: that of the model's type, or of what was requested. */
static roof_status choose_rate(predictor *p, const char *requested, const char *own, const char *type,
                               const roof_quantity *rate)
{
    p->view.model_bits = data_type_bits(own);
    if (!requested && own)
        type = own;
    if ((!requested && own) || (rate && !p->types && strcmp(type, "fp32") == 0))
        rate = rate_of_model(p, &type);
    /* weights of a language model are read as they are, whatever they are widened to */
    if (!rate && p->graph->storage->language)
        p->view.model_bits = (uint32_t)(8 * hwdb_value_or_0(p->hw, "element.bytes"));
    const roof_quantity *taken = rate ? rate : own_rate(p);
    take(p, own, taken ? spelled(taken) : NULL);
    if (!rate && own)
        find_other(p, own, taken ? spelled(taken) : "its own");
    TRY(arena_status(p->arena, p->err));
    return rate ? compute_in(p, type) : ROOF_OK;
}

roof_status predictor_choose_type(predictor *p)
{
    /* of a language model the type is that of its weights, which are widened to what is multiplied */
    const char *requested = p->types                                ? p->types
                            : p->graph->storage->format->takes_text ? NULL
                                                                    : p->requested_type;
    const char *type = requested ? data_type_name(requested, strlen(requested)) : NULL,
               *stated = list_types(p);
    const roof_quantity *rate = type && p->law->rate_of ? p->law->rate_of(p->hw, type) : NULL;
    TRY(stated ? arena_status(p->arena, p->err) : error_memory(p->err));
    TRY(check_language(p, stated));
    if (p->law->only_type && !p->types) {
        const char *only = p->law->only_type;
        if (requested && (!type || strcmp(type, only) != 0))
            return check_requested(p, requested, type, "");
        take(p, p->graph->compiled ? NULL : file_type(p->graph), only);
        return arena_status(p->arena, p->err);
    }
    const char *own = model_type(p);
    /* an AI Engine array multiplies what the program's operands are */
    const bool is_of_operands = !p->law->rate_of && p->law->at_type;
    const char *default_type = *stated ? NULL : board_type(p->hw);
    const char *of_board = !p->law->rate_of || p->types || rate ? NULL
                           : requested                          ? respelled(p, type ? type : requested)
                                                                : default_type;
    /* a type in which the board has published times, whether or not a rate of it is stated */
    if (of_board && board_has(roof_hw_id(p->hw), of_board, 0)) {
        p->view.model_bits = data_type_bits(own);
        take(p, own, of_board);
        TRY(arena_status(p->arena, p->err));
        return compute_without_rate(p, data_type_name(of_board, strlen(of_board)));
    }
    if (requested && !p->types && !rate && (!is_of_operands || !type || !own || strcmp(type, own) != 0))
        return check_requested(p, requested, type, stated);
    if (is_of_operands && !p->types)
        take(p, p->graph->compiled ? NULL : file_type(p->graph), own);
    if (!*stated || (is_given(p->hw) && !requested))
        return ROOF_OK;
    return choose_rate(p, requested, own, type, rate);
}
