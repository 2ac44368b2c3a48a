#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw requests that a model gets wrong, as a picture for its card.

    python3 resources/models/tools/draw_failures.py maskscope-train maskscope-cli MODEL failures.png

Composes new scenes with held-out sprites, asks for each class that is there, and draws the worst of each
class: what was meant in green, what was painted in orange, the request and the answer below. Needs numpy,
pillow, matplotlib and pycocotools.
"""
import argparse
import io
import json
import pathlib
import subprocess
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image
from pycocotools import mask as coco

SHOWN = 12
FIRST_SEED = 70_000


def composed(arguments, folder, seed):
    """{class: mask} of a new scene at folder/scene.png."""
    for old in folder.glob("scene*.png"):
        old.unlink()
    subprocess.run([arguments.train, "compose", "--sources", arguments.sources, "--set", "unseen", "--seed",
                    str(seed), "--out", str(folder / "scene.png")], check=True, capture_output=True)
    return {path.stem.removeprefix("scene_"): np.array(Image.open(path)) > 127
            for path in sorted(folder.glob("scene_*.png"))}


def answered(arguments, picture, request):
    run = subprocess.run([arguments.cli, "segment", str(picture), "-p", request, "--model", arguments.model,
                          "--json"], check=True, capture_output=True, text=True)
    events = [json.loads(line) for line in run.stdout.splitlines()]
    masks = [coco.decode({"size": e["rle"]["size"], "counts": e["rle"]["counts"].encode()}).astype(bool)
             for e in events if e["event"] == "mask"]
    shape = np.array(Image.open(picture)).shape[:2]
    return events[-1]["answer"], np.any(masks, axis=0) if masks else np.zeros(shape, bool)


def failures(arguments, folder):
    """Worst first, one of each class."""
    worst = {}
    for seed in range(FIRST_SEED, FIRST_SEED + arguments.scenes):
        for name, meant in composed(arguments, folder, seed).items():
            request = f"segment the {name}"
            answer, painted = answered(arguments, folder / "scene.png", request)
            iou = (meant & painted).sum() / max(1, (meant | painted).sum())
            if name not in worst or iou < worst[name]["iou"]:
                worst[name] = {"iou": iou, "request": request, "answer": answer, "meant": meant,
                               "painted": painted, "image": Image.open(folder / "scene.png").convert("RGB")}
    return sorted(worst.values(), key=lambda failure: failure["iou"])[:SHOWN]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("train")
    parser.add_argument("cli")
    parser.add_argument("model")
    parser.add_argument("picture")
    parser.add_argument("--sources", default=".cache/sources")
    parser.add_argument("--scenes", type=int, default=40)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = failures(arguments, pathlib.Path(folder))
    figure, axes = plt.subplots(3, 4, figsize=(10, 8.6), dpi=90)
    for axis, failure in zip(axes.flat, found):
        axis.imshow(failure["image"])
        for mask, colour in ((failure["meant"], "#00e000"), (failure["painted"], "#ff8000")):
            if mask.any():
                axis.contour(mask, levels=[0.5], colors=colour, linewidths=1.6)
        answer = failure["answer"].replace("<|mask|>", "[mask]")
        axis.set_xlabel(f"{failure['request']}\n{answer[:44]}\nIoU {failure['iou']:.2f}", fontsize=8)
        axis.set_xticks([])
        axis.set_yticks([])
    for axis in axes.flat[len(found):]:
        axis.axis("off")
    figure.tight_layout()
    pixels = io.BytesIO()
    figure.savefig(pixels)
    Image.open(pixels).convert("RGB").quantize(128).save(arguments.picture, optimize=True)


if __name__ == "__main__":
    main()
