"""A PostgreSQL server in a directory of its own, and what an operator does with it."""

import ctypes
import glob
import os
import pathlib
import signal
import subprocess

from ending import start
from origin import SAFETY_NET_SECONDS, wait_until
from ports import free_port

ROOT = pathlib.Path(__file__).resolve().parents[2]
PASSWORD = "of the operator"


def programs():
    """The directory of the server's programs: installed, or where `./bootstrap test` has put them."""
    for root in ("", ROOT / ".build-tools/postgresql"):
        if found := sorted(glob.glob(f"{root}/usr/lib/postgresql/*/bin")):
            return pathlib.Path(found[-1])
    raise SystemExit("PostgreSQL's server is missing: `./bootstrap test` fetches it")


class Server:
    """A server on a free port of the loopback, until the `with` block ends."""

    def __init__(self, directory, fsync=False, settings=()):
        """`settings`: of the server, each as `name=value`."""
        self.directory, self.port, self.process = directory, free_port(), None
        self.fsync, self.settings = "on" if fsync else "off", list(settings)
        self.programs = programs()
        self.environment = dict(os.environ)
        # Where the programs are not installed, their libraries are beside them.
        if libraries := glob.glob(f"{self.programs.parents[2]}/*-linux-*"):
            self.environment["LD_LIBRARY_PATH"] = libraries[0]
        # The server refuses to run as root.
        self.under = []
        if os.getuid() == 0:
            self.under = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"]
        directory.mkdir(mode=0o700)
        (directory / "password").write_text(PASSWORD)
        if os.getuid() == 0:
            for path in (directory, directory / "password"):
                os.chown(path, 65534, 65534)
        self.make()

    def make(self):
        """Makes the files of the server."""
        self.run_program(
            "initdb", "-D", self.directory / "data", "-U", "operator", "-A", "scram-sha-256",
            f"--pwfile={self.directory / 'password'}", "-E", "UTF8", "--locale=C", "-N")

    def run_program(self, name, *arguments):
        """Runs one of PostgreSQL's programs to its end, as the server's user and with the operator's password."""
        result = subprocess.run(
            [*self.under, self.programs / name, *map(str, arguments)], capture_output=True, text=True, check=False,
            env=self.environment | {"PGPASSWORD": PASSWORD}, cwd=self.directory)
        if result.returncode:
            raise RuntimeError(f"{name}: {result.stderr}")

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            self.go_on()
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait(SAFETY_NET_SECONDS)

    def start(self):
        settings = [
            f"port={self.port}", "listen_addresses=127.0.0.1", f"unix_socket_directories={self.directory}",
            "shared_buffers=16MB", "dynamic_shared_memory_type=mmap", f"fsync={self.fsync}", *self.settings]
        with open(self.directory.parent / "postgresql.log", "ab") as log:
            self.process = start(
                [*self.under, self.programs / "postgres", "-D", self.directory / "data",
                 *(word for setting in settings for word in ("-c", setting))],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.environment, cwd=self.directory)
        if not wait_until(lambda: self.answers()):
            raise RuntimeError("PostgreSQL does not start")

    def stop(self, how=signal.SIGINT):
        """Stops it; INT ends all sessions first, and KILL ends it as a crash does."""
        processes = self.processes()
        self.process.send_signal(how)
        self.process.wait(SAFETY_NET_SECONDS)
        # A session ends by itself when it notices that the first process is gone, and holds memory until then.
        wait_until(lambda: not any(os.path.exists(f"/proc/{number}") for number in processes))

    def hold(self):
        """Stops all its processes without an end: its kernel goes on acknowledging."""
        for number in self.processes():
            os.kill(number, signal.SIGSTOP)

    def go_on(self):
        for number in self.processes():
            os.kill(number, signal.SIGCONT)

    def processes(self):
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [self.process.pid, *map(int, children.split())]

    def answers(self):
        try:
            return self.run("SELECT 1")
        except RuntimeError:
            return False

    def run(self, sql, database="postgres", user="operator", password=PASSWORD):
        """Runs statements; returns the rows of the last one, as texts."""
        library = ctypes.CDLL("libpq.so.5")
        for name, kind in (("PQconnectdb", ctypes.c_void_p), ("PQexec", ctypes.c_void_p),
                           ("PQerrorMessage", ctypes.c_char_p), ("PQgetvalue", ctypes.c_char_p)):
            getattr(library, name).restype = kind
        connection = ctypes.c_void_p(library.PQconnectdb(
            f"host=127.0.0.1 port={self.port} dbname={database} user={user} password='{password}' "
            "connect_timeout=5 sslmode=disable".encode()))
        try:
            if library.PQstatus(connection) != 0:
                raise RuntimeError(library.PQerrorMessage(connection).decode())
            result = ctypes.c_void_p(library.PQexec(connection, sql.encode()))
            try:
                if library.PQresultStatus(result) not in (1, 2):
                    raise RuntimeError(library.PQerrorMessage(connection).decode())
                return [
                    [library.PQgetvalue(result, row, column).decode()
                     for column in range(library.PQnfields(result))]
                    for row in range(library.PQntuples(result))]
            finally:
                library.PQclear(result)
        finally:
            library.PQfinish(connection)


class Standby(Server):
    """A server that follows another one, which it reaches by a port of its own, until it is promoted."""

    def __init__(self, directory, primary, port, name, **options):
        """`port`: by which it reaches the primary, directly or not. `name`: for `synchronous_standby_names`."""
        self.primary, self.way, self.name = primary, port, name
        super().__init__(directory, **options)

    def make(self):
        self.run_program(
            "pg_basebackup", "-D", self.directory / "data", "-R", "-X", "stream", "-c", "fast", "-d",
            f"host=127.0.0.1 port={self.way} user=operator password='{PASSWORD}' application_name={self.name}")

    def follows(self):
        """Whether the primary sends it its changes."""
        return self.primary.run(f"SELECT 1 FROM pg_stat_replication WHERE application_name = '{self.name}' AND state = 'streaming'")

    def promote(self):
        self.run("SELECT pg_promote()")
