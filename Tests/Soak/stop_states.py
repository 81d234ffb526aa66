"""The states in which an origin is stopped, and what the documents promise of each."""

import contextlib
import http.client
import json
import random
import socket
import sqlite3
import time
from dataclasses import dataclass, field

from origin import SAFETY_NET_SECONDS, wait_until
from stop_site import HOST, OTHER

# How long requests in flight have; nothing else delays a stop.
DRAIN = 1
# What the disk of each thing is called.
STORE = "store/links.db store/links.db-wal store/links.db-shm"
VISITS = "links.db.visits links.db.visits-wal links.db.visits-shm"
# Long enough for a thread to be within a call that does not return; and for visits to be on their way to the file.
MOMENT, LATER = 1, 4


@dataclass
class State:
    """`bring_about` takes a site that serves (or is to start, if `starts` is not true), and the order comes
    `pause` seconds later. A stop takes `gentle` seconds at most after TERM and INT, and `hurried` after QUIT and
    a second TERM. The log must have a line like each of `says`, unless `is_told` is false: there is none, or
    what it says depends on the moment. `loses`: visits, or lines of the access log, whose own disk hangs."""
    bring_about: callable
    gentle: float
    hurried: float
    says: list = field(default_factory=list)
    extra: str = ""
    options: list = field(default_factory=list)
    starts: bool = True
    is_told: bool = True
    loses: str = ""
    pause: float = MOMENT


def watch(port):
    """Hosts are checked at a port, where nobody answers."""
    return (f"    watch: {{every: 1h, hosts: [{HOST}], apple: off, google: off, "
            f"connect: {{{HOST}: '127.0.0.1:{port}'}}}}\n")


def order(port):
    """A certificate is ordered at a port, where nobody answers."""
    return (f"      - {{automatic: {{terms: agreed, hosts: [{OTHER}], "
            f"directory: 'https://127.0.0.1:{port}/dir'}}}}\n")


# --- How they come about --------------------------------------------------------------------------


def idle(site, stack):
    pass


def load(site, stack):
    site.begin_load()
    if not wait_until(lambda: site.answered > 300 and len(site.links) > 20):
        raise RuntimeError("there is no load")


def disk(fault, *works):
    """A disk does something else than before, while there is work for it."""
    def bring_about(site, stack):
        site.settle()
        site.fault(fault)
        for work in works:
            work(site)
    return bring_about


def links(site):
    """Somebody makes links; each waits for the disk."""
    def work():
        for number in range(1_000):
            site.create(f"late{number}")
    site.begin(work)


def visits(site):
    """Visitors follow a link, and their counts and lines are on the way to the files."""
    site.visit(50)


def reload(site):
    site.origin.reload()


def download(site):
    """A large file is asked for, which is read in pieces while it is sent."""
    request = f"GET /large.bin HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()
    client = site.send(request, secure=True)
    site.begin(lambda: client.recv(100) and time.sleep(SAFETY_NET_SECONDS))


def backup(site):
    site.begin(lambda: site.api(site.origin, "POST", "backup"))


def fill(site):
    """Much for a copy, or a check, to read."""
    path = site.directory / "store/links.db"
    site.origin.stop()
    site.origin.exit_status()
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.executemany(
            "INSERT INTO audit (time, actor, action) VALUES (0, ?, 'test')",
            ((random.randbytes(750).hex(),) for _ in range(5_000)))


def check(site, stack):
    """The file is checked at the start, page by page."""
    fill(site)
    site.fault(f"slow 10 {STORE}")
    site.make("--drain-delay", "0", "--drain-timeout", str(DRAIN))
    site.origin.__enter__()
    site.origin.wait_for_log("the store .* is open")


def long_backup(site, stack):
    fill(site)
    site.make("--drain-delay", "0", "--drain-timeout", str(DRAIN))
    site.origin.__enter__()
    site.origin.wait_for_log("the store .* is open")
    site.fault("slow 10 .part .part-journal .part-wal")
    backup(site)


def send_import(site, stack, pause):
    """Lines of an import, which has no end."""
    token = (site.directory / "store/links.db.token").read_text().strip()
    client = http.client.HTTPConnection("127.0.0.1", site.origin.admin, timeout=SAFETY_NET_SECONDS)
    stack.callback(client.close)
    client.putrequest("POST", "/v1/import?collection=short", skip_host=True)
    for name, value in {"Host": "localhost", "Authorization": f"Bearer {token}",
                        "Content-Type": "application/x-ndjson", "Transfer-Encoding": "chunked"}.items():
        client.putheader(name, value)
    client.endheaders()

    def work():
        number = 0
        while not site.is_over.is_set():
            piece = b"".join(json.dumps({"destination": f"https://www.example.com/{number + one}"}).encode() + b"\n"
                             for one in range(500))
            number += 500
            client.send(b"%x\r\n%s\r\n" % (len(piece), piece))
            time.sleep(pause)
    site.begin(work)


def in_import(site, stack):
    send_import(site, stack, pause=0.05)


def in_stuck_import(site, stack):
    site.settle()
    send_import(site, stack, pause=0)
    time.sleep(MOMENT)
    site.fault(f"hang {STORE}")


def silent_server(extra):
    """The origin has a connection to somebody who takes it, and says nothing."""
    def bring_about(site, stack):
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        server.settimeout(SAFETY_NET_SECONDS)
        site.configure(extra(server.getsockname()[1]))
        site.serve("--drain-delay", "0", "--drain-timeout", str(DRAIN))
        stack.enter_context(server.accept()[0])
    return bring_about


def silent_database(site, stack):
    """A database that several nodes share takes the connection, and says nothing."""
    server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    server.settimeout(SAFETY_NET_SECONDS)
    password = site.directory / "password"
    password.touch(mode=0o600)
    password.write_text("secret\n")
    place = f"postgresql://a@127.0.0.1:{server.getsockname()[1]}/a?sslmode=disable"
    site.configure("    store-password: password\n", store=f'store: "{place}"')
    site.make("--drain-delay", "0", "--drain-timeout", str(DRAIN))
    site.origin.__enter__()
    stack.enter_context(server.accept()[0])


def stuck_order(site, stack):
    """An attempt to get a certificate is kept, before and after it."""
    site.configure(order(9))
    site.serve("--drain-delay", "0", "--drain-timeout", str(DRAIN))
    site.origin.wait_for_log("certificate-not-issued")
    site.fault("freeze var/")
    site.origin.reload()
    time.sleep(2 * MOMENT)


def leave(site, stack):
    site.origin.stop()
    site.origin.wait_for_log("not ready any more")


def drain(site, stack):
    """A request never comes whole, and has ten minutes."""
    stack.enter_context(site.send(f"GET / HTTP/1.1\r\nHost: {HOST}\r\n".encode()))
    time.sleep(0.2)
    site.origin.stop()
    site.origin.wait_for_log("requests in flight have 600 s")


def start(fault):
    """A start that has no end."""
    def bring_about(site, stack):
        site.fault(fault)
        site.make("--drain-timeout", str(DRAIN))
    return bring_about


# --- What is promised -----------------------------------------------------------------------------

CLOSED = r"error: the store of links .* was not closed.*\[abandoned\]"
COUNTED = r"error: the visits of the last seconds could not be written.*\[abandoned\]"
LOGGED = r"of the access log could not be written.*\[abandoned\]"

# docs/operations.md, "Stops".
STATES = {
    "idle": State(idle, 0, 0),
    "under load": State(load, DRAIN, 0),
    "disk of the store hangs": State(
        disk(f"hang {STORE}", links), DRAIN + 5, 1, [CLOSED]),
    "disk of the store takes nothing": State(
        disk(f"freeze {STORE}", links), DRAIN + 5, 1, [CLOSED]),
    "disk of the store is slow": State(disk(f"slow 5 {STORE}", links), DRAIN + 5, 1),
    "disk of the visits hangs": State(
        disk(f"hang {VISITS}", visits), 5, 1, [COUNTED], loses="visits", pause=LATER),
    "disk of the visits takes nothing": State(
        disk(f"freeze {VISITS}", visits), 5, 1, [COUNTED], loses="visits", pause=LATER),
    "disk of the visits is slow": State(disk(f"slow 30 {VISITS}", visits), 5, 1, pause=LATER),
    "disk of the access log hangs": State(
        disk("hang access.log", visits), 2, 0.5, [LOGGED], loses="lines"),
    "disk of the access log is slow": State(disk("slow 100 access.log", visits), 2, 0.5),
    "disk of all of these hangs": State(
        disk("hang store/ logs/ var/", links, visits), DRAIN + 5, 1, [CLOSED, COUNTED, LOGGED],
        loses="visits, lines", pause=LATER),
    "disk of all of these takes nothing": State(
        disk("freeze store/ logs/ var/", links, visits), DRAIN + 5, 1, [CLOSED, COUNTED, LOGGED],
        loses="visits, lines", pause=LATER),
    "backup, its disk hangs": State(
        disk("hang .part .part-journal .part-wal", backup), DRAIN + 5, 1, [CLOSED]),
    "backup that takes long": State(long_backup, DRAIN + 5, 1, [CLOSED]),
    "integrity check at start": State(check, 5, 1, [CLOSED]),
    "import": State(in_import, DRAIN, 0),
    "import, the store's disk hangs": State(in_stuck_import, DRAIN + 5, 1, [CLOSED], pause=LATER),
    "shared database, no answer": State(silent_database, 5, 1, starts=False, is_told=False),
    "ACME order, no answer": State(silent_server(order), 1, 1, starts=False),
    "ACME order, its disk takes nothing": State(stuck_order, 1, 1, starts=False),
    "live check, no answer": State(silent_server(watch), 0.1, 0.1, starts=False),
    "leaving: 600 s for balancers": State(leave, 0, 0, options=["--drain-delay", "600"]),
    "draining: 600 s for requests": State(drain, 0, 0, options=["--drain-timeout", "600"]),
    "disk of public files hangs": State(disk("hang Public/", download), DRAIN + 3, 1),
    "reload, its disk hangs": State(disk("hang waymark.yaml Public/", reload), 0, 0),
    "standard error is a file, hangs": State(
        disk("hang errors", reload), 1, 1, is_told=False),
    "start, disk of files hangs": State(start("hang waymark.yaml"), 0, 0, starts=False),
    "start, disk of the log hangs": State(start("hang access.log"), 0, 0, starts=False),
    "start, disk of the log takes nothing": State(start("freeze access.log"), 0, 0, starts=False),
    "start, disk of the store takes nothing": State(start("freeze store/"), 5, 1, [CLOSED], starts=False),
    "start, disk of the state hangs": State(start("freeze var/"), 1, 1, starts=False, extra=order(9)),
    "start, standard error hangs": State(start("hang errors"), 1, 1, starts=False, is_told=False),
}
