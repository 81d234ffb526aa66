"""Compares servers: one after the other in interleaved rounds, as ratios within each round.

CPU is what all threads of a server ran, user and kernel mode, over the requests of that run; it is
what a busy machine disturbs least. Requests per second and latencies share the processors with the
client. See docs/internals/performance.md.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

from servers import AASA, HOST, LARGE, PAGE, REDIRECT, Server, Site

HERE = pathlib.Path(__file__).resolve().parent
CLIENTS = {**os.environ, "OPENSSL_CONF": str(HERE / "openssl.cnf")}
PEERS = ["nginx", "waymark", "h2o", "caddy"]
BASE = "nginx"

CPU, RATE, P50, P99 = "CPU per request, µs", "requests/s", "p50, µs", "p99, µs"
CONNECTION = "CPU per connection, µs"
SHARE = "repeat connections resumed"


class Load:
    """A resource, asked for over and over by wrk.

    `instead`: for the server that answers the same from another path, that one.
    """

    def __init__(self, name, path, connections, is_plain=False, accepts="", instead=()):
        self.name, self.path, self.connections = name, path, connections
        self.is_plain, self.accepts, self.instead = is_plain, accepts, dict(instead)

    def run(self, server, seconds):
        scheme, port = ("http", server.plain_port) if self.is_plain else ("https", server.port)
        threads = min(os.cpu_count(), self.connections)
        command = ["wrk", "-t", threads, "-c", self.connections, "-d", f"{seconds}s", "--latency",
                   "-H", f"Host: {HOST}"]
        if self.accepts:
            command += ["-H", f"Accept-Encoding: {self.accepts}"]
        path = self.instead.get(server.name, self.path)
        before = server.cpu_seconds()
        out = subprocess.run(
            [*map(str, command), f"{scheme}://127.0.0.1:{port}{path}"], env=CLIENTS,
            check=True, capture_output=True, text=True, timeout=seconds + 60).stdout
        after = server.cpu_seconds()
        if "Non-2xx" in out or re.search(r"Socket errors:.*[1-9]", out):
            print(f"{server.name}, {self.name}: {out}", file=sys.stderr)
        requests = int(re.search(r"(\d+) requests in", out).group(1))
        return {
            CPU: (after - before) * 1e6 / requests,
            RATE: float(re.search(r"Requests/sec: +([\d.]+)", out).group(1)),
            P50: microseconds(re.search(r" 50% +(\S+)", out).group(1)),
            P99: microseconds(re.search(r" 99% +(\S+)", out).group(1)),
        }


class Handshakes:
    """Connections of one request each."""

    def __init__(self, name, kind, count):
        self.name, self.kind, self.count = name, kind, count

    def run(self, server, seconds):
        before = server.cpu_seconds()
        run = subprocess.run(
            [HERE / "clients.py", self.kind, str(server.port), str(self.count)], env=CLIENTS,
            check=True, stdout=subprocess.PIPE, timeout=120)
        # A server may still be closing the last ones.
        time.sleep(0.1)
        after = server.cpu_seconds()
        counts = json.loads(run.stdout)
        values = {CONNECTION: (after - before) * 1e6 / counts["answered"]}
        if self.kind == "resumed":
            values[SHARE] = counts["resumed"] / counts["answered"]
        elif counts["resumed"]:
            raise RuntimeError(f"{server.name} resumed what was no session of it")
        return values


def microseconds(text):
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s)", text).groups()
    return float(number) * {"us": 1, "ms": 1e3, "s": 1e6}[unit]


def works(options):
    tls = "association file"
    if options.quick:
        loads = [Load(f"{tls}, 64", AASA, 64), Load(f"{tls}, 256", AASA, 256)]
    else:
        loads = [Load(f"{tls}, {count}", AASA, count) for count in (2, 64, 256, 1000)]
    return [
        *loads,
        Load(f"{tls}, 64, for nginx `return 200`", AASA, 64, instead={"nginx": "/constant"}),
        Load(f"{tls} over plain HTTP, 64", AASA, 64, is_plain=True),
        Load("redirect, 64, for nginx `return 302`", REDIRECT, 64),
        Load("page of 3 KiB, prepared gzip, 64", PAGE, 64, accepts="gzip"),
        Load("page of 3 KiB, prepared gzip, 64, for nginx without its file cache", PAGE, 64,
             accepts="gzip", instead={"nginx": f"/uncached{PAGE}"}),
        Load("file of 1 MiB, 8", LARGE, 8),
        Handshakes("full handshake", "full", 600 if options.quick else 1500),
        Handshakes("resumed handshake", "resumed", 600 if options.quick else 1500),
    ]


def measure_works(servers, options, results):
    wanted = [
        work for work in works(options) if not options.only or re.search(options.only, work.name)]
    for number in range(options.rounds if wanted else 0):
        # Neither being first nor following a certain server is anybody's luck.
        order = servers[number % len(servers):] + servers[:number % len(servers)]
        for work in wanted:
            for server in order if number % 2 else order[::-1]:
                for measure, value in work.run(server, options.seconds).items():
                    results[work.name, measure][server.name].append(value)
                server.empty_log()
        print(f"benchmarks: round {number + 1} of {options.rounds}", file=sys.stderr, flush=True)


def measure_memory(servers, options, results):
    for count in (1000,) if options.quick else (1000, 10000):
        name = f"{count:,} idle TLS connections"
        if options.only and not re.search(options.only, name):
            continue
        for server in servers:
            server.start()
            before = server.memory_bytes()
            clients = subprocess.Popen(
                [HERE / "clients.py", "idle", str(server.port), str(count)], env=CLIENTS,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            try:
                if clients.stdout.readline():
                    time.sleep(3)
                    kibibytes = (server.memory_bytes() - before) / count / 1024
                    results[name, "KiB for each"][server.name].append(kibibytes)
            finally:
                clients.stdin.close()
                clients.wait(30)
                server.stop()
                server.empty_log()


def measure_starts(servers, options, results):
    name = "start to first answer"
    if options.only and not re.search(options.only, name):
        return
    for number in range(5 if options.quick else 21):
        for server in servers if number % 2 else servers[::-1]:
            results[name, "ms"][server.name].append(server.start() * 1000)
            server.stop()


def print_table(results, names, options):
    def median(key, name):
        return statistics.median(results[key][name])

    def ratio(key, name):
        pairs = [
            one / base for one, base in zip(results[key][name], results[key][BASE]) if base]
        return statistics.median(pairs)

    print(f"| TLS 1.3{'' if options.logs else ', without access logs'} | {BASE} | "
          + " | ".join(name.capitalize() for name in names if name != BASE) + " |")
    print("|---|" + "---|" * len(names))
    for key in results:
        work, measure = key
        cells = [number(median(key, BASE)) if measure != SHARE else f"{median(key, BASE):.0%}"]
        for name in names:
            if name == BASE:
                continue
            if not results[key][name]:
                cells.append("–")
            elif measure == SHARE:
                cells.append(f"{median(key, name):.0%}")
            else:
                text = f"{ratio(key, name):.2f}"
                cells.append(f"**{text}**" if name == "waymark" else text)
        print(f"| {work}: {measure} | " + " | ".join(cells) + " |")


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def machine():
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    system = re.search(r'PRETTY_NAME="(.*)"', pathlib.Path("/etc/os-release").read_text())

    def version(*command):
        out = subprocess.run(command, capture_output=True, text=True)
        return re.search(r"\d+\.\d+[\w.]*", out.stdout + out.stderr).group()

    return (
        f"{os.cpu_count()} processors ({model.group(1) if model else os.uname().machine}), "
        f"{system.group(1)}, Linux {os.uname().release.split('-')[0]}, "
        f"OpenSSL {version('openssl', 'version')}, nginx {version('nginx', '-v')}, "
        f"h2o {version('h2o', '--version')}, Caddy {version('caddy', 'version')}, "
        f"wrk {version('wrk', '--version')}; load before: {os.getloadavg()[0]:.1f}")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, prog="Tests/Benchmarks/run")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="a few minutes, less to rely on")
    parser.add_argument("--rounds", type=int, help="9, or 3 when quick")
    parser.add_argument("--seconds", type=int, help="of each load: 4, or 2 when quick")
    parser.add_argument("--only", help="what matches this expression, such as 'redirect|64'")
    parser.add_argument("--peers", default=",".join(PEERS), help="which servers, nginx first")
    parser.add_argument("--no-logs", dest="logs", action="store_false", help="no access logs")
    parser.add_argument("--raw", type=pathlib.Path, help="write every figure there, as JSON")
    options = parser.parse_args()
    options.rounds = options.rounds or (3 if options.quick else 9)
    options.seconds = options.seconds or (2 if options.quick else 4)
    return options


def main():
    options = parse()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    names = options.peers.split(",")
    results = collections.defaultdict(lambda: collections.defaultdict(list))
    about = machine()
    with tempfile.TemporaryDirectory(prefix="waymark-benchmark-") as name:
        site = Site(options.program.resolve(), pathlib.Path(name), options.logs)
        servers = [Server(name, site) for name in names]
        try:
            for server in servers:
                server.start()
                server.check_answers()
            measure_works(servers, options, results)
            for server in servers:
                server.stop()
            measure_memory(servers, options, results)
            measure_starts(servers, options, results)
        finally:
            for server in servers:
                server.stop()
    print(f"{about}; medians of {options.rounds} rounds of {options.seconds} s for each load.\n")
    print_table(results, names, options)
    if not options.quick and not options.only:
        print("\n```")
        sys.stdout.flush()
        measure = HERE.parent / "Measure/measure"
        subprocess.run([measure, options.program, "answers"], check=True)
        print("```")
    if options.raw:
        options.raw.write_text(json.dumps(
            [{"work": key[0], "measure": key[1], "servers": value}
             for key, value in results.items()], indent=1))


if __name__ == "__main__":
    main()
