/* network.csv of the Neural-ART compiler: what is read, what the tables must agree about, and that a table
 * which was cut is never taken for a smaller network. */
#include "tests/unit/fixture.h"

#define ZEROS18 "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0"

static const char columns[] =
    "epochs,flash (r),flash (w),flash (r+w),flash (r cycles),flash (w cycles),flash (cycles),ram (r),ram "
    "(w),ram (r+w),"
    "ram (r cycles),ram (w cycles),ram (cycles),off (r),off (w),off (r+w),off (r cycles),off (w cycles),off "
    "(cycles),"
    "bus port 1 (r),bus port 1 (w),bus port 0 (r),bus port 0 (w),epoch OPS,epoch OPS vs total %,epoch "
    "compute (cyles),"
    "epoch compute (cyles) vs Tot %,max (cycles),max (cycles) vs Tot %,epoch average ATON power (mW)\n";

static const char rows_of_epochs[] =
    "0 ," ZEROS18 ",0,0,0,0,0,0,0,0,0,0,0\n"
    "1 ,100,0,100,600,0,600,20,40,60,3,7,10,0,0,0,0,0,0,20,0,100,40,2000,0.5,500,0.833,600,0.789,74.7404\n"
    "2 ,0,0,0,0,0,0,1000,24,1024,160,4,164,0,0,0,0,0,0,1000,24,0,0,2000,0.5,100,0.167,160,2.1e-01,-nan\n"
    "3 ," ZEROS18 ",0,0,0,0,0,0,0,0,0,0,0\n";

static const char sums[] = "\n"
                           "Total,100,0,100,600,0,600,1020,64,1084,163,11,174,0,0,0,0,0,0,\n"
                           "BW,1.3e+08,0,1e+08,8e+08,0,8e+08,1,1,1,1,1,1,0,0,0,0,0,0,\n"
                           "\n"
                           "flash , 9.73 MB , total bytes r/w BW,1.3e+08\n"
                           "ram , 425 B , total bytes r/w BW,1.4e+09\n"
                           "off , ?\n"
                           "\n";

static const char totals[] = "Total cycles,760\nTotal ideal cycles,600\nTotal OPS,4000\nTotal ops/cycle,5\n"
                             "Frames/sec(1000 MHz),10.8822\nTOPS/W,inf\n";

enum { TEXT_SIZE = 1 << 20 };

static const char *whole_table(void)
{
    static char text[4096];
    snprintf(text, sizeof text, "%s%s%s%s", columns, rows_of_epochs, sums, totals);
    return text;
}

static fx_net table_of(const char *text, size_t length)
{
    return (fx_net){.bytes = fx_copy(text, length), .size_bytes = length};
}

static fx_net read_table(const char *text)
{
    fx_net net = table_of(text, strlen(text));
    fx_read(&net, "network.csv");
    return net;
}

static roof_status try_table(const char *text, size_t length, roof_error *err)
{
    fx_net net = table_of(text, length);
    roof_status status = graph_read_memory(net.bytes, net.size_bytes, "network.csv", &net.graph, err);
    fx_close(&net);
    return status;
}

/* The table with the first `old` replaced. */
static const char *edited(const char *old, const char *new)
{
    static char text[8192];
    const char *whole = whole_table(), *at = strstr(whole, old);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - whole), whole, new, at + strlen(old));
    return text;
}

static void epochs_have_the_bytes_and_cycles_of_their_row(void **state)
{
    fx_net net = read_table(whole_table());
    const roof_plan *plan = roof_plan_of(net.graph);
    (void)state;
    assert_string_equal(net.graph->format, "network_csv");
    assert_int_equal(plan->n_epochs, 2); /* 0 and 3 cost nothing */
    assert_int_equal(net.graph->n_layers, 2);
    assert_string_equal(net.graph->layers[0].name, "epoch_1");
    const roof_epoch *e = &plan->epochs[0];
    assert_int_equal(e->number, 1);
    assert_int_equal(e->kind, ROOF_EPOCH_UNKNOWN);
    assert_int_equal(e->ops_count, 2000);
    assert_int_equal(e->compute_cycles, 500);
    assert_int_equal(e->stored_vendor_cycles, 600);
    assert_int_equal(e->n_accesses, 2); /* none in the pool that is off */
    const roof_pool_access *a = &plan->accesses[e->first_access];
    assert_int_equal(a[0].read_bytes, 100);
    assert_int_equal(a[0].read_cycles, 600);
    assert_int_equal(a[1].pool, 1);
    assert_int_equal(a[1].write_bytes, 40);
    assert_int_equal(a[1].write_cycles, 7);
    fx_close(&net);
}

static void ports_are_told_apart(void **state)
{
    fx_net net = read_table(whole_table());
    const roof_epoch *e = &roof_plan_of(net.graph)->epochs[0];
    (void)state;
    assert_int_equal(e->port_read_bytes[0], 100);
    assert_int_equal(e->port_write_bytes[0], 40);
    assert_int_equal(e->port_read_bytes[1], 20);
    assert_int_equal(e->port_write_bytes[1], 0);
    fx_close(&net);
}

static void pools_state_what_they_use_and_nothing_else(void **state)
{
    fx_net net = read_table(whole_table());
    const roof_plan *plan = roof_plan_of(net.graph);
    (void)state;
    assert_int_equal(plan->n_pools, 3);
    assert_string_equal(plan->pools[2].name, "off");
    assert_true(plan->pools[0].used_bytes == ROOF_UNKNOWN); /* 9.73 MB may be 10,486 sizes */
    assert_int_equal(plan->pools[1].used_bytes, 425);
    assert_true(plan->pools[2].used_bytes == ROOF_UNKNOWN);
    assert_true(plan->pools[0].size_bytes == ROOF_UNKNOWN && plan->pools[0].byte_width == ROOF_NONE);
    assert_true(isnan(plan->pools[0].freq_ratio));
    fx_close(&net);
}

static void a_table_without_ports_and_operations_leaves_them_unknown(void **state)
{
    static const char text[] = "epochs,m (r),m (w),m (r+w),m (r cycles),m (w cycles),m (cycles),"
                               "epoch compute (cyles),max (cycles)\n"
                               "0 ,8,0,8,1,0,1,4,4\n\nTotal,8,0,8,1,0,1,\n\nTotal cycles,4\n";
    fx_net net = read_table(text);
    (void)state;
    assert_true(roof_plan_of(net.graph)->epochs[0].ops_count == ROOF_UNKNOWN);
    assert_true(roof_plan_of(net.graph)->epochs[0].port_read_bytes[1] == ROOF_UNKNOWN);
    fx_close(&net);
}

static void line_ends_and_marks_of_other_systems_are_read(void **state)
{
    char text[8192] = "\xef\xbb\xbf", *to = text + 3;
    (void)state;
    for (const char *from = whole_table(); *from; from++) {
        if (*from == '\n')
            *to++ = '\r';
        *to++ = *from;
    }
    *to = '\0';
    fx_net net = read_table(text);
    assert_int_equal(roof_plan_of(net.graph)->n_epochs, 2);
    assert_int_equal(roof_plan_of(net.graph)->pools[1].used_bytes, 425);
    fx_close(&net);
}

static void contradictions_and_nonsense_are_refused_with_line_and_column(void **state)
{
    static const struct {
        const char *old, *new, *want;
    } edits[] = {
        {",20,40,60,", ",20,40,61,", "column 'ram (r+w)' is 61, but its parts are 20 + 40 (line 3)"},
        {",3,7,10,", ",3,7,11,", "column 'ram (cycles)' is 11, but its parts are 3 + 7 (line 3)"},
        {"1 ,100,0,100,", "1 ,101,0,101,",
         "the total of 'flash (r)' is 100, but the epochs add up to 101 (line 7)"},
        {"0.833,600,", "0.833,660,",
         "'Total cycles' is 760, but 'max (cycles)' of the epochs adds up to 820 (line 14)"},
        {"Total ideal cycles,600", "Total ideal cycles,700",
         "'Total ideal cycles' is 700, but 'epoch compute (cyles)' of the epochs adds up to 600 (line 15)"},
        {"Total OPS,4000", "Total OPS,4100",
         "'Total OPS' is 4100, but 'epoch OPS' of the epochs adds up to 4000 (line 16)"},
        {"Total OPS,4000", "Total OPS,-1", "'Total OPS' is no whole number below 2^63 (line 16)"},
        {"0 ," ZEROS18, "7 ," ZEROS18,
         "the first epoch is 7, want 0: this is only the end of a network.csv (line 2)"},
        {"2 ,0,0", "1 ,0,0", "epoch 1 follows epoch 1, want a larger number (line 4)"},
        {"2 ,0,0", "2x,0,0", "column 'epochs' is '2x', want the number of an epoch (line 4)"},
        {"3 ," ZEROS18 ",0,", "4294967295 ," ZEROS18 ",0,",
         "column 'epochs' is '4294967295', want the number of an epoch (line 5)"},
        {"3 ," ZEROS18 ",0,", "3 ," ZEROS18 ",", "a row of 29 cells, want 30 (line 5)"},
        {"1 ,100,", "1 ,-100,", "column 'flash (r)' is '-100', want a whole number below 2^63 (line 3)"},
        {"1 ,100,", "1 ,1.5,", "column 'flash (r)' is '1.5', want a whole number below 2^63 (line 3)"},
        {"1 ,100,", "1 ,,", "column 'flash (r)' is '', want a whole number below 2^63 (line 3)"},
        {"1 ,100,", "1 ,9223372036854775808,",
         "column 'flash (r)' is '9223372036854775808', want a whole number below 2^63 (line 3)"},
        {"2 ,0,0,0,0,0,0,", "2 ,9223372036854775807,0,9223372036854775807,0,0,0,",
         "column 'flash (r)' is '9223372036854775807', want a sum below 2^63 (line 4)"},
        {"74.7404", "much", "column 'epoch average ATON power (mW)' is 'much', want a number (line 3)"},
        {"max (cycles),", "max,", "there is no column 'max (cycles)' (line 1)"},
        {"max (cycles) vs Tot %", "max (cycles)", "column 'max (cycles)' is there twice (line 1)"},
        {"ram (w)", "rom (w)", "column 9 is 'rom (w)', want 'ram (w)' (line 1)"},
        {"off (r),off (w)", "ram (r),ram (w)", "column 16 is 'off (r+w)', want 'ram (r+w)' (line 1)"},
        {"Total,100", "Total,", "column 'flash (r)' is '', want a whole number below 2^63 (line 7)"},
        {"Total,100,0,100,600,0,600,1020,64,1084,163,11,174,0,0,0,0,0,0,\n", "Total,1\n",
         "a row of 2 cells, want 19 (line 7)"},
        {"BW,1.3e+08", "BW,fast", "cell 2 is 'fast', want a number (line 8)"},
        {"9.73 MB", "lots", "memory pool 'flash' uses 'lots', want bytes or ? (line 10)"},
        {"9.73 MB", "-9.73 MB", "memory pool 'flash' uses '-9.73 MB', want bytes or ? (line 10)"},
        {"ram , 425", "rom , 425",
         "'rom' is no total of one number, and no memory pool of this table (line 11)"},
        {"TOPS/W,inf", "TOPS/W,",
         "'TOPS/W' is no total of one number, and no memory pool of this table (line 19)"},
        {"TOPS/W,inf", "4 ,0", "an epoch stands behind the totals (line 19)"},
        {"2 ,0,0", "2 ,\x01,0", "holds bytes that are no text: '\\x01,0,0,0,' (line 4)"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(edits); i++) {
        const char *text = edited(edits[i].old, edits[i].new);
        roof_error err = {0};
        roof_status status = try_table(text, strlen(text), &err);
        if (status != ROOF_E_DATA || strcmp(fx_message(&err), edits[i].want) != 0)
            fail_msg("'%s' for '%s': status %d, %s", edits[i].new, edits[i].old, status, fx_message(&err));
    }
}

static void a_pool_that_is_there_twice_is_refused(void **state)
{
    static const char six[] = "m (r),m (w),m (r+w),m (r cycles),m (w cycles),m (cycles),";
    char text[400];
    roof_error err = {0};
    (void)state;
    snprintf(text, sizeof text, "epochs,%s%sepoch compute (cyles),max (cycles)\n", six, six);
    assert_int_equal(try_table(text, strlen(text), &err), ROOF_E_DATA);
    assert_string_equal(fx_message(&err), "memory pool 'm' is there twice (line 1)");
}

static void a_table_that_was_cut_is_refused_wherever_it_was_cut(void **state)
{
    const char *whole = whole_table();
    size_t needed = (size_t)(strstr(whole, "\nTotal ideal") - whole);
    (void)state;
    for (size_t n = 1; n < needed; n++) {
        roof_error err = {0};
        if (try_table(whole, n, &err) != ROOF_E_DATA)
            fail_msg("the first %zu bytes are taken for a table: %s", n, fx_message(&err));
    }
    assert_int_equal(try_table(whole, needed, &(roof_error){0}), ROOF_OK);
}

static void a_table_of_idle_epochs_is_no_network(void **state)
{
    static const char text[] = "epochs,m (r),m (w),m (r+w),m (r cycles),m (w cycles),m (cycles),"
                               "epoch compute (cyles),max (cycles)\n"
                               "0 ,0,0,0,0,0,0,0,0\n\nTotal,0,0,0,0,0,0,\n\nTotal cycles,0\n";
    roof_error err = {0};
    (void)state;
    assert_int_equal(try_table(text, strlen(text), &err), ROOF_E_DATA);
    assert_non_null(strstr(fx_message(&err), "no epoch that runs"));
}

/* A table of n epochs of one pool; total: what it says of their cycles. Returns the length. */
static size_t write_long_table(char *text, unsigned n, uint64_t cycles, uint64_t total)
{
    size_t at = (size_t)snprintf(text, TEXT_SIZE,
                                 "epochs,m (r),m (w),m (r+w),m (r cycles),m (w cycles),m (cycles),"
                                 "epoch compute (cyles),max (cycles)\n");
    for (unsigned i = 0; i < n; i++)
        at += (size_t)snprintf(text + at, TEXT_SIZE - at, "%u ,1,0,1,1,0,1,1,%" PRIu64 "\n", i, cycles);
    at += (size_t)snprintf(text + at, TEXT_SIZE - at,
                           "\nTotal,%u,0,%u,%u,0,%u,\n\nTotal cycles,%" PRIu64 "\n", n, n, n, n, total);
    return at;
}

static void totals_that_a_float_added_up_are_accepted_and_missing_rows_are_not(void **state)
{
    const unsigned n = 621;
    const uint64_t cycles = 147977;
    char *text = malloc(TEXT_SIZE);
    volatile float total = 0; /* volatile: rounded at every step */
    (void)state;
    assert_non_null(text);
    for (unsigned i = 0; i < n; i++)
        total += (float)cycles;
    assert_true((uint64_t)total != n * cycles);
    assert_int_equal(try_table(text, write_long_table(text, n, cycles, (uint64_t)total), NULL), ROOF_OK);
    assert_int_equal(try_table(text, write_long_table(text, n, cycles, (n + 1) * cycles), NULL), ROOF_E_DATA);
    free(text);
}

static void other_tables_of_epochs_are_not_taken_for_it(void **state)
{
    static const char text[] = "epochs,loss,accuracy\n1,0.5,0.9\n";
    roof_error err = {0};
    (void)state;
    assert_int_equal(try_table(text, strlen(text), &err), ROOF_E_DATA);
    assert_non_null(strstr(fx_message(&err), "is no known model"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(epochs_have_the_bytes_and_cycles_of_their_row),
        cmocka_unit_test(ports_are_told_apart),
        cmocka_unit_test(pools_state_what_they_use_and_nothing_else),
        cmocka_unit_test(a_table_without_ports_and_operations_leaves_them_unknown),
        cmocka_unit_test(line_ends_and_marks_of_other_systems_are_read),
        cmocka_unit_test(contradictions_and_nonsense_are_refused_with_line_and_column),
        cmocka_unit_test(a_pool_that_is_there_twice_is_refused),
        cmocka_unit_test(a_table_that_was_cut_is_refused_wherever_it_was_cut),
        cmocka_unit_test(a_table_of_idle_epochs_is_no_network),
        cmocka_unit_test(totals_that_a_float_added_up_are_accepted_and_missing_rows_are_not),
        cmocka_unit_test(other_tables_of_epochs_are_not_taken_for_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
