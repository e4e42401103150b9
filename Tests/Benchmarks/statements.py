#!/usr/bin/env python3
"""Runs the statements of one validation, as the provider sent them, by pgbench.

    statements.py LOG DATABASE PGBENCH CLIENTS SECONDS [ROUNDS]

LOG is PostgreSQL's, with the statements of at least one validation (`log_statement=all`). Each client of pgbench has a
wallet of its own among those that populate.sh has added. Prints how many times a second all of them were run: the median
of ROUNDS runs (3).
"""

import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ENTRY = re.compile(r"^\d{4}-\d\d-\d\d .*?\[\d+\] (?:LOG:  execute \S+: |DETAIL:  [Pp]arameters: |LOG:  |DETAIL:  )")
STATEMENT = re.compile(r"LOG:  execute \S+: (.*)", re.S)
PARAMETERS = re.compile(r"DETAIL:  [Pp]arameters: (.*)", re.S)
PARAMETER = re.compile(r"\$(\d+) = (?:'((?:[^']|'')*)'|NULL)")

Statement = tuple[str, dict[int, str | None]]


def statements(log: str) -> list[Statement]:
    """The statements with their parameters, in their order."""
    entries: list[str] = []
    for line in log.splitlines():
        if ENTRY.match(line):
            entries.append(line)
        elif entries:
            entries[-1] += "\n" + line.strip()
    found: list[Statement] = []
    for entry in entries:
        if statement := STATEMENT.search(entry):
            found.append((" ".join(statement[1].split()), {}))
        elif (parameters := PARAMETERS.search(entry)) and found:
            found[-1][1].update(
                (int(number[1]), None if number[2] is None else number[2].replace("''", "'"))
                for number in PARAMETER.finditer(parameters[1]))
    return found


def one_validation(found: list[Statement]) -> list[Statement]:
    """From the first transaction to the second commit: a challenge and the answer to it, each looked at before and after
    the evaluator is asked."""
    texts = [text for text, _ in found]
    inserts = [index for index, text in enumerate(texts) if text.startswith("INSERT INTO challenge")]
    commits = [index for index, text in enumerate(texts) if text == "COMMIT"]
    first = inserts[0] if inserts else len(texts)
    begins = [index for index, text in enumerate(texts[:first]) if text.startswith("BEGIN")]
    after = [index for index in commits if index > first]
    if len(begins) < 2 or len(after) < 2:
        raise SystemExit("statements.py: the log has no whole validation")
    return found[begins[-2] : after[1] + 1]


def script(found: list[Statement]) -> tuple[str, dict[str, str]]:
    """The script of pgbench, and its variables. What is sent in one round trip is a pipeline in it."""
    update = next(values for text, values in found if "UPDATE wallet SET registration = $1" in text)
    challenge = next(values for text, values in found if text.startswith("INSERT INTO challenge"))
    own = {
        update[1]: "md5(:wallet::text)",
        update[3]: "sha256(:wallet::text::bytea)",
        update[max(update)]: "md5(:wallet::text)",
        challenge[max(challenge)]: "sha256(:number::text::bytea)",
    }
    lines = ["\\set wallet :client_id + 2", "\\set number random(1, 9000000000000000000)"]
    variables: dict[str, str] = {}
    is_open = False
    for place, (text, values) in enumerate(found):

        def value(match: re.Match[str]) -> str:
            content = values[int(match[1])]
            if content is None:
                return "NULL"
            if content in own:
                return own[content]
            name = f"v{place}_{match[1]}"
            variables[name] = content
            return f":{name}"

        reads = text.startswith("SELECT")
        if not is_open:
            lines.append("\\startpipeline")
            is_open = True
        lines.append(re.sub(r"\$(\d+)", value, text) + ";")
        if reads or text in ("COMMIT", "ROLLBACK"):
            lines.append("\\endpipeline")
            is_open = False
    return "\n".join(lines) + "\n", variables


def main() -> None:
    log, database, pgbench, clients, seconds, *rounds = sys.argv[1:]
    text, variables = script(one_validation(statements(Path(log).read_text(errors="replace"))))
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(text)
        file.flush()
        command = [
            pgbench, "--no-vacuum", "--protocol=prepared", f"--file={file.name}", f"--client={clients}",
            f"--jobs={min(2, int(clients))}", f"--time={seconds}",
            *(f"--define={name}={value}" for name, value in variables.items()), database,
        ]
        rates = []
        for _ in range(int(rounds[0]) if rounds else 3):
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            rate = re.search(r"^tps = ([0-9.]+)", run.stdout, re.M)
            if run.returncode or not rate or "number of failed transactions: 0 " not in run.stdout:
                raise SystemExit(f"statements.py: pgbench failed:\n{run.stdout}{run.stderr}")
            rates.append(float(rate[1]))
    print(f"{statistics.median(rates):.2f}")


if __name__ == "__main__":
    main()
