#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fails if an #include goes against the direction app -> ui -> core -> kernels.

Also: no Torch and no OpenCV in ui/ nor in any header that ui/ or the apps reach; no Qt in core/,
kernels/ and the command line; inside core/ a folder sees only the folders listed in CORE; no file
includes itself by way of others.
"""
import argparse
import re
import sys
from collections import namedtuple
from pathlib import Path

# What each folder of core may include besides itself, base and memory (whose scopes are everywhere).
# Folder order is the order of the data. model and attention see each other: attention has weights
# and layers, the language model has attention; no file may reach itself all the same.
CORE = {
    "base": set(),
    "memory": set(),
    "image": set(),
    "text": set(),
    "model": {"image", "text", "attention"},
    "attention": {"model", "ring"},
    "ring": {"model", "attention"},
    "generate": {"text", "model", "attention"},
    "mask": {"image", "model", "attention", "ring"},
    "edit": {"image", "mask"},
    "engine": {"image", "text", "model", "attention", "ring", "generate", "mask"},
    "measure": {"image", "model", "attention", "ring", "generate", "mask", "engine", "history"},
    "history": {"image", "mask", "engine"},
    "compare": {"image", "mask", "engine", "history"},
    "train": {"image", "text", "model", "attention", "ring", "generate", "mask", "engine"},
}
EVERYWHERE = {"base", "memory"}
# The values that a person's wish and the engine's news are made of.
VALUES = {"core/engine/request.h", "core/engine/event.h"}
# The composition of the whole model, as its figure shows it.
COMPOSITION = {"core/model/lens.h": {"mask"}, "core/model/lens.cpp": {"mask"}}
LAYERS = {"app": {"app", "ui", "core", "kernels"}, "ui": {"ui", "core", "kernels"},
          "core": {"core", "kernels"}, "kernels": {"kernels"}}
SUFFIXES = {".h", ".cpp", ".cu", ".cuh"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
TORCH = re.compile(r"(torch|ATen|c10|caffe2)/")
OPENCV = re.compile(r"(opencv2|opencv4)/")
QT = re.compile(r"(Q[A-Z]\w*|Qt\w+/\w+|qcustomplot\.h)$")
# Programs that are not the product: they work on tensors themselves.
TENSOR_APPS = re.compile(r"app/(train|bench)[_./]")
QT_APPS = re.compile(r"app/desktop\b")

Include = namedtuple("Include", "line quoted path")


def read_tree(root):
    """{path: [Include]} of every source under the four layers."""
    tree = {}
    for layer in LAYERS:
        for path in sorted((root / layer).rglob("*")):
            if path.suffix in SUFFIXES:
                text = path.read_text(encoding="utf-8", errors="replace")
                tree[path.relative_to(root).as_posix()] = parse(text)
    return tree


def parse(text):
    return [Include(number, match[1] == '"', match[2])
            for number, line in enumerate(text.splitlines(), 1) if (match := INCLUDE.match(line))]


def layer_of(path):
    return path.split("/")[0]


def folder_of(path):
    """The folder inside core, or None for a file that lies in core itself."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else None


def check_direct(path, include, tree):
    """The sentence that tells what is wrong with this one line, or None."""
    layer, target = layer_of(path), include.path
    if QT.match(target) and (layer in ("core", "kernels")
                             or layer == "app" and not QT_APPS.match(path)):
        return f"{target}: Qt belongs to ui/ and app/desktop only"
    if TORCH.match(target) and layer == "kernels":
        return f"{target}: kernels/ takes pointers and shapes, not tensors"
    if not include.quoted or target.endswith(".moc"):
        return None
    if target not in tree:
        return f'"{target}": write the path from the root of the repository, to a file that exists'
    if layer_of(target) not in LAYERS[layer]:
        return f"{target}: {layer}/ must not include {layer_of(target)}/"
    if layer == "core" and layer_of(target) == "core":
        own, other = folder_of(path), folder_of(target)
        if own not in CORE:
            return f"core/{own}: say in the table of {Path(__file__).name} what this folder may see"
        allowed = CORE[own] | COMPOSITION.get(path, set()) | {own}
        if own != "base":
            allowed = allowed | EVERYWHERE
        if other not in allowed and target not in VALUES:
            return f"{target}: core/{own} must not include core/{other}"
    return None


def find_heavy(path, tree, seen=None):
    """The way from path to a Torch or OpenCV header, as a list of includes, or None."""
    seen = set() if seen is None else seen
    seen.add(path)
    for include in tree[path]:
        if TORCH.match(include.path) or OPENCV.match(include.path):
            return [include.path]
        if include.path in tree and include.path not in seen:
            way = find_heavy(include.path, tree, seen)
            if way:
                return [include.path] + way
    return None


def find_ring(tree):
    """Files that include one another in a ring, in their order, or None."""
    done, way = set(), []

    def visit(path):
        if path in way:
            return way[way.index(path):] + [path]
        if path in done:
            return None
        way.append(path)
        for include in tree[path]:
            ring = visit(include.path) if include.path in tree else None
            if ring:
                return ring
        way.pop()
        done.add(path)
        return None

    return next(filter(None, map(visit, tree)), None)


def check(tree):
    problems = []
    for path, includes in tree.items():
        for include in includes:
            sentence = check_direct(path, include, tree)
            if sentence:
                problems.append(f"{path}:{include.line}: {sentence}")
        if layer_of(path) in ("ui", "app") and not TENSOR_APPS.match(path):
            way = find_heavy(path, tree)
            if way:
                problems.append(f"{path}: reaches {way[-1]} ({' -> '.join([path] + way)}); "
                                "ui/ and the apps see only headers of core/ without it")
    ring = find_ring(tree)
    if ring:
        problems.append(f"{ring[0]}: includes itself ({' -> '.join(ring)})")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent)
    tree = read_tree(parser.parse_args().root)
    if not tree:
        sys.exit("check_layers: no sources under app, ui, core or kernels")
    problems = check(tree)
    for problem in problems:
        print(problem)
    if problems:
        sys.exit(f"check_layers: {len(problems)} includes go the wrong way")


if __name__ == "__main__":
    main()
