/* reports/words/cause_words.h - the sentences of causes, of predictions and of reconciliations, and their
 * lines beside a table.
 *
 * Ownership: sentences write to a buffer of their caller; texts of lines belong to the arena of the lines.
 */
#pragma once

#include "core/table/writer.h"
#include "model/predict/cause_facts.h"
#include "reports/words/say.h"
#include "roofline/render.h"

/* "16 conv+eltwise layers", "10 layers with 56x56 outputs". */
void cause_say_layers(sentence *s, const roof_cause *cause);

/* "16 conv+eltwise layers: 2.52x their limit together, ...": where, and why. */
void cause_say(sentence *s, const roof_cause *cause, const cause_names *names);

/* Words before a gain that say what it rests on: "at most 1.2 ms", "about 1.2 ms". */
const char *cause_gain_before(const roof_cause *cause);

/* "Next: `roofline advise net.onnx --hw kv260` ranks edits; twice the speed of the ALU saves 1.2 ms (10 %).":
 * the step that the first of them asks for. */
void causes_say_todo(sentence *s, const roof_cause *causes, uint32_t n, const cause_names *names);

/* The causes of one prediction, or of one experiment. */
typedef struct cause_source {
    const roof_cause *causes;
    uint32_t n;
    const char *model; /* "": there is only one */
    cause_names names;
} cause_source;

/* Adds the first `most` causes of all sources, and how many are left out; 0: all, each with what to do. */
void cause_lines_add(const cause_source *sources, uint32_t n, uint32_t most, remarks *lines);

/* ---- finding_groups.c: findings, those of a kind together, what makes numbers wrong first ---- */

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
