"""The servers that are compared, each with the configuration that lies beside this file."""

import http.client
import os
import pathlib
import pwd
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Python"))

from ending import end_in_order, start  # noqa: E402
from ports import free_ports  # noqa: E402

HOST = "bench.example"
AASA = "/.well-known/apple-app-site-association"
PAGE, LARGE, REDIRECT = "/page.html", "/large.bin", "/dl/autumn-sale"
START_SECONDS = 20
STOP_SECONDS = 20
CIPHERS = ":".join(
    f"ECDHE-{key}-{suite}"
    for suite in ("AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305")
    for key in ("ECDSA", "RSA"))


# Whoever starts these servers leaves none behind.
end_in_order()


class Site:
    """What all of them serve: certificate, association file, page and large file."""

    def __init__(self, program, directory, has_logs):
        self.program, self.directory, self.has_logs = program, directory, has_logs
        certificates = directory / "certs"
        self.run("init", "--certificates-only", "--certificates", certificates, "--host", HOST)
        self.certificate, self.key = certificates / "dev.pem", certificates / "dev.key"
        public = directory / "Public"
        public.mkdir()
        (public / "page.html").write_text(page(3 << 10))
        (public / "large.bin").write_bytes(os.urandom(1 << 20))
        self.config = self.fill("waymark.yaml", {})
        association = self.run("render", "aasa", "--config", self.config, "--env", "test")
        www = directory / "www"
        shutil.copytree(public, www)
        (www / ".well-known").mkdir()
        (www / AASA[1:]).write_bytes(association)
        subprocess.run(["gzip", "-9", "-k", "-n", www / "page.html"], check=True)
        self.contents = {path: (www / path[1:]).read_bytes() for path in (AASA, PAGE, LARGE)}
        self.association = association.decode()

    def run(self, *arguments):
        return subprocess.run(
            [self.program, *map(str, arguments)], check=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout

    def log(self, name):
        return self.directory / f"{name}-access.log"

    def fill(self, template, more):
        """Writes a configuration with the places of this run, and returns where."""
        logs = {
            "NGINX_LOG": f"{self.log('nginx')} combined buffer=64k flush=1s",
            "CADDY_LOG": f"log {{\n\t\toutput file {self.log('caddy')} {{\n"
                         "\t\t\troll_disabled\n\t\t}\n\t}",
            "H2O_LOG": f"access-log: {self.log('h2o')}",
            "WAYMARK_LOG": f"{{access: combined, to: {self.log('waymark')}}}",
        } if self.has_logs else {
            "NGINX_LOG": "off", "CADDY_LOG": "", "H2O_LOG": "", "WAYMARK_LOG": "{access: off}",
        }
        values = {
            "DIRECTORY": self.directory, "CERTIFICATE": self.certificate, "KEY": self.key,
            "HOST": HOST, "CIPHERS": CIPHERS, "CORES": os.cpu_count(),
            "USER": pwd.getpwuid(os.getuid()).pw_name, **logs, **more}
        text = (HERE / template).read_text()
        for name, value in values.items():
            text = text.replace(f"@{name}@", str(value))
        path = self.directory / template
        path.write_text(text)
        return path


def page(size):
    """A page of this size, whose text compresses as pages do."""
    head = "<!doctype html><html lang=en><title>A page</title><body>"
    words = "".join(
        f"<p class=item-{n % 7}>Paragraph {n}: {n * 7919 % 10007} places, {n % 97} kinds.</p>\n"
        for n in range(size // 40))
    return head + words[:size - len(head)]


class Server:
    """One running server. Only what was started here is ever stopped, by its own process id."""

    def __init__(self, name, site):
        self.name, self.site = name, site
        self.port, self.plain_port, self.admin_port = free_ports(3)
        self.process = None

    def command(self):
        site = self.site
        ports = {"PORT": self.port, "PLAIN_PORT": self.plain_port, "CONSTANT": site.association}
        match self.name:
            case "nginx":
                return ["nginx", "-p", site.directory, "-c", site.fill("nginx.conf", ports)]
            case "caddy":
                return ["caddy", "run", "--adapter", "caddyfile",
                        "--config", site.fill("Caddyfile", ports)]
            case "h2o":
                return ["h2o", "-c", site.fill("h2o.yaml", ports)]
            case "waymark":
                return [site.program, "serve", "--config", site.config, "--env", "test",
                        "--https", f"127.0.0.1:{self.port}",
                        "--http", f"127.0.0.1:{self.plain_port}",
                        "--admin", f"127.0.0.1:{self.admin_port}"]

    def start(self):
        """Starts it; the seconds until it had answered a first request over TLS."""
        command = self.command()
        output = open(self.site.directory / f"{self.name}.log", "ab")
        began = time.perf_counter()
        self.process = start(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            env={**os.environ, "HOME": str(self.site.directory)})
        output.close()
        while not answers(self.port):
            if self.process.poll() is not None or time.perf_counter() - began > START_SECONDS:
                self.stop()
                raise RuntimeError(
                    f"{self.name} does not answer:\n"
                    + (self.site.directory / f"{self.name}.log").read_text(errors="replace"))
            time.sleep(0.0005)
        return time.perf_counter() - began

    def check_answers(self):
        """All servers must do the same work: the same contents, compressed where they can be."""
        for path, content in self.site.contents.items():
            got = self.ask(path, {"Accept-Encoding": "gzip"} if path == PAGE else {})
            if path == PAGE:
                assert got.headers["Content-Encoding"] == "gzip", f"{self.name}: {path}"
                content = (self.site.directory / "www/page.html.gz").read_bytes()
                assert abs(len(got.content) - len(content)) < 50, f"{self.name}: {path}"
            else:
                assert got.content == content, f"{self.name}: {path}"
        got = self.ask(REDIRECT)
        assert got.status == 302, f"{self.name}: {got.status}"
        assert got.headers["Location"] == f"https://www.example.com{REDIRECT}", self.name

    def ask(self, path, headers=()):
        """One answer over TLS, with its content as it came."""
        with socket.create_connection(("127.0.0.1", self.port), 5) as plain:
            client = http.client.HTTPConnection(HOST)
            client.sock = CONTEXT.wrap_socket(plain, server_hostname=HOST)
            client.request("GET", path, headers=dict(headers))
            answer = client.getresponse()
            answer.content = answer.read()
            client.close()
            return answer

    def stop(self):
        if self.process is None:
            return
        # Waymark's QUIT is the others' TERM: it does not wait for clients that are not there.
        self.process.send_signal(
            signal.SIGQUIT if self.name == "waymark" else signal.SIGTERM)
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def processes(self):
        """Its own process id and those of the workers that it started."""
        found = [self.process.pid]
        for pid in found:
            for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
        return found

    def cpu_seconds(self):
        """What its threads have run on a processor, in user and kernel mode."""
        return sum(
            int(path.read_text().split()[0])
            for pid in self.processes()
            for path in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9

    def memory_bytes(self):
        """Its proportional set size: what workers share counts once."""
        return sum(
            int(line.split()[1]) << 10
            for pid in self.processes()
            for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            if line.startswith("Pss:"))

    def empty_log(self):
        """Takes the lines of a finished run from the disk; how many bytes they were."""
        path = self.site.log(self.name)
        if not path.exists():
            return 0
        size = path.stat().st_size
        os.truncate(path, 0)
        return size


CONTEXT = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
CONTEXT.check_hostname = False
CONTEXT.verify_mode = ssl.CERT_NONE


def answers(port, path=AASA):
    """Whether 200 comes back."""
    try:
        with (socket.create_connection(("127.0.0.1", port), 5) as plain,
              CONTEXT.wrap_socket(plain, server_hostname=HOST) as secure):
            secure.sendall(f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
            return secure.recv(65536).startswith(b"HTTP/1.1 200")
    except OSError:
        return False
