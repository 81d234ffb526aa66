"""What the program does when there is not enough: descriptors, memory, room on the log's disk."""

import contextlib
import http.client
import json
import os
import resource
import socket
import ssl
import time

from origin import HOST, SAFETY_NET_SECONDS, wait_until
from own_site import SITE

AASA = "/apple-app-site-association"


def connect(origin):
    client = socket.create_connection(("127.0.0.1", origin.http), 10)
    client.settimeout(SAFETY_NET_SECONDS)
    return client


def ask(client, path=AASA):
    """The status of a request over plain HTTP, or None where the connection is refused."""
    with contextlib.suppress(ConnectionError, TimeoutError):
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
        answer = client.recv(65536)
        return int(answer[9:12]) if answer else None
    return None


def limit_descriptors(origin, count):
    """Allows the running program so many; returns what it was allowed before."""
    return resource.prlimit(
        origin.process.pid, resource.RLIMIT_NOFILE,
        (count, resource.prlimit(origin.process.pid, resource.RLIMIT_NOFILE)[1]))


def health(origin):
    client = http.client.HTTPConnection("127.0.0.1", origin.admin, timeout=SAFETY_NET_SECONDS)
    client.request("GET", "/livez", headers={"Connection": "close"})
    return client.getresponse().read()


def metric(origin, name):
    client = http.client.HTTPConnection("127.0.0.1", origin.admin, timeout=SAFETY_NET_SECONDS)
    client.request("GET", "/metrics")
    lines = client.getresponse().read().decode().splitlines()
    return next((float(line.split()[-1]) for line in lines if line.startswith(name + " ")), None)


def test_few_descriptors(results, site):
    """Started with few, it takes fewer connections and says so."""
    few = ["prlimit", "--nofile=200:200"]
    with site.serve(options=["--loops", "1"], under=few) as origin:
        warned = origin.wait_for_log(r"200 descriptors are allowed, .* for (\d+) connections")
        most = int(warned[1])
        held = [connect(origin) for _ in range(most)]
        results.check(f"with 200 descriptors {most} connections are served",
                      {ask(client) for client in held} == {200})
        overLimit, fetcher = connect(origin), connect(origin)
        results.check("one more is told 503", ask(overLimit, "/") == 503)
        said = origin.wait_for_log(r"^.*connection-limit.*$").group()
        results.check("that is said with the limit and what there is",
                      f"{most + 1} connections are open, the limit is {most} (limits.connections)"
                      in said, said)
        results.check("one that fetches an association file gets it", ask(fetcher) == 200)
        origin.stop()


def test_start_without_descriptors(results, site):
    """Whichever descriptor is the first that it does not get: it says so, with its status."""
    served, wrong = 0, {}
    (site.directory / "Public/deep").mkdir(exist_ok=True)
    site.write(site.config.read_text() + "    log: {to: access.log}\n")
    for count in range(5, 40):
        origin = site.serve(under=["prlimit", f"--nofile={count}"], options=["--loops", "1"])
        try:
            with origin:
                served += 1
        except RuntimeError:
            status = origin.exit_status()
            if status not in (66, 70, 71) or "Too many open files" not in origin.log:
                wrong[count] = status, origin.log
    results.check("a start without descriptors says what is lacking", served and not wrong, wrong)


def test_no_descriptors(results, site):
    """With none left it serves who is there, refuses others, does not spin, and says so once."""
    with site.serve(options=["--loops", "1", "--drain-delay", "0"]) as origin:
        held = [connect(origin) for _ in range(20)]
        results.check("before: all are served", {ask(client) for client in held} == {200})
        busy, authority = held.pop(), held.pop()
        busy.sendall(f"GET {AASA} HTTP/1.1\r\n".encode())
        before = limit_descriptors(origin, 24)
        began, used = time.monotonic(), origin.processor_seconds()
        refused = [connect(origin) for _ in range(300)]
        answers = {ask(client) for client in refused}
        elapsed = time.monotonic() - began
        spent = origin.processor_seconds() - used
        results.check("without descriptors: new connections are refused", answers <= {None, 200},
                      answers)
        results.check("some of them at least", None in answers)
        results.check("health is told", b"ok" in health(origin))
        results.check("it did not spin", spent < elapsed / 2, f"{spent} s of {elapsed} s")
        busy.sendall(f"Host: {HOST}\r\n\r\n".encode())
        results.check("who is there is served", busy.recv(65536)[9:12] == b"200")
        answers = [ask(authority, f"/.well-known/acme-challenge/{name}")
                   for name in ("token", "token", "other")]
        results.check("a challenge has its file, twice, and only another one is missing",
                      answers == [200, 200, 404], answers)
        resource.prlimit(origin.process.pid, resource.RLIMIT_NOFILE, before)
        for client in refused:
            client.close()
        results.check("with descriptors again: new connections are served",
                      wait_until(lambda: ask(connect(origin)) == 200))
        origin.wait_for_log(r"no longer: there is no descriptor")
        results.check("it said so once", origin.log.count("warning: there is no descriptor") == 1,
                      origin.log)
        rejected = metric(
            origin, 'waymark_connections_rejected_total{reason="descriptors"}')
        results.check("and counted them", rejected and rejected > 0, rejected)
        origin.stop()
        results.check("it exits 0", origin.exit_status() == 0, origin.log)


def limit_memory(origin, more):
    """Allows the running program so many bytes more than it has, or as many as it wants."""
    limit = resource.RLIM_INFINITY
    if more is not None:
        with open(f"/proc/{origin.process.pid}/status") as file:
            limit = more + 1024 * next(int(line.split()[1]) for line in file
                                       if line.startswith("VmData"))
    resource.prlimit(origin.process.pid, resource.RLIMIT_DATA, (limit, resource.RLIM_INFINITY))


def handshakes(origin, count, enough=1):
    """Connections over TLS that are held, until so many others did not come about."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    held, failed = [], 0
    while len(held) < count and failed < enough:
        try:
            client = socket.create_connection(("127.0.0.1", origin.https), 10)
            held.append(context.wrap_socket(client, server_hostname=HOST))
        except OSError:
            failed += 1
    return held, failed


def test_no_memory(results, site):
    """Without memory it serves who is there, refuses others, and reloads, and says so."""
    # What was given back is not kept for later.
    environment = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "65536"}
    with site.serve(options=["--loops", "1"], env=environment) as origin:
        (busy,), _ = handshakes(origin, 1)
        busy.sendall(f"GET {AASA} HTTP/1.1\r\n".encode())
        limit_memory(origin, 1 << 20)
        held, failed = handshakes(origin, 400)
        results.check("without memory: some are connected, some refused", held and failed,
                      f"{len(held)}, {failed}")
        results.check("it is said", origin.wait_for_log("warning: there is no memory for new connections or content"))
        origin.reload()
        results.check("a reload is refused, and the process lives",
                      origin.wait_for_log("there is no memory to read the configuration")
                      and origin.wait_for_log("reload-refused"))
        results.check("health is told", b"ok" in health(origin))
        busy.sendall(f"Host: {HOST}\r\n\r\n".encode())
        answer = busy.recv(65536)
        results.check("who is there is served", answer[9:12] == b"200", answer)
        limit_memory(origin, None)
        for client in held:
            client.close()
        results.check("with memory again: all are connected", not handshakes(origin, 50)[1])
        origin.reload()
        results.check("and a reload goes through", origin.wait_for_log(r": reloaded "))
        origin.wait_for_log("no longer: there is no memory")
        results.check("it said so once", origin.log.count("warning: there is no memory for") == 1,
                      origin.log)
        rejected = metric(origin, 'waymark_connections_rejected_total{reason="memory"}')
        results.check("and counted them", rejected and rejected > 0, rejected)
        origin.stop()
        results.check("it exits 0", origin.exit_status() == 0, origin.log)


def test_growth(results, site):
    """More public files, or a larger configuration, than there is memory for: those come from the disk, and that is refused."""
    files = [site.directory / f"Public/{number}.txt" for number in range(60)]
    count, size = len(files), 900_000
    with contextlib.ExitStack() as later, site.serve(options=["--loops", "1"]) as origin:
        (visitor,), _ = handshakes(origin, 1)
        # A reload needs 16 MiB, and these files 108.
        limit_memory(origin, 40 << 20)
        for file in files:
            # The directory is that of the tests after this one, too.
            later.callback(file.unlink, missing_ok=True)
            file.write_text(os.urandom(size // 2).hex())
        time.sleep(1)
        start = len(origin.log)
        origin.reload()
        origin.wait_for_log(r": reloaded ", start)
        time.sleep(2)
        whole = 0
        for number in range(count):
            visitor.sendall(f"GET /{number}.txt HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
            content = b""
            while not (head := content.partition(b"\r\n\r\n"))[1] or len(head[2]) < size:
                if not (piece := visitor.recv(65536)):
                    break
                content += piece
            whole += content[9:12] == b"200" and len(head[2]) == size
        results.check("more files than there is memory for are all served", whole == count, whole)
        limit_memory(origin, 22 << 20)
        site.write(SITE.replace("links:\n", "links:\n" + "".join(
            f'  c{number}: {{match: /c{number}/*, web: "https://www.example.com/{number}/{{1}}"}}\n'
            for number in range(12_000))))
        origin.reload()
        said = origin.wait_for_log(r"^.*out-of-memory.*$").group()
        results.check("a configuration that takes more than there is is refused, with how much it takes",
                      "to read the configuration" in said and "MiB are asked for" in said, said)
        refused = origin.wait_for_log(r"^.*reload-refused.*$").group()
        results.check("and is read again by itself", "tries again by itself" in refused, refused)
        limit_memory(origin, None)
        start = len(origin.log)
        origin.reload()
        results.check("with memory again it is served", origin.wait_for_log(r": reloaded ", start))
        origin.stop()
        results.check("it exits 0", origin.exit_status() == 0, origin.log)


VISITS = 4_000


def test_memory_reserve(results, site):
    """What has begun goes on where the process may have no more memory: counting different visitors. What is large is refused."""
    site.write(SITE.replace(
        "links:\n", "links:\n  short: {match: /s/*, stored: {destinations: www.example.com}}\n", 1)
        + "    store: reserve.db\n")
    with site.serve(options=["--loops", "1"]) as origin:
        origin.wait_for_log("is open")
        token = (site.directory / "reserve.db.token").read_text().strip()
        maker = http.client.HTTPConnection("127.0.0.1", origin.admin, timeout=SAFETY_NET_SECONDS)
        fields = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        maker.request("POST", "/v1/links", '{"slug": "a", "destination": "https://www.example.com/"}', fields)
        made = maker.getresponse()
        results.check("a link is made", made.status == 201)
        link = json.load(made)["id"]
        (visitor,), _ = handshakes(origin, 1)
        for more, status in ((5 << 20, 503), (40 << 20, 200)):
            limit_memory(origin, more)
            maker.request("GET", f"/v1/links/{link}/qr?format=png&size=8192", headers=fields)
            drawn = maker.getresponse()
            content = drawn.read()
            results.check(f"a code of 16 MiB with {more >> 20} MiB is answered with {status}",
                          drawn.status == status and (drawn.headers["Retry-After"] is None) == (status == 200)
                          and content.startswith(b"\x89PNG") == (status == 200), (drawn.status, content[:200]))
            limit_memory(origin, None)
        said = origin.wait_for_log(r"^.*out-of-memory.*$").group()
        results.check("that is said, with how much was asked for",
                      "there is no memory for a code: 20.0 MiB are asked for" in said, said)
        limit_memory(origin, 1 << 20)
        answers = 0
        with contextlib.suppress(OSError):
            for start in range(0, VISITS, 50):
                visitor.sendall("".join(
                    f"GET /s/a HTTP/1.1\r\nHost: {HOST}\r\nUser-Agent: Mozilla/5.0 (Macintosh) {number}\r\n"
                    f"Referer: https://r{number}.example.org/\r\n\r\n"
                    for number in range(start, start + 50)).encode())
                content = b""
                while content.count(b"HTTP/1.1 ") < 50 and (piece := visitor.recv(65536)):
                    content += piece
                answers += content.count(b"HTTP/1.1 ")
        results.check("without memory: visits are answered", answers == VISITS, answers)
        time.sleep(6)
        results.check("and counted, and the process lives",
                      origin.process.poll() is None, origin.log)
        results.check("with most of the reserve left, new ones are connected",
                      wait_until(lambda: handshakes(origin, 1)[0]), origin.log)
        limit_memory(origin, None)
        results.check("with memory again: all are connected", not handshakes(origin, 50)[1])
        origin.stop()
        results.check("it exits 0", origin.exit_status() == 0, origin.log)


def test_full_disk(results, site):
    """A log on a full disk is said once, and no request waits for it."""
    with open("/dev/full", "wb") as full, \
            site.serve(options=["--drain-delay", "0"], stdout=full) as origin:
        statuses = {ask(connect(origin)) for _ in range(200)}
        results.check("a full disk under the log: everybody is answered", statuses == {200})
        origin.wait_for_log(r"cannot be written")
        results.check("it is said once", origin.log.count("cannot be written") == 1, origin.log)
        origin.stop()
        results.check("it exits 0", origin.exit_status() == 0, origin.log)


def test_changed_limits(results, site):
    """A reload takes limits over, and names those that hold from the next start on."""
    limited = site.config.read_text() + "    limits: {connections: 3, target-bytes: 300}\n"
    with site.serve() as origin:
        results.check("before: a long target is taken", ask(connect(origin), "/" + "a" * 300) == 308)
        site.write(limited)
        origin.reload()
        said = origin.wait_for_log(r"^.*restart-needed.*$").group()
        results.check("a limit that a restart changes is named",
                      "limits.connections stays 10000" in said and "has 3," in said, said)
        results.check("and it alone", origin.log.count("restart-needed") == 1, origin.log)
        results.check("another holds at once", ask(connect(origin), "/" + "a" * 300) == 414)
    with site.serve() as origin:
        held = [connect(origin) for _ in range(3)]
        results.check("after a restart both hold", {ask(client) for client in held} == {200})
        results.check("and one more is told 503", ask(connect(origin), "/") == 503)


def is_refused(origin):
    """Whether a connection is reset, at once or when something is sent."""
    try:
        return ask(connect(origin)) is None
    except ConnectionResetError:
        return True


def test_peers(results, site):
    """Who is sent away where the PROXY protocol is spoken is named, what they sent is quoted."""
    config = site.config.read_text()
    site.write(config + "    proxies: {trusted: [10.0.0.0/8], protocol: proxy}\n")
    with site.serve() as origin:
        results.check("a stranger is refused", is_refused(origin))
        said = origin.wait_for_log(r"^.*untrusted-peer.*$").group()
        results.check("and named", "1 connection was closed because the peer is not trusted, "
                      "one from 127.0.0.1 [untrusted-peer]" in said, said)
    site.write(config + "    proxies: {trusted: [127.0.0.0/8], protocol: proxy}\n")
    with site.serve() as origin:
        results.check("a proxy without a header is refused", is_refused(origin))
        said = origin.wait_for_log(r"^.*proxy-header.*$").group()
        results.check("and named, with what it sent", 'one from 127.0.0.1: neither version '
                      'begins like this; it begins with "GET /apple-app-s" [proxy-header]' in said, said)


def test_drain_limits(results, site):
    """The time to stop comes from the configuration, unless the command line has another."""
    site.write(site.config.read_text() + "    limits: {drain-seconds: 1}\n")
    for options, seconds in (([], 1), (["--drain-timeout", "0"], 0)):
        with site.serve(options=options) as origin:
            busy = connect(origin)
            ask(busy)
            busy.sendall(f"GET {AASA} HTTP/1.1\r\n".encode())
            time.sleep(0.2)
            origin.stop()
            origin.exit_status()
            results.check(f"requests in flight have {seconds} s",
                          f"requests in flight have {seconds} s" in origin.log
                          and "1 request was cut off" in origin.log, origin.log)
