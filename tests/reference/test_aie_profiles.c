/* Real files of AI Engine tools, where ../shared has them: what was computed from them by other means. */
#include "core/span.h"
#include "tests/support/named_events.h"
#include "tests/unit/imported.h"
#include "tests/support/skips.h"

#include <stdio.h>

static const char *shared_file(char *buffer, size_t size, const char *name)
{
    snprintf(buffer, size, "%s/data/aie/%s", shared_folder(), name);
    return buffer;
}

static roof_measured *import_real(const char *name)
{
    char path[1024];
    roof_measured *m = NULL;
    roof_error err = {0};
    if (roof_import_file(shared_file(path, sizeof path, name), NULL, &m, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return m;
}

static const roof_measured_layer *row_named(const roof_run *run, text_span name)
{
    for (uint32_t i = 0; i < run->n_layers; i++)
        if (span_is(name, run->layers[i].name))
            return &run->layers[i];
    return NULL;
}

/* The list has layer,op_type,...,median_cycles,median_us_at_1GHz_timer,tops,n of each layer, over pairs in
 * the order of the file, of which one joins the last record of the ring to the first: medians differ by less
 * than 0.1 %. */
static void stamps_of_yolov5_have_the_medians_of_their_layers(void **state)
{
    enum { NAME = 0, MEDIAN = 8, COLUMNS = 12 };
    char path[1024], line[1024];
    roof_measured *m = import_real("ryzenai_yolov5nu_strix/record_timer_ts.json");
    const roof_run *run = im_run(m, 0);
    FILE *list = fopen(shared_file(path, sizeof path, "yolov5nu_npu_layers.csv"), "r");
    double sum = 0, convolutions = 0;
    uint32_t n = 0;
    (void)state;
    assert_non_null(list);
    assert_non_null(fgets(line, sizeof line, list));
    while (fgets(line, sizeof line, list)) {
        text_span cells[COLUMNS];
        if (span_split(span_of(line), ',', cells, COLUMNS) != COLUMNS)
            fail_msg("%s", line);
        const roof_measured_layer *l = row_named(run, cells[NAME]);
        assert_non_null(l);
        assert_close(1e9 * l->time.median_s, strtod(cells[MEDIAN].text, NULL), 1e-3 * 1e9 * l->time.median_s);
        assert_true(l->time.count == 66 || l->time.count == 67);
        sum += 1e9 * l->time.median_s;
        convolutions += strcmp(l->type, "conv2d-fix") == 0 ? 1e9 * l->time.median_s : 0;
        n++;
    }
    fclose(list);
    assert_int_equal(n, 113);
    assert_int_equal(run->n_layers, 113);
    assert_close(sum, 17.684e6, 1e3);
    assert_close(convolutions, 10.29e6, 1e3);
    im_want_note(m, "id 533370, 67 times: of no layer");
    im_want_note(m, "1336 records in all");
    assert_false(im_notes_have(m, "goes back"));
    roof_measured_free(m);
}

/* Counted from the file by itself; PORT_RUNNING_4 of the memory tile moves 2^17 bytes. */
static void the_trace_of_a_product_has_its_bytes(void **state)
{
    roof_measured *m = import_real("code/allo/trace.json");
    const roof_run *run = im_run(m, 0);
    (void)state;
    static const struct {
        const char *name;
        uint64_t count;
    } rows[] = {{"trace.core_trace for tile3,1.TRACED.active_cycles", 87478},
                {"trace.core_trace for tile3,1.LOCK_STALL.active_cycles", 39963},
                {"trace.core_trace for tile3,1.INSTR_EVENT_0.begins", 16},
                {"trace.memtile_trace for tile1,1.PORT_RUNNING_4.bytes", 131072},
                {"trace.memtile_trace for tile1,1.PORT_RUNNING_1.bytes", 8192}};
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(event_count(run->events, run->n_events, rows[i].name), rows[i].count);
    im_want_note(m, "2 events are a begin or an end without the other");
    roof_measured_free(m);
}

/* The same folder holds files of no times. */
static void files_beside_them_are_refused(void **state)
{
    static const char *const names[] = {"fused_viz.json",         "vaip_config.json",
                                        "vitisai_ep_report.json", "dpu_timestamp_info.json",
                                        "xrt.run_summary",        "quantized_info.csv"};
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        char path[1024], name[200];
        roof_measured *m = NULL;
        roof_error err = {0};
        snprintf(name, sizeof name, "ryzenai_yolov5nu_strix/%s", names[i]);
        if (roof_import_file(shared_file(path, sizeof path, name), NULL, &m, &err) == ROOF_OK)
            fail_msg("%s was taken for %s", names[i], m->sources[0].tool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stamps_of_yolov5_have_the_medians_of_their_layers),
        cmocka_unit_test(the_trace_of_a_product_has_its_bytes),
        cmocka_unit_test(files_beside_them_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
