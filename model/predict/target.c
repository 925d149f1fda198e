/* The hardware of the numbers: the requested one, the one that the model was compiled for, and where they
 * disagree.
 *
 * A compiled stream only fits the configuration that it was made for. When another one of the same family is
 * requested, the array is taken from the model's fingerprint and the rest (clock, ports, memory, cores) from
 * the requested one.
 */
#include "hwdb/hwdb.h"
#include "model/graph/format.h"
#include "model/predict/boards.h"
#include "model/predict/predictor.h"

roof_status roof_hw_of_model(const roof_graph *graph, roof_hw **out, roof_error *err)
{
    *out = NULL;
    const graph_format *format = graph->storage->format;
    return format->hardware ? format->hardware(graph, out, err) : ROOF_OK;
}

/* An entry that cannot be looked up, for want of memory or of rights, is not an unknown one. */
roof_status predictor_find_target(const roof_graph *graph, const roof_target *target, roof_hw **out,
                                  roof_error *err)
{
    roof_error why;
    roof_status status = ROOF_OK;
    if (target->plan_of && target->hardware)
        status = roof_hw_load(target->hardware, out, &why);
    else if (!target->plan_of && target->family[0])
        status = roof_hw_of_model(graph, out, &why);
    if (status != ROOF_E_NO_MEMORY && status != ROOF_E_IO)
        return ROOF_OK;
    if (err)
        *err = why;
    return status;
}

/* The target that its file states; when the database does not know that, nothing can be compared. */
static roof_status load_target(predictor *p)
{
    const roof_target *target = &p->program.target;
    const bool is_least = p->program.stack || p->program.is_lowered || p->graph->storage->language;
    if (!target->plan_of && !target->name && is_least && !p->program.is_approximate)
        return ROOF_OK; /* made as that compiler would, or with no more than any would */
    if (!target->plan_of)
        p->out->estimate_of = target->name ? "a graph compiled for unknown hardware" : "an uncompiled graph";
    if (!p->shared)
        return predictor_find_target(p->graph, target, &p->target_hw, p->err);
    p->target_hw = p->shared->target_hw;
    return ROOF_OK;
}

/* Same family: the first value that shapes the instruction stream and differs, or NULL. states_none: asked is
 * what lies around an array, whichever it is. */
static const char *array_difference(const roof_hw *requested, const roof_hw *target, bool *states_none)
{
    static const char *const keys[] = {"conv.pixel_parallel",
                                       "conv.input_channel_parallel",
                                       "conv.output_channel_parallel",
                                       "conv.channel_augmentation",
                                       "alu.pixel_parallel",
                                       "dwconv.pixel_parallel",
                                       "pool.pixel_parallel",
                                       "eltwise.pixel_parallel",
                                       "image_banks.groups",
                                       "batch",
                                       "array.rows",
                                       "mac.int8xint8",
                                       "ethos_u.product"};
    const char *differs = NULL;
    bool states_any = false;
    for (size_t i = 0; i < N_OF(keys); i++) {
        states_any = states_any || roof_hw_get(requested, keys[i]);
        if (!differs && hwdb_value_or_0(requested, keys[i]) != hwdb_value_or_0(target, keys[i]))
            differs = keys[i];
    }
    *states_none = differs && !states_any;
    return differs;
}

static roof_status compare_with_target(predictor *p)
{
    const roof_target *target = &p->program.target;
    bool same_family = strcmp(target->family, roof_hw_family(p->hw)) == 0;
    if (target->plan_of && !same_family)
        return error_set(p->err, ROOF_E_UNSUPPORTED,
                         "the file is %s, so that nothing follows from it for '%s' (family '%s')%s%s",
                         target->plan_of, roof_hw_id(p->hw), roof_hw_family(p->hw),
                         target->hardware ? "; try --hw " : "", target->hardware ? target->hardware : "");
    if (!target->family[0])
        return ROOF_OK;
    const char *key =
        same_family && p->target_hw ? array_difference(p->hw, p->target_hw, &p->is_around_array) : NULL;
    if (!target->plan_of)
        p->out->estimate_of = same_family && p->target_hw ? NULL : "a graph compiled for other hardware";
    if (p->is_around_array) {
        p->view.array = p->target_hw;
        return ROOF_OK;
    }
    if (same_family && !key && (p->target_hw || target->plan_of))
        return ROOF_OK;
    if (key) {
        p->view.array = p->target_hw;
        FIND(&p->found, NULL, OTHER_CONFIGURATION, AS_TEXT(target->text), AS_TEXT(roof_hw_id(p->hw)),
             AS_TEXT(key), AS("", hwdb_value_or_0(p->hw, key)), AS("", hwdb_value_or_0(p->target_hw, key)),
             AS_TEXT(roof_hw_id(p->hw)));
    } else {
        char hex[24];
        snprintf(hex, sizeof hex, "0x%" PRIx64, target->fingerprint);
        FIND(&p->found, NULL, OTHER_TARGET, AS_TEXT(target->text), AS_TEXT(hex), AS_TEXT(roof_hw_name(p->hw)),
             AS_TEXT(roof_hw_id(p->hw)));
    }
    return ROOF_OK;
}

/* So many times what an entry has is a slip of a prefix, and no device. */
enum { ABSURD_RATIO = 100 };

static roof_status needed_rate(predictor *p, const char *key, const char *unit, double override, double *out)
{
    const roof_quantity *q = hw_view_get(&p->view, key);
    const char *dot = strrchr(key, '.');
    if (q && q->value > 0 && override >= ABSURD_RATIO * q->value) {
        char of_caller[40], of_entry[40];
        quantity_format(of_caller, sizeof of_caller, override, q->unit);
        quantity_format(of_entry, sizeof of_entry, q->value, q->unit);
        return error_set(p->err, ROOF_E_USAGE,
                         "a %s of %s is %.4g times the %s of '%.80s'; check the prefix of the unit",
                         dot ? dot + 1 : key, of_caller, override / q->value, of_entry, roof_hw_id(p->hw));
    }
    *out = override > 0 ? override : q ? q->value : NAN;
    if (!isnan(*out) && !(*out >= 1 && *out < 1e18)) /* so that no time overflows */
        return error_data(p->err, "hardware '%s': '%s' is %g %s, want %s", roof_hw_place(p->hw), key, *out,
                          unit, *out >= 1 ? "less than 1e18" : "1 or more");
    return ROOF_OK;
}

static roof_status read_rates(predictor *p)
{
    const roof_predict_options *o = &p->out->options;
    hw_view *v = &p->view;
    TRY(needed_rate(p, "clock", "Hz", o->clock_hz, &v->clock_hz));
    if (isnan(v->clock_hz))
        return error_data(p->err, "hardware '%s' states no 'clock'; pass --clock", roof_hw_place(p->hw));
    if (p->law->has_memories && o->bandwidth_bytes_per_s > 0)
        return error_set(p->err, ROOF_E_USAGE,
                         "'%s' has several memories; change one by its key, as in "
                         "--hw base=%s,mempool.%s.bandwidth=200MB/s",
                         roof_hw_id(p->hw), roof_hw_id(p->hw), p->law->memory_example);
    TRY(needed_rate(p, "ddr.bandwidth", "B/s", o->bandwidth_bytes_per_s, &v->memory_bytes_per_s));
    TRY(hw_view_count(v, "cores", 1, 1, &v->cores, p->err));
    TRY(hw_view_count(v, "batch", 1, 1, &v->batch_lanes, p->err));
    /* "npu", "gpu", "cpu": rates are of all of it. Where the entry says how many cores that are, an inference
     * has the rates of those that were requested, and the whole memory. */
    uint32_t counted;
    TRY(hw_view_count(v, "peak.cores", 1, 0, &counted, p->err));
    if (o->cores > counted && counted)
        return error_set(p->err, ROOF_E_USAGE,
                         "'%.60s' has %u cores, and its rates count all of them; --cores %u",
                         roof_hw_id(p->hw), counted, o->cores);
    if (o->cores && counted) {
        v->rate_ratio = (double)o->cores / counted;
        return ROOF_OK;
    }
    /* the rate of a part of the cores is not stated */
    if (o->cores && !hw_view_get(v, "cores") &&
        board_has(roof_hw_id(p->hw), p->out->hardware.data_type, o->cores)) {
        FIND(&p->found, NULL, BOUND_OF_ALL_CORES, AS_COUNT(o->cores));
        return ROOF_OK;
    }
    if (o->cores && !roof_hw_board_is_assumed(p->hw) && !hw_view_get(v, "cores") &&
        (p->law->rate_of || o->cores > 1))
        return error_set(p->err, ROOF_E_USAGE,
                         "'%.60s' states no cores: its rates are of all of it; leave --cores out",
                         roof_hw_id(p->hw));
    if (o->cores)
        v->cores = o->cores;
    return ROOF_OK;
}

/* Beside those that a law names. */
static const char *const shared_keys[] = {"ddr.bandwidth", "peak", "peak.rate", NULL};

/* The weakest kind of value among those that the law reads; what-ifs are assumptions. An entry's own
 * assumption is a finding. A value requested by an option or in a line of --hw is none: the user knows it. */
static void judge_values(predictor *p)
{
    const roof_predict_options *o = &p->out->options;
    const char *const *lists[] = {p->law->keys, shared_keys};
    const char *assumed = NULL;
    p->out->hardware.weakest_kind = ROOF_KIND_DATASHEET;
    p->out->hardware.weakest_key = "";
    for (size_t i = 0; i < N_OF(lists); i++)
        for (const char *const *key = lists[i]; *key; key++) {
            const roof_quantity *q = hw_view_get(&p->view, *key);
            /* a value that the caller replaced counts as assumed: it is worth what the question is worth */
            bool asked_for = (o->clock_hz > 0 && strcmp(*key, "clock") == 0) ||
                             (o->bandwidth_bytes_per_s > 0 && strcmp(*key, "ddr.bandwidth") == 0);
            roof_value_kind kind = asked_for ? ROOF_KIND_ASSUMED : q ? q->kind : ROOF_KIND_DATASHEET;
            if (kind > p->out->hardware.weakest_kind) {
                p->out->hardware.weakest_kind = kind;
                p->out->hardware.weakest_key = *key;
            }
            if (!assumed && !asked_for && kind == ROOF_KIND_ASSUMED && !roof_hw_is_inline(q))
                assumed = *key;
        }
    if (assumed)
        FIND(&p->found, NULL, ASSUMED_VALUE, AS_TEXT(assumed),
             AS_TEXT(hw_view_get(&p->view, assumed)->source));
}

roof_status predictor_choose_hardware(predictor *p)
{
    p->view = (hw_view){.array = p->hw, .board = p->hw};
    TRY(load_target(p));
    TRY(compare_with_target(p));
    p->least_call_s = hw_view_value(&p->view, 0, "launch.floor");
    if (!(p->least_call_s > 0)) {
        double chained_s = INFINITY;
        const roof_quantity *q;
        for (size_t i = 0; (q = roof_hw_at(p->view.board, i)); i++)
            if (strncmp(q->key, "launch.chained.", 15) == 0 && q->value > 0)
                chained_s = fmin(chained_s, q->value);
        p->least_call_s = isinf(chained_s) ? 0 : chained_s;
    }
    p->law = law_of(roof_hw_family(p->hw));
    if (!p->law)
        return error_set(p->err, ROOF_E_UNSUPPORTED,
                         "hardware '%s' is of family '%s', for which there is no cost model",
                         roof_hw_place(p->hw), roof_hw_family(p->hw));
    TRY(predictor_choose_type(p));
    TRY(read_rates(p));
    for (const char *const *key = p->law->keys; *key; key++)
        if (!hw_view_get(&p->view, *key) &&
            !(strcmp(*key, "ddr.bandwidth") == 0 && p->view.memory_bytes_per_s > 0) &&
            strcmp(*key, "clock") != 0)
            return error_data(p->err, "hardware '%s' states no '%s', which the cost model '%s' needs",
                              roof_hw_place(p->hw), *key, p->law->id);
    judge_values(p);
    if (p->law->is_partial)
        FIND(&p->found, NULL, PARTIAL_LAW, AS_TEXT(p->law->id), AS_TEXT(p->law->doc));
    if (!(p->view.memory_bytes_per_s > 0) && !p->law->has_memories)
        FIND(&p->found, NULL, NO_BANDWIDTH, AS_TEXT(roof_hw_id(p->hw)));
    roof_status status = error_placed(
        law_fit_to(p->law, &p->view, &p->program, p->out->options.batch, p->arena, &p->fit, p->err), p->err,
        "hardware '%s'", roof_hw_place(p->hw));
    if (p->law->rate_of && !(p->fit.engines[ROOF_ENGINE_ARRAY].most_per_cycle > 0))
        p->view.lacks_rate = true; /* nor does the entry state one */
    if (p->view.lacks_rate)
        FIND(&p->found, NULL, NO_RATE, AS_TEXT(roof_hw_id(p->hw)),
             AS_TEXT(p->out->hardware.data_type ? p->out->hardware.data_type : "any type"));
    if (status == ROOF_OK && p->law->tell)
        p->law->tell(&p->fit, &p->found);
    return status;
}

double predictor_own_clock_hz(const predictor *p)
{
    double own = roof_hw_own_clock_hz(p->hw);
    return own > 0 ? own : p->view.clock_hz;
}

bool predictor_is_changed(const predictor *p)
{
    double memory = roof_hw_own_bandwidth(p->hw);
    return fabs(p->view.clock_hz - predictor_own_clock_hz(p)) > 0 ||
           (memory > 0 && fabs(p->view.memory_bytes_per_s - memory) > 0);
}

/* Boards differ by some tenths of their clock and their memory's rate; more is another device. */
#define OTHER_DEVICE_RATIO 1.5

void predictor_doubt_options(predictor *p)
{
    const roof_predict_options *o = &p->out->options;
    const char *id = p->out->hardware.id;
    const roof_quantity *clock = hw_view_get(&p->view, "clock"),
                        *rate = hw_view_get(&p->view, "ddr.bandwidth"),
                        *cores = hw_view_get(&p->view, "cores");
    if (clock && o->clock_hz > OTHER_DEVICE_RATIO * clock->value)
        FIND(&p->found, NULL, CLOCK_BEYOND, AS("Hz", o->clock_hz), AS_TEXT(id), AS("Hz", clock->value));
    if (rate && o->bandwidth_bytes_per_s > OTHER_DEVICE_RATIO * rate->value)
        FIND(&p->found, NULL, BANDWIDTH_BEYOND, AS("B/s", o->bandwidth_bytes_per_s), AS_TEXT(id),
             AS("B/s", rate->value));
    /* A configuration alone does not say how many of it a board has. */
    if (cores && !roof_hw_board_is_assumed(p->hw) && o->cores > cores->value)
        FIND(&p->found, NULL, CORES_BEYOND, AS_COUNT(o->cores), AS_TEXT(id), AS_COUNT(cores->value));
}
