"""Streams of requests to try a parser with: right ones, odd ones, and broken ones of each."""

import random

METHODS = ["GET", "GET", "GET", "HEAD", "POST", "PUT", "OPTIONS", "DELETE", "TRACE", "CONNECT",
           "PATCH", "BREW", "get", "G-E.T~", "", "G ET", "GE\tT", "GET,", "\x00GET", "A" * 300]
TARGETS = ["/", "/a", "/a/b?c=d&e", "/.well-known/x", "*", "/?", "//a", "/%2e%2e/", "/a%00b",
           "http://a.example/", "http://a.example", "HTTPS://a.example:8443/x?y", "http:///",
           "ftp://a/", "http://u@a/", "a.example:443", "a.example", "", "/a b", "/a\tb", "/\x80",
           "/ä".encode().decode("latin-1"), "/#x", "/\"<>\\^`{|}", "/[^|]?[^|]{`}\\", "/{", "/`", "/?<", "/?a\"b", "/?>", "/>", "/" + "a" * 2000, "?a", "\x7f",
           "http://[::1]/", "http://[::1", "http://[v1.a:b]/", "http://[v.a]/", "http://a.example:x/", "http://b.example/?/"]
VERSIONS = ["HTTP/1.1"] * 6 + ["HTTP/1.0", "HTTP/1.0", "HTTP/1.2", "HTTP/1.9", "HTTP/2.0",
            "HTTP/0.9", "http/1.1", "HTTP/1.1 ", " HTTP/1.1", "HTTP/11", "HTTP/1.10", "HTTP/1.",
            "HTTP/+1.1", "HTTP/1,1", "HTTPS/1.1", "", "\x00"]
HOSTS = ["a.example", "a.example:80", "a.example:", "[::1]:8080", "127.0.0.1", "", "a b", "a,b",
         "a/b", "a@b", "[v1.a]", "[vF.a:b]:80", "[v1.]", "[v1.a", "a.example:99999", "a.example:-1", "a_b.example", "ä", "a.example.", "[",
         "a.example:080808", "%61.example", "A.EXAMPLE", "a\x00b", ":80"]
LENGTHS = ["0", "5", "05", "+5", "-5", "5 ", " 5", "5,5", "5, 5", "5,6", "0x5", "5_0", "", " ",
           "5\t", "\x0b5", "5;", "1e1", "٥", "99999999999999999999", "18446744073709551621",
           "00000000000000000000000000000005", "4294967301"]
CODINGS = ["chunked", "Chunked", "CHUNKED", " chunked ", "gzip, chunked", "chunked, gzip",
           "chunked,", ",chunked", "chunked, chunked", "identity", "gzip", "", "xchunked",
           "chunked;a=b", "\x0bchunked", "chunked\x00", "\"chunked\"", "chunked, identity",
           "identity, chunked", "chu\tnked"]
CONNECTIONS = ["close", "keep-alive", "Close", "close, x", "x, close", "closed", "keep-alive,close",
               "upgrade", "", ",", "Keep-Alive, Upgrade", "close;q=1", "\"close\""]
EXPECTATIONS = ["100-continue", "100-Continue", "100-continue, x", "200-ok", ""]
SIZES = ["5", "05", "A", "a", "0", "00", "0x5", "+5", "-1", "", " 5", "5 ", "5\t", "g", "5;a=b",
         "5;a=\"b\"", "5;a", "5 ;a", "5;\x00", "5;a\nb", "FFFFFFFFFFFFFFFF", "10000000000000005",
         "0000000000000000005", "5\r", "5;" + "a" * 900, "٥"]
NAMES = ["A", "X-Y", "Accept", "User-Agent", "a_b", "Range", "If-None-Match", "Accept-Encoding",
         "!#$%&'*+-.^`|~", "Content-Length ", " Host", "Transfer-Encoding\t", "Host\x00", "", "a b",
         "a(b)", "ä", "Content_Length", "Transfer_Encoding", "Upgrade", "Trailer", "TE"]
VALUES = ["", " ", "a", " a ", "a b", "\ta\t", "é", "\xff", "a\x00", "a\x01b", "a\x7fb", "a\x0bb",
          "a\x0cb", "\x85", "bytes=0-1", "\"a\", W/\"b\"", "gzip;q=0", ":", "a: b", "x" * 1000,
          "h2c", "websocket"]
ENDS = ["\n", "\r", "\r\r\n", "\n\r", "\r\n\r\n", "", " \r\n", "\x0b\r\n", "\x85", "\r\n ",
        "\r\n\t", "\n "]


class Generator:
    """Streams in an order that the seed repeats; most have one thing wrong with them, or none."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def stream(self):
        whole = b"".join(
            self.request() for _ in range(self.random.choice([1, 1, 1, 1, 2, 2, 3])))
        for _ in range(self.random.choice([0, 0, 0, 0, 1, 1, 2])):
            whole = self.mutate(whole)
        return whole or self.stream()

    def chance(self, one_in):
        return self.random.randrange(one_in) == 0

    def odd(self, usual, values, one_in=12):
        return self.random.choice(values) if self.chance(one_in) else usual

    def end(self):
        return self.odd("\r\n", ENDS, 150)

    def request(self):
        pick = self.random.choice
        method = self.odd(pick(["GET", "POST", "HEAD"]), METHODS)
        target = self.odd("/a", TARGETS)
        version = self.odd("HTTP/1.1", VERSIONS)
        between = self.odd(" ", ["  ", "\t", "", "\x0b"], 80)
        text = self.odd("", ["\r\n", "\n", "\r\n\r\n", " ", "\r"], 40)
        text += f"{method}{between}{target} {version}{self.end()}"
        fields = [("Host", self.odd("a.example", HOSTS))] if not self.chance(25) else []
        if self.chance(40):
            fields.append(("Host", pick(HOSTS)))
        body = ""
        if self.chance(3):
            body = self.chunks() if self.chance(2) else pick(["", "hello", "hello", "GET / HTTP"])
            chunked = body.endswith("\r\n\r\n") != self.chance(15)
            if chunked or self.chance(20):
                fields.append(("Transfer-Encoding", self.odd("chunked", CODINGS, 4)))
            if not chunked or self.chance(20):
                fields.append(("Content-Length", self.odd(str(len(body)), LENGTHS, 4)))
            if self.chance(30):
                fields.append(pick([("Content-Length", pick(LENGTHS)),
                                    ("Transfer-Encoding", pick(CODINGS))]))
        if self.chance(5):
            fields.append(("Connection", pick(CONNECTIONS)))
        if self.chance(15):
            fields.append(("Expect", pick(EXPECTATIONS)))
        for _ in range(pick([0, 0, 1, 2])):
            fields.append((self.odd("X", NAMES, 3), self.odd("y", VALUES, 3)))
        self.random.shuffle(fields)
        for name, value in fields:
            name = self.odd(name, [name.lower(), name.upper(), name + " ", name + "\x00"], 20)
            text += f"{name}{self.odd(':', ['', ' :', '::', ';'], 120)}"
            text += f"{pick([' ', ' ', '', '  '])}{value}{self.end()}"
        return (text + self.end() + body).encode("latin-1", "replace")

    def chunks(self):
        text = ""
        for _ in range(self.random.choice([0, 1, 1, 2])):
            size = self.odd("5", SIZES, 6)
            text += size + self.end() + "hello" + self.end()
        text += self.odd("0", ["00", "0;a", "0 ", "", "0\t;a"], 20) + self.end()
        if self.chance(6):
            name, value = self.random.choice(NAMES), self.random.choice(VALUES)
            text += f"{name}: {value}{self.end()}"
        return text + "\r\n"

    def mutate(self, whole):
        pick, place = self.random.choice, self.random.randrange(len(whole) + 1)
        stop = min(len(whole), place + self.random.choice([1, 1, 2, 4, 16]))
        piece = pick([b"\r", b"\n", b"\r\n", b" ", b"\t", b"\0", b":", b"\x7f", b"\x80", b"0", b",",
                      bytes([self.random.randrange(256)])])
        match self.random.randrange(5):
            case 0: return whole[:place] + whole[stop:]
            case 1: return whole[:place] + piece + whole[place:]
            case 2: return whole[:place] + piece + whole[stop:]
            case 3: return whole[:stop] + whole[place:]
            case _: return whole[:place]
