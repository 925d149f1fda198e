/* reports/words/finding_groups.h - findings for people: those of a kind together, what makes numbers wrong
 * first.
 *
 * Ownership: texts are borrowed, the list is the arena's, which remembers that memory ran out.
 */
#ifndef ROOF_REPORTS_WORDS_FINDING_GROUPS_H
#define ROOF_REPORTS_WORDS_FINDING_GROUPS_H

#include "core/arena.h"
#include "core/table/writer.h"
#include "roofline/render.h"

typedef struct found {
    roof_finding_kind kind;
    const char *model, *layer; /* NULL: all */
    const char *text;
    uint64_t count; /* findings that it stands for */
} found;

typedef struct finding_groups {
    roof_arena *arena;
    found *items;
    size_t n;
    uint64_t counts[ROOF_FINDING_COUNT], total;
    bool has_few_notes; /* of notes only the first kinds are shown, where not all findings are */
} finding_groups;

/* model: NULL where there is one; count: findings that it stands for. */
void finding_groups_add(finding_groups *groups, const roof_finding *finding, const char *model,
                        uint64_t count);

/* A line a kind with count and first layers; with options->all_findings and as Markdown all, and advice. */
void finding_groups_put(const finding_groups *g, const text_writer *p, const roof_render_options *options);

#endif
