"""Configurations that are wrong in one place, for check-schema: the schema and the program must agree on
them, too.

Each one is a fixture that both accept, with one change that a seed decides: a key, a value or its kind. It is
written as JSON, which the program reads as YAML. BEYOND lists what no schema of draft-07 can say, by the
program's rule and the text of its message, with the reason.
"""

import copy
import json
import random
import re
import subprocess

import jsonschema
import regress
from ruamel.yaml import YAML

ROUND = 150

# The program's rules, the text of a message, and why no schema of draft-07 says it.
BEYOND = [
    ("unknown-name", "there is no (link|app|environment|site|collection) |does not serve host|is not one of the hosts", "a name is defined elsewhere"),
    ("duplicate-app duplicate-host duplicate-name", "", "two places have the same value, perhaps in another form"),
    ("nothing-opens nothing-published dynamic-components extends-cycle missing-key lost-rule", "(app|link|environment|published)",
     "an app, its links and an environment are described in different places"),
    ("missing-page file-unreadable", "", "the file system decides"),
    ("placeholder", "needs as many stars|has no value here", "a pattern in another key has the stars"),
    ("host-name", "`{site}` stands for|is longer than|makes no host", "whether there are sites is said elsewhere"),
    ("unused-key", "", "another environment or link decides whether the key is used"),
    ("wrong-value", r"never begins|is not a moment|is not a time with|is not a date", "the calendar"),
    ("wrong-value", r"^\"[0-9]+\.0\" is (no|not a) |must be a whole number .*, not \"[0-9]+\.0\"$", "240.0 is an integer in JSON Schema, and 240 in the program"),
    ("wrong-value", r"must be 10s to 24h", "a number with its unit is compared"),
    ("name wrong-value", r"^\"-?[0-9.e+-]+\" is not (a name|an App ID)", "how a number is written, when it is a name or an identifier"),
    ("address-block wrong-value", "IPv6|bits beyond|prefix length|ADDRESS:PORT", "all forms of an IPv6 address"),
    ("redirect-loop", "", "the redirects are followed"),
]


def validator(schema):
    """A validator with the regular expressions of ECMA 262, as check-jsonschema has them."""
    def pattern(_, expression, instance, __):
        if isinstance(instance, str) and not regress.Regex(expression, "u").find(instance):
            yield jsonschema.ValidationError(f"{instance!r} does not match {expression!r}")

    return jsonschema.validators.extend(jsonschema.Draft7Validator, {"pattern": pattern})(schema)


def load(path):
    """A file as JSON has it; a time stays a text."""
    yaml = YAML(typ="safe", pure=True)
    yaml.constructor.add_constructor(
        "tag:yaml.org,2002:timestamp", lambda self, node: self.construct_scalar(node))
    return json.loads(json.dumps(yaml.load(path)))


def places(value, path=()):
    """The paths of all values within a value."""
    items = value.items() if isinstance(value, dict) else \
        enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from places(item, (*path, key))


def at(value, path):
    for key in path:
        value = value[key]
    return value


PIECES = ["/", "//", "..", "/../", "/./", ".", " ", "{", "}", "{1}", "{2}", "{path}", "{?q}", "*", "**", "?", "#",
          "\\", ":", ":80", "@", "%", "%2e", "%zz", "é", "_", "-", "--", "$(lang)", "$(x)", "$(", "A", "0", "w",
          "\t", "\n", "\u0000", "\u2028", "\u00a0", ",", "\"", "'", "<", "https://", "http://", "302 ", "301 ",
          "www.", "*.", "xn--", "{site}", "${X}", "+", "&", "=", ";"]
VALUES = [None, True, False, 0, 1, -1, 2.5, 1e300, 99999999999999999999, "", " ", "x", "true", "null", "0", "01",
          "1", "-1", "1.5", [], {}, [[]], [{}], {"x": "y"}, ["x"], [None], "/", "//x", "/a/../b", "/x", "*", "/*",
          "https://", "https://www.example.com", "http://[::1]/", "ftp://x/", "mailto:a@b", "javascript:1",
          "landing", "store", "page", "gone", "not-found", "off", "example.com", "ww..w", "*.example.com", "10.0.0.1",
          "::1", "2026-01-01T00:00:00Z", "2026-13-40T25:61:61Z", "a" * 300, "302 https://www.example.com/{1}"]


def mutated_text(text, chance):
    position = chance.randrange(len(text) + 1)
    kind = chance.randrange(6)
    if kind == 0:
        return text[:position] + text[position + 1:]
    if kind == 1:
        return text[:position] + text[position:position + 1] + text[position:]
    if kind == 2:
        return chance.choice([text.upper(), text.lower(), text.title(), text[::-1], text * 2])
    piece = chance.choice(PIECES)
    return chance.choice([piece + text, text + piece, text[:position] + piece + text[position:]])


def mutate(configuration, chance):
    """A copy with one change."""
    changed = copy.deepcopy(configuration)
    paths = list(places(changed))
    path = chance.choice(paths)
    parent, key = at(changed, path[:-1]), path[-1]
    value = parent[key]
    kind = chance.randrange(10)
    if kind == 0:
        del parent[key]
    elif kind == 1 and isinstance(parent, dict):
        names = [other[-1] for other in paths if isinstance(other[-1], str)]
        name = chance.choice([mutated_text(key, chance), chance.choice(names)])
        items = [(name if old == key else old, item) for old, item in parent.items()]
        parent.clear()
        parent.update(items)
    elif kind == 2:
        parent[key] = copy.deepcopy(chance.choice(VALUES))
    elif kind == 3:
        parent[key] = copy.deepcopy(at(changed, chance.choice(paths)))
    elif kind == 4:
        parent[key] = chance.choice([[value], {"x": value}, [value, value]])
    elif kind == 5 and isinstance(parent, dict):
        source = chance.choice([other for other in paths if isinstance(other[-1], str)])
        parent[source[-1]] = copy.deepcopy(at(changed, source))
    elif isinstance(value, str):
        parent[key] = mutated_text(value, chance)
    elif isinstance(value, bool):
        parent[key] = chance.choice([not value, "yes", "no", 0, 1])
    elif isinstance(value, (int, float)):
        parent[key] = chance.choice([value + 1, -value, 0, value * 1000, value / 3, str(value), f"0{value}"])
    else:
        parent[key] = copy.deepcopy(chance.choice(VALUES))
    return changed


def bases_of(paths, program, judge):
    """The configurations among the files that both accept, also as JSON, by their paths."""
    bases = []
    for path in paths:
        try:
            value = load(path)
        except Exception:  # It is no YAML, or has more than JSON can.
            continue
        if not isinstance(value, dict) or not judge.is_valid(value):
            continue
        copy_of = path.with_name(f"base-{path.name}")
        copy_of.write_text(as_json(value))
        if not program_errors(program, [str(copy_of)])[str(copy_of)]:
            bases.append((path, value))
    return bases


def as_json(value):
    return json.dumps(value, ensure_ascii=False, indent=1)


def mutations(bases, count, seed):
    """As many different changes; a base with more values has more of them."""
    chance, seen, made = random.Random(seed), set(), []
    weights = [len(list(places(value))) for _, value in bases]
    for _ in range(100 * count):
        if len(made) == count:
            break
        path, base = chance.choices(bases, weights)[0]
        changed = mutate(base, chance)
        text = as_json(changed)
        if text not in seen and changed != base:
            seen.add(text)
            made.append((path, changed, text))
    return made


def program_errors(program, paths):
    """The errors that the program finds, by the files."""
    command = [program, "lint", "--as", "config", "--format", "json", "--ignore", "expectation-failed", *paths]
    found = subprocess.run(command, capture_output=True, timeout=300)
    if found.returncode not in (0, 1):
        raise SystemExit(f"the program ended with status {found.returncode}: {found.stderr.decode()[-300:]}")
    errors = {path: [] for path in paths}
    for finding in json.loads(found.stdout):
        if finding["severity"] == "error":
            errors.setdefault(finding["file"], []).append((finding["rule"], finding["message"]))
    return errors


def reason_of(rule, message):
    """Why the schema cannot say this; None if it should."""
    for rules, expression, reason in BEYOND:
        if rule in rules.split() and re.search(expression, message):
            return reason
    return None


def disagreements(program, schema, paths, count, seed):
    """Compares the verdicts on changed files. Returns the number of changes, of refused ones, what the program
    alone refuses for a reason of BEYOND, by reasons, and all other disagreements."""
    judge = validator(schema)
    made = mutations(bases_of(paths, program, judge), count, seed)
    beyond, faults, refused = {}, [], 0
    for start in range(0, len(made), ROUND):
        part = []
        for number, (path, changed, text) in enumerate(made[start:start + ROUND], start):
            # Beside the files that it names.
            mutation = path.with_name(f"mutation-{number}-of-{path.stem}.yaml")
            mutation.write_text(text)
            part.append((str(mutation), changed))
        errors = program_errors(program, [path for path, _ in part])
        for path, changed in part:
            found, schema_error = errors[path], next(iter(judge.iter_errors(changed)), None)
            refused += bool(found)
            if bool(found) == (schema_error is not None):
                continue
            if schema_error is not None:
                place = "/".join(map(str, schema_error.absolute_path))
                faults.append(f"{path}: only the schema refuses it: {place}: {schema_error.message[:200]}")
                continue
            unexplained = [error for error in found if not reason_of(*error)]
            if unexplained:
                rule, message = unexplained[0]
                faults.append(f"{path}: only the program refuses it: [{rule}] {message}")
            else:
                reason = reason_of(*found[0])
                beyond[reason] = beyond.get(reason, 0) + 1
    return len(made), refused, beyond, faults
