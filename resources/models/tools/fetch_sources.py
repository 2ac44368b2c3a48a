#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fetch the pictures that training scenes are made of.

    python3 resources/models/tools/fetch_sources.py [--out .cache/sources]

Downloads the Debian packages below (apt-get download, no root needed), unpacks them and writes every
sprite and background that resources/models/classes.json names: sprites cut to their visible part and at
most 256 pixels, backgrounds at most 1024 pixels, and manifest.json with the digest of each file.
Needs apt, dpkg-deb and the Python packages pillow, fonttools and resvg-py. The same packages give the
same files.
"""
import argparse
import hashlib
import io
import json
import pathlib
import struct
import subprocess
import sys
import zlib

import resvg_py
from fontTools.ttLib import TTFont
from PIL import Image

PACKAGES = {
    "fonts-noto-color-emoji": "OFL-1.1, Apache-2.0",
    "openclipart-png": "public domain",
    "tuxpaint-stamps-default": "GPL-2+",
    "ruby-gemojione": "CC-BY-SA-4.0",
    "gcompris-qt-data": "GPL-3+, GPL-3, CC-BY-SA-4.0, public domain",
    "plasma-workspace-wallpapers": "GPL-2+",
    "mate-backgrounds": "GPL-2+, CC-BY-SA-4.0",
    "gnome-backgrounds": "GPL-2+",
}
SPRITE_SIDE = 256
BACKGROUND_SIDE = 1024
EMOJI_FONT = "usr/share/fonts/truetype/noto/NotoColorEmoji.ttf"
GCOMPRIS = "usr/share/gcompris-qt/rcc"
FOLDERS = {"stamps": "usr/share/tuxpaint/stamps", "clipart": "usr/share/openclipart/png",
           "emojione": "usr/share/rubygems-integration/all/gems/gemojione-3.3.0/assets/svg",
           "gcompris": "gcompris/src",
           "backgrounds": "usr/share/backgrounds", "wallpapers": "usr/share/wallpapers"}


def resource_files(data):
    """Path and content of every file in a binary resource of Qt, as its tool rcc writes them."""
    magic, version, tree, contents, names = struct.unpack_from(">4sIIII", data)
    if magic != b"qres":
        raise ValueError("not a Qt resource file")
    size = 14 if version == 1 else 22
    folders = [(0, "")]
    while folders:
        node, folder = folders.pop()
        count, first = struct.unpack_from(">II", data, tree + node * size + 6)
        for child in range(first, first + count):
            at = tree + child * size
            name, flags = struct.unpack_from(">IH", data, at)
            length, = struct.unpack_from(">H", data, names + name)
            start = names + name + 6
            path = folder + data[start:start + 2 * length].decode("utf-16-be")
            if flags & 2:
                folders.append((child, path + "/"))
                continue
            start = contents + struct.unpack_from(">I", data, at + 10)[0]
            end = start + 4 + struct.unpack_from(">I", data, start)[0]
            yield path, zlib.decompress(data[start + 8:end]) if flags & 1 else data[start + 4:end]


def unpack_resources(root):
    """Writes the pictures in the resources of GCompris to files below root."""
    for resource in sorted((root / GCOMPRIS).glob("*.rcc")):
        for name, content in resource_files(resource.read_bytes()):
            if name.endswith((".svg", ".webp")):
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)


def fetch_packages(out):
    """Every package, downloaded and unpacked once; returns {package: {file, sha256, licence}}."""
    folder, root = out / "packages", out / "unpacked"
    folder.mkdir(parents=True, exist_ok=True)
    packages = {}
    for name, licence in PACKAGES.items():
        found = sorted(folder.glob(name + "_*.deb"))
        if not found:
            print(f"downloading {name}", flush=True)
            subprocess.run(["apt-get", "download", name], cwd=folder, check=True)
            found = sorted(folder.glob(name + "_*.deb"))
        digest = hashlib.sha256(found[-1].read_bytes()).hexdigest()
        marker = root / ("." + name)
        if not marker.exists() or marker.read_text() != digest:
            print(f"unpacking {name}", flush=True)
            root.mkdir(parents=True, exist_ok=True)
            subprocess.run(["dpkg-deb", "-x", str(found[-1]), str(root)], check=True)
            if name == "gcompris-qt-data":
                unpack_resources(root)
            marker.write_text(digest)
        packages[name] = {"file": found[-1].name, "sha256": digest, "licence": licence}
    return root, packages


class Emoji:
    """The colour bitmaps of the emoji font by their code points, such as "1f408-200d-2b1b"."""

    def __init__(self, path):
        font = TTFont(path)
        characters = font.getBestCmap()
        of_glyph = {}
        for code, glyph in characters.items():
            of_glyph.setdefault(glyph, code)
        sequences = {glyph: [code] for glyph, code in of_glyph.items()}
        for lookup in font["GSUB"].table.LookupList.Lookup:
            for table in lookup.SubTable:
                if table.LookupType == 7:
                    table = table.ExtSubTable
                if table.LookupType != 4:
                    continue
                for first, ligatures in table.ligatures.items():
                    for ligature in ligatures:
                        glyphs = [first] + ligature.Component
                        if all(glyph in of_glyph for glyph in glyphs):
                            sequences.setdefault(ligature.LigGlyph,
                                                 [of_glyph[glyph] for glyph in glyphs])
        self.bitmaps = {}
        for strike in font["CBDT"].strikeData:
            for glyph, data in strike.items():
                codes = [code for code in sequences.get(glyph, []) if code != 0xFE0F]
                if codes:
                    self.bitmaps["-".join(f"{code:x}" for code in codes)] = data.imageData

    def read(self, name):
        return Image.open(io.BytesIO(self.bitmaps[name]))


def read_file(root, kind, name):
    """A picture of a package as an image, and whether it is cut out of a photograph."""
    path = root / FOLDERS[kind] / (name + ".png")
    if path.exists():
        return Image.open(path), kind == "stamps" and "cartoon" not in name
    drawing = path.with_suffix(".svg")
    if not drawing.exists():
        return Image.open(path.with_suffix(".webp")), True
    data = resvg_py.svg_to_bytes(svg_path=str(drawing), width=SPRITE_SIDE, skip_system_fonts=True)
    return Image.open(io.BytesIO(bytes(data))), False


def make_sprite(image):
    image = image.convert("RGBA")
    if max(image.size) > 4 * SPRITE_SIDE:
        image = image.reduce(max(image.size) // (2 * SPRITE_SIDE))
    visible = image.getchannel("A").point(lambda alpha: 255 if alpha > 20 else 0).getbbox()
    image = image.crop(visible)
    image.thumbnail((SPRITE_SIDE, SPRITE_SIDE), Image.LANCZOS)
    return image


def background_file(root, name):
    """The picture itself, or of a wallpaper's many sizes the landscape one nearest to 2560 wide."""
    kind, rest = name.split("/", 1)
    if kind == "backgrounds":
        return next(path for suffix in (".jpg", ".png", ".webp")
                    if (path := root / FOLDERS[kind] / (rest + suffix)).exists())
    sizes = {}
    for path in sorted((root / FOLDERS[kind] / rest / "contents/images").iterdir()):
        with Image.open(path) as image:
            if image.width >= image.height:
                sizes[path] = abs(image.width - 2560)
    return min(sizes, key=sizes.get)


def make_background(path):
    Image.MAX_IMAGE_PIXELS = None
    image = Image.open(path)
    image.draft("RGB", (BACKGROUND_SIDE, BACKGROUND_SIDE))
    image = image.convert("RGB")
    image.thumbnail((BACKGROUND_SIDE, BACKGROUND_SIDE), Image.LANCZOS)
    return image


def write(image, out, name, files, **facts):
    path = out / (name + ".png")
    path.parent.mkdir(parents=True, exist_ok=True)
    image.info.clear()
    image.save(path)
    files[name] = {"size": list(image.size),
                   "sha256": hashlib.sha256(path.read_bytes()).hexdigest(), **facts}


def main():
    here = pathlib.Path(__file__).resolve()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=here.parents[3] / ".cache/sources")
    parser.add_argument("--classes", type=pathlib.Path, default=here.parents[1] / "classes.json")
    arguments = parser.parse_args()
    out = arguments.out.resolve()
    listed = json.loads(arguments.classes.read_text())
    root, packages = fetch_packages(out)

    files = {}
    emoji = Emoji(root / EMOJI_FONT)
    for entry in [*listed["classes"], listed["nameless"]]:
        for name in entry["sprites"] + entry["held_out"]:
            kind, rest = name.split("/", 1)
            image, photograph = (emoji.read(rest), False) if kind == "emoji" else read_file(
                root, kind, rest)
            write(make_sprite(image), out, name, files, photograph=photograph)
    for name in listed["backgrounds"]["sprites"] + listed["backgrounds"]["held_out"]:
        write(make_background(background_file(root, name)), out, name, files)

    manifest = {"packages": packages, "files": dict(sorted(files.items()))}
    (out / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    print(f"{len(files)} pictures in {out}")


if __name__ == "__main__":
    sys.exit(main())
