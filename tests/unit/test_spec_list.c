/* A list of hardware: descriptions of one line have commas as well, and stay whole. */
#include "roofline/hw.h"
#include "tests/unit/fixture.h"
#include "tests/unit/folder.h"

enum { MOST = 6 };

static void lists_are_split_where_a_description_ends(void **state)
{
    static const struct {
        const char *list, *want[MOST];
    } rows[] = {
        {"", {""}},
        {"kv260", {"kv260"}},
        {"kv260,zcu104,npu2", {"kv260", "zcu104", "npu2"}},
        {"kv260,", {"kv260", ""}},
        {",kv260", {"", "kv260"}},
        {"a,,b", {"a", "", "b"}},
        {"mac=2048/cycle,clock=300MHz", {"mac=2048/cycle,clock=300MHz"}},
        {"mac=2048/cycle,clock=300MHz,ddr=19.2GB/s,kv260",
         {"mac=2048/cycle,clock=300MHz,ddr=19.2GB/s", "kv260"}},
        {"kv260,mac=2048/cycle,clock=300MHz,zcu104", {"kv260", "mac=2048/cycle,clock=300MHz", "zcu104"}},
        {"base=b4096,clock=200MHz,base=b4096,clock=250MHz",
         {"base=b4096,clock=200MHz", "base=b4096,clock=250MHz"}},
        {"base=b4096, clock=200MHz, base =b512", {"base=b4096, clock=200MHz", " base =b512"}},
        {"mac=1/cycle,clock=1MHz,mac=2/cycle,clock=1MHz,mac=3/cycle",
         {"mac=1/cycle,clock=1MHz", "mac=2/cycle,clock=1MHz", "mac=3/cycle"}},
        {"clock=1MHz,clocks=2MHz,cloc=3MHz", {"clock=1MHz,clocks=2MHz,cloc=3MHz"}},
        {"boards/a.json,boards/b=2.json,clock=1MHz", {"boards/a.json", "boards/b=2.json", "clock=1MHz"}},
        {"base=b512,x=1.csv,clock=1MHz", {"base=b512", "x=1.csv", "clock=1MHz"}},
        {"=,=", {"=", "="}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *at = rows[i].list;
        for (size_t k = 0; k < MOST && rows[i].want[k]; k++) {
            size_t length = roof_hw_first_of(at);
            if (length != strlen(rows[i].want[k]) || strncmp(at, rows[i].want[k], length) != 0)
                fail_msg("'%s': part %zu is '%.*s', want '%s'", rows[i].list, k + 1, (int)length, at,
                         rows[i].want[k]);
            bool is_last = k + 1 == MOST || !rows[i].want[k + 1];
            assert_int_equal(at[length], is_last ? '\0' : ',');
            at += length + !is_last;
        }
    }
}

/* "a,b.json" was a file before there were lists, and is one where it is there. */
static void a_list_that_is_the_name_of_a_file_is_that_file(void **state)
{
    char path[128];
    (void)state;
    snprintf(path, sizeof path, "%s", in_folder("a,b.json"));
    assert_int_equal(roof_hw_first_of(path), strlen(path) - strlen(",b.json"));
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(roof_hw_first_of(path), strlen(path));
    assert_int_equal(remove(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_split_where_a_description_ends),
        cmocka_unit_test(a_list_that_is_the_name_of_a_file_is_that_file),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
