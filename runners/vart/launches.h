/* runners/vart/launches.h - when the device was started and when it was done, seen on the way from VART to
 * XRT.
 *
 * VART starts a DPU with xclExecBuf and waits for it with xclExecWait. Our own functions of these names come
 * first in the order in which a program's symbols are found, look at the clock, and go on to XRT's. In debug
 * mode that is once for each layer.
 * Units: seconds; cycles of the clock of the DPU's AXI interface.
 */
#ifndef ROOF_RUNNERS_LAUNCHES_H
#define ROOF_RUNNERS_LAUNCHES_H

#include <stdbool.h>
#include <stdint.h>

/* From now on: launches are counted, and the times of the first `room` of them kept, each NaN until it was
 * waited for. With more than one thread there must be no room. counts: in place of times the cycles that the
 * device counts, as VART reads them from its registers when XLNX_SHOW_DPU_COUNTER is 1. */
void launches_watch(double *times_s, uint32_t room, bool counts);

/* How many there were. */
uint32_t launches_seen(void);

#endif
