#include "tests/support/art_report_writer.h"
#include "roofline/status.h"

#include <stdio.h>
#include <string.h>

static bool runs(const ci_epoch *e)
{
    return strcmp(e->mapping, "NODE_NO_X") != 0;
}

static bool is_software(const ci_epoch *e)
{
    return strcmp(e->mapping, "NODE_SW") == 0;
}

static bool is_hybrid(const ci_epoch *e)
{
    return strcmp(e->mapping, "NODE_SW_HW") == 0;
}

static bool same_program(const ci_epoch *a, const ci_epoch *b)
{
    return a->blob && b->blob && strcmp(a->blob, b->blob) == 0;
}

/* ---- memory ---- */

/* Weights are read once, so that a pool of parameters uses what all epochs read; others what one of them
 * moves at most. */
static uint64_t used_of(const ci_network *n, uint32_t pool)
{
    uint64_t sum = 0, most = 0;
    for (uint32_t i = 0; i < n->n_epochs; i++)
        for (uint32_t k = 0; k < n->epochs[i].n_accesses; k++) {
            const ci_access *a = &n->epochs[i].accesses[k];
            if (a->pool != pool)
                continue;
            sum += a->reads;
            most = a->reads + a->writes > most ? a->reads + a->writes : most;
        }
    return n->pools[pool].parameters ? sum : most;
}

static const char *size_text(uint64_t bytes, char buffer[24])
{
    if (bytes < 1024)
        snprintf(buffer, 24, "%7llu  B", (unsigned long long)bytes);
    else if (bytes < 1 << 20)
        snprintf(buffer, 24, "%7.3f kB", (double)bytes / 1024);
    else
        snprintf(buffer, 24, "%7.3f MB", (double)bytes / (1 << 20));
    return buffer;
}

static void put_pool(const ci_network *n, uint32_t pool, textbuf *t)
{
    char used[24], size[24], weights[24], activations[24];
    const ci_pool *p = &n->pools[pool];
    uint64_t bytes = used_of(n, pool);
    unsigned long long end = p->address + p->size_bytes;
    double percent = 100.0 * (double)bytes / (double)p->size_bytes;
    text_printf(t,
                "\t%-10s [0x%08llX - 0x%08llX]: %s / %s  (%6.2f %% used) -- weights: %s (%6.2f %% used)  "
                "activations: %s (%6.2f %% used)\n",
                p->name, (unsigned long long)p->address, end, size_text(bytes, used),
                size_text(p->size_bytes, size), percent, size_text(p->parameters ? bytes : 0, weights),
                p->parameters ? percent : 0, size_text(p->parameters ? 0 : bytes, activations),
                p->parameters ? 0 : percent);
}

#define RULE "------------------------------------------------------------------------------------\n"
#define END  "====================================================================================\n\n"

static void put_memory(const ci_network *n, textbuf *t)
{
    char text[24];
    uint64_t all = 0;
    text_puts(t, "Memory usage information  (input/output buffers are included in activations)\n" RULE);
    for (uint32_t i = 0; i < n->n_pools; i++) {
        put_pool(n, i, t);
        all += used_of(n, i);
    }
    text_printf(t, "---\nTotal: %s\n" END, size_text(all, text));
}

/* ---- epochs ---- */

static void put_line(const ci_epoch *e, textbuf *t)
{
    text_printf(t, "epoch %-7u %s", e->number,
                is_software(e) ? "-SW-"
                : is_hybrid(e) ? " ??"
                : e->blob      ? " EC"
                               : " HW");
    if (is_software(e))
        text_printf(t, "   (   %s   )", e->ops[0].kind);
    text_puts(t, "\n");
}

static void put_row(const ci_network *n, uint32_t first, uint32_t last, textbuf *t)
{
    const ci_epoch *e = &n->epochs[first];
    bool host = is_software(e) || is_hybrid(e);
    char name[40];
    if (e->blob)
        snprintf(name, sizeof name, "epochs %4u -> %u", e->number, n->epochs[last].number);
    else
        snprintf(name, sizeof name, "epoch_%u", e->number);
    text_printf(t, "| %-17s | %-6s | %-16s |\n", name,
                is_software(e) ? "SW"
                : is_hybrid(e) ? "Hybrid"
                : e->blob      ? "EC"
                               : "HW",
                host ? e->ops[0].kind : "");
}

typedef struct counts {
    uint32_t all, software, hybrid, programs;
} counts;

static counts count(const ci_network *n)
{
    counts c = {0};
    for (uint32_t i = 0; i < n->n_epochs; i++) {
        const ci_epoch *e = &n->epochs[i];
        c.all += runs(e);
        c.software += is_software(e);
        c.hybrid += is_hybrid(e);
        c.programs += e->blob && (i == 0 || !same_program(e, e - 1));
    }
    return c;
}

static void put_lines(const ci_network *n, textbuf *t)
{
    const counts c = count(n);
    text_printf(t, "Total number of epochs: %u of which %u implemented in software\n---\n", c.all,
                c.software);
    text_puts(t, "epoch ID   HW/SW/EC Operation (SW only)\n");
    for (uint32_t i = 0; i < n->n_epochs; i++)
        if (runs(&n->epochs[i]))
            put_line(&n->epochs[i], t);
}

#define TABLE_RULE "+-------------------+--------+------------------+\n"

static void put_table(const ci_network *n, textbuf *t)
{
    const counts c = count(n);
    text_printf(
        t,
        "Total number of epochs                               %u\n"
        ">> pure software (SW) epochs                         %u\n"
        ">> hybrid epochs (using both software and hardware)  %u\n"
        ">> pure hardware (HW or EC) epochs                   %u  (implemented in %u epoch controller "
        "blobs/meta epochs)\n---\n" TABLE_RULE
        "| epoch ID          |  Type  |     Details      |\n" TABLE_RULE,
        c.all, c.software, c.hybrid, c.all - c.software - c.hybrid, c.programs);
    for (uint32_t i = 0; i < n->n_epochs; i++) {
        uint32_t first = i;
        while (i + 1 < n->n_epochs && same_program(&n->epochs[first], &n->epochs[i + 1]))
            i++;
        if (runs(&n->epochs[first]))
            put_row(n, first, i, t);
    }
    text_puts(t, TABLE_RULE);
}

void arw_write(const ci_network *n, arw_layout layout, textbuf *t)
{
    text_printf(t,
                "ST Edge AI Core v%s 0000000\nCreated date          : 2026-01-01 00:00:00\n"
                "Parameters            : generate -m %s.tflite --target stm32n6 --st-neural-art\n\n"
                "Model name - %s\n\n",
                layout == ARW_TABLE ? "4.0.1-1" : "3.0.0-1", n->name, n->name);
    put_memory(n, t);
    text_puts(t, "Epochs details\n" RULE);
    if (layout == ARW_TABLE)
        put_table(n, t);
    else
        put_lines(n, t);
    text_puts(t, END);
}
