"""LAPACK 3.11.0: BLAS, the library and its own test programs, in Fortran.

The tests of linear solvers (TESTING/LIN) are run in all four precisions (s, d, c, z), those of eigenvalues (TESTING/EIG) in double, with
every input that comes with them. They solve thousands of problems and compare residuals with thresholds. Each must
print what it prints when built by plain flang, failures included; lines of timings are left out.
"""

import shutil

from harness import fetch, judge, process
from harness.workshop import PLAIN_FC

ABOUT = "linear algebra in Fortran: its tests of linear solvers and eigenvalues, with the same output"
SHA256 = "4b9ba79bfd4921ca820e83979db76ab3363155709444a787979e81c22285ffa9"
SETTINGS = """\
SHELL = /bin/sh
CC = clang-22
CFLAGS = -O2
FC = {fc}
FFLAGS = -O2
FFLAGS_DRV = $(FFLAGS)
FFLAGS_NOOPT = -O0
LDFLAGS =
AR = ar
ARFLAGS = cr
RANLIB = ranlib
TIMER = INT_CPU_TIME
BLASLIB = $(TOPSRCDIR)/librefblas.a
CBLASLIB = $(TOPSRCDIR)/libcblas.a
LAPACKLIB = $(TOPSRCDIR)/liblapack.a
TMGLIB = $(TOPSRCDIR)/libtmglib.a
LAPACKELIB = $(TOPSRCDIR)/liblapacke.a
"""
# In order; each of LAPACK's folders has its own Makefile.
GOALS = [(folder, ["all"]) for folder in ("BLAS/SRC", "SRC", "TESTING/MATGEN")]
GOALS += [("TESTING/LIN", ["xlintsts", "xlintstd", "xlintstc", "xlintstz"]), ("TESTING/EIG", ["xeigtstd"])]
EIGENVALUES = "nep sep se2 svd dec ded dgg dgd dsb dsg dbal dbak dgbal dgbak dbb glm gqr gsv csd lse".split()
# Each program with its inputs.
TESTS = {f"LIN/xlintst{letter}": [f"{letter}test"] for letter in "sdcz"} | {"EIG/xeigtstd": EIGENVALUES}


def check(part):
    source = part.unpack(fetch.debian_source(part.workshop, "lapack", "lapack_3.11.0.orig.tar.gz", SHA256))
    seconds = {}
    for name, compiler in (("plain", PLAIN_FC), ("nonius", part.workshop.nonius_fc)):
        folder = part.folder / name
        shutil.copytree(source, folder)
        (folder / "make.inc").write_text(SETTINGS.format(fc=compiler))
        seconds[name] = build(part, name, folder)
    part.time("build", seconds["plain"], seconds["nonius"])
    for program, inputs in TESTS.items():
        compare(part, program, inputs)


def build(part, name, folder):
    jobs = f"-j{part.workshop.jobs}"
    return sum(
        part.step(f"{name}-{where.replace('/', '-')}", ["make", jobs, "-C", folder / where, *goals]) for where, goals in GOALS
    )


def compare(part, program, inputs):
    """Runs a test program with each of its inputs, in both builds."""
    label = program.split("/")[1]
    differing, lines, failures, found = [], 0, 0, 0
    spent = {"plain": 0.0, "nonius": 0.0}
    for given in inputs:
        report = part.reports / f"{label}-{given}.json"
        runs = {name: run(part.folder / name / "TESTING", program, given, report) for name in spent}
        for name in spent:
            spent[name] += runs[name].cpu_s
        plain, nonius = (without_times(runs[name].stdout) for name in ("plain", "nonius"))
        if plain != nonius or not plain or runs["plain"].status != runs["nonius"].status:
            differing.append(given)
        lines += len(nonius)
        failures += sum("failed to pass" in line for line in nonius)
        found += len(judge.findings(report))
        words = ["sh", "-c", f"./{program} < {given}.in"]
        part.show(f"{label} {given}", [*part.workshop.nonius_run, *words], part.folder / "nonius" / "TESTING", report)
    part.time(label, spent["plain"], spent["nonius"])
    seen = f"{lines} lines the same" if not differing else f"DIFFERS: {', '.join(differing)}"
    part.expect(f"{label}, {len(inputs)} inputs", "as by plain flang", seen, not differing)
    part.say(f"{label}: {failures} lines of failed tests in both builds, {found} findings")


def run(folder, program, given, report):
    return process.run(["sh", "-c", f"./{program} < {given}.in"], folder, process.nonius_options(report))


def without_times(text):
    return [line for line in text.splitlines() if "seconds" not in line]
