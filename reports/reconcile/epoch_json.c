#include "reports/reconcile/epoch_json.h"

#define FLOW(member, kind, how) CODEC(roof_flow, member, kind, how)

static const codec_member flow_members[] = {{FLOW(read_bytes, COUNT, ALWAYS)},
                                            {FLOW(write_bytes, COUNT, ALWAYS)},
                                            {FLOW(peak_bytes_per_s, NUMBER, DERIVED)},
                                            {FLOW(average_bytes_per_s, NUMBER, DERIVED)},
                                            {FLOW(use_ratio, NUMBER, DERIVED)}};
static const codec_object flow_object = {CODEC_ROWS(flow_members), .one_line = true};

/* Those of which something is known. */
static void write_flows(codec *c, const char *key, const roof_flow *flows, uint32_t n)
{
    jsonout_object(c->out, key, false);
    for (uint32_t i = 0; i < n; i++)
        if (flows[i].read_bytes != ROOF_UNKNOWN || flows[i].write_bytes != ROOF_UNKNOWN)
            codec_write_object(c, flows[i].name, &flow_object, &flows[i]);
    jsonout_end(c->out);
}

static void write_pools(codec *c, const char *key, const void *target)
{
    const roof_measured_epoch *e = target;
    write_flows(c, key, e->pools, e->n_pools);
}

static void write_buses(codec *c, const char *key, const void *target)
{
    write_flows(c, key, ((const roof_measured_epoch *)target)->buses, ROOF_BUS_INTERFACES);
}

/* Before, while and after the NPU works. */
static const codec_member cycles_members[ROOF_EPOCH_PHASES] = {
    {.key = "pre", .kind = CODEC_COUNT, .offset = 0},
    {.key = "core", .kind = CODEC_COUNT, .offset = sizeof(uint64_t)},
    {.key = "post", .kind = CODEC_COUNT, .offset = 2 * sizeof(uint64_t)}};
static const codec_object cycles_object = {CODEC_ROWS(cycles_members), .one_line = true};

#define EPOCH(member, kind, how) CODEC(roof_measured_epoch, member, kind, how)
#define FIGURES                                                                                              \
    {EPOCH(total_s, NUMBER, DERIVED)}, {EPOCH(core_s, NUMBER, DERIVED)},                                     \
        {EPOCH(time_share_ratio, NUMBER, DERIVED)},                                                          \
        {CODEC_IN("mcu_cycles", offsetof(roof_measured_epoch, mcu_cycles), &cycles_object)},                 \
        {CODEC_IN("npu_cycles", offsetof(roof_measured_epoch, npu_cycles), &cycles_object)},                 \
        {EPOCH(npu_total_cycles, COUNT, ALWAYS)}, {EPOCH(npu_total_is_converted, BOOL, ALWAYS)},             \
        {EPOCH(ops_count, COUNT, ALWAYS)}, {EPOCH(compute_cycles, COUNT, ALWAYS)},                           \
        {EPOCH(vendor_cycles, COUNT, ALWAYS)}, {EPOCH(vendor_error_ratio, NUMBER, DERIVED)},                 \
        {EPOCH(compute_ratio, NUMBER, DERIVED)}, {EPOCH(core_compute_ratio, NUMBER, DERIVED)},               \
        {EPOCH(ideal_ops_per_s, NUMBER, DERIVED)}, {EPOCH(vendor_ops_per_s, NUMBER, DERIVED)},               \
        {EPOCH(core_ops_per_s, NUMBER, DERIVED)}, {EPOCH(measured_ops_per_s, NUMBER, DERIVED)},              \
        {EPOCH(busiest_stream_ratio, NUMBER, DERIVED)}, {EPOCH(busiest_stream, SMALL, ALWAYS)},              \
        {EPOCH(nearest, TEXT, ALWAYS)}, {EPOCH(nearest_ratio, NUMBER, DERIVED)},                             \
        {CODEC_BY("pools", 0, NULL, write_pools)},                                                           \
        {CODEC_AS("pools_peak_bytes_per_s", roof_measured_epoch, all_pools.peak_bytes_per_s, NUMBER,         \
                  DERIVED)},                                                                                 \
        {CODEC_AS("pools_average_bytes_per_s", roof_measured_epoch, all_pools.average_bytes_per_s, NUMBER,   \
                  DERIVED)},                                                                                 \
        {CODEC_BY("buses", 0, NULL, write_buses)},                                                           \
    {                                                                                                        \
        CODEC_AS("buses_peak_bytes_per_s", roof_measured_epoch, all_buses.peak_bytes_per_s, NUMBER, DERIVED) \
    }

static const codec_member total_members[] = {FIGURES};
static const codec_object total_object = {CODEC_ROWS(total_members)};
static const codec_member row_members[] = {{EPOCH(name, TEXT, ALWAYS)}, {EPOCH(type, TEXT, ALWAYS)}, FIGURES};
static const codec_object row_object = {CODEC_ROWS(row_members)};

#define TYPE(member, kind, how) CODEC(roof_epoch_type, member, kind, how)

static const codec_member type_members[] = {{TYPE(type, TEXT, ALWAYS)},
                                            {CODEC_AS("number", roof_epoch_type, n, SMALL, ALWAYS)},
                                            {TYPE(total_s, NUMBER, DERIVED)},
                                            {TYPE(outside_core_s, NUMBER, DERIVED)},
                                            {TYPE(time_share_ratio, NUMBER, DERIVED)}};
static const codec_object type_object = {CODEC_ROWS(type_members), .one_line = true};

#define EPOCHS(member, how) CODEC(roof_epochs, member, NUMBER, how)

static const codec_member epochs_members[] = {
    {EPOCHS(mcu_hz, ALWAYS)},
    {EPOCHS(npu_hz, ALWAYS)},
    {EPOCHS(ideal_inferences_per_s, DERIVED)},
    {EPOCHS(vendor_inferences_per_s, DERIVED)},
    {EPOCHS(measured_inferences_per_s, DERIVED)},
    {CODEC_IN("total", offsetof(roof_epochs, total), &total_object)},
    {CODEC_ITEMS("types", roof_epochs, types, n_types, &type_object, ROOF_MAX_EPOCH_TYPES, INLINE)},
    {CODEC_ITEMS("rows", roof_epochs, rows, n_rows, &row_object, UINT32_MAX, ALWAYS)},
};
const codec_object epochs_object = {CODEC_ROWS(epochs_members)};
