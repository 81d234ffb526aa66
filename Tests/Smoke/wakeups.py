"""How often the threads of a process wake up that has nothing to do.

docs/internals/architecture.md has the table with the reason of each wake-up. A thread that polls instead
of being told is found here: it leaves the processor once for each look.
"""

import contextlib
import pathlib
import re
import time

from own_site import SITE
from stops import ORDERED

SECONDS = 10
# Each service has something to serve.
EVERYTHING = ORDERED + "    watch: {every: 1h, apple: off, google: off}\n"
# How often each may wake up in a minute.
PER_MINUTE = {
    "waymark": 4,  # files that no event tells of, dates of certificates
    "waymark-0": 2,
    "waymark-log": 2,
    "waymark-events": 0,  # events alone
    "waymark-acme": 3,  # the clock, and orders that no event tells of
    "waymark-check": 1,  # the clock
    "waymark-links": 14,  # another file in the store's place
    "waymark-visits": 8,  # the day
    "waymark-console": 0,  # requests alone
}


def switches(process):
    """How often each thread of a process has left the processor by itself, by the thread's name."""
    found = {}
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        # A thread can end meanwhile.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            status = (task / "status").read_text()
            count = re.search(r"^voluntary_ctxt_switches:\s*(\d+)", status, re.M)
            name = (task / "comm").read_text().strip()
            found[name] = found.get(name, 0) + int(count.group(1))
    return found


def settled(process):
    """Whether only the threads are left that live as long as the process."""
    return set(switches(process)) <= set(PER_MINUTE)


def test_wakeups(results, site):
    """An idle process wakes up for named reasons only."""
    site.write(EVERYTHING)
    with site.serve(options=["--loops", "1"]) as origin:
        origin.wait_for_log("certificate-not-issued")
        process = origin.process.pid
        # What a start begins is over after some seconds; this measures what never is.
        for _ in range(6):
            time.sleep(1 if settled(process) else 5)
            before = switches(process)
            time.sleep(SECONDS)
            after = switches(process)
            seen = {name: count - before.get(name, 0) for name, count in after.items()}
            # One more than its share: a wake-up of a minute may fall into any ten seconds.
            late = {name: count for name, count in seen.items()
                    if count > PER_MINUTE.get(name, 0) * SECONDS / 60 + 1}
            if not late:
                break
        results.check("threads of an idle process wake up for their reasons only", not late,
                      f"in {SECONDS} s: {late}; all: {seen}")
        results.check("each thread that lives as long as the process is named",
                      set(PER_MINUTE) == set(seen), str(seen))
    site.write(SITE)
