"""How the program stops, in each state in which somebody may tell it to: that it does, and when.

Each case brings an origin into a state that would last for ever, and sends a signal. Where a stop
waits for something, such as requests in flight, the limit is set to a second or less: the time that
is shown is what the state adds to it.
"""

import contextlib
import os
import pty
import signal
import socket
import subprocess
import time

from exhaustion import connect, limit_descriptors
from lifecycle import WALL, ServiceManager, fill, start, stopped_thread, thread_named
from origin import HOST, wait_until
from own_site import SITE
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
# Far more than any stop takes; a stop that hangs is what the test is about.
PATIENCE = 60
SIGNALS = {"TERM": signal.SIGTERM, "INT": signal.SIGINT, "QUIT": signal.SIGQUIT}


class Stop:
    """What became of a process that was told to stop."""

    def __init__(self, process, order, log=lambda: "", thread=None):
        """`thread`: one that is held; a debugger's process ends once the debugger has seen it end."""
        began = time.monotonic()
        process.send_signal(order)
        while process.poll() is None and time.monotonic() - began < PATIENCE:
            if thread:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(thread, os.WNOHANG | WALL)
            time.sleep(0.001)
        self.seconds = time.monotonic() - began
        self.status = process.poll()
        self.log = log()


@contextlib.contextmanager
def slow_site(site):
    """A site that takes a while to read: long enough to find the thread that does it."""
    text = site.config.read_text()
    links = "".join(f"  l{n}: {{match: /slow/{n}, web: 'https://www.example.com/{n}'}}\n"
                    for n in range(40_000))
    site.write(text.replace("links:\n", f"links:\n{links}", 1))
    try:
        yield
    finally:
        site.write(text)


@contextlib.contextmanager
def held(process, name):
    """Holds the thread of this name, once it is there, for ever."""
    if not wait_until(lambda: thread_named(process, name), pause=0.001):
        raise RuntimeError(f"no thread {name}")
    with stopped_thread(process, name) as thread:
        yield thread


def in_start(site, order):
    with slow_site(site):
        origin = site.serve(options=["--drain-delay", "60"])
        try:
            with held(origin.process.pid, "waymark-start") as thread:
                return Stop(origin.process, order, lambda: origin.log, thread)
        finally:
            origin.__exit__()


def in_reload(site, order):
    with site.serve() as origin, slow_site(site):
        origin.reload()
        with held(origin.process.pid, "waymark-build") as thread:
            return Stop(origin.process, order, lambda: origin.log, thread)


def in_drain(site, order):
    """Another one, while a request that never comes whole has a minute."""
    with site.serve(options=["--drain-timeout", "60"]) as origin, connect(origin) as client:
        client.sendall(f"GET / HTTP/1.1\r\nHost: {HOST}\r\n".encode())
        time.sleep(0.2)
        origin.stop()
        origin.wait_for_log("requests in flight have 60 s")
        return Stop(origin.process, order, lambda: origin.log)


def in_leave(site, order):
    """Another one, while balancers have a minute to notice."""
    with site.serve(options=["--drain-delay", "60"]) as origin:
        origin.stop()
        origin.wait_for_log("not ready any more")
        return Stop(origin.process, order, lambda: origin.log)


def with_stuck_log(site, order):
    """The access log is a pipe that nobody reads, and lines wait for it."""
    reader, writer = os.pipe()
    fill(writer)
    try:
        with site.serve(stdout=writer) as origin:
            with connect(origin) as client:
                for _ in range(100):
                    client.sendall(f"GET /x HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
                    client.recv(65536)
            return Stop(origin.process, order, lambda: origin.log)
    finally:
        os.close(reader)
        os.close(writer)


def with_stream(site, order, stderr):
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
            return Stop(process, order)
        finally:
            process.kill()
            process.wait()
            site.write(right)


def with_stuck_errors(site, order):
    """Standard error is a pipe that nobody reads."""
    reader, writer = os.pipe()
    fill(writer)
    try:
        return with_stream(site, order, writer)
    finally:
        os.close(reader)
        os.close(writer)


def with_stuck_terminal(site, order):
    """Standard error is a terminal that nobody looks at: a window that hangs."""
    reader, writer = pty.openpty()
    os.set_blocking(writer, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writer, bytes(100))
    os.set_blocking(writer, True)
    try:
        return with_stream(site, order, writer)
    finally:
        os.close(reader)
        os.close(writer)


def without_descriptors(site, order):
    with site.serve() as origin:
        limit_descriptors(origin, 3)
        clients = []
        with contextlib.suppress(OSError):
            clients = [connect(origin) for _ in range(5)]
        time.sleep(0.2)
        stop = Stop(origin.process, order, lambda: origin.log)
        for client in clients:
            client.close()
        return stop


def with_busy_manager(site, order):
    """The service manager takes no messages."""
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
                return Stop(process, order)
        finally:
            process.kill()
            process.wait()


def with_held_service(name, text=STORED):
    """A thread beside the loops is held, as a disk that does not answer holds it."""
    def bring_about(site, order):
        site.write(text)
        with site.serve() as origin, held(origin.process.pid, name) as thread:
            return Stop(origin.process, order, lambda: origin.log, thread)
    return bring_about


def with_held_order(site, order):
    """An authority takes the connection and says nothing; the thread that waits for it is held."""
    with socket.create_server(("127.0.0.1", 0)) as authority:
        authority.settimeout(PATIENCE)
        address = "127.0.0.1:{}/".format(authority.getsockname()[1])
        site.write(ORDERED.replace(UNHEARD, address))
        with site.serve() as origin, authority.accept()[0], \
                held(origin.process.pid, "waymark-acme") as thread:
            return Stop(origin.process, order, lambda: origin.log, thread)


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


# What is going on, and how long a stop may wait for it by its own limits, in seconds: TERM and INT,
# and QUIT. The machine gets ten more.
CASES = {
    "it starts, and reads its files": (in_start, 0, 0),
    "it reloads, and reads its files": (in_reload, 0, 0),
    "it leaves: `--drain-delay` is 60 s": (in_leave, 1, 1),
    "it drains: a request has 60 s": (in_drain, 1, 1),
    "nobody reads the access log, a pipe": (with_stuck_log, 2, 0.5),
    "nobody reads standard error, a pipe": (with_stuck_errors, 1, 1),
    "nobody reads standard error, a terminal": (with_stuck_terminal, 1, 1),
    "no descriptor is left": (without_descriptors, 0, 0),
    "the service manager takes no messages": (with_busy_manager, 0, 0),
    "the disk of the stored links does not answer": (with_held_service("waymark-links"), 5, 1),
    "the disk of the visits does not answer": (with_held_service("waymark-visits"), 5, 1),
    "a certificate is being ordered": (with_held_order, 1, 1),
    "a check does not end": (with_held_service("waymark-check", WATCHED), 1, 1),
}
SLACK = 40
LOSSES = {
    "the disk of the stored links does not answer": "was not closed",
    "the disk of the visits does not answer": "visits of the last seconds could not be written",
}


def test_stops(results, site):
    """Each signal is obeyed in each state, within the state's own limit."""
    for state, (bring_about, gentle, hurried) in CASES.items():
        for name, order in SIGNALS.items():
            stop = bring_about(site, order)
            limit = (hurried if order == signal.SIGQUIT else gentle) + SLACK
            fact = f"{name} while {state}"
            results.check(f"{fact}: it exits 0", stop.status == 0, f"{stop.status}: {stop.log}")
            results.check(f"{fact}: in time", stop.seconds < limit, f"{stop.seconds:.1f} s")
            results.check(f"{fact}: what was being read is dropped", "reloaded" not in stop.log,
                          stop.log)
            if state in LOSSES:
                results.check(f"{fact}: the log says what is lost", LOSSES[state] in stop.log, stop.log)
            else:
                results.check(f"{fact}: nothing is lost", "[abandoned]" not in stop.log, stop.log)
    site.write(SITE)
