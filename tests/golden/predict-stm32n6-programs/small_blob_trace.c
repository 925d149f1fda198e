#include "ll_aton_NN_interface.h"
#include "ll_aton.h"
#include "ll_aton_ec_trace.h"

void trace_ec__ec_blob_tiny_2(void) {
  ec_trace_start_blob("_ec_blob_tiny_2");
  ec_trace_start_epoch(2);
  {
    /* Unit= 28 [NULL_UNIT 0] */
    /* kind=Identity node=Identity_1 */

    /* Dma input bandwidth from memory pools: */
    /* npuRAM3 -> 4096 */

    /* Dma output bandwidth to memory pools: */
    /* npuRAM3 <- 4096 */
  }
  ec_trace_end_epoch(2);
  ec_trace_end_blob("_ec_blob_tiny_2");
}

void trace_ec__ec_blob_tiny_3(void) {
  ec_trace_start_blob("_ec_blob_tiny_3");
  ec_trace_start_epoch(3);
  {
    /* Unit= 28 [NULL_UNIT 0] */
    /* kind=Reshape node=Reshape_2 */

    /* Dma input bandwidth from memory pools: */
    /* npuRAM3 -> 2048 */

    /* Dma output bandwidth to memory pools: */
    /* npuRAM3 <- 2048 */
  }
  ec_trace_end_epoch(3);
  ec_trace_end_blob("_ec_blob_tiny_3");
}

int main () {
  ec_trace_init("small_ecblobs.h", "tiny");
  trace_ec__ec_blob_tiny_2();
  trace_ec__ec_blob_tiny_3();
  ec_trace_all_blobs_done();
}
