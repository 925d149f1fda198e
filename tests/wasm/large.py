"""Files with many bytes of weights, which are a hole and take no disk: an ONNX file with one convolution, the header of a safetensors
file with one tensor, and an .xmodel whose graph has a large attribute."""
import json
import math


def varint(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def text(number, body):
    return varint(number << 3 | 2) + varint(len(body)) + body


def whole(number, n):
    return varint(number << 3) + varint(n)


def tensor(name, *dims):
    return b"".join(whole(1, d) for d in dims) + whole(2, 1) + text(8, name)


def value(name, *dims):
    shape = b"".join(text(1, whole(1, d)) for d in dims)
    return text(1, name) + text(2, text(1, whole(1, 1) + text(2, shape)))


def write_onnx(path, n_bytes):
    node = text(1, b"x") + text(1, b"w") + text(2, b"y") + text(4, b"Conv")
    before = text(1, node) + text(2, b"large") + text(5, tensor(b"w", 64, 64, 1, 1) + text(9, bytes(4 * 64 * 64)))
    head = tensor(b"ballast", n_bytes // 4) + varint(9 << 3 | 2) + varint(n_bytes)
    before += varint(5 << 3 | 2) + varint(len(head) + n_bytes) + head
    after = text(11, value(b"x", 1, 64, 56, 56)) + text(12, value(b"y", 1, 64, 56, 56))
    with open(path, "wb") as out:
        out.write(whole(1, 8) + text(8, whole(2, 13)) + varint(7 << 3 | 2) + varint(len(before) + n_bytes + len(after)) + before)
        out.seek(n_bytes, 1)
        out.write(after)


def write_safetensors(path, n_bytes):
    """A decoder of one layer, whose embedding is large."""
    shapes = {"embed_tokens": [n_bytes // 1024, 1024], "norm": [1024]}
    shapes |= {f"layers.0.self_attn.{name}_proj": [1024, 1024] for name in "qkvo"}
    shapes |= {f"layers.0.mlp.{name}_proj": [1024, 1024] for name in ("gate", "up", "down")}
    shapes |= {f"layers.0.{name}_layernorm": [1024] for name in ("input", "post_attention")}
    header, at = {}, 0
    for name, shape in shapes.items():
        end = at + math.prod(shape)
        header[f"model.{name}.weight"], at = {"dtype": "I8", "shape": shape, "data_offsets": [at, end]}, end
    written = json.dumps(header).encode()
    with open(path, "wb") as out:
        out.write(len(written).to_bytes(8, "little") + written)
        out.truncate(8 + len(written) + at)


def write_xmodel(path, small, n_bytes):
    """A compiled model, in front of which the graph has one attribute more, of many bytes."""
    inner = varint(1 << 3 | 2) + varint(n_bytes)
    held = varint(12 << 3 | 2) + varint(len(inner) + n_bytes) + inner
    entry = text(1, b"ballast") + varint(2 << 3 | 2) + varint(len(held) + n_bytes) + held
    with open(path, "wb") as out:
        out.write(varint(11 << 3 | 2) + varint(len(entry) + n_bytes) + entry)
        out.seek(n_bytes, 1)
        out.write(small)
