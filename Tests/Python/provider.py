"""An OpenID provider that signs everybody in, and can lie in whatever it says. Its keys are made and used by openssl."""

import base64
import contextlib
import hashlib
import http.server
import json
import pathlib
import secrets
import ssl
import subprocess
import threading
import time
import urllib.parse

CLIENT, SECRET = "waymark", "a secret of the tests"


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def openssl(*arguments, given=None):
    return subprocess.run(["openssl", *arguments], input=given, capture_output=True, check=True, timeout=60).stdout


class Key:
    """A key of RS256 or ES256."""

    def __init__(self, directory, algorithm, name):
        self.algorithm, self.name = algorithm, name
        self.file = str(pathlib.Path(directory) / f"{secrets.token_hex(8)}.key")
        kind = (["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"] if algorithm == "RS256"
                else ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"])
        openssl("genpkey", *kind, "-out", self.file)

    @property
    def public(self):
        return openssl("pkey", "-in", self.file, "-pubout")

    def jwk(self, **changes):
        if self.algorithm == "RS256":
            text = openssl("rsa", "-in", self.file, "-noout", "-modulus").decode().strip().split("=")[1]
            own = {"kty": "RSA", "n": base64url(bytes.fromhex(text)), "e": "AQAB"}
        else:
            point = openssl("pkey", "-in", self.file, "-pubout", "-outform", "DER")[-64:]
            own = {"kty": "EC", "crv": "P-256", "x": base64url(point[:32]), "y": base64url(point[32:])}
        return {**own, "kid": self.name, "use": "sig", "alg": self.algorithm, **changes}

    def sign(self, message):
        signature = openssl("dgst", "-sha256", "-sign", self.file, given=message)
        if self.algorithm == "RS256":
            return signature
        # Two numbers in DER, which JSON Web Signatures have in 32 bytes each (RFC 7518 §3.4).
        numbers, at = b"", 2
        for _ in range(2):
            length = signature[at + 1]
            numbers += signature[at + 2:at + 2 + length].lstrip(b"\0").rjust(32, b"\0")
            at += 2 + length
        return numbers


class Provider:
    """Each attribute below is what it says, until a test sets another one."""

    def __init__(self, directory, certificate=None, host="localhost"):
        self.keys = [Key(directory, "RS256", "rsa"), Key(directory, "ES256", "ec")]
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.server.daemon_threads = True
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self.server.socket = context.wrap_socket(
                self.server.socket, server_side=True, do_handshake_on_connect=False)
        scheme = "https" if certificate else "http"
        self.issuer = f"{scheme}://{host}:{self.server.server_address[1]}"
        self.codes, self.asked = {}, []
        self.tell_truth()
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def tell_truth(self):
        self.person = {"sub": "1", "preferred_username": "anna", "groups": ["editors"]}
        self.information = None
        self.key = self.keys[0]
        self.published = None
        # What is changed of what it says: functions of a dictionary.
        self.metadata = self.claims = self.header = self.answer = lambda said: said
        # In place of a signature: a function of the message.
        self.signature = None
        # How a path behaves: redirect, endless, slow, huge, status.
        self.behaviour = {}

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    # What it says.

    def describe(self):
        return self.metadata({
            "issuer": self.issuer, "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token", "jwks_uri": f"{self.issuer}/keys",
            "userinfo_endpoint": f"{self.issuer}/userinfo", "response_types_supported": ["code"],
            "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256", "ES256"],
            "scopes_supported": ["openid", "profile", "groups"],
            "authorization_response_iss_parameter_supported": True})

    def publish(self):
        return {"keys": [key.jwk() for key in self.keys]} if self.published is None else self.published

    def token(self, nonce):
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "nonce": nonce, "iat": now, "exp": now + 300, **self.person}
        parts = [self.header({"alg": self.key.algorithm, "kid": self.key.name}), self.claims(claims)]
        text = ".".join(base64url(json.dumps(part).encode()) for part in parts)
        sign = self.signature or self.key.sign
        return f"{text}.{base64url(sign(text.encode()))}"

    def authorize(self, query):
        """The URL to which it sends the browser back."""
        asked = dict(urllib.parse.parse_qsl(query))
        assert asked["response_type"] == "code" and asked["client_id"] == CLIENT, asked
        assert asked["code_challenge_method"] == "S256" and "openid" in asked["scope"].split(), asked
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked
        back = self.answer({"code": code, "state": asked["state"], "iss": self.issuer})
        return asked["redirect_uri"] + "?" + urllib.parse.urlencode(back)

    def exchange(self, fields, content):
        sent = dict(urllib.parse.parse_qsl(content))
        words = fields.get("Authorization", "").split()
        if words:
            client, _, secret = base64.b64decode(words[1]).decode().partition(":")
            client, secret = urllib.parse.unquote_plus(client), urllib.parse.unquote_plus(secret)
        else:
            client, secret = sent.get("client_id"), sent.get("client_secret")
        if (client, secret) != (CLIENT, SECRET):
            return 401, {"error": "invalid_client"}
        asked = self.codes.pop(sent.get("code"), None)
        challenge = base64url(hashlib.sha256(sent.get("code_verifier", "").encode()).digest())
        if not asked or challenge != asked["code_challenge"] or sent["redirect_uri"] != asked["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        return 200, {"id_token": self.token(asked["nonce"]), "access_token": "access", "token_type": "Bearer",
                     "expires_in": 300}

    def _handler(provider):
        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                path, _, query = self.path.partition("?")
                provider.asked.append(path)
                with contextlib.suppress(OSError):
                    if not self.misbehaves(path):
                        self.respond(path, query)

            do_POST = do_GET

            def respond(self, path, query):
                if path == "/authorize":
                    self.send_response(302)
                    self.send_header("Location", provider.authorize(query))
                    self.end_headers()
                elif path == "/token":
                    content = self.rfile.read(int(self.headers["Content-Length"])).decode()
                    self.say(*provider.exchange(self.headers, content))
                elif path == "/userinfo" and self.headers["Authorization"] == "Bearer access":
                    self.say(200, provider.information or {"sub": provider.person["sub"]})
                elif path == "/keys":
                    self.say(200, provider.publish())
                elif path == "/.well-known/openid-configuration":
                    self.say(200, provider.describe())
                else:
                    self.say(404, {})

            def say(self, status, value):
                content = value if isinstance(value, bytes) else json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def misbehaves(self, path):
                way = provider.behaviour.get(path)
                if way == "redirect":
                    self.send_response(302)
                    self.send_header("Location", f"{provider.issuer}{path}/moved")
                    self.end_headers()
                elif way == "status":
                    self.say(503, {})
                elif way == "huge":
                    self.say(200, b'{"a": "' + b"x" * 10_000_000 + b'"}')
                elif way in ("endless", "slow"):
                    self.send_response(200)
                    self.end_headers()
                    end = time.monotonic() + 60
                    while time.monotonic() < end:
                        self.wfile.write(b" " if way == "slow" else b" " * 65_536)
                        time.sleep(0.1 if way == "slow" else 0)
                return way is not None

        return Handler
