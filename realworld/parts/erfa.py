"""ERFA 2.0.0, astronomical positions and time: accurate code in which nothing false may be found.

Three builds of its test program t_erfa_c, which compares 1,494 results with stored ones: plain, with Nonius, and in
quadruple precision (drivers/erfa_quad.h) as the reference. Each finding is judged:

* `a != 0.0` in t_erfa_c.c, where `a` is the difference between a result and the stored value. It comes out otherwise
  than on ideal values wherever a result agrees with the stored value to the last bit. True, and harmless to the test.
  The reference counts how often. Where the optimizer makes one decision of it and the next comparison, it is not reported.
* The loop in starpv.c stops when successive corrections no longer shrink. In double precision both have become 0; the
  ideal ones would go on shrinking. True, and meant so by the authors. The reference repeats the loop in mpmath.

Anything else is new and has to be judged: it fails.
"""

import re

from harness import fetch, judge, process
from harness.workshop import DRIVERS, PLAIN_CC

ABOUT = "astronomy library in C: test suite unchanged, errors counted against quadruple precision"
SHA256 = "e40f5175604c50c46fded7f9f76565dd5879a7f4ee27fa4484c2af217b7dfeb4"
STANDARD_THRESHOLD = 2.0**-19
THRESHOLDS = (1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15)
# Beside a value, what quadruple precision cannot tell from 0 after a few thousand operations.
QUAD_NOISE = 1e-28
RESULT = re.compile(r"^(\S+) passed: (.*) want (\S+) got (\S+)$", re.MULTILINE)


def check(part):
    archive = fetch.debian_source(part.workshop, "erfa", "erfa_2.0.0.orig.tar.gz", SHA256)
    source = part.unpack(archive) / "src"
    plain, plain_s = build(part, source, "plain", PLAIN_CC)
    nonius, nonius_s = build(part, source, "nonius", part.workshop.nonius_cc)
    quad_flags = f"-O1 -w -D_GNU_SOURCE -include {DRIVERS}/erfa_quad.h"
    quad, _ = build(part, source, "quad", "gcc", FLAGS=quad_flags)
    part.time("build", plain_s, nonius_s)

    run = transparent(part, plain, nonius)
    results = Results(part.workshop, run.stdout, process.run(["./t_erfa_c", "-v"], quad).stdout)
    default_run(part, part.reports / "t_erfa_c.json", results)
    output_errors(part, nonius, results)


def build(part, source, name, cc, **variables):
    folder = part.fresh_folder(name)
    settings = [f"CC={cc}", f"SOURCE={source}", *(f"{key}={value}" for key, value in variables.items())]
    goals = ["t_erfa_c"] if name == "quad" else []
    command = ["make", f"-j{part.workshop.jobs}", "-f", DRIVERS / "erfa.mk", *settings, *goals]
    return folder, part.step(f"build-{name}", command, cwd=folder)


def transparent(part, plain, nonius):
    """The test programs behave as without Nonius. Returns the run of t_erfa_c that wrote the report."""
    expected = process.run(["./t_erfa_c", "-v"], plain)
    options = process.nonius_options(part.reports / "t_erfa_c.json")
    run = process.run(["./t_erfa_c", "-v"], nonius, options)
    extra = [process.run(["./t_erfa_c_extra", "-v"], folder, process.nonius_options()) for folder in (plain, nonius)]
    same = run.same_as(expected) and extra[0].same_as(extra[1]) and run.status == 0
    lines = run.stdout.count("\n") + extra[1].stdout.count("\n")
    part.expect("test suite", "passes, same output", f"status {run.status}, {lines} lines {'same' if same else 'DIFFER'}", same)
    part.time("t_erfa_c", expected.cpu_s, run.cpu_s)
    part.show("t_erfa_c", [*part.workshop.nonius_run, "./t_erfa_c", "-v"], nonius, part.reports / "t_erfa_c.json")
    return run


class Results:
    """The results of t_erfa_c in double and in quadruple precision, side by side."""

    def __init__(self, workshop, double_text, quad_text):
        self.mpmath = workshop.python_package("mpmath", "1.3.0")
        self.mpmath.mp.prec = 400
        real = self.mpmath.mpf
        doubles, quads = RESULT.findall(double_text), RESULT.findall(quad_text)
        assert [d[:2] for d in doubles] == [q[:2] for q in quads], "the reference ran other tests"
        # The stored value is a double in both; 17 digits tell which. Quads are compared as text, since 36 digits round.
        self.rows = [(real(float(d[2])), real(float(d[3])), real(q[3])) for d, q in zip(doubles, quads)]
        self.ideal_is_stored = [q[2] == q[3] for q in quads]

    def errors(self):
        return [judge.relative_error(value, ideal) for _, value, ideal in self.rows]

    def count_above(self, threshold):
        return sum(error > threshold for error in self.errors())

    def equality_flips(self):
        """How often `result == stored` is decided otherwise on ideal values: the least, and the most if unclear cases count."""
        least = unclear = 0
        for (stored, value, ideal), equal in zip(self.rows, self.ideal_is_stored):
            if equal and value == stored:
                continue
            if abs(ideal - stored) > QUAD_NOISE * max(abs(ideal), abs(stored)):
                least += value == stored
            else:
                unclear += 1
        return least, least + unclear


def default_run(part, report, results):
    """Findings at the standard threshold: the two that were judged, and no others."""
    worst = max(results.errors())
    found = judge.findings(report)
    losses = [f for f in found if f["kind"] == "precision-loss"]
    part.expect(
        "precision losses",
        f"none: worst error of {len(results.rows)} results is {worst:.1e}",
        "none" if not losses else judge.describe(losses[0]),
        worst < STANDARD_THRESHOLD and not losses,
    )
    judges = {"vvd": judge_equality, "eraStarpv": judge_starpv}
    unknown = []
    for finding in found:
        verdict = judges.get(finding["location"]["function"])
        if finding["kind"] == "branch-flip" and verdict:
            verdict(part, finding, results)
        else:
            unknown.append(finding)
    judged = {f["location"]["function"] for f in found if f not in unknown}
    part.expect("findings judged", "eraStarpv at least", ", ".join(sorted(judged)) or "none", "eraStarpv" in judged)
    part.expect("other findings", "none", "; ".join(map(judge.describe, unknown)) or "none", not unknown)


def judge_equality(part, finding, results):
    least, most = results.equality_flips()
    count = finding["count"]
    part.expect("'a != 0.0' in vvd flips", f"{least}..{most} times", f"{count} times", least <= count <= most)


def judge_starpv(part, finding, results):
    """The operands that Nonius reports are successive corrections of the loop as mpmath computes them."""
    operands = [operand["shadow"] for operand in finding["worst"]["operands"]]
    pairs = starpv_corrections(results.mpmath)
    close = lambda x, y: judge.relative_error(x, y) < 1e-6
    true = any(close(operands[0], now) and close(operands[1], before) for now, before in pairs)
    seen = f"{operands[0]:.5g} against {operands[1]:.5g}"
    part.expect("loop test in eraStarpv flips", "ideal corrections as in mpmath", seen, true)


def starpv_corrections(mpmath):
    """Pairs of successive corrections in the loop of eraStarpv, for the star of ERFA's test t_fk52h."""
    real, sqrt = mpmath.mpf, mpmath.sqrt
    ra, dec, pm_ra, pm_dec = real(1.76779433), real(-0.2917517103), real(-1.91851572e-7), real(-5.8468475e-6)
    parallax, radial_km_s = real(0.379210), real(-7.6)
    au_m, day_s, year_days = real(149597870.7e3), real(86400), real(365.25)
    light_au_day = day_s / real(149597870.7e3 / 299792458.0)

    distance = real(206264.8062470963551564734) / parallax
    radial = day_s * radial_km_s * 1000 / au_m
    # The transverse speed needs no vectors: its two components are at right angles.
    across = distance * sqrt((pm_ra / year_days * mpmath.cos(dec)) ** 2 + (pm_dec / year_days) ** 2)
    beta_r, beta_t = radial / light_au_day, across / light_au_day

    d_steps, del_steps = [], []
    now_r, now_t, last = beta_r, beta_t, None
    for _ in range(12):
        d = 1 + now_r
        w = now_r**2 + now_t**2
        correction = -w / (sqrt(1 - w) + 1)
        now_r, now_t = d * beta_r + correction, d * beta_t
        if last:
            d_steps.append(abs(d - last[0]))
            del_steps.append(abs(correction - last[1]))
        last = d, correction
    return [*zip(d_steps[1:], d_steps), *zip(del_steps[1:], del_steps)]


def output_errors(part, nonius, results):
    """With every other check off, the number of results worse than a threshold is the reference's, at any threshold."""
    checks = ("store", "return", "argument", "branch", "cast", "nan", "inf")
    off = {f"check_{name}": 0 for name in checks}
    wanted, seen = [], []
    for threshold in THRESHOLDS:
        report = part.reports / f"output-{threshold:g}.json"
        options = process.nonius_options(report, threshold=f"{threshold:g}", resume=0, **off)
        process.run(["./t_erfa_c", "-v"], nonius, options)
        seen.append(sum(f["count"] for f in judge.findings(report) if f["kind"] == "precision-loss"))
        wanted.append(results.count_above(threshold))
    words = lambda counts: " ".join(map(str, counts))
    what = f"results with error above {THRESHOLDS[0]:g} ... {THRESHOLDS[-1]:g}"
    part.expect(what, words(wanted), words(seen), wanted == seen)
