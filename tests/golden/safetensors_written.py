#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes safetensors_written.safetensors with the Python library, and compares any file with it.

Without arguments: writes the file. With a file: exits 0 if the library reads equal tensors from it.
"""
import pathlib
import sys

import torch
from safetensors.torch import load_file, save_file

TENSORS = {
    "a": torch.tensor([1, -2.5], dtype=torch.bfloat16),
    "b": torch.tensor([[1, 2, 3], [4, 5, 6]], dtype=torch.float32),
    "c": torch.tensor([1, 0, 1], dtype=torch.uint8),
    "d": torch.tensor([-7], dtype=torch.int64),
}

if len(sys.argv) == 1:
    save_file(TENSORS, pathlib.Path(__file__).with_suffix(".safetensors"))
else:
    read = load_file(sys.argv[1])
    same = read.keys() == TENSORS.keys() and all(
        read[n].dtype == t.dtype and torch.equal(read[n], t) for n, t in TENSORS.items())
    sys.exit(0 if same else "different tensors")
