/* Tables for people: the verdict, the table, what the totals rest on. Fits the width by dropping columns,
 * never by wrapping. */
#include "reports/renderers/renderer.h"

const renderer_def renderer_text = {"text",
                                    false,
                                    {prediction_put, inspect_put, reconcile_put, compare_put, checks_put},
                                    .has_tables = true,
                                    .has_lines = true};
