"""What visitors saw, and what the log tells of it, to be held against each other."""

import collections
import json
import pickle
import re


class Outcome:
    """The tallies of all processes."""

    def __init__(self, paths):
        self.answered, self.unsure = {}, set()
        self.counts, self.failures = collections.Counter(), []
        for path in paths:
            with open(path, "rb") as file:
                answered, unsure, counts, failures = pickle.load(file)
            self.answered |= answered
            self.unsure |= unsure
            self.counts += counts
            self.failures += failures


class Lines:
    """The access log, in however many files it is."""

    def __init__(self, directory, errors):
        self.statuses, self.faults = {}, []
        self.times = []
        self.torn = 0
        for path in sorted(directory.iterdir()):
            self.read(path)
        self.count = len(self.times)
        self.abandoned = sum(map(int, re.findall(r"(\d+) lines could not be written to", errors)))

    def read(self, path):
        *lines, rest = path.read_bytes().split(b"\n")
        # A line that was torn when its file was left is one of those that were dropped.
        self.torn += bool(rest)
        for line in lines:
            try:
                entry = json.loads(line)
            except ValueError:
                self.faults.append(f"{path.name}: {line[:200]!r}")
                continue
            self.times.append(entry["ts"])
            _, found, name = entry.get("user_agent", "").rpartition(" soak/")
            if not found:
                continue
            if name in self.statuses:
                self.faults.append(f"{path.name}: a second line of {name}")
            self.statuses[name] = entry["status"]

    def until(self, time):
        """How many lines are of answers that were given before this time."""
        return sum(one <= time for one in self.times)
