/* Files of points: cut anywhere and gone on with, in parts that are put together, and what is refused. */
#include "roofline/results.h"
#include "reports/results/results_line.h"
#include "tests/unit/sweep_fixture.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

typedef struct format {
    const char *name, *part; /* of the file */
    bool is_json_lines;
} format;
static const format formats[] = {{"p.csv", "p.csv.part", false}, {"p.jsonl", "p.jsonl.part", true}};

static roof_status write_points(const roof_sweep_plan *plan, const char *name, bool is_json_lines,
                                uint32_t shard, uint32_t n_shards, roof_results_progress *done,
                                roof_error *err)
{
    char path[SWEEP_PATH];
    const roof_results_options options = {.path = sweep_path(path, name),
                                          .is_json_lines = is_json_lines,
                                          .shard = shard,
                                          .n_shards = n_shards,
                                          .jobs = 2};
    return roof_results_write(plan, &options, done, err);
}

static char *points_of(const roof_sweep_plan *plan, const format *f, size_t *length)
{
    roof_results_progress done;
    roof_error err = {0};
    sweep_remove(f->name);
    if (write_points(plan, f->name, f->is_json_lines, 0, 0, &done, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    assert_int_equal(done.kept, 0);
    assert_int_equal(done.done, SWEEP_POINTS);
    assert_int_equal(done.of, SWEEP_POINTS);
    char *bytes = sweep_bytes(f->name, length);
    assert_non_null(bytes);
    return bytes;
}

static roof_sweep_plan *plan;

static int read_plan(void **state)
{
    if (make_folder(state) != 0)
        return -1;
    sweep_save_plan("plan.json", SWEEP_PLAN);
    plan = sweep_plan("plan.json");
    return 0;
}

static int free_plan(void **state)
{
    roof_sweep_plan_free(plan);
    sweep_remove("plan.json");
    return remove_folder(state);
}

/* --- lines ---------------------------------------------------------------------------------------------- */

static void a_line_that_is_not_whole_is_told_from_one_that_is(void **state)
{
    static const char *const rows[][2] = {{"0\n", "{\"index\":0}\n"},
                                          {"7,a,\"b,c\",0.5\n", "{\"index\":7,\"a\":\"}\\\"\"}\n"}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (int is_json = 0; is_json < 2; is_json++) {
            textbuf text;
            results_line line;
            text_init(&text, 1000);
            text_puts(&text, rows[i][is_json]);
            results_line_sign(&text, 0, is_json, "0123456789abcdef", 8);
            assert_true(results_line_read(text.bytes, text.length, is_json, &line));
            assert_int_equal(line.index, i ? 7 : 0);
            assert_int_equal(line.n_points, 8);
            assert_string_equal(line.identity, "0123456789abcdef");
            for (size_t n = 0; n < text.length; n++) {
                assert_false(results_line_read(text.bytes, n, is_json, &line));
                assert_false(results_line_read(text.bytes + n + 1, text.length - n - 1, is_json, &line));
                text.bytes[n] ^= 1;
                if (results_line_read(text.bytes, text.length, is_json, &line))
                    fail_msg("byte %zu of '%s' may change", n, text.bytes);
                text.bytes[n] ^= 1;
            }
            text_free(&text);
        }
}

/* --- going on ------------------------------------------------------------------------------------------- */

/* Where lines end, every byte; in between some. */
static void what_is_cut_anywhere_and_gone_on_with_is_the_same_file(void **state)
{
    enum { STEP = 97 };
    (void)state;
    for (size_t f = 0; f < COUNT(formats); f++) {
        size_t length;
        char *bytes = points_of(plan, &formats[f], &length);
        for (size_t cut = 0; cut <= length; cut++) {
            const bool is_near_end = cut < length && (bytes[cut] == '\n' || (cut && bytes[cut - 1] == '\n'));
            if (!is_near_end && cut % STEP && cut + 3 < length)
                continue;
            uint64_t n = 0;
            for (size_t i = 0; i < cut; i++)
                n += bytes[i] == '\n';
            n -= n && !formats[f].is_json_lines; /* the titles */
            roof_results_progress done;
            roof_error err = {0};
            sweep_remove(formats[f].name);
            sweep_save(formats[f].part, bytes, cut);
            if (write_points(plan, formats[f].name, formats[f].is_json_lines, 0, 0, &done, &err) != ROOF_OK)
                fail_msg("cut at %zu: %s", cut, fx_message(&err));
            assert_int_equal(done.kept, n);
            sweep_same("cut and gone on with", formats[f].name, bytes, length);
        }
        free(bytes);
        sweep_remove(formats[f].name);
    }
}

/* A block of a machine that went down may hold anything: what is behind it is computed once more. */
static void a_line_that_was_changed_is_computed_once_more(void **state)
{
    size_t length;
    char *bytes = points_of(plan, &formats[0], &length);
    char *changed = (char *)fx_copy(bytes, length);
    roof_results_progress done;
    roof_error err;
    size_t at = 0;
    (void)state;
    for (int lines = 0; lines < 6; at++)
        lines += bytes[at] == '\n';
    memset(changed + at + 10, '0', 40);
    sweep_remove("p.csv");
    sweep_save("p.csv.part", changed, length);
    assert_int_equal(write_points(plan, "p.csv", false, 0, 0, &done, &err), ROOF_OK);
    assert_int_equal(done.kept, 5);
    sweep_same("gone on with", "p.csv", bytes, length);
    sweep_remove("p.csv");
    free(changed);
    free(bytes);
}

static void what_is_there_already_is_left(void **state)
{
    size_t length;
    char *bytes = points_of(plan, &formats[0], &length), path[SWEEP_PATH];
    struct stat before, after;
    roof_results_progress done;
    roof_error err;
    (void)state;
    assert_int_equal(stat(sweep_path(path, "p.csv"), &before), 0);
    assert_int_equal(write_points(plan, "p.csv", false, 0, 0, &done, &err), ROOF_OK);
    assert_int_equal(done.kept, SWEEP_POINTS);
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    /* of the same name with something else in it: replaced at the end */
    sweep_save("p.csv", "mine\n", 5);
    assert_int_equal(write_points(plan, "p.csv", false, 0, 0, &done, &err), ROOF_OK);
    assert_int_equal(done.kept, 0);
    sweep_same("written", "p.csv", bytes, length);
    sweep_remove("p.csv");
    free(bytes);
}

static void what_is_of_something_else_is_refused_and_left(void **state)
{
    size_t length, own_length, part_length;
    char *bytes = points_of(plan, &formats[0], &length), own[SWEEP_PATH];
    roof_results_progress done;
    roof_error err = {0};
    (void)state;
    sweep_remove("p.csv");
    assert_int_equal(write_points(plan, "p.csv", false, 2, 2, &done, &err), ROOF_OK);
    char *part = sweep_bytes("p.csv", &part_length);
    sweep_remove("p.csv");
    static const char other[] =
        "{\"schema\":\"roofline.sweep/1\",\"models\":[\"@/models/mobilenetv1.tflite\"],"
        "\"devices\":[\"kv260\"]}";
    sweep_save_plan("other.json", other);
    roof_sweep_plan *other_plan = sweep_plan("other.json");
    assert_int_equal(write_points(other_plan, "p.csv", false, 0, 0, &done, &err), ROOF_OK);
    char *of_other = sweep_bytes("p.csv", &own_length);
    sweep_remove("p.csv");
    const struct {
        const char *name, *bytes, *want;
        size_t length;
    } cases[] = {
        {"another plan", of_other, "is of another plan", own_length},
        {"another part", part, "begins with point 9, want 0: it is another part of the plan", part_length},
        {"a letter", "Dear reader,\n", "does not begin as points of this plan do", 13},
        {"a long beginning", "index,model", NULL, 5},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        sweep_save("p.csv.part", cases[i].bytes, cases[i].length);
        const roof_status status = write_points(plan, "p.csv", false, 0, 0, &done, &err);
        if (status != (cases[i].want ? ROOF_E_DATA : ROOF_OK) ||
            (cases[i].want && !strstr(fx_message(&err), cases[i].want)))
            fail_msg("%s: status %d: '%s'", cases[i].name, (int)status, fx_message(&err));
        if (cases[i].want) {
            assert_int_equal(access(sweep_path(own, "p.csv"), F_OK), -1);
            sweep_same(cases[i].name, "p.csv.part", cases[i].bytes, cases[i].length);
        }
    }
    roof_sweep_plan_free(other_plan);
    sweep_remove("other.json");
    sweep_remove("p.csv");
    free(part);
    free(of_other);
    free(bytes);
}

static void a_file_that_another_process_writes_is_left_to_it(void **state)
{
    char path[SWEEP_PATH];
    roof_results_progress done;
    roof_error err = {0};
    (void)state;
    const int fd = open(sweep_path(path, "p.csv.part"), O_CREAT | O_RDWR, 0600);
    assert_true(fd >= 0 && flock(fd, LOCK_EX) == 0); /* as another open file has it */
    assert_int_equal(write_points(plan, "p.csv", false, 0, 0, &done, &err), ROOF_E_IO);
    assert_non_null(strstr(fx_message(&err), "p.csv.part: another process writes it"));
    close(fd);
    assert_int_equal(write_points(plan, "p.csv", false, 0, 0, &done, &err), ROOF_OK);
    sweep_remove("p.csv");
}

/* --- parts ---------------------------------------------------------------------------------------------- */

enum { MOST_PARTS = 25 };

/* Writes all parts, of which shuffled ones are named. */
static void make_parts(const format *f, uint32_t n, char paths[][SWEEP_PATH], const char *names[])
{
    roof_results_progress done;
    roof_error err = {0};
    char name[40];
    for (uint32_t i = 1; i <= n; i++) {
        snprintf(name, sizeof name, "part-%u", i);
        if (write_points(plan, name, f->is_json_lines, i, n, &done, &err) != ROOF_OK)
            fail_msg("part %u of %u: %s", i, n, fx_message(&err));
        names[i * 7 % n] = sweep_path(paths[i - 1], name);
    }
}

static void remove_parts(uint32_t n, char paths[][SWEEP_PATH])
{
    for (uint32_t i = 0; i < n; i++)
        unlink(paths[i]);
}

static void parts_make_the_bytes_of_one_run(void **state)
{
    static const uint32_t counts[] = {1, 2, 3, 8, 18, 25}; /* of 25 some are empty */
    char paths[MOST_PARTS][SWEEP_PATH], to[SWEEP_PATH];
    const char *names[MOST_PARTS];
    roof_error err = {0};
    (void)state;
    for (size_t f = 0; f < COUNT(formats); f++) {
        size_t length;
        char *bytes = points_of(plan, &formats[f], &length);
        for (size_t i = 0; i < COUNT(counts); i++) {
            make_parts(&formats[f], counts[i], paths, names);
            if (roof_results_merge(names, counts[i], plan->identity, sweep_path(to, "all"), NULL, &err) !=
                ROOF_OK)
                fail_msg("%u parts: %s", counts[i], fx_message(&err));
            sweep_same("merged", "all", bytes, length);
            remove_parts(counts[i], paths);
        }
        free(bytes);
        sweep_remove("all");
        sweep_remove(formats[f].name);
    }
}

static void parts_that_do_not_make_a_whole_are_refused(void **state)
{
    enum { PARTS = 3 };
    char paths[MOST_PARTS][SWEEP_PATH], torn[SWEEP_PATH], jsonl[SWEEP_PATH], letter[SWEEP_PATH],
        to[SWEEP_PATH];
    const char *names[MOST_PARTS];
    roof_results_progress done;
    roof_error err = {0};
    size_t length;
    (void)state;
    make_parts(&formats[0], PARTS, paths, names);
    char *third = sweep_bytes("part-3", &length);
    sweep_save("torn", third, length - 1);
    sweep_save("letter", "Dear reader,\n", 13);
    assert_int_equal(write_points(plan, "jsonl", true, 3, 3, &done, &err), ROOF_OK);
    sweep_path(torn, "torn");
    sweep_path(jsonl, "jsonl");
    sweep_path(letter, "letter");
    const struct {
        const char *name, *parts[4], *identity, *want;
    } cases[] = {
        {"one is missing", {paths[0], paths[2]}, NULL, "point 12 follows 5, and those between are in none"},
        {"the first is missing", {paths[1], paths[2]}, NULL, "point 6 follows 0"},
        {"the last is missing", {paths[0], paths[1]}, NULL, "end with point 11 of 18"},
        {"one is there twice", {paths[0], paths[1], paths[1], paths[2]}, NULL, "point 6 is in '"},
        {"one is torn", {paths[0], paths[1], torn}, NULL, "torn: the line is torn"},
        {"one is of another format", {paths[0], paths[1], jsonl}, NULL, "other columns"},
        {"one is a letter", {paths[0], letter}, NULL, "letter: is no file of points"},
        {"of another plan", {paths[0], paths[1], paths[2]}, "0123456789abcdef", "the plan that was named is"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint32_t n = 0;
        while (n < COUNT(cases[i].parts) && cases[i].parts[n])
            n++;
        const roof_status status =
            roof_results_merge(cases[i].parts, n, cases[i].identity, sweep_path(to, "all"), NULL, &err);
        if (status != ROOF_E_DATA || !strstr(fx_message(&err), cases[i].want))
            fail_msg("%s: status %d: '%s', want '%s'", cases[i].name, (int)status, fx_message(&err),
                     cases[i].want);
        assert_int_equal(access(to, F_OK), -1);
    }
    free(third);
    remove_parts(PARTS, paths);
    sweep_remove("torn");
    sweep_remove("letter");
    sweep_remove("jsonl");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_that_is_not_whole_is_told_from_one_that_is),
        cmocka_unit_test(what_is_cut_anywhere_and_gone_on_with_is_the_same_file),
        cmocka_unit_test(a_line_that_was_changed_is_computed_once_more),
        cmocka_unit_test(what_is_there_already_is_left),
        cmocka_unit_test(what_is_of_something_else_is_refused_and_left),
        cmocka_unit_test(a_file_that_another_process_writes_is_left_to_it),
        cmocka_unit_test(parts_make_the_bytes_of_one_run),
        cmocka_unit_test(parts_that_do_not_make_a_whole_are_refused),
    };
    return cmocka_run_group_tests_name("points", tests, read_plan, free_plan);
}
