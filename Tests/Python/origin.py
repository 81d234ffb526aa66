"""A running origin, and the certificates it needs: what the smoke tests stand on."""

import http.client
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import time

from ending import end_in_order, start

# After this a test gives up. It measures nothing: on a busy machine a test may take most of it.
SAFETY_NET_SECONDS = 180
# The first host of the site that most tests serve.
HOST = "first.example"

# Every script that starts an origin imports this, and leaves none behind.
end_in_order()


def wait_until(fact, pause=0.02):
    """Waits until `fact()` is true; returns what it was last, if it never is."""
    end = time.monotonic() + SAFETY_NET_SECONDS
    while not (found := fact()) and time.monotonic() < end:
        time.sleep(pause)
    return found


class Program:
    """The program under test, run to its end."""

    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()

    def run(self, *arguments):
        command = [self.path, *map(str, arguments)]
        return subprocess.run(command, capture_output=True, timeout=SAFETY_NET_SECONDS)

    def output(self, *arguments):
        """What it prints; nothing when it says no."""
        run = self.run(*arguments)
        return run.stdout if run.returncode == 0 else b""

    def make_certificate(self, directory, hosts):
        """Creates a development authority, unless there is one, and a certificate of these hosts.

        Returns the paths of certificate and key; the authority is `dev-ca.pem` beside them.
        """
        names = [word for host in hosts for word in ("--host", host)]
        run = self.run("init", "--certificates-only", "--certificates", directory, *names)
        if run.returncode != 0:
            raise RuntimeError(f"init: {run.stderr.decode()}")
        return directory / "dev.pem", directory / "dev.key"


class Origin:
    """`waymark serve` on free ports of the loopback, until the `with` block ends."""

    def __init__(self, program, config, environment, log, under=(), options=(), **more):
        """`under`: a command that runs the program, such as valgrind."""
        self.log_path = log
        arguments = ["serve", "--config", config, "--env", environment]
        if "--drain-delay" not in options:
            arguments += ["--drain-delay", "0"]
        arguments += options
        for listener in ("https", "http", "admin"):
            arguments += [f"--{listener}", more.pop(listener, "127.0.0.1:0")]
        with open(log, "wb") as stderr:
            self.process = start(
                [*under, program.path, *map(str, arguments)],
                stdin=subprocess.DEVNULL, stdout=more.pop("stdout", subprocess.DEVNULL),
                stderr=stderr, **more)

    @property
    def log(self):
        return self.log_path.read_text(errors="replace")

    def __enter__(self):
        try:
            line = self.wait_for_log(r"^.*\bserving\b.*$").group()
            ports = dict(re.findall(r"\b(https|http|admin)\s+\S*:(\d+)", line))
            self.https, self.http, self.admin = (
                int(ports.get(name, 0)) for name in ("https", "http", "admin"))
            return self
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(SAFETY_NET_SECONDS)

    def wait_for_log(self, pattern, start=0):
        """Waits until the log, from this character on, has a match."""
        end = time.monotonic() + SAFETY_NET_SECONDS
        while time.monotonic() < end:
            if match := re.search(pattern, self.log[start:], re.MULTILINE):
                return match
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        raise RuntimeError(f"no line like {pattern!r} in the log:\n{self.log}")

    def processor_seconds(self):
        """How long it has used processors (proc(5))."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2]
        return sum(map(int, fields.split()[11:13])) / 100

    def reload(self):
        self.process.send_signal(signal.SIGHUP)

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)

    def exit_status(self):
        return self.process.wait(SAFETY_NET_SECONDS)


class Client(http.client.HTTPSConnection):
    """A connection to an origin on the loopback by the name of one of its hosts."""

    def __init__(self, origin, host, authority, receive_buffer=None):
        super().__init__(
            host, origin.https, timeout=SAFETY_NET_SECONDS, context=ssl.create_default_context(cafile=authority))
        self.receive_buffer = receive_buffer

    def connect(self):
        plain = socket.socket(socket.AF_INET)
        if self.receive_buffer:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.receive_buffer)
        plain.settimeout(self.timeout)
        plain.connect(("127.0.0.1", self.port))
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sock = self._context.wrap_socket(plain, server_hostname=self.host)

    def get(self, path):
        """Status and content."""
        self.request("GET", path)
        response = self.getresponse()
        return response.status, response.read()

    def certificate(self):
        """The leaf that the origin presents for this host, DER."""
        self.connect()
        return self.sock.getpeercert(binary_form=True)


def leaf(path):
    """The first certificate of a PEM file, DER."""
    return ssl.PEM_cert_to_DER_cert(
        re.search("-----BEGIN CERT.*?-----END CERTIFICATE-----", path.read_text(), re.S).group())


def swap_link(link, target):
    """Points a symbolic link elsewhere in one step, as certbot and Kubernetes do."""
    new = link.with_name(f"{link.name}.new")
    new.symlink_to(target)
    new.replace(link)


def copy_site(site, directory):
    """A copy of a site's directory, without the certificates that a developer has there."""
    shutil.copytree(site, directory, ignore=shutil.ignore_patterns("certs"))
    return directory / "waymark.yaml"
