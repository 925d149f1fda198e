/* totals - model x hardware -> work, bytes, cycles; so that any change of a number is a line of a diff.
 *
 * usage: totals MODELS TOTALS.csv     MODELS: the folder of the shipped examples
 * Computes the table anew and compares; ROOF_UPDATE_GOLDEN=1 rewrites it. Counts only: nothing is rounded. A
 * count is empty where it is not known, or where the cycle law has no such engine. Exit 0 or 1.
 */
#include "core/text.h"
#include "model/graph/format.h"
#include "roofline/prediction.h"
#include "tests/support/text_save.h"
#include "tests/support/xmodel_networks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const networks[] = {"mobilenetv1", "mobilenetv2", "resnet50"};
static const char *const sizes[] = {"B512", "B800", "B1024", "B1152", "B1600", "B2304", "B3136", "B4096"};
static const char *const boards[] = {"kv260",         "zcu102",        "zcu104",
                                     "ultra96v2",     "kr260",         "dpucvdx8g-c32b6",
                                     "dpucvdx8h-8pe", "dpucahx8h-u50", "v70"};
static const char *const engines[] = {"conv", "alu", "eltwise", "load", "save", "memory"};
#define COUNT(array) (sizeof(array) / sizeof *(array))

static void put_count(textbuf *out, uint64_t value)
{
    if (value == ROOF_UNKNOWN)
        text_puts(out, ",");
    else
        text_printf(out, ",%" PRIu64, value);
}

static void put_header(textbuf *out)
{
    text_puts(out,
              "model,compiled_for,hardware,law,layers,macs,ops_count,weights_bytes,input_bytes,output_bytes,"
              "instruction_bytes");
    for (size_t e = 0; e < COUNT(engines); e++)
        text_printf(out, ",%s_cycles", engines[e]);
    text_puts(out, ",ideal_cycles,bound,floor_cycles,floor_bound\n");
}

static uint64_t cycles_of(const roof_prediction *p, const char *engine)
{
    for (uint32_t e = 0; e < p->n_engines; e++)
        if (strcmp(p->engines[e], engine) == 0)
            return p->total.deployed.cycles[e];
    return ROOF_UNKNOWN;
}

static const char *engine_of(const roof_prediction *p, uint32_t index)
{
    return index == ROOF_NONE ? "" : p->engines[index];
}

static void put_row(const roof_prediction *p, const char *network, const char *compiled_for, textbuf *out)
{
    const roof_cost *cost = &p->total.deployed;
    const roof_traffic *t = &cost->traffic;
    text_printf(out, "%s,%s,%s,%s,%u", network, compiled_for, p->hardware.id, p->hardware.law,
                p->total.layers);
    const uint64_t counts[] = {p->total.macs,  p->total.ops_count, t->weights_bytes,
                               t->input_bytes, t->output_bytes,    t->instruction_bytes};
    for (size_t i = 0; i < COUNT(counts); i++)
        put_count(out, counts[i]);
    for (size_t e = 0; e < COUNT(engines); e++)
        put_count(out, cycles_of(p, engines[e]));
    put_count(out, cost->ideal_cycles);
    text_printf(out, ",%s", engine_of(p, cost->bound));
    put_count(out, p->total.floor_cycles);
    text_printf(out, ",%s\n", engine_of(p, p->total.floor_bound));
}

static void or_die(roof_status status, const roof_error *err)
{
    char message[1500];
    if (status == ROOF_OK)
        return;
    roof_error_format(err, message, sizeof message);
    xm_die("totals: %s", message);
}

static void add_row(const roof_graph *graph, const char *network, const char *compiled_for,
                    const char *hardware, textbuf *out)
{
    roof_hw *hw = NULL;
    roof_prediction *p = NULL;
    roof_error err;
    or_die(roof_hw_load(hardware, &hw, &err), &err);
    or_die(roof_predict(graph, hw, NULL, &p, &err), &err);
    put_row(p, network, compiled_for, out);
    roof_prediction_free(p);
    roof_hw_free(hw);
}

/* Compiled for a size, on that size. */
static void add_size(const char *network, const char *size, textbuf *out)
{
    const xn_config config = {.arch = xn_find_arch(size)};
    roof_graph *graph = NULL;
    roof_error err;
    size_t bytes;
    xm_model *model = xn_find_network(network)->build(&config, NULL);
    uint8_t *file = xm_write_memory(model, NULL, &bytes);
    xm_model_free(model);
    if (!file)
        xm_die("totals: %s cannot be written", network);
    or_die(graph_read_memory(file, bytes, network, &graph, &err), &err);
    add_row(graph, network, size, size, out);
    roof_graph_free(graph);
    free(file);
}

/* The shipped file, on boards and on other families. */
static void add_boards(const char *folder, const char *network, textbuf *out)
{
    char path[4096];
    roof_graph *graph = NULL;
    roof_error err;
    snprintf(path, sizeof path, "%s/%s-b4096.xmodel", folder, network);
    or_die(roof_graph_read(path, &graph, &err), &err);
    for (size_t b = 0; b < COUNT(boards); b++)
        add_row(graph, network, "B4096", boards[b], out);
    roof_graph_free(graph);
}

/* Prints lines that are not on the other side at the same place; the table has a fixed order. */
static bool compare(const char *path, const textbuf *got)
{
    FILE *file = fopen(path, "r");
    char line[1024];
    const char *at = got->bytes;
    bool same = file != NULL;
    if (!file)
        printf("%s: cannot be opened\n", path);
    while (file && fgets(line, sizeof line, file)) {
        size_t length = strcspn(at, "\n");
        line[strcspn(line, "\n")] = '\0';
        if (strlen(line) != length || memcmp(line, at, length) != 0) {
            printf("-%s\n+%.*s\n", line, (int)length, at);
            same = false;
        }
        at += length + (at[length] == '\n');
    }
    if (*at)
        printf("+%s", at);
    if (file)
        fclose(file);
    return same && !*at;
}

int main(int argc, char **argv)
{
    textbuf text;
    roof_error err;
    const char *update = getenv("ROOF_UPDATE_GOLDEN");
    bool good;
    if (argc != 3) {
        fputs("usage: totals MODELS TOTALS.csv\n", stderr);
        return 1;
    }
    text_init(&text, TEXT_MAX_BYTES);
    put_header(&text);
    for (size_t n = 0; n < COUNT(networks); n++) {
        for (size_t s = 0; s < COUNT(sizes); s++)
            add_size(networks[n], sizes[s], &text);
        add_boards(argv[1], networks[n], &text);
    }
    or_die(text_status(&text, &err), &err);
    good = compare(argv[2], &text);
    if (!good && update && strcmp(update, "1") == 0) {
        or_die(text_save(&text, argv[2], &err), &err);
        printf("rewritten: %s\n", argv[2]);
        good = true;
    }
    if (!good)
        printf("If the change is meant: ROOF_UPDATE_GOLDEN=1 ctest -R totals\n");
    text_free(&text);
    return good ? 0 : 1;
}
