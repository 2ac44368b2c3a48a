#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the log of a training: plot_log.py log.jsonl curve.png. Needs matplotlib."""
import argparse
import json

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

LOSSES = ["answer", "asked", "mask_class", "patch_class", "object_class", "pointer", "text_mask",
          "prompt_mask"]
SHARES = ["found", "object_right", "asked_right", "pointer_right", "text_iou", "click_iou", "refined_iou",
          "box_iou"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("log")
    parser.add_argument("picture")
    arguments = parser.parse_args()
    with open(arguments.log, encoding="utf-8") as file:
        records = [record for record in map(json.loads, file) if "images" in record]  # not judgements
    before = last = 0
    for record in records:  # each stage counts its own pictures
        if record["images"] < last:
            before += last
        last = record["images"]
        record["images"] += before
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), dpi=90)
    for axis, names, title in ((left, LOSSES, "losses"), (right, SHARES, "on training scenes")):
        for name in names:
            points = [(r["images"] / 1000, r[name]) for r in records if name in r]
            axis.plot(*zip(*points), label=name.replace("_", " "), linewidth=1)
        axis.set_title(title, fontsize=9)
        axis.set_xlabel("thousand pictures", fontsize=8)
        axis.tick_params(labelsize=8)
        axis.grid(alpha=0.3)
        axis.legend(fontsize=7)
    left.set_yscale("log")
    right.set_ylim(0, 1)
    figure.tight_layout()
    figure.savefig(arguments.picture)


if __name__ == "__main__":
    main()
