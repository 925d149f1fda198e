#include "measure/import/tools/st/npu_counts.h"
#include "core/checked.h"
#include "core/error.h"
#include "measure/import/tools/st/st_report.h"

#include <stdio.h>
#include <string.h>

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

npu_counts npu_counts_unknown(void)
{
    npu_counts counts = {.by_engine = false};
    for (unsigned i = 0; i < NPU_COUNTS; i++)
        counts.of[i] = ROOF_UNKNOWN;
    return counts;
}

/* A count that no document can hold stays one, and is refused where it is set. */
uint64_t npu_burst_bytes(const uint64_t bursts[4])
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

roof_status npu_add_event(roof_measured *m, roof_measured_layer *layer, roof_event event, roof_error *err)
{
    char name[COUNTER_NAME_SIZE];
    const roof_layer_counters *c = layer->counters;
    if (c && counter_find(c->events, c->n_events, &event) != ROOF_UNKNOWN)
        return error_set(err, ROOF_E_DATA, "'%s' is there twice", SHOWN(span_of(counter_name(&event, name))));
    return counted_set_event(counted_of_layer(m, layer), event, err);
}

roof_status npu_add_extra(roof_measured *m, roof_measured_layer *layer, uint64_t n, roof_error *err)
{
    return n ? npu_add_event(m, layer, (roof_event){.scope = ROOF_COUNTER_EXTRA, .count = n}, err) : ROOF_OK;
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

roof_event npu_event_at(unsigned place, uint64_t count)
{
    roof_event e;
    size_t i = sizeof series / sizeof *series - 1;
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
    return count == ROOF_UNKNOWN ? ROOF_OK : npu_add_event(m, layer, npu_event_at(place, count), err);
}

/* The bytes of each interface and direction first, as the profiler prints them, then the bursts that they
 * follow from. */
static roof_status set_traffic(roof_measured *m, roof_measured_layer *layer, const npu_counts *c,
                               roof_error *err)
{
    uint64_t bytes[2] = {0, 0};
    for (unsigned place = NPU_BURSTS; place < NPU_STREAMS; place++) {
        unsigned i = (place - NPU_BURSTS) % 8;
        if (c->of[place] == ROOF_UNKNOWN)
            return ROOF_OK;
        if (i % 4 == 0) {
            roof_event event = npu_event_at(place, npu_burst_bytes(c->of + place));
            event.quantity = ROOF_COUNTER_BYTES;
            event.beats = 0;
            bytes[i / 4] += event.count;
            TRY(npu_add_event(m, layer, event, err));
        }
        TRY(set_known(m, layer, place, c->of[place], err));
    }
    layer->counters->read_bytes = bytes[0];
    layer->counters->write_bytes = bytes[1];
    layer->counters->bytes_origin = ROOF_BYTES_COUNTER;
    return ROOF_OK;
}

roof_status npu_set_counts(roof_measured *m, roof_measured_layer *layer, const npu_counts *c, roof_error *err)
{
    TRY(ALLOCATED(layer_counters_of(m, layer), err));
    TRY(st_set_phases(m, layer, c->of + NPU_MCU, "mcu", err));
    TRY(st_set_phases(m, layer, c->of + NPU_NPU, "npu", err));
    TRY(set_traffic(m, layer, c, err));
    enum { DIRECTIONS = 3 };
    for (unsigned i = 0; i < DIRECTIONS * NPU_ENGINES; i++) {
        unsigned place = NPU_STREAMS + (c->by_engine ? i / DIRECTIONS + i % DIRECTIONS * NPU_ENGINES : i);
        TRY(set_known(m, layer, place, c->of[place], err));
    }
    for (unsigned i = NPU_CACHE; i < NPU_BURSTS; i++)
        TRY(set_known(m, layer, i, c->of[i], err));
    for (unsigned i = NPU_PLAN; i < NPU_COUNTS; i++)
        TRY(set_known(m, layer, i, c->of[i], err));
    return ROOF_OK;
}

roof_status npu_sum_phases(roof_measured *m, roof_run *run, roof_error *err)
{
    static const char *const domains[] = {"mcu", "npu"};
    for (unsigned i = 0; run->n_layers && i < 2 * ST_PHASES; i++) {
        const char *phase = st_phases[i / 2], *domain = domains[i % 2];
        uint64_t sum = 0;
        for (uint32_t row = 0; row < run->n_layers; row++) {
            const roof_layer_counters *c = run->layers[row].counters;
            (void)checked_add_known(&sum, c ? phase_cycles_of(c->phases, c->n_phases, phase, domain)
                                            : ROOF_UNKNOWN);
        }
        if (sum != ROOF_UNKNOWN)
            TRY(counted_set_phase(counted_of_run(m, run), phase, (roof_domain_cycles){domain, sum}, err));
    }
    return ROOF_OK;
}
