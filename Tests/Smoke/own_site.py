"""The site of our own that most tests serve."""

import os

from origin import HOST, Client, Origin

FIRST, SECOND = HOST, "second.example"

SITE = f"""\
version: 1
apps:
  example:
    ios: {{id: ABCDE12345.com.example.app}}
links:
  one: {{match: /one}}
  two: {{match: /two}}
environments:
  test:
    hosts: [{FIRST}, {SECOND}]
    tls:
      - {{certificate: certs/first.pem, key: certs/first.key}}
      - {{certificate: certs/second.pem, key: certs/second.key}}
    publish:
      example: [one]
    acme-webroot: acme
"""
LINE_TO_CHANGE = "example: [one]"


class OwnSite:
    """A site of two hosts, each with a certificate of its own, and a large public file."""

    def __init__(self, program, directory):
        self.program = program
        self.directory = directory
        self.config = directory / "waymark.yaml"
        self.certificates = directory / "certs"
        self.authority = self.certificates / "dev-ca.pem"
        self.large = os.urandom(8 << 20)
        (directory / "Public").mkdir(parents=True)
        (directory / "Public/large.bin").write_bytes(self.large)
        challenges = directory / "acme/.well-known/acme-challenge"
        challenges.mkdir(parents=True)
        (challenges / "token").write_text("token.key")
        self.certificates.mkdir()
        self.certify("first", [FIRST])
        self.certify("second", [SECOND])

    def write(self, text):
        """Replaces the configuration at once, as an editor or a deployment does."""
        new = self.directory / "new.yaml"
        new.write_text(text)
        new.replace(self.config)

    def certify(self, name, hosts):
        certificate, key = self.program.make_certificate(self.certificates, hosts)
        certificate.replace(self.certificates / f"{name}.pem")
        key.replace(self.certificates / f"{name}.key")

    def serve(self, **more):
        return Origin(self.program, self.config, "test", self.directory / "log", **more)

    def client(self, origin, host=FIRST, **more):
        return Client(origin, host, self.authority, **more)

    def rendered(self):
        return self.program.output("render", "aasa", "--config", self.config, "--env", "test")
