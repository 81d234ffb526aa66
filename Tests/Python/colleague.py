"""A person who uses the console."""

import http.client
import re
import time

from origin import SAFETY_NET_SECONDS, wait_until


class Colleague:
    """An administrator of the console, who signs in on the admin listener as soon as the origin is ready."""

    def __init__(self, program, directory, port, name="anna"):
        self.port = port
        wait_until(lambda: self.ask("/readyz", fields={})[0].status == 200)
        run = program.run("console", "login", name, "--role", "admin", "--local", "--admin", f"127.0.0.1:{port}",
                          "--config", directory / "waymark.yaml", "--env", "prod")
        if run.returncode != 0:
            raise RuntimeError(run.stderr.decode())
        path = "/" + run.stdout.decode().strip().split("/", 3)[3]
        response, _ = self.ask(path, "POST", {"Sec-Fetch-Site": "same-origin"})
        self.cookie = re.match(r"[^;]*", response.getheader("Set-Cookie", ""))[0]
        if response.status != 303 or not self.cookie:
            raise RuntimeError(f"signing in: {response.status}")

    def ask(self, path, method="GET", fields=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SAFETY_NET_SECONDS)
        connection.request(method, path, headers={"Cookie": self.cookie} if fields is None else fields)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        if response.status != 429:
            return response, content
        time.sleep(int(response.getheader("Retry-After", "1")))
        return self.ask(path, method, fields)
