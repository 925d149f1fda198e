"""Each task of tasks.tsv in at most three calls: what a call answers is the command's document, the first lines are
those that people read, and the document is as its schema promises.
   tasks.py PROGRAM EXAMPLES TABLE"""
import json
import os
import subprocess
import sys

from mcp_client import Server, skip_without_landlock

MOST_CALLS = 3
TYPES = {"string": str, "boolean": bool, "integer": int, "number": (int, float), "array": list, "object": dict,
         "null": type(None)}


def of_command(program, examples, tool, arguments, form):
    """What the command prints."""
    command = ["hw", "show" if "files" in arguments else "list"] if tool == "hardware" else [tool]
    for name, value in arguments.items():
        if name != "files":
            command += ["--" + name] if value is True else [
                "--%s=%s" % (name, v) for v in (value if isinstance(value, list) else [value])]
    environment = dict(os.environ, COLUMNS="1000", LC_ALL="C.UTF-8")
    return subprocess.run([program, *command, "--format", form, *arguments.get("files", [])], cwd=examples, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment).stdout


def member(document, path):
    for step in path.split("."):
        document = document[int(step)] if isinstance(document, list) else document[step]
    return document


def check_schema(schema, document):
    assert schema["type"] == "object"
    for name in schema["required"]:
        assert name in document, "no member %s" % name
    for name, value in document.items():
        want = schema["properties"].get(name, {}).get("type", list(TYPES))
        kinds = want if isinstance(want, list) else [want]
        assert any(isinstance(value, TYPES[kind]) for kind in kinds), "%s is no %s" % (name, want)
    assert document["schema"] in schema["properties"]["schema"]["enum"]


def solve(program, examples, server, schemas, task):
    for tool, arguments, answer in task:
        result = server.call(tool, **arguments)
        assert result.get("isError") is False, result["content"][0]["text"]
        document = result["structuredContent"]
        assert document == json.loads(of_command(program, examples, tool, arguments, "json"))
        lines = result["content"][0]["text"].split("\n")
        assert 1 <= len(lines) <= 3
        if tool != "hardware" or arguments:
            assert lines == of_command(program, examples, tool, arguments, "text").split("\n\n")[0].split("\n")[:3]
        check_schema(schemas[tool], document)
        if answer:
            assert member(document, answer) is not None, "%s is not known" % answer


def main(program, examples, table):
    tasks = []
    with open(table, encoding="utf-8") as rows:
        for row in rows:
            task, tool, arguments, answer = row.rstrip("\n").split("\t") if "\t" in row else (row, "", "", "")
            if tool in ("", "tool"):
                continue
            if task:
                tasks.append((task, []))
            tasks[-1][1].append((tool, json.loads(arguments), answer))
    server = Server(program, ".", cwd=examples)
    server.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "t", "version": "1"})
    schemas = {tool["name"]: tool["outputSchema"] for tool in server.ask("tools/list")["result"]["tools"]}
    failures = 0
    for name, task in tasks:
        try:
            assert len(task) <= MOST_CALLS, "more than %d calls" % MOST_CALLS
            solve(program, examples, server, schemas, task)
        except (AssertionError, KeyError, IndexError, TypeError) as why:
            print("%s: %s %s" % (name, type(why).__name__, str(why)[:400]))
            failures += 1
    rest, messages, exit_code = server.close()
    assert (rest, messages, exit_code) == ("", "", 0), (rest, messages, exit_code)
    assert len(tasks) == 20, "%d tasks" % len(tasks)
    print("%d tasks, %d solved" % (len(tasks), len(tasks) - failures))
    return failures != 0


skip_without_landlock(sys.argv[1])
sys.exit(main(*sys.argv[1:]))
