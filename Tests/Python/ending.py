"""A script that is told to end ends what it has started, as it does at its own end."""

import atexit
import contextlib
import signal
import subprocess
import sys

ORDERS = (signal.SIGTERM, signal.SIGHUP)

_started = []
_is_held = False
_order = None


def end_in_order():
    """From now on TERM and HUP end this process by an exception, as INT does: `finally` and `with`
    are gone through. Without this they end it where it stands, and its servers run on.
    """
    for order in ORDERS:
        signal.signal(order, _end)


def start(command, **options):
    """Starts a program, which ends with this process at the latest. An order to end that comes
    meanwhile waits: it would lose a process that nobody knows yet.
    """
    global _is_held
    _is_held = True
    try:
        process = subprocess.Popen(command, **options)
        _started.append(process)
    finally:
        _is_held = False
    if _order:
        signal.raise_signal(_order)
    return process


@atexit.register
def _end_all():
    for process in _started:
        with contextlib.suppress(OSError):
            if process.poll() is None:
                process.kill()
                process.wait()


def _end(order, _):
    global _order
    if _is_held:
        _order = order
        return
    # Another one must not interrupt what the first has begun.
    for each in (*ORDERS, signal.SIGINT):
        signal.signal(each, signal.SIG_IGN)
    sys.exit(128 + order)
