/* make_stm32n6 - writes what a Neural-ART's tools leave of one small network: plan, table, pools, profile, log, report.
 *
 * usage: make_stm32n6 FOLDER
 * The folder must exist. Cycles are those of ci_tiny's plan with a tenth on top, and what the phases around them cost.
 * Exit 0, or 1 when a file cannot be written.
 */
#include "roofline/status.h"
#include "tests/support/c_info_writer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *folder;

static void save(const char *name, roof_text *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    bool good = file && !text->failed && fwrite(text->bytes, 1, text->length, file) == text->length;
    if (!file || fclose(file) != 0 || !good) {
        fprintf(stderr, "make_stm32n6: %s: %s\n", path, strerror(errno));
        exit(1);
    }
    roof_text_free(text);
}

static roof_text empty(void)
{
    roof_text text;
    roof_text_init(&text, 1 << 20);
    return text;
}

/* ---- what was measured, made up ---- */

typedef struct measured {
    uint64_t pre, core, post, core_npu; /* the first three of the host's clock */
} measured;

static bool runs(const ci_epoch *e)
{
    return strcmp(e->mapping, "NODE_NO_X") != 0;
}

/* What the memories can do, in cycles of the NPU at 1 GHz: the flash 2.5 a byte, the NPU's own memories 10 in 72. */
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

/* ---- files of the compiler ---- */

static void save_plan(void)
{
    roof_text text = empty();
    ci_write(&ci_tiny, CI_3_0, &text);
    save("network_c_info.json", &text);
}

static unsigned long long sum_of(uint64_t a, uint64_t b)
{
    return a + b;
}

static const ci_access *access_of(const ci_epoch *e, uint32_t pool)
{
    static const ci_access none;
    for (uint32_t i = 0; i < e->n_accesses; i++)
        if (e->accesses[i].pool == pool)
            return &e->accesses[i];
    return &none;
}

static void add_table_row(roof_text *text, const ci_epoch *e, ci_access *sums)
{
    roof_text_printf(text, "%u ,", e->number);
    for (uint32_t p = 0; p < ci_tiny.n_pools; p++) {
        const ci_access *a = access_of(e, p);
        roof_text_printf(text, "%llu,%llu,%llu,%llu,%llu,%llu,", (unsigned long long)a->reads,
                         (unsigned long long)a->writes, sum_of(a->reads, a->writes),
                         (unsigned long long)a->read_cycles, (unsigned long long)a->write_cycles,
                         sum_of(a->read_cycles, a->write_cycles));
        sums[p].reads += a->reads;
        sums[p].writes += a->writes;
        sums[p].read_cycles += a->read_cycles;
        sums[p].write_cycles += a->write_cycles;
    }
    roof_text_printf(text, "%llu,%llu,%llu\n", (unsigned long long)e->ops_count,
                     (unsigned long long)e->compute_cycles, (unsigned long long)ci_max_cycles(&ci_tiny, e));
}

static void save_table(void)
{
    roof_text text = empty();
    ci_access sums[16] = {0};
    uint64_t most = 0, compute = 0, ops = 0;
    roof_text_puts(&text, "epochs,");
    for (uint32_t p = 0; p < ci_tiny.n_pools; p++) {
        const char *name = ci_tiny.pools[p].name;
        roof_text_printf(&text, "%s (r),%s (w),%s (r+w),%s (r cycles),%s (w cycles),%s (cycles),", name, name,
                         name, name, name, name);
    }
    roof_text_puts(&text, "epoch OPS,epoch compute (cyles),max (cycles)\n");
    for (uint32_t i = 0; i < ci_tiny.n_epochs; i++) {
        const ci_epoch *e = &ci_tiny.epochs[i];
        add_table_row(&text, e, sums);
        most += ci_max_cycles(&ci_tiny, e);
        compute += e->compute_cycles;
        ops += e->ops_count;
    }
    roof_text_puts(&text, "\nTotal,");
    for (uint32_t p = 0; p < ci_tiny.n_pools; p++)
        roof_text_printf(&text, "%llu,%llu,%llu,%llu,%llu,%llu,", (unsigned long long)sums[p].reads,
                         (unsigned long long)sums[p].writes, sum_of(sums[p].reads, sums[p].writes),
                         (unsigned long long)sums[p].read_cycles, (unsigned long long)sums[p].write_cycles,
                         sum_of(sums[p].read_cycles, sums[p].write_cycles));
    roof_text_printf(&text, "\n\nTotal cycles,%llu\nTotal ideal cycles,%llu\nTotal OPS,%llu\n",
                     (unsigned long long)most, (unsigned long long)compute, (unsigned long long)ops);
    save("network.csv", &text);
}

static void save_pools(void)
{
    roof_text text = empty();
    roof_text_puts(&text, "{\n \"memory\": {\n  \"mem_file_prefix\": \"atonbuf\",\n  \"mempools\": [\n");
    for (uint32_t p = 0; p < ci_tiny.n_pools; p++) {
        const ci_pool *pool = &ci_tiny.pools[p];
        roof_text_printf(
            &text,
            "   {\"fname\": \"POOL%u\", \"name\": \"%s\", \"fformat\": \"FORMAT_RAW\",\n    \"offset\": "
            "{\"value\": \"0x%08X\", \"magnitude\": \"BYTES\"}, \"size\": {\"value\": \"%u\", "
            "\"magnitude\": "
            "\"KBYTES\"},\n    \"prop\": {\"rights\": \"%s\", \"throughput\": \"MID\", \"latency\": \"MID\", "
            "\"byteWidth\": %u, \"freqRatio\": %u.%02u, \"cacheable\": \"%s\", \"read_power\": 18.5, "
            "\"write_power\": 16.2}}%s\n",
            p, pool->name, (unsigned)pool->address, (unsigned)(pool->size_bytes >> 10),
            pool->read_only ? "ACC_READ" : "ACC_WRITE", pool->byte_width, pool->ratio_percent / 100,
            pool->ratio_percent % 100, pool->cached ? "CACHEABLE_ON" : "CACHEABLE_OFF",
            p + 1 < ci_tiny.n_pools ? "," : "");
    }
    roof_text_puts(&text, "  ]\n }\n}\n");
    save("stm32n6.mpool", &text);
    text = empty();
    roof_text_puts(
        &text,
        "{\n \"Globals\": {},\n \"Profiles\": {\n  \"default\": {\"memory_pool\": \"./stm32n6.mpool\", "
        "\"options\": \"-O3 --csv-file network.csv\"} // and the front end asks for c_info.json\n }\n}\n");
    save("neural_art.json", &text);
}

/* ---- files of the profilers ---- */

static void add_runtime(roof_text *text)
{
    roof_text_puts(text, "  device.desc            : stm32 family - 0x486 - STM32N6xx @800/400MHz\n"
                         "  device.attrs           : fpu,core_icache,core_dcache,npu_cache=1,mcu_freq=800MHz,"
                         "noc_freq=400MHz,npu_freq=1000MHz,nic_freq=900MHz\n");
}

static const char *type_of(const ci_epoch *e)
{
    return strcmp(e->mapping, "NODE_SW") == 0      ? "SW"
           : strcmp(e->mapping, "NODE_SW_HW") == 0 ? "HYBRID"
                                                   : "HW";
}

/* What the profilers time: an epoch, or all of a program of the epoch controller, which the host starts once. */
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
static void add_planned(roof_text *text, const ci_epoch *e)
{
    if (e->blob)
        roof_text_puts(text,
                       "  [compiler]\n  operations             : <no-info available from the compiler>\n");
    else
        roof_text_printf(text,
                         "  [compiler]\n  ops                    : %llu\n  compute cycles         : %llu "
                         "(max_cycles=%llu)\n",
                         (unsigned long long)e->ops_count, (unsigned long long)e->compute_cycles,
                         (unsigned long long)ci_max_cycles(&ci_tiny, e));
}

static void add_block(roof_text *text, const timed *row, uint32_t index, uint64_t all_cycles)
{
    const ci_epoch *e = &ci_tiny.epochs[row->first];
    const measured m = row->m;
    uint64_t cycles = cycles_of(&m);
    bool software = strcmp(type_of(e), "SW") == 0;
    roof_text_printf(text, "  EpochBlock_%u (c_idx=%u, num=%u:%u, c_type=%s, extra=0)\n", e->number, index,
                     e->number, ci_tiny.epochs[row->last].number, e->blob ? "EC" : type_of(e));
    add_planned(text, e);
    roof_text_puts(text, "  [target]\n");
    roof_text_printf(text, "  duration               : %.3fms (%.1f%%) total=%.3fms\n", ms(cycles),
                     100.0 * (double)cycles / (double)all_cycles, ms(all_cycles));
    roof_text_printf(
        text,
        "  mcu cycles             : [%llu, %llu, %llu] -> %.3f,%.3f,%.3f ms (mcu_freq=800MHz), %.3fms\n",
        (unsigned long long)m.pre, (unsigned long long)m.core, (unsigned long long)m.post, ms(m.pre),
        ms(m.core), ms(m.post), ms(cycles));
    if (!software)
        roof_text_printf(text, "  core npu cycles        : %llu -> %.3f ms (npu_freq=1000MHz)\n",
                         (unsigned long long)m.core_npu, (double)m.core_npu / 1e6);
    roof_text_puts(text, "\n");
}

static void save_log(void)
{
    roof_text text = empty();
    timed rows[MOST_ROWS];
    uint32_t n = time_epochs(rows, MOST_ROWS);
    measured all = sum(rows, n);
    roof_text_puts(&text, "  NPU Utility - AiRunner Profiler (version 0.4)\n\n  Summary 'tiny' - ['tiny']\n");
    add_runtime(&text);
    roof_text_puts(&text, "\n  Per epoch\n\n");
    for (uint32_t i = 0; i < n; i++)
        add_block(&text, &rows[i], i, cycles_of(&all));
    save("npu_profiler.log", &text);
}

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

static void add_timed(roof_text *text, const timed *row, uint32_t index, uint64_t all_cycles)
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
    roof_text_printf(text, "   %-7u -      %-18s %8.3f %6.1f%% %6.1f%%  [ %12s %12s %12s ]   %s\n", index,
                     type, ms(cycles), 100.0 * (double)cycles / (double)all_cycles, 0.0,
                     thousands(row->m.pre, numbers[0]), thousands(row->m.core, numbers[1]),
                     thousands(row->m.post, numbers[2]), name);
}

static void save_report(void)
{
    char numbers[3][40];
    roof_text text = empty();
    timed rows[MOST_ROWS];
    uint32_t n = time_epochs(rows, MOST_ROWS);
    measured all = sum(rows, n);
    uint64_t cycles = cycles_of(&all);
    add_runtime(&text);
    roof_text_printf(
        &text,
        "  ST.AI Profiling results v2.0 - \"tiny\"\n  nb sample(s)   :   10\n  duration       :   %.3f ms "
        "by sample (%.3f/%.3f/0.001)\n",
        ms(cycles), ms(cycles) - 0.001, ms(cycles) + 0.001);
    roof_text_printf(&text, "  CPU cycles     :   [%s %s %s]\n\n   Inference time per node\n",
                     thousands(all.pre, numbers[0]), thousands(all.core, numbers[1]),
                     thousands(all.post, numbers[2]));
    roof_text_puts(&text, "   c_id    m_id   type               dur (ms)       %    cumul  CPU cycles"
                          "                                  name\n");
    for (uint32_t i = 0; i < n; i++)
        add_timed(&text, &rows[i], i, cycles);
    roof_text_printf(&text, "   total                          %8.3f                   [ %12s %12s %12s ]\n",
                     ms(cycles), thousands(all.pre, numbers[0]), thousands(all.core, numbers[1]),
                     thousands(all.post, numbers[2]));
    save("network_validate_report.txt", &text);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: make_stm32n6 FOLDER\n", stderr);
        return 1;
    }
    folder = argv[1];
    save_plan();
    save_table();
    save_pools();
    save_log();
    save_report();
    return 0;
}
