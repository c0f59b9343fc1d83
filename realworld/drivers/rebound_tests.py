"""Runs REBOUND's own tests and prints the outcome of each: rebound_tests.py FOLDER MODULE...

FOLDER holds the package and librebound; each MODULE is one of rebound.tests. Times and addresses are left out, so that two
runs can be compared as text.
"""

import io
import sys
import unittest
import warnings


class Outcomes(unittest.TestResult):
    def addSuccess(self, test):
        self.note(test, "ok")

    def addFailure(self, test, err):
        self.note(test, f"failed: {err[1]}")

    def addError(self, test, err):
        self.note(test, f"error: {err[1]!r}")

    def addSkip(self, test, reason):
        self.note(test, f"skipped: {reason}")

    def note(self, test, outcome):
        print(test.id(), outcome, file=stdout, flush=True)


sys.path.insert(0, sys.argv[1])
stdout, sys.stdout = sys.stdout, io.StringIO()
warnings.simplefilter("ignore")
suite = unittest.defaultTestLoader.loadTestsFromNames(f"rebound.tests.{name}" for name in sys.argv[2:])
suite.run(Outcomes())
