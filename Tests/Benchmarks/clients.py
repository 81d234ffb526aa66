#!/usr/bin/env python3
"""TLS clients whose cost does not matter: only the server's is measured.

    clients.py full PORT COUNT      so many connections, each with a full handshake and a request
    clients.py resumed PORT COUNT   each resumes the one before it
    clients.py idle PORT COUNT      so many at once, a request over each, held until stdin ends

Prints a line of JSON: how many were answered, and how many of them had been resumed.
"""

import concurrent.futures
import json
import socket
import sys

from servers import AASA, CONTEXT, HOST

THREADS = 4


def request(closes):
    connection = "Connection: close\r\n" if closes else ""
    return f"GET {AASA} HTTP/1.1\r\nHost: {HOST}\r\n{connection}\r\n".encode()


def connect(port, session=None):
    plain = socket.create_connection(("127.0.0.1", port), 20)
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return CONTEXT.wrap_socket(plain, server_hostname=HOST, session=session)


def read_answer(secure):
    answer = b""
    while b"\r\n\r\n" not in answer:
        piece = secure.recv(65536)
        if not piece:
            raise RuntimeError("closed before the answer")
        answer += piece
    if not answer.startswith(b"HTTP/1.1 200 "):
        raise RuntimeError(answer[:80])
    return answer


def ask_once(port, session):
    """A connection with one request, which the server closes; the session that it left."""
    with connect(port, session) as secure:
        secure.sendall(request(closes=True))
        read_answer(secure)
        while secure.recv(65536):
            pass
        return secure.session, secure.session_reused


def handshakes(port, count, resumes):
    session, resumed = None, 0
    for number in range(count + 1 if resumes else count):
        new, was_resumed = ask_once(port, session if resumes else None)
        resumed += was_resumed
        session = new if new is not None and new.has_ticket else None
    return count, resumed


def hold(port, count):
    connections = []
    for _ in range(count):
        secure = connect(port)
        secure.sendall(request(closes=False))
        read_answer(secure)
        connections.append(secure)
    print(json.dumps({"answered": count, "resumed": 0}), flush=True)
    sys.stdin.read()


def main():
    kind, port, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    if kind == "idle":
        return hold(port, count)
    with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
        results = list(pool.map(
            lambda _: handshakes(port, count // THREADS, kind == "resumed"), range(THREADS)))
    answered, resumed = map(sum, zip(*results))
    print(json.dumps({"answered": answered, "resumed": resumed}))


if __name__ == "__main__":
    main()
