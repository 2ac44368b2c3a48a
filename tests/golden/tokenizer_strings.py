#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tokenizer_strings.json: random strings and their ids by the Hugging Face tokenizers library.

usage: tokenizer_strings.py [COUNT [SEED [OUTPUT]]]
Each tokenizer is a file of tests/cases/tokenizer with a JSON merge patch applied, so that every
pre-tokenizer and option is compared, not only the two that the files use.
"""
import copy
import json
import pathlib
import random
import sys
import unicodedata

from tokenizers import Tokenizer

HERE = pathlib.Path(__file__).parent
CASES = HERE.parent / "cases" / "tokenizer"
GPT4 = (r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|"
        r"\s*[\r\n]|\s+(?!\S)|\s+")
CASED = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|"
         r"[\s\p{P}]|\p{N}{1,3}|\s+|[^\s\p{L}\p{N}]+|\p{L}")


def byte_level(prefix=False, regex=True):
    return {"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": True, "use_regex": regex}


def split(pattern, behaviour, invert=False):
    return {"type": "Split", "pattern": pattern, "behavior": behaviour, "invert": invert}


def sequence(*steps):
    return {"pre_tokenizer": {"type": "Sequence", "pretokenizers": list(steps)}}


def variants():
    yield "digits_bytelevel", {}
    yield "split_regex", {}
    yield "digits_bytelevel", {"pre_tokenizer": byte_level(prefix=True)}
    yield "digits_bytelevel", {"pre_tokenizer": byte_level(regex=False)}
    yield "digits_bytelevel", {"model": {"ignore_merges": True}}
    yield "digits_bytelevel", sequence({"type": "Digits", "individual_digits": False},
                                       byte_level(prefix=True))
    for behaviour in "Removed Isolated MergedWithPrevious MergedWithNext Contiguous".split():
        for invert in False, True:
            yield "split_regex", sequence(split({"Regex": r"\s|\p{P}"}, behaviour, invert),
                                          byte_level(regex=False))
    yield "split_regex", sequence(split({"String": "."}, "Isolated"), byte_level())
    yield "split_regex", sequence(split({"Regex": GPT4}, "Isolated"), byte_level(regex=False))
    yield "split_regex", sequence(split({"Regex": CASED}, "Isolated"), byte_level(regex=False))


# Blocks that are old enough for every library's Unicode tables, and places where they disagree.
BLOCKS = [(0x20, 0x7E), (0xA0, 0x24F), (0x300, 0x36F), (0x370, 0x3FF), (0x400, 0x4FF),
          (0x5D0, 0x5EA), (0x621, 0x66F), (0x904, 0x96F), (0xE01, 0xE5B), (0x1100, 0x11F9),
          (0x1E00, 0x1FFE), (0x2000, 0x206F), (0x2070, 0x209C), (0x2150, 0x218B), (0x2190, 0x2300),
          (0x2460, 0x24FF), (0x3000, 0x30FF), (0x4E00, 0x4FFF), (0xAC00, 0xACFF),
          (0xFB00, 0xFB06), (0xFE00, 0xFE0F), (0xFF01, 0xFFDC), (0x10400, 0x1044F),
          (0x1D400, 0x1D7FF), (0x1F300, 0x1F64F), (0x1F1E6, 0x1F1FF), (0x20000, 0x20100)]
SPECIAL = ["\u180e", "\u0085", "\u00a0", "\u2028", "\u2029", "\u200b", "\u200d", "\ufeff", "\u3000",
           "\u1680", "\u202f", "\u205f", "\x00", "\x0b", "\x0c", "\x1c", "\x1f", "\x7f", "\ufe0f",
           "\u017f", "\u212a", "\u0149"]
WORDS = ["the", " dog", "dogs", "I'll", "don't", "WE'RE", "they've", "'S", "'\u017f", " red", "car",
         "<|mask|>", "<|image|>", "<|im_end|>", "<|mas", "k|>", "<|", "<|MASK|>", "2024", "1.5e-3",
         "\u0663\u0664", "\u00bd", "\u2167", "  ", "   ", "\n", "\r\n", "\n\n", "\t", " \n ", "\u00e9",
         "e\u0301", "\U0001f469\u200d\U0001f680", "\U0001f44d\U0001f3fd", "...", "?!", "\u2014",
         "\u8fd9\u662f", "\u3067\u3059\u3002", "C:\\dir\\file.png"]


def random_text(rng):
    parts = []
    block = rng.choice(BLOCKS)
    for _ in range(rng.randint(1, 12)):
        kind = rng.random()
        if kind < 0.5:
            parts.append(rng.choice(WORDS))
        elif kind < 0.6:
            parts.append(rng.choice(SPECIAL))
        else:
            low, high = block if kind < 0.8 else rng.choice(BLOCKS)
            character = chr(rng.randint(low, high))
            if unicodedata.category(character) not in ("Cn", "Cs"):
                parts.append(character * rng.choice([1, 1, 1, 2, 3]))
    return "".join(parts)


def patched(document, patch):
    if not isinstance(patch, dict):
        return patch
    result = copy.deepcopy(document) if isinstance(document, dict) else {}
    for key, value in patch.items():
        result[key] = patched(result.get(key), value)
    return result


def ids(tokenizer, text, as_text):
    tokenizer.encode_special_tokens = as_text
    return tokenizer.encode(text, add_special_tokens=False).ids


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    output = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else HERE / "tokenizer_strings.json"
    texts = [random_text(rng) for _ in range(count)]
    rows = []
    for index, (base, patch) in enumerate(variants()):
        file = CASES / f"{base}.tokenizer.json"
        # A merge patch cannot tell a list's items apart, so steps replace the whole pre-tokenizer.
        document = json.loads(file.read_text())
        if "pre_tokenizer" in patch:
            document["pre_tokenizer"] = None
        tokenizer = Tokenizer.from_str(json.dumps(patched(document, patch)))
        own = texts if index < 2 else texts[index::10]
        rows.append({"file": file.name, "patch": patch, "cases": [
            {"text": text, "typed": ids(tokenizer, text, True), "parsed": ids(tokenizer, text, False)}
            for text in own]})
        for case in rows[-1]["cases"]:
            if case["parsed"] == case["typed"]:
                del case["parsed"]
    output.write_text(json.dumps(rows, separators=(",", ":")) + "\n")


main()
