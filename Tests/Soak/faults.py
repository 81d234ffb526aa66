"""What happens to the origin while visitors ask: each fault begins, lasts, and is undone."""

import contextlib
import os
import resource
import signal
import ssl
import threading
import time

from questions import HOST
from site_under_test import LINKS, Figures, wait_until
from wire import Wire


class Reader(threading.Thread):
    """Reads the log from a pipe, and can sleep or die meanwhile."""

    def __init__(self, pipe, file):
        super().__init__(daemon=True)
        self.pipe, self.file = pipe, file
        self.sleeps = self.dies = self.stops = False
        self.begin()

    def begin(self):
        self.number = os.open(self.pipe, os.O_RDONLY | os.O_NONBLOCK)

    def run(self):
        with open(self.file, "ab") as file:
            while True:
                if self.dies:
                    os.close(self.number)
                    while self.dies:
                        time.sleep(0.02)
                    self.begin()
                if self.sleeps:
                    time.sleep(0.02)
                    continue
                try:
                    octets = os.read(self.number, 65536)
                except BlockingIOError:
                    octets = b""
                file.write(octets)
                if octets:
                    continue
                if self.stops:
                    return os.close(self.number)
                time.sleep(0.01)

    def end(self):
        self.stops = True
        self.join()


class Faults:
    def __init__(self, site, origin, shared):
        self.site, self.origin, self.shared = site, origin, shared
        self.done = {}
        self.rotations = self.pipes = 0
        self.all = [self.rotate, self.stand_still, self.renew, self.fill_disk, self.exhaust,
                    self.sleeping_reader, self.renew, self.full_device, self.dead_reader]

    def run_next(self):
        """One fault, and what is wrong with how the origin took it, or None."""
        fault = self.all[sum(self.done.values()) % len(self.all)]
        self.done[fault.__name__] = self.done.get(fault.__name__, 0) + 1
        try:
            fault()
            return None
        except Exception as error:
            return f"{fault.__name__}: {error!r}"

    # --- What they are made of -----------------------------------------------------------------

    @property
    def pid(self):
        return self.origin.process.pid

    def says(self, what, since):
        return wait_until(lambda: what in self.origin.log[since:], f"says {what!r}")

    def log_to(self, path):
        """Another destination; done when the origin has it open."""
        wanted = self.site.directory / path
        self.site.write(log=path)
        descriptors = f"/proc/{self.pid}/fd"

        def is_open():
            self.site.write(is_broken=False)
            self.origin.reload()
            time.sleep(0.3)
            return any(os.path.samefile(f"{descriptors}/{one}", wanted)
                       for one in os.listdir(descriptors) if os.path.exists(f"{descriptors}/{one}"))

        wait_until(is_open, f"logs to {path}")

    def flood_until(self, fact, what):
        """Many more requests, until something is so."""
        self.shared.floods = True
        try:
            wait_until(fact, what)
        finally:
            self.shared.floods = False

    def flood_until_dropped(self):
        before = Figures(self.origin).dropped
        self.flood_until(lambda: Figures(self.origin).dropped > before, "drops lines")

    def ask_page(self, wire):
        """A question over a connection that was opened for it."""
        wire.send(f"HEAD /page.html HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
        status = wire.answer(is_head=True).status
        if status != 308:
            raise RuntimeError(f"status {status}")

    # --- The process ---------------------------------------------------------------------------

    def stand_still(self):
        """Stopped, and let go on."""
        self.origin.stop(signal.SIGSTOP)
        time.sleep(self.shared.random.uniform(0.3, 3))
        self.origin.stop(signal.SIGCONT)

    def exhaust(self):
        """No descriptor is left: who is there is served, who comes waits or is turned away."""
        with Wire(self.origin.http) as wire:
            self.ask_page(wire)
            _, hard = limits = resource.prlimit(self.pid, resource.RLIMIT_NOFILE)
            highest = max(map(int, os.listdir(f"/proc/{self.pid}/fd")))
            self.shared.no_room_until = float("inf")
            resource.prlimit(self.pid, resource.RLIMIT_NOFILE, (highest + 1, hard))
            try:
                for _ in range(8):
                    time.sleep(0.5)
                    self.ask_page(wire)
            finally:
                resource.prlimit(self.pid, resource.RLIMIT_NOFILE, limits)
                self.shared.no_room_until = time.monotonic() + 3
        with Wire(self.origin.http) as wire:
            self.ask_page(wire)

    def renew(self):
        """A new certificate and key; sooner or later they are what is presented."""
        wanted = self.site.renew()
        context = ssl.create_default_context(cafile=self.site.known.authority)
        if self.shared.random.random() < 0.5:
            self.origin.reload()

        def is_presented():
            with Wire(self.origin.https, context=context, name=HOST) as wire:
                return wire.engine.getpeercert(binary_form=True) == wanted

        wait_until(is_presented, "presents the new certificate")

    # --- The log -------------------------------------------------------------------------------

    def rotate(self):
        for _ in range(3):
            self.rotations += 1
            log = self.site.directory / "logs/access.log"
            log.rename(log.with_name(f"access.log.{self.rotations}"))
            self.origin.stop(signal.SIGUSR1)
            wait_until(log.exists, "opens the log anew")

    def fill_disk(self):
        """The file may not grow; the line at its end is torn, and is whole again afterwards."""
        limits = resource.prlimit(self.pid, resource.RLIMIT_FSIZE)
        size = (self.site.directory / "logs/access.log").stat().st_size
        before = len(self.origin.log)
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (size + 30_000, limits[1]))
        try:
            self.flood_until_dropped()
            self.says("cannot be written", before)
        finally:
            resource.prlimit(self.pid, resource.RLIMIT_FSIZE, limits)
        self.says("can be written again", before)

    def full_device(self):
        """The log goes to where nothing ever has room, and back again."""
        before = len(self.origin.log)
        self.log_to("/dev/full")
        self.flood_until_dropped()
        self.says("cannot be written", before)
        self.log_to("logs/access.log")

    def sleeping_reader(self):
        """The log goes into a pipe, and nobody takes anything out of it."""
        with self.piped() as reader:
            reader.sleeps = True
            self.flood_until_dropped()
            before = len(self.origin.log)
            reader.sleeps = False
            self.says("can be written again", before)

    def dead_reader(self):
        """The log goes into a pipe whose other end is closed, and opened again."""
        with self.piped() as reader:
            before = len(self.origin.log)
            reader.dies = True
            self.flood_until(lambda: "cannot be written" in self.origin.log[before:],
                             "says that the log takes nothing")
            reader.dies = False
            self.says("can be written again", before)

    @contextlib.contextmanager
    def piped(self):
        self.pipes += 1
        pipe = self.site.directory / f"pipe.{self.pipes}"
        os.mkfifo(pipe)
        reader = Reader(pipe, self.site.directory / f"logs/piped.{self.pipes}")
        reader.start()
        self.log_to(pipe.name)
        try:
            yield reader
        finally:
            reader.sleeps = reader.dies = False
            self.log_to("logs/access.log")
            reader.end()


class Reloader(threading.Thread):
    """Changes the configuration every second: announced or not, sound or not."""

    def __init__(self, site, origin):
        super().__init__(daemon=True)
        self.site, self.origin = site, origin
        self.pauses = self.stops = False
        self.steps = 0

    def run(self):
        while not self.stops:
            time.sleep(1)
            if self.pauses:
                continue
            self.steps += 1
            match self.steps % 5:
                case 1 | 3:
                    self.site.write(links=LINKS[self.steps % 2], is_broken=False)
                    self.origin.reload()
                case 2:
                    self.site.write(links=LINKS[self.steps // 5 % 2], is_broken=False)
                case 4:
                    self.site.write(is_broken=True)
                    self.origin.reload()
                case 0:
                    self.site.write(is_broken=False)
                    self.origin.reload()
