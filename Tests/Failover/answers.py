#!/usr/bin/python3
"""What the wallets' answers say of the times at which no PIN was checked.

    answers.py since TIME ANSWERS         succeeds if a PIN that was asked after TIME was answered
    answers.py gap FROM TO ANSWERS        prints the longest time without an answer around a fault at FROM, up to the
                                          first answer to a question that was asked after TO

A line of ANSWERS is when a PIN was asked and when it was answered, in seconds since 1970.
"""

import sys


def read(path):
    """Pairs, by the time of the answer. The last line may be half written."""
    with open(path, encoding="ascii") as file:
        lines = [line.split() for line in file if line.endswith("\n")]
    return sorted(((float(asked), float(answered)) for asked, answered in lines), key=lambda pair: pair[1])


def gap(begin, end, answers):
    last = min(answered for asked, answered in answers if asked > end)
    times = [answered for _, answered in answers if begin - 2 <= answered <= last]
    return max((later - earlier for earlier, later in zip(times, times[1:])), default=last - begin)


def main():
    word, *rest, path = sys.argv[1:]
    answers = read(path)
    if word == "since":
        return 0 if any(asked > float(rest[0]) for asked, _ in answers) else 1
    print(f"{gap(float(rest[0]), float(rest[1]), answers):.1f}")
    return 0


sys.exit(main())
