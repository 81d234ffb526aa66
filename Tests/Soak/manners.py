"""How clients behave: one session each, over a connection of its own or several."""

import ssl
import time

from wire import Malformed


class TurnedAway(Exception):
    """The origin had no room for a connection, and was known to have none."""


class Manners:
    """What a visitor can do; it connects, asks and hears as `Visitor` says."""

    # --- The answers are heard to the last -----------------------------------------------------

    def browse(self):
        self.connect()
        for _ in range(self.random.randint(1, 12)):
            self.wire.send(self.ask(1))
            self.hear()
            if self.random.random() < 0.2:
                time.sleep(self.random.random() * 0.2)
        self.wire.finish()
        self.wire.expect_end()

    def pipeline(self):
        self.connect()
        self.wire.cutter = self.bits(200, 0.05)
        self.wire.send(self.ask(self.random.randint(2, 16), closes=True))
        self.hear()
        self.wire.expect_end()

    def end_early(self):
        """Ends its own side at once: all that was asked is answered."""
        self.connect()
        self.wire.send(self.ask(self.random.randint(1, 8)))
        self.wire.finish()
        self.hear()
        self.wire.expect_end()

    def cut(self):
        """Ends in the middle of a request: those before it are answered, that one never."""
        self.connect()
        self.wire.cutter = self.bits(1000, 0.05)
        octets = self.ask(self.random.randint(1, 6))
        end = self.random.randrange(len(octets) + 1)
        self.wire.send(octets[:end])
        self.wire.finish()
        whole = list(self.asked)
        while sum(len(one.octets) for one in whole) > end:
            whole.pop()
        self.hear(len(whole))
        self.wire.expect_end()
        self.asked.clear()

    def come_and_go(self):
        for _ in range(self.random.randint(1, 5)):
            self.connect()
            self.wire.send(self.ask(1, closes=True))
            self.hear()
            self.wire.expect_end()
            self.wire.socket.close()

    def trickle(self):
        """Each record, each request some octets at a time, over seconds, the handshake too."""
        self.connect(cutter=self.bits(40, 0.2))
        self.wire.send(self.ask(self.random.randint(1, 2)))
        self.hear()
        self.wire.finish()
        self.wire.expect_end()

    def read_slowly(self):
        self.connect(is_secure=True, receive_buffer=4096)
        self.asked.append(self.questioner.make(
            self.questioner.large, self.is_secure, self.is_trusted))
        self.wire.send(self.asked[0].octets + self.ask(2))
        self.hear(pace=lambda: time.sleep(0.02))
        self.wire.finish()
        self.wire.expect_end()

    def flood(self):
        """Hundreds at once, to fill the queue of the log."""
        self.connect(is_secure=False)
        octets = self.ask(400)
        self.wire.send(octets)
        self.hear()
        self.wire.finish()
        self.wire.expect_end()

    # --- Rude ones -----------------------------------------------------------------------------

    def reset(self):
        """Goes with a reset: what was not heard may have been answered or not."""
        self.connect()
        octets = self.ask(self.random.randint(1, 6))
        self.wire.send(octets[:self.random.randrange(len(octets))])
        if self.random.random() < 0.5:
            time.sleep(self.random.random() * 0.05)
        self.wire.reset()

    def talk_nonsense(self):
        """What is no request is refused, and nothing behind it is answered."""
        self.connect()
        before = self.ask(self.random.randint(0, 3))
        count = len(self.asked)
        nonsense, statuses = self.random.choice([
            (b"\x16\x03\x01\x02\x00\x01", {400}), (b"GET / HTTP/1.1\nHost: a\n\n", {400}),
            (b"GET / HTTP/1.1\r\n\r\n", {400}), (b"GET / HTTP/3.0\r\nHost: a\r\n\r\n", {505}),
            (b"GET /%b HTTP/1.1\r\nHost: a\r\n\r\n" % (b"a" * 9000), {414}),
            (b"GET / HTTP/1.1\r\nHost: a\r\nX: %b\r\n\r\n" % (b"a" * 9000), {431}),
            (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n", {413}),
            (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n"
             b"\r\n0\r\n\r\n", {400}),
            (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", {400}),
        ])
        self.wire.send(before + nonsense + self.ask(2))
        self.hear(count)
        answer = self.wire.answer()
        if answer.status not in statuses or answer.fields.get("connection") != "close":
            raise Malformed(f"{answer.status} to {nonsense[:80]!r}")
        self.wire.expect_end()
        self.asked.clear()

    def break_records(self):
        """TLS records that are none, or that somebody changed."""
        self.connect(is_secure=True)
        self.wire.send(self.ask(1))
        self.hear()
        noise = self.random.randbytes(self.random.randint(1, 300))
        self.wire.socket.sendall(b"\x17\x03\x03" + len(noise).to_bytes(2) + noise)
        try:
            self.wire.expect_end()
        except (Malformed, ssl.SSLError, OSError):
            # An alert, or the end: anything but an answer.
            if self.wire.buffer:
                raise

    def say_nothing(self):
        self.connect()
        time.sleep(self.random.random())

    def never_finish(self):
        """A head that has no end: 408 in ten seconds, then the end."""
        self.connect()
        octets = self.ask(1, without=("head",))
        end = octets.index(b"\r\n\r\n")
        self.wire.send(octets[:self.random.randrange(20, end)])
        answer = self.wire.answer()
        if answer.status != 408:
            raise Malformed(f"{answer.status} to a head that has no end")
        self.wire.expect_end()
        self.asked.clear()
