"""A fleet on one machine: a PostgreSQL primary with a streaming standby, three nodes, each with ways of its own to both, HAProxy
before them, and clients that count each answer."""

import collections
import contextlib
import http.client
import ipaddress
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Python"))

from ending import start  # noqa: E402
from load import Crowd  # noqa: E402
from origin import SAFETY_NET_SECONDS, Origin, wait_until  # noqa: E402
from ports import free_ports  # noqa: E402
from postgresql import Server, Standby  # noqa: E402
from way import Way  # noqa: E402

PASSWORD = "correct horse"
ADDRESSES = {"a": "127.0.0.1", "b": "127.0.0.2", "c": "127.0.0.3"}
SEEDS = [f"seed{number}" for number in range(20)]
FILE = "/.well-known/apple-app-site-association"
AGENT = "Mozilla/5.0 (Windows NT 10.0) Firefox/140.0"
READERS, WRITERS = 3, 2
PATIENCE_SECONDS = 15
SITE = """
version: 1
apps: {a: {ios: {id: ABCDE12345.com.example.a}}}
links:
  short: {match: /s/*, stored: {destinations: [www.example.com]}}
  help: {match: /help, web: "https://www.example.com/help"}
environments:
"""
NODE = """  node-{name}:
    hosts: [localhost]
    tls: {{certificate: dev.pem, key: dev.key}}
    publish: {{a: [short, help]}}
    proxies: {{trusted: private, protocol: proxy}}
    store: "postgresql://waymark@127.0.0.1:{first},127.0.0.1:{second}/waymark?{protection}"
    store-password: password
"""

Failure = collections.namedtuple("Failure", "client path reason")


class Bed:
    """Everything but the clients, until the stack is closed."""

    def __init__(self, program, directory, stack, is_synchronous=False, settings=(), protection="sslmode=disable",
                 prepares=lambda server: None):
        """`prepares`: is called with each server before it is started."""
        self.program, self.directory, self.stack = program, directory, stack
        self.starts, self.nodes, self.clients_of_nodes = collections.Counter(), {}, {}
        self.ports = dict(zip((443, 80, 8443, 8080, 9090), free_ports(5), strict=True))
        self.primary = Server(directory / "first", fsync=True, settings=settings)
        prepares(self.primary)
        stack.enter_context(self.primary)
        self.primary.run(f"CREATE ROLE waymark LOGIN PASSWORD '{PASSWORD}'")
        self.primary.run("CREATE DATABASE waymark OWNER waymark")
        self.replication = stack.enter_context(Way(self.primary.port))
        self.standby = Standby(
            directory / "second", self.primary, self.replication.port, "second", fsync=True, settings=settings)
        prepares(self.standby)
        stack.enter_context(self.standby)
        if not wait_until(self.standby.follows):
            raise RuntimeError("the standby does not follow")
        if is_synchronous:
            self.primary.run("ALTER SYSTEM SET synchronous_standby_names = 'second'")
            self.primary.run("SELECT pg_reload_conf()")
        program.make_certificate(directory, ["localhost"])
        self.write_password(PASSWORD)
        self.ways = {name: [stack.enter_context(Way(server.port)) for server in (self.primary, self.standby)]
                     for name in ADDRESSES}
        self.site = directory / "waymark.yaml"
        self.site.write_text(SITE + "".join(
            NODE.format(name=name, first=first.port, second=second.port, protection=protection)
            for name, (first, second) in self.ways.items()))

    def write_password(self, password):
        draft = self.directory / "password.new"
        draft.write_text(password)
        draft.chmod(0o600)
        draft.replace(self.directory / "password")

    # MARK: Nodes

    def start_node(self, name, program=None):
        self.starts[name] += 1
        listeners = {listener: f"{ADDRESSES[name]}:{self.ports[port]}"
                     for listener, port in (("https", 8443), ("http", 8080), ("admin", 9090))}
        self.nodes[name] = self.stack.enter_context(Origin(
            program or self.program, self.site, f"node-{name}", self.directory / f"{name}.{self.starts[name]}.log",
            options=["--state", self.directory / name, "--drain-delay", "2", "--loops", "1", "--allow-root"], **listeners))

    def start_nodes(self, program=None):
        for name in ADDRESSES:
            self.start_node(name, program)
            wait_until(lambda name=name: self.status(name, "/readyz") == 200)
            wait_until((self.directory / name / "links.token").exists)
        for slug in SEEDS:
            self.create("a", slug)
        for name in ADDRESSES:
            if not wait_until(lambda name=name: not self.lacks(name, SEEDS)):
                raise RuntimeError(f"node {name} lacks {self.lacks(name, SEEDS)}")

    def signal(self, name, order):
        self.nodes[name].process.send_signal(order)

    def stop_node(self, name):
        self.nodes[name].stop()
        return self.nodes[name].exit_status()

    def kill_node(self, name):
        self.signal(name, signal.SIGKILL)
        self.nodes[name].exit_status()

    def ask(self, name, method, path, body=None, seconds=SAFETY_NET_SECONDS):
        connection = http.client.HTTPConnection(ADDRESSES[name], self.ports[9090], timeout=seconds)
        fields = {}
        if path.startswith("/v1/"):
            token = (self.directory / name / "links.token").read_text().strip()
            fields = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        try:
            connection.request(method, path, body and json.dumps(body), fields)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def status(self, name, path):
        with contextlib.suppress(OSError, http.client.HTTPException):
            return self.ask(name, "GET", path)[0]
        return None

    def create(self, name, slug):
        link = {"collection": "short", "slug": slug, "destination": f"https://www.example.com/{slug}"}
        return self.ask(name, "POST", "/v1/links", link)[0]

    def visits(self, name="a"):
        status, content = self.ask(name, "GET", "/v1/visits?by=collection")
        return sum(row.get("visits", 0) for row in json.loads(content).get("rows", [])) if status == 200 else -1

    def lacks(self, name, slugs):
        """Slugs that a node does not answer, as a program asks that is no person."""
        client = NodeClient(ADDRESSES[name], self.ports[8443], self.directory / "dev-ca.pem")
        missing = [slug for slug in slugs if client.status(f"/s/{slug}") != 302]
        client.close()
        return missing

    def rows(self, server=None):
        return {slug for slug, in (server or self.primary).run("SELECT slug FROM waymark.slug", "waymark")}

    def logs(self):
        return "".join(path.read_text(errors="replace") for path in sorted(self.directory.glob("[abc].*.log")))

    def end_sessions(self, server=None):
        """Ends the sessions of the nodes, which then need others."""
        (server or self.primary).run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'waymark'")

    # MARK: HAProxy

    def start_haproxy(self):
        """Runs deploy/haproxy/haproxy.cfg with a third node."""
        program = os.environ.get("CHECK_HAPROXY") or shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin")
        if not program:
            sys.exit("fleet: haproxy is missing")
        text = (ROOT / "deploy/haproxy/haproxy.cfg").read_text()
        for old, new in (("user haproxy", "user nobody"), ("group haproxy", "group nogroup"),
                         ("maxconn 20000", "maxconn 1000"), ("bind :", "bind 127.0.0.1:")):
            text = text.replace(old, new)
        text = re.sub(
            r"^( *)server b (.*)$",
            lambda line: f"{line[0]}\n{line[1]}server c " + line[2].replace("NODE_B", "NODE_C").replace("https/b", "https/c"),
            text, flags=re.MULTILINE)
        text = re.sub(r"(?<=[: ])(443|80|8443|8080|9090)\b", lambda found: str(self.ports[int(found[1])]), text)
        path, self.log = self.directory / "haproxy.cfg", self.directory / "haproxy.log"
        path.write_text(text)
        environment = os.environ | {f"NODE_{name.upper()}": address for name, address in ADDRESSES.items()}
        with open(self.log, "wb") as output:
            self.haproxy = start([program, "-db", "-f", path], env=environment, stdin=subprocess.DEVNULL,
                                 stdout=output, stderr=output)
        self.stack.callback(self.end_haproxy)
        with Clients(self, readers=0, writers=0) as clients:
            wait_until(lambda: self.haproxy.poll() is not None or clients.ask("/help"))
            if not clients.answers:
                raise RuntimeError(f"haproxy does not answer: {self.log.read_text()}")

    def end_haproxy(self):
        self.haproxy.kill()
        self.haproxy.wait()

    def node_of(self):
        """The node of each connection, by the address of its client."""
        return dict(re.findall(r"^([\d.]+):\d+ .* https/(\w+|<NOSRV>) ", self.log.read_text(), re.MULTILINE))


class NodeClient:
    """A connection to one node, past HAProxy."""

    def __init__(self, address, port, authority):
        self.address, self.port, self.context = address, port, ssl.create_default_context(cafile=authority)
        self.connection = None

    def connect(self):
        plain = socket.create_connection((self.address, self.port), SAFETY_NET_SECONDS)
        plain.sendall(b"PROXY TCP4 127.0.0.9 127.0.0.1 9 9\r\n")
        self.connection = http.client.HTTPConnection("localhost")
        self.connection.sock = self.context.wrap_socket(plain, server_hostname="localhost")

    def status(self, path):
        for _ in range(2):
            try:
                if not self.connection:
                    self.connect()
                self.connection.request("GET", path, headers={"User-Agent": "curl/8.0"})
                response = self.connection.getresponse()
                response.read()
                return response.status
            except (OSError, http.client.HTTPException):
                self.close()
        return None

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None


class Clients(Crowd):
    """Readers, each request of which has a connection and an address of its own, and writers, which make links at the nodes in turn."""

    # A connection that was cut leaves its port free at once, so addresses tell connections apart, also of several beds.
    addresses = ipaddress.ip_network("127.64.0.0/10").hosts()

    def __init__(self, bed, readers=READERS, writers=WRITERS):
        self.bed, self.context = bed, ssl.create_default_context(cafile=bed.directory / "dev-ca.pem")
        self.answers, self.refused, self.failures = collections.Counter(), collections.Counter(), []
        self.acknowledged, self.longest = [], 0.0
        self.lock = threading.Lock()
        super().__init__([*((self.read, number) for number in range(readers)), *((self.write, number) for number in range(writers))])

    def read(self, first):
        paths = [f"/s/{slug}" for slug in SEEDS] + ["/help", FILE]
        for path in itertools.islice(itertools.cycle(paths), 7 * first, None):
            if self.is_over.is_set():
                return
            self.ask(path)
            time.sleep(0.005)

    def ask(self, path):
        """Whether a request over HAProxy has the right answer."""
        with self.lock:
            client = str(next(Clients.addresses))
        began, reason = time.monotonic(), None
        try:
            with socket.create_connection(("127.0.0.1", self.bed.ports[443]), PATIENCE_SECONDS, (client, 0)) as plain:
                with self.context.wrap_socket(plain, server_hostname="localhost") as secure:
                    connection = http.client.HTTPConnection("localhost")
                    connection.sock = secure
                    connection.request("GET", path, headers={"User-Agent": AGENT})
                    response = connection.getresponse()
                    response.read()
                    if response.status != (200 if path == FILE else 302):
                        reason = f"status {response.status}"
        except (OSError, http.client.HTTPException) as error:
            reason = repr(error)
        with self.lock:
            self.longest = max(self.longest, time.monotonic() - began)
            if reason:
                self.failures.append(Failure(client, path, reason))
            else:
                self.answers["tap" if path.startswith("/s/") else "other"] += 1
        return reason is None

    def write(self, first):
        names = itertools.islice(itertools.cycle(ADDRESSES), first, None)
        for number, name in enumerate(names):
            if self.is_over.is_set():
                return
            slug = f"w{first}-{number}"
            try:
                status = self.bed.create(name, slug)
            except (OSError, http.client.HTTPException) as error:
                status = type(error).__name__
            with self.lock:
                if status == 201:
                    self.acknowledged.append(slug)
                else:
                    self.refused[status] += 1
            time.sleep(0.01)

    def made(self):
        """Waits until links are made again."""
        target = len(self.acknowledged) + 10
        return wait_until(lambda: len(self.acknowledged) >= target)
