#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Judge clicks, boxes and words on real photographs, through the command line.

    python3 resources/models/tools/judge_photographs.py maskscope-cli [--model DIR] [--json FILE]

Takes the photographs of resources/examples (none of them was trained on); every connected part of a
known mask is an object, found by words if a mask, or a connected part of one, has an IoU of 0.5 with
it. The first click is the object's inner-most point, each further one that of the
largest part that is wrong; the box is exact. Needs numpy, scipy, pillow and pycocotools.
"""
import argparse
import json
import pathlib
import subprocess

import numpy as np
from PIL import Image
from pycocotools import mask as coco
from scipy import ndimage

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
CLICKS = 3
LEAST_PART = 200  # pixels; smaller parts of a mask are not objects


def masks_of(call, arguments):
    """[(label, mask)] and the answer of one run; `call` is the program with what every run has."""
    run = subprocess.run([*call, *arguments, "--json"], capture_output=True, text=True)
    events = [json.loads(line) for line in run.stdout.splitlines()]
    if run.returncode != 0:
        raise SystemExit(run.stderr)
    masks = [(e["label"], coco.decode({"size": e["rle"]["size"], "counts": e["rle"]["counts"].encode()})
              .astype(bool)) for e in events if e["event"] == "mask"]
    return masks, events[-1]["answer"]


def iou(a, b):
    return float((a & b).sum() / max(1, (a | b).sum()))


def inner_most(part):
    depth = ndimage.distance_transform_edt(np.pad(part, 1))[1:-1, 1:-1]
    y, x = np.unravel_index(depth.argmax(), depth.shape)
    return x + 0.5, y + 0.5


def next_click(target, found):
    """x, y, sign in the middle of the largest connected part that is wrong."""
    best = None
    for wrong, sign in ((target & ~found, "+"), (found & ~target, "-")):
        parts, count = ndimage.label(wrong)
        for i in range(1, count + 1):
            size = (parts == i).sum()
            if best is None or size > best[0]:
                best = (size, parts == i, sign)
    return (*inner_most(best[1]), best[2]) if best else (*inner_most(target), "+")


def parts_of(mask):
    parts, count = ndimage.label(mask)
    return [parts == i for i in range(1, count + 1) if (parts == i).sum() >= LEAST_PART]


def judge_object(call, image, target):
    """IoU after 1 to CLICKS clicks, and of the box."""
    clicks, ious, found = [], [], np.zeros_like(target)
    for _ in range(CLICKS):
        x, y, sign = next_click(target, found)
        clicks += ["--point", f"{x},{y},{sign}"]
        found = masks_of(call, [image, *clicks])[0][0][1]
        ious.append(iou(found, target))
    rows, columns = np.where(target)
    box = f"{columns.min()},{rows.min()},{columns.max() + 1},{rows.max() + 1}"
    return ious, iou(masks_of(call, [image, "--box", box])[0][0][1], target)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cli")
    parser.add_argument("--model")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    call = [arguments.cli, "segment"] + (["--model", arguments.model] if arguments.model else [])
    objects, words, clicked = [], [], set()
    for entry in json.loads((EXAMPLES / "index.json").read_text()):
        if entry["source"].startswith("composed"):
            continue
        image = str(EXAMPLES / entry["image"])
        known = [np.array(Image.open(EXAMPLES / name).convert("L")) > 127 for name in entry["masks"]]
        masks, answer = masks_of(call, [image, "-p", entry["request"]])
        union = np.any([m for _, m in masks], axis=0) if masks else np.zeros_like(known[0])
        targets = [part for mask in known for part in parts_of(mask)]
        shown = [m for _, m in masks] + [part for _, m in masks for part in parts_of(m)]
        hits = sum(max((iou(m, t) for m in shown), default=0) >= 0.5 for t in targets)
        words.append({"image": entry["image"], "request": entry["request"], "answer": answer,
                      "iou": iou(union, np.any(known, axis=0)), "objects": len(targets), "found": hits})
        print(words[-1], flush=True)
        if set(entry["masks"]) <= clicked:
            continue
        clicked.update(entry["masks"])
        for target in targets:
            ious, box = judge_object(call, image, target)
            objects.append({"image": entry["image"], "clicks": ious, "box": box})
    by_image = {}
    for one in objects:
        by_image.setdefault(one["image"], []).append([*one["clicks"], one["box"]])
    means = {image: np.mean(rows, axis=0).round(3).tolist() for image, rows in by_image.items()}
    means["all photographs alike"] = np.mean(list(means.values()), axis=0).round(3).tolist()
    for image, (one, two, three, box) in means.items():
        print(f"{image}: one click {one}, two {two}, three {three}, box {box}")
    if arguments.json:
        arguments.json.write_text(json.dumps({"words": words, "prompts": means}, indent=1) + "\n")


if __name__ == "__main__":
    main()
