/* tests/support/onnx_text.h - ONNX models from lines of text, so that a test shows the network that it is of.
 *
 *   opset 17                         of the standard operators; 13 without it
 *   opset my.domain 1
 *   input x float 1,3,224,224        a word among the dimensions leaves that one open
 *   weights w float 64,3,7,7         shape alone, no bytes
 *   values s int64 2 = 1,-1          with its numbers; raw s int64 2 = 1,-1 has them as bytes
 *   declare v float 1,8              a value_info
 *   Conv x,w -> y strides=[2,2] pads=[3,3,3,3] group=1 alpha=0.5 mode="nearest" name=conv1
 *   my.domain:Block x -> y           an empty name is left out: Resize x,,s -> y
 *   output y
 *   function my.domain:Block a,b -> c ... end
 *   graph then_1 ... end             for an attribute then_branch=@then_1
 * An attribute is an integer, a float when it has a dot, a "text", a list of either in [], a tensor as in
 * value={int64 2 = 1,2}, a @graph, or the caller's, as in alpha=&slope. Lines end with ; or a line feed.
 */
#ifndef ROOF_TESTS_SUPPORT_ONNX_TEXT_H
#define ROOF_TESTS_SUPPORT_ONNX_TEXT_H

#include "tests/support/xmodel_writer.h"

/* The bytes are out->data + out->start up to its capacity; the caller frees it with xm_buffer_free. A text
 * that is none of the above ends the program with a message. */
void onnx_text_write(const char *text, xm_buffer *out);

/* The same into a file, with the bytes of weights as zeros where with_weights. False with errno set: it
 * cannot be written. */
bool onnx_text_save(const char *text, bool with_weights, const char *path);

#endif
