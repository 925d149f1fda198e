#include "ll_aton_NN_interface.h"
#include "ll_aton.h"

void trace_ec__ec_blob_2(void) {
  ec_trace_start_blob("_ec_blob_2");
  ec_trace_start_epoch(2);
  {
  /* Unit= 10 [CONV_ACC_V2 0] */
  /* kind=Conv node=Conv2D_2 */
  static const LL_Convacc_InitTypeDef Conv2D_2_init = {
    .simd = 1,
    .fsub = -4,
    .afilt_mode = AFILT_MODE_FRAMEZERO,
    .nKernels = 8,
  };

  /* Unit=CONV_ACC_V2 */

  /* Unit= 10 [CONV_ACC_V2 1] */
  /* kind=Conv node=Conv2D_2_ca_pipe_1 */
  static const LL_Convacc_InitTypeDef Conv2D_2_ca_pipe_1_init = {
    .simd = 1,
    .fsub = -4,
    .afilt_mode = AFILT_MODE_FRAMEZERO,
    .nKernels = 8,
  };

  /* Unit=CONV_ACC_V2 */

  /* Unit= 10 [ARITH_ACC_V2 0] */
  /* kind=Mul node=Conv2D_2_mul_scale */

  /* Unit= 10 [ARITH_ACC_V2 1] */
  /* kind=Add node=Conv2D_2_off_bias */

  /* Unit= 3 [STREAM_ENG_V2 3] */
  /* Emit conf for STREAM_ENG_V2 node=n input ports=0 range=0[0,65536] */

  static const LL_Streng_TensorInitTypeDef n_dma_init = {
    .dir = 0,
    .raw = 1,
    .addr_base = {(unsigned char *)(0x20000000UL) /* Equivalent hex address = 0x20000000UL */}, /* n */
    .offset_start = 0,
    .offset_end = 65536,
    .fwidth = 0,
    .fheight = 0,
    .batch_depth = 0,
    .frame_tot_cnt = 1,
    .nbits_in = 8,
    .nbits_out = 8,
  };

  /* Dma input bandwidth from memory pools: */
  /* npuRAM5 -> 49152 */
  /* octoFlash -> 4608 */

  /* Dma output bandwidth to memory pools: */
  /* npuRAM4 <- 131072 */

  }
  {
  }
  ec_trace_end_epoch(2);
  ec_trace_start_epoch(3);
  {
  /* Unit= 10 [CONV_ACC_V2 0] */
  /* kind=Conv node=Conv2D_3 */
  static const LL_Convacc_InitTypeDef Conv2D_3_init = {
    .simd = 0,
    .fsub = -4,
    .afilt_mode = AFILT_MODE_FRAMEZERO,
    .nKernels = 8,
  };

  /* Unit=CONV_ACC_V2 */

  /* Unit= 3 [STREAM_ENG_V2 3] */
  /* Emit conf for STREAM_ENG_V2 node=n input ports=0 range=0[0,32768] */

  static const LL_Streng_TensorInitTypeDef n_dma_init = {
    .dir = 0,
    .raw = 1,
    .addr_base = {(unsigned char *)(0x20000000UL) /* Equivalent hex address = 0x20000000UL */}, /* n */
    .offset_start = 0,
    .offset_end = 32768,
    .fwidth = 0,
    .fheight = 0,
    .batch_depth = 0,
    .frame_tot_cnt = 1,
    .nbits_in = 8,
    .nbits_out = 8,
  };

  /* Dma input bandwidth from memory pools: */
  /* npuRAM5 -> 65536 */
  /* octoFlash -> 3600 */

  /* Dma output bandwidth to memory pools: */
  /* npuRAM5 <- 32768 */

  }
  {
  }
  ec_trace_end_epoch(3);
  ec_trace_end_blob("_ec_blob_2");
}

int main () {
  ec_trace_init("tiny_ecblobs.h", "tiny");
  ec_trace_all_blobs_done();
}
