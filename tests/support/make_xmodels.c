/* make_xmodels - writes example and test models; see usage below. Exit 0, 1 (cannot write) or 2 (usage). */
#define _POSIX_C_SOURCE 200809L /* stat */

#include "roofline/xir.h"
#include "xmodel_networks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct command {
    const xn_network *network;
    const char *path;
    bool summary;
    xn_config config;
    xm_options options;
} command;

static const struct {
    const char *name;
    size_t offset;
} switches[] = {
    {"--unpacked", offsetof(command, options.unpacked)},
    {"--reversed-maps", offsetof(command, options.reversed_maps)},
    {"--int-enums", offsetof(command, options.int_enums)},
    {"--no-bit-width", offsetof(command, options.no_bit_width)},
    {"--op-defs", offsetof(command, options.with_op_defs)},
    {"--layer-code", offsetof(command, config.layer_code)},
    {"--quantised", offsetof(command, config.quantised)},
    {"--summary", offsetof(command, summary)},
};

static int usage(void)
{
    fputs("usage: make_xmodels NAME OUTPUT.xmodel [--arch B512..B4096] [--weights BYTES] [--layers N]\n"
          "                    [--unpacked] [--reversed-maps] [--int-enums] [--no-bit-width] [--op-defs]\n"
          "                    [--layer-code] [--quantised] [--summary]\n"
          "       make_xmodels --list\n"
          "       make_xmodels --untie MODEL.xmodel OUTPUT.xmodel\n",
          stderr);
    return 2;
}

static int list(void)
{
    size_t count;
    const xn_network *networks = xn_networks(&count);

    for (size_t i = 0; i < count; i++)
        printf("%-12s %s\n", networks[i].name, networks[i].doc);
    return 0;
}

static bool parse_number(const char *text, uint64_t most, uint64_t *number)
{
    char *end;

    errno = 0;
    *number = strtoull(text, &end, 10);
    return errno == 0 && end != text && *end == '\0' && *text != '-' && *number <= most;
}

static bool parse_switch(command *cmd, const char *arg)
{
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        if (strcmp(switches[i].name, arg) == 0) {
            *(bool *)((char *)cmd + switches[i].offset) = true;
            return true;
        }
    }
    return false;
}

static bool parse_value(command *cmd, const char *arg, const char *value)
{
    uint64_t number;

    if (strcmp(arg, "--arch") == 0)
        return (cmd->config.arch = xn_find_arch(value)) != NULL;
    if (strcmp(arg, "--weights") == 0)
        return parse_number(value, INT32_MAX, &cmd->options.weights_bytes);
    if (strcmp(arg, "--layers") == 0 && parse_number(value, 1000000, &number) && number > 0) {
        cmd->config.n_layers = (size_t)number;
        return true;
    }
    return false;
}

static bool parse(command *cmd, int argc, char **argv)
{
    if (argc < 3 || !(cmd->network = xn_find_network(argv[1])) || argv[2][0] == '-')
        return false;
    cmd->path = argv[2];
    for (int i = 3; i < argc; i++) {
        if (parse_switch(cmd, argv[i]))
            continue;
        if (i + 1 == argc || !parse_value(cmd, argv[i], argv[i + 1]))
            return false;
        i++;
    }
    return true;
}

/* Renaming over a device would put a file in its place. */
static bool may_replace(const char *path)
{
    struct stat status;

    return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}

/* Written under another name first: whoever looks sees a whole file or none. */
static bool write_file(const xm_model *model, const command *cmd)
{
    if (!may_replace(cmd->path)) {
        fprintf(stderr, "make_xmodels: %s: not a regular file\n", cmd->path);
        return false;
    }
    size_t size = strlen(cmd->path) + sizeof ".part";
    char *part = xm_checked_realloc(NULL, size, 1);

    snprintf(part, size, "%s.part", cmd->path);
    FILE *stream = fopen(part, "wb");
    bool good = stream && xm_write(model, &cmd->options, stream);
    int error = errno;
    if (stream && fclose(stream) != 0 && good) {
        error = errno;
        good = false;
    }
    if (good && rename(part, cmd->path) != 0) {
        error = errno;
        good = false;
    }
    if (!good) {
        fprintf(stderr, "make_xmodels: %s: %s\n", cmd->path, strerror(error));
        if (stream)
            remove(part);
    }
    free(part);
    return good;
}

static void print_summary(const char *name, const xn_summary *s)
{
    printf("%s layers %zu macs %" PRIu64 " workload %" PRIu64 " constants %" PRIu64 " input %" PRIu64
           " output %" PRIu64 " load %" PRIu64 " save %" PRIu64 " spilled %" PRIu64 " code %" PRIu64
           " conv %" PRIu64 " alu %" PRIu64 " eltwise %" PRIu64 "\n",
           name, s->n_layers, s->total.macs, s->total.workload_ops, s->total.constant_bytes, s->input_bytes,
           s->output_bytes, s->load_bytes, s->save_bytes, s->spilled_bytes, s->code_bytes,
           s->total.conv_cycles, s->total.alu_cycles, s->total.eltwise_cycles);
}

/* ---- a model whose code cannot run ---- */

/* NULL when it cannot be read. */
static uint8_t *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    struct stat status;
    uint8_t *bytes = NULL;

    if (file && fstat(fileno(file), &status) == 0 && status.st_size > 0) {
        *size = (size_t)status.st_size;
        bytes = xm_checked_realloc(NULL, *size, 1);
    }
    if (bytes && fread(bytes, 1, *size, file) != *size) {
        free(bytes);
        bytes = NULL;
    }
    if (file)
        (void)fclose(file);
    return bytes;
}

/* The first instruction of each code waits for a save, and there was none: nothing else of the model is
 * changed. So the two of them tell what the schedule costs. */
static int untie(const char *from, const char *to)
{
    roof_graph *graph = NULL;
    roof_error err = {0};
    size_t size = 0;
    uint8_t *bytes = read_whole(from, &size);
    bool good = bytes && roof_graph_read(from, &graph, &err) == ROOF_OK;

    for (uint32_t i = 0; good && i < graph->n_subgraphs; i++) {
        const roof_code *code = &roof_xir_subgraph_of(graph, &graph->subgraphs[i])->code;
        if (code->length_bytes >= 4)
            bytes[code->file_offset + 3] ^= 2;
    }
    FILE *file = good && may_replace(to) ? fopen(to, "wb") : NULL;
    good = file && fwrite(bytes, 1, size, file) == size;
    if (file && fclose(file) != 0)
        good = false;
    if (!good)
        fprintf(stderr, "make_xmodels: %s cannot be read, or %s not written\n", from, to);
    roof_graph_free(graph);
    free(bytes);
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    command cmd = {0};
    xn_summary summary;

    if (argc == 2 && strcmp(argv[1], "--list") == 0)
        return list();
    if (argc == 4 && strcmp(argv[1], "--untie") == 0)
        return untie(argv[2], argv[3]);
    if (!parse(&cmd, argc, argv))
        return usage();
    xm_model *model = cmd.network->build(&cmd.config, &summary);
    bool good = write_file(model, &cmd);
    if (good && cmd.summary)
        print_summary(cmd.network->name, &summary);
    xm_model_free(model);
    return good ? 0 : 1;
}
