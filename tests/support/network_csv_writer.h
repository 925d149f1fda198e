/* tests/support/network_csv_writer.h - what the Neural-ART compiler writes with --csv-file, for a network of
 * c_info_writer.h. */
#ifndef ROOF_TESTS_SUPPORT_NETWORK_CSV_WRITER_H
#define ROOF_TESTS_SUPPORT_NETWORK_CSV_WRITER_H

#include "tests/support/c_info_writer.h"

enum { CSVW_POOLS = 16 }; /* of a network, at most */

/* Adds the table to the text: no ports, no power. */
void csvw_write(const ci_network *n, textbuf *text);

#endif
