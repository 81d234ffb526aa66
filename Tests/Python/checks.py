"""Checks of a script: a line for each, and how many there were."""


class Checks:
    def __init__(self, prints_passed=True):
        self.passed = self.failed = 0
        self.prints_passed = prints_passed

    def check(self, fact, holds, why="", seen=""):
        """Counts a fact. `why` is printed if it does not hold, `seen` always."""
        if holds:
            self.passed += 1
        else:
            self.failed += 1
        if holds and not self.prints_passed:
            return
        why = f" ({why})" if why and not holds else ""
        seen = f": {seen}" if seen else ""
        print(f"{'ok   ' if holds else 'FAIL '} {fact}{seen}{why}", flush=True)

    def end(self, name):
        """Prints the counts; returns the exit status."""
        print(f"{name}: {self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0
