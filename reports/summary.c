#include "reports/summary.h"
#include "core/quantity.h"
#include "reports/cells.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void line(prediction_summary *s, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void line(prediction_summary *s, const char *label, const char *format, ...)
{
    va_list args;
    if (s->n_lines == SUMMARY_LINES)
        return;
    s->lines[s->n_lines].label = label;
    va_start(args, format);
    vsnprintf(s->lines[s->n_lines].text, SUMMARY_SIZE, format, args);
    va_end(args);
    s->n_lines++;
}

static void largest(const roof_prediction *p, prediction_summary *s)
{
    uint32_t rows[5], n = largest_rows(p, rows, 5);
    char text[SUMMARY_SIZE] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < n && used < sizeof text; i++) {
        const roof_cost *cost = &p->layers[rows[i]].deployed;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s#%u %.1f %% (%s)", i ? ", " : "",
                                 p->layers[rows[i]].index,
                                 100.0 * (double)cost->ideal_cycles / (double)p->total.deployed.ideal_cycles,
                                 p->engines[cost->bound]);
    }
    if (n)
        line(s, "largest", "%s", text);
}

static void workload(const roof_prediction *p, prediction_summary *s)
{
    char stored[40], recomputed[40];
    if (p->total.stored_workload_ops == ROOF_UNKNOWN || p->total.workload_ops == ROOF_UNKNOWN) {
        line(s, "workload", "the file stores none to compare with");
        return;
    }
    count_format(stored, sizeof stored, p->total.stored_workload_ops);
    count_format(recomputed, sizeof recomputed, p->total.workload_ops);
    if (p->total.stored_workload_ops == p->total.workload_ops)
        line(s, "workload", "%s ops in the file = recomputed", stored);
    else
        line(s, "workload", "%s ops in the file, %s recomputed: see findings", stored, recomputed);
}

static void traffic(const roof_prediction *p, prediction_summary *s)
{
    const roof_traffic *t = &p->total.deployed.traffic;
    char w[40], i[40], o[40], c[40];
    quantity_format(w, sizeof w, known_count(t->weights_bytes), "B");
    quantity_format(i, sizeof i, known_count(t->input_bytes), "B");
    quantity_format(o, sizeof o, known_count(t->output_bytes), "B");
    quantity_format(c, sizeof c, known_count(t->instruction_bytes), "B");
    line(s, "DDR", "%s weights, %s in, %s out, %s instructions", w, i, o, c);
}

/* A plan has several memories, and a compiler's estimate beside the bound. */
static void pools(const roof_prediction *p, prediction_summary *s)
{
    char text[SUMMARY_SIZE] = "", bytes[40], rate[40];
    size_t used = 0;
    for (uint32_t i = 0; i < p->hardware.n_pools && used < sizeof text; i++) {
        const roof_pool_rates *r = &p->hardware.pools[i];
        quantity_format(bytes, sizeof bytes, known_count(r->read_bytes) + known_count(r->write_bytes), "B");
        quantity_format(rate, sizeof rate, r->bytes_per_s, "B/s");
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %s of %s", i ? ", " : "", r->name,
                                 bytes, isnan(r->bytes_per_s) ? "unknown rate" : rate);
    }
    line(s, "pools", "%s", used ? text : "the file does not tell what is moved in them");
}

static void vendor(const roof_prediction *p, prediction_summary *s)
{
    char time[40], cycles[40], stored[40];
    count_format(stored, sizeof stored, p->total.estimate.stored_cycles);
    if (p->total.estimate.cycles == ROOF_UNKNOWN) {
        bool is_stored = p->total.estimate.stored_cycles != ROOF_UNKNOWN;
        line(s, "compiler",
             "%s%s%s estimate cannot be recomputed: a pool's byteWidth or freqRatio, or what an epoch moves, "
             "is "
             "not known",
             is_stored ? "estimates " : "", is_stored ? stored : "",
             is_stored ? " cycles in the file; the" : "its");
        return;
    }
    quantity_format(time, sizeof time, (double)p->total.estimate.cycles / p->hardware.clock_hz, "s");
    count_format(cycles, sizeof cycles, p->total.estimate.cycles);
    if (p->total.estimate.stored_cycles == ROOF_UNKNOWN)
        line(s, "compiler", "estimates %s cycles, %s, by its own law; the file states none", cycles, time);
    else if (p->total.estimate.stored_cycles == p->total.estimate.cycles)
        line(s, "compiler", "estimates %s cycles, %s, in the file = recomputed", cycles, time);
    else
        line(s, "compiler", "estimates %s cycles in the file, %s recomputed: see findings", stored, cycles);
}

static void alone(const roof_prediction *p, prediction_summary *s)
{
    char time[40], bytes[40];
    if (!p->total.has_alone)
        return;
    quantity_format(time, sizeof time, p->total.alone.ideal_s, "s");
    quantity_format(bytes, sizeof bytes, (double)roof_traffic_total(&p->total.alone.traffic), "B");
    line(s, "per layer", "one layer at a time, as a per-layer profile runs it: at least %s and %s", time,
         bytes);
}

static void launch(const roof_prediction *p, prediction_summary *s)
{
    char floor[40];
    if (p->hardware.batch_lanes > p->options.batch)
        line(s, "batch", "%u of %u lanes used: --batch %u fills one pass", p->options.batch,
             p->hardware.batch_lanes, p->hardware.batch_lanes);
    if (isnan(p->hardware.launch_floor_s))
        return;
    quantity_format(floor, sizeof floor, p->hardware.launch_floor_s, "s");
    line(s, "launch", "calling an empty run takes %s on this board (measured); it comes on top", floor);
}

static void sources(const roof_prediction *p, prediction_summary *s)
{
    const roof_cost *c = &p->total.deployed;
    char clock[40], memory[40] = "unknown";
    quantity_format(clock, sizeof clock, p->hardware.clock_hz, "Hz");
    if (p->hardware.bandwidth_bytes_per_s > 0)
        quantity_format(memory, sizeof memory, p->hardware.bandwidth_bytes_per_s, "B/s");
    else if (p->hardware.has_pools)
        snprintf(memory, sizeof memory, "of each pool above");
    if (!p->total.layers)
        line(s, "source", "no layer runs on the accelerator");
    else if (c->ideal_cycles == ROOF_UNKNOWN)
        line(s, "source", "the file has neither bytes nor cycles");
    else if (c->bytes_basis == c->cycles_basis)
        line(s, "source", "bytes and cycles from %s", basis_phrase(c->bytes_basis));
    else
        line(s, "source", "bytes from %s, cycles from %s (law '%s')", basis_phrase(c->bytes_basis),
             basis_phrase(c->cycles_basis), p->hardware.law);
    line(s, "hardware", "%s: %s, memory %s, %u core%s, law '%s'; weakest value: %s%s%s%s", p->hardware.id,
         clock, memory, p->hardware.cores, p->hardware.cores == 1 ? "" : "s", p->hardware.law,
         roof_value_kind_text(p->hardware.weakest_kind), p->hardware.weakest_key[0] ? " (" : "",
         p->hardware.weakest_key, p->hardware.weakest_key[0] ? ")" : "");
}

static void expected(const roof_prediction *p, prediction_summary *s)
{
    char total[40], low[40], high[40];
    if (!p->calibration)
        return;
    quantity_format(total, sizeof total, p->total.predicted_s, "s");
    quantity_format(low, sizeof low, p->total.predicted_ci95_s[0], "s");
    quantity_format(high, sizeof high, p->total.predicted_ci95_s[1], "s");
    line(s, "predicted", "%s, 95 %% [%s, %s], with a calibration %s", total, low, high, p->calibration);
}

void prediction_summarise(const roof_prediction *p, prediction_summary *s)
{
    char floor[40], text[SUMMARY_SIZE];
    s->n_lines = 0;
    largest(p, s);
    quantity_format(floor, sizeof floor, p->total.floor_s, "s");
    if (!isnan(p->total.floor_s))
        line(s, "floor", "%s with perfect overlap of all layers (%s)", floor,
             p->total.floor_bound == ROOF_NONE ? "-" : p->engines[p->total.floor_bound]);
    expected(p, s);
    if (p->hardware.has_pools) {
        vendor(p, s);
        pools(p, s);
    } else {
        traffic(p, s);
        alone(p, s);
        workload(p, s);
    }
    if (p->total.unattributed_bytes_ratio > 0 || p->total.unattributed_cycles_ratio > 0)
        line(s, "unattributed", "%.2f %% of bytes, %.2f %% of engine cycles",
             100 * p->total.unattributed_bytes_ratio, 100 * p->total.unattributed_cycles_ratio);
    launch(p, s);
    sources(p, s);
    findings_summary(p, text, sizeof text);
    line(s, "findings", "%s", text);
}

static size_t characters(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += (*text & 0xc0) != 0x80;
    return n;
}

const char *shorten_middle(const char *text, size_t width, char *buffer, size_t size)
{
    size_t total = characters(text), used = 0, at = 0;
    if (width < 5)
        width = 5;
    size_t head = (width - 3) * 2 / 5, tail = width - 3 - head; /* the end of a layer's name tells more */
    for (const char *p = text; *p && used + 8 < size; at++) {
        size_t step = 1;
        while ((p[step] & 0xc0) == 0x80)
            step++;
        bool skip = total > width && at >= head && at < total - tail;
        if (skip && at == head) {
            memcpy(buffer + used, "...", 3);
            used += 3;
        } else if (!skip) {
            memcpy(buffer + used, p, step);
            used += step;
        }
        p += step;
    }
    buffer[used] = '\0';
    return buffer;
}
