#!/usr/bin/env python3
"""Holds events against the installed schema: one JSON object per line on standard input.

    schema.py SCHEMA KIND...     each line must be valid, and each KIND be among them

Hosts must ignore members that they do not know, so the schema lets them pass. Here they do not: a
member that the library tells and the schema does not is a gap in the schema. Exit code 1 says that
something is wrong, and the output says what.
"""

import copy
import json
import os
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    debian = "/usr/bin/python3"  # which the package is for, whatever else is called python3
    if os.access(debian, os.X_OK) and os.path.realpath(debian) != os.path.realpath(sys.executable):
        os.execv(debian, [debian, *sys.argv])
    sys.exit("the Python package jsonschema is missing: apt-get install python3-jsonschema")


def closed(schema):
    """The schema, with every object that it describes closed to other members."""
    schema = copy.deepcopy(schema)
    for definition in schema["$defs"].values():
        if "properties" in definition:
            definition.setdefault("additionalProperties", False)
    return schema


def complaints(schema, event):
    """What is wrong with an event, as lines. Told of its kind alone: the others never fit."""
    kind = event.get("kind") if isinstance(event, dict) else None
    if kind not in (reference["$ref"].rpartition("/")[2] for reference in schema["oneOf"]):
        return [f"no event has the kind {kind!r}"]
    one = {"$ref": f"#/$defs/{kind}", "$defs": schema["$defs"]}
    errors = Draft202012Validator(one).iter_errors(event)
    return [f"{error.json_path}: {error.message}" for error in errors]


def damaged(event):
    """The event with each member missing, and with each of another type."""
    for name in event:
        yield {key: value for key, value in event.items() if key != name}
        yield {**event, name: None}
    yield {**event, "no_such_member": 1}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    Draft202012Validator.check_schema(schema)
    whole, strict = Draft202012Validator(schema), closed(schema)
    found, failures = set(), []
    for line in sys.stdin:
        event = json.loads(line)
        wrong = complaints(strict, event)
        failures += [f"{complaint}\n  in {line.strip()}" for complaint in wrong]
        if wrong:
            continue
        found.add(event["kind"])
        if not whole.is_valid({**event, "no_such_member": 1}):
            failures.append(f"an unknown member is refused\n  in {line.strip()}")
        # A schema that refuses nothing would pass everything above.
        required = schema["$defs"][event["kind"]]["required"]
        refused = sum(not whole.is_valid(other) for other in damaged(event))
        if refused < 2 * len(required):
            failures.append(f"the schema accepts a damaged event\n  in {line.strip()}")
    failures += [f"no event of the kind {kind}" for kind in sys.argv[2:] if kind not in found]
    print("\n".join(failures))
    return 1 if failures else 0


sys.exit(main())
