"""A program built twice, by the plain compiler and by Nonius with the same flags, and what must be the same of both.

Both run in turn, round after round, so that whatever else the machine does meets both alike. Times are CPU seconds, and
of the rounds the least.
"""

from . import judge, process
from .workshop import PLAIN_CC, PLAIN_CXX

KINDS = ("plain", "nonius")


class Pair:
    """Objects and programs of one build with each compiler, in folders `LABEL-plain` and `LABEL-nonius`."""

    def __init__(self, part, label, language, flags):
        workshop = part.workshop
        nonius = {"c": workshop.nonius_cc, "c++": workshop.nonius_cxx}[language]
        plain = {"c": PLAIN_CC, "c++": PLAIN_CXX}[language]
        self.part = part
        self.label = label
        self.flags = list(flags)
        self.compilers = {"plain": plain, "nonius": nonius}
        self.folders = {kind: part.fresh_folder(f"{label}-{kind}") for kind in KINDS}
        self.build_s = dict.fromkeys(KINDS, 0.0)
        self.run_s = dict.fromkeys(KINDS, 0.0)
        self.steps = 0
        self.runs = 0

    def compile(self, files, *flags):
        """Compiles files to objects, which are named after them. Returns the objects' names."""
        self._both("compile", [*self.flags, *flags, "-c", *files])
        return [f"{file.stem}.o" for file in files]

    def link(self, program, objects, *flags):
        self._both("link", [*self.flags, *objects, *flags, "-o", program])

    def _both(self, step, arguments):
        self.steps += 1
        for kind in KINDS:
            name = f"{self.label}-{kind}-{self.steps}-{step}"
            self.build_s[kind] += self.part.step(name, [self.compilers[kind], *arguments], cwd=self.folders[kind])

    def compare(self, what, command, stdin="/dev/null", rounds=1, status=0, outputs=(), **options):
        """Runs a shell command in both folders. Output and status must be the same, and that of each file it writes.

        Returns the run with Nonius and its findings, which are counted in the table.
        """
        report = self.part.reports / f"{what.replace(' ', '-')}.json"
        env = process.nonius_options(report, **options)
        words = ["sh", "-c", f"exec {command} < '{stdin}'"]
        runs = [{kind: process.run(words, self.folders[kind], env) for kind in KINDS} for _ in range(rounds)]
        same = all(self._same(run, status, outputs) for run in runs)
        nonius = runs[-1]["nonius"]
        seen = f"same, {nonius.stdout_bytes} bytes" if same else f"DIFFERS, status {nonius.status}"
        self.part.expect(f"{what}: output, status {status}", "as without Nonius", seen, same)
        self.runs += 1
        for kind in KINDS:
            self.run_s[kind] += min(run[kind].cpu_s for run in runs)
        self.part.count(what, report)
        self.part.show(what, [*self.part.workshop.nonius_run, *words], self.folders["nonius"], report)
        return nonius, judge.findings(report) if report.exists() else []

    def close(self):
        """After the last run: the times of the build and of all runs go into the table."""
        self.part.time(f"{self.label}: build", *self.build_s.values())
        self.part.time(f"{self.label}: {self.runs} runs", *self.run_s.values())

    def _same(self, run, status, outputs):
        plain, nonius = (run[kind] for kind in KINDS)
        files = all(len({(self.folders[kind] / name).read_bytes() for kind in KINDS}) == 1 for name in outputs)
        return plain.same_as(nonius) and nonius.status == status and files
