#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes train_values.json: PyTorch's values for the trainer's losses and optimiser.

Inputs follow from index formulas, so that the test needs no file of inputs:
wave(n, a, b)[i] = sin(a * i + b).
"""
import json
import math
import pathlib

import torch
import torch.nn.functional as F


def wave(shape, a, b):
    count = math.prod(shape)
    return torch.tensor([math.sin(a * i + b) for i in range(count)], dtype=torch.float64).float().reshape(shape)


def graded(loss, leaf):
    loss.backward()
    return {"value": loss.item(), "gradient": leaf.grad.flatten().tolist()}


out = {}

logits = (3 * wave((4, 5), 0.7, 0.1)).requires_grad_()
out["class"] = graded(F.cross_entropy(logits, torch.tensor([2, -100, 0, 4]), ignore_index=-100), logits)

logits = (2 * wave((2, 3, 4), 0.9, 0.3)).requires_grad_()
targets = (wave((2, 3, 4), 0.5, 0.2) * 0.5 + 0.5)
weights = torch.tensor([1.0, 0.25])
p = logits.sigmoid().flatten(1)
t = targets.flatten(1)
dice = 1 - (2 * (p * t).sum(1) + 1) / (p.sum(1) + t.sum(1) + 1)
bce = F.binary_cross_entropy_with_logits(logits, targets, reduction="none").flatten(1).mean(1)
out["mask"] = graded(((3 * bce + dice) * weights).sum() / weights.sum(), logits)

logits = (2 * wave((2, 3), 1.1, 0.4)).requires_grad_()
targets = torch.tensor([[1.0, 0, 0], [0, 1, 1]])
out["similarity"] = graded(F.binary_cross_entropy_with_logits(logits, targets, pos_weight=torch.tensor([3.0])), logits)

scores = (wave((3,), 1.3, 0.2) * 0.5 + 0.5).requires_grad_()
out["score"] = graded(F.mse_loss(scores, torch.tensor([0.2, 0.9, 0.5])), scores)

boxes = (wave((3, 4), 0.6, 0.5) * 0.5 + 0.5).requires_grad_()
targets = wave((3, 4), 0.4, 0.9) * 0.5 + 0.5
per_row = F.l1_loss(boxes, targets, reduction="none").mean(1)
out["box"] = graded((per_row[0] + per_row[2]) / 2, boxes)

# Two parameters, two weight decays, gradients clipped to norm 1 (as clip_grad_norm_), six steps.
first = wave((3, 2), 0.8, 0.1).requires_grad_()
second = wave((4,), 1.7, 0.6).requires_grad_()
optimiser = torch.optim.AdamW(
    [{"params": [first], "weight_decay": 0.02}, {"params": [second], "weight_decay": 0.0, "lr": 5e-3}],
    lr=1e-2, betas=(0.9, 0.98), eps=1e-8)
for step in range(6):
    first.grad = 4 * wave((3, 2), 0.3 + step, 0.2)
    second.grad = 0.1 * wave((4,), 0.2, 0.7 * step)
    torch.nn.utils.clip_grad_norm_([first, second], 1.0)
    optimiser.step()
out["adamw"] = {"first": first.flatten().tolist(), "second": second.flatten().tolist()}

pathlib.Path(__file__).with_suffix(".json").write_text(json.dumps(out) + "\n")
