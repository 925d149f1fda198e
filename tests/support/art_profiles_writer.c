#include "tests/support/art_profiles_writer.h"
#include "core/json/jsonout.h"
#include "tests/support/c_info_writer.h"

#include <stdio.h>
#include <string.h>

/* ---- what was measured, made up ---- */

typedef struct measured {
    uint64_t pre, core, post, core_npu; /* the first three of the host's clock */
} measured;

static bool runs(const ci_epoch *e)
{
    return strcmp(e->mapping, "NODE_NO_X") != 0;
}

/* What the memories can do, in cycles of the NPU at 1 GHz: the flash 2.5 a byte, the NPU's own memories 10 in
 * 72. */
static uint64_t least_cycles(const ci_epoch *e)
{
    uint64_t most = e->compute_cycles;
    for (uint32_t i = 0; i < e->n_accesses; i++) {
        const ci_access *a = &e->accesses[i];
        uint64_t bytes = a->reads + a->writes;
        if (a->pool == ROOF_NONE)
            continue;
        bool flash = strcmp(ci_tiny.pools[a->pool].name, "octoFlash") == 0;
        uint64_t cycles = flash ? bytes * 5 / 2 : bytes * 10 / 72;
        most = cycles > most ? cycles : most;
    }
    return most;
}

static measured measure(const ci_epoch *e)
{
    if (strcmp(e->mapping, "NODE_SW") == 0)
        return (measured){45, 35, 248000, 44};
    uint64_t npu = least_cycles(e) * 11 / 10 + 120;
    measured m = {9000 + 1500 * (uint64_t)e->n_ops, npu * 4 / 5, 2600 + 100 * (uint64_t)e->n_ops, npu};
    if (strcmp(e->mapping, "NODE_SW_HW") == 0)
        m.post += 96000;
    return m;
}

static double ms(uint64_t mcu_cycles)
{
    return (double)mcu_cycles / 800e3;
}

/* ---- the profiler's log ---- */

static void add_runtime(textbuf *text)
{
    text_puts(text, "  device.desc            : stm32 family - 0x486 - STM32N6xx @800/400MHz\n"
                    "  device.attrs           : fpu,core_icache,core_dcache,npu_cache=1,mcu_freq=800MHz,"
                    "noc_freq=400MHz,npu_freq=1000MHz,nic_freq=900MHz\n");
}

static const char *type_of(const ci_epoch *e)
{
    return strcmp(e->mapping, "NODE_SW") == 0      ? "SW"
           : strcmp(e->mapping, "NODE_SW_HW") == 0 ? "HYBRID"
                                                   : "HW";
}

/* What the profilers time: an epoch, or all of a program of the epoch controller, which the host starts
 * once. */
typedef struct timed {
    uint32_t first, last; /* into the network's epochs */
    measured m;
} timed;

static bool of_one_program(const ci_epoch *a, const ci_epoch *b)
{
    return a->blob && b->blob && strcmp(a->blob, b->blob) == 0;
}

static uint32_t time_epochs(timed *rows, uint32_t room)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < ci_tiny.n_epochs && n < room; i++) {
        const ci_epoch *e = &ci_tiny.epochs[i];
        if (!runs(e))
            continue;
        if (!n || !of_one_program(&ci_tiny.epochs[rows[n - 1].last], e)) {
            rows[n++] = (timed){i, i, measure(e)};
            continue;
        }
        rows[n - 1].last = i;
        rows[n - 1].m.core += measure(e).core;
        rows[n - 1].m.core_npu += measure(e).core_npu;
    }
    return n;
}

enum { MOST_ROWS = 64 };

static measured sum(const timed *rows, uint32_t n)
{
    measured all = {0};
    for (uint32_t i = 0; i < n; i++) {
        all.pre += rows[i].m.pre;
        all.core += rows[i].m.core;
        all.post += rows[i].m.post;
        all.core_npu += rows[i].m.core_npu;
    }
    return all;
}

static uint64_t cycles_of(const measured *m)
{
    return m->pre + m->core + m->post;
}

/* What the profiler knows of the plan: nothing of programs. */
static void add_planned(textbuf *text, const ci_epoch *e)
{
    if (e->blob)
        text_puts(text, "  [compiler]\n  operations             : <no-info available from the compiler>\n");
    else
        text_printf(text,
                    "  [compiler]\n  ops                    : %llu\n  compute cycles         : %llu "
                    "(max_cycles=%llu)\n",
                    (unsigned long long)e->ops_count, (unsigned long long)e->compute_cycles,
                    (unsigned long long)ci_max_cycles(&ci_tiny, e));
}

static void add_block(textbuf *text, const timed *row, uint32_t index, uint64_t all_cycles)
{
    const ci_epoch *e = &ci_tiny.epochs[row->first];
    const measured m = row->m;
    uint64_t cycles = cycles_of(&m);
    bool software = strcmp(type_of(e), "SW") == 0;
    text_printf(text, "  EpochBlock_%u (c_idx=%u, num=%u:%u, c_type=%s, extra=0)\n", e->number, index,
                e->number, ci_tiny.epochs[row->last].number, e->blob ? "EC" : type_of(e));
    add_planned(text, e);
    text_puts(text, "  [target]\n");
    text_printf(text, "  duration               : %.3fms (%.1f%%) total=%.3fms\n", ms(cycles),
                100.0 * (double)cycles / (double)all_cycles, ms(all_cycles));
    text_printf(
        text,
        "  mcu cycles             : [%llu, %llu, %llu] -> %.3f,%.3f,%.3f ms (mcu_freq=800MHz), %.3fms\n",
        (unsigned long long)m.pre, (unsigned long long)m.core, (unsigned long long)m.post, ms(m.pre),
        ms(m.core), ms(m.post), ms(cycles));
    if (!software)
        text_printf(text, "  core npu cycles        : %llu -> %.3f ms (npu_freq=1000MHz)\n",
                    (unsigned long long)m.core_npu, (double)m.core_npu / 1e6);
    text_puts(text, "\n");
}

void apw_log(textbuf *text)
{
    timed rows[MOST_ROWS];
    uint32_t n = time_epochs(rows, MOST_ROWS);
    measured all = sum(rows, n);
    text_puts(text, "  NPU Utility - AiRunner Profiler (version 0.4)\n\n  Summary 'tiny' - ['tiny']\n");
    add_runtime(text);
    text_puts(text, "\n  Per epoch\n\n");
    for (uint32_t i = 0; i < n; i++)
        add_block(text, &rows[i], i, cycles_of(&all));
}

/* ---- the validation's report ---- */

static const char *thousands(uint64_t value, char buffer[40])
{
    char digits[40];
    int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value), used = 0;
    for (int i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0)
            buffer[used++] = ',';
        buffer[used++] = digits[i];
    }
    buffer[used] = '\0';
    return buffer;
}

static void add_timed(textbuf *text, const timed *row, uint32_t index, uint64_t all_cycles)
{
    const ci_epoch *e = &ci_tiny.epochs[row->first];
    char numbers[3][40], type[24] = "epoch", name[60];
    uint64_t cycles = cycles_of(&row->m);
    int n = snprintf(name, sizeof name, "EpochBlock_%u", e->number);
    if (e->blob)
        snprintf(type, sizeof type, "epoch (EC)");
    else if (strcmp(type_of(e), "HW") != 0)
        snprintf(type, sizeof type, "epoch (%s)", type_of(e));
    if (row->last != row->first)
        snprintf(name + n, sizeof name - (size_t)n, " -> %u", ci_tiny.epochs[row->last].number);
    text_printf(text, "   %-7u -      %-18s %8.3f %6.1f%% %6.1f%%  [ %12s %12s %12s ]   %s\n", index, type,
                ms(cycles), 100.0 * (double)cycles / (double)all_cycles, 0.0,
                thousands(row->m.pre, numbers[0]), thousands(row->m.core, numbers[1]),
                thousands(row->m.post, numbers[2]), name);
}

void apw_report(textbuf *text)
{
    char numbers[3][40];
    timed rows[MOST_ROWS];
    uint32_t n = time_epochs(rows, MOST_ROWS);
    measured all = sum(rows, n);
    uint64_t cycles = cycles_of(&all);
    add_runtime(text);
    text_printf(
        text,
        "  ST.AI Profiling results v2.0 - \"tiny\"\n  nb sample(s)   :   10\n  duration       :   %.3f ms "
        "by sample (%.3f/%.3f/0.001)\n",
        ms(cycles), ms(cycles) - 0.001, ms(cycles) + 0.001);
    text_printf(text, "  CPU cycles     :   [%s %s %s]\n\n   Inference time per node\n",
                thousands(all.pre, numbers[0]), thousands(all.core, numbers[1]),
                thousands(all.post, numbers[2]));
    text_puts(text, "   c_id    m_id   type               dur (ms)       %    cumul  CPU cycles"
                    "                                  name\n");
    for (uint32_t i = 0; i < n; i++)
        add_timed(text, &rows[i], i, cycles);
    text_printf(text, "   total                          %8.3f                   [ %12s %12s %12s ]\n",
                ms(cycles), thousands(all.pre, numbers[0]), thousands(all.core, numbers[1]),
                thousands(all.post, numbers[2]));
}

/* ---- the validation's JSON ---- */

static void put_entry(jsonout *j, const measured *m, uint64_t all_cycles)
{
    jsonout_object(j, NULL, true);
    jsonout_array(j, "counters", true);
    jsonout_count(j, NULL, m->pre);
    jsonout_count(j, NULL, m->core);
    jsonout_count(j, NULL, m->post);
    jsonout_end(j);
    jsonout_count(j, "cycles", cycles_of(m));
    jsonout_count(j, "cycles_by_macc", 0);
    jsonout_derived(j, "duration_ms", ms(cycles_of(m)));
    jsonout_derived(j, "percentage", 100.0 * (double)cycles_of(m) / (double)all_cycles);
    jsonout_end(j);
}

static void put_environment(jsonout *j)
{
    jsonout_object(j, "environment", false);
    jsonout_string(j, "device", "stm32 family - 0x486 - STM32N6xx @800/400MHz");
    jsonout_object(j, "generated_model", true);
    jsonout_string(j, "name", "network");
    jsonout_end(j);
    jsonout_array(j, "tools", false);
    jsonout_object(j, NULL, true);
    jsonout_object(j, "input_model", true);
    jsonout_string(j, "name", ci_tiny.name);
    jsonout_end(j);
    jsonout_string(j, "name", "ST.EdgeAI.Core");
    jsonout_string(j, "version", "3.0.0");
    jsonout_end(j);
    jsonout_end(j);
    jsonout_end(j);
}

void apw_val_json(textbuf *text)
{
    timed rows[MOST_ROWS];
    uint32_t n = time_epochs(rows, MOST_ROWS);
    measured all = sum(rows, n);
    jsonout j;
    jsonout_begin(&j, text);
    jsonout_object(&j, NULL, false);
    jsonout_array(&j, "aton_execution_time", false);
    for (uint32_t i = 0; i < n; i++)
        put_entry(&j, &rows[i].m, cycles_of(&all));
    jsonout_end(&j);
    put_environment(&j);
    jsonout_string(&j, "json_schema_version", "2.0");
    jsonout_end(&j);
    text_add(text, "\n", 1);
}

/* ---- raw counters of the runtime ---- */

/* A burst moves up to 64 bytes: as many of 8 beats as there are, the rest one beat each. */
static void put_bursts(textbuf *text, const timed *row)
{
    uint64_t reads = 0, writes = 0;
    for (uint32_t i = row->first; i <= row->last; i++)
        for (uint32_t k = 0; k < ci_tiny.epochs[i].n_accesses; k++) {
            reads += ci_tiny.epochs[i].accesses[k].reads;
            writes += ci_tiny.epochs[i].accesses[k].writes;
        }
    text_printf(text,
                "s:node:port0:burst:w:%llu:0:0:%llu\ns:node:port0:burst:r:%llu:0:0:%llu\n"
                "s:node:port1:burst:w:0:0:0:0\ns:node:port1:burst:r:0:0:0:0\n",
                (unsigned long long)(writes % 64 + 7) / 8, (unsigned long long)writes / 64,
                (unsigned long long)(reads % 64 + 7) / 8, (unsigned long long)reads / 64);
}

static void put_counters(textbuf *text, const timed *row, uint32_t index, uint64_t later)
{
    const ci_epoch *e = &ci_tiny.epochs[row->first];
    const measured *m = &row->m;
    unsigned long long pre = m->pre + later;
    text_printf(text,
                "s:node:evt_pre_start:%u:%u:%u:%u:00000017:05000004:%s\ns:node:evt_post_end:%u:%u:%u:%u:3\n",
                index, e->number, e->number, ci_tiny.epochs[row->last].number, e->blob ? "EC" : type_of(e),
                index, e->number, e->number, ci_tiny.epochs[row->last].number);
    text_printf(text, "s:node:mcu_cycles:%llu:%llu:%llu\n", pre, (unsigned long long)m->core,
                (unsigned long long)m->post);
    text_printf(text, "s:node:npu_cycles:%llu:%llu:%llu\n", pre * 5 / 4, (unsigned long long)m->core_npu,
                (unsigned long long)m->post * 5 / 4);
    put_bursts(text, row);
}

void apw_counters(textbuf *text)
{
    timed rows[MOST_ROWS];
    uint32_t n = time_epochs(rows, MOST_ROWS);
    text_puts(text, "s:config:version:1.0\ns:config:dev_id:0x486\ns:config:mcu_freq:800000000\n"
                    "s:config:noc_freq:400000000\ns:config:npu_freq:1000000000\ns:config:nic_freq:900000000\n"
                    "s:config:npu_cache:1\n");
    for (uint64_t pass = 0; pass < 5; pass++)
        for (uint32_t i = 0; i < n; i++)
            put_counters(text, &rows[i], i, pass * pass * 37 % 60);
}
