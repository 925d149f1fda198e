/* make_stm32n6 - writes what a Neural-ART's tools leave of one small network: plan, table, C file and trace,
 * report of the compiler, pools, profile; log, raw counters and reports of what was measured.
 *
 * usage: make_stm32n6 FOLDER
 * The folder must exist. Exit 0, or 1 when a file cannot be written.
 */
#include "tests/support/art_profiles_writer.h"
#include "tests/support/art_report_writer.h"
#include "tests/support/network_c_writer.h"
#include "tests/support/network_csv_writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_plan(textbuf *text)
{
    ci_write(&ci_tiny, CI_3_0, text);
}

static void put_table(textbuf *text)
{
    csvw_write(&ci_tiny, text);
}

static void put_report(textbuf *text)
{
    arw_write(&ci_tiny, ARW_LINES, text);
}

static void put_network(textbuf *text, int part)
{
    size_t length;
    char *bytes = ncw_write_plan(&ci_tiny, part, &length);
    if (bytes)
        text_add(text, bytes, length);
    free(bytes);
}

static void put_network_c(textbuf *text)
{
    put_network(text, NCW_NETWORK);
}

static void put_trace(textbuf *text)
{
    put_network(text, NCW_TRACE);
}

static void put_pools(textbuf *text)
{
    text_puts(text, "{\n \"memory\": {\n  \"mem_file_prefix\": \"atonbuf\",\n  \"mempools\": [\n");
    for (uint32_t p = 0; p < ci_tiny.n_pools; p++) {
        const ci_pool *pool = &ci_tiny.pools[p];
        text_printf(
            text,
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
    text_puts(text, "  ]\n }\n}\n");
}

static void put_profile(textbuf *text)
{
    text_puts(
        text,
        "{\n \"Globals\": {},\n \"Profiles\": {\n  \"default\": {\"memory_pool\": \"./stm32n6.mpool\", "
        "\"options\": \"-O3 --csv-file network.csv\"} // and the front end asks for c_info.json\n }\n}\n");
}

static const struct {
    const char *name;
    void (*put)(textbuf *);
} files[] = {
    {"network_c_info.json", put_plan},
    {"network.csv", put_table},
    {"network.c", put_network_c},
    {"network_blob_trace.c", put_trace},
    {"network_generate_report.txt", put_report},
    {"stm32n6.mpool", put_pools},
    {"neural_art.json", put_profile},
    {"npu_profiler.log", apw_log},
    {"npu_counters.log", apw_counters},
    {"network_validate_report.txt", apw_report},
    {"val.json", apw_val_json},
};

static bool save(const char *folder, size_t i)
{
    char path[4096];
    textbuf text;
    text_init(&text, 1 << 20);
    files[i].put(&text);
    snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
    FILE *file = fopen(path, "wb");
    bool good =
        file && text.length && !text.failed && fwrite(text.bytes, 1, text.length, file) == text.length;
    if (file && fclose(file) != 0)
        good = false;
    if (!good)
        fprintf(stderr, "make_stm32n6: %s: %s\n", path, strerror(errno));
    text_free(&text);
    return good;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: make_stm32n6 FOLDER\n", stderr);
        return 1;
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (!save(argv[1], i))
            return 1;
    return 0;
}
