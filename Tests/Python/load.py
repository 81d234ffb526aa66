"""Clients that keep asking while something happens to the origin."""

import asyncio
import ssl
import threading

from origin import SAFETY_NET_SECONDS, Client

AASA = "/.well-known/apple-app-site-association"


class Crowd:
    """Threads that ask until the `with` block ends, which they see by `is_over`."""

    def __init__(self, works):
        """`works`: a function and its arguments for each thread."""
        self.is_over = threading.Event()
        self.threads = [threading.Thread(target=work, args=arguments) for work, *arguments in works]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        for thread in self.threads:
            thread.join(SAFETY_NET_SECONDS)


class Load(Crowd):
    """Eight clients that ask for an association file until the `with` block ends.

    `answers` holds what they got, each distinct content once; `failures` what went wrong.
    """

    def __init__(self, origin, host, authority):
        self.answers = set()
        self.failures = []
        self.requests = 0
        super().__init__((self.ask, Client(origin, host, authority), number) for number in range(8))

    def ask(self, client, number):
        while not self.is_over.is_set():
            try:
                status, content = client.get(AASA)
                if status != 200:
                    self.failures.append(f"status {status}")
                self.answers.add(content)
                self.requests += 1
                # Half of the clients connect anew for each request.
                if number % 2:
                    client.close()
            except Exception as error:
                self.failures.append(repr(error))
                return


def ask_over_many_connections(origin, host, authority, count):
    """Opens `count` TLS connections, and when all are open sends two requests over each.

    Returns what went wrong; empty when every request was answered with 200.
    """
    return asyncio.run(_ask_over_many_connections(origin, host, authority, count))


async def _ask_over_many_connections(origin, host, authority, count):
    context = ssl.create_default_context(cafile=authority)
    request = f"GET {AASA} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    handshakes = asyncio.Semaphore(64)

    async def connect():
        async with handshakes:
            return await asyncio.open_connection(
                "127.0.0.1", origin.https, ssl=context, server_hostname=host)

    async def ask(reader, writer):
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            int(line.split(b":")[1])
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"content-length:"))
        await reader.readexactly(length)
        if not head.startswith(b"HTTP/1.1 200 "):
            raise RuntimeError(head.split(b"\r\n")[0])

    connections = await asyncio.gather(
        *(connect() for _ in range(count)), return_exceptions=True)
    failures = [repr(one) for one in connections if isinstance(one, Exception)]
    opened = [one for one in connections if not isinstance(one, Exception)]
    for _ in range(2):
        results = await asyncio.gather(
            *(asyncio.wait_for(ask(*one), 30) for one in opened), return_exceptions=True)
        failures += [repr(result) for result in results if result is not None]
    for _, writer in opened:
        writer.transport.abort()
    return failures
