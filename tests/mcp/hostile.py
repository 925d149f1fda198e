"""Clients that mean no good: each line has the answer that a table says, the server goes on, and nothing outside of its
folders is read or written.
   hostile.py PROGRAM MODEL CORPUS WORK"""
import json
import os
import random
import shutil
import sys

from mcp_client import Server, skip_without_landlock

MOST = 1 << 20
DENIED = "Permission denied"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def ping(**changes):
    return json.dumps({**PING, **changes})


# name, what is sent without its end, the code of the error; None: no answer, 0: a result
LINES = [
    ("a blank line", "", None),
    ("spaces and a carriage return", "  \r", None),
    ("a line with a carriage return", ping() + "\r", 0),
    ("no JSON", "hello", -32700),
    ("half a message", ping()[:30], -32700),
    ("two messages on a line", ping() + ping(), -32700),
    ("bytes that are no UTF-8", b'{"jsonrpc":"2.0","id":"\xff","method":"ping"}', -32700),
    ("a NUL byte", b'{"jsonrpc":"2.0","id":1,\x00"method":"ping"}', -32700),
    ("a key twice", '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32700),
    ("100 levels", ping(params={"a": 0}).replace("0}", "[" * 100 + "]" * 100 + "}"), -32700),
    ("100,000 levels", "[" * 100000, -32700),
    ("a batch", "[" + ping() + "]", -32600),
    ("no object", "7", -32600),
    ("another JSON-RPC", ping(jsonrpc="1.0"), -32600),
    ("an id of 300 bytes", ping(id="i" * 300), -32600),
    ("an id of 10^400", ping().replace('"id": 1', '"id": 1' + "0" * 400), -32700),
    ("an id past 2^53", ping(id=(1 << 53) + 2), -32600),
    ("an id that is a fraction", ping(id=1.5), -32600),
    ("an id that is null", ping(id=None), -32600),
    ("an id that is an object", ping(id={}), -32600),
    ("the largest id", ping(id=1 << 53), 0),
    ("the least id", ping(id=-(1 << 53)), 0),
    ("an id with line ends", ping(id="a\nb\u2028\x1b"), 0),
    ("no method", json.dumps({"jsonrpc": "2.0", "id": 1}), -32600),
    ("a method that is a number", ping(method=1), -32600),
    ("an unknown method", ping(method="tools/destroy"), -32601),
    ("a method of 100 kB", ping(method="m" * 100000), -32601),
    ("parameters that are an array", ping(params=[1]), -32602),
    ("an unknown tool", ping(method="tools/call", params={"name": "report"}), -32602),
    ("a tool that is no text", ping(method="tools/call", params={"name": 1}), -32602),
    ("arguments that are no object", ping(method="tools/call", params={"name": "predict", "arguments": "x"}), -32602),
    ("no version", ping(method="initialize", params={}), -32602),
    ("an unknown version", ping(method="initialize", params={"protocolVersion": "1999-01-01"}), 0),
    ("an unknown resource", ping(method="resources/read", params={"uri": "file:///etc/passwd"}), -32002),
    ("a device that is a path", ping(method="resources/read", params={"uri": "roofline://hardware/../secret"}), -32002),
    ("a device that is an option", ping(method="resources/read", params={"uri": "roofline://hardware/--help"}), -32002),
    ("a notification of an unknown method", '{"jsonrpc":"2.0","method":"tools/call"}', None),
    ("an answer that nobody asked for", '{"jsonrpc":"2.0","id":1,"result":{}}', None),
    ("just short enough", ping(method="ping", params={"a": "x" * (MOST - 100)}), 0),
    ("a line of 1 MiB and more", "x" * (MOST + 1), -32600),
    ("a line of 100 MB", b"x" * 100_000_000, -32600),
]


def tool_calls(folder):
    """name, tool, arguments, a word of what is said; each fails, and says why."""
    return [
        ("an unknown argument", "predict", {"files": ["net.json"], "colour": "red"}, "no argument of this tool"),
        ("an option that writes", "predict", {"files": ["net.json"], "annotate": "x.onnx"}, "no argument"),
        ("an output", "predict", {"files": ["net.json"], "output": "x"}, "no argument"),
        ("a calibration to be written", "reconcile", {"files": ["net.json"], "calibration-out": "x"}, "no argument"),
        ("a chart", "predict", {"files": ["net.json"], "chart": "x.svg"}, "no argument"),
        ("an argument with a line end", "predict", {"files": ["net.json"], "a\nb\x1b": 1}, "no argument"),
        ("files that are a text", "predict", {"files": "net.json"}, "want an array"),
        ("files that are numbers", "predict", {"files": [1]}, "want texts"),
        ("too many files", "predict", {"files": ["net.json"] * 65}, "want an array of 0 to 64"),
        ("no files", "check", {"budget": "net.json"}, "want an array of 1 to 64"),
        ("a flag that is a text", "predict", {"files": ["net.json"], "hash": "yes"}, "want true or false"),
        ("a count that is a text", "predict", {"files": ["net.json"], "cores": "2"}, "want a whole number"),
        ("a count of 1e300", "predict", {"files": ["net.json"], "batch": 1e300}, "--batch"),
        ("a list that is a text", "explain", {"files": ["net.json"], "measured": "1ms"}, "want an array"),
        ("too long a list", "explain", {"files": ["net.json"], "measured": ["1ms"] * 500}, "many"),
        ("standard input", "predict", {"files": ["-"]}, "not in the folders"),
        ("an option in place of a file", "predict", {"files": ["--help"]}, "not in the folders"),
        ("an empty name", "predict", {"files": [""]}, ""),
        ("a name with a line end", "predict", {"files": ["a\nb\x1b[31m.onnx"]}, "not in the folders"),
        ("a name of 100 kB", "predict", {"files": ["n" * 100000]}, "not in the folders"),
        ("an absolute path", "predict", {"files": ["/etc/passwd"]}, "not in the folders"),
        ("a path that is above", "predict", {"files": ["../secret.json"]}, "not in the folders"),
        ("a path above by a folder", "predict", {"files": ["sub/../../secret.json"]}, "not in the folders"),
        ("a folder whose name begins alike", "predict", {"files": ["../room-2/secret.json"]}, "not in the folders"),
        ("a link to what is outside", "predict", {"files": ["link.json"]}, "not in the folders"),
        ("a link to a folder outside", "predict", {"files": ["out/secret.json"]}, "not in the folders"),
        ("a path below a file", "predict", {"files": ["net.json/x"]}, "not in the folders"),
        ("hardware outside", "predict", {"files": ["net.json"], "hw": "../secret.json"}, "not in the folders"),
        ("hardware outside by its list", "predict", {"files": ["net.json"], "hw": "kv260,../secret.json"}, ""),
        ("an option's file outside", "check", {"files": ["net.json"], "budget": "../secret.json"}, "not in the folders"),
        # names that the server cannot know for names: the kernel denies them
        ("a file among times", "predict", {"files": ["net.onnx"], "hw": "coral", "at": "../other.onnx=5ms"}, DENIED),
        ("a whole path among times", "predict",
         {"files": ["net.onnx"], "hw": "coral", "at": folder + "/other.onnx=5ms"}, DENIED),
        ("a file that a model names", "predict", {"files": ["index/model.safetensors.index.json"], "hw": "npu2"}, DENIED),
        ("a FIFO", "inspect", {"files": ["fifo"]}, ""),
        ("a device", "inspect", {"files": ["/dev/zero"]}, "not in the folders"),
    ]


def make_folders(work, model):
    """room is the server's; secret.json beside it is nobody's business."""
    shutil.rmtree(work, ignore_errors=True)
    room = os.path.join(work, "room")
    for name in ("room/sub", "room/index", "room-2"):
        os.makedirs(os.path.join(work, name))
    secret = '{"SECRET-WORD": 1}'
    texts = {"secret.json": secret, "room-2/secret.json": secret,
             "room/net.json": '{"model_type": "llama"}',
             "room/index/model.safetensors.index.json":
                 '{"metadata": {"total_size": 4}, "weight_map": {"a": "weights.safetensors"}}'}
    for name, text in texts.items():
        with open(os.path.join(work, name), "w", encoding="utf-8") as out:
            out.write(text)
    for name in ("room/net.onnx", "other.onnx"):
        shutil.copy(model, os.path.join(work, name))
    os.symlink("../secret.json", os.path.join(room, "link.json"))
    os.symlink("..", os.path.join(room, "out"))
    os.symlink("../../secret.json", os.path.join(room, "index", "weights.safetensors"))
    os.mkfifo(os.path.join(room, "fifo"))
    return room


def all_of(work):
    return sorted((os.path.join(folder, name), os.lstat(os.path.join(folder, name)).st_mtime_ns)
                  for folder, _, names in os.walk(work) for name in names)


def check_lines(server):
    for name, line, code in LINES:
        server.send((line if isinstance(line, bytes) else line.encode()) + b"\n")
        if code is not None:
            answer = server.hear()
            got = answer["error"]["code"] if "error" in answer else 0
            assert got == code, (name, answer)
            assert len(json.dumps(answer)) < 4000 and set(answer) <= {"jsonrpc", "id", "result", "error"}, name
        assert server.ask("ping")["result"] == {}, name


def check_calls(server, work):
    for name, tool, arguments, said in tool_calls(work):
        result = server.call(tool, **arguments)
        text = result["content"][0]["text"]
        assert result["isError"] is True and said in text and text, (name, result)
        assert "SECRET-WORD" not in json.dumps(result), (name, result)
        assert "\x1b" not in text, (name, text)


def check_mutants(server, corpus, n):
    """Damaged messages: whatever comes back is an answer of one line, and a ping is still answered."""
    rng = random.Random(7)
    seeds = [open(os.path.join(corpus, name), "rb").read() for name in sorted(os.listdir(corpus))]
    for i in range(n):
        line = bytearray(rng.choice(seeds))
        for _ in range(rng.randrange(1, 6)):
            at = rng.randrange(len(line) + 1)
            line[at:at + rng.randrange(3)] = rng.choice([b"", b"\"", b"{", b"]", b"9", bytes([rng.randrange(256)])])
        server.send(bytes(line).replace(b"\n", b" ") + b"\n" + ping(id="m%d" % i).encode() + b"\n")
        answers = [server.hear()]
        while answers[-1].get("id") != "m%d" % i:
            answers.append(server.hear())
        assert len(answers) <= 2, answers


def main(program, model, corpus, work):
    room = make_folders(work, model)
    before = all_of(work)
    server = Server(program, "room", cwd=work)
    check_lines(server)
    check_calls(server, work)
    check_mutants(server, corpus, 3000)
    server.send(ping(id="the end")[:-1])  # half a line, and then nothing more
    rest, messages, exit_code = server.close()
    assert json.loads(rest)["error"]["code"] == -32700 and exit_code == 0 and messages == "", (rest, messages)
    assert all_of(work) == before, "something was written"
    reads = Server(program, "room", "room-2", cwd=work)  # what is named is read, in any of the folders
    assert reads.call("inspect", files=["secret.json"])["content"][0]["text"].count("room-2/secret.json")
    reads.close()
    os.remove(os.path.join(room, "fifo"))
    return 0


skip_without_landlock(sys.argv[1])
sys.exit(main(*sys.argv[1:]))
