"""Requests at random: what clients of a store ask for, well-behaved ones and others."""

import json
import urllib.parse

from link_model import (
    ALIASES, CONTENT_BYTES, DESTINATION, DESTINATION_BYTES, DETAILS_BYTES, KEY_BYTES, LINE_BYTES,
    NAME_BYTES, PREFIX, TAG_BYTES, TAGS, Line, Refused)

# So few that they meet often, in each letter case.
WORDS = ["summer", "sale", "k7mtx3k9qz", "a", "a.b", "x-y_z~1", "L" * 64, "Abcdefghijklmnop"]
NO_SLUGS = ["", "L" * 65, "a/b", "ä", "a b", "%41", "x?y", "x#y", "_x", ".", "..", "x.", ".x", "a\nb",
            "x.php", "\u0000", "a%2fb", "\U0001F600"]
NONSENSE = [b"", b"null", b"[]", b"{", b"\xff\xfe", b"[" * 30_000, b'{"a":' * 5_000, b'"' + b"x" * 60_000,
            b'{"slug":1e999}', b'{"destination":["x"]}', b'{"destinatoin":"https://www.example.com/"}',
            b'{"collection":"s","slug":"\\ud800","destination":"https://www.example.com/"}',
            b'{"collection":"s","tags":{},"destination":"https://www.example.com/"}',
            b"\x00" * 100, b"x" * 70_000]


class Request:
    """What one client asks for."""

    operations, is_visit, can_change, token = 1, False, True, None

    def __init__(self, method, path, members=None, body=None, **fields):
        self.method, self.path, self.members = method, path, members
        self.body = json.dumps(members).encode() if members is not None else body
        self.fields = {name.replace("_", "-"): value for name, value in fields.items() if value}
        if self.body is not None and "Content-Type" not in self.fields:
            self.fields["Content-Type"] = "application/json"

    def __repr__(self):
        body = (self.body or b"")[:2000]
        return f"{type(self).__name__} {self.method} {self.path} {self.fields} {body!r}"

    def apply(self, model, answer, generation):
        """Does to the model what the request did."""
        raise NotImplementedError

    def problem(self, model, answer):
        """Why the answer cannot be that of this state, which it has not changed; None if it can."""
        trial = model.copy()
        try:
            changed = self.apply(trial, answer, model.generation + 1)
        except Refused as refusal:
            return None if answer.status in refusal.statuses else f"must be {refusal.statuses}"
        except RuntimeError as error:
            return str(error)
        if changed is False and (answer.status == 200 or isinstance(self, Import)):
            return None
        return "must have changed something"


def own(answer, members):
    """The link of an answer, or that was found to be there without one."""
    if answer.status is None:
        return answer.link(members)
    return answer.json if answer.status == 201 else {}


class Create(Request):
    replays = None

    def apply(self, model, answer, generation):
        model.create(self.members, own(answer, self.members), generation)

    def problem(self, model, answer):
        if self.replays is None:
            return super().problem(model, answer)
        body, id = self.replays
        if body != self.body:
            return None if answer.status == 422 else "the key was of another request"
        return None if answer.status == 201 and answer.json["id"] == id else f"must be {id}"


class CreateOnce(Request):
    def apply(self, model, answer, generation):
        collection, slug = self.members["collection"], self.members["slug"]
        if model.at(collection, slug) is not None:
            raise Refused(412)
        model.create(self.members, own(answer, self.members), generation)


class Change(Request):
    def __init__(self, id, tag, members):
        super().__init__("PATCH", f"links/{id}", members, If_Match=tag)
        self.id, self.tag = id, tag

    def apply(self, model, answer, generation):
        model.edited(self.id, self.tag)
        return model.change(self.id, self.members, generation)


class Delete(Request):
    def __init__(self, id, tag):
        super().__init__("DELETE", f"links/{id}", If_Match=tag)
        self.id, self.tag = id, tag

    def apply(self, model, answer, generation):
        model.delete(self.id, self.tag, generation)


class Alias(Request):
    def __init__(self, id, slug):
        super().__init__("POST", f"links/{id}/aliases", {"slug": slug})
        self.id = id

    def apply(self, model, answer, generation):
        model.alias(self.id, self.members["slug"], generation)


class Upsert(Request):
    def __init__(self, name, members):
        path = urllib.parse.quote(name, safe="")
        super().__init__("PUT", f"links/by-external-id/{path}", members)
        self.name = name

    def apply(self, model, answer, generation):
        return model.upsert(self.name, self.members, own(answer, self.members), generation)


class ShortLink(Request):
    """By Firebase's names. Its answer has neither an id nor a generation."""

    def __init__(self, destination, suffix, option, is_long):
        members = {"suffix": {"option": option} | ({"customSuffix": suffix} if suffix else {})}
        if is_long:
            escaped = urllib.parse.quote(destination, safe="")
            members["longDynamicLink"] = f"{PREFIX}/?link={escaped}"
        else:
            members["dynamicLinkInfo"] = {"domainUriPrefix": PREFIX, "link": destination}
        super().__init__("POST", "shortLinks", members)
        self.parts = destination, suffix, option

    def apply(self, model, answer, generation):
        destination, suffix, _ = self.parts
        told = {"slug": answer.json["shortLink"].rsplit("/", 1)[1]} if answer.status == 200 else {}
        if isinstance(answer, Found):
            known = {"collection": "f", "slug": told.get("slug", suffix), "destination": destination}
            told = answer.link(known) | told
        return model.short(*self.parts, told, generation)


class Found:
    """Stands for what an answer did not say, or for one that did not come: the links that are there."""

    def __init__(self, links, model, answer=None):
        self.links, self.model, self.answer = links, model, answer
        self.status, self.generation = answer and answer.status, 0

    @property
    def json(self):
        return self.answer.json

    def link(self, members):
        """The new link that these members made."""
        for link in self.links.values():
            slug = members.get("slug")
            if link["id"] in self.model.links or link["collection"] != members["collection"]:
                continue
            if slug == link["slug"] if slug else (
                    link.get("destination") == members.get("destination")):
                return link
        return {}


class Import(Request):
    def __init__(self, lines, query):
        body = b"\n".join(
            line.encode() if isinstance(line, Line) else json.dumps(line).encode() for line in lines)
        super().__init__("POST", "import" + ("?" + "&".join(query) if query else ""), body=body,
                         Content_Type="application/x-ndjson")
        self.lines, self.operations = lines, len(lines)
        self.changes_existing = "mode=upsert" in query
        self.is_rehearsal, self.is_atomic = "dry-run=true" in query, "atomic=true" in query
        self.can_change = not self.is_rehearsal

    def apply(self, model, answer, generation):
        trial, outcomes = model.copy(), []
        told = answer.lines[:-1] if answer.status is not None else [None] * len(self.lines)
        for number, (line, one) in enumerate(zip(self.lines, told), 1):
            made = answer.link(line) if one is None else {
                "id": one.get("id") or f"rehearsed {number}",
                "slug": one.get("url", f"rehearsed-{number}").rsplit("/", 1)[1 if "url" in one else 0]}
            try:
                outcomes.append(trial.line(line, made, self.changes_existing, generation))
            except Refused as refusal:
                outcomes.append(refusal.statuses)
        is_kept = not (self.is_atomic and any(isinstance(one, tuple) for one in outcomes))
        if answer.status is not None:
            if answer.status != (200 if is_kept else 422) or len(told) != len(self.lines):
                raise RuntimeError(f"{answer.status}, and {len(told)} lines")
            for one, outcome in zip(told, outcomes):
                if one["outcome"] != outcome and (
                        isinstance(outcome, str) or one["status"] not in outcome):
                    raise RuntimeError(f"{one} must be {outcome}")
        changes = is_kept and any(one in ("created", "changed") for one in outcomes)
        if changes and not self.is_rehearsal:
            model.take(trial)
            return True
        return False


class Visit(Request):
    is_visit, can_change = True, False

    def __init__(self, collection, slug):
        super().__init__("GET", f"/{collection}/{slug}")
        self.collection, self.slug = collection, slug

    def problem(self, model, answer):
        expected = model.answered(self.collection, self.slug)
        found = answer.status, answer.headers["Location"]
        return None if found == expected else f"must be {expected}, is {found}"


class Find(Request):
    can_change = False

    def __init__(self, id):
        super().__init__("GET", f"links/{id}")
        self.id = id

    def problem(self, model, answer):
        link = model.links[self.id]
        if answer.status != (410 if link.deleted else 200):
            return f"deleted: {link.deleted}"
        return None if answer.headers["ETag"] == f'"{link.generation}"' else f"{link.generation}"


class Nonsense(Request):
    can_change = False

    def problem(self, model, answer):
        if self.path == "links:check" and answer.status == 200:
            return None if not answer.json["isValid"] else "must be found faulty"
        return None if answer.status in (400, 404, 410, 413, 415, 422, 428) else "must be refused"


class TooLarge(Request):
    """Well-formed, and over a limit of the request."""

    can_change = False

    def __init__(self, request, *statuses):
        super().__init__(request.method, request.path, body=request.body)
        self.fields, self.statuses = request.fields, statuses

    def problem(self, model, answer):
        return None if answer.status in self.statuses else f"must be {self.statuses}"


class AddToken(Request):
    can_change = False

    def __init__(self, known):
        super().__init__("POST", "tokens", {"name": "t", "scopes": ["links.create"]})
        self.known = set(known)

    def problem(self, model, answer):
        if answer.status != 201:
            return "must be made"
        number = answer.json["id"]
        return None if number > max(self.known, default=0) else f"{number} was used before"


class RemoveToken(Request):
    can_change = False

    def __init__(self, number, is_there):
        super().__init__("DELETE", f"tokens/{number}")
        self.number, self.is_there = number, is_there

    def problem(self, model, answer):
        expected = {True: (204,), False: (404,), None: (204, 404)}[self.is_there]
        return None if answer.status in expected else f"must be {expected}"


class Stranger(Request):
    """Somebody whose token was removed."""

    can_change = False

    def problem(self, model, answer):
        return None if answer.status == 401 else "must be refused"


class Requests:
    """Chooses what is asked for."""

    def __init__(self, chance):
        self.chance, self.number = chance, 0
        self.keys, self.tokens, self.removed, self.numbers = [], {}, [], set()
        # Requests whose keys or tokens are in use, so that no two of a round are about them.
        self.busy = set()

    def make(self, model, client):
        self.number += 1
        if client == 0:
            self.busy = set()
        kinds = {self.create: 24, self.once: 6, self.change: 22, self.delete: 5, self.alias: 8,
                 self.upsert: 10, self.load: 7, self.visit: 12, self.find: 4, self.nonsense: 4,
                 self.token: 3, self.replay: 4, self.short: 8, self.twice: 3}
        return self.chance.choices(list(kinds), list(kinds.values()))[0](model)

    # Parts of links

    def slug(self, model):
        if self.chance.random() < 0.04:
            return self.chance.choice(NO_SLUGS)
        word = self.chance.choice(WORDS)
        if self.chance.random() < 0.5:
            word = f"{word[:58]}{self.chance.randrange(max(4, len(model.links) // 4)):06}"
        return "".join(
            letter.upper() if self.chance.random() < 0.5 else letter.lower() for letter in word)

    def name(self, model):
        if self.chance.random() < 0.03:
            short = [name for name in model.names if name.startswith("firebase:")]
            return self.chance.choice(short or ["firebase:short:0123456789abcdef0123456789abcdef"])
        if self.chance.random() < 0.05:
            return "n" * (NAME_BYTES + self.chance.randint(0, 1))
        return f"crm-{self.chance.randrange(max(10, self.number // 8))}"

    def destination(self):
        url = f"{DESTINATION}{self.number}-{self.chance.randrange(1 << 30)}"
        match self.chance.randrange(40):
            case 0: return url.ljust(DESTINATION_BYTES, "x")
            case 1: return url.ljust(DESTINATION_BYTES + 1, "x")
            case 2: return self.chance.choice(
                ["https://evil.example/", "javascript:alert(1)", "", "//www.example.com/"])
        return url

    def members(self, model, is_new=True):
        some = {}
        def may(probability):
            return self.chance.random() < probability
        if is_new or may(0.6):
            some["destination"] = self.destination()
        if may(0.3):
            some["note"] = self.chance.choice(["a note", "é\n\"quoted\"", None])
        if may(0.2):
            some["externalId"] = self.name(model) if is_new or may(0.7) else None
        if may(0.2):
            some["tags"] = self.chance.choice(
                [["a"], ["a", "two words"], [], ["t" * TAG_BYTES], ["t" * (TAG_BYTES + 1)],
                 [f"t{number}" for number in range(TAGS + self.chance.randint(0, 1))]])
        if may(0.15):
            some["state"] = self.chance.choice(["active", "disabled"])
        if may(0.1):
            some["archived"] = may(0.5)
        if may(0.1):
            size = DETAILS_BYTES - len('{"app": {"data": {"x": ""}}}')
            some["app"] = {"data": {"x": "d" * self.chance.choice([3, 3, 3, 500, size, size + 1])}}
        # A new link has nothing that null could remove.
        return {key: value for key, value in some.items() if not is_new or value is not None}

    def new(self, model):
        members = {"collection": self.chance.choice("sx")} | self.members(model)
        if self.chance.random() < 0.7:
            members["slug"] = self.slug(model)
        return members

    def some_id(self, model, may_be_missing=True):
        if not model.links or (may_be_missing and self.chance.random() < 0.02):
            return "01890a5d-ac96-774b-bcce-b302099a8057"
        ids = list(model.links)
        # Mostly one of few, so that clients meet.
        return self.chance.choice(ids[-20:] if self.chance.random() < 0.6 else ids)

    def tag(self, model, id):
        link = model.links.get(id)
        seen = f'"{link.generation}"' if link else '"1"'
        return self.chance.choices([seen, "*", '"0"', None, f"W/{seen}"], [60, 20, 10, 5, 5])[0]

    # Requests

    def create(self, model):
        members, key = self.new(model), None
        if self.chance.random() < 0.3:
            key = f"key-{self.number}"
            if self.chance.random() < 0.1:
                key = key.ljust(KEY_BYTES + self.chance.randint(0, 1), "k")
        request = Create("POST", "links", members, Idempotency_Key=key)
        if key is not None and len(key) > KEY_BYTES:
            return TooLarge(request, 400)
        return self.sized(request)

    def sized(self, request):
        """Sometimes with as much content as there may be, or a byte more."""
        if self.chance.random() > 0.05:
            return request
        request.body = request.body.ljust(CONTENT_BYTES + self.chance.randint(0, 1))
        return TooLarge(request, 413) if len(request.body) > CONTENT_BYTES else request

    def short(self, model):
        destination = f"{DESTINATION}short-{self.chance.randrange(max(10, self.number // 20))}"
        if self.chance.random() < 0.1:
            destination = self.destination()
        option, suffix = self.chance.choice(["SHORT", "UNGUESSABLE"]), None
        if self.chance.random() < 0.3:
            option, suffix = "CUSTOM", self.slug(model) or "a"
        return ShortLink(destination, suffix, option, self.chance.random() < 0.5)

    def twice(self, model):
        """With a member that is there twice, which decides nothing."""
        id = self.some_id(model)
        method, path, members, fields = self.chance.choice([
            ("POST", "links", self.new(model), {}),
            ("PATCH", f"links/{id}", self.members(model, is_new=False), {"If_Match": "*"}),
            ("PUT", f"links/x/twice{self.number}", self.new(model) | {"collection": "x"},
             {"If_None_Match": "*"}),
            ("PUT", f"links/by-external-id/crm-{self.chance.randrange(50)}", self.new(model), {}),
        ])
        line = Line(members or {"note": None})
        line.twice = self.chance.choice(list(line))
        return TooLarge(Request(method, path, body=line.encode(), **fields), 404, 410, 422)

    def replay(self, model):
        """The same once more, or another request with its key."""
        free = [one for one in self.keys[-50:] if one[0] not in self.busy]
        if not free:
            return self.create(model)
        key, body, id = self.chance.choice(free)
        self.busy.add(key)
        members = json.loads(body)
        if self.chance.random() < 0.3:
            members["note"] = "another"
        request = Create("POST", "links", members, Idempotency_Key=key)
        request.replays, request.can_change = (body, id), False
        return request

    def once(self, model):
        members = self.new(model) | {"slug": self.slug(model) or "a"}
        if members["slug"] in NO_SLUGS:
            members["slug"] = "L" * 65
        path = urllib.parse.quote(members["slug"], safe="")
        return CreateOnce(
            "PUT", f"links/{members['collection']}/{path}", members, If_None_Match="*")

    def change(self, model):
        id = self.some_id(model)
        return self.sized(Change(id, self.tag(model, id), self.members(model, is_new=False)))

    def delete(self, model):
        id = self.some_id(model)
        return Delete(id, self.tag(model, id))

    def alias(self, model):
        return Alias(self.some_id(model), self.slug(model))

    def upsert(self, model):
        name = f"crm-{self.chance.randrange(max(10, self.number // 8))}"
        known = name in model.names
        members = self.members(model, is_new=not known)
        members.pop("externalId", None)
        # Whoever makes it first decides where it is.
        members["collection"] = model.links[model.names[name]].collection if known else "x"
        return Upsert(name, members)

    def load(self, model):
        query = [one for one in ("mode=upsert", "mode=upsert", "dry-run=true", "atomic=true")
                 if self.chance.random() < 0.3]
        lines = []
        for _ in range(self.chance.choice([1, 2, 3, 5, 8, 40])):
            line = self.new(model)
            if lines and self.chance.random() < 0.3:
                # Once more what the import has had.
                line = self.chance.choice(lines) | self.members(model)
                line.pop("aliases", None)
            elif "mode=upsert" in query and model.links and self.chance.random() < 0.4:
                link = model.links[self.some_id(model, may_be_missing=False)]
                if not link.deleted:
                    line |= {"collection": link.collection, "slug": link.slug}
            if self.chance.random() < 0.25:
                line["aliases"] = self.aliases(model, line, len(lines))
            if self.chance.random() < 0.04:
                line = Line(line)
                if self.chance.random() < 0.5:
                    line.twice = self.chance.choice(list(line))
                else:
                    line.size = LINE_BYTES + self.chance.randint(0, 1)
            lines.append(line)
        return Import(lines, sorted(set(query)))

    def aliases(self, model, line, number):
        """Free ones, the link's own, others' and such as are none."""
        own = f"Alias-{self.number}-{number}"
        match self.chance.randrange(12):
            case 0: return [f"{own}-{one}" for one in range(ALIASES + self.chance.randint(0, 1))]
            case 1: return [own, self.slug(model)]
            case 2: return [own, own.swapcase()]
            case 3: return [own, (line.get("slug") or own).swapcase()]
            case 4 if model.links:
                link = model.links[self.chance.choice(list(model.links))]
                return [own, self.chance.choice([link.slug, *link.aliases])]
        return [own]

    def visit(self, model):
        """Of what is there, in this letter case or another."""
        if not model.links:
            return self.create(model)
        link = model.links[self.some_id(model, may_be_missing=False)]
        slug = self.chance.choice([link.slug, *link.aliases])
        if link.collection == "s" and self.chance.random() < 0.5:
            slug = slug.swapcase()
        return Visit(link.collection, slug)

    def find(self, model):
        if not model.links:
            return self.create(model)
        return Find(self.chance.choice(list(model.links)))

    def nonsense(self, model):
        path = self.chance.choice(["POST links", "PUT links/x/nonsense", "POST tokens", "POST links:check",
                                   f"POST links/{self.some_id(model)}/aliases"])
        method, path = path.split(" ")
        return Nonsense(method, path, body=self.chance.choice(NONSENSE), If_None_Match="*")

    def token(self, model):
        if self.removed and self.chance.random() < 0.3:
            number, secret = self.chance.choice(self.removed)
            if secret and self.chance.random() < 0.5:
                request = Stranger("POST", "links", self.new(model))
                request.token = secret
                return request
            return RemoveToken(number, False)
        free = [number for number in self.tokens if number not in self.busy]
        if free and self.chance.random() < 0.5:
            number = self.chance.choice(free)
            self.busy.add(number)
            return RemoveToken(number, self.tokens[number] and True)
        return AddToken(self.numbers)

    # What came of them

    def note(self, request, answer):
        match request:
            case Create() if answer.status == 201 and request.replays is None:
                if (key := request.fields.get("Idempotency-Key")) is not None:
                    self.keys.append((key, request.body, answer.json["id"]))
            case AddToken():
                self.numbers.add(answer.json["id"])
                self.tokens[answer.json["id"]] = answer.json["token"]
            case RemoveToken() if request.number in self.tokens:
                self.removed.append((request.number, self.tokens.pop(request.number)))

    def forget(self, request):
        """What was not answered may have been done or not."""
        if isinstance(request, RemoveToken) and request.number in self.tokens:
            self.tokens[request.number] = None
