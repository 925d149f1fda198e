"""An ONNX file with one convolution and an initializer of many bytes that no node reads: a hole, which takes no disk."""


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
