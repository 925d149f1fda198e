/* tests/unit/sweep_fixture.h - plans in a folder of the test, beside the models of examples/, and files as
 * bytes. */
#ifndef ROOF_TESTS_SWEEP_FIXTURE_H
#define ROOF_TESTS_SWEEP_FIXTURE_H

#include "roofline/results.h"
#include "tests/unit/fixture.h"
#include "tests/unit/folder.h"

/* Two models that are predicted and one that is not, three devices, two clocks: 18 points. @ is examples/. */
#define SWEEP_PLAN                                                                                           \
    "{\"schema\": \"roofline.sweep/1\",\n"                                                                   \
    " \"models\": [\"@/models/mobilenetv1-b4096.xmodel\", {\"path\": \"@/models/mobilenetv1.tflite\"},\n"    \
    "   \"@/kv260/README.md\"],\n"                                                                           \
    " \"devices\": [\"kv260\", \"mac=2048/cycle,clock=300MHz,ddr=19.2GB/s\", \"npu2\"],\n"                   \
    " \"clocks\": [\"200MHz\", \"300MHz\"]}\n"
enum { SWEEP_POINTS = 18, SWEEP_PATH = 200 };

static inline const char *sweep_path(char path[SWEEP_PATH], const char *name)
{
    snprintf(path, SWEEP_PATH, "%s/%s", folder, name);
    return path;
}

static inline void sweep_save(const char *name, const char *bytes, size_t length)
{
    char path[SWEEP_PATH];
    FILE *file = fopen(sweep_path(path, name), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* text: @ is the folder of examples. */
static inline void sweep_save_plan(const char *name, const char *text)
{
    char filled[4000];
    size_t used = 0;
    for (; *text; text++)
        used += *text == '@' ? (size_t)snprintf(filled + used, sizeof filled - used, "%s/examples",
                                                getenv("ROOFLINE_SOURCE_DIR"))
                             : (size_t)snprintf(filled + used, sizeof filled - used, "%c", *text);
    assert_true(used < sizeof filled);
    sweep_save(name, filled, used);
}

/* Freed by the caller; NULL: it is not there. */
static inline char *sweep_bytes(const char *name, size_t *length)
{
    char path[SWEEP_PATH];
    FILE *file = fopen(sweep_path(path, name), "r");
    if (!file)
        return NULL;
    char *bytes = NULL;
    size_t room = 0;
    ssize_t n = getdelim(&bytes, &room, '\0', file); /* there is no NUL in it */
    *length = n < 0 ? 0 : (size_t)n;
    fclose(file);
    return bytes;
}

static inline void sweep_same(const char *what, const char *name, const char *bytes, size_t length)
{
    size_t got = 0;
    char *own = sweep_bytes(name, &got);
    if (!own || got != length || memcmp(own, bytes, length) != 0)
        fail_msg("%s: '%s' has %zu other bytes, want %zu", what, name, got, length);
    free(own);
}

static inline roof_sweep_plan *sweep_plan(const char *name)
{
    char path[SWEEP_PATH];
    roof_sweep_plan *plan = NULL;
    roof_error err = {0};
    if (roof_sweep_plan_read(sweep_path(path, name), &plan, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return plan;
}

static inline void sweep_remove(const char *name)
{
    char path[SWEEP_PATH];
    unlink(sweep_path(path, name));
}

#endif
