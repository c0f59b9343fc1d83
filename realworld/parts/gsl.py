"""GSL 2.7.1, the GNU Scientific Library: its whole test suite unchanged, and three known losses found.

Every test program of every folder is run from a plain build and from one with Nonius, with GSL_TEST_VERBOSE=1, which
makes it print each single comparison: tens of millions of lines, all of which must be the same. (The folder blas has no
tests of its own; cblas, linalg and others call it.) What Nonius finds in the test suite is counted, not judged: much of
it is the suite's own arithmetic on rounding errors.

One finding in the suite is judged: the sine of 2^40, which Ci calls for, and of which GSL gets four digits right. Its own
tests allow that. Nonius must report it with the ideal value that mpmath has.

The losses: Ai at a huge negative argument, whose phase has no correct digit left; ln|Gamma| and the dilogarithm next to
a zero, where the last subtraction cancels. mpmath says how wrong each result is.
"""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from harness import fetch, judge, process
from harness.workshop import DRIVERS, PLAIN_CC

ABOUT = "GNU Scientific Library in C: whole test suite unchanged, three known losses found"
SHA256 = "e560d6b9c6e254e46769bbb03583c00ecafbdd51b062c55db23b3b9612868567"

# Function, argument, the source file to which a finding must lead, and the function where the error comes from: the
# phase that is too large for its digits, the sum whose rounding the last subtraction lays bare, the terms that cancel.
LOSSES = [
    ("airy", "-4.042852549222488e11", "specfunc/airy.c", "airy_mod_phase"),
    ("lngamma", "-2.457024738220797", "specfunc/gamma.c", "lngamma_lanczos"),
    ("dilog", "12.59517036984501", "specfunc/dilog.c", "dilog_xge0"),
]


# Started first, so that the last to finish is a short one.
SLOWEST = ("specfunc", "linalg", "ode-initval2", "multifit_nlinear", "bspline", "randist")


@dataclass
class Compared:
    """One test program, run from both builds."""

    name: str
    same: bool
    status: int
    stdout_bytes: int
    plain_s: float
    nonius_s: float
    kinds: Counter


def check(part):
    archive = fetch.debian_source(part.workshop, "gsl", "gsl_2.7.1+dfsg.orig.tar.gz", SHA256)
    source = part.unpack(archive)
    plain, plain_s = build(part, source, "plain", PLAIN_CC)
    nonius, nonius_s = build(part, source, "nonius", part.workshop.nonius_cc)
    part.time("build of library and tests", plain_s, nonius_s)
    same = (plain / "config.h").read_bytes() == (nonius / "config.h").read_bytes()
    part.expect("configure", "same config.h", "same" if same else "differs", same)

    losses(part, nonius)
    test_suite(part, source, plain, nonius)
    large_sine(part)


def build(part, source, name, cc):
    """Builds library and test programs. Returns the folder and the CPU seconds of compiling."""
    folder = part.fresh_folder(name)
    part.step(f"configure-{name}", [source / "configure", "--disable-shared", f"CC={cc}", "CFLAGS=-O2"], cwd=folder)
    # Debian leaves out the manual, and its makefile asks for it.
    (folder / "doc" / "Makefile").write_text("all check:\n")
    make = ["make", f"-j{part.workshop.jobs}"]
    library_s = part.step(f"build-{name}", make, cwd=folder)
    return folder, library_s + part.step(f"build-tests-{name}", [*make, "check", "TESTS="], cwd=folder)


def losses(part, nonius):
    driver = nonius / "gsl_special"
    libraries = [nonius / ".libs" / "libgsl.a", nonius / "cblas" / ".libs" / "libgslcblas.a"]
    compile_driver = [part.workshop.nonius_cc, "-O2", f"-I{nonius}", DRIVERS / "gsl_special.c"]
    part.step("driver", [*compile_driver, *libraries, "-lm", "-o", driver])
    mpmath = part.workshop.python_package("mpmath", "1.3.0")
    mpmath.mp.prec = 400
    truth = {
        "airy": mpmath.airyai,
        "lngamma": lambda x: mpmath.log(abs(mpmath.gamma(x))),
        "dilog": lambda x: mpmath.polylog(2, x).real,
    }
    for function, argument, file, origin in LOSSES:
        report = part.reports / f"{function}.json"
        run = process.run([driver, function, argument], nonius, process.nonius_options(report))
        reference = truth[function](mpmath.mpf(float(argument)))
        error = judge.relative_error(mpmath.mpf(float(run.stdout)), reference)
        found = judge.findings(report)
        bits = judge.bits_lost(error)
        hits = [f for f in judge.losses(found, error) if judge.lies_in(f, file) or f["observed_at"] == "output"]
        part.expect(
            f"{function}({argument})",
            f"{bits:.0f} bits lost (mpmath), within {judge.AGREE_BITS:.0f}",
            judge.describe(hits[0]) if hits else "not found",
            hits,
        )
        inside = [f for f in found if judge.lies_in(f, file)]
        part.expect(f"{function}: where", f"in {file}", judge.place(inside[0]) if inside else "elsewhere", inside)
        part.show(function, [*part.workshop.nonius_run, driver, function, argument], nonius, report)
        explained = part.reports / f"{function}-causes.json"
        # How Lanczos' coefficients and the logarithm of pi were rounded moves lngamma as much as its own arithmetic does.
        flags = ["--constants=exact", f"--report={explained}", "--quiet"]
        process.run([*part.workshop.nonius_run, *flags, driver, function, argument], nonius)
        born = judge.causes(judge.findings(explained), origin)
        seen = judge.describe_cause(born[0]) if born else "not among the causes"
        part.expect(f"{function}: cause", f"confirmed, from {origin}", seen, born)


def test_suite(part, source, plain, nonius):
    """Runs every test program in both builds."""
    folders = sorted({p.parent.name for p in plain.glob("*/test")}, key=lambda name: name not in SLOWEST)
    # Programs in one folder may write to the same files, so each folder is one job.
    with ThreadPoolExecutor(part.workshop.jobs) as pool:
        jobs = [pool.submit(run_folder, part, plain, nonius, name) for name in folders]
        results = [result for job in jobs for result in job.result()]
    results.append(compare(part, plain, nonius, ".", ["sh", source / "test_gsl_histogram.sh"]))

    differing = ", ".join(r.name for r in results if not r.same) or "none"
    failing = ", ".join(r.name for r in results if r.status != 0) or "none"
    seen = f"{len(results)} programs, {sum(r.stdout_bytes for r in results) / 1e9:.1f} GB of output; "
    seen += f"differing: {differing}; failing: {failing}"
    part.expect("test suite", "passes, same status and output", seen, differing == failing == "none")
    part.time("test suite", sum(r.plain_s for r in results), sum(r.nonius_s for r in results))
    for result in sorted(results, key=lambda r: -r.plain_s)[:8]:
        part.time(result.name, result.plain_s, result.nonius_s)
    kinds = sum((r.kinds for r in results), Counter())
    part.say("findings in the test suite: " + ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()))


def run_folder(part, plain, nonius, folder):
    programs = sorted(p.name for p in (plain / folder).iterdir() if p.name in ("test", "test_static", "test_c11"))
    return [compare(part, plain, nonius, folder, [f"./{program}"]) for program in programs]


def compare(part, plain, nonius, folder, command):
    """One test program in both builds: once printing every comparison, once silent, for time and findings."""
    name = f"{folder}/{Path(command[-1]).name}"
    report = part.reports / (name.replace("/", "_") + ".json")
    loud = {"GSL_TEST_VERBOSE": "1"}
    expected = process.run(command, plain / folder, loud)
    printed = process.run(command, nonius / folder, {**loud, **process.nonius_options()})
    silent_plain = process.run(command, plain / folder)
    silent = process.run(command, nonius / folder, process.nonius_options(report))
    kinds = Counter(f["kind"] for f in judge.findings(report)) if report.exists() else Counter()
    result = Compared(
        name=name,
        same=printed.same_as(expected) and silent.same_as(silent_plain),
        status=printed.status or silent.status,
        stdout_bytes=printed.stdout_bytes,
        plain_s=silent_plain.cpu_s,
        nonius_s=silent.cpu_s,
        kinds=kinds,
    )
    verdict = "same" if result.same else "DIFFERS"
    part.say(f"{name}: {verdict}, {result.plain_s:.2f} s and {result.nonius_s:.2f} s, {kinds.total()} findings")
    return result


def large_sine(part):
    """sin(2^40) in the tests of specfunc: what Nonius calls ideal is the true value, to the last bit or two."""
    mpmath = part.workshop.python_package("mpmath", "1.3.0")
    truth = mpmath.sin(mpmath.mpf(2) ** 40)
    found = judge.findings(part.reports / "specfunc_test.json")
    found = [f for f in found if f["kind"] == "precision-loss" and judge.lies_in(f, "specfunc/trig.c")]
    # A finding, or another place where its error was seen.
    seen_at = [s for f in found for s in [f, *f.get("symptoms", [])] if s.get("worst")]
    hits = [s for s in seen_at if judge.relative_error(mpmath.mpf(s["worst"]["shadow"]), truth) < 1e-15]
    seen = "not found"
    if hits:
        worst, place = hits[0]["worst"], hits[0]["location"]
        seen = f"{worst['value']:.8g}, ideal {worst['shadow']:.16g}, {Path(place['file']).name}:{place['line']}"
    part.expect("sin(2^40) in the suite", f"ideal {float(truth):.16g} (mpmath)", seen, hits)
