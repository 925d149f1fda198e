#include "model/work/host_ops.h"
#include "model/work/cost.h"

#include <string.h>
#include <strings.h>

static const host_kind kinds[HOST_KINDS] = {
#define HOST_KIND(id, key, words, unit, measure, types) {(key), (words), (unit), HOST_##measure, (types)},
#include "model/work/host_ops.def"
#undef HOST_KIND
};

const host_kind *host_kind_of(host_kind_id id)
{
    return &kinds[id];
}

host_kind_id host_kind_of_type(const char *type)
{
    for (int i = 0; i < HOST_KINDS; i++)
        for (const char *own = kinds[i].types, *space; *own; own = space ? space + 1 : "") {
            space = strchr(own, ' ');
            const size_t n = space ? (size_t)(space - own) : strlen(own);
            if (((type[0] ^ own[0]) & ~0x20) == 0 && strncasecmp(type, own, n) == 0 && !type[n])
                return (host_kind_id)i; /* most differ in their first letter */
        }
    return HOST_KINDS;
}

/* A tensor whose shape is unknown has no element. */
static uint64_t or_unknown(uint64_t count)
{
    return count ? count : ROOF_UNKNOWN;
}

host_facts host_facts_of_demand(const roof_graph *graph, const roof_demand *demand)
{
    const roof_op *op = &graph->ops[demand->op];
    const roof_op *input = op_input(graph, op, ROOF_ROLE_INPUT);
    const roof_tensor *made = &op->out;
    uint64_t row_cells = made->elements && made->n_dims ? made->dims[made->n_dims - 1] : ROOF_UNKNOWN;
    if (host_kind_of_type(op->type) == HOST_KIND_DETECTION) /* it reads encoded boxes, [1, boxes, 4], first */
        row_cells = input && input->out.n_dims == 3 ? input->out.dims[1] : ROOF_UNKNOWN;
    return (host_facts){{.type = op->type,
                         .input_elements = input ? or_unknown(input->out.elements) : ROOF_UNKNOWN,
                         .input_bytes = input && input->out.elements ? input->out.bytes : ROOF_UNKNOWN,
                         .output_elements = or_unknown(op->out.elements),
                         .output_bytes = op->out.elements ? op->out.bytes : ROOF_UNKNOWN,
                         .row_cells = row_cells},
                        .taps = op->rule == ROOF_RULE_POOL ? demand->ops_count : ROOF_UNKNOWN,
                        .macs = demand->macs};
}

static uint64_t floats(uint64_t elements, uint64_t bytes)
{
    return elements < UINT64_MAX / 4 && bytes == 4 * elements ? elements : ROOF_UNKNOWN;
}

uint64_t host_count(const host_facts *facts, host_measure measure)
{
    const roof_host_op *op = &facts->op;
    const uint64_t counts[] = {[HOST_INPUT_FLOATS] = floats(op->input_elements, op->input_bytes),
                               [HOST_OUTPUT_FLOATS] = floats(op->output_elements, op->output_bytes),
                               [HOST_OUTPUT_ELEMENTS] = op->output_elements,
                               [HOST_OUTPUT_BYTES] = op->output_bytes,
                               [HOST_TAPS] = facts->taps,
                               [HOST_MACS] = facts->macs,
                               [HOST_CALLS] = 1};
    return counts[measure];
}
