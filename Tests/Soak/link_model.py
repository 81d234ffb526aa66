"""A store of links as a plain model: what each request must be answered with, and what it changes."""

import copy
import hashlib
import json
import re
import urllib.parse

SLUG = re.compile(r"[A-Za-z0-9_~-]([A-Za-z0-9._~-]{0,62}[A-Za-z0-9_~-])?")
# The configuration allows this host only.
DESTINATION = "https://www.example.com/"
DESTINATION_BYTES, DETAILS_BYTES, TAG_BYTES, NAME_BYTES = 2_048, 16_384, 64, 128
TAGS, ALIASES, CONTENT_BYTES, LINE_BYTES, KEY_BYTES = 100, 100, 65_536, 65_536, 255
# Where short links of Firebase are made.
PREFIX = "https://links.example/f"


class Link:
    """A link as its maker knows it."""

    def __init__(self, collection, slug, members, generation):
        self.collection, self.slug, self.aliases = collection, slug, []
        self.destination = members["destination"]
        self.note, self.name, self.data = members.get("note"), members.get("externalId"), None
        self.tags, self.state, self.archived = [], "active", False
        self.deleted, self.generation, self.history = False, generation, []
        self.merge(members)

    def merge(self, members, is_line=False):
        """A merge patch; returns whether it changes anything."""
        before = self.content()
        for key, value in members.items():
            match key:
                case "destination": self.destination = value
                case "note": self.note = value or None
                case "externalId": self.name = value
                case "tags": self.tags = value or []
                case "state": self.state = value or "active"
                case "archived": self.archived = bool(value)
                case "app": self.data = self.merged(value, is_line)
        return self.content() != before

    def merged(self, app, is_line=False):
        """What an app is told, after a merge patch. A line of an import has all of it."""
        data = (app or {}).get("data")
        return self.data | data if self.data and data and not is_line else data

    def content(self):
        return (self.destination, self.note, self.name, tuple(self.tags), self.state, self.archived,
                json.dumps(self.data))

    def facts(self):
        """What an answer says of it."""
        facts = {"collection": self.collection, "slug": self.slug, "deleted": self.deleted,
                 "aliases": self.aliases}
        if not self.deleted:
            facts |= {"destination": self.destination, "note": self.note, "externalId": self.name,
                      "tags": self.tags, "state": self.state, "archived": self.archived,
                      "data": self.data}
        return facts


def facts(link):
    """The same of the JSON of an answer."""
    found = {"collection": link["collection"], "slug": link["slug"], "deleted": "deleted" in link,
             "aliases": link.get("aliases", [])}
    if "deleted" not in link:
        found |= {"destination": link.get("destination"), "note": link.get("note"),
                  "externalId": link.get("externalId"), "tags": link.get("tags", []),
                  "state": link["state"], "archived": link.get("archived", False),
                  "data": link.get("app", {}).get("data")}
    return found


class Refused(Exception):
    """What a request is answered with that changes nothing."""

    def __init__(self, *statuses):
        super().__init__(statuses)
        self.statuses = statuses


class Line(dict):
    """A line of an import in a form of its own: of a size, or with a member that is there twice."""

    size, twice = 0, None

    def encode(self):
        text = json.dumps(self)
        if self.twice is not None:
            text = f"{text[:-1]}, {json.dumps(self.twice)}: {json.dumps(self[self.twice])}}}"
        return text.encode().ljust(self.size)


class Model:
    """Collections `s`, in which letter case does not matter, and `x` and `f`, in which it does. `f` has
    the API of Firebase."""

    def __init__(self):
        self.links, self.slugs, self.names, self.generation = {}, {}, {}, 0

    def copy(self):
        """Another model, which shares links until they are changed."""
        other = Model()
        other.links, other.slugs = dict(self.links), dict(self.slugs)
        other.names, other.generation = dict(self.names), self.generation
        return other

    def take(self, other):
        self.links, self.slugs, self.names = other.links, other.slugs, other.names

    def own(self, id):
        """A link that only this model has."""
        self.links[id] = copy.deepcopy(self.links[id])
        return self.links[id]

    # What is known

    def key(self, collection, slug):
        return collection, slug.lower() if collection == "s" else slug

    def at(self, collection, slug):
        """The id of the link that has this very slug."""
        found = self.slugs.get(self.key(collection, slug))
        if found is None:
            return None
        link = self.links[found]
        return found if slug in [link.slug, *link.aliases] else None

    def is_taken(self, collection, slug):
        return self.key(collection, slug) in self.slugs

    def answered(self, collection, slug):
        """What a visitor gets."""
        found = self.slugs.get(self.key(collection, slug))
        link = self.links.get(found)
        if link is None or (not link.deleted and link.state == "disabled"):
            return 404, None
        return (410, None) if link.deleted else (302, link.destination)

    # What is asked

    @staticmethod
    def check(members, is_new=True, may_have=lambda name: False):
        """Members that no link can have. `may_have`: of names that Waymark gives to short links."""
        faults = False
        destination = members.get("destination")
        if destination is not None:
            faults |= not destination.startswith(DESTINATION)
            faults |= len(destination.encode()) > DESTINATION_BYTES
        elif is_new or "destination" in members:
            faults = True
        if is_new and (slug := members.get("slug")) is not None:
            faults |= not SLUG.fullmatch(slug) or slug.startswith("_") or slug.endswith(".php")
        tags = members.get("tags") or []
        faults |= len(tags) > TAGS or any(len(tag.encode()) > TAG_BYTES for tag in tags)
        name = members.get("externalId") or ""
        faults |= len(name.encode()) > NAME_BYTES
        faults |= name.startswith("firebase:") and not may_have(name)
        if (data := (members.get("app") or {}).get("data")) is not None:
            details = json.dumps({"app": {"data": data}})
            faults |= len(details.encode()) > DETAILS_BYTES
        if faults:
            raise Refused(422)

    def create(self, members, answer, generation, may_have=lambda name: False):
        """`answer`: the link of the answer, for what was chosen by chance."""
        self.check(members, may_have=may_have)
        collection, slug = members["collection"], members.get("slug") or answer.get("slug")
        if members.get("slug") and self.is_taken(collection, slug):
            raise Refused(409)
        name = members.get("externalId")
        if name is not None and name in self.names:
            raise Refused(409)
        if not slug or self.is_taken(collection, slug):
            raise RuntimeError(f"the chosen slug {slug!r} was taken")
        return self.add(answer.get("id"), Link(collection, slug, members, generation), "create")

    def add(self, id, link, action):
        if not id or id in self.links:
            raise RuntimeError(f"the chosen id {id!r} is taken")
        self.links[id] = link
        self.slugs[self.key(link.collection, link.slug)] = id
        if link.name is not None:
            self.names[link.name] = id
        link.history.append(action)
        return id

    def change(self, id, members, generation, is_line=False):
        """Returns whether it changes anything."""
        link = self.own(id)
        self.check(members, is_new=False, may_have=lambda name: name == link.name)
        if "app" in members:
            self.check({"app": {"data": link.merged(members["app"], is_line)}}, is_new=False)
        if members.get("collection", link.collection) != link.collection:
            raise Refused(422)
        slug = members.get("slug", link.slug)
        if slug is None or (
                self.key(link.collection, slug) != self.key(link.collection, link.slug)):
            raise Refused(422)
        name = members.get("externalId", link.name)
        if name is not None and self.names.get(name, id) != id:
            raise Refused(409)
        old = link.name
        if not link.merge(members, is_line):
            return False
        if old is not None:
            del self.names[old]
        if link.name is not None:
            self.names[link.name] = id
        link.generation = generation
        link.history.append("change")
        return True

    def edited(self, id, tag):
        """Whether somebody who has seen this entity tag may change the link."""
        link = self.links.get(id)
        if link is None:
            raise Refused(404)
        if link.deleted:
            raise Refused(410)
        if tag is None:
            raise Refused(428)
        if tag != "*" and tag != f'"{link.generation}"':
            raise Refused(412)

    def delete(self, id, tag, generation):
        self.edited(id, tag)
        link = self.own(id)
        if link.name is not None:
            del self.names[link.name]
        link.name, link.deleted, link.generation = None, True, generation
        link.history.append("delete")

    def alias(self, id, slug, generation):
        self.edited(id, "*")
        link = self.own(id)
        if not SLUG.fullmatch(slug) or slug.startswith("_") or slug.endswith(".php"):
            raise Refused(422)
        if len(link.aliases) == ALIASES:
            raise Refused(422)
        if self.is_taken(link.collection, slug):
            raise Refused(409)
        link.aliases.append(slug)
        self.slugs[self.key(link.collection, slug)] = id
        link.generation = generation
        link.history.append("alias")

    def upsert(self, name, members, answer, generation):
        """Returns whether it changes anything."""
        if (found := self.names.get(name)) is not None:
            return self.change(found, members, generation)
        self.create(members | {"externalId": name}, answer, generation)
        return True

    # Firebase

    @staticmethod
    def short_name(destination, suffix, option):
        """The name of a short link, by which the same request gets the same one."""
        query = f"link={urllib.parse.quote(destination, safe='')}"
        parts = "\n".join(["f", PREFIX, suffix or "", "", query])
        return f"firebase:{option.lower()}:{hashlib.sha256(parts.encode()).hexdigest()[:32].upper()}"

    def short(self, destination, suffix, option, answer, generation):
        """Returns whether it changes anything."""
        name = self.short_name(destination, suffix, option)
        found = self.names.get(name)
        if found is None or self.links[found].collection != "f":
            try:
                self.check({"destination": destination} | ({"slug": suffix} if suffix else {}))
            except Refused:
                raise Refused(400)
            # An import can have given the name to another link.
            if (suffix and self.is_taken("f", suffix)) or found is not None:
                raise Refused(409)
            slug = suffix or answer.get("slug")
            if not slug or self.is_taken("f", slug):
                raise RuntimeError(f"the chosen slug {slug!r} was taken")
            link = Link("f", slug, {"destination": destination, "externalId": name,
                                    "app": {"data": {"link": destination}}}, generation)
            self.add(answer.get("id"), link, "create")
            return True
        slug = self.links[found].slug
        if answer.get("slug", slug) != slug:
            raise RuntimeError(f"the same request got {answer['slug']}, not {slug}")
        return False

    # Imports

    def line(self, members, answer, changes_existing, generation):
        """What becomes of a line: its outcome, and whether that changes anything."""
        if isinstance(members, Line) and members.size > LINE_BYTES:
            raise Refused(413)
        if isinstance(members, Line) and members.twice is not None:
            raise Refused(422)
        if changes_existing and members.get("slug") is None and members.get("externalId") is None:
            # A second run would not find it.
            raise Refused(422)
        found = self.existing(members) if changes_existing else None
        given = {key: value for key, value in members.items() if key != "aliases"}
        aliases = members.get("aliases", [])
        self.check_aliases(found, members, aliases)
        if found is None:
            id = self.create(given, answer, generation, may_have=lambda name: True)
            self.links[id].history = ["import"]
            self.name_also(id, aliases, generation)
            return "created"
        if self.change(found, given, generation, is_line=True):
            self.name_also(found, aliases, generation)
            return "changed"
        if self.name_also(found, aliases, generation):
            self.links[found].history.append("change")
            return "changed"
        return "unchanged"

    def check_aliases(self, found, members, aliases):
        """Other slugs of a line, which are refused with all of it if one cannot be its link's."""
        own, collection = [members.get("slug")], members["collection"]
        if found is not None:
            link = self.links[found]
            own += [link.slug, *link.aliases]
            place = link.collection
            known = {self.key(place, slug) for slug in own[1:]}
            added = [one for one in aliases if self.key(place, one) not in known]
            if len(link.aliases) + len(added) > ALIASES:
                raise Refused(409, 422)
        else:
            place, added = collection, aliases
        taken = [self.key(collection, slug) for slug in own[:1] + aliases if slug is not None]
        if (len(aliases) > ALIASES or len(set(taken)) < len(taken)
                or any(not SLUG.fullmatch(one) or one.startswith("_") or one.endswith(".php")
                       for one in aliases)
                or any(self.is_taken(place, one) for one in added)):
            raise Refused(409, 422)

    def name_also(self, id, slugs, generation):
        """Other slugs, which are free or those of the link; returns whether there is a new one."""
        link, is_new = self.own(id), False
        for slug in slugs:
            known = [self.key(link.collection, one) for one in [link.slug, *link.aliases]]
            if self.key(link.collection, slug) not in known:
                link.aliases.append(slug)
                self.slugs[self.key(link.collection, slug)] = id
                link.generation, is_new = generation, True
        return is_new

    def existing(self, members):
        if (name := members.get("externalId")) in self.names:
            return self.names[name]
        if (slug := members.get("slug")) is not None:
            found = self.slugs.get(self.key(members["collection"], slug))
            if found is not None and not self.links[found].deleted:
                return found
        return None
