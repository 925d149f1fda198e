module {
  aie.device(npu2_4col) {
    %tile_0_0 = aie.tile(0, 0)
    %tile_0_1 = aie.tile(0, 1)
    aie.objectfifo @A_0(%tile_0_0, {%tile_0_1}, 2 : i32) : !aie.objectfifo<memref<64xi8>>
    aie.objectfifo @B_0(%tile_0_0, {%tile_0_1}, 2 : i32) : !aie.objectfifo<memref<64xi8>>
    aie.objectfifo @C_0(%tile_0_1, {%tile_0_0}, 2 : i32) : !aie.objectfifo<memref<64xi8>>
    %tile_1_0 = aie.tile(1, 0)
    %tile_1_1 = aie.tile(1, 1)
    aie.objectfifo @A_1(%tile_1_0, {%tile_1_1}, 2 : i32) : !aie.objectfifo<memref<64xi8>>
    aie.objectfifo @B_1(%tile_1_0, {%tile_1_1}, 2 : i32) : !aie.objectfifo<memref<64xi8>>
    aie.objectfifo @C_1(%tile_1_1, {%tile_1_0}, 2 : i32) : !aie.objectfifo<memref<64xi8>>
    %tile_2_0 = aie.tile(2, 0)
    %tile_2_1 = aie.tile(2, 1)
    aie.objectfifo @A_2(%tile_2_0, {%tile_2_1}, 2 : i32) : !aie.objectfifo<memref<64xi8>>
    aie.objectfifo @B_2(%tile_2_0, {%tile_2_1}, 2 : i32) : !aie.objectfifo<memref<64xi8>>
    aie.objectfifo @C_2(%tile_2_1, {%tile_2_0}, 2 : i32) : !aie.objectfifo<memref<64xi8>>
    %tile_3_0 = aie.tile(3, 0)
    %tile_3_1 = aie.tile(3, 1)
    aie.objectfifo @A_3(%tile_3_0, {%tile_3_1}, 2 : i32) : !aie.objectfifo<memref<64xi8>>
    aie.objectfifo @B_3(%tile_3_0, {%tile_3_1}, 2 : i32) : !aie.objectfifo<memref<64xi8>>
    aie.objectfifo @C_3(%tile_3_1, {%tile_3_0}, 2 : i32) : !aie.objectfifo<memref<64xi8>>
    aiex.runtime_sequence(%arg0: memref<1024x512xi8>, %arg1: memref<512x1024xi8>, %arg2: memref<1024x1024xi8>) {
      aiex.npu.dma_memcpy_nd(0, 0, %arg0[0, 0, 0, 0][4, 1, 1, 131072][0, 0, 0, 1]) {id = 1 : i64, metadata = @A_0} : memref<131072xi8>
      aiex.npu.dma_memcpy_nd(0, 0, %arg1[0, 0, 0, 0][8, 1, 1, 131072][0, 0, 0, 1]) {id = 1 : i64, metadata = @B_0} : memref<131072xi8>
      aiex.npu.dma_memcpy_nd(0, 0, %arg2[0, 0, 0, 0][1, 1, 1, 262144][0, 0, 0, 1]) {id = 1 : i64, metadata = @C_0} : memref<262144xi8>
      aiex.npu.dma_memcpy_nd(0, 0, %arg0[0, 0, 0, 0][4, 1, 1, 131072][0, 0, 0, 1]) {id = 1 : i64, metadata = @A_1} : memref<131072xi8>
      aiex.npu.dma_memcpy_nd(0, 0, %arg1[0, 0, 0, 0][8, 1, 1, 131072][0, 0, 0, 1]) {id = 1 : i64, metadata = @B_1} : memref<131072xi8>
      aiex.npu.dma_memcpy_nd(0, 0, %arg2[0, 0, 0, 0][1, 1, 1, 262144][0, 0, 0, 1]) {id = 1 : i64, metadata = @C_1} : memref<262144xi8>
      aiex.npu.dma_memcpy_nd(0, 0, %arg0[0, 0, 0, 0][4, 1, 1, 131072][0, 0, 0, 1]) {id = 1 : i64, metadata = @A_2} : memref<131072xi8>
      aiex.npu.dma_memcpy_nd(0, 0, %arg1[0, 0, 0, 0][8, 1, 1, 131072][0, 0, 0, 1]) {id = 1 : i64, metadata = @B_2} : memref<131072xi8>
      aiex.npu.dma_memcpy_nd(0, 0, %arg2[0, 0, 0, 0][1, 1, 1, 262144][0, 0, 0, 1]) {id = 1 : i64, metadata = @C_2} : memref<262144xi8>
      aiex.npu.dma_memcpy_nd(0, 0, %arg0[0, 0, 0, 0][4, 1, 1, 131072][0, 0, 0, 1]) {id = 1 : i64, metadata = @A_3} : memref<131072xi8>
      aiex.npu.dma_memcpy_nd(0, 0, %arg1[0, 0, 0, 0][8, 1, 1, 131072][0, 0, 0, 1]) {id = 1 : i64, metadata = @B_3} : memref<131072xi8>
      aiex.npu.dma_memcpy_nd(0, 0, %arg2[0, 0, 0, 0][1, 1, 1, 262144][0, 0, 0, 1]) {id = 1 : i64, metadata = @C_3} : memref<262144xi8>
      aiex.npu.dma_wait {symbol = @C_0}
    }
  }
}
