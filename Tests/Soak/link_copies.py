"""Ends `waymark links backup` and `waymark links restore` before each of their changes of a file, with
`kill -9`: a file that has its final name is whole, whatever ended what made it. `faulty-disk.c` counts
the changes."""

import http.client
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import ssl
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Python"))

from origin import SAFETY_NET_SECONDS, Origin, wait_until  # noqa: E402

LINKS = 300
VISITS = 20
# `WMLK` and `WMVS`.
LINK_KIND, VISIT_KIND = 0x574D4C4B, 0x574D5653


def content(path):
    """What a closed or killed file has: its kind, and its links, or the visits of all links. A file that
    is not whole is an error. SQLite reads a copy, because it would change what is beside it."""
    with tempfile.TemporaryDirectory() as name:
        copy = pathlib.Path(name) / "copy"
        shutil.copyfile(path, copy)
        log = path.with_name(path.name + "-wal")
        if log.exists():
            shutil.copyfile(log, pathlib.Path(name) / "copy-wal")
        database = sqlite3.connect(copy)
        try:
            if database.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                raise RuntimeError(f"{path.name} is damaged")
            kind, = database.execute("PRAGMA application_id").fetchone()
            if kind == LINK_KIND:
                rows = database.execute("SELECT slug, destination, details FROM link ORDER BY slug")
                return kind, tuple(rows)
            if kind == VISIT_KIND:
                return kind, database.execute(
                    "SELECT sum(count) FROM hour WHERE link = 0").fetchone()[0]
            raise RuntimeError(f"{path.name} is of no kind: {kind}")
        finally:
            database.close()


class Store:
    """The directory of a store, and what runs there."""

    def __init__(self, program, directory, host):
        self.program, self.directory, self.host = program, directory, host
        self.switch = directory / "fault"
        shim = directory / "faulty-disk.so"
        source = pathlib.Path(__file__).with_name("faulty-disk.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", shim, source, "-ldl"], check=True)
        self.environment = {
            **os.environ, "LD_PRELOAD": str(shim), "FAULTY_DISK": str(self.switch)}

    def origin(self):
        return Origin(self.program, self.directory / "waymark.yaml", "prod", self.directory / "log",
                      env=self.environment)

    def ask(self, origin, method, path, body=""):
        token = (self.directory / "links.db.token").read_text().strip()
        client = http.client.HTTPConnection(
            "127.0.0.1", origin.admin, timeout=SAFETY_NET_SECONDS)
        try:
            client.request(method, f"/v1/{path}", body, {
                "Host": "localhost", "Authorization": f"Bearer {token}",
                "Content-Type": "application/x-ndjson" if path == "import" else "application/json"})
            answer = client.getresponse()
            return answer.status, answer.read().decode()
        finally:
            client.close()

    def make(self, name):
        """Links of this name, and visits of one of them."""
        lines = "\n".join(json.dumps({
            "slug": f"{name}{number}", "destination": f"https://www.example.com/{name}{number}",
            "page": {"title": name * 20}}) for number in range(LINKS))
        with self.origin() as origin:
            origin.wait_for_log(r"the store .* is open")
            status, answer = self.ask(origin, "POST", "import", lines)
            assert status == 200 and f'"created": {LINKS}' in answer, answer
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            for _ in range(VISITS):
                visitor = http.client.HTTPSConnection(
                    "127.0.0.1", origin.https, timeout=SAFETY_NET_SECONDS, context=context)
                visitor.request("GET", f"/s/{name}0", headers={
                    "Host": self.host, "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) "
                    "Gecko/20100101 Firefox/128.0"})
                visitor.getresponse().read()
                visitor.close()
            origin.stop()
            assert origin.exit_status() == 0

    def files(self, ending):
        return sorted(path for path in self.directory.iterdir() if path.name.endswith(ending))

    def now(self):
        return tuple(content(self.directory / name) for name in ("links.db", "links.db.visits"))


def end_backups(store, most):
    """Ends the origin before each change of a file while it makes a backup."""
    known, kills, drafts, whole = store.now(), 0, 0, 0
    while True:
        with store.origin() as origin:
            origin.wait_for_log(r"the store .* is open")
            wait_until(lambda: (store.directory / "links.db.visits-wal").exists())
            store.switch.write_text(f"kill {kills + 1}" if kills < most else "")
            try:
                status, answer = store.ask(origin, "POST", "backup")
            except (OSError, http.client.HTTPException):
                status = None
            store.switch.unlink()
            if status is None:
                assert origin.process.wait(SAFETY_NET_SECONDS) == -signal.SIGKILL
                kills += 1
                drafts += bool(store.files(".part"))
            else:
                assert status == 201, answer
        for path in store.files(".backup.visits") + store.files(".backup"):
            found = content(path)
            if found not in known:
                raise RuntimeError(f"{path.name} lacks something after {kills} kills")
            whole += 1
            if status is None:
                path.unlink()
        if status is not None:
            break
    if store.files(".part"):
        raise RuntimeError(f"a backup has left {store.files('.part')}")
    assert store.now() == known
    backup, = store.files(".backup")
    print(f"a backup was ended before each of its {kills} changes of files: {drafts} times it left a "
          f"draft, and all {whole} files with their final names are whole")
    return backup


def end_restores(store, backup, most):
    """Ends the command before each change of a file."""
    copied = content(backup), content(backup.with_name(backup.name + ".visits"))
    store.make("other")
    saved = store.directory / "saved"
    saved.mkdir()
    names = ("links.db", "links.db.visits")
    for name in names:
        shutil.copyfile(store.directory / name, saved / name)
    before = store.now()
    assert before[0] != copied[0] and before[1] != copied[1]
    kills, replaced = 0, 0
    while True:
        store.switch.write_text(f"kill {kills + 1}" if kills < most else "")
        run = subprocess.run(
            [store.program.path, "links", "restore", backup, "--config",
             store.directory / "waymark.yaml"], env=store.environment, capture_output=True,
            timeout=SAFETY_NET_SECONDS)
        store.switch.unlink()
        for name, one, other in zip(names, before, copied):
            found = content(store.directory / name)
            if found not in (one, other):
                raise RuntimeError(f"{name} is neither after {kills} kills")
            kept = [content(path) for path in store.files(".replaced") if path.stem == name]
            if found == other and one not in kept:
                raise RuntimeError(f"{name} is replaced and not kept after {kills} kills")
            replaced += found == other
        if run.returncode == 0:
            break
        assert run.returncode == -signal.SIGKILL, run.stderr
        kills += 1
        # And whoever is told nothing repeats it.
        again = store.program.run(
            "links", "restore", backup, "--config", store.directory / "waymark.yaml")
        assert again.returncode == 0 and store.now() == copied, again.stderr
        if store.files(".part"):
            raise RuntimeError(f"a restore has left {store.files('.part')}")
        for path in store.directory.glob("links.db*"):
            if not path.name.endswith((".backup", ".backup.visits", ".token")):
                path.unlink()
        for name in names:
            shutil.copyfile(saved / name, store.directory / name)
    assert store.now() == copied
    print(f"a restore was ended before each of its {kills} changes of files: each time both files were "
          f"whole, {replaced} of them those of the backup, and those of before were kept")


def end_copies(program, directory, host, most):
    store = Store(program, directory, host)
    store.make("first")
    end_restores(store, end_backups(store, most), most)
