#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Average the weights of a training with those that it started from.

    python3 resources/models/tools/average_weights.py STARTED TRAINED SHARE model.safetensors

SHARE (0..1) of TRAINED and the rest of STARTED, both with the same tensors (WiSE-FT, Wortsman et al. 2022: what
is learnt stays and what was known on other pictures is kept). Needs numpy and safetensors.
"""
import argparse

import numpy as np
from safetensors import safe_open
from safetensors.numpy import load_file, save_file


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("started")
    parser.add_argument("trained")
    parser.add_argument("share", type=float)
    parser.add_argument("out")
    arguments = parser.parse_args()
    started, trained = load_file(arguments.started), load_file(arguments.trained)
    if started.keys() != trained.keys():
        raise SystemExit(f"Only one has the tensors {', '.join(sorted(started.keys() ^ trained.keys()))}.")

    def mean(name):
        before, after = started[name].astype(np.float32), trained[name].astype(np.float32)
        return ((1 - arguments.share) * before + arguments.share * after).astype(trained[name].dtype)

    with safe_open(arguments.trained, "np") as file:
        metadata = file.metadata()
    save_file({name: mean(name) for name in trained}, arguments.out, metadata=metadata)


if __name__ == "__main__":
    main()
