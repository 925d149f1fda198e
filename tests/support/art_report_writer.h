/* tests/support/art_report_writer.h - the report of `stedgeai generate` for a network of c_info_writer.h. */
#ifndef ROOF_TESTS_SUPPORT_ART_REPORT_WRITER_H
#define ROOF_TESTS_SUPPORT_ART_REPORT_WRITER_H

#include "tests/support/c_info_writer.h"

/* ARW_LINES: up to ST Edge AI Core 3; ARW_TABLE: since 4.0. */
typedef enum arw_layout { ARW_LINES, ARW_TABLE, ARW_LAYOUTS } arw_layout;

/* Adds the report to the text. Pools hold what the epochs read from and write to them at most at a time. */
void arw_write(const ci_network *network, arw_layout layout, textbuf *out);

#endif
