#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check_exports.py PROGRAM: reads what PROGRAM exports with the tools that others use.

PROGRAM FOLDER writes masks in every format, and plain_<picture>_<n>.png with the bits that went in.
Leaves with 77 (skipped) where numpy, Pillow or pycocotools are not installed.
"""
import base64
import io
import json
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

try:
    import numpy as np
    from PIL import Image, ImageDraw
    from pycocotools.coco import COCO
except ImportError as error:
    print(error)
    sys.exit(77)


def bits(path):
    return (np.array(Image.open(path).convert("L")) > 127).astype(np.uint8)


def expected_masks(folder):
    """{picture: {n: mask}}"""
    masks = {}
    for path in sorted(folder.glob("plain_*_*.png")):
        _, picture, n = path.stem.split("_")
        masks.setdefault(picture, {})[int(n)] = bits(path)
    return masks


def check_png(folder, masks):
    for picture, objects in masks.items():
        index = Image.open(folder / f"{picture}_index.png")
        assert index.mode == "P", index.mode
        drawn = np.zeros_like(next(iter(objects.values())))
        for n, mask in objects.items():
            written = np.array(Image.open(folder / f"{picture}_{n}.png"))
            assert np.array_equal(written, mask * 255), (picture, n)
            drawn[mask > 0] = n
        assert np.array_equal(np.array(index), drawn), picture


def check_coco(folder, masks):
    coco = COCO(folder / "masks_coco.json")
    assert len(coco.getAnnIds()) == sum(len(objects) for objects in masks.values())
    names = {category["name"] for category in coco.loadCats(coco.getCatIds())}
    assert "cat" in names and "object" in names, names
    for image in coco.loadImgs(coco.getImgIds()):
        objects = masks[Path(image["file_name"]).stem]
        annotations = coco.loadAnns(coco.getAnnIds(imgIds=image["id"]))
        for mask, annotation in zip(objects.values(), annotations, strict=True):
            assert np.array_equal(coco.annToMask(annotation), mask), annotation["id"]
            assert annotation["area"] == mask.sum() and annotation["iscrowd"] == 0
            ys, xs = np.nonzero(mask)
            box = [xs.min(), ys.min(), xs.max() - xs.min() + 1, ys.max() - ys.min() + 1]
            assert annotation["bbox"] == box, (annotation["bbox"], box)


def check_labelme(folder, masks):
    """As labelme's load: a crop, pasted at the rounded first corner."""
    for picture, objects in masks.items():
        data = json.loads((folder / f"{picture}.json").read_text(encoding="utf-8"))
        for mask, shape in zip(objects.values(), data["shapes"], strict=True):
            crop = np.array(Image.open(io.BytesIO(base64.b64decode(shape["mask"])))).astype(bool)
            (x1, y1), (x2, y2) = np.rint(shape["points"]).astype(int)
            assert crop.shape == (y2 - y1 + 1, x2 - x1 + 1)
            whole = np.zeros((data["imageHeight"], data["imageWidth"]), np.uint8)
            whole[y1:y2 + 1, x1:x2 + 1] = crop
            assert np.array_equal(whole, mask), picture


def check_yolo(folder, masks):
    """Pillow's polygons take their border along, as OpenCV's do; nested rings are bridged."""
    for picture, objects in masks.items():
        names = (folder / f"{picture}_classes.txt").read_text(encoding="utf-8").splitlines()
        union = np.zeros_like(next(iter(objects.values())))
        height, width = union.shape
        for row in (folder / f"{picture}.txt").read_text().splitlines():
            kind, *values = row.split()
            assert int(kind) < len(names)
            points = np.array(values, float).reshape(-1, 2)
            assert len(points) >= 3 and (points >= 0).all() and (points <= 1).all()
            canvas = Image.new("L", (width, height))
            outline = [tuple(p) for p in np.rint(points * (width, height)).astype(int)]
            ImageDraw.Draw(canvas).polygon(outline, fill=1, outline=1)
            union |= np.array(canvas)
        every = np.bitwise_or.reduce(list(objects.values()))
        overlap = (union & every).sum() / (union | every).sum()
        assert overlap > 0.99, (picture, overlap)


def check_svg(folder, masks):
    for picture, objects in masks.items():
        root = ET.parse(folder / f"{picture}.svg").getroot()
        paths = root.findall("{http://www.w3.org/2000/svg}path")
        assert [p.get("id") for p in paths] == [f"mask-{n}" for n in objects]


def main():
    with tempfile.TemporaryDirectory() as name:
        subprocess.run([sys.argv[1], name], check=True)
        folder = Path(name)
        masks = expected_masks(folder)
        assert len(masks) == 2 and all(masks.values())
        for check in (check_png, check_coco, check_labelme, check_yolo, check_svg):
            check(folder, masks)
            print(check.__name__, "holds")


if __name__ == "__main__":
    main()
