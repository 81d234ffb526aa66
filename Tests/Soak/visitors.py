"""What clients do: a process of threads, each of which has one connection at a time."""

import collections
import pickle
import random
import ssl
import threading
import time

from manners import Manners, TurnedAway
from questions import HOST, Questioner
from wire import Ended, Malformed, Wire

TRUSTED = "127.0.0.1"


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


class Visitor(Manners, threading.Thread):
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
        self.wire = None
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
