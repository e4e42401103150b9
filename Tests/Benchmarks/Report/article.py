"""A part of the article that one command writes, and that the others leave as it is."""

from dataclasses import dataclass
from pathlib import Path

ARTICLE = "performance.md"


@dataclass(frozen=True)
class Part:
    """What is between two marks of the article."""

    begin: str
    end: str

    def read(self, catalog: Path) -> str:
        """What the article has now; empty if it has no such part."""
        text = (catalog / ARTICLE).read_text()
        if self.begin not in text or self.end not in text:
            return ""
        return text.split(self.begin, 1)[1].split(self.end, 1)[0].strip()

    def write(self, catalog: Path, content: str) -> None:
        path = catalog / ARTICLE
        before, rest = path.read_text().split(self.begin, 1)
        after = rest.split(self.end, 1)[1]
        path.write_text(f"{before}{self.begin}\n\n{content}\n\n{self.end}{after}")


PROVIDER = Part("<!-- provider: by `make bench-provider` -->", "<!-- end of provider -->")
