"""A way from a node to its database that can be slow, cut, or of a pool that passes no notifications on.

It is a process of its own, so that it takes no time from a script that measures.
"""

import pathlib
import socket
import struct
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

NOTIFICATION = ord("A")
RESET = struct.pack("ii", 1, 0)


class Way:
    """Passes TCP on to a port of the loopback, until the `with` block ends."""

    def __init__(self, target, milliseconds=0, notifies=True):
        """`milliseconds`: what a round trip takes longer. Without `notifies`, PostgreSQL's notifications do not arrive."""
        from ending import start
        from ports import free_port
        self.port = free_port()
        words = [self.port, target, milliseconds, "all" if notifies else "answers"]
        self.process = start(
            [sys.executable, __file__, *map(str, words)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "there\n":
            raise RuntimeError("a way to the database does not begin")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def become(self, mode):
        """`open`; `silent`, which accepts everything and passes nothing on; or `closed`, which resets all connections."""
        self.process.stdin.write(mode + "\n")
        self.process.stdin.flush()
        self.process.stdout.readline()


class Answers:
    """The messages of a server without notifications, as they come (PostgreSQL's chapter 55)."""

    def __init__(self):
        self.bytes = bytearray()

    def passed(self, data):
        self.bytes += data
        kept, place = bytearray(), 0
        while len(self.bytes) - place >= 5:
            end = place + 1 + int.from_bytes(self.bytes[place + 1:place + 5], "big")
            if end > len(self.bytes):
                break
            if self.bytes[place] != NOTIFICATION:
                kept += self.bytes[place:end]
            place = end
        del self.bytes[:place]
        return bytes(kept)


class Passing:
    """The process itself."""

    def __init__(self, port, target, milliseconds, passed):
        self.target, self.pause, self.passed = int(target), float(milliseconds) / 2_000, passed
        self.mode, self.sockets, self.lock = "open", set(), threading.Lock()
        self.passes = threading.Event()
        self.passes.set()
        self.listener = socket.create_server(("127.0.0.1", int(port)), backlog=64)

    def run(self):
        threading.Thread(target=self.accept, daemon=True).start()
        print("there", flush=True)
        # It ends with whoever has started it, however that ends.
        for line in sys.stdin:
            self.mode = line.strip()
            (self.passes.clear if self.mode == "silent" else self.passes.set)()
            if self.mode == "closed":
                self.reset()
            print(self.mode, flush=True)

    def reset(self):
        with self.lock:
            sockets, self.sockets = self.sockets, set()
        for each in sockets:
            try:
                each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        self.passes.wait()
        try:
            if self.mode == "closed":
                raise OSError
            server = socket.create_connection(("127.0.0.1", self.target), 2)
        except OSError:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            client.close()
            return
        server.settimeout(None)
        for each in (client, server):
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self.lock:
            self.sockets |= {client, server}
        threading.Thread(target=self.carry, args=(client, server, None), daemon=True).start()
        self.carry(server, client, Answers() if self.passed == "answers" else None)
        with self.lock:
            self.sockets -= {client, server}

    def carry(self, one, other, messages):
        try:
            while data := one.recv(1 << 16):
                if self.pause:
                    time.sleep(self.pause)
                self.passes.wait()
                other.sendall(messages.passed(data) if messages else data)
        except OSError:
            pass
        for each in (one, other):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


if __name__ == "__main__":
    Passing(*sys.argv[1:]).run()
