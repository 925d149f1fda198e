/* GitHub-flavoured tables, for reviews and issues. Names are shown whole, in code spans. */
#include "reports/renderer.h"

const renderer_def renderer_markdown = {.id = "markdown", .paper = PAPER_MARKDOWN};
