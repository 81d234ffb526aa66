"""How the program stops, in each state in which somebody may tell it to: that it does, and when.

Each state is one that would last for ever. It is brought about in as many origins as there are orders,
which then come at once. Where a stop waits for something, such as requests in flight, the limit is set
to a second or less: the time that is shown is what the state adds to it.
"""

import contextlib
import http.client
import os
import pathlib
import pty
import re
import signal
import socket
import sqlite3
import subprocess
import time
from dataclasses import dataclass, field

from exhaustion import ask, connect, limit_descriptors
from lifecycle import WALL, ServiceManager, fill, start, stopped_thread, thread_named
from load import Load
from origin import HOST, wait_until
from own_site import SITE, OwnSite
from ports import free_ports

STORED = SITE.replace(
    "links:\n", "links:\n  short: {match: /s/*, stored: {destinations: www.example.com}}\n", 1
) + "    store: links.db\n"
# The authority is a port on which nobody listens.
UNHEARD = "127.0.0.1:9/"
ORDERED = STORED.replace(
    "    tls:\n", "    tls:\n      - automatic: {terms: agreed, hosts: [third.example], "
    f"directory: 'https://{UNHEARD}dir'}}\n", 1).replace(
        "second.example]", "second.example, third.example]", 1)
WATCHED = SITE + "    watch: {every: 1h}\n"
LOGGED = SITE + "    log: {to: access.log}\n"
# Far more than any stop takes; a stop that hangs is what the test is about.
PATIENCE = 60
ORDERS = {
    "TERM": [signal.SIGTERM], "INT": [signal.SIGINT], "QUIT": [signal.SIGQUIT],
    "two TERM": [signal.SIGTERM, signal.SIGTERM]}


@dataclass
class Target:
    """A process in a state. `thread`: one of its threads that is held."""
    process: subprocess.Popen
    log: callable = lambda: ""
    thread: int = None


@dataclass
class Stop:
    """What became of a process that was told to stop."""
    target: Target
    began: float = field(default_factory=time.monotonic)
    seconds: float = None
    status: int = None
    log: str = ""
    wakeups: range = None

    def look(self):
        """Whether it has ended. A debugger's process ends once the debugger has seen the threads end
        that it holds."""
        if self.seconds is not None:
            return True
        self.seconds = time.monotonic() - self.began
        self.count_wakeups()
        if self.target.thread:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self.target.thread, os.WNOHANG | WALL)
        self.status = self.target.process.poll()
        if self.status is None and self.seconds < PATIENCE:
            self.seconds = None
            return False
        self.log = self.target.log()
        return True

    def count_wakeups(self):
        """How often the main thread has left the processor by itself, at first and at last."""
        with contextlib.suppress(OSError):
            status = pathlib.Path(f"/proc/{self.target.process.pid}/status").read_text()
            count = int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", status, re.M)[1])
            first = count if self.wakeups is None else self.wakeups.start
            self.wakeups = range(first, count)


def stop(target, orders):
    """Gives the orders, the second of them when the first was taken: two that wait would be one."""
    found = Stop(target)
    status = pathlib.Path(f"/proc/{target.process.pid}/status")
    for number, order in enumerate(orders):
        if number > 0:
            waiting = 1 << (order - 1)
            wait_until(lambda: found.look() or not int(re.search(
                r"^ShdPnd:\s*(\w+)", status.read_text(), re.M)[1], 16) & waiting, pause=0.001)
        target.process.send_signal(order)
    return found


class Sites:
    """A site for each origin that is stopped at the same time, as stored links belong to one process."""

    def __init__(self, program, directory):
        self.program, self.directory, self.made = program, directory, {}

    def site(self, *names):
        name = "-".join(map(str, names)).replace(" ", "-")
        if name not in self.made:
            self.made[name] = OwnSite(self.program, self.directory / name)
        self.made[name].write(SITE)
        return self.made[name]


def stops(sites, states):
    """What becomes of an origin for each state and each order, which are given at the same time."""
    with contextlib.ExitStack() as stack:
        targets = {
            (state, name): stack.enter_context(CASES[state][0](sites.site(number, name)))
            for number, state in enumerate(states) for name in ORDERS}
        found = {key: stop(target, ORDERS[key[1]]) for key, target in targets.items()}
        while not all([each.look() for each in found.values()]):
            time.sleep(0.001)
        return found


# --- The states -----------------------------------------------------------------------------------


def make_slow(site):
    """Gives a site so many links that it takes a while to read: long enough to find the thread that does
    it."""
    links = "".join(f"  l{n}: {{match: /slow/{n}, web: 'https://www.example.com/{n}'}}\n"
                    for n in range(20_000))
    site.write(site.config.read_text().replace("links:\n", f"links:\n{links}", 1))


@contextlib.contextmanager
def held(process, name):
    """Holds the thread of this name, once it is there, for ever."""
    if not wait_until(lambda: thread_named(process, name), pause=0.001):
        raise RuntimeError(f"no thread {name}")
    with stopped_thread(process, name) as thread:
        yield thread


@contextlib.contextmanager
def served(site, **more):
    with site.serve(**more) as origin:
        yield Target(origin.process, lambda: origin.log)


@contextlib.contextmanager
def in_start(site):
    make_slow(site)
    origin = site.serve(options=["--drain-delay", "600"])
    try:
        with held(origin.process.pid, "waymark-start") as thread:
            yield Target(origin.process, lambda: origin.log, thread)
    finally:
        origin.__exit__()


@contextlib.contextmanager
def in_reload(site):
    with site.serve() as origin:
        make_slow(site)
        origin.reload()
        with held(origin.process.pid, "waymark-build") as thread:
            yield Target(origin.process, lambda: origin.log, thread)


@contextlib.contextmanager
def with_load(site):
    with site.serve() as origin, Load(origin, HOST, site.authority) as load:
        wait_until(lambda: load.requests > 100 or load.failures)
        yield Target(origin.process, lambda: origin.log)


@contextlib.contextmanager
def in_drain(site):
    """Another one, while a request that never comes whole has ten minutes."""
    with site.serve(options=["--drain-timeout", "600"]) as origin, connect(origin) as client:
        client.sendall(f"GET / HTTP/1.1\r\nHost: {HOST}\r\n".encode())
        time.sleep(0.2)
        origin.stop()
        origin.wait_for_log("requests in flight have 600 s")
        yield Target(origin.process, lambda: origin.log)


@contextlib.contextmanager
def in_leave(site):
    """Another one, while balancers have ten minutes to notice."""
    with site.serve(options=["--drain-delay", "600"]) as origin:
        origin.stop()
        origin.wait_for_log("not ready any more")
        yield Target(origin.process, lambda: origin.log)


def ask_often(origin):
    """Makes lines for the access log."""
    with connect(origin) as client:
        for _ in range(100):
            ask(client, "/x")


@contextlib.contextmanager
def full_pipe():
    reader, writer = os.pipe()
    fill(writer)
    try:
        yield writer
    finally:
        os.close(reader)
        os.close(writer)


@contextlib.contextmanager
def with_stuck_log(site):
    """Lines wait for the reader of the access log."""
    with full_pipe() as writer, site.serve(stdout=writer) as origin:
        ask_often(origin)
        yield Target(origin.process, lambda: origin.log)


@contextlib.contextmanager
def with_held_log(site):
    """Lines wait for the disk of the access log."""
    site.write(LOGGED)
    with site.serve() as origin, held(origin.process.pid, "waymark-log") as thread:
        ask_often(origin)
        yield Target(origin.process, lambda: origin.log, thread)


@contextlib.contextmanager
def with_stream(site, stderr):
    """Behind standard error nobody reads, and there is much to say: a reload with 60 mistakes."""
    right = site.config.read_text()
    with ServiceManager() as manager:
        process = start(
            site, "--drain-delay", "0", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=stderr, env=manager.environment)
        try:
            if not manager.wait_for("READY=1", 60):
                raise RuntimeError("it does not begin to serve")
            site.write(right + "".join(f"mistake-{number}: 1\n" for number in range(60)))
            process.send_signal(signal.SIGHUP)
            manager.wait_for("RELOADING=1", 10)
            time.sleep(0.5)
            yield Target(process)
        finally:
            process.kill()
            process.wait()


@contextlib.contextmanager
def with_stuck_errors(site):
    with full_pipe() as writer, with_stream(site, writer) as target:
        yield target


@contextlib.contextmanager
def with_stuck_terminal(site):
    """A window that hangs."""
    reader, writer = pty.openpty()
    os.set_blocking(writer, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writer, bytes(100))
    os.set_blocking(writer, True)
    try:
        with with_stream(site, writer) as target:
            yield target
    finally:
        os.close(reader)
        os.close(writer)


@contextlib.contextmanager
def without_descriptors(site):
    with site.serve() as origin, contextlib.ExitStack() as clients:
        limit_descriptors(origin, 3)
        with contextlib.suppress(OSError):
            for _ in range(5):
                clients.enter_context(connect(origin))
        time.sleep(0.2)
        yield Target(origin.process, lambda: origin.log)


@contextlib.contextmanager
def with_busy_manager(site):
    with ServiceManager() as manager:
        ports = free_ports(2)
        process = start(
            site, "--drain-delay", "0", https=ports[0], http=ports[1], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=manager.environment)
        try:
            if not manager.wait_for("READY=1", 60):
                raise RuntimeError("it does not begin to serve")
            with ServiceManagerFlood(manager):
                process.send_signal(signal.SIGHUP)
                time.sleep(0.2)
                yield Target(process)
        finally:
            process.kill()
            process.wait()


class ServiceManagerFlood:
    """Leaves no room in a manager's queue."""

    def __init__(self, manager):
        self.manager = manager

    def __enter__(self):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                self.socket.sendto(b"X=1", "\0" + self.manager.name[1:])

    def __exit__(self, *_):
        self.socket.close()


def with_held_service(name, text=STORED):
    """A thread beside the loops is held, as a disk that does not answer holds it."""
    @contextlib.contextmanager
    def bring_about(site):
        site.write(text)
        with site.serve() as origin, held(origin.process.pid, name) as thread:
            yield Target(origin.process, lambda: origin.log, thread)
    return bring_about


@contextlib.contextmanager
def with_held_loop(site):
    """A loop reads a public file, whose disk holds it."""
    with site.serve(options=["--loops", "2", "--drain-timeout", "1"]) as origin, \
            held(origin.process.pid, "waymark-1") as thread:
        yield Target(origin.process, lambda: origin.log, thread)


@contextlib.contextmanager
def large_store(site):
    """An origin whose store takes a while to copy, and to check."""
    site.write(STORED.replace("links.db", "large.db"))
    path = site.directory / "large.db"
    if not path.exists() or path.stat().st_size < STORE_BYTES:
        with site.serve() as origin:
            origin.wait_for_log("is open")
            origin.stop()
            origin.exit_status()
        with contextlib.closing(sqlite3.connect(path)) as database, database:
            database.executemany(
                "INSERT INTO audit (time, actor, action) VALUES (0, ?, 'test')",
                (("x" * 1500,) for _ in range(STORE_BYTES // 1500)))
    with site.serve(options=["--drain-timeout", "0"]) as origin:
        yield origin


STORE_BYTES = 20_000_000


def api(site, origin, store):
    """A connection to the API of a store that is open, and the head that lets a request in."""
    origin.wait_for_log("is open")
    token = (site.directory / f"{store}.token").read_text().strip()
    client = http.client.HTTPConnection("127.0.0.1", origin.admin, timeout=PATIENCE)
    return client, {"Host": "localhost", "Authorization": f"Bearer {token}"}


@contextlib.contextmanager
def in_check(site):
    """The thread that checks the file at the start is held, as its disk would hold it."""
    with large_store(site) as origin:
        origin.wait_for_log("is open")
        with held(origin.process.pid, "waymark-links") as thread:
            yield Target(origin.process, lambda: origin.log, thread)


@contextlib.contextmanager
def in_backup(site):
    """The thread that writes a copy is held, as its disk would hold it."""
    with large_store(site) as origin:
        client, head = api(site, origin, "large.db")
        client.request("POST", "/v1/backup", headers=head)
        if not wait_until(lambda: list(site.directory.glob("large.db.*.part")), pause=0.001):
            raise RuntimeError("no backup begins")
        with held(origin.process.pid, "waymark-links") as thread, contextlib.closing(client):
            yield Target(origin.process, lambda: origin.log, thread)


@contextlib.contextmanager
def in_import(site):
    """The client of an import sends its lines for ever, and the import's thread is held."""
    site.write(STORED)
    with site.serve(options=["--drain-timeout", "1"]) as origin:
        origin.wait_for_log("is open")
        client, head = api(site, origin, "links.db")
        client.putrequest("POST", "/v1/import?collection=short", skip_host=True)
        for name, value in {**head, "Content-Type": "application/x-ndjson",
                            "Transfer-Encoding": "chunked"}.items():
            client.putheader(name, value)
        client.endheaders()
        line = b'{"url": "https://www.example.com/"}\n'
        client.send(b"%x\r\n%s\r\n" % (len(line), line))
        with contextlib.closing(client), held(origin.process.pid, "waymark-import") as thread:
            yield Target(origin.process, lambda: origin.log, thread)


@contextlib.contextmanager
def with_held_order(site):
    """An authority takes the connection and says nothing; the thread that waits for it is held."""
    with socket.create_server(("127.0.0.1", 0)) as authority:
        authority.settimeout(PATIENCE)
        address = "127.0.0.1:{}/".format(authority.getsockname()[1])
        site.write(ORDERED.replace(UNHEARD, address))
        with site.serve() as origin, authority.accept()[0], \
                held(origin.process.pid, "waymark-acme") as thread:
            yield Target(origin.process, lambda: origin.log, thread)


# How long a stop may wait by the state's own limits, in seconds: after TERM and INT, and after QUIT and
# a second TERM. The machine gets some more.
CASES = {
    "starting, reading files": (in_start, 0, 0),
    "idle": (served, 0, 0),
    "reloading, reading files": (in_reload, 0, 0),
    "under load": (with_load, 1, 1),
    "waiting for load balancers: `--drain-delay` is 600 s": (in_leave, 1, 1),
    "draining: a request has 600 s": (in_drain, 1, 1),
    "the access log is a pipe without a reader": (with_stuck_log, 2, 0.5),
    "the disk of the access log does not answer": (with_held_log, 2, 0.5),
    "standard error is a pipe without a reader": (with_stuck_errors, 1, 1),
    "standard error is a terminal without a reader": (with_stuck_terminal, 1, 1),
    "standard error is a file whose disk does not answer": (
        with_held_service("waymark-events", SITE), 1, 1),
    "no descriptor is left": (without_descriptors, 0, 0),
    "the service manager takes no messages": (with_busy_manager, 0, 0),
    "the disk of a public file does not answer; requests have 1 s": (with_held_loop, 4, 1),
    "the disk of the stored links does not answer": (with_held_service("waymark-links"), 5, 1),
    "the disk of the visits does not answer": (with_held_service("waymark-visits"), 5, 1),
    "the disk does not answer while the store is checked": (in_check, 5, 1),
    "the disk does not answer during a backup": (in_backup, 5, 1),
    "an import does not end": (in_import, 1, 0),
    "an authority does not answer an order": (with_held_order, 1, 1),
    "a check of a host does not end": (with_held_service("waymark-check", WATCHED), 1, 1),
}
SLACK = 40
# The main thread wakes up for what happens, not to look whether it has happened.
WAKEUPS = 100
CLOSED = "was not closed"
LOSSES = {
    "the disk of the stored links does not answer": CLOSED,
    "the disk does not answer while the store is checked": CLOSED,
    "the disk does not answer during a backup": CLOSED,
    "the disk of the visits does not answer": "visits of the last seconds could not be written",
    "the disk of the access log does not answer": "of the access log could not be written",
}


def test_stops(results, site):
    """Each order is obeyed in each state, within the state's own limit."""
    sites = Sites(site.program, site.directory.parent / "stops")
    states = list(CASES)
    for first in range(0, len(states), TOGETHER):
        for (state, name), stop in stops(sites, states[first:first + TOGETHER]).items():
            check_stop(results, state, name, stop)


# Most of the time is waiting, so some states are looked at together.
TOGETHER = 4


def check_stop(results, state, name, stop):
    _, gentle, hurried = CASES[state]
    limit = (gentle if name in ("TERM", "INT") else hurried) + SLACK
    fact = f"{name} while {state}"
    results.check(f"{fact}: it exits 0", stop.status == 0, f"{stop.status}: {stop.log}")
    results.check(f"{fact}: in time", stop.seconds < limit, f"{stop.seconds:.1f} s")
    results.check(f"{fact}: no thread polls for its end",
                  len(stop.wakeups) < WAKEUPS, f"{len(stop.wakeups)} wake-ups")
    results.check(f"{fact}: what was being read is dropped",
                  not re.search(r"(?<!not )reloaded", stop.log), stop.log)
    if state in LOSSES:
        results.check(f"{fact}: the log says what is lost", LOSSES[state] in stop.log, stop.log)
    # A second order ends the wait for a disk that is only slow, too.
    elif name != "two TERM":
        results.check(f"{fact}: nothing is lost", "[abandoned]" not in stop.log, stop.log)
