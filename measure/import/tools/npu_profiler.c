/* The text that ST's npu_profiler.py (versions 0.2 to 0.4, "How to profile a deployed model" of ST Edge AI
 * Core) prints of a model on a Neural-ART, to a terminal or into a log with a letter before each line; and
 * the raw counters that the runtime sends, which such a log also has when it is detailed, or which stand
 * alone.
 *
 *   Summary 'kws' - ['kws', 'img']                                    of each model: its runtime
 *   device.attrs : fpu,...,mcu_freq=800MHz,...
 *   [T] [TARGET:1] s:node:mcu_cycles:393:817152:372             raw counters, of each epoch of each inference
 *   EpochBlock_1 (c_idx=0, num=1:22, c_type=EC, extra=0)              a block for each epoch, of means
 *   Measured, Memory bandwidth / inference                            the final part
 *
 * The processor (MCU) times every epoch in three phases, which one after the other are the duration; the
 * accelerator (NPU) counts cycles of its own clock in the same time. The two are never added.
 *
 * Blocks and the final part belong together when they state the same duration. In the article they do not: it
 * shows blocks of one run and the final part of another.
 */
#include "measure/import/tools/st/npu_report.h"
#include "measure/import/tools/st/st_report.h"
#include "measure/import/timings.h"

/* The run that blocks are added to, and what they add up to. */
typedef struct open_run {
    roof_run *run;    /* NULL when there is none */
    double stated_ms; /* of all epochs, as the blocks say */
    double cycles;    /* of those that there are */
    uint64_t last_c_idx, line;
    uint32_t n_blocks, n_without_compiler;
} open_run;

enum { MOST_EPOCHS = 1 << 14, MOST_NETWORKS = 1 << 12 };

/* Raw counters that the instrumented runtime of the Neural-ART sends for every epoch of every inference
 * ("s:node:mcu_cycles:395:817199:368"), gathered by network and epoch. The runtime has 16 counters, so that
 * the profiler runs a network several times with other counters each time: what these passes counted of an
 * epoch is put together, and what several of them counted is averaged. A network is told by its epochs: a
 * line of other epochs begins another one. An inference is gathered epoch by epoch, and taken over as a whole
 * when the next one begins: only then is it known whether a line was lost on the way or the recording was cut
 * off, and to which network it belongs.
 *
 * One epoch of a network: sums over inferences; of the inference that is being gathered, what was counted. */
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

typedef struct reading {
    import_state *in;
    epoch *gathered;           /* of the inference that is being read */
    uint32_t n_gathered, room; /* room: the most of any inference so far */
    bool broken;               /* the inference that is being gathered lacks lines */
    network *networks;
    uint32_t n_networks;
    uint64_t n_dropped, n_unknown;
    st_clocks clocks;
    bool attributes_go_on; /* on the next line */
    const char *remarked;  /* what was remarked of the runtime, a line each; NULL: nothing */
    const char *model;     /* name; NULL: not stated */
    uint32_t n_models;
    open_run open;
    npu_part part; /* that is being read */
    uint64_t n_skipped, first_skipped_line;
    bool is_result; /* blocks or a final part were found */
} reading;

/* --- inferences into networks ------------------------------------------------------------------------- */

static bool same_epoch(const npu_epoch_id *a, const npu_epoch_id *b)
{
    return a->c_idx == b->c_idx && a->first == b->first && a->last == b->last && a->extra == b->extra &&
           strcmp(a->type, b->type) == 0;
}

/* The network that the inference is of; NULL for one that is not whole. The beginning of the network before
 * is one that was cut off rather than a smaller network. */
static roof_status find_network(reading *r, network **out, roof_error *err)
{
    network *last = r->n_networks ? &r->networks[r->n_networks - 1] : NULL;
    bool whole = !r->broken && r->n_gathered && r->gathered[0].id.c_idx == 0;
    bool like = last && !last->closed && r->n_gathered <= last->n_epochs;
    for (uint32_t i = 0; like && i < r->n_gathered; i++)
        like = same_epoch(&r->gathered[i].id, &last->epochs[i].id);
    *out = NULL;
    if (!whole || (like && r->n_gathered < last->n_epochs))
        return ROOF_OK;
    if (like && r->n_gathered == last->n_epochs) {
        *out = last;
        return ROOF_OK;
    }
    /* A network of the epochs that were gathered; what was counted of them is added behind. */
    char name[NPU_NAME_SIZE];
    TRY(HAS_ROOM(r->n_networks, MOST_NETWORKS, err, "networks, told by their epochs"));
    row_timings *timings = NEW(r->in->scratch, row_timings);
    epoch *epochs = NEW_ARRAY(r->in->scratch, epoch, r->n_gathered);
    network *n = array_add(r->in->scratch, &r->networks, &r->n_networks, sizeof *n);
    TRY(ALLOCATED(n && timings && epochs, err));
    *n = (network){.timings = timings, .epochs = epochs, .n_epochs = r->n_gathered};
    for (uint32_t i = 0; i < n->n_epochs; i++) {
        epochs[i].id = r->gathered[i].id;
        TRY(timings_row_of(r->in, timings, span_of(npu_epoch_name(&epochs[i].id, name)), i, &epochs[i].row,
                           err));
    }
    *out = n;
    return ROOF_OK;
}

static roof_status take_inference(reading *r, roof_error *err)
{
    network *n = NULL;
    for (uint32_t i = 0; i < r->n_gathered; i++)
        r->broken = r->broken || !r->gathered[i].counts[NPU_MCU];
    if (r->n_gathered || r->broken)
        TRY(find_network(r, &n, err));
    r->n_dropped += !n && (r->n_gathered || r->broken);
    for (uint32_t i = 0; n && i < r->n_gathered; i++) {
        const uint64_t *mcu = r->gathered[i].sums + NPU_MCU;
        double cycles = (double)mcu[0] + (double)mcu[1] + (double)mcu[2];
        for (unsigned k = 0; k < NPU_RUNTIME; k++) {
            epoch *e = &n->epochs[i];
            if (__builtin_add_overflow(e->sums[k], r->gathered[i].sums[k], &e->sums[k]))
                return error_set(err, ROOF_E_LIMIT, "counters of an epoch add up to more than 2^64");
            e->counts[k] += r->gathered[i].counts[k];
        }
        TRY(timings_add(n->timings, n->epochs[i].row, cycles / r->clocks.hz[ST_MCU], err));
    }
    if (n)
        n->n_inferences++;
    r->n_gathered = 0;
    r->broken = false;
    return ROOF_OK;
}

/* The lines that follow are of another network, or none follow. */
static roof_status cut_trace(reading *r, roof_error *err)
{
    TRY(take_inference(r, err));
    if (r->n_networks)
        r->networks[r->n_networks - 1].closed = true;
    return ROOF_OK;
}

/* --- lines -------------------------------------------------------------------------------------------- */

static const char node[] = "s:node:";

static roof_status malformed(text_span message, const char *want, roof_error *err)
{
    return error_data(err, "found '%s', want %s", SHOWN(message), want);
}

static roof_status begin_epoch(reading *r, text_span message, roof_error *err)
{
    epoch next = {.matched = false};
    double numbers[4];
    text_span rest = message, hexadecimal[2]; /* flags and type: the kind says what they mean */
    const bool good = span_cut(&rest, "evt_pre_start:#:#:#:#:*:*:", numbers, hexadecimal);
    if (!good || !npu_epoch_make(numbers[0], numbers + 2, span_trim(span_until(&rest, ":")), &next.id))
        return malformed(message, "evt_pre_start:C_IDX:EPOCH:FIRST:LAST:FLAGS:TYPE:KIND", err);
    if (strcmp(next.id.type, "EXTRA") == 0) {
        /* An epoch that the runtime had to put behind one of the compiler belongs to it, as the profiler
         * counts them, too. */
        if (!r->n_gathered) {
            r->broken = true;
            return ROOF_OK;
        }
        epoch *e = &r->gathered[r->n_gathered - 1];
        r->broken = r->broken || !(e->seen_now & 1U << NPU_MCU);
        e->id.extra++;
        e->seen_now = 0;
        return ROOF_OK;
    }
    const epoch *last = r->n_gathered ? &r->gathered[r->n_gathered - 1] : NULL;
    if (last ? next.id.c_idx <= last->id.c_idx : r->broken && next.id.c_idx == 0)
        TRY(take_inference(r, err));
    else
        r->broken = r->broken || (last && next.id.c_idx != last->id.c_idx + last->id.extra + 1 &&
                                  next.id.c_idx != last->id.c_idx + 1);
    TRY(HAS_ROOM(r->n_gathered, MOST_EPOCHS, err, "epochs in an inference"));
    if (r->n_gathered == r->room)
        TRY(ARENA_ADD(r->in->scratch, r->gathered, r->room, err, next));
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a good arena_status says that there is room */
    r->gathered[r->n_gathered++] = next;
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

static roof_status read_counters(reading *r, const counter_line *c, text_span message, roof_error *err)
{
    double numbers[4];
    text_span rest = span_from(message, strlen(c->key));
    if (!span_scan(&rest, c->pattern, numbers) || rest.length) {
        char want[60];
        snprintf(want, sizeof want, "%s and whole numbers, as in %s", c->key, c->pattern);
        return malformed(message, want, err);
    }
    if (c->place == NPU_MCU && isnan(r->clocks.hz[ST_MCU]))
        return error_data(err, "cycles without the MCU's clock, want a line \"s:config:mcu_freq:HZ\" or "
                               "\"device.attrs : ...,mcu_freq=800MHz,...\" before them");
    bool has_engine = c->place >= NPU_STREAMS;
    if (has_engine && numbers[0] >= NPU_ENGINES)
        return malformed(message, "a stream engine from 0 to 15", err);
    unsigned place = c->place + (has_engine ? (unsigned)numbers[0] : 0);
    epoch *e = r->n_gathered ? &r->gathered[r->n_gathered - 1] : NULL;
    if (!e || (e->seen_now >> place & 1)) {
        r->broken = true; /* no beginning of the epoch, or a counter twice: lines were lost */
        return ROOF_OK;
    }
    for (unsigned i = 0; i < c->n; i++) {
        e->sums[place + i] += (uint64_t)numbers[i + has_engine];
        e->counts[place + i] = 1;
        e->seen_now |= UINT64_C(1) << (place + i);
    }
    return ROOF_OK;
}

static roof_status read_trace(reading *r, text_span message, roof_error *err)
{
    span_skip(&message, node);
    if (span_begins(message, "evt_pre_start:"))
        return begin_epoch(r, message, err);
    for (size_t i = 0; i < N_OF(counter_lines); i++)
        if (span_begins(message, counter_lines[i].key))
            return read_counters(r, &counter_lines[i], message, err);
    for (size_t i = 0; i < N_OF(derived_lines); i++)
        if (span_begins(message, derived_lines[i]))
            return ROOF_OK;
    r->n_unknown++;
    return ROOF_OK;
}

/* --- into layers -------------------------------------------------------------------------------------- */

/* The means, rounded up as npu_profiler.py does. */
static void find_means(const epoch *e, uint64_t means[NPU_COUNTS])
{
    for (unsigned i = 0; i < NPU_COUNTS; i++)
        means[i] = i < NPU_RUNTIME && e->counts[i] ? ceil_div(e->sums[i], e->counts[i]) : ROOF_UNKNOWN;
}

/* A run for every network, in an experiment of its own, with the clocks. */
static roof_status add_networks(reading *r, roof_error *err)
{
    roof_measured *m = r->in->out;
    FOR_EACH(network, n, r->networks, r->n_networks) {
        roof_experiment *x = import_add_experiment(r->in, r->n_models == 1 ? r->model : NULL);
        roof_run *run = x ? experiment_add_run(m, x, ROOF_RUN_PER_LAYER) : NULL;
        TRY(ALLOCATED(run, err));
        TRY(st_add_clocks(r->in, run, &r->clocks, err));
        FOR_EACH(const epoch, e, n->epochs, n->n_epochs) {
            uint64_t means[NPU_COUNTS];
            roof_measured_layer *layer = NULL;
            find_means(e, means);
            TRY(timings_layer(n->timings, e->row, run, &layer, err));
            roof_layer_counters *c = layer_counters_of(m, layer);
            layer->type = measured_text(m, e->id.type, strlen(e->id.type));
            layer->index = (uint32_t)(e->id.c_idx + 1);
            TRY(ALLOCATED(c && layer->type, err));
            (void)st_find_type(span_of(e->id.type), &c->device);
            TRY(npu_add_extra(m, layer, e->id.extra, err));
            TRY(npu_set_counts(m, layer, means, false, err));
        }
        run->iterations = n->n_inferences;
        run->boundaries = n->n_epochs;
        run->sum_of_layers_s = import_sum_of_rows(run);
        TRY(st_sum_phases(m, run, err));
    }
    return ROOF_OK;
}

/* Takes what the trace has of the epoch of a block before the last cut: when its means, rounded up, are the
 * cycles of its phases, its samples become the layer's, and what is known better than from the profiler's
 * text replaces the counts: cycles of the NPU in all phases, and stream engines, by direction then; and what
 * the text does not have of the cache and of bursts. */
static roof_status match_epoch(reading *r, npu_part *b, bool *by_engine, roof_error *err)
{
    enum { N_STREAMS = NPU_PLAN - NPU_STREAMS };
    const network *n = r->n_networks ? &r->networks[r->n_networks - 1] : NULL;
    epoch *e = NULL;
    for (uint32_t i = 0; n && !e && i < n->n_epochs; i++)
        if (same_epoch(&n->epochs[i].id, &b->id))
            e = &n->epochs[i];
    if (!e || e->matched)
        return ROOF_OK;
    uint64_t means[NPU_COUNTS];
    find_means(e, means);
    for (unsigned p = NPU_MCU; p < NPU_MCU + ST_PHASES; p++) {
        uint64_t x = means[p], y = b->of[p];
        if ((x > y ? x - y : y - x) > b->id.extra) /* each of the epochs that are put together is rounded */
            return ROOF_OK;
    }
    e->matched = true;
    if (e->counts[NPU_NPU])
        memcpy(b->of + NPU_NPU, means + NPU_NPU, ST_PHASES * sizeof *means);
    /* of a software epoch the profiler prints none of them */
    for (unsigned i = NPU_CACHE; i < NPU_STREAMS; i++)
        if (b->of[i] == ROOF_UNKNOWN)
            b->of[i] = means[i];
    memcpy(b->of + NPU_STREAMS, means + NPU_STREAMS, N_STREAMS * sizeof *means);
    *by_engine = false;
    const timings_row *row = &n->timings->rows[e->row];
    return !row->samples
               ? ROOF_OK
               : times_from_samples(r->in->out, row->samples, (size_t)row->count, &b->layer->time, err);
}

/* --- lines of the profiler ------------------------------------------------------------------------------ */

/* "fpu,npu_cache=1,mcu_freq=800MHz," and more on the next line, as the article breaks it. */
static roof_status read_attributes(reading *r, text_span value, roof_error *err)
{
    r->attributes_go_on = value.length && value.text[value.length - 1] == ',';
    return st_read_attrs(value, &r->clocks, err);
}

/* A line of the summary of a model; others are passed over. */
static roof_status read_summary(reading *r, text_span message, roof_error *err)
{
    static const char *const remarked[] = {"tools", "runtime lib", "device.desc"};
    text_span key, value;
    if (r->attributes_go_on)
        return read_attributes(r, message, err);
    if (!st_cut_pair(message, &key, &value) || !value.length)
        return ROOF_OK;
    if (span_is(key, "device.attrs"))
        return read_attributes(r, value, err);
    const char *fact = st_model_fact(key);
    const uint32_t i = SPAN_AT(remarked, N_OF(remarked), key);
    if (!fact && i == N_OF(remarked))
        return ROOF_OK;
    /* Versions, which decide about times; models of one file mostly have the same. */
    return st_remark(r->in, &r->remarked, fact ? fact : remarked[i], value, err);
}

/* A clock that a block repeats in whole MHz, NaN for none. */
static roof_status check_clock(reading *r, st_domain domain, double mhz, roof_error *err)
{
    double *hz = &r->clocks.hz[domain];
    if (isnan(mhz))
        return ROOF_OK;
    if (isnan(*hz))
        *hz = mhz * 1e6;
    if (floor(*hz / 1e6) != mhz)
        return error_line(err, ROOF_E_DATA, r->part.line,
                          "a block with %s_freq=%.0fMHz, where %.6g MHz was stated", st_domains[domain], mhz,
                          *hz / 1e6);
    return ROOF_OK;
}

static const char *model_text(const reading *r)
{
    return r->model ? r->model : "the model";
}

/* A run of the model that is being read: one that is in the file twice has another run. */
static roof_status open_new_run(reading *r, roof_error *err)
{
    roof_experiment *e = import_experiment_of(r->in, r->model);
    r->open =
        (open_run){.run = e ? experiment_add_run(r->in->out, e, ROOF_RUN_PER_LAYER) : NULL, .stated_ms = NAN};
    return ALLOCATED(r->open.run, err);
}

/* The rows say what the whole takes: when all are there, their sum is the duration that each block states.
 */
static roof_status sum_up_rows(const reading *r, roof_run *run, roof_error *err)
{
    double sum_s = r->open.cycles / r->clocks.hz[ST_MCU], stated_s = r->open.stated_ms / 1e3;
    double rounded_s = 0.51e-6 + 4 * run->n_layers / r->clocks.hz[ST_MCU];
    if (sum_s > stated_s + rounded_s)
        return error_line(err, ROOF_E_DATA, r->open.line,
                          "the epochs up to here take %.3f ms, more than the %.3f ms that are stated for all",
                          1e3 * sum_s, r->open.stated_ms);
    if (sum_s < stated_s - rounded_s) {
        import_note(r->in, "%s: the file lists %u of the epochs, %s ms of %s ms", model_text(r),
                    run->n_layers, NUMBER(1e3 * sum_s), NUMBER(r->open.stated_ms));
        run->sum_of_layers_s = run->total.mean_s = stated_s;
        return ROOF_OK;
    }
    run->sum_of_layers_s = run->total.mean_s = sum_s;
    run->boundaries = run->n_layers;
    if (import_counts_agree(run))
        run->iterations = run->layers[0].time.count;
    return st_sum_phases(r->in->out, run, err);
}

static roof_status close_run(reading *r, const npu_part *final, roof_error *err)
{
    roof_run *run = r->open.run;
    if (!run)
        return ROOF_OK;
    if (run->n_layers)
        TRY(sum_up_rows(r, run, err));
    if (final)
        TRY(npu_final_end(final, r->clocks.hz[ST_MCU], run, err));
    TRY(st_add_clocks(r->in, run, &r->clocks, err));
    /* The profiler knows nothing of what is planned for programs of the epoch controller, even where it knows
     * more. */
    const open_run *o = &r->open;
    if (o->n_without_compiler && o->n_without_compiler < o->n_blocks)
        import_note(
            r->in,
            "%s: of %u of %u epochs and programs the profile does not state what the compiler planned: %s",
            model_text(r), o->n_without_compiler, o->n_blocks,
            r->in->options->model ? "reconcile takes it from the model"
                                  : "name it with --model c_info.json, and reconcile completes them");
    else if (o->n_without_compiler)
        import_note(
            r->in,
            "%s: nothing is known of what the compiler planned, since c_info.json was not beside network.c "
            "when the profile was taken: copy it there (`stedgeai generate` writes it) and profile again",
            model_text(r));
    r->open.run = NULL;
    return ROOF_OK;
}

/* The clock that a final part alone does not state: the only whole number of MHz in which its cycles take
 * the time that it prints. */
static void derive_clock(reading *r, st_domain domain, unsigned at, double ms)
{
    const double cycles = known_count(r->part.of[at]), mhz = round(cycles / ms / 1e3);
    const double rounded_ms = 0.00051;
    if (!isnan(r->clocks.hz[domain]) || !(ms > 0) || !(mhz >= 1) ||
        fabs(cycles / mhz / 1e3 - ms) > rounded_ms || fabs(cycles / (mhz + 1) / 1e3 - ms) <= rounded_ms ||
        fabs(cycles / (mhz - 1) / 1e3 - ms) <= rounded_ms)
        return;
    r->clocks.hz[domain] = mhz * 1e6;
    import_note(r->in, "%s_freq is not stated: %s cycles in %s ms are %s MHz", st_domains[domain],
                NUMBER(cycles), NUMBER(ms), NUMBER(mhz));
}

static roof_status end_final(reading *r, roof_error *err)
{
    double total_ms = r->part.duration[0], rows_ms = r->open.stated_ms;
    if (!r->part.headed)
        return ROOF_OK;
    derive_clock(r, ST_MCU, NPU_ALL_MCU, total_ms);
    derive_clock(r, ST_NPU, NPU_ALL_NPU + 1, r->part.duration[1]);
    /* The middle share is that of the counted cycles, to its two digits, or they are of two runs; the others
     * are known by these digits alone. */
    const double *percent = r->part.mcu_percent;
    double all = known_count(r->part.of[NPU_ALL_MCU]), core = known_count(r->part.of[NPU_ALL_MCU + 1]);
    double counted = 100 * core / all;
    if (!isnan(percent[1])) {
        if (fabs(counted - percent[1]) > 0.006)
            import_note(
                r->in,
                "%s: %s %% of the MCU's cycles are printed for the NPU's work, but %s of %s cycles are %s %%",
                model_text(r), NUMBER(percent[1]), NUMBER(core), NUMBER(all), NUMBER(counted));
        import_note(r->in,
                    "%s: of the MCU's cycles %s %% are before, %s %% while and %s %% after the NPU works",
                    model_text(r), NUMBER(percent[0]), NUMBER(percent[1]), NUMBER(percent[2]));
    }
    bool another = r->open.run && !isnan(total_ms) && !isnan(rows_ms) && fabs(total_ms - rows_ms) > 0.0015;
    if (another) {
        import_note(r->in, "%s: blocks of %s ms and a final part of %s ms are of two runs, which stand apart",
                    model_text(r), NUMBER(rows_ms), NUMBER(total_ms));
        TRY(close_run(r, NULL, err));
    }
    if (!r->open.run)
        TRY(open_new_run(r, err));
    return close_run(r, &r->part, err);
}

static roof_status end_part(reading *r, roof_error *err)
{
    npu_part_kind kind = r->part.kind;
    if (kind == NPU_OUTSIDE)
        return ROOF_OK;
    r->part.kind = NPU_OUTSIDE;
    if (kind == NPU_BLOCK) {
        npu_part *b = &r->part;
        bool by_engine = true;
        TRY(check_clock(r, ST_MCU, b->mhz[0], err));
        TRY(check_clock(r, ST_NPU, b->mhz[1], err));
        TRY(npu_block_end(b, r->clocks.hz[ST_MCU], err));
        TRY(match_epoch(r, b, &by_engine, err));
        TRY(npu_set_counts(r->in->out, b->layer, b->of, by_engine, err));
        r->open.cycles += npu_block_cycles(b);
        r->open.stated_ms = b->duration[2];
        r->open.n_blocks++;
        r->open.n_without_compiler += b->without_compiler;
    } else {
        TRY(end_final(r, err));
    }
    if (r->part.n_skipped && !r->n_skipped)
        r->first_skipped_line = r->part.first_skipped_line;
    r->n_skipped += r->part.n_skipped;
    return ROOF_OK;
}

/* Rows stand in the order of execution; one that does not begins another run. */
static roof_status begin_block(reading *r, text_span message, uint64_t line, roof_error *err)
{
    npu_epoch_id id;
    char name[NPU_NAME_SIZE];
    roof_measured *m = r->in->out;
    TRY(end_part(r, err));
    TRY(npu_block_read_id(message, &id, err));
    TRY(cut_trace(r, err));
    if (r->open.run && r->open.run->n_layers && id.c_idx <= r->open.last_c_idx)
        TRY(close_run(r, NULL, err));
    if (!r->open.run)
        TRY(open_new_run(r, err));
    TRY(HAS_ROOM(m->storage->n_layers++, TIMINGS_MAX_ROWS, err, "epochs"));
    roof_measured_layer *layer = run_add_layer(m, r->open.run);
    npu_epoch_name(&id, name);
    TRY(ALLOCATED(layer && (layer->name = measured_text(m, name, strlen(name))) &&
                      (layer->type = measured_text(m, id.type, strlen(id.type))),
                  err));
    layer->index = (uint32_t)id.c_idx + 1;
    npu_part_begin(&r->part, NPU_BLOCK, m, layer);
    r->part.id = id;
    r->part.line = r->open.line = line;
    r->open.last_c_idx = id.c_idx;
    r->is_result = true;
    return ROOF_OK;
}

/* The message of a line, trimmed: without "[I]    " and "[TARGET:1] ". level: the letter of the prefix, 'I'
 * where there is none, since the profiler prints the same to a terminal without. */
static text_span message_of(const import_line *line, char *level)
{
    text_span s = span_trim((text_span){line->text, line->length}), rest;
    *level = 'I';
    if (s.length >= 3 && s.text[0] == '[' && s.text[1] >= 'A' && s.text[1] <= 'Z' && s.text[2] == ']') {
        *level = s.text[1];
        s = span_trim(span_from(s, 3));
    }
    rest = s;
    return span_skip(&rest, "[TARGET:") && span_skip_past(&rest, "]") ? span_trim(rest) : s;
}

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    char level;
    text_span message = message_of(line, &level);
    if (span_begins(message, node) || span_begins(message, "port0:burst:") ||
        span_begins(message, "port1:burst:"))
        return read_trace(r, message, err);
    if (span_skip(&message, "s:config:")) {
        /* "s:config:mcu_freq:800000000": exact, where attributes are in whole MHz. */
        for (st_domain d = ST_MCU; d < ST_DOMAINS; d++) {
            text_span rest = message;
            double hz = NAN;
            if (!span_skip(&rest, st_domains[d]) || !span_skip(&rest, "_freq:"))
                continue;
            text_span value = rest;
            if (!span_scan(&rest, "~", &hz) || rest.length || !(hz >= 1))
                return error_data(err, "%s_freq is '%s', want a clock in Hz", st_domains[d], SHOWN(value));
            st_set_clock(&r->clocks, d, hz);
        }
        return ROOF_OK;
    }
    if (level != 'I')
        return ROOF_OK;
    if (span_skip(&message, "Summary '")) {
        /* message: what stands behind "Summary '", as in "kws' - ['kws', 'img']". */
        TRY(end_part(r, err));
        TRY(close_run(r, NULL, err));
        TRY(cut_trace(r, err));
        text_span name = span_until(&message, "'");
        r->n_models++;
        return import_keep_name(r->in, name, &r->model, err);
    }
    if (span_begins(message, "EpochBlock_") && span_has(message, "(c_idx="))
        return begin_block(r, message, line->number, err);
    if (r->part.kind != NPU_FINAL && npu_final_begins(message)) {
        TRY(end_part(r, err));
        npu_part_begin(&r->part, NPU_FINAL, r->in->out, NULL);
        r->is_result = true;
    }
    npu_part *p = &r->part;
    if (p->kind == NPU_OUTSIDE)
        return read_summary(r, message, err);
    if (p->kind == NPU_BLOCK && !message.length && p->of[NPU_MCU] != ROOF_UNKNOWN)
        return end_part(r, err);
    TRY(npu_part_line(p, message, line->number, err));
    return p->kind == NPU_FINAL && p->ended ? end_part(r, err) : ROOF_OK;
}

static roof_status finish(reading *r, roof_error *err)
{
    uint64_t n_left = 0;
    TRY(end_part(r, err));
    TRY(close_run(r, NULL, err));
    TRY(cut_trace(r, err));
    if (!r->is_result && !r->n_networks)
        return error_data(err, "no epochs, want lines \"EpochBlock_N (c_idx=...)\" of npu_profiler.py, or "
                               "raw counters \"s:node:...\" of whole inferences");
    if (!r->is_result)
        TRY(add_networks(r, err));
    for (uint32_t i = 0; r->is_result && i < r->n_networks; i++)
        for (uint32_t k = 0; k < r->networks[i].n_epochs; k++)
            n_left += !r->networks[i].epochs[k].matched;
    if (n_left)
        import_note(
            r->in,
            "raw counters of %llu epoch%s do not have the means that the profiler printed, and are left out",
            (unsigned long long)n_left, n_left == 1 ? "" : "s");
    if (r->n_dropped)
        import_note(r->in, "raw counters of %llu inference%s are not complete, and are left out",
                    (unsigned long long)r->n_dropped, r->n_dropped == 1 ? "" : "s");
    if (r->n_unknown)
        import_note(r->in, "%llu line%s of raw counters of an unknown kind left out",
                    (unsigned long long)r->n_unknown, r->n_unknown == 1 ? "" : "s");
    if (r->n_skipped)
        import_note(r->in, "%llu line%s of blocks not understood and left out, the first is line %llu",
                    (unsigned long long)r->n_skipped, r->n_skipped == 1 ? "" : "s",
                    (unsigned long long)r->first_skipped_line);
    /* The only device that the profiler is for, by the clock of its NPU: rates of memories follow from it. */
    roof_measured *m = r->in->out;
    const double npu_hz = r->clocks.hz[ST_NPU];
    const char *device = npu_hz == 1e9 ? "stm32n6" : npu_hz == 8e8 ? "stm32n6-normal" : NULL;
    for (uint32_t i = 0; device && i < m->n_experiments; i++)
        if (!m->experiments[i].hardware_id)
            m->experiments[i].hardware_id = device;
    /* --model cannot be all of them. */
    if (!r->in->options->model || m->n_experiments < 2)
        return ROOF_OK;
    for (uint32_t i = 0; i < m->n_experiments; i++)
        m->experiments[i].model_path = m->experiments[i].resolved_path = NULL;
    import_note(r->in, "the file has %u models, so that --model names none of them", m->n_experiments);
    return ROOF_OK;
}

const importer_def importer_npu_profiler = {
    .id = "npu_profiler",
    .marks = {SURE("NPU Utility - AiRunner Profiler"), SURE("EpochBlock_", "(c_idx="),
              SURE("total max_cycles"), SURE("npu_core:"), LIKELY("s:node:"), LIKELY("s:config:mcu_freq:")},
    READING(reading, .clocks = ST_NO_CLOCKS, .open.stated_ms = NAN),
    .line = read_line,
    .finish = finish};
