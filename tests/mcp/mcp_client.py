"""A scripted client of `roofline mcp`: a message a line, and its answer."""
import json
import subprocess
import sys


class Server:
    def __init__(self, program, *arguments, cwd=None):
        self.process = subprocess.Popen([program, "mcp", *arguments], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd)
        self.last = 0

    def send(self, line):
        self.process.stdin.write(line if isinstance(line, bytes) else line.encode())
        self.process.stdin.flush()

    def hear(self):
        line = self.process.stdout.readline()
        assert line.endswith(b"\n"), "the server has ended: " + self.process.stderr.read().decode()
        return json.loads(line)

    def ask(self, method, **params):
        self.last += 1
        self.send(json.dumps({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}) + "\n")
        answer = self.hear()
        assert answer["jsonrpc"] == "2.0" and answer["id"] == self.last, answer
        return answer

    def call(self, tool, **arguments):
        return self.ask("tools/call", name=tool, arguments=arguments)["result"]

    def close(self):
        """All that was not heard, and the exit code."""
        rest, messages = self.process.communicate(timeout=100)
        return rest.decode(), messages.decode(), self.process.returncode


def skip_without_landlock(program):
    """The kernel of a container may have none."""
    ended = subprocess.run([program, "mcp", "."], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if b"no Landlock" in ended.stderr:
        print("SKIPPED: needs a kernel with Landlock")
        sys.exit(77)
