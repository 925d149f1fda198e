/* tests/support/onnx_text_net.h - a network from lines of text (onnx_text.h), read; fx_close frees it. */
#ifndef ROOF_TESTS_SUPPORT_ONNX_TEXT_NET_H
#define ROOF_TESTS_SUPPORT_ONNX_TEXT_NET_H

#include "tests/support/onnx_text.h"
#include "tests/unit/fixture.h"

static inline fx_net onnx_text_net(const char *text)
{
    fx_net net = {0};
    xm_buffer bytes;
    onnx_text_write(text, &bytes);
    net.size_bytes = bytes.capacity_bytes - bytes.start;
    net.bytes = fx_copy(bytes.data + bytes.start, net.size_bytes);
    xm_buffer_free(&bytes);
    fx_read(&net, "net.onnx");
    return net;
}

#endif
