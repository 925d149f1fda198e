/* `roofline hw check`: everything that is wrong with a description, not only the first thing. */
#include "hwdb/hwdb.h"

struct roof_hw_report {
    hwdb_problems problems; /* its arena owns the report */
    roof_hw *hw;
};

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

/* The values that the family's cost model cannot do without. */
static void check_family(roof_hw_report *report)
{
    const char *family = roof_hw_family(report->hw), *keys = hwdb_family_keys(family);
    if (!*family)
        hwdb_problem_add(&report->problems, true, "/family",
                         "name the cost model, such as \"peak\", or extend an entry that does", "is missing");
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
        hwdb_problem_add(&report->problems, true, pointer, advice, "is missing, the cost model needs it");
    }
}

static roof_status check_entry(roof_hw_report *report, const hwdb_entry *entry, roof_error *err)
{
    hwdb_search search;
    roof_error inner = {0};
    if (!(report->hw = hwdb_hw_new()))
        return error_memory(err);
    TRY(hwdb_search_init(&search, report->hw->arena, err));
    roof_status resolved = hwdb_resolve(report->hw, &search, entry, 0, &inner);
    if (resolved == ROOF_E_NO_MEMORY)
        return error_memory(err);
    if (resolved != ROOF_OK)
        hwdb_problem_add(&report->problems, true, inner.where[0] ? inner.where : "/extends", "", inner.what);
    else if (!entry->is_abstract)
        check_family(report);
    return ROOF_OK;
}

roof_status roof_hw_check(const char *path, roof_hw_report **out, roof_error *err)
{
    const hwdb_document document = {.path = path, .place = path};
    hwdb_entry entry;
    roof_arena *arena;
    roof_hw_report *report = NEW_ROOT(&arena, roof_hw_report, err);
    *out = NULL;
    if (!report)
        return ROOF_E_NO_MEMORY;
    report->problems.arena = arena;
    roof_status status = hwdb_entry_read(&document, &report->problems, &entry, err);
    if (status == ROOF_OK && hwdb_problems_status(&report->problems, NULL) == ROOF_OK)
        status = check_entry(report, &entry, err);
    THEN(status, arena_status(report->problems.arena, err));
    if (status == ROOF_OK && hwdb_problems_status(&report->problems, NULL) != ROOF_OK) {
        roof_hw_free(report->hw);
        report->hw = NULL;
    }
    return GIVE(status, out, report, roof_hw_report_free);
}
