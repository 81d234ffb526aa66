"""Requests, each with a name of its own, and how to tell a right answer."""

import gzip
import hashlib

HOST = "soak.example"

DESKTOP = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/129.0.0.0 Safari/537.36"
ANDROID = ("Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) "
           "Chrome/129.0.0.0 Mobile Safari/537.36")
IPHONE = ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 "
          "(KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1")
PREVIEW = "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)"

AASA = ("/.well-known/apple-app-site-association", "/apple-app-site-association")


class Question:
    """A request as it is sent, and `judge`, which says what is wrong with an answer, or None."""

    def __init__(self, name, octets, judge, is_head=False, closes=False):
        self.name = name
        self.octets = octets
        self.judge = judge
        self.is_head = is_head
        self.closes = closes


class Questioner:
    """Makes questions; `known` is what the site must answer."""

    def __init__(self, known, random, prefix):
        self.known = known
        self.random = random
        self.prefix = prefix
        self.count = 0
        self.secure = [
            (6, self.association), (2, self.asset_links), (5, self.redirect), (3, self.store),
            (2, self.landing), (1, self.preview), (4, self.page), (3, self.head),
            (2, self.part), (2, self.parts), (1, self.beyond), (3, self.unchanged),
            (1, self.changed), (2, self.missing), (1, self.unknown_host), (2, self.refused_content),
            (1, self.options), (1, self.unknown_method), (0.3, self.large),
        ]
        self.plain = [(3, self.association), (5, self.to_https), (1, self.unknown_host)]

    def next(self, is_secure, is_trusted, closes=False, without=()):
        kinds = [one for one in (self.secure if is_secure else self.plain)
                 if one[1].__name__ not in without]
        kind = self.random.choices([one[1] for one in kinds], [one[0] for one in kinds])[0]
        return self.make(kind, is_secure, is_trusted, closes)

    def make(self, kind, is_secure, is_trusted, closes=False):
        self.count += 1
        self.name = f"{self.prefix}-{self.count}"
        self.is_secure, self.is_trusted, self.closes = is_secure, is_trusted, closes
        return kind()

    # --- Making --------------------------------------------------------------------------------

    def ask(self, judge, target, *fields, method="GET", agent=DESKTOP, host=HOST, content=b""):
        lines = [f"{method} {target} HTTP/1.1", f"Host: {host}", f"X-Request-ID: {self.name}",
                 f"User-Agent: {agent} soak/{self.name}", *fields]
        if self.closes:
            lines.append("Connection: close")
        return Question(self.name, "\r\n".join([*lines, "", ""]).encode() + content,
                        self.common(judge), method == "HEAD", self.closes)

    def common(self, judge):
        """What holds for every answer, and then what `judge` says."""
        name = self.name if self.is_trusted else None
        closes = self.closes

        def whole(answer):
            fields = answer.fields
            if name and fields.get("x-request-id") != name:
                return f"the answer is to {fields.get('x-request-id')}"
            if closes and fields.get("connection") != "close":
                return "it does not say that it closes"
            if "date" not in fields:
                return "no Date"
            return judge(answer)

        return whole

    @staticmethod
    def expect(status, body=None, **wanted):
        """`wanted`: values of fields, `_` for a hyphen."""
        def judge(answer):
            if answer.status != status:
                return f"status {answer.status}, not {status}"
            if body is not None and answer.body != body:
                digest = hashlib.sha256(answer.body).hexdigest()[:12]
                return f"another body of {len(answer.body)} octets, {digest}"
            for field, value in wanted.items():
                if answer.fields.get(field.replace("_", "-")) != value:
                    return f"{field}: {answer.fields.get(field.replace('_', '-'))}, not {value}"
            return None

        return judge

    # --- Files ---------------------------------------------------------------------------------

    def association(self):
        def judge(answer):
            if answer.status != 200 or answer.fields.get("content-type") != "application/json":
                return f"status {answer.status}, {answer.fields.get('content-type')}"
            if answer.body not in self.known.associations:
                return f"no association file that was published: {answer.body[:80]!r}"
            return None

        return self.ask(judge, self.random.choice(AASA), agent="swcd (unknown version) CFNetwork")

    def asset_links(self):
        return self.ask(self.expect(200, self.known.asset_links), "/.well-known/assetlinks.json")

    def page(self):
        page = self.known.page

        def judge(answer):
            if answer.status != 200 or answer.fields.get("content-encoding") != "gzip":
                return f"status {answer.status}, {answer.fields.get('content-encoding')}"
            return None if gzip.decompress(answer.body) == page else "another page"

        if self.random.random() < 0.5:
            return self.ask(judge, "/page.html", "Accept-Encoding: br;q=1, gzip;q=0.8")
        return self.ask(self.expect(200, page), "/page.html")

    def head(self):
        return self.ask(self.expect(200, b"", content_length=str(len(self.known.page))),
                        "/page.html", method="HEAD")

    def large(self):
        return self.ask(self.expect(200, self.known.large), "/large.bin")

    def part(self):
        large = self.known.large
        start = self.random.randrange(len(large) - 20000)
        end = start + self.random.randrange(20000)
        return self.ask(
            self.expect(206, large[start:end + 1],
                        content_range=f"bytes {start}-{end}/{len(large)}"),
            "/large.bin", f"Range: bytes={start}-{end}")

    def parts(self):
        large = self.known.large
        start = self.random.randrange(1000, 100_000)
        first, second = large[5:10], large[start:start + 700]

        def judge(answer):
            if answer.status != 206 or first not in answer.body or second not in answer.body:
                return f"status {answer.status}, {len(answer.body)} octets"
            return None if len(answer.body) < 2000 else f"{len(answer.body)} octets"

        return self.ask(judge, "/large.bin", f"Range: bytes=5-9, {start}-{start + 699}")

    def beyond(self):
        size = len(self.known.large)
        return self.ask(self.expect(416, content_range=f"bytes */{size}"), "/large.bin",
                        f"Range: bytes={size}-")

    def unchanged(self):
        return self.ask(self.expect(304, b""), "/page.html",
                        f'If-None-Match: "x", W/{self.known.page_tag}')

    def changed(self):
        return self.ask(self.expect(412), "/page.html", 'If-Match: "x"')

    # --- Links ---------------------------------------------------------------------------------

    def redirect(self):
        location = f"https://www.example.com/to/{self.name}?q={self.name}"
        return self.ask(self.expect(302, b"", location=location),
                        f"/go/{self.name}?q={self.name}")

    def store(self):
        name = self.name

        def judge(answer):
            location = answer.fields.get("location", "")
            if answer.status != 302 or not location.startswith("https://play.google.com/"):
                return f"status {answer.status} to {location}"
            return None if f"%252F{name}" in location else f"the link of another: {location}"

        return self.ask(judge, f"/go/{name}", agent=ANDROID)

    def landing(self, agent=IPHONE):
        canonical = f'<link rel="canonical" href="https://{HOST}/go/{self.name}">'.encode()

        def judge(answer):
            if answer.status != 200:
                return f"status {answer.status}"
            return None if canonical in answer.body else "the page of another link"

        return self.ask(judge, f"/go/{self.name}", agent=agent)

    def preview(self):
        return self.landing(PREVIEW)

    # --- What there is not ---------------------------------------------------------------------

    def missing(self):
        return self.ask(self.expect(404, self.known.missing), f"/no/{self.name}")

    def unknown_host(self):
        """Over TLS the host is another than the one that the handshake was for."""
        return self.ask(self.expect(421 if self.is_secure else 404), f"/{self.name}",
                        host="other.example")

    def to_https(self):
        location = f"https://{HOST}/go/{self.name}?q={self.name}"
        return self.ask(self.expect(308, b"", location=location),
                        f"/go/{self.name}?q={self.name}")

    def refused_content(self):
        content = self.random.randbytes(self.random.randrange(3000))
        if self.random.random() < 0.5:
            field = f"Content-Length: {len(content)}"
        else:
            field = "Transfer-Encoding: chunked"
            chunks = [content[place:place + 700] for place in range(0, len(content), 700)]
            content = b"".join(b"%x;x=y\r\n%b\r\n" % (len(one), one) for one in chunks if one)
            content += b"0\r\nX-Trailer: y\r\n\r\n"
        return self.ask(self.expect(405, allow="GET, HEAD, OPTIONS"), f"/{self.name}", field,
                        method="POST", content=content)

    def options(self):
        return self.ask(self.expect(204, b"", allow="GET, HEAD, OPTIONS"), "*", method="OPTIONS")

    def unknown_method(self):
        return self.ask(self.expect(501), f"/{self.name}", method="BREW")
