"""The site that is served, and what an operator changes of it meanwhile."""

import datetime
import os
import pathlib
import random
import re
import shutil
import sys
import threading
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Python"))

from origin import SAFETY_NET_SECONDS, Origin, leaf, swap_link  # noqa: E402
from questions import HOST  # noqa: E402
from visitors import TRUSTED  # noqa: E402
from wire import Wire  # noqa: E402

CONFIGURATION = """\
version: 1
site: {{name: Soak}}
apps:
  shop:
    name: Shop
    ios: {{id: ABCDE12345.com.example.shop, store: "412366298"}}
    android:
      package: com.example.shop
      sha256: "{fingerprint}"
links:
  go:
    match: /go/*
    page: {{title: Go there, description: A page.}}
    web:
      desktop: "https://www.example.com/to/{{1}}?q={{query.q}}"
      android: store
      default: landing
  more: {{match: /more}}
environments:
  test:
    hosts: [{host}, localhost]
    tls: {{certificate: live/tls.pem, key: live/tls.key}}
    publish: {{shop: [{links}]}}
    campaign: {{google: {{link: true}}}}
    unmatched: {{page: /404.html, status: 404}}
    log: {{access: json, to: {log}}}
    proxies: {{trusted: {trusted}/32, header: x-forwarded-for}}
"""
FINGERPRINT = ":".join(f"{number * 7 % 256:02X}" for number in range(32))
LINKS = ("go", "go, more")


class Known:
    """What the site must answer."""


class Site:
    """A directory with a configuration, certificates behind links, and public files."""

    def __init__(self, program, directory):
        self.program, self.directory = program, directory
        self.lock = threading.RLock()
        self.links, self.log, self.is_broken = LINKS[0], "logs/access.log", False
        self.certificates = 0
        for name in ("Public", "logs", "live", "archive"):
            (directory / name).mkdir()
        self.known = Known()
        self.known.authority = directory / "made/dev-ca.pem"
        self.known.large = random.Random(1).randbytes(1 << 20)
        self.known.page = b"".join(b"<p>This is line %d of a page.\n" % one for one in range(110))
        self.known.missing = b"<!doctype html><title>Not here</title>"
        for name, content in (("large.bin", self.known.large), ("page.html", self.known.page),
                              ("404.html", self.known.missing)):
            path = directory / "Public" / name
            path.write_bytes(content)
            # A file that has just changed is prepared again by each configuration.
            os.utime(path, (path.stat().st_mtime - 3600,) * 2)
        self.renew()
        self.known.associations = set()
        for links in LINKS:
            self.write(links=links)
            self.known.associations.add(self.render("aasa"))
        self.known.asset_links = self.render("assetlinks")
        if len(self.known.associations) != 2 or not self.known.asset_links:
            raise RuntimeError("the site cannot be rendered")
        self.write(links=LINKS[0])

    @property
    def configuration(self):
        return self.directory / "waymark.yaml"

    def render(self, file):
        return self.program.output("render", file, "--config", self.configuration, "--env", "test")

    def write(self, links=None, log=None, is_broken=None):
        """Replaces the configuration at once; what is not given stays."""
        with self.lock:
            self.links = links or self.links
            self.log = log or self.log
            self.is_broken = self.is_broken if is_broken is None else is_broken
            text = CONFIGURATION.format(
                fingerprint=FINGERPRINT, host=HOST, links=self.links, log=self.log,
                trusted=TRUSTED)
            new = self.directory / "new.yaml"
            new.write_text(text + ("nonsense: true\n" if self.is_broken else ""))
            new.replace(self.configuration)

    def renew(self):
        """A new certificate and a new key, put in place as certbot does; returns the leaf."""
        with self.lock:
            self.certificates += 1
            archive = self.directory / "archive" / str(self.certificates)
            archive.mkdir()
            for path in self.program.make_certificate(self.directory / "made", [HOST, "localhost"]):
                shutil.move(path, archive / f"tls{path.suffix}")
            for name in ("tls.pem", "tls.key"):
                swap_link(self.directory / "live" / name,
                          f"../archive/{self.certificates}/{name}")
            return leaf(archive / "tls.pem")

    def serve(self):
        origin = Origin(self.program, self.configuration, "test", self.directory / "errors")
        origin.__enter__()
        self.known.https, self.known.http = origin.https, origin.http
        self.known.page_tag = self.ask_page(origin).fields["etag"]
        # Until the gzip form is made, the file is sent as it is.
        wait_until(lambda: self.ask_page(origin, "Accept-Encoding: gzip\r\n").fields.get(
            "content-encoding") == "gzip", "compresses the page")
        return origin

    @staticmethod
    def ask_page(origin, field=""):
        with Wire(origin.http) as wire:
            wire.send(f"GET /page.html HTTP/1.1\r\nHost: {HOST}\r\n{field}"
                      "X-Forwarded-Proto: https\r\n\r\n".encode())
            return wire.answer()


class Figures:
    """What the origin, and the system, say of it."""

    def __init__(self, origin):
        address = f"http://127.0.0.1:{origin.admin}/metrics"
        with urllib.request.urlopen(address, timeout=SAFETY_NET_SECONDS) as response:
            text = response.read().decode()
        self.values = {}
        for name, value in re.findall(r"^(\w+)(?:\{[^}]*\})? (\S+)$", text, re.MULTILINE):
            self.values[name] = self.values.get(name, 0) + float(value)
        self.requests = int(self.values["waymark_http_requests_total"])
        self.dropped = int(self.values["waymark_log_dropped_total"])
        self.connections = int(self.values["waymark_connections"])
        self.generation = int(self.values["waymark_config_generation"])
        # As the log writes it.
        self.time = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:23] + "Z"
        process = pathlib.Path(f"/proc/{origin.process.pid}")
        # The connection that was asked over may be there a little longer.
        self.descriptors = min(len(os.listdir(process / "fd")) for _ in range(10)
                               if not time.sleep(0.02))
        rollup = (process / "smaps_rollup").read_text()
        self.kilobytes = int(re.search(r"^Pss:\s+(\d+)", rollup, re.MULTILINE)[1])


def wait_until(fact, what):
    """Waits for `fact()` to be true, and returns it."""
    end = time.monotonic() + SAFETY_NET_SECONDS
    while time.monotonic() < end:
        if found := fact():
            return found
        time.sleep(0.05)
    raise RuntimeError(f"{what}: not within {SAFETY_NET_SECONDS} seconds")
