"""Boost.Math 1.81: a distribution that forgets its argument, and a quartic solver that misses real roots.

* Student's t with one degree of freedom is 1/2 + atan(t)/pi. Boost goes through asin(sqrt(1 - t^2/(1 + t^2))), and for
  t = 1e-10 the subtraction rounds to 1: the result is 1/2 exactly. Ten correct digits are left, more than the standard
  threshold asks for; threshold=1e-12 reports it. As soon as the program takes 1/2 away, nothing is left, and the
  standard threshold reports that. (boostorg/math issue 1429)
* A quartic with two real roots, 5e-7 apart: a discriminant comes out negative and all roots as NaN. Its ideal value is the
  square of the distance between the roots. (boostorg/math issue 1055)
"""

import math

from harness import fetch, judge, process
from harness.workshop import DRIVERS, PLAIN_CXX

ABOUT = "C++ headers: Student's t near its center, and a quartic with lost roots"
ARCHIVE = "libboost1.81-dev_1.81.0-5+deb12u1_amd64.deb"
SHA256 = "bfe6d942c9fa4d68c8455e712a16fe3911f85d92959a0753cb22e5c13c2067de"
T = "1e-10"
QUARTIC = ["1", "-547.5045576653938", "75042.069484941996", "273.7522788326969", "0.24965766552610175"]


def check(part):
    archive = fetch.debian_binary(part.workshop, "libboost1.81-dev", ARCHIVE, SHA256)
    source = part.fresh_folder("source")
    part.step("unpack", ["dpkg-deb", "-x", archive, source])
    include = source / "usr" / "include"
    mpmath = part.workshop.python_package("mpmath", "1.3.0")
    mpmath.mp.prec = 400
    student_t(part, include, mpmath)
    quartic(part, include, mpmath)


def build(part, include, name):
    """Builds a driver with both compilers."""
    programs = []
    for suffix, cxx in (("plain", PLAIN_CXX), ("nonius", part.workshop.nonius_cxx)):
        program = part.folder / f"{name}-{suffix}"
        part.step(program.name, [cxx, "-std=c++17", "-O2", f"-I{include}", DRIVERS / f"{name}.cpp", "-o", program])
        programs.append(program)
    return programs


def run(part, programs, arguments, report, **options):
    """Runs both builds, whose output must be the same. Returns its words, and the findings."""
    environment = process.nonius_options(part.reports / report, **options)
    plain, nonius = (process.run([program, *arguments], part.folder, environment) for program in programs)
    same = plain.same_as(nonius) and nonius.status == 0
    part.expect(f"{report.removesuffix('.json')}: output", "as without Nonius", "same" if same else "DIFFERS", same)
    if not options:
        words = [*part.workshop.nonius_run, programs[1], *arguments]
        part.show(report.removesuffix(".json"), words, part.folder, part.reports / report)
    return nonius.stdout.split(), judge.findings(part.reports / report)


def student_t(part, include, mpmath):
    programs = build(part, include, "student_t")
    center = mpmath.atan(mpmath.mpf(float(T))) / mpmath.pi

    words, found = run(part, programs, [T], "student_t.json")
    error = judge.relative_error(mpmath.mpf(float(words[1])), center)
    hits = [f for f in judge.losses(found, error) if f["observed_at"] == "output"]
    expected = f"{judge.bits_lost(error):.0f} bits lost (mpmath)"
    part.expect(f"student_t({T}) - 0.5", expected, judge.describe(hits[0]) if hits else "not found", hits)

    words, found = run(part, programs, [T], "student_t-strict.json", threshold="1e-12")
    error = judge.relative_error(mpmath.mpf(float(words[0])), center + 0.5)
    file = "boost/math/special_functions/beta.hpp"
    hits = [f for f in judge.losses(found, error) if judge.lies_in(f, file)]
    expected = f"relative error {error:.1e} (mpmath), in beta.hpp"
    seen = f"{judge.reported_error(hits[0]):.1e}, {judge.place(hits[0])}" if hits else "not found"
    part.expect(f"student_t({T}), threshold 1e-12", expected, seen, hits)


def quartic(part, include, mpmath):
    given, found = run(part, build(part, include, "quartic"), QUARTIC, "quartic.json")
    roots = mpmath.polyroots([mpmath.mpf(float(k)) for k in QUARTIC], maxsteps=500, extraprec=800)
    real = [root.real for root in roots if abs(root.imag) < 1e-50]
    lost = len(real) == 2 and all(math.isnan(float(root)) for root in given)
    part.expect("quartic: known failure", f"{len(real)} real roots (mpmath), NaN from Boost", " ".join(given), lost)
    discriminant = (real[0] - real[1]) ** 2
    hits = [f for f in found if f["kind"] == "branch-flip" and judge.lies_in(f, "boost/math/tools/roots.hpp")]
    hits = [f for f in hits if judge.relative_error(mpmath.mpf(f["worst"]["operands"][0]["shadow"]), discriminant) < 0.01]
    seen = "not found"
    if hits:
        operand = hits[0]["worst"]["operands"][0]
        seen = f"{operand['value']:.2e}, ideal {operand['shadow']:.2e}, {judge.place(hits[0])}"
    part.expect("quartic: discriminant < 0", f"flips, ideal {float(discriminant):.2e} (mpmath)", seen, hits)
