#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Changes a picture as a camera may see a card.

    picture.py turn DEGREES FROM TO     counter-clockwise, on white
    picture.py wipe PERCENT FROM TO     erases this part of the width, from the middle outwards
    picture.py beside FROM FROM TO      joins two pictures, one above the other
    picture.py blank WIDTH HEIGHT TO    a white picture
    picture.py noise WIDTH HEIGHT TO    noise, as a camera sees in the dark
    picture.py text WIDTH HEIGHT TO     a page of words
    picture.py claim WIDTH HEIGHT FROM TO    the header claims another size than the file has
    picture.py spoil SEED FROM TO       changes some bytes of the file

Needs the Python package Pillow (Debian: python3-pil).
"""

import pathlib
import random
import struct
import sys
import zlib

from PIL import Image, ImageDraw


def read(path):
    """Reads a picture in grey, without palette and transparency."""
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


def beside(first, second, target):
    upper, lower = read(first), read(second)
    both = Image.new("L", (max(upper.width, lower.width), upper.height + lower.height), 255)
    both.paste(upper, (0, 0))
    both.paste(lower, (0, upper.height))
    both.save(target)


def noise(width, height, target):
    size = int(width), int(height)
    Image.frombytes("L", size, random.Random(1).randbytes(size[0] * size[1])).save(target)


def text(width, height, target):
    page = Image.new("L", (int(width), int(height)), 255)
    words = "Hold the card before the camera. |||| :::: #### [] HHHH 0123456789 "
    for line in range(0, page.height, 12):
        ImageDraw.Draw(page).text((10, line), (words[line % 40:] + words) * 2, fill=0)
    page.save(target)


def claim(width, height, source, target):
    """Changes width and height, which follow the signature, the length and the name of the first chunk."""
    file = bytearray(pathlib.Path(source).read_bytes())
    file[16:24] = struct.pack(">II", int(width), int(height))
    file[29:33] = struct.pack(">I", zlib.crc32(file[12:29]))
    pathlib.Path(target).write_bytes(file)


def spoil(seed, source, target):
    chance = random.Random(int(seed))
    file = bytearray(pathlib.Path(source).read_bytes())
    for _ in range(chance.randint(1, 8)):
        file[chance.randrange(8, len(file))] = chance.randrange(256)
    pathlib.Path(target).write_bytes(file)


COMMANDS = {
    "turn": (turn, 3), "wipe": (wipe, 3), "beside": (beside, 3), "blank": (blank, 3),
    "noise": (noise, 3), "text": (text, 3), "claim": (claim, 4), "spoil": (spoil, 3)}

if __name__ == "__main__":
    command, count = COMMANDS.get(sys.argv[1] if len(sys.argv) > 1 else "", (None, 0))
    if command is None or len(sys.argv) - 2 != count:
        sys.exit(__doc__)
    command(*sys.argv[2:])
