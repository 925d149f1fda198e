#include "tests/support/network_csv_writer.h"

#include <string.h>

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

static void add_row(const ci_network *n, const ci_epoch *e, ci_access *sums, textbuf *text)
{
    text_printf(text, "%u ,", e->number);
    for (uint32_t p = 0; p < n->n_pools; p++) {
        const ci_access *a = access_of(e, p);
        text_printf(text, "%llu,%llu,%llu,%llu,%llu,%llu,", (unsigned long long)a->reads,
                    (unsigned long long)a->writes, sum_of(a->reads, a->writes),
                    (unsigned long long)a->read_cycles, (unsigned long long)a->write_cycles,
                    sum_of(a->read_cycles, a->write_cycles));
        sums[p].reads += a->reads;
        sums[p].writes += a->writes;
        sums[p].read_cycles += a->read_cycles;
        sums[p].write_cycles += a->write_cycles;
    }
    text_printf(text, "%llu,%llu,%llu\n", (unsigned long long)e->ops_count,
                (unsigned long long)e->compute_cycles, (unsigned long long)ci_max_cycles(n, e));
}

void csvw_write(const ci_network *n, textbuf *text)
{
    ci_access sums[CSVW_POOLS] = {0};
    uint64_t most = 0, compute = 0, ops = 0;
    text_puts(text, "epochs,");
    for (uint32_t p = 0; p < n->n_pools; p++) {
        const char *name = n->pools[p].name;
        text_printf(text, "%s (r),%s (w),%s (r+w),%s (r cycles),%s (w cycles),%s (cycles),", name, name, name,
                    name, name, name);
    }
    text_puts(text, "epoch OPS,epoch compute (cyles),max (cycles)\n");
    for (uint32_t i = 0; i < n->n_epochs; i++) {
        const ci_epoch *e = &n->epochs[i];
        add_row(n, e, sums, text);
        most += ci_max_cycles(n, e);
        compute += e->compute_cycles;
        ops += e->ops_count;
    }
    text_puts(text, "\nTotal,");
    for (uint32_t p = 0; p < n->n_pools; p++)
        text_printf(text, "%llu,%llu,%llu,%llu,%llu,%llu,", (unsigned long long)sums[p].reads,
                    (unsigned long long)sums[p].writes, sum_of(sums[p].reads, sums[p].writes),
                    (unsigned long long)sums[p].read_cycles, (unsigned long long)sums[p].write_cycles,
                    sum_of(sums[p].read_cycles, sums[p].write_cycles));
    text_printf(text, "\n\nTotal cycles,%llu\nTotal ideal cycles,%llu\nTotal OPS,%llu\n",
                (unsigned long long)most, (unsigned long long)compute, (unsigned long long)ops);
}
