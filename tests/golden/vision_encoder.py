#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes vision_encoder.safetensors: what the published EfficientNet-lite0 code computes.

    pip install --no-deps efficientnet-lite-pytorch==0.1.0

Weights and pixels come from a formula (see numbers()) that the test repeats, so that they need not be
stored. Batch norms are set to do nothing but add the bias that folding gives. The last stage is
dilated as VisionEncoder says. Of the 1,280 and 1,000 channels every eighth is stored.
"""
from pathlib import Path

import numpy as np
import torch
from efficientnet_lite_pytorch import EfficientNet
from safetensors.torch import save_file
from torch import nn

EPSILON = 1e-3
count = 0


def numbers(shape, scale):
    """scale * sin(0.37 i + 1.7 k) for the k-th tensor asked for."""
    global count
    values = scale * np.sin(0.37 * np.arange(np.prod(shape)) + 1.7 * count)
    count += 1
    return torch.from_numpy(values.reshape(shape).astype(np.float32))


def set_unit(convolution, norm):
    fan = convolution.weight[0].numel()
    convolution.weight.data = numbers(convolution.weight.shape, 2.0 / fan**0.5)
    norm.weight.data.fill_(1)
    norm.running_mean.data.fill_(0)
    norm.running_var.data.fill_(1 - EPSILON)
    norm.bias.data = numbers(norm.bias.shape, 0.5)


def dilate(convolution, dilation):
    convolution.stride = (1, 1)
    convolution.dilation = (dilation, dilation)
    reach = (convolution.kernel_size[0] - 1) * dilation // 2
    convolution.static_padding = nn.ZeroPad2d(reach)


model = EfficientNet.from_name("efficientnet-lite0").eval().requires_grad_(False)
set_unit(model._conv_stem, model._bn0)
for block in model._blocks:
    if block._block_args.expand_ratio != 1:
        set_unit(block._expand_conv, block._bn0)
    set_unit(block._depthwise_conv, block._bn1)
    set_unit(block._project_conv, block._bn2)
set_unit(model._conv_head, model._bn1)
model._fc.weight.data = numbers(model._fc.weight.shape, 0.2)
model._fc.bias.data = numbers(model._fc.bias.shape, 0.5)
dilate(model._blocks[11]._depthwise_conv, 1)
for block in model._blocks[12:]:
    dilate(block._depthwise_conv, 2)

features = {}
x = pixels = numbers((1, 3, 128, 160), 1.0)
x = model._swish(model._bn0(model._conv_stem(x)))
for index, block in enumerate(model._blocks):
    x = block(x)
    if index in (2, 4, 10):
        features[{2: "stride4", 4: "stride8", 10: "stride16"}[index]] = x
head = model._swish(model._bn1(model._conv_head(x)))
features["head"] = head[:, ::8]
features["probabilities"] = model._fc(head.permute(0, 2, 3, 1)).softmax(-1).permute(0, 3, 1, 2)[:, ::8]
for name, tensor in features.items():
    print(name, tuple(tensor.shape), "mean", float(tensor.mean()), "deviation", float(tensor.std()))
save_file({name: tensor.contiguous() for name, tensor in features.items()},
          str(Path(__file__).with_suffix(".safetensors")))
