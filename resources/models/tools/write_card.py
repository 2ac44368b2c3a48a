#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Put a model's figures into its card.

    python3 resources/models/tools/write_card.py resources/models/lens-small

Fills the parts of README.md between "<!-- figures -->", "<!-- larger -->", "<!-- classes -->",
"<!-- photographs -->" and "<!-- stages -->" and the comment that ends each, from evaluation.json (the default
size), evaluation-384.json, photographs.json and log.jsonl beside it. The words between them are people's.
"""
import argparse
import json
import pathlib
import re

ROWS = [
    ("words, mean IoU", "text"), ("words for one class", "text.one"), ("words for two classes", "text.two"),
    ('"everything"', "text.all"), ("masks of counting requests", "text.count"), ("by colour", "text.colour"),
    ("by size", "text.size"), ("by place", "text.place"), ("by kind or use", "text.kind"),
    ("in Korean", "text.korean"), ("objects one by one, F1 at IoU 0.5", "objects.f1"),
    ("one click", "click.1"), ("the best of what one click may mean", "click.1.candidates"),
    ("two clicks", "click.2"), ("three clicks", "click.3"), ("five clicks", "click.5"), ("box", "box"),
    ("clicks needed for IoU 0.85 (at most 10)", "clicks.for.85"),
    ("clicks needed for IoU 0.90 (at most 10)", "clicks.for.90"),
    ("count of what is there, exactly right", "count"), ('"there is no" when asked for the count', "count.none"),
    ("finds what is there", "absence.found"), ("says so when it is absent", "absence.missed"),
    ("answer changes with another picture, where it should", "swap.changed"),
    ("answer right word for word", "answer"), ("answer to a word it does not know, word for word", "answer.strange"),
    ("objects found", "found"), ("objects found that are none, a scene", "found.wrong"),
    ("class of a found object", "class.object"), ("class of an object's patch", "class.patch"),
    ("class of a mask", "class.mask"), ("error of the score of a mask of words", "score.error"),
    ("error of the score of a mask of a click", "score.click.error"),
    ("score of a mask of a click less its IoU", "score.click.bias"),
]
LARGER_ROWS = [row for row in ROWS if row[1] in {
    "text", "text.one", "text.all", "text.kind", "objects.f1", "click.1", "click.3", "box", "count", "absence.found",
    "absence.missed", "swap.changed", "answer", "class.object"}]
LEAST_REQUESTS = 8  # of a class, to be named as a best or worst
NAMED_CLASSES = 10


def table(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def figures(evaluation, rows=ROWS):
    def cell(value):
        return f"{value['mean']:.3f} ({value['low']:.3f}–{value['high']:.3f}, {value['count']})" if value else "–"

    seen, unseen = evaluation["sets"]["seen"], evaluation["sets"]["unseen"]
    return table(["figure", "seen sprites", "held-out sprites"],
                 [[name, cell(seen.get(key)), cell(unseen.get(key))] for name, key in rows])


def classes(evaluation):
    seen = evaluation["sets"]["seen"]
    prefix = "text.class."
    ranked = sorted((value["mean"], key[len(prefix):]) for key, value in seen.items()
                    if key.startswith(prefix) and value["count"] >= LEAST_REQUESTS)

    def names(entries):
        return ", ".join(f"{name} {mean:.2f}" for mean, name in entries)

    return (f"By class (words, sprites of the training, at least {LEAST_REQUESTS} requests): best "
            f"{names(ranked[::-1][:NAMED_CLASSES])}; worst {names(ranked[:NAMED_CLASSES])}.")


def photographs(judged):
    prompts = table(["photograph", "one click", "two", "three", "box"],
                    [[name, *(f"{value:.3f}" for value in values)] for name, values in judged["prompts"].items()])
    words = table(["photograph", "request", "answer", "IoU", "objects found"],
                  [[w["image"], w["request"], w["answer"].replace("<|mask|>", "`<mask>`"), f"{w['iou']:.2f}",
                    f"{w['found']} of {w['objects']}"] for w in judged["words"]])
    return prompts + "\n\n" + words


def stages(records):
    last = {record["stage"]: record for record in records if "images" in record}  # not judgements
    return table(["stage", "minutes", "scenes"],
                 [[name, round(record["minutes"]), f"{record['images']:,}"] for name, record in last.items()])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=pathlib.Path)
    folder = parser.parse_args().model
    evaluation = json.loads((folder / "evaluation.json").read_text())
    records = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    larger = json.loads((folder / "evaluation-384.json").read_text())
    parts = {"figures": figures(evaluation), "larger": figures(larger, LARGER_ROWS), "classes": classes(evaluation),
             "photographs": photographs(json.loads((folder / "photographs.json").read_text())),
             "stages": stages(records)}
    card = (folder / "README.md").read_text()
    for name, text in parts.items():
        pattern = re.compile(f"<!-- {name} -->.*?<!-- end of {name} -->", re.DOTALL)
        if not pattern.search(card):
            raise SystemExit(f"{folder}/README.md has no part \"<!-- {name} -->\".")
        card = pattern.sub(lambda _: f"<!-- {name} -->\n\n{text}\n\n<!-- end of {name} -->", card)
    (folder / "README.md").write_text(card)


if __name__ == "__main__":
    main()
