#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes patch_attention.safetensors: torch.nn.MultiheadAttention with a key padding mask.

In training mode without dropout, so that the plain composition and not the native fast path runs,
in float64. `hidden` is the key padding mask (true ignores); `inverted` is what comes out when the
mask is taken for scaled_dot_product_attention's boolean mask (true attends) instead.
"""
from pathlib import Path

import torch
from safetensors.torch import save_file

torch.manual_seed(3)
B, P, C, HEADS = 3, 37, 24, 6
layer = torch.nn.MultiheadAttention(C, HEADS, batch_first=True, dtype=torch.float64).train()
torch.nn.init.normal_(layer.in_proj_bias)
torch.nn.init.normal_(layer.out_proj.bias)
x = torch.randn(B, P, C, dtype=torch.float64) * 2
hidden = torch.zeros(B, P, dtype=torch.bool)
hidden[1, 20:] = True
hidden[2, ::2] = True
with torch.no_grad():
    out = layer(x, x, x, need_weights=False)[0]
    padded = layer(x, x, x, key_padding_mask=hidden, need_weights=False)[0]
    inverted = layer(x, x, x, key_padding_mask=~hidden, need_weights=False)[0]
tensors = {f"layer.{name}": tensor.detach() for name, tensor in layer.named_parameters()}
tensors |= {"x": x, "out": out, "padded": padded, "inverted": inverted}
tensors = {name: tensor.float().contiguous() for name, tensor in tensors.items()}
save_file(tensors | {"hidden": hidden}, str(Path(__file__).with_suffix(".safetensors")))
