"""A script that is told to end ends what it has started, as it does at its own end."""

import signal
import sys

ORDERS = (signal.SIGTERM, signal.SIGHUP)


def end_in_order():
    """From now on TERM and HUP end this process by an exception, as INT does: `finally` and `with`
    are gone through. Without this they end it where it stands, and its servers run on.
    """
    for order in ORDERS:
        signal.signal(order, _end)


def _end(order, _):
    # Another one must not interrupt what the first has begun.
    for each in (*ORDERS, signal.SIGINT):
        signal.signal(each, signal.SIG_IGN)
    sys.exit(128 + order)
