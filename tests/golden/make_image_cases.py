#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/cases/image_variants: small pictures of many kinds with what must be read from them.

The right values are those the pictures were made from. Needs numpy, Pillow and tifffile.
"""
import json
import struct
import zlib
from pathlib import Path

import numpy as np
import tifffile
from PIL import Image

OUT = Path(__file__).resolve().parent.parent / "cases" / "image_variants"
QUARTERS = [(220, 20, 20), (20, 200, 20), (20, 20, 220), (230, 220, 20)]
cases = []


def quarters(width=32, height=16):
    """Red, green, blue and yellow quarters."""
    picture = np.zeros((height, width, 3), np.uint8)
    half_h, half_w = height // 2, width // 2
    for i, colour in enumerate(QUARTERS):
        y, x = divmod(i, 2)
        picture[y * half_h:(y + 1) * half_h, x * half_w:(x + 1) * half_w] = colour
    return picture


def case(name, picture, tolerance=0, **fields):
    """`picture` is the upright RGB that must come out."""
    height, width = picture.shape[:2]
    points = sorted({(x, y) for x in (0, width // 4, width - 1) for y in (0, height * 3 // 4, height - 1)})
    samples = [{"xy": [x, y], "rgb": [int(v) for v in picture[y, x]], "tol": tolerance} for x, y in points]
    cases.append({"file": name, "verdict": "accept", "upright_size": [width, height],
                  "samples": samples, **fields})


def refused(name, data, says):
    (OUT / name).write_bytes(data)
    cases.append({"file": name, "verdict": "reject", "says": says})


def stored(picture, orientation):
    """How a camera with this orientation would have stored an upright picture."""
    turn = {1: lambda p: p, 2: lambda p: p[:, ::-1], 3: lambda p: p[::-1, ::-1], 4: lambda p: p[::-1],
            5: lambda p: p.transpose(1, 0, 2), 6: lambda p: np.rot90(p, 1), 7: lambda p: p[::-1, ::-1].transpose(1, 0, 2),
            8: lambda p: np.rot90(p, -1)}
    return np.ascontiguousarray(turn[orientation](picture))


def orientations():
    picture = quarters()
    for orientation in range(1, 9):
        image = Image.fromarray(stored(picture, orientation))
        exif = Image.Exif()
        exif[274] = orientation
        name = f"turned_{orientation}"
        image.save(OUT / f"{name}.jpg", quality=95, subsampling=0, exif=exif)
        case(f"{name}.jpg", picture, 8, orientation=orientation)
        image.save(OUT / f"{name}.png", exif=exif)
        case(f"{name}.png", picture, orientation=orientation)
        image.save(OUT / f"{name}.webp", lossless=True, exif=exif)
        case(f"{name}.webp", picture, orientation=orientation)
        wide = stored(picture, orientation).astype(np.uint16) * 257
        for suffix, array in (("", stored(picture, orientation)), ("_16", wide)):
            tifffile.imwrite(OUT / f"{name}{suffix}.tif", array, photometric="rgb", metadata=None,
                             extratags=[(274, "H", 1, orientation, True)])
            case(f"{name}{suffix}.tif", picture, orientation=orientation,
                 depth=16 if suffix else 8)


def over_white(rgba):
    alpha = rgba[..., 3:].astype(float) / 255
    return np.rint(rgba[..., :3] * alpha + 255 * (1 - alpha)).astype(np.uint8)


def transparency():
    rgba = np.dstack([quarters(), np.full((16, 32), 255, np.uint8)])
    rgba[:, :8, 3] = 0
    rgba[:, 8:20, 3] = 102
    shown = over_white(rgba)
    Image.fromarray(rgba).save(OUT / "alpha.png")
    case("alpha.png", shown, 1, channels=4)
    Image.fromarray(rgba).save(OUT / "alpha.webp", lossless=True, exact=True)
    case("alpha.webp", shown, 1, channels=4)
    tifffile.imwrite(OUT / "alpha.tif", rgba, photometric="rgb", extrasamples=["unassalpha"], metadata=None)
    case("alpha.tif", shown, 2, channels=4)
    premultiplied = rgba.copy()
    premultiplied[..., :3] = np.rint(rgba[..., :3] * (rgba[..., 3:] / 255.0))
    tifffile.imwrite(OUT / "alpha_premultiplied.tif", premultiplied, photometric="rgb",
                     extrasamples=["assocalpha"], metadata=None)
    case("alpha_premultiplied.tif", shown, 2, channels=4)
    tifffile.imwrite(OUT / "fourth_channel.tif", rgba, photometric="rgb", extrasamples=["unspecified"], metadata=None)
    case("fourth_channel.tif", quarters())
    tifffile.imwrite(OUT / "alpha_16.tif", rgba.astype(np.uint16) * 257, photometric="rgb",
                     extrasamples=["unassalpha"], metadata=None)
    case("alpha_16.tif", shown, 1, channels=4, depth=16)
    gray_alpha = np.dstack([np.full((16, 32), 40, np.uint8), rgba[..., 3]])
    Image.fromarray(gray_alpha, "LA").save(OUT / "gray_alpha.png")
    case("gray_alpha.png", over_white(np.dstack([gray_alpha[..., :1]] * 3 + [gray_alpha[..., 1:]])), 1, channels=2)
    key = quarters()
    Image.fromarray(key).save(OUT / "colour_key.png", transparency=QUARTERS[0])
    keyed = key.copy()
    keyed[:8, :16] = 255
    case("colour_key.png", keyed, channels=4)


def png(width, height, depth, colour, rows, extra=b"", after=b""):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    packed = zlib.compress(b"".join(b"\0" + row for row in rows))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", packed) + after
            + chunk(b"IEND", b""))


def depths():
    for bits in (1, 2, 4):
        values = np.arange(16) % (1 << bits)
        text = "".join(format(v, f"0{bits}b") for v in values)
        row = bytes(int(text[i:i + 8], 2) for i in range(0, len(text), 8))
        (OUT / f"gray{bits}.png").write_bytes(png(16, 3, bits, 0, [row] * 3))
        gray = np.rint(values * 255 / ((1 << bits) - 1)).astype(np.uint8)
        case(f"gray{bits}.png", np.broadcast_to(gray[None, :, None], (3, 16, 3)), depth=bits, channels=1)
    row = np.arange(32, dtype=np.uint16) * 130
    low = np.broadcast_to(row, (4, 32))
    Image.fromarray(np.ascontiguousarray(low)).save(OUT / "low_16.png")
    stretched = np.rint(low * 255.0 / row.max()).astype(np.uint8)
    case("low_16.png", np.dstack([stretched] * 3), 1, depth=16, channels=1, notes=1)
    wide = quarters().astype(np.uint16) * 257
    rows = [wide[y].astype(">u2").tobytes() for y in range(wide.shape[0])]
    (OUT / "rgb_16.png").write_bytes(png(32, 16, 16, 2, rows))
    case("rgb_16.png", quarters(), depth=16, channels=3)
    Image.fromarray(quarters()).convert("P", palette=Image.Palette.ADAPTIVE, colors=4).save(OUT / "palette.png")
    case("palette.png", quarters(), depth=8, channels=3)
    Image.fromarray(quarters()).save(OUT / "interlaced.png")
    gray = np.broadcast_to(np.arange(32, dtype=np.uint8) * 8, (4, 32))
    Image.fromarray(np.ascontiguousarray(gray)).save(OUT / "gray.jpg", quality=95)
    case("gray.jpg", np.dstack([gray] * 3), 6, channels=1)
    (OUT / "interlaced.png").unlink()


def tiffs():
    picture = quarters(48, 32)
    def write(name, array, tolerance=0, shown=picture, fields=None, **options):
        tifffile.imwrite(OUT / name, array, metadata=None, **options)
        case(name, shown, tolerance, **(fields or {}))
    write("planes.tif", picture.transpose(2, 0, 1), photometric="rgb", planarconfig="separate")
    write("tiles.tif", picture, photometric="rgb", tile=(16, 16))
    write("tiles_16.tif", picture.astype(np.uint16) * 257, photometric="rgb", tile=(32, 32), fields={"depth": 16})
    write("planes_16.tif", picture.transpose(2, 0, 1).astype(np.uint16) * 257, photometric="rgb", planarconfig="separate")
    write("big_endian_16.tif", picture.astype(np.uint16) * 257, photometric="rgb", byteorder=">")
    write("bigtiff.tif", picture, photometric="rgb", bigtiff=True)
    write("deflate_16.tif", picture.astype(np.uint16) * 257, photometric="rgb", compression="zlib", predictor=2)
    pages = np.stack([picture, 255 - picture, picture])
    write("pages.tif", pages, photometric="rgb", fields={"frames": 3, "notes": 1})
    unit = (picture / 255.0).astype(np.float32)
    write("float_unit.tif", unit, 1, photometric="rgb", fields={"depth": 32, "notes": 0})
    row = np.linspace(-50, 1000, 32, dtype=np.float32)
    ramp = np.broadcast_to(row, (4, 32)).copy()
    gray = np.rint((ramp + 50) * 255 / 1050).astype(np.uint8)
    write("float_range.tif", ramp, 1, np.dstack([gray] * 3), photometric="minisblack", fields={"depth": 32, "channels": 1, "notes": 1})
    holes = ramp.copy()
    holes[1, 3], holes[1, 4], holes[1, 5] = np.nan, np.inf, -np.inf
    write("float_holes.tif", holes, 1, np.dstack([gray] * 3), photometric="minisblack", fields={"notes": 1})
    signed = np.round(ramp).astype(np.int16)
    write("signed_16.tif", signed, 1, np.dstack([gray] * 3), photometric="minisblack", fields={"notes": 1})
    tiny = np.broadcast_to(np.arange(-100, 100, 25, dtype=np.int8), (4, 8)).copy()
    gray8 = np.rint((tiny + 100.0) * 255 / 175).astype(np.uint8)
    write("signed_8.tif", tiny, 1, np.dstack([gray8] * 3), photometric="minisblack", fields={"notes": 1})
    white = np.broadcast_to(np.arange(32, dtype=np.uint16) * 2000, (4, 32)).copy()
    inverted = np.rint((65535 - white) / 257.0).astype(np.uint8)
    write("min_is_white_16.tif", white, 1, np.dstack([inverted] * 3), photometric="miniswhite")
    write("min_is_white.tif", (white // 257).astype(np.uint8), 1, np.dstack([inverted] * 3), photometric="miniswhite")
    image = Image.fromarray(picture)
    for name, mode, compression in (("one_bit", "1", "group4"), ("palette", "P", None), ("lzw", "RGB", "tiff_lzw"),
                                    ("jpeg", "RGB", "jpeg"), ("packbits", "L", "packbits")):
        converted = image.convert(mode) if mode != "P" else image.convert("P", palette=Image.Palette.ADAPTIVE, colors=4)
        converted.save(OUT / f"{name}.tif", compression=compression)
        case(f"{name}.tif", np.array(converted.convert("RGB")), 8 if compression == "jpeg" else 0)
    data = (OUT / "deflate_16.tif").read_bytes()
    refused("cut.tif", data[:len(data) // 2], "damaged TIFF")
    refused("cut_header.tif", data[:7], "damaged TIFF")
    header = (b"II*\0" + struct.pack("<IH", 8, 6)
              + b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in
                         ((256, 14000), (257, 14000), (258, 8), (262, 1), (273, 8), (279, 1000000))) + b"\0" * 4)
    refused("too_short.tif", header, "too short for its size")


def bmps():
    picture = quarters(30, 10)
    def write(name, bits, rows, header=b"", compression=0, size=40, height=10, palette=b"", shown=picture, **fields):
        offset = 14 + size + len(header if size == 40 else b"") + len(palette)
        info = struct.pack("<IiiHHIIiiII", size, 30, height, 1, bits, compression, len(rows), 0, 0, len(palette) // 4, 0)
        data = info + header + palette + rows
        (OUT / name).write_bytes(b"BM" + struct.pack("<IHHI", 14 + len(data), 0, 0, offset) + data)
        case(name, shown, **fields)
    bottom_up = picture[::-1]
    bgr = [row[:, ::-1].tobytes() for row in bottom_up]
    write("b24.bmp", 24, b"".join(row + b"\0" * (-len(row) % 4) for row in bgr))
    write("b24_top_down.bmp", 24, b"".join(row[:, ::-1].tobytes() + b"\0\0" for row in picture), height=-10)
    quad = np.dstack([bottom_up[..., ::-1], np.zeros((10, 30), np.uint8)])
    write("b32_no_alpha.bmp", 32, quad.tobytes(), channels=3)
    alpha = picture.copy()
    rgba = np.dstack([picture, np.full((10, 30), 255, np.uint8)])
    rgba[:, :10, 3] = 51
    alpha = over_white(rgba)
    masks = struct.pack("<IIII", 0xFF0000, 0xFF00, 0xFF, 0xFF000000)
    v4 = masks + b"BGRs" + b"\0" * 48
    write("b32_alpha.bmp", 32, rgba[::-1][..., [2, 1, 0, 3]].tobytes(), v4, 3, 108, shown=alpha, tolerance=1, channels=4)
    write("b32_alpha_unused.bmp", 32, quad.tobytes(), v4, 3, 108)
    five = ((bottom_up[..., 0].astype(np.uint16) >> 3) << 11 | (bottom_up[..., 1].astype(np.uint16) >> 2) << 5
            | bottom_up[..., 2] >> 3)
    write("b16_565.bmp", 16, five.astype("<u2").tobytes(), struct.pack("<III", 0xF800, 0x7E0, 0x1F), 3, tolerance=8)
    index = np.zeros((10, 30), np.uint8)
    for i, colour in enumerate(QUARTERS):
        index[(picture == colour).all(-1)] = i
    palette = b"".join(bytes((b, g, r, 0)) for r, g, b in QUARTERS)
    up = index[::-1]
    write("b8.bmp", 8, b"".join(row.tobytes() + b"\0\0" for row in up), palette=palette)
    nibbles = b"".join(bytes(row[i] << 4 | row[i + 1] for i in range(0, 30, 2)) + b"\0" for row in up)
    write("b4.bmp", 4, nibbles, palette=palette)
    runs8 = b"".join(bytes((15, row[0], 15, row[29], 0, 0)) for row in up) + b"\0\1"
    write("rle8.bmp", 8, runs8, palette=palette, compression=1)
    plain8 = b"".join(b"\0" + bytes((30,)) + row.tobytes() + b"\0\0" for row in up) + b"\0\1"
    write("rle8_plain.bmp", 8, plain8, palette=palette, compression=1)
    runs4 = b"".join(bytes((15, row[0] * 17, 15, row[29] * 17, 0, 0)) for row in up) + b"\0\1"
    write("rle4.bmp", 4, runs4, palette=palette, compression=2)
    one = (picture[..., 0] > 128).astype(np.uint8)
    bits = np.packbits(np.pad(one[::-1], ((0, 0), (0, 2))), axis=1).tobytes()
    shown = np.where(one[..., None], np.array((255, 255, 255)), np.array((0, 0, 0))).astype(np.uint8)
    write("b1.bmp", 1, bits, palette=b"\0\0\0\0\xff\xff\xff\0", shown=shown)
    os2 = struct.pack("<IHHHH", 12, 30, 10, 1, 8) + b"".join(bytes((b, g, r)) for r, g, b in QUARTERS) + b"\0" * 756
    rows = b"".join(row.tobytes() + b"\0\0" for row in up)
    (OUT / "os2.bmp").write_bytes(b"BM" + struct.pack("<IHHI", 0, 0, 0, 14 + len(os2)) + os2 + rows)
    case("os2.bmp", picture)
    data = (OUT / "b24.bmp").read_bytes()
    refused("cut.bmp", data[:-10], "damaged BMP")
    refused("rle8_cut.bmp", (OUT / "rle8.bmp").read_bytes()[:-20], "damaged BMP")
    refused("compressed.bmp", data[:30] + struct.pack("<I", 4) + data[34:], "of a kind that is not read")


def gif(width, height, blocks, colours=QUARTERS):
    table = b"".join(bytes(c) for c in colours)
    return b"GIF89a" + struct.pack("<HHBBB", width, height, 0xF1, 0, 0) + table + b"".join(blocks) + b";"


def gif_picture(left, top, index, interlaced=False, before=b""):
    """Uncompressed LZW: a clear code often enough that codes stay at 3 bits."""
    height, width = index.shape
    order = ([y for first, step in ((0, 8), (4, 8), (2, 4), (1, 2)) for y in range(first, height, step)]
             if interlaced else range(height))
    codes = []
    for count, value in enumerate(index[list(order)].reshape(-1)):
        if count % 2 == 0:
            codes.append(4)
        codes.append(int(value))
    codes.append(5)
    text = "".join(format(code, "03b")[::-1] for code in codes)
    text += "0" * (-len(text) % 8)
    data = bytes(int(text[i:i + 8][::-1], 2) for i in range(0, len(text), 8))
    pieces = b"".join(bytes((len(data[i:i + 255]),)) + data[i:i + 255] for i in range(0, len(data), 255))
    return (before + b"," + struct.pack("<HHHHB", left, top, width, height, 0x40 if interlaced else 0)
            + b"\x02" + pieces + b"\0")


def gifs():
    index = np.zeros((16, 32), np.uint8)
    index[:8, 16:], index[8:, :16], index[8:, 16:] = 1, 2, 3
    colours = np.array(QUARTERS, np.uint8)
    transparent = b"!\xf9\x04\x01\0\0\x00\0"  # index 0
    data = gif(32, 16, [gif_picture(0, 0, index)])
    (OUT / "plain.gif").write_bytes(data)
    case("plain.gif", colours[index], frames=1, notes=0)
    (OUT / "interlaced.gif").write_bytes(gif(32, 16, [gif_picture(0, 0, index, True)]))
    case("interlaced.gif", colours[index])
    (OUT / "no_screen.gif").write_bytes(gif(0, 0, [gif_picture(0, 0, index)]))
    case("no_screen.gif", colours[index])
    shown = colours[index].copy()
    shown[index == 0] = 255
    (OUT / "transparent.gif").write_bytes(gif(32, 16, [gif_picture(0, 0, index, before=transparent)]))
    case("transparent.gif", shown, channels=4)
    shown = np.full((20, 40, 3), 255, np.uint8)
    shown[3:19, 5:37] = colours[index]
    (OUT / "offset.gif").write_bytes(gif(40, 20, [gif_picture(5, 3, index)]))
    case("offset.gif", shown)
    (OUT / "beyond.gif").write_bytes(gif(20, 10, [gif_picture(5, 3, index)]))
    shown = np.full((10, 20, 3), 255, np.uint8)
    shown[3:, 5:] = colours[index][:7, :15]
    case("beyond.gif", shown)
    (OUT / "frames.gif").write_bytes(gif(32, 16, [gif_picture(0, 0, index), gif_picture(2, 2, index[:4, :4])] * 2))
    case("frames.gif", colours[index], frames=4, notes=1)
    refused("cut.gif", data[:60], "damaged GIF")
    refused("no_picture.gif", gif(32, 16, []), "damaged GIF")
    refused("no_colours.gif", b"GIF89a" + struct.pack("<HHBBB", 32, 16, 0, 0, 0) + gif_picture(0, 0, index) + b";",
            "damaged GIF")


def webps():
    first, second = Image.fromarray(quarters()), Image.fromarray(255 - quarters())
    first.save(OUT / "frames.webp", save_all=True, append_images=[second], lossless=True)
    case("frames.webp", quarters(), frames=2, notes=1)
    data = (OUT / "turned_1.webp").read_bytes()
    refused("cut.webp", data[:len(data) // 2], "damaged WebP")
    refused("cut_header.webp", data[:14], "damaged WebP")


def jpegs():
    rng = np.random.default_rng(7)
    noisy = Image.fromarray(rng.integers(0, 255, (64, 64, 3), np.uint8))
    noisy.save(OUT / "whole.jpg", quality=80)
    data = (OUT / "whole.jpg").read_bytes()
    (OUT / "whole.jpg").unlink()
    shown = np.array(noisy)
    (OUT / "no_end_marker.jpg").write_bytes(data[:-2])
    cases.append({"file": "no_end_marker.jpg", "verdict": "accept", "upright_size": [64, 64], "samples": []})
    refused("cut_3_quarters.jpg", data[:len(data) * 3 // 4], "its data end near row ")
    inks = np.zeros((16, 16, 4), np.uint8)
    inks[:, :8, 0] = 255
    inks[:, 8:, 3] = 255
    adobe = OUT / "cmyk_plain.jpg"
    Image.fromarray(inks, "CMYK").save(adobe, quality=95)
    data = bytearray(adobe.read_bytes())
    at = data.index(b"Adobe")
    # Without its APP14 segment the same bytes mean the opposite amount of ink: Pillow stores inverted.
    del data[at - 4:at - 4 + 16]
    adobe.write_bytes(data)
    shown = np.zeros((16, 16, 3), np.uint8)
    shown[:, :8] = 0
    case("cmyk_plain.jpg", plain_cmyk(255 - inks), 12, channels=4)
    bad = bytearray((OUT / "turned_6.jpg").read_bytes())
    at = bad.index(b"Exif\0\0") + 6
    bad[at + 4:at + 8] = b"\xff\xff\xff\x7f"
    (OUT / "exif_broken.jpg").write_bytes(bad)
    case("exif_broken.jpg", stored(quarters(), 6), 8, orientation=1)


def plain_cmyk(inks):
    colour = (255 - inks[..., :3].astype(int)) * (255 - inks[..., 3:].astype(int)) / 255
    return np.rint(colour).astype(np.uint8)


def broken_pngs():
    rows = [row.tobytes() for row in quarters()]
    good = png(32, 16, 8, 2, rows)
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    actl = chunk(b"acTL", struct.pack(">II", 3, 0))
    (OUT / "animated.png").write_bytes(png(32, 16, 8, 2, rows, extra=actl))
    case("animated.png", quarters(), frames=3, notes=1)
    (OUT / "no_end.png").write_bytes(good[:-12])
    case("no_end.png", quarters(), notes=1)
    crc = bytearray(good)
    crc[-13] ^= 1
    refused("bad_crc.png", bytes(crc), "damaged PNG")
    refused("missing_rows.png", png(32, 16, 8, 2, rows[:9]), "damaged PNG")
    refused("bad_depth.png", png(32, 16, 3, 2, rows), "damaged PNG")
    refused("no_palette.png", png(32, 16, 8, 3, [b"\0" * 32] * 16), "damaged PNG")
    refused("too_short.png", png(14000, 14000, 8, 2, rows), "too short for its size")


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    for old in OUT.iterdir():
        old.unlink()
    for make in (orientations, transparency, depths, tiffs, bmps, gifs, webps, jpegs, broken_pngs):
        make()
    text = json.dumps({"images": cases}, indent=None, separators=(",", ":"))
    (OUT / "expected.json").write_text(text.replace('{"file"', '\n{"file"') + "\n")


if __name__ == "__main__":
    main()
