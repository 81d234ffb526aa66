"""How the program starts, changes its user, and stops: as a service manager and clients see it."""

import contextlib
import ctypes
import http.client
import os
import pathlib
import re
import select
import signal
import socket
import ssl
import subprocess
import sys
import time

from ending import ORDERS
from origin import HOST, SAFETY_NET_SECONDS, wait_until
from ports import free_ports

# Waits for threads too (__WALL of waitpid(2)).
WALL = 0x40000000


class ServiceManager:
    """A fake of systemd: the socket that a service tells of its state."""

    def __init__(self):
        self.name = f"@waymark-smoke-{os.getpid()}-{time.monotonic_ns()}"
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + self.name[1:])
        self.environment = {**os.environ, "NOTIFY_SOCKET": self.name}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def wait_for(self, wanted, seconds=SAFETY_NET_SECONDS):
        """The next message that begins like this; those before it are dropped."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.socket.settimeout(left)
            with contextlib.suppress(TimeoutError):
                message = self.socket.recv(4096).decode()
                if message.startswith(wanted):
                    return message
        return None


def plain_answer(origin, path="/", host=HOST):
    """The response to a request over plain HTTP that lets the connection go on."""
    with socket.create_connection(("127.0.0.1", origin.http), 10) as client:
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        return client.recv(65536).decode()


def thread_named(process, name):
    """The number of the process's thread of this name; None if there is none."""
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if (task / "comm").read_text().strip() == name:
                return int(task.name)
    return None


# The system calls in which a thread waits for a disk or sleeps: read, write, poll, pread64, pwrite64, fsync,
# fdatasync, getdents64, epoll_wait, openat, newfstatat, ppoll, epoll_pwait and statx.
WAITS = {
    "x86_64": {"0", "1", "7", "17", "18", "74", "75", "217", "232", "257", "262", "271", "281", "332"},
    "aarch64": {"63", "64", "67", "68", "82", "83", "61", "56", "79", "73", "22", "291"},
}[os.uname().machine]


@contextlib.contextmanager
def stopped_thread(process, name):
    """Holds one thread of a child, as a debugger does, in a system call in which it waits for a disk
    or sleeps. Anywhere else it may hold a lock of the C library or of Swift's runtime for which every
    other thread waits, which no disk and no server can bring about."""
    attach, detach, go_to_call = 16, 17, 24
    thread = thread_named(process, name)
    call = pathlib.Path(f"/proc/{process}/task/{thread}/syscall")
    ptrace = ctypes.CDLL(None, use_errno=True).ptrace
    ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    # An order to end waits until it is sure that the thread will be let go: held by nobody who lets it
    # go, it would keep its process even from KILL.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {*ORDERS, signal.SIGINT})
    try:
        request = attach
        while request == attach or call.read_text().split()[0] not in WAITS:
            if ptrace(request, thread, None, None) != 0:
                raise OSError(ctypes.get_errno(), "ptrace")
            request = go_to_call
            if not os.WIFSTOPPED(os.waitpid(thread, WALL)[1]):
                raise RuntimeError(f"{name} has ended")
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        yield thread
    finally:
        ptrace(detach, thread, None, None)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def test_service(results, site):
    """What a service manager is told, from start to end."""
    with ServiceManager() as manager:
        environment = {**manager.environment, "WATCHDOG_USEC": "800000"}
        began = time.monotonic()
        with site.serve(options=["--loops", "3", "--drain-delay", "1"], env=environment) as origin:
            ready = manager.wait_for("READY=1")
            results.check("a manager is told when it is ready, and what it serves",
                          ready and "STATUS=serving test: https 127.0.0.1:" in ready, ready)
            beats = [manager.wait_for("WATCHDOG=1") for _ in range(5)]
            results.check("and in half of its patience that the loops turn", all(beats), beats)
            results.check("and not much oftener", time.monotonic() - began > 0.8)
            with stopped_thread(origin.process.pid, "waymark-1"):
                results.check("a loop that hangs is told of before the manager ends all",
                              origin.wait_for_log(r"not run for 400 ms \[watchdog\]"))
                while manager.wait_for("WATCHDOG=1", 0.5):
                    pass
            results.check("and that it turns again", origin.wait_for_log("run again"))
            results.check("and the manager too", manager.wait_for("WATCHDOG=1"))
            now = time.clock_gettime(time.CLOCK_MONOTONIC)
            origin.reload()
            reloading = manager.wait_for("RELOADING=1") or ""
            stamp = re.search(r"MONOTONIC_USEC=(\d+)", reloading)
            results.check("and when it reloads, with the time",
                          stamp and abs(int(stamp[1]) / 1e6 - now) < 10, reloading)
            results.check("and when that is done", manager.wait_for("READY=1"))
            origin.stop()
            results.check("and when it stops", manager.wait_for("STOPPING=1"))
            results.check("the watchdog is fed until the end", manager.wait_for("WATCHDOG=1"))
            results.check("it exits 0", origin.exit_status() == 0, origin.log)


def test_lost_manager(results, site):
    """A manager that cannot be told would wait for ever, and nobody would know why."""
    for name in ("/nobody/is/here", "@waymark-nobody", "vsock:2:1", "relative"):
        with site.serve(env={**os.environ, "NOTIFY_SOCKET": name}) as origin:
            results.check(f"a manager at {name} is missed in the log",
                          origin.wait_for_log(r"warning: the service manager cannot be notified"
                                              r".*\[notify-socket\]"), origin.log)
            origin.stop()
            results.check("and the origin serves on, and exits 0", origin.exit_status() == 0)


def test_long_stop(results, site):
    """A stop that takes long within its limits is waited for, whatever the unit's time is."""
    with ServiceManager() as manager:
        options = ["--drain-delay", "6", "--drain-timeout", "1"]
        with site.serve(options=options, env=manager.environment) as origin:
            results.check("a short start asks for no more time",
                          not manager.wait_for("EXTEND_TIMEOUT_USEC=", 0.1))
            origin.stop()
            results.check("a stop says that it begins", manager.wait_for("STOPPING=1"))
            longer = [manager.wait_for("EXTEND_TIMEOUT_USEC=15000000") for _ in range(2)]
            results.check("and that it goes on, while it does", all(longer), longer)
            results.check("and ends", origin.exit_status() == 0, origin.log)
            results.check("after that it asks no more",
                          not manager.wait_for("EXTEND_TIMEOUT_USEC=", 0.1))


def start(site, *options, https=0, http=0, **more):
    """Starts the program without waiting for a line of its log, which tests of the log spoil."""
    return subprocess.Popen(
        [site.program.path, "serve", "--config", site.config, "--env", "test", *options,
         "--https", f"127.0.0.1:{https}", "--http", f"127.0.0.1:{http}", "--admin", "off"],
        **more)


def test_sleeping_reader(results, site):
    """Nobody empties the pipe behind standard error: what is told there is lost, nothing else."""
    reader, writer = os.pipe()
    fill(writer)
    with ServiceManager() as manager:
        process = start(
            site, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=writer,
            env=manager.environment)
        os.close(writer)
        try:
            ready = manager.wait_for("READY=1") or ""
            process.send_signal(signal.SIGHUP)
            results.check("a log that nobody reads: it starts, and reloads",
                          "serving test" in ready and manager.wait_for("READY=1"), ready)
            process.send_signal(signal.SIGTERM)
            results.check("and stops", process.wait(40) == 0)
        finally:
            process.kill()
            process.wait()
            os.close(reader)


def test_loops_do_not_tell(results, site):
    """A loop that has something to tell waits for nobody: neither does who it serves."""
    site.write(site.config.read_text() + "    limits: {connections-per-address: 1}\n")
    reader, writer = os.pipe()
    with ServiceManager() as manager:
        ports = free_ports(2)
        process = start(
            site, "--loops", "1", https=ports[0], http=ports[1], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=writer, env=manager.environment)
        try:
            manager.wait_for("READY=1")
            fill(writer)
            first = socket.create_connection(("127.0.0.1", ports[1]), 10)
            first.sendall(f"GET /x HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
            first.recv(4096)
            with socket.create_connection(("127.0.0.1", ports[1]), 10) as second:
                second.sendall(f"GET /x HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
                seen = set()
                while not select.select([second], [], [], 0.01)[0]:
                    seen.add(system_call(process.pid, "waymark-0"))
                answer = second.recv(4096)
            results.check("one connection too many is told so", answer.startswith(b"HTTP/1.1 429"),
                          answer)
            results.check("and its loop has waited for no reader of standard error",
                          not seen & POLL_CALLS, seen)
            os.set_blocking(reader, False)
            told = bytearray()

            def is_told():
                with contextlib.suppress(BlockingIOError):
                    told.extend(os.read(reader, 1 << 20))
                return b"[address-limit]" in told

            results.check("another thread writes the event", wait_until(is_told),
                          told.strip(b"\0"))
            first.close()
        finally:
            process.kill()
            process.wait()
            os.close(reader)
            os.close(writer)


# poll and ppoll, of x86-64 and of arm64; loops wait in others.
POLL_CALLS = {"7", "271", "73"}


def system_call(process, name):
    """The number of the system call that a thread is in, or "running" (proc(5))."""
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if (task / "comm").read_text().strip() == name:
                return (task / "syscall").read_text().split()[0]
    return None


def fill(pipe):
    """Leaves no room in a pipe."""
    os.set_blocking(pipe, False)
    for size in (4096, 1):
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(pipe, bytes(size))
    os.set_blocking(pipe, True)


def test_closed_streams(results, site):
    """Who starts it may have closed the standard streams: no connection takes their numbers."""
    with ServiceManager() as manager:
        process = start(
            site, env=manager.environment, preexec_fn=lambda: [os.close(stream) for stream in range(3)])
        try:
            ready = manager.wait_for("READY=1") or ""
            streams = {os.readlink(f"/proc/{process.pid}/fd/{stream}") for stream in range(3)}
            results.check("streams that were closed lead nowhere",
                          "serving test" in ready and streams == {"/dev/null"}, streams)
        finally:
            process.kill()
            process.wait()


def test_stop_at_start(results, site):
    """Told to stop while it still reads: it does not begin to serve first."""
    slow = site.directory / "Public/slow.bin"
    slow.write_bytes(bytes(60 << 20))
    try:
        origin = site.serve(options=["--drain-delay", "60"])
        # From here on signals wait (SigBlk of proc(5)).
        state = pathlib.Path(f"/proc/{origin.process.pid}/status")
        wait_until(lambda: re.search(r"^SigBlk:\t0*4207$", state.read_text(), re.MULTILINE),
                   pause=0.001)
        origin.stop()
        status = origin.exit_status()
        results.check("TERM during the start: it exits 0, and has not served", status == 0
                      and "serving" not in origin.log and "stopped before" in origin.log, origin.log)
    finally:
        slow.unlink()


def test_leaving(results, site):
    """Between the order to stop and the end of accepting, clients are served and sent away."""
    with site.serve(options=["--drain-delay", "2"]) as origin:
        idle = site.client(origin)
        results.check("before: a connection stays", idle.get("/large.bin")[1] == site.large)
        origin.stop()
        origin.wait_for_log("not ready any more")
        health = site.program.run("healthcheck", "--admin", f"127.0.0.1:{origin.admin}")
        results.check(
            "leaving: healthcheck says that it is not ready, and why",
            health.returncode == 1 and b"[-]not-stopping failed" in health.stdout)
        alive = site.program.run(
            "healthcheck", "--admin", f"127.0.0.1:{origin.admin}", "--path", "/livez")
        results.check("leaving: and that it is alive", alive.returncode == 0)
        answer = plain_answer(origin, "/.well-known/apple-app-site-association")
        results.check("leaving: new connections are answered, and told to end",
                      answer.startswith("HTTP/1.1 200 ") and "\r\nConnection: close\r\n" in answer,
                      answer)
        idle.request("GET", "/.well-known/apple-app-site-association")
        response = idle.getresponse()
        results.check("leaving: so is a request over an old one",
                      response.status == 200 and response.getheader("Connection") == "close")
        results.check("leaving: it ends", origin.exit_status() == 0, origin.log)
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", origin.http), 1)
            results.check("stopped: nobody is accepted", False)


def test_orders_while_leaving(results, site):
    """Until the end logs are reopened; what changes is nobody's business any more."""
    log = site.directory / "access.log"
    site.write(site.config.read_text() + "    log: {to: access.log}\n")
    with site.serve(options=["--drain-delay", "60"]) as origin:
        origin.stop()
        origin.wait_for_log("not ready any more")
        for order, says in ((signal.SIGUSR1, "^waymark: logs are reopened"),
                            (signal.SIGHUP, "nothing is reloaded, and logs are reopened")):
            log.rename(site.directory / f"{order.name}.log")
            origin.stop(order)
            answer = origin.wait_for_log(says)
            results.check(f"leaving: {order.name} is answered", answer)
            wait_until(log.exists)
            plain_answer(origin, f"/{order.name}")
            results.check(f"leaving: {order.name} opens the log anew",
                          wait_until(lambda: f"/{order.name}" in log.read_text()),
                          log.read_text())
        site.write(site.config.read_text() + "# changed\n")
        before = origin.processor_seconds()
        time.sleep(1)
        spent = origin.processor_seconds() - before
        results.check("leaving: a file that changes keeps nobody busy", spent < 0.1, spent)
        origin.stop(signal.SIGQUIT)
        results.check("leaving: QUIT ends it", origin.exit_status() == 0, origin.log)
    log.unlink()


def test_late_client(results, site):
    """Who was accepted before the end and had asked nothing yet may still ask."""
    with site.serve() as origin:
        late = socket.create_connection(("127.0.0.1", origin.https))
        plain = socket.create_connection(("127.0.0.1", origin.http))
        time.sleep(0.2)
        origin.stop()
        origin.wait_for_log("stopping")
        time.sleep(0.2)
        context = ssl.create_default_context(cafile=site.authority)
        with context.wrap_socket(late, server_hostname=HOST) as late:
            late.sendall(f"GET /x HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
            answer = late.recv(4096)
        results.check("a handshake that begins after the order to stop is answered",
                      b"\r\nConnection: close\r\n" in answer, answer)
        plain.sendall(f"GET /x HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
        answer = plain.recv(4096)
        results.check("so is a request on a connection that was quiet until then",
                      answer.startswith(b"HTTP/1.1 308"), answer)
        results.check("then it ends", origin.exit_status() == 0, origin.log)


def test_cut_off(results, site):
    """What is not done in time is reset, and counted."""
    with site.serve(options=["--drain-timeout", "1"]) as origin:
        clients = [site.client(origin, receive_buffer=16384) for _ in range(2)]
        for client in clients:
            client.request("GET", "/large.bin")
            client.response = client.getresponse()
        origin.stop()
        results.check("at the end of the time it exits 0", origin.exit_status() == 0, origin.log)
        results.check("and says how many requests were cut off",
                      "waymark: stopped; 2 requests were cut off" in origin.log, origin.log)
        for client in clients:
            try:
                client.response.read()
                results.check("a client sees that its answer is not whole", False)
            except (OSError, http.client.HTTPException):
                results.check("a client sees that its answer is not whole", True)


def test_hurry(results, site):
    for first, second in ((signal.SIGTERM, signal.SIGINT), (signal.SIGQUIT, None)):
        with site.serve(options=["--drain-delay", "60", "--drain-timeout", "60"]) as origin:
            client = site.client(origin, receive_buffer=16384)
            client.request("GET", "/large.bin")
            client.response = client.getresponse()
            # Ignored, as other servers exchange their program by the one.
            for ignored in (signal.SIGUSR2, signal.SIGPIPE):
                origin.stop(ignored)
            origin.stop(first)
            if second:
                origin.wait_for_log("not ready any more")
                origin.stop(second)
            name = f"{first.name}{', ' + second.name if second else ''}"
            results.check(f"{name}: at once, and what was cut off is counted",
                          origin.exit_status() == 0 and "stopped at once; 1 connection was closed,"
                          " 1 request was cut off" in origin.log, origin.log)


# --- Socket activation --------------------------------------------------------------------------

# Hands descriptors over as systemd does: from 3 on, for this process and none that it starts.
LAUNCHER = """
import fcntl, os, sys
names, numbers, *program = sys.argv[1:]
copies = [fcntl.fcntl(int(number), fcntl.F_DUPFD_CLOEXEC, 50) for number in numbers.split(",")]
for index, copy in enumerate(copies):
    os.dup2(copy, 3 + index)
os.environ.update(
    LISTEN_FDS=str(len(copies)), LISTEN_FDNAMES=names, LISTEN_PID=str(os.getpid()))
os.execv(program[0], program)
"""


def activated(site, sockets, **more):
    """The program, started with these sockets by name."""
    numbers = [one.fileno() for one in sockets.values()]
    return site.serve(
        under=[sys.executable, "-c", LAUNCHER, ":".join(sockets), ",".join(map(str, numbers))],
        pass_fds=numbers, admin="off", **more)


def test_activation(results, site):
    sockets = {name: socket.create_server(("127.0.0.1", 0)) for name in ("https", "http")}
    ports = {name: one.getsockname()[1] for name, one in sockets.items()}
    with activated(site, sockets, options=["--loops", "2"]) as first:
        results.check("inherited sockets are served, and said to be",
                      (first.https, first.http) == (ports["https"], ports["http"]), first.log)
        status, body = site.client(first).get("/large.bin")
        results.check("inherited https answers", status == 200 and body == site.large)
        answers = [plain_answer(first)[:12] for _ in range(20)]
        results.check("inherited http answers", set(answers) == {"HTTP/1.1 308"}, answers)
        first.stop()
        first.exit_status()
    # Nobody accepts now, but the socket listens on: whoever comes waits for the next program.
    with socket.create_connection(("127.0.0.1", ports["http"]), 10) as waiting:
        waiting.sendall(f"GET / HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
        with activated(site, sockets):
            results.check("a restart refuses nobody",
                          waiting.recv(4096).startswith(b"HTTP/1.1 308"))
    origin = activated(site, {"web": sockets["http"]})
    results.check("a socket of another name is refused", origin.exit_status() == 78
                  and "inherited a socket named" in origin.log, origin.log)
    with socket.socket() as unbound:
        origin = activated(site, {"https": unbound})
        results.check("so is one that does not listen", origin.exit_status() == 71
                      and "cannot be used" in origin.log, origin.log)
    for one in sockets.values():
        one.close()


# --- Users --------------------------------------------------------------------------------------


def identities(process):
    """What /proc says of the rights of each thread."""
    wanted = ("Uid", "Gid", "Groups", "CapEff", "CapPrm", "NoNewPrivs")
    for status in pathlib.Path(f"/proc/{process}/task").glob("*/status"):
        fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
        yield {name: fields[name].split() for name in wanted}


def test_users(results, site):
    if os.geteuid() != 0:
        print("skip  changing the user takes root")
        return
    site.certificates.chmod(0o755)
    keys = [site.certificates / f"{name}.key" for name in ("first", "second")]
    for key in keys:
        os.chown(key, 65534, 65534)
    with site.serve(options=["--user", "nobody"]) as origin:
        found = list(identities(origin.process.pid))
        results.check("--user: every thread is that user, for good", len(found) > 1 and all(
            set(one["Uid"]) == {"65534"} and set(one["Gid"]) == {"65534"}
            and one["Groups"] == ["65534"] for one in found), found)
        results.check("--user: no thread has a capability, or can get one", all(
            set(one["CapEff"] + one["CapPrm"]) == {"0" * 16} and one["NoNewPrivs"] == ["1"]
            for one in found), found)
        for key in keys:
            os.chown(key, 0, 0)
        origin.reload()
        said = origin.wait_for_log(r"no permission to read it.*\n(.*\n)*.*\[certificate-kept\]")
        results.check("--user: a reload says what it may not read any more", said)
        results.check("--user: and what was read goes on being served",
                      site.client(origin).get("/large.bin")[1] == site.large)
    with site.serve(options=["--user", "nobody"]) as origin:
        results.check("--user: a start says of a key that it is root's alone",
                      origin.wait_for_log(r"first\.key\" cannot be read: no permission"))

    def fails(fact, status, wanted, options, **more):
        origin = site.serve(options=options, **more)
        got = origin.exit_status()
        results.check(fact, got == status and wanted in origin.log, f"{got}: {origin.log}")

    fails("a privileged port as root is refused", 77, "refusing to serve 127.0.0.1:443 as root",
          [], https="127.0.0.1:443")
    fails("so is root as --user", 64, "--user is root", ["--user", "root"])
    fails("and an unknown user", 64, "there is no user", ["--user", "no-such-user"])
