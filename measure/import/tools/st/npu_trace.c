/* An inference is gathered epoch by epoch, and taken over as a whole when the next one begins: only then is
 * it known whether a line was lost on the way or the recording was cut off, and to which network it belongs.
 */
#include "measure/import/tools/st/npu_report.h"
#include "measure/import/tools/st/st_report.h"
#include "measure/import/timings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_EPOCHS = 1 << 14, MOST_NETWORKS = 1 << 12 };

/* One epoch of a network: sums over inferences; of the inference that is being gathered, what was counted. */
typedef struct epoch {
    npu_epoch_id id;
    uint64_t sums[NPU_RUNTIME];
    uint32_t counts[NPU_RUNTIME]; /* of inferences in which it was counted */
    uint64_t seen_now;            /* a bit for each value: since the last beginning of an epoch */
    uint32_t row;                 /* of the row_timings */
    bool matched;
} epoch;

typedef struct network {
    epoch *epochs;
    uint32_t n_epochs;
    uint64_t n_inferences;
    row_timings *timings;
    bool closed;
} network;

struct npu_trace {
    import_state *in;
    epoch *gathered;           /* of the inference that is being read */
    uint32_t n_gathered, room; /* room: the most of any inference so far */
    bool broken;               /* the inference that is being gathered lacks lines */
    double mcu_hz;
    network *networks;
    uint32_t n_networks;
    uint64_t n_dropped, n_unknown;
};

npu_trace *npu_trace_new(import_state *in)
{
    npu_trace *t = NEW(in->scratch, npu_trace);
    if (t)
        *t = (npu_trace){.in = in, .mcu_hz = NAN};
    return t;
}

uint32_t npu_trace_networks(const npu_trace *t)
{
    return t->n_networks;
}

/* --- inferences into networks ------------------------------------------------------------------------- */

static bool same_epoch(const npu_epoch_id *a, const npu_epoch_id *b)
{
    return a->c_idx == b->c_idx && a->first == b->first && a->last == b->last && a->extra == b->extra &&
           strcmp(a->type, b->type) == 0;
}

/* The network that the inference is of; NULL for one that is not whole. The beginning of the network before
 * is one that was cut off rather than a smaller network. */
static roof_status find_network(npu_trace *t, network **out, roof_error *err)
{
    network *last = t->n_networks ? &t->networks[t->n_networks - 1] : NULL;
    bool whole = !t->broken && t->n_gathered && t->gathered[0].id.c_idx == 0;
    bool like = last && !last->closed && t->n_gathered <= last->n_epochs;
    for (uint32_t i = 0; like && i < t->n_gathered; i++)
        like = same_epoch(&t->gathered[i].id, &last->epochs[i].id);
    *out = NULL;
    if (!whole || (like && t->n_gathered < last->n_epochs))
        return ROOF_OK;
    if (like && t->n_gathered == last->n_epochs) {
        *out = last;
        return ROOF_OK;
    }
    /* A network of the epochs that were gathered; what was counted of them is added behind. */
    char name[NPU_NAME_SIZE];
    TRY(HAS_ROOM(t->n_networks, MOST_NETWORKS, err, "networks, told by their epochs"));
    row_timings *timings = NEW(t->in->scratch, row_timings);
    epoch *epochs = NEW_ARRAY(t->in->scratch, epoch, t->n_gathered);
    network *n = array_add(t->in->scratch, &t->networks, &t->n_networks, sizeof *n);
    TRY(ALLOCATED(n && timings && epochs, err));
    *n = (network){.timings = timings, .epochs = epochs, .n_epochs = t->n_gathered};
    for (uint32_t i = 0; i < n->n_epochs; i++) {
        epochs[i].id = t->gathered[i].id;
        TRY(timings_row_of(t->in, timings, span_of(npu_epoch_name(&epochs[i].id, name)), i, &epochs[i].row,
                           err));
    }
    *out = n;
    return ROOF_OK;
}

static roof_status take_inference(npu_trace *t, roof_error *err)
{
    network *n = NULL;
    for (uint32_t i = 0; i < t->n_gathered; i++)
        t->broken = t->broken || !t->gathered[i].counts[NPU_MCU];
    if (t->n_gathered || t->broken)
        TRY(find_network(t, &n, err));
    t->n_dropped += !n && (t->n_gathered || t->broken);
    for (uint32_t i = 0; n && i < t->n_gathered; i++) {
        const uint64_t *mcu = t->gathered[i].sums + NPU_MCU;
        double cycles = (double)mcu[0] + (double)mcu[1] + (double)mcu[2];
        for (unsigned k = 0; k < NPU_RUNTIME; k++) {
            epoch *e = &n->epochs[i];
            if (__builtin_add_overflow(e->sums[k], t->gathered[i].sums[k], &e->sums[k]))
                return error_set(err, ROOF_E_LIMIT, "counters of an epoch add up to more than 2^64");
            e->counts[k] += t->gathered[i].counts[k];
        }
        TRY(timings_add(n->timings, n->epochs[i].row, cycles / t->mcu_hz, err));
    }
    if (n)
        n->n_inferences++;
    t->n_gathered = 0;
    t->broken = false;
    return ROOF_OK;
}

roof_status npu_trace_cut(npu_trace *t, roof_error *err)
{
    TRY(take_inference(t, err));
    if (t->n_networks)
        t->networks[t->n_networks - 1].closed = true;
    return ROOF_OK;
}

/* --- lines -------------------------------------------------------------------------------------------- */

static const char node[] = "s:node:";

bool npu_trace_is_line(text_span message)
{
    return span_begins(message, node) || span_begins(message, "port0:burst:") ||
           span_begins(message, "port1:burst:");
}

static roof_status malformed(text_span message, const char *want, roof_error *err)
{
    return error_set(err, ROOF_E_DATA, "found '%s', want %s", SHOWN(message), want);
}

static roof_status begin_epoch(npu_trace *t, text_span message, roof_error *err)
{
    epoch next = {.matched = false};
    static const char want[] = "evt_pre_start:C_IDX:EPOCH:FIRST:LAST:FLAGS:TYPE:KIND";
    double numbers[4];
    text_span rest = message, hexadecimal[2]; /* flags and type: the kind says what they mean */
    bool good = span_cut(&rest, "evt_pre_start:#:#:#:#:*:*:", numbers, hexadecimal);
    text_span kind = span_trim(span_until(&rest, ":"));
    good = good && npu_epoch_make(numbers[0], numbers + 2, kind, &next.id);
    if (!good)
        return malformed(message, want, err);
    if (strcmp(next.id.type, "EXTRA") == 0) {
        /* An epoch that the runtime had to put behind one of the compiler belongs to it, as the profiler
         * counts them, too. */
        if (!t->n_gathered) {
            t->broken = true;
            return ROOF_OK;
        }
        epoch *e = &t->gathered[t->n_gathered - 1];
        t->broken = t->broken || !(e->seen_now & 1U << NPU_MCU);
        e->id.extra++;
        e->seen_now = 0;
        return ROOF_OK;
    }
    const epoch *last = t->n_gathered ? &t->gathered[t->n_gathered - 1] : NULL;
    if (last ? next.id.c_idx <= last->id.c_idx : t->broken && next.id.c_idx == 0)
        TRY(take_inference(t, err));
    else
        t->broken = t->broken || (last && next.id.c_idx != last->id.c_idx + last->id.extra + 1 &&
                                  next.id.c_idx != last->id.c_idx + 1);
    TRY(HAS_ROOM(t->n_gathered, MOST_EPOCHS, err, "epochs in an inference"));
    if (t->n_gathered == t->room)
        TRY(ARENA_ADD(t->in->scratch, t->gathered, t->room, err, next));
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a good arena_status says that there is room */
    t->gathered[t->n_gathered++] = next;
    return ROOF_OK;
}

typedef struct counter_line {
    const char *key, *pattern;
    unsigned place, n; /* of what the line counts */
} counter_line;

static const counter_line counter_lines[] = {
    {"mcu_cycles:", "#:#:#", NPU_MCU, 3},
    {"npu_cycles:", "#:#:#", NPU_NPU, 3},
    {"npu_cache:r:", "#:#:#:#", NPU_CACHE, 4},
    {"npu_cache:w:", "#:#:#:#", NPU_CACHE + 4, 4},
    {"port0:burst:r:", "#:#:#:#", NPU_BURSTS, 4},
    {"port0:burst:w:", "#:#:#:#", NPU_BURSTS + 4, 4},
    {"port1:burst:r:", "#:#:#:#", NPU_BURSTS + 8, 4},
    {"port1:burst:w:", "#:#:#:#", NPU_BURSTS + 12, 4},
    /* the engine, cycles in which it was active, and those in which it was not */
    {"streng_active:i:", "#:#:#", NPU_STREAMS, 1},
    {"streng_active:o:", "#:#:#", NPU_STREAMS + NPU_ENGINES, 1},
};

/* These follow from the others: the engine that was active longest, sums of both ports, the end of an
 * epoch. */
static const char *const derived_lines[] = {"evt_post_end:", "streng_active:max:", "portx:burst:", "evt_"};

static roof_status read_counters(npu_trace *t, const counter_line *c, text_span message, roof_error *err)
{
    double numbers[4];
    text_span rest = span_from(message, strlen(c->key));
    if (!span_scan(&rest, c->pattern, numbers) || rest.length) {
        char want[60];
        snprintf(want, sizeof want, "%s and whole numbers, as in %s", c->key, c->pattern);
        return malformed(message, want, err);
    }
    if (c->place == NPU_MCU && isnan(t->mcu_hz))
        return error_set(err, ROOF_E_DATA,
                         "cycles without the MCU's clock, want a line \"s:config:mcu_freq:HZ\" or "
                         "\"device.attrs : ...,mcu_freq=800MHz,...\" before them");
    bool has_engine = c->place >= NPU_STREAMS;
    if (has_engine && numbers[0] >= NPU_ENGINES)
        return malformed(message, "a stream engine from 0 to 15", err);
    unsigned place = c->place + (has_engine ? (unsigned)numbers[0] : 0);
    epoch *e = t->n_gathered ? &t->gathered[t->n_gathered - 1] : NULL;
    if (!e || (e->seen_now >> place & 1)) {
        t->broken = true; /* no beginning of the epoch, or a counter twice: lines were lost */
        return ROOF_OK;
    }
    for (unsigned i = 0; i < c->n; i++) {
        e->sums[place + i] += (uint64_t)numbers[i + has_engine];
        e->counts[place + i] = 1;
        e->seen_now |= UINT64_C(1) << (place + i);
    }
    return ROOF_OK;
}

roof_status npu_trace_line(npu_trace *t, text_span message, double mcu_hz, roof_error *err)
{
    t->mcu_hz = mcu_hz;
    span_skip(&message, node);
    if (span_begins(message, "evt_pre_start:"))
        return begin_epoch(t, message, err);
    for (size_t i = 0; i < sizeof counter_lines / sizeof *counter_lines; i++)
        if (span_begins(message, counter_lines[i].key))
            return read_counters(t, &counter_lines[i], message, err);
    for (size_t i = 0; i < sizeof derived_lines / sizeof *derived_lines; i++)
        if (span_begins(message, derived_lines[i]))
            return ROOF_OK;
    t->n_unknown++;
    return ROOF_OK;
}

/* --- into layers -------------------------------------------------------------------------------------- */

/* The means, rounded up as npu_profiler.py does. */
static npu_counts means_of(const epoch *e)
{
    npu_counts means = npu_counts_unknown();
    for (unsigned i = 0; i < NPU_RUNTIME; i++)
        if (e->counts[i])
            means.of[i] = e->sums[i] / e->counts[i] + (e->sums[i] % e->counts[i] != 0);
    return means;
}

roof_status npu_trace_write(npu_trace *t, npu_add_run add, struct reading *r, roof_error *err)
{
    roof_measured *m = t->in->out;
    FOR_EACH(network, n, t->networks, t->n_networks) {
        roof_run *run = NULL;
        TRY(add(r, &run, err));
        FOR_EACH(const epoch, e, n->epochs, n->n_epochs) {
            const npu_counts means = means_of(e);
            roof_measured_layer *layer = NULL;
            TRY(timings_layer(n->timings, e->row, run, &layer, err));
            roof_layer_counters *c = layer_counters_of(m, layer);
            layer->type = measured_text(m, e->id.type, strlen(e->id.type));
            layer->index = (uint32_t)(e->id.c_idx + 1);
            TRY(ALLOCATED(c && layer->type, err));
            (void)st_find_type(span_of(e->id.type), &c->device);
            TRY(npu_add_extra(m, layer, e->id.extra, err));
            TRY(npu_set_counts(m, layer, &means, err));
        }
        run->iterations = n->n_inferences;
        run->boundaries = n->n_epochs;
        run->sum_of_layers_s = import_sum_of_rows(run);
        TRY(npu_sum_phases(m, run, err));
    }
    return ROOF_OK;
}

roof_status npu_trace_match(npu_trace *t, const npu_epoch_id *id, npu_counts *counts,
                            roof_measured_layer *layer, roof_error *err)
{
    enum { N_STREAMS = NPU_PLAN - NPU_STREAMS };
    const network *n = t->n_networks ? &t->networks[t->n_networks - 1] : NULL;
    epoch *e = NULL;
    for (uint32_t i = 0; n && !e && i < n->n_epochs; i++)
        if (same_epoch(&n->epochs[i].id, id))
            e = &n->epochs[i];
    if (!e || e->matched)
        return ROOF_OK;
    const npu_counts means = means_of(e);
    for (unsigned p = NPU_MCU; p < NPU_MCU + ST_PHASES; p++) {
        uint64_t a = means.of[p], b = counts->of[p];
        if ((a > b ? a - b : b - a) >
            id->extra) /* the profiler rounds each of the epochs that it puts together */
            return ROOF_OK;
    }
    e->matched = true;
    if (e->counts[NPU_NPU])
        memcpy(counts->of + NPU_NPU, means.of + NPU_NPU, ST_PHASES * sizeof *means.of);
    /* of a software epoch the profiler prints none of them */
    for (unsigned i = NPU_CACHE; i < NPU_STREAMS; i++)
        if (counts->of[i] == ROOF_UNKNOWN)
            counts->of[i] = means.of[i];
    memcpy(counts->of + NPU_STREAMS, means.of + NPU_STREAMS, N_STREAMS * sizeof *means.of);
    counts->by_engine = false;
    const timings_row *row = &n->timings->rows[e->row];
    return row->samples ? times_from_samples(t->in->out, row->samples, (size_t)row->count, &layer->time, err)
                        : ROOF_OK;
}

void npu_trace_remark(const npu_trace *t, bool unmatched)
{
    uint64_t n_left = 0;
    for (uint32_t i = 0; i < t->n_networks; i++)
        for (uint32_t k = 0; k < t->networks[i].n_epochs; k++)
            n_left += !t->networks[i].epochs[k].matched;
    if (unmatched && n_left)
        import_note(
            t->in,
            "raw counters of %llu epoch%s do not have the means that the profiler printed, and are left out",
            (unsigned long long)n_left, n_left == 1 ? "" : "s");
    if (t->n_dropped)
        import_note(t->in, "raw counters of %llu inference%s are not complete, and are left out",
                    (unsigned long long)t->n_dropped, t->n_dropped == 1 ? "" : "s");
    if (t->n_unknown)
        import_note(t->in, "%llu line%s of raw counters of an unknown kind left out",
                    (unsigned long long)t->n_unknown, t->n_unknown == 1 ? "" : "s");
}
