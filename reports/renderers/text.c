/* Tables for people: the verdict, the table, what the totals rest on. Fits the width by dropping columns, never by
 * wrapping. */
#include "reports/renderer.h"

const renderer_def renderer_text = {.id = "text", .paper = PAPER_TERMINAL};
