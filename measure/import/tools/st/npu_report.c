#include "measure/import/tools/st/npu_report.h"
#include "measure/import/tools/st/st_report.h"

/* --- epochs and what is counted of them ---------------------------------------------------------------- */

bool npu_epoch_make(double c_idx, const double range[2], text_span type, npu_epoch_id *out)
{
    if (!type.length || type.length >= sizeof out->type || range[1] < range[0] ||
        utf8_first_bad(type.text, type.length) < type.length)
        return false;
    *out = (npu_epoch_id){.c_idx = (uint64_t)c_idx, .first = (uint64_t)range[0], .last = (uint64_t)range[1]};
    memcpy(out->type, type.text, type.length);
    return true;
}

const char *npu_epoch_name(const npu_epoch_id *id, char buffer[NPU_NAME_SIZE])
{
    if (id->first == id->last)
        snprintf(buffer, NPU_NAME_SIZE, "epoch_%llu", (unsigned long long)id->first);
    else
        snprintf(buffer, NPU_NAME_SIZE, "EpochBlock_%llu -> %llu", (unsigned long long)id->first,
                 (unsigned long long)id->last);
    return buffer;
}

/* Bytes of bursts of 1, 2, 4 and 8 beats of 8 bytes. A count that no document can hold stays one, and is
 * refused where it is set. */
static uint64_t burst_bytes(const uint64_t bursts[4])
{
    enum { BEAT_BYTES = 8 };
    checked bytes = {0, false};
    for (unsigned i = 0; i < 4; i++) {
        checked some = checked_times((checked){bursts[i], false}, (uint64_t)BEAT_BYTES << i);
        bytes = checked_plus(bytes, some.value);
        bytes.overflow = bytes.overflow || some.overflow;
    }
    return bytes.overflow ? UINT64_MAX - 1 : bytes.value;
}

/* A counter that must not be there yet. */
static roof_status add_event(roof_measured *m, roof_measured_layer *layer, roof_event event, roof_error *err)
{
    char name[COUNTER_NAME_SIZE];
    const roof_layer_counters *c = layer->counters;
    if (c && counter_find(c->events, c->n_events, &event) != ROOF_UNKNOWN)
        return error_data(err, "'%s' is there twice", SHOWN_TEXT(counter_name(&event, name)));
    return counted_set_event(counted_of_layer(m, layer), event, err);
}

roof_status npu_add_extra(roof_measured *m, roof_measured_layer *layer, uint64_t n, roof_error *err)
{
    return n ? add_event(m, layer, (roof_event){.scope = ROOF_COUNTER_EXTRA, .count = n}, err) : ROOF_OK;
}

/* The first counter that stands from a place on: as many as there are up to the next row, by index or by
 * beats. */
static const struct {
    unsigned place;
    const char *name;
} series[] = {{NPU_CACHE, "cache.read_hits"},
              {NPU_CACHE + 1, "cache.read_misses"},
              {NPU_CACHE + 2, "cache.read_alloc_misses"},
              {NPU_CACHE + 3, "cache.read_evictions"},
              {NPU_CACHE + 4, "cache.write_hits"},
              {NPU_CACHE + 5, "cache.write_misses"},
              {NPU_CACHE + 6, "cache.write_alloc_misses"},
              {NPU_CACHE + 7, "cache.write_throughs"},
              {NPU_BURSTS, "busif0.read_bursts_1"},
              {NPU_BURSTS + 4, "busif0.write_bursts_1"},
              {NPU_BURSTS + 8, "busif1.read_bursts_1"},
              {NPU_BURSTS + 12, "busif1.write_bursts_1"},
              {NPU_STREAMS, "stream0.in.active_cycles"},
              {NPU_STREAMS + NPU_ENGINES, "stream0.out.active_cycles"},
              {NPU_RUNTIME, "stream0.active_cycles"},
              {NPU_PLAN, "compiler.ops"},
              {NPU_PLAN + 1, "compiler.compute_cycles"},
              {NPU_PLAN + 2, "compiler.max_cycles"}};

static roof_event event_at(unsigned place, uint64_t count)
{
    roof_event e;
    size_t i = N_OF(series) - 1;
    while (series[i].place > place)
        i--;
    (void)counter_parse(series[i].name, NULL, &e, NULL); /* no name in it, that would need memory */
    if (e.quantity == ROOF_COUNTER_BURSTS)
        e.beats = 1U << (place - series[i].place);
    else
        e.index = place - series[i].place;
    e.count = count;
    return e;
}

static roof_status set_known(roof_measured *m, roof_measured_layer *layer, unsigned place, uint64_t count,
                             roof_error *err)
{
    return count == ROOF_UNKNOWN ? ROOF_OK : add_event(m, layer, event_at(place, count), err);
}

/* The bytes of each interface and direction first, as the profiler prints them, then the bursts that they
 * follow from. */
static roof_status set_traffic(roof_measured *m, roof_measured_layer *layer, const uint64_t *counts,
                               roof_error *err)
{
    uint64_t bytes[2] = {0, 0};
    for (unsigned place = NPU_BURSTS; place < NPU_STREAMS; place++) {
        unsigned i = (place - NPU_BURSTS) % 8;
        if (counts[place] == ROOF_UNKNOWN)
            return ROOF_OK;
        if (i % 4 == 0) {
            roof_event event = event_at(place, burst_bytes(counts + place));
            event.quantity = ROOF_COUNTER_BYTES;
            event.beats = 0;
            bytes[i / 4] += event.count;
            TRY(add_event(m, layer, event, err));
        }
        TRY(set_known(m, layer, place, counts[place], err));
    }
    layer->counters->read_bytes = bytes[0];
    layer->counters->write_bytes = bytes[1];
    layer->counters->bytes_origin = ROOF_BYTES_COUNTER;
    return ROOF_OK;
}

roof_status npu_set_counts(roof_measured *m, roof_measured_layer *layer, const uint64_t counts[NPU_COUNTS],
                           bool by_engine, roof_error *err)
{
    TRY(ALLOCATED(layer_counters_of(m, layer), err));
    TRY(st_set_phases(m, layer, counts + NPU_MCU, "mcu", err));
    TRY(st_set_phases(m, layer, counts + NPU_NPU, "npu", err));
    TRY(set_traffic(m, layer, counts, err));
    enum { DIRECTIONS = 3 };
    for (unsigned i = 0; i < DIRECTIONS * NPU_ENGINES; i++) {
        unsigned place = NPU_STREAMS + (by_engine ? i / DIRECTIONS + i % DIRECTIONS * NPU_ENGINES : i);
        TRY(set_known(m, layer, place, counts[place], err));
    }
    for (unsigned i = NPU_CACHE; i < NPU_BURSTS; i++)
        TRY(set_known(m, layer, i, counts[i], err));
    for (unsigned i = NPU_PLAN; i < NPU_COUNTS; i++)
        TRY(set_known(m, layer, i, counts[i], err));
    return ROOF_OK;
}

/* --- lines --------------------------------------------------------------------------------------------- */

static roof_status malformed(text_span key, text_span value, const char *want, roof_error *err)
{
    return error_data(err, "'%s' is '%s', want %s", SHOWN(key), SHOWN(value), want);
}

/* --- headings ----------------------------------------------------------------------------------------- */

roof_status npu_block_read_id(text_span message, npu_epoch_id *out, roof_error *err)
{
    double numbers[5];
    text_span rest = message, type;
    if (!span_cut(&rest, "EpochBlock_# (c_idx=#, num=#:#, c_type=*, extra=#)", numbers, &type) ||
        numbers[1] >= (double)(ROOF_NONE - 1) || !npu_epoch_make(numbers[1], numbers + 2, type, out))
        return error_data(err, "found '%s', want EpochBlock_N (c_idx=N, num=FIRST:LAST, c_type=HW, extra=N)",
                          SHOWN(message));
    out->extra = (uint64_t)numbers[4];
    return ROOF_OK;
}

static bool is_final_heading(text_span message)
{
    return span_is(message, "Compiler") || span_is(message, "Measured") ||
           span_is(message, "Memory bandwidth / inference");
}

bool npu_final_begins(text_span message)
{
    return span_is(message, "Summary") || span_begins(message, "Final part") || is_final_heading(message);
}

void npu_part_begin(npu_part *p, npu_part_kind kind, roof_measured *m, roof_measured_layer *layer)
{
    *p = (npu_part){.kind = kind,
                    .m = m,
                    .layer = layer,
                    .duration = {NAN, NAN, NAN},
                    .mcu_percent = {NAN, NAN, NAN},
                    .mhz = {NAN, NAN}};
    for (unsigned i = 0; i < NPU_STATED; i++)
        p->of[i] = ROOF_UNKNOWN;
}

/* Bytes are not counted, but follow from the bursts. */
static roof_status check_busif(const uint64_t *stated, const char *key, roof_error *err)
{
    for (int write = 0; write < 2; write++) {
        uint64_t bytes = burst_bytes(stated + 2 + (size_t)4 * (size_t)write);
        if (bytes != stated[write])
            return error_data(err, "%s: %s=%llu bytes, but bursts of 1, 2, 4 and 8 beats of 8 bytes are %llu",
                              key, write ? "w" : "r", (unsigned long long)stated[write],
                              (unsigned long long)bytes);
    }
    return ROOF_OK;
}

static roof_status check_busifs(const uint64_t *stated, const char *key, roof_error *err)
{
    const uint64_t *second = stated - NPU_BUSIF_NUMBERS, *first = second - NPU_BUSIF_NUMBERS;
    for (unsigned i = 0; i < 2 && *first != ROOF_UNKNOWN && *second != ROOF_UNKNOWN; i++)
        if (first[i] + second[i] != stated[i])
            return error_data(err, "%s: %s=%llu bytes, but both together have %llu", key, i ? "w" : "r",
                              (unsigned long long)stated[i], (unsigned long long)(first[i] + second[i]));
    return ROOF_OK;
}

static roof_status check_core(const uint64_t *cycles, const char *key, roof_error *err)
{
    if (cycles[1] > cycles[0])
        return error_data(err, "%s: %llu of the core phase are more than %llu of all phases", key,
                          (unsigned long long)cycles[1], (unsigned long long)cycles[0]);
    return ROOF_OK;
}

/* --- lines of names and numbers ----------------------------------------------------------------------- */

typedef struct part_line {
    npu_part *p;
    text_span key, value;
    uint64_t line;
} part_line;

/* A name that is cut is too long for a key, and refused as such. */
static const char *name_of(text_span name, char buffer[COUNTER_NAME_SIZE])
{
    size_t length = name.length < COUNTER_NAME_SIZE ? name.length : COUNTER_NAME_SIZE - 1;
    snprintf(buffer, COUNTER_NAME_SIZE, "%.*s", (int)length, name.text);
    return buffer;
}

/* A counter with a name that the line has. */
static roof_status add_named(const part_line *l, roof_event event, text_span name, double count,
                             roof_error *err)
{
    char text[COUNTER_NAME_SIZE];
    event.name = name_of(name, text);
    event.count = (uint64_t)count;
    return add_event(l->p->m, l->p->layer, event, err);
}

/* "{'hw.conv': 4, 'hw.mul': 1}" */
static roof_status read_dictionary(const part_line *l, roof_error *err)
{
    double count;
    bool is_unit = span_is(l->key, "processor units");
    const roof_event event = {.scope = is_unit ? ROOF_COUNTER_UNIT : ROOF_COUNTER_OPERATION,
                              .origin = ROOF_COUNTER_PLANNED};
    text_span rest = l->value, name;
    bool is_good = span_scan(&rest, "{", NULL);
    if (!is_unit && span_begins(l->value, "<no-info")) {
        l->p->without_compiler = true;
        return ROOF_OK;
    }
    for (const char *before = "'"; is_good && span_scan(&rest, before, NULL); before = ", '") {
        is_good = span_cut(&rest, "*': #", &count, &name);
        if (is_good)
            TRY(add_named(l, event, name, count, err));
    }
    return is_good && span_scan(&rest, "}", NULL)
               ? ROOF_OK
               : malformed(l->key, l->value, "names and numbers, as in {'hw.conv': 4, 'hw.mul': 1}", err);
}

static roof_event pool_event(roof_counter_origin origin, int write)
{
    return (roof_event){.scope = ROOF_COUNTER_MEMORY,
                        .direction = write ? ROOF_COUNTER_WRITE : ROOF_COUNTER_READ,
                        .quantity = ROOF_COUNTER_BYTES,
                        .origin = origin};
}

static roof_status set_pool(const part_line *l, text_span pool, const double bytes[2], roof_error *err)
{
    for (int write = 0; write < 2; write++)
        TRY(add_named(l, pool_event(ROOF_COUNTER_PLANNED, write), pool, bytes[write], err));
    return ROOF_OK;
}

/* "[octoFlash: r=4608, w=0] [npuRAM5: r=19600, w=8820]", or nothing */
static roof_status read_accesses(const part_line *l, roof_error *err)
{
    text_span rest = l->value;
    while (rest.length) {
        double bytes[2];
        text_span pool;
        if (!span_cut(&rest, "[*: r=#, w=#] ", bytes, &pool))
            return malformed(l->key, l->value, "pools and bytes, as in [octoFlash: r=4608, w=0]", err);
        TRY(set_pool(l, pool, bytes, err));
    }
    return ROOF_OK;
}

/* "STRENG.1.i: busif=0, 5845 cycles, [npuRAM5:12544], 44%". A blob of the epoch controller uses an engine for
 * inputs in some of its epochs and for outputs in others: then what is printed is the mean of both (version
 * 0.3 of the profiler), and of no direction. */
static roof_status read_stream(const part_line *l, roof_error *err)
{
    static const char want[] = "as in STRENG.1.i: busif=0, 5845 cycles, [npuRAM5:12544], 44%";
    double numbers[3], bytes;
    text_span rest = l->value, way = {"", 0};
    bool good = span_cut(&rest, "STRENG.#.*: busif=#, # cycles, ", numbers, &way),
         is_output = span_is(way, "o");
    if (!good || (!is_output && !span_is(way, "i")) || numbers[0] >= NPU_ENGINES)
        return malformed(l->key, l->value, want, err);
    unsigned e = (unsigned)numbers[0], place = NPU_STREAMS + e + (is_output ? NPU_ENGINES : 0);
    if (l->p->id.first != l->p->id.last)
        place = NPU_RUNTIME + e;
    if (l->p->engines & 1U << e)
        return error_data(err, "stream engine %u is there twice in a block", e);
    l->p->engines |= 1U << e;
    l->p->of[place] = (uint64_t)numbers[2];
    roof_event event = event_at(place, 0); /* of the buffer, as the compiler planned it */
    event.quantity = ROOF_COUNTER_BYTES;
    event.origin = ROOF_COUNTER_PLANNED;
    for (bool more = span_scan(&rest, "[", NULL); more; more = span_scan(&rest, ", ", NULL)) {
        text_span pool = span_until(&rest, ":]");
        if (!span_scan(&rest, ":#", &bytes))
            return malformed(l->key, l->value, want, err);
        TRY(add_named(l, event, pool, bytes, err));
    }
    return ROOF_OK;
}

static roof_status skip_line(npu_part *p, uint64_t line)
{
    if (!p->n_skipped++)
        p->first_skipped_line = line;
    return ROOF_OK;
}

/* Behind the pools: they are all there. */
static roof_status read_total(const part_line *l, roof_error *err)
{
    double bytes[2];
    text_span rest = l->value;
    npu_part *p = l->p;
    p->ended = span_scan(&rest, "r=# w=#", bytes);
    if (!p->ended)
        return p->kind == NPU_FINAL ? skip_line(p, l->line) : malformed(l->key, l->value, "r=N w=N", err);
    if (bytes[0] != (double)p->pool_bytes[0] || bytes[1] != (double)p->pool_bytes[1])
        return error_data(err, "%s is r=%.0f w=%.0f, but the pools together are r=%llu w=%llu",
                          p->kind == NPU_FINAL ? "total r/w" : "total", bytes[0], bytes[1],
                          (unsigned long long)p->pool_bytes[0], (unsigned long long)p->pool_bytes[1]);
    return ROOF_OK;
}

/* A line with the name of a pool, or one that is unknown. */
static roof_status read_pool(const part_line *l, roof_error *err)
{
    double bytes[2];
    text_span rest = l->value;
    npu_part *p = l->p;
    if (!span_scan(&rest, "r=# w=# ->", bytes))
        return skip_line(p, l->line);
    for (int write = 0; write < 2; write++)
        p->pool_bytes[write] += (uint64_t)bytes[write];
    if (p->kind == NPU_BLOCK) {
        /* The target's part of a block repeats what the compiler planned of each pool, over the time. */
        const roof_layer_counters *c = layer_counters_of(l->p->m, l->p->layer);
        char name[COUNTER_NAME_SIZE], key[COUNTER_NAME_SIZE];
        TRY(ALLOCATED(c, err));
        for (int write = 0; write < 2; write++) {
            roof_event event = pool_event(ROOF_COUNTER_PLANNED, write);
            event.name = name_of(l->key, key);
            uint64_t planned = counter_find(c->events, c->n_events, &event);
            if (planned == ROOF_UNKNOWN)
                return set_pool(l, l->key, bytes, err);
            if (planned != (uint64_t)bytes[write])
                return error_data(err, "%s is %.0f here and %llu in the compiler's part",
                                  counter_name(&event, name), bytes[write], (unsigned long long)planned);
        }
        return ROOF_OK;
    }
    /* The final part has no run yet that they could stand in. */
    TRY(HAS_ROOM(p->n_pools / 2, NPU_MOST_POOLS, err, "memory pools"));
    const char *name = measured_text(p->m, l->key.text, l->key.length);
    TRY(ALLOCATED(name, err));
    for (int write = 0; write < 2; write++) {
        roof_event pool = pool_event(ROOF_COUNTER_SUMMED, write);
        pool.name = name;
        pool.count = (uint64_t)bytes[write];
        if (counter_find(p->pools, p->n_pools, &pool) != ROOF_UNKNOWN)
            return error_data(err, "'%s' is there twice", SHOWN(l->key));
        p->pools[p->n_pools++] = pool;
    }
    return ROOF_OK;
}

static roof_status read_no_pools(const part_line *l, roof_error *err)
{
    (void)err;
    l->p->ended = span_begins(l->value, "<no mempool info");
    return l->p->ended ? ROOF_OK : skip_line(l->p, l->line);
}

#define BUSIF_PATTERN "r=# w=# rburst[1,2,4,8]x8=(#,#,#,#) wburst[1,2,4,8]x8=(#,#,#,#)"
#define CACHE_PATTERN "R[hit=#, miss=#, alloc-miss=#, evict=#], W[hit=#, miss=#, alloc-miss=#, through=#]"

/* A line of numbers has a pattern, one of names too has a function, and what is derived has neither. */
static const struct known_line {
    unsigned parts; /* that have it */
    const char *key, *pattern;
    const char *want; /* NULL: a line that does not fit is skipped */
    unsigned at;      /* of its first number; that of durations is of no count */
    roof_status (*check)(const uint64_t *numbers, const char *key, roof_error *err);
    roof_status (*read)(const part_line *l, roof_error *err);
} known_lines[] = {
#define PHASES "cycles of three phases, [18859, 10599, 5253]"
    {NPU_BLOCK, "duration", "~ms (~%) total=~ms", "as in 0.043ms (0.3%) total=16.431ms", .at = 0},
    {NPU_BLOCK, "mcu cycles", "[#, #, #]", PHASES, .at = NPU_MCU},
    {NPU_BLOCK, "extra mcu", "[#, #, #]", PHASES, .at = NPU_EXTRA_MCU},
    {NPU_BLOCK, "core npu cycles", "#", "a whole number of cycles", .at = NPU_NPU + 1},
    {NPU_BLOCK, "busif 0", BUSIF_PATTERN, "r=N w=N and both bursts", NPU_BUSIF, .check = check_busif},
    {NPU_BLOCK, "busif 1", BUSIF_PATTERN, "r=N w=N and both bursts", NPU_BUSIF + NPU_BUSIF_NUMBERS,
     .check = check_busif},
    {NPU_BLOCK, "busif (total)", "r=# w=#", "r=N w=N", NPU_BUSIFS, .check = check_busifs},
    {NPU_BLOCK, "compute cycles", "# (max_cycles=#)", "as in 4608 (max_cycles=27648)", .at = NPU_PLAN + 1},
    /* Version 0.3 of the profiler adds these to memory that was not set to 0 before, so that anything may
     * stand here. */
    {NPU_BLOCK, "NPU cache cnts", CACHE_PATTERN, NULL, .at = NPU_CACHE},
    {NPU_FINAL, "total duration", "~ms, npu_core:~ms (~%)", "as in 13.649ms, npu_core:13.159ms (96.41%)",
     .at = 0},
    {NPU_FINAL, "mcu cycles", "# (core only = #)", "as in 10919340 (core only = 10515928)", NPU_ALL_MCU,
     .check = check_core},
    {NPU_FINAL, "npu cycles", "# (core only = #)", "as in 13692714 (core only = 13159399)", NPU_ALL_NPU,
     .check = check_core},
    {NPU_FINAL, "cycles", "# (total max_cycles)", "as in 15424817 (total max_cycles)", .at = NPU_PLAN + 2},
    {NPU_FINAL, "ideal cycles", "# (total compute_cycles)", "as in 7485802 (total compute_cycles)",
     .at = NPU_PLAN + 1},
    {NPU_BLOCK | NPU_FINAL, "ops", "#", "a whole number", .at = NPU_PLAN},
    {.parts = NPU_BLOCK, .key = "operations", .read = read_dictionary},
    {.parts = NPU_BLOCK, .key = "processor units", .read = read_dictionary},
    {.parts = NPU_BLOCK, .key = "mem accesses", .read = read_accesses},
    {.parts = NPU_BLOCK, .key = "active", .read = read_stream},
    {.parts = NPU_BLOCK, .key = "total", .read = read_total},
    {.parts = NPU_FINAL, .key = "total r/w", .read = read_total},
    {.parts = NPU_FINAL, .key = "<mempool name>", .read = read_no_pools},
    {.parts = NPU_BLOCK, .key = "epoch type"},
    {.parts = NPU_BLOCK, .key = "total mcu"},
    {.parts = NPU_BLOCK, .key = "npu cycles"},
    {.parts = NPU_BLOCK, .key = "strg engines"},
    {.parts = NPU_FINAL, .key = "inf/s"},
    {.parts = NPU_FINAL, .key = "ideal ops/cycle"},
    {.parts = NPU_FINAL, .key = "ideal inf/s"},
    {.parts = NPU_BLOCK | NPU_FINAL, .key = "ops/cycle"},
    {.parts = NPU_BLOCK | NPU_FINAL, .key = "compute cycles ratio"},
};

static roof_status read_numbers(const part_line *l, const struct known_line *row, roof_error *err)
{
    npu_part *p = l->p;
    double numbers[NPU_BUSIF_NUMBERS];
    unsigned n = 0;
    text_span rest = l->value;
    if (p->kind == NPU_BLOCK && span_begins(rest, "<no"))
        return ROOF_OK;
    if (*row->pattern == '~' ? !isnan(*p->duration) : p->of[row->at] != ROOF_UNKNOWN)
        return error_data(err, "'%s' is there twice in %s", row->key,
                          p->kind == NPU_BLOCK ? "a block" : "the final part");
    if (!span_scan(&rest, row->pattern, numbers) && row->want)
        return malformed(l->key, l->value, row->want, err);
    if (rest.text == l->value.text)
        return skip_line(p, l->line);
    if (*row->pattern == '~') {
        memcpy(p->duration, numbers, sizeof p->duration);
        if (span_scan_behind(rest, "mcu_cycles=", "[~, ~, ~]%", numbers))
            memcpy(p->mcu_percent, numbers, sizeof p->mcu_percent);
        return ROOF_OK;
    }
    for (const char *at = strchr(row->pattern, '#'); at; at = strchr(at + 1, '#'), n++)
        p->of[row->at + n] = (uint64_t)numbers[n];
    if (p->kind == NPU_BLOCK) {
        /* The clocks stand behind the cycles: "(mcu_freq=800MHz)". */
        static const char *const keys[] = {"(mcu_freq=", "(npu_freq="};
        for (int i = 0; i < 2; i++) {
            double mhz = NAN;
            if (span_scan_behind(rest, keys[i], "#MHz", &mhz) && mhz > 0)
                p->mhz[i] = mhz;
        }
    } else if (row->at == NPU_ALL_MCU)
        p->line = l->line;
    return row->check ? row->check(p->of + row->at, row->key, err) : ROOF_OK;
}

roof_status npu_part_line(npu_part *p, text_span message, uint64_t line, roof_error *err)
{
    part_line l = {.p = p, .line = line};
    bool final = p->kind == NPU_FINAL;
    p->headed = p->headed || (final && is_final_heading(message));
    if (!message.length || *message.text == '-')
        return ROOF_OK; /* rules */
    if (final ? npu_final_begins(message) : *message.text == '[')
        return ROOF_OK;      /* names of pieces */
    if (final && !p->headed) /* pools and epochs as the compiler made them, in a table of ST's parser */
        return ROOF_OK;
    if (st_cut_pair(message, &l.key, &l.value)) {
        FOR_EACH(const struct known_line, row, known_lines, N_OF(known_lines)) {
            if (!(row->parts & l.p->kind) || !span_is(l.key, row->key))
                continue;
            if (row->pattern)
                return read_numbers(&l, row, err);
            return row->read ? row->read(&l, err) : ROOF_OK;
        }
        return read_pool(&l, err);
    }
    return skip_line(p, line);
}

/* --- the end of a part --------------------------------------------------------------------------------- */

/* Milliseconds are printed with three decimals. */
#define ROUNDED_MS 0.00051

double npu_block_cycles(const npu_part *b)
{
    return (double)b->of[NPU_MCU] + (double)b->of[NPU_MCU + 1] + (double)b->of[NPU_MCU + 2];
}

roof_status npu_block_end(npu_part *b, double mcu_hz, roof_error *err)
{
    enum { BURSTS = 8 };
    const uint64_t *busif[] = {b->of + NPU_BUSIF, b->of + NPU_BUSIF + NPU_BUSIF_NUMBERS};
    bool both = *busif[0] != ROOF_UNKNOWN && *busif[1] != ROOF_UNKNOWN;
    roof_layer_counters *c = layer_counters_of(b->m, b->layer);
    TRY(ALLOCATED(c, err));
    if (b->of[NPU_MCU] == ROOF_UNKNOWN || isnan(*b->duration))
        return error_line(err, ROOF_E_DATA, b->line, "a block without '%s'",
                          isnan(*b->duration) ? "duration" : "mcu cycles");
    /* They are in the cycles of the block as well. */
    TRY(npu_add_extra(b->m, b->layer, b->id.extra, err));
    for (unsigned p = 0; p < ST_PHASES && b->of[NPU_EXTRA_MCU] != ROOF_UNKNOWN; p++) {
        const roof_event cycles = {.scope = ROOF_COUNTER_EXTRA,
                                   .quantity = ROOF_COUNTER_ACTIVE_CYCLES,
                                   .name = st_phases[p],
                                   .count = b->of[NPU_EXTRA_MCU + p]};
        TRY(add_event(b->m, b->layer, cycles, err));
        b->of[NPU_MCU + p] += cycles.count;
    }
    /* The profiler rounds the mean of each phase up to a cycle, and that of all together once more. */
    enum { ROUNDED_CYCLES = 4 };
    double cycles = npu_block_cycles(b), time_s = cycles / mcu_hz;
    if (isnan(mcu_hz))
        return error_line(
            err, ROOF_E_DATA, b->line,
            "a block without the MCU's clock, want mcu_freq in device.attrs or behind 'mcu cycles'");
    if (fabs(*b->duration - 1e3 * time_s) > ROUNDED_MS + 1e3 * ROUNDED_CYCLES / mcu_hz)
        return error_line(err, ROOF_E_DATA, b->line,
                          "a duration of %g ms, but its %.0f MCU cycles at %g MHz are %.3f ms", *b->duration,
                          cycles, mcu_hz / 1e6, 1e3 * time_s);
    b->layer->time.mean_s = time_s;
    (void)st_find_type(span_of(b->id.type), &c->device);
    for (unsigned i = 0; both && i < 2; i++)
        memcpy(b->of + NPU_BURSTS + (size_t)BURSTS * i, busif[i] + 2, BURSTS * sizeof *b->of);
    return ROOF_OK;
}

/* Only all phases together and the core phase are distinguished. Where the rows did not say what pre and post
 * took, these are one phase, so that phases add up. */
static roof_status set_phases(const npu_part *f, const char *domain, const uint64_t *cycles, roof_run *run,
                              roof_error *err)
{
    if (*cycles == ROOF_UNKNOWN ||
        phase_cycles_of(run->phase_cycles, run->n_phase_cycles, "pre", domain) != ROOF_UNKNOWN)
        return ROOF_OK;
    TRY(counted_set_phase(counted_of_run(f->m, run), "core", (roof_domain_cycles){domain, cycles[1]}, err));
    return counted_set_phase(counted_of_run(f->m, run), "pre+post",
                             (roof_domain_cycles){domain, cycles[0] - cycles[1]}, err);
}

roof_status npu_final_end(const npu_part *f, double mcu_hz, roof_run *run, roof_error *err)
{
    double stated = *f->duration, cycles = (double)f->of[NPU_ALL_MCU];
    if (f->of[NPU_ALL_MCU] != ROOF_UNKNOWN) {
        if (isnan(mcu_hz))
            return error_line(err, ROOF_E_DATA, f->line,
                              "cycles without the MCU's clock, want mcu_freq in device.attrs");
        /* The profiler adds up durations of epochs here, each rounded to a cycle, and cycles of phases there.
         */
        run->total.mean_s = run->sum_of_layers_s = cycles / mcu_hz;
        if (fabs(stated - 1e3 * run->total.mean_s) > ROUNDED_MS + 1e-4 * stated)
            return error_line(err, ROOF_E_DATA, f->line,
                              "a total duration of %g ms, but %.0f MCU cycles at %g MHz are %.3f ms", stated,
                              cycles, mcu_hz / 1e6, 1e3 * run->total.mean_s);
    }
    /* Cycles of the host before, while and after the NPU works: shares alone, in the digits of the report. */
    static const char *const names[] = {"mcu_pre", "mcu_core", "mcu_post"};
    const bool has_phases =
        phase_cycles_of(run->phase_cycles, run->n_phase_cycles, "pre", "mcu") != ROOF_UNKNOWN;
    for (size_t i = 0; i < N_OF(names) && !has_phases; i++)
        if (f->mcu_percent[i] >= 0 && f->mcu_percent[i] <= 100)
            TRY(counted_set(counted_of_run(f->m, run), ROOF_COUNTER_UNIT, ROOF_COUNTER_RATE_PPM, names[i],
                            1e4 * f->mcu_percent[i], err));
    TRY(set_phases(f, "mcu", f->of + NPU_ALL_MCU, run, err));
    TRY(set_phases(f, "npu", f->of + NPU_ALL_NPU, run, err));
    for (unsigned i = NPU_PLAN + 3; i-- > NPU_PLAN;) /* in the order of the report */
        if (f->of[i] != ROOF_UNKNOWN)
            TRY(counted_set_event(counted_of_run(f->m, run), event_at(i, f->of[i]), err));
    for (uint32_t i = 0; i < f->n_pools; i++)
        TRY(counted_set_event(counted_of_run(f->m, run), f->pools[i], err));
    return ROOF_OK;
}
