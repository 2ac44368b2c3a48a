#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tidy.py FILE...: reads the sources that build/release compiles with clang-tidy.

What was found clean is not read again until the file, a header that it includes or the checks have
changed, so that an interrupted `./run lint --all` goes on where it stopped.
"""
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/release"
CHECKS = ROOT / ".ci/clang-tidy.yaml"


def headers_of_objects():
    """The repository's files that each object was built from, as ninja noted them."""
    log = subprocess.run(["ninja", "-C", BUILD, "-t", "deps"], capture_output=True, text=True, check=False)
    headers, current = {}, []
    for line in log.stdout.splitlines():
        if line.startswith("    "):
            path = os.path.normpath(os.path.join(BUILD, line.strip()))
            if path.startswith(f"{ROOT}{os.sep}"):
                current.append(Path(path))
        elif ": #deps" in line:
            current = headers.setdefault(line.split(": #deps")[0], [])
    return headers


def is_clean(stamp, dependencies):
    if not stamp.exists() or not dependencies:
        return False
    when = stamp.stat().st_mtime
    return all(path.exists() and path.stat().st_mtime < when for path in [CHECKS, *dependencies])


def read(file, stamp):
    # The flags may be another compiler's.
    command = ["clang-tidy", "--quiet", f"--config-file={CHECKS}", "-p", str(BUILD),
               "--extra-arg=-Wno-unknown-warning-option", file]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode == 0:
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.touch()
    else:
        print(result.stdout or result.stderr, flush=True)
    return result.returncode == 0


def main():
    wanted = {str(ROOT / file) for file in sys.argv[1:]}
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    headers = headers_of_objects()
    work = {}
    for command in commands:
        file = command["file"]
        words = command["command"].split()
        target = words[words.index("-o") + 1]
        stamp = (BUILD / "lint" / os.path.relpath(file, ROOT)).with_suffix(".clean")
        if file in wanted and not is_clean(stamp, headers.get(target, [])):
            work[file] = stamp
    print(f"clang-tidy reads {len(work)} files", flush=True)
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        clean = list(threads.map(read, work.keys(), work.values()))
    return 0 if all(clean) else 1


sys.exit(main())
