#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes language_model.safetensors: weights and results of transformers' LlamaForCausalLM.

A small random Llama whose query width (48) differs from its width (24), with three query heads to a
key/value head, in float32: token ids, the hidden state after the final norm and the logits.
"""
from pathlib import Path

import torch
from safetensors.torch import save_file
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(11)
config = LlamaConfig(
    vocab_size=50, hidden_size=24, num_hidden_layers=3, num_attention_heads=6, num_key_value_heads=2,
    head_dim=8, intermediate_size=40, rms_norm_eps=1e-5, rope_theta=10000.0,
    max_position_embeddings=512, tie_word_embeddings=True, attn_implementation="eager",
    initializer_range=0.3)
model = LlamaForCausalLM(config).eval()
for name, parameter in model.named_parameters():
    if "norm" in name:
        torch.nn.init.uniform_(parameter, 0.5, 1.5)
ids = torch.randint(50, (2, 80))
with torch.no_grad():
    out = model(ids, output_hidden_states=True)
tensors = {name: tensor.detach().clone() for name, tensor in model.state_dict().items()
           if name != "lm_head.weight"}
tensors |= {"ids": ids, "hidden": out.hidden_states[-1], "logits": out.logits}
save_file({name: tensor.contiguous() for name, tensor in tensors.items()},
          str(Path(__file__).with_suffix(".safetensors")))
