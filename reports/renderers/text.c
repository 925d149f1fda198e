/* Tables for people: verdict, table, what the totals rest on. Drops columns to fit, never wraps. */
#include "reports/renderers/renderer.h"

const renderer_def renderer_text = {"text",
                                    false,
                                    {prediction_put, inspect_put, reconcile_put, compare_put, checks_put,
                                     predictions_put, siblings_put, periodic_put, configurations_put,
                                     curve_put, trends_put, advice_put},
                                    .has_tables = true,
                                    .has_lines = true};
