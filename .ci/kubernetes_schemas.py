"""Writes the schemas of a version of Kubernetes in a form that kubeconform reads.

    kubernetes_schemas.py SOURCE TARGET

SOURCE is a folder of the package kubernetes-validate, in which every schema refers to definitions in one file,
by an address that is not a file. In TARGET every schema has the definitions that it needs in itself.
"""

import json
import pathlib
import sys


def references(node):
    """Yields the objects with a reference, at any depth."""
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node
        for child in node.values():
            yield from references(child)
    elif isinstance(node, list):
        for child in node:
            yield from references(child)


def self_contained(text, definitions):
    schema = json.loads(text)
    needed = {}
    pending = [schema]
    while pending:
        for node in references(pending.pop()):
            name = node["$ref"].rsplit("/", 1)[-1]
            node["$ref"] = f"#/$defs/{name}"
            if name not in needed:
                needed[name] = json.loads(definitions[name])
                pending.append(needed[name])
    schema.pop("$id", None)
    schema["$defs"] = needed
    return schema


def main(source, target):
    target.mkdir(parents=True, exist_ok=True)
    shared = json.loads((source / "_definitions.json").read_text())
    definitions = {
        name: json.dumps(body)
        for name, body in (shared.get("$defs") or shared["definitions"]).items()
    }
    for file in source.glob("*-*.json"):
        schema = self_contained(file.read_text(), definitions)
        (target / file.name).write_text(json.dumps(schema))


if __name__ == "__main__":
    main(*map(pathlib.Path, sys.argv[1:]))
