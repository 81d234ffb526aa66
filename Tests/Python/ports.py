"""Ports of the loopback that nobody listens on."""

import contextlib
import pathlib
import random
import socket

FIRST = 12_000  # Browsers refuse some that are lower.
given = set()


def free_ports(count):
    """Different ports, below those that the kernel gives to connections: one of these could take a port before it is used. No
    port is given twice, because whoever has one may listen on it later."""
    with contextlib.ExitStack() as listeners:
        ports = []
        while len(ports) < count:
            address = "127.0.0.1", random.randrange(FIRST, first_of_connections())
            if address[1] in given:
                continue
            with contextlib.suppress(OSError):
                listeners.enter_context(socket.create_server(address))
                ports.append(address[1])
                given.add(address[1])
        return ports


def first_of_connections():
    path = pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range")
    first = int(path.read_text().split()[0]) if path.exists() else 32_768
    return first if first >= FIRST + 1_000 else 32_768


def free_port():
    return free_ports(1)[0]
