#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/cases/edit.json: masks with what scipy.ndimage makes of their parts and holes and of
growing them, and polygons with the pixels that scikit-image finds in them."""
import json
from pathlib import Path

import numpy as np
from scipy import ndimage
from skimage.draw import polygon2mask

OUT = Path(__file__).resolve().parent.parent / "cases" / "edit.json"
CORNERS = np.ones((3, 3))
rng = np.random.default_rng(20)


def drawn(mask):
    return ["".join(".#"[int(v)] for v in row) for row in mask]


def disc(n):
    y, x = np.ogrid[-n:n + 1, -n:n + 1]
    return x * x + y * y <= n * n


def region_case(mask):
    parts, count = ndimage.label(mask, CORNERS)
    areas = ndimage.sum(mask, parts, range(1, count + 1))
    filled = ndimage.binary_fill_holes(mask)
    holes, hole_count = ndimage.label(filled & ~mask)
    hole_areas = np.concatenate([[0], ndimage.sum(filled, holes, range(1, hole_count + 1))])
    return {"mask": drawn(mask), "parts": count, "holes": hole_count, "filled": drawn(filled),
            "filled_to_2": drawn(mask | (holes > 0) & (hole_areas[holes] <= 2)),
            "without_below_4": drawn(mask & (np.concatenate([[0], areas])[parts] >= 4)),
            "largest": drawn(parts == 1 + int(np.argmax(areas))),
            "grown_by_3": drawn(ndimage.binary_dilation(mask, disc(3))),
            "shrunk_by_2": drawn(ndimage.binary_erosion(mask, disc(2), border_value=1))}


def noise(height, width, density, smooth=0.0):
    field = rng.random((height, width))
    if smooth:
        field = ndimage.gaussian_filter(field, smooth)
    return field < np.quantile(field, density)


def polygon_case(points):
    height, width = 24, 32
    # scikit-image's pixels are points: theirs lies at the centre of ours.
    inside = polygon2mask((height, width), np.asarray(points)[:, ::-1] - 0.5)
    return {"points": [[float(v) for v in p] for p in points], "mask": drawn(inside)}


regions = [region_case(noise(18, 25, density)) for density in (0.2, 0.4, 0.6, 0.85)]
regions += [region_case(noise(30, 40, density, 1.5)) for density in (0.3, 0.5, 0.7)]
STAR = [(16 + 11.3 * np.cos(a), 12 + 11.3 * np.sin(a)) for a in 0.3 + np.arange(5) * 4 * np.pi / 5]
polygons = [polygon_case(STAR)]
polygons += [polygon_case(rng.uniform((-6, -6), (38, 30), (n, 2)).round(3)) for n in (3, 4, 7, 12, 25)]
OUT.write_text(json.dumps({"regions": regions, "polygons": polygons}, indent=1) + "\n")
