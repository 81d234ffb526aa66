"""Ports of the loopback that nobody listens on."""

import socket


def free_ports(count):
    """Different ports. Another program can take one before it is used."""
    listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [listener.getsockname()[1] for listener in listeners]
    for listener in listeners:
        listener.close()
    return ports


def free_port():
    return free_ports(1)[0]
