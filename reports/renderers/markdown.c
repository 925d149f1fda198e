/* GitHub-flavoured tables, for reviews and issues. Names are shown whole, in code spans. */
#include "reports/renderers/renderer.h"

const renderer_def renderer_markdown = {"markdown",
                                        true,
                                        {prediction_put, inspect_put, reconcile_put, compare_put, checks_put,
                                         predictions_put, siblings_put, periodic_put, configurations_put,
                                         curve_put, trends_put, advice_put},
                                        .has_tables = true,
                                        .has_lines = true};
