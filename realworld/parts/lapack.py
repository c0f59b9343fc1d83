"""LAPACK 3.11.0 in double precision: BLAS, the library and its test program of linear solvers, in Fortran.

The test program (TESTING/LIN, input dtest.in) solves thousands of systems and compares residuals with thresholds. It
must pass, and print what it prints when built by plain flang; its two lines of timings are left out.
"""

import shutil

from harness import fetch, process
from harness.workshop import PLAIN_FC

ABOUT = "linear algebra in Fortran: its tests of linear solvers pass, with the same output"
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
GOALS = [("BLAS/SRC", "double"), ("SRC", "double"), ("TESTING/MATGEN", "double"), ("TESTING/LIN", "xlintstd")]


def check(part):
    source = part.unpack(fetch.debian_source(part.workshop, "lapack", "lapack_3.11.0.orig.tar.gz", SHA256))
    seconds, runs = {}, {}
    for name, compiler in (("plain", PLAIN_FC), ("nonius", part.workshop.nonius_fc)):
        folder = part.folder / name
        shutil.copytree(source, folder)
        (folder / "make.inc").write_text(SETTINGS.format(fc=compiler))
        seconds[name] = build(part, name, folder)
        options = process.nonius_options(part.reports / "xlintstd.json")
        runs[name] = process.run(["sh", "-c", "./LIN/xlintstd < dtest.in"], folder / "TESTING", options)
    part.time("build", seconds["plain"], seconds["nonius"])
    part.time("xlintstd", runs["plain"].cpu_s, runs["nonius"].cpu_s)
    plain, nonius = (without_times(runs[name].stdout) for name in ("plain", "nonius"))
    failures = [line for line in nonius if "failed to pass" in line]
    part.expect("tests of linear solvers", "none fails", failures or f"{len(nonius)} lines, none failed", not failures)
    part.expect("its output", "as by plain flang", "same" if plain == nonius else "DIFFERS", plain == nonius and plain)


def build(part, name, folder):
    return sum(
        part.step(f"{name}-{where.replace('/', '-')}", ["make", f"-j{part.workshop.jobs}", "-C", folder / where, goal])
        for where, goal in GOALS
    )


def without_times(text):
    return [line for line in text.splitlines() if "seconds" not in line]
