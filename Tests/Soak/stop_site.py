"""An origin that has everything that a stop could lose: links, visits, lines of the access log. Its disk is
`faulty-disk.c`, which answers, is slow, or answers no more."""

import contextlib
import http.client
import json
import os
import pathlib
import select
import shutil
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Python"))

from origin import SAFETY_NET_SECONDS, Origin, wait_until  # noqa: E402

HOST, OTHER = "links.example", "other.example"
CONFIGURATION = """\
version: 1
apps: {a: {ios: {id: ABCDE12345.com.example.a}}}
links:
  short: {match: /s/*, stored: {destinations: www.example.com}}
environments:
  test:
    hosts: [links.example, other.example]
    publish: {a: [short]}
    store: store/links.db
    log: {access: json, to: logs/access.log}
    tls:
      - {certificate: certs/dev.pem, key: certs/dev.key}
"""
STORE_KEY = "store: store/links.db"
BROWSER = ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
           "Version/18.5 Mobile/15E148 Safari/604.1")
ANYBODY = ssl.create_default_context()
ANYBODY.check_hostname, ANYBODY.verify_mode = False, ssl.CERT_NONE
LARGE_BYTES = 8 << 20


def build_disk(directory):
    """The library that stands for a disk."""
    library = directory / "faulty-disk.so"
    source = pathlib.Path(__file__).with_name("faulty-disk.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


def make_template(program, directory):
    """The directory that each site is a copy of."""
    for name in ("Public", "logs", "store"):
        (directory / name).mkdir(parents=True)
    (directory / "Public/large.bin").write_bytes(os.urandom(LARGE_BYTES))
    (directory / "waymark.yaml").write_text(CONFIGURATION)
    program.make_certificate(directory / "certs", [HOST, OTHER])


class StopSite:
    """One origin, what it has acknowledged, and how it ended."""

    def __init__(self, program, template, directory, library):
        self.program, self.directory = program, directory
        shutil.copytree(template, directory)
        self.switch = directory / "fault"
        self.environment = {**os.environ, "LD_PRELOAD": str(library), "FAULTY_DISK": str(self.switch)}
        self.origin = None
        self.threads, self.is_over = [], threading.Event()
        self.lock = threading.Lock()
        # By slug, what was acknowledged; and how many visits were asked for and answered.
        self.links, self.identity = {}, None
        self.sent = self.answered = self.sure = 0

    # --- Its life --------------------------------------------------------------------------------

    def configure(self, extra, store=STORE_KEY):
        """Adds keys to the environment, or entries to `tls`."""
        (self.directory / "waymark.yaml").write_text(CONFIGURATION.replace(STORE_KEY, store) + extra)

    def make(self, *options):
        """Starts the origin, and does not wait until it serves."""
        self.origin = Origin(
            self.program, self.directory / "waymark.yaml", "test", self.directory / "errors",
            options=["--loops", "2", *options], env=self.environment)

    def serve(self, *options):
        """Starts it with some links and visits, all of which are on the disk."""
        self.make(*options)
        self.origin.__enter__()
        self.origin.wait_for_log("the store .* is open")
        self.identity = self.create("first")
        for number in range(5):
            self.create(f"early{number}")
        self.visit(5)

    def settle(self):
        """Waits until all visits are on the disk."""
        # Counts of the last seconds may be between a loop and the file.
        if not wait_until(lambda: self.counted(self.origin) == self.answered, pause=0.1):
            raise RuntimeError(f"{self.answered} visits were answered, {self.counted(self.origin)} counted")
        self.sure = self.answered

    def fault(self, text):
        """What the disk does from now on."""
        new = self.switch.with_suffix(".new")
        new.write_text(text)
        new.replace(self.switch)

    def end(self):
        """Ends all that it has started."""
        self.is_over.set()
        self.switch.unlink(missing_ok=True)
        if self.origin:
            self.origin.__exit__()
        for thread in self.threads:
            thread.join(SAFETY_NET_SECONDS)

    # --- Its clients -----------------------------------------------------------------------------

    def api(self, origin, method, path, body=None, **fields):
        """The JSON of an answer; an error if it is not one of success."""
        token = (self.directory / "store/links.db.token").read_text().strip()
        client = http.client.HTTPConnection("127.0.0.1", origin.admin, timeout=SAFETY_NET_SECONDS)
        with contextlib.closing(client):
            client.request(method, f"/v1/{path}", body, {
                "Host": "localhost", "Authorization": f"Bearer {token}",
                "Content-Type": "application/json", **fields})
            answer = client.getresponse()
            text = answer.read()
            if answer.status not in (200, 201):
                raise OSError(f"{answer.status}: {text[:300]}")
            return json.loads(text)

    def create(self, slug):
        destination = f"https://www.example.com/{slug}"
        made = self.api(self.origin, "POST", "links", json.dumps({"slug": slug, "destination": destination}))
        with self.lock:
            self.links[slug] = destination
        return made["id"]

    def visit(self, count):
        """Follows the first link so many times, over one connection."""
        client = http.client.HTTPSConnection(
            "127.0.0.1", self.origin.https, timeout=SAFETY_NET_SECONDS, context=ANYBODY)
        with contextlib.closing(client):
            for _ in range(count):
                with self.lock:
                    self.sent += 1
                client.request("GET", "/s/first", headers={"Host": HOST, "User-Agent": BROWSER})
                answer = client.getresponse()
                answer.read()
                if answer.status != 302:
                    raise RuntimeError(f"a link is answered with {answer.status}")
                with self.lock:
                    self.answered += 1
                # Fewer than a loop can count, so that each is.
                time.sleep(0.001)

    def counted(self, origin):
        answer = self.api(origin, "GET", f"links/{self.identity}/visits")
        return sum(row["visits"] for row in answer["rows"])

    def begin(self, work):
        """Does something on a thread until the origin has ended, which may cut it off."""
        def run():
            with contextlib.suppress(OSError, http.client.HTTPException, ValueError, FileNotFoundError):
                work()
        thread = threading.Thread(target=run, daemon=True)
        self.threads.append(thread)
        thread.start()

    def begin_load(self):
        """Four visitors and two clients that make links."""
        def make_links(number):
            for count in range(100_000):
                if self.is_over.is_set():
                    return
                self.create(f"l{number}-{count}")

        def follow():
            while not self.is_over.is_set():
                self.visit(100)

        for number in range(2):
            self.begin(lambda number=number: make_links(number))
        for _ in range(4):
            self.begin(follow)

    def send(self, text, secure=False):
        """A connection over which this was sent."""
        port = self.origin.https if secure else self.origin.http
        client = socket.create_connection(("127.0.0.1", port), SAFETY_NET_SECONDS)
        if secure:
            client = ANYBODY.wrap_socket(client, server_hostname=HOST)
        client.sendall(text)
        return client

    # --- What it must have kept --------------------------------------------------------------------

    def lost(self, keeps_visits, keeps_lines):
        """What was acknowledged and is not there, in words; the origin has ended."""
        self.is_over.set()
        for thread in self.threads:
            thread.join(SAFETY_NET_SECONDS)
        self.switch.unlink(missing_ok=True)
        found = []
        if self.identity is None:
            return found
        with contextlib.closing(sqlite3.connect(self.directory / "store/links.db")) as database:
            if database.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                found.append("the store is damaged")
            rows = dict(database.execute("SELECT slug, destination FROM link"))
        missing = [slug for slug, destination in self.links.items() if rows.get(slug) != destination]
        if missing:
            found.append(f"{len(missing)} links of {len(self.links)} that were acknowledged are lost")
        if keeps_lines:
            log = (self.directory / "logs/access.log").read_text()
            lines = log.count('"/s/first"')
            if not self.answered <= lines <= self.sent or not log.endswith("\n"):
                found.append(f"{self.answered} visits were answered, the access log has {lines}")
        found += self.lost_visits(self.answered if keeps_visits else self.sure)
        return found

    def lost_visits(self, least):
        """Another start reads what the one before has left."""
        (self.directory / "waymark.yaml").write_text(CONFIGURATION)
        with Origin(self.program, self.directory / "waymark.yaml", "test", self.directory / "again") as again:
            again.wait_for_log("the store .* is open")
            counted = self.counted(again)
            again.stop(signal.SIGQUIT)
            again.exit_status()
        if not least <= counted <= self.sent:
            return [f"{counted} visits are counted, {least} of {self.answered} that were answered must be"]
        return []


class End:
    """The end of a process, from the first of these orders on."""

    def __init__(self, process, orders):
        self.process = process
        self.descriptor = os.pidfd_open(process.pid)
        self.began = time.monotonic()
        self.seconds = self.status = None
        for number, order in enumerate(orders):
            if number > 0:
                self.wait_until_taken(order)
            process.send_signal(order)

    def wait_until_taken(self, order):
        """Two signals that wait are one. A process that takes none gets it after a second."""
        end = time.monotonic() + 1
        status = pathlib.Path(f"/proc/{self.process.pid}/status")
        while time.monotonic() < end and not self.is_over(0):
            with contextlib.suppress(OSError):
                pending = next(line for line in status.read_text().splitlines() if line.startswith("ShdPnd:"))
                if not int(pending.split()[1], 16) & 1 << (order - 1):
                    return
            time.sleep(0.001)

    def is_over(self, seconds):
        return bool(select.select([self.descriptor], [], [], max(0, seconds))[0])

    def look(self):
        """Notes that it has ended."""
        if self.seconds is None and self.is_over(0):
            self.seconds = time.monotonic() - self.began
            self.status = self.process.wait()
        return self.seconds is not None

    def give_up(self):
        self.process.kill()
        self.status = self.process.wait()


def wait_for_ends(ends, patience):
    """Waits until each has ended, so many seconds at most, and ends those that have not."""
    last = time.monotonic() + patience
    while not all([end.look() for end in ends]) and time.monotonic() < last:
        open_ones = [end.descriptor for end in ends if end.seconds is None]
        select.select(open_ones, [], [], max(0, last - time.monotonic()))
    for end in ends:
        if end.seconds is None:
            end.give_up()
        os.close(end.descriptor)
