#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes what the audit's tests read: audit_trace.json, torch.profiler's record of torch.nn.MultiheadAttention
in eval and inference mode with a padding mask (4 heads, P = 64, width 32), its module and tensor
events alone; audit_eval.pt and audit_training.pt, a scripted attention that holds its matrices; audit_one_head.pt, one that
has one head, prints, and fails for the widths 8 (by an exception) and 16 (by memory)."""
import json
import math
import tempfile
import zipfile
from pathlib import Path

import torch
from torch.profiler import ProfilerActivity, profile

HERE = Path(__file__).resolve().parent
HEADS, PATCHES, WIDTH = 4, 64, 32


class PlainAttention(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = torch.nn.Linear(WIDTH, 3 * WIDTH)

    def forward(self, x: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
        q, k, v = self.qkv(x).view(1, -1, 3, 4, 8).permute(2, 0, 3, 1, 4).unbind(0)
        scores = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(8.0)
        scores = scores.masked_fill(hidden.view(1, 1, 1, -1), float("-inf"))
        return torch.matmul(torch.softmax(scores, -1), v).transpose(1, 2).reshape(x.size())


class OneHead(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        print("a line that nobody asked for")
        if x.size(2) == 8:
            raise ValueError("a width of 8 is not for me")
        if x.size(2) == 16:
            x = x + torch.zeros(10000 * x.size(1), 10000 * x.size(1)).sum()
        return torch.matmul(torch.softmax(torch.matmul(x, x.transpose(1, 2)), -1), x)


def save(module, file):
    """Without the debug records, which name the folder that this script lies in."""
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / file.name
        module.save(str(whole))
        with zipfile.ZipFile(whole) as old, zipfile.ZipFile(file, "w") as new:
            for entry in old.infolist():
                if not entry.filename.endswith(".debug_pkl"):
                    new.writestr(entry.filename, old.read(entry))


def main():
    torch.manual_seed(1)
    scripted = torch.jit.script(PlainAttention())
    save(scripted.train(), HERE / "audit_training.pt")
    save(scripted.eval(), HERE / "audit_eval.pt")

    save(torch.jit.script(OneHead().eval()), HERE / "audit_one_head.pt")

    attention = torch.nn.MultiheadAttention(WIDTH, HEADS, batch_first=True).eval()
    x, hidden = torch.randn(1, PATCHES, WIDTH), torch.zeros(1, PATCHES, dtype=torch.bool)
    with torch.inference_mode(), profile(activities=[ProfilerActivity.CPU], record_shapes=True,
                                         with_stack=True) as recorded:
        attention(x, x, x, key_padding_mask=hidden, need_weights=False)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "trace.json"
        recorded.export_chrome_trace(str(file))
        trace = json.loads(file.read_text(encoding="utf-8"))
    kept = [event for event in trace["traceEvents"]
            if "Input Dims" in event.get("args", {}) or event.get("name", "").startswith("nn.Module: ")]
    (HERE / "audit_trace.json").write_text(
        json.dumps({"schemaVersion": trace["schemaVersion"], "traceEvents": kept}, indent=0) + "\n",
        encoding="utf-8")


if __name__ == "__main__":
    main()
