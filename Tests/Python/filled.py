"""Stores that are filled with rows at once: links, and a year of their visits; and what is measured with them."""

import contextlib
import pathlib
import random
import sqlite3
import sys
import tempfile
import time
import uuid

from origin import Origin, Program, wait_until

CONFIGURATION = """
version: 1
apps: {a: {ios: {id: ABCDE12345.com.example.a}}}
links:
  short: {match: /s/*, stored: {destinations: [www.example.com]}}
environments:
  prod:
    hosts: [links.example]
    tls: {certificate: dev.pem, key: dev.key}
    publish: {a: [short]}
    store: "links.db"
"""
FILES = ("links.db", "links.db.token", "links.db.visits")


@contextlib.contextmanager
def empty_store(program):
    """A directory with `waymark.yaml`, a certificate, and a store of no links, which no origin has open any more."""
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        directory.chmod(0o755)
        program.make_certificate(directory, ["links.example"])
        (directory / "waymark.yaml").write_text(CONFIGURATION)
        with Origin(program, directory / "waymark.yaml", "prod", directory / "log") as origin:
            wait_until(lambda: all((directory / file).exists() for file in FILES))
            origin.stop()
            origin.exit_status()
        yield directory


def measure_each(measure, usage, counts):
    """Measures with as many links as the command line says, once for each number; with the usual ones if it says none."""
    if len(sys.argv) < 2:
        sys.exit(usage)
    program = Program(sys.argv[1])
    for count in [int(word) for word in sys.argv[2:]] or counts:
        measure(program, count)


def fill(directory, count):
    """Adds links and counts of their visits to empty stores, as rows."""
    links = sqlite3.connect(directory / "links.db")
    links.execute("INSERT INTO collection (id, name) VALUES (1, 'short')")
    links.executemany(
        "INSERT INTO link (id, uid, collection, slug, destination, tags, disabled, archived, created, updated, generation)"
        " VALUES (?, ?, 1, ?, ?, ?, 0, 0, 0, 0, 1)",
        ((number, number.to_bytes(16, "big"), f"s{number}",
          f"https://www.example.com/p/{number}?utm_source=mail&utm_campaign=c{number % 10}", f"\nt{number % 20}\n")
         for number in range(1, count + 1)))
    links.execute("UPDATE store SET generation = 1")
    links.commit()
    links.close()
    visits = sqlite3.connect(directory / "links.db.visits")
    today, chance = int(time.time()) // 86_400, random.Random(7)

    def some(share):
        return chance.sample(range(1, count + 1), max(1, count // share))

    for day in range(today - 89, today + 1):
        rows = {}
        for link in some(5):
            for _ in range(chance.randint(1, 3)):
                rows[24 * day + chance.randrange(24), link, chance.randrange(12)] = chance.randint(1, 9)
        visits.executemany("INSERT OR REPLACE INTO hour VALUES (?, ?, ?, ?)", [(*key, rows[key]) for key in sorted(rows)])
    for day in range(today - 364, today - 89):
        rows = {(day, link, chance.randrange(12)): chance.randint(1, 9) for link in some(20)}
        visits.executemany("INSERT OR REPLACE INTO day VALUES (?, ?, ?, ?)", [(*key, rows[key]) for key in sorted(rows)])
    for table in ("hour", "day"):
        visits.execute(
            f"INSERT INTO {table} SELECT {table}, 0, kind, sum(count) FROM {table} WHERE link > 0 GROUP BY 1, 3")
    visits.commit()
    rows = [visits.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("hour", "day")]
    visits.close()
    return rows


def fill_links(path, count):
    """Adds links of several kinds to an empty store, as rows, and an alias for each tenth of them."""
    database = sqlite3.connect(path)
    database.execute("INSERT INTO collection (name) VALUES ('short')")
    database.executemany(
        "INSERT INTO link (id, uid, collection, slug, destination, details, tags, note, disabled, archived, created,"
        " updated, generation) VALUES (?, ?, 1, ?, ?, ?, ?, ?, 0, 0, 1700000000, 1700000000, ?)",
        ((number, (0x018BCFE568007000 << 64 | 1 << 63 | number).to_bytes(16, "big"), uuid.uuid4().hex[:10] + str(number),
          f"https://www.example.com/campaigns/spring/{number}?utm_source=mail",
          '{"page":{"title":"A title of some words"}}' if number % 4 == 0 else None,
          "\nmail\n" if number % 3 == 0 else None, None, number // 1000 + 1) for number in range(1, count + 1)))
    database.execute("INSERT INTO alias (collection, slug, link) SELECT 1, 'alias' || id, id FROM link WHERE id % 10 = 0")
    database.execute("UPDATE store SET generation = ?", (count // 1000 + 1,))
    database.commit()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
