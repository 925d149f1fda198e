#include "measure/npu_counts.h"
#include "core/checked.h"
#include "core/error.h"
#include "measure/st_report.h"

#include <stdio.h>
#include <string.h>

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

/* --- events ------------------------------------------------------------------------------------------- */

roof_status npu_add_event(roof_measured *m, roof_measured_layer *layer, roof_event event, roof_error *err)
{
    char name[COUNTER_NAME_SIZE], shown[SHOWN_SIZE];
    const roof_layer_counters *c = layer->counters;
    if (c && counter_find(c->events, c->n_events, &event) != ROOF_UNKNOWN)
        return error_set(err, ROOF_E_DATA, "'%s' is there twice",
                         span_show(span_of(counter_name(&event, name)), shown));
    return layer_set_event(m, layer, event, err);
}

roof_event npu_plan_event(unsigned place, uint64_t count)
{
    static const roof_counter_quantity quantities[] = {ROOF_COUNTER_OPS, ROOF_COUNTER_COMPUTE_CYCLES,
                                                       ROOF_COUNTER_MAX_CYCLES};
    return (roof_event){.scope = ROOF_COUNTER_PROGRAM,
                        .quantity = quantities[place - NPU_PLAN],
                        .origin = ROOF_COUNTER_PLANNED,
                        .count = count};
}

static roof_event cache_event(unsigned place, uint64_t count)
{
    static const roof_counter_quantity quantities[] = {ROOF_COUNTER_HITS, ROOF_COUNTER_MISSES,
                                                       ROOF_COUNTER_ALLOC_MISSES, ROOF_COUNTER_EVICTIONS};
    const unsigned i = place - NPU_CACHE;
    roof_event e = {.scope = ROOF_COUNTER_CACHE, .direction = ROOF_COUNTER_READ, .count = count};
    e.quantity = quantities[i % 4];
    if (i >= 4)
        e.direction = ROOF_COUNTER_WRITE;
    if (i == 7)
        e.quantity = ROOF_COUNTER_THROUGHS;
    return e;
}

static roof_event stream_event(unsigned place, uint64_t count)
{
    static const roof_counter_direction directions[] = {ROOF_COUNTER_READ, ROOF_COUNTER_WRITE,
                                                        ROOF_COUNTER_UNDIRECTED};
    const unsigned i = place - NPU_STREAMS;
    return (roof_event){.scope = ROOF_COUNTER_STREAM,
                        .direction = directions[i / NPU_ENGINES],
                        .quantity = ROOF_COUNTER_ACTIVE_CYCLES,
                        .index = i % NPU_ENGINES,
                        .count = count};
}

/* --- into a layer ------------------------------------------------------------------------------------- */

static roof_status set_phases(roof_measured *m, roof_measured_layer *layer, const uint64_t cycles[ST_PHASES],
                              const char *domain, roof_error *err)
{
    for (unsigned p = 0; p < ST_PHASES; p++)
        if (cycles[p] != ROOF_UNKNOWN)
            TRY(layer_set_phase(m, layer, st_phases[p], (roof_domain_cycles){domain, cycles[p]}, err));
    return ROOF_OK;
}

/* Bytes first, as the profiler prints them, then the bursts that they follow from. */
static roof_status set_bursts(roof_measured *m, roof_measured_layer *layer, roof_event event,
                              const uint64_t bursts[4], roof_error *err)
{
    event.quantity = ROOF_COUNTER_BYTES;
    event.count = npu_burst_bytes(bursts);
    TRY(npu_add_event(m, layer, event, err));
    event.quantity = ROOF_COUNTER_BURSTS;
    for (unsigned i = 0; i < 4; i++) {
        event.beats = 1U << i;
        event.count = bursts[i];
        TRY(npu_add_event(m, layer, event, err));
    }
    return ROOF_OK;
}

static roof_status set_traffic(roof_measured *m, roof_measured_layer *layer, const uint64_t *bursts,
                               roof_error *err)
{
    uint64_t bytes[2] = {0, 0};
    for (unsigned i = 0; i < 4; i++, bursts += 4) {
        roof_event event = {.scope = ROOF_COUNTER_BUS, .direction = ROOF_COUNTER_READ, .index = i / 2};
        if (i % 2)
            event.direction = ROOF_COUNTER_WRITE;
        if (*bursts == ROOF_UNKNOWN)
            return ROOF_OK;
        TRY(set_bursts(m, layer, event, bursts, err));
        bytes[i % 2] += npu_burst_bytes(bursts);
    }
    layer->counters->read_bytes = bytes[0];
    layer->counters->write_bytes = bytes[1];
    layer->counters->bytes_origin = ROOF_BYTES_COUNTER;
    return ROOF_OK;
}

static roof_status set_known(roof_measured *m, roof_measured_layer *layer, roof_event event, roof_error *err)
{
    return event.count == ROOF_UNKNOWN ? ROOF_OK : npu_add_event(m, layer, event, err);
}

static roof_status set_streams(roof_measured *m, roof_measured_layer *layer, const npu_counts *c,
                               roof_error *err)
{
    enum { DIRECTIONS = 3 };
    for (unsigned i = 0; i < DIRECTIONS * NPU_ENGINES; i++) {
        unsigned place = c->by_engine ? i / DIRECTIONS + i % DIRECTIONS * NPU_ENGINES : i;
        TRY(set_known(m, layer, stream_event(NPU_STREAMS + place, c->of[NPU_STREAMS + place]), err));
    }
    return ROOF_OK;
}

roof_status npu_set_counts(roof_measured *m, roof_measured_layer *layer, const npu_counts *c, roof_error *err)
{
    if (!layer_counters_of(m, layer))
        return error_memory(err);
    TRY(set_phases(m, layer, c->of + NPU_MCU, "mcu", err));
    TRY(set_phases(m, layer, c->of + NPU_NPU, "npu", err));
    TRY(set_traffic(m, layer, c->of + NPU_BURSTS, err));
    TRY(set_streams(m, layer, c, err));
    for (unsigned i = NPU_CACHE; i < NPU_BURSTS; i++)
        TRY(set_known(m, layer, cache_event(i, c->of[i]), err));
    for (unsigned i = NPU_PLAN; i < NPU_COUNTS; i++)
        TRY(set_known(m, layer, npu_plan_event(i, c->of[i]), err));
    return ROOF_OK;
}

/* --- into a run --------------------------------------------------------------------------------------- */

static uint64_t cycles_of(const roof_layer_counters *c, const char *phase, const char *domain)
{
    for (uint32_t p = 0; c && p < c->n_phases; p++)
        for (uint32_t d = 0; strcmp(c->phases[p].name, phase) == 0 && d < c->phases[p].n_cycles; d++)
            if (strcmp(c->phases[p].cycles[d].domain, domain) == 0)
                return c->phases[p].cycles[d].cycles;
    return ROOF_UNKNOWN;
}

roof_status npu_sum_phases(roof_measured *m, roof_run *run, roof_error *err)
{
    static const char *const domains[] = {"mcu", "npu"};
    for (unsigned i = 0; run->n_layers && i < 2 * ST_PHASES; i++) {
        const char *phase = st_phases[i / 2], *domain = domains[i % 2];
        uint64_t sum = 0;
        for (uint32_t row = 0; row < run->n_layers; row++)
            (void)checked_add_known(&sum, cycles_of(run->layers[row].counters, phase, domain));
        if (sum != ROOF_UNKNOWN)
            TRY(run_set_phase(m, run, phase, (roof_domain_cycles){domain, sum}, err));
    }
    return ROOF_OK;
}
