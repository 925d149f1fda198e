/* tests/support/onnx_networks.h - published networks as text for onnx_text.h, weights as shapes alone.
 *
 * ResNet-50 of He et al., "Deep Residual Learning" (2015), with the stride in the 3 x 3 convolution (v1.5):
 * 4,089,184,256 MACs; ResNet-18 of the same, its nodes named by their places, as PyTorch's exporter did:
 * 1,814,073,344 MACs an image; MobileNetV2 of Sandler et al. (2018): 300,774,272 MACs; Inception-v4 of
 * Szegedy et al. (2016), its nodes named as in TensorFlow's library of models: 12.3 thousand million.
 */
#ifndef ROOF_TESTS_SUPPORT_ONNX_NETWORKS_H
#define ROOF_TESTS_SUPPORT_ONNX_NETWORKS_H

#include "core/text.h"

void onnx_resnet50(textbuf *text);
void onnx_resnet50_by_modules(textbuf *text); /* the same, with the names of Hugging Face's exports */
void onnx_resnet18(textbuf *text, unsigned batch);
void onnx_mobilenetv2(textbuf *text);
void onnx_inception_v4(textbuf *text);

#endif
