"""Checks Agent Skills with skilllint, a partition at a time: for Spark's mapPartitions, or for any other iterator.

    lines = spark.sparkContext.textFile("skills.txt", 1000).mapPartitions(lint)
    lines.map(json.dumps).saveAsTextFile("findings")

Each line is a dict of schemas/jsonl.schema.json. A line depends on the skill's files, the settings and the version of skilllint
alone, so a partition that is run again gives the same lines. Python's own library is all that is used.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections import Counter


def lint(paths, skilllint="skilllint", arguments=("--no-config",)):
    """Yields the line of each path: of a SKILL.md, or of the folder that holds one. The order is that of the paths."""
    command = [skilllint, "lint", "--files-from", "-", "--null", "--format", "jsonl", "--fail-on", "never", *arguments]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    sent, errors = [0], []

    def feed():
        try:
            with process.stdin as to:
                for path in paths:
                    to.write(os.fsencode(path) + b"\0")
                    sent[0] += 1
        except BrokenPipeError:
            pass  # the program has ended: its status tells
        except Exception as error:  # of the iterator, raised again below
            errors.append(error)

    said = []
    threads = [threading.Thread(target=feed), threading.Thread(target=lambda: said.append(process.stderr.read()))]
    for thread in threads:
        thread.start()
    got = 0
    for line in process.stdout:
        got += 1
        yield json.loads(line)
    status = process.wait()
    for thread in threads:
        thread.join()
    process.stdout.close()
    process.stderr.close()
    if errors:
        raise errors[0]
    # 2 is also for paths that could not be checked: their lines have an error. 3 is a fault of the program.
    if status not in (0, 2) or status == 2 and got < sent[0]:
        raise RuntimeError(f"skilllint ended with {status} after {got} of {sent[0]} skills: {said[0].decode(errors='replace')}")


def lint_files(skills, **options):
    """Yields the line of each skill that is not on a disk: a pair of its folder's name and a dict of its files, as bytes by
    path. They are written to a temporary folder, some at a time."""
    some = []
    for skill in skills:
        some.append(skill)
        if len(some) == 1000:
            yield from _lint_written(some, options)
            some = []
    yield from _lint_written(some, options)


def _lint_written(some, options):
    with tempfile.TemporaryDirectory() as top:
        paths = []
        for number, (folder, files) in enumerate(some):
            home = os.path.join(top, str(number), folder)  # two skills may have the same name
            for name, content in files.items():
                file = os.path.join(home, name)
                if os.path.commonpath([home, os.path.abspath(file)]) != home:
                    raise ValueError(f"{folder}: {name} lies outside of the skill")
                os.makedirs(os.path.dirname(file), exist_ok=True)
                with open(file, "wb") as to:
                    to.write(content)
            paths.append(home)
        for (folder, _), line in zip(some, lint(paths, **options)):
            yield {**line, "path": folder}


if __name__ == "__main__":  # without Spark: paths on standard input, the number of findings of each rule out
    counts = Counter()
    for line in lint((path.rstrip("\n") for path in sys.stdin), *sys.argv[1:]):
        counts.update(finding["rule"] for finding in line.get("findings", []))
        counts["skills" if "findings" in line else "errors"] += 1
    for name, count in sorted(counts.items()):
        print(count, name)
