#include "tests/support/host_plan.h"
#include "core/text.h"
#include "model/graph/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define YOLO     "CV_Models__AI_STUDIO__yolov8n_micro_224.txt"
#define STUDIO   "CV_Models__AI_STUDIO__mobilenet_v2_224.txt"
#define CUBE     "CV_Models__Cube_MX__mobilenet_v2_224.txt"
#define AT_600   "stm32n6-normal"
#define AT_800   "stm32n6"
#define SW       "NODE_SW"
#define HYBRID   "NODE_SW_HW"
#define CELLS    "1,1280,7,7"
#define ANCHORS  "1,4,1029"
#define CHANNELS "1,1280,1,1"

const hp_measured hp_measured_rows[HP_MEASURED] = {
    {STUDIO,
     "EpochBlock_54",
     AT_600,
     {"DequantizeLinear", SW, CELLS, CELLS, 8, 32},
     453182,
     "dequantize",
     62720},
    {STUDIO,
     "EpochBlock_55",
     AT_600,
     {"GlobalAveragePool", SW, CELLS, CHANNELS, 32, 32},
     285627,
     "global_average_pool",
     62720},
    {STUDIO,
     "EpochBlock_56",
     AT_600,
     {"QuantizeLinear", SW, CHANNELS, CHANNELS, 32, 8},
     15549,
     "quantize",
     1280},
    {CUBE,
     "EpochBlock_54",
     AT_800,
     {"DequantizeLinear", SW, CELLS, CELLS, 8, 32},
     443841,
     "dequantize",
     62720},
    {CUBE,
     "EpochBlock_55",
     AT_800,
     {"GlobalAveragePool", SW, CELLS, CHANNELS, 32, 32},
     315033,
     "global_average_pool",
     62720},
    {CUBE,
     "EpochBlock_56",
     AT_800,
     {"QuantizeLinear", SW, CHANNELS, CHANNELS, 32, 8},
     9603,
     "quantize",
     1280},
    {YOLO,
     "EpochBlock_52",
     AT_600,
     {"DepthToSpace", HYBRID, "1,1024,7,7", "1,256,14,14", 8, 8},
     64048,
     "depth_to_space",
     50176},
    {YOLO,
     "EpochBlock_53",
     AT_600,
     {"Concat", HYBRID, "1,128,14,14", "1,384,14,14", 8, 8},
     61139,
     "concat",
     75264},
    {YOLO,
     "EpochBlock_62",
     AT_600,
     {"DepthToSpace", HYBRID, "1,512,14,14", "1,128,28,28", 8, 8},
     67058,
     "depth_to_space",
     100352},
    {YOLO,
     "EpochBlock_64",
     AT_600,
     {"Concat", HYBRID, "1,64,28,28", "1,192,28,28", 8, 8},
     96701,
     "concat",
     150528},
    {YOLO,
     "EpochBlock_94",
     AT_600,
     {"Concat", HYBRID, "1,64,14,14", "1,192,14,14", 8, 8},
     29646,
     "concat",
     37632},
    {YOLO,
     "EpochBlock_108",
     AT_600,
     {"Concat", HYBRID, "1,80,784", "1,80,1029", 8, 8},
     659128,
     "concat_odd_rows",
     82320},
    {YOLO,
     "EpochBlock_111",
     AT_600,
     {"Concat", HYBRID, "1,64,784", "1,64,1029", 8, 8},
     525355,
     "concat_odd_rows",
     65856},
    {YOLO,
     "EpochBlock_113",
     AT_600,
     {"Transpose", HYBRID, "1,4,16,1029", "1,16,4,1029", 8, 8},
     67745,
     "transpose",
     65856},
    {YOLO,
     "EpochBlock_115",
     AT_600,
     {"Softmax", SW, "1,16,4,1029", "1,16,4,1029", 8, 8},
     4308435,
     "softmax",
     65856},
    {YOLO,
     "EpochBlock_118",
     AT_600,
     {"DequantizeLinear", SW, ANCHORS, ANCHORS, 8, 32},
     27330,
     "dequantize",
     4116},
    {YOLO, "EpochBlock_119", AT_600, {"Sub", SW, ANCHORS, ANCHORS, 32, 32}, 79548, "subtract", 4116},
    {YOLO,
     "EpochBlock_120",
     AT_600,
     {"QuantizeLinear", SW, ANCHORS, ANCHORS, 32, 8},
     36852,
     "quantize",
     4116},
    {YOLO,
     "EpochBlock_121",
     AT_600,
     {"QuantizeLinear", SW, ANCHORS, ANCHORS, 32, 8},
     31874,
     "quantize",
     4116},
};

/* Buffers: 10 k + 1 is what row k reads, 10 k + 2 what it makes, 10 k + 3 what it works in, which is both;
 * 10 k + 4 is a parameter. */
static void put_buffer(textbuf *out, unsigned id, const char *shape, unsigned bits, bool is_first)
{
    const bool is_parameter = id % 10 == 4;
    text_printf(out,
                "%s{\"id\":%u,\"is_param\":%s,\"mpool_id\":1,\"name\":\"b%u\",\"nbits\":%u,\"shape\":[%s]}",
                is_first ? "" : ",", id, is_parameter ? "true" : "false", id, bits, shape);
}

static void put_epoch(textbuf *out, unsigned k, const hp_row *row)
{
    text_printf(
        out,
        ",{\"id\":%u,\"name\":\"epoch_%u\",\"mapping\":\"%s\",\"subgraph_nodes\":[{\"id\":%u,\"name\":"
        "\"op_%u\",\"mapping\":\"NODE_SW\",\"type\":\"%.*s\",\"inputs\":[%u,%u,%u],\"outputs\":[%u,%u]}",
        100 * k, k, row->mapping, 100 * k + 1, k, (int)strcspn(row->kind, "+"), row->kind, 10 * k + 1,
        10 * k + 3, 10 * k + 4, 10 * k + 2, 10 * k + 3);
    if (strchr(row->kind, '+'))
        text_printf(out, ",{\"id\":%u,\"name\":\"also_%u\",\"mapping\":\"NODE_SW\",\"type\":\"%s\"}",
                    100 * k + 2, k, strchr(row->kind, '+') + 1);
    text_puts(out, "]}");
}

char *hp_write(const hp_row *rows, unsigned n)
{
    textbuf out;
    text_init(&out, TEXT_MAX_BYTES);
    text_printf(&out, "{\"json_schema_version\":\"2.0\",\"graphs\":[{\"name\":\"host\",\"nodes\":[{\"id\":50,"
                      "\"name\":\"epoch_1\",\"mapping\":\"NODE_HW\",\"subgraph_nodes\":[{\"id\":51,\"name\":"
                      "\"conv\",\"mapping\":\"NODE_HW\",\"type\":\"Conv\"}]}");
    for (unsigned i = 0; i < n; i++)
        put_epoch(&out, i + 2, &rows[i]);
    text_printf(&out, "]}],\"buffers\":[");
    put_buffer(&out, 1, "8", 8, true);
    for (unsigned i = 0; i < n; i++) {
        const unsigned k = 10 * (i + 2);
        if (rows[i].input)
            put_buffer(&out, k + 1, rows[i].input, rows[i].input_bits, false);
        if (rows[i].output)
            put_buffer(&out, k + 2, rows[i].output, rows[i].output_bits, false);
        put_buffer(&out, k + 3, "257", 32, false);
        put_buffer(&out, k + 4, "3", 32, false);
    }
    text_printf(&out, "],\"memory_pools\":[{\"id\":1,\"name\":\"npuRAM5\",\"address\":\"\",\"size_bytes\":-1,"
                      "\"used_size_bytes\":-1,\"attributes\":{\"byte_width\":8,\"freq_ratio\":1.25}}],"
                      "\"memory_accesses\":[],\"power_estimates\":[{\"node_id\":50,\"ops\":100,"
                      "\"compute_cycles\":1000000,\"max_cycles\":1000000}");
    for (unsigned i = 0; i < n; i++)
        text_printf(&out, ",{\"node_id\":%u,\"ops\":0,\"compute_cycles\":0,\"max_cycles\":0}", 100 * (i + 2));
    text_printf(&out, "]}");
    assert_false(out.failed);
    char *text = strdup(out.bytes);
    text_free(&out);
    assert_non_null(text);
    return text;
}

roof_prediction *hp_predict(const hp_row *rows, unsigned n, const char *hardware, uint32_t batch)
{
    char *text = hp_write(rows, n), message[1400];
    const roof_predict_options options = {.batch = batch};
    roof_graph *graph = NULL;
    roof_hw *hw = NULL;
    roof_prediction *p = NULL;
    roof_error err = {0};
    roof_status status =
        graph_read_memory((const unsigned char *)text, strlen(text), "host.json", &graph, &err);
    if (status == ROOF_OK)
        status = roof_hw_load(hardware, &hw, &err);
    if (status == ROOF_OK)
        status = roof_predict(graph, hw, &options, &p, &err);
    roof_error_format(&err, message, sizeof message);
    if (status != ROOF_OK)
        fail_msg("%s", message);
    assert_int_equal(p->n_layers, n + 1);
    roof_hw_free(hw);
    roof_graph_free(graph);
    free(text);
    return p;
}
