"""A recorded disk, and what a power cut may leave of it.

What was written to a file is safe once the file was synced, and a name once its directory was. Of
what is not safe yet any part may have reached the disk, in any order, and a write in pieces.
"""

import random

SECTOR, PAGE = 512, 4096
RANDOM_CUTS = 3  # at each moment, beside those that are named below


def read_record(path):
    """Reads the record of preload/record.c: (words, bytes) of each line."""
    content = path.read_bytes()
    events, place = [], 0
    while place < len(content):
        end = content.index(b"\n", place)
        words = content[place:end].decode().split(" ")
        place = end + 1
        payload = b""
        if words[0] in ("write", "key"):
            length = int(words[-1])
            payload = content[place:place + length]
            place += length
        events.append((words, payload))
    return events


class File:
    def __init__(self):
        self.safe = b""
        self.unsafe = []  # (offset, bytes) of a write, (length, None) of a truncation

    def content(self, changes):
        content = bytearray(self.safe)
        for place, written in changes:
            if written is None:
                content = content[:place] + bytes(max(0, place - len(content)))
            else:
                content += bytes(max(0, place - len(content)))
                content[place:place + len(written)] = written
        return bytes(content)

    def sync(self):
        self.safe, self.unsafe = self.content(self.unsafe), []


class Disk:
    """The storage directory and the key store while the record is played. The platform's key store
    is durable at once. A disk that is not `honest` says that it has synced and has not."""

    def __init__(self, honest=True):
        self.honest = honest
        self.files, self.safe_names, self.unsafe_names, self.keys = {}, {}, [], {}

    def apply(self, words, payload):
        """Whether the disk, or its durable part, has changed."""
        kind, *rest = words
        if kind == "create":
            self.files[rest[0]] = File()
            self.unsafe_names.append(("create", rest[1], rest[0]))
        elif kind == "write":
            self.files[rest[0]].unsafe.append((int(rest[1]), payload))
        elif kind == "truncate":
            self.files[rest[0]].unsafe.append((int(rest[1]), None))
        elif kind == "sync":
            if self.honest:
                self.files[rest[0]].sync()
        elif kind in ("rename", "unlink"):
            self.unsafe_names.append((kind, *rest))
        elif kind == "sync-directory":
            self.safe_names, self.unsafe_names = self.names(self.unsafe_names), []
        elif kind == "key":
            self.keys[rest[0]] = payload
        elif kind == "no-key":
            self.keys.pop(rest[0], None)
        elif kind == "mapped":
            raise ValueError("a file of the storage was written through memory")
        else:
            return False
        return True

    def names(self, changes):
        names = dict(self.safe_names)
        for kind, name, *rest in changes:
            if kind == "create":
                names[name] = rest[0]
            elif kind == "unlink":
                names.pop(name, None)
            elif name in names:
                names[rest[0]] = names.pop(name)
        return names

    def image(self, choose_changes, choose_names):
        """The device's files with the chosen changes of each file and of the directory."""
        names = self.names(choose_names(self.unsafe_names))
        image = {
            f"storage/{name}": self.files[inode].content(choose_changes(self.files[inode].unsafe))
            for name, inode in names.items()}
        return image | self.keys

    def images(self, chance):
        """The states that a power cut may leave at this point, each with a name."""
        yield "everything", self.image(whole, whole)
        if not self.unsafe_names and not any(file.unsafe for file in self.files.values()):
            return
        yield "only what is safe", self.image(nothing, nothing)
        yield "names without content", self.image(nothing, whole)
        yield "content without names", self.image(whole, nothing)
        yield "only first changes", self.image(first, whole)
        yield "only last changes", self.image(last, whole)
        for count in range(1, len(self.unsafe_names)):
            yield f"{count} names", self.image(whole, lambda changes, count=count: changes[:count])
        for size in (SECTOR, PAGE):
            yield f"torn after {size}", self.image(lambda changes, size=size: torn(changes, size), whole)
            yield f"torn before {size}", self.image(lambda changes, size=size: torn(changes, -size), whole)
        for number in range(RANDOM_CUTS):
            seed = chance.random()

            def some(changes, seed=seed):
                coin = random.Random(f"{seed}{len(changes)}")
                return [piece for change in changes for piece in pieces(change, coin)]

            yield f"random {number}", self.image(some, whole if number % 2 else prefix(seed))


def whole(changes):
    return changes


def nothing(_):
    return []


def first(changes):
    return changes[:1]


def last(changes):
    return changes[-1:]


def prefix(seed):
    """File systems keep the order of directory entries, so that some of the first are there."""
    return lambda changes: changes[:random.Random(seed).randint(0, len(changes))]


def torn(changes, size):
    """The last change is a write of which only the first `size` bytes are there, or all but these."""
    if not changes or changes[-1][1] is None:
        return changes
    place, written = changes[-1]
    piece = (place, written[:size]) if size > 0 else (place - size, written[-size:])
    return changes[:-1] + ([piece] if piece[1] else [])


def pieces(change, coin):
    """Some of the sectors of a write; a truncation or not."""
    place, written = change
    if written is None:
        return [change] if coin.random() < 0.5 else []
    if coin.random() < 0.5:
        return [change] if coin.random() < 0.7 else []
    return [
        (place + start, written[start:start + SECTOR])
        for start in range(0, len(written), SECTOR) if coin.random() < 0.5]
