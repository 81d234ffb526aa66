"""Random redirects of Netlify, Vercel and Firebase Hosting for `check-migration --random`.

These services cannot run here, so that a file comes with its answers: those of a reading of the
services' documentation that shares nothing with Waymark's own.
"""

import json
import re

from migration_random import LOST, SEGMENTS, STATUSES, Text, request


class Rules:
    """Rules in their order, the first of which answers."""

    def __init__(self):
        self.rules = []

    def add(self, line, expression, destination, status, query=None, flags=0, if_=lambda _: True):
        """`destination` has the names of the expression's groups behind colons. `if_` is asked with
        the items of the query."""
        self.rules.append((line, re.compile(expression, flags), destination, status, query, if_))

    def answer(self, target, lost):
        path, _, query = target.partition("?")
        items = dict(item.partition("=")[::2] for item in query.split("&") if item)
        for line, expression, destination, status, wanted, if_ in self.rules:
            found = expression.fullmatch(path) or path == "/" and expression.fullmatch("")
            if not found or not (wanted is None or wanted.items() <= items.items()):
                continue
            if not if_(items):
                continue
            if line in lost:
                return 302, LOST
            named = found.groupdict()
            # The longest name first, so that none is a part of another.
            for name in sorted(named, key=len, reverse=True):
                destination = destination.replace(f":{name}", named[name] or "")
            if query and "?" not in destination:
                destination += f"?{query}"
            return status, destination
        return 404, None


def target(random, line, names):
    parts = "".join(f"/:{name}" for name in names if random.random() < 0.7)
    start = random.choice(["https://x.example/L%d"] * 5 + ["/to%d"]) % line
    return start + parts + random.choice(["", "", "", "?k=v"])


def joined(random, make_part):
    """Some parts of a path: as the service writes them, as an expression, and the names in them."""
    parts = [(name, *make_part(random, name)) for name in "uvw"[:random.randint(1, 3)]]
    return ("".join(shown for _, shown, _, _ in parts), "".join(part for _, _, part, _ in parts),
            [name for name, _, _, is_named in parts if is_named])


def netlify_part(random, name):
    if random.random() < 0.35:
        return f"/:{name}", f"/(?P<{name}>[^/]+)", True
    segment = random.choice(SEGMENTS)
    return f"/{segment}", f"/{re.escape(segment)}", False


def netlify(random, count):
    text, rules, asks = Text(), Rules(), []
    for _ in range(count * 2):
        line = text.next
        pattern, expression, names = joined(random, netlify_part)
        if random.random() < 0.3:
            names.append("splat")
            pattern += "/*"
            expression += "(?:/(?P<splat>.*))?"
        query = {"q": "1"} if random.random() < 0.15 else None
        status = random.choice([301, 302])
        to = target(random, line, names)
        condition = random.choice([""] * 9 + [" Country=at"])
        text.add(f"{pattern} {'q=1 ' if query else ''}{to} {status}{condition}")
        if condition:
            status = 0
        # What a query selects is not passed on.
        rules.add(line, expression, to + ("?" if query and "?" not in to else ""),
                  status, query)
        asks += [request(random) for _ in range(6)]
    return text, asks, rules


def vercel_part(random, name):
    kind = random.randrange(14)
    segment = random.choice(SEGMENTS)
    if kind < 4:
        return f"/{segment}", f"/{re.escape(segment)}", False
    return {
        4: (f"/:{name}", f"/(?P<{name}>[^/]+?)", True),
        5: (f"/:{name}*", f"(?:/(?P<{name}>[^/]+?(?:/[^/]+?)*))?", True),
        6: (f"/:{name}?", f"(?:/(?P<{name}>[^/]+?))?", True),
        7: (f"/:{name}(a|b)", f"/(?P<{name}>a|b)", True),
        8: (f"/:{name}(a|b)?", f"(?:/(?P<{name}>a|b))?", True),
        9: (f"{{/:{name}}}?", f"(?:/(?P<{name}>[^/]+?))?", True),
        10: (f"/{segment}{{-:{name}}}", f"/{re.escape(segment)}-(?P<{name}>[^/]+?)", True),
        11: (f"/{segment}(-x)?", f"/{re.escape(segment)}(?:-x)?", False),
        12: (f"/{segment}{{-x}}?", f"/{re.escape(segment)}(?:-x)?", False),
        13: (f"/:{name}+", f"/(?P<{name}>[^/]+?(?:/[^/]+?)*)", True),
    }[kind]


def vercel(random, count):
    text, rules, asks = Text(), Rules(), []
    text.add('{"redirects": [')
    for number in range(count * 2):
        line = text.next
        pattern, expression, names = joined(random, vercel_part)
        rule = dict(source=pattern, destination=target(random, line, names),
                    statusCode=random.choice(STATUSES))
        query = {"q": "1"} if random.random() < 0.15 else None
        if query:
            rule["has"] = [dict(type="query", key="q", value="1")]
        if_ = lambda _: True  # noqa: E731
        if random.random() < 0.3:
            if_ = vercel_condition(random, rule)
        text.add(json.dumps(rule) + ("," if number < count * 2 - 1 else "]}"))
        rules.add(line, expression, rule["destination"], rule["statusCode"], query, if_=if_)
        asks += [request(random) for _ in range(6)]
    return text, asks, rules


def vercel_condition(random, rule):
    """Adds a condition, and returns whether a request has it. All are for www.example.com, and have
    no cookie and no field of their own."""
    word = random.choice(["has", "has", "missing"])
    host = random.choice(["www.example.com", "other.example.com", "(?:www|w2)\\.example\\.com"])
    condition, holds = random.choice([
        (dict(type="host", value=host), lambda _: host != "other.example.com"),
        (dict(type="query", key="id"), lambda items: "id" in items),
        (dict(type="query", key="id", value="[0-9]+"),
         lambda items: re.fullmatch("[0-9]+", items.get("id", "")) is not None),
        (dict(type="header", key="x-none"), lambda _: False),
        (dict(type="cookie", key="none"), lambda _: False),
    ])
    rule[word] = [*rule.get(word, []), condition]
    return holds if word == "has" else lambda items: not holds(items)


def firebase_part(random, name):
    one, two = random.choice(SEGMENTS), random.choice(SEGMENTS)
    return random.choice([
        (f"/{one}", f"/{re.escape(one)}", False), (f"/{one}", f"/{re.escape(one)}", False),
        (f"/:{name}", f"/(?P<{name}>[^/]+)", True), ("/*", "/[^/]+", False),
        (f"/{{{one},{two}}}", f"/(?:{re.escape(one)}|{re.escape(two)})", False),
        (f"/@({one}|{two})", f"/(?:{re.escape(one)}|{re.escape(two)})", False),
    ])


def firebase(random, count):
    text, rules, asks = Text(), Rules(), []
    text.add('{"hosting": {"redirects": [')
    for number in range(count * 2):
        line = text.next
        pattern, expression, names = joined(random, firebase_part)
        if random.random() < 0.25:
            shown, part = random.choice([("/**", "/.*"), ("{,/**}", "(?:/.*)?")])
            pattern, expression = pattern + shown, expression + part
        rule = dict(source=pattern, destination=target(random, line, names),
                    type=random.choice([301, 302]))
        text.add(json.dumps(rule) + ("," if number < count * 2 - 1 else "]}}"))
        rules.add(line, expression, rule["destination"], rule["type"])
        asks += [request(random) for _ in range(6)]
    return text, asks, rules
