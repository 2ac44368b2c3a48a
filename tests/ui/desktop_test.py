#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Performs the demo in the real program on a screen of its own, with mouse and keys.

desktop_test.py PROGRAM EXAMPLES: starts Xvfb and PROGRAM with the first example's picture, types its
request, waits for masks in their colours, asks again by a click, stops, closes; every step is seen
in pictures of the screen. Exits with 77 where Xvfb, xdotool or ImageMagick is missing.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SKIPPED = 77
FIRST_MASK = (230, 159, 0)  # orange, as core/mask/mask_colour.cpp has it
THIRD_MASK = (240, 228, 66)  # yellow
PATIENCE_S = 120


def fail(why):
    sys.exit(f"desktop_test: {why}")


class Screen:
    """An Xvfb without a window manager."""

    def __init__(self):
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
            pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as told:
            number = told.readline().strip()
        if not number:
            fail("Xvfb did not start")
        self.env = {**os.environ, "DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb"}
        self.env.pop("WAYLAND_DISPLAY", None)

    def do(self, *arguments):
        done = subprocess.run(["xdotool", *map(str, arguments)], env=self.env, timeout=60,
                              capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else None

    def pixels(self, x, y, width, height):
        """RGB triples of a part of the screen."""
        raw = subprocess.run(
            ["import", "-window", "root", "-crop", f"{width}x{height}+{x}+{y}", "+repage",
             "-depth", "8", "rgb:-"], env=self.env, timeout=60, capture_output=True, check=True).stdout
        return [tuple(raw[i:i + 3]) for i in range(0, len(raw), 3)]

    def stop(self):
        self.server.terminate()
        self.server.wait(10)


def wait_for(what, condition, process):
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if process.poll() is not None:
            fail(f"the program ended with {process.returncode} while waiting for {what}")
        value = condition()
        if value:
            return value
        time.sleep(0.2)
    fail(f"no {what} within {PATIENCE_S} s")


def mask_outline(screen, colour=FIRST_MASK):
    """Pixels of the canvas in a mask's own colour, which its outline has."""
    close = 12
    return sum(all(abs(a - b) <= close for a, b in zip(pixel, colour))
               for pixel in screen.pixels(0, 60, 940, 430))


def perform(screen, program, examples, home):
    example = json.loads((examples / "index.json").read_text(encoding="utf-8"))[0]
    env = {**screen.env, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home, "XDG_RUNTIME_DIR": home}
    process = subprocess.Popen([program, "--image", str(examples / example["image"])], env=env)
    try:
        window = wait_for("window with the picture",
                          lambda: screen.do("search", "--onlyvisible", "--name", example["image"]), process)
        window = window.split()[0]
        screen.do("windowmove", window, 0, 0)
        screen.do("windowsize", window, 1280, 800)
        screen.do("windowfocus", window)
        time.sleep(1)
        before = mask_outline(screen)

        screen.do("key", "ctrl+l")
        screen.do("type", "--delay", 15, example["request"])
        screen.do("key", "Return")
        wait_for("mask by words", lambda: mask_outline(screen) > before + 200, process)

        screen.do("key", "Escape")  # stops what may still run
        screen.do("key", "ctrl+2")  # points; other tools show no points
        time.sleep(1)
        before = mask_outline(screen, THIRD_MASK)
        screen.do("mousemove", 320, 380, "click", 1)
        positive = (0, 185, 122)  # the point itself, as ui/colours.cpp has it
        wait_for("point where it was clicked",
                 lambda: positive in screen.pixels(308, 368, 24, 24), process)
        wait_for("mask by a click", lambda: mask_outline(screen, THIRD_MASK) > before + 200, process)

        screen.do("key", "ctrl+Return")  # closing while it runs
        screen.do("key", "ctrl+q")
        time.sleep(1)
        if process.poll() is not None:
            fail("closing did not ask about the masks, which are in no file")
        screen.do("key", "alt+c")  # without saving
        code = process.wait(10)
        if code != 0:
            fail(f"closing ended with {code}")
    finally:
        if process.poll() is None:
            process.kill()


def main():
    missing = [tool for tool in ("Xvfb", "xdotool", "import") if not shutil.which(tool)]
    if missing:
        print("Not here, so not tested:", ", ".join(missing))
        sys.exit(SKIPPED)
    program, examples = sys.argv[1], Path(sys.argv[2])
    screen = Screen()
    try:
        with tempfile.TemporaryDirectory() as home:
            os.chmod(home, 0o700)
            perform(screen, program, examples, home)
    finally:
        screen.stop()


main()
