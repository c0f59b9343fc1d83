"""Crates of others: their own tests pass as without Nonius, and known bugs are found at their lines.

* geo 0.14.0: the area of a polygon far from the origin is a sum of large determinants that cancel (winding_order.rs).
  A unit diamond around (1.5e8, 1.5e8) has area 2; geo says 0. Fixed in 0.14.2, whose centroid (centroid.rs) still
  divides by that sum.
* statrs 0.19.1: the distribution function of Cauchy adds 0.5 to what nearly is -0.5 (cauchy.rs). That of Beta(1e6, 1e6)
  at 0.5 is 0.4912: its continued fraction stops after 140 of the 567 steps it would take (beta.rs). That is no rounding error: with
  exact arithmetic and 140 steps it is 0.49121972841. Its rounding error, of logarithms of gamma functions that cancel, is 3e-9, and
  a threshold of 1e-9 finds that.
* twofloat 0.8.4: double-double arithmetic is right by construction, and none of it may be reported, but for
  - its division by a double-double, which takes the remainder of a product that was rounded: the quotient is only as good
    as a double's (relative error up to 2^-53), and that is found;
  - its logarithm, a step of Newton's by its exponential, which has such a division (of 40 exponentials the worst has a
    relative error of 3.0e-18, by mpmath with 300 bits, where 1e-31 could be had);
  - in its tests, a double minus a double-double of the same value: what is left is the double's own rounding error.
  Square and cube roots and the division by a double are right (4.9e-32 at worst, by the same measure) and silent.
* robust 1.2.0, kurbo 0.3.0 and 0.13.1, libm 0.2.16: exact predicates, curves, and a mathematical library. Their own tests in
  debug and release have the same outcomes; what is found is counted. Of robust's arithmetic, which is exact, nothing is reported.
"""

import re
import shutil

from harness import fetch, judge, process
from harness.workshop import DRIVERS

RESULT = re.compile(r"^test (.+) \.\.\. (\w+)", re.MULTILINE)
GEO_0_SUM = "61d3eed372074e881b542287efa5f8766170b2f983a62e9f02bf70dd2bc72bbc"
GEO_2_SUM = "139007e3210dfc1d010e166e779059be5e0f31967a71f3edae97116aefb74450"
STATRS_SUM = "c1837f9a1bd13dabbdbb04489c39451482d3cdd35a6e1a0d0f3570dea2b8c8be"
TWOFLOAT_SUM = "2f25f7bfd28a043cba51ea618ad2d29c5fa991a1237a4c0b592b466fbbb60c5c"
ROBUST_SUM = "4e27ee8bb91ca0adcf0ecb116293afa12d393f9c2b9b9cd54d33e8078fe19839"
KURBO_SUMS = {
    "0.3.0": "348736420a35dd01d8b8655e584c8cce387fa2ef3c993539ed98c48043855d1b",
    "0.13.1": "4b60dfc32f652b926df6192e55525b16d186c69d47876c3ead4da5cc9f8450e2",
}
LIBM_SUM = "b6d2cec3eae94f9f509c767b45932f1ada8350c4bdb85af2fcab4a3c14807981"
# The division by a double-double, of a double and of another, and the logarithm that goes through it.
DIVISIONS = ("as core::ops::arith::Div<&twofloat::TwoFloat>>", "<&twofloat::TwoFloat as core::ops::arith::Div>")
LOGARITHM, DOUBLE_MINUS = "<twofloat::TwoFloat>::ln", "<&f64 as core::ops::arith::"


class Crate:
    """A part of realworld: some crates, each with its tests and a driver."""

    def __init__(self, about, check):
        self.ABOUT = about
        self.check = check


def check_geo(part):
    own_tests(part, "geo", "0.14.0", GEO_0_SUM)
    found = drive(part, "geo", "0.14.0", "geo_area")
    expect_loss(part, "area of a diamond, 0 instead of 2", found, "winding_order.rs", 1.0)
    own_tests(part, "geo", "0.14.2", GEO_2_SUM)
    found = drive(part, "geo", "0.14.2", "geo_centroid")
    expect_place(part, "centroid of a diamond", found, "centroid.rs")


def check_statrs(part):
    own_tests(part, "statrs", "0.19.1", STATRS_SUM)
    found = drive(part, "statrs", "0.19.1", "statrs", threshold="1e-9")
    expect_loss(part, "Cauchy's cdf(-1e12), relative error 2e-4", found, "cauchy.rs", 2e-4)
    expect_place(part, "Beta(1e6, 1e6).cdf(0.5), rounding error 3e-9", found, "beta.rs")


def check_twofloat(part):
    found = own_tests(part, "twofloat", "0.8.4", TWOFLOAT_SUM)
    expect_only(part, "findings in its tests", found, (*DIVISIONS, DOUBLE_MINUS))
    division = [f for f in found if any(calls(f, name) for name in DIVISIONS)]
    part.expect("its division", "found", judge.describe(division[0]) if division else "not found", division)
    found = drive(part, "twofloat", "0.8.4", "twofloat")
    expect_only(part, "findings in a program that uses it", found, (*DIVISIONS, LOGARITHM))
    printed = [f for f in found if f["observed_at"] == "output"]
    part.expect("results that it prints", "no finding", judge.describe(printed[0]) if printed else "none", not printed)


def check_robust(part):
    for profile in ("debug", "release"):
        found = own_tests(part, "robust", "1.2.0", ROBUST_SUM, profile)
        seen = judge.describe(found[0]) if found else "none"
        part.expect(f"{profile}: findings in exact arithmetic", "none", seen, not found)


def check_kurbo(part):
    for version, sha256 in KURBO_SUMS.items():
        for profile in ("debug", "release"):
            own_tests(part, "kurbo", version, sha256, profile)


def check_libm(part):
    for profile in ("debug", "release"):
        own_tests(part, "libm", "0.2.16", LIBM_SUM, profile)


def calls(finding, name):
    return any(name in (frame["function"] or "") for frame in finding["stack"])


def expect_only(part, what, found, names):
    """Every finding was reached through a function of one of these names."""
    stray = [f for f in found if not any(calls(f, name) for name in names)]
    seen = judge.describe(stray[0]) if stray else f"{len(found)}, none elsewhere"
    part.expect(what, "only through " + ", ".join(names), seen, not stray)


def own_tests(part, name, version, sha256, profile="debug"):
    """The library's own tests, by cargo and by cargo nonius: the same tests with the same outcomes. Returns the findings."""
    label = f"{name}-{version}"
    source = part.folder / label
    if not source.exists():
        shutil.copytree(fetch.crate(part.workshop, name, version, sha256), source)
        (source / ".cargo-checksum.json").unlink(missing_ok=True)
        drop_benches(source / "Cargo.toml")
    words = ["test", "--lib", *(["--release"] if profile == "release" else [])]
    what = f"{label}, {profile}"
    report = part.reports / f"{label}-{profile}-tests.json"
    commands = {"plain": ["cargo"], "nonius": part.workshop.cargo_nonius}
    build_s, runs = [], {}
    for kind, command in commands.items():
        build_s.append(part.step(f"build-{label}-{profile}-{kind}", [*command, *words, "--no-run"], cwd=source))
        runs[kind] = process.run([*command, *words], source, process.nonius_options(report))
    outcomes = {kind: sorted(RESULT.findall(run.stdout)) for kind, run in runs.items()}
    # The status tells of findings, which the tests of such crates are full of: comparisons with tolerances.
    same = outcomes["plain"] == outcomes["nonius"] and outcomes["plain"] and runs["nonius"].status in (runs["plain"].status, 1)
    expected = f"{len(outcomes['plain'])} with the same outcome"
    part.expect(f"{what}: its own tests", expected, "same" if same else "DIFFER", same)
    part.time(f"{what}: build", *build_s)
    part.time(f"{what}: tests", runs["plain"].cpu_s, runs["nonius"].cpu_s)
    part.count(what, report)
    part.show(what, [*part.workshop.cargo_nonius, *words], source, report)
    return judge.findings(report)


def drop_benches(manifest):
    """Takes out the benchmarks and what only they need: cargo would build criterion, ten times the crate, for any test."""
    tables = re.split(r"^(?=\[)", manifest.read_text(), flags=re.MULTILINE)
    kept = [table for table in tables if not table.startswith(("[[bench]]", "[dev-dependencies.criterion]"))]
    manifest.write_text("".join(kept))


def drive(part, name, version, driver, **options):
    """Runs a small program against the crate, and returns the findings."""
    folder = part.fresh_folder(f"drive-{driver}")
    (folder / "src").mkdir()
    shutil.copy(DRIVERS / "rust" / f"{driver}.rs", folder / "src" / "main.rs")
    manifest = f'[package]\nname = "driver"\nversion = "0.0.0"\nedition = "2021"\n'
    (folder / "Cargo.toml").write_text(f'{manifest}[dependencies]\n{name} = "={version}"\n[workspace]\n')
    report = part.reports / f"{driver}.json"
    expected = part.step(f"{driver}-plain", ["cargo", "run"], cwd=folder)
    run = process.run([*part.workshop.cargo_nonius, "run"], folder, process.nonius_options(report, **options))
    plain = [line for line in (part.logs / f"{driver}-plain.log").read_text().splitlines() if not line.startswith(" ")]
    same = run.stdout.splitlines() == [line for line in plain if not line.startswith("warning")]
    lines = run.stdout.splitlines()
    seen = " | ".join(lines) if len(lines) < 10 else f"{len(lines)} lines, the first: {lines[0]}"
    part.expect(f"{driver}: output", "as without Nonius", seen, same)
    part.time(f"{driver}: build and run", expected, run.cpu_s)
    part.show(driver, [*part.workshop.cargo_nonius, "run"], folder, report)
    return judge.findings(report)


def expect_loss(part, what, found, file, error):
    """A precision loss of about this size that involves this file."""
    fitting = [f for f in judge.losses(found, error) if judge.lies_in(f, file)]
    part.expect(what, f"found in {file}", judge.describe(fitting[0]) if fitting else "not found", fitting)


def expect_place(part, what, found, file):
    fitting = [f for f in found if f["kind"] == "precision-loss" and judge.lies_in(f, file)]
    part.expect(what, f"found in {file}", judge.describe(fitting[0]) if fitting else "not found", fitting)


GEO = Crate("geometry in Rust: own tests unchanged, wrong areas and centroids found", check_geo)
STATRS = Crate("statistics in Rust: own tests unchanged, wrong tails found", check_statrs)
TWOFLOAT = Crate("double-double in Rust: own tests unchanged, its arithmetic not reported but where it is wrong", check_twofloat)
ROBUST = Crate("exact predicates in Rust: own tests unchanged, debug and release", check_robust)
KURBO = Crate("curves in Rust, an old version and today's: own tests unchanged, debug and release", check_kurbo)
LIBM = Crate("a mathematical library in Rust: own tests unchanged, debug and release", check_libm)
