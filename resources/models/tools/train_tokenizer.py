#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Train the byte-level BPE of maskscope_lens on the requests and answers of its training scenes.

    maskscope-train corpus | python3 resources/models/tools/train_tokenizer.py \\
        --out resources/models/lens-small/tokenizer.json

Reads one text a line. All 256 bytes are entries, so that any text can be written; the control tokens
come first and never arise from text. The same corpus gives the same file.
"""
import argparse
import pathlib
import sys

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

CONTROL = ["<|pad|>", "<|image|>", "<|user|>", "<|assistant|>", "<|end|>", "<|mask|>"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entries", type=int, default=1536, help="size of the vocabulary")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=arguments.entries, show_progress=False,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        special_tokens=[AddedToken(token, special=True, normalized=False) for token in CONTROL])
    lines = (line.rstrip("\n") for line in sys.stdin)
    tokenizer.train_from_iterator(lines, trainer)
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(arguments.out))
    print(f"{tokenizer.get_vocab_size()} entries in {arguments.out}")


if __name__ == "__main__":
    sys.exit(main())
