"""QUADPACK and AMOS, the Fortran of scipy 1.9.3: integrals and Bessel functions, held against closed forms and mpmath.

All files of both compile. What the drivers print is what they print when built by plain flang, it is right, and none of it is
reported. What is reported is rounding error by nature: the highest Chebyshev coefficients of an integrand (dqcheb), a table
of extrapolations that has converged (dqelg), estimates of errors and their sums (dqk*, dqc25*, dqawce, dqawoe), and in AMOS a
comparison of two parts that are equal but for the last bit (zabs: either order gives the same modulus). dqc25f needs dgtsv,
which comes from LAPACK.
"""

from harness import fetch, judge, process
from harness.workshop import DRIVERS, PLAIN_FC
from parts import lapack

ABOUT = "QUADPACK and AMOS in Fortran: right results, unchanged, none of them reported"
SHA256 = "fbc5c05c85c1a02be77b1ff591087c83bc44579c6d2bd9fb798bb64ea5e1a027"
# The folders of each library in scipy, and the files of LAPACK that it is linked with.
LIBRARIES = {
    "quadpack": (["integrate/quadpack", "integrate/mach"], ["dgtsv.f", "xerbla.f"]),
    "amos": (["special/amos", "special/mach"], []),
}
RANGE = (0, 1)
ARGUMENTS = [(0, 1, 0), (2.5, 3, 1), (10, 40, -5)]
NOISE = ("dqcheb.f", "dqelg.f", "dqk", "dqc25", "dqawce.f", "dqawoe.f", "zabs.f")


def check(part):
    source = part.unpack(fetch.pypi_source_unbuilt(part.workshop, "scipy", "1.9.3", SHA256, "mesonpy"))
    archive = fetch.debian_source(part.workshop, "lapack", "lapack_3.11.0.orig.tar.gz", lapack.SHA256)
    more = part.fresh_folder("lapack")
    part.step("unpack-lapack", ["tar", "-xf", archive, "-C", more, "--strip-components=2", "--wildcards", "*/SRC/*.f"])
    mpmath = part.workshop.python_package("mpmath", "1.3.0")
    quadpack(part, mpmath, run(part, source, more, "quadpack", "{} {}\n".format(*RANGE)))
    lines = "".join("{} {} {}\n".format(*three) for three in ARGUMENTS)
    amos(part, mpmath, run(part, source, more, "amos", lines))


def run(part, source, more, name, stdin):
    """Builds a library and its driver with both compilers, runs both; returns the numbers of each line that is printed."""
    folders, from_lapack = LIBRARIES[name]
    files = [file for folder in folders for file in sorted((source / "scipy" / folder).glob("*.f"))]
    files += [more / file for file in from_lapack]
    seconds, runs = [], []
    given = part.folder / f"{name}.in"
    given.write_text(stdin)
    report = part.reports / f"{name}.json"
    for kind, compiler in (("plain", PLAIN_FC), ("nonius", part.workshop.nonius_fc)):
        folder = part.fresh_folder(f"{name}-{kind}")
        objects = [folder / f"{file.stem}.o" for file in files]
        took = part.step(f"compile-{folder.name}", [compiler, "-O2", "-c", *files], cwd=folder)
        driver = DRIVERS / "fortran" / f"{name}.f90"
        took += part.step(f"link-{folder.name}", [compiler, "-O2", driver, *objects, "-o", folder / name], cwd=folder)
        seconds.append(took)
        runs.append(process.run(["sh", "-c", f"./{name} < '{given}'"], folder, process.nonius_options(report)))
    part.time(f"{name}: build", *seconds)
    part.show(name, [*part.workshop.nonius_run, "sh", "-c", f"./{name} < '{given}'"], folder, report)
    same = runs[0].same_as(runs[1]) and runs[1].status == 0
    part.expect(f"{name}: {len(files)} files, output", "as by plain flang", "same" if same else "DIFFERS", same)
    judge_findings(part, name, judge.findings(report))
    return [[float(word) for word in line.lstrip("JYIKA").split()] for line in runs[1].stdout.splitlines()]


def judge_findings(part, name, found):
    """Findings are allowed where the numbers are rounding error by nature, and nowhere at the output."""
    stray = [
        f
        for f in found
        if f["observed_at"] == "output" or not f["location"]["file"].rsplit("/", 1)[-1].startswith(NOISE)
    ]
    seen = judge.describe(stray[0]) if stray else f"{len(found)}, none elsewhere"
    part.expect(f"{name}: findings", "in " + ", ".join(NOISE) + " only", seen, not stray)


def quadpack(part, mpmath, printed):
    low, high = RANGE
    pole = mpmath.mpf(high) / 4
    regular = lambda x: (mpmath.exp(-x * x) - mpmath.exp(-pole * pole)) / (x - pole)
    principal = mpmath.quad(regular, [low - high, pole, 2 * high]) + mpmath.exp(-pole * pole) * mpmath.log(
        (2 * high - pole) / (pole - low + high)
    )
    exact = [
        mpmath.mpf(-4),
        mpmath.sqrt(mpmath.pi),
        mpmath.quad(lambda x: mpmath.cos(40 * x) / (1 + x * x), mpmath.linspace(low, high, 41)),
        principal,
    ]
    errors = [judge.relative_error(mpmath.mpf(value), true) for (_, value), true in zip(printed, exact)]
    worst = float(max(errors))
    right = len(printed) == len(exact) and all(code == 0 for code, _ in printed) and worst < 1e-10
    part.expect("quadpack: integrals", f"{len(exact)} within 1e-10 (mpmath)", f"worst {worst:.1e}", right)


def amos(part, mpmath, printed):
    exact = []
    for order, re, im in ARGUMENTS:
        z = mpmath.mpc(re, im)
        exact += [f(order, z) for f in (mpmath.besselj, mpmath.bessely, mpmath.besseli, mpmath.besselk)]
        exact.append(mpmath.airyai(z))
    errors = [abs(mpmath.mpc(re, im) - true) / abs(true) for (_, re, im), true in zip(printed, exact)]
    worst = float(max(errors))
    right = len(printed) == len(exact) and all(line[0] == 0 for line in printed) and worst < 1e-12
    part.expect("amos: functions", f"{len(exact)} within 1e-12 (mpmath)", f"worst {worst:.1e}", right)
