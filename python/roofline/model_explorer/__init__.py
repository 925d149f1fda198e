"""An adapter for Model Explorer: `model-explorer net.onnx --extensions=roofline.model_explorer`."""
