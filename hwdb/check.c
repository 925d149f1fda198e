/* `roofline hw check`: everything that is wrong with a description, not only the first thing. */
#include "core/error.h"
#include "hwdb/hwdb.h"

#include <stdio.h>
#include <string.h>

struct roof_hw_report {
    hwdb_problems problems; /* its arena owns the report */
    roof_hw *hw;
};

static roof_hw_report *report_new(void)
{
    roof_arena *arena = arena_new(0);
    roof_hw_report *report = arena ? NEW(arena, roof_hw_report) : NULL;
    if (!report) {
        arena_free(arena);
        return NULL;
    }
    report->problems.arena = arena;
    return report;
}

void roof_hw_report_free(roof_hw_report *report)
{
    if (!report)
        return;
    roof_hw_free(report->hw);
    arena_free(report->problems.arena);
}

const roof_hw_problem *roof_hw_report_problem(const roof_hw_report *report, size_t i)
{
    return i < report->problems.n ? &report->problems.items[i] : NULL;
}

const roof_hw *roof_hw_report_hw(const roof_hw_report *report)
{
    return report->hw;
}

/* The values that the family's cycle law cannot do without. */
static void check_family(roof_hw_report *report)
{
    const char *family = roof_hw_family(report->hw), *keys = hwdb_family_keys(family);
    if (!*family)
        hwdb_problem_add(&report->problems, true, "/family",
                         "name the cycle law, such as \"peak\", or extend an entry that does", "is missing");
    else if (!keys)
        hwdb_problem_add(&report->problems, false, "/family", "`roofline formats` names the laws",
                         "no values are demanded of it");
    for (const char *key = keys; key && *key; key += strspn(key, " ")) {
        char name[HWDB_ID_SIZE], pointer[HWDB_ID_SIZE + 16], advice[160];
        const size_t length = strcspn(key, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, key);
        key += length;
        if (roof_hw_get(report->hw, name))
            continue;
        const hwdb_key *known = hwdb_key_find(name);
        snprintf(pointer, sizeof pointer, "/values/%s", name);
        snprintf(advice, sizeof advice, "add it in %s: %s", known ? known->unit : "its unit",
                 known ? known->meaning : "");
        hwdb_problem_add(&report->problems, true, pointer, advice, "is missing, the cycle law needs it");
    }
}

static roof_status check_entry(roof_hw_report *report, const json_node *json, roof_error *err)
{
    hwdb_entry entry;
    hwdb_search search;
    roof_error inner = {0};
    hwdb_entry_read(json, &report->problems, &entry);
    if (hwdb_problems_status(&report->problems, NULL) != ROOF_OK)
        return arena_status(report->problems.arena, err);
    if (!(report->hw = hwdb_hw_new()))
        return error_memory(err);
    roof_status status = hwdb_search_init(&search, err);
    roof_status resolved = status == ROOF_OK ? hwdb_resolve(report->hw, &search, json, 0, &inner) : ROOF_OK;
    if (resolved == ROOF_E_NO_MEMORY)
        status = error_memory(err);
    else if (resolved != ROOF_OK)
        hwdb_problem_add(&report->problems, true, inner.where[0] ? inner.where : "/extends", "", "%s",
                         inner.what);
    else if (status == ROOF_OK && !entry.is_abstract)
        check_family(report);
    hwdb_search_free(&search);
    if (hwdb_problems_status(&report->problems, NULL) != ROOF_OK) {
        roof_hw_free(report->hw);
        report->hw = NULL;
    }
    TRY(arena_status(report->problems.arena, err));
    return status;
}

roof_status roof_hw_check(const char *path, roof_hw_report **out, roof_error *err)
{
    json_node *json = NULL;
    roof_hw_report *report = report_new();
    *out = NULL;
    if (!report)
        return error_memory(err);
    roof_status status = json_read(path, &json, err);
    if (status == ROOF_OK)
        status = check_entry(report, json, err);
    json_free(json);
    if (status == ROOF_OK)
        *out = report;
    else
        roof_hw_report_free(report);
    return status;
}
