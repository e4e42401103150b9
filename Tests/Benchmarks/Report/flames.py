#!/usr/bin/env python3
"""Draws where a program's processor time goes, from the stacks that `perf script` prints.

    perf script -F comm,ip,sym,dso | flames.py TITLE SWIFT > PICTURE.svg

A frame is as wide as its share of the time, and stands on what called it, or at the bottom if that is not known. Its
colour says roughly, by its name, whose code it is. SWIFT is the compiler whose `swift demangle` makes names readable.
Frames that only hand over, and those of less than a two-hundredth of the time, are left out.
"""

import re
import subprocess
import sys
from dataclasses import dataclass, field
from html import escape

import plots

LEAST, ROW = 1 / 200, 15
FRAME = re.compile(r"^\s+[0-9a-f]+ (.*) \(([^()]*)\)$")
# What only passes a call on: it makes a picture higher and says nothing.
PASSES = re.compile(
    r"^(closure|partial apply|thunk for|protocol witness|implicit closure|dispatch thunk|_dispatch|start_thread|"
    r"__?clone|swift::|swift_|_swift|0x|\[unknown\]|0000|entry_SYSCALL|do_syscall|__x64|DispatchQueue|"
    r"specialized closure|specialized thunk|merged |static MultiThreadedEventLoopGroup|SerializedDatabase)")
KINDS = (
    ("signatures and curves", re.compile(r"BoringSSL|^fe_|^ge_|^sc_|x25519|libsodium|curve25519|sha(256|512)")),
    ("SQLite and GRDB", re.compile(r"sqlite|GRDB|Database\.|Statement|Cursor|Row\b")),
    ("the system", re.compile(r"kernel|libc\.so|ld-linux")),
    ("HTTP and event loops", re.compile(r"NIO|HTTP|Hummingbird|llhttp|EventLoop|Channel|channelRead|decodeLoop|PendingWrites|Selector|Socket")),
    ("the provider and Swift", re.compile("")),
)


@dataclass
class Node:
    total: int = 0
    kind: str = ""
    beneath: dict[str, "Node"] = field(default_factory=dict)


def stacks(lines: list[str]) -> list[list[tuple[str, str]]]:
    """The frames of each sample with their files, the outermost first."""
    found: list[list[tuple[str, str]]] = []
    for line in lines:
        if line and not line[0].isspace():
            found.append([])
        elif found and (frame := FRAME.match(line)):
            found[-1].insert(0, (re.sub(r"\+0x[0-9a-f]+$", "", frame[1]), frame[2].rsplit("/", 1)[-1]))
    return found


def kind(name: str, file: str) -> str:
    return next(words for words, pattern in KINDS if pattern.search(name) or pattern.search(file))


def tree(samples: list[list[tuple[str, str]]]) -> Node:
    root = Node()
    for sample in samples:
        frames: list[tuple[str, str]] = []
        for name, file in sample:
            # libsodium is without names and frame pointers: who called it is not known.
            if file.startswith("libsodium"):
                frames = [("libsodium", file)]
                break
            # Of the system only the call.
            if call := re.match(r"__x64_sys_(\w+)", name):
                frames.append((f"system: {call[1]}", "kernel"))
                break
            if file.startswith("[kernel"):
                continue
            if not PASSES.match(name) and (not frames or frames[-1][0] != name):
                frames.append((name, file))
        if not frames:
            frames = [("runtime and threads", "")]
        root.total += 1
        node = root
        for name, file in frames:
            node = node.beneath.setdefault(name, Node(kind=kind(name, file)))
            node.total += 1
    return root


def short(name: str) -> str:
    name = re.sub(r"\(in [^)]*\)|specialized |static ", "", name)
    return re.sub(r"<.*>|\(.*\)", "", name).strip() or name


def height(node: Node, least: float) -> int:
    return 1 + max((height(each, least) for each in node.beneath.values() if each.total >= least), default=0)


def draw(root: Node, title: str) -> str:
    least = root.total * LEAST
    rows = height(root, least) - 1
    bottom = 54 + rows * ROW
    colours = dict(zip((words for words, _ in KINDS), plots.COLOURS))
    parts = [f'<text x="10" y="16" font-weight="bold">{escape(title)}</text>', *plots.legend(list(colours), 26)]
    scale = (plots.WIDTH - 20) / root.total

    def place(node: Node, left: float, row: int) -> None:
        for name, each in sorted(node.beneath.items()):
            if each.total < least:
                continue
            width, top, text = each.total * scale, bottom - (row + 1) * ROW, short(name)
            parts.append(
                f'<g><title>{escape(text)}: {100 * each.total / root.total:.1f} %</title><rect x="{left:.1f}" y="{top}"'
                f' width="{width:.1f}" height="{ROW - 1}" fill="{colours[each.kind]}" opacity="0.75"/>')
            fitting = int((width - 4) / 5.4)
            if fitting >= 4:
                shown = text if len(text) <= fitting else text[: fitting - 1] + "…"
                parts.append(f'<text x="{left + 2:.1f}" y="{top + 11}" style="font-size:9px">{escape(shown)}</text>')
            parts.append("</g>")
            place(each, left, row + 1)
            left += width

    place(root, 10.0, 0)
    return plots.document(bottom + 6, title, parts)


def main() -> None:
    title, swift = sys.argv[1:]
    text = subprocess.run(
        [swift, "demangle", "--simplified"], input=sys.stdin.read(), capture_output=True, text=True, check=True).stdout
    samples = stacks(text.splitlines())
    if not samples:
        raise SystemExit("flames.py: there is no sample")
    print(draw(tree(samples), title), end="")


if __name__ == "__main__":
    main()
