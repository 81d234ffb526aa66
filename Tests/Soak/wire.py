"""One connection, plain or TLS, whose bytes are cut and delayed as one likes.

The TLS engine works between buffers, so that records are cut as well as requests.
"""

import re
import socket
import ssl
import struct
import time

STATUS_LINE = re.compile(rb"HTTP/1\.1 ([1-5]\d\d) [\x20-\x7e]*\Z")
FIELD_LINE = re.compile(rb"([!#-'*+.^_`|~0-9A-Za-z-]+): ?([\x20-\x7e\x80-\xff]*)\Z")
WAIT_SECONDS = 180


class Ended(Exception):
    """The origin ended the connection; `.rest` came behind the last whole answer."""

    def __init__(self, why, rest=b""):
        super().__init__(f"{why}, behind {len(rest)} octets {rest[:80]!r}")
        self.rest = rest


class Malformed(Exception):
    """What came is no answer."""


class Answer:
    def __init__(self, head):
        first, *lines = head.split(b"\r\n")
        status = STATUS_LINE.match(first)
        if not status:
            raise Malformed(f"status line {first[:80]!r}")
        self.status = int(status[1])
        self.fields = {}
        self.body = b""
        for line in lines:
            field = FIELD_LINE.match(line)
            if not field:
                raise Malformed(f"field line {line[:80]!r}")
            name = field[1].lower().decode()
            if name in self.fields:
                raise Malformed(f"{name} stands twice")
            self.fields[name] = field[2].decode("latin-1")

    def length(self, is_head):
        """How much content follows; every answer that may have content says so."""
        said = self.fields.get("content-length")
        if "transfer-encoding" in self.fields:
            raise Malformed("Transfer-Encoding")
        if self.status < 200 or self.status == 204:
            if said is not None:
                raise Malformed(f"{self.status} with Content-Length")
            return 0
        if said is None and self.status != 304:
            raise Malformed(f"{self.status} without Content-Length")
        return 0 if is_head or self.status == 304 else int(said)


class Wire:
    def __init__(self, port, source="127.0.0.1", context=None, name=None, session=None,
                 receive_buffer=None, cutter=None):
        """`cutter` takes octets and gives pieces, each with the seconds to wait before it."""
        self.cutter = cutter or (lambda octets: [(octets, 0)])
        self.buffer = bytearray()
        self.is_ended = False
        self.engine = None
        self.answered = 0
        self.socket = socket.socket()
        try:
            self.socket.settimeout(WAIT_SECONDS)
            if receive_buffer:
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.socket.bind((source, 0))
            self.socket.connect(("127.0.0.1", port))
            if context:
                self.shake_hands(context, name, session)
        except BaseException:
            self.socket.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    # --- TLS -----------------------------------------------------------------------------------

    def shake_hands(self, context, name, session):
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.engine = context.wrap_bio(
            self.incoming, self.outgoing, server_hostname=name, session=session)
        while True:
            try:
                self.engine.do_handshake()
                return self.push()
            except ssl.SSLWantReadError:
                self.push()
                self.pull()

    def push(self):
        self.write(self.outgoing.read())

    def pull(self):
        """Takes octets from the socket to the engine."""
        octets = self.socket.recv(65536)
        if octets:
            self.incoming.write(octets)
        else:
            self.incoming.write_eof()

    # --- Sending -------------------------------------------------------------------------------

    def write(self, octets):
        """Sends octets as they are, in the cutter's pieces."""
        for piece, seconds in self.cutter(octets) if octets else ():
            if seconds:
                time.sleep(seconds)
            self.socket.sendall(piece)

    def send(self, octets):
        if self.engine is None:
            return self.write(octets)
        for place in range(0, len(octets), 16384):
            self.engine.write(octets[place:place + 16384])
        self.push()

    def finish(self):
        """Says that nothing more will be sent; answers may still come."""
        if self.engine is not None:
            try:
                self.engine.unwrap()
            except ssl.SSLWantReadError:
                pass
            self.push()
        self.socket.shutdown(socket.SHUT_WR)

    def reset(self):
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    # --- Receiving -----------------------------------------------------------------------------

    def receive(self, most=65536):
        """Some more of what the origin sends, decrypted; raises `Ended` when it ended."""
        if self.engine is None:
            octets = self.socket.recv(most)
        else:
            octets = self.decrypt(most)
        if not octets:
            self.is_ended = True
            raise Ended("closed", bytes(self.buffer))
        return octets

    def decrypt(self, most):
        while True:
            try:
                return self.engine.read(most)
            except ssl.SSLWantReadError:
                self.pull()
            except ssl.SSLZeroReturnError:
                return b""
            except ssl.SSLEOFError:
                raise Ended("closed without a word", bytes(self.buffer)) from None

    def answer(self, is_head=False, pace=None):
        """The next answer, an interim one too. `pace` is called before each piece is read."""
        end = -1
        while (end := self.buffer.find(b"\r\n\r\n")) < 0:
            self.buffer += self.receive()
        answer = Answer(bytes(self.buffer[:end]))
        length = end + 4 + answer.length(is_head)
        while len(self.buffer) < length:
            if pace:
                pace()
            self.buffer += self.receive()
        answer.body = bytes(self.buffer[end + 4:length])
        del self.buffer[:length]
        self.answered += 1
        return answer

    def expect_end(self):
        """Reads until the origin closes, in good order; more octets are an answer too many."""
        try:
            self.buffer += self.receive()
            raise Malformed(f"more than was asked for: {bytes(self.buffer[:80])!r}")
        except Ended as end:
            if end.rest or not self.is_ended:
                raise Malformed(str(end)) from None
