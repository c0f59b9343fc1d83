"""The work folder, and the parts that are built in it.

    downloads/   archives as the registries gave them; they stay
    python/      Python packages for the references
    nonius/      the binaries under test, copied, so that a rebuild does not change them half way
    PART/        sources, builds, logs and reports of one part
"""

import importlib
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from . import judge, shown

DRIVERS = Path(__file__).resolve().parent.parent / "drivers"
PLAIN_CC = "clang-22"
PLAIN_CXX = "clang++-22"
PLAIN_FC = "flang-22"


class StepFailed(Exception):
    """A step that had to work did not; the first line says which, the rest where to look."""


def say(text):
    print(text, file=sys.stderr, flush=True)


class Workshop:
    def __init__(self, root, release, keep, shows=False):
        self.root = root
        self.keep = keep
        self.shows = shows
        self.jobs = len(os.sched_getaffinity(0))
        self.downloads = root / "downloads"
        self.downloads.mkdir(parents=True, exist_ok=True)
        self.nonius = self._copy_nonius(release)

    def _copy_nonius(self, release):
        """Copies the compiler wrapper with its two libraries, which it looks for beside itself."""
        folder = self.root / "nonius"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name in ("nonius", "libnonius_pass.so", "libnonius_rt.so"):
            if not (release / name).exists():
                raise StepFailed(f"{release / name} is missing: run './x build' first")
            shutil.copy2(release / name, folder / name)
        for name in ("nonius-cc", "nonius-c++", "nonius-fortran", "cargo-nonius"):
            (folder / name).symlink_to("nonius")
        return folder

    @property
    def nonius_cc(self):
        return str(self.nonius / "nonius-cc")

    @property
    def nonius_run(self):
        return [str(self.nonius / "nonius"), "run"]

    @property
    def nonius_cxx(self):
        return str(self.nonius / "nonius-c++")

    @property
    def nonius_fc(self):
        return str(self.nonius / "nonius-fortran")

    @property
    def cargo_nonius(self):
        return [str(self.nonius / "cargo-nonius"), "nonius"]

    def python_package(self, name, version):
        """Makes a Python package available, from PyPI into the work folder if this Python has none."""
        folder = self.root / "python"
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
        try:
            return importlib.import_module(name)
        except ImportError:
            say(f"realworld: installing {name} {version} for Python")
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder), f"{name}=={version}"]
        quiet = {**os.environ, "PIP_ROOT_USER_ACTION": "ignore", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        if subprocess.run(pip, env=quiet).returncode != 0:
            raise StepFailed(f"Python's {name} cannot be installed: on Debian, 'apt-get install python3-pip' may be missing")
        importlib.invalidate_caches()
        return importlib.import_module(name)


@dataclass
class Check:
    """One expectation and what was seen."""

    what: str
    expected: str
    seen: str
    holds: bool


@dataclass
class Timing:
    """CPU seconds of the same work with the plain compiler and with Nonius."""

    what: str
    plain_s: float
    nonius_s: float


class Part:
    def __init__(self, name, workshop):
        self.name = name
        self.workshop = workshop
        self.checks = []
        self.timings = []
        self.counts = []
        self.shown = []
        self.elapsed_s = 0.0
        self.folder = workshop.root / name
        shutil.rmtree(self.folder, ignore_errors=True)
        self.logs = self.fresh_folder("logs")
        self.reports = self.fresh_folder("reports")

    def fresh_folder(self, name):
        folder = self.folder / name
        folder.mkdir(parents=True)
        return folder

    def say(self, text):
        say(f"{self.name}: {text}")

    def expect(self, what, expected, seen, holds):
        self.checks.append(Check(what, str(expected), str(seen), bool(holds)))
        self.say(f"{'ok  ' if holds else 'FAIL'} {what}: {seen}")

    def time(self, what, plain_s, nonius_s):
        self.timings.append(Timing(what, plain_s, nonius_s))

    def count(self, what, report):
        """Counts the findings of a report, without judging them. A program that never started has none."""
        if report.exists():
            self.counts.append(judge.count(what, report))

    def show(self, what, command, cwd, plain=None):
        """With --shown: what a maintainer sees of this command, run as `nonius run` or `cargo nonius` does."""
        seen = shown.measure(self, what, command, cwd, plain) if self.workshop.shows else None
        if seen:
            self.shown.append(seen)

    def passed(self):
        return all(check.holds for check in self.checks)

    def step(self, name, command, cwd=None, env=None):
        """Runs a command that has to work, its output going to a log. Returns the CPU seconds it took."""
        log = self.logs / f"{name}.log"
        before = os.times()
        started = time.monotonic()
        with open(log, "w") as out:
            status = subprocess.run(
                [str(word) for word in command],
                cwd=cwd or self.folder,
                env={**os.environ, **(env or {})},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            ).returncode
        after = os.times()
        if status != 0:
            tail = "\n".join(log.read_text(errors="replace").splitlines()[-15:])
            raise StepFailed(f"{self.name}: step '{name}' ended with status {status}\n{tail}\nthe whole log: {log}")
        self.say(f"{name} done in {time.monotonic() - started:.0f} s")
        return after.children_user + after.children_system - before.children_user - before.children_system

    def unpack(self, archive):
        """Unpacks a tar archive into `source`, without its top folder's name."""
        folder = self.fresh_folder("source")
        self.step("unpack", ["tar", "-xf", archive, "-C", folder, "--strip-components=1"])
        return folder

    def remove_builds(self):
        """Leaves only logs and reports."""
        for entry in self.folder.iterdir():
            if entry not in (self.logs, self.reports):
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
