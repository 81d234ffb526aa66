"""What clients do: a process of threads, each of which has one connection at a time."""

import collections
import pickle
import random
import ssl
import threading
import time

from questions import HOST, Questioner
from wire import Ended, Malformed, Wire

TRUSTED = "127.0.0.1"
SESSIONS_MAX = 64


class Tally:
    """What came of a process's requests."""

    def __init__(self):
        self.answered = {}
        self.unsure = set()
        self.counts = collections.Counter()
        self.failures = []
        self.lock = threading.Lock()

    def count(self, what, number=1):
        with self.lock:
            self.counts[what] += number

    def fail(self, fact):
        with self.lock:
            self.counts["failures"] += 1
            if len(self.failures) < 200:
                self.failures.append(f"{time.strftime('%H:%M:%S')} {fact}")


class TurnedAway(Exception):
    """The origin had no room for a connection, and was known to have none."""


class Visitor(threading.Thread):
    def __init__(self, shared, tally, slot, seed):
        super().__init__(daemon=True)
        self.shared, self.tally, self.slot = shared, tally, slot
        self.random = random.Random(seed)
        self.source = TRUSTED if slot % 3 == 0 else f"127.1.{slot // 200}.{slot % 200 + 1}"
        self.is_trusted = self.source == TRUSTED
        self.questioner = Questioner(shared.known, self.random, f"{shared.run}-{slot}")
        self.is_late = False
        self.sessions = collections.deque(maxlen=4)
        self.manners = [
            (6, self.browse), (5, self.pipeline), (5, self.end_early), (4, self.cut),
            (3, self.come_and_go), (3, self.trickle), (1, self.read_slowly), (4, self.reset),
            (2, self.talk_nonsense), (1, self.break_records), (1, self.say_nothing),
            (0.15, self.never_finish),
        ]

    # --- From one connection to the next -------------------------------------------------------

    def run(self):
        shared = self.shared
        while not shared.stops and not self.is_late:
            if shared.pauses:
                shared.idle[self.slot] = 1
                time.sleep(0.05)
                continue
            shared.idle[self.slot] = 0
            manner = self.random.choices(
                [one[1] for one in self.manners], [one[0] for one in self.manners])[0]
            if shared.floods and self.slot % 4 == 0:
                manner = self.flood
            self.attempt(manner)
            time.sleep(self.random.expovariate(1 / shared.rest_seconds))
        shared.idle[self.slot] = 1

    def attempt(self, manner):
        began = time.monotonic()
        self.asked = collections.deque()
        self.wire = None
        name = manner.__name__
        try:
            manner()
            self.tally.count(name)
        except TurnedAway:
            self.tally.count("turned away")
        except (Ended, OSError, ssl.SSLError) as error:
            # Who had nothing yet may be turned away where there is no room; nobody else.
            is_new = self.wire is None or self.wire.answered == 0
            if is_new and self.shared.had_no_room(began):
                self.tally.count("turned away")
            elif self.shared.drains and not getattr(error, "rest", b""):
                self.tally.count("too late")
                self.is_late = True
            else:
                self.tally.fail(f"{name}: {error!r}, {len(self.asked)} not answered, e.g. "
                                f"{self.asked[0].octets[:300] if self.asked else None!r}")
        except Malformed as error:
            self.tally.fail(f"{name}: {error!r}")
        except Exception as error:
            self.tally.fail(f"{name}: {error!r}")
        finally:
            self.tally.unsure.update(one.name for one in self.asked)
            if self.wire is not None:
                self.wire.socket.close()

    def connect(self, is_secure=None, **more):
        """A connection; `self.is_secure` says of which kind."""
        self.is_secure = self.random.random() < 0.75 if is_secure is None else is_secure
        port = self.shared.known.https if self.is_secure else self.shared.known.http
        context, session = None, None
        if self.is_secure:
            version = self.random.choice(list(self.shared.contexts))
            context = self.shared.contexts[version]
            kept = [one for one in self.sessions if one[0] == version]
            if kept and self.random.random() < 0.6:
                session = self.random.choice(kept)[1]
        self.wire = Wire(port, self.source, context, HOST, session, **more)
        if self.is_secure:
            self.tally.count(f"handshakes, {self.wire.engine.version()}")
            if session is not None:
                self.tally.count("came back")
                self.tally.count("resumed", self.wire.engine.session_reused)
        return self.wire

    def ask(self, count, closes=False, without=()):
        """Makes questions, which are unsure until they are answered."""
        made = [self.questioner.next(self.is_secure, self.is_trusted, without=without)
                for _ in range(count)]
        if closes:
            made[-1] = self.questioner.next(
                self.is_secure, self.is_trusted, closes=True, without=without)
        self.asked.extend(made)
        return b"".join(one.octets for one in made)

    def hear(self, count=None, **more):
        """Reads the answers to the next questions, in their order."""
        for _ in range(len(self.asked) if count is None else count):
            question = self.asked[0]
            answer = self.wire.answer(question.is_head, **more)
            if answer.status == 503 and self.shared.had_no_room(time.monotonic()):
                raise TurnedAway
            fault = question.judge(answer)
            if fault:
                raise Malformed(f"{fault}; asked {question.octets[:300]!r}")
            self.asked.popleft()
            self.tally.answered[question.name] = answer.status
        if self.is_secure and self.wire.engine.session and self.wire.engine.session.has_ticket:
            version = self.wire.engine.version()
            self.sessions.append((version, self.wire.engine.session))

    def bits(self, most, seconds):
        """A cutter: pieces of up to so many octets, some of them late."""
        def cut(octets):
            place = 0
            while place < len(octets):
                count = self.random.randint(1, most)
                late = self.random.random() < 0.2
                yield octets[place:place + count], late * self.random.random() * seconds
                place += count

        return cut

    # --- Manners: the answers are heard to the last --------------------------------------------

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

    # --- Manners: rude ones --------------------------------------------------------------------

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


def visit(shared, path, number, threads, seed):
    """Runs a process of visitors until it is told to stop, and leaves its tally in a file."""
    shared.contexts = {}
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        context = ssl.create_default_context(cafile=shared.known.authority)
        context.minimum_version = context.maximum_version = version
        shared.contexts[{"TLSv1_2": "TLSv1.2", "TLSv1_3": "TLSv1.3"}[version.name]] = context
    tally = Tally()
    visitors = [Visitor(shared, tally, number * threads + index, f"{seed}-{number}-{index}")
                for index in range(threads)]
    for one in visitors:
        one.start()
    for one in visitors:
        one.join()
    with open(path, "wb") as file:
        pickle.dump((tally.answered, tally.unsure, tally.counts, tally.failures), file)
