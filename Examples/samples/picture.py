#!/usr/bin/python3
"""Does to a picture what happens to cards in front of cameras.

    picture.py turn DEGREES FROM TO     counter-clockwise, on white
    picture.py wipe PERCENT FROM TO     so much of the width is gone, from the middle outwards
    picture.py blank WIDTH HEIGHT TO    a white one

Needs the Python package Pillow (Debian: python3-pil).
"""

import sys

from PIL import Image, ImageDraw


def read(path):
    """In grey, without palette and transparency."""
    with Image.open(path) as image:
        return image.convert("RGBA").convert("L")


def turn(degrees, source, target):
    read(source).rotate(float(degrees), Image.BICUBIC, expand=True, fillcolor=255).save(target)


def wipe(percent, source, target):
    grey = read(source)
    width = grey.width * float(percent) / 100
    left = (grey.width - width) / 2
    ImageDraw.Draw(grey).rectangle((left, 0, left + width, grey.height), fill=255)
    grey.save(target)


def blank(width, height, target):
    Image.new("L", (int(width), int(height)), 255).save(target)


COMMANDS = {"turn": (turn, 3), "wipe": (wipe, 3), "blank": (blank, 3)}

if __name__ == "__main__":
    command, count = COMMANDS.get(sys.argv[1] if len(sys.argv) > 1 else "", (None, 0))
    if command is None or len(sys.argv) - 2 != count:
        sys.exit(__doc__)
    command(*sys.argv[2:])
