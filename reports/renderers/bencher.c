/* The newest runs of a history as Bencher reads them with its adapter `json`. */
#include "reports/renderers/renderer.h"

const renderer_def renderer_bencher = {.id = "bencher", .own = {{trends_bencher, ROOF_DOCUMENT_TRENDS}}};
