/* tests/support/onnx_run.h - runs small ONNX networks, so that a test can hold an edited file against the
 * file that it was: convolutions by oneDNN, all else by a loop each.
 *
 * Operators: Conv of two dimensions, Pad of zeroes, Relu, Clip at 0 and 6, Add, Identity, Dropout, Reshape
 * and Flatten. Nodes stand in an order in which they can run; tensors are floats, or whole numbers that are
 * constant.
 */
#ifndef ROOF_TESTS_SUPPORT_ONNX_RUN_H
#define ROOF_TESTS_SUPPORT_ONNX_RUN_H

#include <stddef.h>
#include <stdint.h>

/* Runs the network of the bytes on an input of so many elements. out: malloc'ed, of what the last node makes;
 * the caller frees it. What cannot be run ends the program with a message. */
float *onnx_run(const uint8_t *bytes, size_t size, const float *input, size_t n_input, size_t *n_out);

#endif
